"""What a hand can pay, and in how many ways.

A payment is a colour and a number of locomotives in its place; the ways to pay with one colour
follow each other, so counting them is arithmetic and no list is made.
"""

from macaz.kernel.layout import (
    A_CLAIM,
    A_MARK,
    A_PAY,
    A_STATION,
    CARDS,
    COLORS,
    KINDS,
    LENGTHS,
    LOCO,
    PAY_LOCOS,
    PAYS,
)
from macaz.kernel.table import build_cost, marker_left, marker_sites


def pay_number(color, locos):
    """The number of a payment for a station or a marker: a colour, and locomotives in its place."""
    if color == LOCO:
        return PAYS - 1
    return color * PAY_LOCOS + locos


def color_paid(pay):
    """The colour of such a payment; LOCO for locomotives only."""
    return pay // PAY_LOCOS


def locos_paid(pay, cost):
    """Its locomotives."""
    if pay == PAYS - 1:
        return cost
    return pay % PAY_LOCOS


def payable(s, seat, color, cards, locos):
    """Whether a hand holds so many cards of a colour and so many locomotives."""
    if color == LOCO:
        return s.hand[seat, LOCO] >= locos
    return s.hand[seat, color] >= cards and s.hand[seat, LOCO] >= locos


def fits_cost(cost, pay):
    """Whether a payment is one for this cost: with a colour, there is a card of it (G2, W3)."""
    return color_paid(pay) == LOCO or locos_paid(pay, cost) < cost


def payable_pay(s, seat, cost, pay):
    """Whether a hand can pay a station or marker of this cost in way `pay` (G2, W3)."""
    locos = locos_paid(pay, cost)
    return fits_cost(cost, pay) and payable(s, seat, color_paid(pay), cost - locos, locos)


def may_cost(spec, lane, color, locos):
    """Whether some claim of a lane is paid with a colour and so many locomotives (C1, C2)."""
    for i in range(spec.base[KINDS] - spec.base[A_CLAIM]):
        if spec.claim_lane[i] == lane:
            if spec.claim_color[i] == color and spec.claim_locos[i] == locos:
                return True
    return False


def price_of(spec, s, kind, i):
    """What an action costs, by its kind and number within it (C1, G2, W3, U2, U3).

    A colour, LOCO for none; so many of its cards; so many locomotives.
    """
    if kind == A_CLAIM:
        locos = spec.claim_locos[i] + 0
        return spec.claim_color[i] + 0, spec.lane_length[spec.claim_lane[i]] - locos, locos
    if kind == A_PAY:
        return s.paid_color + 0, s.extra - i, i
    if kind == A_STATION or kind == A_MARK:
        cost = build_cost(spec, s, s.turn)
        locos = locos_paid(i % PAYS, cost)
        return color_paid(i % PAYS), cost - locos, locos
    return LOCO, 0, 0


def nth_pay(s, seat, cost, n):
    """The n-th way in which a hand can pay a station or marker."""
    most = min(cost - 1, s.hand[seat, LOCO] + 0)
    for c in range(COLORS):
        held = s.hand[seat, c] + 0
        if held > 0:
            least = max(0, cost - held)
            if n <= most - least:
                return pay_number(c, least + n)
            n -= max(0, most - least + 1)
    return pay_number(LOCO, cost)


def spread(spec, s, seat):
    """The sums over colours of min(cards held, x), for x = 1 to 9, in 7 bits each."""
    total = 0
    for c in range(COLORS):
        total += spec.steps[min(s.hand[seat, c] + 0, LENGTHS - 1)]
    return total


def payments(held, sums, locos, length, symbols):
    """In how many ways a route can be paid (C1, C2, F1): with `held` cards, or, gray, by `sums`.

    At least `short` cards of the colour must be held beside the locomotives but for one, and
    every further card, up to the spaces without a symbol, is one more way to pay.
    """
    short = max(0, length - 1 - locos)
    top = length - symbols
    if held >= 0:
        n = max(0, min(held, top) - short)
    elif top > short:
        n = (sums >> (7 * top - 7)) & 127
        if short > 0:
            n -= (sums >> (7 * short - 7)) & 127
    else:
        n = 0
    if locos >= length:
        n += 1
    return n


def pays_count(spec, s, seat, cost):
    """In how many ways a hand can pay a station or marker: as many as for a gray route."""
    return payments(-1, spread(spec, s, seat), s.hand[seat, LOCO] + 0, cost, 0)


def can_mark(spec, s, seat):
    """Whether the claimer is asked about a marker on an end of the route (W3, A1).

    Only what is public decides that: being asked must not betray a pair in the hand.
    """
    if not marker_left(spec, s, seat):
        return False
    if marker_sites(spec, s) == 0:
        return False
    cards = 0
    for c in range(CARDS):
        cards += s.hand[seat, c]
    return cards >= spec.marker_cards


def nth_payment(spec, s, seat, k, n):
    """The payment number, within class k, of the n-th payable one."""
    length = spec.class_length[k]
    symbols = spec.class_locos[k]
    locos = s.hand[seat, LOCO]
    color = spec.class_color[k]
    most = min(length - 1, locos)
    if color < COLORS:
        least = max(symbols, length - s.hand[seat, color])
        if n <= most - least:
            return least - symbols + n
        return length - symbols
    for c in range(COLORS):
        held = s.hand[seat, c]
        if held > 0:
            least = max(symbols, length - held)
            if most >= least:
                if n <= most - least:
                    return c * (length - symbols) + least - symbols + n
                n -= most - least + 1
    return COLORS * (length - symbols)
