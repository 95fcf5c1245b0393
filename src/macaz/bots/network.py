"""Neural networks: reading, checking, running and writing their files.

The input is a row of small integers (`SENSE` in `macaz.bots.compiled.layout`), of which a network
reads those that its edition uses. The output is a policy (one logit, called a wish, for each intent
and each colour to pay with), the expected value of the ending for the seat, and its probability of
winning.

The file is NumPy's `.npz` with the weights in half precision; all is computed in single precision.
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
    "write_network",
]

FORMAT = 1
OUTPUTS = of.WISHES + 2  # the wishes, then the value and the logit of the win
SENSED_BY = "playout"  # the style whose plan and suggestion are in a row
EPSILON = 1e-5  # of the normalisation, against division by zero


class BadNetwork(MacazError):  # noqa: N818 - named like IllegalMove
    """A file is not a network, is damaged, or is for another board or version."""


def _row_digest() -> str:
    """A short hash of the layout of rows and wishes, to recognise files of other versions."""
    fields = [f"{field.name} {field.shape}" for field in of.SENSE]
    intents = [f"{name} {getattr(of, name)}" for name in sorted(vars(of)) if name[:2] == "I_"]
    return hashlib.sha256("\n".join([*fields, *intents]).encode()).hexdigest()[:8]


# -- the network itself ---------------------------------------------------------------------------


class Layer(NamedTuple):
    """The weights and biases of a linear layer."""

    weight: np.ndarray  # float32, inputs x outputs
    bias: np.ndarray


@dataclass(frozen=True, eq=False)
class Network:
    """A residual network: input layer, blocks of two layers, output layer.

    The names of the layers are those of the arrays in a file.
    """

    columns: np.ndarray
    scales: np.ndarray
    enter: Layer  # input
    blocks: tuple[tuple[Layer, Layer], ...]  # each: grow, fold
    speak: Layer  # output
    trust: np.ndarray  # added to the wishes that the planner suggests: intent, colour
    about: dict[str, Any]

    @property
    def width(self) -> int:
        """The number of units of a hidden layer."""
        return len(self.enter.bias)

    def run(self, rows: np.ndarray) -> tuple[np.ndarray, np.ndarray, np.ndarray]:
        """For each row the wishes, the value of the ending for the seat, and its win probability.

        Rows are records of dtype "sense", or their bytes as int8.
        """
        flat = rows.view(np.int8).reshape(len(rows), of.SENSE_SIZE)
        h = np.maximum(self._input_layer(flat), 0)
        for grow, fold in self.blocks:
            inner = np.maximum(_rms_norm(h) @ grow.weight + grow.bias, 0)
            h += inner @ fold.weight + fold.bias
        out = _rms_norm(h) @ self.speak.weight + self.speak.bias
        wishes = out[:, : of.WISHES]
        hint, color = _span("hint"), _span("hint_color")
        wishes[:, : of.INTENTS] += self.trust[0] * flat[:, hint]
        wishes[:, of.INTENTS :] += self.trust[1] * flat[:, color]
        wins = 1 / (1 + np.exp(-np.clip(out[:, of.WISHES + 1], -30, 30)))
        return np.ascontiguousarray(wishes), out[:, of.WISHES], wins

    def _input_layer(self, flat: np.ndarray) -> np.ndarray:
        """The output of the first layer.

        Rows are sparse, and those of one decision differ little. So the first is multiplied where
        it is not zero, and the others where they differ from it.
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
        """Raise `BadNetwork` if it was trained on another board than the edition's."""
        if self.about["board"] != board_digest(edition):
            raise BadNetwork(
                f"this network is for {self.about['edition']}, and {edition.name} has another "
                "board: a lane, a city or a ticket differs. Use a network trained for it."
            )


def _rms_norm(h: np.ndarray) -> np.ndarray:
    """Each row divided by its root mean square."""
    normalised: np.ndarray = h / np.sqrt(
        np.mean(h * h, axis=1, keepdims=True) + np.float32(EPSILON)
    )
    return normalised


