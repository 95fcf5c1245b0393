"""Networks: what was learned about an edition, as a file of numbers; read, checked and run.

A network is told a row of small numbers (`SENSE` in `macaz.bots.compiled.layout`), of which it
reads those that its edition has at all. It says how much each intent and each colour to pay with
is wished for, what the ending will be worth to the seat, and how likely it wins.

The file is NumPy's `.npz`, with the large arrays in half precision; all is computed in single.
"""

from __future__ import annotations

import hashlib
import json
import zipfile
import zlib
from dataclasses import dataclass
from functools import cache, lru_cache
from importlib.resources import files
from pathlib import Path
from typing import IO, TYPE_CHECKING, Any, NamedTuple

import numpy as np

from macaz.bots.columns import board_digest, columns_for
from macaz.bots.compiled import layout as of
from macaz.errors import MacazError

if TYPE_CHECKING:
    from collections.abc import Iterable

    from macaz.edition import Edition

__all__ = [
    "SENSED_BY",
    "BadNetwork",
    "Layer",
    "Network",
    "about_network",
    "board_digest",
    "columns_for",
    "network_at",
    "network_for",
    "packaged",
    "read_network",
    "untrained",
    "write_network",
]

FORMAT = 1
OUTPUTS = of.WISHES + 2  # the worth of the ending, and the win, come after the wishes
SENSED_BY = "playout"  # the style whose plan and suggestion a row tells
TINY = 1e-5  # added to a mean of squares, so that nothing is divided by zero


class BadNetwork(MacazError):  # noqa: N818 - reads as the habit of the house: IllegalMove
    """A file is no network, is broken, or is for another board or version."""


def _row_digest() -> str:
    """A short hash of what a row and the wishes are: other numbers mean another version."""
    fields = [f"{field.name} {field.shape}" for field in of.SENSE]
    intents = [f"{name} {getattr(of, name)}" for name in sorted(vars(of)) if name[:2] == "I_"]
    return hashlib.sha256("\n".join([*fields, *intents]).encode()).hexdigest()[:8]


# -- the network itself ---------------------------------------------------------------------------


class Layer(NamedTuple):
    """A matrix and what is added."""

    weight: np.ndarray  # float32, inputs x outputs
    bias: np.ndarray


@dataclass(frozen=True, eq=False)
class Network:
    """What was learned, ready to be asked."""

    columns: np.ndarray
    scales: np.ndarray
    enter: Layer
    blocks: tuple[tuple[Layer, Layer], ...]  # grow, fold
    speak: Layer
    trust: np.ndarray  # in the planner's suggestion: of what to do, and of the colour
    about: dict[str, Any]

    @property
    def width(self) -> int:
        """How many numbers a layer has."""
        return len(self.enter.bias)

    def run(self, rows: np.ndarray) -> tuple[np.ndarray, np.ndarray, np.ndarray]:
        """Of each row the wishes, what the ending is worth to the seat, and its share of the win.

        Rows are records of dtype "sense", or their bytes as int8.
        """
        flat = rows.view(np.int8).reshape(len(rows), of.SENSE_SIZE)
        h = np.maximum(self._entered(flat), 0)
        for grow, fold in self.blocks:
            inner = np.maximum(_leveled(h) @ grow.weight + grow.bias, 0)
            h += inner @ fold.weight + fold.bias
        out = _leveled(h) @ self.speak.weight + self.speak.bias
        wishes = out[:, : of.WISHES]
        hint, color = _span("hint"), _span("hint_color")
        wishes[:, : of.INTENTS] += self.trust[0] * flat[:, hint]
        wishes[:, of.INTENTS :] += self.trust[1] * flat[:, color]
        wins = 1 / (1 + np.exp(-np.clip(out[:, of.WISHES + 1], -30, 30)))
        return np.ascontiguousarray(wishes), out[:, of.WISHES], wins

    def _entered(self, flat: np.ndarray) -> np.ndarray:
        """What the first layer makes of rows.

        Most of a row is zero, and rows of one decision differ little: the first is multiplied where
        it is not zero, the others where they differ from it.
        """
        x = flat[:, self.columns] * self.scales
        weight = self.enter.weight
        used = np.flatnonzero(x[0])
        first = x[0, used] @ weight[used] + self.enter.bias
        if len(x) == 1:
            alone: np.ndarray = first[None]
            return alone
        x -= x[0].copy()
        used = np.flatnonzero(x.any(axis=0))
        entered: np.ndarray = x[:, used] @ weight[used] + first
        return entered

    def check(self, edition: Edition) -> None:
        """BadNetwork where it was trained on another board than an edition has."""
        if self.about["board"] != board_digest(edition):
            raise BadNetwork(
                f"this network is for {self.about['edition']}, and {edition.name} has another "
                "board: a lane, a city or a ticket differs. Use a network for it."
            )


