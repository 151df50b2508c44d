"""The balance report: one HTML page that holds all it needs and works without a network.

What pages share is in `reports.kit.page`, the rows of the tables in `balance_tables`, and what is
shown of each card by itself in `card_pages`.
"""

import os
import re
import shlex
from collections.abc import Callable, Iterable, Mapping
from pathlib import Path
from typing import Any

import pandas as pd
from markupsafe import Markup, escape

from analysis.mindbug.experiments.keyword_experiment import KEYWORDS_FOLDER
from analysis.mindbug.replays import replays
from analysis.mindbug.runs import Run
from analysis.mindbug.sample_games import sample_games
from analysis.mindbug.selections import (
    KEYWORDS_OBSERVED,
    MEASURES,
    OBSERVED,
    SCORE,
    SELECTIONS,
    VERDICTS,
)
from card_data.mindbug.schema import Pool
from reports.kit.inline_svg import Shared, drawings
from reports.kit.page import csv_address, page_script, page_template
from reports.kit.stopping_text import rule_facts, rule_text
from reports.kit.words import Finding, count
from reports.mindbug import run_text
from reports.mindbug.balance import rows
from reports.mindbug.balance import text as wording
from reports.mindbug.balance.card_pages import (
    CardPages,
    StoryLine,
    card_pages,
    end_of_story,
    target_of,
    told_cards,
)
from reports.mindbug.balance.pair_page import pair_section, shown_pairs
from reports.mindbug.balance.run_report import ChartFiles, RunReport
from simcore.sealed import RunError, write_file

#: What a report says where somebody played at random.
BASELINE = (
    "At least one player chose at random among all legal options. That says little about real play:"
    " it undervalues every card that has to be played well."
)


def write_report(folder: str | os.PathLike[str]) -> Path:
    """Write the charts and the page of an analysed run; return the path of the page.

    Reads ``manifest.json``, ``tables/`` and the first games in ``folder``; writes ``figures/`` and
    ``report.html``.  There is a section on skill where players were compared; where
    ``sensitivity/`` is the folder of a sensitivity analysis of the same pool, the pages of cards
    show what they are worth by experiment.  The same games give the same bytes.  Raises
    RunError when the run or its tables are missing or damaged, or do not belong together, or the
    report cannot be written.
    """
    from reports.mindbug.balance.report_formats import write_reports

    return write_reports(folder)["html"]


def write_page(
    report: RunReport, files: ChartFiles, on_telling: Callable[[], object] | None = None
) -> Path:
    """Write ``report.html`` with the charts in ``files``; its path.  Raises RunError.

    ``on_telling`` is called before the first game is told in words, if any is.
    """
    from reports.mindbug.balance.before import before_section

    run, tables = report.run, report.tables
    shared = Shared()
    charts = drawings(files, shared)
    games, pool = sample_games(run), run.pool()
    by_card = card_pages(
        pool,
        tables,
        games,
        _stories(run, pool, tables["cards"], games, on_telling),
        run.folder,
    )
    path = run.folder / "report.html"
    before = before_section(report.before)
    html = render_page(run.manifest, tables, charts, by_card, shared, before, run.folder)
    write_file(path, html.encode())
    return path


def render_page(
    manifest: Mapping[str, Any],
    tables: Mapping[str, pd.DataFrame],
    charts: Mapping[str, list[Markup]],
    by_card: CardPages | None = None,
    shared: Shared | None = None,
    before: Mapping[str, Any] | None = None,
    folder: Path | None = None,
) -> str:
    """The page as text.

    Parameters
    ----------
    manifest
        That of the run.
    tables
        Those of `analysis.mindbug.analyze`, and of `analysis.mindbug.skill_tables` where players
        were compared.
    charts
        For each of `charts.CHARTS` and `PAIR_CHARTS`, and of `SKILL_CHARTS` if needed, its drawings
        as `drawings` gives them.
    by_card
        What is shown of each card by itself, as `card_pages` gives it.
    shared
        What the charts have in common, if they were drawn with it.
    before
        What differs from an earlier run, as `before.before_section` gives it.
    folder
        That of the run, which commands name; without it there are none.
    """
    cards, keywords, summary = tables["cards"], tables["keywords"], tables["summary"]
    skill = tables.get("skill_cards")
    effects = tables.get("keyword_effects", pd.DataFrame(columns=["policy"]))
    several = cards["policy"].nunique() > 1
    set_names = dict(zip(tables["sets"]["set_id"], tables["sets"]["name"], strict=True))
    columns = rows.card_columns(cards, set_names)
    mindbugs, of_keywords = rows.mindbug_columns(cards), rows.keyword_columns(keywords)
    by_strength = cards.sort_values("dealt_win_rate", ascending=False, kind="stable")
    by_mindbugs = cards.sort_values("mindbug_rate", ascending=False, kind="stable")
    findings = wording.findings(tables)
    linked = _Linker(cards)
    return page_template("balance.html").render(
        **page_script(),
        title=f"{run_text.describe_sets(manifest)}: balance report",
        played=run_text.describe_run(manifest),
        baseline=BASELINE if "random" in manifest["policies"] else "",
        findings=linked.findings(findings),
        shared=shared.sheet() if shared else "",
        charts=charts,
        csv={name: csv_address(table) for name, table in {**tables, **shown_pairs(tables)}.items()},
        card_columns=columns,
        card_rows=rows.rows_in(columns, by_strength),
        card_groups=[
            {
                "whose": f" ({policy})" if several else "",
                "outliers": linked.topics(wording.outliers(mine)),
            }
            for policy, mine in cards.groupby("policy", sort=False)
        ],
        mindbug_columns=mindbugs,
        mindbug_rows=rows.rows_in(mindbugs, by_mindbugs),
        keyword_columns=of_keywords,
        keyword_rows=rows.rows_in(of_keywords, keywords[keywords["dealt_n"] > 0]),
        effect_columns=rows.effect_columns(effects),
        effect_rows=rows.rows_in(rows.effect_columns(effects), effects),
        keywords_observed=KEYWORDS_OBSERVED,
        keywords_command=_keywords_command(manifest, effects, folder),
        skill=None if skill is None else rows.skill_section(skill, tables["skill_summary"]),
        pairs=pair_section(tables, manifest["games"]),
        first_player_rows=_rows_of(rows.first_player_row, tables["first_player"]),
        set_rows=_rows_of(rows.set_row, tables["sets"]),
        stage_rows=_rows_of(rows.stage_row, tables["stages"]),
        power_rows=_rows_of(rows.power_row, tables["power_cards"]),
        dice_rows=_rows_of(rows.dice_row, tables["dice"]),
        dice_words=" ".join(finding.text for finding in findings if finding.topic == "Dice"),
        open_rows=_rows_of(rows.open_row, tables["open_points"]),
        summary_rows=_rows_of(rows.summary_row, summary),
        has_quantities=len(tables["per_game"]) > 0,
        observed=OBSERVED,
        score=SCORE,
        views=SELECTIONS,
        measures=MEASURES,
        verdicts=VERDICTS,
        band=f"{100 * cards['band'].iloc[0]:g} percentage points",
        run_facts=run_facts(manifest, cards),
        rule=rule_text(manifest),
        by_card=by_card,
        before=before,
    )


