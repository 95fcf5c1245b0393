"""Why something may not be decided: the reasons of layout.py, and 0 for what is legal.

What may be done is asked of the predicates of table.py, pay.py and legal.py; here it is only said
which of them fails. Nothing is asked that the seat may not see, so a state made from its view
gives the same reasons. `o0`, `o1` and `o2` are the three words of a set of lanes.
"""

from macaz.kernel.bits import popcount
from macaz.kernel.layout import (
    A_ALVIN,
    A_BLIND,
    A_CHOOSE,
    A_CLAIM,
    A_DECLINE,
    A_KEEP,
    A_MARK,
    A_PASS,
    A_PAY,
    A_RETURN,
    A_SKIP,
    A_START,
    A_STATION,
    A_TICKETS,
    ALREADY_CHOSEN,
    ALVIN,
    CAN_STILL_ACT,
    CHANCE_FIRST,
    CHOOSE,
    CITY_TAKEN,
    COLORS,
    DECK_EMPTY,
    GAME_OVER,
    KEEP,
    KEEP_MORE,
    LANE_TAKEN,
    LAST_CHANCE,
    LOCO,
    MARK,
    NO_CARDS,
    NO_STATION_LEFT,
    NO_SUCH_ACTION,
    NO_TICKETS,
    NOT_AN_END,
    NOT_CONNECTED,
    NOT_IN_ROW,
    NOT_OFFERED,
    NOT_YOUR_CITY,
    NOT_YOUR_TURN,
    ONLY_FIRST_CARD,
    OTHER_DECISION,
    OVER,
    OWN_LANE,
    OWN_PARALLEL_LANE,
    PARALLEL_CLOSED,
    PAYS,
    RETURN,
    SECOND,
    START,
    TOO_FEW_TRAINS,
    TUNNEL,
    TURN,
    WORD_BITS,
    WORDS,
    WRONG_PAYMENT,
)
from macaz.kernel.legal import kind_of, seat_of, tunnel_fits, tunnel_payable, turn_count
from macaz.kernel.pay import (
    fits_cost,
    payable,
    payable_pay,
    payments,
    pays_count,
    price_of,
    spread,
)
from macaz.kernel.table import (
    build_cost,
    free_cities,
    free_lanes,
    keep_least,
    lane_among,
    marker_sites,
    may_draw_blind,
    may_draw_tickets,
    may_take,
    offer_size,
    open_lanes,
    own_marks,
    route_ends,
    station_left,
    trains_suffice,
)


def why_now(s, seat):
    """Why a seat may decide nothing now."""
    if s.phase == OVER:
        return GAME_OVER
    if s.phase <= LAST_CHANCE:
        return CHANCE_FIRST
    if s.phase == CHOOSE:
        if (s.choosing >> seat) & 1 == 0:
            return ALREADY_CHOSEN
    elif seat != s.turn:
        return NOT_YOUR_TURN
    return 0


def why_closed(spec, s, seat, lane):
    """Why nothing can open a lane to a seat any more (C4, C7)."""
    o0, o1, o2 = free_lanes(spec, s, seat)
    if lane_among(o0, o1, o2, lane):
        return 0
    for p in range(spec.seats):
        if lane_among(s.claimed[p, 0], s.claimed[p, 1], s.claimed[p, 2], lane):
            if p == seat:
                return OWN_LANE
            return LANE_TAKEN
    for v in range(WORDS):
        if (s.claimed[seat, v] & spec.multi[v]) >> (lane % WORD_BITS) & 1 == 1:
            return OWN_PARALLEL_LANE
    return PARALLEL_CLOSED


def why_no_claim(spec, s, seat, lane):
    """Why a seat whose turn it is may not claim a lane, cards aside (C3, C4, C7, W2)."""
    o0, o1, o2 = open_lanes(spec, s, seat)
    if not lane_among(o0, o1, o2, lane):
        reason = why_closed(spec, s, seat, lane)
        if reason == 0:
            return NOT_CONNECTED
        return reason
    if not trains_suffice(s, seat, spec.lane_length[lane]):
        return TOO_FEW_TRAINS
    return 0


