"""A game of one's own in the studio, in a real browser: write, check, play, ask why, compare."""

from __future__ import annotations

import re
import shutil
from collections.abc import Iterator
from pathlib import Path

import pytest
from playwright.sync_api import Browser, Page, expect

from reports.cli.console import InputError
from reports.own_games.studio.bench import bench_of
from reports.studio.guard import Secrets
from reports.studio.project import Project
from reports.studio.server import Studio
from reports.studio.work import Desk
from support.browser import NEEDS_BROWSER, PHONE, nameless, unfold
from support.own_games import EXAMPLES
from support.studio import QUICK_PROGRAM, Running, end, start

from .conftest import OpenStudio, framed, save, taken

pytestmark = NEEDS_BROWSER

#: The cards of the game, two of them.
CARDS = """game = "duel"

# light
[card.sling]
strength = 1  # too weak?
words = ["quick"]

[card.sword]
strength = 3
"""

#: A game that has no entries.
NOUGHTS = """
from fairdeal import Game, Number, Rules

LINES = [(0, 1, 2), (3, 4, 5), (6, 7, 8), (0, 3, 6), (1, 4, 7), (2, 5, 8), (0, 4, 8), (2, 4, 6)]

class Noughts(Rules):
    board = Number(shape=9)
    moves = Number()

    def start(self):
        self.acting = 0

    def options(self, seat):
        for place in range(9):
            if self.board[place] == 0:
                yield "mark", place

    def mark(self, seat, place):
        self.board[place] = seat + 1
        self.moves += 1
        self.acting = None if self.won(seat) or self.moves == 9 else 1 - seat

    def won(self, seat):
        for line in LINES:
            if all(self.board[place] == seat + 1 for place in line):
                return True
        return False

    def scores(self):
        return [int(self.won(0)), int(self.won(1))]

GAME = Game(name="noughts", title="Noughts", version=1, rules=Noughts)
"""


@pytest.fixture(scope="module")
def running(tmp_path_factory: pytest.TempPathFactory) -> Iterator[Running]:
    """A studio that is started with the rules of a game."""
    folder = tmp_path_factory.mktemp("duel")
    for file in ("duel.py", "duel.toml"):
        shutil.copy(EXAMPLES / file, folder)
    process, found = start(folder, named="duel.py", cwd=folder, program=QUICK_PROGRAM)
    yield found
    end(process)


def plays(page: Page, entry: str) -> None:
    """Play games of an entry by random players until there are enough."""
    page.select_option("#asked select[name=player]", "random")
    page.select_option("#entry", entry)
    page.get_by_role("button", name="Play", exact=True).click()
    expect(page.get_by_role("button", name="Half as wide")).to_be_visible()


