"""Puzzles: made alike however they are interrupted, and chosen so that they differ."""

from __future__ import annotations

from pathlib import Path
from typing import Any

import msgspec
import pytest

from macaz.edition import load_edition
from macaz.help.puzzles import Puzzle, read_puzzles
from macaz.help.puzzles.check import problems_of
from macaz.lab.puzzles.choose import SAME_GAME, choose
from macaz.lab.puzzles.make import check_editions, make_puzzles
from macaz.lab.puzzles.settings import Effort, PuzzleError, Settings
from macaz.lab.puzzles.solvers import BOTS, grade_of
from macaz.lab.puzzles.store import FOUND, PUZZLES, Candidate, Folder, Searched

TINY = load_edition("tiny")
SETTINGS = Settings(
    editions=("tiny",),
    fingerprints=(TINY.fingerprint,),
    count=2,
    seed=1,
    effort=Effort(positions=6, tries=64, gap=0.02, sure=0.1),
)


def run(
    folder: Path, settings: Settings = SETTINGS, games: int | None = None, **options: Any
) -> tuple[bytes, bytes]:
    """Make puzzles, or stop after so many games."""
    with Folder(folder, settings) as opened:
        for progress in make_puzzles(opened, (TINY,), **{"workers": 1, **options}):
            if progress.games == games:
                break
    return (folder / PUZZLES).read_bytes(), (folder / FOUND).read_bytes()


@pytest.fixture(scope="module")
def made(tmp_path_factory: pytest.TempPathFactory) -> tuple[bytes, bytes]:
    return run(tmp_path_factory.mktemp("puzzles") / "once")


def test_puzzles_are_sound_and_of_the_seed(made: tuple[bytes, bytes]) -> None:
    file = read_puzzles(made[0], "here")
    assert len(file.puzzles) == SETTINGS.count
    assert file.bots == BOTS
    assert [problems_of(puzzle, load_edition) for puzzle in file.puzzles] == [[], []]
    for puzzle in file.puzzles:
        right, wrong = (
            puzzle.moves[0],
            next(m for m in puzzle.moves if m.move not in puzzle.answers),
        )
        assert wrong.loss >= SETTINGS.effort.gap
        assert wrong.chance == pytest.approx(right.chance - wrong.loss, abs=2e-4)
        assert puzzle.grade == grade_of(puzzle.found, file.bots)
        assert [check.tries for check in puzzle.checks] == [16, 16, 32, 64]
        last = puzzle.checks[-1]
        assert (last.loss, last.doubt) in [(move.loss, move.doubt) for move in puzzle.moves[1:]]


def test_a_run_that_was_stopped_goes_on_to_the_same_end(
    tmp_path: Path, made: tuple[bytes, bytes]
) -> None:
    run(tmp_path, games=1)
    with (tmp_path / FOUND).open("ab") as file:
        file.write(b'{"game": 1, "cand')  # as after a power failure
    assert run(tmp_path) == made


def test_a_folder_keeps_to_its_settings(tmp_path: Path, made: tuple[bytes, bytes]) -> None:
    run(tmp_path, games=1)
    other = msgspec.structs.replace(SETTINGS, seed=2)
    with pytest.raises(PuzzleError, match="its seed is not the same"):
        run(tmp_path, other)
    with Folder(tmp_path, SETTINGS), pytest.raises(PuzzleError, match="another program"):
        run(tmp_path)
    more = msgspec.structs.replace(SETTINGS, count=1)
    assert len(read_puzzles(run(tmp_path, more)[0], "here").puzzles) == 1


def test_a_file_is_of_one_map() -> None:
    with pytest.raises(PuzzleError, match="one map"):
        check_editions((TINY, load_edition("europe")))


def test_a_changed_puzzle_has_problems(made: tuple[bytes, bytes]) -> None:
    puzzle = read_puzzles(made[0], "here").puzzles[0]

    def problems(**changes: Any) -> str:
        return " ".join(problems_of(msgspec.structs.replace(puzzle, **changes), load_edition))

    assert "not legal" in problems(answers=("claim nowhere",))
    assert "first answer" in problems(answers=(puzzle.moves[-1].move,))
    assert "id is that of another" in problems(id="0000000000")
    assert "several seeds" in problems(checks=puzzle.checks[-1:])
    assert "several seeds" in problems(checks=(puzzle.checks[0], *puzzle.checks))
    assert "more tries" in problems(checks=puzzle.checks[:-1])
    lost = msgspec.structs.replace(puzzle.checks[1], loss=0.0)
    assert "another move" in problems(checks=(puzzle.checks[0], lost, *puzzle.checks[2:]))
    position = {**puzzle.position, "fingerprint": "0" * 16}
    assert "another version" in problems(position=position)


# -- the choice ------------------------------------------------------------------------------------


def candidate(made: bytes, number: int, **changes: Any) -> Candidate:
    first = read_puzzles(made, "here").puzzles[0]
    about = {"kind": "claim", "grade": "hard"} | {
        name: changes.pop(name) for name in ("kind", "grade") if name in changes
    }
    kinds = {"ply": 10, "seats": 2 + number % 2, "stage": "middle", "choice": ("Claim", number, 0)}
    stage = ("opening", "middle")[number % 4 // 2]
    puzzle: Puzzle = msgspec.structs.replace(first, id=f"{number:010}", **about)
    return Candidate(puzzle=puzzle, **{**kinds, "stage": stage, **changes})


def test_no_two_puzzles_are_nearly_alike(made: tuple[bytes, bytes]) -> None:
    same_turn = [candidate(made[0], n, ply=10 + n) for n in range(3)]
    assert len(choose([Searched(0, tuple(same_turn))], 100).puzzles) == 1
    same_game = [candidate(made[0], n, ply=20 * n) for n in range(5)]
    assert len(choose([Searched(0, tuple(same_game))], 100).puzzles) == SAME_GAME
    same_move = [Searched(n, (candidate(made[0], n, choice=("Claim", 1, 2)),)) for n in range(6)]
    assert len(choose(same_move, 100).puzzles) == 2


def test_no_kind_takes_all_the_places(made: tuple[bytes, bytes]) -> None:
    claims = [Searched(n, (candidate(made[0], n),)) for n in range(30)]
    chosen = choose(claims, 20)
    assert (len(chosen.puzzles), chosen.complete) == (20, False)  # until there are others
    keeps = [Searched(n, (candidate(made[0], n, kind="keep"),)) for n in range(30, 60)]
    kinds = [one.puzzle.kind for one in choose([*claims, *keeps], 20).puzzles]
    assert (kinds[:13].count("claim"), kinds[:13].count("keep")) == (8, 5)
    many = [Searched(n, (candidate(made[0], n),)) for n in range(40)]
    assert choose(many, 20).complete  # there are no others among so many
