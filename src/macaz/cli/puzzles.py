"""`macaz puzzles`: make puzzles from games of bots, or check a file of them."""

from __future__ import annotations

import shlex
import sys
from collections.abc import Callable, Iterator
from contextlib import contextmanager
from pathlib import Path
from typing import TYPE_CHECKING, Any

import click

from macaz.cli.options import COUNT, SEED, THREADS, program
from macaz.cli.signals import stop_on_signal

if TYPE_CHECKING:
    from macaz.edition import Edition
    from macaz.lab.puzzles.settings import Settings


@click.group()
def puzzles() -> None:
    """Make puzzles from games of bots, or check a file of them.

    A puzzle is a position in which one move is clearly the best.
    """


@puzzles.command()
@click.option(
    "--edition",
    "-e",
    "names",
    multiple=True,
    metavar="NAME",
    help="An edition, with its options, or the path of your own file. Name it several times to mix "
    "its options: -e old-west -e old-west+alvin.",
)
@click.option(
    "--count", "-n", type=COUNT, metavar="NUMBER", help="Number of puzzles; 40 by default."
)
@click.option(
    "--seed",
    type=SEED,
    metavar="NUMBER",
    help="Repeat an earlier run; by default a new seed is chosen and shown.",
)
@click.option(
    "--tries",
    type=click.IntRange(64, 1024),
    metavar="NUMBER",
    help="Tries of each move in the last comparison; 1024 by default.",
)
@click.option(
    "--workers",
    type=THREADS,
    metavar="NUMBER",
    help="Number of processes; by default one per core.",
)
@click.option(
    "--out",
    type=click.Path(file_okay=False, path_type=Path),
    metavar="FOLDER",
    required=True,
    help="Write puzzles.json and what was found into this folder, or resume the run in it.",
)
def make(out: Path, workers: int | None, **asked: Any) -> None:
    """Make puzzles, on all cores, and grade them by the bots that solve them.

    Ctrl-C and the signals TERM and HUP stop it; the same command, or just --out FOLDER, resumes it.
    """
    from macaz.cli.text import plural
    from macaz.lab.puzzles.make import make_puzzles
    from macaz.lab.puzzles.store import PUZZLES, Folder

    given = {name: value for name, value in asked.items() if value not in (None, ())}
    settings, editions = _settings(given, out)
    click.echo(f"{plural(settings.count, 'puzzle')}, seed {settings.seed}, in {out}", err=True)
    with Folder(out, settings) as folder, stop_on_signal(at_once=True) as stop, _status() as show:
        chosen = 0
        try:
            for games, found, chosen in make_puzzles(folder, editions, workers):
                show(f"{plural(games, 'game')} searched, {found} found, {chosen} chosen")
        except KeyboardInterrupt:
            again = shlex.join(["puzzles", "make", "--out", str(out)])
            click.echo(f"Stopped. Resume with: {program()} {again}", err=True)
            sys.exit(stop.status)
    click.echo(f"Wrote {plural(chosen, 'puzzle')} to {out / PUZZLES}", err=True)


@contextmanager
def _status() -> Iterator[Callable[[str], None]]:
    """Show how far it is: in one line of a terminal, or in a line each time it changes."""
    from macaz.cli.text import stderr

    console = stderr()
    if not console.is_terminal:
        yield lambda text: click.echo(text, err=True)
        return
    with console.status("Searching games") as status:
        yield status.update


def _settings(given: dict[str, Any], out: Path) -> tuple[Settings, tuple[Edition, ...]]:
    """The given settings, completed by those of the folder or by the defaults."""
    import secrets

    import msgspec

    from macaz.edition import load_edition
    from macaz.lab.puzzles.make import check_editions
    from macaz.lab.puzzles.settings import Effort, Settings
    from macaz.lab.puzzles.store import SETTINGS, read_settings

    base: dict[str, Any] = {"count": 40, "seed": secrets.randbelow(2**32)}
    if (out / SETTINGS).exists():
        base = msgspec.structs.asdict(read_settings(out))
    elif "names" not in given:
        raise click.UsageError("Name the edition with --edition, as in --edition europe.")
    if "names" in given:
        given["editions"] = given.pop("names")
    if "tries" in given:
        given["effort"] = Effort(tries=given.pop("tries"))
    merged = base | given
    editions = tuple(load_edition(name) for name in merged["editions"])
    check_editions(editions)
    merged["fingerprints"] = tuple(edition.fingerprint for edition in editions)
    return Settings(**merged), editions


@puzzles.command()
@click.argument("file", type=click.Path(exists=True, dir_okay=False, path_type=Path))
@click.option("--edition", metavar="NAME", help="The file of the edition, for a map of your own.")
def check(file: Path, edition: str | None) -> None:
    """Check a file of puzzles, and print every problem; the exit status is 1 if there is one."""
    from macaz.edition import load_edition
    from macaz.help.puzzles import read_puzzles
    from macaz.help.puzzles.check import problems_of

    def find(name: str) -> Edition:
        _, *options = name.split("+")
        return load_edition(name) if edition is None else load_edition(edition, options)

    found = read_puzzles(file.read_bytes(), str(file))
    problems = [
        f"puzzle {puzzle.id}: {problem}"
        for puzzle in found.puzzles
        for problem in problems_of(puzzle, find)
    ]
    for problem in problems:
        click.echo(problem)
    if problems:
        sys.exit(1)
    click.echo(f"{file}: {len(found.puzzles)} puzzles, all sound.")
