"""Bots try to solve a puzzle: how many find the right move is its grade."""

from __future__ import annotations

from collections.abc import Collection, Sequence
from typing import TYPE_CHECKING

from macaz.bots import close_bot, make_bot
from macaz.bots.network import network_name

if TYPE_CHECKING:
    from macaz.edition import Edition
    from macaz.game.moves import Move
    from macaz.game.view import View
    from macaz.help.puzzles import Grade

BOTS = ("random", "greedy", "racer", "planner", "search:50", "search:200", "search:800")
WITH_NETWORK = ("learned", "expert:100")
# One of these must find the move: they do not play as the tries do, which have found it.
STRONG = frozenset(("search:800", "expert:100"))
EASY, MEDIUM = 2 / 3, 1 / 3  # the share of the bots that find it, at least


def solvers_for(edition: Edition) -> tuple[str, ...]:
    """The bots that try to solve the puzzles of an edition, from the weakest to the strongest."""
    return BOTS + WITH_NETWORK * (network_name(edition) is not None)


def solvers_of(
    view: View, legal: Sequence[Move], right: Collection[Move], seed: str
) -> tuple[str, ...]:
    """The bots that make a right move."""
    return tuple(
        bot for bot in solvers_for(view.edition) if _choice(bot, view, legal, seed) in right
    )


def grade_of(found: Sequence[str], asked: Sequence[str]) -> Grade:
    """How hard a puzzle is that these of the bots have solved."""
    share = len(found) / len(asked)
    if share >= EASY:
        return "easy"
    return "medium" if share >= MEDIUM else "hard"


def _choice(text: str, view: View, legal: Sequence[Move], seed: str) -> Move:
    bot = make_bot(text, seed=f"{seed} {text}")
    try:
        return bot.choose(view, legal)
    finally:
        close_bot(bot)
