"""`macaz train`: train networks by self-play, rate them, and draw their learning curves."""

from __future__ import annotations

import shlex
import sys
from pathlib import Path
from typing import TYPE_CHECKING, Any

import click

from macaz.cli.options import BOTS, COUNT, SEED, program
from macaz.cli.signals import Stop, stop_on_signal

if TYPE_CHECKING:
    from macaz.lab.train.progress import Progress
    from macaz.lab.train.rater import Rater
    from macaz.lab.train.settings import Settings

FOLDER = click.Path(exists=True, file_okay=False, path_type=Path)
RATED_GAMES = 200  # gives a 95 % interval of ± 7 %
CORES_PER_RATER = 4  # one of so many cores rates during training


def _seats(text: str) -> tuple[int, ...]:
    """Numbers of seats, each once."""
    try:
        return tuple(dict.fromkeys(int(part) for part in text.split(",")))
    except ValueError:
        raise click.BadParameter(f"{text!r} is no list of numbers, as in 2,3,4,5.") from None


@click.group(invoke_without_command=True)
@click.option(
    "--edition",
    "-e",
    metavar="NAME",
    help="An edition with its options (old-west+alvin), or the path of an edition file.",
)
@click.option(
    "--seats",
    type=_seats,
    metavar="NUMBERS",
    help="Numbers of players, as in 2,3,4,5; by default all of the edition, or the two smallest "
    "if small.",
)
@click.option(
    "--size",
    type=click.Choice(["small", "full"]),
    help="small for a CPU and a minute, full for a GPU; by default according to the device.",
)
@click.option(
    "--device",
    type=click.Choice(["cuda", "cpu"]),
    help="Train on this device; by default on a GPU if there is one.",
)
@click.option(
    "--minutes",
    type=click.FloatRange(min=0, min_open=True),
    metavar="NUMBER",
    help="Training time in total; by default 60, or 1 if small.",
)
@click.option(
    "--games",
    type=COUNT,
    metavar="NUMBER",
    help="Games at the same time; by default 131072, or 128 if small.",
)
@click.option(
    "--width",
    type=click.IntRange(min=1),
    metavar="NUMBER",
    help="Width of the layers of the network; by default 640, or 64 if small.",
)
@click.option(
    "--blocks",
    type=click.IntRange(min=1),
    metavar="NUMBER",
    help="Residual blocks of two layers; by default 2, or 1 if small.",
)
@click.option(
    "--seed", type=SEED, metavar="NUMBER", help="Seed of the random numbers; 1 by default."
)
@click.option(
    "--rated",
    type=click.FloatRange(min=0),
    metavar="MINUTES",
    help="Minutes between two ratings against greedy, racer and planner during training, 0 for "
    "none; by default 3, or 0 if small.",
)
@click.option(
    "--out",
    type=click.Path(file_okay=False, path_type=Path),
    metavar="FOLDER",
    help="Write the network, its log and its ratings here; by default to train-EDITION-SEED.",
)
@click.option("--resume", is_flag=True, help="Resume the training in the folder with its settings.")
@click.pass_context
def train(
    ctx: click.Context,
    /,
    out: Path | None,
    resume: bool,
    size: str | None,
    **asked: Any,
) -> None:
    """Train a network by games against itself, its past selves and scripted bots.

    Ctrl-C and the signals TERM and HUP stop and save; --resume continues. TensorBoard can read the
    folder during training. The network plays as the bot learned:FOLDER/network.npz.
    """
    if ctx.invoked_subcommand is not None:
        return
    from macaz.lab.train.folder import begin

    _need_torch()
    given = {name: value for name, value in asked.items() if value is not None}
    settings = _resumed(given, out, size) if resume else _fresh(given, size)
    folder = out or Path(f"train-{Path(settings.edition).stem}-{settings.seed}")
    begin(folder, settings, resume=resume)
    if settings.device == "cpu":
        from macaz.cli.native import compile_if_possible
        from macaz.lab.train.program import PROGRAM

        compile_if_possible({PROGRAM: ()})
    with stop_on_signal() as stop:
        learned = _train(folder, settings, stop)
    if not learned and not stop.is_set():
        time = "1 minute is" if settings.minutes == 1 else f"{settings.minutes:g} minutes are"
        click.echo(f"Its {time} over: set a longer total time with --minutes.", err=True)
        return
    _write_results(folder)
    if stop.is_set():
        again = shlex.join(["train", "--out", str(folder), "--resume"])
        click.echo(f"Stopped, and saved. Resume with: {program()} {again}", err=True)
        sys.exit(stop.status)


