"""What an edition file inherits from another one, which it names as its `base`."""

from __future__ import annotations

import tomllib
from collections.abc import Mapping
from importlib.resources import files
from importlib.resources.abc import Traversable
from pathlib import Path
from typing import Any

from macaz.edition.board import closest

_OWN = ("format", "base", "id", "name", "author", "sentence")  # never inherited


class BadBase(Exception):  # noqa: N818 - named like IllegalMove
    """The base of a file cannot be used; `remedy` says what to do."""

    def __init__(self, message: str, remedy: str) -> None:
        super().__init__(message)
        self.message, self.remedy = message, remedy


def list_editions() -> tuple[str, ...]:
    """The ids of the editions that come with Macaz."""
    names = (entry.name for entry in _folder().iterdir())
    return tuple(sorted(n.removesuffix(".toml") for n in names if n.endswith(".toml")))


def shipped_file(name: str) -> Traversable:
    """The file of an edition that comes with Macaz."""
    return _folder().joinpath(f"{name}.toml")


def base_file(name: object, folder: Path | None) -> Traversable:
    """The file that is named as a base in a file of this folder; raises BadBase."""
    if not isinstance(name, str) or not name:
        raise BadBase(f"the base is {name!r}", 'Name an edition, as in base = "usa-classic".')
    if name in list_editions():
        return shipped_file(name)
    if not name.endswith(".toml"):
        near = closest(name, list_editions())
        remedy = f'Did you mean "{near}"?' if near else f"Use one of: {', '.join(list_editions())}"
        raise BadBase(
            f'there is no edition "{name}"', remedy if near else f"{remedy}, or a file.toml."
        )
    if Path(name).name != name or "\\" in name:
        raise BadBase(f'the base "{name}" is in another folder', "Put it beside this file.")
    if folder is None:
        raise BadBase(
            f'the base "{name}" is a file, and this text has no folder', "Load it from its file."
        )
    if not (folder / name).is_file():
        raise BadBase(f'there is no file "{name}" beside this one', "Check its name.")
    return folder / name


def resolve(data: Mapping[str, Any], file: Path | None, seen: tuple[str, ...] = ()) -> Any:
    """The content of a file together with what it inherits; raises BadBase.

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
        raise BadBase(f"the bases form a circle: {circle}", "Let one of them have no base.")
    found = base_file(name, None if file is None else file.parent)
    try:
        parsed = tomllib.loads(read_text(found))
    except (OSError, ValueError, RecursionError) as error:
        raise BadBase(
            f'the base "{name}" cannot be read: {error}', f"Correct it: macaz edition check {name}"
        ) from error
    base = resolve(parsed, found if isinstance(found, Path) else None, (*seen, name))
    inherited = {key: value for key, value in base.items() if key not in _OWN}
    if "cities" in data:
        inherited = {"rules": inherited["rules"]} if "rules" in inherited else {}
    elif "routes" in data:
        inherited.pop("plate", None)
    own = {key: value for key, value in data.items() if key != "base"}
    return _merge(inherited, own)


def read_text(entry: Traversable) -> str:
    """The text of a file; raises OSError or UnicodeDecodeError."""
    return entry.read_bytes().decode("utf-8-sig")


def _merge(old: object, new: object) -> Any:
    if not isinstance(old, dict) or not isinstance(new, dict):
        return new
    both = {key: _merge(value, new[key]) if key in new else value for key, value in old.items()}
    return both | {key: value for key, value in new.items() if key not in old}


def _folder() -> Traversable:
    return files("macaz").joinpath("editions")
