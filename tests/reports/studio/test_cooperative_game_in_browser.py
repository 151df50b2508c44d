"""The studio in a real browser with a game that is won or lost together."""

from __future__ import annotations

import re

from playwright.sync_api import Page, Route, expect

from support.browser import NEEDS_BROWSER, PHONE, check_phone, cut_choices, unfold
from support.studio import HERO

from .conftest import CARDS, OpenStudio, Running, framed, save

pytestmark = NEEDS_BROWSER


def play(page: Page, player: str, about: str) -> None:
    """Press Play, and wait until it is about what was asked."""
    page.select_option("#asked select[name=player]", player)
    page.get_by_role("button", name="Play", exact=True).click()
    expect(page.locator("#of")).to_have_text(about)


def test_from_a_new_file_to_a_verdict_that_narrows(
    open_studio: OpenStudio, running: Running
) -> None:
    """A file of this game is begun, an example inserted, a hero played, stopped, gone on with."""
    page = open_studio()
    if page.locator("#new[open]").count() == 0:
        page.get_by_text("New file").click()
    page.select_option("#game", label="Mice & Mystics")
    page.locator("#name").fill("mouse house")
    page.get_by_role("button", name="Begin").click()
    text = page.get_by_label("Entries of mouse house.toml")
    expect(text).to_have_value(re.compile(r"\[hero\.nez\]"))
    expect(page.locator("#faces")).to_contain_text("battle 3 · defense 1")
    page.get_by_text("Cookbook").click()
    page.get_by_role("searchbox", name="Find").fill("rat warrior attack more")
    page.get_by_role("button", name="Insert").locator("visible=true").click()
    expect(page.locator("#faces")).to_contain_text("minion · battle 3")

    play(page, "search:16", "nez · mouse house.toml")
    sentence = page.locator("#sentence")
    expect(sentence).to_contain_text("parties with Nez Bellows win")
    expect(page.locator("#who")).to_contain_text("games played by search:16. The interval holds")
    expect(page.get_by_role("img", name="Adds after each look")).to_be_visible()
    page.locator("#answer").get_by_role("button", name="Stop").click()
    expect(page.locator("#state")).to_contain_text("What is finished is kept")
    page.locator("#answer").get_by_role("button", name="Go on").click()
    page.locator("#answer").get_by_role("button", name="Stop").click()
    expect(page.locator("#answer").get_by_role("button", name="Go on")).to_be_visible()
    expect(sentence).to_contain_text("parties with Nez Bellows win")

    page.select_option("#entry", "rat_warrior")
    play(page, "category", "rat_warrior · mouse house.toml")
    expect(sentence).to_contain_text("the chapter is won in 0.0")
    whole = "Page of my entry: why, and the smallest change"
    expect(page.locator("#hint")).to_contain_text(f"press “{whole}”")
    expect(page.get_by_role("button", name=whole)).to_be_visible()
    assert "[minion.rat_warrior]" in (running.folder / "mouse house.toml").read_text()
    other = open_studio("no_mice.toml", CARDS)
    # Not “visible”: an estimate of the card hides this line as soon as it is there.
    expect(other.locator("#answer p").first).to_be_attached()
    expect(other.locator("#answer")).not_to_contain_text("mouse house")


def test_the_page_of_the_chapter(open_studio: OpenStudio) -> None:
    """The chapter is played by a party with a switch, and its page opens; so do parties' rows."""
    page = open_studio("chapter.toml", HERO)
    expect(page.locator("#faces")).to_contain_text("Nez Bellows")
    page.select_option("#entry", "")
    page.select_option("select[name=party]", "collin,nez,tilda,filch")
    page.get_by_text("Open points of the rules", exact=True).click()
    page.select_option("select[name=surge_timing]", "after_attack")
    play(page, "category", "the chapter · chapter.toml")
    expect(page.locator("#sentence")).to_contain_text("The chapter is won in 0.0")
    expect(page.locator("#state")).to_contain_text("Known as precisely as this question needs")
    ticks = page.locator("#funnel text").all_text_contents()
    assert ticks and not any("-" in one for one in ticks), "no share of games is less than 0"
    page.get_by_role("button", name="Page of the chapter").click()
    link = page.get_by_role("link", name="The page of the chapter", exact=True)
    expect(link).to_be_visible()
    sentence = page.locator("#sentence").inner_text()
    expect(page.locator("#listed")).to_contain_text(sentence)
    with page.context.expect_page() as opening:
        link.click()
    expect(framed(opening.value).locator("body")).to_contain_text("surge_timing=after_attack")
    page.select_option("select[name=party]", "")
    play(page, "category", "the chapter · chapter.toml")
    expect(page.locator("#pool tbody tr")).to_have_count(4)
    expect(page.locator("#sentence")).to_contain_text("Of 4 parties")


