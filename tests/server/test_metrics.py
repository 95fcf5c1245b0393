"""The metrics of a server: separate for each server, and documented."""

from __future__ import annotations

import asyncio
import json
import re
import sqlite3
from contextlib import closing
from pathlib import Path
from typing import Any

import httpx
from prometheus_client.parser import text_string_to_metric_families
from tests.server.harness import Client, Served, hear, play_on, say, serving, settings
from tests.server.services import Redis

from macaz.bots import BOTS, Limit
from macaz.server.metrics import Metrics
from macaz.server.settings import Settings

PAGE = Path(__file__).parents[2] / "docs" / "hosting.md"


def samples(metrics: Metrics) -> dict[tuple[str, ...], float]:
    return parsed(metrics.text().decode())


def parsed(text: str) -> dict[tuple[str, ...], float]:
    """The metrics by their names and the values of their labels."""
    found = {}
    for family in text_string_to_metric_families(text):
        for sample in family.samples:
            found[(sample.name, *sample.labels.values())] = sample.value
    return found


def names() -> set[str]:
    """The names of all metrics of Macaz."""
    families = text_string_to_metric_families(Metrics().text().decode())
    ours = {family.name for family in families if family.name.startswith("macaz_")}
    return {name for name in ours if not name.endswith("_created")}


async def read(address: str) -> dict[tuple[str, ...], float]:
    """The metrics of a server."""
    async with httpx.AsyncClient(base_url=address) as prometheus:
        return parsed((await prometheus.get("/metrics")).text)


ALONE = {
    "macaz_notices",
    "macaz_tables",
    "macaz_sockets",
    "macaz_actions",
    "macaz_commit_seconds",
    "macaz_commit_batch",
    "macaz_fan_out_seconds",
    "macaz_thinking_seconds",
    "macaz_thinking_waiting",
    "macaz_thinking_wait_seconds",
    "macaz_thinking_dropped",
    "macaz_loop_lag_seconds",
    "macaz_disk_free_bytes",
    "macaz_refusals",
    "macaz_pruned",
    "macaz_http_requests",
}
BETWEEN_NODES = {"macaz_bus_lag_seconds", "macaz_bus_disconnects", "macaz_bus_dropped"}


def test_a_little_play_moves_every_figure(tmp_path):
    async def story(server: Served) -> None:
        ana = await Client.new(server.address)
        table = await ana.table("me", "greedy")
        before = await read(server.address)
        assert (before["macaz_tables",], before["macaz_sockets",]) == (1, 0)
        await play_on(ana, table, 0)
        async with await ana.connect() as socket:
            await say(socket, "look")
            assert (await hear(socket))["code"] == "not-now"
            after = await read(server.address)
        await ana.close()

        def moved(*key: str) -> float:
            return after[key] - before.get(key, 0)

        assert after["macaz_sockets",] == 1
        log = log_of(table)
        acted = [entry for entry in log if entry["kind"] == "acted"]
        bots = sum(bool(entry.get("bot")) for entry in acted)
        assert after["macaz_actions_total", "bot"] == bots > 0
        assert after["macaz_actions_total", "person"] == len(acted) - bots > 0
        # Each decision was a job of its own, in a transaction, published once.
        assert moved("macaz_commit_seconds_count") >= 1
        assert moved("macaz_commit_seconds_count") == moved("macaz_commit_batch_count")
        assert after["macaz_commit_batch_sum",] >= len(log)
        assert after["macaz_commit_seconds_sum",] > 0
        assert after["macaz_fan_out_seconds_count",] == len(log)
        assert after["macaz_thinking_seconds_count", "greedy"] >= bots
        assert after["macaz_thinking_wait_seconds_count", "people"] >= bots
        # For waiting questions, see below. For dropped ones: also test_bots.py and
        # test_advice_api.py.
        assert after["macaz_thinking_waiting", "people"] == 0
        assert after["macaz_thinking_dropped_total", "people"] == 0
        # For deleted rows, see test_pruning.py.
        assert after["macaz_pruned_total", "closed"] == 0
        assert moved("macaz_loop_lag_seconds_count") >= 1
        assert after["macaz_disk_free_bytes",] > 0
        assert moved("macaz_refusals_total", "not-now") == 1
        assert after["macaz_http_requests_total", "/api/v1/people", "201"] == 1

    def log_of(table: str) -> list[dict[str, Any]]:
        with closing(sqlite3.connect(tmp_path / "macaz.db")) as database:
            rows = database.execute("SELECT body FROM entry WHERE game_id = ?", [table])
            return [json.loads(body) for (body,) in rows]

    assert names() == ALONE | BETWEEN_NODES, "a metric that no test covers"
    with serving(settings(tmp_path)) as server:
        asyncio.run(story(server))


