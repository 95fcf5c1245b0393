"""Any input to a socket: refusals with a code, and the table goes on for the others."""

from __future__ import annotations

import asyncio
import json
import logging
import random
import socket as sockets
from collections.abc import Awaitable, Callable
from contextlib import aclosing, suppress
from typing import Any, get_args

import pytest
import websockets
from hypothesis import HealthCheck, given
from hypothesis import settings as hypothesis_settings
from hypothesis import strategies as st
from tests.server.harness import Client, hear, play_on, say, serving, settings

from macaz.game.fair import pledge_of
from macaz.server import wire

CODES = set(get_args(wire.Code))
KINDS = ("hello", "look", "act", "add-nonce", "react", "mute", "visible", "ping")
ANSWERS = ("welcome", "update", "done", "refused", "reaction", "rematch", "pong")
# As the protocol page lists them: protocol error, no UTF-8, too large, moved, abuse.
CLOSES = (1002, 1007, 1009, 4001, 4009, 4029)
HUGE = 10**400
# The log message of uvicorn for a proper close.
UVICORN_SAYS = "Invalid UTF-8 sequence received from client."

values: st.SearchStrategy[Any] = st.recursive(
    st.none()
    | st.booleans()
    | st.integers()
    | st.sampled_from(
        [0, 1, 2, 5, 6, -1, 2**31 - 1, 2**31, 2**63, 2**64, HUGE, "", "wow", "\0", "HERE", "0" * 64]
    )
    | st.floats()
    | st.text(max_size=12),
    lambda inner: st.lists(inner, max_size=3) | st.dictionaries(st.text(max_size=5), inner),
    max_leaves=6,
)
FIELDS = ("table", "seat", "after", "protocol", "action", "version", "nonce", "sign", "muted")
messages = st.builds(
    lambda kind, fields: {"type": kind, **fields},
    st.sampled_from(KINDS) | values,
    st.dictionaries(st.sampled_from(FIELDS) | st.text(max_size=5), values, max_size=6),
)


ANAS_NONCE, EVES_NONCE = bytes(range(32)), bytes(range(32, 64))
BOTH_PHASES = pytest.mark.parametrize("pledging", [False, True], ids=["playing", "pledging"])


def attack(
    tmp_path: Any,
    caplog: pytest.LogCaptureFixture,
    how: Callable[[Client, str], Awaitable[None]],
    *,
    pledging: bool = False,
    **limits: Any,
) -> None:
    """One person at a table of two misuses the socket; then both play the game to its end.

    With `pledging` this happens while the table waits for the nonces of both.
    """
    nonces = (ANAS_NONCE, EVES_NONCE) if pledging else ()
    pledges = [{"pledge": pledge_of(nonce)} for nonce in nonces] or [{}, {}]

    async def play(address: str) -> None:
        ana, eve = await Client.new(address, "Ana"), await Client.new(address, "Eve")
        async with aclosing(ana.http), aclosing(eve.http):
            await at_a_table(ana, eve)

    async def at_a_table(ana: Client, eve: Client) -> None:
        table = await ana.table("me", "person", listed=True, **pledges[0])
        await eve.post(f"/tables/{table}/sit", {"seat": 1} | pledges[1])
        async with await ana.connect() as watching:
            await say(watching, "hello", table=table, seat=0)
            before = await hear(watching, "welcome")
            await how(eve, table)
            await say(watching, "look")
            after = await hear(watching, "welcome")
            assert after["table"]["status"] == ("waiting" if pledging else "running")
            assert after["version"] >= before["version"]
        for seat, nonce in enumerate(nonces):
            add = json.dumps({"type": "add-nonce", "nonce": nonce.hex()})
            heard = await answer((ana, eve)[seat], add, hello=table, seat=seat)
            assert not [message for message in heard if message["type"] == "refused"]
        await asyncio.gather(play_on(ana, table, 0), play_on(eve, table, 1))
        assert (await ana.get(f"/tables/{table}"))["status"] == "finished"

    with serving(settings(tmp_path, nonce_wait=60.0, **limits)) as server:
        asyncio.run(play(server.address))
    errors = [r.getMessage() for r in caplog.records if r.levelno >= logging.ERROR]
    assert [error for error in errors if error != UVICORN_SAYS] == []


