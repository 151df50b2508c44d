"""Planted truths of comparisons and of runs that end when enough is known, on the real engine.

Part of docs/data/planted_truths.csv: `sections` has what `planted_table` plays at full size.
"""

from collections.abc import Sequence
from functools import partial, reduce

import numpy as np
import pandas as pd
from attrs import evolve
from scipy.special import ndtri

from analysis.estimates import adjust_p
from analysis.experiments.comparison import comparison_table, lines_z
from analysis.experiments.paired_sums import PairSums
from analysis.mindbug.paired_sums import PairCounter
from analysis.mindbug.stopping import PlayUntil
from analysis.simultaneous import BLOCKS
from analysis.stopping import Goal
from analysis.verdicts import SETTLED
from card_data.mindbug import load_pool
from card_data.mindbug.schema import Pool
from card_data.mindbug.variants import with_card
from simcore.mindbug.table.records import GAME_RECORD
from support.planted_truths import (
    CHUNK,
    COVERED,
    FIRST_CONTACT,
    MOST_FALSE,
    NOMINAL,
    RANDOM,
    RUNS,
    Section,
    Share,
    Table,
    of_each,
)

KING_OF_TOKYO = load_pool(["king_of_tokyo"])
MIXTURE = load_pool(["first_contact", "new_servants"])
_LINE = ["kind", "id", "policy", "measure"]


class Comparer:
    """Compares games of two pools, paired or not."""

    def __init__(self, base: Pool, variant: Pool, *, paired: bool) -> None:
        self.sides = Table(base), Table(variant)
        self.paired = paired
        self._counter = PairCounter(base, variant, RANDOM)
        self._lines = self._counter.lines

    def sums(self, seed: int, n_games: int) -> PairSums:
        """The sums of paired games."""

        def count(first: int) -> PairSums:
            games = [side.games(seed, min(CHUNK, n_games - first), first) for side in self.sides]
            return self._counter.count(*games)

        return reduce(PairSums.plus, of_each(count, range(0, n_games, CHUNK)))

    def table(self, sums: PairSums) -> pd.DataFrame:
        """The table of the usual verdicts, with a narrow band, by line; paired games only."""
        return comparison_table(sums, self._lines, self.paired, band=0.002).set_index(_LINE)

    def both(self, seed: int, n_games: int) -> tuple[pd.DataFrame, pd.DataFrame, float]:
        """The table of the usual verdicts, that of joint intervals, and their width."""
        none = np.empty(0, GAME_RECORD)
        count, blocks_each = self._counter.count_blocks, min(BLOCKS, n_games)
        if self.paired:
            games, others = (side.games(seed, n_games) for side in self.sides)
            sums, blocks = count(games, others, blocks_each)
        else:
            base, variant = (
                side.games(2 * seed + number, n_games) for number, side in enumerate(self.sides)
            )
            one, of_base = count(base, none, blocks_each)
            other, of_variant = count(none, variant, blocks_each)
            sums, blocks = one.plus(other), np.concatenate([of_base, of_variant])
        z = lines_z(self._lines, sums, blocks, paired=self.paired)
        tables = [
            comparison_table(sums, self._lines, self.paired, joint_z=width) for width in (None, z)
        ]
        return tables[0], tables[1], z


def shuffled(pool: Pool) -> Pool:
    """The same cards, some of them in each other's places: nothing changes but who is dealt them.

    Cards of one copy and no later stage, so that the number of copies at each place stays.
    """
    cards = list(pool.sets[0].cards)
    places = [n for n, card in enumerate(cards) if (card.copies, card.stage) == (1, 1)][:6]
    for one, other in zip(places[::2], places[1::2], strict=True):
        cards[one], cards[other] = cards[other], cards[one]
    return evolve(pool, sets=(evolve(pool.sets[0], cards=tuple(cards)), *pool.sets[1:]))


