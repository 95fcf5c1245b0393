"""E1 to E5: the last round, the final score, and the winner."""

# mypy: check-untyped-defs=False

import random
import time
from itertools import combinations, product

import pytest
from tests.arrange import arrange, bits, deal, field, make_edition, phase, scores

from macaz.game.moves import IllegalMove


def draw(game):
    """A turn that changes nothing: two cards from the deck."""
    game.push("blind")
    deal(game, "red")
    game.push("blind")
    deal(game, "red")


@pytest.mark.rule("E1")
@pytest.mark.parametrize("seats", [2, 3, 5])
@pytest.mark.parametrize("target", ["plain", "cpu"])
def test_e1_all_have_one_last_turn_the_one_who_started_it_included(seats, target):
    for trigger in range(seats):
        held = [{} for _ in range(seats)]
        held[trigger] = {"blue": 3}
        game = arrange(
            seats=seats, hands=held, trains={trigger: 5}, turn=trigger, first=0, target=target
        )
        game.push("claim Montréal–New York blue 3")
        assert field(game, "last") == seats
        turns = []
        while not game.over:
            turns.append(game.turn)
            draw(game)
        assert turns == [(trigger + 1 + i) % seats for i in range(seats)]


@pytest.mark.rule("E1")
@pytest.mark.parametrize(("trains", "starts"), [(3, True), (4, True), (5, True), (6, False)])
def test_e1_two_or_fewer_trains_at_the_end_of_a_turn(trains, starts):
    game = arrange(hands=[{"blue": 3}], trains={0: trains})
    game.push("claim Montréal–New York blue 3")
    assert game.view(None).trains[0] == trains - 3
    assert (field(game, "last") > 0) == starts
    assert not game.over


@pytest.mark.rule("E1")
def test_e1_it_is_started_once():
    game = arrange(hands=[{"blue": 3}, {"red": 3}], trains={0: 5, 1: 5})
    game.push("claim Montréal–New York blue 3")
    game.push("claim Chicago–Duluth red 3")
    assert field(game, "last") == 1
    assert game.turn == 0
    draw(game)
    assert game.over


@pytest.mark.rule("E1")
def test_e1_the_last_turn_may_be_any_action_and_counts():
    game = arrange(hands=[{"blue": 3, "red": 2}], trains={0: 5})
    game.push("claim Montréal–New York blue 3")
    draw(game)
    game.push("claim Boston–New York red 2")
    assert game.over
    assert scores(game) == [6, 0]
    assert game.outcome.seats[0].path_length == 5
    with pytest.raises(IllegalMove, match="over"):
        game.push("blind")


@pytest.mark.rule("E1")
def test_e1_the_last_turn_is_played_to_its_end():
    # With its tunnel, its marker and its Alvin.
    game = arrange(
        "old-west+alvin",
        hands=[{"red": 4}],
        marks={0: ["Santa Fe"], 1: ["Denver"]},
        routes={0: ["Albuquerque–Santa Fe"]},
        last=1,
    )
    game.push("claim Albuquerque–Roswell red 2")
    assert phase(game) == "mark"
    game.push("mark Albuquerque red")
    game.push("alvin Santa Fe")
    assert game.over
    assert game.outcome.seats[0].alvin == 10


@pytest.mark.rule("E1")
def test_e1_old_west_and_europe_alike():
    game = arrange("old-west", hands=[{"red": 2}], trains={0: 4}, marks={0: ["Albuquerque"]})
    game.push("claim Albuquerque–Roswell red 2")
    assert field(game, "last") == 2
    game = arrange("europe", hands=[{"red": 2}], trains={0: 4})
    game.push("claim Barcelona–Pamplona red 2")
    deal(game, "blue", "blue", "blue")
    assert field(game, "last") == 2


@pytest.mark.rule("E2")
@pytest.mark.parametrize("name", ["usa-classic", "usa"])
def test_e2_completed_tickets_add_the_others_subtract(name):
    game = arrange(
        name,
        routes={0: ["Denver–Santa Fe", "El Paso–Santa Fe"]},
        tickets={0: ["Denver–El Paso 4", "Boston–Miami 12"], 1: ["Duluth–Houston 8"]},
        score=[4, 20],
    )
    result = game.standing()
    assert [s.ticket_points for s in result.seats] == [4 - 12, -8]
    assert result.totals == (4 - 8 + 10, 12)  # and the longest path


# -- E3 ------------------------------------------------------------------------------------------


def lengths(game):
    return [s.path_length for s in game.standing().seats]


LOOP = ["Denver–Omaha", "Kansas City–Omaha", "Denver–Kansas City"]


