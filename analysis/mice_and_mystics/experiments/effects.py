"""What changes of a chapter do to its results, from games with the same luck.

Game i meets the same party, decks and dice with a change and without it for as long as the two stay
alike, so that both are compared game by game (`analysis.experiments.comparison`).
"""

from collections.abc import Sequence
from math import lcm
from typing import Any

import numpy as np
import numpy.typing as npt
import pandas as pd

from analysis.experiments.comparison import comparison_table
from analysis.experiments.paired_sums import Lines, PairSums, sum_pairs
from analysis.mice_and_mystics.experiments.variant_games import Tried
from analysis.mice_and_mystics.run_facts import RunFacts
from analysis.mice_and_mystics.tallies import scores
from card_data.mice_and_mystics.changes import changed
from simcore.mice_and_mystics.table.records import Outcome

#: The results on which the effect of a change is told.
MEASURES = ("win_rate", "mean_score")


def effects_table(
    facts: RunFacts, base: npt.NDArray[np.void], tried: Sequence[Tried], measure: str
) -> pd.DataFrame:
    """What each change does to one of `MEASURES`, a row for each, in their order.

    ``facts`` are those of the unchanged games ``base``, which have the fields of OUTCOME, at least
    as many as those with changes.  The columns are those of a comparison, but for ``verdict``.
    """
    sums, units = [], []
    for one in tried:
        with_it = facts
        if one.change.variable.number == "page_end":
            data, settings = changed(facts.data, facts.settings, one.change)
            with_it = RunFacts(data, settings, facts.player)
        before, after = base[: len(one.games)], one.games
        parts = lcm(facts.page_end, with_it.page_end)
        pair = _numbers(before, facts, measure, parts), _numbers(after, with_it, measure, parts)
        every = np.ones((1, len(after)), np.int64)
        sums.append(sum_pairs((every, pair[0]), (every, pair[1])))
        units.append(1.0 if measure == "win_rate" else 1 / parts)
    if not tried:
        return pd.DataFrame()
    n_games = np.full(2, max(len(one.games) for one in tried))
    lines = Lines(pd.DataFrame({"measure": [measure] * len(tried)}), np.array(units))
    found = comparison_table(PairSums(np.concatenate(sums), n_games, 0), lines, paired=True)
    unread = np.array([one.unread for one in tried])
    found.loc[unread, ["difference_ci_low", "difference_ci_high"]] = 0.0
    return found


def _numbers(
    games: npt.NDArray[np.void], facts: RunFacts, measure: str, parts: int
) -> npt.NDArray[np.int64]:
    """A result of each game in whole units, shape (1, n_games)."""
    if measure == "win_rate":
        values: Any = games["outcome"] == Outcome.WIN
    else:
        values = scores(games, facts) * (parts // facts.page_end)
    return np.asarray(values, np.int64)[None]
