"""The input rows of networks, on positions set up by hand.

tests/bots/test_network.py tests that the rows do not depend on hidden information.
"""

from __future__ import annotations

from typing import Any

import numpy as np
import pytest
from tests.arrange import arrange, begin, choose, make_edition, tickets_at

from macaz.bots.compiled.program import working_memory
from macaz.bots.learned import sense
from macaz.edition import Edition
from macaz.edition.board import GRAY
from macaz.game import Game
from macaz.game.moves import CARD_WORDS
from macaz.kernel.layout import OFFERED, PHASE_NAMES

FIRST_PHASE = PHASE_NAMES.index("choose")


def ring(**knobs: Any) -> Edition:
    """Six towns in a ring of gray routes, a long route across, and a town attached to it."""
    return make_edition(
        [
            *(("Ada", "Bo", 2), ("Bo", "Cy", 3), ("Cy", "Di", 1)),
            *(("Di", "Ed", 2), ("Ed", "Flo", 4), ("Ada", "Flo", 1)),
            *(("Ada", "Di", 6), ("Flo", "Gus", 2)),
        ],
        [("Ada", "Cy", 9), ("Bo", "Ed", 12), ("Di", "Gus", 15), ("Ada", "Gus", 5), ("Cy", "Di", 1)],
        **knobs,
    )


class Told:
    """The input row of a seat for a position, accessed by readable names."""

    def __init__(self, game: Game, seat: int = 0) -> None:
        self.game = game
        self.row = sense(game.view(seat), game.state.copy())[0].copy()

    def lane(self, field: str, route: str) -> int:
        lane = self.game.spec.lane_of_route[self.game.notation.route_named(route)]
        return int(self.row[field][lane])

    def lanes(self, field: str, *axes: int) -> set[str]:
        """The routes whose number is not 0."""
        values = self.row[field][axes] if axes else self.row[field]
        names = self.game.notation.route_name
        return {names(self.game.spec.route_of_lane[int(n)]) for n in np.flatnonzero(values)}

    def ticket(self, field: str, name: str) -> int:
        return int(self.row[field][self.game.notation.ticket_named(name)])

    def tickets(self, field: str, *axes: int) -> set[str]:
        values = self.row[field][axes] if axes else self.row[field]
        return {self.game.notation.ticket_name(int(t)) for t in np.flatnonzero(values)}

    def cards(self, field: str, *axes: int) -> dict[str, int]:
        values = self.row[field][axes] if axes else self.row[field]
        return {word: int(n) for word, n in zip(CARD_WORDS, values, strict=True) if n}

    def seats(self, field: str) -> list[int]:
        values: list[int] = self.row[field][: self.game.seats].tolist()
        assert not self.row[field][self.game.seats :].any(), "seats that do not exist are zero"
        return values

    @property
    def phase(self) -> str:
        [number] = np.flatnonzero(self.row["phase"]).tolist()
        return PHASE_NAMES[FIRST_PHASE + number]


def test_cards_and_seats_are_told_from_the_own_seat_on() -> None:
    game = arrange(
        ring(),
        3,
        hands=[{"red": 3}, {"blue": 2, "loco": 1}, {"green": 1}],
        row={"white": 4, "loco": 1},
        discards={"black": 7},
        routes={0: ["Ada–Bo"], 1: ["Bo–Cy"], 2: ["Di–Ed", "Flo–Gus"]},
        score=[10, 21, 33],
        tickets={0: ["Ada–Cy 9"], 1: ["Bo–Ed 12", "Di–Gus 15"]},
        turn=1,
        first=2,
    )
    told = Told(game, 1)
    assert told.phase == "turn"
    assert told.cards("hand") == {"blue": 2, "loco": 1}
    assert told.cards("row") == {"white": 4, "loco": 1}
    assert told.cards("discards") == {"black": 7}
    assert told.seats("playing") == [1, 1, 1]
    assert told.seats("hand_size") == [3, 1, 3]
    assert told.seats("trains") == [42, 41, 43]
    assert told.seats("score") == [10, 16, 5]
    assert told.seats("tickets") == [2, 0, 1]
    assert told.seats("first") == [0, 1, 0]
    assert [told.lanes("claimed", i) for i in range(3)] == [
        {"Bo–Cy"},
        {"Di–Ed", "Flo–Gus"},
        {"Ada–Bo"},
    ]
    assert int(told.row["deck"]) == int(game.state["deck_size"][0]) // 2
    assert int(told.row["stock"]) == 2
    assert told.tickets("todo") == {"Bo–Ed 12", "Di–Gus 15"}
    assert told.tickets("away") == set(), "the places of the others' tickets are not known"


