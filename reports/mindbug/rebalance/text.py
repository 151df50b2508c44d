"""A rebalancing in words.  Nothing is estimated here; sentences quote the tables."""

from collections.abc import Iterator, Mapping, Sequence
from typing import Any

import pandas as pd

from analysis.mindbug.experiments.rebalance import NEEDLESS, NOTHING_HELPS, PROPOSED
from analysis.mindbug.experiments.rebalance_goals import (
    CARD,
    FIRST_PLAYER,
    MET,
    MISSED,
    NOT_SHOWN,
    TURNS,
)
from reports.kit.words import Finding, count, listed, percent, points
from reports.mindbug.balance.text import describe_run

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
    cards = goals[goals["goal"] == CARD]
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
    for _, row in goals[goals["goal"] != CARD].iterrows():
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


def gains_in_words(gains: pd.DataFrame, set_aside: Sequence[str] = ()) -> list[str]:
    """What is gained, a sentence for each kind of goal that is missed, in its own unit."""
    told = []
    for row in gains.itertuples():
        if (row.before or row.after) and row.goal not in set_aside:
            before, after, gain = (amount_in_words(row.goal, number)
                                   for number in (row.before, row.after, row.gain))  # fmt: skip
            ends = (amount_in_words(row.goal, end) for end in (row.gain_ci_low, row.gain_ci_high))
            told.append(
                f"{_LIES[row.goal][0]} {before} \N{RIGHTWARDS ARROW} {after} {_LIES[row.goal][1]},"
                f" a gain of {gain} ({' to '.join(ends)})."
            )
    return told


def amount_in_words(goal: str, number: float) -> str:
    """By how much a goal is missed, or by how much less, in its unit: "3.4", "−0.2"."""
    text = f"{number if goal == TURNS else 100 * number:.1f}".replace("-", "\N{MINUS SIGN}")
    return text if set(text) & set("123456789") else "0.0"


_LIES = {
    CARD: ("All cards together lie", "points outside the band"),
    FIRST_PLAYER: ("The win rate of the player who starts lies", "points beyond its goal"),
    TURNS: ("The mean number of turns lies", "turns beyond its goal"),
}


def _told(tables: Mapping[str, pd.DataFrame], manifest: Mapping[str, Any]) -> Iterator[Finding]:
    goals, verdict = tables["goals"], manifest["verdict"]
    proposed = manifest["outcome"] == PROPOSED
    asked = goal_in_words(manifest["goals"])
    yield Finding("Goal", _sentence(asked))
    yield Finding("As it is", _sentence(verdict_in_words(goals, "before")))
    if proposed:
        lines = changes_in_words(tables["changes"])
        n = len(lines)
        many = f"{n} changes" if n > 1 else "One change"
        yield Finding("Proposal", f"{many}, amount {manifest['amount']}: {'; '.join(lines)}.")
        yield Finding("Gain", " ".join(gains_in_words(tables["gains"], manifest["set_aside"])))
        yield Finding("With it", _sentence(verdict_in_words(goals, "after")))
    else:
        yield Finding("No proposal", _why_none(tables, manifest))
    yield from _out_of_reach(tables["nearest"], manifest)
    if proposed and not manifest["reached_in_search"] and verdict != MET:
        yield Finding("Short of it", _not_reached(manifest))
    yield Finding("Confirmed", _confirmed(manifest, verdict, proposed))
    yield Finding("Search", _search(manifest))


def _sentence(text: str) -> str:
    return f"{text[0].upper()}{text[1:]}."


