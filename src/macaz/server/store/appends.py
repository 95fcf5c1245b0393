"""Appending to the logs of many games with a handful of statements."""

from __future__ import annotations

from collections.abc import Iterator, Sequence

from sqlalchemy import BigInteger, Connection, Text, bindparam, func, update
from sqlalchemy.dialects import postgresql, sqlite

from macaz.server.store.rows import Append
from macaz.server.store.schema import entry, game, seat

_INSERTS = {
    dialect.__name__.rpartition(".")[2]: dialect.insert(entry)
    .on_conflict_do_nothing()
    .returning(entry.c.game_id)
    for dialect in (sqlite, postgresql)
}

_UPDATE_GAME = (
    update(game)
    .where(game.c.id == bindparam("game"))
    .values(
        status=bindparam("status"),
        wake_at=bindparam("wake_at"),
        updated_at=bindparam("at"),
        finished_at=func.coalesce(bindparam("finished", type_=BigInteger), game.c.finished_at),
        summary=func.coalesce(bindparam("told", type_=Text), game.c.summary),
    )
)

_UPDATE_SEAT = (
    update(seat)
    .where(seat.c.game_id == bindparam("game"), seat.c.seat == bindparam("number"))
    .values(person_id=bindparam("person"))
)


def run_appends(connection: Connection, appends: Sequence[Append]) -> list[bool]:
    """Whether each entry was new, and so written."""
    insert = _INSERTS[connection.dialect.name]
    verdicts = [False] * len(appends)
    written: list[Append] = []
    for turn in _turns(appends):
        rows = [_entry(append) for append in turn.values()]
        fresh = set(connection.scalars(insert, rows))
        for number, append in turn.items():
            if append.game in fresh:
                verdicts[number] = True
                written.append(append)
    # In the same order everywhere, so that two nodes never wait for each other.
    written.sort(key=lambda append: (append.game, append.version))
    if written:
        connection.execute(_UPDATE_GAME, [_game(append) for append in written])
    seats = [_seat(append) for append in written if append.seat is not None]
    if seats:
        connection.execute(_UPDATE_SEAT, seats)
    return verdicts


def _turns(appends: Sequence[Append]) -> Iterator[dict[int, Append]]:
    """The entries by their places, each game once in a turn: a second is judged after the first."""
    waiting = sorted(enumerate(appends), key=lambda item: item[1].game)
    while waiting:
        turn: dict[int, Append] = {}
        later = []
        last = None
        for number, append in waiting:
            if append.game == last:
                later.append((number, append))
            else:
                turn[number] = append
                last = append.game
        yield turn
        waiting = later


def _entry(append: Append) -> dict[str, object]:
    return {
        "game_id": append.game,
        "version": append.version,
        "nonce": append.nonce,
        "at": append.at,
        "body": append.body,
    }


def _game(append: Append) -> dict[str, object]:
    return {
        "game": append.game,
        "status": append.status,
        "wake_at": append.wake_at,
        "at": append.at,
        "finished": append.finished_at,
        "told": append.summary,
    }


def _seat(append: Append) -> dict[str, object]:
    assert append.seat is not None
    return {"game": append.game, "number": append.seat[0], "person": append.seat[1]}
