"""Functions with identical results on every processor, and a plate made with them."""

from __future__ import annotations

import ast
import math
from collections.abc import Iterator
from decimal import Decimal, localcontext
from fractions import Fraction
from pathlib import Path

import numpy as np
import pytest

import macaz.draw
from macaz.draw import exact

RNG = np.random.default_rng(8)
OFF = 3  # units in the last place: two of our functions, one of the library compared with
MODULES = sorted(Path(macaz.draw.__file__).parent.glob("*.py"))


def units_off(found: np.ndarray, wanted: np.ndarray) -> float:
    """The largest error, in units of the last place."""
    return float((np.abs(found - wanted) / np.spacing(np.abs(wanted))).max())


# --- functions ------------------------------------------------------------------------------

SMALL = RNG.normal(0, 1e-5, 500)
SAMPLES = {
    "exp": np.concatenate([RNG.uniform(-30, 5, 2000), RNG.uniform(-708, 709, 2000), SMALL]),
    "log": np.concatenate([2 ** RNG.uniform(-80, 80, 2000), RNG.uniform(0.5, 2, 2000), 1 + SMALL]),
    "sin": np.concatenate([RNG.uniform(-7, 7, 2000), RNG.uniform(-1e4, 1e4, 2000), SMALL]),
    "cos": np.concatenate([RNG.uniform(-7, 7, 2000), RNG.uniform(-1e4, 1e4, 2000), SMALL]),
}


@pytest.mark.parametrize("name", SAMPLES)
def test_functions_are_right(name):
    samples = SAMPLES[name]
    wanted = np.array([getattr(math, name)(float(x)) for x in samples])
    found = getattr(exact, name)(samples)
    assert units_off(found, wanted) <= OFF
    assert [float(getattr(exact, name)(float(x))) for x in samples[:20]] == found[:20].tolist()


def test_exponentials_are_those_of_decimal_arithmetic():
    samples = RNG.uniform(-20, 20, 300)
    with localcontext() as context:
        context.prec = 40
        wanted = np.array([float(Decimal(float(x)).exp()) for x in samples])
    assert units_off(exact.exp(samples), wanted) <= 1


def test_angles_are_right():
    y, x = RNG.normal(0, 1, (2, 4000)) * 10 ** RNG.uniform(-4, 4, (2, 4000))
    wanted = np.array([math.atan2(*map(float, both)) for both in zip(y, x, strict=True)])
    assert units_off(exact.atan2(y, x), wanted) <= OFF
    assert exact.atan2([0, 0, 1, -1, 0], [1, -1, 0, 0, 0]).tolist() == [
        0.0, math.pi, math.pi / 2, -math.pi / 2, 0.0,
    ]  # fmt: skip
    assert exact.atan2(-0.0, -1) == math.pi  # the sign of zero is ignored


def test_the_ends_of_what_functions_take():
    assert exact.exp([-1e9, 1e9]).tolist() == exact.exp([-708, 709]).tolist()
    assert exact.exp(0) == 1
    assert exact.log([0, 1]).tolist() == [-math.inf, 0]
    assert exact.sin(0) == 0
    assert exact.cos(0) == 1


def test_powers_and_lengths():
    assert exact.power([1.0, 2.0, 3.0], 1.6) == pytest.approx([1, 3.0314331, 5.7995461])
    assert exact.length(3, 4) == 5
    assert exact.length([3.0, 5.0], [4.0, 12.0]).tolist() == [5, 13]


def test_values_in_between():
    at, values = np.array([0.0, 1.0, 1.0, 3.0]), np.array([0.0, 10.0, 20.0, 40.0])
    wanted = [-1.0, 0.0, 0.5, 2.0, 3.0, 4.0]
    assert exact.interpolate(wanted, at, values).tolist() == [0, 0, 5, 30, 40, 40]
    rows = np.stack([values, -values], axis=1)
    assert exact.interpolate(2.0, at, rows).tolist() == [30, -30]
    assert exact.interpolate(wanted, at, rows).shape == (6, 2)
    nowhere = np.zeros(3)
    assert exact.interpolate([0.0, 1.0], nowhere, np.full(3, 7.0)).tolist() == [7, 7]


