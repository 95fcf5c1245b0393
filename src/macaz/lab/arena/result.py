"""What the arena keeps of a game."""

from __future__ import annotations

import msgspec


class GameResult(msgspec.Struct, frozen=True):
    """How one game of the arena went. All but the first and the last are by seat."""

    deal: int  # games with the same deal have the same chance stream, and the same seat begins
    lineup: tuple[str, ...]  # the bots, by their texts
    first: int  # the seat that began
    scores: tuple[int, ...]
    winners: tuple[int, ...]  # the seats that won; several where they share the win
    decisions: tuple[int, ...]
    turns: tuple[int, ...]
    seconds: tuple[float, ...]  # all the time it thought
    slowest: tuple[float, ...]  # its slowest decision
    tickets_kept: tuple[int, ...]
    tickets_done: tuple[int, ...]
    failures: tuple[str, ...]  # "", or why its bot failed and a stand-in finished the game
    record: str = ""  # the record's text, where it is kept

    def share(self, seat: int) -> float:
        """How much of the win is this seat's: 1, a part where several won, or 0."""
        return 1 / len(self.winners) if seat in self.winners else 0.0
