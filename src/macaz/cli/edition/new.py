"""`macaz edition new`: a complete map from a list of cities."""

from __future__ import annotations

import shlex
from pathlib import Path
from typing import TYPE_CHECKING

import click

from macaz.cli.options import SEED, program

if TYPE_CHECKING:
    from macaz.edition.board import City


@click.command("new", short_help="Make a map from a list of cities.")
@click.argument("name")
@click.option(
    "--cities",
    metavar="FILE",
    type=click.Path(exists=True, dir_okay=False, path_type=Path),
    help="A CSV file with the columns name, lat, lon, or name, x, y.",
)
@click.option(
    "--places",
    metavar="NAMES",
    help="Names of cities, separated by commas, to look up in GeoNames (extra: maps).",
)
@click.option("--country", metavar="CODE", help="Look up in this country only: RO, US, JP.")
@click.option(
    "--base",
    metavar="NAME",
    default="usa-classic",
    show_default=True,
    help="The edition whose rules the map inherits: an id, or a file beside the new one.",
)
@click.option(
    "--players",
    "-p",
    type=click.IntRange(2, 6),
    metavar="NUMBER",
    help="The most players; by default 2 to 5, by the number of cities.",
)
@click.option(
    "--trains",
    type=click.IntRange(6, 60),
    metavar="NUMBER",
    help="Trains of a player; lengths are scaled to them. By default suggested.",
)
@click.option("--author", metavar="NAME", default="", help="Your name, for the card of the map.")
@click.option("--seed", type=SEED, default="0", show_default=True, help="Suggest another map.")
@click.option(
    "--out",
    metavar="FILE",
    type=click.Path(dir_okay=False, path_type=Path),
    help="Where to write it; by default the name of the map with .toml.",
)
@click.option("--force", is_flag=True, help="Replace the file if it exists.")
def new_command(
    name: str,
    cities: Path | None,
    places: str | None,
    country: str | None,
    base: str,
    players: int | None,
    trains: int | None,
    author: str,
    seed: int,
    out: Path | None,
    force: bool,
) -> None:
    """Make a map called NAME from a list of cities, and write it as an edition file.

    Routes, lengths, colours and tickets are suggested; the file can be played at once, and
    corrected by hand. The same list and seed give the same map.
    """
    from macaz.cli.text import plural, stdout
    from macaz.edition import list_editions, read_edition
    from macaz.lab.maps.suggest import Wishes, id_of, suggest_map

    if (cities is None) == (places is None):
        raise click.UsageError("Give the cities: either --cities FILE or --places NAMES.")
    if id_of(name) in list_editions():
        raise click.ClickException(
            f"Macaz has a map with the id {id_of(name)!r}: choose another name."
        )
    target = out or Path(f"{id_of(name)}.toml")
    if target.exists() and not force:
        raise click.ClickException(f"{target} exists: choose another with --out, or add --force.")
    found = _from_file(cities) if cities is not None else _by_name(places or "", country)
    text = suggest_map(name, found, Wishes(base, players, trains, author, seed), target)
    try:
        target.write_text(text, encoding="utf-8", newline="\n")
    except OSError as error:
        raise click.ClickException(f"{target}: cannot be written: {error.strerror}") from error
    made = read_edition(text, file=target)
    counts = (
        f"{len(made.board.cities)} cities, "
        f"{plural(len(made.board.routes), 'lane')}, {plural(len(made.board.tickets), 'ticket')}"
    )
    console = stdout()
    console.print(f"{target}: {counts}", markup=False, soft_wrap=True)
    file = shlex.quote(str(target))
    for command in (f"edition layout {file}", f"edition report {file}", f"terminal -e {file}"):
        console.print(f"Next: {program()} {command}", markup=False, soft_wrap=True)


def _from_file(file: Path) -> list[City]:
    from macaz.errors import MacazError
    from macaz.lab.maps.places import read_csv

    try:
        return read_csv(file.read_text(encoding="utf-8"))
    except OSError as error:
        raise click.ClickException(f"{file}: cannot be read: {error.strerror}") from error
    except UnicodeDecodeError as error:
        raise click.ClickException(f"{file}: not UTF-8 text. Save the file as UTF-8.") from error
    except MacazError as error:
        raise click.ClickException(f"{file}: {error}") from error


def _by_name(text: str, country: str | None) -> list[City]:
    from macaz.cli.text import stderr
    from macaz.errors import MissingExtra
    from macaz.lab.maps.places import find_places

    console = stderr()
    try:
        with console.status("Looking up the cities"):
            found = find_places(text.split(","), country)
    except MissingExtra as error:
        raise click.ClickException(str(error)) from error
    for place in found:  # so that a namesake in another country is noticed
        city = place.city
        line = f"{city.name}: {place.country}, {city.lat:.2f}, {city.lon:.2f}"
        console.print(line, markup=False, highlight=False)
    return [place.city for place in found]