@pytest.mark.rule("E3")
def test_e3_ten_points_for_the_longest_path():
    game = arrange(routes={0: ["Chicago–Omaha"], 1: ["Chicago–Duluth", "Duluth–Winnipeg"]})
    result = game.standing()
    assert lengths(game) == [4, 7]
    assert [s.longest_path for s in result.seats] == [0, 10]
    assert result.totals == (0, 10)


@pytest.mark.rule("E3")
def test_e3_all_tied_seats_get_it_but_none_without_a_route():
    game = arrange(seats=3, routes={0: ["Chicago–Omaha"], 2: ["Chicago–Toronto"]})
    assert [s.longest_path for s in game.standing().seats] == [10, 0, 10]
    game = arrange(seats=3)
    assert [s.longest_path for s in game.standing().seats] == [0, 0, 0]


@pytest.mark.rule("E3")
@pytest.mark.parametrize("target", ["plain", "cpu"])
@pytest.mark.parametrize(
    ("routes", "length"),
    [
        # A branch is not continuous: the two longest arms.
        (["Denver–Omaha", "Denver–Santa Fe", "Denver–Kansas City"], 8),
        # A loop is walked whole.
        (LOOP, 9),
        # A loop with a tail, and with two tails at one city: one of them counts.
        ([*LOOP, "Denver–Helena"], 13),
        (
            [*LOOP, "Denver–Helena", "Denver–Santa Fe"],
            4 + 9 + 2,
        ),
        # Two pieces: the longer of them.
        (["Denver–Omaha", "Boston–Montréal", "Boston–New York"], 4),
        # Two loops that share a city: passed twice.
        (
            [*LOOP, "Denver–Salt Lake City", "Helena–Salt Lake City", "Denver–Helena"],
            9 + 10,
        ),
    ],
)
def test_e3_loops_and_branches(routes, length, target):
    game = arrange(routes={0: routes}, target=target)
    assert lengths(game) == [length, 0]


def longest_by_hand(edges):
    """The longest trail, by trying every one."""
    at = {}
    for i, (a, b, _) in enumerate(edges):
        at.setdefault(a, []).append((i, b))
        at.setdefault(b, []).append((i, a))

    def walk(city, used):
        return max(
            (edges[i][2] + walk(other, used | {i}) for i, other in at[city] if i not in used),
            default=0,
        )

    return max((walk(city, frozenset()) for city in at), default=0)


CLUSTER = [(f"{a}", f"{b}", 1 + (3 * a + 5 * b) % 6) for a, b in combinations(range(7), 2)]


@pytest.mark.rule("E3")
@pytest.mark.parametrize("seed", range(60))
def test_e3_as_long_as_trying_every_trail(seed):
    rng = random.Random(seed)
    edges = rng.sample(CLUSTER, rng.randint(1, 11))
    game = arrange(make_edition(CLUSTER), trains={0: 0}, target="plain" if seed < 20 else "cpu")
    game.state["claimed"][0, 0] = bits(game, [f"{a}–{b}" for a, b, _ in edges])
    assert game.engine.longest_path(game.state, 0) == longest_by_hand(edges)


def complete(n, name=""):
    return [(f"{name}{a:02}", f"{name}{b:02}", 1) for a, b in combinations(range(n), 2)]


def wheel(n):
    rim = [(f"r{i:02}", f"r{(i + 1) % n:02}", 1) for i in range(n)]
    return [*rim, *(("hub", f"r{i:02}", 1) for i in range(n))]


def grid(width, height):
    across = product(range(width - 1), range(height))
    down = product(range(width), range(height - 1))
    return [(f"{x}.{y}", f"{x + 1}.{y}", 1) for x, y in across] + [
        (f"{x}.{y}", f"{x}.{y + 1}", 1) for x, y in down
    ]


def cubic(n, seed, name=""):
    """A random graph with three routes at every city: the maximum of odd cities."""
    rng = random.Random(seed)
    ends = [city for city in range(n) for _ in range(3)]
    while True:
        rng.shuffle(ends)
        pairs = {tuple(sorted(ends[i : i + 2])) for i in range(0, len(ends), 2)}
        if len(pairs) == 3 * n // 2 and all(a != b for a, b in pairs):
            return [(f"{name}{a:02}", f"{name}{b:02}", 1) for a, b in sorted(pairs)]


