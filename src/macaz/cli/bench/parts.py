"""What the benchmarks share on the command line: progress, tables, the folder of results."""

from __future__ import annotations

from collections.abc import Callable, Iterator
from contextlib import contextmanager
from pathlib import Path
from typing import TYPE_CHECKING, Any

import click

if TYPE_CHECKING:
    from rich.console import Console

    from macaz.lab.bench.report import Sheet

Command = Callable[..., None]
Callbacks = tuple[Callable[[str], None], Callable[[int], None], Callable[[int, Any], None]]


def out_option(text: str) -> Callable[[Command], Command]:
    """`--out`, for the results."""
    return click.option(
        "--out",
        type=click.Path(file_okay=False, path_type=Path),
        metavar="FOLDER",
        help=text,
    )


def check_folder(out: Path, results: str) -> None:
    """Find out now that the results could not be written."""
    from macaz.lab.parquet import check_writable

    try:
        (out / results).parent.mkdir(parents=True, exist_ok=True)
        check_writable(out / results)
    except OSError as error:
        why = error.strerror or str(error)
        raise click.ClickException(
            f"--out: cannot write to the folder {str(out)!r}: {why}. Choose another one."
        ) from error


@contextmanager
def bench_progress(rounds: int) -> Iterator[Callbacks]:
    """A bar while inside, moved by the callbacks of a suite: prepare, begin, tell."""
    from rich.progress import (
        BarColumn,
        MofNCompleteColumn,
        Progress,
        TextColumn,
        TimeRemainingColumn,
    )

    from macaz.cli.text import stderr

    console = stderr()
    with Progress(
        TextColumn("{task.description}"),
        BarColumn(),
        MofNCompleteColumn(),
        TimeRemainingColumn(compact=True),
        console=console,
        transient=True,
        disable=not console.is_terminal,
        refresh_per_second=1,  # it runs on the cores that are measured
    ) as bar:
        task = bar.add_task("", total=None)
        finished = -1

        def prepare(text: str) -> None:
            bar.update(task, description=f"Preparing {text}")

        def begin(total: int) -> None:
            bar.update(task, total=total)

        def tell(number: int, job: Any) -> None:
            nonlocal finished
            finished += 1
            text = f"Round {number + 1} of {rounds}: {job.group}, {job.name}"
            bar.update(task, description=text, completed=finished)

        yield prepare, begin, tell


def print_sheet(console: Console, sheet: Sheet) -> None:
    """A table of results."""
    from macaz.cli.text import new_table

    table = new_table(sheet.title, caption=sheet.note or None, caption_justify="left")
    for i, heading in enumerate(sheet.headings):
        table.add_column(heading, justify="left" if i < sheet.words else "right")
    for row in sheet.rows:
        table.add_row(*row)
    console.print(table)


def show(
    report: Any,
    sheets: Callable[[Any], list[Sheet]],
    write: Callable[[Any, str, Path], list[Path]],
    out: Path | None,
) -> None:
    """Print what was measured, and write it into a folder if one is named."""
    from macaz.cli.text import plural, stdout
    from macaz.lab.bench import machine

    console, words = stdout(), machine.in_words()
    console.print(f"{words}\n", markup=False)
    for sheet in sheets(report):
        print_sheet(console, sheet)
    rounds = plural(report.settings.rounds, "round")
    console.print(f"Median of {rounds}; in brackets the least and the greatest.")
    for note in report.notes:
        console.print(note, markup=False)
    if out is not None:
        for path in write(report, words, out):
            click.echo(f"Wrote {path}", err=True)
