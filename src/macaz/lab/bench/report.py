"""Formats the results as tables, as Markdown and as a figure."""

from __future__ import annotations

import json
from collections.abc import Sequence
from dataclasses import dataclass
from pathlib import Path
from typing import Any

from macaz.lab.bench import environments
from macaz.lab.bench.measure import Job, Spread
from macaz.lab.bench.suite import Report
from macaz.lab.bench.targets import GROUP, LABELS
from macaz.lab.figures import FAINT, INK, STYLE, need_matplotlib, save

PICTURE = "assets/bench.svg"
RESULTS = "assets/bench.json"
PAGE = "bench-results.md"
_OURS, _DRIVEN, _PEER = "#0072b2", "#56b4e9", "#9aa3ae"


Names = tuple[str, str]  # of the file of figures and of the page


@dataclass(frozen=True, slots=True)
class Sheet:
    """A table; the first `words` columns contain text, the others numbers."""

    title: str
    headings: tuple[str, ...]
    rows: Sequence[tuple[str, ...]]
    words: int = 1
    note: str = ""


def figure(number: float) -> str:
    """A number with three significant digits: 24,800, 3.94 M, 0.42."""
    if number >= 1e6:
        return f"{number / 1e6:.3g} M"
    if number >= 999.5:
        number = round(number)
        digits = len(str(int(number))) - 3
        return f"{round(number, -digits):,.0f}"
    return f"{number:.3g}"


def spread(found: Spread) -> str:
    """The median, and the minimum and the maximum in brackets."""
    return f"{figure(found.median)} ({figure(found.low)}–{figure(found.high)})"


def times(found: Spread) -> str:
    return f"{figure(found.median)}× ({figure(found.low)}–{figure(found.high)})"


def percent(share: Spread) -> str:
    return f"{spread(Spread(*(100 * part for part in (share.median, share.low, share.high))))} %"


def sheets(report: Report) -> list[Sheet]:
    found = [_games_sheet(report), _targets_sheet(report)]
    if report.group("peers"):
        found += [_peers_sheet(report), _ratios_sheet(report)]
    if report.group(environments.GROUP):
        found.append(_environments_sheet(report))
    return [*found, _calls_sheet(report), _starts_sheet(report)]


def _games_sheet(report: Report) -> Sheet:
    rows = []
    for job in report.group("one core"):
        every = report.find("all cores", job.name)
        rows.append(
            (
                job.about["edition"],
                str(job.about["players"]),
                spread(job.spread("games/s")),
                spread(job.spread("decisions/s")),
                spread(every.spread("games/s")) if every else "",
            )
        )
    cores = report.machine["cores"]
    headings = (
        "edition",
        "players",
        "games/s, one core",
        "decisions/s, one core",
        f"games/s, all cores ({cores})",
    )
    targets = {LABELS[job.about["target"]] for job in report.group("one core")}
    note = f"Target: {', '.join(targets)}."
    return Sheet("Random games, played and scored in the kernel", headings, rows, note=note)


def _targets_sheet(report: Report) -> Sheet:
    rows = [
        (
            job.about["figure"],
            LABELS[job.about["target"]],
            spread(job.spread(job.about["unit"])),
            "".join(map(percent, report.speed(job))),
        )
        for job in report.group(GROUP)
    ]
    headings = ("USA Classic, 2 players", "target", "measured", "of native speed")
    note = "Shares are taken round by round; the same games, positions and seeds on each target."
    title = "The same rules and players on each target"
    return Sheet(title, headings, rows, words=2, note=note)


