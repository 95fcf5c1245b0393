"""Reasons for a claim, or for paying for a tunnel: the tickets it serves, and who else wants it."""

from math import sqrt

from macaz.help.compiled.reason_codes import (
    BLOCKS,
    CAPTURES_ALVIN,
    COMPLETES_TICKET,
    CONTESTED,
    ENDS_GAME,
    LAST_TURN,
    NEEDS_STATION,
    NETWORK,
    ONLY_WAY,
    POINTS,
    SERVES_TICKET,
    TUNNEL_ODDS,
    TUNNEL_SURE,
)
from macaz.help.compiled.study import (
    ELSE,
    NOW,
    THEN,
    add_reason,
    by_hope,
    close_lane,
    free_of_all,
    is_enough,
    is_open,
    lane_of,
)
from macaz.kernel.layout import (
    A_CLAIM,
    MARK,
    TICKET_DONE,
    TICKET_OPEN,
    TURN,
    WORD_BITS,
    WORDS,
)
from macaz.kernel.legal import kind_of
from macaz.kernel.odds import extra_payable, extra_ways
from macaz.kernel.pay import price_of
from macaz.kernel.rescue import settle_tickets
from macaz.kernel.table import (
    acts_left,
    captures_alvin,
    few_trains,
    free_lanes,
    lanes_beside,
    lanes_closing,
    open_lanes,
    route_scorers,
)
from macaz.kernel.tickets import open_way, plan_tickets, survey, write_way

LIKELY = 0.1  # share of tries from which on a route counts as contested
MUCH = 7  # points of a route that are worth a word
ONE_TAKER = 0.8  # share of the tries with a taker that one seat must have to be named


