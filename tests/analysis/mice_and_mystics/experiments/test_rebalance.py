"""Rebalancing a chapter: planted truths, what is written, and the same answer however it is played.

The chapters are those of the game with a last page that makes them too hard, or with a band where
they are already.
"""

from collections.abc import Callable
from pathlib import Path
from typing import Any

import numpy as np
import pandas as pd
import pytest

from analysis.experiments.goals import (
    MET,
    MISSED,
    NEEDLESS,
    NOT_SHOWN,
    NOTHING_HELPS,
    PROPOSED,
    Meter,
    games_to_show,
)
from analysis.experiments.watch import unwatched
from analysis.mice_and_mystics.experiments import rebalance as module
from analysis.mice_and_mystics.experiments.rebalance import Question, allowed_changes, written
from analysis.mice_and_mystics.experiments.rebalance_goals import (
    ENTRIES,
    Band,
    EffectMeter,
    PartyMeter,
)
from analysis.mice_and_mystics.experiments.trials import RESULT
from analysis.mice_and_mystics.experiments.verdict_effects import (
    NothingToCompare,
    Sorted,
    average_entry,
    sort_games,
)
from analysis.questions.rebalance import PROPOSAL_FILE, Answer, FrontSoFar, rebalance
from card_data.mice_and_mystics import load_facts
from card_data.mice_and_mystics.facts import Facts, by_id
from card_data.mice_and_mystics.formatter import changes_text
from card_data.mice_and_mystics.loader import load_named
from card_data.mice_and_mystics.settings import Settings, read_settings
from card_data.schema.changes import Change
from simcore.mice_and_mystics.play.simulate import play_games
from simcore.mice_and_mystics.table.compile_facts import compile_facts
from simcore.mice_and_mystics.table.records import Outcome
from simcore.sealed import RunError

CHAPTER = "ch1_flight_to_barksburg"
PARTY = ("collin", "nez", "tilda", "filch")
#: What H wins with that party, by the last page: 42.8% with 6, 28% with 5 (20,000 games).
BAND = Band(0.36, 0.50)
PARTIES_OF_TWO = [("one", "One"), ("other", "Other")]


def settings(*words: str, party: tuple[str, ...] = PARTY) -> Settings:
    """Settings of chapter 1."""
    return read_settings(load_facts(), CHAPTER, party, words)


def changes_of(asked: Settings, *keys: str) -> tuple[Change, ...]:
    """Steps of the numbers whose names are told as "entry.number"."""
    found = allowed_changes(load_facts(), asked)
    return tuple(
        one for one in found if f"{one.variable.entry}.{one.variable.number}".strip(".") in keys
    )


def answer_of(
    question: Question, folder: Path, threads: int = 1, see: list[FrontSoFar] | None = None
) -> Answer:
    """What comes of a question; fronts that are shown meanwhile are added to a list."""
    look = None if see is None else see.append
    return rebalance(question, folder, watch=unwatched, threads=threads, see=look)


def question_of(
    asked: Settings, changes: tuple[Change, ...], band: Band = BAND, **more: Any
) -> Question:
    """A question about the chapter, which ``heuristic`` plays."""
    return Question(load_facts(), asked, band, changes, policy="heuristic", **more)


def planted(games: int, confirm: int) -> Question:
    """A chapter that is one page too short, and numbers that matter little beside that."""
    asked = settings("page_end=4")
    changes = changes_of(asked, "page_end", "tilda.lore", "cheese_at_start")
    return question_of(asked, changes, games=games, confirm=confirm, budget=40 * games)


