"""Rebalancing a chapter: few small changes that bring parties, or some entries, into a band.

The folder holds ``rebalance.json`` (the question and its answer), ``search/`` and ``confirm/`` (the
games, as `trials` keeps them; those of entries that are judged have a run beside them, which says
what was drawn), ``tables/``, and ``proposal.toml`` with the changed entries.  Where
there are many changes they race first (`analysis.experiments.racing`); those that are left go into
the search that all games share (`analysis.experiments.rebalance_search`).  Both see the games of
one seed.  The answer is estimated from those of another, which had no part in choosing it.

What the search found is proposed only if the fresh games show that it misses the band by less than
the chapter as it is.
"""

from collections.abc import Callable, Mapping, Sequence
from concurrent.futures import Executor
from contextlib import AbstractContextManager, nullcontext
from functools import cached_property
from pathlib import Path
from typing import Any

import numpy as np
import numpy.typing as npt
import pandas as pd
from attrs import evolve, frozen

from analysis.confidence import normal_z
from analysis.experiments.goals import (
    NEEDLESS,
    NO_GAIN_SHOWN,
    NOTHING_HELPS,
    PROPOSED,
    Excess,
    aim_inside,
    games_to_show,
    joint_verdict,
    with_interval,
)
from analysis.experiments.racing import Raced, race
from analysis.experiments.rebalance_search import Found, Plan, Problem, Stand, search
from analysis.experiments.watch import Watch
from analysis.mice_and_mystics.experiments.levers import USUAL_LEVERS
from analysis.mice_and_mystics.experiments.rebalance_goals import (
    Band,
    EffectMeter,
    Measured,
    Meter,
)
from analysis.mice_and_mystics.experiments.rebalance_tables import (
    CHANGES,
    ENTRIES,
    FRONT,
    GOALS,
    PARTIES,
)
from analysis.mice_and_mystics.experiments.trials import (
    RESULT,
    ChapterTrial,
    Trials,
    folder_kind,
    new_trial,
)
from analysis.mice_and_mystics.experiments.usual import (
    CANDIDATE_GAMES,
    CONFIRM_GAMES,
    PLAYER,
    SEARCH_GAMES,
)
from analysis.mice_and_mystics.experiments.verdict_effects import (
    NUMBERS,
    NothingToCompare,
    Sorted,
    average_entry,
    sort_games,
)
from analysis.mice_and_mystics.run_facts import RunFacts, party_name
from analysis.runs import open_run
from analysis.tables import write_tables
from analysis.verdicts import MIN_GAMES
from card_data.mice_and_mystics import load_facts
from card_data.mice_and_mystics.changes import RULES, SWITCHES, changed, is_sound, variables
from card_data.mice_and_mystics.facts import Entry, Facts, by_id
from card_data.mice_and_mystics.formatter import changes_text
from card_data.mice_and_mystics.settings import Settings
from card_data.schema.changes import Change, Variable
from simcore.mice_and_mystics.play.run import new_run
from simcore.mice_and_mystics.players.seats import fingerprints
from simcore.sealed import RunError, remove_file, write_file, writing
from simcore.work.folder import ABOUT, VERSIONS, FolderKind, identity, write_asked
from simcore.work.hands import Hands
from simcore.work.lock import holding
from simcore.work.parts import fresh_seed
from simcore.work.runs import run_games

#: The folder, and the file in it that says what was asked for, and what came of it.
FOLDER = FolderKind("rebalancing", "rebalance.json", 1, "", {"versions": VERSIONS})
#: The file with the changed entries.
PROPOSAL_FILE = "proposal.toml"

# How many changes are left after the race, and how many of those that move a party most the other
# way: with a change that goes too far they may come out right.
_KEPT, _AGAINST = 24, 6
# The share of the games of a candidate that each plays before the first half drops out.
_FIRST = 16
# How much of the box there is, and where the hourglass starts: no numbers to balance with.
_PAGE_END = "page_end"
_LEFT_ALONE = {"figure_limit", "token_limit", "page_start"}
_GAMES_KIND = folder_kind("search for changes", "games.json", player=str)
_FLOAT = npt.NDArray[np.float64]


