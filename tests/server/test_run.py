"""`macaz play` and `macaz serve` as processes of their own."""

from __future__ import annotations

import asyncio
import os
import re
import signal
import subprocess
import sys
from collections.abc import Iterator
from contextlib import contextmanager
from pathlib import Path

from tests.server.harness import Client, hear, play_on, say


@contextmanager
def started(*arguments: str) -> Iterator[tuple[subprocess.Popen[str], str]]:
    """A command that serves, and the address it says."""
    process = subprocess.Popen(
        [sys.executable, "-m", "macaz", *arguments],
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
    """Send a signal; what is said until the end."""
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
        assert socket.close_code == 1012  # which means: connect again
        await ana.close()

    with started("serve", "--port", "0", "--database", database(tmp_path)) as (process, address):
        asyncio.run(story(process, address))
        said, _ = process.communicate(timeout=30)
        assert process.returncode == 0
        assert "Traceback" not in said


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
