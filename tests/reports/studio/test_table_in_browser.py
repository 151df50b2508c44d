"""The table in a real browser: a person plays on it, and games are told on it move by move."""

from __future__ import annotations

import io
import json
import re
from collections.abc import Mapping
from pathlib import Path

import pytest
from attrs import frozen
from openpyxl import load_workbook
from playwright.sync_api import Page, Response, expect

from reports.mindbug.contract import REPORTS
from reports.play.log import GameLog, read_log
from reports.play.told import tell_moments
from simcore.mindbug import Game
from simcore.mindbug.play.asked import read_asked
from support.browser import NEEDS_BROWSER, PHONE, check_phone
from support.hidden import hidden_and_open

from .conftest import BEES, CARDS, OpenStudio, Running

pytestmark = NEEDS_BROWSER


@frozen
class AtTable:
    """A page at the table, and the file of its game."""

    page: Page
    file: Path

    @property
    def log(self) -> GameLog:
        """The game in the file."""
        return read_log(self.file)

    def rest(self) -> None:
        """Wait until the table has answered."""
        expect(self.page.locator("#side[aria-busy]")).to_have_count(0)

    def press(self, key: str) -> None:
        """Press a key, and wait for what comes of it."""
        self.page.keyboard.press(key)
        self.rest()

    def take(self, place: int = 0) -> None:
        """Press an option, counted from 0; from the last one for a negative number."""
        self.page.locator(".option").nth(place).click()
        self.rest()


def sit_down(page: Page, running: Running, *, seed: int = 3, player: str = "random") -> AtTable:
    """Sit down with the card of the page."""
    expect(page.locator("#go:not(:disabled)")).to_be_visible()
    page.select_option("#sit [name=player]", player)
    page.get_by_label("Deal", exact=True).fill(str(seed))
    page.get_by_role("button", name="Sit down").click()
    expect(page.locator("#question")).to_be_visible()
    name = page.evaluate("document.body.dataset.play")
    found = AtTable(page, running.folder / "runs" / name)
    found.rest()
    return found


def moment_of(log: GameLog, n_decisions: int) -> Game:
    """The game of a log after so many decisions."""
    table = read_asked(log.asked, {name: text.encode() for name, text in log.files.items()})
    game = Game(table, seed=log.seed, game=log.number)
    for _, option in log.decisions[:n_decisions]:
        game.step(option)
    return game


def leaks(log: GameLog, answers: Mapping[int, str]) -> tuple[list[str], int]:
    """Names that answers should not have told after so many decisions, and how many were hidden."""
    known: set[str] = set()
    told, n_hidden = [], 0
    for number in range(len(log.decisions)):
        hidden, lies_open = hidden_and_open(moment_of(log, number), log.person[0])
        known |= lies_open
        n_hidden += len(hidden - known)
        text = answers.get(number, "")
        told += [name for name in hidden - known if re.search(rf"\b{re.escape(name)}\b", text)]
    return told, n_hidden


