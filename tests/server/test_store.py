"""The store, on SQLite and on PostgreSQL: what it keeps, and its errors."""

from __future__ import annotations

import asyncio
import os
import signal
import sqlite3
import stat
import subprocess
import sys
import threading
from collections.abc import AsyncIterator, Awaitable, Callable
from contextlib import asynccontextmanager, closing, suppress
from pathlib import Path
from typing import Any

import msgspec
import psycopg
import pytest
from sqlalchemy import event
from sqlalchemy.exc import IntegrityError
from tests.server.services import Postgres

from macaz.errors import MacazError
from macaz.server.store import place
from macaz.server.store.rows import Append, EntryRow, GameRow, PlayedRow
from macaz.server.store.store import Store, Unavailable
from macaz.server.store.trouble import LinkSpent


@pytest.fixture
def sqlite_url(tmp_path: Path) -> str:
    return f"sqlite:///{tmp_path / 'macaz.db'}"


@pytest.fixture(params=["sqlite", "postgres"])
def url(request: pytest.FixtureRequest) -> str:
    name: str = request.getfixturevalue(f"{request.param}_url")
    return name


def with_store(url: str, scenario: Callable[[Store], Awaitable[Any]], **options: Any) -> Any:
    async def run() -> Any:
        store = Store.open(url, **options)
        try:
            return await scenario(store)
        finally:
            await store.close()

    return asyncio.run(run())


def a_game(name: str = "g1", **changes: Any) -> GameRow:
    row = GameRow(
        id=name,
        edition="tiny",
        fingerprint="f",
        seats=2,
        terms=b"{}",
        secret=bytes(32),
        host="ada",
        listed=True,
        created_at=1,
        updated_at=1,
    )
    return msgspec.structs.replace(row, **changes)


def an_entry(game: str = "g1", version: int = 1, **changes: Any) -> Append:
    plain = Append(
        game=game,
        version=version,
        body=b"{}",
        nonce=None,
        at=100 + version,
        status="running",
        wake_at=None,
    )
    return msgspec.structs.replace(plain, **changes)


async def furnish(store: Store, *games: str) -> None:
    await store.people.add("ada", "Ada", "red")
    await store.people.add("ben", "Ben", "blue")
    for name in games:
        assert await store.games.create(a_game(name), ["ada", None])


@asynccontextmanager
async def one_batch(store: Store) -> AsyncIterator[None]:
    """Jobs submitted inside reach the writer as one batch."""
    begun, go = threading.Event(), threading.Event()

    def hold(_: object) -> None:
        begun.set()
        go.wait(10)

    held = asyncio.ensure_future(store.database.write(hold))
    await asyncio.to_thread(begun.wait, 10)
    try:
        yield
        await asyncio.sleep(0)  # the tasks made inside submit their jobs
    finally:
        go.set()
    await held


# -- games and their logs --------------------------------------------------------------------------


def test_an_append_writes_the_entry_the_game_and_the_seat(url):
    async def scenario(store):
        await furnish(store, "g1")
        assert await store.games.append(
            an_entry(body=b"\x00sat", nonce="n", wake_at=900, seat=(1, "ben"))
        )
        assert await store.games.entries("g1") == [EntryRow(1, "n", 101, b"\x00sat")]
        row = await store.games.get("g1")
        assert row == a_game(status="running", wake_at=900, updated_at=101)
        assert await store.games.of_person("ben", 9) == [row]
        assert await store.games.append(an_entry(version=2, seat=(1, None)))
        assert await store.games.of_person("ben", 9) == []

    with_store(url, scenario)


def test_a_version_or_a_nonce_is_written_once(url):
    async def scenario(store):
        await furnish(store, "g1", "g2")
        assert await store.games.append(an_entry(nonce="n"))
        before = await store.games.get("g1")
        late: dict[str, Any] = {
            "status": "closed",
            "wake_at": 5,
            "seat": (0, None),
            "summary": "s",
            "at": 999,
        }
        assert not await store.games.append(an_entry(version=1, **late))
        assert not await store.games.append(an_entry(version=2, nonce="n", **late))
        assert await store.games.get("g1") == before
        assert [row.id for row in await store.games.of_person("ada", 9)] == ["g2", "g1"]
        assert await store.games.version_of("g1", "n") == 1
        assert await store.games.version_of("g2", "n") is None
        assert await store.games.append(an_entry("g2", nonce="n"))
        assert await store.games.append(an_entry(version=2))  # a missing nonce equals no other

    with_store(url, scenario)


def test_the_end_of_a_game_stays(url):
    async def scenario(store):
        await furnish(store, "g1")
        await store.games.append(an_entry(status="finished", finished_at=7, summary="Ada won"))
        await store.games.append(an_entry(version=2, status="finished"))
        assert await store.games.get("g1") == a_game(
            status="finished", finished_at=7, summary="Ada won", updated_at=102
        )

    with_store(url, scenario)


def test_parts_of_a_log(url):
    async def scenario(store):
        await furnish(store, "g1")
        for version in range(1, 6):
            await store.games.append(an_entry(version=version))
        assert [row.version for row in await store.games.entries("g1", after=2)] == [3, 4, 5]
        assert [row.version for row in await store.games.entries("g1", after=1, upto=3)] == [2, 3]
        assert await store.games.entries("unknown") == []

    with_store(url, scenario)


