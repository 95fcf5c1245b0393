"""Worlds: what a seat cannot see is dealt at random, among the places where it may lie.

`make_world` draws a whole state that gives a view. `redeal_cards` and `redeal_tickets` deal the
hidden things of a state again. The unseen cards are spread uniformly: the deck is drawn first, from
the cards of its last shuffle that are still hidden, then the other hands beside what was seen
there. So are the unknown tickets, among the places where one of their kind, long or normal, can
lie.
"""

from macaz.kernel.dice import below, next_word
from macaz.kernel.hidden import deck_most, hidden_cards
from macaz.kernel.layout import (
    CARDS,
    CHOOSE,
    DEAL_FIRST,
    DEAL_HANDS,
    DEAL_ROW,
    DEAL_SETUP,
    HELD,
    IN_BOX,
    IN_BUNDLE,
    IN_DECK,
    IN_LONG_DECK,
    NO_TICKET,
    NO_WORLD_DECK,
    NO_WORLD_HANDS,
    NO_WORLD_LONG,
    NO_WORLD_TICKETS,
    OFFERED,
    OVER,
    PLACES,
    QUEUE,
    RETURN_OUT,
    RETURNED,
    TICKETS,
    UNKNOWN,
)
from macaz.kernel.seen import copy_told


def draw_hidden(q, d, total):
    """One of the hidden cards, at random, where `total` are left; it leaves them."""
    k = below(d, total)
    c = 0
    while k >= q.hidden[c]:
        k -= q.hidden[c]
        c += 1
    q.hidden[c] -= 1
    return c


def redeal_cards(spec, s, seat, q, d):
    """The hidden cards of the other hands and of the deck change places.

    Of the hands only their sizes are asked, and what was seen in them.
    """
    total = 0
    for c in range(CARDS):
        q.hidden[c] = deck_most(spec, s, seat, c)
        q.over[c] = hidden_cards(spec, s, seat, c) - q.hidden[c]
        total += q.hidden[c]
        s.deck[c] = 0
    for _ in range(s.deck_size):
        s.deck[draw_hidden(q, d, total)] += 1
        total -= 1
    for c in range(CARDS):
        q.hidden[c] += q.over[c]
        total += q.over[c]
    for p in range(spec.seats):
        if p == seat:
            continue
        n = 0
        for c in range(CARDS):
            n += s.hand[p, c] - s.seen[p, c]
            s.hand[p, c] = s.seen[p, c]
        for _ in range(n):
            s.hand[p, draw_hidden(q, d, total)] += 1
            total -= 1


def redeal_tickets(spec, s, seat, q, d):
    """The tickets that a seat cannot place change places with others of their kind."""
    bit = 0
    if seat >= 0:
        bit = 1 << seat
    for kind in range(2):
        n = 0
        for t in range(spec.tickets):
            if spec.ticket_long[t] == kind and s.known[t] & bit == 0:
                q.slots[n] = t
                n += 1
        while n > 1:
            a = q.slots[below(d, n)] + 0
            n -= 1
            b = q.slots[n] + 0
            # A seat that knows of a place knows of the ticket that lies there.
            place = s.ticket[a] + 0
            known = s.known[a] + 0
            s.ticket[a] = s.ticket[b]
            s.known[a] = s.known[b]
            s.ticket[b] = place
            s.known[b] = known


def fill_hands(spec, v, s):
    """Give the other hands as many cards as they have, whichever; 0, or why that cannot be."""
    in_deck = 0
    hidden = 0
    for c in range(CARDS):
        in_deck += deck_most(spec, s, v.seat, c)
        hidden += hidden_cards(spec, s, v.seat, c)
    if in_deck < s.deck_size:
        return NO_WORLD_DECK
    hidden -= s.deck_size
    for p in range(spec.seats):
        if p != v.seat:
            n = v.hand_size[p] + 0
            for c in range(CARDS):
                s.hand[p, c] = s.seen[p, c]
                n -= s.seen[p, c]
            if n < 0:
                return NO_WORLD_HANDS
            s.hand[p, 0] += n
            hidden -= n
    if hidden != 0:
        return NO_WORLD_HANDS
    return 0


def setting_up(s):
    """Whether setup tickets are still to be dealt or chosen."""
    phase = s.phase + 0
    if phase == DEAL_ROW:
        return s.after == DEAL_SETUP
    return phase == DEAL_FIRST or phase == DEAL_HANDS or phase == DEAL_SETUP or phase == CHOOSE


def tickets_at(spec, s, place):
    """How many tickets lie in a place."""
    n = 0
    for t in range(spec.tickets):
        if s.ticket[t] == place:
            n += 1
    return n


def add_places(q, place, n):
    """So many more of the unknown tickets lie in a place."""
    q.count[place] += max(n, 0)


def count_places(spec, v, s, q):
    """Count in which places the unknown tickets lie; 0, or why that cannot be."""
    for place in range(PLACES):
        q.count[place] = 0
    unknown = tickets_at(spec, s, UNKNOWN)
    for p in range(spec.seats):
        held = v.held[p] + 0
        offered = v.offered[p] + 0
        add_places(q, HELD + p, held - tickets_at(spec, s, HELD + p))
        add_places(q, OFFERED + p, offered - tickets_at(spec, s, OFFERED + p))
        if s.phase == CHOOSE and offered == 0:
            returned = spec.setup_deal - held - tickets_at(spec, s, RETURNED + p)
            add_places(q, RETURNED + p, returned)
    for i in range(s.queue):
        add_places(q, QUEUE + i, 1 - tickets_at(spec, s, QUEUE + i))
    add_places(q, IN_BUNDLE, v.bundled - tickets_at(spec, s, IN_BUNDLE))
    add_places(q, IN_DECK, s.stock - s.queue - v.bundled)
    for place in range(PLACES):
        unknown -= q.count[place]
    if unknown < 0:
        return NO_WORLD_TICKETS
    rest = IN_BOX
    if setting_up(s) and s.phase != CHOOSE:
        rest = IN_LONG_DECK
    add_places(q, rest, unknown)
    return 0


