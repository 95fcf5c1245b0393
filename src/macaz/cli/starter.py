"""MyBot, a bot for Macaz.

macaz bot check my_bot.py:MyBot                          does it play by the rules?
macaz arena --bots my_bot.py:MyBot,greedy --games 100    how strong is it?
macaz terminal --bots my_bot.py:MyBot                    play against it
"""

from __future__ import annotations

import random
from collections.abc import Sequence

from macaz import View, serve_bot
from macaz.bots.chart import Chart, Plan
from macaz.game.moves import Blind, Choose, Claim, DrawTickets, Keep, Move, PayTunnel, Station, Take


class MyBot:
    """Claims the routes of the cheapest paths for its tickets, and takes the cards for them."""

    def __init__(self, seed: int | str = 0) -> None:
        # Use no other random numbers: then the same seed plays the same game again.
        self.random = random.Random(seed)

    def choose(self, view: View, legal: Sequence[Move]) -> Move:
        """Return one of the legal moves.

        `view` is what your seat may see: view.hand, view.tickets, view.trains, view.owners, …
        The map and the rules are view.edition.board and view.edition.rules; print(view) shows it.
        """
        seat = view.seat
        assert seat is not None, "only a spectator has no seat"
        chart = Chart(view, seat)  # the routes that are open to you, and paths on them
        plan = chart.plan(view.tickets, view.trains[seat])  # what to claim for your tickets
        # The move of most value; equal ones are chosen among at random.
        return max(legal, key=lambda move: (self.value(move, chart, plan), self.random.random()))

    def value(self, move: Move, chart: Chart, plan: Plan) -> float:
        """How good a move is. This is the place for your ideas."""
        view, routes = chart.view, chart.board.routes
        worth = 0.0  # of what only some maps have, such as markers
        match move:
            case Choose() | Keep():  # tickets: those that are worth their way
                worth = chart.plan((*view.tickets, *move.tickets), view.trains[chart.seat]).value
            case Claim() if move.route in plan.routes:  # the long ones first
                worth = 100 + routes[move.route].length - move.locomotives
            case Claim():  # another route, for its points, if the cards are not needed
                worth = chart.points(move.route) - 2 * move.locomotives
                worth -= 20 if plan.routes and sum(view.hand) <= 20 else 0
            case PayTunnel():  # it was wanted
                worth = 10 - move.locomotives
            case Take():  # a card, better in a colour of the plan
                worth = 4 if move.color in {routes[route].color for route in plan.routes} else 1
            case Blind():  # a card from the deck
                worth = 3
            case DrawTickets() | Station():  # only if there is nothing else
                worth = -10
        return worth


if __name__ == "__main__":  # `python my_bot.py` is a program that speaks the bot protocol
    serve_bot(MyBot)
