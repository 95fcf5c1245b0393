"""The moves that a search looks at in a position, and how likely each is to be the best."""

from macaz.bots.compiled.cards import claim_of
from macaz.bots.compiled.decide import decide
from macaz.bots.compiled.layout import OPTIONS
from macaz.bots.compiled.rest import build_station, cheapest_pay
from macaz.kernel.bits import lowest
from macaz.kernel.layout import (
    A_ALVIN,
    A_BLIND,
    A_DECLINE,
    A_MARK,
    A_SKIP,
    A_TAKE,
    A_TICKETS,
    ALVIN,
    CARDS,
    CHOOSE,
    KEEP,
    MARK,
    PAYS,
    SECOND,
    START,
    TUNNEL,
    TURN,
)
from macaz.kernel.legal import legal_count, legal_nth
from macaz.kernel.table import (
    build_cost,
    marker_sites,
    may_draw_blind,
    may_draw_tickets,
    may_take,
    own_marks,
)


def add_option(q, n, a, weight):
    """One more move, unless it is there already; returns how many there are."""
    for i in range(n):
        if q.option[i] == a:
            q.weight[i] += weight
            return n
    if n < OPTIONS:
        q.option[n] = a
        q.weight[n] = weight
        return n + 1
    return n


def turn_options(spec, g, s, seat, m, q, n):
    """Claims that were worth a thought, cards, tickets, a station."""
    if s.phase == TURN:
        for i in range(m.choices):
            weight = 0.5
            if m.profit[i] > 0.0:
                weight = 1.0
            n = add_option(q, n, claim_of(spec, s, seat, g, m.choice[i] + 0, m), weight)
        if may_draw_tickets(s):
            n = add_option(q, n, spec.base[A_TICKETS] + 0, 0.3)
        station = build_station(spec, s, seat, m)
        if station >= 0:
            n = add_option(q, n, station, 0.5)
    for c in range(CARDS):
        if may_take(s, c):
            n = add_option(q, n, spec.base[A_TAKE] + c, 0.5)
    if may_draw_blind(s):
        n = add_option(q, n, spec.base[A_BLIND] + 0, 1.0)
    return n


def marker_options(spec, s, seat, m, q, n):
    """No marker, or one on either end of the route."""
    n = add_option(q, n, spec.base[A_SKIP] + 0, 1.0)
    pay = cheapest_pay(s, seat, build_cost(spec, s, seat), m)
    ends = marker_sites(spec, s)
    while pay >= 0 and ends != 0:
        n = add_option(q, n, spec.base[A_MARK] + lowest(ends) * PAYS + pay, 1.0)
        ends &= ends - 1
    return n


def list_moves(spec, g, y, s, seat, m, q, d, w):
    """Write the moves to look at and their priors into `q`; returns how many there are."""
    own = decide(spec, g, y, s, seat, m, d, w)
    n = add_option(q, 0, own, q.favour + 0.0)
    if s.phase == TURN or s.phase == SECOND:
        n = turn_options(spec, g, s, seat, m, q, n)
    elif s.phase == MARK:
        n = marker_options(spec, s, seat, m, q, n)
    elif s.phase == ALVIN:
        rest = own_marks(s, seat)
        while rest != 0:
            n = add_option(q, n, spec.base[A_ALVIN] + lowest(rest), 1.0)
            rest &= rest - 1
    elif s.phase == TUNNEL:
        n = add_option(q, n, spec.base[A_DECLINE] + 0, 1.0)
    elif s.phase == CHOOSE or s.phase == KEEP or s.phase == START:
        for i in range(legal_count(spec, s, seat, w)):
            n = add_option(q, n, legal_nth(spec, s, seat, i, w), 1.0)
    total = 0.0
    for i in range(n):
        total += q.weight[i]
    for i in range(n):
        q.weight[i] /= total
    return n
