"""A static site: its content, what it replaces, and what it leaves alone."""

from __future__ import annotations

import json
import re
from pathlib import Path

import pytest
from click.testing import CliRunner

from macaz.cli import main
from macaz.edition import edition_text, load_edition
from macaz.server import page, site
from macaz.server.data_files import make_data_files
from macaz.server.editions import Catalog
from macaz.server.middleware import POLICY

INDEX = """<!doctype html>
<html lang="en">
  <head>
    <meta charset="utf-8" />
    <title>Macaz</title>
    <script type="module" src="./assets/index.js"></script>
  </head>
</html>
"""


@pytest.fixture(autouse=True)
def built(tmp_path_factory, monkeypatch) -> Path:
    """A page of a few files."""
    folder: Path = tmp_path_factory.mktemp("built")
    (folder / "assets").mkdir()
    (folder / "index.html").write_text(INDEX)
    (folder / "assets/index.js").write_text("export {};")
    (folder / "sw.js").write_text("// a worker")
    monkeypatch.setattr(page, "page_folder", lambda: folder)
    return folder


def names(folder: Path) -> set[str]:
    return {path.relative_to(folder).as_posix() for path in folder.rglob("*") if path.is_file()}


def beside(folder: Path) -> list[str]:
    return sorted(path.name for path in folder.parent.iterdir())


def test_a_site_has_the_page_and_the_data_files(tmp_path):
    target = tmp_path / "public" / "demo"
    told: list[str] = []
    size = site.write_site(target, Catalog(), told.append)
    data = make_data_files(Catalog())
    assert names(target) == {
        *("index.html", "assets/index.js", "sw.js", "macaz-site.json"),
        *(f"data/{name}" for name in data.names()),
    }
    for name in data.names():
        assert (target / "data" / name).read_bytes() == data.read(name)
    assert size == sum((target / name).stat().st_size for name in names(target))
    assert told
    assert beside(target) == ["demo"]


def test_its_page_says_that_there_is_no_server_and_has_the_policy(tmp_path):
    site.write_site(tmp_path / "demo", Catalog())
    html = (tmp_path / "demo/index.html").read_text()
    assert '<meta name="macaz-server" content="none" />' in html
    [policy] = re.findall(r'http-equiv="Content-Security-Policy" content="([^"]*)"', html)
    # Browsers ignore this directive in a page, with a message on the console.
    assert policy == POLICY.replace("; frame-ancestors 'none'", "")
    assert html.index("charset") < html.index("Content-Security-Policy") < html.index("<script")
    assert [a for a in re.findall(r'(?:src|href)="([^"]*)"', html) if not a.startswith("./")] == []


def test_equal_pages_and_editions_give_equal_sites(tmp_path):
    for name in ("one", "two"):
        site.write_site(tmp_path / name, Catalog())
    found = names(tmp_path / "one")
    assert found == names(tmp_path / "two")
    for name in found:
        assert (tmp_path / "one" / name).read_bytes() == (tmp_path / "two" / name).read_bytes()


def test_a_site_of_before_is_replaced(tmp_path, built):
    target = tmp_path / "demo"
    target.mkdir()  # an empty folder is accepted as well
    site.write_site(target, Catalog())
    (built / "assets/index.js").rename(built / "assets/other.js")
    site.write_site(target, Catalog())
    assert "assets/other.js" in names(target)
    assert "assets/index.js" not in names(target)
    assert beside(target) == ["demo"]


@pytest.mark.parametrize(
    ("prepare", "message"),
    [
        (lambda folder: (folder / "letter.txt").write_text("Dear"), "is not empty"),
        (lambda folder: (folder / "macaz-site.json").write_text("{}"), "is not empty"),
        (lambda folder: (folder / "deep").mkdir(), "is not empty"),
        (lambda folder: (folder.rmdir(), folder.write_text("a file")), "is not a folder"),
    ],
)
def test_another_folder_is_left_alone(tmp_path, prepare, message):
    target = tmp_path / "mine"
    target.mkdir()
    prepare(target)
    before = names(tmp_path)
    with pytest.raises(site.SiteError, match=message):
        site.write_site(target, Catalog())
    assert names(tmp_path) == before


def test_a_site_with_other_files_in_it_is_left_alone(tmp_path):
    target = tmp_path / "demo"
    site.write_site(target, Catalog())
    (target / "data/CNAME").write_text("macaz.test")
    before = names(target)
    with pytest.raises(site.SiteError, match="such as data/CNAME"):
        site.write_site(target, Catalog())
    assert names(target) == before


@pytest.mark.parametrize("existed", [True, False])
def test_an_interruption_leaves_the_folder_as_it_was(tmp_path, monkeypatch, existed):
    target = tmp_path / "demo"
    if existed:
        site.write_site(target, Catalog())
    before = names(tmp_path)

    def stop(_: Catalog) -> None:
        raise KeyboardInterrupt

    monkeypatch.setattr(site, "make_data_files", stop)
    with pytest.raises(KeyboardInterrupt):
        site.write_site(target, Catalog())
    assert names(tmp_path) == before
    assert beside(target) == (["demo"] if existed else [])


def test_a_folder_that_cannot_be_replaced_keeps_its_site(tmp_path, monkeypatch):
    target = tmp_path / "demo"
    site.write_site(target, Catalog())
    before, rename = names(tmp_path), Path.rename

    def refuse(self: Path, to: Path) -> Path:
        if self.suffix == ".tmp":
            raise OSError("no more space")
        return rename(self, to)

    monkeypatch.setattr(Path, "rename", refuse)
    with pytest.raises(OSError, match="no more space"):
        site.write_site(target, Catalog())
    assert names(tmp_path) == before


def test_the_command_writes_a_site_with_maps_of_ones_own(tmp_path):
    text = edition_text(load_edition("tiny")).replace('id = "tiny"', 'id = "mine"', 1)
    (tmp_path / "maps").mkdir()
    (tmp_path / "maps/mine.toml").write_text(text, "utf-8")
    asked = ["site", str(tmp_path / "demo"), "--editions", str(tmp_path / "maps")]
    done = CliRunner().invoke(main, asked)
    assert done.exit_code == 0, done.output
    assert "MB" in done.stderr
    index = json.loads((tmp_path / "demo/data/index.json").read_bytes())
    assert "mine" in index["maps"]


def test_the_command_says_in_a_sentence_what_is_wrong(tmp_path, built):
    (tmp_path / "letter.txt").write_text("Dear")
    done = CliRunner().invoke(main, ["site", str(tmp_path)])
    assert done.exit_code == 2
    assert done.stderr.startswith(f"macaz: {tmp_path} is not empty")
    (built / "index.html").unlink()
    done = CliRunner().invoke(main, ["site", str(tmp_path / "demo")])
    assert done.exit_code == 2
    assert "the page is not built" in done.stderr
    assert not (tmp_path / "demo").exists()
