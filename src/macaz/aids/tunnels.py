"""How likely a tunnel is to cost more (U1 to U3, U6)."""

from __future__ import annotations

from collections.abc import Iterable, Sequence
from fractions import Fraction
from math import comb
from typing import TYPE_CHECKING

from macaz.aids import TunnelAid
from macaz.board import LOCOMOTIVE
from macaz.moves import Claim

if TYPE_CHECKING:
    from macaz.moves import Move
    from macaz.view import Cards, View


def tunnel_aids(view: View, legal: Iterable[Move]) -> tuple[TunnelAid, ...]:
    """For each colour that a tunnel can be tried with now, what it may cost beside."""
    routes = view.edition.board.routes
    colors = {m.color for m in legal if isinstance(m, Claim) and routes[m.route].kind == "tunnel"}
    return tuple(TunnelAid(color, tuple(map(float, odds(view, color)))) for color in sorted(colors))


def odds(view: View, color: int) -> list[Fraction]:
    """The chances that a tunnel laid with a colour costs 0, 1, 2, … extra cards.

    Every card that may be in the deck is as likely to be on top as any other. Where the deck is too
    short, the discards are shuffled, without the cards that were laid.
    """
    asked = view.edition.rules.tunnel_cards
    from_deck = min(asked, view.deck_size)
    from_discards = min(asked - from_deck, sum(view.discards))
    first = _draw(deck_cards(view), color, from_deck)
    second = _draw(view.discards, color, from_discards)
    chances = [Fraction(0)] * (asked + 1)
    for i, one in enumerate(first):
        for j, other in enumerate(second):
            chances[i + j] += one * other
    return chances


def deck_cards(view: View) -> Cards:
    """The cards that may be in the deck: unseen, in its last shuffle, and in no hand openly."""
    others = [view.seen(seat) for seat in range(view.seats) if seat != view.seat]
    return tuple(
        min(unseen - sum(seen), pool)
        for unseen, pool, *seen in zip(view.unseen, view.pool, *others, strict=True)
    )


def _draw(cards: Sequence[int], color: int, count: int) -> list[Fraction]:
    """The chances that 0, 1, … of so many drawn cards count for a colour."""
    counting = sum(cards[kind] for kind in {color, LOCOMOTIVE})
    total = sum(cards)
    return [
        Fraction(comb(counting, n) * comb(total - counting, count - n), comb(total, count))
        for n in range(count + 1)
    ]
