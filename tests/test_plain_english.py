"""Phrases that a reader has to read twice stay out of what people read: code, help, pages, docs."""

import re
from pathlib import Path

import pytest

from support.spelling import odd_intervals

ROOT = Path(__file__).parents[1]
#: What not to write, and what to write.
PHRASES = {
    r"games do not tell": "7 cards need more games",
    r"are shown balanced": "26 are within 2 points of average",
    r"\bPairs shown:": "22 of 579 same-side pairs show an effect",
    r"plays were taken while": "Opponents who still had a Mindbug used it on 49.3% of plays",
    r"had to be stopped": "hit the turn limit",
    r"interrupted goes on|goes on where it stopped": "Run the same command again to resume",
    r"\bis minded\b": "Ctrl-C is handled",
    r"\btaken for none\b": "are treated as zero",
    r"so many characters are told": "Longest setting quoted in a message",
    r"only pools with later systems": "Features absent from the base game",
    r"with nothing of what": "Compiles the base-game engine",
    r"speaks for or against": "Attack bias",
    r"is to solve\b": "The optimisation problem",
    r"a second one says so": "Only one command can use a run folder at a time",
    r"[Ll]et a player do without": "Forbid one option and play against the unrestricted version",
    r"\btold apart\b": "differ only in",
    r"\bwithout use\b": "useless",
    r"shown to lie": "shown to be inside",
    r"cannot be told yet": "needs more games",
}
#: The rooms whose every file is read, and the docs.
READ = (
    *(f"{room}/**/*.py" for room in ("card_data", "simcore", "analysis", "reports")),
    *("reports/**/*.html", "reports/**/*.ipynb", "docs/*.md", "*.md"),
)
#: A history of changes quotes what once was; docs/cli.md is written from the code.
NOT_READ = {"CHANGELOG.md", "docs/cli.md"}


def texts() -> list[Path]:
    """Every file that is read."""
    files = {path for pattern in READ for path in ROOT.glob(pattern)}
    return sorted(path for path in files if path.relative_to(ROOT).as_posix() not in NOT_READ)


@pytest.mark.parametrize("phrase", PHRASES)
def test_no_text_has_a_phrase_to_read_twice(phrase: str) -> None:
    """Where a phrase stands, across lines and strings too, and what to write instead."""
    words = re.compile(phrase.replace(" ", r"[\s\"'#>]+"))
    found = [
        f"{path.relative_to(ROOT)}: {match[0]!r}"
        for path in texts()
        for match in words.finditer(path.read_text("utf-8"))
    ]
    assert found == [], f"write instead, for instance: {PHRASES[phrase]}"


def test_the_guard_reads_across_lines() -> None:
    """A phrase that is broken between two strings of a source file is seen."""
    phrase = next(iter(PHRASES)).replace(" ", r"[\s\"'#>]+")
    assert re.search(phrase, 'text = "For 7 this many games"\n    " do not tell"')
    assert len(texts()) > 100


def test_docs_spell_intervals_in_one_way() -> None:
    """An interval is "53.5 to 53.9%" in the docs as on the pages, with no dash and no "from"."""
    odd = {path.name: found for path in texts() if path.suffix == ".md"
           if (found := odd_intervals(path.read_text("utf-8")))}  # fmt: skip
    assert odd == {}
    assert odd_intervals("won 53.5–53.9%, +1, from −2.0 to +1.5 points (5–58%)") == [
        "53.5–53.9", "from −2.0 to +1.5", "5–58%"
    ]  # fmt: skip