def test_one_change_that_puts_a_chapter_into_the_band_is_found(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    """After a race the proposal is the page, alone, and fresh games see the party in the band."""
    monkeypatch.setattr(module, "_KEPT", 2)
    monkeypatch.setattr(module, "_AGAINST", 1)
    asked = settings("page_end=5")
    changes = changes_of(asked, "page_end", "tilda.lore", "filch.lore", "nez.lore")
    question = question_of(asked, changes, games=1500, confirm=4000, budget=30_000)
    looks: list[FrontSoFar] = []
    answer = answer_of(question, tmp_path / "one", see=looks)
    assert answer.outcome == PROPOSED
    assert answer.manifest["proposal"] == ["rules:page_end=6"]
    assert answer.manifest["set"] == ["page_end=6"]
    assert answer.manifest["file"] is None
    assert answer.manifest["games_of_race"] > 0
    goals = answer.tables["goals"].iloc[0]
    assert goals["after_verdict"] == MET
    assert goals["before"] < BAND.least
    front = answer.tables["front"]
    assert list(front["amount"]) == [0, 1]
    assert front.loc[1, "gain_ci_low"] > 0
    assert front.loc[1, "worst_distance"] == 0
    shown = [look.table() for look in looks]
    assert shown[0]["changes"].tolist() == [""], "nothing changed is known first"
    last = shown[-1]
    assert last["changes"].tolist() == front["changes"].tolist()
    assert set(last["n_games"]) == {1500} and not last["proposed"].any()
    assert last.loc[1, "gain"] > 0


def test_a_chapter_in_the_band_needs_no_change(tmp_path: Path) -> None:
    """Nothing is proposed where the chapter is balanced already, and no change is tried."""
    asked = settings()
    changes = allowed_changes(load_facts(), asked)
    question = question_of(asked, changes, games=1500, confirm=3000)
    answer = answer_of(question, tmp_path)
    assert answer.outcome == NEEDLESS
    assert answer.manifest["proposal"] == []
    assert answer.manifest["played"] == 1
    assert answer.tables["goals"].loc[0, "before_verdict"] == MET
    assert not (tmp_path / PROPOSAL_FILE).exists()


def test_nothing_is_needless_that_fresh_games_show_to_be_missed(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    """The few games of the search may lie inside a band that the chapter is outside of."""
    asked = settings()
    changes = allowed_changes(load_facts(), asked)
    question = question_of(asked, changes, games=1500, confirm=3000)
    monkeypatch.setattr("analysis.questions.rebalance.joint_verdict", lambda _: MISSED)
    assert answer_of(question, tmp_path).outcome == NOTHING_HELPS


def test_a_gain_is_shown_once_every_number_was_observed() -> None:
    """Ten times the games, where a number was observed ten times and a hundred are wanted."""
    assert games_to_show(5, 0.1, 40_000, 10) == 400_000
    assert games_to_show(5, 0.1, 40_000, 1000) == 40_000
    assert games_to_show(5, 0.1, 40_000, 0) is None


def test_a_band_that_nothing_reaches_gets_the_nearest_or_nothing(tmp_path: Path) -> None:
    """Numbers that hardly matter cannot bring 43% to 90%: that is said, and the front ends."""
    asked = settings()
    changes, band = changes_of(asked, "tilda.lore"), Band(0.9, 0.95)
    question = question_of(asked, changes, band, games=300, confirm=300, budget=6000)
    answer = answer_of(question, tmp_path)
    assert not answer.manifest["reached_in_search"]
    assert answer.manifest["verdict"] == "missed"
    assert answer.outcome != NEEDLESS
    assert answer.outcome in (PROPOSED, NOTHING_HELPS, "no gain shown")
    assert (answer.tables["front"]["outside"] == 1).all()


def test_the_answer_does_not_depend_on_threads_or_interruptions(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    """Two threads give the tables of one; what is finished is read, not played again."""
    question = planted(200, 300)
    one = answer_of(question, tmp_path / "one")
    two = answer_of(question, tmp_path / "two", threads=2)
    for name, table in one.tables.items():
        pd.testing.assert_frame_equal(table, two.tables[name])
    monkeypatch.setattr("simcore.mice_and_mystics.play.setup.play_rows", None)
    again = answer_of(question, tmp_path / "one")
    assert again.manifest == one.manifest
    (tmp_path / "other").mkdir()
    (tmp_path / "other" / "notes.txt").write_text("mine")
    with pytest.raises(RunError, match=r"notes\.txt"):
        answer_of(question, tmp_path / "other")


def test_a_proposal_can_be_named_and_plays_what_was_found(tmp_path: Path) -> None:
    """The file and the settings of a plan compile to the very numbers that were played."""
    asked = settings(party=())
    every = allowed_changes(load_facts(), asked)
    names = (
        *("heroes:maginos:life=4", "minions:rat_warrior:defense=1"),
        *("encounters:si_enc_01:bands.5-.rat_warrior=2", "rules:wheel_size=7"),
        f"chapters:{CHAPTER}:page_end=7",
        f"chapters:{CHAPTER}:start.minions.rat_warrior=2",
    )
    question = Question(load_facts(), asked, BAND, every)
    plan = question.plan_of(" ".join(names))
    assert len(plan) == len(names)
    facts, words = written(question, plan)
    assert sorted(words) == ["page_end=7", "wheel_size=7"]
    path = tmp_path / "mine.toml"
    path.write_text(changes_text(facts, load_facts()))
    read, chapter = load_named(f"{CHAPTER}+{path}")
    there = compile_facts(read, read_settings(read, chapter, (), words))
    found = question.made(plan)
    played = found.setup.table
    assert there.rows.tobytes() == played.rows.tobytes()
    maginos = next(hero for hero in read.heroes if hero.id == "maginos")
    assert "life 3 → 4, proposed by rebalance" in maginos.note
    assert dict(maginos.field_confidence)["life"] == "assumed"


def test_changes_are_steps_of_numbers_that_make_sense() -> None:
    """One step either way, none of what is in the box, at most one of a band, none of what is kept.

    Levers that are not named stay alone.
    """
    facts, asked = load_facts(), settings(party=())
    every = allowed_changes(facts, asked)
    assert {one.variable.of for one in every} == {
        *("heroes", "minions", "encounters", "chapters", "rules")
    }
    numbers = {one.variable.number for one in every}
    assert not numbers & {"figure_limit", "token_limit", "page_start"}
    question = Question(facts, asked, BAND, every)
    assert all(question.amount_of(one) == 1 for one in every)
    of_band = [one for one in every if one.variable.number.startswith("bands.5-.")]
    assert len({question.thing_of(one) for one in of_band}) < len(of_band) / 2
    wide = allowed_changes(facts, asked, ["heroes"], step=2, but=lambda one: one.entry == "nez")
    assert {question.amount_of(one) for one in wide} == {1, 2}
    assert "nez" not in {one.variable.entry for one in wide}


def test_entries_that_are_named_are_judged_alone(tmp_path: Path) -> None:
    """By their effects, as `verdict` has them; with a change of one the other keeps its average."""
    asked = settings(party=())
    rats = changes_of(asked, "rat_warrior.battle")
    changes = changes_of(asked, "nez.battle", "nez.life") + rats
    judged = (("heroes", "nez"), ("minions", "rat_warrior"))
    sizes = {"games": 1500, "confirm": 2000, "budget": 12_000}
    question = question_of(asked, changes, Band(-0.02, 0.02), judged=judged, **sizes)
    answer = answer_of(question, tmp_path)
    goals = answer.tables["goals"].set_index("entry")
    assert [*goals.index] == ["nez", "rat_warrior"] and set(goals["judged"]) == {ENTRIES}

    def fresh(data: Facts) -> np.ndarray:
        table, seed = compile_facts(data, asked), question.fresh_seed
        return play_games(table, n_games=2000, seed=seed, players=("heuristic",))

    games = fresh(load_facts())
    facts = question.run_facts
    groups = sort_games("heroes", "nez", facts, games)
    assert groups is not None
    won = (games["outcome"] == Outcome.WIN).astype(np.int8)
    assert goals.loc["nez", "before"] == pytest.approx(groups.effect(won).estimate[0])
    rat = by_id(load_facts().minions)["rat_warrior"]
    average = average_entry(load_facts(), asked, "minions", rat, {})
    assert average is not None
    without = fresh(average[0])["outcome"] == Outcome.WIN
    assert goals.loc["rat_warrior", "before"] == pytest.approx(won.mean() - without.mean())
    front = answer.tables["front"]
    assert set(front["judged"]) == {ENTRIES} and set(front["worst"]) <= {"nez", "rat_warrior"}
    assert answer.manifest["judged"] == ["nez", "rat_warrior"]


def test_what_cannot_be_told_is_not_judged(tmp_path: Path) -> None:
    """An encounter that is in no deck has no effect, and nothing takes its place."""
    deck = next(one.encounter_deck for one in load_facts().chapters if one.id == CHAPTER)
    assert deck == "standard"
    [difficult, *_] = [one.id for one in load_facts().encounters if one.difficult]
    judged = (("encounters", difficult),)
    question = question_of(settings(), (), Band(-0.02, 0.02), games=100, confirm=100, judged=judged)
    with pytest.raises(NothingToCompare, match="cannot be judged"):
        answer_of(question, tmp_path)


def test_a_party_that_always_or_never_wins_is_outside_the_band() -> None:
    """Games that all end alike have no spread, but they do show where a party stands."""
    games = np.zeros(5000, RESULT)
    games["party"] = np.arange(5000) % 2
    games["won"] = games["party"] == 1
    meter, high = (PartyMeter(band, PARTIES_OF_TWO) for band in (Band(0.6, 0.8), Band(0.9, 1)))
    assert [*meter.table(meter.measure(games))["verdict"]] == [MISSED, MISSED]
    edge = "just at its edge"
    assert [*high.table(high.measure(games))["verdict"]] == [MISSED, NOT_SHOWN], edge


def check_errors(sample: Callable[[], tuple[Meter, np.ndarray, np.ndarray]]) -> None:
    """Paired errors and the error of the excess are those seen over 400 repeated samples."""
    moved, excesses, told = [], [], []
    for _ in range(400):
        meter, games, others = sample()
        one, other = meter.measure(games), meter.measure(others)
        moved.append(one.stands - other.stands)
        excess = meter.excess(one, games)
        excesses.append(excess.value)
        told.append((*meter.moved_errors(games, others), excess.error))
    seen = [*np.std(moved, axis=0), np.std(excesses)]
    np.testing.assert_allclose(np.mean(told, axis=0), seen, rtol=0.12)


def test_errors_of_differences_and_excess_follow_the_games() -> None:
    """They are those of repeated samples."""
    rng = np.random.default_rng(5)
    meter = PartyMeter(Band(0.45, 0.55), PARTIES_OF_TWO)

    def sample() -> tuple[Meter, np.ndarray, np.ndarray]:
        games, others = (np.zeros(1000, RESULT) for _ in range(2))
        games["party"] = others["party"] = rng.integers(0, 2, 1000)
        luck = rng.random(1000)
        games["won"], others["won"] = luck < 0.3, luck < 0.33
        return meter, games, others

    check_errors(sample)


def test_errors_of_effects_follow_the_games() -> None:
    """The same of effects: one drawn, one against games with an average entry in the place."""
    rng = np.random.default_rng(6)
    record = np.dtype([*RESULT.descr, ("instead", np.int8, (1,))])

    def sample() -> tuple[Meter, np.ndarray, np.ndarray]:
        games, others = (np.zeros(1000, record) for _ in range(2))
        has, luck = rng.integers(0, 2, 1000), rng.random(1000)
        groups = (
            Sorted(has, np.array([-1.0, 1.0])),
            Sorted(np.zeros(1000, np.int64), np.ones(1)),
        )
        meter = EffectMeter(Band(-0.02, 0.02), PARTIES_OF_TWO, groups, (-1, 0))
        games["won"], others["won"] = luck < 0.3 + 0.15 * has, luck < 0.33 + 0.1 * has
        games["instead"][:, 0] = others["instead"][:, 0] = luck < 0.25
        return meter, games, others

    check_errors(sample)
