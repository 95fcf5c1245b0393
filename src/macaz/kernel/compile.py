"""One source, three ways to run.

The kernel's functions are plain Python. `kernel("plain")` gives them as they are,
`kernel("cpu")` compiled by Numba for this machine, `kernel("cuda")` as device functions for an
NVIDIA GPU. Each way is a namespace with its own copies of the functions, bound to each other, so
that all three can run in one process and be compared.
"""

from __future__ import annotations

import hashlib
import importlib
import os
import shutil
import sys
import threading
import time
from collections.abc import Callable, Iterator
from contextlib import contextmanager, suppress
from functools import cache
from pathlib import Path
from types import FunctionType, SimpleNamespace
from typing import Any

from macaz.kernel import layout

MODULES = (
    "bits",
    "table",
    "pay",
    "legal",
    "flow",
    "step",
    "deal",
    "dice",
    "play",
    "sweep",
    "paths",
    "score",
    "entry",
)
STAMP = "complete"
MONTH = 30 * 24 * 3600.0
_LOCK = threading.RLock()  # one thread compiles, the others wait for it
# On a GPU these stay functions, once in the code: copied to wherever they are called from, as
# the compiler would, they do not fit the instruction cache, and everything takes twice as long.
_GPU_APART = ("settle", "finish_turn", "legal_scan", "deal", "step")
_RECORD_ARRAYS = {
    "specs": "spec",
    "states": "state",
    "works": "work",
    "tallies": "tally",
    "dice": "dice",
}


def kernel(target: str = "cpu") -> Any:
    """The kernel's functions, for "cpu", "plain" or "cuda"; compiled once in a process."""
    with _LOCK:
        return _kernel(target)


@cache
def _kernel(target: str) -> Any:
    if target == "plain":
        return _bind(lambda function: function, {})
    if target == "cpu":
        return _compile_cpu()
    if target == "cuda":
        return _compile_cuda()
    raise ValueError(f"no such way to run the kernel: {target!r} (cpu, plain or cuda)")


def cache_folder() -> Path | None:
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
    for name in ("layout", "native", "compile", *MODULES):
        digest.update(Path(__file__).with_name(f"{name}.py").read_bytes())
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


def functions() -> dict[str, FunctionType]:
    """The kernel's functions by name; a name means one function in all its modules."""
    found: dict[str, FunctionType] = {}
    for name in MODULES:
        module = importlib.import_module(f"macaz.kernel.{name}")
        for value in vars(module).values():
            if isinstance(value, FunctionType) and value.__module__ == module.__name__:
                if value.__name__ in found:
                    raise TypeError(f"two kernel functions are called {value.__name__}")
                found[value.__name__] = value
    return found


def entries() -> list[str]:
    """The functions that are called from outside."""
    return [n for n, f in functions().items() if f.__module__ == "macaz.kernel.entry"]


def _constants() -> dict[str, int]:
    names: dict[str, int] = {}
    for module in (layout, *(importlib.import_module(f"macaz.kernel.{m}") for m in MODULES)):
        names |= {k: v for k, v in vars(module).items() if k.isupper() and type(v) is int}
    return names


def _bind(wrap: Callable[[FunctionType], Any], native: dict[str, Any]) -> SimpleNamespace:
    """Copy every function into one namespace, each wrapped, each seeing the wrapped others."""
    space: dict[str, Any] = {"__name__": __name__, **_constants()}
    found = functions()
    for name, function in found.items():
        space[name] = native.get(name) or wrap(FunctionType(function.__code__, space, name))
    return SimpleNamespace(**{name: space[name] for name in found})


def _compile_cpu() -> SimpleNamespace:
    folder = cache_folder()
    if folder is not None:
        try:
            return _compile_into(folder)
        except Exception as error:
            _tell(f"The compiled rules kept in {folder} cannot be used ({error!r}); removing them.")
            shutil.rmtree(folder, ignore_errors=True)
    return _compile_into(None)


def _compile_into(folder: Path | None) -> SimpleNamespace:
    """Compile for this machine, or load what was kept in the folder."""
    import numba

    from macaz.kernel import native

    fresh = folder is None or not (folder / STAMP).exists()
    began = time.perf_counter()
    if fresh:
        _tell("Compiling the rules for this processor, once; this takes half a minute or so …")
    with _numba_cache_in(folder):
        jit = numba.njit(nogil=True, error_model="numpy", cache=folder is not None)
        compiled = _bind(jit, {"popcount": native.popcount, "lowest": native.lowest})
        for name in entries():
            getattr(compiled, name).compile(_signature(functions()[name]))
    if fresh:
        _tell(f"Compiled in {time.perf_counter() - began:.0f} s.")
    if folder is None:
        _tell("(The result cannot be kept: set MACAZ_CACHE_DIR to a folder I may write to.)")
    else:
        with suppress(OSError):
            (folder / STAMP).touch()
            _forget_old_code(folder)
    return compiled


def _signature(entry: FunctionType) -> tuple[Any, ...]:
    """The types of an entry's arguments, which their names tell."""
    from numba import from_dtype, types

    def type_of(name: str) -> Any:
        if name in _RECORD_ARRAYS:
            record = from_dtype(layout.dtype_of(_RECORD_ARRAYS[name]))
            return types.Array(record, 1, "C")
        return {"out": types.int16[::1], "lengths": types.int32[::1]}.get(name, types.int64)

    return tuple(type_of(n) for n in entry.__code__.co_varnames[: entry.__code__.co_argcount])


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


def _compile_cuda() -> SimpleNamespace:
    from macaz.kernel.native import cuda_natives, cuda_wrap

    def wrap(function: FunctionType) -> Any:
        return cuda_wrap(function, apart=function.__name__ in _GPU_APART)

    return _bind(wrap, cuda_natives() | {"sweep": cuda_wrap(_no_sweep, apart=False)})


def _no_sweep(_w: Any, _edges: Any, _cities: Any) -> int:
    """`sweep` where a thread has no room for its tables."""
    return -1


def _tell(text: str) -> None:
    print(f"macaz: {text}", file=sys.stderr, flush=True)  # noqa: T201
