"""The report on a map: what the map shows, what games of bots show, text and page."""

from __future__ import annotations

import re
import tomllib
from collections.abc import Iterator
from pathlib import Path

import pytest
from click.testing import CliRunner

from macaz.cli import main
from macaz.edition import Edition, edition_text, load_edition, read_edition
from macaz.edition.write import write_edition
from macaz.game.record import load_record
from macaz.lab.arena.result import GameResult
from macaz.lab.arena.work import Job, Map, play
from macaz.lab.maps import played as played_module
from macaz.lab.maps.balance import balance_of
from macaz.lab.maps.played import Played
from macaz.lab.maps.report import report_on, write_page
from macaz.lab.shares import wilson

GAMES = 12


def tiny(*changes: str) -> Edition:
    text = edition_text(load_edition("tiny"))
    for old, new in zip(changes[::2], changes[1::2], strict=True):
        assert old in text
        text = text.replace(old, new)
    return read_edition(text)


@pytest.fixture(scope="module")
def results() -> list[GameResult]:
    board = Map.of(load_edition("tiny"))
    lineup = ("planner", "random", "planner")
    return [play(Job(board, 1, deal, lineup, record=True, patience=60)) for deal in range(GAMES)]


def counted(results: list[GameResult]) -> Played:
    played = Played(load_edition("tiny"), 3, ("planner", "random"), 1, GAMES)
    for result in results:
        played.add(result)
    return played


def test_the_map_alone() -> None:
    found = balance_of(load_edition("tiny"))
    assert {c.name: (c.lanes, c.spaces) for c in found.colours} == {
        "gray": (1, 3), "blue": (3, 4), "green": (2, 3), "red": (2, 3),
    }  # fmt: skip
    assert sum(region.cities for region in found.regions) == 6
    assert sum(region.spaces for region in found.regions) == 13
    assert sum(region.ticket_ends for region in found.regions) == 12
    assert [(way.points, way.spaces) for way in found.ways] == [
        (4, 4), (4, 4), (3, 3), (3, 3), (4, 4), (3, 3),
    ]  # fmt: skip


def test_remarks_name_what_is_uneven() -> None:
    remarks = " ".join(
        report_on(tiny('length = 3, lanes = ["gray"]', 'length = 3, lanes = ["red"]')).remarks
    )
    assert "red 6" in remarks
    paid = tiny('"București",  points =  4', '"București",  points =  9')
    assert "paid well: Brașov–București (2.25 a space)" in " ".join(report_on(paid).remarks)
    assert "paid well" not in " ".join(report_on(load_edition("tiny")).remarks)


def test_a_colour_without_lanes_and_a_city_without_tickets_are_noticed() -> None:
    text = edition_text(load_edition("ireland"))
    data = tomllib.loads(text)
    data["tickets"] = [row for row in data["tickets"] if "Tralee" not in row.values()]
    few = read_edition(write_edition(data))
    assert "Cities on no ticket: Tralee." in report_on(few).remarks
    grey = read_edition(text.replace('"orange"', '"gray"'))
    assert ("orange", "0", "0") in report_on(grey).sections[0].rows
    (remark,) = report_on(grey).remarks
    assert "orange 0" in remark


def test_quarters_are_judged_by_their_spaces_too() -> None:
    long = tiny('length = 3, lanes = ["gray"]', 'length = 3, lanes = ["gray", "gray", "gray"]')
    remark = "The south-east has few spaces: 1.5 a city, usual is 3.2."
    assert remark in report_on(long).remarks
    assert " spaces: " not in " ".join(report_on(load_edition("tiny")).remarks)


def test_games_are_counted(results: list[GameResult]) -> None:
    played = counted(results)
    board = load_edition("tiny").board
    assert (played.games, played.failures) == (GAMES, 0)
    assert sum(cases.won for cases in played.by_place.values()) == pytest.approx(GAMES)
    assert {cases.count for cases in played.by_place.values()} == {GAMES}
    assert played.by_bot["planner"].count == 2 * GAMES
    assert played.kept.total() == sum(sum(result.tickets_kept) for result in results)
    assert played.done.total() == sum(sum(result.tickets_done) for result in results)
    assert sum(cases.count for cases in played.by_tickets.values()) == 3 * GAMES
    games = [load_record(result.record) for result in results]
    for route in board.routes:
        if route.lane == 0:
            lanes = board.pair_lanes(board.routes.index(route))
            claimed = sum(any(g.view(0).owners[n] is not None for n in lanes) for g in games)
            assert played.taken[lanes[0]] == claimed


