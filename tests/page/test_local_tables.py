"""A table in a browser equals a table of a server: equal requests get equal answers and messages.

Sessions at a real server, in every edition with every choice of options, are recorded: what was
asked and said, and what came back. `web/tests/host.test.ts` repeats them at the host of local
tables and compares, ids and times aside.
"""

from __future__ import annotations

import asyncio
import json
import random
from dataclasses import replace
from pathlib import Path
from typing import Any

import pytest
from tests.page.test_local_games import data_files
from tests.page.units import run_vitest
from tests.server.harness import Client, say, serving, settings
from websockets import ClientConnection

from macaz.game.fair import pledge_of
from macaz.game.record import verify_record
from macaz.server.editions import Catalog
from macaz.server.entries import Acted, decode_entry
from macaz.server.limits import RateLimit

# Preferences of these players: some of everything, and an end within a few hundred decisions.
TASTE = {"claim": 30, "blind": 12, "take": 12, "draw-tickets": 2, "station": 1, "mark": 6}
OTHERS = 6
RESIGNS_AT = 30  # the turn
PATIENCE = 30  # seconds until an answer must have come
KINDS = {"welcome", "update", "done", "refused", "reaction", "rematch", "pong"}


class Session:
    """A person at a server, and a recording of what happens."""

    def __init__(self, client: Client, served: Any) -> None:
        self.client, self.served = client, served
        self.steps: list[dict[str, Any]] = []
        self.sockets: list[ClientConnection] = []
        self.heard: list[list[dict[str, Any]]] = []
        self.listening: list[asyncio.Task[None]] = []
        self.tables: list[str] = []
        self.people: list[int] = []
        self.news = asyncio.Event()

    async def ask(self, method: str, path: str, body: Any = None) -> Any:
        """A request, and its answer or refusal."""
        answer = await self.client.ask(method, path, body)
        kind = answer.headers.get("content-type", "")
        found: Any = answer.json() if kind.startswith("application/json") else answer.text
        told = answer.is_success and isinstance(found, dict) and "commitment" in found
        if told and found["id"] not in self.tables:
            self.tables.append(found["id"])
        step = {"do": "request", "method": method, "path": path, "body": body}
        self.steps.append({**step, "refused": not answer.is_success, "answer": found})
        return found

    async def open(self) -> int:
        """A socket."""
        number = len(self.sockets)
        socket = await self.client.connect()
        self.sockets.append(socket)
        self.heard.append([])
        self.listening.append(asyncio.create_task(self._listen(number, socket)))
        self.steps.append({"do": "open"})
        return number

    async def _listen(self, number: int, socket: ClientConnection) -> None:
        async for text in socket:
            self.heard[number].append(json.loads(text))
            self.news.set()

    async def say(self, socket: int, kind: str, **fields: Any) -> None:
        message = {"type": kind, **fields}
        self.steps.append({"do": "say", "socket": socket, "message": message})
        await say(self.sockets[socket], kind, **fields)

    async def until(self, good: Any) -> None:
        """Wait for messages; the local host must have sent as many by then."""
        async with asyncio.timeout(PATIENCE):
            while not good():
                self.news.clear()
                await self.news.wait()
        self.steps.append({"do": "wait", "counts": [len(heard) for heard in self.heard]})

    async def answer_of(self, socket: int, kind: str, **fields: Any) -> dict[str, Any]:
        """Send a message, and wait for the one that answers it."""
        wanted = {"hello": "welcome", "look": "welcome", "act": "done", "ping": "pong"}[kind]
        before = len(self.heard[socket])
        await self.say(socket, kind, **fields)

        def answers() -> list[dict[str, Any]]:
            return [m for m in self.heard[socket][before:] if m["type"] in (wanted, "refused")]

        await self.until(lambda: bool(answers()))
        return answers()[0]

    def last(self, socket: int) -> dict[str, Any]:
        """The last message about the table to a socket."""
        return next(m for m in reversed(self.heard[socket]) if m["type"] in ("welcome", "update"))

    async def level(self) -> None:
        """Wait until all sockets are up to date, and no bot is to decide."""
        seats = range(len(self.heard))

        def done() -> bool:
            lasts = [self.last(i) for i in seats]
            same = len({(m["version"]) for m in lasts}) == 1
            ended = any(e["type"] == "game-ended" for e in lasts[0].get("events", ()))
            deciding = lasts[0]["deciding"]
            return same and (ended or (deciding and {*deciding} <= {*self.people}))

        await self.until(done)

    async def written(self) -> dict[str, Any]:
        """The recorded session."""
        for task in self.listening:
            task.cancel()
        for socket in self.sockets:
            await socket.close()
        bots: list[tuple[int, int, int]] = []
        secrets: list[str] = []
        for table in self.tables:
            row = await self.served.inside(self.served.node.store.games.get(table))
            rows = await self.served.inside(self.served.node.store.games.entries(table))
            entries = [decode_entry(row.body) for row in rows]
            numbered = enumerate(entries, 1)
            acted = [(n, e) for n, e in numbered if isinstance(e, Acted) and e.bot]
            bots += [(e.seat, e.action, n) for n, e in acted]  # only one table has sockets
            if row.seed is None:
                secrets.append(row.secret.hex())
        return {
            "tables": self.tables,
            "secrets": secrets,
            "bots": bots,
            "steps": self.steps,
            "heard": self.heard,
        }


