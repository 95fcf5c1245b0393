"""When something breaks: the table waits, answers with a code, and goes on; no other suffers."""

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

from tests.server.harness import Client, hear, play_on, say, serving, settings

from macaz.server.clock import Clock


@contextmanager
def locked(folder: Path) -> Iterator[None]:
    """Nobody else can write to the database while inside."""
    with closing(sqlite3.connect(folder / "macaz.db", isolation_level=None)) as intruder:
        intruder.execute("BEGIN EXCLUSIVE")
        yield
        intruder.execute("ROLLBACK")


async def act(client: Client, table: str, nonce: str = "a") -> tuple[Any, dict[str, Any]]:
    """A socket of seat 0 that has sent its first decision, and what it sent."""
    socket = await client.connect()
    await say(socket, "hello", table=table, seat=0)
    welcome = await hear(socket, "welcome")
    sent = {"action": welcome["legal"][0]["action"], "version": welcome["version"], "nonce": nonce}
    await say(socket, "act", **sent)
    return socket, sent


def test_a_locked_database_is_waited_for(tmp_path):
    async def story(address: str) -> None:
        ana = await Client.new(address)
        table = await ana.table("person", "person", mine=["Ana", "Ion"])
        with locked(tmp_path):
            socket, sent = await act(ana, table)
            refused = await hear(socket, "refused")
            assert (refused["code"], refused["nonce"]) == ("storage", "a")
            # Whoever only reads does not suffer.
            assert (await ana.get(f"/tables/{table}"))["status"] == "running"
            new = await ana.ask(
                "POST", "/tables", {"edition": "tiny", "seats": [{"kind": "person"}] * 2}
            )
            assert (new.status_code, new.json()["code"]) == (503, "storage")
            assert new.headers["retry-after"]
        await say(socket, "act", **sent)
        done = await hear(socket, "done")
        await say(socket, "act", **sent)
        assert await hear(socket, "done") == done
        await socket.close()
        await asyncio.gather(play_on(ana, table, 0), play_on(ana, table, 1))
        await ana.close()

    with serving(settings(tmp_path)) as server:
        asyncio.run(story(server.address))


def test_bots_go_on_by_themselves_after_a_locked_database(tmp_path):
    async def story(address: str) -> None:
        ana = await Client.new(address)
        table = await ana.table("me", "random", "random", "random", edition="usa")
        socket = await ana.connect()
        await say(socket, "hello", table=table, seat=0)
        await hear(socket, "welcome")
        with locked(tmp_path):
            await asyncio.sleep(2.5)
        # All three bots choose their tickets, though nobody asks them to.
        for _ in range(3):
            await hear(socket, "update")
        await socket.close()
        await ana.close()

    with serving(settings(tmp_path, bot_pace=0.5)) as server:
        asyncio.run(story(server.address))


def test_a_full_disk_loses_nothing(tmp_path):
    async def story(address: str, server: Any) -> None:
        async def room(extra: int) -> None:
            def pragma(connection: Any) -> None:
                [pages] = connection.exec_driver_sql("PRAGMA page_count").one()
                connection.exec_driver_sql(f"PRAGMA max_page_count = {pages + extra}")

            await server.inside(server.node.store._write(pragma))

        ana = await Client.new(address)
        table = await ana.table("person", "person", mine=["Ana", "Ion"], edition="usa")
        await room(0)
        statuses: dict[int, dict[str, str]] = {201: {}}
        while 503 not in statuses:  # what is left of the last pages fills up
            answer = await ana.ask("POST", "/people", {"name": "x" * 24, "token": "y" * 60})
            statuses[answer.status_code] = answer.json()
        assert set(statuses) == {201, 503}
        assert statuses[503]["code"] == "storage"
        answers: list[str] = []
        socket, sent = await act(ana, table)
        while "refused" not in answers and len(answers) < 1000:
            answers.append((await hear(socket))["type"])
            if answers[-1] == "done":
                break
        assert (await ana.get(f"/tables/{table}"))["status"] == "running"
        await room(100_000)
        await say(socket, "act", **sent)
        await hear(socket, "done")
        await socket.close()
        await asyncio.gather(play_on(ana, table, 0), play_on(ana, table, 1))
        await ana.close()

    with serving(settings(tmp_path)) as server:
        asyncio.run(story(server.address, server))


