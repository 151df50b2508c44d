"""Is this hero, card, minion or encounter too strong?  What is played to find out.

What an entry does to the win rate is its *effect* (`verdict_effects`).  The folder holds
``verdict.json`` (what was asked), ``run`` and ``stronger`` (games by two players, with their
tables), ``changes`` (each number of the entry one more and one less, and several at a time, in
games of the run), and ``fresh``: games of another seed with the changes most
likely to bring the effect into the band.  The stronger player plays fresh games from the start,
and the proposal in them.
"""

from collections import Counter
from collections.abc import Mapping, Sequence
from concurrent.futures import Executor
from functools import cached_property
from pathlib import Path
from typing import Any

import numpy as np
import numpy.typing as npt
import pandas as pd
from attrs import field, frozen

from analysis.experiments import verdict as shared
from analysis.experiments.smallest_change import Plan, Search, Step, Tried
from analysis.experiments.trials import Spared
from analysis.experiments.watch import Watch, unwatched
from analysis.mice_and_mystics.experiments.trials import (
    ChapterTrial,
    Trials,
    folder_kind,
    new_trial,
    results_of,
)
from analysis.mice_and_mystics.experiments.usual import (
    PLAYER,
    STRONGER,
    STRONGER_GAMES,
    VERDICT_GAMES,
)
from analysis.mice_and_mystics.experiments.verdict_effects import (
    DRAWN,
    NUMBERS,
    SWAPPED,
    NothingToCompare,
    Played,
    Sorted,
    average_entry,
    contrast,
    nearest_entry,
    sort_games,
)
from analysis.mice_and_mystics.run_facts import RunFacts
from analysis.runs import Run, open_run
from analysis.tables import analyze
from card_data.mice_and_mystics.changes import changed, is_sound, steps, variables
from card_data.mice_and_mystics.checks import facts_faults
from card_data.mice_and_mystics.facts import Entry, Facts
from card_data.mice_and_mystics.formatter import changes_text
from card_data.mice_and_mystics.loader import load_facts
from card_data.mice_and_mystics.settings import Settings
from card_data.schema.changes import Change, Variable
from simcore.mice_and_mystics import RULES_VERSION
from simcore.mice_and_mystics.play.affected import affected_games
from simcore.mice_and_mystics.play.run import new_run
from simcore.mice_and_mystics.players.seats import fingerprints, parse_player, split_players
from simcore.mice_and_mystics.table.compile_facts import compile_facts
from simcore.work.folder import VERSIONS, FolderKind, begin, versions_of
from simcore.work.hands import Hands
from simcore.work.lock import holding
from simcore.work.parts import fresh_seed
from simcore.work.runs import run_games

FOLDER = FolderKind(
    "verdict",
    "verdict.json",
    2,
    "",
    {
        **dict.fromkeys(("game", "entry", "facts_hash"), str),
        "rules_version": int,
        "settings": dict,
        "policies": [str],
        "weights": {str: str},
        "games": range(1, 2**63),
        "seed": range(2**63),
        "versions": VERSIONS,
    },
)
_CHANGES = folder_kind("trial of changes", "changes.json", policies=[str], weights={str: str})

# Shares of the games of the run: those of each change at first, of those that may do, and of the
# most likely ones in fresh games.
_FEW, _TRIED, _FRESH = 1 / 40, 1 / 4, 1 / 2
# Those of the stronger player: of one who searches beside one who does not, and of any other.
_SEARCHING, _STRONGER, _FEWEST = STRONGER_GAMES / VERDICT_GAMES, 1 / 2, 100
# What is left alone: how much of the box there is, and copies, which shuffle other cards.
_LEFT_ALONE = {"figure_limit", "token_limit", "count"}
#: Numbers of the entry with other values.
Changes = tuple[Change, ...]


