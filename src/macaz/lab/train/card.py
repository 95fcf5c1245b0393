"""The card of a network: its settings, training time, hardware and ratings, as Markdown."""

from __future__ import annotations

from collections.abc import Iterable, Sequence
from pathlib import Path

import msgspec

from macaz import __version__
from macaz.errors import MacazError
from macaz.lab.train.folder import NETWORK, read_settings
from macaz.lab.train.journal import Line, log_of_network
from macaz.lab.train.plots import PARTS, short, time_spent
from macaz.lab.train.ratings import Rating, read_ratings

# Settings that have a row of their own in the card, or do not describe the network.
NOT_LISTED = ("edition", "seats", "width", "blocks", "minutes", "device")


def card(folder: Path) -> str:
    """The card of the network in a folder, as Markdown."""
    settings, log = read_settings(folder), log_of_network(folder)
    if not log:
        raise MacazError(f"{folder} has no finished iteration yet.")
    seats = ", ".join(map(str, settings.seats))
    parts = [
        f"# A network for {settings.edition}, {seats} seats",
        "",
        *_table(("what", "how much"), [*_shape(folder), *_trained(log)]),
        "",
        "## How strong it is",
        "",
        *_ratings(latest(read_ratings(folder))),
        "",
        "## How it was trained",
        "",
        *_table(
            ("setting", "value"),
            (
                (f"`{name}`", f"{value}")
                for name, value in msgspec.structs.asdict(settings).items()
                if name not in NOT_LISTED
            ),
        ),
    ]
    return "\n".join(parts) + "\n"


def latest(ratings: Iterable[Rating]) -> list[Rating]:
    """The last rating against each opponent."""
    return list({rating.against: rating for rating in ratings}.values())


def _shape(folder: Path) -> list[tuple[str, str]]:
    settings, file = read_settings(folder), folder / NETWORK
    rows = [("network", f"{settings.blocks} blocks, {settings.width} wide")]
    if file.exists():
        import numpy as np

        with np.load(file, allow_pickle=False) as arrays:
            numbers = sum(arrays[name].size for name in arrays.files)
        rows += [
            ("numbers in it", short(numbers)),
            ("its file", f"{file.stat().st_size / 1e6:.1f} MB"),
        ]
    return rows


def _trained(log: Sequence[Line]) -> list[tuple[str, str]]:
    last, seconds = log[-1], time_spent(log)
    whole = sum(seconds.values()) or 1.0
    return [
        ("trained on", ", then ".join(dict.fromkeys(line.device for line in log))),
        ("with", f"macaz {__version__}"),
        ("minutes", f"{last.minutes:,.1f}"),
        ("games", f"{last.games:,}"),
        ("decisions", f"{last.decisions:,}"),
        ("decisions a second", short(last.decisions / max(last.seconds, 1e-9))),
        ("iterations", f"{last.iteration:,}"),
        (
            "where the time went",
            ", ".join(
                f"{PARTS[part]} {100 * spent / whole:.0f} %" for part, spent in seconds.items()
            ),
        ),
    ]


def _ratings(ratings: Sequence[Rating]) -> list[str]:
    if not ratings:
        return ["It was not rated; `macaz train rate` does that."]
    failed = any(rating.failures or rating.opponent_failures for rating in ratings)
    rows = [
        (
            rating.opponent,
            str(rating.players),
            f"{100 * rating.share:.1f} %",
            f"{100 * rating.low:.1f} to {100 * rating.high:.1f} %",
            f"{rating.games:,}",
            f"{rating.minutes:,.1f}",
            *([f"{rating.failures:,} and {rating.opponent_failures:,}"] if failed else []),
        )
        for rating in ratings
    ]
    heads = ["against", "seats", "wins", "95 %", "games played", "minutes trained"]
    heads += ["failures, its own and theirs"] * failed
    method = "Every deal is played with every rotation of the seats. An even share is 50 %."
    return [method, "", *_table(heads, rows)]


def _table(heads: Sequence[str], rows: Iterable[Sequence[str]]) -> list[str]:
    lines = [heads, ["---"] * len(heads), *rows]
    return ["| " + " | ".join(line) + " |" for line in lines]
