"""The gradient of each term of the energy, compared with finite differences."""

from __future__ import annotations

import ast
import functools
import inspect
from dataclasses import dataclass, fields
from types import ModuleType

import numpy as np
import pytest

from macaz.draw import forces as module
from macaz.draw.forces import Floats, Forces, Geography, Network, Weights
from macaz.draw.labels import Box
from macaz.draw.layout import geography_of
from macaz.draw.tracks import pairs_of
from macaz.edition import load_edition

Parts = tuple[Floats, Floats, Floats]  # places, bends and offsets

STEP = 1e-4  # of a difference, in units of the board
CLOSE = 1e-6  # of the largest slope of a term
UNITS = (1.0, 1 / 120, 1.0)  # a bend is a fraction of a distance: one unit aside is 1/120
NEAR = ("near", "near_middle", "near_city", "near_cities", "near_label", "label_city", "labels")
PLAIN = ("edges", "cities")  # terms that have no weight


@dataclass(frozen=True)
class Term:
    """A single term: its weight, which objects push which, and the board."""

    weight: str
    near: str = ""
    size: float = 1.0  # of the map: small ones have short tracks
    bend: float = 0.03

    @property
    def name(self) -> str:
        return f"{self.weight} {self.near} {self.size:g}"


TERMS = (
    Term("shape"),
    Term("even"),
    Term("fold"),
    Term("short", size=0.6),
    Term("short", size=2.0),
    Term("long", size=1.3),
    Term("bend"),
    Term("curl", bend=0.4),
    Term("touch", "near", size=0.5),
    Term("touch", "near_city", size=0.5),
    Term("finger", "near_middle", size=0.6),
    Term("label", size=1.0),
    Term("label", "near_label"),
    Term("label", "label_city"),
    Term("label", "labels", size=0.6),
    Term("home"),
    Term("edges"),
    Term("cities", "near_cities", size=0.4),
)
names = pytest.mark.parametrize("term", TERMS, ids=lambda term: term.name)


def board(term: Term, seed: int) -> tuple[Forces, Parts]:
    """Forces that have only one term, and a random position."""
    edition = load_edition("tiny")
    rng = np.random.default_rng(seed)
    pairs, earth = pairs_of(edition.board), geography_of(edition.board)
    weights = Weights()
    forces = Forces(Network(pairs, len(earth)), Geography(earth), weights)
    places = term.size * earth + rng.normal(0, 25, earth.shape)
    bends = rng.normal(0, term.bend, (len(pairs), 2))
    homes = rng.normal(0, 25, earth.shape)
    offsets = forces.set_labels([Box(float(x), float(y), 14, 8) for x, y in homes])
    offsets += rng.normal(0, 8, offsets.shape)
    forces.refresh(places, bends, offsets)
    if term.weight == "edges":
        forces.bounds = np.array([90.0, 100.0])
    for field in fields(weights):
        if field.name != term.weight and not field.name.endswith(("air", "room")):
            setattr(weights, field.name, 0.0)
    for near in NEAR:
        if near != term.near:
            setattr(forces, near, (np.zeros(0, np.int64), np.zeros(0, np.int64)))
    return forces, (places, bends, offsets)


def exact_parts(forces: Forces, term: Term) -> list[Floats]:
    """Which coordinates have exact slopes, as ones; the others leave out something small.

    The normal along which double lanes lie apart turns with their bend and their cities, which the
    slopes do not follow. Nor do they follow how much a track may curl, which its length decides.
    """
    network = forces.network
    single = (network.lanes == 1)[:, None]
    cities = np.ones((network.count, 1))
    for end in (network.a, network.b):
        cities[end[network.lanes > 1]] = 0
    if term.weight == "curl":
        cities[:] = 0
    return [np.repeat(part, 2, axis=1) for part in (cities, single, np.ones((network.count, 1)))]


def differences(forces: Forces, parts: Parts, step: float) -> list[Floats]:
    """The slope of the energy along each coordinate, by central differences."""
    found = []
    for number, (part, unit) in enumerate(zip(parts, UNITS, strict=True)):
        slope = np.zeros_like(part)
        for index in np.ndindex(part.shape):
            energies = []
            for sign in (1, -1):
                moved = [each.copy() for each in parts]
                moved[number][index] += sign * step * unit
                energies.append(forces.energy_and_gradient(moved[0], moved[1], moved[2])[0])
            slope[index] = (energies[0] - energies[1]) / (2 * step)
        found.append(slope)
    return found


