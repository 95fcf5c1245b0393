"""What is made once is made once, however many threads ask for it first."""

from __future__ import annotations

import subprocess
import sys
import threading
import time

import pytest

from macaz.kernel.once import once


def test_threads_that_ask_at_once_get_one_thing() -> None:
    made: list[object] = []

    @once
    def make(name: str) -> object:
        time.sleep(0.05)  # the other threads call it meanwhile
        made.append(name)
        return object()

    found: list[object] = []
    threads = [threading.Thread(target=lambda: found.append(make("x"))) for _ in range(4)]
    for thread in threads:
        thread.start()
    for thread in threads:
        thread.join()
    assert made == ["x"]
    assert len(set(map(id, found))) == 1
    assert make("y") is not found[0]


def test_what_fails_is_tried_again() -> None:
    tries: list[int] = []

    @once
    def make() -> str:
        tries.append(1)
        if len(tries) == 1:
            raise OSError("no room")
        return "made"

    with pytest.raises(OSError, match="no room"):
        make()
    assert make() == make() == "made"
    assert len(tries) == 2


# An instance has room for the working memory of one thread, which is slow to make.
SEARCHES = """
import threading, time
from macaz.bots import Limit
from macaz.bots.compiled import program
from macaz.bots.search import think
from macaz.game import Game

class SlowMemory(program.WorkingMemory):
    def __init__(self):
        time.sleep(0.1)
        super().__init__()

program.WorkingMemory = SlowMemory
game = Game("tiny", 2, seed=1)
view, legal = game.view(0), list(game.legal_moves_of(0))
done = []

def search():
    for seed in range(3):
        done.append(think(view, legal, limit=Limit(effort=8), seed=seed).best)

threads = [threading.Thread(target=search) for _ in range(4)]
for thread in threads: thread.start()
for thread in threads: thread.join()
print(len(done))
"""


def test_the_first_searches_of_a_process_may_begin_together() -> None:
    done = subprocess.run(
        [sys.executable, "-c", SEARCHES], capture_output=True, text=True, check=False
    )
    assert (done.stdout, done.stderr) == ("12\n", "")