@lru_cache(maxsize=4)
def _span(name: str) -> slice:
    """The position of a field in a row."""
    start = 0
    for field in of.SENSE:
        size = int(np.prod(field.shape))
        if field.name == name:
            return slice(start, start + size)
        start += size
    raise KeyError(name)


def about_network(edition: Edition, **more: Any) -> dict[str, Any]:
    """The metadata of a network file: format, edition, board, and `more`."""
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
    """Write a network, its weights in half precision."""
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
    """The layers with their names in a file."""
    yield "enter", network.enter
    for i, (grow, fold) in enumerate(network.blocks):
        yield f"grow{i}", grow
        yield f"fold{i}", fold
    yield "speak", network.speak


def read_network(file: str | Path | IO[bytes]) -> Network:
    """Read a network; raises `BadNetwork`."""
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
            f"{source} is not a network, or is damaged. `macaz train` writes networks."
        ) from None
    return _checked(arrays, source)


def _checked(arrays: dict[str, np.ndarray], source: str) -> Network:
    """The network of these arrays, after a check of version and shapes."""
    try:
        about = json.loads(arrays["about"].tobytes())
        supported = about["format"] == FORMAT and about["row"] == _row_digest()
        _ = about["board"], about["edition"]
    except (KeyError, TypeError, ValueError):
        raise BadNetwork(f"{source} is not a network: its metadata is missing.") from None
    if not supported:
        raise BadNetwork(
            f"{source} was written by another version of Macaz, whose networks have other "
            "inputs. Train it again, or use that version."
        )
    try:
        return _build(arrays, about)
    except (KeyError, ValueError, TypeError, IndexError):
        raise BadNetwork(
            f"{source} is a damaged network: an array is missing, not finite or of a wrong shape."
        ) from None


def _build(arrays: dict[str, np.ndarray], about: dict[str, Any]) -> Network:
    """The network of these arrays; raises ValueError if their shapes do not match."""
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
    """The layers by name; raises ValueError if their shapes do not match."""
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


# -- the networks that come with Macaz ------------------------------------------------------------


def packaged() -> tuple[str, ...]:
    """The networks that come with Macaz, by the editions they are for."""
    folder = files("macaz.bots").joinpath("networks")
    names = [entry.name for entry in folder.iterdir()] if folder.is_dir() else []
    return tuple(sorted(n.removesuffix(".npz") for n in names if n.endswith(".npz")))


def read_packaged(name: str) -> Network:
    """Read one of the networks that come with Macaz; it takes about 12 MB of memory."""
    with files("macaz.bots").joinpath("networks", f"{name}.npz").open("rb") as file:
        return read_network(file)


@lru_cache(maxsize=8)
def packaged_network(name: str) -> Network:
    """One of the networks that come with Macaz, kept for the next decision."""
    return read_packaged(name)


@cache
def _packaged_boards() -> dict[str, str]:
    """The network for each board digest; only the metadata of the files is read."""
    found = {}
    for name in packaged():
        entry = files("macaz.bots").joinpath("networks", f"{name}.npz")
        with entry.open("rb") as file, np.load(file, allow_pickle=False) as archive:
            found[json.loads(archive["about"].tobytes())["board"]] = name
    return found


def network_at(path: str) -> Network:
    """The network of a file, cached until the file changes."""
    try:
        now = Path(path).stat()
    except OSError:
        return read_network(path)  # raises `BadNetwork`
    return _cached_network(path, now.st_mtime_ns, now.st_size)


@lru_cache(maxsize=8)
def _cached_network(path: str, _changed: int, _size: int) -> Network:
    return read_network(path)


def network_name(edition: Edition) -> str | None:
    """The name in `packaged` of the network for an edition's board; None if there is none."""
    return _packaged_boards().get(board_digest(edition))


def network_for(edition: Edition) -> Network | None:
    """The network of Macaz for an edition's board; None if there is none."""
    name = network_name(edition)
    return None if name is None else packaged_network(name)
