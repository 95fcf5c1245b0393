"""What a network is told of a position: what the seat knows, and what follows from it."""

from macaz.bots.compiled.cards import own_cities, word_of
from macaz.bots.compiled.intents import color_of, intent_of
from macaz.bots.compiled.tempo import turns_left
from macaz.kernel.bits import lowest
from macaz.kernel.layout import (
    CARDS,
    CHOOSE,
    HELD,
    LOCO,
    MARKS,
    OFFERED,
    RETURN,
    TUNNEL,
    WORD_BITS,
    WORDS,
)
from macaz.kernel.paths import connect, root
from macaz.kernel.table import marks_used, open_lanes

FULL = 127  # the largest number of a row


def sense_cards(spec, s, seat, m, o):
    """Cards by colour, and what is going on."""
    o.phase[s.phase - CHOOSE] = 1
    o.last = s.last
    o.turns = int(min(2.0 * turns_left(spec, s, seat), 100.0))
    o.stock = s.stock
    o.deck = s.deck_size // 2
    o.plan_trains = min(m.trains + 0, FULL)
    o.plan_open = min(m.open + 0, FULL)
    for c in range(CARDS):
        o.hand[c] = s.hand[seat, c]
        o.row[c] = s.row[c]
        o.discards[c] = s.discards[c]
        o.pool[c] = s.pool[c]
        o.want[c] = int(max(0.0, min(m.want[c], 100.0)))
    if s.phase == TUNNEL:
        o.paid_color[s.paid_color] = 1
        o.paid_locos = s.paid_locos
        o.extra = s.extra


def sense_seats(spec, s, seat, o):
    """What there is of every seat, the own one first, the others clockwise."""
    marks = max(spec.stations + 0, spec.markers + 0)
    for i in range(spec.seats):
        p = (seat + i) % spec.seats
        o.playing[i] = 1
        o.trains[i] = s.trains[p]
        o.score[i] = max(-FULL, min(s.score[p] // 2, FULL))
        cards = 0
        for c in range(CARDS):
            cards += s.hand[p, c]
            o.seen[i, c] = s.seen[p, c]
        o.hand_size[i] = min(cards, FULL)
        o.marks_left[i] = max(0, marks - marks_used(s, p))
        if p == s.first:
            o.first[i] = 1
        if p == s.alvin_holder:
            o.alvin_holder[i] = 1
        for v in range(WORDS):
            rest = s.claimed[p, v]
            while rest != 0:
                o.claimed[i, v * WORD_BITS + lowest(rest)] = 1
                rest &= rest - 1
        for j in range(MARKS):
            if s.marks[p, j] >= 0:
                o.marks[i, s.marks[p, j]] = 1
    if s.alvin_city >= 0:
        o.alvin[s.alvin_city] = 1
    if s.lane >= 0:
        o.claiming[s.lane] = 1


def sense_tickets(spec, s, seat, m, w, o):
    """Own tickets, what each takes, and where others are known to be.

    While all choose, no seat sees how many another has kept.
    """
    connect(spec, s, w, seat)
    slot = 0
    for t in range(spec.tickets):
        place = s.ticket[t] + 0
        if place < OFFERED and (place == HELD + seat or s.phase != CHOOSE):
            o.tickets[(place - HELD - seat + spec.seats) % spec.seats] += 1
        mine = place == HELD + seat
        if place == OFFERED + seat:
            o.offered[slot, t] = 1
            slot += 1
            mine = True
        if not mine:
            o.away[t] = (s.known[t] >> seat) & 1
            continue
        if root(w, spec.ticket_a[t]) == root(w, spec.ticket_b[t]):
            o.done[t] = 1
            continue
        if place == HELD + seat:
            o.todo[t] = 1
        if place == HELD + seat or s.phase != RETURN:  # a plan knows no tickets that go back
            o.need[t] = m.need[t]


def sense_lanes(spec, s, seat, m, w, o):
    """What there is of the lanes that may be claimed."""
    o0 = o1 = o2 = 0
    if spec.start_city == 0 or s.marks[seat, 0] >= 0:
        o0, o1, o2 = open_lanes(spec, s, seat)
    own = own_cities(spec, s, seat)
    near = 0
    most = 0
    for c in range(LOCO):
        most = max(most, s.hand[seat, c] + 0)
    locos = s.hand[seat, LOCO] + 0
    for p in range(spec.seats):
        if p != seat:
            theirs = own_cities(spec, s, p)
            near |= theirs
            connect(spec, s, w, p)
            for v in range(WORDS):
                rest = word_of(o0, o1, o2, v)
                while rest != 0:
                    lane = v * WORD_BITS + lowest(rest)
                    rest &= rest - 1
                    a = spec.lane_a[lane] + 0
                    b = spec.lane_b[lane] + 0
                    if (theirs >> a) & (theirs >> b) & 1 == 1 and root(w, a) != root(w, b):
                        o.joins[lane] += 1
    for v in range(WORDS):
        rest = word_of(o0, o1, o2, v)
        while rest != 0:
            lane = v * WORD_BITS + lowest(rest)
            rest &= rest - 1
            a = spec.lane_a[lane] + 0
            b = spec.lane_b[lane] + 0
            o.open[lane] = 1
            o.own_ends[lane] = ((own >> a) & 1) + ((own >> b) & 1)
            o.their_ends[lane] = ((near >> a) & 1) + ((near >> b) & 1)
        rest = m.plan[v]
        while rest != 0:
            o.planned[v * WORD_BITS + lowest(rest)] = 1
            rest &= rest - 1
        rest = m.borrow[v]
        while rest != 0:
            o.borrowed[v * WORD_BITS + lowest(rest)] = 1
            rest &= rest - 1
    for k in range(spec.first_class[CARDS]):
        held = most
        if spec.class_color[k] < LOCO:
            held = s.hand[seat, spec.class_color[k]] + 0
        missing = max(0, spec.class_length[k] - held - locos, spec.class_locos[k] - locos)
        for v in range(WORDS):
            rest = word_of(o0, o1, o2, v) & spec.class_mask[k, v]
            while rest != 0:
                o.missing[v * WORD_BITS + lowest(rest)] = missing
                rest &= rest - 1


def sense(spec, s, seat, m, w, suggested, o):
    """Write what a seat knows into a row of zeros; the plan and `suggested` are `suggest`'s."""
    sense_cards(spec, s, seat, m, o)
    sense_seats(spec, s, seat, o)
    sense_lanes(spec, s, seat, m, w, o)
    sense_tickets(spec, s, seat, m, w, o)
    o.hint[intent_of(spec, suggested)] = 1
    color = color_of(spec, suggested)
    if color >= 0:
        o.hint_color[color] = 1
