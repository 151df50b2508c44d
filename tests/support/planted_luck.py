"""Whether the parts of the variance that luck is measured by have honest intervals.

Part of docs/data/planted_truths.csv: `sections` has what `planted_table` plays at full size.
"""

from collections.abc import Sequence

import numpy as np

from analysis.mindbug.experiments.luck import DEAL_RECORD, Deals, luck_table
from simcore.mindbug import compile_cards
from support.planted_truths import CHUNK, COVERED, FEWER, FIRST_CONTACT, Section, Share, of_each

PLAYERS = ("heuristic@0.02", "heuristic@0.02")


def coverage(seeds: Sequence[int], n_deals: int, n_truth: int) -> list[Share]:
    """How often the interval of each source contains the share that many deals have."""
    table = compile_cards(FIRST_CONTACT.sets, FIRST_CONTACT.modes)

    def play(seed: int, n: int) -> np.ndarray:
        found = np.zeros(n, DEAL_RECORD)
        Deals(table, seed, PLAYERS).play(0, found)
        return found

    many = np.concatenate(of_each(lambda seed: play(seed, CHUNK // 10), _beyond(seeds, n_truth)))
    truth = luck_table(many, "", equals=True).set_index("source")["share"]
    found = of_each(lambda seed: luck_table(play(seed, n_deals), "", equals=True), seeds)
    return [
        Share(
            source,
            sum(
                bool(row["share_ci_low"] <= truth[source] <= row["share_ci_high"])
                for one in found
                for _, row in one[one["source"] == source].iterrows()
            ),
            len(found),
            *COVERED,
        )
        for source in truth.index
    ]


def _beyond(seeds: Sequence[int], n_truth: int) -> range:
    """Seeds of other games, one for each chunk of the deals that tell the truth."""
    first = max(seeds) + 1
    return range(first, first + n_truth // (CHUNK // 10))


def sections() -> list[Section]:
    """The experiments at full size: title, words, and what plays them."""
    return [
        (
            "Luck and skill",
            f"{len(FEWER)} runs of First Contact between heuristic players, 1,000 deals of eight"
            " games each, against the shares in 100,000 deals.",
            lambda: coverage(FEWER, 1_000, 100_000),
        )
    ]
