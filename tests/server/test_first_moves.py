"""On a machine where nothing is compiled or cached, every bot plays at once."""

from __future__ import annotations

import asyncio
import signal
from pathlib import Path

import pytest
from tests.server.harness import Client, play_on
from tests.server.test_run import database, started, stop

from macaz.bots import BOTS


async def first_moves(address: str, bot: str) -> int:
    """How many decisions a bot has made when a game of two has just started."""
    ana = await Client.new(address)
    table = await ana.table("me", bot, edition="europe")
    await play_on(ana, table, 0, upto=14)
    log = await ana.get(f"/tables/{table}/updates?after=0&eyes=0")
    await ana.close()
    return [update["by"] for update in log["updates"]].count(bot)


@pytest.mark.slow
def test_every_bot_moves_at_a_server_with_an_empty_home(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    home, cache = tmp_path / "home", tmp_path / "cache"
    home.mkdir()
    cache.mkdir()
    for name in ("XDG_CACHE_HOME", "MACAZ_TARGET", "NUMBA_CACHE_DIR"):
        monkeypatch.delenv(name, raising=False)
    monkeypatch.setenv("HOME", str(home))
    monkeypatch.setenv("MACAZ_CACHE_DIR", str(cache))
    serve = ("serve", "--port", "0", "--database", database(tmp_path), "--bot-pace", "0")
    with started(*serve) as (process, address):
        for bot in BOTS:
            # It keeps tickets, and makes its first turn.
            assert asyncio.run(first_moves(address, bot)) > 1, bot
        said = stop(process, signal.SIGTERM)
    assert process.returncode == 0
    assert "macaz:" not in said  # nothing was compiled, and nothing ran as plain Python
    assert "Traceback" not in said, said
    assert [path.name for path in cache.iterdir()] == ["wasm"]
    assert list(home.iterdir()) == []
