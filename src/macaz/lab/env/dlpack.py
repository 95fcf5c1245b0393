"""Arrays on a GPU for other libraries, by DLPack: the same memory, without a copy.

NumPy's arrays have DLPack themselves. Numba's device arrays have `__cuda_array_interface__` only,
so `Shared` adds the rest. The structures are those of DLPack 0.8, which every library reads.
"""

from __future__ import annotations

import ctypes
from typing import Any

import numpy as np

GPU = 2  # of DLPack's kinds of devices
_CODES = {"i": 0, "u": 1, "f": 2, "b": 6}  # of DLPack's types, by those of NumPy
_NAME = b"dltensor"  # of a capsule that nobody has taken yet


class _Device(ctypes.Structure):
    _fields_ = (("kind", ctypes.c_int32), ("number", ctypes.c_int32))


class _Type(ctypes.Structure):
    _fields_ = (("code", ctypes.c_uint8), ("bits", ctypes.c_uint8), ("lanes", ctypes.c_uint16))


class _Tensor(ctypes.Structure):
    _fields_ = (
        ("data", ctypes.c_void_p),
        ("device", _Device),
        ("axes", ctypes.c_int32),
        ("type", _Type),
        ("shape", ctypes.POINTER(ctypes.c_int64)),
        ("strides", ctypes.POINTER(ctypes.c_int64)),  # null: without gaps, the last axis first
        ("offset", ctypes.c_uint64),
    )


class _Managed(ctypes.Structure):
    """A tensor, and who to tell when it is no longer needed."""


_Delete = ctypes.CFUNCTYPE(None, ctypes.POINTER(_Managed))
_Managed._fields_ = (("tensor", _Tensor), ("context", ctypes.c_void_p), ("delete", _Delete))

_LENT: dict[int, tuple[Any, ...]] = {}  # what must live as long as a tensor does, by its address


def _give_back(managed: Any) -> None:
    del _LENT[ctypes.addressof(managed.contents)]


_Destroy = ctypes.CFUNCTYPE(None, ctypes.c_void_p)
_python = ctypes.pythonapi
_new_capsule = ctypes.PYFUNCTYPE(ctypes.py_object, ctypes.c_void_p, ctypes.c_char_p, _Destroy)(
    ("PyCapsule_New", _python)
)
_is_untaken = ctypes.PYFUNCTYPE(ctypes.c_int, ctypes.c_void_p, ctypes.c_char_p)(
    ("PyCapsule_IsValid", _python)
)
_address = ctypes.PYFUNCTYPE(ctypes.c_void_p, ctypes.c_void_p, ctypes.c_char_p)(
    ("PyCapsule_GetPointer", _python)
)


def _drop(capsule: int) -> None:
    """Give back what nobody has taken; who takes a tensor renames its capsule."""
    if _is_untaken(capsule, _NAME):
        del _LENT[_address(capsule, _NAME)]


_delete, _destroy = _Delete(_give_back), _Destroy(_drop)


def capsule_of(owner: Any, place: int, shape: tuple[int, ...], dtype: Any, device: Any) -> Any:
    """A capsule with a tensor at an address, without gaps; `owner` lives as long as the tensor."""
    kind = np.dtype(dtype)
    lengths = (ctypes.c_int64 * len(shape))(*shape)
    of = _Type(_CODES[kind.kind], 8 * kind.itemsize, 1)
    tensor = _Tensor(place, _Device(*device), len(shape), of, lengths, None, 0)
    managed = _Managed(tensor, None, _delete)
    at = ctypes.addressof(managed)
    _LENT[at] = managed, lengths, owner
    return _new_capsule(at, _NAME, _destroy)


class Shared:
    """An array of Numba on a GPU, with DLPack; in all else, the array."""

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

        `stream` needs nothing: the environment works on the default stream, for which others wait.
        """
        if copy or dl_device not in (None, self._device):
            raise BufferError("these arrays are shared where they are: copy them afterwards")
        array = self._array
        place, _ = array.__cuda_array_interface__["data"]
        return capsule_of(array, place, array.shape, array.dtype, self._device)
