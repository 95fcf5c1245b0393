"""What is called from Python to tell people something: each takes arrays of records."""

from macaz.kernel.costs import cost_tickets
from macaz.kernel.layout import LANES
from macaz.kernel.legal import kind_of
from macaz.kernel.odds import extra_payable, extra_ways, tunnel_colors
from macaz.kernel.pay import price_of
from macaz.kernel.rescue import list_rescues
from macaz.kernel.table import (
    captures_alvin,
    claimable,
    free_lanes,
    keep_least,
    lane_among,
    route_scorers,
    usable_lanes,
)
from macaz.kernel.tickets import plan_tickets
from macaz.kernel.trail import longest_trail
from macaz.kernel.why import why_city, why_lane, why_not, why_now
from macaz.kernel.world import make_world

PRICE = 3  # numbers that say what an action costs


def reason_now(states, seat):
    """Why a seat may decide nothing now."""
    return why_now(states[0], seat)


def reason_not(specs, states, works, seat, a):
    """Why a seat may not take an action."""
    return why_not(specs[0], states[0], seat, a, works[0])


def list_reasons(specs, states, seat, out):
    """Why a seat cannot choose each lane, then each city; 0 for what the map does not have."""
    spec = specs[0]
    for lane in range(LANES):
        out[lane] = 0
        if lane_among(spec.lanes[0], spec.lanes[1], spec.lanes[2], lane):
            out[lane] = why_lane(spec, states[0], seat, lane)
    for city in range(spec.cities):
        out[LANES + city] = why_city(spec, states[0], seat, city)


def list_free(specs, states, seat, ways):
    """Write the lanes that are not closed to a seat, as three words."""
    ways[0], ways[1], ways[2] = free_lanes(specs[0], states[0], seat)


def list_claimable(specs, states, seat, ways):
    """Write the lanes that a seat may claim if it can pay, as three words."""
    ways[0], ways[1], ways[2] = claimable(specs[0], states[0], seat)


def list_usable(specs, states, seat, ways):
    """Write the lanes that a seat could still claim, network and cards aside, as three words."""
    ways[0], ways[1], ways[2] = usable_lanes(specs[0], states[0], seat)


def least_to_keep(specs, states, seat):
    """How many of the tickets before a seat must be kept."""
    return keep_least(specs[0], states[0], seat)


def list_prices(specs, states, out, ways):
    """Write what some actions cost, PRICE numbers for each: a colour, its cards, locomotives."""
    spec = specs[0]
    for n in range(len(ways) // PRICE):
        kind = kind_of(spec, out[n])
        color, cards, locos = price_of(spec, states[0], kind, out[n] - spec.base[kind])
        ways[PRICE * n] = color
        ways[PRICE * n + 1] = cards
        ways[PRICE * n + 2] = locos


def claim_points(specs, states, seat, lane):
    """The points that a seat gets at once by claiming a lane (C5, W4, A2)."""
    spec = specs[0]
    s = states[0]
    a = spec.lane_a[lane] + 0
    b = spec.lane_b[lane] + 0
    one, other = route_scorers(spec, s, seat, a, b)
    points = 0
    if one == seat:
        points += spec.points[spec.lane_length[lane]]
    if other == seat:
        points += spec.points[spec.lane_length[lane]]
    if captures_alvin(s, seat, a, b):
        points += spec.alvin_points
    return points


def colors_to_try(specs, states, seat):
    """The colours with which a seat can try a tunnel now, as bits."""
    return tunnel_colors(specs[0], states[0], seat)


def ways_to_cost(specs, states, seat, color, ways):
    """Count the draws after which a tunnel costs 0, 1, … extra cards; returns their number."""
    return extra_ways(specs[0], states[0], seat, color, ways)


def most_extra(states, seat, color, length):
    """How many extra cards a hand can pay after it laid so many with a colour."""
    return extra_payable(states[0], seat, color, length)


def draw_world(specs, views, states, rooms, dice):
    """Draw a state that gives a view; 0, or why there is none."""
    return make_world(specs[0], views[0], states[0], rooms[0], dice[0])


def station_rescues(specs, states, works, tallies, seat, out):
    """List what a station would complete, as city * TICKETS + ticket; returns the number."""
    return list_rescues(specs[0], states[0], seat, works[0], tallies[0], out)


def plan_seat(specs, states, works, tallies, networks, plans, seat):
    """Write how the tickets of a seat stand, and a cheapest way for each."""
    plan_tickets(specs[0], states[0], seat, works[0], tallies[0], networks[0], plans[0])


def cost_plan(specs, states, plans, costs, seat):
    """Write what each open ticket of a seat's plan still costs at the least."""
    cost_tickets(specs[0], states[0], seat, plans[0], costs[0])


def list_trail(specs, states, works, seat, out):
    """List the routes of a seat's longest path, in order; returns the number."""
    return longest_trail(specs[0], states[0], works[0], seat, out)
