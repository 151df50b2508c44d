"""What starting abilities, search cards and encounters do: three tables.

Starting abilities, the order of the search deck and the first encounter card are drawn at random
when a game is set up, whatever happens later: they are treatments of an experiment in every run.
What comes about in the game, such as cards drawn, is observed beside them.
"""

import pandas as pd

from analysis.estimates import adjust_p, interval_columns, two_sided_p
from analysis.mice_and_mystics.cells import (
    contrast,
    effect_columns,
    effect_meanings,
    observed_columns,
    observed_meanings,
)
from analysis.mice_and_mystics.counts import RunCounts
from analysis.registry import Table, q_value, with_interval


def abilities_table(counts: RunCounts) -> pd.DataFrame:
    """One row per ability card; see `ABILITIES`."""
    facts = counts.facts
    abilities, ids = facts.data.abilities, facts.ids["abilities"]
    about = {
        "ability": ids,
        "name": [one.name for one in abilities],
        "classes": [" ".join(one.classes) for one in abilities],
        "cost": [one.cost for one in abilities],
        "player": facts.player,
    }
    tables = [
        pd.DataFrame(about),
        effect_columns(counts, [f"dealt_{one}" for one in ids], "dealt"),
        observed_columns(counts, [f"owned_{one}" for one in ids], "owned"),
        observed_columns(counts, [f"used_ability_{one}" for one in ids], "used"),
        observed_columns(counts, [f"cheese_ability_{one}" for one in ids], "paid"),
    ]
    return pd.concat(tables, axis="columns")[list(ABILITIES.columns)]


def search_cards_table(counts: RunCounts) -> pd.DataFrame:
    """One row per kind of search card; see `SEARCH_CARDS`."""
    facts = counts.facts
    cards, ids = facts.data.search_cards, facts.ids["cards"]
    about = {
        "card": ids,
        "name": [one.name for one in cards],
        "type": [one.type for one in cards],
        "copies": [one.count for one in cards],
        "player": facts.player,
    }
    tables = [
        pd.DataFrame(about),
        effect_columns(counts, [f"top8_{one}" for one in ids], "top8"),
        *(
            observed_columns(counts, [f"{word}_{one}" for one in ids], word)
            for word in ("drawn", "equipped", "used")
        ),
    ]
    return pd.concat(tables, axis="columns")


def encounters_table(counts: RunCounts) -> pd.DataFrame:
    """One row per encounter card; see `ENCOUNTERS`."""
    facts = counts.facts
    cards, ids = facts.data.encounters, facts.ids["encounters"]
    about = {
        "encounter": ids,
        "name": [one.name for one in cards],
        "difficult": [one.difficult for one in cards],
        "ambush": [one.ambush for one in cards],
        "mousetraps": [one.mousetraps for one in cards],
        "player": facts.player,
    }
    names = [f"first_{one}" for one in ids]
    tables = [pd.DataFrame(about), effect_columns(counts, names, "first")]
    for result in ("pages_lost", "captures"):
        found = contrast(counts, names, result)
        p_value = two_sided_p(found.difference.estimate, found.difference.std_err)
        columns = {
            **interval_columns(f"first_{result}", found.with_it),
            **interval_columns(f"{result}_effect", found.difference),
            f"{result}_q_value": adjust_p(p_value),
        }
        tables.append(pd.DataFrame(columns))
    tables.append(observed_columns(counts, [f"drawn_{one}" for one in ids], "drawn"))
    return pd.concat(tables, axis="columns")


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
        **effect_meanings("dealt", "some mouse began with it (`dealt_a`)", "abilities"),
        **observed_meanings("owned", "some mouse owned it at the end"),
        **observed_meanings("used", "it was used", mean="uses"),
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
        **effect_meanings(
            "top8", "a copy was among the top 8 of the first search deck (`top8_c`)", "search cards"
        ),
        **observed_meanings("drawn", "it was drawn", mean="draws"),
        **observed_meanings("equipped", "it was equipped", mean="times that it was equipped"),
        **observed_meanings("used", "it was used", mean="uses"),
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
        **effect_meanings(
            "first", "it was the top card of the first encounter deck (`first_e`)", "encounters"
        ),
        **with_interval("first_pages_lost", "pages lost in these games, on average"),
        **with_interval("pages_lost_effect", "that minus the mean of the other games"),
        "pages_lost_q_value": q_value("encounters", "that of a `pages_lost_effect` this large"),
        **with_interval("first_captures", "captures in these games, on average"),
        **with_interval("captures_effect", "that minus the mean of the other games"),
        "captures_q_value": q_value("encounters", "that of a `captures_effect` this large"),
        **observed_meanings("drawn", "it was drawn", mean="draws"),
    },
    make=encounters_table,
    differences=("win_effect", "win_effect_shrunk"),
    numbers=(
        *("score_effect", "first_pages_lost", "pages_lost_effect", "first_captures"),
        *("captures_effect", "drawn_per_game"),
    ),
)
