"""What an edition file inherits from another one, which it names as its `base`."""

from __future__ import annotations

import tomllib
from collections.abc import Mapping
from importlib.resources.abc import Traversable
from pathlib import Path
from typing import Any

from macaz.edition.board import closest
from macaz.edition.files import (
    installed_editions,
    installed_file,
    list_editions,
    read_text,
    shipped_file,
)
from macaz.errors import Problem
from macaz.plugins import EDITIONS, PluginError, find_plugin

_OWN = ("format", "base", "id", "name", "author", "sentence")  # never inherited


def resolve(
    data: Mapping[str, Any], file: Path | None, seen: tuple[str, ...] = ()
) -> dict[str, Any] | Problem:
    """The content of a file together with what it inherits, or why it cannot.

    `file` is its path, or None for a text or a file of the package. Tables are merged key by key,
    anything else in the file replaces what it would inherit. A file with cities of its own is a
    new map, which inherits the rules only.
    """
    if "base" not in data:
        return dict(data)
    name = data["base"]
    seen = seen or ((file.name,) if file is not None else ())
    if name in seen:
        circle = " → ".join((*seen[seen.index(name) :], name))
        return _problem(f"the bases form a circle: {circle}", "Let one of them have no base.")
    found = file_of(name, None if file is None else file.parent)
    if isinstance(found, Problem):
        return found
    try:
        parsed = tomllib.loads(read_text(found))
    except (OSError, ValueError, RecursionError) as error:
        message = f'the base "{name}" cannot be read: {error}'
        return _problem(message, f"Correct it: macaz edition check {name}")
    base = resolve(parsed, found if isinstance(found, Path) else None, (*seen, name))
    if isinstance(base, Problem):
        return base
    inherited = {key: value for key, value in base.items() if key not in _OWN}
    if "cities" in data:
        inherited = {"rules": inherited["rules"]} if "rules" in inherited else {}
    elif "routes" in data or "plate" in data:  # bends of one layout do not fit another
        inherited.pop("plate", None)
    own = {key: value for key, value in data.items() if key != "base"}
    merged: dict[str, Any] = _merge(inherited, own)
    return merged


def file_of(name: object, folder: Path | None) -> Traversable | Problem:
    """The file that is named as a base in a file of this folder."""
    known = list_editions()
    if not isinstance(name, str) or not name:
        return _problem(f"the base is {name!r}", 'Name an edition, as in base = "usa-classic".')
    if name in known:
        return shipped_file(name)
    if not name.endswith(".toml"):
        if plugin := find_plugin(EDITIONS, name):
            try:
                return installed_file(plugin)
            except PluginError as error:
                return _problem(str(error).removesuffix("."), "Install another version of it.")
        known += tuple(plugin.name for plugin in installed_editions() if not plugin.problem)
        near = closest(name, known)
        remedy = f"Use one of: {', '.join(known)}, or a file.toml."
        return _problem(
            f'there is no edition "{name}"', f'Did you mean "{near}"?' if near else remedy
        )
    return _beside(name, folder)


def _beside(name: str, folder: Path | None) -> Path | Problem:
    if Path(name).name != name or "\\" in name:
        return _problem(f'the base "{name}" is in another folder', "Put it beside this file.")
    if folder is None:
        message = f'the base "{name}" is a file, and this text has no folder'
        return _problem(message, "Load it from its file.")
    if not (folder / name).is_file():
        return _problem(f'there is no file "{name}" beside this one', "Check its name.")
    return folder / name


def _problem(message: str, remedy: str) -> Problem:
    return Problem("base", message, remedy)


def _merge(old: object, new: object) -> Any:
    if not isinstance(old, dict) or not isinstance(new, dict):
        return new
    both = {key: _merge(value, new[key]) if key in new else value for key, value in old.items()}
    return both | {key: value for key, value in new.items() if key not in old}
