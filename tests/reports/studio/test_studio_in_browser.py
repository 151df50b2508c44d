"""The studio in a real browser, from an empty card to an exported verdict."""

from __future__ import annotations

import re
import zipfile
from collections.abc import Mapping
from pathlib import Path
from typing import Any
from urllib.parse import urlsplit

import pytest
from playwright.sync_api import Browser, Page, Route, expect

from simcore.work.about import Question, working_on
from simcore.work.lock import holding
from support.browser import NEEDS_BROWSER, PHONE, check_phone, unfold
from support.studio import end, recorder, start, wait_for

from .conftest import BEES, CARDS, OpenStudio, Running, framed, save, takes_the_smallest_change

pytestmark = NEEDS_BROWSER

FAULTY = CARDS.replace("gain 1", "gian 1")


def play(page: Page, player: str) -> None:
    """Press Play, with players who need no lesson."""
    page.select_option("#asked select[name=player]", player)
    page.get_by_role("button", name="Play", exact=True).click()
    file = page.evaluate("document.body.dataset.file")
    expect(page.locator("#of")).to_contain_text(file)


def test_from_an_empty_card_to_an_exported_verdict(
    open_studio: OpenStudio, running: Running, tmp_path: Path
) -> None:
    """A file is begun, a card written, played, judged, its page opened and exported."""
    page = open_studio()
    if page.locator("#new[open]").count() == 0:
        page.get_by_text("New file").click()
    page.select_option("#game", label="Mindbug")
    page.locator("#name").fill("whole way")
    page.get_by_role("button", name="Begin").click()
    text = page.get_by_label("Cards of whole way.toml")
    expect(text).to_have_value(re.compile(r"\[my_card\]"))
    expect(page.locator("#faces")).to_contain_text("Play: Gain 1 life.")
    text.fill('name = "Mine"\n\n[ogre]\nname = "Ogre"\npower = 10  # or 9?\ncopies = 2\n')
    page.get_by_text("Cookbook").click()
    page.get_by_label("Find").fill("destroy everything else")
    page.get_by_role("button", name="Insert").locator("visible=true").click()
    expect(page.locator("#faces")).to_contain_text("Play: Defeat every other creature.")

    play(page, "random")
    sentence = page.locator("#sentence")
    expect(sentence).to_contain_text("Ogre is too strong: players dealt it win")
    expect(page.locator("#who")).to_contain_text("between random players")
    assert "play = " in (running.folder / "whole way.toml").read_text(), "played is what was saved"
    expect(page.get_by_role("img", name="Win rate after each look")).to_be_visible()

    page.get_by_role("button", name="Page of my card: why, and the smallest change").click()
    link = page.get_by_role("link", name="The page of my card")
    expect(link).to_be_visible()
    expect(page.locator("#found")).to_contain_text("Smallest change:")
    expect(page.locator("#said")).to_have_count(0)  # compiling is of no interest any more
    takes_the_smallest_change(page, running, "ogre")
    why = page.get_by_role("region", name="Changed: Points")
    expect(why.locator("tbody tr.own th")).to_contain_text("in its place")
    assert why.locator("tbody tr").count() > 2
    assert why.locator("tbody circle").count() == why.locator("tbody tr").count()
    expect(why.locator(".dots.weak").first).to_be_visible()
    became = page.get_by_role("region", name="Against the average card")
    expect(became.locator("tbody")).to_contain_text("never drawn", ignore_case=True)
    with page.context.expect_page() as opening:
        link.click()
    expect(framed(opening.value).locator("h1")).to_contain_text("Ogre is too strong")
    expect(framed(opening.value).get_by_role("tab", name="Changes")).to_be_visible()
    with page.expect_download() as saving:
        page.locator("#answer").get_by_role("link", name="Export it with tables and charts").click()
    saving.value.save_as(tmp_path / "answer.zip")
    names = zipfile.ZipFile(tmp_path / "answer.zip").namelist()
    for last in ("/verdict.html", "/tables/verdict.csv", ".svg", "/proposal.toml"):
        assert any(name.endswith(last) for name in names), last
    expect(page.locator("#listed")).to_contain_text("Ogre is too strong")
    told_is_what_decided(page)


