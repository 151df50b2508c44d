"""Rebalancing: few small changes that bring a setup to its goals, found, and confirmed.

The folder holds ``rebalance.json`` (the question and its answer), ``search/`` and ``confirm/`` (the
games), ``tables/``, and the proposal.  The search sees the games of one seed
(`analysis.experiments.rebalance_search`); the answer is estimated from those of another, which had
no part in choosing it.  What the search found is proposed only if the fresh games show that it
misses the goals by less than the setup as it is.

A game says what may be changed (`Question`), plays plans and measures them (`Players`).
"""

from abc import ABC, abstractmethod
from collections.abc import Callable, Hashable, Mapping, Sequence
from pathlib import Path
from typing import Any, ClassVar, Generic, TypeVar, Unpack

import numpy as np
import pandas as pd
from attrs import evolve, field, frozen

from analysis.confidence import normal_z
from analysis.experiments.goals import (
    MISSED,
    NEEDLESS,
    NO_GAIN_SHOWN,
    NOTHING_HELPS,
    PROPOSED,
    Excess,
    Measured,
    Meter,
    aim_inside,
    games_to_show,
    joint_verdict,
    with_interval,
)
from analysis.experiments.rebalance_search import Found, Plan, Problem, Stand, search
from analysis.experiments.watch import Watch
from analysis.registry import Table
from analysis.tables import write_tables
from analysis.verdicts import MIN_GAMES
from simcore.arrays import Bools
from simcore.sealed import RunError, remove_file, write_file, writing
from simcore.work.folder import ABOUT, VERSIONS, FolderKind, identity, write_asked
from simcore.work.hands import Hands, Who
from simcore.work.lock import holding
from simcore.work.parts import fresh_seed

#: The folder, and the file in it that says what was asked for, and what came of it.
FOLDER = FolderKind("rebalancing", "rebalance.json", 1, "", {"versions": VERSIONS})
#: The file with what the proposal changes.
PROPOSAL_FILE = "proposal.toml"

_G = TypeVar("_G")


class Question(ABC):
    """What is to be balanced, by which changes, and how many games that may take.

    A plan is the places of some ``changes``.  ``games`` are those of each candidate, ``confirm``
    those that confirm the proposal, ``budget`` those of the whole search.  ``most`` changes at
    most; None for any number.
    """

    changes: tuple[Any, ...]
    policy: str
    games: int
    confirm: int
    budget: int
    most: int | None
    seed: int
    front_table: ClassVar[Table]

    @property
    def fresh_seed(self) -> int:
        """The seed of the games that confirm; those of two seeds have nothing in common."""
        return fresh_seed(self.seed)

    def amount(self, plan: Plan) -> int:
        """How much a plan changes."""
        return sum(self.amount_of(self.changes[one]) for one in plan)

    def names(self, plan: Plan) -> list[str]:
        """The changes of a plan as words."""
        return [self.name_of(self.changes[one]) for one in plan]

    def plan_of(self, names: str) -> Plan:
        """The plan of which `names` says this, with blanks between."""
        found = names.split()
        return tuple(at for at, one in enumerate(self.changes) if self.name_of(one) in found)

    @abstractmethod
    def amount_of(self, change: Any) -> int:
        """How much a change counts."""

    @abstractmethod
    def name_of(self, change: Any) -> str:
        """A change as a word."""

    @abstractmethod
    def thing_of(self, change: Any) -> Hashable:
        """What a change is a change of: a plan has at most one of each."""

    @abstractmethod
    def goal_of(self, change: Any) -> int:
        """The place of the goal that is about the changed entry; -1 without one."""

    @abstractmethod
    def made(self, plan: Plan) -> Any:
        """What is played with the changes of a plan."""

    @abstractmethod
    def in_words(self, plan: Plan) -> list[str]:
        """What a plan changes: "Brain Fly: power 4 → 6", "life: 3 → 4"."""

    @abstractmethod
    def players(self, folder: Path, watch: Watch, hands: Hands) -> "Players[Any]":
        """Who plays plans, in a folder."""

    def narrowed(self, players: "Players[Any]") -> "tuple[Question, Players[Any], int]":
        """The question with the changes that are worth a search, and the games that showed it."""
        return self, players, 0

    def confirmation(
        self, found: Found, searchers: "Players[Any]", judges: "Players[Any]"
    ) -> "Confirmation":
        """Who judges what a search found."""
        return Confirmation(self, found, searchers, judges)

    @abstractmethod
    def manifest(self, played: Mapping[str, Any]) -> dict[str, Any]:
        """What was asked for besides the games, as JSON values; ``played`` is their manifest."""

    @abstractmethod
    def result(self, choice: "Choice", tables: Mapping[str, pd.DataFrame]) -> dict[str, Any]:
        """What else came of it than `rebalance` says, as JSON values."""

    @abstractmethod
    def tables(self, choice: "Choice") -> dict[str, pd.DataFrame]:
        """The tables of the answer but for ``front`` and ``goals``."""

    def of_front(self, players: "Players[Any]", plan: Plan) -> dict[str, Any]:
        """What the table ``front`` says of a plan besides the columns of all games.

        By default how many are outside the band, and which one is farthest off.
        """
        measured, meter = players.measured[plan], players.meter
        worst, found = measured.worst, measured.numbers
        return {
            "outside": int((np.abs(measured.stands) > 1).sum()),
            "worst": meter.about["entry"][worst],
            "worst_estimate": found.estimate[worst],
            "worst_estimate_ci_low": found.ci_low[worst],
            "worst_estimate_ci_high": found.ci_high[worst],
            "worst_distance": max(abs(measured.stands[worst]) - 1, 0) * meter.reach[worst],
        }

    @abstractmethod
    def files(self, plan: Plan) -> dict[str, bytes]:
        """The files of a proposal, by their paths in the folder."""


