"""Positions written by hand, with the reasons that must be given in them.

A file of `positions/` is a table for each position. What it leaves out has a default: see `posed`.
"""

from __future__ import annotations

import tomllib
from collections import Counter
from collections.abc import Callable, Iterator
from dataclasses import dataclass
from functools import cache
from pathlib import Path
from typing import Any

from macaz.edition import Edition, load_edition
from macaz.edition.board import CARDS
from macaz.game import Game
from macaz.game.moves import CARD_WORDS, Notation, notation_of
from macaz.game.position import setup_position
from macaz.kernel.spec import compile_spec

FOLDER = Path(__file__).with_name("positions")
ROW = ("white", "blue", "green", "black", "orange")
SEAT = 0  # whose move it is
HAND = 5  # cards of another seat
TICKETS = 2  # of another seat


@dataclass(frozen=True)
class Posed:
    """A position, a move in it, and the reasons for it that must be given, or must not be."""

    name: str
    game: Game
    move: int
    than: int  # the move that it is compared with
    given: list[dict[str, Any]]
    never: list[str]


def all_posed() -> Iterator[tuple[str, dict[str, Any]]]:
    """The names of all positions, and how they are written."""
    for file in sorted(FOLDER.glob("*.toml")):
        data = tomllib.loads(file.read_text(encoding="utf-8"))
        bases = data.get("base", {})
        for entry in data["position"]:
            whole = data.get("all", {}) | bases.get(entry.get("base", ""), {}) | entry
            yield f"{file.stem}: {entry['name']}", whole


@cache
def edition_of(name: str) -> Edition:
    return load_edition(name)


def posed(name: str, entry: dict[str, Any]) -> Posed:
    """The position that is written in a file.

    The own seat is 0, and its turn. The row has a card of each of five colours, every other seat
    five cards and two tickets that are not named. Lists of `seats` come after what is said of the
    own seat, one table for each other one.
    """
    edition = edition_of(entry["edition"])
    seats = [_own(entry), *entry.get("seats", [{}])]
    names = notation_of(compile_spec(edition, len(seats)))
    row = _cards(entry["row"]) if "row" in entry else _row(edition, seats)
    data: dict[str, Any] = {
        "macaz position": 2,
        "edition": entry["edition"],
        "row": row,
        "discards": _cards(entry.get("discards", "")),
        "seats": _filled(edition, names, seats, row, entry),
        **({"phase": entry["phase"]} if "phase" in entry else {}),
        **({"after": "deal-setup"} if entry.get("phase") == "choose" else {}),
        **entry.get("more", {}),
    }
    game = setup_position(data, edition=edition)
    for text in entry.get("played", []):
        _play(game, text)
    move = _action(game, entry["move"])
    return Posed(
        name=name,
        game=game,
        move=move,
        than=_action(game, entry["than"]) if "than" in entry else _first_other(game, move),
        given=[_numbers(names, reason) for reason in entry.get("given", [])],
        never=entry.get("never", []),
    )


def _own(entry: dict[str, Any]) -> dict[str, Any]:
    """What is said of the own seat."""
    keys = ("hand", "routes", "tickets", "offer", "marks", "score", "trains")
    return {key: entry[key] for key in keys if key in entry}


def _cards(text: str) -> dict[str, int]:
    """Cards as in "3 red, 1 loco"."""
    found = {}
    for part in filter(None, text.split(",")):
        n, word = part.split()
        found[CARDS[CARD_WORDS.index(word)]] = int(n)
    return found


def _left(edition: Edition, heaps: list[dict[str, int]]) -> Counter[str]:
    left = Counter(dict(zip(CARDS, edition.rules.cards, strict=True)))
    for heap in heaps:
        left.subtract(heap)
    return left


def _row(edition: Edition, seats: list[dict[str, Any]]) -> dict[str, int]:
    """A row of the usual colours, as far as there are cards of them."""
    left = _left(edition, [_cards(seat["hand"]) for seat in seats if "hand" in seat])
    return {color: 1 for color in ROW[: edition.rules.row] if left[color] > 0}


def _filled(
    edition: Edition,
    names: Notation,
    seats: list[dict[str, Any]],
    row: dict[str, int],
    entry: dict[str, Any],
) -> list[dict[str, Any]]:
    """The seats as positions have them, with what was left out."""
    hands = [_cards(seat["hand"]) for seat in seats if "hand" in seat]
    left = _left(edition, [*hands, row, _cards(entry.get("discards", ""))])
    named = {
        names.ticket_named(ticket)
        for seat in seats
        for ticket in (*seat.get("tickets", ()), *seat.get("offer", ()))
    } | {names.ticket_named(ticket) for ticket in entry.get("apart", ())}
    spare = [
        t
        for t, ticket in enumerate(edition.board.tickets)
        if t not in named and ticket.deck != "long"
    ]
    long = [t for t, k in enumerate(edition.board.tickets) if t not in named and k.deck == "long"]
    choosing = entry.get("phase") == "choose"
    found = []
    for seat in seats:
        full = dict(seat)
        if "seen" in seat:
            full["seen"] = _cards(seat["seen"])
        if "hand" in seat:
            full["hand"] = _cards(seat["hand"])
        else:
            full["hand"] = {}
            for _ in range(
                edition.rules.hand if entry.get("phase") in ("choose", "start") else HAND
            ):
                color = max(CARDS[:-1], key=lambda c: left[c])
                left[color] -= 1
                full["hand"][color] = full["hand"].get(color, 0) + 1
        if "tickets" not in seat and "offer" not in seat:
            count = edition.rules.setup_tickets if choosing else TICKETS
            mine = [names.ticket_name(spare.pop(0)) for _ in range(count)]
            if choosing and edition.rules.setup_long:
                mine.append(names.ticket_name(long.pop(0)))
            full["offer" if choosing else "tickets"] = mine
        found.append(full)
    return found


def _play(game: Game, text: str) -> None:
    """A move, or outcomes of chance: cards by name after "deal"."""
    if text.startswith("deal "):
        for word in text.split()[1:]:
            game.push_chance(CARD_WORDS.index(word))
    else:
        game.push(text)


def _action(game: Game, text: str) -> int:
    """The number of a legal move of seat 0."""
    legal = {game.notation.text(move): move for move in game.legal_moves_of(SEAT)}
    if text not in legal:
        raise ValueError(f"{text!r} is not legal here: {', '.join(legal)}")
    return game.notation.action(legal[text], game.view(SEAT).offer)


def _first_other(game: Game, move: int) -> int:
    """The first legal move that is another one."""
    moves = game.legal_moves_of(SEAT)
    actions = [game.notation.action(move, game.view(SEAT).offer) for move in moves]
    return next(action for action in actions if action != move)


def _numbers(names: Notation, reason: dict[str, Any]) -> dict[str, Any]:
    """A reason with the numbers of what it names."""
    number: dict[str, Callable[[str], int]] = {
        "ticket": names.ticket_named,
        "other": names.ticket_named,
        "route": names.route_named,
        "city": names.city_named,
        "color": CARD_WORDS.index,
    }
    return {key: number[key](value) if key in number else value for key, value in reason.items()}
