"""Chance decides: which outcomes there are, how many ways lead to each, and what follows.

Cards of a colour are interchangeable, so the deck is nine counts and an outcome is a colour,
weighted by its count. The owner of a random stream asks `chance_total` for the number of ways,
draws one of them, and asks `chance_pick` which outcome it is.
"""

from macaz.kernel.flow import deal_setup_done, offer_tickets, reveal, settle
from macaz.kernel.layout import (
    CARDS,
    DEAL_BLIND,
    DEAL_FIRST,
    DEAL_HANDS,
    DEAL_OFFER,
    DEAL_ROW,
    DEAL_SETUP,
    E_BLIND_DRAWN,
    E_CARD_DEALT,
    E_GAME_BEGAN,
    E_ROW_FILLED,
    E_TICKETS_DEALT,
    E_TUNNEL_REVEALED,
    IN_BUNDLE,
    IN_DECK,
    IN_LONG_DECK,
    LAST_CHANCE,
    OFFERED,
)
from macaz.kernel.step import deal_hands, drawn
from macaz.kernel.tell import tell, tell_card, tell_ticket


def ticket_heap(spec, s):
    """The heap the next ticket is dealt from."""
    if s.phase == DEAL_SETUP:
        dealt = spec.seats * spec.setup_deal - s.left
        if dealt % spec.setup_deal < spec.setup_long:
            return IN_LONG_DECK
        return IN_DECK
    for t in range(spec.tickets):
        if s.ticket[t] == IN_DECK:
            return IN_DECK
    return IN_BUNDLE


def chance_total(spec, s):
    """How many equally likely ways chance has now."""
    if s.phase == DEAL_FIRST:
        return spec.seats + 0
    if s.phase == DEAL_SETUP or s.phase == DEAL_OFFER:
        heap = ticket_heap(spec, s)
        n = 0
        for t in range(spec.tickets):
            if s.ticket[t] == heap:
                n += 1
        return n
    return s.deck_size + 0


def chance_pick(spec, s, way):
    """The outcome of one of the ways, 0 <= way < chance_total."""
    if s.phase == DEAL_FIRST:
        return way
    if s.phase == DEAL_SETUP or s.phase == DEAL_OFFER:
        heap = ticket_heap(spec, s)
        t = 0
        while True:
            if s.ticket[t] == heap:
                if way == 0:
                    return t
                way -= 1
            t += 1
    c = 0
    while way >= s.deck[c]:
        way -= s.deck[c]
        c += 1
    return c


def chance_weight(spec, s, outcome):
    """How many ways lead to an outcome; 0 if it cannot come."""
    if s.phase > LAST_CHANCE or outcome < 0:
        return 0
    if s.phase == DEAL_FIRST:
        if outcome < spec.seats:
            return 1
        return 0
    if s.phase == DEAL_SETUP or s.phase == DEAL_OFFER:
        if outcome < spec.tickets and s.ticket[outcome] == ticket_heap(spec, s):
            return 1
        return 0
    if outcome < CARDS:
        return s.deck[outcome] + 0
    return 0


def deal_seat(spec, s, each):
    """The seat that gets the next setup card or ticket, so many to a seat."""
    dealt = spec.seats * each - s.left
    return (s.first + dealt // each) % spec.seats


def deal_card(spec, s, c, e):
    """A card comes from the deck: to a hand, the row, or beside a tunnel (S2, D1, D2, U1)."""
    s.deck[c] -= 1
    s.deck_size -= 1
    if s.phase == DEAL_HANDS:
        seat = deal_seat(spec, s, spec.hand_size)
        tell_card(e, E_CARD_DEALT, seat, c)
        s.hand[seat, c] += 1
        s.left -= 1
        if s.left == 0:
            deal_row(spec, s, e)
    elif s.phase == DEAL_ROW:
        tell_card(e, E_ROW_FILLED, -1, c)
        s.pool[c] -= 1
        s.row[c] += 1
        s.row_size += 1
        settle(spec, s, e)
    elif s.phase == DEAL_BLIND:
        tell_card(e, E_BLIND_DRAWN, s.turn, c)
        s.hand[s.turn, c] += 1
        drawn(spec, s, False, e)
    else:
        tell_card(e, E_TUNNEL_REVEALED, s.turn, c)
        s.pool[c] -= 1
        s.revealed[c] += 1
        s.left -= 1
        reveal(spec, s, e)


def deal_row(spec, s, e):
    """Hands are dealt: the row, then the setup tickets (S3, S4)."""
    s.left = spec.seats * spec.setup_deal
    s.after = DEAL_SETUP
    settle(spec, s, e)


def deal_ticket(spec, s, t, e):
    """A ticket comes to a seat, which alone sees it (S4, S5, K1)."""
    seat = s.turn + 0
    if s.phase == DEAL_SETUP:
        seat = deal_seat(spec, s, spec.setup_deal)
    if s.ticket[t] != IN_LONG_DECK:
        s.stock -= 1
    if s.ticket[t] == IN_BUNDLE:
        # Others who returned tickets to the bundle cannot tell which one has left it.
        for other in range(spec.tickets):
            if s.ticket[other] == IN_BUNDLE:
                s.known[other] &= 1 << seat
    tell_ticket(e, E_TICKETS_DEALT, seat, t)
    s.ticket[t] = OFFERED + seat
    s.known[t] = 1 << seat
    s.left -= 1
    if s.phase == DEAL_OFFER:
        offer_tickets(spec, s, e)
    elif s.left == 0:
        deal_setup_done(spec, s)


def deal(spec, s, outcome, e):
    """Apply an outcome of chance, and write what happens to `e`, unless that is None."""
    if s.phase == DEAL_FIRST:
        tell(e, E_GAME_BEGAN, outcome)
        s.first = outcome
        s.turn = outcome
        deal_hands(spec, s)
    elif s.phase == DEAL_SETUP or s.phase == DEAL_OFFER:
        deal_ticket(spec, s, outcome, e)
    else:
        deal_card(spec, s, outcome, e)
