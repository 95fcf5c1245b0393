"""The smaller decisions: tickets, tunnels, stations, markers, Alvin, the starting city."""

from macaz.bots.compiled.cards import word_of
from macaz.bots.compiled.plan import plan_for
from macaz.kernel.bits import lowest, popcount
from macaz.kernel.layout import (
    A_ALVIN,
    A_CHOOSE,
    A_DECLINE,
    A_KEEP,
    A_MARK,
    A_PAY,
    A_SKIP,
    A_START,
    A_STATION,
    CHOOSE,
    HELD,
    LOCO,
    OFFERED,
    PAYS,
    WORD_BITS,
    WORDS,
)
from macaz.kernel.legal import tunnel_payable
from macaz.kernel.pay import color_paid, locos_paid, payable_pay
from macaz.kernel.table import (
    build_cost,
    free_cities,
    free_lanes,
    keep_least,
    marker_sites,
    offer_size,
    own_marks,
    station_cost,
    station_left,
)


def offer_terms(spec, s, seat):
    """The first number of the choices among offered tickets, and how many must be kept."""
    if s.phase == CHOOSE:
        return spec.base[A_CHOOSE] + (seat << spec.setup_deal), keep_least(spec, s, seat)
    return spec.base[A_KEEP] + 0, keep_least(spec, s, seat)


def keep_tickets(spec, g, y, s, seat, m):
    """Which of the offered tickets to keep: those whose plan is worth most."""
    base, least = offer_terms(spec, s, seat)
    best = -1
    best_value = -1e9
    for mask in range(1 << offer_size(spec, s, seat)):
        if popcount(mask) >= least:
            value = plan_for(spec, g, y, s, seat, m, mask)
            if value > best_value:
                best_value = value
                best = mask
    m.held = -1
    return base + best


def keep_cheapest(spec, s, seat):
    """As few of the offered tickets as may be, of the fewest points."""
    base, least = offer_terms(spec, s, seat)
    best = -1
    best_points = 1 << 30
    for mask in range(1 << offer_size(spec, s, seat)):
        if popcount(mask) == least:
            points = 0
            slot = 0
            for t in range(spec.tickets):
                if s.ticket[t] == OFFERED + seat:
                    if (mask >> slot) & 1 == 1:
                        points += spec.ticket_points[t]
                    slot += 1
            if points < best_points:
                best_points = points
                best = mask
    return base + best


def pay_tunnel_or_not(spec, s, seat):
    """Pay with as few locomotives as possible; what a tunnel is worth was weighed before."""
    for locos in range(spec.tunnel_cards + 1):
        if tunnel_payable(s, seat, locos):
            return spec.base[A_PAY] + locos
    return spec.base[A_DECLINE] + 0


def cheapest_pay(s, seat, cost, m):
    """How to pay a station or a marker: without locomotives if possible, what is wanted least."""
    best = -1
    best_price = 1e9
    for pay in range(PAYS):
        if payable_pay(s, seat, cost, pay):
            price = 5.0 * cost
            color = color_paid(pay)
            if color < LOCO:
                price = 5.0 * locos_paid(pay, cost) + m.want[color] - 0.1 * s.hand[seat, color]
            if price < best_price:
                best_price = price
                best = pay
    return best


def build_station(spec, s, seat, m):
    """A station at an end of a lane that the plan borrows, or -1."""
    if not station_left(spec, s, seat):
        return -1
    pay = cheapest_pay(s, seat, station_cost(s, seat), m)
    if pay < 0:
        return -1
    free = free_cities(spec, s)
    stand = own_marks(s, seat)
    for w in range(WORDS):
        rest = m.borrow[w]
        while rest != 0:
            lane = w * WORD_BITS + lowest(rest)
            rest &= rest - 1
            if ((stand >> spec.lane_a[lane]) | (stand >> spec.lane_b[lane])) & 1 == 1:
                continue  # it is borrowed already
            for city in (spec.lane_a[lane] + 0, spec.lane_b[lane] + 0):
                if (free >> city) & 1 == 1:
                    return spec.base[A_STATION] + city * PAYS + pay
    return -1


def open_points(spec, s, seat, city):
    """The points of the routes at a city that another seat may still claim."""
    o0, o1, o2 = free_lanes(spec, s, seat)
    points = 0
    for w in range(WORDS):
        word = word_of(o0, o1, o2, w)
        rest = word & spec.touch[city, w]
        while rest != 0:
            points += spec.points[spec.lane_length[w * WORD_BITS + lowest(rest)]]
            rest &= rest - 1
    return points


def place_marker(spec, y, s, seat, m):
    """A marker where many points are still to be had, if the pair of cards can be spared."""
    pay = cheapest_pay(s, seat, build_cost(spec, s, seat), m)
    best = spec.base[A_SKIP] + 0
    if pay < 0:
        return best
    best_worth = y.rate
    ends = marker_sites(spec, s)
    while ends != 0:
        city = lowest(ends)
        ends &= ends - 1
        worth = y.marker * open_points(spec, s, seat, city)
        if worth > best_worth:
            best_worth = worth
            best = spec.base[A_MARK] + city * PAYS + pay
    return best


def move_alvin(spec, s, seat):
    """To the own city that is hardest to reach for others."""
    best = -1
    fewest = 1 << 30
    rest = own_marks(s, seat)
    while rest != 0:
        city = lowest(rest)
        rest &= rest - 1
        points = open_points(spec, s, seat, city)
        if points < fewest:
            fewest = points
            best = city
    return spec.base[A_ALVIN] + best


def start_somewhere(spec, g, y, s, seat, m):
    """The free city from which the plan is worth most, among the ends of the tickets held."""
    free = free_cities(spec, s)
    ends = 0
    for t in range(spec.tickets):
        if s.ticket[t] == HELD + seat:
            ends |= (1 << spec.ticket_a[t]) | (1 << spec.ticket_b[t])
    if ends & free != 0:
        ends &= free
    else:
        ends = free
    best = -1
    best_value = -1e9
    while ends != 0:
        city = lowest(ends)
        ends &= ends - 1
        s.marks[seat, 0] = city
        value = plan_for(spec, g, y, s, seat, m, 0) + y.marker * open_points(spec, s, seat, city)
        s.marks[seat, 0] = -1
        if value > best_value:
            best_value = value
            best = city
    m.held = -1
    return spec.base[A_START] + best
