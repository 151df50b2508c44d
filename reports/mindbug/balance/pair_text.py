"""Pairs of cards in words; nothing is estimated here."""

from collections.abc import Mapping
from math import isnan

import pandas as pd

from analysis.mindbug.pairs import SHOWN, detectable
from analysis.mindbug.selections import BEATEN, BEATS, IN_THE_WAY, TOGETHER
from reports.kit.words import capital, count, points, points_text

#: The tables, and what their pairs are.
SIDES = {"card_pairs": "same-side", "card_matchups": "opposing"}
_UNIT = " points of win rate beyond what each adds"


def pairs_text(tables: Mapping[str, pd.DataFrame], policy: str) -> str:
    """The strongest pairs of a policy and what this run can find; nothing of too few games."""
    pairs = {name: tables[name][tables[name]["policy"] == policy] for name in SIDES}
    shown = {name: table[table["verdict"].isin(SHOWN)] for name, table in pairs.items()}
    power = _power_of_both(pairs, tables["summary"]["n_games"].max())
    if not sum(map(len, shown.values())):
        return f"No pair is shown to do more or less than its two cards. {power}" if power else ""
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
        clauses.append((verdict_text(widest), widest))
    first, *others = (
        f"{words} ({points(pair['shrunk'])}{'' if number else _UNIT})"
        for number, (words, pair) in enumerate(clauses)
    )
    counts = [
        f"{count(len(shown[name]))} of {count(len(pairs[name]))} {side} pairs"
        for name, side in SIDES.items()
    ]
    return (
        f"{_sentence(', '.join([first, *others]))} {' and '.join(counts)} show an effect. {power}"
    )


def nothing_shown(table: pd.DataFrame) -> str:
    """What a table says in which no pair shows an effect."""
    least = detectable(table)
    if isnan(least):
        return "Pairs of cards need more games."
    return (
        "No pair is shown to do better or worse than its two cards by themselves. "
        f"In 8 of 10 such runs an effect of {_bare(least)} points or more would show."
    )


def power_text(table: pd.DataFrame, n_games: int) -> str:
    """How large an effect of a pair so many games show, and how many games a smaller one takes.

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
        f"With {count(n_games)} games, 8 of 10 such runs find a pair with an effect of"
        f" {_bare(least)} points or more, corrected for the number of pairs"
    )
    if smaller is None:
        return f"{text}."
    games = count(float(f"{n_games * (least / smaller) ** 2:.2g}"))
    return f"{text}; finding one of {points_text(smaller)} takes about {games} games."


def verdict_text(pair: pd.Series) -> str:
    """Two cards and the verdict on them: "Axolotl Healer beats Killer Bee"."""
    if pair["verdict"] in (BEATS, BEATEN):
        return f"{pair['name_a']} {pair['verdict']} {pair['name_b']}"
    return _sentence(f"{_two(pair)} {pair['verdict']}").removesuffix(".")


def _two(pair: pd.Series) -> str:
    """The two cards of a pair."""
    if pair["card_a"] == pair["card_b"]:
        return f"two copies of {pair['name_a']}"
    return f"{pair['name_a']} and {pair['name_b']}"


def _sentence(words: str) -> str:
    return f"{capital(words)}."


def _bare(size: float) -> str:
    """A size in points without its sign: 0.012 -> "1.2"."""
    return f"{100 * size:.2g}"
