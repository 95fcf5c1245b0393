"""One line of the protocol: a word, and what is said with it."""

from __future__ import annotations

import json
from typing import Any

import msgspec

Data = dict[str, Any]


def line(word: str, data: Data | None = None) -> str:
    """A word with its JSON, as it is sent."""
    if data is None:
        return word
    return f"{word} {msgspec.json.encode(data).decode()}"


def split(text: str) -> tuple[str, str]:
    """The word of a line and the rest of it."""
    word, _, rest = text.strip().partition(" ")
    return word, rest.strip()


def read_data(text: str) -> Data:
    """The JSON object behind a word, {} where there is none; ValueError where it is no object."""
    if not text:
        return {}
    try:
        data = json.loads(text)
    except RecursionError:
        raise ValueError("it is nested too deep") from None
    if not isinstance(data, dict):
        raise ValueError("it is not a JSON object")
    return data
