"""Write docs/commands.md from the help texts of the commands."""

import re
from collections.abc import Iterator
from pathlib import Path

import click

from macaz.cli import main

PAGE = Path(__file__).resolve().parent.parent / "docs" / "commands.md"
HEAD = """\
# Commands

<!-- Written by tools/make_commands_page.py from the commands' help. Do not edit. -->

Everything that `macaz` can do, in the words of its own help. Every command has `-h` or `--help`;
`macaz --version` says the version. In a checkout the command is `.venv/bin/macaz`.

Results go to the standard output, progress and remarks to the standard error. The exit status is 0
if all is well, 1 for a check that found something wrong, 2 for a mistake in what was typed or in a
file, and 130 after Ctrl-C; only for `play` and `serve` that is the usual way to stop, and 0.
"""


def option(param: click.Option, ctx: click.Context) -> str:
    """A row of the table of options; defaults and limits in round brackets."""
    names, text = param.get_help_record(ctx) or ("", "")
    text = re.sub(r"\s*\[([^\]]+)\]", r" (\1)", text).replace("(x>=", "(at least ")
    text = text.replace("|", "\\|")
    return f"| `{names}` | {text} |"


def sections(command: click.Command, ctx: click.Context) -> Iterator[str]:
    """The command, and all below it."""
    yield f"{'##' if ctx.parent and not ctx.parent.parent else '###'} {ctx.command_path}"
    usage = " ".join([ctx.command_path, *command.collect_usage_pieces(ctx)])
    yield f"```text\n{usage}\n```"
    for paragraph in (command.help or "").split("\n\n"):
        yield " ".join(paragraph.split())
    # Without the help option, which all have.
    rows = [option(p, ctx) for p in command.params if isinstance(p, click.Option)]
    if rows:
        yield "\n".join(["| option | meaning |", "|---|---|", *rows])
    yield from below(command, ctx)


def below(command: click.Command, ctx: click.Context) -> Iterator[str]:
    """The commands of a group."""
    if isinstance(command, click.Group):
        for name in command.list_commands(ctx):
            child = command.get_command(ctx, name)
            assert child is not None
            settings = {"help_option_names": ctx.help_option_names}
            yield from sections(child, click.Context(child, ctx, name, **settings))


def page() -> str:
    """The whole page."""
    top = click.Context(main, info_name="macaz", help_option_names=["-h", "--help"])
    return "\n\n".join([HEAD.strip(), *below(main, top)]) + "\n"


if __name__ == "__main__":
    PAGE.write_text(page(), encoding="utf-8")
    print(f"Wrote {PAGE}")
