"""Which phases and counters are impossible, and which last round."""

from macaz.game.compiled.check_board import copy_board
from macaz.game.compiled.complete import before_turns, may_follow
from macaz.game.compiled.layout import (
    AFTER_IMPOSSIBLE,
    ALL_PASSED,
    DRAWN_WRONG,
    FIRST_EARLY,
    FIRST_MISSING,
    LAST_EARLY,
    LAST_MISSING,
    LAST_WITH_TRAINS,
    NO_SUCH_PHASE,
    NOT_OVER,
    PASSES_EARLY,
    TURN_NOT_FIRST,
)
from macaz.game.compiled.problems import say, say_count
from macaz.kernel.layout import (
    A_PAY,
    ALVIN,
    DEAL_FIRST,
    DEAL_TUNNEL,
    MARK,
    OVER,
    SECOND,
    START,
    TUNNEL,
    TURN,
    TURN_END,
)
from macaz.kernel.table import few_trains, settled_phase


def has_phase(spec, phase):
    """Whether a phase can occur in an edition; Alvin's is checked with Alvin."""
    if phase == START:
        return spec.start_city == 1
    if phase == MARK:
        return spec.markers > 0
    if phase == TUNNEL or phase == DEAL_TUNNEL:
        return spec.base[A_PAY + 1] > spec.base[A_PAY]
    return True


def check_flow(spec, d, problems):
    """T2, E1: the phase, the phase after it and the counters are consistent."""
    now = settled_phase(d)
    if not may_follow(d.phase, d.after):
        say(problems, AFTER_IMPOSSIBLE, -1)
    if not has_phase(spec, now):
        say(problems, NO_SUCH_PHASE, -1)
    first = max(d.first + 0, 0)
    if before_turns(d) and d.phase != START and d.turn != first:
        say_count(problems, TURN_NOT_FIRST, d.turn, d.turn, first)
    if d.first < 0 and d.phase != DEAL_FIRST:
        say(problems, FIRST_MISSING, -1)
    if d.phase == DEAL_FIRST and d.first >= 0:
        say(problems, FIRST_EARLY, d.first)
    if now != TURN_END and d.drawn != int(d.after == SECOND):
        say_count(problems, DRAWN_WRONG, -1, d.drawn, int(d.after == SECOND))
    if d.passes > 0 and (before_turns(d) or (now != TURN and now != OVER)):
        say_count(problems, PASSES_EARLY, -1, d.passes, 0)
    elif d.passes == spec.seats and now != OVER:
        say(problems, ALL_PASSED, -1)
    if d.last > 0 and before_turns(d):
        say_count(problems, LAST_EARLY, -1, d.last, 0)


def check_last_round(spec, d, s, problems):
    """E1: the last round has begun if and only if a seat ended a turn with few trains."""
    now = settled_phase(d)
    copy_board(d, s)
    few = 0
    for p in range(spec.seats):
        if few_trains(spec, s, p):
            few += 1
    if now == OVER:
        if d.passes < spec.seats and (d.last > 0 or few == 0):
            say(problems, NOT_OVER, -1)
        return
    if d.last > 0:
        seat = (d.turn - 1 + d.last) % spec.seats
        if not few_trains(spec, s, seat):
            i = say_count(problems, LAST_WITH_TRAINS, seat, d.last, -1)
            problems[i].most = spec.last_trains
        return
    for p in range(spec.seats):
        claimed = p == d.turn and (now == MARK or now == ALVIN or now == TURN_END)
        if few_trains(spec, s, p) and not claimed:
            say_count(problems, LAST_MISSING, p, d.trains[p], -1)
