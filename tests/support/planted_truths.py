"""Whether the verdicts keep their word: experiments whose truth is known, on the real engine.

``make truths`` plays them at full size and prints docs/planted_truths.md; the tests play a few of
each.  The players choose at random, which is fast and is all the same to the statistics: nothing in
the analysis knows who plays.
"""

from __future__ import annotations

import os
import sys
from collections.abc import Callable, Iterable, Sequence
from concurrent.futures import ThreadPoolExecutor
from functools import reduce
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
from analysis.mindbug.expansion_tallies import ExpansionTally, tally_expansions
from analysis.mindbug.expansions import ExpansionFeatures
from analysis.mindbug.experiments.sensitivity_games import BASE_GAME
from analysis.mindbug.experiments.trials import Scores
from analysis.mindbug.explain.parts import card_parts_table, change_parts_table
from analysis.mindbug.explain.tally import PartTally, tally_parts
from analysis.mindbug.explain.views import VIEWS
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
from simcore.mindbug.table.records import GAME_RECORD

RANDOM = ("random", "random")
NOMINAL = 0.05
#: What is covered: 95 % within two points, and so 5 % of false alarms.
COVERED, MOST_FALSE = (0.93, 0.97), 0.07
#: Games that are played and counted in one go.
CHUNK = 50_000
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
        """Its 95 % interval, Wilson's."""
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

        counted = [count(first) for first in range(0, n_games, CHUNK)]
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


def in_threads(work: Callable[[int], Any], inputs: Iterable[int]) -> list[Any]:
    """The results in the order of the inputs."""
    with ThreadPoolExecutor(os.cpu_count()) as workers:
        return list(workers.map(work, inputs))


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

    single, corrected, named = zip(*in_threads(flags, seeds), strict=True)
    runs = len(seeds)
    return [
        Share("single tests of a card below 5 %", sum(single), runs * N_PLAIN, most=MOST_FALSE),
        Share("runs with a card below 5 % after correction", sum(corrected), runs, most=MOST_FALSE),
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
            influence=rates[0].influence - rates[1].influence,
            games=n_games,
        )
        return bool(two_sided_p(apart.estimate, apart.std_err) < NOMINAL)

    seen = sum(in_threads(told_apart, seeds))
    return [Share("runs in which the twins differ at 5 %", seen, len(seeds), most=MOST_FALSE)]


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
    found = [line(seed, stated) for seed in seeds]
    seen = sum(one["verdict"] == MORE for one in found)
    return [Share(f"comparisons of {stated:,} games that find it", seen, len(seeds), 0.8)]


def broken_card(seeds: Sequence[int], n_games: int) -> list[Share]:
    """A card that wins nearly by itself."""
    broken = plain("broken", 10, keywords=frozenset({Keyword.SNEAKY, Keyword.TOUGH}))
    table = Table(beside(FIRST_CONTACT, broken))

    def named_first(seed: int) -> bool:
        found = outliers(table.cards(table.tally(table.games(seed, n_games))))
        return bool(found) and found[0].topic == broken.name

    seen = sum(in_threads(named_first, seeds))
    return [Share("runs that name it first", seen, len(seeds), 0.99)]


