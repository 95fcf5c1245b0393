"""Macaz as a game of OpenSpiel: `pyspiel.load_game("python_macaz(edition=tiny,players=2)")`.

Importing this module registers the game. Chance is explicit, the numbers of actions and outcomes
are the kernel's, and the setup tickets are chosen one seat after another behind a screen.
"""

from __future__ import annotations

from collections.abc import Callable, Iterable
from typing import Any

import numpy as np

from macaz.edition import Edition, load_edition
from macaz.errors import MissingExtra
from macaz.game import Game
from macaz.game.events import game_events, narrow
from macaz.game.position import dump_position
from macaz.game.record.text import StepWriter
from macaz.game.worlds import sample_world
from macaz.kernel import layout as at
from macaz.kernel.observation import OBSERVATION, OBSERVATION_SIZE, observation_slices
from macaz.kernel.spec import Spec, compile_spec
from macaz.lab.env.observation import observe
from macaz.lab.env.reward import win
from macaz.lab.env.screen import choices, screened_view

try:
    import pyspiel  # type: ignore[import-not-found]
except ImportError as error:
    raise MissingExtra("open-spiel", "a game of OpenSpiel", "openspiel") from error

Texts = tuple[str, ...]  # a text for each player

GAME_TYPE = pyspiel.GameType(
    short_name="python_macaz",
    long_name="Macaz: railway games of the Ticket to Ride family",
    dynamics=pyspiel.GameType.Dynamics.SEQUENTIAL,
    chance_mode=pyspiel.GameType.ChanceMode.EXPLICIT_STOCHASTIC,
    information=pyspiel.GameType.Information.IMPERFECT_INFORMATION,
    utility=pyspiel.GameType.Utility.ZERO_SUM,
    reward_model=pyspiel.GameType.RewardModel.TERMINAL,
    max_num_players=at.SEATS,
    min_num_players=2,
    provides_information_state_string=True,
    provides_information_state_tensor=False,
    provides_observation_string=True,
    provides_observation_tensor=True,
    parameter_specification={"edition": "usa-classic", "players": 2},
)


class MacazGame(pyspiel.Game):  # type: ignore[misc]  # it has no types
    """An edition at a table, as OpenSpiel knows games."""

    def __init__(self, params: dict[str, Any] | None = None) -> None:
        given = {**GAME_TYPE.parameter_specification, **(params or {})}
        self.edition = load_edition(given["edition"])
        self.spec = compile_spec(self.edition, given["players"])
        seats = self.spec.seats
        info = pyspiel.GameInfo(
            num_distinct_actions=self.spec.actions,
            max_chance_outcomes=max(seats, at.CARDS, len(self.edition.board.tickets)),
            num_players=seats,
            min_utility=-1 / seats,
            max_utility=1 - 1 / seats,
            utility_sum=0.0,
            max_game_length=longest_game(self.spec),
        )
        super().__init__(GAME_TYPE, info, params or {})

    def new_initial_state(self) -> MacazState:
        """The initial state, before the first seat is drawn."""
        return MacazState(self)

    def make_py_observer(
        self, iig_obs_type: Any = None, params: dict[str, Any] | None = None
    ) -> MacazObserver:
        """An observer of observations or, with perfect recall, of information states."""
        return MacazObserver(iig_obs_type, params)


