"""Rebalancing: the search against planted truths, the measures against slow ones, real games."""

import json
from collections.abc import Sequence
from itertools import product
from math import inf
from pathlib import Path
from typing import Any

import numpy as np
import pandas as pd
import pytest
from attrs import evolve

from analysis.confidence import normal_z
from analysis.experiments.goals import (
    MET,
    MISSED,
    NO_GAIN_SHOWN,
    NOT_SHOWN,
    PROPOSED,
    Measured,
    errors_inside,
    joint_verdict,
)
from analysis.experiments.rebalance_search import WORTH, Found, Plan, Problem, Stand, search
from analysis.experiments.watch import unwatched
from analysis.mindbug.card_strength import cards_table
from analysis.mindbug.experiments.rebalance import Question
from analysis.mindbug.experiments.rebalance_goals import (
    FIRST_PLAYER,
    REBALANCE_TABLES,
    TURNS,
    CardMeter,
    Dealt,
    Goals,
)
from analysis.mindbug.experiments.sensitivity_games import (
    BASE_GAME,
    OUTCOME,
    Experiments,
    Laboratory,
)
from analysis.mindbug.registry import TABLES
from analysis.mindbug.summary import summary_table
from analysis.mindbug.tallies import CardTraits, tally_games
from analysis.questions.rebalance import PROPOSAL_FILE, Answer, rebalance
from analysis.verdicts import verdicts
from card_data.checksums import open_json
from card_data.mindbug import load_pool, parse_set, read_pool
from card_data.mindbug.adjustments import (
    COPIES,
    LEVERS,
    LIFE,
    OF_CARDS,
    POWER,
    WHO_STARTS,
    Adjustment,
    adjusted,
    adjustments_of,
)
from card_data.mindbug.modes import Modes
from card_data.mindbug.schema import CardSet, Pool
from simcore.mindbug import compile_cards, play_games
from simcore.mindbug.table.records import ended
from simcore.sealed import RunError
from support.planted_faults import planted_pool
from support.rebalance_truths import SMALL, Size, at_the_edge, faults, no_faults, nothing_helps
from support.synthetic import kept, synthetic_cards, synthetic_games

STEPS = (-2, -1, 1, 2)
TABLE = synthetic_cards()
MADE_UP = Pool((CardSet("synthetic", "Synthetic", TABLE.cards),), TABLE.modes)
BOTH = ("random", "random")