def test_what_was_asked_before_is_read_whole(open_studio: OpenStudio, running: Running) -> None:
    """The list of answers is no wider than the window, however long its players are called."""
    asked = Question(
        game="mindbug",
        question="verdict",
        named=("verdict", "marsh_lantern"),
        what="Marsh Lantern, First Contact + my_very_own_cards_of_the_marsh",
        players=("expert that learned Marsh Lantern from games of its own", "search:16 that did"),
        games=300_000,
        seed=0,
        asked={"a": "long list"},
    )
    with working_on(asked, project=running.folder / "runs") as work:
        (work.folder / "verdict.html").write_text("")
        told = "Marsh Lantern is too strong: players dealt it win 53.9% of their games."
        work.finish(told, "verdict.html")
    page = open_studio("list.toml", CARDS)
    listed = page.locator("#listed .scroll")
    expect(listed).to_contain_text("expert that learned Marsh Lantern")
    for width in (1400, 390):
        page.set_viewport_size({"width": width, "height": 900})
        assert listed.evaluate("(one) => one.scrollWidth <= one.clientWidth"), width


def told_is_what_decided(page: Page) -> None:
    """A game that the card decided is told from the turn on which it was played, to its end.

    And so is any game of the run.
    """
    decided = page.locator("#games-list li").filter(has_text="Ogre").first
    words = decided.inner_text()
    told = r"Game (\d+): the player who played Ogre on turn (\d+) (won|lost)"
    found = re.search(told, words)
    assert found is not None, words
    number, turn, end = found.groups()
    decided.get_by_role("link").click()
    expect(page.locator("#what")).to_contain_text(f"Game {number}: Ogre")
    heading = page.get_by_role("heading", level=2).first
    expect(heading).to_contain_text(re.compile(rf"Turn {turn}: the (first|second) player"))
    player = "first" if "the first" in heading.inner_text() else "second"
    plays = page.locator("#news").filter(has_text=f"The {player} player plays Ogre")
    for _ in range(20):
        page.keyboard.press("ArrowRight")
        expect(page.locator("#side[aria-busy]")).to_have_count(0)
        if plays.count():
            break
    expect(plays).to_have_count(1)
    page.keyboard.press("End")
    won = player if end == "won" else {"first": "second", "second": "first"}[player]
    expect(page.locator("#news")).to_contain_text(f"The {won} player wins")
    expect(page.get_by_role("region", name="First player")).to_be_visible()
    page.go_back()
    expect(page.locator("#any")).to_be_visible()
    page.locator("#any select").select_option(index=0)
    last = int(page.locator("#any option").first.get_attribute("data-last") or "")
    page.locator("#any [name=number]").fill(f"{last + 1}")
    page.locator("#any button").click()
    assert page.evaluate("document.querySelector('#any :invalid').name") == "number"
    page.locator("#any [name=number]").fill("7")
    page.locator("#any button").click()
    expect(page.locator("#where")).to_contain_text("Move 1 of")
    expect(page.locator("#what")).to_contain_text(re.compile(r"^Game 7: .+ · runs/"))


def test_faults_are_shown_as_one_types(open_studio: OpenStudio) -> None:
    """A fault is told with line and column, underlined, led to, and mended with one press."""
    page = open_studio("faults.toml", FAULTY)
    expect(page.locator("#faults")).to_contain_text("'gian' is not a word of the card language")
    expect(page.locator("#marks mark")).to_have_text("gian")
    expect(page.get_by_role("button", name="Play", exact=True)).to_be_disabled()
    page.get_by_role("button", name="line 7, column 9").click()
    at = page.evaluate("document.getElementById('text').selectionStart")
    assert FAULTY[at:].startswith("gian")
    page.get_by_role("button", name="Write “gain”").click()
    expect(page.locator("#faults")).to_contain_text("No fault found")
    expect(page.locator("#text")).to_have_value(CARDS)
    expect(page.get_by_role("button", name="Play", exact=True)).to_be_enabled()


