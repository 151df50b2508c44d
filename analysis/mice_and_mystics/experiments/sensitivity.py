"""What one step on each number of a chapter changes, and each switch, in games with the same luck.

The folder of a sensitivity analysis is a run with the games as they are; those with changes are in
``RUN/changes/GAMES``, where the tornado of `assumptions` has its own, too.  Game i meets the same
party, decks and dice with a change for as long as the two stay alike, so that both are compared
game by game (`analysis.questions.sensitivity`).  Games that a change cannot touch are not played
again.
"""

from collections.abc import Iterator, Mapping, Sequence
from contextlib import closing
from functools import partial
from math import lcm
from pathlib import Path
from typing import Unpack

import numpy as np
from attrs import field, frozen

from analysis.experiments.trials import Spared, Trial
from analysis.mice_and_mystics.experiments.trials import Trials, folder_kind, new_trial, results_of
from analysis.mice_and_mystics.run_facts import RunFacts
from analysis.questions import steps
from analysis.questions.sensitivity import Observed, Pair, Tried, sensitivity_entry
from analysis.questions.steps import StepChange
from analysis.runs import Run, same_run
from card_data.mice_and_mystics.changes import OF_ENTRIES, RULES, SWITCHES, changed
from card_data.mice_and_mystics.facts import Facts
from card_data.mice_and_mystics.settings import Settings
from card_data.schema import changes as schema
from simcore.arrays import Bools, Records
from simcore.mice_and_mystics.play.affected import affected_games
from simcore.mice_and_mystics.players.seats import fingerprints
from simcore.mice_and_mystics.table.compile_facts import compile_facts
from simcore.work.hands import Who
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
#: What ``--of`` can name besides entries and numbers, and the kinds of variables that it means.
GROUPS: Mapping[str, tuple[str, ...]] = {
    "heroes": ("heroes",),
    "minions": ("minions",),
    "cards": ("abilities", "search_cards", "encounters"),
    "abilities": ("abilities",),
    "search_cards": ("search_cards",),
    "encounters": ("encounters",),
    "chapter": ("chapters",),
    "rules": (RULES,),
    "switches": (SWITCHES,),
    "all": (*OF_ENTRIES, RULES, SWITCHES),
}


choose = partial(steps.choose, groups=GROUPS)


@frozen
class FactChange(StepChange):
    """A change of a chapter, among its games as they are, of RESULT."""

    facts: RunFacts = field(repr=False)

    def pairs(self, games: Records) -> Mapping[str, Pair]:
        """Games that are won, and scores, which are in parts of the last page of either side."""
        every, sides = np.ones(len(games), np.int64), (self.base, games)
        ends = [RunFacts(*side, self.facts.player).page_end for side in self.sides]
        parts = lcm(*ends)
        scores = (
            x["score"].astype(np.int64) * (parts // y) for x, y in zip(sides, ends, strict=True)
        )
        return {
            "win_rate": Pair.of(Observed(every, x["won"]) for x in sides),
            "mean_score": Pair.of((Observed(every, x) for x in scores), 1 / parts),
        }

    def is_unread(self, games: Records) -> bool:
        """Whether what is played is the same for the engine."""
        same = bool((games == self.base).all())
        return same and len({compile_facts(*side).rows.tobytes() for side in self.sides}) == 1

    def trial(self, touched: Bools) -> Trial:
        """What is played, but for games that it cannot touch."""
        return new_trial(*self.sides[1], self.facts.player, spared=Spared(self.base, touched))

    @property
    def sides(self) -> tuple[tuple[Facts, Settings], tuple[Facts, Settings]]:
        """What is played without and with the change."""
        before = self.facts.data, self.facts.settings
        return before, changed(*before, self.change)


def try_changes(
    run: Run,
    facts: RunFacts,
    changes: Sequence[schema.Change],
    folder: Path,
    *,
    games: int,
    command: str = "",
    on_progress: Progress | None = None,
    **who: Unpack[Who],
) -> Iterator["TriedFacts"]:
    """Play each change, or what is missing of it, in the first games of a run.

    What is known comes before the first change is played, and again after each.

    Parameters
    ----------
    run, facts
        A finished run, and what was played in it.
    folder
        Where the games with changes are kept; other changes can be tried there later.
    games
        Games of each change; those of the run, if these are fewer.
    who
        Who plays; the results do not depend on it.

    Raises
    ------
    RunError
        When the folder holds something else or cannot be written, or another process works there.
    """
    played = _first_games(run, games)
    players = tuple(run.manifest["policies"])
    table, results = compile_facts(facts.data, facts.settings), results_of(played, facts)
    mine = [FactChange(one, facts.player, results, facts) for one in changes]
    # One after the other, as their games are played.
    wanted = [
        (one.trial(affected_games(table, one.change.variable, played, players)), range(len(played)))
        for one in mine
    ]
    asked = {
        "policies": list(players),
        "weights": fingerprints(players),
        "games": len(played),
        "command": command,
    }
    with holding(folder):
        base = new_trial(facts.data, facts.settings, facts.player)
        there = Trials(KIND, folder, base, seed=run.seed, asked=asked, **who)
        with closing(there.play_each(wanted, on_progress)) as coming:
            yield from TriedFacts(mine).each(coming)


def _first_games(run: Run, n_games: int) -> Records:
    """The first games of a run, of GAME_RECORD; fewer where the run is shorter."""
    found: list[Records] = []
    for part in range(run.n_parts):
        found.append(run.part(part))
        if sum(map(len, found)) >= n_games:
            break
    return np.concatenate(found)[:n_games]


def identity_of(run: Run) -> dict[str, str]:
    """What the table says that it is of."""
    return {"sensitivity": same_run(run.manifest, "facts_hash", "settings")}


#: The columns that say what is changed, with their meanings.
ABOUT = {
    **steps.ABOUT,
    "confidence": "how sure the number is: verified, reported or assumed; empty where `--set` sets "
    "it",
}
PAIRED = (
    "with the change minus without it, in the same games: the same party, decks and dice for as "
    "long as the two stay alike"
)

SENSITIVITY = sensitivity_entry(
    {**ABOUT, "policy": "who plays all mice"},
    "win_rate, or mean_score: rooms of the route that were entered; for a win 1 more and the share"
    " of all pages that was left",
    "games as they are, and as many with the change",
    json_rows=lambda table: table["measure"] == "win_rate",
)


@frozen
class TriedFacts(Tried):
    """Changes of a chapter."""

    table = SENSITIVITY
