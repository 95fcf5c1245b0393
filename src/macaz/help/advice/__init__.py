"""Advice: how a game stands for a seat, what its best moves are, and how it was played.

`advise` looks at a view, `review` at a finished game. Both think as the strongest player here does,
from what the seat can know: a hidden card is never looked at, not even when the game is over and
everything is open.

That player is the expert, on boards that a network was trained for; on all others the search. A
playout is a game that the search plays to its end, or a try of the expert: a move, what follows
until the network is asked how likely the seat wins, and how the game ends from there.
"""

from __future__ import annotations

from collections.abc import Callable, Collection, Sequence
from dataclasses import dataclass
from typing import TYPE_CHECKING, Any, Literal

from macaz.bots import Limit
from macaz.game.outcome import SeatScore
from macaz.help import LIVE, THOROUGH
from macaz.help.aids import StationAid, TicketAid, TunnelAid

if TYPE_CHECKING:
    from macaz.game import Game
    from macaz.game.moves import Move
    from macaz.game.view import View

# Who thinks: the expert, or the search where no network fits the board; or always the search.
Thinker = Literal["expert", "search"]

THINKER: Thinker = "expert"
BEST = 3  # moves that are named
CLEAR = 2.5  # standard errors from which on a difference counts as one


@dataclass(frozen=True, slots=True)
class Suggestion:
    """A good move, and what it gains over the typical one."""

    action: int
    text: str  # as in records
    chance: float  # of winning after it, 0 to 1
    error: float  # the standard error of that, if each playout were a game won or lost
    margin: float  # points ahead of the best other seat at the end, on average
    gain: float  # in chance, over the moves that come to mind before thinking, on average
    points: float  # the same in points of the margin
    playouts: int  # of it: games played to their end, or tries


@dataclass(frozen=True, slots=True)
class TicketCost:
    """What a ticket still costs by its cheapest way: at the least, if nobody is in the way."""

    ticket: int
    missing: tuple[int, ...]  # cards by kind, when the hand is used for this ticket alone
    any_color: int  # more cards, for routes and stations of any colour
    claims: int  # routes to claim
    tunnels: int  # of these; each may cost more cards, which are not counted
    stations: int  # stations to build
    cards: int  # missing in all
    turns: int  # to draw them two at a time, to claim and to build


@dataclass(frozen=True, slots=True)
class Advice:
    """How a game stands, as one seat or a spectator can know it, and what to do."""

    seat: int | None
    chances: tuple[float, ...]  # of each seat to win
    scores: tuple[float, ...]  # of each seat at the end, on average
    playouts: int  # in all
    moves: tuple[Suggestion, ...]  # the best few, the best first; none where others decide
    tickets: tuple[TicketAid, ...]  # those held, then those offered
    costs: tuple[TicketCost, ...]  # of those that are still open
    stations: tuple[StationAid, ...]  # where one may be built now and would complete a ticket
    tunnels: tuple[TunnelAid, ...]  # by colour, if a tunnel can be tried with it now

    @property
    def impossible(self) -> tuple[int, ...]:
        """The tickets that cannot be completed any more."""
        return tuple(aid.ticket for aid in self.tickets if aid.state == "impossible")


@dataclass(frozen=True, slots=True)
class Judged:
    """A decision, and what the strongest player would have done in its place."""

    ply: int  # which decision of the game, from 0; chance is not counted
    turn: int  # of the game, as its record counts them; 0 in the setup
    seat: int
    played: Any  # the move, as one of `data.MOVES`
    played_text: str  # as in records
    best: Any  # likewise
    best_text: str
    chance_played: float  # of winning, each after as many playouts
    chance_best: float
    margin_played: float  # points ahead of the best other seat at the end, likewise
    margin_best: float
    cost: float  # what it cost in chance of winning; 0 where nothing better was found
    error: float  # the standard error of that
    clear: bool  # whether the cost stands out from the noise: it is more than 2.5 times the error


@dataclass(frozen=True, slots=True)
class SeatReview:
    """How a seat played."""

    seat: int
    name: str
    decisions: int  # that were judged: where there was a choice
    agreed: int  # where it did what the strongest player would have done
    mistakes: int  # where something clearly better was found
    lost: float  # chance of winning that these cost, in all
    accuracy: float | None  # the share of its decisions that were no mistakes
    score: SeatScore


@dataclass(frozen=True, slots=True)
class Review:
    """How a game was played."""

    curve: tuple[tuple[float, ...], ...]
    """By ply and seat: its chance of winning as it could know it when it last decided; last: how
    it ended."""
    judged: tuple[Judged, ...]  # in the order of the game
    seats: tuple[SeatReview, ...]
    winners: tuple[int, ...]

    @property
    def mistakes(self) -> tuple[Judged, ...]:
        """The decisions that clearly cost something, the costliest first."""
        return tuple(sorted((j for j in self.judged if j.clear), key=lambda j: -j.cost))


def advise(
    view: View,
    legal: Sequence[Move] = (),
    *,
    limit: Limit = LIVE,
    seed: int = 0,
    best: int = BEST,
    thinker: Thinker = THINKER,
) -> Advice:
    """How the game stands for the seat of a view and what it should do; for a spectator, too.

    `legal` are the moves that the seat may make now: none where it is not to decide. With an effort
    as the limit, the same view has the same advice.
    """
    from macaz.help.advice.live import advice_of

    return advice_of(view, legal, limit, seed, best, thinker)


def review(
    game: Game | str,
    *,
    limit: Limit = THOROUGH,
    seed: int = 0,
    seats: Collection[int] | None = None,
    progress: Callable[[int, int], None] | None = None,
    thinker: Thinker = THINKER,
) -> Review:
    """How a finished game was played, given as a `Game` or as the text of its record.

    Each decision is judged by what its seat could know then. `seats` are those whose decisions are
    judged, by default all. `progress` is told how many decisions were looked at, and of how many.
    """
    from macaz.help.advice.past import review_of

    return review_of(game, limit, seed, seats, progress, thinker)
