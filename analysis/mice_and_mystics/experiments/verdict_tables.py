"""The tables of a verdict on an entry: by who plays, changes, with whom, games it turned."""

from typing import Any

import numpy as np
import pandas as pd

from analysis.confidence import normal_z
from analysis.estimates import Estimate, adjust_p, corrected_z, two_sided_p
from analysis.mice_and_mystics.experiments.verdict import Experiment
from analysis.mice_and_mystics.experiments.verdict_effects import HEROES, Played, contrast
from analysis.questions import verdict_tables as shared
from analysis.registry import Registry, Table, q_value, with_interval
from analysis.verdicts import MEANINGS, MIN_GAMES


def verdict_tables(experiment: Experiment) -> dict[str, pd.DataFrame]:
    """All tables about the entry: `VERDICT_TABLES`."""
    return {
        **shared.tables_alike(
            experiment,
            (VERDICT, VERDICT_PLACE, VERDICT_CHANGES),
            lambda player: _of_player(experiment, player),
            lambda one: shared.ends("chapter", one.overall) if one.overall else {},
        ),
        VERDICT_PARTNERS.name: _partners(experiment),
        VERDICT_GAMES.name: _games(experiment),
    }


def _of_player(experiment: Experiment, player: str) -> dict[str, Any]:
    """What is known of the entry where one player plays."""
    played = experiment.played[player]
    return {
        "method": experiment.method,
        "average": experiment.average,
        "n": int(np.count_nonzero(played.has)),
        "win_rate": float(played.won.mean()),
        **shared.ends("swap", _swap(played)),
    }


def _swap(played: Played) -> Estimate:
    """What the entry does against an average one in its place, in the games that have it."""
    if played.instead is None:
        return Estimate.normal([np.nan], [np.nan], [np.nan])
    values = played.swapped
    return contrast(values, np.zeros(len(values), np.int64), np.ones(1))


def _partners(experiment: Experiment) -> pd.DataFrame:
    """What the entry does with each hero of the parties beyond what it does without."""
    case = experiment.case
    played = experiment.played[case.policy]
    facts, rows = played.facts, []
    has = played.has
    values = played.won[: len(has)].astype(float)
    if played.sorted.instead is not None:
        values = values - played.sorted.instead
    party = facts.party_of(played.records[: len(has)])
    for place, hero in enumerate(facts.ids[HEROES]):
        members = facts.members[place]
        if hero == case.entry.id or members.all() or not members.any():
            continue
        there = members[party].astype(np.int64)
        if played.sorted.instead is None:
            group, weights = there * 2 + has, np.array([1.0, -1.0, -1.0, 1.0])
        else:
            group, weights = there, np.array([-1.0, 1.0])
        counts = np.bincount(group, minlength=len(weights))
        if counts.min() < MIN_GAMES:
            continue
        found = contrast(values, group, weights)
        rows.append(
            case.about
            | {
                "other": hero,
                "other_name": facts.names[hero],
                "policy": case.policy,
                "n": int(counts[-1]),
                **shared.ends("beyond", found),
                "p_value": float(two_sided_p(found.estimate, found.std_err)[0]),
            }
        )
    table = VERDICT_PARTNERS.frame(rows)
    p_value = table["p_value"].to_numpy(float)
    table["q_value"] = adjust_p(p_value)
    wider = corrected_z(p_value) / normal_z()
    for end in ("beyond_ci_low", "beyond_ci_high"):
        table[end] = table["beyond"] + wider * (table[end] - table["beyond"])
    return table.sort_values("beyond", key=lambda size: -size.abs(), ignore_index=True)


def _games(experiment: Experiment) -> pd.DataFrame:
    """The shortest games that came out otherwise."""
    case = experiment.case
    played = experiment.played[case.policy]
    if played.instead is None:
        return VERDICT_GAMES.frame([])
    n = len(played.instead)
    won, instead, has = played.won[:n], played.instead, played.has[:n]
    good = float(played.effect.estimate[0]) > 0
    rounds = played.records["rounds"][:n]
    turned = np.flatnonzero(has & (won != instead))
    turned = turned[np.argsort(rounds[turned], kind="stable")]
    found = [int(place) for place in turned[shared.named_games(won[turned] == 1, good)]]
    party = played.facts.party_of(played.records[:n])
    rows = [
        case.about
        | {
            "policy": case.policy,
            "game": place,
            "won": bool(won[place]),
            "rounds": int(rounds[place]),
            "party": ", ".join(
                played.facts.names[hero] for hero in played.facts.parties[party[place]]
            ),
            "average": experiment.average,
        }
        for place in found
    ]
    return VERDICT_GAMES.frame(rows)


