"""Rebalancing: small changes that bring a pool to its goals, found, and confirmed on fresh games.

The folder holds ``rebalance.json`` (the question and its answer), ``search/`` and ``confirm/`` (the
games, as `sensitivity_games` keeps them), ``tables/``, and the proposal: ``proposal.toml`` with the
changed cards, and ``proposal/`` with the whole pool.  The search sees the games of one seed, the
answer is estimated from those of another, which had no part in choosing it.

What the search found is proposed only if the fresh games show that it misses the goals by less than
the pool as it is.  Changes of cards that fresh games see inside the band stay in the proposal only
if they are shown to be a gain themselves.

`rebalance_goals` measures, `rebalance_search` chooses, `card_data.mindbug.adjustments` changes.
"""

from collections.abc import Callable, Mapping, Sequence
from concurrent.futures import Executor
from contextlib import AbstractContextManager, nullcontext
from pathlib import Path
from typing import Any

import numpy as np
import numpy.typing as npt
import pandas as pd
from attrs import asdict, evolve, field, frozen

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
from analysis.experiments.rebalance_search import Found, Plan, Problem, Stand, search
from analysis.experiments.watch import Watch
from analysis.mindbug.experiments.rebalance_goals import (
    CARD,
    FIRST_PLAYER,
    TURNS,
    Goals,
    Measured,
    Meter,
)
from analysis.mindbug.experiments.sensitivity_games import OUTCOME, Experiments, Laboratory
from analysis.mindbug.experiments.usual import (
    CANDIDATE_GAMES,
    CANDIDATE_PLAYER,
    CONFIRM_GAMES,
    SEARCH_GAMES,
)
from analysis.verdicts import MIN_GAMES
from card_data.mindbug import pool_files
from card_data.mindbug.adjustments import Adjustment, adjusted
from card_data.mindbug.language.formatter import format_cards
from card_data.mindbug.pool_changes import changes
from card_data.mindbug.schema import Card, CardSet, Pool
from card_data.mindbug.variants import dealt_alike
from simcore.sealed import RunError, remove_file, write_file, writing
from simcore.work.folder import ABOUT, VERSIONS, FolderKind, identity, write_asked
from simcore.work.hands import Hands
from simcore.work.lock import holding
from simcore.work.parts import fresh_seed

#: The folder, and the file in it that says what was asked for, and what came of it.
FOLDER = FolderKind("rebalancing", "rebalance.json", 1, "", {"versions": VERSIONS})
#: The card file with the changed cards, and the folder with the whole pool.
PROPOSAL_FILE, PROPOSAL_FOLDER = "proposal.toml", "proposal"

_USUAL_GOALS = Goals()
# Cards out of reach of which fresh games are played.
_MOST_NEAREST = 5


@frozen
class Question:
    """What is to be balanced, by which changes, and how many games that may take.

    ``games`` are those of each candidate, ``confirm`` those that confirm the proposal, ``budget``
    those of the whole search.  ``most`` changes at most; None for any number.
    """

    pool: Pool
    adjustments: tuple[Adjustment, ...]
    goals: Goals = _USUAL_GOALS
    policy: str = CANDIDATE_PLAYER
    games: int = CANDIDATE_GAMES
    confirm: int = CONFIRM_GAMES
    budget: int = SEARCH_GAMES
    most: int | None = None
    seed: int = 0

    @property
    def fresh_seed(self) -> int:
        """The seed of the games that confirm; those of two seeds have nothing in common."""
        return fresh_seed(self.seed)

    def amount(self, plan: Plan) -> int:
        """How much a plan changes."""
        return sum(self.adjustments[one].amount for one in plan)


@frozen
class Answer:
    """What came of it: the search, the proposed pool, the tables and what rebalance.json says.

    ``outcome`` is one of `goals.OUTCOMES`.  Without a proposal ``proposal`` is the pool as it is.
    """

    found: Found
    outcome: str
    proposal: Pool
    tables: dict[str, pd.DataFrame]
    manifest: dict[str, Any]

    @property
    def verdict(self) -> str:
        """What fresh games show of all goals together, of the proposal or of the pool as it is."""
        return str(self.manifest["verdict"])


