"""Who is captured, by what and where: the table ``captures``."""

from collections.abc import Iterator, Sequence

import numpy as np
import pandas as pd

from analysis.estimates import estimate_share, interval_columns
from analysis.mice_and_mystics.cells import OBSERVED, Sums, picked
from analysis.mice_and_mystics.counts import RunCounts
from analysis.mice_and_mystics.run_facts import ALL, CAUSES_OF_CAPTURE, RunFacts
from analysis.mice_and_mystics.tallies import GIVEN
from analysis.registry import Table, with_interval

# What the rows are split by: the kinds of row, in their order.
_SPLITS = {
    "all": "all captures",
    "cause": "by cause",
    "minion": "those in battle by the minion that attacked",
    "hero": "by the hero who was captured",
    "hero_cause": "by hero and cause",
    "room": "by room",
}
_KEYS = ("cause", "minion", "hero", "room")


def captures_table(counts: RunCounts) -> pd.DataFrame:
    """One row per cause, minion, hero and so on; see `CAPTURES`."""
    facts = counts.facts
    rows = list(_rows(facts))
    places = [facts.places[name] for _, _, name in rows]
    # Games of the parties in which a capture of this kind could be: (n_rows, n_parties).
    parties = np.array([_possible(facts, keys.get("hero")) for _, keys, _ in rows])
    of_rows = np.einsum("rp,prk->rk", parties, counts.sums["numbers"][:, places])
    everything = parties @ counts.sums["results"]
    n, s, ss = (of_rows[:, column].astype(float) for column in range(3))
    given = of_rows[:, 3:]
    total = s[0]
    with np.errstate(invalid="ignore"):
        share_of_captures = s / total
    keys = {key: [row.get(key, ALL) for _, row, _ in rows] for key in _KEYS}
    return pd.DataFrame(
        {
            "split": [split for split, _, _ in rows],
            **keys,
            "player": facts.player,
            "n_games": n.astype(np.int64),
            "captures": s.astype(np.int64),
            **interval_columns("per_game", Sums(n, s, ss).mean()),
            "share_of_captures": share_of_captures,
            "games_with": given[:, 0],
            **interval_columns("share", estimate_share(given[:, 0], n)),
            **interval_columns("win_rate", picked(given, GIVEN, "win").rate()),
            **interval_columns("win_rate_without", picked(everything - given, GIVEN, "win").rate()),
        }
    ).astype({"split": "str", **dict.fromkeys(_KEYS, "str")})


def _rows(facts: RunFacts) -> Iterator[tuple[str, dict[str, str], str]]:
    """What each row is about: how it is split, what of, and the number that counts it."""
    heroes: Sequence[str] = facts.used["heroes"]
    yield "all", {}, "captures"
    for cause in CAUSES_OF_CAPTURE:
        yield "cause", {"cause": cause}, f"captures_{cause}"
    for minion in facts.used["minions"]:
        yield "minion", {"cause": "battle", "minion": minion}, f"captures_by_{minion}"
    for hero in heroes:
        yield "hero", {"hero": hero}, f"captures_{hero}"
    for hero in heroes:
        for cause in CAUSES_OF_CAPTURE:
            yield "hero_cause", {"hero": hero, "cause": cause}, f"captures_{hero}_{cause}"
    for room in facts.ids["tiles"]:
        yield "room", {"room": room}, f"captures_in_{room}"


def _possible(facts: RunFacts, hero: str | None) -> np.ndarray:
    """Which parties a row is about: those with the hero, or all."""
    if hero is None:
        return np.ones(len(facts.parties), np.int64)
    return facts.members[facts.ids["heroes"].index(hero)].astype(np.int64)


CAPTURES = Table(
    "captures",
    "One row per cause, minion, hero, hero and cause, and room",
    {
        "split": "what captures are counted by: "
        + "; ".join(f"`{split}`: {meaning}" for split, meaning in _SPLITS.items()),
        "cause": f"the cause (M104): wounds in a battle, a mousetrap, drifting off the tile, or an"
        f" event card; `{ALL}` where a row is about all",
        "minion": f"the minion; `{ALL}` where a row is about all",
        "hero": f"the hero; `{ALL}` where a row is about all",
        "room": f"the room; `{ALL}` where a row is about all",
        "player": "who plays all mice",
        "n_games": "games in which it could be: of the parties with the hero, or all",
        "captures": "captures of this kind in these games",
        **with_interval("per_game", "captures of this kind in a game, on average"),
        "share_of_captures": "the share of all captures of the run that these are",
        "games_with": "games with at least one capture of this kind",
        **with_interval("share", "the share of `n_games` that these are"),
        **with_interval(
            "win_rate",
            f"win rate of the games with at least one. {OBSERVED}, and each capture costs a page",
        ),
        **with_interval("win_rate_without", "win rate of the other games. Observed, not caused"),
    },
    make=captures_table,
    numbers=("per_game",),
)