def _need_torch() -> None:
    """Raise if PyTorch is missing, before the folder is created."""
    from importlib.util import find_spec

    from macaz.errors import MissingExtra

    try:
        found = find_spec("torch")
    except ValueError:  # the module has no spec
        found = None
    if found is None:
        raise MissingExtra("torch", "training", "train")


def _fresh(given: dict[str, Any], size: str | None) -> Settings:
    """The default settings, updated by the given ones."""
    import msgspec

    from macaz.lab.train.settings import settings_for

    if "edition" not in given:
        raise click.UsageError("Name the edition with --edition, as in --edition europe.")
    given["device"] = _device(given.get("device"))
    usual = settings_for(given["edition"], size or _size_for(given["device"]))
    return _checked(msgspec.structs.replace(usual, **given))


def _resumed(given: dict[str, Any], out: Path | None, size: str | None) -> Settings:
    """The settings of the folder, updated by the given ones."""
    import msgspec

    from macaz.lab.train.folder import read_settings

    if out is None:
        raise click.UsageError("Name the folder of the training to resume with --out.")
    if size:
        raise click.UsageError("--size is for a new training only.")
    kept = read_settings(out)
    given["device"] = _device(given.get("device", kept.device))
    return _checked(msgspec.structs.replace(kept, **given))


def _size_for(device: str) -> str:
    return "full" if device == "cuda" else "small"


def _device(asked: str | None) -> str:
    """The device to use; both PyTorch and Numba must be able to use a GPU."""
    import torch

    from macaz.kernel import gpu

    if asked == "cpu":
        return asked
    if not torch.cuda.is_available():
        if asked:
            raise click.ClickException(
                "PyTorch sees no GPU here: choose --device cpu, or install a build of PyTorch for "
                "this machine's GPU."
            )
        return "cpu"
    problem = gpu.gpu_problem()
    if problem is None:
        return "cuda"
    if asked:
        raise click.ClickException(
            f"no games can be played on the GPU: {problem}. Fix that, or choose --device cpu."
        )
    click.echo(f"The GPU is not used: {problem}.", err=True)
    return "cpu"


def _checked(settings: Settings) -> Settings:
    """Raise if the edition does not exist, or does not allow these numbers of seats."""
    from macaz.edition import load_edition

    edition = load_edition(settings.edition)
    rules = edition.rules
    wrong = [s for s in settings.seats if not rules.min_seats <= s <= rules.max_seats]
    if wrong or not settings.seats:
        raise click.UsageError(
            f"{edition.title} is for {rules.min_seats} to {rules.max_seats} players, not "
            f"{wrong[0] if wrong else 'none'}: choose with --seats."
        )
    return settings


def _device_words(device: str) -> str:
    """The name of the device, for the log and the card."""
    import torch

    from macaz.lab.bench.machine import processor

    return str(torch.cuda.get_device_name(0)) if device == "cuda" else processor()


