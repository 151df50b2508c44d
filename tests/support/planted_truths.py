"""Whether the verdicts keep their word: experiments whose truth is known, on the real engine.

`support.planted_table` plays `sections` at full size and those of other files, and prints
docs/data/planted_truths.csv; the tests play a few runs of each.  The players choose at random,
which is fast and is all the same to the statistics: nothing in the analysis knows who plays.
"""

import warnings
from collections.abc import Callable, Iterable, Sequence
from concurrent.futures import ProcessPoolExecutor
from functools import partial, reduce
from itertools import chain
from multiprocessing import get_context
from operator import add
from typing import Any

import numpy as np
import pandas as pd
from attrs import evolve, frozen
from statsmodels.stats.proportion import proportion_confint

from analysis.confidence import normal_z
from analysis.estimates import MIN_GAMES_OF_MEAN, two_sided_p
from analysis.experiments.comparison import comparison_table
from analysis.mindbug.card_strength import cards_table
from analysis.mindbug.expansion_tables import per_game_table
from analysis.mindbug.expansion_tallies import ExpansionFeatures, ExpansionTally, tally_expansions
from analysis.mindbug.experiments.sensitivity_games import BASE_GAME
from analysis.mindbug.experiments.trials import Scores
from analysis.mindbug.explain.parts import card_parts_table, change_parts_table
from analysis.mindbug.explain.tally import VIEWS, PartTally, tally_parts
from analysis.mindbug.keywords import keywords_table
from analysis.mindbug.paired_sums import PairCounter
from analysis.mindbug.selections import SELECTION_NAMES
from analysis.mindbug.summary import expansion_summary, summary_table
from analysis.mindbug.tallies import CardTraits, Tally, tally_games
from analysis.simultaneous import apart_z
from analysis.verdicts import MORE, SETTLED, TOO_STRONG, TOO_WEAK
from card_data.mindbug import load_pool
from card_data.mindbug.schema import Card, CardSet, Pool
from card_data.mindbug.variants import with_card
from card_data.mindbug.vocabulary import Keyword
from reports.mindbug.balance.text import outliers
from simcore.mindbug import CardTable, compile_cards, play_games
from simcore.mindbug.play.affected import affected_games
from simcore.mindbug.play.simulate import play_rows
from simcore.mindbug.players.seats import seat

RANDOM = ("random", "random")
NOMINAL = 0.05
#: What is covered: 95% within two points, and so 5% of false alarms.
COVERED, MOST_FALSE = (0.93, 0.97), 0.07
#: Games that are played and counted in one go.
CHUNK = 50_000
#: Runs of what is right or wrong once a run: enough to tell 95% from 93 and from 97.
RUNS = range(1, 3_001)
#: Runs that take long, or of which each has many intervals.
FEWER = RUNS[:300]
FIRST_CONTACT = load_pool(["first_contact"])
N_PLAIN = 24


@frozen
class Share:
    """How often something was seen, and how often it may be; nan where there is no limit."""

    what: str
    seen: int
    of: int
    least: float = np.nan
    most: float = np.nan

    @property
    def rate(self) -> float:
        """The share."""
        return self.seen / self.of

    @property
    def interval(self) -> tuple[float, float]:
        """Its 95% interval, Wilson's."""
        low, high = proportion_confint(self.seen, self.of, method="wilson")
        return float(low), float(high)

    @property
    def holds(self) -> bool:
        """Whether it is shown to be within the limits: all of the interval is."""
        low, high = self.interval
        return not (low < self.least or high > self.most)

    @property
    def fails(self) -> bool:
        """Whether it is shown to be outside: none of the interval is within the limits."""
        low, high = self.interval
        return low > self.most or high < self.least


#: A section of the page: its title, its words, and what is to be played.
Section = tuple[str, str, Callable[[], list[Share]]]


