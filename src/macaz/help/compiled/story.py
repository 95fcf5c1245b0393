"""What a review tells of a game, from what is known of its decisions.

`v` is a verdict on a decision. All chances are those of the seat that decided, from what it knew.
"""

from math import sqrt

from macaz.help.compiled.story_layout import (
    ALL,
    COSTLY,
    COSTS,
    COUNTED,
    END,
    GAPS,
    MEASURE,
    MIDDLE,
    MOST_POINTS,
    NOISE,
    NOTHING_LEFT,
    OPENING,
    PHASES,
    SEARCH,
    STAKES,
    SUMS,
    SWING,
)
from macaz.kernel.layout import OFFERED, TURN

CLEAR = 2.5  # standard errors above which a difference is clear
SINGLE = 1.5  # standard errors up to which the gap of one decision counts as noise
ORDINARY = 0.02  # a stake of every decision, so that little is made of those without a stake
AGAIN = 4  # times as many tries measure a cost that may be more than noise
CURVE_SHARE = 4  # of the tries of a search, for the chance after a move that was the best
LEAST = 0.02  # a chance below which a cost matters to no one
TAUGHT = 2.0  # a mistake weighs so much more than a swing: it teaches something
FEW_POINTS = 3  # turning points that are told however small they are
SMALL_POINT = 0.08  # change of a chance from which on others are told, too


def is_clear(v):
    """Whether the cost of a decision is more than noise."""
    return v.cost > CLEAR * v.error and v.cost > 0.0


def is_judged(v):
    """Whether the move played was compared with others."""
    return v.choices > 1 and v.searched > 0 and v.measured > 0


def is_known(v):
    """Whether there is a chance for the curve."""
    return v.choices > 1 and (v.measured > 0 or v.glanced == 1)


def phase_of(turn, turns):
    """The phase of a turn in a game of so many."""
    if 3 * turn <= turns:
        return OPENING
    if 3 * turn <= 2 * turns:
        return MIDDLE
    return END


# -- what to do next -------------------------------------------------------------------------------


