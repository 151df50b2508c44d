"""What is shown of games that people bring, the same for each of them.

Each ``plot_`` function draws a table of `analysis.own_games.analyze`, or a part of one, and returns
the axes; `tell` tells a game of a run line by line.

Importing this package costs nothing: a name is imported when it is first used.
"""

from card_data.public_names import public_names

__all__, __getattr__, __dir__ = public_names(__name__, __file__)
