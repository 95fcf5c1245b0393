"""Two nodes over one PostgreSQL and one Redis: conflicts have one winner, failures are survived.

Each node is a real process. The players are those of `players`, who check everything that they
are sent; here the two players of a game have different home nodes.
"""

from __future__ import annotations

import asyncio
from collections import Counter
from collections.abc import AsyncIterator, Callable, Coroutine, Iterator
from contextlib import asynccontextmanager, suppress
from itertools import product
from pathlib import Path
from typing import Any

import psycopg
import pytest
import websockets
from tests.server.harness import hear, say
from tests.server.players import (
    EARLY_JUDGEMENTS,
    READ_JUDGEMENTS,
    READ_LOG,
    Addresses,
    Line,
    Person,
    Received,
    check_log,
    check_told,
    crowd,
    lines,
    review_until,
    thoughts_of,
    until,
)
from tests.server.processes import Server, errors_in
from tests.server.services import Postgres, Redis
from tests.server.zygote import Zygote

pytestmark = pytest.mark.slow
LIMIT = 600.0  # seconds; only a server that hangs needs them
BOT_LIMIT = 1.0  # seconds; a bot of a dead node is asked on another one after twice this plus three
A_TABLE = {"edition": "tiny", "seats": [{"kind": "person"}] * 2}
TOO_LATE = {"stale", "not-your-turn", "not-now"}


class Nodes:
    """Two nodes, and everything they have sent."""

    def __init__(
        self, zygote: Zygote, folder: Path, database: str, redis: str, **chosen: Any
    ) -> None:
        self.zygote, self.folder, self.database, self.redis = zygote, folder, database, redis
        self.chosen = {"bot_limit": BOT_LIMIT, **chosen}
        self.place, self.told = Addresses(2), Received()
        self.servers: list[Server] = []
        for _ in range(2):
            self.start()

    def start(self, **fate: Any) -> None:
        """Start one more node."""
        number = len(self.servers)
        server = Server(
            self.zygote,
            self.folder,
            f"node{number}",
            database=self.database,
            redis=self.redis,
            **self.chosen,
            **fate,
        )
        self.servers.append(server)
        address = server.wait_ready()
        assert address, server.log.read_text()
        self.place.addresses[number : number + 1] = [address]

    def kill(self, number: int) -> None:
        """`kill -9` one of them."""
        self.servers[number].kill()
        self.place.addresses[number] = ""

    def read_logs(self) -> dict[str, list[Line]]:
        with psycopg.connect(self.database) as connection:
            return lines(connection.execute(READ_LOG))

    def status_of(self, table: str) -> str:
        with psycopg.connect(self.database) as connection:
            found = connection.execute("SELECT status FROM game WHERE id = %s", [table]).fetchone()
        return str(found and found[0])

    def judged(self, table: str) -> dict[int, bytes]:
        """The stored results of a review, by ply."""
        with psycopg.connect(self.database) as connection:
            return dict(connection.execute(READ_JUDGEMENTS.replace("?", "%s"), [table]).fetchall())

    def errors(self) -> list[dict[str, Any]]:
        found = [error for server in self.servers for error in errors_in(server.log)]
        # A short limit on a busy machine; another bot is asked then.
        return [error for error in found if not error.get("message", "").startswith("a bot failed")]


@pytest.fixture(scope="module")
def zygote() -> Iterator[Zygote]:
    with Zygote("tests.server.processes:serve") as running:
        yield running


@pytest.fixture
def nodes(
    zygote: Zygote,
    tmp_path: Path,
    postgres_url: str,
    redis_url: str,
    request: pytest.FixtureRequest,
) -> Iterator[Nodes]:
    chosen = getattr(request, "param", {})  # settings, where a test asks for some
    running = Nodes(zygote, tmp_path, postgres_url, redis_url, **chosen)
    yield running
    for server in running.servers:
        server.kill()


def run(test: Coroutine[Any, Any, None]) -> None:
    asyncio.run(asyncio.wait_for(test, LIMIT))


async def together(*jobs: Coroutine[Any, Any, Any]) -> list[Any]:
    """The results of all, or the first failure at once."""
    async with asyncio.TaskGroup() as group:
        tasks = [group.create_task(job) for job in jobs]
    return [task.result() for task in tasks]


