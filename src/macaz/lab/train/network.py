"""The network in PyTorch, for training. `macaz.bots.network` runs the same one with NumPy."""

from __future__ import annotations

from typing import Any, NamedTuple

import numpy as np
import torch
from torch import Tensor, nn
from torch.nn import functional

from macaz.bots.compiled.layout import INTENT_WORDS, INTENTS, PAID_WITH, WISHES, dtypes
from macaz.bots.network import Layer
from macaz.bots.network import Network as Played
from macaz.kernel.layout import WORD_BITS

OUTPUTS = WISHES + 2  # logits of the actions, then the two value heads: utility and win
MASKED = -1e9  # logit of an illegal action
_COLOR_TRUST = 3.0
_HINTS = dtypes["sense"].fields["hint"][1]  # type: ignore[index]


class Output(NamedTuple):
    """The output of the network for a batch of observations."""

    logits: Tensor  # of the intents, then of the colours to pay with
    utility: Tensor  # expected utility of the final result
    win: Tensor  # expected share of the win, as a logit


class Network(nn.Module):
    """A residual policy and value network over the observation of a seat."""

    def __init__(
        self, columns: np.ndarray, scales: np.ndarray, width: int, blocks: int, trust: float
    ) -> None:
        super().__init__()
        self.register_buffer("columns", torch.from_numpy(columns.astype(np.int64)))
        self.register_buffer("scales", torch.from_numpy(scales.astype(np.float32)))
        hints = range(_HINTS, _HINTS + WISHES)
        place = {int(column): at for at, column in enumerate(columns)}
        known = [(i, place[column]) for i, column in enumerate(hints) if column in place]
        self.register_buffer("hinted", torch.tensor([i for i, _ in known]))
        self.register_buffer("hints", torch.tensor([at for _, at in known]))
        self.enter = nn.Linear(len(columns), width)
        self.grow = nn.ModuleList(nn.Linear(width, width) for _ in range(blocks))
        self.fold = nn.ModuleList(nn.Linear(width, width) for _ in range(blocks))
        self.speak = nn.Linear(width, OUTPUTS)
        self.trust = nn.Parameter(torch.tensor([trust, _COLOR_TRUST]))
        for layer in self.fold:
            nn.init.zeros_(layer.weight)
        nn.init.normal_(self.speak.weight, std=0.01)
        nn.init.zeros_(self.speak.bias)

    def read(self, rows: Tensor) -> Tensor:
        """The columns of observation rows that this network reads."""
        return rows.index_select(1, self.get_buffer("columns"))

    def forward(self, read: Tensor) -> Output:
        """Logits and values, from what `read` returns."""
        # Small integers times powers of two: bfloat16 represents them exactly.
        kind = torch.bfloat16 if torch.is_autocast_enabled(read.device.type) else torch.float32
        x = read.to(kind) * self.get_buffer("scales").to(kind)
        h = functional.relu(self.enter(x))
        for grow, fold in zip(self.grow, self.fold, strict=True):
            h = h + fold(functional.relu(grow(_rms_norm(h))))
        output = self.speak(_rms_norm(h)).float()
        hints = torch.zeros_like(output[:, :WISHES])
        hints[:, self.get_buffer("hinted")] = read[:, self.get_buffer("hints")].float()
        trust = torch.cat([self.trust[:1].expand(INTENTS), self.trust[1:].expand(PAID_WITH)])
        return Output(output[:, :WISHES] + trust * hints, output[:, WISHES], output[:, WISHES + 1])

    def as_played(self, about: dict[str, Any]) -> Played:
        """The same network in the form that bots run."""

        def plain(tensor: Tensor) -> np.ndarray:
            found: np.ndarray = tensor.detach().float().cpu().numpy()
            return found

        def layer(linear: nn.Module) -> Layer:
            assert isinstance(linear, nn.Linear)
            return Layer(np.ascontiguousarray(plain(linear.weight).T), plain(linear.bias))

        return Played(
            columns=self.get_buffer("columns").cpu().numpy().astype(np.int32),
            scales=plain(self.get_buffer("scales")),
            enter=layer(self.enter),
            blocks=tuple(
                (layer(grow), layer(fold)) for grow, fold in zip(self.grow, self.fold, strict=True)
            ),
            speak=layer(self.speak),
            trust=plain(self.trust),
            about=about,
        )


def _rms_norm(h: Tensor) -> Tensor:
    return functional.rms_norm(h, (h.shape[-1],), eps=1e-5)


def legal_mask(words: Tensor) -> Tensor:
    """Bit sets of legal intents as a boolean mask."""
    shifts = torch.arange(WORD_BITS, device=words.device)
    bits = (words.unsqueeze(-1) >> shifts) & 1
    return bits.view(-1, INTENT_WORDS * WORD_BITS).bool()


def payable_mask(payable: Tensor) -> Tensor:
    """Bit sets of payable colours as a boolean mask."""
    shifts = torch.arange(PAID_WITH, device=payable.device)
    return ((payable.long().unsqueeze(-1) >> shifts) & 1).bool()


class Likelihood(NamedTuple):
    """The probability of decisions under the policy."""

    log_prob: Tensor  # of the action that was played
    entropy: Tensor  # of the distribution over the intents


def likelihood_of(
    logits: Tensor, legal: Tensor, payable: Tensor, intents: Tensor, colors: Tensor
) -> Likelihood:
    """The log probability of intents and the colours paid with, and the entropy of the choice."""
    logs = functional.log_softmax(
        logits[:, :INTENTS].masked_fill(~legal_mask(legal), MASKED), dim=1
    )
    log_prob = logs.gather(1, intents.long().unsqueeze(1)).squeeze(1)
    entropy = -(logs.exp() * logs).sum(1)
    can = payable_mask(payable)
    paid = functional.log_softmax(logits[:, INTENTS:].masked_fill(~can, MASKED), dim=1)
    color = paid.gather(1, colors.long().clamp(min=0).unsqueeze(1)).squeeze(1)
    return Likelihood(log_prob + torch.where(payable > 0, color, 0.0), entropy)


def add_gumbel_noise(logits: Tensor) -> Tensor:
    """Logits plus Gumbel noise: the largest legal one is then a sample from the policy."""
    return logits - torch.empty_like(logits).exponential_().log_()
