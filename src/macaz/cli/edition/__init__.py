"""`macaz edition`: list, show, check and lay out editions, and make new ones."""

from __future__ import annotations

import sys
from collections.abc import Callable, Iterator
from contextlib import contextmanager
from pathlib import Path
from typing import TYPE_CHECKING

import click

from macaz.cli.edition.new import new_command
from macaz.cli.edition.report import report_command
from macaz.cli.options import SEED, table_size

if TYPE_CHECKING:
    from rich.console import Console
    from rich.table import Table

    from macaz.edition import Edition


@click.group()
def edition() -> None:
    """List, show, check and lay out editions: maps with their rules. Make and judge new ones."""


edition.add_command(new_command)
edition.add_command(report_command)


@edition.command("list")
def list_command() -> None:
    """List the editions that come with Macaz, and those of installed packages."""
    from rich.markup import escape

    from macaz.cli.text import new_table, stdout
    from macaz.edition import EditionError, installed_editions, list_editions, load_edition

    table = new_table()
    for heading in ("edition", "name"):
        table.add_column(heading, no_wrap=True)
    for heading in ("players", "cities", "lanes", "tickets"):
        table.add_column(heading, justify="right")
    table.add_column("options")
    packages = {plugin.name: plugin.package for plugin in installed_editions()}
    problems = [plugin.problem for plugin in installed_editions() if plugin.problem]
    for name in dict.fromkeys((*list_editions(), *packages)):
        try:
            found = load_edition(name)
        except EditionError as error:
            problems.append(str(error))
            continue
        whose = "" if name in list_editions() else f"of the package {escape(packages[name])}"
        board = found.board
        table.add_row(
            f"[bold cyan]{name}[/]",
            found.name,
            "–".join(str(n) for n in sorted({found.rules.min_seats, found.rules.max_seats})),
            str(len(board.cities)),
            str(len(board.routes)),
            str(len(board.tickets)),
            "\n".join(
                (*(f"[cyan]{o.name}[/]: {o.doc}" for o in found.available_options), whose)
            ).strip(),
        )
    stdout().print(table)
    for problem in dict.fromkeys(problems):
        stdout().print(f"Left out: {problem}", markup=False, soft_wrap=True)


@edition.command("show", short_help="Show the rules and the map of an edition.")
@click.argument("name")
def show_command(name: str) -> None:
    """Show the rules and the map of an edition, by its name or the path of its file."""
    from macaz.cli.text import stdout
    from macaz.edition import load_edition

    found = load_edition(name)
    console = stdout()
    _print_head(console, found)
    for table in (_rules_table(found), _cities_table(found), _routes_table(found)):
        console.print(table)
    console.print(_tickets_table(found))


@edition.command("check", short_help="Check the file of an edition.")
@click.argument("file")
def check_command(file: str) -> None:
    """Check the file of an edition, and print every problem."""
    from macaz.cli.text import plural, stdout
    from macaz.edition import check_edition

    problems = check_edition(file)
    if any(problem.place == "file" and problem.line is None for problem in problems):
        # The file is missing or cannot be read.
        what = problems[0].message.removesuffix(".")
        missing = what.startswith("there is no")
        raise click.ClickException(f"{what}." if missing else f"{file}: {what}.")
    console = stdout()
    if not problems:
        console.print(f"{file}: no problem found", markup=False)
        return
    for problem in problems:
        where = f"line {problem.line}, {problem.place}" if problem.line else problem.place
        console.print(f"{where}: {problem.message}.", style="bold", markup=False, soft_wrap=True)
        console.print(f"    {problem.remedy}", markup=False, soft_wrap=True)
    console.print(f"{file}: {plural(len(problems), 'problem')}", markup=False)
    sys.exit(1)


@edition.command("layout", short_help="Lay out the board of a map.")
@click.argument("file", type=click.Path(dir_okay=False, path_type=Path))
@click.option(
    "--out",
    metavar="FILE",
    type=click.Path(dir_okay=False, path_type=Path),
    help="Write the map with its layout to this file, and leave FILE unchanged.",
)
@click.option(
    "--svg",
    metavar="FILE",
    type=click.Path(dir_okay=False, path_type=Path),
    help="Write a plain picture of the board, too.",
)
@click.option(
    "--effort",
    type=click.IntRange(0, 100),
    default=4,
    show_default=True,
    help="Number of layouts to try, of which the best is used; 0 for one quick layout.",
)
@click.option("--seed", type=SEED, default="0", show_default=True, help="Try other layouts.")
def layout_command(file: Path, out: Path | None, svg: Path | None, effort: int, seed: int) -> None:
    """Lay out the board of the map in FILE, and write it there as the section [plate].

    The rest of the file is not changed. Cities with fixed = true in an existing section keep their
    positions and labels.
    """
    from dataclasses import replace

    from macaz.cli.text import plural, stdout
    from macaz.draw.check import problems
    from macaz.draw.plates import draw, new_section
    from macaz.edition import read_edition
    from macaz.edition.picture import picture_of
    from macaz.edition.plate_section import with_section

    try:
        text = file.read_bytes().decode()  # not read_text, which would change line ends
    except (OSError, UnicodeDecodeError) as error:
        raise click.ClickException(f"{file}: cannot be read: {error}") from error
    bare = text.removeprefix(_MARK)
    found = read_edition(bare, source=str(file), file=file)
    with _layout_progress() as advance:
        section = new_section(found, effort, seed, advance)
    drawn = draw(replace(found, plate=section))
    target = out or file
    _write(target, (_MARK if text != bare else "") + with_section(bare, section))
    console = stdout()
    size = f"{section.width:g} × {section.height:g}"
    console.print(f"{target}: a board of {size}", markup=False, soft_wrap=True)
    if svg is not None:
        _write(svg, picture_of(drawn, found.board))
        console.print(f"{svg}: its picture", markup=False, soft_wrap=True)
    wrong = problems(drawn, found)
    for problem in wrong:
        console.print(f"{problem}.", markup=False, soft_wrap=True)
    if wrong:
        console.print(
            f"{plural(len(wrong), 'problem')}: try --effort {2 * effort + 4} or another --seed, "
            f"or correct [plate] in {target} by hand.",
            markup=False,
            soft_wrap=True,
        )
        sys.exit(1)
    console.print("No problem found: nothing on the board overlaps.")