def _leveled(h: np.ndarray) -> np.ndarray:
    """Each row divided by its root mean square."""
    leveled: np.ndarray = h / np.sqrt(np.mean(h * h, axis=1, keepdims=True) + np.float32(TINY))
    return leveled


@lru_cache(maxsize=4)
def _span(name: str) -> slice:
    """Where a field of a row lies."""
    start = 0
    for field in of.SENSE:
        size = int(np.prod(field.shape))
        if field.name == name:
            return slice(start, start + size)
        start += size
    raise KeyError(name)


def untrained(
    edition: Edition,
    width: int = 16,
    blocks: int = 1,
    *,
    trust: tuple[float, float] = (4.0, 3.0),
    seed: int = 0,
) -> Network:
    """A network that has learned nothing: it does what the quick planner suggests."""
    columns, scales = columns_for(edition)
    rng = np.random.default_rng(seed)

    def layer(inputs: int, outputs: int) -> Layer:
        spread = np.sqrt(2 / inputs)
        weight = rng.normal(0, spread, (inputs, outputs)).astype(np.float16)
        return Layer(weight.astype(np.float32), np.zeros(outputs, np.float32))

    return Network(
        columns=columns,
        scales=scales,
        enter=layer(len(columns), width),
        blocks=tuple((layer(width, width), layer(width, width)) for _ in range(blocks)),
        speak=Layer(np.zeros((width, OUTPUTS), np.float32), np.zeros(OUTPUTS, np.float32)),
        trust=np.array(trust, np.float32),
        about=about_network(edition),
    )


def about_network(edition: Edition, **more: Any) -> dict[str, Any]:
    """What a file tells of its network: for what it is, and whatever else there is to say."""
    rules = edition.rules
    return {
        "format": FORMAT,
        "row": _row_digest(),
        "edition": edition.id,
        "board": board_digest(edition),
        "seats": [rules.min_seats, rules.max_seats],
        **more,
    }


# -- files ----------------------------------------------------------------------------------------


def write_network(file: str | Path | IO[bytes], network: Network) -> None:
    """Write a network, the large arrays in half precision."""
    arrays: dict[str, np.ndarray] = {
        "columns": network.columns.astype(np.int32),
        "scales": network.scales.astype(np.float32),
        "trust": network.trust.astype(np.float32),
        "about": np.frombuffer(json.dumps(network.about).encode(), np.uint8),
    }
    for name, layer in _named(network):
        arrays[name] = layer.weight.astype(np.float16)
        arrays[f"{name}_bias"] = layer.bias.astype(np.float32)
    np.savez_compressed(file, **arrays)  # type: ignore[arg-type]


def _named(network: Network) -> Iterable[tuple[str, Layer]]:
    """The layers by the names they have in a file."""
    yield "enter", network.enter
    for i, (grow, fold) in enumerate(network.blocks):
        yield f"grow{i}", grow
        yield f"fold{i}", fold
    yield "speak", network.speak


def read_network(file: str | Path | IO[bytes]) -> Network:
    """The network of a file; BadNetwork says what is wrong with it."""
    if not isinstance(file, str | Path):
        return _read(file, "the network")
    try:
        with Path(file).open("rb") as opened:
            return _read(opened, str(file))
    except FileNotFoundError:
        raise BadNetwork(f"there is no network {str(file)!r}. Check the path.") from None
    except OSError as error:
        reason = error.strerror or str(error)
        raise BadNetwork(f"{file} cannot be read: {reason}.") from None


def _read(file: IO[bytes], source: str) -> Network:
    try:
        with np.load(file, allow_pickle=False) as archive:
            arrays = {name: archive[name] for name in archive.files}
    except (ValueError, EOFError, KeyError, TypeError, zipfile.BadZipFile, zlib.error):
        # TypeError: a single array is no archive.
        raise BadNetwork(
            f"{source} is no network, or a broken one. `macaz train` writes networks."
        ) from None
    return _checked(arrays, source)


