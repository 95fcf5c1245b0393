"""How many tables a person and an address may create: over a day, over nodes, over restarts."""

from __future__ import annotations

import asyncio
import sqlite3
from collections import Counter
from contextlib import closing
from pathlib import Path
from typing import Any

import pytest
from hypothesis import given
from hypothesis import settings as hypothesis_settings
from hypothesis import strategies as st
from tests.server.clocks import DAY_MS, Ticking
from tests.server.harness import Client, Served, serving, settings
from tests.server.test_metrics import read
from tests.server.test_store import a_game, with_store

from macaz.server.limits import address_digest, in_words
from macaz.server.store.quotas import OverQuota, Quotas
from macaz.server.store.store import Store

TABLE = {"edition": "tiny", "seats": [{"kind": "person"}] * 2}
HOUR_MS = 3_600_000


@pytest.fixture(params=["sqlite", "postgres"])
def url(request: pytest.FixtureRequest, tmp_path: Path) -> str:
    if request.param == "sqlite":
        return f"sqlite:///{tmp_path / 'macaz.db'}"
    address: str = request.getfixturevalue("postgres_url")
    return address


async def make(client: Client, path: str = "/tables") -> tuple[int, Any, int]:
    """Ask for a table: the status, the body, and when to try again."""
    answer = await client.ask("POST", path, TABLE if path == "/tables" else None)
    return answer.status_code, answer.json(), int(answer.headers.get("retry-after", 0))


async def try_to_make(client: Client, count: int) -> Counter[int]:
    """The number of responses by status, for this many requests at once."""
    answers = await asyncio.gather(*(make(client) for _ in range(count)))
    assert {body["code"] for status, body, _ in answers if status != 201} <= {"too-many"}
    return Counter(status for status, _, _ in answers)


# -- the store -------------------------------------------------------------------------------------


@pytest.mark.parametrize("limit", ["open", "stored", "person_a_day", "address_a_day"])
def test_parallel_games_never_pass_a_limit_together(url, limit):
    quotas = Quotas(**{limit: 5})

    async def create(store: Store, number: int) -> str:
        host = f"host{number}" if limit == "address_a_day" else "ada"
        row = a_game(f"g{number}", host=host, created_at=number)
        try:
            await store.games.create(row, [None, None], address="here", quotas=quotas)
        except OverQuota as error:
            return f"{error.limit} {error.most}"
        return "created"

    async def scenario(store: Store) -> None:
        other = store if url.startswith("sqlite") else Store.open(url)
        made = await asyncio.gather(
            *(create((store, other)[number % 2], number) for number in range(60))
        )
        assert Counter(made) == {"created": 5, f"{limit} 5": 55}
        if other is not store:
            await other.close()

    with_store(url, scenario, patience=60)


def test_a_day_is_counted_from_each_game(url):
    quotas = Quotas(person_a_day=2, address_a_day=3)

    async def scenario(store: Store) -> None:
        async def create(host: str, at: int, address: str = "here") -> int | None:
            row = a_game(f"{host}-{at}", host=host, created_at=at, status="closed")
            try:
                await store.games.create(row, [None, None], address=address, quotas=quotas)
            except OverQuota as error:
                return error.until
            return None

        assert await create("ada", 10) is None
        assert await create("ada", 20) is None
        assert await create("ada", 30) == 10 + DAY_MS
        assert await create("ada", DAY_MS + 9, "there") == 10 + DAY_MS
        assert await create("ada", DAY_MS + 10) is None
        assert await create("ada", DAY_MS + 11) == 20 + DAY_MS
        assert await create("ben", DAY_MS + 12) is None
        assert await create("eva", DAY_MS + 13) == 20 + DAY_MS
        assert await create("eva", DAY_MS + 20) is None
        assert await create("dan", DAY_MS + 21) == 2 * DAY_MS + 10
        assert await create("dan", DAY_MS + 22, "there") is None

    with_store(url, scenario)


def test_a_rematch_that_is_there_is_no_table_too_many(url):
    async def scenario(store: Store) -> None:
        await store.games.create(a_game("g1"), [None, None])
        quotas = Quotas(open=2)
        row = a_game("g2", previous="g1")
        assert await store.games.create(row, [None, None], quotas=quotas)
        again = a_game("g3", previous="g1")
        assert not await store.games.create(again, [None, None], quotas=quotas)

    with_store(url, scenario)