def flat(parts: list[Floats], exact: list[Floats]) -> Floats:
    return np.concatenate([(part * mask).ravel() for part, mask in zip(parts, exact, strict=True)])


@functools.cache
def measured(term: Term) -> tuple[Forces, Parts, Floats]:
    """A position where the term's energy is smooth and not flat, and its measured slopes.

    Energies have kinks: where a label's nearest side changes, where pushing begins. There
    differences by two steps disagree, and the next position is tried; no slope is asked for that.
    Where a disc is inside a label it is pushed across its track, which is no slope of anything.
    """
    for seed in range(100):
        forces, parts = board(term, seed)
        places, bends, offsets = parts
        discs = forces.discs(places, bends)
        apart = np.abs(discs[:, None] - (places + offsets)[None]) - forces.halves[None]
        if term.near == "near_label" and (apart.max(axis=2) < STEP).any():
            continue
        exact = exact_parts(forces, term)
        one, half = (flat(differences(forces, parts, step), exact) for step in (STEP, STEP / 2))
        if np.abs(one).max() > 0 and np.abs(one - half).max() < CLOSE / 4 * np.abs(one).max():
            return forces, parts, half
    raise AssertionError(f"no smooth position for {term}")


def wrong_by(term: Term, kind: type[Forces] = Forces) -> float:
    """How far the slopes are off at worst, as a part of the largest."""
    forces, parts, expected = measured(term)
    forces.__class__ = kind
    try:
        _, *slopes = forces.energy_and_gradient(*parts)
    finally:
        forces.__class__ = Forces
    scaled = [slope * unit for slope, unit in zip(slopes, UNITS, strict=True)]
    off = flat(scaled, exact_parts(forces, term)) - expected
    return float(np.abs(off).max() / np.abs(expected).max())


def test_every_weight_is_tested():
    weights = {field.name for field in fields(Weights) if not field.name.endswith(("air", "room"))}
    assert {term.weight for term in TERMS} == weights | set(PLAIN)
    assert {term.near for term in TERMS} == {"", *NEAR}


@names
def test_the_forces_are_the_slopes_of_their_energy(term):
    assert wrong_by(term) < CLOSE


# --- errors are detected --------------------------------------------------------------------


def pushes(tree: ast.AST) -> list[ast.AugAssign | ast.Call]:
    """The places of the source where something is added to a slope."""
    return [
        node
        for node in ast.walk(tree)
        if (isinstance(node, ast.AugAssign) and ast.unparse(node.target).startswith("grad_"))
        or (isinstance(node, ast.Call) and ast.unparse(node.func) == "_add_at")
    ]


def with_wrong_push(number: int, factor: float) -> type[Forces]:
    """The forces with one of the additions to a slope scaled."""
    tree = ast.parse(inspect.getsource(module))
    push = pushes(tree)[number]
    value = push.value if isinstance(push, ast.AugAssign) else push.args[2]
    scaled = ast.BinOp(ast.Constant(factor), ast.Mult(), value)
    if isinstance(push, ast.AugAssign):
        push.value = scaled
    else:
        push.args[2] = scaled
    changed = ModuleType(module.__name__)
    exec(compile(ast.fix_missing_locations(tree), "changed", "exec"), changed.__dict__)
    found = changed.Forces
    assert isinstance(found, type)
    return found


PUSHES = [ast.unparse(push) for push in pushes(ast.parse(inspect.getsource(module)))]
assert PUSHES, "the names in `pushes` are those of the source"


@pytest.mark.parametrize("factor", [-1.0, 0.999], ids=["sign", "factor"])
@pytest.mark.parametrize("number", range(len(PUSHES)), ids=PUSHES)
def test_a_wrong_push_is_found(number, factor):
    kind = with_wrong_push(number, factor)
    assert any(wrong_by(term, kind) > CLOSE for term in TERMS)
