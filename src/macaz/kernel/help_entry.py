"""What is called from Python to tell people something: each takes arrays of records."""

from macaz.kernel.layout import LANES
from macaz.kernel.odds import extra_payable, extra_ways, tunnel_colors
from macaz.kernel.rescue import list_rescues
from macaz.kernel.table import captures_alvin, lane_among, route_scorers, usable_lanes
from macaz.kernel.tickets import plan_tickets
from macaz.kernel.why import why_city, why_lane, why_not, why_now
from macaz.kernel.world import make_world


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


def list_usable(specs, states, seat, ways):
    """Write the lanes that a seat could still claim, network and cards aside, as three words."""
    o0, o1, o2 = usable_lanes(specs[0], states[0], seat)
    ways[0] = o0
    ways[1] = o1
    ways[2] = o2


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
