"""Compile all that is compiled, side by side, so that no test has to wait for it or repeats it."""

from __future__ import annotations

import subprocess
import sys

PROGRAMS = (
    "from macaz.kernel.compile import kernel; kernel('cpu')",
    "from macaz.bots.compiled.program import players; players('cpu')",
    "from macaz.env.program import PROGRAM; "
    "from macaz.kernel.compile import compiled; compiled(PROGRAM, 'cpu')",
    "from macaz.train.program import PROGRAM; "
    "from macaz.kernel.compile import compiled; compiled(PROGRAM, 'cpu')",
)


def main() -> None:
    """Compile each in a process of its own."""
    running = [subprocess.Popen([sys.executable, "-c", program]) for program in PROGRAMS]
    sys.exit(max(process.wait() for process in running))


if __name__ == "__main__":
    main()
