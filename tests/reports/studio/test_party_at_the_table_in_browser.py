"""A cooperative game on the table in a real browser: rooms, a party, many options, told games."""

from __future__ import annotations

import io
import re

import pytest
from playwright.sync_api import Page, expect

from reports.mice_and_mystics.contract import REPORTS
from reports.play.sitting import Sitting
from reports.play.told import tell_moments
from support.browser import NEEDS_BROWSER, PHONE, check_phone
from support.studio import HERO

from .conftest import OpenStudio, Running
from .test_table_in_browser import AtTable

pytestmark = NEEDS_BROWSER


def sit_down(page: Page, running: Running, *, seed: int, seat: str = "all") -> AtTable:
    """Sit down with the hero of the page."""
    expect(page.locator("#go:not(:disabled)")).to_be_visible()
    page.get_by_label("The other mice are played by").select_option("category")
    page.get_by_label("Deal", exact=True).fill(str(seed))
    page.get_by_label("Seat").select_option(seat)
    page.get_by_role("button", name="Sit down").click()
    expect(page.locator("#question")).to_be_visible()
    found = AtTable(page, running.folder / "runs" / page.evaluate("document.body.dataset.play"))
    found.rest()
    return found


def until(table: AtTable, options: str) -> None:
    """Take the first option until there are some of a kind."""
    while not table.page.locator(options).count():
        table.take()


def play_out(table: AtTable) -> None:
    """Play the game to its end in the file, always by the first option, without the page."""
    sitting = Sitting(REPORTS.match(table.log), table.file.name)
    while sitting.question is not None:
        sitting.choose(0)
    table.file.write_bytes(sitting.log.seal())


def test_moves_by_keys_and_on_the_map(
    open_studio: OpenStudio,
    running: Running,
    ask,
    monkeypatch: pytest.MonkeyPatch,
) -> None:
    """Numbers of two digits, a press on a space, hint, take back, reload; the command goes on."""
    page = open_studio("party.toml", HERO)
    table = sit_down(page, running, seed=5)
    expect(page.locator("#what")).to_contain_text("you play all mice")
    room, nez = page.locator(".planned"), page.get_by_role("region", name="Nez Bellows")
    expect(room.get_by_role("img")).to_be_visible()
    expect(nez.locator("dl")).to_contain_text("Battle3")
    expect(nez.locator(".piece", has_text="Nez's Hammer")).to_be_visible()
    until(table, "[aria-label='Move to'] [aria-keyshortcuts='11']")
    table.press("h")
    expect(page.locator("#opinions")).to_contain_text("search:100 would choose")
    expect(page.locator("#thoughts")).to_have_count(0)

    question = page.locator("#question").inner_text()
    before = table.log.decisions
    table.press("1")
    expect(page.locator("#typed")).to_contain_text("1: Enter takes it")
    assert table.log.decisions == before
    table.press("0")
    assert table.log.decisions[-1][1] == 9
    expect(page.locator("#news p").first).to_contain_text(": move to ")
    table.press("u")
    expect(page.locator("#question")).to_have_text(question)
    for key in ("1", "Escape", "2", "Enter"):
        table.press(key)
    assert table.log.decisions[: len(before)] == before
    assert table.log.decisions[len(before)][1] == 1
    table.press("u")

    place = room.locator(".ring.may").last
    where = (place.text_content() or "").strip()
    place.click()
    table.rest()
    expect(page.locator("#news p").first).to_contain_text(f"move to {where}.")
    story, question = page.locator("#log").inner_text(), page.locator("#question").inner_text()
    drawn = room.get_by_role("img").get_attribute("aria-label")
    page.reload()
    expect(page.locator("#question")).to_have_text(question)
    expect(page.locator("#log")).to_have_text(story, use_inner_text=True)
    expect(room.get_by_role("img")).to_have_attribute("aria-label", drawn or "")

    monkeypatch.chdir(running.folder)
    monkeypatch.setattr("sys.stdin", io.StringIO("1\n"))
    played = table.log.decisions
    answer = ask("play", f"runs/{table.file.name}").done()
    assert "The game is kept." in answer.out
    assert table.log.decisions[: len(played) + 1] == (*played, (played[-1][0], 0))
    page.get_by_role("button", name="Another deal").click()
    expect(page.locator("#what")).not_to_contain_text("Deal 5.")
    expect(page.get_by_role("region", name="Nez Bellows")).to_be_visible()


def test_one_hero_among_others_is_told(
    open_studio: OpenStudio,
    running: Running,
    ask,
    monkeypatch: pytest.MonkeyPatch,
) -> None:
    """A person plays the hero of the file; the game is told to its end, and so is one of a run."""
    page = open_studio("alone.toml", HERO)
    table = sit_down(page, running, seed=3, seat="asked")
    expect(page.locator(".side.mine")).to_have_count(1)
    expect(page.locator(".side.mine h3")).to_contain_text("Nez Bellows")
    until(table, "#thoughts")
    table.press("t")
    expect(page.locator("#opinions")).to_contain_text("category rates no options here.")
    play_out(table)
    page.reload()
    expect(page.locator("#question")).to_have_text("The game is over")
    expect(page.locator("#ask .answer").first).to_contain_text("chapter is")
    page.get_by_role("link", name="Watch it move by move").click()
    moments = tell_moments(REPORTS.match(table.log), table.file.name)
    where, last = page.locator("#where"), len(moments) - 1
    expect(where).to_have_text(f"Move 1 of {last}")
    for number in (2, 3):
        table.press("ArrowRight")
        expect(where).to_have_text(f"Move {number} of {last}")
        move = moments[number - 1].move
        assert move is not None
        expect(page.locator("#question")).to_have_text(move.asked)
        expect(page.locator("#chosen")).to_have_text(move.options[move.chosen].whole)
        expect(page.locator(".told .chosen")).to_have_count(1)
    table.press("End")
    expect(page.locator("#news")).to_contain_text("chapter is")

    page.get_by_role("link", name="Back to the studio").click()
    expect(page.locator("#games-list")).to_contain_text("together with category")
    assert table.log.record is not None
    end = "won" if table.log.record["outcome"] == 1 else "lost"
    expect(page.locator("#games-list")).to_contain_text(f"· you {end}")
    monkeypatch.chdir(running.folder)
    game = "simulate", "ch1_flight_to_barksburg+alone.toml", "--policy", "category"
    assert ask(*game, "--games", 8, "--out", "runs/few").status == 0
    page.goto(f"http://{running.host}{running.place}table?run=few&number=7")
    expect(where).to_contain_text("Move 1 of")
    expect(page.locator("#what")).to_have_text(re.compile(r"^Game 7: .+, .*category.* · runs/few$"))
    expect(page.locator(".planned").get_by_role("img")).to_be_visible()


def test_a_party_on_a_phone(open_studio: OpenStudio, running: Running) -> None:
    """Nothing is wider than a phone, names are text, and what is decided is near the room."""
    name = "<img src=x onerror=alert(1)>"
    text = HERO.replace("Nez Bellows", name)
    page = open_studio("phone_party.toml", text, viewport=PHONE)
    table = sit_down(page, running, seed=6)
    until(table, ".group .option")
    check_phone(page)
    expect(page.locator(".side.mine").filter(has_text=name)).to_have_count(1)
    assert page.locator("main img").count() == 0
    tops = [
        page.locator(one).first.evaluate("(e) => e.getBoundingClientRect().top")
        for one in (".planned", "#question", ".narrow")
    ]
    assert tops == sorted(tops)
