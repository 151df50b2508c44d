"""Who acts first, and what that does: the tables ``initiative`` and ``initiative_rooms``.

The first track is shuffled when the game is set up, whoever plays (M13): it is a treatment of an
experiment.  The tracks of later rooms are shuffled as well, but only games that last have them, and
an ambush moves minions up; what goes with them is observed.
"""

from math import perm

import numpy as np
import pandas as pd

from analysis.estimates import estimate_share, interval_columns
from analysis.mice_and_mystics.cells import (
    OBSERVED,
    effect_columns,
    effect_meanings,
    more_effect_meanings,
    more_effects,
    number_of,
    picked,
)
from analysis.mice_and_mystics.counts import RunCounts
from analysis.mice_and_mystics.run_facts import RunFacts
from analysis.registry import Table, with_interval
from card_data.mice_and_mystics.facts import by_id

_AHEAD_OF = ("n", "win", "captures", "captures²")


def initiative_table(counts: RunCounts) -> pd.DataFrame:
    """One row per number of mice ahead, and per card on top; see `INITIATIVE`."""
    facts = counts.facts
    minions = _cards_of_minions(facts)
    n_mice = facts.chapter.mice
    n_cards = n_mice + len(minions)
    heroes = facts.used["heroes"]
    rows = [
        *(
            (
                *("mice_ahead", str(mice), f"{mice} mice ahead", f"ahead_{mice}"),
                _chance(mice, n_mice, n_cards),
            )
            for mice in range(n_mice + 1)
            if minions or mice == n_mice
        ),
        *(
            ("on_top", one, facts.names[one], f"on_top_{one}", 1 / n_cards)
            for one in (*heroes, *minions)
        ),
    ]
    kinds, ids, labels, names, expected = (list(column) for column in zip(*rows, strict=True))
    there = np.array([_parties_with(facts, one) for one in ids])
    on = np.stack([number_of(counts, name).s for name in names])
    share = estimate_share((on * there).sum(axis=1), there @ counts.n_games)
    about = {
        "kind": kinds,
        "id": ids,
        "name": labels,
        "player": facts.player,
        **interval_columns("share", share),
        "expected": expected,
    }
    return pd.concat(
        [
            pd.DataFrame(about),
            effect_columns(counts, names, "given"),
            more_effects(counts, names, "given"),
        ],
        axis="columns",
    )


def initiative_rooms_table(counts: RunCounts) -> pd.DataFrame:
    """One row per room and number of mice ahead on its first track; see `INITIATIVE_ROOMS`."""
    facts = counts.facts
    sums = counts.sums["ahead"].sum(axis=0)
    tiles, ahead = np.nonzero(sums[..., 0])
    of_rows, built = sums[tiles, ahead], sums[tiles, :, 0].sum(axis=1)
    rooms = np.array(facts.ids["tiles"], object)[tiles]
    return pd.DataFrame(
        {
            "room": rooms,
            "name": [facts.names[room] for room in rooms],
            "mice_ahead": ahead,
            "player": facts.player,
            "n_games": of_rows[:, 0],
            **interval_columns("share", estimate_share(of_rows[:, 0], built)),
            **interval_columns("win_rate", picked(of_rows, _AHEAD_OF, "win").rate()),
            **interval_columns("captures_there", picked(of_rows, _AHEAD_OF, "captures").mean()),
        }
    ).astype({"room": "str", "name": "str"})


def _cards_of_minions(facts: RunFacts) -> list[str]:
    """The cards of minions on the first track, by the minions whose cards they are (M15)."""
    minions = by_id(facts.data.minions)
    return sorted({minions[group.type].initiative_card for group in facts.chapter.start.minions})


def _chance(mice: int, n_mice: int, n_cards: int) -> float:
    """The chance that this many cards of mice lie above all others of a shuffled track."""
    first = perm(n_mice, mice) / perm(n_cards, mice)
    return first if mice == n_mice else first * (n_cards - n_mice) / (n_cards - mice)


def _parties_with(facts: RunFacts, one: str) -> np.ndarray:
    """The parties in which a row can be: those with the hero that it is about, or all."""
    heroes = facts.ids["heroes"]
    return facts.members[heroes.index(one)] if one in heroes else np.ones(len(facts.parties), bool)


INITIATIVE = Table(
    "initiative",
    "One row per number of mice ahead of all minions on the first track, and per card on top of it",
    {
        "kind": "`mice_ahead`: this number of mice came before all minions on the first track;"
        " `on_top`: this card lay on top",
        "id": "the number, or the hero or minion whose card it is",
        "name": "in words",
        "player": "who plays all mice",
        **with_interval("share", "share of games in which it was so, of the parties with the hero"),
        "expected": "that share for a shuffled track (M13)",
        **effect_meanings("given", "it was so", "rows"),
        **more_effect_meanings("given", "rows"),
    },
    make=initiative_table,
    differences=("win_effect", "win_effect_shrunk"),
    numbers=(
        *("score_effect", "given_pages_lost", "pages_lost_effect", "given_captures"),
        "captures_effect",
    ),
)
INITIATIVE_ROOMS = Table(
    "initiative_rooms",
    "One row per room and number of mice ahead of all minions when its track was built",
    {
        "room": "the room",
        "name": "its printed name",
        "mice_ahead": "cards of mice above all of minions on its first track, after an ambush",
        "player": "who plays all mice",
        "n_games": "games in which it was so",
        **with_interval("share", "the share that these are of all games with a track there"),
        **with_interval("win_rate", f"win rate of these games. {OBSERVED}"),
        **with_interval(
            "captures_there", "captures in the room, on average over these games. Observed too"
        ),
    },
    make=initiative_rooms_table,
    numbers=("captures_there",),
)
