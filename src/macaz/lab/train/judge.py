"""What endings are worth, and how good the decisions were that led to them."""

from __future__ import annotations

import torch
from torch import Tensor

from macaz.kernel.layout import SEATS
from macaz.lab.train.seen import SAID, WORTH, Seen
from macaz.lab.train.settings import Settings

ABSENT = -1e4  # points of a seat that nobody sits on


def worth_of(scores: Tensor, shares: Tensor, seats: Tensor, settings: Settings) -> Tensor:
    """What endings are worth to each seat: the win, and the margin to the best of the others."""
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
def judge(seen: Seen, trace: float) -> None:
    """How much better than expected each decision turned out, back from the endings.

    A seat's next decision is what follows from its last one. The last decisions of all, whose
    game goes on, have nothing to be judged by yet, and are not learned from.
    """
    games, device = seen.games, seen.values.device
    following = torch.zeros(games, SEATS, SAID, device=device)
    credit = torch.zeros(games, SEATS, SAID, device=device)
    known = torch.zeros(games, SEATS, dtype=torch.bool, device=device)
    every = torch.arange(games, device=device)
    for t in reversed(range(seen.steps)):
        ended = seen.ended[t].view(-1, 1, 1)
        following = torch.where(ended, seen.endings[t], following)
        credit = torch.where(ended, 0.0, credit)
        known |= seen.ended[t].unsqueeze(1)
        who, value = seen.deciders[t], seen.values[t]
        judged = known[every, who]
        gain = following[every, who] - value + trace * credit[every, who]
        gain = torch.where(judged.unsqueeze(1), gain, 0.0)
        seen.gains[t] = gain[:, WORTH]
        seen.targets[t] = value + gain
        seen.learns[t] &= judged
        following[every, who] = value
        credit[every, who] = gain
        known[every, who] = True
