"""The rule that ends a run of Mice & Mystics: what can be asked, and what it promises."""

from collections.abc import Sequence

import numpy as np
import pytest

from analysis.confidence import normal_z
from analysis.mice_and_mystics.run_facts import RunFacts, with_without
from analysis.mice_and_mystics.stopping import PlayUntil
from analysis.mice_and_mystics.tables import RUN_TABLES
from analysis.stopping import Goal, GoalError
from support.planted_mice import Planted, count, play, run_facts

ALL = run_facts()
ONE = run_facts("collin", "nez", "tilda", "filch")
CHAPTER = run_facts(chapter="ch1_flight_to_barksburg")
TRUTH = Planted(heroes={"tilda": 0.1, "nez": -0.07})
N_RUNS, N_LOOKS = 300, 80


def rates_of(facts: RunFacts) -> np.ndarray:
    """The true win rate of each party."""
    return np.array([TRUTH.of_party(party) for party in facts.parties])


def drawn(facts: RunFacts, part: int, seed: int) -> np.ndarray:
    """Games and wins of each party at each look: (n_runs, n_looks, 2, n_parties)."""
    rng = np.random.default_rng(seed)
    parties = len(facts.parties)
    games = rng.multinomial(part, np.full(parties, 1 / parties), size=(N_RUNS, N_LOOKS))
    wins = rng.binomial(games, rates_of(facts))
    return np.stack([games, wins], axis=2).cumsum(axis=1)


@pytest.mark.parametrize(
    ("of", "truths"),
    [
        ("win_rate", [rates_of(ALL).mean()]),
        ("parties", rates_of(ALL)),
        ("heroes", with_without(ALL.members) @ rates_of(ALL)),
    ],
)
def test_intervals_hold_at_every_look(of: str, truths: Sequence[float]) -> None:
    """In 95% of runs all that is watched is covered at all of 80 looks; ordinary ones fail."""
    rule = PlayUntil(Goal(5, of), ALL, anytime=True)
    assert len(rule.watched) == len(truths)
    known = rule.known(drawn(ALL, 2_048, 1))  # (n_runs, n_looks, n_watched)
    off = np.abs(known.rate - truths)
    assert (off <= known.half_width).all(axis=(1, 2)).mean() >= 0.95
    assert (off <= normal_z() * known.std_err).all(axis=(1, 2)).mean() < 0.85


@pytest.mark.parametrize("of", ["win_rate", "parties", "heroes", "nez"])
def test_runs_end_when_all_is_known(of: str) -> None:
    """A run ends at the precision that was asked for, and is right there in 95% of cases."""
    rule = PlayUntil(Goal(3, of), ALL)
    truths = {
        "win_rate": [rates_of(ALL).mean()],
        "parties": rates_of(ALL),
        "heroes": with_without(ALL.members) @ rates_of(ALL),
        "nez": [(with_without(ALL.members) @ rates_of(ALL))[ALL.ids["heroes"].index("nez")]],
    }[of]
    sums = drawn(ALL, 1_024, 2)
    known = rule.known(sums)
    reached = np.all(known.half_width <= 0.03, axis=2)
    assert np.any(reached, axis=1).all()
    ends = reached.argmax(axis=1)
    right = (np.abs(known.rate - truths) <= known.half_width).all(axis=2)
    assert right[np.arange(N_RUNS), ends].mean() >= 0.92
    for run in range(3):
        looks = [rule.look(sums[run, look], 1_024 * (look + 1)) for look in range(ends[run] + 1)]
        assert [look.reached for look in looks] == [False] * ends[run] + [True]


CARDS = {"si_enc_05": "encounters", "dagger": "search_cards", "first_aid": "abilities"}


@pytest.mark.parametrize("of", ["parties", *CARDS])
def test_counts_are_games_and_wins_of_groups(of: str) -> None:
    """What a rule counts is what tables count, so intervals of a run can be stated from either."""
    games = play(ALL, TRUTH, 3_000, 3)
    rule = PlayUntil(Goal(1, of), ALL)
    np.testing.assert_array_equal(rule.count(games), rule.sums_of(count(ALL, games).sums))


