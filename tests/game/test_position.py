"""Positions: export and import are exact, and invalid ones are reported."""

from __future__ import annotations

import copy
import json
import pickle
import random
from collections.abc import Callable, Iterator
from dataclasses import replace
from functools import cache
from pathlib import Path
from typing import Any

import msgspec
import numpy as np
import pytest
from click.testing import CliRunner

import macaz
from macaz import Game, View
from macaz.cli.position import position
from macaz.edition import Edition, load_edition
from macaz.game.data import Position, SeatView, view_data
from macaz.game.fair import Dealer
from macaz.game.position import (
    InvalidPosition,
    check_position,
    dump_position,
    export_position,
    export_view,
    load_position,
    setup_position,
    setup_view,
)
from macaz.game.record import save_record
from macaz.game.worlds import sample_world
from macaz.kernel import layout as at

DEALS = ("deal-first", "deal-hands", "deal-row", "deal-setup", "deal-blind", "deal-offer")
ALWAYS = {*DEALS, "choose", "turn", "second", "keep", "over"}
PHASES = {
    "tiny": ALWAYS,
    "usa-classic": ALWAYS,
    "usa": ALWAYS | {"return"},
    "europe": ALWAYS | {"deal-tunnel", "tunnel"},
    "old-west": ALWAYS | {"start", "mark"},
    "old-west+alvin": ALWAYS | {"start", "mark", "alvin"},
}


@cache
def edition_of(name: str) -> Edition:
    return load_edition(name)


def seat_counts(name: str) -> range:
    rules = edition_of(name).rules
    return range(rules.min_seats, rules.max_seats + 1)


def walk(game: Game, rng: random.Random) -> Iterator[str]:
    """Play random moves, and yield every position."""
    while True:
        yield at.PHASE_NAMES[game.state["phase"][0]]
        if game.over:
            return
        if game.chance_pending:
            way = rng.randrange(game.engine.chance_ways(game.state))
            game.push_chance(game.engine.chance_outcome(game.state, way))
        else:
            game.push(rng.choice(game.legal_moves.actions))


def same_again(game: Game) -> None:
    data = json.loads(json.dumps(export_position(game)))
    again = setup_position(data, edition=game.edition, dealer=None)
    assert again.state.tobytes() == game.state.tobytes()
    assert not again.history
    assert (again.turn, again.deciding, again.over) == (game.turn, game.deciding, game.over)
    for seat in (None, *range(game.seats)):
        view = game.view(seat)
        data = json.loads(json.dumps(export_view(view)))
        assert bytes(setup_view(data, edition=game.edition)) == bytes(view)


@pytest.mark.parametrize("name", PHASES)
def test_every_phase_goes_out_and_in(name: str) -> None:
    met: dict[str, int] = {}
    for seats in seat_counts(name):
        for seed in range(30 if name == "tiny" else 2):
            rng = random.Random(seed)
            game = Game(edition_of(name), seats, dealer=None)
            for phase in walk(game, rng):
                met[phase] = met.get(phase, 0) + 1
                if met[phase] <= 4 or rng.random() < 0.01:
                    same_again(game)
    assert set(met) == PHASES[name]


def with_everything(returns: str, order: str) -> Edition:
    """Old West with tunnels, long tickets and Alvin, which no shipped edition combines."""
    edition = edition_of("old-west+alvin")
    board = edition.board
    routes = tuple(
        replace(r, kind="tunnel") if r.kind == "track" and i % 2 else r
        for i, r in enumerate(board.routes)
    )
    tickets = tuple(
        replace(t, deck="long" if i < 8 else "normal") for i, t in enumerate(board.tickets)
    )
    rules = replace(
        edition.rules,
        phases=(*edition.rules.phases, "tunnel"),
        setup_tickets=3,
        setup_long=1,
        setup_keep=2,
        setup_return=returns,
        return_order=order,
    )
    return replace(edition, board=replace(board, routes=routes, tickets=tickets), rules=rules)


@pytest.mark.parametrize(
    ("returns", "order"), [("bottom", "chosen"), ("shuffled", "dealt"), ("out", "chosen")]
)
def test_an_edition_with_everything(returns: str, order: str) -> None:
    """Tunnels and markers in one turn, and long tickets with every rule for returned tickets."""
    edition = with_everything(returns, order)
    worlds = np.random.default_rng(1)
    met = set()
    for seats in (2, 4, 6):
        rng = random.Random(seats)
        game = Game(edition, seats, dealer=None)
        for phase in walk(game, rng):
            late_mark = phase in ("mark", "alvin", "return")
            if phase not in met or late_mark or rng.random() < 0.02:
                same_again(game)
                for seat in (None, *range(seats)):
                    view = game.view(seat)
                    world = sample_world(view, worlds)
                    assert bytes(View.of(game.spec, world, seat)) == bytes(view)
            met.add(phase)
    assert met >= PHASES["old-west+alvin"] | PHASES["europe"]