def liked(legal: list[dict[str, Any]], rng: random.Random) -> dict[str, Any]:
    """A random kind of move by preference, then any move of it."""
    kinds = sorted({move["type"] for move in legal})
    kind = rng.choices(kinds, [TASTE.get(kind, OTHERS) for kind in kinds])[0]
    return rng.choice([move for move in legal if move["type"] == kind])


async def play(session: Session, edition: str, seats: int, number: int) -> None:
    """A whole game of friends on one screen, or with a bot, with everything that can happen."""
    rng = random.Random(f"{edition} {seats}")
    nonce = rng.randbytes(32)
    table, people = await begin(session, edition, seats, number, nonce)
    turn = 0
    while session.last(0).get("situation", {"phase": ""})["phase"] != "over":
        turn += 1
        ready = [i for i in people if session.last(i)["legal"]]
        seat = rng.choice(ready)
        told = session.last(seat)
        version, legal = told["version"], told["legal"]
        said = {"action": liked(legal, rng)["action"], "version": version, "nonce": f"n{turn}"}
        if turn % 11 == 3:
            await around(session, table, rng, version)
        if turn % 9 == 1:
            await wrongly(session, seat, said, rng)
        if session.last(seat)["legal"] != legal:
            continue  # the late message was not too late, as nothing had happened since
        await session.answer_of(seat, "act", **said)
        if turn % 13 == 5:
            await session.answer_of(seat, "act", **said)  # sent twice, done once
        await session.level()
        if turn % 5 == 2 and session.last(0)["takeback"] is not None:
            await take_back(session, table)
        if turn == RESIGNS_AT and (len(people) > 2 or number == 1):
            await resign(session, table, people[-1])
    await after(session, table, rng)


async def take_back(session: Session, table: str) -> None:
    """Take the last decision back, after requests that are rejected."""
    found = session.last(0)["takeback"]
    path, version = f"/tables/{table}/seats", found["version"]
    other = next(i for i in range(2) if i != found["seat"])
    for seat, asked in ((found["seat"], version + 1), (other, version), (found["seat"], version)):
        await session.ask("POST", f"{path}/{seat}/take-back", {"version": asked})
    await session.level()
    await session.ask("POST", f"{path}/{found['seat']}/take-back", {"version": version})


async def resign(session: Session, table: str, seat: int) -> None:
    """Resign: a bot plays on, or the game ends."""
    await session.ask("POST", f"/tables/{table}/seats/{seat}/resign")
    session.people.remove(seat)
    await session.level()  # the bot may be to decide at once
    await session.ask("POST", f"/tables/{table}/seats/{seat}/resign")
    await session.ask("POST", f"/tables/{table}/seats/{seat}/back")
    await session.level()


