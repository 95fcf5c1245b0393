"""Bots of your own: a class in a Python file or module, or one that an installed package brings.

    my_bot.py:MyBot           a class in a file; modules beside the file can be imported
    package.module:MyBot      a class in a module that can be imported
    shark                     an entry point of the group `macaz.bots`
    my_bot.py:MyBot:0.5s      each of them with a limit, if the class takes one

The class has `choose`, as every `Bot`. The arguments `seed` and `limit` of its constructor are
optional: it gets those that it names. A file is loaded once in a process, and so is a module beside
it: two folders may not both have a module of the same name that is used.
"""

from __future__ import annotations

import hashlib
import inspect
import os
import re
import reprlib
import sys
import traceback
from collections.abc import Callable, Sequence
from functools import partial
from importlib import import_module
from importlib.util import find_spec, module_from_spec, spec_from_file_location
from pathlib import Path
from types import ModuleType
from typing import TYPE_CHECKING, Any, NamedTuple

from macaz.bots import BOTS, COMMAND, Bot, Limit, UnknownBot, close_bot, read_limit
from macaz.bots.protocol.failure import BotFailed
from macaz.edition.board import closest
from macaz.plugins import BOTS as GROUP
from macaz.plugins import Plugin, PluginError, list_plugins

if TYPE_CHECKING:
    from macaz.game.moves import Move
    from macaz.game.view import View

_WORD = r"[^\W\d]\w*"
_TEXT = re.compile(
    rf"(?:(?P<file>.+\.py)|(?P<module>{_WORD}(?:\.{_WORD})*)):(?P<name>{_WORD})(?::(?P<limit>.*))?"
)
_files: dict[Path, ModuleType] = {}
_folders: set[Path] = set()  # of files, searched for the modules beside them


class OwnBot:
    """A bot of an own class. What it raises, or a move that is not legal, becomes `BotFailed`."""

    def __init__(self, bot: Bot, made_by: BotClass) -> None:
        self.bot, self._class = bot, made_by

    def choose(self, view: View, legal: Sequence[Move]) -> Move:
        try:
            move = self.bot.choose(view, legal)
        except (Exception, SystemExit) as error:
            raise BotFailed("crashed", self._class.told(error)) from error
        if move is None:
            raise BotFailed("illegal", f"{self._class.text}: choose returned no move")
        if move not in legal:
            what = f"{self._class.text}: it chose {reprlib.repr(move)}, which is not legal here"
            raise BotFailed("illegal", what)
        return move

    def close(self) -> None:
        """Release the resources of the bot, if it has any."""
        close_bot(self.bot)


class BotClass(NamedTuple):
    """A class of bots, or a function that makes one."""

    text: str  # for messages
    call: Callable[..., Any]
    takes: frozenset[str]  # of "seed" and "limit"
    needs_limit: bool

    @classmethod
    def of(cls, call: Callable[..., Any], text: str) -> BotClass:
        """Raises `UnknownBot` if it cannot make bots."""
        if not callable(call):
            raise UnknownBot(f"{text} is no class, but {reprlib.repr(call)}.")
        if isinstance(call, type) and not callable(getattr(call, "choose", None)):
            raise UnknownBot(
                f"{text} is no bot: it has no method choose(self, view, legal), which returns one "
                "of the legal moves."
            )
        try:
            parameters = _signature(call).parameters.values()
        except (TypeError, ValueError):  # not written in Python
            return cls(text, call, frozenset({"seed"}), needs_limit=False)
        takes, needs_limit = set(), False
        for one in parameters:
            if one.kind is one.VAR_KEYWORD:
                takes.add("seed")
            elif one.name in ("seed", "limit") and one.kind is not one.POSITIONAL_ONLY:
                takes.add(one.name)
                needs_limit |= one.name == "limit" and one.default is one.empty
            elif one.default is one.empty and one.kind is not one.VAR_POSITIONAL:
                raise UnknownBot(
                    f"{text} cannot be made: it needs the argument {one.name!r}. Give it a "
                    "default: a bot gets only the arguments seed and limit."
                )
        return cls(text, call, frozenset(takes), needs_limit)

    @property
    def takes_limit(self) -> bool:
        return "limit" in self.takes

    def make(self, seed: int | str, limit: Limit | None = None) -> OwnBot:
        """A bot with the arguments that the class takes; raises `UnknownBot`."""
        if limit is not None and not self.takes_limit:
            raise UnknownBot(
                f"{self.text} takes no limit: leave it out, or add the argument limit to its "
                "constructor."
            )
        arguments: dict[str, object] = {"seed": seed} if "seed" in self.takes else {}
        if limit is not None or self.needs_limit:
            arguments["limit"] = limit
        try:
            bot = self.call(**arguments)
        except (Exception, SystemExit) as error:
            raise UnknownBot(f"{self.told(error)} (when it was made)") from error
        if not callable(getattr(bot, "choose", None)):
            raise UnknownBot(f"{self.text} made {reprlib.repr(bot)}, which has no method choose.")
        return OwnBot(bot, self)

    def told(self, error: BaseException) -> str:
        """An error of the bot in words: with the line of its own code that it came from."""
        return f"{self.text}: {_told(error, self.file.parent if self.file else None)}"

    @property
    def file(self) -> Path | None:
        """The file that it is written in; None if it is not written in Python."""
        try:
            file = inspect.getsourcefile(self.call)
        except TypeError:
            return None
        return Path(file) if file else None


