"""The search: worlds consistent with the view, and deterministic results for a seed."""

from __future__ import annotations

import random
import threading
from collections.abc import Iterator
from dataclasses import replace
from math import sqrt

import numpy as np
import pytest
from tests.arrange import arrange

from macaz.bots import Limit, make_bot
from macaz.bots.analysis import Analysis
from macaz.bots.compiled import layout as of
from macaz.bots.compiled.program import players, working_memory
from macaz.bots.search import SearchBot, chances, think
from macaz.edition import Edition, load_edition
from macaz.game import Game
from macaz.game.moves import Claim, Pass, Take
from macaz.game.view import View
from macaz.game.worlds import sample_world
from macaz.kernel import layout as at
from macaz.workers import core_count


def positions(
    edition: str | Edition, lineup: list[str], seed: int = 1
) -> Iterator[tuple[Game, int]]:
    """Every decision of a whole game between bots, before it is made."""
    game = Game(edition, len(lineup), seed=seed)
    bots = [make_bot(text, seed=seed + seat) for seat, text in enumerate(lineup)]
    while not game.over:
        seat = game.deciding[0]
        yield game, seat
        game.push(bots[seat].choose(game.view(seat), list(game.legal_moves_of(seat))), seat)


def position(edition: str, lineup: list[str], number: int, seed: int = 1) -> tuple[Game, int]:
    for n, found in enumerate(positions(edition, lineup, seed)):
        if n == number:
            return found
    raise AssertionError("the game is over sooner")


def analysis_of(game: Game, seat: int, effort: int = 32, seed: int = 1, **more: bool) -> Analysis:
    legal = list(game.legal_moves_of(seat))
    return think(game.view(seat), legal, limit=Limit(effort=effort), seed=seed, **more)


# -- worlds ---------------------------------------------------------------------------------------


def redealt(game: Game, seat: int | None, count: int, seed: int = 7) -> np.ndarray:
    """A world sampled from a view, and `count` more derived from it."""
    rng = np.random.default_rng(seed)
    worlds = np.zeros(count + 1, at.dtype_of("state"))
    worlds[0] = sample_world(game.view(seat), rng)[0]
    dice = np.zeros(1, at.dtype_of("dice"))
    dice["word"] = rng.integers(1, 1 << 32, (1, 4))
    searches = np.zeros(1, of.dtypes["search"])
    table = game.spec.table
    players().fill_worlds(table, worlds, searches, dice, 1, -1 if seat is None else seat)
    return worlds


@pytest.mark.parametrize(
    ("edition", "lineup"),
    [
        ("europe", ["planner", "random", "greedy"]),
        ("old-west+alvin", ["random", "planner", "racer", "conductor"]),
        ("usa", ["random", "random"]),
        ("tiny", ["random", "planner"]),
    ],
)
def test_a_redealt_world_looks_the_same_and_nothing_is_lost(
    edition: str, lineup: list[str]
) -> None:
    short = 0
    for n, (game, seat) in enumerate(positions(edition, lineup)):
        if n % 7:
            continue
        for eyes in (seat, (seat + 1) % game.seats, None):
            view = game.view(eyes)
            worlds = redealt(game, eyes, 3, seed=n)
            cards = worlds["deck"] + worlds["hand"].sum(axis=1)
            assert (cards == cards[0]).all()
            assert (worlds["deck"] <= worlds["pool"]).all()
            assert (worlds["hand"] >= worlds["seen"]).all()
            assert (worlds["deck"].sum(axis=1) == worlds["deck_size"]).all()
            short += bool((cards[0] - worlds["seen"][0].sum(axis=0) > worlds["pool"][0]).any())
            for kind in (0, 1):
                mine = game.spec.table["ticket_long"][0] == kind
                places = np.sort(worlds["ticket"][:, mine])
                assert (places == places[0]).all()
            for i in range(len(worlds)):
                assert View.of(game.spec, worlds[i : i + 1], eyes) == view
                where, known = worlds["ticket"][i], worlds["known"][i]
                for other in range(game.seats):
                    before = (where == at.HELD + other) | (where == at.OFFERED + other)
                    assert (known[before] >> other & 1).all(), "holders know their tickets"
    assert short or edition != "usa", "some card is known to be in no deck"