def test_equations_are_solved():
    matrix, right = RNG.normal(0, 1, (12, 12)), RNG.normal(0, 1, (12, 2))
    matrix[0, 0] = 0  # needs another pivot
    found = exact.solve(matrix, right)
    for row, wanted in zip(matrix, right, strict=True):
        for column in (0, 1):
            products = (
                Fraction(a) * Fraction(b) for a, b in zip(row, found[:, column], strict=True)
            )
            assert float(sum(products)) == pytest.approx(wanted[column], abs=1e-13)


def test_small_matrices():
    two, three = RNG.normal(0, 1, (2, 2)), RNG.normal(0, 1, (3, 3))
    assert exact.determinant(two) == pytest.approx(np.linalg.det(two))
    assert exact.determinant(three) == pytest.approx(np.linalg.det(three))
    assert exact.product(two, exact.inverse(two)) == pytest.approx(np.eye(2))
    rows = RNG.normal(0, 1, (5, 3))
    assert exact.product(rows, three) == pytest.approx(rows @ three)
    assert exact.product(rows[0], three) == pytest.approx(rows[0] @ three)


def test_chance_is_normal_and_repeats():
    found = exact.normal(np.random.default_rng(5), (20_000,))
    assert found.mean() == pytest.approx(0, abs=0.03)
    assert found.std() == pytest.approx(1, abs=0.03)
    assert (np.abs(found) < 1).mean() == pytest.approx(0.6827, abs=0.01)
    assert (found == exact.normal(np.random.default_rng(5), (20_000,))).all()


def test_the_bits_are_known():
    """The same on every processor: these results were recorded on one of them."""
    x = np.linspace(-3, 3, 7)
    found = {
        "exp": exact.exp(x),
        "log": exact.log(x + 4),
        "sin": exact.sin(x),
        "cos": exact.cos(x),
        "atan2": exact.atan2(x, 2.5),
        "power": exact.power(x + 4, 1.6),
    }
    assert {name: [value.hex() for value in values.tolist()] for name, values in found.items()} == {
        "exp": [
            "0x1.97db0ccceb0afp-5",
            "0x1.152aaa3bf81cbp-3",
            "0x1.78b56362cef38p-2",
            "0x1.0000000000000p+0",
            "0x1.5bf0a8b145769p+1",
            "0x1.d8e64b8d4ddadp+2",
            "0x1.415e5bf6fb106p+4",
        ],
        "log": [
            "0x0.0p+0",
            "0x1.62e42fefa39efp-1",
            "0x1.193ea7aad030bp+0",
            "0x1.62e42fefa39efp+0",
            "0x1.9c041f7ed8d34p+0",
            "0x1.cab0bfa2a2002p+0",
            "0x1.f2272ae325a57p+0",
        ],
        "sin": [
            "-0x1.210386db6d55bp-3",
            "-0x1.d18f6ead1b446p-1",
            "-0x1.aed548f090ceep-1",
            "0x0.0p+0",
            "0x1.aed548f090ceep-1",
            "0x1.d18f6ead1b446p-1",
            "0x1.210386db6d55bp-3",
        ],
        "cos": [
            "-0x1.fae04be85e5d2p-1",
            "-0x1.aa22657537205p-2",
            "0x1.14a280fb5068cp-1",
            "0x1.0000000000000p+0",
            "0x1.14a280fb5068cp-1",
            "-0x1.aa22657537205p-2",
            "-0x1.fae04be85e5d2p-1",
        ],
        "atan2": [
            "-0x1.c08aae496efa5p-1",
            "-0x1.5977a5103ea92p-1",
            "-0x1.85a376b677dc0p-2",
            "0x0.0p+0",
            "0x1.85a376b677dc0p-2",
            "0x1.5977a5103ea92p-1",
            "0x1.c08aae496efa5p-1",
        ],
        "power": [
            "0x1.0000000000000p+0",
            "0x1.8406003b2ae5cp+1",
            "0x1.732bc38d25b1dp+2",
            "0x1.2611186bae674p+3",
            "0x1.a43e9430b7d1dp+3",
            "0x1.194b83df25dc5p+4",
            "0x1.67fa8e6352d92p+4",
        ],
    }


# --- no other functions are used ------------------------------------------------------------

