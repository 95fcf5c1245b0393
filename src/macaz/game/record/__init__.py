"""Records: complete games as text files that can be read, compared and verified.

`dump_record` and `load_record` are exact inverses; a loaded game is replayed move by move and has
its complete history. `verify_record` checks that the cards were dealt as committed. The format is
described in docs/records.md, the proof in docs/fairness.md.
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
from macaz.game.record.read import ParsedRecord, Reader, matches_commitment
from macaz.game.record.text import (
    Header,
    Line,
    RecordError,
    StepWriter,
    file_name,
    game_lines,
    read_date,
    terms,
    write_record,
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
    "game_lines",
    "load_record",
    "open_record",
    "save_record",
    "verify_record",
]


def dump_record(game: Game, date: str | datetime.date | None = None, disclose: bool = False) -> str:
    """The game as text. It contains every hand: do not show it to players during the game.

    The dealer's secret is included once the game is over, before that only with `disclose=True`,
    which the host needs to continue the game from the record. A seed is always included. The
    date is in ISO 8601; the default is `game.date`.
    """
    _check_start(game)
    try:
        when = game.date if date is None else read_date(date)
    except ValueError as error:
        raise RecordError(None, f"{error}; expected one as in 2025-03-09") from None
    edition, dealer = game.edition, game.dealer
    if dealer is not None and dealer.seed is not None:
        header = Header(edition.qualified_id, file_name(edition), when, dealer.seed)
    else:
        included = dealer is not None and (disclose or game.over)
        secret = dealer.secret.hex() if dealer is not None and included else None
        header = Header(
            edition.qualified_id, file_name(edition), when, None, game.commitment, secret
        )
    return write_record(game, header)


def _check_start(game: Game) -> None:
    if not game.from_start:
        raise RecordError(
            None,
            "a record contains a game from its start, and this one began with a position; "
            "use position.dump_position to write the current position",
        )


def load_record(
    text: str | bytes,
    *,
    edition: Edition | str | None = None,
    folders: Sequence[Path] = (),
    sealed: bool = True,
    target: str = AUTO,
) -> Game:
    """The game of a record, replayed; raises `RecordError`.

    If the record has a secret or seed, the game can continue, and a pending chance outcome is
    drawn. `edition` is used instead of the one that the record names and must have the same
    fingerprint. The file of a custom map is searched in `folders`; without them no file is
    opened. `sealed=False` reads a record that was edited by hand: its last line, turn numbers
    and result are not checked.
    """
    reader = Reader(text, edition=edition, folders=folders, sealed=sealed, target=target)
    parsed = reader.read()
    game = parsed.game
    if parsed.seed is not None:
        game.resume(Dealer.seeded(parsed.seed))
    elif parsed.secret is not None:
        if parsed.commitment is not None and not matches_commitment(
            parsed.secret, parsed.commitment
        ):
            line = reader.header["secret"][0]
            raise RecordError(line, "the secret does not fit the commitment, its SHA-256")
        if (seat := _seat_with_wrong_nonce(game)) is not None:
            line = reader.header[f"nonce {seat}"][0]
            raise RecordError(line, f"the nonce of seat {seat} does not fit its pledge")
        game.resume(Dealer(bytes.fromhex(parsed.secret), game.shares))
    return game


def save_record(
    path: str | os.PathLike[str],
    game: Game,
    date: str | datetime.date | None = None,
    disclose: bool = False,
) -> None:
    """Write the game to a file, which is replaced atomically if it exists."""
    import shutil
    from pathlib import Path

    text = dump_record(game, date, disclose)
    target = Path(path).resolve()
    # A unique name: other threads or processes may save to the same file.
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
    """The game in a file, as by `load_record`.

    The file of a custom map is searched in the record's folder, then in the working directory.
    """
    from pathlib import Path

    folders = folders_of(path)
    data = Path(path).read_bytes()
    return load_record(data, edition=edition, folders=folders, sealed=sealed, target=target)


def folders_of(path: str | os.PathLike[str]) -> tuple[Path, ...]:
    """Where to search the custom map of a record file: its folder and the working directory."""
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
    """The result of `verify_record`.

    `line`, `turn`, `dealt` and `due` describe the first outcome that differs.
    """

    verdict: Verdict
    message: str
    commitment: str | None = None
    checked: int = 0  # chance outcomes that were recomputed and are correct
    line: int | None = None
    turn: int | None = None
    dealt: str | None = None
    due: str | None = None
    added: tuple[int, ...] = ()  # the seats whose nonce is in the deal, counted from 1
    missing: tuple[int, ...] = ()  # the seats that pledged a nonce and did not publish it in time
    in_browser: bool = False  # whether the player's own browser made secret and nonces

    @property
    def fair(self) -> bool:
        """Whether all outcomes follow from the secret, and the terms were announced."""
        return self.verdict == "fair"

    @property
    def follows(self) -> bool:
        """Whether all outcomes follow from the secret or the seed, announced or not."""
        return self.verdict in ("fair", "consistent", "seeded")

    @property
    def origin(self) -> str | None:
        """Who contributed to the deal, as a sentence; None if it does not follow from a secret."""
        if self.verdict not in ("fair", "consistent"):
            return None
        if self.in_browser:
            return (
                "The player's own browser made all that decides this deal, and could have tried "
                "several deals to choose one."
            )
        said = (
            "Only the host added to this deal, and could have tried several secrets to choose it."
        )
        if self.added:
            who = _seat_list(self.added)
            said = f"{who} added a nonce to this deal: the host could not choose it."
        if self.missing:
            said += f" {_seat_list(self.missing)} pledged a nonce and did not publish it in time."
        return said


def _seat_list(numbers: Sequence[int]) -> str:
    """ "Seat 2" or "Seats 1, 2 and 4"."""
    *most, last = map(str, numbers)
    return f"Seats {', '.join(most)} and {last}" if most else f"Seat {last}"


def announcement(game: Game) -> str:
    """The text to publish before the first card: the terms of the game and the commitment."""
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
    """Recompute every chance outcome of a record from its secret.

    `announced` is the `announcement` published before the game. Without it, or with the
    commitment alone, the verdict is at best "consistent": the file does not prove what was
    published. So is that of a game played in a browser, which made its own announcement.
    `nonce` is a player's own nonce, in hexadecimal, which must then be in the deal.
    Raises `RecordError` for a record that cannot be read.
    """
    reader = Reader(text, edition=edition, folders=folders, target=target)
    parsed = reader.read()
    secret, commitment = parsed.secret, parsed.commitment
    promised = [] if announced is None else _read_announcement(announced)
    if difference := _first_difference(reader, promised):
        line, message = difference
        return Proof("not-announced", message, commitment, line=line)
    if parsed.seed is not None:
        return _seeded(parsed, parsed.seed)
    if commitment is None:
        said = "The record has no commitment, so nothing can be proved."
        return Proof("no-commitment", said)
    if secret is None:
        said = "The record has no secret yet: the deals can be proved fair once it has."
        return Proof("no-secret", said, commitment)
    if not matches_commitment(secret, commitment):
        said = "The secret is not the one that was committed to: its SHA-256 is not the commitment."
        return Proof("wrong-secret", said, commitment, line=reader.header["secret"][0])
    if proof := _check_nonces(reader, nonce):
        return proof
    shares = parsed.game.shares
    source = "the secret" if shares is None else "the secret and the nonces"
    dealer = Dealer(bytes.fromhex(secret), shares)
    return _recompute(parsed, dealer, "committed", source) or _proved(reader, promised)


def _seat_with_wrong_nonce(game: Game) -> int | None:
    """The first seat whose nonce is not the one it pledged, from 1."""
    return next(
        (i for i, share in enumerate(game.shares or (), 1) if not share.matches_pledge), None
    )


def _check_nonces(reader: Reader, kept: str | None) -> Proof | None:
    """A proof of failure if a nonce does not match its pledge, or `kept` is not in the deal."""
    commitment = reader.parsed.commitment
    if (seat := _seat_with_wrong_nonce(reader.game)) is not None:
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
    """The proof of a record whose outcomes follow from the secret."""
    commitment, count = reader.parsed.commitment, reader.game.chance_count
    shares = reader.game.shares or ()
    added = tuple(i for i, share in enumerate(shares, 1) if share.nonce is not None)
    late = tuple(i for i, share in enumerate(shares, 1) if share.pledge and not share.nonce)
    alone = reader.game.in_browser
    proved = partial(
        Proof,
        commitment=commitment,
        checked=count,
        added=added,
        missing=late,
        in_browser=alone,
    )
    said = f"the secret fits the commitment, and all {count} outcomes of chance follow from it."
    if added:
        said = (
            "the secret fits the commitment, the nonces fit their pledges, and all "
            f"{count} outcomes of chance follow from them."
        )
    if alone:
        said = (
            f"Consistent: {said} The game was played in a browser, without a server: no "
            "independent host published the commitment before the game, so this does not prove "
            "that the deal was left to chance."
        )
        return proved("consistent", said)
    if not promised:
        said = (
            f"Consistent: {said} The file alone does not prove that the commitment was published "
            "before the game: check it against what was announced."
        )
        return proved("consistent", said)
    announced = {key for key, _ in promised}
    if missing := [key for key in reader.header if _is_term(key) and key not in announced]:
        said = (
            f"Consistent: the commitment is the one announced, {said} But the terms of the game "
            f"were not all announced with it ({', '.join(missing)}): the host could have chosen "
            "them to suit the secret."
        )
        return proved("consistent", said)
    return proved("fair", f"Fair: all is as announced, {said}")


def _is_term(key: str) -> bool:
    """Whether a header line is announced with the commitment."""
    return key in ("edition", "fingerprint", "options", "seats", "first") or bool(
        re.match(r"(seat|pledge) ", key)
    )


def _read_announcement(announced: str) -> list[tuple[str, str]]:
    """The terms and the commitment that were announced."""
    if re.fullmatch(r"\s*[0-9a-fA-F]{64}\s*", announced):
        return [("commitment", announced.strip().lower())]
    promised = []
    for line in announced.removeprefix("\ufeff").splitlines():
        if not line.strip():
            break  # a whole record may be given: only its header was announced
        key, colon, value = line.strip().partition(": ")
        if colon and (_is_term(key) or key == "commitment"):
            promised.append((key, value))
    if all(key != "commitment" for key, _ in promised):
        raise ValueError("the announcement has no line 'commitment: …'")
    return promised


def _first_difference(
    reader: Reader, promised: Sequence[tuple[str, str]]
) -> tuple[int | None, str] | None:
    """The line number and description of the first header that is not as announced."""
    for key, value in promised:
        number, found = reader.header.get(key, (None, "nothing"))
        if found != value:
            return number, f"Announced was {key}: {value}; the record has {found}."
    return None


def _seeded(parsed: ParsedRecord, seed: str) -> Proof:
    proof = _recompute(parsed, Dealer.seeded(seed), "the seed has it", "the seed")
    count = parsed.game.chance_count
    said = (
        f"Seeded: all {count} outcomes of chance follow from the seed. That proves nothing: "
        "a seed can be guessed, and every card follows from it."
    )
    return proof or Proof("seeded", said, checked=count)


def _recompute(parsed: ParsedRecord, dealer: Dealer, promise: str, source: str) -> Proof | None:
    """A proof of failure for the first outcome that differs; None if none does."""
    game = parsed.game
    writer = StepWriter(game)
    count = 0
    for ply, step in enumerate(game.history):
        if step.seat is not None:
            continue
        # A copy, because the kernel needs a writable array.
        states = step.state.copy()
        way = dealer.draw(count, game.engine.chance_ways(states))
        outcome = game.engine.chance_outcome(states, way)
        if outcome != step.number:
            phase = int(states["phase"][0])
            dealt, due = writer.chance(phase, step.number), writer.chance(phase, outcome)
            line, turn = parsed.lines[ply], parsed.turns[ply]
            where = f"in turn {turn}" if turn else "in the setup"
            said = (
                f"Not dealt as {promise}: on line {line}, {where}, the record says {dealt!r}; "
                f"from {source} follows {due!r} (outcome {count} of chance)."
            )
            return Proof("unfair", said, parsed.commitment, count, line, turn, dealt, due)
        count += 1
    return None
