"""Reviews of finished games, decision by decision.

Every decision is judged independently with its own seed, so that the review does not depend on the
order or the process in which they are judged.
"""

from __future__ import annotations

from collections.abc import Callable, Collection, Iterator, Sequence
from dataclasses import dataclass
from math import hypot
from typing import TYPE_CHECKING

from macaz.errors import MacazError
from macaz.game.data import moves_data
from macaz.game.moves import notation_of
from macaz.game.record import game_lines, load_record
from macaz.game.view import View
from macaz.help.advice import CLEAR, THINKER, Judged, Review, SeatReview, Thinker
from macaz.help.advice.live import shares
from macaz.help.advice.thinking import Estimate, error_of, estimate, seed_of, think

if TYPE_CHECKING:
    from macaz.bots import Limit
    from macaz.game import Game
    from macaz.game.moves import Move
    from macaz.game.outcome import Outcome

LONGER = 4  # factor of the limit for a second comparison of moves that seem to differ


class NotOver(MacazError):  # noqa: N818 - named like IllegalMove
    """An unfinished game cannot be reviewed: that would reveal its hands."""


@dataclass(frozen=True, slots=True)
class Decision:
    """A decision of a game, with the information its seat had."""

    seat: int
    view: View
    legal: tuple[int, ...]  # actions
    played: int  # one of them
    turn: int = 0

    def move(self, action: int) -> Move:
        """The move of a legal action."""
        return notation_of(self.view.spec).move(action, self.view.offer)


@dataclass(frozen=True, slots=True)
class Judgement:
    """The evaluation of a decision: only numbers, so that it can be sent between processes."""

    best: int  # the action
    chance_best: float
    chance_played: float
    margin_best: float
    margin_played: float
    error: float

    @property
    def cost(self) -> float:
        """The loss in chance of winning."""
        return max(0.0, self.chance_best - self.chance_played)


def review_of(
    game: Game | str,
    limit: Limit,
    seed: int,
    seats: Collection[int] | None,
    progress: Callable[[int, int], None] | None,
    thinker: Thinker,
) -> Review:
    """The implementation of `review`."""
    game = load_record(game) if isinstance(game, str) else game
    asked = range(game.seats) if seats is None else seats
    met = decisions(game)
    found: list[Judgement | None] = []
    for ply, decision in enumerate(met):
        weigh = decision.seat in asked
        found.append(judge(decision, limit, seed_of(seed, ply), weigh=weigh, thinker=thinker))
        if progress is not None:
            progress(ply + 1, len(met))
    return sum_up(game, met, found, asked)


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


def judge(
    decision: Decision,
    limit: Limit,
    seed: int,
    *,
    weigh: bool = True,
    thinker: Thinker = THINKER,
) -> Judgement | None:
    """Compare a decision with the best move found; None if there was only one legal move.

    The analysis that finds the best move overestimates it, because it selects the move whose
    playouts went well. So both moves are evaluated again with equally many new playouts, and once
    more with a longer limit if they seem to differ. Without `weigh` only the chance is estimated.
    """
    if len(decision.legal) == 1:
        return None
    view, played = decision.view, decision.played
    if not weigh:
        now = estimate(view, limit, seed, thinker)
        return _judgement(played, now, now)
    legal = [decision.move(action) for action in decision.legal]
    found_best = think(view, legal, limit, seed, thinker).best
    best = next(action for action in decision.legal if decision.move(action) == found_best)

    def play_out(limit: Limit, word: str) -> Judgement:
        again = seed_of(seed, word)
        good = estimate(view, limit, again, thinker, after=decision.move(best))
        if best == played:
            return _judgement(best, good, good)
        other = estimate(view, limit, again, thinker, after=decision.move(played))
        return _judgement(best, good, other)

    found = play_out(limit, "short")
    return found if found.cost <= found.error else play_out(_longer(limit), "long")


def _judgement(best: int, good: Estimate, other: Estimate) -> Judgement:
    """The comparison of the estimates after the best move and after the one played."""
    return Judgement(
        best=best,
        chance_best=good.chance,
        chance_played=other.chance,
        margin_best=good.margin,
        margin_played=other.margin,
        error=hypot(*(error_of(one.chance, one.playouts) for one in (good, other))),
    )


def _longer(limit: Limit) -> Limit:
    """The limit of the second comparison."""
    if limit.effort is not None:
        return limit._replace(effort=LONGER * limit.effort)
    return limit._replace(seconds=LONGER * (limit.seconds or 0.0))


def sum_up(
    game: Game,
    met: Sequence[Decision],
    found: Sequence[Judgement | None],
    seats: Collection[int],
) -> Review:
    """The review of a game from the judgements of its decisions."""
    outcome = game.outcome
    assert outcome is not None, "only a finished game is reviewed"
    judged = tuple(
        _judged(ply, decision, judgement)
        for ply, (decision, judgement) in enumerate(zip(met, found, strict=True))
        if judgement is not None and decision.seat in seats
    )
    return Review(
        curve=(*_curve(game.seats, met, found), shares(outcome)),
        judged=judged,
        seats=tuple(_seat_review(game, outcome, seat, judged) for seat in sorted(seats)),
        winners=outcome.winners,
    )


def _judged(ply: int, decision: Decision, found: Judgement) -> Judged:
    notation = notation_of(decision.view.spec)
    moves = decision.move(decision.played), decision.move(found.best)
    played, best = moves_data(decision.view, moves)
    return Judged(
        ply=ply,
        turn=decision.turn,
        seat=decision.seat,
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
        clear=found.cost > CLEAR * found.error,
    )


def _curve(
    seats: int, met: Sequence[Decision], found: Sequence[Judgement | None]
) -> Iterator[tuple[float, ...]]:
    """By ply: the chance of each seat at its last decision."""
    chances = [1 / seats] * seats
    for decision, judgement in zip(met, found, strict=True):
        if judgement is not None:
            chances[decision.seat] = judgement.chance_best
        yield tuple(chances)


def _seat_review(game: Game, outcome: Outcome, seat: int, judged: Sequence[Judged]) -> SeatReview:
    mine = [j for j in judged if j.seat == seat]
    mistakes = [j for j in mine if j.clear]
    return SeatReview(
        seat=seat,
        name=game.names[seat],
        decisions=len(mine),
        agreed=sum(j.played == j.best for j in mine),
        mistakes=len(mistakes),
        lost=sum(j.cost for j in mistakes),
        accuracy=1 - len(mistakes) / len(mine) if mine else None,
        score=outcome.seats[seat],
    )
