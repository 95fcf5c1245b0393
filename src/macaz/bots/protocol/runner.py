"""The bot's side of the protocol: a bot in Python as a program.

`run_bot` is for a bot by its text (`macaz bot run TEXT`), `serve_bot` for a class.
"""

from __future__ import annotations

import os
import sys
import threading
import traceback
from collections.abc import Callable, Sequence
from typing import TYPE_CHECKING, Any, NamedTuple

from macaz.bots import BOTS, COMMAND, Bot, Limit, close_bot, make_bot, with_limit
from macaz.bots.own import BotClass, class_name, find_class
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


class Served(NamedTuple):
    """A bot to run as a program: how it introduces itself, and how it is made."""

    name: str
    author: str
    make: Callable[[int | str, Limit | None], Bot]
    takes_limit: bool


def run_bot(text: str) -> None:
    """Run the bot of this text until `quit` or the end of the input; raises `UnknownBot`."""
    close_bot(make_bot(text))  # raises now if the text is wrong
    _serve(served_by_text(text))


def serve_bot(bot: Callable[..., Any], *, name: str = "", author: str = "") -> None:
    """Run a class of bots as a program that speaks the bot protocol, until it is told to quit.

    It reads the standard input and answers on the standard output; what the bot prints goes to the
    standard error. The bot introduces itself by `name`, or else by the name of its class; the class
    may have an attribute `author`.
    """
    called = name or getattr(bot, "__name__", "bot")
    own = BotClass.of(bot, called)
    close_bot(own.make(0))  # raises now if it cannot be made
    served = _served(own, called, None)
    _serve(served._replace(author=author) if author else served)


def served_by_text(text: str) -> Served:
    """A bot by its text; raises `UnknownBot` if it is an own class that is not there."""
    name = text.partition(":")[0]
    if name not in BOTS and name != COMMAND:
        own, given = find_class(text)
        return _served(own, class_name(text) or text, given)

    def make(seed: int | str, limit: Limit | None) -> Bot:
        return make_bot(text if limit is None else with_limit(text, limit), seed=seed)

    return Served(text, AUTHOR, make, name in BOTS and BOTS[name].limit is not None)


def _served(own: BotClass, name: str, given: Limit | None) -> Served:
    return Served(
        name,
        str(getattr(own.call, "author", "")),
        lambda seed, limit: own.make(seed, limit or given),
        own.takes_limit,
    )


def _serve(served: Served) -> None:
    """Handle the standard input until `quit` or its end."""
    # Other output of the process must not mix with the responses.
    sys.stdout.flush()
    with os.fdopen(os.dup(1), "wb") as responses:
        os.dup2(2, 1)

        def send(text: str) -> None:
            responses.write(f"{text}\n".encode())
            responses.flush()

        runner = BotRunner(served, send)
        for received in sys.stdin.buffer:
            if not runner.handle(received.decode()):
                break
        runner.close()


class BotRunner:
    """Handles the lines of the protocol for one bot."""

    def __init__(self, served: Served, send: Send) -> None:
        self._served, self._send = served, send
        self._warm = False
        self._spec: Spec | None = None
        self._seed = "0"
        self._position: Data = {}
        self._bots: dict[Limit | None, Bot] = {}
        self._decision: PendingDecision | None = None

    def handle(self, received: str) -> bool:
        """Handle a line; returns False after `quit`. Unknown lines are ignored."""
        word, rest = split(received)
        match word:
            case "macaz":
                name, author = self._served.name, self._served.author
                data = {"name": name, "author": author, "protocol": PROTOCOL}
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

    def close(self, patience: float = PATIENCE) -> None:
        """Release the resources of the bots, except of one that decides for longer than this."""
        busy, decision = None, self._decision
        if decision is not None:
            decision.join(patience)
            busy = decision.bot if decision.is_alive() else None
        for bot in self._bots.values():
            if bot is not busy:
                close_bot(bot)
        self._bots.clear()
        self._decision = None

    def _new_game(self, data: Data) -> None:
        self._spec, self._seed = read_table(data), data["seed"]
        self.close()
        if not self._warm:
            self._warm_up(self._spec)
            self._warm = True

    def _go(self, data: Data) -> None:
        if self._spec is None:
            raise ValueError("go came before newgame")
        view, legal = read_position(self._spec, self._position)
        asked = Limit(data.get("seconds"), data.get("effort"))
        limit = asked if any(asked) and self._served.takes_limit else None
        if limit not in self._bots:
            self._bots[limit] = self._served.make(self._seed, limit)
        self._decision = PendingDecision(self._bots[limit], view, legal, self._send)
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
            self.close(patience=0)  # one of them is still busy, and must not be used

    def _warm_up(self, spec: Spec) -> None:
        """Make one decision, so that the bot loads what it needs before the first real one."""
        from macaz.game import Game

        game = Game(spec.edition, spec.seats, seed=0)
        seat = game.deciding[0]
        bot = self._served.make(0, Limit(effort=1) if self._served.takes_limit else None)
        bot.choose(game.view(seat), list(game.legal_moves_of(seat)))
        close_bot(bot)


class PendingDecision(threading.Thread):
    """A decision in its own thread, so that `stop` can be read. It is answered once."""

    def __init__(self, bot: Bot, view: View, legal: Sequence[Move], send: Send) -> None:
        super().__init__(daemon=True)
        self.bot, self.view, self.legal = bot, view, legal
        self._send = send
        self._lock, self._answered = threading.Lock(), False

    def run(self) -> None:
        try:
            self.answer(self.bot.choose(self.view, self.legal))
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
