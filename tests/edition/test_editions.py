"""The shipped editions against the facts of the boards, the loader, and the checker."""

from __future__ import annotations

import dataclasses
import itertools
import pickle
import re
import tomllib
from collections import Counter
from collections.abc import Callable
from importlib.resources import files
from pathlib import Path

import pytest
from tests.editions import MAIN, OWN

from macaz import Game
from macaz.edition import (
    EditionError,
    InvalidEdition,
    Problem,
    UnknownEdition,
    UnknownOption,
    check_edition,
    list_editions,
    load_edition,
)
from macaz.edition.board import COLORS, GRAY, LOCOMOTIVE, Board, closest, color_name, fold
from macaz.edition.rules import KNOBS

DOCS = Path(__file__).parents[2] / "docs" / "editions.md"
PRINTED = ("europe", "old-west", "usa", "usa-classic")


def text_of(name: str) -> str:
    return files("macaz").joinpath("editions", f"{name}.toml").read_text(encoding="utf-8")


def pairs_of(board: Board) -> Counter[tuple[int, int]]:
    return Counter((route.a, route.b) for route in board.routes)


def named_tickets(name: str) -> set[tuple[str, str, int]]:
    board = load_edition(name).board
    return {(board.cities[t.a].name, board.cities[t.b].name, t.points) for t in board.tickets}


# --- the facts of the boards ----------------------------------------------------------------


@pytest.mark.parametrize(
    ("name", "cities", "lanes", "pairs", "spaces", "doubles", "triples"),
    [
        ("usa-classic", 36, 100, 78, 309, 22, 0),
        ("usa", 36, 100, 78, 309, 22, 0),
        ("europe", 47, 101, 90, 300, 11, 0),
        ("old-west", 41, 139, 83, 364, 36, 10),
        ("tiny", 6, 8, 7, 13, 1, 0),
    ],
)
def test_size_of_the_map(
    name: str, cities: int, lanes: int, pairs: int, spaces: int, doubles: int, triples: int
) -> None:
    """C7: a double or triple route is several lanes of one pair of cities."""
    board = load_edition(name).board
    lanes_of_pair = pairs_of(board)
    assert len(board.cities) == cities
    assert len(board.routes) == lanes
    assert len(lanes_of_pair) == pairs
    assert sum(route.length for route in board.routes) == spaces
    assert Counter(lanes_of_pair.values())[2] == doubles
    assert Counter(lanes_of_pair.values())[3] == triples


@pytest.mark.parametrize(
    ("name", "gray", "colors"),
    [
        ("usa", 44, dict.fromkeys(COLORS, 7)),
        ("europe", 37, dict.fromkeys(COLORS, 8)),
        ("old-west", 33, dict.fromkeys(COLORS, 13) | {"green": 14, "red": 14}),
    ],
)
def test_colours(name: str, gray: int, colors: dict[str, int]) -> None:
    """C2: how many lanes ask for each colour, and how many take any."""
    found = Counter(color_name(route.color) for route in load_edition(name).board.routes)
    assert found == colors | {"gray": gray}


@pytest.mark.parametrize(
    ("name", "kinds"),
    [
        ("usa", {"track": 100}),
        ("europe", {"track": 70, "tunnel": 18, "ferry": 13}),
        ("old-west", {"track": 138, "ferry": 1}),
    ],
)
def test_kinds(name: str, kinds: dict[str, int]) -> None:
    """F1: ferries, and only they, have locomotive symbols; they are gray."""
    routes = load_edition(name).board.routes
    assert Counter(route.kind for route in routes) == kinds
    for route in routes:
        assert (route.kind == "ferry") == (route.locomotives > 0)
        assert route.kind != "ferry" or route.color == GRAY


@pytest.mark.parametrize(
    ("name", "lengths"),
    [
        ("usa", {1: 9, 2: 36, 3: 20, 4: 16, 5: 10, 6: 9}),
        ("europe", {1: 4, 2: 35, 3: 30, 4: 29, 6: 2, 8: 1}),
        ("old-west", {1: 41, 2: 38, 3: 22, 4: 20, 5: 10, 6: 5, 7: 3}),
    ],
)
def test_lengths(name: str, lengths: dict[int, int]) -> None:
    assert Counter(route.length for route in load_edition(name).board.routes) == lengths


def test_the_ferry_of_the_old_west() -> None:
    """F1: Los Angeles–San Francisco is 7 long and needs 3 locomotives."""
    board = load_edition("old-west").board
    (ferry,) = (route for route in board.routes if route.kind == "ferry")
    ends = (board.cities[ferry.a].name, board.cities[ferry.b].name)
    assert ends == ("Los Angeles", "San Francisco")
    assert (ferry.length, ferry.locomotives) == (7, 3)


@pytest.mark.parametrize(
    ("name", "deck", "count", "points"),
    [
        ("usa-classic", "normal", 30, 349),
        ("usa", "normal", 33, 369),
        ("europe", "normal", 40, 321),
        ("europe", "long", 6, 123),
        ("old-west", "normal", 50, 511),
    ],
)
def test_tickets(name: str, deck: str, count: int, points: int) -> None:
    """S4, S5: the tickets that are dealt; six long ones in europe."""
    tickets = [t for t in load_edition(name).board.tickets if t.deck == deck]
    assert (len(tickets), sum(t.points for t in tickets)) == (count, points)


def test_usa_and_usa_classic_share_their_map() -> None:
    new, old = load_edition("usa").board, load_edition("usa-classic").board
    assert new.cities == old.cities
    assert new.routes == old.routes
    assert named_tickets("usa") - named_tickets("usa-classic") == {
        ("Atlanta", "Washington", 4),
        ("Denver", "Saint Louis", 6),
        ("Las Vegas", "Seattle", 10),
    }


