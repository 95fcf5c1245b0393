"""`macaz play` and `macaz serve` as processes of their own."""

from __future__ import annotations

import asyncio
import json
import os
import re
import signal
import subprocess
import sys
from collections.abc import Iterator
from contextlib import contextmanager
from pathlib import Path

import httpx
import pytest
import websockets
from tests.server.harness import Client, hear, play_on, say, settings

from macaz.server.app import application, node_of

# A stop slow enough to test: clients get a long notice.
SLOWLY = "from macaz.server import app; app.NOTICE_SECONDS = 600"


@contextmanager
def started(*arguments: str, change: str = "pass") -> Iterator[tuple[subprocess.Popen[str], str]]:
    """Run a serving command, with a patch if given, and its address."""
    program = f"import sys; {change}; from macaz.cli import main; main(sys.argv[1:])"
    process = subprocess.Popen(
        [sys.executable, "-c", program, *arguments],
        stdout=subprocess.PIPE,
        stderr=subprocess.STDOUT,
        text=True,
        env=os.environ | {"PYTHONUNBUFFERED": "1"},
    )
    try:
        assert process.stdout is not None
        said = ""
        for line in process.stdout:
            said += line
            if found := re.search(r"http://\S+?:\d+", line):
                yield process, found[0]
                break
        else:
            raise AssertionError(said)
    finally:
        if process.poll() is None:
            process.kill()
        process.wait()
        if process.stdout is not None:
            process.stdout.close()


def stop(process: subprocess.Popen[str], number: int) -> str:
    """Send a signal; returns the output until the end."""
    process.send_signal(number)
    said, _ = process.communicate(timeout=30)
    return said


def database(folder: Path) -> str:
    return f"sqlite:///{folder}/macaz.db"


def test_ctrl_c_stops_cleanly_and_tables_survive(tmp_path):
    play = ("play", "--no-browser", "--port", "0", "--database", database(tmp_path))

    async def begin(address: str) -> tuple[str, str]:
        ana = await Client.new(address)
        table = await ana.table("me", "greedy")
        await play_on(ana, table, 0, upto=8)
        await ana.close()
        return table, ana.token

    async def end(address: str, table: str, token: str) -> None:
        ana = Client(address, token)
        await play_on(ana, table, 0)
        assert (await ana.get(f"/tables/{table}"))["status"] == "finished"
        await ana.close()

    with started(*play) as (process, address):
        table, token = asyncio.run(begin(address))
        said = stop(process, signal.SIGINT)
        assert (process.returncode, said) == (0, "")
    with started(*play) as (process, address):
        asyncio.run(end(address, table, token))
        stop(process, signal.SIGINT)
        assert process.returncode == 0


def test_sigterm_drains(tmp_path):
    async def story(process: subprocess.Popen[str], address: str) -> None:
        ana = await Client.new(address)
        table = await ana.table("person", "person", mine=["Ana", "Ion"])
        socket = await ana.connect()
        await say(socket, "hello", table=table, seat=0)
        move = (await hear(socket, "welcome"))["legal"][0]
        await say(socket, "act", action=move["action"], version=4, nonce="n")
        await hear(socket, "done")
        process.send_signal(signal.SIGTERM)
        await socket.wait_closed()
        assert socket.close_code == 1012  # this code means: connect again
        await ana.close()

    with started("serve", "--port", "0", "--database", database(tmp_path)) as (process, address):
        asyncio.run(story(process, address))
        said, _ = process.communicate(timeout=30)
        assert process.returncode == 0
        assert "Traceback" not in said


async def until_closing(address: str) -> None:
    """Wait until `/readyz` reports that the server shuts down."""
    async with httpx.AsyncClient(base_url=address) as caller, asyncio.timeout(30):
        while (answer := await caller.get("/readyz")).status_code == 200:
            await asyncio.sleep(0.01)
        assert (answer.status_code, answer.text) == (503, "closing")
        assert (await caller.get("/healthz")).status_code == 200


