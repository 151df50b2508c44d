"""The columns of tables in Markdown: fewer than in the page, each with its interval in brackets."""

from collections.abc import Callable
from functools import partial
from typing import Any

import pandas as pd

from reports.kit.cells import Cell, Column
from reports.kit.words import between, count, interval_of, percent, points
from reports.mindbug.balance.pair_text import verdict_text as pair_text
from reports.mindbug.balance.rows import SUMMARY as LINES
from reports.mindbug.balance.text import judged_ends
from reports.mindbug.compare.text import verdict_text

_UNKNOWN = "–"


def _column(heading: str, text: Callable[[Any], str], *, words: bool = False) -> Column:
    return Column(heading, "", lambda row: Cell(text(row)), "word" if words else "")


def _word(heading: str, column: str) -> Column:
    return _column(heading, lambda row: str(row[column]), words=True)


def _whole(heading: str, column: str) -> Column:
    return _column(heading, lambda row: count(row[column]))


def _rate(heading: str, estimate: str, interval: str = "") -> Column:
    """A share with its interval."""
    low, high = (f"{interval or estimate}_ci_{end}" for end in ("low", "high"))

    def text(row: Any) -> str:
        if pd.isna(row[estimate]):
            return _UNKNOWN
        known = f" ({between(row[low], row[high])})" if pd.notna(row[low]) else ""
        return f"{percent(row[estimate])}{known}"

    return _column(heading, text)


def _difference(heading: str, estimate: str, digits: int = 1) -> Column:
    """A difference in percentage points with its interval."""

    def text(row: Any) -> str:
        if pd.isna(row[estimate]):
            return _UNKNOWN
        words = partial(points, digits=digits)
        if pd.isna(row[f"{estimate}_ci_low"]):
            return words(row[estimate])
        return f"{words(row[estimate])} ({interval_of(row, estimate, words)})"

    return _column(heading, text)


def _judged(card: Any) -> str:
    """The win rate dealt, with the interval of the verdict."""
    if pd.isna(card["dealt_win_rate"]):
        return _UNKNOWN
    return f"{percent(card['dealt_win_rate'])} ({between(*judged_ends(card))})"


_WHO = _word("Players", "policy")
_EFFECT = _difference("One more card, points (interval)", "effect", 2)
KEYWORDS = (_word("Keyword", "keyword"), _EFFECT, _WHO)
SETS = (_word("Set", "name"), _EFFECT, _WHO)
KEYWORD_EFFECTS = (
    _column("Keyword", lambda row: row["change"][1:], words=True),
    _column(
        "Change",
        lambda row: "added" if row["kind"] == "add_keyword" else "taken off",
        words=True,
    ),
    _whole("Cards", "n_cards"),
    _difference("Mean, points (interval)", "effect", 2),
    _rate("Spread (interval)", "spread"),
    _whole("Raises", "cards_up"),
    _whole("Lowers", "cards_down"),
    _WHO,
)
CARDS = (
    _word("Card", "name"),
    _whole("Power", "power"),
    _column("Keywords", lambda card: card["keywords"].replace(" ", ", ").capitalize(), words=True),
    _whole("Copies", "copies"),
    _whole("n dealt", "dealt_n"),
    _column("Won when dealt (interval)", _judged),
    _difference("Advantage, points", "advantage"),
    _word("Verdict", "verdict"),
    _rate("Taken by opponents who had a Mindbug", "mindbug_rate"),
    _WHO,
)
SKILL = (
    _word("Card", "name"),
    _word("By skill", "skill_verdict"),
    _difference("Change, points (interval)", "change"),
    _WHO,
    _whole("n dealt", "n"),
    _difference("Advantage, points", "advantage"),
)
PANEL = (
    _word("Card", "name"),
    _difference("Advantage, points (interval)", "advantage"),
    _word("Verdict", "panel_verdict"),
    _rate("Spread", "spread"),
    _difference("Strongest against others, points", "move"),
)
POWER_CARDS = (
    _word("Power card", "name"),
    _whole("Cost", "cost"),
    _whole("Copies", "copies"),
    _rate("Players who bought it (interval)", "bought_share"),
    _whole("n bought", "bought_n"),
    _rate("Their win rate", "bought_win_rate", "bought"),
    _WHO,
)
DIFFERENCES = (
    _word("Card", "name"),
    _column("Before", lambda line: percent(line["base"])),
    _column("After", lambda line: percent(line["variant"])),
    _column("n before", lambda line: count(line["base_n"])),
    _column("n after", lambda line: count(line["variant_n"])),
    _difference("Difference, points (interval)", "difference", 2),
    _column("Verdict", verdict_text, words=True),
    _WHO,
)
PAIRS = (
    _column("Pair", pair_text, words=True),
    _difference("Beyond the cards, points (interval)", "shrunk"),
    _column("Win rate with both", lambda row: percent(row["win_rate"])),
    _whole("n", "n"),
    _WHO,
)
SUMMARY = tuple(
    LINES[place]._replace(heading=heading)
    for heading, place in (
        ("What", 0),
        ("Estimate", 2),
        ("Interval", 3),
        ("Games", 4),
        ("Players", 1),
    )
)
