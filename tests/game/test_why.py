"""Why a move is illegal: the kernel's reasons, and their sentences."""

from __future__ import annotations

import random
from collections.abc import Callable
from typing import Any

import numpy as np
import pytest
from tests.arrange import arrange, auto, begin, deal

from macaz import Game
from macaz.game.moves import Choose, IllegalMove, Keep
from macaz.game.view import routes_of
from macaz.game.why import SENTENCES, sentence
from macaz.help.aids import aids_of
from macaz.kernel import layout as at
from macaz.kernel.compile import compiled
from macaz.kernel.help import (
    HELP,
    claim_points,
    station_rescues,
    ticket_plans,
    tunnels,
    usable_routes,
    why_not,
    why_now,
    why_places,
)
from macaz.kernel.views import redact, redacted_state

TABLES = [("tiny", 2), ("usa-classic", 2), ("usa", 5), ("europe", 3), ("old-west+alvin", 4)]


@pytest.mark.parametrize(("edition", "seats"), TABLES)
@pytest.mark.parametrize("target", ["auto", "plain"])
def test_there_is_a_reason_exactly_where_it_is_not_legal(edition, seats, target):
    dice = random.Random(f"{edition} {seats}")
    game = Game(edition, seats, seed=3)
    share = {"auto": 0.12, "plain": 0.01}[target]
    while not game.over:
        if dice.random() < share:
            check(game, dice, target)
        game.push(dice.choice(game.legal_moves.actions))
    check(game, dice, target)


def check(game: Game, dice: random.Random, target: str) -> None:
    """Illegal moves have a reason, the same from a state as from the view of the seat."""
    spec, actions = game.spec, range(-1, game.spec.actions + 1)
    for seat in range(game.seats):
        legal = set(game.legal_moves_of(seat).actions)
        view = redacted_state(redact(game.state, seat))
        asked = {*dice.sample(actions, min(len(actions), 150)), *legal, -1, game.spec.actions}
        for action in asked:
            reason = why_not(spec, game.state, seat, action, target)
            assert (reason == "") == (action in legal), (action, reason)
            assert why_not(spec, view, seat, action, target) == reason
        assert (why_now(game.state, seat, target) == "") == (seat in game.deciding)
        places = why_places(spec, game.state, seat, target)
        assert why_places(spec, view, seat, target) == places
        for found, place in ((places.routes, 0), (places.cities, 1)):
            may = {game.notation.place(action)[place] for action in legal}
            assert {i for i, reason in enumerate(found) if not reason} == may - {None}


def refused(game: Game, move: Any, seat: int | None = None) -> tuple[str, str]:
    with pytest.raises(IllegalMove) as error:
        game.push(move, seat)
    return error.value.reason, error.value.why


def keeping(keep: int | None = None) -> Game:
    """A seat that drew tickets and, with `keep`, chose that many of them."""
    game = arrange("usa")
    game.push("tickets")
    auto(game)
    if keep is not None:
        game.push(Keep(game.offer(0)[:keep]))
    return game


def chosen(*seats: int) -> Game:
    game = begin("old-west+alvin", 2)
    for seat in seats:
        game.push(Choose(seat, game.offer(seat)))
    return game


def second() -> Game:
    game = arrange(row={"loco": 1, "red": 2, "blue": 2})
    game.push("take red")
    auto(game)
    return game


def tunnel(*cards: str) -> Game:
    game = arrange("europe", hands=[{"green": 3, "loco": 1}])
    game.push("claim Barcelona–Pamplona green 2")
    deal(game, *cards)
    return game


def marking() -> Game:
    game = arrange("old-west", hands=[{"red": 4, "blue": 2}], marks={0: ["Salt Lake City"]})
    game.push("claim Salt Lake City–St. George red 4")
    return game


def captured() -> Game:
    game = arrange("old-west+alvin", hands=[{"red": 2}], marks={0: ["Albuquerque"], 1: ["Denver"]})
    game.push("claim Albuquerque–Roswell red 2")
    return game


