"""What is called from Python to tell people something: each takes arrays of records."""

from macaz.kernel.layout import LANES
from macaz.kernel.table import lane_among
from macaz.kernel.why import why_city, why_lane, why_not, why_now


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
