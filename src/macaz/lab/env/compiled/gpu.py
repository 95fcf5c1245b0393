"""The kernels of the vector environment on a GPU: one thread takes one game a step further."""

from __future__ import annotations

import importlib
from functools import cache
from types import SimpleNamespace
from typing import Any

import numpy as np

from macaz.kernel.compile import compiled
from macaz.kernel.layout import dtype_of
from macaz.kernel.observation import OBSERVATION_SIZE, observation_dtype
from macaz.lab.env.compiled.games import Games
from macaz.lab.env.program import PROGRAM


@cache
def kernels(registers: int | None) -> SimpleNamespace:
    """The kernels; compiled at their first launch."""
    cuda: Any = importlib.import_module("numba.cuda")
    run = compiled(PROGRAM, "cuda")
    allowed, play_on, show_game = run.allowed, run.play_on, run.show_game
    random_action, fetch, put_back = run.random_action, run.fetch, run.put_back
    state_type, work_type = dtype_of("state"), dtype_of("gpu-work")
    tally_type, dice_type, seen_type = dtype_of("tally"), dtype_of("dice"), observation_dtype()
    state_words, work_words = state_type.itemsize // 8, work_type.itemsize // 8
    tally_halves, dice_words = tally_type.itemsize // 2, dice_type.itemsize // 8
    row_words = OBSERVATION_SIZE // 8

    @cuda.jit
    def copy(given, actions):
        i = cuda.grid(1)
        if i < len(actions):
            actions[i] = given[i]

    @cuda.jit(max_registers=registers)
    def check(specs, states, actions, wrong):
        i = cuda.grid(1)
        if i < len(actions):
            room = cuda.local.array(state_words, np.int64)
            fetch(states, i, room)
            w = cuda.local.array(work_words, np.int64).view(work_type)[0]
            if not allowed(specs[0], room.view(state_type)[0], w, actions[i]):
                cuda.atomic.min(wrong, 0, i)

    @cuda.jit(max_registers=registers)
    def sample(specs, states, dice, actions):
        i = cuda.grid(1)
        if i < len(actions):
            room = cuda.local.array(state_words, np.int64)
            fetch(states, i, room)
            stream = cuda.local.array(dice_words, np.int64)
            fetch(dice, i, stream)
            w = cuda.local.array(work_words, np.int64).view(work_type)[0]
            s = room.view(state_type)[0]
            actions[i] = random_action(specs[0], s, stream.view(dice_type)[0], w)
            put_back(dice, i, stream)

    @cuda.jit(max_registers=registers)
    def step(
        specs,
        states,
        dice,
        numbers,
        deciders,
        words,
        observations,
        mask_words,
        actions,
        rewards,
        scores,
        ended,
        width,
        wrong,
        seed,
        first,
        reward,
    ):
        # The arrays are arguments one by one: with a tuple of them, numba-cuda finds its type
        # again for each launch, which took half as long again (100 microseconds, not 67).
        games = Games(
            states,
            dice,
            numbers,
            deciders,
            words,
            observations,
            mask_words,
            actions,
            rewards,
            scores,
            ended,
        )
        count = len(numbers)
        if wrong[0] < count:
            return
        # The threads of a block write the zeros of all its rows together, side by side.
        here = cuda.blockIdx.x * cuda.blockDim.x
        stop = min(here + cuda.blockDim.x, count)
        at = cuda.threadIdx.x
        for k in range(here * row_words + at, stop * row_words, cuda.blockDim.x):
            words[k] = 0
        for k in range(here * width // 8 + at, (stop * width + 7) // 8, cuda.blockDim.x):
            mask_words[k] = 0
        cuda.syncthreads()
        i = cuda.grid(1)
        if i >= count:
            return
        room = cuda.local.array(state_words, np.int64)
        fetch(states, i, room)
        stream = cuda.local.array(dice_words, np.int64)
        fetch(dice, i, stream)
        s = room.view(state_type)[0]
        d = stream.view(dice_type)[0]
        w = cuda.local.array(work_words, np.int64).view(work_type)[0]
        tally = cuda.local.array(tally_halves, np.int16).view(tally_type)[0]
        play_on(specs[0], s, w, tally, d, games, i, seed, first, reward)
        o = words[i * row_words : (i + 1) * row_words].view(seen_type)[0]
        mask = mask_words.view(np.int8)[i * width : (i + 1) * width]
        show_game(specs[0], s, w, deciders, o, mask, i)
        put_back(states, i, room)
        put_back(dice, i, stream)

    return SimpleNamespace(copy=copy, check=check, sample=sample, step=step)
