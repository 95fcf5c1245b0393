"""The result of one arena game, as it is stored."""

from __future__ import annotations

import msgspec


class GameResult(msgspec.Struct, frozen=True):
    """The result of one game. Tuples are indexed by seat, except `winners`."""

    deal: int  # games of one deal have the same random stream and the same first seat
    lineup: tuple[str, ...]  # the specification of each bot, such as search:0.1s
    first: int  # the seat that began
    scores: tuple[int, ...]
    winners: tuple[int, ...]  # the seats that won; several where they share the win
    decisions: tuple[int, ...]
    turns: tuple[int, ...]
    seconds: tuple[float, ...]  # thinking time in the whole game
    slowest: tuple[float, ...]  # seconds of the slowest decision
    tickets_kept: tuple[int, ...]
    tickets_done: tuple[int, ...]
    failures: tuple[str, ...]  # why the bot failed and a stand-in finished the game; else ""
    record: str = ""  # the game record as text, if it is kept

    def share(self, seat: int) -> float:
        """The seat's share of the win: 1, a part of a shared win, or 0."""
        return 1 / len(self.winners) if seat in self.winners else 0.0
