"""What lies on the table: who is to decide, where stations and markers stand, what is open."""

from macaz.kernel.bits import lowest
from macaz.kernel.layout import (
    CARDS,
    CHOOSE,
    DEAL_ROW,
    DEAL_TUNNEL,
    LAST_CHANCE,
    LOCO,
    MARK,
    MARKS,
    OFFERED,
    OVER,
    TUNNEL,
    TURN,
    WORD_BITS,
    WORDS,
)


def actor(spec, s):
    """The seat to decide: -1 for chance, -2 when the game is over.

    While setup tickets are chosen several seats may; this names the next of them clockwise.
    """
    if s.phase <= LAST_CHANCE:
        return -1
    if s.phase == OVER:
        return -2
    if s.phase == CHOOSE:
        seat = s.first + 0
        while (s.choosing >> seat) & 1 == 0:
            seat = (seat + 1) % spec.seats
        return seat
    return s.turn + 0


def offer_size(spec, s, seat):
    """How many tickets lie before a seat."""
    n = 0
    for t in range(spec.tickets):
        if s.ticket[t] == OFFERED + seat:
            n += 1
    return n


def marks_used(s, seat):
    """How many stations or markers a seat has on the board."""
    n = 0
    while n < MARKS and s.marks[seat, n] >= 0:
        n += 1
    return n


def controller(spec, s, city):
    """The seat whose station or marker stands in a city, or -1."""
    for p in range(spec.seats):
        for i in range(MARKS):
            if s.marks[p, i] == city:
                return p
    return -1


def owners_score(spec):
    """Whether a route always scores for its owner (C5), not for those who control its ends (W4)."""
    return spec.controllers == 0


def route_scorers(spec, s, seat, a, b):
    """The two seats that score a route which a seat claims, each once; -1: none (C5, W4, W5)."""
    if not owners_score(spec):
        at_a = controller(spec, s, a)
        at_b = controller(spec, s, b)
        if at_a >= 0 or at_b >= 0:
            return at_a, at_b
    return seat, -1


def captures_alvin(s, seat, a, b):
    """Whether a seat captures Alvin by a route between two cities (A2, A3)."""
    return s.alvin_city >= 0 and (s.alvin_city == a or s.alvin_city == b) and s.alvin_holder != seat


def may_take(s, c):
    """Whether a face-up card may be taken: a locomotive only as the first card (D1, D3)."""
    return s.row[c] > 0 and (c != LOCO or s.phase == TURN)


def may_draw_blind(s):
    """Whether a card may be drawn from the deck (D1)."""
    return s.deck_size > 0


def may_draw_tickets(s):
    """Whether there are tickets to draw (K1)."""
    return s.stock > 0


def keep_of_setup(spec):
    """How many of the tickets of the setup must be kept (S4)."""
    return spec.setup_keep + 0


def keep_of_drawn(spec, size):
    """How many of so many drawn tickets must be kept (K1)."""
    return min(spec.draw_keep + 0, size)


def keep_least(spec, s, seat):
    """How many of the tickets before a seat must be kept (S4, K1)."""
    if s.phase == CHOOSE:
        return keep_of_setup(spec)
    return keep_of_drawn(spec, offer_size(spec, s, seat))


def few_trains(spec, s, seat):
    """Whether a turn that a seat ends so begins the last round (E1)."""
    return s.trains[seat] <= spec.last_trains


def many_locos(spec, s):
    """Whether the face-up cards have too many locomotives (D7)."""
    return s.row[LOCO] >= spec.row_locos


def no_second_card(s):
    """Whether there is no card that may be taken as the second one (D8)."""
    return s.deck_size == 0 and s.row_size == s.row[LOCO]


def counts_as(c, color):
    """Whether a revealed card counts for a colour that was laid; locomotives always do (U2, U3)."""
    return c == color or c == LOCO


def extra_cost(s):
    """The extra cards that a tunnel costs after all cards are revealed (U2, U3)."""
    n = 0
    for c in range(CARDS):
        if counts_as(c, s.paid_color):
            n += s.revealed[c]
    return n