def test_a_ticket_is_done_or_takes_so_many_trains() -> None:
    """By the only free path, over routes that are claimed already."""
    game = arrange(
        ring(),
        2,
        routes={0: ["Ada–Bo", "Bo–Cy"], 1: ["Flo–Gus", "Ada–Di", "Ed–Flo"]},
        tickets={0: ["Ada–Cy 9", "Bo–Ed 12", "Di–Gus 15"]},
    )
    told = Told(game)
    assert told.tickets("done") == {"Ada–Cy 9"}
    assert told.tickets("todo") == {"Bo–Ed 12", "Di–Gus 15"}
    assert told.ticket("need", "Ada–Cy 9") == 0
    assert told.ticket("need", "Bo–Ed 12") == 3, "Cy–Di and Di–Ed"
    assert told.ticket("need", "Di–Gus 15") == 100, "no path: Flo–Gus is another seat's"
    assert int(told.row["plan_open"]) == 1
    assert int(told.row["plan_trains"]) == 3
    assert told.lanes("planned") == {"Cy–Di", "Di–Ed"}


def test_what_an_open_lane_would_do() -> None:
    game = arrange(
        ring(),
        3,
        routes={0: ["Ada–Bo"], 1: ["Bo–Cy", "Di–Ed"], 2: ["Ed–Flo", "Ada–Di"]},
    )
    told = Told(game)
    assert told.lanes("open") == {"Cy–Di", "Ada–Flo", "Flo–Gus"}
    # Cy–Di joins both parts of seat 1; Ada–Flo both parts of seat 2, and touches the own network.
    assert told.lanes("joins") == {"Cy–Di", "Ada–Flo"}
    assert told.lane("joins", "Cy–Di") == 1
    assert told.lane("own_ends", "Ada–Flo") == 1
    assert told.lane("own_ends", "Cy–Di") == 0
    assert told.lane("their_ends", "Cy–Di") == 2
    assert told.lane("their_ends", "Flo–Gus") == 1
    for field in ("own_ends", "their_ends", "joins", "missing"):
        assert told.lanes(field) <= told.lanes("open"), "nothing of a lane that is taken"
    # Seen from seat 2, Ada–Flo is needed by no other seat.
    theirs = Told(game, 2)
    assert theirs.lanes("joins") == {"Cy–Di"}
    assert theirs.lane("own_ends", "Ada–Flo") == 2


def test_a_lane_that_closes_a_ring_joins_nothing() -> None:
    game = arrange(ring(), 2, routes={1: ["Ada–Bo", "Bo–Cy", "Cy–Di"]})
    told = Told(game)
    assert told.lane("their_ends", "Ada–Di") == 2
    assert told.lanes("joins") == set()


def test_cards_that_are_missing() -> None:
    game = arrange(ring(), 2, hands=[{"red": 2, "green": 1, "loco": 1}])
    told = Told(game)
    missing = {"Cy–Di": 0, "Ada–Bo": 0, "Bo–Cy": 0, "Ed–Flo": 1, "Ada–Di": 3}
    assert {route: told.lane("missing", route) for route in missing} == missing


