"""The hyperparameters of a training."""

from __future__ import annotations

import msgspec

from macaz.bots.compiled.endings import MARGIN_SCALE
from macaz.errors import MacazError


class Settings(msgspec.Struct, frozen=True, kw_only=True):
    """All settings of a training, as its folder keeps them."""

    edition: str  # its options are trained, too, unless some are named
    seats: tuple[int, ...]
    device: str = "cuda"
    minutes: float = 60.0
    seed: int = 1
    games: int = 131072  # played at once
    steps: int = 36  # decisions in each game per iteration
    width: int = 640
    blocks: int = 2
    rate: float = 8e-4  # learning rate at the beginning
    last_rate: float = 5e-5  # learning rate at the end
    batch: int = 65536  # decisions per gradient step
    epochs: int = 1  # passes over the decisions of an iteration
    warm: int = 4  # iterations at the beginning that train the value heads only
    clip: float = 0.2  # PPO's limit on the probability ratio
    entropy: float = 0.004  # weight of the entropy bonus at the beginning
    last_entropy: float = 0.0005  # and at the end
    trace: float = 0.96  # GAE's lambda
    trust: float = 6.0  # initial logit bonus of the planner's suggestion
    win: float = 0.5  # weight of the win in the utility; the margin has the rest
    scale: float = MARGIN_SCALE  # points of margin at which its utility begins to saturate
    past: float = 0.15  # share of the games against past selves
    scripted: float = 0.1  # share of the games against scripted players
    league: int = 8  # past selves kept as opponents
    remember: int = 15  # iterations between two past selves
    rated: float = 3.0  # minutes between two ratings against the ladder; 0: none


def settings_for(edition: str, size: str) -> Settings:
    """Default settings for an edition: `full` for a GPU, `small` for a minute on a CPU."""
    from macaz.edition import load_edition

    rules = load_edition(edition).rules
    seats = tuple(range(rules.min_seats, rules.max_seats + 1))
    if size == "full":
        return Settings(edition=edition, seats=seats)
    if size == "small":
        return Settings(
            edition=edition,
            seats=seats[:2],
            device="cpu",
            minutes=1.0,
            games=128,
            steps=32,
            width=64,
            blocks=1,
            batch=512,
            remember=10,
            rated=0.0,
        )
    raise MacazError(f"there is no size {size!r}: use small or full")
