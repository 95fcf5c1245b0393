"""Reasons for moves as English sentences: the same as those of the page, words/en/reasons.json."""

from __future__ import annotations

from collections.abc import Sequence
from typing import TYPE_CHECKING

from macaz.edition.board import CARDS, LOCOMOTIVE

if TYPE_CHECKING:
    from macaz.edition.board import Board
    from macaz.help.reasons import Reason

SENTENCES = {
    "completes-ticket": "It completes {ticket}: {points}.",
    "serves-ticket": (
        "It lies on the cheapest way for {ticket}; without it the way takes {trains} more."
    ),
    "serves-ticket.zero": "It lies on a cheapest way for {ticket}, though another is as short.",
    "only-way": "{ticket} has no other way left.",
    "needs-station": "Without it, {ticket} takes {stations} more.",
    "network": (
        "The other routes for {ticket} follow from it: none of them touches the network yet."
    ),
    "contested": "{seat} took it within two turns in {share} of the tries with another move.",
    "contested.others": (
        "Others took it within two turns in {share} of the tries with another move."
    ),
    "blocks": (
        "It closes a route that {seat} took within two turns in {share} of the tries with "
        "another move."
    ),
    "blocks.others": (
        "It closes a route that others took within two turns in {share} of the tries with "
        "another move."
    ),
    "points": "It brings {points} at once.",
    "gives-points": "With {route}, {seat} would get {points}.",
    "serves-none": "{route} brings no open ticket nearer.",
    "captures-alvin": "It captures Alvin in {city}: {points} at once.",
    "longest-path": "The longest path was won in {share} of the tries, otherwise in {instead}.",
    "most-tickets": (
        "The bonus for most tickets was won in {share} of the tries, otherwise in {instead}."
    ),
    "alvin-held": "Alvin was held at the end in {share} of the tries, otherwise in {instead}.",
    "ends-game": "It begins the last round.",
    "last-turn": "It is the last turn: cards in hand are worth nothing at the end.",
    "few-turns": "Few turns are left after this one, about {amount}: {seat} has {trains}.",
    "few-turns.zero": "This may well be the last turn: {seat} has {trains}.",
    "many-turns": "There is time: about {turns} are left after this one.",
    "can-pay": "With {card}, {route} can be claimed, on a cheapest way for {ticket}.",
    "needed-card": (
        "A cheapest way for {ticket} goes by {route}: it takes {cards}; in hand: {amount}."
    ),
    "card-used": "In {share} of the tries more {kind} were used than are in hand.",
    "no-face-up": "No face-up card fits a route that the cheapest ways of the tickets lack.",
    "cannot-pay": "The hand cannot yet pay any route that the cheapest ways of the tickets lack.",
    "few-cards": "{ticket}: {spaces}; cards in hand: {of}.",
    "can-wait": "{route} can wait: others took it within two turns in only {share} of the tries.",
    "can-wait.never": "{route} can wait: in no try others took it within two turns.",
    "keeps-cards": "It keeps {cards} in hand.",
    "keeps-cards.route": "It keeps {cards} for {route}, on a cheapest way for {ticket}.",
    "ticket-ready": "{ticket} is completed already: {points}.",
    "ticket-fits": "{ticket} was completed in {share} of the tries: {points}.",
    "ticket-near": "{ticket} is near: {spaces}.",
    "ticket-shared": (
        "Once the way for {other} is built, {ticket} takes only {trains} instead of {of}."
    ),
    "ticket-shared.zero": "Once the way for {other} is built, {ticket} is completed, too.",
    "ticket-risk": (
        "{ticket} was completed in only {share} of the tries; missed, it costs {points}."
    ),
    "ticket-lost": "{ticket} can no longer be completed: it would cost {points}.",
    "all-done": "All tickets in hand are completed; trains left: {amount}.",
    "ticket-odds": "{ticket} was completed in {share} of the tries, otherwise in {instead}.",
    "tunnel-sure": "Whatever the tunnel reveals can be paid.",
    "tunnel-odds": "What the tunnel reveals can be paid with a chance of {share}.",
    "tunnel-risk": "The tunnel {route} fails with a chance of {share}.",
    "station-completes": "A station in {city} completes {ticket}: {points}.",
    "station-nearer": "With a station in {city}, {ticket} takes {trains} instead of {of}.",
    "station-needed": (
        "{ticket} is not possible without a station; with one in {city} it takes {trains}."
    ),
    "station-kept": "A station that is not built is worth {points}.",
    "start-tickets": "Tickets in hand that end in {city}: {amount}.",
    "start-nearer": "From {city}, {ticket} takes {trains} instead of {of}.",
    "marker": (
        "Others can still claim routes worth {points} in {city}: the marker's owner scores them."
    ),
    "marker-little": "The routes that others can still claim there are worth only {points}.",
    "marker-little.zero": "Others can claim no more routes there.",
    "alvin-safe": "Routes by which others could capture Alvin in {city}: only {amount}.",
    "alvin-safe.zero": "No route is left by which others could capture Alvin in {city}.",
    "more-for-routes": "On average of the tries, routes brought {points} more than otherwise.",
    "more-for-tickets": "On average of the tries, tickets brought {points} more than otherwise.",
    "less-for-other": (
        "On average of the tries, {seat} had {points} less at the end than otherwise."
    ),
}