INSTEAD = {
    "exact.length": ["hypot", "norm"],
    "exact.exp": ["exp", "exp2", "expm1"],
    "exact.log": ["log", "log2", "log10", "log1p", "atanh", "arctanh"],
    "exact.sin and exact.cos": ["sin", "cos", "tan", "sinc"],
    "exact.atan2": ["atan", "atan2", "arctan", "arctan2", "asin", "acos", "arcsin", "arccos"],
    "exact.exp (made of it)": ["sinh", "cosh", "tanh", "asinh", "acosh", "arcsinh", "arccosh"],
    "exact.power, or products": ["pow", "power", "float_power", "cbrt"],
    "exact.product, or (a * b).sum()": [
        "dot", "vdot", "vecdot", "inner", "matmul", "matvec", "vecmat", "tensordot", "einsum",
        "convolve", "correlate",
    ],
    "exact.solve, exact.determinant or exact.inverse": ["linalg", "polyfit"],
    "exact.interpolate": ["interp"],
    "exact.normal, or random()": [
        "normal", "standard_normal", "uniform", "exponential", "gamma", "beta", "lognormal",
    ],
    "plain + - * / in a fixed order": [
        "fma", "fsum", "sumprod", "dist", "fft", "complex128", "longdouble", "float32",
    ],
}  # fmt: skip
FORBIDDEN = {name: instead for instead, names in INSTEAD.items() for name in names}
OPERATORS = {
    ast.MatMult: "@: use exact.product, or (a * b).sum()",
    # Of an array, x**2 is x * x; of a number it is the C library's pow.
    ast.Pow: "**: use np.square, products, np.sqrt or exact.power",
}
BUILTINS = {
    "sum": "sum: use np.sum",  # since Python 3.12 it compensates for rounding errors
    "pow": "pow: use exact.power, or products",
    "complex": "complex: use its two parts",
}
STABLE = 'argsort: use kind="stable"'  # which of two equals comes first depends on the processor


def breaches(source: str) -> Iterator[tuple[int, str]]:
    """Where a source uses what rounds differently on other processors, and what to use instead."""
    for node in ast.walk(ast.parse(source)):
        line, names = getattr(node, "lineno", 0), list[str]()
        match node:
            case ast.Attribute(value=ast.Name(id="exact")):
                pass
            case ast.Attribute(attr=name):
                names = [name]
            case ast.ImportFrom(module=str(module), names=imported):
                names = [*module.split("."), *(alias.name for alias in imported)]
                names = [] if module.startswith("macaz.") else names
            case ast.BinOp(op=op) | ast.AugAssign(op=op) if type(op) in OPERATORS:
                yield line, OPERATORS[type(op)]
            case ast.Constant(value=complex()):
                yield line, BUILTINS["complex"]
            case ast.Name(id=name) if name in BUILTINS:
                yield line, BUILTINS[name]
            case ast.Call(func=ast.Attribute(attr="argsort"), keywords=keywords):
                if not any(ast.unparse(keyword) == "kind='stable'" for keyword in keywords):
                    yield line, STABLE
        for name in names:
            if name in FORBIDDEN:
                yield line, f"{name}: use {FORBIDDEN[name]}"


@pytest.mark.parametrize("path", MODULES, ids=lambda path: path.name)
def test_plates_are_made_of_what_rounds_alike_everywhere(path):
    found = [f"{path.name}:{line} {what}" for line, what in breaches(path.read_text("utf-8"))]
    assert not found, "\n".join(found)


@pytest.mark.parametrize(
    ("source", "instead"),
    [
        ("np.hypot(x, y)", "exact.length"),
        ("math.hypot(x, y)", "exact.length"),
        ("np.exp(x)", "exact.exp"),
        ("from math import sin", "exact.sin"),
        ("from numpy.linalg import det", "exact.determinant"),
        ("math.atan2(y, x)", "exact.atan2"),
        ("np.linalg.solve(a, b)", "exact.solve"),
        ("np.interp(x, a, b)", "exact.interpolate"),
        ("rng.normal(0, 1)", "exact.normal"),
        ("a @ b", "exact.product"),
        ("a @= b", "exact.product"),
        ("a.dot(b)", "exact.product"),
        ("x**2", "np.square"),
        ("x **= 0.5", "exact.power"),
        ("pow(x, 2)", "exact.power"),
        ("x * 1j", "two parts"),
        ("sum(lengths)", "np.sum"),
        ("np.argsort(x)", "stable"),
    ],
)
def test_what_rounds_differently_is_found(source, instead):
    [(line, what)] = breaches(f"x = 1\n{source}")
    assert line == 2
    assert instead in what


def test_what_rounds_alike_may_be_used():
    assert not list(
        breaches("np.sqrt(a * b + c / d).sum(); exact.exp(x); x.argsort(kind='stable')")
    )
