"""The words for a rebalancing of any game."""

from collections.abc import Mapping
from typing import Any

import pandas as pd

from analysis.experiments.goals import MET, MISSED, NEEDLESS, NOT_SHOWN, PROPOSED
from reports.kit.words import ARROW, count, listed


def sentence(text: str) -> str:
    """A clause as a sentence."""
    return f"{text[0].upper()}{text[1:]}."


def plain(number: float) -> str:
    """A number with at most one decimal: 2.0 -> "2"."""
    return f"{number:.1f}".removesuffix(".0")


def changes_text(changes: pd.DataFrame) -> list[str]:
    """A line for each thing that is changed: "Brain Fly: power 4 → 6", "life: 3 → 4"."""
    lines = []
    for name, what, *values in changes[["name", "what", "before", "after"]].itertuples(index=False):
        before, after = ("none" if text == "" else text for text in values)
        lines.append(f"{f'{name}: {what}' if name else f'{what}:'} {before} {ARROW} {after}")
    return lines


def headline(manifest: Mapping[str, Any], changes: pd.DataFrame) -> str:
    """What is proposed, or that nothing is."""
    if manifest["outcome"] == NEEDLESS:
        return "Nothing needs to change"
    if manifest["outcome"] != PROPOSED:
        return "No change that was tried clearly helps"
    return f"Proposed: {listed(changes_text(changes), 2)}"


def confirmed_text(manifest: Mapping[str, Any], verdict: str, proposed: bool) -> str:
    """Whether fresh games show that the goal is met."""
    games, seed = count(manifest["confirm"]), manifest["fresh_seed"]
    sentences = {
        MET: "The goal is met",
        MISSED: "The goal is missed",
        NOT_SHOWN: "Whether the goal is met needs more games (--confirm)",
    }
    when = "" if proposed else " with nothing changed"
    return (
        f"{sentences[verdict]}{when}. This and every number above come from {games} fresh games of"
        f" seed {seed}, which the search never saw."
    )


def more_games_text(manifest: Mapping[str, Any]) -> str:
    """What may help where no gain is shown."""
    needed = manifest["games_to_show"]
    if needed is None:
        return "More --games for each candidate and a larger --budget may find something better."
    return f"With --confirm {needed}, a gain of this size shows nine times in ten."
