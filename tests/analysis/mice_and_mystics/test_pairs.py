"""Two runs side by side: what is compared, and planted differences."""

import numpy as np
import pytest

from analysis.experiments.comparison import comparison_table
from analysis.mice_and_mystics.pairs import GAME_MEASURES, PairCounter
from simcore.mice_and_mystics.table.records import Outcome
from support.planted_mice import Planted, play, run_facts

ALL = run_facts()
ONE = run_facts("collin", "nez", "tilda", "filch")


def test_differences_are_those_of_the_games() -> None:
    """Each line has the means of both runs, of all games and of the games of each party."""
    base, variant = (play(ALL, Planted(base=base), 3_000, 1) for base in (0.3, 0.4))
    counter = PairCounter(ALL, ALL)
    sums = counter.count(base, variant)
    table = comparison_table(sums, counter.lines, True, 0.01, same_pool=True)
    lines = table.set_index(["kind", "id", "measure"])
    won = [games["outcome"] == Outcome.WIN for games in (base, variant)]
    first = lines.loc[("game", "", "win_rate")]
    assert (first["base"], first["variant"]) == (won[0].mean(), won[1].mean())
    assert first["difference_ci_low"] < 0.1 < first["difference_ci_high"]
    for name in ("rounds", "captures", "surges"):
        line = lines.loc[("game", "", f"mean_{name}")]
        assert line["base"] == pytest.approx(base[name].mean())
    scores = [
        games["route_depth"] + wins * (1 + games["pages_left"] / ALL.page_end)
        for games, wins in zip((base, variant), won, strict=True)
    ]
    line = lines.loc[("game", "", "mean_score")]
    assert line["difference"] == pytest.approx(scores[1].mean() - scores[0].mean())
    party = ALL.parties[3]
    there = ALL.party_of(base) == 3
    line = lines.loc[("party", ",".join(party), "win_rate")]
    assert line["base_n"] == there.sum() and line["base"] == pytest.approx(won[0][there].mean())
    assert len(lines) == len(GAME_MEASURES) + 2 * len(ALL.parties)
    assert sums.same_deals == len(base) and counter.alike


def test_scores_of_different_end_pages_are_compared_in_rooms() -> None:
    """A win with no page left counts the same whether the chapter has 6 pages or 8 (M115)."""
    longer = run_facts("collin", "nez", "tilda", "filch", page_end="8")
    games = play(ONE, Planted(base=1), 200, 2)
    games["pages_left"] = 0
    counter = PairCounter(ONE, longer)
    table = comparison_table(
        counter.count(games, games), counter.lines, True, 0.01, same_pool=False
    )
    line = table.set_index("measure").loc["mean_score"]
    assert line["base"] == line["variant"] == pytest.approx(games["route_depth"].mean() + 1)
    assert not counter.alike


def test_parties_that_only_one_run_has_are_not_compared() -> None:
    """Lines of parties are those that both runs have; games of all parties count for the game."""
    chapter, wide = (
        run_facts(chapter="ch1_flight_to_barksburg", **words) for words in ({}, {"parties": "any"})
    )
    facts = PairCounter(wide, chapter).lines.facts
    assert set(facts.loc[facts["kind"] == "party", "id"]) == {
        ",".join(party) for party in chapter.parties
    }
    other = run_facts("nez", "tilda", "filch", "lily")
    unlike = PairCounter(ONE, other)
    assert set(unlike.lines.facts["kind"]) == {"game"}
    none = play(other, Planted(), 0, 3)
    np.testing.assert_array_equal(unlike.count(play(ONE, Planted(), 90, 3), none).games, [90, 0])