def _peers_sheet(report: Report) -> Sheet:
    def row(engine: str, game: str, job: Job) -> tuple[str, ...]:
        speeds = [spread(job.spread(unit)) for unit in ("games/s", "decisions/s")]
        return (engine, game, str(job.about["players"]), *speeds)

    rows = []
    for way, title in (("one core", "Macaz, in the kernel"), ("from Python", "Macaz, from Python")):
        for players in (2, 4):
            job = report.find(way, f"usa-classic {players}")
            if job:
                rows.append(row(title, "USA Classic", job))
    rows += [
        row(f"{job.about['engine']} {job.about['version']}", job.about["game"], job)
        for job in report.group("peers")
    ]
    headings = ("engine", "game", "players", "games/s", "decisions/s")
    return Sheet("Random games beside other engines, one core", headings, rows, words=2)


def _ratios_sheet(report: Report) -> Sheet:
    rows = []
    for peer in report.group("peers"):
        ratios = [
            times(found)
            for unit in ("games/s", "decisions/s")
            for found in report.ratios(peer, unit).values()
        ]
        rows.append((peer.name, *ratios))
    headings = (
        "Macaz against",
        "games/s, from Python",
        "games/s, in the kernel",
        "decisions/s, from Python",
        "decisions/s, in the kernel",
    )
    note = "Each against USA Classic with as many players, round by round."
    return Sheet("How many times as fast", headings, rows, note=note)


def _environments_sheet(report: Report) -> Sheet:
    rows = [
        (
            job.about["environment"],
            LABELS[job.about["target"]],
            spread(job.spread(environments.UNIT)),
        )
        for job in report.group(environments.GROUP)
    ]
    headings = ("USA, 2 players", "target", "decisions/s, one core")
    note = "Of processor time, with observations and masks; random actions."
    return Sheet("Environments for learners", headings, rows, words=2, note=note)


def _calls_sheet(report: Report) -> Sheet:
    groups = {target: report.group(f"calls, {target}") for target in LABELS}
    targets = [target for target, jobs in groups.items() if jobs]
    rows = [
        (same[0].name, *(spread(job.spread("µs")) for job in same))
        for same in zip(*(groups[target] for target in targets), strict=True)
    ]
    headings = ("call", *(f"microseconds, {LABELS[target]}" for target in targets))
    note = "USA Classic with 2 players; the cost of a call from Python is in it."
    return Sheet("One call from Python", headings, rows, note=note)


def _starts_sheet(report: Report) -> Sheet:
    rows = []
    for job in report.group("starts"):
        found = job.spread("s")
        rows.append((job.name, f"{found.median:.3g} s" if job.once else f"{spread(found)} s"))
    rows += [(f"a {name}, in memory", f"{size:,} bytes") for name, size in report.sizes.items()]
    return Sheet("Starting, and sizes", ("what", "measured"), rows)


def markdown(report: Report, machine: str, with_picture: bool) -> str:
    """A page for the documentation."""
    rounds = report.settings.rounds
    lines = [
        "<!-- Written by `macaz bench --out docs`. Run it again rather than editing this. -->",
        "# Benchmark results",
        "",
        f"{machine}. {rounds} rounds: the median, and the least and the greatest in brackets. "
        "[How it is measured](bench.md).",
        "",
    ]
    if with_picture:
        lines += [f"![Random games and decisions a second, on a log scale]({PICTURE})", ""]
    for sheet in sheets(report):
        lines += markdown_lines(sheet)
    lines += [f"{note}\n" for note in report.notes]
    return "\n".join(lines).rstrip() + "\n"


def markdown_lines(sheet: Sheet) -> list[str]:
    """A table as a section of a page."""
    marks = [":--" if i < sheet.words else "--:" for i in range(len(sheet.headings))]
    table = [f"| {' | '.join(row)} |" for row in (sheet.headings, marks, *sheet.rows)]
    return [f"## {sheet.title}", "", *table, "", *([sheet.note, ""] if sheet.note else [])]


def write(report: Report, machine: str, folder: Path) -> list[Path]:
    """Write the page, the results and the figure into a folder; returns the paths."""
    page = markdown(report, machine, with_picture=True)
    written = write_results(report.to_dict(), page, folder, (RESULTS, PAGE))
    draw(report, machine, folder / PICTURE)
    return [*written, folder / PICTURE]


