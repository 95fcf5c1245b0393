"""`macaz arena`: tournaments of bots, their ratings, reports and games."""

from __future__ import annotations

import shlex
import sys
from contextlib import ExitStack
from pathlib import Path
from tempfile import TemporaryDirectory
from typing import TYPE_CHECKING, Any

import click

from macaz.cli.options import BOTS, COUNT, DEFAULT_EDITION, SEED, program
from macaz.cli.signals import Stop, stop_on_signal
from macaz.lab.arena import PATIENCE

if TYPE_CHECKING:
    from macaz.edition import Edition
    from macaz.lab.arena.result import GameResult
    from macaz.lab.arena.settings import Settings
    from macaz.lab.arena.store import Store
    from macaz.lab.arena.tournament import Executor, Tournament

DEFAULTS = {"edition": DEFAULT_EDITION, "players": 2, "games": 1000}
FOLDER = click.Path(exists=True, file_okay=False, path_type=Path)


def _shares(text: str) -> tuple[float, ...]:
    """Two shares of the wins; () for the default."""
    try:
        shares = tuple(float(part) for part in text.split(",") if part)
    except ValueError:
        shares = (0.0,)
    if len(shares) not in (0, 2):
        raise click.BadParameter(f"{text!r} is not two shares of the wins, as in 0.5,0.55.")
    return shares


@click.group(invoke_without_command=True)
@click.option(
    "--bots",
    type=BOTS,
    metavar="BOTS",
    help="The bots, separated by commas: planner,search:0.1s,my_bot.py:MyBot.",
)
@click.option(
    "--edition",
    "-e",
    metavar="NAME",
    help="An edition, with its options (old-west+alvin), or the path of your own file; "
    f"{DEFAULTS['edition']} by default.",
)
@click.option(
    "--players",
    "-p",
    type=int,
    metavar="NUMBER",
    help=f"Players at a table; {DEFAULTS['players']} by default.",
)
@click.option(
    "--games",
    "-n",
    type=COUNT,
    metavar="NUMBER",
    help=f"Games for each lineup, rounded up to whole deals; {DEFAULTS['games']} by default.",
)
@click.option("--gauntlet", metavar="BOT", help="Play only games of this bot against the others.")
@click.option(
    "--sprt",
    type=_shares,
    is_flag=False,
    flag_value="",
    metavar="[P0,P1]",
    help="Stop when it is decided whether the first bot wins a share of P1, or only P0; by "
    "default an even share, and a tenth more.",
)
@click.option(
    "--seed",
    type=SEED,
    metavar="NUMBER",
    help="Repeat the deals of another tournament; by default a new seed is chosen and shown.",
)
@click.option(
    "--patience",
    type=click.FloatRange(min=0.01),
    metavar="SECONDS",
    help=f"Time limit for a decision, after which the bot loses; {PATIENCE:g} by default.",
)
@click.option("--no-records", is_flag=True, help="Store the results only, not the games.")
@click.option(
    "--workers",
    type=click.IntRange(min=1),
    metavar="NUMBER",
    help="Games at the same time; by default one per core.",
)
@click.option("--cluster", metavar="ADDRESS", help="Play on a Ray cluster: auto, or HOST:PORT.")
@click.option(
    "--out",
    type=click.Path(file_okay=False, path_type=Path),
    metavar="FOLDER",
    help="Store the games and the report in this folder, or resume the tournament in it; without "
    "it, only the ratings are shown.",
)
@click.pass_context
def arena(
    ctx: click.Context,
    /,
    out: Path | None,
    workers: int | None,
    cluster: str | None,
    no_records: bool,
    **asked: Any,
) -> None:
    """Play bots against each other, on all cores, and rate them.

    Every deal is played with every rotation of the seats, so that luck cancels out. Ctrl-C and the
    signals TERM and HUP stop it; with --out, the same command, or just --out FOLDER, resumes it.
    """
    if ctx.invoked_subcommand is not None:
        return
    from macaz.lab.arena.store import Store

    given = {name: value for name, value in asked.items() if value is not None}
    if no_records or out is None:
        given["records"] = False
    settings, edition = _settings(given, out)
    execute = _executor(workers, cluster)
    with ExitStack() as stack:
        folder = out or Path(stack.enter_context(TemporaryDirectory(prefix="macaz-arena-")))
        with Store(folder, settings) as store, stop_on_signal(at_once=True) as stop:
            status = _play(store, edition, execute, stop, kept=out is not None)
        if store.results:
            if out is None:
                from macaz.cli.arena.show import print_ratings

                print_ratings(store.results)
            else:
                _show(out, settings, store.results)
    sys.exit(status)


def _settings(given: dict[str, Any], out: Path | None) -> tuple[Settings, Edition]:
    """The given settings, completed by those of the folder or by the defaults."""
    import msgspec

    from macaz.bots.own import digest_of
    from macaz.edition import load_edition
    from macaz.lab.arena.settings import Settings
    from macaz.lab.arena.store import SETTINGS, read_settings
    from macaz.lab.arena.tournament import check

    if out is not None and (out / SETTINGS).exists():
        base = msgspec.structs.asdict(read_settings(out))
    elif not given.get("bots"):
        raise click.UsageError("Name the bots with --bots, as in --bots greedy,random.")
    else:
        import secrets

        base = {**DEFAULTS, "seed": secrets.randbelow(2**32)}
    hero = given.pop("gauntlet", None)
    if hero is not None:
        others = given.get("bots") or base["bots"]
        given |= {"gauntlet": True, "bots": (hero, *(b for b in others if b != hero))}
    merged = base | given
    if merged.get("sprt") == ():
        even = 1 / merged["players"]
        merged["sprt"] = (round(even, 4), round(1.1 * even, 4))
    edition = load_edition(merged["edition"])
    settings = Settings(**merged | {"fingerprint": edition.fingerprint})
    check(settings, edition)
    digests = {bot: digest for bot in settings.bots if (digest := digest_of(bot))}
    return msgspec.structs.replace(settings, digests=digests), edition


