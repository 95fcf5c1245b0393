"""How a network is trained: every number that a training is made of."""

from __future__ import annotations

import msgspec

from macaz.bots.compiled.endings import MARGIN_SCALE
from macaz.errors import MacazError


class Settings(msgspec.Struct, frozen=True, kw_only=True):
    """What is trained, how large it is, and how it learns."""

    edition: str  # of the network; its options are learned beside it
    seats: tuple[int, ...]
    device: str = "cuda"
    minutes: float = 60.0
    seed: int = 1
    games: int = 131072  # that go on side by side
    steps: int = 36  # decisions in each game between two times of learning
    width: int = 640
    blocks: int = 2
    rate: float = 8e-4  # of learning, at first
    last_rate: float = 5e-5  # at the end
    batch: int = 65536  # decisions that are learned from at once
    epochs: int = 1  # times that each decision is learned from
    warm: int = 4  # times of learning at first in which only what endings are worth is learned
    clip: float = 0.2  # how far a decision may become likelier in one time of learning
    entropy: float = 0.004  # how much a choice is kept open, at first
    last_entropy: float = 0.0005
    trace: float = 0.96  # how far the credit for an ending reaches back
    trust: float = 6.0  # how much likelier the planner's suggestion is at the very beginning
    win: float = 0.5  # weight of winning against the margin in points
    scale: float = MARGIN_SCALE  # points of margin that are worth much
    past: float = 0.15  # share of the games against past selves
    scripted: float = 0.1  # share of the games against scripted players
    league: int = 8  # past selves that are kept
    remember: int = 15  # times of learning between two of them
    rated: float = 3.0  # minutes between two ratings against the ladder; 0: none


def settings_for(edition: str, size: str) -> Settings:
    """The usual settings for an edition: `full` for a GPU, `small` for a minute on a processor."""
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
