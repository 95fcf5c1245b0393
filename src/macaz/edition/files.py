"""Where the files of editions are: those of Macaz, and those of installed packages."""

from __future__ import annotations

import os
from importlib.resources import files
from importlib.resources.abc import Traversable
from pathlib import Path

from macaz.plugins import EDITIONS, Plugin, PluginError, list_plugins


def list_editions() -> tuple[str, ...]:
    """The ids of the editions that come with Macaz."""
    names = (entry.name for entry in _folder().iterdir())
    return tuple(sorted(n.removesuffix(".toml") for n in names if n.endswith(".toml")))


def shipped_file(name: str) -> Traversable:
    """The file of an edition that comes with Macaz."""
    return _folder().joinpath(f"{name}.toml")


def installed_editions() -> tuple[Plugin, ...]:
    """The editions of installed packages; `problem` says why one cannot be used."""
    return list_plugins(EDITIONS, list_editions())


def installed_file(plugin: Plugin) -> Traversable:
    """The file of an edition that an installed package brings; raises PluginError."""
    found = plugin.load()
    whose = f"the edition {plugin.name!r} of the package {plugin.package}"
    if callable(found):
        try:
            found = found()
        except (Exception, SystemExit) as error:
            raise PluginError(
                f"{whose} cannot be loaded ({plugin.entry.value}): {type(error).__name__}: {error}"
            ) from error
    if isinstance(found, str | os.PathLike):
        found = Path(found)
    if not isinstance(found, Traversable):
        raise PluginError(
            f"{whose} is {type(found).__name__!r} ({plugin.entry.value}), not the path of a file."
        )
    if not found.is_file():
        raise PluginError(f"{whose} has no file: there is no {found}.")
    return found


def read_text(entry: Traversable) -> str:
    """The text of a file; raises OSError or UnicodeDecodeError."""
    return entry.read_bytes().decode("utf-8-sig")


def _folder() -> Traversable:
    return files("macaz").joinpath("editions")
