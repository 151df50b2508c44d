"""The balance report in a real browser: sorting, filters, tabs, cards, keyboard, phone, print.

Every page is opened offline; anything on the console and any request but the file itself fails the
test that saw it.  A page answers a click, a key or a new address a moment later, so what must be
seen after one is waited for (``expect``, ``eventually``) and never read at once.
"""

from __future__ import annotations

import re
import time
from collections.abc import Callable
from itertools import product
from pathlib import Path

import numpy as np
import pandas as pd
import pytest
from attrs import evolve
from playwright.sync_api import Locator, Page, expect

import analysis.mindbug
import reports.mindbug
from analysis.mindbug.selections import SELECTIONS
from card_data.mindbug import load_pool
from card_data.mindbug.schema import CardSet
from reports.kit.words import count
from simcore.mindbug import compile_cards
from support.browser import MOST_SHEETS, NEEDS_BROWSER, PHONE, WIDTHS, Open, check_frame, n_sheets
from support.reported import HOSTILE, with_axes
from support.synthetic import run_of_pool, synthetic_cards, synthetic_games, synthetic_run

from .conftest import Expansions

pytestmark = NEEDS_BROWSER


@pytest.fixture(scope="module")
def cards(hostile_run: Path) -> pd.DataFrame:
    """The table of cards of that run, by their ids."""
    table = analysis.mindbug.read_tables(hostile_run)["cards"]
    return table.set_index("card_id", drop=False).sort_values("dealt_win_rate", ascending=False)


@pytest.fixture
def open_page(open_file: Open, hostile_run: Path) -> Open:
    """Open the report, or another file, at a hash; fails at the end if anything went wrong."""

    def open_at(place: str = "", file: Path | None = None, **settings: object) -> Page:
        settings.setdefault("viewport", {"width": 1920, "height": 1080})
        return open_file(file or hostile_run / "report.html", place, **settings)

    return open_at


def eventually(read: Callable[[], object], expected: object, seconds: float = 10) -> None:
    """Wait until what is read from a page is what is expected; fails with both if it never is."""
    deadline = time.monotonic() + seconds
    while read() != expected and time.monotonic() < deadline:
        time.sleep(0.02)
    assert read() == expected


def expect_column(table: Locator, heading: str, texts: list[str]) -> None:
    """Wait until a column has those texts in that order."""
    eventually(lambda: column(table, heading), texts)


def expect_shown(page: Page, *sections: str) -> None:
    """Wait until those sections are the ones in sight."""
    eventually(lambda: shown(page), list(sections))


def table_of_cards(page: Page) -> Locator:
    """The table of all cards."""
    return page.locator("#cards table.sortable")


def column(table: Locator, heading: str) -> list[str]:
    """The texts of a column, without intervals, in the order in which they are shown."""
    number = headings(table).index(heading)
    rows = table.locator("tbody tr").evaluate_all(
        "(rows, n) => rows.map((row) => row.cells[n].firstChild?.textContent.trim() ?? '')", number
    )
    return list(rows)


def headings(table: Locator) -> list[str]:
    """What stands over the columns."""
    return [text.strip() for text in table.locator("thead th").all_text_contents()]


def shown(page: Page) -> list[str]:
    """The ids of the sections in sight."""
    ids = page.locator("main section").evaluate_all(
        "(all) => all.filter((one) => one.checkVisibility()).map((one) => one.id)"
    )
    return list(ids)


def show_columns(page: Page) -> None:
    """Choose all columns of the table of cards, with the keyboard alone."""
    page.locator("#cards .columns summary").focus()
    page.keyboard.press("Enter")
    boxes = page.locator("#cards .columns input")
    for number in range(boxes.count()):
        page.keyboard.press("Tab")
        expect(boxes.nth(number)).to_be_focused()
        if not boxes.nth(number).is_checked():
            page.keyboard.press("Space")


def heading_of(table: Locator, heading: str) -> Locator:
    """The cell over a column."""
    return table.locator("thead th", has_text=heading).first


def order_button(table: Locator, heading: str) -> Locator:
    """What the keyboard reaches in a heading."""
    return heading_of(table, heading).get_by_role("button")


