"""Games of a run, played once more and told in words."""

from analysis.mice_and_mystics.contract import ANALYSIS, facts_of
from analysis.runs import Run
from simcore.mice_and_mystics.face.replay import Replay, replay_game
from simcore.mice_and_mystics.table.compile_facts import compile_facts
from simcore.sealed import RunError
from simcore.work.parts import deal_of, place_of


def replay(run: Run, game: int) -> Replay:
    """Game number ``game`` of a run, told and checked against the record of that game.

    Raises RunError when the part or the facts are damaged, a player has other weights now, or this
    version plays the game otherwise; ValueError when the run has no such game.
    """
    if not 0 <= game < run.n_games:
        raise ValueError(f"there is no game {game}; the run has games 0 to {run.n_games - 1}")
    ANALYSIS.check_players(run)
    manifest, played = run.manifest, facts_of(run)
    part, place = place_of(manifest, game)
    seed, number = deal_of(manifest, game)
    told = replay_game(
        compile_facts(played.data, played.settings),
        seed=seed,
        game=number,
        players=tuple(manifest["policies"]),
    )
    record = run.part(part)[place]
    record["game"] = number
    if record != told.record:
        raise RunError(
            f"game {game} of {run.folder} was played by another version of the engine; play the run"
            " again into a new folder"
        )
    return told
