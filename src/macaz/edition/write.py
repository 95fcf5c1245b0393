"""Editions as TOML text, one entry to a line."""

from __future__ import annotations

import json
import re
from collections.abc import Mapping, Sequence
from typing import Any

_BARE = re.compile(r"[A-Za-z0-9_-]+")


def write_edition(data: Mapping[str, Any]) -> str:
    """The text of a file with this content, which `tomllib` reads back."""
    plain = {key: value for key, value in data.items() if not isinstance(value, Mapping)}
    blocks = []
    short = [f"{_key(key)} = {_value(plain[key])}" for key in plain if not _is_rows(plain[key])]
    if short:
        blocks.append("\n".join(short))
    for key, value in plain.items():
        if _is_rows(value):
            blocks.append(f"{_key(key)} = [\n{_rows(value)}]")
    for key, value in data.items():
        if isinstance(value, Mapping):
            blocks += _table(_key(key), value)
    return "\n\n".join(blocks) + "\n"


def _table(name: str, table: Mapping[str, Any]) -> list[str]:
    """A table and its tables as blocks of lines; deeper ones are written in their lines."""
    inner = [key for key, value in table.items() if isinstance(value, Mapping) and "." not in name]
    own = {_key(key): _value(value) for key, value in table.items() if key not in inner}
    wide = max(map(len, own), default=0)
    lines = [f"[{name}]", *(f"{key:<{wide}} = {value}" for key, value in own.items())]
    blocks = ["\n".join(lines)] if own or not inner else []
    for key in inner:
        blocks += _table(f"{name}.{_key(key)}", table[key])
    return blocks


def _is_rows(value: object) -> bool:
    return isinstance(value, list) and bool(value) and all(isinstance(v, Mapping) for v in value)


def _rows(rows: Sequence[Mapping[str, Any]]) -> str:
    """Inline tables, their common entries aligned."""
    wide: dict[str, int] = {}
    for row in rows:
        for key, value in row.items():
            wide[key] = max(wide.get(key, 0), len(_value(value)))
    lines = []
    for row in rows:
        last = list(row)[-1]
        parts = []
        for key, value in row.items():
            shown = _value(value)
            if isinstance(value, int | float):
                shown = shown.rjust(wide[key])
            space = "" if key == last or isinstance(value, list) else " " * (wide[key] - len(shown))
            parts.append(f"{_key(key)} = {shown}" + ("" if key == last else f",{space}"))
        lines.append(f"  {{ {' '.join(parts)} }},\n")
    return "".join(lines)


def _key(key: str) -> str:
    return key if _BARE.fullmatch(key) else _text(key)


def _value(value: object) -> str:
    if isinstance(value, str):
        return _text(value)
    if isinstance(value, bool):
        return "true" if value else "false"
    if isinstance(value, Mapping):
        return "{ " + ", ".join(f"{_key(k)} = {_value(v)}" for k, v in value.items()) + " }"
    if isinstance(value, list | tuple):
        return "[" + ", ".join(map(_value, value)) + "]"
    return str(value)


def _text(text: str) -> str:
    return json.dumps(text, ensure_ascii=False).replace("\x7f", "\\u007f")