def expect_order(table: Locator, heading: str, direction: str) -> None:
    """Wait until the table has that order: DataTables sorts a moment after the click."""
    expect(heading_of(table, heading)).to_have_attribute("aria-sort", direction)


def sort_by(table: Locator, heading: str, direction: str) -> None:
    """Click on a heading and see that the table is sorted in the direction."""
    heading_of(table, heading).click()
    expect_order(table, heading, direction)


# ---------------------------------------------------------------- the first screen


@pytest.fixture(scope="module")
def own_card(tmp_path_factory: pytest.TempPathFactory) -> Path:
    """The page of a run of First Contact with a designer's own card, which is strong."""
    folder = tmp_path_factory.mktemp("own")
    (folder / "mine.toml").write_text('name = "Mine"\n[lantern]\nname = "<b>Lantern"\npower = 5\n')
    pool = load_pool(["first_contact", str(folder / "mine.toml")])
    table = compile_cards(pool.sets)
    worth = np.array([0.06 if card.card_id == "lantern" else 0 for card in table.cards])
    games = synthetic_games(table, 10_000, worth=worth)
    run_of_pool(folder / "run", pool, games, policies=("greedy", "greedy"))
    analysis.mindbug.analyze(folder / "run")
    with with_axes():  # which the frame of all pages has to do with
        return reports.mindbug.write_report(folder / "run")


def test_first_screen_answers_the_question(open_page: Open, own_card: Path) -> None:
    """The headline is the verdict on the own card; it is on top of the chart, and marked."""
    page = open_page(file=own_card)
    check_frame(page)
    expect(page.get_by_role("heading", level=1)).to_contain_text(
        "<b>Lantern is too strong: players"
    )
    first = page.locator("#overview figure tbody tr").first
    expect(first).to_have_class("own")
    expect(first).to_contain_text("<b>Lantern new")
    assert page.locator("#overview figure tr.own").count() == 1
    assert page.locator("#overview figure tbody tr").count() == 33
    expect(page.locator("#overview .findings dt").first).to_have_text("Your card")
    expect(page.locator("#overview figure .finding")).to_contain_text("<b>Lantern wins ")
    caption = page.locator("#overview figure figcaption").inner_text()
    for words in (
        "Source: ",
        "10,000 games",
        "greedy against greedy",
        "seed 0",
        "fairdeal",
        "rules",
    ):
        assert words in caption


FITS = "(one) => one.scrollWidth <= one.closest('.scroll').clientWidth"


def test_table_shows_the_columns_that_have_room(open_page: Open, own_card: Path) -> None:
    """On a phone three, on a large screen more than on a laptop; the own card is on top."""
    page, shown_columns = open_page("#cards", file=own_card), []
    table = table_of_cards(page)
    for width, height in sorted(WIDTHS.items()):
        page.set_viewport_size({"width": width, "height": height})
        eventually(lambda: table.evaluate(FITS), expected=True)
        shown_columns.append(len(headings(table)))
    assert 3 <= shown_columns[0] < 8 <= shown_columns[1] < shown_columns[2]
    expect(table.locator("tbody tr").first).to_have_class("own")
    show_columns(page)
    assert len(headings(table)) > shown_columns[2]


# ---------------------------------------------------------------- sorting and filtering


def test_click_on_a_heading_sorts(open_page: Open, cards: pd.DataFrame) -> None:
    """Numbers sort as numbers, the largest first; names as names; a second click turns it round."""
    table = table_of_cards(open_page("#cards"))
    assert column(table, "Card") == list(cards["name"])
    sort_by(table, "Power", "descending")
    powers = sorted(map(str, cards["power"]), key=int)
    expect_column(table, "Power", powers[::-1])
    assert powers != sorted(powers)  # as words they would have another order
    sort_by(table, "Power", "ascending")
    expect_column(table, "Power", powers)
    sort_by(table, "Mindbug rate", "descending")
    rates = cards["mindbug_rate"].sort_values(ascending=False)
    expect_column(table, "Mindbug rate", [f"{100 * rate:.1f}" for rate in rates])


