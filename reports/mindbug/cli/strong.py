"""What cards are worth where the strong play: what `balance --strong` plays, and its options."""

from collections.abc import Sequence
from pathlib import Path
from typing import TYPE_CHECKING, Annotated

from cyclopts import Parameter

from analysis.mindbug.experiments.usual import STRONG, STRONG_GAMES
from reports.cli.compute import Crew
from reports.cli.console import InputError
from reports.cli.options import MAX_GAMES, whole
from reports.cli.steps import analyze_run, play_run
from reports.mindbug.cli.skill import rung_folder
from reports.mindbug.cli.taught import taught

if TYPE_CHECKING:
    import pandas as pd

Strong = Annotated[
    bool,
    Parameter(
        help=f"Judge the cards as '{STRONG}' plays them, a much stronger player, whose games are"
        " combined with those of the others. The answer is then about this player.",
        negative="",
    ),
]
StrongGames = Annotated[
    int | None,
    Parameter(
        converter=whole(1, MAX_GAMES),
        help=f"Games for --strong; {STRONG_GAMES:,} by default.",
    ),
]


def games_of_strong(
    wanted: bool, games: int | None, players: Sequence[str], usual: int = STRONG_GAMES
) -> int:
    """How many games of the strong player are asked for.  Raises InputError."""
    if not wanted:
        if games is not None:
            raise InputError("--strong-games needs --strong")
        return 0
    if len({*players}) > 1:
        raise InputError(
            f"--strong joins games of equals, and these are played by {' against '.join(players)};"
            " leave --strong out, or name one player"
        )
    return games or usual


def ask_strong(
    folder: Path, panel: Sequence[str], games: int, crew: Crew
) -> "dict[str, pd.DataFrame]":
    """Play games of the strong player, and join them with an analysed run; the tables by name.

    The players of the ``panel``, whose games lie beside it, are joined as well.  Without games the
    tables of before.
    """
    from analysis.mindbug import open_run
    from analysis.mindbug.experiments.strong import keep_strong, read_strong_tables, strong_tables
    from simcore.mindbug.play.run import new_run

    if not games:
        return read_strong_tables(folder)
    run = open_run(folder)
    [player] = taught([STRONG], [run.pool()], threads=crew.threads)
    spec = new_run(run.pool(), n_games=games, seed=run.seed, policies=(player, player))
    played = play_run(spec, rung_folder(folder, player), crew, f"playing {player}")
    beside = {*panel} - {player, run.manifest["policies"][0]}
    folders = [folder, *(rung_folder(folder, one) for one in panel if one in beside), played]
    tables = [analyze_run(one, crew.threads) for one in folders]
    found = strong_tables([open_run(one) for one in folders], tables)
    keep_strong(found, run)
    return found
