"""A table with a delay shows nothing of the present to people without a seat.

A game is played up to a moment, and then continues in different ways, within the delay. A person
without a seat requests every route of the server, and watches by socket: they must be sent the same
bytes, whichever way the game continued. Ids, secrets and the clock are fixed. The routes are those
of the application, so a new one is tested too.
"""

from __future__ import annotations

import asyncio
import json
from collections.abc import Awaitable, Callable
from dataclasses import dataclass, field
from itertools import zip_longest
from pathlib import Path
from typing import Any, NamedTuple, get_args
from urllib.parse import parse_qs

import pytest
from tests.server.harness import Client, Player, hear, say, seated, serving, settings
from tests.server.test_secrets import Foretold, Ticking
from websockets import ClientConnection

from macaz.server import logs, node, people, wire
from macaz.server.app import application
from macaz.server.http import catalog, links
from macaz.server.table import presence

DELAY = 600  # seconds
PAST = 6  # decisions that are older than the delay
MANY = 1_000_000
# Bodies for the routes that change something; a new one needs a line here.
SEAT = {"kind": "person"}
BODIES: dict[tuple[str, str], list[Any]] = {
    ("POST", "/api/v1/people"): [{"name": "Mia"}],
    ("PUT", "/api/v1/me"): [{"name": "Zoe", "color": "red"}],
    ("POST", "/api/v1/me/forget"): [None],
    ("POST", "/api/v1/me/forget-everywhere"): [{"keep_present": True}],
    ("DELETE", "/api/v1/me/sessions/{session_id}"): [None],
    ("POST", "/api/v1/me/tokens"): [{"label": "x"}],
    ("DELETE", "/api/v1/me/tokens/{token_id}"): [None],
    ("PUT", "/api/v1/me/push"): [{"endpoint": "https://fcm.googleapis.com/x"}],
    ("DELETE", "/api/v1/me/push"): [None],
    ("POST", "/api/v1/tables"): [{"edition": "tiny", "seats": [SEAT, SEAT]}],
    ("POST", "/api/v1/tables/quick"): [{"edition": "tiny"}],
    ("POST", "/api/v1/tables/import"): [{"edition": "tiny"}],
    ("POST", "/api/v1/tables/{table_id}/sit"): [{}, {"seat": 1}, {"seat": 4}, {"name": "Ana"}],
    ("POST", "/api/v1/tables/{table_id}/seats/{seat}/leave"): [None],
    ("POST", "/api/v1/tables/{table_id}/seats/{seat}/back"): [None],
    ("POST", "/api/v1/tables/{table_id}/seats/{seat}/stand-in"): [None],
    ("POST", "/api/v1/tables/{table_id}/seats/{seat}/take-back"): [{"version": v} for v in (9, 10)],
    ("POST", "/api/v1/tables/{table_id}/seats/{seat}/take-back/answer"): [
        {"version": 9, "accept": True},
        {"version": 10, "accept": False},
    ],
    ("POST", "/api/v1/tables/{table_id}/seats/{seat}/resign"): [None],
    ("POST", "/api/v1/tables/{table_id}/close"): [None],
    ("POST", "/api/v1/tables/{table_id}/rematch"): [None],
    ("POST", "/api/v1/tables/{table_id}/links"): [
        {"kind": "watch"},
        {"kind": "join"},
        {"kind": "seat", "seat": 1},
    ],
    ("DELETE", "/api/v1/tables/{table_id}/links/{link_id}"): [None],
    ("POST", "/api/v1/links/look"): [{"token": "no-such-link-at-all"}],
    ("POST", "/api/v1/links/open"): [{"token": "no-such-link-at-all"}],
}
# The same for messages by socket.
SAID: dict[str, dict[str, Any]] = {
    "hello": {},
    "look": {},
    "act": {"action": 1, "version": 9, "nonce": "n"},
    "add-nonce": {"nonce": "0" * 64},
    "react": {"sign": "hello"},
    "mute": {"seat": 0},
    "visible": {"visible": False},
    "ping": {},
}
# Queries; a new name needs one here.
QUERIES = ("eyes=spectator", "eyes=all", "eyes=1", "after=2", "seat=1&version=3", "before=x")
VERSIONS = (0, 1, 4, 7, 8, 9, 10, 11, 12, 15, 40)


