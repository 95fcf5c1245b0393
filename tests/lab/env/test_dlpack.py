"""Other libraries share the memory of the environments' arrays, on a CPU and on a GPU."""

from __future__ import annotations

import gc
from types import SimpleNamespace
from typing import Any

import numpy as np
import pytest

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


def posing(array: np.ndarray) -> Shared:
    """An array of the CPU with what Numba's arrays on a GPU have."""
    interface = {"data": (array.ctypes.data, False)}
    like = {"shape": array.shape, "dtype": array.dtype, "__cuda_array_interface__": interface}
    return Shared(SimpleNamespace(**like, owner=array), CPU)


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


def test_memory_is_lent_until_nobody_needs_it() -> None:
    gc.collect()
    before = len(dlpack._LENT)
    array = np.arange(6, dtype=np.int32)
    taken, untaken = np.from_dlpack(posing(array)), posing(array).__dlpack__()
    assert len(dlpack._LENT) == before + 2
    del untaken
    assert len(dlpack._LENT) == before + 1
    assert taken.tolist() == [0, 1, 2, 3, 4, 5]
    del taken
    gc.collect()
    assert len(dlpack._LENT) == before


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
    legal = shared["action_mask"].float()
    before = shared["game"].clone()
    for _ in range(200):
        env.step(torch.multinomial(legal, 1).squeeze(1))  # the mask is that of each new step
    assert (shared["game"] > before).any()
