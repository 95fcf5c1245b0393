"""The documentation is correct: its code runs, and it covers everything that the program has."""

from __future__ import annotations

import ast
import importlib
import io
import pkgutil
import re
import runpy
import shlex
import subprocess
from pathlib import Path
from typing import Any, get_args

import click
import pytest

import macaz
from macaz import Game
from macaz.cli import main
from macaz.edition.rules import KNOBS
from macaz.game.events import HIDDEN, KINDS
from macaz.game.moves import Choose, Move
from macaz.kernel.layout import PHASE_NAMES, RECORDS

ROOT = Path(__file__).parent.parent
DOCS = ROOT / "docs"
BLOCK = re.compile(r"^```python[^\n]*\n(.*?)^```", re.MULTILINE | re.DOTALL)
ROW = re.compile(r"^\| `(\w+)\([^`]*\)` \| `([^`]+)` \| (?:any|`([^`]+)`) \|", re.MULTILINE)


def read(name: str) -> str:
    return (ROOT / name).read_text(encoding="utf-8")


EXCERPT = re.compile(r"`macaz terminal (.*?)`:\n\n```text\n(.*?)```", re.DOTALL)


@pytest.mark.parametrize("name", ["README.md", "docs/library.md", "docs/start/researchers.md"])
def test_the_code_runs(name, tmp_path, monkeypatch):
    monkeypatch.chdir(tmp_path)
    text = read(name)
    space: dict[str, Any] = {"__name__": "page"}
    blocks = list(BLOCK.finditer(text))
    assert blocks
    for block in blocks:
        # As many empty lines before it as the page has: an error then names the page's line.
        above = "\n" * text.count("\n", 0, block.start(1))
        exec(compile(above + block[1], name, "exec"), space)


def test_the_page_on_playing_shows_a_real_game(tmp_path):
    from tests.cli.test_terminal import (
        Terminal,  # here, since the module is skipped where there are no terminals
    )

    [(arguments, shown)] = EXCERPT.findall(read("docs/playing.md"))
    terminal = Terminal(*arguments.split(), cwd=tmp_path)
    terminal.wait()
    for line in ("1 3", "take red", "take red"):
        terminal.type(line)
    terminal.type("quit")
    real = [line.rstrip() for line in terminal.text.splitlines()]
    start = real.index(shown.splitlines()[1]) - 1
    found = real[start : start + shown.count("\n")]
    found[-1] = found[-1].partition(": ")[0]  # the typed input
    assert "\n".join(found) == shown.rstrip(": \n"), "play it again, and copy the output"


@pytest.mark.parametrize(
    "name",
    ["README.md", "README.ro.md", "CONTRIBUTING.md", "bench/README.md", "examples/README.md"],
)
def test_links_lead_somewhere(name):
    for target in re.findall(r"\]\((?!https?:)([^)\s#]+)", read(name)):
        assert (ROOT / name).parent.joinpath(target).exists(), target


# -- the README, in English and in Romanian --------------------------------------------------------

README, README_RO = "README.md", "README.ro.md"
FIGURES = re.compile(r"^- \*\*([\d.,]+)[^*]*\*\*\s\(([\d.,]+)–([\d.,]+)\)", re.MULTILINE)


def without_comments(name: str) -> list[tuple[str, str]]:
    """The blocks of code of a page, each with its language; comments are in the page's language."""
    found = []
    for language, code in re.findall(r"^```(\w+)\n(.*?)^```", read(name), re.MULTILINE | re.DOTALL):
        if language == "python":
            found.append((language, ast.dump(ast.parse(code))))
        else:
            found += [(language, line.partition(" # ")[0].rstrip()) for line in code.splitlines()]
    return found


def test_both_readmes_show_the_same():
    def shape(name: str) -> list[str]:
        return re.findall(r"^(#+ |- \*\*|\| )", FENCE.sub("", read(name)), re.MULTILINE)

    def inline(name: str) -> list[str]:
        return sorted(re.findall(r"`[^`]+`", FENCE.sub("", read(name))))

    def links(name: str) -> list[str]:
        return re.findall(r"\]\(([^)\s]+)", read(name))

    assert without_comments(README) == without_comments(README_RO)
    assert shape(README) == shape(README_RO)
    assert inline(README) == inline(README_RO)
    # The first link of each leads to the other.
    assert [README, *links(README)[1:]] == links(README_RO)
    assert links(README)[0] == README_RO


