"""The log: one line an event, an id in each, and no secrets."""

from __future__ import annotations

import asyncio
import io
import json
import logging
import sqlite3
import warnings
from collections.abc import Iterator
from contextlib import closing
from typing import Any

import pytest
from litestar import Litestar, WebSocket, get, websocket
from litestar.params import FromPath
from litestar.testing import TestClient
from tests.server.harness import serving, settings
from tests.server.test_sessions import Browser

from macaz.server.logs import NO_ROUTE, AccessLog, configure, name_caller, request_id
from macaz.server.redact import HIDDEN, redact

TOKEN = "Zx81kQpWv0-rT_5sLmN4aB"
log = logging.getLogger("macaz.server.test")


@pytest.fixture(autouse=True)
def _logging_as_before() -> Iterator[None]:
    handlers, level = logging.root.handlers[:], logging.root.level
    factory = logging.getLogRecordFactory()
    logging.setLogRecordFactory(logging.LogRecord)  # Ray's, once imported, adds fields of its own
    names = ("macaz", "uvicorn", "uvicorn.error", "uvicorn.access", "uvicorn.asgi")
    before = {n: (logging.getLogger(n).propagate, logging.getLogger(n).level) for n in names}
    yield
    logging.captureWarnings(capture=False)
    logging.setLogRecordFactory(factory)
    logging.root.handlers[:] = handlers
    logging.root.setLevel(level)
    for name, (propagate, old) in before.items():
        logging.getLogger(name).propagate = propagate
        logging.getLogger(name).setLevel(old)


def start(format: str = "json", level: str = "info", **more: Any) -> io.StringIO:  # noqa: A002
    stream = io.StringIO()
    configure(format, level, stream=stream, **more)
    return stream


def lines(stream: io.StringIO) -> list[dict[str, Any]]:
    return [json.loads(line) for line in stream.getvalue().splitlines()]


def accesses(stream: io.StringIO) -> list[dict[str, Any]]:
    return [line for line in lines(stream) if line["logger"] == "macaz.access"]


def test_a_line_of_json():
    stream = start()
    log.info("table %s", "loaded", extra={"table": "t1", "ms": 3.5, "seats": None})
    [line] = lines(stream)
    assert line.pop("time").endswith("Z")
    assert line == {
        "level": "info",
        "logger": "macaz.server.test",
        "message": "table loaded",
        "table": "t1",
        "ms": 3.5,
        "seats": None,
    }


def test_a_line_of_text():
    stream = start("text")
    log.warning("table loaded", extra={"table": "t1", "who": "Ana B"})
    when, rest = stream.getvalue().split(" ", 1)
    assert when.endswith("Z")
    assert rest == 'warning table loaded table=t1 who="Ana B"\n'


def test_a_caller_cannot_forge_a_line():
    stream = start("text")
    log.info("hello\nforged", extra={"path": "/x\r\n2026 info fine\x1b[2J"})
    assert stream.getvalue().count("\n") == 1
    assert "hello\\nforged" in stream.getvalue()
    assert "\x1b" not in stream.getvalue()


def test_an_error_brings_its_traceback_without_secrets():
    for format_ in ("json", "text"):
        stream = start(format_, hide=["the key itself"])
        try:
            raise ValueError(f"no seat for {TOKEN}, the key itself")
        except ValueError:
            log.exception("it failed")
        text = stream.getvalue()
        assert "ValueError: no seat for" in text
        assert "test_logs.py" in text
        assert TOKEN not in text
        assert "the key itself" not in text


def test_the_level_is_heeded():
    stream = start(level="warning")
    log.info("not this")
    log.error("this")
    assert [line["message"] for line in lines(stream)] == ["this"]


def test_warnings_are_logged():
    stream = start()
    with warnings.catch_warnings():
        warnings.simplefilter("always")
        logging.captureWarnings(capture=True)
        warnings.warn("old ways", stacklevel=1)
    assert "old ways" in lines(stream)[0]["message"]


