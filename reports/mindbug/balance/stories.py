"""The pages of cards of a run, with games that tell of them."""

from collections.abc import Callable, Mapping

import pandas as pd

from analysis.mindbug.replays import replays, sample_games
from analysis.mindbug.runs import Run
from card_data.mindbug.schema import Pool
from reports.mindbug.balance.card_pages import (
    CardPages,
    StoryLine,
    card_pages,
    end_of_story,
    told_cards,
)
from simcore.sealed import RunError


def pages_of_cards(
    run: Run, tables: Mapping[str, pd.DataFrame], on_telling: Callable[[], object] | None = None
) -> CardPages:
    """A page for each card of a run.

    ``on_telling`` is called before the first game is told in words, if any is.
    """
    games, pool = sample_games(run), run.pool()
    stories = stories_of(run, pool, tables["cards"], games, on_telling)
    return card_pages(pool, tables, games, stories, run)


def stories_of(
    run: Run,
    pool: Pool,
    cards: pd.DataFrame,
    games: pd.DataFrame,
    on_telling: Callable[[], object] | None = None,
) -> dict[int, list[StoryLine]]:
    """The end of a game for each card of which one is told: won if it is strong, else lost.

    There are none where this version plays the games otherwise, or lacks the players.
    """
    wanted = told_cards(cards).assign(won=lambda rows: rows["advantage"] > 0)
    chosen = wanted[["card_id", "won"]].merge(games, on=["card_id", "won"])
    turns = dict(zip(chosen["game"], chosen["turn_played"], strict=True))
    if turns and on_telling is not None:
        on_telling()
    try:
        return {
            game: end_of_story(told.lines, turns[game])
            for game, told in zip(turns, replays(run, pool, turns), strict=True)
        }
    except (RunError, ValueError):
        return {}
