"""Pictures of the studio for the docs, light and dark.

``PYTHONPATH=tests python -m support.studio_pictures docs/figures`` starts a studio in an empty
folder, plays the card of the tour between ``learned`` players, asks why, and writes the first
screen, the workbench, and the form while an ability is written.
"""

import io
import sys
import tempfile
from pathlib import Path

from PIL import Image
from playwright.sync_api import Page, sync_playwright

from support.browser import CHROMIUM
from support.screenshots import WINDOW, keep
from support.studio import CARDS, end, start

_MORE = """
[glass_heron]
name = "Glass Heron"
power = 9

[hush_moth]
name = "Hush Moth"
power = 2
keywords = ["SNEAKY", "POISONOUS"]
"""


def picture(page: Page, path: Path) -> None:
    """Write what is in sight."""
    keep(Image.open(io.BytesIO(page.screenshot())), path)


def play(page: Page, entry: str) -> None:
    """Play an entry between players who begin at once."""
    page.select_option("#entry", entry)
    page.select_option("#asked select[name=player]", "learned")
    page.locator("#go:not(:disabled)").click()
    page.locator(f"#live[data-entry={entry}] #next").wait_for()


def main(folder: Path) -> None:
    """Write the pictures."""
    with tempfile.TemporaryDirectory() as name, sync_playwright() as playwright:
        project = Path(name) / "my_project"
        project.mkdir()
        (project / "my_cards.toml").write_text(CARDS + _MORE)
        process, running = start(project)
        browser = playwright.chromium.launch(executable_path=CHROMIUM, args=["--no-sandbox"])
        try:
            for scheme in ("light", "dark"):
                context = browser.new_context(viewport=WINDOW, color_scheme=scheme)  # type: ignore[arg-type]
                running.let_in(context)
                page = context.new_page()
                page.set_default_timeout(600_000)
                page.goto(f"http://{running.host}{running.place}?start")
                page.locator(".examples").wait_for()
                page.evaluate("document.fonts.ready")
                picture(page, folder / f"studio_start_{scheme}.png")
                page.goto(f"http://{running.host}{running.place}?file=my_cards.toml")
                for one in ("glass_heron", "hush_moth", "marsh_lantern"):
                    play(page, one)
                page.locator("#whole").click()
                page.get_by_role("link", name="The page of my card").wait_for()
                page.locator(".steps .hint").wait_for()
                picture(page, folder / f"studio_{scheme}.png")
                if scheme == "light":
                    page.get_by_label("Text and form").check()
                    line = page.locator("[id='f:play:0']")
                    line.fill("the ")
                    line.press("Control+Space")
                    page.locator("#options li").first.wait_for()
                    picture(page, folder / "studio_form.png")
        finally:
            browser.close()
            end(process)


if __name__ == "__main__":
    main(Path(sys.argv[1]))
