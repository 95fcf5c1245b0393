"""The story of a reviewed game: computed by compiled functions from its judgements."""

from __future__ import annotations

from collections.abc import Collection, Sequence
from dataclasses import dataclass
from typing import TYPE_CHECKING, get_args

import numpy as np

from macaz.help.advice.fates import ticket_reviews
from macaz.help.advice.live import shares
from macaz.help.advice.reviews import Phase, PhaseReview, SeatReview, TurningPoint
from macaz.help.compiled import story_layout as at
from macaz.help.compiled.program import reviewing
from macaz.kernel.layout import SEATS

if TYPE_CHECKING:
    from macaz.game import Game
    from macaz.help.advice.past import Decision, Judgement

PHASE_NAMES: tuple[Phase, ...] = get_args(Phase)
_ALL_SEATS = -1


def new_verdicts(count: int) -> np.ndarray:
    """Verdicts on so many decisions of which nothing is known."""
    return np.zeros(count, at.dtypes["verdict"])


def phase_name(turn: int, turns: int) -> Phase:
    """The phase of a turn in a game of so many."""
    return PHASE_NAMES[int(reviewing().review_phase(turn, turns))]


def is_clear(found: Judgement) -> bool:
    """Whether the cost of a decision is significant."""
    verdicts = new_verdicts(1)
    _note(verdicts[0], found)
    return int(reviewing().review_is_judged(verdicts, 0)) > 1


def _note(verdict: np.void, found: Judgement) -> None:
    """Write a judgement as a verdict."""
    verdict["choices"] = 2
    verdict["searched"] = int(found.weighed)
    verdict["measured"] = 1
    verdict["before"], verdict["after"] = found.chance_best, found.chance_played
    verdict["gap"], verdict["cost"], verdict["error"] = found.gap, found.cost, found.error
    verdict["doubt"], verdict["stake"] = found.doubt, found.stake


@dataclass(frozen=True)
class Story:
    """What the compiled story says of a game."""

    verdicts: np.ndarray
    awards: np.ndarray  # each seat's share of the win
    curve: tuple[tuple[float, ...], ...]
    stories: np.ndarray

    def points(self, seat: int | None = None) -> tuple[TurningPoint, ...]:
        """The turning points of the game, or of a seat, the largest first."""
        found = np.zeros(at.MOST_POINTS, at.dtypes["turning"])
        only = _ALL_SEATS if seat is None else seat
        seats = len(self.curve[0])
        count = reviewing().review_points(self.verdicts, self.awards, found, only, seats)
        return tuple(
            TurningPoint(
                kind="mistake" if one["kind"] == at.COSTLY else "swing",
                ply=int(one["ply"]),
                until=int(one["until"]),
                turn=int(self.verdicts["turn"][one["ply"]]),
                seat=int(one["seat"]),
                change=float(one["change"]),
            )
            for one in found[:count]
        )


def tell(
    game: Game,
    made: Sequence[Decision],
    found: Sequence[Judgement | None],
    seats: Collection[int],
) -> Story:
    """The story of a game, from all its decisions and their judgements."""
    assert game.outcome is not None, "only a finished game is reviewed"
    verdicts = new_verdicts(len(made))
    verdicts["seat"] = [one.seat for one in made]
    verdicts["turn"] = [one.turn for one in made]
    for ply, judgement in enumerate(found):
        if judgement is not None:
            _note(verdicts[ply], judgement)
            verdicts[ply]["agreed"] = judgement.best == made[ply].played
    awards = np.zeros(SEATS)
    awards[: game.seats] = shares(game.outcome)
    curves = np.zeros((len(made) + 1, SEATS))
    stories = np.zeros(SEATS, at.dtypes["story"])
    sums = np.zeros((at.SUMS, at.PHASES + 1))
    turns = made[-1].turn if made else 0
    reviewing().review_game(verdicts, awards, curves, stories, sums, game.seats, turns)
    curve = tuple(map(tuple, curves[:, : game.seats].tolist()))
    return Story(verdicts, awards, curve, stories)


def seat_reviews(
    game: Game, made: Sequence[Decision], story: Story, seats: Collection[int]
) -> tuple[SeatReview, ...]:
    """How each of some seats played and fared."""
    return tuple(_seat_review(game, made, story, seat) for seat in sorted(seats))


def _seat_review(game: Game, made: Sequence[Decision], story: Story, seat: int) -> SeatReview:
    assert game.outcome is not None, "only a finished game is reviewed"
    told = story.stories[seat]
    parts = [_accuracy(told, part) for part in range(at.PHASES + 1)]
    return SeatReview(
        seat=seat,
        name=game.names[seat],
        decisions=int(told["decisions"][at.ALL]),
        agreed=int(told["agreed"]),
        mistakes=int(told["mistakes"]),
        lost=float(told["lost"]),
        accuracy=parts[at.ALL],
        phases=tuple(
            PhaseReview(name, int(told["decisions"][part]), parts[part])
            for part, name in enumerate(PHASE_NAMES)
        ),
        deal=float(told["deal"]),
        skill=float(told["skill"]),
        luck=float(told["luck"]),
        error=float(told["doubt"]),
        turning_points=story.points(seat),
        tickets=ticket_reviews(game, made, seat),
        score=game.outcome.seats[seat],
    )


def _accuracy(told: np.void, part: int) -> float | None:
    """The accuracy in a part of the game; None if there were no decisions."""
    return 100 * float(told["spared"][part]) if told["decisions"][part] else None