def test_usa_says_how_sure_each_ticket_is() -> None:
    board = load_edition("usa").board
    status = {(board.cities[t.a].name, board.cities[t.b].name): t.status for t in board.tickets}
    assert Counter(status.values()) == {"confirmed": 4, "assumed": 27, "guessed": 2}
    assert {ends for ends, how in status.items() if how == "confirmed"} == {
        ("Atlanta", "Montréal"),
        ("Atlanta", "New York"),
        ("Nashville", "Sault Ste. Marie"),
        ("Atlanta", "Washington"),
    }
    assert {ends for ends, how in status.items() if how == "guessed"} == {
        ("Denver", "Saint Louis"),
        ("Las Vegas", "Seattle"),
    }
    for name in ("usa-classic", "europe", "old-west", "tiny"):
        assert {t.status for t in load_edition(name).board.tickets} == {""}


def shortest_paths(board: Board) -> dict[tuple[int, int], int]:
    """The fewest spaces between any two cities (Floyd and Warshall)."""
    cities = range(len(board.cities))
    far = {(a, b): 0 if a == b else 999 for a in cities for b in cities}
    for route in board.routes:
        for ends in ((route.a, route.b), (route.b, route.a)):
            far[ends] = min(far[ends], route.length)
    for via, a, b in itertools.product(cities, cities, cities):
        far[a, b] = min(far[a, b], far[a, via] + far[via, b])
    return far


@pytest.mark.parametrize(
    ("name", "exceptions"),
    [
        (
            "usa-classic",
            {
                ("Chicago", "Los Angeles"),
                ("Los Angeles", "Miami"),
                ("Los Angeles", "New York"),
                ("Oklahoma City", "Sault Ste. Marie"),
                ("New York", "Seattle"),
            },
        ),
        ("old-west", {("Great Falls", "Seattle")}),
        ("tiny", set()),
    ],
)
def test_tickets_are_worth_their_shortest_path(name: str, exceptions: set[tuple[str, str]]) -> None:
    """Map and tickets were entered separately, so each checks the other."""
    board = load_edition(name).board
    far = shortest_paths(board)
    differ = {
        (board.cities[t.a].name, board.cities[t.b].name)
        for t in board.tickets
        if far[t.a, t.b] != t.points
    }
    assert differ == exceptions


# --- the rules of the editions --------------------------------------------------------------


@pytest.mark.parametrize("name", PRINTED)
def test_110_train_cards(name: str) -> None:
    """S1: 12 of each of 8 colours and 14 locomotives."""
    cards = load_edition(name).rules.cards
    assert cards == (12,) * 8 + (14,)
    assert cards[LOCOMOTIVE] == 14
    assert sum(cards) == 110


@pytest.mark.parametrize("name", PRINTED)
def test_numbers_all_editions_share(name: str) -> None:
    """S2, S3, D7, E1, C7: hand, row, locomotives that replace the row, last round, lanes."""
    rules = load_edition(name).rules
    assert (rules.hand, rules.row, rules.row_locomotives) == (4, 5, 3)
    assert (rules.last_trains, rules.parallel_from) == (2, 4)


@pytest.mark.parametrize("name", PRINTED)
def test_points_of_routes(name: str) -> None:
    """C5: the table of points by length."""
    assert load_edition(name).rules.route_points == (0, 1, 2, 4, 7, 10, 15, 18, 21, 0)


@pytest.mark.parametrize(
    ("name", "seats", "trains", "setup", "back", "draw", "order"),
    [
        ("usa-classic", (2, 5), 45, (3, 0, 2), "bottom", (3, 1), "dealt"),
        ("usa", (2, 5), 45, (4, 0, 2), "shuffled", (3, 1), "chosen"),
        ("europe", (2, 5), 45, (3, 1, 2), "out", (3, 1), "dealt"),
        ("old-west", (2, 6), 40, (5, 0, 3), "shuffled", (4, 1), "dealt"),
    ],
)
def test_numbers_of_each_edition(
    name: str,
    seats: tuple[int, int],
    trains: int,
    setup: tuple[int, int, int],
    back: str,
    draw: tuple[int, int],
    order: str,
) -> None:
    """S4, S5, K1, C3: players, trains, tickets dealt and kept, and where returned tickets go."""
    rules = load_edition(name).rules
    assert (rules.min_seats, rules.max_seats) == seats
    assert rules.trains == trains
    assert (rules.setup_tickets, rules.setup_long, rules.setup_keep) == setup
    assert rules.setup_return == back
    assert (rules.draw_tickets, rules.draw_keep) == draw
    assert rules.return_order == order


@pytest.mark.parametrize(
    ("name", "phases", "scorers", "tie_breaks"),
    [
        ("usa-classic", "", "routes tickets longest-path", "tickets longest-path"),
        ("usa", "", "routes tickets longest-path", "tickets longest-path"),
        (
            "europe",
            "tunnel station",
            "routes tickets longest-path stations",
            "tickets stations longest-path",
        ),
        ("old-west", "start-city marker", "controllers tickets globetrotter", "tickets"),
        (
            "old-west+alvin",
            "start-city marker alvin",
            "controllers tickets globetrotter alvin",
            "tickets",
        ),
    ],
)
def test_phases_scorers_and_ties(name: str, phases: str, scorers: str, tie_breaks: str) -> None:
    """T1, S7, W4, W6, E3, E4: the actions of a turn, scoring and tie-breaks."""
    rules = load_edition(name).rules
    assert rules.phases == ("draw", "claim", "tickets", *phases.split())
    assert rules.scorers == tuple(scorers.split())
    assert rules.tie_breaks == tuple(tie_breaks.split())


def test_pieces_and_bonuses() -> None:
    """G1, G4, W1, W3, W6, U1, E3: stations, markers, tunnels and bonuses."""
    europe, west = load_edition("europe").rules, load_edition("old-west").rules
    assert (europe.stations, europe.station_points, europe.tunnel_cards) == (3, 4, 3)
    assert (europe.markers, europe.longest_points) == (0, 10)
    assert (west.markers, west.marker_cards, west.globetrotter_points) == (3, 2, 15)
    assert west.stations == 0


