"""`macaz prune`: delete old tables and guests, as the settings of a server say."""

from __future__ import annotations

import asyncio
from datetime import UTC, datetime
from pathlib import Path
from typing import TYPE_CHECKING

import click

from macaz.cli.backup import database_options

if TYPE_CHECKING:
    from macaz.server.settings import Settings
    from macaz.server.store.pruning import Pruned


@click.command()
@database_options
@click.option("--dry-run", is_flag=True, help="Print what would be deleted, and delete nothing.")
def prune(config: Path | None, database: str | None, dry_run: bool) -> None:
    """Delete old tables, and guests who never played, also while the server runs.

    A server does this every hour. Settings such as keep_closed_days say how long to keep what; by
    default, finished games between people are kept for ever. Open tables are kept. It can be
    stopped at any time: a table is deleted completely or not at all.
    """
    from macaz.server.redact import without_password
    from macaz.server.settings.read import read_settings

    settings = read_settings({"database": database}, file=config)
    found = asyncio.run(_prune(settings, dry_run))
    what = "To be deleted" if dry_run else "Deleted"
    click.echo(f"{what} from {without_password(settings.database)}:")
    for line in _lines(found, settings):
        click.echo(f"  {line}")
    if dry_run:
        click.echo("This was a dry run: nothing was deleted.")


async def _prune(settings: Settings, dry_run: bool) -> list[Pruned]:
    from macaz.server.retention import retention_of
    from macaz.server.store.store import epoch_ms, open_to_prune

    store = await asyncio.to_thread(open_to_prune, settings.database, epoch_ms)
    try:
        return await store.pruning.prune(retention_of(settings), dry_run=dry_run)
    finally:
        await store.close()


def _lines(found: list[Pruned], settings: Settings) -> list[str]:
    """One line for each kind: the number, the last use of the oldest, the setting."""
    from macaz.server.retention import KINDS

    by_kind = {one.kind: one for one in found}
    lines = []
    for kind, (name, setting) in KINDS.items():
        one = by_kind.get(kind)
        oldest = "" if one is None or one.oldest is None else f"oldest of {_day(one.oldest)}"
        number = "kept" if one is None else str(one.number)
        rule = f"{setting} = {getattr(settings, setting)}" if setting else ""
        lines.append(f"{name:<31} {number:>7}  {oldest:<20}  {rule}".rstrip())
    return lines


def _day(at: int) -> str:
    return datetime.fromtimestamp(at / 1000, UTC).strftime("%Y-%m-%d")
