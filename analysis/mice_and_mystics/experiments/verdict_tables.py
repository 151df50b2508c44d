"""The tables of a verdict: by who plays, what was tried, with whom, games that came out otherwise.

A game *came out otherwise* if it is won, and lost with the same luck when an average one has the
entry's place; or the reverse.  Most do so by chance, so the shares that turn either way stand
beside those of a change with next to no effect.
"""

from typing import Any

import numpy as np
import pandas as pd

from analysis.confidence import normal_z
from analysis.estimates import Estimate, adjust_p, corrected_z, two_sided_p
from analysis.experiments.smallest_change import Tried
from analysis.experiments.verdict import turned_columns, turned_shares
from analysis.mice_and_mystics.experiments.verdict import Changes, Evidence
from analysis.mice_and_mystics.experiments.verdict_effects import (
    HEROES,
    OF_THE_FOE,
    Played,
    contrast,
)
from analysis.registry import Registry, Table, q_value, with_interval
from analysis.verdicts import MEANINGS, MIN_GAMES, verdict

#: Games that are named.
N_GAMES = 3


def verdict_tables(evidence: Evidence) -> dict[str, pd.DataFrame]:
    """All tables about the entry: `VERDICT_TABLES`."""
    players = _by_player(evidence)
    changes = VERDICT_CHANGES.frame([_change(evidence, one) for one in evidence.tried])
    return {
        VERDICT.name: players,
        VERDICT_PLACE.name: _place(players, changes),
        VERDICT_CHANGES.name: changes,
        VERDICT_PARTNERS.name: _partners(evidence),
        VERDICT_GAMES.name: _games(evidence),
    }


def _about(evidence: Evidence) -> dict[str, str]:
    case = evidence.case
    return {"kind": case.kind, "entry": case.entry.id, "name": case.entry.name or case.entry.id}


def _ends(column: str, found: Estimate) -> dict[str, float]:
    ends = found.estimate, found.ci_low, found.ci_high
    names = (column, f"{column}_ci_low", f"{column}_ci_high")
    return {name: float(end[0]) for name, end in zip(names, ends, strict=True)}


def _by_player(evidence: Evidence) -> pd.DataFrame:
    """A row for each player, weaker first."""
    rows: list[dict[str, Any]] = []
    first = next(iter(evidence.played.values())).effect
    for player, played in evidence.played.items():
        effect = played.effect
        moved = float(effect.estimate[0] - first.estimate[0])
        reach = normal_z() * float(np.hypot(effect.std_err[0], first.std_err[0]))
        move = dict.fromkeys(("move", "move_ci_low", "move_ci_high"), np.nan)
        if rows:
            move = {"move": moved, "move_ci_low": moved - reach, "move_ci_high": moved + reach}
        rows.append(
            _about(evidence)
            | {
                "policy": player,
                "method": evidence.method,
                "average": evidence.average,
                "n_games": len(played.won),
                "n": int(np.count_nonzero(played.has)),
                "win_rate": float(played.won.mean()),
                **_ends("effect", effect),
                **_ends("swap", _swap(played)),
                **move,
                "band": evidence.case.band,
                "verdict": _verdict(evidence, effect),
            }
        )
    of_first = turned_shares(
        swap=evidence.played[evidence.case.policy].swapped, chance=evidence.alike
    )
    rows[0] |= {"second": evidence.second, **of_first}
    return VERDICT.frame(rows)


def _place(players: pd.DataFrame, changes: pd.DataFrame) -> pd.DataFrame:
    """What the entry adds for each player, and what it adds with the proposed change."""
    proposed = changes.loc[changes["proposed"], "change"]
    with_it = changes[changes["fresh"] & changes["change"].isin(proposed)]
    rows = pd.concat([players.assign(change=""), with_it])
    return rows[[*VERDICT_PLACE.columns]].reset_index(drop=True)


def _swap(played: Played) -> Estimate:
    """What the entry does against an average one in its place, in the games that have it."""
    if played.instead is None:
        return Estimate(*(np.array([np.nan]) for _ in range(5)))
    values = played.swapped
    return contrast(values, np.zeros(len(values), np.int64), np.ones(1))


def _change(evidence: Evidence, one: Tried[Changes]) -> dict[str, Any]:
    return _about(evidence) | {
        "change": one.plan.label,
        "amount": one.plan.amount,
        "joined": one.plan.is_joined,
        "policy": one.policy,
        "fresh": one.fresh,
        "n_games": one.games,
        **_ends("effect", one.stands),
        **_ends("difference", one.moved),
        **(_ends("chapter", one.overall) if one.overall else {}),
        "band": evidence.case.band,
        "verdict": _verdict(evidence, one.stands),
        "proposed": evidence.is_proposed(one),
    }


def _verdict(evidence: Evidence, effect: Estimate) -> str:
    """The verdict on the entry: what makes the party win less often is strong against it."""
    low, high = float(effect.ci_low[0]), float(effect.ci_high[0])
    of_foe = evidence.case.kind in OF_THE_FOE
    return verdict(low, high, band=evidence.case.band, of_foe=of_foe)


