"""Reading a record line by line; each move and chance outcome is checked against the rules."""

from __future__ import annotations

import hashlib
import re
from dataclasses import dataclass, field
from typing import TYPE_CHECKING

from macaz.edition import Edition, is_known, list_editions, load_edition
from macaz.edition.board import closest
from macaz.game import Game
from macaz.game.fair import Share
from macaz.game.moves import CARD_WORDS, IllegalMove
from macaz.game.record.text import (
    IN_BROWSER,
    MAGIC,
    NO_NONCE,
    NO_PLEDGE,
    Header,
    RecordError,
    StepWriter,
    end_line,
    is_invisible,
    note_item,
    read_date,
    unquote,
    write_record,
)
from macaz.game.steps import Resignation
from macaz.kernel import layout as at
from macaz.kernel.compile import AUTO

if TYPE_CHECKING:
    from collections.abc import Sequence
    from pathlib import Path

HEADERS = (
    "edition",
    "fingerprint",
    "options",
    "seats",
    "seat",
    "first",
    "pledge",
    "file",
    "date",
    "played",
    "seed",
    "commitment",
    "result",
    "secret",
    "nonce",
)
_OF_SEATS = ("seat", "pledge", "nonce")  # headers with a seat number
_HEADER = re.compile(r"([a-z]+)( [1-9][0-9]?)?: (.*)")
_END = re.compile(r"end after ([0-9]+) turns?: ([0-9a-f]{16})")
_HEX = re.compile(r"[0-9a-f]{64}")
_NUMBER = re.compile(r"[1-9][0-9]?")
_TURN = re.compile(r"[0-9]+ ")
# Only the name in a resignation is ever in quotes; it may contain a semicolon.
_ITEM = re.compile(r'(?:^|(?<=;))( resign "(?:[^"\\]|\\.)*"[^;]*|[^;]*)')
_UNDO = re.compile(r"undo(?: ([2-9]|[1-9][0-9]))?")


@dataclass
class ParsedRecord:
    """The content of a record: the game, its secrets, and the place of each step."""

    game: Game
    seed: str | None
    commitment: str | None
    secret: str | None
    lines: list[int] = field(default_factory=list)  # the line number of each step
    turns: list[int] = field(default_factory=list)  # the turn of each step; 0 in the setup


def split_lines(text: str | bytes, sealed: bool) -> list[str]:
    """The lines of a text without their ends. CRLF and a byte order mark are accepted."""
    decoded = (text if isinstance(text, str) else _decode(text)).removeprefix("\ufeff")
    if not decoded:
        raise RecordError(1, f"the text is empty; a record begins with {MAGIC!r}")
    *lines, rest = decoded.split("\n")
    if lines and all(line.endswith("\r") for line in lines):
        lines = [line[:-1] for line in lines]
    for number, line in enumerate((*lines, rest), 1):
        if line.endswith("\r"):
            raise RecordError(number, "this line ends in CR LF, others in LF; use LF everywhere")
        for char in filter(is_invisible, line):
            raise RecordError(number, f"the character U+{ord(char):04X} is not allowed in a record")
    if rest:
        lines.append(rest)
        if sealed and lines[0].startswith(MAGIC[:5]):
            raise RecordError(len(lines), f"the text breaks off within this line: {short(rest)}")
    return lines


def _decode(text: bytes) -> str:
    try:
        return text.decode()
    except UnicodeDecodeError as error:
        line = text[: error.start].count(b"\n") + 1
        raise RecordError(line, "this is not UTF-8 text; a record is saved as UTF-8") from None


def short(text: str, size: int = 60) -> str:
    """A text in quotes, shortened."""
    return repr(text if len(text) <= size else f"{text[: size - 1]}…")