def is_own(text: str) -> bool:
    """Whether a text that is no name of Macaz itself names a class, or a bot of a package.

    So does a file that cannot be run by itself: its class was forgotten.
    """
    if _TEXT.fullmatch(text) or installed_bot(text.partition(":")[0]):
        return True
    return text.endswith(".py") and Path(text).is_file() and not os.access(text, os.X_OK)


def installed_bots() -> tuple[Plugin, ...]:
    """The bots of installed packages; `problem` says why one cannot be used."""
    return list_plugins(GROUP, (*BOTS, COMMAND))


def installed_bot(name: str) -> Plugin | None:
    """The bot of an installed package by its name; None if there is none."""
    return next((plugin for plugin in installed_bots() if plugin.name == name), None)


def find_class(text: str) -> tuple[BotClass, Limit | None]:
    """The class that a text names, and the limit in it; raises `UnknownBot`."""
    name, colon, said = text.partition(":")
    if plugin := installed_bot(name):
        return _of_package(plugin), read_limit(said) if colon else None
    found = _TEXT.fullmatch(text)
    if found is None:
        raise _unknown(text)
    place = found["file"] or found["module"]
    module = _load_file(place) if found["file"] else _load_module(place, text)
    made = BotClass.of(_class_in(module, place, found["name"]), f"{place}:{found['name']}")
    return made, None if found["limit"] is None else read_limit(found["limit"])


def class_name(text: str) -> str | None:
    """The name of the class in a text; None if it is no text of a class."""
    found = _TEXT.fullmatch(text)
    return found["name"] if found else None


def digest_of(text: str) -> str | None:
    """16 hex digits of the file of an own class; None for a bot of Macaz, or if it has no file."""
    name = text.partition(":")[0]
    if name in BOTS or name == COMMAND:
        return None
    file = find_class(text)[0].file
    if file is None or not file.is_file():  # it may be in an archive
        return None
    return hashlib.sha256(file.read_bytes()).hexdigest()[:16]


def _unknown(text: str) -> UnknownBot:
    """The error for a text that names nothing."""
    name = text.partition(":")[0]
    if text.rstrip(":").endswith(".py"):
        file = text.rstrip(":")
        listed = _listed(_load_file(file), file)
        return UnknownBot(f"{file} is a file: name the class in it.{listed}")
    if ".py:" in text:
        file, _, rest = text.rpartition(".py:")
        return UnknownBot(f"{rest!r} is no name of a class: write {file}.py:MyBot.")
    if Path(f"{name}.py").is_file():
        return UnknownBot(
            f"there is no bot {name!r}. Name the class in {name}.py: {name}.py:MyBot."
        )
    known = (*BOTS, *(plugin.name for plugin in installed_bots() if not plugin.problem))
    near = closest(name, known)
    hint = f" Did you mean {near!r}?" if near else ""
    return UnknownBot(f"there is no bot {name!r}.{hint} Known: {', '.join(known)}.")


def _of_package(plugin: Plugin) -> BotClass:
    try:
        found = plugin.load()
    except PluginError as error:
        raise UnknownBot(str(error)) from error
    return BotClass.of(found, f"{plugin.name} (of the package {plugin.package})")


def _load_file(place: str) -> ModuleType:
    path = Path(place).expanduser().resolve()
    if path in _files:
        return _files[path]
    if not path.is_file():
        raise UnknownBot(f"there is no file {place!r} to load a bot from.")
    digest = hashlib.sha256(os.fsencode(path)).hexdigest()[:8]
    spec = spec_from_file_location(f"macaz_file_{path.stem}_{digest}", path)
    assert spec is not None, "its name ends with .py"
    assert spec.loader is not None, "as it does for every file of Python"
    module = module_from_spec(spec)
    _check_beside(path.parent)
    # At the end, so that no file beside it replaces a module of Python or Macaz.
    if str(path.parent) not in sys.path:
        sys.path.append(str(path.parent))
    _folders.add(path.parent)
    sys.modules[spec.name] = module
    try:
        spec.loader.exec_module(module)
        _check_beside(path.parent)
    except UnknownBot:
        del sys.modules[spec.name]
        raise
    except (Exception, SystemExit) as error:
        del sys.modules[spec.name]
        raise UnknownBot(f"{place} cannot be loaded: {_told(error, path.parent)}") from error
    _files[path] = module
    return module