def results_page(
    command: str, title: str, intro: str, tables: Sequence[Sheet], notes: Sequence[str]
) -> str:
    """A page for the documentation: tables, and the notes below them."""
    lines = [
        f"<!-- Written by `macaz {command} --out docs`. Run it again rather than editing this. -->",
        f"# {title}",
        "",
        intro,
        "",
    ]
    for sheet in tables:
        lines += markdown_lines(sheet)
    lines += [f"{note}\n" for note in notes]
    return "\n".join(lines).rstrip() + "\n"


def write_results(figures: dict[str, Any], page: str, folder: Path, names: Names) -> list[Path]:
    """Write the results and the page into a folder, under these names; returns the paths."""
    (folder / "assets").mkdir(parents=True, exist_ok=True)
    written = [folder / name for name in names]
    written[0].write_text(json.dumps(figures, indent=2, ensure_ascii=False) + "\n")
    written[1].write_text(page)
    return written


def draw(report: Report, machine: str, path: Path) -> None:
    """Draw bars on a log scale for Macaz and the other engines."""
    matplotlib = need_matplotlib()
    bars = _bars(report)
    with matplotlib.rc_context(STYLE):
        size = (10, 1.5 + 0.34 * len(bars))
        drawing = matplotlib.figure.Figure(figsize=size, layout="constrained")
        left, right = drawing.subplots(1, 2, sharey=True)
        _draw_bars(left, bars, "games/s")
        _draw_bars(right, bars, "decisions/s")
        drawing.suptitle(
            "Random games on one core", x=0.01, ha="left", fontsize=13, fontweight="bold"
        )
        rounds = report.settings.rounds
        text = f"{machine}. Log scale; bars: median of {rounds} rounds, lines: least to greatest."
        drawing.supxlabel(text, x=0.01, ha="left", fontsize=7.5, color="#6b7480")
        drawing.get_layout_engine().set(w_pad=0.12, h_pad=0.08)
        save(drawing, path)


def _bars(report: Report) -> list[tuple[str, str, Job]]:
    """Label, colour and job of each bar, top to bottom."""
    found = []
    for way, color, title in (
        ("one core", _OURS, "Macaz, in the kernel"),
        ("from Python", _DRIVEN, "Macaz, from Python"),
    ):
        for players in (2, 4):
            job = report.find(way, f"usa-classic {players}")
            if job:
                found.append((f"{title}: USA Classic, {players} players", color, job))
    for job in report.group("peers"):
        label = f"{job.about['engine']}: {job.about['game']}, {job.about['players']} players"
        found.append((label, _PEER, job))
    return found


def _draw_bars(axes: Any, bars: list[tuple[str, str, Job]], unit: str) -> None:
    spreads = [job.spread(unit) for _, _, job in bars]
    low, high = min(s.low for s in spreads), max(s.high for s in spreads)
    floor = 10 ** (len(str(int(low))) - 1) / 3
    for i, ((_, color, _), found) in enumerate(zip(bars, spreads, strict=True)):
        axes.barh(i, found.median - floor, left=floor, height=0.68, color=color)
        axes.plot([found.low, found.high], [i, i], color=INK, lw=1.2)
        axes.annotate(
            figure(found.median),
            (found.high, i),
            xytext=(5, 0),
            textcoords="offset points",
            va="center",
            fontsize=8.5,
        )
    axes.set_title(unit.replace("/s", " a second").capitalize())
    axes.set_xscale("log")
    axes.set_xlim(floor, high * 5)
    axes.set_yticks(range(len(bars)), [label for label, _, _ in bars])
    axes.set_ylim(len(bars) - 0.4, -0.6)
    axes.grid(axis="x")
    axes.tick_params(axis="x", which="minor", length=0)
    axes.spines["left"].set_color(FAINT)
