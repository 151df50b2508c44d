"""What the docs say is so: commands, outputs, links, libraries, versions."""

import csv
import io
import pkgutil
import re
import shlex
import tomllib
from collections import Counter
from pathlib import Path

import pytest
from cyclopts import App

from reports.cli.app import command_line_of, owners, run
from simcore.mindbug import RULES_VERSION
from support.words import MOST, words_of_pages, written

ROOT = Path(__file__).parents[1]
PAGES = [*ROOT.glob("*.md"), *ROOT.glob("docs/**/*.md")]
TOUR = (ROOT / "docs" / "tour.md").read_text()
PROJECT = tomllib.loads((ROOT / "pyproject.toml").read_text())["project"]
# Pages with the names and words of their time.
HISTORY = {ROOT / "docs" / "engineering_log.md", ROOT / "CHANGELOG.md"}
UNWANTED = re.compile(r"\b(workplace|session|helper|todo|fixme|pypi\.org|lorem)\b", re.IGNORECASE)
FLOORS = "card_data|simcore|analysis|reports"

#: What newcomers ask, and the page and heading below which the answer stands.
QUESTIONS = {
    "How do I install it without make?": ("tour", "Without make"),
    "Can I play against it?": ("tour", "Play it yourself"),
    "How do I write a card that steals one?": (
        "cookbook",
        "When it attacks, steal a card from the opponent's hand.",
    ),
    "Can my cards come from a spreadsheet?": ("design_a_card", "Cards in a spreadsheet"),
    "What does 'needs more games' mean?": ("read_a_verdict", "The words"),
    "How far can I believe a verdict?": ("how_sure", "How sure is it?"),
    "What did my change do?": ("change_a_set", "Before and after"),
    "How do I leave cards out, or play with more life?": ("pools", "A pool file"),
    "Can it play my own game?": ("your_own_game", "The rules"),
    "How long will a command take?": ("performance", "What a command will cost"),
    "How many games show a change of one point?": ("change_a_set", "Before and after"),
    "What is a card worth before it is played?": ("methods", "The price list"),
    "How do I put in our own playtests?": ("playtests", "The log"),
    "How do I read the tables in Jupyter?": ("programs", "Notebooks"),
    "How do I run it on several machines?": ("cluster", "Two shells"),
}

#: Pages that tell what experiments with planted truths found.
TOLD_OF_TRUTHS = ("evidence", "how_sure", "playtests")

FENCE = re.compile(r"^```(\w*)\n(.*?)^```$", re.MULTILINE | re.DOTALL)


def blocks(text: str, language: str = "") -> list[str]:
    """The code blocks of a page."""
    return [block for word, block in FENCE.findall(text) if word == language]


def code_in(text: str) -> list[str]:
    """Every line of code on a page, in blocks or between words."""
    lines = [line for _, block in FENCE.findall(text) for line in block.splitlines()]
    return lines + re.findall(r"`([^`\n]+)`", FENCE.sub("", text))


def answer_to(question: str) -> str:
    """What the tour shows below a command."""
    block = next(block for block in blocks(TOUR) if block.startswith(f"$ {question}\n"))
    return block.partition("\n")[2]


def commands_in(text: str) -> list[str]:
    """The commands of fairdeal on a page, without what stands before and after."""
    found = [re.search(r"(?:^|[\s/])fairdeal ([^>#]*)", line) for line in code_in(text)]
    no_command = ("--", "COMMAND", "import ")
    return [match[1] for match in found if match and not match[1].startswith(no_command)]


@pytest.mark.parametrize("page", PAGES, ids=lambda page: page.name)
def test_links_lead_somewhere(page: Path) -> None:
    """Every link and picture of a page that is not on the net is a file or folder here."""
    for target in re.findall(r"\]\(([^)#\s]+)[^)]*\)", FENCE.sub("", page.read_text())):
        assert target.startswith("https://") or (page.parent / target).exists(), target


def test_the_rules_text_is_the_one_that_is_played() -> None:
    """The version of docs/rules.md is that which run folders carry."""
    text = (ROOT / "docs" / "rules.md").read_text()
    assert re.findall(r"^Rules text version: (\d+)", text, re.MULTILINE) == [str(RULES_VERSION)]


@pytest.mark.parametrize("page", PAGES, ids=lambda page: page.name)
def test_commands_exist(page: Path) -> None:
    """Every command on a page is one, with options that it has."""
    for line in commands_in(page.read_text()):
        first = line.split(maxsplit=1)[0]
        assert any(_has(command_line_of(game), line) for game in owners(first) or [""]), line


