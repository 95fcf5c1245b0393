"""Write src/macaz/editions/plates: the drawn boards of the editions that come with Macaz.

Besides, tests/draw/layouts: what maps without a `[plate]` section are laid out as.
"""

from dataclasses import replace
from pathlib import Path

import msgspec

from macaz.draw.plates import QUICK, draw, new_section
from macaz.edition import list_editions, load_edition
from macaz.edition.plate_section import section_text

ROOT = Path(__file__).resolve().parent.parent
PLATES = ROOT / "src" / "macaz" / "editions" / "plates"
LAYOUTS = ROOT / "tests" / "draw" / "layouts"


def text(name: str) -> bytes:
    """The file of an edition's plate."""
    return msgspec.json.encode(draw(load_edition(name))) + b"\n"


def layout(name: str) -> str:
    """The section that an edition would get if it had none."""
    return section_text(new_section(replace(load_edition(name), plate=None), QUICK))


def write(path: Path, content: bytes) -> None:
    """Write a file and say so."""
    path.parent.mkdir(exist_ok=True)
    path.write_bytes(content)
    print(f"Wrote {path} ({len(content):,} bytes)")


if __name__ == "__main__":
    for name in list_editions():
        write(PLATES / f"{name}.json", text(name))
    for name in ("tiny", "usa"):
        write(LAYOUTS / f"{name}.toml", layout(name).encode())