class Table:
    """A pool, compiled, and what is counted in its games."""

    def __init__(self, pool: Pool) -> None:
        self.pool = pool
        self.compiled: CardTable = compile_cards(pool.sets, pool.modes)
        self.named = list(zip(self.compiled.set_ids, self.compiled.cards, strict=True))
        self._traits = CardTraits.of(self.compiled.cards)
        self._features = ExpansionFeatures(pool)

    def games(self, seed: int, n_games: int, first_game: int = 0) -> np.ndarray:
        """Games of a seed."""
        return play_games(self.compiled, n_games=n_games, seed=seed, first_game=first_game)

    def tally(self, games: np.ndarray) -> Tally:
        """Their counts."""
        return tally_games(games, self._traits, same_policy=True, mindbugs_each=2)

    def both(self, seed: int, n_games: int) -> tuple[Tally, ExpansionTally]:
        """All counts of a run, a chunk at a time."""

        def count(first: int) -> tuple[Tally, ExpansionTally]:
            games = self.games(seed, min(CHUNK, n_games - first), first)
            return self.tally(games), tally_expansions(games, self._features, same_policy=True)

        counted = of_each(count, range(0, n_games, CHUNK))
        tallies, system_tallies = zip(*counted, strict=True)
        return reduce(add, tallies), reduce(add, system_tallies)

    def summary(self, tally: Tally, expansion_tally: ExpansionTally) -> pd.DataFrame:
        """The table ``summary``."""
        more = expansion_summary(expansion_tally, self._features, RANDOM)
        return pd.concat([summary_table(tally, RANDOM), more], ignore_index=True)

    def per_game(self, expansion_tally: ExpansionTally) -> pd.DataFrame:
        """The table ``per_game``, by quantity and number."""
        table = per_game_table(expansion_tally, self._features, RANDOM)
        return table.set_index(["quantity", "number"])

    def cards(self, tally: Tally) -> pd.DataFrame:
        """The table ``cards``."""
        return cards_table(tally, self.named, RANDOM)

    def keywords(self, tally: Tally) -> pd.DataFrame:
        """The table ``keywords``."""
        return keywords_table(tally, self.compiled.cards, RANDOM)


def beside(pool: Pool, *cards: Card) -> Pool:
    """A pool with cards of our own in a set of their own."""
    return evolve(pool, sets=(*pool.sets, CardSet("planted", "Planted", cards)))


def plain(card_id: str, power: int, copies: int = 1, **fields: object) -> Card:
    """A creature without text."""
    return Card(card_id, card_id.replace("_", " ").title(), power, copies=copies, **fields)


#: A pool of cards that are all the same.
PLAIN = Pool(
    (CardSet("same", "Same", tuple(plain(f"plain_{n}", 5, copies=2) for n in range(N_PLAIN))),),
    FIRST_CONTACT.modes,
)


#: Processes that `of_each` uses; `support.planted_table` sets it.
processes = 1
_BATCHES_EACH = 8
_work: Callable[[int], Any]


