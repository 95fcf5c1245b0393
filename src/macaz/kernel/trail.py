"""The routes of a longest path of a seat, in order (E3)."""

from macaz.kernel.bits import lowest, popcount
from macaz.kernel.layout import WORD_BITS, WORDS
from macaz.kernel.paths import longest_path


def own_lanes(spec, s, seat, out):
    """List a seat's lanes in the order of their routes; returns how many."""
    n = 0
    for v in range(WORDS):
        rest = s.claimed[seat, v]
        while rest != 0:
            lane = v * WORD_BITS + lowest(rest)
            rest &= rest - 1
            i = n
            while i > 0 and spec.lane_route[out[i - 1]] > spec.lane_route[lane]:
                out[i] = out[i - 1]
                i -= 1
            out[i] = lane
            n += 1
    return n


def toggle(s, seat, lane):
    """Give a lane to a seat that does not have it, or take it away."""
    s.claimed[seat, lane // WORD_BITS] ^= 1 << (lane % WORD_BITS)


def needed_lanes(spec, s, w, seat, out):
    """Take away every lane without which the longest path is as long; returns how many are left.

    They are listed, and make up one path.
    """
    length = longest_path(spec, s, w, seat)
    n = own_lanes(spec, s, seat, out)
    kept = 0
    for i in range(n):
        lane = out[i] + 0
        toggle(s, seat, lane)
        if longest_path(spec, s, w, seat) < length:
            toggle(s, seat, lane)
            out[kept] = lane
            kept += 1
    return kept


def first_city(w, n):
    """An end of a path of so many edges: a city of odd degree, any for a circuit."""
    for e in range(n):
        if popcount(w.incident[w.edge_a[e]]) & 1 == 1:
            return w.edge_a[e] + 0
        if popcount(w.incident[w.edge_b[e]]) & 1 == 1:
            return w.edge_b[e] + 0
    return w.edge_a[0] + 0


def walk(spec, w, n, out):
    """Put the lanes of a path of so many edges in order, as routes.

    Hierholzer's way: along unused edges until there is none, then back to a city that has one.
    """
    w.at[0] = first_city(w, n)
    unused = (1 << n) - 1
    depth = 0
    place = 2 * n  # the path is found from its end, and written behind the lanes
    while depth >= 0:
        onward = w.incident[w.at[depth]] & unused
        if onward != 0:
            e = lowest(onward)
            unused &= ~(1 << e)
            w.at[depth + 1] = w.edge_a[e] + w.edge_b[e] - w.at[depth]
            w.via[depth + 1] = e
            depth += 1
        else:
            if depth > 0:
                place -= 1
                out[place] = spec.lane_route[out[w.via[depth]]]
            depth -= 1
    for e in range(n):
        out[e] = out[n + e]


def longest_trail(spec, s, w, seat, out):
    """Write the routes of a longest path, from one end to the other; returns how many.

    The state keeps only these of the seat's routes.
    """
    n = needed_lanes(spec, s, w, seat, out)
    for c in range(spec.cities):
        w.incident[c] = 0
    for e in range(n):
        w.edge_a[e] = spec.lane_a[out[e]]
        w.edge_b[e] = spec.lane_b[out[e]]
        w.incident[w.edge_a[e]] |= 1 << e
        w.incident[w.edge_b[e]] |= 1 << e
    if n > 0:
        walk(spec, w, n, out)
    return n
