"""What may be decided now.

Lanes of one colour, length and number of locomotive symbols form a class: what can be paid is
found once for a class, and how many of its lanes are open is a count of bits. A claim's number
is its class's base + payment * lanes in the class + rank of the lane, so actions come out in
ascending order and the n-th legal one is found without listing the others.

`legal_count` counts a seat's actions and keeps the parts of a turn in `w`; `legal_nth` and
`list_legal` read them there, as do the masks and the intents of the learners.
"""

from macaz.kernel.bits import lowest, popcount
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
    A_TAKE,
    A_TICKETS,
    ALVIN,
    CARDS,
    CHOOSE,
    COLORS,
    KEEP,
    LAST_CHANCE,
    LOCO,
    MARK,
    OVER,
    PAYS,
    SECOND,
    START,
    TUNNEL,
    TURN,
    WORDS,
)
from macaz.kernel.pay import (
    nth_pay,
    nth_payment,
    payable,
    payments,
    pays_count,
    spread,
)
from macaz.kernel.table import (
    build_cost,
    free_cities,
    keep_least,
    marker_sites,
    may_draw_blind,
    may_draw_tickets,
    may_take,
    offer_size,
    open_lanes,
    own_marks,
    station_left,
)


def rank_in_class(spec, k, w, bit):
    """The rank of a lane among the lanes of its class."""
    n = popcount(spec.class_mask[k, w] & ((1 << bit) - 1))
    for v in range(w):
        n += popcount(spec.class_mask[k, v])
    return n


def nth_lane_rank(spec, k, o0, o1, o2, n):
    """The rank in class k of the n-th open lane of it."""
    w = 0
    rest = o0 & spec.class_mask[k, 0]
    if popcount(rest) <= n:
        n -= popcount(rest)
        rest = o1 & spec.class_mask[k, 1]
        w = 1
        if popcount(rest) <= n:
            n -= popcount(rest)
            rest = o2 & spec.class_mask[k, 2]
            w = 2
    while n > 0:
        rest &= rest - 1
        n -= 1
    return rank_in_class(spec, k, w, lowest(rest))


def open_in_class(spec, k, o0, o1, o2):
    """How many lanes of class k are open."""
    return (
        popcount(o0 & spec.class_mask[k, 0])
        + popcount(o1 & spec.class_mask[k, 1])
        + popcount(o2 & spec.class_mask[k, 2])
    )


def claims_reach(s, seat, c):
    """The longest route payable in a colour or, c = 8, in gray (C3)."""
    held = s.hand[seat, 0] + 0
    if c < COLORS:
        held = s.hand[seat, c] + 0
    else:
        for other in range(1, COLORS):
            held = max(held, s.hand[seat, other] + 0)
    return min(s.trains[seat] + 0, held + s.hand[seat, LOCO])


def claims_count(spec, s, seat, o0, o1, o2, w):
    """How many claims there are (C1, C2, C3, F1).

    `w` gets the number for each class that can be paid, for each colour, and where the classes
    that can be paid end.
    """
    locos = s.hand[seat, LOCO] + 0
    sums = spread(spec, s, seat)
    total = 0
    for c in range(CARDS):
        reach = claims_reach(s, seat, c)
        held = -1
        if c < COLORS:
            held = s.hand[seat, c] + 0
        before = total
        end = spec.first_class[c + 1] + 0
        for k in range(spec.first_class[c], spec.first_class[c + 1]):
            if spec.class_length[k] > reach:
                end = k  # classes of a colour are in order of length
                break
            n = open_in_class(spec, k, o0, o1, o2)
            if n > 0:
                n *= payments(held, sums, locos, spec.class_length[k] + 0, spec.class_locos[k] + 0)
            w.counts[k] = n
            total += n
        w.class_end[c] = end
        w.claims[c] = total - before
    return total


