"""Tries of moves: from a world, one of the moves, then all seats by style to the end of the game.

Tries are numbered. All that is random in a try follows from the seed and its number, so tries can
be made in any order, so many at a time, and by any worker. The same try of two moves has the same
world and the same luck, so that what differs between moves is more the move than the luck.
"""

from macaz.bots.compiled.decide import decide
from macaz.bots.compiled.endings import win_share
from macaz.bots.compiled.layout import NOTHING
from macaz.bots.compiled.lookahead import forget_plans, recall_plan
from macaz.bots.compiled.options import list_moves
from macaz.help.compiled.layout import NO_RESULT, WHOLE
from macaz.kernel.bits import lowest
from macaz.kernel.dice import seed_dice
from macaz.kernel.layout import (
    A_TICKETS,
    CARDS,
    CHOOSE,
    HELD,
    OVER,
    SEATS,
    TURN,
    WORD_BITS,
    WORDS,
)
from macaz.kernel.play import roll
from macaz.kernel.score import final_score
from macaz.kernel.step import step
from macaz.kernel.table import actor, own_marks
from macaz.kernel.world import make_world

WORLD_STREAM = 1 << 40  # numbers of streams that worlds are drawn with; tries have those below
SOON = 2  # turns


def may_decide(spec, s, seat):
    """Whether a seat is to decide now."""
    if seat < 0:
        return False
    if s.phase == CHOOSE:
        return (s.choosing >> seat) & 1 == 1
    return actor(spec, s) == seat


def list_compared(spec, g, y, s, games, q, lines, seat):
    """Write the moves to compare, the likeliest first; returns how many.

    Where the seat is not to decide there is one line, for what comes without a move of it.
    """
    if not may_decide(spec, s, seat):
        new_line(lines[0], NOTHING, 1.0)
        return 1
    m = games.minds[0]
    forget_plans(spec, games.minds, 0)
    found = list_moves(spec, g, y, s, seat, m, q, games.dice[0], games.works[0])
    n = 0
    for i in range(found):
        at = n
        while at > 0 and q.weight[i] > lines[at - 1].prior:
            if at < len(lines):
                lines[at] = lines[at - 1]
            at -= 1
        if at < len(lines):
            new_line(lines[at], q.option[i] + 0, q.weight[i] + 0.0)
            n = min(n + 1, len(lines))
    return n


def new_line(line, action, prior):
    """A move without tries."""
    forget_facts(line)
    line.action = action
    line.prior = prior
    line.kept = 0
    line.dropped = 0
    line.rank = 0
    line.chance = 0.0
    line.error = 0.0
    line.loss = 0.0
    line.doubt = 0.0
    line.margin = 0.0
    line.spread = 0.0
    for p in range(SEATS):
        line.chances[p] = 0.0


def forget_facts(line):
    """No tries so far."""
    line.tries = 0
    line.turns = 0.0
    line.routes = 0.0
    line.tickets = 0.0
    line.missed = 0.0
    line.longest = 0.0
    line.stations = 0.0
    line.globetrotter = 0.0
    line.alvin = 0.0
    for p in range(SEATS):
        line.won[p] = 0
        line.points[p] = 0.0
        for lane in range(line.soon.shape[1]):
            line.soon[p, lane] = 0
            line.ever[p, lane] = 0
    for t in range(len(line.held)):
        line.held[t] = 0
        line.done[t] = 0
    for c in range(CARDS):
        line.needed[c] = 0
    for city in range(len(line.built)):
        line.built[city] = 0


def try_moves_from(spec, g, styles, games, v, q, z, lines, results, seat, seed, start):
    """Make tries of all moves; returns how many, or 0 where no state gives the view."""
    made = 0
    for k in range(results.shape[1]):
        number = start + k
        d = games.dice[0]
        seed_dice(d, seed, WORLD_STREAM + number)
        if make_world(spec, v, games.worlds[0], q, d) != 0:
            return 0
        forget_plans(spec, games.minds, SEATS)
        for i in range(len(lines)):
            if lines[i].dropped == 1:
                for p in range(SEATS):
                    results[i, k, p] = NO_RESULT
                continue
            play_try(spec, g, styles, games, z, lines[i].action + 0, seat, seed, number)
            note_try(spec, games.states[0], games.tallies[0], z, lines[i], seat)
            for p in range(SEATS):
                results[i, k, p] = games.tallies[0].total[p]
            made += 1
    return made


