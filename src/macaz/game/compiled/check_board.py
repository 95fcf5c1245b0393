"""Which routes, trains and scores are impossible, and which claim that is under way."""

from macaz.game.compiled.complete import (
    before_turns,
    cards_in,
    lane_of,
    route_points,
    trains_rest,
)
from macaz.game.compiled.layout import (
    BOTH_LANES,
    CLAIM_APART,
    CLAIM_CLOSED,
    CLAIM_MISSING,
    CLAIM_NOW,
    CLAIM_TRAINS,
    EXTRA_NONE,
    EXTRA_WRONG,
    LAID_MISSING,
    LAID_WRONG,
    NO_TUNNEL,
    NOT_CLAIMED,
    NOTHING_LAID,
    REVEALED_ALL,
    REVEALED_FEW,
    REVEALED_MANY,
    ROUTE_TWICE,
    ROUTES_EARLY,
    SCORE_EARLY,
    SCORE_WRONG,
    SECOND_LANE,
    TRAINS_EXCEEDED,
    TRAINS_WRONG,
)
from macaz.game.compiled.problems import say, say_count, say_lane
from macaz.kernel.layout import (
    ALVIN,
    DEAL_TUNNEL,
    LANE_TAKEN,
    MARK,
    MARKS,
    OWN_PARALLEL_LANE,
    SEATS,
    TOO_FEW_TRAINS,
    TUNNEL,
    TURN_END,
    WORD_BITS,
    WORDS,
)
from macaz.kernel.pay import may_cost
from macaz.kernel.table import owners_score, settled_phase
from macaz.kernel.why import why_closed, why_no_claim


def clear_board(s):
    """Make a state that is asked about routes, stations and markers: an empty board."""
    for p in range(SEATS):
        s.trains[p] = 0
        for v in range(WORDS):
            s.claimed[p, v] = 0
        for i in range(MARKS):
            s.marks[p, i] = -1
    s.last = 0
    s.lane = -1
    s.alvin_city = -1
    s.alvin_holder = -1


