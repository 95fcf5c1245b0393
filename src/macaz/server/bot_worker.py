"""The worker process for bots and advice: reads questions and writes answers, as JSON lines.

It answers one question after another; the line `Drop` makes it stop thinking about one.

It is started by `macaz.server.bots`, and ends at the end of its input, even while a bot thinks: a
server that is killed leaves no process behind.
"""

from __future__ import annotations

import faulthandler
import os
import sys
import threading
import time
import traceback
from contextlib import suppress
from functools import lru_cache, partial
from pathlib import Path
from queue import SimpleQueue
from typing import Literal

import msgspec
import numpy as np

from macaz.bots import BOTS, COMMAND, Bot, Limit, cancellation, make_bot, make_ready
from macaz.bots.external import BotFailed, ExternalBot
from macaz.edition import load_edition, read_edition
from macaz.errors import MacazError
from macaz.game.moves import notation_of
from macaz.game.view import View
from macaz.kernel.layout import dtype_of
from macaz.kernel.spec import Spec, compile_spec
from macaz.workers import CORES, GRACE, Parent, ignore_stops, stand_back

NICENESS = 10  # so that requests are served first
READY = b"ready"
TO_STOP = 2.5  # seconds of the time limit that are left for stopping a program
READY_SECONDS = 30.0  # for a program to get ready for a game; less than the parent waits


class Asked(msgspec.Struct, frozen=True, tag_field="kind"):
    """A position to think about: what one seat may know, and nothing else."""

    edition_name: str  # with its options, as "old-west+alvin"
    edition_text: str | None  # the file of a map that does not come with macaz
    seats: int
    view: bytes
    legal: tuple[int, ...]

    @property
    def position(self) -> View:
        """The view, decoded."""
        spec = _spec(self.edition_name, self.edition_text, self.seats)
        return View(spec, np.frombuffer(self.view, dtype_of("view")).copy())

    @property
    def thinker(self) -> str:
        """The name for messages and statistics: the bot, or "advice"."""
        return "advice"


class Question(Asked, frozen=True, tag="decide"):
    """A decision to make."""

    bot: str
    seed: str  # the same question with the same seed has the same answer, in any process
    game_seed: str = ""  # for programs: the same in all decisions of a seat, as `newgame` has it

    @property
    def thinker(self) -> str:
        return self.bot


class AdviceQuestion(Asked, frozen=True, tag="advise"):
    """Advice to give: `macaz.help.advice.Advice`."""

    effort: int
    seed: int


class JudgeQuestion(Asked, frozen=True, tag="judge"):
    """A decision of a finished game to judge: `macaz.help.advice.past.Judgement`."""

    seat: int
    played: int
    weigh: bool
    effort: int
    seed: int


Failure = Literal["", "dropped", "illegal", "raised"]
AnyQuestion = Question | AdviceQuestion | JudgeQuestion


class Think(msgspec.Struct, frozen=True, tag="think"):
    """A line to the process: a question, its number, and how many cores may think about it."""

    number: int
    cores: int
    question: AnyQuestion


class Drop(msgspec.Struct, frozen=True, tag="drop"):
    """A line to the process: the answer to this question is not needed any more."""

    number: int


class Answer(msgspec.Struct, frozen=True, omit_defaults=True):
    """An action, or advice, or the reason why there is neither."""

    action: int = -1
    found: bytes = b""  # advice or a judgement, as JSON
    failure: Failure = ""
    message: str = ""
    trace: str = ""


class Setup(msgspec.Struct, frozen=True):
    """The argument of the process."""

    limit: float  # seconds for a decision
    extra: dict[str, str]  # the texts of more bots, by name


class Extra:
    """The bots that the host offers besides those of Macaz.

    A program runs on for the next question, which may be of another game. It is given less than
    the time limit, so that it is stopped, and ended with its children, before this process is.
    """

    def __init__(self) -> None:
        self.texts: dict[str, str] = {}
        self.seconds = 0.0  # for a decision of a program
        self._programs: dict[str, ExternalBot] = {}

    def use(self, setup: Setup) -> None:
        self.texts = setup.extra
        self.seconds = max(setup.limit - TO_STOP, setup.limit / 2)

    def text(self, question: Question) -> str:
        """The text of the bot that answers a question."""
        return self.texts.get(question.bot, question.bot)

    def bot(self, question: Question) -> Bot:
        """The bot that answers a question."""
        program = self.program(question)
        return program or make_bot(self.text(question), seed=question.seed)

    def program(self, question: Question) -> ExternalBot | None:
        """The program that answers a question, if it is one."""
        kind, _, command = self.text(question).partition(":")
        if kind != COMMAND:
            return None
        if command not in self._programs:
            made = ExternalBot(command, ready_seconds=READY_SECONDS)
            limit = made.limit or Limit()
            seconds = min(limit.seconds or self.seconds, self.seconds)
            made.limit = limit._replace(seconds=seconds)
            self._programs[command] = made
        program = self._programs[command]
        program.seed = question.game_seed or question.seed
        return program

    def kill(self) -> None:
        """End all programs at once."""
        for program in list(self._programs.values()):
            with suppress(Exception):  # another thread may be using it
                program.kill()


_extra = Extra()
_DECODER = msgspec.json.Decoder(Think | Drop)


