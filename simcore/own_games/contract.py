"""What the shared code of `simcore` is told of games that people bring."""

from simcore.own_games.run import GAME

__all__ = ["GAME"]