def group_of(s, place):
    """The places that share a number of long tickets: in the setup, all that a seat was dealt."""
    if place < IN_DECK and setting_up(s):
        return place % OFFERED
    return min(place, QUEUE)


def fewest_long(spec, s, group, size):
    """How few of the unknown tickets in a group of places can be long ones (S4, S5)."""
    if group == IN_LONG_DECK:
        return size
    if group == IN_BOX and (setting_up(s) or spec.setup_return != RETURN_OUT):
        return size
    if setting_up(s) and group < IN_DECK:
        return min(size, spec.setup_long + 0)
    return 0


def most_long(spec, s, group, size):
    """How many of them can be (S4, S5)."""
    if group == IN_DECK:
        return 0
    if setting_up(s) and group < IN_DECK:
        return min(size, spec.setup_long + 0)
    if spec.setup_return != RETURN_OUT or group == IN_BOX or group == IN_LONG_DECK:
        return size
    # What is drawn after the setup is normal: a seat has the long tickets it was dealt.
    if group < OFFERED:
        return min(size, spec.setup_long + 0)
    return 0


def binomial(n, k):
    """In how many ways k of n can be chosen, as a float."""
    found = 1.0
    for i in range(k):
        found = found * (n - i) / (i + 1)
    return found


def place_long(spec, s, q, d, wanted):
    """Draw how many long tickets lie in each place, uniformly among the ways; 0, or no way."""
    for g in range(QUEUE + 1):
        q.size[g] = 0
    for place in range(PLACES):
        q.long[place] = 0
        q.size[group_of(s, place)] += q.count[place]
    # ways[g, k]: in how many ways the groups from g on can have k long tickets among them.
    for k in range(wanted + 1):
        q.ways[QUEUE + 1, k] = 0.0
    q.ways[QUEUE + 1, 0] = 1.0
    for i in range(QUEUE + 1):
        g = QUEUE - i
        size = q.size[g] + 0
        for k in range(wanted + 1):
            total = 0.0
            for n in range(fewest_long(spec, s, g, size), min(most_long(spec, s, g, size), k) + 1):
                total += binomial(size, n) * q.ways[g + 1, k - n]
            q.ways[g, k] = total
    if q.ways[0, wanted] == 0.0:
        return NO_WORLD_LONG
    for g in range(QUEUE + 1):
        size = q.size[g] + 0
        least = fewest_long(spec, s, g, size)
        n = min(most_long(spec, s, g, size), wanted)
        # From the most down to the fewest: what remains at the fewest is taken, whatever was lost.
        way = next_word(d) / 4294967296.0 * q.ways[g, wanted]
        while n > least:
            way -= binomial(size, n) * q.ways[g + 1, wanted - n]
            if way < 0.0:
                break
            n -= 1
        wanted -= n
        scatter(s, q, d, g, size, n)
    return 0


def scatter(s, q, d, group, size, n):
    """Spread n long tickets over the places of a group."""
    for place in range(PLACES):
        if group_of(s, place) == group:
            for _ in range(q.count[place]):
                if below(d, size) < n:
                    q.long[place] += 1
                    n -= 1
                size -= 1


def fill_places(spec, s, q):
    """Put the unknown tickets into their places, long and normal ones where they can lie."""
    for t in range(spec.tickets):
        if s.ticket[t] == UNKNOWN:
            place = 0
            if spec.ticket_long[t] == 1:
                while q.long[place] == 0:
                    place += 1
                q.long[place] -= 1
            else:
                while q.count[place] - q.long[place] == 0:
                    place += 1
            q.count[place] -= 1
            s.ticket[t] = place


def tell_knowers(spec, v, s, d):
    """Seats know what lies before them, and some other seat what was put under the deck or away."""
    others = spec.seats + 0
    if v.seat >= 0:
        others -= 1
    for t in range(spec.tickets):
        place = s.ticket[t] + 0
        if place < IN_DECK:
            s.known[t] |= 1 << (place % OFFERED)
        elif v.ticket[t] == UNKNOWN:
            away = place == IN_BOX and spec.ticket_long[t] == 0
            if away or place == IN_BUNDLE or place >= QUEUE:
                p = below(d, others)
                if v.seat >= 0 and p >= v.seat:
                    p += 1
                s.known[t] = 1 << p


def make_world(spec, v, s, q, d):
    """Draw a state that gives a view, in any phase; 0, or why there is none."""
    copy_told(v, s)
    if s.phase == OVER:
        return 0
    reason = fill_hands(spec, v, s)
    if reason == 0:
        reason = count_places(spec, v, s, q)
    if reason != 0:
        return reason
    long = 0
    kinds = 0
    for t in range(TICKETS):
        if t >= spec.tickets:
            s.ticket[t] = NO_TICKET
        else:
            kinds += spec.ticket_long[t]
            if s.ticket[t] == UNKNOWN:
                long += spec.ticket_long[t]
    for place in range(PLACES):
        q.long[place] = 0
    if kinds > 0:
        reason = place_long(spec, s, q, d, long)
        if reason != 0:
            return reason
    fill_places(spec, s, q)
    tell_knowers(spec, v, s, d)
    redeal_cards(spec, s, v.seat + 0, q, d)
    redeal_tickets(spec, s, v.seat + 0, q, d)
    return 0