class Linear:
    """A made-up pool of known truth: stands = base + effects, and what spoils that.

    Every card has four changes, by -2 to 2 steps of ``step``; what its number gains the others lose
    together.  ``bend`` makes changes of several cards work less together, ``noise`` blurs what is
    seen.  Rules can be changed by one step either way and move the last number alone.
    """

    def __init__(
        self,
        base: Sequence[float],
        *,
        step: float = 0.6,
        bend: float = 0.0,
        noise: float = 0.0,
        rules: float = 0.0,
        seed: int = 0,
    ) -> None:
        self.base, self.bend, self.noise = np.array(base, float), bend, noise
        self.n_cards = len(base) - (rules > 0)
        self.changes = [(card, by) for card in range(self.n_cards) for by in STEPS]
        effects = []
        for card, by in self.changes:
            effect = np.zeros(len(base))
            effect[: self.n_cards] = -step * by / (self.n_cards - 1)
            effect[card] = step * by
            effects.append(effect)
        if rules:
            for by in (-1, 1):
                self.changes.append((-1, by))
                effects.append(np.append(np.zeros(self.n_cards), by * rules))
        self.effects = np.array(effects)
        self.played: dict[Plan, np.ndarray] = {}
        self._luck = np.random.default_rng(seed)

    def truth(self, plan: Plan) -> np.ndarray:
        """Where the numbers really stand."""
        moved = self.effects[list(plan)].sum(axis=0)
        return np.asarray(self.base + moved * (1 - self.bend * max(len(plan) - 1, 0)))

    def problem(self, **more: object) -> Problem:
        """What is asked of the search."""
        return Problem(**{
            "amounts": tuple(abs(by) for _, by in self.changes),
            "things": tuple(card for card, _ in self.changes),
            "own": tuple(card for card, _ in self.changes),
            "n_cards": self.n_cards,
            "aim": np.full(len(self.base), 0.9),
            **more,
        })  # type: ignore[arg-type]  # fmt: skip

    def simulate(self, what: str, plans: Sequence[Plan]) -> list[Stand]:
        """Play plans."""
        for plan in plans:
            if plan not in self.played:
                luck = self.noise * self._luck.standard_normal(len(self.base))
                self.played[plan] = self.truth(plan) + luck
        error = np.full(len(self.base), 2**0.5 * self.noise)
        return [Stand(self.played[plan], error) for plan in plans]

    def search(self, **more: object) -> Found:
        """What the search finds."""
        return search(self.problem(**more), self.simulate)

    def amount(self, plan: Plan) -> int:
        """How much a plan changes."""
        return sum(abs(self.changes[one][1]) for one in plan)

    def cheapest(self) -> float:
        """The least amount that reaches the aim, of all plans that there are; inf if none does."""
        found = []
        for steps in product((0, *STEPS), repeat=self.n_cards):
            plan = tuple(self.changes.index((card, by)) for card, by in enumerate(steps) if by)
            if (np.abs(self.truth(plan)) <= 0.9).all():
                found.append(self.amount(plan))
        return min(found, default=inf)


THREE_FAULTS = [0.1, -1.9, 0.3, 2.0, -0.2, 0.0, 1.4, -0.4]


def test_three_planted_faults_are_mended() -> None:
    """The proposal changes the three cards that are off and no other, towards the middle."""
    pool = Linear(THREE_FAULTS)
    found = pool.search()
    assert found.reached and not found.spent
    assert [pool.changes[one] for one in found.proposal] == [(1, 2), (3, -2), (6, -1)]
    assert len(pool.played) == found.played < 30  # three cards with four changes, and few plans


@pytest.mark.parametrize("seed", range(6))
def test_no_plan_does_it_with_less(seed: int) -> None:
    """Against all plans of small pools."""
    base = np.random.default_rng(seed).normal(0, 1.1, 5)
    pool = Linear(base - base.mean())
    found = pool.search()
    least = pool.cheapest()
    assert found.reached == (least < inf)
    assert not found.reached or pool.amount(found.proposal) == least


def test_front() -> None:
    """From nothing changed to the proposal, each plan changes more and misses less."""
    pool = Linear(THREE_FAULTS)
    found = pool.search()
    assert found.front[0] == () and found.front[-1] == found.proposal
    amounts = [pool.amount(plan) for plan in found.front]
    missed = [np.maximum(np.abs(pool.truth(plan)) - 0.9, 0).sum() for plan in found.front]
    assert amounts == sorted(set(amounts)) == [0, 1, 2, 3, 4, 5]
    assert missed == sorted(missed, reverse=True) and missed[-1] == 0
    assert found.stands[found.proposal] == pytest.approx(pool.truth(found.proposal))


def test_changes_that_do_not_add_up() -> None:
    """What changes do together is seen and put right, where the sum of effects alone would fail."""
    pool = Linear(THREE_FAULTS, step=0.8, bend=0.12)
    straight = Linear(THREE_FAULTS, step=0.8).search().proposal
    assert (np.abs(pool.truth(straight)) > 0.9).any()
    found = pool.search()
    assert found.reached and (np.abs(pool.truth(found.proposal)) <= 0.9).all()


