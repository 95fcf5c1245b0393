"""The plan: which tickets to go for, and the lanes that this takes."""

from macaz.bots.compiled.cards import own_cities, rooted, word_of
from macaz.bots.compiled.layout import FOREST
from macaz.bots.compiled.numbers import power
from macaz.bots.compiled.steiner import plan_forest
from macaz.bots.compiled.tempo import plan_turns, turns_left
from macaz.bots.compiled.ways import NO_WAY, follow, lane_size, price_lanes, spread_from
from macaz.kernel.layout import HELD, OFFERED, WORD_BITS, WORDS

NO_TRAINS = 100  # in place of the trains of a way that there is none of


def way_to(spec, g, s, seat, m, t):
    """Find the cheapest way for a ticket; returns its price.

    Where networks grow from a starting city, both ends are to be reached from the network.
    """
    if rooted(spec, s, seat):
        spread_from(spec, g, m, own_cities(spec, s, seat), -1)
        return m.far[spec.ticket_a[t]] + m.far[spec.ticket_b[t]]
    spread_from(spec, g, m, 1 << spec.ticket_a[t], spec.ticket_b[t] + 0)
    return m.far[spec.ticket_b[t]] + 0.0


def way_length(spec, s, seat, m, goal):
    """The trains and the lanes of a way that was found, as trains * 64 + lanes."""
    city = goal
    found = 0
    while m.via[city] >= 0:
        lane = m.via[city] + 0
        found += lane_size(spec, s, seat, m, lane)
        city = spec.lane_a[lane] + spec.lane_b[lane] - city
    return found


def ticket_way(spec, s, seat, m, t):
    """The trains and the lanes of the way that was found for a ticket, as trains * 64 + lanes."""
    size = way_length(spec, s, seat, m, spec.ticket_b[t] + 0)
    if rooted(spec, s, seat):
        size += way_length(spec, s, seat, m, spec.ticket_a[t] + 0)
    return size


def note_need(spec, s, seat, m, t, price):
    """Note the trains of the way that was found for a ticket."""
    m.need[t] = NO_TRAINS
    if price < NO_WAY:
        m.need[t] = min(ticket_way(spec, s, seat, m, t) // 64, NO_TRAINS)


def add_ticket(spec, g, y, s, seat, m, t, turns):
    """Plan for one more ticket, if it pays; returns what it gains, or 0."""
    price = way_to(spec, g, s, seat, m, t)
    if price >= NO_WAY:
        return 0.0
    size = ticket_way(spec, s, seat, m, t)
    trains = size // 64
    lanes = size % 64
    won = 2.0 * spec.ticket_points[t] * power(y.sure, lanes)
    if won <= price or m.trains + trains > s.trains[seat]:
        return 0.0
    if plan_turns(s, seat, y, m.trains + trains, m.turns + lanes) > turns + y.slack:
        return 0.0
    follow(spec, s, seat, m, spec.ticket_b[t] + 0)
    if rooted(spec, s, seat):
        way_to(spec, g, s, seat, m, t)
        follow(spec, s, seat, m, spec.ticket_a[t] + 0)
    m.worth += won
    m.open += 1
    return won - price


def sort_tickets(m, n):
    """The cheapest for its points comes first; what it builds helps the others."""
    for i in range(n):
        best = i
        for j in range(i + 1, n):
            if m.price[j] < m.price[best]:
                best = j
        t = m.todo[best] + 0
        price = m.price[best] + 0.0
        hope = m.hope[best] + 0.0
        m.todo[best] = m.todo[i]
        m.price[best] = m.price[i]
        m.hope[best] = m.hope[i]
        m.todo[i] = t
        m.price[i] = price
        m.hope[i] = hope


def plan_for(spec, g, y, s, seat, m, mask):
    """Plan for the tickets held and for those of the offer in `mask`; returns the plan's value.

    The value counts every ticket of the offer as lost, and adds what the plan gains.
    """
    for w in range(WORDS):
        m.plan[w] = 0
        m.borrow[w] = 0
    m.worth = 0.0
    m.turns = 0.0
    m.trains = 0
    m.open = 0
    m.held = 0
    value = 0.0
    price_lanes(spec, g, y, s, seat, m)
    turns = turns_left(spec, s, seat) + y.leisure
    n = 0
    slot = 0
    spread = False
    for t in range(spec.tickets):
        mine = s.ticket[t] == HELD + seat
        if mine:
            m.held += 1
        if s.ticket[t] == OFFERED + seat:
            mine = (mask >> slot) & 1 == 1
            if mine:
                value -= spec.ticket_points[t]
            slot += 1
        if mine:
            if spread:  # a network's ways to all cities are known at once
                price = m.far[spec.ticket_a[t]] + m.far[spec.ticket_b[t]]
            else:
                price = way_to(spec, g, s, seat, m, t)
                spread = rooted(spec, s, seat)
            note_need(spec, s, seat, m, t, price)
            if price == 0.0:  # done: no work for the plan
                if s.ticket[t] != HELD + seat:
                    value += 2.0 * spec.ticket_points[t]
            else:
                lanes = ticket_way(spec, s, seat, m, t) % 64
                m.todo[n] = t
                m.price[n] = price / spec.ticket_points[t]
                m.hope[n] = 2.0 * spec.ticket_points[t] * power(y.sure, lanes)
                n += 1
    sort_tickets(m, n)
    n = min(n, y.tickets + 0)
    first = 0
    if y.exact == 1 and n > 1:
        first = min(n, FOREST)
        if rooted(spec, s, seat):
            first = min(n, FOREST - 1)
        value += plan_forest(spec, g, y, s, seat, m, first, turns)
    for i in range(first, n):
        value += add_ticket(spec, g, y, s, seat, m, m.todo[i] + 0, turns)
    if m.trains > 0:
        m.worth /= m.trains
    return value


def tickets_held(spec, s, seat):
    """How many tickets a seat holds."""
    n = 0
    for t in range(spec.tickets):
        if s.ticket[t] == HELD + seat:
            n += 1
    return n


def plan_stands(spec, s, seat, m, o0, o1, o2, held):
    """Whether the plan is still what it was: no lane of it lost, no ticket more."""
    if m.held != held:
        return False
    for w in range(WORDS):
        word = word_of(o0, o1, o2, w)
        if m.plan[w] & ~(word | s.claimed[seat, w]) != 0:
            return False
    return True


def note_claims(spec, s, seat, m):
    """Strike from the plan what has been claimed since it was made."""
    for w in range(WORDS):
        fresh = m.plan[w] & s.claimed[seat, w]
        if fresh != 0:
            m.plan[w] &= ~fresh
            total = m.worth * m.trains
            for bit in range(WORD_BITS):
                if (fresh >> bit) & 1 == 1:
                    m.trains -= spec.lane_length[w * WORD_BITS + bit]
            if m.trains > 0:
                m.worth = total / m.trains
