"""Pages in a real browser: Debian's Chromium, offline, without windows where there is that one."""

import io
import os
import re
import shutil
from collections.abc import Callable, Iterator
from typing import Any

import pytest
from playwright.sync_api import Locator, Page, expect
from pypdf import PageObject, PdfReader
from pypdf.generic import Destination

from support.spelling import odd_intervals

# The one without windows opens a page with a third of the work.
CHROMIUM = shutil.which("chromium-headless-shell") or shutil.which("chromium")
# Set by .ci/run, which installs the browser: there a missing one is a failure.
_REQUIRED = os.environ.get("FAIRDEAL_BROWSER") == "required"
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
#: Sizes of paper, the sheets that a page may take, and the lines of text that a sheet has below
#: a heading at least.
SIZES, MOST_SHEETS, LINES_BELOW = ("A4", "Letter"), 12, 3

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

#: Pixels of the smallest letters of a chart on a phone and in a window of half the usual width.
LEAST_LETTERS, SMALL_WINDOWS = 10, (390, 700)
# The smallest letters of each chart in pixels; the words of a chart of nothing are of the page.
_LETTERS = r"""
() => [...document.querySelectorAll("figure > svg")].map((svg) => {
  const sizes = [...svg.querySelectorAll(".label text")]
    .map((one) => parseFloat(getComputedStyle(one).fontSize));
  const box = svg.getBoundingClientRect(), drawn = svg.viewBox.baseVal;
  const scale = Math.min(box.width / drawn.width, box.height / drawn.height);
  const nothing = svg.viewBox.baseVal.height < 60 ? Infinity : 0;
  return [svg.getAttribute("aria-label"), sizes.length ? Math.min(...sizes) * scale : nothing];
})
"""

#: What an A4 page has room for in pixels of 1/96 inch, and the smallest letters on it: 6.75 points,
#: and 4.5 in charts.
SHEET, LEAST_PRINTED, LEAST_DRAWN = {"width": 710, "height": 1039}, 9.0, 6.0
# Texts in sight with smaller letters than that.
_SMALL_TEXT = """
(least) => [...document.querySelectorAll("body *")].filter((one) => one.offsetParent
  && [...one.childNodes].some((node) => node.nodeType === 3 && node.data.trim())
  && parseFloat(getComputedStyle(one).fontSize) < least - 0.01
).map((one) => `${one.localName}: ${one.textContent.slice(0, 40)}`)
"""

# What is in sight and scrolls, and can neither be focused nor has anything in it that can.
_OUT_OF_REACH = """
() => [...document.querySelectorAll("body *")].filter((one) => {
  const look = getComputedStyle(one);
  const moves = (overflow, inside, room) => ["auto", "scroll"].includes(overflow) && inside > room;
  return one.clientWidth && one.tabIndex < 0
    && !one.querySelector("a[href], button, input, select, [tabindex='0']")
    && (moves(look.overflowX, one.scrollWidth, one.clientWidth)
      || moves(look.overflowY, one.scrollHeight, one.clientHeight));
}).map((one) => `${one.localName}: ${one.textContent.slice(0, 40)}`)
"""

# What can be pressed or filled in, is in sight, and has no name.
_NAMELESS = """
() => [...document.querySelectorAll("button, select, input, textarea")].filter((one) =>
  one.checkVisibility() && !(one.ariaLabel || one.labels?.length || one.textContent.trim())
).map((one) => one.outerHTML)
"""

# Choices of lists in sight that have less room than they need; those that readers name are not.
_CUT = """
(named) => [...document.querySelectorAll(`select:not(${named})`)]
  .filter((one) => one.checkVisibility())
  .flatMap((one) => [...one.options].filter((option) => {
    const alone = one.cloneNode();
    Object.assign(alone.style, { position: "absolute", width: "max-content", maxWidth: "none" });
    alone.append(option.cloneNode(true));
    one.after(alone);
    const needed = alone.offsetWidth;
    alone.remove();
    return needed > one.offsetWidth;
  }).map((option) => option.text))
"""

# Where a sentence ends and another begins.
_NEXT_SENTENCE = re.compile(r"[a-z%)\d][.?!]\s+[A-Z\d]")


def nameless(page: Page) -> list[str]:
    """What can be pressed or filled in, is in sight, and has no name that is read out."""
    found: list[str] = page.evaluate(_NAMELESS)
    return found


