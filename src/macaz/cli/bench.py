"""`macaz bench`: measure Macaz, and other engines beside it."""

from __future__ import annotations

from pathlib import Path
from typing import TYPE_CHECKING, Any

import click

from macaz.cli.options import COUNT

if TYPE_CHECKING:
    from macaz.bench.suite import Report, Settings


@click.group(invoke_without_command=True)
@click.pass_context
@click.option(
    "--rounds", type=COUNT, metavar="NUMBER", help="How often everything is measured.  [default: 5]"
)
@click.option("--quick", is_flag=True, help="Two short rounds, to see that it works.")
@click.option("--no-peers", is_flag=True, help="Leave out the other engines.")
@click.option(
    "--out",
    type=click.Path(file_okay=False, path_type=Path),
    metavar="FOLDER",
    help="Write a page, a picture and all figures as JSON there.",
)
def bench(
    ctx: click.Context, rounds: int | None, quick: bool, no_peers: bool, out: Path | None
) -> None:
    """Measure Macaz, and other engines beside it, on this machine.

    Everything is measured in turn, several rounds of it: games a second by edition and number of
    players, single calls, starting. The other engines need a checkout of Macaz, and the network
    once.
    """
    if ctx.invoked_subcommand is not None:
        return
    from macaz.bench.suite import Settings

    if out is not None:
        _check_folder(out)
    settings = (
        Settings.quick(rounds, not no_peers)
        if quick
        else Settings(rounds=rounds or 5, with_peers=not no_peers)
    )
    report = _measure(settings)
    _show(report, out)


def _check_folder(out: Path) -> None:
    """Find out now that the results could not be written."""
    from macaz.errors import MissingExtra
    from macaz.simulate_plot import need_matplotlib
    from macaz.simulate_table import check_writable

    try:
        need_matplotlib()
        (out / "assets").mkdir(parents=True, exist_ok=True)
        check_writable(out / "assets" / "bench.json")
    except MissingExtra as error:
        raise click.ClickException(str(error)) from error
    except OSError as error:
        why = error.strerror or str(error)
        raise click.ClickException(
            f"--out: cannot write to the folder {str(out)!r}: {why}. Choose another one."
        ) from error


def _measure(settings: Settings) -> Report:
    from rich.progress import (
        BarColumn,
        MofNCompleteColumn,
        Progress,
        TextColumn,
        TimeRemainingColumn,
    )

    from macaz.bench import suite
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
    ) as bar:
        task = bar.add_task("", total=None)
        finished = -1

        def prepare(text: str) -> None:
            bar.update(task, description=f"Preparing {text}")

        def tell(number: int, job: Any) -> None:
            nonlocal finished
            finished += 1
            text = f"Round {number + 1} of {settings.rounds}: {job.group}, {job.name}"
            bar.update(task, description=text, completed=finished)

        return suite.run(settings, prepare, lambda total: bar.update(task, total=total), tell)


def _show(report: Report, out: Path | None) -> None:
    from macaz.bench import machine
    from macaz.bench.report import sheets, write
    from macaz.cli.text import new_table, stdout

    console = stdout()
    words = machine.in_words()
    console.print(f"{words}\n", markup=False)
    for sheet in sheets(report):
        table = new_table(sheet.title, caption=sheet.note or None, caption_justify="left")
        for i, heading in enumerate(sheet.headings):
            table.add_column(heading, justify="left" if i < sheet.words else "right")
        for row in sheet.rows:
            table.add_row(*row)
        console.print(table)
    rounds = report.settings.rounds
    console.print(f"Median of {rounds} rounds; in brackets the least and the greatest.")
    for note in report.notes:
        console.print(note, markup=False)
    if out is not None:
        for path in write(report, words, out):
            click.echo(f"Wrote {path}", err=True)