def test_a_whole_game_is_played_and_told(
    open_studio: OpenStudio,
    running: Running,
    ask,
    monkeypatch: pytest.MonkeyPatch,
) -> None:
    """A game is played with the card, nothing hidden is sent; its file replays to the same end."""
    page = open_studio("whole.toml", CARDS)
    answers: dict[int, str] = {}

    def keep(response: Response) -> None:
        if response.url.endswith(("/choose", "/at_table")):
            found = response.json()
            number = int(found["at"].partition("-")[0])
            answers[number] = answers.get(number, "") + json.dumps(found)

    page.on("response", keep)
    table = sit_down(page, running)
    mine = page.get_by_role("region", name="You")
    expect(mine.locator(".piece", has_text="Marsh Lantern")).to_contain_text("Gain 1 life.")
    expect(page.get_by_role("region", name="Opponent").locator(".backs")).to_contain_text(
        "5 face down"
    )
    table.press("h")
    expect(page.locator("#opinions")).to_contain_text("expert would choose")
    expect(page.locator("#opinions")).to_be_in_viewport(ratio=1)
    while page.locator(".option").count():
        table.take(-1)
    log = table.log
    assert log.record is not None
    assert log.start_with == "Marsh Lantern in your hand"
    told, n_hidden = leaks(log, answers)
    assert told == [] and n_hidden > 100
    assert len(answers) > 5

    page.get_by_role("button", name="Add it to games.xlsx").click()
    expect(page.get_by_role("button", name="It is in games.xlsx")).to_be_disabled()
    [heads, row] = load_workbook(running.folder / "games.xlsx").worksheets[0].values
    kept = dict(zip(heads, row, strict=False))
    assert "me" in (kept["player_1"], kept["player_2"])
    assert re.fullmatch(
        r"my choices cost \d+\.\d points each, judged by expert; in my place it would have cost"
        r" greedy \d+\.\d, heuristic \d+\.\d and chance \d+\.\d",
        kept["remark"],
    )
    page.reload()
    page.get_by_role("button", name="Add it to games.xlsx").click()
    expect(page.locator("#trouble")).to_contain_text("games.xlsx already")

    end = page.locator("#ask .answer").first.inner_text()
    monkeypatch.chdir(running.folder)
    answer = ask("replay", f"runs/{table.file.name}").done()
    assert f"\n{end.partition(':')[0]}:" in answer.out

    page.get_by_role("link", name="Watch it move by move").click()
    moments = tell_moments(REPORTS.match(log), table.file.name)
    where = page.locator("#where")
    expect(where).to_have_text(f"Move 1 of {len(moments) - 1}")
    expect(page.get_by_role("img", name="You: chance of winning at each move")).to_be_visible()
    mistake = page.locator(".moment").first
    at = int(mistake.get_attribute("data-at") or "")
    move = moments[at].move
    assert move is not None
    expect(page.locator(".mistakes li").first).to_contain_text(move.options[move.chosen].whole)
    mistake.click()
    expect(where).to_have_text(f"Move {at + 1} of {len(moments) - 1}")
    page.get_by_role("button", name="First").click()
    expect(where).to_have_text(f"Move 1 of {len(moments) - 1}")
    for number in (2, 3):
        page.get_by_role("button", name="Next").click()
        expect(where).to_have_text(f"Move {number} of {len(moments) - 1}")
        move = moments[number - 1].move
        assert move is not None
        expect(page.locator("#question")).to_have_text(move.asked)
        expect(page.locator("#chosen")).to_have_text(move.options[move.chosen].whole)
        expect(page.locator(".told .chosen")).to_have_count(1)
    page.reload()
    expect(where).to_have_text(f"Move 3 of {len(moments) - 1}")
    page.get_by_role("button", name="Previous").click()
    expect(where).to_have_text(f"Move 2 of {len(moments) - 1}")
    page.get_by_role("button", name="Last").click()
    expect(page.locator("#news")).to_contain_text(f"{end.partition(':')[0]}:")
    expect(page.locator("main")).not_to_contain_text(re.compile(r"[Pp]layer \d"))


def test_reloaded_taken_back_and_in_two_windows(
    open_studio: OpenStudio,
    running: Running,
    ask,
    monkeypatch: pytest.MonkeyPatch,
) -> None:
    """A reload shows the same game, undo goes back, and a second window is told what has moved.

    The command goes on with the game, and the page with what the command has played.
    """
    page = open_studio("again.toml", CARDS)
    table = sit_down(page, running, seed=5)
    table.take()
    question, decisions = page.locator("#question").inner_text(), table.log.decisions
    story = page.locator("#log").inner_text()
    page.reload()
    expect(page.locator("#question")).to_have_text(question)
    expect(page.locator("#log")).to_have_text(story, use_inner_text=True)
    assert table.log.decisions == decisions

    other = open_studio()
    other.goto(page.url)
    expect(other.locator("#question")).to_have_text(question)
    table.take()
    assert len(table.log.decisions) > len(decisions)
    other.locator(".option").first.click()
    expect(other.locator("#trouble")).to_contain_text("has gone on in another window")
    expect(other.locator("#question")).to_have_text(page.locator("#question").inner_text())

    table.press("u")
    expect(page.locator("#question")).to_have_text(question)
    assert table.log.decisions == decisions and table.log.taken_back > 0
    monkeypatch.chdir(running.folder)
    monkeypatch.setattr("sys.stdin", io.StringIO("1\n"))
    answer = ask("play", f"runs/{table.file.name}").done()
    assert "The game is kept." in answer.out
    assert len(table.log.decisions) > len(decisions)
    page.reload()
    expect(page.locator(".option").first).to_be_visible()  # the table is there, not the page alone
    expect(page.locator("#log p")).not_to_have_count(len(story.splitlines()))
    page.get_by_role("button", name="Another deal").click()
    expect(page.locator("#what")).not_to_contain_text("Deal 5,")
    expect(page.locator("#what")).to_contain_text("the first deal with Marsh Lantern")


