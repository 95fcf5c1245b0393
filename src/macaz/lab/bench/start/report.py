"""Formats the results of a first start as tables and as Markdown."""

from __future__ import annotations

from pathlib import Path

from macaz.bots import BOTS
from macaz.lab.bench.measure import Job, Spread
from macaz.lab.bench.report import Sheet, results_page, spread, write_results
from macaz.lab.bench.start.install import LOCK
from macaz.lab.bench.start.suite import BUSY, IDLE, RUNS, Report

RESULTS = "assets/bench-start.json"
PAGE = "bench-start-results.md"
_LOADS = (IDLE, BUSY)
_WAITS = {
    "page s": "the page answers, after the process was started",
    "table s": "a table is opened, after the page",
    "legal s": "the first legal moves are at the socket, after the table",
}
_IMPORTS = {
    "python s": "python, for comparison",
    "numpy s": "import numpy",
    "first s": "import macaz, and a Game, with an empty cache",
    "first longer s": "longer than import numpy",
    "later s": "import macaz, and a Game, later",
    "later longer s": "longer than import numpy",
}


def sheets(report: Report) -> list[Sheet]:
    """All the tables."""
    found = [_waits_sheet(report), _bots_sheet(report), _imports_sheet(report)]
    return found + [_install_sheet(job) for job in report.group("install")]


def _cell(jobs: list[Job], unit: str) -> str:
    samples = [sample for job in jobs for sample in job.samples[unit]]
    return spread(Spread.of(samples)) if samples else ""


def _visits(report: Report, load: str) -> list[Job]:
    return [job for job in report.group(load) if job.name in report.settings.bots]


def _waits_sheet(report: Report) -> Sheet:
    rows = [
        (words, *(_cell(_visits(report, load), unit) for load in _LOADS))
        for unit, words in _WAITS.items()
    ]
    note = "One start for each bot in each round."
    headings = ("seconds until", *_LOADS)
    return Sheet("From an empty home to the first decision", headings, rows, note=note)


def _bots_sheet(report: Report) -> Sheet:
    rows = []
    for bot in report.settings.bots:
        limit = BOTS[bot].limit
        row = [bot, f"{limit.seconds:g}" if limit and limit.seconds else "at once"]
        for unit in ("tickets s", "turn s"):
            for load in _LOADS:
                job = report.find(load, bot)
                row.append(_cell([job], unit) if job else "")
        rows.append(tuple(row))
    headings = (
        "bot",
        "thinks, s",
        *(f"{u}, {load}" for u in ("tickets", "turn") for load in _LOADS),
    )
    note = (
        "Seconds from the moment when a bot is asked to its answer: for its tickets, the first "
        "thing that this server asks of any bot, and for its first turn."
    )
    return Sheet("First moves of each bot, as the first of its server", headings, rows, note=note)


def _imports_sheet(report: Report) -> Sheet:
    rows = []
    for unit, words in _IMPORTS.items():
        jobs = [report.find(load, "imports") for load in _LOADS]
        rows.append((words, *(_cell([job], unit) if job else "" for job in jobs)))
    note = f"Whole processes, in seconds; each round has the median of {RUNS} runs."
    return Sheet("Imports", ("process", *_LOADS), rows, note=note)


def _install_sheet(job: Job) -> Sheet:
    rows = [
        (words, f"{_cell([job], unit)} {scale}")
        for words, unit, scale in (
            ("installed", "install s", "s"),
            ("its size", "MB", "MB"),
            ("its size when all files of Python are compiled (.pyc)", "compiled MB", "MB"),
            ("its first start: the page answers", "page s", "s"),
            ("its first start: a table is opened, after the page", "table s", "s"),
            ("its first start: the tickets of greedy", "tickets s", "s"),
        )
    ]
    note = (
        f"With uv, from {LOCK} and the checkout, into an empty environment. The packages are in "
        "the cache of uv: nothing is downloaded. No file of Python is compiled before the first "
        "start."
    )
    return Sheet("The install", ("what", "measured"), rows, note=note)


def markdown(report: Report, machine: str) -> str:
    """A page for the documentation."""
    intro = (
        f"{machine}. {report.settings.rounds} rounds: the median, and the least and the greatest "
        "in brackets. [How it is measured](bench.md#starting)."
    )
    title = "Benchmark results of starting"
    return results_page("bench start", title, intro, sheets(report), report.notes)


def write(report: Report, machine: str, folder: Path) -> list[Path]:
    """Write the page and the figures into a folder; what was written."""
    return write_results(report.to_dict(), markdown(report, machine), folder, (RESULTS, PAGE))