def sentence(reason: Reason, board: Board, names: Sequence[str]) -> str:
    """The reason as a sentence; `names` are those of the seats."""
    found = SENTENCES[reason.code + _variant(reason)].format_map(_parts(reason, board, names))
    return found[:1].upper() + found[1:]


def _variant(reason: Reason) -> str:
    """Which of the sentences of a code fits what the reason has."""
    if reason.code in ("contested", "blocks") and reason.seat is None:
        return ".others"
    if reason.code == "keeps-cards" and reason.route is not None:
        return ".route"
    if reason.code == "can-wait" and reason.share == 0:
        return ".never"
    return ".zero" if reason.amount == 0 and f"{reason.code}.zero" in SENTENCES else ""


def _parts(reason: Reason, board: Board, names: Sequence[str]) -> dict[str, object]:
    """What a sentence may name."""
    n, of = reason.amount or 0, reason.of or 0
    cards = of if reason.code == "needed-card" else n
    trains = of if reason.code == "few-turns" else n
    kind = "locomotive" if reason.color in (None, LOCOMOTIVE) else f"{CARDS[reason.color]} card"
    return {
        "amount": n,
        "of": of,
        "points": counted(n, "point"),
        "trains": counted(trains, "train"),
        "turns": counted(n, "turn"),
        "spaces": f"{counted(n, 'space')} to go",
        "stations": counted(n, "station"),
        "cards": counted(cards, kind),
        "card": f"{'an' if kind[0] in 'aeiou' else 'a'} {kind}",
        "kind": f"{kind}s",
        "share": _percent(reason.share),
        "instead": _percent(reason.instead),
        "seat": "" if reason.seat is None else names[reason.seat],
        "city": "" if reason.city is None else board.cities[reason.city].label,
        "ticket": _between(board, "tickets", reason.ticket),
        "other": _between(board, "tickets", reason.other),
        "route": _between(board, "routes", reason.route),
    }


def counted(n: int, noun: str) -> str:
    """So many of a thing, with the noun in its right form."""
    return f"{n} {noun}" if n == 1 else f"{n} {noun}s"


def _percent(share: float | None) -> str:
    return "" if share is None else f"{share:.0%}"


def _between(board: Board, things: str, number: int | None) -> str:
    """The two cities of a ticket or of a route."""
    if number is None:
        return ""
    thing = getattr(board, things)[number]
    return f"{board.cities[thing.a].label} – {board.cities[thing.b].label}"
