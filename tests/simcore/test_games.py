"""Where games are found."""

import pytest

from simcore import games


def test_the_games_are_found() -> None:
    """The packages of the house are searched; nothing lists the games by hand."""
    assert games.names() == ("mice_and_mystics", "mindbug", "own_games")
    assert games.game("mindbug").title == "Mindbug"


def test_an_unknown_game_is_an_error_that_names_the_nearest() -> None:
    """A slip of the pen in a manifest ends in one message."""
    with pytest.raises(games.UnknownGameError, match="no game 'mindbag'; did you mean 'mindbug'"):
        games.find("mindbag", "simcore")
