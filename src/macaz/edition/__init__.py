"""Editions: a board and its rules, read from a TOML file and identified by a fingerprint.

An edition is named by its id ("europe") or the path of a file ("my-map.toml"), with optional
options ("old-west+alvin", "my-map.toml+alvin"). An installed package may bring editions too, by
entry points of the group `macaz.editions`: each is the path of a file, or a function that returns
one; a `Traversable` of `importlib.resources` is a path as well.
"""

from __future__ import annotations

import hashlib
import os
import tomllib
from collections.abc import Iterable, Mapping
from dataclasses import dataclass, field, fields
from functools import cache, cached_property
from importlib.resources.abc import Traversable
from pathlib import Path
from typing import NamedTuple

from macaz.edition.bases import resolve
from macaz.edition.board import Board, closest, make_board
from macaz.edition.check import check_options, examine
from macaz.edition.draft import Draft
from macaz.edition.files import (
    installed_editions,
    installed_file,
    list_editions,
    read_text,
    shipped_file,
)
from macaz.edition.plate_section import PlateSection
from macaz.edition.rules import Rules
from macaz.edition.write import write_edition
from macaz.errors import MacazError, Problem
from macaz.plugins import EDITIONS, PluginError, find_plugin

__all__ = [
    "Edition",
    "EditionError",
    "InvalidEdition",
    "Option",
    "Problem",
    "UnknownEdition",
    "UnknownOption",
    "check_edition",
    "edition_text",
    "installed_editions",
    "is_known",
    "list_editions",
    "load_edition",
    "read_edition",
    "reference",
]

# The beginning of the source of an edition that is loaded by its id.
_OURS, _INSTALLED = "macaz:", "installed:"


class EditionError(MacazError):
    """An edition could not be loaded."""


class UnknownEdition(EditionError):  # noqa: N818 - named like IllegalMove
    """There is no edition of that name, or no file at that path."""


class UnknownOption(EditionError):  # noqa: N818
    """The edition has no option of that name."""


class InvalidEdition(EditionError):  # noqa: N818
    """The file of an edition is invalid; `problems` lists everything wrong with it."""

    def __init__(self, source: str, problems: Iterable[Problem]) -> None:
        self.source = source
        self.problems = tuple(problems)
        count = "1 problem" if len(self.problems) == 1 else f"{len(self.problems)} problems"
        super().__init__("\n  ".join([f"{source}: {count}", *map(str, self.problems)]))

    def __reduce__(self) -> tuple[type[InvalidEdition], tuple[str, tuple[Problem, ...]]]:
        # Pickle rebuilds an exception from its `args`, which is the message alone.
        return InvalidEdition, (self.source, self.problems)


class Option(NamedTuple):
    """An option that an edition offers."""

    name: str
    doc: str


@dataclass(frozen=True, repr=False)
class Edition:
    """A board and its rules, with the chosen and the available options."""

    id: str
    name: str
    board: Board
    rules: Rules
    options: tuple[str, ...]
    available_options: tuple[Option, ...]
    source: str = field(compare=False)
    plate: PlateSection | None = field(default=None, compare=False, repr=False)
    author: str = field(default="", compare=False)
    sentences: Mapping[str, str] = field(default_factory=dict, compare=False)  # by language

    @property
    def qualified_id(self) -> str:
        """The id with its options, as `load_edition` takes it: "old-west+alvin"."""
        return "+".join((self.id, *self.options))

    @property
    def title(self) -> str:
        """The name for people, with its options: "Old West + Alvin"."""
        return " + ".join((self.name, *(o.replace("-", " ").title() for o in self.options)))

    def __repr__(self) -> str:
        board = self.board
        counts = f"{len(board.cities)} cities, {len(board.routes)} routes"
        return f"<Edition {self.qualified_id}: {counts}, {len(board.tickets)} tickets>"

    def __str__(self) -> str:
        return self.title

    def _repr_svg_(self) -> str | None:
        """The board, for notebooks; None for a map that does not come with Macaz."""
        from macaz.edition.picture import picture_of
        from macaz.edition.plate import stored_plate

        plate = stored_plate(self)
        return None if plate is None else picture_of(plate, self.board)

    @cached_property
    def fingerprint(self) -> str:
        """A hash of everything that matters for play, 16 hexadecimal digits."""
        board = self.board
        lines = ["macaz edition 1"]
        lines += [f"city {city.name}" for city in board.cities]
        lines += [
            f"route {r.a} {r.b} {r.length} {r.color} {r.kind} {r.locomotives} {r.lane}"
            for r in board.routes
        ]
        lines += [f"ticket {t.a} {t.b} {t.points} {t.deck}" for t in board.tickets]
        lines += [f"{knob.name} {getattr(self.rules, knob.name)!r}" for knob in fields(Rules)]
        return hashlib.sha256("\n".join(lines).encode()).hexdigest()[:16]


def is_known(name: str) -> bool:
    """Whether an edition has this id, of Macaz or of an installed package; never by a path."""
    return name in list_editions() or find_plugin(EDITIONS, name) is not None


def load_edition(name_or_path: str | os.PathLike[str], options: Iterable[str] = ()) -> Edition:
    """The edition with that id or path, and with the options in the name and in `options`.

    Raises UnknownEdition, UnknownOption or InvalidEdition, all of them EditionErrors.
    """
    name, named = _split(os.fspath(name_or_path))
    chosen = (*named, *options)
    if _is_path(name):
        return _choose(*_read(_find(name)), chosen, name)
    if name in list_editions():
        return _ours(name, tuple(sorted(set(chosen))))
    draft, problems = _read(_find(name))
    if not problems and draft.id != name:
        raise EditionError(
            f"an installed package brings the edition {name!r}, but its file has the id "
            f"{draft.id!r}: its author must make them the same."
        )
    return _choose(draft, problems, chosen, _INSTALLED + name)