@frozen
class Case(shared.Case):
    """An entry of a chapter, who plays, and how much."""

    facts: Facts
    settings: Settings
    kind: str
    entry: Entry
    policy: str = field(default=PLAYER, kw_only=True)
    stronger: str = field(default=STRONGER, kw_only=True)

    @property
    def run_games(self) -> int:
        """Games of the run."""
        return self.games or VERDICT_GAMES

    @property
    def stronger_games(self) -> int:
        """Games of the run of the stronger player."""
        searches = [parse_player(one).imagines for one in (self.policy, self.stronger)]
        share = _SEARCHING if searches == [False, True] else _STRONGER
        return max(int(self.run_games * share), _FEWEST)

    @property
    def few_games(self) -> int:
        """The first games of a change, after which it may be out of the race."""
        return int(self.run_games * _FEW)

    @property
    def tried_games(self) -> int:
        """Games of a change that may do, and of every single step."""
        return int(self.run_games * _TRIED)

    @property
    def fresh_games(self) -> int:
        """Games of another seed of each change that is most likely to do."""
        return int(self.run_games * _FRESH)

    @property
    def fresh_stronger_games(self) -> int:
        """Those of the stronger player with one change, who plays no others for it."""
        return self.stronger_games

    @property
    def least_games(self) -> dict[str, int]:
        """How many games each player plays at least: the stronger one again with a change."""
        again = {self.stronger: 2 * self.stronger_games} if self.stronger else {}
        return super().least_games | again

    @property
    def stronger_seed(self) -> int:
        """The seed of the stronger player's games, which have no part in choosing changes."""
        return fresh_seed(self.fresh_seed)

    @cached_property
    def variables(self) -> dict[str, Variable]:
        """The numbers of the entry that may be changed, by their names."""
        return {
            one.number: one
            for one in variables(self.facts, self.settings)
            if (one.of, one.entry) == (self.kind, self.entry.id)
            and one.number.partition(".")[0] not in _LEFT_ALONE
        }

    @property
    def single_steps(self) -> list[Step]:
        """Each of them one less and one more, where that can be played."""
        return [
            Step(one.variable.number, int(one.changed_to) - int(one.variable.value))
            for one in steps(self.facts, self.settings, self.variables.values())
        ]

    def change_of(self, taken: tuple[Step, ...]) -> Plan[Changes] | None:
        """The change of some steps; None where that cannot be played."""
        by = Counter[str]()
        for step in taken:
            by[step.thing] += step.by
        made = []
        for number, far in by.items():
            one = self.variables[number]
            made.append(Change(one, int(one.value) + far))
        if not all(one.changed_to in one.variable.others for one in made):
            return None
        arrow = "\N{RIGHTWARDS ARROW}"
        parts = [
            f"{one.variable.label} {one.variable.value} {arrow} {one.changed_to}" for one in made
        ]
        label = " and ".join(filter(None, [", ".join(parts[:-1]), parts[-1]]))
        return Plan(taken, label, tuple(made)) if self._is_sound(made) else None

    def _is_sound(self, made: Sequence[Change]) -> bool:
        if not all(is_sound(self.facts, self.settings, one) for one in made):
            return False
        try:
            return not facts_faults(self.with_changes(made)[0])
        except (StopIteration, ValueError, KeyError):  # one takes away what another changes
            return False

    def with_changes(self, made: Sequence[Change]) -> tuple[Facts, Settings]:
        """The facts and settings with some changes."""
        facts, settings = self.facts, self.settings
        for one in made:
            facts, settings = changed(facts, settings, one)
        return facts, settings


@frozen(kw_only=True)
class Evidence(shared.Evidence):
    """What was played for an entry, by player, weaker first.

    ``average`` is the name of what takes the place of the entry, "" where nothing can.  ``alike``
    are the results of games of the first player minus those after a change with next to no effect:
    ``second`` in the place of ``average``, or where that is "" the same deals with other dice.
    """

    case: Case
    played: Mapping[str, Played]
    average: str
    second: str
    alike: npt.NDArray[np.float64]

    @property
    def method(self) -> str:
        """How the effect is known."""
        first = self.played[self.case.policy]
        return DRAWN if first.sorted.instead is None else SWAPPED


