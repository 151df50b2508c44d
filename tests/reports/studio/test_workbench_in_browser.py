"""The workbench in a real browser: examples, one's cards with their results, steps, pictures."""

from __future__ import annotations

import re
from contextlib import suppress
from itertools import product
from pathlib import Path

import pytest
from playwright.sync_api import Error, expect

from reports.studio import results
from reports.studio.bench import Face
from support.accessible import faults_of
from support.browser import NEEDS_BROWSER, nameless

from .conftest import BEES, OpenStudio, Running

pytestmark = NEEDS_BROWSER

FILE = "bees.toml"


@pytest.fixture
def played(running: Running) -> Path:
    """A file of which a verdict is known, with one change that it has tried."""
    from reports.mindbug.studio.bench import BENCH

    [face] = BENCH.check(BEES, FILE).faces
    stronger = BENCH.check(BEES.replace("power = 4", "power = 5"), FILE).faces[0]

    def result(of: Face, at: float, word: str, **more: object) -> results.Result:
        ends = {"low": at - 0.004, "at": at, "high": at + 0.004}
        value, said = f"{100 * at:.1f}%", f"{100 * at - 0.4:.1f} to {100 * at + 0.4:.1f}%"
        return results.Result(
            entry="killer_bee", said=results.said_by(of), value=value, ends=said, word=word,
            ground=(0.4, 0.6), fair=(0.48, 0.52), games=8000, player="expert", **ends, **more,  # type: ignore[arg-type]
        )  # fmt: skip

    estimate = result(stronger, 0.541, "too strong", tried=True, change="power 4 → 5")
    folder = running.folder / "history" / "bees"
    results.keep(folder, [result(face, 0.502, "fair"), estimate])
    return folder


def test_an_example_is_played_with_one_press(open_studio: OpenStudio, running: Running) -> None:
    """From the first screen to an answer; the file is there afterwards, and is used again."""
    page = open_studio()
    page.goto(page.url + "?start")
    expect(page.get_by_role("heading", name="Is your card fair?")).to_be_visible()
    assert page.locator(".examples article").count() == 3
    # The players of the first impression are enough here; the lesson of the others takes long.
    page.evaluate("sessionStorage.setItem('choices of mindbug', '{\"player\": \"learned\"}')")
    page.get_by_role("button", name="Play Marsh Lantern").click()
    expect(page.locator("#sentence")).to_contain_text("Marsh Lantern is too weak")
    expect(page.locator("#chip")).to_contain_text("▼ too weak")
    expect(page.locator(".mine .chip").first).to_be_visible()  # while games are played
    with suppress(Error):  # it may have ended by itself
        page.locator("#stop").click(timeout=1_000)
    expect(page.locator(".mine .chip.weak")).to_be_visible()  # kept, and shown in the list
    assert "[marsh_lantern]" in (running.folder / "marsh_lantern.toml").read_text()
    page.goto(page.url.partition("?")[0] + "?start")
    page.get_by_role("link", name="marsh_lantern.toml").click()
    expect(page.locator("#standing .number")).to_contain_text("%")


@pytest.mark.usefixtures("played")
def test_an_estimate_follows_the_steps(open_studio: OpenStudio) -> None:
    """One step more on the card is a change of the text, and shows what the verdict had tried."""
    page = open_studio(FILE, BEES)
    expect(page.locator(".mine .chip.fair")).to_contain_text("✓ fair")
    expect(page.locator("#standing .number strong")).to_have_text("50.2%")
    more = page.get_by_role("button", name="Power: one more")
    expect(more.locator("xpath=following-sibling::small")).to_have_text("54.1%")
    more.click()
    expect(page.locator("#text")).to_have_value(re.compile("power = 5"))
    expect(page.locator("#standing .number strong")).to_have_text("54.1%")
    expect(page.locator("#standing .chip")).to_have_text("estimate: too strong")
    expect(page.locator(".mine .guess circle")).to_be_visible()
    more.click()
    expect(page.locator(".mine .chip")).to_have_text("before your change")
    expect(page.locator("#standing")).to_contain_text("By the price list of First Contact")
    for _ in range(2):
        page.get_by_role("button", name="Power: one less").click()
    expect(page.locator("#text")).to_have_value(BEES)
    page.locator("#card").get_by_label("SNEAKY").check()
    expect(page.locator("#text")).to_have_value(re.compile(r'keywords = \["HUNTER", "SNEAKY"\]'))
    expect(page.locator(".printed .foot")).to_contain_text("HUNTER SNEAKY")


