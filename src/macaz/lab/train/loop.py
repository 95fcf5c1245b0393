"""The training loop: iterate, report, save checkpoints, until the time is over."""

from __future__ import annotations

import time
from collections.abc import Callable, Iterator
from contextlib import contextmanager
from pathlib import Path
from typing import Any

import torch

from macaz.bots.network import about_network, columns_for, write_network
from macaz.edition import load_edition
from macaz.errors import MacazError
from macaz.lab.train.folder import CHECKPOINT, NETWORK
from macaz.lab.train.learner import Learner
from macaz.lab.train.network import Network
from macaz.lab.train.progress import Progress
from macaz.lab.train.settings import Settings

CHECKPOINT_INTERVAL = 60.0  # seconds
NARROW = 128  # up to this width, a second CPU thread does not make a network faster
TIMED_EVERY = 25  # iterations; timing the parts slows an iteration down
MAX_HALF = 65504.0  # largest number in half precision, in which a network is written
MADE_FOR = ("format", "row", "board")  # metadata that must be equal to resume
NO_MEMORY = (
    "out of memory",
    "out_of_memory",
    "allocate memory",
    "not enough memory",
    "alloc_failed",
)


def train(
    settings: Settings,
    folder: Path,
    report: Callable[[Progress], None],
    stop: Callable[[], bool] = lambda: False,
) -> None:
    """Train until the minutes are over or `stop` returns True; resume from a checkpoint, if any."""
    with threads_for(settings), _enough_memory_for(settings.games):
        run = _Run(settings, folder)
        saved, changed = time.perf_counter(), False
        while run.seconds < settings.minutes * 60 and not stop():
            report(run.iterate())
            changed = True
            if time.perf_counter() - saved > CHECKPOINT_INTERVAL:
                run.save()
                saved, changed = time.perf_counter(), False
        if changed:
            run.save()


