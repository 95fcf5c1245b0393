"""Which stations, markers and networks are impossible, and where Alvin cannot be."""

from macaz.game.compiled.check_board import claim, clear_board, copy_board
from macaz.game.compiled.complete import before_turns, lane_of
from macaz.game.compiled.layout import (
    ALVIN_AWAY,
    ALVIN_ELSEWHERE,
    ALVIN_NOT_CAPTURED,
    ALVIN_OF_OTHER,
    ALVIN_UNCONTROLLED,
    ALVIN_WAITING,
    CITY_MARKED,
    CITY_OF_ALVIN,
    ENDS_MARKED,
    MARK_APART,
    MARKS_IN_SETUP,
    MARKS_MANY,
    NO_ALVIN,
    NO_MARKER_LEFT,
    ROUTE_APART,
    START_MISSING,
)
from macaz.game.compiled.problems import say, say_count, say_lane, say_mark
from macaz.kernel.bits import lowest
from macaz.kernel.layout import ALVIN, MARK, MARKS, START, WORD_BITS, WORDS
from macaz.kernel.table import (
    claimable,
    controller,
    free_cities,
    marker_left,
    marker_sites,
    own_marks,
    settled_phase,
)


def marks_known(d, seat):
    """How many of a seat's stations or markers a draft has room for."""
    return min(d.mark_count[seat] + 0, MARKS)


def check_marks(spec, d, s, problems):
    """G1, W1, A1: the number of stations or markers of a seat, and at most one in a city."""
    most = max(spec.stations + 0, spec.markers + 0, spec.start_city + 0)
    clear_board(s)
    for p in range(spec.seats):
        if d.mark_count[p] > most:
            say_count(problems, MARKS_MANY, p, d.mark_count[p], most)
        for i in range(marks_known(d, p)):
            city = d.marks[p, i] + 0
            owner = controller(spec, s, city)
            if owner >= 0:
                n = say_mark(problems, CITY_MARKED, p, i, city)
                problems[n].other = owner
            elif (free_cities(spec, s) >> city) & 1 == 0:
                say_mark(problems, CITY_OF_ALVIN, p, i, city)
            s.marks[p, i] = city


def claim_connected(spec, d, s, seat):
    """Claim a seat's routes on an empty board, one after another, as long as the rules allow one.

    What the state does not have in the end is not connected to the starting city.
    """
    clear_board(s)
    s.marks[seat, 0] = d.marks[seat, 0]
    more = True
    while more:
        more = False
        o0, o1, o2 = claimable(spec, s, seat)
        for v in range(WORDS):
            near = o0
            if v == 1:
                near = o1
            elif v == 2:
                near = o2
            near &= d.claimed[seat, v]
            while near != 0:
                claim(s, seat, v * WORD_BITS + lowest(near))
                near &= near - 1
                more = True


def is_beside_own(spec, s, seat, lane):
    """Whether a state has a lane beside this one for the same seat."""
    for v in range(WORDS):
        if (s.claimed[seat, v] & spec.multi[v]) >> (lane % WORD_BITS) & 1 == 1:
            return (spec.multi[lane // WORD_BITS] >> (lane % WORD_BITS)) & 1 == 1
    return False


def check_connected(spec, d, s, seat, problems):
    """W2: the routes of a seat are connected to its starting city."""
    claim_connected(spec, d, s, seat)
    for lane in range(WORDS * WORD_BITS):
        if lane_of(d, seat, lane) and not lane_of(s, seat, lane):
            if not is_beside_own(spec, s, seat, lane):  # which is said of both lanes
                say_lane(problems, ROUTE_APART, seat, lane)


def own_ends(spec, d, seat):
    """The cities on a seat's routes, as bits."""
    found = 0
    for lane in range(WORDS * WORD_BITS):
        if lane_of(d, seat, lane):
            found |= (1 << spec.lane_a[lane]) | (1 << spec.lane_b[lane])
    return found


def marks_in_setup(spec, d, seat):
    """How many starting cities a seat has before the first turn: the last places first (S7)."""
    if d.phase != START:
        return 0
    first = max(d.first + 0, 0)
    done = (seat - first) % spec.seats > (d.turn - first) % spec.seats
    return int(done and seat != d.turn)


def check_networks(spec, d, s, problems):
    """S7, W2, W3: starting cities are placed in order; routes and markers are connected to them."""
    for p in range(spec.seats):
        if before_turns(d):
            wanted = marks_in_setup(spec, d, p)
            if d.mark_count[p] != wanted:
                say_count(problems, MARKS_IN_SETUP, p, d.mark_count[p], wanted)
            continue
        if spec.start_city == 1 and d.mark_count[p] == 0:
            say(problems, START_MISSING, p)
            continue
        if spec.start_city == 1:
            check_connected(spec, d, s, p, problems)
        if spec.markers > 0 and spec.stations == 0:
            ends = own_ends(spec, d, p)
            for i in range(spec.start_city, marks_known(d, p)):
                if (ends >> d.marks[p, i]) & 1 == 0:
                    say_mark(problems, MARK_APART, p, i, d.marks[p, i])


def check_mark_phase(spec, d, s, problems):
    """W1, W3: a marker is placed only where there is one, and a free end for it."""
    if settled_phase(d) != MARK or d.lane < 0:
        return
    copy_board(d, s)
    s.lane = d.lane
    if not marker_left(spec, s, d.turn):
        say(problems, NO_MARKER_LEFT, d.turn)
    elif marker_sites(spec, s) == 0:
        say(problems, ENDS_MARKED, d.turn)


def check_captured(spec, d, problems):
    """A2, A3: Alvin was captured by the seat whose turn it is, with the route of this turn."""
    now = settled_phase(d)
    if now != MARK and now != ALVIN:
        say(problems, ALVIN_WAITING, -1)
    if d.alvin_holder != d.turn:
        say(problems, ALVIN_OF_OTHER, d.turn)
    if d.lane >= 0:
        city = d.alvin_city + 0
        if city != spec.lane_a[d.lane] and city != spec.lane_b[d.lane]:
            i = say_lane(problems, ALVIN_ELSEWHERE, d.turn, d.lane)
            problems[i].city = city


def check_alvin(spec, d, problems):
    """A1 to A3: Alvin is at home until he is captured, then in a city of his holder."""
    home = spec.alvin_home + 0
    if home < 0:
        if settled_phase(d) == ALVIN:
            say(problems, NO_ALVIN, -1)
        return
    if d.captured == 1:
        check_captured(spec, d, problems)
    elif settled_phase(d) == ALVIN:
        say(problems, ALVIN_NOT_CAPTURED, -1)
    if d.alvin_holder < 0 and d.alvin_city != home:
        i = say(problems, ALVIN_AWAY, -1)
        problems[i].city = d.alvin_city
    if d.alvin_holder >= 0 and d.captured == 0:
        if (own_marks(d, d.alvin_holder) >> d.alvin_city) & 1 == 0:
            i = say(problems, ALVIN_UNCONTROLLED, d.alvin_holder)
            problems[i].city = d.alvin_city