def test_stopped_reloaded_and_gone_on(open_studio: OpenStudio, running: Running) -> None:
    """Games can be stopped, the page reloaded in the middle; nothing that was played is lost."""
    page = open_studio("stopped.toml", BEES)
    page.get_by_text("How the game is played", exact=True).click()
    page.get_by_label("Life at the start").select_option("4")
    play(page, "search:64")
    expect(page.locator("#sentence")).to_contain_text("Killer Bee")
    page.reload()
    expect(page.locator("#sentence")).to_contain_text("Killer Bee")
    assert page.input_value("select[name=life]") == "4", "what was chosen stays chosen"
    page.locator("#answer").get_by_role("button", name="Stop").click()
    expect(page.locator("#state")).to_contain_text("What is finished is kept")
    seen = games_seen(page)
    [folder] = running.folder.glob("runs/first_contact-search-64-*")
    assert 0 < seen <= 512 * len([*folder.glob("games/*.parquet")]) < 10_000
    page.locator("#answer").get_by_role("button", name="Go on").click()
    expect(page.locator("#answer").get_by_role("button", name="Stop")).to_be_visible()
    page.locator("#answer").get_by_role("button", name="Stop").click()
    expect(page.locator("#answer").get_by_role("button", name="Go on")).to_be_visible()
    assert games_seen(page) >= seen


def games_seen(page: Page) -> int:
    """How many games the answer rests on."""
    return int(re.sub(r"\D", "", page.locator("#who").inner_text().partition("games")[0]))


def test_what_is_typed_survives_a_reload(open_studio: OpenStudio, running: Running) -> None:
    """Text that was not saved is there again after a reload, and the file is as it was."""
    page = open_studio("typed.toml", CARDS)
    expect(page.locator("#saved")).to_have_text("Saved.")
    page.locator("#text").fill(CARDS.replace("power = 5", "power = 7"))
    expect(page.locator("#saved")).to_have_text("Not saved.")
    page.reload()
    expect(page.locator("#saved")).to_contain_text("what you typed before")
    expect(page.locator("#faces")).to_contain_text("power 7")
    assert (running.folder / "typed.toml").read_text() == CARDS
    page.keyboard.press("Control+s")
    expect(page.locator("#saved")).to_have_text("Saved.")
    assert "power = 7" in (running.folder / "typed.toml").read_text()


@pytest.mark.usefixtures("open_studio")  # for its patience
def test_what_is_typed_outlasts_the_studio(tmp_path: Path, browser: Browser) -> None:
    """The page says how to start an ended studio again; what was typed is there then."""
    (tmp_path / "mine.toml").write_text(CARDS)
    process, first = start(tmp_path)
    page = browser.new_page()
    page.goto(first.address)
    expect(page.locator("#saved")).to_have_text("Saved.")
    page.locator("#text").fill(typed := CARDS.replace("power = 5", "power = 8"))
    end(process)
    expect(page.locator("#trouble")).to_contain_text("start it again with --port")
    told = re.findall(r"start it again with (--port) (\d+)", trouble_of(page))
    process, again = start(tmp_path, *told[0])
    page.goto(again.address)
    expect(page.locator("#saved")).to_contain_text("what you typed before")
    expect(page.locator("#text")).to_have_value(typed)
    page.context.close()
    end(process)


