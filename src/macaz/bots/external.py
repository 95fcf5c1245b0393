"""External bots: programs in any language that implement the protocol of `docs/bot-protocol.md`.

The text of such a bot is `cmd:COMMAND`, with an optional limit: `cmd:0.5s:python3 mybot.py` in
seconds, `cmd:400:python3 mybot.py` as an effort. The command is not run by a shell.
"""

from __future__ import annotations

import re
import shlex
import shutil
from collections.abc import Sequence
from typing import TYPE_CHECKING

from macaz.bots import Limit, UnknownBot, read_limit
from macaz.bots.protocol.dialogue import Dialogue
from macaz.bots.protocol.failure import BotFailed
from macaz.bots.protocol.program import Program

if TYPE_CHECKING:
    from macaz.game.moves import Move
    from macaz.game.view import View
    from macaz.kernel.spec import Spec

__all__ = ["BotFailed", "ExternalBot"]


class ExternalBot:
    """A bot that is a program. It is started for the first decision, and runs until `close`.

    If it crashes, is late or gives an invalid answer, the program is killed and `BotFailed` is
    raised; the next decision starts it again. It has `ready_seconds` to get ready for a game; by
    default as many as the protocol says.
    """

    def __init__(
        self, text: str, seed: int | str = 0, *, ready_seconds: float | None = None
    ) -> None:
        self.limit, self.command = read_command(text)
        self.seed = seed
        self._ready_seconds = ready_seconds
        self._dialogue: Dialogue | None = None
        self._table: tuple[Spec, int, int | str] | None = None
        self._prepared = False

    def prepare(self, view: View) -> None:
        """Start the program, and let it get ready for the game of this view."""
        try:
            self._sit_down(view)
            self._prepared = True
        except BaseException:
            self.kill()
            raise

    def choose(self, view: View, legal: Sequence[Move]) -> Move:
        try:
            dialogue = self._sit_down(view)
            self._prepared = False
            return dialogue.decide(view, legal, self.limit)
        except BaseException:  # a late answer must not be taken for that of the next question
            self.kill()
            raise

    def kill(self) -> None:
        """End the program at once, if it runs."""
        if self._dialogue is not None:
            self._dialogue.program.kill()
        self._dialogue = self._table = None

    def close(self) -> None:
        """Stop the program, if it runs."""
        if self._dialogue is not None:
            self._dialogue.program.close()
        self._dialogue = self._table = None

    def _sit_down(self, view: View) -> Dialogue:
        """The running program, which knows the game."""
        if view.seat is None:
            raise ValueError("a spectator has nothing to decide")
        if self._dialogue is None:
            self._dialogue = Dialogue(Program(self.command), self._ready_seconds)
            self._dialogue.hello()
        table = (view.spec, view.seat, self.seed)
        # A seat chooses setup tickets once in a game, so this is a new game.
        if table != self._table or (view.phase == "choose" and not self._prepared):
            self._dialogue.new_game(*table)
            self._table = table
        return self._dialogue


def read_command(text: str) -> tuple[Limit | None, list[str]]:
    """The limit and the arguments of a command; `UnknownBot` if there is no such program."""
    limit = None
    if found := re.match(r"([\d.]+s?):", text):
        limit, text = read_limit(found[1]), text[found.end() :]
    try:
        words = shlex.split(text)
    except ValueError as error:
        raise UnknownBot(f"the command {text!r} cannot be parsed: {error}.") from None
    if not words:
        raise UnknownBot("there is no command: write it as in 'cmd:python3 mybot.py'.")
    if shutil.which(words[0]) is None:
        raise UnknownBot(
            f"there is no program {words[0]!r} that can be run. "
            "Write its path, or that of its interpreter before it, as in 'python3 mybot.py'."
        )
    return limit, words
