"""Every counter of the rules text, and the ledger of cheese: ``counters`` and ``cheese``."""

import numpy as np
import pandas as pd

from analysis.estimates import Estimate, interval_columns
from analysis.mice_and_mystics.cells import Sums, all_games, number_of
from analysis.mice_and_mystics.counts import RunCounts
from analysis.mice_and_mystics.game_records import COUNTED
from analysis.mice_and_mystics.outcomes import ENDINGS, SCORE
from analysis.mice_and_mystics.tallies import LEDGERS
from analysis.registry import HIGH, LOW, Table, with_interval


def counters_table(counts: RunCounts) -> pd.DataFrame:
    """One row per counter; see `COUNTERS`."""
    numbers = [one for one in counts.facts.numbers if one.is_counter]
    units = np.array([1 / counts.facts.page_end if one.name == "score" else 1 for one in numbers])
    n, s, ss = counts.sums["numbers"][:, : len(numbers), :3].sum(axis=0).astype(float).T
    sums = Sums(n, s * units, ss * units * units)
    shares = np.array([one.is_share for one in numbers])
    rates, means = sums.rate(), sums.mean()
    found = Estimate(*(np.where(shares, *pair) for pair in zip(rates, means, strict=True)))
    return pd.DataFrame(
        {
            "counter": [one.name for one in numbers],
            "n": n.astype(np.int64),
            "mean": found.estimate,
            "std_dev": sums.std_dev(),
            "ci_low": found.ci_low,
            "ci_high": found.ci_high,
        }
    )


def cheese_table(counts: RunCounts) -> pd.DataFrame:
    """One row per flow of cheese; see `CHEESE`."""
    rows = []
    n_games = int(counts.n_games.sum())
    off = counts.sums["balances"].sum(axis=0)
    for (where, sides), unbalanced in zip(LEDGERS.items(), off, strict=True):
        totals = [sum(all_games(number_of(counts, name)).s for name in side) for side in sides]
        for direction, side, total in zip(("in", "out"), sides, totals, strict=True):
            for name in side:
                sums = all_games(number_of(counts, name))
                rows.append(
                    {
                        "where": where,
                        "direction": "left" if name.endswith("_left") else direction,
                        "flow": name,
                        "n_games": n_games,
                        "total": int(sums.s),
                        **interval_columns("per_game", sums.mean()),
                        "share": sums.s / total if total else np.nan,
                        "in_minus_out": int(totals[0] - totals[1]),
                        "games_unbalanced": int(unbalanced),
                    }
                )
    return CHEESE.frame(rows)


_GRADED = {
    "route_depth": "rooms of the route entered, the start room included",
    "rooms_explored": "rooms entered, start room and kitchen included",
    "page_final": "page on which the hourglass stood at the end",
    "pages_left": "pages left at the end",
    "score": SCORE,
    "page_at_entry_roomK": "page on which the K-th room of the route was entered",
    "round_at_entry_roomK": "round in which the K-th room of the route was entered",
    "page_at_entry_kitchen": "page on which the first room off the route was entered",
}
_PATTERNS = {
    "captures_H": "captures of a hero",
    "cheese_income_H": "cheese that a hero got",
    "attacks_H": "attacks of a hero",
    "attack_dice_H": "attack dice of a hero, rerolled ones included",
    "wounds_dealt_H": "hits of a hero that were not blocked, beyond a figure's life too, and 1 for"
    " each roach removed by a grape",
    "level_ups_H": "abilities that a hero took by levelling up",
    "wounds_by_M": "wounds of mice by a minion",
    "attacks_by_M": "attacks of a minion",
    "dice_by_M": "attack dice of a minion",
    "placed_M": "figures of a minion placed",
    "placed_by_surge_M": "figures of a minion placed by surges",
    "drawn_C": "times that a search card was drawn",
    "equipped_C": "times that a search card was equipped (PUT, D5)",
    "used_C": "times that a search card was used",
    "top8_C": "copies of a search card among the top 8 of the first search deck",
    "used_ability_A": "times that an ability was used",
    "cheese_ability_A": "cheese paid for an ability",
    "drawn_E": "times that an encounter card was drawn",
    "kills_H_M": "minions of a kind that a hero defeated",
    "dealt_A": "share of games in which some mouse began with an ability",
    "owned_A": "share of games in which some mouse owned an ability at the end",
    "first_E": "share of games in which an encounter card was on top of the first encounter deck",
}

COUNTERS = Table(
    "counters",
    "One row per counter of section 29 of the rules text",
    {
        "counter": "its name in the rules text, explained below; H, M, C, A and E stand for the id"
        " of a hero, minion, search card, ability and encounter card",
        "n": "games that it rests on: all, but for rooms entered those that entered the room, and"
        " for `first_level_up_round` those with one",
        "mean": "its mean",
        "std_dev": "its standard deviation over games",
        "ci_low": f"`mean`: {LOW}",
        "ci_high": f"`mean`: {HIGH}",
    },
    make=counters_table,
    words={**ENDINGS, **_GRADED, **COUNTED, **_PATTERNS},
    numbers=("mean", "std_dev"),
)
CHEESE = Table(
    "cheese",
    "One row per flow of cheese",
    {
        "where": "the minion wheel or the mice",
        "direction": "in, out, or left at the end",
        "flow": "the counter, by its name in the rules text",
        "n_games": "number of games",
        "total": "cheese in all games",
        **with_interval("per_game", "cheese in a game, on average"),
        "share": "the share of all that came in, or of all that went out or was left",
        "in_minus_out": "what came in, minus what went out or was left, in all games: 0, or"
        " something was miscounted",
        "games_unbalanced": "games in which that difference is not 0: none, or something was"
        " miscounted",
    },
    make=cheese_table,
    numbers=("per_game",),
)
