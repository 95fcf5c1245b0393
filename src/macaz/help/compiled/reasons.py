"""The reasons for a move, compared with another one: found by its kind, ordered, the best kept."""

from macaz.bots.compiled.layout import NOTHING
from macaz.help.compiled.card_reasons import reasons_of_card, reasons_of_deck
from macaz.help.compiled.city_reasons import (
    city_of,
    reason_of_alvin,
    reason_of_marker,
    reason_of_skip,
    reasons_of_start,
    reasons_of_station,
)
from macaz.help.compiled.other_reasons import reasons_of_other
from macaz.help.compiled.reason_codes import CANDIDATES, REASONS, TICKET_ODDS
from macaz.help.compiled.route_reasons import reasons_of_route
from macaz.help.compiled.study import NOW, forget_reasons, lane_of, same_lanes
from macaz.help.compiled.ticket_reasons import reasons_of_draw, reasons_of_tickets
from macaz.help.compiled.try_reasons import reasons_of_tries
from macaz.kernel.layout import (
    A_ALVIN,
    A_BLIND,
    A_CHOOSE,
    A_CLAIM,
    A_KEEP,
    A_MARK,
    A_PAY,
    A_SKIP,
    A_START,
    A_STATION,
    A_TAKE,
    A_TICKETS,
)
from macaz.kernel.legal import kind_of
from macaz.kernel.tickets import plan_tickets

ALIKE = 2  # reasons of one code that are told, at most; of TICKET_ODDS one


def other_move(spec, s, lines, one):
    """The best other move than a line's: none that claims the same route; -1 if there is none."""
    lane = lane_of(spec, s, lines[one].action + 0)
    best = -1
    for i in range(len(lines)):
        if i == one or lines[i].action == NOTHING:
            continue
        if best >= 0 and lines[i].rank >= lines[best].rank:
            continue
        there = lane_of(spec, s, lines[i].action + 0)
        if lane >= 0 and there >= 0 and same_lanes(spec, lane, there):
            continue
        best = i
    return best


def reasons_by_kind(spec, study, lines, seat, one, other, instead):
    """Reasons by what a move does; `instead` is the lane that the other one claims, or -1."""
    a = lines[one].action + 0
    kind = kind_of(spec, a)
    place = -1  # of the other move, if it is of the same kind
    if other >= 0 and kind_of(spec, lines[other].action + 0) == kind:
        place = city_of(spec, lines[other].action + 0)
    if kind == A_CLAIM or kind == A_PAY:
        reasons_of_route(spec, study, lines, seat, one, other, instead)
    elif kind == A_TAKE:
        reasons_of_card(spec, study, lines, seat, one, a - spec.base[A_TAKE])
    elif kind == A_BLIND:
        reasons_of_deck(spec, study, seat)
    elif kind == A_TICKETS:
        reasons_of_draw(spec, study, lines, seat, one)
    elif kind == A_CHOOSE or kind == A_KEEP:
        reasons_of_tickets(spec, study, lines, seat, one, other)
    elif kind == A_STATION:
        reasons_of_station(spec, study, seat, city_of(spec, a))
    elif kind == A_START:
        reasons_of_start(spec, study, seat, city_of(spec, a), place)
    elif kind == A_MARK:
        reason_of_marker(spec, study, seat, city_of(spec, a))
    elif kind == A_SKIP:
        reason_of_skip(spec, study, seat)
    elif kind == A_ALVIN:
        reason_of_alvin(spec, study, seat, city_of(spec, a), place)


def heavier(reasons, i, j):
    """Whether a reason comes before another: by its weight, then as they were found."""
    if reasons[i].weight != reasons[j].weight:
        return reasons[i].weight > reasons[j].weight
    return i < j


def is_told(reasons, n, code):
    """Whether the first reasons have enough of a code."""
    alike = 0
    for i in range(n):
        if reasons[i].code == code:
            alike += 1
    return alike == ALIKE or (alike == 1 and code == TICKET_ODDS)


def keep_heaviest(reasons):
    """Put the heaviest reasons first, and forget the others; returns how many there are."""
    n = 0
    while n < REASONS:
        best = -1
        for i in range(n, CANDIDATES):
            if reasons[i].code != 0 and not is_told(reasons, n, reasons[i].code + 0):
                if best < 0 or heavier(reasons, i, best):
                    best = i
        if best < 0:
            break
        if best != n:
            reasons[CANDIDATES] = reasons[n]
            reasons[n] = reasons[best]
            reasons[best] = reasons[CANDIDATES]
        n += 1
    for i in range(n, CANDIDATES):
        reasons[i].code = 0
    return n


def find_reasons(spec, study, lines, seat, one, other):
    """Find what speaks for one move against another, the heaviest first; returns how many."""
    s = study.states[NOW]
    forget_reasons(study)
    a = lines[one].action + 0
    if seat < 0 or a == NOTHING:
        return 0
    if other < 0 or lines[other].action == NOTHING:
        other = other_move(spec, s, lines, one)
    plan_tickets(
        spec, s, seat, study.works[0], study.tallies[0], study.networks[0], study.plans[NOW]
    )
    lane = lane_of(spec, s, a)
    instead = -1
    if other >= 0:
        instead = lane_of(spec, s, lines[other].action + 0)
    reasons_by_kind(spec, study, lines, seat, one, other, instead)
    if other >= 0:
        reasons_of_other(spec, study, lines, seat, one, other, lane, instead)
    reasons_of_tries(spec, study, lines, seat, one, other)
    return keep_heaviest(study.reasons)
