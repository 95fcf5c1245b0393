"""Write src/macaz/editions/plates: the drawn boards of the editions that come with Macaz."""

from pathlib import Path

import msgspec

from macaz.edition import list_editions, load_edition
from macaz.plate.draw import draw

FOLDER = Path(__file__).resolve().parent.parent / "src" / "macaz" / "editions" / "plates"


def text(name: str) -> bytes:
    """The file of an edition's plate."""
    return msgspec.json.encode(draw(load_edition(name))) + b"\n"


if __name__ == "__main__":
    FOLDER.mkdir(exist_ok=True)
    for name in list_editions():
        path = FOLDER / f"{name}.json"
        path.write_bytes(text(name))
        print(f"Wrote {path} ({path.stat().st_size:,} bytes)")
