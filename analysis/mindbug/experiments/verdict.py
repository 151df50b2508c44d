"""Is this card too strong?  What is played to find out.

In the runs of stronger players somebody is dealt the card in each game; that of the first player,
which says what the card works with as well, has all games.  Beside the runs
(`analysis.questions.verdict`) the folder holds

- ``changes``: the card changed, one thing at a time, and an average card in its place, on deals of
  the run in which somebody is dealt the card, with the same luck; and several things at a time, of
  which most play only the first deals, in ``few``;
- ``fresh`` and ``fresh-stronger``: the changes most likely to bring the card into the band, on
  deals that had no part in choosing them.

What the games say is in `analysis.mindbug.experiments.verdict_tables`.
"""

from collections import Counter
from collections.abc import Iterable, Mapping, Sequence
from functools import cached_property
from math import comb
from typing import Any

import numpy as np
import pandas as pd
from attrs import evolve, field, frozen

from analysis.estimates import Estimate, RatioSums, estimate_rate
from analysis.mindbug.card_strength import draws
from analysis.mindbug.experiments.sensitivity import average_card
from analysis.mindbug.experiments.sensitivity_games import Experiments, Laboratory
from analysis.mindbug.experiments.skill import compare_skill
from analysis.mindbug.experiments.strong import strong_tables
from analysis.mindbug.experiments.trials import Scores, Trials
from analysis.mindbug.experiments.usual import PLAYER, STRONG, STRONGER, strong_players
from analysis.questions import verdict as shared
from analysis.questions.smallest_change import Plan, Step, Tried
from analysis.verdicts import band_with_draws
from card_data.mindbug import pool_files
from card_data.mindbug.adjustments import WEIGHTS
from card_data.mindbug.schema import MAX_POWER, MIN_POWER, Card, Pool
from card_data.mindbug.variants import KEYWORDS, LINES, POWER, VALUE, Variant, dealt_cards
from card_data.mindbug.variants import variants_of as changes_of
from card_data.mindbug.vocabulary import Keyword
from simcore.arrays import Bools, Floats, Records
from simcore.mindbug import parse_player
from simcore.mindbug.play.asked import EXPERIMENT, differing, experiment_entries
from simcore.mindbug.play.run import new_run
from simcore.mindbug.play.setup import PoolSetup
from simcore.mindbug.table.records import DEALT, DEALT_EACH
from simcore.work.runs import RunSpec

#: The folder, and the file in it that says what was asked for.
FOLDER = shared.verdict_folder(1, {**EXPERIMENT, "card": str}, differing=differing)

# Player-games with the card that a run has, if that takes no fewer and no more games than these.
_WITH_CARD, _LEAST_GAMES, _MOST_GAMES, _STEP = 60_000, 100_000, 300_000, 10_000
# How many times fewer games a player who searches plays.
_SEARCHING = 5
# Games with the card: at first of each change, of those that may do, and on fresh deals of the most
# likely ones, the last by the stronger player.
_FEW, _TRIED, _FRESH, _FRESH_STRONGER = 2_000, 16_000, 30_000, 8_000
_FEWEST = 100
_HALF = 0.5