# -- a person without a seat -----------------------------------------------------------------------


@dataclass
class Watcher:
    """A person without a seat, and everything they were sent."""

    client: Client
    table: str
    socket: ClientConnection
    invitation: str
    got: list[str] = field(default_factory=list)

    async def listen(self) -> None:
        """Keep all messages of the socket until it has answered."""
        await say(self.socket, "ping")
        while (message := await hear(self.socket))["type"] != "pong":
            self.got.append(json.dumps(message))

    async def greet(self, **more: Any) -> None:
        await say(self.socket, "hello", table=self.table, presence=True, **more)
        await self.listen()

    async def ask(self, method: str, path: str, body: Any = None) -> None:
        """Keep the response of an HTTP request, headers included."""
        answer = await self.client.ask(method, f"{self.client.address}{path}", body)
        lines = [f"{name}: {value}" for name, value in answer.headers.items() if name != "date"]
        asked = f"{method} {path} {json.dumps(body)}: {answer.status_code}"
        told = answer.text.replace(self.client.address, "http://here")
        self.got.append("\n".join([asked, *lines, told]))

    async def look_around(self, routes: list[Route]) -> None:
        """Request every route, and send every kind of message."""
        for method, template, queries in routes:
            bodies = [None] if method in ("GET", "HEAD", "OPTIONS") else BODIES[method, template]
            for body in bodies:
                for path in paths(template, self.table):
                    for query in queries:
                        await self.ask(method, path + query, body)
        await self.ask("POST", "/api/v1/links/look", {"token": self.invitation})
        for after in (0, 5, 9, 12):
            await self.greet(after=after)
        await self.greet(seat=1)
        assert SAID.keys() == {kind.__struct_config__.tag for kind in get_args(wire.ClientMessage)}
        for kind, fields in SAID.items():
            await say(self.socket, kind, **({"table": self.table} if kind == "hello" else fields))
            await self.listen()


def paths(template: str, table: str) -> list[str]:
    """The addresses of a route, about a table."""
    found = [template.replace("{table_id}", table)]
    for name, values in (("{seat}", (0, 1, 5)), ("{version}", VERSIONS)):
        found = [p.replace(name, str(v)) for p in found for v in values if name in p] or found
    for name, value in (
        ("{name}", "tiny"),
        ("{edition}", "tiny"),
        ("{lesson}", "1"),
        ("{puzzle}", "today"),
    ):
        found = [p.replace(name, value) for p in found]
    for name in ("{link_id}", "{token_id}", "{session_id}", "{path}", "{file_path}"):
        found = [p.replace(name, "none") for p in found]
    assert not [path for path in found if "{" in path], f"add the parameters of {template}"
    return found


class Route(NamedTuple):
    """A method and a path of the server, with the queries to try."""

    method: str
    template: str
    queries: tuple[str, ...] = ("",)


async def all_routes(folder: Path) -> list[Route]:
    """All of the server; GET first, as the others may change something."""
    async with application(settings(folder)) as app:
        inner = app.app.app
        routes = [route for route in inner.routes if hasattr(route, "methods")]
        described = inner.openapi_schema.paths
    found = [(m, r.path_format) for r in routes for m in r.methods if m != "OPTIONS"]
    missing = {f for f in found if f[0] not in ("GET", "HEAD")} - set(BODIES)
    assert not missing, "add its body to BODIES"
    assert len(found) > 40
    asked: dict[str, set[str]] = {}
    for path, item in described.items():
        known = item.get.parameters or () if item.get else ()
        asked[path] = {one.name for one in known if one.param_in == "query"}
    assert set().union(*asked.values()) == parse_qs("&".join(QUERIES)).keys()
    return [
        Route(method, path, queries(asked.get(path, set()) if method == "GET" else set()))
        for method, path in sorted(found)
    ]


def queries(names: set[str]) -> tuple[str, ...]:
    """Those that ask for something by one of these names, and none."""
    return ("", *(f"?{query}" for query in QUERIES if names & parse_qs(query).keys()))


# -- a game, and the ways in which it continues ----------------------------------------------------


