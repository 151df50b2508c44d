"""What changes of a chapter do to its results, from games with the same luck.

A run has the games as they are.  Game i meets the same party, decks and dice with a change for as
long as the two stay alike, so that both are compared game by game
(`analysis.experiments.comparison`).  Games that a change cannot touch are not played again.
"""

from collections.abc import Callable, Sequence
from concurrent.futures import Executor
from contextlib import closing
from math import lcm
from pathlib import Path
from typing import Any

import numpy as np
import numpy.typing as npt
import pandas as pd
from attrs import evolve, frozen

from analysis.experiments.comparison import comparison_table
from analysis.experiments.paired_sums import Lines, PairSums, sum_pairs
from analysis.experiments.trials import Spared
from analysis.mice_and_mystics.experiments.trials import (
    Trials,
    folder_kind,
    new_trial,
    results_of,
)
from analysis.mice_and_mystics.run_facts import RunFacts
from analysis.runs import Run
from analysis.shrinkage import shrink
from card_data.mice_and_mystics.changes import SWITCHES, changed
from card_data.schema.changes import Change
from simcore.mice_and_mystics.play.affected import affected_games
from simcore.mice_and_mystics.players.seats import fingerprints
from simcore.mice_and_mystics.table.compile_facts import compile_facts
from simcore.work.lock import holding
from simcore.work.progress import Progress

#: The folder of the games with changes, and the file in it that says what was asked for.
KIND = folder_kind(
    "trial of changes",
    "changes.json",
    policies=[str],
    weights={str: str},
    games=range(1, 2**63),
)
#: The results on which the effect of a change is shown.
MEASURES = ("win_rate", "mean_score")


@frozen
class Effects:
    """Changes, and for each of `MEASURES` what they do: a row for each change, in their order.

    The columns are those of a comparison, and ``difference_shrunk``.
    """

    changes: Sequence[Change]
    tables: dict[str, pd.DataFrame]
    n_games: int

    @property
    def by_size(self) -> list[int]:
        """The places of the changes, those that move the win rate most, as shrunk, first."""
        sizes = self.tables["win_rate"]["difference_shrunk"].abs()
        return [int(place) for place in sizes.sort_values(ascending=False, kind="stable").index]


@frozen
class TriedChanges:
    """The games of a chapter as it is, and with each change as far as these are played.

    ``base`` and every one of ``outcomes``, which are those of the first of ``changes``, are
    (n_games,) of `trials.RESULT`.
    """

    facts: RunFacts
    base: npt.NDArray[np.void]
    changes: Sequence[Change]
    outcomes: Sequence[npt.NDArray[np.void]]

    def effects(self, first: int = 0) -> Effects:
        """What the changes that are played do, those from ``first`` on."""
        facts, outcomes = self.facts, self.outcomes[first:]
        changes = self.changes[first : len(self.outcomes)]
        rows = compile_facts(facts.data, facts.settings).rows.tobytes()
        unread, pages = [], []
        for change, games in zip(changes, outcomes, strict=True):
            data, settings = changed(facts.data, facts.settings, change)
            same = bool((games == self.base).all())
            unread.append(same and compile_facts(data, settings).rows.tobytes() == rows)
            pages.append(RunFacts(data, settings, facts.player).page_end)
        tables = {
            measure: effects_table(self.base, outcomes, facts.page_end, pages, measure, unread)
            for measure in MEASURES
        }
        return Effects(changes, tables, len(self.base))