def _why_none(tables: Mapping[str, pd.DataFrame], manifest: Mapping[str, Any]) -> str:
    """Why nothing is proposed, and what would be needed."""
    outcome = manifest["outcome"]
    if outcome == NEEDLESS:
        return "Nothing needs to be changed: the search saw nothing beyond its goal."
    if outcome == NOTHING_HELPS:
        if not manifest["tried"]:
            return f"No change was tried.{_larger_budget(manifest)}"
        return (
            "No change that is allowed and was tried brings the pool nearer to the goal."
            f"{_larger_budget(manifest)}"
        )
    found = tables["front"].set_index("plan").loc[tables["gains"]["plan"].iloc[0], "in_words"]
    gains = " ".join(gains_in_words(tables["gains"], manifest["set_aside"]))
    needed = manifest["games_to_show"]
    if needed is None:
        more = "More games of each candidate (--games) and a larger --budget may find better."
    else:
        more = (
            f"A gain as large as the one seen is shown, nine times in ten, by --confirm {needed}."
        )
    return (
        f"The best that was found is not shown to help: {found}. {gains} {more}"
        f"{_larger_budget(manifest)}"
    ).replace("  ", " ")


def _larger_budget(manifest: Mapping[str, Any]) -> str:
    """How to try what was not tried, if the budget ended the search."""
    if not manifest["budget_spent"]:
        return ""
    left = manifest["allowed"] - manifest["tried"]
    return f" The budget left {count(left)} allowed changes untried; a larger --budget tries more."


def _out_of_reach(nearest: pd.DataFrame, manifest: Mapping[str, Any]) -> Iterator[Finding]:
    """Goals that nothing reaches, and how near the changes come."""
    for out, topic in ((True, "Out of reach"), (False, "Not reached")):
        rows = nearest[nearest["out_of_reach"].astype(bool) == out]
        told = " ".join(_near(row, manifest) for _, row in rows.iterrows())
        if told:
            yield Finding(topic, told)


def _near(row: pd.Series, manifest: Mapping[str, Any]) -> str:
    """How near a goal the changes come that are allowed."""
    ends = [row[f"nearest{end}"] for end in ("", "_ci_low", "_ci_high")]
    tried = "" if row["out_of_reach"] else " and was tried"
    if row["goal"] == CARD:
        value, low, high = (points(end) for end in ends)
        what = f"No change of its own that is allowed{tried} brings {row['name']} into the band"
        unit = " points"
    else:
        value, low, high = (number_in_words(row["goal"], end) for end in ends)
        least, most = (
            _plain(end if row["goal"] == TURNS else 100 * end)
            for end in (row["least"], row["most"])
        )
        what, unit = {
            TURNS: (f"makes a game take {least} to {most} turns", " turns"),
            FIRST_PLAYER: (
                f"makes the player who starts win {least} to {most}\N{NO-BREAK SPACE}%", ""
            ),
        }[row["goal"]]  # fmt: skip
        what = f"Nothing that is allowed{tried} {what}"
    n = len(row["changes"].split())
    how = f"with {row['in_words']}" if 0 < n <= _SPELLED else f"with {n} changes at once"
    if not n:
        how = "with nothing changed"
    aside = " The search did without this goal." if row["goal"] in manifest["set_aside"] else ""
    return f"{what}; the nearest is {value}{unit} ({low} to {high}), {how}.{aside}"


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


def _confirmed(manifest: Mapping[str, Any], verdict: str, proposed: bool) -> str:
    games, seed = count(manifest["confirm"]), manifest["fresh_seed"]
    words = {
        MET: "The goal is met",
        MISSED: "The goal is missed",
        NOT_SHOWN: "It is not shown with this many games whether the goal is met",
    }
    when = "" if proposed else " with nothing changed"
    more = " More games (--confirm) tell more." if verdict == NOT_SHOWN else ""
    return (
        f"{words[verdict]}{when}. That, and every number above, comes from {games} fresh games of"
        f" seed {seed}, of which the search saw none.{more}"
    )


def _search(manifest: Mapping[str, Any]) -> str:
    tried, of = manifest["tried"], manifest["allowed"]
    together = manifest["played"] - tried - 1
    games = count(manifest["games_of_search"])
    share = f"{100 * tried / of:.0f}\N{NO-BREAK SPACE}%"
    spent = " The budget ended it." if manifest["budget_spent"] else ""
    return (
        f"{tried} of the {of} allowed changes ({share}) were tried by themselves, those of cards"
        f" outside the band first, and {together} sets of changes were played, each in"
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
