"""Measures games that live in the browser: what they load, their bots, and the search in V8."""

from __future__ import annotations

import gzip
import json
import statistics
import time
from base64 import b64encode
from functools import partial
from pathlib import Path
from typing import TYPE_CHECKING, Any

import numpy as np

from macaz.bots import BOTS
from macaz.bots.compiled.layout import SEARCHED
from macaz.bots.search import Tree
from macaz.game.moves import notation_of
from macaz.kernel.wasm import MODULE
from macaz.lab.bench import targets
from macaz.lab.bench.browser import new_page, processor_seconds, processor_time
from macaz.lab.bench.games import job_on, on
from macaz.lab.bench.measure import Job, Skipped
from macaz.lab.bench.report import Sheet, figure, percent, spread
from macaz.server.page import page_folder

if TYPE_CHECKING:
    from playwright.sync_api import Browser

    from macaz.lab.bench.measure import Measured
    from macaz.lab.bench.server.process import Process

LOADED, BOTS_GROUP, PLAYOUTS = "loaded", "bots", "playouts"
EDITION, SEATS = "usa", 2
THINKING = ("search", "master", "expert")
DECISIONS = 4  # of each bot in a round
BROWSER = "browser"
EFFORT = 500  # playouts in each position, and as many before, until the code is optimised

# Seconds of each question to a worker of the bots, but the first, for which it starts and loads.
ASK = """
async ({ worker, data, questions }) => {
  const index = await (await fetch(data + "index.json")).json();
  const kernel = await (await fetch(data + index.kernel)).arrayBuffer();
  const bots = new Worker(worker, { type: "module" });
  bots.postMessage({ kind: "start", module: await WebAssembly.compile(kernel), data });
  const ask = ({ view, ...rest }, id) => new Promise((resolve, reject) => {
    const began = performance.now();
    bots.onmessage = ({ data: said }) => {
      if (said.kind === "answer") resolve((performance.now() - began) / 1000);
      if (said.kind === "failed") reject(new Error(said.message));
    };
    bots.onerror = (event) => reject(new Error(event.message));
    const question = { ...rest, view: Uint8Array.from(atob(view), (c) => c.charCodeAt(0)) };
    bots.postMessage({ kind: "question", id, question });
  });
  const seconds = [];
  for (const [id, question] of questions.entries()) seconds.push(await ask(question, id));
  bots.terminate();
  return seconds.slice(1);
}
"""
# Prepares `search()`, a call of `search_on` with these arguments, and `lead()` of its best move.
SEARCH = """
async ({ kernel, args, nodes }) => {
  const bytesOf = (text) => Uint8Array.from(atob(text), (c) => c.charCodeAt(0));
  const { exports } = new WebAssembly.Instance(await WebAssembly.compile(bytesOf(kernel)), {});
  const memory = exports.memory.buffer; // it never grows
  let free = exports.__heap_base.value;
  const take = (size) => {
    const at = Math.ceil(free / 16) * 16;
    free = at + size;
    return at;
  };
  const words = new BigInt64Array(memory, take(8 * 96), 96);
  const arrays = args.map((arg) => {
    if (typeof arg === "number") return null;
    const bytes = bytesOf(arg.bytes);
    const place = new Uint8Array(memory, take(bytes.length), bytes.length);
    return { bytes, place, length: arg.length };
  });
  const prepare = () => {
    let n = 0;
    for (const [i, array] of arrays.entries()) {
      if (array) array.place.set(array.bytes);
      for (const word of array ? [array.place.byteOffset, array.length] : [args[i]])
        words[n++] = BigInt(word);
    }
  };
  globalThis.search = () => void exports.search_on(words.byteOffset);
  globalThis.lead = () => {
    words[0] = BigInt(arrays[nodes].place.byteOffset);
    words[1] = BigInt(arrays[nodes].length);
    return Number(exports.search_lead(words.byteOffset));
  };
  prepare();
  search(); // until the code is optimised
  prepare();
}
"""


def local_jobs(browser: Browser, server: Process) -> list[Job]:
    """What a first game loads, the time of each bot, and the search on each target."""
    positions = targets.some_positions()
    asked = positions[: DECISIONS + 1]
    loaded = Job(LOADED, LOADED, lambda: {name: float(n) for name, n in files(server).items()})
    loaded.once = True
    bots = [Job(BOTS_GROUP, bot, partial(_decide, browser, server, bot, asked)) for bot in THINKING]
    searched = positions[: targets.SEARCHED]
    native = [target for target in (targets.WASM, targets.NATIVE) if target in targets.usable()[0]]
    playouts = []
    for target in native:  # WebAssembly first: the others can work in its memory
        with on(target):
            _search(searched[:1])  # the first call compiles or loads
        playouts.append(job_on(target, PLAYOUTS, target, partial(_search, searched)))
    if targets.WASM in native:
        run = partial(search_in, browser, searched)
        playouts.append(job_on(targets.WASM, PLAYOUTS, BROWSER, run))
    return [loaded, *bots, *playouts]


# -- what is loaded -------------------------------------------------------------------------------


def files(server: Process) -> dict[str, int]:
    """Compressed bytes that a first game needs beside the page, and the network of its map."""
    index = server.get("/data/index.json")
    names: dict[str, Any] = json.loads(index)

    def loaded(name: str) -> bytes:
        return server.get(f"/data/{name}")

    found = {
        "the index": index,
        "the kernel": loaded(names["kernel"]),
        "the map": loaded(names["maps"][EDITION]),
        "the rules of the table": loaded(names["tables"][EDITION][str(SEATS)]),
        "the code of the workers": b"".join(
            _asset(name).read_bytes() for name in ("worker", "bot-worker")
        ),
        NETWORK: loaded(names["networks"][EDITION]["file"]),
    }
    return {name: len(gzip.compress(content)) for name, content in found.items()}


