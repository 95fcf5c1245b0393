"""The compiled players: legal moves, from the seat's information only."""

from __future__ import annotations

import itertools
import random
from collections.abc import Iterator, Sequence
from fractions import Fraction
from math import comb
from types import SimpleNamespace
from typing import Any

import numpy as np
import pytest
from tests.arrange import arrange, make_edition
from tests.bots.test_bots import MAP
from tests.editions import MAIN
from tests.kernel.test_variants import variant

from macaz.bots.compiled import layout as of
from macaz.bots.compiled.program import PLAYERS, guide_of, players
from macaz.bots.styled import known_state
from macaz.bots.styles import numbers_of, style_of, style_record
from macaz.edition import Edition, load_edition, read_edition
from macaz.game import Game
from macaz.game.moves import Claim
from macaz.game.view import View
from macaz.game.worlds import sample_world
from macaz.kernel import layout as at
from macaz.kernel.compile import compiled
from macaz.kernel.help import HELP
from macaz.kernel.plain import plain
from macaz.kernel.spec import Spec

STYLES = ("racer", "planner", "apprentice", "conductor", "playout")
TABLES = [
    (name, seats)
    for edition in MAIN
    for name in (edition, *(f"{edition}+{o.name}" for o in load_edition(edition).available_options))
    for seats in range(load_edition(name).rules.min_seats, load_edition(name).rules.max_seats + 1)
]
# Those with the fewest and the most seats, for what takes long.
FEW_AND_FULL = [
    (name, seats)
    for name, seats in TABLES
    if seats in (load_edition(name).rules.min_seats, load_edition(name).rules.max_seats)
]


def fresh_mind() -> np.ndarray:
    return np.zeros(1, of.dtypes["mind"])


def decided(style: str, spec: Spec, states: np.ndarray, seat: int, minds: np.ndarray) -> int:
    """The number of the move that a style decides on."""
    return int(
        players().choose_for(
            spec.table,
            guide_of(spec),
            style_of(style, spec),
            states,
            minds,
            np.ones(1, at.dtype_of("dice")),
            np.zeros(1, at.dtype_of("work")),
            seat,
        )
    )


def records(game: Game, style: str = "planner", **numbers: float) -> SimpleNamespace:
    """The arguments of the players' functions, for calling them as plain Python."""
    spec = game.spec
    number = style_of(style, spec).copy()
    for name, value in numbers.items():
        number[name] = value
    return SimpleNamespace(
        spec=plain(spec.table)[0],
        g=plain(guide_of(spec))[0],
        y=plain(number)[0],
        s=plain(game.state)[0],
        m=plain(fresh_mind())[0],
        w=plain(np.zeros(1, at.dtype_of("work")))[0],
    )


def plain_players() -> Any:
    return compiled(PLAYERS, "plain")


def decisions(
    edition: str | Edition, lineup: Sequence[str], seed: int
) -> Iterator[tuple[Game, int]]:
    """Every decision of a whole game between styles, before it is made; `random` may be one."""
    game = Game(edition, len(lineup), seed=seed)
    rng = random.Random(seed)
    minds = fresh_mind()
    while not game.over:
        seat = game.deciding[0]
        yield game, seat
        if lineup[seat] == "random":
            game.push(rng.choice(list(game.legal_moves_of(seat))), seat)
        else:
            view = game.view(seat)
            action = decided(lineup[seat], game.spec, known_state(view), seat, minds)
            game.push(game.move(action, seat), seat)  # raises an error if the move is illegal
        assert len(game.history) < 4000


def lineup_of(seats: int, shift: int) -> list[str]:
    return [STYLES[(seat + shift) % len(STYLES)] for seat in range(seats)]


# -- information and legality ---------------------------------------------------------------------


@pytest.mark.parametrize(("edition", "seats"), TABLES)
def test_a_view_is_enough(edition: str, seats: int) -> None:
    """The same decision on the state, on its view, and on any state with that view."""
    rng = np.random.default_rng(seats)
    minds = fresh_mind()
    for n, (game, seat) in enumerate(decisions(edition, lineup_of(seats, seats), seed=seats)):
        view = game.view(seat)
        state = game.state.copy()
        world = sample_world(view, rng)
        # Testing all styles takes long; over a game, every style meets every phase.
        style = STYLES[n % len(STYLES)]
        found = {
            decided(style, game.spec, states, seat, minds)
            for states in (state, known_state(view), world)
        }
        assert len(found) == 1, f"{style} uses hidden information in {view.phase}"
        assert game.engine.is_legal(state, found.pop())
        assert state.tobytes() == game.state.tobytes(), "a decision does not change the state"


