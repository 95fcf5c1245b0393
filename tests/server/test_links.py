"""Links over HTTP: each is used once, whatever happens; tables are listed for their creators."""

from __future__ import annotations

import asyncio
import sqlite3
import threading
from collections.abc import Callable, Coroutine, Iterator
from contextlib import closing, contextmanager
from pathlib import Path
from typing import Any

import pytest
from sqlalchemy import event
from tests.server.harness import Client, Served, serving, settings

from macaz.server.entries import Sat, encode_entry
from macaz.server.http.links import MOST_LINKS
from macaz.server.people import digest
from macaz.server.refusal import Refusal
from macaz.server.store.rows import Append

Story = Callable[[Served], Coroutine[Any, Any, None]]


def tell(folder: Path, story: Story) -> None:
    """Run a test against a real server."""
    with serving(settings(folder)) as server:
        asyncio.run(story(server))


async def people(server: Served, *names: str) -> list[Client]:
    clients = [await Client.new(server.address, name) for name in names]
    for client in clients:
        await client.get("/me")  # the first use of a token writes to the database
    return clients


async def close(*clients: Client) -> None:
    for client in clients:
        await client.close()


async def link(client: Client, table: str, kind: str, seat: int | None = None) -> str:
    """The secret of a new link."""
    made = await client.post(f"/tables/{table}/links", {"kind": kind, "seat": seat})
    return str(made["url"].partition("#")[2])


async def opened(client: Client, secret: str) -> tuple[int, Any]:
    """The status, and the seat or the code of the refusal."""
    answer = await client.ask("POST", "/links/open", {"token": secret})
    body = answer.json()
    return answer.status_code, body["seat"] if answer.is_success else body["code"]


async def versions(server: Served, table: str) -> int:
    return len(await server.inside(server.node.store.games.entries(table)))


def test_a_seats_link_survives_a_database_that_is_gone_while_it_is_opened(tmp_path, monkeypatch):
    monkeypatch.setattr("macaz.server.store.connect.BUSY_S", 0.05)

    async def story(server: Served) -> None:
        ana, ion, eva = await people(server, "Ana", "Ion", "Eva")
        table = await ana.table("me", "person", "person", edition="usa")
        secret = await link(ana, table, "seat", 1)
        store = server.node.store
        append = store.games.append

        async def while_locked(entry: Append) -> bool:
            intruder.execute("BEGIN EXCLUSIVE")
            written: bool = await append(entry)
            return written

        file = tmp_path / "macaz.db"
        with closing(
            sqlite3.connect(file, isolation_level=None, check_same_thread=False)
        ) as intruder:
            monkeypatch.setattr(store.games, "append", while_locked)
            assert await opened(ion, secret) == (503, "storage")
            intruder.execute("ROLLBACK")
            monkeypatch.setattr(store.games, "append", append)
        assert await opened(ion, secret) == (200, 1)
        assert await opened(eva, secret) == (404, "not-found")
        [known] = await ana.get(f"/tables/{table}/links")
        assert known["used"]
        await close(ana, ion, eva)

    tell(tmp_path, story)


@contextmanager
def held_commits(server: Served) -> Iterator[None]:
    """Suspend commits: nothing is committed meanwhile, and nothing fails either."""
    go = threading.Event()

    def hold(_: object) -> None:
        go.wait(30)

    engine = server.node.store.database._writing
    event.listen(engine, "commit", hold)
    try:
        yield
    finally:
        event.remove(engine, "commit", hold)
        go.set()


def test_a_table_asks_until_it_knows_what_became_of_a_commit(tmp_path):
    async def story(server: Served) -> None:
        ana, ion = await people(server, "Ana", "Ion")
        table = await ana.table("me", "person", "person", edition="usa")
        secret = await link(ana, table, "seat", 1)
        live = await server.inside(server.node.table(table))
        store = server.node.store
        before, patience = live.state.version, store.database.patience
        with held_commits(server):
            store.database.patience = 1.5
            assert await opened(ion, secret) == (503, "storage")
            # The log can be read, but the pending write may still be committed.
            assert await versions(server, table) == before
            with pytest.raises(Refusal):
                await server.inside(live.log.catch_up())
            assert live.log.doubtful
            store.database.patience = patience
        assert await opened(ion, secret) == (200, 1)
        assert live.state.version == await versions(server, table) == before + 1
        await close(ana, ion)

    tell(tmp_path, story)


