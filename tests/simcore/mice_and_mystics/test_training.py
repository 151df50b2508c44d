"""Learning weights from play: what is tried, and that it can be interrupted."""

from concurrent.futures import ProcessPoolExecutor
from multiprocessing import get_context
from pathlib import Path

import numpy as np

from card_data.mice_and_mystics import load_facts
from card_data.mice_and_mystics.settings import Settings
from simcore.evolution import Evolution, read_curve
from simcore.mice_and_mystics.play.setup import ChapterSetup
from simcore.mice_and_mystics.play.training import ChapterTraining, first_weights, score, worlds_of
from simcore.mice_and_mystics.players.weights import own_weights
from simcore.training import train
from support.mice_and_mystics.fast_table import table_of

FACTS = load_facts()
CHAPTERS = [Settings(chapter=name) for name in ("ch1_flight_to_barksburg", "standin_four_rooms")]
TRAINING = ChapterTraining(
    worlds=worlds_of(FACTS, CHAPTERS),
    start=first_weights(),
    evolution=Evolution(3, 4, 0.3, 5),
    games=20,
)
SETUPS = [ChapterSetup(FACTS, world) for world in TRAINING.worlds]


def test_chapters_with_few_parties_are_played_with_any_too() -> None:
    """Chapter 1 allows 4 parties and is played with all 15 besides; the stand-in allows all."""
    assert [(one.chapter[:3], one.parties) for one in TRAINING.worlds] == [
        *(("ch1", "chapter"), ("ch1", "any"), ("sta", "chapter"))
    ]


def test_a_score_is_games_won_and_rooms_entered() -> None:
    """What has been learned scores more than what learning begins with."""
    tables = [table_of(one.chapter) for one in CHAPTERS]
    (first, won), (learned, more) = (
        score(tables, weights, n_games=300, seed=1) for weights in (first_weights(), own_weights())
    )
    assert learned > first > sum(won) / 2
    assert sum(more) > sum(won)


def test_an_interrupted_training_ends_as_if_it_had_not_been(tmp_path: Path) -> None:
    """The curve is the checkpoint, and processes find the same weights as threads."""
    whole = train(SETUPS, TRAINING, curve=tmp_path / "whole.csv", threads=1)
    lines = (tmp_path / "whole.csv").read_text().splitlines(keepends=True)
    (tmp_path / "cut.csv").write_text("".join(lines[:2]))
    with ProcessPoolExecutor(1, mp_context=get_context("spawn")) as pool:
        again = train(SETUPS, TRAINING, curve=tmp_path / "cut.csv", executor=pool)
    np.testing.assert_array_equal(again, whole)
    assert (tmp_path / "cut.csv").read_bytes() == (tmp_path / "whole.csv").read_bytes()
    assert len(read_curve(tmp_path / "whole.csv")) == 3
