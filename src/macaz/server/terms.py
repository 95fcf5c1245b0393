"""The terms of a table as clients ask for them, checked."""

from __future__ import annotations

from collections.abc import Collection, Iterable
from typing import TYPE_CHECKING

from macaz.bots import BOTS
from macaz.server import wire
from macaz.server.refusal import Refusal
from macaz.server.state import SeatTerms, Terms

if TYPE_CHECKING:
    from macaz.edition import Edition


def seat_terms(
    seats: Iterable[wire.PersonSeat | wire.BotSeat], offered: Collection[str] = ()
) -> tuple[SeatTerms, ...]:
    """Who may have each seat; `Refusal` if a bot is unknown. `offered` are the host's own."""
    wanted = tuple(seat.bot if isinstance(seat, wire.BotSeat) else None for seat in seats)
    for bot in wanted:
        if bot is not None:
            check_bot(bot, offered)
    return tuple(map(SeatTerms, wanted))


def check_bot(bot: str, offered: Collection[str] = ()) -> None:
    """Refuse any text but a name that is offered: others could name a file or a program."""
    known = (*BOTS, *offered)
    if bot not in known:
        raise Refusal("bad-value", f"There is no bot {bot!r}. There are: {', '.join(known)}.")


def check_terms(edition: Edition, terms: Terms) -> None:
    """Refuse a table that the edition is not for."""
    seats, rules = len(terms.seats), edition.rules
    if not rules.min_seats <= seats <= rules.max_seats:
        raise Refusal(
            "bad-value",
            f"{edition.title} is for {rules.min_seats} to {rules.max_seats}, not {seats}.",
        )
    if terms.first is not None and terms.first >= seats:
        raise Refusal("bad-value", f"Seat {terms.first} cannot begin: there is none.")