def test_unknown_numbers_come_last(open_page: Open, short_run: Path) -> None:
    """In a run of one game most numbers are unknown; whichever way one sorts, they come last."""
    table = table_of_cards(open_page("#cards", file=short_run / "report.html"))
    known = int(analysis.mindbug.read_tables(short_run)["cards"]["drawn_win_rate"].notna().sum())
    assert 0 < known < 16
    for direction in ("descending", "ascending"):
        sort_by(table, "Drawn", direction)
        unknown = [False] * known + [True] * (16 - known)
        eventually(lambda: [text == "–" for text in column(table, "Drawn")], unknown)


def test_tables_are_sorted_with_the_keyboard(open_page: Open, cards: pd.DataFrame) -> None:
    """Headings are buttons that the keyboard reaches; the order is said to screen readers."""
    page = open_page("#cards")
    table = table_of_cards(page)
    order_button(table, "Power").focus()
    page.keyboard.press("Enter")
    expect_order(table, "Power", "descending")
    expect_column(table, "Power", sorted(map(str, cards["power"]), key=int)[::-1])
    outline = order_button(table, "Power").evaluate("(one) => getComputedStyle(one).outlineWidth")
    assert outline == "2px"


def test_search_and_filters_choose_rows(open_page: Open, cards: pd.DataFrame) -> None:
    """Searching, keyword and verdict choose rows together; how many is said; all come back."""
    page = open_page("#cards")
    table, tools = table_of_cards(page), page.locator("#cards form.tools")
    tools.get_by_role("combobox", name="Keyword").select_option("Sneaky")
    sneaky = cards[cards["keywords"].str.contains("SNEAKY")]
    assert 0 < len(sneaky) < len(cards)
    expect_column(table, "Card", list(sneaky["name"]))
    expect(tools.locator("output")).to_contain_text(f"{len(sneaky)} of {len(cards)}")
    verdict = sneaky["verdict"].iloc[0]
    tools.get_by_role("combobox", name="Verdict").select_option(verdict)
    both = sneaky[sneaky["verdict"] == verdict]
    expect_column(table, "Card", list(both["name"]))
    tools.get_by_role("button", name="Show all").click()
    expect_column(table, "Card", list(cards["name"]))
    search = tools.get_by_role("searchbox")
    search.fill("script")
    found = [name for name in cards["name"] if "script" in name]
    assert len(found) == 3
    expect_column(table, "Card", found)
    search.fill("no card is called so")
    expect(table).to_contain_text("Nothing fits")


def test_numbers_are_not_searched(open_page: Open, cards: pd.DataFrame) -> None:
    """A digit finds the cards with it in their names, not half of all numbers."""
    page = open_page("#cards")
    page.locator("#cards form.tools").get_by_role("searchbox").fill("12")
    found = [name for name in cards["name"] if "12" in name]
    expect_column(table_of_cards(page), "Card", found)


def test_policies_can_be_chosen(open_page: Open, uneven_run: Path) -> None:
    """With two policies the table says who played, and shows one of them alone on demand."""
    page = open_page("#cards", file=uneven_run / "report.html")
    told = page.locator("#overview .told > .findings dd").all_text_contents()
    assert [text for text in told if ". " in text] == [], "a sentence for each finding"
    table = table_of_cards(page)
    assert sorted(set(column(table, "Policy"))) == ["greedy", "random"]
    page.locator("#cards form.tools").get_by_role("combobox", name="Policy").select_option("random")
    expect_column(table, "Policy", ["random"] * 16)


def test_sets_can_be_chosen(open_page: Open, expansions_run: Expansions) -> None:
    """In a mixture the table shows the cards of one set on demand."""
    folder = expansions_run("random", "random")
    page = open_page("#cards", file=folder / "report.html")
    page.locator("#cards form.tools").get_by_role("combobox", name="Set").select_option("Beta")
    cards = analysis.mindbug.read_tables(folder)["cards"]
    names = set(cards.loc[cards["set_id"] == "beta", "name"])
    eventually(lambda: set(column(table_of_cards(page), "Card")), names)
    page.goto(page.url.split("#")[0] + "#card-seed")
    expect(page.locator("#card-seed")).to_be_visible()
    for words in ("Sprout", "Stage III, Tree", "gain 1 life"):
        expect(page.locator("#card-seed")).to_contain_text(words, ignore_case=True)