def test_a_card_that_never_comes_up_is_not_waited_for() -> None:
    """It is named after 10,000 games, and the run ends; heroes are waited for as they are."""
    rule = PlayUntil(Goal(1, "dagger"), ALL)
    sums = np.zeros((2, 2 * len(ALL.parties)), np.int64)
    sums[0, : len(ALL.parties)] = 10_000
    assert not rule.look(sums, 9_999).reached
    look = rule.look(sums, 20_000)
    assert look.reached and look.details["never"] == [ALL.names["dagger"]]
    heroes = PlayUntil(Goal(1, "heroes"), ALL).look(np.zeros((2, len(ALL.parties))), 20_000)
    assert not heroes.reached and "never" not in heroes.details


@pytest.mark.parametrize(
    ("facts", "of", "message"),
    [
        (ONE, "heroes", "in a run of one party; '--party all' plays all of them"),
        (ONE, "nez", "what a hero is worth cannot be known in a run of one party"),
        (CHAPTER, "collin", "what 'collin' is worth cannot be known: every party of the run has"),
        (CHAPTER, "lily", "what 'lily' is worth cannot be known"),
        (
            ALL,
            "cards",
            "'cards' is neither win_rate, parties, heroes nor a hero, a party or a card",
        ),
        (ALL, "party", "did you mean 'parties'?"),
        (ALL, "nezz", "did you mean 'nez'?"),
        (CHAPTER, "nez,tilda,filch,lily", "nor a hero, a party or a card that is drawn here"),
    ],
)
def test_a_goal_about_nothing_is_refused(facts: RunFacts, of: str, message: str) -> None:
    """What the run cannot tell is refused before a game is played, with what it can."""
    with pytest.raises(GoalError) as error:
        PlayUntil(Goal(1, of), facts)
    assert message in str(error.value)


@pytest.mark.parametrize(("of", "effect"), [("meeps", 0.05), ("si_enc_05", -0.12)])
def test_what_a_card_does_is_watched_within_parties(of: str, effect: float) -> None:
    """Intervals hold at every look, also of an ability that only weak parties can have."""
    truth = Planted(heroes={"maginos": -0.2}, dealt={"meeps": 0.05}, first={"si_enc_05": -0.12})
    rule, right = PlayUntil(Goal(3, of), CHAPTER, anytime=True), 0
    maginos, bit = (CHAPTER.ids[kind].index(one) for kind, one in
                    (("heroes", "maginos"), ("abilities", "meeps")))  # fmt: skip
    for seed in range(8):
        games = play(CHAPTER, truth, 16_000, seed)
        his = (games["party"] == maginos).any(axis=1)
        games = games[his | (games["dealt"] >> bit & 1 == 0)]
        sums = np.cumsum([rule.count(part) for part in np.array_split(games, 4)], axis=0)
        known = rule.known(sums)
        assert known.half_width[-1, 0] < 0.1
        right += int((np.abs(known.rate - effect) <= known.half_width).all())
    assert right >= 7


@pytest.mark.parametrize(
    ("of", "table", "column"),
    [
        ("win_rate", "outcomes", ""),
        ("parties", "parties", "win_rate_"),
        ("heroes", "heroes", "worth_"),
        *((card, kind, "win_effect_") for card, kind in CARDS.items()),
    ],
)
def test_tables_have_the_intervals_that_were_promised(of: str, table: str, column: str) -> None:
    """Where a rule ended the run, what it watched has its intervals, and nothing else changes."""
    facts, games = (CHAPTER, 12_000) if of in CARDS else (ALL, 6_000)
    counts = count(facts, play(facts, TRUTH, games, 4))
    tables = {name: entry.make(counts) for name, entry in RUN_TABLES.items() if entry.make}
    rule = PlayUntil(Goal(4, of), facts)
    until = {**rule.asked, "sums": None}
    sums = rule.sums_of(counts.sums)
    stated = counts.restate(tables, until)
    now, before = (
        one[table][f"{column}ci_high"] - one[table][f"{column}ci_low"] for one in (stated, tables)
    )
    changed = ~np.isclose(now, before)
    assert changed.sum() == len(rule.watched)
    np.testing.assert_allclose(now[changed], 2 * rule.known(sums).half_width)
    for name, rows in tables.items():
        # Win rates of parties stand in two tables.
        ends_in = {"parties": "win_rate_", "outcomes": ""} if of == "parties" else {table: column}
        ends = [f"{ends_in[name]}ci_{end}" for end in ("low", "high")] if name in ends_in else []
        same = rows.columns.difference(ends)
        assert stated[name][same].equals(rows[same])
