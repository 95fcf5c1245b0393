"""The rollout buffer: observations, actions and results of some steps in all games."""

from __future__ import annotations

import torch
from torch import Tensor

from macaz.bots.compiled.layout import INTENT_WORDS
from macaz.kernel.layout import SEATS

UTILITY, WIN = 0, 1  # indexes of the two values that are predicted
VALUES = 2


class Rollout:
    """Tensors indexed by step and game; each rollout overwrites the last one."""

    def __init__(self, steps: int, games: int, read: int, device: str) -> None:
        """`read` is the number of columns that the network reads."""

        def zeros(*shape: int, kind: torch.dtype) -> Tensor:
            return torch.zeros((steps, games, *shape), dtype=kind, device=device)

        self.steps, self.games = steps, games
        self.read = zeros(read, kind=torch.int8)
        self.legal = zeros(INTENT_WORDS, kind=torch.int64)
        self.payable = zeros(kind=torch.int16)
        self.intents = zeros(kind=torch.int16)
        self.colors = zeros(kind=torch.int8)
        self.deciders = zeros(kind=torch.int64)
        self.learns = zeros(kind=torch.bool)  # whether to learn from the decision
        self.log_probs = zeros(kind=torch.float32)  # of the action that was played
        self.values = zeros(VALUES, kind=torch.float32)  # predicted
        self.ended = zeros(kind=torch.bool)  # whether the decision ended the game
        self.endings = zeros(SEATS, VALUES, kind=torch.float32)  # results by seat, where it did
        self.advantages = zeros(kind=torch.float32)
        self.targets = zeros(VALUES, kind=torch.float32)  # for the predicted values
