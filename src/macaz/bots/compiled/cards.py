"""Cards and claims: what is missing for a lane, how to pay for it, and the number of the claim."""

from macaz.kernel.bits import lowest
from macaz.kernel.layout import A_CLAIM, CARDS, COLORS, WORD_BITS, WORDS
from macaz.kernel.legal import rank_in_class

MUST_NOT = 1e4  # points against each locomotive that replaces a missing card


def word_of(o0, o1, o2, w):
    """One of three words of bits."""
    if w == 0:
        return o0
    if w == 1:
        return o1
    return o2


def hand_total(s, seat):
    """How many cards a seat holds, which is public."""
    n = 0
    for c in range(CARDS):
        n += s.hand[seat, c]
    return n


def gray_color(s, seat, m):
    """The colour of which a hand has most; of equals the one that is wanted least."""
    best = 0
    for c in range(1, COLORS):
        more = s.hand[seat, c] - s.hand[seat, best]
        if more > 0 or (more == 0 and m.want[c] < m.want[best]):
            best = c
    return best


def pay_color(spec, s, seat, k, m):
    """The colour to pay a lane of class k with: few locomotives, then what is wanted least."""
    if spec.class_color[k] < COLORS:
        return spec.class_color[k] + 0
    length = spec.class_length[k] - spec.class_locos[k]
    best = -1
    best_cost = 1e9
    for c in range(COLORS):
        if s.hand[seat, c] > 0:
            short = max(0, length - s.hand[seat, c])
            cost = MUST_NOT * short + m.want[c] - 0.1 * s.hand[seat, c]
            if cost < best_cost:
                best_cost = cost
                best = c
    return max(best, 0)


def claim_of(spec, s, seat, g, lane, m):
    """The number of the claim of a lane that can be paid, with as few locomotives as possible."""
    k = g.lane_class[lane] + 0
    length = spec.class_length[k] + 0
    symbols = spec.class_locos[k] + 0
    color = pay_color(spec, s, seat, k, m)
    locos = max(symbols, length - s.hand[seat, color])
    ways = length - symbols
    way = locos - symbols
    gray = spec.class_color[k] >= COLORS
    if gray:
        way += color * ways
    if locos >= length:
        way = ways
        if gray:
            way = COLORS * ways
    rank = rank_in_class(spec, k, lane // WORD_BITS, lane % WORD_BITS)
    return spec.base[A_CLAIM] + spec.class_base[k] + way * spec.class_size[k] + rank


def rooted(spec, s, seat):
    """Whether a seat's routes must grow from a starting city, and it has placed it."""
    return spec.start_city == 1 and s.marks[seat, 0] >= 0


def own_cities(spec, s, seat):
    """The cities that a seat's routes touch, and its starting city, as bits."""
    found = 0
    for w in range(WORDS):
        rest = s.claimed[seat, w]
        while rest != 0:
            lane = w * WORD_BITS + lowest(rest)
            rest &= rest - 1
            found |= (1 << spec.lane_a[lane]) | (1 << spec.lane_b[lane])
    if rooted(spec, s, seat):
        found |= 1 << s.marks[seat, 0]
    return found