@frozen
class FrontSoFar:
    """The plans that would be shown if the search ended now, in the games that it plays.

    Fresh games have not confirmed them.
    """

    players: "_Players"
    plans: tuple[Plan, ...]

    def table(self) -> pd.DataFrame:
        """The table ``front`` as it would be, without a proposal."""
        return _front(self.players, self.plans, ())


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
    works there, and ValueError for a pool or player that cannot be played.  KeyboardInterrupt loses
    the pool that is being played, and no other.
    """
    with holding(folder):
        return _rebalance(question, folder, watch, solving, see, Hands(threads, executor))


def _rebalance(
    question: Question,
    folder: Path,
    watch: Watch,
    solving: Callable[[], AbstractContextManager[object]],
    see: Callable[[FrontSoFar], None] | None,
    hands: Hands,
) -> Answer:
    """Search, confirm and write in a folder that nobody else works in."""
    laboratory = _begin(question, folder, hands)
    meter = Meter(question.goals, question.pool)
    players = _Players(question, laboratory, meter, watch)
    look = None if see is None else lambda plans: see(FrontSoFar(players, plans))
    found = search(players.problem(), players.simulate, solving, look)
    fresh = evolve(question, games=question.confirm, seed=question.fresh_seed)
    confirming = Laboratory(
        _experiments(fresh), folder / "confirm", threads=hands.threads, executor=hands.executor
    )
    judges = _Players(fresh, confirming, meter, watch)
    choice = _Confirmation(question, meter, found, players, judges).choose()
    tables = {
        "front": _front(judges, choice.front, choice.proposal),
        "changes": _changes(question, choice.proposal),
        "gains": _gains(meter, choice),
        "goals": _goals(question, meter, choice),
        "nearest": _nearest(question, meter, choice),
    }
    manifest = _manifest(question, laboratory) | _result(question, choice, tables)
    proposal = adjusted(question.pool, (question.adjustments[one] for one in choice.proposal))
    _write(question, proposal, tables, manifest, folder)
    return Answer(found, choice.outcome, proposal, tables, manifest)


class _Players:
    """Plays plans and measures them."""

    def __init__(
        self, question: Question, laboratory: Laboratory, meter: Meter, watch: Watch
    ) -> None:
        self.question, self.meter = question, meter
        self._laboratory, self._watch = laboratory, watch
        self._base: npt.NDArray[np.void] | None = None
        self.measured: dict[Plan, Measured] = {}

    def problem(self) -> Problem:
        """The optimisation problem; plays the pool as it is."""
        question, meter = self.question, self.meter
        (base,) = self.measure("", [()])
        places = {name: place for place, name in enumerate(meter.names)}
        changes = question.adjustments
        return Problem(
            amounts=tuple(change.amount for change in changes),
            things=tuple(change.thing for change in changes),
            own=tuple(places[one.card_id] if one.card_id else -1 for one in changes),
            n_cards=len(meter.cards),
            aim=aim_inside(base.errors, question.games, question.confirm),
            most=question.most,
            budget=question.budget // question.games,
        )

    def simulate(self, what: str, plans: Sequence[Plan], beside: Plan) -> list[Stand]:
        """Where the numbers of plans stand, and how sure the differences to a plan are."""
        found = self.measure(what, plans)
        errors = [self._moved_errors(plan, beside) for plan in plans]
        return [Stand(one.stands, error) for one, error in zip(found, errors, strict=True)]

    def measure(self, what: str, plans: Sequence[Plan]) -> list[Measured]:
        """The numbers of plans."""
        if self._base is None:
            with self._watch("playing the pool") as advance:
                self._base = self._laboratory.play_base(advance)
        missing = [plan for plan in plans if plan not in self.measured]
        if missing:
            pools = [self._pool(plan) for plan in missing]
            with self._watch(what) if missing != [()] else nullcontext() as advance:
                played = self._laboratory.play_pools(pools, advance)
            for plan, games in zip(missing, played, strict=True):
                self.measured[plan] = self.meter.measure(games, self._deals_of(games))
        return [self.measured[plan] for plan in plans]

    def excess(self, plan: Plan, goals: npt.NDArray[np.bool_]) -> Excess:
        """The excess of a plan that was measured, as `Meter.excess` has it."""
        games = self._games(plan)
        return self.meter.excess(self.measured[plan], games, self._deals_of(games), goals)

    def gain(self, plan: Plan, beside: Plan, goals: npt.NDArray[np.bool_]) -> tuple[float, float]:
        """By how much a plan misses goals by less than another, and the standard error of that."""
        before, alike = self.excess(beside, goals), self.dealt_alike(plan, beside)
        return before.less(self.excess(plan, goals), dealt_alike=alike)

    def dealt_alike(self, plan: Plan, other: Plan) -> bool:
        """Whether the games of two plans have the same deals."""
        return all(dealt_alike(self.question.pool, self._pool(one)) for one in (plan, other))

    def _moved_errors(self, plan: Plan, beside: Plan) -> npt.NDArray[np.float64]:
        """Standard errors of the differences between two plans that were measured."""
        if not self.dealt_alike(plan, beside):
            return np.hypot(self.measured[plan].errors, self.measured[beside].errors)
        one, other = self._games(plan), self._games(beside)
        return self.meter.moved_errors(one, other, self._deals_of(one))

    def _games(self, plan: Plan) -> npt.NDArray[np.void]:
        """The games of a plan that was played."""
        (games,) = self._laboratory.play_pools([self._pool(plan)])
        return games

    def _pool(self, plan: Plan) -> Pool:
        return adjusted(self.question.pool, (self.question.adjustments[one] for one in plan))

    def _deals_of(self, games: npt.NDArray[np.void]) -> npt.NDArray[np.int16]:
        """The deals of games: their own, or those of the pool as it is."""
        assert self._base is not None
        deals = self._base["cards"] if games.dtype == OUTCOME else games["cards"]
        return np.asarray(deals)


@frozen
class _Choice:
    """What is proposed, after fresh games, and what these say.

    ``candidate`` is the plan whose gain decided, ``front`` are the plans that a reader is shown.
    """

    confirmed: "_Confirmation"
    candidate: Plan
    proposal: Plan
    outcome: str

    @property
    def front(self) -> list[Plan]:
        """Plans by their amount, from nothing changed."""
        plans = dict.fromkeys([*self.confirmed.found.front, self.candidate])
        return sorted(plans, key=self.confirmed.question.amount)


@frozen
class _Confirmation:
    """Judges what a search found, in fresh games, which it did not see."""

    question: Question
    meter: Meter
    found: Found
    searchers: _Players
    judges: _Players
    _gains: dict[tuple[Plan, Plan, str], tuple[float, float]] = field(factory=dict, init=False)

    def choose(self) -> _Choice:
        """Play fresh games, and propose what is shown to be a gain."""
        found, judges = self.found, self.judges
        judges.measure("confirming", [()])
        best, careful = found.proposal, self._without_cards_inside(found.careful)
        plans = [*found.front, found.careful, careful, *self.nearest().values()]
        judges.measure("confirming", list(dict.fromkeys(plans)))
        if not best:
            nothing = not self.searchers.measured[()].excess
            return _Choice(self, (), (), NEEDLESS if nothing else NOTHING_HELPS)
        if self._without_cards_inside(best) == best:
            careful = best
        elif self._is_shown(best) and self._is_shown(best, careful):
            return _Choice(self, best, best, PROPOSED)
        if careful and self._is_shown(careful):
            return _Choice(self, careful, careful, PROPOSED)
        return _Choice(self, careful or best, (), NO_GAIN_SHOWN)

    def nearest(self) -> dict[int, Plan]:
        """The goals that nothing tried reaches, few cards among them, and what comes nearest."""
        stands = self.searchers.measured[self.found.proposal].stands
        of_game = [goal for goal in self.found.nearest if goal >= len(self.meter.cards)]
        cards = [goal for goal in self.found.nearest if goal < len(self.meter.cards)]
        cards.sort(key=lambda goal: -abs(stands[goal]))
        return {goal: self.found.nearest[goal] for goal in of_game + cards[:_MOST_NEAREST]}

    def all_tried(self, goal: int) -> bool:
        """Whether every change that may move a goal was tried: a card's own, or all."""
        own = self.meter.names[goal] if goal < len(self.meter.cards) else None
        tried = set(self.found.tried)
        return all(
            number in tried or own not in (None, change.card_id)
            for number, change in enumerate(self.question.adjustments)
        )

    def gain(self, plan: Plan, beside: Plan = (), kind: str = "") -> tuple[float, float]:
        """By how much a plan misses goals by less than another, and the standard error of that.

        ``kind`` is one kind of goals; by default all are meant that were not set aside.
        """
        key = plan, beside, kind
        if key not in self._gains:
            self._gains[key] = self.judges.gain(plan, beside, self._goals(kind))
        return self._gains[key]

    def excess(self, plan: Plan, kind: str = "") -> Excess:
        """By how much a plan misses goals, ``kind`` as that of `gain`."""
        return self.judges.excess(plan, self._goals(kind))

    def games_to_show(self, plan: Plan) -> int | None:
        """Fresh games that show a gain as large as the one seen, nine times in ten."""
        return games_to_show(*self.gain(plan), self.question.confirm)

    def _goals(self, kind: str) -> npt.NDArray[np.bool_]:
        """The goals of a kind, by default all that were not set aside."""
        if kind:
            return self.meter.kinds[kind]
        goals = np.ones(len(self.meter.names), np.bool_)
        goals[list(self.found.aside)] = False
        return goals

    def _is_shown(self, plan: Plan, beside: Plan = ()) -> bool:
        """Whether a plan is shown to be a gain.  Few games show nothing."""
        gain, error = self.gain(plan, beside)
        enough = all(
            self.judges.measured[one].numbers.n.min() >= MIN_GAMES for one in (plan, beside)
        )
        return enough and gain > normal_z() * error

    def _without_cards_inside(self, plan: Plan) -> Plan:
        """A plan without the changes of cards that fresh games see inside the band."""
        beyond = dict(zip(self.meter.names, self.judges.measured[()].beyond, strict=True))
        changes = self.question.adjustments
        return tuple(
            one for one in plan if not changes[one].card_id or beyond[changes[one].card_id]
        )


