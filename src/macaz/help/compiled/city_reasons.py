"""Reasons for a city: a station, a start, a marker, or where Alvin goes."""

from macaz.help.compiled.reason_codes import (
    ALVIN_SAFE,
    MARKER,
    MARKER_LITTLE,
    START_NEARER,
    START_TICKETS,
    STATION_COMPLETES,
    STATION_NEARER,
    STATION_NEEDED,
)
from macaz.help.compiled.study import ELSE, NOW, THEN, add_reason, by_hope, has_built, is_wanted
from macaz.kernel.bits import lowest
from macaz.kernel.layout import (
    A_MARK,
    A_STATION,
    HELD,
    MARK,
    PAYS,
    TICKET_DONE,
    TICKET_OPEN,
    WORD_BITS,
    WORDS,
)
from macaz.kernel.legal import kind_of
from macaz.kernel.table import lane_among, lanes_closing, marker_sites, marks_used, usable_lanes
from macaz.kernel.tickets import plan_tickets

LITTLE = 6  # points of open routes that make a marker worth little
WORTH = 6  # points from which on they are a reason for it


def city_of(spec, a):
    """The city of an action that builds, begins or moves Alvin somewhere."""
    kind = kind_of(spec, a)
    if kind == A_MARK or kind == A_STATION:
        return (a - spec.base[kind]) // PAYS
    return a - spec.base[kind]


def mark_in(spec, study, seat, city, phase, slot):
    """Write into a slot what follows when a seat builds or begins in a city."""
    study.states[slot] = study.states[NOW]
    s = study.states[slot]
    s.marks[seat, marks_used(s, seat)] = city
    s.phase = phase
    plan_tickets(
        spec, s, seat, study.works[0], study.tallies[0], study.networks[0], study.plans[slot]
    )


def reasons_of_station(spec, study, seat, city):
    """Reasons for a station: the tickets that it completes or brings nearer."""
    s = study.states[NOW]
    now = study.plans[NOW]
    then = study.plans[THEN]
    first = not has_built(spec, s, seat)
    mark_in(spec, study, seat, city, MARK, THEN)
    for t in range(spec.tickets):
        if not is_wanted(s, seat, now, t):
            continue
        points = spec.ticket_points[t] + 0.0
        if then.state[t] == TICKET_DONE:
            k = add_reason(study, STATION_COMPLETES, 2.0 * points)
            study.reasons[k].amount = spec.ticket_points[t]
        elif not first or then.state[t] != TICKET_OPEN or then.stations[t] > 0:
            continue
        elif by_hope(spec, study.states[THEN], then, t):
            continue
        elif now.stations[t] > 0:
            k = add_reason(study, STATION_NEEDED, points)
            study.reasons[k].amount = then.spaces[t]
        elif then.spaces[t] < now.spaces[t] and not by_hope(spec, s, now, t):
            k = add_reason(study, STATION_NEARER, 1.5 * (now.spaces[t] - then.spaces[t]))
            study.reasons[k].amount = then.spaces[t]
            study.reasons[k].of = now.spaces[t]
        else:
            continue
        study.reasons[k].city = city
        study.reasons[k].ticket = t


def open_to_others(spec, s, seat, city):
    """The routes at a city that another seat could still claim, its network aside: points, number.

    The lanes between two cities count once, where a seat may have only one of them.
    """
    points = 0
    routes = 0
    o0 = o1 = o2 = 0
    for p in range(spec.seats):
        if p != seat:
            u0, u1, u2 = usable_lanes(spec, s, p)
            o0 |= u0
            o1 |= u1
            o2 |= u2
    for lane in range(WORDS * WORD_BITS):
        if not lane_among(o0, o1, o2, lane):
            continue
        if spec.lane_a[lane] != city and spec.lane_b[lane] != city:
            continue
        b0, b1, _ = lanes_closing(spec, lane)
        counted = False  # with a lane of a lower number
        if lane >= WORD_BITS and b0 & o0 != 0:
            counted = True
        if lane >= 2 * WORD_BITS and b1 & o1 != 0:
            counted = True
        if not counted:
            points += spec.points[spec.lane_length[lane]]
            routes += 1
    return points, routes


def reason_of_marker(spec, study, seat, city):
    """A reason for a marker: the points of the routes that others can still claim there."""
    points, routes = open_to_others(spec, study.states[NOW], seat, city)
    if points >= WORTH:
        k = add_reason(study, MARKER, 0.25 * points)
        study.reasons[k].city = city
        study.reasons[k].amount = points
        study.reasons[k].of = routes


def reason_of_skip(spec, study, seat):
    """A reason for no marker: there is little to gain at either end."""
    s = study.states[NOW]
    ends = marker_sites(spec, s)
    most = 0
    while ends != 0:
        city = lowest(ends)
        ends &= ends - 1
        points, _ = open_to_others(spec, s, seat, city)
        most = max(most, points)
    if most <= LITTLE:
        k = add_reason(study, MARKER_LITTLE, 4.0)
        study.reasons[k].amount = most


def reasons_of_start(spec, study, seat, city, instead):
    """Reasons for a starting city; `instead` is the other one, or -1."""
    s = study.states[NOW]
    ending = 0
    for t in range(spec.tickets):
        if s.ticket[t] == HELD + seat:
            if spec.ticket_a[t] == city or spec.ticket_b[t] == city:
                ending += 1
    if ending > 0:
        k = add_reason(study, START_TICKETS, 2.0 * ending)
        study.reasons[k].city = city
        study.reasons[k].amount = ending
    reason_of_marker(spec, study, seat, city)
    if instead < 0:
        return
    mark_in(spec, study, seat, city, s.phase + 0, THEN)
    mark_in(spec, study, seat, instead, s.phase + 0, ELSE)
    then = study.plans[THEN]
    there = study.plans[ELSE]
    for t in range(spec.tickets):
        if s.ticket[t] == HELD + seat:
            if then.state[t] == TICKET_OPEN and there.state[t] == TICKET_OPEN:
                saved = there.spaces[t] - then.spaces[t]
                if saved > 0:
                    k = add_reason(study, START_NEARER, 0.8 * saved)
                    study.reasons[k].city = city
                    study.reasons[k].ticket = t
                    study.reasons[k].amount = then.spaces[t]
                    study.reasons[k].of = there.spaces[t]


def reason_of_alvin(spec, study, seat, city, instead):
    """A reason for the city where Alvin goes: few routes lead there, fewer than to the other."""
    s = study.states[NOW]
    _, routes = open_to_others(spec, s, seat, city)
    if instead >= 0:
        _, more = open_to_others(spec, s, seat, instead)
        if routes >= more:
            return
    k = add_reason(study, ALVIN_SAFE, 3.0)
    study.reasons[k].city = city
    study.reasons[k].amount = routes
