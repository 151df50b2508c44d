"""Changes that the studio tries of a game that is won or lost together, its form, and why."""

from __future__ import annotations

import json
import re
from typing import Any

from playwright.sync_api import Locator, Page, expect

from support.browser import NEEDS_BROWSER, PHONE, check_phone, unfold

from .conftest import CARDS, OpenStudio, Running, framed, save, taken, takes_the_smallest_change

pytestmark = NEEDS_BROWSER

#: A hero with one die more than the game has it, and a weapon that he begins with.
HERO = """# my mice
[hero.nez]
name = "Nez Bellows"
classes = ["tinkerer", "warrior"]
battle = 3  # too strong?
defense = 1
lore = 2
move = 1
life = 4
starting_gear = ["needle"]

[search_card.needle]
name = "Needle"
type = "weapon"
count = 1
paws = 1
attack = "melee"
effect = [{ op = "battle", delta = 1 }]
"""
PARTY = "collin,nez,tilda,filch"


def opened(page: Page, kind: str, player: str = "heuristic") -> Locator:
    """An experiment, opened, for one party of quick players."""
    page.select_option("#asked select[name=player]", player)
    page.select_option("#asked select[name=party]", PARTY)
    return unfold(page.locator(f"#{kind}"))


def again(page: Page, kind: str, running: Running, ask) -> None:
    """The command on the page of an experiment finds its folder, and makes no other."""
    run = page.locator(f"#{kind}-page small").inner_text()
    [written] = running.folder.joinpath(run).glob("*.html")
    [line] = re.findall(rf"fairdeal ({kind} [^<]*)<", written.read_text())
    before = sorted(running.folder.glob(f"runs/{kind}-*"))
    assert ask(*line.split()).status == 0
    assert sorted(running.folder.glob(f"runs/{kind}-*")) == before


def test_what_each_number_does(
    open_studio: OpenStudio, running: Running, ask, monkeypatch: Any
) -> None:
    """Rows of a hero, then a map of all; a change is taken, a number of the game is chosen."""
    page = open_studio("numbers.toml", HERO)
    part = opened(page, "sensitivity")
    part.get_by_role("button", name="Try changes").click()
    expect(part.get_by_role("link", name="The whole page")).to_be_visible()
    rows = page.locator("#sensitivity-chart tbody tr")
    expect(rows).to_have_count(10)
    expect(rows.locator("circle")).to_have_count(10)
    usual = page.viewport_size
    page.set_viewport_size(PHONE)  # type: ignore[arg-type]
    chart = page.locator("#sensitivity-chart")
    expect(chart.get_by_text("not settled").first).to_be_visible()
    assert chart.evaluate("(one) => one.scrollWidth <= one.clientWidth"), "rows fit a phone"
    page.set_viewport_size(usual)  # type: ignore[arg-type]
    more = rows.filter(has_text="battle 4 instead of 3")
    assert re.match(r"[+−]?\d+\.\d\d$", more.locator("td").first.inner_text())
    now = taken(page, more.get_by_role("button"))
    assert now == HERO.replace("battle = 3  #", "battle = 4  #")

    page.locator("#text").fill(HERO)
    part.locator("select[name=of]").select_option("heroes,minions")
    part.get_by_role("button", name="Try changes").click()
    cells = page.locator("#sensitivity-map .put")
    expect(cells.first).to_be_visible()
    part.get_by_role("button", name="Stop").click()
    expect(page.locator("#sensitivity-state")).to_contain_text("What is finished is kept")
    expect(page.locator("#sensitivity-sentence")).to_contain_text("changes are played")
    page.reload()
    part.get_by_role("button", name="Go on").click()
    expect(part.get_by_role("link", name="The whole page")).to_be_visible()
    expect(page.locator("#sensitivity-map .unknown")).to_have_count(0)
    expect(page.locator("#sensitivity-map tbody tr").first).to_have_class("own")
    minion = page.get_by_role("button", name=re.compile("^Rat Warrior, life 2 instead of 1"))
    now = taken(page, minion)
    assert now.startswith(f'{HERO}\n[minion.rat_warrior]\nname = "Rat Warrior"')
    assert "life = 2" in now and "source" not in now

    part.locator("select[name=of]").select_option("chapter,rules")
    part.get_by_role("button", name="Try changes").click()
    wheel = rows.filter(has_text="wheel size 7 instead of 6")
    wheel.get_by_role("button", name="Choose it above").click()
    expect(page.locator("#asked select[name=wheel_size]")).to_have_value("7")
    expect(page.locator("#text")).to_have_value(now)
    expect(part.get_by_role("link", name="The whole page")).to_be_visible()
    monkeypatch.chdir(running.folder)
    again(page, "sensitivity", running, ask)
    other = open_studio("another_game.toml", CARDS)
    expect(other.locator("#faces")).to_contain_text("Marsh Lantern")
    expect(other.locator("#sensitivity")).not_to_have_attribute("open", "")
    tried = json.loads(running.ask(f"{running.place}state?game=mindbug", **running.cookie)[1])
    assert tried["tried"]["sensitivity"] == "", "what was tried of another game is not shown"


