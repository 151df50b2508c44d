"""A rebalancing in words.  Nothing is estimated here; sentences quote the tables."""

from collections.abc import Iterator, Mapping
from pathlib import Path
from typing import Any

import pandas as pd

from analysis.confidence import confidence_said
from analysis.experiments.goals import MET, MISSED, NEEDLESS, NOT_SHOWN, NOTHING_HELPS, PROPOSED
from analysis.mice_and_mystics.experiments.rebalance_tables import ENTRIES
from reports.kit.words import (
    ARROW,
    DOT,
    Finding,
    bare_percent,
    between,
    count,
    interval_of,
    listed,
    percent,
    points,
    points_text,
)
from reports.mice_and_mystics.balance.names import hero_name
from reports.mice_and_mystics.run_text import changed_settings, party_text
from reports.rebalance.text import (
    counts_text,
    more_games_text,
    not_reached,
    plain,
    sentence,
    told,
    why_none_brief,
)
from simcore.commands import command

_NAMED = 4
_STANDING_OF_ONE = {MET: "in the band", MISSED: "outside it", NOT_SHOWN: "which needs more games"}
_LEVERS = {
    "heroes": "heroes",
    "minions": "minions",
    "encounters": "encounters",
    "chapters": "the chapter",
    "rules": "the numbers of the rules",
    "abilities": "abilities",
    "search_cards": "search cards",
}


def describe(manifest: Mapping[str, Any]) -> str:
    """One line that says what was played to confirm."""
    parts = [
        manifest["chapter_name"],
        party_text(manifest),
        *([listed(changed)] if (changed := changed_settings(manifest)) else []),
        f"{count(manifest['confirm'])} fresh games of each plan",
        manifest["player"],
        f"seed {manifest['fresh_seed']}",
    ]
    return DOT.join(parts)


def findings(tables: Mapping[str, pd.DataFrame], manifest: Mapping[str, Any]) -> list[Finding]:
    """What is worth knowing first."""
    goals, front = tables["goals"], tables["front"]
    noun = goals["judged"].iloc[0]
    in_short = why_none_brief({**manifest, "allowed": len(manifest["changes"])})
    return [
        *told(
            manifest,
            tables["changes"],
            goal=_goal_text(goals, manifest),
            verdict=lambda side: (
                sentence(verdict_text(goals, side)),
                counts_text(goals, side, noun),
            ),
            gains=[gain_text(row) for _, row in front[front["proposed"]].iterrows()],
            why_none=lambda: (_why_none(tables, manifest), in_short),
            short=_short(tables, manifest),
            search=Finding("Search", _search(manifest)),
        )
    ]


def commands_to_play(manifest: Mapping[str, Any], folder: Path, named: str) -> list[str]:
    """Commands that play the proposal and compare it with the chapter as it is; none without one.

    ``named`` is how the chapter was named.  The file has all entries that are not the game's own,
    those of files that were named among them.
    """
    if not manifest["proposal"]:
        return []
    variant = manifest["chapter"]
    if manifest["file"]:
        variant += f"+{folder / manifest['file']}"
    party = ",".join(manifest["party"]) or "all"
    usual, new = changed_settings(manifest), manifest["set"]
    own = [one.split("=")[0] for one in new]
    kept = [one for one in usual if one.split("=")[0] not in own]
    both = dict.fromkeys([named, variant])
    who = {"party": party, "policy": manifest["player"], "seed": manifest["seed"] or None}
    who["confidence"] = confidence_said()
    return [
        command("balance", variant, set=[*kept, *new], **who),
        command("compare", *both, set=usual, variant_set=new, **who),
    ]


def band_text(manifest: Mapping[str, Any]) -> str:
    """The band: "45 to 55 %", or of entries "−2 to +2 points"."""
    least, most = manifest["band"]
    if manifest["judged"]:
        return f"{points_text(most)} either way"
    return f"{plain(100 * least)} to {plain(100 * most)}\N{NO-BREAK SPACE}%"


def verdict_text(goals: pd.DataFrame, side: str) -> str:
    """What each wins or adds, and which are inside the band, ``side`` before or after."""
    rows = goals.sort_values(side)
    met = (rows[f"{side}_verdict"] == MET).sum()
    n = len(rows)
    noun = goals["judged"].iloc[0]
    if noun == ENTRIES and (met == n or n == 1):
        adds = listed(f"{who(row)} adds {rate(row, side)}" for _, row in rows.iterrows())
        return f"{adds}, {_STANDING_OF_ONE[rows[f'{side}_verdict'].iloc[0]]}"
    if met == n:
        lowest, highest = rows[side].iloc[0], rows[side].iloc[-1]
        rates = f"wins {percent(lowest)}"
        if n > 1:
            rates = f"win {percent(lowest)} to {percent(highest)}"
        return f"{'all ' + str(n) + ' parties' if n > 1 else 'the party'} {rates}, in the band"
    clauses = [f"{met} of {n} {noun} {'is' if met == 1 else 'are'} in the band"] if n > 1 else []
    for verdict, standing in ((MISSED, "outside it"), (NOT_SHOWN, "need more games")):
        some = rows[rows[f"{side}_verdict"] == verdict]
        if len(some):
            words = standing if len(some) > 1 else standing.replace("need ", "needs ")
            wins = [f"{who(row)} {rate(row, side)}" for _, row in some.iterrows()]
            clauses.append(f"{len(some)} {words}: {listed(wins, _NAMED)}")
    return "; ".join(clauses)