@pytest.mark.parametrize("status", [200, 500])
def test_what_an_ending_studio_still_answers_hides_nothing(
    open_studio: OpenStudio, status: int
) -> None:
    """What it was asked before it fell silent leaves the advice in sight, broken off or not."""
    page = open_studio("ending.toml", CARDS)
    expect(page.locator("#saved")).to_have_text("Saved.")
    late: list[Route] = []
    page.route("**/check", lambda route: late.append(route))
    with page.expect_request("**/check"):
        page.locator("#text").fill(CARDS.replace("power = 5", "power = 8"))
    page.route("**/state*", lambda route: route.abort())
    advice = expect(page.locator("#trouble"))
    advice.to_contain_text("start it again with --port")
    with page.expect_response("**/check"):
        late[0].fulfill(status=status, json={"faults": [], "entries": [], "html": "", "whole": ""})
    page.evaluate("new Promise((done) => setTimeout(done, 100))")
    assert "start it again with --port" in page.locator("#trouble").inner_text()


@pytest.mark.usefixtures("open_studio")
def test_the_browser_comes_in_by_its_file(tmp_path: Path, browser: Browser) -> None:
    """From the file to the studio; reloads and other windows stay in, another browser does not."""
    (tmp_path / "mine.toml").write_text(CARDS)
    environment, shown = recorder(tmp_path)
    process, running = start(tmp_path, browser=True, environment=environment)
    page = browser.new_context().new_page()
    page.goto(wait_for(shown, process))
    expect(page.locator("#text")).to_have_value(CARDS)
    assert urlsplit(page.url).path == running.place and "token" not in page.url
    page.reload()
    expect(page.locator("#text")).to_have_value(CARDS)
    window = page.context.new_page()
    window.goto(page.url)
    expect(window.locator("#text")).to_have_value(CARDS)
    window.goto(running.address)
    expect(window.locator("#text")).to_have_value(CARDS)
    stranger = browser.new_context().new_page()
    stranger.goto(running.address)
    expect(stranger.locator("body")).to_contain_text("press Enter in the terminal")
    for one in (page, stranger):
        one.context.close()
    end(process)


def trouble_of(page: Page) -> str:
    """The message on top of the page, once there is one."""
    expect(page.locator("#trouble")).to_be_visible()
    return page.locator("#trouble").inner_text()


def test_two_windows_on_one_file(open_studio: OpenStudio, running: Running) -> None:
    """The second to save is told of the first, and chooses; both see what is played."""
    first, second = open_studio("two.toml", CARDS), open_studio("two.toml")
    for page in (first, second):
        expect(page.locator("#saved")).to_have_text("Saved.")
    first.locator("#text").fill(CARDS.replace("power = 5", "power = 6"))
    first.get_by_role("button", name="Save").click()
    expect(first.locator("#saved")).to_have_text("Saved.")
    second.locator("#text").fill(CARDS.replace("power = 5", "power = 4"))
    second.get_by_role("button", name="Save").click()
    expect(second.locator("#trouble")).to_contain_text("changed by somebody else")
    assert "power = 6" in (running.folder / "two.toml").read_text()
    expect(second.locator("#faces")).to_contain_text("power 4")  # the check takes no choice away
    second.get_by_role("button", name="Open what is there now").click()
    expect(second.locator("#faces")).to_contain_text("power 6")
    play(first, "random")
    for page in (first, second):
        expect(page.locator("#of")).to_have_text("marsh_lantern · two.toml")
        expect(page.locator("#sentence")).to_contain_text("Marsh Lantern")


def test_a_file_that_was_taken_away(open_studio: OpenStudio, running: Running) -> None:
    """It is made anew where somebody wants it, with what was typed."""
    page = open_studio("away.toml", CARDS)
    expect(page.locator("#saved")).to_have_text("Saved.")
    (running.folder / "away.toml").unlink()
    mine = CARDS.replace("power = 5", "power = 6")
    page.locator("#text").fill(mine)
    page.keyboard.press("Control+s")
    expect(page.locator("#trouble")).to_contain_text("away.toml was taken away since")
    page.get_by_role("button", name="Replace it by mine").click()
    expect(page.locator("#saved")).to_have_text("Saved.")
    expect(page.locator("#trouble")).to_be_hidden()
    assert (running.folder / "away.toml").read_text() == mine


