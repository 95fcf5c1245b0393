"""The machine, in words that name nobody: processor, cores, versions."""

from __future__ import annotations

import platform
from importlib import metadata
from pathlib import Path

from macaz import __version__
from macaz.kernel.cpu import core_count


def describe() -> dict[str, str]:
    """What the figures depend on."""
    return {
        "processor": processor(),
        "cores": str(core_count()),
        "system": f"{platform.system()} {platform.machine()}",
        "python": platform.python_version(),
        "macaz": __version__,
        **{name: metadata.version(name) for name in ("numba", "numpy")},
    }


def in_words() -> str:
    """The same in one line."""
    found = describe()
    versions = ", ".join(
        f"{name} {found[key]}"
        for name, key in (("Python", "python"), ("Numba", "numba"), ("NumPy", "numpy"))
    )
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