class Players(ABC, Generic[_G]):
    """Plays plans and measures them."""

    #: How often the games of a plan are played.
    trials_each = 1

    def __init__(self, question: Any, meter: Meter[_G], manifest: Mapping[str, Any]) -> None:
        self.question, self.meter, self.manifest = question, meter, manifest
        self.measured: dict[Plan, Measured] = {}

    @abstractmethod
    def games(self, what: str, plans: Sequence[Plan], n: int | None = None) -> list[_G]:
        """The games of plans, all of them or the first ``n``; "" where nothing is played anew."""

    def alike(self, plan: Plan, other: Plan) -> bool:  # noqa: ARG002
        """Whether the games of two plans have the same luck."""
        return True

    @property
    def front_goals(self) -> Bools | None:
        """The goals that the front is about; None for all."""
        return None

    def problem(self, spent: int) -> Problem:
        """The optimisation problem where ``spent`` games were played; plays nothing changed."""
        question, changes = self.question, self.question.changes
        (base,) = self.measure("", [()])
        return Problem(
            amounts=tuple(map(question.amount_of, changes)),
            things=tuple(map(question.thing_of, changes)),
            own=tuple(map(question.goal_of, changes)),
            n_cards=self.meter.n_entries,
            aim=aim_inside(base.errors, question.games, question.confirm),
            most=question.most,
            budget=max(question.budget - spent, 0) // (question.games * self.trials_each),
        )

    def simulate(self, what: str, plans: Sequence[Plan]) -> list[Stand]:
        """Where the numbers of plans stand, and how sure differences to nothing changed are."""
        found = self.measure(what, plans)
        (base,) = self.games("", [()])
        errors = [
            self.meter.moved_errors(games, base)
            if self.alike(plan, ())
            else np.hypot(self.measured[plan].errors, self.measured[()].errors)
            for plan, games in zip(plans, self.games("", plans), strict=True)
        ]
        return [Stand(one.stands, error) for one, error in zip(found, errors, strict=True)]

    def measure(self, what: str, plans: Sequence[Plan]) -> list[Measured]:
        """The numbers of plans."""
        missing = [plan for plan in plans if plan not in self.measured]
        for plan, games in zip(missing, self.games(what, missing), strict=True):
            self.measured[plan] = self.meter.measure(games)
        return [self.measured[plan] for plan in plans]

    def excess(self, plan: Plan, goals: Bools | None = None) -> Excess:
        """The excess of a plan that was measured, as `Meter.excess` has it."""
        (games,) = self.games("", [plan])
        return self.meter.excess(self.measured[plan], games, goals)

    def gain(
        self, plan: Plan, beside: Plan = (), goals: Bools | None = None
    ) -> tuple[float, float]:
        """By how much a plan misses goals by less than another, and the standard error of that."""
        before, alike = self.excess(beside, goals), self.alike(plan, beside)
        return before.less(self.excess(plan, goals), dealt_alike=alike)

    def front(self, plans: Sequence[Plan], proposal: Plan) -> pd.DataFrame:
        """A row for each plan, from nothing changed, as these games measure it."""
        question, goals, rows = self.question, self.front_goals, []
        unit = float(self.meter.reach[0])
        for number, plan in enumerate(plans):
            excess = self.excess(plan, goals)
            reach = normal_z() * excess.error
            rows.append(
                {
                    "plan": number,
                    "amount": question.amount(plan),
                    "changes": " ".join(question.names(plan)),
                    "in_words": "; ".join(question.in_words(plan)),
                    "proposed": bool(plan) and plan == proposal,
                    "policy": question.policy,
                    "n_games": question.games,
                    "excess": excess.value * unit,
                    "excess_ci_low": max(excess.value - reach, 0.0) * unit,
                    "excess_ci_high": (excess.value + reach) * unit,
                    **with_interval("gain", self.gain(plan, (), goals) if plan else (0, 0), unit),
                    **question.of_front(self, plan),
                }
            )
        return question.front_table.frame(rows)

    def goals(self, proposal: Plan) -> pd.DataFrame:
        """A row for each goal, before, and after if there is a proposal."""
        before, after = (self.meter.table(self.measured[plan]) for plan in ((), proposal))
        if not proposal:
            after = after.assign(n=0, estimate=np.nan, ci_low=np.nan, ci_high=np.nan, verdict="")
        about = before[[*self.meter.about, "least", "most"]]
        parts = [about.assign(policy=self.question.policy)]
        for word, side in (("before", before), ("after", after)):
            names = {"estimate": word} | {
                name: f"{word}_{name}" for name in ("ci_low", "ci_high", "n", "verdict")
            }
            parts.append(side[[*names]].rename(columns=names))
        return pd.concat(parts, axis="columns")