@frozen
class Question:
    """What is to be balanced, by which changes, and how many games that may take.

    ``judged`` are the kinds and ids of the entries whose effects are to be inside the band; without
    any these are the win rates of all parties.  ``games`` are those of each candidate, ``confirm``
    those that confirm the proposal, ``budget`` those of the whole search.  ``most`` changes at
    most; None for any number.
    """

    facts: Facts
    settings: Settings
    band: Band
    changes: tuple[Change, ...]
    player: str = PLAYER
    games: int = CANDIDATE_GAMES
    confirm: int = CONFIRM_GAMES
    budget: int = SEARCH_GAMES
    most: int | None = None
    seed: int = 0
    judged: tuple[tuple[str, str], ...] = ()

    @property
    def fresh_seed(self) -> int:
        """The seed of the games that confirm; those of two seeds have nothing in common."""
        return fresh_seed(self.seed)

    @property
    def run_facts(self) -> RunFacts:
        """The chapter as it is."""
        return RunFacts(self.facts, self.settings, self.player)

    @property
    def goals(self) -> list[tuple[str, str]]:
        """What is to be inside the band: ids and names."""
        if not self.judged:
            names = self.run_facts.names
            return [
                (party_name(party), ", ".join(names[hero] for hero in party))
                for party in self.run_facts.parties
            ]
        entries = [by_id(getattr(self.facts, kind))[entry] for kind, entry in self.judged]
        return [(one.id, one.name or one.id) for one in entries]

    def goal_of(self, change: Change) -> int:
        """The place of the goal that is about the changed entry; -1 without one."""
        key = change.variable.of, change.variable.entry
        return self.judged.index(key) if key in self.judged else -1

    @property
    def base(self) -> ChapterTrial:
        """The chapter as it is."""
        return new_trial(self.facts, self.settings, self.player)

    def trial(self, plan: Plan) -> ChapterTrial:
        """The chapter with the changes of a plan."""
        facts, settings = self.facts, self.settings
        for one in plan:
            facts, settings = changed(facts, settings, self.changes[one])
        return new_trial(facts, settings, self.player)

    def amount(self, plan: Plan) -> int:
        """How much a plan changes."""
        return sum(amount_of(self.changes[one]) for one in plan)


@frozen
class Answer:
    """What came of it: the search, the proposed chapter, tables and what rebalance.json says.

    ``outcome`` is one of `goals.OUTCOMES`.  Without a proposal ``proposal`` is the chapter as it
    is.
    """

    found: Found
    outcome: str
    proposal: ChapterTrial
    tables: dict[str, pd.DataFrame]
    manifest: dict[str, Any]


@frozen
class FrontSoFar:
    """The plans that would be shown if the search ended now, in the games that it plays.

    Fresh games have not confirmed them.
    """

    players: "_Players"
    plans: tuple[Plan, ...]

    def table(self) -> pd.DataFrame:
        """The table `FRONT` as it would be, without a proposal."""
        return _front(self.players, self.plans, ())


def allowed_changes(
    facts: Facts,
    settings: Settings,
    levers: Sequence[str] = USUAL_LEVERS,
    *,
    step: int = 1,
    but: Callable[[Variable], bool] = lambda _: False,
) -> tuple[Change, ...]:
    """Changes of numbers by up to ``step``, but for those of some variables.

    ``levers`` are words of `levers.LEVERS`.  Only changes are left that can be played.
    """
    found = []
    for variable in variables(facts, settings):
        name = variable.number.split(".")[0]
        if variable.of not in levers or variable.of == SWITCHES or name in _LEFT_ALONE:
            continue
        if but(variable) or not isinstance(variable.value, int):
            continue
        near = [
            to for to in variable.others if isinstance(to, int) and abs(to - variable.value) <= step
        ]
        found += [Change(variable, to) for to in near]
    return tuple(change for change in found if is_sound(facts, settings, change))


