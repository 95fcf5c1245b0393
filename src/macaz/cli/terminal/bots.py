"""Names of the bots in a terminal game, and the bots by those names."""

from __future__ import annotations

import re
from collections.abc import Sequence

from macaz.bots import BOTS, COMMAND

PROGRAM = "Program bot"
_NAME = re.compile(r"([\w-]+)(?: (\S+))? bot(?: \d+)?")


def seat_names(bots: Sequence[str]) -> list[str]:
    """The names of the seats of these bots: "Greedy bot", "Search 0.1s bot 2"."""
    names = [_seat_name(bot) for bot in bots]
    return [
        f"{name} {names[:i].count(name) + 1}" if names.count(name) > 1 else name
        for i, name in enumerate(names)
    ]


def _seat_name(bot: str) -> str:
    kind, _, limit = bot.partition(":")
    if kind == COMMAND:
        return PROGRAM
    if kind in BOTS and BOTS[kind].network:
        # Records are shared, so the name must not contain the path of the network.
        limit = limit.partition(":")[0] if BOTS[kind].limit else ""
    return " ".join([kind.capitalize(), *([limit] if limit else []), "bot"])


def bot_named(name: str) -> str | None:
    """The bot with this seat name; None for a person.

    For a program it is only the kind: a record must not decide which command is run.
    """
    found = _NAME.fullmatch(name)
    if not found:
        return None
    if name.startswith(PROGRAM):
        return COMMAND
    kind, limit = found[1].lower(), found[2]
    if kind not in BOTS:
        return None
    return f"{kind}:{limit}" if limit else kind
