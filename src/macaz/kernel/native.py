"""The two bit functions as machine instructions. Imported only when Numba is."""

from __future__ import annotations

from typing import Any

import numba
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
        import llvmlite.ir as ir  # noqa: PLC0415

        return builder.cttz(args[0], ir.Constant(ir.IntType(1), 1))

    return types.int64(types.int64), generate


@numba.njit(inline="always")
def popcount(x: Any) -> Any:
    """How many bits are set."""
    return _ctpop(x)


@numba.njit(inline="always")
def lowest(x: Any) -> Any:
    """The number of the lowest bit that is set."""
    return _cttz(x)


def cuda_natives() -> dict[str, Any]:
    """The same two for the GPU."""
    from numba import cuda  # noqa: PLC0415

    @cuda.jit(device=True, inline=True)
    def popcount(x: Any) -> Any:
        return cuda.popc(x)

    @cuda.jit(device=True, inline=True)
    def lowest(x: Any) -> Any:
        return cuda.ffs(x) - 1

    return {"popcount": popcount, "lowest": lowest}
