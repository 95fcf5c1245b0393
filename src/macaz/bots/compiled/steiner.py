"""Exact networks: the cheapest forest that joins the ends of each of a few tickets.

Dreyfus and Wagner's way: the cheapest tree that joins a set of terminals and a city grows along a
lane, or from two trees for parts of the set that meet in the city. A forest parts the tickets into
groups, one tree for each.
"""

from macaz.bots.compiled.cards import own_cities, rooted
from macaz.bots.compiled.tempo import plan_turns
from macaz.bots.compiled.ways import NO_WAY, lane_size, use_lane
from macaz.kernel.bits import lowest

GROWN = -32768  # where a tree begins


def terminal_at(m, k, city):
    """The number of a terminal, a new one if need be; returns it."""
    for i in range(k):
        if m.terminal[i] == city:
            return i
    m.terminal[k] = city
    return k


def grow_tree(spec, g, m, part):
    """Let the trees for a set of terminals reach every city, along the cheapest lanes."""
    edge = 0  # reached, but perhaps not yet by the cheapest tree
    for c in range(spec.cities):
        if m.tree[part, c] < NO_WAY:
            edge |= 1 << c
    done = 0
    while edge != 0:
        here = -1
        near = NO_WAY
        rest = edge
        while rest != 0:
            c = lowest(rest)
            rest &= rest - 1
            if m.tree[part, c] < near:
                near = m.tree[part, c] + 0.0
                here = c
        done |= 1 << here
        edge &= ~done
        for e in range(g.exits[here], g.exits[here + 1]):
            lane = g.exit[e] + 0
            there = spec.lane_a[lane] + spec.lane_b[lane] - here
            length = near + m.cost[lane]
            if length < m.tree[part, there]:
                m.tree[part, there] = length
                m.back[part, there] = lane
                edge |= (1 << there) & ~done


def grow_trees(spec, g, m, k):
    """The cheapest trees for every set of k terminals."""
    for part in range(1, 1 << k):
        for c in range(spec.cities):
            m.tree[part, c] = NO_WAY
            m.back[part, c] = GROWN
        if part & (part - 1) == 0:
            m.tree[part, m.terminal[lowest(part)]] = 0.0
        sub = (part - 1) & part
        while sub > 0:
            other = part ^ sub
            if sub > other:
                for c in range(spec.cities):
                    length = m.tree[sub, c] + m.tree[other, c]
                    if length < m.tree[part, c]:
                        m.tree[part, c] = length
                        m.back[part, c] = -1 - sub
            sub = (sub - 1) & part
        grow_tree(spec, g, m, part)


def best_forests(m, n, start):
    """The cost of the cheapest forest for each set of the n tickets, and how it is parted."""
    for group in range(1, 1 << n):
        part = start
        for i in range(n):
            if (group >> i) & 1 == 1:
                part |= m.ends[i]
        m.part[group] = part
        m.forest[group] = m.tree[part, m.terminal[lowest(part)]]
        m.split[group] = 0
        if start == 0:
            sub = (group - 1) & group
            while sub > 0:
                length = m.forest[sub] + m.forest[group ^ sub]
                if length < m.forest[group]:
                    m.forest[group] = length
                    m.split[group] = sub
                sub = (sub - 1) & group


def walk_tree(spec, s, seat, m, part, spot, mark):
    """Walk a tree, and plan its lanes if asked; returns trains * 64 + lanes that it takes."""
    n = 1
    m.stack_part[0] = part
    m.stack_city[0] = spot
    size = 0
    while n > 0:
        n -= 1
        here = m.stack_part[n] + 0
        city = m.stack_city[n] + 0
        back = m.back[here, city] + 0
        while back >= 0:
            if mark:
                use_lane(spec, s, seat, m, back)
            else:
                size += lane_size(spec, s, seat, m, back)
            city = spec.lane_a[back] + spec.lane_b[back] - city
            back = m.back[here, city] + 0
        if back != GROWN:
            sub = -1 - back
            m.stack_part[n] = sub
            m.stack_city[n] = city
            m.stack_part[n + 1] = here ^ sub
            m.stack_city[n + 1] = city
            n += 2
    return size


def walk_forest(spec, s, seat, m, group, mark):
    """Walk the trees of a forest, as `walk_tree` does."""
    size = 0
    n = 1
    m.stack_group[0] = group
    while n > 0:
        n -= 1
        here = m.stack_group[n] + 0
        sub = m.split[here] + 0
        if sub != 0:
            m.stack_group[n] = sub
            m.stack_group[n + 1] = here ^ sub
            n += 2
        else:
            part = m.part[here] + 0
            size += walk_tree(spec, s, seat, m, part, m.terminal[lowest(part)] + 0, mark)
    return size


def plan_forest(spec, g, y, s, seat, m, n, turns):
    """Plan the best forest for the first n tickets of `m.todo`; returns what it gains.

    Every set of the tickets has its cheapest forest; the set that gains most is taken, if there
    are trains and turns enough for it, else the next best.
    """
    k = 0
    start = 0
    if rooted(spec, s, seat):
        k = terminal_at(m, 0, lowest(own_cities(spec, s, seat))) + 1
        start = 1
    for i in range(n):
        t = m.todo[i] + 0
        a = terminal_at(m, k, spec.ticket_a[t] + 0)
        k = max(k, a + 1)
        b = terminal_at(m, k, spec.ticket_b[t] + 0)
        k = max(k, b + 1)
        m.ends[i] = (1 << a) | (1 << b)
    grow_trees(spec, g, m, k)
    best_forests(m, n, start)
    for _ in range(1 << n):
        best = 0
        best_gain = 0.0
        for group in range(1, 1 << n):
            if m.forest[group] < NO_WAY:
                gain = -m.forest[group]
                for i in range(n):
                    if (group >> i) & 1 == 1:
                        gain += m.hope[i]
                if gain > best_gain:
                    best_gain = gain
                    best = group
        if best == 0:
            return 0.0
        size = walk_forest(spec, s, seat, m, best, False)
        trains = size // 64
        claims = size % 64
        if trains <= s.trains[seat] and plan_turns(s, seat, y, trains, claims) <= turns + y.slack:
            walk_forest(spec, s, seat, m, best, True)
            for i in range(n):
                if (best >> i) & 1 == 1:
                    m.worth += m.hope[i]
                    m.open += 1
            return best_gain
        m.forest[best] = NO_WAY
    return 0.0