@pytest.mark.parametrize("name", PHASES)
def test_a_sound_position_can_be_played_on(name: str) -> None:
    """All positions that follow an imported position are valid."""
    seats = seat_counts(name)[-1]
    rng = random.Random(f"on {name}")
    game = Game(edition_of(name), seats, dealer=None)
    for _ in walk(game, rng):
        if rng.random() < 0.02:
            again = setup_position(export_position(game), edition=game.edition, dealer=None)
            for n, _ in enumerate(walk(again, rng)):
                if n % 7 == 0:
                    assert check_position(export_position(again), again.edition) == []
                if n == 21:
                    break


def test_text_goes_out_and_in() -> None:
    game = Game("europe", 3, seed=4)
    rng = random.Random(4)
    for _ in range(60):
        game.push(rng.choice(game.legal_moves.actions))
    again = load_position(dump_position(game))
    assert isinstance(again, Game)
    assert again.state.tobytes() == game.state.tobytes()
    view = load_position(dump_position(game.view(1)))
    assert isinstance(view, View)
    assert bytes(view) == bytes(game.view(1))
    spectator = load_position(dump_position(game.view(None)))
    assert isinstance(spectator, View)
    assert spectator.seat is None


def test_a_view_as_it_is_sent_is_a_position() -> None:
    """With numbers instead of names, and with all redundant fields."""
    game = Game("europe", 3, seed=4)
    rng = random.Random(4)
    while not game.over:
        game.push(rng.choice(game.legal_moves.actions))
        view = game.view(1)
        sent = msgspec.json.decode(msgspec.json.encode(view_data(view)))
        data = {"macaz position": 2, "edition": "europe", **sent}
        assert check_position(data) == []
        if not view.over:
            assert setup_view(data) == view


def test_a_view_has_no_secrets_in_its_text() -> None:
    game = Game("usa-classic", 2, seed=8)
    text = dump_position(game.view(0))
    for ticket in game.offer(1):
        assert game.notation.ticket_name(ticket) not in text
    data = json.loads(text)
    assert data["seats"][1] == {"hand_size": 4, "tickets_offered": 3, "trains": 45, "score": 0}
    assert "deck" not in data


# -- positions written by hand -----------------------------------------------------------------


def by_hand() -> dict[str, Any]:
    """A position without its optional fields."""
    return {
        "macaz position": 2,
        "edition": "europe",
        "row": {"red": 2, "blue": 2, "locomotive": 1},
        "seats": [
            {
                "hand": {"red": 3, "loco": 1},
                "routes": ["Brest-Dieppe", "Dieppe–London"],
                "marks": ["wien"],
                "tickets": ["Palermo–Moskva 20 long", "Athina–Angora 5"],
            },
            {"hand": {"black": 4}, "tickets": ["Athina–Wilno 11"]},
        ],
    }


def test_what_is_left_out_follows_from_the_rest() -> None:
    data = by_hand()
    named = ["Lisboa–Danzig 20 long", "Angora–Kharkov 10", "Athina–Wilno 11"]
    data["seats"][0]["tickets"] = named[:2]
    data["seats"][1]["tickets"] = named[2:]
    game = setup_position(data, seed=1)
    state = game.state[0]
    assert game.turn == 0
    assert game.seats == 2
    assert state["deck_size"] == 110 - 5 - 8
    assert state["deck"][7] == 12 - 2 - 3
    assert state["trains"][0] == 45 - 2 - 2
    assert state["score"][0] == 2 + 2
    assert state["stock"] == 40 - 2
    view = game.view(0)
    assert view.marks_of(0) == (game.notation.city_named("Wien"),)
    game.push("blind")
    assert game.chance_count == 1
    game.pop()
    assert not game.history


def test_a_dealer_deals_on_at_once() -> None:
    game = Game("tiny", 2, dealer=None)
    data = export_position(game)
    assert setup_position(data, seed=5).chance_pending is False
    left = setup_position(data, dealer=Dealer.seeded(5), names=["Ana", "Dan"])
    assert left.names == ("Ana", "Dan")
    assert left.state.tobytes() == setup_position(data, seed=5).state.tobytes()
    for waiting in (setup_position(data), load_position(dump_position(game))):
        assert isinstance(waiting, Game)
        assert waiting.chance_pending
        assert waiting.state.tobytes() == game.state.tobytes()
    loaded = load_position(dump_position(game), seed=5, names=["Ana", "Dan"])
    assert isinstance(loaded, Game)
    assert loaded.state.tobytes() == left.state.tobytes()
    with pytest.raises(ValueError, match="a seed or a dealer, not both"):
        setup_position(data, seed=5, dealer="random")
    with pytest.raises(ValueError, match="a seed or a dealer, not both"):
        load_position(dump_position(game), seed=5, dealer=Dealer.seeded(5))


