"""The player `learned`: how strong it is, and what its weights name."""

import re
from pathlib import Path

import numpy as np
import pytest

from card_data.mice_and_mystics import load_facts
from simcore.mice_and_mystics.play.simulate import play_games
from simcore.mice_and_mystics.players.weights import own_weights, read_weights, write_weights
from simcore.mice_and_mystics.table.records import Outcome
from simcore.mice_and_mystics.table.weight_names import (
    N_LEARNED,
    N_WEIGHTS,
    START,
    WEIGHTS,
    place_of,
)
from support.mice_and_mystics.fast_table import table_of

CHAPTERS = ("ch1_flight_to_barksburg", "standin_four_rooms")


def share_won(chapter: str, player: str, n_games: int = 600) -> float:
    """The share of games that a player wins, all legal parties drawn alike."""
    games = play_games(table_of(chapter), n_games=n_games, seed=8, players=(player,))
    return float((games["outcome"] == Outcome.WIN).mean())


@pytest.mark.parametrize("chapter", CHAPTERS)
def test_learned_beats_the_heuristic(chapter: str) -> None:
    """It wins at least ten points more often than H, by more than chance could do."""
    assert share_won(chapter, "learned") > share_won(chapter, "heuristic") + 0.1


def test_noise_takes_strength_away() -> None:
    """With noise in every fifth decision it wins less."""
    assert share_won(CHAPTERS[0], "learned@0.2") < share_won(CHAPTERS[0], "learned") - 0.2


def test_a_file_takes_the_place_of_its_weights(tmp_path: Path) -> None:
    """With weights by which it never attacks it plays other games, and wins none."""
    weights = own_weights().copy()
    weights[place_of("attack.any")] = -1000
    write_weights(weights, tmp_path / "meek.toml", heading="of a test")
    assert share_won(CHAPTERS[0], f"learned={tmp_path / 'meek.toml'}", 100) == 0


def test_weights_are_read_as_written(tmp_path: Path) -> None:
    """A file gives back every weight, those in rows as well."""
    weights = np.arange(N_WEIGHTS).astype(np.float32) / np.float32(4)
    write_weights(weights, tmp_path / "w.toml", heading="of a test")
    np.testing.assert_array_equal(read_weights(tmp_path / "w.toml"), weights)


@pytest.mark.parametrize(
    ("row", "fault"),
    [
        ("1.5", "position.any, position.rooms have not as many numbers as they must"),
        ("[1.5, 2]", "position.any, position.rooms have not as many numbers as they must"),
        (f"[{'0.5, ' * 31} 'x']", "position.any is 'x'; it must be a number"),
        (f"[{'0.5, ' * 31} inf]", "position.rooms is inf; it must lie within a million"),
    ],
)
def test_wrong_rows_are_refused(tmp_path: Path, row: str, fault: str) -> None:
    """A row has as many numbers as the network has units; those of an earlier version had one."""
    path = tmp_path / "w.toml"
    path.write_text(f"[position]\nany = {row}\nrooms = {row}\n", "utf-8")
    with pytest.raises(ValueError, match=re.escape(fault)):
        read_weights(path)


def test_all_abilities_have_weights() -> None:
    """What an ability of the base game does first has a weight for learning it (M102)."""
    operations = {ability.effect[0].op for ability in load_facts().abilities}
    assert {f"level.{op}" for op in operations} <= WEIGHTS.keys()


def test_its_weights_are_numbers_that_matter() -> None:
    """Learning moved almost every weight away from where it began."""
    assert np.mean(own_weights()[:N_LEARNED] != np.array(START, np.float32)) > 0.95