def test_a_fault_is_told_at_its_place(open_studio: OpenStudio) -> None:
    """A fault has line and column, is underlined and mended; a hostile name stays text."""
    name = "<img src=x onerror=alert(1)>"
    faulty = HERO.replace("hammer", "hamer").replace("Nez Bellows", name)
    page = open_studio("fault.toml", faulty)
    expect(page.locator("#faults")).to_contain_text("line 9, column 19")
    expect(page.locator("#marks mark")).to_have_text("nez_hamer")
    expect(page.get_by_role("button", name="Play", exact=True)).to_be_disabled()
    page.get_by_role("button", name="Write “nez_hammer”").click()
    expect(page.locator("#faults")).to_contain_text("No fault found")
    expect(page.locator("#faces strong")).to_have_text(name)
    play(page, "category", "nez · fault.toml")
    expect(page.locator("#sentence")).to_contain_text("<img src=x")
    assert page.locator("main img").count() == 0


def test_versions_are_compared(open_studio: OpenStudio) -> None:
    """Two versions play the same games; what has changed is named, and each party is a row."""
    page = open_studio("both.toml", HERO)
    page.select_option("#asked select[name=player]", "heuristic")
    page.locator("#text").fill(HERO.replace("life = 4", "life = 1"))
    page.get_by_role("button", name="Save").click()
    expect(page.locator("#saved")).to_have_text("Saved.")
    unfold(page.locator("#history"))
    expect(page.locator("#versions")).to_contain_text("Nez Bellows: life 4 → life 1")
    unfold(page.locator("#compare"))
    page.select_option("#compare select[name=games]", "20000")
    page.get_by_role("button", name="Compare").click()
    expect(page.locator("#compare-sentence")).to_contain_text(
        "Against version 1: Nez Bellows, life: 4 → 1; the chapter is harder:"
    )
    rows = page.locator("#compare-chart tbody tr")
    expect(rows).to_have_count(5)
    expect(rows.first).to_contain_text("all parties")
    expect(page.locator("#compare-page")).to_contain_text("The whole page")


def test_a_name_and_a_reason_come_one_after_the_other(open_studio: OpenStudio) -> None:
    """A reason that is written while the name is still being kept is kept, too."""
    page = open_studio("named.toml", HERO)
    save(page, HERO.replace("life = 4", "life = 2"))
    unfold(page.locator("#history"))
    name, why = page.get_by_label("Name of version 1"), page.get_by_label("Why version 1")
    held: list[Route] = []

    def hold_the_first(route: Route) -> None:
        held.append(route)
        if len(held) > 1:
            route.continue_()

    page.route("**/describe", hold_the_first)
    name.fill("sturdy")
    why.fill("as the rulebook has him")
    why.press("Tab")
    page.wait_for_timeout(200)
    assert len(held) == 1, "the reason waits for the name"
    with page.expect_response(lambda one: "rulebook" in (one.request.post_data or "")) as kept:
        held[0].continue_()
    assert kept.value.ok
    page.reload()
    unfold(page.locator("#history"))
    expect(page.get_by_label("Name of version 1")).to_have_value("sturdy")
    expect(page.get_by_label("Why version 1")).to_have_value("as the rulebook has him")


def test_on_a_phone(open_studio: OpenStudio) -> None:
    """Nothing is wider than a phone, and whatever can be pressed has a name."""
    page = open_studio("phone_mice.toml", HERO, viewport=PHONE)
    expect(page.locator("#faces")).to_contain_text("Nez Bellows")
    for part in page.locator("#asked summary, #cookbook > summary, #trials summary").all():
        part.click()
    for size in ({"width": 1400, "height": 900}, PHONE):
        page.set_viewport_size(size)  # type: ignore[arg-type]
        assert cut_choices(page) == []
    page.get_by_role("searchbox", name="Find").fill("no such thing")
    expect(page.locator("#none-found")).to_be_visible()
    page.get_by_role("searchbox", name="Find").fill("rat")
    expect(page.locator("#none-found")).to_be_hidden()
    play(page, "category", "nez · phone_mice.toml")
    expect(page.locator("#sentence")).to_contain_text("Nez Bellows")
    check_phone(page)
