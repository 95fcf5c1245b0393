"""The review of a finished game, decision by decision.

Every decision is judged by itself, with a seed of its own: they may be judged in any order and in
other processes, and give the same review.
"""

from __future__ import annotations

from collections.abc import Callable, Collection, Iterator, Sequence
from dataclasses import dataclass
from math import hypot
from typing import TYPE_CHECKING

from macaz.errors import MacazError
from macaz.game.data import moves_data
from macaz.game.moves import notation_of
from macaz.game.record import load_record, script
from macaz.game.view import View
from macaz.help.advice import CLEAR, THINKER, Judged, Review, SeatReview, Thinker
from macaz.help.advice.live import shares
from macaz.help.advice.thinking import Future, error_of, future, seed_of, think

if TYPE_CHECKING:
    from macaz.bots import Limit
    from macaz.game import Game
    from macaz.game.moves import Move
    from macaz.game.outcome import Outcome

LONGER = 4  # times as many playouts for two moves that seem to differ


class NotOver(MacazError):  # noqa: N818 - reads as the habit of the house: IllegalMove
    """A game that goes on cannot be reviewed: that would tell its hands."""


@dataclass(frozen=True, slots=True)
class Decision:
    """A decision as its seat met it."""

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
    """What was found about a decision: numbers only, to send from process to process."""

    best: int  # the action
    chance_best: float
    chance_played: float
    margin_best: float
    margin_played: float
    error: float

    @property
    def cost(self) -> float:
        """What was lost in chance of winning."""
        return max(0.0, self.chance_best - self.chance_played)


def review_of(
    game: Game | str,
    limit: Limit,
    seed: int,
    seats: Collection[int] | None,
    progress: Callable[[int, int], None] | None,
    thinker: Thinker,
) -> Review:
    """How a finished game was played."""
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
    for line in script(game):
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
    """What the strongest player would have done, and what was lost by doing something else.

    The thinking that finds the best move is no fair judge of it: it chose the move whose playouts
    went well. So both moves are played out anew, as often as each other, and once more, for longer,
    where that makes a difference. Without `weigh` only the chance is found; where there was no
    choice, nothing.
    """
    if len(decision.legal) == 1:
        return None
    view, played = decision.view, decision.played
    if not weigh:
        stands = future(view, limit, seed, thinker)
        return _judgement(played, stands, stands)
    legal = [decision.move(action) for action in decision.legal]
    thought = think(view, legal, limit, seed, thinker)
    best = next(action for action in decision.legal if decision.move(action) == thought.best)

    def play_out(limit: Limit, word: str) -> Judgement:
        again = seed_of(seed, word)
        good = future(view, limit, again, thinker, after=decision.move(best))
        if best == played:
            return _judgement(best, good, good)
        other = future(view, limit, again, thinker, after=decision.move(played))
        return _judgement(best, good, other)

    found = play_out(limit, "short")
    return found if found.cost <= found.error else play_out(_longer(limit), "long")


def _judgement(best: int, good: Future, other: Future) -> Judgement:
    """What the future after the best move has over that of another."""
    return Judgement(
        best=best,
        chance_best=good.chance,
        chance_played=other.chance,
        margin_best=good.margin,
        margin_played=other.margin,
        error=hypot(*(error_of(one.chance, one.playouts) for one in (good, other))),
    )


def _longer(limit: Limit) -> Limit:
    """To compare what seems to differ."""
    if limit.effort is not None:
        return limit._replace(effort=LONGER * limit.effort)
    return limit._replace(seconds=LONGER * (limit.seconds or 0.0))


def sum_up(
    game: Game,
    met: Sequence[Decision],
    found: Sequence[Judgement | None],
    seats: Collection[int],
) -> Review:
    """The review of a game, from what was found about its decisions."""
    outcome = game.outcome
    assert outcome is not None, "its decisions are those of a finished game"
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
    """By ply: what each seat knew of its own chance when it last decided."""
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
