"""One game of a run, played once more and told in words."""

import os
from itertools import groupby
from operator import itemgetter

from analysis.runs import open_run
from analysis.tables import load_pool
from card_data.schema import CardSet
from simcore.mindbug import compile_cards
from simcore.mindbug.replay import Replay, replay_game
from simcore.run_folder import RunError


def replay(folder: str | os.PathLike[str], game: int) -> Replay:
    """The story of game number ``game`` of the run in ``folder``, checked against its record.

    Raises
    ------
    RunError
        When the run is missing or damaged, or this version of balancelab plays the game otherwise.
    ValueError
        When the run has no such game.
    """
    run = open_run(folder)
    manifest = run.manifest
    if not 0 <= game < run.n_games:
        raise ValueError(f"there is no game {game}; {folder} has games 0 to {run.n_games - 1}")
    pool = groupby(load_pool(run), key=itemgetter(0))
    sets = [CardSet(set_id, set_id, tuple(card for _, card in cards)) for set_id, cards in pool]
    told = replay_game(
        compile_cards(sets), seed=manifest["seed"], game=game, policies=manifest["policies"]
    )
    part, place = divmod(game, manifest["part_games"])
    if run.part(part)[place] != told.record:
        raise RunError(
            f"game {game} of {folder} was played by another version of balancelab"
            f" ({manifest['versions'].get('balancelab')}); play the run again into a new folder"
        )
    return told
