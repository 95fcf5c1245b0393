"""The review of a game as one self-contained HTML page."""

from __future__ import annotations

from collections.abc import Iterator, Sequence
from dataclasses import dataclass
from pathlib import Path
from typing import TYPE_CHECKING

from macaz.edition.picture import SEAT_COLORS
from macaz.help.advice.review_words import (
    percent,
    point_sentences,
    point_title,
    seat_story,
    ticket_line,
)
from macaz.lab.pages import write_html

if TYPE_CHECKING:
    from macaz.game import Game
    from macaz.help.advice.reviews import PhaseReview, Review, SeatReview, TurningPoint

_TEMPLATE = Path(__file__).with_name("review.html.jinja")
_DASHES = ("none", "7 3", "2 3", "10 3 2 3", "4 4", "12 4")  # by seat: not by colour alone
_NO_NUMBER = "–"


@dataclass(frozen=True, slots=True)
class _Curve:
    """A seat's chance over the game, in a picture as wide as there are decisions."""

    name: str
    color: str
    dash: str
    path: str


@dataclass(frozen=True, slots=True)
class _Point:
    """A turning point, and where the curve has it, in per cent."""

    title: str
    sentences: tuple[str, ...]
    left: float
    top: float


def write_page(game: Game, review: Review, names: Sequence[str], note: str, path: Path) -> None:
    """Write the page; `names` are those of the seats, `note` says how the review was made."""
    plies = max(1, len(review.curve) - 1)
    outcome = game.outcome
    assert outcome is not None, "only a finished game is reviewed"
    totals = zip(names, outcome.totals, strict=True)
    winners = " and ".join(names[seat] for seat in outcome.winners)
    write_html(
        path,
        _TEMPLATE,
        title=f"Review: {game.edition.title}",
        lead=f"{', '.join(f'{name} {_signed(total)}' for name, total in totals)}; {winners} won.",
        equal=percent(1 / game.seats),
        plies=plies,
        curves=[_curve(review, seat, name) for seat, name in enumerate(names)],
        marks=list(_marks(review, plies)),
        points=[_point(game, review, point, names) for point in review.turning_points],
        parts=[name for name, _ in _parts(review, review.seats[0])] if review.seats else [],
        seats=[_seat(review, seat, names[seat.seat]) for seat in review.seats],
        mistakes=[
            {
                "turn": judged.turn or "setup",
                "name": names[judged.seat],
                "played": judged.played_text,
                "best": judged.best_text,
                "chance": percent(judged.chance_played),
                "instead": percent(judged.chance_best),
                "cost": f"{percent(judged.cost)} ± {percent(judged.error)}",
            }
            for judged in review.mistakes
        ],
        note=note,
    )


def _curve(review: Review, seat: int, name: str) -> _Curve:
    heights = [round(100 - 100 * row[seat], 1) for row in review.curve]
    path = f"M0 {heights[0]}" + "".join(
        f"H{x}V{height}" for x, height in enumerate(heights) if x and height != heights[x - 1]
    )
    return _Curve(name, SEAT_COLORS[seat], _DASHES[seat], f"{path}H{max(1, len(heights) - 1)}")


def _marks(review: Review, plies: int) -> Iterator[dict[str, object]]:
    """Turn numbers below the curve: about every sixth part of the game."""
    judged = review.judged
    for part in range(1, 6):
        near = min(judged, key=lambda j: abs(j.ply - plies * part / 6), default=None)
        if near is not None and near.turn:
            yield {"left": round(100 * near.ply / plies, 2), "text": f"turn {near.turn}"}


def _point(game: Game, review: Review, point: TurningPoint, names: Sequence[str]) -> _Point:
    plies = max(1, len(review.curve) - 1)
    return _Point(
        title=point_title(point, names[point.seat]),
        sentences=tuple(point_sentences(game, review, point, names)),
        left=round(100 * point.ply / plies, 2),
        top=round(100 - 100 * review.curve[point.ply][point.seat], 2),
    )


def _parts(review: Review, seat: SeatReview) -> Iterator[tuple[str, int]]:
    """The reasons for points that any seat had, and those of one seat."""
    for name, points in seat.score.parts.items():
        if any(one.score.parts[name] for one in review.seats):
            yield name, points


def _seat(review: Review, seat: SeatReview, name: str) -> dict[str, object]:
    return {
        "seat": seat.seat,
        "name": name,
        "story": seat_story(review, seat, name),
        "deal": percent(seat.deal, signed=True),
        "skill": percent(seat.skill, signed=True),
        "error": percent(seat.error),
        "luck": percent(seat.luck, signed=True),
        "result": percent(review.curve[-1][seat.seat]),
        "phases": [_accuracy(phase) for phase in seat.phases],
        "accuracy": _accuracy(seat),
        "decisions": seat.decisions,
        "agreed": seat.agreed,
        "mistakes": seat.mistakes,
        "won": seat.seat in review.winners,
        "parts": [_signed(points) for _, points in _parts(review, seat)],
        "total": _signed(seat.score.total),
        "tickets": [
            {"line": ticket_line(one), "points": one.points, "missed": one.fate == "missed"}
            for one in seat.tickets
        ],
    }


def _signed(number: int) -> str:
    return str(number).replace("-", "−")


def _accuracy(one: SeatReview | PhaseReview) -> str:
    return _NO_NUMBER if one.accuracy is None else f"{one.accuracy:.0f}"
