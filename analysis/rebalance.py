"""Rebalancing: small changes that bring a pool to its goals, found, and confirmed on fresh games.

The folder holds ``rebalance.json`` (the question and its answer), ``search/`` and ``confirm/`` (the
games, as `sensitivity_games` keeps them), ``tables/``, and the proposal: ``proposal.toml`` with the
changed cards, and ``proposal/`` with the whole pool.  The search sees the games of one seed, the
answer is estimated from those of another, which had no part in choosing it.

`rebalance_goals` measures, `rebalance_search` chooses, `card_data.adjustments` changes.
"""

from collections.abc import Callable, Mapping, Sequence
from contextlib import AbstractContextManager, nullcontext
from pathlib import Path
from typing import Any

import numpy as np
import numpy.typing as npt
import pandas as pd
from attrs import asdict, evolve, frozen

from analysis.estimates import Z
from analysis.rebalance_goals import (
    FIRST_PLAYER,
    MET,
    MISSED,
    NOT_SHOWN,
    TURNS,
    Goals,
    Measured,
    Meter,
    errors_inside,
)
from analysis.rebalance_search import Found, Plan, Problem, Stand, search
from analysis.sensitivity_games import OUTCOME, Experiments, Laboratory
from card_data import pool_files
from card_data.adjustments import Adjustment, adjusted
from card_data.mindbug.formatter import format_cards
from card_data.pool_changes import changes
from card_data.schema import Card, CardSet, Pool
from simcore.run_folder import VERSIONS, FolderKind, holding, identity, write_asked
from simcore.sealed import RunError, write_file, writing

#: Games of each candidate, of the fresh games that confirm, and of the whole search.
GAMES, CONFIRM, BUDGET = 50_000, 200_000, 20_000_000
#: The folder, and the file in it that says what was asked for, and what came of it.
FOLDER = FolderKind("rebalancing", "rebalance.json", 1, "", {"versions": VERSIONS})
#: The card file with the changed cards, and the folder with the whole pool.
PROPOSAL_FILE, PROPOSAL_FOLDER = "proposal.toml", "proposal"
#: The tables, as `rebalance` gives them.
REBALANCE_TABLES = ("front", "changes", "goals")

_USUAL_GOALS = Goals()
# A number must be allowed to lie this far from its middle, however few games confirm it.
_LEAST_AIM = 0.3

#: Says what is being played, and gives what is called with (games done, games in all).
Watch = Callable[[str], AbstractContextManager[Callable[[int, int], None]]]


@frozen
class Question:
    """What is to be balanced, by which changes, and how many games that may take.

    ``games`` are those of each candidate, ``confirm`` those that confirm the proposal, ``budget``
    those of the whole search.  ``most`` changes at most; None for any number.
    """

    pool: Pool
    adjustments: tuple[Adjustment, ...]
    goals: Goals = _USUAL_GOALS
    policy: str = "heuristic"
    games: int = GAMES
    confirm: int = CONFIRM
    budget: int = BUDGET
    most: int | None = None
    seed: int = 0

    @property
    def fresh_seed(self) -> int:
        """The seed of the games that confirm; those of two seeds have nothing in common."""
        return self.seed + 1 if self.seed < 2**63 - 1 else 0


@frozen
class Answer:
    """What came of it: the search, the proposed pool, the tables and what rebalance.json says."""

    found: Found
    proposal: Pool
    tables: dict[str, pd.DataFrame]
    manifest: dict[str, Any]

    @property
    def verdict(self) -> str:
        """What is shown of all goals together by the fresh games, one of `VERDICTS`."""
        return joint_verdict(self.tables["goals"]["after_verdict"])


def rebalance(
    question: Question,
    folder: Path,
    *,
    watch: Watch,
    solving: Callable[[], AbstractContextManager[object]] = nullcontext,
    threads: int | None = None,
) -> Answer:
    """Search, confirm, and write everything but the page.

    Games are played inside a context of ``watch``, integer programmes solved in one of ``solving``.

    Raises RunError when the folder holds something else or cannot be written or another process
    works there, and ValueError for a pool or player that cannot be played.  KeyboardInterrupt loses
    the pool that is being played, and no other.
    """
    with holding(folder):
        return _rebalance(question, folder, watch, solving, threads)