def play_try(spec, g, styles, games, z, action, seat, seed, number):
    """Play one game from the world to its end, and score it."""
    minds = games.minds
    d = games.dice[0]
    w = games.works[0]
    world = games.worlds[0]
    games.states[0] = world
    s = games.states[0]
    forget_plans(spec, minds, 0)
    seed_dice(d, seed, number)
    begin_trial(spec, s, seat, z)
    roll(spec, s, d)
    if action >= 0:
        own_step(spec, s, seat, action, d, z)
    while s.phase != OVER:
        who = actor(spec, s)
        y = styles[who]
        if who == seat:
            if s.phase == TURN:
                begin_turn(spec, s, z)
            a = decide(spec, g, y, s, who, minds[who], games.dice[1], w)
            own_step(spec, s, seat, a, d, z)
        else:
            # What others plan in this world is found once, before the move.
            recall_plan(spec, g, y, world, who, minds)
            a = decide(spec, g, y, s, who, minds[who], games.dice[1], w)
            step(spec, s, a, None)
            roll(spec, s, d)
    if z.turns < SOON:
        note_soon(spec, s, z)
    final_score(spec, s, w, games.tallies[0])


def begin_trial(spec, s, seat, z):
    """Note what there is before a try."""
    for p in range(spec.seats):
        for v in range(WORDS):
            z.claimed[p, v] = s.claimed[p, v]
    z.turns = 0
    z.cities = 0
    if seat < 0:
        return
    z.cities = own_marks(s, seat)
    for c in range(CARDS):
        z.start[c] = s.hand[seat, c]
        z.spent[c] = 0


def begin_turn(spec, s, z):
    """A turn of the seat begins that is not the present one."""
    z.turns += 1
    if z.turns == SOON:
        note_soon(spec, s, z)


def note_soon(spec, s, z):
    """Note who has which lane within two turns."""
    for p in range(spec.seats):
        for v in range(WORDS):
            z.soon[p, v] = s.claimed[p, v]


def own_step(spec, s, seat, a, d, z):
    """A decision of the seat, and what chance makes of it; counts the cards spent."""
    for c in range(CARDS):
        z.hand[c] = s.hand[seat, c]
    step(spec, s, a, None)
    roll(spec, s, d)
    if a >= spec.base[A_TICKETS]:  # no card drawn: cards laid for a tunnel may come back
        for c in range(CARDS):
            z.spent[c] += z.hand[c] - s.hand[seat, c]


def count_lanes(counts, p, v, lanes):
    """Add one for each lane of a word."""
    while lanes != 0:
        counts[p, v * WORD_BITS + lowest(lanes)] += 1
        lanes &= lanes - 1


def note_try(spec, s, tally, z, line, seat):
    """Add the facts of a game that is over."""
    line.tries += 1
    for p in range(spec.seats):
        line.won[p] += int(WHOLE * win_share(spec, tally, p) + 0.5)
        line.points[p] += tally.total[p]
        for v in range(WORDS):
            before = z.claimed[p, v] + 0
            count_lanes(line.ever, p, v, s.claimed[p, v] & ~before)
            count_lanes(line.soon, p, v, z.soon[p, v] & ~before)
    if seat >= 0:
        note_own(spec, s, tally, z, line, seat)


def note_own(spec, s, tally, z, line, seat):
    """Add the facts about the seat itself."""
    line.turns += z.turns
    line.routes += tally.routes[seat]
    line.tickets += tally.tickets[seat]
    line.longest += tally.longest[seat]
    line.stations += tally.stations[seat]
    line.globetrotter += tally.globetrotter[seat]
    line.alvin += tally.alvin[seat]
    for t in range(spec.tickets):
        if s.ticket[t] == HELD + seat:
            line.held[t] += 1
            if tally.done[t] == 1:
                line.done[t] += 1
            else:
                line.missed += spec.ticket_points[t]
    for c in range(CARDS):
        if z.spent[c] > z.start[c]:
            line.needed[c] += 1
    fresh = own_marks(s, seat) & ~z.cities
    while fresh != 0:
        line.built[lowest(fresh)] += 1
        fresh &= fresh - 1


def add_facts(spec, line, more):
    """Add the facts of another worker's tries of the same move."""
    line.tries += more.tries
    line.turns += more.turns
    line.routes += more.routes
    line.tickets += more.tickets
    line.missed += more.missed
    line.longest += more.longest
    line.stations += more.stations
    line.globetrotter += more.globetrotter
    line.alvin += more.alvin
    for p in range(spec.seats):
        line.won[p] += more.won[p]
        line.points[p] += more.points[p]
        for lane in range(line.soon.shape[1]):
            line.soon[p, lane] += more.soon[p, lane]
            line.ever[p, lane] += more.ever[p, lane]
    for t in range(spec.tickets):
        line.held[t] += more.held[t]
        line.done[t] += more.done[t]
    for c in range(CARDS):
        line.needed[c] += more.needed[c]
    for city in range(spec.cities):
        line.built[city] += more.built[city]