def _experiments(question: Question) -> Experiments:
    return Experiments(question.pool, question.policy, question.games, question.seed)


def _begin(question: Question, folder: Path, hands: Hands) -> Laboratory:
    """Begin in a folder or take it up again.  Raises RunError."""
    with writing(folder):
        holds = sorted(
            one.name for one in folder.iterdir() if one.name[0] != "." and one.name != ABOUT
        )
    if holds and not {FOLDER.file, "search"} & set(holds):
        raise RunError(
            f"{folder} is not empty and not the folder of a rebalancing (it holds {holds[0]});"
            " choose another folder"
        )
    laboratory = Laboratory(
        _experiments(question), folder / "search", threads=hands.threads, executor=hands.executor
    )
    write_asked(FOLDER, folder, _manifest(question, laboratory))
    return laboratory


# ------------------------------------------------------------ what is written


def _manifest(question: Question, laboratory: Laboratory) -> dict[str, Any]:
    """What was asked for, and with which versions, as JSON values."""
    games = {"games": question.games, "confirm": question.confirm, "budget": question.budget}
    seeds = {"seed": question.seed, "fresh_seed": question.fresh_seed}
    lent = ("game", "rules_version", "sets", "set_names", "modes", "pool_hash", "policies")
    made = laboratory.manifest
    return {
        **{key: made[key] for key in (*lent, "versions") if key in made},
        "goals": asdict(question.goals, value_serializer=_as_json),
        "levers": list(dict.fromkeys(one.lever for one in question.adjustments)),
        "adjustments": {one.name: one.amount for one in question.adjustments},
        "most_changes": question.most,
        **games,
        **seeds,
    }


