"""The Matplotlib style of all figures, and how they are saved."""

from __future__ import annotations

from pathlib import Path
from typing import Any

from macaz.errors import MissingExtra
from macaz.lab.parquet import check_writable

FORMATS = (".png", ".svg", ".pdf")
INK, FAINT = "#2b2f36", "#c9ced6"
STYLE = {
    "font.family": "DejaVu Sans",
    "font.size": 9,
    "text.color": INK,
    "axes.edgecolor": FAINT,
    "axes.labelcolor": INK,
    "axes.titlesize": 10.5,
    "axes.titleweight": "bold",
    "axes.titlelocation": "left",
    "axes.spines.top": False,
    "axes.spines.right": False,
    "xtick.color": INK,
    "ytick.color": INK,
    "xtick.major.size": 3,
    "ytick.major.size": 0,
    "axes.axisbelow": True,
    "grid.color": "#e9ecf0",
    "svg.hashsalt": "macaz",  # fixed ids in SVG files, so that equal figures give equal files
}


def need_matplotlib() -> Any:
    """Import Matplotlib, or raise MissingExtra."""
    try:
        import matplotlib
        import matplotlib.figure
    except ImportError as error:
        raise MissingExtra("matplotlib", "drawing a picture", "lab") from error
    return matplotlib


def check_picture(path: Path) -> None:
    """Raise unless a figure can be saved at this path."""
    if path.suffix.lower() not in FORMATS:
        raise ValueError(f"the name of a picture ends in {', '.join(FORMATS)}, not {path.name!r}")
    need_matplotlib()
    check_writable(path)


def save(figure: Any, path: Path) -> None:
    """Save a figure without dates, so that equal figures give equal files."""
    kind = path.suffix.lower()
    fixed = {".png": {"Software": None}, ".svg": {"Date": None}, ".pdf": {"CreationDate": None}}
    figure.savefig(path, dpi=160, metadata=fixed[kind], facecolor="white")