def nothing_changed(pool: Pool, seeds: Sequence[int], n_games: int, *, paired: bool) -> list[Share]:
    """Comparisons of a pool with itself: games of two seeds, or some cards in other places."""
    comparer = Comparer(pool, shuffled(pool) if paired else pool, paired=paired)

    def said(seed: int) -> tuple[bool, bool, bool, bool, bool]:
        usual, joint, z = comparer.both(seed, n_games)
        family = [usual["kind"], usual["measure"].where(usual["kind"] != "game", "")]
        by_selection = usual["p_value"].groupby(family).transform(lambda p: adjust_p(p.to_numpy()))
        tested = _counted(joint)
        within = tested["difference_ci_low"].le(0) & tested["difference_ci_high"].ge(0)
        return (
            bool(usual["verdict"].isin(SETTLED).any()),
            bool(joint["verdict"].isin(SETTLED).any()),
            bool(within.all()),
            z < -ndtri(NOMINAL / 2 / len(tested)),
            bool((by_selection < NOMINAL).any()),
        )

    usual, joint, covered, narrower, by_selection = (
        sum(column) for column in zip(*of_each(said, seeds), strict=True)
    )
    runs = len(seeds)
    return [
        Share("comparisons that say “changed” anywhere", usual, runs, most=MOST_FALSE),
        Share("the same, each selection corrected by itself as before", by_selection, runs),
        Share("the same with --simultaneous", joint, runs, most=MOST_FALSE),
        Share("comparisons whose joint intervals all hold", covered, runs, *COVERED),
        Share("joint intervals narrower than Bonferroni's", narrower, runs, 0.99),
    ]


def one_changed(
    pool: Pool, card_id: str, power: int, seeds: Sequence[int], n_games: int, n_truth: int
) -> list[Share]:
    """A card with another power: joint intervals against the differences in very many games.

    And whether the card is found in as many games as a comparison of ``n_games`` asks for, if what
    it sees is the truth; and how far off others are, which see what they see.
    """
    card = next(card for card in pool.sets[0].cards if card.card_id == card_id)
    comparer = Comparer(pool, with_card(pool, evolve(card, power=power)), paired=True)
    line = ("card", card_id, "random", "dealt")
    every = comparer.sums(0, n_truth)
    truth = comparer.table(every)["difference"].rename("true")

    def holds(seed: int) -> tuple[bool, bool]:
        _, joint, z = comparer.both(seed, n_games)
        tested = _counted(joint).set_index(_LINE).join(truth, how="inner")
        low, high = tested["difference_ci_low"], tested["difference_ci_high"]
        within = low.le(tested["true"]) & high.ge(tested["true"])
        return bool(within.all()), z < -ndtri(NOMINAL / 2 / len(tested))

    def asks_for(sums: PairSums) -> int:
        more = comparer.table(sums).loc[line, "more_games"]
        return n_games + (0 if pd.isna(more) else int(more))

    found = of_each(holds, seeds)
    covered, narrower = (sum(column) for column in zip(*found, strict=True))
    asked = asks_for(_part(every, n_games / n_truth))

    def finds(seed: int) -> bool:
        return comparer.table(comparer.sums(seed, asked)).loc[line, "verdict"] in SETTLED

    seen = sum(of_each(finds, seeds))
    others = of_each(lambda seed: asks_for(comparer.sums(seed, n_games)), seeds)
    fewer, more = (sum(2 * n < asked for n in others), sum(n > 2 * asked for n in others))
    runs = len(seeds)
    small = f"comparisons of {n_games:,} games that ask for"
    return [
        Share("comparisons whose joint intervals all hold", covered, runs, *COVERED),
        Share("joint intervals narrower than Bonferroni's", narrower, runs, 0.99),
        Share(f"comparisons of {asked:,} games that find the card", seen, runs, 0.8),
        Share(f"{small} less than half as many", fewer, runs),
        Share(f"{small} more than twice as many", more, runs),
    ]


def _part(sums: PairSums, share: float) -> PairSums:
    """The sums of fewer games in which everything is as frequent as in all of them."""
    lines, games = (np.rint(share * whole).astype(np.int64) for whole in (sums.lines, sums.games))
    return PairSums(lines, games, round(share * sums.same_deals))