def test_every_hidden_card_lies_everywhere_as_often_as_it_should() -> None:
    """Compared with the hypergeometric mean: no colour is off by five standard deviations."""
    count = 4000
    game, seat = position("europe", ["planner", "racer", "greedy"], 60)
    worlds = redealt(game, seat, count)[1:]
    others = [p for p in range(3) if p != seat]
    seen = worlds["seen"][0]
    hidden = worlds["deck"][0] + (worlds["hand"][0] - seen)[others].sum(axis=0)
    assert (hidden <= worlds["pool"][0]).all()  # each of them may be in the deck
    total = int(hidden.sum())
    for drawn in (worlds["deck"], *(worlds["hand"][:, p] - seen[p] for p in others)):
        size = int(drawn[0].sum())
        assert size > 0
        for color, there in enumerate(hidden.tolist()):
            share = there / total
            spread = sqrt(size * share * (1 - share) * (total - size) / (total - 1) / count)
            assert abs(drawn[:, color].mean() - size * share) <= 5 * spread
            assert drawn[:, color].std() > 0


def test_what_cannot_be_in_the_deck_is_never_dealt_there() -> None:
    """After a new shuffle: a colour that went into hands before it stays in them."""
    for game, seat in positions("tiny", ["planner", "greedy"], seed=2):
        world = redealt(game, seat, 0)[0]
        other = 1 - seat
        hidden = world["deck"] + world["hand"][other] - world["seen"][other]
        over = np.maximum(hidden - world["pool"], 0)
        if over.any() and 0 < world["deck_size"] < (hidden - over).sum():
            worlds = redealt(game, seat, 2000)[1:]
            in_hand = worlds["hand"][:, other] - worlds["seen"][:, other]
            assert (in_hand.min(axis=0) == over).any()
            assert (in_hand >= over).all()
            may = hidden - over
            expected = world["deck_size"] * may / may.sum()
            assert np.allclose(worlds["deck"].mean(axis=0), expected, atol=0.15)
            return
    raise AssertionError("no such position")


def test_every_hidden_ticket_lies_everywhere_as_often_as_it_should() -> None:
    """Chi-square over tickets and places, for each kind of ticket."""
    count = 4000
    game, seat = position("europe", ["planner", "random", "random"], 60)
    worlds = redealt(game, seat, count)[1:]
    unknown = worlds["known"][0] >> seat & 1 == 0
    unknown &= worlds["ticket"][0] != at.NO_TICKET
    for kind in (0, 1):
        mine = np.flatnonzero(unknown & (game.spec.table["ticket_long"][0] == kind))
        places, slots = np.unique(worlds["ticket"][0, mine], return_counts=True)
        assert len(places) > 1
        found = np.stack([(worlds["ticket"][:, mine] == place).sum(axis=0) for place in places])
        expected = np.repeat(slots[:, None] * count / len(mine), len(mine), axis=1)
        square = float(((found - expected) ** 2 / expected).sum())
        freedom = (len(places) - 1) * (len(mine) - 1)
        assert abs(square - freedom) < 5 * sqrt(2 * freedom)


# -- analyses -------------------------------------------------------------------------------------


def check(game: Game, seat: int, analysis: Analysis, effort: int) -> None:
    legal = list(game.legal_moves_of(seat))
    assert all(line.move in legal for line in analysis.moves)
    assert len({line.move for line in analysis.moves}) == len(analysis.moves)
    played = [line.playouts for line in analysis.moves]
    assert played == sorted(played, reverse=True)
    assert sum(played) == analysis.playouts == effort
    assert sum(line.prior for line in analysis.moves) == pytest.approx(1, abs=1e-5)
    assert sum(analysis.chances) == pytest.approx(1)
    assert len(analysis.chances) == len(analysis.scores) == game.seats
    assert all(0 <= line.chance <= 1 for line in analysis.moves)
    best = analysis.moves[0]
    assert analysis.best == best.move
    assert analysis.chances[seat] == best.chance
    rivals = [score for other, score in enumerate(analysis.scores) if other != seat]
    assert best.margin == pytest.approx(analysis.scores[seat] - max(rivals))


