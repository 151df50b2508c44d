"""The pages of experiments in a real browser: nothing wider than the window, no word torn apart."""

from __future__ import annotations

from pathlib import Path

import pytest

from reports.cli.app import run
from reports.kit.page import page_template
from support.browser import NEEDS_BROWSER, PHONE, Open, check_frame

pytestmark = [NEEDS_BROWSER, pytest.mark.usefixtures("rendered")]

CARDS = """
name = "My Cards"

[sharky_choir]
name = "<b>Choir-Dog-Mummypus of the Deep"
power = 9
keywords = ["POISONOUS", "SNEAKY"]
play = "gain 3 life"
attack = "set your life to 3"
"""
GAMES = "--games", "60", "--policy", "random"
#: What plays each page: the arguments of the command, and the name of the page.
PAGES = {
    "sensitivity of one card": (
        ("sensitivity", "sharky_choir", "--pool", "pool.toml", *GAMES),
        "sensitivity.html",
    ),
    "sensitivity of all": (
        ("sensitivity", "all", "--pool", "pool.toml", "--changes", "power,keywords", *GAMES),
        "sensitivity.html",
    ),
    "rebalance": (
        ("rebalance", "--pool", "pool.toml", "--only", "sharky_choir", "--changes", "keywords",
         "--games", "1000", "--confirm", "2000", "--policy", "random"),
        "rebalance.html",
    ),
    "ladder": (
        ("ladder", "first_contact", "--players", "random,random@0.5", "--games", "20"),
        "ladder.html",
    ),
    "restrict": (("restrict", "first_contact", *GAMES), "restrict.html"),
    "train": (
        ("train", "first_contact", "--generations", "1", "--population", "4", "--games", "2"),
        "train.html",
    ),
    "compare": (("compare", "first_contact", "cards.toml", *GAMES), "compare.html"),
}  # fmt: skip

# The words of tables that are written on more than one line; one may break after a hyphen.
TORN = r"""
() => [...document.querySelectorAll("table")].flatMap((table) => {
  const torn = [];
  const texts = document.createTreeWalker(table, NodeFilter.SHOW_TEXT);
  while (texts.nextNode()) {
    const text = texts.currentNode;
    for (const word of text.data.matchAll(/[^\s-]+-?/g)) {
      const range = document.createRange();
      range.setStart(text, word.index);
      range.setEnd(text, word.index + word[0].length);
      const lines = new Set([...range.getClientRects()].map((box) => Math.round(box.top)));
      if (lines.size > 1) torn.push(word[0]);
    }
  }
  return torn;
})
"""


@pytest.fixture(scope="module", params=PAGES)
def page_file(request: pytest.FixtureRequest, tmp_path_factory: pytest.TempPathFactory) -> Path:
    """A page, played."""
    folder = tmp_path_factory.mktemp("experiment")
    (folder / "cards.toml").write_text(CARDS)
    (folder / "pool.toml").write_text('sets = ["first_contact", "cards.toml"]\n')
    arguments, name = PAGES[request.param]
    with pytest.MonkeyPatch.context() as patch:
        patch.chdir(folder)
        assert run([*arguments, "--out", "out"]) == 0
    return folder / "out" / name


def test_page_without_tabs_shows_everything(open_file: Open, tmp_path: Path) -> None:
    """Sections that no tab leads to are in sight, and there is no bar with a single tab."""
    other = [("a folder", "not a run")]
    page = page_template("runs.html").render(
        title="Runs", played="1 folder", findings=[], groups=[], cards=[], others=other
    )
    (tmp_path / "page.html").write_text(page)
    shown = open_file(tmp_path / "page.html")
    assert shown.locator("#others").is_visible() and shown.locator("#overview").is_visible()
    assert not shown.locator("#contents").is_visible()


def test_page_has_the_frame_of_all_pages(open_file: Open, page_file: Path) -> None:
    """The finding and its chart come first, a hostile name is text, and all fits the windows.

    On a phone and in a wide window no word of a table is torn apart.
    """
    page = open_file(page_file)
    check_frame(page)
    assert page.locator("b").count() == 0
    for width in (PHONE["width"], 1400):  # with all tabs in sight
        page.set_viewport_size({"width": width, "height": 740})
        assert page.locator("main table:visible").count() > 0
        assert page.evaluate(TORN) == []
