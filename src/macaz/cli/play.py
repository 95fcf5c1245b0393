"""`macaz play`: run a server for this machine only, and open the browser."""

from __future__ import annotations

import os
import socket
import sys
import threading
import webbrowser
from pathlib import Path

import click

from macaz.server.settings import DEFAULT_PORT, KNOBS, Settings

HERE = "127.0.0.1"
# No limits, and nothing is deleted, on a person's own machine.
UNLIMITED = (
    *("tables_per_person_a_day", "tables_per_address_a_day", "games_per_guest"),
    *(name for name in KNOBS if name.startswith("keep_")),
)


@click.command()
@click.option(
    "--port",
    metavar="NUMBER",
    help=f"The port to listen on.  [default: {DEFAULT_PORT}, or one that is free]",
)
@click.option("--database", metavar="URL", help=KNOBS["database"].doc)
@click.option(
    "--editions", type=click.Path(path_type=Path), metavar="FOLDER", help=KNOBS["editions"].doc
)
@click.option("--bots", metavar=KNOBS["bots"].kind.metavar, help=KNOBS["bots"].doc)
@click.option("--no-browser", is_flag=True, help="Print the address, and open no browser.")
def play(
    port: str | None,
    database: str | None,
    editions: Path | None,
    bots: str | None,
    no_browser: bool,
) -> None:
    """Play in the browser, on this machine.

    Ctrl-C stops it. Every move is saved, and the tables are there at the next start.
    """
    from macaz.server.settings.check import check

    settings = _settings(port, database, editions, bots)
    check(settings)

    def ready(address: str) -> None:
        click.echo(f"Macaz is at {address} – Ctrl-C stops it, and your tables are kept.")
        if not no_browser:
            # Some browsers block the caller until they are closed.
            threading.Thread(target=_visit, args=(address,), daemon=True).start()

    from macaz.server.app import run
    from macaz.server.store.place import InUse

    try:
        run(settings, ready=ready)
    except KeyboardInterrupt:
        return  # the usual way to stop
    except InUse:
        usual = f"http://{HERE}:{DEFAULT_PORT}/"
        if not _is_macaz(usual):
            raise
        click.echo(f"Macaz runs already, at {usual}")
        if not no_browser:
            _visit(usual)


def _visit(address: str) -> None:
    """Open a browser if there is a display."""
    if _has_display():
        webbrowser.open(address)
    else:
        click.echo("There is no display here: open the address in a browser.")


def _is_macaz(address: str) -> bool:
    """Whether a Macaz server answers at the address."""
    from urllib.request import urlopen

    try:
        with urlopen(f"{address}healthz", timeout=2) as answer:
            return bool(answer.read() == b"ok")
    except OSError:
        return False


def _settings(
    port: str | None, database: str | None, editions: Path | None, bots: str | None
) -> Settings:
    """The settings of a server for this machine only, with little logging."""
    from dataclasses import replace

    from macaz.server.settings.read import read_settings

    settings = read_settings(
        {
            "port": port,
            "database": database,
            "editions": editions,
            "bots": bots,
            "host": HERE,
            "origin": "",
            "trusted_proxies": "",
            "redis": "",
        },
        defaults={
            "log_level": "warning",
            **dict.fromkeys(UNLIMITED, 0),
        },
    )
    if _free(settings.port):
        return settings
    if port is not None:
        raise click.ClickException(
            f"port {port} is taken. Name another with --port, or leave it out for a free one."
        )
    return replace(settings, port=0)


def _free(port: int) -> bool:
    with socket.socket() as probe:
        if os.name == "posix":  # as servers do, so that a port in TIME_WAIT counts as free
            probe.setsockopt(socket.SOL_SOCKET, socket.SO_REUSEADDR, 1)
        try:
            probe.bind((HERE, port))
        except OSError:
            return False
    return True


def _has_display() -> bool:
    """Whether there is a display; without one, a text browser would take over the terminal."""
    if sys.platform in ("win32", "darwin"):
        return True
    return bool(os.environ.get("DISPLAY") or os.environ.get("WAYLAND_DISPLAY"))
