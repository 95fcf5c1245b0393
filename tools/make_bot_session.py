"""Write the example session of docs/bot-protocol.md by running examples/bots/railway.py."""

import json
import sys
from collections.abc import Sequence
from pathlib import Path
from textwrap import wrap
from typing import Any

from macaz.bots import Limit
from macaz.bots.protocol.dialogue import Dialogue
from macaz.bots.protocol.lines import split
from macaz.bots.protocol.program import Program
from macaz.game import Game

ROOT = Path(__file__).resolve().parent.parent
PAGE = ROOT / "docs" / "bot-protocol.md"
START = "<!-- Written by tools/make_bot_session.py from a real session. Do not edit. -->\n"
END = "<!-- The end of the session. -->\n"
WIDTH = 96
WHOLE_WORDS: Any = {"break_long_words": False, "break_on_hyphens": False}


class Overheard(Program):
    """A program of which every line is written down, both ways."""

    def __init__(self, command: Sequence[str]) -> None:
        super().__init__(command)
        self.told: list[str] = []

    def send(self, *lines: str) -> None:
        """Say something."""
        self.told += [f"→ {shown(text)}" for text in lines]
        super().send(*lines)

    def receive(self, deadline: float) -> str | None:
        """Hear something."""
        text = super().receive(deadline)
        if text is not None:
            self.told.append(f"← {text}")
        return text


def shown(text: str) -> str:
    """A line as a person can read it: entries that fit share one."""
    word, rest = split(text)
    if len(text) <= WIDTH or not rest.startswith("{"):
        return text
    return f"{word} {entries(json.loads(rest))}"


def entries(data: dict[str, Any], indent: str = "  ") -> str:
    """An object with its entries below each other, objects within it likewise."""
    lines = [""]
    for key, value in data.items():
        shown = json.dumps(value, ensure_ascii=False)
        if isinstance(value, list) and value and isinstance(value[0], dict):
            rows = f",\n{indent}  ".join(json.dumps(row, ensure_ascii=False) for row in value)
            entry = f'"{key}": [\n{indent}  {rows}]'
        elif isinstance(value, dict) and '": [{' in shown:
            entry = f'"{key}": {entries(value, indent + "  ")}'
        else:
            entry = f"{json.dumps(key)}: {shown}"
            entry = "\n".join(wrap(entry, WIDTH, subsequent_indent=indent + "  ", **WHOLE_WORDS))
        if "\n" in entry or "\n" in lines[-1] or len(lines[-1]) + len(entry) > WIDTH:
            lines.append(entry)
        else:
            lines[-1] += f", {entry}" if lines[-1] else entry
    return "{" + f",\n{indent}".join(filter(None, lines)) + "}"


def session() -> list[str]:
    """Two decisions of a game, from hello to quit."""
    heard = Overheard([sys.executable, str(ROOT / "examples" / "bots" / "railway.py")])
    bot = Dialogue(heard)
    bot.hello()
    game = Game("tiny", 2, seed=7, first=0)
    bot.new_game(game.spec, 0, "Friday")
    for _ in range(2):
        move = bot.decide(game.view(0), list(game.legal_moves_of(0)), Limit(seconds=0.5))
        game.push(move, 0)
        while game.turn != 0:  # the other seat does the first thing allowed
            game.push(next(iter(game.legal_moves)))
    heard.close()
    return heard.told


def page() -> str:
    """The page with the session as it goes now."""
    before, start, rest = PAGE.read_text(encoding="utf-8").partition(START)
    _, end, after = rest.partition(END)
    assert start, "the page has lost the mark before its session"
    assert end, "the page has lost the mark after its session"
    told = "\n".join(session())
    return f"{before}{START}\n```text\n{told}\n```\n\n{END}{after}"


if __name__ == "__main__":
    PAGE.write_text(page(), encoding="utf-8")
    print(f"Wrote {PAGE}")