def claim(s, seat, lane):
    """Give a seat a lane."""
    s.claimed[seat, lane // WORD_BITS] |= 1 << (lane % WORD_BITS)


def owner_of(spec, d, lane):
    """The seat that has a lane, or -1."""
    for p in range(spec.seats):
        if lane_of(d, p, lane):
            return p
    return -1


def parallel_owner(spec, d, lane):
    """The seat that has a lane or one beside it, and that lane; -1: none."""
    owner = owner_of(spec, d, lane)
    if owner >= 0:
        return owner, lane
    bit = lane % WORD_BITS
    if (spec.multi[lane // WORD_BITS] >> bit) & 1 == 1:
        for v in range(WORDS):
            beside = v * WORD_BITS + bit
            if (spec.multi[v] >> bit) & 1 == 1:
                owner = owner_of(spec, d, beside)
                if owner >= 0:
                    return owner, beside
    return -1, -1


def check_lanes(spec, d, s, problems):
    """C4, C7: every lane is claimed once, and parallel lanes as the rules allow."""
    clear_board(s)
    for p in range(spec.seats):
        for lane in range(WORDS * WORD_BITS):
            if not lane_of(d, p, lane):
                continue
            reason = why_closed(spec, s, p, lane)
            if reason == LANE_TAKEN:
                i = say_lane(problems, ROUTE_TWICE, p, lane)
                problems[i].other = parallel_owner(spec, s, lane)[0]
                continue
            if reason == OWN_PARALLEL_LANE:
                say_lane(problems, BOTH_LANES, p, lane)
            elif reason != 0:
                i = say_lane(problems, SECOND_LANE, p, lane)
                problems[i].other = parallel_owner(spec, s, lane)[0]
            claim(s, p, lane)


def check_trains(spec, d, problems):
    """C3: the trains that are left, and those on the board."""
    for p in range(spec.seats):
        rest = trains_rest(spec, d, p)
        if rest < 0:
            say_count(problems, TRAINS_EXCEEDED, p, -rest, -1)
        elif d.trains[p] != rest:
            say_count(problems, TRAINS_WRONG, p, d.trains[p], rest)


def check_scores(spec, d, problems):
    """C5, A2: the score follows from routes and captures of Alvin, if owners score their routes."""
    if not owners_score(spec):
        return
    for p in range(spec.seats):
        points = route_points(spec, d, p)
        captures = d.score[p] - points
        step = 0
        if spec.alvin_home >= 0:
            step = spec.alvin_points + 0
        if captures < 0 or (captures > 0 and (step == 0 or captures % max(step, 1) != 0)):
            say_count(problems, SCORE_WRONG, p, d.score[p], points)


def check_setup_board(spec, d, problems):
    """Before the first turn there are no routes and no points."""
    if not before_turns(d):
        return
    for p in range(spec.seats):
        if d.claimed[p, 0] != 0 or d.claimed[p, 1] != 0 or d.claimed[p, 2] != 0:
            say(problems, ROUTES_EARLY, p)
        if d.score[p] != 0:
            say(problems, SCORE_EARLY, p)


def is_claim_phase(phase):
    """Whether a route is being claimed in a phase."""
    return phase == DEAL_TUNNEL or phase == TUNNEL or phase == MARK or phase == ALVIN


def check_claiming(spec, d, s, sound, problems):
    """U1 to U3, W3, A2: the route being claimed, and the cards laid and revealed for it.

    `sound`: all of the position could be read.
    """
    now = settled_phase(d)
    claiming = d.lane >= 0
    if now != TURN_END and claiming != is_claim_phase(now):
        if claiming:
            say_lane(problems, CLAIM_NOW, -1, d.lane)
        else:
            say(problems, CLAIM_MISSING, -1)
        return
    if not claiming:
        return
    seat = d.turn + 0
    lane = d.lane + 0
    tunnel = spec.lane_tunnel[lane] == 1
    if now != DEAL_TUNNEL and now != TUNNEL:
        if not lane_of(d, seat, lane):
            say_lane(problems, NOT_CLAIMED, seat, lane)
    elif not tunnel:
        say_lane(problems, NO_TUNNEL, seat, lane)
        return
    else:
        check_open(spec, d, s, sound, problems)
    if tunnel:
        check_tunnel(spec, d, problems)
    elif d.laid == 1 or cards_in(d.revealed) > 0 or d.told_extra > 0:
        say_lane(problems, NOTHING_LAID, seat, lane)


def copy_board(d, s):
    """Make a state with the routes, trains, stations and markers of a position."""
    clear_board(s)
    for p in range(SEATS):
        s.trains[p] = d.trains[p]
        for v in range(WORDS):
            s.claimed[p, v] = d.claimed[p, v]
        for i in range(MARKS):
            s.marks[p, i] = d.marks[p, i]


def check_open(spec, d, s, sound, problems):
    """C3, C4, C7, W2: the tunnel that the seat tries to claim is open to it."""
    seat = d.turn + 0
    lane = d.lane + 0
    copy_board(d, s)
    if why_closed(spec, s, seat, lane) != 0:
        i = say_lane(problems, CLAIM_CLOSED, seat, lane)
        owner, beside = parallel_owner(spec, d, lane)
        problems[i].other = owner
        problems[i].beside = beside
        return
    if spec.start_city == 1 and (not sound or d.marks[seat, 0] < 0):
        return  # without the starting city, the network is unknown
    reason = why_no_claim(spec, s, seat, lane)
    if reason == TOO_FEW_TRAINS:
        i = say_lane(problems, CLAIM_TRAINS, seat, lane)
        problems[i].want = spec.lane_length[lane]
    elif reason != 0:
        say_lane(problems, CLAIM_APART, seat, lane)


def check_tunnel(spec, d, problems):
    """U1 to U3, U6: the cards laid and revealed."""
    if d.laid == 0:
        say(problems, LAID_MISSING, -1)
        return
    if not may_cost(spec, d.lane + 0, d.paid_color, d.paid_locos):
        i = say_lane(problems, LAID_WRONG, d.turn, d.lane)
        problems[i].color = d.paid_color
        problems[i].have = d.paid_locos
    count = cards_in(d.revealed)
    if count > spec.tunnel_cards:
        say_count(problems, REVEALED_MANY, -1, count, spec.tunnel_cards)
    elif d.phase == DEAL_TUNNEL and count == spec.tunnel_cards:
        say(problems, REVEALED_ALL, -1)
    elif d.phase == TUNNEL and count < spec.tunnel_cards and d.deck_size > 0:
        say_count(problems, REVEALED_FEW, -1, count, spec.tunnel_cards)
    if d.told_extra >= 0 and d.told_extra != d.extra:
        say_count(problems, EXTRA_WRONG, -1, d.told_extra, d.extra)
    if d.phase == TUNNEL and d.extra == 0:
        say(problems, EXTRA_NONE, -1)
