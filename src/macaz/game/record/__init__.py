"""Whole games as text files that people can read, compare and check.

`dump_record` and `load_record` are exact inverses; a loaded game has been replayed move by move
and has its whole history. `verify_record` checks that the cards were dealt as committed. The
format is described in docs/records.md, what the proof proves in docs/fairness.md.
"""

from __future__ import annotations

import contextlib
import os
import re
import secrets
from dataclasses import dataclass
from functools import partial
from typing import TYPE_CHECKING, Literal

from macaz.game.fair import Dealer, pledge_of
from macaz.game.record.read import Reader, Reading, fits
from macaz.game.record.text import (
    Line,
    Notes,
    RecordError,
    Scribe,
    compose,
    file_name,
    read_date,
    script,
    terms,
)
from macaz.kernel.compile import AUTO

if TYPE_CHECKING:
    import datetime
    from collections.abc import Sequence
    from pathlib import Path

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


def dump_record(game: Game, date: str | datetime.date | None = None, disclose: bool = False) -> str:
    """The game as text. It tells every hand: it is for after the game, or for the host's eyes.

    The dealer's secret is told when the game is over; before that only with `disclose=True`,
    which the host's own copy needs to go on. A seed is no secret, and always told. The date is
    ISO 8601; without one, the game's own.
    """
    _check_start(game)
    try:
        when = game.date if date is None else read_date(date)
    except ValueError as error:
        raise RecordError(None, f"{error}; expected one as in 2025-03-09") from None
    edition, dealer = game.edition, game.dealer
    if dealer is not None and dealer.seed is not None:
        notes = Notes(edition.qualified_id, file_name(edition), when, dealer.seed)
    else:
        told = dealer is not None and (disclose or game.over)
        secret = dealer.secret.hex() if dealer is not None and told else None
        notes = Notes(edition.qualified_id, file_name(edition), when, None, game.commitment, secret)
    return compose(game, notes)


def _check_start(game: Game) -> None:
    if not game.from_start:
        raise RecordError(
            None,
            "a record tells a game from its start, and this one began with a position; "
            "position.dump_position writes where it is now",
        )


def load_record(
    text: str | bytes,
    *,
    edition: Edition | str | None = None,
    folders: Sequence[Path] = (),
    sealed: bool = True,
    target: str = AUTO,
) -> Game:
    """The game of a record, replayed; with its secret or seed, if told, it can go on.

    If it stopped while chance was to act, chance then acts. `edition` takes the place of the one
    that the record names; its fingerprint must be the same. A map of one's own is looked for in
    `folders`, by the name of its file; without them no file is opened.
    `sealed=False` reads a game that was edited by hand: the last line, the numbers of the turns
    and the result are not looked at. Raises `RecordError`.
    """
    reader = Reader(text, edition=edition, folders=folders, sealed=sealed, target=target)
    reading = reader.read()
    game = reading.game
    if reading.seed is not None:
        game.resume(Dealer.seeded(reading.seed))
    elif reading.secret is not None:
        if reading.commitment is not None and not fits(reading.secret, reading.commitment):
            line = reader.header["secret"][0]
            raise RecordError(line, "the secret does not fit the commitment, its SHA-256")
        if (seat := _false_nonce(game)) is not None:
            line = reader.header[f"nonce {seat}"][0]
            raise RecordError(line, f"the nonce of seat {seat} does not fit its pledge")
        game.resume(Dealer(bytes.fromhex(reading.secret), game.shares))
    return game


def save_record(
    path: str | os.PathLike[str],
    game: Game,
    date: str | datetime.date | None = None,
    disclose: bool = False,
) -> None:
    """Write the game to a file; a file that is there is replaced at once or not at all."""
    import shutil
    from pathlib import Path

    text = dump_record(game, date, disclose)
    target = Path(path).resolve()
    # A name of its own: others, in this process too, may save to the same file.
    draft = target.with_name(f".macaz-{secrets.token_hex(16)}.tmp")
    try:
        with draft.open("x", encoding="utf-8", newline="\n") as file:
            if target.exists():
                shutil.copymode(target, draft)
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
    target: str = AUTO,
) -> Game:
    """The game in a file; as `load_record`.

    A map of one's own is looked for in the folder of the record, then in the present one.
    """
    from pathlib import Path

    folders = folders_of(path)
    data = Path(path).read_bytes()
    return load_record(data, edition=edition, folders=folders, sealed=sealed, target=target)


def folders_of(path: str | os.PathLike[str]) -> tuple[Path, ...]:
    """Where the map of a record in a file may lie: beside it, or in the present folder."""
    from pathlib import Path

    return (Path(path).resolve().parent, Path.cwd())


