"""What starting abilities, search cards and encounters do: three tables.

Starting abilities, the order of the search deck and the first encounter card are drawn at random
when a game is set up, whatever happens later: they are treatments of an experiment in every run.
What comes about in the game, such as cards drawn, is observed beside them.
"""

from collections.abc import Sequence

import numpy as np
import pandas as pd

from analysis.estimates import interval_columns
from analysis.mice_and_mystics import cells
from analysis.mice_and_mystics.counts import RunCounts
from analysis.mice_and_mystics.tallies import MEETING
from analysis.registry import Table, with_interval


def abilities_table(counts: RunCounts) -> pd.DataFrame:
    """One row per ability card; see `ABILITIES`."""
    facts = counts.facts
    ids = facts.used["abilities"]
    abilities = [one for one in facts.data.abilities if one.id in ids]
    about = {
        "ability": ids,
        "name": [one.name for one in abilities],
        "classes": [" ".join(one.classes) for one in abilities],
        "cost": [one.cost for one in abilities],
        "player": facts.player,
    }
    tables = [
        pd.DataFrame(about),
        cells.effect_columns(counts, [f"dealt_{one}" for one in ids], "dealt"),
        cells.observed_columns(counts, [f"owned_{one}" for one in ids], "owned"),
        cells.observed_columns(counts, [f"used_ability_{one}" for one in ids], "used"),
        cells.observed_columns(counts, [f"cheese_ability_{one}" for one in ids], "paid"),
    ]
    return pd.concat(tables, axis="columns")[list(ABILITIES.columns)]


def search_cards_table(counts: RunCounts) -> pd.DataFrame:
    """One row per kind of search card; see `SEARCH_CARDS`."""
    facts = counts.facts
    ids = facts.used["search_cards"]
    cards = [one for one in facts.data.search_cards if one.id in ids]
    about = {
        "card": ids,
        "name": [one.name for one in cards],
        "type": [one.type for one in cards],
        "copies": [one.count for one in cards],
        "player": facts.player,
    }
    tables = [
        pd.DataFrame(about),
        cells.effect_columns(counts, [f"top8_{one}" for one in ids], "top8"),
        *(
            cells.observed_columns(counts, [f"{word}_{one}" for one in ids], word)
            for word in ("drawn", "equipped", "used")
        ),
    ]
    return pd.concat(tables, axis="columns")


def encounters_table(counts: RunCounts) -> pd.DataFrame:
    """One row per encounter card; see `ENCOUNTERS`."""
    facts = counts.facts
    ids = facts.used["encounters"]
    cards = [one for one in facts.data.encounters if one.id in ids]
    about = {
        "encounter": ids,
        "name": [one.name for one in cards],
        "difficult": [one.difficult for one in cards],
        "ambush": [one.ambush for one in cards],
        "mousetraps": [one.mousetraps for one in cards],
        "player": facts.player,
    }
    names = [f"first_{one}" for one in ids]
    tables = [
        pd.DataFrame(about),
        cells.effect_columns(counts, names, "first", of_foe=True),
        cells.more_effects(counts, names, "first"),
        _first_meetings(counts, ids),
        cells.observed_columns(counts, [f"drawn_{one}" for one in ids], "drawn"),
        _meetings(counts, ids),
    ]
    return pd.concat(tables, axis="columns")


def _first_meetings(counts: RunCounts, ids: Sequence[str]) -> pd.DataFrame:
    """What happened in the first room with an encounter: its card is the first of the deck.

    Whether a game comes to that room does not depend on the card, which nobody has seen before.
    """
    sums = np.moveaxis(counts.sums["meetings"][:, 1], 0, 1)
    every = sums.sum(axis=0)
    sums = sums[_places(counts, ids)]
    columns: dict[str, np.ndarray] = {}
    for name in ("rounds_fought", "pages_lost"):
        sides = [cells.picked(side, MEETING, name) for side in (sums, every - sums)]
        found = cells.contrast_of(counts, *sides)
        columns |= {"first_met_n": found.n_with} | cells.mean_effect(
            found, "first", f"{name}_there"
        )
    return pd.DataFrame(columns)


def _meetings(counts: RunCounts, ids: Sequence[str]) -> pd.DataFrame:
    """What happened in all rooms in which each card was drawn."""
    sums = counts.sums["meetings"][:, 0].sum(axis=0)[_places(counts, ids)]
    _, s, ss = cells.picked(sums, MEETING, "rounds_to_clear")
    of_cleared = cells.Sums(cells.picked(sums, MEETING, "cleared").s, s, ss)
    means = {name: cells.picked(sums, MEETING, name).mean() for name in ("captures", "pages_lost")}
    return pd.DataFrame(
        {
            **interval_columns("drawn_cleared", cells.picked(sums, MEETING, "cleared").rate()),
            **interval_columns("drawn_rounds_to_clear", of_cleared.mean()),
            **interval_columns("drawn_captures_there", means["captures"]),
            **interval_columns("drawn_pages_lost_there", means["pages_lost"]),
        }
    )


