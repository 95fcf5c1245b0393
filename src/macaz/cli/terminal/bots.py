"""Names of the bots in a terminal game, and the bots by those names."""

from __future__ import annotations

import re
from collections.abc import Sequence

from macaz.bots import BOTS, COMMAND
from macaz.bots.own import class_name, installed_bot

PROGRAM = "Program"  # the kind of a bot that is not known by a name
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
        return f"{PROGRAM} bot"
    if kind not in BOTS and (cls := class_name(bot)):
        return f"{PROGRAM} {cls} bot"  # without the path of its file, as records are shared
    if kind in BOTS and BOTS[kind].network:
        # Records are shared, so the name must not contain the path of the network.
        limit = limit.partition(":")[0] if BOTS[kind].limit else ""
    return " ".join([kind.capitalize(), *([limit] if limit else []), "bot"])


def bot_named(name: str) -> str | None:
    """The bot with this seat name; None for a person.

    For a program or an own class it is only the kind: a record must not decide what is run.
    """
    found = _NAME.fullmatch(name)
    if not found:
        return None
    if found[1] == PROGRAM:
        return COMMAND
    kind, limit = found[1].lower(), found[2]
    if kind == COMMAND or (kind not in BOTS and installed_bot(kind) is None):
        return None
    return f"{kind}:{limit}" if limit else kind
