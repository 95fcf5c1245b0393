"""What follows from the rest of a position: entries that are left out, and counts.

`d` is a draft (layout.py). A view of a seat has no more than that seat may know; of the others it
has the number of cards and tickets.
"""

from macaz.kernel.hidden import laid_cards
from macaz.kernel.layout import (
    ALVIN,
    CARDS,
    CHOOSE,
    DEAL_BLIND,
    DEAL_FIRST,
    DEAL_HANDS,
    DEAL_OFFER,
    DEAL_ROW,
    DEAL_SETUP,
    DEAL_TUNNEL,
    HELD,
    IN_BOX,
    IN_BUNDLE,
    IN_DECK,
    IN_LONG_DECK,
    KEEP,
    MARK,
    MARKS,
    NO_TICKET,
    OFFERED,
    OVER,
    QUEUE,
    RETURN,
    ROW_REFRESHES,
    SEATS,
    SECOND,
    START,
    TICKETS,
    TUNNEL,
    TURN,
    TURN_END,
    UNKNOWN,
    WORD_BITS,
    WORDS,
)
from macaz.kernel.table import extra_cost, lane_among, many_locos
from macaz.kernel.world import setting_up, tickets_at


def usual_after(phase):
    """The phase that `after` names where a position does not say it."""
    if phase == DEAL_FIRST or phase == DEAL_HANDS:
        return DEAL_FIRST
    if phase == DEAL_SETUP or phase == CHOOSE or phase == START:
        return DEAL_SETUP
    if phase == SECOND or phase == MARK or phase == ALVIN or phase == OVER:
        return phase + 0
    return TURN


def may_follow(phase, after):
    """Whether `after` can name a phase: in the first turn it is still DEAL_SETUP."""
    if phase == DEAL_ROW:
        if after == TURN or after == SECOND or after == MARK or after == ALVIN:
            return True
        return after == DEAL_SETUP or after == TURN_END or after == OVER
    if after == usual_after(phase):
        return True
    if phase == DEAL_BLIND:
        return after == DEAL_SETUP or after == SECOND
    if phase == DEAL_OFFER or phase == DEAL_TUNNEL or phase == TURN or phase == KEEP:
        return after == DEAL_SETUP
    return (phase == RETURN or phase == TUNNEL) and after == DEAL_SETUP


def before_turns(d):
    """Whether no seat has had a turn yet."""
    return setting_up(d) or d.phase == START


def is_open(d):
    """Whether nothing is hidden: a whole state, or a view of a game that is over."""
    return d.open == 1 or d.phase == OVER


def is_shown(d, seat):
    """Whether the hand and the tickets of a seat are known."""
    return is_open(d) or seat == d.seat


def lane_of(d, seat, lane):
    """Whether a seat has claimed a lane."""
    return lane_among(d.claimed[seat, 0], d.claimed[seat, 1], d.claimed[seat, 2], lane)


def trains_rest(spec, d, seat):
    """The trains of a seat that are not on the board; below 0 if its routes take more (C3)."""
    n = spec.trains + 0
    for lane in range(WORDS * WORD_BITS):
        if lane_of(d, seat, lane):
            n -= spec.lane_length[lane]
    return n


def route_points(spec, d, seat):
    """The points of a seat's routes, were all of them scored by their claimer (C5)."""
    n = 0
    for lane in range(WORDS * WORD_BITS):
        if lane_of(d, seat, lane):
            n += spec.points[spec.lane_length[lane]]
    return n


def cards_in(heap):
    """How many cards a heap has."""
    n = 0
    for c in range(CARDS):
        n += heap[c]
    return n


def laid_in(spec, d, c):
    """The cards of a colour that are laid for a tunnel, if any are."""
    if d.laid == 0 or d.lane < 0:
        return 0
    return laid_cards(spec, d, c)


def placed_cards(spec, d, c):
    """The cards of a colour that are known to lie outside the deck."""
    n = d.row[c] + d.discards[c] + d.revealed[c] + laid_in(spec, d, c)
    for p in range(spec.seats):
        if is_shown(d, p):
            n += d.hand[p, c]
    return n


def ticket_home(spec, d, t):
    """Where a ticket lies that is not named."""
    if spec.ticket_long[t] == 0:
        return IN_DECK
    if setting_up(d) and d.phase != CHOOSE:
        return IN_LONG_DECK
    return IN_BOX


def owner_bit(place):
    """The bit of the seat that has a ticket which lies in a place; 0 if none has it."""
    if place < 0 or place >= IN_DECK:
        return 0
    return 1 << (place % OFFERED)


def chance_tickets(d):
    """The tickets that chance deals: those that can be drawn, without those under the deck."""
    return d.stock - d.queue


def refreshes(spec, d):
    """How often the row was replaced: as often as possible where it has many locomotives (D7)."""
    if d.phase != DEAL_ROW and many_locos(spec, d):
        return ROW_REFRESHES
    return 0