def known_together(pool: Pool, precision: float, seeds: Sequence[int], n_truth: int) -> list[Share]:
    """Runs of --until: whether all cards are as near as said, and how many games that takes."""
    table = Table(pool)
    rule = PlayUntil(Goal(precision), table.compiled.cards, RANDOM)
    chunks = of_each(
        lambda first: rule.count(table.games(0, CHUNK, first)), range(0, n_truth, CHUNK)
    )
    sums = np.sum(chunks, axis=0)
    truth = rule.known(sums)

    def ended(seed: int) -> tuple[bool, int]:
        sums, n_games = rule.count(table.games(seed, 0)), 0
        while True:
            sums = sums + rule.count(table.games(seed, rule.part_games, n_games))
            n_games += rule.part_games
            if rule.look(sums, n_games).reached:
                known = rule.known(sums)
                return bool((abs(known.rate - truth.rate) <= known.half_width).all()), n_games

    runs = of_each(ended, seeds)
    right, games = (sum(column) for column in zip(*runs, strict=True))
    bonferroni = -ndtri(NOMINAL / 2 / len(truth.rate)) / (precision / 100)
    knowing = n_truth * float(truth.std_err.max() * bonferroni) ** 2
    copies = np.array([card.copies for card in table.compiled.cards])
    least = copies[copies > 0].min()
    deck, each = copies.sum(), 10
    absent = np.prod([(deck - each - i) / (deck - i) for i in range(least)])
    unknowing = bonferroni**2 / 4 / (2 * (1 - absent))
    ratio = games / len(seeds) / knowing
    return [
        Share("runs in which all cards hold", right, len(seeds), *COVERED),
        Share(
            f"games, of those of a number chosen without knowing the variances ({ratio:.2f} times"
            " those of one that knows them)",
            games,
            round(len(seeds) * unknowing),
            most=1.0,
        ),
    ]


def sections() -> list[Section]:
    """The experiments at full size: title, words, what is to be played."""
    pools = {"First Contact": FIRST_CONTACT, "King of Tokyo": KING_OF_TOKYO}
    few, runs = RUNS[:200], RUNS[:2_000]  # a run of joint intervals takes half a second
    found: list[Section] = []
    for name, pool in pools.items():
        for paired, how in (
            (False, "games of two seeds, compared as independent runs"),
            (True, "one seed, and six cards in each other's places, which changes nothing"),
        ):
            seeds = RUNS[:1_200] if pool is FIRST_CONTACT and not paired else few
            found.append(
                (
                    f"Nothing changed: {name}, {'paired' if paired else 'not paired'}",
                    f"{len(seeds):,} comparisons of {name} with itself, 4,000 games each: {how}."
                    " All lines of the table count.",
                    partial(nothing_changed, pool, seeds, 4_000, paired=paired),
                )
            )
    for name, card_id, power in (
        ("First Contact", "killer_bee", 8),
        ("King of Tokyo", "mechamster", 6),
    ):
        found.append(
            (
                f"One card changed: {name}",
                f"{len(few)} comparisons of {name} with {card_id} at power {power}, 4,000 games"
                f" each, against the differences in a million games; then {len(few)} with as many"
                " games as one of 4,000 asks for if it sees just these differences. Most see a"
                " difference nearer to zero or farther from it, so they ask for more games or for"
                " fewer.",
                partial(one_changed, pools[name], card_id, power, few, 4_000, 1_000_000),
            )
        )
    for name, pool in (*pools.items(), ("First Contact with New Servants", MIXTURE)):
        found.append(
            (
                f"Known together: {name}",
                f"{len(runs):,} runs of {name} with --until 2, against the rates of 4 million"
                " games, and the games that they take in all. The numbers chosen beforehand are for"
                " intervals of ±2 points that hold together by Bonferroni's correction.",
                partial(known_together, pool, 2, runs, 4_000_000),
            )
        )
    return found


def _counted(table: pd.DataFrame) -> pd.DataFrame:
    """The lines for which intervals are promised together."""
    return table[table["p_value"].notna() | (table["differing"] == 0).fillna(False)]