def test_the_figures_of_the_readmes_stand_on_the_pages_they_name():
    items = re.findall(r"^- \*\*\d.*?(?=^- |\n\n)", read(README), re.MULTILINE | re.DOTALL)
    assert len(items) == 3
    swapped = str.maketrans(".,", ",.")  # Romanian writes 26.800 and 16,3
    translated = [tuple(n.translate(swapped) for n in f) for f in FIGURES.findall(read(README_RO))]
    assert FIGURES.findall(read(README)) == translated
    for item in items:
        [(median, least, most)] = FIGURES.findall(item)
        [(page, anchor)] = re.findall(r"\]\((docs/[\w/-]+\.md)#([\w-]+)\)", item)
        sections = re.split(r"^#+ ", read(page), flags=re.MULTILINE)
        [there] = [s for s in sections if slug(s.partition("\n")[0]) == anchor]
        assert re.search(rf"\b{median}(?: %)? \({least}–{most}\)", there), f"{page}#{anchor}"


def slug(heading: str) -> str:
    """The anchor of a heading."""
    return re.sub(r"[^\w-]", "", heading.lower().replace(" ", "-"))


@pytest.mark.parametrize("name", ["layout", "commands", "settings"])
def test_a_written_page_is_up_to_date(name):
    tool = f"tools/make_{name}_page.py"
    page = runpy.run_path(str(ROOT / tool))["page"]()
    assert read(f"docs/{name}.md") == page, f"stale; run: .venv/bin/python {tool}"


def test_the_decoders_of_records_are_up_to_date():
    tool = "tools/make_record_decoders.py"
    made = runpy.run_path(str(ROOT / tool))
    for path, make in made["WRITTEN"].items():
        assert path.read_text(encoding="utf-8") == make(), f"stale; run: .venv/bin/python {tool}"


def commands(command: click.Command, ctx: click.Context) -> list[tuple[str, click.Command]]:
    found = [(ctx.command_path, command)]
    if isinstance(command, click.Group):
        for name in command.list_commands(ctx):
            child = command.get_command(ctx, name)
            assert child
            found += commands(child, click.Context(child, ctx, name))
    return found


def test_every_command_and_flag_has_its_line():
    sections = re.split(r"^#+ ", read("docs/commands.md"), flags=re.MULTILINE)
    by_name = {text.partition("\n")[0]: text for text in sections}
    for path, command in commands(main, click.Context(main, info_name="macaz"))[1:]:
        for param in command.params:
            for flag in param.opts if isinstance(param, click.Option) else ():
                assert re.search(rf"`[^`]*{flag}\b", by_name[path]), f"{path} {flag}"
    assert "--version" in read("docs/commands.md")


PAGES = [
    "README.md",
    "README.ro.md",
    "CONTRIBUTING.md",
    "examples/README.md",
    "bench/README.md",
    *sorted(path.relative_to(ROOT).as_posix() for path in DOCS.rglob("*.md")),
]
CONSOLE = re.compile(r"^ *```console\n(.*?)^ *```", re.MULTILINE | re.DOTALL)
FENCE = re.compile(r"^ *```.*?^ *```", re.MULTILINE | re.DOTALL)
INLINE = re.compile(r"`(macaz [^`]+)`")
HEADING = re.compile(r"macaz (\w+ )?\d+")  # the first line of a format, not a command
PLACE = re.compile(r"`((?:tools|examples|bench|src|requirements)/[\w/.-]*\w)")
MODULE = re.compile(r"\bmacaz\.(?:edition|kernel|game|bots|help|draw|server|lab|cli)\b[\w.]*\b")


def written_commands(name: str) -> list[str]:
    """The `macaz` commands of a page: those of its console blocks, and those inside sentences."""
    text = read(name)
    lines = "".join(CONSOLE.findall(text)).replace("\\\n", " ").splitlines()
    shown = [
        found[1] for line in lines if (found := re.match(r" *\$ (?:\w+=\S+ )?(macaz .*)", line))
    ]
    inline = [" ".join(found.split()) for found in INLINE.findall(FENCE.sub("", text))]
    return shown + [found for found in inline if not HEADING.fullmatch(found)]


def options_of(command: click.Command, ctx: click.Context) -> set[str]:
    params = list(command.params)
    if isinstance(command, click.Group) and command is not main:  # `macaz position FILE` is one
        children = [command.get_command(ctx, name) for name in command.list_commands(ctx)]
        hidden = getattr(command, "commands", {}).values()
        params += [param for child in (*children, *hidden) if child for param in child.params]
    return {flag for param in params for flag in (*param.opts, *param.secondary_opts)}


@pytest.mark.parametrize("name", PAGES)
def test_the_commands_exist_with_their_options(name):
    for call in written_commands(name):
        command: click.Command = main
        ctx = click.Context(main, info_name="macaz")
        words = shlex.split(call, comments=True)[1:]
        flags = {word for word in words if re.match(r"--?[a-z]", word)}
        while isinstance(command, click.Group) and words:
            child = command.get_command(ctx, words.pop(0))
            if child is None:
                break
            command, ctx = child, click.Context(child, ctx)
        assert command is not main or flags, f"no such command: {call}"
        unknown = flags - options_of(command, ctx) - {"--help"}
        assert not unknown, f"{call}: {unknown}"


