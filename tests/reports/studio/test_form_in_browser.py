"""Cards as fields, completion and spreadsheets in the studio, in a real browser."""

from __future__ import annotations

import re
import tomllib

from playwright.sync_api import Locator, Page, expect

from card_data.mindbug import load_set
from card_data.mindbug.spreadsheet import read_table
from support.browser import NEEDS_BROWSER, PHONE, check_phone

from .conftest import CARDS, OpenStudio, Running

pytestmark = NEEDS_BROWSER

TEXT = """# mine
name = "My Cards"

# the lantern
[marsh_lantern]  # of the marsh
name = "Marsh Lantern"
power = 5  # strong?
copies = 2
constant = [
    "this has +1 power",  # first
    "this has TOUGH",
]
"""


def control(page: Page, name: str, at: int = 0) -> Locator:
    """A control of the form; one of the file begins with "file:"."""
    return page.locator(f"[id='f:{name}:{at}']")


def in_form(page: Page) -> None:
    """Show the form beside the text."""
    page.locator(".bench[data-view]").wait_for()  # the script, which sets it, has come
    page.get_by_label("Text and form").check()
    expect(page.locator("[id='f:name']")).to_be_visible()


def tab_to(page: Page, name: str) -> None:
    """Press Tab until a control has the focus."""
    for _ in range(150):  # the cookbook may be open
        page.keyboard.press("Tab")
        if page.evaluate("document.activeElement.id") == name:
            return
    raise AssertionError(f"Tab does not lead to {name}")


def test_from_an_empty_file_to_a_card_by_keyboard_alone(
    open_studio: OpenStudio, running: Running
) -> None:
    """Name, power, a keyword and an ability are written in the form without mouse or text."""
    page = open_studio("empty.toml", "")
    expect(page.locator("#saved")).to_have_text("Saved.")
    page.get_by_label("Text", exact=True).focus()
    for _ in range(2):
        page.keyboard.press("ArrowRight")
        if page.get_by_label("Form", exact=True).is_checked():
            break
    expect(page.locator("#text")).to_be_hidden()
    expect(page.locator("[id='f:file:name:0']")).to_be_visible()
    tab_to(page, "f:file:name:0")
    page.keyboard.type("By Keys")
    tab_to(page, "f:name")
    page.keyboard.type("Ogre")
    page.keyboard.press("Enter")
    expect(control(page, "name")).to_be_focused()
    tab_to(page, "f:power:0")
    page.keyboard.press("Control+a")
    page.keyboard.type("10")
    tab_to(page, "f:keywords:0:2")
    page.keyboard.press("Space")
    tab_to(page, "f:add")
    page.keyboard.type("Att")
    tab_to(page, "f:adding")
    page.keyboard.press("Enter")
    expect(control(page, "attack")).to_be_focused()
    page.keyboard.type("ga")
    for word, after in (("gain", "gain "), ("1", "gain 1 "), ("life", "gain 1 life")):
        page.keyboard.type(word[:1] if word == "life" else "")
        expect(page.locator("#options li").first).to_have_text(word)
        page.keyboard.press("ArrowDown")
        page.keyboard.press("Enter")
        expect(control(page, "attack")).to_have_value(after)
    expect(page.locator("#faces")).to_contain_text("Attack: Gain 1 life.")
    page.keyboard.press("Control+s")
    expect(page.locator("#saved")).to_have_text("Saved.")
    assert tomllib.loads((running.folder / "empty.toml").read_text()) == {
        "name": "By Keys",
        "ogre": {
            "name": "Ogre", "power": 10, "keywords": ["HUNTER"], "copies": 2,
            "attack": "gain 1 life",
        },
    }  # fmt: skip


def test_a_slow_server_takes_no_focus_away(open_studio: OpenStudio) -> None:
    """A new card gets the focus where what was typed before it is still being written."""
    page = open_studio("slow.toml", "")
    in_form(page)
    page.evaluate(
        """() => {
          const fast = fetch;
          window.fetch = async (to, ...how) => {
            if (`${to}`.endsWith("check")) await new Promise((done) => setTimeout(done, 500));
            return fast(to, ...how);
          };
        }"""
    )
    control(page, "file:name").fill("Slow")
    page.locator("[id='f:name']").fill("Ogre")
    page.locator("[id='f:name']").press("Enter")
    expect(control(page, "name")).to_be_focused()
    expect(page.locator("#text")).to_have_value(re.compile('name = "Slow".*"Ogre"', re.DOTALL))


