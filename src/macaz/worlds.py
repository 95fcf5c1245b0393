"""Worlds: whole states that a seat cannot tell from the real one.

`sample_world` draws what a view hides. The unseen cards are dealt uniformly to the hidden places:
those of other hands beyond what was seen there openly, and the deck. So are the unknown tickets,
among the places where one of their kind, long or normal, can lie.

The deck is drawn first, from the cards of its last shuffle that are still hidden.

Nothing is weighted by what players do. A hand that draws tickets, or claims nothing, tells a
person something; here it does not. Nor is anything inferred from the history beyond the view,
such as which of its own cards a seat drew blind since the last shuffle.

Who else knows where a ticket lies is no one's business but the kernel's: the seat before whom it
lies does, and of those under the deck or out of the game one seat that could have put it there.
"""

from __future__ import annotations

from math import comb
from typing import TYPE_CHECKING

import numpy as np

from macaz.errors import MacazError
from macaz.kernel import layout as at
from macaz.kernel.views import redacted_state

if TYPE_CHECKING:
    from macaz.view import View

_COLORS = np.arange(at.CARDS)


class NoWorld(MacazError):  # noqa: N818
    """No state gives this view: only for a view that no game has led to."""


def sample_world(view: View, rng: np.random.Generator) -> np.ndarray:
    """A state drawn at random from those that give this view, in any phase."""
    states = redacted_state(view.record)
    if view.record["phase"][0] == at.OVER:
        return states
    _deal_cards(view, states[0], rng)
    _deal_tickets(view, states[0], rng)
    return states


def _deal_cards(view: View, state: np.void, rng: np.random.Generator) -> None:
    """The unseen cards go to the other hands, beside what was seen there, and to the deck."""
    record = view.record[0]
    seats, me = view.spec.seats, int(record["seat"])
    hand = state["hand"]
    others = [p for p in range(seats) if p != me]
    seen = record["seen"]
    hidden = np.array(view.unseen) - seen[others].sum(axis=0)
    # The deck comes from its last shuffle; what was taken openly is in no deck.
    size = int(record["deck_size"])
    deck = rng.permutation(np.repeat(_COLORS, np.minimum(hidden, record["pool"])))[:size]
    if len(deck) < size:
        raise NoWorld(f"{len(deck)} cards are left for a deck of {size}")
    state["deck"] = np.bincount(deck, minlength=at.CARDS)
    cards = rng.permutation(np.repeat(_COLORS, hidden - state["deck"]))
    start = 0
    for seat in others:
        end = start + int(record["hand_size"][seat]) - int(seen[seat].sum())
        hand[seat] = seen[seat] + np.bincount(cards[start:end], minlength=at.CARDS)
        start = end
    if len(cards) != start:
        raise NoWorld(f"{len(cards)} unseen cards for {start} places in other hands")


def _setting_up(record: np.void) -> bool:
    """Whether setup tickets are still to be dealt or chosen."""
    phase = record["phase"]
    if phase == at.DEAL_ROW:
        return bool(record["after"] == at.DEAL_SETUP)
    return phase in (at.DEAL_FIRST, at.DEAL_HANDS, at.DEAL_SETUP, at.CHOOSE)


def _deal_tickets(view: View, state: np.void, rng: np.random.Generator) -> None:
    """The unknown tickets go where they may lie, and somebody knows of those put away."""
    count = len(view.edition.board.tickets)
    where, known = state["ticket"][:count], state["known"][:count]
    state["ticket"][count:] = at.NO_TICKET
    unknown = np.flatnonzero(where == at.UNKNOWN)
    slots = _slots(view, where.tolist(), len(unknown))
    if len(slots) != len(unknown):
        raise NoWorld(f"{len(unknown)} unknown tickets for {len(slots)} places")
    long = view.spec.table["ticket_long"][0, :count] == 1
    places = np.array(slots, np.int8)
    if long.any():
        is_long = _long_slots(view, slots, int(long[unknown].sum()), rng)
        where[unknown[long[unknown]]] = rng.permutation(places[is_long])
        where[unknown[~long[unknown]]] = rng.permutation(places[~is_long])
    else:
        where[unknown] = rng.permutation(places)
    # Seats know what lies before them; somebody knows what was put under the deck or away.
    others = np.array([p for p in range(view.seats) if p != view.seat])
    owned = np.flatnonzero(where < at.IN_DECK)
    known[owned] |= np.left_shift(1, where[owned] % at.OFFERED).astype(np.int8)
    now = where[unknown]
    returned = (now >= at.QUEUE) | (now == at.IN_BUNDLE) | ((now == at.IN_BOX) & ~long[unknown])
    away = unknown[returned]
    known[away] = np.left_shift(1, others[rng.integers(len(others), size=len(away))])


