"""What Numba makes of the kernel's functions. Imported only when Numba is."""

from __future__ import annotations

import importlib
from typing import Any

import numba
from llvmlite import ir
from numba import types
from numba.extending import intrinsic


@intrinsic
def _ctpop(_typing: Any, _x: Any) -> Any:
    def generate(_context: Any, builder: Any, _signature: Any, args: Any) -> Any:
        return builder.ctpop(args[0])

    return types.int64(types.int64), generate


@intrinsic
def _cttz(_typing: Any, _x: Any) -> Any:
    def generate(_context: Any, builder: Any, _signature: Any, args: Any) -> Any:
        return builder.cttz(args[0], ir.Constant(ir.IntType(1), 1))

    return types.int64(types.int64), generate


@numba.njit(inline="always")
def popcount(x: Any) -> Any:
    """How many bits are set."""
    return _ctpop(x)  # type: ignore[call-arg]


@numba.njit(inline="always")
def lowest(x: Any) -> Any:
    """The number of the lowest bit that is set."""
    return _cttz(x)  # type: ignore[call-arg]


NATIVES = {"macaz.kernel.bits.popcount": popcount, "macaz.kernel.bits.lowest": lowest}


def one_copy(dispatcher: Any) -> Any:
    """A function that Numba compiles once for all integers it is called with.

    Otherwise each constant and each size of a field would have a copy of the function.
    """
    template = dispatcher.get_call_template

    def get_call_template(args: Any, kws: Any) -> Any:
        return template(tuple(_widened(kind) for kind in args), kws)

    dispatcher.get_call_template = get_call_template
    return dispatcher


def _widened(kind: Any) -> Any:
    """The type of an argument: 64 bits for an integer, and no type of a single constant."""
    kind = types.unliteral(kind)
    return types.int64 if kind in types.signed_domain else kind


def cuda_natives() -> dict[str, Any]:
    """The same two for the GPU."""
    cuda: Any = importlib.import_module("numba.cuda")
    int64: Any = types.int64

    @cuda.jit(device=True)
    def popcount(x: Any) -> Any:
        return int64(cuda.popc(int64(x)))

    @cuda.jit(device=True)
    def lowest(x: Any) -> Any:
        return int64(cuda.ffs(int64(x))) - 1

    return dict(zip(NATIVES, (popcount, lowest), strict=True))


def cuda_wrap(function: Any, *, apart: bool) -> Any:
    """A function for the GPU; `apart` keeps it from being copied into its callers."""
    cuda: Any = importlib.import_module("numba.cuda")
    inner = cuda.jit(device=True)(function)
    if not apart:
        return inner
    extending: Any = importlib.import_module("numba.cuda.extending")

    @extending.intrinsic
    def stay_apart(_typing: Any) -> Any:
        def generate(_context: Any, builder: Any, _signature: Any, _args: Any) -> None:
            builder.function.attributes.add("noinline")

        return types.void(), generate

    @cuda.jit(device=True)
    def outer(*args: Any) -> Any:
        stay_apart()
        return inner(*args)

    return outer
