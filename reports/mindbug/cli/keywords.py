"""The experiment on keywords that `balance` plays, and its options."""

from collections.abc import Sequence
from pathlib import Path
from typing import TYPE_CHECKING, Annotated

from cyclopts import Parameter

from reports.cli.compute import Crew
from reports.cli.console import InputError, resumable
from reports.cli.options import whole

if TYPE_CHECKING:
    import pandas as pd

    from card_data.mindbug.schema import Pool

#: Games of each change of the experiment, at most.
MOST_KEYWORD_GAMES = 100_000

Keywords = Annotated[
    bool | None,
    Parameter(
        help="Find by experiment what keywords do: each is added to every card that lacks it and"
        " removed from every card that has it, on the deals of the run. The games are in"
        " RUN/keywords. Default: if that takes at most about a third of the time of the run.",
    ),
]
KeywordGames = Annotated[
    int | None,
    Parameter(
        converter=whole(1, MOST_KEYWORD_GAMES),
        help="Games for each change in the experiment on keywords; implies --keywords. Default:"
        " 10,000.",
    ),
]


def check_keywords(keywords: bool | None, games: int | None) -> bool | None:
    """Whether to play the experiment; None where neither option says.  Raises InputError."""
    if games is None:
        return keywords
    if keywords is False:
        raise InputError("--keyword-games contradicts --no-keywords; leave one of them out")
    return True


def games_of_keywords(
    pool: "Pool", players: Sequence[str], n_games: int, wanted: bool | None, games: int | None
) -> int:
    """How many games `try_keywords` plays for a run of ``n_games``."""
    from analysis.mindbug.experiments.keyword_experiment import (
        KEYWORD_GAMES,
        is_cheap,
        n_changes,
    )

    if not (is_cheap(pool, players, n_games) if wanted is None else wanted):
        return 0
    return (games or KEYWORD_GAMES) * (1 + n_changes(pool))


def try_keywords(
    folder: Path, wanted: bool | None, games: int | None, crew: Crew
) -> "dict[str, pd.DataFrame]":
    """Play the experiment of an analysed run and write its table; the table by its name.

    There is none where it is not ``wanted``, or where that is open (None) and it would take long.
    A table that is there already stays, unless the experiment is wanted.
    """
    from analysis.mindbug import open_run
    from analysis.mindbug.experiments.keyword_experiment import (
        KEYWORD_EFFECTS,
        KEYWORD_GAMES,
        KEYWORDS_FOLDER,
        is_cheap,
        keyword_effects,
        read_keyword_effects,
    )

    run = open_run(folder)
    if not wanted:
        found = read_keyword_effects(folder)
        cheap = wanted is None and is_cheap(run.pool(), run.manifest["policies"], run.n_games)
        if found or not cheap:
            return found
    with (
        resumable("finished changes stay", folder / KEYWORDS_FOLDER),
        crew.progress("trying keywords", "games") as advance,
    ):
        table = keyword_effects(
            run,
            games=games or KEYWORD_GAMES,
            threads=crew.threads,
            executor=crew.executor,
            on_progress=advance,
        )
    return {KEYWORD_EFFECTS.name: table}
