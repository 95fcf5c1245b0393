"""The puzzles that come with Macaz fit their maps, and are of all kinds."""

from __future__ import annotations

from collections import Counter

import msgspec
import pytest

from macaz.edition import load_edition
from macaz.edition.files import list_editions
from macaz.game.moves import notation_of
from macaz.help.puzzles import (
    FORMAT,
    BadPuzzles,
    Compared,
    Puzzle,
    PuzzleFile,
    packed_file,
    puzzles_of,
    read_puzzles,
    write_puzzles,
)
from macaz.help.puzzles.check import problems_of, view_of
from macaz.help.puzzles.choices import choice_of
from macaz.lab.puzzles.solvers import STRONG, grade_of
from macaz.server.editions import HIDDEN

SHIPPED = sorted({*list_editions()} - {HIDDEN})
WANTED = 40
MOST_BYTES = 300_000
GAP = 0.02  # as Effort.gap


def shipped(edition: str):
    found = puzzles_of(load_edition(edition))
    assert found is not None
    return found


def best_other(puzzle: Puzzle) -> Compared:
    """The best move that does something else than the right one."""
    view = view_of(puzzle, load_edition)
    notation, board = notation_of(view.spec), view.edition.board
    choices = {notation.text(move): choice_of(move, board) for move in view.legal_moves}
    right = choices[puzzle.answers[0]]
    return next(move for move in puzzle.moves if choices[move.move] != right)


@pytest.mark.parametrize("edition", SHIPPED)
def test_shipped_puzzles_are_sound(edition: str) -> None:
    file = shipped(edition)
    assert len(file.puzzles) >= WANTED
    problems = {one.id: problems_of(one, load_edition) for one in file.puzzles}
    assert {id_: found for id_, found in problems.items() if found} == {}
    for puzzle in file.puzzles:
        second = best_other(puzzle)
        assert second.loss >= GAP
        assert second.loss > 2.9 * second.doubt
        assert puzzle.reasons or puzzle.kind != "claim"
        assert puzzle.grade == grade_of(puzzle.found, file.bots)
        assert not STRONG.isdisjoint(puzzle.found)
        *_, confirmed, last = puzzle.checks
        assert (last.loss, last.doubt) == (second.loss, second.doubt)
        assert last.tries > confirmed.tries
        assert confirmed.loss >= max(GAP, 2.9 * confirmed.doubt)


@pytest.mark.parametrize("edition", SHIPPED)
def test_shipped_puzzles_differ(edition: str) -> None:
    puzzles = shipped(edition).puzzles
    assert len({puzzle.id for puzzle in puzzles}) == len(puzzles)
    assert len({puzzle.kind for puzzle in puzzles}) >= 3
    assert len({puzzle.grade for puzzle in puzzles}) >= 2
    assert len({len(puzzle.position["seats"]) for puzzle in puzzles}) >= 2
    assert max(Counter(puzzle.answers for puzzle in puzzles).values()) <= 2


def test_shipped_puzzles_are_small() -> None:
    assert sum(len(packed_file(name).read_bytes()) for name in SHIPPED) < MOST_BYTES


def test_a_file_is_read_as_it_was_written() -> None:
    text = (
        b'{"macaz puzzles":1,"command":"c","bots":["random"],"puzzles":[{"id":"x","kind":"claim",'
        b'"grade":"easy","found":[],"answers":["blind"],"moves":[],"checks":[],"reasons":[],'
        b'"position":{}}]}'
    )
    found = read_puzzles(text, "here")
    assert read_puzzles(write_puzzles(found), "here") == found
    assert write_puzzles(found).count(b"\n") == 3
    with pytest.raises(BadPuzzles, match="here is no file of puzzles"):
        read_puzzles(b"[]", "here")
    old = msgspec.structs.replace(found, format=0)
    with pytest.raises(BadPuzzles, match="format 0"):
        read_puzzles(write_puzzles(old), "here")


def test_puzzles_of_an_own_map_lie_beside_it(tmp_path) -> None:
    path = tmp_path / "mine.toml"
    path.write_text('format = 1\nid = "mine"\nname = "Mine"\nbase = "tiny"\n', encoding="utf-8")
    mine = load_edition(path)
    assert puzzles_of(mine) is None
    none = PuzzleFile(FORMAT, "command", ("random",), ())
    (tmp_path / "mine.puzzles.json").write_bytes(write_puzzles(none))
    assert puzzles_of(mine) == none
