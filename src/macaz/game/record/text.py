"""Writing a record: the text of each part of a game. `record.read` is the inverse."""

from __future__ import annotations

import datetime
import hashlib
import json
import re
import unicodedata
from collections.abc import Iterator, Sequence
from dataclasses import dataclass
from typing import TYPE_CHECKING

from macaz.edition import reference
from macaz.errors import MacazError
from macaz.game.moves import CARD_WORDS
from macaz.game.steps import Step, TakenBack
from macaz.kernel import layout as at

if TYPE_CHECKING:
    import numpy as np

    from macaz.edition import Edition
    from macaz.game import Game
    from macaz.game.steps import Note

MAGIC = "macaz record 1"
SEAL_DIGITS = 16
NO_PLEDGE, NO_NONCE = "none", "missing"
IN_BROWSER = "in a browser"  # the value of the header `played`
_INVISIBLE = {"Cc", "Cf", "Cs", "Zl", "Zp", "Zs"}
_DECISIONS = {
    at.CHOOSE: "choose",
    at.START: "start",
    at.TURN: "",
}  # the line of a turn begins with its number
_DATE = re.compile(r"[0-9TWZ:+. -]+")


class RecordError(MacazError):
    """A record that cannot be read, or a game that cannot be written as one.

    `line` is the number of the line in error, from 1; None for an error while writing.
    """

    def __init__(self, line: int | None, problem: str) -> None:
        super().__init__(line, problem)
        self.line = line
        self.problem = problem

    def __str__(self) -> str:
        return self.problem if self.line is None else f"line {self.line}: {self.problem}"


@dataclass(frozen=True, slots=True)
class Line:
    """One line of the game: a turn, or a part of the setup (turn 0)."""

    head: str
    items: tuple[str, ...]
    turn: int
    start: int  # its steps are history[start:stop]
    stop: int

    def __str__(self) -> str:
        return f"{self.head}: {'; '.join(self.items)}"


# -- names -----------------------------------------------------------------------------------------


def is_invisible(char: str) -> bool:
    """Whether it is a control or format character, or a space other than U+0020."""
    return char != " " and unicodedata.category(char) in _INVISIBLE


def quote(text: str, special: str = "") -> str:
    """The text itself where that is unambiguous; else a JSON string."""
    clear = text and text[0] not in ' "' and text[-1] != " "
    if clear and not any(c in special or is_invisible(c) for c in text):
        return text
    inside = (json.dumps(c)[1:-1] if is_invisible(c) or c in '"\\' else c for c in text)
    return f'"{"".join(inside)}"'


def unquote(text: str) -> str:
    """The inverse of `quote`; raises ValueError for an invalid string."""
    if not text.startswith('"'):
        return text
    found = json.loads(text)
    if not isinstance(found, str):
        raise ValueError(f"not a string: {text}")
    return found


def quote_name(name: str) -> str:
    return quote(name, ":;,")


def labels(names: Sequence[str]) -> list[str]:
    """The names of the seats in the lines of a game, with numbers if two are equal."""
    written = [quote_name(name) for name in names]
    if len(set(names)) == len(names):
        return written
    return [f"{name} (seat {i})" for i, name in enumerate(written, 1)]


def file_name(edition: Edition) -> str | None:
    """The file name of a custom map, without its folder; None for one that has a known id."""
    if not edition.source or reference(edition) != edition.source:
        return None
    name = re.split(r"[/\\]", edition.source)[-1]
    return name.encode("utf-8", "replace").decode()  # it may hold bytes that are not UTF-8


def read_date(date: str | datetime.date) -> str:
    """Check an ISO 8601 date, with or without a time; raises ValueError otherwise."""
    if isinstance(date, datetime.date):
        return date.isoformat()
    if not _DATE.fullmatch(date) or date != date.strip():
        raise ValueError(f"not a date: {date!r}")
    datetime.datetime.fromisoformat(date)
    return date


# -- the game --------------------------------------------------------------------------------------


