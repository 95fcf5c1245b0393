"""Transitions without a decision: reshuffles, the face-up row, the end of a turn, the next phase.

Codes such as (D6) are those of docs/rules.md, here and in all of the kernel.

`e` is where the events are written, or None, here and in `step` and `deal`: see `tell`.
"""

from macaz.kernel.layout import (
    ALVIN,
    CARDS,
    CHOOSE,
    DEAL_OFFER,
    DEAL_ROW,
    DEAL_TUNNEL,
    E_ALVIN_CAPTURED,
    E_GAME_ENDED,
    E_LAST_ROUND_BEGAN,
    E_ROUTE_CLAIMED,
    E_TICKETS_DEALT,
    E_TURN_ENDED,
    IN_BOX,
    IN_BUNDLE,
    IN_LONG_DECK,
    KEEP,
    LOCO,
    MARK,
    OFFERED,
    OVER,
    QUEUE,
    RETURN_BOTTOM,
    RETURN_SHUFFLED,
    RETURNED,
    ROW_REFRESHES,
    SECOND,
    START,
    TUNNEL,
    TURN,
    TURN_END,
    WORD_BITS,
)
from macaz.kernel.pay import can_mark
from macaz.kernel.table import (
    captures_alvin,
    extra_cost,
    few_trains,
    many_locos,
    no_second_card,
    route_scorers,
)
from macaz.kernel.tell import (
    tell,
    tell_city,
    tell_lane,
    tell_points,
    tell_price,
    tell_replaced,
    tell_shuffle,
    tell_ticket,
)


def restock(s, e):
    """An empty deck becomes the discards at once (D6)."""
    if s.deck_size == 0:
        for c in range(CARDS):
            s.deck[c] = s.discards[c]
            s.pool[c] = s.discards[c]
            s.deck_size += s.discards[c]
            s.discards[c] = 0
        if s.deck_size > 0:
            tell_shuffle(e, s.deck_size)


def row_can_improve(spec, s):
    """Whether the cards outside the hands can make a row with fewer locomotives (D7)."""
    plain = 0
    size = 0
    for c in range(CARDS):
        cards = s.deck[c] + s.discards[c] + s.row[c]
        size += cards
        if c != LOCO:
            plain += cards
    return min(size, spec.row_size + 0) - plain < spec.row_locos


def settle(spec, s, e):
    """Fill and replace the row until a decision, or a card from chance, is needed (D2, D6, D7)."""
    while True:
        restock(s, e)
        if s.row_size < spec.row_size and s.deck_size > 0:
            s.phase = DEAL_ROW
            return
        if not many_locos(spec, s):
            s.refreshed = 0
        elif s.refreshed == ROW_REFRESHES or not row_can_improve(spec, s):
            s.refreshed = ROW_REFRESHES
        else:
            s.refreshed += 1
            tell_replaced(e, s)
            for c in range(CARDS):
                s.discards[c] += s.row[c]
                s.row[c] = 0
            s.row_size = 0
            continue
        if s.after == SECOND and no_second_card(s):
            s.after = TURN_END  # D8
        if s.after != TURN_END:
            s.phase = s.after
            if s.phase == OVER:
                tell(e, E_GAME_ENDED, -1)
            return
        end_turn(spec, s, e)


def end_turn(spec, s, e):
    """Close a turn: what was revealed is discarded now, and no sooner (E1, U5)."""
    if s.lane >= 0:
        for c in range(CARDS):
            s.discards[c] += s.revealed[c]
            s.revealed[c] = 0
        s.lane = -1
        s.paid_color = 0
        s.paid_locos = 0
        s.extra = 0
    tell(e, E_TURN_ENDED, s.turn)
    s.drawn = 0
    s.after = TURN
    if s.last > 0:
        s.last -= 1
        if s.last == 0:
            s.after = OVER
    elif few_trains(spec, s, s.turn):
        s.last = spec.seats
        tell(e, E_LAST_ROUND_BEGAN, s.turn)
    if s.passes == spec.seats:
        s.after = OVER
    s.turn += 1
    if s.turn == spec.seats:
        s.turn = 0


def finish_turn(spec, s, e):
    """Settle the row, end the turn, and go on to the next decision."""
    s.after = TURN_END
    settle(spec, s, e)


