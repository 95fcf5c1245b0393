"""The final score: one function a scorer (E2 to E5, G3, G4, W6, A5)."""

from macaz.kernel.bits import lowest
from macaz.kernel.layout import (
    HELD,
    MARKS,
    SCORE_ALVIN,
    SCORE_GLOBETROTTER,
    SCORE_LONGEST,
    SCORE_STATIONS,
    SCORE_TICKETS,
    SEATS,
    TICKETS,
    TIE_NONE,
    TIE_SHARED,
    TIE_STATIONS,
    TIE_TICKETS,
    WORD_BITS,
    WORDS,
)
from macaz.kernel.paths import connect, join, longest_path, root
from macaz.kernel.table import marks_used


def list_options(spec, s, w, seat, i):
    """The lanes of others that a seat's i-th station could borrow, one for each component."""
    city = s.marks[seat, i] + 0
    n = 1
    w.option[i, 0] = -1
    for other in range(spec.seats):
        if other == seat:
            continue
        for v in range(WORDS):
            rest = s.claimed[other, v] & spec.touch[city, v]
            while rest != 0:
                lane = v * WORD_BITS + lowest(rest)
                rest &= rest - 1
                end = root(w, spec.lane_a[lane] + spec.lane_b[lane] - city)
                fresh = end != root(w, city)
                for j in range(1, n):
                    old = w.option[i, j] + 0
                    if root(w, spec.lane_a[old] + spec.lane_b[old] - city) == end:
                        fresh = False
                if fresh:
                    w.option[i, n] = lane
                    n += 1
    w.options[i] = n


def borrow(spec, s, w, tally, seat):
    """Settle which routes a seat's stations borrow: most points, then most tickets (G3)."""
    used = marks_used(s, seat)
    goals = 0
    for t in range(spec.tickets):
        if s.ticket[t] == HELD + seat:
            if not ticket_done(spec, w, t):
                w.goal[goals] = t
                goals += 1
    combinations = 1
    for i in range(MARKS):
        w.options[i] = 1
        w.option[i, 0] = -1
        if i < used and goals > 0:
            list_options(spec, s, w, seat, i)
        combinations *= w.options[i]
    best_points = 0
    best_count = 0
    best = 0
    for combination in range(1, combinations):
        connect(spec, s, w, seat)
        lend(spec, w, combination)
        points = 0
        count = 0
        for g in range(goals):
            t = w.goal[g]
            if ticket_done(spec, w, t):
                points += spec.ticket_points[t]
                count += 1
        if points > best_points or (points == best_points and count > best_count):
            best_points = points
            best_count = count
            best = combination
    connect(spec, s, w, seat)
    lend(spec, w, best)
    for i in range(MARKS):
        tally.borrowed[seat, i] = w.option[i, best % w.options[i]]
        best //= w.options[i]


def lend(spec, w, combination):
    """Join what the borrowed lanes of a combination join."""
    for i in range(MARKS):
        lane = w.option[i, combination % w.options[i]] + 0
        combination //= w.options[i]
        if lane >= 0:
            join(w, spec.lane_a[lane], spec.lane_b[lane])


def settle_network(spec, s, w, tally, seat):
    """Join what a seat's routes join, and those that its stations borrow (K3, G3)."""
    connect(spec, s, w, seat)
    if spec.stations > 0:
        borrow(spec, s, w, tally, seat)


def ticket_done(spec, w, t):
    """Whether what was joined completes a ticket (K3)."""
    return root(w, spec.ticket_a[t]) == root(w, spec.ticket_b[t])


def score_tickets(spec, s, w, tally):
    """Completed tickets add their value, the others subtract it (E2, K3)."""
    for seat in range(spec.seats):
        settle_network(spec, s, w, tally, seat)
        for t in range(spec.tickets):
            if s.ticket[t] == HELD + seat:
                if ticket_done(spec, w, t):
                    tally.done[t] = 1
                    tally.completed[seat] += 1
                    tally.tickets[seat] += spec.ticket_points[t]
                else:
                    tally.done[t] = 0
                    tally.tickets[seat] -= spec.ticket_points[t]