def test_what_cannot_be_reached() -> None:
    """The best that was found, without changes that bring next to nothing."""
    pool = Linear([0.0, 9.0, 0.2, -0.1, 0.3])
    found = pool.search()
    assert not found.reached and not found.spent
    assert (1, -2) in [pool.changes[one] for one in found.proposal]
    missed = [np.maximum(np.abs(pool.truth(plan)) - 0.9, 0).sum() for plan in ((), found.proposal)]
    assert missed[0] - missed[1] > WORTH * pool.amount(found.proposal)


def test_nothing_to_do() -> None:
    """A pool that is as it should be is left alone, after one look."""
    pool = Linear([0.1, -0.5, 0.3, 0.8])
    found = pool.search()
    assert (found.reached, found.proposal, found.front, found.played) == (True, (), ((),), 1)


def test_limits_are_kept() -> None:
    """No more plans than the budget, no more changes than asked for."""
    for budget in (1, 2, 5, 9):
        pool = Linear(THREE_FAULTS)
        found = pool.search(budget=budget)
        assert len(pool.played) == found.played <= budget
        assert found.spent
    found = Linear(THREE_FAULTS).search(most=2)
    assert len(found.proposal) == 2 and not found.reached


def test_a_number_of_the_whole() -> None:
    """What is missed by the whole is mended by the change of a rule, not by cards."""
    pool = Linear([0.1, -0.2, 0.4, 0.0, 1.7], rules=1.0)
    found = pool.search()
    assert found.reached
    assert [pool.changes[one] for one in found.proposal] == [(-1, -1)]


def test_cards_outside_come_first() -> None:
    """The first plans change only cards outside their range."""
    pool = Linear([0.1, -0.4, 0.3, 9.6, -0.2, 0.0, 8.9, -0.4], noise=0.2)
    found = pool.search(budget=20)
    first = [*pool.played][:8]
    assert found.played > 8 and not found.reached
    assert {pool.changes[one][0] for plan in first for one in plan} == {3, 6}


def test_cards_inside_are_left_alone() -> None:
    """Cards beyond the aim but inside their range are not changed where others do."""
    pool = Linear([0.8, -0.95, 0.75, 2.0, -0.2, 0.0, -0.93, -0.4])
    found = pool.search(aim=np.full(8, 0.5))
    assert found.careful == found.proposal
    assert {pool.changes[one][0] for one in found.proposal} == {3}
    assert {pool.changes[one][0] for one in found.tried} == {3}


def test_a_goal_out_of_reach_is_set_aside() -> None:
    """What no changes together reach is named, and nothing is changed for its sake."""
    base = [0.1, -0.2, 0.4, 0.0, -0.1, 30.0]
    pool = Linear(base, rules=1.0)
    found = pool.search()
    assert found.proposal == () and found.aside == (5,)
    assert len(found.tried) == len(pool.changes)
    assert [pool.changes[one] for one in found.nearest[5]] == [(-1, -1)]
    pool = Linear([0.1, -0.2, 0.4, 0.0, 1.7, 30.0], rules=1.0)
    found = pool.search()
    assert [pool.changes[one] for one in found.proposal] == [(4, -2)]
    assert list(found.nearest) == [5] and found.aside == (5,)


def test_a_card_out_of_reach_is_named() -> None:
    """The card that its own changes do not bring into its range, and how near they come."""
    pool = Linear([0.0, 9.0, 0.2, -0.1, 0.3])
    found = pool.search()
    assert list(found.nearest) == [1] and found.aside == ()
    off = [pool.truth(plan)[1] for plan in pool.played]
    assert pool.truth(found.nearest[1])[1] == min(off) > 1
    assert (1, -2) in [pool.changes[one] for one in found.nearest[1]]


def test_luck_is_allowed_for() -> None:
    """With an aim inside the goals, most proposals are good in truth, though luck blurs all."""
    good = 0
    for seed in range(12):
        pool = Linear([0.1, -1.9, 2.0, -0.2, 0.0], noise=0.1, seed=seed)
        found = pool.search(aim=np.full(5, 1 - 1.28 * 0.1))
        good += bool((np.abs(pool.truth(found.proposal)) <= 1).all())
    assert good >= 10