def tunnel_extra(d):
    """The extra cards that a tunnel costs, once its cards are revealed (U2, U3)."""
    if d.lane < 0 or d.laid == 0 or d.phase == DEAL_TUNNEL:
        return 0
    return extra_cost(d)


def deals_left(spec, d):
    """How many deals are left in a phase of chance."""
    n = 0
    if d.phase == DEAL_HANDS:
        n = spec.seats * spec.hand_size
        for p in range(spec.seats):
            n -= d.hand_size[p]
    elif d.phase == DEAL_ROW and d.after == DEAL_SETUP:
        n = spec.seats * spec.setup_deal
    elif d.phase == DEAL_SETUP:
        n = spec.seats * spec.setup_deal
        for p in range(spec.seats):
            n -= d.offered[p]
    elif d.phase == DEAL_OFFER:
        offered = d.offered[d.turn] + 0
        n = min(spec.draw_tickets + 0, d.stock + offered) - offered
    elif d.phase == DEAL_TUNNEL:
        n = spec.tunnel_cards - cards_in(d.revealed)
    return max(n, 0)


def complete_turn(spec, d):
    """The phase after this one, and whose turn it is."""
    if d.after < 0:
        d.after = usual_after(d.phase)
    if d.turn < 0:
        d.turn = max(d.first, 0)
    if d.drawn < 0:
        d.drawn = int(d.after == SECOND)
    if d.alvin_city < 0:
        d.alvin_city = spec.alvin_home
    if d.captured < 0:
        d.captured = int(spec.alvin_home >= 0 and (d.phase == ALVIN or d.after == ALVIN))


def complete_board(spec, d):
    """Trains and scores."""
    for p in range(spec.seats):
        if d.trains[p] < 0:
            d.trains[p] = max(trains_rest(spec, d, p), 0)
        if d.score[p] < 0:
            d.score[p] = route_points(spec, d, p)
    for p in range(spec.seats, SEATS):
        d.trains[p] = 0
        d.score[p] = 0
    for p in range(SEATS):
        for i in range(d.mark_count[p], MARKS):
            d.marks[p, i] = -1


def complete_deck(spec, d):
    """The cards of the deck: all that are nowhere else."""
    given = d.deck[0] >= 0
    rest = 0
    for c in range(CARDS):
        n = spec.cards[c] - placed_cards(spec, d, c)
        rest += n
        if not is_open(d):
            d.deck[c] = 0
        elif not given:
            d.deck[c] = max(n, 0)
    if is_open(d):
        d.deck_size = cards_in(d.deck)
    elif d.deck_size < 0:
        for p in range(spec.seats):
            if not is_shown(d, p):
                rest -= d.hand_size[p]
        d.deck_size = max(rest, 0)


def complete_cards(spec, d):
    """What is known of the row, the hands, the deck and its last shuffle."""
    for p in range(spec.seats):
        if is_shown(d, p):
            d.hand_size[p] = cards_in(d.hand[p])
    d.row_size = cards_in(d.row)
    if d.refreshed < 0:
        d.refreshed = refreshes(spec, d)
    complete_deck(spec, d)
    if d.pool[0] < 0:
        for c in range(CARDS):
            d.pool[c] = spec.cards[c] - d.row[c] - d.revealed[c]


def complete_tickets(spec, d):
    """Where the tickets lie, and how many there are of each kind."""
    for t in range(TICKETS):
        if t >= spec.tickets:
            d.ticket[t] = UNKNOWN
            if is_open(d):
                d.ticket[t] = NO_TICKET
            d.known[t] = 0
        elif is_open(d) and d.ticket[t] < 0:
            d.ticket[t] = ticket_home(spec, d, t)
    for p in range(spec.seats):
        if is_shown(d, p):
            d.held[p] = tickets_at(spec, d, HELD + p)
            d.offered[p] = tickets_at(spec, d, OFFERED + p)
    if is_open(d):
        d.bundled = tickets_at(spec, d, IN_BUNDLE)
        d.queue = 0
        for t in range(spec.tickets):
            d.queue = max(d.queue + 0, d.ticket[t] - QUEUE + 1)
        d.stock = tickets_at(spec, d, IN_DECK) + d.bundled + d.queue
    for t in range(spec.tickets):
        if not is_open(d):
            d.known[t] = 0
            if d.seat >= 0 and d.ticket[t] >= 0:
                d.known[t] = 1 << d.seat
        elif d.known[t] < 0:
            d.known[t] = owner_bit(d.ticket[t])
    d.choosing = 0
    for p in range(spec.seats):
        if d.phase == CHOOSE and d.offered[p] > 0:
            d.choosing |= 1 << p


def complete(spec, d):
    """Fill in what a draft leaves out."""
    complete_turn(spec, d)
    complete_board(spec, d)
    if d.lane < 0 or d.laid == 0:
        d.paid_color = 0
        d.paid_locos = 0
    complete_cards(spec, d)
    complete_tickets(spec, d)
    d.extra = tunnel_extra(d)
    d.left = deals_left(spec, d)