@asynccontextmanager
async def connected(
    player: Person, node: int, table: str, seat: int | None
) -> AsyncIterator[websockets.ClientConnection]:
    """A socket to a node, after its hello."""
    address = player.place.addresses[node].replace("http", "ws", 1)
    async with websockets.connect(
        f"{address}/api/v1/socket", additional_headers=player.headers, proxy=None
    ) as socket:
        await say(socket, "hello", table=table, seat=seat, after=0)
        yield socket


# -- at the same time ------------------------------------------------------------------------------


def test_two_nodes_never_both_succeed(nodes: Nodes) -> None:
    async def test() -> None:
        dones: Counter[str] = Counter()
        async with crowd(nodes.place, nodes.told, 6, "Racer") as people:
            races = []
            for ana, ion in zip(people[::2], people[1::2], strict=True):
                table = await ana.make("person")
                await ion.sit(table, 1)
                races += [_race(ana, table, 0, dones), _race(ion, table, 1, dones)]
            await together(*races)
            logs = nodes.read_logs()
            check_log(logs, nodes.told, finished=())
            for table, log in logs.items():
                assert sum(line.body["kind"] == "acted" for line in log) == dones[table] > 10
                assert (await people[0].get(f"/tables/{table}"))["version"] == len(log)

    run(test())
    assert nodes.errors() == []


async def _race(player: Person, table: str, seat: int, dones: Counter[str]) -> None:
    """Play a seat to the end on both nodes at once: of each two decisions, one counts."""
    async with (
        connected(player, 0, table, seat) as here,
        connected(player, 1, table, seat) as there,
        asyncio.TaskGroup() as readers,
    ):
        sockets = (here, there)
        heard: asyncio.Queue[tuple[int, dict[str, Any]]] = asyncio.Queue()

        async def read(node: int) -> None:
            while True:
                heard.put_nowait((node, await hear(sockets[node])))

        reading = [readers.create_task(read(node)) for node in range(2)]
        latest: list[dict[str, Any]] = [{}, {}]
        answers: list[dict[str, Any]] = []
        asked = 0
        while True:
            node, message = await heard.get()
            if message["type"] in ("done", "refused"):
                answers.append(message)
            else:
                latest[node] = message
            if len(answers) < 2 * asked or latest[0].get("version") != latest[1].get("version"):
                continue
            if any(event["type"] == "game-ended" for event in latest[0].get("events", ())):
                break
            if all(message["legal"] for message in latest):  # an old version has no legal moves
                assert latest[0]["legal"] == latest[1]["legal"]
                for node, socket in enumerate(sockets):
                    action = player.dice.choice(latest[0]["legal"])["action"]
                    version, nonce = latest[0]["version"], f"{seat}-{asked}-{node}"
                    await say(socket, "act", action=action, version=version, nonce=nonce)
                asked += 1
        for task in reading:
            task.cancel()
        for turn in range(asked):
            mine = [a for a in answers if a["nonce"].startswith(f"{seat}-{turn}-")]
            assert {a["type"] for a in mine} == {"done", "refused"}
            (done,) = (a for a in mine if a["type"] == "done")
            (refused,) = (a for a in mine if a["type"] == "refused")
            assert refused["code"] in TOO_LATE
            player.told.done[table, done["nonce"]] = done["version"]
        dones[table] += asked


def test_one_seat_is_given_once_and_one_game_is_dealt_once(nodes: Nodes) -> None:
    async def test() -> None:
        async with crowd(nodes.place, nodes.told, 3, "Sitter") as (host, ana, ion):
            tables = [await host.make("person", pledge=None) for _ in range(20)]
            here, there = nodes.place.addresses
            wish = ("POST", {"seat": 1})
            for table in tables:
                path = f"/tables/{table}/sit"
                answers = await together(
                    ana.once(here, wish[0], path, wish[1]), ion.once(there, wish[0], path, wish[1])
                )
                assert sorted(a.is_success for a in answers) == [False, True]
                (refused,) = (a for a in answers if not a.is_success)
                assert refused.status_code == 409
                assert refused.json()["code"] in ("taken", "not-now")
            logs = nodes.read_logs()
            for table in tables:
                kinds = [line.body["kind"] for line in logs[table]]
                assert kinds == ["sat", "sat", "announced", "dealt"]

    run(test())
    assert nodes.errors() == []


# -- failures --------------------------------------------------------------------------------------


