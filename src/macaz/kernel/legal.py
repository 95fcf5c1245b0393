"""What may be decided now.

Lanes of one colour, length and number of locomotive symbols form a class: what can be paid is
found once for a class, and how many of its lanes are open is a count of bits. A claim's number
is its class's base + payment * lanes in the class + rank of the lane, so actions come out in
ascending order and the n-th legal one is found without listing the others.
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
    RETURN,
    SECOND,
    START,
    TUNNEL,
    TURN,
    WORD_BITS,
    WORDS,
)
from macaz.kernel.pay import (
    claims_payments,
    nth_pay,
    nth_payment,
    payable,
    payable_pay,
    payments,
    pays_count,
    spread,
)
from macaz.kernel.table import (
    free_cities,
    marks_used,
    offer_size,
    open_lanes,
    own_marks,
    route_ends,
)

COUNT = -1  # legal_scan: how many
FILL = -2  # legal_scan: list them all


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


def claims_count(spec, s, seat, o0, o1, o2, counts):
    """How many claims there are; `counts` gets the number for each class that can be paid."""
    locos = s.hand[seat, LOCO] + 0
    sums = spread(spec, s, seat)
    total = 0
    for c in range(CARDS):
        reach = claims_reach(s, seat, c)
        held = -1
        if c < COLORS:
            held = s.hand[seat, c] + 0
        for k in range(spec.first_class[c], spec.first_class[c + 1]):
            if spec.class_length[k] > reach:
                break  # classes of a colour are in order of length
            n = open_in_class(spec, k, o0, o1, o2)
            if n > 0:
                n *= payments(held, sums, locos, spec.class_length[k] + 0, spec.class_locos[k] + 0)
            counts[k] = n
            total += n
    return total


def claims_nth(spec, s, seat, want, o0, o1, o2, counts):
    """The n-th claim, by the counts of `claims_count`; -1 if there are not so many."""
    for c in range(CARDS):
        reach = claims_reach(s, seat, c)
        for k in range(spec.first_class[c], spec.first_class[c + 1]):
            if spec.class_length[k] > reach:
                break
            if want < counts[k]:
                lanes = open_in_class(spec, k, o0, o1, o2)
                way = nth_payment(spec, s, seat, k, want // lanes)
                rank = nth_lane_rank(spec, k, o0, o1, o2, want % lanes)
                return spec.base[A_CLAIM] + spec.class_base[k] + way * spec.class_size[k] + rank
            want -= counts[k]
    return -1


def claims_fill(spec, s, seat, o0, o1, o2, out, n):
    """List the claims after the n actions already there; returns how many there are then."""
    for k in range(spec.first_class[CARDS]):
        if spec.class_length[k] > s.trains[seat]:
            continue
        for i in range(claims_payments(spec, s, seat, k)):
            action = (
                spec.base[A_CLAIM]
                + spec.class_base[k]
                + nth_payment(spec, s, seat, k, i) * spec.class_size[k]
            )
            for w in range(WORDS):
                word = o0
                if w == 1:
                    word = o1
                elif w == 2:
                    word = o2
                rest = spec.class_mask[k, w]
                while rest != 0:
                    if (word >> lowest(rest)) & 1 == 1:
                        out[n] = action
                        n += 1
                    rest &= rest - 1
                    action += 1
    return n


def builds_scan(spec, s, seat, cities, cost, base, want, out, n):
    """The part of a scan that places something on one of these cities; n actions came before.

    Returns the action wanted, if it is here, as -1 - action: counts are never negative.
    """
    ways = pays_count(spec, s, seat, cost)
    builds = ways * popcount(cities)
    if want >= n and want < n + builds:
        for _ in range((want - n) // ways):
            cities &= cities - 1
        return -1 - (base + lowest(cities) * PAYS + nth_pay(s, seat, cost, (want - n) % ways))
    if want == FILL:
        at = n
        while cities != 0:
            for i in range(ways):
                out[at] = base + lowest(cities) * PAYS + nth_pay(s, seat, cost, i)
                at += 1
            cities &= cities - 1
    return n + builds


def turn_scan(spec, s, seat, want, out):
    """`legal_scan` of the phases TURN and SECOND (T1, T2, D1, D3, D8, K1, G1, C3)."""
    n = 0
    for c in range(CARDS):
        if s.row[c] > 0 and (c != LOCO or s.phase == TURN):
            if want == n:
                return spec.base[A_TAKE] + c
            if want == FILL:
                out[n] = spec.base[A_TAKE] + c
            n += 1
    if s.deck_size > 0:
        if want == n:
            return spec.base[A_BLIND] + 0
        if want == FILL:
            out[n] = spec.base[A_BLIND]
        n += 1
    if s.phase == SECOND:
        return n
    if s.stock > 0:
        if want == n:
            return spec.base[A_TICKETS] + 0
        if want == FILL:
            out[n] = spec.base[A_TICKETS]
        n += 1
    if spec.stations > 0:
        cost = marks_used(s, seat) + 1
        if cost <= spec.stations:
            free = free_cities(spec, s)
            n = builds_scan(spec, s, seat, free, cost, spec.base[A_STATION], want, out, n)
            if n < 0:
                return -1 - n
    o0, o1, o2 = open_lanes(spec, s, seat)
    if want >= n:
        claim = claims_nth(spec, s, seat, want - n, o0, o1, o2, out)
        if claim < 0:
            return spec.base[A_PASS] + 0  # T2: there was nothing to count
        return claim
    if want == FILL:
        n = claims_fill(spec, s, seat, o0, o1, o2, out, n)
        if n == 0:
            out[0] = spec.base[A_PASS]
    else:
        n += claims_count(spec, s, seat, o0, o1, o2, out)
    return max(n, 1)


def mark_scan(spec, s, seat, want, out):
    """`legal_scan` of the phase MARK: nothing, or a marker on a free end of the route (W3)."""
    if want == 0:
        return spec.base[A_SKIP] + 0
    if want == FILL:
        out[0] = spec.base[A_SKIP]
    ends = route_ends(spec, s) & free_cities(spec, s)
    cost = spec.marker_cards + 0
    n = builds_scan(spec, s, seat, ends, cost, spec.base[A_MARK], want, out, 1)
    if n < 0:
        return -1 - n
    return n


def cities_scan(cities, base, want, out):
    """A scan whose actions are cities, given as bits."""
    n = popcount(cities)
    if want == FILL:
        for i in range(n):
            out[i] = base + lowest(cities)
            cities &= cities - 1
    if want < 0:
        return n
    for _ in range(want):
        cities &= cities - 1
    return base + lowest(cities)


def subsets_scan(size, least, base, want, out):
    """A scan whose actions are subsets of so many things, with at least so many members."""
    n = 0
    for mask in range(1 << size):
        if popcount(mask) >= least:
            if want == n:
                return base + mask
            if want == FILL:
                out[n] = base + mask
            n += 1
    return n


def tunnel_payable(s, seat, locos):
    """Whether the extra cards of a tunnel can be paid with so many locomotives (U2, U3)."""
    if locos > s.extra or (s.paid_color == LOCO and locos < s.extra):
        return False
    return payable(s, seat, s.paid_color, s.extra - locos, locos)


def tunnel_scan(spec, s, seat, want, out):
    """`legal_scan` of the phase TUNNEL: a way to pay, or to decline, which is always last (U4)."""
    n = 0
    for locos in range(spec.tunnel_cards + 1):
        if tunnel_payable(s, seat, locos):
            if want == n:
                return spec.base[A_PAY] + locos
            if want == FILL:
                out[n] = spec.base[A_PAY] + locos
            n += 1
    if want == FILL:
        out[n] = spec.base[A_DECLINE]
    if want >= 0:
        return spec.base[A_DECLINE] + 0
    return n + 1


def keep_least(spec, s, seat):
    """How many of the drawn tickets must be kept (K1)."""
    return min(spec.draw_keep + 0, offer_size(spec, s, seat))


def legal_scan(spec, s, seat, want, out):
    """The legal actions of a seat, in ascending order.

    want = COUNT: how many; FILL: written to `out`, and how many; n >= 0: the n-th itself, where
    `out` is as a COUNT of the same state left it.
    """
    if s.phase <= LAST_CHANCE or s.phase == OVER:
        return 0
    if s.phase == CHOOSE:
        if (s.choosing >> seat) & 1 == 0:
            return 0
        base = spec.base[A_CHOOSE] + (seat << spec.setup_deal)
        return subsets_scan(spec.setup_deal + 0, spec.setup_keep + 0, base, want, out)
    if seat != s.turn:
        return 0
    if s.phase == TURN or s.phase == SECOND:
        return turn_scan(spec, s, seat, want, out)
    if s.phase == KEEP:
        size = offer_size(spec, s, seat)
        return subsets_scan(size, keep_least(spec, s, seat), spec.base[A_KEEP] + 0, want, out)
    if s.phase == TUNNEL:
        return tunnel_scan(spec, s, seat, want, out)
    if s.phase == MARK:
        return mark_scan(spec, s, seat, want, out)
    if s.phase == START:
        return cities_scan(free_cities(spec, s), spec.base[A_START] + 0, want, out)
    if s.phase == ALVIN:
        return cities_scan(own_marks(s, seat), spec.base[A_ALVIN] + 0, want, out)
    # RETURN: the tickets still to go back, by number as if they were cities
    back = (1 << offer_size(spec, s, seat)) - 1
    return cities_scan(back, spec.base[A_RETURN] + 0, want, out)


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


def turn_legal(spec, s, seat, kind, i, out):
    """`is_legal` of the phases TURN and SECOND; i is the action's number within its kind."""
    if kind == A_TAKE:
        return s.row[i] > 0 and (i != LOCO or s.phase == TURN)
    if kind == A_BLIND:
        return s.deck_size > 0
    if s.phase == SECOND:
        return False
    if kind == A_TICKETS:
        return s.stock > 0
    if kind == A_STATION:
        cost = marks_used(s, seat) + 1
        return (
            cost <= spec.stations
            and (free_cities(spec, s) >> (i // PAYS)) & 1 == 1
            and payable_pay(s, seat, cost, i % PAYS)
        )
    if kind == A_CLAIM:
        lane = spec.claim_lane[i]
        o0, o1, o2 = open_lanes(spec, s, seat)
        word = o0
        if lane >= 2 * WORD_BITS:
            word = o2
        elif lane >= WORD_BITS:
            word = o1
        length = spec.lane_length[lane]
        locos = spec.claim_locos[i]
        return (
            (word >> (lane % WORD_BITS)) & 1 == 1
            and s.trains[seat] >= length
            and payable(s, seat, spec.claim_color[i], length - locos, locos)
        )
    if kind == A_PASS:
        # Passing is what remains: the only action, and no other.
        turn_scan(spec, s, seat, COUNT, out)
        return turn_scan(spec, s, seat, 0, out) == spec.base[A_PASS]
    return False


def is_legal(spec, s, a, out):
    """Whether this action may be taken now; `out` is working memory."""
    kind = kind_of(spec, a)
    if kind < 0:
        return False
    i = a - spec.base[kind]
    seat = seat_of(spec, s, a)
    if s.phase == TURN or s.phase == SECOND:
        return turn_legal(spec, s, seat, kind, i, out)
    if s.phase == CHOOSE:
        if kind != A_CHOOSE or (s.choosing >> seat) & 1 == 0:
            return False
        return popcount(i & ((1 << spec.setup_deal) - 1)) >= spec.setup_keep
    if s.phase == KEEP:
        if kind != A_KEEP or i >> offer_size(spec, s, seat) != 0:
            return False
        return popcount(i) >= keep_least(spec, s, seat)
    if s.phase == RETURN:
        return kind == A_RETURN and i < offer_size(spec, s, seat)
    if s.phase == TUNNEL:
        return kind == A_DECLINE or (kind == A_PAY and tunnel_payable(s, seat, i))
    if s.phase == START:
        return kind == A_START and (free_cities(spec, s) >> i) & 1 == 1
    if s.phase == MARK:
        if kind == A_SKIP:
            return True
        ends = route_ends(spec, s) & free_cities(spec, s)
        cost = spec.marker_cards + 0
        return (
            kind == A_MARK
            and (ends >> (i // PAYS)) & 1 == 1
            and payable_pay(s, seat, cost, i % PAYS)
        )
    return s.phase == ALVIN and kind == A_ALVIN and (own_marks(s, seat) >> i) & 1 == 1
