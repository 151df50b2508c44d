"""Is this hero, card, minion or encounter too strong?  What is played to find out.

What an entry does to the win rate is found by experiment.  Parties, starting abilities, the top of
the search deck and the first encounter are drawn at random, so games that have the entry there and
games that have not differ in nothing else: the *effect* is the difference of their win rates, that
of a hero from means over parties.  A minion, and a hero whom every party has, are in all games; for
them the effect is the difference to games with the same luck in which an average one has their
place: the median of each number of the others, and no abilities of a minion.

The folder holds ``verdict.json`` (what was asked), ``run`` and ``stronger`` (games by two players,
with their tables), ``changes`` (each number of the entry one more and one less, in
games of the run), and ``fresh`` and ``fresh-stronger``: games of another seed with the smallest
changes that may bring the effect into the band.
"""

from collections.abc import Callable, Iterator, Mapping, Sequence
from itertools import combinations
from pathlib import Path
from typing import Any

import numpy as np
import numpy.typing as npt
import pandas as pd
from attrs import evolve, field, frozen

from analysis.estimates import Estimate, Z
from analysis.experiments.watch import Watch, unwatched
from analysis.mice_and_mystics.experiments.trials import (
    Spared,
    Trial,
    Trials,
    folder_kind,
    results_of,
)
from analysis.mice_and_mystics.run_facts import RunFacts, with_without
from analysis.runs import Run, open_run
from analysis.tables import analyze
from analysis.verdicts import BALANCED, BAND, MIN_GAMES, UNDECIDED, judge
from card_data.mice_and_mystics.changes import (
    Change,
    Variable,
    changed,
    is_sound,
    steps,
    variables,
)
from card_data.mice_and_mystics.checks import facts_faults
from card_data.mice_and_mystics.facts import Entry, Facts, by_id
from card_data.mice_and_mystics.formatter import changes_text
from card_data.mice_and_mystics.settings import Settings
from simcore.mice_and_mystics import RULES_VERSION
from simcore.mice_and_mystics.play.affected import affected_games
from simcore.mice_and_mystics.play.run import new_run
from simcore.mice_and_mystics.players.seats import fingerprints
from simcore.mice_and_mystics.table.compile_facts import compile_facts
from simcore.work.folder import VERSIONS, FolderKind, begin, versions_of
from simcore.work.lock import holding
from simcore.work.runs import run_games

#: Who plays first, and the next stronger player.
FIRST, NEXT = "heuristic", "learned"
#: Kinds of entries that a verdict is about.
HEROES, MINIONS, ABILITIES, SEARCH_CARDS, ENCOUNTERS = KINDS = (
    *("heroes", "minions", "abilities", "search_cards", "encounters"),
)
#: How an effect is known: the entry is drawn at random, or an average one takes its place.
DRAWN, SWAPPED = "drawn", "swapped"

