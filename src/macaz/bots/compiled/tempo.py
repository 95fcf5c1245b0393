"""How long the game still takes, as far as can be told."""

from macaz.bots.compiled.cards import hand_total

CLAIM_LENGTH = 3.6  # trains that a claim lays, on average
LAST_ROUND = 1.0
HAND_FITS = 0.6  # share of the cards in hand that a plan can use


def seat_turns(spec, s, seat):
    """The turns a seat needs to lay its trains, if it only draws and claims from now on."""
    trains = max(0, s.trains[seat] - spec.last_trains)
    short = max(0, trains - hand_total(s, seat))
    return short / 2.0 + trains / CLAIM_LENGTH


def turns_left(spec, s, seat):
    """The turns that a seat may still take, this one included."""
    if s.last > 0:
        return LAST_ROUND
    soonest = 1e9
    for p in range(spec.seats):
        soonest = min(soonest, seat_turns(spec, s, p))
    return soonest + LAST_ROUND


def plan_turns(s, seat, y, trains, claims):
    """The turns that so many trains in so many claims take, with the cards in hand."""
    return claims + y.draw * max(0.0, trains - HAND_FITS * hand_total(s, seat))
