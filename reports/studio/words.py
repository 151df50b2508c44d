"""What the studio says of games that are being watched, and how it says what commands say."""

import re
from collections.abc import Mapping
from typing import TYPE_CHECKING

import pandas as pd

from analysis.verdicts import TOO_STRONG, TOO_WEAK, VERDICTS
from reports.kit.verdicts import predicate
from reports.kit.words import ARROW, display_name, listed, plural
from reports.runs.text import players_named

if TYPE_CHECKING:
    from reports.studio.bench import Bench
    from simcore.work.about import About

_NAMED = 3
# Sentences name the option of a command in brackets behind the words for it.
_OPTIONS = re.compile(r" \(--[^()]*\)")
# Options behind the names of what a comparison is about.
_BEHIND = re.compile(r"(?: --[\w-]+ [^\s-]\S*)+$")
# Who plays which side of a comparison: sides have the names of their folders.
_SIDE = re.compile(r"(?<= plays )(base|variant)$")
_SIDES = {"base": "the version before", "variant": "the file as it is now"}


def in_studio(text: str, bench: "Bench") -> str:
    """What a command says, without its options, which nobody can type here; players in words."""
    text = _SIDE.sub(lambda found: _SIDES[found[1]], _OPTIONS.sub("", text))
    return bench.in_words(text)


def who_played(about: "About", benches: "Mapping[str, Bench]") -> str:
    """The players of a run in words."""
    said = players_named(about.players)
    return benches[about.game].in_words(said) if about.game in benches else said


def about_what(what: str, question: str = "") -> str:
    """What a run is about, without options; two versions of one file are named once."""
    before, arrow, now = _BEHIND.sub("", what).partition(f" {ARROW} ")
    is_one = before == now or (question == "compare" and not arrow)
    return f"{before}: two versions" if is_one else f"{before}{arrow}{now}"


def pool_sentence(rows: pd.DataFrame, column: str, noun: str, nouns: str = "") -> str:
    """How many of all that is judged stand where, and which are furthest off in a column.

    ``nouns`` is the plural of the noun where that is not regular.
    """
    of = f"of {len(rows)} {nouns or plural(noun, len(rows))}"
    ordered = rows.sort_values(column, ascending=False)
    said = []
    for word in VERDICTS:
        found = ordered[ordered["verdict"] == word]
        if not len(found):
            continue
        many = f"{len(found)} {of} {predicate(word, len(found))}"
        if word in (TOO_STRONG, TOO_WEAK):
            found = found if word == TOO_STRONG else found[::-1]
            many += f": {listed([display_name(name) for name in found['name']], _NAMED)}"
        said.append(f"{many}.")
    return " ".join(said)
