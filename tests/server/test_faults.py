"""Failures: the table waits, answers with a code, and goes on; other tables are not affected."""

from __future__ import annotations

import asyncio
import json
import socket as sockets
import sqlite3
import time
from collections.abc import Iterator
from contextlib import closing, contextmanager, suppress
from pathlib import Path
from typing import Any

import pytest
from tests.server.harness import (
    Client,
    Player,
    Served,
    hear,
    play_on,
    say,
    seated,
    serving,
    settings,
)

from macaz.server.clock import Clock


@contextmanager
def locked(folder: Path) -> Iterator[None]:
    """Hold an exclusive lock on the database."""
    with closing(sqlite3.connect(folder / "macaz.db", isolation_level=None)) as intruder:
        intruder.execute("BEGIN EXCLUSIVE")
        yield
        intruder.execute("ROLLBACK")


async def two_tables(client: Client, **more: Any) -> list[str]:
    """Two tables whose seats all belong to one person."""
    return [await client.table("person", "person", mine=["Ana", "Ion"], **more) for _ in range(2)]


async def finish(client: Client, *tables: str) -> None:
    """Play games of two seats to their end, all at once."""
    await asyncio.gather(*(play_on(client, table, seat) for table in tables for seat in (0, 1)))
    for table in tables:
        assert (await client.get(f"/tables/{table}"))["status"] == "finished"


@pytest.fixture
def impatient(monkeypatch):
    """A store that waits only briefly for a lock of another connection."""
    monkeypatch.setattr("macaz.server.store.connect.BUSY_S", 0.2)


@pytest.mark.usefixtures("impatient")
def test_a_locked_database_is_waited_for(tmp_path):
    async def story(address: str) -> None:
        ana = await Client.new(address)
        tables = await two_tables(ana)
        players = [await seated(ana, table, 0) for table in tables]
        with locked(tmp_path):
            # All writers wait together, not one after the other.
            for refused in await asyncio.gather(*(player.act() for player in players)):
                assert (refused["code"], refused["nonce"]) == ("storage", "n1")
            # Readers are not affected.
            for table in tables:
                assert (await ana.get(f"/tables/{table}"))["status"] == "running"
            new = await ana.ask(
                "POST", "/tables", {"edition": "tiny", "seats": [{"kind": "person"}] * 2}
            )
            assert (new.status_code, new.json()["code"]) == (503, "storage")
            assert new.headers["retry-after"]
        for player in players:
            done = await player.again()
            assert done["type"] == "done"
            assert await player.again() == done
            await player.socket.close()
        await finish(ana, *tables)
        await ana.close()

    with serving(settings(tmp_path)) as server:
        asyncio.run(story(server.address))


def test_a_table_that_hangs_holds_up_no_other(tmp_path):
    async def story(server: Served) -> None:
        ana = await Client.new(server.address)
        stuck, other = await two_tables(ana)
        player = await seated(ana, stuck, 0)
        lock = server.node.tables[stuck].log.lock
        await server.inside(lock.acquire())
        acting = asyncio.create_task(player.act())
        await finish(ana, other)
        assert not acting.done()
        server.loop.call_soon_threadsafe(lock.release)
        assert (await acting)["type"] == "done"
        await player.socket.close()
        await finish(ana, stuck)
        await ana.close()

    with serving(settings(tmp_path)) as server:
        asyncio.run(story(server))


@pytest.mark.usefixtures("impatient")
def test_bots_go_on_by_themselves_after_a_locked_database(tmp_path):
    async def story(address: str) -> None:
        ana = await Client.new(address)
        table = await ana.table("me", "random", "random", "random", edition="usa")
        socket = await ana.connect()
        await say(socket, "hello", table=table, seat=0)
        told = await hear(socket, "welcome")
        with locked(tmp_path):
            await asyncio.sleep(2)  # for some attempts
        # All three bots choose their tickets, without any request for it.
        while told["deciding"] != [0]:
            told = await hear(socket, "update")
        await socket.close()
        await ana.close()

    with serving(settings(tmp_path, bot_pace=0.5)) as server:
        asyncio.run(story(server.address))


def test_a_full_disk_loses_nothing(tmp_path):
    async def story(server: Served) -> None:
        async def room(extra: int) -> None:
            def pragma(connection: Any) -> None:
                [pages] = connection.exec_driver_sql("PRAGMA page_count").one()
                connection.exec_driver_sql(f"PRAGMA max_page_count = {pages + extra}")

            await server.inside(server.node.store.database.write(pragma))

        ana = await Client.new(server.address)
        tables = await two_tables(ana, edition="usa")
        await room(0)
        # The free space of the last pages is used up, until neither table can go on.
        stuck = [await play_until_refused(ana, table) for table in tables]
        new = await ana.ask(
            "POST", "/tables", {"edition": "usa", "seats": [{"kind": "person"}] * 2}
        )
        assert (new.status_code, new.json()["code"]) == (503, "storage")
        for player, table in zip(stuck, tables, strict=True):
            info = await ana.get(f"/tables/{table}")
            assert info["status"] == "running"
            assert info["version"] == player.last["version"]
        await room(100_000)
        for player in stuck:
            done = await player.again()
            assert (done["type"], done["version"]) == ("done", player.last["version"])
            await player.socket.close()
        await finish(ana, *tables)
        await ana.close()

    with serving(settings(tmp_path)) as server:
        asyncio.run(story(server))