@pytest.mark.usefixtures("played")
def test_a_verdict_is_shared_as_a_picture(open_studio: OpenStudio, tmp_path: Path) -> None:
    """As an SVG with real text, and as a PNG of twice its size."""
    page = open_studio(FILE, BEES)
    for kind, begins in (("SVG", b"<svg "), ("PNG", b"\x89PNG")):
        with page.expect_download() as saving:
            page.get_by_role("link", name=kind, exact=True).click()
        saving.value.save_as(place := tmp_path / kind)
        assert saving.value.suggested_filename == f"killer_bee.{kind.lower()}"
        data = place.read_bytes()
        assert data.startswith(begins)
        if kind == "PNG":
            assert [int.from_bytes(data[at : at + 4]) for at in (16, 20)] == [2400, 1260]
        else:
            assert "Killer Bee is fair" in data.decode()


def test_a_new_card_is_one_press(open_studio: OpenStudio) -> None:
    """It stands in the text, in the list, and is what is asked about."""
    page = open_studio("fresh.toml", BEES)
    page.locator(".new-entry").first.click()
    expect(page.locator("#text")).to_have_value(re.compile(r"\[new_creature\]"))
    expect(page.locator(".mine tr.own")).to_contain_text("New creature")
    expect(page.locator(".printed strong")).to_have_text("New creature")
    page.locator(".new-entry").first.click()
    expect(page.locator(".mine tr.own")).to_contain_text("New creature 2")
    expect(page.locator("#faults")).to_contain_text("No fault found")
    page.locator(".mine").get_by_role("button", name="Killer Bee").click()
    expect(page.locator(".printed strong")).to_have_text("Killer Bee")
    undo = page.get_by_role("button", name="Undo")
    undo.click()  # all that was typed since the last save
    expect(page.locator("#text")).to_have_value(BEES)
    expect(page.locator(".mine tbody tr")).to_have_count(1)
    expect(undo).to_be_disabled()
    page.get_by_role("button", name="Redo").click()
    expect(page.locator(".mine tr.own, .mine tbody tr")).to_have_count(3)


def test_the_list_is_sorted(open_studio: OpenStudio) -> None:
    """A press on its heading turns the order; the file stays as it is."""
    page = open_studio("order.toml", BEES)
    head = page.locator(".mine thead .n")
    for order in ("descending", "ascending", None):
        page.locator("#sort").click()
        if order:
            expect(head).to_have_attribute("aria-sort", order)
        else:
            expect(head).not_to_have_attribute("aria-sort", re.compile("."))
    expect(page.locator("#saved")).to_have_text("Saved.")


def test_all_cards_are_played_with_one_press(open_studio: OpenStudio, running: Running) -> None:
    """Each of one's own gets its result; what is asked about stays what it was."""
    text = BEES + '\n[axolotl_healer]\nname = "Axolotl Healer"\npower = 8\nplay = "gain 2 life"\n'
    page = open_studio("all.toml", text)
    page.locator(".mine").get_by_role("button", name="Killer Bee").click()
    page.select_option("#asked select[name=player]", "random")
    page.get_by_role("button", name="Play all").click()
    expect(page.locator(".mine tbody .n")).to_have_count(2)
    expect(page.locator("#entry")).to_have_value("killer_bee")
    with suppress(Error):  # it may have ended by itself
        page.locator("#stop").click(timeout=1_000)
    expect(page.locator("#next")).to_be_visible()
    kept = results.known(running.folder / "history" / "all")
    assert set(kept) == {"killer_bee", "axolotl_healer"}


@pytest.mark.usefixtures("played")
def test_everybody_can_use_it(open_studio: OpenStudio) -> None:
    """Nothing is wider than the window or has no name, and axe-core finds nothing serious."""
    page = open_studio(FILE, BEES)
    expect(page.locator("#standing .number")).to_be_visible()
    for place in ("", "?start"):
        if place:
            page.goto(page.url.partition("?")[0] + place)
        for width, scheme in product((1400, 1024, 390), ("light", "dark")):
            page.set_viewport_size({"width": width, "height": 900})
            page.emulate_media(color_scheme=scheme)  # type: ignore[arg-type]
            assert page.evaluate("document.documentElement.scrollWidth") == width
            assert nameless(page) == []
            assert faults_of(page) == [], (place, width, scheme)