def test_pressed_twice_is_begun_once(open_studio: OpenStudio) -> None:
    """A second press while the first is answered is no trouble, nor are two saves at once."""
    page = open_studio("twice.toml", BEES.replace("power = 4", "power = 8"))
    page.select_option("#asked select[name=player]", "random")
    refused: list[str] = []
    page.on("response", lambda one: refused.append(one.url) if one.status >= 400 else None)
    page.get_by_role("button", name="Play", exact=True).dblclick()
    expect(page.locator("#sentence")).to_contain_text("Killer Bee")
    page.locator("#text").fill(BEES.replace("power = 4", "power = 9"))
    for key in ("Control+s", "Control+s", "Control+s"):
        page.keyboard.press(key)
    expect(page.locator("#saved")).to_have_text("Saved.")
    expect(page.locator("#trouble")).to_be_hidden()
    assert refused == []


def test_an_answer_is_about_the_text_that_was_played(open_studio: OpenStudio) -> None:
    """An answer says that the text has changed since, until that is played or taken back."""
    page = open_studio("since.toml", CARDS)
    play(page, "random")
    expect(page.locator("#who")).to_contain_text("200,000 games")
    since = page.locator("#answer .since")
    expect(since).to_be_hidden()
    strong = CARDS.replace("power = 5", 'power = 20\nkeywords = ["SNEAKY", "TOUGH"]')
    page.locator("#text").fill(strong)
    expect(since).to_have_text("· the file has changed since")
    page.locator("#text").fill(CARDS)
    expect(since).to_be_hidden()
    save(page, strong)
    expect(since).to_be_visible()
    page.get_by_role("button", name="Play", exact=True).click()
    expect(since).to_be_hidden()
    expect(page.locator("#sentence")).to_contain_text("too strong")


def test_what_is_wrong_is_told_where_one_is(open_studio: OpenStudio) -> None:
    """A refusal is in sight wherever the page was scrolled to; the table says what hinders it."""
    page = open_studio("sight.toml", FAULTY)
    expect(page.locator("#faults")).to_contain_text("gian")
    page.get_by_role("button", name="Sit down").click()
    expect(page.locator("#sitting")).to_have_text("Correct what is wrong in the text first.")
    page.locator("#text").fill(CARDS)
    expect(page.locator("#sitting")).to_have_text("")
    unfold(page.locator("#new"))
    page.locator("#name").fill("../away")
    page.locator("#runs").scroll_into_view_if_needed()
    page.locator("#begin").dispatch_event("submit")
    expect(page.locator("#trouble")).to_contain_text("is not a name for a file here")
    expect(page.locator("#trouble")).to_be_in_viewport()


def test_back_shows_the_file_before(open_studio: OpenStudio) -> None:
    """The list of files names the file that is open, though another was chosen in it."""
    page = open_studio("one.toml", CARDS)
    open_studio("other.toml", CARDS)
    page.reload()
    page.select_option("#file", "other.toml")
    expect(page.locator("body")).to_have_attribute("data-file", "other.toml")
    page.go_back()
    expect(page.locator("body")).to_have_attribute("data-file", "one.toml")
    expect(page.locator("#file")).to_have_value("one.toml")


def test_a_folder_that_another_process_uses(open_studio: OpenStudio, running: Running) -> None:
    """Where a command, or a second studio, is at work in the run's folder, that is said."""
    page = open_studio("busy.toml", CARDS.replace("power = 5", "power = 3"))
    play(page, "random")
    expect(page.locator("#who")).to_contain_text("200,000 games")
    [folder] = running.folder.glob("runs/*busy*")
    with holding(folder):
        play(page, "random")
        expect(page.locator("#state")).to_contain_text("another fairdeal is at work in")
    page.locator("#answer").get_by_role("button", name="Go on").click()
    expect(page.locator("#who")).to_contain_text("200,000 games")


