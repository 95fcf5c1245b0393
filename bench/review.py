"""Measure how fast a review in the browser becomes useful.

python bench/review.py [--edition europe] [--seats 4] [--games 5]

Bots play games at a server of its own; each is then reviewed in Chromium ($MACAZ_CHROMIUM), with
the page that `make page` built. The time runs from opening the address of the review. Printed are,
at some moments: the decisions that were compared, how far the curve is on average from that of the
complete review, and how many of its turning points are listed already.
"""

from __future__ import annotations

import argparse
import os
import re
import statistics
import tempfile
import time
from pathlib import Path
from typing import Any, NamedTuple

import msgspec

from macaz.lab.bench.browser import new_page, open_browser
from macaz.lab.bench.measure import Skipped
from macaz.lab.bench.server.process import Process, serving
from macaz.server.page import missing_page

MOMENTS = (2, 5, 10, 20, 40)  # seconds
PATIENCE = 1800  # seconds, for a game or a review
HEIGHT = 60  # of the plot of the curve
# What the page shows: since when, decisions, lines of the curve, the places of the turning points.
LOOK = """
() => ({
  seconds: performance.now() / 1000,
  complete: document.querySelector("[data-stage=complete]") !== null,
  done: Number(document.querySelector("[data-progress]")?.dataset.progress ?? 0),
  lines: [...document.querySelectorAll(".plot.tall path:not(.under):not(.half)")]
    .map((path) => path.getAttribute("d")),
  points: [...document.querySelectorAll(".point .name")].map((name) => name.textContent),
})
"""
# A person of this browser.
ENTER = """
() => fetch("/api/v1/people", {
  method: "POST",
  headers: { "content-type": "application/json" },
  body: JSON.stringify({ name: "Reader" }),
}).then((answer) => answer.ok)
"""


class Look(NamedTuple):
    """What a page showed of a review."""

    seconds: float
    complete: bool
    done: int
    lines: list[str]
    points: list[str]


def main() -> None:
    """Do what the command line says."""
    parser = argparse.ArgumentParser(description=__doc__.splitlines()[0])
    parser.add_argument("--edition", default="europe")
    parser.add_argument("--seats", type=int, default=4)
    parser.add_argument("--games", type=int, default=5)
    parser.add_argument("--bot", default="planner")
    args = parser.parse_args()
    if problem := missing_page():
        raise SystemExit(problem)
    chromium = os.environ.get("MACAZ_CHROMIUM") or "chromium"
    found: list[list[Look]] = []
    with (
        tempfile.TemporaryDirectory() as folder,
        serving(f"sqlite:///{Path(folder) / 'bench.db'}") as server,
        open_browser(chromium) as browser,
    ):
        server.wait_ready()
        token = server.post("/api/v1/people", {"name": "Bench", "token": "bench"})["token"]
        for _ in range(args.games):
            table = played(server, token, args.edition, args.seats, args.bot)
            with new_page(browser) as page:
                page.goto(f"{server.address}/favicon.svg")
                assert page.evaluate(ENTER)
                found.append(watch(page, f"{server.address}/tables/{table}?v=9&review=1"))
    report(found)


def played(server: Process, token: str, edition: str, seats: int, bot: str) -> str:
    """A finished game of bots."""
    kinds = [{"kind": "bot", "bot": bot}] * seats
    wanted = {"edition": edition, "seats": kinds, "mine": [], "listed": True}
    table: str = server.post("/api/v1/tables", wanted, token)["id"]
    end = time.monotonic() + PATIENCE
    while True:
        told: Any = msgspec.json.decode(server.get(f"/api/v1/tables/{table}", token))
        if told["status"] == "finished":
            return table
        if time.monotonic() > end:
            raise Skipped("the bots do not finish")
        time.sleep(0.2)


def watch(page: Any, address: str) -> list[Look]:
    """What the page shows, from opening the review until it is complete."""
    page.goto(address, wait_until="commit")
    found: list[Look] = []
    while not found or not (found[-1].complete or found[-1].seconds > PATIENCE):
        found.append(Look(**page.evaluate(LOOK)))
        time.sleep(0.1)
    return found


def report(found: list[list[Look]]) -> None:
    """Print what was seen, by moments."""
    print("seconds  compared  curve off by  turning points")
    for moment in MOMENTS:
        rows = []
        for looks in found:
            seen = [look for look in looks if look.seconds <= moment]
            if seen:
                rows.append(compared(seen[-1], looks))
        shares, gaps, points = zip(*rows, strict=True)
        known = [gap for gap in gaps if gap is not None]
        gap = f"{statistics.mean(known):.1%}" if len(known) == len(rows) else "none yet"
        share, listed = statistics.mean(shares), statistics.mean(points)
        print(f"{moment:7d}  {share:8.0%}  {gap:>12s}  {listed:14.0%}")
    first = [next(look.seconds for look in looks if look.lines) for looks in found]
    last = [looks[-1].seconds for looks in found]
    for what, times in (("first curve", first), ("complete", last)):
        print(f"{what}: {statistics.median(times):.1f} s ({min(times):.1f} to {max(times):.1f})")


def compared(look: Look, looks: list[Look]) -> tuple[float, float | None, float]:
    """The share of decisions compared, the mean error of the curve, the share of turning points."""
    last = looks[-1]
    total = max(last.done, 1)
    points = sum(point in look.points for point in last.points) / max(len(last.points), 1)
    if not look.lines:
        return look.done / total, None, points
    gaps = [
        abs(a - b)
        for line, final in zip(look.lines, last.lines, strict=True)
        for a, b in zip(values(line), values(final), strict=True)
    ]
    return look.done / total, statistics.mean(gaps), points


def values(line: str) -> list[float]:
    """The chances of a line of the curve, by moments of the game: 'M0 30H12V28.5H40'."""
    found: list[float] = []
    height = 0.0
    for kind, number in re.findall(r"([MHV])(?:0 )?([\d.]+)", line):
        if kind == "H":
            found += [1 - height / HEIGHT] * (round(float(number)) - len(found))
        else:
            height = float(number)
    return found


if __name__ == "__main__":
    main()