async def answer(
    client: Client, *sent: str | bytes, hello: str | None = None, seat: int = 1
) -> list[Any]:
    """The answers to these, up to the pong or the end; the code of a close as a number."""
    heard: list[Any] = []
    try:
        async with await client.connect() as socket, asyncio.timeout(30):
            if hello:
                await say(socket, "hello", table=hello, seat=seat)
                await hear(socket, "welcome")
            for one in sent:
                await socket.send(one)
            await say(socket, "ping")
            while not heard or heard[-1]["type"] != "pong":
                heard.append(json.loads(await socket.recv()))
    except websockets.ConnectionClosed as closed:
        heard.append(closed.rcvd.code if closed.rcvd else 1006)
    return heard


async def end_of(socket: websockets.ClientConnection) -> tuple[list[Any], int]:
    """All messages until the other side closes, and its close code."""
    heard: list[Any] = []
    async with asyncio.timeout(30):
        try:
            while True:
                heard.append(json.loads(await socket.recv()))
        except websockets.ConnectionClosed as closed:
            return heard, closed.rcvd.code if closed.rcvd else 1006


def only_refusals(heard: list[Any], *codes: str) -> None:
    """Each answer but the last (pong or close) is a refusal, with one of these codes."""
    assert heard
    for message in heard[:-1]:
        assert message["type"] == "refused", message
        assert message["code"] in (codes or CODES), message
        assert 0 < len(message["message"]) < 1000
    if isinstance(heard[-1], int):
        assert heard[-1] in CLOSES


NOT_MESSAGES: list[str | bytes] = [
    "",
    " ",
    "null",
    "[]",
    "1",
    '"ping"',
    "{",
    "{}",
    '{"type":null}',
    '{"type":"ping"',
    '{"type":"ping"} x',
    '{"type":"ping","type":3}',
    '{"type":"PING"}',
    '{"type":"update"}',
    '{"type":"ping","more":1}',
    '{"type":"act"}',
    '{"type":"act","action":NaN,"version":1,"nonce":"a"}',
    '{"type":"act","action":Infinity,"version":1,"nonce":"a"}',
    '{"type":"act","action":1e400,"version":1,"nonce":"a"}',
    '{"type":"act","action":1.5,"version":1,"nonce":"a"}',
    '{"type":"act","action":"1","version":1,"nonce":"a"}',
    '{"type":"act","action":true,"version":1,"nonce":"a"}',
    '{"type":"act","action":-1,"version":1,"nonce":"a"}',
    f'{{"type":"act","action":{HUGE},"version":1,"nonce":"a"}}',
    f'{{"type":"act","action":1,"version":{HUGE},"nonce":"a"}}',
    '{"type":"act","action":1,"version":1,"nonce":""}',
    '{"type":"act","action":1,"version":1,"nonce":"a b"}',
    '{"type":"act","action":1,"version":1,"nonce":"\\u0000"}',
    '{"type":"act","action":1,"version":1,"nonce":"\\ud800"}',
    '{"type":"act","action":1,"version":1,"nonce":null}',
    '{"type":"act","seat":0,"action":1,"version":1,"nonce":"a"}',
    '{"type":"add-nonce"}',
    '{"type":"add-nonce","nonce":null}',
    '{"type":"add-nonce","nonce":"00"}',
    '{"type":"add-nonce","nonce":"' + "0" * 65 + '"}',
    '{"type":"add-nonce","nonce":"' + "G" * 64 + '"}',
    '{"type":"add-nonce","nonce":"' + "0" * 64 + '\\n"}',
    '{"type":"add-nonce","seat":0,"nonce":"' + "0" * 64 + '"}',
    '{"type":"hello"}',
    '{"type":"hello","table":"../x"}',
    '{"type":"hello","table":"x","seat":6}',
    '{"type":"hello","table":"x","seat":-1}',
    '{"type":"hello","table":"x","after":-1}',
    '{"type":"hello","table":' + '"' + "x" * 65 + '"}',
    '{"type":"mute","seat":99}',
    '{"type":"mute","seat":0,"muted":"no"}',
    '{"type":"react","sign":"<script>"}',
    "[" * 5000,
    '{"type":' * 1500,
    '{"type":"ping"}'.encode("utf-16"),
    b"\x00\xff\xfe",
    b'{"type":"ping"}',  # a binary frame
]