def test_form_and_text_are_two_views_of_one_file(open_studio: OpenStudio, running: Running) -> None:
    """What the form changes is written at its place, and what the text changes the form shows."""
    page = open_studio("views.toml", TEXT)
    in_form(page)
    control(page, "power").fill("6")
    control(page, "constant", 1).fill("this has FRENZY")
    page.locator("#form").get_by_label("HUNTER").check()
    expect(page.locator("#text")).to_have_value(re.compile("HUNTER"))
    changed = TEXT.replace("power = 5", "power = 6").replace("TOUGH", "FRENZY")
    changed = changed.replace("copies", 'keywords = ["HUNTER"]\ncopies')
    expect(page.locator("#text")).to_have_value(changed)
    page.get_by_role("button", name="Remove Constant").first.click()
    expect(control(page, "constant", 1)).to_have_count(0)
    kept = changed.replace('    "this has +1 power",  # first', "    # first")
    expect(page.locator("#text")).to_have_value(kept)
    page.locator("#text").fill(kept.replace("power = 6", "power = 7"))
    expect(control(page, "power")).to_have_value("7")
    page.get_by_role("button", name="Copy", exact=True).click()
    expect(control(page, "name")).to_have_value("Marsh Lantern 2")
    expect(page.locator("#faces")).to_contain_text("Marsh Lantern 2")
    page.get_by_role("button", name="Remove", exact=True).click()
    expect(page.locator("#faces")).not_to_contain_text("Marsh Lantern 2")
    page.get_by_role("button", name="Put it back").click()
    expect(page.locator("#faces")).to_contain_text("Marsh Lantern 2")
    control(page, "copies").fill("3")
    page.keyboard.press("Control+s")  # what was typed a moment ago is saved as well
    expect(page.locator("#saved")).to_have_text("Saved.")
    assert (running.folder / "views.toml").read_text().count("copies = 3") == 1


def test_a_card_that_there_is_and_its_id(open_studio: OpenStudio) -> None:
    """The name of a card of the game brings its lines; an id is changed in the form."""
    page = open_studio("bees.toml", CARDS)
    in_form(page)
    page.locator("[id='f:name']").press_sequentially("Killer")
    page.get_by_role("option", name="Killer Bee").click()
    page.get_by_role("button", name="Add it").click()
    expect(control(page, "play")).to_have_value("the opponent loses 1 life")
    page.get_by_label("Id", exact=True).fill("my_bee")
    page.keyboard.press("Control+s")
    expect(page.locator("#saved")).to_have_text("Saved.")
    expect(page.locator("#text")).to_have_value(re.compile(r"^\[my_bee\]$", re.MULTILINE))
    page.locator("[id='f:entry']").select_option("marsh_lantern")
    expect(control(page, "name")).to_have_value("Marsh Lantern")
    about = page.locator("#entry")
    about.select_option("my_bee")
    page.locator("[id='f:entry']").select_option("my_bee")
    expect(control(page, "name")).to_have_value("Killer Bee")
    control(page, "play").fill("the opponent")
    expect(about).to_have_value("marsh_lantern")
    control(page, "play").fill("gain 1 life")
    expect(about).to_have_value("my_bee")  # what was chosen is asked about again
    page.locator("[id='f:entry']").select_option("marsh_lantern")
    expect(control(page, "name")).to_have_value("Marsh Lantern")
    page.locator("#text").evaluate("(one) => one.setSelectionRange(one.value.length, 1e6)")
    page.locator("#text").focus()
    expect(control(page, "name")).to_have_value("Killer Bee")


def test_faults_are_told_at_their_fields(open_studio: OpenStudio) -> None:
    """A fault stands below its field as one types, and goes when it is mended."""
    page = open_studio("at_field.toml", TEXT)
    in_form(page)
    second = control(page, "constant", 1)
    second.fill("this hass TOUGH")
    fault = page.locator("[id='f:constant:1:fault']")
    expect(fault).to_have_text(re.compile("'hass' is not a word .* did you mean “has”"))
    expect(second).to_have_attribute("aria-invalid", "true")
    expect(page.locator("[id='f:constant:0:fault']")).to_be_empty()
    expect(page.locator("[id='f:entry'] option")).to_have_text("Marsh Lantern · 1 fault")
    second.fill("this has TOUGH")
    expect(fault).to_be_empty()
    expect(second).not_to_have_attribute("aria-invalid", "true")
    control(page, "power").fill("500")
    expect(page.locator("[id='f:power:0:fault']")).to_contain_text("whole number from 1 to 99")
    page.locator("#text").fill(TEXT.replace("power = 5", "power = = 5"))
    expect(page.locator("#form")).to_contain_text("correct the text first")


