"""Changes that the studio tries: rows that fill, a front to choose from, versions side by side."""

from __future__ import annotations

import re
from typing import Any

from playwright.sync_api import Locator, Page, expect

from simcore.work.parts import read_manifest
from support.browser import NEEDS_BROWSER, PHONE, check_phone, unfold

from .conftest import BEES, CARDS, OpenStudio, Running, save, taken

pytestmark = NEEDS_BROWSER


def trial(page: Page, kind: str, player: str = "random") -> Locator:
    """An experiment, opened, with players who need no lesson."""
    page.select_option("#asked select[name=player]", player)
    return unfold(page.locator(f"#{kind}"))


def command_of(page: Page, kind: str, running: Running) -> list[str]:
    """The words of the command on the page of an experiment."""
    run = page.locator(f"#{kind}-page small").inner_text()
    [written] = running.folder.joinpath(run).glob("*.html")
    [line] = re.findall(r"fairdeal (sensitivity [^<]*|rebalance [^<]*)<", written.read_text())
    return line.split()


def test_what_each_part_of_a_card_does(
    open_studio: OpenStudio, running: Running, ask, monkeypatch: Any
) -> None:
    """Rows of all changes, each with a button; comments stay; the command finds the folder."""
    text = CARDS.replace("power = 5", "power = 4  # mine")
    page = open_studio("parts.toml", text)
    part = trial(page, "sensitivity")
    part.get_by_label("Games").select_option("2000")
    part.get_by_role("button", name="Try changes").click()
    link = part.get_by_role("link", name="The whole page")
    expect(link).to_be_visible()
    rows = page.locator("#sensitivity-chart tbody tr")
    expect(rows.filter(has_text="not played yet")).to_have_count(0)
    expect(rows.locator("circle")).to_have_count(rows.count())
    stronger = rows.filter(has_text="power +2 (6)")
    assert re.match(r"[+−]\d+\.\d\d$", stronger.locator("td").first.inner_text())
    expect(page.locator("#sensitivity-lines")).to_contain_text("Worth: Players dealt Marsh Lantern")
    now = taken(page, stronger.get_by_role("button"))
    assert now == text.replace("power = 4  #", "power = 6  #")
    now = taken(page, rows.filter(has_text="without “Play").get_by_role("button"))
    assert now == text.replace('play = "gain 1 life"\n', "")

    page.locator("#text").fill("[")
    rows.first.locator("xpath=following-sibling::tr[1]").get_by_role("button").click()
    expect(page.locator("#trouble")).to_contain_text("correct what is wrong in parts.toml first")
    words = command_of(page, "sensitivity", running)
    before = sorted(running.folder.glob("runs/sensitivity-*"))
    monkeypatch.chdir(running.folder)
    assert ask(*words).status == 0
    assert sorted(running.folder.glob("runs/sensitivity-*")) == before


def test_a_map_that_fills(open_studio: OpenStudio, running: Running) -> None:
    """All cards by changes: stopped and reloaded in the middle, gone on with, taken from."""
    page = open_studio("map.toml", BEES)
    page.select_option("#entry", "")
    part = trial(page, "sensitivity", "learned")
    part.get_by_label("Changes").select_option("power")
    part.get_by_label("Games").select_option("2000")
    part.get_by_role("button", name="Try changes").click()
    cells = page.locator("#sensitivity-map .put")
    expect(cells.first).to_be_visible()
    part.get_by_role("button", name="Stop").click()
    expect(page.locator("#sensitivity-state")).to_contain_text("What is finished is kept")
    said = page.locator("#sensitivity-sentence").inner_text()
    n = cells.count()
    assert n > 0 and re.match(r"\d+ of \d+ changes are played", said)
    page.reload()
    expect(page.locator("#sensitivity-sentence")).to_have_text(said)
    expect(cells).to_have_count(n)
    expect(page.locator("#sensitivity-map .unknown").first).to_be_visible()
    part.get_by_role("button", name="Go on").click()
    expect(part.get_by_role("link", name="The whole page")).to_be_visible()
    expect(page.locator("#sensitivity-map .unknown")).to_have_count(0)
    own = page.locator("#sensitivity-map tbody tr").first
    expect(own).to_have_class("own")
    now = taken(page, own.get_by_role("button", name=re.compile(r"power \+1 \(5\)")))
    assert now == BEES.replace("power = 4", "power = 5")
    other = page.get_by_role("button", name=re.compile(r"Lone Yeti, power \+1"))
    assert taken(page, other).startswith(f'{now}\n[lone_yeti]\nname = "Lone Yeti"')

    page = open_studio("elsewhere.toml", CARDS)
    page.locator("#sensitivity-map .put").first.click()
    expect(page.locator("#trouble")).to_contain_text("that is a change of map.toml")
    expect(page.locator("#text")).to_have_value(CARDS)