# ---------------------------------------------------------------- tabs


def test_tabs_show_one_group_of_sections(open_page: Open) -> None:
    """A tab shows its sections, is in the address, and is left with the back button."""
    page = open_page()
    expect_shown(page, "overview")
    page.get_by_role("tab", name="Mechanics").click()
    expect_shown(page, "games", "numbers")
    expect(page).to_have_url(re.compile("#games$"))
    page.get_by_role("tab", name="Method").click()
    expect_shown(page, "method", "definitions", "open-points", "run")
    page.go_back()
    expect_shown(page, "games", "numbers")
    expect(page.get_by_role("tab", name="Mechanics")).to_have_attribute("aria-selected", "true")
    expect(page.get_by_role("tabpanel")).to_have_id("panel-games")
    expect(page.locator("#overview")).to_be_hidden()


def test_a_link_leads_to_a_section_of_another_tab(open_page: Open) -> None:
    """An address with a section opens its tab."""
    expect_shown(open_page("#open-points"), "method", "definitions", "open-points", "run")
    expect_shown(open_page("#nothing-of-that-name"), "overview")


def test_tabs_follow_the_arrow_keys(open_page: Open) -> None:
    """One tab is reached with Tab, the others with the arrow keys, Home and End."""
    page = open_page()
    tabs = page.get_by_role("tab").all_inner_texts()
    page.get_by_role("tab", name="Overview").focus()
    for key, expected in (
        ("ArrowRight", tabs[1]),
        ("ArrowRight", tabs[2]),
        ("ArrowLeft", tabs[1]),
        ("End", tabs[-1]),
        ("ArrowRight", tabs[0]),
        ("ArrowLeft", tabs[-1]),
        ("Home", tabs[0]),
    ):
        page.keyboard.press(key)
        expect(page.locator("[role=tab][aria-selected=true]")).to_have_text(expected)
        expect(page.locator("[role=tab]:focus")).to_have_text(expected)
    expect(page.locator("[role=tab][tabindex='0']")).to_have_count(1)


# ---------------------------------------------------------------- pages of cards


def test_name_leads_to_the_page_of_the_card(open_page: Open, cards: pd.DataFrame) -> None:
    """A name in the table opens the card alone; back returns to the table, where one was."""
    page = open_page("#cards")
    card_id, name = cards["card_id"].iloc[3], cards["name"].iloc[3]
    link = table_of_cards(page).get_by_role("link", name=name, exact=True)
    link.click()
    article = page.locator(f"#card-{card_id}")
    expect(article).to_be_visible()
    expect(page.locator("article:visible")).to_have_count(1)
    expect(page.locator("#overview")).to_be_hidden()
    expect(article.get_by_role("heading", name=name, exact=True)).to_be_focused()
    eventually(lambda: page.evaluate("scrollY"), 0)
    page.go_back()
    expect_shown(page, "cards")
    expect(link).to_be_visible()
    expect(link).to_be_focused()


def test_cards_are_turned_over(open_page: Open, cards: pd.DataFrame) -> None:
    """Next and previous lead through the cards by strength, with links and arrow keys."""
    order = [f"card-{card_id}" for card_id in cards["card_id"]]
    page = open_page(f"#{order[0]}")
    assert page.locator("article:visible a[rel=prev]").count() == 0
    page.locator("article:visible a[rel=next]").click()
    expect(page.locator("article:visible")).to_have_id(order[1])
    for key, expected in (("ArrowRight", order[2]), ("ArrowLeft", order[1])):
        page.keyboard.press(key)
        expect(page.locator("article:visible")).to_have_id(expected)
    page.locator("article:visible a", has_text="All cards").click()
    expect_shown(page, "cards")