async def begin(
    session: Session, edition: str, seats: int, number: int, nonce: bytes
) -> tuple[str, list[int]]:
    """Create a table after some rejected requests, and watch it from every seat and from none."""
    seeded = number % 2 == 0
    # A bot plays where the deal waits for a nonce, and so for the sockets that see what it does.
    people = session.people = list(range(seats if seeded else seats - 1))
    chairs = [
        {"kind": "person"} if i in people else {"kind": "bot", "bot": "random"}
        for i in range(seats)
    ]
    names = ["Ana", "Băluță", "Zoë: “Z”", "x; y", "Émile", "Ωmega"][: len(people)]
    wanted = {
        "edition": edition,
        "seats": chairs,
        "mine": names,
        "mine_seats": list(people),
        "stand_in": "random",
        "hints": (None, True, False)[number % 3],
        "first": None if number % 3 else 1,
        "seed": f"session {number}" if seeded else None,
        "pledge": None if seeded else pledge_of(nonce),
    }
    await session.ask("GET", "/whoami")
    for change in (
        {"mine": ["Random", *names[1:]]},
        {"mine_seats": [*people[1:], seats - 1, 0]},
        {"first": seats},
        {"edition": "atlantis"},
        {"seats": [{"kind": "person"}] * 6},
    ):
        await session.ask("POST", "/tables", {**wanted, **change})
    table = str((await session.ask("POST", "/tables", wanted))["id"])
    for part in ("map", "plate"):
        await session.ask("GET", f"/tables/{table}/{part}")
    for seat in [*people, None]:
        socket = await session.open()
        await session.answer_of(socket, "hello", table=table, seat=seat)
    if not seeded:
        await session.say(0, "add-nonce", nonce=nonce.hex())
    await session.level()
    await session.ask("GET", f"/tables/{table}")
    await session.answer_of(0, "hello", table=table, seat=seats)
    await session.answer_of(0, "hello", table="nowhere", seat=0)
    await session.answer_of(len(people), "act", action=0, version=1, nonce="spectator")
    return table, people


async def wrongly(session: Session, seat: int, said: dict[str, Any], rng: random.Random) -> None:
    """Send illegal decisions: too early, too late, and for a seat that is not asked."""
    version, legal = said["version"], session.last(seat)["legal"]
    name = said["nonce"]
    wrong = rng.randrange(4000)
    if wrong not in [move["action"] for move in legal]:
        await session.answer_of(seat, "act", **{**said, "action": wrong, "nonce": f"w{name}"})
    for other_version in (version + 5, max(0, version - 30)):
        if other_version > version or version > 60:
            told = {**said, "version": other_version, "nonce": f"l{name}-{other_version}"}
            await session.answer_of(seat, "act", **told)
    other = next((i for i in session.people if not session.last(i)["legal"]), None)
    if other is not None:
        await session.answer_of(other, "act", **{**said, "nonce": f"o{name}"})
        await session.level()


async def around(session: Session, table: str, rng: random.Random, version: int) -> None:
    """Actions of people besides playing."""
    path, people = f"/tables/{table}", session.people
    seat = rng.choice(people)
    await session.ask("GET", f"{path}/aids?seat={seat}")
    await session.ask("GET", f"{path}/aids?seat={seat}&version={rng.randrange(version)}")
    await session.ask("GET", f"{path}/packed-view?seat={seat}")
    await session.ask("GET", f"{path}/packed-view?seat={seat}&version={rng.randrange(version)}")
    await session.ask("GET", f"{path}/moments/{rng.randrange(version)}?eyes={seat}")
    await session.ask("GET", f"{path}/moments/{version + 1}")
    await session.ask("GET", f"{path}/updates?after={max(0, version - 9)}")
    for eyes in ("spectator", "all", "5", str(seat)):
        await session.ask("GET", f"{path}/moments/{version}?eyes={eyes}")
    await session.ask("GET", f"{path}/record")
    await session.ask("GET", f"{path}/log")
    await session.ask("POST", f"{path}/rematch", {})
    await session.ask("POST", f"{path}/sit", {"seat": seat})
    await session.answer_of(seat, "look")
    after_version = max(0, version - rng.randrange(12))
    await session.answer_of(seat, "hello", table=table, seat=seat, after=after_version)
    await session.level()
    if len(session.last(seat)["deciding"]) == 1:
        idle = [i for i in people if i not in session.last(seat)["deciding"]]
        for away in idle[:1]:
            await session.ask("POST", f"{path}/seats/{away}/leave")
            await session.ask("POST", f"{path}/seats/{away}/leave")
            await session.ask("POST", f"{path}/seats/{away}/back")
            await session.ask("POST", f"{path}/seats/{away}/stand-in")
        await session.level()
    await session.ask("GET", path)


