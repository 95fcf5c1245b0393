"""Reviews of finished games, decision by decision.

Every decision is judged independently and with its own seed, so that the review does not depend on
the order in which decisions are judged, nor on the process.
"""

from __future__ import annotations

from collections.abc import Callable, Collection, Iterator, Sequence
from dataclasses import dataclass
from typing import TYPE_CHECKING

from macaz.game.data import moves_data
from macaz.game.moves import notation_of
from macaz.game.outcome import NotOver
from macaz.game.record import game_lines, load_record
from macaz.game.view import View
from macaz.help.advice import CLEAR, Judged, Review, SeatReview
from macaz.help.advice.live import shares
from macaz.help.comparison import compare
from macaz.help.seeds import seed_of

if TYPE_CHECKING:
    from macaz.bots import Limit
    from macaz.game import Game
    from macaz.game.moves import Move
    from macaz.game.outcome import Outcome


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
    error: float  # the standard error of the difference in chance

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
) -> Review:
    """The implementation of `review`."""
    game = load_record(game) if isinstance(game, str) else game
    reviewed = range(game.seats) if seats is None else seats
    made = decisions(game)
    judgements: list[Judgement | None] = []
    for ply, decision in enumerate(made):
        weigh = decision.seat in reviewed
        judgements.append(judge(decision, limit, seed_of(seed, ply), weigh=weigh))
        if progress is not None:
            progress(ply + 1, len(made))
    return sum_up(game, made, judgements, reviewed)


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


def judge(decision: Decision, limit: Limit, seed: int, *, weigh: bool = True) -> Judgement | None:
    """Compare a decision with the best move found; None if there was only one legal move.

    The comparison that finds the best move overestimates it, because it selects the move whose
    tries went well. So the two moves are compared again, with other tries. If `weigh` is false, no
    moves are compared: the chance of winning is estimated, and the move that was played counts as
    the best.
    """
    if len(decision.legal) == 1:
        return None
    view, played = decision.view, decision.played
    if not weigh:
        now = compare(view, limit=limit, seed=seed).leader
        chance, margin = float(now["chance"]), float(now["margin"])
        return Judgement(played, chance, chance, margin, margin, error=0.0)
    legal = [decision.move(action) for action in decision.legal]
    found = compare(view, legal, limit=limit, seed=seed, extra=(played,))
    best = int(found.leader["action"])
    again = compare(view, limit=limit, seed=seed_of(seed, "again"), only=(best, played))
    good, made = again.line_of(best), again.line_of(played)
    return Judgement(
        best=best,
        chance_best=float(good["chance"]),
        chance_played=float(made["chance"]),
        margin_best=float(good["margin"]),
        margin_played=float(made["margin"]),
        error=max(float(good["doubt"]), float(made["doubt"])),
    )


def sum_up(
    game: Game,
    made: Sequence[Decision],
    judgements: Sequence[Judgement | None],
    seats: Collection[int],
) -> Review:
    """The review of some seats of a game, from all decisions made in it and their judgements."""
    outcome = game.outcome
    assert outcome is not None, "only a finished game is reviewed"
    judged = tuple(
        _judged(ply, decision, judgement)
        for ply, (decision, judgement) in enumerate(zip(made, judgements, strict=True))
        if judgement is not None and decision.seat in seats
    )
    return Review(
        curve=(*_curve(game.seats, made, judgements), shares(outcome)),
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
    seats: int, made: Sequence[Decision], judgements: Sequence[Judgement | None]
) -> Iterator[tuple[float, ...]]:
    """By ply: each seat's chance of winning at its last decision, or an equal share before it."""
    chances = [1 / seats] * seats
    for decision, judgement in zip(made, judgements, strict=True):
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