def test_hostile_names_are_text(open_studio: OpenStudio) -> None:
    """A name that is markup is shown as it is written, and nothing of it runs."""
    name = "<img src=x onerror=alert(1)><script>alert(2)</script>"
    page = open_studio("hostile.toml", CARDS.replace('"Marsh Lantern"', f'"{name}"'))
    expect(page.locator("#faces strong")).to_have_text(name)
    play(page, "random")
    expect(page.locator("#sentence")).to_contain_text("<img src=x")
    page.select_option("#entry", "")
    play(page, "random")
    expect(page.locator("#pool tr.own th")).to_contain_text("<img src=x")
    assert page.locator("main img, main script").count() == 0


@pytest.mark.parametrize("window", [{}, {"viewport": PHONE}], ids=["wide", "phone"])
def test_a_press_outlasts_a_refresh(open_studio: OpenStudio, window: Mapping[str, Any]) -> None:
    """A button counts as pressed though the answer around it came in the meantime.

    On a wide screen it stays where it is; on a phone what stands above it may move it.
    """
    power = "power = 7" if window else "power = 8"
    page = open_studio(f"pressed{len(window)}.toml", BEES.replace("power = 4", power), **window)
    expect(page.locator("#standing")).to_contain_text("price, not played yet")
    play(page, "search:64")
    page.locator("#stop").hover()
    place = page.locator("#stop").bounding_box()
    page.mouse.down()
    expect(page.locator("#sentence")).to_contain_text("Killer Bee")
    expect(page.locator("#funnel")).to_be_visible()
    expect(page.locator("#standing")).not_to_contain_text("price")
    assert window or page.locator("#stop").bounding_box() == place
    page.mouse.up()
    expect(page.locator("#go-on")).to_be_visible()
    expect(page.locator("#state")).to_contain_text("Stopped.")


def test_keyboard_alone(open_studio: OpenStudio) -> None:
    """A card is written, played and stopped without a mouse, and focus is never lost.

    Nor does it go to an experiment that was stopped before.
    """
    page = open_studio("keys.toml", BEES.replace("power = 4", "power = 3"))
    expect(page.locator("#saved")).to_have_text("Saved.")
    page.select_option("#asked select[name=player]", "learned")
    part = unfold(page.locator("#sensitivity"))
    part.get_by_role("button", name="Try changes").click()
    page.locator("#sensitivity-stop").click()
    expect(page.locator("#sensitivity-go-on")).to_be_visible()
    page.locator("#text").focus()
    page.keyboard.press("Control+End")
    page.keyboard.type("# mine")
    page.select_option("#asked select[name=player]", "search:64")
    page.keyboard.press("Control+Enter")
    expect(page.locator("#sentence")).to_contain_text("Killer Bee")
    for _ in range(150):  # the cookbook may be open
        if page.evaluate("document.activeElement.id") == "stop":
            break
        page.keyboard.press("Tab")
    assert page.evaluate("document.activeElement.id") == "stop"
    page.keyboard.press("Enter")
    expect(page.locator("#answer").get_by_role("button", name="Go on")).to_be_focused()


def test_on_a_phone(open_studio: OpenStudio) -> None:
    """Nothing is wider than a phone, and whatever can be pressed has a name."""
    page = open_studio("phone.toml", FAULTY, viewport=PHONE)
    expect(page.locator("#faults")).to_contain_text("gian")
    page.get_by_text("Cookbook").click()
    check_phone(page)
    page.locator("#text").fill(CARDS)
    play(page, "random")
    expect(page.locator("#sentence")).to_contain_text("Marsh Lantern")
    check_phone(page)