def test_cards_that_hide_behind_each_other() -> None:
    """Two cards of which the one matters only when the other is mended are mended one by one."""

    class Hidden(Linear):
        def truth(self, plan: Plan) -> np.ndarray:
            stands = super().truth(plan)
            strong = self.base[1] + self.effects[list(plan)][:, 1].sum()
            if strong < 0.9:
                stands[2] += 1.8
            return np.asarray(stands)

    pool = Hidden([0.0, 3.0, 0.7, 0.1, -0.2, *[0.0] * 7], step=1.3)
    found = pool.search()
    assert found.reached
    assert {pool.changes[one][0] for one in found.proposal} == {1, 2}


# ------------------------------------------------------------------------- goals


def made_games(n_games: int = 3000, seed: int = 5, worth: float = 0.03) -> np.ndarray:
    """Made-up games with strong and weak cards, in which it helps to start."""
    return synthetic_games(
        TABLE, n_games, seed=seed, worth=np.linspace(-worth, worth, 16),
        first_player_advantage=0.05, draw_rate=0.1,
    )  # fmt: skip


def measured(games: np.ndarray, goals: Goals) -> tuple[CardMeter, Measured]:
    """What a meter of the made-up pool says."""
    meter = CardMeter(goals, MADE_UP)
    return meter, meter.measure(Dealt(kept(games, OUTCOME), games["cards"]))


def test_numbers_are_those_of_the_report() -> None:
    """Advantages, the win rate of who starts and turns, with intervals, as in a report.

    No game is stopped: turns of stopped games would count here, and not there.
    """
    games = made_games(12_000)
    games = games[ended(games)]
    goals = Goals(0.02, 0.52, (10.0, 20.0))
    meter, found = measured(games, goals)
    tally = tally_games(games, CardTraits.of(TABLE.cards), same_policy=True, mindbugs_each=2)
    cards = cards_table(tally, [("set", card) for card in TABLE.cards], BOTH)
    summary = summary_table(tally, BOTH).set_index("statistic")
    table = meter.table(found)
    of_cards = table[table["goal"] == "card"].reset_index(drop=True)
    assert list(of_cards["card_id"]) == list(cards["card_id"])
    assert list(of_cards["n"]) == list(cards["dealt_n"])
    for mine, theirs in (
        ("estimate", "dealt_win_rate"),
        ("ci_low", "dealt_ci_low"),
        ("ci_high", "dealt_ci_high"),
    ):
        assert list(of_cards[mine] + 0.5) == pytest.approx(list(cards[theirs]), abs=1e-9)
    words = {"fair": MET, "too strong": MISSED, "too weak": MISSED}
    own = verdicts(of_cards["ci_low"], of_cards["ci_high"], band=goals.band)
    assert list(of_cards["verdict"]) == [words.get(one, NOT_SHOWN) for one in own]
    assert len(set(of_cards["verdict"])) > 1
    for name in (FIRST_PLAYER, TURNS):
        (line,) = table[table["goal"] == name].to_dict("records")
        for mine, theirs in (("estimate", "estimate"), ("ci_low", "ci_low"), ("n", "n_games")):
            assert line[mine] == pytest.approx(summary.loc[name, theirs], rel=1e-6)


def test_where_numbers_stand() -> None:
    """At 1 where they may just be; what lies beyond adds up."""
    games = made_games(500)
    meter, found = measured(games, Goals(0.02, 0.52, (10.0, 20.0)))
    numbers = found.numbers.estimate
    assert list(found.stands[:16]) == pytest.approx(list(numbers[:16] / 0.02))
    assert found.stands[16] == pytest.approx((numbers[16] - 0.5) / 0.02)
    assert found.stands[17] == pytest.approx((numbers[17] - 15) / 5)
    assert found.excess == pytest.approx(sum(max(abs(one) - 1, 0) for one in found.stands))
    assert meter.names[16:] == [FIRST_PLAYER, TURNS]