def coverage(seeds: Sequence[int], n_games: int, n_truth: int) -> list[Share]:
    """Intervals of small runs of First Contact against the rates of a very large one."""
    table = Table(FIRST_CONTACT)
    chunks = range(0, n_truth, CHUNK)
    tallies = in_threads(lambda first: table.tally(table.games(0, CHUNK, first)), chunks)
    tally = reduce(add, tallies)
    truth, keyword_truth = table.cards(tally), table.keywords(tally).set_index(_KEYWORD)

    def play(seed: int) -> tuple[pd.DataFrame, pd.DataFrame]:
        small = table.tally(table.games(seed, n_games))
        return table.cards(small), table.keywords(small).set_index(_KEYWORD)

    runs = in_threads(play, seeds)
    shares = []
    columns = {selection: f"{selection}_win_rate" for selection in SELECTION_NAMES}
    columns |= {name: name for name in _OTHERS}
    for name, column in columns.items():
        for copies in (1, 2):
            of_copies = truth["copies"] == copies
            hits = [
                _hits(_alone(cards, name)[of_copies], name, truth[of_copies][column])
                for cards, _ in runs
            ]
            label = f"{name}, {copies} {'copy' if copies == 1 else 'copies'}"
            shares.append(covered(label, hits))
    shares += [_together(name, [cards for cards, _ in runs], truth) for name in _JOINT[:2]]
    seen_often = keyword_truth["dealt_n"] >= _OFTEN * n_truth
    often = keyword_truth[seen_often]
    known = [keywords.reindex(often.index) for _, keywords in runs]
    hits = [_hits(keywords, "dealt", often["dealt_win_rate"]) for keywords in known]
    shares.append(covered("win rate by number of cards with a keyword", hits))
    effects = often[~often.index.get_level_values("keyword").duplicated()]
    hits = [_hits(keywords.loc[effects.index], "effect", effects["effect"]) for keywords in known]
    shares.append(covered("effect of a keyword", hits))
    return shares


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

        def play(seed: int, n_games: int = n_games) -> tuple[pd.DataFrame, ...]:
            run = table.both(seed, n_games)
            return table.summary(*run), table.per_game(run[1]), table.cards(run[0])

        summaries, rows, found = zip(*in_threads(play, seeds), strict=True)
        lines = [_of_statistics(summary).reindex(truth.index) for summary in summaries]
        by_line = np.array([_inside(one["ci_low"], one["ci_high"], truth) for one in lines])
        names = [(name, truth.index == name) for name in _APART if name in truth.index]
        others = ~np.isin(truth.index, _APART)
        for name, chosen in (*names, ("other rates and means", others)):
            shares.append(covered(f"{name}, {n_games:,} games", [by_line[:, chosen].ravel()]))
        hits = [
            _inside(one["share_ci_low"], one["share_ci_high"], per_game.reindex(one.index))
            for one in rows
        ]
        if len(per_game):
            shares.append(covered(f"rows of per_game, {n_games:,} games", hits))
        for name in (*SELECTION_NAMES, *_OTHERS, "decided_advantage", "dealt_won_rate"):
            column = f"{name}_win_rate" if name in SELECTION_NAMES else name
            hits = [_hits(_alone(one, name), name, cards[column]) for one in found]
            shares.append(covered(f"{name} of cards, {n_games:,} games", hits))
        shares += [
            evolve(one, what=f"{one.what}, {n_games:,} games")
            for one in (_together(name, found, cards) for name in _JOINT)
        ]
    few = []
    for seed in seeds:  # so few games that a card is played in 3 to 9 of them
        small = table.tally(table.games(seed, _FEW_GAMES))
        played = small.turns_played[0][[card.stage == 1 for _, card in table.named], 0]
        rare = (played >= MIN_GAMES_OF_MEAN) & (played < 10)
        few.append(
            _hits(table.cards(small)[rare], "mean_turn_played", cards[rare]["mean_turn_played"])
        )
    shares.append(covered("mean_turn_played of cards played in 3 to 9 games", few))
    return shares


def _of_statistics(summary: pd.DataFrame) -> pd.DataFrame:
    """The table ``summary`` by statistic."""
    return summary.set_index("statistic")


def _inside(low: pd.Series, high: pd.Series, truth: pd.Series) -> np.ndarray:
    """Whether each interval holds the truth; those that are missing are left out by `_covered`."""
    inside = ((low <= truth) & (truth <= high)).to_numpy(float)
    inside[low.isna().to_numpy()] = np.nan
    return inside


