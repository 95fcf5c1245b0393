"""The base class of errors, and the description of a problem in a file."""

from __future__ import annotations

from dataclasses import dataclass


class MacazError(ValueError):
    """Invalid input; the message says what is wrong and how to correct it."""


def how_to_install(extra: str) -> str:
    """The commands that install an extra; the environment that `make` sets up has no pip."""
    return (
        f"from a checkout: pip install '.[{extra}]'; into the .venv of `make setup`: "
        f"$(tools/setup.sh uv) pip install --python .venv -e '.[{extra}]'"
    )


class MissingExtra(ImportError):  # noqa: N818 - named like IllegalMove
    """An optional package is not installed."""

    def __init__(self, package: str, purpose: str, extra: str) -> None:
        self.package, self.purpose, self.extra = package, purpose, extra
        super().__init__(
            f"{purpose} needs {package}, which is not installed. "
            f"Install {package} ({how_to_install(extra)})."
        )

    def __reduce__(self) -> tuple[type[MissingExtra], tuple[str, str, str]]:
        # Pickle rebuilds an exception from its `args`, which is the message alone.
        return MissingExtra, (self.package, self.purpose, self.extra)


@dataclass(frozen=True, slots=True)
class Problem:
    """One error in an edition file or a position, with its place and what to do about it."""

    place: str
    message: str
    remedy: str
    line: int | None = None

    def __str__(self) -> str:
        where = f"line {self.line}, {self.place}" if self.line else self.place
        return f"{where}: {self.message}. {self.remedy}"