def test_errors_are_those_that_occur() -> None:
    """Standard errors of excess, gain and paired differences, against how these really vary."""
    goals = Goals(0.005, 0.51)
    every = np.ones(17, np.bool_)
    excess, errors, gains, gain_errors, moved, moved_errors = [], [], [], [], [], []
    for seed in range(120):
        one, other = (made_games(2000, seed, worth) for worth in (0.02, 0.035))
        meter, found = measured(one, goals)
        games, others = (Dealt(kept(side, OUTCOME), side["cards"]) for side in (one, other))
        second = meter.measure(others)
        before = meter.excess(found, games, every)
        after = meter.excess(second, others, every)
        assert before.value == pytest.approx(found.excess)
        excess.append(before.value)
        errors.append(before.error)
        gain, error = before.less(after, dealt_alike=True)
        gains.append(gain)
        gain_errors.append(error)
        assert before.less(after, dealt_alike=False)[1] > error
        moved.append(second.stands - found.stands)
        moved_errors.append(meter.moved_errors(games, others))
    for said, seen in ((errors, excess), (gain_errors, gains)):
        assert 0.9 < np.mean(said) / np.std(seen) < 1.8  # rather too large than too small
    ratio = np.mean(moved_errors, axis=0) / np.std(moved, axis=0)
    assert ratio.mean() == pytest.approx(1, abs=0.12)
    assert np.all((ratio > 0.7) & (ratio < 1.4))


def test_verdicts_need_games() -> None:
    """The same share is met, missed or not shown, as the interval says."""
    verdicts = {}
    for n_games, most in ((40_000, 0.6), (40_000, 0.51), (60, 0.56)):
        meter, found = measured(made_games(n_games), Goals(0.02, most))
        verdicts[n_games, most] = meter.table(found)["verdict"].iloc[-1]
    assert verdicts == {(40_000, 0.6): MET, (40_000, 0.51): MISSED, (60, 0.56): NOT_SHOWN}
    assert joint_verdict([MET, NOT_SHOWN, MET]) == NOT_SHOWN
    assert joint_verdict([MET, NOT_SHOWN, MISSED]) == MISSED
    assert joint_verdict([MET, MET]) == MET


@pytest.mark.parametrize("share", [0.3, 1.0, 2.0])
def test_how_far_inside_is_confirmed(share: float) -> None:
    """A number seen so far inside is confirmed by fresh games in nine cases of ten.

    A goal is met where all of the 95% interval is inside its range, not a one-sided one.
    """
    luck = np.random.default_rng(3)
    truth = -errors_inside(share) + luck.standard_normal(100_000)  # of what was seen there
    fresh = truth + share * luck.standard_normal(100_000)
    assert np.mean(fresh + normal_z() * share < 0) == pytest.approx(0.9, abs=0.005)


# ------------------------------------------------------------------------- real games

#: Twelve plain creatures of power 6 and three faults.
FAULTS = {"bee": 9, "eel": 4, "hen": 3}


def asked(**more: Any) -> Question:
    """The question of the planted faults."""
    pool = planted_pool(FAULTS)
    usual: dict[str, Any] = {
        "changes": tuple(adjustments_of(pool, [POWER], power_step=3)),
        "policy": "random",
        "games": 4000,
        "confirm": 20_000,
        "goals": Goals(0.03),
        "budget": 400_000,
    }
    return Question(**({"pool": pool} | usual | more))


@pytest.fixture(scope="module")
def mended(tmp_path_factory: pytest.TempPathFactory) -> tuple[Path, Question, Answer]:
    """The planted faults, mended."""
    folder, question = tmp_path_factory.mktemp("mended"), asked()
    return folder, question, rebalance(question, folder, watch=unwatched, threads=1)


