"""The rules of an edition as numbers and lists ("knobs"), each with its documentation.

A knob's metadata has its `doc`, and what `read_rules` accepts: `low` and `high` for whole numbers,
`choices` for words and lists of words. Knobs that only some phases or scorers use have a `default`,
the number of the printed games, and may be left out.
"""

from __future__ import annotations

import unicodedata
from collections.abc import Mapping
from dataclasses import Field, dataclass, field, fields
from typing import Any, NamedTuple

from macaz.edition.board import CARDS, closest

PHASES = ("draw", "claim", "tickets", "tunnel", "station", "start-city", "marker", "alvin")
BASIC_PHASES = ("draw", "claim", "tickets")
SCORERS = (
    "routes",
    "controllers",
    "tickets",
    "longest-path",
    "stations",
    "globetrotter",
    "alvin",
)
TIE_BREAKS = ("tickets", "stations", "longest-path")
SETUP_RETURNS = ("bottom", "shuffled", "out")
RETURN_ORDERS = ("chosen", "dealt")
MAX_LENGTH = 9


def _number(low: int, high: int, doc: str, default: int | None = None) -> Any:
    what = {"doc": doc, "type": "number", "low": low, "high": high, "default": default}
    return field(metadata=what)


def _word(choices: tuple[str, ...], doc: str, default: str | None = None) -> Any:
    return field(metadata={"doc": doc, "type": "word", "choices": choices, "default": default})


def _words(choices: tuple[str, ...], doc: str) -> Any:
    return field(metadata={"doc": doc, "type": "words", "choices": choices})


def _table(keys: tuple[str, ...], high: int, doc: str) -> Any:
    return field(metadata={"doc": doc, "type": "table", "keys": keys, "low": 0, "high": high})


_LENGTHS = tuple(str(length) for length in range(1, MAX_LENGTH + 1))


@dataclass(frozen=True, slots=True)
class Rules:
    """The rules of one edition, its chosen options included."""

    min_seats: int = _number(2, 6, "The smallest number of players.")
    max_seats: int = _number(2, 6, "The largest number of players.")
    cards: tuple[int, ...] = _table(
        CARDS, 60, "How many train cards there are of each colour, and how many locomotives (S1)."
    )
    hand: int = _number(1, 9, "How many train cards each player is dealt at the start (S2).")
    row: int = _number(1, 9, "How many train cards lie face up (S2).")
    row_locomotives: int = _number(
        1, 10, "This many face-up locomotives, or more, replace the whole row (S3, D7)."
    )
    trains: int = _number(1, 60, "How many trains each player has (C3).")
    last_trains: int = _number(
        0, 59, "A player who ends a turn with this many trains or fewer starts the last round (E1)."
    )
    route_points: tuple[int, ...] = _table(
        _LENGTHS, 99, "The points for a route, by its length (C5)."
    )
    parallel_from: int = _number(
        2,
        7,
        "From this many players on, the other lanes of a double or triple route stay open (C7).",
    )
    setup_tickets: int = _number(
        0, 5, "How many normal tickets each player is dealt at the start (S4)."
    )
    setup_long: int = _number(
        0, 5, "How many long tickets each player is dealt at the start (S4, S5).", default=0
    )
    setup_keep: int = _number(1, 5, "How many of them each player must keep at least (S4).")
    setup_return: str = _word(
        SETUP_RETURNS,
        "Where tickets returned at the start go: under the deck, shuffled together and then "
        "under the deck, or out of the game (S4, S5).",
    )
    draw_tickets: int = _number(1, 5, "How many tickets are drawn in a turn that draws them (K1).")
    draw_keep: int = _number(1, 5, "How many of them must be kept at least (K1).")
    return_order: str = _word(
        RETURN_ORDERS,
        "Whether the player chooses the order in which tickets go under the deck, or they go "
        "in the order of the edition's tickets, which are sorted by deck and cities (K1).",
    )
    tunnel_cards: int = _number(
        0, 5, "How many cards are revealed for a tunnel (U1, U6).", default=3
    )
    stations: int = _number(0, 3, "How many stations each player has (G1, G2).", default=0)
    station_points: int = _number(0, 99, "The points for a station not built (G4).", default=4)
    markers: int = _number(
        0,
        3,
        "How many city markers each player has, the starting city's included (S7, W1).",
        default=0,
    )
    marker_cards: int = _number(
        1, 3, "How many cards of one colour a city marker costs (W3).", default=2
    )
    alvin_city: str = _word(
        (), "The city where Alvin starts, or empty without him (A1).", default=""
    )
    alvin_points: int = _number(
        0,
        99,
        "The points for catching Alvin, and for holding him at the end (A2, A3, A5).",
        default=10,
    )
    longest_points: int = _number(0, 99, "The points for the longest path (E3).", default=10)
    globetrotter_points: int = _number(
        0, 99, "The points for the most completed tickets (W6).", default=15
    )
    phases: tuple[str, ...] = _words(
        PHASES,
        "What a turn can hold: draw, claim and tickets always (T1), and the edition's own "
        "(U1, G1, S7, W2, W3, A1).",
    )
    scorers: tuple[str, ...] = _words(
        SCORERS,
        "What gives points: routes to their claimer or to the controllers of their cities (W4), "
        "and the rest at the end (E2, E3, G4, W6, A5).",
    )
    tie_breaks: tuple[str, ...] = _words(
        TIE_BREAKS, "What decides between equal scores, the first that differs (E4)."
    )


