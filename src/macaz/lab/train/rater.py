"""Rates networks while they are being trained, and never slows the training.

The games are played in a process of their own, which gives way to all others. There is one at a
time, and it plays the newest network that there is when it begins.
"""

from __future__ import annotations

import shutil
import sys
from collections.abc import Iterator
from pathlib import Path
from typing import TYPE_CHECKING

import msgspec

from macaz.lab.train.folder import NETWORK, RATINGS
from macaz.lab.train.lines import add_line
from macaz.lab.train.ratings import Mark, Match, rate_network
from macaz.workers import CORES, Helper, command_of, end_with_parent, environment, stand_back

if TYPE_CHECKING:
    from macaz.lab.train.progress import Progress

RATED = "rated.npz"  # the network that is being rated; the training goes on writing its own
TROUBLE = "ratings.log"  # what the process has to say, if it fails
IDLE = 19  # the lowest priority


class _Task(msgspec.Struct, frozen=True):
    """What the process is told."""

    match: Match
    mark: Mark
    out: str


class Rater:
    """Rates the networks of a folder while they are being trained. Use it in a `with`.

    The network is copied to `RATED` in the folder: the bot of the match plays with that.
    """

    def __init__(self, folder: Path, match: Match, *, minutes: float) -> None:
        """Rate at most so often."""
        self._folder, self._network = folder, folder / NETWORK
        self._match, self._seconds = match, 60 * minutes
        self._next = 0.0
        self._process: Helper | None = None
        self._mark = self._told = Mark()  # of the newest network; of the last iteration
        self._seen = self._rated = self._stamp()  # what was there before belongs to before

    def __enter__(self) -> Rater:
        return self

    def __exit__(self, *_: object) -> None:
        """Give up what is under way, and leave only what is known."""
        if self._process:
            self._process.end()
        (self._folder / RATED).unlink(missing_ok=True)
        if not self.trouble:
            (self._folder / TROUBLE).unlink(missing_ok=True)

    @property
    def busy(self) -> bool:
        """Whether a rating is under way."""
        return self._process is not None and self._process.alive

    @property
    def trouble(self) -> str:
        """Why the last rating came to nothing; empty where it did not, or is under way."""
        if self._process is None or not self._process.status:
            return ""
        lines = (self._folder / TROUBLE).read_text(errors="replace").splitlines()
        return lines[-1] if lines else f"its process ended ({self._process.status})"

    def tell(self, progress: Progress) -> None:
        """Take notice of an iteration; begin to rate where there is a network that is not rated.

        It returns at once. A network that comes while another is being rated waits, and gives its
        place to a newer one.
        """
        self._look()
        self._told = Mark.of(progress)
        if progress.seconds >= self._next and self._begin():
            self._next = progress.seconds + self._seconds

    def finish(self) -> Iterator[None]:
        """Let what is under way end, and rate the last network; yields now and then."""
        self._look()
        while self.busy or self._begin():
            yield from self._wait()

    def _look(self) -> None:
        """A network is written after its iteration was told, and before the next."""
        stamp = self._stamp()
        if stamp != self._seen:
            self._seen, self._mark = stamp, self._told

    def _wait(self) -> Iterator[None]:
        assert self._process is not None
        while self.busy:
            if self._process.wait(0.2) is None:
                yield

    def _begin(self) -> bool:
        """Whether a rating was begun."""
        if self.busy or self._seen == self._rated:
            return False
        self._rated = self._seen
        if self._process:
            self._process.end()
        shutil.copyfile(self._network, self._folder / RATED)
        task = _Task(self._match, self._mark, str(self._folder / RATINGS))
        self._process = _start(task, self._folder / TROUBLE)
        return True

    def _stamp(self) -> int:
        """Changes with the network; 0 where there is none."""
        try:
            return self._network.stat().st_mtime_ns
        except FileNotFoundError:
            return 0


def _start(task: _Task, trouble: Path) -> Helper:
    command = command_of("macaz.lab.train.rater", msgspec.json.encode(task).decode())
    # The GPU is the training's.
    place = environment({CORES: "1", "CUDA_VISIBLE_DEVICES": ""})
    with trouble.open("wb") as log:
        return Helper(command, place, stdout=None, stderr=log, idle=True)


def main() -> None:
    """Play what the one argument says, as long as somebody holds the standard input."""
    stand_back(IDLE)
    end_with_parent(0)  # the processes that play end by themselves when this one is gone
    task = msgspec.json.decode(sys.argv[1], type=_Task)
    for rating in rate_network(task.match, task.mark):
        add_line(Path(task.out), rating)


if __name__ == "__main__":
    main()
