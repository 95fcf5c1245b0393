"""The result of a game, with a breakdown of the points."""

from __future__ import annotations

from dataclasses import dataclass, replace
from typing import TYPE_CHECKING

from macaz.errors import MacazError
from macaz.game.view import seat_names
from macaz.kernel import layout as at
from macaz.kernel.help import longest_trail

if TYPE_CHECKING:
    import numpy as np

    from macaz.game import Game
    from macaz.kernel.spec import Spec

TIE_NAMES = {
    at.TIE_NONE: None,
    at.TIE_TICKETS: "tickets",
    at.TIE_STATIONS: "stations",
    at.TIE_LONGEST: "longest-path",
    at.TIE_SHARED: "shared",
}


class NotOver(MacazError):  # noqa: N818 - named like IllegalMove
    """A game in progress has no final picture, and a review would reveal its hands."""


@dataclass(frozen=True, slots=True)
class TicketResult:
    """A ticket at the end of the game; `points` are negative where it was not completed."""

    ticket: int
    completed: bool
    points: int


@dataclass(frozen=True, slots=True)
class SeatScore:
    """A seat's final score by reason; the parts add up to the total."""

    routes: int  # points scored during play: routes, and captures of Alvin
    tickets: tuple[TicketResult, ...]
    longest_path: int
    stations: int
    globetrotter: int
    alvin: int
    total: int
    path_length: int
    borrowed: tuple[int | None, ...]  # the route each station borrows, in order of building

    @property
    def ticket_points(self) -> int:
        """The points of completed tickets, minus those of the others."""
        return sum(t.points for t in self.tickets)

    @property
    def completed(self) -> int:
        return sum(t.completed for t in self.tickets)

    @property
    def parts(self) -> dict[str, int]:
        """The reasons of the points, and the points of each; the same for all editions."""
        return {
            "routes": self.routes,
            "tickets": self.ticket_points,
            "longest path": self.longest_path,
            "stations": self.stations,
            "globetrotter": self.globetrotter,
            "Alvin": self.alvin,
        }

    def __str__(self) -> str:
        """The total and its parts: "81 (routes 60, tickets 11, longest path 10)"."""
        shown = ", ".join(f"{name} {points}" for name, points in self.parts.items() if points)
        return f"{self.total} ({shown})" if shown else str(self.total)


@dataclass(frozen=True, slots=True, repr=False)
class Outcome:
    """The result of a game."""

    seats: tuple[SeatScore, ...]
    winners: tuple[int, ...]
    tie_break: str | None  # the criterion that broke a tie; "shared" if none did
    resigned: tuple[int, ...] = ()  # the seats that resigned, which cannot win
    stopped: bool = False  # whether a resignation ended the game before its end

    @property
    def totals(self) -> tuple[int, ...]:
        return tuple(s.total for s in self.seats)

    def ranked_as(self, other: Outcome, resigned: tuple[int, ...], *, stopped: bool) -> Outcome:
        """The same points, with the winners of another outcome and those who resigned."""
        return replace(
            self,
            winners=other.winners,
            tie_break=other.tie_break,
            resigned=resigned,
            stopped=stopped,
        )

    def __repr__(self) -> str:
        return f"<Outcome: totals {self.totals}, winners {self.winners}>"

    def __str__(self) -> str:
        """A line for each seat with the reasons of its points; `Game.names` are not known here."""
        names = seat_names(len(self.seats))
        return "\n".join(
            f"{name}: {score}{self._remark(seat)}"
            for seat, (name, score) in enumerate(zip(names, self.seats, strict=True))
        )

    def _remark(self, seat: int) -> str:
        if seat in self.resigned:
            return ", resigned"
        return ", won" if seat in self.winners else ""


def longest_paths(game: Game) -> tuple[tuple[int, ...], ...]:
    """Each seat's longest path, once the game is over and if the edition counts it."""
    if game.outcome is None or "longest-path" not in game.edition.rules.scorers:
        return ()
    return tuple(longest_trail(game.spec, game.state, seat) for seat in range(game.seats))


def read_tally(spec: Spec, states: np.ndarray, tally: np.void) -> Outcome:
    """The outcome that a tally of the kernel describes."""
    board = spec.edition.board
    holders = states["ticket"][0, : len(board.tickets)].tolist()
    done = tally["done"].tolist()
    seats = []
    for seat in range(spec.seats):
        tickets = tuple(
            TicketResult(t, bool(done[t]), board.tickets[t].points * (1 if done[t] else -1))
            for t, holder in enumerate(holders)
            if holder == at.HELD + seat
        )
        built = int((states["marks"][0, seat] >= 0).sum()) if spec.table["stations"][0] else 0
        seats.append(
            SeatScore(
                routes=int(tally["routes"][seat]),
                tickets=tickets,
                longest_path=int(tally["longest"][seat]),
                stations=int(tally["stations"][seat]),
                globetrotter=int(tally["globetrotter"][seat]),
                alvin=int(tally["alvin"][seat]),
                total=int(tally["total"][seat]),
                path_length=int(tally["path"][seat]),
                borrowed=tuple(
                    None if lane < 0 else spec.route_of_lane[lane]
                    for lane in tally["borrowed"][seat].tolist()[:built]
                ),
            )
        )
    winners = int(tally["winners"])
    return Outcome(
        seats=tuple(seats),
        winners=tuple(p for p in range(spec.seats) if winners >> p & 1),
        tie_break=TIE_NAMES[int(tally["tie_break"])],
    )