def _as_json(_goals: Any, _field: Any, value: Any) -> Any:
    """A value as it comes back from a JSON file."""
    return list(value) if isinstance(value, tuple) else value


def _result(
    question: Question, choice: _Choice, tables: Mapping[str, pd.DataFrame]
) -> dict[str, Any]:
    """What came of it, as JSON values."""
    found, goals = choice.confirmed.found, tables["goals"]
    side = "after_verdict" if choice.proposal else "before_verdict"
    kinds = goals.groupby("goal", sort=False)[side]
    unshown = choice.outcome == NO_GAIN_SHOWN
    of_cards = (tables["changes"]["card_id"] != "").any()
    return {
        "outcome": choice.outcome,
        "proposal": [question.adjustments[one].name for one in choice.proposal],
        "amount": question.amount(choice.proposal),
        "games_to_show": choice.confirmed.games_to_show(choice.candidate) if unshown else None,
        "reached_in_search": found.reached,
        "set_aside": [choice.confirmed.meter.names[goal] for goal in found.aside],
        "verdict": joint_verdict(goals[side]),
        "verdicts": {str(goal): joint_verdict(verdicts) for goal, verdicts in kinds},
        "allowed": len(question.adjustments),
        "tried": len(found.tried),
        "played": found.played,
        "games_of_search": found.played * question.games,
        "budget_spent": found.spent,
        "card_file": PROPOSAL_FILE if of_cards else None,
        "pool_file": f"{PROPOSAL_FOLDER}/pool.toml",
    }


