"""Is this hero, card, minion or encounter too strong?  What is played to find out.

What an entry does to the win rate is its *effect* (`verdict_effects`).  Beside the runs
(`analysis.questions.verdict`) the folder holds ``changes`` (each number of the entry one more and
one less, and several at a time, in games of the run), and ``fresh``: games of another seed with the
changes most likely to bring the effect into the band.  The stronger player plays fresh games from
the start, and the proposal in them.
"""

from collections.abc import Sequence
from functools import cached_property
from pathlib import Path
from typing import Any

import numpy as np
import numpy.typing as npt
from attrs import field, frozen

from analysis.estimates import Estimate
from analysis.experiments.trials import Spared
from analysis.mice_and_mystics.experiments import usual, verdict_effects
from analysis.mice_and_mystics.experiments.trials import (
    ChapterTrial,
    Trials,
    folder_kind,
    new_trial,
    results_of,
)
from analysis.mice_and_mystics.run_facts import RunFacts
from analysis.questions import verdict as shared
from analysis.questions.smallest_change import Plan, Step, Tried
from analysis.questions.steps import joined, single_steps
from analysis.runs import Run
from analysis.simultaneous import of_enough_games
from card_data.mice_and_mystics.changes import changed, is_sound, steps, variables
from card_data.mice_and_mystics.checks import facts_faults
from card_data.mice_and_mystics.facts import Entry, Facts
from card_data.mice_and_mystics.formatter import changes_text
from card_data.mice_and_mystics.loader import load_facts
from card_data.mice_and_mystics.settings import Settings
from card_data.schema.changes import Change, Variable
from simcore.arrays import Floats
from simcore.mice_and_mystics.play.affected import affected_games
from simcore.mice_and_mystics.play.run import new_run
from simcore.mice_and_mystics.play.setup import ChapterSetup
from simcore.mice_and_mystics.players.seats import fingerprints, parse_player, split_players
from simcore.work.parts import fresh_seed
from simcore.work.runs import RunSpec

FOLDER = shared.verdict_folder(2, {"entry": str, "facts_hash": str, "settings": dict})
_CHANGES = folder_kind("trial of changes", "changes.json", policies=[str], weights={str: str})

# Shares of the games of the run: those of each change at first, of those that may do, and of the
# most likely ones in fresh games.
_FEW, _TRIED, _FRESH = 1 / 40, 1 / 4, 1 / 2
# Those of the stronger player: of one who searches beside one who does not, and of any other.
_SEARCHING, _STRONGER, _FEWEST = usual.STRONGER_GAMES / usual.VERDICT_GAMES, 1 / 2, 100
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
    policy: str = field(default=usual.PLAYER, kw_only=True)
    stronger: str = field(default=usual.STRONGER, kw_only=True)

    number = "effect"

    @cached_property
    def setup(self) -> ChapterSetup:
        """The chapter."""
        return ChapterSetup(self.facts, self.settings)

    @property
    def about(self) -> dict[str, str]:
        """The entry."""
        entry = self.entry
        return {"kind": self.kind, "entry": entry.id, "name": entry.name or entry.id}

    @property
    def entries(self) -> dict[str, Any]:
        """The entry and the chapter."""
        return {"game": "mice_and_mystics", "entry": self.entry.id, **self.setup.digests}

    def seats(self, player: str) -> tuple[str, ...]:
        """The players of the mice."""
        return split_players(player)

    @property
    def sizes(self) -> shared.Sizes:
        """Shares of the games of the run; the stronger player has few, and plays a change again."""
        searches = [
            parse_player(one).imagines for one in filter(None, [self.policy, self.stronger])
        ]
        share = _SEARCHING if searches == [False, True] else _STRONGER
        run = self.games or usual.VERDICT_GAMES
        stronger = max(int(run * share), _FEWEST)
        few, tried, fresh = (int(run * one) for one in (_FEW, _TRIED, _FRESH))
        return shared.Sizes(run, stronger, few, tried, fresh, stronger)

    @property
    def of_foe(self) -> bool:
        """Whether it stands against the mice."""
        return self.kind in verdict_effects.OF_THE_FOE

    @property
    def least_games(self) -> dict[str, int]:
        """How many games each player plays at least: the stronger one again with a change."""
        again = {self.stronger: 2 * self.sizes.stronger} if self.stronger else {}
        return super().least_games | again

    def seed_of(self, player: str) -> int:
        """Another one for the stronger player, whose games have no part in choosing changes."""
        return fresh_seed(self.fresh_seed) if player == self.stronger else self.seed

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
        return single_steps(steps(self.facts, self.settings, self.variables.values()))

    def change_of(self, taken: tuple[Step, ...]) -> Plan[Changes] | None:
        """The change of some steps; None where that cannot be played."""
        return joined(taken, self.variables, self._is_sound)

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


