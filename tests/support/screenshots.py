"""The first screen of a page as a picture, light and dark (see docs/figures/README.md).

::

    PYTHONPATH=tests python -m support.screenshots runs/mine/report.html docs/figures/first_screen
"""

import io
import sys
from pathlib import Path

from PIL import Image
from playwright.sync_api import sync_playwright

from support.browser import CHROMIUM

WINDOW = {"width": 1400, "height": 900}
#: Colours of a picture; more are not seen, and take more room.
COLOURS = 256


def keep(shot: Image.Image, path: Path) -> None:
    """Write a picture with few colours, which takes a third of the room."""
    shot.convert("RGB").quantize(COLOURS, Image.Quantize.MAXCOVERAGE).save(path, optimize=True)
    print(f"{path}: {path.stat().st_size:,} bytes", file=sys.stderr)


def main(page_file: Path, picture: Path) -> None:
    """Write ``picture``_light.png and ``picture``_dark.png."""
    with sync_playwright() as playwright:
        browser = playwright.chromium.launch(executable_path=CHROMIUM, args=["--no-sandbox"])
        for scheme in ("light", "dark"):
            page = browser.new_page(viewport=WINDOW, color_scheme=scheme)  # type: ignore[arg-type]
            page.goto(page_file.resolve().as_uri())
            path = picture.with_name(f"{picture.name}_{scheme}.png")
            keep(Image.open(io.BytesIO(page.screenshot())), path)
        browser.close()


if __name__ == "__main__":
    main(Path(sys.argv[1]), Path(sys.argv[2]))
