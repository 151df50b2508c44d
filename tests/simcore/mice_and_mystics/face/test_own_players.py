"""Players of the mice who are functions: what they are shown, and that they play as kernels do."""

import random
from random import Random

import numpy as np
import numpy.typing as npt
import pytest

from simcore.mice_and_mystics.face.game import Game
from simcore.mice_and_mystics.face.own_players import View, own_player, see
from simcore.mice_and_mystics.play.engine import CHOOSE, _run
from simcore.mice_and_mystics.play.simulate import play_games
from simcore.mice_and_mystics.players.search import SEARCH
from simcore.mice_and_mystics.players.seats import OWN_SEATS, seat
from simcore.mice_and_mystics.table.records import GAME_RECORD
from simcore.mice_and_mystics.table.table import Table
from simcore.own_code import OwnCodeError
from support.mice_and_mystics.fast_table import table_of

CHAPTER = "ch1_flight_to_barksburg"


def as_kernel(player: str) -> str:
    """A function that asks a kernel at each decision."""

    def ask(table: Table, states: npt.NDArray[np.void]) -> int:
        work, record, none = np.zeros(1, SEARCH), np.zeros(1, GAME_RECORD), np.int64(0)
        return int(_run(CHOOSE, states, seat(table, (player,)), record, work, none, none))

    OWN_SEATS.seat(f"{player}.py:ask", ask)
    return f"{player}.py:ask"


def test_functions_play_as_kernels_do(monkeypatch: pytest.MonkeyPatch) -> None:
    """A function that decides as a kernel does plays the same games, alone and beside others."""
    monkeypatch.setattr(OWN_SEATS, "seated", {})
    table = table_of(CHAPTER, "parties=any")
    mixed = ("heuristic", "learned", "heuristic", "category")
    for players in (("learned",), mixed):
        played = play_games(table, n_games=8, seed=3, players=players)
        own = (as_kernel(players[0]), *players[1:])
        assert play_games(table, n_games=8, seed=3, players=own).tobytes() == played.tobytes()


def at_random(seen: View) -> int:
    """Any option."""
    return seen.random.randrange(len(seen.options))


def test_games_with_functions_are_the_same_again() -> None:
    """The same seed gives the same games in any batch, and `Game` plays them too."""
    me, table = own_player(at_random), table_of(CHAPTER)
    played = play_games(table, n_games=6, seed=5, players=(me,))
    assert len({*played["rounds"].tolist()}) > 1
    later = play_games(table, n_games=3, first_game=3, seed=5, players=(me,))
    assert later.tobytes() == played[3:].tobytes()
    game = Game(table, seed=5, game=4, players=(me,))
    while not game.over:
        game.step(game.choose())
    assert game.record == played[4]


def test_what_is_seen_is_the_position() -> None:
    """Options are those of the game by their labels, and what they name is on the table."""
    table, words = table_of(CHAPTER, "parties=any"), set()
    for number in range(12):
        rng, game = random.Random(number), Game(table, seed=1, game=number)
        while not game.over:
            seen = see(table, game.state, Random(0))
            assert [option.label for option in seen.options] == game.labels
            assert (seen.decision, seen.mouse) == (f"D{game.point}", game.decider)
            deciding = next(mouse for mouse in seen.mice if mouse.hero == seen.mouse)
            figures = {str(one.figure) for one in seen.minions}
            for option in seen.options:
                words.add(option.word)
                if option.word == "BATTLE":
                    assert option.given[0] in deciding.equipped
                    assert option.given[1] in figures
            assert all(0 <= mouse.wounds < mouse.life for mouse in seen.mice if mouse.space)
            game.step(rng.randrange(len(seen.options)))
    assert {"MOVE", "BATTLE", "SEARCH", "END", "START", "EXPLORE"} <= words


def test_nothing_that_is_to_come_is_seen() -> None:
    """Another order of the decks and other dice to come change nothing that a function sees."""
    table = table_of(CHAPTER)
    for number in range(20):
        game = Game(table, seed=2, game=number)
        for _ in range(number):
            if not game.over:
                game.step(game.choose())
        if game.over:
            continue
        before = see(table, game.state, Random(0))
        state = game.states[0]
        state["streams"] += np.uint64(99)
        for deck, first, end in (
            ("deck", "deck_first", "deck_end"),
            ("events", "events_first", "events_end"),
        ):
            cards = state[deck][int(state[first]) : int(state[end])]
            cards[:] = cards[::-1].copy()
        assert see(table, game.state, Random(0)) == before


def fails(seen: View) -> int:
    """Fails in a later round."""
    return 0 if seen.round < 2 else 1 // 0


def test_faults_of_functions_are_told() -> None:
    """An exception is one message with the game, the round, the decision and the line."""
    message = r"^game 7: .*fails in round 2 \(D\d+, \w+\): ZeroDivisionError: .* \(line \d+\)$"
    with pytest.raises(OwnCodeError, match=message):
        play_games(table_of(CHAPTER), n_games=1, first_game=7, players=(own_player(fails),))
