"""What a server deletes when it is no longer needed, and what it never deletes."""

from __future__ import annotations

import asyncio
import os
import signal
import sqlite3
import subprocess
import sys
from collections.abc import Awaitable, Callable
from contextlib import closing
from functools import partial
from pathlib import Path
from typing import Any

import pytest
from click.testing import CliRunner
from hypothesis import HealthCheck, given
from hypothesis import settings as hypothesis_settings
from hypothesis import strategies as st
from sqlalchemy import Connection, event, func, select, text
from tests.server.clocks import DAY_MS, Ticking
from tests.server.harness import Client, Served, hear, play_on, say, serving, settings
from tests.server.test_store import a_game, an_entry

from macaz.cli import main
from macaz.errors import MacazError
from macaz.server import periodic
from macaz.server.retention import KINDS, retention_of
from macaz.server.settings import Settings
from macaz.server.store import pruning
from macaz.server.store.connect import migrating_engine
from macaz.server.store.migrate import migrate
from macaz.server.store.place import read_url
from macaz.server.store.pruning import Retention
from macaz.server.store.quotas import Quotas
from macaz.server.store.rows import Status
from macaz.server.store.schema import metadata
from macaz.server.store.store import Store, open_to_prune

TODAY = 20_000 * DAY_MS
ALL = Retention(guests=10, finished=10, bot_games=10, closed=10, abandoned=10, sessions=10)
PATIENCE = 60.0  # for a store on a busy machine


@pytest.fixture(params=["sqlite", "postgres"])
def url(request: pytest.FixtureRequest, tmp_path: Path) -> str:
    if request.param == "sqlite":
        return f"sqlite:///{tmp_path / 'macaz.db'}"
    address: str = request.getfixturevalue("postgres_url")
    return address


class World:
    """A store whose clock stands still, with games of any age."""

    def __init__(self, store: Store) -> None:
        self.store = store

    async def person(self, name: str, age: float = 0) -> str:
        """A guest who came this many days ago."""
        await self.at(age, lambda: self.store.people.add(name, name.title(), "red"))
        return name

    async def at(self, age: float, work: Callable[[], Awaitable[Any]]) -> Any:
        """Run something with the clock set back by this many days."""
        today, self.store.database.clock = (
            self.store.database.clock,
            lambda: TODAY - int(age * DAY_MS),
        )
        try:
            return await work()
        finally:
            self.store.database.clock = today

    async def game(
        self, name: str, status: Status, age: float, *people: str | None, **more: Any
    ) -> str:
        """A game that last changed this many days ago, with rows in every related table."""
        at = TODAY - int(age * DAY_MS)
        row = a_game(name, seats=len(people), created_at=at, updated_at=at, **more)
        assert await self.store.games.create(row, people)
        ended = at if status in ("finished", "closed") else None
        for version in (1, 2):
            last = {"status": status, "finished_at": ended} if version == 2 else {}
            assert await self.store.games.append(an_entry(name, version, **{"at": at, **last}))
        await self.store.links.add(f"{name}-l", f"{name}-d", name, "watch", None, row.host)
        watchers = [person for person in people if person]
        for person in watchers[:1]:
            await self.store.links.add_watcher(name, person, f"{name}-l")
        await self.store.judgements.keep(name, 0, "expert", b"{}")
        return name


def in_world(url: str, scenario: Callable[[World], Awaitable[Any]]) -> Any:
    async def run() -> Any:
        store = Store.open(url, clock=lambda: TODAY, patience=PATIENCE)
        try:
            return await scenario(World(store))
        finally:
            await store.close()

    return asyncio.run(run())


def counts(found: list[pruning.Pruned]) -> dict[str, int]:
    return {one.kind: one.number for one in found if one.number}


async def rows_of(store: Store) -> dict[str, list[str]]:
    """Everything in the database."""

    def read(connection: Any) -> dict[str, list[str]]:
        return {
            name: sorted(map(repr, connection.execute(select(table)).all()))
            for name, table in metadata.tables.items()
        }

    return await store.database.read(read)