def answer(question: AnyQuestion) -> Answer:
    """Answer a question; errors of a bot become a failure in the answer."""
    try:
        match question:
            case AdviceQuestion():
                return _advise(question)
            case JudgeQuestion():
                return _judge(question)
        return _decide(question)
    except cancellation.Cancelled:
        return Answer(failure="dropped")
    except Exception as error:
        return _failed(error)


def _failed(error: Exception) -> Answer:
    trace = "".join(traceback.format_exception(error))
    if isinstance(error, BotFailed):
        failure: Failure = "illegal" if error.reason == "illegal" else "raised"
        return Answer(failure=failure, message=str(error), trace=trace)
    return Answer(failure="raised", message=f"{type(error).__name__}: {error}", trace=trace)


def _decide(question: Question) -> Answer:
    view = question.position
    notation, offer = notation_of(view.spec), view.offer
    legal = [notation.move(action, offer) for action in question.legal]
    move = _extra.bot(question).choose(view, tuple(legal))
    if move not in legal:
        return Answer(failure="illegal", message=f"it chose {move!r}, which is not legal here")
    return Answer(question.legal[legal.index(move)])


def _advise(question: AdviceQuestion) -> Answer:
    from macaz.help.advice import advise

    view = question.position
    notation, offer = notation_of(view.spec), view.offer
    legal = [notation.move(action, offer) for action in question.legal]
    found = advise(view, legal, limit=Limit(effort=question.effort), seed=question.seed)
    return Answer(found=msgspec.json.encode(found))


def _judge(question: JudgeQuestion) -> Answer:
    from macaz.help.advice.past import Decision, judge

    decision = Decision(question.seat, question.position, question.legal, question.played)
    limit = Limit(effort=question.effort)
    found = judge(decision, limit, question.seed, weigh=question.weigh)
    return Answer(found=msgspec.json.encode(found))


def _make_ready(question: AnyQuestion) -> Answer | None:
    """Load what is needed to answer, before the time limit starts.

    Returns the answer if a program fails: to start it again may take longer than the limit.
    """
    try:
        if isinstance(question, Question) and (program := _extra.program(question)):
            program.prepare(question.position)
            return None
    except MacazError as error:
        return _failed(error)
    if not isinstance(question, Question):
        from macaz.help.compiled.program import analysis

        analysis()
        return None
    bot = _extra.text(question)
    with suppress(MacazError):  # it is raised again while answering, and reported then
        make_ready(bot)
        kind = BOTS.get(bot.partition(":")[0])
        if kind is not None and kind.network:
            from macaz.bots.network import network_for

            network_for(question.position.edition)
    return None


@lru_cache(maxsize=64)
def _spec(name: str, text: str | None, seats: int) -> Spec:
    edition = load_edition(name) if text is None else read_edition(text, name.split("+")[1:])
    return compile_spec(edition, seats)


def main() -> None:
    """Answer the questions of standard input until it ends."""
    setup = msgspec.json.decode(sys.argv[1], type=Setup)
    stand_back(NICENESS)
    ignore_stops()
    _extra.use(setup)
    parent = Parent()  # what a bot prints goes to the log
    lines: SimpleQueue[Think | None] = SimpleQueue()
    current = _Current()
    parent.listen(partial(_hear, lines, current), partial(_end, lines))
    parent.tell(READY)
    while task := lines.get():
        current.forget()
        failed = _make_ready(task.question)
        os.environ[CORES] = str(task.cores)
        parent.tell(READY)
        with Path(os.devnull).open("w") as nowhere:
            # Compiled code may block all Python threads; this timer is not a Python thread. It
            # leaves `_end` time to end the programs, after the parent has closed the input.
            faulthandler.dump_traceback_later(setup.limit + 3 * GRACE, exit=True, file=nowhere)
            found = failed or current.answer(task)
            faulthandler.cancel_dump_traceback_later()
        parent.tell(msgspec.json.encode(found))


class _Current:
    """The question that is being answered, which another thread may drop."""

    def __init__(self) -> None:
        self._lock = threading.Lock()
        self._number = 0
        self._dropped = 0  # the number of the last one

    def forget(self) -> None:
        """Forget the last question: to drop it now, too late, must not stop what follows."""
        with self._lock:
            self._number = 0
            cancellation.reset()

    def answer(self, task: Think) -> Answer:
        """Answer a question, unless it is dropped."""
        with self._lock:
            self._number = task.number
            cancellation.reset()
            if self._dropped == task.number:
                return Answer(failure="dropped")
        return answer(task.question)

    def drop(self, number: int) -> None:
        """Drop a question; called from another thread."""
        with self._lock:
            self._dropped = number
            if number == self._number:
                cancellation.cancel()


def _hear(lines: SimpleQueue[Think | None], current: _Current, line: bytes) -> None:
    """Handle a line of input: queue a question, or drop it."""
    message = _DECODER.decode(line)
    if isinstance(message, Drop):
        current.drop(message.number)
    else:
        lines.put(message)


def _end(lines: SimpleQueue[Think | None]) -> None:
    """Handle the end of input: exit, after `GRACE` seconds even while a bot thinks."""
    try:
        lines.put(None)
        time.sleep(GRACE)
        _extra.kill()
    finally:
        os._exit(1)


if __name__ == "__main__":
    main()
