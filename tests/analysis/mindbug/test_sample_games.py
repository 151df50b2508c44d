"""The games that the report names for each card are what it says of them."""

from pathlib import Path

import numpy as np
import pytest

from analysis.mindbug import open_run
from analysis.mindbug.replays import sample_games
from simcore.mindbug.table.records import DEALT
from support.synthetic import synthetic_cards, synthetic_games, synthetic_run

N_GAMES = 600


@pytest.fixture(scope="module")
def games() -> np.ndarray:
    """Made-up games, some of them draws."""
    return synthetic_games(synthetic_cards(), N_GAMES, seed=3, draw_rate=0.2)


@pytest.fixture(scope="module")
def folder(tmp_path_factory: pytest.TempPathFactory, games: np.ndarray) -> Path:
    """A run of them."""
    return synthetic_run(tmp_path_factory.mktemp("samples") / "run", synthetic_cards(), games)


def slow_samples(games: np.ndarray, searched: int) -> dict[tuple[int, bool], tuple[int, ...]]:
    """For each card and result the game that ends nearest to the turn wanted, one by one."""
    best: dict[tuple[int, bool], tuple[int, ...]] = {}
    for game in games[:searched]:
        if game["winner"] < 0:
            continue
        for player in (0, 1):
            won = int(game["winner"]) == player
            for slot in range(DEALT):
                turn = int(game["turn_played"][slot])
                if not int(game["played"][player]) >> slot & 1 or turn == 0:
                    continue
                away = abs(int(game["turns"]) - turn - (2 if won else 1))
                key = int(game["cards"][slot]), won
                found = (away, int(game["game"]), player, turn, int(game["turns"]))
                if key not in best or found[:2] < best[key][:2]:
                    best[key] = found
    return best


@pytest.mark.parametrize("searched", [N_GAMES, 40])
def test_games_are_the_nearest(folder: Path, games: np.ndarray, searched: int) -> None:
    """A slow search finds the same games, with their player and turns."""
    expected = slow_samples(games, searched)
    samples = sample_games(open_run(folder), searched=searched)
    ids = [card.card_id for card in synthetic_cards().cards]
    found = {(ids.index(row.card_id), row.won): row for row in samples.itertuples()}
    assert found.keys() == expected.keys()
    assert len(samples) == len(found)
    for key, (away, game, player, turn, turns) in expected.items():
        row = found[key]
        assert abs(row.turns - row.turn_played - (2 if row.won else 1)) == away
        assert (row.game, row.turns) == (game, turns)
        if away:  # otherwise two copies may have been played alike
            assert (row.player, row.turn_played) == (player, turn)


def test_draws_are_not_taken(tmp_path: Path) -> None:
    """A run of nothing but draws has no games to read, and the table its columns."""
    games = synthetic_games(synthetic_cards(), 30, draw_rate=1)
    samples = sample_games(open_run(synthetic_run(tmp_path / "run", synthetic_cards(), games)))
    assert samples.empty
    columns = ["card_id", "won", "game", "player", "turn_played", "turns"]
    assert list(samples.columns) == columns