def of_each(work: Callable[[int], Any], inputs: Iterable[int]) -> list[Any]:
    """The results in the order of the inputs.

    Several processes share the work.  They are forked, so they need not be sent what it refers to;
    what the first input makes this process compile, they have too.
    """
    global _work
    first, *others = inputs
    found = [work(first)]
    if processes == 1 or not others:
        return found + [work(one) for one in others]
    _work = work
    pool = partial(ProcessPoolExecutor, processes, get_context("fork"), _be_one_of_many)
    size = -(-len(others) // (processes * _BATCHES_EACH))
    with warnings.catch_warnings(), pool() as workers:
        # Nothing else runs in this process meanwhile.
        warnings.simplefilter("ignore", DeprecationWarning)
        return found + list(workers.map(_one, others, chunksize=size))


def _be_one_of_many() -> None:
    global processes
    processes = 1


def _one(given: int) -> Any:
    return _work(given)


def identical_cards(seeds: Sequence[int], n_games: int) -> list[Share]:
    """A pool in which every card is the same: whatever stands out does so by chance."""
    table = Table(PLAIN)

    def flags(seed: int) -> tuple[int, bool, bool]:
        found = table.cards(table.tally(table.games(seed, n_games)))
        named = found["verdict"].isin([TOO_STRONG, TOO_WEAK])
        return (
            int((found["p_value"] < NOMINAL).sum()),
            bool((found["q_value"] < NOMINAL).any()),
            (bool(named.any())),
        )

    single, corrected, named = zip(*of_each(flags, seeds), strict=True)
    runs = len(seeds)
    return [
        Share("single tests of a card below 5%", sum(single), runs * N_PLAIN, most=MOST_FALSE),
        Share("runs with a card below 5% after correction", sum(corrected), runs, most=MOST_FALSE),
        Share("runs with a card called strong or weak", sum(named), runs, most=MOST_FALSE),
    ]


def twins(seeds: Sequence[int], n_games: int) -> list[Share]:
    """Two cards with the same text among those of First Contact."""
    one, other = (plain(f"twin_{n}", 6, keywords=frozenset({Keyword.HUNTER})) for n in "ab")
    table = Table(beside(FIRST_CONTACT, one, other))

    def told_apart(seed: int) -> bool:
        games = table.games(seed, n_games)
        scores = Scores(table.pool, games[list(BASE_GAME.names or ())].astype(BASE_GAME))
        rates = scores.win_rate(one), scores.win_rate(other)
        apart = evolve(
            rates[0],
            estimate=rates[0].estimate - rates[1].estimate,
            of_games=rates[0].of_games - rates[1].of_games,
            games=n_games,
        )
        return bool(two_sided_p(apart.estimate, apart.std_err) < NOMINAL)

    seen = sum(of_each(told_apart, seeds))
    return [Share("runs in which the twins differ at 5%", seen, len(seeds), most=MOST_FALSE)]


def stronger_twin(seeds: Sequence[int], pilot: int) -> list[Share]:
    """A plain card and the same with one more power, with the number of games asked for.

    The number is what a comparison of ``pilot`` games says that it still needs.
    """
    cards = tuple(plain(f"plain_{n}", 3 + n % 7, copies=2) for n in range(N_PLAIN))
    pool, weak = Pool((CardSet("plain", "Plain", cards),), FIRST_CONTACT.modes), cards[3]
    sides = Table(pool), Table(with_card(pool, evolve(weak, power=weak.power + 1)))

    def line(seed: int, n_games: int) -> pd.Series:
        found = _comparison(*sides, seed=seed, n_games=n_games, band=0.002).set_index(_LINE)
        return found.loc["card", weak.card_id, "random", "dealt"]

    stated = pilot + int(line(10_000, pilot)["more_games"])
    found = of_each(lambda seed: line(seed, stated), seeds)
    seen = sum(one["verdict"] == MORE for one in found)
    return [Share(f"comparisons of {stated:,} games that find it", seen, len(seeds), 0.8)]


def broken_card(seeds: Sequence[int], n_games: int) -> list[Share]:
    """A card that wins nearly by itself."""
    broken = plain("broken", 10, keywords=frozenset({Keyword.SNEAKY, Keyword.TOUGH}))
    table = Table(beside(FIRST_CONTACT, broken))

    def named_first(seed: int) -> bool:
        found = outliers(table.cards(table.tally(table.games(seed, n_games))))
        return bool(found) and found[0].topic == broken.name

    seen = sum(of_each(named_first, seeds))
    return [Share("runs that name it first", seen, len(seeds), 0.99)]


def coverage(seeds: Sequence[int], n_games: int, n_truth: int) -> list[Share]:
    """Intervals of small runs of First Contact against the rates of a very large one."""
    table = Table(FIRST_CONTACT)
    chunks = range(0, n_truth, CHUNK)
    tallies = of_each(lambda first: table.tally(table.games(0, CHUNK, first)), chunks)
    tally = reduce(add, tallies)
    truth, keyword_truth = table.cards(tally), table.keywords(tally).set_index(_KEYWORD)

    often = keyword_truth[keyword_truth["dealt_n"] >= _OFTEN * n_truth]
    effects = often[~often.index.get_level_values("keyword").duplicated()]
    columns = {selection: f"{selection}_win_rate" for selection in SELECTION_NAMES}
    columns |= {name: name for name in _OTHERS}

    def inside(seed: int) -> dict[str, np.ndarray]:
        small = table.tally(table.games(seed, n_games))
        cards, keywords = table.cards(small), table.keywords(small).set_index(_KEYWORD)
        found = {}
        for name, column in columns.items():
            for copies in (1, 2):
                those = truth["copies"] == copies
                label = f"{name}, {copies} {'copy' if copies == 1 else 'copies'}"
                found[label] = _hits(_alone(cards, name)[those], name, truth[those][column])
        found |= {_TOGETHER.format(name): _together(name, cards, truth) for name in _JOINT[:2]}
        known = keywords.reindex(often.index)
        numbers = _hits(known, "dealt", often["dealt_win_rate"])
        found["win rate by number of cards with a keyword"] = numbers
        found["effect of a keyword"] = _hits(known.loc[effects.index], "effect", effects["effect"])
        return found

    runs = of_each(inside, seeds)
    return [_at_least(covered(what, [one[what] for one in runs])) for what in runs[0]]


def coverage_of_whole_games(
    sets: Sequence[str], seeds: Sequence[int], sizes: Sequence[int], n_truth: int
) -> list[Share]:
    """Intervals of small runs of a pool, of several sizes, against a very large one.

    The numbers of the table ``summary``, the shares of ``per_game``, and the measures of cards,
    among them the mean turn of cards that were played in 3 to 9 games.
    """
    table = Table(load_pool(sets))
    tally, expansion_tally = table.both(0, n_truth)
    truth = _of_statistics(table.summary(tally, expansion_tally))["estimate"]
    cards = table.cards(tally)
    per_game = table.per_game(expansion_tally)["share"]
    shares = []
    for n_games in sizes:

        def inside(seed: int, n_games: int = n_games) -> dict[str, np.ndarray]:
            run = table.both(seed, n_games)
            lines = _of_statistics(table.summary(*run)).reindex(truth.index)
            of_line = _inside(lines["ci_low"], lines["ci_high"], truth)
            found = {name: of_line[truth.index == name] for name in _APART if name in truth.index}
            found["other rates and means"] = of_line[~truth.index.isin(_APART)]
            if len(per_game):
                rows = table.per_game(run[1])
                low, high = rows["share_ci_low"], rows["share_ci_high"]
                found["rows of per_game"] = _inside(low, high, per_game.reindex(rows.index))
            of_cards = table.cards(run[0])
            for name in (*SELECTION_NAMES, *_OTHERS, "dealt_won_rate"):
                column = f"{name}_win_rate" if name in SELECTION_NAMES else name
                alone = _alone(of_cards, name)
                found[f"{name} of cards"] = _hits(alone, name, cards[column])
            return found | {
                _TOGETHER.format(name): _together(name, of_cards, cards) for name in _JOINT
            }

        runs = of_each(inside, seeds)
        shares += [
            _at_least(covered(f"{what}, {n_games:,} games", [one[what] for one in runs]))
            for what in runs[0]
        ]

    def few(seed: int) -> np.ndarray:
        small = table.tally(table.games(seed, _FEW_GAMES))
        played = small.turns_played[0][[card.stage == 1 for _, card in table.named], 0]
        rare = (played >= MIN_GAMES_OF_MEAN) & (played < 10)
        return _hits(table.cards(small)[rare], "mean_turn_played", cards[rare]["mean_turn_played"])

    shares.append(covered("mean_turn_played of cards played in 3 to 9 games", of_each(few, seeds)))
    return shares


def _of_statistics(summary: pd.DataFrame) -> pd.DataFrame:
    """The table ``summary`` by statistic."""
    return summary.set_index("statistic")


def _inside(low: pd.Series, high: pd.Series, truth: pd.Series) -> np.ndarray:
    """Whether each interval holds the truth; those that are missing are left out by `covered`."""
    inside = ((low <= truth) & (truth <= high)).to_numpy(float)
    inside[low.isna().to_numpy()] = np.nan
    return inside


def paired_coverage(seeds: Sequence[int], n_games: int, n_truth: int) -> list[Share]:
    """Intervals of differences in small comparisons against those of a very large one.

    Each by itself, so many standard errors wide; and those that leave zero out as they are shown,
    corrected for all lines.
    """
    hits, shown = _of_comparisons(seeds, n_games, n_truth)
    names = dict.fromkeys(chain.from_iterable(hits))
    pooled = covered("corrected intervals that leave zero out, of all comparisons", shown)
    return [
        *(covered(name, [one[name] for one in hits if name in one]) for name in names),
        evolve(pooled, least=np.nan, most=np.nan),
    ]


def corrected_coverage(seeds: Sequence[int], n_games: int, n_truth: int) -> list[Share]:
    """The share of a comparison's intervals that leave zero out and hold, in the mean.

    That is what their correction promises; where none leaves zero out, nothing is wrong.
    """
    _, shown = _of_comparisons(seeds, n_games, n_truth)
    missed = sum(float((~one).sum()) / max(len(one), 1) for one in shown)
    what = "intervals that leave zero out and hold, mean share of a comparison"
    return [Share(what, round(len(shown) - missed), len(shown), COVERED[0])]


def _of_comparisons(
    seeds: Sequence[int], n_games: int, n_truth: int
) -> tuple[list[dict[str, np.ndarray]], list[np.ndarray]]:
    """Which intervals hold in comparisons of one change: alone, by kind of line, and corrected."""
    card = next(card for card in FIRST_CONTACT.sets[0].cards if card.card_id == "killer_bee")
    sides = Table(FIRST_CONTACT), Table(with_card(FIRST_CONTACT, evolve(card, power=8)))
    truth = _comparison(*sides, seed=0, n_games=n_truth).set_index(_LINE)

    def held(seed: int) -> tuple[dict[str, np.ndarray], np.ndarray]:
        lines = _comparison(*sides, seed=seed, n_games=n_games).set_index(_LINE)
        both = lines.join(truth["difference"].rename("true"), how="inner")
        both = both[both["differing"] >= _ENOUGH].reset_index()
        whose = np.select(
            [both["id"] == card.card_id, both["kind"] == "card"],
            ["the changed card", "other cards"],
            both["kind"],
        )
        apart = (both["difference"] - both["true"]).abs()
        inside = (apart <= normal_z() * both["std_err"]).to_numpy()
        low, high = both["difference_ci_low"], both["difference_ci_high"]
        holds = ((low <= both["true"]) & (both["true"] <= high)).to_numpy()
        alone = {name: inside[whose == name] for name in dict.fromkeys(whose)}
        return alone, holds[both["verdict"].isin(SETTLED)]

    hits, shown = zip(*of_each(held, seeds), strict=True)
    return list(hits), list(shown)


def parts_coverage(seeds: Sequence[int], n_games: int, n_truth: int) -> list[Share]:
    """Intervals of the parts of advantages, and of a change, against those of very many games."""
    card = next(card for card in FIRST_CONTACT.sets[0].cards if card.card_id == "killer_bee")
    sides = Table(FIRST_CONTACT), Table(with_card(FIRST_CONTACT, evolve(card, power=8)))
    every = np.arange(len(sides[0].named))
    changed = np.where([one.card_id == card.card_id for _, one in sides[0].named], 0, -1)

    def count(seed: int, first: int, n: int) -> list[PartTally]:
        base, variant = (side.games(seed, n, first) for side in sides)
        asked = (base, every), (base, changed), (variant, changed)
        return [tally_parts(games, units, same_policy=True) for games, units in asked]

    def tables(all_cards: PartTally, before: PartTally, after: PartTally) -> list[pd.DataFrame]:
        of_cards = card_parts_table(all_cards, sides[0].named, RANDOM)
        of_change = change_parts_table(before, after, [(card.card_id, card.name)], RANDOM)
        return [table.set_index(_PART) for table in (of_cards, of_change)]

    chunks = of_each(lambda first: count(0, first, CHUNK), range(0, n_truth, CHUNK))
    truths = tables(*(reduce(PartTally.plus, one) for one in zip(*chunks, strict=True)))

    def inside(seed: int) -> dict[str, np.ndarray]:
        found = {}
        run = tables(*count(seed, 0, n_games))
        for of_what, table, truth in zip(("advantages", "a change"), run, truths, strict=True):
            for view in VIEWS:
                true = truth.xs(view.name, level="view", drop_level=False)["contribution"]
                true = true.drop("by_other", level="part", errors="ignore")  # no game ended so
                known = table.reindex(true.index)
                found[f"parts of {of_what}: {view.name}"] = _hits(known, "contribution", true)
        return found

    runs = of_each(inside, seeds)
    return [covered(what, [one[what] for one in runs]) for what in runs[0]]


_PART = ["card_id", "view", "part"]
_KEYWORD = ["keyword", "policy", "n_cards"]
_LINE = ["kind", "id", "policy", "measure"]
_OTHERS = ("advantage", "mindbug_rate", "dead_rate", "mean_turn_played", "drawn_minus_not_drawn")
# Measures whose intervals hold for all cards of a run together.
_JOINT = ("advantage", "mindbug_rate")
_TOGETHER = "runs in which {} of all cards holds"
# Numbers of cards with a keyword that at least every tenth player-game has.
_OFTEN = 0.2
# Lines of the table ``summary`` that are told apart; and games in which cards are played rarely.
_APART = ("mean_turns", "variance_turns", "mean_actions")
_FEW_GAMES = 12
# Games that differ, from which on normal intervals are promised.
_ENOUGH = 10


def _hits(table: pd.DataFrame, name: str, truth: pd.Series) -> np.ndarray:
    """Whether each interval that is known holds the truth."""
    low, high = table[f"{name}_ci_low"].to_numpy(), table[f"{name}_ci_high"].to_numpy()
    inside = (low <= truth.to_numpy()) & (truth.to_numpy() <= high)
    return np.asarray(inside[~np.isnan(low)])


def _alone(table: pd.DataFrame, name: str) -> pd.DataFrame:
    """The table with intervals of single cards, where those of all cards hold together."""
    if name not in _JOINT:
        return table
    ends = [f"{name}_ci_low", f"{name}_ci_high"]
    wider = apart_z(int(table[ends[0]].notna().sum())) / normal_z()
    alone = {end: table[name] + (table[end] - table[name]) / wider for end in ends}
    return table.assign(**alone)


def _together(name: str, cards: pd.DataFrame, truth: pd.DataFrame) -> np.ndarray:
    """Whether the intervals of all cards of a run hold."""
    return np.array([_hits(cards, name, truth[name]).all()])


def _at_least(share: Share) -> Share:
    """Without a limit above for what is promised to hold as often or more."""
    return evolve(share, most=np.nan) if share.what.startswith(_TOGETHER[:4]) else share


def covered(what: str, hits: Sequence[np.ndarray]) -> Share:
    """The share of intervals that hold; nan where there is no interval."""
    every = np.concatenate(hits).astype(float)
    every = every[~np.isnan(every)]
    return Share(what, int(every.sum()), len(every), *COVERED)


def _comparison(
    base: Table, variant: Table, *, seed: int, n_games: int, band: float = 0.01
) -> pd.DataFrame:
    """The table of a comparison; games that cannot differ are played once."""
    counter = PairCounter(base.pool, variant.pool, RANDOM)

    def count(first: int) -> object:
        games = base.games(seed, min(CHUNK, n_games - first), first)
        numbers = np.arange(first, first + len(games))
        touched = affected_games(
            variant.compiled, base.compiled, games, seed=seed, games=numbers, policies=RANDOM
        )
        others = games.copy()
        others[touched] = play_rows(
            seat(variant.compiled, RANDOM), seed=seed, games=numbers[touched]
        )
        return counter.count(games, others)

    sums = reduce(lambda a, b: a.plus(b), of_each(count, range(0, n_games, CHUNK)))
    return comparison_table(sums, counter.lines, paired=True, band=band)


def sections() -> list[Section]:
    """The experiments at full size: title, words, what is to be played."""
    runs, fewer = len(RUNS), len(FEWER)
    return [
        (
            "A pool of identical cards",
            f"24 cards, two copies of each, all plain creatures of power 5; {runs:,} runs of 20,000"
            " games. Any card flagged is flagged by chance.",
            lambda: identical_cards(RUNS, 20_000),
        ),
        (
            "Two cards with the same text",
            f"Twins, 6 HUNTER, among the cards of First Contact; {runs:,} runs of 20,000 games. The"
            " win rates of both, in the same games, are compared.",
            lambda: twins(RUNS, 20_000),
        ),
        (
            "One more power",
            "24 plain creatures of powers 3 to 9, two copies of each; one of power 6 gets power 7. "
            "A comparison of 1,000 games says how many it takes to show the change (by more than "
            f"0.2 points) with a chance of 80%; {fewer} others play that many.",
            lambda: stronger_twin(FEWER, 1_000),
        ),
        (
            "A broken card",
            f"10 SNEAKY TOUGH among the cards of First Contact; {runs:,} runs of 10,000 games.",
            lambda: broken_card(RUNS, 10_000),
        ),
        (
            "Intervals of runs",
            f"{runs:,} runs of First Contact with 5,000 games each against the rates of 20 million"
            " games. All cards together, by selection or measure and by copies in the pool.",
            lambda: coverage(RUNS, 5_000, 20_000_000),
        ),
        (
            "Intervals of King of Tokyo",
            f"{runs:,} runs each of King of Tokyo with 1,000 and 5,000 games against the numbers of"
            " 2 million games: the summary, the shares of `per_game`, and all cards together. In"
            " 1,000 games most cards are dealt and not drawn only 3 to 15 times.",
            lambda: coverage_of_whole_games(["king_of_tokyo"], RUNS, (1_000, 5_000), 2_000_000),
        ),
        (
            "Intervals of a mixture",
            "The same of New Servants, Beyond Evolution and promos, where seven games in a million "
            "are stopped after 500 turns. They are no part of means and variances.",
            lambda: coverage_of_whole_games(
                ["new_servants", "beyond_evolution", "promos"],
                RUNS,
                (1_000, 5_000),
                2_000_000,
            ),
        ),
        (
            "Intervals of comparisons",
            f"{runs:,} comparisons of First Contact with Killer Bee at power 8, 5,000 games each,"
            " against the differences in 5 million games. Counted are the lines in which at least"
            " ten games differ, as many as a verdict asks for.",
            lambda: paired_coverage(RUNS, 5_000, 5_000_000),
        ),
        (
            "Corrected intervals of comparisons",
            f"{fewer} of these comparisons. Intervals are corrected so that in the mean comparison"
            " 95% of those that leave zero out hold; one in which none does has nothing wrong. The"
            " share above is another: that of all such intervals of all comparisons.",
            lambda: corrected_coverage(FEWER, 5_000, 5_000_000),
        ),
        (
            "Intervals of parts",
            "What goes with the advantages of the cards of First Contact, and with the change of"
            f" Killer Bee to power 8: {runs:,} runs, and comparisons, of 5,000 games against 2"
            " million games, by view.",
            lambda: parts_coverage(RUNS, 5_000, 2_000_000),
        ),
    ]
