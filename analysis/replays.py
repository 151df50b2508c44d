"""One game of a run, played once more and told in words."""

from analysis.runs import Run
from simcore.mindbug import compile_cards
from simcore.mindbug.replay import Replay, replay_game
from simcore.run_folder import RunError


def replay(run: Run, game: int) -> Replay:
    """The story of game number ``game`` of a run, checked against the record of that game.

    Raises
    ------
    RunError
        When the part or the cards are damaged, or this version plays the game otherwise.
    ValueError
        When the run has no such game.
    """
    if not 0 <= game < run.n_games:
        raise ValueError(f"there is no game {game}; the run has games 0 to {run.n_games - 1}")
    manifest = run.manifest
    part, place = divmod(game, manifest["part_games"])
    record = run.part(part)[place]
    pool = run.pool()
    told = replay_game(
        compile_cards(pool.sets, pool.modes),
        seed=manifest["seed"],
        game=game,
        policies=manifest["policies"],
    )
    if record != told.record:
        raise RunError(
            f"game {game} of {run.folder} was played by another version of the engine; play the run"
            " again into a new folder"
        )
    return told
