"""Rebalancing a chapter: which changes there are, the games of changed chapters, and its tables.

The search and its folder are those of all games (`analysis.questions.rebalance`); the games lie
there as `trials` keeps them, those of entries that are judged have a run beside them, which says
what was drawn.  Where there are many changes they race first,
by successive halving [1]_: all play a few games, the better half plays as many again, and so on.
All play the same games, so a small sample tells much about differences.

References
----------
.. [1] K. Jamieson, A. Talwalkar, "Non-stochastic best arm identification and hyperparameter
   optimization", Proc. AISTATS 2016, 240-248.
"""

from collections.abc import Callable, Mapping, Sequence
from functools import cached_property
from pathlib import Path
from typing import Any, ClassVar, NamedTuple

import numpy as np
import pandas as pd
from attrs import evolve, frozen

from analysis.confidence import normal_z
from analysis.experiments.rebalance_search import Plan
from analysis.experiments.watch import Watch
from analysis.mice_and_mystics.experiments import rebalance_goals, usual
from analysis.mice_and_mystics.experiments.trials import (
    RESULT,
    ChapterTrial,
    Trials,
    folder_kind,
    new_trial,
)
from analysis.mice_and_mystics.experiments.verdict_effects import (
    NUMBERS,
    NothingToCompare,
    Sorted,
    average_entry,
    sort_games,
)
from analysis.mice_and_mystics.run_facts import RunFacts, party_name
from analysis.questions.rebalance import PROPOSAL_FILE, Choice, Players
from analysis.questions.rebalance_steps import StepQuestion
from analysis.registry import Table
from analysis.runs import open_run
from card_data.mice_and_mystics import load_facts
from card_data.mice_and_mystics.changes import RULES, SWITCHES, changed, is_sound, variables
from card_data.mice_and_mystics.facts import Entry, Facts, by_id
from card_data.mice_and_mystics.formatter import changes_text
from card_data.mice_and_mystics.settings import Settings
from card_data.schema.changes import Change, Variable
from simcore.arrays import Floats, Records
from simcore.mice_and_mystics.play.run import new_run
from simcore.mice_and_mystics.players.seats import fingerprints, split_players
from simcore.work.hands import Hands
from simcore.work.runs import run_games

# How many changes are left after the race, and how many of those that move a party most the other
# way: with a change that goes too far they may come out right.
_KEPT, _AGAINST = 24, 6
# The share of the games of a candidate that each plays before the first half drops out.
_FIRST = 16
# How much of the box there is, and where the hourglass starts: no numbers to balance with.
_PAGE_END = "page_end"
_LEFT_ALONE = {"figure_limit", "token_limit", "page_start"}
_GAMES_KIND = folder_kind("search for changes", "games.json", player=str)
#: Plays the first games of candidates: called with their numbers and how many games; by how much
#: each is better than nothing, and the standard errors of that.
Measure = Callable[[Sequence[int], int], tuple[Floats, Floats]]


class Raced(NamedTuple):
    """Who is left, the best first, and how many games were played by all candidates together."""

    left: tuple[int, ...]
    games: int