_MARK = "\ufeff"  # byte order mark, which some editors write


def _write(path: Path, text: str) -> None:
    try:
        path.write_bytes(text.encode())
    except OSError as error:
        raise click.ClickException(f"{path}: cannot be written: {error.strerror}") from error


@contextmanager
def _layout_progress() -> Iterator[Callable[[float], None]]:
    """Show a progress bar; nothing without a terminal."""
    from rich.progress import BarColumn, Progress, TaskProgressColumn, TextColumn

    from macaz.cli.text import stderr

    console = stderr()
    columns = TextColumn("Laying out"), BarColumn(), TaskProgressColumn()
    with Progress(
        *columns, console=console, transient=True, disable=not console.is_terminal
    ) as bar:
        task = bar.add_task("layout", total=1.0)
        yield lambda part: bar.update(task, completed=part)


def _print_head(console: Console, found: Edition) -> None:
    from rich.markup import escape

    rules, board = found.rules, found.board
    by = f", by {escape(found.author)}" if found.author else ""
    console.print(f"[bold]{found.title}[/] ([cyan]{found.qualified_id}[/]){by}")
    if found.sentences:
        console.print(found.sentences["en"], markup=False)
    console.print(
        f"{table_size(rules)}, {len(board.cities)} cities, "
        f"{len(board.routes)} lanes, {len(board.tickets)} tickets"
    )
    for option in found.available_options:
        state = "on" if option.name in found.options else f"{found.id}+{option.name}"
        console.print(f"option [cyan]{option.name}[/] ({state}): {option.doc}")
    console.print(f"fingerprint {found.fingerprint}\n")


def _rules_table(found: Edition) -> Table:
    from macaz.cli.text import new_table
    from macaz.edition.board import CARDS
    from macaz.edition.rules import KNOBS

    table = new_table("Rules")
    table.add_column("knob", style="cyan", no_wrap=True)
    table.add_column("value", max_width=34)
    table.add_column("meaning")
    for knob in KNOBS.values():
        value = getattr(found.rules, knob.name)
        if knob.name == "cards":
            shown = ", ".join(f"{n} {card}" for card, n in zip(CARDS, value, strict=True) if n)
        elif knob.name == "route_points":
            shown = ", ".join(f"{length}: {n}" for length, n in enumerate(value) if n)
        elif isinstance(value, tuple):
            shown = ", ".join(value)
        else:
            shown = str(value)
        table.add_row(knob.name, shown or "none", knob.metadata["doc"])
    return table


def _cities_table(found: Edition) -> Table:
    from macaz.cli.text import new_table

    table = new_table(f"Cities ({len(found.board.cities)})")
    table.add_column("city")
    for heading in ("latitude", "longitude", "lanes"):
        table.add_column(heading, justify="right")
    for index, city in enumerate(found.board.cities):
        lanes = sum(index in (route.a, route.b) for route in found.board.routes)
        table.add_row(city.label, f"{city.lat:.2f}", f"{city.lon:.2f}", str(lanes))
    return table


def _routes_table(found: Edition) -> Table:
    from macaz.cli.text import COLOR_STYLE, new_table
    from macaz.edition.board import color_name

    board = found.board
    table = new_table(f"Routes ({len(board.routes)} lanes)")
    for heading in ("from", "to"):
        table.add_column(heading)
    table.add_column("length", justify="right")
    for heading in ("lanes", "kind"):
        table.add_column(heading)
    for index, route in enumerate(board.routes):
        lanes = board.pair_lanes(index)
        if index != lanes[0]:
            continue
        names = [color_name(board.routes[lane].color) for lane in lanes]
        kind = "" if route.kind == "track" else route.kind
        if route.locomotives:
            kind += f", {route.locomotives} locomotive{'s' if route.locomotives > 1 else ''}"
        table.add_row(
            board.cities[route.a].label,
            board.cities[route.b].label,
            str(route.length),
            ", ".join(f"[{COLOR_STYLE[name]}]{name}[/]" for name in names),
            kind,
        )
    return table


def _tickets_table(found: Edition) -> Table:
    from macaz.cli.text import new_table

    board = found.board
    table = new_table(f"Tickets ({len(board.tickets)})")
    for heading in ("from", "to"):
        table.add_column(heading)
    table.add_column("points", justify="right")
    show_deck = any(ticket.deck != "normal" for ticket in board.tickets)
    show_status = any(ticket.status for ticket in board.tickets)
    if show_deck:
        table.add_column("deck")
    if show_status:
        table.add_column("source")
    for ticket in board.tickets:
        row = [board.cities[ticket.a].label, board.cities[ticket.b].label, str(ticket.points)]
        row += [ticket.deck] * show_deck + [ticket.status] * show_status
        table.add_row(*row)
    return table
