"""What happened in a run of Mice & Mystics: runs, what is counted of them, and their tables.

`play_run` plays a chapter into a run folder, `open_run` opens one and reads its games, `replay`
tells one of them; `analyze` counts them and writes the tables of the run, `read_tables` reads them
back, `compare_runs` sets the run against an earlier one.  What the columns mean is in
``docs/mice_and_mystics_columns.md``.

Importing this package costs nothing: a name is imported when it is first used.
"""

from card_data.public_names import public_names

__all__, __getattr__, __dir__ = public_names(__name__, __file__)