def score_longest(spec, s, w, tally):
    """The bonus for the longest path, to all who tie; none without a route (E3)."""
    best = 0
    for seat in range(spec.seats):
        tally.path[seat] = longest_path(spec, s, w, seat)
        best = max(best, tally.path[seat] + 0)
    for seat in range(spec.seats):
        if best > 0 and tally.path[seat] == best:
            tally.longest[seat] = spec.longest_points


def score_stations(spec, s, tally):
    """Stations not built (G4)."""
    for seat in range(spec.seats):
        tally.stations[seat] = spec.station_points * (spec.stations - marks_used(s, seat))


def score_globetrotter(spec, tally):
    """The bonus for most completed tickets, to all who tie; none without a ticket (W6)."""
    best = 0
    for seat in range(spec.seats):
        best = max(best, tally.completed[seat] + 0)
    for seat in range(spec.seats):
        if best > 0 and tally.completed[seat] == best:
            tally.globetrotter[seat] = spec.globetrotter_points


def tie_value(spec, s, tally, seat, tie):
    """What a tie-break compares; more is better (E4)."""
    if tie == TIE_TICKETS:
        return tally.completed[seat] + 0
    if tie == TIE_STATIONS:
        return -marks_used(s, seat)
    for other in range(spec.seats):
        if tally.path[other] > tally.path[seat]:
            return 0
    return 1


def rank(spec, s, tally):
    """Who has won, and by what tie-break (E4)."""
    best = tally.total[0] + 0
    for seat in range(spec.seats):
        best = max(best, tally.total[seat] + 0)
    leaders = 0
    count = 0
    for seat in range(spec.seats):
        if tally.total[seat] == best:
            leaders |= 1 << seat
            count += 1
    tally.tie_break = TIE_NONE
    for i in range(3):
        tie = spec.ties[i] + 0
        if count > 1 and tie != TIE_NONE:
            top = -SEATS * TICKETS
            for seat in range(spec.seats):
                if (leaders >> seat) & 1 == 1:
                    top = max(top, tie_value(spec, s, tally, seat, tie))
            before = count
            for seat in range(spec.seats):
                if (leaders >> seat) & 1 == 1 and tie_value(spec, s, tally, seat, tie) < top:
                    leaders &= ~(1 << seat)
                    count -= 1
            if count < before:
                tally.tie_break = tie
    if count > 1:
        tally.tie_break = TIE_SHARED
    tally.winners = leaders


def final_score(spec, s, w, tally):
    """Score a game as if it ended now."""
    for seat in range(SEATS):
        tally.routes[seat] = s.score[seat]
        tally.tickets[seat] = 0
        tally.longest[seat] = 0
        tally.stations[seat] = 0
        tally.globetrotter[seat] = 0
        tally.alvin[seat] = 0
        tally.path[seat] = 0
        tally.completed[seat] = 0
        for i in range(MARKS):
            tally.borrowed[seat, i] = -1
    for t in range(TICKETS):
        tally.done[t] = -1
    if spec.scorers & SCORE_TICKETS:
        score_tickets(spec, s, w, tally)
    if spec.scorers & SCORE_LONGEST:
        score_longest(spec, s, w, tally)
    if spec.scorers & SCORE_STATIONS:
        score_stations(spec, s, tally)
    if spec.scorers & SCORE_GLOBETROTTER:
        score_globetrotter(spec, tally)
    if spec.scorers & SCORE_ALVIN and s.alvin_holder >= 0:
        tally.alvin[s.alvin_holder] = spec.alvin_points
    for seat in range(SEATS):
        tally.total[seat] = (
            tally.routes[seat]
            + tally.tickets[seat]
            + tally.longest[seat]
            + tally.stations[seat]
            + tally.globetrotter[seat]
            + tally.alvin[seat]
        )
    rank(spec, s, tally)
