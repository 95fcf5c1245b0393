"""Connections, and the longest continuous path of a seat's own routes (K3, E3).

The longest path may pass a city again but uses each route once: a longest trail. A component with
at most two cities of odd degree is walked whole (Euler). One without loops needs two sweeps (the
diameter of a tree), and one with few loops is searched from every city of odd degree. The others
are for `sweep`.

Where a sweep finds no room (on a GPU it has none), a depth-first search looks for a trail as long
as a simpler bound allows, and lowers it until there is one. Both are exact.
"""

from macaz.kernel.bits import lowest, popcount
from macaz.kernel.layout import WORD_BITS, WORDS
from macaz.kernel.sweep import sweep, total_length

FEW_LOOPS = 2  # a component with so few more edges than cities is searched without bounds


def root(w, city):
    """The city that stands for a city's component."""
    while w.group[city] != city:
        city = w.group[city]
    return city + 0


def join(w, a, b):
    """Make one component of two."""
    ra = root(w, a)
    rb = root(w, b)
    if ra != rb:
        w.group[max(ra, rb)] = min(ra, rb)


def connect(spec, s, w, seat):
    """Find the components of a seat's routes."""
    for c in range(spec.cities):
        w.group[c] = c
    for v in range(WORDS):
        rest = s.claimed[seat, v]
        while rest != 0:
            lane = v * WORD_BITS + lowest(rest)
            rest &= rest - 1
            join(w, spec.lane_a[lane], spec.lane_b[lane])


def load_edges(spec, s, w, seat):
    """List a seat's routes as edges, and the edges at each city; returns how many."""
    for c in range(spec.cities):
        w.incident[c] = 0
    n = 0
    for v in range(WORDS):
        rest = s.claimed[seat, v]
        while rest != 0:
            lane = v * WORD_BITS + lowest(rest)
            rest &= rest - 1
            a = spec.lane_a[lane]
            b = spec.lane_b[lane]
            w.edge_a[n] = a
            w.edge_b[n] = b
            w.edge_length[n] = spec.lane_length[lane]
            w.incident[a] |= 1 << n
            w.incident[b] |= 1 << n
            n += 1
    return n


def component(w, city, unused):
    """The edges that can be reached from a city over unused edges."""
    edges = 0
    cities = 1 << city
    fresh = cities
    while fresh != 0:
        c = lowest(fresh)
        fresh &= fresh - 1
        new = w.incident[c] & unused & ~edges
        edges |= new
        while new != 0:
            e = lowest(new)
            new &= new - 1
            other = w.edge_a[e] + w.edge_b[e] - c
            if (cities >> other) & 1 == 0:
                cities |= 1 << other
                fresh |= 1 << other
    return edges, cities


def farthest(w, city):
    """The farthest city in a component without loops, and how far it is."""
    best = city
    w.far[city] = 0
    w.heap[0] = city
    w.via[0] = -1
    n = 1
    i = 0
    while i < n:
        c = w.heap[i] + 0
        if w.far[c] > w.far[best]:
            best = c
        rest = w.incident[c]
        if w.via[i] >= 0:
            rest &= ~(1 << w.via[i])
        while rest != 0:
            e = lowest(rest)
            rest &= rest - 1
            other = w.edge_a[e] + w.edge_b[e] - c
            w.far[other] = w.far[c] + w.edge_length[e]
            w.heap[n] = other
            w.via[n] = e
            n += 1
        i += 1
    return best, w.far[best] + 0


def promise(w, city, unused):
    """At most how much longer a trail can become that stands in a city.

    Of the cities that the unused edges reach, all with an odd number of them, but this one and
    the one where the trail ends, keep at least one edge: an edge serves two of them at best.
    """
    edges, cities = component(w, city, unused)
    spare = 0
    most = 0
    rest = cities & ~(1 << city)
    while rest != 0:
        c = lowest(rest)
        rest &= rest - 1
        here = w.incident[c] & edges
        if popcount(here) & 1 == 1:
            least = w.edge_length[lowest(here)] + 0
            here &= here - 1
            while here != 0:
                least = min(least, w.edge_length[lowest(here)] + 0)
                here &= here - 1
            spare += least
            most = max(most, least)
    return total_length(w, edges) - (spare - most + 1) // 2


