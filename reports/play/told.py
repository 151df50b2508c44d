"""A game of `play`, told once more."""

from reports.play.log import record_values
from reports.play.match import Match
from simcore.sealed import RunError


class _LeftError(Exception):
    """The decisions of the log have all been taken."""


def tell_game(match: Match, name: str) -> list[str]:
    """The lines of a game: with nothing hidden if it is over, else as the person saw it.

    Raises RunError, about the game called ``name``, where it does not go as it went.
    """
    log = match.log
    decisions = iter(log.decisions)

    def choose() -> int:
        place, option = next(decisions, (-1, -1))
        if place < 0:
            raise _LeftError
        if place != match.place or not 0 <= option < match.n_options:
            raise RunError(other_game(name))
        return option

    lines: list[str] = []
    try:
        lines.extend(match.tell(choose, openly=log.record is not None))
    except _LeftError:
        lines += ["", "Here the game was left."]
    if log.record is not None and not (match.over and record_values(match.record) == log.record):
        raise RunError(other_game(name))
    return lines


def other_game(name: str) -> str:
    """Why a log cannot be followed."""
    return f"{name} was played by another version of the engine, which led to another game"