def test_findings_lead_to_cards(open_page: Open, cards: pd.DataFrame) -> None:
    """Names in the summary are links to the pages of the cards."""
    page = open_page()
    strongest = cards.iloc[0]
    assert strongest["verdict"] == "too strong"
    page.locator("#overview .told").get_by_role("link", name=strongest["name"]).first.click()
    expect(page.locator(f"#card-{strongest['card_id']}")).to_be_visible()


# ---------------------------------------------------------------- numbers


def test_numbers_of_the_table_are_those_of_the_run(open_page: Open, cards: pd.DataFrame) -> None:
    """Every number, interval and n in the table of cards is read back from the page."""
    page = open_page("#cards")
    show_columns(page)
    table = table_of_cards(page)
    names = headings(table)
    rows = table.locator("tbody tr").evaluate_all(
        "(rows) => rows.map((row) => [...row.cells].map((cell) => ["
        "cell.dataset.order, cell.firstChild?.textContent,"
        "cell.querySelector('small')?.textContent,"
        "cell.title]))"
    )
    assert len(rows) == len(cards)
    for row, (_, card) in zip(rows, cards.iterrows(), strict=True):
        cells = dict(zip(names, row, strict=True))
        for end in ("low", "high"):  # the interval of the verdict, which holds for all cards
            judged = card["dealt_win_rate"] - card["advantage"] + card[f"advantage_ci_{end}"]
            card[f"dealt_ci_{end}"] = judged
        assert cells["Card"][1] == card["name"]
        assert int(cells["Copies"][0]) == card["copies"]
        assert cells["Verdict"][1] == card["verdict"]
        assert (cells["Keywords"][1] or "") == card["keywords"].replace(" ", ", ").title()
        for view in SELECTIONS:
            cell = cells[view.name.replace("_", " ").capitalize()]
            assert_estimate(cell, card, f"{view.name}_win_rate", view.name, 100)
            assert cell[3] == f"n = {count(card[f'{view.name}_n'])}"
        for heading, name, scale in (
            ("Advantage", "advantage", 100),
            ("Mindbug rate", "mindbug_rate", 100),
            ("Dead", "dead_rate", 100),
            ("Turn played", "mean_turn_played", 1),
        ):
            assert_estimate(cells[heading], card, name, name, scale)


def assert_estimate(
    cell: list[str], card: pd.Series, name: str, interval: str, scale: float
) -> None:
    """A cell says an estimate and its interval, and sorts by the estimate."""
    order, text, ends, _ = cell
    expected = [
        scale * card[column] for column in (name, f"{interval}_ci_low", f"{interval}_ci_high")
    ]
    if np.isnan(expected[0]):
        assert (order, text) == ("", "–")
        return
    assert float(order) == pytest.approx(card[name], abs=1e-6)
    low, high = re.split(r"\s*–\s*| to ", ends)
    told = [float(one.replace("−", "-")) for one in (text, low, high)]
    assert told == pytest.approx(expected, abs=0.0501)


def test_numbers_of_a_card_are_those_of_the_run(open_page: Open, cards: pd.DataFrame) -> None:
    """The page of each card says every view with its n, and draws it where it belongs."""
    page = open_page()
    ends = page.locator("article .axis span").all_text_contents()[:2]
    low, high = (float(end.rstrip("%")) for end in ends)
    for card_id, card in cards.iterrows():
        lines = page.locator(f"#card-{card_id} table.lines tbody tr").evaluate_all(
            "(rows) => rows.map((row) => [row.cells[1].firstChild.textContent,"
            "row.querySelector('small')?.textContent, row.querySelector('.n').textContent,"
            "row.querySelector('.dots circle')?.getAttribute('cx').slice(0, -1)])"
        )
        for line, view in zip(lines, SELECTIONS, strict=False):
            rate = 100 * card[f"{view.name}_win_rate"]
            assert float(line[0]) == pytest.approx(rate, abs=0.0501)
            assert line[2] == count(card[f"{view.name}_n"])
            at = np.clip((rate - low) / (high - low), 0, 1)
            assert float(line[3]) == pytest.approx(100 * at, abs=0.051)
        others = ("mindbug_rate", "dead_rate", "mean_turn_played")
        scales = dict.fromkeys(others, 100.0) | {"mean_turn_played": 1.0}
        for line, name in zip(lines[len(SELECTIONS) :], others, strict=True):
            assert float(line[0]) == pytest.approx(scales[name] * card[name], abs=0.0501)
        text = page.locator(f"#card-{card_id}").text_content() or ""
        assert f"Verdict: {card['verdict']}" in text
        assert text.count("fairdeal replay ") == 2


