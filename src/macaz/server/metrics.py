"""What a server counts and times, for Prometheus."""

from __future__ import annotations

from prometheus_client import (
    CollectorRegistry,
    Counter,
    Gauge,
    Histogram,
    PlatformCollector,
    ProcessCollector,
    generate_latest,
)

CONTENT_TYPE = "text/plain; version=0.0.4; charset=utf-8"

_SHORT = (0.0005, 0.001, 0.0025, 0.005, 0.01, 0.025, 0.05, 0.1, 0.25, 0.5, 1.0, 2.5)
_THINKING = (0.001, 0.005, 0.01, 0.05, 0.1, 0.5, 1.0, 2.0, 5.0, 10.0, 30.0)
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
        for by in ("person", "bot"):  # there from the start, at 0
            self.actions.labels(by)

    def requested(self, route: str, status: int) -> None:
        """A request was answered; the route's template, so that paths do not become names."""
        self.requests.labels(route, str(status)).inc()

    def committed(self, seconds: float, jobs: int) -> None:
        """So many jobs were committed at once."""
        self.commit.observe(seconds)
        self.commit_batch.observe(jobs)

    def text(self) -> bytes:
        """All of it, as Prometheus reads it."""
        return generate_latest(self.registry)
