"""How likely a tunnel is to cost more, and what more could be paid (U1 to U3, U6).

Odds are counts of equally likely draws, exact integers: so they are the same on every target.
"""

from macaz.kernel.hidden import deck_most
from macaz.kernel.layout import CARDS, COLORS, LANES, LOCO
from macaz.kernel.pay import payments
from macaz.kernel.table import counts_as, lane_among
from macaz.kernel.why import class_of, why_lane


def combinations(n, k):
    """In how many ways k of n things can be chosen."""
    found = 1
    for i in range(k):
        found = found * (n - i) // (i + 1)
    return found


def extra_ways(spec, s, seat, color, ways):
    """Count the draws after which a tunnel laid with a colour costs 0, 1, 2, … extra cards.

    Every card that may be in the deck is as likely to be on top as any other. Where the deck is too
    short, the discards are shuffled, without the cards that were laid. Returns how many draws
    there are.
    """
    deck = deck_fits = pile = pile_fits = 0
    for c in range(CARDS):
        n = deck_most(spec, s, seat, c)
        deck += n
        pile += s.discards[c]
        if counts_as(c, color):
            deck_fits += n
            pile_fits += s.discards[c]
    asked = spec.tunnel_cards + 0
    from_deck = min(asked, s.deck_size + 0)
    from_pile = min(asked - from_deck, pile)
    for n in range(asked + 1):
        ways[n] = 0
    for i in range(from_deck + 1):
        one = combinations(deck_fits, i) * combinations(deck - deck_fits, from_deck - i)
        for j in range(from_pile + 1):
            other = combinations(pile_fits, j) * combinations(pile - pile_fits, from_pile - j)
            ways[i + j] += one * other
    return combinations(deck, from_deck) * combinations(pile, from_pile)


def extra_payable(s, seat, color, length):
    """How many extra cards a hand can pay after it laid so many with a colour (U2, U3).

    All cards of the colour and all locomotives can be laid or paid, so what is left does not
    depend on how many of each were laid.
    """
    n = s.hand[seat, LOCO] - length
    if color != LOCO:
        n += s.hand[seat, color]
    return max(n, 0)


def payable_colors(spec, s, seat, lane):
    """The colours with which a hand can pay a lane, as bits; bit 8: with locomotives only."""
    k = class_of(spec, lane)
    locos = s.hand[seat, LOCO] + 0
    length = spec.class_length[k] + 0
    found = 0
    alone = 0
    if locos >= length:
        found = 1 << LOCO
        alone = 1
    for c in range(COLORS):
        if spec.class_color[k] == c or spec.class_color[k] == LOCO:
            held = s.hand[seat, c] + 0
            if payments(held, 0, locos, length, spec.class_locos[k] + 0) > alone:
                found |= 1 << c
    return found


def tunnel_colors(spec, s, seat):
    """The colours with which a seat can try a tunnel now, as bits."""
    found = 0
    for lane in range(LANES):
        if lane_among(spec.lanes[0], spec.lanes[1], spec.lanes[2], lane):
            if spec.lane_tunnel[lane] == 1 and why_lane(spec, s, seat, lane) == 0:
                found |= payable_colors(spec, s, seat, lane)
    return found