def try_changes(
    run: Run,
    facts: RunFacts,
    changes: Sequence[Change],
    folder: Path,
    *,
    games: int,
    command: str = "",
    threads: int | None = None,
    executor: Executor | None = None,
    on_progress: Progress | None = None,
    see: Callable[[TriedChanges], None] | None = None,
) -> Effects:
    """Play each change, or what is missing of it, in the first games of a run; what it does.

    Parameters
    ----------
    run, facts
        A finished run, and what was played in it.
    folder
        Where the games with changes are kept; other changes can be tried there later.
    games
        Games of each change; those of the run, if these are fewer.
    threads
        Default: all processors.  The results do not depend on it.
    see
        Shown what is known before the first change is played, and after each.

    Raises
    ------
    RunError
        When the folder holds something else or cannot be written, or another process works there.
    """
    played = _first_games(run, games)
    results = results_of(played, facts)
    players = tuple(run.manifest["policies"])
    table = compile_facts(facts.data, facts.settings)
    # One after the other, as their games are played.
    trials = [
        new_trial(
            *changed(facts.data, facts.settings, change),
            facts.player,
            spared=Spared(results, affected_games(table, change.variable, played, players)),
        )
        for change in changes
    ]
    asked = {
        "policies": list(players),
        "weights": fingerprints(players),
        "games": len(played),
        "command": command,
    }
    with holding(folder):
        there = Trials(
            KIND,
            folder,
            new_trial(facts.data, facts.settings, facts.player),
            seed=run.seed,
            asked=asked,
            threads=threads,
            executor=executor,
        )
        tried = TriedChanges(facts, results, changes, ())
        if see is not None:
            see(tried)
        wanted = [(trial, range(len(played))) for trial in trials]
        with closing(there.play_each(wanted, on_progress)) as coming:
            for outcome in coming:
                tried = evolve(tried, outcomes=(*tried.outcomes, outcome))
                if see is not None:
                    see(tried)
    return tried.effects()


def effects_table(
    base: npt.NDArray[np.void],
    tried: Sequence[npt.NDArray[np.void]],
    page_end: int,
    pages: Sequence[int],
    measure: str,
    unread: Sequence[bool],
) -> pd.DataFrame:
    """What changes do to one of `MEASURES`, a row for each.

    Parameters
    ----------
    base, tried
        The same games as they are, and with each change: (n_games,) of RESULT.
    page_end, pages
        The last page as it is, and with each change: scores are in parts of it.
    unread
        Whether nothing reads what is changed, so that no game can differ.
    """
    sums, units = [np.zeros((0, 18), np.int64)], []
    every = np.ones((1, len(base)), np.int64)
    for games, page in zip(tried, pages, strict=True):
        parts = lcm(page_end, page)
        before, after = (
            one["won"] if measure == "win_rate" else one["score"].astype(np.int64) * (parts // end)
            for one, end in ((base, page_end), (games, page))
        )
        sums.append(sum_pairs(*((every, one.astype(np.int64)[None]) for one in (before, after))))
        units.append(1.0 if measure == "win_rate" else 1 / parts)
    lines = Lines(pd.DataFrame({"measure": [measure] * len(tried)}), np.array(units))
    pairs = PairSums(np.concatenate(sums), np.full(2, len(base)), 0)
    found = comparison_table(pairs, lines, paired=True)
    found.loc[np.array(unread, bool), ["difference_ci_low", "difference_ci_high"]] = 0.0
    found["difference_shrunk"] = np.nan_to_num(shrink(found["difference"], found["std_err"]).mean)
    return found


def about(change: Change) -> dict[str, Any]:
    """The columns `ABOUT` of a change."""
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


def _first_games(run: Run, n_games: int) -> npt.NDArray[np.void]:
    """The first games of a run, of GAME_RECORD; fewer where the run is shorter."""
    found: list[npt.NDArray[np.void]] = []
    for part in range(run.n_parts):
        found.append(run.part(part))
        if sum(map(len, found)) >= n_games:
            break
    return np.concatenate(found)[:n_games]


#: The columns that say what is changed, with their meanings.
ABOUT = {
    "kind": "number, or switch: a point of the rules that can be played in several ways",
    "entry": "id of the entry of the data whose number it is; empty for switches and for numbers "
    "that `--set` sets",
    "name": "its name",
    "number": "which number: its field and, where that holds several, which of them, as in "
    "`bands.1-2.roach`; or what `--set` calls it",
    "label": "the same in words",
    "value": "what it is in the run",
    "changed_to": "what it is changed to, alone",
    "confidence": "how sure the number is: verified, reported or assumed; empty where `--set` sets "
    "it",
}
PAIRED = (
    "with the change minus without it, in the same games: the same party, decks and dice for as "
    "long as the two stay alike"
)
