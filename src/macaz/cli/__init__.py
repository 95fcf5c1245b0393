"""The command line: `macaz COMMAND`.

Each command is a module that is imported only when it is called: `macaz --help` needs neither NumPy
nor Numba. A new command is one line in `COMMANDS`.
"""

from __future__ import annotations

import os
import sys
from collections.abc import Sequence
from importlib import import_module
from typing import Any, NoReturn

import click

from macaz import __version__

# name: (where it is, its line in `macaz --help`), in the order of the help.
COMMANDS: dict[str, tuple[str, str]] = {
    "play": ("macaz.cli.play:play", "Play in the browser, on this machine."),
    "terminal": ("macaz.cli.terminal:terminal", "Play a game in the terminal, against bots."),
    "serve": ("macaz.cli.serve:serve", "Serve tables over the network."),
    "site": ("macaz.cli.site:site", "Write a static site, to play without a server."),
    "backup": ("macaz.cli.backup:backup", "Copy a server's database while it runs."),
    "restore": ("macaz.cli.backup:restore", "Restore a server's database from a copy."),
    "prune": ("macaz.cli.prune:prune", "Delete old tables and guests from a server's database."),
    "edition": ("macaz.cli.edition:edition", "List, show and check editions."),
    "bot": ("macaz.cli.bot:bot", "Write a bot, list bots, run one, check one."),
    "arena": ("macaz.cli.arena:arena", "Play bots against each other, and rate them."),
    "simulate": ("macaz.cli.simulate:simulate", "Play many random games, and summarise them."),
    "dataset": ("macaz.cli.dataset:dataset", "Write games as Parquet files, for machine learning."),
    "train": ("macaz.cli.train:train", "Train a network by self-play."),
    "replay": ("macaz.cli.replay:replay", "Replay a recorded game, turn by turn."),
    "review": ("macaz.cli.review:review", "Find the moves of a recorded game that cost most."),
    "verify": ("macaz.cli.verify:verify", "Check that a recorded game was dealt fairly."),
    "position": ("macaz.cli.position:position", "Write a position as JSON, or check one."),
    "puzzles": ("macaz.cli.puzzles:puzzles", "Make puzzles from games of bots, or check them."),
    "warm": ("macaz.cli.warm:warm", "Compile native code ahead of time, for games in bulk."),
    "bench": ("macaz.cli.bench:bench", "Measure Macaz, and other engines for comparison."),
}

USAGE_ERROR = 2
INTERRUPTED = 130


class Macaz(click.Group):
    """The `macaz` command: imports its commands on demand, and reports errors in one sentence."""

    def list_commands(self, ctx: click.Context) -> list[str]:
        return list(COMMANDS)

    def get_command(self, ctx: click.Context, cmd_name: str) -> click.Command | None:
        if cmd_name not in COMMANDS:
            return None
        module, _, name = COMMANDS[cmd_name][0].partition(":")
        command: click.Command = getattr(import_module(module), name)
        return command

    def resolve_command(
        self, ctx: click.Context, args: list[str]
    ) -> tuple[str | None, click.Command | None, list[str]]:
        """Find the command; suggest the closest name if there is none."""
        name = args[0]
        if name not in COMMANDS and not name.startswith("-"):
            from macaz.edition.board import closest

            near = closest(name, COMMANDS)
            hint = f" Did you mean {near!r}?" if near else ""
            raise click.UsageError(f"There is no command {name!r}.{hint}", ctx)
        return super().resolve_command(ctx, args)

    def format_commands(self, ctx: click.Context, formatter: click.HelpFormatter) -> None:
        """Write the list of commands without importing them."""
        with formatter.section("Commands"):
            formatter.write_dl([(name, line) for name, (_, line) in COMMANDS.items()])

    def main(  # type: ignore[override]  # it always leaves, as click does with standalone_mode
        self,
        args: Sequence[str] | None = None,
        prog_name: str | None = None,
        **extra: Any,
    ) -> NoReturn:
        """Run a command and exit; every expected error becomes one sentence."""
        from macaz.cli.signals import restore_signals

        restore_signals()
        for stream in (sys.stdout, sys.stderr):
            if hasattr(stream, "reconfigure"):
                stream.reconfigure(errors="replace")  # a terminal may lack some characters
        try:
            status = super().main(args, prog_name or "macaz", **{**extra, "standalone_mode": False})
            # Before Python shuts down, so that a closed pipe is handled below.
            sys.stdout.flush()
        except BrokenPipeError:
            # As in `macaz … | head`. Discard what is still buffered.
            os.dup2(os.open(os.devnull, os.O_WRONLY), sys.stdout.fileno())
            sys.exit(0)
        except (click.Abort, KeyboardInterrupt):
            fail("stopped.", INTERRUPTED)
        except click.exceptions.NoArgsIsHelpError as error:
            click.echo(error.format_message())
            sys.exit(0)
        except click.UsageError as error:
            path = error.ctx.command_path if error.ctx else "macaz"
            fail(f"{_sentence(error.format_message())} See '{path} --help'.")
        except click.ClickException as error:
            fail(error.format_message())
        except Exception as error:
            text = expected(error)
            if text is None:
                raise
            fail(text)
        sys.exit(status if isinstance(status, int) else 0)


def expected(error: Exception) -> str | None:
    """The message for an error that the user can fix; None for a bug."""
    from macaz.errors import MacazError, MissingExtra

    if isinstance(error, MacazError | MissingExtra):
        return str(error)
    if isinstance(error, OSError):  # a full disk, a file in the way
        what = f"{error.filename}: " if error.filename else ""
        return f"{what}{error.strerror or error}"
    return None


def fail(text: str, status: int = USAGE_ERROR) -> NoReturn:
    """Print an error message and exit."""
    click.echo(f"macaz: {text}", err=True)
    sys.exit(status)


def _sentence(text: str) -> str:
    text = text.strip()
    if text[1:2].islower():
        text = text[:1].lower() + text[1:]
    return text if text.endswith((".", "?", "!")) else f"{text}."


def _show_version(ctx: click.Context, _: click.Parameter, wanted: bool) -> None:
    if wanted and not ctx.resilient_parsing:
        click.echo(f"macaz {__version__}")
        ctx.exit()


@click.group(cls=Macaz, context_settings={"help_option_names": ["-h", "--help"]})
@click.option(
    "--version",
    is_flag=True,
    expose_value=False,
    is_eager=True,
    callback=_show_version,
    help="Show the version and exit.",
)
def main() -> None:
    """Play, host, simulate and analyse games of the Ticket to Ride family."""
