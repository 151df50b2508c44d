"""The experiments that `balance` plays beside a run, on keywords and luck, and their options."""

from collections.abc import Sequence
from pathlib import Path
from typing import TYPE_CHECKING, Annotated

from cyclopts import Parameter

from reports.cli.compute import Crew
from reports.cli.console import InputError, as_input_error, resumable
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
Luck = Annotated[
    bool | None,
    Parameter(
        help="Find how much of who wins the deal decides and how much the players' choices: the"
        " first deals of the run are played eight times each, for about a tenth of its time. The"
        " games are in RUN/luck. Default: in runs of 8,000 games and more, unless a function"
        " of your own plays, which makes no slips.",
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
    stays = resumable("finished changes stay", folder / KEYWORDS_FOLDER)
    with stays, crew.playing("trying keywords") as how:
        table = keyword_effects(run, games=games or KEYWORD_GAMES, **how)
    return {KEYWORD_EFFECTS.name: table}


def check_luck(wanted: bool | None, players: Sequence[str]) -> None:
    """Raise InputError where luck is ``wanted`` of players of whom it cannot be measured."""
    from analysis.mindbug.experiments.luck import check_players

    if wanted:
        with as_input_error("--luck"):
            check_players(players)


def games_of_luck(n_games: int, wanted: bool | None, players: Sequence[str]) -> int:
    """How many games `try_luck` plays for a run of so many."""
    from analysis.mindbug.experiments.luck import LEAST_DEALS, REPLAYS, deals_for

    deals = deals_for(n_games, players)
    if wanted is False or (wanted is None and deals < LEAST_DEALS):
        return 0
    return max(deals, LEAST_DEALS) * REPLAYS


def try_luck(folder: Path, wanted: bool | None, crew: Crew) -> "dict[str, pd.DataFrame]":
    """Play the replays of an analysed run and write their table; the table by its name.

    There is none where it is not ``wanted``, or where that is open (None) and the run is small.
    A table that is there already stays, unless it is wanted.
    """
    from analysis.mindbug import open_run
    from analysis.mindbug.experiments.luck import (
        LEAST_DEALS,
        LUCK,
        LUCK_FOLDER,
        deals_for,
        measure_luck,
        read_luck,
    )

    run = open_run(folder)
    deals = deals_for(run.n_games, run.manifest["policies"])
    if not wanted:
        found = read_luck(folder)
        if found or wanted is False or deals < LEAST_DEALS:
            return found
    stays = resumable("finished deals stay", folder / LUCK_FOLDER)
    with stays, crew.playing("measuring luck") as how:
        table = measure_luck(run, deals=max(deals, LEAST_DEALS), **how)
    return {LUCK.name: table}
