"""Make the puzzles that come with Macaz, on all cores: src/macaz/help/puzzles/*.json.gz.

    python tools/make_puzzles.py FOLDER [EDITION …]

FOLDER keeps what was found: stopped with Ctrl-C or TERM, the same command goes on. It needs the
packages numpy, wasmtime and msgspec only. `macaz puzzles make` makes those of other maps.
"""

import gzip
import signal
import sys
import time
from pathlib import Path

from macaz.edition import load_edition
from macaz.help.puzzles import PACKED
from macaz.lab.puzzles.make import make_puzzles
from macaz.lab.puzzles.settings import Settings
from macaz.lab.puzzles.store import PUZZLES, Folder

COUNT, SEED = 40, 1
EDITIONS = {
    "usa-classic": ("usa-classic",),
    "usa": ("usa",),
    "europe": ("europe",),
    "old-west": ("old-west", "old-west+alvin"),
    "romania": ("romania",),
    "ireland": ("ireland",),
    "caribbean": ("caribbean",),
}
SHIPPED = Path(__file__).resolve().parent.parent / "src" / "macaz" / "help" / "puzzles"
TOLD_EVERY = 10.0  # seconds


def make(name: str, folder: Path) -> None:
    """Make the puzzles of an edition, and put them into the package."""
    editions = tuple(map(load_edition, EDITIONS[name]))
    settings = Settings(
        editions=EDITIONS[name],
        fingerprints=tuple(edition.fingerprint for edition in editions),
        count=COUNT,
        seed=SEED,
    )
    began = told = time.monotonic()
    with Folder(folder / name, settings) as run:
        for games, found, chosen in make_puzzles(run, editions):
            now = time.monotonic()
            if chosen >= COUNT or now - told >= TOLD_EVERY:
                told = now
                line = f"{name}: {games} games, {found} found, {chosen} of {COUNT}"
                print(f"{line}, {now - began:.0f} s", flush=True)
    content = (folder / name / PUZZLES).read_bytes()
    (SHIPPED / f"{name}{PACKED}").write_bytes(gzip.compress(content, mtime=0))


def main() -> None:
    """Make those of the editions that are named, or of all."""
    signal.signal(signal.SIGTERM, signal.default_int_handler)
    folder = Path(sys.argv[1])
    try:
        for name in sys.argv[2:] or EDITIONS:
            make(name, folder)
    except KeyboardInterrupt:
        sys.exit(f"stopped: the same command goes on in {folder}")


if __name__ == "__main__":
    main()