def test_one_who_opens_a_seats_link_often_at_once_sits_down_once(tmp_path):
    async def story(server: Served) -> None:
        ana, ion, eva = await people(server, "Ana", "Ion", "Eva")
        table = await ana.table("me", "person", "person", edition="usa")
        secret = await link(ana, table, "seat", 1)
        before = await versions(server, table)
        answers = await asyncio.gather(*(opened(ion, secret) for _ in range(10)))
        assert answers == [(200, 1)] * 10
        assert await versions(server, table) == before + 1
        # Also when they sat down on another node, and this one has not heard of it.
        secret = await link(ana, table, "seat", 2)
        store = server.node.store
        [_, made] = await server.inside(
            store.links.of_person(table, server.node.tables[table].row.host)
        )
        eva_id = (
            await server.inside(store.credentials.token_by_digest(digest(eva.token)))
        ).person_id
        elsewhere = Append(
            game=table,
            version=before + 2,
            body=encode_entry(Sat(2, eva_id, "Eva", "green")),
            nonce=None,
            at=server.node.clock.now(),
            status="waiting",
            wake_at=None,
            seat=(2, eva_id),
            link=made.id,
        )
        assert await server.inside(store.games.append(elsewhere))
        assert await opened(eva, secret) == (200, 2)
        assert await opened(ion, secret) == (404, "not-found")
        await close(ana, ion, eva)

    tell(tmp_path, story)


def test_links_made_at_once_are_no_more_than_allowed(tmp_path):
    async def story(server: Served) -> None:
        [ana] = await people(server, "Ana")
        table = await ana.table("me", "person")
        wanted = {"kind": "join"}
        answers = await asyncio.gather(
            *(ana.ask("POST", f"/tables/{table}/links", wanted) for _ in range(MOST_LINKS + 11))
        )
        made = [answer.json() for answer in answers if answer.is_success]
        assert len(made) == MOST_LINKS
        refused = {answer.json()["code"] for answer in answers if not answer.is_success}
        assert refused == {"too-many"}
        await ana.ask("DELETE", f"/tables/{table}/links/{made[0]['id']}")
        assert await link(ana, table, "join")
        await close(ana)

    tell(tmp_path, story)


def test_one_who_left_cannot_give_the_old_seat_away(tmp_path):
    async def story(server: Served) -> None:
        ana, ion, eva = await people(server, "Ana", "Ion", "Eva")
        table = await ana.table("me", "person", "person", edition="usa")
        join = await link(ana, table, "join")
        assert await opened(ion, join) == (200, 1)
        old = await link(ion, table, "seat", 1)
        await ion.post(f"/tables/{table}/seats/1/leave")
        assert await opened(eva, old) == (403, "not-allowed")
        assert (await eva.ask("GET", f"/tables/{table}")).status_code == 404
        # The host can give the seat; and a person who came back can give their own again.
        assert await opened(eva, await link(ana, table, "seat", 1)) == (200, 1)
        await eva.post(f"/tables/{table}/seats/1/leave")
        assert await opened(ion, join) == (200, 1)
        assert await opened(eva, old) == (200, 1)
        await close(ana, ion, eva)

    tell(tmp_path, story)


def test_the_maker_of_a_table_finds_it_among_theirs_and_can_close_it(tmp_path):
    async def story(server: Served) -> None:
        ana, ion = await people(server, "Ana", "Ion")
        table = await ana.table("person", "person")
        [mine] = (await ana.get("/me/tables"))["tables"]
        assert (mine["id"], mine["mine"]) == (table, [])
        assert (await ion.get("/me/tables"))["tables"] == []
        await ana.post(f"/tables/{table}/close")
        [mine] = (await ana.get("/me/tables"))["tables"]
        assert mine["status"] == "closed"
        await close(ana, ion)

    tell(tmp_path, story)
