"""The table ``summary``: one number per line, those of R125 of the rules text among them."""

from collections.abc import Sequence

import numpy as np
import pandas as pd

from analysis.estimates import (
    MIN_GAMES_OF_MEAN,
    MIN_GAMES_OF_VARIANCE,
    Estimate,
    RatioSums,
    estimate_mean,
    estimate_rate,
    estimate_share,
    estimate_variance,
)
from analysis.mindbug import tallies
from analysis.mindbug.counts import RunCounts
from analysis.mindbug.expansion_tallies import COUNTED, ExpansionFeatures, ExpansionTally
from analysis.mindbug.keywords import estimate_effects
from analysis.mindbug.selections import STATISTICS, STOPPED_GAMES, SYSTEM_STATISTICS
from analysis.mindbug.tallies import N_OUTCOMES, QUANTITIES, SCORES, Tally
from analysis.registry import HIGH, LOW, Table
from simcore.mindbug.table.records import STOPPED, Ending


def summary_table(tally: Tally, policies: Sequence[str]) -> pd.DataFrame:
    """One row per statistic (and policy where it concerns one); see `SUMMARY`."""
    both = policy_label(policies)
    by_turns = np.delete(tally.games, STOPPED, axis=3).sum(axis=(1, 2, 3))
    by_ending = tally.games.sum(axis=(0, 1, 2))
    by_outcome = tally.games.sum(axis=(0, 1, 3))
    by_seat = tally.games.sum(axis=(0, 3))
    of_first = by_seat[0] + by_seat[1, ::-1]
    one_each = np.ones(N_OUTCOMES)
    turns = np.arange(len(by_turns))
    policy_groups = tallies.groups(policies)
    rows = [
        summary_row(
            "first_player_win_rate",
            both,
            estimate_rate(RatioSums.of_cells(of_first, one_each, SCORES[0])),
        )
    ]
    if len(policy_groups) == 2:
        rows += [
            summary_row(
                "win_rate", policy, estimate_rate(RatioSums.of_cells(by_outcome, one_each, score))
            )
            for (policy, _), score in zip(policy_groups, SCORES, strict=True)
        ]
    rows.append(summary_row("draw_rate", both, estimate_share(by_outcome[1], tally.n_games)))
    rows += [
        summary_row(
            f"{ending.name.lower()}_rate", both, estimate_share(by_ending[ending], tally.n_games)
        )
        for ending in Ending
    ]
    rows.append(
        summary_row(
            "mean_turns",
            both,
            estimate_mean(RatioSums.of_cells(by_turns, np.ones(len(turns)), turns)),
        )
    )
    rows.append(summary_row("variance_turns", both, estimate_variance(turns, by_turns)))
    of_player = {"mindbugs_used_0": 0, "mindbugs_used_1": 1}
    for name, sums in zip(QUANTITIES, tally.quantities, strict=True):
        if name not in of_player:
            rows.append(summary_row(f"mean_{name}", both, _mean(sums)))
        elif len(policy_groups) == 2:
            policy = policies[of_player[name]]
            rows.append(summary_row("mean_mindbugs_used", policy, _mean(sums)))
    for group, (policy, _) in enumerate(policy_groups):
        rows.append(summary_row("power_effect", policy, estimate_effects(tally, group).at(-1)))
    return pd.DataFrame(rows)


def expansion_summary(
    tally: ExpansionTally, features: ExpansionFeatures, policies: Sequence[str]
) -> pd.DataFrame:
    """Lines of the table ``summary`` about what the pool has (`selections.SYSTEM_STATISTICS`)."""
    values = np.arange(tally.per_game.shape[1])
    ones = np.ones(len(values))
    means = {
        name: estimate_mean(RatioSums.of_cells(counts, ones, values))
        for name, counts in zip(COUNTED, tally.per_game, strict=True)
    }
    rows = []
    for name in features.quantities:
        rows.append(summary_row(f"mean_{name}", policy_label(policies), means[name]))
        if f"{name}_0" in means and len(set(policies)) > 1:
            rows += [
                summary_row(f"mean_{name}", policy, means[f"{name}_{player}"])
                for player, policy in enumerate(policies)
            ]
    return pd.DataFrame(rows)


def policy_label(policies: Sequence[str]) -> str:
    """Both policies as they are written on the command line."""
    return policies[0] if policies[0] == policies[1] else f"{policies[0]}:{policies[1]}"


def _mean(sums: np.ndarray) -> Estimate:
    """Mean of a quantity with one observation per game, from its number, sum and sum of squares."""
    return estimate_mean(RatioSums.one_each(*sums))


def summary_row(statistic: str, policy: str, estimate: Estimate) -> dict[str, object]:
    """One line of the table."""
    return {
        "statistic": statistic,
        "policy": policy,
        "estimate": float(estimate.estimate),
        "ci_low": float(estimate.ci_low),
        "ci_high": float(estimate.ci_high),
        "n_games": int(estimate.n),
    }


def _summary(run: RunCounts) -> pd.DataFrame:
    """All lines, those about what only some pools have last."""
    lines = summary_table(run.tally, run.policies)
    more = expansion_summary(run.expansions, run.features, run.policies)
    return pd.concat([lines, more], ignore_index=True) if len(more) else lines


SUMMARY = Table(
    "summary",
    "One row per statistic, and per policy where it concerns one",
    {
        "statistic": "what is estimated; the words are explained below",
        "policy": "who played: a policy, or two as `first:second` where the line concerns both",
        "estimate": f"the estimate. {STOPPED_GAMES}",
        "ci_low": f"{LOW}; missing for a mean over fewer than {MIN_GAMES_OF_MEAN} games and a "
        f"variance over fewer than {MIN_GAMES_OF_VARIANCE}",
        "ci_high": HIGH,
        "n_games": "number of games that it rests on",
    },
    make=_summary,
    words=STATISTICS | SYSTEM_STATISTICS,
)