def longest_game(spec: Spec) -> int:
    """A number of decisions that games do not reach.

    Every card is drawn once, and once more for each that was spent; every train and ticket makes
    for a few decisions. Twice that leaves room for passes and for tunnels that are given up:
    those could go on for ever, so no number is certain.
    """
    rules = spec.edition.rules
    spent = spec.seats * (rules.trains + rules.stations * (rules.stations + 1) // 2)
    spent += spec.seats * rules.markers * rules.marker_cards
    draws = sum(rules.cards) + spent
    claims = 3 * spec.seats * rules.trains
    tickets = (2 + at.OFFER) * len(spec.edition.board.tickets)
    return 2 * (draws + claims + tickets)


class _Table:
    """The game of a state, copied and pickled without its compiled board and rules."""

    def __init__(self, game: Game, before: Texts, since: Iterable[Texts] = ()) -> None:
        self.game = game
        self._before = before  # information states before the game's history begins
        self._since = list(since)  # and at each step of it, computed on demand

    def __deepcopy__(self, memo: dict[int, Any]) -> _Table:
        return _Table(self.game.copy(), self._before, self._since)

    def __reduce__(self) -> tuple[Any, ...]:
        game = self.game
        start = game.history[0].before if game.history else game.state.tobytes()
        numbers = [step.number for step in game.history]
        return _replay, (game.edition, game.seats, start, numbers, self._before)

    def information_state(self, player: int) -> str:
        """All events that a player has seen, one per line."""
        game = self.game
        for _, events in game_events(game, len(self._since)):
            told = ("".join(f"{narrow(e, p)}\n" for e in events) for p in range(game.seats))
            self._since.append(tuple(told))
        behind = len(choices(game))  # the screen: of these a player knows its own
        shown = [
            lines[player]
            for ply, (step, lines) in enumerate(zip(game.history, self._since, strict=True))
            if ply < len(self._since) - behind or step.seat == player
        ]
        return self._before[player] + "".join(shown)


def _replay(
    edition: Edition, seats: int, start: bytes, numbers: list[int], before: Texts
) -> _Table:
    """The table after these actions and outcomes."""
    game = _from_state(edition, seats, np.frombuffer(start, at.dtype_of("state")))
    for number in numbers:
        _push(game, number)
    return _Table(game, before)


def _from_state(edition: Edition, seats: int, state: np.ndarray) -> Game:
    game = Game.from_state(edition, seats, state)
    game.first_fixed = None  # the first seat is in the information state already
    return game


def _push(game: Game, number: int) -> None:
    """Apply an action or a chance outcome by its number."""
    if game.chance_pending:
        game.push_chance(number)
    else:
        game.push(number)


class MacazState(pyspiel.State):  # type: ignore[misc]  # it has no types
    """A state of a game, as OpenSpiel knows states; `macaz` is the game of the library."""

    def __init__(self, game: MacazGame, table: _Table | None = None) -> None:
        super().__init__(game)
        seats = game.spec.seats
        self.table = table or _Table(Game(game.edition, seats, dealer=None), ("",) * seats)

    @property
    def macaz(self) -> Game:
        """The game; do not change it."""
        return self.table.game

    def current_player(self) -> int:
        """Who decides next; while setup tickets are chosen, the next clockwise."""
        if self.macaz.over:
            return int(pyspiel.PlayerId.TERMINAL)
        turn = self.macaz.turn
        return int(pyspiel.PlayerId.CHANCE) if turn is None else turn

    def _legal_actions(self, player: int) -> list[int]:
        return list(self.macaz.engine.legal(self.macaz.state, player))

    def chance_outcomes(self) -> list[tuple[int, float]]:
        """What chance may bring, each with its probability."""
        engine, state = self.macaz.engine, self.macaz.state
        ways = engine.chance_ways(state)
        most = self.get_game().max_chance_outcomes()
        weights = ((i, engine.chance_weight(state, i)) for i in range(most))
        return [(outcome, weight / ways) for outcome, weight in weights if weight]

    def _apply_action(self, action: int) -> None:
        _push(self.macaz, action)

    def _action_to_string(self, player: int, action: int) -> str:
        game = self.macaz
        if player == pyspiel.PlayerId.CHANCE:
            return StepWriter(game).chance(int(game.state["phase"][0]), action)
        return game.notation.text(game.move(action, player))

    def is_terminal(self) -> bool:
        """Whether the game is over."""
        return self.macaz.over

    def returns(self) -> list[float]:
        """The share of the win less an even share; 0 until the game is over."""
        outcome = self.macaz.outcome
        return [0.0] * self.macaz.seats if outcome is None else list(win(outcome))

    def __str__(self) -> str:
        """The whole position, as JSON."""
        return dump_position(self.macaz)

    def resample_from_infostate(self, player: int, sampler: Callable[[], float]) -> MacazState:
        """A state that a player cannot tell from this one; `sampler` gives numbers from 0 to 1.

        What others hold is drawn as `worlds` does it, and their setup choices, where they are
        behind the screen, at random. The new state has no history of its own: other players'
        information states begin with what they can see there.
        """
        rng = np.random.default_rng(int(sampler() * 2**53))
        game = self.macaz
        world = sample_world(screened_view(game, player), rng)
        there = _from_state(game.edition, game.seats, world)
        told = tuple(
            self.table.information_state(p) if p == player else dump_position(there.view(p))
            for p in range(game.seats)
        )
        for step in choices(game):
            if step.seat is not None and step.seat != player:
                there.push(rng.choice(game.engine.legal(there.state, step.seat)), step.seat)
        return MacazState(self.get_game(), _Table(there, told))


class MacazObserver:
    """What a player sees (a tensor and a text), or has ever seen (a text)."""

    def __init__(self, iig_obs_type: Any, params: dict[str, Any] | None) -> None:
        wanted = iig_obs_type or pyspiel.IIGObservationType(perfect_recall=False)
        if params:
            raise ValueError(f"there are no parameters for observations, as in {params}")
        if not wanted.public_info or wanted.private_info != pyspiel.PrivateInfoType.SINGLE_PLAYER:
            raise ValueError("a player is shown what is public and what is its own, always both")
        self._recall = wanted.perfect_recall
        self.tensor = None if self._recall else np.zeros(OBSERVATION_SIZE, np.float32)
        self.dict = {} if self.tensor is None else _pieces(self.tensor)

    def set_from(self, state: MacazState, player: int) -> None:
        """Put a player's observation into the tensor."""
        if self.tensor is not None:
            self.tensor[:] = observe(state.macaz.view(player))

    def string_from(self, state: MacazState, player: int) -> str:
        """The observation, or with perfect recall the information state, as text."""
        if self._recall:
            return state.table.information_state(player)
        return dump_position(screened_view(state.macaz, player))


def _pieces(tensor: np.ndarray) -> dict[str, np.ndarray]:
    """The declared fields of an observation, by name, in the memory of the tensor."""
    places = observation_slices()
    return {f.name: tensor[places[f.name]].reshape(f.shape or 1) for f in OBSERVATION}


pyspiel.register_game(GAME_TYPE, MacazGame)
