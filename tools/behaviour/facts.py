"""What the seats of one finished game did: claims, ticket draws, and numbers for each seat."""

from __future__ import annotations

from dataclasses import dataclass
from typing import TYPE_CHECKING

import msgspec
import numpy as np

from macaz.game.events import AlvinCaptured, LastRoundBegan, RouteClaimed, game_events
from macaz.game.moves import Choose, Keep
from macaz.kernel import layout as at
from needs import needs_of

if TYPE_CHECKING:
    from macaz.game import Game
    from macaz.game.outcome import Outcome, SeatScore
    from macaz.game.steps import Step


@dataclass(frozen=True, slots=True)
class Loss:
    """A lane that a seat needed and another seat claimed."""

    seat: int  # the seat that needed it
    tickets: tuple[int, ...]  # for which it was needed
    failed: tuple[int, ...]  # those of `tickets` that were incomplete at the end


@dataclass(frozen=True, slots=True)
class Chance:
    """How likely a random choice among the lanes that a seat could pay harms another seat.

    The first three are shares of all these lanes, the last one a share of those that the seat did
    not need.
    """

    took: float  # another seat needs the lane
    blocked: float  # and the seat itself does not need it
    spoiled: float  # and it is not useful to the seat either
    spare: float  # another seat needs the lane


@dataclass(frozen=True, slots=True)
class Claimed:
    """A claim that was paid, compared with random claims that the seat could have made instead."""

    step: int  # index in the history
    seat: int
    route: int
    length: int  # in trains
    points: tuple[int, ...]  # of each seat: with markers, others may get points for a claim
    needed: bool  # the seat's own plan has the lane or one parallel to it
    useful: bool  # needed, or on a short path for one of the seat's tickets
    served: bool  # a ticket of the seat was completed with it, and would not be without it
    losses: tuple[Loss, ...]  # of the other seats that needed it
    chance: Chance  # of a random lane that the seat could pay
    alike: Chance  # of a random lane of the same length

    @property
    def blocked(self) -> bool:
        """Whether it took what another needed and the seat itself did not."""
        return bool(self.losses) and not self.needed

    @property
    def spoiled(self) -> bool:
        """Whether it took what another needed and never was of use to the seat's own tickets."""
        return bool(self.losses) and not self.useful and not self.served


@dataclass(frozen=True, slots=True)
class TicketDraw:
    """Tickets drawn after the setup."""

    step: int
    seat: int
    laid: float  # share of its trains that the seat had laid
    ready: bool  # whether all its tickets were completed
    lead: int  # points so far, with completed tickets, over those of the best other seat
    kept: tuple[int, ...]


@dataclass(frozen=True, slots=True)
class Ending:
    """The turn that began the last round."""

    step: int  # the first step after it
    seat: int
    totals: tuple[int, ...]  # the score of each seat if the game had ended there

    def leads(self, seat: int) -> bool:
        """Whether a seat was ahead of all others."""
        return all(self.totals[seat] > t for p, t in enumerate(self.totals) if p != seat)


class SeatFacts(msgspec.Struct, frozen=True):
    """What a seat did in a game, as numbers that can be summed over games."""

    games: int
    wins: float  # its share of the win
    turns: int
    score: int
    route_points: int
    toll: int  # those of `route_points` that it got for claims of others
    toll_paid: int  # points that others got for its claims
    ticket_points: int
    longest: int
    station_points: int
    globetrotter: int
    alvin: int
    kept_setup: int
    kept_later: int
    kept: int
    done: int
    done_later: int  # of those kept later
    points_done: int
    points_lost: int  # by incomplete tickets
    clean: int  # 1 if no ticket was incomplete
    draws: int
    draws_laid: float
    draws_early: int  # with less than a third of its trains laid
    draws_late: int  # with two thirds or more
    draws_ready: int
    draws_ahead: int
    claims: int
    trains_laid: int
    claims_short: int  # 1 or 2 trains
    claims_long: int  # 5 and more
    # Claims that `took`, `blocked` and `spoiled` (see `Chance`), and how many random claims would
    # have: among all lanes (`_chance`), among lanes of the same length (`_alike`).
    took: int
    took_chance: float
    took_alike: float
    blocked: int
    blocked_chance: float
    blocked_alike: float
    spoiled: int
    spoiled_chance: float
    spoiled_alike: float
    spare: int  # claims of lanes that it did not need itself
    spare_chance: float
    spare_alike: float
    victims: int  # losses of other seats by its blocks
    victims_failed: int  # those after which a ticket that needed the lane was incomplete at the end
    victims_incomplete: int  # those after which any ticket held at that moment was
    robbed: int  # how often another seat took what it needed
    ends: int  # 1 if it began the last round
    ends_leading: int
    ended: int  # 1 if another seat did
    ended_leading: int
    hand_left: int
    trains_left: int
    marks: int  # stations or markers


@dataclass(frozen=True, slots=True)
class GameFacts:
    """What happened in a game."""

    seats: tuple[SeatFacts, ...]
    claims: tuple[Claimed, ...]
    draws: tuple[TicketDraw, ...]
    ending: Ending | None


