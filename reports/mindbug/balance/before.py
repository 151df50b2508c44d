"""What differs from an earlier run, in words."""

from analysis.experiments.comparison import Comparison
from reports.kit.words import Finding
from reports.mindbug.compare.text import findings

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
