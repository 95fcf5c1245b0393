"""The longest trail of a network with many loops: which edges to leave out (E3).

What stays must hang together, and at most two of its cities keep an odd degree. Without "hangs
together" that is easy: `set_bounds` goes over the edges once, backwards, and notes for each set of
cities that could be odd the least length still to be left out. `sweep` then goes forwards and
keeps every way to treat the edges so far that can still come to the length hoped for; two ways
that have joined the same open cities and made the same of them odd count as one. If no way
remains, it hopes for less. It keeps few ways at first: where there are many as good, one of them
is found soon, and a trail as long as the hope is a longest one, whatever was dropped.
"""

from macaz.kernel.bits import lowest, popcount
from macaz.kernel.layout import CITIES, SLOTS, SWEEP_BOUNDS, SWEEP_STATES

FEW_STATES = 32  # what a sweep keeps at first
MORE_STATES = 4  # and so many times more each time it was too little
LABELS = 1 + SLOTS  # a state: two ends are fixed; odd slots; a component for each slot
LABEL_BITS = 4
LABEL = 15
NEW_LABEL = SLOTS + 1
HASH_PRIME = 2147483647
NEVER = 120  # more than all trains


def total_length(w, edges):
    """The summed length of some edges."""
    n = 0
    while edges != 0:
        n += w.edge_length[lowest(edges)]
        edges &= edges - 1
    return n


def plan_from(w, cities, start):
    """Order the cities for a sweep that begins in one of them, in `heap`; returns its work.

    Next comes the city that opens the fewest others; among equals, the one with most open
    neighbours. A city whose neighbours have all had their turn needs none.
    """
    seen = 0
    left = cities
    work = 0
    n = 0
    city = start
    while left != 0:
        fewest = CITIES * CITIES
        rest = left
        while rest != 0 and n > 0:
            c = lowest(rest)
            rest &= rest - 1
            opened = popcount((w.near[c] | 1 << c) & ~seen)
            score = opened * CITIES - popcount(w.near[c] & left & seen)
            if score < fewest:
                fewest = score
                city = c
        w.heap[n] = city
        n += 1
        seen |= w.near[city] | 1 << city
        work += popcount(w.near[city] & left) << min(popcount(seen & left), 2 * SLOTS)
        left &= ~(1 << city)
        rest = w.near[city] & left
        while rest != 0:
            c = lowest(rest)
            rest &= rest - 1
            if w.near[c] & left == 0:
                left &= ~(1 << c)
    return work, n


def plan(w, edges, cities):
    """Order the edges of a component for a sweep; returns how many, or -1 if it is too wide.

    A city takes a slot with its first edge and leaves it with its last.
    """
    rest = cities
    while rest != 0:
        c = lowest(rest)
        rest &= rest - 1
        w.near[c] = 0
        here = w.incident[c]
        while here != 0:
            e = lowest(here)
            here &= here - 1
            w.near[c] |= 1 << (w.edge_a[e] + w.edge_b[e] - c)
    start = lowest(cities)
    least, n = plan_from(w, cities, start)
    rest = cities & (cities - 1)
    while rest != 0:
        c = lowest(rest)
        rest &= rest - 1
        work, n = plan_from(w, cities, c)
        if work < least:
            least = work
            start = c
    work, n = plan_from(w, cities, start)
    steps = 0
    left = edges
    taken = 0
    size = 0
    length = total_length(w, edges)
    for i in range(n):
        here = w.incident[w.heap[i]] & left
        while here != 0:
            e = lowest(here)
            here &= here - 1
            w.step_edge[steps] = e
            w.open[steps] = 2 * taken + 1
            w.layer[steps] = size
            w.rest[steps] = length
            top = 1
            while top <= taken:
                top *= 2
            size += 2 * top
            taken = open_city(w, w.edge_a[e] + 0, edges & ~left, taken)
            taken = open_city(w, w.edge_b[e] + 0, edges & ~left, taken)
            if taken >> SLOTS != 0 or size > SWEEP_BOUNDS - 2:
                return -1
            left &= ~(1 << e)
            length -= w.edge_length[e]
            w.step_a[steps] = w.slot[w.edge_a[e]]
            w.step_b[steps] = w.slot[w.edge_b[e]]
            w.step_close[steps] = 0
            if w.incident[w.edge_a[e]] & left == 0:
                w.step_close[steps] |= 1
                taken &= ~(1 << w.step_a[steps])
            if w.incident[w.edge_b[e]] & left == 0:
                w.step_close[steps] |= 2
                taken &= ~(1 << w.step_b[steps])
            steps += 1
    w.open[steps] = 1
    w.layer[steps] = size
    w.rest[steps] = 0
    return steps


def open_city(w, city, done, taken):
    """Give a city the lowest free slot if it has none; returns the slots taken."""
    if w.incident[city] & done == 0:
        w.slot[city] = lowest(~taken)
        taken |= taken + 1
    return taken


def leave_slot(odd, slot):
    """Who is odd once a city is left behind, -1 if that makes three; bit 0: there are two."""
    bit = 2 << slot
    if odd & bit == 0:
        return odd
    if odd & 1 == 1:
        return -1
    return (odd & ~bit) | (popcount(odd) & 1)  # of all degrees, an even number are odd