@frozen
class FrontSoFar:
    """The plans that would be shown if the search ended now, in the games that it plays.

    Fresh games have not confirmed them.
    """

    players: Players[Any]
    plans: tuple[Plan, ...]

    def table(self) -> pd.DataFrame:
        """The table ``front`` as it would be, without a proposal."""
        return self.players.front(self.plans, ())


@frozen
class Choice:
    """What is proposed, after fresh games, and what these say.

    ``candidate`` is the plan whose gain decided, ``front`` are the plans that a reader is shown.
    """

    confirmed: "Confirmation"
    candidate: Plan
    proposal: Plan
    outcome: str

    @property
    def front(self) -> list[Plan]:
        """Plans by their amount, from nothing changed."""
        plans = dict.fromkeys([*self.confirmed.found.front, self.candidate])
        return sorted(plans, key=self.confirmed.question.amount)


@frozen(slots=False)
class Confirmation:
    """Judges what a search found, in fresh games, which it did not see."""

    question: Any
    found: Found
    searchers: Players[Any]
    judges: Players[Any]
    _gains: dict[Any, tuple[float, float]] = field(factory=dict, init=False)

    def choose(self) -> Choice:
        """Play fresh games, and propose what is shown to be a gain."""
        found, judges = self.found, self.judges
        judges.measure("confirming", [()])
        judges.measure("confirming", list(dict.fromkeys(self.plans)))
        best, careful = found.proposal, self.careful
        if not best:
            shown = joint_verdict(judges.meter.table(judges.measured[()])["verdict"])
            needless = not self.searchers.measured[()].excess and shown != MISSED
            return Choice(self, (), (), NEEDLESS if needless else NOTHING_HELPS)
        if self.kept(best) == best:
            careful = best
        elif self._is_shown(best) and self._is_shown(best, careful):
            return Choice(self, best, best, PROPOSED)
        if careful and self._is_shown(careful):
            return Choice(self, careful, careful, PROPOSED)
        return Choice(self, careful or best, (), NO_GAIN_SHOWN)

    @property
    def plans(self) -> list[Plan]:
        """The plans that fresh games measure."""
        return [*self.found.front, self.found.proposal]

    @property
    def careful(self) -> Plan:
        """What is proposed if the best plan is not shown to be better than it."""
        return self.found.proposal

    def kept(self, plan: Plan) -> Plan:
        """What of a plan stays in a proposal without being shown to be a gain itself."""
        return plan

    def gain(
        self, plan: Plan, beside: Plan = (), goals: Bools | None = None
    ) -> tuple[float, float]:
        """By how much a plan misses goals by less than another, and the standard error of that.

        By default all goals are meant that were not set aside.
        """
        key = plan, beside, None if goals is None else goals.tobytes()
        if key not in self._gains:
            self._gains[key] = self.judges.gain(plan, beside, self._goals(goals))
        return self._gains[key]

    def excess(self, plan: Plan, goals: Bools | None = None) -> Excess:
        """By how much a plan misses goals, those of `gain`."""
        return self.judges.excess(plan, self._goals(goals))

    def _goals(self, goals: Bools | None) -> Bools:
        if goals is not None:
            return goals
        every = np.ones(len(self.judges.meter.reach), np.bool_)
        every[list(self.found.aside)] = False
        return every

    def _is_shown(self, plan: Plan, beside: Plan = ()) -> bool:
        """Whether a plan is shown to be a gain.  Few games show nothing."""
        gain, error = self.gain(plan, beside)
        return self.scarcest(plan, beside) >= MIN_GAMES and gain > normal_z() * error

    def scarcest(self, *plans: Plan) -> int:
        """The observations of the number that has fewest, among goals that were not set aside."""
        goals = self._goals(None)
        return min(int(self.judges.measured[one].numbers.n[goals].min()) for one in plans)


