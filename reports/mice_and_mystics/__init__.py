"""What is shown of Mice & Mystics: its rooms, runs and reports.

`tell` tells a game of a run line by line, with the maps drawn in it; `lines` the same of a game
that `simcore.mice_and_mystics.replay_game` has played.

Importing this package costs nothing: a name is imported when it is first used.
"""

from card_data.public_names import public_names

__all__, __getattr__, __dir__ = public_names(__name__, __file__)