def _executor(workers: int | None, cluster: str | None) -> Executor:
    from functools import partial

    if cluster is None:
        from macaz.lab.arena.local import run_local

        return partial(run_local, workers=workers)
    if workers is not None:
        raise click.UsageError("--workers is for this machine: on a cluster, Ray decides.")
    from macaz.lab.arena.cluster import connect, run_on_cluster

    connect(cluster)  # before anything is written: the address may be wrong
    return run_on_cluster


def _play(store: Store, edition: Edition, execute: Executor, stop: Stop, *, kept: bool) -> int:
    """Play the missing games; returns the exit status."""
    from rich.text import Text

    from macaz.cli.arena.show import progress
    from macaz.cli.text import plural, stderr
    from macaz.lab.arena.store import read_results
    from macaz.lab.arena.tournament import Tournament, try_out

    console, settings, folder = stderr(), store.settings, store.folder
    tournament = Tournament(store, edition)
    before = tournament.total - tournament.left
    where = f", in {folder}" if kept else "; --out FOLDER would keep the games"
    click.echo(f"{plural(tournament.total, 'game')}, seed {settings.seed}{where}", err=True)
    if before:
        click.echo(f"{plural(before, 'game')} of them played before", err=True)
    try:
        for bot in settings.bots if tournament.left else ():
            with console.status(Text(f"Trying out: {bot}")):
                try_out(bot, edition, settings.players)
        with progress(console, tournament.total, before, store.results) as advance:
            for result in tournament.play(execute):
                advance(result)
    except KeyboardInterrupt:
        # Count the file: a game may be stored, and not yet counted here.
        done = plural(sum(1 for _ in read_results(folder)), "game")
        again = shlex.join(["arena", "--out", str(folder)])
        further = f"Resume with: {program()} {again}" if kept else "They are not kept."
        click.echo(f"Stopped with {done}. {further}", err=True)
        return stop.status
    _print_verdict(tournament, settings)
    return 0


def _print_verdict(tournament: Tournament, settings: Settings) -> None:
    if settings.sprt is None:
        return
    low, high = (f"{100 * share:g} %" for share in settings.sprt)
    messages = {
        "accept": f"Decided: {settings.hero} wins {high} or more, not just {low}.",
        "reject": f"Decided: {settings.hero} does not win {high}; it is {low} or less.",
        "go on": f"Not decided between {low} and {high}: go on with more --games.",
    }
    click.echo(messages[tournament.verdict or "go on"], err=True)


def _show(folder: Path, settings: Settings, results: list[GameResult]) -> None:
    """Print the ratings, and write the report."""
    import msgspec

    from macaz import __version__
    from macaz.cli.arena.show import print_ratings
    from macaz.lab.arena.report import write_report
    from macaz.lab.arena.store import REPORT

    print_ratings(results)
    shown = msgspec.structs.asdict(settings)
    shown |= {"command": settings.command, "version": __version__}
    write_report(shown, results, folder / REPORT)
    click.echo(f"Wrote {folder / REPORT}", err=True)


@arena.command()
@click.argument("folder", type=FOLDER)
def report(folder: Path) -> None:
    """Rate the games of a folder again, and write its report page."""
    from macaz.lab.arena.store import read_results, read_settings

    settings, results = read_settings(folder), list(read_results(folder))
    if not results:
        raise click.ClickException(f"no game in {folder} is finished yet.")
    _show(folder, settings, results)


@arena.command()
@click.argument("folder", type=FOLDER)
@click.argument("number", type=click.IntRange(min=1), required=False)
@click.option("--all", "everything", is_flag=True, help="Print the whole game without stopping.")
@click.option("--turn", metavar="N", type=click.IntRange(min=0), help="Start at this turn.")
@click.option("--seat", metavar="N", type=click.IntRange(min=1), help="See what this seat saw.")
@click.option("--open", "opened", is_flag=True, help="Show every hand and every ticket.")
@click.pass_context
def watch(ctx: click.Context, /, folder: Path, number: int | None, **how: Any) -> None:
    """Watch a game of a folder, turn by turn, as `macaz replay` shows it.

    Without NUMBER, list the games.
    """
    import tempfile

    from macaz.cli.arena.show import list_games
    from macaz.cli.replay import replay
    from macaz.lab.arena.store import read_results, read_settings

    edition = read_settings(folder).edition
    if number is None:
        list_games(read_results(folder))
        return
    text = _record(folder, number)
    with tempfile.TemporaryDirectory() as place:
        file = Path(place) / f"game-{number}.txt"
        file.write_text(text, encoding="utf-8", newline="\n")
        ctx.invoke(replay, file=file, edited=False, edition=edition, **how)


@arena.command()
@click.argument("folder", type=FOLDER)
@click.argument("number", type=click.IntRange(min=1))
def record(folder: Path, number: int) -> None:
    """Print the record of a game, as `macaz replay` reads it."""
    click.echo(_record(folder, number), nl=False)


def _record(folder: Path, number: int) -> str:
    from macaz.lab.arena.store import read_game

    text = read_game(folder, number).record
    if not text:
        raise click.ClickException(
            f"game {number} was played with --no-records: there is no record."
        )
    return text
