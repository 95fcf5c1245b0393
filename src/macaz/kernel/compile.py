"""One source, four targets.

The kernel's functions are plain Python. `kernel("wasm")` gives them as WebAssembly, from a module
that comes with the package, `kernel("cpu")` compiled by Numba for this machine, `kernel("plain")`
as they are, and `kernel("cuda")` as device functions for an NVIDIA GPU. Each target is a namespace
with its own functions, so that all of them can run in one process and be compared.

A `Program` is what is compiled together. The kernel is one; others add modules that stand on it.
"""

from __future__ import annotations

import importlib.util
import os
import sys
import threading
from collections import Counter
from collections.abc import Callable, Iterable, Mapping
from dataclasses import dataclass
from functools import cache
from types import FunctionType, ModuleType, SimpleNamespace
from typing import TYPE_CHECKING, Any, NamedTuple

from macaz.kernel import layout
from macaz.kernel.once import once

if TYPE_CHECKING:
    import numpy as np

MODULES = (  # of the kernel
    "bits",
    "table",
    "pay",
    "legal",
    "tell",
    "why",
    "hidden",
    "odds",
    "flow",
    "step",
    "deal",
    "dice",
    "seen",
    "world",
    "play",
    "sweep",
    "paths",
    "score",
    "rescue",
    "entry",
)
AUTO = "auto"
MIXED = "mixed"  # WebAssembly, until `macaz.kernel.mixed` puts native code in its place
CONSTANT = ("specs", "guides")  # arguments that no entry writes to and no caller changes
SWEEP = "macaz.kernel.sweep.sweep"
_LOCK = threading.RLock()  # one thread loads, the others wait for it
# On a GPU these stay functions, once in the code: copied to wherever they are called from, as
# the compiler would, they do not fit the instruction cache, and everything takes twice as long.
_GPU_APART = (
    "flow.settle",
    "flow.finish_turn",
    "legal.legal_count",
    "legal.legal_nth",
    "legal.list_legal",
    "deal.deal",
    "step.step",
)
_RECORD_ARRAYS = {
    "specs": "spec",
    "states": "state",
    "works": "work",
    "tallies": "tally",
    "events": "event",
    "dice": "dice",
}


@dataclass(frozen=True)
class Program:
    """Functions that are compiled together: the kernel's, and of modules that stand on it.

    `arrays` says of which type arguments are that no kernel function has: a name, the type of the
    elements, how many dimensions. The fields of `groups` are typed by their names likewise. An
    argument that is not named is an integer.
    """

    what: str  # is compiled, in a word for people
    entries: tuple[str, ...]  # the modules whose functions are called from outside
    modules: tuple[str, ...] = ()  # with their full names, `entries` among them
    arrays: tuple[tuple[str, np.dtype[Any], int], ...] = ()
    groups: tuple[tuple[str, type], ...] = ()  # arguments that are named tuples of arrays
    no_gpu: tuple[str, ...] = ()  # full names of functions that a thread of a GPU has no room for

    @property
    def all_modules(self) -> tuple[str, ...]:
        """The kernel's modules, and those that stand on it."""
        return (*(f"macaz.kernel.{name}" for name in MODULES), *self.modules)


KERNEL = Program("rules", ("macaz.kernel.entry",))


def kernel(target: str = AUTO) -> Any:
    """The kernel's functions for a target: see `compiled`."""
    return compiled(KERNEL, target)


def compiled(program: Program, target: str = AUTO) -> Any:
    """A program's functions for a target; loaded or compiled once in a process.

    Entries take arrays and integers. `zeros` makes an array that they take without copying it.
    """
    with _LOCK:
        return _compiled(program, default_target() if target == AUTO else target)


def default_target() -> str:
    """What single games, tables and bots run on: WebAssembly, or plain Python without it.

    The variable MACAZ_TARGET chooses another for a whole process.
    """
    return os.environ.get("MACAZ_TARGET") or _best_target()


@once
def _best_target() -> str:
    from macaz.kernel.wasm import WasmFailed, load

    try:
        load(KERNEL)
    except WasmFailed as error:
        say(f"{error} The rules run as plain Python instead, which is slower.")
        return "plain"
    return "wasm"


def bulk_target() -> str:
    """What many games should run on: native code where Numba is installed, or as single ones."""
    chosen = os.environ.get("MACAZ_TARGET")
    if chosen:
        return chosen
    return "cpu" if importlib.util.find_spec("numba") else default_target()


@cache
def _compiled(program: Program, target: str) -> Any:
    if target == "plain":
        from macaz.kernel.plain import accepting_arrays

        found = bind(program, lambda function: function, {})
        return accepting_arrays(program, found)
    if target == "cpu":
        from macaz.kernel.native_code import NativeCode

        return NativeCode(program)
    if target == "wasm":
        from macaz.kernel.wasm import load

        return load(program)
    if target == MIXED:
        from macaz.kernel.mixed import Mixed

        return Mixed(program)
    if target == "cuda":
        return _compile_cuda(program)
    raise ValueError(f"no such way to run the kernel: {target!r} (wasm, cpu, mixed, plain or cuda)")


