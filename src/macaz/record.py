"""Whole games as text files that people can read, compare and check.

`dump_record` and `load_record` are exact inverses; a loaded game has been replayed move by move
and has its whole history. `verify_record` proves that the cards were dealt as committed. The
format is described in docs/records.md, what the proof proves in docs/fairness.md.
"""

from __future__ import annotations

import contextlib
import os
import re
from dataclasses import dataclass
from typing import TYPE_CHECKING, Literal

from macaz.fair import Dealer
from macaz.record_read import Reader, Reading, fits
from macaz.record_text import (
    Line,
    RecordError,
    Scribe,
    compose,
    edition_name,
    read_date,
    script,
    state_of,
    terms,
)

if TYPE_CHECKING:
    import datetime

    from macaz.edition import Edition
    from macaz.game import Game

__all__ = [
    "Line",
    "Proof",
    "RecordError",
    "announcement",
    "dump_record",
    "load_record",
    "open_record",
    "save_record",
    "script",
    "verify_record",
]


def dump_record(game: Game, date: str | datetime.date | None = None, disclose: bool = True) -> str:
    """The game as text. It tells every hand: it is for after the game, or for the host's eyes.

    `disclose=False` keeps the dealer's secret out of the record of a game that goes on; when the
    game is over the secret is always told. The date is ISO 8601; without one, the game's own.
    """
    try:
        when = game.date if date is None else read_date(date)
    except ValueError as error:
        raise RecordError(None, f"{error}; expected one as in 2025-03-09") from None
    told = game.dealer if disclose or game.over else None
    secret = told.secret.hex() if told else None
    return compose(game, edition_name(game.edition), when, game.commitment, secret)


def load_record(
    text: str | bytes,
    *,
    edition: Edition | str | None = None,
    sealed: bool = True,
    target: str = "cpu",
) -> Game:
    """The game of a record, replayed; with its secret, if told, it can go on.

    `edition` takes the place of the one that the record names; its fingerprint must be the same.
    `sealed=False` reads a game that was edited by hand: the last line, the numbers of the turns
    and the result are not looked at. Raises `RecordError`.
    """
    reader = Reader(text, edition=edition, sealed=sealed, target=target)
    reading = reader.read()
    game = reading.game
    if reading.secret is not None:
        if reading.commitment is not None and not fits(reading.secret, reading.commitment):
            line = reader.header["secret"][0]
            raise RecordError(line, "the secret does not fit the commitment, its SHA-256")
        game.dealer = Dealer(bytes.fromhex(reading.secret))
        game.commitment = game.dealer.commitment
    return game


def save_record(
    path: str | os.PathLike[str],
    game: Game,
    date: str | datetime.date | None = None,
    disclose: bool = True,
) -> None:
    """Write the game to a file; a file that is there is replaced at once or not at all."""
    from pathlib import Path

    text = dump_record(game, date, disclose)
    target = Path(path).resolve()
    draft = target.with_name(f".{target.name}.{os.getpid()}.tmp")
    try:
        with draft.open("w", encoding="utf-8", newline="\n") as file:
            file.write(text)
            file.flush()
            os.fsync(file.fileno())
        draft.replace(target)
    except BaseException:
        with contextlib.suppress(OSError):
            draft.unlink(missing_ok=True)
        raise


def open_record(
    path: str | os.PathLike[str],
    *,
    edition: Edition | str | None = None,
    sealed: bool = True,
    target: str = "cpu",
) -> Game:
    """The game in a file; as `load_record`."""
    from pathlib import Path

    return load_record(Path(path).read_bytes(), edition=edition, sealed=sealed, target=target)


# -- fairness --------------------------------------------------------------------------------------

Verdict = Literal["fair", "unfair", "no-commitment", "no-secret", "wrong-secret", "not-announced"]


