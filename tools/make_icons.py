"""Write the icons of the page in the sizes that phones need, from web/public/icons/*.svg."""

from __future__ import annotations

import subprocess
import sys
from pathlib import Path

from playwright.sync_api import sync_playwright

ROOT = Path(__file__).parents[1]
ICONS = ROOT / "web/public/icons"
SIZES = {"icon": (180, 192, 512), "maskable": (192, 512)}


def main() -> None:
    """Draw each in Chromium."""
    chromium = subprocess.check_output([sys.executable, ROOT / "tools/browser.py"], text=True)
    with sync_playwright() as playwright:
        browser = playwright.chromium.launch(
            executable_path=chromium.strip(), args=["--no-sandbox"]
        )
        for name, sizes in SIZES.items():
            drawing = (ICONS / f"{name}.svg").read_text()
            for size in sizes:
                page = browser.new_page(viewport={"width": size, "height": size})
                page.set_content(f"<style>body{{margin:0}}svg{{display:block}}</style>{drawing}")
                target = ICONS / f"{name}-{size}.png"
                page.screenshot(path=target, omit_background=True)
                page.close()
                print(f"Wrote {target.relative_to(ROOT)}")
        browser.close()


if __name__ == "__main__":
    main()
