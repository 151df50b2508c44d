"""The tables ``skill_cards`` and ``skill_summary``: how verdicts change with who plays.

They set several runs of the same pool side by side, from the weakest players to the strongest.  In
each run both players follow one policy, and every estimate is about one run; only ``change`` is a
difference of two.
"""

import os
from collections.abc import Mapping, Sequence
from pathlib import Path

import numpy as np
import pandas as pd

from analysis.estimates import adjust_p, corrected_z, interval, two_sided_p
from analysis.mindbug.card_strength import FAMILY
from analysis.mindbug.experiments.skill_panel import PANEL_TABLES, panel_tables, shared_luck
from analysis.mindbug.runs import Run
from analysis.mindbug.selections import MEASURES, SKILL_CHANGE, SKILL_VERDICTS, STATISTICS
from analysis.registry import Registry, Table, q_value, with_ends, with_interval
from analysis.runs import identity_of_run
from analysis.tables import read_beside, write_tables
from analysis.verdicts import changes
from simcore.commands import command
from simcore.sealed import RunError, remove_file

_FACTS = ["card_id", "name", "set_id", "policy"]
_OF_RUN = [
    *("advantage", "advantage_ci_low", "advantage_ci_high", "std_err"),
    *("p_value", "band", "verdict"),
    *("mindbug_n", "mindbug_rate", "mindbug_rate_ci_low", "mindbug_rate_ci_high"),
]
_MEANS = ("mean_mindbugs_used", "mean_turns", "draw_rate")


def rungs_of(runs: Sequence[Run]) -> list[str]:
    """The policy that both players follow in each run.

    Raises RunError unless there are two or more runs of one pool, each of another policy.
    """
    if len(runs) < 2:
        raise RunError("skill sets runs of different players side by side: name two or more")
    rungs: dict[str, Path] = {}
    for run in runs:
        first, second = run.manifest["policies"]
        if first != second:
            raise RunError(
                f"{run.folder} was played by {first} against {second}; skill compares runs in which"
                f" both players follow the same policy: play one with --policy {first}"
            )
        if run.manifest["pool_hash"] != runs[0].manifest["pool_hash"]:
            again = command("simulate", pool=runs[0].folder / "pool.toml", policy=first)
            raise RunError(
                f"{run.folder} and {runs[0].folder} are runs of different pools, and skill is told"
                f" of one: '{again}' plays the pool of {runs[0].folder} for it"
            )
        if first in rungs:
            raise RunError(
                f"{run.folder} and {rungs[first]} were both played by {first}; name one of them,"
                " and runs of other players"
            )
        rungs[first] = run.folder
    return list(rungs)


def compare_skill(
    runs: Sequence[Run], tables: Sequence[Mapping[str, pd.DataFrame]], panel: Sequence[str]
) -> dict[str, pd.DataFrame]:
    """All tables about runs of different players.

    Parameters
    ----------
    runs, tables
        Runs of `rungs_of`, and the tables of each.
    panel
        The players of the panel, two or more, in the order of their runs; or none.

    Returns
    -------
    dict
        The tables of `skill_tables`, and where there is a panel those of `panel_tables`.
    """
    rungs = rungs_of(runs)
    alike = float(shared_luck([runs[0], runs[-1]])[0, 1])
    compared = skill_tables(dict(zip(rungs, tables, strict=True)), alike)
    if not panel:
        return compared
    luck = shared_luck([runs[rungs.index(player)] for player in panel])
    return compared | panel_tables(compared["skill_cards"], panel, luck)


def keep_skill(tables: Mapping[str, pd.DataFrame], run: Run) -> None:
    """Write the tables of `compare_skill` to the folder of a run.  Raises RunError.

    Those of another panel, which was compared before, are deleted.
    """
    write_tables(tables, run.folder, run.identity)
    for name in PANEL_TABLES:
        if name not in tables:
            for ending in ("parquet", "csv"):
                remove_file(run.folder / "tables" / f"{name}.{ending}")


def skill_tables(
    runs: Mapping[str, Mapping[str, pd.DataFrame]], alike: float = 0.0
) -> dict[str, pd.DataFrame]:
    """Set runs side by side.

    Parameters
    ----------
    runs
        The tables of `analysis.mindbug.analyze` of each run by its policy, from the weakest
        players to the strongest; two runs or more, of the same pool, both players following that
        policy.
    alike
        How the errors of the first and of the last run correlate, which is what their deals have in
        common (`shared_luck`); 0 for runs of different seeds.

    Returns
    -------
    dict
        ``skill_cards`` and ``skill_summary``; see `SKILL_TABLES`.
    """
    cards = [tables["cards"].reset_index(drop=True) for tables in runs.values()]
    across = _across(cards[0], cards[-1], alike)
    rows = []
    for rung, of_run in enumerate(cards):
        facts = of_run[_FACTS].assign(rung=rung, n=of_run["dealt_n"])
        rows.append(pd.concat([facts, of_run[_OF_RUN], across], axis="columns"))
    summaries = [
        _summary_row(policy, rung, tables) for rung, (policy, tables) in enumerate(runs.items())
    ]
    return {
        "skill_cards": pd.concat(rows, ignore_index=True)[list(SKILL_CARDS.columns)],
        "skill_summary": pd.DataFrame(summaries)[list(SKILL_SUMMARY.columns)],
    }


