"""The table ``assumptions``: what one step on each assumed number and each switch does to a run.

Every number of the chapter that is assumed is made one less and one more, and every switch is set
each other way, one at a time, in the first games of the run and with their luck.  The games are in
``RUN/changes/GAMES``, so that the same command resumes.
"""

from typing import Any, Unpack

import pandas as pd

from analysis.estimates import estimate_share, interval_columns
from analysis.mice_and_mystics.experiments.sensitivity import ABOUT, PAIRED, try_changes
from analysis.mice_and_mystics.run_facts import RunFacts
from analysis.registry import Table, q_value, with_interval
from analysis.runs import Run
from analysis.tables import Beside
from card_data.mice_and_mystics.changes import SWITCHES, steps
from card_data.mice_and_mystics.facts import Facts
from card_data.mice_and_mystics.settings import Settings
from card_data.schema.changes import Change
from simcore.work.hands import Who
from simcore.work.progress import Progress

#: Games of each change, unless something else is asked for, and the share of the games of the run
#: that they are at most; with fewer than the least nothing is played.
MOST_GAMES, SHARE, LEAST_GAMES = 400, 1 / 100, 100
#: The folder of the games in that of a run.
GAMES_FOLDER = "changes"


def usual_games(n_games: int) -> int:
    """Games of each change by default, by those of the run: they take only a part of its time."""
    games = min(MOST_GAMES, int(n_games * SHARE))
    return games if games >= LEAST_GAMES else 0


def assumed_changes(facts: Facts, settings: Settings) -> list[Change]:
    """One step on each assumed number of what is played, and each switch set otherwise."""
    return [
        change
        for change in steps(facts, settings)
        if change.variable.of == SWITCHES or change.variable.confidence == "assumed"
    ]


def play_assumptions(
    run: Run,
    facts: RunFacts,
    *,
    games: int,
    on_progress: Progress | None = None,
    **who: Unpack[Who],
) -> pd.DataFrame:
    """Play the changes of a run, or what is missing of them, and write the table; the table.

    Parameters
    ----------
    run, facts
        A finished run, with whose first games is compared, and what was played in it.
    games
        Games of each change; those of the run, if these are fewer.
    who
        Who plays; the table does not depend on it.

    Raises
    ------
    RunError
        When the folder of the games holds something else or cannot be written, or another process
        works there.
    """
    games = min(games, run.n_games)
    *_, tried = try_changes(
        run,
        facts,
        assumed_changes(facts.data, facts.settings),
        run.folder / GAMES_FOLDER / str(games),
        games=games,
        **who,
        on_progress=on_progress,
    )
    lines = tried.lines()
    wins, scores = (lines[lines["measure"] == one] for one in ("win_rate", "mean_score"))
    counts = run.manifest["counts"]
    known = interval_columns("run_win_rate", estimate_share(counts["win"], counts["games"]))
    rows = [
        {
            **win,
            "games": win["n"],
            "win_rate": win["variant"],
            **_effect("win", win),
            "win_effect_shrunk": win["difference_shrunk"],
            **_effect("score", score),
            **known,
        }
        for (_, win), (_, score) in zip(wins.iterrows(), scores.iterrows(), strict=True)
    ]
    table = ASSUMPTIONS.frame(rows)
    _BESIDE.write(table, run)
    return table


def _effect(word: str, row: "pd.Series[Any]") -> dict[str, float]:
    """An effect with the ends of its interval."""
    ends = {"": "", "_low": "_ci_low", "_high": "_ci_high"}
    return {f"{word}_effect{end}": row[f"difference{column}"] for end, column in ends.items()}


ASSUMPTIONS = Table(
    "assumptions",
    "One row per change of an assumed number by one, or of a switch",
    {
        **ABOUT,
        "games": "games with the change: the first ones of the run",
        "win_rate": "share of them that was won",
        "win_effect": f"by experiment: the win rate {PAIRED}",
        "win_effect_low": "`win_effect`: lower end of its interval",
        "win_effect_high": "`win_effect`: upper end of its interval",
        "win_effect_shrunk": "`win_effect` drawn towards zero by what all effects together say"
        " that chance has added to it; the table is in the order of its size",
        "score_effect": f"the mean score, in rooms, {PAIRED}",
        "score_effect_low": "`score_effect`: lower end of its interval",
        "score_effect_high": "`score_effect`: upper end of its interval",
        "q_value": q_value(
            "rows", "the probability of a `win_effect` this large if there were none"
        ),
        **with_interval("run_win_rate", "win rate of the whole run, with nothing changed"),
    },
    differences=("win_effect", "win_effect_low", "win_effect_high", "win_effect_shrunk"),
    numbers=("score_effect", "score_effect_low", "score_effect_high"),
)
_BESIDE = Beside(ASSUMPTIONS, "assumptions", ("facts_hash", "settings"), "--assumptions")
read_assumptions = _BESIDE.read
