"""Whole games of the fast engine: which games they are, and what their records add up to."""

from concurrent.futures import ThreadPoolExecutor

import numpy as np
import pytest

from simcore.mice_and_mystics.face.game import Game
from simcore.mice_and_mystics.play.simulate import play_games
from simcore.mice_and_mystics.table.records import Outcome
from support.mice_and_mystics.fast_table import table_of

CHAPTERS = ("ch1_flight_to_barksburg", "standin_four_rooms")


@pytest.mark.parametrize("chapter", CHAPTERS)
def test_a_game_is_its_number(chapter: str) -> None:
    """Game i of a seed is the same in any batch and thread."""
    table = table_of(chapter)
    whole = play_games(table, n_games=60, seed=3)
    with ThreadPoolExecutor(2) as pool:
        parts = pool.map(
            lambda first: play_games(table, n_games=20, seed=3, first_game=first), (0, 20, 40)
        )
    assert (np.concatenate(list(parts)) == whole).all()
    assert (play_games(table, n_games=60, seed=4) != whole).all()


@pytest.mark.parametrize("chapter", CHAPTERS)
def test_records_add_up(chapter: str) -> None:
    """Pages are surges and captures (I2), cheese comes and goes (I7), sums are those of parts."""
    games = play_games(table_of(chapter), n_games=2_000, players=("category",))
    total = {name: games[name].astype(int) for name in games.dtype.names or ()}

    def of(pattern: str, *words: str) -> np.ndarray:
        return sum(total[f"{pattern}{word}"] for word in words)  # type: ignore[return-value]

    assert np.isin(total["outcome"], list(Outcome)).all()
    assert (total["page_final"] == 1 + total["surges"] + total["captures"]).all()
    assert (of("wheel_", "left", "out_surge", "out_pilfer") == of(
        "wheel_in_", "attack", "defense", "idle", "theft", "event", "counter"
    )).all()  # fmt: skip
    income = of(
        *("cheese_in_", "attack", "defense", "bow", "trap", "discard", "event", "pilfer", "start")
    )
    assert (of("cheese_", "left") + of(
        "cheese_out_", "ability", "level", "pay", "capture", "theft"
    ) == income).all()  # fmt: skip
    assert (total["cheese_income"].sum(axis=1) == income).all()
    assert (of("captures_", "battle", "trap", "drift", "event") == total["captures"]).all()
    for parts in ("captures_of", "captures_how", "captures_in"):
        assert (total[parts].sum(axis=1) == total["captures"]).all()
    kills = of("kills_", "attack", "set_trap", "grape", "spark", "toothpick")
    assert (total["kills"].sum(axis=1) == kills).all()
    assert (total["placed"].sum(axis=1) == kills + total["fights_left"]).all()
    assert (of("cards_", "kept", "discarded", "events", "party", "unchosen")
            == total["cards_drawn"]).all()  # fmt: skip
    assert (total["rounds_in"].sum(axis=1) == total["rounds"]).all()


def test_a_game_played_by_hand_is_the_one_of_its_number() -> None:
    """Choices of the player, taken one by one, lead to the same record."""
    table = table_of(CHAPTERS[0])
    game = Game(table, seed=5, game=7)
    assert [label.split()[0] for label in game.labels] == ["START"] * len(game.labels)
    while not game.over:
        game.step(game.choose())
    (expected,) = play_games(table, n_games=1, seed=5, first_game=7)
    assert game.record == expected
    assert (game.point, game.decider, game.labels) == (0, None, [])


def test_wrong_numbers_are_refused() -> None:
    """An entry that is not offered, a negative number of games, a seed and an out of no use."""
    table = table_of(CHAPTERS[0])
    with pytest.raises(ValueError, match="is not offered"):
        Game(table).step(99)
    with pytest.raises(ValueError, match="negative"):
        play_games(table, n_games=-1)
    with pytest.raises(ValueError, match="seed is -1"):
        play_games(table, n_games=1, seed=-1)
    with pytest.raises(ValueError, match="rows of GAME_RECORD"):
        play_games(table, n_games=1, out=np.zeros(1, [("game", int)]))
