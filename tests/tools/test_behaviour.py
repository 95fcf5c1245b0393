"""Statistics of how bots play: from arranged positions, whole games and tournaments."""

from __future__ import annotations

import json
import math
import subprocess
import sys
from pathlib import Path

import msgspec
import pytest
from click.testing import CliRunner
from tests.arrange import arrange, make_edition
from tests.lab.arena.synthetic import result as synthetic_result
from tests.tools.towns import finished, job, position

from facts import Chance, Claimed, SeatFacts, facts_of
from figures import MEASURES, Seated, behaviour
from folder import AT_ONCE, FEW, facts_of_folder
from macaz.cli import main
from macaz.edition import load_edition
from macaz.game import Game
from macaz.game.events import LastRoundBegan, TicketsDrawn, game_events
from macaz.game.record import load_record
from macaz.kernel import layout as at
from macaz.lab.arena.settings import ArenaError, Settings
from macaz.lab.arena.store import Store
from macaz.lab.arena.work import play
from needs import needs_of
from show import print_behaviour

TOOL = Path(__file__).parents[2] / "tools" / "behaviour"


def first_claim(game: Game, move: str) -> Claimed:
    """The facts of a claim that is made now."""
    game.push(move)
    return facts_of(finished(game)).claims[0]


def lane(game: Game, route: str) -> int:
    return game.spec.lane_of_route[game.notation.route_named(route)]


def routes(game: Game, lanes: frozenset[int]) -> set[str]:
    return {game.notation.route_name(game.spec.route_of_lane[one]) for one in lanes}


# -- what is needed --------------------------------------------------------------------------------


def test_a_seat_needs_the_only_path_for_its_ticket():
    game = position()
    needs = needs_of(game.spec)
    assert routes(game, needs.plan(game.state, 1)) == {"A–B", "B–C"}
    assert routes(game, needs.plan(game.state, 0)) == {"X–Y"}
    assert routes(game, needs.useful(game.state, 1)) == {"A–B", "B–C"}


def test_a_claimed_route_is_not_needed_any_more():
    game = position(routes={1: ["A–B"]})
    needs = needs_of(game.spec)
    assert routes(game, needs.plan(game.state, 1)) == {"B–C"}
    assert routes(game, needs.useful(game.state, 1)) == {"B–C"}


def test_nothing_is_needed_for_an_impossible_ticket():
    game = position(routes={0: ["B–C"]})
    needs = needs_of(game.spec)
    assert needs.plan(game.state, 1) == needs.useful(game.state, 1) == frozenset()


def test_a_slightly_longer_path_is_useful_too():
    ring = make_edition(
        [("A", "B", 2), ("B", "C", 2), ("A", "E", 3), ("E", "C", 3), ("A", "F", 4), ("F", "C", 3)],
        [("A", "C", 20)],
    )
    game = arrange(ring, 2, hands=[{"red": 9}], tickets={0: ["A–C 20"]}, target="cpu")
    useful = routes(game, needs_of(game.spec).useful(game.state, 0))
    assert useful == {"A–B", "B–C", "A–E", "C–E"}, "4 trains and 6, but not 7"


@pytest.mark.parametrize(("seats", "shut"), [(2, True), (3, True), (4, False), (5, False)])
def test_a_parallel_lane_stays_open_at_large_tables(seats, shut):
    game = arrange("usa-classic", seats, target="cpu")
    needs = needs_of(game.spec)
    assert needs.shut(game.state, 0, lane(game, "Denver–Kansas City")) is shut
    assert needs.shut(game.state, 0, lane(game, "Denver–Omaha"))
    taken = arrange("usa-classic", seats, routes={1: ["Denver–Kansas City"]}, target="cpu")
    assert needs_of(taken.spec).shut(taken.state, 0, lane(taken, "Denver–Kansas City#2"))