def trains_suffice(s, seat, length):
    """Whether a seat has the trains for a route of this length (C3)."""
    return s.trains[seat] >= length


def station_cost(s, seat):
    """The cards that the next station of a seat costs (G2)."""
    return marks_used(s, seat) + 1


def build_cost(spec, s, seat):
    """The cards that a station costs a seat now or, while a marker may be placed, that (G2, W3)."""
    if s.phase == MARK:
        return spec.marker_cards + 0
    return station_cost(s, seat)


def station_left(spec, s, seat):
    """Whether a seat has a station to build (G1)."""
    return spec.stations > 0 and station_cost(s, seat) <= spec.stations


def marker_left(spec, s, seat):
    """Whether a seat has a marker to place (W1)."""
    return marks_used(s, seat) < spec.markers


def marker_sites(spec, s):
    """Where a marker may be placed: the free ends of the route just claimed, as bits (W3)."""
    return route_ends(spec, s) & free_cities(spec, s)


def marked_cities(spec, s):
    """Cities with a station or marker, and Alvin's home, as bits."""
    found = 0
    if spec.alvin_home >= 0:
        found = 1 << spec.alvin_home
    for p in range(spec.seats):
        for i in range(MARKS):
            if s.marks[p, i] >= 0:
                found |= 1 << s.marks[p, i]
    return found


def free_cities(spec, s):
    """Cities where a station, marker or starting city may still be placed, as bits (G1, W1, A1)."""
    return ((1 << spec.cities) - 1) & ~marked_cities(spec, s)


def route_ends(spec, s):
    """The ends of the route just claimed, as bits."""
    return (1 << spec.lane_a[s.lane]) | (1 << spec.lane_b[s.lane])


def own_marks(s, seat):
    """The cities with a seat's own markers, as bits."""
    found = 0
    for i in range(MARKS):
        if s.marks[seat, i] >= 0:
            found |= 1 << s.marks[seat, i]
    return found


def free_lanes(spec, s, seat):
    """Lanes that are not closed to a seat, as three words of bits (C4, C7)."""
    t0 = t1 = t2 = 0
    for p in range(spec.seats):
        t0 |= s.claimed[p, 0]
        t1 |= s.claimed[p, 1]
        t2 |= s.claimed[p, 2]
    m0 = spec.multi[0]
    m1 = spec.multi[1]
    m2 = spec.multi[2]
    # Lanes of one pair share a bit number, so a claimed one closes that bit in every word:
    # to all seats at small tables, to its owner at large ones.
    if spec.parallel == 1:
        shut = (s.claimed[seat, 0] & m0) | (s.claimed[seat, 1] & m1) | (s.claimed[seat, 2] & m2)
    else:
        shut = (t0 & m0) | (t1 & m1) | (t2 & m2)
    o0 = spec.lanes[0] & ~(t0 | (shut & m0))
    o1 = spec.lanes[1] & ~(t1 | (shut & m1))
    o2 = spec.lanes[2] & ~(t2 | (shut & m2))
    return o0, o1, o2


def lanes_beside(spec, lane):
    """The other lanes between the cities of a lane, as three words."""
    bit = 1 << (lane % WORD_BITS)
    own = lane // WORD_BITS
    if spec.multi[own] & bit == 0:
        return 0, 0, 0
    b0 = spec.multi[0] & bit * (own != 0)
    b1 = spec.multi[1] & bit * (own != 1)
    b2 = spec.multi[2] & bit * (own != 2)
    return b0, b1, b2


def lanes_closing(spec, lane):
    """Of these, the lanes that close to all seats when one seat claims the lane (C7)."""
    if spec.parallel == 1:
        return 0, 0, 0
    return lanes_beside(spec, lane)


