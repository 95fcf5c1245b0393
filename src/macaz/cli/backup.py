"""`macaz backup` and `macaz restore`: copy a server's SQLite database, and put a copy back."""

from __future__ import annotations

from pathlib import Path

import click

from macaz.cli.options import Command


def database_options(command: Command) -> Command:
    """Add `--database` and `--config`, with the meaning they have for `macaz serve`."""
    config = click.option(
        "--config",
        type=click.Path(path_type=Path, dir_okay=False),
        metavar="FILE",
        help="Read the server's settings from this file; by default from the file "
        "that MACAZ_CONFIG names.",
    )
    database = click.option(
        "--database",
        metavar="URL",
        help="The database, as sqlite:///PATH. By default: the value of MACAZ_DATABASE; if it is "
        "not set, the database that the settings name; if they name none, that of `macaz play`.",
    )
    return config(database(command))


@click.command()
@click.argument("file", type=click.Path(dir_okay=False, path_type=Path))
@database_options
@click.option("--overwrite", is_flag=True, help="Replace FILE if it exists.")
def backup(file: Path, config: Path | None, database: str | None, overwrite: bool) -> None:
    """Copy the database into FILE, also while the server runs.

    The copy is checked, and written completely or not at all. It contains the secrets of running
    games: keep it where only you can read it. For PostgreSQL use pg_dump.
    """
    from macaz.server.store import backup as copies

    source = copies.backup(_address(config, database), file.resolve(), overwrite=overwrite)
    click.echo(f"Saved {source} to {file}.")


@click.command()
@click.argument("file", type=click.Path(exists=True, dir_okay=False, path_type=Path))
@database_options
@click.option(
    "--overwrite", is_flag=True, help="Replace the server's database if it exists; it is lost."
)
def restore(file: Path, config: Path | None, database: str | None, overwrite: bool) -> None:
    """Replace the database with a backup; stop the server first.

    The file is checked before anything is replaced. A backup of an older Macaz is migrated when the
    server starts. For PostgreSQL use pg_restore.
    """
    from macaz.server.store import backup as copies

    target = copies.restore(file, _address(config, database), overwrite=overwrite)
    click.echo(f"Restored {target} from {file}.")


def _address(config: Path | None, database: str | None) -> str:
    from macaz.server.settings.read import read_settings

    return read_settings({"database": database}, file=config).database
