"""Intents: what a network decides. An intent and a colour to pay with are one of the actions.

Of the ways to pay with a colour only the one with the fewest locomotives is meant: the others are
as good at best.
"""

from macaz.bots.compiled.layout import (
    I_BLIND,
    I_CITY,
    I_DECLINE,
    I_KEEP,
    I_LANE,
    I_PASS,
    I_PAY,
    I_RETURN,
    I_SKIP,
    I_TAKE,
    I_TICKETS,
    INTENT_WORDS,
    INTENTS,
    PAID_WITH,
)
from macaz.kernel.bits import lowest
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
    CARDS,
    CHOOSE,
    COLORS,
    LOCO,
    MARK,
    PAYS,
    SECOND,
    START,
    TURN,
    WORD_BITS,
    WORDS,
)
from macaz.kernel.legal import kind_of, list_legal, rank_in_class, turn_count
from macaz.kernel.pay import color_paid, pay_number, payable_pay
from macaz.kernel.table import build_cost, may_draw_blind, may_draw_tickets, open_lanes


def build_colors(s, seat, cost):
    """The colours that a station or a marker can be paid with, as bits."""
    found = 0
    locos = s.hand[seat, LOCO] + 0
    for c in range(COLORS):
        held = min(s.hand[seat, c] + 0, cost)
        if held > 0 and payable_pay(s, seat, cost, pay_number(c, cost - held)):
            found |= 1 << c
    if locos >= cost:
        found |= 1 << LOCO
    return found


def lane_colors(spec, s, seat, k):
    """The colours that a lane of class k can be paid with, as bits."""
    length = spec.class_length[k] + 0
    symbols = spec.class_locos[k] + 0
    locos = s.hand[seat, LOCO] + 0
    found = 0
    for c in range(COLORS):
        if spec.class_color[k] == LOCO or spec.class_color[k] == c:
            least = max(symbols, length - s.hand[seat, c])
            if least < length and least <= locos:
                found |= 1 << c
    if locos >= length:
        found |= 1 << LOCO
    return found


def intent_colors(spec, g, s, seat, intent):
    """The colours that an intent can be paid with, as bits; 0 where nothing is paid by colour."""
    if intent >= I_LANE:
        return lane_colors(spec, s, seat, g.lane_class[intent - I_LANE] + 0)
    if intent >= I_CITY and (s.phase == TURN or s.phase == MARK):
        return build_colors(s, seat, build_cost(spec, s, seat))
    return 0


