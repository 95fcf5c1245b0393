"""Bots in V8, through the page's own code: the same decisions as in Python, on every kind of table.

The network has weights of one byte there, so `learned` and `expert` are compared with the same
compiled functions in Python (`tests/small_players.py`); `test_browser.py` compares them with NumPy.
"""

from __future__ import annotations

import json
import os
import subprocess
from base64 import b64encode
from collections.abc import Iterator
from pathlib import Path
from typing import Any

import numpy as np
import pytest
from tests.bots.test_players import decisions, lineup_of
from tests.installs import ROOT
from tests.small_players import SmallPlayers, apart

from macaz.bots import Limit, browser_network, make_bot, search
from macaz.bots.network import packaged, packaged_network
from macaz.bots.rollouts import SAMPLED
from macaz.edition import load_edition
from macaz.game.moves import notation_of
from macaz.kernel.wasm import MODULE
from macaz.server.data_files import make_data_files
from macaz.server.editions import Catalog

TABLES = [("usa-classic", 2), ("usa", 3), ("europe", 4), ("old-west", 2), ("old-west+alvin", 5)]
MANY = 24  # decisions of a game that are compared
EFFORT = 24


def random_words(seed: int, more: int) -> list[int]:
    """What Python draws at random for the worlds of a search or of tries."""
    rng = np.random.default_rng(seed)
    drawn = [rng.integers(1, 1 << 32, 4) for _ in range(SAMPLED)]
    drawn.append(rng.integers(1, 1 << 32, (more, 4)).ravel())
    words: list[int] = np.concatenate(drawn).tolist()
    return words


def asked(edition: str, seats: int, small: SmallPlayers) -> Iterator[dict[str, Any]]:
    """Decisions of all bots at positions of a game."""
    choices = [
        (game.view(seat), legal)
        for game, seat in decisions(edition, lineup_of(seats, 2), seats)
        if len(legal := list(game.legal_moves_of(seat))) > 1
    ]
    for n, (view, legal) in enumerate(choices[:: len(choices) // MANY]):
        number = notation_of(view.spec).action
        found = {
            name: number(make_bot(name).choose(view, legal), view.offer)
            for name in ("planner", "racer", "conductor", "apprentice")
        }
        limit = Limit(effort=EFFORT)
        best = search.think(view, legal, limit=limit, seed=n, stop_early=True).best
        found |= {
            "search": number(best, view.offer),
            "learned": small.learned(view),
            "expert": small.expert(view, EFFORT, n),
        }
        words = {"search": random_words(n, 2), "expert": random_words(n, 1)}
        for bot, action in found.items():
            yield {
                "seat": view.seat,
                "view": b64encode(view.record.tobytes()).decode(),
                "legal": [number(move, view.offer) for move in legal],
                "bot": bot,
                "effort": EFFORT,
                "seed": n,
                "words": words.get(bot, []),
                "action": action,
            }


@pytest.mark.slow
def test_bots_decide_in_v8_as_in_python(tmp_path: Path) -> None:
    files = make_data_files(Catalog())
    tables = json.loads(files.index)["tables"]
    scenes = []
    for edition, seats in TABLES:
        name = edition.partition("+")[0]
        assert name in packaged()
        table, network = tmp_path / f"{edition}.table", tmp_path / f"{name}.network"
        table.write_bytes(files.read(tables[edition][str(seats)]) or b"")
        network.write_bytes(browser_network(name))

        def decided(edition: str = edition, seats: int = seats, name: str = name) -> list[Any]:
            return list(asked(edition, seats, SmallPlayers(packaged_network(name))))

        scene = apart(decided)
        assert len(scene) > 7 * 20
        routes = len(load_edition(edition).board.routes)
        scenes.append(
            {
                "title": f"{edition}, {seats} seats",
                "seats": seats,
                "routes": routes,
                "table": str(table),
                "network": str(network),
                "asked": scene,
            }
        )
    story = tmp_path / "story.json"
    story.write_text(json.dumps({"kernel": str(MODULE), "scenes": scenes}))
    done = subprocess.run(
        [ROOT / "tools" / "node.sh", "npx", "vitest", "run", "tests/players.test.ts"],
        env=os.environ | {"MACAZ_PLAYERS": str(story)},
        capture_output=True,
        text=True,
        check=False,
    )
    assert done.returncode == 0, (done.stdout + done.stderr)[-6000:]
    assert f"{len(scenes) + 3} passed" in done.stdout
