"""What every error of Macaz is, and what an error says about a file."""

from __future__ import annotations

from dataclasses import dataclass


class MacazError(ValueError):
    """Something Macaz was given is wrong; the message says what, and what to do."""


class MissingExtra(ImportError):  # noqa: N818 - reads as the habit of the house: IllegalMove
    """A package of one of the extras is not installed."""

    def __init__(self, package: str, purpose: str, extra: str) -> None:
        self.package, self.purpose, self.extra = package, purpose, extra
        super().__init__(
            f"{purpose} needs {package}, which is not installed. "
            f"Install {package} (from a checkout: pip install '.[{extra}]')."
        )

    def __reduce__(self) -> tuple[type[MissingExtra], tuple[str, str, str]]:
        """Exceptions are rebuilt from their arguments when they cross to another process."""
        return MissingExtra, (self.package, self.purpose, self.extra)


@dataclass(frozen=True, slots=True)
class Problem:
    """One thing wrong with an edition file or a position."""

    place: str
    message: str
    remedy: str
    line: int | None = None

    def __str__(self) -> str:
        """One line for people: where, what, and what to do."""
        where = f"line {self.line}, {self.place}" if self.line else self.place
        return f"{where}: {self.message}. {self.remedy}"