def why_no_station(spec, s, seat, city):
    """Why a seat whose turn it is may not build a station in a city, cards aside (G1)."""
    if (free_cities(spec, s) >> city) & 1 == 0:
        return CITY_TAKEN
    if not station_left(spec, s, seat):
        return NO_STATION_LEFT
    return 0


def why_no_marker(spec, s, city):
    """Why a marker may not be placed in a city, cards aside (W3)."""
    if (marker_sites(spec, s) >> city) & 1 == 1:
        return 0
    if (route_ends(spec, s) >> city) & 1 == 0:
        return NOT_AN_END
    return CITY_TAKEN


def why_no_pay(s, seat, cost, pay):
    """Why a hand cannot pay a station or a marker in this way (G2, W3)."""
    if not fits_cost(cost, pay):
        return WRONG_PAYMENT
    if not payable_pay(s, seat, cost, pay):
        return NO_CARDS
    return 0


def why_no_draw(s, kind, i):
    """Why a card or tickets may not be drawn (D1, D3, K1)."""
    reason = 0
    if kind == A_TICKETS:
        if not may_draw_tickets(s):
            reason = NO_TICKETS
    elif kind == A_BLIND:
        if not may_draw_blind(s):
            reason = DECK_EMPTY
    elif not may_take(s, i):
        reason = NOT_IN_ROW
        if s.row[i] > 0:
            reason = ONLY_FIRST_CARD
    return reason


def why_no_payment(spec, s, seat, i):
    """Why a seat whose turn it is may not claim a lane with this payment."""
    lane = spec.claim_lane[i] + 0
    reason = why_no_claim(spec, s, seat, lane)
    if reason == 0:
        color, cards, locos = price_of(spec, s, A_CLAIM, i)
        if not payable(s, seat, color, cards, locos):
            reason = NO_CARDS
    return reason