def play_case(
    case: Case,
    folder: Path,
    *,
    watch: Watch = unwatched,
    threads: int | None = None,
    executor: Executor | None = None,
) -> Evidence:
    """Play everything that a verdict on an entry needs, or what is missing of it.

    Raises NothingToCompare, RunError when the folder holds something else or cannot be written, or
    another process works there, and ValueError for players that cannot play.  KeyboardInterrupt
    loses the pieces that are being played, and no other.
    """
    hands = Hands(threads, executor)
    with holding(folder):
        begun = begin(FOLDER, folder, _asked(case), files={})
        table = _Table(case, folder, watch, hands)
        run, tables = table.play_chapter(case.policy, case.seed)
        average = average_entry(case.facts, case.settings, case.kind, case.entry, tables)
        first = table.with_average(run, tables, average, "run-average")
        second, alike = table.without_effect(first)
        # An average one says by itself what a drawn entry does; after that no effect needs it.
        swapped = average if first.sorted.instead is not None else None
        played = {case.policy: first}
        if case.stronger:
            run, tables = table.play_chapter(case.stronger, case.stronger_seed)
            played[case.stronger] = table.with_average(run, tables, swapped, "stronger-average")
        singles = [plan for one in case.single_steps if (plan := case.change_of((one,)))]
        tried = table.try_all(first, singles, case.tried_games, "changes")
        plans: list[Plan[Changes]] = []
        if abs(first.effect.estimate[0]) > case.band and tried:
            search = Search(
                case.band,
                first.effect,
                case.change_of,
                lambda plans, games: table.try_all(first, plans, games, "changes"),
                case.few_games,
                case.tried_games,
            )
            tried = search.try_all(tried, case.single_steps)
            plans = search.to_confirm(tried)

        def play_fresh(
            player: str, games: int, plans: Sequence[Plan[Changes]]
        ) -> list[Tried[Changes]]:
            if player == case.stronger:
                return table.try_all(played[player], plans, games, "stronger-changes", fresh=True)
            return table.try_fresh(games, plans, swapped)

        fresh, proposal = shared.confirm(case, plans, play_fresh)
    return Evidence(
        case=case,
        tried=[*tried, *fresh],
        proposal=proposal,
        manifest=dict(begun.manifest),
        played=played,
        average="" if average is None else average[1],
        second=second,
        alike=alike,
    )


def proposal_text(evidence: Evidence) -> str | None:
    """The file with the proposed entry, and all others that are not the game's own; or None."""
    case, proposal = evidence.case, evidence.proposal
    if proposal is None:
        return None
    return changes_text(case.with_changes(proposal.made)[0], load_facts())


def _asked(case: Case) -> dict[str, Any]:
    """Everything that the games depend on, and the versions, as JSON values."""
    from card_data.mice_and_mystics.fingerprint import facts_hash

    players = [*filter(None, [case.policy, case.stronger])]
    return {
        "game": "mice_and_mystics",
        "rules_version": RULES_VERSION,
        "entry": case.entry.id,
        "facts_hash": facts_hash(case.facts),
        "settings": case.settings.as_json(),
        "policies": players,
        "weights": fingerprints(players),
        "games": case.run_games,
        "seed": case.seed,
        "versions": versions_of("numba", "numpy"),
    }