def facts_of(game: Game) -> GameFacts:
    """What the seats of a finished game did."""
    outcome = game.outcome
    assert outcome is not None, "the game must be finished"
    claims = tuple(_claims(game, outcome))
    draws = tuple(_draws(game))
    ending = _ending(game)
    seats = tuple(
        _seat_facts(game, outcome, seat, claims, draws, ending) for seat in range(game.seats)
    )
    return GameFacts(seats, claims, draws, ending)


# -- claims ----------------------------------------------------------------------------------------


def _claims(game: Game, outcome: Outcome) -> list[Claimed]:
    """All claims that were paid; a declined tunnel is not counted."""
    found, turn = [], 0
    for ply, events in game_events(game):
        if _is_turn(game.history[ply]):
            turn = ply
        for event in events:
            if isinstance(event, RouteClaimed):
                points = list(event.points)
                for other in events:
                    if isinstance(other, AlvinCaptured):
                        points[other.seat] += other.points
                lane = game.spec.lane_of_route[event.route]
                found.append(_claimed(game, outcome, turn, lane, tuple(points)))
    return found


def _is_turn(step: Step) -> bool:
    return bool(step.state["phase"][0] == at.TURN)


def _length(game: Game, lane: int) -> int:
    return int(game.spec.table["lane_length"][0, lane])


def payable_lanes(game: Game, states: np.ndarray, seat: int) -> set[int]:
    """The lanes that a seat may claim and pay."""
    table = game.spec.table[0]
    actions = np.array(game.engine.legal(states.copy(), seat)) - int(table["base"][at.A_CLAIM])
    return {*table["claim_lane"][actions[actions >= 0]].tolist()}


def _claimed(
    game: Game, outcome: Outcome, at_step: int, lane: int, points: tuple[int, ...]
) -> Claimed:
    step = game.history[at_step]
    states, seat = step.state, step.seat
    assert seat is not None
    needs = needs_of(game.spec)
    wants = {p: needs.pairs(needs.plan(states, p)) for p in range(game.seats)}
    own = wants.pop(seat)
    useful = own | needs.useful(states, seat)
    payable = payable_lanes(game, states, seat)
    others = frozenset[int]().union(*wants.values())
    hit = {one for one in payable if one in others and needs.shut(states, seat, one)}
    length = _length(game, lane)
    as_long = {one for one in payable if _length(game, one) == length}
    losers = [p for p, want in wants.items() if lane in want] if lane in hit else []
    losses = []
    for loser in losers:
        tickets = needs.tickets_for(states, loser, lane)
        results = outcome.seats[loser].tickets
        failed = tuple(r.ticket for r in results if r.ticket in tickets and not r.completed)
        losses.append(Loss(loser, tickets, failed))
    return Claimed(
        step=at_step,
        seat=seat,
        route=game.spec.route_of_lane[lane],
        length=length,
        points=points,
        needed=lane in own,
        useful=lane in useful,
        served=bool(needs.tickets_by(game.state, seat, lane)),
        losses=tuple(losses),
        chance=_chance(payable, hit, own, useful),
        alike=_chance(as_long, hit, own, useful),
    )


def _chance(lanes: set[int], hit: set[int], own: frozenset[int], useful: frozenset[int]) -> Chance:
    """The chances of a seat that claims one of these lanes at random."""
    some, spare = lanes & hit, lanes - own
    return Chance(
        took=len(some) / len(lanes),
        blocked=len(some - own) / len(lanes),
        spoiled=len(some - useful) / len(lanes),
        spare=len(some & spare) / len(spare) if spare else 0.0,
    )


# -- tickets and the end ---------------------------------------------------------------------------


def _draws(game: Game) -> list[TicketDraw]:
    found = []
    steps = game.history
    trains = int(game.spec.table["trains"][0])
    for i, step in enumerate(steps):
        if step.seat is None or game.notation.kind(step.number) != at.A_TICKETS:
            continue
        seat, states = step.seat, step.state.copy()
        tally = game.engine.tally(states)
        held = states["ticket"][0] == at.HELD + seat
        points = [_points_so_far(game, states, tally, p) for p in range(game.seats)]
        found.append(
            TicketDraw(
                step=i,
                seat=seat,
                laid=1 - int(states["trains"][0, seat]) / trains,
                ready=not (tally["done"][held] == 0).any(),
                lead=points[seat] - max(p for other, p in enumerate(points) if other != seat),
                kept=_kept_after(game, i),
            )
        )
    return found


def _points_so_far(game: Game, states: np.ndarray, tally: np.void, seat: int) -> int:
    """Points of routes and of completed tickets."""
    done = (states["ticket"][0] == at.HELD + seat) & (tally["done"] == 1)
    return int(tally["routes"][seat]) + int(game.spec.table["ticket_points"][0][done].sum())


def _kept_after(game: Game, at_step: int) -> tuple[int, ...]:
    """The tickets that were kept of those drawn at a step."""
    for step in game.history[at_step + 1 :]:
        if step.seat is not None:
            offer = game.engine.offer(step.state, step.seat)
            move = game.notation.move(step.number, offer)
            return move.tickets if isinstance(move, Keep) else ()
    return ()


