"""Whether `rebalance` keeps its word: small random pools with planted faults, and what is true.

``make rebalance_truths`` plays them at full size and prints docs/data/rebalance_truths.csv; the
tests play a few of each.  The players choose at random.  What is true is what independent games
say, many more than a search or its confirmation has.  One search runs at a time: it closes stdout
now and then.
"""

import tempfile
from collections.abc import Sequence
from pathlib import Path

import numpy as np
from attrs import frozen

from analysis.experiments.goals import MET, PROPOSED, Measured
from analysis.experiments.watch import unwatched
from analysis.mindbug.experiments.rebalance import Question
from analysis.mindbug.experiments.rebalance_goals import TURNS, CardMeter, Dealt, Goals
from analysis.mindbug.experiments.sensitivity_games import BASE_GAME
from analysis.questions.rebalance import Answer, rebalance
from card_data.mindbug import parse_set
from card_data.mindbug.adjustments import KEYWORDS, POWER, Adjustment, adjusted, adjustments_of
from card_data.mindbug.schema import Pool
from card_data.mindbug.vocabulary import Keyword
from simcore.mindbug import compile_cards, play_games
from support.planted_faults import planted_pool
from support.planted_table import print_shares
from support.planted_truths import CHUNK, Section, Share

BAND = 0.03
#: Games of a run that says what is true, and its seed, which no search has.
TRUTH, TRUTH_SEED = 100_000, 10_000_000
#: Every error is allowed for one time in twenty, or in forty for an interval that ends on one side.
RIGHT, ONE_SIDED = 0.95, 0.975
#: Mean numbers of turns that no change of powers comes near.
TOO_LONG = (100.0, 120.0)
_N_CARDS, _COPIES, _MOST_FAULTS, _KEYWORD_SHARE = 12, 4, 3, 0.3


@frozen
class Size:
    """Games of each candidate, games that confirm, and candidates of a search."""

    games: int
    confirm: int
    candidates: int

    def __str__(self) -> str:
        return (
            f"{self.games:,} games of each of {self.candidates} candidates, {self.confirm:,} fresh"
        )


SMALL, USUAL = Size(500, 2000, 20), Size(4000, 20_000, 60)
#: With fewer candidates not every change is tried, and nothing can be told to be out of reach.
EVERY = Size(4000, 20_000, 100)


def faulty_pool(seed: int) -> Pool:
    """Twelve creatures of powers 4 to 7, three in ten with a keyword; one to three stand out."""
    luck = np.random.default_rng(seed)
    powers = luck.integers(4, 8, _N_CARDS)
    faults = luck.choice(_N_CARDS, luck.integers(1, _MOST_FAULTS + 1), replace=False)
    powers[faults] = luck.choice([1, 2, 9, 10], len(faults))
    text = 'name = "Faulty"\n'
    for number, power in enumerate(powers):
        text += f'\n[card_{number}]\nname = "Card {number}"\npower = {power}\ncopies = {_COPIES}\n'
        if luck.random() < _KEYWORD_SHARE:
            text += f'keywords = ["{luck.choice([word.name for word in Keyword])}"]\n'
    return Pool((parse_set(text, "faulty.toml"),))


def truth(pool: Pool, band: float, n_games: int = TRUTH) -> Measured:
    """What a large run says of a pool, in goals of a band."""
    table = compile_cards(pool.sets, pool.modes)
    games = np.zeros(n_games, BASE_GAME)
    for first in range(0, n_games, CHUNK):
        rows = games[first : first + CHUNK]
        played = play_games(table, n_games=len(rows), seed=TRUTH_SEED, first_game=first)
        for name in BASE_GAME.names or ():
            rows[name] = played[name]
    return CardMeter(Goals(band), pool).measure(Dealt(games, games["cards"]))


