"""What is compiled together: each module has its own names."""

from __future__ import annotations

from importlib import import_module
from pathlib import Path

import pytest

from macaz.cli.warm import PROGRAMS
from macaz.kernel.compile import Program, bind, compiled, entries, full_name

NEAR = """
SIZE = 3


def grow(x):
    return x + SIZE
"""
FAR = """
from {name}_near import grow as near_grow

SIZE = 40


def grow(x):
    return near_grow(x) + SIZE
"""
ENTRY = """
from {name}_far import grow
from {name} import near


def grow_both(x):
    return grow(x) * 1000 + near.grow(x)
"""


def make_program(folder: Path, name: str, entry: str = ENTRY) -> Program:
    """A program of a package in a folder, whose modules have functions of the same name."""
    place = folder / name
    place.mkdir()
    for module, text in {"__init__": "", "near": NEAR, "far": FAR, "entry": entry}.items():
        (place / f"{module}.py").write_text(text.replace("{name}_", f"{name}.").format(name=name))
    names = tuple(f"{name}.{module}" for module in ("near", "far", "entry"))
    return Program("numbers", names[-1:], names)


def test_two_modules_may_have_functions_and_constants_of_one_name(tmp_path, monkeypatch) -> None:
    monkeypatch.syspath_prepend(tmp_path)
    program = make_program(tmp_path, "namesakes")
    run = compiled(program, "plain")
    assert run.grow_both(1) == 44_004
    assert not hasattr(run, "grow")  # ambiguous between the two


def test_a_replacement_is_of_one_module(tmp_path, monkeypatch) -> None:
    monkeypatch.syspath_prepend(tmp_path)
    program = make_program(tmp_path, "replaced")
    run = bind(program, lambda function: function, {"replaced.near.grow": lambda x: 100})
    assert run.grow_both(1) == 140_100
    named = bind(program, full_name, {})
    assert (named.grow_both, named.step) == ("replaced.entry.grow_both", "macaz.kernel.step.step")


def test_two_entries_of_one_name_are_refused(tmp_path, monkeypatch) -> None:
    monkeypatch.syspath_prepend(tmp_path)
    program = make_program(tmp_path, "doubled")
    both = Program("numbers", ("doubled.near", "doubled.far"), program.modules)
    with pytest.raises(TypeError, match="two entries are called grow"):
        compiled(both, "plain")


def test_no_entry_calls_an_entry() -> None:
    """Each is compiled separately, with what it calls: Numba fails to link an entry into
    another one that is compiled after it."""
    for place in PROGRAMS.values():
        module, _, name = place.partition(":")
        own = entries(getattr(import_module(module), name))
        for function in own.values():
            called = {id(function.__globals__.get(used)) for used in function.__code__.co_names}
            others = [n for n, found in own.items() if id(found) in called and found != function]
            assert not others, f"{function.__name__} calls {others}"