def _kept_at_setup(game: Game, seat: int) -> int:
    for step in game.history:
        if step.seat == seat and game.notation.kind(step.number) == at.A_CHOOSE:
            move = game.notation.move(step.number, game.engine.offer(step.state, seat))
            return len(move.tickets) if isinstance(move, Choose) else 0
    return 0


def _ending(game: Game) -> Ending | None:
    """The turn that began the last round; None if the game ended without one."""
    for ply, events in game_events(game):
        for event in events:
            if isinstance(event, LastRoundBegan) and ply + 1 < len(game.history):
                states = game.history[ply + 1].state.copy()
                totals = game.engine.tally(states)["total"][: game.seats]
                return Ending(ply + 1, event.seat, tuple(totals.tolist()))
    return None


# -- sums ------------------------------------------------------------------------------------------


def _seat_facts(
    game: Game,
    outcome: Outcome,
    seat: int,
    claims: tuple[Claimed, ...],
    draws: tuple[TicketDraw, ...],
    ending: Ending | None,
) -> SeatFacts:
    mine = [claim for claim in claims if claim.seat == seat]
    drawn = [draw for draw in draws if draw.seat == seat]
    blocks = [(claim, loss) for claim in mine if claim.blocked for loss in claim.losses]
    state, score = game.state[0], outcome.seats[seat]
    added = {ticket for draw in drawn for ticket in draw.kept}
    setup = _kept_at_setup(game, seat)
    leads = ending is not None and ending.leads(seat)
    ends = ending is not None and ending.seat == seat
    ended = ending is not None and ending.seat != seat
    return SeatFacts(
        games=1,
        wins=1 / len(outcome.winners) if seat in outcome.winners else 0.0,
        turns=sum(step.seat == seat and _is_turn(step) for step in game.history),
        score=score.total,
        route_points=score.routes,
        toll=sum(claim.points[seat] for claim in claims if claim.seat != seat),
        toll_paid=sum(sum(claim.points) - claim.points[seat] for claim in mine),
        ticket_points=score.ticket_points,
        longest=score.longest_path,
        station_points=score.stations,
        globetrotter=score.globetrotter,
        alvin=score.alvin,
        kept_setup=setup,
        kept_later=len(added),
        kept=setup + len(added),
        done=score.completed,
        done_later=sum(t.completed for t in score.tickets if t.ticket in added),
        points_done=sum(t.points for t in score.tickets if t.completed),
        points_lost=_points_lost(score),
        clean=int(score.completed == len(score.tickets)),
        draws=len(drawn),
        draws_laid=sum(draw.laid for draw in drawn),
        draws_early=sum(draw.laid < 1 / 3 for draw in drawn),
        draws_late=sum(draw.laid >= 2 / 3 for draw in drawn),
        draws_ready=sum(draw.ready for draw in drawn),
        draws_ahead=sum(draw.lead > 0 for draw in drawn),
        claims=len(mine),
        trains_laid=sum(claim.length for claim in mine),
        claims_short=sum(claim.length <= 2 for claim in mine),
        claims_long=sum(claim.length >= 5 for claim in mine),
        took=sum(bool(claim.losses) for claim in mine),
        took_chance=sum(claim.chance.took for claim in mine),
        took_alike=sum(claim.alike.took for claim in mine),
        blocked=sum(claim.blocked for claim in mine),
        blocked_chance=sum(claim.chance.blocked for claim in mine),
        blocked_alike=sum(claim.alike.blocked for claim in mine),
        spoiled=sum(claim.spoiled for claim in mine),
        spoiled_chance=sum(claim.chance.spoiled for claim in mine),
        spoiled_alike=sum(claim.alike.spoiled for claim in mine),
        spare=sum(not claim.needed for claim in mine),
        spare_chance=sum(claim.chance.spare for claim in mine if not claim.needed),
        spare_alike=sum(claim.alike.spare for claim in mine if not claim.needed),
        victims=len(blocks),
        victims_failed=sum(bool(loss.failed) for _, loss in blocks),
        victims_incomplete=sum(_incomplete(game, outcome, *block) for block in blocks),
        robbed=sum(loss.seat == seat for claim in claims for loss in claim.losses),
        ends=int(ends),
        ends_leading=int(ends and leads),
        ended=int(ended),
        ended_leading=int(ended and leads),
        hand_left=int(state["hand"][seat].sum()),
        trains_left=int(state["trains"][seat]),
        marks=int((state["marks"][seat] >= 0).sum()) - int(game.spec.table["start_city"][0]),
    )


def _points_lost(score: SeatScore) -> int:
    return -sum(ticket.points for ticket in score.tickets if not ticket.completed)


def _incomplete(game: Game, outcome: Outcome, claim: Claimed, loss: Loss) -> bool:
    """Whether a ticket that a seat held when it lost a lane was incomplete at the end."""
    held = game.history[claim.step].state["ticket"][0] == at.HELD + loss.seat
    return any(held[t.ticket] and not t.completed for t in outcome.seats[loss.seat].tickets)