def _write(
    question: Question,
    proposal: Pool,
    tables: Mapping[str, pd.DataFrame],
    manifest: dict[str, Any],
    folder: Path,
) -> None:
    """Write the tables, the proposal and the answer.  Raises RunError."""
    from analysis.tables import write_tables

    write_tables(tables, folder, identity(FOLDER, manifest, ""))
    files = {folder / PROPOSAL_FOLDER / name: data for name, data in pool_files(proposal).items()}
    cards = changed_cards(question.pool, proposal)
    path = folder / PROPOSAL_FILE
    if cards:
        text = format_cards(CardSet(path.stem, "Rebalanced", tuple(cards)))
        files[path] = text.encode()
    else:
        remove_file(path)  # of another question to the same folder
    for file, data in files.items():
        with writing(file.parent):
            file.parent.mkdir(parents=True, exist_ok=True)
        write_file(file, data)
    write_asked(FOLDER, folder, manifest)


def changed_cards(pool: Pool, proposal: Pool) -> list[Card]:
    """The cards that a proposal changes, each with its whole line of stages, by their ids."""
    old = {card.card_id: card for one in pool.sets for card in one.cards}
    new = {card.card_id: card for one in proposal.sets for card in one.cards}
    wanted = {card_id for card_id in new if new[card_id] != old[card_id]}
    for first in sorted(wanted):
        stage = new[first]
        while stage.evolves_to is not None:
            stage = new[stage.evolves_to]
            wanted.add(stage.card_id)
    return [new[card_id] for card_id in sorted(wanted)]


# ------------------------------------------------------------ tables


def _front(players: _Players, plans: Sequence[Plan], proposal: Plan) -> pd.DataFrame:
    """A row for each plan that is shown, from nothing changed; measured by these players."""
    question, meter = players.question, players.meter
    band, n_cards = question.goals.band, len(meter.cards)
    of_cards = meter.kinds[CARD]
    rows = []
    for number, plan in enumerate(plans):
        excess = players.excess(plan, of_cards)
        reach = normal_z() * excess.error
        numbers = players.measured[plan].numbers.estimate
        worst = int(np.nanargmax(np.abs(numbers[:n_cards])))
        of_game = dict(zip(meter.names[n_cards:], numbers[n_cards:], strict=True))
        rows.append(
            {
                "plan": number,
                "amount": question.amount(plan),
                "changes": " ".join(question.adjustments[one].name for one in plan),
                "in_words": "; ".join(_in_words(question, plan)),
                "proposed": bool(plan) and plan == proposal,
                "policy": question.policy,
                "n_games": question.games,
                "excess": excess.value * band,
                "excess_ci_low": max(excess.value - reach, 0.0) * band,
                "excess_ci_high": (excess.value + reach) * band,
                **with_interval("gain", players.gain(plan, (), of_cards) if plan else (0, 0), band),
                "cards_outside": int((np.abs(numbers[:n_cards]) > band).sum()),
                "worst_card": meter.cards[worst].name,
                "worst_advantage": numbers[worst],
                FIRST_PLAYER: of_game.get(FIRST_PLAYER, np.nan),
                TURNS: of_game.get(TURNS, np.nan),
            }
        )
    return pd.DataFrame(rows)