# -- fairness --------------------------------------------------------------------------------------

Verdict = Literal[
    "fair",
    "consistent",
    "seeded",
    "unfair",
    "no-commitment",
    "no-secret",
    "wrong-secret",
    "wrong-nonce",
    "not-used",
    "not-announced",
]


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
    added: tuple[int, ...] = ()  # the seats whose nonce is in the deal, from 1 as in the record
    missing: tuple[int, ...] = ()  # those that pledged a nonce and did not tell it in time

    @property
    def fair(self) -> bool:
        """Whether the deals are proved: all follow from the secret, and all was announced."""
        return self.verdict == "fair"

    @property
    def follows(self) -> bool:
        """Whether every outcome follows from the secret or the seed, proved fair or not."""
        return self.verdict in ("fair", "consistent", "seeded")

    @property
    def origin(self) -> str | None:
        """Who added to the deal, in a sentence; None where it does not follow from a secret."""
        if self.verdict not in ("fair", "consistent"):
            return None
        said = (
            "Nobody but the host added to this deal: whoever made the secret could have tried "
            "several."
        )
        if self.added:
            said = f"{_seats(self.added)} added a nonce to this deal: the host could not choose it."
        if self.missing:
            said += f" {_seats(self.missing)} pledged a nonce and did not tell it in time."
        return said


def _seats(numbers: Sequence[int]) -> str:
    """Seats in words: Seat 2; Seats 1, 2 and 4."""
    *most, last = map(str, numbers)
    return f"Seats {', '.join(most)} and {last}" if most else f"Seat {last}"


def announcement(game: Game) -> str:
    """What to publish before the first card, so that nothing can be changed afterwards."""
    if game.commitment is None:
        raise ValueError("there is nothing to announce: the game has no dealer")
    if game.dealer is not None and game.dealer.seed is not None:
        raise ValueError("there is nothing to announce: the game has a seed, which can be guessed")
    lines = [*terms(game, game.edition.qualified_id), f"commitment: {game.commitment}"]
    return "".join(f"{line}\n" for line in lines)


def verify_record(  # noqa: PLR0911 - one for each verdict
    text: str | bytes,
    *,
    announced: str | None = None,
    nonce: str | None = None,
    edition: Edition | str | None = None,
    folders: Sequence[Path] = (),
    target: str = AUTO,
) -> Proof:
    """Draw every outcome of a record again from its secret.

    `announced` is what was published before the game: an `announcement`. Without it the verdict
    is at best "consistent", as with the commitment alone: the file cannot tell what was promised.
    `nonce` is one that a player kept, in hexadecimal: then it must be in the deal.
    Raises `RecordError` for a record that cannot be read.
    """
    reader = Reader(text, edition=edition, folders=folders, target=target)
    reading = reader.read()
    secret, commitment = reading.secret, reading.commitment
    promised = [] if announced is None else _promises(announced)
    if differs := _differs(reader, promised):
        line, message = differs
        return Proof("not-announced", message, commitment, line=line)
    if reading.seed is not None:
        return _seeded(reading, reading.seed)
    if commitment is None:
        said = "The record has no commitment: nothing was promised, so nothing can be proved."
        return Proof("no-commitment", said)
    if secret is None:
        said = "The secret has not been told yet: the deals can be proved fair when it is."
        return Proof("no-secret", said, commitment)
    if not fits(secret, commitment):
        said = "The secret is not the one that was committed to: its SHA-256 is not the commitment."
        return Proof("wrong-secret", said, commitment, line=reader.header["secret"][0])
    if proof := _check_nonces(reader, nonce):
        return proof
    shares = reading.game.shares
    source = "the secret" if shares is None else "the secret and the nonces"
    dealer = Dealer(bytes.fromhex(secret), shares)
    return _draw_again(reading, dealer, "committed", source) or _proved(reader, promised)


def _false_nonce(game: Game) -> int | None:
    """The first seat whose nonce is not the one it pledged, from 1."""
    return next((i for i, share in enumerate(game.shares or (), 1) if not share.fits), None)