def begin_play(spec, s):
    """All have chosen: returned tickets go where they belong, and play begins (S4, S7)."""
    for i in range(spec.seats):
        seat = (s.first + i) % spec.seats
        for t in range(spec.tickets):
            if s.ticket[t] == RETURNED + seat:
                if spec.setup_return == RETURN_BOTTOM:
                    put_under(s, t)
                elif spec.setup_return == RETURN_SHUFFLED:
                    s.ticket[t] = IN_BUNDLE
                    s.stock += 1
                else:
                    s.ticket[t] = IN_BOX
    if spec.start_city == 1:
        s.turn = (s.first + spec.seats - 1) % spec.seats
        s.phase = START
    else:
        s.turn = s.first
        s.phase = TURN


def put_under(s, t):
    """A ticket goes under the ticket deck."""
    s.ticket[t] = QUEUE + s.queue
    s.queue += 1
    s.stock += 1


def offer_tickets(spec, s, e):
    """Give the seat its tickets, the known ones at once, the others by chance (K1)."""
    while s.left > 0:
        if s.stock > s.queue:
            s.phase = DEAL_OFFER
            return
        for t in range(spec.tickets):
            if s.ticket[t] == QUEUE:
                s.ticket[t] = OFFERED + s.turn
                s.known[t] |= 1 << s.turn
                tell_ticket(e, E_TICKETS_DEALT, s.turn, t)
            elif s.ticket[t] > QUEUE:
                s.ticket[t] -= 1
        s.queue -= 1
        s.stock -= 1
        s.left -= 1
    s.phase = KEEP


def deal_setup_done(spec, s):
    """Setup tickets are dealt: long ones that no seat got leave the game unseen (S5)."""
    for t in range(spec.tickets):
        if s.ticket[t] == IN_LONG_DECK:
            s.ticket[t] = IN_BOX
    s.choosing = (1 << spec.seats) - 1
    s.phase = CHOOSE


def reveal(spec, s, e):
    """Reveal the next card for a tunnel, or say what it costs (U1, U2, U3, U6)."""
    restock(s, e)
    if s.left > 0 and s.deck_size > 0:
        s.phase = DEAL_TUNNEL
        return
    s.left = 0
    s.extra = extra_cost(s)
    if s.extra > 0:
        s.phase = TUNNEL
    else:
        discard_laid(spec, s)
        laid = spec.lane_length[s.lane] - s.paid_locos
        take_route(spec, s, s.paid_color, laid, s.paid_locos + 0, e)


def discard_laid(spec, s):
    """The tunnel is paid for: the laid cards join the discards (C6, U1)."""
    if s.paid_color != LOCO:
        s.discards[s.paid_color] += spec.lane_length[s.lane] - s.paid_locos
    s.discards[LOCO] += s.paid_locos


def discard(s, seat, color, cards, locos):
    """Cards leave a hand for the discards; what all seats saw there goes first (C6)."""
    if color != LOCO:
        s.hand[seat, color] -= cards
        s.discards[color] += cards
        s.seen[seat, color] = max(s.seen[seat, color] - cards, 0)
    s.hand[seat, LOCO] -= locos
    s.discards[LOCO] += locos
    s.seen[seat, LOCO] = max(s.seen[seat, LOCO] - locos, 0)


def award(s, seat, points, e):
    """A seat scores at the table."""
    s.score[seat] += points
    tell_points(e, seat, points)


def score_route(spec, s, seat, a, b, points, e):
    """Points for a claimed route: to the claimer, or to those who control its ends (C5, W4, W5)."""
    one, other = route_scorers(spec, s, seat, a, b)
    if one >= 0:
        award(s, one, points, e)
    if other >= 0:
        award(s, other, points, e)


def take_route(spec, s, color, cards, locos, e):
    """The lane is paid: trains, points, Alvin, then the marker if one could be placed (A4)."""
    lane = s.lane + 0
    seat = s.turn + 0
    a = spec.lane_a[lane]
    b = spec.lane_b[lane]
    s.claimed[seat, lane // WORD_BITS] |= 1 << (lane % WORD_BITS)
    s.trains[seat] -= spec.lane_length[lane]
    tell_lane(e, E_ROUTE_CLAIMED, seat, lane)
    tell_price(e, color, cards, locos)
    score_route(spec, s, seat, a, b, spec.points[spec.lane_length[lane]], e)
    if captures_alvin(s, seat, a, b):
        tell_city(e, E_ALVIN_CAPTURED, seat, s.alvin_city)
        award(s, seat, spec.alvin_points, e)
        s.alvin_holder = seat
        s.captured = 1
    if can_mark(spec, s, seat):
        s.after = MARK
        settle(spec, s, e)
    else:
        after_marker(spec, s, e)


def after_marker(spec, s, e):
    """The marker is placed, skipped or impossible: Alvin's move, or the end of the turn."""
    if s.captured == 1:
        s.after = ALVIN
        settle(spec, s, e)
    else:
        finish_turn(spec, s, e)
