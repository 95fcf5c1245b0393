"""What installed packages bring: bots and editions, by entry points in their metadata.

A package lists them in its `pyproject.toml`:

    [project.entry-points."macaz.bots"]
    shark = "sharks.bots:Shark"

    [project.entry-points."macaz.editions"]
    alps = "sharks.maps:alps"

The metadata of all packages is read when a name is asked for that Macaz itself does not have, or
when all names are listed. An entry is imported when it is used, and not before.
"""

from __future__ import annotations

import re
import sys
from collections.abc import Collection
from dataclasses import dataclass
from functools import lru_cache
from typing import TYPE_CHECKING, Any

from macaz.errors import MacazError

if TYPE_CHECKING:
    from importlib.metadata import EntryPoint

BOTS, EDITIONS = "bots", "editions"  # the groups macaz.bots and macaz.editions
_NAME = re.compile(r"[a-z0-9][a-z0-9_-]*")


class PluginError(MacazError):
    """An entry point of an installed package cannot be used; the message names the package."""


@dataclass(frozen=True)
class Plugin:
    """An entry point of an installed package."""

    name: str
    package: str  # with its version: "sharks 1.2"
    entry: EntryPoint
    problem: str = ""  # why the name cannot be used

    def load(self) -> Any:
        """The object that the entry point names; raises `PluginError`."""
        if self.problem:
            raise PluginError(self.problem)
        try:
            return self.entry.load()
        except (Exception, SystemExit) as error:
            raise PluginError(
                f"{self.name!r} of the package {self.package} cannot be loaded "
                f"({self.entry.value}): {type(error).__name__}: {error}"
            ) from error


def list_plugins(group: str, taken: Collection[str] = ()) -> tuple[Plugin, ...]:
    """The entry points of a group, by name; `taken` are the names that Macaz itself uses."""
    found = _read(group, tuple(sys.path))
    return tuple(
        Plugin(name, package, entry, _problem(found, name, package, taken))
        for name, package, entry in found
    )


def find_plugin(group: str, name: str) -> Plugin | None:
    """The entry point of a name that Macaz itself does not have; None if there is none."""
    return next((plugin for plugin in list_plugins(group) if plugin.name == name), None)


def _problem(
    found: tuple[tuple[str, str, EntryPoint], ...], name: str, package: str, taken: Collection[str]
) -> str:
    if name in taken:
        return (
            f"the package {package} brings {name!r}, which is a name of Macaz itself: "
            "it cannot be used."
        )
    if not _NAME.fullmatch(name):
        return (
            f"the package {package} brings {name!r}, which cannot be used as a name: "
            "it may have small letters, digits, - and _."
        )
    packages = [other for its, other, _ in found if its == name]
    if len(packages) > 1:
        return (
            f"{name!r} is brought by two packages, {' and '.join(packages)}: uninstall one of them."
        )
    return ""


@lru_cache(maxsize=8)
def _read(group: str, path: tuple[str, ...]) -> tuple[tuple[str, str, EntryPoint], ...]:
    """Name, package and entry point; `path` is what they are searched in, for the cache."""
    from importlib.metadata import entry_points

    found = [
        (entry.name, f"{entry.dist.name} {entry.dist.version}" if entry.dist else "?", entry)
        for entry in entry_points(group=f"macaz.{group}")
    ]
    return tuple(sorted(found, key=lambda one: one[:2]))
