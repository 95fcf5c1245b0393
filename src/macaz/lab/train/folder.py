"""The folder of a training: its files, its settings, and whether a training can be resumed."""

from __future__ import annotations

from pathlib import Path
from typing import TYPE_CHECKING, Any

import msgspec

from macaz.errors import MacazError

if TYPE_CHECKING:
    from macaz.lab.train.settings import Settings

SETTINGS, LOG, RATINGS = "settings.json", "log.jsonl", "ratings.jsonl"
CHECKPOINT, NETWORK = "checkpoint.pt", "network.npz"
CURVE, CARD = "curve.svg", "card.md"
# Settings that must not change on resume: they decide the shape of the network.
SAME = ("edition", "seats", "width", "blocks")


def begin(folder: Path, settings: Settings, *, resume: bool) -> None:
    """Write the settings into the folder; MacazError if it has a training that does not fit."""
    if resume:
        kept = msgspec.structs.asdict(read_settings(folder))
        for name, value in msgspec.structs.asdict(settings).items():
            if name in SAME and kept[name] != value:
                raise MacazError(
                    f"{folder} has another training: its {name} is {_words(kept[name])}, not "
                    f"{_words(value)}. Leave the option out to resume, or choose another folder "
                    "with --out."
                )
    elif (folder / SETTINGS).exists() or (folder / CHECKPOINT).exists():
        raise MacazError(
            f"{folder} has a training already: resume it with --resume, or choose another "
            "folder with --out."
        )
    folder.mkdir(parents=True, exist_ok=True)
    text = msgspec.json.format(msgspec.json.encode(settings)) + b"\n"
    (folder / SETTINGS).write_bytes(text)


def read_settings(folder: Path) -> Settings:
    from macaz.lab.train.settings import Settings

    path = folder / SETTINGS
    try:
        return msgspec.json.decode(path.read_bytes(), type=Settings)
    except FileNotFoundError:
        raise MacazError(f"{folder} has no training: there is no {SETTINGS} in it.") from None
    except msgspec.MsgspecError as error:
        raise MacazError(f"{path} cannot be read: {error}.") from None


def _words(value: Any) -> str:
    return ",".join(map(str, value)) if isinstance(value, tuple) else str(value)
