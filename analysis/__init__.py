"""What happened: statistics of any game, and a room for each game.

`open_run` opens the folder of a run of any game, `analyze` writes its tables and `read_tables`
reads them, `compare_runs` sets it against another run, `card_games` has a row for each game, player
and card.  A `Run` can stand wherever a folder can.

Importing this package costs nothing: a name is imported when it is first used.
"""

from card_data.public_names import public_names

__all__, __getattr__, __dir__ = public_names(__name__, __file__)
