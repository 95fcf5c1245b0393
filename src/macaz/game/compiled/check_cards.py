"""Which cards are impossible: sums, the row, the deck, what was seen in a hand.

Codes such as D2 here and in the other checks are the rules of docs/rules.md.
"""

from macaz.game.compiled.complete import (
    before_turns,
    cards_in,
    is_open,
    is_shown,
    placed_cards,
    refreshes,
)
from macaz.game.compiled.layout import (
    CARD_COUNT,
    DECK_USED_UP,
    DISCARDS_EARLY,
    HAND_IN_SETUP,
    HANDS_DEALT,
    NO_SECOND_CARD,
    NOT_SHUFFLED,
    POOL_COLOR,
    POOL_SMALL,
    REFRESHED_WRONG,
    ROW_EARLY,
    ROW_FULL,
    ROW_LONG,
    ROW_SHORT,
    SEEN_COLOR,
    SEEN_IN_SETUP,
    SEEN_MANY,
    UNSEEN_COUNT,
)
from macaz.game.compiled.problems import say, say_count
from macaz.kernel.layout import (
    CARDS,
    DEAL_BLIND,
    DEAL_FIRST,
    DEAL_HANDS,
    DEAL_ROW,
    DEAL_TUNNEL,
    SECOND,
)
from macaz.kernel.table import no_second_card


def check_card_sums(spec, d, problems):
    """S1: every card is in exactly one place."""
    unseen = 0
    hidden = 0
    for p in range(spec.seats):
        if not is_shown(d, p):
            hidden += d.hand_size[p] - cards_in(d.seen[p])
    for c in range(CARDS):
        n = placed_cards(spec, d, c)
        for p in range(spec.seats):
            if not is_shown(d, p):
                n += d.seen[p, c]
        if is_open(d):
            n += d.deck[c]
        if n > spec.cards[c] or (is_open(d) and n < spec.cards[c]):
            i = say_count(problems, CARD_COUNT, -1, n, spec.cards[c])
            problems[i].color = c
        unseen += spec.cards[c] - n
    if not is_open(d) and hidden >= 0 and unseen != hidden + d.deck_size:
        say_count(problems, UNSEEN_COUNT, -1, hidden + d.deck_size, unseen)


def check_pool(spec, d, problems):
    """The deck is a part of its last shuffle."""
    for c in range(CARDS):
        low = d.deck[c] + 0
        if not low <= d.pool[c] <= spec.cards[c]:
            i = say_count(problems, POOL_COLOR, -1, d.pool[c], low)
            problems[i].color = c
            problems[i].most = spec.cards[c]
    if cards_in(d.pool) < d.deck_size:
        say_count(problems, POOL_SMALL, -1, cards_in(d.pool), d.deck_size)


def check_seen(spec, d, problems):
    """The cards that all seats have seen in a hand are in that hand."""
    for p in range(spec.seats):
        if not is_shown(d, p):
            if cards_in(d.seen[p]) > d.hand_size[p]:
                i = say_count(problems, SEEN_MANY, p, cards_in(d.seen[p]), -1)
                problems[i].most = d.hand_size[p]
            continue
        for c in range(CARDS):
            if d.seen[p, c] > d.hand[p, c]:
                i = say_count(problems, SEEN_COLOR, p, d.seen[p, c], -1)
                problems[i].most = d.hand[p, c]
                problems[i].color = c


def check_row(spec, d, problems):
    """D2, D6: the row is full, and the deck not empty, while there are cards."""
    size = d.row_size + 0
    full = spec.row_size + 0
    if size > full:
        say_count(problems, ROW_LONG, -1, size, full)
    if d.phase == DEAL_FIRST or d.phase == DEAL_HANDS:
        if size > 0:
            say(problems, ROW_EARLY, -1)
        if cards_in(d.discards) > 0:
            say(problems, DISCARDS_EARLY, -1)
        return
    if d.deck_size == 0 and cards_in(d.discards) > 0:
        say(problems, NOT_SHUFFLED, -1)
    if d.phase == DEAL_ROW:
        if size >= full:
            say(problems, ROW_FULL, -1)
    elif size < full and d.deck_size > 0:
        say_count(problems, ROW_SHORT, -1, size, full)
    dealing = d.phase == DEAL_ROW or d.phase == DEAL_BLIND or d.phase == DEAL_TUNNEL
    if dealing and d.deck_size == 0:
        say(problems, DECK_USED_UP, -1)
    if d.phase == SECOND and no_second_card(d):
        say(problems, NO_SECOND_CARD, -1)
    if d.phase != DEAL_ROW and d.refreshed != refreshes(spec, d):
        say_count(problems, REFRESHED_WRONG, -1, d.refreshed, refreshes(spec, d))


def check_setup_cards(spec, d, problems):
    """S2: hands are dealt in order, each completely before the next."""
    if not before_turns(d):
        return
    each = spec.hand_size + 0
    dealt = 0
    for p in range(spec.seats):
        dealt += d.hand_size[p]
    if d.phase == DEAL_FIRST:
        dealt = 0
    elif d.phase != DEAL_HANDS:
        dealt = each * spec.seats
    elif dealt >= each * spec.seats:
        say(problems, HANDS_DEALT, -1)
    for i in range(spec.seats):
        p = (max(d.first + 0, 0) + i) % spec.seats
        wanted = min(max(dealt - each * i, 0), each)
        if d.hand_size[p] != wanted:
            say_count(problems, HAND_IN_SETUP, p, d.hand_size[p], wanted)
        if cards_in(d.seen[p]) > 0:
            say(problems, SEEN_IN_SETUP, p)
