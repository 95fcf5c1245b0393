"""Other libraries share the memory of the environments' arrays, on a CPU and on a GPU."""

from __future__ import annotations

import gc
import subprocess
import sys
import weakref
from typing import Any

import numpy as np
import pytest
from tests.installs import ROOT

from macaz.kernel import gpu
from macaz.lab.env import dlpack
from macaz.lab.env.dlpack import Shared
from macaz.lab.env.vector import VectorEnv

CPU = (1, 0)  # DLPack's number of the kind of device


def arrays(env: VectorEnv) -> dict[str, Any]:
    observations, infos = env.reset()
    rewards, ended = env.step(env.sample_actions())[1:3]
    return {"observations": observations, "rewards": rewards, "ended": ended, **infos}


def test_numpy_and_torch_share_the_arrays_of_the_cpu() -> None:
    torch = pytest.importorskip("torch")
    env = VectorEnv("tiny", 2, 8, seed=1)
    found = arrays(env)
    shared = {name: (np.from_dlpack(a), torch.from_dlpack(a)) for name, a in found.items()}
    for _ in range(40):
        env.step(env.sample_actions())
    for name, array in found.items():
        ours, theirs = shared[name]
        assert np.shares_memory(ours, array), name
        assert theirs.data_ptr() == array.ctypes.data, name
        assert theirs.numpy().tolist() == array.tolist(), name
    assert env.step(torch.from_dlpack(env.sample_actions()).clone())[1].shape == (8, 2)


class Posing:
    """Memory of the CPU, with what Numba's arrays on a GPU have."""

    def __init__(self, array: np.ndarray) -> None:
        self.owner, self.shape, self.dtype = array, array.shape, array.dtype
        self.__cuda_array_interface__ = {"data": (array.ctypes.data, False)}


def posing(array: np.ndarray) -> Shared:
    return Shared(Posing(array), CPU)


@pytest.mark.parametrize("kind", ["i1", "i2", "i4", "i8", "f4", "?"])
@pytest.mark.parametrize("library", ["numpy", "torch"])
def test_a_capsule_of_ours_is_read_by_others(kind: str, library: str) -> None:
    """The same code as for a GPU, with memory that can be looked at here."""
    module = pytest.importorskip(library)
    array = (np.arange(24).reshape(4, 6) % 2).astype(kind)
    found = module.from_dlpack(posing(array))
    assert tuple(found.shape) == (4, 6)
    assert found.tolist() == array.tolist()
    array[2, 3] = 0
    array[1, 0] = 1
    assert found.tolist() == array.tolist()


def test_memory_is_lent_until_it_is_not_needed() -> None:
    array = np.arange(6, dtype=np.int32)
    sharing = posing(array)
    owner = weakref.ref(sharing._array)
    taken, untaken = np.from_dlpack(sharing), sharing.__dlpack__()
    del sharing
    gc.collect()
    assert owner() is not None
    assert taken.tolist() == [0, 1, 2, 3, 4, 5]
    del taken
    gc.collect()
    assert owner() is not None
    del untaken
    gc.collect()
    assert owner() is None


def test_an_error_with_a_shared_array_is_the_error_of_the_caller() -> None:
    """The memory is given back while the exception is raised."""
    array = np.arange(6)
    with pytest.raises(ValueError, match="reshape"):
        np.from_dlpack(posing(array)).reshape(7)
    with pytest.raises(ZeroDivisionError):
        max(posing(array).__dlpack__(), 1 // 0)


def test_a_shared_array_may_live_until_the_exit() -> None:
    code = """
import sys
import numpy as np
from tests.lab.env.test_dlpack import posing

class Kept: pass

kept = Kept()
kept.me, kept.taken, kept.untaken = kept, np.from_dlpack(posing(np.arange(6))), posing(np.arange(6))
kept.capsule = kept.untaken.__dlpack__()
sys.kept = kept
"""
    done = subprocess.run([sys.executable, "-c", code], cwd=ROOT, check=False)
    assert done.returncode == 0


def test_it_does_not_copy_and_does_not_leave_the_device() -> None:
    shared = posing(np.zeros(3, np.int8))
    with pytest.raises(BufferError, match="copy them afterwards"):
        shared.__dlpack__(copy=True)
    with pytest.raises(BufferError):
        shared.__dlpack__(dl_device=(dlpack.GPU, 0))
    assert shared.__dlpack__(dl_device=CPU, max_version=(1, 0)) is not None


@pytest.mark.gpu
@pytest.mark.skipif(bool(gpu.gpu_problem()), reason=str(gpu.gpu_problem()))
def test_torch_shares_the_arrays_of_the_gpu() -> None:
    torch = pytest.importorskip("torch")
    if not torch.cuda.is_available():
        pytest.skip("this PyTorch has no CUDA")
    env = VectorEnv("tiny", 2, 64, seed=1, target="cuda")
    found = arrays(env)
    shared = {name: torch.from_dlpack(array) for name, array in found.items()}
    for _ in range(40):
        env.step(env.sample_actions())
    for name, array in found.items():
        place = array.__cuda_array_interface__["data"][0]
        assert shared[name].is_cuda, name
        assert shared[name].data_ptr() == place, name
        assert shared[name].cpu().numpy().tolist() == array.copy_to_host().tolist(), name
    before = shared["game"].clone()
    for _ in range(200):
        env.step(torch.multinomial(shared["action_mask"].float(), 1).squeeze(1))
    assert (shared["game"] > before).any()
    kept = shared["observations"].sum()
    del env, found
    gc.collect()
    assert shared["observations"].sum() == kept
    side = torch.cuda.Stream()
    there = VectorEnv("tiny", 2, 64, seed=1, target="cuda")
    with torch.cuda.stream(side):
        begun = torch.from_dlpack(there.reset()[0]).sum()
    side.synchronize()
    assert begun == torch.from_dlpack(there.reset(seed=1)[0]).sum()