def test_planted_faults_are_mended_and_confirmed(mended: tuple[Path, Question, Answer]) -> None:
    """Real games: the three cards and no other are changed, and fresh games show the goal met."""
    _, question, answer = mended
    changes = answer.tables["changes"]
    assert set(changes["card_id"]) == set(FAULTS)
    steps = dict(zip(changes["card_id"], changes["after"].astype(int), strict=True))
    assert steps["bee"] < 9 and steps["eel"] > 4 and steps["hen"] > 3
    assert answer.verdict == MET
    goals = answer.tables["goals"].set_index("card_id")
    assert (goals.loc[["bee"], "before_verdict"] == MISSED).all()
    assert (goals["after_verdict"] == MET).all()
    assert answer.found.played * question.games <= question.budget
    assert answer.manifest["fresh_seed"] != answer.manifest["seed"]


def test_what_is_told_is_what_was_played(mended: tuple[Path, Question, Answer]) -> None:
    """The numbers after the changes are those of the proposed pool in games of the other seed."""
    folder, question, answer = mended
    pool = read_pool(folder / "proposal")
    games = play_games(
        compile_cards(pool.sets, pool.modes), n_games=20_000, seed=question.fresh_seed
    )
    meter = CardMeter(question.goals, question.pool)
    again = meter.measure(Dealt(kept(games, OUTCOME), games["cards"]))
    assert list(answer.tables["goals"]["after"]) == list(again.numbers.estimate)
    assert pool == answer.proposal


def test_files(mended: tuple[Path, Question, Answer]) -> None:
    """The card file plays, the tables have the columns described, the answer is kept."""
    folder, _, answer = mended
    cards = parse_set((folder / PROPOSAL_FILE).read_text(), PROPOSAL_FILE).cards
    assert {card.card_id for card in cards} == set(FAULTS)
    own = load_pool(
        [], pool_file=folder / "search" / "pool.toml", card_files=[folder / PROPOSAL_FILE]
    )
    found = {card.card_id: card.power for one in own.sets for card in one.cards}
    wanted = {card.card_id: card.power for one in answer.proposal.sets for card in one.cards}
    assert found == wanted
    for name in REBALANCE_TABLES:
        table = pd.read_parquet(folder / f"tables/{name}.parquet")
        assert list(table.columns) == list(TABLES[name].columns)
        pd.testing.assert_frame_equal(table, answer.tables[name], check_dtype=False)
    kept_answer = open_json((folder / "rebalance.json").read_bytes())
    assert {kept_answer.pop(name) for name in ("format", "checksum")} >= {1}
    assert kept_answer == answer.manifest
    assert len(kept_answer["proposal"]) == len(answer.tables["changes"])
    front = answer.tables["front"]
    assert list(front["amount"]) == sorted(set(front["amount"]))
    assert list(front["proposed"]) == [False] * (len(front) - 1) + [True]


def test_what_was_played_is_not_played_again(
    mended: tuple[Path, Question, Answer], monkeypatch: pytest.MonkeyPatch, tmp_path: Path
) -> None:
    """The same question gives the same answer from the files; an interrupted search goes on."""
    folder, question, answer = mended

    def fail(*_: Any, **__: Any) -> np.ndarray:
        raise KeyboardInterrupt

    monkeypatch.setattr("simcore.mindbug.play.setup.play_rows", fail)
    again = rebalance(question, folder, watch=unwatched, threads=1)
    assert again.manifest == answer.manifest
    with pytest.raises(KeyboardInterrupt):
        rebalance(question, tmp_path / "cut", watch=unwatched, threads=1)
    assert "verdict" not in json.loads((tmp_path / "cut" / "rebalance.json").read_text())
    (tmp_path / "letter.txt").write_text("Dear Ann")
    with pytest.raises(RunError, match="not empty"):
        rebalance(question, tmp_path, watch=unwatched)
    with pytest.raises(RunError, match="holds an analysis with games 4000, not 4001"):
        rebalance(evolve(question, games=4001), folder, watch=unwatched)