def check_phone(page: Page) -> None:
    """Nothing is wider than a phone, light or dark, and whatever can be pressed has a name."""
    for scheme in ("light", "dark"):
        page.emulate_media(color_scheme=scheme)  # type: ignore[arg-type]
        assert page.evaluate("document.documentElement.scrollWidth") == PHONE["width"]
    assert nameless(page) == []


def cut_choices(page: Page) -> list[str]:
    """Choices of lists in sight that cannot be read whole, but for files, runs and versions."""
    found: list[str] = page.evaluate(_CUT, ":is(#file, [name=run], .against)")
    return found


def unfold(part: Locator) -> Locator:
    """Open a part that may be folded, and which the page itself may open at the same moment."""
    part.evaluate("(one) => { one.open = true; }")
    return part


def check_charts(page: Page) -> None:
    """Letters of every chart can be read in small windows, and none lies on another.

    Afterwards all tabs are in sight.
    """
    page.evaluate(
        "for (const one of document.querySelectorAll('main [hidden]')) one.hidden = false"
    )
    for width in SMALL_WINDOWS:
        page.set_viewport_size({"width": width, "height": 900})
        small = {name: size for name, size in page.evaluate(_LETTERS) if size < LEAST_LETTERS}
        assert small == {}, f"letters of charts in pixels, in a window of {width}"
        assert page.evaluate(_BAD_LABELS) == []
    unexplained = page.locator("figure:has(> svg):not(:has(> figcaption))")
    assert unexplained.count() == 0, "every chart says what was played"


# How many tables are wider than the panel that they lie in.
_STICKING_OUT = """(tables) => tables.filter((one) =>
  one.getBoundingClientRect().right > one.parentElement.getBoundingClientRect().right).length"""


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
    several = [text for text in told.locator("dd").all_inner_texts() if _NEXT_SENTENCE.search(text)]
    assert several == [], "the overview has a sentence for each finding"
    for width, height in WIDTHS.items():
        page.set_viewport_size({"width": width, "height": height})
        for scheme in ("light", "dark"):
            page.emulate_media(color_scheme=scheme)  # type: ignore[arg-type]
            assert page.evaluate("document.documentElement.scrollWidth") == width
        assert page.locator("#overview .chart > table").evaluate_all(_STICKING_OUT) == 0
        figure = page.locator("#overview figure").first
        if figure.count():  # the chart begins on the first screen
            box = figure.bounding_box()
            assert box is not None and box["y"] < height / 2
        if width > 1000:  # and beside it, what there is to know
            first = told.first.bounding_box()
            assert first is not None and first["y"] + first["height"] < height
    assert page.locator("td small", has_text="% to ").count() == 0, "one sign for both ends"
    page.emulate_media(media="print")
    assert odd_intervals(page.locator("body").inner_text()) == []
    page.set_viewport_size(SHEET)
    small = {name: size for name, size in page.evaluate(_LETTERS) if size < LEAST_DRAWN}
    assert small == {}, "letters of printed charts in pixels"
    assert page.evaluate(_SMALL_TEXT, LEAST_PRINTED) == []
    for size in SIZES:
        document = printed(page, size)
        assert len(document.pages) <= MOST_SHEETS, size
        assert document.outline, size
        assert not (found := orphans(document)), f"{size}: {found}"
    page.emulate_media(media="screen")
    check_keyboard(page)
    check_charts(page)


def check_keyboard(page: Page) -> None:
    """By keyboard alone every tab is opened, all that scrolls is reached, every table is sorted."""
    page.set_viewport_size(PHONE)  # where most scrolls
    tabs = page.locator("#contents [role=tab]")
    chosen = page.locator("#contents [aria-selected=true]")
    if tabs.count():
        chosen.focus()
        page.keyboard.press("Home")
    for place in range(max(tabs.count(), 1)):
        if place:
            page.keyboard.press("ArrowRight")
        if tabs.count():
            expect(chosen).to_be_focused()
            assert chosen.get_attribute("id") == tabs.nth(place).get_attribute("id")
            expect(page.locator(f"#{chosen.get_attribute('aria-controls')}")).to_be_visible()
        assert page.evaluate(_OUT_OF_REACH) == []
        for table in page.locator("table.sortable:visible").all():
            check_sorting(table, page)
        if tabs.count():
            chosen.focus()


