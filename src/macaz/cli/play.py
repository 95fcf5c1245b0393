"""`macaz play`: run a server for this machine, or the network around it, and open the browser."""

from __future__ import annotations

import os
import socket
import sys
import threading
import webbrowser
from pathlib import Path

import click

from macaz.server.settings import DEFAULT_PORT, KNOBS, Settings

HERE, EVERYWHERE = "127.0.0.1", "0.0.0.0"
# Nothing is deleted on a person's own machine, and no game is too many.
UNLIMITED = ("games_per_guest", *(name for name in KNOBS if name.startswith("keep_")))
# Nor are tables counted, as long as no one else can make them.
UNCOUNTED = ("tables_per_person_a_day", "tables_per_address_a_day")
OPENED = """\
Anybody in this network can open it: see who plays, sit down at open tables, make tables. Use it at
home, not in a café. The connection is plain http, not https: on the other devices the page cannot
be installed or opened offline, some browsers there do not copy, share or notify, and others in the
network could read what is sent. Ctrl-C ends it."""


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
@click.option(
    "--lan",
    is_flag=True,
    help="Let phones and computers in the same network play too: anybody in it can open the page.",
)
@click.option("--no-browser", is_flag=True, help="Print the address, and open no browser.")
def play(
    port: str | None,
    database: str | None,
    editions: Path | None,
    bots: str | None,
    lan: bool,
    no_browser: bool,
) -> None:
    """Play in the browser, on this machine; with --lan, also on phones in the same network.

    Ctrl-C stops it. Every move is saved, and the tables are there at the next start.
    """
    from macaz.server.settings.check import check

    others = _addresses() if lan else ()
    settings = _settings(port, database, editions, bots, lan=lan)
    check(settings)

    def ready(address: str) -> None:
        address = address.replace(EVERYWHERE, HERE)
        click.echo(f"Macaz is at {address} – Ctrl-C stops it, and your tables are kept.")
        if others:
            _invite([address.replace(HERE, other) for other in others])
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
        if lan:
            raise click.ClickException(
                f"Macaz runs already, at {usual}, maybe for this machine only. Stop it with "
                "Ctrl-C where it was started, then start it again with --lan."
            ) from None
        click.echo(f"Macaz runs already, at {usual}")
        if not no_browser:
            _visit(usual)


def _addresses() -> tuple[str, ...]:
    """The addresses of this machine in its networks; an error if it has none, or a public one."""
    from macaz.server.lan import is_public, lan_addresses

    found = lan_addresses()
    if not found:
        raise click.ClickException(
            "this machine is in no network, so phones cannot reach it. Connect it to the Wi-Fi of "
            "the phones, or leave --lan out."
        )
    if public := [address for address in found if is_public(address)]:
        raise click.ClickException(
            f"the whole internet may reach this machine, at {public[0]}, so --lan would open the "
            "page to everybody. To host it for others, use macaz serve with an origin."
        )
    return found


def _invite(addresses: list[str]) -> None:
    """Print where the others in the network find the page."""
    first, *more = addresses
    click.echo(f"Phones and computers in this network open {first}")
    if more:
        click.echo(f"or, where that does not answer: {', '.join(more)}")
    if sys.stdout.isatty():
        from macaz.server.qr import qr_text

        click.echo(qr_text(first))
    click.echo(OPENED)


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
    port: str | None, database: str | None, editions: Path | None, bots: str | None, *, lan: bool
) -> Settings:
    """The settings of a server for this machine or its network, with little logging."""
    from dataclasses import replace

    from macaz.server.settings.read import read_settings

    settings = read_settings(
        {
            "port": port,
            "database": database,
            "editions": editions,
            "bots": bots,
            "host": EVERYWHERE if lan else HERE,
            "origin": "",
            "trusted_proxies": "",
            "redis": "",
        },
        defaults={
            "log_level": "warning",
            **dict.fromkeys(UNLIMITED if lan else (*UNLIMITED, *UNCOUNTED), 0),
        },
    )
    settings = replace(settings, lan=lan)
    if _free(settings.host, settings.port):
        return settings
    if port is not None:
        raise click.ClickException(
            f"port {port} is taken. Name another with --port, or leave it out for a free one."
        )
    return replace(settings, port=0)


def _free(host: str, port: int) -> bool:
    with socket.socket() as probe:
        if os.name == "posix":  # as servers do, so that a port in TIME_WAIT counts as free
            probe.setsockopt(socket.SOL_SOCKET, socket.SO_REUSEADDR, 1)
        try:
            probe.bind((host, port))
        except OSError:
            return False
    return True


def _has_display() -> bool:
    """Whether there is a display; without one, a text browser would take over the terminal."""
    if sys.platform in ("win32", "darwin"):
        return True
    return bool(os.environ.get("DISPLAY") or os.environ.get("WAYLAND_DISPLAY"))
