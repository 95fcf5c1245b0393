"""The bot's side of the protocol, for our own bots: `macaz bot run NAME`."""

from __future__ import annotations

import os
import sys
import threading
import traceback
from collections.abc import Callable, Sequence
from typing import TYPE_CHECKING, BinaryIO

from macaz.bots import Bot, Limit, make_bot, with_limit
from macaz.bots.protocol import PROTOCOL
from macaz.bots.protocol.lines import line, read_data, split
from macaz.bots.protocol.position import read_position
from macaz.bots.protocol.table import read_table
from macaz.game.moves import notation_of

if TYPE_CHECKING:
    from macaz.bots.protocol.lines import Data
    from macaz.game.moves import Move
    from macaz.game.view import View
    from macaz.kernel.spec import Spec

Tell = Callable[[str], None]
AUTHOR = "Macaz"
QUICK = "greedy"  # decides for a bot that has no time to
PATIENCE = 0.5  # seconds that a thought may need to come to its end once it is stopped


def speak(text: str, asked: BinaryIO, told: BinaryIO) -> None:
    """Play as the bot of this text until nobody asks any more."""
    make_bot(text)  # a name that is wrong is told at once

    def tell(what: str) -> None:
        told.write(f"{what}\n".encode())
        told.flush()

    speaker = Speaker(text, tell)
    for heard in asked:
        if not speaker.hear(heard.decode()):
            break


class Speaker:
    """Hears lines, and says what a bot of ours decides."""

    def __init__(self, text: str, tell: Tell) -> None:
        self._text, self._tell = text, tell
        self._warm = False
        self._spec: Spec | None = None
        self._seed = "0"
        self._position: Data = {}
        self._bots: dict[str, Bot] = {}
        self._thought: Thought | None = None

    def hear(self, heard: str) -> bool:
        """Do what a line says; False when it is the last. Unknown lines are for others."""
        word, rest = split(heard)
        match word:
            case "macaz":
                data = {"name": self._text, "author": AUTHOR, "protocol": PROTOCOL}
                self._tell(line("bot", data))
            case "newgame":
                self._sit_down(read_data(rest))
                self._tell("ready")
            case "position":
                self._position = read_data(rest)
            case "go":
                self._go(read_data(rest))
            case "stop":
                self._stop()
        return word != "quit"

    def _sit_down(self, data: Data) -> None:
        self._spec, self._seed = read_table(data), data["seed"]
        self._bots.clear()
        if not self._warm:
            _warm_up(with_limit(self._text, Limit(effort=1)), self._spec)
            self._warm = True

    def _go(self, data: Data) -> None:
        if self._spec is None:
            raise ValueError("go came before newgame")
        view, legal = read_position(self._spec, self._position)
        limit = Limit(data.get("seconds"), data.get("effort"))
        text = with_limit(self._text, limit) if any(limit) else self._text
        if text not in self._bots:
            self._bots[text] = make_bot(text, seed=self._seed)
        self._thought = Thought(self._bots[text], view, legal, self._tell)
        self._thought.start()

    def _stop(self) -> None:
        """Answer at once, with a quick decision where the bot's own is not to be had."""
        thought = self._thought
        if thought is None:
            return
        thought.join(PATIENCE)
        if thought.is_alive():
            thought.answer(make_bot(QUICK, seed=self._seed).choose(thought.view, thought.legal))
            self._bots.clear()  # one of them still thinks, and must not be asked meanwhile


class Thought(threading.Thread):
    """A decision on its way, beside which `stop` can be heard. It is told once."""

    def __init__(self, bot: Bot, view: View, legal: Sequence[Move], tell: Tell) -> None:
        super().__init__(daemon=True)
        self.view, self.legal = view, legal
        self._bot, self._tell = bot, tell
        self._lock, self._told = threading.Lock(), False

    def run(self) -> None:
        """Decide."""
        try:
            self.answer(self._bot.choose(self.view, self.legal))
        except Exception:
            traceback.print_exc()
            sys.stderr.flush()
            os._exit(1)  # nobody would hear of it otherwise: the program would wait for a line

    def answer(self, move: Move) -> None:
        """Tell a decision, unless one was told."""
        with self._lock:
            if not self._told:
                self._told = True
                self._tell(f"move {notation_of(self.view.spec).text(move)}")


def _warm_up(text: str, spec: Spec) -> None:
    """Let a bot load what it needs now, not in its first decision."""
    from macaz.game import Game

    game = Game(spec.edition, spec.seats, seed=0)
    seat = game.deciding[0]
    make_bot(text).choose(game.view(seat), list(game.legal_moves_of(seat)))
