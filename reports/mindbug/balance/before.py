"""What differs from an earlier run: the findings, and the section of the page."""

from typing import Any

from analysis.experiments.comparison import Comparison
from reports.kit.words import DOT, Finding
from reports.mindbug.compare.page import card_groups, difference_columns
from reports.mindbug.compare.text import describe_comparison, findings
from reports.mindbug.run_text import describe_sets

#: Share of games with the same deals below which pairing them brings little.
_FEW_DEALS = 0.5
_OTHER_DEALS = (
    "Cards are dealt by their place in the pool. Here the places differ: cards were added or"
    " removed, or a card has more or fewer copies. Such a comparison needs about as many games as"
    " two runs with different seeds."
)


def before_findings(comparison: Comparison) -> list[Finding]:
    """What was changed since the earlier run, what followed, and how the two were compared."""
    found = findings(comparison)
    if comparison.paired and comparison.same_deals < _FEW_DEALS:
        found.append(Finding("Deals", _OTHER_DEALS))
    return found


def before_section(comparison: Comparison | None) -> dict[str, Any] | None:
    """What ``templates/before.html`` shows besides its chart; None without an earlier run."""
    if comparison is None:
        return None
    base = comparison.base
    return {
        "name": base.folder.resolve().name,
        "played": f"{describe_sets(base.manifest)}{DOT}{describe_comparison(comparison)}",
        "findings": before_findings(comparison),
        "columns": difference_columns("Card"),
        "groups": card_groups(comparison),
    }
