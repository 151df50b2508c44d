"""A ladder of players in words.  Nothing is estimated here; sentences quote the tables."""

import math
from collections.abc import Mapping
from typing import Any

import pandas as pd

from reports.kit.words import DOT, Finding, between, count, elo, interval_of, listed, percent

#: The headings of the console's table.
RATINGS_TABLE = ("player", "Elo", "from", "to", "score")
#: Players and pairs named in one sentence before "and n more".
_NAMED = 6
#: Difference between a score and what ratings expect that is worth a sentence.
_SURPRISE = 0.01


def describe(manifest: Mapping[str, Any], what: str) -> str:
    """One line on a ladder, that says ``what`` is played."""
    games = manifest["games"]
    parts = [
        what,
        listed(manifest["players"], _NAMED),
        f"{' or '.join(count(number) for number in sorted(set(games)))} games a pair",
        f"seed {manifest['seed']}",
    ]
    return DOT.join(parts)


def findings(tables: Mapping[str, pd.DataFrame]) -> list[Finding]:
    """What is worth knowing first: who is best, by how much, and what needs more games."""
    ratings, pairs = tables["ratings"], tables["pairs"]
    order = [f"{row.player} ({elo(row.elo)})" for row in ratings.itertuples()]
    found = [
        Finding("Best", f"{headline(tables)}. {_best_text(ratings, pairs)}", _best_brief(tables)),
        Finding("Order", f"In Elo, with a mean of 0: {listed(order)}."),
        Finding("Differences", *_differences_text(pairs)),
    ]
    if surprises := _surprises_text(pairs):
        found.append(Finding("Beyond ratings", surprises))
    if shut_out := _shut_out_text(pairs):
        found.append(Finding("One-sided", shut_out))
    known = tables["speed"].dropna().sort_values("games_per_second")
    speeds = [
        f"{speed(row.games_per_second)} for {row.player} and {row.opponent}"
        for row in known.itertuples()
    ]
    if speeds:
        text = "Games a second on one processor, the thinking of both players included: "
        found.append(Finding("Speed", f"{text}{listed(speeds, _NAMED)}."))
    return found


def headline(tables: Mapping[str, pd.DataFrame]) -> str:
    """Who is best, or who may be."""
    ratings, pairs = tables["ratings"], tables["pairs"]
    best = ratings["player"].iloc[0]
    if rivals := _rivals(best, pairs):
        return f"More games are needed to rank {listed([best, *rivals])}"
    return f"{best} is the best of these {len(ratings)} players"


def _rivals(best: str, pairs: pd.DataFrame) -> list[str]:
    """Who may be as good as the best."""
    mine = pairs[pairs["player"] == best]
    return list(mine.loc[mine["elo_difference_ci_low"] <= 0, "opponent"])


def ratings_rows(ratings: pd.DataFrame) -> list[tuple[str, ...]]:
    """The rows of the console's table, a player each; the headings are `RATINGS_TABLE`."""
    return [
        (
            row.player,
            *map(elo, (row.elo, row.elo_ci_low, row.elo_ci_high)),
            percent(row.score).replace("\N{NO-BREAK SPACE}", " "),
        )
        for row in ratings.itertuples()
    ]


def speed(per_second: float) -> str:
    """Games a second in as many digits as are worth reading: 20500, 8.3; a dash if unknown."""
    if math.isnan(per_second):
        return "\N{EN DASH}"
    return count(float(f"{per_second:.3g}")) if per_second >= 10 else f"{per_second:.1f}"


def _best_text(ratings: pd.DataFrame, pairs: pd.DataFrame) -> str:
    """By how much the best is ahead of the next."""
    best = ratings["player"].iloc[0]
    row = pairs[pairs["player"] == best].iloc[0]
    second = row["opponent"]
    apart = f"{elo(row['elo_difference'])} Elo ({interval_of(row, 'elo_difference', elo)})"
    scores = (
        f"{percent(row['score'])} of {count(row['games'])} games"
        f" ({between(row['ci_low'], row['ci_high'])})"
    )
    if _rivals(best, pairs):
        return f"{best} is ahead of {second} by {apart} and scores {scores} against it."
    return f"It scores {scores} against {second}, the runner-up; their ratings differ by {apart}."


def _best_brief(tables: Mapping[str, pd.DataFrame]) -> str:
    """How the best does against the next, in one sentence."""
    pairs = tables["pairs"]
    row = pairs[pairs["player"] == tables["ratings"]["player"].iloc[0]].iloc[0]
    return (
        f"{row['player']} scores {percent(row['score'])} of {count(row['games'])} games"
        f" ({between(row['ci_low'], row['ci_high'])}) against {row['opponent']}, the runner-up."
    )


def _differences_text(pairs: pd.DataFrame) -> tuple[str, str]:
    """Which players cannot be ranked yet, at length and in one sentence."""
    unknown = pairs["elo_difference_ci_low"] <= 0
    if not unknown.any():
        return "All players are shown to differ from each other.", ""
    names = [f"{row.player} and {row.opponent}" for row in pairs[unknown].itertuples()]
    rest = "" if unknown.all() else " All other pairs are shown to differ."
    brief = f"More games are needed to rank {listed(names, _NAMED, last='or')}."
    return f"More games are needed to rank {'; '.join(names)}.{rest}", brief


def _surprises_text(pairs: pd.DataFrame) -> str:
    """Pairs whose score is shown to differ from what the ratings expect."""
    rows = pairs.assign(by=(pairs["score"] - pairs["expected"]).abs())
    missed = (rows["expected"] < rows["ci_low"]) | (rows["expected"] > rows["ci_high"])
    rows = rows[missed & (rows["by"] >= _SURPRISE)].sort_values("by", ascending=False)
    surprises = [
        f"{row.player} scores {percent(row.score)} against {row.opponent}, where the ratings expect"
        f" {percent(row.expected)}"
        for row in rows.head(_NAMED // 2).itertuples()
    ]
    if not surprises:
        return ""
    return f"A single rating misses some results: {'; '.join(surprises)}."


def _shut_out_text(pairs: pd.DataFrame) -> str:
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
        f"Every game was won by {listed(names, _NAMED)}. Such games cannot show by how much the"
        " players differ; their ratings rest on games against others and on the drawn game added to"
        " each pair."
    )
