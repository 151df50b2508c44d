"""An analysed run of Mindbug as all its reports show it."""

import os
from collections.abc import Callable, Mapping, Sequence
from functools import cached_property
from pathlib import Path
from typing import TYPE_CHECKING

import pandas as pd

from analysis.mindbug.experiments.keyword_experiment import read_keyword_effects
from analysis.mindbug.experiments.luck import read_luck
from analysis.mindbug.experiments.sensitivity import read_sensitivity
from analysis.mindbug.experiments.skill import read_skill_tables
from analysis.mindbug.experiments.strong import read_strong_tables
from analysis.mindbug.pairs import shown_pairs
from analysis.mindbug.runs import Run, open_run
from analysis.tables import confidence_of, level_in, read_tables
from card_data.mindbug.pool import own_cards
from reports.balance.report import ChartFiles, Report, told_before
from reports.balance.sections import Block, Tab
from reports.kit.drawing import Chart
from reports.kit.stopping_text import rule_facts, rule_text
from reports.kit.words import Finding, capital, count, level
from reports.mindbug import luck, run_text
from reports.mindbug.balance import (
    charts,
    expansion_charts,
    overview,
    pair_charts,
    rows,
    skill_charts,
    strong,
)
from reports.mindbug.balance import text as wording
from reports.mindbug.balance.card_links import CardLinks
from reports.mindbug.balance.sections import tabs
from reports.mindbug.compare.page import draw_changes, plot_changes
from reports.mindbug.explain import charts as part_charts
from simcore.work.parts import seeds_text

if TYPE_CHECKING:
    from analysis.experiments.comparison import Comparison

#: What a report says where somebody played at random.
BASELINE = (
    "At least one player chose at random among all legal options. That says little about real play:"
    " it undervalues every card that has to be played well."
)


