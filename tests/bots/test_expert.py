"""The expert: equal conditions for every move, sequential halving, and its choice."""

from __future__ import annotations

from dataclasses import replace
from math import sqrt
from pathlib import Path

import numpy as np
import pytest
from tests.arrange import arrange
from tests.bots.test_learned import networks
from tests.bots.test_network import some_network
from tests.bots.test_players import TABLES, decisions, lineup_of
from tests.networks import untrained

from macaz.bots import Limit, UnknownBot, bot_problem, expert, learned, make_bot, with_limit
from macaz.bots.analysis import Analysis
from macaz.bots.compiled.endings import MARGIN_SCALE, ending_worth
from macaz.bots.expert import Comparison, ExpertBot, think
from macaz.bots.learned import evaluate
from macaz.bots.network import Network
from macaz.bots.rollouts import RolloutRunner, Weights
from macaz.bots.search import SearchBot
from macaz.edition import load_edition
from macaz.game import Game
from macaz.game.moves import Claim, Pass
from macaz.game.view import View
from macaz.kernel import layout as at
from macaz.workers import core_count

pytestmark = pytest.mark.portable

BROAD = Weights(least=0.0)  # tries every legal move, the one with the best score first


@pytest.fixture(scope="module")
def folder(tmp_path_factory: pytest.TempPathFactory) -> Path:
    return networks(tmp_path_factory.mktemp("networks"))


def position(edition: str, seats: int, number: int, seed: int = 1) -> tuple[Game, int]:
    """The first turn with a choice, from this decision of a game on."""
    for n, (game, seat) in enumerate(decisions(edition, lineup_of(seats, 1), seed)):
        if n >= number and game.view(seat).phase == "turn":
            return game, seat
    raise AssertionError("the game is over sooner")


def look(
    game: Game, seat: int, network: Network, effort: int = 64, weights: Weights = BROAD
) -> Comparison:
    limit = Limit(effort=effort)
    return expert._rank(game.view(seat), network, limit, 1, weights, always=True)


# -- the value of a final position ----------------------------------------------------------------


def test_an_ending_is_worth_its_share_of_the_win_and_its_margin() -> None:
    assert ending_worth(2, 0.5, 0) == 0
    assert ending_worth(2, 1.0, 40) == pytest.approx(0.5 + 0.5 / sqrt(2))
    assert ending_worth(2, 0.0, -40) == pytest.approx(-0.5 - 0.5 / sqrt(2))
    assert ending_worth(4, 1.0, 0) == 0.75
    assert ending_worth(5, 0.2, 0) == pytest.approx(0)
    assert -1 < ending_worth(2, 0, -10000) < -0.99
    for margin in (-30.0, -3.0, 0.0, 12.0, 60.0):
        worth = ending_worth(3, 0.4, margin)
        assert expert.margin_for(worth, 0.4, 3) == pytest.approx(margin, abs=1e-6)
    assert MARGIN_SCALE == 40


# -- tries ----------------------------------------------------------------------------------------


def runner_of(
    game: Game, seat: int, network: Network, weights: Weights
) -> tuple[RolloutRunner, Comparison]:
    view = game.view(seat)
    candidates = expert.comparison(expert._candidates(view, evaluate(view, network), weights))
    return RolloutRunner(view, network, candidates.actions, weights, 3), candidates