async def play_until_refused(client: Client, table: str) -> Player:
    """Play both seats of a table until there is no space left; returns who was refused."""
    players = [await seated(client, table, seat) for seat in (0, 1)]
    while True:
        player, other = sorted(players, key=lambda player: not player.last["legal"])
        answer = await player.act()
        if answer["type"] == "refused":
            assert answer["code"] == "storage"
            await other.socket.close()
            return player
        await other.reach(answer["version"])


@pytest.mark.parametrize("away", ["file", "folder"])
def test_a_database_that_goes_away_is_missed_and_found_again(tmp_path, away):
    folder = tmp_path / "data"
    folder.mkdir()
    gone = folder if away == "folder" else folder / "macaz.db"

    async def story(address: str) -> None:
        ana = await Client.new(address)
        table = await ana.table("person", "person", mine=["Ana", "Ion"])
        player = await seated(ana, table, 0)
        gone.rename(tmp_path / "elsewhere")
        # SQLite would go on writing into a file that has no name any more.
        assert (await player.act())["code"] == "storage"
        assert (await ana.ask("POST", "/people", {"name": "Ion"})).status_code == 503
        async with asyncio.timeout(30):
            while (await ana.http.get(f"{address}/readyz")).status_code != 503:
                await asyncio.sleep(0.05)
        assert not (folder / "macaz.db").exists()
        (tmp_path / "elsewhere").rename(gone)
        assert (await player.again())["type"] == "done"
        await player.socket.close()
        await finish(ana, table)
        await ana.close()

    with serving(settings(folder)) as server:
        asyncio.run(story(server.address))


def test_a_slow_client_is_cut_off_and_no_other_waits_for_it(tmp_path):
    async def story(address: str, node: Any) -> None:
        ana = await Client.new(address)
        table = await ana.table("person", "person", mine=["Ana", "Ion"], edition="usa", listed=True)
        slow = await asyncio.to_thread(raw_socket, address, ana.token)
        slow.sendall(frame(json.dumps({"type": "hello", "table": table, "seat": None})))
        while len(node.connections) < 1:
            await asyncio.sleep(0.01)
        [lagging] = node.connections
        # It sends requests and reads nothing, while others play.
        asking = asyncio.create_task(asyncio.to_thread(ask_for_ever, slow))
        await asyncio.gather(play_on(ana, table, 0), play_on(ana, table, 1))
        async with asyncio.timeout(30):
            await asking
            while lagging in node.connections:
                await asyncio.sleep(0.01)
        assert lagging not in node.connections
        assert lagging not in node.tables[table].audience.listeners
        slow.close()
        await ana.close()

    def ask_for_ever(slow: sockets.socket) -> None:
        slow.settimeout(5)
        with suppress(OSError):  # disconnected, or no longer read from
            for _ in range(20_000):
                slow.sendall(frame(json.dumps({"type": "look"})))

    with serving(settings(tmp_path)) as server:
        asyncio.run(story(server.address, server.node))


def raw_socket(address: str, token: str) -> sockets.socket:
    """A WebSocket made by hand, with the smallest buffers, which is not read from."""
    host, _, port = address.removeprefix("http://").partition(":")
    raw = sockets.socket()
    raw.setsockopt(sockets.SOL_SOCKET, sockets.SO_RCVBUF, 1)
    raw.connect((host, int(port)))
    raw.sendall(
        f"GET /api/v1/socket HTTP/1.1\r\nHost: {host}:{port}\r\nUpgrade: websocket\r\n"
        "Connection: Upgrade\r\nSec-WebSocket-Version: 13\r\n"
        "Sec-WebSocket-Key: dGhlIHNhbXBsZSBub25jZQ==\r\n"
        f"Authorization: Bearer {token}\r\n\r\n".encode()
    )
    answer = b""
    while b"\r\n\r\n" not in answer:
        answer += raw.recv(1)
    assert answer.startswith(b"HTTP/1.1 101"), answer
    return raw


def frame(text: str) -> bytes:
    """A masked text frame, masked with zeros."""
    body = text.encode()
    assert len(body) < 126
    return bytes([0x81, 0x80 | len(body), 0, 0, 0, 0]) + body