@frozen
class Trial:
    """A search, and what is true before and after.

    ``careful`` is the proposal without changes of cards that the answer tells inside the band.
    """

    answer: Answer
    before: Measured
    after: Measured
    careful: Measured

    @property
    def gain(self) -> float:
        """By how many bands the cards lie less outside, in truth."""
        return self.before.excess - self.after.excess

    @property
    def changes_cards_inside(self) -> bool:
        """Whether the proposal changes cards inside the band."""
        return self.careful is not self.after

    def is_outside(self, card_id: str) -> bool:
        """Whether a card lies outside the band in truth, with nothing changed."""
        cards = list(self.answer.tables["goals"]["card_id"])
        return bool(self.before.beyond[cards.index(card_id)])


def ask(
    pool: Pool, size: Size, seed: int, changes: Sequence[Adjustment], goals: Goals | None = None
) -> Answer:
    """What `rebalance` answers."""
    budget = size.games * size.candidates
    question = Question(
        pool, tuple(changes), goals or Goals(BAND), "random", size.games, size.confirm, budget,
        seed=seed,
    )  # fmt: skip
    with tempfile.TemporaryDirectory() as folder:
        return rebalance(question, Path(folder), watch=unwatched, threads=1)


def powers_and_keywords(pool: Pool) -> list[Adjustment]:
    """What may be changed: powers by 2 either way, keywords."""
    return adjustments_of(pool, [POWER, KEYWORDS])


def faults(seeds: Sequence[int], size: Size, n_truth: int = TRUTH) -> list[Share]:
    """Random pools with faults: proposals, what they gain, and what is told of it."""

    def trial(seed: int) -> Trial:
        pool = faulty_pool(seed)
        answer = ask(pool, size, seed, powers_and_keywords(pool))
        before = truth(pool, BAND, n_truth)
        proposed = answer.outcome == PROPOSED
        after = truth(answer.proposal, BAND, n_truth) if proposed else before
        careful = _careful(pool, answer)
        if careful == answer.proposal:
            return Trial(answer, before, after, after)
        return Trial(answer, before, after, truth(careful, BAND, n_truth))

    trials = [trial(seed) for seed in seeds]
    proposed = [one for one in trials if one.answer.outcome == PROPOSED]
    told = [float(one.answer.tables["gains"]["gain_ci_low"].iloc[0]) for one in proposed]
    of_gain = [end <= one.gain * BAND for end, one in zip(told, proposed, strict=True)]
    changed = [
        one.is_outside(card)
        for one in proposed
        for card in set(one.answer.tables["changes"]["card_id"])
    ]
    inside = [one for one in proposed if one.changes_cards_inside]
    met = np.concatenate([_inside_where_met(one) for one in trials])
    all_met = [one for one in trials if one.answer.verdict == MET]
    shares = [
        Share("pools with a card truly outside", sum(one.before.excess > 0 for one in trials),
              len(trials)),
        Share("answers headed Proposal", len(proposed), len(trials)),
        Share("of these truly a gain", sum(one.gain > 0 for one in proposed), len(proposed),
              RIGHT),
        Share("reported gains whose lower end is at most the true gain", sum(of_gain),
              len(of_gain), ONE_SIDED),
        Share("cards changed that are truly outside the band", sum(changed), len(changed)),
        Share("proposals that change cards inside the band as well", len(inside), len(proposed)),
        Share("of these truly better than without those changes",
              sum(one.careful.excess > one.after.excess for one in inside), len(inside), RIGHT),
        Share("cards reported within the band that truly are", int(met.sum()), len(met),
              RIGHT),
        Share("answers that the goal is met, with all cards truly within",
              sum(not one.after.excess for one in all_met), len(all_met), RIGHT),
    ]  # fmt: skip
    return [share for share in shares if share.of]


def _careful(pool: Pool, answer: Answer) -> Pool:
    """The proposal without the changes of cards that are told inside the band."""
    goals = answer.tables["goals"]
    outside = set(goals["card_id"][goals["before"].abs() > goals["most"]])
    every = {one.name: one for one in powers_and_keywords(pool)}
    changes = [every[name] for name in answer.manifest["proposal"]]
    return adjusted(pool, [one for one in changes if one.card_id in outside])


def _inside_where_met(trial: Trial) -> np.ndarray:
    """For each card told to be within the band whether it is."""
    goals = trial.answer.tables["goals"]
    side = "after" if trial.answer.outcome == PROPOSED else "before"
    inside = trial.after.beyond == 0
    return np.asarray(inside[(goals[f"{side}_verdict"] == MET).to_numpy()])


