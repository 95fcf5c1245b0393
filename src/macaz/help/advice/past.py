"""Reviews of finished games, decision by decision.

Every decision is judged independently and with its own seed, so that the review does not depend on
the order in which decisions are judged, nor on the process. What to do next for a decision, and
what the numbers say of the game, is compiled (`macaz.help.compiled.story`): the page, which reviews
games in the browser, does the same.
"""

from __future__ import annotations

import time
from collections.abc import Callable, Collection, Iterator, Sequence
from concurrent.futures import ThreadPoolExecutor, as_completed
from dataclasses import dataclass
from typing import TYPE_CHECKING

from macaz.game.data import moves_data
from macaz.game.moves import notation_of
from macaz.game.outcome import NotOver
from macaz.game.record import game_lines, load_record
from macaz.game.view import View
from macaz.help.advice import Judged, Review
from macaz.help.advice.reasons import reasons_of
from macaz.help.advice.story import is_clear, new_verdicts, phase_name, seat_reviews, tell
from macaz.help.comparison import Comparison
from macaz.help.compiled import story_layout as at
from macaz.help.compiled.layout import CHUNK
from macaz.help.compiled.program import reviewing
from macaz.help.reasons import Reason
from macaz.help.seeds import seed_of
from macaz.workers import core_count

if TYPE_CHECKING:
    from macaz.bots import Limit
    from macaz.game import Game
    from macaz.game.moves import Move

LISTED = 8  # moves that are compared, beside the one that was played
MOST_CHUNKS = 64  # of tries of each move, in a comparison of all moves


@dataclass(frozen=True, slots=True)
class Decision:
    """A decision of a game, with the information its seat had."""

    seat: int
    view: View
    legal: tuple[int, ...]  # the legal actions
    played: int  # the action that was chosen
    turn: int = 0  # as in records; 0 in the setup

    def move(self, action: int) -> Move:
        """The move of a legal action."""
        return notation_of(self.view.spec).move(action, self.view.offer)


@dataclass(frozen=True, slots=True)
class Judgement:
    """The evaluation of a decision: only numbers, so that it can be sent between processes.

    `Judged` describes the same for people, with moves instead of actions.
    """

    best: int  # the best action found
    chance_best: float  # of winning, 0 to 1
    chance_played: float
    margin_best: float  # points ahead of the best other seat at the end
    margin_played: float
    gap: float  # chance_best less chance_played; below 0, the move played did better in the tries
    cost: float  # `gap`, but not below 0
    error: float  # the standard error of `gap` and `cost`
    doubt: float  # the standard error of `chance_best`
    stake: float  # the chance that an average of the compared moves would cost
    weighed: bool  # whether moves were compared; otherwise only the chance of winning is known
    reasons: tuple[Reason, ...]  # why the best is better; none if the played move is


def review_of(
    game: Game | str,
    limit: Limit,
    seed: int,
    seats: Collection[int] | None,
    progress: Callable[[int, int], None] | None,
) -> Review:
    """The implementation of `review`."""
    game = load_record(game) if isinstance(game, str) else game
    made = decisions(game)
    found: list[Judgement | None] = [None] * len(made)
    reviewed = range(game.seats) if seats is None else seats
    for done, (ply, judgement) in enumerate(judgements(made, limit, seed, reviewed), 1):
        found[ply] = judgement
        if progress is not None:
            progress(done, len(made))
    return sum_up(game, made, found, reviewed)


def decisions(game: Game) -> list[Decision]:
    """All decisions of a finished game."""
    if not game.over:
        raise NotOver("the game is not over: only a finished game can be reviewed")
    found = []
    for line in game_lines(game):
        for step in game.history[line.start : line.stop]:
            if step.seat is not None:
                state = step.state.copy()
                legal = tuple(game.engine.legal(state, step.seat))
                view = View.of(game.spec, state, step.seat)
                found.append(Decision(step.seat, view, legal, step.number, line.turn))
    return found


def judgements(
    made: Sequence[Decision], limit: Limit, seed: int, seats: Collection[int]
) -> Iterator[tuple[int, Judgement | None]]:
    """Judge decisions on all cores: pairs of a ply and its judgement, as they are found.

    Of other seats than these, only the chance of winning is estimated.
    """
    with ThreadPoolExecutor(core_count(), "macaz-review") as pool:
        asked = {
            pool.submit(judge, one, limit, seed_of(seed, ply), weigh=one.seat in seats): ply
            for ply, one in enumerate(made)
        }
        try:
            for future in as_completed(asked):
                yield asked[future], future.result()
        finally:  # of an interrupted review, what is under way is finished
            pool.shutdown(cancel_futures=True)


