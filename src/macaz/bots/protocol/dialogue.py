"""The client's side of the protocol: requests to a program, each with a deadline."""

from __future__ import annotations

import time
from collections.abc import Sequence
from typing import TYPE_CHECKING, NamedTuple

from macaz.bots import Limit
from macaz.bots.protocol import PROTOCOL
from macaz.bots.protocol.lines import line, read_data, split
from macaz.bots.protocol.position import position_message
from macaz.bots.protocol.program import GRACE
from macaz.bots.protocol.table import table_message
from macaz.game.moves import MoveError, notation_of

if TYPE_CHECKING:
    from macaz.bots.protocol.lines import Data
    from macaz.bots.protocol.program import Program
    from macaz.game.moves import Move
    from macaz.game.view import View
    from macaz.kernel.spec import Spec

HELLO_SECONDS = 10.0
READY_SECONDS = 300.0  # it may have much to load, or to compile
MOST_SECONDS = 30.0  # for a decision without a limit in seconds
LONGEST_MOVE = 1000  # characters


class BotInfo(NamedTuple):
    """What a program says about itself."""

    name: str
    author: str


class Dialogue:
    """Talks to a program by the protocol. It cannot be used after a `BotFailed`."""

    def __init__(self, program: Program, ready_seconds: float | None = None) -> None:
        self.program = program
        self._ready_seconds = READY_SECONDS if ready_seconds is None else ready_seconds

    def hello(self) -> BotInfo:
        """Exchange greetings, and check the protocol version."""
        self.program.ask(f"macaz {PROTOCOL}")
        text = self.answer("bot", HELLO_SECONDS)
        try:
            data = read_data(text)
        except ValueError as error:
            raise self.program.failed("garbled", f"its hello is invalid: {error}") from None
        if data.get("protocol") != PROTOCOL:
            what = f"it uses protocol {data.get('protocol')!r}, not {PROTOCOL}"
            raise self.program.failed("garbled", what)
        return BotInfo(str(data.get("name", "")), str(data.get("author", "")))

    def new_game(self, spec: Spec, seat: int, seed: int | str, **more: object) -> None:
        """Start a game, and wait until the program is ready. `more` entries are for `check`."""
        self.program.ask(line("newgame", table_message(spec, seat, seed) | more))
        self.answer("ready", self._ready_seconds)

    def decide(self, view: View, legal: Sequence[Move], limit: Limit | None = None) -> Move:
        """Ask for a move; after its time the program is told to stop. Raises `BotFailed`."""
        self.question(view, legal, limit)
        seconds = MOST_SECONDS if limit is None or limit.seconds is None else limit.seconds
        text = self._receive("move", seconds)
        if text is None:
            text = self.stop(seconds)
        return self.read_move(view, legal, text)

    def question(
        self, view: View, legal: Sequence[Move], limit: Limit | None, **more: object
    ) -> None:
        """Send a position and the request for a move."""
        self.program.ask(
            line("position", position_message(view, legal) | more),
            line("go", go_message(limit) | more),
        )

    def stop(self, seconds: float) -> str:
        """Tell it to answer at once; returns its answer. `seconds` is for the error message."""
        self.program.send("stop")
        text = self._receive("move", GRACE)
        if text is None:
            what = f"no move after {seconds:g} seconds, nor {GRACE:g} seconds after stop"
            raise self.program.failed("timeout", what)
        return text

    def read_move(self, view: View, legal: Sequence[Move], text: str) -> Move:
        """The legal move of an answer, which is an action number or text."""
        notation = notation_of(view.spec)
        for move in legal:
            if text in (notation.text(move), str(notation.action(move, view.offer))):
                return move
        if len(text) > LONGEST_MOVE:
            raise self.program.failed("illegal", f"its move has {len(text)} characters")
        seat = view.seat if view.phase == "choose" and view.seat is not None else -1
        try:
            move = notation.parse(text, seat)
        except MoveError as error:
            raise self.program.failed("illegal", f"it answered {text!r}: {error}") from None
        if move not in legal:
            raise self.program.failed("illegal", f"it answered {text!r}, which is not legal here")
        return move

    def answer(self, word: str, seconds: float) -> str:
        """The rest of its next line with this word, within so many seconds."""
        text = self._receive(word, seconds)
        if text is None:
            raise self.program.failed("timeout", f"no {word!r} after {seconds:g} seconds")
        return text

    def _receive(self, word: str, seconds: float) -> str | None:
        deadline = time.monotonic() + seconds
        while (text := self.program.receive(deadline)) is not None:
            found, rest = split(text)
            if found == word:  # other lines are ignored
                return rest
        return None


def go_message(limit: Limit | None) -> Data:
    """The data of `go`."""
    if limit is None:
        return {}
    return {name: value for name, value in limit._asdict().items() if value is not None}
