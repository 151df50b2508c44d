"""Is this entry too strong?  What is played of a game that somebody brings to find out.

Beside the runs (`analysis.questions.verdict`) the folder holds ``changes``: the games of the run
with each number of the entry one more and one less, and with several at a time; and ``fresh``:
games of another seed, with the changes most likely to bring the worth of the entry into the band.
Where its measure takes games beside these (`analysis.own_games.effects`), they lie in ``beside``.
"""

from collections import Counter
from collections.abc import Mapping, Sequence
from functools import cached_property
from typing import Any

import numpy as np
import pandas as pd
from attrs import evolve, field, frozen

from analysis.estimates import Estimate
from analysis.influence import Influence
from analysis.own_games.effects import EntryEffect, Games, difference, estimate_of
from analysis.own_games.sensitivity import is_sound
from analysis.own_games.trials import PLAYED, OwnTrials
from analysis.questions import verdict as shared
from analysis.questions.smallest_change import Plan, Step, Tried
from analysis.questions.steps import joined, single_steps
from analysis.questions.verdict_tables import (
    WHERE,
    band_meaning,
    changes_table,
    named_games,
    place_table,
    tables_alike,
    turned_columns,
)
from analysis.registry import Registry, Table, with_interval
from analysis.runs import Run
from analysis.simultaneous import of_enough_games
from analysis.verdicts import MEANINGS
from card_data.schema import Entry, entries_text
from card_data.schema import changes as schema
from card_data.schema.changes import Variable
from card_data.schema.fields import plain_words
from card_data.schema.kinds import MEASURES, SWAP
from simcore.contract.play import Table as Played
from simcore.own_games.run import NAME, new_run
from simcore.own_games.setup import ENTRIES, OwnSetup, entries_of, has_compiled_form
from simcore.work.runs import RunSpec

#: Games of the run where nothing is said of it: of compiled rules, and of rules in Python.
USUAL_GAMES, FEWER_GAMES = 10_000, 2_000
# Shares of them: with each change at first, of those that may do, and fresh ones; and those of the
# stronger player.
_FEW, _TRIED, _FRESH, _STRONGER = 1 / 40, 1 / 4, 1 / 2, 1 / 2
_FEWEST = 100
FOLDER = shared.verdict_folder(1, {"kind": str, "entry": str, **PLAYED})
#: Numbers of the entry with other values.
Changes = tuple[schema.Change, ...]


@frozen
class Case(shared.Case):
    """An entry of a game, who plays, and how much."""

    played: Played
    entry: Entry
    policy: str = field(kw_only=True)
    stronger: str = field(default="", kw_only=True)

    number = "worth"

    @cached_property
    def setup(self) -> OwnSetup:
        """The game with its entries."""
        return OwnSetup(self.played, self.sizes.run)

    @cached_property
    def effect(self) -> EntryEffect:
        """How the worth of the entry is measured.  Raises GameError."""
        return EntryEffect.of(self.played, self.entry)

    @property
    def about(self) -> dict[str, str]:
        """The entry, and the measure of its kind."""
        entry = self.entry
        return {"kind": entry.kind, "entry": entry.id, "name": entry.name}

    @property
    def entries(self) -> dict[str, Any]:
        """The entry and the game."""
        about = {"kind": self.entry.kind, "entry": self.entry.id}
        return {"game": NAME, **about, **self.setup.digests}

    def seats(self, player: str) -> tuple[str, ...]:
        """The player in all seats."""
        return (player,) * self.played.seats

    @cached_property
    def sizes(self) -> shared.Sizes:
        """Shares of the games of the run."""
        is_compiled = has_compiled_form(self.played, self.seats(self.policy))
        run = self.games or (USUAL_GAMES if is_compiled else FEWER_GAMES)
        few, tried, fresh, stronger = (
            max(int(run * share), min(run, _FEWEST)) for share in (_FEW, _TRIED, _FRESH, _STRONGER)
        )
        return shared.Sizes(run, stronger, few, tried, fresh, stronger)

    @cached_property
    def beside(self) -> tuple[int, int]:
        """How many games are played for each of a run, and for each with a change."""
        with_change = 1 + len(self.effect.own_tables(self.played))
        return with_change + len(self.effect.average_tables(self.played)), with_change

    @property
    def least_games(self) -> dict[str, int]:
        """How many games each player plays at least: the search for changes plays more."""
        of_run, with_change = self.beside
        games = {player: of_run * games for player, (_, games) in self.players.items()}
        games[self.policy] += with_change * len(self.single_steps) * self.sizes.tried
        return games

    @cached_property
    def variables(self) -> dict[str, Variable]:
        """The numbers of the entry that may be changed, by their names: all but its copies."""
        kind = self.played.game.schema.kind_of(self.entry)
        return {
            one.number: one
            for one in self.played.variables()
            if (one.of, one.entry) == (kind.plural, self.entry.id)
            and type(one.value) in (int, float)
            and one.number != kind.copies
        }

    @property
    def single_steps(self) -> list[Step]:
        """Each of them one less and one more."""
        return single_steps(schema.steps(self.variables.values()))

    def change_of(self, steps: tuple[Step, ...]) -> Plan[Changes] | None:
        """The change of some steps; None where no game can be played with it."""
        return joined(steps, self.variables, self._is_sound)

    def _is_sound(self, made: Sequence[schema.Change]) -> bool:
        return is_sound(self.with_changes(made), self.seats(self.policy))

    def with_changes(self, made: Sequence[schema.Change]) -> Played:
        """What is played with some changes."""
        table = self.played
        for one in made:
            table = table.changed(one)
        return table


