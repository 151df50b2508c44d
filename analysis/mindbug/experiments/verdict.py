"""Is this card too strong?  What is played to find out.

The folder holds ``verdict.json`` (what was asked) and the pool, and in folders of their own

- ``run`` and ``stronger``: the pool, played by the player asked about and by a stronger one;
- ``changes``: the card changed, one thing at a time, and an average card in its place, on deals of
  the run in which somebody is dealt the card, with the same luck; and several things at a time, of
  which most play only the first deals, in ``few``;
- ``fresh`` and ``fresh-stronger``: the changes most likely to bring the card into the band, on
  deals that had no part in choosing them.

Every folder can be resumed, and every number of games follows from what was asked, never from a
clock.  What the games say is in `analysis.mindbug.experiments.verdict_tables`.
"""

from collections.abc import Iterator, Mapping, Sequence
from concurrent.futures import Executor
from math import comb
from pathlib import Path
from typing import Any

import numpy as np
import numpy.typing as npt
import pandas as pd
from attrs import evolve, field, frozen

from analysis.confidence import normal_z
from analysis.estimates import Estimate, RatioSums, estimate_rate
from analysis.experiments import verdict as shared
from analysis.experiments.smallest_change import Plan, Search, Step, Tried
from analysis.experiments.watch import Watch, unwatched
from analysis.mindbug.experiments.sensitivity import average_card
from analysis.mindbug.experiments.sensitivity_games import Experiments, Laboratory
from analysis.mindbug.experiments.skill import compare_skill
from analysis.mindbug.experiments.trials import Scores, Trials
from analysis.mindbug.experiments.usual import strong_players
from analysis.mindbug.runs import Run, open_run
from analysis.tables import analyze
from card_data.mindbug import pool_files
from card_data.mindbug.adjustments import WEIGHTS
from card_data.mindbug.schema import MAX_POWER, MIN_POWER, Card, Pool
from card_data.mindbug.variants import KEYWORDS, LINES, POWER, VALUE, Variant, dealt_cards
from card_data.mindbug.variants import variants_of as changes_of
from card_data.mindbug.vocabulary import Keyword
from simcore.mindbug import parse_player
from simcore.mindbug.play.asked import EXPERIMENT, differing, experiment_entries
from simcore.mindbug.play.run import new_run
from simcore.mindbug.players.seats import fingerprints
from simcore.mindbug.table.records import DEALT_EACH
from simcore.work.folder import FolderKind, begin, versions_of
from simcore.work.hands import Hands
from simcore.work.lock import holding
from simcore.work.runs import run_games

#: Who plays first, and the next stronger player, who shows by how much the verdict still moves.
FIRST, NEXT = "expert", "search:16"