class _Run:
    """A running training: the learner and its counters."""

    def __init__(self, settings: Settings, folder: Path) -> None:
        torch.manual_seed(settings.seed)
        self.settings, self.folder = settings, folder
        self.edition = load_edition(settings.edition)
        self.iteration = self.decisions = self.games = 0
        self.seconds = 0.0
        columns, scales = columns_for(self.edition)
        network = Network(columns, scales, settings.width, settings.blocks, settings.trust)
        path = folder / CHECKPOINT
        if path.exists():
            self.learner = self._resumed(network, path)
        else:
            self.learner = Learner(settings, network, settings.device)

    def _resumed(self, network: Network, path: Path) -> Learner:
        """Resume from a checkpoint, with games that were not played before."""
        settings = self.settings
        with _readable(path):
            kept: dict[str, Any] = torch.load(path, map_location="cpu", weights_only=True)
            about = {name: kept["about"][name] for name in MADE_FOR}
        self._check_made_for(about, path)
        with _readable(path):
            self.iteration, self.decisions = kept["iteration"], kept["decisions"]
            self.games, self.seconds = kept["games"], kept["seconds"]
            first, optimizer = kept["next_game"], kept["optimizer"]
            past = [dict(one) for one in kept["past"]]
            network.load_state_dict(kept["network"])
        torch.manual_seed(settings.seed + self.iteration)
        learner = Learner(settings, network, settings.device, first=first)
        with _readable(path):
            learner.optimizer.load_state_dict(optimizer)
        learner.past = [
            {name: value.to(settings.device) for name, value in one.items()} for one in past
        ]
        return learner

    def _check_made_for(self, about: dict[str, Any], path: Path) -> None:
        """Raise if the weights belong to another board, or to another layout of observations."""
        now = about_network(self.edition)
        if about["board"] != now["board"]:
            what = f"another board than {self.settings.edition} has now"
        elif about != {name: now[name] for name in MADE_FOR}:
            what = "another version of Macaz, with other observations"
        else:
            return
        raise MacazError(
            f"{path} is of {what}: this training cannot be resumed. Start again in another "
            "folder with --out."
        )

    def iterate(self) -> Progress:
        learner, settings = self.learner, self.settings
        learner.spent.clear()
        learner.timed = self.iteration % TIMED_EVERY == TIMED_EVERY - 1
        began = time.perf_counter()
        done = min(1.0, self.seconds / (60 * settings.minutes))
        decisions, games, numbers = learner.iterate(done, warm=self.iteration >= settings.warm)
        passed = time.perf_counter() - began
        self.iteration += 1
        self.decisions += decisions
        self.games += games
        self.seconds += passed
        if self.iteration % settings.remember == 0:
            learner.remember()
        timed = learner.timed or settings.device != "cuda"
        spent = dict(learner.spent) if timed else {}
        if spent:
            spent["other"] = max(0.0, passed - sum(spent.values()))
        return Progress(
            iteration=self.iteration,
            seconds=self.seconds,
            decisions=self.decisions,
            games=self.games,
            rate=decisions / passed,
            spent=spent,
            numbers=numbers,
        )

    def save(self) -> None:
        """Write the checkpoint and the network, each atomically."""
        learner, seats = self.learner, self.settings.seats
        self._check_sound()
        about = about_network(
            self.edition,
            seats=[min(seats), max(seats)],
            decisions=self.decisions,
            games=self.games,
            minutes=round(self.seconds / 60, 2),
        )
        _write(
            self.folder / NETWORK,
            lambda path: write_network(path, learner.network.as_played(about)),
        )
        kept = {
            "about": about,
            "network": learner.network.state_dict(),
            "optimizer": learner.optimizer.state_dict(),
            "past": learner.past,
            "iteration": self.iteration,
            "decisions": self.decisions,
            "games": self.games,
            "next_game": int(learner.envs.numbers.max()) + 1,  # not begun at any table yet
            "seconds": self.seconds,
        }
        _write(self.folder / CHECKPOINT, lambda path: torch.save(kept, path))

    def _check_sound(self) -> None:
        """Raise before a good file is overwritten with numbers that are not finite."""
        for numbers in self.learner.network.parameters():
            if not bool((numbers.detach().abs() <= MAX_HALF).all()):  # False for NaN, too
                raise MacazError(
                    "the training diverged: a number of its network is no longer finite, or too "
                    f"large for its file. The last checkpoint stays in {self.folder}: --resume "
                    "continues from there, and a smaller `rate` in settings.json may help."
                )


@contextmanager
def threads_for(settings: Settings) -> Iterator[None]:
    """Use one thread for a small network: more spend their time waiting for each other."""
    before = torch.get_num_threads()
    if settings.width <= NARROW:
        torch.set_num_threads(1)
    try:
        yield
    finally:
        torch.set_num_threads(before)


@contextmanager
def _readable(path: Path) -> Iterator[None]:
    """Turn the errors that PyTorch raises for a broken checkpoint into one that says what to do."""
    try:
        yield
    except OSError:
        raise  # its message says what is wrong
    except Exception as error:
        if _lacks_memory(error):
            raise
        first, *_ = str(error).splitlines() or [type(error).__name__]
        if isinstance(error, KeyError):
            first = f"it has no {first}"
        raise MacazError(
            f"{path} is not a usable checkpoint ({first}). Remove it, and "
            "--resume starts from the beginning; or choose another folder with --out."
        ) from error


@contextmanager
def _enough_memory_for(games: int) -> Iterator[None]:
    try:
        yield
    except Exception as error:
        if not _lacks_memory(error):
            raise
        raise MacazError(
            f"there is not enough memory for {games:,} games at once: choose fewer with --games."
        ) from error


def _lacks_memory(error: Exception) -> bool:
    """Whether Python, PyTorch or the GPU driver ran out of memory; each reports it differently."""
    if isinstance(error, MemoryError | torch.OutOfMemoryError):
        return True
    text = str(error).lower()
    return not isinstance(error, MacazError) and any(words in text for words in NO_MEMORY)


def _write(path: Path, write: Callable[[Path], None]) -> None:
    part = path.with_name(f"part-{path.name}")
    write(part)
    part.replace(path)
