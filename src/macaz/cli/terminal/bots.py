"""The bots at a terminal's table: what their seats are called, and who they are by that name."""

from __future__ import annotations

import re
from collections.abc import Sequence

from macaz.bots import BOTS, COMMAND

PROGRAM = "Program bot"
_NAME = re.compile(r"([\w-]+)(?: (\S+))? bot(?: \d+)?")


def seat_names(bots: Sequence[str]) -> list[str]:
    """What the seats of these bots are called: "Greedy bot", "Search 0.1s bot 2"."""
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
        # Where somebody's network lies is nobody else's business.
        limit = limit.partition(":")[0] if BOTS[kind].limit else ""
    return " ".join([kind.capitalize(), *([limit] if limit else []), "bot"])


def bot_named(name: str) -> str | None:
    """The bot that a seat's name tells; None for a person's.

    Of a program it tells no more than that it is one: a record must not say what is to be run.
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