def read_skill_tables(folder: str | os.PathLike[str]) -> dict[str, pd.DataFrame]:
    """The tables of `compare_skill` in a run folder; none where players were not compared.

    Raises RunError when one is damaged, of another run or lacks a column.
    """
    again = "compare the players again, or delete the file"
    found = read_beside(folder, [*SKILL_TABLES.values()], identity_of_run, again)
    return found and found | read_beside(folder, [*PANEL_TABLES.values()], identity_of_run, again)


def _across(weakest: pd.DataFrame, strongest: pd.DataFrame, alike: float) -> pd.DataFrame:
    """What is said of each card over all rungs, from the table ``cards`` of both ends."""
    found = _change(weakest, strongest, alike)
    words = changes(found["change_ci_low"], found["change_ci_high"])
    return pd.DataFrame({**found, "skill_verdict": words})


def _change(weakest: pd.DataFrame, strongest: pd.DataFrame, alike: float) -> dict[str, np.ndarray]:
    """The columns of the change; its intervals are corrected together."""
    change = (strongest["advantage"] - weakest["advantage"]).to_numpy(float)
    one, other = (table["std_err"].to_numpy(float) for table in (weakest, strongest))
    error = np.sqrt(one**2 + other**2 - 2 * alike * one * other)
    few_games = (weakest["p_value"].isna() | strongest["p_value"].isna()).to_numpy(bool)
    error = np.where(few_games, np.nan, error)
    p_value = two_sided_p(change, error)
    reach = corrected_z(p_value) * error
    return {
        **interval("change", change, reach),
        "change_q_value": adjust_p(p_value),
    }


def _summary_row(
    policy: str, rung: int, tables: Mapping[str, pd.DataFrame]
) -> dict[str, str | float]:
    """The row of one run."""
    first = tables["first_player"].iloc[0]
    row: dict[str, str | float] = {
        "policy": policy,
        "rung": rung,
        "n_games": int(first["n_games"]),
        "first_player_advantage": first["first_player_win_rate"] - 0.5,
        "first_player_advantage_ci_low": first["ci_low"] - 0.5,
        "first_player_advantage_ci_high": first["ci_high"] - 0.5,
    }
    by_statistic = tables["summary"].drop_duplicates("statistic").set_index("statistic")
    for name in _MEANS:
        statistic = by_statistic.loc[name]
        row[name] = float(statistic["estimate"])
        row[f"{name}_ci_low"] = float(statistic["ci_low"])
        row[f"{name}_ci_high"] = float(statistic["ci_high"])
    return row


SKILL_CARDS = Table(
    "skill_cards",
    "One row per card and player",
    {
        "card_id": "the card",
        "name": "its printed name",
        "set_id": "the set that it belongs to",
        "policy": "the policy that both players follow in the games that the row is about",
        "rung": "place of the policy among those compared, from the weakest, 0, to the strongest",
        "n": "player-games in which the card was dealt",
        **with_interval("advantage", MEASURES["advantage"], FAMILY),
        "std_err": "standard error of `advantage`, of the card by itself",
        "p_value": "probability of an advantage at least this large if the truth is zero",
        "band": "half the width of the band of `verdict`, around zero",
        "verdict": "the verdict among these players alone; see the table `cards`",
        "mindbug_n": "plays of the card from hand with a Mindbug available to the opponent",
        **with_interval("mindbug_rate", MEASURES["mindbug_rate"]),
        **with_interval(
            "change", f"{SKILL_CHANGE}; this and what follows is the same in all rows of a card"
        ),
        "change_q_value": q_value(
            "cards", "the probability of a `change` at least this large if the truth is zero"
        )
        + "; missing for too few games",
        "skill_verdict": "; ".join(
            f"{word}: {meaning}" for word, meaning in SKILL_VERDICTS.items()
        ),
    },
    where="where players were compared (`fairdeal balance --skill`)",
    differences=("advantage", "change"),
    json_columns=("card_id", "name", *with_ends("change"), "change_q_value", "skill_verdict"),
    json_rows=lambda table: ~table["card_id"].duplicated(),
)
SKILL_SUMMARY = Table(
    "skill_summary",
    "One row per player",
    {
        "policy": "the policy that both players follow",
        "rung": "place of the policy among those compared, from the weakest, 0, to the strongest",
        "n_games": "games played",
        **with_interval(
            "first_player_advantage",
            "win rate of the player who starts minus one half; a draw counts one half",
        ),
        **{
            column: meaning
            for statistic in ("mean_mindbugs_used", "mean_turns", "draw_rate")
            for column, meaning in with_interval(statistic, STATISTICS[statistic]).items()
        },
    },
    where="where players were compared (`fairdeal balance --skill`)",
    differences=("first_player_advantage",),
)

#: The tables, as `skill_tables` gives them.
SKILL_TABLES = Registry(SKILL_CARDS, SKILL_SUMMARY)