@frozen
class Measured:
    """Games of a player, with what is played beside them, and what the entry is worth in them."""

    seed: int
    games: Games = field(repr=False)
    own: list[Games] = field(repr=False)
    average: list[Games] = field(repr=False)

    def first(self, n: int) -> "Measured":
        """The first games alone."""
        sides = ([one[:n] for one in each] for each in (self.own, self.average))
        return Measured(self.seed, self.games[:n], *sides)


class Experiment(shared.Experiment):
    """Everything that is played for an entry; ``measured`` are the games of each player's run."""

    kind = FOLDER
    case: Case
    measured: dict[str, Measured]
    average = ""
    swapped = alike = np.empty(0)

    @property
    def files(self) -> Mapping[str, bytes]:
        """The entries."""
        return {ENTRIES: entries_of(self.case.played)}

    def spec(self, player: str, games: int, seed: int) -> RunSpec:
        """The game as it is."""
        case = self.case
        planned = case.least_games[player]
        players = case.seats(player)
        return new_run(case.played, n_games=games, seed=seed, players=players, planned=planned)

    def play_instead(self, player: str) -> None:
        """Play what the measure takes beside the run."""
        case = self.case
        name = "beside" if player == case.policy else "stronger-beside"
        measured = self._measured(self.runs[player], player, name)
        if player != case.policy:
            self.measured[player] = measured
            return
        self.measured = {player: measured}
        if measured.average:
            self.average = f"an average {plain_words(case.entry.kind)}"
        if case.effect.measure == SWAP:
            self.swapped = self._turns(measured)

    def worth_for(self, player: str) -> Influence:
        """What the entry is worth in the run of a player."""
        return self._worth(self.case.played, self.measured[player])

    def stands_for(self, player: str) -> Estimate:
        """What it is worth in the run of a player, with its interval."""
        n = self.observed(self.measured[player])
        return of_enough_games(estimate_of(self.worth_for(player), n))

    @property
    def games(self) -> dict[str, int]:
        """How many games each player played."""
        of_run, with_change = self.case.beside
        found = Counter(
            {player: of_run * games for player, (_, games) in self.case.players.items()}
        )
        for one in self.tried:
            found[one.policy] += with_change * one.games
        return dict(found)

    def observed(self, measured: Measured) -> int:
        """Of how many seats or games the worth speaks."""
        return self.case.effect.observed(self.case.played, measured.games)

    def play_changes(self, plans: Sequence[Plan[Changes]], games: int) -> list[Tried[Changes]]:
        """Changes in the first games of the run."""
        player = self.case.policy
        return self._try_all(self.measured[player], player, plans, games, "changes", fresh=False)

    def play_fresh(
        self, player: str, games: int, plans: Sequence[Plan[Changes]]
    ) -> list[Tried[Changes]]:
        """Changes in games of another seed."""
        name = "fresh" if player == self.case.policy else "fresh-stronger"
        run = self.play_run(player, games, self.case.fresh_seed, f"{name}/run")
        measured = self._measured(run, player, f"{name}/beside")
        return self._try_all(measured, player, plans, games, f"{name}/changes", fresh=True)

    # ------------------------------------------------------------ games

    def _measured(self, run: Run, player: str, name: str) -> Measured:
        """The games of a run, and those beside it."""
        case, seed = self.case, run.manifest["seed"]
        games = np.concatenate(
            [case.effect.keep(case.played, seed, records) for records in run.parts()]
        )
        own, average = (
            tables(case.played) for tables in (case.effect.own_tables, case.effect.average_tables)
        )
        if not own and not average:
            return Measured(seed, games, [], [])
        with self.watch(f"{player} plays without it") as advance:
            beside = self._play([*own, *average], player, seed, len(games), name, advance)
        return Measured(seed, games, beside[: len(own)], beside[len(own) :])

    def _try_all(
        self,
        base: Measured,
        player: str,
        plans: Sequence[Plan[Changes]],
        games: int,
        name: str,
        *,
        fresh: bool,
    ) -> list[Tried[Changes]]:
        """Changes in the first games of those that were measured."""
        if not plans:
            return []
        case, base = self.case, base.first(games)
        n, before = len(base.games), self._worth(case.played, base)
        tables = [case.with_changes(plan.made) for plan in plans]
        more = [case.effect.own_tables(one) for one in tables]
        wanted = [
            one for table, beside in zip(tables, more, strict=True) for one in (table, *beside)
        ]
        with self.watch(f"{player} tries changes") as advance:
            played = iter(self._play(wanted, player, base.seed, n, name, advance))
        found = []
        for plan, table, beside in zip(plans, tables, more, strict=True):
            # With the values of another an entry is the same, whatever its own are.
            mine = evolve(base, games=next(played), own=[next(played) for _ in beside])
            worth, seen = self._worth(table, mine), self.observed(mine)
            stands = estimate_of(worth, seen), estimate_of(difference(worth, before), seen)
            found.append(Tried(plan, player, fresh, n, *stands))
        return found

    def _play(
        self, tables: Sequence[Played], player: str, seed: int, n: int, name: str, advance: Any
    ) -> list[Games]:
        """The first games of each table, as `EntryEffect.keep` keeps them."""
        case, planned = self.case, self.case.least_games[player]
        how = case.played, case.seats(player), seed, self.hands, planned
        return OwnTrials(self.folder / name, *how).play(tables, case.effect, n, advance)

    # ------------------------------------------------------------ what they say

    def _worth(self, table: Played, measured: Measured) -> Influence:
        return self.case.effect.worth(table, measured.games, measured.own, measured.average)

    def _turns(self, measured: Measured) -> Any:
        """Of each game that counts, 1 if it was won and is lost with an average one, -1 reversed.

        (n_games,); a seat wins with the best outcome and loses with the worst.
        """
        ways = [self._results(games) for games in (measured.games, measured.average[0])]
        return (ways[0] - ways[1])[(ways[0] != 0) & (ways[1] != 0)] / 2

    def _results(self, games: Games) -> Any:
        """Whether those who have the entry won, 1, lost, -1, or neither, 0; (n_games,)."""
        n, s = self.case.effect.holders(self.case.played, games)
        best = n * self.case.played.game.unit
        return np.where(n == 0, 0, np.where(s == best, 1, np.where(s == 0, -1, 0)))

    def turned(self) -> pd.DataFrame:
        """Games that were won and are lost with an average one in the place, or the reverse."""
        case = self.case
        if case.effect.measure != SWAP:
            return VERDICT_GAMES.frame([])
        measured = self.measured[case.policy]
        one, other = (self._results(games) for games in (measured.games, measured.average[0]))
        places = np.flatnonzero(one * other == -1)
        length = measured.games["decisions"]
        places = places[np.argsort(length[places], kind="stable")]
        best = places[named_games(one[places] == 1, float(self.stands.estimate[0]) > 0)]
        more = {"policy": case.policy, "average": self.average}
        return VERDICT_GAMES.frame(
            [
                {**case.about, **more, "game": int(place)}
                | {"won": bool(one[place] == 1), "decisions": int(length[place])}
                for place in best
            ]
        )


