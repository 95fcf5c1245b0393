"""The step says what happened: event records, written where the rules are applied.

`e` is an array of event records, or None where the events are not wanted: then the compilers drop
what is said here, and games in bulk do not pay for it.
"""

from macaz.kernel.layout import (
    CARDS,
    E_DECK_SHUFFLED,
    E_ROW_REPLACED,
    E_TICKETS_KEPT,
    NO_EVENT,
    OFFERED,
    SEATS,
    TICKET_WORDS,
    WORD_BITS,
)


def forget_events(e):
    """Begin a step: nothing has happened."""
    for n in range(len(e)):
        e[n].kind = NO_EVENT


def event_count(e):
    """How many events the step has written so far."""
    n = 0
    while n < len(e) and e[n].kind != NO_EVENT:
        n += 1
    return n


def new_event(e, kind, seat):
    """Write an event that says no more yet than its kind and its seat (-1: none); its place."""
    n = event_count(e)
    for w in range(TICKET_WORDS):
        e[n].tickets[w] = 0
    for p in range(SEATS):
        e[n].points[p] = 0
    for c in range(CARDS):
        e[n].row[c] = 0
    e[n].lane = -1
    e[n].size = -1
    e[n].kind = kind
    e[n].seat = seat
    e[n].color = -1
    e[n].cards = -1
    e[n].locos = -1
    e[n].city = -1
    e[n].count = -1
    return n


def tell(e, kind, seat):
    """A seat did something, or something happened to it."""
    if e is not None:
        new_event(e, kind, seat)


def tell_card(e, kind, seat, c):
    """A card came to a seat, or on the table (-1)."""
    if e is not None:
        n = new_event(e, kind, seat)
        e[n].color = c


def tell_city(e, kind, seat, city):
    """A seat did something in a city."""
    if e is not None:
        n = new_event(e, kind, seat)
        e[n].city = city


def tell_lane(e, kind, seat, lane):
    """A seat did something with a lane."""
    if e is not None:
        n = new_event(e, kind, seat)
        e[n].lane = lane


def tell_price(e, color, cards, locos):
    """The cards that were paid for what was told last."""
    if e is not None:
        n = event_count(e) - 1
        e[n].color = color
        e[n].cards = cards
        e[n].locos = locos


def tell_points(e, seat, points):
    """Points that a seat scored by what was told last."""
    if e is not None:
        e[event_count(e) - 1].points[seat] += points


def tell_ticket(e, kind, seat, t):
    """A ticket came before a seat or left it. The tickets of a step are one event of a kind."""
    if e is not None:
        n = 0
        while n < len(e) and e[n].kind != NO_EVENT and e[n].kind != kind:
            n += 1
        if e[n].kind != kind:
            new_event(e, kind, seat)
            e[n].count = 0
        e[n].tickets[t // WORD_BITS] |= 1 << (t % WORD_BITS)
        e[n].count += 1


def tell_kept(e, spec, s, seat, mask):
    """Of the tickets before a seat some are kept."""
    if e is not None:
        slot = 0
        for t in range(spec.tickets):
            if s.ticket[t] == OFFERED + seat:
                if (mask >> slot) & 1 == 1:
                    tell_ticket(e, E_TICKETS_KEPT, seat, t)
                slot += 1


def tell_shuffle(e, size):
    """The discards became the deck."""
    if e is not None:
        n = new_event(e, E_DECK_SHUFFLED, -1)
        e[n].size = size


def tell_replaced(e, s):
    """The face-up row is discarded."""
    if e is not None:
        n = new_event(e, E_ROW_REPLACED, -1)
        for c in range(CARDS):
            e[n].row[c] = s.row[c]