def claims_nth(spec, s, seat, want, w):
    """The n-th claim, by what `claims_count` left; -1 if there are not so many."""
    c = 0
    while c < CARDS and want >= w.claims[c]:
        want -= w.claims[c]
        c += 1
    if c == CARDS:
        return -1
    k = spec.first_class[c] + 0
    while want >= w.counts[k]:
        want -= w.counts[k]
        k += 1
    o0 = w.lanes[0]
    o1 = w.lanes[1]
    o2 = w.lanes[2]
    lanes = open_in_class(spec, k, o0, o1, o2)
    way = nth_payment(spec, s, seat, k, want // lanes)
    rank = nth_lane_rank(spec, k, o0, o1, o2, want % lanes)
    return spec.base[A_CLAIM] + spec.class_base[k] + way * spec.class_size[k] + rank


def claims_fill(spec, s, seat, w, out, n):
    """List the claims after the n actions already there; returns how many there are then."""
    for c in range(CARDS):
        for k in range(spec.first_class[c], w.class_end[c]):
            if w.counts[k] == 0:
                continue
            lanes = open_in_class(spec, k, w.lanes[0], w.lanes[1], w.lanes[2])
            for i in range(w.counts[k] // lanes):
                action = (
                    spec.base[A_CLAIM]
                    + spec.class_base[k]
                    + nth_payment(spec, s, seat, k, i) * spec.class_size[k]
                )
                for v in range(WORDS):
                    rest = spec.class_mask[k, v]
                    while rest != 0:
                        if (w.lanes[v] >> lowest(rest)) & 1 == 1:
                            out[n] = action
                            n += 1
                        rest &= rest - 1
                        action += 1
    return n


def builds_nth(spec, s, seat, cost, base, want, w):
    """The n-th way to place something on one of the sites of `w`."""
    cities = w.sites + 0
    for _ in range(want // w.ways):
        cities &= cities - 1
    return base + lowest(cities) * PAYS + nth_pay(s, seat, cost, want % w.ways)


def builds_fill(s, seat, cost, base, w, out, n):
    """List every way to place something on the sites of `w`, after the n actions already there."""
    for way in range(w.ways):
        pay = nth_pay(s, seat, cost, way)
        at = n + way
        cities = w.sites + 0
        while cities != 0:
            out[at] = base + lowest(cities) * PAYS + pay
            at += w.ways
            cities &= cities - 1


def turn_count(spec, s, seat, o0, o1, o2, w):
    """`legal_count` of the phases TURN and SECOND, with the lanes that are open to the seat.

    `w` gets the parts (T1, T2, D1, D3, D8, K1, G1, C3). 0 means that the seat must pass.
    """
    takes = 0
    for c in range(CARDS):
        if may_take(s, c):
            takes |= 1 << c
    w.takes = takes
    n = popcount(takes)
    if may_draw_blind(s):
        n += 1
    if s.phase == SECOND:
        return n
    if may_draw_tickets(s):
        n += 1
    w.sites = 0
    w.ways = 0
    if station_left(spec, s, seat):
        w.ways = pays_count(spec, s, seat, build_cost(spec, s, seat))
        if w.ways > 0:
            w.sites = free_cities(spec, s)
            n += w.ways * popcount(w.sites)
    w.lanes[0] = o0
    w.lanes[1] = o1
    w.lanes[2] = o2
    return n + claims_count(spec, s, seat, o0, o1, o2, w)


def turn_nth(spec, s, seat, want, w):
    """`legal_nth` of the phases TURN and SECOND."""
    takes = w.takes + 0
    cards = popcount(takes)
    if want < cards:
        for _ in range(want):
            takes &= takes - 1
        return spec.base[A_TAKE] + lowest(takes)
    want -= cards
    if may_draw_blind(s):
        if want == 0:
            return spec.base[A_BLIND] + 0
        want -= 1
    if may_draw_tickets(s):
        if want == 0:
            return spec.base[A_TICKETS] + 0
        want -= 1
    builds = w.ways * popcount(w.sites)
    if want < builds:
        return builds_nth(spec, s, seat, build_cost(spec, s, seat), spec.base[A_STATION], want, w)
    action = claims_nth(spec, s, seat, want - builds, w)
    if action < 0:
        return spec.base[A_PASS] + 0  # T2: there was nothing to count
    return action


def subset_nth(least, want):
    """The n-th subset with at least so many members, as bits."""
    mask = 0
    while want > 0 or popcount(mask) < least:
        if popcount(mask) >= least:
            want -= 1
        mask += 1
    return mask


def subsets(size, least):
    """How many subsets of so many things have at least so many members."""
    n = 0
    for mask in range(1 << size):
        if popcount(mask) >= least:
            n += 1
    return n


def bit_nth(bits, want):
    """The number of the n-th bit that is set."""
    for _ in range(want):
        bits &= bits - 1
    return lowest(bits)


def tunnel_fits(s, locos):
    """Whether so many locomotives can be part of the extra cards of a tunnel (U2, U3)."""
    return not (locos > s.extra or (s.paid_color == LOCO and locos < s.extra))


def tunnel_payable(s, seat, locos):
    """Whether the extra cards of a tunnel can be paid with so many locomotives (U2, U3)."""
    return tunnel_fits(s, locos) and payable(s, seat, s.paid_color, s.extra - locos, locos)


def tunnel_ways(spec, s, seat):
    """The numbers of locomotives with which the extra cards can be paid, as bits."""
    found = 0
    for locos in range(spec.tunnel_cards + 1):
        if tunnel_payable(s, seat, locos):
            found |= 1 << locos
    return found


def legal_count(spec, s, seat, w):
    """How many legal actions a seat has; `w` gets what the functions below need."""
    if s.phase <= LAST_CHANCE or s.phase == OVER:
        return 0
    if s.phase == CHOOSE:
        if (s.choosing >> seat) & 1 == 0:
            return 0
        return subsets(spec.setup_deal + 0, keep_least(spec, s, seat))
    if seat != s.turn:
        return 0
    if s.phase == TURN or s.phase == SECOND:
        o0, o1, o2 = open_lanes(spec, s, seat)
        return max(turn_count(spec, s, seat, o0, o1, o2, w), 1)
    if s.phase == KEEP:
        return subsets(offer_size(spec, s, seat), keep_least(spec, s, seat))
    if s.phase == TUNNEL:
        return popcount(tunnel_ways(spec, s, seat)) + 1
    if s.phase == MARK:
        w.sites = marker_sites(spec, s)
        w.ways = pays_count(spec, s, seat, build_cost(spec, s, seat))
        return 1 + w.ways * popcount(w.sites)
    if s.phase == START:
        return popcount(free_cities(spec, s))
    if s.phase == ALVIN:
        return popcount(own_marks(s, seat))
    return offer_size(spec, s, seat)  # RETURN


def legal_nth(spec, s, seat, want, w):
    """The n-th legal action of a seat, in ascending order; `w` is as `legal_count` left it."""
    if s.phase == TURN or s.phase == SECOND:
        return turn_nth(spec, s, seat, want, w)
    if s.phase == CHOOSE:
        chosen = subset_nth(keep_least(spec, s, seat), want)
        return spec.base[A_CHOOSE] + (seat << spec.setup_deal) + chosen
    if s.phase == KEEP:
        return spec.base[A_KEEP] + subset_nth(keep_least(spec, s, seat), want)
    if s.phase == TUNNEL:
        ways = tunnel_ways(spec, s, seat)
        if want < popcount(ways):
            return spec.base[A_PAY] + bit_nth(ways, want)
        return spec.base[A_DECLINE] + 0
    if s.phase == MARK:
        if want == 0:
            return spec.base[A_SKIP] + 0
        cost = build_cost(spec, s, seat)
        return builds_nth(spec, s, seat, cost, spec.base[A_MARK], want - 1, w)
    if s.phase == START:
        return spec.base[A_START] + bit_nth(free_cities(spec, s), want)
    if s.phase == ALVIN:
        return spec.base[A_ALVIN] + bit_nth(own_marks(s, seat), want)
    return spec.base[A_RETURN] + want


def bits_fill(bits, base, out):
    """List an action for each bit that is set."""
    n = 0
    while bits != 0:
        out[n] = base + lowest(bits)
        n += 1
        bits &= bits - 1


def subsets_fill(size, least, base, out):
    """List an action for each subset of so many things with at least so many members."""
    n = 0
    for mask in range(1 << size):
        if popcount(mask) >= least:
            out[n] = base + mask
            n += 1


def list_legal(spec, s, seat, w, out):
    """List the legal actions of a seat in ascending order; returns how many there are.

    Where there may be many, they are listed together: one by one, `legal_nth` would begin again
    for each.
    """
    n = legal_count(spec, s, seat, w)
    others = n
    if s.phase == START:
        bits_fill(free_cities(spec, s), spec.base[A_START] + 0, out)
        others = 0
    elif s.phase == CHOOSE:
        base = spec.base[A_CHOOSE] + (seat << spec.setup_deal)
        subsets_fill(spec.setup_deal + 0, keep_least(spec, s, seat), base, out)
        others = 0
    elif s.phase == KEEP:
        least = keep_least(spec, s, seat)
        subsets_fill(offer_size(spec, s, seat), least, spec.base[A_KEEP] + 0, out)
        others = 0
    elif s.phase == MARK and seat == s.turn:
        builds_fill(s, seat, build_cost(spec, s, seat), spec.base[A_MARK] + 0, w, out, 1)
        others = 1
    elif s.phase == TURN and seat == s.turn:
        for c in range(CARDS):
            others -= w.claims[c]
        claims_fill(spec, s, seat, w, out, others)
        others -= w.ways * popcount(w.sites)
        builds_fill(s, seat, build_cost(spec, s, seat), spec.base[A_STATION] + 0, w, out, others)
    for i in range(others):
        out[i] = legal_nth(spec, s, seat, i, w)
    return n


def kind_of(spec, a):
    """The kind of an action number, or -1 if there is no such number."""
    if a >= spec.base[A_CLAIM]:
        if a < spec.base[A_CLAIM + 1]:
            return A_CLAIM
        return -1
    kind = -1
    while a >= spec.base[kind + 1]:
        kind += 1
    return kind


def seat_of(spec, s, a):
    """The seat whose action this is: only setup choices name theirs."""
    if kind_of(spec, a) == A_CHOOSE:
        return (a - spec.base[A_CHOOSE]) >> spec.setup_deal
    return s.turn + 0
