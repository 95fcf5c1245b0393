"""Clocks that cannot be evaded, seats that cannot be hoarded, missed updates of any number."""

from __future__ import annotations

import asyncio
from typing import Any

from tests.server.clocks import Ticking
from tests.server.harness import Client, hear, play_on, say, serving, settings

from macaz.server import socket as sockets


async def welcome(client: Client, table: str, seat: int | None, **more: Any) -> dict[str, Any]:
    """The first message to a new socket."""
    async with await client.connect() as socket:
        await say(socket, "hello", table=table, seat=seat, **more)
        return await hear(socket, "welcome")


def test_one_person_gets_one_seat_however_often_they_ask(tmp_path):
    async def story(address: str) -> None:
        ana, eva = await Client.new(address), await Client.new(address, "Eva")
        seats = ("me", "person", "person", "person")
        listed = await ana.table(*seats, edition="usa", listed=True)
        asked = [eva.ask("POST", f"/tables/{listed}/sit", {}) for _ in range(6)]
        asked += [eva.ask("POST", f"/tables/{listed}/sit", {"seat": n}) for n in (1, 2, 3)]
        answers = await asyncio.gather(*asked)
        assert {a.json()["seat"] for a in answers if a.is_success} <= {1, 2, 3}
        assert {a.json()["code"] for a in answers if a.is_error} <= {"not-allowed", "taken"}
        chairs = (await eva.get(f"/tables/{listed}"))["seats"]
        assert [chair["mine"] for chair in chairs].count(True) == 1
        private = await ana.table(*seats, edition="usa")
        made = await ana.post(f"/tables/{private}/links", {"kind": "join"})
        token = {"token": made["url"].partition("#")[2]}
        opened = await asyncio.gather(*[eva.post("/links/open", token) for _ in range(5)])
        assert len({(o["table"], o["seat"]) for o in opened}) == 1
        await ana.close()
        await eva.close()

    with serving(settings(tmp_path)) as server:
        asyncio.run(story(server.address))


def test_leaving_and_coming_back_buys_no_time(tmp_path):
    clock = Ticking()

    async def story(address: str) -> None:
        ana = await Client.new(address)
        table = await ana.table("person", "person", mine=["Ana", "Ion"], move_seconds=3600)
        before = (await welcome(ana, table, 0))["deadlines"]
        clock.extra = 1_800_000
        await ana.post(f"/tables/{table}/seats/0/leave")
        await ana.post(f"/tables/{table}/seats/0/leave")  # sent twice, it is done once
        await ana.post(f"/tables/{table}/seats/0/back")
        await ana.post(f"/tables/{table}/seats/0/back")
        assert (await welcome(ana, table, 0))["deadlines"] == before
        await ana.close()

    # A slow bot, so that its person is back before it has decided.
    with serving(settings(tmp_path, bot_pace=30.0), clock) as server:
        server.node.thinkers.choose = _never
        asyncio.run(story(server.address))


async def _never(_: object) -> int:
    await asyncio.sleep(3600)
    return 0


def test_who_comes_back_after_their_time_has_a_little_left(tmp_path):
    clock = Ticking()

    async def story(address: str) -> None:
        ana = await Client.new(address)
        table = await ana.table("person", "person", mine=["Ana", "Ion"], move_seconds=3600)
        clock.extra = 3_601_000
        async with asyncio.timeout(30):
            while (await ana.get(f"/tables/{table}"))["seats"][0]["reason"] != "time":
                await asyncio.sleep(0.05)
        await ana.post(f"/tables/{table}/seats/0/back")
        told = await welcome(ana, table, 0)
        assert 0 < told["deadlines"][0] - told["now"] <= 15_000
        await ana.close()

    with serving(settings(tmp_path), clock) as server:
        server.node.thinkers.choose = _never
        asyncio.run(story(server.address))


def test_a_refill_tells_the_deadlines_as_they_were(tmp_path):
    async def story(address: str) -> None:
        ana = await Client.new(address)
        table = await ana.table(
            "person", "person", mine=["Ana", "Ion"], edition="usa", move_seconds=600
        )
        told = await asyncio.gather(*[play_on(ana, table, seat, upto=60) for seat in (0, 1)])
        live = {m["version"]: m for m in told[0] if m["type"] == "update"}
        async with await ana.connect() as socket:
            await say(socket, "hello", table=table, seat=0, after=3)
            now = (await ana.get(f"/tables/{table}"))["version"]
            refilled = [await hear(socket, "update") for _ in range(now - 3)]
        assert [again["version"] for again in refilled] == list(range(4, now + 1))
        for again in refilled:
            if again["version"] in live:
                assert again["deadlines"] == live[again["version"]]["deadlines"]
        assert any(time is not None for time in refilled[-1]["deadlines"])
        await ana.close()

    with serving(settings(tmp_path)) as server:
        asyncio.run(story(server.address))


def test_a_gap_that_is_too_long_is_answered_with_the_whole_view(tmp_path, monkeypatch):
    monkeypatch.setattr(sockets, "MOST_MISSED", 20)

    async def story(address: str) -> None:
        ana = await Client.new(address)
        table = await ana.table("person", "person", mine=["Ana", "Ion"], edition="usa")
        await asyncio.gather(*[play_on(ana, table, seat, upto=60) for seat in (0, 1)])
        now = (await ana.get(f"/tables/{table}"))["version"]
        short = await welcome(ana, table, 0, after=now - 20)
        assert (short["view"], short["version"]) == (None, now - 20)
        long = await welcome(ana, table, 0, after=now - 21)
        assert long["version"] == now
        assert long["view"] is not None
        await ana.close()

    with serving(settings(tmp_path)) as server:
        asyncio.run(story(server.address))


def test_a_refused_look_does_not_end_the_news(tmp_path):
    async def story(address: str) -> None:
        ana = await Client.new(address)
        table = await ana.table("person", "person", mine=["Ana", "Ion"])
        async with await ana.connect() as socket, await ana.connect() as other:
            await say(socket, "hello", table=table, seat=0)
            await hear(socket, "welcome")
            await say(socket, "hello", table=table, seat=5)
            assert (await hear(socket, "refused"))["code"] == "not-allowed"
            await say(other, "hello", table=table, seat=1)
            asked = await hear(other, "welcome")
            action, version = asked["legal"][0]["action"], asked["version"]
            await say(other, "act", action=action, version=version, nonce="n")
            assert (await hear(socket, "update"))["version"] == version + 1
        await ana.close()

    with serving(settings(tmp_path)) as server:
        asyncio.run(story(server.address))


def test_a_table_that_was_watched_stays_in_memory_for_a_while(tmp_path):
    clock = Ticking()

    async def story(address: str, node: Any) -> None:
        ana = await Client.new(address)
        table = await ana.table("me", "random", edition="usa")
        async with await ana.connect() as socket:
            await say(socket, "hello", table=table, seat=0)
            await hear(socket, "welcome")
            clock.extra = 3_600_000
        await asyncio.sleep(2.5)  # longer than the interval between sweeps
        assert table in node.tables
        clock.extra = 7_200_000
        async with asyncio.timeout(30):
            while table in node.tables:
                await asyncio.sleep(0.05)
        await ana.close()

    with serving(settings(tmp_path), clock) as server:
        asyncio.run(story(server.address, server.node))