class Experiment(shared.Experiment):
    """Everything that is played for an entry; ``played`` is what each player made of it.

    Where average numbers take the place, the same deals with other dice are the change with next to
    no effect.
    """

    kind = FOLDER
    case: Case
    played: dict[str, verdict_effects.Played]
    _instead: tuple[Facts, str] | None

    def spec(self, player: str, games: int, seed: int) -> RunSpec:
        """The chapter as it is."""
        case = self.case
        return new_run(case.facts, case.settings, n_games=games, seed=seed, players=(player,))

    def play_instead(self, player: str) -> None:
        """Play the games with an average entry, those of the stronger player where needed."""
        case, run, tables = self.case, self.runs[player], self.tables[player]
        if player != case.policy:
            self.played[player] = self._with_average(run, self._instead, "stronger-average")
            return
        found = verdict_effects.average_entry(
            case.facts, case.settings, case.kind, case.entry, tables
        )
        self.average = "" if found is None else found[1]
        first = self._with_average(run, found, "run-average")
        self.second, self.alike = self._without_effect(first)
        self.swapped = first.swapped
        # An average one says by itself what a drawn entry does; after that no effect needs it.
        self._instead = found if first.sorted.instead is not None else None
        self.played = {player: first}

    @property
    def method(self) -> str:
        """How the effect is known."""
        first = self.played[self.case.policy]
        return verdict_effects.DRAWN if first.sorted.instead is None else verdict_effects.SWAPPED

    def stands_for(self, player: str) -> Estimate:
        """Its effect in the run of a player, with its interval where enough games have it."""
        return of_enough_games(self.played[player].effect)

    def play_changes(self, plans: Sequence[Plan[Changes]], games: int) -> list[Tried[Changes]]:
        """Changes in the first games of the run."""
        return self._try_all(self.played[self.case.policy], plans, games, "changes")

    def play_fresh(
        self, player: str, games: int, plans: Sequence[Plan[Changes]]
    ) -> list[Tried[Changes]]:
        """Changes in games of another seed, which the stronger player has anyway."""
        if player == self.case.stronger:
            played = self.played[player]
            return self._try_all(played, plans, games, "stronger-changes", fresh=True)
        run = self.play_run(player, games, self.case.fresh_seed, "fresh/run")
        played = self._with_average(run, self._instead, "fresh/average", games)
        return self._try_all(played, plans, games, "fresh/changes", fresh=True)

    def _with_average(
        self, run: Run, average: tuple[Facts, str] | None, name: str, games: int = 0
    ) -> verdict_effects.Played:
        """A run with what an average entry in the place of the one asked about makes of its games.

        ``games`` are those with an average one, by default as many as each change has.
        """
        case = self.case
        facts = RunFacts(case.facts, case.settings, ":".join(run.manifest["policies"]))
        records = np.concatenate([*run.parts()])
        won = results_of(records, facts)["won"]
        instead = None
        if average is not None:
            n = min(games or case.sizes.tried, len(won))
            trial = new_trial(average[0], case.settings, facts.player)
            instead = self._play_trial("playing an average one", run, trial, n, name)
        groups = verdict_effects.sort_games(case.kind, case.entry.id, facts, records)
        if groups is None:
            if instead is None:
                raise verdict_effects.NothingToCompare(
                    f"{case.entry.name or case.entry.id} cannot be compared: of"
                    f" {len(won):,} games by {facts.player} none lacks it, or none has it, and"
                    " nothing can take its place; more games may have both"
                )
            groups = verdict_effects.Sorted(np.zeros(len(instead), np.int64), np.ones(1), instead)
        return verdict_effects.Played(run, facts, records, won, groups, instead)

    def _without_effect(self, played: verdict_effects.Played) -> tuple[str, Floats]:
        """What a change with next to no effect does in the games that an average one is played in.

        That is the next most average entry in the place of the average one, whose name comes
        first; where average numbers take the place, the same deals are played with other dice.
        """
        if played.instead is None:
            return "", np.empty(0)
        case, n, facts = self.case, len(played.instead), played.facts
        tables = self.tables[case.policy]
        second, has = "", played.has[:n]
        trial = new_trial(case.facts, case.settings, facts.player, fresh_from=0)
        if case.kind not in verdict_effects.NUMBERS:
            mine = {case.entry.id}
            average = verdict_effects.nearest_entry(case.facts, case.kind, tables, mine)
            assert average is not None
            other = verdict_effects.average_entry(
                case.facts, case.settings, case.kind, average, tables, mine
            )
            groups = verdict_effects.sort_games(case.kind, average.id, facts, played.records[:n])
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

    def _try_all(
        self,
        played: verdict_effects.Played,
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
        trials = []
        for plan in plans:
            touched = np.zeros(n, np.bool_)
            for one in plan.made:
                touched |= affected_games(
                    case.setup.table, one.variable, records, (played.facts.player,)
                )
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
                of_enough_games(mine.effect(of_plan["won"])),
                mine.moved(of_plan["won"], before),
                verdict_effects.contrast(of_plan["won"].astype(float) - before, every, np.ones(1)),
            )
            for plan, of_plan in zip(plans, found, strict=True)
        ]

    def _trials(self, facts: RunFacts, folder: Path, seed: int) -> Trials:
        players = split_players(facts.player)
        return Trials(
            _CHANGES,
            folder,
            new_trial(self.case.facts, self.case.settings, facts.player),
            seed=seed,
            asked={"policies": [*players], "weights": fingerprints(players), "command": ""},
            **self.hands.who,
        )


def changed_text(case: Case, plan: Plan[Changes]) -> str:
    """The file with an entry after a change, and all others that are not the game's own."""
    return changes_text(case.with_changes(plan.made)[0], load_facts())
