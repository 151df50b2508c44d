"""The player `learned`: how strong it is, and what its weights name."""

from pathlib import Path

import numpy as np
import pytest

from card_data.mice_and_mystics import load_facts
from simcore.mice_and_mystics.play.simulate import play_games
from simcore.mice_and_mystics.players.weights import own_weights, write_weights
from simcore.mice_and_mystics.table.records import Outcome
from simcore.mice_and_mystics.table.weight_names import WEIGHTS, place_of
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


def test_all_abilities_have_weights() -> None:
    """What an ability of the base game does first has a weight for learning it (M102)."""
    operations = {ability.effect[0].op for ability in load_facts().abilities}
    assert {f"level.{op}" for op in operations} <= WEIGHTS.keys()


def test_its_weights_are_numbers_that_matter() -> None:
    """Learning moved almost every weight away from where it began."""
    from simcore.mice_and_mystics.table.weight_names import START

    assert np.mean(own_weights() != np.array(START, np.float32)) > 0.95