def no_faults(seeds: Sequence[int], size: Size) -> list[Share]:
    """Pools in which every card is the same: there is nothing to gain."""
    pool = planted_pool({})
    answers = [ask(pool, size, seed, powers_and_keywords(pool)) for seed in seeds]
    return [_none("answers without a proposal", answers)]


def at_the_edge(seeds: Sequence[int], size: Size, n_truth: int = TRUTH) -> list[Share]:
    """Random pools and a band that ends at the card that is farthest off: nothing to gain."""

    def answer(seed: int) -> Answer:
        pool = faulty_pool(seed)
        measured = truth(pool, BAND, n_truth)
        band = BAND * float(np.abs(measured.stands).max())
        return ask(pool, size, seed, powers_and_keywords(pool), Goals(band))

    return [_none("answers without a proposal", [answer(seed) for seed in seeds])]


def nothing_helps(seeds: Sequence[int], size: Size) -> list[Share]:
    """A card of power 10 among cards of power 6, which wins as much with 9 to 7."""
    pool = planted_pool({"bee": 10})
    (bee,) = (card for one in pool.sets for card in one.cards if card.card_id == "bee")
    changes = adjustments_of(pool, [POWER], [bee], power_step=3)
    answers = [ask(pool, size, seed, changes) for seed in seeds]
    named = sum(
        bool((one.tables["nearest"].query("out_of_reach")["card_id"] == "bee").any())
        for one in answers
    )
    return [
        _none("answers without a proposal", answers),
        Share("answers that name the card as out of reach", named, len(answers), RIGHT),
    ]


def too_long(seeds: Sequence[int], size: Size) -> list[Share]:
    """Random pools of which games of 100 turns and more are asked as well."""

    def answer(seed: int) -> Answer:
        pool = faulty_pool(seed)
        changes = adjustments_of(pool, [POWER])
        return ask(pool, size, seed, changes, Goals(BAND, turns=TOO_LONG))

    answers = [answer(seed) for seed in seeds]
    named = sum(
        bool((one.tables["nearest"].query("out_of_reach")["goal"] == TURNS).any())
        for one in answers
    )
    return [Share("answers that name the goal as out of reach", named, len(answers), RIGHT)]


def _none(what: str, answers: Sequence[Answer]) -> Share:
    return Share(what, sum(one.outcome != PROPOSED for one in answers), len(answers), RIGHT)


_FAULTS = (
    "100 pools, in which one to three creatures stand out by their power; {size}. A proposal is"
    " truly a gain if its cards lie fewer points outside the band than those of the original pool."
)
_EDGE = (
    "100 such pools, with a band that ends at the card that is truly farthest out: there is nothing"
    " to gain, though it often looks as if there were; {size}."
)


def main() -> None:
    """Play all at full size and print their table."""
    hundred, twenty = range(1, 101), range(1, 21)
    sections: list[Section] = [
        ("Faults, and few games", _FAULTS.format(size=SMALL), lambda: faults(hundred, SMALL)),
        ("Faults, and more games", _FAULTS.format(size=USUAL), lambda: faults(hundred, USUAL)),
        ("Cards at the edge, and few games", _EDGE.format(size=SMALL),
         lambda: at_the_edge(hundred, SMALL)),
        ("Cards at the edge, and more games", _EDGE.format(size=USUAL),
         lambda: at_the_edge(hundred, USUAL)),
        ("No faults", f"Twelve creatures of power 6, 100 seeds; {SMALL}.",
         lambda: no_faults(hundred, SMALL)),
        ("No allowed change helps", "A creature of power 10 among eleven of power 6, whose"
         f" power alone may be changed, by 3 either way, 20 seeds; {USUAL}.",
         lambda: nothing_helps(twenty, USUAL)),
        ("A goal out of reach", "20 pools with faults, asked for games of 100 to 120 turns as well;"
         f" powers alone may be changed; {EVERY}.", lambda: too_long(twenty, EVERY)),
    ]  # fmt: skip
    print_shares(sections)


if __name__ == "__main__":
    main()