_ENTRY = {
    "kind": "heroes, minions, abilities, search_cards or encounters",
    "entry": "id of the entry that is asked about",
    "name": "its name",
}
_WHO = "who plays all mice"
_BAND = shared.band_meaning("zero")
_EFFECT = (
    "by experiment: what the entry adds to the win rate. drawn: win rate of the games that have it"
    " (parties with a hero; a starting ability; a card among the top 8 of the search deck; the"
    " first encounter) minus that of those that have not; swapped: win rate minus that of the same"
    " games with an average one in its place"
)
VERDICT = Table(
    "verdict",
    "One row per player",
    {
        **_ENTRY,
        "policy": _WHO,
        "method": "drawn or swapped, see `effect`",
        "average": "what takes the place of the entry: the card of its kind with the smallest "
        "effect, or the median numbers of the others, the lower one of two; empty where nothing"
        " can",
        "n_games": "games of the run",
        "n": "games that have the entry",
        "win_rate": "win rate of all games",
        **with_interval("effect", _EFFECT),
        **with_interval(
            "swap",
            "in the games that have the entry: win rate minus that of the same games with an "
            "average one in its place",
        ),
        **with_interval("move", "`effect` minus that of the first player"),
        "band": _BAND,
        "verdict": f"{MEANINGS}. The interval is that of `effect`, for minions and"
        " encounters with its sign turned: what makes the party win less often is strong",
        "second": "the next most average entry, for a change with next to no effect; empty where"
        " other dice are that; this and what follows for the first player alone",
        **shared.turned_columns(
            "games that have the entry, of those played with `average` in its place",
            "with `average` in its place",
            "of the same games those that have `average`; where that is average numbers, those"
            " that have the entry",
            "with `second` in the place of `average`, or with other dice",
        ),
    },
    where=shared.WHERE,
    differences=("effect", "swap", "move"),
)
VERDICT_PLACE = shared.place_table(
    _ENTRY,
    _WHO,
    with_interval(
        "effect", "`effect` of the entry, as in `verdict`; with the change in fresh games"
    ),
    _BAND,
)
VERDICT_CHANGES = shared.changes_table(
    _ENTRY,
    _WHO,
    "1 for each step",
    with_interval("effect", "`effect` of the entry with the change, as in `verdict`"),
    _BAND,
    more=with_interval("chapter", "by how much the change moves the win rate of all these games"),
    differences=("effect", "difference", "chapter"),
)
VERDICT_PARTNERS = Table(
    "verdict_partners",
    "One row per hero who is in some party and not in every one",
    {
        **_ENTRY,
        "other": "the hero",
        "other_name": "the hero's name",
        "policy": _WHO,
        "n": "games that have both",
        **with_interval(
            "beyond", "effect of the entry in parties with the hero minus that in parties without"
        ),
        "p_value": "probability of such a difference if there were none",
        "q_value": q_value("heroes"),
    },
    where=shared.WHERE,
    differences=("beyond",),
)
VERDICT_GAMES = Table(
    "verdict_games",
    "One row per game",
    {
        **_ENTRY,
        "policy": _WHO,
        "game": "number of the game in `run`, for `fairdeal replay`",
        "won": "whether it was won; with `average` in the place of the entry, with the same luck, "
        "the result is the reverse",
        "rounds": "rounds of the game",
        "party": "the names of the heroes",
        "average": "what takes the place of the entry",
    },
    where=shared.WHERE,
)

#: The tables, as `verdict_tables` gives them.
VERDICT_TABLES = Registry(VERDICT, VERDICT_PLACE, VERDICT_CHANGES, VERDICT_PARTNERS, VERDICT_GAMES)