def test_many_appends_share_a_commit(url):
    commits: list[int] = []

    async def scenario(store):
        names = [f"g{n}" for n in range(50)]
        await furnish(store, *names)
        commits.clear()
        async with one_batch(store):
            wanted = [asyncio.ensure_future(store.games.append(an_entry(name))) for name in names]
        assert await asyncio.gather(*wanted) == [True] * 50
        assert commits == [1, 50]
        assert await store.games.versions(names) == dict.fromkeys(names, 1)

    with_store(url, scenario, committed=lambda seconds, jobs: commits.append(jobs))


def test_the_entries_of_one_game_in_one_batch_are_judged_in_order(url):
    async def scenario(store):
        await furnish(store, "g1", "g0")
        wishes = [
            an_entry(nonce="a", body=b"first"),
            an_entry(nonce="b", body=b"second"),
            an_entry("g0", nonce="a"),
            an_entry(version=2, nonce="a", body=b"third"),
            an_entry(version=2, nonce="c", body=b"fourth", wake_at=4),
            an_entry(version=3, nonce="d", body=b"fifth", wake_at=5),
        ]
        async with one_batch(store):
            wanted = [asyncio.ensure_future(store.games.append(wish)) for wish in wishes]
        assert await asyncio.gather(*wanted) == [True, False, True, False, True, True]
        assert [row.body for row in await store.games.entries("g1")] == [
            b"first",
            b"fourth",
            b"fifth",
        ]
        row = await store.games.get("g1")
        assert (row.wake_at, row.updated_at) == (5, 103)

    with_store(url, scenario)


def test_only_the_culprit_of_a_batch_fails(url):
    async def scenario(store):
        await furnish(store, "g1", "g2")

        def stumble(_: object) -> None:
            raise LookupError("a mistake")

        async with one_batch(store):
            wanted = [
                asyncio.ensure_future(work)
                for work in (
                    store.games.append(an_entry("g1")),
                    store.games.append(an_entry("no such game")),
                    store.database.write(stumble),
                    store.people.add("ada", "Ada again", "red"),
                    store.games.append(an_entry("g2")),
                )
            ]
        good, unknown, mistake, twice, last = await asyncio.gather(*wanted, return_exceptions=True)
        assert (good, last) == (True, True)
        assert isinstance(unknown, IntegrityError)
        assert isinstance(mistake, LookupError)
        assert isinstance(twice, IntegrityError)
        assert await store.games.versions(["g1", "g2"]) == {"g1": 1, "g2": 1}

    with_store(url, scenario)


def test_two_nodes_never_both_succeed(postgres_url):
    async def scenario(one):
        other = Store.open(postgres_url)
        names = [f"g{n:02}" for n in range(40)]
        await furnish(one, *names)
        for version in range(1, 6):
            # Each node uses another order: no order of the callers may cause a deadlock.
            mine = [one.games.append(an_entry(name, version, body=b"one")) for name in names]
            theirs = [
                other.games.append(an_entry(name, version, body=b"2")) for name in names[::-1]
            ]
            verdicts = await asyncio.gather(*mine, *theirs)
            pairs = zip(verdicts[:40], reversed(verdicts[40:]), strict=True)
            for name, (first, second) in zip(names, pairs, strict=True):
                assert first != second
                [row] = await other.games.entries(name, after=version - 1)
                assert row.body == (b"one" if first else b"2")
        await other.close()

    with_store(postgres_url, scenario)


def test_one_rematch_for_each_game(url):
    async def scenario(store):
        await furnish(store, "g1")
        rematches = [a_game(f"r{n}", previous="g1") for n in range(5)]
        made = await asyncio.gather(*(store.games.create(row, ["ada", "ben"]) for row in rematches))
        assert sum(made) == 1
        assert await store.games.rematch_of("g1") == f"r{made.index(True)}"
        assert await store.games.rematch_of("r0") is None
        assert len(await store.games.of_person("ben", 9)) == 1
        with pytest.raises(IntegrityError):
            await store.games.create(a_game("g1"), [None, None])
        with pytest.raises(ValueError, match="2 seats, but 1 persons"):
            await store.games.create(a_game("g9"), [None])

    with_store(url, scenario)


