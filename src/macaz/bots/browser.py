"""Networks for a host without Python, such as a browser.

Their weights have one byte each, half of what those of the packaged `.npz` have: every row of
weights is divided by a factor, so that its largest weight is 127, and rounded. The compiled
`macaz.bots.compiled.inference` runs them; `docs/kernel.md` describes how a host calls it.
"""

from __future__ import annotations

from typing import TYPE_CHECKING, Any

import numpy as np

from macaz.bots.compiled import layout as of
from macaz.bots.compiled.program import Weights
from macaz.bots.network import BadNetwork, network_name, read_packaged
from macaz.edition import load_edition
from macaz.kernel.arrays_file import arrays_file

if TYPE_CHECKING:
    from macaz.bots.network import Network

LARGEST = 127  # of the weights of a row


def network_file(edition_id: str) -> bytes:
    """An arrays file with the fields of `Weights`, for an edition that Macaz has a network for.

    The same network gives the same bytes on every machine. `about` is that of the `.npz`.
    """
    name = network_name(load_edition(edition_id))
    if name is None:
        raise BadNetwork(f"Macaz has no network for {edition_id}.")
    network = read_packaged(name)  # not kept: a server sends all of them, and decides with none
    return arrays_file(small_weights(network)._asdict(), about=network.about)


def small_weights(network: Network) -> Weights:
    """A network with its weights rounded to one byte; the forecasts keep single precision."""
    hidden = [network.enter, *(layer for block in network.blocks for layer in block)]
    rounded = [_rounded(layer.weight) for layer in hidden]
    speak, speak_factors = _rounded(network.speak.weight[:, : of.WISHES])
    factors = [factor for _, factor in rounded]
    factors[0] = factors[0] * network.scales
    return Weights(
        columns=network.columns,
        factors=np.concatenate([*factors, speak_factors]).astype(np.float32),
        weights=np.concatenate([weights for weights, _ in rounded]),
        biases=np.stack([layer.bias for layer in hidden]),
        speak=speak,
        speak_biases=network.speak.bias,
        forecasts=np.ascontiguousarray(network.speak.weight[:, of.WISHES :].T),
        trust=network.trust,
    )


def _rounded(weight: np.ndarray) -> tuple[np.ndarray, np.ndarray]:
    """Weights as integers, and the factor of each row."""
    exact = weight.astype(np.float64)
    factors: np.ndarray[Any, Any] = np.abs(exact).max(axis=1) / LARGEST
    factors[factors == 0] = 1
    return np.rint(exact / factors[:, None]).astype(np.int8), factors
