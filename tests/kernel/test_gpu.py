"""The GPU target, where there is an NVIDIA GPU: the same games as on the CPU.

bench/gpu.py compares every state after every step; this compares whole games.
"""

import numpy as np
import pytest

from macaz.edition import load_edition
from macaz.kernel import cpu, gpu
from macaz.kernel.spec import compile_spec

PROBLEM = gpu.gpu_problem()


@pytest.mark.gpu
@pytest.mark.skipif(PROBLEM is not None, reason=str(PROBLEM))
@pytest.mark.parametrize("name", ["tiny", "usa", "europe", "old-west+alvin"])
def test_the_gpu_plays_the_same_games(name: str) -> None:
    edition = load_edition(name)
    spec = compile_spec(edition, edition.rules.max_seats)
    theirs = list(gpu.random_games(spec, 1000, 7, batch=400))
    ours = cpu.play_batch(spec, 0, 1000, 7)
    assert np.concatenate([b.tallies for b in theirs]).tobytes() == ours.tallies.tobytes()
    assert np.concatenate([b.lengths for b in theirs]).tolist() == ours.lengths.tolist()


@pytest.mark.skipif(PROBLEM is None, reason="there is a GPU")
def test_without_a_gpu_it_says_so() -> None:
    with pytest.raises(gpu.NoGPU, match=r"GPU|numba-cuda"):
        gpu.device_name()