def test_lists_come_in_pages_the_newest_first(url):
    async def scenario(store):
        await furnish(store)
        for number in range(10):  # two games at each moment: the id decides
            row = a_game(f"g{number}", created_at=number // 2, listed=number != 5)
            await store.games.create(row, ["ada", "ada" if number % 2 else "ben"])
        await store.games.append(an_entry("g9", status="finished"))
        await store.games.append(an_entry("g8"))

        async def names(ask, *person):
            found, before = [], None
            while page := await ask(*person, 3, before=before):
                assert len(page) <= 3
                found += [int(row.id[1:]) for row in page]
                before = page[-1].cursor
            return found

        assert await names(store.games.lobby) == [8, 7, 6, 4, 3, 2, 1, 0]
        assert await names(store.games.of_person, "ada") == [9, 8, 7, 6, 5, 4, 3, 2, 1, 0]
        assert await names(store.games.of_person, "ben") == [8, 6, 4, 2, 0]

    with_store(url, scenario)


def test_the_maker_of_a_game_finds_it_without_a_seat(url):
    async def scenario(store):
        await furnish(store)
        await store.games.create(a_game("g1"), [None, None])
        await store.games.create(a_game("g2", host="ben"), ["ben", None])
        await store.games.create(a_game("g3", host="ben"), ["ada", "ada"])
        await store.games.append(an_entry("g1", status="closed"))
        assert [row.id for row in await store.games.of_person("ada", 9)] == ["g3", "g1"]
        assert [row.id for row in await store.games.of_person("ben", 9)] == ["g3", "g2"]

    with_store(url, scenario)


def test_finished_games_of_a_person_come_newest_first(url):
    async def scenario(store):
        await furnish(store, "g1", "g2", "g3", "g4")
        await store.games.create(a_game("g5", host="ben"), ["ada", "ada"])
        for name, status, ended in (
            *(("g1", "finished", 300), ("g2", "closed", None), ("g3", "running", None)),
            *(("g4", "finished", 100), ("g5", "finished", 200)),
        ):
            summary = f"of {name}"
            await store.games.append(
                an_entry(name, status=status, finished_at=ended, summary=summary)
            )
        rows = await store.games.played_by("ada", 9)
        assert [(row.id, row.seat, row.finished_at) for row in rows] == [
            *(("g1", 0, 300), ("g5", 0, 200), ("g5", 1, 200), ("g4", 0, 100)),
        ]
        assert rows[0] == PlayedRow("g1", "tiny", 2, 300, "of g1", 0, None)
        assert await store.games.played_by("ada", 2) == rows[:2]
        assert await store.games.played_by("ben", 9) == []

    with_store(url, scenario)


def test_games_that_are_due(url):
    async def scenario(store):
        await furnish(store, *"abcd")
        for name, wake_at in (("a", 30), ("b", 10), ("c", 20)):
            await store.games.append(an_entry(name, wake_at=wake_at))
        assert await store.games.due(25, 9) == [("b", 10), ("c", 20)]
        assert await store.games.due(30, 2) == [("b", 10), ("c", 20)]
        await store.games.append(an_entry("b", version=2))
        assert await store.games.due(99, 9) == [("c", 20), ("a", 30)]

    with_store(url, scenario)


def test_versions_of_many_games(url):
    async def scenario(store):
        await furnish(store, "g1", "g2")
        await store.games.append(an_entry("g2"))
        await store.games.append(an_entry("g2", version=2))
        ids = [f"unknown {n}" for n in range(1200)] + ["g1", "g2", "g2"]
        assert await store.games.versions(ids) == {"g1": 0, "g2": 2}
        assert await store.games.versions([]) == {}

    with_store(url, scenario)


def test_the_lists_use_their_indexes(sqlite_url):
    async def scenario(store):
        plans = []

        def explain(cursor, statement, parameters):
            if statement.startswith("SELECT game.id"):
                plan = cursor.execute(f"EXPLAIN QUERY PLAN {statement}", parameters).fetchall()
                plans.append(" | ".join(step[3] for step in plan))

        event.listen(
            store.database._reading,
            "before_cursor_execute",
            lambda _, cursor, statement, parameters, *__: explain(cursor, statement, parameters),
        )
        await store.games.lobby(5)
        await store.games.lobby(5, before=(1, "g"))
        await store.games.due(5, 5)
        await store.games.of_person("ada", 5)
        await store.games.played_by("ada", 5)
        lobby, late = ("game_lobby",), ("game_end_shown",)
        mine = ("seat_person", "game_host")
        indexes = lobby, late, lobby, late, ("game_due",), mine, ("seat_person",)
        for plan, wanted in zip(plans, indexes, strict=True):
            assert "SCAN game" not in plan.replace("SCAN game USING INDEX", "")
            assert all(index in plan for index in wanted)

    with_store(sqlite_url, scenario)


# -- people, links, settings -----------------------------------------------------------------------


def test_persons_and_tokens(url):
    times = iter(range(1, 100))

    async def scenario(store):
        ada = await store.people.add("ada", "Ada", "red")
        await store.people.add("ben", "Ben", "blue")
        assert await store.people.get("ada") == ada
        assert ada.created_at == 1
        assert await store.people.get("unknown") is None
        assert await store.people.change("ada", "Ada L.", "green")
        assert not await store.people.change("unknown", "N", "red")
        assert (await store.people.get("ada")).name == "Ada L."
        first = await store.credentials.add_token("t1", "ada", "d1", "script")
        second = await store.credentials.add_token("t2", "ada", "d2", "phone")
        assert await store.credentials.tokens_of("ada") == [first, second]
        assert await store.credentials.tokens_of("ben") == []
        await store.credentials.use_token("t1")
        used = await store.credentials.token_by_digest("d1")
        assert used.used_at is not None
        assert not await store.credentials.revoke_token("ben", "t1")
        assert await store.credentials.revoke_token("ada", "t1")
        assert not await store.credentials.revoke_token("ada", "t1")
        assert await store.credentials.token_by_digest("d1") is None
        assert await store.credentials.tokens_of("ada") == [second]
        assert await store.credentials.token_by_digest("d9") is None

    with_store(url, scenario, clock=lambda: next(times))


def test_sessions(url):
    times = iter(range(1, 100))

    async def scenario(store):
        ada = await store.people.add("ada", "Ada", "red")
        ben = await store.people.add("ben", "Ben", "blue")
        first = await store.credentials.add_session("s1", "ada", "d1", "Firefox, Linux")
        second = await store.credentials.add_session("s2", "ada", "d2", "")
        other = await store.credentials.add_session("s3", "ben", "d3", "Safari, iPhone")
        assert await store.credentials.sessions_of("ada") == [first, second]
        assert await store.credentials.session_by_digest("d1") == (first, ada)
        assert await store.credentials.session_by_digest("d3") == (other, ben)
        assert await store.credentials.session_by_digest("s1") is None
        await store.credentials.use_session("s1")
        [used, _] = await store.credentials.sessions_of("ada")
        assert used.used_at > first.used_at
        assert not await store.credentials.end_session("ben", "s1")
        assert await store.credentials.end_session("ada", "s1")
        assert not await store.credentials.end_session("ada", "s1")
        assert await store.credentials.session_by_digest("d1") is None
        assert await store.credentials.sessions_of("ada") == [second]
        for token in ("t1", "t2"):
            assert await store.credentials.add_token(token, "ada", token, "script", by="s2")
        assert await store.credentials.add_token("t3", "ada", "t3", "script", by="s1") is None
        ids = ["s1", "s2", "s3", "t1", "t2", "t3", *(f"unknown{n}" for n in range(2000))]
        assert await store.credentials.valid(ids) == {"s2", "s3", "t1", "t2"}
        await store.credentials.end_all("ada", keep="t1")
        assert await store.credentials.valid(ids) == {"s3", "t1"}
        await store.credentials.end_all("ada")
        assert await store.credentials.valid(ids) == {"s3"}
        assert await store.credentials.valid([]) == set()

    with_store(url, scenario, clock=lambda: next(times))


def test_a_session_is_adopted_once(url):
    async def scenario(store):
        for name in ("ada", "ben"):
            await store.people.add(name, name, "red")
        await asyncio.gather(
            *(store.credentials.adopt_session(f"s{n}", "ada", "old", "") for n in range(20))
        )
        [adopted] = await store.credentials.sessions_of("ada")
        assert await store.credentials.end_session("ada", adopted.id)
        await store.credentials.adopt_session("again", "ada", "old", "")
        await store.credentials.adopt_session("other", "ada", "another", "")
        assert await store.credentials.sessions_of("ada") == []
        await store.credentials.add_session("new", "ben", "new", "")
        await store.credentials.adopt_session("forged", "ben", "forged", "")
        assert [row.id for row in await store.credentials.sessions_of("ben")] == ["new"]

    with_store(url, scenario)


def test_no_token_survives_the_end_of_all_on_another_node(postgres_url):
    """Requested by a session or token on one node while all are ended on another."""

    async def scenario(here):
        there = Store.open(postgres_url)
        try:
            for n in range(30):
                person, by = f"p{n}", f"c{n}"
                await here.people.add(person, "Ada", "red")
                if n % 2:
                    await here.credentials.add_session(by, person, by, "")
                else:
                    await here.credentials.add_token(by, person, by, "")
                asked = [
                    here.credentials.add_token(f"t{n}-{i}", person, f"t{n}-{i}", "", by=by)
                    for i in range(8)
                ]
                await asyncio.gather(*asked, there.credentials.end_all(person))
                assert await here.credentials.tokens_of(person) == []
        finally:
            await there.close()

    with_store(postgres_url, scenario)


def test_links_are_revoked_for_good(url):
    async def scenario(store):
        await furnish(store, "g1", "g2")
        seat = await store.links.add("l1", "d1", "g1", "seat", 1, "ada")
        join = await store.links.add("l2", "d2", "g1", "join", None, "ada")
        assert await store.links.by_digest("d1") == seat
        assert await store.links.by_digest("d9") is None
        assert {row.id for row in await store.links.of_person("g1", "ada")} == {"l1", "l2"}
        assert (
            await store.links.of_person("g1", "ben")
            == await store.links.of_person("g2", "ada")
            == []
        )
        assert not await store.links.revoke("g2", "l2")
        assert await store.links.revoke("g1", "l2")
        assert not await store.links.revoke("g1", "l2")
        gone = await store.links.by_digest("d2")
        assert gone == msgspec.structs.replace(join, revoked_at=gone.revoked_at)
        assert gone.revoked_at is not None

    with_store(url, scenario)


def test_a_link_is_used_with_its_entry_or_not_at_all(url):
    async def scenario(store):
        await furnish(store, "g1", "g2")
        for name in ("used", "revoked", "overtaken", "twice"):
            await store.links.add(name, name, "g1", "seat", 1, "ada")
        assert await store.games.append(an_entry(link="used", seat=(1, "ben")))
        assert (await store.links.by_digest("used")).used_at == 101
        await store.links.revoke("g1", "revoked")
        for name in ("used", "revoked", "unknown"):
            with pytest.raises(LinkSpent):
                await store.games.append(an_entry(version=2, link=name, seat=(1, None), wake_at=5))
        with pytest.raises(LinkSpent):  # it leads to another game
            await store.games.append(an_entry("g2", link="twice"))
        assert await store.games.seats_of("ben", ["g1"]) == {"g1": (1,)}
        assert (await store.games.get("g1")).wake_at is None
        assert not await store.games.append(an_entry(version=1, link="overtaken"))
        assert (await store.links.by_digest("overtaken")).used_at is None
        async with one_batch(store):
            asked = [
                asyncio.ensure_future(work)
                for work in (
                    store.games.append(an_entry(version=2, link="twice")),
                    store.games.append(an_entry(version=3, link="twice")),
                    store.games.append(an_entry(version=4, link="overtaken")),
                    store.games.append(an_entry("g2")),
                    store.links.revoke("g1", "overtaken"),
                )
            ]
        first, second, third, other, revoked = await asyncio.gather(*asked, return_exceptions=True)
        assert (first, other, revoked) == (True, True, True)
        assert isinstance(second, LinkSpent)
        assert isinstance(third, LinkSpent)
        assert await store.games.versions(["g1", "g2"]) == {"g1": 2, "g2": 1}

    with_store(url, scenario)


def test_two_nodes_do_not_both_use_a_link(postgres_url):
    async def scenario(one):
        other = Store.open(postgres_url)
        await furnish(one, "g1")
        version = 1
        for number in range(20):
            name = f"l{number}"
            await one.links.add(name, name, "g1", "seat", 1, "ada")
            wanted = (
                one.games.append(an_entry(version=version, link=name)),
                other.games.append(an_entry(version=version + 1, link=name)),
            )
            answers = await asyncio.gather(*wanted, return_exceptions=True)
            assert sorted(map(type, answers), key=str) == [bool, LinkSpent]
            version += 2
        await other.close()

    with_store(postgres_url, scenario)


def test_links_that_lead_nowhere_are_forgotten_in_the_end(url):
    times = iter(range(1, 1000))

    async def scenario(store):
        await furnish(store, "g1", "g2")
        await store.links.add("alive", "alive", "g1", "join", None, "ada")
        await store.links.add("bens", "bens", "g1", "seat", 1, "ben")
        await store.links.add("elsewhere", "elsewhere", "g2", "seat", 1, "ada")
        await store.links.revoke("g1", "bens")
        await store.links.revoke("g2", "elsewhere")
        for number in range(50):
            name = f"l{number}"
            await store.links.add(name, name, "g1", "seat", 1, "ada")
            if number % 2:
                await store.links.revoke("g1", name)
            else:
                assert await store.games.append(an_entry(version=number + 1, link=name))
        kept = [row.id for row in await store.links.of_person("g1", "ada")]
        assert kept == ["alive", *(f"l{number}" for number in range(29, 50))]
        assert len(await store.links.of_person("g1", "ben")) == 1
        assert len(await store.links.of_person("g2", "ada")) == 1

    with_store(url, scenario, clock=lambda: next(times))


def test_watchers_come_and_go_with_their_links(url):
    async def scenario(store):
        await furnish(store, "g1", "g2")
        for name in ("l1", "l2"):
            await store.links.add(name, name, "g1", "watch", None, "ada")
        await store.links.add_watcher("g1", "ada", "l1")
        await store.links.add_watcher("g1", "ben", "l1")
        await store.links.add_watcher("g1", "ben", "l2")
        assert await store.links.is_watcher("g1", "ada")
        assert not await store.links.is_watcher("g2", "ada")
        assert await store.links.revoke("g1", "l1")
        assert not await store.links.is_watcher("g1", "ada")
        assert await store.links.is_watcher("g1", "ben")
        assert await store.links.revoke("g1", "l2")
        assert not await store.links.is_watcher("g1", "ben")

    with_store(url, scenario)


def test_a_setting_is_made_once(url):
    made = iter("abcdefgh")

    async def scenario(store):
        values = await asyncio.gather(
            *(store.settings.get("key", lambda: next(made)) for _ in range(6))
        )
        assert len(set(values)) == 1
        assert await store.settings.get("key", lambda: "other") == values[0]
        assert await store.settings.get("other key", lambda: "other") == "other"
        return values[0]

    kept = with_store(url, scenario)
    assert with_store(url, lambda store: store.settings.get("key", lambda: "new")) == kept


def test_an_edition_is_kept_once(url):
    async def scenario(store):
        await store.editions.keep("f", "tiny", "the text")
        await store.editions.keep("f", "tiny", "another text")
        await asyncio.gather(*(store.editions.keep("g", "own", "π") for _ in range(3)))
        assert (await store.editions.get("f")).text == "the text"
        assert (await store.editions.get("g")).text == "π"
        assert await store.editions.get("h") is None

    with_store(url, scenario)


# -- failures --------------------------------------------------------------------------------------


def test_a_locked_database_is_unavailable_until_it_is_free(sqlite_url, tmp_path, monkeypatch):
    monkeypatch.setattr("macaz.server.store.connect.BUSY_S", 0.05)

    async def scenario(store):
        await furnish(store, "g1")
        with closing(sqlite3.connect(tmp_path / "macaz.db", isolation_level=None)) as intruder:
            intruder.execute("BEGIN EXCLUSIVE")
            with pytest.raises(Unavailable, match="locked"):
                await store.games.append(an_entry(nonce="n"))
            async with asyncio.timeout(5):  # they do not wait for the lock one after the other
                waiting = [store.games.append(an_entry(version=n)) for n in range(1, 20)]
                answers = await asyncio.gather(*waiting, return_exceptions=True)
            assert all(isinstance(answer, Unavailable) for answer in answers)
            with pytest.raises(Unavailable):
                await store.ping()
            assert await store.games.get("g1") == a_game()  # readers are not affected
            intruder.execute("ROLLBACK")
        assert await store.games.append(an_entry(nonce="n"))
        await store.ping()

    with_store(sqlite_url, scenario)


def test_a_lock_that_is_soon_released_is_waited_for(sqlite_url, tmp_path):
    async def scenario(store):
        await furnish(store, "g1")
        with closing(sqlite3.connect(tmp_path / "macaz.db", isolation_level=None)) as intruder:
            intruder.execute("BEGIN EXCLUSIVE")
            append = asyncio.ensure_future(store.games.append(an_entry()))
            await asyncio.sleep(0.1)
            assert not append.done()
            intruder.execute("ROLLBACK")
            assert await append

    with_store(sqlite_url, scenario)


def test_a_full_database_is_unavailable_until_there_is_room(sqlite_url):
    async def scenario(store):
        await furnish(store, "g1", "g2")

        def limit(extra):
            def pragma(connection):
                [pages] = connection.exec_driver_sql("PRAGMA page_count").one()
                connection.exec_driver_sql(f"PRAGMA max_page_count = {pages + extra}")

            return store.database.write(pragma)

        await limit(2)
        async with one_batch(store):
            large = asyncio.ensure_future(store.games.append(an_entry("g1", body=bytes(100_000))))
            small = asyncio.ensure_future(store.games.append(an_entry("g2")))
        with pytest.raises(Unavailable, match="full"):
            await large
        assert await small  # no other table is affected
        await limit(1000)
        assert await store.games.append(an_entry("g1", body=bytes(100_000)))
        assert [len(row.body) for row in await store.games.entries("g1")] == [100_000]

    with_store(sqlite_url, scenario)


DISK = """
import asyncio, resource, sys
from pathlib import Path
from macaz.server.store.store import Store, Unavailable
sys.path.insert(0, sys.argv[2])
from tests.server.test_store import a_game, an_entry, furnish

async def main(file):
    store = Store.open(f"sqlite:///{file}")
    await furnish(store, "g1")
    await store.ping()
    log = Path(f"{file}-wal").stat().st_size
    resource.setrlimit(resource.RLIMIT_FSIZE, (log + 100_000, resource.RLIM_INFINITY))
    done = 0
    try:
        while True:
            assert await store.games.append(an_entry(version=done + 1, body=bytes(5_000)))
            done += 1
    except Unavailable as error:
        said = str(error)
    assert len(await store.games.entries("g1")) == done
    resource.setrlimit(resource.RLIMIT_FSIZE, (resource.RLIM_INFINITY,) * 2)
    assert await store.games.append(an_entry(version=done + 1))
    assert len(await store.games.entries("g1")) == done + 1
    await store.close()
    print(done, said)

asyncio.run(main(sys.argv[1]))
"""


@pytest.mark.skipif(sys.platform == "win32", reason="no limit to the size of files")
def test_a_file_that_cannot_grow_loses_nothing(tmp_path):
    root = str(Path(__file__).parents[2])
    ran = subprocess.run(
        [sys.executable, "-c", DISK, tmp_path / "macaz.db", root],
        capture_output=True,
        text=True,
        check=False,
    )
    assert ran.returncode == 0, ran.stderr
    done, _, said = ran.stdout.partition(" ")
    assert int(done) > 0
    assert said.startswith("The database cannot answer now: ")


KILLED = """
import asyncio, sys
from macaz.server.store.store import Store
sys.path.insert(0, sys.argv[2])
from tests.server.test_store import a_game, an_entry, furnish

async def play(store, name):
    version = 0
    while True:
        version += 1
        assert await store.games.append(an_entry(name, version))
        print(name, version, flush=True)

async def main(file):
    store = Store.open(f"sqlite:///{file}")
    names = [f"g{n}" for n in range(8)]
    await furnish(store, *names)
    await asyncio.gather(*(play(store, name) for name in names))

asyncio.run(main(sys.argv[1]))
"""


@pytest.mark.skipif(sys.platform == "win32", reason="no SIGKILL")
def test_what_was_acknowledged_survives_a_kill(tmp_path):
    file, root = tmp_path / "macaz.db", str(Path(__file__).parents[2])
    with subprocess.Popen(
        [sys.executable, "-c", KILLED, file, root], stdout=subprocess.PIPE, text=True
    ) as process:
        assert process.stdout is not None
        told = [process.stdout.readline() for _ in range(300)]
        with pytest.raises(MacazError, match="Another Macaz server"):
            Store.open(f"sqlite:///{file}")
        os.kill(process.pid, signal.SIGKILL)
        told += process.stdout.read().splitlines()

    async def scenario(store):
        acknowledged: dict[str, int] = {}
        for line in told:
            name, *number = line.split()
            if number:  # the last line may be incomplete
                acknowledged[name] = max(acknowledged.get(name, 0), int(number[0]))
        kept = await store.games.versions(acknowledged)
        for name, version in acknowledged.items():
            # One more may have been committed and not acknowledged.
            assert kept[name] - version in (0, 1)
            assert len(await store.games.entries(name)) == kept[name]

    with_store(f"sqlite:///{file}", scenario)


async def until_unavailable(ask: Callable[[], Awaitable[Any]]) -> None:
    async with asyncio.timeout(30):
        with suppress(Unavailable):
            while True:
                await ask()


def test_a_database_that_was_gone_comes_back(postgres: Postgres, postgres_url):
    async def scenario(store):
        await furnish(store, "g1", "g2")
        assert await store.games.append(an_entry())
        for hard in (False, True):
            postgres.stop(hard=hard)
            # The child processes of a killed server go on for a moment.
            await until_unavailable(store.settle)
            await until_unavailable(lambda: store.games.get("g1"))
            asked = (
                store.games.append(an_entry(version=2, nonce="n")),
                store.games.append(an_entry("g2")),
                store.games.get("g1"),
                store.ping(),
            )
            answers = await asyncio.gather(*asked, return_exceptions=True)
            assert [type(answer) for answer in answers] == [Unavailable] * 4
            postgres.start()
            await store.ping()
        assert await store.games.append(an_entry(version=2, nonce="n"))
        assert await store.games.versions(["g1", "g2"]) == {"g1": 2, "g2": 0}

    with_store(postgres_url, scenario)


def test_a_database_that_is_not_there_is_unavailable(postgres: Postgres, postgres_url):
    postgres.stop()
    with pytest.raises(Unavailable):
        Store.open(postgres_url)


def test_no_request_waits_for_ever(url):
    async def scenario(store):
        await furnish(store, "g1")
        async with one_batch(store):
            patience, store.database.patience = store.database.patience, 0.05
            with pytest.raises(Unavailable, match=r"within 0\.05 seconds"):
                await store.games.append(an_entry(nonce="n"))
            store.database.patience = patience
        # It was cancelled before its turn, and is not written later.
        assert await store.games.append(an_entry(nonce="n"))

    with_store(url, scenario)


def test_all_is_decided_when_the_store_has_settled(url):
    async def scenario(store):
        await furnish(store, "g1")
        begun, go = threading.Event(), threading.Event()

        def hold(_: object) -> None:
            begun.set()
            go.wait(10)

        async with one_batch(store):
            held = asyncio.ensure_future(store.database.write(hold))
            append = asyncio.ensure_future(store.games.append(an_entry()))
            await asyncio.sleep(0)
        await asyncio.to_thread(begun.wait, 10)
        append.cancel()  # the caller is gone, but it may still be committed
        settled = asyncio.ensure_future(store.settle())
        await store.games.get("g1")
        assert not settled.done()
        go.set()
        await settled
        assert len(await store.games.entries("g1")) == 1
        await held

    with_store(url, scenario)


def test_a_cancelled_change_is_not_retried_after_a_failed_batch(sqlite_url):
    async def scenario(store):
        begun, go = threading.Event(), threading.Event()
        worked: list[object] = []

        def stumble(_: object) -> None:
            raise LookupError("a mistake")

        def hold(_: object) -> None:
            begun.set()
            go.wait(10)

        async with one_batch(store):
            wanted = [
                asyncio.ensure_future(store.database.write(work))
                for work in (stumble, hold, worked.append, worked.append)
            ]
        await asyncio.to_thread(begun.wait, 10)
        wanted[2].cancel()
        await asyncio.sleep(0)
        go.set()
        await asyncio.gather(*wanted, return_exceptions=True)
        assert len(worked) == 1

    with_store(sqlite_url, scenario)


def test_a_game_that_is_locked_holds_up_no_other(postgres_url, monkeypatch):
    monkeypatch.setattr("macaz.server.store.connect.BUSY_S", 0.2)

    async def scenario(store):
        await furnish(store, "g1", "g2", "g3")
        with psycopg.connect(postgres_url) as intruder:
            intruder.execute("SELECT id FROM game WHERE id = 'g2' FOR UPDATE")
            async with one_batch(store):
                wanted = [
                    asyncio.ensure_future(store.games.append(an_entry(name)))
                    for name in ("g1", "g2", "g3")
                ]
            answers = await asyncio.gather(*wanted, return_exceptions=True)
            assert [type(answer) for answer in answers] == [bool, Unavailable, bool]
        assert await store.games.append(an_entry("g2"))

    with_store(postgres_url, scenario)


def test_a_queue_that_is_too_long_is_refused_at_once(sqlite_url):
    async def scenario(store):
        await furnish(store, "g1")
        store.database._writer._most_waiting = 3
        async with one_batch(store):
            asked = [
                asyncio.ensure_future(store.games.append(an_entry(version=n))) for n in range(1, 6)
            ]
            await asyncio.wait(asked, return_when=asyncio.FIRST_COMPLETED)
            assert [task.done() for task in asked] == [False, False, False, True, True]
        answers = await asyncio.gather(*asked, return_exceptions=True)
        assert answers[:3] == [True] * 3
        assert all(isinstance(answer, Unavailable) for answer in answers[3:])

    with_store(sqlite_url, scenario)


def test_closing_finishes_what_waits(url):
    async def scenario(store):
        await furnish(store, "g1")
        async with one_batch(store):
            append = asyncio.ensure_future(store.games.append(an_entry()))
            await asyncio.sleep(0)
            closing_down = asyncio.ensure_future(store.close())
            await asyncio.sleep(0)
            with pytest.raises(Unavailable, match="closed"):
                await store.games.append(an_entry(version=2))
            with pytest.raises(Unavailable, match="closed"):
                await store.games.get("g1")
        assert await append
        await closing_down

    with_store(url, scenario)
    assert with_store(url, lambda store: store.games.versions(["g1"])) == {"g1": 1}


def test_a_measurement_that_fails_prevents_no_change(sqlite_url):
    def committed(seconds: float, jobs: int) -> None:
        raise ZeroDivisionError

    async def scenario(store):
        await furnish(store, "g1")
        assert await store.games.append(an_entry())

    with_store(sqlite_url, scenario, committed=committed)


def test_an_event_loop_that_is_gone_harms_no_other(sqlite_url):
    store = Store.open(sqlite_url)
    begun, go = threading.Event(), threading.Event()

    def hold(_: object) -> None:
        begun.set()
        go.wait(10)

    async def leave() -> None:
        waiting = asyncio.ensure_future(store.database.write(hold))
        await asyncio.to_thread(begun.wait, 10)
        assert not waiting.done()

    asyncio.run(leave())
    go.set()
    asyncio.run(store.ping())
    asyncio.run(store.close())


# -- opening ---------------------------------------------------------------------------------------


def test_a_sqlite_file_is_for_one_server_and_its_owner(tmp_path):
    file = tmp_path / "macaz.db"
    url = f"sqlite:///{file}"

    async def scenario(store):
        with pytest.raises(MacazError, match="Another Macaz server"):
            Store.open(url)
        await furnish(store)
        for path in file.parent.glob("macaz.db*"):
            assert path.name.endswith(".lock") or stat.S_IMODE(path.stat().st_mode) == 0o600

        def pragmas(connection):
            names = ("journal_mode", "synchronous", "foreign_keys")
            return [connection.exec_driver_sql(f"PRAGMA {name}").scalar() for name in names]

        assert await store.database.write(pragmas) == ["wal", 2, 1]

    with_store(url, scenario)
    with_store(url, lambda store: store.ping())


@pytest.mark.parametrize(
    ("url", "says"),
    [
        ("sqlite://", "is a file"),
        ("sqlite:///:memory:", "is a file"),
        ("sqlite:///a.db?mode=ro", "is a file"),
        ("mysql://ada:hush@host/db", "'mysql' is no database"),
        ("ada:hush", "cannot be read"),
    ],
)
def test_addresses_that_are_not_understood(url, says):
    with pytest.raises(MacazError, match=says) as caught:
        Store.open(url)
    assert "hush" not in str(caught.value)


def test_both_names_of_postgresql(monkeypatch):
    for scheme in ("postgres", "postgresql", "postgresql+psycopg"):
        url = place.read_url(f"{scheme}://ada@host/db?sslmode=require")
        assert url.render_as_string() == "postgresql+psycopg://ada@host/db?sslmode=require"
    monkeypatch.setattr(place, "find_spec", lambda _: None)
    with pytest.raises(MacazError, match="extra 'nodes'"):
        place.read_url("postgresql://host/db")


def test_the_default_place_is_a_file_in_the_users_folder():
    file = place.file_of(place.read_url(place.default_database()))
    assert file is not None
    assert file.name == "macaz.db"


def test_a_file_that_is_no_database(tmp_path):
    file = tmp_path / "notes.txt"
    file.write_text("not a database, but longer than the header of one " * 20)
    with pytest.raises(MacazError, match="not a database"):
        Store.open(f"sqlite:///{file}")
    assert file.read_text().startswith("not a database")


def test_only_our_own_folder_is_made(tmp_path, monkeypatch):
    with pytest.raises(MacazError, match="no folder"):
        Store.open(f"sqlite:///{tmp_path / 'slip' / 'macaz.db'}")
    assert not (tmp_path / "slip").exists()
    monkeypatch.setattr(place, "_own_folder", lambda: tmp_path / "own")
    asyncio.run(Store.open(place.default_database()).close())
    assert (tmp_path / "own" / "macaz.db").is_file()
    (tmp_path / "file").touch()
    monkeypatch.setattr(place, "_own_folder", lambda: tmp_path / "file" / "own")
    with pytest.raises(MacazError, match="cannot be made"):
        Store.open(place.default_database())
