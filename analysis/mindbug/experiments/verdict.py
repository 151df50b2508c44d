"""Is this card too strong?  What is played to find out.

The folder holds ``verdict.json`` (what was asked) and the pool, and in folders of their own

- ``run`` and ``stronger``: the pool, played by the player asked about and by a stronger one;
- ``changes``: the card changed, one thing at a time, and an average card in its place, on deals of
  the run in which somebody is dealt the card, with the same luck;
- ``fresh`` and ``fresh-stronger``: the smallest changes that may bring the card into the band, on
  deals that had no part in choosing them.

Every folder can be resumed, and every number of games follows from what was asked, never from a
clock.  What the games say is in `analysis.mindbug.experiments.verdict_tables`.
"""

from collections.abc import Iterator, Mapping, Sequence
from itertools import combinations
from math import comb
from pathlib import Path
from typing import Any

import numpy as np
import numpy.typing as npt
import pandas as pd
from attrs import evolve, field, frozen

from analysis.estimates import Estimate, RatioSums, Z, estimate_rate
from analysis.experiments.watch import Watch, unwatched
from analysis.mindbug.experiments.sensitivity_games import Experiments, Laboratory
from analysis.mindbug.experiments.skill import compare_skill
from analysis.mindbug.experiments.skill_panel import strong_players
from analysis.mindbug.experiments.trials import Scores, Trials
from analysis.mindbug.runs import Run, open_run
from analysis.tables import analyze
from analysis.verdicts import BALANCED, BAND, judge
from card_data.mindbug import pool_files
from card_data.mindbug.adjustments import WEIGHTS
from card_data.mindbug.schema import MAX_POWER, MIN_POWER, Card, Pool
from card_data.mindbug.variants import (
    KEYWORDS,
    LINES,
    POWER,
    POWER_STEPS,
    VALUE,
    Variant,
    dealt_cards,
)
from card_data.mindbug.variants import variants_of as changes_of
from card_data.mindbug.vocabulary import Keyword
from simcore.mindbug import parse_player
from simcore.mindbug.play.asked import EXPERIMENT, differing, experiment_entries
from simcore.mindbug.play.run import new_run
from simcore.mindbug.players.seats import fingerprints
from simcore.mindbug.table.records import DEALT_EACH
from simcore.work.folder import FolderKind, begin, versions_of
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
# Games with the card: of each change, and on fresh deals of each that may do, the last by the
# stronger player.
_TRIED, _FRESH, _FRESH_STRONGER = 16_000, 30_000, 8_000
_FEWEST = 100
# Changes are tried on fresh deals that are the smallest to come this far into the band, as a share
# of it; where none does, that number of those that come nearest.
_DEPTHS, _NEAREST = (1.0, 0.7, 0.4), 2
# Changes besides those of power and keywords: another card, a few lines of text, all of them.
_OTHERS_TRIED = 4
# Steps of power that are tried only where smaller changes do not do.
_FURTHER_STEPS = (3, 4)


