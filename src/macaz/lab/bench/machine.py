"""Describes the machine without personal data: processor, cores, versions."""

from __future__ import annotations

import platform
from collections.abc import Iterator
from contextlib import suppress
from importlib import metadata
from pathlib import Path

from macaz import __version__
from macaz.workers import core_count


def describe() -> dict[str, str]:
    """The properties that results depend on."""
    return {
        "processor": processor(),
        "cores": str(core_count()),
        "system": f"{platform.system()} {platform.machine()}",
        "python": platform.python_version(),
        "macaz": __version__,
        **dict(_versions("numba", "wasmtime", "numpy")),
    }


def _versions(*names: str) -> Iterator[tuple[str, str]]:
    for name in names:
        with suppress(metadata.PackageNotFoundError):
            yield name, metadata.version(name)


def in_words() -> str:
    """The same in one line."""
    found = describe()
    names = {"python": "Python", "numba": "Numba", "wasmtime": "wasmtime", "numpy": "NumPy"}
    versions = ", ".join(f"{name} {found[key]}" for key, name in names.items() if key in found)
    cores = f"{found['cores']} core{'s' if found['cores'] != '1' else ''}"
    return f"{found['processor']}, {cores}, {found['system']}; {versions}"


def processor() -> str:
    """The model of the processor."""
    try:
        for line in Path("/proc/cpuinfo").read_text().splitlines():
            key, _, value = line.partition(":")
            if key.strip() == "model name":
                return value.strip()
    except OSError:
        pass
    return platform.processor() or platform.machine()