# ---------------------------------------------------------------- what must not happen


def test_hostile_names_are_inert(open_page: Open) -> None:
    """Names of cards are text wherever they stand, also after sorting, searching and opening."""
    page = open_page("#cards")
    title = page.title()
    tools, table = page.locator("#cards form.tools"), table_of_cards(page)
    sort_by(table, "Card", "ascending")
    for name in HOSTILE:
        tools.get_by_role("searchbox").fill(name)
        expect_column(table, "Card", [name])
        tools.get_by_role("searchbox").fill("")
        expect(table.locator("tbody tr")).to_have_count(16)
    for number in range(len(HOSTILE)):
        page.goto(f"{page.url.split('#')[0]}#card-card_{number:02}")
        eventually(page.locator("article:visible h3").all_inner_texts, [HOSTILE[number]])
    assert page.title() == title
    assert page.locator("img, iframe, object, embed").count() == 0
    assert page.locator("script").count() == 1
    assert page.evaluate(
        "[...document.querySelectorAll('*')].every("
        "(one) => one.getAttributeNames().every((name) => !name.startsWith('on')))"
    )


def test_page_is_complete_without_scripts(open_page: Open, cards: pd.DataFrame) -> None:
    """With scripts off everything is there, one section after another, and no dead control."""
    page = open_page(java_script_enabled=False)
    sections = page.locator("main section")
    for number in range(sections.count()):
        assert sections.nth(number).is_visible()
    assert page.locator("input, select, button, [role=tab]").count() == 0
    table = table_of_cards(page)
    assert [one.strip() for one in table.locator("tbody th").all_inner_texts()] == [
        name.strip() for name in cards["name"]
    ]
    for card_id in cards["card_id"]:
        assert page.locator(f"#card-{card_id}").is_visible()
    assert page.get_by_role("link", name="Card by card").is_visible()


def test_page_of_many_cards_is_small(tmp_path: Path) -> None:
    """With 190 cards the page is below 3 MB."""
    plain = synthetic_cards(190, copies=1).cards
    renamed = [evolve(card, card_id=f"card_{n:03}") for n, card in enumerate(plain)]
    table = compile_cards([CardSet("synthetic", "Synthetic", tuple(renamed))])
    folder = synthetic_run(tmp_path / "run", table, synthetic_games(table, 5000))
    analysis.mindbug.analyze(folder)
    page = reports.mindbug.write_report(folder)
    assert page.read_text().count('<article class="card"') == 190
    assert page.stat().st_size < 3_000_000


# ---------------------------------------------------------------- look


def test_phone_does_not_scroll_sideways(open_page: Open) -> None:
    """At 375 pixels nothing sticks out, and the table of cards shows what has room."""
    page = open_page(viewport=PHONE)
    tabs = page.locator("[role='tablist']")
    assert tabs.evaluate("(one) => getComputedStyle(one).overflowY") == "hidden"
    sections = "overview cards keywords mindbugs first-player games method card-card_00".split()
    for section in sections:
        page.goto(f"{page.url.partition('#')[0]}#{section}")
        expect(page.locator(f"#{section}")).to_be_visible()
        assert page.evaluate("document.documentElement.scrollWidth") == PHONE["width"], section
        if section == "cards":
            box = page.locator("#cards .scroll").first.bounding_box()
            assert box is not None and box["x"] >= 0 and box["x"] + box["width"] <= PHONE["width"]
            eventually(lambda: table_of_cards(page).evaluate(FITS), expected=True)


