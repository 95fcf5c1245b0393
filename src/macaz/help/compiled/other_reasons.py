"""Reasons by what is wrong with the other move: what it spends, gives away or does not bring."""

from math import sqrt

from macaz.help.compiled.card_reasons import lacks
from macaz.help.compiled.reason_codes import (
    CAN_WAIT,
    GIVES_POINTS,
    KEEPS_CARDS,
    SERVES_NONE,
    STATION_KEPT,
    TUNNEL_RISK,
)
from macaz.help.compiled.route_reasons import (
    LIKELY,
    all_taken,
    chance_of_tunnel,
    claim_in,
    claimed_tunnel,
    points_for,
    ticket_served,
)
from macaz.help.compiled.study import (
    ELSE,
    NOW,
    THEN,
    add_reason,
    is_enough,
    is_open,
    is_wanted,
    same_lanes,
)
from macaz.kernel.bits import lowest
from macaz.kernel.layout import (
    A_CLAIM,
    A_MARK,
    A_PAY,
    A_STATION,
    CARDS,
    LOCO,
    WORD_BITS,
    WORDS,
)
from macaz.kernel.legal import kind_of
from macaz.kernel.pay import price_of
from macaz.kernel.why import class_of

RISKY = 0.2  # chance from which on it is told that a tunnel fails


def costs_cards(kind):
    """Whether an action of a kind is paid with cards."""
    return kind == A_CLAIM or kind == A_STATION or kind == A_MARK or kind == A_PAY


def spends(spec, s, a, c):
    """How many cards of a colour an action spends."""
    kind = kind_of(spec, a)
    if not costs_cards(kind):
        return 0
    color, cards, locos = price_of(spec, s, kind, a - spec.base[kind])
    if c == LOCO:
        return locos
    if c == color:
        return cards
    return 0


def takes_of(spec, lane, c):
    """How many cards a lane takes of its own colour, or of locomotives by its symbols; else 0."""
    k = class_of(spec, lane)
    if c == LOCO:
        return spec.class_locos[k] + 0
    if spec.class_color[k] == c:
        return spec.class_length[k] - spec.class_locos[k]
    return 0


def needing_card(spec, study, seat, c, spent, instead):
    """A lane that takes such cards, which the open tickets lack and the hand lacks cards for then.

    Returns the lane and its ticket, the one of most points; -1 and -1 if there is none. `instead`
    is the lane that the spent cards pay for.
    """
    s = study.states[NOW]
    now = study.plans[NOW]
    best = -1
    found = -1
    for t in range(spec.tickets):
        if not is_open(spec, s, seat, now, t):
            continue
        if best >= 0 and spec.ticket_points[t] <= spec.ticket_points[best]:
            continue
        for v in range(WORDS):
            rest = lacks(spec, s, now, t, v)
            while rest != 0:
                lane = v * WORD_BITS + lowest(rest)
                rest &= rest - 1
                if s.hand[seat, c] - spent < takes_of(spec, lane, c):
                    if instead < 0 or not same_lanes(spec, lane, instead):
                        best = t
                        found = lane
    return found, best


def cards_kept(spec, study, seat, a, b, same, instead):
    """Reasons by the cards that the other move spends; `same`: for the same lane."""
    s = study.states[NOW]
    for c in range(CARDS):
        spent = spends(spec, s, b, c) - spends(spec, s, a, c)
        if spent <= 0 or (not same and spends(spec, s, a, c) > 0):
            continue
        lane, ticket = needing_card(spec, study, seat, c, spends(spec, s, b, c), instead)
        weight = 0.0
        if lane >= 0:
            weight = 2.0 + 0.15 * spec.ticket_points[ticket]
        elif c == LOCO:
            weight = 1.0 * spent
        elif same:
            weight = 0.5
        if weight > 0.0:
            k = add_reason(study, KEEPS_CARDS, weight)
            study.reasons[k].color = c
            study.reasons[k].amount = spent
            if lane >= 0:
                study.reasons[k].route = spec.lane_route[lane]
                study.reasons[k].ticket = ticket


def route_can_wait(spec, study, lines, seat, one, lane, ticket):
    """A reason by how seldom others took the lane of the other move where it was not claimed."""
    line = lines[one]
    if not is_enough(line):
        return
    total, _, _ = all_taken(spec, line, seat, lane)
    share = total / line.tries
    if share + sqrt(share * (1.0 - share) / line.tries) > LIKELY:
        return
    k = add_reason(study, CAN_WAIT, 2.0)
    study.reasons[k].route = spec.lane_route[lane]
    study.reasons[k].share = share
    study.reasons[k].ticket = ticket


def nothing_nearer(spec, study, seat):
    """Whether there are open tickets, and the claim of the other move brings none nearer."""
    s = study.states[NOW]
    now = study.plans[NOW]
    then = study.plans[ELSE]
    found = False
    for t in range(spec.tickets):
        if is_wanted(s, seat, now, t):
            found = True
            if then.state[t] != now.state[t] or then.spaces[t] < now.spaces[t]:
                return False
            if then.stations[t] < now.stations[t]:
                return False
    return found


def other_claim(spec, study, lines, seat, one, other, mine, lane):
    """Reasons by what the other move claims; `mine` is what the line claims, or -1."""
    s = study.states[NOW]
    claim_in(spec, study, seat, lane, ELSE)
    better = mine < 0 or ticket_served(spec, study, seat, mine, THEN) >= 0
    if better and nothing_nearer(spec, study, seat):
        k = add_reason(study, SERVES_NONE, 1.5)
        study.reasons[k].route = spec.lane_route[lane]
    for p in range(spec.seats):
        points = points_for(spec, s, seat, p, lane)
        if p != seat and points > 0:
            k = add_reason(study, GIVES_POINTS, 4.0 + points)
            study.reasons[k].route = spec.lane_route[lane]
            study.reasons[k].seat = p
            study.reasons[k].amount = points
    if mine < 0:
        ticket = ticket_served(spec, study, seat, lane, ELSE)
        if ticket >= 0:
            route_can_wait(spec, study, lines, seat, one, lane, ticket)
    if claimed_tunnel(spec, lines[other].action + 0):
        chance, _ = chance_of_tunnel(spec, study, seat, lines[other].action + 0)
        if 1.0 - chance >= RISKY:
            k = add_reason(study, TUNNEL_RISK, 8.0 * (1.0 - chance))
            study.reasons[k].route = spec.lane_route[lane]
            study.reasons[k].share = 1.0 - chance


def reasons_of_other(spec, study, lines, seat, one, other, lane, instead):
    """Reasons by the other move; `lane` and `instead` are what the two claim, or -1."""
    a = lines[one].action + 0
    b = lines[other].action + 0
    same = lane >= 0 and lane == instead
    if instead >= 0 and not (lane >= 0 and same_lanes(spec, lane, instead)):
        other_claim(spec, study, lines, seat, one, other, lane, instead)
    cards_kept(spec, study, seat, a, b, same, instead)
    if kind_of(spec, b) == A_STATION and kind_of(spec, a) != A_STATION:
        k = add_reason(study, STATION_KEPT, 0.5 * spec.station_points)
        study.reasons[k].amount = spec.station_points