def _rebalance(
    question: Question,
    folder: Path,
    watch: Watch,
    solving: Callable[[], AbstractContextManager[object]],
    threads: int | None,
) -> Answer:
    """Search, confirm and write in a folder that nobody else works in."""
    laboratory = _begin(question, folder, threads)
    meter = Meter(question.goals, question.pool)
    players = _Players(question, laboratory, meter, watch)
    found = search(players.problem(), players.simulate, solving)
    proposal = adjusted(question.pool, (question.adjustments[one] for one in found.proposal))
    fresh = evolve(question, games=question.confirm, seed=question.fresh_seed)
    confirming = Laboratory(_experiments(fresh), folder / "confirm", threads=threads)
    judges = _Players(fresh, confirming, meter, watch)
    seen = dict(zip(found.front, judges.measure("confirming", found.front), strict=True))
    tables = {
        "front": _front(question, meter, found, seen, judges, players),
        "changes": _changes(question, found.proposal, proposal),
        "goals": _goals(question, meter, seen[()], seen[found.proposal]),
    }
    manifest = _manifest(question, laboratory) | _result(question, found, proposal, tables)
    _write(question, proposal, tables, manifest, folder)
    return Answer(found, proposal, tables, manifest)


def joint_verdict(verdicts: Sequence[str]) -> str:
    """What is shown of several goals together."""
    if all(verdict == MET for verdict in verdicts):
        return MET
    return MISSED if any(verdict == MISSED for verdict in verdicts) else NOT_SHOWN


class _Players:
    """Plays plans and measures them."""

    def __init__(
        self, question: Question, laboratory: Laboratory, meter: Meter, watch: Watch
    ) -> None:
        self._question, self._laboratory = question, laboratory
        self._meter, self._watch = meter, watch
        self._base: npt.NDArray[np.void] | None = None
        self.measured: dict[Plan, Measured] = {}

    def problem(self) -> Problem:
        """What the search is to solve; plays the pool as it is."""
        question, meter = self._question, self._meter
        (base,) = self.measure("", [()])
        inside = errors_inside((question.games / question.confirm) ** 0.5)
        places = {name: place for place, name in enumerate(meter.names)}
        changes = question.adjustments
        return Problem(
            amounts=tuple(change.amount for change in changes),
            things=tuple(change.thing for change in changes),
            own=tuple(places[one.card_id] if one.card_id else -1 for one in changes),
            n_cards=len(meter.cards),
            aim=np.maximum(1 - inside * base.errors, _LEAST_AIM),
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
                self.measured[plan] = self._meter.measure(games, self._deals_of(games))
        return [self.measured[plan] for plan in plans]

    def excess_error(self, plan: Plan) -> float:
        """Standard error of the excess of a plan that was measured."""
        games = self._games(plan)
        return self._meter.excess_error(self.measured[plan], games, self._deals_of(games))

    def _moved_errors(self, plan: Plan, beside: Plan) -> npt.NDArray[np.float64]:
        """Standard errors of the differences between two plans that were measured."""
        one, other = self._games(plan), self._games(beside)
        deals = [self._deals_of(games) for games in (one, other)]
        if deals[0] is not deals[1]:
            return np.hypot(self.measured[plan].errors, self.measured[beside].errors)
        return self._meter.moved_errors(one, other, deals[0])

    def _games(self, plan: Plan) -> npt.NDArray[np.void]:
        """The games of a plan that was played."""
        (games,) = self._laboratory.play_pools([self._pool(plan)])
        return games

    def _pool(self, plan: Plan) -> Pool:
        return adjusted(self._question.pool, (self._question.adjustments[one] for one in plan))

    def _deals_of(self, games: npt.NDArray[np.void]) -> npt.NDArray[np.int16]:
        """The deals of games: their own, or those of the pool as it is."""
        assert self._base is not None
        deals = self._base["cards"] if games.dtype == OUTCOME else games["cards"]
        return np.asarray(deals)


def _experiments(question: Question) -> Experiments:
    return Experiments(question.pool, question.policy, question.games, question.seed)


def _begin(question: Question, folder: Path, threads: int | None) -> Laboratory:
    """Begin in a folder or take it up again.  Raises RunError."""
    with writing(folder):
        holds = sorted(one.name for one in folder.iterdir() if not one.name.startswith("."))
    if holds and not {FOLDER.file, "search"} & set(holds):
        raise RunError(
            f"{folder} is not empty and not the folder of a rebalancing (it holds {holds[0]});"
            " choose another folder"
        )
    laboratory = Laboratory(_experiments(question), folder / "search", threads=threads)
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
        "goals": asdict(question.goals),
        "levers": list(dict.fromkeys(one.lever for one in question.adjustments)),
        "adjustments": {one.name: one.amount for one in question.adjustments},
        "most_changes": question.most,
        **games,
        **seeds,
    }


