"""`kill -9` at any instant loses nothing that was acknowledged, and does nothing twice.

A real server on a real SQLite file is killed again and again, while people play, sit down, leave
and play again. They repeat requests that were not answered, with the same nonce, and compare in
the end what they were sent with what the database has.
"""

from __future__ import annotations

import asyncio
import os
import random
import sqlite3
from collections.abc import Callable, Coroutine
from contextlib import closing
from itertools import product
from pathlib import Path
from typing import Any

import httpx
import pytest
from tests.server.players import (
    EARLY_JUDGEMENTS,
    READ_JUDGEMENTS,
    READ_LOG,
    RETRY,
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
from tests.server.processes import MOMENTS, Server, errors_in
from tests.server.test_sessions import Browser
from tests.server.zygote import Zygote

KILLS = max(200, int(os.environ.get("MACAZ_TEST_KILLS", "200")))
BIG = "europe"
PAIRS = ("tiny", "tiny", "tiny", BIG)
FIRST_STARTS = 15
LIMIT = 1200.0  # seconds; only a server that hangs needs them


@pytest.mark.slow
def test_kill_at_any_instant_loses_nothing_and_doubles_nothing(tmp_path: Path) -> None:
    with Zygote("tests.server.processes:serve") as zygote:
        asyncio.run(asyncio.wait_for(_play_and_kill(zygote, tmp_path), LIMIT))
    assert errors_in(tmp_path / "server.log") == []


@pytest.mark.slow
def test_a_table_whose_maker_was_cut_off_is_not_forgotten(tmp_path: Path) -> None:
    """The server died after it had created the table, before it started the game."""

    async def test() -> None:
        place, told = Addresses(), Received()
        with Zygote("tests.server.processes:serve") as zygote:
            killer = Killer(zygote, tmp_path, place, told)
            await killer.start(moment="written")
            async with crowd(place, told, 1, "Host") as (host,):
                bots = [{"kind": "bot", "bot": "random"}] * 2
                wanted = {"edition": "tiny", "seats": bots, "mine": [], "listed": True}
                with pytest.raises(httpx.TransportError):
                    await host.once(place.addresses[0], "POST", "/tables", wanted)
                assert killer.statuses() == ["waiting"]
                await killer.start()
                await until(lambda: killer.statuses() == ["finished"])
                await check_told(host, told, killer.read_logs())

    asyncio.run(asyncio.wait_for(test(), LIMIT))
    assert errors_in(tmp_path / "server.log") == []


@pytest.mark.slow
def test_killed_at_any_step_of_the_deal_it_goes_on_with_what_was_pledged(tmp_path: Path) -> None:
    """Two sit down, the terms are announced, both send their nonces, the cards are dealt."""

    async def test() -> None:
        place, told = Addresses(), Received()
        with Zygote("tests.server.processes:serve") as zygote:
            killer = Killer(zygote, tmp_path, place, told)
            await killer.start()
            async with crowd(place, told, 2, "Pledging") as (ana, ion):
                for moment, step in product(MOMENTS, range(1, 7)):
                    await killer.kill()
                    await killer.start(moment=moment, count=step)
                    finished = asyncio.create_task(_pledge_and_play(ana, ion))
                    await asyncio.to_thread(killer.server.process.wait)
                    await killer.kill()
                    await killer.start()
                    table = await finished
                    check_log(killer.read_logs(), told, [table])
                    await check_told(ana, told, [table])

    asyncio.run(asyncio.wait_for(test(), LIMIT))
    assert errors_in(tmp_path / "server.log") == []


async def _pledge_and_play(ana: Person, ion: Person) -> str:
    table = await ana.make("person", **ana.pledge(always=True))
    await ion.sit(table, 1)
    await asyncio.gather(ana.play(table, 0), ion.play(table, 1))
    return table


@pytest.mark.slow
def test_what_was_ended_counted_and_found_outlives_a_kill(tmp_path: Path) -> None:
    """A session that was signed out, a revoked token, the tables of a day, a review."""

    async def test() -> None:
        place, told = Addresses(), Received()
        chosen = {"tables_per_person_a_day": 3, "bot_limit": 60.0}
        with Zygote("tests.server.processes:serve") as zygote:
            killer = Killer(zygote, tmp_path, place, told)
            await killer.start(**chosen)
            async with crowd(place, told, 1, "Host") as (host,):
                table = await host.make("random")
                await host.play(table, 0)
                await host.make("person")
                gone, stays = [await Browser(place.addresses[0]).become(n) for n in ("Ed", "Eva")]
                token, program = await stays.program()
                await review_until(
                    host, table, lambda _: len(killer.judged(table)) >= EARLY_JUDGEMENTS
                )
                for browser, method, path in (
                    (gone, "POST", "/me/forget"),
                    (stays, "DELETE", f"/me/tokens/{token}"),
                ):
                    assert (await browser.ask(method, path)).is_success
                await killer.kill()
                kept = killer.judged(table)
                await killer.start(**chosen)
                [address] = place.addresses
                assert [await one.at(address).is_stranger() for one in (gone, program, stays)] == [
                    True,
                    True,
                    False,
                ]
                wanted = {"edition": "tiny", "seats": [{"kind": "person"}] * 2}
                answers = [await host.ask("POST", "/tables", wanted) for _ in range(2)]
                assert [answer.status_code for answer in answers] == [201, 429]
                done = await review_until(host, table, lambda told: told["complete"])
                assert done["skipped"] == []
                judged = killer.judged(table)
                assert kept.items() <= judged.items()
                assert await thoughts_of(address) == len(judged) - len(kept)
            await killer.kill()

    asyncio.run(asyncio.wait_for(test(), LIMIT))
    assert errors_in(tmp_path / "server.log") == []


@pytest.mark.slow
def test_the_first_start_of_all_may_be_killed(tmp_path: Path) -> None:
    """While the tables of the database are being created."""

    async def test() -> None:
        with Zygote("tests.server.processes:serve") as zygote:
            for number in range(FIRST_STARTS):
                folder = tmp_path / str(number)
                folder.mkdir()
                killer = Killer(zygote, folder, Addresses(), Received())
                await killer.start_and_kill(0.5 * number / FIRST_STARTS)
                await killer.start()
                async with crowd(killer.place, killer.told, 1, "First") as (first,):
                    assert (await first.get("/me"))["name"] == "First0"
                await killer.kill()
                assert errors_in(folder / "server.log") == []

    asyncio.run(asyncio.wait_for(test(), LIMIT))


async def _play_and_kill(zygote: Zygote, folder: Path) -> None:
    place, told = Addresses(), Received()
    killer = Killer(zygote, folder, place, told)
    await killer.start()
    async with (
        crowd(place, told, 2 * len(PAIRS), "Player") as people,
        crowd(place, told, 3, "Guest") as (watcher, *sitters),
    ):
        jobs: list[Coroutine[Any, Any, None]] = [killer.kill_often()]
        finished: list[str] = []
        for edition, ana, ion in zip(PAIRS, people[::2], people[1::2], strict=True):
            table = await ana.make("person", edition=edition)
            await ion.sit(table, 1)
            jobs.append(_play_again_and_again(ana, ion, table, finished, killer.enough))
            if edition == BIG:
                jobs.append(watcher.watch(table))
        lobby = await people[0].make("person", "person", "person", edition=BIG)
        hops = [Hops(sitter, lobby, seat) for seat, sitter in enumerate(sitters, 1)]
        jobs += [hop.often(killer.enough) for hop in hops]
        async with asyncio.TaskGroup() as tasks:
            for job in jobs:
                tasks.create_task(job)
        logs = killer.read_logs()
        check_log(logs, told, finished)
        for hop in hops:
            assert [line.body["kind"] for line in logs[lobby] if hop.mine(line)] == hop.done
        await check_told(people[0], told, finished)
    assert killer.kills >= KILLS
    assert len(set(finished)) == len(finished) >= len(PAIRS)


async def _play_again_and_again(
    ana: Person, ion: Person, table: str, finished: list[str], enough: Callable[[], bool]
) -> None:
    """A game, its rematch, the rematch of that, and so on while the server is being killed."""
    seats = (0, 1)
    while True:
        await asyncio.gather(ana.play(table, seats[0]), ion.play(table, seats[1]))
        finished.append(table)
        if enough():
            return
        again = await asyncio.gather(ana.rematch(table), ion.rematch(table))
        assert again[0][0] == again[1][0], "two rematches of one game"
        table, seats = again[0][0], (again[0][1], again[1][1])
        assert set(seats) == {0, 1}


class Hops:
    """A person who sits down and leaves again, over HTTP, where there are no nonces."""

    def __init__(self, player: Person, table: str, seat: int) -> None:
        self.player, self.table, self.seat = player, table, seat
        self.done: list[str] = []

    def mine(self, line: Line) -> bool:
        return line.body.get("seat") == self.seat

    async def often(self, enough: Callable[[], bool]) -> None:
        while not enough():
            kind = "left" if len(self.done) % 2 else "sat"
            await self._do(kind)
            self.done.append(kind)
            await asyncio.sleep(self.player.dice.uniform(0, 0.1))

    async def _do(self, kind: str) -> None:
        """Do it once. If the answer is lost, the table shows whether it was done."""
        path, body = f"/tables/{self.table}/sit", {"seat": self.seat}
        if kind == "left":
            path, body = f"/tables/{self.table}/seats/{self.seat}/leave", {}
        while True:
            try:
                address = await self.player.place.find()
                answer = await self.player.once(address, "POST", path, body)
            except httpx.TransportError:
                info = await self.player.get(f"/tables/{self.table}")
                if info["seats"][self.seat]["mine"] == (kind == "sat"):
                    return
                await asyncio.sleep(RETRY)
            else:
                assert answer.is_success, answer.text
                return


class Killer:
    """Starts the server, kills it, and checks each time that nothing is lost."""

    def __init__(self, zygote: Zygote, folder: Path, place: Addresses, told: Received) -> None:
        self.zygote, self.folder, self.place, self.told = zygote, folder, place, told
        self.file = folder / "macaz.db"
        self.dice = random.Random(0)
        self.kills = 0
        self.start_seconds = 0.0

    def enough(self) -> bool:
        return self.kills >= KILLS

    async def start(self, **fate: Any) -> None:
        """Start the server and wait until it listens."""
        began = asyncio.get_running_loop().time()
        await self._spawn(**fate)
        address = await asyncio.to_thread(self.server.wait_ready)
        self.start_seconds = asyncio.get_running_loop().time() - began
        self.place.addresses[0] = address
        if address:
            self.check_acknowledged()

    async def _spawn(self, **fate: Any) -> None:
        database = f"sqlite:///{self.file}"
        self.server = await asyncio.to_thread(
            Server, self.zygote, self.folder, database=database, **fate
        )

    async def kill(self) -> None:
        await asyncio.to_thread(self.server.kill)
        self.place.addresses[0] = ""
        self.kills += 1

    async def kill_often(self) -> None:
        """Each time at another kind of moment; in the end the server keeps running."""
        fates = (self._anywhere, self._starting, self._deciding, self._at_a_moment)
        while not self.enough():
            for fate in fates:
                await fate()
        await self.start()

    async def _anywhere(self) -> None:
        """Some time after it listens: while people reconnect, or while they play."""
        if not self.place.addresses[0]:
            await self.start()
        await asyncio.sleep(self.dice.uniform(0, 0.3))
        await self.kill()

    async def _starting(self) -> None:
        """Before it listens."""
        await self.start_and_kill(self.dice.uniform(0, self.start_seconds))

    async def start_and_kill(self, seconds: float) -> None:
        """Start the server, and kill it after this time whether it listens or not."""
        await self._spawn()
        await asyncio.sleep(seconds)
        await self.kill()

    async def _deciding(self) -> None:
        """Right after a decision was sent: while it is read, written, or sent to others."""
        await self.start()
        acts = self.told.acts + self.dice.randint(1, 8)
        await until(lambda: self.told.acts >= acts)
        await asyncio.sleep(self.dice.uniform(0, 0.02))
        await self.kill()

    async def _at_a_moment(self) -> None:
        """At a given point of the code, which random times would rarely hit."""
        await self.start(moment=self.dice.choice(MOMENTS), count=self.dice.randint(1, 12))
        await asyncio.to_thread(self.server.process.wait)
        await self.kill()

    def _database(self) -> closing[sqlite3.Connection]:
        # Read-only: nothing is cleaned up before the next server finds the files.
        return closing(sqlite3.connect(f"file:{self.file}?mode=ro", uri=True))

    def read_logs(self) -> dict[str, list[Line]]:
        with self._database() as database:
            return lines(database.execute(READ_LOG))

    def judged(self, table: str) -> dict[int, bytes]:
        """The stored results of a review, by ply."""
        with self._database() as database:
            return dict(database.execute(READ_JUDGEMENTS, [table]).fetchall())

    def statuses(self) -> list[str]:
        with self._database() as database:
            return [status for (status,) in database.execute("SELECT status FROM game")]

    def check_acknowledged(self) -> None:
        """Every acknowledged action is stored, under its version."""
        done = dict(self.told.done)
        check_log(self.read_logs(), Received(done=done), finished=())
