"""`macaz backup` and `macaz restore`: the games of a server, in one file."""

from __future__ import annotations

from pathlib import Path

import click

from macaz.cli.options import Command


def database_options(command: Command) -> Command:
    """`--database` and `--config`: which database it is, found as `macaz serve` finds it."""
    config = click.option(
        "--config",
        type=click.Path(path_type=Path, dir_okay=False),
        metavar="FILE",
        help="The file with the server's settings; MACAZ_CONFIG in the environment names it too.",
    )
    database = click.option(
        "--database",
        metavar="URL",
        help="The database, as sqlite:///PATH. Without it, the one that MACAZ_DATABASE or the "
        "settings name; without those, the one of `macaz play`.",
    )
    return config(database(command))


overwrite_option = click.option("--overwrite", is_flag=True, help="Replace what is there.")


@click.command()
@click.argument("file", type=click.Path(dir_okay=False, path_type=Path))
@database_options
@overwrite_option
def backup(file: Path, config: Path | None, database: str | None, overwrite: bool) -> None:
    """Copy all games into FILE, as they are now; the server may go on.

    The copy is checked, and appears whole or not at all. It holds the secrets of running games:
    keep it where only you can read it. For PostgreSQL use pg_dump.
    """
    from macaz.server.store import backup as copies

    source = copies.backup(_address(config, database), file.resolve(), overwrite=overwrite)
    click.echo(f"Saved {source} to {file}.")


@click.command()
@click.argument("file", type=click.Path(exists=True, dir_okay=False, path_type=Path))
@database_options
@overwrite_option
def restore(file: Path, config: Path | None, database: str | None, overwrite: bool) -> None:
    """Put a backup in the place of the database; stop the server first.

    The file is checked before anything is replaced. A backup of an older Macaz is brought up to
    date when the server starts. For PostgreSQL use pg_restore.
    """
    from macaz.server.store import backup as copies

    target = copies.restore(file, _address(config, database), overwrite=overwrite)
    click.echo(f"Restored {target} from {file}.")


def _address(config: Path | None, database: str | None) -> str:
    from macaz.server.settings.read import read_settings

    return read_settings({"database": database}, file=config).database