@cache
def _ours(name: str, options: tuple[str, ...]) -> Edition:
    """An edition of Macaz: its file does not change while a program runs."""
    return _choose(*_read(_find(name)), options, _OURS + name)


def read_edition(
    text: str,
    options: Iterable[str] = (),
    source: str = "text",
    *,
    file: str | os.PathLike[str] | None = None,
) -> Edition:
    """The edition in the text of a file. Raises UnknownOption or InvalidEdition.

    `file` is where the text is from: a base may be a file beside it.
    """
    return _choose(*examine(text, None if file is None else Path(file)), options, source)


def edition_text(edition: Edition) -> str:
    """The text of the file that an edition was loaded from, with all that it inherits."""
    entry = _find(reference(edition))
    text = read_text(entry)
    data = tomllib.loads(text)
    if "base" not in data:
        return text
    whole = resolve(data, entry if isinstance(entry, Path) else None)
    if isinstance(whole, Problem):
        raise InvalidEdition(edition.source, [whole])  # its base was changed since
    return write_edition(whole)


def reference(edition: Edition) -> str:
    """The id or the path by which `load_edition` loads an edition again, without its options."""
    return edition.source.removeprefix(_OURS).removeprefix(_INSTALLED)


def _choose(draft: Draft, problems: list[Problem], options: Iterable[str], source: str) -> Edition:
    if problems:
        raise InvalidEdition(source, problems)
    # Sorted and without duplicates, so that the order of the options does not matter.
    chosen = tuple(sorted(set(options)))
    for option in chosen:
        if option not in draft.option_docs:
            raise UnknownOption(_no_option(draft, option))
    if problems := check_options(draft, chosen):
        raise InvalidEdition(source, problems)
    return _build(draft, chosen, source)


def check_edition(path: str | os.PathLike[str]) -> list[Problem]:
    """All problems of an edition file (or an edition of Macaz), with each of its options."""
    try:
        entry = _find(_split(os.fspath(path))[0])
    except UnknownEdition as error:
        return [Problem("file", str(error), "Check the name.")]
    return _read(entry)[1]


def _is_path(name: str) -> bool:
    return name.endswith(".toml") or Path(name).name != name


def _split(name: str) -> tuple[str, tuple[str, ...]]:
    """Split a name or path from its options; the path of a folder may contain a +."""
    head, suffix, tail = name.rpartition(".toml")
    if suffix and (not tail or tail.startswith("+")):
        name = head + suffix
    else:
        base, _, tail = Path(name).name.partition("+")
        name = str(Path(name).with_name(base)) if base and _is_path(name) else base
    return name, tuple(option for option in tail.split("+") if option)


def _find(name: str) -> Traversable:
    """The file of an id or a path; a name without a folder and suffix is always an id."""
    known = list_editions()
    if not _is_path(name):
        if name in known:
            return shipped_file(name)
        if plugin := find_plugin(EDITIONS, name):
            try:
                return installed_file(plugin)
            except PluginError as error:
                raise UnknownEdition(str(error)) from error
        known += tuple(plugin.name for plugin in installed_editions() if not plugin.problem)
        raise UnknownEdition(f"there is no edition {name!r}.{_hint(name, known)}")
    path = Path(name)
    try:
        missing = not path.is_file()
    except OSError:
        missing = False  # reading it will raise the error
    if missing:
        raise UnknownEdition(f"there is no edition file {name!r}.{_hint(path.stem, known)}")
    return path


def _hint(word: str, known: Iterable[str]) -> str:
    known = tuple(known)
    near = closest(word, known)
    return (f" Did you mean {near!r}?" if near else "") + f" Known: {', '.join(known)}."


def _read(entry: Traversable) -> tuple[Draft, list[Problem]]:
    try:
        text = read_text(entry)
    except OSError as error:
        reason = error.strerror or str(error)
        return Draft(), [Problem("file", f"cannot be read: {reason}", "Check its permissions.")]
    except UnicodeDecodeError as error:
        line = error.object[: error.start].count(b"\n") + 1
        return Draft(), [Problem("file", "not UTF-8 text", "Save the file as UTF-8.", line)]
    return examine(text, entry if isinstance(entry, Path) else None)


def _no_option(draft: Draft, option: str) -> str:
    if not draft.option_docs:
        return f"the edition {draft.id!r} has no option {option!r}: it has no options."
    hint = _hint(option, draft.option_docs)
    return f"the edition {draft.id!r} has no option {option!r}.{hint}"


def _build(draft: Draft, options: tuple[str, ...], source: str) -> Edition:
    knobs = dict(draft.rules)
    for option in options:
        knobs.update(draft.option_rules[option])
    board = make_board(
        draft.name,
        draft.cities,
        [
            (row.start, row.end, row.length or 0, row.kind or "", row.locomotives or 0, lanes)
            for row in draft.routes
            if (lanes := row.lanes)
        ],
        [(t.start, t.end, t.points or 0, t.deck or "", t.status or "") for t in draft.tickets],
    )
    return Edition(
        id=draft.id,
        name=draft.name,
        board=board,
        rules=Rules(**knobs),
        options=options,
        available_options=tuple(Option(*pair) for pair in sorted(draft.option_docs.items())),
        source=source,
        plate=draft.plate,
        author=draft.author,
        sentences=draft.sentences,
    )