def test_a_front_to_choose_from(
    open_studio: OpenStudio, running: Running, ask, monkeypatch: Any
) -> None:
    """Stopped, reloaded, gone on with; plans by their amount, of which one is taken."""
    page = open_studio("front.toml", CARDS.replace("power = 5", "power = 9"))
    part = trial(page, "rebalance", "learned")
    part.get_by_label("Games").select_option("quick")
    part.locator("select[name=changes]").select_option("power")
    part.locator("select[name=cards]").select_option("own")
    part.get_by_role("button", name="Search").click()
    part.get_by_role("button", name="Stop").click()
    expect(page.locator("#rebalance-state")).to_contain_text("What is finished is kept")
    page.reload()
    part.get_by_role("button", name="Go on").click()
    expect(part.get_by_role("link", name="The whole page")).to_be_visible()
    expect(page.locator("#rebalance-of")).to_have_text("all cards of the pool · front.toml")
    rows = page.locator("#rebalance-chart tbody tr")
    expect(rows.first).to_contain_text("0, as it is")
    expect(rows.locator("circle")).to_have_count(rows.count())
    plan = rows.filter(has_text="Marsh Lantern: power 9 →").last
    power = re.search(r"power 9 → (\d+)", plan.inner_text())
    assert power is not None
    now = taken(page, plan.get_by_role("button"))
    assert now == CARDS.replace("power = 5", f"power = {power[1]}")
    words = command_of(page, "rebalance", running)
    before = sorted(running.folder.glob("runs/rebalance-*"))
    monkeypatch.chdir(running.folder)
    assert ask(*words).status == 0
    assert sorted(running.folder.glob("runs/rebalance-*")) == before


def test_a_change_of_the_rules_is_chosen(open_studio: OpenStudio, running: Running) -> None:
    """A rule that a plan changes is chosen with one press, and played; the text stays."""
    page = open_studio("rules.toml", CARDS)
    part = trial(page, "rebalance", "learned")
    part.get_by_label("Games").select_option("quick")
    rules = "life,mindbugs,hand_size,who_starts"
    part.locator("select[name=changes]").select_option(rules)
    part.locator("select[name=turns]").select_option("10:20")
    part.get_by_role("button", name="Search").click()
    expect(part.get_by_role("link", name="The whole page")).to_be_visible()
    said = page.locator("#rebalance .tried")
    expect(said).to_contain_text("a game takes")
    assert not re.search(r"--\w", said.inner_text())
    plan = page.locator("#rebalance-chart tbody tr").last
    words = {"life": "life", "mindbugs": "mindbugs", "hand_size": "hand size"}
    found = {
        name: re.search(rf"(?<!\w){word}: \d+ → (\d+)", plan.inner_text())
        for name, word in words.items()
    }
    changed = {name: one[1] for name, one in found.items() if one}
    assert changed
    plan.get_by_role("button", name="Choose it above").click()
    for name in words:
        chosen = page.locator(f"#asked select[name={name}]")
        expect(chosen).to_have_value(changed.get(name, ""))
        expect(chosen).to_be_visible()
    expect(page.locator("#text")).to_have_value(CARDS)

    page.get_by_role("button", name="Play", exact=True).click()
    expect(page.get_by_role("button", name="Page of all cards")).to_be_visible()
    played = [read_manifest(one.parent) for one in running.folder.glob("runs/*/manifest.json")]
    modes = [one["modes"] for one in played if "My Cards" in one["set_names"]]
    assert any(all(str(mode[name]) == changed[name] for name in changed) for mode in modes)


