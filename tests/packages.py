"""Installed packages, made up: what `pip install` would leave in a folder."""

from __future__ import annotations

import os
from collections.abc import Mapping
from pathlib import Path

import pytest


def install(
    folder: Path,
    name: str,
    entries: Mapping[str, Mapping[str, str]],
    files: Mapping[str, str],
    version: str = "1.2",
) -> None:
    """Write a package and its metadata; `entries` are its entry points, by group."""
    for path, text in files.items():
        folder.joinpath(path).parent.mkdir(parents=True, exist_ok=True)
        folder.joinpath(path).write_text(text, encoding="utf-8")
    about = folder / f"{name}-{version}.dist-info"
    about.mkdir(parents=True)
    about.joinpath("METADATA").write_text(
        f"Metadata-Version: 2.1\nName: {name}\nVersion: {version}\n", encoding="utf-8"
    )
    lines = []
    for group, points in entries.items():
        lines += [f"[{group}]", *(f"{key} = {value}" for key, value in points.items())]
    about.joinpath("entry_points.txt").write_text("\n".join(lines), encoding="utf-8")


def use(folder: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    """Let this process and those that it starts find the packages of a folder."""
    monkeypatch.syspath_prepend(folder)
    monkeypatch.setenv("PYTHONPATH", str(folder), prepend=os.pathsep)