def test_entries_as_text_form_and_table(open_studio: OpenStudio, running: Running) -> None:
    """The game's own file is shown first; faults have their place; each view writes the text."""
    page = open_studio()
    expect(page.locator("#file")).to_have_value("duel.toml")
    expect(page.locator("#faces")).to_contain_text("strength 2 · words pierce")
    expect(page.locator("#game")).to_contain_text("Duel")

    text = (running.folder / "duel.toml").read_text()
    page.locator("#text").fill(text.replace("strength = 1", "strenght = 1", 1))
    expect(page.locator("#faults")).to_contain_text("is not a field of a card")
    expect(page.locator("#go")).to_be_disabled()
    page.get_by_role("button", name="Write “strength”").click()
    expect(page.locator("#text")).to_have_value(text)
    expect(page.locator("#faults")).to_contain_text("No fault found")

    page.get_by_label("Table", exact=True).check()
    strength = page.get_by_label("Strength of Sling")
    expect(strength).to_have_value("1")
    strength.fill("12")
    strength.press("Tab")
    expect(page.locator("#grid")).to_contain_text("12 is not a whole number from 0 to 9")
    strength.fill("2")
    strength.press("Tab")
    expect(page.locator("#text")).to_have_value(text.replace("strength = 1", "strength = 2", 1))
    page.get_by_role("button", name="Words of Club").click()
    expect(page.locator("[id='f:id']")).to_have_value("club")
    page.locator("#form").get_by_label("pierce").check()
    expect(page.get_by_role("button", name="Words of Club: pierce")).to_be_visible()
    assert nameless(page) == []
    page.set_viewport_size(PHONE)  # type: ignore[arg-type]
    assert page.evaluate("document.documentElement.scrollWidth <= innerWidth")

    spreadsheets = unfold(page.locator("#tables"))
    spreadsheets.get_by_role("button", name="Save as .csv").click()
    expect(page.locator("#table-saved")).to_contain_text("Wrote duel.csv")
    table = (running.folder / "duel.csv").read_text("utf-8-sig")
    assert table.splitlines()[:2] == ["id,name,strength,words", "sling,,2,quick"]
    table_of_two = "\n".join(table.replace("sling,,2", "sling,,7").splitlines()[:3])
    (running.folder / "opened.csv").write_text(table_of_two)
    page.reload()
    unfold(page.locator("#tables")).get_by_role("button", name="Open opened.csv").click()
    expect(page.locator("#file")).to_have_value("opened.toml")
    expect(page.locator("#text")).to_have_value(re.compile(r"\[card.sling\]\nstrength = 7"))

    page.get_by_label("Text", exact=True).check()
    page.locator("#text").fill('[card.sling]\nwords=["quick"]\nstrength=1')
    page.get_by_role("button", name="Format").click()
    expect(page.locator("#text")).to_have_value('[card.sling]\nstrength = 1\nwords = ["quick"]\n')


def test_a_verdict_narrows_and_says_why(open_studio: OpenStudio, running: Running) -> None:
    """The interval of what a card is worth narrows; the whole verdict proposes a change."""
    page = open_studio("quick.toml", CARDS)
    plays(page, "sling")
    expect(page.locator("#answer")).to_contain_text("Sling is too weak: seats that are dealt it")
    expect(page.locator("#answer")).to_contain_text("games played by random")
    points = page.locator("#answer .funnel polyline").get_attribute("points")
    assert points and points.count(",") > 5
    page.get_by_role("button", name="Page of my card").click()
    expect(page.get_by_role("link", name="The page of my card")).to_be_visible()
    expect(page.locator("#answer")).to_contain_text("Smallest change:")
    expect(page.locator("#answer")).to_contain_text("Why: its worth with one number changed")
    now = taken(page, page.get_by_role("button", name="Take it").first)
    assert re.sub(r"strength = [2-9]", "strength = 1", now, count=1) == CARDS
    with page.context.expect_page() as opening:
        page.get_by_role("link", name="The page of my card").click()
    expect(framed(opening.value).locator("h1")).to_contain_text("Sling is too weak")
    [run] = running.folder.glob("runs/worth-sling-*")
    assert [*run.glob("games/*.parquet")]

    page.locator("#text").fill(CARDS)
    plays(page, "")
    expect(page.locator("#sentence")).to_contain_text(re.compile("too strong: [^.]*seat 1"))
    rows = page.locator("#pool tbody tr")
    expect(rows.first).to_contain_text(re.compile("^(Sling|Sword)"))  # those of the file come first
    expect(rows.last).to_contain_text(re.compile("^seat 2.*too weak"))
    rows.filter(has_text="Sword").get_by_role("button").click()
    expect(page.locator("#entry")).to_have_value("sword")
    expect(page.locator("#entry")).to_be_focused()
    before = page.locator("#text").evaluate("(one) => one.value.slice(0, one.selectionEnd)")
    assert before.endswith("[card.sword]")
    page.get_by_role("button", name="Page of all entries").click()
    expect(page.get_by_role("link", name="The page of all entries")).to_be_visible()


