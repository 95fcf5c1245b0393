"""Arrays on a GPU for other libraries, by DLPack: the same memory, without a copy.

NumPy's arrays have DLPack themselves. Numba's device arrays have `__cuda_array_interface__` only,
so `Shared` adds the rest.
"""

from __future__ import annotations

import ctypes
from typing import Any

import numpy as np

GPU = 2  # of DLPack's kinds of devices
SELF = -1  # of a reader that waits by itself
DEFAULT_STREAMS = (None, SELF, 1, 2)  # those that wait for the environment's stream


class _Device(ctypes.Structure):
    _fields_ = (("kind", ctypes.c_int32), ("number", ctypes.c_int32))


class _Tensor(ctypes.Structure):
    """The beginning of DLPack's structure."""

    _fields_ = (("data", ctypes.c_void_p), ("device", _Device))


_address = ctypes.PYFUNCTYPE(ctypes.c_void_p, ctypes.py_object, ctypes.c_char_p)(
    ("PyCapsule_GetPointer", ctypes.pythonapi)
)


class _Lent:
    """Memory at an address as NumPy sees it; `owner` lives as long as the array of it."""

    def __init__(self, owner: Any, place: int, shape: tuple[int, ...], dtype: Any) -> None:
        self._owner = owner
        self.__array_interface__ = {
            "data": (place, False),
            "shape": shape,
            "typestr": np.dtype(dtype).str,
            "version": 3,
        }


def capsule_of(owner: Any, place: int, shape: tuple[int, ...], dtype: Any, device: Any) -> Any:
    """A capsule with a tensor at an address, without gaps; `owner` lives as long as the tensor.

    NumPy makes it, which never reads the memory, and only the device is changed. Its functions that
    end a tensor are C: one of Python would be called while an exception is raised, or at the exit.
    """
    capsule = np.asarray(_Lent(owner, place, shape, dtype)).__dlpack__()
    _Tensor.from_address(_address(capsule, b"dltensor")).device = _Device(*device)
    return capsule


class Shared:
    """An array of Numba on a GPU, with DLPack; slices of it are Numba's own arrays."""

    def __init__(self, array: Any, device: tuple[int, int] = (GPU, 0)) -> None:
        self._array = array
        self._device = device

    def __getattr__(self, name: str) -> Any:
        if name.startswith("__"):  # `copy` and others ask for these before there is an array
            raise AttributeError(name)
        return getattr(self._array, name)

    def __len__(self) -> int:
        return len(self._array)

    def __getitem__(self, key: Any) -> Any:
        return self._array[key]

    def __array__(self, dtype: Any = None, copy: bool | None = None) -> np.ndarray:
        """A copy in the memory of the CPU."""
        return np.asarray(self._array.copy_to_host(), dtype)

    @property
    def __cuda_array_interface__(self) -> dict[str, Any]:
        found: dict[str, Any] = self._array.__cuda_array_interface__
        return found

    def __dlpack_device__(self) -> tuple[int, int]:
        return self._device

    def __dlpack__(
        self,
        *,
        stream: int | None = None,
        max_version: tuple[int, int] | None = None,
        dl_device: tuple[int, int] | None = None,
        copy: bool | None = None,
    ) -> Any:
        """The array as a capsule of DLPack, without a copy.

        The environment works on the default stream; a stream that does not wait for that one gets
        the array when all its work is done.
        """
        if copy or dl_device not in (None, self._device):
            raise BufferError("these arrays are shared where they are: copy them afterwards")
        if stream not in DEFAULT_STREAMS:
            from numba import cuda

            cuda.default_stream().synchronize()
        array = self._array
        place, _ = array.__cuda_array_interface__["data"]
        return capsule_of(array, place, array.shape, array.dtype, self._device)
