"""A view as a state, for players that decide by what their seat knows."""

from macaz.kernel.layout import CARDS, CHOOSE, HELD, IN_DECK, LOCO, SEATS, UNKNOWN
from macaz.kernel.seen import copy_told


def fill_known(v, s):
    """Write what a view says into a state of zeros; hidden cards are as many locomotives."""
    copy_told(v, s)
    for p in range(SEATS):
        missing = v.hand_size[p] + 0
        for c in range(CARDS):
            missing -= s.hand[p, c]
        s.hand[p, LOCO] += missing


def count_tickets(spec, v, s):
    """Assign the hidden tickets to seats, so that their numbers are right.

    Which tickets a seat gets is arbitrary, and callers must not depend on it. During the setup
    choice the numbers are hidden too: then all hidden tickets are in the deck.
    """
    t = 0
    if s.phase != CHOOSE:
        for p in range(spec.seats):
            missing = v.held[p] + 0
            for i in range(spec.tickets):
                if v.ticket[i] == HELD + p:
                    missing -= 1
            while missing > 0 and t < spec.tickets:
                if s.ticket[t] == UNKNOWN:
                    s.ticket[t] = HELD + p
                    missing -= 1
                t += 1
    while t < spec.tickets:
        if s.ticket[t] == UNKNOWN:
            s.ticket[t] = IN_DECK
        t += 1
