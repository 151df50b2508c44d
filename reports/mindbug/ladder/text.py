"""A ladder of players in words.  Nothing is estimated here; sentences quote the tables."""

import math
from collections.abc import Mapping
from typing import Any

import pandas as pd

from reports.kit.words import Finding, between, count, elo, listed, percent
from reports.mindbug.balance.text import describe_sets

#: Players and pairs named in one sentence before "and n more".
_NAMED = 6
#: Difference between a score and what ratings expect that is worth a sentence.
_SURPRISE = 0.01


def describe(manifest: Mapping[str, Any], *, most_sets: int | None = None) -> str:
    """One line that says what a ladder played; at most so many sets by name, for captions."""
    games = manifest["games"]
    parts = [
        describe_sets(manifest, most_sets=most_sets),
        listed(manifest["players"], _NAMED),
        f"{' or '.join(count(number) for number in sorted(set(games)))} games a pair",
        f"seed {manifest['seed']}",
    ]
    return " · ".join(parts)


def findings(tables: Mapping[str, pd.DataFrame]) -> list[Finding]:
    """What is worth knowing first about a ladder: who is best, by how much, what is not known."""
    ratings, pairs = tables["ratings"], tables["pairs"]
    order = [f"{row.player} ({elo(row.elo)})" for row in ratings.itertuples()]
    found = [
        Finding("Best", _best_in_words(ratings, pairs)),
        Finding("Order", f"In Elo around their mean: {listed(order)}."),
        Finding("Differences", _differences_in_words(pairs)),
    ]
    if surprises := _surprises_in_words(pairs):
        found.append(Finding("Beyond ratings", surprises))
    if shut_out := _shut_out_in_words(pairs):
        found.append(Finding("One-sided", shut_out))
    known = tables["speed"].dropna().sort_values("games_per_second", ascending=False)
    speeds = [
        f"{speed(row.games_per_second)} of {row.player} and {row.opponent}"
        for row in known.itertuples()
    ]
    if speeds:
        text = "Games for each second of a processor, with the thinking of both players: "
        text += f"{listed(speeds, _NAMED)}."
        found.append(Finding("Speed", text))
    return found


def speed(per_second: float) -> str:
    """Games a second in as many digits as are worth reading: 20500, 8.3; a dash if unknown."""
    if math.isnan(per_second):
        return "\N{EN DASH}"
    return count(float(f"{per_second:.3g}")) if per_second >= 10 else f"{per_second:.1f}"


def _best_in_words(ratings: pd.DataFrame, pairs: pd.DataFrame) -> str:
    """Who is best, and by how much; all of those of whom it is not known."""
    best = ratings["player"].iloc[0]
    mine = pairs[pairs["player"] == best]
    rivals = mine.loc[mine["elo_difference_ci_low"] <= 0, "opponent"]
    row = mine.iloc[0]
    second = row["opponent"]
    apart = (
        f"{elo(row['elo_difference'])} Elo ({elo(row['elo_difference_ci_low'])} to"
        f" {elo(row['elo_difference_ci_high'])})"
    )
    scores = (
        f"{percent(row['score'])} of {count(row['games'])} games"
        f" ({between(row['ci_low'], row['ci_high'])})"
    )
    if len(rivals):
        return (
            f"More games are needed to say who is better of {listed([best, *rivals])}. {best} is"
            f" ahead of {second} by {apart} and scores {scores} against it."
        )
    return (
        f"{best} is the best of these {len(ratings)} players. Against {second}, the next, it"
        f" scores {scores}; the ratings differ by {apart}."
    )


def _differences_in_words(pairs: pd.DataFrame) -> str:
    unknown = pairs["elo_difference_ci_low"] <= 0
    if not unknown.any():
        return "Any two players differ by more than chance allows."
    names = [f"{row.player} and {row.opponent}" for row in pairs[unknown].itertuples()]
    rest = "" if unknown.all() else " All others differ by more than chance allows."
    return f"More games are needed to say who is better of {'; of '.join(names)}.{rest}"


def _surprises_in_words(pairs: pd.DataFrame) -> str:
    """Pairs whose score the ratings miss by more than chance allows."""
    rows = pairs.assign(by=(pairs["score"] - pairs["expected"]).abs())
    missed = (rows["expected"] < rows["ci_low"]) | (rows["expected"] > rows["ci_high"])
    rows = rows[missed & (rows["by"] >= _SURPRISE)].sort_values("by", ascending=False)
    texts = [
        f"{row.player} scores {percent(row.score)} against {row.opponent}, where the ratings expect"
        f" {percent(row.expected)}"
        for row in rows.head(_NAMED // 2).itertuples()
    ]
    if not texts:
        return ""
    return f"One number a player does not say everything: {'; '.join(texts)}."


def _shut_out_in_words(pairs: pd.DataFrame) -> str:
    names = [
        f"{winner} against {loser}"
        for row in pairs.itertuples()
        for winner, loser, lost in (
            (row.player, row.opponent, row.draws + row.losses),
            (row.opponent, row.player, row.draws + row.wins),
        )
        if lost == 0
    ]
    if not names:
        return ""
    return (
        f"Every game was won by {listed(names, _NAMED)}. By how much such players differ their own"
        " games do not tell; the ratings rest on their games against others and on the drawn game"
        " that each pair gets on top."
    )
