"""The player `search:N`: what it may know, what it finds, and what it judges positions by."""

from concurrent.futures import ThreadPoolExecutor
from pathlib import Path

import numpy as np
import pytest

from simcore.contract.network import HIDDEN
from simcore.mice_and_mystics.face.game import Game
from simcore.mice_and_mystics.play.engine import SAMPLE, _run
from simcore.mice_and_mystics.play.simulate import play_games
from simcore.mice_and_mystics.play.training import fit_positions
from simcore.mice_and_mystics.players.search import N_STATES, SEARCH
from simcore.mice_and_mystics.players.seats import seat
from simcore.mice_and_mystics.players.weights import own_weights, write_weights
from simcore.mice_and_mystics.table.records import GAME_RECORD, Outcome
from simcore.mice_and_mystics.table.state import GAME_STATE, LUCK
from simcore.mice_and_mystics.table.table import Table
from simcore.mice_and_mystics.table.weight_names import (
    N_FEATURES,
    N_LEARNED,
    N_WEIGHTS,
    place_of,
)
from support.mice_and_mystics.examples import position
from support.mice_and_mystics.fast_table import FastTable, table_of

CHAPTER = "ch1_flight_to_barksburg"


def hidden_order_changed(states: np.ndarray, rng: np.random.Generator) -> np.ndarray:
    """The same game to anyone who plays it: what is hidden lies otherwise, other dice will come."""
    changed = states.copy()
    state = changed[0]
    for deck, name in (("deck", "deck"), ("events", "events")):
        hidden = slice(int(state[f"{name}_first"]), int(state[f"{name}_end"]))
        state[deck][hidden] = rng.permutation(state[deck][hidden])
    state["streams"][LUCK] = rng.integers(1 << 62, size=2)
    return changed


def test_it_does_not_peek() -> None:
    """What lies hidden and what dice will show changes no choice (M6, M76)."""
    rng = np.random.default_rng(1)
    game = Game(table_of(CHAPTER), seed=4, players=("search:16",))
    other = Game(table_of(CHAPTER), players=("search:16",))
    differ = 0
    for _ in range(60):
        other.states[:] = hidden_order_changed(game.states, rng)
        differ += bytes(other.states[0]["deck"]) != bytes(game.states[0]["deck"])
        choice = game.choose()
        assert other.choose() == choice
        game.step(choice)
    assert differ == 60


def test_games_do_not_depend_on_threads() -> None:
    """Two threads play the same games as one, and a game is the same from wherever one starts."""
    table = table_of(CHAPTER)

    def play(first: int) -> bytes:
        games = play_games(table, n_games=3, seed=2, first_game=first, players=("search:4",))
        return games.tobytes()

    whole = play_games(table, n_games=6, seed=2, players=("search:4",)).tobytes()
    with ThreadPoolExecutor(2) as pool:
        assert b"".join(pool.map(play, (0, 3))) == whole


@pytest.mark.parametrize("search", ["search:32", "search:64"])  # one round, and two
def test_it_finds_the_attack_that_wins(search: str, tmp_path: Path) -> None:
    """The last minion stands before Collin, and one more cheese loses by page (M85).

    Who goes by the same weights alone searches instead.
    """
    weights = np.zeros(N_WEIGHTS, np.float32)
    weights[N_LEARNED:] = own_weights()[N_LEARNED:]
    weights[place_of("search.fight")] = 1.0
    weights[place_of("attack.any")] = 0.5
    path = tmp_path / "keen_on_searching.toml"
    write_weights(weights, path, heading="of a test")
    late = position("904", {"collin": "b1"}, minions=[("roach", "b1")], page=5, wheel=5)
    table = FastTable(late, 0)
    table.act("collin")
    for player, word in (("learned", "SEARCH"), (search, "BATTLE")):
        name, _, number = player.partition(":")
        thinker = Game(table._compiled, players=(f"{name}={path}" + (number and f":{number}"),))
        thinker.states[:] = table._game.states
        assert table.labels[thinker.choose()].startswith(word)


def test_with_nothing_but_noise_it_plays_as_others_do() -> None:
    """Careless decisions are those of C (section 24), whoever is careless."""
    games = [
        play_games(table_of(CHAPTER), n_games=20, seed=3, players=(f"{player}@1",)).tobytes()
        for player in ("search:4", "learned")
    ]
    assert games[0] == games[1]


def sampled(table: Table, n_games: int, seed: int) -> tuple[np.ndarray, np.ndarray]:
    """A position of each game of `learned`, and whether the party won it."""
    rows = seat(table, ("learned",))
    states, works = np.zeros(N_STATES, GAME_STATE), np.zeros(n_games, SEARCH)
    games = np.zeros(n_games, GAME_RECORD)
    _run(SAMPLE, states, rows, games, works, np.int64(seed), np.int64(0))
    return works["features"], games["outcome"] == Outcome.WIN


@pytest.mark.parametrize("fit", [False, True])
def test_positions_are_judged_by_who_wins_from_them(fit: bool) -> None:
    """In fresh games the chances are right on average, and a likely win is won more often."""
    table, weights = table_of(CHAPTER), own_weights()
    if fit:
        weights = fit_positions([table], weights, n_games=2000, seed=7)
    features, won = sampled(table, 2000, 9)
    across, out, intercept = np.split(
        weights[N_LEARNED:].astype(float), [N_FEATURES * HIDDEN, N_WEIGHTS - N_LEARNED - 1]
    )
    units = features @ across.reshape(N_FEATURES, HIDDEN)
    chance = 1 / (1 + np.exp(-units / (1 + np.abs(units)) @ out - intercept))
    assert abs(chance.mean() - won.mean()) < 0.05
    order = np.argsort(chance)
    assert won[order[:500]].mean() < 0.6 < 0.9 < won[order[-500:]].mean()
