"""The process that compiles native code: it reads the parts to compile, and says what it has done.

Numba would optimise each function with all that it calls, and make machine code of it, although
only entries are called. Here the other functions are only translated, and optimised as a part of
the entries. That takes half the time.
"""

from __future__ import annotations

import gc
import importlib
import json
import pickle
import sys
import time
from collections.abc import Callable, Iterator
from contextlib import contextmanager
from functools import partial
from pathlib import Path
from types import FunctionType
from typing import Any, BinaryIO

import numba

from macaz.kernel.compile import wrap_modules
from macaz.kernel.native import NATIVES, one_copy
from macaz.kernel.native_code import OPTIONS, Part, numba_cache_in, python, signature
from macaz.workers import end_with_parent, stop_at_once

LOCK = "compiling.lock"
GARBAGE = 100_000  # new objects until Python looks for unused ones; Numba's are mostly used
PAUSE = 0.02  # seconds between two parts, in which another compiler may take its turn


def main() -> None:
    """Compile what the standard input asks for."""
    stop_at_once()
    gc.set_threshold(GARBAGE)
    out, sys.stdout = sys.stdout.buffer, sys.stderr
    wanted: list[Part] = pickle.load(sys.stdin.buffer)
    end_with_parent(1)
    dispatchers = _dispatchers(wanted)
    for number, part in enumerate(wanted):
        try:
            if not part.ready:
                with _alone(part.folder.parent):
                    _compile(part, dispatchers[part], partial(_say, out, number, "begins"))
                time.sleep(PAUSE)
        except Exception as error:
            _say(out, number, "failed", " ".join(str(error).split()))
            raise
        _say(out, number, "done")


def _compile(part: Part, dispatcher: Any, begins: Callable[[], None]) -> None:
    """Compile a part, unless another process has while this one waited."""
    if not part.ready:
        begins()
        part.folder.mkdir(exist_ok=True)
        dispatcher.compile(signature(part))
        part.stamp.touch()


def _say(out: BinaryIO, number: int, what: str, why: str = "") -> None:
    out.write(json.dumps({"part": number, "what": what, "why": why}).encode() + b"\n")
    out.flush()


@contextmanager
def _alone(folder: Path) -> Iterator[None]:
    """Wait until no other process compiles in a folder, and let none begin while inside."""
    with (folder / LOCK).open("a+b") as file:
        try:
            import fcntl
        except ImportError:  # Windows
            import msvcrt

            while True:
                try:
                    msvcrt.locking(file.fileno(), msvcrt.LK_LOCK, 1)  # type: ignore[attr-defined]
                    break
                except OSError:  # after ten seconds
                    continue
        else:
            fcntl.flock(file, fcntl.LOCK_EX)
        yield


def _dispatchers(wanted: list[Part]) -> dict[Part, Any]:
    """What Numba makes of the parts; what several of them call is translated once."""
    by_function = {python(part).__code__: part for part in wanted}
    inner = _Inner()

    def jit(function: FunctionType) -> Any:
        part = by_function.get(function.__code__)
        if part is not None:
            with numba_cache_in(part.folder):
                return numba.njit(**OPTIONS)(function)
        options = OPTIONS | {"cache": False, "no_cpython_wrapper": True, "no_cfunc_wrapper": True}
        return inner.translated_only(one_copy(numba.njit(**options)(function)))

    modules = dict.fromkeys(name for part in wanted for name in part.program.all_modules)
    wrapped = wrap_modules(modules, jit, NATIVES)
    return {part: wrapped[python(part)] for part in wanted}


class _Inner:
    """Keeps Numba from optimising functions that are called by compiled ones only."""

    def __init__(self) -> None:
        self._depth = 0  # of functions that are being translated for a caller
        codegen: Any = importlib.import_module("numba.core.codegen")
        library_class, codegen_class = codegen.JITCodeLibrary, codegen.JITCPUCodegen
        finalize, set_env = library_class.finalize, codegen_class.set_env

        def finalize_entry(library: Any) -> None:
            if self._depth:
                library._finalize_dynamic_globals()
                library._finalized = True
            else:
                library._linking_libraries = _all_libraries(library)
                finalize(library)

        def set_entry_env(codegen: Any, *given: Any) -> None:
            if not self._depth:
                set_env(codegen, *given)

        library_class.finalize = finalize_entry
        codegen_class.set_env = set_entry_env

    def translated_only(self, dispatcher: Any) -> Any:
        """A dispatcher whose functions are not optimised by themselves."""
        template = dispatcher.get_call_template

        def get_call_template(args: Any, kws: Any) -> Any:
            self._depth += 1
            try:
                return template(args, kws)
            finally:
                self._depth -= 1

        dispatcher.get_call_template = get_call_template
        return dispatcher


def _all_libraries(library: Any) -> list[Any]:
    """The libraries that a library needs, directly or not."""
    found: dict[int, Any] = {}
    new = list(library._linking_libraries)
    while new:
        other = new.pop(0)
        if id(other) not in found:
            found[id(other)] = other
            new += other._linking_libraries
    return list(found.values())


if __name__ == "__main__":
    main()