def _result(
    question: Question, found: Found, proposal: Pool, tables: Mapping[str, pd.DataFrame]
) -> dict[str, Any]:
    """What came of it, as JSON values."""
    goals = tables["goals"]
    kinds = goals.groupby("goal", sort=False)["after_verdict"]
    return {
        "proposal": [question.adjustments[one].name for one in found.proposal],
        "amount": sum(question.adjustments[one].amount for one in found.proposal),
        "reached_in_search": found.reached,
        "verdict": joint_verdict(goals["after_verdict"]),
        "verdicts": {str(goal): joint_verdict(verdicts) for goal, verdicts in kinds},
        "tried": len(found.tried),
        "played": found.played,
        "games_of_search": found.played * question.games,
        "budget_spent": found.spent,
        "card_file": PROPOSAL_FILE if _changed_cards(question.pool, proposal) else None,
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
    cards = _changed_cards(question.pool, proposal)
    path = folder / PROPOSAL_FILE
    if cards:
        text = format_cards(CardSet(path.stem, "Rebalanced", tuple(cards)))
        files[path] = text.encode()
    else:
        with writing(path):
            path.unlink(missing_ok=True)  # of another question to the same folder
    for file, data in files.items():
        with writing(file.parent):
            file.parent.mkdir(parents=True, exist_ok=True)
        write_file(file, data)
    write_asked(FOLDER, folder, manifest)


def _changed_cards(pool: Pool, proposal: Pool) -> list[Card]:
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


def _front(
    question: Question,
    meter: Meter,
    found: Found,
    seen: Mapping[Plan, Measured],
    judges: _Players,
    players: _Players,
) -> pd.DataFrame:
    """A row for each plan of the front, from nothing changed to the proposal."""
    band, n_cards = question.goals.band, len(meter.cards)
    rows = []
    for number, plan in enumerate(found.front):
        measured = seen[plan]
        reach = Z * judges.excess_error(plan) * band
        numbers = measured.numbers.estimate
        worst = int(np.nanargmax(np.abs(numbers[:n_cards])))
        of_game = dict(zip(meter.names[n_cards:], numbers[n_cards:], strict=True))
        rows.append(
            {
                "plan": number,
                "amount": sum(question.adjustments[one].amount for one in plan),
                "changes": " ".join(question.adjustments[one].name for one in plan),
                "in_words": "; ".join(_in_words(question, plan)),
                "proposed": plan == found.proposal,
                "policy": question.policy,
                "n_games": question.confirm,
                "excess": measured.excess * band,
                "excess_ci_low": max(measured.excess * band - reach, 0.0),
                "excess_ci_high": measured.excess * band + reach,
                "excess_in_search": players.measured[plan].excess * band,
                "cards_outside": int((np.abs(numbers[:n_cards]) > band).sum()),
                "worst_card": meter.cards[worst].name,
                "worst_advantage": numbers[worst],
                FIRST_PLAYER: of_game.get(FIRST_PLAYER, np.nan),
                TURNS: of_game.get(TURNS, np.nan),
            }
        )
    return pd.DataFrame(rows)


def _in_words(question: Question, plan: Plan) -> list[str]:
    """What a plan changes: "Brain Fly: power 4 → 6", "life: 3 → 4"."""
    pool = adjusted(question.pool, (question.adjustments[one] for one in plan))
    return [
        (f"{one.name}: {one.what}" if one.name else f"{one.what}:")
        + f" {one.before or 'none'} \N{RIGHTWARDS ARROW} {one.after or 'none'}"
        for one in changes(question.pool, pool)
    ]


def _changes(question: Question, plan: Plan, proposal: Pool) -> pd.DataFrame:
    """A row for each thing that the proposal changes."""
    amounts: dict[tuple[str, str], int] = {}
    for change in (question.adjustments[one] for one in plan):
        key = change.card_id, change.lever.replace("_", " ")
        amounts[key] = amounts.get(key, 0) + change.amount
    columns = ["card_id", "name", "what", "before", "after"]
    table = pd.DataFrame(map(asdict, changes(question.pool, proposal)), columns=columns)
    keys = zip(table["card_id"], table["what"], strict=True)
    return table.assign(amount=[amounts[key] for key in keys])


def _goals(question: Question, meter: Meter, before: Measured, after: Measured) -> pd.DataFrame:
    """A row for each number that is asked about, before and after."""
    about = ["goal", "card_id", "name", "least", "most"]
    sides = [meter.table(before), meter.table(after)]
    parts = [sides[0][about].assign(policy=question.policy)]
    for word, side in zip(("before", "after"), sides, strict=True):
        names = {"estimate": word} | {
            name: f"{word}_{name}" for name in ("ci_low", "ci_high", "n", "verdict")
        }
        parts.append(side[[*names]].rename(columns=names))
    return pd.concat(parts, axis="columns")
