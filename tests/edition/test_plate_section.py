"""The `[plate]` section: reading, checking and writing it."""

from __future__ import annotations

import re
from importlib.resources import files

import pytest

from macaz.edition import InvalidEdition, list_editions, read_edition
from macaz.edition.plate_section import (
    CityMark,
    PlateSection,
    section_text,
    with_section,
)
from macaz.errors import MacazError

pytestmark = pytest.mark.portable


def file_of(name: str) -> str:
    return files("macaz").joinpath("editions", f"{name}.toml").read_text(encoding="utf-8")


TINY = file_of("tiny")
BARE = TINY[: TINY.index("[plate]")]
SECTION = PlateSection(
    400,
    300,
    {
        "Brașov": CityMark(200, 40, "e"),
        "București": CityMark(300, 260, "w", fixed=True),
        "Pitești": CityMark(40, 200.5, (-3, 22)),
        "Ploiești": CityMark(300, 180, "ne"),
        "Sinaia": CityMark(200, 110, "se"),
        "Târgoviște": CityMark(170, 190, "s"),
    },
    {("Brașov", "Pitești"): (16.0, 16.0), ("Ploiești", "Sinaia"): (12.0, -8.5)},
    borders=False,
)


def test_what_is_written_is_read_again():
    edition = read_edition(with_section(BARE, SECTION))
    assert edition.plate == SECTION
    assert '"Brașov – Pitești" = 18\n' in section_text(SECTION).replace("  ", " ")


@pytest.mark.parametrize("name", [n for n in list_editions() if n != "usa"])  # it inherits one
def test_the_files_that_come_with_macaz_have_a_section(name):
    edition = read_edition(file_of(name))
    assert edition.plate is not None
    assert with_section(file_of(name), edition.plate) == file_of(name)


def test_a_file_needs_none():
    assert read_edition(BARE).plate is None


def test_it_does_not_matter_to_play():
    bare, drawn = read_edition(BARE), read_edition(with_section(BARE, SECTION))
    assert bare.fingerprint == drawn.fingerprint
    assert bare == drawn
    assert hash(bare) == hash(drawn)


@pytest.mark.parametrize("ending", ["\n", "\r\n"])
@pytest.mark.parametrize("after", ["", "\n# The end.\n[options.quick]\ndoc = 'x'\ntrains = 5\n"])
def test_the_rest_of_the_file_stays_as_it_is(after: str, ending: str) -> None:
    old = PlateSection(100, 100, SECTION.cities, {})
    text = (BARE + section_text(old) + after).replace("\n", ending)
    wanted = (BARE + section_text(SECTION) + after).replace("\n", ending)
    assert with_section(text, SECTION) == wanted
    assert with_section(wanted, SECTION) == wanted


def test_a_file_without_an_end_of_line_gets_one():
    text = with_section(BARE.rstrip("\n"), SECTION)
    assert read_edition(text).plate == SECTION


def test_what_is_no_table_is_not_replaced():
    with pytest.raises(MacazError, match="by hand"):
        with_section("plate.width = 3\n" + BARE, SECTION)


# --- errors in the section ------------------------------------------------------------------

WRITTEN = with_section(BARE, SECTION)


def change(pattern: str, replacement: str) -> str:
    text, count = re.subn(pattern, replacement, WRITTEN, count=1, flags=re.MULTILINE)
    assert count == 1
    return text


@pytest.mark.parametrize(
    ("text", "place", "words"),
    [
        ("plate = 3\n" + BARE, "plate", "not a table"),
        (change("^width = .*", "width = true"), "plate.width", "100 to 10000"),
        (change("^borders = .*", "borders = 0"), "plate.borders", "neither true nor false"),
        (change("^height = .*\n", ""), "plate.height", "missing"),
        (change("^height = ", "depth = 3\nheight = "), "plate.depth", "unknown entry"),
        (change('^"Sinaia".*\n', ""), "plate.cities", '"Sinaia" is missing'),
        (change('^"Sinaia" ', '"Sinai" '), "plate.cities.Sinai", 'Did you mean "Sinaia"?'),
        (change('^("Sinaia" +=).*', r"\1 3"), "plate.cities.Sinaia", "not a place"),
        (change("x = 200, ", "x = 401, "), "plate.cities.Brașov", "from 0 to 400"),
        (change("y = 40, ", ""), "plate.cities.Brașov", "y is missing"),
        (change("y = 40, ", "y = nan, "), "plate.cities.Brașov", "y is not right"),
        (change("y = 40, ", "y = 40, z = 1, "), "plate.cities.Brașov", 'unknown entry "z"'),
        (change('label = "e"', 'label = "east"'), "plate.cities.Brașov", '"east"'),
        (change('label = "e"', "label = [1]"), "plate.cities.Brașov", "-400 to 400"),
        (change("fixed = true", "fixed = 1"), "plate.cities.București", "fixed"),
        (change('"Brașov – Pitești"', '"Brașov"'), "plate.bends.Brașov", "not a route"),
        (
            change('"Brașov – Pitești"', '"Brașov – București"'),
            "plate.bends.Brașov – București",
            "no route",
        ),
        (
            change('"Brașov – Pitești"', '"Sinaia – Ploiești"'),
            "plate.bends.Ploiești – Sinaia",
            "is there twice",
        ),
        (
            change('"Brașov – Pitești"', '"Brasov – Pitești"'),
            "plate.bends.Brasov – Pitești",
            'Did you mean "Brașov"?',
        ),
        (change(r"= 18$", '= "left"'), "plate.bends.Brașov – Pitești", "not a bend"),
        (change(r"= 18$", "= [1, 2, 3]"), "plate.bends.Brașov – Pitești", "not a bend"),
        (change(r"^\[plate.cities\]", "[plate.towns]"), "plate.cities", "missing"),
        (change(r"^\[plate.bends\]", "[[plate.bends]]"), "plate.bends", "not a table"),
    ],
)
def test_a_flaw_is_named(text: str, place: str, words: str) -> None:
    with pytest.raises(InvalidEdition) as caught:
        read_edition(text)
    found = [problem for problem in caught.value.problems if problem.place == place]
    assert any(words in f"{problem.message} {problem.remedy}" for problem in found), caught.value
    assert all(problem.line for problem in found)


def test_a_broken_map_is_not_blamed_on_its_section():
    text = change('name = "Sinaia"', 'name = "Predeal"')
    with pytest.raises(InvalidEdition) as caught:
        read_edition(text)
    assert not [p for p in caught.value.problems if p.place.startswith("plate")]
