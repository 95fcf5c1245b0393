"""What a seat does not see: which cards may be in the deck or in other hands.

Only what the seat may see is asked, so a state made from its view gives the same numbers. A seat of
-1 is a spectator.
"""

from macaz.kernel.layout import DEAL_TUNNEL, LOCO, TUNNEL


def laid_cards(spec, s, c):
    """The cards of a colour that lie before a tunnel which is being decided about (U1)."""
    if s.phase != TUNNEL and s.phase != DEAL_TUNNEL:
        return 0
    if c == LOCO:
        return s.paid_locos + 0
    if c == s.paid_color:
        return spec.lane_length[s.lane] - s.paid_locos
    return 0


def hidden_cards(spec, s, seat, c):
    """The cards of a colour that may be in the deck or unseen in another hand."""
    n = spec.cards[c] - s.row[c] - s.discards[c] - s.revealed[c] - laid_cards(spec, s, c)
    for p in range(spec.seats):
        if p == seat:
            n -= s.hand[p, c]
        else:
            n -= s.seen[p, c]
    return n


def deck_most(spec, s, seat, c):
    """How many cards of a colour may be in the deck: hidden, and in its last shuffle."""
    return min(hidden_cards(spec, s, seat, c), s.pool[c] + 0)
