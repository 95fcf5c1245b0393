"""What a review says, in English sentences; `names` are those of the seats, ready to be shown."""

from __future__ import annotations

from collections.abc import Iterator, Sequence
from typing import TYPE_CHECKING

from macaz.game.event_words import say
from macaz.game.events import (
    AlvinCaptured,
    BlindDrawn,
    GameEnded,
    RouteClaimed,
    StationBuilt,
    TicketsKept,
    TunnelDeclined,
    game_events,
    narrow,
)
from macaz.help.advice.reason_words import sentence

if TYPE_CHECKING:
    from macaz.game import Game
    from macaz.game.events import Event
    from macaz.help.advice.reviews import Review, SeatReview, TicketReview, TurningPoint

SMALL = 0.03  # a change of a chance that is not worth an adjective
MOST_SENTENCES = 4  # about a swing
MOST_REASONS = 2  # for a better move
# What moves a chance between two decisions of a seat, of others and its own.
_OTHERS = (RouteClaimed, StationBuilt, AlvinCaptured, GameEnded)
_OWN = (BlindDrawn, TicketsKept, TunnelDeclined)


def percent(share: float, *, signed: bool = False) -> str:
    """A share as a whole percentage, with a proper minus sign, and a space that does not break."""
    number = round(100 * share)
    return f"{number:{'+' if signed else ''}}\u00a0%".replace("-", "−")


def seat_story(review: Review, seat: SeatReview, name: str) -> str:
    """How a seat fared, in two sentences."""
    winners = review.winners
    result = (
        "lost" if seat.seat not in winners else "won" if len(winners) == 1 else "shared the win"
    )
    if seat.deal > SMALL:
        deal = f"The first deal was good ({percent(seat.deal, signed=True)})"
    elif seat.deal < -SMALL:
        deal = f"The first deal was poor ({percent(seat.deal, signed=True)})"
    else:
        deal = "The first deal was an average one"
    cost = percent(-seat.skill)
    decisions = (
        "no decision clearly cost anything" if cost == percent(0) else f"decisions cost {cost}"
    )
    if seat.luck > SMALL:
        luck = f"luck and the others gave {percent(seat.luck)}"
    elif seat.luck < -SMALL:
        luck = f"luck and the others took {percent(-seat.luck)}"
    else:
        luck = "luck and the others changed little"
    return f"{name} {result}. {deal}, {decisions}, and {luck}."


def point_title(point: TurningPoint, name: str) -> str:
    """When a turning point was, whose it was, and how much it changed."""
    when = f"Turn {point.turn}" if point.turn else "Before the first turn"
    return f"{when}, {name}: {percent(point.change, signed=True)}"


def point_sentences(
    game: Game, review: Review, point: TurningPoint, names: Sequence[str]
) -> list[str]:
    """What a turning point was: the mistake and what was better, or what happened."""
    if point.kind == "swing":
        told = happened(game, point, names)
        return told or ["Many small things came together: no single move decided it."]
    judged = next(one for one in review.judged if one.ply == point.ply)
    reasons = (
        sentence(reason, game.edition.board, names) for reason in judged.reasons[:MOST_REASONS]
    )
    return [
        f"Played: {judged.played_text}. Chance {percent(judged.chance_played)}, not"
        f" {percent(judged.chance_best)} (± {percent(judged.error)}).",
        f"Better: {judged.best_text}.",
        *reasons,
    ]


def happened(game: Game, point: TurningPoint, names: Sequence[str]) -> list[str]:
    """What happened during a swing, as far as its seat could see it: the weightiest sentences."""
    board = game.edition.board
    told = [event for event in _events_between(game, point) if _matters(event, point.seat)]
    return [say(event, names, board) for event in told[-MOST_SENTENCES:]]


def _events_between(game: Game, point: TurningPoint) -> Iterator[Event]:
    """The events from a decision up to the next one of the seat."""
    ply = -1
    for number, events in game_events(game):
        step = game.history[number]
        ply += step.seat is not None
        if point.ply <= ply < point.until:
            yield from (narrow(event, point.seat) for event in events)


def _matters(event: Event, seat: int) -> bool:
    return isinstance(event, _OWN if getattr(event, "seat", None) == seat else _OTHERS)


def ticket_line(ticket: TicketReview) -> str:
    """What became of a ticket, in a line."""
    if ticket.fate == "completed":
        return f"{ticket.text}: completed."
    if ticket.fate == "dropped":
        return f"{ticket.text}: given back; {_would_have(ticket)}."
    return f"{ticket.text}: missed; {_lacked(ticket)}."


def _would_have(ticket: TicketReview) -> str:
    return "its cities are joined all the same" if ticket.joined else _lacked(ticket)


def _lacked(ticket: TicketReview) -> str:
    """What the cheapest way that was left lacked."""
    if ticket.spaces is None:
        return "no way was left"
    parts = [_counted(ticket.spaces, "train")] if ticket.spaces else []
    parts += [_counted(ticket.cards, "card")] if ticket.cards else []
    parts += [_counted(ticket.stations, "station")] if ticket.stations else []
    lacked = " and ".join(filter(None, (", ".join(parts[:-1]), parts[-1]))) if parts else "nothing"
    return f"{lacked} short, {_counted(ticket.turns, 'turn')} away"


def _counted(n: int, noun: str) -> str:
    return f"{n} {noun}" if n == 1 else f"{n} {noun}s"
