"""What was seen and done in the games over a stretch of steps, for a network to learn from."""

from __future__ import annotations

import torch
from torch import Tensor

from macaz.bots.compiled.layout import INTENT_WORDS
from macaz.kernel.layout import SEATS

WORTH, WIN = 0, 1  # the two things that are said of an ending: what it is worth, and who won
SAID = 2


class Seen:
    """Arrays by step and game; each stretch is written over the last one."""

    def __init__(self, steps: int, games: int, read: int, device: str) -> None:
        """`read` is how many numbers of a row the network reads."""

        def zeros(*shape: int, kind: torch.dtype) -> Tensor:
            return torch.zeros((steps, games, *shape), dtype=kind, device=device)

        self.steps, self.games = steps, games
        self.read = zeros(read, kind=torch.int8)
        self.legal = zeros(INTENT_WORDS, kind=torch.int64)
        self.payable = zeros(kind=torch.int16)
        self.intents = zeros(kind=torch.int16)
        self.colors = zeros(kind=torch.int8)
        self.deciders = zeros(kind=torch.int64)
        self.learns = zeros(kind=torch.bool)  # whether the decision is to be learned from
        self.odds = zeros(kind=torch.float32)  # of what was done, as a logarithm
        self.values = zeros(SAID, kind=torch.float32)  # what was expected of the ending
        self.ended = zeros(kind=torch.bool)  # whether the decision ended the game
        self.endings = zeros(SEATS, SAID, kind=torch.float32)  # where it did, for each seat
        self.gains = zeros(kind=torch.float32)  # how much better than expected it turned out
        self.targets = zeros(SAID, kind=torch.float32)  # what should have been expected