async def _play_through(
    nodes: Nodes, disturb: Callable[[Received], Coroutine[Any, Any, None]], *, pairs: int, bots: int
) -> None:
    """Many games, each on both nodes, to their ends, with failures of the nodes meanwhile."""
    place, told = nodes.place, nodes.told
    async with (
        crowd(place, told, 2 * pairs, "Pair") as people,
        crowd(place, told, bots, "Bo") as us,
    ):
        games: list[Coroutine[Any, Any, None]] = []
        tables = []
        for number, (ana, ion) in enumerate(zip(people[::2], people[1::2], strict=True)):
            table = await ana.make("person", edition="tiny" if number else "usa-classic")
            await ion.sit(table, 1)
            tables.append(table)
            games += [ana.play(table, 0), ion.play(table, 1)]
        games.append(people[-1].watch(tables[0]))
        for person in us:
            tables.append(table := await person.make("random"))
            games.append(person.play(table, 0))
        await together(disturb(told), *games)
        check_log(nodes.read_logs(), told, tables)
        await check_told(people[-1], told, tables)
        # All players ask for a rematch at the same time, on both nodes.
        for ana, ion, table in zip(people[::2], people[1::2], tables, strict=False):
            again = await together(ana.rematch(table), ion.rematch(table))
            assert again[0][0] == again[1][0]
            assert {again[0][1], again[1][1]} == {0, 1}
    assert nodes.errors() == []


async def _more(told: Received, count: int) -> None:
    """Wait until this many more actions were acknowledged."""
    enough = len(told.done) + count
    await until(lambda: len(told.done) >= enough)


def test_a_node_dies_and_all_go_on_at_the_other(nodes: Nodes) -> None:
    async def disturb(told: Received) -> None:
        await _more(told, 200)
        await asyncio.to_thread(nodes.kill, 0)

    run(_play_through(nodes, disturb, pairs=20, bots=6))


def test_a_node_dies_at_any_step_of_the_deal_and_the_other_goes_on(nodes: Nodes) -> None:
    async def test() -> None:
        async with crowd(nodes.place, nodes.told, 2, "Pledging") as (ana, ion):
            for moment, step in product(("committed", "told"), range(1, 7)):
                ana.home = len(nodes.servers)
                await asyncio.to_thread(nodes.start, moment=moment, count=step)
                doomed = nodes.servers[ana.home]

                async def bury(number: int = ana.home, server: Server = doomed) -> None:
                    await asyncio.to_thread(server.process.wait)
                    nodes.place.addresses[number] = ""

                death = asyncio.create_task(bury())
                table = await ana.make("person", **ana.pledge(always=True))
                await ion.sit(table, 1)
                await together(ana.play(table, 0), ion.play(table, 1))
                exited, _ = await asyncio.wait([death], timeout=30)
                await asyncio.to_thread(doomed.kill)
                await death
                assert exited, "the process killed itself at its moment"
                check_log(nodes.read_logs(), nodes.told, [table])
                await check_told(ion, nodes.told, [table])

    run(test())
    assert nodes.errors() == []


@pytest.mark.parametrize(
    "nodes", [{"tables_per_person_a_day": 3, "bot_limit": 60.0}], indirect=True
)
def test_a_node_dies_and_its_refusals_counts_and_reviews_hold_at_the_others(nodes: Nodes) -> None:
    async def test() -> None:
        async with crowd(nodes.place, nodes.told, 2, "Ana") as (ana, ion):
            reviewed = await ana.make("random")
            await ana.play(reviewed, 0)
            running = await ana.make("person", edition="usa", pledge=None)
            await ion.ask("POST", f"/tables/{running}/sit", {"seat": 1})
            await ion.ask("POST", f"/tables/{running}/seats/1/leave")

            async def check(node: int, *, made: int) -> None:
                """Nothing closes the game of a person who is away; three tables a day."""
                path, address = f"/tables/{running}/close", nodes.place.addresses[node]
                refused = await ana.once(address, "POST", path)
                assert (refused.status_code, refused.json()["code"]) == (403, "not-allowed")
                for number in range(made, 5):
                    answer = await ana.once(address, "POST", "/tables", A_TABLE)
                    assert answer.status_code == (201 if number < 3 else 429), answer.text

            for node in range(2):
                await check(node, made=5)
            await review_until(
                ana, reviewed, lambda _: len(nodes.judged(reviewed)) >= EARLY_JUDGEMENTS
            )
            await asyncio.to_thread(nodes.kill, 0)
            kept = nodes.judged(reviewed)
            await check(1, made=2)
            told = await review_until(ana, reviewed, lambda told: told["complete"])
            assert told["skipped"] == []
            judged = nodes.judged(reviewed)
            assert kept.items() <= judged.items()
            thoughts = await thoughts_of(nodes.place.addresses[1])
            assert thoughts == len(judged) - len(kept), "nothing is judged again"
            await asyncio.to_thread(nodes.start)
            await check(2, made=3)
            assert (await ana.get(f"/tables/{running}"))["status"] == "running"

    run(test())
    assert nodes.errors() == []


