"""The kernel as WebAssembly: one module that comes with the package, run by wasmtime.

An export takes the address of its arguments, 8 bytes each: an integer as it is, an array as the
address of its first element and its length along each axis. An instance belongs to a thread and has
a memory of fixed size, so that arrays in it (`Instance.zeros`) never move. Arrays elsewhere are
copied in for a call and back after it.
"""

from __future__ import annotations

import atexit
import ctypes
import hashlib
import importlib
import json
import os
import secrets
import threading
from collections import OrderedDict
from collections.abc import Callable
from contextlib import suppress
from importlib import metadata
from pathlib import Path
from types import SimpleNamespace
from typing import TYPE_CHECKING, Any
from weakref import WeakSet

import numpy as np

from macaz.errors import MacazError
from macaz.kernel.once import once

if TYPE_CHECKING:
    from macaz.kernel.compile import Argument, Program

MODULE = Path(__file__).with_name("macaz.wasm")
SECTION = "macaz"  # the custom section that says what the module was made from
PAGE = 1 << 16
GUARD = 1 << 20  # bytes behind the memory that must not be touched
PAGES = 192  # of memory: 12 MiB, of which a search takes about 6
ALIGNED = 16
WORDS = 96  # of the longest list of arguments
COPIES = 1 << 21  # bytes for arrays that are copied in for a call
CONSTANTS = 8  # tables of each kind that an instance keeps


class WasmFailed(MacazError):  # noqa: N818 - as ThinkingFailed
    """The module cannot be used here; the message says why, and what to do."""


def description(program: Program) -> dict[str, Any]:
    """What the module says of itself: its sources, and the arguments of its entries."""
    from macaz.kernel.compile import arguments, entries

    ground = ("macaz.kernel.layout", "macaz.kernel.native")
    root = Path(__file__).parent.parent
    files = [
        Path(str(importlib.import_module(name).__file__)).relative_to(root).as_posix()
        for name in (*ground, *program.all_modules)
    ]
    return {
        "sources": sorted(files),
        "digest": source_digest(sorted(files)),
        "entries": {
            name: [
                [a.name, "" if a.dtype is None else a.dtype.itemsize, a.axes]
                for argument in arguments(program, function)
                for a in argument.flat
            ]
            for name, function in entries(program).items()
        },
    }


def source_digest(files: list[str]) -> str:
    """A digest of sources, given by their paths in the package."""
    digest = hashlib.sha256()
    for name in files:
        text = (Path(__file__).parent.parent / name).read_bytes()
        digest.update(text.replace(b"\r\n", b"\n"))
    return digest.hexdigest()


def read_description(module: bytes) -> dict[str, Any]:
    """What a module says of itself."""
    at = module.rfind(SECTION.encode() + b"{")
    if at < 0 or not module.startswith(b"\0asm"):
        raise WasmFailed(f"{MODULE} is damaged. Install Macaz again, or run 'make wasm'.")
    try:
        found: dict[str, Any] = json.loads(module[at + len(SECTION) :])
    except ValueError:
        raise WasmFailed(f"{MODULE} is damaged. Install Macaz again, or run 'make wasm'.") from None
    return found


@once
def _module() -> tuple[Any, Any]:
    """The engine and the compiled module; compiled once for a machine where it can be kept."""
    try:
        import wasmtime
    except ImportError as error:
        raise WasmFailed(f"wasmtime is not there ({error}). Install Macaz again.") from None
    except (OSError, RuntimeError) as error:  # not for this system, or not for this processor
        raise WasmFailed(f"wasmtime does not run here ({error}).") from None
    try:
        code = MODULE.read_bytes()
    except OSError as error:
        raise WasmFailed(f"{MODULE} cannot be read ({error.strerror}).") from None
    about = read_description(code)
    if not _is_current(about):
        raise WasmFailed(f"{MODULE} is older than the sources it was made from: run 'make wasm'.")
    engine = wasmtime.Engine(_config(wasmtime))
    kept = _kept(code, metadata.version("wasmtime"))
    if kept is not None and kept.exists():
        with suppress(wasmtime.WasmtimeError):
            return engine, wasmtime.Module.deserialize_file(engine, str(kept))
    try:
        module = wasmtime.Module(engine, code)
    except wasmtime.WasmtimeError as error:
        raise WasmFailed(f"{MODULE} cannot be compiled: {_in_a_line(error)}.") from None
    if kept is not None:
        draft = kept.with_name(f".{secrets.token_hex(8)}.tmp")
        with suppress(OSError):  # a full disk: it is compiled again the next time
            try:
                draft.write_bytes(module.serialize())
                draft.replace(kept)
            except OSError:
                draft.unlink()
    return engine, module


