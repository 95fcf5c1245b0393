"""A decision changes the state: one function a kind of decision.

`step` trusts its caller: ask `is_legal` first about anything that comes from outside.
"""

from macaz.kernel.bits import popcount
from macaz.kernel.flow import (
    after_marker,
    begin_play,
    discard,
    discard_laid,
    finish_turn,
    offer_tickets,
    put_under,
    reveal,
    settle,
    take_route,
)
from macaz.kernel.layout import (
    A_ALVIN,
    A_BLIND,
    A_CHOOSE,
    A_CLAIM,
    A_KEEP,
    A_MARK,
    A_PASS,
    A_PAY,
    A_RETURN,
    A_SKIP,
    A_START,
    A_STATION,
    A_TAKE,
    A_TICKETS,
    CARDS,
    DEAL_BLIND,
    DEAL_FIRST,
    DEAL_HANDS,
    E_ALVIN_MOVED,
    E_CARD_TAKEN,
    E_CITY_STARTED,
    E_MARKER_PLACED,
    E_MARKER_SKIPPED,
    E_PASSED,
    E_STATION_BUILT,
    E_TICKETS_DRAWN,
    E_TICKETS_RETURNED,
    E_TUNNEL_DECLINED,
    E_TUNNEL_PAID,
    E_TUNNEL_TRIED,
    HELD,
    IN_DECK,
    IN_LONG_DECK,
    LOCO,
    MARKS,
    NO_TICKET,
    OFFERED,
    PAYS,
    RETURN,
    RETURNED,
    SEATS,
    SECOND,
    TICKETS,
    TURN,
    WORDS,
)
from macaz.kernel.legal import kind_of
from macaz.kernel.pay import price_of
from macaz.kernel.table import marks_used, offer_size
from macaz.kernel.tell import (
    tell,
    tell_card,
    tell_city,
    tell_kept,
    tell_lane,
    tell_price,
    tell_ticket,
)


def setup(spec, s, first):
    """A new game; `first` is the seat that begins, or -1 for chance to say (S1, S6)."""
    for p in range(SEATS):
        for w in range(WORDS):
            s.claimed[p, w] = 0
        for c in range(CARDS):
            s.hand[p, c] = 0
            s.seen[p, c] = 0
        for i in range(MARKS):
            s.marks[p, i] = -1
        s.score[p] = 0
        s.trains[p] = 0
        if p < spec.seats:
            s.trains[p] = spec.trains
    s.deck_size = 0
    for c in range(CARDS):
        s.deck[c] = spec.cards[c]
        s.pool[c] = spec.cards[c]
        s.deck_size += spec.cards[c]
        s.discards[c] = 0
        s.row[c] = 0
        s.revealed[c] = 0
    s.stock = 0
    for t in range(TICKETS):
        s.known[t] = 0
        s.ticket[t] = NO_TICKET
        if t < spec.tickets:
            if spec.ticket_long[t] == 1:
                s.ticket[t] = IN_LONG_DECK
            else:
                s.ticket[t] = IN_DECK
                s.stock += 1
    s.lane = -1
    s.after = 0
    s.choosing = 0
    s.drawn = 0
    s.row_size = 0
    s.refreshed = 0
    s.passes = 0
    s.last = 0
    s.queue = 0
    s.paid_color = 0
    s.paid_locos = 0
    s.extra = 0
    s.captured = 0
    s.alvin_city = spec.alvin_home
    s.alvin_holder = -1
    s.first = first
    s.turn = max(first, 0)
    s.left = 0
    s.phase = DEAL_FIRST
    if first >= 0:
        deal_hands(spec, s)


def deal_hands(spec, s):
    """The first seat is known: cards are dealt (S2)."""
    s.left = spec.hand_size * spec.seats
    s.phase = DEAL_HANDS


def choose(spec, s, seat, mask, e):
    """A seat keeps some of its setup tickets (S4)."""
    tell_kept(e, spec, s, seat, mask)
    slot = 0
    for t in range(spec.tickets):
        if s.ticket[t] == OFFERED + seat:
            if (mask >> slot) & 1 == 1:
                s.ticket[t] = HELD + seat
            else:
                s.ticket[t] = RETURNED + seat
                tell_ticket(e, E_TICKETS_RETURNED, seat, t)
            slot += 1
    s.choosing &= ~(1 << seat)
    if s.choosing == 0:
        begin_play(spec, s)


def start(spec, s, city, e):
    """A seat places its starting city, from the last player back to the first (S7)."""
    tell_city(e, E_CITY_STARTED, s.turn, city)
    s.marks[s.turn, 0] = city
    if s.turn == s.first:
        s.phase = TURN
    else:
        s.turn = (s.turn + spec.seats - 1) % spec.seats


def take(spec, s, c, e):
    """A face-up card is taken (D1, D2, D3)."""
    tell_card(e, E_CARD_TAKEN, s.turn, c)
    s.row[c] -= 1
    s.row_size -= 1
    s.refreshed = 0
    s.hand[s.turn, c] += 1
    s.seen[s.turn, c] += 1
    drawn(spec, s, c == LOCO, e)


def drawn(spec, s, whole_turn, e):
    """A card came to the hand: a second one follows, or the turn is over (D1, D4)."""
    if whole_turn or s.drawn == 1:
        finish_turn(spec, s, e)
    else:
        s.drawn = 1
        s.after = SECOND
        settle(spec, s, e)


