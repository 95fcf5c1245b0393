"""One source, four targets.

The kernel's functions are plain Python. `kernel("wasm")` gives them as WebAssembly, from a module
that comes with the package, `kernel("cpu")` compiled by Numba for this machine, `kernel("plain")`
as they are, and `kernel("cuda")` as device functions for an NVIDIA GPU. Each target is a namespace
with its own functions, so that all of them can run in one process and be compared.

A `Program` is what is compiled together. The kernel is one; others add modules that stand on it,
and are compiled when they are first asked for.
"""

from __future__ import annotations

import hashlib
import importlib.util
import math
import os
import shutil
import sys
import threading
import time
from collections.abc import Callable, Iterator
from contextlib import contextmanager, suppress
from dataclasses import dataclass
from functools import cache
from pathlib import Path
from types import FunctionType, SimpleNamespace
from typing import TYPE_CHECKING, Any, NamedTuple

from macaz.errors import MissingExtra
from macaz.kernel import layout
from macaz.kernel.once import once

if TYPE_CHECKING:
    import numpy as np

MODULES = (  # of the kernel
    "bits",
    "table",
    "pay",
    "legal",
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
CONSTANT = ("specs", "guides")  # arguments that no entry writes to and no caller changes
STAMP = "complete"
MONTH = 30 * 24 * 3600.0
_LOCK = threading.RLock()  # one thread compiles, the others wait for it
_LOADED: set[Program] = set()  # whose native code is in this process
# On a GPU these stay functions, once in the code: copied to wherever they are called from, as
# the compiler would, they do not fit the instruction cache, and everything takes twice as long.
_GPU_APART = ("settle", "finish_turn", "legal_count", "legal_nth", "deal", "step")
_RECORD_ARRAYS = {
    "specs": "spec",
    "states": "state",
    "works": "work",
    "tallies": "tally",
    "dice": "dice",
}


@dataclass(frozen=True)
class Program:
    """Functions that are compiled together: the kernel's, and of modules that stand on it.

    `arrays` says of which type arguments are that no kernel function has: a name, the type of the
    elements, how many dimensions. An argument that nobody names is an integer.
    """

    what: str  # is compiled, in a word for people
    entries: tuple[str, ...]  # the modules whose functions are called from outside
    modules: tuple[str, ...] = ()  # with their full names, `entries` among them
    arrays: tuple[tuple[str, np.dtype[Any], int], ...] = ()
    no_gpu: tuple[str, ...] = ()  # functions that a thread of a GPU has no room for

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
        _tell(f"{error} The rules run as plain Python instead, which is slower.")
        return "plain"
    return "wasm"


def bulk_target() -> str:
    """What many games should run on: native code where Numba is installed, or as single ones."""
    chosen = os.environ.get("MACAZ_TARGET")
    if chosen:
        return chosen
    return "cpu" if importlib.util.find_spec("numba") else default_target()


def is_compiled(program: Program = KERNEL) -> bool:
    """Whether a program's native code is kept, and can be used without compiling."""
    if program in _LOADED:
        return True
    folder = cache_folder(program)
    return folder is not None and (folder / STAMP).exists()


@cache
def _compiled(program: Program, target: str) -> Any:
    if target == "plain":
        from macaz.kernel.plain import accepting_arrays

        found = bind(program, lambda function: function, {})
        return accepting_arrays(program, found)
    if target == "cpu":
        return _compile_cpu(program)
    if target == "wasm":
        from macaz.kernel.wasm import load

        return load(program)
    if target == "cuda":
        return _compile_cuda(program)
    raise ValueError(f"no such way to run the kernel: {target!r} (wasm, cpu, plain or cuda)")


def cache_folder(program: Program = KERNEL) -> Path | None:
    """Where compiled code is kept, or None where nothing can be written.

    The name holds a digest of everything the code depends on: Numba itself would notice a
    change in the file of a function, but not in the functions it calls.
    """
    import numba
    import platformdirs
    from llvmlite import binding

    # Numba keeps code by the path of its source too: another install compiles for itself.
    place = f"{__file__} {sys.version} {numba.__version__} {binding.get_host_cpu_name()}"
    digest = hashlib.sha256(place.encode())
    ground = ("macaz.kernel.layout", "macaz.kernel.native", __name__)
    for name in (*ground, *program.all_modules):
        digest.update(Path(str(importlib.import_module(name).__file__)).read_bytes())
    digest.update(repr(program).encode())
    base = os.environ.get("MACAZ_CACHE_DIR") or platformdirs.user_cache_dir("macaz")
    folder = Path(base) / "kernel" / digest.hexdigest()[:16]
    try:
        folder.mkdir(parents=True, exist_ok=True)
        probe = folder / f".probe-{os.getpid()}"
        probe.write_bytes(b"?")
        probe.unlink()
    except OSError:
        return None
    return folder


def _forget_old_code(folder: Path) -> None:
    """Remove what earlier versions compiled, once it has not been used for a month."""
    for other in folder.parent.iterdir():
        stamp = other / STAMP
        if other != folder and stamp.exists() and time.time() - stamp.stat().st_mtime > MONTH:
            shutil.rmtree(other, ignore_errors=True)


def functions(program: Program = KERNEL) -> dict[str, FunctionType]:
    """A program's functions by name; a name means one function in all its modules."""
    found: dict[str, FunctionType] = {}
    for name in program.all_modules:
        module = importlib.import_module(name)
        for value in vars(module).values():
            if isinstance(value, FunctionType) and value.__module__ == module.__name__:
                if value.__name__ in found:
                    raise TypeError(f"two compiled functions are called {value.__name__}")
                found[value.__name__] = value
    return found


def entries(program: Program = KERNEL) -> list[str]:
    """The functions that are called from outside."""
    return [n for n, f in functions(program).items() if f.__module__ in program.entries]


def _constants(program: Program) -> dict[str, int | float]:
    """The constants of all modules; a name means one value in all of them."""
    names: dict[str, int | float] = {}
    for module in (layout, *(importlib.import_module(m) for m in program.all_modules)):
        for name, value in vars(module).items():
            if name.isupper() and type(value) in (int, float):
                if names.setdefault(name, value) != value:
                    raise TypeError(f"two compiled constants are called {name}")
    return names


def bind(
    program: Program, wrap: Callable[[FunctionType], Any], native: dict[str, Any]
) -> SimpleNamespace:
    """Copy every function into one namespace, each wrapped, each seeing the wrapped others."""
    space: dict[str, Any] = {"__name__": __name__, "sqrt": math.sqrt, **_constants(program)}
    found = functions(program)
    for name, function in found.items():
        space[name] = native.get(name) or wrap(FunctionType(function.__code__, space, name))
    return SimpleNamespace(zeros=_zeros, **{name: space[name] for name in found})


def _zeros(shape: Any, dtype: Any) -> np.ndarray:
    import numpy as np

    return np.zeros(shape, dtype)


def _compile_cpu(program: Program) -> SimpleNamespace:
    if importlib.util.find_spec("numba") is None:
        raise MissingExtra("numba", "native code", "native")
    folder = cache_folder(program)
    if folder is not None:
        try:
            return _compile_into(program, folder)
        except Exception as error:
            _tell(
                f"The compiled {program.what} kept in {folder} cannot be used ({error!r}); "
                "removing them."
            )
            shutil.rmtree(folder, ignore_errors=True)
    return _compile_into(program, None)


def _compile_into(program: Program, folder: Path | None) -> SimpleNamespace:
    """Compile for this machine, or load what was kept in the folder."""
    import numba

    from macaz.kernel import native

    fresh = folder is None or not (folder / STAMP).exists()
    began = time.perf_counter()
    if fresh:
        _tell(f"Compiling the {program.what} for this processor, once; this takes a minute or so …")
    with _numba_cache_in(folder):
        called = entries(program)

        def jit(function: FunctionType) -> Any:
            # Only what is called from Python needs a way in from there.
            inner = function.__name__ not in called
            options: dict[str, Any] = {"no_cpython_wrapper": inner, "no_cfunc_wrapper": inner}
            return numba.njit(nogil=True, error_model="numpy", cache=folder is not None, **options)(
                function
            )

        found = bind(program, jit, {"popcount": native.popcount, "lowest": native.lowest})
        for name in called:
            getattr(found, name).compile(_signature(program, functions(program)[name]))
    if fresh:
        _tell(f"Compiled in {time.perf_counter() - began:.0f} s.")
    _LOADED.add(program)
    if folder is None:
        _tell("(The result cannot be kept: set MACAZ_CACHE_DIR to a folder I may write to.)")
    else:
        with suppress(OSError):
            (folder / STAMP).touch()
            _forget_old_code(folder)
    return found


class Argument(NamedTuple):
    """An argument of an entry: an integer, or an array of elements of a type."""

    name: str
    dtype: np.dtype[Any] | None = None  # None: an integer
    axes: int = 0


def arguments(program: Program, entry: FunctionType) -> list[Argument]:
    """The arguments of an entry; their names tell what they are."""
    import numpy as np

    own = {name: (dtype, axes) for name, dtype, axes in program.arrays}
    numbers: dict[str, np.dtype[Any]] = {"out": np.dtype("i2"), "lengths": np.dtype("i4")}

    def argument(name: str) -> Argument:
        if name in _RECORD_ARRAYS:
            return Argument(name, layout.dtype_of(_RECORD_ARRAYS[name]), 1)
        if name in own:
            return Argument(name, *own[name])
        if name in numbers:
            return Argument(name, numbers[name], 1)
        return Argument(name)

    return [argument(n) for n in entry.__code__.co_varnames[: entry.__code__.co_argcount]]


def _signature(program: Program, entry: FunctionType) -> tuple[Any, ...]:
    """The types of an entry's arguments, as Numba calls them."""
    from numba import from_dtype, types

    return tuple(
        types.int64 if a.dtype is None else types.Array(from_dtype(a.dtype), a.axes, "C")
        for a in arguments(program, entry)
    )


@contextmanager
def _numba_cache_in(folder: Path | None) -> Iterator[None]:
    """Let Numba keep code in this folder, without changing where others' goes."""
    config: Any = importlib.import_module("numba.core.config")

    before = config.CACHE_DIR
    if folder is not None:
        config.CACHE_DIR = str(folder)
    try:
        yield
    finally:
        config.CACHE_DIR = before


def _compile_cuda(program: Program) -> SimpleNamespace:
    from macaz.kernel.native import cuda_natives, cuda_wrap

    def wrap(function: FunctionType) -> Any:
        return cuda_wrap(function, apart=function.__name__ in _GPU_APART)

    absent = cuda_wrap(_no_room, apart=False)
    return bind(program, wrap, cuda_natives() | dict.fromkeys(("sweep", *program.no_gpu), absent))


def _no_room(*_args: Any) -> int:
    """A function where a thread has no room for its tables."""
    return -1


def _tell(text: str) -> None:
    print(f"macaz: {text}", file=sys.stderr, flush=True)  # noqa: T201


if __name__ == "__main__":
    kernel("cpu")