def _has(app: App, line: str) -> bool:
    """Whether a command line has a command with the options that a page gives it."""
    words, command = shlex.split(line), app
    while words and words[0] in command:
        command = command[words.pop(0)]
    options = {name for one in command.assemble_argument_collection() for name in one.names}
    named = {word.partition("=")[0] for word in words if word.startswith("--")}
    return command is not app and named - {"--help"} <= options


@pytest.mark.parametrize("page", PAGES, ids=lambda page: page.name)
def test_pages_speak_to_strangers(page: Path) -> None:
    """No page needs to be understood by anybody but its readers."""
    assert not UNWANTED.search(page.read_text())


@pytest.mark.parametrize("page", sorted({*PAGES} - HISTORY), ids=lambda page: page.name)
def test_files_and_names_exist(page: Path) -> None:
    """Every file of the program on a page lies there, and every dotted name can be imported."""
    text = page.read_text()
    for path in re.findall(rf"`((?:{FLOORS}|tests)/[\w/.-]+)`", FENCE.sub("", text)):
        assert (ROOT / path).exists() or "/x" in path, path
    for name in re.findall(rf"`((?:{FLOORS})(?:\.\w+)+)(?:\([^`]*)?`", FENCE.sub("", text)):
        assert ".x" in name or pkgutil.resolve_name(name) is not None, name


def test_targets_of_make_exist() -> None:
    """Every `make …` on a page is a target of the Makefile."""
    targets = set(re.findall(r"^(\w+):", (ROOT / "Makefile").read_text(), re.MULTILINE))
    for page in PAGES:
        found = [re.match(r"make (\w+)", code) for code in code_in(page.read_text())]
        assert {match[1] for match in found if match} <= targets, page


def test_the_tour_shows_what_is_printed(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch, capsys: pytest.CaptureFixture[str]
) -> None:
    """The card, the faults and the beginning of the game in the tour are real."""
    monkeypatch.chdir(tmp_path)
    run(["cards", "show", "Turbo Bug"])
    assert capsys.readouterr().out == answer_to('fairdeal cards show "Turbo Bug"')
    (card_file,) = blocks(TOUR, "toml")
    Path("my_cards.toml").write_text(card_file)
    assert run(["cards", "check", "my_cards.toml"]) == 2
    assert capsys.readouterr().err == answer_to("fairdeal cards check my_cards.toml")
    Path("my_cards.toml").write_text(card_file.replace("gian", "gain").replace("pwer", "power"))
    assert run(["cards", "check", "my_cards.toml"]) == 0
    run(["simulate", "first_contact", "--policy", "random", "--games", "20", "--out", "run"])
    capsys.readouterr()
    run(["replay", "run", "17"])
    beginning = answer_to("fairdeal replay runs/first_contact-expert-2026-11-28/skill/random 17")
    assert capsys.readouterr().out.startswith(beginning.removesuffix("…\n"))


@pytest.mark.parametrize("page", ["tour.md", "design_a_card.md", "mice_and_mystics_questions.md"])
def test_games_of_people_are_shown_as_they_go(
    page: str, tmp_path: Path, monkeypatch: pytest.MonkeyPatch, capsys: pytest.CaptureFixture[str]
) -> None:
    """What a page shows of `play` is what is seen, whatever chances `expert` gives the options."""
    text = (ROOT / "docs" / page).read_text()
    [game] = re.findall(r"^\$ fairdeal (play .*)\n((?:.*\n)*?)…\n```$", text, re.MULTILINE)
    monkeypatch.chdir(tmp_path)
    monkeypatch.setenv("COLUMNS", "80")
    Path("my_cards.toml").write_text(blocks(text, "toml")[0])
    typed = "\n".join(re.findall(r"^> (.*)", game[1], re.MULTILINE))
    monkeypatch.setattr("sys.stdin", io.StringIO(f"{typed}\n"))
    assert run(shlex.split(game[0])) == 0
    shown, seen = (
        re.sub(r"\d+%|expert would choose .*| ←", "", one)
        for one in (game[1], capsys.readouterr().out)
    )
    assert seen.startswith(shown)


