"""Whether shrunk intervals keep their word: planted families, and real ones of both games.

Part of docs/data/planted_truths.csv: `sections` has what `planted_table` plays at full size.  What
counts is the share of all intervals of a family that hold the truth.  Real truths are not known
exactly, so an interval of a small run is held against the estimate of a much larger one, wider by
its error.
"""

from collections.abc import Callable, Sequence
from functools import partial, reduce
from operator import add

import numpy as np
import pandas as pd

from analysis.confidence import normal_z
from analysis.mice_and_mystics.counts import RunCounts
from analysis.mice_and_mystics.run_facts import RunFacts
from analysis.mice_and_mystics.treatments import (
    abilities_table,
    encounters_table,
    search_cards_table,
)
from analysis.mindbug.pair_tallies import PairTally, tally_pairs
from analysis.mindbug.pairs import from_other_side, pairs_table
from analysis.shrinkage import shrink
from analysis.simultaneous import apart_z
from card_data.mice_and_mystics.settings import read_settings
from simcore.mice_and_mystics.play.simulate import play_games
from simcore.mice_and_mystics.table.compile_facts import compile_facts
from support.mice_and_mystics.table import CHAPTER_1, PARTY, base_facts
from support.planted_truths import (
    CHUNK,
    COVERED,
    FEWER,
    FIRST_CONTACT,
    RANDOM,
    Section,
    Share,
    Table,
    covered,
    of_each,
)

SIZES, RATIOS = (8, 24, 96, 512), (0.0, 0.25, 0.5, 1.0, 2.0, 4.0)
#: From this standard deviation of the truths on, in errors, no more than 97% are to hold.
SPREAD = 1.0
_TREATMENTS = {
    "abilities": abilities_table,
    "search cards": search_cards_table,
    "first encounters": encounters_table,
}
_PAIR = ["card_a", "card_b"]
_OTHER_WAY = {"card_a": "card_b", "card_b": "card_a"}

Draw = Callable[[np.random.Generator, int], np.ndarray]
#: Truths of standard deviation 1, by what they are called.
TRUTHS: dict[str, Draw] = {
    "normal": lambda rng, n: rng.standard_normal(n),
    "evenly spread": lambda rng, n: rng.uniform(-(3**0.5), 3**0.5, n),
    "with long tails": lambda rng, n: rng.standard_t(3, n) / 3**0.5,
    "nine in ten of them zero": lambda rng, n: np.where(
        rng.random(n) < 0.1, rng.normal(0, 10**0.5, n), 0
    ),
}


