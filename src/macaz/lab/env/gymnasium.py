"""One seat of a game as an environment of Gymnasium; bots play the others.

Importing this module registers it, so that both of these work:

    gymnasium.make("macaz/Game-v0", edition="europe", seats=3, opponents=["planner", "greedy"])
    gymnasium.make("macaz.lab.env.gymnasium:macaz/Game-v0")  # imports the module first
"""

from __future__ import annotations

import sys
from collections.abc import Sequence
from typing import Any

import numpy as np

from macaz.bots import Bot, close_bot, make_bot
from macaz.edition import Edition, load_edition
from macaz.errors import MacazError, MissingExtra
from macaz.game import Game
from macaz.game.legal import parse_move
from macaz.game.moves import notation_of
from macaz.game.view import View
from macaz.kernel.cpu import MAX_SEED
from macaz.kernel.engine import engine_of
from macaz.kernel.observation import MOST, OBSERVATION_SIZE
from macaz.lab.env.single import single_game
from macaz.lab.env.text import spectator_text

try:
    import gymnasium
    from gymnasium import spaces
except ImportError as error:
    raise MissingExtra("gymnasium", "the environment", "env") from error

ID = "macaz/Game-v0"
Info = dict[str, Any]


class MacazEnv(gymnasium.Env[np.ndarray, Any]):
    """A seat of a game against bots, one decision a step; the bots' decisions follow in it.

    `opponents` is the text of a bot, as `make_bot` takes it, or one for each other seat, clockwise
    from the seat that learns. `seat` is that seat; None draws it for each game. Chance decides who
    begins. Rewards come at the end: "win", "score" or "margin". An illegal action raises
    `IllegalMove` and changes nothing, or with `illegal="random"` a random legal one is taken.
    """

    metadata: dict[str, Any] = {"render_modes": ["ansi", "human"], "render_fps": 1}  # noqa: RUF012 - as Gymnasium declares it

    def __init__(
        self,
        edition: Edition | str = "usa-classic",
        seats: int = 2,
        *,
        opponents: str | Sequence[str] = "greedy",
        seat: int | None = 0,
        reward: str = "win",
        illegal: str = "raise",
        render_mode: str | None = None,
    ) -> None:
        self._opponents = [opponents] * (seats - 1) if isinstance(opponents, str) else [*opponents]
        if len(self._opponents) != seats - 1:
            raise MacazError(
                f"{seats} seats have {seats - 1} opponents, not {len(self._opponents)}:"
                " name one bot for all of them, or one for each"
            )
        if illegal not in ("raise", "random"):
            raise MacazError(f"illegal is 'raise' or 'random', not {illegal!r}")
        if render_mode not in (None, *self.metadata["render_modes"]):
            raise MacazError(f"render_mode is 'ansi', 'human' or None, not {render_mode!r}")
        edition = edition if isinstance(edition, Edition) else load_edition(edition)
        self.table = single_game(edition, seats, reward)
        for text in self._opponents:
            close_bot(make_bot(text))  # says now what is wrong with it
        self._seat = self._checked_seat(seat)
        self.seat = 0
        self._replaces = illegal == "random"
        self._replacing = np.random.default_rng(0)  # not that of the deals, which stay the same
        self._mask = np.zeros(self.table.spec.actions, np.int8)
        self._bots: dict[int, Bot] = {}
        self._shown = 0  # how much of the history `render` has shown
        self.render_mode = render_mode
        self.observation_space = spaces.Box(0, MOST, (OBSERVATION_SIZE,), np.int8)
        self.action_space = spaces.Discrete(self.table.spec.actions)

    def reset(
        self, *, seed: int | None = None, options: dict[str, Any] | None = None
    ) -> tuple[np.ndarray, Info]:
        """Deal a new game. A seed fixes this game and all that follow, with the bots' decisions.

        The option "seat" has the learner in another seat for this game. The same seed then deals
        the same cards to the same seats, so that the two games differ little in luck.
        """
        super().reset(seed=seed)
        deal = int(self.np_random.integers(MAX_SEED))
        drawn = int(self.np_random.integers(self.table.spec.seats))
        seat = self._checked_seat((options or {}).get("seat", self._seat))
        self.seat = drawn if seat is None else seat
        self._close_bots()
        for n, text in enumerate(self._opponents, 1):
            other = (self.seat + n) % self.table.spec.seats
            self._bots[other] = make_bot(text, seed=f"{deal} {n}")
        self.table.begin(deal)
        self._replacing = np.random.default_rng(deal)
        self._shown = 0
        self._let_bots_play()
        return self._observation(), self._info()

    def step(self, action: Any) -> tuple[np.ndarray, float, bool, bool, Info]:
        """Take an action, then let the bots play until this seat decides again, or to the end."""
        if self.table.seat != self.seat:
            raise MacazError("there is no game, or it is over: call reset")
        action = int(action)
        legal = 0 <= action < len(self._mask) and bool(self._mask[action])
        replaced = self._replaces and not legal
        if replaced:
            action = int(self._replacing.choice(np.flatnonzero(self._mask)))
        self.table.play(action)
        self._let_bots_play()
        over = self.table.seat is None
        reward = self.table.rewards[self.seat] if over else 0.0
        info = self._info()
        if self._replaces:
            info["illegal"] = replaced
        return self._observation(), reward, over, False, info

    def action_masks(self) -> np.ndarray:
        """Which actions are legal, as sb3-contrib asks for them."""
        return self._mask.astype(bool)

    def render(self) -> Any:
        """What happened since the last call, and the table now, as a spectator sees them."""
        game = self.game
        text = spectator_text(game, self._shown)
        self._shown = len(game.history)
        if self.render_mode == "human":
            sys.stdout.write(f"{text}\n\n")
            return None
        return text

    @property
    def game(self) -> Game:
        """The game of the library with its whole history, hidden information included."""
        return self.table.game

    def close(self) -> None:
        """End the bots that are programs."""
        self._close_bots()

    def _let_bots_play(self) -> None:
        table, spec = self.table, self.table.spec
        engine, notation = engine_of(spec), notation_of(spec)
        while table.seat is not None and table.seat != self.seat:
            seat = table.seat
            view = View.of(spec, table.state, seat)
            move = self._bots[seat].choose(view, list(view.legal_moves))
            table.play(parse_move(engine, notation, table.state, seat, move, seat))
        self._mask = table.mask(self.seat)
        if self.render_mode == "human":
            self.render()

    def _observation(self) -> np.ndarray:
        return self.table.observation(self.seat)

    def _info(self) -> Info:
        info: Info = {"action_mask": self._mask.copy(), "seat": self.seat}
        if self.table.seat is None:
            info["scores"] = np.array(self.table.scores, np.int16)
        return info

    def _close_bots(self) -> None:
        while self._bots:
            close_bot(self._bots.popitem()[1])

    def _checked_seat(self, seat: Any) -> int | None:
        if seat is not None and seat not in range(self.table.spec.seats):
            raise MacazError(f"seat is 0 to {self.table.spec.seats - 1}, or None, not {seat!r}")
        return None if seat is None else int(seat)


if ID not in gymnasium.registry:
    gymnasium.register(ID, f"{__name__}:MacazEnv")