@pytest.mark.parametrize(
    "weights",
    [
        BROAD,
        replace(BROAD, own=0),
        replace(BROAD, others=1),
        replace(BROAD, turns=2, others=1),
        replace(BROAD, patient=0),
        replace(BROAD, mix=0.0),
        replace(BROAD, mix=0.5, turns=1),
    ],
    ids=range(7),
)
@pytest.mark.parametrize(("edition", "seats"), [("usa", 2), ("europe", 3), ("old-west+alvin", 4)])
def test_a_try_is_the_same_whatever_is_tried_beside_it(
    edition: str, seats: int, weights: Weights
) -> None:
    """The n-th try of every move uses one world and one random seed; no try affects another."""
    game, seat = position(edition, seats, 40)
    state = game.state.copy()
    runner, candidates = runner_of(game, seat, some_network(edition.partition("+")[0]), weights)
    some = np.arange(min(4, len(candidates.actions)))
    which, numbers = np.tile(some, 3), np.repeat([0, 1, 2], len(some))
    worth, wins = runner.run(which, numbers)
    assert np.isfinite(worth).all()
    assert ((wins >= 0) & (wins <= 1)).all()
    assert len(set(np.round(worth, 5))) > 1
    for i in range(len(which)):
        alone = runner.run(which[i : i + 1], numbers[i : i + 1])
        assert alone[0][0] == pytest.approx(worth[i], abs=1e-4)
        assert alone[1][0] == pytest.approx(wins[i], abs=1e-4)
    assert state.tobytes() == game.state.tobytes()


def test_the_same_try_of_two_moves_meets_the_same_world() -> None:
    """Claims of equal worth that end the game at once: the opponents' hands count the same."""
    game = arrange(
        "usa-classic",
        2,
        hands=[{"red": 6, "blue": 6}, {}],
        tickets={1: ["Denver–El Paso 4"]},
        trains={0: 20, 1: 2},
        score=[0, 30],
        last=1,
    )
    network = untrained(load_edition("usa-classic"), trust=(0.0, 0.0))
    runner, candidates = runner_of(game, 0, network, replace(BROAD, candidates=64))
    claims = {}
    for i, action in enumerate(candidates.actions):
        move = game.move(int(action), 0)
        if isinstance(move, Claim) and game.edition.board.routes[move.route].length == 6:
            claims[i] = move
    assert len(claims) > 1
    found = [runner.run(np.full(8, i), np.arange(8))[0].round(6).tolist() for i in claims]
    assert all(one == found[0] for one in found)
    assert len(set(found[0])) > 1


def test_endings_are_the_rules_own() -> None:
    """The value of a move that ends the game is the score of its world by the rules."""
    seen = 0
    for edition in ("usa", "europe", "old-west+alvin"):
        network = untrained(load_edition(edition), trust=(0.0, 0.0))
        for game, seat in decisions(edition, lineup_of(2, 2), seed=4):
            if game.state["last"][0] != 1:
                continue
            runner, candidates = runner_of(game, seat, network, BROAD)
            for i, action in enumerate(candidates.actions):
                world = runner.worlds[:1].copy()
                game.engine.act(world, int(action))
                if world["phase"][0] != at.OVER:
                    continue
                tally = game.engine.tally(world)
                share = (int(tally["winners"]) >> seat & 1) / int(tally["winners"]).bit_count()
                margin = int(tally["total"][seat]) - int(tally["total"][1 - seat])
                worth, wins = runner.run(np.array([i]), np.array([0]))
                assert wins[0] == share
                assert worth[0] == pytest.approx(ending_worth(2, share, margin), abs=1e-6)
                seen += 1
    assert seen > 3


# -- how tries are distributed --------------------------------------------------------------------


def test_tries_are_spent_by_halves() -> None:
    game = arrange("usa", 2, hands=[{"red": 6, "blue": 6, "loco": 3}])
    network = untrained(load_edition("usa"), trust=(1.0, 1.0))
    found = look(game, 0, network, effort=512)
    assert len(found.actions) == 16
    assert found.tries.sum() == pytest.approx(512, abs=16)
    assert found.rounds.tolist() == [4] * 2 + [3] * 2 + [2] * 4 + [1] * 8
    for rounds in range(1, 5):
        assert len(set(found.tries[found.rounds == rounds])) == 1, "the same number for each"
    assert sorted(found.tries.tolist(), reverse=True) == found.tries.tolist()