@BOTH_PHASES
def test_what_is_no_message(tmp_path, caplog, pledging):
    async def how(eve: Client, table: str) -> None:
        for text in NOT_MESSAGES:
            only_refusals(await answer(eve, text, hello=table), "bad-message")

    attack(tmp_path, caplog, how, pledging=pledging)


@BOTH_PHASES
def test_anything_at_all(tmp_path, caplog, pledging):
    """Hypothesis generates the messages: every answer is one of the protocol's."""
    found: list[dict[str, Any]] = []

    @hypothesis_settings(
        max_examples=200,
        derandomize=True,
        database=None,
        deadline=None,
        suppress_health_check=list(HealthCheck),
    )
    @given(messages)
    def collect(message: dict[str, Any]) -> None:
        found.append(message)

    collect()

    async def how(eve: Client, table: str) -> None:
        for start in range(0, len(found), 20):
            texts = [json.dumps(m).replace("HERE", table) for m in found[start : start + 20]]
            heard = await answer(eve, *texts, hello=table)
            assert isinstance(heard[-1], int) or heard[-1]["type"] == "pong"
            for message in heard:
                if isinstance(message, int):
                    assert message in CLOSES
                else:
                    assert message["type"] in ANSWERS
                    assert message["type"] != "refused" or message["code"] in CODES

    attack(tmp_path, caplog, how, pledging=pledging)


@BOTH_PHASES
def test_true_messages_with_a_few_bytes_changed(tmp_path, caplog, pledging):
    dice = random.Random(7)
    codes: set[str] = set()

    def spoiled(message: dict[str, Any]) -> bytes:
        text = bytearray(json.dumps(message).encode())
        for _ in range(dice.randint(1, 3)):
            at = dice.randrange(len(text))
            match dice.randrange(3):
                case 0:
                    text[at] = dice.randrange(32, 127)
                case 1:
                    del text[at]
                case _:
                    text[at:at] = bytes([dice.randrange(32, 127)])
        return bytes(text)

    async def how(eve: Client, table: str) -> None:
        good: list[dict[str, Any]] = [
            {"type": "hello", "table": table, "seat": 0},
            {"type": "hello", "table": table, "seat": 1, "after": 2},
            {"type": "act", "action": 3, "version": 0, "nonce": "n1"},
            {"type": "add-nonce", "nonce": EVES_NONCE.hex()},
            {"type": "react", "sign": "wow"},
            {"type": "mute", "seat": 0, "muted": True},
        ]
        for _ in range(12):
            texts = [spoiled(dice.choice(good)).decode() for _ in range(20)]
            for message in await answer(eve, *texts, hello=table):
                assert message["type"] in ANSWERS
                codes.add(message.get("code", ""))

    attack(tmp_path, caplog, how, pledging=pledging)
    assert "bad-value" in codes, "a nonce that was not pledged"


def test_out_of_order(tmp_path, caplog):
    async def how(eve: Client, table: str) -> None:
        act = {"type": "act", "action": 0, "version": 1, "nonce": "early"}
        nonce = {"type": "add-nonce", "nonce": "0" * 64}
        for message in ({"type": "look"}, act, nonce, {"type": "react", "sign": "wow"}):
            only_refusals(await answer(eve, json.dumps(message)), "not-now")
        wrong = {"type": "hello", "table": table, "protocol": 2}
        only_refusals(await answer(eve, json.dumps(wrong)), "bad-value")
        nowhere = {"type": "hello", "table": "nowhere", "seat": 0}
        only_refusals(await answer(eve, json.dumps(nowhere)), "not-found")

    attack(tmp_path, caplog, how)


