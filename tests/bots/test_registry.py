"""Bots by their text: creating them, their limits, and their strength."""

from __future__ import annotations

import pytest
from tests.bots.test_bots import play

from macaz.bots import BOTS, Limit, UnknownBot, bot_problem, make_bot, read_limit
from macaz.edition import load_edition
from macaz.game import Game
from macaz.lab.arena.work import Job, Map
from macaz.lab.arena.work import play as play_job

THINKING = [name for name, kind in BOTS.items() if kind.limit]
QUICK = [f"{name}:8" if name in THINKING else name for name in BOTS]


@pytest.mark.parametrize("text", QUICK)
def test_every_bot_can_be_made_and_decides(text: str) -> None:
    game = Game("tiny", 2, seed=4)
    legal = list(game.legal_moves_of(0))
    assert make_bot(text, seed=1).choose(game.view(0), legal) in legal
    assert bot_problem(text) is None


def test_every_bot_has_a_character_in_a_line() -> None:
    lines = [kind.character for kind in BOTS.values()]
    assert all(line.endswith(".") and line[0].isupper() and "\n" not in line for line in lines)
    assert len(set(lines)) == len(lines)
    assert max(map(len, lines)) < 80


@pytest.mark.parametrize(
    ("text", "limit"),
    [
        ("400", Limit(effort=400)),
        ("0.1s", Limit(seconds=0.1)),
        (".5s", Limit(seconds=0.5)),
        ("2s", Limit(seconds=2.0)),
    ],
)
def test_a_limit_is_read_and_written(text: str, limit: Limit) -> None:
    assert read_limit(text) == limit
    assert read_limit(str(limit)) == limit


@pytest.mark.parametrize("text", ["", "0", "0s", "0.0s", "-1", "1.5", "abc", "s", "1e3", "4 s"])
def test_what_is_no_limit_is_refused(text: str) -> None:
    with pytest.raises(UnknownBot, match=r"write seconds, as 0\.1s, or an effort, as 400"):
        read_limit(text)


@pytest.mark.parametrize(
    ("text", "said"),
    [
        ("planner:0.1s", "planner takes no limit: write 'planner'"),
        ("random:", "random takes no limit"),
        ("search:abc", "'abc' is not a limit"),
        ("search:", "'' is not a limit"),
        ("serach", "Did you mean 'search'"),
        ("gredy", "Did you mean 'greedy'"),
        ("", "there is no bot ''"),
        ("xyzzy", "Known: random, "),
    ],
)
def test_what_is_no_bot_is_refused_with_a_hint(text: str, said: str) -> None:
    with pytest.raises(UnknownBot) as error:
        make_bot(text)
    assert said in str(error.value)
    assert bot_problem(text) == str(error.value)


@pytest.mark.parametrize("text", QUICK)
def test_the_same_seed_plays_the_same_game(text: str) -> None:
    edition = "tiny" if ":" in text else "europe"
    one, two = (play(edition, [text, text], seed=8) for _ in range(2))
    assert [s.number for s in one.history] == [s.number for s in two.history]


def test_another_seed_searches_otherwise() -> None:
    """With little effort, results depend on the seed: a few games are not all the same."""
    games = set()
    for seed in range(4):
        game = Game("usa", 2, seed=8)
        bots = [make_bot("search:8", seed=seed * 2 + seat) for seat in range(2)]
        while len(game.history) < 60:
            seat = game.deciding[0]
            game.push(bots[seat].choose(game.view(seat), list(game.legal_moves_of(seat))), seat)
        games.add(tuple(s.number for s in game.history))
    assert len(games) > 1


# -- strength, coarsely: seeds are fixed, so the same games every time ----------------------------


def wins(edition: str, one: str, other: str, deals: int, seed: int = 1) -> float:
    """The share of games that the first bot wins; each deal is played twice with seats swapped."""
    board = Map.of(load_edition(edition))
    won = 0.0
    for deal in range(deals):
        for lineup in ((one, other), (other, one)):
            result = play_job(Job(board, seed, deal, lineup, record=False, patience=60.0))
            winners = [lineup[seat] for seat in result.winners]
            won += winners.count(one) / len(winners)
    return won / (2 * deals)


@pytest.mark.parametrize(
    ("edition", "stronger", "weaker", "least", "deals"),
    [
        ("usa-classic", "planner", "greedy", 0.75, 8),
        ("usa-classic", "greedy", "random", 0.9, 8),
        ("usa-classic", "planner", "racer", 0.5, 40),
        ("usa-classic", "planner", "conductor", 0.5, 60),
        ("usa-classic", "planner", "apprentice", 0.5, 40),
        ("europe", "conductor", "apprentice", 0.5, 60),
        ("usa-classic", "apprentice", "random", 0.9, 10),
    ],
)
def test_the_ladder(edition: str, stronger: str, weaker: str, least: float, deals: int) -> None:
    assert wins(edition, stronger, weaker, deals) > least


def test_searching_beats_what_it_searches_with() -> None:
    assert wins("tiny", "search:50", "planner", 15) > 0.5
