"""Options and parameter types that several commands share."""

from __future__ import annotations

import csv
import io
import re
import shlex
import shutil
import sys
from collections.abc import Callable, Iterable
from fractions import Fraction
from pathlib import Path
from typing import TYPE_CHECKING

import click

if TYPE_CHECKING:
    from macaz.edition.rules import Rules

Command = Callable[..., None]
_COUNT = re.compile(r"(\d+(?:\.\d+)?)(?:e(\d+))?([kmg]?)", re.IGNORECASE | re.ASCII)
_SCALE = {"": 1, "k": 10**3, "m": 10**6, "g": 10**9}
MOST = 10**15
DEFAULT_EDITION = "usa-classic"
MOST_THREADS = 1024


def count(text: str) -> int:
    """A number of things, at least 1: 1000000, 1_000_000, 1e6, 10k, 1M, 1.5M."""
    found = _COUNT.fullmatch(text.replace("_", "").replace(",", ""))
    if found and len(text) < 100:  # longer ones are slow to compute, or refused by Python
        number, exponent, scale = found.groups()
        # Any number with an exponent of 200 is too large.
        power = min(int(exponent or 0), 200)
        whole = Fraction(number) * 10**power * _SCALE[scale.lower()]
        if whole > MOST:
            raise click.BadParameter(f"{text!r} is too large: the maximum is 1e15.")
        if whole.denominator == 1 and whole >= 1:
            return int(whole)
    raise click.BadParameter(
        f"{text!r} is not a whole number above 0. Write it as 5000, 10k or 1e6."
    )


def seed(text: str) -> int:
    """A seed of random numbers."""
    if text.isascii() and text.isdecimal() and int(text) < 2**63:
        return int(text)
    raise click.BadParameter(f"{text!r} is not a whole number from 0 to {2**63 - 1}.")


def threads(text: str) -> int:
    """A number of threads or processes."""
    if text.isascii() and text.isdecimal() and len(text) < 9 and 1 <= int(text) <= MOST_THREADS:
        return int(text)
    raise click.BadParameter(
        f"{text!r} is not a number of threads from 1 to {MOST_THREADS}. "
        "Leave it out for as many as there are cores."
    )


def bots(text: str) -> tuple[str, ...]:
    """Bots separated by commas; one that contains a comma is quoted."""
    found = next(csv.reader([text], skipinitialspace=True), [])
    return tuple(bot.strip() for bot in found if bot.strip())


def bots_text(named: Iterable[str]) -> str:
    """The inverse of `bots`."""
    text = io.StringIO()
    csv.writer(text, lineterminator="").writerow(named)
    return text.getvalue()


BOTS, COUNT, SEED, THREADS = bots, count, seed, threads  # as `type=` of an option


def table_size(rules: Rules) -> str:
    """The possible numbers of players: "2 to 5 players"."""
    if rules.min_seats == rules.max_seats:
        return f"{rules.min_seats} players"
    return f"{rules.min_seats} to {rules.max_seats} players"


def program() -> str:
    """The command that starts this program, as the user typed it."""
    script = Path(sys.argv[0])
    if script.name == "__main__.py":
        return "python -m macaz"
    found = shutil.which("macaz")
    if script.name != "macaz" or not script.exists() or (found and script.samefile(found)):
        return "macaz"
    return shlex.quote(str(script))  # such as .venv/bin/macaz


def edition_option(command: Command) -> Command:
    option = click.option(
        "--edition",
        "-e",
        "edition_name",
        default=DEFAULT_EDITION,
        show_default=True,
        metavar="NAME",
        help="An edition with its options (old-west+alvin), or the path of an edition file.",
    )
    return option(command)
