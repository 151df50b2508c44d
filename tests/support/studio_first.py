"""How long after the press of Play the studio shows an interval for an entry that is new to it.

``python -m support.studio_first TURNS`` starts a studio in an empty folder and presses Play in a
browser without a window.  A card of Mindbug is first judged by players who begin at once, then by
experts, who first learn it; a hero of Mice & Mystics is judged by players who need no lesson.  Each
turn has another card and another hero.  It prints a row for each, after one that compiles what is
not compiled yet, and how busy the machine was.
"""

import os
import sys
import tempfile
import time
from pathlib import Path

from playwright.sync_api import Page, expect, sync_playwright

from support.browser import CHROMIUM
from support.studio import CARDS, HERO, Running, start


def seconds(page: Page, running: Running, file: str, text: str, *shown: str) -> list[float]:
    """Play what a file holds; after how many seconds the page names each of the players."""
    (running.folder / file).write_text(text)
    page.goto(f"http://{running.host}{running.place}?file={file}")
    go = page.locator("#go:not(:disabled)")
    expect(go).to_be_visible()
    begun = time.monotonic()
    go.click()
    expect(page.locator("#of")).to_contain_text(file)
    found = []
    for words in shown:
        expect(page.locator("#who")).to_contain_text(words)
        found.append(time.monotonic() - begun)
    running.rest()
    return found


def main(turns: int) -> None:
    """Play a card and a hero in each turn, and print after how many seconds there was an answer."""
    with tempfile.TemporaryDirectory() as name, sync_playwright() as playwright:
        process, running = start(Path(name))
        browser = playwright.chromium.launch(executable_path=CHROMIUM, args=["--no-sandbox"])
        expect.set_options(timeout=600_000)
        try:
            page = browser.new_page()
            running.let_in(page.context)
            print("| Turn | Card, learned | Card, expert | Hero | Load of the machine |")
            print("|---:|---:|---:|---:|---:|", flush=True)
            for turn in range(turns + 1):
                card = CARDS.replace("power = 5", f"power = {turn + 2}")
                players = "between learned players", "between expert players"
                waits = seconds(page, running, f"card_{turn}.toml", card, *players)
                hero = HERO.replace("life = 4", f"life = {turn + 2}")
                waits += seconds(page, running, f"hero_{turn}.toml", hero, "played by learned")
                told = " | ".join(f"{one:.1f} s" for one in waits)
                print(f"| {turn or 'first'} | {told} | {os.getloadavg()[0]:.1f} |", flush=True)
        finally:
            browser.close()
            process.kill()
            process.communicate()


if __name__ == "__main__":
    main(int(sys.argv[1]))
