"""Formats the results of the table server as tables and as Markdown."""

from __future__ import annotations

from pathlib import Path

from macaz.lab.bench.measure import Job
from macaz.lab.bench.report import Sheet, figure, percent, results_page, spread, write_results
from macaz.lab.bench.server.crowd import LARGEST, QUICK, SHORT, SLOW, TABLES
from macaz.lab.bench.server.fill import SEATS
from macaz.lab.bench.server.suite import ALONE, CROWD, HALF_WAY, Report

RESULTS = "assets/bench-server.json"
PAGE = "bench-server-results.md"


def sheets(report: Report) -> list[Sheet]:
    """All the tables."""
    found = []
    if report.group("play"):
        found += [_paced_sheet(report), _full_sheet(report), _work_sheet(report)]
        found.append(_memory_sheet(report))
    if report.group("crowd"):
        found.append(_crowd_sheet(report))
    return [*found, _starts_sheet(report)]


def _crowd_sheet(report: Report) -> Sheet:
    units = tuple(f"{bot} {what} s" for bot in (QUICK, SHORT) for what in ("median", "longest"))
    rows = [
        (job.name, *(spread(job.spread(unit)) for unit in units)) for job in report.group("crowd")
    ]
    alone, crowded = report.find("crowd", ALONE), report.find("crowd", CROWD)
    if alone and crowded:
        rows.append(("times as long", *(spread(crowded.ratio(alone, unit)) for unit in units)))
    headings = ("", *(f"{unit.removesuffix(' s')}, s" for unit in units))
    note = (
        f"A person plays against {QUICK}, then {SHORT}: {report.settings.answers} decisions "
        "of each, from the question to the answer in the table's log. In the crowd another person "
        f"has {TABLES} tables of {LARGEST} {SLOW} bots, and a third asks for hints as fast as the "
        "server allows."
    )
    if crowded:
        asked, answered, decided = (
            sum(crowded.samples[unit])
            for unit in ("hints asked", "hints answered", "slow decisions")
        )
        note += (
            f" In all rounds {asked:,.0f} hints were asked for and {answered:,.0f} given, and the "
            f"{SLOW} bots decided {decided:,.0f} times."
        )
    return Sheet("A bot's answer, alone and in a crowd", headings, rows, note=note)


def _plays(report: Report) -> list[Job]:
    """The databases, then the echo."""
    jobs = report.group("play")
    return [*(job for job in jobs if job.name != "echo"), *(j for j in jobs if j.name == "echo")]


def _paced_sheet(report: Report) -> Sheet:
    asked = report.settings
    rows = [
        (
            job.name,
            f"{sum(job.samples['paced acknowledged']):,.0f}"
            f" of {sum(job.samples['paced sent']):,.0f}",
            spread(job.spread("paced median ms")),
            spread(job.spread("paced 99th ms")),
            spread(job.spread("paced server cores")),
            spread(job.spread("paced players cores")),
        )
        for job in _plays(report)
    ]
    headings = ("", "acknowledged", "median ms", "99th percentile ms", "cores, server", "players")
    note = (
        f"{asked.tables:,} tables of {SEATS} seats, {asked.groups * SEATS:,} sockets, "
        f"{asked.rate:,} actions a second at random moments, for {asked.seconds:g} s a round. "
        "From the click to each of the others at the table; the echo: back to the one who clicked."
    )
    return Sheet("From the click to the other browsers", headings, rows, note=note)


def _full_sheet(report: Report) -> Sheet:
    echo = report.find("play", "echo")
    rows = []
    for job in _plays(report):
        row = [job.name]
        for unit in ("full actions/s", "full messages/s"):
            share = percent(job.ratio(echo, unit)) if echo and job is not echo else ""
            row += [spread(job.spread(unit)), share]
        rows.append(tuple(row))
    headings = ("", "actions/s", "of the echo's", "messages/s", "of the echo's")
    note = (
        f"{report.settings.groups:,} tables act at once, each again when all {SEATS} have heard of "
        f"its last action. An action is {SEATS + 2} messages, in and out: the click, its "
        f"acknowledgement, and the news to {SEATS} sockets. An action of the echo is a message "
        "there and back."
    )
    return Sheet("As fast as possible", headings, rows, note=note)


def _work_sheet(report: Report) -> Sheet:
    rows = [
        (
            job.name,
            *(
                spread(job.spread(unit)) if unit in job.samples else ""
                for unit in (
                    *("paced actions a commit", "full actions a commit"),
                    *("full server cores", "full players cores"),
                )
            ),
        )
        for job in _plays(report)
    ]
    headings = ("", "actions a commit, paced", "at full speed", "cores, server", "players")
    note = "The cores at full speed: seconds of work a second, of all threads."
    return Sheet("Commits and work", headings, rows, note=note)


def _memory_sheet(report: Report) -> Sheet:
    rows = []
    for job in report.group("idle"):
        rows += [
            ("an idle table, its objects", f"{figure(job.samples['bytes'][0] / 1024)} KiB"),
            ("timers of an idle table", figure(job.samples["timers"][0])),
            ("tasks of an idle table", figure(job.samples["tasks"][0])),
        ]
    for job in _plays(report):
        if "memory of a table, KiB" in job.samples:
            rows += [
                (f"{what}, {job.name}", f"{spread(job.spread(f'{unit}, {scale}'))} {scale}")
                for what, unit, scale in (
                    ("the process before any table", "memory of a server", "MiB"),
                    ("each table that is loaded", "memory of a table", "KiB"),
                    ("each socket", "memory of a socket", "KiB"),
                    ("the process after play", "memory after play", "MiB"),
                )
            ]
    note = (
        f"Tables of {SEATS} with {HALF_WAY} entries in their logs. Objects are counted inside a "
        "server; the others are what the process has in memory, with what it keeps for later."
    )
    return Sheet("Memory", ("what", "measured"), rows, note=note)


def _starts_sheet(report: Report) -> Sheet:
    rows = []
    for job in report.group("starts"):
        rows.append((job.name, f"{spread(job.spread('s'))} s"))
        if "ready s" in job.samples:
            rows.append((f"{job.name}: ready", f"{spread(job.spread('ready s'))} s"))
            rows.append((f"{job.name}: the first table", f"{spread(job.spread('open ms'))} ms"))
    note = (
        "The servers: from starting the process to its first answer; then until it is ready; then "
        "a table is opened, for which the rules are loaded. The first two rows are processes that "
        "load only that, and end."
    )
    return Sheet("Starting", ("what", "measured"), rows, note=note)


def markdown(report: Report, machine: str) -> str:
    """A page for the documentation."""
    intro = (
        f"{machine}. {report.settings.rounds} rounds: the median, and the least and the greatest "
        "in brackets. [How it is measured](bench.md#the-server)."
    )
    title = "Benchmark results of the server"
    return results_page("bench server", title, intro, sheets(report), report.notes)


def write(report: Report, machine: str, folder: Path) -> list[Path]:
    """Write the page and the figures into a folder; what was written."""
    return write_results(report.to_dict(), markdown(report, machine), folder, (RESULTS, PAGE))