def why_no_build(spec, s, seat, kind, i):
    """Why a station or a marker may not be placed with this payment."""
    if kind == A_STATION:
        reason = why_no_station(spec, s, seat, i // PAYS)
    else:
        reason = why_no_marker(spec, s, i // PAYS)
    if reason == 0:
        reason = why_no_pay(s, seat, build_cost(spec, s, seat), i % PAYS)
    return reason


def why_no_pass(spec, s, seat, w):
    """Why a seat may not pass: it can do something else (T2)."""
    o0, o1, o2 = open_lanes(spec, s, seat)
    if turn_count(spec, s, seat, o0, o1, o2, w) > 0:
        return CAN_STILL_ACT
    return 0


def why_no_tickets(spec, s, seat, kind, i):
    """Why tickets may not be kept or returned (S4, K1)."""
    if kind == A_CHOOSE:
        if popcount(i & ((1 << spec.setup_deal) - 1)) < keep_least(spec, s, seat):
            return KEEP_MORE
    elif kind == A_KEEP:
        if i >> offer_size(spec, s, seat) != 0:
            return NOT_OFFERED
        if popcount(i) < keep_least(spec, s, seat):
            return KEEP_MORE
    elif i >= offer_size(spec, s, seat):
        return NOT_OFFERED
    return 0


def why_no_extra(s, seat, locos):
    """Why the extra cards of a tunnel cannot be paid with so many locomotives (U2, U3)."""
    if not tunnel_fits(s, locos):
        return WRONG_PAYMENT
    if not tunnel_payable(s, seat, locos):
        return NO_CARDS
    return 0


def fits_phase(phase, kind):
    """Whether a kind of action answers what a phase asks."""
    if phase == TURN:
        return kind <= A_PASS or kind >= A_STATION
    if phase == SECOND:
        return kind <= A_BLIND
    if phase == CHOOSE:
        return kind == A_CHOOSE
    if phase == KEEP:
        return kind == A_KEEP
    if phase == RETURN:
        return kind == A_RETURN
    if phase == TUNNEL:
        return kind == A_PAY or kind == A_DECLINE
    if phase == START:
        return kind == A_START
    if phase == MARK:
        return kind == A_MARK or kind == A_SKIP
    return kind == A_ALVIN


def why_not(spec, s, seat, a, w):
    """Why a seat may not take an action now; `w` is working memory."""
    kind = kind_of(spec, a)
    if kind < 0:
        return NO_SUCH_ACTION
    reason = why_now(s, seat)
    if reason != 0:
        return reason
    if not fits_phase(s.phase, kind):
        return OTHER_DECISION
    i = a - spec.base[kind]
    if kind == A_CLAIM:
        reason = why_no_payment(spec, s, seat, i)
    elif kind <= A_TICKETS:
        reason = why_no_draw(s, kind, i)
    elif kind == A_PASS:
        reason = why_no_pass(spec, s, seat, w)
    elif kind == A_STATION or kind == A_MARK:
        reason = why_no_build(spec, s, seat, kind, i)
    elif kind == A_CHOOSE and seat_of(spec, s, a) != seat:
        reason = NOT_YOUR_TURN
    elif kind == A_CHOOSE or kind == A_KEEP or kind == A_RETURN:
        reason = why_no_tickets(spec, s, seat, kind, i)
    elif kind == A_PAY:
        reason = why_no_extra(s, seat, i)
    elif kind == A_START or kind == A_ALVIN:
        reason = why_city(spec, s, seat, i)
    return reason  # declining and skipping are always legal


def is_legal(spec, s, a, w):
    """Whether this action may be taken now; `w` is working memory."""
    return why_not(spec, s, seat_of(spec, s, a), a, w) == 0


def class_of(spec, lane):
    """The class of a lane: lanes of one colour, length and number of locomotive symbols."""
    k = 0
    while not lane_among(spec.class_mask[k, 0], spec.class_mask[k, 1], spec.class_mask[k, 2], lane):
        k += 1
    return k


def lane_payments(spec, s, seat, lane):
    """In how many ways a hand can pay a lane (C1, C2, F1)."""
    k = class_of(spec, lane)
    held = -1
    if spec.class_color[k] < COLORS:
        held = s.hand[seat, spec.class_color[k]] + 0
    locos = s.hand[seat, LOCO] + 0
    length = spec.class_length[k] + 0
    return payments(held, spread(spec, s, seat), locos, length, spec.class_locos[k] + 0)


def why_lane(spec, s, seat, lane):
    """Why a seat cannot claim a lane now, however it would pay.

    What closes the lane for good is said first, whichever seat decides.
    """
    reason = why_closed(spec, s, seat, lane)
    if reason == 0:
        reason = why_now(s, seat)
    if reason == 0 and s.phase != TURN:
        reason = OTHER_DECISION
    if reason == 0:
        reason = why_no_claim(spec, s, seat, lane)
    if reason == 0 and lane_payments(spec, s, seat, lane) == 0:
        reason = NO_CARDS
    return reason


def why_city(spec, s, seat, city):
    """Why a seat cannot choose a city now: to build there, to begin, or to send Alvin."""
    reason = why_now(s, seat)
    if reason != 0:
        return reason
    if s.phase == START:
        if (free_cities(spec, s) >> city) & 1 == 0:
            return CITY_TAKEN
    elif s.phase == ALVIN:
        if (own_marks(s, seat) >> city) & 1 == 0:
            return NOT_YOUR_CITY
    elif s.phase == MARK:
        reason = why_no_marker(spec, s, city)
        if reason == 0 and pays_count(spec, s, seat, build_cost(spec, s, seat)) == 0:
            reason = NO_CARDS
    elif s.phase == TURN and spec.stations > 0:
        reason = why_no_station(spec, s, seat, city)
        if reason == 0 and pays_count(spec, s, seat, build_cost(spec, s, seat)) == 0:
            reason = NO_CARDS
    else:
        reason = OTHER_DECISION
    return reason
