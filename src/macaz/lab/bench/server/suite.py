"""The suite of the table server: what `macaz bench server` measures."""

from __future__ import annotations

import asyncio
import json
import os
import subprocess
import sys
import tempfile
import time
from collections.abc import Callable, Iterator
from contextlib import contextmanager, suppress
from dataclasses import asdict, dataclass
from pathlib import Path
from typing import Any

from uvicorn.loops.auto import auto_loop_factory

from macaz.lab.bench import machine
from macaz.lab.bench.measure import Job, Measured, Skipped, run_rounds
from macaz.lab.bench.server import crowd
from macaz.lab.bench.server.fill import SEATS, TOKENS, add_games, make_database, own_postgres, play
from macaz.lab.bench.server.idle import WARM
from macaz.lab.bench.server.load import Group, Load, Outcome, Players, Shouters
from macaz.lab.bench.server.process import Process, echoing, serving
from macaz.lab.bench.starts import environment, time_process

IDLE = 300  # tables measured inside the server
HALF_WAY = 60  # log entries of the stored games
CORES = 2
ALONE, CROWD = "alone", "in a crowd"
_IMPORTS = "import macaz.server.app"
_KERNEL = "from macaz.kernel.compile import kernel; kernel()"


@dataclass(frozen=True, slots=True)
class Settings:
    """The size and length of the measurements."""

    tables: int
    sockets: int
    rate: int  # actions a second, at the given pace
    seconds: float  # at the given pace
    full_seconds: float  # as fast as possible
    rounds: int
    stored: int
    answers: int  # of each bot, alone and in a crowd
    postgres: str | None = None

    @property
    def groups(self) -> int:
        """Tables where all seats have a socket."""
        return max(1, min(self.tables, self.sockets // SEATS))


@dataclass(slots=True)
class Report(Measured):
    """The results and the settings of a run."""

    settings: Settings

    def to_dict(self) -> dict[str, Any]:
        """Settings and results, for JSON."""
        asked = {name: value for name, value in asdict(self.settings).items() if name != "postgres"}
        return {
            "machine": self.machine,
            "settings": asked,
            "results": [job.to_dict() for job in self.jobs],
            "notes": self.notes,
        }


def run(
    settings: Settings,
    prepare: Callable[[str], None] = lambda text: None,
    begin: Callable[[int], None] = lambda total: None,
    report: Callable[[int, Job], None] = lambda number, job: None,
) -> Report:
    """Measure everything.

    The callbacks get what is being prepared, the number of measurements, and each one that begins.
    """
    notes: list[str] = []
    with tempfile.TemporaryDirectory(prefix="macaz-") as folder, _two_cores():
        _allow_files(settings.sockets)
        prepare(f"{settings.stored:,} stored games")
        jobs = [
            Job("play", "echo", lambda: _measure_echo(settings)),
            Job("play", "SQLite", lambda: _measure_sqlite(settings)),
            *_postgres_jobs(settings, notes),
            Job("crowd", ALONE, lambda: crowd.measure(settings.answers, crowd=False)),
            Job("crowd", CROWD, lambda: crowd.measure(settings.answers, crowd=True)),
            Job("idle", "tables", lambda: _measure_idle(settings), once=True),
            *_start_jobs(settings, Path(folder)),
        ]
        begin(sum(1 if job.once else settings.rounds for job in jobs))
        done = run_rounds(jobs, settings.rounds, report)
    notes += [f"{job.name}: left out: {job.skipped}." for job in jobs if job.skipped]
    return Report(machine.describe(), done, settings, notes=notes)


# -- the machine -----------------------------------------------------------------------------------


@contextmanager
def _two_cores() -> Iterator[None]:
    """Restrict servers and clients to two cores."""
    if not hasattr(os, "sched_setaffinity"):
        yield
        return
    mine = os.sched_getaffinity(0)
    os.sched_setaffinity(0, sorted(mine)[:CORES])
    try:
        yield
    finally:
        os.sched_setaffinity(0, mine)


def _allow_files(sockets: int) -> None:
    """Raise the limit of open files for the sockets, here and in the servers."""
    with suppress(ImportError):  # Windows has no such limit
        import resource

        soft, hard = resource.getrlimit(resource.RLIMIT_NOFILE)
        want = sockets + 500
        if soft != resource.RLIM_INFINITY and soft < want:
            with suppress(ValueError, OSError):  # then opening sockets fails
                resource.setrlimit(resource.RLIMIT_NOFILE, (want, hard))


# -- play ------------------------------------------------------------------------------------------


def _postgres_jobs(settings: Settings, notes: list[str]) -> list[Job]:
    url = settings.postgres
    if url is None:
        notes.append("PostgreSQL left out: no address was given (--postgres URL).")
        return []

    def measure() -> dict[str, float]:
        with own_postgres(url) as database:
            return _measure_server(settings, database)

    return [Job("play", "PostgreSQL", measure)]


def _measure_sqlite(settings: Settings) -> dict[str, float]:
    with tempfile.TemporaryDirectory(prefix="macaz-") as folder:
        return _measure_server(settings, f"sqlite:///{folder}/macaz.db")


def _measure_echo(settings: Settings) -> dict[str, float]:
    names = [str(number) for number in range(settings.groups)]
    with echoing() as server, _playing(Shouters, names, server) as (load, runner):
        paced = _watched(server, lambda: runner.run(load.paced(settings.rate, settings.seconds)))
        full = _watched(server, lambda: runner.run(load.flat_out(settings.full_seconds)))
    return _figures(paced, full, messages=2)


def _measure_server(settings: Settings, database: str) -> dict[str, float]:
    make_database(database)
    names = add_games(database, "live", play("random", HALF_WAY), settings.tables)
    with serving(database) as server:
        empty = server.memory
        for name in names:
            server.get(f"/api/v1/tables/{name}", TOKENS[0])
        loaded = server.memory
        with _playing(Players, names[: settings.groups], server) as (load, runner):
            connected = server.memory
            paced, slow = _counted(
                server, lambda: runner.run(load.paced(settings.rate, settings.seconds))
            )
            full, fast = _counted(server, lambda: runner.run(load.flat_out(settings.full_seconds)))
            played = server.memory
        sockets = settings.groups * SEATS
    return {
        **_figures(paced, full, messages=SEATS + 2),
        **{f"paced {name}": value for name, value in slow.items()},
        **{f"full {name}": value for name, value in fast.items()},
        "memory of a server, MiB": empty / 2**20,
        "memory of a table, KiB": (loaded - empty) / settings.tables / 1024,
        "memory of a socket, KiB": (connected - loaded) / sockets / 1024,
        "memory after play, MiB": played / 2**20,
        "memory of a table with its sockets after play, KiB": (
            (played - empty) / settings.tables / 1024
        ),
    }


@contextmanager
def _playing(
    kind: type[Group], names: list[str], server: Process
) -> Iterator[tuple[Load, asyncio.Runner]]:
    """Connected clients, and the event loop that runs them."""
    with asyncio.Runner(loop_factory=auto_loop_factory()) as runner:

        async def connect() -> Load:
            load = Load(kind, names, SEATS)
            await load.open(server.address)
            return load

        load = runner.run(connect())
        yield load, runner
        load.close()


def _watched(server: Process, phase: Callable[[], Outcome]) -> tuple[Outcome, float]:
    """The result of a phase, and the CPU seconds of the server."""
    cpu = server.cpu
    return phase(), server.cpu - cpu


def _counted(
    server: Process, phase: Callable[[], Outcome]
) -> tuple[tuple[Outcome, float], dict[str, float]]:
    """The same, with the number of commits and of actions per commit."""
    before = server.metrics()
    found = _watched(server, phase)
    after = server.metrics()

    def grown(name: str) -> float:
        return after[name] - before[name]

    outcome, commits = found[0], grown("macaz_commit_batch_count")
    committed = grown('macaz_actions_total{by="person"}')
    if not outcome.sent == outcome.acknowledged == committed:
        raise Skipped(
            f"{outcome.sent} actions were sent, {outcome.acknowledged} acknowledged, "
            f"{committed:g} committed"
        )
    return found, {
        "commits/s": commits / outcome.seconds,
        "actions a commit": committed / max(1, commits),
    }


def _figures(
    paced: tuple[Outcome, float], full: tuple[Outcome, float], messages: int
) -> dict[str, float]:
    """The figures of two phases; each action causes `messages` messages, in and out."""
    found: dict[str, float] = {}
    for name, (outcome, work) in (("paced", paced), ("full", full)):
        rate = outcome.acknowledged / outcome.seconds
        found |= {
            f"{name} sent": outcome.sent,
            f"{name} acknowledged": outcome.acknowledged,
            f"{name} actions/s": rate,
            f"{name} messages/s": messages * rate,
            f"{name} median ms": outcome.percentile(50),
            f"{name} 99th ms": outcome.percentile(99),
            f"{name} server cores": work / outcome.seconds,
            f"{name} players cores": outcome.cpu / outcome.seconds,
        }
    return found


# -- idle, and starts ------------------------------------------------------------------------------


def _measure_idle(settings: Settings) -> dict[str, float]:
    with tempfile.TemporaryDirectory(prefix="macaz-") as folder:
        database = f"sqlite:///{folder}/macaz.db"
        make_database(database)
        names = add_games(
            database, "idle", play("random", HALF_WAY), min(IDLE, settings.tables) + WARM
        )
        done = subprocess.run(
            [sys.executable, "-m", "macaz.lab.bench.server.idle", database, *names],
            env=environment(),
            capture_output=True,
            text=True,
            check=False,
        )
    if done.returncode:
        raise Skipped((done.stderr.strip().splitlines() or ["it failed"])[-1])
    found: dict[str, float] = json.loads(done.stdout)
    return found


def _start_jobs(settings: Settings, folder: Path) -> list[Job]:
    """Jobs that start a server with few and with many games, or only import its modules."""
    empty, full = f"sqlite:///{folder}/empty.db", f"sqlite:///{folder}/full.db"
    for database in (empty, full):
        make_database(database)
    add_games(empty, "live", play("random", HALF_WAY), 1)
    running = max(1, settings.stored // 100)
    add_games(full, "live", play("random", HALF_WAY), running)
    add_games(full, "done", play("greedy"), max(1, settings.stored - running))
    python = sys.executable
    return [
        Job(
            "starts",
            "Python and the server's modules",
            lambda: time_process([python, "-c", _IMPORTS]),
        ),
        Job("starts", "Python and the rules", lambda: time_process([python, "-c", _KERNEL])),
        Job("starts", "one stored game", lambda: _measure_start(empty)),
        Job("starts", f"{settings.stored:,} stored games", lambda: _measure_start(full)),
    ]


def _measure_start(database: str) -> dict[str, float]:
    """Time until the server answers, until it is ready, and to open the first table."""
    began = time.perf_counter()
    with serving(database, "info") as server:
        server.get("/healthz")
        answers = time.perf_counter()
        server.wait_ready()
        ready = time.perf_counter()
        server.get("/api/v1/tables/live-000000", TOKENS[0])
        opened = time.perf_counter()
    return {"s": answers - began, "ready s": ready - began, "open ms": 1000 * (opened - ready)}