def test_every_phase_can_be_thought_about() -> None:
    chosen = load_edition("usa")
    chosen = replace(chosen, rules=replace(chosen.rules, return_order="chosen", draw_tickets=4))
    missing = {"choose", "start", "turn", "second", "keep", "return", "tunnel", "mark", "alvin"}
    for edition, lineup in (
        ("europe", ["greedy", "racer", "planner"]),
        (chosen, ["random", "random"]),
        ("old-west+alvin", ["random", "greedy", "random"]),
    ):
        for game, seat in positions(edition, lineup):
            phase = game.view(seat).phase
            if phase in missing and len(game.legal_moves_of(seat)) > 1:
                missing.remove(phase)
                check(game, seat, analysis_of(game, seat, 24), 24)
    assert not missing


def test_the_same_seed_thinks_the_same_whatever_was_thought_before() -> None:
    one, seat = position("usa", ["planner", "racer"], 40)
    first = analysis_of(one, seat, 48)
    other, its_seat = position("europe", ["planner", "racer", "greedy"], 70)
    analysis_of(other, its_seat, 48)
    assert analysis_of(one, seat, 48) == first
    assert any(analysis_of(one, seat, 48, seed=seed) != first for seed in (2, 3))
    in_a_thread: list[Analysis] = []
    thread = threading.Thread(target=lambda: in_a_thread.append(analysis_of(one, seat, 48)))
    thread.start()
    thread.join()
    assert in_a_thread == [first]


def test_stopping_early_finds_the_same_move() -> None:
    saved = 0
    for n, (game, seat) in enumerate(positions("tiny", ["greedy", "random"], seed=3)):
        if len(game.legal_moves_of(seat)) == 1:
            continue
        whole = analysis_of(game, seat, 96, seed=n)
        early = analysis_of(game, seat, 96, seed=n, stop_early=True)
        assert early.best == whole.best
        assert 0 < early.playouts <= whole.playouts == 96
        saved += whole.playouts - early.playouts
    assert saved > 0


def test_a_small_room_still_counts_every_playout(monkeypatch: pytest.MonkeyPatch) -> None:
    """When the tree is full, the search goes on with the positions it has."""
    monkeypatch.setattr(working_memory(), "nodes", np.zeros(60, of.dtypes["node"]))
    game, seat = position("usa", ["planner", "racer"], 40)
    check(game, seat, analysis_of(game, seat, 200), 200)


def test_the_last_claim_is_found() -> None:
    """The last turn of a game: one claim that can be paid decides the winner."""
    game = arrange(
        "usa-classic",
        2,
        hands=[{"red": 5, "loco": 1}, {}],
        routes={0: ["Denver–Phoenix"], 1: ["Los Angeles–Phoenix"]},
        trains={0: 20, 1: 2},
        score=[0, 12],
        turn=0,
        last=1,
    )
    analysis = analysis_of(game, 0, 200)
    check(game, 0, analysis, 200)
    best = analysis.best
    assert isinstance(best, Claim)
    assert game.edition.board.routes[best.route].length == 6
    assert analysis.chances == (1.0, 0.0)
    draws = [line for line in analysis.moves if isinstance(line.move, Take) and line.playouts]
    assert all(line.chance == 0 for line in draws)


