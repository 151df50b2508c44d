"""The table ``assumptions``: what one step on each assumed number and each switch does to a run.

Every number of the chapter that is assumed is made one less and one more, and every switch is set
each other way, one at a time, in the first games of the run and with their luck.  The games are in
``RUN/assumptions/GAMES`` (`variant_games`), so that the same command resumes.
"""

import json
import os
from collections.abc import Mapping
from pathlib import Path
from typing import Any

import numpy as np
import numpy.typing as npt
import pandas as pd

from analysis.estimates import estimate_share, interval_columns
from analysis.mice_and_mystics.experiments.effects import effects_table
from analysis.mice_and_mystics.experiments.variant_games import Experiments, Laboratory
from analysis.mice_and_mystics.run_facts import RunFacts
from analysis.registry import Table, q_value, with_interval
from analysis.runs import Run
from analysis.shrinkage import shrink
from analysis.tables import read_table, write_tables
from card_data.mice_and_mystics.changes import SWITCHES, Change, steps
from card_data.mice_and_mystics.facts import Facts
from card_data.mice_and_mystics.settings import Settings
from simcore.work.lock import holding
from simcore.work.parts import RUN, read_manifest
from simcore.work.progress import Progress

#: Games of each change, unless something else is asked for, and the share of the games of the run
#: that they are at most; with fewer than the least nothing is played.
MOST_GAMES, SHARE, LEAST_GAMES = 1_500, 1 / 100, 100
#: The folder of the games in that of a run.
GAMES_FOLDER = "assumptions"


def usual_games(n_games: int) -> int:
    """Games of each change for a run of so many, so that all of them take a part of its time."""
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
    threads: int | None = None,
    on_progress: Progress | None = None,
) -> pd.DataFrame:
    """Play the changes of a run, or what is missing of them, and write the table; the table.

    Parameters
    ----------
    run, facts
        A finished run, with whose first games is compared, and what was played in it.
    games
        Games of each change; those of the run, if these are fewer.
    threads
        Default: all processors.  The table does not depend on it.

    Raises
    ------
    RunError
        When the folder of the games holds something else or cannot be written, or another process
        works there.
    """
    manifest = run.manifest
    games = min(games, run.n_games)
    base = _first_games(run, games)
    players = tuple(manifest["policies"])
    experiments = Experiments(facts.data, facts.settings, players, games, manifest["seed"])
    changes = assumed_changes(facts.data, facts.settings)
    folder = run.folder / GAMES_FOLDER / str(games)
    with holding(folder):
        laboratory = Laboratory(experiments, folder, base=base, threads=threads)
        tried = laboratory.play(changes, on_progress)
    wins = effects_table(facts, base, tried, "win_rate")
    points = effects_table(facts, base, tried, "mean_score")
    shrunk = np.nan_to_num(shrink(wins["difference"], wins["std_err"]).mean)
    counts = manifest["counts"]
    known = interval_columns("run_win_rate", estimate_share(counts["win"], counts["games"]))
    rows = [
        {
            **about(change),
            "games": len(one.games),
            "win_rate": wins["variant"][place],
            **_effect("win", wins.loc[place]),
            **_effect("score", points.loc[place]),
            "win_effect_shrunk": shrunk[place],
            "q_value": wins["q_value"][place],
            **known,
        }
        for place, (change, one) in enumerate(zip(changes, tried, strict=True))
    ]
    table = ASSUMPTIONS.frame(rows)
    order = table["win_effect_shrunk"].abs().sort_values(ascending=False, kind="stable").index
    table = table.loc[order].reset_index(drop=True)
    write_tables({ASSUMPTIONS.name: table}, run.folder, _identity(manifest))
    return table


def about(change: Change) -> dict[str, Any]:
    """The columns that say what is changed."""
    one = change.variable
    return {
        "kind": "switch" if one.of == SWITCHES else "number",
        "entry": one.entry,
        "name": one.name,
        "number": one.number,
        "label": one.label,
        "value": str(one.value),
        "changed_to": str(change.changed_to),
        "confidence": one.confidence,
    }


def read_assumptions(folder: str | os.PathLike[str]) -> dict[str, pd.DataFrame]:
    """The table in a run folder, by its name; none where the changes were not played.

    Raises RunError when it is damaged, of another run or lacks a column.
    """
    folder = Path(folder)
    if not (folder / "tables" / f"{ASSUMPTIONS.name}.parquet").exists():
        return {}
    again = "repeat 'balancelab balance' with --assumptions, or delete the file"
    said = _identity(read_manifest(folder))
    return {ASSUMPTIONS.name: read_table(RUN, folder, ASSUMPTIONS, said, again)}


def _first_games(run: Run, n_games: int) -> npt.NDArray[np.void]:
    """The first games of a run, of GAME_RECORD."""
    found: list[npt.NDArray[np.void]] = []
    for part in range(run.n_parts):
        found.append(run.part(part))
        if sum(map(len, found)) >= n_games:
            break
    return np.concatenate(found)[:n_games]


def _effect(word: str, row: "pd.Series[Any]") -> dict[str, float]:
    """An effect with the ends of its interval."""
    ends = {"": "", "_low": "_ci_low", "_high": "_ci_high"}
    return {f"{word}_effect{end}": row[f"difference{column}"] for end, column in ends.items()}


def _identity(manifest: Mapping[str, Any]) -> dict[str, str]:
    """What the table says that it is of; a run that goes on to more games is of the same."""
    names = "rules_version", "facts_hash", "settings", "policies", "weights", "seed"
    said = {name: manifest[name] for name in names if name in manifest}
    return {"assumptions": json.dumps(said, sort_keys=True)}


#: The columns that say what is changed, with their meanings.
ABOUT = {
    "kind": "number, or switch: a point of the rules that can be played in several ways",
    "entry": "id of the entry of the data whose number it is; empty for a switch",
    "name": "its name",
    "number": "which number: its field and, where that holds several, which of them, as in "
    "`bands.1-2.roach`; or the switch",
    "label": "the same in words",
    "value": "what it is in the run",
    "changed_to": "what it is changed to, alone",
    "confidence": "how sure the number is: verified, reported or assumed; empty for a switch",
}
_PAIRED = (
    "with the change minus without it, in the same games: the same party, decks and dice for as "
    "long as the two stay alike"
)

ASSUMPTIONS = Table(
    "assumptions",
    "One row per change of an assumed number by one, or of a switch",
    {
        **ABOUT,
        "games": "games with the change: the first ones of the run",
        "win_rate": "share of them that was won",
        "win_effect": f"by experiment: the win rate {_PAIRED}",
        "win_effect_low": "`win_effect`: lower end of its 95 % interval",
        "win_effect_high": "`win_effect`: upper end of its 95 % interval",
        "win_effect_shrunk": "`win_effect` drawn towards zero by what all effects together say"
        " that chance has added to it; the table is in the order of its size",
        "score_effect": f"the mean score, in rooms, {_PAIRED}",
        "score_effect_low": "`score_effect`: lower end of its 95 % interval",
        "score_effect_high": "`score_effect`: upper end of its 95 % interval",
        "q_value": q_value(
            "rows", "the probability of a `win_effect` this large if there were none"
        ),
        **with_interval("run_win_rate", "win rate of the whole run, with nothing changed"),
    },
    differences=("win_effect", "win_effect_low", "win_effect_high", "win_effect_shrunk"),
    numbers=("score_effect", "score_effect_low", "score_effect_high"),
)