def test_a_lane_is_needed_for_the_tickets_that_fail_without_it():
    game = position(
        tickets={0: ["X–Y 5"], 1: ["A–C 8", "B–D 12", "A–B 3"]}, hands=[{}, {"blue": 6}]
    )
    found = {
        route: {
            game.notation.ticket_name(t)
            for t in needs_of(game.spec).tickets_for(game.state, 1, lane(game, route))
        }
        for route in ("A–B", "B–C", "C–D", "X–Y")
    }
    assert found == {
        "A–B": {"A–C 8", "A–B 3"},
        "B–C": {"A–C 8", "B–D 12"},
        "C–D": {"B–D 12"},
        "X–Y": set(),
    }


# -- claims ----------------------------------------------------------------------------------------


def test_a_block_takes_what_another_seat_needs_and_the_seat_itself_does_not():
    game = position()
    ticket = game.notation.ticket_named("A–C 8")
    claim = first_claim(game, "claim B–C red 2")
    assert (claim.seat, claim.length, claim.needed, claim.useful) == (0, 2, False, False)
    assert claim.blocked
    [loss] = claim.losses
    assert loss.seat == 1
    assert loss.tickets == loss.failed == (ticket,)
    # Five lanes can be paid, four of this length. Seat 1 needs two, seat 0 one of the others.
    assert claim.chance == Chance(took=2 / 5, blocked=2 / 5, spoiled=2 / 5, spare=2 / 4)
    assert claim.alike == Chance(took=2 / 4, blocked=2 / 4, spoiled=2 / 4, spare=2 / 3)


@pytest.mark.parametrize(
    ("move", "needed"), [("claim X–Y red 2", True), ("claim C–D red 2", False)]
)
def test_a_claim_that_takes_nothing_from_another_seat(move, needed):
    claim = first_claim(position(), move)
    assert claim.needed is needed
    assert claim.losses == ()
    assert not claim.blocked


def test_a_lane_that_both_need_is_taken_but_not_blocked():
    game = position(tickets={0: ["B–D 12"], 1: ["A–C 8"]})
    claim = first_claim(game, "claim B–C red 2")
    assert claim.needed
    assert [loss.seat for loss in claim.losses] == [1]
    assert not claim.blocked
    # Seat 0 does not need A–B, X–Y and Y–Z; of these, seat 1 needs A–B.
    assert claim.chance == Chance(took=2 / 5, blocked=1 / 5, spoiled=1 / 5, spare=1 / 3)


def test_a_random_claim_is_one_that_can_be_paid():
    game = position(hands=[{"red": 2}, {"blue": 4}], routes={0: ["C–D"]})
    claim = first_claim(game, "claim A–B red 2")
    assert claim.chance.took == 2 / 3, "A–B and B–C of these and X–Y; Y–Z takes 3 cards"


def test_a_declined_tunnel_is_not_a_claim():
    game = arrange("europe", 2, hands=[{"purple": 3}], target="cpu")
    tunnel = next(
        game.text(move) for move in game.legal_moves if "claim" in game.text(move)
        and game.edition.board.routes[getattr(move, "route", 0)].kind == "tunnel"
    )  # fmt: skip
    game.push(tunnel)
    for color in range(3):
        game.push_chance(at.LOCO if color == 0 else 0)
    game.push("decline")
    claims = facts_of(finished(game)).claims
    assert all(claim.step > 0 for claim in claims)


# -- whole games -----------------------------------------------------------------------------------