def paired_coverage(seeds: Sequence[int], n_games: int, n_truth: int) -> list[Share]:
    """Intervals of differences in small comparisons against those of a very large one.

    Each by itself, so many standard errors wide; and as they are shown, corrected for all lines: of
    those that leave zero out as many hold as is promised, or more.
    """
    card = next(card for card in FIRST_CONTACT.sets[0].cards if card.card_id == "killer_bee")
    sides = Table(FIRST_CONTACT), Table(with_card(FIRST_CONTACT, evolve(card, power=8)))
    truth = _comparison(*sides, seed=0, n_games=n_truth).set_index(_LINE)
    hits: dict[str, list[np.ndarray]] = {}
    told: list[np.ndarray] = []
    for seed in seeds:
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
        for name in dict.fromkeys(whose):
            hits.setdefault(name, []).append(inside[whose == name])
        low, high = both["difference_ci_low"], both["difference_ci_high"]
        holds = ((low <= both["true"]) & (both["true"] <= high)).to_numpy()
        told.append(holds[both["verdict"].isin(SETTLED)])
    shown = covered("corrected intervals that leave zero out", told)
    return [*(covered(name, found) for name, found in hits.items()), evolve(shown, most=np.nan)]


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

    chunks = in_threads(lambda first: count(0, first, CHUNK), range(0, n_truth, CHUNK))
    truths = tables(*(reduce(PartTally.plus, one) for one in zip(*chunks, strict=True)))
    runs = [tables(*found) for found in in_threads(lambda seed: count(seed, 0, n_games), seeds)]
    shares = []
    for number, of_what in enumerate(("advantages", "a change")):
        for view in VIEWS:
            truth = truths[number].xs(view.name, level="view", drop_level=False)["contribution"]
            truth = truth.drop("by_other", level="part", errors="ignore")  # no game ended so
            known = [run[number].reindex(truth.index) for run in runs]
            hits = [_hits(table, "contribution", truth) for table in known]
            shares.append(covered(f"parts of {of_what}: {view.name}", hits))
    return shares


_PART = ["card_id", "view", "part"]
_KEYWORD = ["keyword", "policy", "n_cards"]
_LINE = ["kind", "id", "policy", "measure"]
_OTHERS = ("advantage", "mindbug_rate", "dead_rate", "mean_turn_played", "drawn_minus_not_drawn")
# Measures whose intervals hold for all cards of a run together.
_JOINT = ("advantage", "mindbug_rate", "decided_advantage")
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


def _together(name: str, runs: Sequence[pd.DataFrame], truth: pd.DataFrame) -> Share:
    """In how many runs the intervals of all cards hold: as many as is promised, or more."""
    seen = sum(bool(_hits(cards, name, truth[name]).all()) for cards in runs)
    return Share(f"runs in which {name} of all cards holds", seen, len(runs), least=COVERED[0])


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
    counter.count(
        *[np.empty(0, GAME_RECORD)] * 2
    )  # compiles the kernel before there are several threads

    def count(first: int) -> object:
        games = base.games(seed, min(CHUNK, n_games - first), first)
        touched = affected_games(
            variant.compiled, base.compiled, games, seed=seed, first_game=first, policies=RANDOM
        )
        others = games.copy()
        numbers = first + np.flatnonzero(touched)
        others[touched] = play_rows(seat(variant.compiled, RANDOM), seed=seed, games=numbers)
        return counter.count(games, others)

    sums = reduce(lambda a, b: a.plus(b), in_threads(count, range(0, n_games, CHUNK)))
    return comparison_table(sums, counter.lines, paired=True, band=band)


def _section(title: str, words: str, shares: Sequence[Share]) -> Iterable[str]:
    """Markdown of one experiment."""
    yield from (f"## {title}", "", words, "")
    yield from (
        "| | seen | of | share | 95 % interval | asked | |",
        "|---|--:|--:|--:|---|---|---|",
    )
    for share in shares:
        low, high = (f"{100 * end:.1f}" for end in share.interval)
        least = "" if np.isnan(share.least) else f"at least {100 * share.least:g} %"
        most = "" if np.isnan(share.most) else f"at most {100 * share.most:g} %"
        asked = " and ".join(filter(None, (least, most)))
        word = "holds" if share.holds else "DOES NOT HOLD" if share.fails else "not shown"
        said = word if asked else ""
        yield (
            f"| {share.what} | {share.seen:,} | {share.of:,} | {100 * share.rate:.1f} % |"
            f" {low} to {high} % | {asked} | {said} |"
        )
    yield ""