def _check_beside(folder: Path) -> None:
    """Raise `UnknownBot` if a module of this folder was loaded from that of another bot.

    Before a file is loaded, its modules would be those of the other; afterwards, they were found
    there.
    """
    try:
        beside = list(folder.iterdir())
    except OSError:  # it may be used, but not listed
        return
    for found in beside:
        module = sys.modules.get(found.stem if found.suffix == ".py" else found.name)
        file = getattr(module, "__file__", None)
        if file is None:
            continue
        loaded = Path(file).resolve()
        if loaded.name == "__init__.py":  # a package
            loaded = loaded.parent
        if loaded.parent != folder and loaded.parent in _folders:
            raise UnknownBot(
                f"{loaded.stem} is in both {_short(str(loaded.parent))} and {_short(str(folder))}, "
                "and a process loads one of them: rename one, or run one of the bots as a program, "
                "as in 'cmd:python3 my_bot.py'."
            )


def _load_module(place: str, text: str) -> ModuleType:
    try:
        return import_module(place)
    except ModuleNotFoundError as error:
        if not _is_missing(place):
            raise UnknownBot(f"{place} cannot be loaded: {_told(error, None)}") from error
    except (Exception, SystemExit) as error:
        raise UnknownBot(f"{place} cannot be loaded: {_told(error, None)}") from error
    if "." not in place and closest(place, BOTS):
        raise _unknown(text)
    file = Path(*place.split(".")).with_suffix(".py")
    hint = f" Write the path of the file: {file}{text[len(place) :]}." if file.is_file() else ""
    raise UnknownBot(f"there is no bot and no module {place!r}.{hint}")


def _is_missing(place: str) -> bool:
    """Whether it is the module itself that cannot be found, not one that it imports."""
    try:
        return find_spec(place) is None
    except (ImportError, ValueError):
        return True


def _signature(call: Callable[..., Any]) -> inspect.Signature:
    """The arguments that a class or a function takes."""
    if not isinstance(call, type):
        return inspect.signature(call)
    made_by = [cls for cls in call.__mro__ if "__init__" in vars(cls)]
    own = [cls for cls in made_by if not vars(cls).get("_is_protocol")]
    if own[0] is made_by[0]:
        return inspect.signature(call)
    # A protocol, as `Bot` is, passes all arguments on to the first class that is none.
    if own[0] is object:
        return inspect.Signature()
    return inspect.signature(partial(vars(own[0])["__init__"], None))


def _class_in(module: ModuleType, place: str, name: str) -> Any:
    try:
        return getattr(module, name)
    except AttributeError:
        near = closest(name, _classes(module))
        hint = f" Did you mean {near!r}?" if near else ""
        listed = _listed(module, place)
        raise UnknownBot(f"there is no class {name!r} in {place}.{hint}{listed}") from None


def _classes(module: ModuleType) -> list[str]:
    """The classes of a module that are bots, as far as can be seen without making one."""
    return [
        name
        for name, value in vars(module).items()
        if isinstance(value, type)
        and value.__module__ == module.__name__
        and callable(getattr(value, "choose", None))
    ]


def _listed(module: ModuleType, place: str) -> str:
    found = [f"{place}:{name}" for name in _classes(module)]
    if not found:
        return " It has no class with a method choose(self, view, legal)."
    return f" There is: {', '.join(found)}."


def _told(error: BaseException, folder: Path | None) -> str:
    """An error with its file and line: the last one in this folder, if there is one."""
    what = f"{type(error).__name__}: {error}" if str(error) else type(error).__name__
    if isinstance(error, SyntaxError) and error.filename:
        return f"{_short(error.filename)}, line {error.lineno}: {type(error).__name__}: {error.msg}"
    frames = traceback.extract_tb(error.__traceback__)
    own = [frame for frame in frames if Path(frame.filename).parent == folder]
    if not frames:
        return what
    last = (own or frames)[-1]
    return f"{_short(last.filename)}, line {last.lineno}: {what}"


def _short(file: str) -> str:
    """A path as seen from the current folder, if it is below it."""
    try:
        return str(Path(file).relative_to(Path.cwd()))
    except (ValueError, OSError):
        return file
