"""The report as Markdown, ``report.md``: for a wiki, GitHub or a mail, beside its ``figures/``."""

from collections.abc import Callable, Iterator
from inspect import getdoc
from pathlib import Path
from typing import Any, NamedTuple

import pandas as pd

from analysis.experiments.comparison import Comparison
from analysis.mindbug.selections import KEYWORDS_OBSERVED, OBSERVED
from reports.kit.markdown import pipe_table, plain
from reports.kit.stopping_text import rule_text
from reports.kit.words import between, count, percent, points
from reports.mindbug import run_text
from reports.mindbug.balance import text as wording
from reports.mindbug.balance.before import before_findings
from reports.mindbug.balance.charts import CHARTS
from reports.mindbug.balance.page import BASELINE, run_facts
from reports.mindbug.balance.pair_charts import PAIR_CHARTS
from reports.mindbug.balance.pair_page import MOST_ROWS, shown_pairs
from reports.mindbug.balance.pair_text import verdict_text as pair_text
from reports.mindbug.balance.rows import summary_row
from reports.mindbug.balance.run_report import ChartFiles, RunReport
from reports.mindbug.balance.skill_charts import SKILL_CHARTS
from reports.mindbug.compare.charts import plot_changes
from reports.mindbug.compare.text import describe_comparison, most_changed, verdict_text
from simcore.sealed import write_file

MARKDOWN = "report.md"

_UNKNOWN = "–"
_METHOD = (
    "Intervals are for 95 %, clustered by game. Verdicts are corrected for the number of cards"
    " (Benjamini and Hochberg). Differences are in percentage points."
)


class _Column(NamedTuple):
    """One column of a table: its heading, the text of a row, and whether that is words."""

    heading: str
    text: Callable[[Any], str]
    words: bool = False


class _Section(NamedTuple):
    """One section: a few words, charts by name, and a table if there is one."""

    title: str
    words: str
    charts: tuple[str, ...]
    table: pd.DataFrame | None = None
    columns: tuple[_Column, ...] = ()


def write_markdown(report: RunReport, files: ChartFiles) -> Path:
    """Write ``report.md`` with links to the charts in ``files``; its path.  Raises RunError."""
    path = report.run.folder / MARKDOWN
    write_file(path, ("\n".join(_lines(report, files)).rstrip() + "\n").encode())
    return path


def _lines(report: RunReport, files: ChartFiles) -> Iterator[str]:
    """The lines of the page."""
    manifest, tables = report.run.manifest, report.tables
    yield from (f"# {plain(run_text.describe_sets(manifest))}: balance report", "")
    yield from (plain(run_text.describe_run(manifest)), "")
    if "random" in manifest["policies"]:
        yield from (f"**A baseline, not a verdict.** {BASELINE}", "")
    yield from ("## In short", "")
    for finding in wording.findings(tables):
        yield f"- **{plain(finding.topic)}.** {plain(finding.text)}"
    yield ""
    if report.before is not None:
        yield from _compared(report.before, files)
    for section in _sections(tables):
        yield from _shown(section, files)
    yield from ("## The run", "")
    for name, value in run_facts(manifest, tables["cards"]):
        yield f"- {name}: {plain(value)}"
    yield "- Beside this page: tables as CSV and Parquet in `tables/`, charts in `figures/`"
    yield from ("", _METHOD)
    if rule := rule_text(manifest):
        yield from ("", plain(rule))


def _compared(before: Comparison, files: ChartFiles) -> Iterator[str]:
    """The section about an earlier run: what changed, what did not, what is not known."""
    yield from (f"## Compared with {plain(before.base.folder.resolve().name)}", "")
    played = f"{run_text.describe_sets(before.base.manifest)} · {describe_comparison(before)}"
    yield from (f"An earlier run, {plain(played)}.", "")
    for finding in before_findings(before):
        yield f"- **{plain(finding.topic)}.** {plain(finding.text)}"
    yield ""
    lines = before.table[(before.table["kind"] == "card") & (before.table["measure"] == "dealt")]
    for _, mine in lines.groupby("policy", sort=False):
        section = _Section("", "", (), most_changed(mine), _DIFFERENCES)
        yield from _table(section)
    for path in files["changes"].values():
        yield from (_figure("changes", path), "")