@pytest.mark.parametrize("effort", [1, 2, 3, 8, 33, 100])
def test_an_effort_is_kept(effort: int) -> None:
    game, seat = position("usa", 2, 40)
    network = untrained(load_edition("usa"), trust=(1.0, 1.0))
    found = look(game, seat, network, effort=effort)
    assert len(found.actions) <= max(2, effort // 2)
    assert found.tries.sum() <= max(effort, 2) + len(found.actions)
    assert found.tries.min() >= 1


def test_by_the_clock_all_cores_try() -> None:
    game, seat = position("usa", 2, 40)
    network = untrained(load_edition("usa"), trust=(1.0, 1.0))
    found = expert._rank(game.view(seat), network, Limit(seconds=0.05), 1, BROAD, always=True)
    assert (found.tries % core_count() == 0).all()
    assert found.tries.min() >= core_count()


@pytest.mark.parametrize("cores", [1, 4, 16])
def test_what_is_left_is_shared_by_all_cores(cores: int) -> None:
    made = []

    class Runner:
        def run(self, which: np.ndarray, numbers: np.ndarray) -> tuple[np.ndarray, np.ndarray]:
            made.append(len(which))
            return np.zeros(len(which)), np.zeros(len(which))

    class Budget:
        def tries_left(self, tried: int, share: float) -> int:
            return 200 - tried

    contest = expert.contest_record(Weights())
    contest["candidates"] = contest["left"] = 2
    contest["rounds"] = 1
    contest["order"][0, :2] = 0, 1
    runners = [Runner() for _ in range(cores)]
    expert._sequential_halving(contest, runners, Budget())  # type: ignore[arg-type]
    assert 200 - 2 * cores < sum(made) <= 200 + cores


def test_what_is_hardly_wished_for_is_not_tried() -> None:
    game, seat = position("usa", 2, 40)
    network = untrained(load_edition("usa"), trust=(12.0, 1.0))
    found = expert._rank(game.view(seat), network, Limit(effort=64), 1, Weights(), always=False)
    assert len(found.actions) == 1
    assert found.tries.sum() == 0
    assert game.move(int(found.actions[0]), seat) in list(game.legal_moves_of(seat))


# -- the choice -----------------------------------------------------------------------------------


def winning_claim() -> Game:
    """The last turn of a game: a long claim wins it, and nothing else does."""
    return arrange(
        "usa-classic",
        2,
        hands=[{"red": 6}, {}],
        trains={0: 20, 1: 2},
        score=[0, 12],
        last=1,
    )


def test_it_finds_what_wins_though_its_network_knows_nothing() -> None:
    game = winning_claim()
    network = untrained(load_edition("usa-classic"), trust=(0.0, 0.0))
    found = look(game, 0, network, 128, replace(BROAD, candidates=64))
    best = game.move(int(found.actions[0]), 0)
    assert isinstance(best, Claim)
    assert game.edition.board.routes[best.route].length == 6
    assert found.wins[0] == found.tries[0]
    lost = [i for i, a in enumerate(found.actions) if not isinstance(game.move(int(a)), Claim)]
    assert found.wins[lost].sum() == 0


def test_a_strong_wish_is_done_though_little_speaks_for_it() -> None:
    game = winning_claim()
    network = untrained(load_edition("usa-classic"), trust=(4.0, 3.0))
    view = game.view(0)
    wished = expert.comparison(expert._candidates(view, evaluate(view, network), BROAD))
    stubborn = look(game, 0, network, 64, replace(BROAD, worth=0.0))
    assert stubborn.actions[0] == wished.actions[0]


@pytest.mark.parametrize(("edition", "seats"), TABLES)
def test_it_decides_in_every_phase(edition: str, seats: int, folder: Path) -> None:
    path = f"{folder}/odd-{edition.partition('+')[0]}.npz"
    bot = ExpertBot(1, Limit(effort=4), path)
    bot.weights = BROAD
    done: dict[str, int] = {}
    lineup = ["random", *lineup_of(seats, 1)[1:]]
    for game, seat in decisions(edition, lineup, seed=3):
        view = game.view(seat)
        legal = list(game.legal_moves_of(seat))
        if done.get(view.phase, 0) < 6:
            done[view.phase] = done.get(view.phase, 0) + 1
            assert bot.choose(view, legal) in legal, view.phase
    assert done.keys() >= {"choose", "turn", "second"}


def test_the_same_seed_thinks_the_same(folder: Path) -> None:
    def choices(seed: int) -> list[str]:
        bot = ExpertBot(seed, Limit(effort=16), f"{folder}/odd-europe.npz")
        bot.weights = replace(BROAD, worth=40.0)
        found = []
        for n, (game, seat) in enumerate(decisions("europe", ["planner"] * 3, seed=3)):
            found.append(str(bot.choose(game.view(seat), list(game.legal_moves_of(seat)))))
            if n == 40:
                break
        return found

    assert choices(1) == choices(1)
    assert choices(1) != choices(2)


def test_on_a_board_without_a_network_it_searches(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(learned, "network_for", lambda edition: None)
    game, seat = position("europe", 2, 30)
    view, legal = game.view(seat), list(game.legal_moves_of(seat))
    expected = SearchBot(5, Limit(effort=30)).choose(view, legal)
    assert make_bot("expert:30", seed=5).choose(view, legal) == expected
    assert think(view, legal, limit=Limit(effort=30)).playouts == 30


# -- the reported analysis ------------------------------------------------------------------------


def analysis_of(view: View, game: Game, seat: int, path: str) -> Analysis:
    legal = list(game.legal_moves_of(seat))
    return think(view, legal, limit=Limit(effort=32), seed=2, path=path)


def test_an_analysis_tells_chances_for_every_seat(folder: Path) -> None:
    game, seat = position("europe", 3, 60)
    analysis = analysis_of(game.view(seat), game, seat, f"{folder}/odd-europe.npz")
    moves = [line.move for line in analysis.moves]
    assert analysis.best == moves[0]
    assert len(set(moves)) == len(moves)
    assert set(moves) <= set(game.legal_moves_of(seat))
    assert analysis.playouts == sum(line.playouts for line in analysis.moves)
    assert sum(analysis.chances) == pytest.approx(1)
    assert analysis.chances[seat] == analysis.moves[0].chance
    assert len(analysis.scores) == 3
    assert 0 < sum(line.prior for line in analysis.moves) <= 1 + 1e-9


def test_an_analysis_about_the_only_move(folder: Path) -> None:
    game = arrange("usa-classic", 2, hands=[{}, {}], deck={}, row={}, ticket_deck=[])
    legal = list(game.legal_moves_of(0))
    assert legal == [Pass()]
    analysis = analysis_of(game.view(0), game, 0, f"{folder}/plain-usa-classic.npz")
    assert analysis.best == Pass()
    assert analysis.playouts > 0


def test_a_seat_that_does_not_decide_has_chances(folder: Path) -> None:
    game, seat = position("usa", 2, 30)
    path = f"{folder}/plain-usa.npz"
    found = think(game.view(1 - seat), [], limit=Limit(effort=8), path=path)
    assert found.moves == ()
    assert sum(found.chances) == pytest.approx(1)


# -- texts ----------------------------------------------------------------------------------------


def test_texts(folder: Path) -> None:
    path = f"{folder}/plain-usa.npz"
    assert bot_problem("expert") is None
    assert bot_problem("expert:0.1s") is None
    assert bot_problem(f"expert:8:{path}") is None
    for text, said in (
        ("expert:", "'' is not a limit"),
        (f"expert:{path}", "is not a limit: write seconds"),
        ("expert:8:", "names no file: write expert:8, or expert:8:network.npz"),
        ("expert:8:nowhere.npz", "there is no network 'nowhere.npz'"),
        ("search:8:nowhere.npz", "'8:nowhere.npz' is not a limit"),
    ):
        assert said in str(bot_problem(text)), text
    with pytest.raises(UnknownBot):
        make_bot("expert:")


def test_another_limit_for_the_same_bot() -> None:
    limit = Limit(effort=5)
    assert with_limit("expert", limit) == "expert:5"
    assert with_limit("expert:1s:a:b.npz", limit) == "expert:5:a:b.npz"
    assert with_limit("search:1s", limit) == "search:5"
    assert with_limit("learned:a.npz", limit) == "learned:a.npz"
    assert with_limit("planner", limit) == "planner"
    assert with_limit("cmd:x:y", limit) == "cmd:x:y"
