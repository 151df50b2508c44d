"""Every command that plays on the pages for designers is run, with fewer games than they say."""

import re
import shlex
from itertools import pairwise
from pathlib import Path

import pytest

from reports.cli.app import run
from support.reported import charts_as, without_axes

ROOT = Path(__file__).parents[1]
PAGES = "README.md", "docs/tour.md", "docs/read_a_verdict.md", "docs/change_a_set.md"
CHAPTER = "ch1_flight_to_barksburg"
#: Values of options here, in place of those on a page.
LESS = {"--games": "100", "--confirm": "2000", "--budget": "40000", "--until": "20"}
#: What is said here where a page leaves it out, so that few games are played, and by whom.
UNSAID = {"--games": "100", "--policy": "random", "--skill": "none", "--stronger": "none"}
UNSAID_OF_CHAPTER = {"--games": "100", "--assumptions": "0", "--stronger": "none"}
#: Where fewer games are refused, or say nothing.
LEAST = {"verdict": "3000", "rebalance": "1000"}
#: Which of `UNSAID` a command knows.
KNOWN = {
    "balance": ("--games", "--policy", "--skill"),
    "simulate": ("--games", "--policy"),
    "compare": ("--games", "--policy", "--stronger"),
    "verdict": ("--games", "--policy", "--stronger"),
}


def commands() -> list[str]:
    """The commands of the pages that play games, each once; others are tried in test_docs.py."""
    lines = [
        line
        for page in PAGES
        for line in re.findall(r"^\$ fairdeal (.*)$", (ROOT / page).read_text(), re.MULTILINE)
    ]
    elsewhere = {"cards", "play", "replay"}
    return [*dict.fromkeys(line for line in lines if line.split()[0] not in elsewhere)]


def smaller(line: str) -> list[str]:
    """The words of a command, which plays fewer games."""
    words = shlex.split(line)
    unsaid = UNSAID_OF_CHAPTER if CHAPTER in words else UNSAID
    known = KNOWN.get(words[0], ())
    for option, value in unsaid.items():
        rules = ("--until",) if option == "--games" else ()
        if (option in known or CHAPTER in words) and not {option, *rules} & {*words}:
            words += [option, value]
    for place, (option, value) in enumerate(pairwise(words), start=1):
        if option in LESS:
            words[place] = re.sub(r"^[\d.]+", LESS[option], value)
        if option == "--games":
            words[place] = LEAST.get(words[0], LESS[option])
    return words


@pytest.fixture(scope="module")
def folder(tmp_path_factory: pytest.TempPathFactory) -> Path:
    """A folder with the files that the pages speak of."""
    path = tmp_path_factory.mktemp("examples")
    blocks = r"^```toml\n(.*?)^```$"
    shown = {
        name: re.findall(blocks, (ROOT / name).read_text(), re.MULTILINE | re.DOTALL)
        for name in ("README.md", "docs/design_a_card.md", "docs/read_a_verdict.md")
    }
    [card] = shown["README.md"]
    (path / "my_cards.toml").write_text(card)
    [change] = [one for one in shown["docs/design_a_card.md"] if 'name = "Weaker Bees"' in one]
    (path / "my_change.toml").write_text(change)
    [tyrant] = shown["docs/read_a_verdict.md"]
    (path / "tyrant.toml").write_text(tyrant)
    (path / "tyrant_7.toml").write_text(tyrant.replace("power = 6", "power = 7"))
    return path


@pytest.mark.parametrize("line", commands())
def test_a_command_of_the_pages_runs(
    line: str,
    folder: Path,
    monkeypatch: pytest.MonkeyPatch,
    capsys: pytest.CaptureFixture[str],
) -> None:
    """It ends well, and says where its answer lies."""
    monkeypatch.chdir(folder)
    with charts_as("svg"), without_axes():
        assert run(smaller(line)) == 0
    assert "runs/" in capsys.readouterr().out
