"""The measurements of `macaz bench`."""

from __future__ import annotations

import tempfile
from collections.abc import Callable
from dataclasses import dataclass
from pathlib import Path
from typing import Any

from macaz.kernel.layout import dtype_of
from macaz.lab.bench import calls, environments, games, machine, peers, starts, targets
from macaz.lab.bench.measure import Job, Measured, Skipped, Spread, run_rounds


@dataclass(frozen=True, slots=True)
class Settings:
    """How long to measure."""

    rounds: int
    seconds: float = 0.5  # for each figure of ours
    peer_seconds: float = 2.0
    call_seconds: float = 0.1
    with_peers: bool = True

    @classmethod
    def quick(cls, rounds: int | None, with_peers: bool) -> Settings:
        """Enough to see that it works."""
        return cls(rounds or 2, 0.05, 0.3, 0.02, with_peers)


@dataclass(slots=True)
class Report(Measured):
    """The results and the settings of a run."""

    settings: Settings

    def ratios(self, peer: Job, unit: str) -> dict[str, Spread]:
        """The ratios of Macaz to a peer, with the same number of players."""
        table = f"usa-classic {peer.about['players']}"
        found = {way: self.find(way, table) for way in ("from Python", "one core")}
        return {way: job.ratio(peer, unit) for way, job in found.items() if job is not None}

    def speed(self, job: Job) -> list[Spread]:
        """The speed of a target relative to native code, if both were measured."""
        figure, unit = job.about["figure"], job.about["unit"]
        native = self.find(targets.GROUP, targets.job_name(figure, targets.NATIVE))
        if native is None or native is job:
            return []
        return [native.ratio(job, unit) if unit == "µs" else job.ratio(native, unit)]

    @property
    def sizes(self) -> dict[str, int]:
        """Bytes of each record of the kernel that a game needs."""
        return {name: dtype_of(name).itemsize for name in ("state", "view", "tally")}

    def to_dict(self) -> dict[str, Any]:
        """Settings and results, for JSON."""
        return {
            "machine": self.machine,
            "rounds": self.settings.rounds,
            "seconds": self.settings.seconds,
            "peer_seconds": self.settings.peer_seconds,
            "bytes": self.sizes,
            "results": [job.to_dict() for job in self.jobs],
            "ratios": [
                {
                    "peer": peer.name,
                    "players": peer.about["players"],
                    "macaz": way,
                    "unit": unit,
                    "median": s.median,
                    "min": s.low,
                    "max": s.high,
                }
                for peer in self.group("peers")
                for unit in ("games/s", "decisions/s")
                for way, s in self.ratios(peer, unit).items()
            ],
            "of_native": [
                {
                    "figure": job.about["figure"],
                    "target": job.about["target"],
                    "median": s.median,
                    "min": s.low,
                    "max": s.high,
                }
                for job in self.group(targets.GROUP)
                for s in self.speed(job)
            ],
            "notes": self.notes,
        }


def run(
    settings: Settings,
    prepare: Callable[[str], None] = lambda text: None,
    begin: Callable[[int], None] = lambda total: None,
    report: Callable[[int, Job], None] = lambda number, job: None,
) -> Report:
    """Measure everything.

    The callbacks get what is being prepared, the number of measurements, and each one that begins.
    """
    notes = []
    jobs = []
    with tempfile.TemporaryDirectory() as folder:
        if settings.with_peers:
            prepare("the other engines, in .cache/peers")
            try:
                jobs += peers.peer_jobs(peers.set_up(), settings.peer_seconds)
            except Skipped as why:
                notes.append(f"Other engines left out: {why}.")
        else:
            notes.append("Other engines left out, as asked.")
        prepare("the kernel")
        found, missing = targets.usable()
        notes += missing
        compiled = [target for target in found if target in (targets.NATIVE, targets.WASM)]
        jobs += calls.call_jobs(compiled or [targets.PLAIN], settings.call_seconds)
        jobs += targets.target_jobs(found, settings.seconds)
        jobs += games.driven_jobs(settings.seconds)
        jobs += games.game_jobs(settings.seconds)
        prepare("the environments")
        environments.prepare(compiled)
        jobs += environments.environment_jobs(compiled, settings.seconds)
        jobs += starts.start_jobs(compiled, Path(folder))
        begin(sum(1 if job.once else settings.rounds for job in jobs))
        done = run_rounds(jobs, settings.rounds, report)
    notes += [f"{job.name}: left out: {job.skipped}." for job in jobs if job.skipped]
    return Report(machine.describe(), done, settings, notes=notes)