@dataclass
class Scene:
    """A table with a delay, and its people."""

    clock: Ticking
    table: str
    clients: dict[str, Client]
    players: list[Player]
    invitation: str  # the secret of a link that came too late

    async def decider(self, pick: int = 0) -> Player | None:
        """A person who is to decide, after the bots; None if the game is over."""
        while True:
            for player in self.players:
                await say(player.socket, "look")
                await player.next(lambda m: m["type"] == "welcome")
            ready = [player for player in self.players if player.last["legal"]]
            if ready and all(seat < len(self.players) for seat in player.last["deciding"]):
                return ready[-pick]
            if self.players[0].last["table"]["status"] != "running":
                return None
            await asyncio.sleep(0.02)

    async def move(self, pick: int = 0) -> bool:
        """One person decides; False if the game is over."""
        if (player := await self.decider(pick)) is None:
            return False
        legal, version = player.last["legal"], player.last["version"]
        action = legal[pick % len(legal)]["action"]
        await say(player.socket, "act", action=action, version=version, nonce=f"n{version}")
        await player.next(lambda m: m["type"] == "done")
        return True

    async def takeback(self) -> dict[str, Any] | None:
        """The decision that can be taken back now."""
        await self.decider()
        found: dict[str, Any] | None = self.players[0].last["takeback"]
        return found

    async def finish(self) -> None:
        while await self.move():
            pass


Present = Callable[[Scene], Awaitable[None]]


async def nothing(_: Scene) -> None: ...


async def one_move(scene: Scene) -> None:
    await scene.move()


async def other_moves(scene: Scene) -> None:
    for _ in range(5):
        await scene.move(pick=1)


async def signs(scene: Scene) -> None:
    await say(scene.players[0].socket, "react", sign="wow")
    await scene.players[1].next(lambda m: m["type"] == "reaction")


async def a_person_leaves(scene: Scene) -> None:
    await scene.clients["Ion"].post(f"/tables/{scene.table}/seats/1/leave")
    async with await scene.clients["Ana"].connect() as socket:
        await say(socket, "hello", table=scene.table, seat=0, presence=True)
        assert all(seat["here"] for seat in (await hear(socket, "presence"))["seats"])
        await scene.players[1].socket.close()
        assert not (await hear(socket, "presence"))["seats"][1]["here"]


async def a_takeback(scene: Scene) -> None:
    """A decision is made, and taken back."""
    while (known := await scene.takeback()) is None:
        assert await scene.move()
    asker, other = [("Ana", "Ion"), ("Ion", "Ana")][known["seat"]]
    place, version = f"/tables/{scene.table}/seats", {"version": known["version"]}
    await scene.clients[asker].post(f"{place}/{known['seat']}/take-back", version)
    answer = f"{place}/{1 - known['seat']}/take-back/answer"
    await scene.clients[other].post(answer, {**version, "accept": True})


async def a_person_resigns(scene: Scene) -> None:
    await scene.clients["Ion"].post(f"/tables/{scene.table}/seats/1/resign")


async def a_seat_moves(scene: Scene) -> None:
    """From Ion to Dan, who watches; the socket of Ion is closed."""
    made = await scene.clients["Ion"].post(
        f"/tables/{scene.table}/links", {"kind": "seat", "seat": 1}
    )
    await scene.clients["Dan"].post("/links/open", {"token": made["url"].partition("#")[2]})


async def the_end(scene: Scene) -> None:
    await scene.finish()


async def a_rematch(scene: Scene) -> None:
    await scene.finish()
    for name in ("Ana", "Ion"):
        await scene.clients[name].post(f"/tables/{scene.table}/rematch")


async def a_rematch_of_a_rematch(scene: Scene) -> None:
    await scene.finish()
    ana = scene.clients["Ana"]
    again = await ana.post(f"/tables/{scene.table}/rematch")
    await ana.post(f"/tables/{again['id']}/close")
    await ana.post(f"/tables/{again['id']}/rematch")


async def one_closes(scene: Scene) -> None:
    await scene.clients["Ana"].post(f"/tables/{scene.table}/close")


# The creator of the table only watches, and may know no more than a stranger.
WITH_PEOPLE = (
    a_takeback,
    other_moves,
    signs,
    a_person_leaves,
    a_person_resigns,
    a_seat_moves,
    a_rematch,
    a_rematch_of_a_rematch,
)