def test_redis_dies_and_play_goes_on(nodes: Nodes, redis_server: Redis) -> None:
    async def disturb(told: Received) -> None:
        for hard in (True, False):
            await _more(told, 30)
            await asyncio.to_thread(redis_server.stop, hard=hard)
            await _more(told, 30)
            await asyncio.to_thread(redis_server.start)

    run(_play_through(nodes, disturb, pairs=10, bots=1))


def test_postgres_dies_and_nothing_is_lost(
    nodes: Nodes, postgres: Postgres, redis_server: Redis
) -> None:
    async def disturb(told: Received) -> None:
        for hard in (False, True):
            await _more(told, 30)
            await asyncio.to_thread(postgres.stop, hard=hard)
            refused = told.refusals["storage"] + 20
            await until(lambda: told.refusals["storage"] >= refused)  # noqa: B023
            if hard:  # then the missed messages cannot be requested at once
                await asyncio.to_thread(redis_server.stop, hard=True)
                await asyncio.to_thread(redis_server.start)
            await asyncio.to_thread(postgres.start)

    run(_play_through(nodes, disturb, pairs=10, bots=1))
    assert set(nodes.told.refusals) == {"storage"}


def test_bots_whose_node_died_go_on_at_the_other(nodes: Nodes) -> None:
    async def test() -> None:
        async with crowd(nodes.place, nodes.told, 1, "Host") as (host,):
            bots = [{"kind": "bot", "bot": "greedy"}] * 5
            wanted = {"edition": "usa-classic", "seats": bots, "mine": [], "listed": True}
            table = (await host.ask("POST", "/tables", wanted)).json()["id"]
            await until(lambda: len(nodes.read_logs().get(table, ())) > 10)
            await asyncio.to_thread(nodes.kill, 0)
            # No client opens the table, so the node itself must resume it.
            assert nodes.status_of(table) == "running"
            await until(lambda: nodes.status_of(table) == "finished")
            check_log(nodes.read_logs(), nodes.told, [table])
            await check_told(host, nodes.told, [table])

    run(test())
    assert nodes.errors() == []


@pytest.mark.parametrize("moment", ["committed", "told"])
def test_what_a_node_did_last_reaches_the_others(nodes: Nodes, moment: str) -> None:
    """It committed and died before it told the other nodes."""

    async def test() -> None:
        async with crowd(nodes.place, nodes.told, 2, "Last") as (ana, ion):
            table = await ana.make("person", first=0)
            await ion.sit(table, 1)
            await asyncio.to_thread(nodes.start, moment=moment)
            async with connected(ion, 1, table, 1) as waiting:
                dealt = await _until_version(waiting, 4)
                assert dealt["legal"]
                async with connected(ana, 2, table, 0) as dying:
                    mine = await _until_version(dying, 4)
                    action = mine["legal"][0]["action"]
                    await say(dying, "act", action=action, version=4, nonce="last")
                    await _until_closed(dying)
                update = await _until_version(waiting, 5)
                assert update["deciding"] == [1]

    run(test())
    assert nodes.errors() == []


async def _until_version(socket: websockets.ClientConnection, version: int) -> dict[str, Any]:
    while True:
        update = await hear(socket, "update")
        if update["version"] == version:
            return update


async def _until_closed(socket: websockets.ClientConnection) -> None:
    with suppress(websockets.ConnectionClosed):
        while True:
            await hear(socket)


# -- what is not stored ----------------------------------------------------------------------------


def test_signs_and_rematches_cross_over(nodes: Nodes) -> None:
    async def test() -> None:
        async with crowd(nodes.place, nodes.told, 2, "Ana") as (ana, ion):
            table = await ana.make("person", "person")
            await ion.sit(table, 1)
            async with connected(ana, 0, table, 0) as here, connected(ion, 1, table, 1) as there:
                await hear(here, "welcome")
                await hear(there, "welcome")
                await say(here, "react", sign="hello")
                assert await hear(there, "reaction") == {
                    "type": "reaction",
                    "seat": 0,
                    "sign": "hello",
                }
                await ana.ask("POST", f"/tables/{table}/close")
                closed = await _until_version(there, 3)
                assert closed["events"] == [{"type": "table-closed"}]
                again, seat = await ion.rematch(table)
                assert (await hear(here, "rematch"))["table"] == again
                assert (await ana.rematch(table))[0] == again
                assert seat == 2

    run(test())
    assert nodes.errors() == []


