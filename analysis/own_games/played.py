"""Runs of a game of one's own from Python: what ``fairdeal simulate`` does on the command line."""

import os
from collections.abc import Iterable
from typing import Unpack

from analysis.runs import Run, open_run
from simcore.contract.game import RANDOM
from simcore.own_games.run import new_run, split_players
from simcore.own_games.setup import table_named
from simcore.own_games.taught import taught
from simcore.places import located
from simcore.work.hands import Who
from simcore.work.runs import run_games


def play_run(
    named: str,
    folder: str | os.PathLike[str],
    *,
    seats: int | None = None,
    settings: Iterable[str] = (),
    games: int = 20_000,
    policy: str = RANDOM,
    seed: int = 0,
    **who: Unpack[Who],
) -> Run:
    """Play a game of one's own into a run folder, or what is missing of it, and open the run.

    Parameters
    ----------
    named
        The file of its rules, which is run, or an installed game by its name, with files of
        entries behind "+", as on the command line: "my_game.py+changed.toml".
    folder
        The run folder; one that holds part of the same run is continued.
    seats
        How many play; None for the usual number.
    settings
        Settings of the game, as in "rounds=4".
    policy
        Who plays, as on the command line: "greedy", or one player for each seat with colons
        between.  "learned" learns the game first.
    threads
        Default: all processors.  The games do not depend on it.
    executor
        Who plays in place of threads of this process, and is sent as many tasks at once as
        ``threads`` says: a `concurrent.futures.ProcessPoolExecutor`, or the executor of a cluster.

    Raises
    ------
    ValueError
        For seats, settings, a player, seed or number of games that cannot be played.
    CardFileError
        For entries that cannot be read.
    RunError
        For rules that cannot be run or that break off a game, and when the folder holds
        something else or cannot be written.
    """
    table = table_named(named, seats, [*settings])
    players = split_players(table.game, table.seats, policy)
    ready = [taught(table, player) for player in players]
    spec = new_run(table, n_games=games, seed=seed, players=ready)
    run_games(spec, located(folder), **who)
    return open_run(folder)