def own_functions(module: ModuleType) -> list[FunctionType]:
    """The functions that a module defines."""
    return [
        value
        for value in vars(module).values()
        if isinstance(value, FunctionType) and value.__module__ == module.__name__
    ]


def entries(program: Program = KERNEL) -> dict[str, FunctionType]:
    """The functions that are called from outside, by name."""
    found: dict[str, FunctionType] = {}
    for module in program.entries:
        for function in own_functions(importlib.import_module(module)):
            if function.__name__ in found:
                raise TypeError(f"two entries are called {function.__name__}")
            found[function.__name__] = function
    return found


def full_name(function: FunctionType) -> str:
    """The name of a function with that of its module."""
    return f"{function.__module__}.{function.__name__}"


def bind(
    program: Program, wrap: Callable[[FunctionType], Any], native: Mapping[str, Any]
) -> SimpleNamespace:
    """A program's functions, wrapped: the entries, and others whose name no second one has.

    `native` has replacements, by full name.
    """
    wrapped = wrap_modules(program.all_modules, wrap, native)
    names = Counter(function.__name__ for function in wrapped)
    found = {f.__name__: made for f, made in wrapped.items() if names[f.__name__] == 1}
    found |= {name: wrapped[function] for name, function in entries(program).items()}
    return SimpleNamespace(zeros=_zeros, **found)


def wrap_modules(
    names: Iterable[str], wrap: Callable[[FunctionType], Any], native: Mapping[str, Any]
) -> dict[FunctionType, Any]:
    """The functions of modules, wrapped, each in a copy of its module that has the wrapped others.

    A function of any other module is not in the copies.
    """
    modules = {importlib.import_module(name): ModuleType(name) for name in names}
    wrapped: dict[FunctionType, Any] = {}
    for module, copied in modules.items():
        for function in own_functions(module):
            copy = FunctionType(function.__code__, vars(copied), function.__name__)
            wrapped[function] = native.get(full_name(function)) or wrap(copy)
    for module, copied in modules.items():
        for name, value in vars(module).items():
            if isinstance(value, FunctionType):
                if value in wrapped:
                    setattr(copied, name, wrapped[value])
            else:
                known = isinstance(value, ModuleType) and value in modules
                setattr(copied, name, modules[value] if known else value)
    return wrapped


def _zeros(shape: Any, dtype: Any) -> np.ndarray:
    import numpy as np

    return np.zeros(shape, dtype)


class Argument(NamedTuple):
    """An argument of an entry: an integer, an array of elements of a type, or a group of arrays."""

    name: str
    dtype: np.dtype[Any] | None = None  # None: an integer, or a group
    axes: int = 0
    group: type | None = None  # the class of the named tuple
    parts: tuple[Argument, ...] = ()

    @property
    def flat(self) -> tuple[Argument, ...]:
        """The argument itself, or the arrays of a group."""
        return self.parts if self.group else (self,)


def arguments(program: Program, entry: FunctionType) -> list[Argument]:
    """The arguments of an entry; their names tell what they are."""
    import numpy as np

    own = {name: (dtype, axes) for name, dtype, axes in program.arrays}
    groups: dict[str, Any] = dict(program.groups)
    numbers: dict[str, np.dtype[Any]] = {"out": np.dtype("i2"), "lengths": np.dtype("i4")}

    def argument(name: str) -> Argument:
        if name in groups:
            parts = tuple(argument(field) for field in groups[name]._fields)
            return Argument(name, group=groups[name], parts=parts)
        if name in _RECORD_ARRAYS:
            return Argument(name, layout.dtype_of(_RECORD_ARRAYS[name]), 1)
        if name in own:
            return Argument(name, *own[name])
        if name in numbers:
            return Argument(name, numbers[name], 1)
        return Argument(name)

    return [argument(n) for n in entry.__code__.co_varnames[: entry.__code__.co_argcount]]


def _compile_cuda(program: Program) -> SimpleNamespace:
    from macaz.kernel.native import cuda_natives, cuda_wrap

    def wrap(function: FunctionType) -> Any:
        return cuda_wrap(function, apart=full_name(function) in apart)

    apart = {f"macaz.kernel.{name}" for name in _GPU_APART}
    absent = cuda_wrap(_no_room, apart=False)
    without = dict.fromkeys((SWEEP, *program.no_gpu), absent)
    return bind(program, wrap, cuda_natives() | without)


def _no_room(*_args: Any) -> int:
    """A function where a thread has no room for its tables."""
    return -1


def say(text: str) -> None:
    """Tell a person something, on the standard error."""
    print(f"macaz: {text}", file=sys.stderr, flush=True)  # noqa: T201
