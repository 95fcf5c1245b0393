"""`Game`: the state and history of a game, its legal moves, making and undoing moves."""

from __future__ import annotations

import os
from collections.abc import Mapping, Sequence
from pathlib import Path
from typing import TYPE_CHECKING, Any, Literal, SupportsIndex

import numpy as np

from macaz.edition import Edition, load_edition
from macaz.game.fair import Dealer
from macaz.game.legal import LegalMoves, deciding_seats, parse_move, seat_of
from macaz.game.moves import IllegalMove, Move, notation_of
from macaz.game.outcome import Outcome, read_tally
from macaz.game.steps import Note, Resignation, Step, TakenBack
from macaz.game.view import View, seat_names
from macaz.game.why import sentence
from macaz.kernel.compile import AUTO
from macaz.kernel.engine import CHANCE, NO_ACTOR, engine_of
from macaz.kernel.help import why_not, why_now
from macaz.kernel.layout import OVER, PHASE_NAMES, dtype_of
from macaz.kernel.spec import compile_spec

if TYPE_CHECKING:
    from macaz.kernel.layout import WhyNot
    from macaz.kernel.spec import Spec


FAR_BEHIND = -20_000  # points: fewer than any seat can have


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
        self.names = tuple(names or seat_names(seats))
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
        self.notes: tuple[Note, ...] = ()  # what a record has beside the history, oldest first
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

    @staticmethod
    def from_record(
        record: str | bytes | os.PathLike[str],
        *,
        edition: Edition | str | None = None,
        sealed: bool = True,
        target: str = AUTO,
    ) -> Game:
        """The game of a record, replayed: of its text, or of a file given as a `Path`.

        The arguments are those of `load_record` and `open_record`.
        """
        from macaz.game.record import load_record, open_record

        if isinstance(record, str | bytes):
            return load_record(record, edition=edition, sealed=sealed, target=target)
        return open_record(record, edition=edition, sealed=sealed, target=target)

    @staticmethod
    def from_position(
        position: str | os.PathLike[str] | Mapping[str, Any],
        *,
        edition: Edition | None = None,
        dealer: Dealer | Literal["random"] | None = None,
        seed: int | str | None = None,
        names: Sequence[str] | None = None,
        target: str = AUTO,
    ) -> Game:
        """The game that continues from a complete position, without history.

        The position is JSON text, its data, or a file given as a `Path`; the other arguments are
        those of `setup_position`.
        """
        from macaz.game.position import parse_json, setup_position

        data: object = position
        if isinstance(position, os.PathLike):
            position = Path(position).read_text(encoding="utf-8-sig")
        if isinstance(position, str):
            data = parse_json(position)
        return setup_position(
            data, edition=edition, dealer=dealer, seed=seed, names=names, target=target
        )

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

    def __deepcopy__(self, memo: dict[int, Any]) -> Game:
        return self.copy()  # what a copy shares is immutable

    def __eq__(self, other: object) -> bool:
        """Whether a copy of one game could be the other: edition, names, history and dealer."""
        if not isinstance(other, Game):
            return NotImplemented
        return self._compared() == other._compared()

    __hash__ = None  # type: ignore[assignment]  # a game changes with each move

    def _compared(self) -> tuple[object, ...]:
        """What equal games have in common; not the date nor where it was played or computed."""
        return (
            self.state.tobytes(),
            self.edition,
            self.names,
            self.first_fixed,
            self.dealer,
            self.commitment,
            self.shares,
            self.from_start,
            self.history,
            self.notes,
        )

    def __getstate__(self) -> dict[str, Any]:
        """All of the game for `pickle`, the dealer's secret included."""
        left_out = ("spec", "engine", "notation", "state")  # these follow from the rest
        kept = {name: value for name, value in vars(self).items() if name not in left_out}
        return {**kept, "seats": self.seats, "state": self.state.tobytes()}

    def __setstate__(self, kept: dict[str, Any]) -> None:
        state, seats = kept.pop("state"), kept.pop("seats")
        vars(self).update(kept)
        self.spec = compile_spec(self.edition, seats)
        self.engine = engine_of(self.spec)
        self.notation = notation_of(self.spec)
        self.state = np.frombuffer(state, dtype_of("state")).copy()

    def __repr__(self) -> str:
        phase = PHASE_NAMES[self.state["phase"][0]]
        who = "" if self._actor < 0 else f", {self.names[self._actor]} to decide"
        return f"<Game {self.edition.qualified_id}, {self.seats} seats, {phase}{who}>"

    def __str__(self) -> str:
        from macaz.game.show import game_text

        return game_text(self)

    def _repr_svg_(self) -> str:
        """The board as a spectator sees it, for notebooks."""
        from macaz.game.show import game_picture

        return game_picture(self)

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
    def deciding(self) -> tuple[int, ...]:
        """The seats that may decide now: several only while setup tickets are chosen."""
        return deciding_seats(self.state, self._actor, self.seats)

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
        return self._legal_moves(self.deciding)

    def legal_moves_of(self, seat: int) -> LegalMoves:
        """The legal moves of one seat; empty where it is not to decide."""
        self._check_seat(seat)
        return self._legal_moves((seat,) if seat in self.deciding else ())

    def _legal_moves(self, seats: tuple[int, ...]) -> LegalMoves:
        return LegalMoves(self.engine, self.notation, self.state, self._actor, seats)

    def is_legal(self, move: Move | SupportsIndex | str, seat: int | None = None) -> bool:
        """Whether `push` would accept this move now, with the same `seat`."""
        return move in (self.legal_moves if seat is None else self.legal_moves_of(seat))

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
        outcome = read_tally(self.spec, self.state, self.engine.tally(self.state))
        if not self.resigned:
            return outcome
        # The ranking of the others is that of the rules, if those who resigned are far behind.
        behind = self.state.copy()
        behind["score"][0, list(self.resigned)] = FAR_BEHIND
        ranking = read_tally(self.spec, behind, self.engine.tally(behind))
        return outcome.ranked_as(ranking, self.resigned, stopped=self.stopped)

    @property
    def resigned(self) -> tuple[int, ...]:
        """The seats that resigned, in that order; they cannot win."""
        return tuple(note.seat for note in self.notes if isinstance(note, Resignation))

    @property
    def stopped(self) -> bool:
        """Whether a resignation ended the game before its end."""
        return any(isinstance(note, Resignation) and note.ends for note in self.notes)

    # -- moves --------------------------------------------------------------------------------

    def text(self, move: Move | Step | int) -> str:
        """A move, a decision of the history or an action number that is legal now, as text."""
        return self.notation.text(self.move(move) if isinstance(move, int | Step) else move)

    def parse(self, move: Move | SupportsIndex | str, seat: int | None = None) -> int:
        """The action number of a move given as a `Move`, a number or text.

        `seat` says which seat a "keep …" belongs to while several seats choose (default: `turn`).
        """
        return parse_move(self.engine, self.notation, self.state, self._actor, move, seat)

    def move(self, action: int | Step, seat: int | None = None) -> Move:
        """The typed move of an action number that is legal now, or of a decision of the history."""
        if isinstance(action, Step):
            if action.seat is None:
                raise ValueError("this step is an outcome of chance, not a move")
            return self.notation.move(action.number, self.engine.offer(action.state, action.seat))
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
        return seat_of(self.notation, self.state, self._actor, action)

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
        last = self._last_decision()
        step = self.history[last]
        self.chance_count -= len(self.history) - 1 - last
        del self.history[last:]
        self.notes = tuple(note for note in self.notes if note.ply <= last)
        self.state = step.state.copy()
        self._actor = self.engine.actor(self.state)
        return step

    def peek(self) -> Step:
        """The last decision, which `pop` would undo; `move` and `text` say what it was."""
        return self.history[self._last_decision()]

    @property
    def retractable(self) -> int:
        """How many of the last decisions `take_back` accepts: those that revealed nothing.

        `Step.reveals` says which do; so does the end of the game, and what was decided before a
        resignation stays.
        """
        if self.over:
            return 0
        since = max((n.ply for n in self.notes if isinstance(n, Resignation)), default=0)
        count = 0
        for step in reversed(self.history[since:]):
            if step.reveals:
                break
            count += 1
        return count

    def take_back(self, decisions: int = 1) -> tuple[Step, ...]:
        """Undo decisions that revealed nothing; returns them. Unlike `pop`, the record tells it.

        Raises `IllegalMove` for more decisions than are `retractable`.
        """
        if not 1 <= decisions <= self.retractable:
            raise IllegalMove(
                f"not now: {decisions} decision{'s' * (decisions != 1)} cannot be taken back, only "
                f"{self.retractable}: what showed a hidden card or ticket stays, and what was "
                "decided before that, before a resignation or before the end of the game"
            )
        ply = len(self.history) - decisions
        steps = tuple(self.history[ply:])
        among = tuple(note for note in self.notes if note.ply > ply)
        for _ in steps:
            self.pop()
        self.notes = (*self.notes, TakenBack(ply, steps, among))
        return steps

    def resign(self, seat: int, *, ends: bool = False) -> None:
        """Let a seat resign: it cannot win any more.

        The game goes on, and others decide for the seat, unless `ends` is true or only one other
        seat has not resigned. Where it ends, the points of that moment count.
        """
        self._check_seat(seat)
        if self.over:
            raise IllegalMove("the game is over: it is too late to resign")
        if self.from_start and not self.history:
            raise IllegalMove("the game has not begun: it is too early to resign")
        if seat in self.resigned:
            raise IllegalMove(f"{self.names[seat]} has resigned already")
        ends = ends or self.seats - len(self.resigned) <= 2
        self.notes = (*self.notes, Resignation(len(self.history), seat, ends))
        if ends:
            after = self.state.copy()
            after["phase"] = OVER
            self.state, self._actor = after, NO_ACTOR

    def _last_decision(self) -> int:
        """The index of the last decision in the history."""
        for i in range(len(self.history) - 1, -1, -1):
            if self.history[i].seat is not None:
                return i
        raise IndexError("there is no decision yet")

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