def test_changes_are_tried(open_studio: OpenStudio, running: Running) -> None:
    """Each number of a card, all of them as a map, and the file against a version before."""
    page = open_studio("tried.toml", CARDS)
    page.select_option("#asked select[name=player]", "random")
    part = unfold(page.locator("#sensitivity"))
    part.get_by_role("button", name="Try changes").click()
    expect(part.get_by_role("link", name="The whole page")).to_be_visible()
    rows = page.locator("#sensitivity-chart tbody tr")
    stronger = rows.filter(has_text="strength 2 instead of 1")
    expect(stronger).to_contain_text("stronger")
    assert taken(page, stronger.get_by_role("button")) == CARDS.replace(
        "strength = 1  #", "strength = 2  #"
    )
    part.locator("select[name=of]").select_option("settings")
    part.get_by_role("button", name="Try changes").click()
    life = rows.filter(has_text="life 13 instead of 12")
    expect(part.get_by_role("link", name="The whole page")).to_be_visible()
    life.get_by_role("button", name="Choose it above").click()
    expect(page.locator("#asked select[name=set-life]")).to_have_value("13")
    page.select_option("#asked select[name=set-life]", "")

    save(page, CARDS.replace("strength = 1", "strength = 4"))
    part = unfold(page.locator("#compare"))
    part.get_by_role("button", name="Compare", exact=True).click()
    expect(part.get_by_role("link", name="The whole page")).to_be_visible()
    first = page.locator("#compare-chart tbody tr").first
    expect(first).to_contain_text("Sling")
    expect(first).to_contain_text("more")
    versions = unfold(page.locator("#history"))
    expect(versions).to_contain_text("Sling: strength 2 → strength 4")


def test_a_person_sits_down(open_studio: OpenStudio) -> None:
    """The table deals a game of the file, and a game of a run is told move by move."""
    page = open_studio("table.toml", CARDS)
    page.select_option("#sit select[name=player]", "random")
    page.get_by_role("button", name="Sit down").click()
    expect(page.locator("body")).to_contain_text("Decision 1. You may")
    page.get_by_role("button", name=re.compile("^Draw")).first.click()
    expect(page.locator("body")).to_contain_text("Decision 3. You may")
    expect(page.locator("body")).to_contain_text("face down")


@pytest.mark.parametrize(
    ("rule", "told"),
    [
        ("while True: pass", "does a loop of it never end?"),
        ("self.life[2] = 1", "duel.py:17: IndexError"),
        ("exit()", "duel.py:17: SystemExit"),
        ("return self..", "duel.py:17: SyntaxError"),
    ],
)
def test_rules_that_fail_end_in_one_message(
    open_studio: OpenStudio, running: Running, rule: str, told: str
) -> None:
    """Changed rules are read anew; the studio says what is wrong with them, and goes on."""
    path = running.folder / "duel.py"
    sound = path.read_text()
    page = open_studio("failing.toml", CARDS)
    page.select_option("#asked select[name=player]", "random")
    before = "        self.deck.fill("
    try:
        path.write_text(sound.replace(before, f"        {rule}\n{before}", 1))
        assert rule in path.read_text().splitlines()[16]
        page.get_by_role("button", name="Play", exact=True).click()
        expect(page.locator("#trouble, #state").filter(has_text=told)).to_be_visible()
    finally:
        path.write_text(sound)
    page.get_by_role("button", name="Play", exact=True).click()
    expect(page.locator("#answer")).to_contain_text("Sling is")
    page.get_by_role("button", name="Stop").or_(page.get_by_text("Half as wide")).first.wait_for()


def test_a_game_is_opened_by_a_press(browser: Browser, tmp_path: Path) -> None:
    """In a folder that is opened by itself a game waits until somebody confirms that it runs."""
    for file in ("duel.py", "duel.toml"):
        shutil.copy(EXAMPLES / file, tmp_path)
    process, running = start(tmp_path)
    context = browser.new_context()
    running.let_in(context)
    page = context.new_page()
    page.goto(f"http://{running.host}{running.place}")
    expect(page.locator("#faces")).to_have_count(0)
    page.get_by_text("Games of your own").click()
    page.get_by_role("button", name="Run duel.py and open it").click()
    expect(page.locator("#faces")).to_contain_text("strength 2 · words pierce")
    expect(page.locator("#file")).to_have_value("duel.toml")
    expect(page.get_by_text("Games of your own")).to_have_count(0)
    context.close()
    end(process)