def judge(decision: Decision, limit: Limit, seed: int, *, weigh: bool = True) -> Judgement | None:
    """Compare a decision with the best move found; None if there was only one legal move.

    An effort is the number of tries of each compared move, rounded up to whole chunks. With a limit
    in seconds the number of chunks is doubled until the time is over.

    The comparison that finds the best move overestimates it, because it selects the move whose
    tries went well. So both moves get new tries in other worlds, and more of them if they seem to
    differ. If `weigh` is false, no moves are compared: the chance of winning is that of the move
    that was played, which counts as the best.
    """
    if len(decision.legal) == 1:
        return None
    work = _Work(decision, seed)
    if not weigh:
        return work.glance(limit)
    end = time.perf_counter() + (limit.seconds or 0.0)
    most = MOST_CHUNKS if limit.effort is None else min(_chunks(limit.effort), MOST_CHUNKS)
    chunks = 1
    work.go_on(chunks)
    while chunks < most and (limit.effort is not None or time.perf_counter() < end):
        chunks = min(2 * chunks, most)
        work.go_on(chunks)
    return work.judgement()


def _chunks(tries: int) -> int:
    """The number of chunks that have at least so many tries."""
    return -(-tries // CHUNK)


class _Work:
    """A decision while it is judged: a comparison of all moves, and one of two with new tries."""

    def __init__(self, decision: Decision, seed: int) -> None:
        self.decision, self.seed = decision, seed
        self.verdicts = new_verdicts(1)
        self.verdicts["choices"] = len(decision.legal)
        self._run = reviewing()
        self._search: Comparison | None = None
        self._pair: Comparison | None = None

    def go_on(self, chunks: int) -> None:
        """Do what is left if each move is to be compared in so many chunks."""
        while (job := self._run.review_job(self.verdicts, 0, chunks)) != at.NOTHING_LEFT:
            if job == at.SEARCH:
                self._look_for_best()
            else:
                self._measure()

    def _look_for_best(self) -> None:
        if self._search is None:
            decision, extra = self.decision, [self.decision.played]
            self._search = Comparison(
                decision.view, decision.legal, seed=self.seed, extra=extra, most=LISTED
            )
        before = self.best
        self._search.run()
        lines = self._search.lines
        played_at = lines["action"].tolist().index(self.decision.played)
        self._run.review_search(self.verdicts, 0, lines, played_at)
        self.verdicts["searched"] += 1
        if self.best != before:
            self._pair = None
            self.verdicts["measured"] = 0

    def _measure(self, chunks: int = 1) -> None:
        if self._pair is None:
            fresh = seed_of(self.seed, "fresh")
            pair = dict.fromkeys((self.best, self.decision.played))
            self._pair = Comparison(self.decision.view, seed=fresh, only=list(pair))
        self._pair.run(chunks)
        self._run.review_measure(self.verdicts, 0, self._pair.lines)
        self.verdicts["measured"] += chunks

    @property
    def best(self) -> int:
        """The best move so far; before any comparison, the one that was played."""
        if self._search is None or not self._search.tries:
            return self.decision.played
        return int(self._search.leader["action"])

    def glance(self, limit: Limit) -> Judgement:
        """The chance after the move that was played, without a comparison."""
        self._measure(1 if limit.effort is None else _chunks(limit.effort))
        return self.judgement()

    def judgement(self) -> Judgement:
        """What was found."""
        [verdict] = self.verdicts
        best, pair = self.best, self._pair
        reasons: tuple[Reason, ...] = ()
        if pair is not None and best != self.decision.played and verdict["cost"] > 0:
            reasons = reasons_of(pair, 0, 1)
        return Judgement(
            best=best,
            chance_best=float(verdict["before"]),
            chance_played=float(verdict["after"]),
            margin_best=float(verdict["ahead_before"]),
            margin_played=float(verdict["ahead_after"]),
            gap=float(verdict["gap"]),
            cost=float(verdict["cost"]),
            error=float(verdict["error"]),
            doubt=float(verdict["doubt"]),
            stake=float(verdict["stake"]),
            weighed=self._search is not None,
            reasons=reasons,
        )


def sum_up(
    game: Game,
    made: Sequence[Decision],
    found: Sequence[Judgement | None],
    seats: Collection[int],
) -> Review:
    """The review of some seats of a game, from all decisions made in it and their judgements."""
    outcome = game.outcome
    assert outcome is not None, "only a finished game is reviewed"
    story = tell(game, made, found, seats)
    return Review(
        curve=story.curve,
        judged=tuple(
            _judged(ply, made, judgement)
            for ply, judgement in enumerate(found)
            if judgement is not None and judgement.weighed and made[ply].seat in seats
        ),
        seats=seat_reviews(game, made, story, seats),
        winners=outcome.winners,
        turning_points=story.points(),
    )


def _judged(ply: int, made: Sequence[Decision], found: Judgement) -> Judged:
    decision = made[ply]
    notation = notation_of(decision.view.spec)
    moves = decision.move(decision.played), decision.move(found.best)
    played, best = moves_data(decision.view, moves)
    return Judged(
        ply=ply,
        turn=decision.turn,
        seat=decision.seat,
        phase=phase_name(decision.turn, made[-1].turn),
        played=played,
        played_text=notation.text(moves[0]),
        best=best,
        best_text=notation.text(moves[1]),
        chance_played=found.chance_played,
        chance_best=found.chance_best,
        margin_played=found.margin_played,
        margin_best=found.margin_best,
        cost=found.cost,
        error=found.error,
        clear=is_clear(found),
        reasons=found.reasons,
    )