def _checked(arrays: dict[str, np.ndarray], source: str) -> Network:
    """A network from its arrays, which must fit each other."""
    try:
        about = json.loads(arrays["about"].tobytes())
        fits = about["format"] == FORMAT and about["row"] == _row_digest()
        _ = about["board"], about["edition"]
    except (KeyError, TypeError, ValueError):
        raise BadNetwork(f"{source} is no network: it does not say what it is for.") from None
    if not fits:
        raise BadNetwork(
            f"{source} was written by another version of Macaz, which tells networks other "
            "things. Train it again, or use that version."
        )
    try:
        return _put_together(arrays, about)
    except (KeyError, ValueError, TypeError, IndexError):
        raise BadNetwork(
            f"{source} is a broken network: its arrays do not fit each other."
        ) from None


def _put_together(arrays: dict[str, np.ndarray], about: dict[str, Any]) -> Network:
    """A network from its arrays; ValueError where one does not fit."""
    layers = _layers(arrays)
    columns, scales, trust = arrays["columns"], arrays["scales"], arrays["trust"]
    if columns.dtype != np.int32 or columns.ndim != 1 or scales.shape != columns.shape:
        raise ValueError("columns")
    if columns.min(initial=0) < 0 or columns.max(initial=0) >= of.SENSE_SIZE:
        raise ValueError("columns")
    if trust.shape != (2,):
        raise ValueError("trust")
    blocks = (len(layers) - 2) // 2
    return Network(
        columns=columns,
        scales=scales.astype(np.float32),
        enter=layers["enter"],
        blocks=tuple((layers[f"grow{i}"], layers[f"fold{i}"]) for i in range(blocks)),
        speak=layers["speak"],
        trust=trust.astype(np.float32),
        about=about,
    )


def _layers(arrays: dict[str, np.ndarray]) -> dict[str, Layer]:
    """The layers by name, each of the shape that its neighbours need; ValueError if not."""
    width = arrays["enter"].shape[1]
    blocks = sum(name.startswith("grow") and not name.endswith("_bias") for name in arrays)
    shapes = {"enter": (len(arrays["columns"]), width), "speak": (width, OUTPUTS)}
    shapes |= {f"{name}{i}": (width, width) for i in range(blocks) for name in ("grow", "fold")}
    found = {}
    for name, shape in shapes.items():
        weight, bias = arrays[name], arrays[f"{name}_bias"]
        if weight.shape != shape or bias.shape != shape[1:]:
            raise ValueError(name)
        layer = Layer(np.ascontiguousarray(weight, np.float32), bias.astype(np.float32))
        if not (np.isfinite(layer.weight).all() and np.isfinite(layer.bias).all()):
            raise ValueError(name)
        found[name] = layer
    if len(arrays) != 2 * len(found) + len(("columns", "scales", "trust", "about")):
        raise ValueError("more arrays than a network has")
    return found


# -- those that come with Macaz -------------------------------------------------------------------


def packaged() -> tuple[str, ...]:
    """The networks that come with Macaz, by the editions they are for."""
    folder = files("macaz.bots").joinpath("networks")
    names = [entry.name for entry in folder.iterdir()] if folder.is_dir() else []
    return tuple(sorted(n.removesuffix(".npz") for n in names if n.endswith(".npz")))


@lru_cache(maxsize=8)
def packaged_network(name: str) -> Network:
    """One of the networks that come with Macaz."""
    with files("macaz.bots").joinpath("networks", f"{name}.npz").open("rb") as file:
        return read_network(file)


@cache
def _packaged_boards() -> dict[str, str]:
    """By the digest of a board the network for it; no more is read than what it is for."""
    found = {}
    for name in packaged():
        entry = files("macaz.bots").joinpath("networks", f"{name}.npz")
        with entry.open("rb") as file, np.load(file, allow_pickle=False) as archive:
            found[json.loads(archive["about"].tobytes())["board"]] = name
    return found


def network_at(path: str) -> Network:
    """The network of a path, read once in a process as long as the file stays as it is."""
    try:
        now = Path(path).stat()
    except OSError:
        return read_network(path)  # says what is wrong
    return _network_read(path, now.st_mtime_ns, now.st_size)


@lru_cache(maxsize=8)
def _network_read(path: str, _changed: int, _size: int) -> Network:
    return read_network(path)


def network_for(edition: Edition) -> Network | None:
    """The packaged network whose board is that of an edition; None where there is none."""
    name = _packaged_boards().get(board_digest(edition))
    return None if name is None else packaged_network(name)
