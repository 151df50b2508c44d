"""The tables ``strong_cards`` and ``strong_summary``: what cards are worth where the strong play.

A strong search plays a few games beside many of weaker players, and both are joined
(`analysis.partial_pooling`): the many say what cards are worth among weaker players, the few by how
much stronger play stretches that, and of which cards it makes something else.
"""

import os
from collections.abc import Mapping, Sequence

import numpy as np
import pandas as pd

from analysis.confidence import confidence
from analysis.estimates import Estimate, adjust_p, interval_columns
from analysis.mindbug.card_strength import FAMILY
from analysis.mindbug.experiments.skill_panel import shared_luck
from analysis.mindbug.runs import Run
from analysis.mindbug.selections import MEASURES
from analysis.panel import SpreadPrior
from analysis.partial_pooling import Pooled, SlopePrior, pool_partially
from analysis.registry import Registry, Table, q_value, with_ends, with_interval
from analysis.runs import identity_of_run
from analysis.tables import read_beside, write_tables
from analysis.verdicts import MEANINGS, NARROWER, judge
from simcore.sealed import RunError

#: What is known beforehand of how far a strong search differs from the players of runs, as a share
#: of games won, and by how much it stretches what cards are worth.
SPREADS, SLOPES = SpreadPrior(scale=0.013, factor=1.6, degrees=4.0), SlopePrior(1.2, 0.3)

_FACTS = ["card_id", "name", "set_id"]


def strong_tables(
    runs: Sequence[Run], tables: Sequence[Mapping[str, pd.DataFrame]]
) -> dict[str, pd.DataFrame]:
    """Join games of some players, the last of them strong; `STRONG_TABLES`.

    ``tables`` are those of each run.  In each the same player is on both sides, and all are of one
    pool.  Raises RunError where too few games of the strong player say anything.
    """
    known = [_known(of_run["cards"]) for of_run in tables]
    std_errs = np.column_stack([one.std_err for one in known])
    covariance = std_errs[:, :, None] * std_errs[:, None] * shared_luck(runs)
    # The others are as good as each other: what they say is their mean.
    mean = np.append(np.full(len(runs) - 1, 1 / (len(runs) - 1)), 0.0)
    at = np.column_stack([one.estimate for one in known])[:, :-1].mean(axis=1)
    std_err = np.sqrt(np.einsum("p,ipq,q->i", mean, covariance, mean))
    n = np.sum([one.n for one in known[:-1]], axis=0)
    own, others = known[-1], Estimate.normal(at, std_err, n)
    try:
        alike = covariance[:, -1] @ mean / (own.std_err * std_err)
        pooled = pool_partially(own, others, SPREADS, SLOPES, alike=alike)
    except ValueError:
        raise RunError(
            f"{runs[-1].folder} has too few games of each card; play more with --strong-games"
        ) from None
    return {
        "strong_cards": _cards(tables[-1]["cards"], own, others, pooled),
        "strong_summary": _summary(runs, pooled),
    }


def keep_strong(tables: dict[str, pd.DataFrame], run: Run) -> None:
    """Write the tables to the folder of a run.  Raises RunError."""
    write_tables(tables, run.folder, run.identity)


def read_strong_tables(folder: str | os.PathLike[str]) -> dict[str, pd.DataFrame]:
    """The tables of a run folder; none where no stronger player was asked.

    Raises RunError when one is damaged, of another run or lacks a column.
    """
    again = "repeat 'fairdeal balance' with --strong, or delete the file"
    return read_beside(folder, [*STRONG_TABLES.values()], identity_of_run, again)


def _known(cards: pd.DataFrame) -> Estimate:
    """The advantages of a table ``cards``; nan for those of too few games."""
    enough = cards["p_value"].notna()
    at, std_err = (cards[name].where(enough).to_numpy(float) for name in ("advantage", "std_err"))
    return Estimate.normal(at, std_err, cards["dealt_n"].to_numpy())


def _cards(facts: pd.DataFrame, own: Estimate, others: Estimate, pooled: Pooled) -> pd.DataFrame:
    strong = facts["policy"].iloc[0]
    joint = pooled.together
    differs = adjust_p(pooled.differs_p_value)
    return pd.DataFrame(
        {
            **facts[_FACTS].reset_index(drop=True),
            "policy": strong,
            "n": own.n,
            **interval_columns("advantage", joint),
            "std_err": joint.std_err,
            **judge(joint, band=facts["band"].iloc[0])[["band", "verdict"]],
            **interval_columns("alone", own),
            **interval_columns("weaker", others),
            "differs_q_value": differs,
            "differs": differs < 1 - confidence(),
        }
    )[list(STRONG_CARDS.columns)]


def _summary(runs: Sequence[Run], pooled: Pooled) -> pd.DataFrame:
    *weaker, strong = (run.manifest["policies"][0] for run in runs)
    row = {
        "policy": strong,
        "n_games": runs[-1].n_games,
        "weaker": ", ".join(weaker),
        "weaker_n_games": sum(run.n_games for run in runs[:-1]),
        **interval_columns("slope", pooled.slope),
    }
    return STRONG_SUMMARY.frame([row])


_WHERE = "where a strong search was asked as well (`fairdeal balance --strong`)"
STRONG_CARDS = Table(
    "strong_cards",
    "One row per card",
    {
        "card_id": "the card",
        "name": "its printed name",
        "set_id": "the set that it belongs to",
        "policy": "the strong player",
        "n": "player-games of the strong player in which the card was dealt",
        **with_interval(
            "advantage",
            f"{MEASURES['advantage']} among strong players, from all games",
            FAMILY,
        ),
        "std_err": "standard deviation of what is known of `advantage`, of the card by itself",
        "band": f"half the width of the band of `verdict`, around zero{NARROWER}",
        "verdict": f"of `advantage`: {MEANINGS}",
        **with_interval("alone", "the advantage in the games of the strong player alone"),
        **with_interval("weaker", "its mean over the other players, in their games"),
        "differs_q_value": q_value(
            "cards",
            "the probability of `alone` and `weaker` at least this far apart if stronger play did"
            " nothing but stretch what all cards are worth",
        ),
        "differs": "whether the strong player is shown to make something else of the card",
    },
    where=_WHERE,
    differences=("advantage", "alone", "weaker"),
    json_columns=("card_id", "name", *with_ends("advantage"), "verdict", "differs"),
)
STRONG_SUMMARY = Table(
    "strong_summary",
    "One row",
    {
        "policy": "the strong player",
        "n_games": "their games",
        "weaker": "the other players, with commas between",
        "weaker_n_games": "their games",
        **with_interval(
            "slope",
            "how many times as far from average cards are among the strong player as among the"
            " others",
        ),
    },
    where=_WHERE,
    numbers=("slope",),
)

#: The tables, as `strong_tables` gives them.
STRONG_TABLES = Registry(STRONG_CARDS, STRONG_SUMMARY)
