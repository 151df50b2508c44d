"""The studio in use for an hour: whether memory stays flat, and how soon a key press is answered.

``python -m support.studio_hour MINUTES`` starts a studio in an empty folder, opens it in a browser
without a window and repeats what a designer does, once a minute: change the power of a card and
save, play, stop, go on, compare with the version before, open the versions, and play a game at the
table in a second window.  The page is loaded again only every tenth minute, so that what it holds
on to is seen.  It prints a table with a row a minute.
"""

import sys
import tempfile
import time
from pathlib import Path
from typing import NamedTuple

from playwright.sync_api import CDPSession, Page, expect, sync_playwright

from support.browser import CHROMIUM, unfold
from support.studio import CARDS, Running, start

FILE = "mine.toml"
#: A turn of the designer takes a minute; the page is loaded again after so many, and after so many
#: the games are played to their end.
TURN, TURNS_TO_A_RELOAD, TURNS_TO_AN_END = 60, 10, 15
#: Who plays, one after the other; experts first learn the new card.
PLAYERS = ("learned", "expert")
#: Seconds of playing before each press of Stop, and moves at the table.
SECONDS, MOVES = 3, 6

# Notes how long after the next key press the letter is painted, and the card's text shows it.
_WATCH = """
(shown) => {
  window.answered = null;
  addEventListener("keydown", ({ timeStamp }) => {
    let painted = null;
    const look = () => {
      painted ??= performance.now() - timeStamp;
      if (document.getElementById("faces").textContent.includes(shown))
        window.answered = [painted, performance.now() - timeStamp];
      else requestAnimationFrame(look);
    };
    requestAnimationFrame(look);
  }, { once: true, capture: true });
}
"""


class Minute(NamedTuple):
    """What was seen in a minute: memory in MB, nodes of the page, waits in milliseconds."""

    minute: float
    server: float
    page: float
    nodes: int
    #: From a key press to the letter on the screen, and to the card's text, while games are played.
    letter: float
    text: float

    def __str__(self) -> str:
        return (
            f"| {self.minute:.0f} | {self.server:.0f} | {self.page:.1f} | {self.nodes:,} |"
            f" {self.letter:.0f} | {self.text:.0f} |"
        )


HEADINGS = """| Minute | Server, MB | Page, MB | Nodes | Key to letter, ms | Key to card text, ms |
|---:|---:|---:|---:|---:|---:|"""


def resident(process: int) -> float:
    """The resident memory of a process in MB."""
    pages = int(Path(f"/proc/{process}/statm").read_text().split()[1])
    return pages * 4096 / 1e6


def held(page: CDPSession) -> tuple[float, int]:
    """What a page holds on to after its rubbish was collected: MB of its heap, and nodes."""
    page.send("HeapProfiler.collectGarbage")
    found = {one["name"]: one["value"] for one in page.send("Performance.getMetrics")["metrics"]}
    return found["JSHeapUsedSize"] / 1e6, int(found["Nodes"])


class Designer:
    """Somebody at work in the page of a studio."""

    def __init__(self, page: Page, running: Running) -> None:
        self.page, self._running = page, running
        self.cdp = page.context.new_cdp_session(page)
        self.cdp.send("Performance.enable")
        page.context.set_default_timeout(300_000)
        running.let_in(page.context)
        page.goto(f"http://{running.host}{running.place}?file={FILE}")
        self._open()

    def _open(self) -> None:
        """Open the versions and the comparison."""
        expect(self.page.locator("#go:not(:disabled)")).to_be_visible()
        for part in ("history", "compare"):
            unfold(self.page.locator(f"#{part}"))

    def _press(self, button: str) -> None:
        self.page.get_by_role("button", name=button, exact=True).first.click()

    def change(self, power: int) -> None:
        """Give the card another power, and save."""
        self.page.locator("#text").fill(CARDS.replace("power = 5", f"power = {power}"))
        self._press("Save")
        expect(self.page.locator("#saved")).to_have_text("Saved.")

    def play(self, player: str, *, to_the_end: bool) -> tuple[float, float]:
        """Play, type meanwhile, stop, go on; how long the key took, see `Minute`."""
        self.page.select_option("#asked select[name=player]", player)
        self._press("Play")
        stop = self.page.locator("#stop")
        expect(stop).to_be_visible()
        self.page.wait_for_timeout(1000 * SECONDS)
        waits = self._key()
        self._stop()
        go_on = self.page.get_by_role("button", name="Go on").first
        if go_on.is_visible():
            go_on.click()
            self.page.wait_for_timeout(1000 * SECONDS)
            if to_the_end:
                expect(stop).to_have_count(0)
            self._stop()
        return waits

    def _stop(self) -> None:
        """Stop what is played, unless it has ended."""
        self._running.rest()
        expect(self.page.locator("#stop")).to_have_count(0)

    def _key(self) -> tuple[float, float]:
        """Make the power ten times as high with a key, and take that back."""
        text = self.page.locator("#text")
        before = text.input_value()
        end = before.index("\n", before.index("power = "))
        text.focus()
        text.evaluate("(one, end) => one.setSelectionRange(end, end)", end)
        power = before[before.index("power = ") + 8 : end]
        self.page.evaluate(_WATCH, f"power {power}0")
        self.page.keyboard.press("0")
        while (found := self.page.evaluate("window.answered")) is None:
            self.page.wait_for_timeout(50)
        letter, shown = found
        self.page.keyboard.press("Backspace")
        expect(text).to_have_value(before)
        return letter, shown

    def compare(self) -> None:
        """Compare with the version before for some seconds."""
        part = self.page.locator("#compare")
        part.get_by_role("button", name="Compare").click()
        self.page.wait_for_timeout(1000 * SECONDS)
        self._stop()

    def sit_down(self) -> None:
        """Begin a game in a second window, make some moves, and leave."""
        table = self.page.context.new_page()
        table.goto(self.page.url)
        table.select_option("#sit [name=player]", "learned")
        table.get_by_role("button", name="Sit down").click()
        expect(table.locator("#question")).to_be_visible()
        for _ in range(MOVES):
            expect(table.locator("#side[aria-busy]")).to_have_count(0)
            if table.locator(".option").count():
                table.locator(".option").first.click()
        table.close()

    def reload(self) -> None:
        """Load the page again."""
        self.page.reload()
        self._open()


def main(minutes: int) -> None:
    """Work for so many minutes, and print what was seen after each turn."""
    with tempfile.TemporaryDirectory() as name, sync_playwright() as playwright:
        folder = Path(name)
        (folder / FILE).write_text(CARDS)
        process, running = start(folder)
        browser = playwright.chromium.launch(executable_path=CHROMIUM, args=["--no-sandbox"])
        expect.set_options(timeout=300_000)
        try:
            designer = Designer(browser.new_context().new_page(), running)
            print(HEADINGS, flush=True)
            begun, turn = time.monotonic(), 0
            while (passed := time.monotonic() - begun) < 60 * minutes:
                turn += 1
                designer.change(2 + turn % 7)
                waits = designer.play(
                    PLAYERS[turn % len(PLAYERS)], to_the_end=turn % TURNS_TO_AN_END == 3
                )
                designer.compare()
                designer.sit_down()
                if turn % TURNS_TO_A_RELOAD == 0:
                    designer.reload()
                row = Minute(passed / 60, resident(process.pid), *held(designer.cdp), *waits)
                print(row, flush=True)
                time.sleep(max(0, passed + TURN - (time.monotonic() - begun)))
        finally:
            browser.close()
            process.kill()
            process.communicate()


if __name__ == "__main__":
    main(int(sys.argv[1]))