def leave(w, i, odd):
    """The same for all cities that a step leaves behind."""
    if w.step_close[i] & 1 == 1:
        odd = leave_slot(odd, w.step_a[i] + 0)
    if w.step_close[i] & 2 == 2 and odd >= 0:
        odd = leave_slot(odd, w.step_b[i] + 0)
    return odd


def set_bounds(w, steps):
    """The least length to be left out from each step on, by who is odd."""
    w.bound[w.layer[steps]] = 0
    w.bound[w.layer[steps] + 1] = 0
    for k in range(steps):
        i = steps - 1 - k
        after = w.layer[i + 1] + 0
        flip = (2 << w.step_a[i]) | (2 << w.step_b[i])
        odd = w.open[i] + 0
        more = True
        while more:
            least = NEVER
            then = leave(w, i, odd)
            if then >= 0:
                least = min(least, w.bound[after + then] + w.edge_length[w.step_edge[i]])
            then = leave(w, i, odd ^ flip)
            if then >= 0:
                least = min(least, w.bound[after + then] + 0)
            w.bound[w.layer[i] + odd] = least
            more = odd != 0
            odd = (odd - 1) & w.open[i]


def label(labels, slot):
    """The component of a slot; 0 while no edge of its city is in the trail."""
    return (labels >> LABEL_BITS * slot) & LABEL


def unite(labels, a, b):
    """Components once an edge between two slots is in the trail."""
    old = label(labels, b)
    new = label(labels, a)
    if new == 0:
        new = NEW_LABEL if old == 0 else old
        labels |= new << LABEL_BITS * a
    if old == 0:
        return labels | new << LABEL_BITS * b
    at = 0
    while labels >> at != 0:
        if (labels >> at) & LABEL == old:
            labels ^= (old ^ new) << at
        at += LABEL_BITS
    return labels


def alone(labels, slot):
    """Whether a slot is the only one of a component."""
    own = label(labels, slot)
    count = 0
    while labels != 0:
        if labels & LABEL == own:
            count += 1
        labels >>= LABEL_BITS
    return own != 0 and count == 1


def relabel(labels):
    """The same components, numbered by their first slots."""
    result = 0
    names = 0
    count = 0
    at = 0
    while labels >> at != 0:
        old = (labels >> at) & LABEL
        if old != 0:
            if label(names, old) == 0:
                count += 1
                names |= count << LABEL_BITS * old
            result |= label(names, old) << at
        at += LABEL_BITS
    return result


def sweep_once(w, steps, allowed, room):
    """Look for a trail that leaves out no more than allowed, keeping so many states.

    Returns what it leaves out; if there is none, the least that one may; -1 if states were
    dropped and none was found.
    """
    w.key[0, 0] = 0
    w.loss[0, 0] = 0
    count = 1
    least = NEVER
    dropped = False
    for i in range(steps):
        now = i & 1
        then = 1 - now
        a = w.step_a[i] + 0
        b = w.step_b[i] + 0
        flip = (2 << a) | (2 << b)
        mask = 15
        while mask < 4 * count:
            mask = 2 * mask + 1
        for k in range(mask + 1):
            w.hashed[k] = -1
        fresh = 0
        for k in range(2 * count):
            used = k & 1 == 0
            odd = w.key[now, k >> 1] & ((1 << LABELS) - 1)
            loss = w.loss[now, k >> 1] + 0
            if used:
                odd ^= flip
            else:
                loss += w.edge_length[w.step_edge[i]]
            odd = leave(w, i, odd)
            if odd < 0:
                continue
            hope = loss + w.bound[w.layer[i + 1] + odd]
            if hope > allowed:
                least = min(least, hope)
                continue
            labels = w.key[now, k >> 1] >> LABELS
            if used:
                labels = unite(labels, a, b)
            whole = False
            if w.step_close[i] & 1 == 1:
                whole = alone(labels, a)
                labels &= ~(LABEL << LABEL_BITS * a)
            if w.step_close[i] & 2 == 2 and not whole:
                whole = alone(labels, b)
                labels &= ~(LABEL << LABEL_BITS * b)
            if whole:
                # The trail is complete, and the rest is left out; other pieces cannot be.
                if labels == 0:
                    loss += w.rest[i + 1]
                    if loss <= allowed:
                        return loss
                    least = min(least, loss)
                continue
            key = relabel(labels) << LABELS | odd
            h = (key % HASH_PRIME) & mask
            while w.hashed[h] >= 0 and w.key[then, w.hashed[h]] != key:
                h = (h + 1) & mask
            at = w.hashed[h] + 0
            if at >= 0:
                w.loss[then, at] = min(w.loss[then, at] + 0, loss)
            elif fresh < room:
                w.hashed[h] = fresh
                w.key[then, fresh] = key
                w.loss[then, fresh] = loss
                fresh += 1
            else:
                dropped = True
        count = fresh
    if dropped:
        return -1
    return least


def sweep(w, edges, cities):
    """The longest trail of a component, edge by edge; -1 if there is no room for it."""
    steps = plan(w, edges, cities)
    if steps < 0:
        return -1
    set_bounds(w, steps)
    allowed = w.bound[0] + 0
    room = FEW_STATES
    while room <= SWEEP_STATES:
        least = sweep_once(w, steps, allowed, room)
        if least == allowed:
            return total_length(w, edges) - least
        room *= MORE_STATES
        if least > allowed:
            allowed = least
            room = FEW_STATES
    return -1
