"""Measures the response time of bots on an idle server, and under load of other people."""

from __future__ import annotations

import asyncio
import statistics
import tempfile
from collections import Counter
from contextlib import suppress

from macaz.lab.bench.measure import Skipped
from macaz.lab.bench.server.process import PATIENCE, Process, serving
from macaz.lab.bench.server.seat import is_over, seated

EDITION, LARGEST = "usa-classic", 5
TABLES = 20  # as many as one person may have open
SLOW, QUICK, SHORT = "master", "greedy", "expert"
AGAIN_SECONDS = 0.5  # until a hint is asked for again after a refusal
# Before the measured person acts, so that requests come at random times of the slow bots' work.
PAUSE_SECONDS = 0.1


def measure(answers: int, *, crowd: bool) -> dict[str, float]:
    """Response times, in seconds, of a fast bot and of one that thinks.

    With `crowd`, one person has many tables of the slowest bot, and another asks for hints as fast
    as the server allows.
    """
    # Stop the server before the event loop, which would otherwise wait for the last hint.
    with (
        asyncio.Runner() as runner,
        tempfile.TemporaryDirectory(prefix="macaz-") as folder,
        serving(f"sqlite:///{folder}/macaz.db", more={"bot-pace": 0}) as server,
    ):
        return runner.run(_measure(server, answers, crowd=crowd))


async def _measure(server: Process, answers: int, *, crowd: bool) -> dict[str, float]:
    hints: Counter[str] = Counter()
    asking = None
    if crowd:
        token = _new_person(server, "Crowd")
        for _ in range(TABLES):
            seats = [{"kind": "bot", "bot": SLOW}] * LARGEST
            table = {"edition": EDITION, "seats": seats, "mine": []}
            server.post("/api/v1/tables", table, token)
        await _wait_for_slow(server)
        asking = asyncio.create_task(_ask_for_hints(server, hints))
    found: dict[str, float] = {}
    try:
        for bot in (QUICK, SHORT):
            seconds = await _play(server, bot, answers)
            found[f"{bot} median s"] = statistics.median(seconds)
            found[f"{bot} longest s"] = max(seconds)
    finally:
        if asking is not None:
            asking.cancel()
            with suppress(asyncio.CancelledError):
                await asking
    if crowd:
        found["hints asked"], found["hints answered"] = hints["asked"], hints["answered"]
        found["slow decisions"] = _slow_decisions(server)
    return found


def _slow_decisions(server: Process) -> float:
    # A counter is there from the first decision on.
    return server.metrics().get(f'macaz_thinking_seconds_count{{bot="{SLOW}"}}', 0)


async def _wait_for_slow(server: Process) -> None:
    """Wait until a slow bot has decided, so that the load has begun."""
    try:
        async with asyncio.timeout(PATIENCE):
            while not await asyncio.to_thread(_slow_decisions, server):
                await asyncio.sleep(AGAIN_SECONDS)
    except TimeoutError:
        raise Skipped(f"{SLOW} gave no answer in {PATIENCE:g} seconds") from None


def _new_person(server: Process, name: str) -> str:
    token: str = server.post("/api/v1/people", {"name": name, "token": "bench"})["token"]
    return token


def _table(server: Process, token: str, bot: str) -> str:
    seats = [{"kind": "person"}, {"kind": "bot", "bot": bot}]
    found: str = server.post("/api/v1/tables", {"edition": EDITION, "seats": seats}, token)["id"]
    return found


async def _play(server: Process, bot: str, answers: int) -> list[float]:
    """Response times of a bot, from the log of the table.

    The first one is not counted, because a process may have to start.
    """
    token = _new_person(server, "Player")
    seconds: list[float] = []
    try:
        async with asyncio.timeout(PATIENCE):
            while len(seconds) <= answers:
                async with seated(server.address, token, _table(server, token, bot)) as seat:
                    asked = 0  # when the bot was
                    while len(seconds) <= answers and not is_over(heard := await seat.update()):
                        if heard["by"] is not None:
                            seconds.append((heard["at"] - asked) / 1000)
                            asked = 0
                        if 1 in heard["deciding"]:
                            asked = asked or heard["at"]
                        if heard["legal"]:
                            await asyncio.sleep(PAUSE_SECONDS)
                            seat.act(heard)
    except TimeoutError:
        raise Skipped(
            f"{bot} gave {len(seconds)} answers in {PATIENCE:g} seconds, not {answers}"
        ) from None
    return seconds[1:]


async def _ask_for_hints(server: Process, hints: Counter[str]) -> None:
    """Ask for a hint before every decision, as fast as the server allows."""
    token = _new_person(server, "Asker")
    while True:
        table = _table(server, token, QUICK)
        async with seated(server.address, token, table) as seat:
            while not is_over(heard := await seat.update()):
                if not heard["legal"]:
                    continue
                hints["asked"] += 1
                try:
                    await asyncio.to_thread(
                        server.get, f"/api/v1/tables/{table}/advice?seat=0", token
                    )
                except Skipped:  # too fast, or it took too long
                    await asyncio.sleep(AGAIN_SECONDS)
                else:
                    hints["answered"] += 1
                seat.act(heard)