def test_a_server_that_goes_down_says_so_to_those_who_come(tmp_path):
    async def story(process: subprocess.Popen[str], address: str) -> None:
        ana = await Client.new(address)
        table = await ana.table("person", "person", mine=["Ana", "Ion"])
        socket = await ana.connect()
        await say(socket, "hello", table=table, seat=0)
        move = (await hear(socket, "welcome"))["legal"][0]
        process.send_signal(signal.SIGTERM)
        await until_closing(address)
        answer = await ana.ask("GET", "/tables")
        assert (answer.status_code, answer.json()["code"]) == (503, "closing")
        with pytest.raises(websockets.InvalidStatus) as refused:
            await ana.connect()
        assert json.loads(refused.value.response.body)["code"] == "closing"
        # Connected players may finish.
        await say(socket, "act", action=move["action"], version=4, nonce="n")
        await hear(socket, "done")
        await socket.close()
        await ana.close()

    serve = ("serve", "--port", "0", "--database", database(tmp_path), "--drain", "600")
    with started(*serve, change=SLOWLY) as (process, address):
        asyncio.run(story(process, address))
        said, _ = process.communicate(timeout=60)  # no client is left to be notified
        assert process.returncode == 0
        assert "Traceback" not in said


def test_a_second_ctrl_c_ends_at_once(tmp_path):
    async def story(process: subprocess.Popen[str], address: str) -> None:
        ana = await Client.new(address)
        socket = await ana.connect()
        process.send_signal(signal.SIGINT)
        await until_closing(address)
        process.send_signal(signal.SIGINT)
        async with asyncio.timeout(60):
            await socket.wait_closed()
        await ana.close()

    serve = ("serve", "--port", "0", "--database", database(tmp_path), "--drain", "600")
    with started(*serve, change=SLOWLY) as (process, address):
        asyncio.run(story(process, address))
        said, _ = process.communicate(timeout=60)
        assert process.returncode == 0
        assert "Traceback" not in said


def test_a_stop_without_clients_does_not_wait(tmp_path):
    serve = ("serve", "--port", "0", "--database", database(tmp_path), "--drain", "600")
    with started(*serve, change=SLOWLY) as (process, _):
        process.send_signal(signal.SIGINT)
        process.communicate(timeout=60)
        assert process.returncode == 0


def test_a_stop_has_one_deadline(tmp_path):
    """Time that was used up is not granted again to what is still in progress."""

    async def story() -> None:
        async with asyncio.timeout(60):
            async with application(settings(tmp_path, drain=600)) as app:
                node = node_of(app)
                endless = node.spawn(asyncio.Event().wait())
                assert node.time_left == 600
                node.drain()
                assert 0 < node.time_left < 600
                node.drain(0)
                node.drain()
                assert node.time_left == 0
            assert endless.cancelled()

    asyncio.run(story())


def test_two_servers_on_one_file_are_refused(tmp_path):
    serve = ("serve", "--port", "0", "--database", database(tmp_path))
    with started(*serve):
        second = subprocess.run(
            [sys.executable, "-m", "macaz", *serve],
            capture_output=True,
            text=True,
            timeout=60,
            check=False,
        )
    assert second.returncode == 2
    assert "Traceback" not in second.stderr
    assert second.stderr.startswith("macaz: ")


def test_a_port_that_is_taken_is_told(tmp_path):
    with started("serve", "--port", "0", "--database", database(tmp_path)) as (_, address):
        port = address.rpartition(":")[2]
        other = ("serve", "--port", port, "--database", f"sqlite:///{tmp_path}/other.db")
        second = subprocess.run(
            [sys.executable, "-m", "macaz", *other],
            capture_output=True,
            text=True,
            timeout=60,
            check=False,
        )
    assert second.returncode == 2
    assert f"port {port}" in second.stderr
    assert "Traceback" not in second.stderr


def test_a_second_play_leads_to_the_first(tmp_path, monkeypatch):
    from click.testing import CliRunner

    from macaz.cli import play as module

    place = database(tmp_path)
    with started("play", "--no-browser", "--port", "0", "--database", place) as (_, address):
        monkeypatch.setattr(module, "DEFAULT_PORT", int(address.rpartition(":")[2]))
        done = CliRunner().invoke(module.play, ["--no-browser", "--port", "0", "--database", place])
    assert (done.exit_code, done.output) == (0, f"Macaz runs already, at {address}/\n")