def race(candidates: Sequence[int], measure: Measure, *, first: int, most: int, keep: int) -> Raced:
    """The ``keep`` best candidates, after ``first`` games each and twice as many in every round.

    Whoever is shown to be worse than nothing is out, however few are left.  No candidate plays more
    than ``most`` games.
    """
    left, games, played, in_all = list(candidates), min(first, most), 0, 0
    while len(left) > keep and games > played:
        in_all += (games - played) * len(left)
        gains, errors = measure(left, games)
        order = np.lexsort((np.arange(len(left)), -gains))
        able = [place for place in order.tolist() if gains[place] > -normal_z() * errors[place]]
        left = [left[place] for place in able[: max(keep, (len(left) + 1) // 2)]]
        played, games = games, min(2 * games, most)
    return Raced(tuple(left[:keep]), in_all)


@frozen
class Question(StepQuestion):
    """A chapter that is to be balanced by some changes.

    ``judged`` are the kinds and ids of the entries whose effects are to be inside the band; without
    any these are the win rates of all parties.
    """

    facts: Facts
    settings: Settings
    band: rebalance_goals.Band
    changes: tuple[Change, ...]
    policy: str = usual.PLAYER
    games: int = usual.CANDIDATE_GAMES
    confirm: int = usual.CONFIRM_GAMES
    budget: int = usual.SEARCH_GAMES
    most: int | None = None
    seed: int = 0
    judged: tuple[tuple[str, str], ...] = ()
    raced: Raced | None = None

    front_table: ClassVar[Table] = rebalance_goals.FRONT

    @property
    def run_facts(self) -> RunFacts:
        """The chapter as it is."""
        return RunFacts(self.facts, self.settings, self.policy)

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

    def thing_of(self, change: Change) -> tuple[str, ...]:
        """What a change is a change of.

        The numbers of a band, of a surge, of an effect and of a price belong together: two of them
        changed might not be possible.
        """
        of, entry, number = change.variable.key
        return of, entry, number.rpartition(".")[0] or number

    def goal_of(self, change: Change) -> int:
        """The place of the goal that is about the changed entry; -1 without one."""
        key = change.variable.of, change.variable.entry
        return self.judged.index(key) if key in self.judged else -1

    def made(self, plan: Plan) -> ChapterTrial:
        """The chapter with the changes of a plan."""
        facts, settings = self.facts, self.settings
        for one in plan:
            facts, settings = changed(facts, settings, self.changes[one])
        return new_trial(facts, settings, self.policy)

    def players(self, folder: Path, watch: Watch, hands: Hands) -> "ChapterPlayers":
        """Who plays changed chapters, in a folder."""
        return ChapterPlayers(self, _Games(self, folder, watch, hands))

    def narrowed(self, players: Players[Any]) -> "tuple[Question, ChapterPlayers, int]":
        """The question with the changes that are left after a race."""
        assert isinstance(players, ChapterPlayers)
        raced = _race(self, players)
        left = evolve(self, changes=tuple(self.changes[one] for one in raced.left), raced=raced)
        return left, ChapterPlayers(left, players.store), raced.games

    def manifest(self, played: Mapping[str, Any]) -> dict[str, Any]:
        """The chapter, the band, and what may be changed."""
        return {
            **{name: one for name, one in played.items() if name not in ("command", "format")},
            "band": [self.band.least, self.band.most],
            "judged": [entry for _, entry in self.judged],
            "levers": list(dict.fromkeys(one.variable.of for one in self.changes)),
            "changes": {self.name_of(one): self.amount_of(one) for one in self.changes},
        }

    def result(self, choice: Choice, tables: Mapping[str, pd.DataFrame]) -> dict[str, Any]:  # noqa: ARG002
        """How the race went, and how the proposal is written."""
        facts, words = written(self, choice.proposal)
        assert self.raced is not None
        return {
            "left_after_race": len(self.raced.left),
            "games_of_race": self.raced.games,
            "file": PROPOSAL_FILE if changes_text(facts, load_facts()) else None,
            "set": words,
        }

    def tables(self, choice: Choice) -> dict[str, pd.DataFrame]:
        """A row for each thing that the proposal changes."""
        rows = []
        for number, (change, row) in zip(
            choice.proposal, self.changed(choice.proposal), strict=True
        ):
            _, words = written(self, (number,))
            said = f"--set {words[0]}" if words else PROPOSAL_FILE
            rows.append({**row, "confidence": change.variable.confidence, "written": said})
        return {rebalance_goals.CHANGES.name: rebalance_goals.CHANGES.frame(rows)}

    def of_front(self, players: Players[Any], plan: Plan) -> dict[str, Any]:
        """What is judged as well."""
        return {
            "judged": rebalance_goals.ENTRIES if self.judged else rebalance_goals.PARTIES,
            **super().of_front(players, plan),
        }

    def files(self, plan: Plan) -> dict[str, bytes]:
        """The changed entries as a file; none where settings say it all."""
        facts, _ = written(self, plan)
        text = changes_text(facts, load_facts())
        return {PROPOSAL_FILE: text.encode()} if text else {}


def allowed_changes(
    facts: Facts,
    settings: Settings,
    levers: Sequence[str] = usual.USUAL_LEVERS,
    *,
    step: int = 1,
    but: Callable[[Variable], bool] = lambda _: False,
) -> tuple[Change, ...]:
    """Changes of numbers by up to ``step``, but for those of some variables.

    ``levers`` are words of `usual.LEVERS`.  Only changes are left that can be played.
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


class _Games:
    """The games of the chapter and of its variants, of one seed."""

    def __init__(self, question: Question, folder: Path, watch: Watch, hands: Hands) -> None:
        asked = {
            "player": question.policy,
            "weights": fingerprints(split_players(question.policy)),
            "command": "",
        }
        what = _GAMES_KIND, folder, question.made(())
        self._trials = Trials(*what, seed=question.seed, asked=asked, **hands.who)
        self._question, self._watch, self._hands = question, watch, hands
        self._run = folder.with_name(f"{folder.name}-run")
        self._played: dict[str, Records] = {}

    @property
    def manifest(self) -> dict[str, Any]:
        """What was played, and with which versions."""
        return self._trials.manifest

    @cached_property
    def meter(self) -> rebalance_goals.PartyMeter:
        """Measures these games.  Raises NothingToCompare."""
        question = self._question
        goals = question.goals
        if not question.judged:
            return rebalance_goals.PartyMeter(question.band, goals)
        spec = new_run(
            *(question.facts, question.settings),
            n_games=question.games,
            seed=question.seed,
            players=split_players(question.policy),
        )
        with self._watch("seeing what is drawn") as advance:
            run_games(spec, self._run, **self._hands.who, on_progress=advance)
        records = np.concatenate([*open_run(self._run).parts()])
        found = [sort_games(*one, question.run_facts, records) for one in question.judged]
        every = Sorted(np.zeros(len(records), np.int64), np.ones(1))
        swapped = [place for place, groups in enumerate(found) if groups is None]
        return rebalance_goals.EffectMeter(
            *(question.band, goals),
            tuple(every if groups is None else groups for groups in found),
            tuple(swapped.index(at) if at in swapped else -1 for at in range(len(goals))),
        )

    def play(self, what: str, trials: Sequence[ChapterTrial], n: int) -> list[Records]:
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


class ChapterPlayers(Players[Records]):
    """Plays changed chapters and measures them."""

    def __init__(self, question: Question, store: _Games) -> None:
        super().__init__(question, store.meter, store.manifest)
        self.store = store
        swaps = self.meter.swaps if isinstance(self.meter, rebalance_goals.EffectMeter) else ()
        self._swapped = [question.judged[at] for at, place in enumerate(swaps) if place >= 0]
        self.trials_each = 1 + len(self._swapped)
        self._trials: dict[Plan, list[ChapterTrial]] = {}

    def games(self, what: str, plans: Sequence[Plan], n: int | None = None) -> list[Records]:
        """The games of plans.

        Where average entries are played too, their results are in a field ``instead``.
        """
        for plan in plans:
            if plan not in self._trials:
                trial = self.question.made(plan)
                self._trials[plan] = [trial, *(_average(trial, *one) for one in self._swapped)]
        trials = [trial for plan in plans for trial in self._trials[plan]]
        n = n or self.question.games
        found = self.store.play(what or "playing the chapter", trials, n)
        each = self.trials_each
        return [_beside(found[low : low + each]) for low in range(0, len(found), each)]


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


def _beside(found: Sequence[Records]) -> Records:
    """Games with the results of the others as their field ``instead``."""
    first, *others = found
    if not others:
        return first
    games = np.empty(len(first), [*RESULT.descr, ("instead", np.int8, (len(others),))])
    for name in RESULT.names or ():
        games[name] = first[name]
    games["instead"] = np.stack([one["won"] for one in others], axis=1)
    return games


def _race(question: Question, players: ChapterPlayers) -> Raced:
    """The changes that are worth many games; all of them where there are few."""
    (base,) = players.measure("", [()])
    every = tuple(range(len(question.changes)))
    if not base.excess or len(every) <= _KEPT + _AGAINST:
        return Raced(every, 0)
    meter = players.meter
    first_gains: dict[int, float] = {}
    too_far = False

    def measure(changes: Sequence[int], n: int) -> tuple[Floats, Floats]:
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