def held(n: int, ratio: float, draw: Draw, rows: int) -> tuple[int, int]:
    """How many intervals hold the truth, of how many, in families of ``n`` rows.

    Truths have a standard deviation of ``ratio``, and errors of 0.7, 1 and 1.3.
    """

    def family(seed: int) -> np.ndarray:
        rng = np.random.default_rng((seed, n))
        truth = ratio * draw(rng, n)
        std_err = rng.choice([0.7, 1.0, 1.3], n)
        shrunk = shrink(rng.normal(truth, std_err), std_err)
        return (shrunk.ci_low <= truth) & (truth <= shrunk.ci_high)

    hits = of_each(family, range(max(rows // n, 4)))
    return int(np.sum(hits)), np.size(hits)


def planted(truths: str, rows: int, ratios: Sequence[float] = RATIOS) -> list[Share]:
    """Families of all sizes, with truths that spread more and more."""
    return [
        Share(
            f"{n} rows, truths that spread {ratio:g} errors",
            *held(n, ratio, TRUTHS[truths], rows),
            COVERED[0],
            COVERED[1] if ratio >= SPREAD and truths != "nine in ten of them zero" else np.nan,
        )
        for n in SIZES
        for ratio in ratios
    ]


def pairs(seeds: Sequence[int], n_games: int, n_truth: int) -> list[Share]:
    """Pairs of cards of First Contact, on one side and on opposing sides."""
    table = Table(FIRST_CONTACT)

    def tally(seed: int, first: int, n: int) -> PairTally:
        return tally_pairs(table.games(seed, n, first), len(table.named))

    def found(counted: PairTally) -> list[pd.DataFrame]:
        return [
            pairs_table(counted, table.named, RANDOM, opposed=opposed).set_index(_PAIR)
            for opposed in (False, True)
        ]

    parts = of_each(lambda first: tally(0, first, CHUNK), range(0, n_truth, CHUNK))
    one_side, opposing = found(reduce(PairTally.plus, parts))
    # A matchup is told from the card that does better, and luck says which that is in a small run.
    turned = from_other_side(opposing.reset_index()).rename(columns=_OTHER_WAY).set_index(_PAIR)
    truths = one_side, pd.concat([opposing, turned])
    runs = of_each(lambda seed: found(tally(seed, 0, n_games)), seeds)
    return [
        covered(
            f"pairs on {sides}",
            [_real(run[place], truths[place], "shrunk", "interaction") for run in runs],
        )
        for place, sides in enumerate(("one side", "opposing sides"))
    ]


def treatments(seeds: Sequence[int], n_games: int, n_truth: int, player: str) -> list[Share]:
    """What is drawn at random in the first chapter of Mice & Mystics."""
    settings = read_settings(base_facts(), CHAPTER_1, PARTY)
    table, facts = compile_facts(base_facts(), settings), RunFacts(base_facts(), settings, player)

    def count(seed: int, first: int, n: int) -> RunCounts:
        games = play_games(table, n_games=n, seed=seed, first_game=first, players=(player,))
        return RunCounts.of_no_games(facts).count(games)

    parts = of_each(lambda first: count(0, first, CHUNK), range(0, n_truth, CHUNK))
    of_all = reduce(add, parts)
    truths = {what: make(of_all) for what, make in _TREATMENTS.items()}

    def inside(seed: int) -> dict[str, np.ndarray]:
        run = count(seed, 0, n_games)
        return {
            what: _real(make(run), truths[what], "win_effect_shrunk", "win_effect")
            for what, make in _TREATMENTS.items()
        }

    runs = of_each(inside, seeds)
    return [covered(what, [one[what] for one in runs]) for what in _TREATMENTS]


def _real(run: pd.DataFrame, large: pd.DataFrame, shrunk: str, plain: str) -> np.ndarray:
    """Which shrunk intervals of a run hold the plain estimates of a much larger one.

    Its error is that of a single estimate: the intervals of a family are wider, to hold together.
    """
    large = large.reindex(run.index)
    truth, low, high = (large[f"{plain}{end}"] for end in ("", "_ci_low", "_ci_high"))
    if "std_err" in large:
        error = normal_z() * large["std_err"]
    else:
        error = normal_z() / apart_z(int(low.notna().sum())) * (high - low) / 2
    middle = (run[f"{shrunk}_ci_low"] + run[f"{shrunk}_ci_high"]) / 2
    reach = np.hypot((run[f"{shrunk}_ci_high"] - run[f"{shrunk}_ci_low"]) / 2, error)
    known = (run[f"{shrunk}_ci_low"].notna() & truth.notna()).to_numpy()
    return np.asarray(((truth - middle).abs() <= reach).to_numpy()[known])


def sections() -> list[Section]:
    """The experiments at full size: title, words, what is to be played."""
    words = (
        "Families of 8 to 512 made-up rows, whose errors are 0.7, 1 or 1.3. Truths are {}, with a"
        " standard deviation of up to 4 such errors. {}"
    )
    always = (
        "Where they spread by less than their errors the intervals hold more often than promised:"
        " what all rows are shrunk to is then nearly true."
    )
    zero = "The intervals of the zeros hold nearly always, and that is most of them."
    return [
        *(
            (
                f"Shrunk intervals: truths {truths}"
                if truths != "normal"
                else "Shrunk intervals: normal truths",
                words.format(truths, zero if truths.startswith("nine") else always),
                partial(planted, truths, 12_000, ratios),
            )
            for truths, ratios in (
                ("normal", RATIOS),
                ("evenly spread", RATIOS[3:]),
                ("with long tails", RATIOS[3:]),
                ("nine in ten of them zero", RATIOS[3:]),
            )
        ),
        (
            "Shrunk intervals of pairs",
            "40 runs of First Contact with 60,000 games each against the interactions in 8 million"
            " games, and their errors.",
            partial(pairs, range(1, 41), 60_000, 8_000_000),
        ),
        (
            "Shrunk intervals of a chapter",
            f"{len(FEWER)} runs of the first chapter of Mice & Mystics with 6,000 games each,"
            " `heuristic` players, against the effects in 500,000 games, and their errors.",
            partial(treatments, FEWER, 6_000, 500_000, "heuristic"),
        ),
    ]