def _sections(tables: dict[str, pd.DataFrame]) -> Iterator[_Section]:
    """The sections in their order; those about what the pool does not have are empty."""
    cards = tables["cards"].sort_values(
        ["policy", "dealt_win_rate"], ascending=[True, False], kind="stable"
    )
    fair = (
        "How often the players won who were dealt the card, drawn or not: cards are dealt at"
        " random, so nothing else tells these players from others."
    )
    yield _Section("Cards", fair, ("card_strength",), cards, _CARDS)
    if "skill_cards" in tables:
        words = wording.skill_text(tables["skill_cards"], tables["skill_summary"])
        skill = tables["skill_cards"].sort_values(
            ["change", "card_id", "rung"], ascending=[False, True, True], kind="stable"
        )
        yield _Section("Skill", words, tuple(SKILL_CHARTS), skill, _SKILL)
    shown = pd.concat([rows.head(MOST_ROWS) for rows in shown_pairs(tables).values()])
    yield _Section(
        "Pairs",
        "What two cards do beyond what each does by itself, shrunk towards zero: the strongest of"
        " the pairs that are shown, dealt to one player and one against the other.",
        tuple(PAIR_CHARTS),
        shown,
        _PAIRS,
    )
    yield _Section("Mindbugs", "", ("mindbug_rate",))
    yield _Section(
        "Keywords",
        "By experiment: each keyword added to each card that lacks it and taken off each card that"
        " has it, one card at a time on the same deals; by how much the win rate of players dealt"
        " the changed card moves, on average over the cards, and how much that differs from card"
        " to card.",
        ("keyword_effects",),
        tables.get("keyword_effects"),
        _KEYWORD_EFFECTS,
    )
    yield _Section(
        "Cards that carry a keyword, as observed",
        "By how much the win rate differs for each further dealt card that carries the keyword, at"
        f" the same total power. {KEYWORDS_OBSERVED}",
        ("keywords_observed",),
        tables["keywords"].drop_duplicates(["keyword", "policy"]),
        (_word("Keyword", "keyword"), _EFFECT, _WHO),
    )
    yield _Section(
        "Sets",
        "By how much the win rate differs when one of a player's ten cards comes from this set"
        " instead of another.",
        ("set_effects",),
        tables["sets"],
        (_word("Set", "name"), _EFFECT, _WHO),
    )
    observed = f"Who brought it so far is {OBSERVED}."
    yield _Section("Evolution", observed, ("stage_shares", "stage_win_rates"))
    yield _Section("In a game", "", ("per_game",))
    yield _Section("Dice", "", ("dice",))
    bought = f"Who won with a power card is {OBSERVED}."
    yield _Section("Power cards", bought, ("power_cards",), tables["power_cards"], _POWER_CARDS)
    yield _Section("Going first", "", ("first_player",))
    yield _Section("How games go", "", ("game_length", "endings"))
    yield _Section("All numbers", "", (), tables["summary"], _SUMMARY)


def _shown(section: _Section, files: ChartFiles) -> Iterator[str]:
    """The lines of a section; none where there is nothing to show."""
    figures = [
        _figure(chart, path) for chart in section.charts for path in files.get(chart, {}).values()
    ]
    has_rows = section.table is not None and len(section.table) > 0
    if not figures and not has_rows:
        return
    yield from (f"## {section.title}", "")
    if section.words:
        yield from (plain(section.words), "")
    for figure in figures:
        yield from (figure, "")
    if has_rows:
        yield from _table(section)


def _table(section: _Section) -> Iterator[str]:
    """The lines of the table of a section."""
    assert section.table is not None
    yield from pipe_table(
        [column.heading for column in section.columns],
        [[column.text(row) for column in section.columns] for _, row in section.table.iterrows()],
        words=[place for place, column in enumerate(section.columns) if column.words],
    )
    yield ""


def _figure(chart: str, path: Path) -> str:
    """A chart as a picture that leads to its SVG, with words for those who do not see it."""
    plot = plot_changes if chart == "changes" else (CHARTS | PAIR_CHARTS | SKILL_CHARTS)[chart][0]
    told = (getdoc(plot) or "").partition("\n")[0]
    place = f"{path.parent.name}/{path.name}"
    return f"[![{plain(told)}]({place}.png)]({place}.svg)"