KNOBS: dict[str, Field[Any]] = {knob.name: knob for knob in fields(Rules)}


class Fault(NamedTuple):
    """A problem of one knob."""

    knob: str
    message: str
    remedy: str


def read_rules(
    table: Mapping[str, object], *, partial: bool = False
) -> tuple[dict[str, Any], list[Fault]]:
    """The valid knobs of a table as arguments of `Rules`, and the faults of the others.

    Each knob is checked alone; `edition.check` checks them against each other. Knobs with a default
    may be missing, with `partial` all: an option has only those it changes.
    """
    values: dict[str, Any] = {}
    faults: list[Fault] = []
    for name, raw in table.items():
        if name in KNOBS:
            value, found = _read_knob(KNOBS[name], raw)
            faults += found
            if value is not None:
                values[name] = value
        else:
            faults.append(Fault(name, f'unknown knob "{name}"', suggest(name, KNOBS)))
    if not partial:
        for name, knob in KNOBS.items():
            default = knob.metadata.get("default")
            if name not in table and default is not None:
                values[name] = default
            elif name not in table:
                remedy = f'Add it, or a base = "usa-classic" to inherit it. {knob.metadata["doc"]}'
                faults.append(Fault(name, f'the knob "{name}" is missing', remedy))
    return values, faults


def suggest(word: str, known: Mapping[str, object] | tuple[str, ...]) -> str:
    """A remedy for an unknown word: the closest known one, or all of them."""
    near = closest(word, known)
    if near is not None:
        return f'Did you mean "{near}"?'
    return f"Use one of: {', '.join(known)}." if known else "Remove it."


def _read_knob(knob: Field[Any], raw: object) -> tuple[Any, list[Fault]]:
    match knob.metadata["type"]:
        case "number":
            return _read_number(knob, knob.name, raw)
        case "word":
            return _read_word(knob, raw)
        case "words":
            return _read_words(knob, raw)
        case _:
            return _read_table(knob, raw)


def _read_number(knob: Field[Any], place: str, raw: object) -> tuple[int | None, list[Fault]]:
    low, high = knob.metadata["low"], knob.metadata["high"]
    remedy = f"Use a whole number from {low} to {high}."
    if not isinstance(raw, int) or isinstance(raw, bool):
        return None, [Fault(place, f"not a whole number: {raw!r}", remedy)]
    if not low <= raw <= high:
        return None, [Fault(place, f"{raw} is out of range", remedy)]
    return raw, []


def _read_word(knob: Field[Any], raw: object) -> tuple[str | None, list[Fault]]:
    choices = knob.metadata["choices"]
    if not isinstance(raw, str):
        return None, [Fault(knob.name, f"not a text in quotes: {raw!r}", 'Write it as "word".')]
    if choices and raw not in choices:
        return None, [Fault(knob.name, f'unknown value "{raw}"', suggest(raw, choices))]
    return unicodedata.normalize("NFC", raw), []


def _read_words(knob: Field[Any], raw: object) -> tuple[tuple[str, ...] | None, list[Fault]]:
    choices: tuple[str, ...] = knob.metadata["choices"]
    if not isinstance(raw, list) or not all(isinstance(word, str) for word in raw):
        remedy = 'Write it as ["word", "word"].'
        return None, [Fault(knob.name, f"not a list of words: {raw!r}", remedy)]
    singular = knob.name.removesuffix("s").replace("_", "-")
    faults = [
        Fault(knob.name, f'unknown {singular} "{word}"', suggest(word, choices))
        for word in raw
        if word not in choices
    ]
    if len(set(raw)) < len(raw):
        faults.append(Fault(knob.name, "a word is there twice", "Keep it once."))
    # Only the order of tie-breaks matters; the others are sorted, so that it changes nothing.
    ordered = raw if knob.name == "tie_breaks" else [word for word in choices if word in raw]
    return (None if faults else tuple(ordered)), faults


def _read_table(knob: Field[Any], raw: object) -> tuple[tuple[int, ...] | None, list[Fault]]:
    keys: tuple[str, ...] = knob.metadata["keys"]
    if not isinstance(raw, dict):
        remedy = f"Write it as a table [rules.{knob.name}]."
        return None, [Fault(knob.name, f"not a table: {raw!r}", remedy)]
    faults = [
        Fault(f"{knob.name}.{key}", f'unknown entry "{key}"', suggest(key, keys))
        for key in raw
        if key not in keys
    ]
    numbers = []
    for key in keys:
        number, found = _read_number(knob, f"{knob.name}.{key}", raw.get(key, 0))
        faults += found
        numbers.append(number or 0)
    # Lengths start at 1: an entry for 0 is added so that the length is the index.
    padding = [0] if knob.name == "route_points" else []
    return (None if faults else tuple(padding + numbers)), faults