def test_a_front_of_a_chapter(
    open_studio: OpenStudio, running: Running, ask, monkeypatch: Any
) -> None:
    """Heroes of the file are changed alone; the front is there before fresh games are played."""
    page = open_studio("chapter_front.toml", HERO)
    part = opened(page, "rebalance")
    part.get_by_label("Games").select_option("quick")
    part.locator("select[name=changes]").select_option("heroes")
    part.locator("select[name=entries]").select_option("own")
    part.locator("select[name=band]").select_option("60,80")
    part.locator("select[name=most]").select_option("1")
    part.get_by_role("button", name="Search").click()
    rows = page.locator("#rebalance-chart tbody tr")
    expect(rows.filter(has_text="0, as it is")).to_be_visible()
    expect(page.locator("#rebalance-sentence")).to_contain_text("points outside the band")
    expect(part.get_by_role("link", name="The whole page")).to_be_visible()
    expect(page.locator("#rebalance-of")).to_have_text("the chapter · chapter_front.toml")
    plan = rows.filter(has_text="Nez Bellows: ").last
    changes = re.findall(r"(battle|defense|lore|move|life) (\d) → (\d)", plan.inner_text())
    assert changes
    now = taken(page, plan.get_by_role("button"))
    wanted = HERO
    for number, before, after in changes:
        wanted = wanted.replace(f"{number} = {before}", f"{number} = {after}")
    assert now == wanted
    monkeypatch.chdir(running.folder)
    again(page, "rebalance", running, ask)


def test_versions_side_by_side(open_studio: OpenStudio, running: Running) -> None:
    """Rows fill while versions are played; stopped, gone on with, taken, and not played again."""
    page = open_studio("mice_sides.toml", HERO)
    part = opened(page, "side_by_side")
    expect(part.locator(".choose")).to_contain_text("nothing yet")
    lives = [HERO.replace("life = 4", f"life = {life}") for life in (1, 2)]
    for text in (*lives, HERO.replace("battle = 3", 'battle = "many"'), HERO + "# now\n"):
        save(page, text)
    part.get_by_label("Games").select_option("20000")
    chosen = [part.get_by_label(re.compile(f"^Version {number} ")) for number in range(1, 5)]
    state = page.locator("#side_by_side-state")
    part.get_by_role("button", name="Side by side").click()
    expect(state).to_contain_text("choose at least one version")
    for one in chosen:
        one.check()
    part.get_by_role("button", name="Side by side").click()
    expect(state).to_contain_text("mice_sides.toml had a fault in version 4")
    chosen[-1].uncheck()

    part.get_by_role("button", name="Side by side").click()
    rows = page.locator("#side_by_side-chart tbody tr")
    expect(rows).to_have_count(4)
    expect(rows.nth(0).locator("circle")).to_have_count(1)
    part.get_by_role("button", name="Stop").click()
    expect(state).to_contain_text("What is finished is kept")
    expect(rows.last).to_have_class("own")
    expect(rows.nth(2)).to_contain_text("not played yet")
    expect(page.locator("#side_by_side-sentence")).to_contain_text("versions played so far")
    page.reload()
    part.get_by_role("button", name="Go on").click()
    expect(rows.locator("circle")).to_have_count(4)
    expect(page.locator("#side_by_side-sentence")).to_have_text(
        re.compile(
            r"of the games are won now, as many within 1 point with version 1 and fewer with"
        )
    )
    expect(rows.nth(3)).to_contain_text("Version 5 (now)")
    expect(rows.nth(1).locator(".dots.weak circle")).to_have_count(1)
    assert taken(page, rows.nth(2).get_by_role("button")) == lives[1] + "# now\n"

    folders = sorted(running.folder.glob("runs/compare-*mice_sides*"))
    assert len(folders) == 3
    with page.context.expect_page() as opening:
        rows.nth(1).get_by_role("link", name="Its page: Version 2").click()
    command = re.compile("fairdeal compare .*mice_sides/2/")
    expect(framed(opening.value).get_by_text(command).first).to_be_attached()
    page.locator("#text").fill(HERO + "# now\n")
    compare = unfold(page.locator("#compare"))
    compare.get_by_label("Before").select_option("3")
    compare.get_by_label("Games").select_option("20000")
    compare.get_by_role("button", name="Compare").click()
    expect(compare.get_by_role("link", name="The whole page")).to_be_visible()
    assert sorted(running.folder.glob("runs/compare-*mice_sides*")) == folders

    save(page, HERO.partition("[search_card")[2].join(["[search_card", ""]))
    save(page, HERO)
    part.get_by_label(re.compile("^Version 6 ")).check()
    part.get_by_role("button", name="Side by side").click()
    expect(state).to_contain_text("nez is not in version 6; choose other versions")