@pytest.mark.parametrize("name", PAGES)
def test_the_files_and_modules_exist(name):
    text = read(name)
    for place in PLACE.findall(text):
        assert (ROOT / place).exists() or "page_files" in place, place  # it is built
    for dotted in MODULE.findall(text):
        there: Any = macaz
        for part in dotted.split(".")[1:]:
            if not hasattr(there, part):
                there = importlib.import_module(f"{there.__name__}.{part}")
            else:
                there = getattr(there, part)


def test_every_field_has_its_row():
    text = read("docs/layout.md")
    for record, fields in RECORDS.items():
        assert f"## {record}\n" in text
        for field in fields:
            assert f"| `{field.name}` |" in text, f"{record}.{field.name}"
            assert field.doc in text


@pytest.mark.parametrize("knob", KNOBS)
def test_every_knob_has_its_heading(knob):
    assert f"\n### {knob}\n" in read("docs/editions.md")


def test_every_phase_is_in_the_kernel_page():
    text = read("docs/kernel.md")
    assert [name for name in PHASE_NAMES if f"| `{name}` |" not in text] == []


def test_every_file_of_the_kernel_is_in_its_page():
    files = {path.name for path in (ROOT / "src/macaz/kernel").glob("*.py")} - {"__init__.py"}
    named = set(re.findall(r"`(\w+\.py)`", read("docs/kernel.md")))
    assert files - named == set()


def test_every_event_is_in_the_library_page():
    [table] = re.findall(r"\| kind \| tells \|.*?\n\n", read("docs/library.md"), re.DOTALL)
    rows = [line.split("|")[1:4] for line in table.splitlines()[2:] if line]
    told = {name: hidden.strip() for names, _, hidden in rows for name in re.findall(r"\w+", names)}
    assert set(told) == {kind.__name__ for kind in KINDS}
    assert {n for n, hidden in told.items() if hidden} == {k.__name__ for k in KINDS if HIDDEN[k]}


def test_every_move_is_in_the_library_page():
    rows = ROW.findall(read("docs/library.md"))
    assert {name for name, _, _ in rows} == {kind.__name__ for kind in get_args(Move)}
    assert len(rows) == len(get_args(Move))
    for name, text, edition in rows:
        notation = Game(edition or "europe", 2, seed=1, target="plain").notation
        move = notation.parse(text, 0 if name == Choose.__name__ else -1)
        assert type(move).__name__ == name
        if "," not in text:  # several tickets come out in the board's order
            assert notation.text(move) == text


def test_every_error_is_in_the_library_page():
    text = read("docs/library.md")
    for info in pkgutil.walk_packages(macaz.__path__, "macaz."):
        if info.name.startswith(("macaz.cli", "macaz.lab.bench", "macaz.server", "macaz.__main__")):
            continue  # they raise nothing to their users
        for name, value in vars(importlib.import_module(info.name)).items():
            error = isinstance(value, type) and issubclass(value, Exception)
            if error and value.__module__ == info.name and not name.startswith("_"):
                [home] = re.findall(rf"\| [^|]*`{name}`[^|]* \| `(macaz[\w.]*)` \|", text)
                assert getattr(importlib.import_module(home), name) is value


# -- what must not be in the repository ------------------------------------------------------------

# Written in two parts, so that this file does not contain them.
FOREIGN = re.compile(
    "|".join(
        a + b
        for a, b in [
            (r"/wo", r"rk/"),
            (r"/ro", r"ot/"),
            (r"\bsha", r"red/"),
            (r"(?<!\.)/home", r"/\w"),  # "../home/" is a folder of the project
            (r"pypi", r"\.org"),
            (r"python", r"hosted\.org"),
            (r"registry", r"\.\w+\.\w+"),
            (r"^--(?:extra-)?index", r"-url"),
            (r"https?://(?!127\.)\d+\.\d+\.\d+", r"\.\d+"),  # our own server uses 127.0.0.1
        ]
    ),
    re.IGNORECASE,
)


def tracked() -> list[Path]:
    try:
        done = subprocess.run(
            ["git", "ls-files", "-z"], cwd=ROOT, capture_output=True, text=True, check=True
        )
    except (OSError, subprocess.CalledProcessError):
        pytest.skip("not a checkout of git")
    return [ROOT / name for name in done.stdout.split("\0") if name]


def test_no_file_speaks_of_the_place_it_was_written_in():
    found = []
    for path in tracked():
        if not path.is_file():
            continue
        data = path.read_bytes()
        if b"\0" in data:
            continue
        for number, line in enumerate(io.StringIO(data.decode(errors="replace")), 1):
            if word := FOREIGN.search(line):
                found.append(f"{path.relative_to(ROOT)}:{number}: {word[0]}")
    assert found == []
