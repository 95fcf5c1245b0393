"""The learned bot: the move that its network prefers, and the search on boards without one."""

from __future__ import annotations

from pathlib import Path

import numpy as np
import pytest
from tests.bots.test_network import some_network
from tests.bots.test_players import TABLES, decisions, lineup_of
from tests.kernel.test_variants import variant
from tests.networks import untrained

from macaz.bots import UnknownBot, bot_problem, learned, make_bot, make_ready
from macaz.bots.compiled import layout as of
from macaz.bots.compiled.program import working_memory
from macaz.bots.learned import LearnedBot, evaluate, sense
from macaz.bots.network import BadNetwork, network_at, write_network
from macaz.bots.search import SearchBot
from macaz.edition import load_edition
from macaz.game import Game
from macaz.kernel.layout import PHASE_NAMES

pytestmark = pytest.mark.portable


def networks(folder: Path) -> Path:
    """Untrained networks: `plain` ones follow the hints, `odd` ones have random weights."""
    for name in {edition.partition("+")[0] for edition, _ in TABLES}:
        write_network(folder / f"plain-{name}.npz", untrained(load_edition(name)))
        write_network(folder / f"odd-{name}.npz", some_network(name))
    return folder


@pytest.fixture(scope="module")
def folder(tmp_path_factory: pytest.TempPathFactory) -> Path:
    return networks(tmp_path_factory.mktemp("networks"))


@pytest.mark.parametrize(("edition", "seats"), TABLES)
def test_it_plays_whole_games_whatever_its_network_wishes(
    edition: str, seats: int, folder: Path
) -> None:
    text = f"learned:{folder}/odd-{edition.partition('+')[0]}.npz"
    bots = [make_bot(text, seed=seat) for seat in range(seats)]
    game = Game(edition, seats, seed=seats)
    while not game.over:
        seat = game.deciding[0]
        legal = list(game.legal_moves_of(seat))
        move = bots[seat].choose(game.view(seat), legal)
        assert move in legal
        game.push(move, seat)
        assert len(game.history) < 4000


def test_an_untrained_network_does_what_is_suggested(folder: Path) -> None:
    """In every phase."""
    met = set()
    for edition in ("usa", "europe", "old-west+alvin"):
        bot = LearnedBot(0, f"{folder}/plain-{edition.partition('+')[0]}.npz")
        lineup = ["random", *lineup_of(3, 1)[1:]]
        for game, seat in decisions(edition, lineup, seed=2):
            view = game.view(seat)
            legal = list(game.legal_moves_of(seat))
            if len(legal) > 1:
                move = bot.choose(view, legal)
                sense(view, game.state.copy())
                assert move == game.move(int(working_memory().scripts[0]), seat), view.phase
                met.add(view.phase)
    assert met >= {"choose", "start", "turn", "second", "keep", "tunnel", "mark"} & set(PHASE_NAMES)


def test_what_is_wished_for_most_is_done(folder: Path) -> None:
    """Of the legal moves, the one whose intent has the highest score of the network."""
    path = f"{folder}/odd-usa.npz"
    bot = LearnedBot(0, path)
    network = network_at(path)
    for game, seat in decisions("usa", ["planner", "racer"], seed=3):
        view = game.view(seat)
        legal = list(game.legal_moves_of(seat))
        if view.phase != "second" or len(legal) == 1:
            continue
        seen = evaluate(view, network)
        moves = [game.notation.action(move, view.offer) for move in legal]
        assert max(moves) <= of.I_BLIND, "cards, face up by colour, and the deck"
        best = moves[int(np.argmax(seen.wishes[0, moves]))]
        assert bot.choose(view, legal) == game.move(best, seat)


def test_on_a_board_without_a_network_it_searches(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(learned, "network_for", lambda edition: None)
    for seed in range(3):
        edition, seats = variant(seed)
        game = Game(edition, seats, seed=seed)
        seat = game.deciding[0]
        view, legal = game.view(seat), list(game.legal_moves_of(seat))
        expected = SearchBot(5, learned.WITHOUT_NETWORK).choose(view, legal)
        assert LearnedBot(5).choose(view, legal) == expected


def test_a_network_for_another_board_is_refused(folder: Path) -> None:
    game = Game("europe", 2, seed=1)
    bot = make_bot(f"learned:{folder}/plain-usa.npz")
    with pytest.raises(BadNetwork, match="another board"):
        bot.choose(game.view(0), list(game.legal_moves_of(0)))


def test_texts(folder: Path) -> None:
    make_ready(f"learned:{folder}/plain-usa.npz")
    assert bot_problem(f"learned:{folder}/plain-usa.npz") is None
    assert bot_problem("learned:nowhere.npz") == (
        "there is no network 'nowhere.npz'. Check the path."
    )
    with pytest.raises(UnknownBot, match=r"names no file: write learned, or learned:network\.npz"):
        make_bot("learned:")