@pytest.mark.parametrize(
    ("edition", "lineup"),
    [
        ("tiny", ("planner", "random")),
        ("tiny", ("racer", "greedy", "random")),
        ("usa-classic", ("planner", "racer")),
        ("usa-classic", ("greedy", "racer", "planner", "conductor")),
        ("europe", ("planner", "greedy", "conductor")),
        ("old-west+alvin", ("planner", "greedy", "racer")),
    ],
)
def test_facts_agree_with_the_game(edition, lineup):
    game = load_record(play(job(edition, lineup, deal=2)).record)
    outcome, facts = game.outcome, facts_of(game)
    assert outcome is not None
    all_events = [event for _, events in game_events(game) for event in events]
    for seat, (score, its) in enumerate(zip(outcome.seats, facts.seats, strict=True)):
        parts = (its.route_points, its.ticket_points, its.longest, its.station_points)
        assert sum(parts) + its.globetrotter + its.alvin == its.score == score.total
        assert its.points_done - its.points_lost == its.ticket_points
        assert (its.kept, its.done) == (len(score.tickets), score.completed)
        assert its.clean == all(ticket.completed for ticket in score.tickets)
        assert its.done_later <= min(its.kept_later, its.done)
        own = sum(claim.points[seat] for claim in facts.claims if claim.seat == seat)
        assert own + its.toll == its.route_points
        built = game.view(None).routes_of(seat)
        assert its.claims == len(built)
        assert its.trains_laid == sum(game.edition.board.routes[r].length for r in built)
        assert its.trains_laid + its.trains_left == game.edition.rules.trains
        drawn = [e for e in all_events if isinstance(e, TicketsDrawn) and e.seat == seat]
        assert its.draws == len(drawn)
        assert its.spoiled <= its.blocked <= its.took <= its.claims
        assert its.spoiled_chance <= its.blocked_chance <= its.took_chance <= its.claims
        assert its.blocked <= its.spare
        assert its.victims_failed <= its.victims_incomplete <= its.victims
    assert sum(its.took for its in facts.seats) <= sum(its.robbed for its in facts.seats)
    tolls = sum(its.toll for its in facts.seats)
    assert tolls == sum(its.toll_paid for its in facts.seats)
    assert (tolls > 0) == edition.startswith("old-west"), (
        "only markers give points for claims of others"
    )
    last = [event.seat for event in all_events if isinstance(event, LastRoundBegan)]
    assert last == ([facts.ending.seat] if facts.ending else [])
    assert [its.ends for its in facts.seats] == [int(seat in last) for seat in range(game.seats)]


def test_the_last_round_begins_after_the_turn():
    game = position(routes={0: ["C–D", "X–Y"]}, trains={0: 5, 1: 9}, score=(4, 0))
    game.push("claim Y–Z red 3")
    ending = facts_of(finished(game)).ending
    assert ending is not None
    assert ending.seat == 0
    # Seat 0: 4 points before, 4 for the route, 5 for the ticket, 10 for the longest path. Seat 1
    # loses the points of its ticket.
    assert ending.totals == (23, -8)
    assert ending.leads(0)
    assert not ending.leads(1)


def test_a_ticket_draw_has_the_share_of_trains_laid_and_the_lead():
    game = position(routes={0: ["X–Y"], 1: ["A–B"]}, score=(2, 2))
    game.push("tickets")
    draw = facts_of(finished(game)).draws[0]
    assert (draw.seat, draw.ready) == (0, True)
    assert draw.laid == pytest.approx(2 / 9)
    assert draw.lead == 5, "both have laid a route, one has completed its ticket"


# -- many games ------------------------------------------------------------------------------------


def seat_facts(**some: float) -> SeatFacts:
    nothing = dict.fromkeys(SeatFacts.__struct_fields__, 0)
    return msgspec.convert({**nothing, "games": 1, **some}, SeatFacts)


def test_figures_are_ratios_of_sums():
    facts = [
        Seated("a", 0, seat_facts(claims=10, took=4, took_chance=1.0, wins=1)),
        Seated("b", 0, seat_facts(claims=8)),
        Seated("a", 1, seat_facts(claims=30, took=2, took_chance=1.0, wins=1)),
        Seated("b", 1, seat_facts(claims=8)),
    ]
    bots = behaviour(facts)
    assert [bot.name for bot in bots] == ["a", "b"], "the most successful first"
    figures = bots[0].figures
    assert figures["took_share"].value == 6 / 40
    assert figures["took_times"].value == 3.0
    assert (figures["took_times"].low, figures["took_times"].high) == (2.0, 4.0)
    assert math.isnan(bots[1].figures["took_times"].value), "the chance is 0"
    assert behaviour(reversed(facts)) == bots or str(behaviour(reversed(facts))) == str(bots)


