"""Another world: what a seat cannot see is dealt again, among the places where it may lie."""

from macaz.kernel.dice import below
from macaz.kernel.layout import CARDS, NO_TICKET


def draw_hidden(q, d, total):
    """One of the hidden cards, at random, where `total` are left; it leaves them."""
    k = below(d, total)
    for c in range(CARDS):
        if k < q.hidden[c]:
            q.hidden[c] -= 1
            return c
        k -= q.hidden[c]
    return 0


def redeal_cards(spec, s, seat, q, d):
    """The hidden cards of the other hands and of the deck change places.

    The deck comes from its last shuffle, so it is drawn first, from what can be in it.
    """
    total = 0
    for c in range(CARDS):
        n = s.deck[c] + 0
        for p in range(spec.seats):
            if p != seat:
                n += s.hand[p, c] - s.seen[p, c]
        q.hidden[c] = n
    for c in range(CARDS):
        over = max(0, q.hidden[c] - s.pool[c])
        q.over[c] = over
        q.hidden[c] -= over
        total += q.hidden[c]
        s.deck[c] = 0
    for _ in range(s.deck_size):
        s.deck[draw_hidden(q, d, total)] += 1
        total -= 1
    for c in range(CARDS):
        q.hidden[c] += q.over[c]
        total += q.over[c]
    for p in range(spec.seats):
        if p == seat:
            continue
        n = 0
        for c in range(CARDS):
            n += s.hand[p, c] - s.seen[p, c]
            s.hand[p, c] = s.seen[p, c]
        for _ in range(n):
            s.hand[p, draw_hidden(q, d, total)] += 1
            total -= 1


def redeal_tickets(spec, s, seat, q, d):
    """The tickets that a seat cannot place change places with others of their kind."""
    bit = 0
    if seat >= 0:
        bit = 1 << seat
    for kind in range(2):
        n = 0
        for t in range(spec.tickets):
            if spec.ticket_long[t] == kind and s.known[t] & bit == 0:
                if s.ticket[t] != NO_TICKET:
                    q.slots[n] = t
                    n += 1
        while n > 1:
            a = q.slots[below(d, n)] + 0
            n -= 1
            b = q.slots[n] + 0
            # Whoever knows of a place knows of the ticket that lies there.
            place = s.ticket[a] + 0
            known = s.known[a] + 0
            s.ticket[a] = s.ticket[b]
            s.known[a] = s.known[b]
            s.ticket[b] = place
            s.known[b] = known