def test_the_verdict_is_shown_as_it_is_told(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch, capsys: pytest.CaptureFixture[str]
) -> None:
    """The verdict in the tutorial has the words, topics and files of one with fewer games."""
    text = (ROOT / "docs" / "design_a_card.md").read_text()
    question = "fairdeal verdict my_cards.toml first_contact"
    shown = next(block for block in blocks(text, "console") if block.startswith(f"$ {question}\n"))
    monkeypatch.chdir(tmp_path)
    Path("my_cards.toml").write_text(blocks(text, "toml")[0])
    less = ["--policy", "random", "--stronger", "greedy", "--games", "3000", "--threads", "1"]
    assert run([*question.split()[1:], *less]) == 0
    seen = capsys.readouterr().out
    for words in (
        r"^Marsh Lantern (?:is|needs) .*?players dealt it win [\d.]+%",
        r"^First Contact and My Cards · [\d,]+ games of \w+, [\d,]+ of [\w:]+[^·]*\s· seed 0$",
        r"^For intervals half as wide, in about (?:a minute|\d+ minutes):$",
        r"^  fairdeal verdict marsh_lantern --pool runs/verdict-\S+/pool.toml .*--games \d+$",
        r"^report: runs/verdict-marsh_lantern-[\w-]+/verdict.html$",
    ):
        assert re.search(words, shown, re.MULTILINE), words
        assert re.search(words, seen.replace("\N{NO-BREAK SPACE}", " "), re.MULTILINE), words
    topics = [re.findall(r"^([A-Z][a-z ]+): ", one, re.MULTILINE) for one in (shown, seen)]
    assert topics[0] == topics[1] and len(topics[0]) == 3


def test_every_library_has_its_reason() -> None:
    """Each requirement of the package and of its extras is explained in docs/libraries.md."""
    asked = [PROJECT["dependencies"], *PROJECT["optional-dependencies"].values()]
    names = {re.split(r"[<>=[]", requirement)[0] for extra in asked for requirement in extra}
    page = (ROOT / "docs" / "libraries.md").read_text()
    assert {
        name for name in names if not re.search(rf"^\|.*\b{name}\b", page, re.MULTILINE)
    } == set()


def test_version_is_in_the_changelog() -> None:
    """The newest release in the changelog is the version of the package."""
    releases = re.findall(r"^## \[([\d.]+)\]", (ROOT / "CHANGELOG.md").read_text(), re.MULTILINE)
    assert releases[0] == PROJECT["version"]


def test_pages_count_the_truths_as_their_tables_do() -> None:
    """What pages say of planted truths are the numbers of the tables that lie beside them."""
    docs = ROOT / "docs"
    told = {name: " ".join((docs / f"{name}.md").read_text().split()) for name in TOLD_OF_TRUTHS}
    shares = list(csv.DictReader(io.StringIO((docs / "data/planted_truths.csv").read_text())))
    n = Counter(share["verdict"] for share in shares)
    assert f"has {len(shares)} shares" in told["evidence"]
    assert f"{n['holds']} hold, {n['not shown']} are not shown" in told["evidence"]
    assert n["does not hold"] == 1 and f"; {n['']} are for information" in told["evidence"]
    rows = csv.DictReader(io.StringIO((docs / "data/rebalance_truths.csv").read_text()))
    seen = {
        row["share_of"]: row["seen"]
        for row in rows
        if row["experiment"] == "Faults, and more games"
    }
    proposed, helped = seen["answers headed Proposal"], seen["of these truly a gain"]
    assert f"{proposed} of 100 answers propose something, and all {helped}" in told["evidence"]
    assert f"{proposed} of 100 times a change is proposed, and all {helped}" in told["how_sure"]
    table = [line.split("|") for line in (docs / "playtests.md").read_text().splitlines()]
    others = [
        row for row in table if len(row) > 9 and row[1].strip() in ("heuristic", "greedy", "random")
    ]
    rates, turns = ([float(row[at]) for row in others] for at in (5, 6))
    assert f"rates hold in {min(rates)} to {max(rates)} of 100 cases" in told["playtests"]
    assert f"those of turns in {min(turns)} to {max(turns)}." in told["playtests"]


def test_the_docs_can_be_read() -> None:
    """Pages that people write have few words together, and the page of doubts is one page."""
    words = written(words_of_pages())
    assert sum(words.values()) <= MOST
    assert words["how_sure"] <= 600


@pytest.mark.parametrize("first", ["README.md", "docs/index.md"])
@pytest.mark.parametrize(("page", "heading"), QUESTIONS.values(), ids=QUESTIONS)
def test_an_answer_is_two_clicks_away(first: str, page: str, heading: str) -> None:
    """The first page links to the page of the answer, and the headings of a page are listed."""
    links = re.findall(r"\]\((?:docs/)?(\w+)\.md[^)]*\)", (ROOT / first).read_text())
    assert page in links
    text = FENCE.sub("", (ROOT / "docs" / f"{page}.md").read_text())
    assert heading in re.findall(r"^#+ (.*)$", text, re.MULTILINE)


@pytest.mark.parametrize("first", ["README.md", "docs/index.md"])
def test_both_first_pages_say_that_this_is_unofficial(first: str) -> None:
    """Whoever comes by the site learns it as well as whoever comes by the repository."""
    assert "fairdeal is not affiliated with the makers" in (ROOT / first).read_text()
