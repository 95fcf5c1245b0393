"""`macaz bot`: write a bot, list bots, run one as a program, check one."""

from __future__ import annotations

import keyword
import re
import shlex
import sys
from pathlib import Path

import click


@click.group()
def bot() -> None:
    """Write a bot, list bots, run one as a program, check one."""


@bot.command("new", short_help="Write a bot of your own, to begin with.")
@click.argument("name")
def new_command(name: str) -> None:
    """Write NAME.py, a short bot of your own that plays and can be changed.

    NAME is in words with _ between them: macaz bot new my_bot writes my_bot.py with the class
    MyBot. An existing file is never replaced.
    """
    from macaz.cli import starter
    from macaz.cli.options import program

    path = Path(name if name.endswith(".py") else f"{name}.py")
    words = re.split("[_-]", path.stem)
    cls = "".join(word[:1].upper() + word[1:] for word in words)
    if not (cls.isidentifier() and cls.isascii()) or not all(words):
        raise click.BadParameter(
            f"{path.stem!r} does not make the name of a class. Use letters and digits, with _ "
            "between words: my_bot.",
            param_hint="NAME",
        )
    if keyword.iskeyword(cls) or (hasattr(starter, cls) and cls != "MyBot"):
        raise click.BadParameter(
            f"the class would be {cls}, which means something else in the file. Choose another "
            f"name, such as {path.stem}_bot.",
            param_hint="NAME",
        )
    if path.stem in (*sys.stdlib_module_names, "macaz"):
        raise click.BadParameter(
            f"{path.name} would hide the module {path.stem} from programs in its folder. Choose "
            f"another name, such as {path.stem}_bot.",
            param_hint="NAME",
        )
    text = Path(starter.__file__).read_text(encoding="utf-8")
    text = text.replace("MyBot", cls).replace("my_bot.py", path.name)
    try:
        with path.open("x", encoding="utf-8", newline="\n") as file:
            file.write(text)
    except FileExistsError:
        raise click.ClickException(
            f"{path} is there already. Choose another name, or move the file away."
        ) from None
    own = shlex.quote(f"{path}:{cls}")
    click.echo(f"Wrote {path}, with the class {cls}. Try it, change it, and try again:")
    for arguments in (
        f"bot check {own}",
        f"arena --bots {own},greedy --games 100",
        f"terminal --bots {own}",
    ):
        click.echo(f"  {program()} {arguments}")


@bot.command("list")
def list_command() -> None:
    """List the bots that come with Macaz, and those of installed packages."""
    from rich.text import Text

    from macaz.bots import BOTS
    from macaz.bots.own import installed_bots
    from macaz.cli.text import new_table, stdout

    table = new_table()
    table.add_column("bot", style="bold cyan", no_wrap=True)
    table.add_column("thinks", no_wrap=True)
    table.add_column("character")
    for name, kind in BOTS.items():
        table.add_row(name, str(kind.limit) if kind.limit else "", kind.character)
    for plugin in installed_bots():
        whose = f"Of the package {plugin.package} ({plugin.entry.value})."
        table.add_row(Text(plugin.name), "", Text(plugin.problem or whose))
    stdout().print(table)


@bot.command("run", short_help="Run a bot as a program that speaks the bot protocol.")
@click.argument("name", metavar="BOT")
def run_command(name: str) -> None:
    """Run a bot as a program that speaks the bot protocol on standard input and output.

    BOT is a name, such as greedy, or a class of your own, such as my_bot.py:MyBot. It may have a
    limit, as in search:0.1s; the limit of a request overrides it.
    """
    from macaz.bots.protocol.runner import run_bot

    run_bot(name)


@bot.command("check", short_help="Check that a bot of your own keeps to the bot protocol.")
@click.argument("tested", metavar="BOT")
@click.option(
    "--limit",
    default="0.1s",
    show_default=True,
    metavar="LIMIT",
    help="Limit for a decision: seconds, as in 0.1s, or an effort, as in 400.",
)
def check_command(tested: str, limit: str) -> None:
    """Check a class, as in my_bot.py:MyBot, or a program, as in 'python3 mybot.py'.

    A class is checked as the program that macaz bot run makes of it. It gets newgame for every
    map; it must make every kind of decision, and play whole games, on one map of each kind of
    rules. The exit status is 1 if it breaks the protocol.
    """
    from macaz.bots import read_limit
    from macaz.bots.protocol.check import Checker
    from macaz.cli.text import stderr, stdout

    shown, watching = stdout(), stderr()
    marks = {"passed": "[green]✓[/]", "doubtful": "[yellow]![/]", "failed": "[red]✗[/]"}
    states = []
    with watching.status("") as status:
        checker = Checker(program_of(tested), read_limit(limit), status.update)
        for result in checker.results():
            shown.print(f"{marks[result.state]} {result.title}", end="")
            shown.print(f": {result.detail}" if result.detail else "", markup=False, soft_wrap=True)
            states.append(result.state)
    if "failed" in states:
        shown.print(f"[red]It breaks the protocol[/]: {_points(states.count('failed'))}.")
        sys.exit(1)
    doubts = states.count("doubtful")
    shown.print(
        "It keeps to the protocol" + (f", with {_points(doubts)} to look at." if doubts else ".")
    )


def program_of(tested: str) -> list[str]:
    """The command that starts a bot; `UnknownBot` if it cannot be started."""
    from macaz.bots import COMMAND, UnknownBot, bot_or_command, bot_problem
    from macaz.bots.external import read_command
    from macaz.workers import command_of

    text = bot_or_command(tested)
    if text.startswith(f"{COMMAND}:"):
        return read_command(text.removeprefix(f"{COMMAND}:"))[1]
    if problem := bot_problem(text):
        raise UnknownBot(problem)
    return list(command_of("macaz", "bot", "run", text))


def _points(count: int) -> str:
    from macaz.cli.text import plural

    return plural(count, "point")
