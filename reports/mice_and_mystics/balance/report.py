"""An analysed run of Mice & Mystics as all its reports show it."""

import os
from collections.abc import Callable, Mapping
from functools import cached_property
from typing import TYPE_CHECKING

from analysis.mice_and_mystics.experiments.assumptions import read_assumptions
from analysis.mice_and_mystics.experiments.stronger import read_moves
from analysis.runs import open_run
from analysis.tables import read_tables
from card_data.mice_and_mystics.changes import own_entries, unused_entries
from card_data.mice_and_mystics.settings import settings_from
from reports.balance.report import Report, told_before
from reports.balance.sections import Block, Figures, Grid, Tab
from reports.kit.drawing import Chart
from reports.kit.stopping_text import rule_facts, rule_text
from reports.kit.words import Finding, count
from reports.mice_and_mystics import run_text
from reports.mice_and_mystics.balance import charts, rows
from reports.mice_and_mystics.balance import text as wording
from reports.mice_and_mystics.balance.sections import tabs
from simcore.mice_and_mystics.play.run import FACTS_FILE, read_played_facts
from simcore.work.parts import seeds_text

if TYPE_CHECKING:
    from analysis.experiments.comparison import Comparison

#: Players that choose at random.
_AT_RANDOM = ("uniform", "category")
#: What a report says where somebody played at random.
BASELINE = (
    "At least one player chose at random. That says little about how hard the chapter is for people"
    " who think, and undervalues everything that has to be played well."
)


class ChapterReport(Report):
    """What a report is made of: the run, its tables by name, and what an earlier run tells."""

    charts: Mapping[str, Chart] = charts.CHARTS

    @property
    def method(self) -> str:
        """How the numbers were found."""
        return f"{super().method} Differences are in percentage points."

    @property
    def title(self) -> str:
        """The verdict."""
        return f"{self.run.manifest['chapter_name']}: {wording.headline(self.tables)}"

    @property
    def lead(self) -> Block:
        """How often each party wins; of one party, where its games are page by page."""
        parties = rows.without_gaps(self.tables["parties"], "win_rate")
        if len(parties) == 1:
            return Figures.of("clock")
        shown = rows.chosen(rows.party_columns(), "Party", "Won, %")
        label = f"Games won by each of {len(parties)} parties, in per cent with 95% intervals"
        finding = wording.parties_title(parties)
        return Grid.of(shown, parties, label, "chart", self.caption("parties"), finding)

    @property
    def played(self) -> str:
        """One line that says what was played."""
        return run_text.describe_run(self.run.manifest)

    @property
    def note(self) -> tuple[str, str] | None:
        """That random play is no verdict."""
        if not any(policy.startswith(_AT_RANDOM) for policy in self.run.manifest["policies"]):
            return None
        return "A baseline, not a verdict.", BASELINE

    @cached_property
    def own(self) -> dict[tuple[str, str], str]:
        """A designer's own entries that can come up, by kind and id: "new" or "changed"."""
        folder, manifest = self.run.folder, self.run.manifest
        if not (folder / FACTS_FILE).exists():
            return {}
        facts, settings = read_played_facts(folder, manifest), settings_from(manifest["settings"])
        unused = unused_entries(facts, settings)
        return {one: said for one, said in own_entries(facts).items() if one not in unused}

    @cached_property
    def findings(self) -> list[Finding]:
        """What a designer wants to know first."""
        return wording.findings(self.tables)

    @property
    def own_findings(self) -> list[Finding]:
        """A line on each entry of a designer's own that is in a table."""
        told = wording.own_texts(self.tables, self.own)
        return [Finding("Your entry", f"{one}.") for one in told]

    @property
    def overview(self) -> list[Finding]:
        """What became of a designer's own entries, and what the findings say first."""
        return [*wording.own_findings(self.tables, self.own), *self.findings][:5]

    @property
    def asides(self) -> list[tuple[str, list[tuple[str, str]]]]:
        """What differs from an earlier run."""
        return [] if self.before is None else [told_before(self.before)]

    @property
    def facts(self) -> list[tuple[str, str]]:
        """What was played, with everything needed to play it again."""
        manifest = self.run.manifest
        settings = run_text.changed_settings(manifest)
        versions = ", ".join(f"{name} {one}" for name, one in manifest["versions"].items())
        return [
            ("Chapter", manifest["chapter_name"]),
            ("Party", run_text.party_text(manifest)),
            ("Switches and numbers", ", ".join(settings) or "as the rules have them"),
            ("Facts", f"SHA-256 {manifest['facts_hash']}"),
            ("Player", ", ".join(manifest["policies"])),
            ("Games", count(manifest["games"])),
            *rule_facts(manifest),
            ("Seed", seeds_text(manifest)),
            ("Rules version", str(manifest["rules_version"])),
            ("Versions", versions),
        ]

    @property
    def remarks(self) -> list[str]:
        """What a rule that ended the run means for the intervals."""
        rule = rule_text(self.run.manifest)
        return [rule] if rule else []

    def caption(self, _chart: str) -> str:
        """What stands under a chart."""
        return run_text.caption(self.run.manifest)

    def tabs(self, _on_telling: Callable[[], object] | None = None) -> list[Tab]:
        """The sections, in their order."""
        return tabs(self, self.own)


def read_report(
    folder: str | os.PathLike[str], before: "Comparison | None" = None
) -> ChapterReport:
    """Read ``manifest.json`` and ``tables/`` of an analysed run.

    ``before`` is its comparison with an earlier run.
    Raises RunError when the run or its tables are missing or damaged, or do not belong together,
    and ValueError for the comparison of another run.
    """
    tables = read_tables(folder) | read_moves(folder) | read_assumptions(folder)
    return ChapterReport(open_run(folder), tables, before)
