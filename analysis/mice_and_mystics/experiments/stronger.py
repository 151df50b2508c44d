"""The table ``stronger``: by how much the next stronger player moves the win rates of a run.

That player plays the same chapter on other deals, so both runs are independent.  Their games are in
``RUN/stronger``.
"""

from collections.abc import Mapping

import numpy as np
import pandas as pd

from analysis import estimates
from analysis.mice_and_mystics.run_facts import ALL
from analysis.registry import Table, q_value, with_ends, with_interval
from analysis.runs import Run
from analysis.tables import Beside


def keep_moves(
    run: Run, tables: Mapping[str, pd.DataFrame], theirs: Mapping[str, pd.DataFrame]
) -> dict[str, pd.DataFrame]:
    """Set a stronger player's games beside a run, and write the table to its folder; by its name.

    ``tables`` are those of the run, ``theirs`` those of the stronger player's.  Raises RunError
    when it cannot be written.
    """
    return _BESIDE.write(moves_table(tables["parties"], theirs["parties"]), run)


def moves_table(parties: pd.DataFrame, theirs: pd.DataFrame) -> pd.DataFrame:
    """A row for all games and, where there are several parties, for each of them; see `STRONGER`.

    Both are tables ``parties``, of the same parties, from games of which none is in both.
    """
    known = parties.merge(theirs, on="party", suffixes=("", "_of_stronger"))
    mine, others = _won(known, ""), _won(known, "_of_stronger")
    move = estimates.corrected(estimates.estimate_apart(others, mine))
    several = len(known) > 1
    table = pd.DataFrame(
        {
            "party": [ALL, *known["party"]] if several else [*known["party"]],
            "player": known["player"].iloc[0],
            "n_games": mine.n.astype(np.int64),
            **estimates.interval_columns("win_rate", mine),
            "stronger": known["player_of_stronger"].iloc[0],
            "stronger_n_games": others.n.astype(np.int64),
            **estimates.interval_columns("stronger_win_rate", others),
            **estimates.interval_columns("move", move),
            "q_value": estimates.adjust_p(estimates.two_sided_p(move.estimate, move.std_err)),
        }
    )
    return table[list(STRONGER.columns)]


def _won(parties: pd.DataFrame, whose: str) -> estimates.Estimate:
    """The win rate in all games, where there are several parties, and in those of each."""
    n = parties[f"n_games{whose}"].to_numpy(float)
    won = np.rint(n * parties[f"win_rate{whose}"].to_numpy())
    if len(n) > 1:
        n, won = (np.concatenate([[one.sum()], one]) for one in (n, won))
    return estimates.estimate_share(won, n)


STRONGER = Table(
    "stronger",
    "One row for all games and for each party",
    {
        "party": f"heroes of the party in the order of the data; `{ALL}`: all games, of several"
        " parties",
        "player": "who played the run",
        "n_games": "games of the run",
        **with_interval("win_rate", "share of them that was won"),
        "stronger": "the stronger player, who played other deals of the same",
        "stronger_n_games": "games of the stronger player",
        **with_interval("stronger_win_rate", "share of them that was won"),
        **with_interval("move", "`stronger_win_rate` minus `win_rate`"),
        "q_value": q_value(
            "rows", "the probability of a `move` at least this large if the truth is zero"
        ),
    },
    where="where a stronger player played as well (`fairdeal balance --stronger`)",
    differences=("move",),
    json_columns=(
        *("party", "player", "stronger"),
        *with_ends("win_rate", "stronger_win_rate", "move"),
    ),
)
_BESIDE = Beside(STRONGER, "stronger", ("facts_hash", "settings"), "--stronger")
read_moves = _BESIDE.read