def test_uvicorn_speaks_through_it_too():
    stream = start()
    logging.getLogger("uvicorn.error").info("not at this level")
    logging.getLogger("uvicorn.error").warning(
        '%s - "WebSocket %s" [accepted]', "10.0.0.1:5", f"/play?key={TOKEN}"
    )
    logging.getLogger("uvicorn.access").info('GET /?key=1 "%s"', TOKEN)  # replaced by ours
    [line] = lines(stream)
    assert line["logger"] == "uvicorn.error"
    assert line["message"] == f'10.0.0.1:5 - "WebSocket /play?{HIDDEN}" [accepted]'


@pytest.mark.parametrize(
    "secret",
    [
        "postgresql://ana:SECRET@db/games",
        "redis://:SECRET@events:6379/0",
        "GET /join?key=SECRET",
        "Cookie: person=SECRET",
        "Cookie: a=b; person=SECRET",
        "Set-Cookie: person=SECRET; HttpOnly",
        "Authorization: Bearer SECRET",
        "headers [(b'cookie', b'x=y; person=SECRET')]",
        "{'token': 'SECRET', 'seat': 2}",
        '{"seat_token": "SECRET"}',
        "password=SECRET",
        "secret = SECRET",
        f"/seat/{TOKEN}SECRET/open",
        f"{TOKEN}.SECRET.SECRET",
        f"SECRET.{TOKEN}",
        f"SECRET.SECRET.{TOKEN}",
    ],
)
def test_secrets_are_hidden(secret):
    cleaned = redact(f"before {secret} after")
    assert "SECRET" not in cleaned
    assert TOKEN not in cleaned
    assert HIDDEN in cleaned
    assert cleaned.startswith("before ")


@pytest.mark.parametrize(
    "text",
    [
        "ConnectionRefusedError in a_function_with_a_long_name_indeed",
        "macaz.server.settings.check, line 12",
        "/tables/k3v9q2x7/seats 404 in 3.25 ms",
        "2026-01-02T03:04:05.678Z 0123456789abcdef",
        "sqlite:////var/lib/macaz/macaz.db",
        "Did you mean 'greedy'?",
        "postgresql://db.example.org:5432/games",
    ],
)
def test_the_rest_stays_readable(text):
    assert redact(text) == text


def test_a_value_named_as_a_secret_is_hidden_whatever_it_looks_like():
    stream = start()
    log.info("sat down", extra={"token": "abc", "cookie": "a b", "seat": "2"})
    [line] = lines(stream)
    assert (line["token"], line["cookie"], line["seat"]) == (HIDDEN, HIDDEN, "2")


# -- requests --------------------------------------------------------------------------------------


@get("/tables/{table:str}", sync_to_thread=False)
def look(table: FromPath[str]) -> str:
    log.info("looked")
    return table


@get("/healthz", sync_to_thread=False)
def health() -> str:
    return "ok"


@get("/broken", sync_to_thread=False)
def broken() -> str:
    raise RuntimeError("oh")


@websocket("/play")
async def play(socket: WebSocket[Any, Any, Any]) -> None:
    await socket.accept()
    await socket.send_text(request_id.get())
    await socket.close()


@pytest.fixture
def told() -> list[tuple[str, int]]:
    return []


@pytest.fixture
def client(told: list[tuple[str, int]]) -> Iterator[TestClient[Any]]:
    app = Litestar([look, health, broken, play], openapi_config=None, logging_config=None)
    wrapped: Any = AccessLog(app, lambda route, status: told.append((route, status)))
    with TestClient(wrapped, raise_server_exceptions=False) as client:
        yield client


def test_a_request_has_one_id_in_all_its_lines(client, told):
    stream = start()
    answer = client.get("/tables/t1", params={"key": TOKEN})
    looked, line = lines(stream)
    assert looked["request"] == line["request"] == answer.headers["x-request-id"]
    assert (line["method"], line["path"], line["status"]) == ("GET", "/tables/t1", 200)
    assert line["ms"] >= 0
    assert TOKEN not in stream.getvalue()
    assert told == [("/tables/{table}", 200)]
    other = client.get("/tables/t1")
    assert other.headers["x-request-id"] != answer.headers["x-request-id"]


def test_a_link_in_a_path_is_hidden(client):
    stream = start()
    client.get(f"/tables/{TOKEN}")
    [line] = accesses(stream)
    assert line["path"] == f"/tables/{HIDDEN}"


def test_paths_that_lead_nowhere_do_not_become_names(client, told):
    client.get("/wp-login.php")
    assert told == [(NO_ROUTE, 404)]


