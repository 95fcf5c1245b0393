"""Reviews in V8, by the page's own code: the same figures, turning points and reasons as here."""

from __future__ import annotations

import json
from pathlib import Path
from typing import Any

import msgspec
import pytest
from tests.help.test_advice import finished
from tests.page.units import run_vitest

from macaz.bots import Limit
from macaz.game import Game
from macaz.help.advice import review
from macaz.help.compiled.layout import CHUNK
from macaz.kernel.wasm import MODULE
from macaz.server.data_files import make_data_files
from macaz.server.editions import Catalog

GAMES = [("tiny", 2, 3, 2), ("tiny", 3, 5, 1)]  # edition, seats, seed, chunks of tries


def log_of(game: Game) -> dict[str, Any]:
    """The game as its actions, as `GET /tables/{id}/log` gives it."""
    log: list[dict[str, Any]] = [{"kind": "dealt", "chances": []}]
    for step in game.history:
        if step.seat is None:
            log[-1]["chances"].append(step.number)
        else:
            acted = {"kind": "acted", "seat": step.seat, "action": step.number, "chances": []}
            log.append(acted | {"bot": ""})
    return {
        "edition": game.edition.qualified_id,
        "fingerprint": game.edition.fingerprint,
        "seats": game.seats,
        "first": game.first_fixed,
        "log": [{"version": 3 + i, "step": step} for i, step in enumerate(log)],
    }


@pytest.mark.slow
def test_games_are_reviewed_in_v8_as_in_python(tmp_path: Path) -> None:
    files = make_data_files(Catalog())
    index = json.loads(files.index)
    scenes = []
    for edition, seats, seed, chunks in GAMES:
        game = finished(edition, seats, seed)
        names = {"map": index["maps"][edition], "table": index["tables"][edition][str(seats)]}
        for part, name in names.items():
            (tmp_path / f"{edition}-{seats}.{part}").write_bytes(files.read(name) or b"")
        scenes.append(
            {
                "title": f"{edition}, {seats} seats",
                **{part: str(tmp_path / f"{edition}-{seats}.{part}") for part in names},
                "log": log_of(game),
                "names": game.names,
                "efforts": [1 << stage for stage in range(chunks.bit_length())],
                "review": msgspec.to_builtins(review(game, limit=Limit(effort=chunks * CHUNK))),
            }
        )
    story = tmp_path / "story.json"
    story.write_text(json.dumps({"kernel": str(MODULE), "scenes": scenes}))
    done = run_vitest("tests/review.test.ts", MACAZ_REVIEWS=str(story))
    assert done.returncode == 0, (done.stdout + done.stderr)[-6000:]
    assert f"{len(scenes)} passed" in done.stdout
