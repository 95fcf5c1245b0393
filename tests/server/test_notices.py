"""People are told of their turn: once, encrypted, and only those who do not see the table."""

from __future__ import annotations

import asyncio
import sys
from collections.abc import Coroutine, Iterator
from pathlib import Path
from typing import Any, cast

import httpcore
import pytest
from sqlalchemy import select
from tests.server.clocks import Ticking
from tests.server.harness import Client, Player, Served, say, seated, serving, settings
from tests.server.push_service import Browser, PushService, check_token, push_service

from macaz.server import notices, periodic
from macaz.server.push import sender
from macaz.server.push.encrypt import Identification, new_key
from macaz.server.push.endpoint import is_allowed, is_public
from macaz.server.push.sender import PublicNetwork
from macaz.server.refusal import Refusal
from macaz.server.settings import KNOWN_PUSH_HOSTS
from macaz.server.settings.check import problems_of
from macaz.server.store.rows import SubscriptionRow
from macaz.server.store.schema import game

DAY = 86_400
HOUR_MS = 3_600_000


@pytest.fixture
def service(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> Iterator[PushService]:
    monkeypatch.setattr(notices, "SETTLE_MS", 1)
    monkeypatch.setattr(notices, "ANSWER_SECONDS", 0.5)
    monkeypatch.setattr(periodic, "SWEEP_SECONDS", 0.02)
    monkeypatch.setattr(sender, "RETRY_SECONDS", (0.01, 0.01))
    with push_service(tmp_path) as running:
        yield running


opened: list[Any] = []  # clients and sockets


async def told(story: Coroutine[Any, Any, None]) -> None:
    """Run a story, and close what it opened."""
    try:
        await story
    finally:
        for each in reversed(opened):
            await each.close()
        opened.clear()


async def new(address: str, name: str, token: str = "") -> Client:
    """A person, a new one unless there is a token."""
    client = Client(address, token) if token else await Client.new(address, name)
    opened.append(client)
    return client


async def at_table(client: Client, table: str, seat: int | None) -> Player:
    player = await seated(client, table, seat)
    opened.append(player.socket)
    return player


async def subscribed(address: str, name: str, service: PushService) -> tuple[Client, Browser]:
    """A person whose browser takes notices; the path of its address is the name."""
    client, browser = await new(address, name), Browser()
    answer = await client.http.put(
        "/me/push", json=browser.subscription(service.endpoint(name), "ro")
    )
    assert answer.status_code == 204, answer.text
    return client, browser


async def until_settled(server: Served) -> None:
    """Wait until nothing is due, and no notice waits to be sent."""
    store = server.node.store

    async def waiting() -> bool:
        due = await store.subscriptions.due(server.node.clock.now(), 9)
        told = server.node.notices
        return bool(due or told._busy or told._sender._jobs)

    async with asyncio.timeout(60):
        while await server.inside(waiting()):
            await asyncio.sleep(0.02)


async def decide(player: Player) -> None:
    await player.turn()
    done = await player.act()
    assert done["type"] == "done"
    await player.reach(done["version"])


def test_who_does_not_see_the_table_is_told_once_and_nothing_secret(tmp_path, service):
    clock = Ticking()

    async def story(server: Served) -> None:
        ana, _ = await subscribed(server.address, "Ana", service)
        bo, browser = await subscribed(server.address, "Bo", service)
        table = await ana.table("me", "person", listed=True, move_seconds=DAY, first=0)
        playing = await at_table(ana, table, 0)
        await bo.post(f"/tables/{table}/sit", {})
        [(path, headers, body)] = await service.notices(1)
        assert (path, browser.read(body)) == (
            "Bo",
            {
                "kind": "began",
                "table": table,
                "edition": "tiny",
                "title": "Tiny",
                "names": ["Ana"],
                "language": "ro",
            },
        )
        assert headers["content-encoding"] == "aes128gcm"
        assert len(headers["topic"]) == 32
        assert not any(table in value for value in (path, *headers.values()))
        assert 0 < int(headers["ttl"]) <= DAY
        key = (await ana.get("/push"))["key"]
        check_token(headers["authorization"], f"https://{service.host}", key)

        # Bo decides, and closes the page; Ana, who sees the table, is never told.
        there = await at_table(bo, table, 1)
        await decide(there)
        await there.socket.close()
        await decide(playing)
        while not (waiting := await bo.get("/me/turns")):
            await decide(playing)
        assert [each["table"]["id"] for each in waiting] == [table]
        await service.notices(2)
        assert browser.read(service.got[1][2])["kind"] == "turn"
        # Six hours before the time is over, once; nothing when a bot has taken the seat.
        clock.extra += 19 * HOUR_MS
        await service.notices(3)
        assert browser.read(service.got[2][2])["kind"] == "soon"
        clock.extra += 6 * HOUR_MS
        # Ana does not see the page any more.
        await say(playing.socket, "visible", visible=False)
        await service.notices(4)
        await until_settled(server)
        assert [path for path, _, _ in service.got] == ["Bo", "Bo", "Bo", "Ana"]
        assert await bo.get("/me/turns") == []

    with serving(settings(tmp_path, push_hosts=(service.host,)), clock) as server:
        asyncio.run(told(story(server)))


def test_a_browser_that_takes_no_more_notices_is_forgotten(tmp_path, service):
    async def story(server: Served) -> None:
        bo, _ = await subscribed(server.address, "Bo", service)
        service.answer["Bo"] = 410
        [session] = (await bo.http.get("/me/sessions")).json()
        assert session["push_service"] == "localhost"
        ana = await new(server.address, "Ana")
        table = await ana.table("me", "person", listed=True)
        await bo.post(f"/tables/{table}/sit", {})
        await service.notices(1)
        await until_settled(server)
        [session] = (await bo.http.get("/me/sessions")).json()
        assert session["push_service"] is None
        assert len(service.got) == 1, "it is not tried again"

    with serving(settings(tmp_path, push_hosts=(service.host,))) as server:
        asyncio.run(told(story(server)))


def test_a_push_service_that_hangs_delays_no_move_and_is_tried_again(tmp_path, service):
    async def story(server: Served) -> None:
        bo, browser = await subscribed(server.address, "Bo", service)
        service.answer["Bo"] = None
        ana = await new(server.address, "Ana")
        table = await ana.table("me", "person", listed=True)
        await bo.post(f"/tables/{table}/sit", {})
        await service.notices(1)
        playing = await at_table(ana, table, 0)
        await decide(playing)  # while the request hangs
        assert server.node.notices._sender._jobs, "it hangs still"
        service.answer["Bo"] = 201
        service.hang_up()
        await service.notices(2)
        await until_settled(server)
        assert [browser.read(body)["kind"] for _, _, body in service.got] == ["began"] * 2

    with serving(settings(tmp_path, push_hosts=(service.host,))) as server:
        asyncio.run(told(story(server)))


def test_a_notice_that_waits_gives_way_to_a_newer_one_and_dead_services_to_others(monkeypatch):
    monkeypatch.setattr(sender, "RETRY_SECONDS", (HOUR_MS,))
    monkeypatch.setattr(sender, "MOST_RETRIED", 1)
    tried: list[bytes] = []
    outcomes: list[str] = []

    class NoAnswer(sender.Sender):
        async def _post(self, job: sender.Job) -> tuple[int, float]:
            tried.append(job.text)
            return (201 if job.text == b"newer" else 503), 0.0

    async def story() -> None:
        to = SubscriptionRow("session", "person", "https://push.test/x", "", "", "en", 0)
        until = asyncio.get_running_loop().time() + 2 * HOUR_MS
        sending = NoAnswer(Identification(new_key(), ""), cast("Any", None), outcomes.append)
        sending.start()

        async def send(topic: str, text: bytes, until: float = until) -> None:
            number = len(tried) + 1
            sending.add(sender.Job(to, text, topic, until))
            async with asyncio.timeout(60):
                while len(tried) < number:
                    await asyncio.sleep(0.001)

        await send("one", b"older")
        assert sending._jobs, "to be tried again in an hour"
        await send("two", b"another")
        assert outcomes == ["given-up"], "too many wait to be tried again"
        await send("one", b"newer")
        assert outcomes == ["given-up", "sent"]
        assert not sending._jobs, "the older one is never sent"
        # When the next attempt would come too late, there is none.
        await send("three", b"late", until - 2 * HOUR_MS)
        assert outcomes == ["given-up", "sent", "given-up"]
        await sending.stop()

    asyncio.run(story())


def test_a_table_that_cannot_be_read_is_not_looked_at_in_every_sweep(
    tmp_path, service, monkeypatch
):
    clock = Ticking()
    asked: list[str] = []
    monkeypatch.setattr(notices, "SETTLE_MS", HOUR_MS)
    monkeypatch.setattr(notices, "LOOK_AGAIN_MS", HOUR_MS)

    async def broken(name: str) -> None:
        asked.append(name)
        raise Refusal("storage", "The table cannot be read now.")

    async def story(server: Served) -> None:
        bo, _ = await subscribed(server.address, "Bo", service)
        ana = await new(server.address, "Ana")
        table = await ana.table("me", "person", listed=True)
        await bo.post(f"/tables/{table}/sit", {})
        monkeypatch.setattr(server.node, "table", broken)

        async def sweep() -> None:
            await server.node.notices.sweep(clock.now())
            while server.node.notices._busy:
                await asyncio.sleep(0.001)

        for number in (1, 2):
            clock.extra += HOUR_MS
            for _ in range(3):
                await server.inside(sweep())
            assert asked == [table] * number
        monkeypatch.delattr(server.node, "table")

    with serving(settings(tmp_path, push_hosts=(service.host,)), clock=clock) as server:
        asyncio.run(told(story(server)))


def test_two_nodes_tell_a_turn_once_and_know_who_sees_the_table_at_the_other(
    tmp_path, service, postgres_url, redis_url
):
    chosen = settings(tmp_path, database=postgres_url, redis=redis_url, push_hosts=(service.host,))

    async def story(one: Served, other: Served) -> None:
        ana, _ = await subscribed(one.address, "Ana", service)
        bo, _ = await subscribed(one.address, "Bo", service)
        cleo, _ = await subscribed(one.address, "Cleo", service)
        bo_there = await new(other.address, "Bo", bo.token)
        assert await ana.get("/push") == await bo_there.get("/push"), "one key"
        table = await ana.table("me", "person", "person", listed=True)
        await at_table(bo_there, table, None)
        await at_table(ana, table, 0)
        await bo.post(f"/tables/{table}/sit", {})
        await cleo.post(f"/tables/{table}/sit", {})
        await service.notices(1)
        await until_settled(one)
        await until_settled(other)
        assert [path for path, _, _ in service.got] == ["Cleo"]

    with serving(chosen) as one, serving(chosen) as other:
        asyncio.run(told(story(one, other)))


def test_signing_out_ends_the_notices_and_another_person_takes_over_a_browser(tmp_path, service):
    async def endpoints(server: Served, client: Client) -> list[str]:
        me = (await client.http.get("/me/sessions")).json()
        return [session["push_service"] for session in me]

    async def story(server: Served) -> None:
        ana, browser = await subscribed(server.address, "Ana", service)
        bo = await new(server.address, "Bo")
        same = browser.subscription(service.endpoint("Ana"))
        assert (await bo.http.put("/me/push", json=same)).status_code == 204
        assert await endpoints(server, ana) == [None]
        assert await endpoints(server, bo) == ["localhost"]
        # A program is no browser, and an address is one of a push service.
        refused = await bo.ask("PUT", "/me/push", same)
        assert (refused.status_code, refused.json()["code"]) == (403, "not-allowed")
        for wrong in ({"endpoint": "https://example.org/x"}, {"auth": "AAAA"}, {"p256dh": "AAAA"}):
            answer = await bo.http.put("/me/push", json=same | wrong)
            assert answer.json()["code"] == "bad-value", answer.text
        assert (await bo.http.delete("/me/push")).status_code == 204
        assert await endpoints(server, bo) == [None]
        await bo.http.put("/me/push", json=same)
        await bo.http.post("/me/forget")
        store = server.node.store.subscriptions
        assert not await server.inside(store.has(same["endpoint"]))

    with serving(settings(tmp_path, push_hosts=(service.host,))) as server:
        asyncio.run(told(story(server)))


def test_without_the_extra_or_if_the_host_wants_none_nothing_is_due(tmp_path, monkeypatch, caplog):
    async def story(server: Served) -> None:
        ana = await new(server.address, "Ana")
        assert await ana.get("/push") == {"key": None}
        answer = await ana.http.put("/me/push", json=Browser().subscription("https://a.b/c"))
        assert answer.json()["code"] == "not-now"
        await ana.table("me", "greedy")
        due = server.node.store.database.all(select(game.c.notice_at), lambda at: at)
        assert await server.inside(due) == [None]

    with serving(settings(tmp_path, push="off")) as server:
        asyncio.run(told(story(server)))
    for module in ("encrypt", "sender"):
        monkeypatch.delitem(sys.modules, f"macaz.server.push.{module}")
    monkeypatch.setitem(sys.modules, "cryptography.hazmat.primitives", None)
    with caplog.at_level("INFO", logger="macaz.notices"):
        other = tmp_path / "other"
        other.mkdir()
        with serving(settings(other)) as server:
            asyncio.run(told(story(server)))
    assert "needs cryptography, which is not installed" in caplog.text
    key = settings(tmp_path, push_key=new_key())
    assert any("push_key: " in problem for problem in problems_of(key))


@pytest.mark.parametrize(
    ("endpoint", "good"),
    [
        ("https://fcm.googleapis.com/fcm/send/abc", True),
        ("https://updates.push.services.mozilla.com/wpush/v2/x", True),
        ("https://web.push.apple.com/x", True),
        ("http://fcm.googleapis.com/x", False),
        ("https://fcm.googleapis.com:8443/x", False),
        ("https://fcm.googleapis.com.example.org/x", False),
        ("https://fcm.googleapis.com@127.0.0.1/x", False),
        ("https://user@fcm.googleapis.com/x", False),
        ("https://127.0.0.1/x", False),
        ("https://evilpush.apple.com.test/x", False),
        ("https://[::1]/x", False),
        ("https://fcm.googleapis.com/" + "x" * 1024, False),
        ("https://fcm.googleapis.com:99999/", False),
        ("https://a..push.apple.com/x", False),
        (f"https://{'a' * 64}.push.apple.com/x", False),
        ("https://example.org\\.push.apple.com/x", False),
    ],
)
def test_only_addresses_of_push_services_are_taken(endpoint, good):
    assert is_allowed(endpoint, KNOWN_PUSH_HOSTS) is good


@pytest.mark.parametrize(
    ("address", "good"),
    [
        ("142.250.1.1", True),
        ("2a00:1450:4001::1", True),
        ("127.0.0.1", False),
        ("10.1.2.3", False),
        ("169.254.169.254", False),
        ("::1", False),
        ("fe80::1%eth0", False),
        ("::ffff:10.0.0.1", False),
        ("64:ff9b::10.0.0.1", False),
        ("64:ff9b::142.250.1.1", True),
        ("224.0.0.1", False),
    ],
)
def test_only_public_addresses_are_connected_to(address, good):
    assert is_public(address) is good


def test_a_name_that_leads_to_this_machine_is_not_connected_to():
    with pytest.raises(httpcore.ConnectError, match="not an address of the public internet"):
        asyncio.run(PublicNetwork().connect_tcp("localhost", 443))


@pytest.mark.parametrize(
    ("wrong", "said"),
    [
        ({"push_contact": "someone"}, "push_contact: 'someone' must begin with mailto:"),
        ({"push_key": "x"}, "push_key: that is no private key"),
    ],
)
def test_settings_that_cannot_be_used(tmp_path, wrong: dict[str, Any], said):
    assert any(said in problem for problem in problems_of(settings(tmp_path, **wrong)))