#: The folder, and the file in it that says what was asked for.
FOLDER = FolderKind(
    "verdict",
    "verdict.json",
    1,
    "",
    {**EXPERIMENT, "card": str, "policies": [str], "games": range(1, 2**63)},
    differing=differing,
)

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
    policy: str = field(default=FIRST, kw_only=True)
    stronger: str = field(default=NEXT, kw_only=True)

    @property
    def usual_games(self) -> int:
        """Games of the run unless something else is asked for: more of a pool of many cards."""
        copies = sum(card.copies for card in dealt_cards(self.pool))
        without = comb(copies - self.card.copies, DEALT_EACH) / comb(copies, DEALT_EACH)
        wanted = _WITH_CARD / (2 * (1 - without))
        games = _STEP * round(min(max(wanted, _LEAST_GAMES), _MOST_GAMES) / _STEP)
        return games // self._slowness

    @property
    def run_games(self) -> int:
        """Games of the run."""
        return self.games or self.usual_games

    @property
    def stronger_games(self) -> int:
        """Games of the run of the stronger player."""
        return max(self.run_games * self._slowness // _SEARCHING, _FEWEST)

    @property
    def few_games(self) -> int:
        """The first games of a change with the card, after which it may be out of the race."""
        return self._in_proportion(_FEW // self._slowness)

    @property
    def tried_games(self) -> int:
        """Games with the card of a change that may do, and of every single step."""
        return self._in_proportion(_TRIED // self._slowness)

    @property
    def fresh_games(self) -> int:
        """Games with the card, on fresh deals, of each change that is most likely to do."""
        return self._in_proportion(_FRESH // self._slowness)

    @property
    def fresh_stronger_games(self) -> int:
        """Those of the stronger player, with one change."""
        return self._in_proportion(_FRESH_STRONGER)

    @property
    def _slowness(self) -> int:
        return _SEARCHING if parse_player(self.policy).simulations else 1

    def _in_proportion(self, games: int) -> int:
        return max(games * self.run_games // self.usual_games, _FEWEST)


@frozen(kw_only=True)
class Evidence(shared.Evidence):
    """What was played for a card.

    ``tables`` are those of the runs by their player, weaker first; ``compared`` sets the two side
    by side.  ``trials`` are the games of all one-step changes and of ``reference`` in the place of
    the card, on the games with these ``numbers`` of the run; ``base`` are these games as they are.
    ``swapped`` are they with the ``second`` most average card in the place of the reference: what a
    swap does that has next to no effect.
    """

    case: Case
    run: Run
    tables: Mapping[str, Mapping[str, pd.DataFrame]]
    compared: Mapping[str, pd.DataFrame]
    reference: Card
    second: Card
    swapped: npt.NDArray[np.void]
    numbers: npt.NDArray[np.int64]
    base: npt.NDArray[np.void]
    trials: Trials

    @property
    def card_row(self) -> pd.Series:
        """The card in the table ``cards`` of the run."""
        return row_of(self.tables[self.case.policy]["cards"], self.case.card)


def row_of(cards: pd.DataFrame, card: Card) -> pd.Series:
    """The row of a card in a table with one row for each card."""
    return cards[cards["card_id"] == card.card_id].iloc[0]


def play_case(
    case: Case,
    folder: Path,
    *,
    watch: Watch = unwatched,
    threads: int | None = None,
    executor: Executor | None = None,
) -> Evidence:
    """Play everything that a verdict on a card needs, or what is missing of it.

    Raises RunError when the folder holds something else or cannot be written, or another process
    works there, and ValueError for a pool or player that cannot be played.  KeyboardInterrupt loses
    the pieces that are being played, and no other.
    """
    hands = Hands(threads, executor)
    with holding(folder):
        begun = begin(FOLDER, folder, _asked(case), files=pool_files(case.pool))
        runs = {
            player: _play_run(case, player, games, folder / name, watch, hands)
            for player, (name, games) in case.players.items()
        }
        tables = {player: _analyze(run, watch, hands) for player, run in runs.items()}
        compared = {}
        if len(runs) > 1:
            panel = [*runs] if strong_players([*runs]) == [*runs] else []
            compared = compare_skill([*runs.values()], [*tables.values()], panel)
        rates = tables[case.policy]["cards"].set_index("card_id")["dealt_win_rate"].to_dict()
        reference = average_card(case.pool, rates, [case.card.card_id])
        second = average_card(case.pool, rates, [case.card.card_id, reference.card_id])
        games = _Games(case, folder, watch, hands)
        laboratory = games.laboratory("changes", case.policy, case.tried_games)
        with watch("playing the card as it is") as advance:
            base = laboratory.play_base(advance)
        variants = tuple(changes_of(case.card, reference, (VALUE, POWER, KEYWORDS, LINES)))
        with watch("trying changes") as advance:
            outcomes = laboratory.play([variant.card for variant in variants], advance)
        trials = Trials(case.card, reference, variants, tuple(outcomes))
        [swap] = changes_of(reference, second, (VALUE,))
        with watch("swapping two average cards") as advance:
            [swapped] = laboratory.play([swap.card], advance)
        stands = _stands(row_of(tables[case.policy]["cards"], case.card))
        tried, plans = _search(games, stands, [*_screened(case, base, trials)])
        fresh, proposal = shared.confirm(case, plans, games.play_fresh)
    return Evidence(
        case=case,
        tried=[*tried, *fresh],
        proposal=proposal,
        manifest=dict(begun.manifest),
        run=runs[case.policy],
        tables=tables,
        compared=compared,
        reference=reference,
        second=second,
        swapped=swapped,
        numbers=laboratory.numbers,
        base=base,
        trials=trials,
    )


def _asked(case: Case) -> dict[str, Any]:
    """Everything that the games depend on, and the versions, as JSON values."""
    players = list(filter(None, [case.policy, case.stronger]))
    return {
        **experiment_entries(case.pool),
        "card": case.card.card_id,
        "policies": players,
        "weights": fingerprints(players),
        "games": case.run_games,
        "seed": case.seed,
        "versions": versions_of("numba", "numpy"),
    }


def _play_run(case: Case, player: str, games: int, folder: Path, watch: Watch, hands: Hands) -> Run:
    spec = new_run(case.pool, n_games=games, seed=case.seed, policies=(player, player))
    with watch(f"{player} plays") as advance:
        run_games(
            spec,
            folder,
            threads=hands.threads,
            executor=hands.executor,
            on_progress=advance,
        )
    return open_run(folder)


def _analyze(run: Run, watch: Watch, hands: Hands) -> dict[str, pd.DataFrame]:
    with watch("analysing", unit="parts") as advance:
        return analyze(run.folder, threads=hands.threads, on_progress=advance)


@frozen
class _Games:
    """Plays games with the card, as far as the folder lacks them."""

    case: Case
    folder: Path
    watch: Watch
    hands: Hands

    def laboratory(self, name: str, player: str, games: int, seed: int | None = None) -> Laboratory:
        """Where games are played; with the seed of the run unless another is said."""
        case = self.case
        asked = Experiments(
            case.pool,
            player,
            games,
            case.seed if seed is None else seed,
            dealt=case.card.card_id,
        )
        return Laboratory(
            asked, self.folder / name, threads=self.hands.threads, executor=self.hands.executor
        )

    def play(self, plans: Sequence[Plan[Card]], games: int) -> list[Tried[Card]]:
        """Changes on deals of the run."""
        name = "changes" if games == self.case.tried_games else "few"
        laboratory = self.laboratory(name, self.case.policy, games)
        return self._tried(laboratory, plans, fresh=False)

    def play_fresh(self, player: str, games: int, plans: Sequence[Plan[Card]]) -> list[Tried[Card]]:
        """Changes on fresh deals."""
        name = "fresh" if player == self.case.policy else "fresh-stronger"
        laboratory = self.laboratory(name, player, games, self.case.fresh_seed)
        return self._tried(laboratory, plans, fresh=True)

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


def measure(scores: Scores, card: Card, outcome: npt.NDArray[np.void]) -> tuple[Estimate, Estimate]:
    """The advantage of players dealt the card in the games of a variant, and how far it moved."""
    dealt = scores.dealt(card)
    held, points = dealt.sum(axis=1), scores.of(outcome, dealt)
    rate = estimate_rate(_sums(held, points))
    moved = points - scores.of(scores.base, dealt)
    # A difference has a normal interval, by the delta method (`sensitivity`).
    n, games = held.sum(), np.count_nonzero(held)
    mean = moved.sum() / n
    influence = (moved - mean * held) / n
    std_err = np.sqrt(influence @ influence * games / max(games - 1, 1))
    reach = normal_z() * std_err
    ends = np.array([mean]), np.array([mean - reach]), np.array([mean + reach])
    return _less_half(rate), Estimate(*ends, np.array([std_err]), np.array([n]))


def _less_half(rate: Estimate) -> Estimate:
    """A win rate as an advantage."""
    estimate, low, high = (one - _HALF for one in (rate.estimate, rate.ci_low, rate.ci_high))
    return Estimate(estimate, low, high, rate.std_err, rate.n)


def _stands(row: pd.Series) -> Estimate:
    """The advantage of the card in the run, with its own interval."""
    names = ("dealt_win_rate", "dealt_ci_low", "dealt_ci_high")
    at, low, high = (np.array([row[name]]) - _HALF for name in names)
    return Estimate(at, low, high, np.array([row["std_err"]]), np.array([row["dealt_n"]]))


def _sums(n: npt.NDArray[np.int64], s: npt.NDArray[np.float64]) -> RatioSums:
    return RatioSums(*(np.array([float(one.sum())]) for one in (n > 0, n, s, n * n, n * s, s * s)))


def _screened(case: Case, base: npt.NDArray[np.void], trials: Trials) -> Iterator[Tried[Card]]:
    """The changes of power and keywords, one thing each, on the deals of the run."""
    scores = Scores(case.pool, base)
    for variant, outcome in zip(trials.variants, trials.outcomes, strict=True):
        if steps := _steps(variant):
            plan = Plan(steps, label_of(case.card, variant.card), variant.card)
            yield Tried(plan, case.policy, False, len(base), *measure(scores, case.card, outcome))


def _steps(variant: Variant) -> tuple[Step, ...]:
    """The steps of a change; none for one that is not of power or keywords."""
    if variant.kind == "power":
        by = int(variant.change.removeprefix("power"))
        return (Step(POWER, 1 if by > 0 else -1, WEIGHTS[POWER]),) * abs(by)
    if variant.kind in ("add_keyword", "remove_keyword"):
        by = 1 if variant.kind == "add_keyword" else -1
        return (Step(variant.change[1:], by, WEIGHTS[KEYWORDS]),)
    return ()


def change_of(card: Card, steps: tuple[Step, ...]) -> Plan[Card] | None:
    """A card with some steps of power and keywords; None where that is no card."""
    words = [step.thing for step in steps if step.thing != POWER]
    power = card.power + sum(step.by for step in steps if step.thing == POWER)
    if len({*words}) < len(words) or not MIN_POWER <= power <= MAX_POWER:
        return None
    changed = evolve(card, power=power, keywords=card.keywords ^ {Keyword[one] for one in words})
    return Plan(steps, label_of(card, changed), changed)


def label_of(card: Card, changed: Card) -> str:
    """What is changed: "power 7 → 6 and without TOUGH"."""
    parts = []
    if changed.power != card.power:
        parts.append(f"power {card.power} \N{RIGHTWARDS ARROW} {changed.power}")
    for word, ours, theirs in (("without", card, changed), ("with", changed, card)):
        if keywords := [one.name for one in sorted(ours.keywords - theirs.keywords)]:
            parts.append(f"{word} {' and '.join(keywords)}")
    return " and ".join(parts)


def _search(
    games: _Games, stands: Estimate, screened: list[Tried[Card]]
) -> tuple[list[Tried[Card]], list[Plan[Card]]]:
    """What was tried, and the changes to confirm; none for a card inside the band.

    A card that is too strong gets weaker by print, and the reverse, unless nothing of that may do:
    one more power can make a card weaker.
    """
    case = games.case
    if not abs(stands.estimate[0]) > case.band or not screened:
        return screened, []
    search = Search(
        case.band,
        stands,
        lambda steps: change_of(case.card, steps),
        games.play,
        case.few_games,
        case.tried_games,
    )
    weaker = -1 if stands.estimate[0] > 0 else 1
    steps = [one.plan.steps[0] for one in screened]
    tried = search.try_all(screened, [step for step in steps if step.by == weaker])
    return tried, search.to_confirm(tried)