async def _arrange(address: str, clock: Ticking, *, alone: bool) -> Scene:
    names = ("Ana", "Ion", "Hana", "Zoe", "Eva", "Dan")
    clients = {name: await Client.new(address, name) for name in names}
    terms: dict[str, Any] = {"listed": True, "delay": DELAY, "move_seconds": 36_000, "first": 0}
    if alone:
        table = await clients["Ana"].table("me", "random", **terms)
        players = [await seated(clients["Ana"], table, 0)]
    else:
        table = await clients["Hana"].table("person", "person", mine=[], **terms)
        for seat, name in enumerate(("Ana", "Ion")):
            await clients[name].post(f"/tables/{table}/sit", {"seat": seat})
        players = [await seated(clients[n], table, i) for i, n in enumerate(("Ana", "Ion"))]
    made = await clients["Ana" if alone else "Hana"].post(
        f"/tables/{table}/links", {"kind": "join"}
    )
    return Scene(clock, table, clients, players, made["url"].partition("#")[2])


async def _watch(scene: Scene, name: str) -> Watcher:
    client = scene.clients[name]
    watcher = Watcher(client, scene.table, await client.connect(), scene.invitation)
    await watcher.greet()
    return watcher


def watch(
    folder: Path,
    present: Present,
    routes: list[Route],
    *,
    alone: bool = False,
    after: Callable[[Scene], Awaitable[None]] | None = None,
    **changes: Any,
) -> dict[str, list[str]]:
    """Everything that people without a seat were sent while the game continued in this way."""
    foretold, clock = Foretold(), Ticking()
    folder.mkdir()

    async def story(address: str) -> dict[str, list[str]]:
        scene = await _arrange(address, clock, alone=alone)
        for _ in range(PAST):
            await scene.decider()
            clock.seconds += 1
            await scene.move()
        await scene.decider()
        clock.seconds += DELAY + 1
        early, other = await _watch(scene, "Zoe"), await _watch(scene, "Dan")
        clock.seconds += 1
        await present(scene)
        clock.seconds += DELAY / 2
        # Ids and tokens that were issued in the present must not change later ones.
        foretold._count = MANY
        watchers = {"early": early, "new": await _watch(scene, "Eva")}
        if not alone:
            watchers["host"] = await _watch(scene, "Hana")
        for watcher in watchers.values():
            await watcher.listen()
            await watcher.look_around(routes)
        if after is not None:
            await after(scene)
        assert all("presence" in "".join(watcher.got) for watcher in watchers.values())
        sockets = [watcher.socket for watcher in (*watchers.values(), other)]
        for socket in sockets + [player.socket for player in scene.players]:
            await socket.close()
        for client in scene.clients.values():
            await client.close()
        return {name: watcher.got for name, watcher in watchers.items()}

    with pytest.MonkeyPatch.context() as patch:
        for module in (node, people, links, logs):
            patch.setattr(module, "secrets", foretold)
        for module, name in ((catalog, "_code"), (links, "qr_code")):  # it shows the port
            patch.setattr(module, name, lambda _: wire.QrCode(0, ""))
        # It is told at once who is here, before an answer, as the clock stands still.
        patch.setattr(presence, "PAUSE_SECONDS", 0.0)
        patch.setattr(presence, "GRACE_MS", 0)
        for limit in ("READS_PER_MINUTE", "SEAT_CHANGES_PER_MINUTE"):
            patch.setattr(node, limit, MANY)
        keys = {"secret": "x" * 40, "push_key": "A" * 42 + "E"}  # any, the same for both
        chosen = settings(folder, metrics="off", **keys, **changes)
        with serving(chosen, clock) as server:
            return asyncio.run(story(server.address))


def differences(one: dict[str, list[str]], other: dict[str, list[str]]) -> list[tuple[str, str]]:
    assert one.keys() == other.keys()
    assert all(one.values())
    pairs = [pair for name in one for pair in zip_longest(one[name], other[name], fillvalue="")]
    return [(a, b) for a, b in pairs if a != b]


@pytest.fixture(scope="module")
def routes(tmp_path_factory: pytest.TempPathFactory) -> list[Route]:
    return asyncio.run(all_routes(tmp_path_factory.mktemp("routes")))


@pytest.fixture(scope="module")
def with_people(tmp_path_factory, routes) -> dict[str, list[str]]:
    return watch(tmp_path_factory.mktemp("people") / "server", nothing, routes)


