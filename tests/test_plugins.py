"""Installed packages bring bots and editions by their entry points."""

from __future__ import annotations

import importlib.metadata
import sys
from collections.abc import Callable, Iterator
from importlib.resources import files
from pathlib import Path

import pytest
from click.testing import CliRunner
from tests.packages import install, use

from macaz.bots import BOTS, UnknownBot, bot_problem, make_bot
from macaz.cli import main
from macaz.cli.terminal.bots import bot_named
from macaz.edition import EditionError, check_edition, edition_text, load_edition, read_edition
from macaz.edition.board import City
from macaz.game import Game
from macaz.game.record import dump_record, load_record
from macaz.lab.arena.work import Job, Map, play
from macaz.lab.maps.suggest import Wishes, suggest_map
from macaz.server.editions import Catalog

OLD_WEST = files("macaz").joinpath("editions/old-west.toml").read_text(encoding="utf-8")
WILD = OLD_WEST.replace('id = "old-west"', 'id = "wild"')
FILES = {
    "sharks/__init__.py": "",
    "sharks/bots.py": "class Shark:\n    def choose(self, view, legal): return legal[-1]\n",
    "sharks/maps.py": (
        "from importlib.resources import files\n"
        "WILD = files('sharks').joinpath('wild.toml')\n"
        "def wild(): return str(WILD)\n"
        "def bad(): raise RuntimeError('no map today')\n"
        "def leaves(): raise SystemExit('no more')\n"
        "gone = 'no-such-file.toml'\nnumber = 7\n"
    ),
    "sharks/wild.toml": WILD,
    "sharks/broken.py": "import no_such_module\n",
}
Installed = Callable[..., None]