def over() -> Game:
    game = Game("tiny", 2, seed=1)
    dice = random.Random(1)
    while not game.over:
        game.push(dice.choice(game.legal_moves.actions))
    return game


def east(**more: Any) -> Game:
    return arrange(hands=[{"blue": 6, "red": 6}], **more)


def europe(marks: dict[int, list[str]]) -> Game:
    return arrange("europe", hands=[{"red": 3, "loco": 1}], marks=marks)


HOUSTON = "Dallas–Houston"  # two lanes of one space
CASES: list[tuple[str, Callable[[], Game], str, str]] = [
    ("game-over", over, "blind", "the game is over"),
    ("chance-first", lambda: tunnel("red"), "blind", "chance is to act first"),
    ("other-decision", chosen, "blind", "tickets are to be chosen first"),
    ("other-decision", lambda: chosen(0, 1), "blind", "a starting city is to be chosen first"),
    ("other-decision", lambda: europe({}), "decline", "a turn does not begin with that"),
    ("other-decision", second, "tickets", "a second card is to be taken first"),
    ("other-decision", keeping, "blind", "the tickets to keep are to be chosen first"),
    ("other-decision", lambda: keeping(1), "blind", "put under the deck first"),
    ("other-decision", lambda: tunnel("red", "red", "loco"), "blind", "paid or given up first"),
    ("other-decision", marking, "blind", "a marker is to be placed or skipped first"),
    ("other-decision", captured, "blind", "Alvin is to be moved first"),
    ("not-in-row", lambda: arrange(row={"red": 5}), "take blue", "no such card lies face up"),
    ("only-first-card", second, "take loco", "as the first card or not at all"),
    ("deck-empty", lambda: arrange(row={"red": 1}, deck={}), "blind", "the deck is empty"),
    ("no-tickets", lambda: arrange(ticket_deck=[]), "tickets", "no tickets to draw"),
    ("own-lane", lambda: east(routes={0: [HOUSTON]}), f"claim {HOUSTON} red 1", "to Seat 1"),
    ("lane-taken", lambda: east(routes={1: [HOUSTON]}), f"claim {HOUSTON} red 1", "to Seat 2"),
    (
        "own-parallel-lane",
        lambda: east(seats=4, routes={0: [HOUSTON]}),
        f"claim {HOUSTON}#2 red 1",
        "only one of the lanes of Dallas–Houston",
    ),
    (
        "parallel-closed",
        lambda: east(routes={1: [HOUSTON]}),
        f"claim {HOUSTON}#2 red 1",
        "is taken, which closes both with 2 players",
    ),
    (
        "not-connected",
        lambda: arrange("old-west", hands=[{"loco": 9}], marks={0: ["Denver"]}),
        "claim Cheyenne–Green River loco 4",
        "Cheyenne–Green River does not touch the network",
    ),
    (
        "too-few-trains",
        lambda: east(trains={0: 2}),
        "claim Montréal–New York blue 3",
        "Montréal–New York takes 3 trains, and 2 are left",
    ),
    ("no-cards", east, "claim Denver–Omaha purple 4", "these cards are not in the hand"),
    ("no-cards", lambda: europe({}), "station Wien green", "these cards are not in the hand"),
    ("no-cards", lambda: tunnel("green", "green", "red"), "pay loco 2", "are not in the hand"),
    ("no-cards", marking, "mark St. George red", "these cards are not in the hand"),
    ("wrong-payment", lambda: europe({}), "station Wien red loco 1", "another number of cards"),
    ("wrong-payment", lambda: tunnel("red", "red", "loco"), "pay loco 2", "another number"),
    (
        "no-station-left",
        lambda: europe({0: ["Wien", "Paris", "Roma"]}),
        "station Berlin red",
        "no station is left",
    ),
    ("city-taken", lambda: europe({1: ["Wien"]}), "station Wien red", "Wien is taken"),
    ("city-taken", lambda: chosen(0, 1), "start Roswell", "Roswell is taken"),
    ("city-taken", marking, "mark Salt Lake City blue", "Salt Lake City is taken"),
    ("not-an-end", marking, "mark Denver blue", "Denver is not an end"),
    ("not-your-city", captured, "alvin Denver", "the seat has no marker in Denver"),
    ("can-still-act", east, "pass", "passing is only possible when nothing else is"),
]