def _in_a_line(error: Exception) -> str:
    return " ".join(str(error).split())


def _is_current(about: dict[str, Any]) -> bool:
    """Whether a module was made from the sources as they are."""
    try:
        return source_digest(about["sources"]) == str(about["digest"])
    except OSError:  # one of them is no more
        return False


def _config(wasmtime: Any) -> Any:
    """How the module is compiled, and how its memory lies in the address space."""
    config = wasmtime.Config()
    # Without a reservation of 4 GiB each access is compared with the size of the memory. A guard
    # that is larger than any record keeps that to one comparison.
    config.memory_reservation = PAGES * PAGE
    config.memory_guard_size = GUARD
    config.memory_may_move = False
    # The code is our own: nothing in it tries to read what it must not by timing.
    config.cranelift_flag_set("enable_heap_access_spectre_mitigation", "false")
    return config


def _kept(code: bytes, version: str) -> Path | None:
    """The file with the module compiled for this machine, or None where none can be kept."""
    import platformdirs

    base = os.environ.get("MACAZ_CACHE_DIR") or platformdirs.user_cache_dir("macaz")
    name = hashlib.sha256(code + version.encode()).hexdigest()[:16]
    folder = Path(base) / "wasm"
    try:
        folder.mkdir(parents=True, exist_ok=True)
    except OSError:
        return None
    return folder / f"{name}.cwasm" if os.access(folder, os.W_OK) else None


_ALIVE: WeakSet[Any] = WeakSet()  # objects of wasmtime


@atexit.register
def _leave_to_the_system() -> None:
    """Keep the objects of wasmtime from being freed at exit, when its functions are gone."""
    for kept in _ALIVE:
        ctypes.pythonapi.Py_IncRef(ctypes.py_object(kept))


