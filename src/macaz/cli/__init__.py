"""The command line: `macaz COMMAND`.

Each command lives in a module of its own, imported only when it is called: `macaz --help` needs
neither NumPy nor Numba. A new command is one line in `COMMANDS`.
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
    "serve": ("macaz.cli.serve:serve", "Serve tables to people elsewhere."),
    "backup": ("macaz.cli.backup:backup", "Copy a server's database while it runs."),
    "restore": ("macaz.cli.backup:restore", "Put a copy of a database in place."),
    "prune": ("macaz.cli.prune:prune", "Delete what a server need not keep any more."),
    "edition": ("macaz.cli.edition:edition", "List, show and check editions."),
    "bot": ("macaz.cli.bot:bot", "List bots, run one as a program, check one."),
    "arena": ("macaz.cli.arena:arena", "Let bots play against each other, and rate them."),
    "simulate": ("macaz.cli.simulate:simulate", "Play many random games and sum them up."),
    "dataset": ("macaz.cli.dataset:dataset", "Write games of bots as Parquet files for learners."),
    "train": ("macaz.cli.train:train", "Train a network that plays, by games against itself."),
    "replay": ("macaz.cli.replay:replay", "Go through a recorded game, turn by turn."),
    "review": ("macaz.cli.review:review", "Find the moves of a recorded game that cost most."),
    "verify": ("macaz.cli.verify:verify", "Check that a recorded game was dealt fairly."),
    "position": ("macaz.cli.position:position", "Write a position as JSON, or check one."),
    "warm": ("macaz.cli.warm:warm", "Compile native code ahead, for games in bulk."),
    "bench": ("macaz.cli.bench:bench", "Measure Macaz, and other engines beside it."),
}

USAGE_ERROR = 2
INTERRUPTED = 130


class Macaz(click.Group):
    """The `macaz` command: finds its commands by name, and says errors in one sentence."""

    def list_commands(self, ctx: click.Context) -> list[str]:
        """The names of all commands, in the order of the table."""
        return list(COMMANDS)

    def get_command(self, ctx: click.Context, cmd_name: str) -> click.Command | None:
        """Import a command."""
        if cmd_name not in COMMANDS:
            return None
        module, _, name = COMMANDS[cmd_name][0].partition(":")
        command: click.Command = getattr(import_module(module), name)
        return command

    def resolve_command(
        self, ctx: click.Context, args: list[str]
    ) -> tuple[str | None, click.Command | None, list[str]]:
        """The command that is meant, or an error that names the closest."""
        name = args[0]
        if name not in COMMANDS and not name.startswith("-"):
            from macaz.edition.board import closest

            near = closest(name, COMMANDS)
            hint = f" Did you mean {near!r}?" if near else ""
            raise click.UsageError(f"There is no command {name!r}.{hint}", ctx)
        return super().resolve_command(ctx, args)

    def format_commands(self, ctx: click.Context, formatter: click.HelpFormatter) -> None:
        """The commands of the help, without importing them."""
        with formatter.section("Commands"):
            formatter.write_dl([(name, line) for name, (_, line) in COMMANDS.items()])

    def main(  # type: ignore[override]  # it always leaves, as click does with standalone_mode
        self,
        args: Sequence[str] | None = None,
        prog_name: str | None = None,
        **extra: Any,
    ) -> NoReturn:
        """Run a command and exit; every expected error becomes one sentence."""
        from macaz.cli.signals import hear_signals

        hear_signals()
        for stream in (sys.stdout, sys.stderr):
            if hasattr(stream, "reconfigure"):
                stream.reconfigure(errors="replace")  # a terminal without ä must not stop us
        try:
            status = super().main(args, prog_name or "macaz", **{**extra, "standalone_mode": False})
            # Now, not when Python goes down: a closed pipe is then still ours to handle.
            sys.stdout.flush()
        except BrokenPipeError:
            # `macaz … | head` has seen enough. What is still buffered has nowhere to go.
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
    """What to say about an error that is the user's to mend; None for a mistake of ours."""
    from macaz.errors import MacazError, MissingExtra

    if isinstance(error, MacazError | MissingExtra):
        return str(error)
    if isinstance(error, OSError):  # a full disk, a file in the way
        what = f"{error.filename}: " if error.filename else ""
        return f"{what}{error.strerror or error}"
    return None


def fail(text: str, status: int = USAGE_ERROR) -> NoReturn:
    """Say what is wrong and leave."""
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
    """Railway games of the Ticket to Ride family: their maps, their rules, games in bulk."""
