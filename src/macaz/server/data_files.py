"""The data files: everything that a table in a browser needs beside the page, as static files.

The server serves them at `/data/`, and `macaz site` writes them. They are derived from the editions
alone, so equal editions give equal files:

- `index.json` (`wire.DataIndex`) names the others. Their names contain a hash of their content.
- `kernel-….wasm`: the rules and the players (`macaz.kernel.wasm`), as they come with Macaz.
- a map file for each edition and choice of options (`wire.MapFile`, JSON): the map and its drawing.
- a table file for each of these and each number of seats, an arrays file
  (`macaz.kernel.arrays_file`) with
    - `spec`: a record "spec", the compiled rules of the table (`compile_spec`);
    - `guide`: a record "guide", what the players derive from the map (`guide_of`);
    - `styles`: a record "style" for each style of the players at such a table (`style_of`).
      `about` has their names in `styles`, in the same order. Bots without search play the style
      of their name; the search plays "playout", whose plan the networks are shown, too.
    - `searches`: a record "search" and `contests`: a record "contest", the numbers that a search
      and the expert begin with.
    - `about` also has the `edition` (its qualified id), its `fingerprint` and `seats`.
- a network file for each board that Macaz has a network for (`browser_network`).
- one file with the puzzles of all editions (`wire.PuzzleList`, JSON).
"""

from __future__ import annotations

import hashlib
from collections.abc import Iterator
from dataclasses import dataclass
from functools import cache
from typing import TYPE_CHECKING

import numpy as np

from macaz.bots import BOTS, browser_network
from macaz.bots.compiled.program import guide_of
from macaz.bots.expert import WEIGHTS, contest_record
from macaz.bots.network import network_name
from macaz.bots.search import search_record
from macaz.bots.styles import STYLES, style_of
from macaz.kernel.arrays_file import arrays_file
from macaz.kernel.spec import compile_spec
from macaz.kernel.wasm import MODULE, read_description
from macaz.server import wire
from macaz.server.editions import Catalog, bot_info, map_of
from macaz.server.puzzles import make_puzzle_list

if TYPE_CHECKING:
    from macaz.edition import Edition

INDEX = "index.json"
HASH_DIGITS = 16


@cache
def kernel_sources() -> str:
    """A digest of the sources of the kernel that browsers are given."""
    sources: str = read_description(MODULE.read_bytes())["digest"]
    return sources


@dataclass(frozen=True)
class DataFiles:
    """The data files of a server or a site."""

    index: bytes  # the content of `index.json`
    files: dict[str, bytes]  # the others by name
    networks: frozenset[str]  # those of them that are networks

    def read(self, name: str) -> bytes | None:
        """The content of a file; None if there is none of that name."""
        return self.index if name == INDEX else self.files.get(name)

    def names(self) -> Iterator[str]:
        """The names of all files, the index last."""
        yield from self.files
        yield INDEX


def make_data_files(catalog: Catalog) -> DataFiles:
    """The data files for all editions of a catalog."""
    from macaz.draw.plates import plate_of  # a server that draws no board need not load it

    files: dict[str, bytes] = {}
    known: dict[str, wire.NetworkFile] = {}  # by the networks' names in Macaz

    def add(stem: str, suffix: str, content: bytes) -> str:
        name = _file_name(stem, suffix, content)
        files[name] = content
        return name

    maps: dict[str, str] = {}
    tables: dict[str, dict[str, str]] = {}
    network_files: dict[str, wire.NetworkFile] = {}
    for edition in [e for name in catalog.names() for e in catalog.variants(name)]:
        id_ = edition.qualified_id
        stem = id_.replace("+", ".")  # some hosts read a + in an address as a space
        maps[id_] = add(stem, "json", wire.encode(wire.MapFile(map_of(edition), plate_of(edition))))
        rules = edition.rules
        tables[id_] = {
            str(seats): add(f"{stem}-{seats}", "bin", _table_file(edition, seats))
            for seats in range(rules.min_seats, rules.max_seats + 1)
        }
        network = network_name(edition)
        if network is None:
            continue
        if network not in known:
            content = browser_network(network)
            known[network] = wire.NetworkFile(
                add(f"network-{network}", "bin", content), len(content)
            )
        network_files[id_] = known[network]
    module = MODULE.read_bytes()
    index = wire.DataIndex(
        editions=tuple(catalog.shelf()),
        bots=tuple(bot_info(name) for name, kind in BOTS.items() if kind.in_browser),
        sources=kernel_sources(),
        kernel=add("kernel", "wasm", module),
        maps=maps,
        tables=tables,
        networks=network_files,
        puzzles=add("puzzles", "json", wire.encode(make_puzzle_list(catalog))),
    )
    return DataFiles(wire.encode(index), files, frozenset(one.file for one in known.values()))


def _file_name(stem: str, suffix: str, content: bytes) -> str:
    return f"{stem}-{hashlib.sha256(content).hexdigest()[:HASH_DIGITS]}.{suffix}"


def _table_file(edition: Edition, seats: int) -> bytes:
    spec = compile_spec(edition, seats)
    return arrays_file(
        {
            "spec": spec.table,
            "guide": guide_of(spec),
            "styles": np.concatenate([style_of(name, spec) for name in STYLES]),
            "searches": search_record(),
            "contests": contest_record(WEIGHTS),
        },
        records={
            "spec": "spec",
            "guide": "guide",
            "styles": "style",
            "searches": "search",
            "contests": "contest",
        },
        about={
            "edition": edition.qualified_id,
            "fingerprint": edition.fingerprint,
            "seats": seats,
            "styles": STYLES,
        },
    )
