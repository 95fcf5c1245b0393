"""Measures a first use: starts a server, opens a table, and plays until a bot has moved."""

from __future__ import annotations

import asyncio
import sys
import tempfile
import time
from pathlib import Path

from macaz.lab.bench.measure import Skipped
from macaz.lab.bench.server.process import PATIENCE, Process, own_environment, started
from macaz.lab.bench.server.seat import seated
from macaz.server.settings import KNOBS

_WORDS = ("play", "--no-browser", "--port", "0")


def empty_home(folder: Path) -> dict[str, str]:
    """An environment whose home is this empty folder."""
    kept = {
        name: value
        for name, value in own_environment().items()
        if not name.startswith(("XDG_", "MACAZ_")) or name == "MACAZ_TARGET"
    }
    return {**kept, "HOME": str(folder), "USERPROFILE": str(folder)}


def visit(bot: str, python: str | None = None) -> dict[str, float]:
    """Seconds until each step of a first use, at a table with a bot.

    With `python`, the Macaz that is installed there is measured.
    """
    with tempfile.TemporaryDirectory(prefix="macaz-", ignore_cleanup_errors=True) as folder:
        place = empty_home(Path(folder))
        # Without the pause before a bot's moves, which is for people.
        place[KNOBS["bot_pace"].variable] = "0"
        if python is not None:
            del place["PYTHONPATH"]
        began = time.perf_counter()
        with started([python or sys.executable, "-m", "macaz", *_WORDS], place) as server:
            server.get("/")
            page = time.perf_counter()
            token = server.post("/api/v1/people", {"name": "New", "token": "bench"})["token"]
            seats = [{"kind": "person"}, {"kind": "bot", "bot": bot}]
            wanted = {"edition": "usa-classic", "seats": seats, "first": 1}
            table = server.post("/api/v1/tables", wanted, token)["id"]
            opened = time.perf_counter()
            legal, tickets, turn = asyncio.run(_play(server, token, table, bot))
    return {
        "page s": page - began,
        "table s": opened - page,
        "legal s": legal - opened,
        "tickets s": tickets,
        "turn s": turn,
    }


async def _play(server: Process, token: str, table: str, bot: str) -> tuple[float, float, float]:
    """When there were legal moves, and the bot's times for its tickets and its first turn.

    The bot's times are from the log of the table: from the entry before its decision.
    """
    seconds: list[float] = []
    legal, chosen, asked = 0.0, False, 0
    try:
        async with asyncio.timeout(PATIENCE), seated(server.address, token, table) as seat:
            while len(seconds) < 2:
                heard = await seat.update()
                if heard["by"] is not None:
                    seconds.append((heard["at"] - asked) / 1000)
                if heard["by"] not in (None, bot):
                    why = f"it failed, and {heard['by']} decided in its place"
                    raise Skipped(f"{why} after {seconds[-1]:.3g} s")
                asked = heard["at"]
                if heard["legal"] and not legal:
                    legal = time.perf_counter()
                if heard["legal"] and seconds and not chosen:  # the bot has its tickets
                    chosen = True
                    seat.act(heard)
    except TimeoutError:
        raise Skipped(f"the bot did not move within {PATIENCE:g} seconds") from None
    return legal, seconds[0], seconds[1]