def _check_nonces(reader: Reader, kept: str | None) -> Proof | None:
    """What is wrong with the nonces: one that was not pledged, or the one kept is not there."""
    commitment = reader.reading.commitment
    if (seat := _false_nonce(reader.game)) is not None:
        said = f"The nonce of seat {seat} is not the one that was pledged."
        return Proof("wrong-nonce", said, commitment, line=reader.header[f"nonce {seat}"][0])
    shares = reader.game.shares or ()
    if kept is None or kept in [share.nonce for share in shares]:
        return None
    pledges = [share.pledge for share in shares]
    said = "The nonce that you kept is not in this deal: no seat pledged it."
    if (pledge := pledge_of(bytes.fromhex(kept))) in pledges:
        seat = pledges.index(pledge) + 1
        said = f"The nonce that you kept was pledged for seat {seat}, but the deal is without it."
    return Proof("not-used", said, commitment)


def _proved(reader: Reader, promised: Sequence[tuple[str, str]]) -> Proof:
    """All follows from the secret; how much that is worth is for the announcement to say."""
    commitment, count = reader.reading.commitment, reader.game.chance_count
    shares = reader.game.shares or ()
    added = tuple(i for i, share in enumerate(shares, 1) if share.nonce is not None)
    late = tuple(i for i, share in enumerate(shares, 1) if share.pledge and not share.nonce)
    proved = partial(Proof, commitment=commitment, checked=count, added=added, missing=late)
    said = f"the secret fits the commitment, and all {count} outcomes of chance follow from it."
    if added:
        said = (
            "the secret fits the commitment, the nonces fit their pledges, and all "
            f"{count} outcomes of chance follow from them."
        )
    if not promised:
        said = (
            f"Consistent: {said} Nobody can tell from the file alone that the commitment was "
            "published before the game."
        )
        return proved("consistent", said)
    told = {key for key, _ in promised}
    if missing := [key for key in reader.header if _term(key) and key not in told]:
        said = (
            f"Consistent: the commitment is the one announced, {said} But the terms of the game "
            f"were not all announced with it ({', '.join(missing)}): whoever knew the secret "
            "could have chosen them to suit."
        )
        return proved("consistent", said)
    return proved("fair", f"Fair: all is as announced, {said}")


def _term(key: str) -> bool:
    """Whether a header is one of the terms, which are announced with the commitment."""
    return key in ("edition", "fingerprint", "options", "seats", "first") or bool(
        re.match(r"(seat|pledge) ", key)
    )


def _promises(announced: str) -> list[tuple[str, str]]:
    """The terms and the commitment that were announced."""
    if re.fullmatch(r"\s*[0-9a-fA-F]{64}\s*", announced):
        return [("commitment", announced.strip().lower())]
    promised = []
    for line in announced.removeprefix("\ufeff").splitlines():
        if not line.strip():
            break  # a whole record may be given: what was announced is its header
        key, colon, value = line.strip().partition(": ")
        if colon and (_term(key) or key == "commitment"):
            promised.append((key, value))
    if all(key != "commitment" for key, _ in promised):
        raise ValueError("the announcement has no line 'commitment: …'")
    return promised


def _differs(reader: Reader, promised: Sequence[tuple[str, str]]) -> tuple[int | None, str] | None:
    """The first header that is not as announced, with the line it is on."""
    for key, value in promised:
        number, found = reader.header.get(key, (None, "nothing"))
        if found != value:
            return number, f"Announced was {key}: {value}; the record has {found}."
    return None


def _seeded(reading: Reading, seed: str) -> Proof:
    proof = _draw_again(reading, Dealer.seeded(seed), "the seed has it", "the seed")
    count = reading.game.chance_count
    said = (
        f"Seeded: all {count} outcomes of chance follow from the seed. That proves nothing: "
        "whoever knew or guessed the seed knew every card."
    )
    return proof or Proof("seeded", said, checked=count)


def _draw_again(reading: Reading, dealer: Dealer, promise: str, source: str) -> Proof | None:
    """The first outcome that is not the one due; None where all are."""
    game = reading.game
    scribe = Scribe(game)
    count = 0
    for ply, step in enumerate(game.history):
        if step.seat is not None:
            continue
        # A copy: the kernel takes records it could write to.
        states = step.state.copy()
        way = dealer.draw(count, game.engine.chance_ways(states))
        outcome = game.engine.chance_outcome(states, way)
        if outcome != step.number:
            phase = int(states["phase"][0])
            dealt, due = scribe.chance(phase, step.number), scribe.chance(phase, outcome)
            line, turn = reading.lines[ply], reading.turns[ply]
            where = f"in turn {turn}" if turn else "in the setup"
            said = (
                f"Not dealt as {promise}: on line {line}, {where}, the record says {dealt!r}; "
                f"from {source} follows {due!r} (outcome {count} of chance)."
            )
            return Proof("unfair", said, reading.commitment, count, line, turn, dealt, due)
        count += 1
    return None
