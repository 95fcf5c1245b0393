"""What is legal, as a 1 for each action number."""

from macaz.kernel.bits import lowest
from macaz.kernel.layout import (
    A_BLIND,
    A_CLAIM,
    A_PASS,
    A_STATION,
    A_TAKE,
    A_TICKETS,
    CARDS,
    COLORS,
    LOCO,
    PAYS,
    SECOND,
    TURN,
    WORDS,
)
from macaz.kernel.legal import claims_reach, list_legal, open_in_class, rank_in_class
from macaz.kernel.pay import nth_pay, pays_count
from macaz.kernel.table import (
    free_cities,
    may_draw_blind,
    may_draw_tickets,
    may_take,
    station_cost,
    station_left,
)

HALF = 4  # colours whose ways to pay fit one word: up to nine a colour


def fill_mask(spec, s, w, seat, o0, o1, o2, mask):
    """Write a 1 for each legal action of a seat into a row of zeros."""
    if s.phase == TURN or s.phase == SECOND:
        if seat == s.turn:
            mask_turn(spec, s, seat, o0, o1, o2, mask)
    else:
        # Only a turn has more actions than there is room for in the counts.
        for i in range(list_legal(spec, s, seat, w, w.counts)):
            mask[w.counts[i]] = 1


def mask_turn(spec, s, seat, o0, o1, o2, mask):
    """`fill_mask` of the phases TURN and SECOND.

    It does without `legal.turn_count`: a mask needs no numbers, and counting made the environment
    of Old West a tenth slower on a GPU.
    """
    some = 0
    for c in range(CARDS):
        if may_take(s, c):
            mask[spec.base[A_TAKE] + c] = 1
            some = 1
    if may_draw_blind(s):
        mask[spec.base[A_BLIND]] = 1
        some = 1
    if s.phase == SECOND:
        return
    if may_draw_tickets(s):
        mask[spec.base[A_TICKETS]] = 1
        some = 1
    if station_left(spec, s, seat):
        some |= mask_stations(spec, s, seat, mask)
    for c in range(CARDS):
        reach = claims_reach(s, seat, c)
        for k in range(spec.first_class[c], spec.first_class[c + 1]):
            if spec.class_length[k] > reach:
                break  # classes of a colour are in order of length
            if open_in_class(spec, k, o0, o1, o2) > 0:
                some |= mask_class(spec, s, seat, k, o0, o1, o2, mask)
    if some == 0:
        mask[spec.base[A_PASS]] = 1


def mask_stations(spec, s, seat, mask):
    """A station on every site, in every way it can be paid; 1 if there is one (G1, G2)."""
    cost = station_cost(s, seat)
    ways = 0
    for i in range(pays_count(spec, s, seat, cost)):
        ways |= 1 << nth_pay(s, seat, cost, i)
    if ways == 0:
        return 0
    cities = free_cities(spec, s)
    while cities != 0:
        first = spec.base[A_STATION] + lowest(cities) * PAYS
        rest = ways
        while rest != 0:
            mask[first + lowest(rest)] = 1
            rest &= rest - 1
        cities &= cities - 1
    return 1


def class_ways(spec, s, seat, k, first, end):
    """The payments of class k, as bits, with the colours from `first` until `end` (C1, C2, F1).

    Of a class with a colour of its own there is only that one. Payments with locomotives only
    are not among them.
    """
    length = spec.class_length[k] + 0
    symbols = spec.class_locos[k] + 0
    most = min(length - 1, s.hand[seat, LOCO] + 0)
    if spec.class_color[k] < COLORS:
        first = spec.class_color[k] + 0
        end = first + 1
    ways = 0
    shift = 0
    for c in range(first, end):
        held = s.hand[seat, c] + 0
        least = max(symbols, length - held)
        if most >= least:
            ways |= ((1 << (most + 1 - least)) - 1) << (shift + least - symbols)
        shift += length - symbols
    return ways


def mask_class(spec, s, seat, k, o0, o1, o2, mask):
    """Every open lane of one class, in every way it can be paid; 1 if there is one."""
    size = spec.class_size[k] + 0
    top = spec.class_length[k] - spec.class_locos[k]  # ways to pay with a colour
    low = class_ways(spec, s, seat, k, 0, HALF)
    high = 0
    colors = 1
    if spec.class_color[k] == COLORS:
        high = class_ways(spec, s, seat, k, HALF, COLORS)
        colors = COLORS
    only = -1
    if s.hand[seat, LOCO] >= spec.class_length[k]:
        only = colors * top * size
    if low == 0 and high == 0 and only < 0:
        return 0
    base = spec.base[A_CLAIM] + spec.class_base[k]
    for v in range(WORDS):
        rest = o0
        if v == 1:
            rest = o1
        elif v == 2:
            rest = o2
        rest &= spec.class_mask[k, v]
        while rest != 0:
            at = base + rank_in_class(spec, k, v, lowest(rest))
            ways = low
            while ways != 0:
                mask[at + lowest(ways) * size] = 1
                ways &= ways - 1
            ways = high
            while ways != 0:
                mask[at + (HALF * top + lowest(ways)) * size] = 1
                ways &= ways - 1
            if only >= 0:
                mask[at + only] = 1
            rest &= rest - 1
    return 1
