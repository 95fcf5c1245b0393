"""Progress, tables and the output folder of the `macaz bench` commands."""

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
    """The option `--out`, with this help text."""
    return click.option(
        "--out",
        type=click.Path(file_okay=False, path_type=Path),
        metavar="FOLDER",
        help=text,
    )


def check_folder(out: Path, results: str) -> None:
    """Fail before measuring if the results cannot be written."""
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
    """Show a progress bar; yields the callbacks of a suite: prepare, begin, report."""
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
        refresh_per_second=1,  # rarely, because it uses a core that is measured
    ) as bar:
        task = bar.add_task("", total=None)
        finished = -1

        def prepare(text: str) -> None:
            bar.update(task, description=f"Preparing {text}")

        def begin(total: int) -> None:
            bar.update(task, total=total)

        def report(number: int, job: Any) -> None:
            nonlocal finished
            finished += 1
            text = f"Round {number + 1} of {rounds}: {job.group}, {job.name}"
            bar.update(task, description=text, completed=finished)

        yield prepare, begin, report


def print_sheet(console: Console, sheet: Sheet) -> None:
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
    """Print the results, and write them into the folder `out`, if given."""
    from macaz.cli.text import plural, stdout
    from macaz.lab.bench import machine

    console, words = stdout(), machine.in_words()
    console.print(f"{words}\n", markup=False)
    for sheet in sheets(report):
        print_sheet(console, sheet)
    rounds = plural(report.settings.rounds, "round")
    console.print(f"Median of {rounds}; in brackets the minimum and the maximum.")
    for note in report.notes:
        console.print(note, markup=False)
    if out is not None:
        for path in write(report, words, out):
            click.echo(f"Wrote {path}", err=True)
