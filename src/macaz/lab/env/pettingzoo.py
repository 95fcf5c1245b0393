"""One game as an environment of PettingZoo, where agents act one after another (AEC).

`env("europe", seats=3)` gives it, in PettingZoo's own wrapper that keeps calls in order. The
agents are the seats. Setup tickets are chosen one seat after another, clockwise from the first;
what others chose does not show until all have.
"""

from __future__ import annotations

import sys
from collections.abc import Iterator
from typing import Any, ClassVar

import numpy as np

from macaz.edition import Edition, load_edition
from macaz.edition.board import CARDS
from macaz.errors import MissingExtra
from macaz.game import Game
from macaz.game.event_words import say
from macaz.game.events import game_events, narrow
from macaz.kernel.observation import MOST, OBSERVATION_SIZE
from macaz.kernel.spec import compile_spec
from macaz.lab.env.observation import observe
from macaz.lab.env.reward import REWARDS

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
    """The environment; `game` is the game that is being played."""

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
        if reward not in REWARDS:
            raise ValueError(f"there is no reward {reward!r}; choose one of {', '.join(REWARDS)}")
        if render_mode not in (None, *self.metadata["render_modes"]):
            raise ValueError(f"render_mode is 'ansi', 'human' or None, not {render_mode!r}")
        self.edition = edition if isinstance(edition, Edition) else load_edition(edition)
        self.spec = compile_spec(self.edition, seats)
        self.render_mode = render_mode
        self.possible_agents = [f"seat_{i}" for i in range(seats)]
        self._reward = REWARDS[reward]
        self._random = np.random.default_rng()
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
        """Deal a new game. A seed fixes this deal and all that follow; there are no options."""
        if seed is not None:
            self._random = np.random.default_rng(seed)
        deal = int(self._random.integers(2**63))
        self.game = Game(self.edition, self.spec.seats, seed=deal, names=self.possible_agents)
        self.agents = list(self.possible_agents)
        self.rewards = dict.fromkeys(self.agents, 0.0)
        self._cumulative_rewards = dict.fromkeys(self.agents, 0.0)
        self.terminations = dict.fromkeys(self.agents, False)
        self.truncations = dict.fromkeys(self.agents, False)
        self.infos: dict[str, dict[str, Any]] = {agent: {} for agent in self.agents}
        self._begun = len(self.game.history)  # where the last action is in the history
        self._select()

    def _select(self) -> None:
        """The agent that decides next; at the end, the one that did last goes first."""
        if self.game.turn is not None:
            self.agent_selection = self.possible_agents[self.game.turn]

    def observe(self, agent: str) -> Observation:
        """What an agent may see, and a 1 for each action that it may take now."""
        seat = self.possible_agents.index(agent)
        mask = np.zeros(self.spec.actions, np.int8)
        if seat == self.game.turn:
            mask[self.game.legal_moves_of(seat).actions] = 1
        return {"observation": observe(self.game.view(seat)), "action_mask": mask}

    def step(self, action: int | None) -> None:
        """Take an action for the agent whose turn it is; `IllegalMove` where it may not."""
        agent = self.agent_selection
        if self.terminations[agent]:
            self._was_dead_step(action)
            return
        if action is None:
            raise ValueError(f"{agent} is to decide, and None is no action")
        self._begun = len(self.game.history)
        self.game.push(int(action), self.possible_agents.index(agent))
        self._cumulative_rewards[agent] = 0.0
        outcome = self.game.outcome
        if outcome is not None:
            self.rewards = dict(zip(self.possible_agents, self._reward(outcome), strict=True))
            self.terminations = dict.fromkeys(self.agents, True)
            self._accumulate_rewards()
        self._select()
        if self.render_mode == "human":
            self.render()

    def render(self) -> str | None:
        """The last action and the table after it, as a spectator sees them."""
        lines = [
            say(narrow(event, None), self.possible_agents, self.edition.board)
            for _, events in game_events(self.game, self._begun)
            for event in events
        ]
        text = "\n".join([*lines, *self._table()])
        if self.render_mode == "human":
            sys.stdout.write(f"{text}\n\n")
            return None
        return text

    def _table(self) -> Iterator[str]:
        view = self.game.view(None)
        for seat, agent in enumerate(self.possible_agents):
            yield (
                f"{'>' if seat == self.game.turn else ' '} {agent}: {view.scores[seat]} points, "
                f"{view.trains[seat]} trains, {view.hand_sizes[seat]} cards, "
                f"{view.tickets_held[seat]} tickets"
            )
        row = (f"{CARDS[card]} {count}" for card, count in enumerate(view.row) if count)
        yield f"  face up: {', '.join(row)}; {view.deck_size} cards in the deck"

    def close(self) -> None:
        """Do nothing; required by PettingZoo."""