@pytest.mark.parametrize(("reason", "make", "move", "words"), CASES)
def test_a_refusal_says_which_rule_forbids_it(reason, make, move, words):
    game = make()
    found, why = refused(game, move)
    assert (found, words in why) == (reason, True), why
    assert "{" not in why
    seat = -1 if game.turn is None else game.turn
    assert why_not(game.spec, game.state, seat, game.parse(move), "plain") == reason


def test_refusals_about_whose_decision_it_is():
    game = chosen(0)
    assert refused(game, Choose(0, game.offer(0)), 0) == (
        "already-chosen",
        "the tickets are chosen already",
    )
    assert why_now(game.state, 0, "plain") == "already-chosen"
    game = chosen()
    action = game.notation.action(Choose(1, game.offer(1)), game.offer(1))
    assert refused(game, action, 0)[0] == "not-your-turn"
    assert why_not(game.spec, game.state, 0, action, "plain") == "not-your-turn"
    assert refused(east(), "blind", 1) == ("not-your-turn", "Seat 1 is to decide")


def test_refusals_about_tickets():
    game = chosen()
    assert refused(game, Choose(0, game.offer(0)[:1]))[0] == "keep-more"
    assert refused(keeping(), Keep(())) == ("keep-more", "at least 1 must be kept")
    game = arrange("usa", ticket_deck=["Denver–El Paso 4"])
    game.push("tickets")
    auto(game)
    base = game.spec.table["base"][0]
    assert refused(game, base[at.A_KEEP] + 2)[0] == "not-offered"
    game = keeping(1)
    assert refused(game, base[at.A_RETURN] + 2)[0] == "not-offered"


def test_every_reason_has_a_sentence_and_a_test():
    apart = {"no-such-action", "not-your-turn", "already-chosen", "keep-more", "not-offered"}
    assert {case[0] for case in CASES} | apart == set(SENTENCES) == set(at.REASON_NAMES) - {""}
    assert sentence(east(), 0, "no-such-action") == "there is no such action at this table"


@pytest.mark.rule("W2")
def test_aids_name_the_network_where_it_is_the_reason():
    game = arrange("old-west", hands=[{"red": 1}], marks={0: ["Denver"]})
    routes = aids_of(game.view(0)).routes
    named = {game.notation.route_name(i): reason for i, reason in enumerate(routes)}
    assert named["Cheyenne–Green River"] == "not-connected"  # though the cards are missing too
    assert named["Cheyenne–Denver"] == "no-cards"
    assert set(aids_of(game.view(1)).routes) == {"not-your-turn"}


def test_aids_say_why_no_station_can_be_built():
    game = europe({1: ["Wien"]})
    cities = aids_of(game.view(0)).cities
    assert {game.notation.city_name(i) for i, reason in enumerate(cities) if reason} == {"Wien"}
    game = europe({0: ["Wien", "Paris", "Roma"]})
    assert set(aids_of(game.view(0)).cities) == {"no-station-left", "city-taken"}
    game = arrange("europe", hands=[{"red": 1}], marks={0: ["Wien"]})
    assert set(aids_of(game.view(0)).cities) == {"no-cards", "city-taken"}
    assert set(aids_of(east().view(0)).cities) == {"other-decision"}


