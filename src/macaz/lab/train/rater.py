"""Rates networks during training, in a process of the lowest priority.

One rating runs at a time, and it plays the newest network that is saved when it begins.
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

RATED = "rated.npz"  # a copy of the network, since the training overwrites its own
ERROR_LOG = "ratings.log"  # standard error of the rating process
LOWEST_PRIORITY = 19


class _Task(msgspec.Struct, frozen=True):
    """The argument of the rating process, as JSON."""

    match: Match
    mark: Mark
    out: str
    niceness: int


class Rater:
    """Rates the networks of a folder while they are being trained. Use it in a `with`.

    The network is copied to `RATED` in the folder: the bot of the match plays with that.
    """

    def __init__(self, folder: Path, match: Match, *, minutes: float) -> None:
        """Rate at most once in so many minutes of training."""
        self._folder, self._network = folder, folder / NETWORK
        self._match, self._seconds = match, 60 * minutes
        self._next = 0.0
        self._process: Helper | None = None
        self._mark = self._latest = Mark()  # of the newest network; of the last iteration
        self._seen = self._rated = self._stamp()  # a network from before is not rated

    def __enter__(self) -> Rater:
        return self

    def __exit__(self, *_: object) -> None:
        """Stop a running rating, and remove temporary files."""
        if self._process:
            self._process.end()
        (self._folder / RATED).unlink(missing_ok=True)
        if not self.trouble:
            (self._folder / ERROR_LOG).unlink(missing_ok=True)

    @property
    def busy(self) -> bool:
        """Whether a rating is running."""
        return self._process is not None and self._process.alive

    @property
    def trouble(self) -> str:
        """Why the last rating failed; empty if it did not, or is still running."""
        if self._process is None or not self._process.status:
            return ""
        lines = (self._folder / ERROR_LOG).read_text(errors="replace").splitlines()
        return lines[-1] if lines else f"its process ended ({self._process.status})"

    def update(self, progress: Progress) -> None:
        """Note an iteration; start a rating if there is a network that is not rated.

        It returns at once. Of the networks saved during a rating, only the newest is rated next.
        """
        self._look()
        self._latest = Mark.of(progress)
        if progress.seconds >= self._next and self._begin():
            self._next = progress.seconds + self._seconds

    def finish(self) -> Iterator[None]:
        """Wait for a running rating, then rate the last network; yields while it waits."""
        self._look()
        while self.busy or self._begin():
            yield from self._wait()

    def _look(self) -> None:
        """Notice a new network file: it was written after the last iteration that was reported."""
        stamp = self._stamp()
        if stamp != self._seen:
            self._seen, self._mark = stamp, self._latest

    def _wait(self) -> Iterator[None]:
        assert self._process is not None
        while self.busy:
            if self._process.wait(0.2) is None:
                yield

    def _begin(self) -> bool:
        """Start a rating if none runs and there is a new network; returns whether it did."""
        if self.busy or self._seen == self._rated:
            return False
        self._rated = self._seen
        if self._process:
            self._process.end()
        shutil.copyfile(self._network, self._folder / RATED)
        task = _Task(self._match, self._mark, str(self._folder / RATINGS), LOWEST_PRIORITY)
        self._process = _start(task, self._folder / ERROR_LOG)
        return True

    def _stamp(self) -> int:
        """Modification time of the network file; 0 if there is none."""
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
    """Play what the one argument says, until the standard input is closed."""
    task = msgspec.json.decode(sys.argv[1], type=_Task)
    stand_back(task.niceness)
    end_with_parent(0)  # the processes that play end by themselves when this one is gone
    for rating in rate_network(task.match, task.mark):
        add_line(Path(task.out), rating)


if __name__ == "__main__":
    main()
