"""Pairs of cards in words; nothing is estimated here."""

from collections.abc import Mapping
from math import isnan

import pandas as pd

from analysis.mindbug.pairs import SHOWN, detectable
from analysis.mindbug.selections import BEATEN, BEATS, IN_THE_WAY, TOGETHER
from reports.kit.words import count, points

#: The tables, and what their pairs are.
SIDES = {"card_pairs": "on one side", "card_matchups": "on opposing sides"}
_UNIT = " points of win rate beyond what each adds"


def pairs_in_words(tables: Mapping[str, pd.DataFrame], policy: str) -> str:
    """The strongest pairs of a policy and what this run can find; nothing of too few games."""
    mine = {name: tables[name][tables[name]["policy"] == policy] for name in SIDES}
    shown = {name: table[table["verdict"].isin(SHOWN)] for name, table in mine.items()}
    power = _power_of_both(mine, tables["summary"]["n_games"].max())
    if not sum(map(len, shown.values())):
        return f"No pair of cards is shown to have an effect of its own. {power}" if power else ""
    same, opposed = (rows.sort_values("shrunk", kind="stable") for rows in shown.values())
    clauses = []
    if len(helping := same[same["verdict"] == TOGETHER]):
        clauses.append((f"{_two(helping.iloc[-1])} work together best", helping.iloc[-1]))
    if len(hindering := same[same["verdict"] == IN_THE_WAY]):
        clauses.append((f"{_two(hindering.iloc[0])} worst", hindering.iloc[0]))
        if len(clauses) == 1:
            clauses = [(f"{_two(hindering.iloc[0])} work together worst", hindering.iloc[0])]
    if len(opposed):
        widest = opposed.loc[opposed["shrunk"].abs().idxmax()]
        clauses.append((verdict_in_words(widest), widest))
    first, *others = (
        f"{words} ({points(pair['shrunk'])}{'' if number else _UNIT})"
        for number, (words, pair) in enumerate(clauses)
    )
    counts = [
        f"{count(len(shown[name]))} of {count(len(mine[name]))} pairs {side}"
        for name, side in SIDES.items()
    ]
    return (
        f"{_sentence(', '.join([first, *others]))} {' and '.join(counts)} show an effect. {power}"
    )


def nothing_shown(table: pd.DataFrame) -> str:
    """What a table without a pair that is shown still says."""
    least = detectable(table)
    if isnan(least):
        return "Too few games to ask about pairs of cards."
    return (
        "No pair is shown to do more or less than its two cards by themselves explain.\n"
        f"One of {_bare(least)} points or more would have been, in 8 of 10 such runs."
    )


def power_in_words(table: pd.DataFrame, n_games: int) -> str:
    """How large an effect of a pair this many games show, and how many games a smaller one asks.

    Empty where no pair was tested.
    """
    return _power(detectable(table), n_games)


def _power_of_both(tables: Mapping[str, pd.DataFrame], n_games: int) -> str:
    """The same for both sides together: of the one on which more can be hidden."""
    return _power(max(detectable(table) for table in tables.values()), n_games)


def _power(least: float, n_games: int) -> str:
    if isnan(least):
        return ""
    smaller = next((size for size in (0.02, 0.01, 0.005, 0.002, 0.001) if size < 0.7 * least), None)
    text = (
        f"With {count(n_games)} games, 8 of 10 such runs find a pair whose effect is"
        f" {_bare(least)} points or more, corrected for the number of pairs"
    )
    if smaller is None:
        return f"{text}."
    games = count(float(f"{n_games * (least / smaller) ** 2:.2g}"))
    unit = "point" if smaller == 0.01 else "points"
    return f"{text}; to find one of {_bare(smaller)} {unit} takes about {games} games."


def verdict_in_words(pair: pd.Series) -> str:
    """Two cards and what is said of them: "Axolotl Healer beats Killer Bee"."""
    if pair["verdict"] in (BEATS, BEATEN):
        return f"{pair['name_a']} {pair['verdict']} {pair['name_b']}"
    return _sentence(f"{_two(pair)} {pair['verdict']}").removesuffix(".")


def _two(pair: pd.Series) -> str:
    """The two cards of a pair."""
    if pair["card_a"] == pair["card_b"]:
        return f"two copies of {pair['name_a']}"
    return f"{pair['name_a']} and {pair['name_b']}"


def _sentence(words: str) -> str:
    return f"{words[0].upper()}{words[1:]}."


def _bare(size: float) -> str:
    """A size in points without its sign: 0.012 -> "1.2"."""
    return f"{100 * size:.2g}"
