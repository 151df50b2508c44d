"""A rebalancing in words.  Nothing is estimated here; sentences quote the tables."""

from collections.abc import Iterator, Mapping, Sequence
from functools import partial
from pathlib import Path
from typing import Any

import pandas as pd

from analysis.confidence import confidence_said
from analysis.experiments.goals import MET, MISSED, NEEDLESS, NOT_SHOWN, NOTHING_HELPS, PROPOSED
from analysis.mindbug.experiments.rebalance_goals import CARD, FIRST_PLAYER, TURNS
from reports.kit.words import ARROW, Finding, count, interval, listed, percent, points
from reports.mindbug.run_text import describe_run
from reports.rebalance.text import (
    counts_text,
    more_games_text,
    not_reached,
    plain,
    search_brief,
    sentence,
    told,
    why_none_brief,
)
from simcore.commands import command

_NAMED = 6
# Changes that are spelled out in a sentence about what comes nearest.
_SPELLED = 3
_CHANGES = {
    "power": "power",
    "keywords": "keywords",
    "copies": "copies",
    "life": "life",
    "mindbugs": "Mindbugs",
    "hand_size": "the hand size",
    "who_starts": "who starts",
}


def describe(manifest: Mapping[str, Any], *, most_sets: int | None = None) -> str:
    """One line that says what was played to confirm; a few sets by name, more only counted."""
    fresh = {"games": manifest["confirm"], "seed": manifest["fresh_seed"]}
    played = describe_run({**manifest, **fresh}, most_sets=most_sets)
    return played.replace(" games ", " fresh games of each pool ", 1)


def findings(tables: Mapping[str, pd.DataFrame], manifest: Mapping[str, Any]) -> list[Finding]:
    """What is worth knowing first."""
    goals = tables["goals"]
    cards = goals[goals["goal"] == CARD]
    return [
        *told(
            manifest,
            tables["changes"],
            goal=sentence(goal_text(manifest["goals"], list(cards["name"]))),
            verdict=lambda side: (
                sentence(verdict_text(goals, side)),
                counts_text(cards, side, "cards"),
            ),
            gains=gains_text(tables["gains"], manifest["set_aside"]),
            why_none=lambda: (_why_none(tables, manifest), why_none_brief(manifest)),
            short=_short(tables, manifest),
            search=Finding("Search", _search(manifest), search_brief(manifest)),
        )
    ]


def commands_to_play(
    tables: Mapping[str, pd.DataFrame],
    manifest: Mapping[str, Any],
    folder: Path,
    sets: Sequence[str] | None,
) -> list[str]:
    """Commands that play the proposal and compare it with the pool as it is; none without one.

    ``sets`` are those that come with fairdeal, if nothing else was played: a card file of its own
    plays with named sets.  All else is played from the folder.
    """
    if not manifest["proposal"]:
        return []
    pool_file = str(folder / manifest["pool_file"])
    balance, both = ["--pool", pool_file], [str(folder / "search" / "pool.toml"), pool_file]
    only_cards = (tables["changes"]["card_id"] != "").all()
    if sets is not None and only_cards:
        card_file = str(folder / manifest["card_file"])
        balance, both = [*sets, "--cards", card_file], ["+".join(sets), card_file]
    return [
        command(
            *words,
            policy=manifest["policies"][0],
            seed=manifest["seed"] or None,
            confidence=confidence_said(),
        )
        for words in (["balance", *balance], ["compare", *both])
    ]


def goal_text(goals: Mapping[str, Any], names: Sequence[str] = ()) -> str:
    """What was asked for; ``names`` are those of the cards that are judged."""
    band = plain(100 * goals["band"])
    whom = listed(names, _NAMED, last="or") if goals.get("cards") else "a card"
    wishes = [f"players dealt {whom} win at most {band} points more or less than average"]
    if goals["first_player"] is not None:
        most = goals["first_player"]
        wishes.append(f"the player who starts wins {plain(100 - 100 * most)} to"
                      f" {plain(100 * most)}\N{NO-BREAK SPACE}%")  # fmt: skip
    if goals["turns"] is not None:
        least, longest = goals["turns"]
        wishes.append(f"a game takes {plain(least)} to {plain(longest)} turns on average")
    return listed(wishes)