def test_every_measure_uses_fields_of_facts():
    for measures in MEASURES.values():
        for measure in measures:
            assert {measure.top, measure.bottom} <= {*SeatFacts.__struct_fields__}
    names = [measure.name for measures in MEASURES.values() for measure in measures]
    assert len(names) == len({*names})


def test_one_deal_has_no_interval(capsys):
    [bot] = behaviour([Seated("[a]", 0, seat_facts(claims=10, wins=1, score=-3))])
    assert bot.figures["score"].value == -3
    assert math.isnan(bot.figures["score"].low)
    print_behaviour([bot])
    shown = capsys.readouterr().out
    assert "[a]" in shown
    assert "−3.00" in shown
    assert "stations" not in shown, "the edition has none"


# -- a tournament ----------------------------------------------------------------------------------


def figures(*args: object) -> subprocess.CompletedProcess[str]:
    command = [sys.executable, str(TOOL), "figures", *map(str, args)]
    return subprocess.run(command, capture_output=True, text=True, check=False)


@pytest.fixture(scope="module")
def folder(tmp_path_factory) -> Path:
    """A tournament with enough games for several processes."""
    place: Path = tmp_path_factory.mktemp("behaviour") / "cup"
    command = (
        *("arena", "--bots", "planner,random", "-e", "tiny", "-n", FEW + AT_ONCE, "--seed", 3),
        *("--workers", 1, "--out", place),
    )
    played = CliRunner().invoke(main, [*map(str, command)])
    assert played.exit_code == 0, played.output
    return place


def test_the_table_and_the_file_agree(folder, tmp_path):
    file = tmp_path / "found.json"
    done = figures(folder, "--json", file, "--workers", 2)
    assert done.returncode == 0, done.stderr
    assert done.stderr == f"Wrote {file}\n"
    written = json.loads(file.read_text())
    assert written["settings"]["edition"] == "tiny"
    assert [bot["games"] for bot in written["bots"]] == [FEW + AT_ONCE] * 2
    assert written["bots"][0]["name"] == "planner"
    wins = [bot["figures"]["wins"]["value"] for bot in written["bots"]]
    assert sum(wins) == pytest.approx(1.0)
    assert f"{100 * wins[0]:.1f} %" in done.stdout
    assert "Blocking" in done.stdout
    for bot in written["bots"]:
        assert bot["figures"].keys() == written["measures"].keys()


def test_several_processes_give_the_same_facts_as_one(folder):
    here = list(facts_of_folder(folder, workers=1))
    assert len(here) == FEW + AT_ONCE
    assert here == list(facts_of_folder(folder, workers=2))


def test_games_in_which_a_bot_failed_are_left_out(tmp_path):
    good = play(job("tiny", ("greedy", "random")))
    bad = msgspec.structs.replace(
        play(job("tiny", ("random", "greedy"))), failures=("late: no decision", "")
    )
    with Store(tmp_path, _settings()) as store:
        store.add(good)
        store.add(bad)
    done = figures(tmp_path)
    assert done.stderr == "Left out 1 game in which a bot failed\n"
    assert len([facts for facts in facts_of_folder(tmp_path) if facts]) == 1


def test_missing_games_and_records_are_reported(tmp_path):
    with Store(tmp_path, _settings()) as store:
        assert "no game in" in figures(tmp_path).stderr
        store.add(synthetic_result(0, ("greedy", "random"), (0,)))
    failed = figures(tmp_path)
    assert failed.returncode == 1
    assert "game 1 was played with --no-records" in failed.stderr
    with pytest.raises(ArenaError, match="no tournament"):
        list(facts_of_folder(tmp_path / "nowhere"))


def _settings() -> Settings:
    edition = load_edition("tiny")
    return Settings(
        edition="tiny",
        fingerprint=edition.fingerprint,
        players=2,
        bots=("greedy", "random"),
        games=2,
        seed=1,
    )
