"""The legal moves in a state, which seats may decide there, and what a move means there.

The functions and `LegalMoves` serve `Game` and `View` alike: a view's seat has the same legal moves
in the state that the view describes, in which everything hidden is 0.
"""

from __future__ import annotations

import operator
from collections.abc import Iterator, Sequence
from typing import TYPE_CHECKING, SupportsIndex, overload

from macaz.game.moves import IllegalMove, InvalidMove, Move, Notation
from macaz.kernel.layout import A_CHOOSE, CHOOSE

if TYPE_CHECKING:
    import numpy as np

    from macaz.kernel.engine import Engine


def is_choosing(state: np.ndarray) -> bool:
    """Whether setup tickets are to be chosen, which several seats do at the same time."""
    return bool(state["phase"][0] == CHOOSE)


def deciding_seats(state: np.ndarray, actor: int, seats: int) -> tuple[int, ...]:
    """The seats that may decide now; `actor` is what `Engine.actor` says of the state."""
    if actor < 0:
        return ()
    if is_choosing(state):
        waiting = int(state["choosing"][0])
        return tuple(p for p in range(seats) if waiting >> p & 1)
    return (actor,)


def seat_of(notation: Notation, state: np.ndarray, actor: int, action: int) -> int:
    """The seat that an action belongs to."""
    if not is_choosing(state) or notation.kind(action) != A_CHOOSE:
        return actor
    table = notation.spec.table[0]
    return (action - int(table["base"][A_CHOOSE])) >> int(table["setup_deal"])


class LegalMoves(Sequence[Move]):
    """The legal moves of some seats in a state, in the order of their action numbers.

    A sequence of moves; `in` also accepts an action number or text.
    """

    __slots__ = ("_actor", "_engine", "_notation", "_seats", "_state")

    def __init__(
        self,
        engine: Engine,
        notation: Notation,
        state: np.ndarray,
        actor: int,
        seats: Sequence[int],
    ) -> None:
        self._engine, self._notation, self._state = engine, notation, state
        self._actor, self._seats = actor, seats

    @property
    def actions(self) -> list[int]:
        """The action numbers, ascending for each seat."""
        return [a for seat in self._seats for a in self._engine.legal(self._state, seat)]

    def __iter__(self) -> Iterator[Move]:
        engine, state, move = self._engine, self._state, self._notation.move
        for seat in self._seats:
            offer = engine.offer(state, seat)
            for action in engine.legal(state, seat):
                yield move(action, offer)

    def __len__(self) -> int:
        return sum(len(self._engine.legal(self._state, seat)) for seat in self._seats)

    @overload
    def __getitem__(self, index: int) -> Move: ...

    @overload
    def __getitem__(self, index: slice) -> list[Move]: ...

    def __getitem__(self, index: int | slice) -> Move | list[Move]:
        if isinstance(index, slice):
            return list(self)[index]
        owned = [(a, seat) for seat in self._seats for a in self._engine.legal(self._state, seat)]
        try:
            action, seat = owned[index]
        except IndexError:
            raise IndexError(f"there are {len(owned)} legal moves, and no move {index}") from None
        return self._notation.move(action, self._engine.offer(self._state, seat))

    def __contains__(self, move: object) -> bool:
        if not isinstance(move, Move | SupportsIndex | str):
            return False
        seat = self._seats[0] if len(self._seats) == 1 else None
        try:
            action = parse_move(self._engine, self._notation, self._state, self._actor, move, seat)
        except (InvalidMove, IllegalMove):
            return False
        return (
            self._engine.is_legal(self._state, action)
            and seat_of(self._notation, self._state, self._actor, action) in self._seats
        )

    def __repr__(self) -> str:
        texts = [self._notation.text(move) for move in self]
        return f"<{len(texts)} legal moves: {', '.join(texts[:8])}{', …' if texts[8:] else ''}>"


def parse_move(
    engine: Engine,
    notation: Notation,
    state: np.ndarray,
    actor: int,
    move: Move | SupportsIndex | str,
    seat: int | None = None,
) -> int:
    """The action number of a move given as a `Move`, a number or text.

    `seat` says which seat a "keep …" belongs to while several seats choose (default: `actor`).
    """
    if isinstance(move, str):
        whose = actor if seat is None else seat
        move = notation.parse(move, whose if is_choosing(state) else -1)
    if not isinstance(move, Move):  # tested first: `SupportsIndex` is a slow check
        if isinstance(move, SupportsIndex):
            notation.kind(operator.index(move))
            return operator.index(move)
        raise InvalidMove(f"a move is a Move, an action number or text, not {move!r}")
    return notation.action(move, engine.offer(state, getattr(move, "seat", actor)))
