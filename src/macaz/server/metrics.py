"""What a server counts and times, for Prometheus."""

from __future__ import annotations

import asyncio
from collections.abc import Mapping
from math import nan
from pathlib import Path
from typing import get_args

from prometheus_client import (
    CollectorRegistry,
    Counter,
    Gauge,
    Histogram,
    PlatformCollector,
    ProcessCollector,
    generate_latest,
)

from macaz.server.bots import Watch
from macaz.server.schedule import Priority
from macaz.server.store.place import free_space
from macaz.server.store.pruning import Kind

LOOP_SECONDS = 0.25  # between two looks at how late the event loop is
CONTENT_TYPE = "text/plain; version=0.0.4; charset=utf-8"

_SHORT = (0.0005, 0.001, 0.0025, 0.005, 0.01, 0.025, 0.05, 0.1, 0.25, 0.5, 1.0, 2.5)
_THINKING = (0.001, 0.005, 0.01, 0.05, 0.1, 0.5, 1.0, 2.0, 5.0, 10.0, 30.0)
_WAITING = (0.001, 0.01, 0.05, 0.1, 0.25, 0.5, 1.0, 2.5, 5.0, 10.0, 30.0, 60.0, 300.0)
_SIZES = (1, 2, 4, 8, 16, 32, 64, 128, 256)


class Metrics:
    """The figures of one server. Each has its own, so that several fit in one process."""

    def __init__(self) -> None:
        self.registry = own = CollectorRegistry()
        ProcessCollector(registry=own)
        PlatformCollector(registry=own)

        self.tables = Gauge("macaz_tables", "Tables in memory.", registry=own)
        self.sockets = Gauge("macaz_sockets", "Open sockets.", registry=own)
        self.actions = Counter(
            "macaz_actions", "Decisions committed, of a person or a bot.", ["by"], registry=own
        )
        self.commit = Histogram(
            "macaz_commit_seconds",
            "One transaction in the thread that writes, from its beginning to its commit.",
            buckets=_SHORT,
            registry=own,
        )
        self.commit_batch = Histogram(
            "macaz_commit_batch",
            "Jobs in one transaction: decisions, and all else that is written.",
            buckets=_SIZES,
            registry=own,
        )
        self.fan_out = Histogram(
            "macaz_fan_out_seconds",
            "From a commit until its news are queued for every socket of this node.",
            buckets=_SHORT,
            registry=own,
        )
        self.thinking = Histogram(
            "macaz_thinking_seconds",
            "A bot's thinking about one decision.",
            ["bot"],
            buckets=_THINKING,
            registry=own,
        )
        self.waiting = Gauge(
            "macaz_thinking_waiting",
            "Questions to bots that wait for their turn, by priority.",
            ["priority"],
            registry=own,
        )
        self.waited = Histogram(
            "macaz_thinking_wait_seconds",
            "From a question to a bot until its turn has come, by priority.",
            ["priority"],
            buckets=_WAITING,
            registry=own,
        )
        self.dropped = Counter(
            "macaz_thinking_dropped",
            "Questions to bots given up, by priority: no longer needed, or too many waited.",
            ["priority"],
            registry=own,
        )
        self.loop_lag = Histogram(
            "macaz_loop_lag_seconds",
            "How late the event loop runs a timer.",
            buckets=_SHORT,
            registry=own,
        )
        self.refusals = Counter(
            "macaz_refusals", "Requests and messages refused, by code.", ["code"], registry=own
        )
        self.requests = Counter(
            "macaz_http_requests",
            "Requests by the route's template and status.",
            ["route", "status"],
            registry=own,
        )
        self.bus_lag = Histogram(
            "macaz_bus_lag_seconds",
            "From an event on another node to its arrival here.",
            buckets=_SHORT,
            registry=own,
        )
        self.bus_disconnects = Counter(
            "macaz_bus_disconnects", "Times this node lost its connection to Redis.", registry=own
        )
        self.bus_dropped = Counter(
            "macaz_bus_dropped",
            "Messages to other nodes that could not be sent; those then ask the database.",
            registry=own,
        )
        self.notices = Counter(
            "macaz_notices",
            "Notices to push services, by outcome: sent, gone (the browser takes no more), "
            "refused, given-up (no answer), dropped (too many waited).",
            ["outcome"],
            registry=own,
        )
        self.pruned = Counter(
            "macaz_pruned",
            "What was deleted because it was not used, by kind.",
            ["kind"],
            registry=own,
        )
        self.disk_free = Gauge(
            "macaz_disk_free_bytes",
            "Free disk space for the SQLite database; NaN with PostgreSQL.",
            registry=own,
        )
        self.disk_free.set(nan)
        for by in ("person", "bot"):  # there from the start, at 0
            self.actions.labels(by)
        for kind in get_args(Kind):
            self.pruned.labels(kind)
        for priority in Priority:
            for each in (self.waiting, self.waited, self.dropped):
                each.labels(name_of(priority))

    def watch_disk(self, file: Path) -> None:
        """Measure the free space for a database whenever the metrics are read."""
        self.disk_free.set_function(lambda: nan if (left := free_space(file)) is None else left)

    def requested(self, route: str, status: int) -> None:
        """Count a request, by the template of its route: paths would be too many labels."""
        self.requests.labels(route, str(status)).inc()

    def committed(self, seconds: float, jobs: int) -> None:
        self.commit.observe(seconds)
        self.commit_batch.observe(jobs)

    def text(self) -> bytes:
        """All metrics, in the format of Prometheus."""
        return generate_latest(self.registry)


def name_of(priority: Priority) -> str:
    """A priority as a label."""
    return priority.name.lower()


class WatchThinking(Watch):
    """Counts and times the questions to bots."""

    def __init__(self, metrics: Metrics) -> None:
        self._metrics = metrics

    def waiting(self, by_priority: Mapping[Priority, int]) -> None:
        for priority in Priority:
            self._metrics.waiting.labels(name_of(priority)).set(by_priority.get(priority, 0))

    def started(self, priority: Priority, seconds: float) -> None:
        self._metrics.waited.labels(name_of(priority)).observe(seconds)

    def thought(self, bot: str, seconds: float) -> None:
        self._metrics.thinking.labels(bot).observe(seconds)

    def dropped(self, priority: Priority) -> None:
        self._metrics.dropped.labels(name_of(priority)).inc()


async def watch_loop(metrics: Metrics) -> None:
    """Measure the lag of the event loop, until cancelled."""
    loop = asyncio.get_running_loop()
    while True:
        due = loop.time() + LOOP_SECONDS
        await asyncio.sleep(LOOP_SECONDS)
        metrics.loop_lag.observe(max(0.0, loop.time() - due))
