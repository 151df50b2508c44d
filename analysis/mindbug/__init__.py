"""What happened in a run: from games to tables of rates, each with its interval.

`play_run` plays a pool into a run folder, `open_run` opens one and reads its games; `analyze`
counts them and writes the tables of the run, `read_tables` reads them back, `compare_runs` sets the
run against an earlier one.  `card_sensitivity` tries changes of a card, `keyword_effects` adds
keywords to all cards and takes them off, `analyze_ladder` rates the players of a ladder.  Every
rate has its n and a 95% interval, and the game is the unit of independence.  What the columns mean
is in ``docs/columns.md``, how they are computed in ``docs/methods.md``.

Importing this package costs nothing: a name is imported when it is first used.
"""

from card_data.public_names import public_names

__all__, __getattr__, __dir__ = public_names(__name__, __file__)