def keep(spec, s, mask, e):
    """A seat keeps some of the tickets it drew; the others go under the deck (K1, K2)."""
    seat = s.turn + 0
    size = offer_size(spec, s, seat)
    returned = size - popcount(mask)
    tell_kept(e, spec, s, seat, mask)
    slot = 0
    for t in range(spec.tickets):
        if s.ticket[t] == OFFERED + seat:
            # Another seat may have known this ticket, having put it under the deck. It still
            # knows where it is if everything was kept, and cannot tell if something went back.
            if returned > 0:
                s.known[t] = 1 << seat
            if (mask >> slot) & 1 == 1:
                s.ticket[t] = HELD + seat
            elif spec.chosen_order == 0 or returned == 1:
                put_under(s, t)
                tell_ticket(e, E_TICKETS_RETURNED, seat, t)
            slot += 1
    if spec.chosen_order == 1 and returned > 1:
        s.phase = RETURN
    else:
        finish_turn(spec, s, e)


def give_back(spec, s, slot, e):
    """The seat puts one of its returned tickets under the deck; the last follows by itself (K1)."""
    seat = s.turn + 0
    last = offer_size(spec, s, seat) == 2
    i = 0
    for t in range(spec.tickets):
        if s.ticket[t] == OFFERED + seat:
            if i == slot:
                put_under(s, t)
                tell_ticket(e, E_TICKETS_RETURNED, seat, t)
            i += 1
    if last:
        for t in range(spec.tickets):
            if s.ticket[t] == OFFERED + seat:
                put_under(s, t)
                tell_ticket(e, E_TICKETS_RETURNED, seat, t)
        finish_turn(spec, s, e)


def claim(spec, s, i, e):
    """Cards for a lane are played, or laid down before a tunnel (C1, C6, U1)."""
    seat = s.turn + 0
    lane = spec.claim_lane[i]
    color, cards, locos = price_of(spec, s, A_CLAIM, i)
    s.lane = lane
    discard(s, seat, color, cards, locos)
    if spec.lane_tunnel[lane] == 0:
        take_route(spec, s, color, cards, locos, e)
        return
    tell_lane(e, E_TUNNEL_TRIED, seat, lane)
    tell_price(e, color, cards, locos)
    # Laid cards wait outside the discards: `paid_color` and `paid_locos` say which they are.
    if color != LOCO:
        s.discards[color] -= cards
    s.discards[LOCO] -= locos
    s.paid_color = color
    s.paid_locos = locos
    s.left = spec.tunnel_cards
    reveal(spec, s, e)


def pay_tunnel(spec, s, locos, e):
    """The extra cards are paid, and the laid ones join the discards (U2, U3)."""
    color, cards, locos = price_of(spec, s, A_PAY, locos)
    tell_lane(e, E_TUNNEL_PAID, s.turn, s.lane)
    tell_price(e, color, cards, locos)
    discard(s, s.turn, color, cards, locos)
    discard_laid(spec, s)
    laid = spec.lane_length[s.lane] - s.paid_locos
    take_route(spec, s, color, laid + cards, s.paid_locos + locos, e)


def decline_tunnel(spec, s, e):
    """The laid cards return to the hand, where all seats have seen them (U4)."""
    tell_lane(e, E_TUNNEL_DECLINED, s.turn, s.lane)
    laid = spec.lane_length[s.lane] - s.paid_locos
    if s.paid_color != LOCO:
        s.hand[s.turn, s.paid_color] += laid
        s.seen[s.turn, s.paid_color] += laid
    s.hand[s.turn, LOCO] += s.paid_locos
    s.seen[s.turn, LOCO] += s.paid_locos
    finish_turn(spec, s, e)


def build(spec, s, kind, i, e):
    """A station or marker is paid and placed (G1, G2, W1, W3)."""
    color, cards, locos = price_of(spec, s, kind, i)
    tell_price(e, color, cards, locos)
    discard(s, s.turn, color, cards, locos)
    s.marks[s.turn, marks_used(s, s.turn)] = i // PAYS


def step(spec, s, a, e):
    """Apply a legal action, and write what happens to `e`, unless that is None."""
    kind = kind_of(spec, a)
    i = a - spec.base[kind]
    if kind == A_CHOOSE:
        choose(spec, s, i >> spec.setup_deal, i & ((1 << spec.setup_deal) - 1), e)
        return
    if kind == A_START:
        start(spec, s, i, e)
        return
    if kind == A_PASS:
        tell(e, E_PASSED, s.turn)
        s.passes += 1
        finish_turn(spec, s, e)
        return
    s.passes = 0
    if kind == A_TAKE:
        take(spec, s, i, e)
    elif kind == A_BLIND:
        s.phase = DEAL_BLIND
    elif kind == A_CLAIM:
        claim(spec, s, i, e)
    elif kind == A_TICKETS:
        tell(e, E_TICKETS_DRAWN, s.turn)
        s.left = min(spec.draw_tickets + 0, s.stock + 0)
        offer_tickets(spec, s, e)
    elif kind == A_KEEP:
        keep(spec, s, i, e)
    elif kind == A_RETURN:
        give_back(spec, s, i, e)
    elif kind == A_PAY:
        pay_tunnel(spec, s, i, e)
    elif kind == A_STATION:
        tell_city(e, E_STATION_BUILT, s.turn, i // PAYS)
        build(spec, s, kind, i, e)
        finish_turn(spec, s, e)
    elif kind == A_MARK:
        tell_city(e, E_MARKER_PLACED, s.turn, i // PAYS)
        build(spec, s, kind, i, e)
        after_marker(spec, s, e)
    elif kind == A_SKIP:
        tell(e, E_MARKER_SKIPPED, s.turn)
        after_marker(spec, s, e)
    elif kind == A_ALVIN:
        tell_city(e, E_ALVIN_MOVED, s.turn, i)
        s.alvin_city = i
        s.captured = 0
        finish_turn(spec, s, e)
    else:
        decline_tunnel(spec, s, e)