def _partners(evidence: Evidence) -> pd.DataFrame:
    """What the entry does with each hero of the parties beyond what it does without."""
    case = evidence.case
    played = evidence.played[case.policy]
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
            _about(evidence)
            | {
                "other": hero,
                "other_name": facts.names[hero],
                "policy": case.policy,
                "n": int(counts[-1]),
                **_ends("beyond", found),
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


def _games(evidence: Evidence) -> pd.DataFrame:
    """The shortest games that came out otherwise."""
    case = evidence.case
    played = evidence.played[case.policy]
    if played.instead is None:
        return VERDICT_GAMES.frame([])
    n = len(played.instead)
    won, instead, has = played.won[:n], played.instead, played.has[:n]
    good = float(played.effect.estimate[0]) > 0
    rounds = played.records["rounds"][:n]
    found: list[int] = []
    for wanted in (good, not good):
        places = np.flatnonzero(has & (won == wanted) & (instead != wanted))
        order = np.lexsort((places, rounds[places]))
        found += [int(place) for place in places[order][: N_GAMES - len(found)]]
    party = played.facts.party_of(played.records[:n])
    rows = [
        _about(evidence)
        | {
            "policy": case.policy,
            "game": place,
            "won": bool(won[place]),
            "rounds": int(rounds[place]),
            "party": ", ".join(
                played.facts.names[hero] for hero in played.facts.parties[party[place]]
            ),
            "average": evidence.average,
        }
        for place in found
    ]
    return VERDICT_GAMES.frame(rows)


_ENTRY = {
    "kind": "heroes, minions, abilities, search_cards or encounters",
    "entry": "id of the entry that is asked about",
    "name": "its name",
}
_BAND = "half the width of the band of `verdict`, around zero"
_EFFECT = (
    "by experiment: what the entry adds to the win rate. drawn: win rate of the games that have it"
    " (parties with a hero; a starting ability; a card among the top 8 of the search deck; the"
    " first encounter) minus that of those that have not; swapped: win rate minus that of the same"
    " games with an average one in its place"
)
_WHERE = "in the folder of `fairdeal verdict`"
VERDICT = Table(
    "verdict",
    "One row per player",
    {
        **_ENTRY,
        "policy": "who plays all mice",
        "method": "drawn or swapped, see `effect`",
        "average": "what takes the place of the entry: the card of its kind with the smallest "
        "effect, or the median numbers of the others; empty where nothing can",
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
        **turned_columns(
            "games that have the entry, of those played with `average` in its place",
            "with `average` in its place",
            "of the same games those that have `average`; where that is average numbers, those"
            " that have the entry",
            "with `second` in the place of `average`, or with other dice",
        ),
    },
    where=_WHERE,
    differences=("effect", "swap", "move"),
)
VERDICT_PLACE = Table(
    "verdict_place",
    "One row per player, and one per player of the proposed change",
    {
        **_ENTRY,
        "policy": "who plays all mice",
        "change": "the proposed change; empty for the entry as it is",
        "n_games": "games played",
        **with_interval(
            "effect", "`effect` of the entry, as in `verdict`; with the change in fresh games"
        ),
        "band": _BAND,
        "verdict": "that on `effect`",
    },
    where=_WHERE,
    differences=("effect",),
)
VERDICT_CHANGES = Table(
    "verdict_changes",
    "One row per change of the entry and player",
    {
        **_ENTRY,
        "change": "what is changed",
        "amount": "how much that is: 1 for each step",
        "joined": "whether several things are changed at once",
        "policy": "who plays all mice",
        "fresh": "whether in games that had no part in choosing the change; else in those of the "
        "run",
        "n_games": "games played with the change",
        **with_interval("effect", "`effect` of the entry with the change, as in `verdict`"),
        **with_interval("difference", "that minus the effect without the change, in these games"),
        **with_interval("chapter", "by how much the change moves the win rate of all these games"),
        "band": _BAND,
        "verdict": "that on `effect`",
        "proposed": "whether it is the smallest change shown to bring the effect into the band, or "
        "where none is, the smallest with an estimate inside it; in fresh games",
    },
    where=_WHERE,
    differences=("effect", "difference", "chapter"),
)
VERDICT_PARTNERS = Table(
    "verdict_partners",
    "One row per hero who is in some party and not in every one",
    {
        **_ENTRY,
        "other": "the hero",
        "other_name": "the hero's name",
        "policy": "who plays all mice",
        "n": "games that have both",
        **with_interval(
            "beyond", "effect of the entry in parties with the hero minus that in parties without"
        ),
        "p_value": "probability of such a difference if there were none",
        "q_value": q_value("heroes"),
    },
    where=_WHERE,
    differences=("beyond",),
)
VERDICT_GAMES = Table(
    "verdict_games",
    "One row per game",
    {
        **_ENTRY,
        "policy": "who plays all mice",
        "game": "number of the game in `run`, for `fairdeal replay`",
        "won": "whether it was won; with `average` in the place of the entry, with the same luck, "
        "the result is the reverse",
        "rounds": "rounds of the game",
        "party": "the names of the heroes",
        "average": "what takes the place of the entry",
    },
    where=_WHERE,
)

#: The tables, as `verdict_tables` gives them.
VERDICT_TABLES = Registry(VERDICT, VERDICT_PLACE, VERDICT_CHANGES, VERDICT_PARTNERS, VERDICT_GAMES)
