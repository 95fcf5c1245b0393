"""Reasons for a card: the routes that the tickets still lack, and what the hand lacks for them."""

from macaz.help.compiled.reason_codes import (
    CAN_PAY,
    CANNOT_PAY,
    CARD_USED,
    FEW_CARDS,
    NEEDED_CARD,
    NO_FACE_UP,
)
from macaz.help.compiled.study import (
    NOW,
    add_reason,
    free_of_all,
    has_built,
    is_enough,
    is_open,
    is_wanted,
)
from macaz.kernel.bits import lowest
from macaz.kernel.layout import CARDS, COLORS, LOCO, WORD_BITS, WORDS
from macaz.kernel.table import (
    free_lanes,
    lane_among,
    lanes_beside,
    may_take,
    open_lanes,
    trains_suffice,
)
from macaz.kernel.why import class_of

OFTEN = 0.5  # share of tries from which on it is told that a card was used
APART = 0.1  # and by which it must be more often than the other face-up colours


def cards_short(spec, s, seat, lane):
    """How many cards a hand lacks at least to pay a lane (C1, C2, F1)."""
    k = class_of(spec, lane)
    symbols = spec.class_locos[k] + 0
    color = spec.class_color[k] + 0
    held = 0
    if color < COLORS:
        held = s.hand[seat, color] + 0
    else:
        for c in range(COLORS):
            held = max(held, s.hand[seat, c] + 0)
    spare = s.hand[seat, LOCO] - symbols
    if spare >= 0:
        return max(0, spec.class_length[k] - symbols - held - spare)
    return max(0, spec.class_length[k] - symbols - held) - spare


def short_with(spec, s, seat, lane, c):
    """The same with one card more of a colour."""
    s.hand[seat, c] += 1
    short = cards_short(spec, s, seat, lane)
    s.hand[seat, c] -= 1
    return short


def lacks(spec, s, plan, t, v):
    """A word of the lanes on the way of a ticket that no seat has."""
    return plan.way[t, v] & free_of_all(spec, s, v)


def easiest_beside(spec, s, seat, lane):
    """Of a lane and the open ones beside it that are as long: the one with the fewest cards short.

    Of equals the lane itself.
    """
    best = lane
    least = cards_short(spec, s, seat, lane)
    b0, b1, b2 = lanes_beside(spec, lane)
    o0, o1, o2 = free_lanes(spec, s, seat)
    bit = lane % WORD_BITS
    for v in range(WORDS):
        twin = v * WORD_BITS + bit
        if lane_among(b0 & o0, b1 & o1, b2 & o2, twin):
            if spec.lane_length[twin] == spec.lane_length[lane]:
                short = cards_short(spec, s, seat, twin)
                if short < least:
                    least = short
                    best = twin
    return best


def needs_card(spec, s, seat, lane, c):
    """How many cards of a colour a lane takes, and how many of these a hand has."""
    k = class_of(spec, lane)
    if c == LOCO:
        return spec.class_locos[k] + 0, s.hand[seat, LOCO] + 0
    return spec.class_length[k] - spec.class_locos[k], s.hand[seat, c] + 0


def card_for_lane(spec, study, seat, t, lane, c):
    """A reason for a card by one lane on the way of a ticket."""
    s = study.states[NOW]
    short = cards_short(spec, s, seat, lane)
    if short_with(spec, s, seat, lane, c) >= short:
        return
    o0, o1, o2 = open_lanes(spec, s, seat)
    points = spec.ticket_points[t] + 0.0
    if (
        short == 1
        and lane_among(o0, o1, o2, lane)
        and trains_suffice(s, seat, spec.lane_length[lane])
    ):
        k = add_reason(study, CAN_PAY, 3.0 + 0.3 * points)
    else:
        takes, held = needs_card(spec, s, seat, lane, c)
        if takes <= held:
            return  # a locomotive in place of another card
        k = add_reason(study, NEEDED_CARD, 2.0 + 0.2 * points - 0.3 * short)
        study.reasons[k].amount = held
        study.reasons[k].of = takes
    study.reasons[k].color = c
    study.reasons[k].route = spec.lane_route[lane]
    study.reasons[k].ticket = t


