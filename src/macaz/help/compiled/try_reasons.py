"""Reasons by what the tries brought, whatever the move: tickets, points, the time that is left."""

from math import sqrt

from macaz.help.compiled.reason_codes import (
    ALVIN_HELD,
    FEW_TURNS,
    LESS_FOR_OTHER,
    LONGEST_PATH,
    MORE_FOR_ROUTES,
    MORE_FOR_TICKETS,
    MOST_TICKETS,
    TICKET_ODDS,
)
from macaz.help.compiled.study import NOW, add_reason, is_enough
from macaz.kernel.layout import A_CLAIM, A_STATION, OVER
from macaz.kernel.legal import kind_of

FEW = 3.5  # own turns up to which the end is near
CLEAR = 2.0  # standard errors by which two shares must differ
APART = 0.1  # and so much in any case
SOME = 3  # points by which averages must differ


def differs(share, tries, instead, others):
    """Whether a share is clearly larger than that of other tries."""
    error = sqrt(share * (1.0 - share) / tries + instead * (1.0 - instead) / others)
    return share - instead >= max(APART, CLEAR * error)


def odds_of_tickets(spec, study, line, other):
    """Reasons by the tickets that were completed more often."""
    for t in range(spec.tickets):
        if line.held[t] == line.tries and other.held[t] == other.tries:
            share = line.done[t] / line.tries
            instead = other.done[t] / other.tries
            if differs(share, line.tries, instead, other.tries):
                k = add_reason(study, TICKET_ODDS, 1.0 * spec.ticket_points[t] * (share - instead))
                study.reasons[k].ticket = t
                study.reasons[k].share = share
                study.reasons[k].instead = instead


def bonus(study, code, points, line, other, won, lost):
    """A reason by a bonus that was won more often: `won` and `lost` are sums of its points."""
    if points == 0:
        return
    share = won / (points * line.tries)
    instead = lost / (points * other.tries)
    if differs(share, line.tries, instead, other.tries):
        k = add_reason(study, code, points * (share - instead))
        study.reasons[k].share = share
        study.reasons[k].instead = instead


def bonuses(spec, study, line, other):
    """Reasons by the bonuses of the edition."""
    bonus(study, LONGEST_PATH, spec.longest_points, line, other, line.longest, other.longest)
    most = spec.globetrotter_points
    bonus(study, MOST_TICKETS, most, line, other, line.globetrotter, other.globetrotter)
    bonus(study, ALVIN_HELD, spec.alvin_points, line, other, line.alvin, other.alvin)


def more_on_average(study, code, more, error, seat):
    """A reason by the points that the tries brought more, on average."""
    if more >= SOME and more >= CLEAR * error:
        k = add_reason(study, code, min(0.15 * more, 2.0))
        study.reasons[k].amount = int(more + 0.5)
        study.reasons[k].seat = seat


def averages(spec, study, line, other, seat):
    """Reasons by the points for routes and tickets, and by those of another seat."""
    n = line.tries + 0.0
    m = other.tries + 0.0
    error = line.spread * sqrt(1.0 / n + 1.0 / m)  # of the margin, which varies more than its parts
    more_on_average(study, MORE_FOR_ROUTES, line.routes / n - other.routes / m, error, -1)
    more_on_average(study, MORE_FOR_TICKETS, line.tickets / n - other.tickets / m, error, -1)
    best = 0.0
    who = -1
    for p in range(spec.seats):
        if p != seat:
            less = other.points[p] / m - line.points[p] / n
            if less > best:
                best = less
                who = p
    more_on_average(study, LESS_FOR_OTHER, best, error, who)


def time_left(spec, study, lines, seat, one, other):
    """A reason by the few turns that are left: for what brings points at once, against the rest."""
    s = study.states[NOW]
    line = lines[one]
    kind = kind_of(spec, line.action + 0)
    if s.last > 0 or s.phase == OVER or not is_enough(line):
        return
    if kind != A_CLAIM and kind != A_STATION:
        return
    if other >= 0:
        kind = kind_of(spec, lines[other].action + 0)
        if kind == A_CLAIM or kind == A_STATION:
            return
    if line.turns > FEW * line.tries:
        return
    who = seat
    for p in range(spec.seats):
        if s.trains[p] < s.trains[who]:
            who = p
    k = add_reason(study, FEW_TURNS, 3.0)
    study.reasons[k].amount = int(line.turns / line.tries + 0.5)
    study.reasons[k].seat = who
    study.reasons[k].of = s.trains[who]


def reasons_of_tries(spec, study, lines, seat, one, other):
    """Reasons by the tries of both moves."""
    time_left(spec, study, lines, seat, one, other)
    if other < 0 or not is_enough(lines[one]) or not is_enough(lines[other]):
        return
    odds_of_tickets(spec, study, lines[one], lines[other])
    bonuses(spec, study, lines[one], lines[other])
    averages(spec, study, lines[one], lines[other], seat)
