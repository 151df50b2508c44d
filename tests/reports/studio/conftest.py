"""One studio for all tests, and windows of a browser that are open at it."""

from __future__ import annotations

import tomllib
from collections.abc import Callable, Iterator
from functools import reduce
from operator import getitem
from typing import Any
from urllib.parse import urlsplit

import pytest
from playwright.sync_api import Browser, FrameLocator, Locator, Page, expect

from reports.mindbug.cli.steps import compile_engine
from support.studio import CARDS, QUICK_PROGRAM, Running, end, start

__all__ = [
    "BEES",
    "CARDS",
    "OpenStudio",
    "Running",
    "framed",
    "save",
    "taken",
    "takes_the_smallest_change",
]

#: A change of a card that every network knows, so that strong players need no lesson.
BEES = """name = "Other Bees"

[killer_bee]
name = "Killer Bee"
power = 4
keywords = ["HUNTER"]
copies = 2
play = "the opponent loses 1 life"
"""


def save(page: Page, text: str) -> None:
    """Write a file and save it."""
    page.locator("#text").fill(text)
    page.get_by_role("button", name="Save", exact=True).click()
    expect(page.locator("#saved")).to_have_text("Saved.")


def taken(page: Page, button: Locator) -> str:
    """The text of the editor after a change was taken into it."""
    before = page.locator("#text").input_value()
    button.click()
    expect(page.locator("#text")).not_to_have_value(before)
    return page.locator("#text").input_value()


def takes_the_smallest_change(page: Page, running: Running, *entry: str) -> None:
    """One press makes an entry in the editor what the verdict proposes.

    That is one edit of its line, which is not saved, and can be undone.
    """
    file = running.folder / page.evaluate("document.body.dataset.file")
    saved, run = file.read_text(), page.locator("[id='page-1'] small").inner_text()
    now = taken(page, page.get_by_role("button", name="Take it").first)
    texts = saved, now, (running.folder / run / "proposal.toml").read_text()
    before, after, proposed = (reduce(getitem, entry, tomllib.loads(one)) for one in texts)
    changed = [field for field in after if after[field] != before.get(field)]
    assert changed, "something is another value"
    assert all(after[field] == proposed[field] for field in changed)
    assert [line.partition("#")[2] for line in now.splitlines() if "#" in line] == [
        line.partition("#")[2] for line in saved.splitlines() if "#" in line
    ], "comments stay"
    expect(page.locator("#saved")).to_have_text("Not saved.")
    expect(page.locator("#faults")).to_contain_text("No fault found")
    assert file.read_text() == saved
    page.locator("#text").press("Control+z")
    expect(page.locator("#text")).to_have_value(saved)
    expect(page.locator("#saved")).to_have_text("Saved.")


def framed(page: Page) -> FrameLocator:
    """A page of a run in its frame."""
    return page.frame_locator("iframe")


@pytest.fixture(scope="session")
def running(tmp_path_factory: pytest.TempPathFactory) -> Iterator[Running]:
    """One studio for all tests; each has a card file of its own."""
    compile_engine(["search:16"])  # with the cache that the studio will use
    process, running = start(tmp_path_factory.mktemp("project"), program=QUICK_PROGRAM)
    yield running
    end(process)


#: Opens the studio in a new window at one of its files.
OpenStudio = Callable[..., Page]


@pytest.fixture(autouse=True)
def patience() -> Iterator[None]:
    """Where nothing is compiled yet, or others use the processors, an answer waits for that."""
    expect.set_options(timeout=300_000)
    yield
    expect.set_options(timeout=5_000)  # as it was


@pytest.fixture
def open_studio(browser: Browser, running: Running) -> Iterator[OpenStudio]:
    """Open a window; fails at the end if it asked another machine, or a script went wrong."""
    problems: list[str] = []
    contexts: list[Any] = []

    def opened(file: str = "", text: str | None = None, **settings: Any) -> Page:
        if text is not None:
            (running.folder / file).write_text(text)
        context = browser.new_context(**settings)
        contexts.append(context)
        page = context.new_page()
        page.on("console", lambda message: problems.append(f"console: {message.text}"))
        page.on("pageerror", lambda error: problems.append(f"error: {error}"))
        page.on("dialog", lambda dialog: problems.append(f"dialog: {dialog.message}"))
        page.on(
            "request",
            lambda one: (
                None
                if urlsplit(one.url).netloc == running.host or one.url.startswith("data:")
                else problems.append(f"asked: {one.url}")
            ),
        )
        page.set_default_timeout(300_000)
        running.let_in(context)
        page.goto(f"http://{running.host}{running.place}{f'?file={file}' if file else ''}")
        if text is not None:
            expect(page.locator("#text")).to_have_value(text)
        return page

    yield opened
    for context in contexts:
        context.close()
    running.rest()
    # A refusal, which some tests provoke, is told in the console as well.
    assert [one for one in problems if "Failed to load resource" not in one] == []
