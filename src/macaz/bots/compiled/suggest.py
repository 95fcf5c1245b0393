"""What a style would do, found quickly: the planner's decisions, but for those it plans many times.

Choosing tickets and a starting city is one plan here, where `decide` makes one for every choice.
"""

from macaz.bots.compiled.decide import decide, no_plan
from macaz.bots.compiled.layout import PLANNER
from macaz.bots.compiled.plan import add_ticket, note_need, plan_for, sort_tickets, way_to
from macaz.bots.compiled.rest import offer_terms
from macaz.bots.compiled.tempo import turns_left
from macaz.kernel.bits import lowest, popcount
from macaz.kernel.layout import A_START, CHOOSE, HELD, KEEP, OFFERED, SECOND, START, TURN
from macaz.kernel.table import free_cities


def quick_keep(spec, g, y, s, seat, m):
    """Of the offered tickets those that pay, taken one by one after the tickets held."""
    base, least = offer_terms(spec, s, seat)
    plan_for(spec, g, y, s, seat, m, 0)
    turns = turns_left(spec, s, seat) + y.leisure
    n = 0
    for t in range(spec.tickets):
        if s.ticket[t] == OFFERED + seat:
            price = way_to(spec, g, s, seat, m, t)
            note_need(spec, s, seat, m, t, price)
            m.todo[n] = t
            m.price[n] = price / spec.ticket_points[t]
            m.hope[n] = n  # the place in the offer: what follows sorts the tickets
            n += 1
    sort_tickets(m, n)
    mask = 0
    for i in range(n):
        if add_ticket(spec, g, y, s, seat, m, m.todo[i] + 0, turns) > 0.0:
            mask |= 1 << int(m.hope[i])
    while popcount(mask) < least:
        fewest = 1 << 30
        pick = 0
        for i in range(n):
            slot = int(m.hope[i])
            if (mask >> slot) & 1 == 0 and spec.ticket_points[m.todo[i]] < fewest:
                fewest = spec.ticket_points[m.todo[i]] + 0
                pick = slot
        mask |= 1 << pick
    m.held = -1
    return base + mask


def start_at_tickets(spec, s, seat):
    """The free city where the tickets with the most points end."""
    best = -1
    most = -1
    rest = free_cities(spec, s)
    while rest != 0:
        city = lowest(rest)
        rest &= rest - 1
        points = 0
        for t in range(spec.tickets):
            if s.ticket[t] == HELD + seat:
                if spec.ticket_a[t] == city or spec.ticket_b[t] == city:
                    points += spec.ticket_points[t]
        if points > most:
            most = points
            best = city
    return spec.base[A_START] + best


def suggest(spec, g, y, s, seat, m, d, w):
    """An action for a seat, with no memory of earlier plans; a planner's plan is left in `m`."""
    no_plan(m)
    if y.kind == PLANNER:
        if s.phase == CHOOSE or s.phase == KEEP:
            return quick_keep(spec, g, y, s, seat, m)
        if s.phase != TURN and s.phase != SECOND:
            plan_for(spec, g, y, s, seat, m, 0)
        if s.phase == START:
            return start_at_tickets(spec, s, seat)
    return decide(spec, g, y, s, seat, m, d, w)