class Reader:
    """Reads one record. `sealed`: also check that the text was not altered.

    Records are untrusted input: the file that one names is only opened if it is in `folders`.
    """

    def __init__(
        self,
        text: str | bytes,
        *,
        edition: Edition | str | None = None,
        folders: Sequence[Path] = (),
        sealed: bool = True,
        target: str = AUTO,
    ) -> None:
        self.sealed = sealed
        self.lines = split_lines(text, sealed)
        self._check_magic()
        self.blank = 0  # the number of the blank line between header and game
        self.header: dict[str, tuple[int, str]] = {}
        self._read_header()
        self.edition_name = self._text("edition")
        self.file = self._text("file") if "file" in self.header else None
        self.game = self._new_game(self._edition(edition, folders), target)
        self.writer = StepWriter(self.game)
        self.turn = 0
        seed = self._text("seed") if "seed" in self.header else None
        self.parsed = ParsedRecord(self.game, seed, self._hex("commitment"), self._hex("secret"))
        for key in ("commitment", "secret"):
            if seed is not None and key in self.header:
                problem = f"a game with a seed has no {key}: remove the seed or this line"
                raise RecordError(self.header[key][0], problem)
        self.game.shares = self._shares(seed)

    def read(self) -> ParsedRecord:
        """Replay the game; raises `RecordError`."""
        end = self._play()
        if self.sealed:
            self._check_end(end)
            self._check_text()
        self.game.commitment = self.parsed.commitment
        return self.parsed

    # -- the header --------------------------------------------------------------------------------

    def _check_magic(self) -> None:
        if self.lines[0] == MAGIC:
            return
        name, _, version = MAGIC.rpartition(" ")
        if re.fullmatch(name + r" [0-9]+", self.lines[0]):
            problem = f"{short(self.lines[0])} is another format; this program reads {version}"
        else:
            problem = f"not a record: it begins with {short(self.lines[0])}, not with {MAGIC!r}"
        raise RecordError(1, problem)

    def _read_header(self) -> None:
        for number, line in enumerate(self.lines[1:], 2):
            if not line:
                self.blank = number
                return
            found = _HEADER.fullmatch(line)
            if found is None:
                problem = f"{short(line)} is not a header; expected 'key: value', or an empty line"
                raise RecordError(number, problem)
            word, index, value = found.groups()
            key = word + (index or "")
            if word not in HEADERS or (index is not None) != (word in _OF_SEATS):
                near = closest(word, HEADERS)
                hint = f"; did you mean {near!r}?" if near else f" ({', '.join(HEADERS)})"
                raise RecordError(number, f"there is no header {key!r}{hint}")
            if key in self.header:
                first = self.header[key][0]
                raise RecordError(number, f"the header {key!r} is there already, on line {first}")
            self.header[key] = (number, value)
        last = len(self.lines)
        raise RecordError(last, "the text breaks off within the header")

    def _get(self, key: str) -> tuple[int, str]:
        if key not in self.header:
            raise RecordError(self.blank, f"the header has no line {key + ':'!r}")
        return self.header[key]

    def _text(self, key: str) -> str:
        line, value = self._get(key)
        try:
            text = unquote(value)
            text.encode()
        except ValueError:
            problem = f"{key} is {short(value)}, with quotes that do not read as a JSON string"
            raise RecordError(line, problem) from None
        return text

    def _hex(self, key: str) -> str | None:
        if key not in self.header:
            return None
        line, value = self.header[key]
        if not _HEX.fullmatch(value):
            raise RecordError(line, f"a {key} is 64 digits of 0-9 and a-f, not {short(value)}")
        return value

    def _shares(self, seed: str | None) -> tuple[Share, ...] | None:
        """The contributions of the seats to the deal; nonces occur only with the secret."""
        for key, (line, _) in self.header.items():
            word, _, index = key.partition(" ")
            if word in ("pledge", "nonce") and seed is not None:
                raise RecordError(
                    line, f"a game with a seed has no {word}: remove the seed or this line"
                )
            pledge = self.header.get(f"pledge {index}", (line, NO_PLEDGE))[1]
            if word == "nonce" and ("secret" not in self.header or pledge == NO_PLEDGE):
                raise RecordError(
                    line, "a nonce needs the header 'secret', and a pledge of the same seat"
                )
        if not any(key.startswith("pledge ") for key in self.header):
            return None
        shares = []
        for seat in range(1, self.game.seats + 1):
            pledge, nonce = f"pledge {seat}", f"nonce {seat}"
            if self._get(pledge)[1] == NO_PLEDGE:
                shares.append(Share())
            elif "secret" in self.header and self._get(nonce)[1] != NO_NONCE:
                shares.append(Share(self._hex(pledge), self._hex(nonce)))
            else:
                shares.append(Share(self._hex(pledge)))
        return tuple(shares)

    def _number(self, key: str, value: str, most: int) -> int:
        line = self._get(key)[0]
        if not _NUMBER.fullmatch(value) or int(value) > most:
            raise RecordError(line, f"{key} is {short(value)}, not a number from 1 to {most}")
        return int(value)

    def _new_game(self, found: Edition, target: str) -> Game:
        seats = self._number("seats", self._get("seats")[1], at.SEATS)
        names = [self._text(f"seat {i}") for i in range(1, seats + 1)]
        for key, (line, _) in self.header.items():
            word, _, index = key.partition(" ")
            if index and int(index) > seats:
                what = key if word == "seat" else f"seat {index} for a {word}"
                raise RecordError(line, f"there is no {what} at a table of {seats}")
        first = self._get("first")[1]
        begins = None if first == "chance" else self._number("first", first, seats) - 1
        try:
            game = Game(found, seats, dealer=None, first=begins, names=names, target=target)
        except ValueError as error:
            raise RecordError(self._get("seats")[0], str(error)) from None
        if "date" in self.header:
            line, value = self.header["date"]
            try:
                game.date = read_date(value)
            except ValueError:
                problem = f"{short(value)} is not a date; expected one as in 2025-03-09"
                raise RecordError(line, problem) from None
        if "played" in self.header:
            line, value = self.header["played"]
            if value != IN_BROWSER:
                raise RecordError(line, f"played is {short(value)}; expected {IN_BROWSER!r}")
            game.in_browser = True
        return game

    def _edition(self, given: Edition | str | None, folders: Sequence[Path]) -> Edition:
        line = self._get("edition")[0]
        try:
            if given is None:
                found = self._own(folders) if self.file is not None else self._shipped()
            else:
                found = given if isinstance(given, Edition) else load_edition(given)
        except (OSError, ValueError) as error:
            raise RecordError(line, f"the edition cannot be loaded: {error}") from None
        if found is None:
            wanted = short(str(self.file))
            problem = (
                f"the game was played on a custom map, {wanted}, which was not found: give it "
                "with edition=, or --edition on the command line"
            )
            raise RecordError(self.header["file"][0], problem)
        if given is None and self.edition_name != found.qualified_id:
            problem = f"expected {found.qualified_id!r}, found {short(self.edition_name)}"
            raise RecordError(line, problem)
        line, fingerprint = self._get("fingerprint")
        if found.fingerprint != fingerprint:
            problem = (
                f"the game was played on {short(self.edition_name)} with the fingerprint "
                f"{short(fingerprint)}, but {found.qualified_id!r} here has "
                f"{found.fingerprint!r}: its map or its rules differ"
            )
            raise RecordError(line, problem)
        return found

    def _shipped(self) -> Edition:
        """The edition that the record names by its id, never by a path."""
        name, *options = self.edition_name.split("+")
        if is_known(name):
            return load_edition(name, options)
        near = closest(name, list_editions())
        hint = f" Did you mean {near!r}?" if near else ""
        raise ValueError(
            f"there is no edition {short(name)}.{hint} A map of your own is given with edition=, "
            "or --edition on the command line"
        )

    def _own(self, folders: Sequence[Path]) -> Edition | None:
        """The custom map with the record's file name and fingerprint, if it is in `folders`."""
        line, _ = self._get("file")
        if not self.file or re.search(r"[/\\:\0]", self.file) or self.file in (".", ".."):
            problem = f"expected a file name without a folder, found {short(self.file or '')}"
            raise RecordError(line, problem)
        options = self.edition_name.split("+")[1:]
        for folder in folders if self.file.endswith(".toml") else ():
            try:
                found = load_edition(folder / self.file, options)
            except (OSError, ValueError):
                continue  # its content must not appear in a message
            if found.fingerprint == self._get("fingerprint")[1]:
                return found
        return None

    # -- the game ----------------------------------------------------------------------------------

    def _play(self) -> int | None:
        """Replay the lines; returns the number of the 'end' line, if there is one."""
        for number, line in enumerate(self.lines[self.blank :], self.blank + 1):
            if line.startswith("end"):
                if number < len(self.lines):
                    raise RecordError(number + 1, "something follows the last line of the record")
                return number
            self._read_line(number, line)
        return None

    def _read_line(self, number: int, line: str) -> None:
        heads = self._heads(number, line)
        if not self.sealed and int(self.game.state["phase"][0]) == at.TURN:
            line = _TURN.sub(f"{self.turn + 1} ", line, count=1)  # turn numbers are ignored
        head = next((h for h in heads if line.startswith(f"{h}:")), None)
        if head is None:
            wanted = " or ".join(repr(f"{h}: …") for h in heads)
            raise RecordError(number, f"expected {wanted}, found {short(line)}")
        items = _ITEM.findall(line[len(head) + 1 :])
        for i, item in enumerate(items):
            if i and self._read_note(number, item.strip()):
                continue
            seat = self._seat_at(number, head, item.strip()) if i else heads[head]
            self._read_item(number, item.strip(), seat)

    def _read_note(self, number: int, item: str) -> bool:
        """Read a resignation, or decisions that were taken back; False if the item is neither."""
        if not item.startswith(("undo", "resign ")):
            return False
        game = self.game
        resigned = {
            note_item(Resignation(0, seat, ends), self.writer.labels): (seat, ends)
            for seat in range(game.seats)
            for ends in (False, True)
        }
        undo = _UNDO.fullmatch(item)
        try:
            if undo:
                game.take_back(int(undo[1] or 1))
            elif item in resigned:
                seat, ends = resigned[item]
                game.resign(seat, ends=ends)
        except IllegalMove as error:
            raise RecordError(number, f"{short(item)}: {error}") from None
        del self.parsed.lines[len(game.history) :], self.parsed.turns[len(game.history) :]
        self.turn = self.parsed.turns[-1] if self.parsed.turns else 0
        return bool(undo) or item in resigned

    def _heads(self, number: int, found: str) -> dict[str, int | None]:
        """The possible beginnings of the line, each with the seat that then decides."""
        game = self.game
        if game.over:
            problem = "the game was over with the line before; expected 'end after …', not "
            raise RecordError(number, problem + short(found))
        actors: Sequence[int | None] = game.deciding or (None,)
        heads = {self.writer.head(game.state, seat, self.turn): seat for seat in actors}
        if None in heads:
            problem = f"the turn before is not finished: {self._wanted()}; found {short(found)}"
            raise RecordError(number, problem)
        return {head: seat for head, seat in heads.items() if head}

    def _seat_at(self, number: int, head: str, item: str) -> int | None:
        """The seat of an item that follows on the same line; raises if it may not."""
        game = self.game
        if game.over:
            raise RecordError(number, f"the game is over before {short(item)}; nothing may follow")
        actors: Sequence[int | None] = game.deciding or (None,)
        heads = {self.writer.head(game.state, seat, self.turn): seat for seat in actors}
        if None not in heads and head not in heads:
            new = next(iter(heads))
            raise RecordError(number, f"{short(item)} belongs on a new line, after '{new}:'")
        return heads.get(head, game.turn)

    def _read_item(self, number: int, item: str, seat: int | None) -> None:
        game = self.game
        starts = int(game.state["phase"][0]) == at.TURN
        try:
            if game.chance_pending:
                self._chance(item)
            else:
                self._decide(item, game.turn if seat is None else seat)
        except ValueError as error:
            raise RecordError(number, f"{error}; {self._wanted()}") from None
        self.turn += starts
        self.parsed.lines.append(number)
        self.parsed.turns.append(self.turn)

    def _wanted(self) -> str:
        """What was expected, for messages."""
        game = self.game
        if not game.chance_pending:
            who = " or ".join(self.writer.labels[seat] for seat in game.deciding)
            return f"expected a move of {who}"
        phase = int(game.state["phase"][0])
        if phase == at.DEAL_FIRST:
            return "expected who begins, as in 'first 2'"
        tickets = phase in (at.DEAL_SETUP, at.DEAL_OFFER)
        some = self.writer.chance(phase, game.engine.chance_outcome(game.state, 0))
        return f"expected a {'ticket' if tickets else 'card'}, as in {some!r}"

    def _chance(self, item: str) -> None:
        game = self.game
        phase = int(game.state["phase"][0])
        word, _, rest = item.partition(" ")
        outcome = -1
        if phase == at.DEAL_FIRST:
            if word == "first" and _NUMBER.fullmatch(rest):
                outcome = int(rest) - 1
        elif phase in (at.DEAL_SETUP, at.DEAL_OFFER):
            if word == "deal" and rest.startswith("ticket "):
                outcome = game.notation.ticket_named(rest.removeprefix("ticket "))
        elif word == "deal" and rest in CARD_WORDS:
            outcome = CARD_WORDS.index(rest)
        if outcome < 0:
            raise IllegalMove(f"{short(item)} is not a chance outcome of this phase")
        if game.engine.chance_weight(game.state, outcome) == 0:
            raise IllegalMove(f"{short(item)} is not possible: there is none in the deck")
        game.push_chance(outcome)

    def _decide(self, item: str, seat: int | None) -> None:
        game = self.game
        assert seat is not None
        choosing = int(game.state["phase"][0]) == at.CHOOSE
        try:
            game.push(game.notation.parse(item, seat if choosing else -1))
        except ValueError:
            # City names may contain commas and dashes: compare with the text of each legal move.
            for move in game.legal_moves_of(seat):
                if game.notation.text(move) == item:
                    game.push(move)
                    return
            raise

    # -- integrity ------------------------------------------------------------------

    def _check_end(self, end: int | None) -> None:
        last = len(self.lines)
        if end is None:
            raise RecordError(last, "the record breaks off here; the line 'end after …' is missing")
        found = _END.fullmatch(self.lines[end - 1])
        if found is None:
            shape = "'end after 12 turns: ' and 16 digits of 0-9 and a-f"
            raise RecordError(end, f"expected {shape}, found {short(self.lines[end - 1])}")
        if found[1] != str(self.turn):
            problem = f"the record should have {found[1][:9]} turns, but has {self.turn}"
            raise RecordError(end, problem)

    def _check_text(self) -> None:
        """Compare every line with the text that Macaz writes for this game, then the checksum."""
        parsed = self.parsed
        header = Header(
            self.edition_name,
            self.file,
            self.game.date,
            parsed.seed,
            parsed.commitment,
            parsed.secret,
        )
        written = write_record(self.game, header).split("\n")[:-1]
        for number, (found, wanted) in enumerate(zip(self.lines, written, strict=False), 1):
            if found != wanted and number < len(self.lines):
                problem = f"expected {short(wanted, 200)}, found {short(found, 200)}"
                raise RecordError(number, problem)
        above = "".join(f"{line}\n" for line in self.lines[:-1])
        if self.lines[-1] != end_line(self.turn, above):
            problem = (
                f"the seal is not that of the lines above ({end_line(self.turn, above)!r}): one "
                "of them was altered. Use sealed=False to read an edited record"
            )
            raise RecordError(len(self.lines), problem)


def matches_commitment(secret: str, commitment: str) -> bool:
    """Whether the SHA-256 of the secret is the commitment."""
    return hashlib.sha256(bytes.fromhex(secret)).hexdigest() == commitment
