"""Experiments on a card of Mindbug in the studio, which are those of the commands."""

from collections.abc import Mapping, Sequence
from pathlib import Path
from typing import TYPE_CHECKING

from attrs import frozen

from analysis.mindbug.experiments.usual import COMPARED_GAMES
from reports.mindbug.studio import rebalance, versions
from reports.mindbug.studio.card_texts import PoolOf
from reports.mindbug.studio.sensitivity import CardPanel
from reports.studio.bench import Chart, Trial
from reports.studio.compare import Comparing, compare_trial, difference_row
from reports.studio.rows import points_chart

if TYPE_CHECKING:
    from analysis.experiments.comparison import Comparison
    from reports.mindbug.cli.compare_sides import CompareOptions
    from reports.studio.work import Asked

# Cards besides one's own whose change is shown, the most changed.
_MOST_OTHERS = 5


def trials(pool_of: PoolOf) -> Mapping[str, Trial]:
    """The experiments by their names, in the order of the page."""
    return {
        "compare": compare_trial(_Comparing(pool_of), COMPARED_GAMES, 10_000, 40_000),
        "side_by_side": versions.trial(pool_of),
        "sensitivity": CardPanel(pool_of).trial(),
        "rebalance": rebalance.trial(pool_of),
    }


@frozen
class _Comparing(Comparing):
    pool_of: PoolOf

    def options(self, asked: "Asked") -> "CompareOptions":
        from reports.mindbug.cli.compare_sides import CompareOptions

        options, _ = self.pool_of(Path(asked.file), asked.chosen)
        modes = {name: value for name, value in options.items() if name != "cards"}
        return CompareOptions(**modes, policy=asked.chosen["player"])

    def named(self, asked: "Asked", version: Path) -> str:
        """A version that is mixed into sets is named by a pool file, which lies beside it."""
        from card_data.toml_writer import quoted
        from simcore.sealed import write_file

        options, named = self.pool_of(Path(asked.file), asked.chosen)
        if "cards" not in options:
            return str(version)
        pool = version.with_name(f"{'+'.join(named)}+{version.name}")
        sets = ", ".join(map(quoted, named))
        text = f"sets = [{sets}]\ncards = [{quoted(version.name)}]\n".encode()
        if not pool.is_file() or pool.read_bytes() != text:
            write_file(pool, text)
        return str(pool)

    def chart(self, comparison: "Comparison", own: Sequence[str]) -> Chart | None:
        """By how much players dealt a card win more: own cards, and the most changed others."""
        from reports.compare.text import most_changed

        table = comparison.table
        cards = most_changed(table[(table["kind"] == "card") & (table["measure"] == "dealt")])
        mine = cards["id"].isin(own)
        rows = [
            difference_row(line["name"], line, is_own=line["id"] in own)
            for shown in (cards[mine], cards[~mine].head(_MOST_OTHERS))
            for _, line in shown.iterrows()
        ]
        band = 100 * float(table["band"].min())
        return points_chart(("Card", "Won when dealt", "Verdict"), rows, band)
