"""WebAssembly first, and native code in its place as soon as it is compiled: the target "mixed".

A run of many games is played by worker processes whose target is "mixed". They say which entries
they call. Their parent compiles these in a process beside the run (`Beside`), and says which of
them are ready; a worker then calls those natively, from the next game on. The results do not depend
on that.
"""

from __future__ import annotations

import importlib.util
import os
import threading
import time
from collections.abc import Callable, Iterable
from typing import TYPE_CHECKING, Any

from macaz.kernel import wasm
from macaz.kernel.compile import MIXED, Program, compiled, default_target, entries, say

if TYPE_CHECKING:
    from macaz.kernel.native_code import Compiler, Part

# Seconds that a worker takes to load native code (docs/bench-results.md): a run that is over sooner
# has no use for it.
LOADING = 3.0
_made: list[Mixed] = []  # in this process


class Mixed:
    """A program's entries: WebAssembly, or native code once `use_native` has put it there."""

    def __init__(self, program: Program) -> None:
        self._program = program
        vars(self).update(vars(wasm.load(program)))
        _made.append(self)

    def _use_native(self, names: Iterable[str]) -> None:
        native = None
        for name in set(names).intersection(entries(self._program)):
            if isinstance(vars(self)[name], _Native):
                continue
            native = native or compiled(self._program, "cpu")
            if native.usable(name):
                setattr(self, name, _Native(getattr(native, name), vars(self)[name]))


class _Native:
    """An entry as native code; WebAssembly takes arrays too that may only be read."""

    __slots__ = ("_native", "_wasm")

    def __init__(self, native: Callable[..., int], wasm: Callable[..., int]) -> None:
        self._native, self._wasm = native, wasm

    def __call__(self, *given: Any) -> int:
        try:
            return self._native(*given)
        except TypeError:  # before anything was done: its arguments are of other types
            return self._wasm(*given)


def use_native(names: Iterable[str]) -> None:
    """Let these entries be called natively, if they are ready; in this process, between games."""
    for mixed in _made:
        mixed._use_native(names)


def called() -> frozenset[str]:
    """The entries that this thread has called, before they were native too."""
    return wasm.called() if _made else frozenset()


class Beside:
    """Native code for the workers of a run, compiled beside it, until it is closed.

    Where it cannot be had, or the variable MACAZ_TARGET names a target, workers stay with that of
    this process.
    """

    def __init__(self, programs: Iterable[Program]) -> None:
        self._parts: dict[str, Part] = {}
        if not os.environ.get("MACAZ_TARGET") and importlib.util.find_spec("numba"):
            if default_target() == "wasm":
                from macaz.kernel.native_code import parts

                self._parts = {part.entry: part for one in programs for part in parts(one)}
        self._began = time.monotonic()
        self._lock = threading.Lock()
        self._known: set[str] = set()  # entries that were called
        self._ready: set[str] = set()
        self._asked: set[str] = set()  # and were not compiled
        self._wanted: list[Part] = []  # of those, what no compiler has been given yet
        self._compiler: Compiler | None = None
        self._thread: threading.Thread | None = None
        self._over = False

    def close(self) -> None:
        """End the compiler, when no worker asks any more."""
        with self._lock:
            self._over = True
            compiler, thread = self._compiler, self._thread
        if compiler is not None:
            compiler.kill()
        if thread is not None:
            thread.join()

    @property
    def environment(self) -> dict[str, str]:
        """The variables that a worker needs."""
        return {"MACAZ_TARGET": MIXED} if self._parts else {}

    def called(self, names: Iterable[str]) -> None:
        """Note which entries a worker has called; what is not compiled will be."""
        with self._lock:
            self._known |= set(names).intersection(self._parts)

    def ready(self) -> tuple[str, ...]:
        """The entries to be called natively in the next game."""
        if time.monotonic() - self._began < LOADING:
            return ()
        with self._lock:
            for name in self._known - self._ready:
                part = self._parts[name]
                if part.ready:
                    self._ready.add(name)
                elif name not in self._asked:
                    self._asked.add(name)
                    self._wanted.append(part)
            if self._wanted and self._thread is None and not self._over:
                self._thread = threading.Thread(target=self._compile, daemon=True)
                self._thread.start()
            return tuple(sorted(self._ready))

    def _compile(self) -> None:
        """Compile what is wanted, and what comes to be wanted meanwhile."""
        from macaz.kernel.native_code import Compiler, CompilingFailed

        while wanted := self._next():
            with Compiler(wanted) as compiler:
                with self._lock:
                    self._compiler = compiler
                    if self._over:
                        return
                try:
                    for _ in compiler.events():
                        pass
                except CompilingFailed as error:
                    if not self._over:
                        say(f"{error} The games go on as WebAssembly.")
                    return

    def _next(self) -> list[Part]:
        """What is to be compiled now, the largest first: most of the time is spent there."""
        with self._lock:
            wanted, self._wanted = self._wanted, []
            if not wanted:
                self._thread = None  # a new one begins when more is wanted
        return sorted(wanted, key=lambda part: (-part.size, part.name))