def test_a_refused_game_does_not_undo_what_is_written_with_it(url):
    async def scenario(store: Store) -> None:
        await store.people.add("ada", "Ada", "red")
        rows = [a_game(f"g{number}", host=f"host{number % 3}") for number in range(30)]
        made = await asyncio.gather(
            *(store.games.create(row, ["ada", None], quotas=Quotas(stored=1)) for row in rows),
            return_exceptions=True,
        )
        assert sum(one is True for one in made) == 3
        assert len(await store.games.of_person("ada", 99)) == 3

    with_store(url, scenario)


asked = st.tuples(
    st.sampled_from(("ada", "ben", "eva")),
    st.sampled_from(("here", "there")),
    st.integers(0, DAY_MS * 2 // 3),  # milliseconds since the game before
    st.booleans(),  # closed at once
)


@hypothesis_settings(max_examples=40, deadline=None)
@given(
    st.lists(asked, max_size=25),
    st.builds(
        Quotas,
        open=st.integers(0, 3),
        stored=st.integers(0, 6),
        person_a_day=st.integers(0, 3),
        address_a_day=st.integers(0, 4),
    ),
)
def test_any_course_of_games_is_counted_right(tmp_path_factory, wanted, quotas):
    async def scenario(store: Store) -> None:
        made: list[tuple[str, str, int, bool]] = []
        now = DAY_MS * 10
        for number, (host, address, later, closed) in enumerate(wanted):
            now += later
            today = [game for game in made if game[2] > now - DAY_MS]
            full = {
                "open": sum(one[0] == host and not one[3] for one in made),
                "stored": sum(one[0] == host for one in made),
                "person_a_day": sum(one[0] == host for one in today),
                "address_a_day": sum(one[1] == address for one in today),
            }
            expected = [
                limit for limit, count in full.items() if 0 < getattr(quotas, limit) <= count
            ]
            row = a_game(
                f"g{number}",
                host=host,
                created_at=now,
                status="closed" if closed else "running",
            )
            try:
                await store.games.create(row, [None, None], address=address, quotas=quotas)
            except OverQuota as error:
                refused = [error.limit]
            else:
                refused = []
                made.append((host, address, now, closed))
            assert refused == expected[:1]

    file = tmp_path_factory.mktemp("quotas") / "macaz.db"
    with_store(f"sqlite:///{file}", scenario, patience=60)


# -- the server ------------------------------------------------------------------------------------


def test_tables_of_a_person_in_a_day(tmp_path):
    clock = Ticking()
    chosen = settings(tmp_path, tables_per_person_a_day=3)

    async def first(server: Served) -> str:
        ana = await Client.new(server.address)
        assert await try_to_make(ana, 20) == {201: 3, 429: 17}
        status, body, wait = await make(ana)
        assert (status, body["code"]) == (429, "too-many")
        assert "3 tables within a day" in body["message"]
        assert "in 24 hours" in body["message"]
        assert 86_000 < wait <= 86_400
        figures = await read(server.address)
        assert figures["macaz_refusals_total", "too-many"] == 18
        # Others are not affected.
        ion = await Client.new(server.address, "Ion")
        assert (await make(ion))[0] == 201
        for client in (ana, ion):
            await client.close()
        return ana.token

    async def second(server: Served, token: str) -> None:
        ana = Client(server.address, token)
        tables = (await ana.get("/me/tables"))["tables"]
        await ana.post(f"/tables/{tables[0]['id']}/close")
        assert (await make(ana))[0] == 429  # closed ones count, after a restart too
        assert (await make(ana, f"/tables/{tables[0]['id']}/rematch"))[0] in (403, 429)
        clock.extra += 23 * HOUR_MS
        status, _, wait = await make(ana)
        assert status == 429
        assert wait <= 3600
        clock.extra += HOUR_MS
        assert await try_to_make(ana, 10) == {201: 3, 429: 7}
        await ana.close()

    with serving(chosen, clock) as server:
        token = asyncio.run(first(server))
    with serving(chosen, clock) as server:
        asyncio.run(second(server, token))


def test_tables_of_an_address_in_a_day(tmp_path):
    clock = Ticking()

    async def story(server: Served) -> None:
        people = [await Client.new(server.address, f"P{n}") for n in range(6)]
        counts = await asyncio.gather(*(try_to_make(one, 3) for one in people))
        assert sum(counts, Counter()) == {201: 4, 429: 14}
        status, body, wait = await make(people[0])
        assert (status, body["code"]) == (429, "too-many")
        assert "4 tables were made from your network" in body["message"]
        assert wait > 86_000
        clock.extra += DAY_MS
        assert (await make(people[5]))[0] == 201
        for one in people:
            await one.close()

    with serving(settings(tmp_path, tables_per_address_a_day=4), clock) as server:
        asyncio.run(story(server))
    with closing(sqlite3.connect(tmp_path / "macaz.db")) as database:
        dump = "\n".join(database.iterdump())
        [addresses] = [{row[0] for row in database.execute("SELECT address FROM creation")}]
    assert len(addresses) == 1
    assert "127.0.0.1" not in dump  # only a keyed hash is kept


def test_no_address_is_kept_where_none_is_counted(tmp_path):
    async def story(server: Served) -> None:
        ana = await Client.new(server.address)
        assert (await make(ana))[0] == 201
        await ana.close()

    with serving(settings(tmp_path, tables_per_person_a_day=3)) as server:
        asyncio.run(story(server))
    with closing(sqlite3.connect(tmp_path / "macaz.db")) as database:
        assert database.execute("SELECT address FROM creation").fetchall() == [(None,)]


def test_games_kept_for_a_guest(tmp_path):
    clock = Ticking()

    async def story(server: Served) -> None:
        ana = await Client.new(server.address)
        first = (await make(ana))[1]["id"]
        await ana.post(f"/tables/{first}/close")
        assert await try_to_make(ana, 9) == {201: 2, 429: 7}
        clock.extra += 30 * DAY_MS  # unlike tables of a day, these do not expire
        status, body, _ = await make(ana)
        assert (status, body["code"]) == (429, "too-many")
        assert "3 games, the most that are kept for one guest" in body["message"]
        await ana.close()

    with serving(settings(tmp_path, games_per_guest=3), clock) as server:
        asyncio.run(story(server))


def test_two_nodes_count_together(tmp_path, postgres_url, redis_url):
    chosen = settings(
        tmp_path,
        database=postgres_url,
        redis=redis_url,
        tables_per_person_a_day=4,
        tables_per_address_a_day=6,
    )

    async def story(*servers: Served) -> None:
        ana = await Client.new(servers[0].address)
        there = Client(servers[1].address, ana.token)
        counts = await asyncio.gather(*(try_to_make(one, 12) for one in (ana, there)))
        assert sum(counts, Counter()) == {201: 4, 429: 20}
        ion = await Client.new(servers[1].address, "Ion")
        assert await try_to_make(ion, 9) == {201: 2, 429: 7}
        for client in (ana, there, ion):
            await client.close()

    with serving(chosen) as one, serving(chosen) as two:
        asyncio.run(story(one, two))


# -- texts and digests -----------------------------------------------------------------------------


@pytest.mark.parametrize(
    ("seconds", "words"),
    [
        *((1, "1 second"), (45, "45 seconds"), (60, "1 minute"), (61, "2 minutes")),
        *((3600, "1 hour"), (3601, "2 hours"), (86_400, "24 hours")),
    ],
)
def test_a_wait_in_words(seconds, words):
    assert in_words(seconds) == words


@given(st.text(max_size=60), st.text(min_size=1, max_size=60))
def test_any_address_has_a_digest_that_depends_on_the_key(address, key):
    digest = address_digest(key, address)
    assert digest == address_digest(key, address)
    assert digest != address_digest(f"{key}!", address)
    assert len(digest) == 64


def test_addresses_of_one_network_have_one_digest():
    near, far = "2001:db8::1", "2001:db8:0:1::1"
    assert address_digest("k", near) == address_digest("k", "2001:db8::2")
    assert address_digest("k", near) != address_digest("k", far)