def test_questions_that_wait_are_counted_until_their_turn_comes(tmp_path, monkeypatch):
    monkeypatch.setitem(BOTS, "master", BOTS["master"]._replace(limit=Limit(seconds=30)))

    async def story(server: Served) -> None:
        ana = await Client.new(server.address)
        tables = [await ana.table("master", "master", mine=[], edition="usa") for _ in range(3)]
        async with asyncio.timeout(60):  # one is computed, the first of each other table waits
            while (await read(server.address))["macaz_thinking_waiting", "bots"] < 2:
                await asyncio.sleep(0.02)
        for table in tables:
            await ana.post(f"/tables/{table}/close")
        async with asyncio.timeout(60):
            while (await read(server.address))["macaz_thinking_waiting", "bots"] > 0:
                await asyncio.sleep(0.02)
        assert (await read(server.address))["macaz_thinking_dropped_total", "bots"] >= 2
        await ana.close()

    with serving(settings(tmp_path, bot_workers=1)) as server:
        asyncio.run(story(server))


def test_two_nodes_move_every_figure_between_them(
    tmp_path, postgres_url: str, redis_server: Redis, redis_url: str
):
    async def story(here: Served, there: Served) -> None:
        ana = await Client.new(here.address)
        table = await ana.table("me", "random", edition="usa")
        elsewhere = Client(there.address, ana.token)
        async with await elsewhere.connect() as watching:
            await say(watching, "hello", table=table, seat=None)
            await hear(watching, "welcome")
            await play_on(ana, table, 0, upto=10)
            while (await hear(watching, "update"))["version"] < 10:
                pass
            assert (await read(there.address))["macaz_bus_lag_seconds_count",] > 0
            redis_server.disconnect_clients("here")
            await until_moved(here, "macaz_bus_disconnects_total")
            # A connection lost by another node is not counted here, though it triggers a check.
            assert (await read(there.address))["macaz_bus_disconnects_total",] == 0
            redis_server.stop()
            await until_moved(there, "macaz_bus_disconnects_total")
            await play_on(ana, table, 0, upto=20)
            assert (await read(here.address))["macaz_bus_dropped_total",] > 0
            await asyncio.to_thread(redis_server.start)
        await ana.close()
        await elsewhere.close()

    async def until_moved(server: Served, name: str) -> None:
        async with asyncio.timeout(30):
            while not (await read(server.address))[name,]:
                await asyncio.sleep(0.02)

    with (
        serving(nodes(tmp_path, postgres_url, f"{redis_url}?client_name=here")) as here,
        serving(nodes(tmp_path, postgres_url, redis_url)) as there,
    ):
        asyncio.run(story(here, there))


def nodes(folder: Path, database: str, redis: str) -> Settings:
    return settings(folder, database=database, redis=redis)


def test_two_servers_in_one_process_count_for_themselves():
    one, other = Metrics(), Metrics()
    one.tables.inc()
    assert samples(other)["macaz_tables",] == 0


def test_counters_are_there_before_anything_happens():
    assert samples(Metrics())["macaz_actions_total", "person"] == 0


def test_every_figure_is_in_the_page_about_hosting():
    page = PAGE.read_text(encoding="utf-8")
    told = set(re.findall(r"^\| `(macaz_\w+)` \|", page, re.MULTILINE))
    assert {name.removesuffix("_total") for name in told} == names()
