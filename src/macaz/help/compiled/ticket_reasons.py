"""Reasons for keeping tickets, for giving them back, and for drawing more."""

from math import sqrt

from macaz.help.compiled.reason_codes import (
    ALL_DONE,
    MANY_TURNS,
    TICKET_FITS,
    TICKET_LOST,
    TICKET_NEAR,
    TICKET_READY,
    TICKET_RISK,
    TICKET_SHARED,
)
from macaz.help.compiled.study import NOW, THEN, add_reason, build_way, has_built, is_enough
from macaz.kernel.layout import (
    A_CHOOSE,
    A_KEEP,
    HELD,
    OFFERED,
    TICKET_DONE,
    TICKET_IMPOSSIBLE,
    TICKET_OPEN,
)
from macaz.kernel.legal import kind_of
from macaz.kernel.rescue import settle_tickets
from macaz.kernel.tickets import open_way, survey

NEAR = 4  # trains that a ticket lacks at most to be near
SAVED = 3  # trains that a way must save to be told
MANY = 8.0  # own turns from which on there is time


def kept_by(spec, s, seat, a, t):
    """Whether an action keeps a ticket that is offered."""
    kind = kind_of(spec, a)
    mask = 0
    if kind == A_CHOOSE:
        mask = (a - spec.base[A_CHOOSE]) & ((1 << spec.setup_deal) - 1)
    elif kind == A_KEEP:
        mask = a - spec.base[A_KEEP]
    slot = 0
    for i in range(t):
        if s.ticket[i] == OFFERED + seat:
            slot += 1
    return s.ticket[t] == OFFERED + seat and (mask >> slot) & 1 == 1


def held_after(spec, s, seat, a, t):
    """Whether a seat holds a ticket after an action."""
    return s.ticket[t] == HELD + seat or kept_by(spec, s, seat, a, t)


def spaces_after(spec, study, seat, t, u):
    """The trains that a ticket lacks once the way of another one is built; -1 if it is lost."""
    study.states[THEN] = study.states[NOW]
    s = study.states[THEN]
    q = study.networks[0]
    tally = study.tallies[0]
    build_way(spec, s, seat, study.plans[NOW], u)
    survey(spec, s, seat, q)
    settle_tickets(spec, s, seat, study.works[0], tally)
    spaces, new = open_way(spec, s, seat, t, tally, q)
    if new > 0:
        return -1
    return spaces


def shared_way(spec, study, seat, a, t):
    """A reason by the ticket whose way saves most of the way of another one that is kept."""
    s = study.states[NOW]
    now = study.plans[NOW]
    least = now.spaces[t] + 0
    best = -1
    for u in range(spec.tickets):
        if u != t and held_after(spec, s, seat, a, u):
            if now.state[u] == TICKET_OPEN and now.stations[u] == 0:
                spaces = spaces_after(spec, study, seat, t, u)
                if 0 <= spaces < least:
                    least = spaces
                    best = u
    saved = now.spaces[t] - least
    if saved >= SAVED and 3 * saved >= now.spaces[t]:
        k = add_reason(study, TICKET_SHARED, 0.6 * saved)
        study.reasons[k].ticket = t
        study.reasons[k].other = best
        study.reasons[k].amount = least
        study.reasons[k].of = now.spaces[t]


def reasons_to_keep(spec, study, lines, seat, one, t, free):
    """Reasons for a ticket that is kept; `free`: the other move gives it back."""
    now = study.plans[NOW]
    line = lines[one]
    points = spec.ticket_points[t] + 0.0
    part = 0.4 + 0.6 * free
    if now.state[t] == TICKET_DONE:
        k = add_reason(study, TICKET_READY, 2.0 * points * part)
        study.reasons[k].ticket = t
        study.reasons[k].amount = spec.ticket_points[t]
        return
    if is_enough(line) and line.held[t] > 0:
        share = line.done[t] / line.held[t]
        if share - sqrt(share * (1.0 - share) / line.held[t]) >= 0.5:
            k = add_reason(study, TICKET_FITS, (2.0 * share - 1.0) * points * part)
            study.reasons[k].ticket = t
            study.reasons[k].share = share
            study.reasons[k].amount = spec.ticket_points[t]
    s = study.states[NOW]
    if now.state[t] == TICKET_OPEN and now.stations[t] == 0 and not has_built(spec, s, seat):
        if now.spaces[t] <= NEAR:
            k = add_reason(study, TICKET_NEAR, (6.0 - now.spaces[t]) * part)
            study.reasons[k].ticket = t
            study.reasons[k].amount = now.spaces[t]
        shared_way(spec, study, seat, lines[one].action + 0, t)


def reasons_to_return(spec, study, lines, seat, other, t):
    """Reasons for giving a ticket back that the other move keeps."""
    now = study.plans[NOW]
    points = spec.ticket_points[t] + 0.0
    if now.state[t] == TICKET_IMPOSSIBLE:
        k = add_reason(study, TICKET_LOST, 2.0 * points)
        study.reasons[k].ticket = t
        study.reasons[k].amount = spec.ticket_points[t]
        return
    line = lines[other]
    if is_enough(line) and line.held[t] > 0:
        share = line.done[t] / line.held[t]
        if share + sqrt(share * (1.0 - share) / line.held[t]) <= 0.5:
            k = add_reason(study, TICKET_RISK, (1.0 - 2.0 * share) * points)
            study.reasons[k].ticket = t
            study.reasons[k].share = share
            study.reasons[k].amount = spec.ticket_points[t]


def reasons_of_tickets(spec, study, lines, seat, one, other):
    """Reasons for a choice among offered tickets."""
    s = study.states[NOW]
    for t in range(spec.tickets):
        if s.ticket[t] != OFFERED + seat:
            continue
        there = False
        if other >= 0:
            there = kept_by(spec, s, seat, lines[other].action + 0, t)
        if kept_by(spec, s, seat, lines[one].action + 0, t):
            reasons_to_keep(spec, study, lines, seat, one, t, not there)
        elif there:
            reasons_to_return(spec, study, lines, seat, other, t)


def reasons_of_draw(spec, study, lines, seat, one):
    """Reasons for drawing tickets: those in hand are completed, and there is time."""
    s = study.states[NOW]
    now = study.plans[NOW]
    held = 0
    done = 0
    for t in range(spec.tickets):
        if s.ticket[t] == HELD + seat:
            held += 1
            done += now.state[t] == TICKET_DONE
    if held > 0 and held == done:
        k = add_reason(study, ALL_DONE, 6.0)
        study.reasons[k].amount = s.trains[seat]
    if is_enough(lines[one]) and lines[one].turns >= MANY * lines[one].tries:
        k = add_reason(study, MANY_TURNS, 3.0)
        study.reasons[k].amount = int(lines[one].turns / lines[one].tries + 0.5)