FOLDER = FolderKind(
    "verdict",
    "verdict.json",
    1,
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
#: Games of the run unless something else is asked for; all else is in proportion to them.
GAMES = 120_000
_CHANGES = folder_kind("trial of changes", "changes.json", policies=[str], weights={str: str})

# Shares of the games of the run: those of the stronger player, of each change, of each change that
# may do on fresh deals, and of the stronger player there.
_STRONGER, _TRIED, _FRESH, _FRESH_STRONGER = 1 / 2, 1 / 4, 1 / 2, 1 / 6
# Changes are tried on fresh deals that are the smallest to come this far into the band, as a share
# of it; where none does, that number of those that come nearest.
_DEPTHS, _NEAREST = (1.0, 0.7, 0.4), 2
# How far a number is changed where one step is too small.
_FURTHER = (2, 3)
# What is left alone: how much of the box there is, and copies, which shuffle other cards.
_LEFT_ALONE = {"figure_limit", "token_limit", "count"}
_NUMBERS = {
    HEROES: ("battle", "defense", "lore", "move", "life"),
    MINIONS: ("battle", "defense", "life", "move_dice"),
}
_WON = npt.NDArray[np.int8]


@frozen
class Case:
    """An entry of a chapter, who plays, and how much.

    ``stronger`` is the stronger player, "" for none; ``games`` are those of the run.
    """

    facts: Facts
    settings: Settings
    kind: str
    entry: Entry
    player: str = FIRST
    stronger: str = NEXT
    band: float = BAND
    games: int = GAMES
    seed: int = 0

    @property
    def fresh_seed(self) -> int:
        """The seed of the fresh deals."""
        return self.seed + 1 if self.seed < 2**63 - 1 else 0

    @property
    def stronger_games(self) -> int:
        """Games of the run of the stronger player."""
        return int(self.games * _STRONGER)

    @property
    def tried_games(self) -> int:
        """Games of each change."""
        return int(self.games * _TRIED)

    @property
    def fresh_games(self) -> int:
        """Games, on fresh deals, of each change that may do."""
        return int(self.games * _FRESH)

    @property
    def fresh_stronger_games(self) -> int:
        """Those of the stronger player."""
        return int(self.games * _FRESH_STRONGER)

    @property
    def most_games(self) -> dict[str, int]:
        """How many games each player plays at most."""
        n_tried = 1 + len(self.steps)
        games = {
            self.player: self.games
            + n_tried * self.tried_games
            + (1 + len(_DEPTHS)) * self.fresh_games
        }
        if self.stronger:
            swaps = self.tried_games
            games[self.stronger] = self.stronger_games + swaps + 2 * self.fresh_stronger_games
        return games

    @property
    def variables(self) -> list[Variable]:
        """The numbers of the entry that may be changed."""
        return [
            one
            for one in variables(self.facts, self.settings)
            if (one.of, one.entry) == (self.kind, self.entry.id)
            and one.number.partition(".")[0] not in _LEFT_ALONE
        ]

    @property
    def steps(self) -> list[Change]:
        """Each of them one less and one more, where that can be played."""
        return steps(self.facts, self.settings, self.variables)


Plan = tuple[Change, ...]


@frozen
class Tried:
    """A plan in some games, beside the same games without it.

    ``effect`` is that of the changed entry, ``moved`` the difference to the entry as it is,
    ``chapter`` that of the win rate of all these games; each of shape (1,).
    """

    plan: Plan
    player: str
    fresh: bool
    games: int
    effect: Estimate
    moved: Estimate
    chapter: Estimate


@frozen
class Sorted:
    """Games by what is compared: the effect is the sum of the means of groups, each times a weight.

    ``group`` are places in ``weights``, (n_games,); ``instead`` are the results with an average
    entry in the place of the one asked about, where the effect is the difference to them.
    """

    group: npt.NDArray[np.int64]
    weights: npt.NDArray[np.float64]
    instead: _WON | None = None

    @property
    def has(self) -> npt.NDArray[np.bool_]:
        """Games that have the entry where it is drawn to."""
        return np.asarray(self.weights[self.group] > 0)

    def first(self, n: int) -> "Sorted":
        """The first games alone."""
        instead = None if self.instead is None else self.instead[:n]
        return Sorted(self.group[:n], self.weights, instead)

    def effect(self, won: _WON) -> Estimate:
        """The effect of the entry, from the results of the games."""
        values = won.astype(float)
        return self._sum(values if self.instead is None else values - self.instead)

    def moved(self, won: _WON, before: _WON) -> Estimate:
        """The difference between two effects in the same games."""
        return self._sum(won.astype(float) - before)

    def _sum(self, values: npt.NDArray[np.float64]) -> Estimate:
        return contrast(values, self.group, self.weights)


def contrast(
    values: npt.NDArray[np.float64],
    group: npt.NDArray[np.int64],
    weights: npt.NDArray[np.float64],
) -> Estimate:
    """The weighted sum of the means of groups, with a normal interval; of shape (1,)."""
    size = len(weights)
    n = np.bincount(group, minlength=size).astype(float)
    total, squares = (np.bincount(group, weights=values**power, minlength=size) for power in (1, 2))
    with np.errstate(divide="ignore", invalid="ignore"):
        mean = total / n
        variance = np.maximum(squares / n - mean**2, 0) / np.maximum(n - 1, 1)
    asked = weights != 0
    value = float((weights[asked] * mean[asked]).sum())
    error = float(np.sqrt((weights[asked] ** 2 * variance[asked]).sum()))
    n_least = float(n[asked].min())
    ends = value, value - Z * error, value + Z * error, error, n_least
    estimate, low, high, std_err, seen = (np.array([one]) for one in ends)
    return Estimate(estimate, low, high, std_err, seen)


@frozen
class Played:
    """What one player made of the chapter, and of it with an average entry in the place."""

    run: Run
    facts: RunFacts
    tables: Mapping[str, pd.DataFrame]
    records: npt.NDArray[np.void] = field(repr=False)
    won: _WON = field(repr=False)
    sorted: Sorted = field(repr=False)
    instead: _WON | None = field(repr=False)

    @property
    def effect(self) -> Estimate:
        """The effect of the entry."""
        games = len(self.won) if self.sorted.instead is None else len(self.sorted.instead)
        return self.sorted.effect(self.won[:games])


@frozen
class Evidence:
    """What was played for a case, by player, weaker first.

    ``average`` is the name of what takes the place of the entry, "" where nothing can.
    """

    case: Case
    played: Mapping[str, Played]
    average: str
    tried: Sequence[Tried]
    proposal: Plan
    manifest: Mapping[str, Any] = field(repr=False)

    @property
    def method(self) -> str:
        """How the effect is known."""
        first = self.played[self.case.player]
        return DRAWN if first.sorted.instead is None else SWAPPED


class NothingToCompare(ValueError):
    """The entry is in no game, or in every game and nothing can take its place."""


def play_case(
    case: Case, folder: Path, *, watch: Watch = unwatched, threads: int | None = None
) -> Evidence:
    """Play everything that a verdict on an entry needs, or what is missing of it.

    Raises NothingToCompare, RunError when the folder holds something else or cannot be written, or
    another process works there, and ValueError for players that cannot play.  KeyboardInterrupt
    loses the pieces that are being played, and no other.
    """
    with holding(folder):
        begun = begin(FOLDER, folder, _asked(case), files={})
        players = {case.player: ("run", case.games)}
        if case.stronger:
            players[case.stronger] = ("stronger", case.stronger_games)
        played: dict[str, Played] = {}
        average = None
        for player, (name, games) in players.items():
            run = _play_run(case, player, games, case.seed, folder / name, watch, threads)
            with watch("analysing") as advance:
                tables = analyze(run.folder, threads=threads, on_progress=advance)
            if not played:
                average = _average(case, tables)
            played[player] = _played(
                case, run, tables, average, folder / f"{name}-average", watch, threads
            )
        first = played[case.player]
        tried = _try(
            case, first, [(one,) for one in case.steps], folder / "changes", watch, threads
        )
        advantage = float(first.effect.estimate[0])
        fresh: list[Tried] = []
        proposal: Plan = ()
        if abs(advantage) > case.band and tried:
            plans = candidates(case, advantage, tried)
            fresh = _try_fresh(
                case,
                case.player,
                case.fresh_games,
                plans,
                average,
                folder / "fresh",
                watch,
                threads,
            )
            proposal = _proposal(case, fresh)
            if case.stronger:
                fresh += _try_fresh(
                    case,
                    case.stronger,
                    case.fresh_stronger_games,
                    [proposal or fresh[0].plan],
                    average,
                    folder / "fresh-stronger",
                    watch,
                    threads,
                )
    name = "" if average is None else average[1]
    return Evidence(case, played, name, [*tried, *fresh], proposal, dict(begun.manifest))


def plan_facts(case: Case, plan: Plan) -> tuple[Facts, Settings]:
    """The facts and settings with a plan."""
    facts, settings = case.facts, case.settings
    for one in plan:
        facts, settings = changed(facts, settings, one)
    return facts, settings


def proposal_text(evidence: Evidence) -> str:
    """The file with the proposed entry."""
    return changes_text(plan_facts(evidence.case, evidence.proposal)[0], evidence.case.facts)


def verdict_on(effect: Estimate, band: float) -> str:
    """The verdict on an effect, the only one that is asked about."""
    if effect.std_err[0] == 0 and effect.n[0] >= MIN_GAMES:  # the average itself
        return BALANCED if abs(effect.estimate[0]) <= band else UNDECIDED
    return str(judge(effect, band=band)["verdict"].iloc[0])


def _asked(case: Case) -> dict[str, Any]:
    """Everything that the games depend on, and the versions, as JSON values."""
    from card_data.mice_and_mystics.fingerprint import facts_hash

    players = [*filter(None, [case.player, case.stronger])]
    return {
        "game": "mice_and_mystics",
        "rules_version": RULES_VERSION,
        "entry": case.entry.id,
        "facts_hash": facts_hash(case.facts),
        "settings": case.settings.as_json(),
        "policies": players,
        "weights": fingerprints(players),
        "games": case.games,
        "seed": case.seed,
        "versions": versions_of("numba", "numpy"),
    }


def _play_run(
    case: Case,
    player: str,
    games: int,
    seed: int,
    folder: Path,
    watch: Watch,
    threads: int | None,
) -> Run:
    spec = new_run(case.facts, case.settings, n_games=games, seed=seed, players=(player,))
    with watch(f"{player} plays") as advance:
        run_games(spec, folder, threads=threads, on_progress=advance)
    return open_run(folder)


def _records(run: Run) -> npt.NDArray[np.void]:
    return np.concatenate([*run.parts()])


def _played(
    case: Case,
    run: Run,
    tables: Mapping[str, pd.DataFrame],
    average: tuple[Facts, str] | None,
    folder: Path,
    watch: Watch,
    threads: int | None,
) -> Played:
    """A run with what an average entry in the place of the one asked about makes of its games."""
    facts = RunFacts(case.facts, case.settings, ":".join(run.manifest["policies"]))
    records = _records(run)
    won = results_of(records, facts)["won"]
    instead = None
    if average is not None:
        n = min(case.tried_games, len(won))
        trials = _trials(case, facts, folder, run.manifest["seed"], threads)
        with watch("playing an average one") as advance:
            trial = Trial(average[0], case.settings, facts.player)
            [found] = trials.play([(trial, range(n))], advance)
        instead = found["won"]
    groups = _sorted(case, facts, records)
    if groups is None:
        if instead is None:
            raise NothingToCompare(
                f"{case.entry.name or case.entry.id} cannot be compared: no game lacks it, or none"
                " has it, and nothing can take its place"
            )
        groups = Sorted(np.zeros(len(instead), np.int64), np.ones(1), instead)
    return Played(run, facts, tables, records, won, groups, instead)


def _trials(case: Case, facts: RunFacts, folder: Path, seed: int, threads: int | None) -> Trials:
    players = facts.player.split(":")
    return Trials(
        _CHANGES,
        folder,
        Trial(case.facts, case.settings, facts.player),
        seed=seed,
        asked={"policies": players, "weights": fingerprints(players), "command": ""},
        threads=threads,
    )


def _sorted(case: Case, facts: RunFacts, records: npt.NDArray[np.void]) -> Sorted | None:
    """Games by what was drawn; None where all games are alike in that."""
    two = np.array([-1.0, 1.0])
    if case.kind == MINIONS:
        return None
    place = facts.ids["cards" if case.kind == SEARCH_CARDS else case.kind].index(case.entry.id)
    if case.kind == HEROES:
        members = facts.members[place]
        if members.all() or not members.any():
            return None
        weights = with_without(facts.members[place : place + 1])[0]
        return Sorted(facts.party_of(records).astype(np.int64), np.asarray(weights, float))
    has = {
        ABILITIES: lambda: records["dealt"] >> place & 1,
        SEARCH_CARDS: lambda: records["top8"][:, place] > 0,
        ENCOUNTERS: lambda: records["first_e"] == place,
    }[case.kind]().astype(np.int64)
    if not 0 < has.sum() < len(has):
        return None
    return Sorted(has, two)


def _average(case: Case, tables: Mapping[str, pd.DataFrame]) -> tuple[Facts, str] | None:
    """The facts with an average entry in the place of the one asked about, and what that is.

    None where that cannot be played.
    """
    entries: tuple[Entry, ...] = getattr(case.facts, case.kind)
    if case.kind in _NUMBERS:
        used = RunFacts(case.facts, case.settings, "").used[case.kind]
        others = [one for one in entries if one.id in used and one.id != case.entry.id]
        if not others:
            return None
        numbers: dict[str, Any] = {
            name: int(np.median([getattr(one, name) for one in others]))
            for name in _NUMBERS[case.kind]
        }
        more: dict[str, Any] = {"abilities": ()} if case.kind == MINIONS else {}
        made: Any = evolve(case.entry, **more, **numbers)
        name = "average numbers"
    else:
        table, column = tables[case.kind], case.kind.removeprefix("search_").rstrip("s")
        column = "ability" if case.kind == ABILITIES else column
        rows = table[(table[column] != case.entry.id) & table["win_effect"].notna()]
        if rows.empty:
            return None
        other = by_id(entries)[str(rows.loc[rows["win_effect"].abs().idxmin(), column])]
        kept = {ABILITIES: "classes", SEARCH_CARDS: "count", ENCOUNTERS: "difficult"}[case.kind]
        mine = {"id": case.entry.id, kept: getattr(case.entry, kept)}
        made, name = evolve(other, **mine), other.name or other.id
    new = tuple(made if one.id == case.entry.id else one for one in entries)
    put: dict[str, Any] = {case.kind: new}
    facts = evolve(case.facts, **put)
    return None if facts_faults(facts) else (facts, name)


def _try(
    case: Case,
    played: Played,
    plans: Sequence[Plan],
    folder: Path,
    watch: Watch,
    threads: int | None,
    *,
    fresh: bool = False,
) -> list[Tried]:
    """Plans in the first games of a run."""
    if not plans:
        return []
    n = len(played.won) if fresh else min(case.tried_games, len(played.won))
    if played.sorted.instead is not None:
        n = min(n, len(played.sorted.instead))
    records, before = played.records[:n], played.won[:n]
    results = results_of(records, played.facts)
    table = compile_facts(case.facts, case.settings)
    trials = []
    for plan in plans:
        touched = np.zeros(n, np.bool_)
        for one in plan:
            touched |= affected_games(table, one.variable, records, (played.facts.player,))
        facts, settings = plan_facts(case, plan)
        spared = Spared(results, touched)
        trials.append(Trial(facts, settings, played.facts.player, spared=spared))
    there = _trials(case, played.facts, folder, played.run.manifest["seed"], threads)
    with watch("trying changes") as advance:
        found = there.play([(trial, range(n)) for trial in trials], advance)
    mine, every = played.sorted.first(n), np.zeros(n, np.int64)
    return [
        Tried(
            plan,
            played.facts.player,
            fresh,
            n,
            mine.effect(games["won"]),
            mine.moved(games["won"], before),
            contrast(games["won"].astype(float) - before, every, np.ones(1)),
        )
        for plan, games in zip(plans, found, strict=True)
    ]


def _try_fresh(
    case: Case,
    player: str,
    games: int,
    plans: Sequence[Plan],
    average: tuple[Facts, str] | None,
    folder: Path,
    watch: Watch,
    threads: int | None,
) -> list[Tried]:
    """Plans in games of another seed."""
    run = _play_run(case, player, games, case.fresh_seed, folder / "run", watch, threads)
    again = evolve(case, games=int(games / _TRIED))  # an average one in as many games
    swapped = average if case.kind in _NUMBERS else None
    played = _played(again, run, {}, swapped, folder / "average", watch, threads)
    return _try(case, played, plans, folder / "changes", watch, threads, fresh=True)


def candidates(case: Case, effect: float, screened: Sequence[Tried]) -> list[Plan]:
    """The smallest changes that may bring an effect into the band, by one step or by several.

    What several steps do together is predicted by adding up.  Where nothing may do, the changes
    that come nearest.
    """
    singles = [(one.plan, float(one.effect.estimate[0])) for one in screened]
    joined = [pair for pair in _joined(case, effect, singles) if abs(pair[1] - effect) > 0]
    for pool in (singles, joined):
        ranked = sorted(pool, key=lambda pair: (amount_of(pair[0]), abs(pair[1])))
        found = [
            next((plan for plan, seen in ranked if abs(seen) <= depth * case.band), None)
            for depth in _DEPTHS
        ]
        if plans := [*dict.fromkeys(filter(None, found))]:
            return plans
    nearest = sorted([*singles, *joined], key=lambda pair: abs(pair[1]))
    return [plan for plan, _ in nearest[:_NEAREST]]


def amount_of(plan: Plan) -> int:
    """How much a plan changes: one for each step."""
    return sum(abs(int(one.changed_to) - int(one.variable.value)) for one in plan)


def _joined(
    case: Case, effect: float, singles: Sequence[tuple[Plan, float]]
) -> Iterator[tuple[Plan, float]]:
    """Two steps on different numbers, and further steps on one, with their predicted effect."""
    for (one, first), (other, second) in combinations(singles, 2):
        if one[0].variable.number != other[0].variable.number:
            plan = (*one, *other)
            if _is_sound(case, plan):
                yield plan, first + second - effect
    for plan, seen in singles:
        [change] = plan
        value, to = int(change.variable.value), int(change.changed_to)
        for times in _FURTHER:
            further = value + times * (to - value)
            if further in change.variable.others:
                made = Change(change.variable, further)
                if is_sound(case.facts, case.settings, made):
                    yield (made,), effect + times * (seen - effect)


def _is_sound(case: Case, plan: Plan) -> bool:
    try:
        return not facts_faults(plan_facts(case, plan)[0])
    except (StopIteration, ValueError, KeyError):  # the one takes away what the other changes
        return False


def _proposal(case: Case, fresh: Sequence[Tried]) -> Plan:
    """The smallest plan shown to bring the effect into the band, else the smallest that seems to.

    Empty where fresh games see none inside the band.
    """
    key: Callable[[Tried], tuple[int, float]] = lambda one: (  # noqa: E731
        amount_of(one.plan),
        abs(float(one.effect.estimate[0])),
    )
    inside = [one for one in fresh if abs(float(one.effect.estimate[0])) <= case.band]
    shown = [one for one in inside if verdict_on(one.effect, case.band) == BALANCED]
    best = sorted(shown or inside, key=key)
    return best[0].plan if best else ()
