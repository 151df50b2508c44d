"""Experiments in the studio: what was before, what each part does, what would be fairer."""

from __future__ import annotations

import re
import zipfile
from pathlib import Path
from typing import Any

from playwright.sync_api import Locator, Page, expect

from support.browser import NEEDS_BROWSER, PHONE, check_phone, unfold

from .conftest import CARDS, OpenStudio, Running, framed, save

pytestmark = NEEDS_BROWSER


def opened(page: Page, kind: str) -> Locator:
    """One of the experiments, or the versions, opened."""
    return unfold(page.locator(f"#{kind}"))


def test_a_change_against_the_version_before(
    open_studio: OpenStudio,
    running: Running,
    ask,
    tmp_path: Path,
    monkeypatch: Any,
) -> None:
    """The same games with the card as it was; the difference, the page, the diary, the command."""
    page = open_studio("before.toml", CARDS)
    page.select_option("#asked select[name=player]", "random")
    save(page, CARDS.replace("power = 5", "power = 9"))
    compare = opened(page, "compare")
    expect(compare.get_by_label("Before")).to_contain_text("Version 1")
    compare.get_by_label("Games").select_option("10000")
    compare.get_by_label("Why the change").fill("too <b>weak</b>")
    compare.get_by_role("button", name="Compare").click()
    sentence = page.locator("#compare-sentence")
    expect(sentence).to_contain_text("Against version 1: Marsh Lantern, power: 5 → 9; players")
    expect(compare.locator("tr.own")).to_contain_text("Marsh Lantern")
    expect(compare.locator("tr.own .dots.strong circle")).to_have_count(1)
    assert re.match(r"\+\d", compare.locator("tr.own td").first.inner_text())
    expect(page.locator("#compare-lines")).to_contain_text("too <b>weak</b>")
    diary = (running.folder / "diary.md").read_text()
    assert "**Why.** too" in diary and "Marsh Lantern, power: 5" in diary

    with page.context.expect_page() as opening:
        compare.get_by_role("link", name="The whole page").click()
    expect(framed(opening.value).locator("h1")).to_contain_text("Marsh Lantern")
    with page.expect_download() as saving:
        compare.get_by_role("link", name="Export").click()
    saving.value.save_as(tmp_path / "answer.zip")
    names = zipfile.ZipFile(tmp_path / "answer.zip").namelist()
    assert any(name.endswith("/tables/comparison.csv") for name in names)

    [folder] = running.folder.glob("runs/compare-first_contact+before-*")
    [line] = re.findall(r"fairdeal (compare .*)`", diary)
    monkeypatch.chdir(running.folder)
    answer = ask(*line.split())
    assert answer.status == 0 and folder.name in answer.out, "the command finds the same folder"

    page.reload()
    expect(sentence).to_contain_text("power: 5 → 9")


def test_versions_have_names_and_are_put_back(open_studio: OpenStudio, running: Running) -> None:
    """Each save is a version that says what changed; one is named, explained, and put back."""
    page = open_studio("past.toml", CARDS)
    second = CARDS.replace("power = 5", "power = 6")
    save(page, second)
    save(page, second.replace("gain 1 life", "gain 2 life"))
    rows = opened(page, "history").locator("tbody tr")
    expect(rows).to_have_count(3)
    expect(rows.nth(0)).to_contain_text("Play: Gain 1 life. → Play: Gain 2 life.")
    expect(rows.nth(1)).to_contain_text("power 5 → power 6")
    name = "<img src=x onerror=alert(1)>"
    page.get_by_label("Name of Version 1", exact=True).fill(name)
    page.get_by_label("Why Version 1", exact=True).fill("as in the first test")
    page.get_by_label("Why Version 1", exact=True).press("Tab")
    expect(page.locator("#compare .against")).to_contain_text(name)
    page.reload()
    opened(page, "history")
    expect(page.get_by_label(re.compile("^Why Version 1"))).to_have_value("as in the first test")
    assert page.locator("main img").count() == 0
    rows.nth(2).get_by_role("button", name="Put it back").click()
    expect(page.locator("#text")).to_have_value(CARDS)
    page.keyboard.press("Control+s")
    expect(rows).to_have_count(4)
    folder = running.folder / "history" / "past"
    kept = [(folder / str(one) / "past.toml").read_text() for one in (1, 2, 3, 4)]
    assert kept[0] == kept[3] == CARDS and kept[1] == second


def test_the_version_before_is_the_newest_one(open_studio: OpenStudio) -> None:
    """Each save makes another version the one before, unless somebody has chosen one."""
    page = open_studio("newest.toml", CARDS)
    page.select_option("#asked select[name=player]", "random")
    before = opened(page, "compare").get_by_label("Before")
    for power in (6, 7, 8):
        save(page, CARDS.replace("power = 5", f"power = {power}"))
        chosen = before.locator("option:checked")
        expect(chosen).to_contain_text(f"Version {power - 5} ")
    page.locator("#text").fill(CARDS.replace("power = 5", "power = 9"))
    page.locator("#compare").get_by_label("Games").select_option("10000")
    page.locator("#compare").get_by_role("button", name="Compare").click()
    expect(page.locator("#compare-sentence")).to_contain_text("Against version 4: Marsh Lantern")
    before.select_option("2")
    save(page, CARDS.replace("power = 5", "power = 10"))
    expect(before.locator("option")).to_have_count(5)
    expect(before.locator("option:checked")).to_contain_text("Version 2 ")


def test_trials_on_a_phone(open_studio: OpenStudio) -> None:
    """No experiment is wider than a phone, and whatever can be pressed has a name."""
    page = open_studio("small.toml", CARDS, viewport=PHONE)
    save(page, CARDS.replace("power = 5", "power = 6"))
    for part in page.locator("#trials details").all():
        unfold(part)
    check_phone(page)