def test_a_mind_that_has_seen_other_games_decides_as_a_fresh_one() -> None:
    used = fresh_mind()
    for edition, shift in (("europe", 0), ("old-west+alvin", 2), ("usa", 1)):
        for n, (game, seat) in enumerate(decisions(edition, lineup_of(3, shift), seed=5)):
            style = STYLES[n % len(STYLES)]
            state = known_state(game.view(seat))
            expected = decided(style, game.spec, state, seat, fresh_mind())
            assert decided(style, game.spec, state, seat, used) == expected, game.view(seat).phase


def situations(game: Game, seat: int) -> set[str]:
    """The unusual features of a position."""
    s = game.state[0]
    rules = game.edition.rules
    marks = int((s["marks"][seat] >= 0).sum())
    found = {
        at.PHASE_NAMES[int(s["phase"])]: True,
        "no deck": s["deck_size"] == 0,
        "no deck and no row": s["deck_size"] == 0 and s["row_size"] == 0,
        "last round": s["last"] > 0,
        "no trains": s["trains"][seat] == 0,
        "no tickets to draw": s["stock"] == 0,
        "all stations built": "station" in rules.phases and marks == rules.stations,
        "only locomotives in the row": s["row_size"] > 0 and s["row"][at.LOCO] == s["row_size"],
        "empty hand": s["hand"][seat].sum() == 0,
    }
    return {name for name, there in found.items() if there}


def test_always_a_legal_move_whatever_the_rules() -> None:
    """Random rules, with hoarders and random players: every unusual feature occurs."""
    met: set[str] = set()
    for seed in range(40):
        edition, seats = variant(seed)
        lineup = lineup_of(seats, seed)
        if seed % 3 == 0:
            lineup[0] = "random"
        for game, seat in decisions(edition, lineup, seed):
            met |= situations(game, seat)
    assert met >= {
        *("choose", "start", "turn", "second", "keep", "return", "tunnel", "mark", "alvin"),
        *("no deck", "no deck and no row", "last round", "no trains", "no tickets to draw"),
        *("all stations built", "only locomotives in the row", "empty hand"),
    }


@pytest.mark.parametrize("seed", range(3))
def test_a_map_of_ones_own(seed: int) -> None:
    edition = read_edition(MAP)
    for shift in range(len(STYLES)):
        *_, (game, _) = decisions(edition, lineup_of(2, shift), seed)
        assert game.over


# -- claims ---------------------------------------------------------------------------------------


@pytest.mark.parametrize("edition", ["europe", "usa"])
def test_whatever_is_weighed_can_be_paid_and_with_the_fewest_locomotives(edition: str) -> None:
    rng = random.Random(edition)
    run = plain_players()
    for _ in range(60):
        cards = {c: rng.choice((0, 0, 1, 2, 3, 5)) for c in ("red", "blue", "green", "white")}
        cards["loco"] = rng.choice((0, 0, 1, 2, 4, 7))
        game = arrange(edition, 2, hands=[cards], trains={0: rng.choice((1, 3, 6, 45))})
        r = records(game)
        run.no_plan(r.m)
        run.weigh(r.spec, r.g, r.y, r.s, 0, r.m, r.w, 30.0)
        claims = [m for m in game.legal_moves_of(0) if isinstance(m, Claim)]
        payable = {m.route for m in claims}
        chosen = set()
        for lane in r.m.choice[: r.m.choices]:
            action = run.claim_of(r.spec, r.s, 0, r.g, lane, r.m)
            assert game.engine.is_legal(game.state, action)
            move = game.move(action)
            assert isinstance(move, Claim)
            chosen.add(move.route)
            length = game.edition.board.routes[move.route].length
            locos = [length if m.color == at.LOCO else m.locomotives for m in claims]
            fewest = min(n for n, m in zip(locos, claims, strict=True) if m.route == move.route)
            assert (length if move.color == at.LOCO else move.locomotives) == fewest
        assert chosen <= payable
        assert len(chosen) == min(len(payable), of.CHOICES)


# -- odds, remaining turns, values of tickets -----------------------------------------------------


