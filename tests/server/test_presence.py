"""Who is at a table: here, away and since when, who watches; and bots that go on for the absent."""

from __future__ import annotations

import asyncio
import json
from collections.abc import Callable, Coroutine
from contextlib import AsyncExitStack
from pathlib import Path
from typing import Any

import pytest
from tests.server.clocks import Ticking
from tests.server.harness import Client, Served, hear, say, serving, settings
from tests.server.players import Person, crowd
from tests.server.test_nodes import (  # noqa: F401 - two of them are fixtures
    Nodes,
    nodes,
    run,
    zygote,
)
from websockets import ClientConnection

from macaz.server.table import presence
from macaz.server.table.news import Here

HERE = {"here": True, "since": None}
Told = dict[str, Any]


@pytest.fixture
def quick(monkeypatch: pytest.MonkeyPatch) -> None:
    """A person is away at once, and everything is told at once."""
    monkeypatch.setattr(presence, "GRACE_MS", 0)
    monkeypatch.setattr(presence, "PAUSE_SECONDS", 0.0)


class Visit(AsyncExitStack):
    """People and sockets at a server, closed at the end."""

    def __init__(self, address: str = "") -> None:
        super().__init__()
        self.address = address

    async def new(self, name: str = "Ana") -> Client:
        client = await Client.new(self.address, name)
        self.push_async_callback(client.close)
        return client

    async def enter(self, client: Client, table: str, seat: int | None) -> ClientConnection:
        """A socket that is told who is here."""
        socket = await self.enter_async_context(await client.connect())
        await say(socket, "hello", table=table, seat=seat, presence=True)
        return socket

    async def two_people(self, **more: Any) -> tuple[Client, Client, str]:
        """A table at which Ana and Ion sit."""
        ana, ion = await self.new(), await self.new("Ion")
        table = await ana.table("me", "person", edition="usa", listed=True, **more)
        await ion.post(f"/tables/{table}/sit", {"seat": 1})
        return ana, ion, table


def tell(
    folder: Path,
    story: Callable[[Served, Visit], Coroutine[Any, Any, None]],
    clock: Ticking | None = None,
    **changes: Any,
) -> None:
    """Run a story at a server of its own."""

    async def run_it(server: Served) -> None:
        async with Visit(server.address) as visit:
            await story(server, visit)

    with serving(settings(folder, **changes), clock) as server:
        asyncio.run(run_it(server))


async def told(socket: ClientConnection, good: Callable[[Told], bool]) -> Told:
    """The next message about who is here that is as wanted."""
    while not good(found := await hear(socket, "presence")):
        pass
    return found


def away(seat: int) -> Callable[[Told], bool]:
    return lambda told: told["seats"][seat] is not None and not told["seats"][seat]["here"]


def here(*seats: int) -> Callable[[Told], bool]:
    return lambda told: all(told["seats"][seat] == HERE for seat in seats)


def test_all_see_who_is_here_and_since_when_others_are_away(tmp_path: Path, quick: None) -> None:
    async def story(server: Served, visit: Visit) -> None:
        ana = await visit.new()
        ion, zoe = await visit.new("Ion"), await visit.new("Zoe")
        table = await ana.table("me", "person", "person", edition="usa", listed=True)
        socket = await visit.enter(ana, table, 0)
        alone = await hear(socket, "presence")
        assert (alone["seats"], alone["watching"]) == ([HERE, None, None], [])
        await ion.post(f"/tables/{table}/sit", {"seat": 1})
        sat = await told(socket, away(1))
        assert sat["seats"][1] == {"here": False, "since": None}, "he was never here"
        first = await visit.enter(ion, table, 1)
        await told(socket, here(0, 1))
        # With two tabs open he is here until the last is closed.
        second = await visit.enter(ion, table, 1)
        await hear(second, "presence")
        await first.close()
        watching = await visit.enter(zoe, table, None)
        seen = await told(socket, lambda told: told["watching"] == ["Zoe"])
        assert here(0, 1)(seen)
        assert await told(watching, lambda told: told["watching"] == ["Zoe"]) == seen
        before = server.node.clock.now()
        await second.close()
        gone = await told(socket, away(1))
        assert before <= gone["seats"][1]["since"] <= server.node.clock.now()
        assert (await told(watching, away(1))) == gone
        # It is still known when the table has been out of memory.
        await watching.close()
        await socket.close()
        async with asyncio.timeout(30):
            while server.node.tables[table].audience.listeners:
                await asyncio.sleep(0.01)
        server.node.tables.pop(table).presence.stop()
        again = await visit.enter(zoe, table, None)
        found = await told(again, away(1))
        assert found["seats"][1] == gone["seats"][1]

    tell(tmp_path, story)