def check_sorting(table: Locator, page: Page) -> None:
    """A key on the first heading of a table sorts it, and says so; again, the other way round."""
    heading = table.locator("thead th:has([role=button])").first
    heading.get_by_role("button").focus()
    for _ in range(2):
        before = heading.get_attribute("aria-sort")
        page.keyboard.press("Enter")
        if before:
            expect(heading).not_to_have_attribute("aria-sort", before)
        else:
            expect(heading).to_have_attribute("aria-sort", re.compile("ending$"))


def check_table(page: Page, tab: str, label: str, heading: str) -> None:
    """A table is reached, sorted, searched and filtered, and its columns chosen, by keyboard alone.

    ``heading`` is that of a column of whole numbers, by which it is sorted.
    """
    page.set_viewport_size({"width": 1400, "height": 900})
    page.locator("#contents").get_by_role("tab", name=tab).focus()
    page.keyboard.press("Enter")
    table = page.get_by_role("region", name=label).locator("table")
    above = table.locator("thead th", has_text=heading).first
    for direction in ("descending", "ascending"):
        above.get_by_role("button").focus()
        page.keyboard.press("Enter")
        expect(above).to_have_attribute("aria-sort", direction)
    place = table.locator("thead th").all_text_contents().index(above.text_content() or "")
    cells = table.locator(f"tbody td:nth-child({place + 1})").all_text_contents()
    assert [*map(int, cells)] == sorted(map(int, cells)) and len({*cells}) > 1
    rows, tools = table.locator("tbody tr"), page.get_by_role("form", name=f"Filters of: {label}")
    everything, first = rows.count(), rows.first.locator("th").text_content() or ""
    tools.get_by_role("searchbox").focus()
    page.keyboard.type(first)
    expect(rows).not_to_have_count(everything)
    expect(rows.filter(has_text=first).first).to_be_visible()
    verdict = tools.get_by_role("combobox", name="Verdict")
    for key in ("Tab", "Tab"):  # past the filter to the button that shows all again
        page.keyboard.press(key)
    page.keyboard.press("Enter")
    expect(rows).to_have_count(everything)
    page.keyboard.press("Shift+Tab")
    expect(verdict).to_be_focused()
    page.keyboard.press("ArrowDown")
    chosen = verdict.input_value()
    assert chosen
    expect(rows.filter(has_not_text=chosen)).to_have_count(0)
    page.keyboard.press("Tab")
    page.keyboard.press("Enter")
    expect(rows).to_have_count(everything)
    shown = table.locator("thead th").count()
    page.keyboard.press("Tab")
    page.keyboard.press("Enter")  # opens the list of columns
    page.keyboard.press("Tab")
    page.keyboard.press("Space")
    expect(table.locator("thead th")).to_have_count(shown - 1)
    page.keyboard.press("Space")
    expect(table.locator("thead th")).to_have_count(shown)


def printed(page: Page, size: str) -> PdfReader:
    """The page as it is printed on a size of paper, its headings as the outline."""
    return PdfReader(io.BytesIO(page.pdf(format=size, outline=True, tagged=True)))


def n_sheets(page: Page) -> int:
    """The sheets of paper that a page is printed on, A4 or Letter, whichever takes more."""
    return max(len(printed(page, size).pages) for size in SIZES)


def orphans(document: PdfReader) -> list[str]:
    """Headings whose section goes on overleaf after fewer than `LINES_BELOW` lines of text."""
    lines = [_lines(sheet) for sheet in document.pages]
    places = [
        (document.get_destination_page_number(one), float(one.top or 0), one.title)
        for one in _headings(document.outline)
    ]
    found = []
    for place, (sheet, top, title) in enumerate(places):
        assert sheet is not None
        below = sum(y < top for y in lines[sheet]) - 1  # one line is its own
        ends_here = place + 1 < len(places) and places[place + 1][0] != sheet
        if ends_here:
            following, its_top, _ = places[place + 1]
            ends_here = following == sheet + 1 and max(lines[following]) < its_top
        if below < LINES_BELOW and not (below and ends_here):
            found.append(f"{title} (sheet {sheet + 1})")
    return found


def _lines(sheet: PageObject) -> set[int]:
    """The heights of the lines of text on a sheet, in points from its lower edge."""
    found = set()

    def keep(text: str, matrix: list[float], line: list[float], *_: object) -> None:
        if text.strip():
            found.add(round(line[4] * matrix[1] + line[5] * matrix[3] + matrix[5]))

    sheet.extract_text(visitor_text=keep)
    return found


def _headings(outline: list[Any]) -> Iterator[Destination]:
    for one in outline:
        if isinstance(one, list):
            yield from _headings(one)
        else:
            yield one