def _keywords_command(
    manifest: Mapping[str, Any], effects: pd.DataFrame, folder: Path | None
) -> str:
    """What tells each card of the experiment on keywords by itself; nothing of two policies."""
    if folder is None or effects.empty or len({*manifest["policies"]}) > 1:
        return ""
    games = str(effects["n_games"].iloc[0])
    words = ["balancelab", "sensitivity", "all", "--pool", str(folder / "pool.toml")]
    words += ["--changes", "keywords", "--games", games, "--policy", manifest["policies"][0]]
    words += ["--seed", str(manifest["seed"]), "--out", str(folder / KEYWORDS_FOLDER / games)]
    return shlex.join(words)


def _stories(
    run: Run,
    pool: Pool,
    cards: pd.DataFrame,
    games: pd.DataFrame,
    on_telling: Callable[[], object] | None = None,
) -> dict[int, list[StoryLine]]:
    """The end of a game for each card of which one is told: won if it is strong, else lost.

    There are none where this version plays the games otherwise, or lacks the players.
    """
    wanted = told_cards(cards).assign(won=lambda rows: rows["advantage"] > 0)
    chosen = wanted[["card_id", "won"]].merge(games, on=["card_id", "won"])
    turns = dict(zip(chosen["game"], chosen["turn_played"], strict=True))
    if turns and on_telling is not None:
        on_telling()
    try:
        return {
            game: end_of_story(told.lines, turns[game])
            for game, told in zip(turns, replays(run, pool, turns), strict=True)
        }
    except (RunError, ValueError):
        return {}


class _Linker:
    """Sets the names of cards in findings as links to their pages."""

    def __init__(self, cards: pd.DataFrame) -> None:
        known = cards.drop_duplicates("card_id").drop_duplicates("name", keep=False)
        self._targets = dict(zip(known["name"], known["card_id"].map(target_of), strict=True))
        longest_first = sorted(self._targets, key=len, reverse=True)
        names = "|".join(re.escape(name) for name in longest_first)
        self._names = re.compile(rf"(?<!\w)({names})(?!\w)")

    def findings(self, findings: Iterable[Finding]) -> list[Finding]:
        """The findings, those about cards with links."""
        return [
            Finding(one.topic, self._linked(one.text))
            if one.topic.startswith(wording.ABOUT_CARDS)
            else one
            for one in findings
        ]

    def topics(self, findings: Iterable[Finding]) -> list[Finding]:
        """Findings whose topics are cards, with links there."""
        return [Finding(self._link(one.topic), one.text) for one in findings]

    def _linked(self, text: str) -> Markup:
        pieces = self._names.split(text)
        texts, names = pieces[::2], [*pieces[1::2], ""]
        return Markup("").join(
            escape(words) + (self._link(name) if name else "")
            for words, name in zip(texts, names, strict=True)
        )

    def _link(self, name: str) -> str | Markup:
        if name not in self._targets:  # of two cards with the same name
            return name
        return Markup('<a href="#{}">{}</a>').format(self._targets[name], name)


def _rows_of(row: Callable[[pd.Series], Any], table: pd.DataFrame) -> list[Any]:
    return [row(line) for _, line in table.iterrows()]


def run_facts(manifest: Mapping[str, Any], cards: pd.DataFrame) -> list[tuple[str, str]]:
    """What was played, with everything needed to play it again."""
    pool = cards.drop_duplicates("card_id")
    counts = manifest["counts"]
    return [
        ("Sets", run_text.describe_sets(manifest)),
        ("Cards", f"{len(pool)} different, {pool['copies'].sum()} in the pool"),
        ("Card data", f"SHA-256 {manifest['pool_hash']}"),
        ("Players", run_text.describe_policies(manifest)),
        *run_text.weights_of(manifest),
        ("Games", count(manifest["games"])),
        *rule_facts(manifest),
        ("Seed", str(manifest["seed"])),
        ("Stopped games", f"{counts['capped']} capped, {counts['looped']} looped"),
        ("Rules version", str(manifest["rules_version"])),
        ("Versions", run_text.versions_of(manifest)),
    ]
