"""Native code, part by part: compiled in a process beside this one, kept, and loaded.

A part is one entry of a program. Each is kept as soon as it is compiled: what is broken off goes on
where it was. `macaz.kernel.compiler` is the process.
"""

from __future__ import annotations

import hashlib
import importlib
import importlib.util
import json
import os
import pickle
import platform
import shutil
import sys
import tempfile
import threading
import time
from collections.abc import Iterable, Iterator
from contextlib import contextmanager, suppress
from dataclasses import dataclass
from functools import cache
from importlib import metadata
from pathlib import Path
from types import FunctionType, ModuleType
from typing import Any, NamedTuple

import numpy as np

from macaz.errors import MacazError, MissingExtra
from macaz.kernel.compile import KERNEL, Argument, Program, arguments, entries, say
from macaz.kernel.once import once
from macaz.workers import Helper, command_of

MONTH = 30 * 24 * 3600.0
USED = "used"  # a file that is touched when code of a folder is loaded
COMPILER = command_of("macaz.kernel.compiler")
# How entries are compiled, and how they are loaded again.
OPTIONS: dict[str, Any] = {"nogil": True, "error_model": "numpy", "cache": True}
# What Numba heeds that changes the code.
_VARIABLES = ("NUMBA_CPU_NAME", "NUMBA_CPU_FEATURES", "NUMBA_OPT")


class CompilingFailed(MacazError):  # noqa: N818 - as ThinkingFailed
    """A part cannot be compiled."""


class _Damaged(Exception):  # noqa: N818
    """What is kept of a part cannot be loaded."""


@dataclass(frozen=True)
class Part:
    """An entry of a program, and the folder where its code is kept."""

    program: Program
    entry: str
    folder: Path

    @property
    def name(self) -> str:
        """For people: of what it is, and which."""
        return f"{self.program.what}: {self.entry}"

    @property
    def stamp(self) -> Path:
        """The file that says that the part is compiled."""
        return self.folder / f"{self.entry}.ready"

    @property
    def ready(self) -> bool:
        """Whether it is compiled."""
        return self.stamp.exists()

    @property
    def size(self) -> int:
        """Bytes of Python's code of all that it calls, itself included: for the time it takes."""
        return sum(len(function.__code__.co_code) for function in _reached(python(self)))

    def discard(self) -> None:
        """Remove it from the cache."""
        for path in self.folder.rglob(f"*.{self.entry}-*.nb?"):
            path.unlink(missing_ok=True)
        self.stamp.unlink(missing_ok=True)


def python(part: Part) -> FunctionType:
    """The entry, as it is written."""
    return entries(part.program)[part.entry]


def parts(program: Program = KERNEL, *names: str, base: Path | None = None) -> list[Part]:
    """Some entries of a program, or all; none where nothing can be kept."""
    base = base or cache_base()
    if base is None:
        return []
    folder = code_folder(program, base)
    return [Part(program, name, folder) for name in names or entries(program)]


def cache_base() -> Path | None:
    """The folder of all native code, or None where nothing can be written."""
    folder = _base()
    return folder if _is_writable(folder) else None


def _base() -> Path:
    import platformdirs

    base = os.environ.get("MACAZ_CACHE_DIR") or platformdirs.user_cache_dir("macaz")
    return Path(base) / "kernel"


@once
def _is_writable(folder: Path) -> bool:
    try:
        folder.mkdir(parents=True, exist_ok=True)
        with tempfile.TemporaryFile(dir=folder):
            return True
    except OSError:
        return False


@once
def say_nothing_is_kept(instead: str) -> None:
    """Tell a person that native code cannot be kept, and what is done instead."""
    say(f"native code cannot be kept in {_base()}, so {instead}. MACAZ_CACHE_DIR names a folder.")


@cache
def code_folder(program: Program, base: Path) -> Path:
    """Where a program's code is kept.

    The name is a digest of everything that the code depends on: Numba itself would notice a change
    in the file of a function, but not in the functions that it calls.
    """
    from llvmlite import binding

    # Numba keeps code by the path of its source too: another install compiles for itself.
    place = [__file__, sys.version, metadata.version("numba"), binding.get_host_cpu_name()]
    place += [platform.machine(), *(os.environ.get(name, "") for name in _VARIABLES)]
    digest = hashlib.sha256(" ".join(place).encode())
    ground = ("layout", "native", "compile", "native_code", "compiler")
    names = (*(f"macaz.kernel.{name}" for name in ground), *program.all_modules)
    for name in names:
        found = importlib.util.find_spec(name)
        if found is not None and found.origin:
            digest.update(Path(found.origin).read_bytes())
    digest.update(repr(program).encode())
    folder = base / digest.hexdigest()[:16]
    folder.mkdir(exist_ok=True)
    return folder


def _reached(function: FunctionType) -> set[FunctionType]:
    """A function, and all that it calls, in modules of ours."""
    found: set[FunctionType] = set()
    new = [function]
    while new:
        function = new.pop()
        if function in found:
            continue
        found.add(function)
        names, space = function.__code__.co_names, function.__globals__
        values = [space.get(name) for name in names]
        for module in [value for value in values if isinstance(value, ModuleType)]:
            values += [getattr(module, name, None) for name in names]
        new += [value for value in values if isinstance(value, FunctionType)]
    return found


class Event(NamedTuple):
    """What a compiler says: that it begins with a part, or has done with it."""

    part: Part
    done: bool


