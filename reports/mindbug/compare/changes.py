"""What was changed between the two pools of a comparison, in words."""

from collections.abc import Sequence

from analysis.experiments.comparison import Comparison
from analysis.mindbug.runs import pool_of
from card_data.mindbug.pool_changes import Change, changes
from reports.kit.words import ARROW, listed


def changes_of(comparison: Comparison) -> list[Change]:
    """What differs between the two pools."""
    return changes(pool_of(comparison.base), pool_of(comparison.variant))


def title_of(found: Sequence[Change]) -> str:
    """What was changed, in a few words: "Turbo Bug and 2 more changed"."""
    subjects = [change.name or change.what for change in found]
    names = list(dict.fromkeys(subjects))
    return f"{listed(names, 3)} changed" if names else "The same pool twice"


def change_text(change: Change) -> str:
    """One change: "Turbo Bug, power: 4 → 6"."""
    if change.what == "card":
        return (
            f"{change.name} is new: {change.after}"
            if change.after
            else f"{change.name} is left out: {change.before}"
        )
    subject = f"{change.name}, {change.what}" if change.name else change.what
    return f"{subject}: {change.before or 'none'} {ARROW} {change.after or 'none'}"
