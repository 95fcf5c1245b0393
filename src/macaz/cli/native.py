"""Compiles native code with a progress bar."""

from __future__ import annotations

import time
from collections.abc import Callable, Iterable, Iterator, Mapping
from contextlib import contextmanager
from typing import TYPE_CHECKING

if TYPE_CHECKING:
    from rich.console import Console

    from macaz.kernel.compile import Program
    from macaz.kernel.native_code import Part


def compile_parts(wanted: Iterable[Part]) -> int:
    """Compile the parts that are not ready; returns how many there were.

    It shows a progress bar, or a line for each part if standard error is not a terminal. Ctrl-C and
    TERM end it at once; compiled parts are kept.
    """
    from macaz.cli.text import stderr
    from macaz.kernel.native_code import Compiler

    missing = [part for part in wanted if not part.ready]
    if not missing:
        return 0
    with Compiler(missing) as compiler, _progress(stderr(), missing) as show:
        for event in compiler.events():
            show(event.part, event.done)
    return len(missing)


def compile_if_possible(wanted: Mapping[Program, tuple[str, ...]]) -> None:
    """Compile the entries that a command needs, if native code can be used; () means all."""
    from importlib.util import find_spec

    from macaz.kernel.compile import bulk_target
    from macaz.kernel.native_code import parts

    if bulk_target() == "cpu" and find_spec("numba"):
        compile_parts(part for program, names in wanted.items() for part in parts(program, *names))


@contextmanager
def _progress(console: Console, wanted: list[Part]) -> Iterator[Callable[[Part, bool], None]]:
    from rich.progress import BarColumn, Progress, TextColumn

    from macaz.cli.bars import Timed

    sizes = {part: part.size for part in wanted}
    with Progress(
        TextColumn("{task.description}"),
        BarColumn(),
        Timed(),
        console=console,
        transient=True,
        disable=not console.is_terminal,
    ) as bar:
        task = bar.add_task("Compiling", total=sum(sizes.values()))
        began = time.monotonic()

        def show(part: Part, done: bool) -> None:
            number = wanted.index(part) + 1
            text = f"{part.name} ({number} of {len(wanted)})"
            bar.update(task, description=f"Compiling {text}", advance=sizes[part] if done else 0)
            if done and not console.is_terminal:
                seconds = time.monotonic() - began
                console.print(f"Compiled {text}, {seconds:.0f} s", markup=False)

        yield show