def test_a_claim_that_completes_a_ticket_beats_one_of_more_points() -> None:
    """Dallas–Houston scores one point, and five for the ticket; without it, five are lost."""
    game = arrange(
        "usa-classic",
        2,
        hands=[{"red": 4}, {}],
        routes={0: ["Kansas City–Oklahoma City", "Dallas–Oklahoma City"]},
        tickets={0: ["Kansas City–Houston 5"]},
        score=[0, 9],
        trains={0: 4, 1: 1},
        last=1,
    )
    best = analysis_of(game, 0, 128).best
    assert isinstance(best, Claim)
    assert game.notation.route_name(best.route).startswith("Dallas–Houston")


def test_a_forced_move_is_made_at_once() -> None:
    """Regardless of the limit: this effort would take days."""
    bot = SearchBot(1, Limit(effort=10**9))
    game = arrange(
        "usa-classic", 2, deck={}, row={}, ticket_deck=[], hands=[{"red": 1}], trains={0: 0}
    )
    (only,) = game.legal_moves
    assert bot.choose(game.view(0), [only]) == only == Pass()
    analysis = think(game.view(0), [only], limit=Limit(effort=10**9), stop_early=True)
    assert analysis.best == only


def test_chances_without_a_decision() -> None:
    game, seat = position("europe", ["planner", "racer", "conductor"], 80)
    waiting = (seat + 1) % 3
    for eyes in (waiting, None):
        found = chances(game.view(eyes), limit=Limit(effort=40), seed=1)
        assert found.moves == ()
        assert found.playouts == 40
        assert sum(found.chances) == pytest.approx(1)
        assert all(score > -100 for score in found.scores)
        assert chances(game.view(eyes), limit=Limit(effort=40), seed=1) == found
        assert think(game.view(eyes), [], limit=Limit(effort=40), seed=1) == found


def test_chances_after_a_move_are_those_of_its_line() -> None:
    """Only approximately: a line is searched further, while this is played out by style."""
    game = arrange(
        "usa-classic",
        2,
        hands=[{"red": 6}, {}],
        trains={0: 20, 1: 2},
        score=[0, 12],
        last=1,
    )
    claim = next(
        m
        for m in game.legal_moves
        if isinstance(m, Claim) and game.edition.board.routes[m.route].length == 6
    )
    limit = Limit(effort=20)
    assert chances(game.view(0), limit=limit, after=claim).chances == (1.0, 0.0)
    draw = next(m for m in game.legal_moves if isinstance(m, Take))
    assert chances(game.view(0), limit=limit, after=draw).chances == (0.0, 1.0)


def test_a_game_that_is_over_has_its_result_for_chances() -> None:
    *_, (game, _) = positions("tiny", ["greedy", "random"])
    assert game.over
    assert game.outcome is not None
    for eyes in (0, None):
        found = chances(game.view(eyes), limit=Limit(effort=4))
        shares = [(p in game.outcome.winners) / len(game.outcome.winners) for p in range(2)]
        assert list(found.chances) == shares
        assert list(found.scores) == list(game.outcome.totals)


def test_playouts_score_as_the_rules_do() -> None:
    """The players are compiled with the kernel's own scoring: every bonus matches the game's."""
    rng = random.Random(2)
    for edition in ("usa", "europe", "old-west+alvin"):
        game = Game(edition, 3, seed=9)
        planner = make_bot("planner")
        while not game.over:
            seat = game.deciding[0]
            legal = list(game.legal_moves_of(seat))
            move = (
                rng.choice(legal) if rng.random() < 0.2 else planner.choose(game.view(seat), legal)
            )
            game.push(move, seat)
        assert game.outcome is not None
        found = chances(game.view(0), limit=Limit(effort=1))
        assert list(found.scores) == list(game.outcome.totals)


def test_by_the_clock_all_cores_think() -> None:
    game, seat = position("tiny", ["greedy", "greedy"], 6)
    analysis = think(
        game.view(seat), list(game.legal_moves_of(seat)), limit=Limit(seconds=0.05), seed=1
    )
    check(game, seat, analysis, analysis.playouts)
    names = [thread.name for thread in threading.enumerate()]
    threads = sum(name.startswith("macaz-bots") for name in names)
    assert threads >= core_count() or core_count() == 1
    assert analysis.playouts >= core_count()
