"""Which tickets are impossible: their places, how many are dealt, offered, kept and returned."""

from macaz.game.compiled.complete import (
    before_turns,
    chance_tickets,
    is_open,
    is_shown,
    owner_bit,
)
from macaz.game.compiled.layout import (
    HELD_IN_SETUP,
    KEPT_IN_SETUP,
    KNOWN_IN_DECK,
    LONG_DECK_NOW,
    LONG_IN_DECK,
    LONG_IN_SETUP,
    LONG_MANY,
    LONG_OFFERED,
    LONG_UNDER,
    NEXT_IS_KNOWN,
    NO_BUNDLE,
    NOT_IN_BOX,
    OFFER_COMPLETE,
    OFFER_IN_SETUP,
    OFFER_NOW,
    OFFER_SIZE,
    OFFERS_MISSING,
    ORDER_NOT_CHOSEN,
    OWNER_MUST_KNOW,
    RETURN_SIZE,
    RETURNED_IN_SETUP,
    RETURNED_NOW,
    TICKET_COUNT,
    TICKETS_DEALT,
    UNDER_EARLY,
    UNDER_GAP,
    UNDER_TWICE,
)
from macaz.game.compiled.problems import say, say_count, say_ticket
from macaz.kernel.layout import (
    CHOOSE,
    DEAL_OFFER,
    DEAL_SETUP,
    HELD,
    IN_BOX,
    IN_DECK,
    IN_LONG_DECK,
    KEEP,
    OFFERED,
    QUEUE,
    RETURN,
    RETURN_OUT,
    RETURN_SHUFFLED,
    RETURNED,
    START,
)
from macaz.kernel.table import keep_of_drawn, keep_of_setup
from macaz.kernel.world import tickets_at


def is_playing(d):
    """Whether all seats have chosen their first tickets."""
    return not before_turns(d) or d.phase == START


def long_at(spec, d, place):
    """How many long tickets are known to lie in a place."""
    n = 0
    for t in range(spec.tickets):
        if d.ticket[t] == place and spec.ticket_long[t] == 1:
            n += 1
    return n


def check_queue(spec, d, problems):
    """Under the deck lies one ticket below the other."""
    for i in range(d.queue):
        n = 0
        for t in range(spec.tickets):
            if d.ticket[t] == QUEUE + i:
                n += 1
                if n > 1:
                    k = say_ticket(problems, UNDER_TWICE, -1, t)
                    problems[k].have = i
        if n == 0 and is_open(d):
            say_count(problems, UNDER_GAP, -1, i, -1)
            return


def check_ticket_numbers(spec, d, problems):
    """S4, S5: the number of tickets out of the game."""
    deal = spec.setup_deal + 0
    out = spec.tickets - d.stock
    longs = 0
    long_offers = 0
    for t in range(spec.tickets):
        longs += spec.ticket_long[t]
    for p in range(spec.seats):
        out -= d.held[p] + d.offered[p]
        if d.phase == CHOOSE:
            out -= max(deal - d.held[p] - d.offered[p], 0)
        long_offers += min(d.offered[p] + 0, spec.setup_long + 0)
    if before_turns(d) and d.phase != CHOOSE and d.phase != START:
        undealt = longs - long_offers
    else:
        undealt = longs - spec.seats * spec.setup_long
    may_return = 0  # tickets that seats may have returned at the start
    if spec.setup_return == RETURN_OUT and is_playing(d):
        may_return = spec.seats * (deal - keep_of_setup(spec))
    if not undealt <= out <= undealt + may_return:
        i = say_count(problems, TICKET_COUNT, -1, spec.tickets - out, 0)
        problems[i].want = spec.tickets - undealt - may_return
        problems[i].most = spec.tickets - undealt


def check_ticket_kinds(spec, d, problems):
    """S5: the places of long and normal tickets."""
    returns_out = spec.setup_return == RETURN_OUT
    for t in range(spec.tickets):
        place = d.ticket[t] + 0
        long = spec.ticket_long[t] == 1
        if place == IN_DECK and long:
            say_ticket(problems, LONG_IN_DECK, -1, t)
        elif place == IN_LONG_DECK and (not long or is_playing(d) or d.phase == CHOOSE):
            say_ticket(problems, LONG_DECK_NOW, -1, t)
        elif place == IN_BOX and not (is_playing(d) and returns_out):
            if not (long and (d.phase == CHOOSE or is_playing(d))):
                say_ticket(problems, NOT_IN_BOX, -1, t)
    if d.bundled > 0 and (spec.setup_return != RETURN_SHUFFLED or not is_playing(d)):
        say(problems, NO_BUNDLE, -1)
    if d.queue > 0 and not is_playing(d):
        say(problems, UNDER_EARLY, -1)