def test_cards_that_are_missing_for_colours_tunnels_and_ferries() -> None:
    """Of Europe: a route of a colour takes that colour, a ferry its locomotives."""
    hand = {"red": 2, "blue": 1, "loco": 1}
    game = arrange("europe", 2, hands=[hand])
    told = Told(game)
    board, spec = game.edition.board, game.spec
    met = set()
    for number, route in enumerate(board.routes):
        lane = spec.lane_of_route[number]
        if not told.row["open"][lane]:
            continue
        own = max(hand.values()) if route.color == GRAY else hand.get(CARD_WORDS[route.color], 0)
        expected = max(0, route.length - own - 1, route.locomotives - 1)
        assert int(told.row["missing"][lane]) == expected, game.notation.route_name(number)
        met.add((route.kind, route.locomotives > 1))
    assert len(met) >= 4


def test_offered_tickets_are_told_by_their_places() -> None:
    game = begin("europe", 2)
    told = Told(game, 1)
    assert told.phase == "choose"
    for place in range(4):
        assert len(told.tickets("offered", place)) == 1
        [name] = told.tickets("offered", place)
        assert 0 < told.ticket("need", name) <= 45
    offered = {name for place in range(4) for name in told.tickets("offered", place)}
    assert offered == set(tickets_at(game, OFFERED + 1))
    assert told.tickets("todo") == set()
    # The tickets that others keep in the meantime are not visible.
    choose(game, 0, *tickets_at(game, OFFERED)[:2])
    assert Told(game, 1).row.tobytes() == told.row.tobytes()


def test_the_hint_is_a_legal_move_of_the_planners_kind() -> None:
    """With the cards for its ticket in hand, the planner claims, and the hint names the payment."""
    game = arrange(
        ring(),
        2,
        hands=[{"red": 1, "green": 3}],
        tickets={0: ["Cy–Di 1"]},
        trains={0: 4},
        last=1,
    )
    told = Told(game)
    assert int(told.row["last"]) == 1
    assert told.row["hint"].sum() == 1
    assert told.row["hint_color"].sum() == 1
    assert int(np.flatnonzero(told.row["hint"])[0]) >= 60, "a route is claimed"
    assert set(told.cards("hint_color")) <= {"red", "green"}


def test_stations_and_starting_cities() -> None:
    game = arrange("europe", 3, marks={1: ["Paris", "Wien"]}, turn=2)
    told = Told(game, 2)
    assert told.seats("marks_left") == [3, 3, 1]
    cities = {game.notation.board.cities[c].name for c in np.flatnonzero(told.row["marks"][2])}
    assert cities == {"Paris", "Wien"}
    assert not told.row["marks"][:2].any()


def test_the_rows_numbers_are_small() -> None:
    """Numbers that do not fit into a byte are clipped."""
    game = arrange(ring(), 2, score=[260, 400], tickets={0: ["Ada–Cy 9"]})
    told = Told(game)
    assert told.seats("score") == [127, 127]


@pytest.mark.parametrize(
    ("name", "seats"),
    [("usa", 2), ("usa-classic", 5), ("europe", 3), ("old-west+alvin", 4)],
)
def test_what_was_in_the_working_memory_does_not_matter(name: str, seats: int) -> None:
    """For any earlier content, also while tickets are returned: no plan includes those."""
    phases = set()
    for seed in range(3):
        game = Game(name, seats=seats, seed=seed)
        chance = np.random.default_rng(seed)
        for _ in range(80):
            seat = game.deciding[0]
            rows = []
            for dirt in (0, 77):
                working_memory().minds.view(np.int8)[:] = dirt
                rows.append(sense(game.view(seat), game.state.copy()).tobytes())
            assert rows[0] == rows[1]
            phases.add(PHASE_NAMES[int(game.state["phase"][0])])
            legal = list(game.legal_moves_of(seat))
            game.push(legal[chance.integers(len(legal))])
    assert ("return" in phases) == (name == "usa")
