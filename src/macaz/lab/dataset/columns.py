"""Declares every column of a dataset; the files and their documentation derive from it."""

from __future__ import annotations

from typing import Any, NamedTuple

from macaz.kernel.observation import OBSERVATION_SIZE
from macaz.lab.parquet import need_pyarrow


class Column(NamedTuple):
    """A column: its name, its type and its meaning."""

    name: str
    kind: str  # as in `_type`
    doc: str


_BY_SEAT = "list of int16"

GAMES = (
    Column("game", "int64", "number of the game, from 0"),
    Column("edition", "text", "the edition, with its options"),
    Column("fingerprint", "text", "of the edition: the same map and rules have the same"),
    Column("seats", "int8", "how many play"),
    Column("seed", "text", "`Game(edition, seats, seed=…)` deals the same cards; null if unknown"),
    Column("first", "int8", "the seat that began"),
    Column("lineup", "list of text", "the bots, or in a record the names of the seats"),
    Column("scores", _BY_SEAT, "final points"),
    Column("winners", "list of int8", "the seats that won; several share the win"),
    Column("tie_break", "text", "what decided among equals: null where nothing had to"),
    Column("routes", _BY_SEAT, "points for routes, and for catching Alvin"),
    Column("tickets", _BY_SEAT, "points of completed tickets less those of the others"),
    Column("longest", _BY_SEAT, "bonus for the longest path"),
    Column("stations", _BY_SEAT, "bonus for stations not built"),
    Column("globetrotter", _BY_SEAT, "bonus for the most completed tickets"),
    Column("alvin", _BY_SEAT, "bonus for holding Alvin at the end"),
    Column("kept", "list of int8", "tickets held at the end"),
    Column("completed", "list of int8", "of these, tickets completed"),
    Column("path", _BY_SEAT, "length of the longest path"),
    Column("turns", "int32", "turns in the game, of all seats together"),
    Column("decisions", "int32", "decisions in the game, of all seats together"),
    Column("record", "text", "the whole game as a record, which can be replayed"),
)

DECISIONS = (
    Column("game", "int64", "number of the game"),
    Column("ply", "int32", "its step in the game's history, where chance has steps too"),
    Column("seat", "int8", "the seat that decided"),
    Column("bot", "category", "its bot, as in `lineup`"),
    Column("phase", "category", "what was to be decided"),
    Column("observation", "bytes", "what the seat could see: the observation, an int8 a byte"),
    Column("legal", "list of int16", "the numbers of all legal actions, ascending"),
    Column("action", "int16", "the number of the one that was taken"),
    Column("move", "text", "the same in words"),
    Column("score", "int16", "the seat's final points"),
    Column("share", "float32", "its share of the win: 1 alone, ½ of two, 0"),
)


def schema_of(columns: tuple[Column, ...]) -> Any:
    """The Arrow schema of these columns."""
    pa = need_pyarrow()
    may_be_null = ("seed", "tie_break")
    return pa.schema(
        [pa.field(c.name, _type(pa, c.kind), nullable=c.name in may_be_null) for c in columns]
    )


def _type(pa: Any, kind: str) -> Any:
    if kind.startswith("list of "):
        return pa.list_(pa.field("item", _type(pa, kind.removeprefix("list of ")), nullable=False))
    if kind == "text":
        return pa.string()
    if kind == "category":
        return pa.dictionary(pa.int16(), pa.string())
    if kind == "bytes":
        return pa.binary(OBSERVATION_SIZE)
    return getattr(pa, kind)()
