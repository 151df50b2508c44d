"""The compiled invariants find what is wrong with a state, and nothing else."""

from collections.abc import Callable

import pytest

from simcore.mice_and_mystics.face.game import Game
from simcore.mice_and_mystics.table.words import D1
from support.mice_and_mystics.fast_table import table_of
from support.mice_and_mystics.mass_invariants import Fault, faults_of


def in_a_fight(seed: int = 0) -> Game:
    """A game of chapter 1 whose third turn of a mouse has come, with its minions on the tile."""
    game = Game(table_of("ch1_flight_to_barksburg"), seed=seed, players=("category",))
    while game.state["point"] != D1 or game.record["mouse_turns"] < 3:
        game.step(game.choose())
    return game


def change(field: str, more: int = 1, *place: int) -> Callable[[Game], None]:
    """A change of a field of the state, or of a place of it, by so much."""

    def perform(game: Game) -> None:
        game.states[field][(0, *place)] += more

    return perform


def put_all_together(game: Game) -> None:
    """All mice and minions stand where the first mouse is."""
    for field in ("figure_space", "space"):
        game.state[field][:] = game.state["space"][0]


def swap_cards(game: Game) -> None:
    """The second card of the track is the first one too."""
    game.state["track"][1] = game.state["track"][0]


PLANTED: list[tuple[Callable[[Game], None], Fault]] = [
    (change("wheel", 6), Fault.WHEEL),
    (change("page"), Fault.PAGE),
    (change("load", 1, 0), Fault.PLACES),
    (put_all_together, Fault.CAPACITY),
    (change("type", 1, 0), Fault.PLACES),
    (swap_cards, Fault.TRACK),
    (change("captured"), Fault.SPLIT),
    (change("cheese", 1, 0), Fault.CHEESE),
    (change("round", 400), Fault.ENDLESS),
    (change("wounds", 9, 0), Fault.WOUNDS),
]


@pytest.mark.parametrize(("plant", "fault"), PLANTED)
def test_a_planted_fault_is_found(plant: Callable[[Game], None], fault: Fault) -> None:
    """I1 to I7: a state is right, and no longer once something in it is changed."""
    game = in_a_fight()
    assert faults_of(game) == set()
    plant(game)
    assert fault in faults_of(game)