def changed_text(case: Case, plan: Plan[Changes]) -> str:
    """The file with an entry after a change."""
    table = case.with_changes(plan.made)
    return entries_text(table.game.schema, {case.entry.kind: (case.effect.entry_of(table),)})


# ---------------------------------------------------------------- tables


def verdict_tables(experiment: Experiment) -> dict[str, pd.DataFrame]:
    """All tables about the entry: `VERDICT_TABLES`."""

    def of_player(player: str) -> dict[str, Any]:
        return {
            "measure": experiment.case.effect.measure,
            "average": experiment.average,
            "n": experiment.observed(experiment.measured[player]),
        }

    tables = VERDICT, VERDICT_PLACE, VERDICT_CHANGES
    found = tables_alike(experiment, tables, of_player)
    return {**found, VERDICT_GAMES.name: experiment.turned()}


_ABOUT = {
    "kind": "the kind of the entry that is asked about",
    "entry": "its id",
    "name": "its name",
}
_WHO = "who plays in all seats"
_BAND = band_meaning("zero")
_WORTH = (
    "by experiment: what the entry is worth by its `measure`, as a difference of mean outcomes."
    " share: of seats dealt it and the same seats of all games; share within: and the same seats"
    " with the same faction or deck; contrast: of games that have it by lot and games that have"
    " not; access: of each seat and the same seat where it may not choose the entry, minus the same"
    " of `average`; swap: of seats that have it and those where `average` is in its place"
)
VERDICT = Table(
    "verdict",
    "One row per player",
    {
        **_ABOUT,
        "policy": _WHO,
        "measure": f"one of {', '.join(MEASURES)}; see `worth`",
        "average": "what takes the place of the entry: it has the values of another one, drawn for"
        " each game; empty where nothing does",
        "n_games": "games of the run",
        "n": "of how many seats, or by contrast of how many games, `worth` speaks",
        **with_interval("worth", _WORTH),
        **with_interval("move", "`worth` minus that of the first player"),
        "band": _BAND,
        "verdict": f"{MEANINGS}. The interval is that of `worth`",
        "second": "empty: nothing is known to be without effect",
        **turned_columns(
            "games of a swap that are won or lost both ways", "with `average` in its place",
            "none", "otherwise",
        ),
    },
    where=WHERE,
    differences=("worth", "move"),
)  # fmt: skip
_JUDGED = with_interval("worth", "`worth` of the entry, as in `verdict`, with the change")
VERDICT_PLACE = place_table(_ABOUT, _WHO, _JUDGED, _BAND)
VERDICT_CHANGES = changes_table(_ABOUT, _WHO, "1 for each step", _JUDGED, _BAND)
VERDICT_GAMES = Table(
    "verdict_games",
    "One row per game",
    {
        **_ABOUT,
        "policy": _WHO,
        "game": "number of the game in `run`, for `fairdeal replay`",
        "won": "whether those who had the entry won; with `average` in its place, with the same"
        " luck, it is the reverse",
        "decisions": "decisions of the game",
        "average": "what takes the place of the entry",
    },
    where=WHERE,
)

#: The tables, as `verdict_tables` gives them.
VERDICT_TABLES = Registry(VERDICT, VERDICT_PLACE, VERDICT_CHANGES, VERDICT_GAMES)
