"""What is worth knowing first of a run."""

from collections.abc import Mapping

import pandas as pd

from analysis.mice_and_mystics.run_facts import ALL
from reports.kit.words import Finding, between, count, percent


def findings(tables: Mapping[str, pd.DataFrame]) -> list[Finding]:
    """At most five sentences: how often the chapter is won, how it is lost, and by which party."""
    outcomes = tables["outcomes"]
    every = ALL if (outcomes["party"] == ALL).any() else outcomes["party"].iloc[0]
    of_all = outcomes[outcomes["party"] == every].set_index("statistic")
    win, page, captured = (of_all.loc[word] for word in ("win", "loss_page", "loss_captured"))
    found = [
        Finding(
            "Win rate",
            f"the party wins {percent(win.estimate)} of its games"
            f" ({between(win.ci_low, win.ci_high)}; {count(win.n_games)} games)",
        ),
        Finding(
            "Losses",
            f"{percent(page.estimate)} of all games are lost to the clock, and"
            f" {percent(captured.estimate)} because all mice are captured",
        ),
    ]
    parties = tables["parties"].sort_values("win_rate")
    if len(parties) > 1:
        worst, best = parties.iloc[0], parties.iloc[-1]
        found.append(
            Finding(
                "Parties",
                f"{best.party} wins most ({percent(best.win_rate)}), {worst.party} least"
                f" ({percent(worst.win_rate)})",
            )
        )
    return found