def verdict_text(goals: pd.DataFrame, side: str) -> str:
    """Whether each goal is met, ``side`` before or after the changes."""
    cards = goals[goals["goal"] == CARD]
    clauses = []
    missed = cards[cards[f"{side}_verdict"] == MISSED]
    open_ = cards[cards[f"{side}_verdict"] == NOT_SHOWN]
    met = len(cards) - len(missed) - len(open_)
    if met == len(cards):
        all_of = f"all {len(cards)} cards are" if met > 1 else f"{cards['name'].iloc[0]} is"
        clauses.append(f"{all_of} within the band")
    else:
        clauses.append(f"{met} of {len(cards)} cards {'is' if met == 1 else 'are'} within the band")
        needs = "needs" if len(open_) == 1 else "need"
        for rows, standing in ((missed, "outside it"), (open_, f"{needs} more games")):
            if len(rows):
                far = rows.loc[rows[side].abs().sort_values(ascending=False).index]
                names = [f"{row['name']} {points(row[side])}" for _, row in far.iterrows()]
                clauses.append(f"{len(rows)} {standing}: {listed(names, _NAMED)}")
    for _, row in goals[goals["goal"] != CARD].iterrows():
        clauses.append(f"{_number(row, side)}, {_STANDING[row[f'{side}_verdict']]}")
    return "; ".join(clauses)


_STANDING = {
    MET: "which meets the goal",
    MISSED: "which misses the goal",
    NOT_SHOWN: "which needs more games for a verdict",
}


def number_text(goal: str, value: float) -> str:
    """A number of the game as text."""
    return percent(value) if goal == FIRST_PLAYER else f"{value:.1f}"


def gains_text(gains: pd.DataFrame, set_aside: Sequence[str] = ()) -> list[str]:
    """What is gained, a sentence for each kind of goal that is missed, in its own unit."""
    sentences = []
    for row in gains.itertuples():
        if (row.before or row.after) and row.goal not in set_aside:
            before, after, gain = (amount_text(row.goal, number)
                                   for number in (row.before, row.after, row.gain))  # fmt: skip
            ends = interval(row.gain_ci_low, row.gain_ci_high, partial(amount_text, row.goal))
            subject, unit = _DISTANCE[row.goal]
            sentences.append(
                f"{subject} {before} {ARROW} {after} {unit}, a gain of {gain} ({ends})."
            )
    return sentences


def amount_text(goal: str, number: float) -> str:
    """By how much a goal is missed, or by how much less, in its unit: "3.4", "−0.2"."""
    text = f"{number if goal == TURNS else 100 * number:.1f}".replace("-", "\N{MINUS SIGN}")
    return text if set(text) & set("123456789") else "0.0"


_DISTANCE = {
    CARD: ("All cards together are", "points outside the band"),
    FIRST_PLAYER: ("The win rate of the player who starts is", "points off its goal"),
    TURNS: ("The mean number of turns is", "turns off its goal"),
}


def _why_none(tables: Mapping[str, pd.DataFrame], manifest: Mapping[str, Any]) -> str:
    """Why nothing is proposed, and what would be needed."""
    outcome = manifest["outcome"]
    if outcome == NEEDLESS:
        return "Nothing needs to change: in the search every number met its goal."
    if outcome == NOTHING_HELPS:
        if not manifest["tried"]:
            return f"No change was tried.{_larger_budget(manifest)}"
        return (
            "None of the allowed changes that were tried brings the pool nearer to the goal."
            f"{_larger_budget(manifest)}"
        )
    found = tables["front"].set_index("plan").loc[tables["gains"]["plan"].iloc[0], "in_words"]
    gains = " ".join(gains_text(tables["gains"], manifest["set_aside"]))
    more = more_games_text(manifest)
    return (
        f"The best plan found is not shown to help: {found}. {gains} {more}"
        f"{_larger_budget(manifest)}"
    ).replace("  ", " ")


