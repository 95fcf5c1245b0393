"""One game as an environment of PettingZoo, where agents act one after another (AEC).

`env("europe", seats=3)` gives it, in PettingZoo's own wrapper that keeps calls in order. The
agents are the seats. Setup tickets are chosen one seat after another, clockwise from the first;
what others chose does not show until all have. `macaz.lab.env.single` plays the game.
"""

from __future__ import annotations

import sys
from typing import Any, ClassVar

import numpy as np

from macaz.edition import Edition, load_edition
from macaz.errors import MissingExtra
from macaz.game import Game
from macaz.kernel.cpu import MAX_SEED
from macaz.kernel.observation import MOST, OBSERVATION_SIZE
from macaz.lab.env.single import single_game
from macaz.lab.env.text import spectator_text
from macaz.lab.env.vector import checked_seed

try:
    from gymnasium import spaces
    from pettingzoo import AECEnv  # type: ignore[import-untyped]
    from pettingzoo.utils.wrappers import (  # type: ignore[import-untyped]
        OrderEnforcingWrapper,
    )
except ImportError as error:
    raise MissingExtra("pettingzoo", "the environment", "env") from error

Observation = dict[str, np.ndarray]


def env(
    edition: Edition | str = "usa-classic",
    seats: int = 2,
    *,
    reward: str = "win",
    render_mode: str | None = None,
) -> OrderEnforcingWrapper:
    """The environment. Rewards come at the end: "win", "score" or "margin"."""
    return OrderEnforcingWrapper(MacazEnv(edition, seats, reward=reward, render_mode=render_mode))


class MacazEnv(AECEnv):  # type: ignore[misc]  # it has no types
    """The environment. Observations and masks are new arrays in each call."""

    metadata: ClassVar[dict[str, Any]] = {
        "name": "macaz_v0",
        "render_modes": ["ansi", "human"],
        "is_parallelizable": False,
    }

    def __init__(
        self,
        edition: Edition | str = "usa-classic",
        seats: int = 2,
        *,
        reward: str = "win",
        render_mode: str | None = None,
    ) -> None:
        super().__init__()
        if render_mode not in (None, *self.metadata["render_modes"]):
            raise ValueError(f"render_mode is 'ansi', 'human' or None, not {render_mode!r}")
        self.edition = edition if isinstance(edition, Edition) else load_edition(edition)
        self.render_mode = render_mode
        self.possible_agents = [f"seat_{i}" for i in range(seats)]
        self._seats = {agent: seat for seat, agent in enumerate(self.possible_agents)}
        self.table = single_game(self.edition, seats, reward, self.possible_agents)
        self.spec = self.table.spec
        self._series: tuple[int, int] | None = None
        actions = self.spec.actions
        self.action_spaces = {agent: spaces.Discrete(actions) for agent in self.possible_agents}
        self.observation_spaces = {
            agent: spaces.Dict(
                {
                    "observation": spaces.Box(0, MOST, (OBSERVATION_SIZE,), np.int8),
                    "action_mask": spaces.Box(0, 1, (actions,), np.int8),
                }
            )
            for agent in self.possible_agents
        }

    def observation_space(self, agent: str) -> spaces.Dict:
        """What `observe` gives: an observation and an action mask."""
        return self.observation_spaces[agent]

    def action_space(self, agent: str) -> spaces.Discrete[np.int64]:
        """The action numbers of this edition at this table."""
        return self.action_spaces[agent]

    def reset(self, seed: int | None = None, options: dict[str, Any] | None = None) -> None:
        """Begin game 0 of a seed; without one, the game after the current one.

        The first call without a seed draws one. There are no options.
        """
        if seed is not None:
            self._series = checked_seed(seed), 0
        elif self._series is None:
            self._series = int(np.random.default_rng().integers(MAX_SEED)), 0
        else:
            self._series = self._series[0], self._series[1] + 1
        self.table.begin(*self._series)
        self.agents = list(self.possible_agents)
        self.rewards = dict.fromkeys(self.agents, 0.0)
        self._cumulative_rewards = dict.fromkeys(self.agents, 0.0)
        self.terminations = dict.fromkeys(self.agents, False)
        self.truncations = dict.fromkeys(self.agents, False)
        self.infos: dict[str, dict[str, Any]] = {agent: {} for agent in self.agents}
        self._select()

    @property
    def game(self) -> Game:
        """The game of the library with the whole history, replayed where necessary."""
        return self.table.game

    def _select(self) -> None:
        """The agent that decides next; at the end, the one that did last goes first."""
        if self.table.seat is not None:
            self.agent_selection = self.possible_agents[self.table.seat]

    def observe(self, agent: str) -> Observation:
        """What an agent may see, and a 1 for each action that it may take now."""
        seat, table = self._seats[agent], self.table
        return {"observation": table.observation(seat), "action_mask": table.mask(seat)}

    def step(self, action: int | None) -> None:
        """Take an action for the agent whose turn it is; `IllegalMove` where it may not."""
        agent = self.agent_selection
        if self.terminations[agent]:
            self._was_dead_step(action)
            return
        if action is None:
            raise ValueError(f"{agent} is to decide, and None is no action")
        self.table.play(int(action))
        self._cumulative_rewards[agent] = 0.0
        if self.table.seat is None:
            self.rewards = dict(zip(self.possible_agents, self.table.rewards, strict=True))
            self.terminations = dict.fromkeys(self.agents, True)
            self._accumulate_rewards()
        self._select()
        if self.render_mode == "human":
            self.render()

    def render(self) -> str | None:
        """The last action and the table after it, as a spectator sees them."""
        text = spectator_text(self.game, self.table.last_step)
        if self.render_mode == "human":
            sys.stdout.write(f"{text}\n\n")
            return None
        return text

    def close(self) -> None:
        """Do nothing; required by PettingZoo."""