def test_tunnel_odds_are_the_binomial_sum() -> None:
    run = plain_players()
    rng = random.Random(4)
    for _ in range(100):
        pool = [rng.choice((0, 1, 3, 9)) for _ in range(at.CARDS)]
        if rng.random() < 0.2:
            pool[1:8] = [0] * 7  # only cards that match
        s, spec = SimpleNamespace(pool=pool), SimpleNamespace(tunnel_cards=rng.randint(0, 5))
        total = sum(pool)
        for spare in range(7):
            expected = Fraction(1)
            if total:
                p = Fraction(pool[0] + pool[at.LOCO], total)
                n = spec.tunnel_cards
                expected = sum(
                    (comb(n, k) * p**k * (1 - p) ** (n - k) for k in range(min(spare, n) + 1)),
                    Fraction(0),
                )
            assert run.tunnel_odds(spec, s, 0, spare) == pytest.approx(float(expected))


def test_tunnel_odds_are_near_the_exact_ones() -> None:
    """With 30 cards in the deck, the error is 0.02 on average and always below 0.2."""
    run, told, ways = plain_players(), compiled(HELP), np.zeros(4, np.int64)
    errors = []
    for game, seat in decisions("europe", ["planner", "racer", "conductor"], seed=3):
        view = game.view(seat)
        if view.phase == "turn" and view.deck_size >= 30:
            s = plain(game.state)[0]
            spec = plain(game.spec.table)[0]
            for color in range(at.COLORS):
                total = told.ways_to_cost(game.spec.table, game.state, seat, color, ways)
                exact = [Fraction(n, total) for n in ways.tolist()]
                for spare in range(4):
                    found = run.tunnel_odds(spec, s, color, spare)
                    errors.append(abs(found - float(sum(exact[: spare + 1]))))
    assert len(errors) > 500
    assert max(errors) < 0.2
    assert sum(errors) / len(errors) < 0.02


def test_turns_left_follow_the_trains_and_the_hands() -> None:
    run = plain_players()

    def turns(**situation: Any) -> float:
        r = records(arrange("usa-classic", 3, **situation))
        return float(run.turns_left(r.spec, r.s, 0))

    whole = turns()
    assert 20 < whole < 60
    fewer = [turns(trains={1: trains}) for trains in (40, 20, 10, 5, 3)]
    assert fewer == sorted(fewer, reverse=True)
    assert max(fewer) < whole
    assert turns(trains={1: 20}, hands=[{}, {"red": 10}]) < turns(trains={1: 20})
    assert turns(trains={1: 2}) == 1  # no seat can prevent it any more
    assert turns(last=3) == turns(last=1) == 1


def test_turns_left_are_about_what_comes() -> None:
    """In games between racers, the estimate is close to the actual number."""
    run = plain_players()
    for seed in range(3):
        found: list[float] = []
        for game, seat in decisions("usa-classic", ["racer"] * 2, seed):
            if seat == 0 and game.view(0).phase == "turn":
                r = records(game)
                found.append(float(run.turns_left(r.spec, r.s, 0)))
        for n, left in enumerate(found[:-15]):
            assert 0.5 < left / (len(found) - n) < 1.5


def chain_of_five(**knobs: Any) -> Edition:
    """Five cities in a row, and a ticket for every two of them."""
    names = "ABCDE"
    return make_edition(
        [(a, b, 2) for a, b in itertools.pairwise(names)],
        [(a, b, 2 * (ord(b) - ord(a)) + 1) for a, b in itertools.combinations(names, 2)],
        **knobs,
    )


@pytest.mark.parametrize("draw", [1, 2, 3, 4])
def test_what_a_draw_promises_is_the_mean_over_all_draws(draw: int) -> None:
    game = arrange(
        chain_of_five(draw_tickets=draw),
        2,
        tickets={0: ["A–C 5"], 1: ["B–C 3"]},
        routes={0: ["A–B", "B–C"], 1: ["D–E"]},
        hands=[{"red": 2}],
    )
    run, r = plain_players(), records(game)
    run.no_plan(r.m)
    run.refresh_plan(r.spec, r.g, r.y, r.s, 0, r.m)
    turns = 20.0
    mine = game.notation.ticket_named("A–C 5")
    others = [t for t in range(len(game.edition.board.tickets)) if t != mine]
    each = {t: float(run.ticket_promise(r.spec, r.g, r.y, r.s, 0, r.m, t, turns)) for t in others}
    assert len(set(each.values())) > 3
    assert each[game.notation.ticket_named("A–B 3")] > 0 > each[game.notation.ticket_named("C–E 5")]
    best = [max(each[t] for t in some) for some in itertools.combinations(others, draw)]
    promise = run.draw_promise(r.spec, r.g, r.y, r.s, 0, r.m, turns)
    assert promise == pytest.approx(sum(best) / len(best), rel=1e-4)