def test_versions_side_by_side(
    open_studio: OpenStudio, running: Running, ask, monkeypatch: Any
) -> None:
    """Three versions are played by the same players, and compared as the command compares them."""
    page = open_studio("sides.toml", CARDS.replace("marsh_lantern", "side_lantern"))
    first = page.locator("#text").input_value()
    part = trial(page, "side_by_side")
    expect(part.locator(".choose")).to_contain_text("nothing yet")
    part.get_by_role("button", name="Side by side").click()
    sentence = page.locator("#side_by_side-sentence")
    expect(sentence).to_contain_text("No version of Marsh Lantern was played yet.")
    for power in (2, 9):
        save(page, first.replace("power = 5", f"power = {power}"))
    part.get_by_label("Games").select_option("10000")
    for number in (1, 2):
        part.get_by_label(re.compile(f"^Version {number} ")).check()
    part.get_by_role("button", name="Side by side").click()
    rows = page.locator("#side_by_side-chart tbody tr")
    expect(rows.locator("circle")).to_have_count(3)
    expect(sentence).to_contain_text("from version 1 to 3")
    for row, name in zip(rows.all(), ["Version 1", "Version 2", "Version 3 (now)"], strict=True):
        expect(row.locator("th")).to_have_text(name)
        expect(row).to_contain_text("random")
    expect(page.locator("#side_by_side-lines")).to_contain_text(
        "the same players, other cards and rules"
    )
    rates = [row.locator("td").first.inner_text() for row in rows.all()]
    assert taken(page, rows.nth(1).get_by_role("button")) == first.replace("= 5", "= 2")
    monkeypatch.chdir(running.folder)
    told = ask("cards", "versions", "side_lantern").out
    assert all(f"{rate}%" in told.replace("\N{NO-BREAK SPACE}", " ") for rate in rates)
    page.reload()
    expect(rows.locator("circle")).to_have_count(3)
    page.select_option("#entry", "")
    part.get_by_role("button", name="Side by side").click()
    expect(page.locator("#side_by_side-state")).to_contain_text("choose one card in “Ask about”")


def test_saves_are_undone_and_done_again(open_studio: OpenStudio, running: Running) -> None:
    """Undo goes back save by save, Redo forward; what is typed begins anew; nothing is lost."""
    page = open_studio("undone.toml", CARDS)
    texts = [CARDS, *(CARDS.replace("= 5", f"= {power}") for power in (6, 7))]
    undo, redo = (page.get_by_role("button", name=name) for name in ("Undo", "Redo"))
    expect(undo).to_be_disabled()
    for text in texts[1:]:
        save(page, text)
    file = running.folder / "undone.toml"
    for button, text in ((undo, texts[1]), (undo, texts[0]), (redo, texts[1]), (redo, texts[2])):
        button.click()
        expect(page.locator("#text")).to_have_value(text)
        expect(page.locator("#saved")).to_have_text("Saved.")
        expect(button).to_be_enabled() if text == texts[1] else expect(button).to_be_disabled()
        assert file.read_text() == text
    undo.click()
    expect(page.locator("#text")).to_have_value(texts[1])
    expect(redo).to_be_enabled()  # it was saved, too
    page.reload()
    expect(redo).to_be_enabled()
    expect(undo).to_be_enabled()
    page.locator("#text").fill(CARDS.replace("= 5", "= 8"))
    expect(redo).to_be_disabled()
    undo.click()
    expect(page.locator("#text")).to_have_value(texts[1])
    kept = [one.read_text() for one in running.folder.glob("history/undone/*/undone.toml")]
    assert CARDS.replace("= 5", "= 8") in kept


def test_answers_on_a_phone(open_studio: OpenStudio) -> None:
    """No chart, map or front makes the page wider than a phone."""
    page = open_studio("phones.toml", BEES, viewport=PHONE)
    page.select_option("#entry", "killer_bee")
    for kind, button in (("sensitivity", "Try changes"), ("side_by_side", "Side by side")):
        part = trial(page, kind)
        part.get_by_label("Games").select_option(index=1)
        part.get_by_role("button", name=button).click()
        expect(page.locator(f"#{kind}-stop")).to_have_count(0)
        expect(page.locator(f"#{kind}-sentence")).to_contain_text("Killer Bee")
    check_phone(page)
    runs = page.locator("#listed .scroll")
    expect(runs).to_contain_text("Killer Bee")
    assert runs.evaluate("(one) => one.scrollWidth <= one.clientWidth"), "runs fit a phone"