@frozen
class Case:
    """A card of a pool, who plays, and how much.

    ``stronger`` is the stronger player, "" for none; ``games`` are those of the run, to which all
    others are in proportion, 0 for the usual number.
    """

    pool: Pool
    card: Card
    policy: str = FIRST
    stronger: str = NEXT
    band: float = BAND
    games: int = 0
    seed: int = 0

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
    def tried_games(self) -> int:
        """Games of each change."""
        return self._in_proportion(_TRIED // self._slowness)

    @property
    def fresh_games(self) -> int:
        """Games, on fresh deals, of each change that may do."""
        return self._in_proportion(_FRESH // self._slowness)

    @property
    def fresh_stronger_games(self) -> int:
        """Those of the stronger player."""
        return self._in_proportion(_FRESH_STRONGER)

    @property
    def fresh_seed(self) -> int:
        """The seed of the fresh deals."""
        return self.seed + 1 if self.seed < 2**63 - 1 else 0

    @property
    def most_games(self) -> dict[str, int]:
        """How many games each player plays at most, by player."""
        n_tried = len(POWER_STEPS) + len(Keyword) + _OTHERS_TRIED
        games = {
            self.policy: self.run_games
            + (1 + n_tried) * self.tried_games
            + (1 + len(_DEPTHS)) * self.fresh_games
        }
        if self.stronger:
            games[self.stronger] = self.stronger_games + 2 * self.fresh_stronger_games
        return games

    @property
    def _slowness(self) -> int:
        return _SEARCHING if parse_player(self.policy).simulations else 1

    def _in_proportion(self, games: int) -> int:
        return max(games * self.run_games // self.usual_games, _FEWEST)


@frozen
class Plan:
    """A changed card: what is changed in words, and how much that counts (`adjustments`)."""

    label: str
    amount: int
    card: Card


@frozen
class Tried:
    """A change on some deals, beside the card as it is on the same deals, both by one player.

    ``rate`` is the win rate of players who were dealt the card, ``moved`` that rate less the rate
    of the card as it is; both of shape (1,).
    """

    plan: Plan
    policy: str
    fresh: bool
    games: int
    rate: Estimate
    moved: Estimate


@frozen
class Evidence:
    """What was played for a case.

    ``tables`` are those of the runs by their player, weaker first; ``compared`` sets the two side
    by side.  ``trials`` are the games of all one-step changes and of ``reference`` in the place of
    the card, on the games with these ``numbers`` of the run; ``base`` are these games as they are.
    """

    case: Case
    run: Run
    tables: Mapping[str, Mapping[str, pd.DataFrame]]
    compared: Mapping[str, pd.DataFrame]
    reference: Card
    numbers: npt.NDArray[np.int64]
    base: npt.NDArray[np.void]
    trials: Trials
    tried: Sequence[Tried]
    proposal: Plan | None
    manifest: Mapping[str, Any] = field(repr=False)

    @property
    def card_row(self) -> pd.Series:
        """The card in the table ``cards`` of the run."""
        return row_of(self.tables[self.case.policy]["cards"], self.case.card)


def row_of(cards: pd.DataFrame, card: Card) -> pd.Series:
    """The row of a card in a table with one row for each card."""
    return cards[cards["card_id"] == card.card_id].iloc[0]


def play_case(
    case: Case, folder: Path, *, watch: Watch = unwatched, threads: int | None = None
) -> Evidence:
    """Play everything that a verdict on a card needs, or what is missing of it.

    Raises RunError when the folder holds something else or cannot be written, or another process
    works there, and ValueError for a pool or player that cannot be played.  KeyboardInterrupt loses
    the pieces that are being played, and no other.
    """
    with holding(folder):
        begun = begin(FOLDER, folder, _asked(case), files=pool_files(case.pool))
        players = {case.policy: ("run", case.run_games)}
        if case.stronger:
            players[case.stronger] = ("stronger", case.stronger_games)
        runs = {
            player: _play_run(case, player, games, folder / name, watch, threads)
            for player, (name, games) in players.items()
        }
        tables = {player: _analyze(run, watch, threads) for player, run in runs.items()}
        compared = {}
        if len(runs) > 1:
            panel = [*runs] if strong_players([*runs]) == [*runs] else []
            compared = compare_skill([*runs.values()], [*tables.values()], panel)
        reference = _reference(tables[case.policy]["cards"], case)
        laboratory = _laboratory(case, case.policy, folder / "changes", threads=threads)
        with watch("playing the card as it is") as advance:
            base = laboratory.play_base(advance)
        variants = tuple(changes_of(case.card, reference, (VALUE, POWER, KEYWORDS, LINES)))
        with watch("trying changes") as advance:
            outcomes = laboratory.play([variant.card for variant in variants], advance)
        trials = Trials(case.card, reference, variants, tuple(outcomes))
        tried = list(_screened(case, base, trials))
        fresh = _fresh(case, tables[case.policy]["cards"], tried, folder, watch, threads)
        proposal = _proposal(case, fresh)
        fresh += _fresh_stronger(case, fresh, proposal, folder, watch, threads)
    return Evidence(
        case,
        runs[case.policy],
        tables,
        compared,
        reference,
        laboratory.numbers,
        base,
        trials,
        [*tried, *fresh],
        proposal,
        dict(begun.manifest),
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


def _play_run(
    case: Case, player: str, games: int, folder: Path, watch: Watch, threads: int | None
) -> Run:
    spec = new_run(case.pool, n_games=games, seed=case.seed, policies=(player, player))
    with watch(f"{player} plays") as advance:
        run_games(spec, folder, threads=threads, on_progress=advance)
    return open_run(folder)


def _analyze(run: Run, watch: Watch, threads: int | None) -> dict[str, pd.DataFrame]:
    with watch("analysing") as advance:
        return analyze(run.folder, threads=threads, on_progress=advance)


def _reference(cards: pd.DataFrame, case: Case) -> Card:
    """The most average of the other cards, by its advantage in the run.

    None that evolves or has dice, unless there is no other: such a card needs more than its place.
    """
    others = {card.card_id: card for card in dealt_cards(case.pool)}
    del others[case.card.card_id]
    plain = [card for card in others.values() if card.evolves_to is None and not card.dice]
    rows = cards[cards["card_id"].isin([card.card_id for card in plain or others.values()])]
    return others[rows.loc[rows["advantage"].abs().fillna(1).idxmin(), "card_id"]]


def _laboratory(
    case: Case,
    player: str,
    folder: Path,
    *,
    games: int = 0,
    fresh: bool = False,
    threads: int | None = None,
) -> Laboratory:
    """Where games with the card are played."""
    seed = case.fresh_seed if fresh else case.seed
    games = games or case.tried_games
    asked = Experiments(case.pool, player, games, seed, dealt=case.card.card_id)
    return Laboratory(asked, folder, threads=threads)


def measure(scores: Scores, card: Card, outcome: npt.NDArray[np.void]) -> tuple[Estimate, Estimate]:
    """The win rate of players dealt the card in the games of a variant, and how far it moved."""
    dealt = scores.dealt(card)
    held, points = dealt.sum(axis=1), scores.of(outcome, dealt)
    rate = estimate_rate(_sums(held, points))
    moved = points - scores.of(scores.base, dealt)
    # A difference has a normal interval, by the delta method (`sensitivity`).
    n, games = held.sum(), np.count_nonzero(held)
    mean = moved.sum() / n
    influence = (moved - mean * held) / n
    std_err = np.sqrt(influence @ influence * games / max(games - 1, 1))
    ends = np.array([mean]), np.array([mean - Z * std_err]), np.array([mean + Z * std_err])
    return rate, Estimate(*ends, np.array([std_err]), np.array([n]))


def _sums(n: npt.NDArray[np.int64], s: npt.NDArray[np.float64]) -> RatioSums:
    return RatioSums(*(np.array([float(one.sum())]) for one in (n > 0, n, s, n * n, n * s, s * s)))


def _screened(case: Case, base: npt.NDArray[np.void], trials: Trials) -> Iterator[Tried]:
    """The changes of power and keywords, one step each, on the deals of the run."""
    scores = Scores(case.pool, base)
    for variant, outcome in zip(trials.variants, trials.outcomes, strict=True):
        if amount := _amount(variant):
            found = measure(scores, case.card, outcome)
            plan = Plan(label_of(case.card, variant.card), amount, variant.card)
            yield Tried(plan, case.policy, False, len(base), *found)


def _amount(variant: Variant) -> int:
    """How much a change counts; 0 for one that is no step of power or keywords."""
    if variant.kind == "power":
        return abs(int(variant.change.removeprefix("power"))) * WEIGHTS[POWER]
    return WEIGHTS[KEYWORDS] if variant.kind in ("add_keyword", "remove_keyword") else 0


def label_of(card: Card, changed: Card) -> str:
    """What is changed: "power 7 → 6 and without TOUGH"."""
    parts = []
    if changed.power != card.power:
        parts.append(f"power {card.power} \N{RIGHTWARDS ARROW} {changed.power}")
    for word, ours, theirs in (("without", card, changed), ("with", changed, card)):
        if keywords := [one.name for one in sorted(ours.keywords - theirs.keywords)]:
            parts.append(f"{word} {' and '.join(keywords)}")
    return " and ".join(parts)


def candidates(case: Case, advantage: float, screened: Sequence[Tried]) -> list[Plan]:
    """The smallest changes that may bring a card into the band, by one step or by several.

    What several steps do together is predicted by adding up, and a further step of power by the
    last one.  Changes that make a card weaker by print come first for one that is too strong, and
    the reverse; others only where none of these may do.  Where nothing may do, the changes that
    come nearest.
    """
    side = 1 if advantage > 0 else -1
    singles = [(one.plan, float(one.rate.estimate[0]) - 0.5) for one in screened]
    by_print = [pair for pair in singles if _step_of(case.card, pair[0].card) == -side]
    joined = [*_joined(case.card, advantage, by_print, side)]
    for pool in (by_print, joined, singles):
        ranked = sorted(pool, key=lambda pair: (pair[0].amount, abs(pair[1])))
        found = [
            next((plan for plan, seen in ranked if abs(seen) <= depth * case.band), None)
            for depth in _DEPTHS
        ]
        if plans := [*dict.fromkeys(filter(None, found))]:
            return plans
    nearest = sorted([*by_print, *joined] or singles, key=lambda pair: abs(pair[1]))
    return [plan for plan, _ in nearest[:_NEAREST]]


def _step_of(card: Card, changed: Card) -> int:
    """1 for more power or keywords, -1 for less."""
    more = changed.power > card.power or changed.keywords > card.keywords
    return 1 if more else -1


def _joined(
    card: Card, advantage: float, singles: Sequence[tuple[Plan, float]], side: int
) -> Iterator[tuple[Plan, float]]:
    """Two steps of different things, and further steps of power, with their predicted advantage."""
    powers = {
        abs(plan.card.power - card.power): found
        for plan, found in singles
        if plan.card.power != card.power
    }
    for (one, first), (other, second) in combinations(singles, 2):
        changed = evolve(
            card,
            power=one.card.power + other.card.power - card.power,
            keywords=card.keywords
            ^ (one.card.keywords ^ card.keywords)
            ^ (other.card.keywords ^ card.keywords),
        )
        if one.card.power == card.power or other.card.power == card.power:
            plan = Plan(label_of(card, changed), one.amount + other.amount, changed)
            yield plan, first + second - advantage
    for step in _FURTHER_STEPS if {1, 2} <= powers.keys() else ():
        power = card.power - side * step
        if MIN_POWER <= power <= MAX_POWER:
            changed = evolve(card, power=power)
            predicted = powers[2] + (step - 2) * (powers[2] - powers[1])
            yield Plan(label_of(card, changed), step * WEIGHTS[POWER], changed), predicted


def _fresh(
    case: Case,
    cards: pd.DataFrame,
    screened: Sequence[Tried],
    folder: Path,
    watch: Watch,
    threads: int | None,
) -> list[Tried]:
    """The smallest changes that may do on fresh deals; none for a card inside the band."""
    advantage = float(row_of(cards, case.card)["advantage"])
    if not abs(advantage) > case.band or not screened:
        return []
    plans = candidates(case, advantage, screened)
    return _tried(case, case.policy, plans, case.fresh_games, folder / "fresh", watch, threads)


def _fresh_stronger(
    case: Case,
    fresh: Sequence[Tried],
    proposal: Plan | None,
    folder: Path,
    watch: Watch,
    threads: int | None,
) -> list[Tried]:
    """What the proposal, or what comes nearest, does between the stronger players."""
    if not fresh or not case.stronger:
        return []
    plans, games = [proposal or fresh[0].plan], case.fresh_stronger_games
    return _tried(case, case.stronger, plans, games, folder / "fresh-stronger", watch, threads)


def _tried(
    case: Case,
    player: str,
    plans: Sequence[Plan],
    games: int,
    folder: Path,
    watch: Watch,
    threads: int | None,
) -> list[Tried]:
    """Changes on fresh deals."""
    laboratory = _laboratory(case, player, folder, games=games, fresh=True, threads=threads)
    with watch(f"{player} plays fresh deals") as advance:
        base = laboratory.play_base(advance)
    with watch(f"{player} tries what may do") as advance:
        outcomes = laboratory.play([plan.card for plan in plans], advance)
    scores = Scores(case.pool, base)
    return [
        Tried(plan, player, True, len(base), *measure(scores, case.card, outcome))
        for plan, outcome in zip(plans, outcomes, strict=True)
    ]


def _proposal(case: Case, fresh: Sequence[Tried]) -> Plan | None:
    """The smallest change shown to bring the card into the band, else the smallest that seems to.

    None where fresh deals see none inside the band.
    """
    inside = [one for one in fresh if abs(float(one.rate.estimate[0]) - 0.5) <= case.band]
    shown = [one for one in inside if verdict_on(one.rate, case.band) == BALANCED]
    best = sorted(
        shown or inside,
        key=lambda one: (one.plan.amount, abs(float(one.rate.estimate[0]) - 0.5)),
    )
    return best[0].plan if best else None


def verdict_on(rate: Estimate, band: float) -> str:
    """The verdict on the win rate of one card, which is the only one that is asked about."""
    estimate, low, high = (ends - 0.5 for ends in (rate.estimate, rate.ci_low, rate.ci_high))
    advantage = Estimate(estimate, low, high, rate.std_err, rate.n)
    return str(judge(advantage, band=band)["verdict"].iloc[0])
