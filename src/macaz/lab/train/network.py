"""The network while it learns. `macaz.bots.network` runs the same one with NumPy."""

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

SPOKEN = WISHES + 2  # beside the wishes: what the ending is worth, and the share of the win
NEVER = -1e9  # the wish for what is not allowed
_COLOR_TRUST = 3.0
_HINTS = dtypes["sense"].fields["hint"][1]  # type: ignore[index]


class Said(NamedTuple):
    """What a network says of decisions."""

    wishes: Tensor  # by intent and colour, as logits
    worth: Tensor  # what the ending is expected to be worth
    win: Tensor  # the share of the win, as a logit


class Network(nn.Module):
    """A residual network from what a seat knows to what it should do, and what that is worth."""

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
        self.speak = nn.Linear(width, SPOKEN)
        self.trust = nn.Parameter(torch.tensor([trust, _COLOR_TRUST]))
        for layer in self.fold:
            nn.init.zeros_(layer.weight)
        nn.init.normal_(self.speak.weight, std=0.01)
        nn.init.zeros_(self.speak.bias)

    def read(self, rows: Tensor) -> Tensor:
        """The numbers of rows that this network reads."""
        return rows.index_select(1, self.get_buffer("columns"))

    def forward(self, read: Tensor) -> Said:
        """What to do, and what it is worth, from the numbers that `read` gives."""
        # Small whole numbers and powers of two: nothing is lost in the shorter kind of number.
        kind = torch.bfloat16 if torch.is_autocast_enabled(read.device.type) else torch.float32
        x = read.to(kind) * self.get_buffer("scales").to(kind)
        h = functional.relu(self.enter(x))
        for grow, fold in zip(self.grow, self.fold, strict=True):
            h = h + fold(functional.relu(grow(_even(h))))
        said = self.speak(_even(h)).float()
        hints = torch.zeros_like(said[:, :WISHES])
        hints[:, self.get_buffer("hinted")] = read[:, self.get_buffer("hints")].float()
        trust = torch.cat([self.trust[:1].expand(INTENTS), self.trust[1:].expand(PAID_WITH)])
        return Said(said[:, :WISHES] + trust * hints, said[:, WISHES], said[:, WISHES + 1])

    def as_played(self, about: dict[str, Any]) -> Played:
        """The same network as bots run it."""

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


def _even(h: Tensor) -> Tensor:
    """Brought to an even size, so that blocks can be laid on blocks."""
    return functional.rms_norm(h, (h.shape[-1],), eps=1e-5)


def allowed(words: Tensor) -> Tensor:
    """Words of bits as a mask over the intents."""
    shifts = torch.arange(WORD_BITS, device=words.device)
    bits = (words.unsqueeze(-1) >> shifts) & 1
    return bits.view(-1, INTENT_WORDS * WORD_BITS).bool()


def affordable(payable: Tensor) -> Tensor:
    """Bits of colours as a mask over them."""
    shifts = torch.arange(PAID_WITH, device=payable.device)
    return ((payable.long().unsqueeze(-1) >> shifts) & 1).bool()


class Odds(NamedTuple):
    """How likely decisions are."""

    taken: Tensor  # the logarithm of the odds of what was done
    entropy: Tensor  # how open the choice was


def odds_of(
    wishes: Tensor, legal: Tensor, payable: Tensor, intents: Tensor, colors: Tensor
) -> Odds:
    """How likely what was done is, the colour that it was paid with included."""
    logs = functional.log_softmax(wishes[:, :INTENTS].masked_fill(~allowed(legal), NEVER), dim=1)
    taken = logs.gather(1, intents.long().unsqueeze(1)).squeeze(1)
    entropy = -(logs.exp() * logs).sum(1)
    can = affordable(payable)
    paid = functional.log_softmax(wishes[:, INTENTS:].masked_fill(~can, NEVER), dim=1)
    color = paid.gather(1, colors.long().clamp(min=0).unsqueeze(1)).squeeze(1)
    return Odds(taken + torch.where(payable > 0, color, 0.0), entropy)


def perturbed(wishes: Tensor) -> Tensor:
    """Wishes with such noise that the greatest allowed one is a fair draw by their odds."""
    return wishes - torch.empty_like(wishes).exponential_().log_()