_HEAD = """# Planted truths

How often verdicts and intervals are right where the truth is known: experiments played by the real
engine, with random players and fixed seeds. Where a share should lie within limits, "holds" means
that it is shown to: all of its 95 % interval lies within them. What is promised to be 95 % should
be 93 to 97 %, and what is promised to be 5 % should be 7 % at most. "Not shown" means that it takes
more runs, "does not hold" that all of the interval lies outside. Written by

```
make truths > docs/planted_truths.md
```

This takes more than an hour of processor time; `make truths ONLY="shrunk panel"` plays the sections
with one of these words in their titles. The tests play a few runs of each experiment
(`tests/analysis/mindbug/test_planted_truths.py`).
"""


def main() -> None:
    """Play all experiments at full size and print the page, or the sections of some words."""
    two_hundred, three_hundred = range(1, 201), range(1, 301)
    only = [word.lower() for word in sys.argv[1:]]
    if not only:
        print(_HEAD)
    sections: list[tuple[str, str, Callable[[], list[Share]]]] = [
        (
            "A pool of identical cards",
            "24 cards, two copies of each, all plain creatures of power 5; 200 runs of 20,000 "
            "games. Any card flagged is flagged by chance.",
            lambda: identical_cards(two_hundred, 20_000),
        ),
        (
            "Two cards with the same text",
            "Twins, 6 HUNTER, among the cards of First Contact; 200 runs of 20,000 games. The win "
            "rates of both, in the same games, are compared.",
            lambda: twins(two_hundred, 20_000),
        ),
        (
            "One more power",
            "24 plain creatures of powers 3 to 9, two copies of each; one of power 6 gets power 7. "
            "A comparison of 1,000 games says how many it takes to show the change (by more than "
            "0.2 points) with a chance of 80 %; 200 others play that many.",
            lambda: stronger_twin(two_hundred, 1_000),
        ),
        (
            "A broken card",
            "10 SNEAKY TOUGH among the cards of First Contact; 200 runs of 10,000 games.",
            lambda: broken_card(two_hundred, 10_000),
        ),
        (
            "Intervals of runs",
            "300 runs of First Contact with 5,000 games each against the rates of 20 million "
            "games. All cards together, by selection or measure and by copies in the pool.",
            lambda: coverage(three_hundred, 5_000, 20_000_000),
        ),
        (
            "Intervals of King of Tokyo",
            "200 runs each of King of Tokyo with 1,000 and 5,000 games against the numbers of 2 "
            "million games: the summary, the shares of `per_game`, and all cards together. In "
            "1,000 games most cards are dealt and not drawn only 3 to 15 times.",
            lambda: coverage_of_whole_games(
                ["king_of_tokyo"], two_hundred, (1_000, 5_000), 2_000_000
            ),
        ),
        (
            "Intervals of a mixture",
            "The same of New Servants, Beyond Evolution and promos, where seven games in a million "
            "are stopped after 500 turns. They are no part of means and variances.",
            lambda: coverage_of_whole_games(
                ["new_servants", "beyond_evolution", "promos"],
                two_hundred,
                (1_000, 5_000),
                2_000_000,
            ),
        ),
        (
            "Intervals of comparisons",
            "300 comparisons of First Contact with Killer Bee at power 8, 5,000 games each, "
            "against the differences in 5 million games. Counted are the lines in which at least "
            "ten games differ, as many as a verdict asks for.",
            lambda: paired_coverage(three_hundred, 5_000, 5_000_000),
        ),
        (
            "Intervals of parts",
            "What goes with the advantages of the cards of First Contact, and with the change of "
            "Killer Bee to power 8: 200 runs, and comparisons, of 5,000 games against 2 million "
            "games, by view.",
            lambda: parts_coverage(two_hundred, 5_000, 2_000_000),
        ),
    ]
    from support import (
        planted_comparisons,
        planted_controls,
        planted_luck,
        planted_panel,
        planted_shrinkage,
    )

    for more in (
        planted_comparisons,
        planted_controls,
        planted_shrinkage,
        planted_panel,
        planted_luck,
    ):
        sections += more.sections()
    for title, words, experiment in sections:
        if only and not any(word in title.lower() for word in only):
            continue
        print(f"{title} …", file=sys.stderr)
        print("\n".join(_section(title, words, experiment())), flush=True)


if __name__ == "__main__":
    main()