class RunReport(Report):
    """What a report is made of: the run, its tables by name, and what an earlier run tells.

    The tables on skill are among them where players were compared, those on keywords and luck
    where their experiments were played, that of the comparison, and those of a sensitivity
    analysis of the same pool in ``sensitivity/``.
    """

    run: Run
    charts: Mapping[str, Chart] = {
        **charts.CHARTS,
        **expansion_charts.CHARTS,
        **pair_charts.CHARTS,
        **part_charts.CHARTS,
        **skill_charts.CHARTS,
        **strong.CHARTS,
        **luck.CHARTS,
    }

    @property
    def method(self) -> str:
        """How the numbers were found."""
        return (
            f"Intervals are for {level()}, clustered by game; those of cards hold together."
            " Differences are in percentage points."
        )

    @property
    def title(self) -> str:
        """What stands above the report."""
        return f"{run_text.describe_sets(self.run.manifest)}: balance report"

    @property
    def played(self) -> str:
        """One line that says what was played."""
        return f"{run_text.describe_run(self.run.manifest)}{strong.beside(self.tables)}"

    @property
    def note(self) -> tuple[str, str] | None:
        """That random play is no verdict."""
        if "random" not in self.run.manifest["policies"]:
            return None
        return "A baseline, not a verdict.", BASELINE

    @cached_property
    def findings(self) -> list[Finding]:
        """What a designer wants to know first."""
        return wording.findings(self.tables)

    @cached_property
    def own(self) -> dict[str, str]:
        """Which cards are a designer's own, new or changed."""
        return own_cards(self.run.pool())

    @property
    def _first_cards(self) -> pd.DataFrame:
        """The cards where the strong play, or of the policy that was named first.

        With what was found beside the run.
        """
        cards = rows.with_others(self.tables)
        if "strong_cards" in self.tables:
            return strong.among_strong(cards, self.tables["strong_cards"])
        return cards[cards["policy"] == self.run.manifest["policies"][0]]

    @property
    def headline(self) -> str:
        """What became of a designer's own cards, or else how many are not fair."""
        first, *others = dict.fromkeys(self.run.manifest["policies"])
        who = f"{capital(run_text.called(first))} players: " if others else ""
        who = "Random play: " if first == "random" and not others else who
        who = "Strong play: " if "strong_cards" in self.tables else who
        return f"{who}{overview.headline(self._first_cards, self.own)}"

    @property
    def own_findings(self) -> list[Finding]:
        """A line on each of a designer's own cards."""
        return overview.own_findings(self._first_cards, self.own)

    @property
    def overview(self) -> Sequence[Finding]:
        """The first things to know, with links to the pages of cards."""
        found = overview.overview(self.tables, self._first_cards, self.own)
        return CardLinks(self.tables["cards"]).findings(found)

    @property
    def lead(self) -> Block:
        """All cards by their strength."""
        chart = "strong_cards" if "strong_cards" in self.tables else "card_strength"
        return overview.lead(self._first_cards, self.own, self.caption(chart))

    @property
    def linked_findings(self) -> Sequence[Finding]:
        """The findings, with links to the pages of cards."""
        return CardLinks(self.tables["cards"]).findings(self.findings)

    @property
    def asides(self) -> list[tuple[str, list[tuple[str, str]]]]:
        """What differs from an earlier run."""
        return [] if self.before is None else [told_before(self.before)]

    @property
    def facts(self) -> list[tuple[str, str]]:
        """What was played, with everything needed to play it again."""
        manifest, pool = self.run.manifest, self.tables["cards"].drop_duplicates("card_id")
        counts = manifest["counts"]
        return [
            ("Sets", run_text.describe_sets(manifest)),
            ("Cards", f"{len(pool)} different, {pool['copies'].sum()} in the pool"),
            ("Card data", f"SHA-256 {manifest['pool_hash']}"),
            ("Players", run_text.describe_policies(manifest)),
            *run_text.weights_of(manifest),
            ("Games", count(manifest["games"])),
            *rule_facts(manifest),
            ("Seed", seeds_text(manifest)),
            ("Stopped games", f"{counts['capped']} capped, {counts['looped']} looped"),
            ("Rules version", str(manifest["rules_version"])),
            ("Versions", run_text.versions_of(manifest)),
        ]

    @property
    def remarks(self) -> list[str]:
        """What a rule that ended the run means for the intervals."""
        rule = rule_text(self.run.manifest)
        return [rule] if rule else []

    @property
    def saved(self) -> Mapping[str, pd.DataFrame]:
        """The tables, of pairs of cards those that are shown."""
        return {**self.tables, **shown_pairs(self.tables)}

    @property
    def tables_in(self) -> list[Path]:
        """The folders that the tables lie in."""
        return [*super().tables_in, self.run.folder / "sensitivity" / "tables"]

    def caption(self, chart: str) -> str:
        """What stands under a chart; charts on skill are about several runs."""
        manifest = self.run.manifest
        if chart in skill_charts.CHARTS:
            words = wording.describe_skill(manifest, self.tables["skill_summary"])
            return run_text.caption(words, manifest)
        if chart in strong.CHARTS:
            return run_text.caption(self.played, manifest)
        return run_text.caption_of_run(manifest)

    def tabs(self, on_telling: Callable[[], object] | None = None) -> list[Tab]:
        """The sections, in their order."""
        return tabs(self, self.run, self.before, self.own, on_telling)

    @property
    def more_figures(self) -> dict[str, Callable[..., object]]:
        """The charts of what differs from an earlier run: one, or one for each policy."""
        return dict.fromkeys(("changes", "changes_0", "changes_1"), plot_changes)

    def draw_more(self, figures: Path) -> ChartFiles:
        """Draw what differs from an earlier run.  Raises RunError."""
        return {} if self.before is None else {"changes": draw_changes(self.before, figures)}


def read_report(folder: str | os.PathLike[str], before: "Comparison | None" = None) -> RunReport:
    """Read ``manifest.json`` and ``tables/`` of an analysed run.

    ``before`` is its comparison with an earlier run.
    Raises RunError when the run or its tables are missing or damaged, or do not belong together,
    and ValueError for the comparison of another run.
    """
    run, tables = open_run(folder), read_tables(folder)
    tables |= read_skill_tables(run.folder) | read_keyword_effects(run.folder)
    tables |= read_luck(run.folder) | read_strong_tables(run.folder)
    sensitivity = run.folder / "sensitivity"
    if level_in(sensitivity, "values") in (None, confidence_of(run.folder, run.game.name)):
        tables |= read_sensitivity(sensitivity, run.manifest["pool_hash"])
    return RunReport(run, tables, before)