async def games_in(store: Store) -> set[str]:
    return set(await store.database.all(select(metadata.tables["game"].c.id), str))


# -- what is deleted -------------------------------------------------------------------------------


async def furnish(world: World) -> None:
    for name in ("ada", "ben"):
        await world.person(name, 900)
    await world.game("between-old", "finished", 11, "ada", "ben")
    await world.game("between-new", "finished", 9, "ada", "ben")
    await world.game("one-screen-old", "finished", 11, "ada", "ada")
    await world.game("bots-old", "finished", 11, "ada", None)
    await world.game("bots-new", "finished", 9, "ada", None)
    await world.game("only-bots-old", "finished", 12, None, None)
    await world.game("closed-old", "closed", 11, "ada", "ben")
    await world.game("closed-new", "closed", 9, "ada", "ben")
    await world.game("waiting-old", "waiting", 11, "ada", None)
    await world.game("running-old", "running", 13, "ada", "ben")
    await world.game("running-new", "running", 9, "ada", "ben")
    await world.person("old-guest", 11)
    await world.person("new-guest", 9)
    for age in (2, 0.5):
        row = a_game(f"counted-{age}", created_at=TODAY - int(age * DAY_MS), updated_at=TODAY)
        await world.store.games.create(
            row, [None, None], address="x", quotas=Quotas(address_a_day=9)
        )


EXPECTED = {
    "guests": {"old-guest"},
    "finished": {"between-old", "one-screen-old"},
    "bot_games": {"bots-old", "only-bots-old"},
    "closed": {"closed-old"},
    "abandoned": {"waiting-old", "running-old"},
}


@pytest.mark.parametrize("kind", [*EXPECTED, "creations"])
def test_each_kind_has_its_own_retention(url, kind):
    async def scenario(world: World) -> None:
        store = world.store
        await furnish(world)
        before = await games_in(store)
        retention = Retention(**({kind: 10} if kind in EXPECTED else {}))
        found = counts(await store.pruning.prune(retention))
        expected = EXPECTED.get(kind, set())
        assert found == {"creations": 1, **({kind: len(expected)} if expected else {})}
        gone = before - await games_in(store)
        assert gone == (expected if kind != "guests" else set())
        assert (await store.people.get("old-guest") is None) == (kind == "guests")
        assert await store.people.get("new-guest")

    in_world(url, scenario)