@frozen
class Answer:
    """What came of it: the search, what is proposed, the tables and what rebalance.json says.

    ``outcome`` is one of `goals.OUTCOMES`.  Without a proposal ``proposal`` is what was asked about
    as it is.
    """

    found: Found
    outcome: str
    proposal: Any
    tables: dict[str, pd.DataFrame]
    manifest: dict[str, Any]

    @property
    def verdict(self) -> str:
        """What fresh games show of all goals together, with the proposal or as it is."""
        return str(self.manifest["verdict"])


def rebalance(
    question: Question,
    folder: Path,
    *,
    watch: Watch,
    see: Callable[[FrontSoFar], None] | None = None,
    **who: Unpack[Who],
) -> Answer:
    """Search, confirm, and write everything but the page.

    Games are played inside a context of ``watch``.
    ``see`` is shown the front whenever the search has another plan.

    Raises RunError when the folder holds something else or cannot be written or another process
    works there, and ValueError for what cannot be played.  KeyboardInterrupt loses what is being
    played, and nothing that has been.
    """
    with holding(folder):
        _check_empty(folder)
        hands = Hands(**who)
        players = question.players(folder / "search", watch, hands)
        asked = _manifest(question, players)
        write_asked(FOLDER, folder, asked)
        narrowed, searchers, raced = question.narrowed(players)
        look = None if see is None else lambda plans: see(FrontSoFar(searchers, plans))
        found = search(searchers.problem(raced), searchers.simulate, look)
        fresh: Any = evolve(narrowed, games=question.confirm, seed=question.fresh_seed)  # type: ignore[misc]
        judges = fresh.players(folder / "confirm", watch, hands)
        choice = narrowed.confirmation(found, searchers, judges).choose()
        front, goals = judges.front(choice.front, choice.proposal), judges.goals(choice.proposal)
        tables = {"front": front, "goals": goals, **narrowed.tables(choice)}
        side = "after_verdict" if choice.proposal else "before_verdict"
        unshown = choice.outcome == NO_GAIN_SHOWN
        needed = None
        if unshown:
            confirmed, plan = choice.confirmed, choice.candidate
            seen = question.confirm, confirmed.scarcest(plan, ())
            needed = games_to_show(*confirmed.gain(plan), *seen)
        manifest = {
            **asked,
            "outcome": choice.outcome,
            "proposal": narrowed.names(choice.proposal),
            "amount": narrowed.amount(choice.proposal),
            "games_to_show": needed,
            "reached_in_search": found.reached,
            "verdict": joint_verdict(goals[side]),
            "tried": len(found.tried),
            "played": found.played,
            "games_of_search": raced + found.played * question.games,
            "budget_spent": found.spent,
            **narrowed.result(choice, tables),
        }
        _write(narrowed.files(choice.proposal), tables, manifest, folder)
        proposal = narrowed.made(choice.proposal)
        return Answer(found, choice.outcome, proposal, tables, manifest)


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


def _manifest(question: Question, players: Players[Any]) -> dict[str, Any]:
    """What was asked for, and with which versions, as JSON values."""
    return {
        **question.manifest(players.manifest),
        "most_changes": question.most,
        "games": question.games,
        "confirm": question.confirm,
        "budget": question.budget,
        "seed": question.seed,
        "fresh_seed": question.fresh_seed,
    }


def _write(
    files: Mapping[str, bytes],
    tables: dict[str, pd.DataFrame],
    manifest: dict[str, Any],
    folder: Path,
) -> None:
    """Write the tables, the proposal and the answer.  Raises RunError."""
    write_tables(tables, folder, identity(FOLDER, manifest, ""))
    if PROPOSAL_FILE not in files:
        remove_file(folder / PROPOSAL_FILE)  # of another question to the same folder
    for name, data in files.items():
        path = folder / name
        with writing(path.parent):
            path.parent.mkdir(parents=True, exist_ok=True)
        write_file(path, data)
    write_asked(FOLDER, folder, manifest)