def _gains(meter: Meter, choice: _Choice) -> pd.DataFrame:
    """A row for each kind of goal: by how much less it is missed; none if nothing was found."""
    confirmed, plan = choice.confirmed, choice.candidate
    rows = []
    for kind, which in meter.kinds.items() if plan else ():
        unit = float(meter.reach[which][0])
        rows.append(
            {
                "goal": kind,
                "plan": choice.front.index(plan),
                "before": confirmed.excess((), kind).value * unit,
                "after": confirmed.excess(plan, kind).value * unit,
                **with_interval("gain", confirmed.gain(plan, (), kind), unit),
            }
        )
    columns = ["goal", "plan", "before", "after", "gain", "gain_ci_low", "gain_ci_high"]
    return pd.DataFrame(rows, columns=columns)


def _nearest(question: Question, meter: Meter, choice: _Choice) -> pd.DataFrame:
    """A row for each goal that nothing tried reaches: what comes nearest, and how near."""
    about = ["goal", "card_id", "name", "least", "most"]
    ends = {"estimate": "nearest", "ci_low": "nearest_ci_low", "ci_high": "nearest_ci_high"}
    rows = []
    for goal, plan in choice.confirmed.nearest().items():
        row = meter.table(choice.confirmed.judges.measured[plan]).iloc[goal]
        beyond = row["ci_low"] > row["most"] or row["ci_high"] < row["least"]
        rows.append(
            row[about].to_dict()
            | {name: row[end] for end, name in ends.items()}
            | {
                "changes": " ".join(question.adjustments[one].name for one in plan),
                "in_words": "; ".join(_in_words(question, plan)),
                "out_of_reach": bool(beyond and choice.confirmed.all_tried(goal)),
            }
        )
    columns = [*about, *ends.values(), "changes", "in_words", "out_of_reach"]
    return pd.DataFrame(rows, columns=columns)


def _in_words(question: Question, plan: Plan) -> list[str]:
    """What a plan changes: "Brain Fly: power 4 → 6", "life: 3 → 4"."""
    pool = adjusted(question.pool, (question.adjustments[one] for one in plan))
    return [
        (f"{one.name}: {one.what}" if one.name else f"{one.what}:")
        + f" {one.before or 'none'} \N{RIGHTWARDS ARROW} {one.after or 'none'}"
        for one in changes(question.pool, pool)
    ]


def _changes(question: Question, plan: Plan) -> pd.DataFrame:
    """A row for each thing that the proposal changes."""
    proposal = adjusted(question.pool, (question.adjustments[one] for one in plan))
    amounts: dict[tuple[str, str], int] = {}
    for change in (question.adjustments[one] for one in plan):
        key = change.card_id, change.lever.replace("_", " ")
        amounts[key] = amounts.get(key, 0) + change.amount
    columns = ["card_id", "name", "what", "before", "after"]
    table = pd.DataFrame(map(asdict, changes(question.pool, proposal)), columns=columns)
    keys = zip(table["card_id"], table["what"], strict=True)
    return table.assign(amount=[amounts[key] for key in keys])


def _goals(question: Question, meter: Meter, choice: _Choice) -> pd.DataFrame:
    """A row for each number that is asked about, before, and after if there is a proposal."""
    about = ["goal", "card_id", "name", "least", "most"]
    measured = choice.confirmed.judges.measured
    before = meter.table(measured[()])
    after = meter.table(measured[choice.proposal])
    if not choice.proposal:
        after = after.assign(n=0, estimate=np.nan, ci_low=np.nan, ci_high=np.nan, verdict="")
    parts = [before[about].assign(policy=question.policy)]
    for word, side in (("before", before), ("after", after)):
        names = {"estimate": word} | {
            name: f"{word}_{name}" for name in ("ci_low", "ci_high", "n", "verdict")
        }
        parts.append(side[[*names]].rename(columns=names))
    return pd.concat(parts, axis="columns")
