"""What a finished game brought a seat."""

from math import sqrt

MARGIN_SCALE = 40.0  # points of margin that are worth much


def win_share(spec, tally, seat):
    """A seat's share of the win: 1 alone, a half with another, 0 of a lost game."""
    winners = 0
    for p in range(spec.seats):
        winners += (tally.winners >> p) & 1
    return ((tally.winners >> seat) & 1) / max(winners, 1)


def margin_over(spec, tally, seat):
    """The points by which a seat is ahead of the best of the others."""
    best = -1000
    for p in range(spec.seats):
        if p != seat:
            best = max(best, tally.total[p] + 0)
    return tally.total[seat] - best


def bent(margin, scale):
    """A margin between -1 and 1: the larger it is, the less each point of it counts."""
    m = margin / scale
    return m / sqrt(1.0 + m * m)


def ending_worth(seats, share, margin):
    """What an ending is worth, about -1 to 1: half the share of the win, half the margin."""
    return (share - 1.0 / seats) + 0.5 * bent(margin, MARGIN_SCALE)