@pytest.mark.parametrize("target", ["auto", "plain"])
def test_places_for_markers_and_moves_that_have_no_other(target):
    game = marking()
    names = [city.name for city in game.edition.board.cities]
    cities = dict(zip(names, why_places(game.spec, game.state, 0, target).cities, strict=True))
    assert {name for name, reason in cities.items() if not reason} == {"St. George"}
    assert cities["Denver"] == "not-an-end"
    assert why_not(game.spec, game.state, 0, -1, target) == "no-such-action"
    game.state["hand"][0, 0] = 0
    cities = dict(zip(names, why_places(game.spec, game.state, 0, target).cities, strict=True))
    assert cities["St. George"] == "no-cards"
    game = chosen(0, 1)
    starts = why_places(game.spec, game.state, 1, target).cities
    assert [names[i] for i, reason in enumerate(starts) if reason] == ["Roswell"]
    game = captured()
    assert why_not(game.spec, game.state, 0, game.parse("alvin Albuquerque"), target) == ""
    game = tunnel("green", "red", "red")
    extra = [
        why_not(game.spec, game.state, 0, game.parse(move), target)
        for move in ("pay", "pay loco 1", "decline")
    ]
    assert extra == ["", "", ""]
    game = arrange(hands=[{}], row={}, deck={}, ticket_deck=[])
    assert why_not(game.spec, game.state, 0, game.parse("pass"), target) == ""


@pytest.mark.parametrize(("edition", "seats"), TABLES)
def test_plain_python_gives_the_same_help_and_nothing_hidden_is_asked(edition, seats):
    dice = random.Random(f"{edition} {seats}")
    game = Game(edition, seats, seed=8)
    while not game.over:
        if dice.random() < 0.02:
            for seat in range(seats):
                view = redacted_state(redact(game.state, seat))
                for ask in (usable_routes, tunnels, station_rescues):
                    assert ask(game.spec, view, seat, "plain") == ask(game.spec, game.state, seat)
                for route in range(len(game.edition.board.routes)):
                    asked = (seat, route)
                    points = claim_points(game.spec, view, *asked, "plain")
                    assert points == claim_points(game.spec, game.state, *asked)
        game.push(dice.choice(game.legal_moves.actions))


def test_the_cards_laid_for_a_tunnel_are_not_in_the_deck():
    game = tunnel("red", "red")
    ways, run, total = np.zeros(4, np.int64), compiled(HELP, "plain"), 0
    for color in range(at.CARDS):
        total = run.ways_to_cost(game.spec.table, game.state, 0, color, ways)
        assert ways.sum() == total > 0
    open_cards = 5 + 2 + 2 + 2  # the row, the revealed cards, the laid cards, the hand
    hidden = sum(game.edition.rules.cards) - open_cards
    assert total == hidden * (hidden - 1) * (hidden - 2) // 6


@pytest.mark.rule("G3")
@pytest.mark.parametrize("target", ["auto", "plain"])
def test_a_station_rescues_a_ticket_that_lacks_one_route_of_another(target):
    ticket = "Frankfurt–København 5"
    game = arrange(
        "europe",
        hands=[{"red": 2}],
        tickets={0: [ticket]},
        routes={0: ["Essen–Frankfurt"], 1: ["Essen–København"]},
    )
    number = game.notation.ticket_named(ticket)
    found = station_rescues(game.spec, game.state, 0, target)
    assert {game.notation.city_name(city): t for city, t in found.items()} == {
        "Essen": (number,),
        "København": (number,),
    }
    game.push("station Essen red")
    [plan] = ticket_plans(game.spec, game.state, 0, target)
    assert plan["state"][number] == at.TICKET_DONE
    lent = game.notation.route_named("Essen–København")
    assert lent in routes_of(game.spec, plan["way"][number])
    assert station_rescues(game.spec, game.state, 0, target) == {}  # it is not its turn
    assert station_rescues(second().spec, second().state, 0, target) == {}


@pytest.mark.parametrize("target", ["auto", "plain"])
def test_a_tunnel_tried_with_locomotives_only_is_paid_with_locomotives_only(target):
    game = arrange("europe", hands=[{"loco": 3, "green": 1}])
    green, locos = tunnels(game.spec, game.state, 0, target)
    assert (green.color, locos.color) == (4, at.LOCO)
    assert (green.payable[2], locos.payable[2], locos.payable[3]) == (2, 1, 0)
    assert sum(locos.odds) == 1