def test_other_seats_other_times(tmp_path, caplog):
    async def how(eve: Client, table: str) -> None:
        for seat in (0, 2, 5):
            other = json.dumps({"type": "hello", "table": table, "seat": seat})
            only_refusals(await answer(eve, other, hello=table), "not-allowed")
        # A spectator does not act, even one who has a seat.
        watch = json.dumps({"type": "hello", "table": table})
        act = {"type": "act", "action": 0, "version": 4, "nonce": "w"}
        heard = await answer(eve, watch, json.dumps(act))
        assert [m["type"] for m in heard] == ["welcome", "refused", "pong"]
        assert heard[1]["code"] == "not-allowed"
        async with await eve.connect() as socket:
            await say(socket, "hello", table=table, seat=1)
            now = (await hear(socket, "welcome"))["version"]
        for nonce, (version, code) in enumerate(
            [(0, "stale"), (now - 1, "stale"), (now + 1, "stale"), (2**31 - 1, "stale")]
        ):
            late = act | {"version": version, "nonce": f"v{nonce}"}
            only_refusals(await answer(eve, json.dumps(late), hello=table), code)
        for action in (10**6, 2**31 - 1):
            wild = act | {"version": now, "action": action, "nonce": f"a{action}"}
            only_refusals(await answer(eve, json.dumps(wild), hello=table), "illegal")

    attack(tmp_path, caplog, how)


def test_every_number_of_an_action(tmp_path, caplog):
    """Those not offered are illegal, and trying them all changes nothing."""

    async def how(eve: Client, table: str) -> None:
        async with await eve.connect() as socket:
            await say(socket, "hello", table=table, seat=1)
            welcome = await hear(socket, "welcome")
            legal = {move["action"] for move in welcome["legal"]}
            reasons = set()
            for action in set(range(400)) - legal:
                version, nonce = welcome["version"], f"try-{action}"
                await say(socket, "act", action=action, version=version, nonce=nonce)
                refused = await hear(socket)
                assert (refused["type"], refused["code"]) == ("refused", "illegal")
                assert refused["nonce"] == nonce
                reasons.add(refused["reason"])
                if action % 40 == 0:  # too many refusals in a row would end it
                    await say(socket, "ping")
                    await hear(socket, "pong")
            # Tickets are being chosen; a number that is no action at all has no reason.
            assert reasons == {"", "other-decision", "keep-more", "not-your-turn"}
            await say(socket, "look")
            assert (await hear(socket, "welcome"))["legal"] == welcome["legal"]

    attack(tmp_path, caplog, how)


def test_a_nonce_again_and_again_is_done_once(tmp_path, caplog):
    async def how(eve: Client, table: str) -> None:
        async with await eve.connect() as socket, await eve.connect() as second:
            for one in (socket, second):
                await say(one, "hello", table=table, seat=1)
            welcome = await hear(socket, "welcome")
            await hear(second, "welcome")
            act = {"action": welcome["legal"][0]["action"], "version": welcome["version"]}
            for _ in range(20):
                for one in (socket, second):
                    await say(one, "act", nonce="once", **act)
            versions = [(await hear(one, "done"))["version"] for one in (socket, second) * 20]
            assert len(set(versions)) == 1
            # With another action, the nonce still stands for the one that was done.
            await say(socket, "act", nonce="once", **act | {"action": 12345})
            assert (await hear(socket, "done"))["version"] == versions[0]

    attack(tmp_path, caplog, how)


def test_large_messages(tmp_path, caplog):
    async def how(eve: Client, table: str) -> None:
        for size in (20_000, 60_000):
            long = json.dumps({"type": "ping", "x": "y" * size})
            only_refusals(await answer(eve, long, hello=table), "too-large")
        # Of the largest, not even the end is read; then the code may be lost (1006).
        for size in (80_000, 5_000_000):
            assert (await answer(eve, "x" * size, hello=table))[-1] in (1009, 1006)
            assert (await answer(eve, b"x" * size, hello=table))[-1] in (1009, 1006)
        # In fragments, which are too large only together.
        async with await eve.connect() as socket:
            await socket.send(["x" * 4000] * 17)
            assert await end_of(socket) == ([], 1009)

    attack(tmp_path, caplog, how)


