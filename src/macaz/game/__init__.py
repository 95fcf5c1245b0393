"""`Game`: the state and history of a game, its legal moves, making and undoing moves."""

from __future__ import annotations

import operator
from collections.abc import Iterator, Sequence
from dataclasses import dataclass, field
from typing import TYPE_CHECKING, Literal, SupportsIndex

import numpy as np

from macaz.edition import Edition, load_edition
from macaz.game.fair import Dealer
from macaz.game.moves import IllegalMove, InvalidMove, Move, notation_of
from macaz.game.outcome import Outcome, read_tally
from macaz.game.view import View
from macaz.game.why import sentence
from macaz.kernel.compile import AUTO
from macaz.kernel.engine import CHANCE, NO_ACTOR, engine_of
from macaz.kernel.help import why_not, why_now
from macaz.kernel.layout import A_CHOOSE, CHOOSE, PHASE_NAMES, dtype_of
from macaz.kernel.spec import compile_spec

if TYPE_CHECKING:
    from macaz.kernel.layout import WhyNot
    from macaz.kernel.spec import Spec


@dataclass(frozen=True, slots=True)
class Step:
    """One step of the history: a seat's decision, or a chance outcome (`seat` is None)."""

    seat: int | None
    number: int
    before: bytes = field(repr=False)
    events: bytes = field(repr=False)  # event records, for `macaz.game.events.read_events`

    @property
    def state(self) -> np.ndarray:
        """The state before this step, read-only."""
        return np.frombuffer(self.before, dtype_of("state"))


class LegalMoves:
    """The legal moves of some seats: iterable, with `in`, `len()` and truth value."""

    def __init__(self, game: Game, seats: Sequence[int]) -> None:
        self._game = game
        self._seats = seats

    @property
    def actions(self) -> list[int]:
        """The action numbers, ascending for each seat."""
        game = self._game
        return [a for seat in self._seats for a in game.engine.legal(game.state, seat)]

    def __iter__(self) -> Iterator[Move]:
        game = self._game
        for seat in self._seats:
            offer = game.offer(seat)
            for action in game.engine.legal(game.state, seat):
                yield game.notation.move(action, offer)

    def __len__(self) -> int:
        return sum(len(self._game.engine.legal(self._game.state, s)) for s in self._seats)

    def __contains__(self, move: object) -> bool:
        """Accepts a move, an action number or text."""
        if not isinstance(move, Move | SupportsIndex | str):
            return False
        game = self._game
        try:
            action = game.parse(move)
        except (InvalidMove, IllegalMove):
            return False
        return game.engine.is_legal(game.state, action) and game._seat_of(action) in self._seats

    def __repr__(self) -> str:
        texts = [self._game.notation.text(m) for m in self]
        return f"<{len(texts)} legal moves: {', '.join(texts[:8])}{', …' if texts[8:] else ''}>"


