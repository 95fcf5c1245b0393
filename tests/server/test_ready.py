"""`/readyz` fails while no move can be written, and succeeds again afterwards."""

from __future__ import annotations

import asyncio
import json
import resource
from collections.abc import Callable, Iterator
from contextlib import closing, contextmanager
from functools import partial
from pathlib import Path
from typing import Any

import psycopg
import pytest
from tests.server.harness import Client, Player, seated, serving, settings
from tests.server.processes import Server
from tests.server.services import Postgres
from tests.server.test_faults import locked
from tests.server.zygote import Zygote

from macaz.server.store import migrate


@pytest.fixture(scope="module")
def zygote() -> Iterator[Zygote]:
    with Zygote("tests.server.processes:serve") as running:
        yield running


async def until_ready(client: Client, ready: bool) -> str:
    """The answer of `/readyz` as soon as it has the expected status."""
    async with asyncio.timeout(60):
        while True:
            answer = await client.http.get(f"{client.address}/readyz")
            if (answer.status_code == 200) == ready:
                return answer.text
            await asyncio.sleep(0.05)


async def playing(address: str) -> tuple[Client, Player]:
    ana = await Client.new(address)
    table = await ana.table("person", "person", mine=["Ana", "Ion"])
    return ana, await seated(ana, table, 0)


async def fails_and_recovers(address: str, broken: Any) -> None:
    """Inside `broken()`, the server is not ready and a move is refused; afterwards it is made."""
    ana, player = await playing(address)
    await until_ready(ana, ready=True)
    with broken():
        assert await until_ready(ana, ready=False) == "nothing can be written to the database"
        assert (await player.act())["code"] == "storage"
        assert (await ana.http.get(f"{address}/healthz")).status_code == 200
    assert await until_ready(ana, ready=True) == "ready"
    assert (await player.again())["type"] == "done"
    await player.socket.close()
    await ana.close()


@contextmanager
def full_disk(process: int, database: Path) -> Iterator[None]:
    """Limit the file size of a process, so that SQLite gets the error of a full disk."""
    kinds = ("", "-wal")
    largest = max(Path(f"{database}{kind}").stat().st_size for kind in kinds)
    before = resource.prlimit(process, resource.RLIMIT_FSIZE)
    resource.prlimit(process, resource.RLIMIT_FSIZE, (largest, before[1]))
    try:
        yield
    finally:
        resource.prlimit(process, resource.RLIMIT_FSIZE, before)


def test_a_full_disk(zygote: Zygote, tmp_path: Path) -> None:
    database = tmp_path / "macaz.db"
    server = Server(zygote, tmp_path, database=f"sqlite:///{database}")
    try:
        address = server.wait_ready()
        full = partial(full_disk, server.process.pid, database)
        asyncio.run(fails_and_recovers(address, full))
    finally:
        server.kill()
    said = [json.loads(line) for line in server.log.read_text().splitlines()]
    changes = [line for line in said if line["logger"] == "macaz.app"]
    assert [line["message"] for line in changes] == [
        "nothing can be written",
        "the database can be written again",
    ]
    assert changes[0]["reason"]


def test_a_database_that_is_locked(tmp_path, monkeypatch):
    monkeypatch.setattr("macaz.server.store.connect.BUSY_S", 0.2)
    with serving(settings(tmp_path)) as server:
        asyncio.run(fails_and_recovers(server.address, partial(locked, tmp_path)))


def test_a_read_only_sqlite(tmp_path):
    with serving(settings(tmp_path)) as server:

        @contextmanager
        def query_only() -> Iterator[None]:
            say("PRAGMA query_only = 1")
            try:
                yield
            finally:
                say("PRAGMA query_only = 0")

        def say(pragma: str) -> None:
            with closing(server.node.store.database._writer._engine.raw_connection()) as writing:
                writing.cursor().execute(pragma)

        asyncio.run(fails_and_recovers(server.address, query_only))


@contextmanager
def read_only(postgres: Postgres) -> Iterator[None]:
    """PostgreSQL refuses to write, as a standby does."""
    _set_read_only(postgres, "on")
    try:
        yield
    finally:
        _set_read_only(postgres, "off")


def _set_read_only(postgres: Postgres, value: str) -> None:
    postgres.run(f"ALTER SYSTEM SET default_transaction_read_only = {value}")
    postgres.run("SELECT pg_reload_conf()")


def test_a_read_only_postgres(tmp_path, postgres, postgres_url):
    with serving(settings(tmp_path, database=postgres_url)) as server:
        asyncio.run(fails_and_recovers(server.address, partial(read_only, postgres)))


def test_while_another_node_migrates(tmp_path, postgres_url):
    @contextmanager
    def migrating() -> Iterator[None]:
        with closing(psycopg.connect(postgres_url)) as other:
            other.execute("SELECT pg_advisory_xact_lock(%s)", [migrate.ADVISORY_LOCK])
            yield

    async def story(address: str) -> None:
        ana = await Client.new(address)
        await until_ready(ana, ready=True)
        with migrating():
            await until_ready(ana, ready=False)
        await until_ready(ana, ready=True)
        await ana.close()

    with serving(settings(tmp_path, database=postgres_url)) as server:
        asyncio.run(story(server.address))


def test_asking_leaves_nothing_behind(tmp_path):
    async def story(server: Any) -> None:
        store = server.node.store

        async def names() -> list[str]:
            found: list[str] = await store.database.read(_names)
            return found

        before = await server.inside(names())
        for _ in range(3):
            await server.inside(store.ping())
        assert await server.inside(names()) == before

    def _names(connection: Any) -> list[str]:
        rows: Callable[..., Any] = connection.exec_driver_sql
        return sorted(name for (name,) in rows("SELECT name FROM setting"))

    with serving(settings(tmp_path)) as server:
        asyncio.run(story(server))