def test_versions_on_a_phone(open_studio: OpenStudio) -> None:
    """Rows with a button, a link and a long reason are no wider than a phone."""
    page = open_studio("mice_phone.toml", HERO, viewport=PHONE)
    save(page, HERO.replace("life = 4", "life = 2"))
    unfold(page.locator("#history"))
    page.get_by_label("Why version 1").fill("as he was before he died in every single evening")
    page.get_by_label("Why version 1").press("Tab")
    part = opened(page, "side_by_side", "category")
    part.get_by_label("Games").select_option("20000")
    part.get_by_label(re.compile("^Version 1 ")).check()
    part.get_by_role("button", name="Side by side").click()
    expect(page.locator("#side_by_side-of")).to_have_text("nez · mice_phone.toml")
    chart = page.locator("#side_by_side-chart")
    expect(chart.get_by_role("link")).to_be_visible()
    expect(chart).to_contain_text("every single evening")
    note = chart.locator("td.long")
    assert note.evaluate("(one) => one.clientWidth") > PHONE["width"] / 2
    assert chart.evaluate("(one) => one.scrollWidth <= one.clientWidth"), "rows fit a phone"
    check_phone(page)


def test_entries_in_a_form(open_studio: OpenStudio) -> None:
    """A number, a new id and a new entry in the form; a fault stands at its field."""
    page = open_studio("formed.toml", HERO)
    text = page.locator("#text")
    page.get_by_label("Text and form").check()
    life = page.locator('[id="f:life:0"]')
    expect(life).to_have_attribute("max", "20")
    life.fill("5")
    life.press("Tab")
    written = HERO.replace("life = 4", "life = 5")
    expect(text).to_have_value(written)
    page.locator('[id="f:entry"]').select_option("search_card.needle")
    id_ = page.locator('[id="f:id"]')
    expect(id_).to_have_value("needle")
    id_.fill("pin")
    id_.press("Tab")
    written = written.replace("search_card.needle", "search_card.pin").replace(
        '["needle"]', '["pin"]'
    )
    expect(text).to_have_value(written)
    page.locator('[id="f:kind"]').select_option("minion")
    page.locator('[id="f:name"]').fill("Wharf Rat")
    page.get_by_role("button", name="Add it").click()
    expect(page.locator("#faces")).to_contain_text("Wharf Rat")
    expect(id_).to_have_value("wharf_rat")
    expect(page.locator("#faults")).to_contain_text("No fault found")
    page.locator('[id="f:size:0"]').select_option("")
    expect(page.locator("#faults")).to_contain_text("size")


def test_why_and_the_smallest_change(open_studio: OpenStudio, running: Running) -> None:
    """The whole verdict on a hero stands in the place of its games; what it proposes is taken."""
    page = open_studio("why.toml", HERO)
    page.select_option("#asked select[name=player]", "heuristic")
    page.select_option("#asked select[name=party]", PARTY)
    for folded in page.locator("#asked summary").all():
        folded.click()
    # Few pages: short games, of which a verdict takes many.
    page.select_option("#asked select[name=page_end]", "4")
    page.get_by_role("button", name="Play", exact=True).click()
    expect(page.locator("#who")).to_contain_text("games played by heuristic")
    page.locator("#answer").get_by_role("button", name="Stop").click()
    page.get_by_role("button", name="Page of my entry: why, and the smallest change").click()
    link = page.get_by_role("link", name="The page of my entry", exact=True)
    expect(link).to_be_visible()
    expect(page.locator("#sentence")).to_contain_text("Nez Bellows is too strong")
    expect(page.locator("#sentence")).to_contain_text("a hero of average numbers in its place")
    why = page.get_by_role("region", name="Changed: Points").locator("tbody tr")
    expect(why.filter(has_text="Battle 3 →")).to_have_count(2)
    assert why.locator("circle").count() == why.count()
    expect(page.locator("#said")).to_have_count(0)
    takes_the_smallest_change(page, running, "hero", "nez")
    with page.context.expect_page() as opening:
        link.click()
    expect(framed(opening.value).locator("h1")).to_contain_text("Nez Bellows")


def test_games_are_offered_in_their_order(running: Running) -> None:
    """The list begins with the game that says so, whatever its name is."""
    _, page, _ = running.ask(running.place, **running.cookie)
    offered = re.search(r'<select[^>]* id="game".*?</select>', page, re.DOTALL)
    assert offered is not None
    assert re.findall(r'value="(\w+)"', offered[0]) == ["mindbug", "mice_and_mystics"]
