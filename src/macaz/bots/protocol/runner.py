"""The bot's side of the protocol, for bots of Macaz: `macaz bot run NAME`."""

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

Send = Callable[[str], None]
AUTHOR = "Macaz"
QUICK = "greedy"  # the bot that decides if another is stopped
PATIENCE = 0.5  # seconds that a decision may take after `stop`


def run_bot(text: str, source: BinaryIO, sink: BinaryIO) -> None:
    """Run the bot of this text until `quit` or the end of the input."""
    make_bot(text)  # raises now if the text is wrong

    def send(text: str) -> None:
        sink.write(f"{text}\n".encode())
        sink.flush()

    runner = BotRunner(text, send)
    for received in source:
        if not runner.handle(received.decode()):
            break


class BotRunner:
    """Handles the lines of the protocol for one bot."""

    def __init__(self, text: str, send: Send) -> None:
        self._text, self._send = text, send
        self._warm = False
        self._spec: Spec | None = None
        self._seed = "0"
        self._position: Data = {}
        self._bots: dict[str, Bot] = {}
        self._decision: PendingDecision | None = None

    def handle(self, received: str) -> bool:
        """Handle a line; returns False after `quit`. Unknown lines are ignored."""
        word, rest = split(received)
        match word:
            case "macaz":
                data = {"name": self._text, "author": AUTHOR, "protocol": PROTOCOL}
                self._send(line("bot", data))
            case "newgame":
                self._new_game(read_data(rest))
                self._send("ready")
            case "position":
                self._position = read_data(rest)
            case "go":
                self._go(read_data(rest))
            case "stop":
                self._stop()
        return word != "quit"

    def _new_game(self, data: Data) -> None:
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
        self._decision = PendingDecision(self._bots[text], view, legal, self._send)
        self._decision.start()

    def _stop(self) -> None:
        """Answer at once, with the move of a quick bot if this one is not ready."""
        decision = self._decision
        if decision is None:
            return
        decision.join(PATIENCE)
        if decision.is_alive():
            quick = make_bot(QUICK, seed=self._seed)
            decision.answer(quick.choose(decision.view, decision.legal))
            self._bots.clear()  # one of them is still busy, and must not be used


class PendingDecision(threading.Thread):
    """A decision in its own thread, so that `stop` can be read. It is answered once."""

    def __init__(self, bot: Bot, view: View, legal: Sequence[Move], send: Send) -> None:
        super().__init__(daemon=True)
        self.view, self.legal = view, legal
        self._bot, self._send = bot, send
        self._lock, self._answered = threading.Lock(), False

    def run(self) -> None:
        try:
            self.answer(self._bot.choose(self.view, self.legal))
        except Exception:
            traceback.print_exc()
            sys.stderr.flush()
            os._exit(1)  # the main thread waits for input, and would not see the exception

    def answer(self, move: Move) -> None:
        """Send a move, unless one was sent."""
        with self._lock:
            if not self._answered:
                self._answered = True
                self._send(f"move {notation_of(self.view.spec).text(move)}")


def _warm_up(text: str, spec: Spec) -> None:
    """Make one decision, so that the bot loads what it needs before the first real one."""
    from macaz.game import Game

    game = Game(spec.edition, spec.seats, seed=0)
    seat = game.deciding[0]
    make_bot(text).choose(game.view(seat), list(game.legal_moves_of(seat)))
