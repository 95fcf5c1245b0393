"""The coasts, lakes and borders of the Earth, as tools/make_outline_data.py stored them."""

from __future__ import annotations

import functools
import gzip
import json
from dataclasses import dataclass
from importlib import resources

import numpy as np

from macaz.draw.projection import Floats


@dataclass(frozen=True, slots=True)
class Earth:
    """Outlines as arrays of (longitude, latitude) in degrees, without jumps at the antimeridian.

    `land` and `lakes` are rings, to be filled by the even-odd rule; the others are lines.
    """

    land: tuple[Floats, ...]
    lakes: tuple[Floats, ...]
    borders: tuple[Floats, ...]
    provinces: tuple[Floats, ...]


@functools.cache
def load_earth() -> Earth:
    """The outlines of the whole Earth."""
    packed = resources.files("macaz.draw").joinpath("data", "earth.json.gz").read_bytes()
    content = json.loads(gzip.decompress(packed))

    def decoded(name: str) -> tuple[Floats, ...]:
        step = content["step"]
        return tuple(np.cumsum(np.reshape(row, (-1, 2)), axis=0) * step for row in content[name])

    return Earth(decoded("land"), decoded("lakes"), decoded("borders"), decoded("provinces"))