def card_for_tickets(spec, study, seat, c):
    """Reasons for a card by all lanes that the ways of the open tickets lack."""
    s = study.states[NOW]
    now = study.plans[NOW]
    for t in range(spec.tickets):
        if is_open(spec, s, seat, now, t):
            for v in range(WORDS):
                rest = lacks(spec, s, now, t, v)
                while rest != 0:
                    lane = v * WORD_BITS + lowest(rest)
                    rest &= rest - 1
                    card_for_lane(spec, study, seat, t, easiest_beside(spec, s, seat, lane), c)


def fits_lane(spec, s, seat, lane):
    """Whether a card that may be taken from the row is of a colour that a lane takes."""
    color = spec.class_color[class_of(spec, lane)] + 0
    for c in range(CARDS):
        if may_take(s, c) and (c == LOCO or color == LOCO or c == color):
            return True
    return False


def lacking_lanes(spec, study, seat):
    """Whether cards are missing for a lane that the open tickets lack, and for all of them.

    The third says whether a face-up card fits one of these lanes.
    """
    s = study.states[NOW]
    now = study.plans[NOW]
    lacking = False
    every = True
    fits = False
    for t in range(spec.tickets):
        if is_wanted(s, seat, now, t) and not is_open(spec, s, seat, now, t):
            return False, False, True  # what it lacks depends on stations and on others
        if is_open(spec, s, seat, now, t):
            for v in range(WORDS):
                rest = lacks(spec, s, now, t, v)
                while rest != 0:
                    lane = v * WORD_BITS + lowest(rest)
                    rest &= rest - 1
                    if cards_short(spec, s, seat, easiest_beside(spec, s, seat, lane)) > 0:
                        lacking = True
                        if fits_lane(spec, s, seat, lane) or fits_beside(spec, s, seat, lane):
                            fits = True
                    else:
                        every = False
    return lacking, every, fits


def fits_beside(spec, s, seat, lane):
    """Whether a card that may be taken fits an open lane beside another."""
    b0, b1, b2 = lanes_beside(spec, lane)
    o0, o1, o2 = free_lanes(spec, s, seat)
    bit = lane % WORD_BITS
    for v in range(WORDS):
        twin = v * WORD_BITS + bit
        if lane_among(b0 & o0, b1 & o1, b2 & o2, twin) and fits_lane(spec, s, seat, twin):
            return True
    return False


def most_of_row(s, line, c):
    """The most tries that used more cards of another face-up colour than are in hand."""
    most = 0
    for other in range(COLORS):
        if other != c and may_take(s, other):
            most = max(most, line.needed[other] + 0)
    return most


def cards_needed(spec, study, seat):
    """Reasons for any card by what the hand cannot pay; whether no face-up card fits that."""
    s = study.states[NOW]
    now = study.plans[NOW]
    lacking, every, fits = lacking_lanes(spec, study, seat)
    if lacking and every:
        add_reason(study, CANNOT_PAY, 1.0)
    longest = -1
    for t in range(spec.tickets):
        if is_open(spec, s, seat, now, t):
            if longest < 0 or now.spaces[t] > now.spaces[longest]:
                longest = t
    held = 0
    for c in range(CARDS):
        held += s.hand[seat, c]
    if longest >= 0 and now.spaces[longest] > held and not has_built(spec, s, seat):
        k = add_reason(study, FEW_CARDS, 0.9)
        study.reasons[k].ticket = longest
        study.reasons[k].amount = now.spaces[longest]
        study.reasons[k].of = held
    return lacking and not fits


def reasons_of_card(spec, study, lines, seat, one, c):
    """Reasons for a face-up card."""
    card_for_tickets(spec, study, seat, c)
    line = lines[one]
    if is_enough(line):
        share = line.needed[c] / line.tries
        if share >= OFTEN and share - most_of_row(study.states[NOW], line, c) / line.tries >= APART:
            k = add_reason(study, CARD_USED, 1.5 * share)
            study.reasons[k].color = c
            study.reasons[k].share = share
    cards_needed(spec, study, seat)


def reasons_of_deck(spec, study, seat):
    """Reasons for a card from the deck."""
    if cards_needed(spec, study, seat):
        add_reason(study, NO_FACE_UP, 3.0)
