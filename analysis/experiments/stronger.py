"""By how much the next stronger player moves what a comparison found.

Both sides are played once more, by a stronger player and on fresh deals, and the two comparisons
are set side by side.  They share no game, so the errors of their differences are independent, and
the interval of a move joins both intervals (square and add).
"""

import numpy as np
import pandas as pd
from attrs import evolve

from analysis.estimates import adjust_p, corrected_z, two_sided_p
from analysis.experiments.comparison import Comparison
from analysis.experiments.paired_sums import COMPARED
from analysis.games import analysis_of
from analysis.registry import Table, q_value, with_ends, with_interval
from analysis.verdicts import CHANGES

_KEY = ["kind", "id", "measure"]
_OF_STRONGER = "stronger_"


def with_moves(usual: Comparison, stronger: Comparison) -> Comparison:
    """A comparison with what the same comparison by a stronger player makes of it."""
    return evolve(
        usual, more={**usual.more, COMPARISON_STRONGER.name: moves_table(usual, stronger)}
    )


def moves_table(usual: Comparison, stronger: Comparison) -> pd.DataFrame:
    """One row for each main line and each number of the whole game; see `COMPARISON_STRONGER`.

    Both are comparisons of the same two pools or chapters, each with one player in all seats, and
    have no game in common.
    """
    lines = usual.table
    main = analysis_of(usual.base.game.name).main_lines(lines) | (lines["kind"] == "game")
    theirs = stronger.table.set_index(_KEY).add_prefix(_OF_STRONGER)
    table = lines[main].join(theirs, on=_KEY, how="inner").reset_index(drop=True)
    move = table["stronger_difference"] - table["difference"]
    down = np.hypot(_reach(table, "stronger_", "low"), _reach(table, "", "high"))
    up = np.hypot(_reach(table, "stronger_", "high"), _reach(table, "", "low"))
    # There is no test of a move where too few games differ for one of either difference.
    tested = table["p_value"].notna() & table["stronger_p_value"].notna()
    error = np.hypot(table["std_err"], table["stronger_std_err"]).where(tested)
    p_value = two_sided_p(move, error)
    reach = corrected_z(p_value) * error
    found = table.assign(
        stronger=stronger.base.manifest["policies"][0],
        stronger_games=stronger.base.n_games,
        move=move,
        move_ci_low=(move - reach).where(tested, move - down),
        move_ci_high=(move + reach).where(tested, move + up),
        q_value=adjust_p(p_value),
    )
    return found[list(COMPARISON_STRONGER.columns)]


def _reach(table: pd.DataFrame, whose: str, end: str) -> "pd.Series[float]":
    """How far the interval of a difference reaches to one side."""
    return (table[f"{whose}difference_ci_{end}"] - table[f"{whose}difference"]).abs()


COMPARISON_STRONGER = Table(
    "comparison_stronger",
    "One row per main number of a comparison that a stronger player played as well",
    {
        "kind": "what the row is about, as in the table `comparison`",
        "id": "which of that kind; empty for the whole game",
        "name": "its printed name",
        "measure": "what is compared, as in the table `comparison`",
        "policy": "who played the comparison",
        **with_interval("difference", "`variant` minus `base`, as in the table `comparison`"),
        "verdict": "; ".join(f"{word}: {meaning}" for word, meaning in CHANGES.items()),
        "stronger": "the stronger player, who played both sides on other deals",
        "stronger_games": "games that they played on each side",
        **with_interval("stronger_difference", "`variant` minus `base` among these players"),
        "stronger_verdict": "the verdict on that difference alone",
        **with_interval("move", "`stronger_difference` minus `difference`"),
        "q_value": q_value(
            "rows of this table",
            "the probability of a `move` at least this large if the truth is zero",
        ),
    },
    where=COMPARED,
    differences=("difference", "stronger_difference", "move"),
    json_columns=(
        *("kind", "id", "name", "measure", "policy", "stronger"),
        *with_ends("difference", "stronger_difference", "move"),
        "q_value",
    ),
    json_rows=lambda table: (table["kind"] != "game") | table["measure"].str.endswith("win_rate"),
)
