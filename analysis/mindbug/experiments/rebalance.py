"""Rebalancing a pool: which changes there are, the games of changed pools, and its tables.

The search and its folder are those of all games (`analysis.questions.rebalance`); the games lie
there as `sensitivity_games` keeps them.  The proposal is ``proposal.toml`` with the changed cards,
and ``proposal/`` with the whole pool.  Changes of cards that fresh games see inside the band stay
in the proposal only if they are shown to be a gain themselves.

`rebalance_goals` measures, `card_data.mindbug.adjustments` changes.
"""

from collections.abc import Iterator, Mapping, Sequence
from contextlib import nullcontext
from functools import cached_property
from pathlib import Path
from typing import Any, ClassVar

import numpy as np
import pandas as pd
from attrs import asdict, frozen

from analysis.experiments.goals import joint_verdict, with_interval
from analysis.experiments.rebalance_search import Found, Plan
from analysis.experiments.watch import Watch
from analysis.mindbug.experiments import rebalance_goals, usual
from analysis.mindbug.experiments.sensitivity_games import OUTCOME, Experiments, Laboratory
from analysis.questions import rebalance as shared
from analysis.questions.rebalance import PROPOSAL_FILE, Choice, Players
from analysis.registry import Table
from card_data.mindbug import pool_files
from card_data.mindbug.adjustments import Adjustment, adjusted
from card_data.mindbug.language.formatter import format_cards
from card_data.mindbug.pool import changes
from card_data.mindbug.schema import Card, CardSet, Pool
from card_data.mindbug.variants import dealt_alike
from simcore.arrays import Bools, Records
from simcore.work.hands import Hands

#: The folder with the whole pool that is proposed.
PROPOSAL_FOLDER = "proposal"

_USUAL_GOALS = rebalance_goals.Goals()
# Cards out of reach of which fresh games are played.
_MOST_NEAREST = 5