@pytest.mark.rule("E3")
@pytest.mark.parametrize(
    ("edges", "length"),
    [
        # All cities but two of an even complete graph must drop a route, two cities a route.
        pytest.param(complete(10), 45 - 4, id="complete-10"),
        pytest.param(complete(9), 36, id="complete-9"),
        pytest.param(wheel(22), 44 - 10, id="wheel-22"),
        pytest.param(grid(4, 6), 33, id="grid-4x6"),
        pytest.param(cubic(30, 0), 31, id="cubic-30"),
        pytest.param(cubic(14, 1, "x") + cubic(16, 2, "y"), 17, id="two-cubics"),
        pytest.param([("hub", f"{i:02}", 1) for i in range(45)], 2, id="star-45"),
        pytest.param([(f"{i:02}", f"{i + 1:02}", 1) for i in range(45)], 45, id="line-45"),
    ],
)
def test_e3_hard_boards_are_settled_quickly(edges, length):
    game = arrange(make_edition(edges), trains={0: 0}, target="cpu")
    game.state["claimed"][0, 0] = game.spec.table["lanes"][0]
    began = time.perf_counter()
    assert game.engine.longest_path(game.state, 0) == length
    assert time.perf_counter() - began < 10


# -- E4 ------------------------------------------------------------------------------------------


@pytest.mark.rule("E4")
def test_e4_most_points_win():
    game = arrange(seats=3, score=[5, 8, 7])
    result = game.standing()
    assert (result.winners, result.tie_break) == ((1,), None)


@pytest.mark.rule("E4")
@pytest.mark.parametrize("target", ["plain", "cpu"])
def test_e4_then_most_completed_tickets(target):
    game = arrange(
        routes={0: ["Denver–Santa Fe", "El Paso–Santa Fe"], 1: ["Chicago–Toronto"]},
        tickets={0: ["Denver–El Paso 4"]},
        score=[0, 4],
        target=target,
    )
    result = game.standing()
    assert result.totals == (14, 14)  # both have a path of 4
    assert (result.winners, result.tie_break) == ((0,), "tickets")


@pytest.mark.rule("E4")
def test_e4_then_the_holder_of_the_longest_path():
    game = arrange(
        seats=3, routes={0: ["Denver–Santa Fe"], 1: ["Chicago–Toronto"]}, score=[10, 0, 9]
    )
    result = game.standing()
    assert result.totals == (10, 10, 9)
    assert (result.winners, result.tie_break) == ((1,), "longest-path")


@pytest.mark.rule("E4")
def test_e4_in_europe_fewest_stations_come_before_the_longest_path():
    game = arrange(
        "europe",
        3,
        marks={0: ["Wien"], 1: ["Paris", "Roma"], 2: ["Riga"]},
        routes={1: ["Berlin–Wien"]},
        score=[12, 6, 11],
    )
    result = game.standing()
    assert result.totals == (20, 20, 19)
    assert (result.winners, result.tie_break) == ((0,), "stations")


@pytest.mark.rule("E4")
def test_e4_in_europe_the_path_decides_after_the_stations():
    game = arrange(
        "europe", marks={0: ["Wien"], 1: ["Paris"]}, routes={1: ["Berlin–Wien"]}, score=[14, 4]
    )
    result = game.standing()
    assert result.totals == (22, 22)
    assert (result.winners, result.tie_break) == ((1,), "longest-path")


@pytest.mark.rule("E4")
@pytest.mark.parametrize("name", ["usa-classic", "usa", "europe", "old-west"])
def test_e4_then_the_victory_is_shared(name):
    game = arrange(name, 3, score=[6, 3, 6])
    result = game.standing()
    assert (result.winners, result.tie_break) == ((0, 2), "shared")


@pytest.mark.rule("E4")
def test_e4_a_tie_break_may_thin_out_and_the_rest_share():
    done = {0: ["Denver–Santa Fe", "El Paso–Santa Fe"], 1: ["Chicago–Toronto"]}
    game = arrange(
        seats=4,
        routes=done,
        tickets={0: ["Denver–El Paso 4"]},
        score=[0, 0, 10, 10],
    )
    game.state["score"][0, :4] = [0, 4, 14, 14]
    result = game.standing()
    assert result.totals == (14, 14, 14, 14)
    assert (result.winners, result.tie_break) == ((0,), "tickets")


@pytest.mark.rule("E4")
def test_e4_the_old_west_has_tickets_only():
    game = arrange("old-west", score=[6, 6], routes={0: ["Denver–Pueblo"]}, marks={0: ["Denver"]})
    assert game.standing().tie_break == "shared"


@pytest.mark.rule("E5")
def test_e5_scores_may_be_negative():
    game = arrange(tickets={0: ["New York–Seattle 22"], 1: ["Los Angeles–New York 21"]})
    result = game.standing()
    assert result.totals == (-22, -21)
    assert result.winners == (1,)


@pytest.mark.rule("E5")
def test_e5_even_with_every_ticket_of_the_deck():
    game = arrange("old-west", tickets={})
    tickets = game.edition.board.tickets
    game.state["ticket"][0, : len(tickets)] = 0
    assert game.standing().totals == (-sum(t.points for t in tickets), 0)
