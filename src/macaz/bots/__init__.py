"""Bots: programs that play. A bot gets a view and the legal moves, never the state.

A bot is named by a text: `planner`, `search:0.1s` (seconds for a decision), `search:400` (effort:
playouts for a decision, deterministic for a seed), `learned:network.npz` (a network's file),
`expert:0.2s:network.npz` (both), `my_bot.py:MyBot` or `package.module:MyBot` (a class of your own),
`cmd:python3 mybot.py` (a program that implements the bot protocol). The names in `BOTS` come with
Macaz; installed packages may bring others.
"""

from __future__ import annotations

import re
from collections.abc import Sequence
from importlib import import_module
from typing import TYPE_CHECKING, NamedTuple, Protocol

from macaz.errors import MacazError

if TYPE_CHECKING:
    from macaz.game.moves import Move
    from macaz.game.view import View

COMMAND = "cmd"


class Bot(Protocol):
    """A player. Bots with the same seed make the same decisions."""

    def choose(self, view: View, legal: Sequence[Move]) -> Move:
        """One of the legal moves of the view's seat."""
        ...


class Limit(NamedTuple):
    """The limit of a decision: in seconds, or an effort (a number of playouts or tries)."""

    seconds: float | None = None
    effort: int | None = None

    def __str__(self) -> str:
        return f"{self.seconds:g}s" if self.seconds is not None else f"{self.effort}"


class Kind(NamedTuple):
    """A kind of bot."""

    place: str  # module:class
    character: str  # one sentence for players
    limit: Limit | None = None  # the default; None if it takes no limit
    network: bool = False  # whether it uses a network, and takes the file of one
    in_browser: bool = True  # whether it needs only the kernel, and so can play in a browser


# From the weakest to the strongest, roughly.
BOTS: dict[str, Kind] = {
    "random": Kind("macaz.bots.random:RandomBot", "Does anything that is allowed."),
    "apprentice": Kind(
        "macaz.bots.styled:ApprenticeBot",
        "Has one ticket in mind at a time, and believes there is time enough.",
    ),
    "greedy": Kind(
        "macaz.bots.greedy:GreedyBot",
        "Takes the cheapest way for its tickets, and never looks at yours.",
        in_browser=False,
    ),
    "conductor": Kind(
        "macaz.bots.styled:ConductorBot",
        "Thinks of two tickets at once, and notices the end rather late.",
    ),
    "racer": Kind(
        "macaz.bots.styled:RacerBot",
        "Lays the longest routes, and ends the game before you are ready.",
    ),
    "planner": Kind(
        "macaz.bots.styled:PlannerBot",
        "Plans a whole network for its tickets, and knows when to race.",
    ),
    "search": Kind(
        "macaz.bots.search:SearchBot",
        "Plays the game to its end hundreds of times before each move.",
        Limit(seconds=0.5),
    ),
    "learned": Kind(
        "macaz.bots.learned:LearnedBot",
        "Has played millions of games, and decides at a glance.",
        network=True,
    ),
    "master": Kind(
        "macaz.bots.search:SearchBot",
        "Plays the game to its end thousands of times before each move.",
        Limit(seconds=2.5),
    ),
    "expert": Kind(
        "macaz.bots.expert:ExpertBot",
        "Has played millions of games, and still looks ahead before each move.",
        Limit(seconds=0.2),
        network=True,
    ),
}


class UnknownBot(MacazError):  # noqa: N818 - as UnknownEdition
    """No bot can be made by that text: no such name, file or class, or not that limit."""


def make_bot(text: str, *, seed: int | str = 0) -> Bot:
    """Create a bot by its text; raises `UnknownBot`."""
    name, colon, rest = text.partition(":")
    if name == COMMAND and colon:
        from macaz.bots.external import ExternalBot

        return ExternalBot(rest, seed)
    if name not in BOTS:
        from macaz.bots.own import find_class

        own, limit = find_class(text)
        return own.make(seed, limit)
    kind = BOTS[name]
    module, _, cls = kind.place.partition(":")
    make = getattr(import_module(module), cls)
    limit, path = _read_settings(text)
    settings = [] if limit is None else [limit]
    bot: Bot = make(seed, *settings, path) if kind.network else make(seed, *settings)
    return bot


def _read_settings(text: str) -> tuple[Limit | None, str | None]:
    """The limit and the network file in a bot's text."""
    name, colon, rest = text.partition(":")
    kind = BOTS[name]
    if kind.limit is None:
        if colon and not kind.network:
            raise UnknownBot(f"{name} takes no limit: write {name!r}, not {text!r}.")
        if colon and not rest:
            raise UnknownBot(f"{text!r} names no file: write {name}, or {name}:network.npz.")
        return None, rest or None
    said, also, path = rest.partition(":") if kind.network else (rest, "", "")
    if also and not path:
        raise UnknownBot(f"{text!r} names no file: write {name}:{said}, or {text}network.npz.")
    return read_limit(said) if colon else kind.limit, path or None


def with_limit(text: str, limit: Limit) -> str:
    """The text of a bot of Macaz with another limit; unchanged for a bot that takes none."""
    name = text.partition(":")[0]
    if name not in BOTS or BOTS[name].limit is None:
        return text
    path = _read_settings(text)[1]
    return f"{name}:{limit}" if path is None else f"{name}:{limit}:{path}"


def bot_or_command(text: str) -> str:
    """A bot's text as it is; any other text is a command, and gets `cmd:` in front of it."""
    from macaz.bots.own import is_own

    name, colon, _ = text.partition(":")
    known = name in BOTS or (name == COMMAND and colon)
    return text if known or is_own(text) else f"{COMMAND}:{text}"


def make_ready(text: str) -> None:
    """Load in advance what a bot would load in its first decision; raises `UnknownBot`."""
    name = text.partition(":")[0]
    kind = BOTS.get(name)
    if kind is None and name != COMMAND:
        from macaz.bots.own import find_class

        find_class(text)
    compiled = ("macaz.bots.styled:", "macaz.bots.search:")
    if kind is not None and (kind.network or kind.place.startswith(compiled)):
        from macaz.bots.compiled.program import players

        players()


def read_limit(text: str) -> Limit:
    """Parse a limit: `0.1s` is in seconds, `400` an effort."""
    if re.fullmatch(r"\d+", text) and int(text) > 0:
        return Limit(effort=int(text))
    if re.fullmatch(r"\d*\.?\d+s", text) and float(text[:-1]) > 0:
        return Limit(seconds=float(text[:-1]))
    raise UnknownBot(f"{text!r} is not a limit: write seconds, as 0.1s, or an effort, as 400.")


def browser_network(edition_id: str) -> bytes:
    """The file of an edition's network for a host without Python; raises `BadNetwork`."""
    from macaz.bots.browser import network_file

    return network_file(edition_id)


def bot_problem(text: str) -> str | None:
    """The error message for a bot's text; None if it is valid."""
    try:
        close_bot(make_bot(text))
    except MacazError as error:
        return str(error)
    return None


def close_bot(bot: Bot) -> None:
    """Release a bot's resources, such as its process, if it has any."""
    close = getattr(bot, "close", None)
    if close is not None:
        close()
