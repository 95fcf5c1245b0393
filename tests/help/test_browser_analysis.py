"""Moves compared in V8, through the page's own code: the same bytes and the same advice as here."""

from __future__ import annotations

import hashlib
import json
import os
import subprocess
from base64 import b64encode
from collections.abc import Iterator
from pathlib import Path
from typing import Any

import msgspec
import pytest
from tests.bots.test_players import decisions, lineup_of
from tests.installs import ROOT

from macaz.bots import Limit
from macaz.game.moves import notation_of
from macaz.help.advice import advise
from macaz.help.comparison import Comparison
from macaz.help.compiled.layout import CHUNK
from macaz.kernel.wasm import MODULE
from macaz.server.data_files import make_data_files
from macaz.server.editions import Catalog

TABLES = [("tiny", 2), ("europe", 3), ("old-west+alvin", 2)]
EVERY = 61  # decisions, of which one is compared
CHUNKS = 2
BEST = 5


def digest(lines: Any) -> str:
    return hashlib.sha256(lines.tobytes()).hexdigest()


def compared(edition: str, seats: int) -> Iterator[dict[str, Any]]:
    """Comparisons at positions of a game: with a move that is always kept, and as advice."""
    for n, (game, seat) in enumerate(decisions(edition, lineup_of(seats, 1), seats)):
        if n % EVERY != seats:
            continue
        view, legal = game.view(seat), list(game.legal_moves_of(seat))
        last = notation_of(view.spec).action(legal[-1], view.offer)
        for kept in ([last], []):
            found = Comparison(view, legal, seed=n, extra=kept)
            begun = digest(found.lines)
            found.run(CHUNKS)
            limit = Limit(effort=CHUNKS * CHUNK * len(found.lines))
            told = None if kept else advise(view, legal, limit=limit, seed=n, best=BEST)
            yield {
                "view": b64encode(bytes(view)).decode(),
                "kept": kept,
                "seed": n,
                "begun": begun,
                "ranked": digest(found.lines),
                "advice": msgspec.to_builtins(told),
            }


@pytest.mark.slow
def test_moves_are_compared_in_v8_as_in_python(tmp_path: Path) -> None:
    files = make_data_files(Catalog())
    index = json.loads(files.index)
    scenes = []
    for edition, seats in TABLES:
        names = {"map": index["maps"][edition], "table": index["tables"][edition][str(seats)]}
        for part, name in names.items():
            (tmp_path / f"{edition}.{part}").write_bytes(files.read(name) or b"")
        found = list(compared(edition, seats))
        assert len(found) >= 1
        scenes.append(
            {
                "title": f"{edition}, {seats} seats",
                "seats": seats,
                **{part: str(tmp_path / f"{edition}.{part}") for part in names},
                "asked": found,
            }
        )
    story = tmp_path / "story.json"
    story.write_text(json.dumps({"kernel": str(MODULE), "chunk": CHUNK, "scenes": scenes}))
    done = subprocess.run(
        [ROOT / "tools" / "node.sh", "npx", "vitest", "run", "tests/analysis.test.ts"],
        env=os.environ | {"MACAZ_ANALYSIS": str(story)},
        capture_output=True,
        text=True,
        check=False,
    )
    assert done.returncode == 0, (done.stdout + done.stderr)[-6000:]
    assert f"{len(scenes)} passed" in done.stdout