CONTRAST = """
([text, ground]) => {
  const probe = document.body.appendChild(document.createElement("i"));
  const canvas = document.createElement("canvas").getContext("2d", {willReadFrequently: true});
  const light = (name) => {
    probe.style.color = `var(--${name})`;
    canvas.fillStyle = getComputedStyle(probe).color;
    canvas.fillRect(0, 0, 1, 1);
    const [r, g, b] = [...canvas.getImageData(0, 0, 1, 1).data].map((one) => {
      const share = one / 255;
      return share <= 0.04045 ? share / 12.92 : ((share + 0.055) / 1.055) ** 2.4;
    });
    return 0.2126 * r + 0.7152 * g + 0.0722 * b + 0.05;
  };
  const both = [light(text), light(ground)];
  probe.remove();
  return Math.max(...both) / Math.min(...both);
}
"""


def test_text_stands_out(open_page: Open) -> None:
    """Text has a contrast of 4.5 to 1 (WCAG 2.2, AA), frames of controls of 3 to 1."""
    page = open_page()
    for scheme in ("light", "dark"):
        page.emulate_media(color_scheme=scheme)
        for text, ground in product(("ink", "muted", "blue", "orange"), ("page", "paper", "band")):
            assert page.evaluate(CONTRAST, [text, ground]) >= 4.5, (scheme, text, ground)
        for ground in ("page", "paper"):
            assert page.evaluate(CONTRAST, ["edge", ground]) >= 3, scheme


def test_page_is_light_or_dark(open_page: Open) -> None:
    """The page follows the system until its button is pressed."""
    colour = "getComputedStyle(document.body).backgroundColor"
    light, dark = (open_page(color_scheme=scheme) for scheme in ("light", "dark"))
    grounds = light.evaluate(colour), dark.evaluate(colour)
    assert grounds[0] != grounds[1]
    dark.get_by_role("button", name="Show the page light").click()
    eventually(lambda: dark.evaluate(colour), grounds[0])
    light.get_by_role("button", name="Show the page dark").click()
    eventually(lambda: light.evaluate(colour), grounds[1])


def test_print_has_everything(open_page: Open, cards: pd.DataFrame) -> None:
    """Printed, all sections but those of single cards follow, light and without controls."""
    page = open_page("#cards", color_scheme="dark")
    tools = page.locator("#cards form.tools")
    tools.get_by_role("combobox", name="Keyword").select_option("Sneaky")
    expect(tools.locator("output")).to_contain_text(f"of {len(cards)}")
    page.emulate_media(media="print")
    eventually(lambda: len(shown(page)), page.locator("main section").count() - 1)
    expect(page.locator("article:visible")).to_have_count(0)
    controls = page.locator("button:visible, input:visible, select:visible, nav:visible")
    expect(controls).to_have_count(0)
    # That some rows are left out is said.
    expect(page.locator("output:visible")).to_contain_text(f"of {len(cards)} rows")
    assert page.evaluate("getComputedStyle(document.body).backgroundColor") == "rgb(255, 255, 255)"
    cut = page.locator(".scroll").evaluate_all(
        "(all) => all.filter((one) => one.scrollHeight > one.clientHeight + 2).length"
    )
    assert cut == 0
    assert n_sheets(page) <= MOST_SHEETS


def test_print_of_a_card_has_that_card(open_page: Open) -> None:
    """Printed from the page of a card, that card is printed alone."""
    page = open_page("#card-card_01")
    page.emulate_media(media="print")
    expect(page.locator("article:visible")).to_have_count(1)
    expect_shown(page, "card-by-card")


def test_meaning_of_a_line_stands_at_every_card(
    open_page: Open, hostile_run: Path, cards: pd.DataFrame
) -> None:
    """What a heading means is in the file once, and shown on every card."""
    _, meaning, *_ = SELECTIONS[0]
    html = (hostile_run / "report.html").read_text()
    assert html[html.index('id="card-by-card"') :].count(meaning) == 1
    page = open_page()
    rows = page.locator("article.card tbody th", has_text=re.compile("^dealt it$"))
    titles = rows.evaluate_all("(all) => all.map((one) => one.title)")
    assert len(titles) == len(cards) > 1
    assert len(set(titles)) == 1 and meaning in titles[0]