def search(w, start, edges, target):
    """Look for a trail of a length from a city.

    Returns the target if there is one, else the most that a trail cut short could still have
    promised: nothing longer exists from here.
    """
    w.at[0] = start
    w.todo[0] = w.incident[start]
    depth = 0
    unused = edges
    length = 0
    shortfall = 0
    while depth >= 0:
        if w.todo[depth] == 0:
            if depth > 0:
                e = w.via[depth] + 0
                unused |= 1 << e
                length -= w.edge_length[e]
            depth -= 1
            continue
        e = lowest(w.todo[depth])
        w.todo[depth] &= w.todo[depth] - 1
        city = w.edge_a[e] + w.edge_b[e] - w.at[depth]
        rest = unused & ~(1 << e)
        reached = length + w.edge_length[e]
        hope = reached + promise(w, city, rest)
        if hope < target:
            shortfall = max(shortfall, hope)
            continue
        if reached >= target:
            return target
        unused = rest
        length = reached
        depth += 1
        w.at[depth] = city
        w.via[depth] = e
        w.todo[depth] = w.incident[city] & unused
    return shortfall


def longest_in(w, edges, cities):
    """The longest trail of one component."""
    odd = 0
    rest = cities
    while rest != 0:
        c = lowest(rest)
        rest &= rest - 1
        if popcount(w.incident[c]) & 1 == 1:
            odd |= 1 << c
    if popcount(odd) <= 2:
        return total_length(w, edges)
    if popcount(edges) == popcount(cities) - 1:
        end, _far = farthest(w, lowest(cities))
        _end, far = farthest(w, end)
        return far
    if popcount(edges) <= popcount(cities) + FEW_LOOPS:
        return walk_all(w, edges, odd)
    best = sweep(w, edges, cities)
    if best < 0:
        best = walk_best(w, edges, odd)
    return best


def walk_all(w, edges, odd):
    """The longest trail between cities of odd degree, by trying every trail."""
    best = 0
    starts = odd
    while starts != 0:
        start = lowest(starts)
        starts &= starts - 1
        w.at[0] = start
        w.todo[0] = w.incident[start]
        depth = 0
        unused = edges
        length = 0
        while depth >= 0:
            if w.todo[depth] == 0:
                if depth > 0:
                    e = w.via[depth] + 0
                    unused |= 1 << e
                    length -= w.edge_length[e]
                depth -= 1
                continue
            e = lowest(w.todo[depth])
            w.todo[depth] &= w.todo[depth] - 1
            city = w.edge_a[e] + w.edge_b[e] - w.at[depth]
            unused &= ~(1 << e)
            length += w.edge_length[e]
            best = max(best, length)
            depth += 1
            w.at[depth] = city
            w.via[depth] = e
            w.todo[depth] = w.incident[city] & unused
    return best


def walk_best(w, edges, odd):
    """The same, by lowering what is hoped for until a trail reaches it: slow with many loops."""
    target = 0
    rest = odd
    while rest != 0:
        target = max(target, promise(w, lowest(rest), edges))
        rest &= rest - 1
    while True:
        best = 0
        rest = odd
        while rest != 0:
            best = max(best, search(w, lowest(rest), edges, target))
            if best == target:
                return target
            rest &= rest - 1
        target = best


def longest_path(spec, s, w, seat):
    """The length of a seat's longest continuous path."""
    n = load_edges(spec, s, w, seat)
    rest = (1 << n) - 1
    best = 0
    while rest != 0:
        edges, cities = component(w, w.edge_a[lowest(rest)] + 0, rest)
        rest &= ~edges
        if total_length(w, edges) > best:
            best = max(best, longest_in(w, edges, cities))
    return best
