"""A rebalancing in words.  Nothing is estimated here; sentences quote the tables."""

from collections.abc import Iterator, Mapping
from typing import Any

import pandas as pd

from analysis.rebalance_goals import FIRST_PLAYER, MET, MISSED, NOT_SHOWN, TURNS
from reports.theme import count, percent, points
from reports.wording import Finding, describe_run, listed

_NAMED = 6
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
    """One line that says what was played to confirm; at most so many sets by name."""
    fresh = {"games": manifest["confirm"], "seed": manifest["fresh_seed"]}
    told = describe_run({**manifest, **fresh}, most_sets=most_sets)
    return told.replace(" games ", " fresh games of each pool ", 1)


def findings(tables: Mapping[str, pd.DataFrame], manifest: Mapping[str, Any]) -> list[Finding]:
    """What is worth knowing first."""
    return list(_told(tables, manifest))


def goal_in_words(goals: Mapping[str, Any]) -> str:
    """What was asked for."""
    band = _plain(100 * goals["band"])
    told = [f"players dealt a card win at most {band} points more or less than the average"]
    if goals["first_player"] is not None:
        most = goals["first_player"]
        told.append(f"the player who starts wins {_plain(100 - 100 * most)} to"
                    f" {_plain(100 * most)}\N{NO-BREAK SPACE}%")  # fmt: skip
    if goals["turns"] is not None:
        least, longest = goals["turns"]
        told.append(f"a game takes {_plain(least)} to {_plain(longest)} turns on average")
    return listed(told)


def changes_in_words(changes: pd.DataFrame) -> list[str]:
    """A line for each thing that is changed: "Brain Fly: power 4 → 6", "life: 3 → 4"."""
    lines = []
    for row in changes.itertuples():
        before, after = (text or "none" for text in (row.before, row.after))
        what = f"{row.name}: {row.what}" if row.name else f"{row.what}:"
        lines.append(f"{what} {before} \N{RIGHTWARDS ARROW} {after}")
    return lines


def verdict_in_words(goals: pd.DataFrame, side: str) -> str:
    """What is shown of each goal, ``side`` before or after the changes."""
    cards = goals[goals["goal"] == "card"]
    told = []
    missed = cards[cards[f"{side}_verdict"] == MISSED]
    open_ = cards[cards[f"{side}_verdict"] == NOT_SHOWN]
    met = len(cards) - len(missed) - len(open_)
    if met == len(cards):
        told.append(f"all {len(cards)} cards are shown to lie within the band")
    else:
        told.append(f"{met} of {len(cards)} cards are shown to lie within the band")
        for rows, words in ((missed, "beyond it"), (open_, "not shown with this many games")):
            if len(rows):
                far = rows.loc[rows[side].abs().sort_values(ascending=False).index]
                names = [f"{row['name']} {points(row[side])}" for _, row in far.iterrows()]
                told.append(f"{len(rows)} {words}: {listed(names, _NAMED)}")
    for _, row in goals[goals["goal"] != "card"].iterrows():
        told.append(f"{_number(row, side)}, {_WORDS[row[f'{side}_verdict']]}")
    return "; ".join(told)


_WORDS = {
    MET: "which meets the goal",
    MISSED: "which misses the goal",
    NOT_SHOWN: "of which this many games do not show whether it meets the goal",
}


def number_in_words(goal: str, value: float) -> str:
    """A number of the game as text."""
    return percent(value) if goal == FIRST_PLAYER else f"{value:.1f}"


def _told(tables: Mapping[str, pd.DataFrame], manifest: Mapping[str, Any]) -> Iterator[Finding]:
    front, goals = tables["front"], tables["goals"]
    before, after = front.iloc[0], front[front["proposed"]].iloc[-1]
    asked = goal_in_words(manifest["goals"])
    yield Finding("Goal", f"{asked[0].upper()}{asked[1:]}.")
    yield Finding("As it is", f"{_sentence(verdict_in_words(goals, 'before'))} {_excess(before)}")
    lines = changes_in_words(tables["changes"])
    verdict = manifest["verdict"]
    if not lines:
        yield Finding("Proposal", _nothing(manifest))
    else:
        n = len(lines)
        many = f"{n} changes" if n > 1 else "One change"
        yield Finding("Proposal", f"{many}, amount {manifest['amount']}: {'; '.join(lines)}.")
        yield Finding("With it", f"{_sentence(verdict_in_words(goals, 'after'))} {_excess(after)}")
    if not manifest["reached_in_search"] and verdict != MET:
        yield Finding("Not reached", _not_reached(manifest))
    yield Finding("Confirmed", _confirmed(manifest, verdict))
    yield Finding("Search", _search(manifest))


def _sentence(text: str) -> str:
    return f"{text[0].upper()}{text[1:]}."


def _excess(row: pd.Series) -> str:
    """How far a pool is from its goals."""
    low, high = (_plain(100 * row[f"excess_ci_{end}"]) for end in ("low", "high"))
    worst = f"farthest from the average is {row['worst_card']} ({points(row['worst_advantage'])})"
    if not row["excess"]:
        return f"Nothing lies beyond its goal by estimate; {worst}."
    return (
        f"Together they lie {_plain(100 * row['excess'])} points beyond their goals ({low} to"
        f" {high}); {worst}."
    )


def _nothing(manifest: Mapping[str, Any]) -> str:
    if manifest["reached_in_search"]:
        return "Nothing needs to be changed."
    return "No change that is allowed and was tried brings the pool nearer to the goal."


def _not_reached(manifest: Mapping[str, Any]) -> str:
    may = listed(_CHANGES[lever] for lever in manifest["levers"])
    limit = manifest["most_changes"]
    most = "" if limit is None else f" in at most {limit} places"
    ended = (
        " before the budget ended (a larger --budget goes on)" if manifest["budget_spent"] else ""
    )
    return (
        f"By changing {may}{most} no way was found{ended} to come so far within the goal that fresh"
        " games would probably show it. This is the best that was found; --changes, --power-step"
        " and --most-changes allow more, and with more --games it need not lie as far within."
    )


def _confirmed(manifest: Mapping[str, Any], verdict: str) -> str:
    games, seed = count(manifest["confirm"]), manifest["fresh_seed"]
    words = {
        MET: "The goal is met",
        MISSED: "The goal is missed",
        NOT_SHOWN: "It is not shown with this many games whether the goal is met",
    }
    more = " More games (--confirm) tell more." if verdict == NOT_SHOWN else ""
    return (
        f"{words[verdict]}. That, and every number above, comes from {games} fresh games of seed"
        f" {seed}, of which the search saw none.{more}"
    )


def _search(manifest: Mapping[str, Any]) -> str:
    tried, of = manifest["tried"], len(manifest["adjustments"])
    together = manifest["played"] - tried - 1
    games = count(manifest["games_of_search"])
    spent = " The budget ended it." if manifest["budget_spent"] else ""
    return (
        f"{tried} of {of} single changes were tried and {together} sets of changes played, each in"
        f" {count(manifest['games'])} games of seed {manifest['seed']} with the same deals and the"
        f" same luck: {games} games.{spent}"
    )


def _number(row: pd.Series, side: str) -> str:
    value, low, high = (number_in_words(row["goal"], row[name])
                        for name in (side, f"{side}_ci_low", f"{side}_ci_high"))  # fmt: skip
    if row["goal"] == TURNS:
        return f"a game takes {value} turns ({low} to {high})"
    return f"the player who starts wins {value} ({low} to {high})"


def _plain(number: float) -> str:
    """A number with at most one decimal: 2.0 -> "2"."""
    return f"{number:.1f}".removesuffix(".0")