@frozen
class Question(shared.Question):
    """A pool that is to be balanced by some adjustments."""

    pool: Pool
    changes: tuple[Adjustment, ...]
    goals: rebalance_goals.Goals = _USUAL_GOALS
    policy: str = usual.PLAYER
    games: int = usual.CANDIDATE_GAMES
    confirm: int = usual.CONFIRM_GAMES
    budget: int = usual.SEARCH_GAMES
    most: int | None = None
    seed: int = 0

    front_table: ClassVar[Table] = rebalance_goals.FRONT

    @cached_property
    def meter(self) -> rebalance_goals.CardMeter:
        """Measures games of the pool."""
        return rebalance_goals.CardMeter(self.goals, self.pool)

    def amount_of(self, change: Adjustment) -> int:
        """The weight of an adjustment."""
        return change.amount

    def name_of(self, change: Adjustment) -> str:
        """An adjustment as a word."""
        return change.name

    def thing_of(self, change: Adjustment) -> tuple[str, ...]:
        """What an adjustment is one of."""
        return change.thing

    def goal_of(self, change: Adjustment) -> int:
        """The place of the changed card among those that are judged; -1 for a rule."""
        return self.meter.names.index(change.card_id) if change.card_id else -1

    def made(self, plan: Plan) -> Pool:
        """The pool with the changes of a plan."""
        return adjusted(self.pool, (self.changes[one] for one in plan))

    def in_words(self, plan: Plan) -> list[str]:
        """What a plan changes: "Brain Fly: power 4 → 6", "life: 3 → 4"."""
        return [
            (f"{one.name}: {one.what}" if one.name else f"{one.what}:")
            + f" {one.before or 'none'} \N{RIGHTWARDS ARROW} {one.after or 'none'}"
            for one in changes(self.pool, self.made(plan))
        ]

    def players(self, folder: Path, watch: Watch, hands: Hands) -> "PoolPlayers":
        """Who plays changed pools, in a folder."""
        return PoolPlayers(self, folder, watch, hands)

    def confirmation(
        self, found: Found, searchers: Players[Any], judges: Players[Any]
    ) -> "Confirmation":
        """Who judges what a search found."""
        return Confirmation(self, found, searchers, judges)

    def manifest(self, played: Mapping[str, Any]) -> dict[str, Any]:
        """The pool, the goals, and what may be changed."""
        lent = ("game", "rules_version", "sets", "set_names", "modes", "pool_hash", "policies")
        return {
            **{key: played[key] for key in (*lent, "versions") if key in played},
            "goals": asdict(self.goals, value_serializer=_as_json),
            "levers": list(dict.fromkeys(one.lever for one in self.changes)),
            "adjustments": {one.name: one.amount for one in self.changes},
        }

    def result(self, choice: Choice, tables: Mapping[str, pd.DataFrame]) -> dict[str, Any]:
        """What was set aside, what is shown of each kind of goal, and the files."""
        found, meter = choice.confirmed.found, self.meter
        side = "after_verdict" if choice.proposal else "before_verdict"
        kinds = tables["goals"].groupby("goal", sort=False)[side]
        of_cards = (tables["changes"]["card_id"] != "").any()
        return {
            "set_aside": [meter.names[goal] for goal in found.aside],
            "verdicts": {str(goal): joint_verdict(verdicts) for goal, verdicts in kinds},
            "allowed": len(self.changes),
            "card_file": PROPOSAL_FILE if of_cards else None,
            "pool_file": f"{PROPOSAL_FOLDER}/pool.toml",
        }

    def tables(self, choice: Choice) -> dict[str, pd.DataFrame]:
        """What the proposal changes, what is gained, and what is out of reach."""
        return {
            rebalance_goals.CHANGES.name: self._changed(choice.proposal),
            rebalance_goals.GAINS.name: rebalance_goals.GAINS.frame([*_gains(choice)]),
            rebalance_goals.NEAREST.name: rebalance_goals.NEAREST.frame([*_nearest(choice)]),
        }

    def _changed(self, plan: Plan) -> pd.DataFrame:
        """A row for each thing that the proposal changes."""
        amounts: dict[tuple[str, str], int] = {}
        for change in (self.changes[one] for one in plan):
            key = change.card_id, change.lever.replace("_", " ")
            amounts[key] = amounts.get(key, 0) + change.amount
        columns = ["card_id", "name", "what", "before", "after"]
        table = pd.DataFrame(map(asdict, changes(self.pool, self.made(plan))), columns=columns)
        keys = zip(table["card_id"], table["what"], strict=True)
        return table.assign(amount=[amounts[key] for key in keys])

    def of_front(self, players: Players[Any], plan: Plan) -> dict[str, Any]:
        """How many cards are outside the band, which one most, and the numbers of the game."""
        meter, numbers = self.meter, players.measured[plan].numbers.estimate
        n_cards = meter.n_entries
        worst = int(np.nanargmax(np.abs(numbers[:n_cards])))
        of_game = dict(zip(meter.names[n_cards:], numbers[n_cards:], strict=True))
        return {
            "cards_outside": int((np.abs(numbers[:n_cards]) > self.goals.band).sum()),
            "worst_card": meter.cards[worst].name,
            "worst_advantage": numbers[worst],
            rebalance_goals.FIRST_PLAYER: of_game.get(rebalance_goals.FIRST_PLAYER, np.nan),
            rebalance_goals.TURNS: of_game.get(rebalance_goals.TURNS, np.nan),
        }

    def files(self, plan: Plan) -> dict[str, bytes]:
        """The changed cards as a card file, and the whole pool."""
        proposal = self.made(plan)
        files = {f"{PROPOSAL_FOLDER}/{name}": data for name, data in pool_files(proposal).items()}
        if cards := changed_cards(self.pool, proposal):
            card_set = CardSet(Path(PROPOSAL_FILE).stem, "Rebalanced", tuple(cards))
            files[PROPOSAL_FILE] = format_cards(card_set).encode()
        return files


