"""Restricted play in words.  Nothing is estimated here; sentences quote the table."""

from collections.abc import Iterable, Iterator, Mapping, Sequence
from typing import Any

import pandas as pd

from analysis.estimates import CONFIDENCE
from analysis.mindbug.experiments.ablation import COSTS, GAINS, NEVER, NOTHING, VERDICTS
from analysis.verdicts import UNDECIDED
from reports.kit.words import Finding, chance, count, listed, percent, points
from reports.mindbug.balance.text import describe_sets
from simcore.mindbug.players.restrictions import RESTRICTIONS

_LEVEL = 1 - CONFIDENCE
_NAMED = 3
#: A restriction waived at more than this share of its decisions was not much of one.
_OFTEN = 0.1


def describe(manifest: Mapping[str, Any], *, most_sets: int | None = None) -> str:
    """One line that says what was played; at most so many sets by name, for captions."""
    parts = [
        describe_sets(manifest, most_sets=most_sets),
        f"{manifest['policy']} on both sides",
        f"{count(manifest['games'][0])} games for each restriction",
        f"seed {manifest['seed']}",
    ]
    return " \N{MIDDLE DOT} ".join(parts)


def cost(share: float) -> str:
    """A cost in percentage points: 0.123 -> "12.3", -0.004 -> "−0.4"."""
    return points(share).removeprefix("+")


def interval(row: Mapping[str, Any]) -> str:
    """The interval of a cost: "11.9 to 12.7"."""
    return f"{cost(row['cost_ci_low'])} to {cost(row['cost_ci_high'])}"


def verdict(row: Mapping[str, Any]) -> str:
    """What is known of the cost of a restriction."""
    amount = f"{cost(row['cost'])} points ({interval(row)})"
    if row["verdict"] == NEVER:
        return f"never came up in {count(row['games'])} games"
    if row["verdict"] == COSTS:
        return f"costs {amount}"
    if row["verdict"] == GAINS:
        low, high = cost(-row["cost_ci_high"]), cost(-row["cost_ci_low"])
        return f"gains {cost(-row['cost'])} points ({low} to {high})"
    if row["verdict"] == NOTHING:
        return f"costs nothing beyond {_band(row['band'])}: {amount}"
    if row["q_value"] < _LEVEL:
        what = "costs" if row["cost"] > 0 else "gains"
        return f"{what} something, not shown to be beyond {_band(row['band'])}: {amount}"
    return f"not enough games: {amount}"


def q_value(row: Mapping[str, Any]) -> str:
    """The q-value of a cost; empty where it was not tested."""
    return chance(row["q_value"])


def findings(table: pd.DataFrame, left_out: Sequence[str]) -> Iterator[Finding]:
    """What is worth knowing first: what carries the game, what is without use, what is not known.

    ``left_out`` are restrictions that mean nothing in the pool.
    """
    ranked = table.sort_values("cost", ascending=False).to_dict("records")
    of = {word: [row for row in ranked if row["verdict"] == word] for word in VERDICTS}
    who, band = table["policy"].iloc[0], _band(table["band"].iloc[0])
    if of[COSTS]:
        yield Finding(
            "Carries the game",
            f"{who} loses most when it may never {_told(of[COSTS][:_NAMED])}, in percentage points"
            " of games won.",
        )
    if rest := of[COSTS][_NAMED:]:
        yield Finding("Matters", f"It also costs something never to {_told(rest)}.")
    if of[GAINS]:
        yield Finding(
            "Better without",
            f"{who} wins more games when it may never {_told(of[GAINS][::-1], sign=-1)}: what it"
            " does with it harms itself.",
        )
    if of[NOTHING]:
        yield Finding(
            "Without use",
            f"It costs nothing beyond {band} never to {_told(of[NOTHING])}. Either these games do"
            f" not need it, or {who} does not know how to use it; stronger players would tell.",
        )
    if of[UNDECIDED]:
        yield Finding(
            "Not known",
            f"More games would tell whether it costs more than {band} never to"
            f" {_told(of[UNDECIDED])}.",
        )
    waived = [row for row in ranked if row["waived"] and _share_waived(row) > _OFTEN]
    if waived:
        told = (f"{row['never']} ({percent(_share_waived(row), 0)})" for row in waived)
        yield Finding(
            "Waived",
            f"So often, where it was forbidden, nothing was left but to {_either(told)}: there the"
            " restriction did not apply.",
        )
    if of[NEVER]:
        what = _either(row["never"] for row in of[NEVER])
        yield Finding("Never came up", f"In none of the games could anybody {what}.")
    if left_out:
        what = _either(RESTRICTIONS[word].never for word in left_out)
        yield Finding("Left out", f"In this pool nobody ever gets to {what}.")
    yield Finding(
        "Who played",
        f"{who} on both sides. The restricted side plans as if it were free and finds out when it"
        " chooses; a player who plans for the restriction may lose less.",
    )


def _share_waived(row: Mapping[str, Any]) -> float:
    return row["waived"] / (row["barred"] + row["waived"])


def _told(rows: Iterable[Mapping[str, Any]], sign: int = 1) -> str:
    """Restrictions with their costs: "block (33.9), attack (20.0) or use a Mindbug (12.1)"."""
    return _either(f"{row['never']} ({cost(sign * row['cost'])})" for row in rows)


def _either(words: Iterable[str]) -> str:
    """Words as a list in a sentence: "a, b or c"."""
    return listed(words, last="or")


def _band(band: float) -> str:
    """A band in words: "±1 point", "±0.5 points"."""
    return f"±{100 * band:g} {'point' if band == 0.01 else 'points'}"
