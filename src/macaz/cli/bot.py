"""`macaz bot`: list bots, run one as a program, check a program against the bot protocol."""

from __future__ import annotations

import sys

import click


@click.group()
def bot() -> None:
    """List bots, run one as a program, check a program against the bot protocol."""


@bot.command("list")
def list_command() -> None:
    """List the bots that come with Macaz."""
    from macaz.bots import BOTS
    from macaz.cli.text import new_table, stdout

    table = new_table()
    table.add_column("bot", style="bold cyan", no_wrap=True)
    table.add_column("thinks", no_wrap=True)
    table.add_column("character")
    for name, kind in BOTS.items():
        table.add_row(name, str(kind.limit) if kind.limit else "", kind.character)
    stdout().print(table)


@bot.command("run", short_help="Run a bot as a program that speaks the bot protocol.")
@click.argument("name")
def run_command(name: str) -> None:
    """Run the bot NAME as a program that speaks the bot protocol on standard input and output.

    NAME may have a limit, as in search:0.1s; the limit of a request overrides it.
    """
    import os

    from macaz.bots.protocol.runner import run_bot

    # Other output of the process must not mix with the responses.
    responses = os.fdopen(os.dup(1), "wb")
    os.dup2(2, 1)
    with responses:
        run_bot(name, sys.stdin.buffer, responses)


@bot.command("check", short_help="Check that a program keeps to the bot protocol.")
@click.argument("command", metavar="CMD")
@click.option(
    "--limit",
    default="0.1s",
    show_default=True,
    metavar="LIMIT",
    help="Limit for a decision: seconds, as in 0.1s, or an effort, as in 400.",
)
def check_command(command: str, limit: str) -> None:
    """Check that the program CMD keeps to the bot protocol: macaz bot check 'python3 mybot.py'.

    It must make every kind of decision on every map, and play whole games. The exit status is 1 if
    it breaks the protocol.
    """
    from macaz.bots import read_limit
    from macaz.bots.external import read_command
    from macaz.bots.protocol.check import Checker
    from macaz.cli.text import stderr, stdout

    shown, watching = stdout(), stderr()
    marks = {"passed": "[green]✓[/]", "doubtful": "[yellow]![/]", "failed": "[red]✗[/]"}
    states = []
    with watching.status("") as status:
        checker = Checker(read_command(command)[1], read_limit(limit), status.update)
        for point in checker.points():
            shown.print(f"{marks[point.state]} {point.title}", end="")
            shown.print(f": {point.detail}" if point.detail else "", markup=False, soft_wrap=True)
            states.append(point.state)
    if "failed" in states:
        shown.print(f"[red]It breaks the protocol[/]: {_points(states.count('failed'))}.")
        sys.exit(1)
    doubts = states.count("doubtful")
    shown.print(
        "It keeps to the protocol" + (f", with {_points(doubts)} to look at." if doubts else ".")
    )


def _points(count: int) -> str:
    from macaz.cli.text import plural

    return plural(count, "point")
