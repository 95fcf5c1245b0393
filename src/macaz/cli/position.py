"""`macaz position`: export a position of a recorded game as JSON, or check such a file."""

from __future__ import annotations

import sys
from pathlib import Path

import click

FILE = click.Path(exists=True, dir_okay=False, path_type=Path)
EDITION = click.option(
    "--edition",
    metavar="NAME",
    help="The file of the edition, for a map of your own.",
)


class _Position(click.Group):
    """A group whose default command is `export`."""

    def parse_args(self, ctx: click.Context, args: list[str]) -> list[str]:
        """Insert `export` unless the first argument is a command or asks for help."""
        if args and args[0] not in (*self.commands, *ctx.help_option_names):
            args = ["export", *args]
        return super().parse_args(ctx, args)


@click.group(cls=_Position, no_args_is_help=True)
def position() -> None:
    """Write a position of a recorded game as JSON, or check such a file.

    `macaz position GAME.macaz --turn 12` is short for `macaz position export`.
    """


@position.command()
@click.argument("file", type=FILE)
@click.option(
    "--turn",
    metavar="N",
    type=click.IntRange(min=1),
    help="Export the position at the beginning of this turn.",
)
@click.option("--seat", metavar="N", type=click.IntRange(min=1), help="Export what this seat saw.")
@click.option("--spectator", is_flag=True, help="Export what a spectator saw.")
@EDITION
def export(
    file: Path, turn: int | None, seat: int | None, spectator: bool, edition: str | None
) -> None:
    """Write a position of a recorded game as JSON: the last one, or that of --turn."""
    from macaz.game.position import dump_position
    from macaz.game.record import RecordError, game_lines, open_record

    try:
        game = open_record(file, edition=edition)
    except RecordError as error:
        raise click.ClickException(f"{file}: {error}") from None
    if seat is not None and seat > game.seats:
        raise click.BadParameter(f"there is no seat {seat} at a table of {game.seats}")
    if turn is not None:
        starts = {line.turn: line.start for line in reversed(game_lines(game))}
        if turn not in starts:
            last = max(starts, default=0)
            raise click.BadParameter(f"the game has {last} turns, and so no turn {turn}")
        while len(game.history) > starts[turn]:
            game.pop()
    viewer = None if seat is None else seat - 1
    shown = game.view(viewer) if spectator or seat is not None else game
    click.echo(dump_position(shown), nl=False)


@position.command()
@click.argument("file", type=FILE)
@EDITION
def check(file: Path, edition: str | None) -> None:
    """Check a position file, and print every problem; the exit status is 1 if there is one."""
    from macaz.edition import load_edition
    from macaz.game.position import InvalidPosition, check_position, parse_json

    table = load_edition(edition) if edition else None
    try:
        problems = check_position(parse_json(file.read_text(encoding="utf-8-sig")), table)
    except InvalidPosition as error:
        problems = list(error.problems)
    except UnicodeDecodeError:
        click.echo(f"{file}: not UTF-8 text. Save the file as UTF-8.")
        sys.exit(1)
    for problem in problems:
        click.echo(str(problem))
    if problems:
        sys.exit(1)
    click.echo(f"{file}: sound.")