class Compiler:
    """A process that compiles parts one after another. To be used in a `with`, which ends it.

    It ends with this process, however that ends, and at once. One compiles at a time in a cache:
    it waits for others, and leaves out what they have compiled.
    """

    def __init__(self, wanted: Iterable[Part]) -> None:
        if importlib.util.find_spec("numba") is None:
            raise MissingExtra("numba", "native code", "native")
        self._wanted = list(wanted)
        self._errors = tempfile.TemporaryFile()
        place = os.environ | {"PYTHONPATH": os.pathsep.join(filter(None, sys.path))}
        self._process = Helper(COMPILER, place, stderr=self._errors)
        self._process.send(pickle.dumps(self._wanted))

    def __enter__(self) -> Compiler:
        return self

    def __exit__(self, *_: object) -> None:
        self.kill()
        self._process.end()
        self._errors.close()

    def kill(self) -> None:
        """End it, from any thread; `events` then raises `CompilingFailed`."""
        self._process.kill()

    @property
    def running(self) -> bool:
        """Whether it is at work."""
        return self._process.alive

    def events(self) -> Iterator[Event]:
        """What it does, as it does it; `CompilingFailed` where it cannot."""
        while True:
            try:
                said = json.loads(self._process.read())
            except EOFError as error:
                if status := error.args[0]:
                    raise self._failed(status) from None
                return
            part = self._wanted[said["part"]]
            if said["what"] == "failed":
                raise CompilingFailed(f"{part.name} cannot be compiled: {said['why']}")
            yield Event(part, said["what"] == "done")

    def _failed(self, status: int) -> CompilingFailed:
        self._errors.seek(0)
        lines = self._errors.read().decode(errors="replace").strip().splitlines()
        why = lines[-1] if lines else f"its process ended with status {status}"
        return CompilingFailed(f"native code cannot be compiled: {why}")


def signature(part: Part) -> tuple[Any, ...]:
    """The types of an entry's arguments, as Numba calls them."""
    from numba import from_dtype, types

    def kind(argument: Argument) -> Any:
        if argument.group:
            return types.NamedTuple([kind(part) for part in argument.parts], argument.group)
        if argument.dtype is None:
            return types.int64
        return types.Array(from_dtype(argument.dtype), argument.axes, "C")

    return tuple(kind(argument) for argument in arguments(part.program, python(part)))


@contextmanager
def numba_cache_in(folder: Path) -> Iterator[None]:
    """Let Numba keep code in this folder, without changing where others' goes."""
    config: Any = importlib.import_module("numba.core.config")
    before = config.CACHE_DIR
    config.CACHE_DIR = str(folder)
    try:
        yield
    finally:
        config.CACHE_DIR = before


def _load(part: Part) -> Any:
    """A part that is ready, as a function."""
    import numba

    try:
        with numba_cache_in(part.folder):
            # The functions that it calls are not compiled here: without its code this fails.
            found = numba.njit(**OPTIONS)(python(part))
            found.compile(signature(part))
            found.disable_compile()  # arguments of other types are refused
    except Exception as error:
        raise _Damaged(f"{part.name} in {part.folder}: {error!r}") from error
    with suppress(OSError):
        (part.folder / USED).touch()
    return found


def _forget_old_code(base: Path) -> None:
    """Remove what earlier versions compiled, once it has not been used for a month."""
    for folder in base.iterdir():
        if folder.is_dir():
            used = folder / USED
            since = (used if used.exists() else folder).stat().st_mtime
            if time.time() - since > MONTH:
                shutil.rmtree(folder, ignore_errors=True)


class NativeCode:
    """A program's entries as native code: each is loaded when it is first asked for.

    One that is not ready is waited for, after a line that says so.
    """

    def __init__(self, program: Program) -> None:
        if importlib.util.find_spec("numba") is None:
            raise MissingExtra("numba", "native code", "native")
        self._program = program
        self._lock = threading.RLock()

    @staticmethod
    def zeros(shape: Any, dtype: Any) -> np.ndarray:
        """A new array of zeros."""
        return np.zeros(shape, dtype)

    def __dir__(self) -> list[str]:
        return [*super().__dir__(), *entries(self._program)]

    def __getattr__(self, name: str) -> Any:
        if name.startswith("_") or name not in entries(self._program):
            raise AttributeError(name)
        with self._lock:
            if name not in vars(self):
                setattr(self, name, self._fetch(name))
        return vars(self)[name]

    def usable(self, name: str) -> bool:
        """Whether an entry can be called now, without waiting; it is loaded if it is ready."""
        with self._lock:
            if name in vars(self):
                return True
            for part in parts(self._program, name):
                if part.ready:
                    try:
                        setattr(self, name, _load(part))
                    except _Damaged as error:
                        _remove(part, error)
                    else:
                        return True
        return False

    def wait_for(self, *names: str) -> list[Part]:
        """Have these entries compiled, or all; together that takes less than one by one."""
        if cache_base() is None:
            say_nothing_is_kept("it is compiled for this process alone")
        wanted = parts(self._program, *names, base=cache_base() or Path(_own_folder().name))
        missing = [part for part in wanted if not part.ready]
        if missing:
            began = time.perf_counter()
            named = ", ".join(part.entry for part in missing)
            say(f"compiling {self._program.what}: {named} for this processor, once …")
            with Compiler(missing) as compiler:
                for _ in compiler.events():
                    pass
            say(f"compiled in {time.perf_counter() - began:.0f} s.")
            with suppress(OSError):
                _forget_old_code(wanted[0].folder.parent)
        return wanted

    def _fetch(self, name: str) -> Any:
        [part] = self.wait_for(name)
        try:
            return _load(part)
        except _Damaged as error:
            _remove(part, error)
        self.wait_for(name)
        return _load(part)


def _remove(part: Part, error: _Damaged) -> None:
    say(f"native code that was kept cannot be used, and is removed: {error}")
    part.discard()


@once
def _own_folder() -> tempfile.TemporaryDirectory[str]:
    """A folder for the code of this process, removed when it ends."""
    return tempfile.TemporaryDirectory(prefix="macaz-native-")