def test_alvin_changes_only_what_it_should() -> None:
    """A1, A2, A5: Roswell, ten points, a phase and a scorer."""
    plain, alvin = load_edition("old-west"), load_edition("old-west+alvin")
    assert alvin.board == plain.board
    assert alvin.rules == dataclasses.replace(
        plain.rules,
        alvin_city="Roswell",
        phases=(*plain.rules.phases, "alvin"),
        scorers=(*plain.rules.scorers, "alvin"),
    )
    assert alvin.rules.alvin_points == 10
    assert alvin.board.cities[alvin.board.city_index("Roswell")].name == "Roswell"
    assert (alvin.id, alvin.options) == ("old-west", ("alvin",))
    assert (alvin.qualified_id, alvin.title) == ("old-west+alvin", "Old West + Alvin")
    assert alvin.fingerprint != plain.fingerprint
    assert [option.name for option in plain.available_options] == ["alvin"]


# --- the board in canonical order -----------------------------------------------------------


def test_cities_are_sorted_without_accents() -> None:
    names = [city.name for city in load_edition("europe").board.cities]
    assert names.index("Kharkov") + 1 == names.index("København") == names.index("Kyiv") - 1
    assert names[-1] == "Zürich"
    assert names == sorted(names, key=fold)


@pytest.mark.parametrize("name", MAIN)
def test_canonical_order(name: str) -> None:
    board = load_edition(name).board
    lanes = [(route.a, route.b, route.lane) for route in board.routes]
    assert lanes == sorted(set(lanes))
    assert all(route.a < route.b for route in board.routes)
    tickets = [(t.deck != "long", t.a, t.b, t.points) for t in board.tickets]
    assert tickets == sorted(tickets)
    assert all(ticket.a < ticket.b for ticket in board.tickets)


def test_city_index_and_lanes_of_a_pair() -> None:
    board = load_edition("usa").board
    assert board.cities[board.city_index("montreal")].name == "Montréal"
    with pytest.raises(KeyError, match="did you mean 'Seattle'"):
        board.city_index("Seatle")
    for index, route in enumerate(board.routes):
        lanes = board.pair_lanes(index)
        assert index in lanes
        assert [board.routes[lane].lane for lane in lanes] == list(range(len(lanes)))
        assert {(board.routes[lane].a, board.routes[lane].b) for lane in lanes} == {
            (route.a, route.b)
        }


@pytest.mark.parametrize("name", MAIN)
def test_the_order_of_lines_changes_nothing(name: str, tmp_path: Path) -> None:
    lines = text_of(name).splitlines()
    turned = []
    for is_row, group in itertools.groupby(lines, key=lambda line: line.startswith("  {")):
        rows = list(group)
        turned += rows[::-1] if is_row else rows
    text = "\n".join(turned)
    text = re.sub(r'from = ("[^"]*"), *to = ("[^"]*")', r"from = \2, to = \1", text)
    text = text.replace('["draw", "claim", "tickets"', '["tickets", "claim", "draw"')
    assert text != "\n".join(lines)
    path = tmp_path / "turned.toml"
    path.write_text(text, encoding="utf-8")
    turned_edition = load_edition(path)
    assert turned_edition == load_edition(name)
    assert turned_edition.fingerprint == load_edition(name).fingerprint


def test_fingerprints_tell_editions_apart() -> None:
    prints = {load_edition(name).fingerprint for name in (*list_editions(), "old-west+alvin")}
    assert len(prints) == len(list_editions()) + 1
    assert all(re.fullmatch("[0-9a-f]{16}", one) for one in prints)


@pytest.mark.parametrize(
    ("old", "new", "same"),
    [
        ("lat = 45.6579", "lat = 45.0", True),
        ('name = "Tiny"', 'name = "Small"', True),
        ('name = "Sinaia",', 'name = "Sinaia", label = "Sînaia",', True),
        ('points =  4 },\n  { from = "Brașov",', 'points =  5 },\n  { from = "Brașov",', False),
        ('lanes = ["red", "blue"]', 'lanes = ["blue", "red"]', False),
        ("hand            = 2", "hand            = 3", False),
    ],
)
def test_the_fingerprint_covers_what_matters_to_play(
    old: str, new: str, same: bool, tmp_path: Path
) -> None:
    path = changed(tmp_path, old, new)
    assert (load_edition(path).fingerprint == load_edition("tiny").fingerprint) == same


def test_a_label_is_shown_and_the_name_is_kept() -> None:
    edition = load_edition("europe")
    city = edition.board.city("București")
    assert (city.name, city.label) == ("Bucuresti", "București")
    assert edition.board.city("Roma").label == "Roma"
    game = Game(edition, seats=2)
    route = game.notation.route_named("București–Sofia")
    assert game.notation.route_name(route) == "Bucuresti–Sofia"
    assert game.notation.route_label(route) == "București–Sofia"
    ticket = game.notation.ticket_named("Berlin–Bucuresti 8")
    assert game.notation.ticket_label(ticket) == "Berlin–București 8"
    picture = edition._repr_svg_()
    assert picture is not None
    assert ">București<" in picture
    assert "Bucuresti" not in picture


def test_a_label_of_another_name_is_refused(tmp_path: Path) -> None:
    path = changed(tmp_path, 'name = "Sinaia",', 'name = "Sinaia", label = "Brăila",')
    (problem,) = check_edition(path)
    assert 'the label "Brăila" differs from the name "Sinaia"' in problem.message


# --- loading --------------------------------------------------------------------------------


def test_shipped_editions() -> None:
    assert list_editions() == tuple(sorted((*MAIN, *OWN)))


@pytest.mark.parametrize("name", MAIN)
def test_shipped_editions_check_clean(name: str) -> None:
    assert check_edition(name) == []
    assert load_edition(name).id == name


@pytest.mark.parametrize("name", [*MAIN, "old-west+alvin"])
def test_an_edition_is_a_value(name: str) -> None:
    edition = load_edition(name)
    assert load_edition(edition.qualified_id) == edition
    assert pickle.loads(pickle.dumps(edition)) == edition


