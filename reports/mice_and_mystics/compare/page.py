"""What the page of a comparison of Mice & Mystics shows besides all its numbers."""

from analysis.experiments.comparison import Comparison
from analysis.experiments.stronger import COMPARISON_STRONGER
from reports.balance.sections import Block, Downloads, Section, Tab, Text
from reports.compare.stronger import ABOUT, TOPIC, moves_of, stronger_grid
from reports.mice_and_mystics.compare.text import stronger_players, subject_of


def stronger_tabs(comparison: Comparison) -> list[Tab]:
    """The tab on what a stronger player makes of the change; none where nobody played."""
    if (stronger := stronger_players(comparison)) is None:
        return []
    blocks: list[Block] = [
        Text(stronger.text),
        Text(ABOUT, hint=True),
        stronger_grid(moves_of(comparison), str, subject_of),
        Downloads.of(COMPARISON_STRONGER.name),
    ]
    return [Tab(TOPIC, [Section("stronger", TOPIC, blocks)])]