def test_no_gain_no_proposal(tmp_path: Path) -> None:
    """A pool without faults, seen with few games: what they seem to show is not proposed."""
    outcomes = []
    for seed in range(4):
        pool = planted_pool({})
        question = asked(
            pool=pool, changes=tuple(adjustments_of(pool, [POWER])), goals=Goals(0.02),
            games=300, confirm=1000, budget=6000, seed=seed,
        )  # fmt: skip
        answer = rebalance(question, tmp_path / str(seed), watch=unwatched, threads=1)
        outcomes.append(answer.outcome)
        assert answer.proposal == pool and answer.tables["changes"].empty
        assert answer.tables["goals"]["after"].isna().all()
        assert answer.manifest["proposal"] == [] and answer.manifest["card_file"] is None
        if answer.outcome == NO_GAIN_SHOWN:
            (gain,) = answer.tables["gains"].to_dict("records")
            assert gain["gain_ci_low"] <= 0
            needed = answer.manifest["games_to_show"]
            assert (needed is None) == (gain["gain"] <= 0)
            assert needed is None or needed > question.confirm
    assert PROPOSED not in outcomes and NO_GAIN_SHOWN in outcomes


def test_a_gain_is_shown_by_fresh_games(mended: tuple[Path, Question, Answer]) -> None:
    """It is what the cards lie less outside than before, and its interval does not hold zero."""
    _, question, answer = mended
    assert answer.outcome == PROPOSED
    (gain,) = answer.tables["gains"].to_dict("records")
    goals = answer.tables["goals"]
    outside = {
        side: (goals[side].abs() - question.goals.band).clip(lower=0).sum()
        for side in ("before", "after")
    }
    assert gain["before"] == pytest.approx(outside["before"])
    assert gain["gain"] == pytest.approx(outside["before"] - outside["after"])
    assert 0 < gain["gain_ci_low"] < gain["gain"] < gain["gain_ci_high"]


def test_a_goal_out_of_reach_is_named(tmp_path: Path) -> None:
    """In its own unit, with how near the changes come; cards are mended all the same."""
    question = asked(goals=Goals(0.03, turns=(100.0, 120.0)))
    answer = rebalance(question, tmp_path, watch=unwatched, threads=1)
    (row,) = answer.tables["nearest"].to_dict("records")
    assert (row["goal"], row["least"], row["most"]) == (TURNS, 100, 120)
    assert row["out_of_reach"] and row["nearest_ci_high"] < 100
    assert answer.manifest["set_aside"] == [TURNS]
    assert "bee" in set(answer.tables["changes"]["card_id"])
    gains = answer.tables["gains"].set_index("goal")
    assert gains.loc["card", "gain_ci_low"] > 0 and gains.loc[TURNS, "before"] > 60


def test_truths_hold() -> None:
    """A few of the random pools of docs/data/rebalance_truths.csv."""
    shares = [
        *faults(range(202, 204), Size(2000, 20_000, 30), 40_000),
        *at_the_edge(range(201, 203), SMALL, 40_000),
        *no_faults(range(201, 205), SMALL),
        *nothing_helps(range(201, 203), SMALL),
    ]
    assert [share.what for share in shares if share.fails] == []
    proposals = [share.seen for share in shares if share.what == "answers headed Proposal"]
    assert sum(proposals) > 0


def test_rules_are_changed_too(tmp_path: Path) -> None:
    """A goal for the length of games is met with a rule; the pool file carries it."""
    pool = planted_pool(FAULTS | {"bee": 6})
    base = play_games(compile_cards(pool.sets, pool.modes), n_games=4000)["turns"].mean()
    question = asked(
        changes=tuple(adjustments_of(pool, [LIFE])),
        goals=Goals(0.2, None, (base + 1.5, base + 12)),
        confirm=4000,
    )
    question = evolve(question, pool=pool)
    answer = rebalance(question, tmp_path, watch=unwatched, threads=1)
    assert answer.manifest["proposal"] == ["life=4"] and answer.verdict == MET
    assert read_pool(tmp_path / "proposal").modes.life == 4
    assert not (tmp_path / PROPOSAL_FILE).exists()
    assert list(answer.tables["changes"]["what"]) == ["life"]


