"""Training games on a GPU: one thread plays one decision of one game."""

from __future__ import annotations

import importlib
from functools import cache
from typing import Any

import numpy as np

from macaz.bots.compiled.layout import SENSE_SIZE, dtypes
from macaz.kernel.compile import compiled
from macaz.kernel.layout import dtype_from, dtype_of
from macaz.lab.train.program import GPU_MIND, PROGRAM


@cache
def teach_kernel(registers: int | None) -> Any:
    """The CUDA kernel, with a limit on registers per thread; compiled at its first launch."""
    cuda: Any = importlib.import_module("numba.cuda")
    run = compiled(PROGRAM, "cuda")
    go_on, show_lesson = run.go_on, run.show_lesson
    state_type, work_type, tally_type = dtype_of("state"), dtype_of("gpu-work"), dtype_of("tally")
    dice_type, mind_type, row_type = dtype_of("dice"), dtype_from(GPU_MIND), dtypes["sense"]
    state_words, work_words = state_type.itemsize // 8, work_type.itemsize // 8
    tally_halves, dice_words = tally_type.itemsize // 2, dice_type.itemsize // 8
    mind_words, row_words = mind_type.itemsize // 8, SENSE_SIZE // 8

    @cuda.jit(max_registers=registers)
    def teach(specs, guides, styles, lessons, seed, begin):
        words = lessons.row_words
        states = lessons.states
        dice = lessons.dice
        count = len(lessons.numbers)
        # The threads of a block write the zeros of all its rows together, side by side.
        here = cuda.blockIdx.x * cuda.blockDim.x
        stop = min(here + cuda.blockDim.x, count)
        for k in range(here * row_words + cuda.threadIdx.x, stop * row_words, cuda.blockDim.x):
            words[k] = 0
        cuda.syncthreads()
        i = cuda.grid(1)
        if i >= count:
            return
        spec = specs[0]
        g = guides[0]
        room = cuda.local.array(state_words, np.int64)
        stream = cuda.local.array(dice_words, np.int64)
        for k in range(state_words):
            room[k] = states[k, i]
        for k in range(dice_words):
            stream[k] = dice[k, i]
        s = room.view(state_type)[0]
        d = stream.view(dice_type)[0]
        w = cuda.local.array(work_words, np.int64).view(work_type)[0]
        m = cuda.local.array(mind_words, np.int64).view(mind_type)[0]
        tally = cuda.local.array(tally_halves, np.int16).view(tally_type)[0]
        go_on(spec, g, s, d, w, tally, lessons, i, seed, begin)
        row = words[i * row_words : (i + 1) * row_words].view(row_type)[0]
        show_lesson(spec, g, styles, s, w, m, d, lessons, row, i)
        for k in range(state_words):
            states[k, i] = room[k]
        for k in range(dice_words):
            dice[k, i] = stream[k]

    return teach
