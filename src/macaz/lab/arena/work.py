"""Plays one game of the arena from a serialisable job."""

from __future__ import annotations

import time
from collections.abc import Callable, Iterator, Sequence
from contextlib import suppress
from functools import lru_cache
from typing import TYPE_CHECKING, overload

import msgspec

from macaz.bots import close_bot, make_bot
from macaz.edition import edition_text, load_edition, read_edition
from macaz.game import Game
from macaz.game.moves import IllegalMove, InvalidMove
from macaz.game.record import dump_record
from macaz.kernel.layout import TURN
from macaz.lab.arena.result import GameResult

if TYPE_CHECKING:
    from macaz.bots import Bot
    from macaz.edition import Edition
    from macaz.game.moves import Move
    from macaz.game.outcome import Outcome

STAND_IN = "random"  # finishes the game of a bot that failed


class Map(msgspec.Struct, frozen=True):
    """A serialisable edition; for a user's own map it has the text of the file."""

    name: str  # with its options
    file: str = ""
    text: str = ""

    @classmethod
    def of(cls, edition: Edition) -> Map:
        if edition.source.startswith("macaz:"):
            return cls(edition.qualified_id)
        return cls(edition.qualified_id, edition.source, edition_text(edition))

    def load(self) -> Edition:
        return _load(self)


@lru_cache(maxsize=16)
def _load(board: Map) -> Edition:
    if not board.file:
        return load_edition(board.name)
    return read_edition(board.text, board.name.split("+")[1:], board.file)


class Job(msgspec.Struct, frozen=True):
    """One game to play."""

    board: Map
    seed: int  # of the tournament
    deal: int
    lineup: tuple[str, ...]
    record: bool
    patience: float  # seconds for a decision
    replaced: tuple[str, ...] = ()  # why the bot of each seat is replaced; () if none is


class Moves(Sequence["Move"]):
    """Legal moves, built on access: many bots need only one, by its index."""

    def __init__(self, game: Game, seat: int) -> None:
        self._actions = game.engine.legal(game.state, seat)
        self._move, self._offer = game.notation.move, game.offer(seat)
        self._all: list[Move] | None = None

    def __len__(self) -> int:
        return len(self._actions)

    @overload
    def __getitem__(self, index: int) -> Move: ...
    @overload
    def __getitem__(self, index: slice) -> Sequence[Move]: ...
    def __getitem__(self, index: int | slice) -> Move | Sequence[Move]:
        if isinstance(index, slice) or self._all is not None:
            return self._moves()[index]
        return self._move(self._actions[index], self._offer)

    def __iter__(self) -> Iterator[Move]:
        return iter(self._moves())

    def __contains__(self, move: object) -> bool:
        return move in self._moves()

    def _moves(self) -> list[Move]:
        if self._all is None:
            self._all = [self._move(action, self._offer) for action in self._actions]
        return self._all


class _Seat:
    """A bot at a seat, with its statistics; the stand-in takes over if it fails."""

    def __init__(self, job: Job, seat: int) -> None:
        self.seat = seat
        self.failure = job.replaced[seat] if job.replaced else ""
        self.decisions = self.turns = 0
        self.seconds = self.slowest = 0.0
        seed = f"{job.seed} {job.deal} {seat} {job.lineup[seat]}"
        self._stand_in = make_bot(STAND_IN, seed=seed)
        self.bot: Bot = self._stand_in
        if not self.failure:
            try:
                self.bot = make_bot(job.lineup[seat], seed=seed)
            except (Exception, SystemExit) as error:
                self.fail(error)

    def choose(self, game: Game) -> Move:
        """The bot's decision, or the stand-in's if the bot fails now or failed before."""
        view, legal = game.view(self.seat), Moves(game, self.seat)
        began = time.perf_counter()
        try:
            move = self.bot.choose(view, legal)
        except (Exception, SystemExit) as error:
            self.fail(error)
            move = self.bot.choose(view, legal)
        took = time.perf_counter() - began
        self.decisions += 1
        self.turns += bool(view.record["phase"][0] == TURN)
        self.seconds += took
        self.slowest = max(self.slowest, took)
        return move

    def act(self, game: Game, move: Move) -> None:
        """Make the move; if it is not legal, the stand-in makes another."""
        try:
            game.push(move, self.seat)
        except Exception as error:  # a bot may return anything
            self.fail(error)
            game.push(self.bot.choose(game.view(self.seat), Moves(game, self.seat)), self.seat)

    def fail(self, error: BaseException) -> None:
        """Replace the bot by the stand-in."""
        if self.failure:
            raise error  # the stand-in failed: a bug of Macaz
        kind = "illegal" if isinstance(error, IllegalMove | InvalidMove) else type(error).__name__
        self.failure = f"{kind}: {error}"
        self.close()
        self.bot = self._stand_in

    def close(self) -> None:
        """Release the resources of the bot."""
        with suppress(Exception):  # the game goes on without it
            close_bot(self.bot)


def play(job: Job, thinking: Callable[[int], None] | None = None) -> GameResult:
    """Play a game to its end, whatever the bots do; only a bot that never returns prevents it.

    `thinking` is called with the seat whose bot runs next, and with -1 when none does.
    """
    seats = len(job.lineup)
    first = job.deal % seats  # the same for all rotations of a deal, so that each bot begins once
    game = Game(
        job.board.load(), seats, seed=f"{job.seed}-{job.deal}", first=first, names=job.lineup
    )
    seated: list[_Seat] = []
    notify = thinking or (lambda _: None)
    try:
        for seat in range(seats):
            notify(seat)
            seated.append(_Seat(job, seat))
        while deciding := game.deciding:
            # Where several seats choose at once, none sees what the others chose.
            moves = []
            for seat in deciding:
                notify(seat)
                moves.append(seated[seat].choose(game))
            for seat, move in zip(deciding, moves, strict=True):
                seated[seat].act(game, move)
    finally:
        for one in seated:
            notify(one.seat)
            one.close()
        notify(-1)
    return _result(job, game, seated)


def _result(job: Job, game: Game, seated: Sequence[_Seat]) -> GameResult:
    outcome = game.standing()
    return GameResult(
        deal=job.deal,
        lineup=job.lineup,
        first=job.deal % len(job.lineup),
        scores=outcome.totals,
        winners=_winners(outcome, [bool(p.failure) for p in seated]),
        decisions=tuple(p.decisions for p in seated),
        turns=tuple(p.turns for p in seated),
        seconds=tuple(round(p.seconds, 6) for p in seated),
        slowest=tuple(round(p.slowest, 6) for p in seated),
        tickets_kept=tuple(len(s.tickets) for s in outcome.seats),
        tickets_done=tuple(s.completed for s in outcome.seats),
        failures=tuple(p.failure for p in seated),
        record=dump_record(game) if job.record else "",
    )


def _winners(outcome: Outcome, failed: Sequence[bool]) -> tuple[int, ...]:
    """The winners if bots that failed lose: the best of the others, or none."""
    if not any(failed[seat] for seat in outcome.winners):
        return outcome.winners
    left = [seat for seat, out in enumerate(failed) if not out]
    best = max((outcome.totals[seat] for seat in left), default=0)
    return tuple(seat for seat in left if outcome.totals[seat] == best)
