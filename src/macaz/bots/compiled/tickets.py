"""More tickets or not: what a new draw promises."""

from macaz.bots.compiled.numbers import power
from macaz.bots.compiled.plan import ticket_way, way_to
from macaz.bots.compiled.tempo import plan_turns
from macaz.bots.compiled.ways import NO_WAY
from macaz.kernel.layout import IN_BOX, RETURNED


def ticket_promise(spec, g, y, s, seat, m, t, turns):
    """What a ticket would bring if it were held: its points at stake, less its way."""
    lost = -1.0 * spec.ticket_points[t]
    price = way_to(spec, g, s, seat, m, t)
    if price >= NO_WAY:
        return lost
    size = ticket_way(spec, s, seat, m, t)
    trains = size // 64
    lanes = size % 64
    if m.trains + trains > s.trains[seat]:
        return lost
    if plan_turns(s, seat, y, m.trains + trains, m.turns + lanes) > turns:
        return lost
    return lost + max(0.0, 2.0 * spec.ticket_points[t] * power(y.sure, lanes) - price)


def draw_promise(spec, g, y, s, seat, m, turns):
    """What drawing tickets promises: the best of so many, each as likely to come as any other.

    The plan must have been made in this state: its lanes are free, all others have their price.
    """
    n = 0
    for t in range(spec.tickets):
        if spec.ticket_long[t] == 1:
            continue
        if (s.known[t] >> seat) & 1 == 1:
            place = s.ticket[t] + 0
            if place < RETURNED or place == IN_BOX:
                continue
        m.price[n] = ticket_promise(spec, g, y, s, seat, m, t, turns)
        n += 1
    count = min(spec.draw_tickets + 0, s.stock + 0, n)
    if count == 0:
        return -1000.0
    # The i-th best is the best of the draw with the chance that it comes and no better one does.
    promise = 0.0
    left = 1.0
    for i in range(n):
        best = i
        for j in range(i + 1, n):
            if m.price[j] > m.price[best]:
                best = j
        top = m.price[best] + 0.0
        m.price[best] = m.price[i]
        m.price[i] = top
        chance = min(1.0, count / (n - i))
        promise += left * chance * top
        left *= 1.0 - chance
    return promise
