"""Where games are lost, and which rooms cost the pages: the tables ``rooms`` and ``room_costs``."""

import numpy as np
import pandas as pd

from analysis.estimates import estimate_seen, estimate_share, interval_columns
from analysis.mice_and_mystics.cells import OBSERVED, picked
from analysis.mice_and_mystics.counts import RunCounts
from analysis.mice_and_mystics.run_facts import OUTCOMES, RunFacts
from analysis.mice_and_mystics.tallies import OF_ROOM, ROOM
from analysis.registry import Table, with_interval


def rooms_table(counts: RunCounts) -> pd.DataFrame:
    """One row per room in which games ended, and last page; see `ROOMS`."""
    facts, endings = counts.facts, counts.sums["final"].sum(axis=0)
    tiles, pages = np.nonzero(endings.sum(axis=0))
    of_outcome = endings[:, tiles, pages]
    ended, lost = of_outcome.sum(axis=0), of_outcome[1:].sum(axis=0)
    places = pd.DataFrame([_room(facts, tile) for tile in tiles.tolist()], columns=list(_PLACE))
    numbers = {
        "page": pages,
        "ended": ended,
        **interval_columns("share", estimate_seen(ended, counts.n_games.sum())),
        **dict(zip(OUTCOMES, of_outcome, strict=True)),
        "lost": lost,
        **interval_columns("lost_share", estimate_seen(lost, lost.sum())),
    }
    return pd.concat([places, pd.DataFrame(numbers)], axis="columns")


def room_costs_table(counts: RunCounts) -> pd.DataFrame:
    """One row per room of the chapter; see `ROOM_COSTS`."""
    facts = counts.facts
    sums = counts.sums["rooms"].sum(axis=0)
    entered, lost_here = sums[:, ROOM.index("n")], sums[:, ROOM.index("lost_here")]
    pages = sums[:, ROOM.index("pages_lost")].astype(float)
    with np.errstate(invalid="ignore"):
        pages_share = pages / pages.sum()
    places = pd.DataFrame([_room(facts, tile) for tile in range(len(sums))])
    numbers = {
        "player": facts.player,
        "entered_n": entered,
        **interval_columns("entered_share", estimate_share(entered, counts.n_games.sum())),
        **interval_columns("entered_win_rate", picked(sums, ROOM, "win").rate()),
        **{
            column: values
            for name in OF_ROOM
            for column, values in interval_columns(name, picked(sums, ROOM, name).mean()).items()
        },
        "pages_lost_share": pages_share,
        "lost_here": lost_here,
        **interval_columns("lost_here_share", estimate_share(lost_here, entered)),
    }
    return pd.concat([places, pd.DataFrame(numbers)], axis="columns")


def _room(facts: RunFacts, tile: int) -> dict[str, object]:
    """Place on the route, id and printed name of a room."""
    room, route = facts.ids["tiles"][tile], list(facts.chapter.route)
    depth = route.index(room) + 1 if room in route else 0
    return {"depth": depth, "room": room, "name": facts.names[room]}


_PLACE = {
    "depth": "its place on the route, the start room being 1; 0 for a room off the route",
    "room": "the room",
    "name": "its printed name",
}
ROOMS = Table(
    "rooms",
    "One row per room in which games ended, and last page",
    {
        **_PLACE,
        "page": "page on which the hourglass stood at the end",
        "ended": "games that ended there, on this page",
        **with_interval(
            "share",
            "the share of all games that these are; the interval allows for the table having"
            " rows only for what was seen",
        ),
        **{word: f"those of them that ended as {word}" for word in OUTCOMES},
        "lost": "those of them that were not won",
        **with_interval(
            "lost_share",
            "the share that these are of all games that were not won; missing for 0",
        ),
    },
    make=rooms_table,
)
_THERE = {
    "rounds": "rounds begun there",
    "rounds_fought": "rounds begun there with minions there",
    "surges": "surges there",
    "captures": "captures there",
    "pages_lost": "pages lost there, by surges and captures",
}
ROOM_COSTS = Table(
    "room_costs",
    "One row per room of the chapter",
    {
        **_PLACE,
        "player": "who plays all mice",
        "entered_n": "games that entered it; the start room too is entered",
        **with_interval("entered_share", "the share of all games that these are"),
        **with_interval("entered_win_rate", f"win rate of these games. {OBSERVED}"),
        **{
            column: meaning
            for name, what in _THERE.items()
            for column, meaning in with_interval(
                name, f"{what}, on average over the games that entered it"
            ).items()
        },
        "pages_lost_share": "the share of all pages lost in the run that were lost there",
        "lost_here": "games that ended there and were not won",
        **with_interval(
            "lost_here_share", "the share that these are of the games that entered the room"
        ),
    },
    make=room_costs_table,
    numbers=OF_ROOM,
)