def open_lanes(spec, s, seat):
    """Lanes a seat may claim if it can pay, as three words of bits (C4, C7, W2)."""
    o0, o1, o2 = free_lanes(spec, s, seat)
    if spec.start_city == 1:
        # The network: what touches the starting city, or a route of one's own (W2).
        start = s.marks[seat, 0]
        r0 = spec.touch[start, 0]
        r1 = spec.touch[start, 1]
        r2 = spec.touch[start, 2]
        for w in range(WORDS):
            rest = s.claimed[seat, w]
            while rest != 0:
                lane = w * WORD_BITS + lowest(rest)
                rest &= rest - 1
                r0 |= spec.near[lane, 0]
                r1 |= spec.near[lane, 1]
                r2 |= spec.near[lane, 2]
        o0 &= r0
        o1 &= r1
        o2 &= r2
    return o0, o1, o2


def claimable(spec, s, seat):
    """Lanes a seat may claim if it can pay, as three words of bits; also before it has a start."""
    if spec.start_city == 1 and s.marks[seat, 0] < 0:
        return 0, 0, 0
    return open_lanes(spec, s, seat)


def usable_lanes(spec, s, seat):
    """Lanes that a seat could still claim, its network and cards aside, as bits (C3, C4, C7)."""
    o0, o1, o2 = free_lanes(spec, s, seat)
    for k in range(spec.first_class[CARDS]):
        if not trains_suffice(s, seat, spec.class_length[k]):
            o0 &= ~spec.class_mask[k, 0]
            o1 &= ~spec.class_mask[k, 1]
            o2 &= ~spec.class_mask[k, 2]
    return o0, o1, o2


def own_network(spec, s, seat):
    """The cities on a seat's routes, and its starting city where it has one, as bits (W2)."""
    found = 0
    if spec.start_city == 1 and s.marks[seat, 0] >= 0:
        found = 1 << s.marks[seat, 0]
    for v in range(WORDS):
        rest = s.claimed[seat, v]
        while rest != 0:
            lane = v * WORD_BITS + lowest(rest)
            rest &= rest - 1
            found |= (1 << spec.lane_a[lane]) | (1 << spec.lane_b[lane])
    return found


def settled_phase(s):
    """The phase once the row is filled."""
    if s.phase == DEAL_ROW:
        return s.after + 0
    return s.phase + 0


def in_tunnel(s, seat):
    """Whether a seat has yet to pay for a tunnel that it has tried (U1)."""
    return s.turn == seat and (s.phase == TUNNEL or s.phase == DEAL_TUNNEL)


def turn_used(s, seat):
    """Whether it is a seat's turn, and it has done with it what it could."""
    return s.turn == seat and settled_phase(s) != TURN and not in_tunnel(s, seat)


def acts_left(spec, s, seat):
    """How many routes or stations a seat can still take or build; -1: any number (E1)."""
    if s.last > 0:
        if (seat + spec.seats - s.turn) % spec.seats >= s.last or turn_used(s, seat):
            return 0
        return 1
    if few_trains(spec, s, s.turn + 0) and turn_used(s, s.turn + 0):
        return 1
    return -1


def lanes_left(spec, s, seat):
    """Lanes that a seat can claim in the turns left to it, network and cards aside (C3, C7, E1)."""
    acts = acts_left(spec, s, seat)
    if acts == 0:
        return 0, 0, 0
    o0, o1, o2 = usable_lanes(spec, s, seat)
    if acts > 0 and in_tunnel(s, seat):
        # Its last claim is the one under way.
        bit = 1 << (s.lane % WORD_BITS)
        word = s.lane // WORD_BITS
        o0 &= bit * (word == 0)
        o1 &= bit * (word == 1)
        o2 &= bit * (word == 2)
    return o0, o1, o2


def lane_among(o0, o1, o2, lane):
    """Whether a lane is one of three words of lanes."""
    word = o0
    if lane >= 2 * WORD_BITS:
        word = o2
    elif lane >= WORD_BITS:
        word = o1
    return (word >> (lane % WORD_BITS)) & 1 == 1
