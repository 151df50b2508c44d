"""Players as they are spelled, and messages about those that there are not."""

import pytest

from card_data.mice_and_mystics import load_facts
from card_data.mice_and_mystics.settings import Settings
from simcore.mice_and_mystics.players.registry import POLICIES
from simcore.mice_and_mystics.players.seats import Player, parse_player, seat, split_players
from simcore.mice_and_mystics.table.compile_facts import compile_facts


def test_players_with_numbers_and_noise() -> None:
    """A number stands behind a colon, noise behind an at sign; what is left out has its default."""
    assert parse_player("uniform") == Player("uniform")
    assert parse_player("heuristic") == Player("heuristic", 0)
    assert parse_player("heuristic:3@0.1") == Player("heuristic", 3, 0.1)


@pytest.mark.parametrize(
    ("text", "message"),
    [
        ("heuristc", "did you mean 'heuristic'"),
        ("", "names no player; players are: uniform, category"),
        ("uniform:2", "uniform has no number; write 'uniform' alone"),
        ("heuristic:6", "h_wait is '6'; it must be 0 to 5"),
        ("heuristic@2", "the noise is '2'; it must be 0 to 1"),
        ("heuristic@much", "the noise is 'much'"),
        ("search", "does not say how many continuations .* try 'search:100'"),
        ("search:1", "N is '1'; it must be 2 to 1,000,000"),
        ("category=my.toml", "category has no weights"),
        (":".join(["uniform"] * 7), "names 7 players; it is one for all mice, or at most 6"),
    ],
)
def test_players_that_there_are_not(text: str, message: str) -> None:
    """A message says what is wrong, what is allowed and what is nearest."""
    with pytest.raises(ValueError, match=message):
        split_players(text)


@pytest.mark.parametrize("player", ["learned=nowhere.toml", "search=nowhere.toml:4"])
def test_weights_that_there_are_not(player: str) -> None:
    """A file that is missing is named, and what to write instead."""
    table = compile_facts(load_facts(), Settings(chapter="standin_four_rooms"))
    with pytest.raises(ValueError, match=r"no file nowhere.toml .* without '=FILE' it has weights"):
        seat(table, (player,))


def test_each_mouse_has_its_player() -> None:
    """Four players sit by party index, one plays all four; the table itself stays as it is."""
    table = compile_facts(load_facts(), Settings(chapter="standin_four_rooms"))
    names = list(POLICIES)
    rows = seat(table, split_players("uniform:category:heuristic:2:uniform@0.5"))
    seated = rows[0]["players"][:4]
    assert [names[i] for i in seated["policy"]] == [
        *("uniform", "category", "heuristic", "uniform")
    ]
    assert seated["number"].tolist() == [0, 0, 2, 0]
    assert seated["noise"].tolist() == [0, 0, 0, 2**31]
    with pytest.raises(ValueError, match="names 2 players; it is one for all mice, or 4 with"):
        seat(table, ("uniform", "category"))
    assert len(set(seat(table, ("category",))[0]["players"]["policy"].tolist())) == 1
    assert not table.rows[0]["players"]["policy"].any()