@dataclass(frozen=True, slots=True)
class Proof:
    """What a check of fairness found. `line` and what follows it: the first that does not fit."""

    verdict: Verdict
    message: str
    commitment: str | None = None
    checked: int = 0  # outcomes of chance that were drawn again and found right
    line: int | None = None
    turn: int | None = None
    dealt: str | None = None
    due: str | None = None

    @property
    def fair(self) -> bool:
        """Whether every outcome follows from the secret, and the secret fits."""
        return self.verdict == "fair"


def announcement(game: Game) -> str:
    """What to publish before the first card, so that nothing can be changed afterwards."""
    if game.commitment is None:
        raise ValueError("there is nothing to announce: the game has no dealer")
    lines = [*terms(game, edition_name(game.edition)), f"commitment: {game.commitment}"]
    return "".join(f"{line}\n" for line in lines)


def verify_record(
    text: str | bytes,
    *,
    announced: str | None = None,
    edition: Edition | str | None = None,
    target: str = "cpu",
) -> Proof:
    """Draw every outcome of a record again from its secret.

    `announced` is what was published before the game: an `announcement`, or the commitment alone.
    Raises `RecordError` for a record that cannot be read.
    """
    reader = Reader(text, edition=edition, target=target)
    reading = reader.read()
    secret, commitment = reading.secret, reading.commitment
    if commitment is None:
        said = "The record has no commitment: nothing was promised, so nothing can be proved."
        return Proof("no-commitment", said)
    if announced is not None and (differs := _differs(reader, announced)):
        line, message = differs
        return Proof("not-announced", message, commitment, line=line)
    if secret is None:
        said = "The secret has not been told yet: the deals can be proved fair when it is."
        return Proof("no-secret", said, commitment)
    if not fits(secret, commitment):
        said = "The secret is not the one that was committed to: its SHA-256 is not the commitment."
        return Proof("wrong-secret", said, commitment, line=reader.header["secret"][0])
    return _draw_again(reading, Dealer(bytes.fromhex(secret)))


def _differs(reader: Reader, announced: str) -> tuple[int | None, str] | None:
    """The first header that is not as announced, with the line it is on."""
    if re.fullmatch(r"\s*[0-9a-fA-F]{64}\s*", announced):
        announced = f"commitment: {announced.strip().lower()}"
    promised = {}
    for line in announced.splitlines():
        if not line.strip():
            break  # a whole record may be given: what was announced is its header
        key, colon, value = line.strip().partition(": ")
        if colon:
            promised[key] = value
    if "commitment" not in promised:
        raise ValueError("the announcement has no line 'commitment: …'")
    for key, value in promised.items():
        number, found = reader.header.get(key, (None, "nothing"))
        if key not in ("date", "result", "secret") and found != value:
            return number, f"Announced was {key}: {value}; the record has {found}."
    return None


def _draw_again(reading: Reading, dealer: Dealer) -> Proof:
    game = reading.game
    scribe = Scribe(game)
    count = 0
    for ply, step in enumerate(game.history):
        if step.seat is not None:
            continue
        # A copy: the kernel takes records it could write to.
        states = state_of(step.before).copy()
        way = dealer.draw(count, game.engine.chance_ways(states))
        outcome = game.engine.chance_outcome(states, way)
        if outcome != step.number:
            phase = int(states["phase"][0])
            dealt, due = scribe.chance(phase, step.number), scribe.chance(phase, outcome)
            line, turn = reading.lines[ply], reading.turns[ply]
            where = f"in turn {turn}" if turn else "in the setup"
            said = (
                f"Not dealt as committed: on line {line}, {where}, the record says {dealt!r}; "
                f"from the secret follows {due!r} (outcome {count} of chance)."
            )
            return Proof("unfair", said, dealer.commitment, count, line, turn, dealt, due)
        count += 1
    said = f"Fair: the secret fits the commitment, and all {count} outcomes of chance follow."
    return Proof("fair", said, dealer.commitment, count)