def lane_action(spec, g, s, seat, lane, color):
    """The claim of a lane with a colour and as few locomotives as possible."""
    k = g.lane_class[lane] + 0
    length = spec.class_length[k] + 0
    symbols = spec.class_locos[k] + 0
    ways = length - symbols
    way = ways
    if spec.class_color[k] == LOCO:
        way = COLORS * ways
    if color < LOCO:
        way = max(symbols, length - s.hand[seat, color]) - symbols
        if spec.class_color[k] == LOCO:
            way += color * ways
    rank = rank_in_class(spec, k, lane // WORD_BITS, lane % WORD_BITS)
    return spec.base[A_CLAIM] + spec.class_base[k] + way * spec.class_size[k] + rank


def city_action(spec, s, seat, city, color):
    """What is done at a city in the present phase."""
    if s.phase == START:
        return spec.base[A_START] + city
    if s.phase != TURN and s.phase != MARK:
        return spec.base[A_ALVIN] + city
    cost = build_cost(spec, s, seat)
    locos = cost
    if color < LOCO:
        locos = max(0, cost - s.hand[seat, color])
    pay = pay_number(color, locos)
    if s.phase == MARK:
        return spec.base[A_MARK] + city * PAYS + pay
    return spec.base[A_STATION] + city * PAYS + pay


def action_of(spec, g, s, seat, intent, color):
    """The action that an intent and a colour are."""
    if intent >= I_LANE:
        return lane_action(spec, g, s, seat, intent - I_LANE, color)
    if intent >= I_CITY:
        return city_action(spec, s, seat, intent - I_CITY, color)
    if intent < I_BLIND:
        return spec.base[A_TAKE] + intent
    if intent == I_BLIND:
        return spec.base[A_BLIND] + 0
    if intent == I_TICKETS:
        return spec.base[A_TICKETS] + 0
    if intent == I_PASS:
        return spec.base[A_PASS] + 0
    if intent < I_RETURN:
        if s.phase == CHOOSE:
            return spec.base[A_CHOOSE] + (seat << spec.setup_deal) + intent - I_KEEP
        return spec.base[A_KEEP] + intent - I_KEEP
    if intent < I_PAY:
        return spec.base[A_RETURN] + intent - I_RETURN
    if intent < I_DECLINE:
        return spec.base[A_PAY] + intent - I_PAY
    if intent == I_DECLINE:
        return spec.base[A_DECLINE] + 0
    return spec.base[A_SKIP] + 0


def intent_of(spec, a):
    """The intent of an action."""
    kind = kind_of(spec, a)
    i = a - spec.base[kind]
    found = I_SKIP
    if kind == A_CLAIM:
        found = I_LANE + spec.claim_lane[i]
    elif kind == A_STATION or kind == A_MARK:
        found = I_CITY + i // PAYS
    elif kind == A_START or kind == A_ALVIN:
        found = I_CITY + i
    elif kind == A_TAKE:
        found = I_TAKE + i
    elif kind == A_BLIND:
        found = I_BLIND + i
    elif kind == A_TICKETS:
        found = I_TICKETS + i
    elif kind == A_PASS:
        found = I_PASS + i
    elif kind == A_KEEP:
        found = I_KEEP + i
    elif kind == A_CHOOSE:
        found = I_KEEP + (i & ((1 << spec.setup_deal) - 1))
    elif kind == A_RETURN:
        found = I_RETURN + i
    elif kind == A_PAY:
        found = I_PAY + i
    elif kind == A_DECLINE:
        found = I_DECLINE + i
    return found


def color_of(spec, a):
    """The colour that an action is paid with; -1 where nothing is paid by colour."""
    kind = kind_of(spec, a)
    i = a - spec.base[kind]
    if kind == A_CLAIM:
        return spec.claim_color[i] + 0
    if kind == A_STATION or kind == A_MARK:
        return color_paid(i % PAYS)
    return -1


def fill_intents(spec, s, seat, w, words):
    """Write the intents that are legal for a seat into words of bits."""
    for i in range(INTENT_WORDS):
        words[i] = 0
    if s.phase != TURN and s.phase != SECOND:
        # Only a turn has more actions than there is room for in the counts.
        for i in range(list_legal(spec, s, seat, w, w.counts)):
            intent = intent_of(spec, w.counts[i] + 0)
            words[intent // WORD_BITS] |= 1 << (intent % WORD_BITS)
        return
    o0, o1, o2 = open_lanes(spec, s, seat)
    if turn_count(spec, s, seat, o0, o1, o2, w) == 0:
        words[0] = 1 << I_PASS
        return
    words[0] = w.takes << I_TAKE
    if may_draw_blind(s):
        words[0] |= 1 << I_BLIND
    if s.phase == SECOND:
        return
    if may_draw_tickets(s):
        words[0] |= 1 << I_TICKETS
    words[1] = w.sites
    fill_lanes(spec, w, words)


def fill_lanes(spec, w, words):
    """The lanes that are open to a seat and that it can pay, as `turn_count` found them."""
    for c in range(CARDS):
        for k in range(spec.first_class[c], w.class_end[c]):
            if w.counts[k] > 0:
                for v in range(WORDS):
                    words[2 + v] |= w.lanes[v] & spec.class_mask[k, v]


def best_intent(words, wishes):
    """The legal intent that is wished for most."""
    best = -1
    most = -1e30
    for v in range(INTENT_WORDS):
        rest = words[v]
        while rest != 0:
            i = v * WORD_BITS + lowest(rest)
            rest &= rest - 1
            if wishes[i] > most:
                most = wishes[i] + 0.0
                best = i
    return best


def best_color(colors, wishes, start):
    """Of some colours, given as bits, the one that is wished for most; -1 of none."""
    best = -1
    most = -1e30
    for c in range(PAID_WITH):
        if (colors >> c) & 1 == 1 and wishes[start + c] > most:
            most = wishes[start + c] + 0.0
            best = c
    return best


def paid_as_wished(spec, g, s, seat, intent, wishes):
    """The action of an intent, with the colour that is wished for most."""
    color = best_color(intent_colors(spec, g, s, seat, intent), wishes, INTENTS)
    return action_of(spec, g, s, seat, intent, color)


def wished(spec, g, s, seat, legal, wishes):
    """The action that is wished for most, of what is legal."""
    return paid_as_wished(spec, g, s, seat, best_intent(legal, wishes), wishes)
