"""What each open ticket of a seat still costs at the least: cards, claims, stations, turns.

Each ticket is looked at by itself: the whole hand is used for the way of its plan, every card drawn
is needed, no tunnel costs more, and no other seat claims a route of it. What can be paid with the
fewest colours is paid first, then what is longest.
"""

from macaz.kernel.bits import popcount
from macaz.kernel.layout import CARDS, COLORS, LANES, LOCO, TICKET_OPEN, TICKETS
from macaz.kernel.table import lane_among, marks_used, usable_lanes
from macaz.kernel.why import class_of

ANY = (1 << COLORS) - 1  # all colours, as bits
DRAWS = 2  # cards in a turn
STEP = 256  # more than a number that follows in the order of payments


def colors_of(spec, k):
    """The colours that a lane of this class can be paid with, as bits."""
    if spec.class_color[k] < COLORS:
        return 1 << spec.class_color[k]
    return ANY


def replaces(spec, cost, lane, other):
    """Whether a lane may be claimed in the place of another: it, or an open parallel as long."""
    if other == lane:
        return True
    if spec.lane_a[other] != spec.lane_a[lane] or spec.lane_b[other] != spec.lane_b[lane]:
        return False
    if spec.lane_length[other] != spec.lane_length[lane]:
        return False
    return lane_among(cost.open[0], cost.open[1], cost.open[2], other)


def lane_colors(spec, cost, lane):
    """The colours that a lane or those in its place can be paid with, as bits."""
    found = 0
    for other in range(LANES):
        if lane_among(spec.lanes[0], spec.lanes[1], spec.lanes[2], other):
            if replaces(spec, cost, lane, other):
                found |= colors_of(spec, class_of(spec, other))
    return found


def is_claimed(spec, s, lane):
    """Whether a seat has a lane."""
    found = False
    for p in range(spec.seats):
        c0 = s.claimed[p, 0] + 0
        found = found or lane_among(c0, s.claimed[p, 1], s.claimed[p, 2], lane)
    return found


def want_lanes(spec, s, plan, cost, t):
    """List the lanes of a ticket's way that are to be claimed; returns how many."""
    n = 0
    for lane in range(LANES):
        if lane_among(plan.way[t, 0], plan.way[t, 1], plan.way[t, 2], lane):
            if not is_claimed(spec, s, lane):
                k = class_of(spec, lane)
                cards = spec.class_length[k] - spec.class_locos[k]
                colors = popcount(lane_colors(spec, cost, lane))
                cost.wanted[n] = lane
                cost.order[n] = (colors * STEP - cards) * STEP + spec.lane_route[lane]
                cost.claims[t] += 1
                cost.tunnels[t] += spec.lane_tunnel[lane]
                n += 1
    return n


def want_stations(cost, t, built, n):
    """List the cards of the stations to build behind `n` lanes; returns how many there are now."""
    for i in range(cost.stations[t]):
        cards = built + 1 + i  # the first station costs one card, the second two, … (G2)
        cost.wanted[n] = -cards
        cost.order[n] = (COLORS * STEP - cards) * STEP + LANES + i
        n += 1
    return n


def next_wanted(cost, n):
    """What of `n` things is paid next, as its number in the list, which leaves the order."""
    best = -1
    for i in range(n):
        if cost.order[i] >= 0 and (best < 0 or cost.order[i] < cost.order[best]):
            best = i
    cost.order[best] = -1
    return best


def preference(cost, color, cards, locos, route):
    """How good it is to pay so, the lower the better.

    Fewest cards missing, then most cards of the colour left, then the first route and colour.
    """
    need = max(cards - cost.left[color], 0) + locos
    return ((need * STEP + STEP - 1 - cost.left[color]) * STEP + route) * COLORS + color


def pay_with(cost, t, color, cards, locos, colors):
    """Take a payment out of the cards that are left, and note what is missing."""
    short = max(cards - cost.left[color], 0)
    if cost.left[color] == 0 and colors == ANY:
        cost.any_color[t] += short  # the hand has no card for it yet, so any colour is possible
    else:
        cost.missing[t, color] += short
    cost.left[color] -= cards - short
    cost.missing[t, LOCO] += max(locos - cost.left[LOCO], 0)
    cost.left[LOCO] = max(cost.left[LOCO] - locos, 0)


def pay_lane(spec, cost, t, lane):
    """Pay for a lane, or for one in its place."""
    best = -1
    color = cards = locos = 0
    for other in range(LANES):
        if lane_among(spec.lanes[0], spec.lanes[1], spec.lanes[2], other):
            if replaces(spec, cost, lane, other):
                k = class_of(spec, other)
                symbols = spec.class_locos[k] + 0
                route = 0  # the lane itself comes first
                if other != lane:
                    route = 1 + spec.lane_route[other]
                for c in range(COLORS):
                    if (colors_of(spec, k) >> c) & 1 == 1:
                        plain = spec.class_length[k] - symbols
                        this = preference(cost, c, plain, symbols, route)
                        if best < 0 or this < best:
                            best = this
                            color = c
                            cards = plain
                            locos = symbols
    pay_with(cost, t, color, cards, locos, lane_colors(spec, cost, lane))


def pay_station(cost, t, cards):
    """Pay for a station."""
    color = 0
    for c in range(COLORS):
        if preference(cost, c, cards, 0, 0) < preference(cost, color, cards, 0, 0):
            color = c
    pay_with(cost, t, color, cards, 0, ANY)


def use_locomotives(cost, t):
    """Let locomotives that no ferry needs replace the cards of which most are missing."""
    for _ in range(cost.left[LOCO]):
        scarcest = 0
        for c in range(COLORS):
            if cost.missing[t, c] > cost.missing[t, scarcest]:
                scarcest = c
        if cost.missing[t, scarcest] > 0:
            cost.missing[t, scarcest] -= 1
        elif cost.any_color[t] > 0:
            cost.any_color[t] -= 1


def cost_ticket(spec, s, seat, plan, cost, t):
    """Write what an open ticket costs."""
    for c in range(CARDS):
        cost.left[c] = s.hand[seat, c]
    built = 0
    if spec.stations > 0:
        built = marks_used(s, seat)
    cost.stations[t] = plan.stations[t]
    n = want_stations(cost, t, built, want_lanes(spec, s, plan, cost, t))
    for _ in range(n):
        one = cost.wanted[next_wanted(cost, n)] + 0
        if one < 0:
            pay_station(cost, t, -one)
        else:
            pay_lane(spec, cost, t, one)
    use_locomotives(cost, t)
    cards = cost.any_color[t] + 0
    for c in range(CARDS):
        cards += cost.missing[t, c]
    cost.cards[t] = cards
    cost.turns[t] = (cards + DRAWS - 1) // DRAWS + cost.claims[t] + cost.stations[t]


def cost_tickets(spec, s, seat, plan, cost):
    """Write what each open ticket of a plan costs; zeros for all others."""
    cost.open[0], cost.open[1], cost.open[2] = usable_lanes(spec, s, seat)
    for t in range(TICKETS):
        cost.any_color[t] = 0
        cost.claims[t] = 0
        cost.tunnels[t] = 0
        cost.stations[t] = 0
        cost.cards[t] = 0
        cost.turns[t] = 0
        for c in range(CARDS):
            cost.missing[t, c] = 0
        if plan.state[t] == TICKET_OPEN:
            cost_ticket(spec, s, seat, plan, cost, t)