def test_a_half_open_socket_is_noticed(tmp_path, monkeypatch):
    monkeypatch.setattr("macaz.server.app.PING_SECONDS", 0.3)
    monkeypatch.setattr("macaz.server.app.PONG_SECONDS", 0.3)

    async def story(address: str, node: Any) -> None:
        ana = await Client.new(address)
        table = await ana.table("me", "random", edition="usa")
        # A client that disappeared silently: its pings are no longer answered.
        gone = await asyncio.to_thread(raw_socket, address, ana.token)
        gone.sendall(frame(json.dumps({"type": "hello", "table": table, "seat": 0})))
        lively = await ana.connect()
        await say(lively, "hello", table=table, seat=0)
        await hear(lively, "welcome")
        async with asyncio.timeout(20):
            while len(node.connections) != 1:
                await asyncio.sleep(0.05)
        await say(lively, "ping")  # a client that answers stays
        await hear(lively, "pong")
        gone.close()
        await lively.close()
        await ana.close()

    with serving(settings(tmp_path)) as server:
        asyncio.run(story(server.address, server.node))


def test_no_client_waits_for_a_half_open_socket(tmp_path):
    async def story(address: str, node: Any) -> None:
        ana = await Client.new(address)
        tables = await two_tables(ana)
        gone = await asyncio.to_thread(raw_socket, address, ana.token)
        gone.sendall(frame(json.dumps({"type": "hello", "table": tables[0], "seat": 0})))
        async with asyncio.timeout(30):
            while tables[0] not in node.tables or not node.tables[tables[0]].audience.listeners:
                await asyncio.sleep(0.01)
        [silent] = node.tables[tables[0]].audience.listeners
        await finish(ana, *tables)
        assert silent in node.tables[tables[0]].audience.listeners, "the loss is not detected yet"
        gone.close()
        await ana.close()

    with serving(settings(tmp_path)) as server:
        asyncio.run(story(server.address, server.node))


async def swept(server: Served) -> None:
    """Run the periodic sweep now."""
    await server.inside(server.node.periodic.sweep())


def test_setting_the_clock_takes_no_players_time(tmp_path, monkeypatch):
    wall = {"jump": 0.0}
    real = time.time
    monkeypatch.setattr(time, "time", lambda: real() + wall["jump"])
    monkeypatch.setattr(time, "time_ns", lambda: int((real() + wall["jump"]) * 1e9))

    async def story(server: Served) -> None:
        ana = await Client.new(server.address)
        table = await ana.table("me", "random", move_seconds=3600)
        for jump in (86_400.0, -86_400.0):
            wall["jump"] = jump
            await swept(server)
            assert (await ana.get(f"/tables/{table}"))["seats"][0]["bot"] is None
        await play_on(ana, table, 0)
        await ana.close()

    with serving(settings(tmp_path), Clock(wall=time.time)) as server:
        asyncio.run(story(server))


def test_who_ran_out_of_time_while_no_server_was_there_gets_some_more(tmp_path):
    kept: dict[str, str] = {}

    async def before(address: str) -> None:
        ana = await Client.new(address)
        kept["table"] = await ana.table("me", "random", move_seconds=3600)
        kept["token"] = ana.token
        await ana.close()

    async def after(server: Served) -> None:
        ana = Client(server.address, kept["token"])
        await swept(server)
        assert (await ana.get(f"/tables/{kept['table']}"))["seats"][0]["bot"] is None
        await play_on(ana, kept["table"], 0)
        await ana.close()

    with serving(settings(tmp_path)) as server:
        asyncio.run(before(server.address))
    with serving(settings(tmp_path), Clock(wall=lambda: time.time() + 7200)) as server:
        asyncio.run(after(server))


PONDERS = """
import os, time
from pathlib import Path

class Ponders:  # until a file is there
    def __init__(self, seed):
        pass

    def choose(self, view, legal):
        while not Path(os.environ["PONDER_UNTIL"]).exists():
            time.sleep(0.01)
        return legal[0]
"""


def test_a_hundred_thinking_bots_delay_no_click(tmp_path, monkeypatch):
    enough, file = tmp_path / "enough", tmp_path / "pondering.py"
    file.write_text(PONDERS, encoding="utf-8")
    monkeypatch.setenv("PONDER_UNTIL", str(enough))

    async def story(address: str, node: Any) -> None:
        ana = await Client.new(address)
        tables = [await ana.table("ponders", "ponders", mine=[]) for _ in range(50)]
        mine = await ana.table("person", "person", mine=["Ana", "Ion"])
        async with asyncio.timeout(30):
            while sum(len(node.tables[table].bots.thinking) for table in tables) < 100:
                await asyncio.sleep(0.01)
        begun = {table: (await ana.get(f"/tables/{table}"))["version"] for table in tables}
        # While they think, people play a whole game, and none of the bots decides.
        await finish(ana, mine)
        for table, version in begun.items():
            assert (await ana.get(f"/tables/{table}"))["version"] == version
        enough.touch()
        async with asyncio.timeout(120):
            for table, version in begun.items():
                while (await ana.get(f"/tables/{table}"))["version"] == version:
                    await asyncio.sleep(0.01)
        await ana.close()

    own = {"ponders": f"{file}:Ponders"}
    with serving(settings(tmp_path, bot_workers=2, bot_limit=600, bots=own)) as server:
        asyncio.run(story(server.address, server.node))
