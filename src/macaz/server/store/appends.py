"""Appending to the logs of many games with a handful of statements."""

from __future__ import annotations

from collections.abc import Iterator, Sequence

from sqlalchemy import BigInteger, Connection, Text, bindparam, case, func, select, update
from sqlalchemy.dialects import postgresql, sqlite

from macaz.server.store.rows import Append
from macaz.server.store.schema import entry, game, link, seat
from macaz.server.store.trouble import LinkSpent

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
        notice_at=case(
            (game.c.notice_at <= bindparam("at"), game.c.notice_at),
            else_=bindparam("notice", type_=BigInteger),
        ),
        updated_at=bindparam("at"),
        finished_at=func.coalesce(bindparam("finished", type_=BigInteger), game.c.finished_at),
        end_shown_at=func.coalesce(bindparam("shown", type_=BigInteger), game.c.end_shown_at),
        summary=func.coalesce(bindparam("new_summary", type_=Text), game.c.summary),
    )
)

_UPDATE_SEAT = (
    update(seat)
    .where(seat.c.game_id == bindparam("game"), seat.c.seat == bindparam("number"))
    .values(person_id=bindparam("person"))
)

_USE_LINK = update(link).where(link.c.id == bindparam("used")).values(used_at=bindparam("at"))


def run_appends(connection: Connection, appends: Sequence[Append]) -> list[bool | LinkSpent]:
    """Whether each entry was new, and so written; `LinkSpent` where its link cannot be used."""
    insert = _INSERTS[connection.dialect.name]
    verdicts: list[bool | LinkSpent] = [False] * len(appends)
    written: list[Append] = []
    links = _hold_links(connection, appends)
    for turn in _turns(appends):
        for number, append in tuple(turn.items()):
            if append.link is not None and (append.game, append.link) not in links:
                verdicts[number] = LinkSpent()
                del turn[number]
        rows = [_entry(append) for append in turn.values()]
        new = set(connection.scalars(insert, rows)) if rows else set()
        for number, append in turn.items():
            if append.game in new:
                verdicts[number] = True
                written.append(append)
                links.discard((append.game, append.link))
    # In the same order on all nodes, so that two transactions never deadlock.
    written.sort(key=lambda append: (append.game, append.version))
    if written:
        connection.execute(_UPDATE_GAME, [_game(append) for append in written])
    seats = [_seat(append) for append in written if append.seat is not None]
    if seats:
        connection.execute(_UPDATE_SEAT, seats)
    used = [_link(append) for append in written if append.link is not None]
    if used:
        connection.execute(_USE_LINK, used)
    return verdicts


def _hold_links(connection: Connection, appends: Sequence[Append]) -> set[tuple[str, str | None]]:
    """The usable links, each with its game; their rows are locked until the commit."""
    wanted = {append.link for append in appends if append.link is not None}
    if not wanted:
        return set()
    query = (
        select(link.c.game_id, link.c.id)
        .where(link.c.id.in_(wanted), link.c.used_at.is_(None), link.c.revoked_at.is_(None))
        .order_by(link.c.id)
        .with_for_update()
    )
    return {(game_id, link_id) for game_id, link_id in connection.execute(query)}


def _turns(appends: Sequence[Append]) -> Iterator[dict[int, Append]]:
    """Rounds of entries by their index, each with one entry of a game at most."""
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
        "notice": append.notice_at,
        "at": append.at,
        "finished": append.finished_at,
        "shown": append.end_shown_at,
        "new_summary": append.summary,
    }


def _seat(append: Append) -> dict[str, object]:
    assert append.seat is not None
    return {"game": append.game, "number": append.seat[0], "person": append.seat[1]}


def _link(append: Append) -> dict[str, object]:
    return {"used": append.link, "at": append.at}
