"""Advice and reviews: from a seat's information, deterministic, and right in clear cases."""

from __future__ import annotations

import re
from collections.abc import Iterator
from pathlib import Path
from typing import Any

import numpy as np
import pytest
from click.testing import CliRunner, Result
from tests.arrange import arrange, named

from macaz.bots import Limit, make_bot
from macaz.cli import main
from macaz.game import Game
from macaz.game.outcome import Outcome
from macaz.game.worlds import sample_world
from macaz.help.advice import Advice, TicketCost, advise
from macaz.help.advice.costs import ticket_costs
from macaz.help.aids import aids_of

FEW = Limit(effort=20)


def run(*args: object) -> Result:
    return CliRunner().invoke(main, [str(arg) for arg in args])


def moments(edition: str, seats: int, seed: int, bot: str = "greedy") -> Iterator[Game]:
    """A game after each decision, to its end."""
    game = Game(edition, seats, seed=seed)
    bots = [make_bot(bot, seed=seat) for seat in range(seats)]
    while not game.over:
        yield game
        seat = game.deciding[0]
        game.push(bots[seat].choose(game.view(seat), list(game.legal_moves_of(seat))), seat)
    yield game


def finished(edition: str = "tiny", seats: int = 2, seed: int = 3, bot: str = "greedy") -> Game:
    *_, game = moments(edition, seats, seed, bot)
    return game


def result(game: Game) -> Outcome:
    assert game.outcome is not None
    return game.outcome


def advice_to(game: Game, seat: int | None, limit: Limit = FEW) -> Advice:
    legal = () if seat is None else list(game.legal_moves_of(seat))
    return advise(game.view(seat), legal, limit=limit)


# -- a game in progress ----------------------------------------------------------------------------


@pytest.mark.parametrize(
    ("edition", "seats", "stop"),
    [("tiny", 2, 0), ("tiny", 2, 9), ("europe", 3, 40), ("old-west+alvin", 4, 30)],
)
def test_who_decides_is_told_chances_and_moves(edition, seats, stop):
    game = next(game for i, game in enumerate(moments(edition, seats, 5)) if i == stop)
    seat = game.deciding[-1]
    legal = list(game.legal_moves_of(seat))
    told = advice_to(game, seat)
    assert told == advice_to(game, seat)
    assert told.seat == seat
    assert len(told.chances) == len(told.scores) == seats
    assert sum(told.chances) == pytest.approx(1)
    assert told.tries >= sum(move.tries for move in told.moves) > 0
    assert 1 <= len(told.moves) <= min(3, len(legal))
    for good in told.moves:
        assert good.action in game.legal_moves_of(seat).actions
        assert game.text(game.notation.move(good.action, game.offer(seat))) == good.text
        assert 0 <= good.chance <= 1
        assert good.error > 0
    assert told.moves[0].loss == 0
    assert told.chances[seat] == pytest.approx(told.moves[0].chance)
    aids = aids_of(game.view(seat))
    assert (told.tickets, told.stations, told.tunnels) == (
        aids.tickets,
        aids.stations,
        aids.tunnels,
    )
    assert [cost.ticket for cost in told.costs] == [
        aid.ticket for aid in aids.tickets if aid.state == "open"
    ]
    assert not set(told.impossible) & {cost.ticket for cost in told.costs}


def test_moves_come_in_the_order_of_the_figures_shown():
    game = next(game for i, game in enumerate(moments("tiny", 2, 5)) if i == 6)
    legal = list(game.legal_moves_of(game.deciding[0]))
    told = advise(game.view(game.deciding[0]), legal, limit=Limit(effort=200), best=len(legal))
    first = told.moves[0]
    chances = [good.chance for good in told.moves]
    assert len(chances) > 3
    assert chances == sorted(chances, reverse=True)
    for good in told.moves:
        assert good.loss >= 0
        assert good.chance == pytest.approx(first.chance - good.loss)


@pytest.mark.parametrize("effort", [64, 100, 200])
def test_with_few_tries_fewer_moves_are_compared_but_each_well(effort):
    game = next(game for i, game in enumerate(moments("europe", 3, 5)) if i == 40)
    seat = game.deciding[0]
    legal = list(game.legal_moves_of(seat))
    told = advise(game.view(seat), legal, limit=Limit(effort=effort), best=len(legal))
    assert len(told.moves) == effort // 32
    assert all(move.tries >= 32 for move in told.moves)


def test_others_and_spectators_are_told_chances_only():
    game = next(game for i, game in enumerate(moments("europe", 3, 5)) if i == 30)
    [deciding] = game.deciding
    for seat in ((deciding + 1) % 3, None):
        told = advice_to(game, seat)
        assert told.seat == seat
        assert told.moves == ()
        assert sum(told.chances) == pytest.approx(1)
        assert told.tries > 0
        assert bool(told.tickets) is (seat is not None)
    assert advice_to(game, None).costs == ()