def test_a_dry_run_says_the_same_and_deletes_nothing(url):
    async def scenario(world: World) -> None:
        await furnish(world)
        before = await rows_of(world.store)
        told = await world.store.pruning.prune(ALL, dry_run=True)
        assert await rows_of(world.store) == before
        assert await world.store.pruning.prune(ALL, dry_run=True) == told
        assert await world.store.pruning.prune(ALL) == told
        assert counts(told) == {
            **{kind: len(names) for kind, names in EXPECTED.items()},
            "creations": 1,
        }
        assert [one.kind for one in told if one.oldest is None] == ["sessions"]
        oldest = {one.kind: (TODAY - one.oldest) // DAY_MS for one in told if one.oldest}
        assert oldest == {
            "guests": 11,
            "finished": 11,
            "bot_games": 12,
            "closed": 11,
            "abandoned": 13,
            "creations": 2,
        }
        assert counts(await world.store.pruning.prune(ALL)) == {}

    in_world(url, scenario)


def test_a_game_goes_with_all_that_belongs_to_it_and_nothing_else(url):
    async def scenario(world: World) -> None:
        store = world.store
        for name in ("ada", "ben"):
            await world.person(name)
        await world.game("stays", "finished", 1, "ada", "ben")
        before = await rows_of(store)
        await world.game("goes", "closed", 30, "ada", "ben")
        full = await rows_of(store)
        for name in ("game", "entry", "seat", "link", "watcher", "judgement"):
            assert len(full[name]) > len(before[name])
        assert counts(await store.pruning.prune(ALL)) == {"closed": 1}
        assert await rows_of(store) == before

    in_world(url, scenario)


def test_rematches_of_deleted_games_stay(url):
    async def scenario(world: World) -> None:
        store = world.store
        await world.person("ada")
        await world.game("first", "closed", 50, "ada", None)
        await world.game("second", "closed", 40, "ada", None, previous="first")
        await world.game("third", "finished", 5, "ada", None, previous="second")
        assert counts(await store.pruning.prune(ALL)) == {"closed": 2}
        third = await store.games.get("third")
        assert third is not None
        assert third.previous is None
        assert [row.version for row in await store.games.entries("third")] == [1, 2]

    in_world(url, scenario)


def test_the_game_before_a_rematch_that_is_played_stays(url):
    async def scenario(world: World) -> None:
        store = world.store
        await world.person("ada")
        await world.game("before", "closed", 50, "ada", None)
        await world.game("rematch", "running", 30, "ada", None, previous="before")
        told = await store.pruning.prune(ALL, dry_run=True)
        assert counts(told) == {"abandoned": 1}
        assert await store.pruning.prune(ALL) == told
        assert await games_in(store) == {"before"}
        assert counts(await store.pruning.prune(ALL)) == {"closed": 1}

    in_world(url, scenario)


def test_guests_stay_for_any_reason_to_come_back(url):
    async def scenario(world: World) -> None:
        store = world.store
        for name in ("plays", "hosts", "program", "old-program", "revoked", "watches", "idle"):
            await world.person(name, 100)
        await world.game("g", "finished", 1, "plays", None, host="hosts")
        await world.at(5, lambda: store.credentials.add_token("t1", "program", "d1", "bot"))
        await world.at(50, lambda: store.credentials.add_token("t2", "old-program", "d2", "bot"))
        await world.at(50, lambda: store.credentials.add_token("t3", "revoked", "d3", "bot"))
        await store.credentials.use_token("t3")
        await store.credentials.revoke_token("revoked", "t3")
        await store.links.add_watcher("g", "watches", "g-l")
        assert counts(await store.pruning.prune(Retention(guests=10))) == {"guests": 4}
        kept = [name for name in ("plays", "hosts", "program") if await store.people.get(name)]
        assert kept == ["plays", "hosts", "program"]
        assert await store.people.get("watches") is None
        assert not await store.links.is_watcher("g", "watches")
        assert await store.credentials.token_by_digest("d2") is None

    in_world(url, scenario)


def test_a_guest_with_a_session_in_use_stays(url):
    async def scenario(world: World) -> None:
        store = world.store
        for name in ("here", "away", "signed-out"):
            await world.person(name, 100)
            await world.at(
                90, partial(store.credentials.add_session, f"s-{name}", name, name, "Firefox")
            )
        await world.at(5, partial(store.credentials.use_session, "s-here"))
        await world.at(5, partial(store.credentials.use_session, "s-signed-out"))
        await store.credentials.end_session("signed-out", "s-signed-out")
        assert counts(await store.pruning.prune(Retention(guests=10))) == {"guests": 2}
        assert await store.credentials.session_by_digest("here")
        for name in ("away", "signed-out"):
            assert await store.people.get(name) is None
            assert await store.credentials.session_by_digest(name) is None

    in_world(url, scenario)


def test_ended_and_unused_sessions_go_but_for_the_newest_of_a_person(url):
    async def scenario(world: World) -> None:
        store = world.store
        for name in ("ada", "ben", "eva"):
            await world.person(name, 100)
        for name, session, age in (
            *(("ada", "unused", 50), ("ada", "ended", 3), ("ada", "living", 1)),
            *(("ben", "first", 40), ("ben", "last", 40), ("eva", "only", 2)),
        ):
            await world.at(
                age, partial(store.credentials.add_session, session, name, session, "Firefox")
            )
        await store.credentials.end_session("ada", "ended")
        await store.credentials.end_session("eva", "only")
        told = await store.pruning.prune(Retention(sessions=10), dry_run=True)
        assert counts(told) == {"sessions": 3}
        assert await store.pruning.prune(Retention(sessions=10)) == told
        left = {row.split("'")[1] for row in (await rows_of(store))["session"]}
        assert left == {"living", "last", "only"}
        # So a cookie signed before sessions existed is not accepted again.
        await store.credentials.adopt_session("new", "eva", "signed", "Firefox")
        assert await store.credentials.session_by_digest("signed") is None

    in_world(url, scenario)


def test_by_default_no_finished_game_between_people_is_ever_lost(url):
    async def scenario(world: World) -> None:
        await furnish(world)
        between = {"between-old", "between-new", "one-screen-old"}
        logs = {name: await world.store.games.entries(name) for name in between}
        world.store.database.clock = lambda: TODAY + 100 * 365 * DAY_MS
        await world.store.pruning.prune(retention_of(Settings()))
        assert await games_in(world.store) == between
        assert {name: await world.store.games.entries(name) for name in between} == logs
        assert await world.store.people.get("ada")
        assert await world.store.people.get("ben")

    in_world(url, scenario)


def test_with_all_settings_at_0_nothing_goes_but_the_counts_of_a_day(url):
    async def scenario(world: World) -> None:
        await furnish(world)
        world.store.database.clock = lambda: TODAY + 100 * 365 * DAY_MS
        assert counts(await world.store.pruning.prune(Retention())) == {"creations": 2}

    in_world(url, scenario)


def test_every_setting_is_a_kind():
    named = {name for name in Settings.__dataclass_fields__ if name.startswith("keep_")}
    assert {setting for _, setting in KINDS.values() if setting} == named
    chosen: dict[str, Any] = {name: number for number, name in enumerate(sorted(named), 1)}
    retention = retention_of(Settings(**chosen))
    assert {getattr(retention, kind) for kind in EXPECTED} == set(chosen.values())


def test_more_than_a_page_of_everything(url, monkeypatch):
    monkeypatch.setattr(pruning, "_PAGE", 7)
    monkeypatch.setattr(pruning, "_BATCH", 3)

    async def scenario(world: World) -> None:
        await world.person("ada")
        for number in range(40):  # several at each moment: the id decides
            status: Status = "finished" if number % 2 else "closed"
            await world.game(f"g{number}", status, 20 - number // 4, "ada", None)
        told = await world.store.pruning.prune(ALL, dry_run=True)
        assert counts(told) == {"closed": 20, "bot_games": 20}
        assert await world.store.pruning.prune(ALL) == told
        assert await games_in(world.store) == set()

    in_world(url, scenario)


@pytest.mark.parametrize("kind", ["guests", "bot_games", "closed", "abandoned", "sessions"])
def test_few_rows_are_looked_at_again_before_they_go(tmp_path, kind):
    """Not all candidates, of which an old database has very many."""
    place = read_url(f"sqlite:///{tmp_path / 'macaz.db'}")
    migrate(place)
    [rows] = [rows for rows in pruning._kinds(ALL, TODAY) if rows.kind == kind]
    told: list[str] = []
    engine = migrating_engine(place)

    @event.listens_for(engine, "before_cursor_execute", retval=True)
    def explain(*call: Any) -> tuple[str, Any]:
        _, cursor, statement, values, _, _ = call
        if statement.startswith("SELECT"):
            found = cursor.execute(f"EXPLAIN QUERY PLAN {statement}", values).fetchall()
            told.append(found[0][3])
        return statement, values

    with engine.begin() as connection:
        keys = [f"k{number}" for number in range(pruning._BATCH)]
        assert pruning._delete(connection, rows, keys) == set()
    engine.dispose()
    assert [plan.partition(" USING INDEX ")[2].partition(" ")[0] for plan in told] == [
        f"sqlite_autoindex_{rows.key.table.name}_1"
    ]


# -- in use ----------------------------------------------------------------------------------------


def test_a_marked_game_stays_until_the_mark_is_old(url):
    async def scenario(world: World) -> None:
        store = world.store
        await world.person("ada")
        await world.game("old", "closed", 50, "ada", None)
        await world.at(9, lambda: store.pruning.mark_seen(["old"]))
        assert counts(await store.pruning.prune(ALL)) == {}
        assert await store.pruning.mark_seen(["old", "gone"]) == 1
        world.store.database.clock = lambda: TODAY + 9 * DAY_MS
        assert counts(await store.pruning.prune(ALL)) == {}
        world.store.database.clock = lambda: TODAY + 11 * DAY_MS
        assert counts(await store.pruning.prune(ALL)) == {"closed": 1}
        assert await store.pruning.mark_seen(["old"]) == 0

    in_world(url, scenario)


def test_a_mark_between_looking_and_deleting_counts(url):
    async def scenario(world: World) -> None:
        store = world.store
        await world.person("ada")
        for name in ("g1", "g2"):
            await world.game(name, "closed", 50, "ada", None)
        write = store.database.write

        async def write_later(work: Any) -> Any:
            await write(lambda connection: None)
            store.database.write = write  # type: ignore[method-assign]
            assert await store.pruning.mark_seen(["g1"]) == 1
            return await write(work)

        store.database.write = write_later  # type: ignore[method-assign]
        assert counts(await store.pruning.prune(ALL)) == {"closed": 1}
        assert await games_in(store) == {"g1"}

    in_world(url, scenario)


def test_one_node_at_a_time_has_the_claim(url):
    async def scenario(world: World) -> None:
        store = world.store
        other = store if url.startswith("sqlite") else Store.open(url, clock=lambda: TODAY)

        async def claims() -> list[bool]:
            asked = ((store, other)[number % 2] for number in range(20))
            return await asyncio.gather(*(one.settings.claim("job", 1000) for one in asked))

        assert sum(await claims()) == 1
        assert sum(await claims()) == 0
        for number in (1, 2):
            for one in (store, other):
                one.database.clock = partial(int, TODAY + 1000 * number)
            assert sum(await claims()) == 1
            assert sum(await claims()) == 0
        if other is not store:
            await other.close()

    in_world(url, scenario)


def test_several_may_prune_at_once(postgres_url):
    async def scenario(world: World) -> None:
        await world.person("ada")
        for number in range(60):
            await world.game(f"g{number}", "closed", 50, "ada", None)
        other = Store.open(postgres_url, clock=lambda: TODAY, patience=PATIENCE)
        found = await asyncio.gather(world.store.pruning.prune(ALL), other.pruning.prune(ALL))
        await other.close()
        assert sum(counts(one).get("closed", 0) for one in found) <= 60
        assert counts(await world.store.pruning.prune(ALL, dry_run=True)) == {}
        assert await games_in(world.store) == set()

    in_world(postgres_url, scenario)


# -- any order of events ---------------------------------------------------------------------------

STATUSES: tuple[Status, ...] = ("waiting", "running", "finished", "closed")
games = st.tuples(
    st.sampled_from(STATUSES),
    st.integers(0, 30),  # days since it changed
    st.integers(0, 3),  # people who sat there
    st.one_of(st.none(), st.integers(0, 30)),  # days since it was seen
    st.booleans(),  # a rematch of the game before
)


@hypothesis_settings(
    max_examples=25, deadline=None, suppress_health_check=[HealthCheck.function_scoped_fixture]
)
@given(st.lists(games, max_size=8), st.lists(st.integers(0, 20), min_size=4, max_size=4))
def test_what_goes_is_what_the_settings_say(tmp_path_factory, found, days):
    finished, bots, closed, abandoned = days
    retention = Retention(finished=finished, bot_games=bots, closed=closed, abandoned=abandoned)
    rematched = {
        number - 1
        for number, (status, *_, again) in enumerate(found)
        if again and number and status in ("waiting", "running")
    }

    def goes(number: int) -> bool:
        status, age, people, seen, _ = found[number]
        between = finished if people > 1 else bots
        limit = {"finished": between, "closed": closed}.get(status, abandoned)
        used = age if seen is None else min(age, seen)
        return 0 < limit < used and number not in rematched

    async def scenario(world: World) -> None:
        store = world.store
        for name in ("ada", "ben", "eva"):
            await world.person(name)
        for number, (status, age, people, seen, again) in enumerate(found):
            seats = [*("ada", "ben", "eva")[:people], *[None] * (3 - people)]
            more = {"previous": f"g{number - 1}"} if again and number else {}
            await world.game(f"g{number}", status, age, *seats, **more)
            if seen is not None:
                update = text("UPDATE game SET seen_at = :at WHERE id = :id")
                values = {"at": TODAY - seen * DAY_MS, "id": f"g{number}"}
                await store.database.write(
                    partial(Connection.execute, statement=update, parameters=values)
                )
        told = await store.pruning.prune(retention, dry_run=True)
        assert await store.pruning.prune(retention) == told
        kept = {f"g{number}" for number in range(len(found)) if not goes(number)}
        assert await games_in(store) == kept
        for name in kept:
            assert len(await store.games.entries(name)) == 2

    in_world(f"sqlite:///{tmp_path_factory.mktemp('fuzz') / 'macaz.db'}", scenario)


# -- killed ----------------------------------------------------------------------------------------

KILLED = """
import asyncio, os, signal, sys
from macaz.server.store import pruning
from macaz.server.store.pruning import Retention
from macaz.server.store.store import open_to_prune

left = int(sys.argv[3])
delete = pruning.delete

def delete_or_die(table):
    global left
    left -= 1
    if left < 0:
        os.kill(os.getpid(), signal.SIGKILL)
    return delete(table)

pruning.delete = delete_or_die
pruning._BATCH = 2
store = open_to_prune(sys.argv[1], lambda: int(sys.argv[2]))
asyncio.run(store.pruning.prune(Retention(closed=10, guests=10)))
"""


@pytest.mark.parametrize("deletes", range(1, 16, 3))
def test_killed_in_the_middle_nothing_is_half_deleted(url, deletes):
    async def before(world: World) -> None:
        await world.person("ada")
        for number in range(4):
            name = await world.person(f"guest{number}", 50)
            await world.at(
                50, partial(world.store.credentials.add_token, f"t{number}", name, name, "")
            )
        for number in range(6):
            await world.game(f"g{number}", "closed", 50, "ada", None)

    async def after(world: World) -> None:
        store = world.store
        games = await games_in(store)
        assert 0 < len(games) <= 6
        tables = await rows_of(store)
        assert len(tables["entry"]) == 2 * len(games)
        for name in ("seat", "link", "watcher", "judgement"):
            assert len(tables[name]) == len(games) * (2 if name == "seat" else 1)
        assert len(tables["token"]) == len(tables["person"]) - 1
        await store.pruning.prune(ALL)
        assert await games_in(store) == set()

    in_world(url, before)
    arguments = [sys.executable, "-c", KILLED, url, str(TODAY), str(deletes)]
    assert subprocess.run(arguments, check=False).returncode == -signal.SIGKILL
    in_world(url, after)


# -- the server ------------------------------------------------------------------------------------


async def finish(client: Client) -> str:
    """A game against a bot, played to its end."""
    table = await client.table("me", "random")
    await play_on(client, table, 0)
    return table


def test_a_server_deletes_by_itself(tmp_path, monkeypatch):
    monkeypatch.setattr(periodic, "PRUNE_CHECK_SECONDS", 0.02)
    clock = Ticking()

    async def story(server: Served) -> None:
        ana = await Client.new(server.address)
        table = await ana.table("me", "person")
        await ana.post(f"/tables/{table}/close")
        await server.inside(put_away(server))
        clock.extra += 31 * DAY_MS
        async with asyncio.timeout(30):
            while (await ana.get("/me/tables"))["tables"]:
                await asyncio.sleep(0.02)
        answer = await ana.ask("GET", f"/tables/{table}")
        assert (answer.status_code, answer.json()["code"]) == (404, "not-found")
        counted = 'macaz_pruned_total{kind="closed"} 1.0'
        async with asyncio.timeout(30):
            while counted not in server.node.metrics.text().decode():
                await asyncio.sleep(0.02)
        await ana.close()

    with serving(settings(tmp_path), clock) as server:
        asyncio.run(story(server))


async def put_away(server: Served) -> None:
    """Make the server drop its tables from memory; the store has them."""
    for table in tuple(server.node.tables.values()):
        table.touched = 0
    async with asyncio.timeout(30):
        while server.node.tables:
            server.node.periodic.unload_idle(server.node.clock.now())
            await asyncio.sleep(0.01)


async def prune(server: Served) -> None:
    await server.inside(server.node.periodic.prune())


def test_tables_that_are_looked_at_stay(tmp_path):
    clock = Ticking()

    async def story(server: Served) -> None:
        ana = await Client.new(server.address)
        watched, idle = await finish(ana), await finish(ana)
        await prune(server)
        async with await ana.connect() as socket:
            await say(socket, "hello", table=watched, seat=0)
            await hear(socket, "welcome")
            await server.inside(put_away_but(server, watched))
            for _ in range(3):
                clock.extra += 400 * DAY_MS
                await prune(server)
            assert [t["id"] for t in (await ana.get("/me/tables"))["tables"]] == [watched]
            await say(socket, "ping")
            await hear(socket, "pong")
        assert (await ana.ask("GET", f"/tables/{idle}")).status_code == 404
        record = await ana.get(f"/tables/{watched}/record")
        assert "edition: tiny" in record
        await ana.close()

    async def put_away_but(server: Served, watched: str) -> None:
        for name in tuple(server.node.tables):
            if name != watched:
                del server.node.tables[name]

    with serving(settings(tmp_path), clock) as server:
        asyncio.run(story(server))


def test_two_nodes_delete_nothing_that_the_other_has_open(tmp_path, postgres_url, redis_url):
    chosen = settings(tmp_path, database=postgres_url, redis=redis_url)
    clock = Ticking()

    async def story(one: Served, two: Served) -> None:
        ana = await Client.new(one.address)
        there = Client(two.address, ana.token)
        tables = [await finish(ana) for _ in range(3)]
        await prune(one)
        for server in (one, two):
            await server.inside(put_away(server))
        clock.extra += 400 * DAY_MS
        # Opened only on the second node, long after it ended.
        assert (await there.get(f"/tables/{tables[1]}"))["status"] == "finished"
        await prune(one)
        assert [t["id"] for t in (await ana.get("/me/tables"))["tables"]] == [tables[1]]
        clock.extra += 400 * DAY_MS
        await prune(two)  # touches the tables in memory before it deletes
        assert [t["id"] for t in (await ana.get("/me/tables"))["tables"]] == [tables[1]]
        await two.inside(put_away(two))
        clock.extra += 400 * DAY_MS
        await asyncio.gather(prune(one), prune(two))
        assert (await ana.get("/me/tables"))["tables"] == []
        pruned = sum(
            server.node.metrics.pruned.labels("bot_games")._value.get() for server in (one, two)
        )
        assert pruned == 3
        for client in (ana, there):
            await client.close()

    with serving(chosen, clock) as one, serving(chosen, clock) as two:
        asyncio.run(story(one, two))


def test_a_table_that_goes_while_it_is_opened_is_not_there(tmp_path):
    clock = Ticking()

    async def story(server: Served) -> None:
        ana = await Client.new(server.address)
        tables = [await finish(ana) for _ in range(12)]
        await prune(server)
        await server.inside(put_away(server))
        clock.extra += 400 * DAY_MS
        asked = [ana.ask("GET", f"/tables/{table}") for table in tables]
        answers, _ = await asyncio.gather(asyncio.gather(*asked), prune(server))
        kept = {t["id"] for t in (await ana.get("/me/tables"))["tables"]}
        for table, answer in zip(tables, answers, strict=True):
            assert answer.status_code == (200 if table in kept else 404)
        await ana.close()

    with serving(settings(tmp_path), clock) as server:
        asyncio.run(story(server))


@pytest.mark.parametrize("pruned", [False, True], ids=["never pruned", "pruned before"])
def test_after_a_long_stop_people_have_an_hour_to_come_back(tmp_path, pruned):
    clock = Ticking()

    async def before(server: Served) -> None:
        ana = await Client.new(server.address)
        await finish(ana)
        clock.extra += periodic.PRUNE_MS
        if pruned:
            await prune(server)
        stopped.append(ana.token)
        await ana.close()

    async def after(server: Served) -> None:
        ana = Client(server.address, stopped[0])
        await prune(server)
        assert (await ana.get("/me/tables"))["tables"]
        clock.extra += periodic.PRUNE_MS
        await prune(server)
        assert not (await ana.get("/me/tables"))["tables"]
        await ana.close()

    stopped: list[str] = []
    with serving(settings(tmp_path), clock) as server:
        asyncio.run(before(server))
    clock.extra += 400 * DAY_MS
    with serving(settings(tmp_path), clock) as server:
        asyncio.run(after(server))


# -- the command -----------------------------------------------------------------------------------


def run(*arguments: str, **environment: str) -> str:
    cleared = {name: None for name in os.environ if name.startswith("MACAZ_")}
    result = CliRunner(env={**cleared, **environment}).invoke(main, ["prune", *arguments])
    return f"{result.exit_code} {result.output}"


def test_the_command_beside_a_server(tmp_path):
    database = tmp_path / "macaz.db"

    async def story(server: Served) -> None:
        ana = await Client.new(server.address)
        opened, idle = await ana.table("me", "person"), await ana.table("me", "person")
        for table in (opened, idle):
            await ana.post(f"/tables/{table}/close")
        await server.inside(put_away(server))
        with closing(sqlite3.connect(database, timeout=30)) as connection, connection:
            connection.execute("UPDATE game SET updated_at = 86400000, finished_at = 86400000")
        await ana.get(f"/tables/{opened}")  # now the server has it in memory
        place = ("--database", f"sqlite:///{database}")
        told = await asyncio.to_thread(run, "--dry-run", *place)
        assert told.startswith("0 To be deleted from sqlite:///")
        assert "closed tables                         1  oldest of 1970-01-02" in told
        assert "finished games between people      kept" in told
        assert "nothing was deleted" in told
        assert len((await ana.get("/me/tables"))["tables"]) == 2
        never = await asyncio.to_thread(run, *place, MACAZ_KEEP_CLOSED_DAYS="0")
        assert "closed tables                      kept" in never
        done = await asyncio.to_thread(run, *place)
        assert done.startswith("0 Deleted from sqlite:///")
        assert [t["id"] for t in (await ana.get("/me/tables"))["tables"]] == [opened]
        await ana.close()

    with serving(settings(tmp_path)) as server:
        asyncio.run(story(server))


def test_the_command_on_postgresql_shows_no_password(postgres_url):
    asyncio.run(Store.open(postgres_url).close())
    told = run("--dry-run", "--database", postgres_url)
    assert told.startswith("0 To be deleted from postgresql://"), told
    assert "guests without games                  0" in told


def test_what_is_no_database_of_today_is_left_alone(tmp_path):
    missing = tmp_path / "missing.db"
    assert run("--database", f"sqlite:///{missing}").startswith("2 macaz: There is no database at")
    assert not missing.exists()
    other = tmp_path / "other.db"
    with closing(sqlite3.connect(other)) as connection:
        connection.execute("CREATE TABLE game (title TEXT)")
    assert "is not one of Macaz" in run("--database", f"sqlite:///{other}")
    old = tmp_path / "old.db"
    old.touch()
    migrate(read_url(f"sqlite:///{old}"), "0006")
    with pytest.raises(MacazError, match="older Macaz"):
        open_to_prune(f"sqlite:///{old}", lambda: TODAY)
    engine = migrating_engine(read_url(f"sqlite:///{old}"))
    with engine.connect() as connection:
        number = connection.execute(select(func.count()).select_from(text("game"))).scalar_one()
    engine.dispose()
    assert number == 0