def test_bytes_that_are_no_text(tmp_path, caplog):
    async def how(eve: Client, table: str) -> None:
        for piece in (b"\xff", b'{"type":"ping\xc3"}', b"\xed\xa0\x80"):
            async with await eve.connect() as socket:
                await socket.send(piece, text=True)
                assert await end_of(socket) == ([], 1007)

    attack(tmp_path, caplog, how)


def test_thousands_at_once(tmp_path, caplog):
    """A client that sends too fast is warned, and finally disconnected; others are not affected."""

    async def how(eve: Client, table: str) -> None:
        ping = json.dumps({"type": "ping"})
        async with await eve.connect() as socket:
            reading = asyncio.create_task(end_of(socket))
            with suppress(websockets.ConnectionClosed):
                for _ in range(5000):
                    await socket.send(ping)
            heard, code = await reading
        assert code == 4029
        assert {m["type"] for m in heard} == {"pong", "refused"}
        assert {m["code"] for m in heard if m["type"] == "refused"} == {"too-fast"}

    attack(tmp_path, caplog, how, messages_per_second=200)


def test_one_who_never_listens(tmp_path, caplog):
    """Answers that the client does not read do not fill the memory."""

    async def how(eve: Client, table: str) -> None:
        async with await eve.connect(max_queue=1) as socket:
            look = json.dumps({"type": "look"})
            await say(socket, "hello", table=table, seat=1)
            with suppress(websockets.ConnectionClosed, TimeoutError):
                async with asyncio.timeout(2):
                    while True:
                        await socket.send(look)
            socket.transport.abort()

    attack(tmp_path, caplog, how)


def test_a_client_that_is_too_slow_finds_the_end_without_a_code(tmp_path, caplog, monkeypatch):
    """As documented: a code would have to wait behind everything that was not read."""

    async def how(eve: Client, table: str) -> None:
        async with await eve.connect() as socket:
            with monkeypatch.context() as patched:
                patched.setattr("macaz.server.socket.MOST_QUEUED", 100)  # every client is too slow
                await say(socket, "hello", table=table, seat=1)
                assert await end_of(socket) == ([], 1006)

    attack(tmp_path, caplog, how)


def test_one_who_answers_no_ping(tmp_path, monkeypatch):
    monkeypatch.setattr("macaz.server.app.PING_SECONDS", 0.3)
    monkeypatch.setattr("macaz.server.app.PONG_SECONDS", 0.3)

    def heard(address: str, token: str) -> bytes:
        host, _, port = address.removeprefix("http://").partition(":")
        with sockets.create_connection((host, int(port)), timeout=30) as silent:
            silent.sendall(
                f"GET /api/v1/socket HTTP/1.1\r\nHost: {host}\r\nUpgrade: websocket\r\n"
                "Connection: Upgrade\r\nSec-WebSocket-Version: 13\r\n"
                "Sec-WebSocket-Key: dGhlIHNhbXBsZSBub25jZQ==\r\n"
                f"Authorization: Bearer {token}\r\n\r\n".encode()
            )
            return b"".join(iter(lambda: silent.recv(4096), b""))

    async def story(address: str) -> None:
        eve = await Client.new(address)
        told = await asyncio.to_thread(heard, address, eve.token)
        assert b"\x03\xf3keepalive ping timeout" in told  # 1011
        await eve.close()

    with serving(settings(tmp_path)) as server:
        asyncio.run(story(server.address))


def test_a_long_log_fits_through_at_once(tmp_path, caplog, monkeypatch):
    """A client that was away for long gets everything, and is not disconnected as too slow."""
    monkeypatch.setattr("macaz.server.node.SEAT_CHANGES_PER_MINUTE", 1_000_000)

    async def how(eve: Client, table: str) -> None:
        table = await eve.table("me", "person")
        for _ in range(150):
            await eve.post(f"/tables/{table}/seats/0/leave")
            await eve.post(f"/tables/{table}/sit", {"seat": 0})
        async with await eve.connect() as socket:
            await say(socket, "hello", table=table, seat=0, after=0)
            await hear(socket, "welcome")
            last = (await eve.get(f"/tables/{table}"))["version"]
            assert last > 300
            told = [(await hear(socket, "update"))["version"] for _ in range(last)]
            assert told == list(range(1, last + 1))

    attack(tmp_path, caplog, how)
