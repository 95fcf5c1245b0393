"""Cheapest ways over lanes: fewest missing spaces, then fewest lanes, then routes of low numbers.

`q` is a record `network`, which says which lanes cost nothing, which are to be claimed and which
stations may borrow, each station one lane that ends in its city. A node is a city in a layer, and a
layer says what the way has used up: the claim, if only one is left, and which of the stations.

No two ways to a city are equally cheap. The set of a way's routes is kept as three words in which a
lower number is a higher bit, so that of two sets of as many routes the greater one is better. A
way that passes a route twice is never the cheapest to where it ends, for all that it has used up
is not needed: so a set is enough.
"""

from macaz.kernel.bits import lowest
from macaz.kernel.layout import CITIES, NODES, WORD_BITS, WORDS
from macaz.kernel.table import lane_among


def cheaper_way(q, node, spaces, count, r0, r1, r2):
    """Whether a way is cheaper than the one that is known to a node."""
    if q.spaces[node] < 0:
        return True
    if spaces != q.spaces[node]:
        return spaces < q.spaces[node]
    if count != q.count[node]:
        return count < q.count[node]
    if r0 != q.routes[node, 0]:
        return r0 > q.routes[node, 0]
    if r1 != q.routes[node, 1]:
        return r1 > q.routes[node, 1]
    return r2 > q.routes[node, 2]


def note_way(q, node, spaces, count, r0, r1, r2):
    """Keep a way to a node if it is cheaper than the one that is known; returns whether it is."""
    if not cheaper_way(q, node, spaces, count, r0, r1, r2):
        return False
    q.spaces[node] = spaces
    q.count[node] = count
    q.routes[node, 0] = r0
    q.routes[node, 1] = r1
    q.routes[node, 2] = r2
    return True


def enqueue(q, node):
    """Go on from a node later."""
    if q.waiting[node] == 0:
        q.waiting[node] = 1
        q.queue[(q.head + q.queued) % NODES] = node
        q.queued += 1


def clear_ways(q):
    """Forget all ways."""
    for node in range(NODES):
        q.spaces[node] = -1
        q.waiting[node] = 0
    q.spaces[NODES] = -1
    q.head = 0
    q.queued = 0


def begin_at(q, node):
    """Let ways begin at a node."""
    note_way(q, node, 0, 0, 0, 0, 0)
    enqueue(q, node)


def go(spec, q, node, after, lane, spaces):
    """Go on from a node to another by a lane."""
    route = spec.lane_route[lane] + 0
    bit = 1 << (WORD_BITS - 1 - route % WORD_BITS)
    r0 = q.routes[node, 0]
    r1 = q.routes[node, 1]
    r2 = q.routes[node, 2]
    if route < WORD_BITS:
        r0 |= bit
    elif route < 2 * WORD_BITS:
        r1 |= bit
    else:
        r2 |= bit
    if note_way(q, after, q.spaces[node] + spaces, q.count[node] + 1, r0, r1, r2):
        enqueue(q, after)


def follow_lane(spec, q, node, lane):
    """Go on from a node by a lane, in every way that it can be used."""
    city = node % CITIES
    layer = node // CITIES
    other = spec.lane_a[lane] + spec.lane_b[lane] - city
    after = node - city + other
    if lane_among(q.free[0], q.free[1], q.free[2], lane):
        go(spec, q, node, after, lane, 0)
        return
    layers = max(q.claims + 1, 1)  # for each set of stations
    if lane_among(q.open[0], q.open[1], q.open[2], lane):
        if q.claims < 0:
            go(spec, q, node, after, lane, spec.lane_length[lane])
        elif layer % layers < q.claims:
            go(spec, q, node, after + CITIES, lane, spec.lane_length[lane])
    if lane_among(q.lent[0], q.lent[1], q.lent[2], lane):
        used = layer // layers
        for i in range(q.stations):
            if (used >> i) & 1 == 0 and (q.station[i] == city or q.station[i] == other):
                go(spec, q, node, after + (layers << i) * CITIES, lane, 0)


def spread_ways(spec, q):
    """Find the cheapest ways to all nodes from those where ways begin."""
    while q.queued > 0:
        node = q.queue[q.head] + 0
        q.head = (q.head + 1) % NODES
        q.queued -= 1
        q.waiting[node] = 0
        city = node % CITIES
        for v in range(WORDS):
            rest = spec.touch[city, v] & (q.free[v] | q.open[v] | q.lent[v])
            while rest != 0:
                follow_lane(spec, q, node, v * WORD_BITS + lowest(rest))
                rest &= rest - 1


def way_between(spec, q, a, b):
    """Find the cheapest way between two cities; returns its missing spaces, or -1."""
    clear_ways(q)
    begin_at(q, a)
    spread_ways(spec, q)
    for node in range(b, NODES, CITIES):
        if q.spaces[node] >= 0:
            count = q.count[node] + 0
            r0 = q.routes[node, 0]
            r1 = q.routes[node, 1]
            r2 = q.routes[node, 2]
            note_way(q, NODES, q.spaces[node] + 0, count, r0, r1, r2)
    return q.spaces[NODES] + 0


def tree_between(spec, q, roots, a, b):
    """Find the cheapest lanes that join two cities and the nearest of some others, as bits (W2).

    Returns their missing spaces, or -1. Nothing is used up, so each end has a layer of its own.
    """
    clear_ways(q)
    for city in range(spec.cities):
        if (roots >> city) & 1 == 1:
            begin_at(q, city)
    begin_at(q, CITIES + a)
    begin_at(q, 2 * CITIES + b)
    spread_ways(spec, q)
    # The three ways meet in one city, and nowhere before: else they would meet there.
    for one in range(spec.cities):
        two = CITIES + one
        three = CITIES + two
        if q.spaces[one] >= 0 and q.spaces[two] >= 0 and q.spaces[three] >= 0:
            spaces = q.spaces[one] + q.spaces[two] + q.spaces[three]
            count = q.count[one] + q.count[two] + q.count[three]
            r0 = q.routes[one, 0] | q.routes[two, 0] | q.routes[three, 0]
            r1 = q.routes[one, 1] | q.routes[two, 1] | q.routes[three, 1]
            r2 = q.routes[one, 2] | q.routes[two, 2] | q.routes[three, 2]
            note_way(q, NODES, spaces, count, r0, r1, r2)
    return q.spaces[NODES] + 0
