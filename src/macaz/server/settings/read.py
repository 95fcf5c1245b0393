"""Where settings come from: options before the environment before the file before defaults."""

from __future__ import annotations

import os
import tomllib
from collections.abc import Iterator, Mapping
from pathlib import Path
from typing import Any, NamedTuple

from macaz.server.settings import KNOBS, PREFIX, Misfit, Settings, SettingsError, fit_to_show

CONFIG = PREFIX + "CONFIG"
# What other parts of Macaz look up in the environment.
_OTHERS = {CONFIG, "MACAZ_CACHE_DIR", "MACAZ_DATA_DIR"}


class Given(NamedTuple):
    """A value as it was given, and where."""

    name: str
    value: object
    place: str


def read_settings(
    options: Mapping[str, object] | None = None,
    *,
    file: Path | None = None,
    environ: Mapping[str, str] = os.environ,
    defaults: Mapping[str, Any] | None = None,
) -> Settings:
    """The settings from all their sources; `SettingsError` lists everything unreadable.

    Options are by the name of the setting, and None is one not given. `defaults` stand in for
    those of the settings themselves.
    """
    problems: list[str] = []
    if file is None and environ.get(CONFIG):
        file = Path(environ[CONFIG])
    given = [
        *_from_file(file, problems),
        *_from_environment(environ, problems),
        *(Given(n, v, KNOBS[n].flag) for n, v in (options or {}).items() if v is not None),
    ]
    values = dict(defaults or {})
    for item in given:  # the stronger source comes later
        try:
            values[item.name] = KNOBS[item.name].kind.read(item.value)
        except Misfit as error:
            problems.append(f"{item.place}: {error}")
        except (TypeError, ValueError):
            problems.append(_misfit(item))
    settings = Settings(**values)
    if problems:
        from macaz.server.settings.check import problems_of

        raise SettingsError((*problems, *problems_of(settings)))
    return settings


def _from_file(path: Path | None, problems: list[str]) -> Iterator[Given]:
    if path is None:
        return
    try:
        data = tomllib.loads(path.read_text(encoding="utf-8"))
    except OSError as error:
        problems.append(f"{path}: {error.strerror or error}. Name a file that can be read.")
        return
    except ValueError as error:  # neither UTF-8 nor TOML
        problems.append(f"{path}: this is not TOML ({error}).")
        return
    for name, value in data.items():
        if name in KNOBS:
            yield Given(name, value, f"{path}, {name}")
        else:
            problems.append(f"{path}: there is no setting {name!r}.{_hint(name)}")


def _from_environment(environ: Mapping[str, str], problems: list[str]) -> Iterator[Given]:
    known = {knob.variable: name for name, knob in KNOBS.items()}
    for variable, value in environ.items():
        if variable in known:
            yield Given(known[variable], value, f"{variable} in the environment")
        elif variable.startswith(PREFIX) and variable not in _OTHERS:
            # Others may use the prefix too; only what looks like a slip is refused.
            from macaz.edition.board import closest

            name = variable.removeprefix(PREFIX)
            near = closest(name, KNOBS)
            if near and abs(len(near) - len(name)) <= 2:
                problems.append(
                    f"{variable} in the environment: there is no such setting. "
                    f"Did you mean {KNOBS[near].variable}?"
                )


def _hint(name: str) -> str:
    from macaz.edition.board import closest

    near = closest(name, KNOBS)
    return f" Did you mean {near!r}?" if near else " See the page of settings."


def _misfit(item: Given) -> str:
    knob = KNOBS[item.name]
    value = fit_to_show(item.name, item.value)
    return f"{item.place}: {value!r} is not {knob.kind.expected}."