def test_the_file_of_a_game_is_the_only_one_that_is_run(tmp_path: Path) -> None:
    """Other Python files of its folder are left alone, whatever is asked."""
    for file in ("duel.py", "duel.toml"):
        shutil.copy(EXAMPLES / file, tmp_path)
    (tmp_path / "other.py").write_text(f"open({str(tmp_path / 'ran')!r}, 'w')\nGAME = 1\n")
    (tmp_path / "changed.toml").write_text("[card.sling]\nstrength = 2\n")
    process, running = start(
        tmp_path, named="duel.py+changed.toml", cwd=tmp_path, program=QUICK_PROGRAM
    )
    shown = running.ask(running.place, **running.cookie)[1]
    assert 'data-game="own_games" data-file="changed.toml"' in shown
    end(process)
    assert not (tmp_path / "ran").exists()


def test_a_game_without_entries(browser: Browser, tmp_path: Path) -> None:
    """Its rules are shown and stay as they are; who wins, how it ends, a check, and the table."""
    rules = tmp_path / "noughts.py"
    rules.write_text(NOUGHTS)
    (tmp_path / "other.py").write_text(NOUGHTS)
    process, running = start(tmp_path, named="noughts.py", cwd=tmp_path, program=QUICK_PROGRAM)
    context = browser.new_context()
    running.let_in(context)
    page = context.new_page()
    page.goto(f"http://{running.host}{running.place}")
    expect(page.locator("#text")).to_have_value(NOUGHTS)
    expect(page.locator("#write")).to_contain_text("Noughts has no cards")
    expect(page.locator("#text")).not_to_be_editable()
    expect(page.locator("#game option")).not_to_contain_text(["Noughts"])
    assert page.locator(".trial").evaluate_all("(all) => all.map(({ id }) => id)") == ["order"]
    page.select_option("#asked select[name=player]", "random")
    page.locator("#text").press("Control+s")
    page.get_by_role("button", name="Play", exact=True).click()
    page.get_by_role("button", name="Page of the whole game").click()
    expect(page.get_by_role("link", name="The page of the whole game")).to_be_visible()
    expect(page.locator("#sentence")).to_contain_text("1 of 2 seats is too strong: seat 1")
    answer = page.locator("#answer").inner_text()
    for what, truth in (("Going first", 64.8), ("Draws", 12.7)):  # between random players
        told = re.search(rf"{what}: ([\d.]+)", answer)
        assert told and abs(float(told[1]) - truth) < 4
    assert "Length: A game has 7." in answer
    unfold(page.locator("#order")).get_by_role("button", name="Check").click()
    expect(page.locator("#order-sentence")).to_have_text("Noughts: no mistakes were found.")
    assert nameless(page) == []
    page.set_viewport_size(PHONE)  # type: ignore[arg-type]
    assert page.evaluate("document.documentElement.scrollWidth <= innerWidth")
    expect(page.locator("#trouble")).to_be_hidden()
    page.get_by_role("button", name="Sit down").click()
    expect(page.locator("body")).to_contain_text("Decision 1. You may")
    context.close()
    end(process)
    assert rules.read_text() == NOUGHTS
    assert not (tmp_path / "history").exists()


def test_rules_that_are_not_open_are_not_shown(tmp_path: Path) -> None:
    """Of files of rules the studio hands out those of the game that it was opened with alone."""
    for name in ("noughts.py", "other.py"):
        (tmp_path / name).write_text(NOUGHTS)
    bench = bench_of(str(tmp_path / "noughts.py"))
    bench.file = bench.rules = "noughts.py"
    studio = Studio(Project(tmp_path), Desk({"own_games": bench}), Secrets())
    assert studio.read({"file": "noughts.py"})["text"] == NOUGHTS
    with pytest.raises(InputError, match="not a name for a file here"):
        studio.read({"file": "other.py"})
    for text in ("", "GAME = 1"):
        studio.save({"file": "noughts.py", "text": text, "version": ""})
    assert (tmp_path / "noughts.py").read_text() == NOUGHTS
