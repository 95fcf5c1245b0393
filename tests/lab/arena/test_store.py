"""The folder of a tournament: its content is kept, without duplicates."""

from __future__ import annotations

from pathlib import Path

import msgspec
import pytest

from macaz.lab.arena.result import GameResult
from macaz.lab.arena.settings import ArenaError, Settings
from macaz.lab.arena.store import Store, read_game, read_results, read_settings

SETTINGS = Settings(edition="tiny", fingerprint="f", players=2, bots=("a", "b"), games=10, seed=1)


def game(deal: int, lineup: str = "ab", record: str = "text") -> GameResult:
    pair = (0, 0)
    return GameResult(
        deal=deal,
        lineup=tuple(lineup),
        first=0,
        scores=(deal, 2),
        winners=(1,),
        decisions=pair,
        turns=pair,
        seconds=(0.5, 0.25),
        slowest=(0.5, 0.25),
        tickets_kept=pair,
        tickets_done=pair,
        failures=("", "late"),
        record=record,
    )


def changed(**settings) -> Settings:
    return msgspec.structs.replace(SETTINGS, **settings)


def fill(folder: Path, count: int = 3) -> None:
    with Store(folder, SETTINGS) as store:
        for deal in range(count):
            store.add(game(deal))


def test_games_are_there_when_it_is_opened_again(tmp_path):
    fill(tmp_path / "new" / "folder")
    with Store(tmp_path / "new" / "folder", SETTINGS) as store:
        assert store.results == [game(deal, record="") for deal in range(3)]
        assert store.has(1, ("a", "b"))
        assert not store.has(1, ("b", "a"))
    assert read_settings(tmp_path / "new" / "folder") == SETTINGS
    assert read_game(tmp_path / "new" / "folder", 2) == game(1)


def test_each_game_is_on_the_disk_at_once(tmp_path):
    with Store(tmp_path, SETTINGS) as store:
        for deal in range(3):
            store.add(game(deal))
            assert len(list(read_results(tmp_path))) == deal + 1


def test_a_game_is_kept_once(tmp_path):
    with Store(tmp_path, SETTINGS) as store:
        assert store.add(game(0)) is not None
        assert store.add(game(0)) is None
        assert store.add(game(0, "ba")) is not None
    twice = (tmp_path / "games.jsonl").read_bytes()
    (tmp_path / "games.jsonl").write_bytes(twice + twice)
    assert [(r.deal, r.lineup) for r in read_results(tmp_path)] == [
        (0, ("a", "b")),
        (0, ("b", "a")),
    ]


@pytest.mark.parametrize("cut", [1, 40])
def test_a_half_written_last_line_is_dropped(tmp_path, cut):
    fill(tmp_path)
    path = tmp_path / "games.jsonl"
    path.write_bytes(path.read_bytes()[:-cut])
    assert len(list(read_results(tmp_path))) == 2, "reading ignores the incomplete line"
    with Store(tmp_path, SETTINGS) as store:
        assert [r.deal for r in store.results] == [0, 1]
        store.add(game(2))
    assert [r.deal for r in read_results(tmp_path)] == [0, 1, 2]


def test_a_file_that_is_one_half_line_is_emptied(tmp_path):
    fill(tmp_path, 0)
    (tmp_path / "games.jsonl").write_bytes(b"x" * 200_000)
    with Store(tmp_path, SETTINGS) as store:
        assert store.results == []
    assert (tmp_path / "games.jsonl").stat().st_size == 0


def test_a_line_that_is_no_game_is_named(tmp_path):
    fill(tmp_path)
    path = tmp_path / "games.jsonl"
    lines = path.read_bytes().splitlines(keepends=True)
    path.write_bytes(lines[0] + b'{"deal": 1}\n' + lines[2])
    with pytest.raises(ArenaError, match=r"games\.jsonl, line 2 is not a game"):
        Store(tmp_path, SETTINGS)


@pytest.mark.parametrize(
    "other",
    [{"seed": 2}, {"bots": ("a", "c")}, {"players": 3}, {"gauntlet": True}, {"fingerprint": "g"}],
)
def test_another_tournament_is_refused(tmp_path, other):
    fill(tmp_path)
    with pytest.raises(ArenaError, match=f"has another tournament: its {next(iter(other))} is"):
        Store(tmp_path, changed(**other))
    assert read_settings(tmp_path) == SETTINGS


def test_a_changed_bot_does_not_go_on(tmp_path):
    before = changed(digests={"a": "1"})
    with Store(tmp_path, before):
        pass
    with Store(tmp_path, changed(digests={"a": "2"})):
        pass  # no game was played
    with Store(tmp_path, changed(digests={"a": "3"})) as store:
        store.add(game(0))
    with pytest.raises(ArenaError, match="has games of a as it was before its file was changed"):
        Store(tmp_path, before)


def test_it_may_go_on_for_longer_and_by_another_name(tmp_path):
    fill(tmp_path)
    more = changed(
        games=20, records=False, sprt=(0.5, 0.6), patience=1.0, edition="moved/tiny.toml"
    )
    with Store(tmp_path, more) as store:
        assert len(store.results) == 3
    assert read_settings(tmp_path) == more


def test_one_program_at_a_time(tmp_path):
    pytest.importorskip("fcntl")
    with Store(tmp_path, SETTINGS), pytest.raises(ArenaError, match="another program"):
        Store(tmp_path, SETTINGS)
    Store(tmp_path, SETTINGS).__exit__()


def test_a_folder_without_a_tournament_says_so(tmp_path):
    with pytest.raises(ArenaError, match="has no tournament"):
        read_settings(tmp_path)
    (tmp_path / "games.jsonl").write_text("mine")
    with pytest.raises(ArenaError, match="choose another folder"):
        Store(tmp_path, SETTINGS)
    assert (tmp_path / "games.jsonl").read_text() == "mine"
    (tmp_path / "arena.json").write_text("{}")
    with pytest.raises(ArenaError, match="cannot be read"):
        read_settings(tmp_path)


def test_a_game_that_is_not_there_is_an_error(tmp_path):
    fill(tmp_path)
    with pytest.raises(ArenaError, match=r"no game 4 in .*: it has 3"):
        read_game(tmp_path, 4)
