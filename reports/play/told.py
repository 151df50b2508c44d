"""A game of `play`, told once more."""

from collections.abc import Callable

from reports.play.log import record_values
from reports.play.match import Match
from reports.play.scene import Moment
from simcore.sealed import RunError


class LeftError(Exception):
    """The decisions of the log have all been taken."""


def _nobody(_number: int) -> int:
    raise LeftError


class Followed:
    """Takes the decisions of the log of a game, one after another, and keeps them in ``done``.

    Then ``more`` takes them, by their number; unless it is given, LeftError is raised.  Raises
    RunError, about the game called ``name``, where it does not go as it went.
    """

    def __init__(self, match: Match, name: str, more: Callable[[int], int] = _nobody) -> None:
        self._match, self._name, self._more = match, name, more
        self.done: list[tuple[int, int]] = []

    def __call__(self) -> int:
        """The option to take at the present decision."""
        match, number = self._match, len(self.done)
        if number < len(match.log.decisions):
            place, option = match.log.decisions[number]
            if place != match.place or not 0 <= option < match.n_options:
                raise RunError(other_game(self._name))
        else:
            option = self._more(number)
        self.done.append((match.place, option))
        return option


def tell_game(match: Match, name: str) -> list[str]:
    """The lines of a game: with nothing hidden if it is over, else as the person saw it.

    Raises RunError, about the game called ``name``, where it does not go as it went.
    """
    lines: list[str] = []
    try:
        lines.extend(match.tell(Followed(match, name), openly=match.log.record is not None))
    except LeftError:
        lines += ["", "Here the game was left."]
    _check_end(match, name)
    return lines


def tell_moments(match: Match, name: str) -> list[Moment]:
    """A game that is over, move by move, with nothing hidden.

    Raises RunError, about the game called ``name``, where it is not over, and where it does not go
    as it went.
    """
    if match.log.record is None:
        raise RunError(f"{name} is not over yet: it is told move by move when it is")
    try:
        moments = match.moments(Followed(match, name))
    except LeftError:
        raise RunError(other_game(name)) from None
    _check_end(match, name)
    return moments


def _check_end(match: Match, name: str) -> None:
    """Raise RunError unless a game that is over ended as it did."""
    record = match.log.record
    if record is not None and not (match.over and record_values(match.record) == record):
        raise RunError(other_game(name))


def other_game(name: str) -> str:
    """Why a log cannot be followed."""
    return f"{name} was played by another version of the engine, which led to another game"