def _word(heading: str, column: str) -> _Column:
    return _Column(heading, lambda row: str(row[column]), words=True)


def _whole(heading: str, column: str) -> _Column:
    return _Column(heading, lambda row: count(row[column]))


def _rate(heading: str, estimate: str, interval: str = "") -> _Column:
    """A share with its interval."""
    low, high = (f"{interval or estimate}_ci_{end}" for end in ("low", "high"))

    def text(row: Any) -> str:
        if pd.isna(row[estimate]):
            return _UNKNOWN
        known = f" ({between(row[low], row[high])})" if pd.notna(row[low]) else ""
        return f"{percent(row[estimate])}{known}"

    return _Column(heading, text)


def _difference(heading: str, estimate: str, digits: int = 1) -> _Column:
    """A difference in percentage points with its interval."""

    def text(row: Any) -> str:
        if pd.isna(row[estimate]):
            return _UNKNOWN
        told = points(row[estimate], digits)
        if pd.isna(row[f"{estimate}_ci_low"]):
            return told
        low, high = (points(row[f"{estimate}_ci_{end}"], digits) for end in ("low", "high"))
        return f"{told} ({low} to {high})"

    return _Column(heading, text)


def _number(heading: str, place: int, *, words: bool = False) -> _Column:
    """A cell of a line of all numbers, as the page has it."""
    return _Column(heading, lambda row: summary_row(pd.Series(row))[place].text, words=words)


_WHO = _word("Players", "policy")
_EFFECT = _difference("One more card, points (95 % interval)", "effect", 2)
_KEYWORD_EFFECTS = (
    _Column("Keyword", lambda row: row["change"][1:], words=True),
    _Column(
        "Change",
        lambda row: "added" if row["kind"] == "add_keyword" else "taken off",
        words=True,
    ),
    _whole("Cards", "n_cards"),
    _difference("Mean, points (95 % interval)", "effect", 2),
    _rate("Spread (95 % interval)", "spread"),
    _whole("Raises", "cards_up"),
    _whole("Lowers", "cards_down"),
    _WHO,
)
_CARDS = (
    _word("Card", "name"),
    _whole("Power", "power"),
    _Column("Keywords", lambda card: card["keywords"].replace(" ", ", ").capitalize(), words=True),
    _whole("Copies", "copies"),
    _whole("n dealt", "dealt_n"),
    _rate("Won when dealt (95 % interval)", "dealt_win_rate", "dealt"),
    _difference("Advantage, points", "advantage"),
    _word("Verdict", "verdict"),
    _rate("Taken with a Mindbug", "mindbug_rate"),
    _WHO,
)
_SKILL = (
    _word("Card", "name"),
    _word("By skill", "skill_verdict"),
    _difference("Change, points (95 % interval)", "change"),
    _WHO,
    _whole("n dealt", "n"),
    _difference("Advantage, points", "advantage"),
)
_POWER_CARDS = (
    _word("Power card", "name"),
    _whole("Cost", "cost"),
    _whole("Copies", "copies"),
    _rate("Players who bought it (95 % interval)", "bought_share"),
    _whole("n bought", "bought_n"),
    _rate("Their win rate", "bought_win_rate", "bought"),
    _WHO,
)
_DIFFERENCES = (
    _word("Card", "name"),
    _Column("Before", lambda line: percent(line["base"])),
    _Column("After", lambda line: percent(line["variant"])),
    _Column("n before", lambda line: count(line["base_n"])),
    _Column("n after", lambda line: count(line["variant_n"])),
    _difference("Difference, points (95 % interval)", "difference", 2),
    _Column("Verdict", verdict_text, words=True),
    _WHO,
)
_PAIRS = (
    _Column("Pair", pair_text, words=True),
    _difference("Beyond the cards, points (95 % interval)", "shrunk"),
    _Column("Win rate with both", lambda row: percent(row["win_rate"])),
    _whole("n", "n"),
    _WHO,
)
_SUMMARY = (
    _number("What", 0, words=True),
    _number("Estimate", 2),
    _number("95 % interval", 3),
    _number("Games", 4),
    _number("Players", 1, words=True),
)