def test_a_reload_is_not_seen(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(presence, "PAUSE_SECONDS", 0.0)
    monkeypatch.setattr(presence, "GRACE_MS", 3_600_000)

    async def story(server: Served, visit: Visit) -> None:
        ana, ion, table = await visit.two_people()
        zoe = await visit.new("Zoe")
        socket, other = await visit.enter(ana, table, 0), await visit.enter(ion, table, 1)
        watching = await visit.enter(zoe, table, None)
        await told(socket, lambda told: here(0, 1)(told) and told["watching"] == ["Zoe"])
        await other.close()
        await watching.close()
        async with asyncio.timeout(30):
            while len(server.node.tables[table].audience.listeners) > 1:
                await asyncio.sleep(0.01)
        await (await visit.enter(ion, table, 1)).close()
        late = await visit.new("Dan")
        watching = await visit.enter(late, table, None)
        seen = await hear(socket, "presence")
        assert (seen["seats"], seen["watching"]) == ([HERE, HERE], ["Dan", "Zoe"])

    tell(tmp_path, story)


def test_a_bot_goes_on_for_the_absent_until_they_are_back(tmp_path: Path, quick: None) -> None:
    clock = Ticking()

    async def story(server: Served, visit: Visit) -> None:
        ana, ion, table = await visit.two_people()
        zoe = await visit.new("Zoe")
        call = f"/tables/{table}/seats/1/stand-in"
        socket, other = await visit.enter(ana, table, 0), await visit.enter(ion, table, 1)
        await told(socket, here(0, 1))
        clock.extra += 130_000  # he thinks for longer than one may be away
        refused = (await ana.ask("POST", call)).json()
        assert refused["code"] == "not-now", "he is here"
        await other.close()
        await told(socket, away(1))
        assert (await ana.ask("POST", call)).status_code == 409, "he has only just gone"
        clock.extra += 121_000
        assert (await zoe.ask("POST", call)).json()["code"] == "not-allowed"
        info = await ana.post(call)
        assert (info["seats"][1]["bot"], info["seats"][1]["reason"]) == ("greedy", "called")
        assert info["absence"] == 120
        # The host cannot close the game of a person who is away.
        assert (await ana.ask("POST", f"/tables/{table}/close")).status_code == 403
        back = await visit.enter_async_context(await ion.connect())
        await say(back, "hello", table=table, seat=1)
        assert (await hear(back, "welcome"))["legal"] == []
        info = await ion.post(f"/tables/{table}/seats/1/back")
        assert (info["seats"][1]["bot"], info["seats"][1]["mine"]) == (None, True)

    tell(tmp_path, story, clock)


def test_those_who_play_decide_on_any_node_that_a_bot_goes_on(
    tmp_path: Path, quick: None, postgres_url: str, redis_url: str
) -> None:
    clock = Ticking()

    async def story(one: Served, other: Served) -> None:
        async with Visit(one.address) as visit:
            ana, ion, zoe = [await visit.new(name) for name in ("Ana", "Ion", "Zoe")]
            table = await ana.table("me", "person", "person", edition="usa", listed=True)
            for client in (ion, zoe):
                await client.post(f"/tables/{table}/sit", {})
            call = f"/tables/{table}/seats/1/stand-in"
            socket, his = await visit.enter(ana, table, 0), await visit.enter(ion, table, 1)
            await told(socket, here(0, 1))
            await his.close()
            await told(socket, away(1))
            clock.extra += 121_000
            # Who resigned does not decide for those who still play, not even the one who opened it.
            await ana.post(f"/tables/{table}/seats/0/resign")
            assert (await ana.ask("POST", call)).json()["code"] == "not-allowed"
            # The other node, which has not had the table in memory, is told since when he is away.
            far = Client(other.address, zoe.token)
            visit.push_async_callback(far.close)
            await far.post(call)
            # He takes the seat back where he likes; and two ask for a bot at the same time.
            info = await ion.post(f"/tables/{table}/seats/1/back")
            assert (info["seats"][1]["bot"], info["seats"][1]["mine"]) == (None, True)
            await asyncio.gather(*(client.post(call) for client in (zoe, far)))
            entries = await one.inside(one.node.store.games.entries(table))
            kinds = [json.loads(row.body)["kind"] for row in entries]
            assert [kind for kind in kinds if kind in ("stood-in", "came-back")] == [
                *("stood-in", "came-back", "stood-in")
            ]

    # The bot does not decide before the person is back.
    slow = {"bots": {"slow": "search:5s"}, "stand_in": "slow"}
    chosen = settings(tmp_path, database=postgres_url, redis=redis_url, **slow)
    with serving(chosen, clock) as one, serving(chosen, clock) as other:
        asyncio.run(story(one, other))


def test_at_a_table_with_a_clock_the_clock_decides(tmp_path: Path, quick: None) -> None:
    clock = Ticking()

    async def story(server: Served, visit: Visit) -> None:
        ana, _, table = await visit.two_people(move_seconds=86_400)
        socket = await visit.enter(ana, table, 0)
        await told(socket, away(1))  # it is shown there, too
        clock.extra += 3_600_000
        refused = await ana.ask("POST", f"/tables/{table}/seats/1/stand-in")
        assert "clock" in refused.json()["message"]

    tell(tmp_path, story, clock)


def test_spectators_who_are_behind_see_who_was_here_then(tmp_path: Path, quick: None) -> None:
    clock = Ticking()

    async def story(server: Served, visit: Visit) -> None:
        zoe, dan = await visit.new("Zoe"), await visit.new("Dan")
        ana = await visit.new()
        ion = await visit.new("Ion")
        table = await ana.table("me", "person", edition="usa", listed=True, delay=600)
        socket = await visit.enter(ana, table, 0)
        watching = await visit.enter(zoe, table, None)
        # Before the game there is no delay.
        assert (await told(watching, here(0)))["seats"] == [HERE, None]
        await ion.post(f"/tables/{table}/sit", {"seat": 1})
        other = await visit.enter(ion, table, 1)
        await told(socket, here(0, 1))
        await other.close()
        gone = await told(socket, away(1))
        assert gone["watching"] == ["Zoe"]
        # Those who come later learn no more than those who were there; who watches is not secret.
        before = await visit.enter(dan, table, None)
        seen = await told(watching, lambda told: told["watching"] == ["Dan", "Zoe"])
        assert seen["seats"][0] == HERE
        assert seen["seats"][1] != gone["seats"][1]
        assert (await hear(before, "presence"))["seats"] == seen["seats"]
        clock.extra += 601_000
        await before.close()
        seen = await told(watching, lambda told: told["watching"] == ["Zoe"])
        assert seen["seats"] == gone["seats"]

    tell(tmp_path, story, clock)


def test_of_many_who_watch_some_are_named(
    tmp_path: Path, quick: None, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setattr(presence, "MOST_NAMES", 2)

    async def story(server: Served, visit: Visit) -> None:
        ana, _, table = await visit.two_people()
        socket = await visit.enter(ana, table, 0)
        people = [await visit.new(name) for name in ("Zoe", "Bob", "Dan")]
        sockets = [await visit.enter(one, table, None) for one in people]
        seen = await told(socket, lambda told: told["more"] == 1)
        assert seen["watching"] == ["Bob", "Dan"]
        # Those who do not ask are told nothing.
        plain = await visit.enter_async_context(await people[0].connect())
        await say(plain, "hello", table=table)
        await hear(plain, "welcome")
        await sockets[1].close()
        await told(socket, lambda told: told["more"] == 0)
        await say(plain, "ping")
        assert (await hear(plain))["type"] == "pong"

    tell(tmp_path, story)


def test_the_people_of_a_node_that_died_are_away(
    tmp_path: Path, quick: None, monkeypatch: pytest.MonkeyPatch, redis_url: str
) -> None:
    monkeypatch.setattr(presence, "ANSWER_SECONDS", 0.0)
    monkeypatch.setattr(presence, "REPEAT_SECONDS", 0.05)

    async def story(server: Served, visit: Visit) -> None:
        ana, _, table = await visit.two_people()
        socket = await visit.enter(ana, table, 0)
        await told(socket, away(1))
        found = server.node.tables[table]
        [*_, ion] = [chair.person for chair in found.state.chairs]

        async def hear_node() -> None:
            found.presence.hear(Here("another", {ion: "Ion", "z": "Zoe"}, 3, {}))

        await server.inside(hear_node())
        seen = await told(socket, here(0, 1))
        assert (seen["watching"], seen["more"]) == (["Zoe"], 3)
        gone = await told(socket, away(1))  # it does not repeat it
        assert (gone["watching"], gone["more"]) == ([], 0)

    tell(tmp_path, story, redis=redis_url)


@pytest.mark.slow
def test_two_nodes_agree_on_who_is_here(nodes: Nodes) -> None:  # noqa: F811 - a fixture
    async def test() -> None:
        async with Visit() as visit, crowd(nodes.place, nodes.told, 3, "Ana") as (ana, ion, zoe):
            table = await ana.make("person", edition="usa", pledge=None)
            await ion.ask("POST", f"/tables/{table}/sit", {"seat": 1})

            async def at(node: int, player: Person, seat: int | None) -> ClientConnection:
                client = Client(nodes.place.addresses[node], player.token)
                visit.push_async_callback(client.close)
                return await visit.enter(client, table, seat)

            socket, other = await at(0, ana, 0), await at(1, ion, 1)
            await told(socket, here(0, 1))
            await told(other, here(0, 1))
            third = await at(1, zoe, None)
            await told(socket, lambda told: len(told["watching"]) == 1)
            # From one node to the other, as after a reload: nothing is seen of it.
            moved = await at(0, ion, 1)
            await told(moved, here(0, 1))
            await other.close()
            await third.close()
            seen = await told(socket, lambda told: not told["watching"])
            assert here(0, 1)(seen)
            await moved.close()
            gone = await told(socket, away(1))
            assert gone["seats"][1]["since"] is not None
            # A node that was not told at the time knows it as soon as it is asked.
            look = await at(1, ana, 0)
            assert (await told(look, away(1)))["seats"] == gone["seats"]

    run(test())
    assert nodes.errors() == []