@pytest.fixture(scope="module")
def alone(tmp_path_factory, routes) -> dict[str, list[str]]:
    return watch(tmp_path_factory.mktemp("alone") / "server", nothing, routes, alone=True)


@pytest.mark.parametrize("present", WITH_PEOPLE, ids=lambda present: present.__name__)
def test_a_stranger_learns_nothing_of_the_present(tmp_path, routes, with_people, present):
    got = watch(tmp_path / "server", present, routes)
    assert not differences(with_people, got)


@pytest.mark.parametrize("present", [one_move, one_closes, the_end], ids=lambda p: p.__name__)
def test_nor_of_a_game_against_a_bot(tmp_path, routes, alone, present):
    got = watch(tmp_path / "server", present, routes, alone=True)
    assert not differences(alone, got)


def test_nor_by_a_limit_on_open_tables(tmp_path):
    """The creator of the table could try to create another: that worked as soon as it had ended."""
    asked = [Route("POST", "/api/v1/tables")]

    async def later(scene: Scene) -> None:
        hana, [new] = scene.clients["Hana"], BODIES[asked[0][:2]]
        assert (await hana.ask("POST", "/tables", new)).status_code == 429
        scene.clock.seconds += DELAY
        assert (await hana.ask("POST", "/tables", new)).status_code == 201

    running = watch(tmp_path / "running", nothing, asked, tables_per_person=1)
    ended = watch(tmp_path / "ended", the_end, asked, after=later, tables_per_person=1)
    assert not differences(running, ended)


def test_when_the_delay_is_over_all_is_shown(tmp_path):
    async def after(scene: Scene) -> None:
        zoe, ana = scene.clients["Zoe"], scene.clients["Ana"]
        place = f"/tables/{scene.table}"
        mine, hers = await ana.get(place), await zoe.get(place)
        assert (mine["status"], hers["status"]) == ("finished", "running")
        assert mine["rematch"]
        assert hers["rematch"] is None
        [line] = (await zoe.get("/tables"))["tables"]
        assert (line["id"], line["status"], line["scores"]) == (scene.table, "running", None)
        assert (await zoe.ask("GET", f"/tables/{mine['rematch']}")).status_code == 404
        for path in ("record", "log"):
            assert (await zoe.ask("GET", f"{place}/{path}")).json()["code"] == "not-now"
        assert (await ana.get(f"{place}/record")).startswith("macaz")
        scene.clock.seconds += DELAY
        now = await zoe.get(place)
        assert (now["status"], now["version"]) == ("finished", mine["version"])
        assert now["rematch"] == mine["rematch"]
        [line] = (await zoe.get("/tables"))["tables"]
        assert line["id"] == now["rematch"]
        assert await zoe.get(f"{place}/record") == await ana.get(f"{place}/record")
        assert (await zoe.get(f"{place}/updates?eyes=all"))["version"] == now["version"]
        async with await zoe.connect() as socket:
            await say(socket, "hello", table=scene.table)
            assert (await hear(socket, "welcome"))["view"]["outcome"]

    watch(tmp_path / "server", a_rematch, [], after=after)


def test_there_is_no_delay_before_the_game(tmp_path):
    async def story(address: str) -> None:
        ana, ion, zoe = [await Client.new(address, name) for name in ("Ana", "Ion", "Zoe")]
        table = await ana.table("me", "person", "person", edition="usa", listed=True, delay=3600)
        async with await zoe.connect() as socket:
            await say(socket, "hello", table=table)
            assert (await hear(socket, "welcome"))["version"] == 1
            await ion.post(f"/tables/{table}/sit", {})
            assert (await hear(socket, "update"))["events"][0]["name"] == "Ion"
            info = await zoe.get(f"/tables/{table}")
            assert [seat["name"] for seat in info["seats"]] == ["Ana", "Ion", None]
            await ana.post(f"/tables/{table}/close")
            assert (await hear(socket, "update"))["events"] == [{"type": "table-closed"}]
        assert (await zoe.get("/tables"))["tables"] == []
        assert (await zoe.get(f"/tables/{table}"))["status"] == "closed"
        for client in (ana, ion, zoe):
            await client.close()

    with serving(settings(tmp_path)) as server:
        asyncio.run(story(server.address))