NETWORK = "a network, for a bot that has one"


def _asset(name: str) -> Path:
    """A file of the built page, whose name ends in a hash."""
    return next((page_folder() / "assets").glob(f"{name}-????????.js"))


# -- the bots -------------------------------------------------------------------------------------


def _decide(
    browser: Browser, server: Process, bot: str, positions: list[targets.Position]
) -> dict[str, float]:
    """How long a bot thinks in its worker, in seconds and as shares of its limit."""
    limit = BOTS[bot].limit
    if limit is None or limit.seconds is None:
        raise Skipped(f"{bot} has no limit")
    questions = []
    for view, legal in positions:
        number = notation_of(view.spec).action
        questions.append(
            {
                "edition": targets.EDITION,
                "seats": targets.PLAYERS,
                "seat": view.seat,
                "bot": bot,
                "view": _text(view.record),
                "legal": [number(move, view.offer) for move in legal],
                "seed": "1",
            }
        )
    with new_page(browser) as page:
        page.goto(server.address)
        given = {
            "worker": f"/assets/{_asset('bot-worker').name}",
            "data": f"{server.address}/data/",
            "questions": questions,
        }
        seconds: list[float] = page.evaluate(ASK, given)
    return {
        "seconds": statistics.median(seconds),
        "of the limit": statistics.median(seconds) / limit.seconds,
        "longest of the limit": max(seconds) / limit.seconds,
    }


# -- the search -----------------------------------------------------------------------------------


def _search(positions: list[targets.Position]) -> dict[str, float]:
    """Playouts a second of processor time, on the target of this process."""
    seconds = 0.0
    for view, _ in positions:
        tree = Tree(view, 1, SEARCHED)
        began = time.process_time()
        tree.grow(EFFORT)
        seconds += time.process_time() - began
    return {"playouts/s": len(positions) * EFFORT / seconds}


def search_in(browser: Browser, positions: list[targets.Position]) -> dict[str, float]:
    """The same calls of the same module in the browser, which must give the same trees."""
    seconds = 0.0
    with new_page(browser) as page:
        for view, _ in positions:
            tree = Tree(view, 1, SEARCHED)
            specs, guides, styles, games, nodes, *rest = tree.arguments
            args = [specs, guides, styles, *games, nodes, *rest, EFFORT]
            given = {
                "kernel": b64encode(MODULE.read_bytes()).decode(),
                "args": [_argument(arg) for arg in args],
                "nodes": next(i for i, arg in enumerate(args) if arg is nodes),
            }
            page.evaluate(SEARCH, given)
            before = processor_seconds(browser)
            page.evaluate("() => search()")
            seconds += processor_time(before, processor_seconds(browser))
            lead = page.evaluate("() => lead()")
            tree.grow(EFFORT)
            if lead != tree.lead():
                raise Skipped(f"another tree grew: a lead of {lead}, not {tree.lead()}")
    return {"playouts/s": len(positions) * EFFORT / seconds}


def _argument(arg: Any) -> Any:
    if isinstance(arg, np.ndarray):
        return {"bytes": _text(arg), "length": len(arg)}
    return int(arg)


def _text(array: np.ndarray) -> str:
    return b64encode(array.tobytes()).decode()


# -- tables ---------------------------------------------------------------------------------------

_LABELS = {**targets.LABELS, BROWSER: "WebAssembly in the browser, by V8"}


def sheets(found: Measured) -> list[Sheet]:
    """The tables."""
    return [
        *map(_loaded_sheet, found.group(LOADED)),
        Sheet(
            "The bots of a game in the browser",
            ("bot", "limit, s", "thinks, s", "of its limit", "the longest, of its limit"),
            [
                (
                    job.name,
                    f"{limit.seconds:g}"
                    if (limit := BOTS[job.name].limit) and limit.seconds
                    else "",
                    spread(job.spread("seconds")),
                    percent(job.spread("of the limit")),
                    percent(job.spread("longest of the limit")),
                )
                for job in found.group(BOTS_GROUP)
            ],
            note="A bot stops early where no other move can become the best.",
        ),
        _playouts_sheet(found),
    ]


def _loaded_sheet(job: Job) -> Sheet:
    sizes = {unit: job.samples[unit][0] for unit in job.samples}
    network = sizes.pop(NETWORK)
    sizes |= {"together": sum(sizes.values()), NETWORK: network}
    return Sheet(
        "A first game in the browser loads beside the page",
        ("USA, 2 players", "kB, compressed"),
        [(name, f"{size / 1000:.0f}") for name, size in sizes.items()],
    )


def _playouts_sheet(found: Measured) -> Sheet:
    native = found.find(PLAYOUTS, targets.NATIVE)
    rows = [
        (
            _LABELS[job.name],
            spread(job.spread("playouts/s")),
            percent(job.ratio(native, "playouts/s")) if native and job is not native else "",
        )
        for name in _LABELS
        if (job := found.find(PLAYOUTS, name))
    ]
    note = f"{figure(targets.SEARCHED)} positions of USA Classic; the same calls on each target."
    return Sheet(
        "Playouts of the search, a second of processor time",
        ("", "playouts/s", "of native speed"),
        rows,
        note=note,
    )
