"""Where games are found."""

from __future__ import annotations

import pytest

from simcore import games
from simcore.work.folder import identity


def test_the_games_are_found() -> None:
    """The packages of the house are searched; nothing lists the games by hand."""
    assert games.names() == ("mice_and_mystics", "mindbug")
    assert games.game("mindbug").title == "Mindbug"


def test_an_unknown_game_is_an_error_that_names_the_nearest() -> None:
    """A slip of the pen in a manifest ends in one message."""
    with pytest.raises(games.UnknownGameError, match="no game 'mindbag'; did you mean 'mindbug'"):
        games.find("mindbag", "simcore")


def test_a_name_is_given_once(monkeypatch: pytest.MonkeyPatch) -> None:
    """A game cannot take the place of another, nor come without all its contracts."""
    monkeypatch.setattr(games, "_registered", {})
    there = dict.fromkeys(games.FLOORS, identity.__module__)
    with pytest.raises(ValueError, match="is a game 'mindbug' already"):
        games.register("mindbug", **there)
    with pytest.raises(ValueError, match="module of each floor: simcore, analysis, reports"):
        games.register("other", simcore=identity.__module__)
    with pytest.raises(ValueError, match="no module nowhere"):
        games.register("other", **there | {"reports": "nowhere"})
    games.register("other", **there)
    assert games.names() == ("mice_and_mystics", "mindbug", "other")
