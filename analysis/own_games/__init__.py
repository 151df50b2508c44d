"""What happened in runs of games that people bring, the same for each of them.

`play_run` plays a game into a run folder, `open_run` opens one; `analyze` counts its games and
writes the tables of the run, `read_tables` reads them back, `compare_runs` sets the run against an
earlier one.  What the columns mean is in ``docs/columns.md``.

Importing this package costs nothing: a name is imported when it is first used.
"""

from card_data.public_names import public_names

__all__, __getattr__, __dir__ = public_names(__name__, __file__)
