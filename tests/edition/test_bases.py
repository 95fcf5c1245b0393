"""Editions that inherit from another one, knobs left out, and files that are written again."""

from __future__ import annotations

import tomllib
from dataclasses import replace
from importlib.resources import files
from pathlib import Path

import pytest
from click.testing import CliRunner

from macaz.cli import main
from macaz.edition import (
    check_edition,
    edition_text,
    list_editions,
    load_edition,
    read_edition,
)
from macaz.edition.rules import KNOBS
from macaz.edition.write import write_edition

TINY = files("macaz").joinpath("editions", "tiny.toml").read_text(encoding="utf-8")
MAP = TINY[TINY.index("cities = [") : TINY.index("[rules]")]
HEAD = 'format = 1\nid = "mine"\nname = "Mine"\n'


def write(folder: Path, name: str, text: str) -> Path:
    path = folder / name
    path.write_text(text, encoding="utf-8")
    return path


def test_a_file_states_only_where_it_differs(tmp_path: Path) -> None:
    path = write(tmp_path, "mine.toml", f'{HEAD}base = "tiny"\n[rules]\nhand = 3\ncards.red = 5\n')
    mine, tiny = load_edition(path), load_edition("tiny")
    assert (mine.id, mine.name) == ("mine", "Mine")
    assert (mine.board.cities, mine.board.routes) == (tiny.board.cities, tiny.board.routes)
    assert mine.plate == tiny.plate
    assert (mine.rules.hand, mine.rules.row) == (3, tiny.rules.row)
    assert mine.rules.cards == (0, 4, 0, 0, 4, 0, 0, 5, 2)  # a table is merged key by key
    assert mine.fingerprint != tiny.fingerprint


def test_a_new_map_inherits_the_rules_only(tmp_path: Path) -> None:
    """Options and the layout are about the cities of the base."""
    rules = (
        '[rules]\nphases = ["draw", "claim", "tickets", "start-city"]\n'
        'scorers = ["routes", "tickets"]\nmax_seats = 3\nsetup_tickets = 2\nsetup_keep = 1\n'
    )
    path = write(tmp_path, "mine.toml", f'{HEAD}base = "old-west"\n{MAP}{rules}')
    mine = load_edition(path)
    assert mine.available_options == ()
    assert mine.plate is None
    assert mine.rules.markers == 3
    assert "marker" not in mine.rules.phases  # a list is replaced


def test_bases_form_a_chain_and_a_file_beside_is_one(tmp_path: Path) -> None:
    write(tmp_path, "one.toml", f'{HEAD}base = "tiny"\n[rules]\nhand = 3\nrow = 4\n')
    two = write(tmp_path, "two.toml", f'{HEAD}base = "one.toml"\n[rules]\nrow = 5\n')
    assert (load_edition(two).rules.hand, load_edition(two).rules.row) == (3, 5)
    again = read_edition(edition_text(load_edition(two)))  # whole, without the files beside it
    assert again == load_edition(two)
    assert again.plate == load_edition(two).plate


def test_a_layout_of_its_own_replaces_that_of_the_base(tmp_path: Path) -> None:
    plate = TINY[TINY.index("[plate]") : TINY.index("[plate.bends]")]
    mine = load_edition(write(tmp_path, "mine.toml", f'{HEAD}base = "tiny"\n{plate}')).plate
    tiny = load_edition("tiny").plate
    assert mine is not None
    assert tiny is not None
    assert mine == replace(tiny, bends=mine.bends)
    assert tiny.bends
    assert not mine.bends


@pytest.mark.parametrize(
    ("base", "words"),
    [
        ('"usa-clasic"', 'no edition "usa-clasic". Did you mean "usa-classic"?'),
        ('"zzzzzz"', "Use one of: caribbean"),
        ('"none.toml"', 'no file "none.toml" beside this one'),
        ('"../mine.toml"', "in another folder"),
        ('"mine.toml"', "circle: mine.toml → mine.toml"),
        ('"other.toml"', "circle: mine.toml → other.toml → mine.toml"),
        ('"broken.toml"', "cannot be read"),
        ('"faulty.toml"', "has a problem itself. Correct it first: macaz edition check"),
        ("3", "the base is 3"),
    ],
)
def test_a_base_that_cannot_be_used_is_one_problem(base: str, words: str, tmp_path: Path) -> None:
    write(tmp_path, "other.toml", f'{HEAD}base = "mine.toml"\n')
    write(tmp_path, "broken.toml", "id = [")
    write(tmp_path, "faulty.toml", f'{HEAD}base = "tiny"\n[rules]\nhand = 0\n')
    path = write(tmp_path, "mine.toml", f"{HEAD}base = {base}\n")
    (problem,) = check_edition(path)
    assert (problem.place, problem.line) == ("base", 4)
    assert words in str(problem)


def test_a_text_has_no_file_beside_it() -> None:
    with pytest.raises(ValueError, match="this text has no folder"):
        read_edition(f'{HEAD}base = "other.toml"\n')


def test_knobs_that_a_map_does_not_use_may_be_left_out() -> None:
    stated = tomllib.loads(TINY)["rules"]
    rules = load_edition("tiny").rules
    for name in KNOBS.keys() - stated.keys():
        assert getattr(rules, name) == KNOBS[name].metadata["default"]
    assert not {"alvin_city", "alvin_points", "stations", "markers"} & stated.keys()
    text = TINY.replace('phases     = ["draw",', 'phases     = ["station", "draw",')
    with pytest.raises(ValueError, match='phase "station" needs stations, and there are none'):
        read_edition(text)


@pytest.mark.parametrize("name", list_editions())
def test_what_is_written_is_read_back(name: str) -> None:
    data = tomllib.loads(edition_text(load_edition(name)))
    assert tomllib.loads(write_edition(data)) == data


def test_a_map_is_shown_with_its_sentence_and_author() -> None:
    shown = CliRunner().invoke(main, ["edition", "show", "ireland"]).output
    assert "Ireland (ireland), by Macaz\nSmall and quick" in shown


def test_a_map_has_a_sentence_and_an_author() -> None:
    text = f'{HEAD}author = "Ana"\nbase = "tiny"\n'
    plain = read_edition(f'{text}sentence = "Six towns."\n')
    assert (plain.author, plain.sentences) == ("Ana", {"en": "Six towns."})
    both = read_edition(f'{text}sentence.en = "Six towns."\nsentence.ro = "Șase orașe."\n')
    assert both.sentences == {"en": "Six towns.", "ro": "Șase orașe."}
    assert both == plain  # they do not matter to play
    assert load_edition("usa").sentences != load_edition("usa-classic").sentences  # not inherited


@pytest.mark.parametrize(
    ("line", "place", "words"),
    [
        ('author = ""', "author", "1 to 40 characters"),
        ("sentence = 3", "sentence", "1 to 160 characters"),
        ('sentence.ro = "Da."', "sentence", "English sentence is missing"),
        ('sentence = { en = "Yes.", Klingon = "x" }', "sentence.Klingon", "not a language"),
        (f'sentence = "{"x" * 161}"', "sentence", "1 to 160 characters"),
    ],
)
def test_sentence_and_author_are_checked(line: str, place: str, words: str, tmp_path: Path) -> None:
    path = write(tmp_path, "mine.toml", f'{HEAD}base = "tiny"\n{line}\n')
    (problem,) = check_edition(path)
    assert (problem.place, problem.line) == (place, 5)
    assert words in str(problem)