def amount_of(change: Change) -> int:
    """How much a change counts: one for each step."""
    to, value = change.changed_to, change.variable.value
    assert isinstance(to, int)
    assert isinstance(value, int)
    return abs(to - value)


def change_name(change: Change) -> str:
    """A change as a word, as the table `FRONT` has it: "heroes:collin:life=4"."""
    variable = change.variable
    key = ":".join(part for part in variable.key if part)
    return f"{key}={change.changed_to}"


def thing_of(change: Change) -> tuple[str, ...]:
    """What a change is a change of: a plan has at most one of each.

    The numbers of a band, of a surge, of an effect and of a price belong together: two of them
    changed might not be possible.
    """
    of, entry, number = change.variable.key
    return of, entry, number.rpartition(".")[0] or number


def rebalance(
    question: Question,
    folder: Path,
    *,
    watch: Watch,
    solving: Callable[[], AbstractContextManager[object]] = nullcontext,
    see: Callable[[FrontSoFar], None] | None = None,
    threads: int | None = None,
    executor: Executor | None = None,
) -> Answer:
    """Search, confirm, and write everything but the page.

    Games are played inside a context of ``watch``, integer programmes solved in one of ``solving``.
    ``see`` is shown the front whenever the search has another plan.

    Raises RunError when the folder holds something else or cannot be written or another process
    works there, and ValueError for what cannot be played.  KeyboardInterrupt loses what is being
    played, and nothing that has been.
    """
    with holding(folder):
        _check_empty(folder)
        hands = Hands(threads, executor)
        games = _Games(question, folder / "search", watch, hands)
        write_asked(FOLDER, folder, _manifest(question, games))
        raced = _race(question, games)
        racing = evolve(question, changes=tuple(question.changes[one] for one in raced.left))
        searchers = _Players(racing, games)
        look = None if see is None else lambda plans: see(FrontSoFar(searchers, plans))
        found = search(searchers.problem(raced.games), searchers.simulate, solving, look)
        fresh = evolve(racing, games=question.confirm, seed=question.fresh_seed)
        judges = _Players(fresh, _Games(fresh, folder / "confirm", watch, hands))
        choice = _confirm(racing, found, searchers, judges)
        tables = {
            FRONT.name: _front(judges, choice.front, choice.proposal),
            CHANGES.name: _changes(choice),
            GOALS.name: _goals(choice),
        }
        manifest = _manifest(question, games) | _result(choice, tables, raced)
        _write(choice, tables, manifest, folder)
        return Answer(found, choice.outcome, racing.trial(choice.proposal), tables, manifest)


def _check_empty(folder: Path) -> None:
    """Raise RunError for a folder that holds something else."""
    with writing(folder):
        holds = sorted(
            one.name for one in folder.iterdir() if one.name[0] != "." and one.name != ABOUT
        )
    if holds and not {FOLDER.file, "search"} & set(holds):
        raise RunError(
            f"{folder} is not empty and not the folder of a rebalancing (it holds {holds[0]});"
            " choose another folder"
        )


