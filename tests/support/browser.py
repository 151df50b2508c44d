"""Pages in a real browser: Debian's Chromium, offline."""

from __future__ import annotations

import os
import re
import shutil
from collections.abc import Callable

import pytest
from playwright.sync_api import Page

CHROMIUM = shutil.which("chromium")
# Set by .ci/run, which installs the browser: there a missing one is a failure.
_REQUIRED = os.environ.get("BALANCELAB_BROWSER") == "required"
#: Mark of tests that open pages.
NEEDS_BROWSER = pytest.mark.skipif(
    CHROMIUM is None and not _REQUIRED,
    reason="the pages in a browser (install chromium to try them)",
)
PHONE = {"width": 375, "height": 740}

#: Opens a file in the browser: see the fixture ``open_file``.
Open = Callable[..., Page]

#: Windows of a laptop, of a large screen and of a phone.
WIDTHS = {1400: 900, 1920: 1080, 390: 844}
#: Sheets of paper that a page may take.
MOST_SHEETS = 12

# Texts of charts in sight that lie on one another, or beyond the edge of their chart.
_BAD_LABELS = """
() => [...document.querySelectorAll("figure > svg")].flatMap((svg) => {
  const frame = svg.getBoundingClientRect();
  const boxes = [...svg.querySelectorAll("g.label")]
    .map((one) => one.getBoundingClientRect()).filter((box) => box.width);
  const shared = (a, b) => Math.min(
    Math.min(a.right, b.right) - Math.max(a.left, b.left),
    Math.min(a.bottom, b.bottom) - Math.max(a.top, b.top));
  return boxes.flatMap((box, place) => [
    ...(box.left < frame.left - 1 || box.right > frame.right + 1 ? ["beyond the edge"] : []),
    ...boxes.slice(place + 1).filter((other) => shared(box, other) > 1).map(() => "on another"),
  ]).map((what) => `${svg.getAttribute("aria-label")}: ${what}`);
})
"""


def check_frame(page: Page) -> None:
    """What holds of every page: the finding first, nothing too wide, no label on another.

    It is looked at in each window, light and dark, and as it is printed.
    """
    assert [*page.locator("body > *").evaluate_all("(all) => all.map((one) => one.localName)")] == [
        "header",
        "nav",
        "main",
        "script",
    ]
    assert page.locator("header > :not(h1, .played, button)").count() == 0
    told = page.locator("#overview .told > .findings > div")
    assert 1 <= told.count() <= 5
    for width, height in WIDTHS.items():
        page.set_viewport_size({"width": width, "height": height})
        for scheme in ("light", "dark"):
            page.emulate_media(color_scheme=scheme)  # type: ignore[arg-type]
            assert page.evaluate("document.documentElement.scrollWidth") == width
        figure = page.locator("#overview figure").first
        if figure.count():  # the chart begins on the first screen
            box = figure.bounding_box()
            assert box is not None and box["y"] < height / 2
        if width > 1000:  # and beside it, what there is to know
            first = told.first.bounding_box()
            assert first is not None and first["y"] + first["height"] < height
    page.emulate_media(media="print")
    assert page.evaluate(_BAD_LABELS) == []
    assert (n := n_sheets(page)) <= MOST_SHEETS, f"{n} sheets"
    page.emulate_media(media="screen")


def n_sheets(page: Page) -> int:
    """The sheets of paper that a page is printed on."""
    return len(re.findall(rb"/Type\s*/Page\b", page.pdf(format="A4")))
