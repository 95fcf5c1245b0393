"""Check the built site: nav entries, missing pages, images, and assets of other servers."""

import re
import sys
import tomllib
from collections.abc import Iterator
from pathlib import Path

ROOT = Path(__file__).resolve().parent.parent
DOCS = ROOT / "docs"
IMAGE = re.compile(r"!\[[^\]]*\]\(([^)\s]+)")
ASSET = re.compile(r"""<(?:link|script|img)\b[^>]*?(?:href|src)=["']?((?:https?:)?//[^"'\s>]+)""")


def pages(nav: object) -> Iterator[str]:
    """Every page that the nav names, however deeply nested."""
    if isinstance(nav, str):
        yield nav
    elif isinstance(nav, list):
        for item in nav:
            yield from pages(item)
    elif isinstance(nav, dict):
        yield from pages(list(nav.values()))


def problems() -> Iterator[str]:
    """One sentence for each thing that is wrong."""
    nav = set(pages(tomllib.loads((ROOT / "zensical.toml").read_text())["project"]["nav"]))
    here = {path.relative_to(DOCS).as_posix() for path in DOCS.rglob("*.md")}
    yield from (f"zensical.toml: nav names {name}, which is not in docs/" for name in nav - here)
    yield from (f"docs/{name}: not in the nav of zensical.toml" for name in here - nav)
    for name in here:
        for target in IMAGE.findall((DOCS / name).read_text()):
            if "//" in target or not (DOCS / name).parent.joinpath(target).exists():
                yield f"docs/{name}: image {target} is not in docs/"
    for path in (ROOT / "site").rglob("*.html"):
        for url in ASSET.findall(path.read_text()):
            yield f"{path.relative_to(ROOT)}: loads {url} from outside"


if __name__ == "__main__":
    sys.exit("\n".join(sorted(problems())) or 0)
