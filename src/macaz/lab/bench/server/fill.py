"""Fills databases with games: plays one game and copies it under other names."""

from __future__ import annotations

import secrets
import time
from collections.abc import Iterator
from contextlib import contextmanager
from dataclasses import dataclass

import msgspec
from sqlalchemy import URL, Connection, create_engine, insert, literal, null, select, text
from sqlalchemy.exc import SQLAlchemyError

from macaz.bots import make_bot
from macaz.edition import load_edition
from macaz.game.fair import SECRET_BYTES
from macaz.lab.bench.measure import Skipped
from macaz.server import show
from macaz.server.entries import AnyEntry, Sat, encode_entry
from macaz.server.people import digest
from macaz.server.state import (
    COLORS,
    Deal,
    SeatTerms,
    TableState,
    Terms,
    act,
    announce,
    begin,
    follow,
    new_state,
)
from macaz.server.store.connect import writing_engine
from macaz.server.store.migrate import migrate
from macaz.server.store.place import file_of, make_file, read_url
from macaz.server.store.schema import entry, game, person, seat, token

EDITION, SEATS = "usa-classic", 4
PEOPLE = tuple(f"bench-{number}" for number in range(SEATS))
# They are valid in a temporary database only.
TOKENS = tuple(f"macaz_{name}" for name in PEOPLE)


@dataclass(frozen=True, slots=True)
class Played:
    """A game with its log, as the store keeps it."""

    values: dict[str, object]
    log: tuple[bytes, ...]


def play(bot: str, most: int | None = None) -> Played:
    """A game of four people who play like a bot, to its end or to `most` log entries."""
    edition = load_edition(EDITION)
    terms = Terms(seats=(SeatTerms(),) * SEATS, stand_in="random")
    deal = Deal(edition, terms, secret=secrets.token_bytes(SECRET_BYTES), seed=None)
    state, log, now = new_state(terms), list[bytes](), time.time_ns() // 1_000_000

    def write(one: AnyEntry, state: TableState, after: object = None) -> TableState:
        log.append(encode_entry(one))
        return follow(deal, state, one, now, after)  # type: ignore[arg-type]

    for number, name in enumerate(PEOPLE):
        state = write(Sat(number, name, f"Player {number + 1}", COLORS[number]), state)
    state = write(announce(deal, state), state)
    running, dealt = begin(deal, state)
    state = write(dealt, state, running)
    player = make_bot(bot, seed=1)
    while not running.over and (most is None or len(log) < most):
        chosen = running.deciding[0]
        move = player.choose(running.view(chosen), tuple(running.legal_moves_of(chosen)))
        running, acted = act(deal.dealer_of(state), running, chosen, running.parse(move, chosen))
        state = write(acted, state, running)
    values: dict[str, object] = {
        "edition": edition.qualified_id,
        "fingerprint": edition.fingerprint,
        "seats": SEATS,
        "terms": msgspec.json.encode(terms),
        "secret": deal.dealer.secret,
        "host": PEOPLE[0],
        "listed": False,
        "status": state.status,
        "created_at": now,
        "updated_at": now,
        "finished_at": now if running.over else None,
        "summary": show.summary(state, terms),
    }
    return Played(values, tuple(log))


def make_database(url: str) -> None:
    """Create a database with the players and without games."""
    place = read_url(url)
    if (file := file_of(place)) is not None:
        make_file(file)
    migrate(place)
    now = time.time_ns() // 1_000_000
    with _writing(place) as connection:
        for name, secret in zip(PEOPLE, TOKENS, strict=True):
            about = {"id": name, "name": name, "color": "blue", "created_at": now}
            connection.execute(insert(person).values(about))
            connection.execute(
                insert(token).values(
                    id=name, person_id=name, digest=digest(secret), label="bench", created_at=now
                )
            )


def add_games(url: str, prefix: str, played: Played, count: int) -> list[str]:
    """Store `count` copies of a game; returns their names."""
    names = [f"{prefix}-{number:06d}" for number in range(count)]
    rows = [{"id": name, **played.values} for name in names]
    log = [
        {"game_id": names[0], "version": number + 1, "at": played.values["created_at"], "body": one}
        for number, one in enumerate(played.log)
    ]
    chairs = [{"game_id": names[0], "seat": n, "person_id": who} for n, who in enumerate(PEOPLE)]
    with _writing(read_url(url)) as connection:
        connection.execute(insert(game), rows)
        connection.execute(insert(entry), log)
        connection.execute(insert(seat), chairs)
        # The database copies the rest itself, which is much faster.
        others = game.c.id.startswith(f"{prefix}-") & (game.c.id != names[0])
        one = entry.alias()
        connection.execute(
            insert(entry).from_select(
                ["game_id", "version", "nonce", "at", "body"],
                select(game.c.id, one.c.version, null(), one.c.at, one.c.body)
                .join_from(game, one, one.c.game_id == literal(names[0]))
                .where(others)
                .order_by(game.c.id, one.c.version),
            )
        )
        chair = seat.alias()
        connection.execute(
            insert(seat).from_select(
                ["game_id", "seat", "person_id"],
                select(game.c.id, chair.c.seat, chair.c.person_id)
                .join_from(game, chair, chair.c.game_id == literal(names[0]))
                .where(others),
            )
        )
    return names


@contextmanager
def _writing(place: URL) -> Iterator[Connection]:
    engine = writing_engine(place)
    try:
        with engine.begin() as connection:
            if engine.dialect.name == "postgresql":
                # The timeout of the server is too short for a hundred thousand games.
                connection.execute(text("SET LOCAL statement_timeout = 0"))
            yield connection
    finally:
        engine.dispose()


@contextmanager
def own_postgres(url: str) -> Iterator[str]:
    """Create a database on a PostgreSQL server, and drop it afterwards."""
    place, name = read_url(url), f"macaz_bench_{secrets.token_hex(6)}"
    engine = create_engine(place, isolation_level="AUTOCOMMIT")
    try:
        try:
            with engine.connect() as connection:
                connection.execute(text(f"CREATE DATABASE {name}"))
        except SQLAlchemyError as error:
            reason = str(error.__cause__ or error).splitlines()[0]
            raise Skipped(f"no database could be made there ({reason})") from error
        try:
            yield place.set(database=name).render_as_string(hide_password=False)
        finally:
            with engine.connect() as connection:
                connection.execute(text(f"DROP DATABASE {name} WITH (FORCE)"))
    finally:
        engine.dispose()
