"""`macaz edition layout`: a map file gets its board."""

from __future__ import annotations

from importlib.resources import files
from pathlib import Path

import pytest
from click.testing import CliRunner, Result

from macaz.cli import main
from macaz.edition import load_edition

TEXT = files("macaz").joinpath("editions", "tiny.toml").read_text(encoding="utf-8")
BARE = TEXT[: TEXT.index("[plate]")]


def layout(*args: object) -> Result:
    return CliRunner().invoke(main, ["edition", "layout", *map(str, args)])


@pytest.fixture
def file(tmp_path: Path) -> Path:
    path = tmp_path / "map.toml"
    path.write_bytes(BARE.encode())
    return path


def test_a_map_is_laid_out(file):
    result = layout(file, "--effort", 1)
    assert result.exit_code == 0, result.output
    text = file.read_bytes().decode()
    assert text.startswith(BARE)
    section = load_edition(file).plate
    assert section
    assert f"a board of {section.width:g} × {section.height:g}\n" in result.output
    assert result.output.endswith("No problem found: nothing on the board overlaps.\n")


def test_it_is_written_elsewhere(file, tmp_path):
    out, svg = tmp_path / "out.toml", tmp_path / "out.svg"
    assert layout(file, "--effort", 0, "--out", out, "--svg", svg).exit_code == 0
    assert file.read_bytes().decode() == BARE
    assert load_edition(out).plate
    assert svg.read_text(encoding="utf-8").startswith("<svg ")


def test_line_ends_and_the_mark_at_the_start_are_kept(file):
    windows = b"\xef\xbb\xbf" + BARE.replace("\n", "\r\n").encode()
    file.write_bytes(windows)
    assert layout(file, "--effort", 0).exit_code == 0
    written = file.read_bytes()
    assert written.startswith(windows)
    assert written.count(b"\n") == written.count(b"\r\n")


def test_what_touches_is_said(file, monkeypatch):
    monkeypatch.setattr("macaz.draw.check.problems", lambda plate, edition: ["a touches b"])
    result = layout(file, "--effort", 0)
    assert result.exit_code == 1
    assert "a touches b.\n1 problem: try --effort 4 or another --seed" in result.output
    assert load_edition(file).plate


@pytest.mark.parametrize(
    ("content", "words"),
    [
        (BARE.replace("length = 3", "length = 33").encode(), "length is 33"),
        (b"\xff", "cannot be read"),
        (b"= 3", "not TOML"),
    ],
)
def test_a_broken_file_is_not_touched(file, content, words):
    file.write_bytes(content)
    result = layout(file)
    assert result.exit_code == 2
    assert words in result.stderr
    assert file.read_bytes() == content


def test_a_missing_file_is_named(tmp_path):
    result = layout(tmp_path / "none.toml")
    assert result.exit_code == 2
    assert "none.toml" in result.stderr