class Instance:
    """An instance of the module, for one thread, and the arrays in its memory."""

    def __init__(self) -> None:
        engine, module = _module()  # says what is missing
        import wasmtime

        self._store = store = wasmtime.Store(engine)
        _ALIVE.update((engine, module, store))
        try:
            self._exports = exports = wasmtime.Instance(store, module, []).exports(store)
        except wasmtime.WasmtimeError as error:  # no room for its memory, say
            why = _in_a_line(error)
            raise WasmFailed(f"the kernel cannot be started as WebAssembly: {why}.") from None
        memory: Any = exports["memory"]
        size = memory.data_len(store)
        self._base = ctypes.addressof(memory.data_ptr(store).contents)
        buffer = (ctypes.c_ubyte * size).from_address(self._base)
        buffer.owner = store  # arrays keep their memory alive
        self._bytes = np.frombuffer(buffer, np.uint8)
        base: Any = exports["__heap_base"]
        self._free, self._end = int(base.value(store)), size
        self._known: dict[int, int] = {}  # addresses of arrays in the memory, by their identity
        self._arrays: list[np.ndarray] = []  # which are kept, so that no other takes it
        self._constants: dict[np.dtype[Any], OrderedDict[int, tuple[int, np.ndarray]]] = {}
        self._call = self._take(8 * WORDS)
        self.words = self._bytes[self._call : self._call + 8 * WORDS].view(np.int64).data
        self.copies = self._take(COPIES)

    def _take(self, size: int) -> int:
        at = -(-self._free // ALIGNED) * ALIGNED
        if at + size > self._end:
            raise MemoryError(f"the memory of the kernel has no room for {size} bytes more")
        self._free = at + size
        return at

    def zeros(self, shape: int | tuple[int, ...], dtype: Any) -> np.ndarray:
        """A new array of zeros in the memory, for as long as the instance lives."""
        kind = np.dtype(dtype)
        size = int(np.prod(shape)) * kind.itemsize
        at = self._take(size)
        array: np.ndarray = self._bytes[at : at + size].view(kind).reshape(shape)
        self._known[id(array)] = at
        self._arrays.append(array)
        return array

    def entry(self, name: str) -> Callable[[], int]:
        """An export, as a call that finds its arguments in `words`."""
        function: Any = self._exports[name]
        store, where = self._store, self._call
        try:
            from wasmtime import _ffi

            ffi: Any = _ffi
            call, context = ffi.wasmtime_func_call_unchecked, store._context()
            raw, trap = (ffi.wasmtime_val_raw_t * 1)(), ctypes.POINTER(ffi.wasm_trap_t)()
            place, word, trapped = ctypes.byref(function._func), raw[0], ctypes.byref(trap)
        except (ImportError, AttributeError):
            # Another version of wasmtime: by its public call, which takes thirty times as long.
            return lambda: int(function(store, where))

        def run() -> int:
            word.i32 = where
            if call(context, place, raw, 1, trapped) or trap:
                raise RuntimeError(f"the kernel stopped in {name}")
            return int(word.i64)

        return run

    def inside(self, array: np.ndarray) -> int | None:
        """The address of an array in the memory; None for one elsewhere."""
        at = self._known.get(id(array))
        if at is None and array.base is not None:  # a part of another array
            at = array.ctypes.data - self._base
            if not array.flags.c_contiguous:
                raise ValueError("the kernel takes only arrays without gaps")
        return at if at is not None and 0 <= at < self._end else None

    def constant(self, array: np.ndarray) -> int:
        """The address of a copy of an array that never changes."""
        kept = self._constants.setdefault(array.dtype, OrderedDict())
        found = kept.get(id(array))
        if found is None:
            at = self._take(array.nbytes) if len(kept) < CONSTANTS else kept.popitem(False)[1][0]
            self._bytes[at : at + array.nbytes] = array.view(np.uint8)
            found = kept[id(array)] = at, array
        else:
            kept.move_to_end(id(array))
        return found[0]

    def copy_in(self, array: np.ndarray, at: int) -> tuple[int, np.ndarray, np.ndarray]:
        """The address of a copy for this call, and the bytes here and there."""
        start = -(-at // ALIGNED) * ALIGNED
        if start + array.nbytes > self.copies + COPIES:
            raise MemoryError(f"an array of {array.nbytes} bytes is too large to be copied")
        there = self._bytes[start : start + array.nbytes]
        here = (array if array.ndim == 1 else array.reshape(-1)).view(np.uint8)
        there[:] = here
        return start, here, there


class _Threads(threading.local):
    """The instance of each thread, and its entries."""

    def __init__(self) -> None:
        self.instance = Instance()
        self.calls: dict[str, Callable[[], int]] = {}


@once
def _threads() -> _Threads:
    return _Threads()


def zeros(shape: int | tuple[int, ...], dtype: Any) -> np.ndarray:
    """A new array of zeros in the memory of this thread's instance."""
    return _threads().instance.zeros(shape, dtype)


def called() -> frozenset[str]:
    """The entries that this thread has called."""
    return frozenset(_threads().calls)


def load(program: Program) -> SimpleNamespace:
    """A program's entries, called with arrays and integers as the compiled ones are."""
    from macaz.kernel.compile import arguments, entries

    _ = _threads().instance  # what cannot be had is said now
    made = {n: _entry(n, arguments(program, function)) for n, function in entries(program).items()}
    return SimpleNamespace(zeros=zeros, **made)


def _entry(name: str, takes: list[Argument]) -> Callable[..., int]:
    from macaz.kernel.compile import CONSTANT

    threads = _threads()
    kinds = [(a.dtype is None, a.name in CONSTANT) for given in takes for a in given.flat]
    grouped = any(argument.group for argument in takes)

    def call(*given: Any) -> int:
        instance, calls = threads.instance, threads.calls
        run = calls.get(name)
        if run is None:
            run = calls[name] = instance.entry(name)
        if grouped:
            given = tuple(part for v in given for part in (v if isinstance(v, tuple) else (v,)))
        words, copies = instance.words, instance.copies
        back: list[tuple[np.ndarray, np.ndarray]] = []
        n = 0
        for (is_number, is_constant), value in zip(kinds, given, strict=True):
            if is_number:
                words[n] = value
                n += 1
                continue
            at = instance.constant(value) if is_constant else instance.inside(value)
            if at is None:
                at, here, there = instance.copy_in(value, copies)
                copies = at + here.size
                if value.flags.writeable:  # an entry that only reads may be given any state
                    back.append((here, there))
            words[n] = at
            n += 1
            for length in value.shape:
                words[n] = length
                n += 1
        result = run()
        for here, there in back:
            here[:] = there
        return result

    call.__name__ = name
    return call