class _Games:
    """The games of the chapter and of its variants, of one seed."""

    def __init__(self, question: Question, folder: Path, watch: Watch, hands: Hands) -> None:
        asked = {
            "player": question.player,
            "weights": fingerprints(question.base.players),
            "command": "",
        }
        self._trials = Trials(
            _GAMES_KIND,
            folder,
            question.base,
            seed=question.seed,
            asked=asked,
            threads=hands.threads,
            executor=hands.executor,
        )
        self._question, self._watch, self._hands = question, watch, hands
        self._run = folder.with_name(f"{folder.name}-run")
        self._played: dict[str, npt.NDArray[np.void]] = {}

    @property
    def manifest(self) -> dict[str, Any]:
        """What was played, and with which versions."""
        return self._trials.manifest

    @cached_property
    def meter(self) -> Meter:
        """Measures these games.  Raises NothingToCompare."""
        question = self._question
        n_goals = len(question.goals)
        if not question.judged:
            return Meter(question.band, n_goals)
        spec = new_run(
            *(question.facts, question.settings),
            n_games=question.games,
            seed=question.seed,
            players=question.base.players,
        )
        with self._watch("seeing what is drawn") as advance:
            run_games(
                spec,
                self._run,
                threads=self._hands.threads,
                executor=self._hands.executor,
                on_progress=advance,
            )
        records = np.concatenate([*open_run(self._run).parts()])
        found = [sort_games(*one, question.run_facts, records) for one in question.judged]
        every = Sorted(np.zeros(len(records), np.int64), np.ones(1))
        swapped = [place for place, groups in enumerate(found) if groups is None]
        return EffectMeter(
            *(question.band, n_goals),
            tuple(every if groups is None else groups for groups in found),
            tuple(swapped.index(at) if at in swapped else -1 for at in range(n_goals)),
        )

    def play(self, what: str, trials: Sequence[ChapterTrial], n: int) -> list[npt.NDArray[np.void]]:
        """The first ``n`` games of each trial, (n,) of `trials.RESULT`."""
        nothing = np.empty(0, RESULT)
        have = {one.name: self._played.get(one.name, nothing) for one in trials}
        wanted = {one.name: one for one in trials if len(have[one.name]) < n}
        if wanted:
            rows = [(one, range(len(have[name]), n)) for name, one in wanted.items()]
            with self._watch(what) as advance:
                played = self._trials.play(rows, advance)
            for name, games in zip(wanted, played, strict=True):
                self._played[name] = np.concatenate([have[name], games])
        return [self._played[one.name][:n] for one in trials]


class _Players:
    """Plays plans and measures them."""

    def __init__(self, question: Question, games: _Games) -> None:
        self.question, self._store, self.meter = question, games, games.meter
        swaps = self.meter.swaps if isinstance(self.meter, EffectMeter) else ()
        self._swapped = [question.judged[at] for at, place in enumerate(swaps) if place >= 0]
        self.measured: dict[Plan, Measured] = {}
        self._trials: dict[Plan, list[ChapterTrial]] = {}

    @property
    def trials_each(self) -> int:
        """How often the games of a plan are played: as it is, and with average entries in it."""
        return 1 + len(self._swapped)

    def problem(self, spent: int) -> Problem:
        """The optimisation problem, where ``spent`` games were played to race."""
        question = self.question
        (base,) = self.measure("", [()])
        return Problem(
            amounts=tuple(map(amount_of, question.changes)),
            things=tuple(map(thing_of, question.changes)),
            own=tuple(map(question.goal_of, question.changes)),
            n_cards=self.meter.n_goals,
            aim=aim_inside(base.errors, question.games, question.confirm),
            most=question.most,
            budget=max(question.budget - spent, 0) // (question.games * self.trials_each),
        )

    def simulate(self, what: str, plans: Sequence[Plan], beside: Plan) -> list[Stand]:
        """Where the numbers stand with plans, and how sure the differences to a plan are."""
        found = self.measure(what, plans)
        (others,) = self.games(what, [beside])
        errors = [self.meter.moved_errors(games, others) for games in self.games(what, plans)]
        return [Stand(one.stands, error) for one, error in zip(found, errors, strict=True)]

    def measure(self, what: str, plans: Sequence[Plan]) -> list[Measured]:
        """The win rates or effects with plans."""
        for plan, games in zip(plans, self.games(what, plans), strict=True):
            if plan not in self.measured:
                self.measured[plan] = self.meter.measure(games)
        return [self.measured[plan] for plan in plans]

    def games(
        self, what: str, plans: Sequence[Plan], n: int | None = None
    ) -> list[npt.NDArray[np.void]]:
        """The games of plans, all of them or the first ``n``.

        Where average entries are played too, their results are in a field ``instead``.
        """
        for plan in plans:
            if plan not in self._trials:
                trial = self.question.trial(plan)
                self._trials[plan] = [trial, *(_average(trial, *one) for one in self._swapped)]
        trials = [trial for plan in plans for trial in self._trials[plan]]
        n = n or self.question.games
        found = self._store.play(what or "playing the chapter", trials, n)
        each = self.trials_each
        return [_beside(found[low : low + each]) for low in range(0, len(found), each)]

    def excess(self, plan: Plan) -> Excess:
        """The excess of a plan that was measured, as `Meter.excess` has it."""
        (games,) = self.games("", [plan])
        return self.meter.excess(self.measured[plan], games)

    def gain(self, plan: Plan) -> tuple[float, float]:
        """By how much a plan misses the band by less than nothing, and the standard error."""
        return self.excess(()).less(self.excess(plan), dealt_alike=True)


