"""Whether the dice fell as they should, and what luck with them goes with: the table ``dice``."""

import numpy as np
import pandas as pd

from analysis.estimates import RatioSums, adjust_p, estimate_mean, interval_columns, two_sided_p
from analysis.mice_and_mystics.cells import Sums, contrast_of
from analysis.mice_and_mystics.counts import RunCounts
from analysis.mice_and_mystics.tallies import ROLLED_SUMS, ROLLS
from analysis.registry import Table, q_value, with_interval


def dice_table(counts: RunCounts) -> pd.DataFrame:
    """One row per roll and symbol; see `DICE`."""
    by_party = dict(
        zip(ROLLED_SUMS, np.moveaxis(counts.sums["dice"].astype(float), 2, 0), strict=True)
    )
    sums = {name: one.sum(axis=0) for name, one in by_party.items()}
    n_games, faces = counts.n_games.sum().astype(float), counts.facts.data.die.faces
    expected = [sum(int(getattr(face, roll.face)) for face in faces) / len(faces) for roll in ROLLS]
    ratio = RatioSums(*(sums[name] for name in ("games", "n", "s", "nn", "ns", "ss")))
    rate = estimate_mean(ratio)
    difference = rate._replace(
        estimate=rate.estimate - expected,
        ci_low=rate.ci_low - expected,
        ci_high=rate.ci_high - expected,
    )
    p_value = two_sided_p(difference.estimate, difference.std_err)
    sides = [
        Sums(*(by_party[column].T for column in (side, f"{side}_win", f"{side}_win")))
        for side in ("lucky", "unlucky")
    ]
    luck = contrast_of(counts, *sides, are_shares=True)
    return pd.DataFrame(
        {
            "who": [roll.who for roll in ROLLS],
            "roll": [roll.roll for roll in ROLLS],
            "symbol": [roll.symbol for roll in ROLLS],
            "player": counts.facts.player,
            "n_games": sums["games"].astype(np.int64),
            "dice": sums["n"].astype(np.int64),
            "successes": sums["s"].astype(np.int64),
            **interval_columns("dice_per_game", Sums(n_games, sums["n"], sums["nn"]).mean()),
            **interval_columns("success_rate", rate),
            "expected": expected,
            **interval_columns("difference", difference),
            "p_value": p_value,
            "q_value": adjust_p(p_value),
            "lucky_n": luck.n_with,
            **interval_columns("lucky_win_rate", luck.with_it),
            "unlucky_n": luck.n_without,
            **interval_columns("unlucky_win_rate", luck.without),
            **interval_columns("luck_effect", luck.difference),
        }
    )


_LUCK = "Observed: within a game luck comes and goes, and long games see more dice"
DICE = Table(
    "dice",
    "One row per roll and symbol",
    {
        "who": "who rolls: mice or minions",
        "roll": "what for; `attack` is melee and ranged attack together",
        "symbol": "the symbol that is counted: sword, bow, shield, star or cheese",
        "player": "who plays all mice",
        "n_games": "games with such dice",
        "dice": "dice rolled in all games, rerolled ones included",
        "successes": "symbols that they showed",
        **with_interval("dice_per_game", "dice rolled in a game, on average over all games"),
        **with_interval("success_rate", "`successes` per die"),
        "expected": "what a fair die gives, from the faces of the data (M118)",
        **with_interval("difference", "`success_rate` minus `expected`"),
        "p_value": "probability of a `difference` at least this large with fair dice",
        "q_value": q_value("rolls"),
        "lucky_n": "games with more symbols than expected of the dice that were rolled",
        **with_interval(
            "lucky_win_rate", f"win rate of these games, averaged over parties. {_LUCK}"
        ),
        "unlucky_n": "games with fewer symbols than expected",
        **with_interval(
            "unlucky_win_rate", f"win rate of these games, averaged over parties. {_LUCK}"
        ),
        **with_interval(
            "luck_effect",
            "`lucky_win_rate` minus `unlucky_win_rate`, compared within each party. Observed, not"
            " caused by this roll alone",
        ),
    },
    make=dice_table,
    differences=("difference", "luck_effect"),
    numbers=("dice_per_game",),
)
