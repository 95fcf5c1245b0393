"""Write the positions of the lessons as the page reads them: web/src/lessons/states.ts.

The positions themselves are JSON files in web/src/lessons/positions, as docs/positions.md
describes them. The page has no reader for that format: it is given the kernel's records.
"""

import base64
import json
from pathlib import Path

from macaz.game import Game
from macaz.game.position import load_position

LESSONS = Path(__file__).resolve().parent.parent / "web" / "src" / "lessons"
FILE = LESSONS / "states.ts"
WIDTH = 100
HEAD = """\
// Written by tools/make_lessons.py from positions/*.json. Do not edit.

export interface Position {
  /** with its options */
  edition: string;
  fingerprint: string;
  seats: number;
  /** the kernel's record of the state, in base64 */
  state: string;
}

"""


def game_of(path: Path) -> Game:
    """The game that begins with a position of a lesson; raises `InvalidPosition`."""
    game = load_position(path.read_text(encoding="utf-8"))
    assert isinstance(game, Game), f"{path.name} is a view: leave its entry `seat` out"
    return game


def text() -> str:
    """The file."""
    entries = []
    for path in sorted((LESSONS / "positions").glob("*.json")):
        game = game_of(path)
        record = base64.b64encode(game.state.tobytes()).decode()
        lines = [record[i : i + WIDTH] for i in range(0, len(record), WIDTH)]
        state = " +\n      ".join(json.dumps(line) for line in lines)
        key = path.stem if path.stem.isidentifier() else json.dumps(path.stem)
        entries.append(
            f'  {key}: {{\n    edition: "{game.edition.qualified_id}",\n'
            f'    fingerprint: "{game.edition.fingerprint}",\n    seats: {game.seats},\n'
            f"    state:\n      {state},\n  }},\n"
        )
    return (
        HEAD
        + "export const POSITIONS = {\n"
        + "".join(entries)
        + "} satisfies Record<string, Position>;\n"
    )


if __name__ == "__main__":
    FILE.write_text(text(), encoding="utf-8")
