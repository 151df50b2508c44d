"""The tables of a run of Mice & Mystics."""

import numpy as np
import pandas as pd

from analysis.mice_and_mystics import counters, fights, heroes, outcomes, rooms, treatments
from analysis.mice_and_mystics.counts import RunCounts
from analysis.mice_and_mystics.run_facts import ALL
from analysis.registry import Registry, Table
from card_data.mice_and_mystics.confidence import count_confidence
from card_data.mice_and_mystics.facts import CONFIDENCES


def sources_table(counts: RunCounts) -> pd.DataFrame:
    """One row per kind of entry, and one of all; see `SOURCES`."""
    by_kind = count_confidence(counts.facts.data, counts.facts.settings)
    entries = np.array(
        [[getattr(one, word) for word in CONFIDENCES] for one in by_kind.values()], np.int64
    )
    entries = np.vstack([entries, entries.sum(axis=0)])
    total = entries.sum(axis=1)
    with np.errstate(invalid="ignore"):
        shares = entries.T / total
    return pd.DataFrame(
        {
            "kind": [*by_kind, ALL],
            "entries": total,
            **dict(zip(CONFIDENCES, entries.T, strict=True)),
            **{f"{word}_share": share for word, share in zip(CONFIDENCES, shares, strict=True)},
        }
    )


SOURCES = Table(
    "sources",
    "One row per kind of entry that can come up, and one of all",
    {
        "kind": f"the kind of entry; `{ALL}`: all of them",
        "entries": "entries of this kind that can come up in games of the run",
        **{word: f"those of them whose `confidence` is `{word}`" for word in CONFIDENCES},
        **{f"{word}_share": f"the share of `entries` that is {word}" for word in CONFIDENCES},
    },
    make=sources_table,
)

#: In the order in which they are best read.
RUN_TABLES = Registry(
    outcomes.OUTCOMES,
    outcomes.PARTIES,
    heroes.HEROES,
    heroes.HERO_PAIRS,
    outcomes.CLOCK,
    rooms.ROOMS,
    rooms.ROOM_COSTS,
    fights.CAPTURES,
    treatments.ENCOUNTERS,
    fights.INITIATIVE,
    fights.INITIATIVE_ROOMS,
    treatments.ABILITIES,
    treatments.SEARCH_CARDS,
    counters.CHEESE,
    fights.DICE,
    SOURCES,
    counters.COUNTERS,
)