def test_completion_in_the_text(open_studio: OpenStudio) -> None:
    """Fields, words and keywords are chosen with the arrows and Enter; Escape leaves the text."""
    page = open_studio("complete.toml", CARDS)
    text = page.locator("#text")
    expect(page.locator("#saved")).to_have_text("Saved.")
    text.focus()
    page.keyboard.press("Control+End")
    page.keyboard.type("def")
    options, listbox = page.locator("#options li"), page.locator("#options")
    expect(options.first).to_contain_text("defeated")
    expect(page.locator("#offered")).to_have_text("1 word can stand here; arrow down to choose.")
    page.keyboard.press("ArrowDown")
    expect(text).to_have_attribute("aria-activedescendant", "option-0")
    page.keyboard.press("Enter")
    page.keyboard.type("st")
    expect(options).to_have_text(["steal"])
    page.keyboard.press("ArrowDown")
    page.keyboard.press("Enter")
    expect(options.first).to_have_text("a random card")
    page.keyboard.press("Escape")
    expect(listbox).to_be_hidden()
    page.keyboard.press("Control+Space")
    expect(listbox).to_be_visible()
    page.keyboard.type("a ran")
    expect(options).to_have_text(["random card"])
    page.keyboard.press("ArrowUp")
    page.keyboard.press("Enter")
    expect(text).to_have_value(f'{CARDS}defeated = "steal a random card"')
    expect(page.locator("#faults")).to_contain_text("No fault found")
    page.keyboard.press("End")
    page.keyboard.press("Enter")
    page.keyboard.type("key")
    expect(options.first).to_contain_text("keywords")
    options.first.click()
    page.keyboard.type('"h')
    expect(options).to_have_text(['HUNTER"'])
    page.keyboard.press("Escape")
    page.keyboard.press("Enter")
    assert text.input_value().endswith('keywords = ["h\n]'), "without a choice Enter is Enter"


def test_a_spreadsheet_is_opened_changed_and_saved(
    open_studio: OpenStudio, running: Running
) -> None:
    """It becomes a card file; the command reads what is saved to the same cards."""
    (running.folder / "sheet.csv").write_text(
        "card_id,name,power,play,#note\nogre,Ogre,9,gain 1 life,mine\n"
    )
    page = open_studio("before.toml", CARDS)
    page.get_by_text("Spreadsheets").click()
    page.get_by_role("button", name="Open sheet.csv").click()
    expect(page).to_have_url(re.compile("file=sheet.toml"))
    expect(page.locator("#saved")).to_have_text("Saved.")
    in_form(page)
    control(page, "power").fill("8")
    page.get_by_text("Spreadsheets").click()
    page.get_by_role("button", name="Save as .xlsx").click()
    expect(page.locator("#table-saved")).to_have_text("Wrote sheet.xlsx into the folder.")
    cards = read_table(running.folder / "sheet.xlsx").cards
    assert cards == load_set(running.folder / "sheet.toml").cards
    assert [(card.name, card.power) for card in cards] == [("Ogre", 8)]
    page.get_by_role("button", name="Save as .csv").click()
    expect(page.locator("#trouble")).to_contain_text("sheet.csv is there already")
    assert "mine" in (running.folder / "sheet.csv").read_text()
    page.get_by_role("button", name="Replace it").click()
    expect(page.locator("#table-saved")).to_have_text("Wrote sheet.csv into the folder.")
    assert read_table(running.folder / "sheet.csv").cards == cards


def test_a_spreadsheet_from_elsewhere(open_studio: OpenStudio, running: Running) -> None:
    """Its faults name row and column, and nothing is kept of it; a sound one is opened."""
    page = open_studio("upload.toml", CARDS)
    page.get_by_text("Spreadsheets").click()
    bad = b"card_id,name,power,play\nogre,Ogre,9,gian 1 life\n"
    page.locator("#upload").set_input_files(
        {"name": "taken.csv", "mimeType": "text/csv", "buffer": bad}
    )
    expect(page.locator("#trouble")).to_contain_text(
        "taken.csv: row 2, column D (play), character 1: ogre: 'gian' is not a word"
    )
    assert not (running.folder / "taken.csv").exists()
    page.locator("#upload").set_input_files(
        {"name": "taken.csv", "mimeType": "text/csv", "buffer": bad.replace(b"gian", b"gain")}
    )
    expect(page).to_have_url(re.compile("file=taken.toml"))
    expect(page.locator("#faces")).to_contain_text("Ogre")
    assert (running.folder / "taken.csv").exists()


def test_the_form_on_a_phone(open_studio: OpenStudio) -> None:
    """Hostile names are text, nothing is wider than a phone, and every control has a name."""
    name = "<img src=x onerror=alert(1)>"
    text = CARDS.replace("Marsh Lantern", name).replace("marsh_lantern", '"<b>\'x"')
    page = open_studio("thin.toml", text, viewport=PHONE)
    page.get_by_label("Form", exact=True).check()
    expect(control(page, "name")).to_have_value(name)
    expect(page.locator("[id='f:entry']")).to_contain_text(name)
    page.get_by_text("Spreadsheets").click()
    control(page, "play").fill("")
    control(page, "play").press_sequentially("the")
    expect(page.locator("#options li")).to_have_text(["the opponent"])
    wide = page.locator("main *:not(.scroll *)").evaluate_all(
        "(all) => all.filter((one) => one.getBoundingClientRect().right > innerWidth)"
        ".map((one) => one.outerHTML.slice(0, 99))"
    )
    assert wide == []
    check_phone(page)
    assert page.locator("main img, main b").count() == 0