def next_job(v, effort):
    """What is left to do for a decision, if each move is to be compared in so many chunks."""
    if v.choices < 2:
        return NOTHING_LEFT
    if v.searched < effort:
        return SEARCH
    wanted = effort
    if v.agreed == 1:
        wanted = max(effort // CURVE_SHARE, 1)
    elif v.measured >= effort and v.cost > v.error:
        wanted = AGAIN * effort
    if v.measured < wanted:
        return MEASURE
    return NOTHING_LEFT


def urgency(v):
    """How much the tries of a decision may still change what is told of it."""
    if v.searched == 0:
        if is_known(v):  # nothing is at stake in a game that is won or lost
            return v.promise * (0.1 + 4.0 * v.after * (1.0 - v.after))
        return v.promise
    if v.agreed == 1:
        return min(v.stake, LEAST)
    return v.cost + 2.0 * v.error


def matters(v):
    """Whether more tries than those of a thorough review are worth their time."""
    return v.agreed == 0 and v.cost + CLEAR * v.error > LEAST


def note_chances(v, best, played):
    """Write what fresh tries say of the best move and the move played, which may be one line."""
    v.after = played.chance
    v.ahead_after = played.margin
    v.ahead_before = best.margin
    v.gap = played.loss - best.loss
    v.cost = max(v.gap, 0.0)
    v.error = max(played.doubt, best.doubt)
    v.before = v.after + v.cost
    v.doubt = best.error


def note_search(v, lines, count, played):
    """Write what the comparison of all moves says; `played` is the line of the move played.

    The stake is the mean loss of the moves, less what their noise would make of equal moves.
    """
    v.agreed = 0
    if lines[played].rank == 0:
        v.agreed = 1
        v.gap = 0.0
        v.cost = 0.0
        v.error = 0.0
    loss = 0.0
    doubt = 0.0
    for i in range(count):
        loss += lines[i].loss
        doubt += lines[i].doubt
    v.stake = max(loss - doubt, 0.0) / max(count, 1)


# -- the story -------------------------------------------------------------------------------------


def write_curve(verdicts, results, curves, seats):
    """Write each seat's chance after each ply, as of its last decision; the last row: the end."""
    n = len(verdicts)
    for seat in range(seats):
        chance = 1.0 / seats
        for ply in range(n):
            if verdicts[ply].seat == seat and is_known(verdicts[ply]):
                chance = verdicts[ply].before + 0.0
            curves[ply, seat] = chance
        curves[n, seat] = results[seat]


def beyond_noise(amount, error):
    """An amount as far as it is more than noise: nothing up to the error, nearly all far beyond."""
    if amount <= error:
        return 0.0
    return amount - error * error / amount


def add_decision(v, story, sums, part):
    """Count a judged decision in a part of the game."""
    story.decisions[part] += 1
    sums[STAKES, part] += v.stake
    sums[GAPS, part] += v.gap
    sums[NOISE, part] += v.error * v.error
    counted = beyond_noise(v.gap, SINGLE * v.error)
    if counted > 0.0:
        sums[COSTS, part] += counted
        sums[COUNTED, part] += v.error * v.error


def cost_of(sums, part):
    """What decisions cost together, and the standard error.

    Each counts as far as it is more than noise by itself. Many small ones may be so together: what
    the sum of all gaps has beyond these, if that is more than the noise of them all, counts, too.
    """
    rest = beyond_noise(sums[GAPS, part] - sums[COSTS, part], sqrt(sums[NOISE, part]))
    if rest > 0.0:
        return sums[COSTS, part] + rest, sqrt(sums[NOISE, part])
    return sums[COSTS, part] + 0.0, sqrt(sums[COUNTED, part])


def write_story(verdicts, results, story, sums, seat, seats, turns):
    """Write how a seat fared."""
    for part in range(PHASES + 1):
        story.decisions[part] = 0
        for row in range(SUMS):
            sums[row, part] = 0.0
    story.agreed = 0
    story.mistakes = 0
    story.lost = 0.0
    story.deal = 0.0
    met = False
    for ply in range(len(verdicts)):
        v = verdicts[ply]
        if v.seat == seat and is_known(v) and not met:
            met = True
            story.deal = v.before - 1.0 / seats
        if v.seat == seat and is_judged(v):
            add_decision(v, story, sums, phase_of(v.turn + 0, turns))
            add_decision(v, story, sums, ALL)
            story.agreed += v.agreed
            if is_clear(v):
                story.mistakes += 1
                story.lost += v.cost
    for part in range(PHASES + 1):
        cost, error = cost_of(sums, part)
        stakes = max(sums[STAKES, part] + ORDINARY * story.decisions[part], cost)
        story.spared[part] = 1.0
        if stakes > 0.0:
            story.spared[part] = 1.0 - cost / stakes
        if part == ALL:
            story.skill = -cost
            story.doubt = error
    story.luck = results[seat] - 1.0 / seats - story.deal - story.skill


def is_beside(one, other, seats):
    """Whether two turns are in the same round."""
    return abs(one - other) < seats


def is_taken(verdicts, points, found, ply, seats):
    """Whether a turning point was found in the same round."""
    for i in range(found):
        if is_beside(verdicts[points[i].ply].turn, verdicts[ply].turn, seats):
            return True
    return False


def weight_of(kind, change):
    """How much a turning point weighs."""
    if kind == COSTLY:
        return TAUGHT * abs(change)
    return abs(change)


def offer_point(points, at, kind, ply, until, seat, change):
    """Write a turning point if it weighs more than the one that is there."""
    if weight_of(kind, change) > weight_of(points[at].kind, points[at].change):
        p = points[at]
        p.kind = kind
        p.ply = ply
        p.until = until
        p.seat = seat
        p.change = change


def find_next_point(verdicts, results, points, found, only, seats):
    """Write the clear cost or swing that weighs most, apart from those found; kind 0: none."""
    n = len(verdicts)
    points[found].kind = 0
    points[found].change = 0.0
    for seat in range(seats):
        if only >= 0 and only != seat:
            continue
        before = -1  # the seat's last decision
        for ply in range(n):
            v = verdicts[ply]
            if v.seat != seat or not is_known(v):
                continue
            if is_judged(v) and is_clear(v) and not is_taken(verdicts, points, found, ply, seats):
                offer_point(points, found, COSTLY, ply, ply, seat, -v.cost)
            if before >= 0 and not is_taken(verdicts, points, found, before, seats):
                u = verdicts[before]
                change = v.before - u.after
                if abs(change) > CLEAR * sqrt(u.doubt * u.doubt + v.doubt * v.doubt):
                    offer_point(points, found, SWING, before, ply, seat, change)
            before = ply
        if before >= 0 and not is_taken(verdicts, points, found, before, seats):
            u = verdicts[before]
            change = results[seat] - u.after
            if abs(change) > CLEAR * u.doubt:
                offer_point(points, found, SWING, before, n, seat, change)


def find_points(verdicts, results, points, only, seats):
    """Write the turning points of a game, or of one seat, by weight; returns how many."""
    for found in range(MOST_POINTS):
        find_next_point(verdicts, results, points, found, only, seats)
        size = abs(points[found].change)
        if points[found].kind == 0 or size < LEAST:
            return found
        if found >= FEW_POINTS and size < SMALL_POINT:
            return found
    return MOST_POINTS


# -- tickets after the end -------------------------------------------------------------------------

ENOUGH = 100  # trains: more than any way needs


def reopen(s, seat):
    """Make a game that is over one in which a seat is to move, and has all the trains it needs."""
    s.phase = TURN
    s.turn = seat
    s.last = 0
    s.drawn = 0
    s.lane = -1
    s.trains[seat] = ENOUGH


def offer_ticket(s, seat, t):
    """Lay a ticket before a seat."""
    s.ticket[t] = OFFERED + seat
    s.known[t] |= 1 << seat