@pytest.fixture
def installed(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> Iterator[Installed]:
    """Installs a package with these entry points."""

    def make(name: str = "sharks", version: str = "1.2", **entries: dict[str, str]) -> None:
        groups = {f"macaz.{group}": points for group, points in entries.items()}
        install(tmp_path / name, name, groups, FILES, version)
        use(tmp_path / name, monkeypatch)

    yield make
    for module in [name for name in sys.modules if name.partition(".")[0] == "sharks"]:
        del sys.modules[module]


def said(*args: str) -> str:
    done = CliRunner().invoke(main, args, env={"COLUMNS": "250"})
    assert done.exit_code == 0, done.output
    return done.stdout


# -- bots ------------------------------------------------------------------------------------------


def test_a_package_brings_a_bot(installed):
    installed(bots={"shark": "sharks.bots:Shark"})
    game = Game("tiny", 2, seed=1)
    legal = list(game.legal_moves_of(0))
    assert make_bot("shark").choose(game.view(0), legal) == legal[-1]
    assert "shark (of the package sharks 1.2) takes no limit" in str(bot_problem("shark:400"))
    assert "Did you mean 'shark'?" in str(bot_problem("sharc"))
    assert "Of the package sharks 1.2 (sharks.bots:Shark)." in said("bot", "list")


def test_a_bot_that_cannot_be_loaded_is_told_of_when_it_is_used(installed):
    installed(bots={"lost": "sharks.broken:Lost", "shark": "sharks.bots:Shark"})
    assert "lost" in said("bot", "list")
    assert bot_problem("shark") is None
    with pytest.raises(UnknownBot) as error:
        make_bot("lost")
    assert str(error.value) == (
        "'lost' of the package sharks 1.2 cannot be loaded (sharks.broken:Lost): "
        "ModuleNotFoundError: No module named 'no_such_module'"
    )


def test_two_packages_with_one_name_are_both_named(installed):
    installed(bots={"shark": "sharks.bots:Shark"})
    installed("whales", "3.0", bots={"shark": "sharks.bots:Shark"})
    problem = (
        "'shark' is brought by two packages, sharks 1.2 and whales 3.0: uninstall one of them."
    )
    assert bot_problem("shark") == problem
    assert problem in said("bot", "list")


def test_no_package_replaces_a_bot_of_macaz(installed):
    names = ("greedy", "A B", "cmd")
    installed(bots=dict.fromkeys(names, "sharks.bots:Shark"))
    assert type(make_bot("greedy")).__module__ == "macaz.bots.greedy"
    listed = said("bot", "list")
    assert "sharks 1.2 brings 'greedy', which is a name of Macaz itself" in listed
    assert "sharks 1.2 brings 'A B', which cannot be used as a name" in listed
    assert "sharks 1.2 brings 'cmd', which is a name of Macaz itself" in listed
    assert "'cmd', which is a name of Macaz itself" in str(bot_problem("cmd"))
    assert bot_named("Cmd bot") is None
    assert list(BOTS) == [name for name in BOTS if name in listed]


# -- editions --------------------------------------------------------------------------------------


@pytest.mark.parametrize("entry", ["sharks.maps:WILD", "sharks.maps:wild"])
def test_a_package_brings_an_edition(installed, entry):
    installed(editions={"wild": entry})
    edition = load_edition("wild+alvin")
    assert edition.qualified_id == "wild+alvin"
    assert edition.fingerprint == load_edition("old-west+alvin").fingerprint
    assert edition_text(edition) == WILD
    assert check_edition("wild") == []
    assert "of the package sharks 1.2" in said("edition", "list")


def test_its_games_are_played_recorded_and_offered_by_a_server(installed):
    installed(editions={"wild": "sharks.maps:wild"})
    board = Map.of(load_edition("wild"))
    result = play(Job(board, 1, 0, ("random", "random"), record=True, patience=60.0))
    game = load_record(result.record)
    assert game.edition.id == "wild"
    assert "file:" not in result.record, "it is found by its id"
    assert dump_record(game).splitlines()[-1] == result.record.splitlines()[-1]
    catalog = Catalog()
    assert "wild" in catalog.names()
    assert catalog.own_text(catalog.find("wild")) == WILD


@pytest.mark.parametrize(
    ("entry", "words"),
    [
        ("sharks.broken:wild", "'wild' of the package sharks 1.2 cannot be loaded"),
        ("sharks.maps:bad", "of the package sharks 1.2 cannot be loaded (sharks.maps:bad): Runti"),
        ("sharks.maps:leaves", "cannot be loaded (sharks.maps:leaves): SystemExit: no more"),
        ("sharks.maps:gone", "of the package sharks 1.2 has no file: there is no no-such-file"),
        ("sharks.maps:number", "is 'int' (sharks.maps:number), not the path of a file."),
    ],
)
def test_an_edition_that_cannot_be_loaded_is_told_of_when_it_is_used(installed, entry, words):
    installed(editions={"wild": entry})
    with pytest.raises(EditionError) as error:
        load_edition("wild")
    assert words in str(error.value)
    assert "Left out: " in said("edition", "list")
    assert "wild" not in Catalog().names()
    assert load_edition("tiny").id == "tiny"


def test_an_edition_of_a_package_is_a_base(installed, tmp_path):
    installed(editions={"wild": "sharks.maps:WILD", "gone": "sharks.maps:gone"})
    head = 'format = 1\nid = "mine"\nname = "Mine"\nbase = '
    mine = tmp_path / "mine.toml"
    mine.write_text(f'{head}"wild"\n[rules]\nhand = 3\n', encoding="utf-8")
    assert load_edition(mine).rules.hand == 3
    assert load_edition(mine).board.routes == load_edition("wild").board.routes
    assert read_edition(edition_text(load_edition(mine))) == load_edition(mine)
    cities = [City(f"Mile {n}", 0.0, float(n)) for n in range(7)]
    assert 'base = "wild"' in suggest_map("Line", cities, Wishes(base="wild"))
    mine.write_text(f'{head}"gone"\n', encoding="utf-8")
    (problem,) = check_edition(mine)
    assert "'gone' of the package sharks 1.2 has no file" in str(problem)


def test_an_edition_has_the_id_of_its_entry(installed):
    installed(editions={"mild": "sharks.maps:wild"})
    with pytest.raises(EditionError, match="'mild', but its file has the id 'wild'"):
        load_edition("mild")


# -- at no cost ------------------------------------------------------------------------------------


def test_no_metadata_is_read_for_what_macaz_has_itself(monkeypatch):
    def read(**_: object) -> None:
        raise AssertionError("the metadata of all packages was read")

    monkeypatch.setattr(importlib.metadata, "entry_points", read)
    monkeypatch.setattr(sys, "path", [*sys.path, "nowhere"])  # what was read before is for another
    game = Game("tiny", 2, seed=1)
    make_bot("greedy").choose(game.view(0), list(game.legal_moves_of(0)))
    load_record(dump_record(game))
    said("--help")
    with pytest.raises(AssertionError):
        make_bot("shark")
