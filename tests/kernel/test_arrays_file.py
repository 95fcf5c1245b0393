"""Arrays files hold what was written, aligned, and the same bytes for the same arrays."""

from __future__ import annotations

import numpy as np
import pytest
from tests.arrays_files import read_arrays

from macaz.kernel.arrays_file import arrays_file
from macaz.kernel.layout import dtype_of

KINDS = ("i1", "i2", "i4", "i8", "f2", "f4", "f8")


def test_every_kind_of_number_comes_back():
    arrays = {kind: np.arange(-3, 12).reshape(3, 5).astype(kind) for kind in KINDS}
    found, about = read_arrays(arrays_file(arrays, about={"name": "Orașe"}))
    assert about == {"name": "Orașe"}
    assert list(found) == list(KINDS)
    for kind in KINDS:
        assert found[kind].dtype == np.dtype(kind)
        assert np.array_equal(found[kind], arrays[kind])


def test_records_come_back_under_their_names():
    dice = np.zeros(3, dtype_of("dice"))
    dice["word"] = np.arange(12).reshape(3, 4)
    found, about = read_arrays(arrays_file({"thrown": dice}, records={"thrown": "dice"}))
    assert about == {}
    assert found["thrown"].tobytes() == dice.tobytes()
    with pytest.raises(KeyError):
        arrays_file({"thrown": dice})


def test_big_endian_and_scattered_arrays_are_written_like_any_other():
    plain = np.arange(12, dtype="<i4").reshape(3, 4)
    file = arrays_file({"numbers": plain})
    assert arrays_file({"numbers": plain.astype(">i4")}) == file
    assert arrays_file({"numbers": np.asfortranarray(plain)}) == file
    assert arrays_file({"numbers": np.repeat(plain, 2, axis=0)[::2]}) == file


@pytest.mark.parametrize("length", range(40))
def test_the_header_may_have_any_length(length):
    arrays = {"a": np.arange(3, dtype="i1"), "b": np.arange(300, dtype="f4"), "none": np.zeros(0)}
    found, about = read_arrays(arrays_file(arrays, about={"text": "x" * length}))
    assert about == {"text": "x" * length}
    assert [found[name].tolist() for name in arrays] == [a.tolist() for a in arrays.values()]
