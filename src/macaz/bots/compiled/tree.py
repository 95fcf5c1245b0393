"""The search: a tree over the seat's own decisions, the others and chance as they come.

A playout takes a world, goes down the tree by PUCT wherever the seat decides, and from its leaf on
all seats play by style. The same move is tried in the same worlds in the same order as any other,
with the same luck, so that what differs between moves is more the move than the luck.
"""

from math import sqrt

from macaz.bots.compiled.decide import decide, no_plan
from macaz.bots.compiled.endings import bent, margin_over, win_share
from macaz.bots.compiled.layout import SEARCHED
from macaz.bots.compiled.options import list_moves
from macaz.kernel.dice import seed_dice
from macaz.kernel.layout import OVER
from macaz.kernel.play import roll
from macaz.kernel.score import final_score
from macaz.kernel.step import step
from macaz.kernel.table import actor


def new_node(nodes, q, action, prior):
    """A fresh node; returns its number."""
    i = q.nodes + 0
    q.nodes += 1
    node = nodes[i]
    node.action = action
    node.visits = 0
    node.child = -1
    node.next = -1
    node.prior = prior
    node.total = 0.0
    for p in range(len(node.wins)):
        node.wins[p] = 0.0
        node.points[p] = 0.0
    return i


def descend(spec, g, y, s, seat, m, q, d, w, nodes, here):
    """The node after the most promising move of this position; -1 where there is no room."""
    n = list_moves(spec, g, y, s, seat, m, q, d, w)
    mean = 0.5
    if nodes[here].visits > 0:
        mean = nodes[here].total / nodes[here].visits
    spread = sqrt(nodes[here].visits + 1.0)
    best = -1
    best_score = -1e9
    for i in range(n):
        found = -1
        at = nodes[here].child + 0
        while at >= 0:
            if nodes[at].action == q.option[i]:
                found = at
                break
            at = nodes[at].next + 0
        if found < 0:
            if q.nodes == len(nodes):
                continue
            found = new_node(nodes, q, q.option[i], q.weight[i])
            nodes[found].next = nodes[here].child
            nodes[here].child = found
        value = mean
        if nodes[found].visits > 0:
            value = nodes[found].total / nodes[found].visits
        score = value + q.puct * q.weight[i] * spread / (1.0 + nodes[found].visits)
        if score > best_score:
            best_score = score
            best = found
    return best


def worth_of(spec, tally, seat, q):
    """What an ending is worth to a seat, 0 to 1: the win, and the margin."""
    margin = bent(margin_over(spec, tally, seat), q.scale)
    return q.win * win_share(spec, tally, seat) + (1.0 - q.win) * (0.5 + 0.5 * margin)


def playout(spec, g, styles, games, nodes, q, seat, root, seed):
    """One playout, from the root to the end of the game and back.

    `root` is the seat's first move, or SEARCHED, or NOTHING where it has nothing to decide.
    """
    worlds = games.worlds
    states = games.states
    minds = games.minds
    dice = games.dice
    w = games.works[0]
    tally = games.tallies[0]
    for p in range(spec.seats):
        no_plan(minds[p])
    d = dice[0]
    states[0] = worlds[q.playouts % len(worlds)]
    s = states[0]
    seed_dice(d, seed, q.playouts + 0)
    roll(spec, s, d)
    here = 0
    deep = 0
    q.path[0] = 0
    inside = root == SEARCHED
    if root >= 0:
        step(spec, s, root, None)
        roll(spec, s, d)
    while s.phase != OVER:
        who = actor(spec, s)
        if inside and deep == 0:
            who = seat  # while all choose tickets, this seat need not wait for its turn
        if inside and who == seat and deep < q.depth:
            at = descend(spec, g, styles[seat], s, seat, minds[seat], q, dice[1], w, nodes, here)
            if at >= 0:
                if deep == 0:
                    # The n-th playout of a move meets the n-th world, whatever the move.
                    states[0] = worlds[nodes[at].visits % len(worlds)]
                    seed_dice(d, seed, nodes[at].visits + 0)
                here = at
                deep += 1
                q.path[deep] = here
                inside = nodes[here].visits > 0
                step(spec, s, nodes[here].action + 0, None)
                roll(spec, s, d)
                continue
            inside = False
        step(spec, s, decide(spec, g, styles[who], s, who, minds[who], dice[1], w), None)
        roll(spec, s, d)
    final_score(spec, s, w, tally)
    value = worth_of(spec, tally, max(seat, 0), q)  # a spectator has no values, only chances
    for i in range(deep + 1):
        node = nodes[q.path[i]]
        node.visits += 1
        node.total += value
        for p in range(spec.seats):
            node.wins[p] += win_share(spec, tally, p)
            node.points[p] += tally.total[p]
    q.playouts += 1


def most_visited(nodes):
    """The move of the root with the most visits, of these with the highest total; -1 of none."""
    best = -1
    at = nodes[0].child + 0
    while at >= 0:
        more = True
        if best >= 0:
            more = nodes[at].visits > nodes[best].visits
            if nodes[at].visits == nodes[best].visits:
                more = nodes[at].total > nodes[best].total
        if more:
            best = at
        at = nodes[at].next + 0
    if best < 0:
        return -1
    return nodes[best].action + 0


def lead(nodes):
    """The difference in visits between the two most visited moves; very large for a single move."""
    first = -1
    second = -1
    at = nodes[0].child + 0
    while at >= 0:
        visits = nodes[at].visits + 0
        if visits > first:
            second = first
            first = visits
        elif visits > second:
            second = visits
        at = nodes[at].next + 0
    if second < 0:
        return 1 << 30
    return first - second