def test_a_slow_client_is_cut_off_and_nobody_waits_for_it(tmp_path):
    async def story(address: str, node: Any) -> None:
        ana = await Client.new(address)
        table = await ana.table("person", "person", mine=["Ana", "Ion"], edition="usa", listed=True)
        slow = await asyncio.to_thread(raw_socket, address, ana.token)
        slow.sendall(frame(json.dumps({"type": "hello", "table": table, "seat": None})))
        while len(node.connections) < 1:
            await asyncio.sleep(0.01)
        [lagging] = node.connections
        # It asks and asks, and reads nothing, while others play.
        asking = asyncio.create_task(asyncio.to_thread(ask_for_ever, slow))
        await asyncio.gather(play_on(ana, table, 0), play_on(ana, table, 1))
        async with asyncio.timeout(30):
            await asking
            while lagging in node.connections:
                await asyncio.sleep(0.01)
        assert lagging not in node.connections
        assert lagging not in node.tables[table].listeners
        slow.close()
        await ana.close()

    def ask_for_ever(slow: sockets.socket) -> None:
        slow.settimeout(5)
        with suppress(OSError):  # cut off, or heard no longer
            for _ in range(20_000):
                slow.sendall(frame(json.dumps({"type": "look"})))

    with serving(settings(tmp_path)) as server:
        asyncio.run(story(server.address, server.node))


def raw_socket(address: str, token: str) -> sockets.socket:
    """A WebSocket by hand, with the smallest buffers, that nobody reads from."""
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

    async def story(address: str, node: Any) -> None:
        ana = await Client.new(address)
        table = await ana.table("me", "random", edition="usa")
        # A client that is gone without a word: nothing answers its pings any more.
        gone = await asyncio.to_thread(raw_socket, address, ana.token)
        gone.sendall(frame(json.dumps({"type": "hello", "table": table, "seat": 0})))
        lively = await ana.connect()
        await say(lively, "hello", table=table, seat=0)
        await hear(lively, "welcome")
        async with asyncio.timeout(20):
            while len(node.connections) != 1:
                await asyncio.sleep(0.05)
        await say(lively, "ping")  # whoever answers stays
        await hear(lively, "pong")
        gone.close()
        await lively.close()
        await ana.close()

    with serving(settings(tmp_path)) as server:
        asyncio.run(story(server.address, server.node))


def test_setting_the_clock_takes_nobodys_time(tmp_path, monkeypatch):
    wall = {"jump": 0.0}
    real = time.time
    monkeypatch.setattr(time, "time", lambda: real() + wall["jump"])
    monkeypatch.setattr(time, "time_ns", lambda: int((real() + wall["jump"]) * 1e9))

    async def story(address: str) -> None:
        ana = await Client.new(address)
        table = await ana.table("me", "random", move_seconds=60)
        for jump in (86_400.0, -86_400.0):
            wall["jump"] = jump
            await asyncio.sleep(1.5)  # more than a sweep
            assert (await ana.get(f"/tables/{table}"))["seats"][0]["bot"] is None
        await play_on(ana, table, 0)
        await ana.close()

    with serving(settings(tmp_path), Clock(wall=time.time)) as server:
        asyncio.run(story(server.address))


def test_who_ran_out_of_time_while_no_server_was_there_gets_some_more(tmp_path):
    kept: dict[str, str] = {}

    async def before(address: str) -> None:
        ana = await Client.new(address)
        kept["table"] = await ana.table("me", "random", move_seconds=3600)
        kept["token"] = ana.token
        await ana.close()

    async def after(address: str) -> None:
        ana = Client(address, kept["token"])
        await asyncio.sleep(1.5)
        assert (await ana.get(f"/tables/{kept['table']}"))["seats"][0]["bot"] is None
        await play_on(ana, kept["table"], 0)
        await ana.close()

    with serving(settings(tmp_path)) as server:
        asyncio.run(before(server.address))
    with serving(settings(tmp_path), Clock(wall=lambda: time.time() + 7200)) as server:
        asyncio.run(after(server.address))


def test_a_hundred_thinking_bots_delay_nobodys_click(tmp_path):
    async def story(address: str) -> None:
        ana = await Client.new(address)
        tables = [await ana.table("greedy", "greedy", edition="europe", mine=[]) for _ in range(50)]
        mine = await ana.table("person", "person", mine=["Ana", "Ion"])
        # While they think, a whole game is played by people.
        await asyncio.gather(play_on(ana, mine, 0), play_on(ana, mine, 1))
        assert (await ana.get(f"/tables/{mine}"))["status"] == "finished"
        running = [(await ana.get(f"/tables/{table}"))["status"] for table in tables]
        assert running.count("running") > 0, "the bots were done too soon to prove anything"
        await ana.close()

    with serving(settings(tmp_path)) as server:
        asyncio.run(story(server.address))
