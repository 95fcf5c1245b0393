"""Consoles, tables, numbers and colours of the command line."""

from __future__ import annotations

import os
import sys
from typing import Any

from rich.box import SIMPLE_HEAD
from rich.console import Console
from rich.table import Table

# Terminal styles of the colours of cards and lanes, for dark and light backgrounds.
COLOR_STYLE = {
    "purple": "magenta",
    "blue": "blue",
    "orange": "dark_orange",
    "white": "bold",
    "green": "green",
    "yellow": "yellow",
    "black": "bright_black",
    "red": "red",
    "gray": "dim",
    "locomotive": "bold cyan",
}
PLAIN_WIDTH = 120


def stdout() -> Console:
    """The console for results; plain and `PLAIN_WIDTH` wide if it is not a terminal."""
    return _console(stderr=False)


def stderr() -> Console:
    """The console for progress and messages."""
    return _console(stderr=True)


def _console(stderr: bool) -> Console:
    stream = sys.stderr if stderr else sys.stdout
    chosen = os.environ.get("COLUMNS", "").isdecimal()  # Rich uses it
    width = None if stream.isatty() or chosen else PLAIN_WIDTH
    # Rich would print `my.py:Train: it failed` with a picture of a train.
    return Console(stderr=stderr, width=width, highlight=False, emoji=False)


def new_table(title: str = "", **settings: Any) -> Table:
    """A Rich table in the style of all commands."""
    return Table(
        title=title or None,
        title_justify="left",
        title_style="bold",
        box=SIMPLE_HEAD,
        pad_edge=False,
        header_style="bold",
        **settings,
    )


def plural(count: int, noun: str) -> str:
    """The count with its noun: "1 game", "2,000 games"."""
    return f"{count:,} {noun}" if count == 1 else f"{count:,} {noun}s"


def signed(number: float, digits: int = 1) -> str:
    """A number with a proper minus sign."""
    return f"{number:,.{digits}f}".replace("-", "−")