class PoolPlayers(Players[rebalance_goals.Dealt]):
    """Plays changed pools and measures them."""

    def __init__(self, question: Question, folder: Path, watch: Watch, hands: Hands) -> None:
        asked = Experiments(question.pool, question.policy, question.games, question.seed)
        self._laboratory = Laboratory(asked, folder, **hands.who)
        self._watch = watch
        self._base: Records | None = None
        super().__init__(question, question.meter, self._laboratory.manifest)

    @property
    def front_goals(self) -> Bools:
        """The front is about cards."""
        found: Bools = self.question.meter.kinds[rebalance_goals.CARD]
        return found

    def games(
        self,
        what: str,
        plans: Sequence[Plan],
        n: int | None = None,  # noqa: ARG002
    ) -> list[rebalance_goals.Dealt]:
        """The games of plans with their deals: their own, or those of the pool as it is."""
        if self._base is None:
            with self._watch("playing the pool") as advance:
                self._base = self._laboratory.play_base(advance)
        base = self._base
        pools = [self.question.made(plan) for plan in plans]
        with self._watch(what) if what and any(plans) else nullcontext() as advance:
            played = self._laboratory.play_pools(pools, advance)
        return [
            rebalance_goals.Dealt(
                games, base["cards"] if games.dtype == OUTCOME else games["cards"]
            )
            for games in played
        ]

    def alike(self, plan: Plan, other: Plan) -> bool:
        """Whether the games of two plans have the same deals."""
        question = self.question
        return all(dealt_alike(question.pool, question.made(one)) for one in (plan, other))


class Confirmation(shared.Confirmation):
    """Leaves cards alone that fresh games see inside the band, unless that loses a gain."""

    @property
    def plans(self) -> list[Plan]:
        """The plans that fresh games measure."""
        return [*super().plans, self.found.careful, self.careful, *self.nearest().values()]

    @property
    def careful(self) -> Plan:
        """The careful plan without changes of cards inside the band."""
        return self.kept(self.found.careful)

    def kept(self, plan: Plan) -> Plan:
        """A plan without the changes of cards that fresh games see inside the band."""
        beyond = dict(zip(self.question.meter.names, self.judges.measured[()].beyond, strict=True))
        every = self.question.changes
        return tuple(one for one in plan if not every[one].card_id or beyond[every[one].card_id])

    def nearest(self) -> dict[int, Plan]:
        """The goals that nothing tried reaches, few cards among them, and what comes nearest."""
        found, n_cards = self.found, self.judges.meter.n_entries
        stands = self.searchers.measured[found.proposal].stands
        of_game = [goal for goal in found.nearest if goal >= n_cards]
        cards = [goal for goal in found.nearest if goal < n_cards]
        cards.sort(key=lambda goal: -abs(stands[goal]))
        return {goal: found.nearest[goal] for goal in of_game + cards[:_MOST_NEAREST]}

    def all_tried(self, goal: int) -> bool:
        """Whether every change that may move a goal was tried: a card's own, or all."""
        meter, tried = self.question.meter, set(self.found.tried)
        own = meter.names[goal] if goal < meter.n_entries else None
        return all(
            number in tried or own not in (None, change.card_id)
            for number, change in enumerate(self.question.changes)
        )


def _gains(choice: Choice) -> Iterator[dict[str, Any]]:
    """A row for each kind of goal: by how much less it is missed; none if nothing was found."""
    confirmed, plan = choice.confirmed, choice.candidate
    meter = confirmed.question.meter
    for kind, which in meter.kinds.items() if plan else ():
        unit = float(meter.reach[which][0])
        yield {
            "goal": kind,
            "plan": choice.front.index(plan),
            "before": confirmed.excess((), which).value * unit,
            "after": confirmed.excess(plan, which).value * unit,
            **with_interval("gain", confirmed.gain(plan, (), which), unit),
        }


def _nearest(choice: Choice) -> Iterator[dict[str, Any]]:
    """A row for each goal that nothing tried reaches: what comes nearest, and how near."""
    confirmed, question = choice.confirmed, choice.confirmed.question
    assert isinstance(confirmed, Confirmation)
    ends = {"estimate": "nearest", "ci_low": "nearest_ci_low", "ci_high": "nearest_ci_high"}
    for goal, plan in confirmed.nearest().items():
        judges = confirmed.judges
        row = judges.meter.table(judges.measured[plan]).iloc[goal]
        beyond = row["ci_low"] > row["most"] or row["ci_high"] < row["least"]
        yield (
            row[["goal", "card_id", "name", "least", "most"]].to_dict()
            | {name: row[end] for end, name in ends.items()}
            | {
                "changes": " ".join(question.names(plan)),
                "in_words": "; ".join(question.in_words(plan)),
                "out_of_reach": bool(beyond and confirmed.all_tried(goal)),
            }
        )


def _as_json(_goals: Any, _field: Any, value: Any) -> Any:
    """A value as it comes back from a JSON file."""
    return list(value) if isinstance(value, tuple) else value


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