def _average(trial: ChapterTrial, kind: str, entry: str) -> ChapterTrial:
    """The same with an average entry in the place of one.  Raises NothingToCompare."""
    facts, settings = trial.setup.facts, trial.setup.settings
    one = by_id(getattr(facts, kind))[entry]
    found = average_entry(facts, settings, kind, one, {}) if kind in NUMBERS else None
    if found is None:
        raise NothingToCompare(
            f"{one.name or one.id} cannot be judged: it is in every game or in none, and nothing"
            " can take its place"
        )
    return new_trial(found[0], settings, ":".join(trial.players))


def _beside(found: Sequence[npt.NDArray[np.void]]) -> npt.NDArray[np.void]:
    """Games with the results of the others as their field ``instead``."""
    first, *others = found
    if not others:
        return first
    games = np.empty(len(first), [*RESULT.descr, ("instead", np.int8, (len(others),))])
    for name in RESULT.names or ():
        games[name] = first[name]
    games["instead"] = np.stack([one["won"] for one in others], axis=1)
    return games


def _race(question: Question, games: _Games) -> Raced:
    """The changes that are worth many games; all of them where there are few."""
    players = _Players(question, games)
    (base,) = players.measure("", [()])
    every = tuple(range(len(question.changes)))
    if not base.excess or len(every) <= _KEPT + _AGAINST:
        return Raced(every, 0)
    meter = players.meter
    first_gains: dict[int, float] = {}
    too_far = False

    def measure(changes: Sequence[int], n: int) -> tuple[_FLOAT, _FLOAT]:
        nonlocal too_far
        what = f"racing {len(changes)} changes"
        (as_it_is,) = players.games(what, [()], n)
        before = meter.excess(meter.measure(as_it_is), as_it_is)
        found = []
        for played in players.games(what, [(one,) for one in changes], n):
            measured = meter.measure(played)
            too_far |= bool(measured.stands.mean() * base.stands.mean() < 0)
            found.append(before.less(meter.excess(measured, played), dealt_alike=True))
        gains, errors = np.array(found).T
        for one, gain in zip(changes, gains.tolist(), strict=True):
            first_gains.setdefault(one, gain)
        return gains, errors

    first = max(question.games // _FIRST, 1)
    raced = race(every, measure, first=first, most=question.games, keep=_KEPT)
    against = sorted(set(every) - set(raced.left), key=lambda one: (first_gains[one], one))
    left = (*raced.left, *(against[:_AGAINST] if too_far else ()))
    return Raced(tuple(sorted(left)), raced.games)


# ------------------------------------------------------------ what fresh games say


@frozen
class _Choice:
    """What is proposed, after fresh games.

    ``candidate`` is the plan whose gain decided; ``front`` are the plans that a reader is shown, by
    their amount.
    """

    question: Question
    found: Found
    judges: _Players
    candidate: Plan
    proposal: Plan
    outcome: str

    @property
    def front(self) -> list[Plan]:
        """Plans by their amount, from nothing changed."""
        return sorted(dict.fromkeys([*self.found.front, self.candidate]), key=self.question.amount)


def _confirm(question: Question, found: Found, searchers: _Players, judges: _Players) -> _Choice:
    """Play fresh games, and propose what is shown to be a gain.  Few games show nothing."""
    best = found.proposal
    judges.measure("confirming", list(dict.fromkeys([(), *found.front, best])))
    if not best:
        nothing = not searchers.measured[()].excess
        return _Choice(question, found, judges, (), (), NEEDLESS if nothing else NOTHING_HELPS)
    gain, error = judges.gain(best)
    enough = all(judges.measured[one].rates.n.min() >= MIN_GAMES for one in ((), best))
    if enough and gain > normal_z() * error:
        return _Choice(question, found, judges, best, best, PROPOSED)
    return _Choice(question, found, judges, best, (), NO_GAIN_SHOWN)


# ------------------------------------------------------------ what is written


def _manifest(question: Question, games: _Games) -> dict[str, Any]:
    """What was asked for, and with which versions, as JSON values."""
    return {
        **{
            name: value
            for name, value in games.manifest.items()
            if name not in ("command", "format")
        },
        "band": [question.band.least, question.band.most],
        "judged": [entry for _, entry in question.judged],
        "levers": list(dict.fromkeys(one.variable.of for one in question.changes)),
        "changes": {change_name(one): amount_of(one) for one in question.changes},
        "most_changes": question.most,
        "games": question.games,
        "confirm": question.confirm,
        "budget": question.budget,
        "fresh_seed": question.fresh_seed,
    }


def _result(choice: _Choice, tables: Mapping[str, pd.DataFrame], raced: Raced) -> dict[str, Any]:
    """What came of it, as JSON values."""
    found, question = choice.found, choice.question
    side = "after_verdict" if choice.proposal else "before_verdict"
    unshown = choice.outcome == NO_GAIN_SHOWN
    facts, words = written(question, choice.proposal)
    return {
        "outcome": choice.outcome,
        "proposal": [change_name(question.changes[one]) for one in choice.proposal],
        "amount": question.amount(choice.proposal),
        "games_to_show": games_to_show(*choice.judges.gain(choice.candidate), question.confirm)
        if unshown
        else None,
        "reached_in_search": found.reached,
        "verdict": joint_verdict(tables[GOALS.name][side]),
        "left_after_race": len(raced.left),
        "games_of_race": raced.games,
        "tried": len(found.tried),
        "played": found.played,
        "games_of_search": raced.games + found.played * question.games,
        "budget_spent": found.spent,
        "file": PROPOSAL_FILE if changes_text(facts, load_facts()) else None,
        "set": words,
    }


def written(question: Question, plan: Plan) -> tuple[Facts, list[str]]:
    """A plan as facts, for a file, and as settings such as "page_end=7".

    The last page is written as a setting, as are all numbers that are one.
    """
    facts, settings, words = question.facts, question.settings, []
    for change in (question.changes[one] for one in plan):
        variable = change.variable
        if variable.of == RULES or variable.number == _PAGE_END:
            words.append(f"{variable.number}={change.changed_to}")
        else:
            facts, settings = changed(facts, settings, change)
            facts = _noted(facts, change)
    return facts, words


def _noted(facts: Facts, change: Change) -> Facts:
    """Facts whose changed entry says so: what was known of the number is not known of another."""
    one = change.variable
    entries: tuple[Entry, ...] = getattr(facts, one.of)
    entry = by_id(entries)[one.entry]
    note = (
        f"{one.label} {one.value} \N{RIGHTWARDS ARROW} {change.changed_to}, proposed by rebalance"
    )
    confidence = dict(entry.field_confidence) | {one.number.split(".")[0]: "assumed"}
    new = evolve(
        entry,
        note="; ".join(filter(None, [entry.note, note])),
        field_confidence=tuple(confidence.items()),
    )
    every = {one.of: tuple(new if other is entry else other for other in entries)}
    return evolve(facts, **every)  # type: ignore[arg-type]


def _write(
    choice: _Choice, tables: Mapping[str, pd.DataFrame], manifest: dict[str, Any], folder: Path
) -> None:
    """Write the tables, the proposal and the answer.  Raises RunError."""
    write_tables(tables, folder, identity(FOLDER, manifest, ""))
    path = folder / PROPOSAL_FILE
    if manifest["file"]:
        facts, _ = written(choice.question, choice.proposal)
        write_file(path, changes_text(facts, load_facts()).encode())
    else:
        remove_file(path)  # of another question to the same folder
    write_asked(FOLDER, folder, manifest)


def _in_words(change: Change) -> str:
    """A change for a reader: "Prince Collin: life 3 → 4"."""
    one = change.variable
    whose = f"{one.name}: " if one.name else ""
    return f"{whose}{one.label} {one.value} \N{RIGHTWARDS ARROW} {change.changed_to}"


# ------------------------------------------------------------ tables


def _front(players: _Players, plans: Sequence[Plan], proposal: Plan) -> pd.DataFrame:
    """A row for each plan that is shown, from nothing changed; measured by these players."""
    question = players.question
    band, rows, goals = question.band, [], question.goals
    for number, plan in enumerate(plans):
        measured, excess = players.measured[plan], players.excess(plan)
        reach, worst, rates = normal_z() * excess.error, measured.worst, measured.rates
        changes = [question.changes[one] for one in plan]
        rows.append(
            {
                "plan": number,
                "amount": question.amount(plan),
                "changes": " ".join(map(change_name, changes)),
                "in_words": "; ".join(map(_in_words, changes)),
                "proposed": bool(plan) and plan == proposal,
                "policy": question.player,
                "judged": ENTRIES if question.judged else PARTIES,
                "n_games": question.games,
                "excess": excess.value * band.reach,
                "excess_ci_low": max(excess.value - reach, 0.0) * band.reach,
                "excess_ci_high": (excess.value + reach) * band.reach,
                **with_interval("gain", players.gain(plan) if plan else (0, 0), band.reach),
                "outside": int((np.abs(measured.stands) > 1).sum()),
                "worst": goals[worst][0],
                "worst_estimate": rates.estimate[worst],
                "worst_estimate_ci_low": rates.ci_low[worst],
                "worst_estimate_ci_high": rates.ci_high[worst],
                "worst_distance": max(abs(measured.stands[worst]) - 1, 0) * band.reach,
            }
        )
    return FRONT.frame(rows)


def _changes(choice: _Choice) -> pd.DataFrame:
    """A row for each thing that the proposal changes."""
    question, rows = choice.question, []
    for one in choice.proposal:
        change = question.changes[one]
        _, words = written(question, (one,))
        rows.append(
            {
                "of": change.variable.of,
                "entry": change.variable.entry,
                "name": change.variable.name,
                "what": change.variable.label,
                "before": change.variable.value,
                "after": change.changed_to,
                "amount": amount_of(change),
                "confidence": change.variable.confidence,
                "written": f"--set {words[0]}" if words else PROPOSAL_FILE,
            }
        )
    return CHANGES.frame(rows)


def _goals(choice: _Choice) -> pd.DataFrame:
    """A row for each party or entry, before, and after if there is a proposal."""
    question, judges = choice.question, choice.judges
    entries, names = map(list, zip(*question.goals, strict=True))
    before, after = (judges.meter.table(judges.measured[plan]) for plan in ((), choice.proposal))
    if not choice.proposal:
        after = after.assign(n=0, estimate=np.nan, ci_low=np.nan, ci_high=np.nan, verdict="")
    about = {
        "judged": ENTRIES if question.judged else PARTIES,
        "entry": entries,
        "name": names,
        "least": question.band.least,
        "most": question.band.most,
        "policy": question.player,
    }
    parts = [pd.DataFrame(about)]
    for word, side in (("before", before), ("after", after)):
        columns = {"estimate": word} | {
            name: f"{word}_{name}" for name in ("ci_low", "ci_high", "n", "verdict")
        }
        parts.append(side[[*columns]].rename(columns=columns))
    return pd.concat(parts, axis="columns")[list(GOALS.columns)]