def test_a_position_is_set_up_for_a_target() -> None:
    game = Game("tiny", 2, seed=1, target="plain")
    for again in (
        setup_position(export_position(game), target="plain"),
        load_position(dump_position(game), target="plain"),
    ):
        assert isinstance(again, Game)
        assert again.engine.target == "plain"


def test_an_edition_from_elsewhere_is_handed_over() -> None:
    game = Game("tiny", 2, seed=1)
    data = export_position(game) | {"edition": "unknown"}
    assert setup_position(data, edition=game.edition).seats == 2
    with pytest.raises(InvalidPosition, match="edition"):
        setup_position(data)


@pytest.fixture
def my_map(tmp_path: Path) -> Path:
    """A custom map: tiny, under another id."""
    text = (Path(macaz.__file__).parent / "editions" / "tiny.toml").read_text(encoding="utf-8")
    path = tmp_path / "my-map.toml"
    path.write_text(text.replace('id = "tiny"', 'id = "my-map"', 1), encoding="utf-8")
    return path


def test_a_position_opens_no_files(my_map: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    game = Game(str(my_map), 2, seed=1)
    text = dump_position(game)
    assert json.loads(text)["edition"] == "my-map"
    assert str(my_map.parent) not in text
    assert load_position(text, edition=game.edition).edition == game.edition
    monkeypatch.chdir(my_map.parent)
    sound = export_position(game)
    for name in ("my-map", "my-map.toml", str(my_map), f"tiny+/../{my_map}", "tiny+my-map.toml"):
        [problem] = check_position(sound | {"edition": name})
        assert problem.place == "edition"
    [problem] = check_position(sound | {"edition": str(my_map)})
    assert "--edition" in problem.remedy
    assert "'europe'" in check_position({"macaz position": 2, "edition": "eurpe"})[0].remedy


@pytest.mark.parametrize("digits", [30, 5000])
def test_huge_numbers_are_told_not_raised(digits: int) -> None:
    huge = 10**digits
    for entry in (
        {"turn": huge},
        {"deck_size": huge},
        {"phase": huge},
        {"macaz position": huge},
        {"fingerprint": huge},
        {"row": {"red": -huge}},
        {"deck": [huge]},
        {"claiming": "Brest-Dieppe", "extra": huge},
        {"seats": [{"routes": [huge]}, {}]},
        {"edition": huge},
        {"seat": huge},
    ):
        assert check_position(by_hand() | entry)
        with pytest.raises(InvalidPosition):
            setup_position(by_hand() | entry)
    text = json.dumps(by_hand() | {"turn": 0}).replace('"turn": 0', f'"turn": 1{"0" * digits}')
    with pytest.raises(InvalidPosition):
        load_position(text)


def test_a_high_score_is_a_score() -> None:
    """Controllers of cities get points for others' routes, so there is no low maximum."""
    data = late("old-west")
    assert check_position(change(data, "seats/0/score", 12_345)) == []
    assert "seats[0].score" in places(change(data, "seats/0/score", 2**15))


def test_a_full_position_shows_a_spectator_what_is_public() -> None:
    game = Game("usa", 3, seed=2)
    assert bytes(setup_view(export_position(game))) == bytes(game.view(None))
    with pytest.raises(InvalidPosition, match="sample_world"):
        setup_position(export_view(game.view(0)))


# -- invalid positions -------------------------------------------------------------------------


def found_at(name: str, seats: int, phase: str, want: Callable[[Game], bool]) -> dict[str, Any]:
    """The data of the first random position of a phase that fulfils a condition."""
    for seed in range(200):
        game = Game(edition_of(name), seats, dealer=None)
        for now in walk(game, random.Random(seed)):
            if now == phase and want(game):
                return export_position(game)
    raise AssertionError("no such position was found")


@cache
def _example(name: str, seats: int, phase: str) -> str:
    return json.dumps(found_at(name, seats, phase, lambda game: True))


def example(name: str, phase: str, seats: int = 3) -> dict[str, Any]:
    data: dict[str, Any] = json.loads(_example(name, seats, phase))
    return data


@cache
def _late(name: str, seats: int) -> str:
    """A turn in the middle of a game, with routes of every seat."""
    data = found_at(
        name, seats, "turn", lambda g: all(len(g.view(None).routes_of(p)) > 2 for p in range(seats))
    )
    return json.dumps(data)


def late(name: str, seats: int = 3) -> dict[str, Any]:
    data: dict[str, Any] = json.loads(_late(name, seats))
    return data


def change(data: dict[str, Any], path: str, value: object) -> dict[str, Any]:
    """A copy with one thing changed, or removed where the value is `...`."""
    data = copy.deepcopy(data)
    *keys, last = [int(k) if k.isdigit() else k for k in path.split("/")]
    at_key: Any = data
    for key in keys:
        at_key = at_key[key] if isinstance(key, int) else at_key.setdefault(key, {})
    if value is ...:
        del at_key[last]
    else:
        at_key[last] = value
    return data


def places(data: dict[str, Any]) -> set[str]:
    return {problem.place for problem in check_position(data)}


READING = [
    ("macaz position", 1, "macaz position", "unknown format"),
    ("edition", "euorpe", "edition", "Did you mean 'europe'"),
    ("edition", 3, "edition", "no edition is named"),
    ("fingerprint", "0123456789abcdef", "fingerprint", "another version of Europe"),
    ("seats", [], "seats", "2 to 5 players"),
    ("seats", 3, "seats", "one entry for each seat"),
    ("rwo", {}, "rwo", 'Did you mean "row"'),
    ("seat", 7, "seat", "out of range"),
    ("phase", "trun", "phase", 'Did you mean "turn"'),
    ("after", 3, "after", "no such phase"),
    ("turn", 3, "turn", "from 0 to 2"),
    ("passes", -1, "passes", "out of range"),
    ("last_turns", 4, "last_turns", "out of range"),
    ("row", [], "row", "not cards by colour"),
    ("row/rde", 1, "row.rde", 'Did you mean "red"'),
    ("discards/red", -1, "discards.red", "from 0 to 12"),
    ("discards/red", "two", "discards.red", "not a whole number"),
    ("seats/1", 4, "seats[1]", "not an object"),
    ("seats/1/hadn", {}, "seats[1].hadn", 'Did you mean "hand"'),
    ("seats/1/hand_size", 99, "seats[1].hand_size", "the rest of the position implies"),
    ("seats/1/routes", "x", "seats[1].routes", "not a list of names"),
    ("seats/1/routes", ["Brest–Parsi"], "seats[1].routes[0]", "Did you mean"),
    ("seats/1/routes", [999], "seats[1].routes[0]", "there is no route 999"),
    ("seats/1/marks", [1.5], "seats[1].marks[0]", "not a name"),
    ("seats/1/marks", ["Wein"], "seats[1].marks[0]", "Wien"),
    ("seats/1/tickets", ["Athina–Angora 55"], "seats[1].tickets[0]", "Did you mean"),
    ("known_tickets", [], "known_tickets", "not an object"),
    (
        "known_tickets",
        {"Athina–Angora 5": "box 3"},
        "known_tickets.Athina–Angora 5",
        "no such place",
    ),
    ("known_tickets", {"Athina–Angora 5": "seat 3"}, "known_tickets.Athina–Angora 5", "no such"),
    ("known_tickets", {"Athina–Angora 5": "under 60"}, "known_tickets", "no ticket is under"),
    ("ticket_stock", 1, "ticket_stock", "the rest of the position implies"),
    ("choosing", [1], "choosing", "the rest of the position implies"),
    ("knowers", [], "knowers", "not an object"),
    ("knowers", {"Athina–Angora 5": 1}, "knowers.Athina–Angora 5", "not a list"),
    ("claiming", {}, "claiming", "not a name"),
    ("laid", {"red": 2}, "claiming", "not named"),
    ("alvin_city", "Wien", "alvin_city", "no Alvin"),
]


@pytest.mark.parametrize(("path", "value", "place", "text"), READING)
def test_what_cannot_be_read(path: str, value: object, place: str, text: str) -> None:
    problems = check_position(change(late("europe"), path, value))
    assert any(p.place == place and text in str(p) for p in problems), problems


def put(data: dict[str, Any], ticket: str, place: str) -> dict[str, Any]:
    """A copy in which a ticket is in another place."""
    data = copy.deepcopy(data)
    for seat in data["seats"]:
        for key in ("tickets", "offer"):
            seat[key] = [name for name in seat.get(key, []) if name != ticket]
    data.setdefault("known_tickets", {})[ticket] = place
    return data


def in_deck(data: dict[str, Any]) -> list[str]:
    """The tickets of the deck: those that are nowhere else."""
    game = setup_position(data)
    tickets = enumerate(game.state["ticket"][0].tolist())
    return [game.notation.ticket_name(t) for t, place in tickets if place == at.IN_DECK]


def test_cards_must_add_up() -> None:
    data = late("europe")
    assert check_position(data) == []
    assert "cards.red" in places(change(data, "deck/red", 12))
    assert "cards.red" in places(change(data, "deck", {"blue": 1}))
    fewer = change(data, "deck", ...)
    assert check_position(fewer) == []
    over = change(change(fewer, "seats/0/hand", {"red": 12}), "seats/1/hand", {"red": 12})
    assert "cards.red" in places(over)


def test_cards_seen_must_be_in_the_hand() -> None:
    data = late("usa", 4)
    assert "seats[0].seen.red" in places(change(data, "seats/0/seen", {"red": 12}))
    game = setup_position(data)
    view = export_view(game.view(1))
    assert check_position(view) == []
    assert "seats[0].seen" in places(change(view, "seats/0/seen", {"red": 12, "blue": 12}))
    assert "deck_size" in places(change(view, "deck_size", view["deck_size"] + 1))
    assert "ticket_stock" in places(change(view, "ticket_stock", ...))
    assert "ticket_stock" in places(change(view, "ticket_stock", 0))
    for entry in ("deck", "knowers", "seats/0/hand", "seats/0/tickets"):
        wrong = change(view, entry, [] if entry == "seats/0/tickets" else {})
        assert entry.replace("seats/0/", "seats[0].") in places(wrong)


def test_the_row_is_full_while_there_are_cards() -> None:
    data = change(late("usa-classic"), "deck", ...)
    assert "row" in places(change(data, "row", {"red": 1}))
    assert "row" in places(change(data, "row", {"red": 3, "blue": 3}))
    assert "refreshed" in places(change(data, "refreshed", 3))
    full = change(data, "phase", "deal-row")
    assert "row" in places(full)
    empty = change(data, "discards", {})
    hands: dict[str, int] = {}
    for heap in (data["row"], *(p["hand"] for p in data["seats"])):
        for color, n in heap.items():
            hands[color] = hands.get(color, 0) + n
    rest = {
        c: (14 if c == "locomotive" else 12) - hands.get(c, 0)
        for c in ("purple", "blue", "orange", "white", "green", "yellow", "black", "red")
    }
    rest["locomotive"] = 14 - hands.get("locomotive", 0)
    assert "deck" in places(change(empty, "discards", rest) | {"deck": {}})
    for phase in ("deal-blind", "deal-row"):
        assert "deck" in places(change(empty, "discards", rest) | {"deck": {}, "phase": phase})


def test_a_second_card_must_be_there() -> None:
    data = change(late("tiny", 2), "phase", "second")
    data["row"] = {"locomotive": 2}
    for player in data["seats"]:
        player["hand"], player["seen"] = {}, {}
    data["seats"][0]["hand"] = {"red": 4, "blue": 4, "green": 4}
    data["deck"], data["discards"] = {}, {}
    assert places(data) == {"phase"}


def test_lanes_are_claimed_as_the_table_allows() -> None:
    """C7."""
    pair = ["Edinburgh–London", "Edinburgh–London#2"]
    data = by_hand()
    for player in data["seats"]:
        player.pop("tickets")
    data["seats"][0]["routes"] = pair
    assert "seats[0].routes[1]" in places(data)
    data["seats"][0]["routes"], data["seats"][1]["routes"] = pair[:1], pair[1:]
    assert "seats[1].routes[0]" in places(data)
    for _ in range(2):
        data["seats"].append({})
    assert "seats[1].routes[0]" not in places(data)
    data["seats"][1]["routes"] = pair[:1]
    assert "seats[1].routes[0]" in places(data)


def test_trains_and_scores_follow_from_routes() -> None:
    data = late("europe")
    assert places(change(data, "seats/0/trains", 44)) == {"seats[0].trains"}
    assert places(change(data, "seats/0/score", 1)) == {"seats[0].score"}
    every = [r for r in by_name("europe") if "#" not in r]
    assert "seats[0].routes" in places(change(data, "seats/0/routes", every))


def by_name(name: str) -> list[str]:
    game = Game(edition_of(name), 2, dealer=None)
    return [game.notation.route_name(r) for r in range(len(game.edition.board.routes))]


def test_tickets_are_in_one_place() -> None:
    data = late("europe")
    name = data["seats"][0]["tickets"][0]
    twice = change(data, "seats/1/tickets", [*data["seats"][1]["tickets"], name])
    assert "seats[1].tickets" in places(twice)
    assert f"known_tickets.{name}" in places(change(data, f"known_tickets/{name}", "deck"))
    deck = in_deck(data)[0]
    assert f"knowers.{deck}" in places(change(data, f"knowers/{deck}", [0]))
    assert f"knowers.{name}" in places(change(data, f"knowers/{name}", [1]))
    two = put(put(data, in_deck(data)[0], "under 0"), in_deck(data)[1], "under 0")
    assert any(place.startswith("known_tickets.") for place in places(two))


def test_long_tickets_have_their_places() -> None:
    data = late("europe")
    game = setup_position(data)
    longs = [
        game.notation.ticket_name(t)
        for t, row in enumerate(game.edition.board.tickets)
        if row.deck == "long" and game.state["ticket"][0, t] == at.IN_BOX
    ]
    under = int(game.state["queue"][0])
    for place in ("deck", "long deck"):
        assert f"known_tickets.{longs[0]}" in places(put(data, longs[0], place))
    assert "tickets_under" in places(put(data, longs[0], f"under {under}"))
    assert "tickets_bundled" in places(put(data, longs[0], "bundle"))
    wrong = copy.deepcopy(data)
    wrong["seats"][0]["tickets"] += longs
    assert "seats[0].tickets" in places(wrong)


def test_tickets_out_of_the_game_must_have_got_there() -> None:
    data = late("usa-classic")
    ticket = in_deck(data)[0]
    found = places(put(data, ticket, "box"))
    assert {"known_tickets", f"known_tickets.{ticket}"} <= found
    assert "tickets_bundled" in places(put(data, ticket, "bundle"))
    setup = example("usa-classic", "deal-setup")
    assert "tickets_under" in places(put(setup, in_deck(setup)[0], "under 0"))


def test_offers_are_of_the_size_that_was_drawn() -> None:
    """K1."""
    keep = example("usa", "keep")
    turn = keep["turn"]
    offer = f"seats[{turn}].offer"
    assert offer in places(put(keep, keep["seats"][turn]["offer"][0], "deck"))
    assert offer in places(keep | {"phase": "turn"})
    assert offer in places(keep | {"phase": "deal-offer"})
    plain = example("usa", "turn")
    assert f"seats[{plain['turn']}].offer" in places(plain | {"phase": "keep"})
    back = found_at("usa", 3, "return", lambda game: True)
    turn = back["turn"]
    few = put(back, back["seats"][turn]["offer"][0], "deck")
    assert f"seats[{turn}].offer" in places(few)
    assert "phase" in places(example("usa-classic", "keep") | {"phase": "return"})


def test_a_ticket_from_under_the_deck_needs_no_chance() -> None:
    data = example("usa", "deal-offer")
    rest = [t for t, place in data.get("known_tickets", {}).items() if place == "bundle"]
    depth = int(setup_position(data).state["queue"][0])
    for i, ticket in enumerate(in_deck(data) + rest):
        data = put(data, ticket, f"under {depth + i}")
    assert "ticket_stock" in places(data)


def test_setup_tickets() -> None:
    """S4."""
    choose = example("usa", "choose")
    first = choose["first"]
    last = (first + 2) % 3
    held = copy.deepcopy(choose)
    held["seats"][last]["tickets"] = [held["seats"][last]["offer"].pop()]
    assert {f"seats[{last}].offer", f"seats[{last}].tickets"} <= places(held)
    dealt = choose["seats"][last]["offer"]

    def kept(count: int, place: str = f"returned {last}") -> dict[str, Any]:
        """The last seat has chosen: some tickets are kept, and the others are elsewhere."""
        done = change(choose, f"seats/{last}/tickets", dealt[:count])
        done["seats"][last]["offer"] = []
        return done | {"known_tickets": dict.fromkeys(dealt[count:], place)}

    assert f"seats[{last}].tickets" in places(kept(1))
    assert check_position(kept(len(dealt))) == []
    assert check_position(kept(3)) == []
    assert f"known_tickets.{dealt[3]}" in places(kept(3) | {"phase": "turn"})
    assert "known_tickets" in places(kept(3, "deck"))
    for player in choose["seats"]:
        player["tickets"] = player.pop("offer")
    assert places(choose) == {"seats"}
    dealt = example("usa", "choose") | {"phase": "deal-setup"}
    assert "phase" in places(dealt)
    europe = example("europe", "choose")
    offer, fewer = europe["seats"][0]["offer"], in_deck(europe)
    assert offer.pop(0).endswith("long")
    offer.append(fewer.pop())
    assert "seats[0].offer" in places(europe)


def test_setup_cards() -> None:
    """S2."""
    hands = example("usa", "deal-hands")
    assert "row" in places(hands | {"row": {"red": 1}, "deck": None})
    assert {"first"} <= places(example("usa", "deal-first") | {"first": 0})
    later = (hands["first"] + 2) % 3
    wrong = change(hands, f"seats/{later}/hand", {"red": 1}) | {"deck": None}
    assert f"seats[{later}].hand" in places(wrong)
    choose = example("usa", "choose")
    assert "seats[0].hand" in places(change(choose, "seats/0/hand", {}) | {"deck": None})
    assert "seats[0].seen" in places(change(choose, "seats/0/seen", choose["seats"][0]["hand"]))
    assert "seats[0].score" in places(change(choose, "seats/0/score", 3))
    assert "phase" in places({**choose, "phase": "deal-hands"})
    assert "turn" in places(choose | {"turn": (choose["first"] + 1) % 3})
    assert "passes" in places(choose | {"passes": 1})
    assert "last_turns" in places(choose | {"last_turns": 1})


def test_the_phase_goes_with_what_lies_there() -> None:
    turn = late("europe")
    assert "after" in places(turn | {"after": "over"})
    assert "phase" in places(turn | {"phase": "turn-end"})
    assert "drawn" in places(turn | {"drawn": 1})
    for phase in ("tunnel", "deal-tunnel"):
        assert "claiming" in places(turn | {"phase": phase})
    for phase in ("start", "mark", "alvin"):
        assert "phase" in places(turn | {"phase": phase})
    assert "passes" in places(turn | {"passes": 3})
    assert "passes" in places(turn | {"phase": "second", "passes": 1})
    assert "phase" in places(turn | {"phase": "over"})
    assert "claiming" in places(turn | {"claiming": turn["seats"][0]["routes"][0]})


def test_tunnels() -> None:
    """U1 to U3."""
    data = found_at("europe", 3, "tunnel", lambda g: g.state["paid_locos"][0] == 0)
    [(color, count)] = data["laid"].items()
    assert places(data | {"extra": data["extra"] - 1}) == {"extra"}
    assert "revealed" in places(data | {"revealed": {}})
    assert "revealed" in places(data | {"revealed": {color: 3, "locomotive": 2}})
    for laid in ({color: count + 1}, {color: count, "locomotive": 1}, {"red": 1, "blue": 1}):
        assert "laid" in places(data | {"laid": laid})
    assert "laid" in places(change(data, "laid", ...))
    other = next(c for c in ("red", "blue", "green") if c != color)
    route = edition_of("europe").board.routes[by_name("europe").index(data["claiming"])]
    colored = route.color >= 0
    assert ("claiming" in places(data | {"laid": {other: count}})) is colored
    assert "revealed" in places(data | {"phase": "deal-tunnel"})
    assert "claiming" in places(data | {"claiming": "Brest–Dieppe"})
    taken = copy.deepcopy(data)
    taken["seats"][data["turn"]].setdefault("routes", []).append(data["claiming"])
    assert "claiming" in places(taken)


def test_stations() -> None:
    """G1."""
    data = late("europe")
    cities = ["Wien", "Berlin", "Roma", "Paris"]
    assert "seats[0].marks" in places(change(data, "seats/0/marks", cities))
    both = change(change(data, "seats/0/marks", ["Wien"]), "seats/1/marks", ["Wien"])
    assert "seats[1].marks[0]" in places(both)
    assert "seats[0].marks" in places(change(late("usa"), "seats/0/marks", ["Denver"]))


def test_markers_and_networks() -> None:
    """S7, W1 to W3, A1."""
    data = late("old-west+alvin")
    assert "seats[0].marks" in places(change(data, "seats/0/marks", []))
    assert "seats[0].marks[0]" in places(change(data, "seats/0/marks", ["Roswell"]))
    game = setup_position(data)
    reached = {
        city
        for route in game.view(None).routes_of(0)
        for city in (game.edition.board.routes[route].a, game.edition.board.routes[route].b)
    }
    marked = {city for seat in range(3) for city in game.view(None).marks_of(seat)}
    far = next(
        game.notation.city_name(c)
        for c in range(len(game.edition.board.cities))
        if c not in reached and c not in marked and game.notation.city_name(c) != "Roswell"
    )
    start = game.notation.city_name(game.view(None).marks_of(0)[0])
    assert "seats[0].routes[0]" in places(change(data, "seats/0/marks", [far]))
    assert "seats[0].marks[1]" in places(change(data, "seats/0/marks", [start, far]))
    begin = example("old-west", "start")
    turn = begin["turn"]
    assert f"seats[{turn}].marks" in places(change(begin, f"seats/{turn}/marks", ["Denver"]))


def test_a_marker_must_be_possible() -> None:
    data = example("old-west", "mark")
    turn = data["turn"]
    ends = data["claiming"].split("#")[0].split("–")
    marks = data["seats"][turn]["marks"]
    route = data["claiming"]
    assert "phase" in places(change(data, f"seats/{turn}/marks", [marks[0], *ends]))
    assert "claiming" in places(
        change(data, f"seats/{turn}/routes", [r for r in ["Bend–Boise"] if r != route])
    )
    other = (turn + 1) % 3
    full = change(data, f"seats/{other}/marks", [data["seats"][other]["marks"][0], *ends])
    assert "phase" in places(full)
    length = edition_of("old-west").board.routes[by_name("old-west").index(route)].length
    assert "claiming" in places(data | {"laid": {"red": length}})


def test_alvin() -> None:
    """A1 to A3."""
    data = example("old-west+alvin", "alvin", 4)
    assert check_position(data) == []
    turn = data["turn"]
    assert "alvin_holder" in places(data | {"alvin_holder": (turn + 1) % 4})
    assert "alvin_captured" in places(data | {"alvin_captured": False})
    assert "alvin_captured" in places(data | {"alvin_captured": "yes"})
    assert "alvin_city" in places(data | {"alvin_city": "Seattle"})
    turn_data = late("old-west+alvin")
    away = {"alvin_city": turn_data["seats"][0]["marks"][0]}
    assert "alvin_city" in places(turn_data | away)
    assert check_position(turn_data | away | {"alvin_holder": 0}) == []
    assert "alvin_city" in places(turn_data | {"alvin_city": "Roswell", "alvin_holder": 0})
    held = away | {"alvin_holder": 0, "alvin_captured": True}
    assert "alvin_captured" in places(turn_data | held)


def test_the_last_round() -> None:
    """E1."""
    data = found_at("tiny", 3, "turn", lambda g: g.state["last"][0] == 2)
    assert check_position(data) == []
    assert places(data | {"last_turns": 0}) == {"last_turns"}
    early = example("tiny", "turn")
    assert places(early | {"last_turns": 2}) == {"last_turns"}


def test_every_problem_is_told_at_once() -> None:
    data = late("europe")
    data = change(data, "seats/0/trains", 3)
    data = change(data, "seats/1/score", 99)
    data = change(data, "row", {"red": 1})
    data = change(data, "turn", 8)
    assert {"seats[0].trains", "seats[1].score", "turn"} <= places(data)
    with pytest.raises(InvalidPosition) as caught:
        setup_position(data)
    error = caught.value
    assert len(error.problems) >= 3
    assert "seats[0].trains" in str(error)
    assert all(p.remedy.endswith((".", "?")) for p in error.problems)
    assert pickle.loads(pickle.dumps(error)).problems == error.problems


@pytest.mark.parametrize("text", ["", "{", "[1, 2]", "3", '"x"', "[" * 100000])
def test_no_position_at_all(text: str) -> None:
    with pytest.raises(InvalidPosition):
        load_position(text)


@pytest.mark.parametrize("seed", range(3))
def test_garbage_is_told_not_raised(seed: int) -> None:
    """Any data is either imported or reported as invalid."""
    rng = random.Random(seed)
    junk: list[Any] = [None, -1, 0, 7, 99, True, "x", "", [], {}, [None], ["x"], {"red": -3}, 1.5]
    for _ in range(150):
        data: Any = late("old-west+alvin")
        for _ in range(rng.randint(1, 3)):
            table = data
            while True:
                key = rng.choice(list(table) if isinstance(table, dict) else range(len(table)))
                if isinstance(table[key], dict | list) and table[key] and rng.random() < 0.7:
                    table = table[key]
                    continue
                table[key] = rng.choice(junk)
                break
        problems = check_position(data, edition_of("old-west+alvin"))
        if not problems and "seat" not in data:
            game = setup_position(data, edition=edition_of("old-west+alvin"))
            for _, _ in zip(range(20), walk(game, rng), strict=False):
                assert check_position(export_position(game), game.edition) == []


# -- the command -------------------------------------------------------------------------------


@pytest.fixture
def record(tmp_path: Path) -> Path:
    game = Game("tiny", 2, seed=3)
    rng = random.Random(3)
    while not game.over:
        game.push(rng.choice(game.legal_moves.actions))
    save_record(tmp_path / "game.macaz", game)
    return tmp_path / "game.macaz"


def test_a_turn_of_a_record_is_exported_and_checked(record: Path) -> None:
    run = CliRunner().invoke
    whole = run(position, [str(record), "--turn", "3"])
    assert whole.exit_code == 0
    game = load_position(whole.output)
    assert isinstance(game, Game)
    assert game.turn is not None
    seen = load_position(run(position, [str(record), "--turn", "3", "--seat", "2"]).output)
    assert seen == game.view(1)
    assert load_position(run(position, [str(record), "--turn", "3", "--spectator"]).output) == (
        game.view(None)
    )
    assert json.loads(run(position, ["export", str(record)]).output)["phase"] == "over"
    file = record.with_suffix(".json")
    file.write_text(whole.output, encoding="utf-8")
    assert run(position, ["check", str(file)]).exit_code == 0
    file.write_text(whole.output.replace('"trains": 6', '"trains": 5'), encoding="utf-8")
    bad = run(position, ["check", str(file)])
    assert bad.exit_code == 1
    assert "seats[" in bad.output
    file.write_text("{", encoding="utf-8")
    assert run(position, ["check", str(file)]).exit_code == 1
    assert run(position, [str(record), "--turn", "999"]).exit_code != 0
    assert run(position, [str(record), "--seat", "9"]).exit_code != 0
    assert run(position, ["check", str(record)]).exit_code == 1


def test_a_map_of_ones_own_is_named_to_the_command(my_map: Path) -> None:
    game = Game(str(my_map), 2, seed=1)
    file = my_map.with_suffix(".json")
    file.write_text(dump_position(game), encoding="utf-8")
    run = CliRunner().invoke
    without = run(position, ["check", str(file)])
    assert without.exit_code == 1
    assert "--edition" in without.output
    assert run(position, ["check", str(file), "--edition", str(my_map)]).exit_code == 0
    file.write_bytes(b"\xff\xfe")
    assert "UTF-8" in run(position, ["check", str(file)]).output


# -- the documentation -------------------------------------------------------------------------


PAGE = Path(__file__).parents[2] / "docs" / "positions.md"


def test_every_entry_is_documented() -> None:
    text = PAGE.read_text(encoding="utf-8")
    for entry in (*Position.__struct_fields__, *SeatView.__struct_fields__):
        assert f"`{entry}`" in text, entry


def test_the_examples_of_the_documentation_are_sound() -> None:
    text = PAGE.read_text(encoding="utf-8")
    examples = [part.split("```")[0] for part in text.split("```json\n")[1:]]
    kinds = [type(load_position(example)) for example in examples]
    assert kinds == [Game, Game, View]
