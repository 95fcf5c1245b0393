"""Formatting and parsing a line of the protocol: a word and its data."""

from __future__ import annotations

import json
from typing import Any

import msgspec

Data = dict[str, Any]


def line(word: str, data: Data | None = None) -> str:
    """The line with a word and its JSON."""
    if data is None:
        return word
    return f"{word} {msgspec.json.encode(data).decode()}"


def split(text: str) -> tuple[str, str]:
    """The word of a line, and the rest."""
    word, _, rest = text.strip().partition(" ")
    return word, rest.strip()


def read_data(text: str) -> Data:
    """The JSON object of a line; {} for empty text, ValueError for other data."""
    if not text:
        return {}
    try:
        data = json.loads(text)
    except RecursionError:
        raise ValueError("it is nested too deep") from None
    if not isinstance(data, dict):
        raise ValueError("it is not a JSON object")
    return data