def test_no_promise_without_tickets() -> None:
    game = arrange(chain_of_five(), 2, ticket_deck=[], tickets={0: ["A–C 5"]})
    run, r = plain_players(), records(game)
    run.no_plan(r.m)
    run.refresh_plan(r.spec, r.g, r.y, r.s, 0, r.m)
    assert run.draw_promise(r.spec, r.g, r.y, r.s, 0, r.m, 20.0) < -100


def test_a_ticket_that_others_are_known_to_hold_is_not_drawn() -> None:
    """The ticket was returned and drawn by a seat that kept all: both know where it is."""
    game = arrange(chain_of_five(draw_tickets=1), 2, tickets={1: ["A–E 9"]})
    run, r = plain_players(), records(game)
    found = []
    for known in (2, 3):
        game.state["known"][0, game.notation.ticket_named("A–E 9")] = known
        run.no_plan(r.m)
        run.refresh_plan(r.spec, r.g, r.y, r.s, 0, r.m)
        found.append(run.draw_promise(r.spec, r.g, r.y, r.s, 0, r.m, 20.0))
    each = [
        run.ticket_promise(r.spec, r.g, r.y, r.s, 0, r.m, t, 20.0)
        for t in range(len(game.edition.board.tickets))
    ]
    last = each[game.notation.ticket_named("A–E 9")]
    assert found[0] == pytest.approx(sum(each) / len(each), rel=1e-4)
    assert found[1] == pytest.approx((sum(each) - last) / (len(each) - 1), rel=1e-4)


# -- tickets kept where networks grow from a starting city ----------------------------------------


def test_tickets_are_kept_for_what_they_promise_before_there_is_a_starting_city() -> None:
    """In Old West, tickets are chosen before the city: a long ticket is not counted as a loss."""
    more = 0
    for seed in range(12):
        game = Game("old-west", 2, seed=seed)
        action = decided("planner", game.spec, known_state(game.view(0)), 0, fresh_mind())
        points = sorted(game.edition.board.tickets[t].points for t in game.view(0).offer)
        kept = game.move(action, 0).tickets  # type: ignore[union-attr]
        won = sum(game.edition.board.tickets[t].points for t in kept)
        more += won > sum(points[: game.edition.rules.setup_keep])
    assert more > 0


def test_stations_are_hardly_ever_built_at_both_ends_of_a_route() -> None:
    """One station borrows the route; the other would be wasted."""
    built = twice = 0
    for seed in range(10):
        *_, (game, _) = decisions("europe", ["planner"] * 3, seed)
        joined = {frozenset((r.a, r.b)) for r in game.edition.board.routes}
        for marks in game.state[0]["marks"].tolist():
            cities = [city for city in marks if city >= 0]
            built += len(cities)
            twice += sum(frozenset(two) in joined for two in itertools.combinations(cities, 2))
    assert built > 3
    assert twice <= built // 8


# -- the source -----------------------------------------------------------------------------------


def test_every_constant_that_a_compiled_function_uses_is_there() -> None:
    """Otherwise a missing name is found only by compiling, which takes a minute."""
    space = compiled(PLAYERS, "plain")
    for name, function in vars(space).items():
        for used in function.__code__.co_names:
            if used.isupper():
                assert used in function.__globals__, f"{used} in {name}"


def test_styles_are_told_in_numbers_that_players_read() -> None:
    fields = {field.name for field in of.STYLE}
    kinds = {f"{game}-{n}" for game in ("plain", "stations", "start") for n in ("2", "more")}
    for style in STYLES:
        for kind in kinds:
            numbers = numbers_of(style, kind)
            assert set(numbers) <= fields
            assert {"rate", "card", "draw", "least", "more"} <= set(numbers), f"{style} {kind}"
    with pytest.raises(ValueError, match="no field"):
        style_record({"courage": 1})


def test_a_view_of_a_whole_state_is_known_and_no_more() -> None:
    for game, seat in itertools.islice(decisions("europe", ["racer", "planner"], 2), 60):
        state = known_state(game.view(seat))[0]
        assert (state["hand"][seat] == game.state[0]["hand"][seat]).all()
        assert (state["hand"].sum(axis=1) == game.state[0]["hand"].sum(axis=1)).all()
        other = View.of(game.spec, game.state, 1 - seat)
        assert not state["deck"].any()
        assert not any(state["ticket"][t] == at.HELD + 1 - seat for t in other.tickets)