def test_the_table_answers_while_games_are_played(
    open_studio: OpenStudio, running: Running
) -> None:
    """Long work of the studio does not keep a person from their game."""
    table = sit_down(open_studio("beside.toml", CARDS), running, seed=6)
    before = table.log.decisions
    busy = open_studio("long.toml", BEES)
    busy.select_option("#asked select[name=player]", "search:64")
    busy.get_by_role("button", name="Play", exact=True).click()
    expect(busy.locator("#of")).to_contain_text("long.toml")
    table.take()
    assert len(table.log.decisions) > len(before)
    expect(busy.get_by_role("button", name="Stop")).to_be_enabled()


def test_keys_alone(open_studio: OpenStudio, running: Running) -> None:
    """A person sits down, decides, is advised, goes back, and is told a game without a mouse."""
    page = open_studio("keys_at_table.toml", CARDS)
    expect(page.locator("#go:not(:disabled)")).to_be_visible()
    page.select_option("#sit [name=player]", "random")
    page.get_by_label("Deal", exact=True).focus()
    page.keyboard.type("7")
    page.keyboard.press("Enter")
    expect(page.locator("#question")).to_be_visible()
    table = AtTable(page, running.folder / "runs" / page.evaluate("document.body.dataset.play"))
    table.rest()
    before = table.log.decisions
    table.press("1")
    expect(page.locator("#question")).to_be_focused()
    assert len(table.log.decisions) > len(before)
    page.keyboard.press("Tab")
    expect(page.locator(".option").first).to_be_focused()
    table.press("t")
    expect(page.locator("#opinions")).to_contain_text("random rates no options here.")
    table.press("u")
    assert table.log.decisions[: len(before)] == before
    while page.locator(".option").count():
        table.press("1")
    page.locator("#told").focus()
    page.keyboard.press("Enter")
    where = page.locator("#where")
    expect(where).to_contain_text("Move 1 of")
    for key, words in (
        ("ArrowRight", "Move 2 of"),
        ("ArrowRight", "Move 3 of"),
        ("ArrowLeft", "Move 2 of"),
        ("End", "The end"),
        ("Home", "Move 1 of"),
    ):
        table.press(key)
        expect(where).to_contain_text(words)


def test_hostile_names_are_text_at_the_table(open_studio: OpenStudio, running: Running) -> None:
    """A name that is markup is shown as it is written, on the table and in what is told."""
    name = "<img src=x onerror=alert(1)><script>alert(2)</script>"
    page = open_studio("hostile_table.toml", CARDS.replace('"Marsh Lantern"', f'"{name}"'))
    table = sit_down(page, running)
    expect(page.locator(".mine .piece strong").filter(has_text=name).first).to_be_visible()
    table.take()
    expect(page.locator(".option").filter(has_text=name)).to_have_count(1)
    table.press("h")
    expect(page.locator("#opinions")).to_contain_text("<img src=x")
    assert page.locator("main img, main script").count() == 0
    page.get_by_role("link", name="Back to the studio").click()
    expect(page.locator("#games-list")).to_contain_text("<img src=x")
    assert page.locator("main img, main script").count() == 0


def test_the_table_on_a_phone(open_studio: OpenStudio, running: Running) -> None:
    """Nothing is wider than a phone, and whatever can be pressed has a name."""
    page = open_studio("phone_table.toml", CARDS, viewport=PHONE)
    table = sit_down(page, running)
    for _ in range(4):
        table.take()
    table.press("h")
    expect(page.locator("#opinions")).to_contain_text("would choose")
    for _ in range(2):
        check_phone(page)
        while page.locator(".option").count():
            table.take()
        if page.locator("#told").count():
            page.locator("#told").click()
            expect(page.locator("#where")).to_contain_text("Move 1 of")
