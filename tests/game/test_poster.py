"""The final picture of a game: what is in it, and that names cannot break it."""

from __future__ import annotations

import re
from pathlib import Path
from typing import Any
from xml.etree import ElementTree

import pytest
from click.testing import CliRunner
from tests.game.test_values import played
from tests.installs import ROOT

from macaz import Game
from macaz.cli import main
from macaz.edition.picture import SEAT_COLORS
from macaz.game.outcome import NotOver, longest_paths
from macaz.game.poster import TABLE_COLORS, WIDTH, final_picture
from macaz.game.record import save_record

SVG = "{http://www.w3.org/2000/svg}"
TRACE = "#ffd84d"
NAMES = ["<b>Ana</b> & \x07\uffffco", "Ștefania-Alexandra Constantinescu of a very long line"]


def finished(edition: str, **more: Any) -> Game:
    game = played(edition, 5000, **more)
    assert game.over
    return game


def texts(svg: str) -> list[str]:
    return [text.text or "" for text in ElementTree.fromstring(svg).iter(f"{SVG}text")]


@pytest.mark.parametrize("edition", ["europe", "old-west+alvin"])
def test_the_picture_has_the_trains_the_path_the_names_and_the_points(edition: str) -> None:
    game = finished(edition, names=NAMES)
    game.date = "2026-11-08"
    outcome, view = game.outcome, game.view(None)
    assert outcome is not None
    svg = final_picture(game)
    root = ElementTree.fromstring(svg)
    assert root.get("width") == str(WIDTH)
    for seat, color in enumerate(SEAT_COLORS[:2]):
        trains = sum(game.edition.board.routes[r].length for r in view.routes_of(seat))
        legend = 2  # the bar and the token beside the name
        shapes = [shape for shape in root.iter() if shape.get("fill") == color]
        assert len(shapes) == trains + len(view.marks_of(seat)) + legend
    paths = longest_paths(game)
    best = [seat for seat, score in enumerate(outcome.seats) if score.longest_path]
    traced = sum(len(paths[seat]) for seat in best)
    strokes = [shape.get("stroke") for shape in root.iter()]
    assert strokes.count(TRACE) == traced
    # The path is below the trains, whose colours it does not hide.
    fills = [shape.get("fill") for shape in root.iter()]
    trains_from = min(fills.index(color) for color in SEAT_COLORS[:2])
    assert TRACE not in strokes[trains_from:]
    words = texts(svg)
    assert {game.edition.title, "8 November 2026", "<b>Ana</b> &   co"} <= set(words)
    assert any(re.fullmatch(r"Ștefania-Alex.*…", word) for word in words)
    assert {str(total) for total in outcome.totals} <= set(words)
    assert not {"\x07", "\uffff"} & set(svg)


def test_the_colours_of_a_table_are_those_of_the_page() -> None:
    tokens = (ROOT / "web/src/style/tokens.css").read_text(encoding="utf-8")
    assert dict(re.findall(r"--seat-(\w+): (#\w+);", tokens.partition("data-theme")[0])) == (
        TABLE_COLORS
    )
    svg = final_picture(finished("tiny"), ["yellow", "black"])
    assert svg.count(f'fill="{TABLE_COLORS["yellow"]}"') > 2


def test_a_game_that_goes_on_has_no_final_picture() -> None:
    with pytest.raises(NotOver, match="not over"):
        final_picture(played("tiny"))


def test_replay_writes_the_picture(tmp_path: Path) -> None:
    def run(game: Game, name: str) -> tuple[int, str]:
        save_record(tmp_path / "game.macaz", game)
        args = ["replay", str(tmp_path / "game.macaz"), "--picture", str(tmp_path / name)]
        result = CliRunner().invoke(main, args)
        return result.exit_code, result.output

    game = finished("tiny")
    assert run(game, "end.svg") == (0, "")
    assert (tmp_path / "end.svg").read_text(encoding="utf-8") == final_picture(game)
    status, output = run(game, "end.png")
    assert (status, "ends with .svg" in " ".join(output.split())) == (2, True)
    status, output = run(played("tiny"), "early.svg")
    assert (status, "the game is not over" in output) == (2, True)
    assert run(game, "nowhere/end.svg")[0] == 2
    assert sorted(path.name for path in tmp_path.iterdir()) == ["end.svg", "game.macaz"]