@pytest.mark.portable
def test_what_cannot_be_told_apart_is_advised_alike():
    game = next(game for i, game in enumerate(moments("tiny", 2, 8)) if i == 7)
    seat = game.deciding[0]
    other = Game.from_state("tiny", 2, sample_world(game.view(seat), np.random.default_rng(4)))
    assert other.state.tobytes() != game.state.tobytes()
    assert advice_to(other, seat) == advice_to(game, seat)


def test_at_the_end_nothing_is_estimated():
    game = finished()
    for seat in (0, 1, None):
        told = advice_to(game, seat)
        assert told.chances == tuple(float(p in result(game).winners) for p in range(2))
        assert told.scores == result(game).totals
        assert told.moves == ()


# -- the cost of a ticket --------------------------------------------------------------------------


def cost_of(ticket: str, hand: dict[str, int], **more: Any) -> TicketCost:
    game = arrange("europe", 3, hands=[hand], tickets={0: [ticket]}, **more)
    view = game.view(0)
    [cost] = ticket_costs(view, aids_of(view).tickets)
    assert cost.cards == sum(cost.missing) + cost.any_color
    return cost


# By Essen: two spaces of green, then a ferry of three with one locomotive.
@pytest.mark.parametrize(
    ("hand", "missing", "any_", "turns"),
    [
        ({}, {"green": 2, "loco": 1}, 2, 5),
        ({"green": 2, "loco": 1}, {}, 2, 3),
        ({"red": 1}, {"green": 2, "red": 1, "loco": 1}, 0, 4),
        ({"green": 4}, {"loco": 1}, 0, 3),
        ({"green": 1, "red": 2, "loco": 2}, {}, 0, 2),  # one stands for a green card
        ({"black": 9}, {"green": 2, "loco": 1}, 0, 4),
        ({"black": 9, "loco": 12}, {}, 0, 2),
    ],
)
def test_a_hand_is_used_for_the_way(hand, missing, any_, turns):
    cost = cost_of("Frankfurt–København 5", hand)
    assert (named(cost.missing), cost.any_color, cost.turns) == (missing, any_, turns)
    assert (cost.claims, cost.tunnels, cost.stations) == (2, 0, 0)


def test_the_lane_that_fits_the_hand_is_taken():
    for color, missing in (("black", {}), ("orange", {}), ("red", {"black": 4})):
        cost = cost_of("Edinburgh–Paris 7", {color: 4, "loco": 1, "purple": 1})
        # Beside the lanes to London there is a ferry, which a red card can pay for.
        assert {c: n for c, n in named(cost.missing).items() if c != "red"} == missing
        assert cost.claims == 3


def test_a_tunnel_is_counted_without_what_it_may_cost():
    cost = cost_of("Erzurum–Rostov 5", {"red": 5})
    assert (cost.cards, cost.claims, cost.tunnels, cost.turns) == (0, 2, 1, 2)


def test_a_station_costs_a_card_more_than_the_one_before():
    around = {
        1: ["Edinburgh–London"],
        2: ["Edinburgh–London"],
        0: ["Dieppe–London", "Dieppe–Paris"],
    }
    for built, cards in ((0, 1), (1, 2)):
        marks = {0: ["Roma", "Moskva"][:built]}
        cost = cost_of("Edinburgh–Paris 7", {}, routes=around, marks=marks)
        assert (cost.stations, cost.claims, cost.cards, cost.any_color) == (1, 0, cards, cards)
        assert cost.turns == 2


def test_a_way_never_lacks_more_cards_than_spaces():
    for edition, seats in (("tiny", 2), ("europe", 3), ("old-west", 3)):
        for game in list(moments(edition, seats, 2))[::7]:
            for seat in range(seats):
                view = game.view(seat)
                aids = aids_of(view).tickets
                spaces = {aid.ticket: aid.spaces or 0 for aid in aids if aid.state == "open"}
                for cost in ticket_costs(view, aids):
                    building = 3 * cost.stations
                    assert 0 <= cost.cards <= spaces[cost.ticket] + building
                    assert cost.turns >= cost.claims + cost.stations


def test_the_page_tells_what_runs():
    text = (Path(__file__).parents[2] / "docs" / "advice.md").read_text(encoding="utf-8")
    blocks = re.findall(r"^```python\n(.*?)^```", text, re.MULTILINE | re.DOTALL)
    assert len(blocks) == 3
    space: dict[str, Any] = {}
    for block in blocks:
        exec(compile(block, "docs/advice.md", "exec"), space)
    assert 1 <= len(space["advice"].moves) <= 3
    assert len(space["found"].curve) > 10
