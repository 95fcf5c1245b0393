"""Players that are programs. A bot is given a view and the legal moves, never the state."""

from __future__ import annotations

from collections.abc import Sequence
from importlib import import_module
from typing import TYPE_CHECKING, NamedTuple, Protocol

from macaz.errors import MacazError

if TYPE_CHECKING:
    from macaz.moves import Move
    from macaz.view import View


class Bot(Protocol):
    """Something that decides for a seat: the same decisions again from the same seed."""

    def choose(self, view: View, legal: Sequence[Move]) -> Move:
        """One of the legal moves, for the seat whose view it is."""
        ...


class Kind(NamedTuple):
    """A kind of bot: where it is, and its character in a line."""

    place: str
    character: str


BOTS: dict[str, Kind] = {
    "random": Kind("macaz.bots.random:RandomBot", "Does anything that is allowed."),
    "greedy": Kind(
        "macaz.bots.greedy:GreedyBot",
        "Takes the cheapest way for its tickets, and never looks at yours.",
    ),
}


class UnknownBot(MacazError):  # noqa: N818 - as UnknownEdition
    """There is no bot of that name."""


def make_bot(name: str, *, seed: int | str = 0) -> Bot:
    """A bot by its name; `UnknownBot` says which there are."""
    if name not in BOTS:
        from macaz.board import closest

        near = closest(name, BOTS)
        hint = f" Did you mean {near!r}?" if near else ""
        raise UnknownBot(f"there is no bot {name!r}.{hint} Known: {', '.join(BOTS)}.")
    module, _, kind = BOTS[name].place.partition(":")
    bot: Bot = getattr(import_module(module), kind)(seed)
    return bot