@frozen
class _Table:
    """Plays games of the chapter and of changes, as far as the folder lacks them."""

    case: Case
    folder: Path
    watch: Watch
    hands: Hands

    def play_chapter(self, player: str, seed: int) -> tuple[Run, Mapping[str, pd.DataFrame]]:
        """The run of a player, and its tables."""
        name, games = self.case.players[player]
        run = self.play_run(player, games, seed, self.folder / name)
        with self.watch("analysing", unit="parts") as advance:
            return run, analyze(run.folder, threads=self.hands.threads, on_progress=advance)

    def play_run(self, player: str, games: int, seed: int, folder: Path) -> Run:
        """The chapter as it is."""
        case = self.case
        spec = new_run(case.facts, case.settings, n_games=games, seed=seed, players=(player,))
        with self.watch(f"{player} plays") as advance:
            run_games(
                spec,
                folder,
                threads=self.hands.threads,
                executor=self.hands.executor,
                on_progress=advance,
            )
        return open_run(folder)

    def with_average(
        self,
        run: Run,
        tables: Mapping[str, pd.DataFrame],
        average: tuple[Facts, str] | None,
        name: str,
        games: int = 0,
    ) -> Played:
        """A run with what an average entry in the place of the one asked about makes of its games.

        ``games`` are those with an average one, by default as many as each change has.
        """
        case = self.case
        facts = RunFacts(case.facts, case.settings, ":".join(run.manifest["policies"]))
        records = np.concatenate([*run.parts()])
        won = results_of(records, facts)["won"]
        instead = None
        if average is not None:
            n = min(games or case.tried_games, len(won))
            trial = new_trial(average[0], case.settings, facts.player)
            instead = self._play_trial("playing an average one", run, trial, n, name)
        groups = sort_games(case.kind, case.entry.id, facts, records)
        if groups is None:
            if instead is None:
                raise NothingToCompare(
                    f"{case.entry.name or case.entry.id} cannot be compared: of"
                    f" {len(won):,} games by {facts.player} none lacks it, or none has it, and"
                    " nothing can take its place; more games may have both"
                )
            groups = Sorted(np.zeros(len(instead), np.int64), np.ones(1), instead)
        return Played(run, facts, tables, records, won, groups, instead)

    def without_effect(self, played: Played) -> tuple[str, npt.NDArray[np.float64]]:
        """What a change with next to no effect does in the games that an average one is played in.

        That is the next most average entry in the place of the average one, whose name comes
        first; where average numbers take the place, the same deals are played with other dice.
        """
        if played.instead is None:
            return "", np.empty(0)
        case, n, facts = self.case, len(played.instead), played.facts
        second, has = "", played.has[:n]
        trial = new_trial(case.facts, case.settings, facts.player, fresh_from=0)
        if case.kind not in NUMBERS:
            of_run = case.facts, case.kind, played.tables
            average = nearest_entry(*of_run, {case.entry.id})
            assert average is not None
            other = average_entry(
                case.facts, case.settings, case.kind, average, played.tables, {case.entry.id}
            )
            groups = sort_games(case.kind, average.id, facts, played.records[:n])
            if other is None or groups is None:
                return "", np.empty(0)
            trial, second, has = (
                new_trial(other[0], case.settings, facts.player),
                other[1],
                groups.has,
            )
        what = "playing a change without effect"
        found = self._play_trial(what, played.run, trial, n, "run-alike")
        return second, np.subtract(played.won[:n], found, dtype=float)[has]

    def _play_trial(
        self, what: str, run: Run, trial: ChapterTrial, n: int, name: str
    ) -> npt.NDArray[np.int8]:
        """The results of the first games of a run in another version."""
        facts = RunFacts(self.case.facts, self.case.settings, ":".join(trial.players))
        with self.watch(what) as advance:
            trials = self._trials(facts, self.folder / name, run.manifest["seed"])
            [found] = trials.play([(trial, range(n))], advance)
        return np.asarray(found["won"])

    def try_all(
        self,
        played: Played,
        plans: Sequence[Plan[Changes]],
        games: int,
        name: str,
        *,
        fresh: bool = False,
    ) -> list[Tried[Changes]]:
        """Changes in the first games of a run."""
        if not plans:
            return []
        case, n = self.case, min(games, len(played.won))
        if played.sorted.instead is not None:
            n = min(n, len(played.sorted.instead))
        records, before = played.records[:n], played.won[:n]
        results = results_of(records, played.facts)
        table = compile_facts(case.facts, case.settings)
        trials = []
        for plan in plans:
            touched = np.zeros(n, np.bool_)
            for one in plan.made:
                touched |= affected_games(table, one.variable, records, (played.facts.player,))
            facts, settings = case.with_changes(plan.made)
            spared = Spared(results, touched)
            trials.append(new_trial(facts, settings, played.facts.player, spared=spared))
        there = self._trials(played.facts, self.folder / name, played.run.manifest["seed"])
        with self.watch("trying changes") as advance:
            found = there.play([(trial, range(n)) for trial in trials], advance)
        mine, every = played.sorted.first(n), np.zeros(n, np.int64)
        return [
            Tried(
                plan,
                played.facts.player,
                fresh,
                n,
                mine.effect(of_plan["won"]),
                mine.moved(of_plan["won"], before),
                contrast(of_plan["won"].astype(float) - before, every, np.ones(1)),
            )
            for plan, of_plan in zip(plans, found, strict=True)
        ]

    def try_fresh(
        self, games: int, plans: Sequence[Plan[Changes]], average: tuple[Facts, str] | None
    ) -> list[Tried[Changes]]:
        """Changes in games of another seed."""
        case = self.case
        run = self.play_run(case.policy, games, case.fresh_seed, self.folder / "fresh" / "run")
        played = self.with_average(run, {}, average, "fresh/average", games)
        return self.try_all(played, plans, games, "fresh/changes", fresh=True)

    def _trials(self, facts: RunFacts, folder: Path, seed: int) -> Trials:
        players = split_players(facts.player)
        return Trials(
            _CHANGES,
            folder,
            new_trial(self.case.facts, self.case.settings, facts.player),
            seed=seed,
            asked={"policies": [*players], "weights": fingerprints(players), "command": ""},
            threads=self.hands.threads,
            executor=self.hands.executor,
        )