@pytest.mark.parametrize("redis_is_down", [False, True])
def test_who_may_watch_no_more_is_cut_off_everywhere(
    nodes: Nodes, redis_server: Redis, redis_is_down: bool
) -> None:
    async def test() -> None:
        async with crowd(nodes.place, nodes.told, 2, "Ana") as (ana, guest):
            table = await ana.make("person", listed=False)
            link = (await ana.ask("POST", f"/tables/{table}/links", {"kind": "watch"})).json()
            secret = {"token": link["url"].partition("#")[2]}
            assert (await guest.ask("POST", "/links/open", secret)).json()["table"] == table
            async with connected(guest, 1, table, None) as watching:
                await hear(watching, "welcome")
                if redis_is_down:
                    await asyncio.to_thread(redis_server.stop, hard=True)
                assert (await ana.ask("DELETE", f"/tables/{table}/links/{link['id']}")).is_success
                if redis_is_down:
                    await asyncio.to_thread(redis_server.start)
                await _until_closed(watching)
                assert watching.close_code == 4009
                assert (await guest.ask("GET", f"/tables/{table}")).status_code == 404

    run(test())
    assert nodes.errors() == []


# -- fair tables -----------------------------------------------------------------------------------


def test_both_nodes_know_which_seats_are_of_one_address(nodes: Nodes) -> None:
    async def test() -> None:
        async with crowd(nodes.place, nodes.told, 2, "Ana") as (ana, ion):
            table = await ana.make("person", "greedy", edition="usa")
            await ion.sit(table, 1)
            for player in (ana, ion):
                info = await player.get(f"/tables/{table}")
                assert [seat["shared_with"] for seat in info["seats"]] == [[1], [0], []]
                [line] = (await player.get("/tables"))["tables"]
                assert line["shared"] == [0, 1]

    run(test())
    assert nodes.errors() == []


def test_one_of_two_who_look_alike_gets_in(nodes: Nodes) -> None:
    async def test() -> None:
        async with crowd(nodes.place, nodes.told, 3, "Ana") as (ana, ion, eva):
            for _ in range(10):
                table = await ana.make("person", "person", "person", edition="usa")
                ways = [(ion, 1, "Mara"), (eva, 2, "Мara")]  # the second begins in Cyrillic
                asked = [
                    player.ask("POST", f"/tables/{table}/sit", {"seat": seat, "name": name})
                    for player, seat, name in ways
                ]
                answers = await asyncio.gather(*asked)
                told = [answer.json().get("code", "sat") for answer in answers]
                assert sorted(told) == ["name-taken", "sat"]

    run(test())
    assert nodes.errors() == []


def test_a_spectator_on_another_node_is_behind(nodes: Nodes) -> None:
    async def test() -> None:
        async with crowd(nodes.place, nodes.told, 2, "Ana") as (ana, zoe):
            table = await ana.make("random", delay=3600)
            async with connected(zoe, 1, table, None) as watching:
                seen = (await hear(watching, "welcome"))["table"]
                assert (seen["status"], seen["announcement"] is None) == ("waiting", False)
                await ana.play(table, 0)
                log = (await ana.get(f"/tables/{table}/updates"))["updates"]
                dealt = next(update["version"] for update in log if update["situation"])
                info = await zoe.get(f"/tables/{table}")
                assert (info["status"], info["version"]) == ("waiting", dealt - 1)
                [line] = (await zoe.get("/tables"))["tables"]
                assert (line["status"], line["scores"]) == ("running", None)
                assert (await zoe.ask("GET", f"/tables/{table}/record")).status_code == 409
                await say(watching, "ping")
                heard = [await hear(watching) for _ in range(dealt - seen["version"])]
                versions = [message.get("version") for message in heard]
                assert versions == [*range(seen["version"] + 1, dealt), None]
                assert heard[-1]["type"] == "pong"
            assert (await ana.get(f"/tables/{table}"))["status"] == "finished"

    run(test())
    assert nodes.errors() == []
