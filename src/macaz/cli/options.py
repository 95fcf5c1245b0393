"""Options and kinds of values that several commands share."""

from __future__ import annotations

import re
from collections.abc import Callable
from fractions import Fraction

import click

Command = Callable[..., None]
_COUNT = re.compile(r"(\d+(?:\.\d+)?)(?:e(\d+))?([kmg]?)", re.IGNORECASE | re.ASCII)
_SCALE = {"": 1, "k": 10**3, "m": 10**6, "g": 10**9}
MAX_DIGITS = 15


def count(text: str) -> int:
    """A number of things, at least 1: 1000000, 1_000_000, 1e6, 10k, 1M, 1.5M."""
    found = _COUNT.fullmatch(text.replace("_", "").replace(",", ""))
    if found:
        number, exponent, scale = found.groups()
        if len(number) + int(exponent or 0) <= MAX_DIGITS:
            whole = Fraction(number) * 10 ** int(exponent or 0) * _SCALE[scale.lower()]
            if whole.denominator == 1 and whole >= 1:
                return int(whole)
    raise click.BadParameter(
        f"{text!r} is not a whole number above 0. Write it as 5000, 10k or 1e6."
    )


def seed(text: str) -> int:
    """The number that a series of games is made from."""
    if text.isascii() and text.isdecimal() and int(text) < 2**63:
        return int(text)
    raise click.BadParameter(f"{text!r} is not a whole number from 0 to {2**63 - 1}.")


COUNT, SEED = count, seed  # as `type=` of an option


def edition_option(default: str) -> Callable[[Command], Command]:
    """`--edition`, with a default."""
    return click.option(
        "--edition",
        "-e",
        "edition_name",
        default=default,
        show_default=True,
        metavar="NAME",
        help="An edition, with its options (old-west+alvin), or the path of your own file.",
    )