def _train(folder: Path, settings: Settings, stop: Stop) -> bool:
    """Train with logging and ratings; returns whether any iteration was run."""
    from contextlib import ExitStack

    from macaz.cli.text import stderr
    from macaz.cli.train.show import Show
    from macaz.lab.train.journal import Journal
    from macaz.lab.train.loop import train as run
    from macaz.lab.train.rater import RATED, Rater
    from macaz.lab.train.ratings import Match
    from macaz.workers import core_count

    console, device = stderr(), _device_words(settings.device)
    click.echo(f"{settings.edition} on {device}, in {folder}", err=True)
    learned = False
    with ExitStack() as open_:
        journal = open_.enter_context(Journal(folder, device=device))
        rater = None
        if settings.rated:
            match = Match(
                bot=f"learned:{folder / RATED}",
                edition=settings.edition,
                players=min(settings.seats),
                games=RATED_GAMES,
                workers=max(1, core_count() // CORES_PER_RATER),
            )
            rater = open_.enter_context(Rater(folder, match, minutes=settings.rated))
        with Show(console, settings.minutes) as show:

            def report(progress: Progress) -> None:
                nonlocal learned
                learned = True
                journal.add(progress)
                show.update(progress)
                if rater:
                    rater.update(progress)

            run(settings, folder, report, stop.is_set)
        if rater:
            _finish(rater, stop)
    return learned


def _finish(rater: Rater, stop: Stop) -> None:
    """Rate the last network, unless the user stops."""
    from macaz.cli.text import stderr

    if not stop.is_set():
        with stderr().status("Rating the last network; Ctrl-C skips it"):
            for _ in rater.finish():
                if stop.is_set():
                    stop.clear()
                    break
    if rater.trouble:
        click.echo(f"The network could not be rated: {rater.trouble}", err=True)


def _write_results(folder: Path) -> None:
    """Print the ratings; write the card, and the curve if Matplotlib is installed."""
    from macaz.cli.train.show import print_ratings
    from macaz.errors import MissingExtra
    from macaz.lab.train.card import card, latest
    from macaz.lab.train.folder import CARD, CURVE, NETWORK
    from macaz.lab.train.journal import read_log
    from macaz.lab.train.plots import draw
    from macaz.lab.train.ratings import read_ratings

    if not read_log(folder):
        return
    if found := latest(read_ratings(folder)):
        print_ratings(found)
    (folder / CARD).write_text(card(folder), encoding="utf-8", newline="\n")
    written = [folder / CARD]
    try:
        draw(folder, folder / CURVE)
        written.append(folder / CURVE)
    except MissingExtra:
        pass  # optional here; `macaz train plot` says what to install
    if (folder / NETWORK).exists():
        written.insert(0, folder / NETWORK)
    click.echo(f"Wrote {', '.join(map(str, written))}", err=True)


@train.command()
@click.argument("folder", type=FOLDER)
@click.option(
    "--bots",
    type=BOTS,
    metavar="BOTS",
    help="Opponents, separated by commas; by default greedy,racer,planner.",
)
@click.option(
    "--players",
    "-p",
    type=int,
    metavar="NUMBER",
    help="Players at the table; by default the fewest it was trained for.",
)
@click.option(
    "--games",
    "-n",
    type=COUNT,
    default=str(RATED_GAMES),
    show_default=True,
    metavar="NUMBER",
    help="Games against each opponent.",
)
@click.option(
    "--workers",
    type=click.IntRange(min=1),
    metavar="NUMBER",
    help="Games at the same time; by default one per core.",
)
def rate(
    folder: Path,
    bots: tuple[str, ...] | None,
    players: int | None,
    games: int,
    workers: int | None,
) -> None:
    """Rate the network of a folder against other bots, and add the ratings to the folder.

    Each match is between two bots, which share the seats of larger tables: equal strength gives a
    half. The deals are always the same, also in the ratings during training.
    """
    from rich.text import Text

    from macaz.cli.text import stderr
    from macaz.cli.train.show import print_ratings
    from macaz.lab.train.folder import NETWORK, RATINGS, read_settings
    from macaz.lab.train.journal import log_of_network
    from macaz.lab.train.lines import add_line
    from macaz.lab.train.ratings import LADDER, Mark, Match, rate_network
    from macaz.workers import core_count

    settings = read_settings(folder)
    if not (folder / NETWORK).exists():
        raise click.ClickException(f"{folder} has no {NETWORK} yet: let it train a little longer.")
    log = log_of_network(folder)
    match = Match(
        bot=f"learned:{folder / NETWORK}",
        edition=settings.edition,
        players=players or min(settings.seats),
        games=games,
        opponents=bots or LADDER,
        workers=workers or core_count(),
    )
    found = []
    with stderr().status(Text("Playing")) as status:
        for rating in rate_network(match, Mark.of(log[-1]) if log else Mark()):
            add_line(folder / RATINGS, rating)
            found.append(rating)
            status.update(Text(f"Playing; {100 * rating.share:.0f} % against {rating.opponent}"))
    print_ratings(found)


@train.command()
@click.argument("folder", type=FOLDER)
@click.option(
    "--out",
    type=click.Path(dir_okay=False, path_type=Path),
    metavar="FILE",
    help="Write the figure to this .svg, .png or .pdf file; by default curve.svg in the folder.",
)
def plot(folder: Path, out: Path | None) -> None:
    """Draw the learning curves and the time spent of a training."""
    from macaz.lab.figures import check_picture
    from macaz.lab.train.folder import CURVE
    from macaz.lab.train.plots import draw

    path = out or folder / CURVE
    try:
        check_picture(path)
    except ValueError as error:
        raise click.BadParameter(str(error)) from None
    draw(folder, path)
    click.echo(f"Wrote {path}", err=True)


@train.command()
@click.argument("folder", type=FOLDER)
def card(folder: Path) -> None:
    """Print the card of a folder's network: how it was trained, and its ratings."""
    from macaz.lab.train.card import card as card_of

    click.echo(card_of(folder), nl=False)
