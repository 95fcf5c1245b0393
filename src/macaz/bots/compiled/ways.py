"""Ways through the map: what a lane costs a seat, and the cheapest way between places."""

from macaz.bots.compiled.cards import word_of
from macaz.kernel.bits import lowest
from macaz.kernel.layout import LOCO, WORD_BITS, WORDS
from macaz.kernel.table import free_lanes, marks_used, own_marks

NO_WAY = 1e9  # the cost of a lane that cannot be had, and of what cannot be reached
CHEAPEST = 0.05  # a lane that pays for itself is nearly free, but no reason for a detour
BORROWED = 3.0  # cards, trains and turns apart: what a borrowed lane costs beside the station


def price_lanes(spec, g, y, s, seat, m):
    """What each lane would cost in points: turns, cards and trains, less what it brings."""
    o0, o1, o2 = free_lanes(spec, s, seat)
    stations = 0
    stand = 0
    if spec.stations > 0:
        stations = spec.stations - marks_used(s, seat)
        stand = own_marks(s, seat)
    loan = spec.station_points + y.rate + BORROWED
    locos = s.hand[seat, LOCO] + 0
    for w in range(WORDS):
        word = word_of(o0, o1, o2, w)
        rest = spec.lanes[w]
        while rest != 0:
            bit = lowest(rest)
            rest &= rest - 1
            lane = w * WORD_BITS + bit
            if (s.claimed[seat, w] >> bit) & 1 == 1:
                m.cost[lane] = 0.0
            elif (word >> bit) & 1 == 1:
                length = spec.lane_length[lane] + 0
                if length > s.trains[seat]:
                    m.cost[lane] = NO_WAY
                    continue
                color = spec.class_color[g.lane_class[lane]]
                held = 0
                if color < LOCO:
                    held = min(s.hand[seat, color] + 0, length)
                turns = 1.0 + y.draw * (length - 0.5 * held)
                if spec.lane_tunnel[lane] == 1:
                    turns += y.draw
                if g.lane_symbols[lane] > locos:
                    turns += y.draw * (g.lane_symbols[lane] - locos)
                cost = y.rate * turns + y.train * length - spec.points[length]
                m.cost[lane] = max(cost, CHEAPEST)
            else:
                m.cost[lane] = NO_WAY
                if spec.stations > 0 and lane_taken(spec, s, seat, w, bit):
                    if ((stand >> spec.lane_a[lane]) | (stand >> spec.lane_b[lane])) & 1 == 1:
                        m.cost[lane] = 0.0  # a station that stands borrows it
                    elif stations > 0:
                        m.cost[lane] = loan


def lane_taken(spec, s, seat, w, bit):
    """Whether another seat has claimed a lane."""
    for p in range(spec.seats):
        if p != seat and (s.claimed[p, w] >> bit) & 1 == 1:
            return True
    return False


def spread_from(spec, g, m, sources, goal):
    """Distances from the source cities, given as bits, until the goal's is known (-1: all)."""
    for c in range(spec.cities):
        m.far[c] = NO_WAY
        m.via[c] = -1
    rest = sources
    while rest != 0:
        m.far[lowest(rest)] = 0.0
        rest &= rest - 1
    edge = sources  # reached, but perhaps not yet on the shortest way
    done = 0
    while edge != 0:
        here = -1
        near = NO_WAY
        rest = edge
        while rest != 0:
            c = lowest(rest)
            rest &= rest - 1
            if m.far[c] < near:
                near = m.far[c] + 0.0
                here = c
        if here == goal:
            return
        done |= 1 << here
        edge &= ~done
        for e in range(g.exits[here], g.exits[here + 1]):
            lane = g.exit[e] + 0
            there = spec.lane_a[lane] + spec.lane_b[lane] - here
            length = near + m.cost[lane]
            if length < m.far[there]:
                m.far[there] = length
                m.via[there] = lane
                edge |= (1 << there) & ~done


def lane_size(spec, s, seat, m, lane):
    """What a lane takes, as trains * 64 + lanes: nothing once it is free, no trains if borrowed."""
    if m.cost[lane] == 0.0:
        return 0
    if lane_taken(spec, s, seat, lane // WORD_BITS, lane % WORD_BITS):
        return 1
    return 64 * spec.lane_length[lane] + 1


def use_lane(spec, s, seat, m, lane):
    """Put a lane into the plan, as one to claim or to borrow; it is free from then on."""
    if m.cost[lane] == 0.0:
        return
    w = lane // WORD_BITS
    bit = lane % WORD_BITS
    if lane_taken(spec, s, seat, w, bit):
        m.borrow[w] |= 1 << bit
    else:
        m.plan[w] |= 1 << bit
        m.trains += spec.lane_length[lane]
        m.turns += 1.0
    m.cost[lane] = 0.0


def follow(spec, s, seat, m, goal):
    """Put the way that was found to the goal into the plan."""
    city = goal
    while m.via[city] >= 0:
        lane = m.via[city] + 0
        use_lane(spec, s, seat, m, lane)
        city = spec.lane_a[lane] + spec.lane_b[lane] - city
