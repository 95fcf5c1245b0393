"""Bots that misbehave, and how the processes of the arena can import them."""

from __future__ import annotations

import os
import signal
import time
from pathlib import Path

from macaz.bots.random import RandomBot
from macaz.game.moves import Decline

ONCE = "MACAZ_TEST_ONCE"  # names a file that is created by the crash


class Raises(RandomBot):
    def choose(self, view, legal):
        if view.phase == "turn":
            raise RuntimeError("no idea")
        return super().choose(view, legal)


class Leaves(RandomBot):
    def choose(self, view, legal):
        raise SystemExit(3)


class Cheats(RandomBot):
    def choose(self, view, legal):
        return Decline()


class Mumbles(RandomBot):
    def choose(self, view, legal):
        return None


class Sleeps(RandomBot):
    def choose(self, view, legal):
        time.sleep(600)


class Dies(RandomBot):
    def choose(self, view, legal):
        os.kill(os.getpid(), signal.SIGKILL)


class Accident(RandomBot):
    """Its process is killed during a game, the first time only, so the bot is not blamed."""

    victim = staticmethod(os.getpid)

    def choose(self, view, legal):
        if view.phase == "turn":
            try:
                Path(os.environ[ONCE]).open("x").close()
            except FileExistsError:
                pass
            else:
                os.kill(self.victim(), signal.SIGKILL)
                time.sleep(600)
        return super().choose(view, legal)


class ParentAccident(Accident):
    """As `Accident`, but the process that distributes the games is killed."""

    victim = staticmethod(os.getppid)


BAD = {
    cls.__name__.lower(): f"bad_bots:{cls.__name__}"
    for cls in (Raises, Leaves, Cheats, Mumbles, Sleeps, Dies, Accident, ParentAccident)
}


def teach_processes(monkeypatch, folder: Path) -> None:
    """Register these bots in every Python process that is started from now on."""
    lines = [
        "import macaz.bots",
        f"for name, place in {BAD!r}.items():",
        "    macaz.bots.BOTS[name] = macaz.bots.Kind(place, '')",
    ]
    (folder / "sitecustomize.py").write_text("\n".join(lines), encoding="utf-8")
    path = os.pathsep.join((str(folder), str(Path(__file__).parent)))
    monkeypatch.setenv("PYTHONPATH", path, prepend=os.pathsep)
    monkeypatch.setenv(ONCE, str(folder / "accident"))
