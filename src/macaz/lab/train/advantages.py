"""The utility of a finished game, and generalised advantage estimation (GAE)."""

from __future__ import annotations

import torch
from torch import Tensor

from macaz.kernel.layout import SEATS
from macaz.lab.train.rollout import UTILITY, VALUES, Rollout
from macaz.lab.train.settings import Settings

ABSENT = -1e4  # score of a seat that is not at the table


def utility_of(scores: Tensor, shares: Tensor, seats: Tensor, settings: Settings) -> Tensor:
    """The utility of finished games for each seat: the win, and the margin to the best opponent."""
    scores = scores.float()
    absent = torch.arange(SEATS, device=scores.device) >= seats.unsqueeze(1)
    scores = scores.masked_fill(absent, ABSENT)
    two = scores.topk(2, dim=1).values
    best = torch.where(scores == two[:, :1], two[:, 1:], two[:, :1])
    margin = (scores - best) / settings.scale
    margin = margin / (1 + margin * margin).sqrt()
    win = 2 * (shares - 1 / seats.unsqueeze(1))
    return settings.win * win + (1 - settings.win) * margin


@torch.no_grad()
def estimate_advantages(rollout: Rollout, trace: float) -> None:
    """Fill in advantages and value targets, from the last step back to the first.

    The successor of a decision is the next decision of the same seat. `trace` is GAE's lambda. A
    decision without a successor in this rollout has no estimate, and is not learned from.
    """
    games, device = rollout.games, rollout.values.device
    following = torch.zeros(games, SEATS, VALUES, device=device)
    credit = torch.zeros(games, SEATS, VALUES, device=device)
    known = torch.zeros(games, SEATS, dtype=torch.bool, device=device)
    every = torch.arange(games, device=device)
    for t in reversed(range(rollout.steps)):
        ended = rollout.ended[t].view(-1, 1, 1)
        following = torch.where(ended, rollout.endings[t], following)
        credit = torch.where(ended, 0.0, credit)
        known |= rollout.ended[t].unsqueeze(1)
        who, value = rollout.deciders[t], rollout.values[t]
        has_successor = known[every, who]
        advantage = following[every, who] - value + trace * credit[every, who]
        advantage = torch.where(has_successor.unsqueeze(1), advantage, 0.0)
        rollout.advantages[t] = advantage[:, UTILITY]
        rollout.targets[t] = value + advantage
        rollout.learns[t] &= has_successor
        following[every, who] = value
        credit[every, who] = advantage
        known[every, who] = True
