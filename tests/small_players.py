"""Networks with weights of one byte, run by the compiled functions, as in hosts without NumPy."""

from __future__ import annotations

from collections.abc import Callable
from concurrent.futures import ThreadPoolExecutor
from dataclasses import replace
from math import ceil
from typing import Any, TypeVar

import numpy as np

from macaz.bots import expert
from macaz.bots.browser import small_weights
from macaz.bots.compiled import layout as of
from macaz.bots.compiled.inference import FORECASTS
from macaz.bots.compiled.lookahead import TRIES, TRY_NUMBERS
from macaz.bots.compiled.program import Layers, Weights, guide_of, players, working_memory
from macaz.bots.learned import sense
from macaz.bots.network import SENSED_BY, Layer, Network
from macaz.bots.rollouts import sampled_worlds
from macaz.bots.styled import counted_state
from macaz.bots.styles import style_of
from macaz.game.view import View
from macaz.kernel.layout import SEATS

T = TypeVar("T")


def apart(work: Callable[[], T]) -> T:
    """Run something in a new thread, whose memory has room for a network."""
    with ThreadPoolExecutor(1) as pool:
        return pool.submit(work).result()


def as_rounded(network: Network) -> Network:
    """The network with the rounded weights, for NumPy."""
    small = small_weights(network)
    factors = small.factors.copy()
    inputs = len(small.columns)
    factors[:inputs] /= network.scales
    at = 0

    def layer(exact: Layer) -> Layer:
        nonlocal at
        end = at + len(exact.weight)
        weight = small.weights[at:end] * factors[at:end, None]
        at = end
        return Layer(weight, exact.bias)

    enter = layer(network.enter)
    blocks = tuple((layer(grow), layer(fold)) for grow, fold in network.blocks)
    speak = np.concatenate([small.speak * factors[at:, None], small.forecasts.T], axis=1)
    return replace(network, enter=enter, blocks=blocks, speak=Layer(speak, network.speak.bias))


class SmallPlayers:
    """The decisions of `learned` and `expert` with one-byte weights, on the default target."""

    def __init__(self, network: Network) -> None:
        self._run: Any = players()
        self._weights = Weights(*(self._inside(array) for array in small_weights(network)))
        self._layers = self._new_layers()

    def _new_layers(self) -> Layers:
        """Working memory to run the network on the rows of all tries."""
        zeros = self._run.zeros
        inputs, width = len(self._weights.columns), self._weights.biases.shape[1]
        longest = max(inputs, width)
        return Layers(
            zeros((2, width), np.float32),
            zeros(longest, np.int32),
            zeros(longest, np.float32),
            zeros((TRIES, FORECASTS), np.float64),
        )

    def _inside(self, array: np.ndarray) -> np.ndarray:
        """A copy of the array in memory that is not copied for each call."""
        found: np.ndarray = self._run.zeros(array.shape, array.dtype)
        found[...] = array
        return found

    def run(self, rows: np.ndarray) -> tuple[np.ndarray, np.ndarray]:
        """For each row: the scores of the intents; the expected value and the chance to win."""
        room = working_memory()
        wishes, values = [], []
        for start in range(0, len(rows), TRIES):
            some = rows[start : start + TRIES]
            room.rows[: len(some)] = some
            self._run.ask_network(self._weights, room.questions, self._layers, len(some))
            wishes.append(room.wishes[: len(some)].copy())
            values.append(self._layers.values[: len(some)].copy())
        return np.concatenate(wishes), np.concatenate(values)

    def _ask(self, view: View) -> np.ndarray:
        states = counted_state(view)
        sense(view, states)
        self._run.ask_network(self._weights, working_memory().questions, self._layers, 1)
        return states

    def learned(self, view: View) -> int:
        """The action that the network prefers."""
        states, room = self._ask(view), working_memory()
        board = (view.spec.table, guide_of(view.spec))
        return int(
            self._run.choose_wished(*board, states, room.legal[:1], room.wishes[:1], view.seat)
        )

    def expert(self, view: View, effort: int, seed: int) -> int:
        """The best action after this number of tries."""
        run, room, weights = self._run, working_memory(), expert.WEIGHTS
        board = (view.spec.table, guide_of(view.spec))
        contest = expert.contest_record(weights)
        states = self._ask(view)
        asked = (states, room.legal[:1], room.wishes[:1])
        most = min(weights.candidates, max(2, effort // 2))
        if run.list_contest(*board, *asked, contest, view.seat, most) > 1:
            worlds = sampled_worlds(view, seed)
            room.worlds[: len(worlds)] = worlds
            room.dice["word"] = 1
            tries = np.zeros((of.CANDIDATES, TRY_NUMBERS), np.int64)
            games = room.games._replace(worlds=room.worlds[: len(worlds)])
            styles = np.repeat(style_of(SENSED_BY, view.spec), SEATS)
            rounds = run.rounds_of(contest)
            while (over := run.rounds_over(contest)) < rounds:
                left = ceil(effort * ((over + 1) / rounds)) - run.tries_made(contest)
                run.try_moves(
                    *(*board, styles, games, room.questions, self._weights, self._layers),
                    *(contest, tries, view.seat, seed, left),
                )
        return int(run.best_tried(contest))