def test_those_who_watch_do_not_fill_the_log(client):
    stream = start()
    assert client.get("/healthz").status_code == 200
    assert accesses(stream) == []
    stream = start(level="debug")
    client.get("/healthz")
    assert accesses(stream)


def test_a_failure_is_a_line_too(client, told):
    stream = start()
    assert client.get("/broken").status_code == 500
    [line] = accesses(stream)
    assert (line["path"], line["status"]) == ("/broken", 500)
    assert told == [("/broken", 500)]


def test_a_socket_is_one_line_when_it_closes(client, told):
    stream = start()
    with client.websocket_connect(f"/play?key={TOKEN}") as socket:
        mine = socket.receive_text()
    [line] = accesses(stream)
    assert (line["method"], line["path"], line["status"]) == ("SOCKET", "/play", 101)
    assert line["request"] == mine
    assert TOKEN not in stream.getvalue()
    assert told == [("/play", 101)]


@pytest.mark.parametrize(
    ("address", "shown"),
    [
        ("192.0.2.77", "192.0.2.0/24"),
        ("2001:db8:1:2:3::4", "2001:db8:1::/48"),
        ("::ffff:192.0.2.77", "192.0.2.0/24"),
        ("fe80::1%eth0", "fe80::/48"),
        ("a socket of a file", "?"),
    ],
)
@pytest.mark.parametrize("kind", ["http", "websocket"])
def test_who_asked_is_logged_unless_the_host_does_not_want_it(address, shown, kind):
    async def app(scope: Any, receive: Any, send: Any) -> None:
        name_caller(scope, "person-1")
        await send({"type": "http.response.start", "status": 200, "headers": []})

    async def send(_: dict[str, Any]) -> None:
        pass

    scope = {"type": kind, "method": "GET", "path": "/me", "client": (address, 50_000)}
    stream = start()
    asyncio.run(AccessLog(app)(dict(scope), None, send))
    asyncio.run(AccessLog(app, callers=False)(dict(scope), None, send))
    named, silent = accesses(stream)
    assert (named["person"], named["address"]) == ("person-1", shown)
    assert not {"person", "address"} & set(silent)
    assert address not in stream.getvalue()


@pytest.mark.parametrize("named", [True, False])
def test_the_log_of_a_server_names_who_asked(tmp_path, named):
    async def story(address: str) -> None:
        ana = await Browser(address).become("Ana")
        for path in ("/me", "/whoami"):
            await ana.get(path)
        await (await ana.connect()).close()
        assert (await ana.ask("POST", "/me/forget")).is_success
        assert await ana.is_stranger()

    stream = start()
    with serving(settings(tmp_path, log_callers="on" if named else "off")) as server:
        asyncio.run(story(server.address))
    with closing(sqlite3.connect(tmp_path / "macaz.db")) as database:
        [(person,)] = database.execute("SELECT id FROM person")
    told = accesses(stream)
    hers, strangers = told[:5], told[5:]
    assert {line["path"].removeprefix("/api/v1") for line in hers} == {
        *("/people", "/me", "/whoami", "/socket", "/me/forget")
    }
    assert [line.get("person") for line in hers] == [person if named else None] * 5
    assert len(strangers) == 3
    assert not any("person" in line for line in strangers)
    assert {line.get("address") for line in told} == {"127.0.0.0/24" if named else None}


def test_a_socket_that_is_refused_gets_its_id():
    sent: list[dict[str, Any]] = []

    async def app(scope: Any, receive: Any, send: Any) -> None:
        await send({"type": "websocket.http.response.start", "status": 401, "headers": []})
        await send({"type": "websocket.http.response.body", "body": b"no"})

    async def send(message: dict[str, Any]) -> None:
        sent.append(message)

    stream = start()
    asyncio.run(AccessLog(app)({"type": "websocket", "path": "/play"}, None, send))
    [line] = accesses(stream)
    assert line["status"] == 401
    assert sent[0]["headers"] == [(b"x-request-id", line["request"].encode())]


def test_other_events_pass_through():
    seen = []

    async def app(scope: Any, receive: Any, send: Any) -> None:
        seen.append(scope["type"])

    asyncio.run(AccessLog(app)({"type": "lifespan"}, None, None))
    assert seen == ["lifespan"]