class StepWriter:
    """Writes the steps of one game as text."""

    def __init__(self, game: Game) -> None:
        self.engine = game.engine
        self.notation = game.notation
        self.labels = labels(game.names)
        table = game.spec.table[0]
        self._hand = int(table["hand_size"])
        self._tickets = int(table["setup_deal"])

    def head(self, states: np.ndarray, seat: int | None, turn: int) -> str | None:
        """The beginning of a step's line; None if the step continues the line before."""
        state = states[0]
        phase = int(state["phase"])
        if phase in (at.DEAL_HANDS, at.DEAL_SETUP):
            hands = phase == at.DEAL_HANDS
            receiver = self._receiver(state, self._hand if hands else self._tickets)
            return f"{'cards' if hands else 'tickets'} {receiver}"
        if seat is not None and phase in _DECISIONS:
            return f"{_DECISIONS[phase] or turn + 1} {self.labels[seat]}"
        if phase == at.DEAL_FIRST:
            return "begin"
        return "row" if phase == at.DEAL_ROW and turn == 0 else None

    def _receiver(self, state: np.void, each: int) -> str:
        """The seat that gets the next card or ticket of the setup: `each` to a seat, clockwise."""
        seats = len(self.labels)
        dealt = seats * each - int(state["left"])
        return self.labels[(int(state["first"]) + dealt // each) % seats]

    def item(self, states: np.ndarray, step: Step) -> str:
        """A decision in the notation of moves, or a chance outcome."""
        if step.seat is None:
            return self.chance(int(states["phase"][0]), step.number)
        move = self.notation.move(step.number, self.engine.offer(states, step.seat))
        return self.notation.text(move)

    def chance(self, phase: int, outcome: int) -> str:
        if phase == at.DEAL_FIRST:
            return f"first {outcome + 1}"
        if phase in (at.DEAL_SETUP, at.DEAL_OFFER):
            return f"deal ticket {self.notation.ticket_name(outcome)}"
        return f"deal {CARD_WORDS[outcome]}"


def game_lines(game: Game) -> list[Line]:
    """The lines of the game's steps, as a record has them; without what was taken back."""
    writer = StepWriter(game)
    lines: list[Line] = []
    head, turn, start = "", 0, 0
    items: list[str] = []
    for ply, step in enumerate(game.history):
        states = step.state
        new = writer.head(states, step.seat, turn)
        if new is not None and new != head:
            if items:
                lines.append(Line(head, tuple(items), turn, start, ply))
            head, items, start = new, [], ply
            turn += int(states["phase"][0]) == at.TURN
        items.append(writer.item(states, step))
    if items:
        lines.append(Line(head, tuple(items), turn, start, len(game.history)))
    return lines


def chronicle(steps: Sequence[Step], notes: Sequence[Note], ply: int = 0) -> Iterator[Step | Note]:
    """All that happened, in that order: `steps` from a ply on, and what was taken back."""
    written = 0
    for at_ply in range(ply, ply + len(steps) + 1):
        while written < len(notes) and notes[written].ply == at_ply:
            note = notes[written]
            if isinstance(note, TakenBack):
                yield from chronicle(note.steps, note.notes, note.ply)
            yield note
            written += 1
        if at_ply < ply + len(steps):
            yield steps[at_ply - ply]


def note_item(note: Note, called: Sequence[str]) -> str:
    """A note as an item of a line."""
    if isinstance(note, TakenBack):
        return "undo" if len(note.steps) == 1 else f"undo {len(note.steps)}"
    return f"resign {called[note.seat]}{', end of the game' if note.ends else ''}"


def written_lines(game: Game) -> tuple[list[str], int]:
    """The lines of a record after its header, what was taken back included; the turns."""
    writer = StepWriter(game)
    lines: list[tuple[str, list[str]]] = []
    turns: list[int] = [0]  # begun, after each step of the history so far
    for what in chronicle(game.history, game.notes):
        if isinstance(what, Step):
            states, turn = what.state, turns[-1]
            head = writer.head(states, what.seat, turn)
            if head is not None and (not lines or head != lines[-1][0]):
                lines.append((head, []))
            lines[-1][1].append(writer.item(states, what))
            turns.append(turn + (int(states["phase"][0]) == at.TURN))
        else:
            lines[-1][1].append(note_item(what, writer.labels))
            if isinstance(what, TakenBack):
                del turns[what.ply + 1 :]
    return [f"{head}: {'; '.join(items)}" for head, items in lines], turns[-1]


def result(game: Game) -> str:
    """The value of the header `result`: the scores and the winners."""
    outcome = game.outcome
    if outcome is None:
        return "unfinished"
    called = labels(game.names)
    scores = ", ".join(f"{called[i]} {total}" for i, total in enumerate(outcome.totals))
    if outcome.resigned:
        scores += f"; {' and '.join(called[i] for i in outcome.resigned)} resigned"
    winners = " and ".join(called[i] for i in outcome.winners)
    if outcome.tie_break == "shared":
        return f"{scores}; shared by {winners}"
    by = f" by {outcome.tie_break}" if outcome.tie_break else ""
    return f"{scores}; winner {winners}{by}"


def terms(game: Game, edition: str) -> list[str]:
    """The header lines that are known before the first card and can be announced."""
    lines = [f"edition: {quote(edition)}", f"fingerprint: {game.edition.fingerprint}"]
    if game.edition.options:
        lines.append(f"options: {', '.join(game.edition.options)}")
    lines.append(f"seats: {game.seats}")
    lines += [f"seat {i}: {quote_name(name)}" for i, name in enumerate(game.names, 1)]
    first = "chance" if game.first_fixed is None else str(game.first_fixed + 1)
    lines.append(f"first: {first}")
    pledges = [share.pledge or NO_PLEDGE for share in game.shares or ()]
    return [*lines, *(f"pledge {i}: {pledge}" for i, pledge in enumerate(pledges, 1))]


@dataclass(frozen=True, slots=True)
class Header:
    """The fields of a record's header that do not follow from the game."""

    edition: str  # its id with its options
    file: str | None = None
    date: str | None = None
    seed: str | None = None
    commitment: str | None = None
    secret: str | None = None


def write_record(game: Game, header: Header) -> str:
    """The complete text of a record."""
    _check_names(game)
    lines = [MAGIC, *terms(game, header.edition)]
    if header.file is not None:
        lines.append(f"file: {quote(header.file)}")
    if header.date is not None:
        lines.append(f"date: {header.date}")
    if game.in_browser:
        lines.append(f"played: {IN_BROWSER}")
    if header.seed is not None:
        lines.append(f"seed: {quote(header.seed)}")
    if header.commitment is not None:
        lines.append(f"commitment: {header.commitment}")
    lines.append(f"result: {result(game)}")
    if header.secret is not None:
        lines.append(f"secret: {header.secret}")
        lines += [
            f"nonce {i}: {share.nonce or NO_NONCE}"
            for i, share in enumerate(game.shares or (), 1)
            if share.pledge is not None
        ]
    played, turns = written_lines(game)
    text = "".join(f"{line}\n" for line in (*lines, "", *played))
    return f"{text}{end_line(turns, text)}\n"


def end_line(turns: int, above: str) -> str:
    """The last line: the number of turns, and the checksum of the lines above."""
    return f"end after {turns} turn{'s' * (turns != 1)}: {seal(above)}"


def seal(above: str) -> str:
    """The checksum of a text: the first digits of its SHA-256."""
    return hashlib.sha256(above.encode()).hexdigest()[:SEAL_DIGITS]


def _check_names(game: Game) -> None:
    for i, name in enumerate(game.names, 1):
        if any(unicodedata.category(c) == "Cs" for c in name):
            raise RecordError(None, f"the name of seat {i} is not text: {name!r}")
    for city in game.edition.board.cities:
        if ";" in city.name:
            raise RecordError(None, f"a city with a semicolon cannot be written: {city.name!r}")
