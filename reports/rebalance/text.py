"""The words for a rebalancing of any game."""

from collections.abc import Callable, Iterable, Iterator, Mapping, Sequence
from typing import Any

import pandas as pd

from analysis.experiments.goals import MET, MISSED, NEEDLESS, NOT_SHOWN, PROPOSED
from reports.kit.words import ARROW, Finding, count, listed

# Changes that a headline spells out, and things changed that it names where there are more.
_SPELLED, _NAMED = 2, 3


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
    """What is proposed, which is only the nearest where it misses the goal, or that nothing is."""
    if manifest["outcome"] == NEEDLESS:
        return "Nothing needs to change"
    if manifest["outcome"] != PROPOSED:
        return "No change that was tried is shown to help"
    what = "Nearest to the goal" if manifest["verdict"] == MISSED else "Proposed"
    if len(changes) <= _SPELLED:
        return f"{what}: {listed(changes_text(changes))}"
    changed = dict.fromkeys(changes["name"].where(changes["name"] != "", changes["what"]))
    return f"{what}: {count(len(changes))} changes of {listed(changed, _NAMED)}"


def told(
    manifest: Mapping[str, Any],
    changes: pd.DataFrame,
    *,
    goal: str,
    verdict: Callable[[str], tuple[str, str]],
    gains: Sequence[str],
    why_none: Callable[[], tuple[str, str]],
    short: Iterable[Finding],
    search: Finding,
) -> Iterator[Finding]:
    """What is worth knowing first, in its order.

    ``verdict`` says whether each goal is met, "before" or "after", ``why_none`` why there is no
    proposal, both at length and in short; ``gains`` is what one gains, ``short`` what is not
    reached.
    """
    proposed = manifest["outcome"] == PROPOSED
    yield Finding("Goal", goal)
    yield Finding("As it is", *verdict("before"))
    if proposed:
        lines = changes_text(changes)
        many = f"{len(lines)} changes" if len(lines) > 1 else "One change"
        yield Finding("Proposal", f"{many}, amount {manifest['amount']}: {'; '.join(lines)}.")
        yield Finding("Gain", " ".join(gains), gains[0] if gains else "")
        yield Finding("With it", *verdict("after"))
    else:
        yield Finding("No proposal", *why_none())
    yield from short
    yield confirmed(manifest, manifest["verdict"], proposed)
    yield search


def not_reached(
    manifest: Mapping[str, Any], levers: Mapping[str, str], far: str, this: str, step: str
) -> str:
    """That the search found no plan that fresh games would confirm, and what may bring more.

    ``far`` says where it would have to be, ``this`` what was found, ``step`` is the option for
    larger steps.
    """
    may = listed(levers[lever] for lever in manifest["levers"])
    limit = manifest["most_changes"]
    most = "" if limit is None else f" in at most {limit} places"
    ended = " before the budget of games ran out" * manifest["budget_spent"]
    longer = "A longer search (--budget) goes on. " * manifest["budget_spent"]
    return (
        f"Changing {may}{most}, the search found no plan{ended} that is far enough {far} for fresh"
        f" games to confirm it. This is the {this}. {longer}Allow more to be changed (--changes,"
        f" {step}, --most-changes); with more games for each plan (--games) a plan may lie closer"
        " to the edge."
    )


def confirmed(manifest: Mapping[str, Any], verdict: str, proposed: bool) -> Finding:
    """Whether fresh games show that the goal is met."""
    games, seed = count(manifest["confirm"]), manifest["fresh_seed"]
    said = {
        MET: "The goal is met",
        MISSED: "The goal is missed",
        NOT_SHOWN: "Whether the goal is met needs more games (--confirm)",
    }[verdict]
    said += "" if proposed else " with nothing changed"
    fresh = f"{games} fresh games of seed {seed}"
    return Finding(
        "Confirmed",
        f"{said}. This and every number above come from {fresh}, which the search never saw.",
        f"{said}, in {fresh}.",
    )


def why_none_brief(manifest: Mapping[str, Any]) -> str:
    """Why nothing is proposed, in one sentence."""
    if manifest["outcome"] == NEEDLESS:
        return "In the search every number met its goal."
    tried = manifest["tried"]
    if not tried:
        return f"None of the {count(manifest['allowed'])} allowed changes seems to help."
    if tried == 1:
        return "The one change that was tried is not shown to help."
    return f"None of {count(tried)} changes, nor any set of them that was played, is shown to help."


def search_brief(manifest: Mapping[str, Any]) -> str:
    """How many changes were tried, in one sentence."""
    return (
        f"{count(manifest['tried'])} of the {count(manifest['allowed'])} allowed changes were tried"
        f" in {count(manifest['games_of_search'])} games."
    )


def counts_text(goals: pd.DataFrame, side: str, noun: str) -> str:
    """How many are within the band, outside it and open, in one sentence: "3 of 4 parties …"."""
    found = goals[f"{side}_verdict"]
    met, missed, unclear = (int((found == verdict).sum()) for verdict in (MET, MISSED, NOT_SHOWN))
    said = [f"{met} of {len(goals)} {noun} {'is' if met == 1 else 'are'} within the band"]
    said += [f"{missed} {'is' if missed == 1 else 'are'} outside"] * bool(missed)
    said += [f"{unclear} {'needs' if unclear == 1 else 'need'} more games"] * bool(unclear)
    return f"{listed(said)}."


def more_games_text(manifest: Mapping[str, Any]) -> str:
    """What may help where no gain is shown."""
    needed = manifest["games_to_show"]
    if needed is None:
        return (
            "More games for each plan (--games) and a longer search (--budget) may find something"
            " better."
        )
    return f"In {needed} fresh games (--confirm) a gain of this size shows nine times in ten."