class Game:
    """A game of one edition at one table.

    Chance outcomes are drawn automatically until a seat must decide: by a dealer with a new
    secret, by the given dealer, or from a seed. With `dealer=None` the game waits for
    `push_chance`. Seats are numbered from 0, clockwise.
    """

    def __init__(
        self,
        edition: Edition | str = "usa-classic",
        seats: int = 2,
        *,
        seed: int | str | None = None,
        dealer: Dealer | Literal["random"] | None = "random",
        first: int | None = None,
        names: Sequence[str] | None = None,
        target: str = AUTO,
    ) -> None:
        self.edition = edition if isinstance(edition, Edition) else load_edition(edition)
        self.spec: Spec = compile_spec(self.edition, seats)
        if first is not None:
            self._check_seat(first)
        if names is not None and len(names) != seats:
            raise ValueError(f"{seats} seats, but {len(names)} names")
        self.names = tuple(names or (f"Seat {i + 1}" for i in range(seats)))
        self.first_fixed = first
        self.engine = engine_of(self.spec, target)
        self.notation = notation_of(self.spec)
        self.dealer = _dealer(dealer, seed)
        # What a record contains besides the moves; `record` sets these when it reads one.
        self.commitment = self.dealer.commitment if self.dealer else None
        self.shares = self.dealer.shares if self.dealer else None
        self.date: str | None = None
        self.in_browser = False  # whether it was played in a browser, without a server
        self.from_start = True  # whether the history is complete
        self.history: list[Step] = []
        self.chance_count = 0
        self.state: np.ndarray = self.engine.new_state(-1 if first is None else first)
        self._actor = self.engine.actor(self.state)
        self._draw_chance()

    @classmethod
    def from_state(
        cls,
        edition: Edition | str,
        seats: int,
        state: np.ndarray,
        *,
        dealer: Dealer | Literal["random"] | None = None,
        names: Sequence[str] | None = None,
        target: str = AUTO,
    ) -> Game:
        """A game that continues from a state, such as one of `sample_world`, without history."""
        first = int(state["first"][0])
        game = cls(
            edition,
            seats,
            dealer=None,
            first=None if first < 0 else first,
            names=names,
            target=target,
        )
        game.from_start = False
        game.state = state.copy()
        game._actor = game.engine.actor(game.state)
        game.resume(_dealer(dealer, None))
        return game

    def resume(self, dealer: Dealer | None) -> None:
        """Let `dealer` decide chance from here on, starting with chance that is pending."""
        self.dealer = dealer
        self.commitment = dealer.commitment if dealer else None
        self.shares = dealer.shares if dealer else None
        self._draw_chance()

    def copy(self, *, dealer: bool = True) -> Game:
        """An independent copy; its dealer deals the same cards.

        With `dealer=False` the copy waits for `push_chance`, so that a search on the copy does
        not reveal the cards to come.
        """
        game = object.__new__(type(self))
        vars(game).update(vars(self))  # the rest is immutable or shared
        game.state, game.history = self.state.copy(), self.history.copy()
        if not dealer:
            game.resume(None)
        return game

    __copy__ = copy

    def __repr__(self) -> str:
        phase = PHASE_NAMES[self.state["phase"][0]]
        who = "" if self._actor < 0 else f", {self.names[self._actor]} to decide"
        return f"<Game {self.edition.qualified_id}, {self.seats} seats, {phase}{who}>"

    # -- the state of the game ---------------------------------------------------------------------

    @property
    def seats(self) -> int:
        """The number of seats."""
        return self.spec.seats

    @property
    def turn(self) -> int | None:
        """The seat that decides next; None for chance, or when the game is over.

        While setup tickets are chosen, any seat in `deciding` may move; this is the first of
        them, clockwise.
        """
        return None if self._actor < 0 else self._actor

    @property
    def _choosing(self) -> bool:
        return bool(self.state["phase"][0] == CHOOSE)

    @property
    def deciding(self) -> tuple[int, ...]:
        """The seats that may decide now: several only while setup tickets are chosen."""
        if self._actor < 0:
            return ()
        if self._choosing:
            waiting = int(self.state["choosing"][0])
            return tuple(p for p in range(self.seats) if waiting >> p & 1)
        return (self._actor,)

    @property
    def over(self) -> bool:
        return self._actor == NO_ACTOR

    @property
    def chance_pending(self) -> bool:
        """Whether a chance outcome is due (only without a dealer)."""
        return self._actor == CHANCE

    @property
    def legal_moves(self) -> LegalMoves:
        """The legal moves of all seats that may decide now."""
        return LegalMoves(self, self.deciding)

    def legal_moves_of(self, seat: int) -> LegalMoves:
        """The legal moves of one seat; empty where it is not to decide."""
        self._check_seat(seat)
        return LegalMoves(self, (seat,) if seat in self.deciding else ())

    def _check_seat(self, seat: int) -> None:
        if not 0 <= seat < self.seats:
            raise ValueError(f"there is no seat {seat} at a table of {self.seats}")

    def offer(self, seat: int) -> tuple[int, ...]:
        """The tickets that a seat may choose from now."""
        return self.engine.offer(self.state, seat)

    def view(self, seat: int | None) -> View:
        """The information a seat has; None for a spectator."""
        return View.of(self.spec, self.state, seat)

    @property
    def outcome(self) -> Outcome | None:
        """The result with a breakdown of the points; None until the game is over."""
        return self.standing() if self.over else None

    def standing(self) -> Outcome:
        """The result if the game ended now. It counts hidden tickets: do not show it to players."""
        return read_tally(self.spec, self.state, self.engine.tally(self.state))

    # -- moves --------------------------------------------------------------------------------

    def text(self, move: Move | int) -> str:
        """A move, or an action number that is legal now, as text."""
        return self.notation.text(self.move(move) if isinstance(move, int) else move)

    def parse(self, move: Move | SupportsIndex | str, seat: int | None = None) -> int:
        """The action number of a move given as a `Move`, a number or text.

        `seat` says which seat a "keep …" belongs to while several seats choose (default: `turn`).
        """
        if isinstance(move, str):
            whose = self._actor if seat is None else seat
            move = self.notation.parse(move, whose if self._choosing else -1)
        if not isinstance(move, Move):  # tested first: `SupportsIndex` is a slow check
            if isinstance(move, SupportsIndex):
                self.notation.kind(operator.index(move))
                return operator.index(move)
            raise InvalidMove(f"a move is a Move, an action number or text, not {move!r}")
        return self.notation.action(move, self.offer(getattr(move, "seat", self._actor)))

    def move(self, action: int, seat: int | None = None) -> Move:
        """The typed move of an action number that is legal now."""
        owner = self._seat_of(action) if seat is None else seat
        return self.notation.move(action, self.offer(owner))

    def push(self, move: Move | SupportsIndex | str, seat: int | None = None) -> int:
        """Make a move, draw the chance outcomes that follow, and return the action number.

        With `seat`, a move of any other seat is rejected; without it, a `Choose` is made for the
        seat that it names. Raises `InvalidMove` for what is not a move of this edition,
        `IllegalMove` for a move that is not legal now.
        """
        self._draw_chance()  # an exception may have interrupted the last push before its chance
        if seat is not None:
            self._check_seat(seat)
            if reason := why_now(self.state, seat):
                raise self._illegal(move, seat, reason)
        action = self.parse(move, seat)
        owner = self._seat_of(action)
        if not self.engine.is_legal(self.state, action) or seat not in (None, owner):
            whose = owner if seat is None else seat
            reason = why_not(self.spec, self.state, whose, action)
            raise self._illegal(move, whose, reason, *self.notation.place(action))
        self._apply(action, owner)
        self._draw_chance()
        return action

    def _seat_of(self, action: int) -> int:
        if not self._choosing or self.notation.kind(action) != A_CHOOSE:
            return self._actor
        table = self.spec.table[0]
        return (action - int(table["base"][A_CHOOSE])) >> int(table["setup_deal"])

    def _illegal(
        self,
        move: Move | SupportsIndex | str,
        seat: int,
        reason: WhyNot,
        route: int | None = None,
        city: int | None = None,
    ) -> IllegalMove:
        # A number is not translated: the text of a choice would reveal another seat's tickets.
        what = f"action {move}"
        if isinstance(move, str):
            what = repr(move)
        elif not isinstance(move, SupportsIndex):
            what = repr(self.notation.text(move))
        why = sentence(self, seat, reason, route, city)
        return IllegalMove(f"not now: {what} ({why})", reason, why)

    def push_chance(self, outcome: int) -> None:
        """Apply a chance outcome: for games without a dealer, and for replays."""
        if not self.chance_pending:
            raise IllegalMove("no chance outcome is due: a seat decides, or the game is over")
        if self.engine.chance_weight(self.state, outcome) == 0:
            raise IllegalMove(f"{outcome} is not a possible chance outcome now")
        self._apply_chance(outcome)

    def pop(self) -> Step:
        """Undo the last decision and the chance outcomes after it; returns the decision."""
        for i in range(len(self.history) - 1, -1, -1):
            if self.history[i].seat is not None:
                step = self.history[i]
                self.chance_count -= len(self.history) - 1 - i
                del self.history[i:]
                self.state = step.state.copy()
                self._actor = self.engine.actor(self.state)
                return step
        raise IndexError("there is no decision to undo")

    def _apply(self, action: int, seat: int) -> None:
        after = self.state.copy()
        actor, events = self.engine.act(after, action)
        self.history.append(Step(seat, action, self.state.tobytes(), events))
        self.state, self._actor = after, actor

    def _apply_chance(self, outcome: int) -> None:
        after = self.state.copy()
        actor, events = self.engine.chance(after, outcome)
        self.history.append(Step(None, outcome, self.state.tobytes(), events))
        self.chance_count += 1
        self.state, self._actor = after, actor

    def _draw_chance(self) -> None:
        """Let the dealer draw chance outcomes until a seat must decide."""
        if self.dealer is None:
            return
        while self._actor == CHANCE:
            ways = self.engine.chance_ways(self.state)
            way = self.dealer.draw(self.chance_count, ways)
            self._apply_chance(self.engine.chance_outcome(self.state, way))


def _dealer(dealer: Dealer | Literal["random"] | None, seed: int | str | None) -> Dealer | None:
    if seed is not None:
        if dealer != "random":
            raise ValueError("give a seed or a dealer, not both")
        return Dealer.seeded(seed)
    if dealer is None or isinstance(dealer, Dealer):
        return dealer
    if dealer != "random":
        raise ValueError(f"a dealer is a Dealer, 'random' or None, not {dealer!r}")
    return Dealer.random()