def _slots(view: View, places: list[int], unknown: int) -> list[int]:
    """The places that hold the unknown tickets, one entry for each of them."""
    record, rules = view.record[0], view.edition.rules
    setting_up = _setting_up(record)
    choosing = record["phase"] == at.CHOOSE
    held, offered = record["held"].tolist(), record["offered"].tolist()
    deal = rules.setup_tickets + rules.setup_long
    slots: list[int] = []
    for seat in range(view.seats):
        slots += [at.HELD + seat] * (held[seat] - places.count(at.HELD + seat))
        slots += [at.OFFERED + seat] * (offered[seat] - places.count(at.OFFERED + seat))
        if choosing and not offered[seat]:
            returned = deal - held[seat] - places.count(at.RETURNED + seat)
            slots += [at.RETURNED + seat] * returned
    queue = int(record["queue"])
    slots += [at.QUEUE + i for i in range(queue) if at.QUEUE + i not in places]
    chance = int(record["stock"]) - queue
    bundle = int(record["bundled"])
    slots += [at.IN_BUNDLE] * (bundle - places.count(at.IN_BUNDLE))
    slots += [at.IN_DECK] * (chance - bundle)
    rest = at.IN_LONG_DECK if setting_up and not choosing else at.IN_BOX
    return slots + [rest] * (unknown - len(slots))


def _long_slots(view: View, slots: list[int], count: int, rng: np.random.Generator) -> np.ndarray:
    """Which of the places have the unknown long tickets, uniformly among the ways there are."""
    groups: dict[int, list[int]] = {}
    setting_up = _setting_up(view.record[0])
    for i, place in enumerate(slots):
        # In the setup a seat has its long tickets among all it was dealt.
        group = place % at.OFFERED if setting_up and place < at.IN_DECK else min(place, at.QUEUE)
        groups.setdefault(group, []).append(i)
    groups.pop(at.IN_DECK, None)  # normal ones only
    is_long = np.zeros(len(slots), bool)
    kinds = list(groups.items())
    ranges = [_long_range(view, group, len(m), setting_up=setting_up) for group, m in kinds]
    # ways[i][k]: in how many ways the groups from i on can have k long tickets among them.
    ways = [[1] + [0] * count]
    for (_, members), (low, high) in zip(reversed(kinds), reversed(ranges), strict=True):
        size, later = len(members), ways[0]
        some = [
            sum(comb(size, n) * later[k - n] for n in range(low, min(high, k) + 1))
            for k in range(count + 1)
        ]
        ways.insert(0, some)
    if not ways[0][count]:
        raise NoWorld(f"{count} long tickets find no place")
    for i, ((_, members), (low, high)) in enumerate(zip(kinds, ranges, strict=True)):
        way = int(rng.integers(ways[i][count]))
        for n in range(low, min(high, count) + 1):
            way -= comb(len(members), n) * ways[i + 1][count - n]
            if way < 0:
                if n:
                    is_long[rng.permutation(members)[:n]] = True
                count -= n
                break
    return is_long


def _long_range(view: View, group: int, size: int, *, setting_up: bool) -> tuple[int, int]:
    """How few and how many of the unknown tickets in a place can be long ones (S4, S5)."""
    rules = view.edition.rules
    if group == at.IN_LONG_DECK:
        return size, size
    if setting_up:
        quota = size if group == at.IN_BOX else min(size, rules.setup_long)
        return quota, quota
    if rules.setup_return != "out":
        return (size, size) if group == at.IN_BOX else (0, size)
    if group == at.IN_BOX:
        return 0, size
    # What is drawn after the setup is normal: a seat has the long tickets it was dealt.
    return 0, min(size, rules.setup_long) if group < at.OFFERED else 0