def test_load_by_path_and_options(tmp_path: Path) -> None:
    folder = tmp_path / "a+b"
    folder.mkdir()
    path = folder / "west.toml"
    path.write_text(text_of("old-west"), encoding="utf-8")
    wanted = load_edition("old-west+alvin")
    assert load_edition(f"{path}+alvin") == wanted
    assert load_edition(path, ["alvin"]) == wanted
    assert load_edition("old-west", ("alvin", "alvin")) == wanted
    assert load_edition(path).source == str(path)
    bare = folder / "west"
    bare.write_text(text_of("old-west"), encoding="utf-8")
    assert load_edition(f"{bare}+alvin") == wanted


@pytest.mark.parametrize(
    ("name", "error", "message"),
    [
        ("europ", UnknownEdition, "Did you mean 'europe'.*Known: caribbean, europe, ireland"),
        ("zzz", UnknownEdition, "'zzz'. Known: caribbean"),
        ("", UnknownEdition, "Known"),
        ("some/where/europe.toml", UnknownEdition, "no edition file .*Did you mean 'europe'"),
        ("old-west+alvn", UnknownOption, "Did you mean 'alvin'"),
        ("usa+alvin", UnknownOption, "no options"),
    ],
)
def test_not_found(name: str, error: type[EditionError], message: str) -> None:
    with pytest.raises(error, match=message):
        load_edition(name)