def claim_in(spec, study, seat, lane, slot):
    """Write into a slot what follows when a seat claims a lane, and how its tickets stand then.

    Only what plans are made from changes: lanes, trains, and that the turn is used.
    """
    study.states[slot] = study.states[NOW]
    s = study.states[slot]
    s.claimed[seat, lane // WORD_BITS] |= 1 << (lane % WORD_BITS)
    s.trains[seat] -= spec.lane_length[lane]
    s.phase = MARK
    plan_tickets(
        spec, s, seat, study.works[0], study.tallies[0], study.networks[0], study.plans[slot]
    )


def serves(spec, study, seat, t, lane, slot):
    """Whether a lane lies on a cheapest way of a ticket; `slot` has what follows from its claim."""
    now = study.plans[NOW]
    then = study.plans[slot]
    if not is_open(spec, study.states[NOW], seat, now, t):
        return False
    if then.state[t] == TICKET_DONE:
        return True
    if then.state[t] != TICKET_OPEN or then.stations[t] != now.stations[t]:
        return False
    if by_hope(spec, study.states[slot], then, t):
        return False
    return now.spaces[t] - then.spaces[t] == spec.lane_length[lane]


def ticket_served(spec, study, seat, lane, slot):
    """The ticket of most points that a lane serves, or -1."""
    best = -1
    for t in range(spec.tickets):
        if serves(spec, study, seat, t, lane, slot):
            if best < 0 or spec.ticket_points[t] > spec.ticket_points[best]:
                best = t
    return best


def follows_network(spec, study, seat, t, lane):
    """Whether the other lanes of the way that a lane lies on touch the network only after it."""
    s = study.states[NOW]
    if spec.start_city == 0 or s.marks[seat, 0] < 0:
        return False
    o0, o1, o2 = open_lanes(spec, s, seat)
    after = study.states[THEN]
    then = study.plans[THEN]
    rest0 = then.way[t, 0] & free_of_all(spec, after, 0)
    rest1 = then.way[t, 1] & free_of_all(spec, after, 1)
    rest2 = then.way[t, 2] & free_of_all(spec, after, 2)
    if rest0 == 0 and rest1 == 0 and rest2 == 0:
        return False
    return rest0 & o0 == 0 and rest1 & o1 == 0 and rest2 & o2 == 0


def found_by_hope(spec, study, t, spaces):
    """Whether the way that was found last borrows lanes that others have not claimed yet."""
    room = study.plans[ELSE]
    for v in range(WORDS):
        room.way[t, v] = 0
    room.spaces[t] = spaces
    write_way(spec, study.networks[0], room, t)
    return by_hope(spec, study.states[NOW], room, t)


def without_lane(spec, study, seat, t, lane, spaces, new):
    """The reason that a ticket gives for a lane, by the way that is left without it; its weight."""
    now = study.plans[NOW]
    points = spec.ticket_points[t] + 0.0
    amount = -1
    if spaces < 0:
        code = ONLY_WAY
        weight = 1.8 * points
    elif new > now.stations[t]:
        code = NEEDS_STATION
        weight = 4.0 + points
        amount = new - now.stations[t]
    elif found_by_hope(spec, study, t, spaces):
        return points
    else:
        code = SERVES_TICKET
        amount = spaces - now.spaces[t]
        weight = 0.25 * points + 1.5 * min(amount, 6)
    k = add_reason(study, code, weight)
    study.reasons[k].ticket = t
    study.reasons[k].route = spec.lane_route[lane]
    study.reasons[k].amount = amount
    return weight


def tickets_of_route(spec, study, seat, lane):
    """Reasons by the tickets that a lane serves; returns the weight of the heaviest."""
    s = study.states[NOW]
    then = study.plans[THEN]
    q = study.networks[0]
    tally = study.tallies[0]
    survey(spec, s, seat, q)
    close_lane(spec, q, lane)
    settle_tickets(spec, s, seat, study.works[0], tally)
    stake = 0.0
    for t in range(spec.tickets):
        if not serves(spec, study, seat, t, lane, THEN):
            continue
        weight = 2.0 * spec.ticket_points[t]
        if then.state[t] == TICKET_DONE:
            k = add_reason(study, COMPLETES_TICKET, weight)
            study.reasons[k].ticket = t
            study.reasons[k].route = spec.lane_route[lane]
            study.reasons[k].amount = spec.ticket_points[t]
        else:
            spaces, new = open_way(spec, s, seat, t, tally, q)
            weight = without_lane(spec, study, seat, t, lane, spaces, new)
            if follows_network(spec, study, seat, t, lane):
                k = add_reason(study, NETWORK, 2.0 + 0.3 * spec.ticket_points[t])
                study.reasons[k].ticket = t
                study.reasons[k].route = spec.lane_route[lane]
        stake = max(stake, weight)
    return stake


def times_taken(spec, line, p, lane):
    """In how many tries a seat soon took a lane, or another one that closes it (C7)."""
    n = line.soon[p, lane] + 0
    b0, b1, b2 = lanes_closing(spec, lane)
    bit = lane % WORD_BITS
    if b0 != 0:
        n += line.soon[p, bit]
    if b1 != 0:
        n += line.soon[p, WORD_BITS + bit]
    if b2 != 0:
        n += line.soon[p, 2 * WORD_BITS + bit]
    return n


def replaceable(spec, s, seat, lane):
    """Whether another lane between the cities stays open if a lane is taken by others (C7)."""
    b0, b1, b2 = lanes_beside(spec, lane)
    c0, c1, c2 = lanes_closing(spec, lane)
    o0, o1, o2 = free_lanes(spec, s, seat)
    return (b0 & ~c0 & o0) | (b1 & ~c1 & o1) | (b2 & ~c2 & o2) != 0


def all_taken(spec, line, seat, lane):
    """In how many tries others soon took a lane; which of them most often, and how often."""
    total = 0
    who = -1
    most = 0
    for p in range(spec.seats):
        if p != seat:
            n = times_taken(spec, line, p, lane)
            total += n
            if n > most:
                most = n
                who = p
    return total, who, most


def takers_of_route(spec, study, seat, lane, other, stake):
    """A reason by how often others took a lane in the tries of another move."""
    if not is_enough(other) or replaceable(spec, study.states[NOW], seat, lane):
        return
    total, who, most = all_taken(spec, other, seat, lane)
    if most >= ONE_TAKER * total:
        total = most
    else:
        who = -1
    share = total / other.tries
    if share - sqrt(share * (1.0 - share) / other.tries) < LIKELY:
        return
    if stake > 0.0:
        k = add_reason(study, CONTESTED, 0.95 * stake)
    else:
        k = add_reason(study, BLOCKS, 1.0 + 8.0 * share)
    study.reasons[k].route = spec.lane_route[lane]
    study.reasons[k].share = share
    study.reasons[k].seat = who


def points_for(spec, s, seat, p, lane):
    """The points that a seat gets at once when another seat or it claims a lane (C5, W4)."""
    one, other = route_scorers(spec, s, seat, spec.lane_a[lane] + 0, spec.lane_b[lane] + 0)
    points = 0
    if one == p:
        points += spec.points[spec.lane_length[lane]]
    if other == p:
        points += spec.points[spec.lane_length[lane]]
    return points


def points_of_route(spec, study, seat, lane, instead, last):
    """Reasons by the points of a claim; `instead` is the lane that the other move claims, or -1."""
    s = study.states[NOW]
    points = points_for(spec, s, seat, seat, lane)
    more = points + 0
    if instead >= 0:
        more -= points_for(spec, s, seat, seat, instead)
    if more >= 0 and (points >= MUCH or (last and points > 0)):
        k = add_reason(study, POINTS, (0.3 + 0.7 * last) * more + 0.05 * points)
        study.reasons[k].route = spec.lane_route[lane]
        study.reasons[k].amount = points
    a = spec.lane_a[lane] + 0
    b = spec.lane_b[lane] + 0
    if captures_alvin(s, seat, a, b):
        k = add_reason(study, CAPTURES_ALVIN, 2.0 * spec.alvin_points)
        study.reasons[k].city = s.alvin_city
        study.reasons[k].amount = spec.alvin_points


def end_of_route(spec, study, seat, last):
    """Reasons by the end of the game: the last turn, or that a claim begins the last round."""
    s = study.states[NOW]
    if last:
        add_reason(study, LAST_TURN, 3.0)
    elif s.last == 0 and few_trains(spec, study.states[THEN], seat):
        add_reason(study, ENDS_GAME, 4.0)


def is_last(spec, s, seat):
    """Whether a seat has its last turn."""
    return s.phase == TURN and s.last > 0 and acts_left(spec, s, seat) == 1


def tunnel_chance(spec, study, seat, color, length):
    """How likely a seat can pay what a tunnel costs, laid with a colour; the cards it can pay."""
    s = study.states[NOW]
    ways = study.ways
    total = extra_ways(spec, s, seat, color, ways)
    most = extra_payable(s, seat, color, length)
    good = 0
    for n in range(min(most, spec.tunnel_cards + 0) + 1):
        good += ways[n]
    return good / total, most


def claimed_tunnel(spec, a):
    """Whether an action tries a tunnel."""
    if kind_of(spec, a) != A_CLAIM:
        return False
    return spec.lane_tunnel[spec.claim_lane[a - spec.base[A_CLAIM]]] == 1


def chance_of_tunnel(spec, study, seat, a):
    """How likely a tunnel that an action tries can be paid; the extra cards it can pay."""
    s = study.states[NOW]
    color, cards, locos = price_of(spec, s, A_CLAIM, a - spec.base[A_CLAIM])
    return tunnel_chance(spec, study, seat, color, cards + locos)


def odds_of_tunnel(spec, study, seat, a, lane):
    """A reason by the odds of a tunnel."""
    chance, most = chance_of_tunnel(spec, study, seat, a)
    if chance == 1.0:
        k = add_reason(study, TUNNEL_SURE, 3.0)
    elif chance >= 0.5:
        k = add_reason(study, TUNNEL_ODDS, 1.0 + 2.0 * chance)
        study.reasons[k].share = chance
        study.reasons[k].amount = most
    else:
        return
    study.reasons[k].route = spec.lane_route[lane]


def reasons_of_route(spec, study, lines, seat, one, other, instead):
    """Reasons for a claim: `instead` is the lane that the other move claims, or -1."""
    s = study.states[NOW]
    lane = lane_of(spec, s, lines[one].action + 0)
    claim_in(spec, study, seat, lane, THEN)
    stake = tickets_of_route(spec, study, seat, lane)
    last = is_last(spec, s, seat)
    if other >= 0:
        takers_of_route(spec, study, seat, lane, lines[other], stake)
    points_of_route(spec, study, seat, lane, instead, last)
    end_of_route(spec, study, seat, last)
    if claimed_tunnel(spec, lines[one].action + 0):
        odds_of_tunnel(spec, study, seat, lines[one].action + 0, lane)
