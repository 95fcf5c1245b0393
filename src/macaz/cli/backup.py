"""`macaz backup` and `macaz restore`: the games of a server, in one file."""

from __future__ import annotations

from collections.abc import Callable
from pathlib import Path

import click

from macaz.cli.options import Command


def database_option() -> Callable[[Command], Command]:
    """`--database`, the one in the user's data folder if it is left out."""
    return click.option(
        "--database",
        metavar="URL",
        envvar="MACAZ_DATABASE",
        help="The database, as sqlite:///PATH; without it, the one of `macaz play`.",
    )


overwrite_option = click.option("--overwrite", is_flag=True, help="Replace what is there.")


@click.command()
@click.argument("file", type=click.Path(dir_okay=False, path_type=Path))
@database_option()
@overwrite_option
def backup(file: Path, database: str | None, overwrite: bool) -> None:
    """Copy all games into FILE, as they are now; the server may go on.

    The copy is checked, and appears whole or not at all. It holds the secrets of running games:
    keep it where only you can read it. For PostgreSQL use pg_dump.
    """
    from macaz.server.store import backup as copies
    from macaz.server.store.place import default_database

    copies.backup(database or default_database(), file.resolve(), overwrite=overwrite)
    click.echo(f"Saved the database to {file}.")


@click.command()
@click.argument("file", type=click.Path(exists=True, dir_okay=False, path_type=Path))
@database_option()
@overwrite_option
def restore(file: Path, database: str | None, overwrite: bool) -> None:
    """Put a backup in the place of the database; stop the server first.

    The file is checked before anything is replaced. A backup of an older Macaz is brought up to
    date when the server starts. For PostgreSQL use pg_restore.
    """
    from macaz.server.store import backup as copies
    from macaz.server.store.place import default_database

    copies.restore(file, database or default_database(), overwrite=overwrite)
    click.echo(f"Restored the database from {file}.")
