"""The services that tests use: empty for each test, and killed and restarted with their data."""

from __future__ import annotations

import socket
import subprocess
import sys
import time
from contextlib import closing, suppress
from pathlib import Path

import psycopg
import pytest
from tests.server.services import PATIENCE, Postgres, Redis

ROOT = Path(__file__).parents[2]


@pytest.mark.parametrize("turn", [1, 2])
def test_every_test_gets_an_empty_database(postgres_url: str, turn: int) -> None:
    with psycopg.connect(postgres_url) as connection:
        connection.execute("CREATE TABLE once (number int)")


def test_postgres_killed_keeps_what_was_committed(postgres: Postgres, postgres_url: str) -> None:
    with psycopg.connect(postgres_url) as connection:
        connection.execute("CREATE TABLE kept AS SELECT 7 AS number")
    postgres.stop(hard=True)
    with pytest.raises(psycopg.OperationalError):
        psycopg.connect(postgres_url)
    postgres.start()
    with psycopg.connect(postgres_url) as connection:
        assert connection.execute("SELECT number FROM kept").fetchall() == [(7,)]


def test_redis_stops_and_starts_at_the_same_place(redis_server: Redis, redis_url: str) -> None:
    for hard in (False, True):
        redis_server.stop(hard=hard)
        assert not redis_server.running
        assert redis_server.ask("PING") == b""
        redis_server.start()
        assert redis_server.url == redis_url
        assert redis_server.ask("PING") == b"+PONG\r\n"


@pytest.mark.parametrize("service", [Postgres, Redis])
def test_a_closed_server_leaves_nothing(service: type[Postgres] | type[Redis]) -> None:
    with closing(service()) as server:
        server.start()
        folder = server.folder
    assert not folder.exists()


@pytest.mark.parametrize(
    ("service", "door", "hello"),
    [
        ("Postgres", ".s.PGSQL.5432", (8).to_bytes(4) + (80877103).to_bytes(4)),  # SSLRequest
        ("Redis", "redis.sock", b"PING\r\n"),
    ],
    ids=["Postgres", "Redis"],
)
def test_a_killed_test_run_leaves_no_server(service: str, door: str, hello: bytes) -> None:
    code = f"""
from tests.server.services import {service}
server = {service}()
server.start()
print(server.folder, flush=True)
input()
"""
    with (
        subprocess.Popen(
            [sys.executable, "-c", code],
            cwd=ROOT,
            stdin=subprocess.PIPE,
            stdout=subprocess.PIPE,
            text=True,
        ) as run,
        socket.socket(socket.AF_UNIX) as client,
    ):
        assert run.stdout is not None
        folder = Path(run.stdout.readline().strip())
        client.settimeout(PATIENCE)
        client.connect(str(folder / door))
        client.sendall(hello)
        assert client.recv(4096)
        run.kill()
        with suppress(ConnectionResetError):
            while client.recv(4096):  # until the server has ended, and with it this connection
                pass
    deadline = time.monotonic() + PATIENCE
    while folder.exists() and time.monotonic() < deadline:
        time.sleep(0.05)
    assert not folder.exists()
