"""Lanes weighed against each other: what each brings, less the turns and cards it takes."""

from macaz.bots.compiled.cards import gray_color, hand_total, own_cities, word_of
from macaz.bots.compiled.layout import CHOICES
from macaz.bots.compiled.numbers import power
from macaz.kernel.bits import lowest
from macaz.kernel.layout import CARDS, LOCO, WORD_BITS, WORDS
from macaz.kernel.paths import connect, root
from macaz.kernel.table import captures_alvin, open_lanes, route_scorers

MANY_CARDS = 30.0  # with so many in hand, a card is worth little
LAST_TURNS = 2.0  # with no more turns than these, cards and turns are worth nothing any more


def lane_points(spec, s, seat, lane):
    """The points that a claim would bring, less what it would give to others (C5, W4)."""
    a = spec.lane_a[lane] + 0
    b = spec.lane_b[lane] + 0
    points = spec.points[spec.lane_length[lane]] + 0.0
    one, other = route_scorers(spec, s, seat, a, b)
    mine = (one == seat) + (other == seat)
    others = (one >= 0 and one != seat) + (other >= 0 and other != seat)
    points *= mine - others
    if captures_alvin(s, seat, a, b):
        points += 2.0 * spec.alvin_points
    return points


def note_choice(m, lane, profit):
    """Remember a lane among those worth a thought, in place of the worst of them."""
    if m.choices < CHOICES:
        m.choice[m.choices] = lane
        m.profit[m.choices] = profit
        m.choices += 1
        return
    worst = 0
    for i in range(1, CHOICES):
        if m.profit[i] < m.profit[worst]:
            worst = i
    if profit > m.profit[worst]:
        m.choice[worst] = lane
        m.profit[worst] = profit


def tunnel_odds(spec, s, color, spare):
    """The chance that the extra cards of a tunnel can be paid with so many cards to spare (U2)."""
    match = s.pool[LOCO] + 0
    if color < LOCO:
        match += s.pool[color]
    cards = 0
    for c in range(CARDS):
        cards += s.pool[c]
    n = spec.tunnel_cards + 0
    if cards == 0 or spare >= n:
        return 1.0
    p = match / cards
    term = power(1.0 - p, n)
    odds = term
    for k in range(1, spare + 1):
        if p < 1.0:
            term *= (n - k + 1) * p / (k * (1.0 - p))
        odds += term
    return min(odds, 1.0)


def joins_parts(spec, s, w, seat, lane):
    """Whether a lane would join two parts of another seat's network: it needs it, perhaps."""
    for p in range(spec.seats):
        if p != seat:
            own = own_cities(spec, s, p)
            a = spec.lane_a[lane] + 0
            b = spec.lane_b[lane] + 0
            if (own >> a) & (own >> b) & 1 == 1:
                connect(spec, s, w, p)
                if root(w, a) != root(w, b):
                    return True
    return False


def weigh(spec, g, y, s, seat, m, w, turns):
    """The best lane that can be paid now, or -1; notes how much each colour is wanted.

    Only with a profit of `y.least` or more, all things considered, is a lane worth claiming.
    """
    o0, o1, o2 = open_lanes(spec, s, seat)
    rate = y.rate + 0.0
    card = y.card * max(0.2, 1.0 - hand_total(s, seat) / MANY_CARDS)
    loco = y.loco + 0.0
    if turns <= LAST_TURNS:
        rate = 0.0
        card = 0.0
        loco = 0.0
    own = own_cities(spec, s, seat)
    near = 0
    for p in range(spec.seats):
        if p != seat:
            near |= own_cities(spec, s, p)
    gray = gray_color(s, seat, m)
    locos = s.hand[seat, LOCO] + 0
    for c in range(CARDS):
        m.want[c] = 0.0
    m.choices = 0
    best = -1
    best_profit = y.least + 0.0
    for k in range(spec.first_class[CARDS]):
        length = spec.class_length[k] + 0
        if length > s.trains[seat]:
            continue
        color = spec.class_color[k] + 0
        if color == LOCO:
            color = gray
        symbols = spec.class_locos[k] + 0
        held = s.hand[seat, color] + 0
        missing = max(0, length - held - locos, symbols - locos)
        time = 1.0 + y.draw * missing
        if missing > 0 and time > turns:
            continue
        wild = max(symbols, length - held)
        price = rate * time + card * (length - missing) + loco * min(locos, wild)
        for v in range(WORDS):
            word = word_of(o0, o1, o2, v)
            rest = word & spec.class_mask[k, v]
            while rest != 0:
                bit = lowest(rest)
                rest &= rest - 1
                lane = v * WORD_BITS + bit
                profit = lane_points(spec, s, seat, lane) - price
                ends = (1 << spec.lane_a[lane]) | (1 << spec.lane_b[lane])
                if (m.plan[v] >> bit) & 1 == 1:
                    profit += m.worth * length
                    if near & ends != 0:
                        profit += y.contest
                if own & ends != 0:
                    profit += y.network
                if spec.lane_tunnel[lane] == 1 and missing == 0:
                    odds = tunnel_odds(spec, s, color, held + locos - length)
                    profit = odds * (profit + rate) - rate - card
                if y.block > 0.0 and missing == 0 and joins_parts(spec, s, w, seat, lane):
                    profit += y.block
                if missing == 0:
                    note_choice(m, lane, profit)
                    if profit > best_profit:
                        best_profit = profit
                        best = lane
                elif profit + rate * time > 0.0:
                    wish = (profit + rate * time) / (missing + 1.0)
                    if symbols > locos:
                        m.want[LOCO] = max(m.want[LOCO], wish)
                    m.want[color] = max(m.want[color], wish)
    return best
