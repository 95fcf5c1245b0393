"""The observation of a seat, from the state. `lab.env.observation` makes the same from a view."""

from macaz.kernel.bits import lowest
from macaz.kernel.layout import (
    CARDS,
    CHOOSE,
    DEAL_TUNNEL,
    HELD,
    IN_BOX,
    IN_BUNDLE,
    IN_DECK,
    LAST_CHANCE,
    LOCO,
    MARKS,
    OFFERED,
    OVER,
    QUEUE,
    RETURNED,
    SEATS,
    TUNNEL,
    WORD_BITS,
    WORDS,
)
from macaz.kernel.observation import MOST
from macaz.kernel.paths import connect, root
from macaz.kernel.table import marks_used


def observe(spec, s, w, seat, o0, o1, o2, o):
    """Write a seat's observation into a record of zeros; `o0` to `o2` are what is claimable."""
    o.phase[s.phase] = 1
    o.last = s.last
    o.passes = s.passes
    o.refreshed = s.refreshed
    o.stock = s.stock
    o.queue = s.queue
    o.deck_size = min(s.deck_size + 0, MOST)
    observe_cards(spec, s, seat, o)
    observe_seats(spec, s, seat, o)
    observe_open(o0, o1, o2, o)
    observe_tickets(spec, s, w, seat, o)
    if s.lane >= 0:
        o.claiming[s.lane] = 1
    if s.alvin_city >= 0:
        o.alvin[s.alvin_city] = 1


def observe_cards(spec, s, seat, o):
    """The cards by colour: where they lie, and how many are out of sight."""
    for c in range(CARDS):
        o.hand[c] = s.hand[seat, c]
        o.row[c] = s.row[c]
        o.discards[c] = s.discards[c]
        o.revealed[c] = s.revealed[c]
        o.pool[c] = s.pool[c]
        o.unseen[c] = spec.cards[c] - s.hand[seat, c] - s.row[c] - s.discards[c] - s.revealed[c]
    if s.phase == TUNNEL or s.phase == DEAL_TUNNEL:
        o.paid_color[s.paid_color] = 1
        o.paid_locos = s.paid_locos
        o.unseen[LOCO] -= s.paid_locos
        if s.paid_color != LOCO:
            o.unseen[s.paid_color] -= spec.lane_length[s.lane] - s.paid_locos
    o.extra = s.extra


def observe_seats(spec, s, seat, o):
    """What there is of every seat, the observer first, the others clockwise."""
    deciding = 0
    if s.phase == CHOOSE:
        # All choose at the same time: no seat sees that another has chosen.
        deciding = s.choosing | ((1 << SEATS) - 1 - (1 << seat))
    elif s.phase > LAST_CHANCE and s.phase != OVER:
        deciding = 1 << s.turn
    marks = max(spec.stations + 0, spec.markers + 0)
    p = seat
    for i in range(spec.seats):
        o.playing[i] = 1
        o.deciding[i] = (deciding >> p) & 1
        o.trains[i] = s.trains[p]
        o.score[i, 0] = s.score[p] // 10
        o.score[i, 1] = s.score[p] % 10
        cards = 0
        for c in range(CARDS):
            cards += s.hand[p, c]
            o.seen[i, c] = s.seen[p, c]
        o.hand_size[i] = min(cards, MOST)
        for v in range(WORDS):
            rest = s.claimed[p, v]
            while rest != 0:
                o.claimed[i, v * WORD_BITS + lowest(rest)] = 1
                rest &= rest - 1
        for j in range(MARKS):
            if s.marks[p, j] >= 0:
                o.marks[i, s.marks[p, j]] = 1
        o.marks_left[i] = max(0, marks - marks_used(s, p))
        if p == s.first:
            o.first[i] = 1
        if p == s.alvin_holder:
            o.alvin_holder[i] = 1
        p += 1
        if p == spec.seats:
            p = 0


def observe_open(o0, o1, o2, o):
    """The lanes that may be claimed."""
    while o0 != 0:
        o.open[lowest(o0)] = 1
        o0 &= o0 - 1
    while o1 != 0:
        o.open[WORD_BITS + lowest(o1)] = 1
        o1 &= o1 - 1
    while o2 != 0:
        o.open[2 * WORD_BITS + lowest(o2)] = 1
        o2 &= o2 - 1


def observe_tickets(spec, s, w, seat, o):
    """What the seat knows of each ticket, and how many every seat has.

    Where a ticket lies is a surprise to the processor: what can be done without a branch is.
    """
    everything = (s.phase == OVER) * 1
    held = 0  # how many tickets each seat holds, in 8 bits each
    offered = 0
    for t in range(spec.tickets):
        place = s.ticket[t] + 0
        with_a_seat = (place < RETURNED) * 1
        mine = (place % OFFERED == seat) * with_a_seat
        known = ((s.known[t] >> seat) & 1) | everything
        put_back = (place < IN_DECK) | (place == IN_BUNDLE) | (place == IN_BOX) | (place >= QUEUE)
        o.held[t] = (place == HELD + seat) * 1
        o.theirs[t] = known * with_a_seat * (1 - mine)
        o.returned[t] = known * (1 - with_a_seat) * put_back
        held += (place < OFFERED) * 1 << (8 * (place % OFFERED))
        offered += with_a_seat * (place >= OFFERED) << (8 * (place % OFFERED))
    if s.phase == CHOOSE:
        # As above: no seat sees what another has chosen.
        own = 255 << (8 * seat)
        held &= own
        offered &= own
        for p in range(spec.seats):
            if p != seat:
                offered += spec.setup_deal << (8 * p)
    p = seat
    for i in range(spec.seats):
        o.tickets_held[i] = (held >> (8 * p)) & 255
        o.tickets_offered[i] = (offered >> (8 * p)) & 255
        p += 1
        if p == spec.seats:
            p = 0
    observe_own_tickets(spec, s, w, seat, o)


def observe_own_tickets(spec, s, w, seat, o):
    """The places of the offer, and which of the seat's tickets are connected."""
    connect(spec, s, w, seat)
    slot = 0
    for t in range(spec.tickets):
        place = s.ticket[t] + 0
        if place == OFFERED + seat:
            o.offered[slot, t] = 1
            slot += 1
        if place == HELD + seat or place == OFFERED + seat:
            if root(w, spec.ticket_a[t]) == root(w, spec.ticket_b[t]):
                o.connected[t] = 1