def _larger_budget(manifest: Mapping[str, Any]) -> str:
    """How to try what was not tried, if the budget ended the search."""
    if not manifest["budget_spent"]:
        return ""
    left = manifest["allowed"] - manifest["tried"]
    return f" {count(left)} allowed changes were not tried; a longer search (--budget) tries more."


def _out_of_reach(nearest: pd.DataFrame, manifest: Mapping[str, Any]) -> Iterator[Finding]:
    """Goals that nothing reaches, and how near the changes come."""
    for out, topic in ((True, "Out of reach"), (False, "Not reached")):
        rows = nearest[nearest["out_of_reach"].astype(bool) == out]
        if text := " ".join(_near(row, manifest) for _, row in rows.iterrows()):
            yield Finding(topic, text)


def _short(tables: Mapping[str, pd.DataFrame], manifest: Mapping[str, Any]) -> Iterator[Finding]:
    """What is not reached."""
    yield from _out_of_reach(tables["nearest"], manifest)
    proposed = manifest["outcome"] == PROPOSED
    if proposed and not manifest["reached_in_search"] and manifest["verdict"] != MET:
        far, this = "within the goal", "best it found"
        short = not_reached(manifest, _CHANGES, far, this, "--power-step")
        yield Finding("Short of the goal", short)


def _near(row: pd.Series, manifest: Mapping[str, Any]) -> str:
    """How near a goal the changes come that are allowed."""
    ends = [row[f"nearest{end}"] for end in ("", "_ci_low", "_ci_high")]
    tried = "" if row["out_of_reach"] else " that was tried"
    if row["goal"] == CARD:
        value, low, high = (points(end) for end in ends)
        what = f"No allowed change of {row['name']}{tried} brings it into the band"
        if not any(one.startswith(f"{row['card_id']}.") for one in manifest["adjustments"]):
            what = f"{row['name']} may not be changed, and no change{tried} brings it into the band"
        unit = " points"
    else:
        value, low, high = (number_text(row["goal"], end) for end in ends)
        least, most = (
            plain(end if row["goal"] == TURNS else 100 * end) for end in (row["least"], row["most"])
        )
        what, unit = {
            TURNS: (f"makes a game take {least} to {most} turns", " turns"),
            FIRST_PLAYER: (
                f"makes the player who starts win {least} to {most}\N{NO-BREAK SPACE}%", ""
            ),
        }[row["goal"]]  # fmt: skip
        what = f"No allowed change{tried} {what}"
    n = len(row["changes"].split())
    how = f"with {row['in_words']}" if 0 < n <= _SPELLED else f"with {n} changes at once"
    if not n:
        how = "with nothing changed"
    aside = " The search set this goal aside." if row["goal"] in manifest["set_aside"] else ""
    return f"{what}; the nearest is {value}{unit} ({low} to {high}), {how}.{aside}"


def _search(manifest: Mapping[str, Any]) -> str:
    tried, of = manifest["tried"], manifest["allowed"]
    together = manifest["played"] - tried - 1
    games = count(manifest["games_of_search"])
    share = f"{100 * tried / of:.0f}\N{NO-BREAK SPACE}%"
    spent = " Then the budget ran out." if manifest["budget_spent"] else ""
    return (
        f"{tried} of the {of} allowed changes ({share}) were tried one at a time, those of cards"
        f" outside the band first, and {together} sets of changes were played, each in"
        f" {count(manifest['games'])} games of seed {manifest['seed']} on the same deals with the"
        f" same luck: {games} games in all.{spent}"
    )


def _number(row: pd.Series, side: str) -> str:
    value, low, high = (number_text(row["goal"], row[name])
                        for name in (side, f"{side}_ci_low", f"{side}_ci_high"))  # fmt: skip
    if row["goal"] == TURNS:
        return f"a game takes {value} turns ({low} to {high})"
    return f"the player who starts wins {value} ({low} to {high})"