def _places(counts: RunCounts, ids: Sequence[str]) -> list[int]:
    """The rows of some encounter cards in what is counted."""
    return [counts.facts.ids["encounters"].index(one) for one in ids]


#: Said of the rooms in which an encounter card was drawn.
OBSERVED_ROOMS = (
    "Observed, not caused: only games that last come to later rooms, and they bring more with them"
)
_PLAYER = {"player": "who plays all mice"}
ABILITIES = Table(
    "abilities",
    "One row per ability card",
    {
        "ability": "the ability card",
        "name": "its printed name",
        "classes": "who may own it: any, classes or ids of heroes, of which one suffices",
        "cost": "its price in cheese",
        **_PLAYER,
        **cells.effect_meanings("dealt", "some mouse began with it (`dealt_a`)", "abilities"),
        **cells.observed_meanings("owned", "some mouse owned it at the end"),
        **cells.observed_meanings("used", "it was used", mean="uses"),
        "paid_per_game": "cheese paid for it in a game, on average",
    },
    make=abilities_table,
    differences=("win_effect", "win_effect_shrunk"),
    numbers=("score_effect", "used_per_game", "paid_per_game"),
)
SEARCH_CARDS = Table(
    "search_cards",
    "One row per kind of search card",
    {
        "card": "the search card",
        "name": "its printed name",
        "type": "weapon, armor, accessory, item, scroll, trick, party or event",
        "copies": "copies in the box",
        **_PLAYER,
        **cells.effect_meanings(
            "top8", "a copy was among the top 8 of the first search deck (`top8_c`)", "search cards"
        ),
        **cells.observed_meanings("drawn", "it was drawn", mean="draws"),
        **cells.observed_meanings("equipped", "it was equipped", mean="times that it was equipped"),
        **cells.observed_meanings("used", "it was used", mean="uses"),
    },
    make=search_cards_table,
    differences=("win_effect", "win_effect_shrunk"),
    numbers=("score_effect", "drawn_per_game", "equipped_per_game", "used_per_game"),
)
ENCOUNTERS = Table(
    "encounters",
    "One row per encounter card",
    {
        "encounter": "the encounter card",
        "name": "its printed name",
        "difficult": "whether it is left out of a deck without difficult cards (S14)",
        "ambush": "whether its minions ambush (M81)",
        "mousetraps": "whether it sets mousetraps (M42)",
        **_PLAYER,
        **cells.effect_meanings(
            *("first", "it was the top card of the first encounter deck (`first_e`)", "encounters"),
            of_foe=True,
        ),
        **cells.more_effect_meanings("first", "encounters"),
        "first_met_n": "games that came to a room with an encounter and met it there first; nobody"
        " has seen the card before, so it is as random as `first_e`",
        **cells.mean_effect_meanings(
            "first",
            "rounds_fought_there",
            "rounds of these games that began in that room with minions there, also those that a"
            " surge brought, also where the room was never cleared",
            "encounters",
        ),
        **cells.mean_effect_meanings(
            "first", "pages_lost_there", "pages lost in that room", "encounters"
        ),
        **cells.observed_meanings("drawn", "it was drawn", mean="draws"),
        **with_interval(
            "drawn_cleared",
            "share of the rooms in which it was drawn that the mice left, or cleared at the end."
            f" {OBSERVED_ROOMS}",
        ),
        **with_interval(
            "drawn_rounds_to_clear",
            "rounds that began in these rooms with minions there, on average over those cleared."
            f" {OBSERVED_ROOMS}",
        ),
        **with_interval(
            "drawn_captures_there",
            f"captures in the rooms in which it was drawn, on average. {OBSERVED_ROOMS}",
        ),
        **with_interval(
            "drawn_pages_lost_there",
            f"pages lost in the rooms in which it was drawn, on average. {OBSERVED_ROOMS}",
        ),
    },
    make=encounters_table,
    differences=("win_effect", "win_effect_shrunk"),
    numbers=(
        *("score_effect", "first_pages_lost", "pages_lost_effect", "first_captures"),
        *("captures_effect", "first_rounds_fought_there", "rounds_fought_there_effect"),
        *("first_pages_lost_there", "pages_lost_there_effect", "drawn_per_game"),
        *("drawn_rounds_to_clear", "drawn_captures_there", "drawn_pages_lost_there"),
    ),
)