def test_a_bare_word_is_never_a_file(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.chdir(tmp_path)
    for name in ("europe", "europe+x", "mine"):
        (tmp_path / name).write_text("nonsense", encoding="utf-8")
    assert load_edition("europe").source == "macaz:europe"
    with pytest.raises(UnknownOption):
        load_edition("europe+x")
    with pytest.raises(UnknownEdition):
        load_edition("mine")


def test_closest_ignores_case_and_accents() -> None:
    assert closest("ZURICH", ["Wien", "Zürich"]) == "Zürich"
    assert closest("xyz", ["Wien"]) is None


# --- the checker ----------------------------------------------------------------------------


def stated_in_full() -> str:
    """The file of tiny, with the knobs and cards that it does not use."""
    unused = (
        "tunnel_cards        = 3\n"
        "stations            = 0\n"
        "station_points      = 4\n"
        "markers             = 0\n"
        "marker_cards        = 2\n"
        'alvin_city          = ""\n'
        "alvin_points        = 10\n"
        "longest_points      = 10\n"
        "globetrotter_points = 15\n"
    )
    text = text_of("tiny").replace("longest_points = 10\n", unused)
    text = text.replace("setup_keep    = 1\n", "setup_long    = 0\nsetup_keep    = 1\n")
    none = "".join(f"{c:<10} = 0\n" for c in ("purple", "orange", "white", "yellow", "black"))
    return text.replace("[rules.cards]\n", f"[rules.cards]\n{none}")


def changed(folder: Path, *changes: str) -> Path:
    """A file like tiny, with each `old` replaced by the `new` after it."""
    text = stated_in_full()
    for old, new in zip(changes[::2], changes[1::2], strict=True):
        assert old in text, old
        text = text.replace(old, new, 1)
    path = folder / "changed.toml"
    path.write_text(text, encoding="utf-8")
    return path


def line_of(path: Path, place: str) -> int | None:
    """Where an entry is in a file like tiny: one entry a line, lists without comments."""
    lines = path.read_text(encoding="utf-8").splitlines()
    if row := re.fullmatch(r"(\w+)\[(\d+)\]", place):
        return lines.index(f"{row[1]} = [") + 2 + int(row[2])
    if f"[{place}]" in lines:
        return lines.index(f"[{place}]") + 1
    table, _, key = place.rpartition(".")
    start = lines.index(f"[{table}]") if table else 0
    for number, line in enumerate(lines[start:], start + 1):
        if re.match(rf"{key} *=", line):
            return number
        if table and number > start + 1 and line.startswith("["):
            break
    return start + 1 if table else None  # a missing key is reported at its table


def west(folder: Path, *changes: str) -> Path:
    """A file like tiny, with all features of Old West and Alvin."""
    return changed(
        folder,
        'phases     = ["draw", "claim", "tickets"]',
        'phases     = ["draw", "claim", "tickets", "start-city", "marker", "alvin"]',
        'scorers    = ["routes", "tickets", "longest-path"]',
        'scorers    = ["controllers", "tickets", "longest-path", "alvin"]',
        "markers             = 0",
        "markers             = 3",
        'alvin_city          = ""',
        'alvin_city          = "Sinaia"',
        *changes,
    )


FIRST_ROUTE = '{ from = "Brașov",    to = "Pitești",    length = 3, lanes = ["gray"] }'
FIRST_TICKET = '{ from = "Brașov",    to = "București",  points =  4 }'
FIRST_CITY = '{ name = "Brașov",     lat = 45.6579, lon = 25.6012 }'


def route(**fields: object) -> str:
    """The first route of tiny, with other fields."""
    text = FIRST_ROUTE
    for key, value in fields.items():
        new = f"{key.rstrip('_')} = {value}"
        old = re.search(rf"\b{key.rstrip('_')} = (\[.*?\]|\"[^\"]*\"|\d+)", text)
        text = text.replace(old[0], new) if old else text.replace(" }", f", {new} }}")
    return text


# The change, the places of all problems (and no others), and words of the first message or
# remedy.
BROKEN: list[tuple[str, tuple[str, ...], tuple[str, ...], str]] = [
    # the file
    ("format", ("format = 1", "format = 2"), ("format",), "format"),
    ("bad id", ('id = "tiny"', 'id = "Tiny Map"'), ("id",), "small letters"),
    ("bad name", ('name = "Tiny"', 'name = " "'), ("name",), "the name is ' '"),
    ("unknown entry", ('name = "Tiny"', 'nme = "Tiny"'), ("nme", "name"), '"name"'),
    # cities
    ("city twice", (FIRST_CITY, f"{FIRST_CITY},\n{FIRST_CITY}"), ("cities[1]",), "twice"),
    (
        "same but for accents",
        (FIRST_CITY, f"{FIRST_CITY},\n{FIRST_CITY.replace('ș', 's')}"),
        ("cities[1]",),
        "accents",
    ),
    ("lat", ("lat = 45.6579", "lat = 95.6"), ("cities[0]",), "lat is 95.6.*-90 to 90"),
    ("lon", ("lon = 25.6012", "lon = -181"), ("cities[0]",), "lon is -181"),
    ("lat is nan", ("lat = 45.6579", "lat = nan"), ("cities[0]",), "lat is nan"),
    ("no lat", ("lat = 45.6579, ", ""), ("cities[0]",), "lat is missing"),
    ("city's entry", ("lat = 45.6579", "lat = 45, alt = 1"), ("cities[0]",), '"alt"'),
    (
        "unreachable city",
        (FIRST_CITY, FIRST_CITY + ',\n  { name = "Cluj", lat = 46.8, lon = 23.6 }'),
        ("cities[1]",),
        'no route leads to the city "Cluj"',
    ),
    (
        "disconnected map",
        (
            FIRST_CITY,
            '{ name = "Cluj", lat = 46.8, lon = 23.6 },\n'
            '  { name = "Dej", lat = 47.1, lon = 23.9 },\n  ' + FIRST_CITY,
            FIRST_ROUTE,
            FIRST_ROUTE + ',\n  { from = "Cluj", to = "Dej", length = 1, lanes = ["red"] }',
            FIRST_TICKET,
            '{ from = "Cluj", to = "Sinaia", points = 4 }',
        ),
        ("routes", "tickets[0]"),
        "2 parts; one of them is: Cluj, Dej",
    ),
    # routes
    ("unknown city", (FIRST_ROUTE, route(to='"Pitesti"')), ("routes[0]",), "mean.*Pitești"),
    ("unlike any city", (FIRST_ROUTE, route(to='"Wien"')), ("routes[0]",), "Add it to cities"),
    ("no end", (FIRST_ROUTE, route(to="3")), ("routes[0]",), '"to" is 3'),
    ("to itself", (FIRST_ROUTE, route(to='"Brașov"')), ("routes[0]",), "to itself"),
    (
        "pair twice",
        (FIRST_ROUTE, f"{FIRST_ROUTE},\n  " + route(from_='"Pitești"', to='"Brașov"')),
        ("routes[1]",),
        r"already, as routes\[0\]",
    ),
    ("same colour", (FIRST_ROUTE, route(lanes='["red", "red"]')), ("routes[0]",), "two.*red"),
    ("unknown colour", (FIRST_ROUTE, route(lanes='["grey"]')), ("routes[0]",), '"gray"'),
    ("four lanes", (FIRST_ROUTE, route(lanes='["gray","gray","gray","gray"]')), ("routes[0]",), ""),
    ("no lanes", (FIRST_ROUTE, route(lanes="[]")), ("routes[0]",), "1 to 3 colours"),
    ("unknown kind", (FIRST_ROUTE, route(kind='"ferri"')), ("routes[0]",), '"ferry"'),
    ("zero length", (FIRST_ROUTE, route(length=0)), ("routes[0]",), "from 1 to 9"),
    ("negative length", (FIRST_ROUTE, route(length=-3)), ("routes[0]",), "length is -3"),
    ("too long", (FIRST_ROUTE, route(length=10)), ("routes[0]",), "length is 10"),
    ("length a text", (FIRST_ROUTE, route(length='"3"')), ("routes[0]",), "length is '3'"),
    ("length true", (FIRST_ROUTE, route(length="true")), ("routes[0]",), "length is True"),
    ("no points", (FIRST_ROUTE, route(length=4)), ("routes[0]",), "nothing for length 4"),
    (
        "locomotives on a track",
        (FIRST_ROUTE, route(locomotives=1)),
        ("routes[0]",),
        "a track has no locomotive",
    ),
    (
        "ferry without symbol",
        (FIRST_ROUTE, route(kind='"ferry"')),
        ("routes[0]",),
        "needs a locomotive symbol",
    ),
    (
        "coloured ferry",
        (FIRST_ROUTE, route(kind='"ferry"', locomotives=1, lanes='["red"]')),
        ("routes[0]",),
        "must be gray",
    ),
    (
        "more locomotives than spaces",
        (FIRST_ROUTE, route(kind='"ferry"', locomotives=2, length=1)),
        ("routes[0]",),
        "2 locomotives on a route of length 1",
    ),
    (
        "more locomotives than cards",
        (FIRST_ROUTE, route(kind='"ferry"', locomotives=3)),
        ("routes[0]",),
        "there are 2",
    ),
    (
        "tunnel without its phase",
        (FIRST_ROUTE, route(kind='"tunnel"')),
        ("routes[0]",),
        'without the phase "tunnel"',
    ),
    (
        "colour without cards",
        (FIRST_ROUTE, route(lanes='["white"]')),
        ("routes[0]",),
        "white, and there is no such card",
    ),
    (
        "no card of a colour",
        ("blue       = 4", "blue       = 0", "hand            = 2", "hand = 1"),
        ("routes[1]", "routes[3]", "routes[6]"),
        "blue, and there is no such card",
    ),
    (
        "never payable",
        (FIRST_ROUTE, route(length=9), "3 = 4", "3 = 4\n9 = 9", "trains          = 6", "trains=9"),
        ("routes[0]",),
        "can never be paid",
    ),
    (
        "too few trains",
        ("trains          = 6", "trains = 2", "last_trains     = 2", "last_trains = 1"),
        ("routes[0]",),
        "needs 3 trains",
    ),
    # tickets
    (
        "ticket to itself",
        (FIRST_TICKET, '{ from = "Sinaia", to = "Sinaia", points = 4 }'),
        ("tickets[0]",),
        "to itself",
    ),
    (
        "ticket's city",
        (FIRST_TICKET, FIRST_TICKET.replace("așov", "azov")),
        ("tickets[0]",),
        "Brașov",
    ),
    (
        "ticket twice",
        (
            FIRST_TICKET,
            FIRST_TICKET + ',\n  { from = "București", to = "Brașov", points = 9 }',
        ),
        ("tickets[1]",),
        r"already, as tickets\[0\]",
    ),
    ("worthless", (FIRST_TICKET, FIRST_TICKET.replace("4", "0")), ("tickets[0]",), "1 to 99"),
    ("worth too much", (FIRST_TICKET, FIRST_TICKET.replace("4", "100")), ("tickets[0]",), "100"),
    (
        "unknown deck",
        (FIRST_TICKET, FIRST_TICKET.replace(" }", ', deck = "lon" }')),
        ("tickets[0]", "rules.setup_tickets"),
        '"long"',
    ),
    (
        "unknown status",
        (FIRST_TICKET, FIRST_TICKET.replace(" }", ', status = "gessed" }')),
        ("tickets[0]",),
        '"guessed"',
    ),
    # knobs, each alone
    ("unknown knob", ("hand            = 2", "hand = 2\nhans = 2"), ("rules.hans",), '"hand"'),
    ("missing knob", ("hand            = 2", ""), ("rules.hand",), "missing"),
    ("wrong type", ("hand            = 2", 'hand = "2"'), ("rules.hand",), "whole number"),
    ("not a text", ('"bottom"', "3"), ("rules.setup_return",), "not a text"),
    ("not a list", ('= ["tickets", "longest-path"]', "= 1"), ("rules.tie_breaks",), "not a list"),
    ("unknown return", ('"bottom"', '"botom"'), ("rules.setup_return",), '"bottom"'),
    ("unknown order", ('"dealt"', '"random"'), ("rules.return_order",), "chosen, dealt"),
    (
        "unknown phase",
        ('["draw", "claim", "tickets"]', '["draw", "claim", "tickets", "tunel"]'),
        ("rules.phases",),
        '"tunnel"',
    ),
    (
        "phase twice",
        ('["draw", "claim", "tickets"]', '["draw", "claim", "claim", "tickets"]'),
        ("rules.phases",),
        "twice",
    ),
    ("no claiming", ('"draw", "claim"', '"draw"'), ("rules.phases",), '"claim" is missing'),
    ("unknown scorer", ('["routes", ', '["routes", "route", '), ("rules.scorers",), '"routes"'),
    (
        "unknown tie-break",
        ('= ["tickets", "longest-path"]', '= ["tickets", "trains"]'),
        ("rules.tie_breaks",),
        "unknown tie-break",
    ),
    ("cards out of range", ("blue       = 4", "blue = 61"), ("rules.cards.blue",), "0 to 60"),
    ("unknown card", ("white      = 0", "white = 0\npink = 1"), ("rules.cards.pink",), "pink"),
    ("points of no length", ("3 = 4", "3 = 4\n10 = 1"), ("rules.route_points.10",), "unknown"),
    ("one seat", ("min_seats = 2", "min_seats = 1"), ("rules.min_seats",), "2 to 6"),
    ("seven seats", ("max_seats = 3", "max_seats = 7"), ("rules.max_seats",), "2 to 6"),
    ("four stations", ("stations            = 0", "stations = 4"), ("rules.stations",), "0 to 3"),
    ("four markers", ("markers             = 0", "markers = 4"), ("rules.markers",), "0 to 3"),
    ("too many trains", ("trains          = 6", "trains = 61"), ("rules.trains",), "1 to 60"),
    ("no row", ("row             = 3", "row = 0"), ("rules.row",), "1 to 9"),
    ("big hand", ("hand            = 2", "hand = 10"), ("rules.hand",), "1 to 9"),
    ("no hand", ("hand            = 2", "hand = 0"), ("rules.hand",), "1 to 9"),
    ("tunnel cards", ("tunnel_cards        = 3", "tunnel_cards = 6"), ("rules.tunnel_cards",), "5"),
    ("drawing six", ("draw_tickets  = 2", "draw_tickets = 6"), ("rules.draw_tickets",), "1 to 5"),
    # knobs together
    (
        "seats reversed",
        ("min_seats = 2", "min_seats = 4"),
        ("rules.min_seats",),
        "more than max_seats",
    ),
    ("too few cards", ("hand            = 2", "hand = 5"), ("rules.cards",), "14 cards.*need 18"),
    ("over at once", ("last_trains     = 2", "last_trains = 6"), ("rules.last_trains",), "at once"),
    (
        "too few tickets",
        ("setup_tickets = 2", "setup_tickets = 3"),
        ("rules.setup_tickets",),
        "9 normal tickets.*There are 6",
    ),
    ("too few long", ("setup_long    = 0", "setup_long = 1"), ("rules.setup_long",), "3 long"),
    (
        "six dealt",
        ("setup_tickets = 2", "setup_tickets = 2", "setup_long    = 0", "setup_long = 4"),
        ("rules.setup_tickets", "rules.setup_long"),
        "at most 5",
    ),
    ("keep more", ("setup_keep    = 1", "setup_keep = 3"), ("rules.setup_keep",), "3.*of 2 dealt"),
    ("keep more drawn", ("draw_keep     = 1", "draw_keep = 3"), ("rules.draw_keep",), "of 2 drawn"),
    (
        "no stations",
        ('["draw", "claim", "tickets"]', '["draw", "claim", "tickets", "station"]'),
        ("rules.stations",),
        "needs stations",
    ),
    (
        "stations without their phase",
        (
            '"tickets", "longest-path"]\ntie_breaks = ["tickets"',
            '"tickets", "longest-path", "stations"]\ntie_breaks = ["tickets", "stations"',
        ),
        ("rules.scorers", "rules.tie_breaks"),
        'needs the phase "station"',
    ),
    (
        "both score routes",
        ('["routes", "tickets", "longest-path"]', '["routes", "controllers", "longest-path"]'),
        ("rules.scorers", "rules.scorers", "rules.tie_breaks"),
        "exactly one",
    ),
    (
        "no scorer of routes",
        ('["routes", "tickets", "longest-path"]', '["tickets", "longest-path"]'),
        ("rules.scorers",),
        "exactly one",
    ),
    (
        "alvin scores without his phase",
        ('["routes", "tickets", "longest-path"]', '["routes", "tickets", "longest-path", "alvin"]'),
        ("rules.scorers",),
        'needs the phase "alvin"',
    ),
    (
        "tie-break without its bonus",
        ('["routes", "tickets", "longest-path"]', '["routes", "tickets"]'),
        ("rules.tie_breaks",),
        'needs "longest-path" in scorers',
    ),
    (
        "unknown home",
        ('alvin_city          = ""', 'alvin_city = "Sinai"'),
        ("rules.alvin_city",),
        '"Sinaia"',
    ),
]


@pytest.mark.parametrize(
    ("changes", "places", "words"),
    [pytest.param(*row[1:], id=row[0]) for row in BROKEN],
)
def test_the_checker_finds(
    changes: tuple[str, ...], places: tuple[str, ...], words: str, tmp_path: Path
) -> None:
    path = changed(tmp_path, *changes)
    problems = check_edition(path)
    assert sorted(p.place for p in problems) == sorted(places), "\n".join(map(str, problems))
    said = "\n".join(f"{p.message} {p.remedy}" for p in problems)
    assert re.search(words, said), said
    for problem in problems:
        assert problem.line == line_of(path, problem.place), str(problem)
        assert problem.remedy.endswith((".", "?"))
    with pytest.raises(InvalidEdition) as caught:
        load_edition(path)
    assert list(caught.value.problems) == problems


@pytest.mark.parametrize(
    ("changes", "place", "words"),
    [
        (('alvin_city          = "Sinaia"', 'alvin_city = ""'), "rules.alvin_city", "needs a city"),
        (("markers             = 3", "markers = 0"), "rules.markers", "needs markers"),
        (('"start-city", ', ""), "rules.phases", 'needs the phase "start-city"'),
        (('"marker", ', ""), "rules.scorers", 'needs the phase "marker"'),
        (("max_seats = 3", "max_seats = 6"), "rules.max_seats", "5 cities to start from"),
    ],
)
def test_the_checker_knows_the_old_west(
    changes: tuple[str, ...], place: str, words: str, tmp_path: Path
) -> None:
    """S7, W1, W4, A1: markers and Alvin need the cities they stand on."""
    assert check_edition(west(tmp_path)) == []
    problems = check_edition(west(tmp_path, *changes))
    assert [place, True] in [[p.place, words in p.message] for p in problems]


def test_every_problem_at_once(tmp_path: Path) -> None:
    """One error in each part of the file: all are listed, in the order of the file."""
    path = changed(
        tmp_path,
        "lat = 45.6579", "lat = 145",
        '"Pitești",    length = 3', '"Pitesti",    length = 0',
        'lanes = ["green"]', 'lanes = ["gren"]',
        "points =  4", "points =  0",
        "hand            = 2", "hand = true",
        "draw_keep     = 1", "draw_keep = 5",
        "white      = 0", "white = 99",
    )  # fmt: skip
    problems = check_edition(path)
    assert [p.place for p in problems] == [
        "cities[0]",
        "routes[0]",
        "routes[0]",
        "routes[2]",
        "tickets[0]",
        "rules.hand",
        "rules.draw_keep",
        "rules.cards.white",
    ]
    with pytest.raises(InvalidEdition) as caught:
        load_edition(path)
    text = str(caught.value)
    assert text.startswith(f"{path}: 8 problems\n")
    assert 'line 21, routes[0]: unknown city "Pitesti". Did you mean "Pitești"?' in text
    copy = pickle.loads(pickle.dumps(caught.value))
    assert (copy.problems, str(copy)) == (caught.value.problems, text)


def many(rows: Callable[[int], str], count: int) -> str:
    return ",\n  ".join(rows(number) for number in range(count))


@pytest.mark.parametrize(
    ("place", "words", "cities", "lanes", "length", "tickets"),
    [
        ("cities", "61 cities", 55, '["red"]', 1, 0),
        ("routes", "182 lanes", 58, '["gray", "gray", "gray"]', 1, 0),
        ("routes", "61 pairs", 60, '["red", "blue"]', 1, 0),
        ("tickets", "73 tickets", 0, "", 1, 67),
        ("routes", "ways to pay", 53, '["gray", "gray", "gray"]', 9, 0),
    ],
)
def test_limits_of_the_kernel(
    place: str, words: str, cities: int, lanes: str, length: int, tickets: int, tmp_path: Path
) -> None:
    """Tiny with that many more cities, each on a route of its own, or that many more tickets."""
    changes: list[str] = []
    if cities:
        changes += [
            FIRST_CITY,
            many(lambda n: f'{{ name = "City {n}", lat = 1, lon = {n} }}', cities)
            + f",\n  {FIRST_CITY}",
            FIRST_ROUTE,
            many(
                lambda n: (
                    f'{{ from = "Sinaia", to = "City {n}", length = {length}, lanes = {lanes} }}'
                ),
                cities,
            )
            + f",\n  {FIRST_ROUTE}",
        ]
    if tickets:
        names = ("Brașov", "Pitești", "Ploiești", "Sinaia", "Târgoviște", "București")
        pairs = list(itertools.combinations(names, 2))
        rows = [f'{{ from = "{a}", to = "{b}", points = 3, deck = "long" }}' for a, b in pairs * 5][
            :tickets
        ]
        changes += [FIRST_TICKET, ",\n  ".join([*rows, FIRST_TICKET])]
    problems = check_edition(changed(tmp_path, *changes))
    assert any(p.place == place and words in p.message for p in problems), problems


OPTION = '\n[options.more]\ndoc = "More."\n'


@pytest.mark.parametrize(
    ("option", "places", "words"),
    [
        (OPTION + "hand = 3\n", [], ""),
        (OPTION + "hnad = 3\n", ["options.more.hnad"], '"hand"'),
        (OPTION + "hand = 5\n", ["rules.cards"], "need 18"),
        (OPTION + "draw_keep = 4\n", ["options.more.draw_keep"], "of 2 drawn"),
        ("\n[options.more]\nhand = 3\n", ["options.more"], "has no description"),
        ('\n[options."A B"]\ndoc = "More."\n', ["options.A B"], "not an option's name"),
        ("\n[options]\nmore = 3\n", ["options.more"], "not a table"),
        ("\n[options.more]", ["options.more"], "has no description"),
    ],
)
def test_options_are_checked_too(
    option: str, places: list[str], words: str, tmp_path: Path
) -> None:
    path = changed(tmp_path)
    path.write_text(text_of("tiny") + option, encoding="utf-8")
    problems = check_edition(path)
    assert [p.place for p in problems] == places
    assert all(words in p.message + p.remedy and p.line for p in problems)


def test_options_chosen_together(tmp_path: Path) -> None:
    path = tmp_path / "options.toml"
    options = '[options.a]\ndoc="A."\nhand=3\n[options.b]\ndoc="B."\nrow=4\nhand=3\n'
    clash = '[options.c]\ndoc="C."\nhand=1\n[options.d]\ndoc="D."\nrow=6\n'
    path.write_text(text_of("tiny") + options + clash, encoding="utf-8")
    both = load_edition(f"{path}+b+a")
    assert both.qualified_id == "tiny+a+b"
    assert (both.rules.hand, both.rules.row) == (3, 4)
    with pytest.raises(InvalidEdition, match='"a" and "c" set it differently'):
        load_edition(path, ["a", "c"])
    with pytest.raises(InvalidEdition, match="14 cards"):
        load_edition(path, ["a", "d"])  # each fits alone: 9 + 6 cards do not


@pytest.mark.parametrize(
    ("content", "words", "line"),
    [
        (b"format = 1\nid = 'x\n", "not TOML", 2),
        (b"cities = [\n", "not TOML", 1),
        (b"name = 'a'\nid = '\xff'\n", "not UTF-8", 2),
        (b"x = " + b"9" * 5000, "not TOML", 1),
        (b"x = " + b"[" * 5000, "not TOML", 1),
    ],
)
def test_files_that_are_no_toml(content: bytes, words: str, line: int, tmp_path: Path) -> None:
    path = tmp_path / "broken.toml"
    path.write_bytes(content)
    (problem,) = check_edition(path)
    assert (problem.place, problem.line) == ("file", line)
    assert words in problem.message


def test_files_that_cannot_be_read(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    (missing,) = check_edition(tmp_path / "no.toml")
    assert "no edition file" in missing.message
    (unknown,) = check_edition("europ")
    assert "europe" in unknown.message
    (folder,) = check_edition(str(tmp_path) + "/")
    assert "no edition file" in folder.message

    def refuse(path: Path) -> bytes:
        raise PermissionError(13, "Permission denied", str(path))

    monkeypatch.setattr(Path, "read_bytes", refuse)
    path = changed(tmp_path)
    (refused,) = check_edition(path)
    assert "Permission denied" in refused.message
    with pytest.raises(InvalidEdition, match="1 problem\n"):
        load_edition(path)


@pytest.mark.parametrize("text", ["", "x = 1", "cities = 3\nroutes = [1]\nrules = 2\noptions = 1"])
def test_nonsense_gives_problems_and_no_traceback(text: str, tmp_path: Path) -> None:
    path = tmp_path / "nonsense.toml"
    path.write_text(text, encoding="utf-8")
    places = {p.place for p in check_edition(path)}
    assert {"format", "id", "name", "cities", "tickets", "rules"} <= places


def test_other_ways_to_write_toml(tmp_path: Path) -> None:
    """Lists of tables, a byte order mark and Windows line ends are accepted."""
    text = text_of("tiny")
    table = tomllib.loads(text)["cities"]
    cities = "".join(
        f'[[cities]] # a "[city]"\nname = "{c["name"]}"\nlat = {c["lat"]}\nlon = {c["lon"]}\n'
        for c in table
    )
    text = re.sub(r"(?s)cities = \[.*?\n\]\n", "", text) + cities
    path = tmp_path / "windows.toml"
    path.write_bytes(b"\xef\xbb\xbf" + text.replace("\n", "\r\n").encode())
    assert load_edition(path) == load_edition("tiny")
    path.write_text(text.replace("lon = 26.1025", "lon = 261"), encoding="utf-8")
    (problem,) = check_edition(path)
    assert problem.place == "cities[1]"
    assert problem.line == text[: text.index('name = "București"')].count("\n")


def test_a_problem_reads_as_a_sentence() -> None:
    problem = Problem("routes[3]", "length is 0", "Use a whole number from 1 to 9.", 12)
    assert str(problem) == "line 12, routes[3]: length is 0. Use a whole number from 1 to 9."
    assert str(Problem("file", "a", "B.")) == "file: a. B."


# --- the documentation ----------------------------------------------------------------------


@pytest.mark.parametrize("knob", KNOBS)
def test_every_knob_is_documented(knob: str) -> None:
    """Under its heading, in the same words as the code."""
    doc = KNOBS[knob].metadata["doc"]
    assert f"### {knob}\n\n{doc}" in DOCS.read_text(encoding="utf-8")


def test_the_example_of_the_documentation_is_sound(tmp_path: Path) -> None:
    found = re.search(r'(?s)```toml title="islands.toml"\n(.*?)```', DOCS.read_text("utf-8"))
    assert found is not None
    path = tmp_path / "islands.toml"
    path.write_text(found[1], encoding="utf-8")
    assert check_edition(path) == []
    assert load_edition(path).id == "islands"