def test_the_report_says_it(results: list[GameResult], tmp_path: Path) -> None:
    report = report_on(load_edition("tiny"), counted(results))
    titles = [section.title for section in report.sections]
    assert titles == [
        "Colours", "Regions", "Wins by order of play", "Wins by completed tickets", "What wins",
        "Wins by bot", "Tickets", "Routes",
    ]  # fmt: skip
    assert f"{GAMES} games of 3 players (planner, random)" in report.lead
    assert all(len(row) == len(s.heads) for s in report.sections for row in s.rows)
    assert len(report.sections[-1].rows) == 7  # a double route is one row
    write_page(report, load_edition("tiny"), tmp_path / "report.html")
    page = (tmp_path / "report.html").read_text("utf-8")
    for section in report.sections:
        assert section.title in page
    assert "Brașov–Sinaia (red, blue)" in page
    assert "<svg" in page


def test_seats_that_win_too_often_are_noticed(results: list[GameResult]) -> None:
    played = counted(results)
    played.by_place[0].won = 0.9 * GAMES
    played.by_place[1].won = 0
    text = " ".join(report_on(load_edition("tiny"), played).remarks)
    assert "Seat 1, which begins, wins more than an even share: 90 %" in text
    assert "Seat 2 wins less than an even share: 0 %" in text


def test_an_interval_of_nothing_is_everything() -> None:
    assert (wilson(0, 0).low, wilson(0, 0).high) == (0, 1)
    assert wilson(5, 10).low == pytest.approx(0.2366, abs=1e-4)


# -- the command -----------------------------------------------------------------------------------


def run(*args: str | int | Path) -> tuple[int, str]:
    return run_wide(120, *args)


def run_wide(columns: int, *args: str | int | Path) -> tuple[int, str]:
    words = ["edition", "report", *(str(a) for a in args)]
    result = CliRunner().invoke(main, words, env={"COLUMNS": str(columns)})
    return result.exit_code, result.output


def test_the_command_plays_and_reports(tmp_path: Path) -> None:
    page = tmp_path / "tiny.html"
    status, output = run("tiny", "-n", 3, "-p", 2, "--workers", 1, "--html", page)
    assert status == 0
    assert "3 games of 2 players (planner)" in output
    assert "Brașov–Pitești" in output
    assert page.exists()


def test_nothing_is_cut_on_a_terminal_of_80_columns() -> None:
    status, output = run_wide(80, "romania", "-n", 1, "-p", 2, "--workers", 1)
    assert status == 0
    assert "…" not in output
    assert max(map(len, output.splitlines())) <= 80
    assert re.search(r"ticket +points +spaces +a space +kept +done +95 %", output)


def test_without_games_the_map_is_looked_at() -> None:
    status, output = run("europe", "-n", 0)
    assert status == 0
    assert "Regions" in output
    assert "Wins" not in output


def test_stopped_early_it_reports_what_was_played(
    results: list[GameResult], monkeypatch: pytest.MonkeyPatch
) -> None:
    def stopped(jobs: object, workers: int | None) -> Iterator[GameResult]:
        yield from results[:2]
        raise KeyboardInterrupt

    monkeypatch.setattr(played_module, "run_local", stopped)
    status, output = run("tiny", "-n", 50)
    assert status == 130
    assert "2 games of 3 players" in output
    assert "Stopped after 2 of 50 games" in output


def test_wrong_wishes_are_explained(tmp_path: Path) -> None:
    assert "is for 2 to 3 players, not 5" in run("tiny", "-p", 5)[1]
    assert "no folder" in run("tiny", "--html", tmp_path / "none" / "x.html")[1]
    assert "planer" in run("tiny", "-n", 1, "--bots", "planer")[1]
