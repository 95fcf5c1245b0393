"""A process in which bots think: a question a line comes in, an answer a line goes out, as JSON.

It is started by `macaz.server.bots`, and ends when nobody can ask it any more: a server that is
killed leaves no process behind, however long the bot wants to think.
"""

from __future__ import annotations

import faulthandler
import os
import signal
import sys
import threading
import time
import traceback
from contextlib import suppress
from functools import lru_cache
from pathlib import Path
from queue import SimpleQueue
from typing import BinaryIO, Literal

import msgspec
import numpy as np

from macaz.bots import BOTS, Kind, make_bot
from macaz.edition import load_edition, read_edition
from macaz.kernel.layout import dtype_of
from macaz.kernel.spec import Spec, compile_spec
from macaz.moves import notation_of
from macaz.view import View

NICENESS = 10  # clicks come first
GRACE = 1.0  # seconds to end by itself
READY = b"ready\n"


class Question(msgspec.Struct, frozen=True):
    """A decision to make: all that a bot may know, and nothing else."""

    edition_name: str  # with its options, as "old-west+alvin"
    edition_text: str | None  # the file of a map that does not come with macaz
    seats: int
    view: bytes
    legal: tuple[int, ...]
    bot: str
    seed: str  # the same question with the same seed has the same answer, whoever thinks


class Answer(msgspec.Struct, frozen=True, omit_defaults=True):
    """The action decided on, or why there is none."""

    action: int = -1
    failure: Literal["", "illegal", "raised"] = ""
    message: str = ""
    trace: str = ""


class Setup(msgspec.Struct, frozen=True):
    """What a process is told when it starts."""

    limit: float  # seconds for a decision
    extra: dict[str, str]  # more bots: their places by their names


def answer(question: Question) -> Answer:
    """What the bot decides."""
    try:
        return _decide(question)
    except Exception as error:
        words = f"{type(error).__name__}: {error}"
        return Answer(failure="raised", message=words, trace=traceback.format_exc())


def _decide(question: Question) -> Answer:
    spec = _spec(question.edition_name, question.edition_text, question.seats)
    view = View(spec, np.frombuffer(question.view, dtype_of("view")).copy())
    notation, offer = notation_of(spec), view.offer
    legal = [notation.move(action, offer) for action in question.legal]
    move = make_bot(question.bot, seed=question.seed).choose(view, tuple(legal))
    if move not in legal:
        return Answer(failure="illegal", message=repr(move))
    return Answer(question.legal[legal.index(move)])


@lru_cache(maxsize=64)
def _spec(name: str, text: str | None, seats: int) -> Spec:
    edition = load_edition(name) if text is None else read_edition(text, name.split("+")[1:])
    return compile_spec(edition, seats)


def main() -> None:
    """Answer the questions of standard input until it ends."""
    setup = msgspec.json.decode(sys.argv[1], type=Setup)
    _settle()
    BOTS.update({name: Kind(place, "") for name, place in setup.extra.items()})
    # What a bot prints goes to the log, and what it reads is nothing: the pipes are ours.
    asked, told = os.fdopen(os.dup(0), "rb"), os.fdopen(os.dup(1), "wb")
    with Path(os.devnull).open("rb") as nothing:
        os.dup2(nothing.fileno(), 0)
    os.dup2(2, 1)
    lines: SimpleQueue[bytes] = SimpleQueue()
    threading.Thread(target=_listen, args=(asked, lines), daemon=True).start()
    _tell(told, READY)
    while line := lines.get():
        question = msgspec.json.decode(line, type=Question)
        with Path(os.devnull).open("w") as nowhere:
            # Compiled code may keep every other thread of ours from running; this one it cannot.
            faulthandler.dump_traceback_later(setup.limit + GRACE, exit=True, file=nowhere)
            found = answer(question)
            faulthandler.cancel_dump_traceback_later()
        _tell(told, msgspec.json.encode(found) + b"\n")


def _settle() -> None:
    """Stand back, and leave it to the server when to end."""
    if hasattr(os, "nice"):
        os.nice(NICENESS)
    for number in (signal.SIGINT, signal.SIGTERM):
        signal.signal(number, signal.SIG_IGN)


def _listen(asked: BinaryIO, lines: SimpleQueue[bytes]) -> None:
    """Pass questions on; when there can be no more, end, if need be in the midst of a thought."""
    for line in asked:
        lines.put(line)
    lines.put(b"")
    time.sleep(GRACE)
    os._exit(1)


def _tell(told: BinaryIO, line: bytes) -> None:
    # Where nobody listens any more, no question comes any more either.
    with suppress(BrokenPipeError):
        told.write(line)
        told.flush()


if __name__ == "__main__":
    main()
