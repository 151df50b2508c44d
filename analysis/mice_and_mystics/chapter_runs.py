"""Runs of a chapter from Python: what ``fairdeal simulate`` does on the command line."""

import os
from collections.abc import Iterable
from typing import Unpack

from analysis.mice_and_mystics.experiments.usual import PLAYER
from analysis.runs import Run, open_run
from card_data.mice_and_mystics.loader import load_named
from card_data.mice_and_mystics.settings import read_settings
from simcore.mice_and_mystics.play.run import new_run
from simcore.mice_and_mystics.players.seats import split_players
from simcore.places import located
from simcore.work.hands import Who
from simcore.work.runs import run_games


def play_run(
    chapter: str,
    folder: str | os.PathLike[str],
    *,
    party: Iterable[str] = (),
    switches: Iterable[str] = (),
    games: int = 20_000,
    policy: str = PLAYER,
    seed: int = 0,
    **who: Unpack[Who],
) -> Run:
    """Play a chapter into a run folder, or what is missing of it, and open the run.

    Parameters
    ----------
    chapter
        The id of a chapter, with files of your own behind "+", as on the command line:
        "ch1_flight_to_barksburg+my_mice.toml".
    folder
        The run folder; one that holds part of the same run is continued.
    party
        Ids or names of heroes; none for a legal party that each game draws.  In the order of the
        game, where ``policy`` names one player for each.
    switches
        Switches of the rules and numbers, as in "page_end=7".
    policy
        Who plays, as on the command line: "learned", or one player for each hero.
    threads
        Default: all processors.  The games do not depend on it.
    executor
        Who plays in place of threads of this process, and is sent as many tasks at once as
        ``threads`` says: a `concurrent.futures.ProcessPoolExecutor`, or the executor of a cluster.

    Raises
    ------
    ValueError
        For a player, seed or number of games that cannot be played.
    CardFileError
        For files, a chapter, a party or switches that cannot be read.
    RunError
        When the folder holds something else or cannot be written.
    """
    facts, name = load_named(chapter)
    players = split_players(policy)
    settings = read_settings(facts, name, party, switches, in_order=len({*players}) > 1)
    spec = new_run(facts, settings, n_games=games, seed=seed, players=players)
    run_games(spec, located(folder), **who)
    return open_run(folder)