@frozen
class Case(shared.Case):
    """A card of a pool, who plays, and how much."""

    pool: Pool
    card: Card
    policy: str = field(default=PLAYER, kw_only=True)
    stronger: str = field(default=STRONGER, kw_only=True)
    #: A strong player and their games with the card, who say what it is where the strong play; 0
    #: for none.
    strong: str = field(default=STRONG, kw_only=True)
    strong_games: int = field(default=0, kw_only=True)

    number = "win_rate"
    fair = _HALF

    @cached_property
    def setup(self) -> PoolSetup:
        """The pool."""
        return PoolSetup(self.pool)

    @property
    def about(self) -> dict[str, str]:
        """The card."""
        return {"card_id": self.card.card_id, "name": self.card.name}

    @property
    def entries(self) -> dict[str, Any]:
        """The pool and the card."""
        return {**experiment_entries(self.pool), "card": self.card.card_id}

    def seats(self, player: str) -> tuple[str, str]:
        """A player against their equal."""
        return player, player

    @property
    def least_games(self) -> dict[str, int]:
        """Those of the strong player as well."""
        more = {self.strong: self.strong_games} if self.strong_games else {}
        return super().least_games | more

    @property
    def sizes(self) -> shared.Sizes:
        """Of a pool of many cards more; but for those of the first run, games with the card."""
        slow = _SEARCHING if parse_player(self.policy).simulations else 1
        copies = sum(card.copies for card in dealt_cards(self.pool))
        of_player, of_game = (
            1 - comb(copies - self.card.copies, dealt) / comb(copies, dealt)
            for dealt in (DEALT_EACH, DEALT)
        )
        wanted = min(max(_WITH_CARD / (2 * of_player), _LEAST_GAMES), _MOST_GAMES)
        usual = _STEP * round(wanted / _STEP) // slow
        run = self.games or usual
        few, tried, fresh, fresh_stronger = (
            max(games * run // usual, _FEWEST)
            for games in (_FEW // slow, _TRIED // slow, _FRESH // slow, _FRESH_STRONGER)
        )
        stronger = max(round(of_game * run * slow / _SEARCHING), _FEWEST)
        return shared.Sizes(run, stronger, few, tried, fresh, fresh_stronger)

    def change_of(self, steps: tuple[Step, ...]) -> Plan[Card] | None:
        """A card with some steps of power and keywords; None where that is no card."""
        card, words = self.card, [step.thing for step in steps if step.thing != POWER]
        power = card.power + sum(step.by for step in steps if step.thing == POWER)
        if len({*words}) < len(words) or not MIN_POWER <= power <= MAX_POWER:
            return None
        keywords = card.keywords ^ {Keyword[one] for one in words}
        changed = evolve(card, power=power, keywords=keywords)
        return Plan(steps, label_of(card, changed), changed)


def each_once(variants: Iterable[Variant]) -> tuple[Variant, ...]:
    """Changes without those that make the same card as an earlier one.

    Without its only line a card is the card without all its text.
    """
    found: list[Variant] = []
    for variant in variants:
        if all(variant.card != one.card for one in found):
            found.append(variant)
    return tuple(found)


class Experiment(shared.Experiment):
    """Everything that is played for a card.

    ``trials`` are the games of all one-step changes and of ``reference`` in the place of the card,
    on the games with these ``numbers`` of the run; ``base`` are these games as they are.
    ``strong`` is what cards are where the strong play, as `strong_tables` has it; empty without
    games of theirs.
    """

    kind = FOLDER
    case: Case

    def play_all(self) -> None:
        """Play the games of the strong player as well, if any are asked for."""
        super().play_all()
        self.strong: dict[str, pd.DataFrame] = {}
        case = self.case
        if case.strong_games:
            run, tables = self.analyzed(case.strong, case.strong_games, case.seed, "strong")
            runs: list[Any] = [*self.runs.values(), run]
            self.strong = strong_tables(runs, [*self.tables.values(), tables])

    @property
    def games(self) -> dict[str, int]:
        """Those of the strong player as well."""
        return dict(Counter(super().games) + Counter({self.case.strong: self.case.strong_games}))

    @property
    def files(self) -> Mapping[str, bytes]:
        """The pool."""
        return pool_files(self.case.pool)

    def spec(self, player: str, games: int, seed: int) -> RunSpec:
        """Games of a player against their equal; those of stronger ones have the card."""
        pool, dealt = self.case.pool, "" if player == self.case.policy else self.case.card.card_id
        seats = self.case.seats(player)
        return new_run(pool, n_games=games, seed=seed, policies=seats, dealt=dealt)

    @cached_property
    def compared(self) -> dict[str, pd.DataFrame]:
        """The tables that set two players side by side."""
        players = [*self.runs]
        if len(players) < 2:
            return {}
        panel = players if strong_players(players) == players else []
        runs: list[Any] = [*self.runs.values()]
        return compare_skill(runs, [*self.tables.values()], panel)

    def row(self, player: str) -> pd.Series:
        """The card in the table ``cards`` of a player's run."""
        cards = self.tables[player]["cards"]
        return cards[cards["card_id"] == self.case.card.card_id].iloc[0]

    def play_instead(self, player: str) -> None:
        """Play the card as it is, its changes, and two average cards, by the first player alone."""
        if player != self.case.policy:
            return
        pool, card, cards = self.case.pool, self.case.card, self.tables[player]["cards"]
        self.case = evolve(self.case, band=band_with_draws(draws(cards), self.case.band))
        rates = cards.set_index("card_id")["dealt_win_rate"].to_dict()
        self.reference = average_card(pool, rates, [card.card_id])
        second = average_card(pool, rates, [card.card_id, self.reference.card_id])
        self.average, self.second = self.reference.name, second.name
        laboratory = self._laboratory("changes", player, self.case.sizes.tried)
        self.numbers = laboratory.numbers
        with self.watch("playing the card as it is") as advance:
            self.base = laboratory.play_base(advance)
        variants = each_once(changes_of(card, self.reference, (VALUE, POWER, KEYWORDS, LINES)))
        with self.watch("trying changes") as advance:
            outcomes = laboratory.play([variant.card for variant in variants], advance)
        self.trials = Trials(card, self.reference, variants, tuple(outcomes))
        [swap] = changes_of(self.reference, second, (VALUE,))
        with self.watch("swapping two average cards") as advance:
            [alike] = laboratory.play([swap.card], advance)
        [place] = [n for n, one in enumerate(variants) if one.kind == VALUE]
        self.alone, self.moved = self._turns(card, outcomes[place])
        self.swapped = self.moved[self.alone]
        of_average, moved = self._turns(self.reference, alike)
        self.alike = moved[of_average]

    def _turns(self, card: Card, swapped: Records) -> tuple[Bools, Floats]:
        """Which games have one player with the card, and what they win more than after a swap."""
        scores = Scores(self.case.pool, self.base)
        dealt = scores.dealt(card)
        moved = scores.of(self.base, dealt) - scores.of(swapped, dealt)
        return dealt.sum(axis=1) == 1, moved

    def stands_for(self, player: str) -> Estimate:
        """The advantage of the card in the run of a player, with its own interval."""
        row, names = self.row(player), ("dealt_win_rate", "dealt_ci_low", "dealt_ci_high")
        at, low, high = (np.array([row[name]]) - _HALF for name in names)
        return Estimate(at, low, high, np.array([row["std_err"]]), np.array([row["dealt_n"]]))

    def play_singles(self) -> list[Tried[Card]]:
        """The changes of power and keywords, one thing each, on the deals of the run."""
        case, scores = self.case, Scores(self.case.pool, self.base)
        found = []
        for variant, outcome in zip(self.trials.variants, self.trials.outcomes, strict=True):
            if steps := _steps(variant):
                plan = Plan(steps, label_of(case.card, variant.card), variant.card)
                measured = measure(scores, case.card, outcome)
                found.append(Tried(plan, case.policy, False, len(self.base), *measured))
        return found

    def usual_steps(self, singles: Sequence[Tried[Card]]) -> list[Step]:
        """Those that make a card that is too strong weaker by print, and the reverse.

        One more power can make a card weaker.
        """
        weaker = -1 if self.stands.estimate[0] > 0 else 1
        return [step for step in super().usual_steps(singles) if step.by == weaker]

    def play_changes(self, plans: Sequence[Plan[Card]], games: int) -> list[Tried[Card]]:
        """Changes on deals of the run."""
        name = "changes" if games == self.case.sizes.tried else "few"
        return self._tried(self._laboratory(name, self.case.policy, games), plans, fresh=False)

    def play_fresh(self, player: str, games: int, plans: Sequence[Plan[Card]]) -> list[Tried[Card]]:
        """Changes on fresh deals."""
        name = "fresh" if player == self.case.policy else "fresh-stronger"
        laboratory = self._laboratory(name, player, games, self.case.fresh_seed)
        return self._tried(laboratory, plans, fresh=True)

    def _laboratory(
        self, name: str, player: str, games: int, seed: int | None = None
    ) -> Laboratory:
        """Where games with the card are played; with the seed of the run unless another is said."""
        case, seed = self.case, self.case.seed if seed is None else seed
        asked = Experiments(case.pool, player, games, seed, dealt=case.card.card_id)
        return Laboratory(asked, self.folder / name, **self.hands.who)

    def _tried(
        self, laboratory: Laboratory, plans: Sequence[Plan[Card]], *, fresh: bool
    ) -> list[Tried[Card]]:
        player, deals = laboratory.experiments.policy, "fresh deals" if fresh else "the same deals"
        with self.watch(f"{player} plays {deals}") as advance:
            base = laboratory.play_base(advance)
        with self.watch(f"{player} tries changes on {deals}") as advance:
            outcomes = laboratory.play([plan.made for plan in plans], advance)
        scores = Scores(self.case.pool, base)
        return [
            Tried(plan, player, fresh, len(base), *measure(scores, self.case.card, outcome))
            for plan, outcome in zip(plans, outcomes, strict=True)
        ]


def measure(scores: Scores, card: Card, outcome: Records) -> tuple[Estimate, Estimate]:
    """The advantage of players dealt the card in the games of a variant, and how far it moved."""
    dealt = scores.dealt(card)
    n = dealt.sum(axis=1)
    rate = estimate_rate(RatioSums.of_games(n[:, None], scores.of(outcome, dealt)[:, None]))
    # A difference has a normal interval, by the delta method.
    moved = scores.held(outcome, dealt).effect
    at, low, high = (end - _HALF for end in rate[:3])
    advantage = rate._replace(estimate=at, ci_low=low, ci_high=high)
    return advantage, Estimate.normal([moved.estimate], [moved.std_err], [n.sum()])


def _steps(variant: Variant) -> tuple[Step, ...]:
    """The steps of a change; none for one that is not of power or keywords."""
    if variant.kind == "power":
        by = int(variant.change.removeprefix("power"))
        return (Step(POWER, 1 if by > 0 else -1, WEIGHTS[POWER]),) * abs(by)
    if variant.kind in ("add_keyword", "remove_keyword"):
        by = 1 if variant.kind == "add_keyword" else -1
        return (Step(variant.change[1:], by, WEIGHTS[KEYWORDS]),)
    return ()


def label_of(card: Card, changed: Card) -> str:
    """What is changed: "power 7 → 6 and without TOUGH"."""
    parts = []
    if changed.power != card.power:
        parts.append(f"power {card.power} \N{RIGHTWARDS ARROW} {changed.power}")
    for word, ours, theirs in (("without", card, changed), ("with", changed, card)):
        if keywords := [one.name for one in sorted(ours.keywords - theirs.keywords)]:
            parts.append(f"{word} {' and '.join(keywords)}")
    return " and ".join(parts)