#: Plain creatures of every power, so that a hand tells who is likely to win.
SPREAD = 'name = "Spread"\n' + "".join(
    f'\n[card_{n}]\nname = "Card {n}"\npower = {1 + n % 10}\ncopies = 4\n' for n in range(12)
)


def test_who_starts_is_changed_too(tmp_path: Path) -> None:
    """Going first is too good; other rules than who starts miss that or the length of games."""
    pool = Pool((parse_set(SPREAD, "spread.toml"),), Modes(life=2))
    rules = [lever for lever in LEVERS if lever not in OF_CARDS]
    changes = tuple(adjustments_of(pool, rules))
    goals = Goals(0.45, 0.52, (20.0, 28.0))
    question = Question(pool, changes, goals, "random", 20_000, 40_000, budget=600_000)
    answer = rebalance(question, tmp_path, watch=unwatched, threads=1)
    assert answer.manifest["proposal"] == ["who_starts=weaker_hand"] and answer.verdict == MET
    assert answer.manifest["verdicts"].keys() == {"card", FIRST_PLAYER, TURNS}
    before = answer.tables["goals"].set_index("goal")["before_verdict"]
    assert (before[FIRST_PLAYER], before[TURNS]) == (MISSED, MET)
    assert read_pool(tmp_path / "proposal").modes.who_starts == "weaker_hand"
    (line,) = answer.tables["changes"].to_dict("records")
    told = [line[name] for name in ("card_id", "what", "before", "after", "amount")]
    assert told == ["", "who starts", "higher card", "weaker hand", 2]


def test_revealed_cards_and_the_coin_are_alike() -> None:
    """Who starts by what nobody holds wins as often, which is why none is put for another."""
    pool, rates = Pool((parse_set(SPREAD, "spread.toml"),)), {}
    for way in ("higher_card", "lower_card", "random", "weaker_hand", "stronger_hand"):
        table = compile_cards(pool.sets, pool.modes, who_starts=way)
        games = play_games(table, n_games=20_000, seed=2)
        rates[way] = (games["winner"] == games["first_player"]).mean()
    by_chance = [rates[way] for way in ("higher_card", "lower_card", "random")]
    error = 2**0.5 * 0.5 / 20_000**0.5  # of a difference
    assert max(by_chance) - min(by_chance) < 4 * error
    assert rates["weaker_hand"] < min(by_chance) - 4 * error
    assert rates["stronger_hand"] > max(by_chance) + 4 * error


def test_deals_of_changed_pools(tmp_path: Path) -> None:
    """Other rules keep the deals of the base; other copies do not, and their deals are kept."""
    pool = planted_pool(FAULTS)
    laboratory = Laboratory(Experiments(pool, "random", 200, 3), tmp_path, threads=1)
    base = laboratory.play_base()
    pools = [
        adjusted(pool, [change])
        for change in (
            Adjustment(LIFE, 4, 2),
            Adjustment(WHO_STARTS, "stronger_hand", 2),
            Adjustment(COPIES, 3, 1, "bee"),
        )
    ]
    for changed, found, record in zip(
        pools, laboratory.play_pools(pools), (OUTCOME, OUTCOME, BASE_GAME), strict=True
    ):
        games = play_games(compile_cards(changed.sets, changed.modes), n_games=200, seed=3)
        assert found.dtype == record
        assert np.array_equal(found, kept(games, record))
        assert np.array_equal(games["cards"], base["cards"]) == (record == OUTCOME)