async def after(session: Session, table: str, rng: random.Random) -> None:
    """Actions of people after the game."""
    path = f"/tables/{table}"
    info = await session.ask("GET", path)
    version = info["version"]
    for eyes in ("mine", "spectator", "all", "0", "1"):
        await session.ask("GET", f"{path}/moments/{rng.randrange(version)}?eyes={eyes}")
        await session.ask("GET", f"{path}/moments/{version}?eyes={eyes}")
    await session.ask("GET", f"{path}/packed-view?seat=1&version={rng.randrange(version)}")
    await session.ask("GET", f"{path}/updates?eyes=all")
    await session.ask("GET", f"{path}/record")
    await session.ask("GET", f"{path}/log")
    await session.answer_of(0, "look")
    await session.answer_of(0, "act", action=0, version=version, nonce="over")
    await session.ask("POST", f"{path}/close")
    # With a pledge the deal waits for its nonce, and no bot decides before the table is closed.
    pledged = {"pledge": pledge_of(rng.randbytes(32))}
    again = await session.ask("POST", f"{path}/rematch", pledged)
    await session.ask("POST", f"{path}/rematch", pledged)
    await session.ask("GET", path)
    await session.ask("POST", f"/tables/{again['id']}/close")
    await session.ask("GET", f"/tables/{again['id']}")
    await session.ask("GET", "/me/tables")
    await session.ask("GET", "/me/statistics")
    await session.ask("GET", f"/tables/{table}x")
    await session.until(lambda: any(m["type"] == "rematch" for m in session.heard[0]))


async def session_of(served: Any, edition: str, seats: int, number: int) -> dict[str, Any]:
    client = await Client.new(served.address)
    session = Session(client, served)
    await play(session, edition, seats, number)
    written = await session.written()
    await client.close()
    return {"title": f"{edition} with {seats}", **written}


def tables() -> list[tuple[str, int]]:
    """Every edition with every choice of options, each at a number of seats."""
    catalog = Catalog()
    editions = [edition for name in catalog.names() for edition in catalog.variants(name)]
    return [
        (edition.qualified_id, min(edition.rules.max_seats, 2 + number % 4))
        for number, edition in enumerate(editions)
    ]


@pytest.mark.slow
def test_a_table_in_a_browser_answers_as_a_table_of_a_server(tmp_path: Path) -> None:
    made = data_files()
    (tmp_path / "index.json").write_bytes(made.index)
    for name, content in made.files.items():
        (tmp_path / name).write_bytes(content)
    (tmp_path / "db").mkdir()
    heard: set[str] = set()
    announced: dict[str, str] = {}
    chosen = settings(tmp_path / "db", nonce_wait=60.0)
    chosen = replace(chosen, absence=chosen.patience)  # in a browser no one is away
    with serving(chosen) as served:
        served.node.reads = served.node.seat_changes = RateLimit(1_000_000, 60)
        for number, (edition, seats) in enumerate(tables()):
            written = asyncio.run(session_of(served, edition, seats, number))
            (tmp_path / f"{number}.session").write_text(json.dumps(written))
            heard |= {message["type"] for some in written["heard"] for message in some}
            infos = [step["answer"] for step in written["steps"] if "answer" in step]
            ended = [i for i in infos if isinstance(i, dict) and i.get("status") == "finished"]
            announced[str(number)] = ended[0]["announcement"]
    assert heard >= KINDS - {"reaction", "pong"}
    done = run_vitest("tests/host.test.ts", MACAZ_SESSIONS=str(tmp_path))
    assert done.returncode == 0, done.stdout + done.stderr
    records = sorted(tmp_path.glob("*.record"))
    assert len(records) == len(tables())
    for path in records:
        told = announced[path.stem]
        seeded = "of the seed" in told
        proof = verify_record(path.read_bytes(), announced=None if seeded else told)
        assert proof.verdict == ("seeded" if seeded else "consistent"), proof