def check_dealt_long(spec, d, problems):
    """S5: if returned tickets leave the game, long ones cannot be drawn later."""
    if spec.setup_return != RETURN_OUT or not is_playing(d):
        return
    for t in range(spec.tickets):
        if spec.ticket_long[t] == 0:
            continue
        place = d.ticket[t] + 0
        if place >= QUEUE:
            say_ticket(problems, LONG_UNDER, -1, t)
        elif OFFERED <= place < RETURNED:
            say_ticket(problems, LONG_OFFERED, place - OFFERED, t)
    for p in range(spec.seats):
        count = long_at(spec, d, HELD + p)
        if count > spec.setup_long:
            say_count(problems, LONG_MANY, p, count, spec.setup_long)


def check_setup_seat(spec, d, seat, dealt, problems):
    """S4: the tickets of a seat before the first turn; `dealt`: how many are dealt to it."""
    deal = spec.setup_deal + 0
    held = d.held[seat] + 0
    offered = d.offered[seat] + 0
    known = tickets_at(spec, d, RETURNED + seat)
    wanted = dealt
    if d.phase == CHOOSE:
        wanted = deal
        if offered == 0:
            wanted = 0
    if d.phase == CHOOSE and offered == 0:
        if not keep_of_setup(spec) <= held <= deal:
            i = say_count(problems, KEPT_IN_SETUP, seat, held, keep_of_setup(spec))
            problems[i].most = deal
    elif held > 0:
        say_count(problems, HELD_IN_SETUP, seat, held, 0)
    if offered != wanted:
        say_count(problems, OFFER_IN_SETUP, seat, offered, wanted)
    if not is_shown(d, seat):
        return
    returned = 0
    if d.phase == CHOOSE and wanted == 0:
        returned = max(deal - held, 0)
    if known != returned:
        say_count(problems, RETURNED_IN_SETUP, seat, known, returned)
    group = held + offered + known
    count = long_at(spec, d, HELD + seat) + long_at(spec, d, OFFERED + seat)
    count += long_at(spec, d, RETURNED + seat)
    if group > 0 and count != min(group, spec.setup_long + 0):
        i = say_count(problems, LONG_IN_SETUP, seat, count, spec.setup_long)
        problems[i].most = group


def check_setup_tickets(spec, d, problems):
    """S4: the tickets dealt, kept and returned before the first turn."""
    if is_playing(d):
        return
    deal = spec.setup_deal + 0
    offered = 0
    for p in range(spec.seats):
        offered += d.offered[p]
    if d.phase == CHOOSE and offered == 0:
        say(problems, OFFERS_MISSING, -1)
    if d.phase == DEAL_SETUP and offered >= spec.seats * deal:
        say(problems, TICKETS_DEALT, -1)
    if d.phase != DEAL_SETUP:
        offered = 0
    for i in range(spec.seats):
        seat = (max(d.first + 0, 0) + i) % spec.seats
        check_setup_seat(spec, d, seat, min(max(offered - deal * i, 0), deal), problems)


def check_offers(spec, d, problems):
    """K1: offers exist only in their phases, with the right size."""
    drawing = d.phase == DEAL_OFFER or d.phase == KEEP or d.phase == RETURN
    if is_playing(d):
        for p in range(spec.seats):
            if d.offered[p] > 0 and not (drawing and p == d.turn):
                say_count(problems, OFFER_NOW, p, d.offered[p], 0)
        for t in range(spec.tickets):
            place = d.ticket[t] + 0
            if RETURNED <= place < IN_DECK:
                say_ticket(problems, RETURNED_NOW, place - RETURNED, t)
    seat = d.turn + 0
    size = d.offered[seat] + 0
    most = min(spec.draw_tickets + 0, d.stock + size)
    if d.phase == KEEP and not 0 < size == most:
        say_count(problems, OFFER_SIZE, seat, size, max(most, 1))
    if d.phase == DEAL_OFFER:
        if size >= most:
            say_count(problems, OFFER_COMPLETE, seat, size, most)
        elif chance_tickets(d) == 0:
            say(problems, NEXT_IS_KNOWN, seat)
    if d.phase == RETURN:
        if spec.chosen_order == 0:
            say(problems, ORDER_NOT_CHOSEN, -1)
        high = spec.draw_tickets - keep_of_drawn(spec, spec.draw_tickets + 0)
        if not 2 <= size <= high:
            i = say_count(problems, RETURN_SIZE, seat, size, 2)
            problems[i].most = high


def check_known(spec, d, problems):
    """K2: the seat that has a ticket knows it; tickets in the deck are known to no seat."""
    if not is_open(d):
        return
    for t in range(spec.tickets):
        place = d.ticket[t] + 0
        if (place == IN_DECK or place == IN_LONG_DECK) and d.known[t] != 0:
            say_ticket(problems, KNOWN_IN_DECK, -1, t)
        if place < IN_DECK and d.known[t] & owner_bit(place) == 0:
            say_ticket(problems, OWNER_MUST_KNOW, place % OFFERED, t)