def who(row: pd.Series) -> str:
    """Whom a goal is about, without commas: "Collin + Nez", or the name of an entry."""
    if row["judged"] == ENTRIES:
        return str(row["name"])
    return " + ".join(map(hero_name, row["entry"].split(",")))


def rate(row: pd.Series, column: str) -> str:
    """A win rate or an effect, with its interval."""
    if row["judged"] == ENTRIES:
        return f"{points(row[column])} points ({interval_of(row, column, points)})"
    return f"{percent(row[column])} ({between(row[f'{column}_ci_low'], row[f'{column}_ci_high'])})"


def farthest(front: pd.Series, goals: pd.DataFrame) -> pd.Series:
    """A plan with the name of what is farthest from the middle of the band."""
    name = goals.set_index("entry")["name"][front["worst"]]
    return pd.Series({**front, "entry": front["worst"], "name": name})


def _goal_text(goals: pd.DataFrame, manifest: Mapping[str, Any]) -> str:
    """What was asked for."""
    band = band_text(manifest)
    if manifest["judged"]:
        whom = listed(goals["name"], _NAMED)
        what = "its effect is" if len(goals) == 1 else "the effect of each is"
        return f"Of {whom} {what} up to {band}: what it adds to the win rate, or costs."
    whom = "Every legal party wins" if len(goals) > 1 else "The party wins"
    return f"{whom} {band} of its games."


def _proposed(front: pd.DataFrame) -> pd.Series:
    return front[front["proposed"]].iloc[0]


def gain_text(row: pd.Series) -> str:
    """What a plan gains."""
    before, after, gain = map(
        bare_percent, (row["excess"] + row["gain"], row["excess"], row["gain"])
    )
    return (
        f"All {row['judged']} together are {before} {ARROW} {after} points outside the band, a gain"
        f" of {gain} ({interval_of(row, 'gain', bare_percent)})."
    )


def _short(tables: Mapping[str, pd.DataFrame], manifest: Mapping[str, Any]) -> Iterator[Finding]:
    """How near a proposal comes that misses the goal, and what may bring more."""
    if manifest["outcome"] != PROPOSED or manifest["verdict"] == MET:
        return
    row = farthest(_proposed(tables["front"]), tables["goals"])
    distance = row["worst_distance"]
    where = (
        f"{points(distance).removeprefix('+')} points outside the band"
        if distance > 0
        else "inside the band by estimate"
    )
    found = "This is the least change that the search found to be far enough inside the band."
    if not manifest["reached_in_search"]:
        found = not_reached(manifest, _LEVERS, "inside the band", "nearest", "--step")
    off = f"{who(row)} is farthest off: {rate(row, 'worst_estimate')}, {where}"
    yield Finding("Short of the goal", f"{off}. {found}")


def _why_none(tables: Mapping[str, pd.DataFrame], manifest: Mapping[str, Any]) -> str:
    """Why nothing is proposed, and what would be needed."""
    more = " A longer search (--budget) tries more." * manifest["budget_spent"]
    if manifest["outcome"] == NEEDLESS:
        every = "entry" if manifest["judged"] else "party"
        return f"Nothing needs to change: in the search every {every} was in the band."
    if manifest["outcome"] == NOTHING_HELPS:
        names = listed(tables["goals"]["name"], _NAMED, last="or")
        of = f" of {names}" * bool(manifest["judged"])
        if not manifest["changes"]:
            return (
                f"No change{of} is allowed; allow more kinds or larger steps (--changes, --step)."
            )
        what = tables["goals"]["judged"].iloc[0]
        return f"None of the allowed changes{of} that were tried brings {what} nearer to it.{more}"
    best = tables["front"].iloc[-1]
    return (
        f"The best plan found is not shown to help: {best['in_words']}. {gain_text(best)}"
        f" {more_games_text(manifest)}{more}"
    )


def _search(manifest: Mapping[str, Any]) -> str:
    allowed, left = len(manifest["changes"]), manifest["left_after_race"]
    raced = ""
    if manifest["games_of_race"]:
        raced = (
            f"{count(allowed)} allowed changes raced in {count(manifest['games_of_race'])} games;"
            f" {left} were left. "
        )
    together = manifest["played"] - manifest["tried"] - 1
    return (
        f"{raced}{manifest['tried']} changes were tried one at a time and {together} sets of"
        f" changes were played, each in {count(manifest['games'])} games of seed"
        f" {manifest['seed']} with the same chance: {count(manifest['games_of_search'])} games in"
        f" all.{' Then the budget ran out.' * manifest['budget_spent']}"
    )
