"""The page and the chart of a comparison: what was changed, what differs, what is the same.

Everything that comes from a card or a manifest is escaped by Jinja, or drawn as outlines in the
chart; the page works offline and runs no script but its own.
"""

import math
from collections.abc import Callable, Sequence
from functools import partial
from pathlib import Path
from typing import Any

import pandas as pd
from markupsafe import Markup
from matplotlib.axes import Axes

from analysis.experiments.comparison import Comparison, median_reduction, n_tested, write_comparison
from analysis.mindbug.registry import TABLES
from analysis.mindbug.selections import SELECTIONS
from analysis.verdicts import CHANGES
from card_data.mindbug.pool import Change
from reports.compare import PAGE
from reports.compare.page import plot_differences
from reports.compare.text import (
    ABOUT,
    describe_comparison,
    difference_text,
    most_changed,
    moves_of,
    stronger_grid,
    value_text,
)
from reports.kit.cells import Cell, Column, Ground, number, verdict, with_drawn, word
from reports.kit.drawing import check_one, draws
from reports.kit.figures import draw_chart
from reports.kit.inline_svg import inline_svg
from reports.kit.page import csv_address, page_script, page_template
from reports.kit.verdicts import KINDS
from reports.kit.words import bare_percent, capital, count, display_name, percent, points, times
from reports.mindbug import run_text
from reports.mindbug.compare import text
from reports.mindbug.compare.text import (
    MEASURE_TEXT,
    changes_of,
    stronger_players,
    subject_of,
    title_of,
)
from reports.mindbug.explain.charts import plot_change_parts
from reports.mindbug.explain.experiments import experiments_of_change
from reports.mindbug.explain.tables import explained
from reports.mindbug.explain.text import BEFORE, GOES_WITH, OBSERVED, cautions, shown_cards
from simcore.sealed import write_file, writing


def write_compare_page(comparison: Comparison, folder: Path, command: str) -> Path:
    """Write tables, chart and page of a comparison into ``folder``; the path of the page.

    ``command`` is what was typed.  The same comparison gives the same bytes.  Raises RunError when
    something cannot be written.
    """
    write_comparison(comparison, folder)
    figures = folder / "figures"
    charts, of_parts = (
        [
            inline_svg(path.with_suffix(".svg").read_text(), f"{name} {policy}")
            for policy, path in drawn.items()
        ]
        for name, drawn in (
            ("changes", draw_changes(comparison, figures)),
            ("parts", draw_parts(comparison, figures)),
        )
    )
    page = folder / PAGE
    write_file(page, render_compare_page(comparison, charts, command, of_parts).encode())
    return page


def card_groups(comparison: Comparison) -> list[dict[str, Any]]:
    """The rows of the table of cards of each policy, the most changed first."""
    cards = comparison.table[comparison.table["kind"] == "card"]
    return _groups(cards, difference_columns("Card"), cards["policy"].nunique() > 1)


def render_compare_page(
    comparison: Comparison, charts: list[Markup], command: str, of_parts: Sequence[Markup] = ()
) -> str:
    """The page as text; ``charts`` and those ``of_parts`` are drawings as of `inline_svg`."""
    table, changes = comparison.table, changes_of(comparison)
    several = table.loc[table["kind"] != "game", "policy"].nunique() > 1
    of_others = difference_columns("What")
    return page_template("compare.html").render(
        **page_script(),
        title=title_of(changes),
        sets=run_text.describe_sets(comparison.base.manifest),
        played=describe_comparison(comparison),
        headline=text.headline(comparison),
        overview=text.overview(comparison),
        findings=text.findings(comparison),
        change_rows=[_change_row(change) for change in changes],
        charts=charts,
        why={
            "charts": of_parts,
            "cautions": list(cautions(comparison)),
            "cards": _explained(comparison),
            "observed": f"{OBSERVED} {GOES_WITH}",
        },
        card_groups=card_groups(comparison),
        other_groups=_groups(table[table["kind"].isin(["keyword", "set"])], of_others, several),
        stronger=_stronger(comparison),
        game_rows=[_game_row(line) for _, line in table[table["kind"] == "game"].iterrows()],
        csv={name: csv_address(one) for name, one in comparison.tables.items()},
        verdicts={word.removeprefix("shown "): meaning for word, meaning in CHANGES.items()},
        selections=SELECTIONS,
        joint_z=comparison.joint_z,
        n_tested=count(n_tested(table)),
        band=f"{100 * table.loc[table['kind'] == 'game', 'band'].iloc[0]:g}",
        paired=comparison.paired,
        run_facts=[*_run_facts(comparison), ("Command", command)],
    )


def _explained(comparison: Comparison) -> list[dict[str, Any]]:
    """What goes with the change of each changed card, the one that changed most first."""
    parts = comparison.more.get("change_parts")
    if parts is None:
        return []
    several = parts["policy"].nunique() > 1
    return [
        {
            "heading": f"{mine['name'].iloc[0]}{f' ({policy})' if several else ''},"
            f" {points(mine['total'].iloc[0])} points",
            **explained(mine, BEFORE, partial(experiments_of_change, comparison)),
        }
        for (_, policy), mine in shown_cards(parts)
    ]


def _stronger(comparison: Comparison) -> dict[str, Any] | None:
    """What a stronger player moves; None where none played."""
    if (stronger := stronger_players(comparison)) is None:
        return None
    return {
        "about": ABOUT,
        "text": stronger.text,
        "grid": stronger_grid(moves_of(comparison), run_text.called, subject_of),
    }


def difference_columns(first: str) -> list[Column]:
    """The columns of a table of cards, keywords or sets; a cell takes the lines of one of them."""
    others = [
        *(
            (
                selection.name,
                selection.name.replace("_", " ").capitalize(),
                f"players of whom: {selection.definition}",
            )
            for selection in SELECTIONS[1:]
        ),
        (
            "mindbug_rate",
            "Mindbug rate",
            "share of plays on which an opponent who still had a Mindbug used it",
        ),
        ("dead_rate", "Dead", "share of the drawn that were never played"),
        (
            "mean_turn_played",
            "Turn played",
            "mean turn on which it was first played",
        ),
    ]
    return [
        Column(first, "", lambda lines: word(lines.loc["dealt", "name"]), "word"),
        Column("Before", "games won by players dealt it, in BASE", partial(_side, side="base")),
        Column(
            "After", "games won by players dealt it, in VARIANT", partial(_side, side="variant")
        ),
        Column(
            "Difference",
            "in percentage points, with its interval",
            lambda lines: _difference(lines.loc["dealt"]),
            ground=Ground(partial(points, digits=0)),
        ),
        Column(
            "Verdict",
            "on that difference",
            lambda lines: _verdict(lines.loc["dealt"]),
            "word",
            filter="Verdict",
        ),
        *(
            Column(heading, meaning, partial(_other, measure=measure))
            for measure, heading, meaning in others
        ),
    ]


def _change_row(change: Change) -> list[Cell]:
    sides = (Cell(side or "–", kind="text") for side in (change.before, change.after))
    return [Cell(change.name or "(mode)"), word(change.what), *sides]


def _side(lines: pd.DataFrame, side: str) -> Cell:
    """The win rate of the players dealt a card, keyword or set, before or after."""
    dealt = lines.loc["dealt"]
    rate = dealt[side]
    return number(rate, math.nan, math.nan, bare_percent, dealt[f"{side}_n"])


def _other(lines: pd.DataFrame, measure: str) -> Cell:
    """The difference in something else; a dash where it is not measured."""
    return _difference(lines.loc[measure]) if measure in lines.index else Cell("–", math.nan)


def _groups(lines: pd.DataFrame, columns: Sequence[Column], several: bool) -> list[dict[str, Any]]:
    """The rows of each policy's table, the most changed first."""
    groups = []
    for policy, mine in lines.groupby("policy", sort=False):
        by_unit = {
            key: unit.set_index("measure", drop=False)
            for key, unit in mine.groupby(["kind", "id"], sort=False)
        }
        dealt = most_changed(mine[mine["measure"] == "dealt"])
        units = [by_unit[line["kind"], line["id"]] for _, line in dealt.iterrows()]
        shown = with_drawn(columns, units)
        rows = [[column.cell(unit) for column in shown] for unit in units]
        whose = f" ({policy})" if several else ""
        groups.append({"whose": whose, "columns": shown, "rows": rows})
    return groups


def _difference(line: pd.Series) -> Cell:
    """A difference with its interval; its p-values and verdict are shown on pointing."""
    title = f"{text.verdict_text(line)}; n = {count(line['base_n'])}, {count(line['variant_n'])}"
    if pd.notna(line["p_value"]):
        title += f"; p = {line['p_value']:.2g}, q = {line['q_value']:.2g}"
    interval = text.interval_text(line)
    kind = _colour(line)
    low, high = line["difference_ci_low"], line["difference_ci_high"]
    ends = None if math.isnan(low) else (low, high)
    value = line["difference"]
    return Cell(difference_text(line), value, interval, title, kind, ends=ends)


def _colour(line: pd.Series) -> str:
    """The class of a difference, by its word."""
    return KINDS.get(line["verdict"], "")


def _verdict(line: pd.Series) -> Cell:
    return verdict(text.verdict_text(line), line["verdict"])


def _game_row(line: pd.Series) -> list[Cell]:
    meaning = MEASURE_TEXT[line["measure"]]
    return [
        Cell(capital(meaning)),
        *(Cell(value_text(line, side, 2)) for side in ("base", "variant")),
        _difference(line),
        _verdict(line),
    ]


def _run_facts(comparison: Comparison) -> list[tuple[str, str]]:
    """What was played, with everything needed to play it again."""
    runs = {"Base": comparison.base, "Variant": comparison.variant}
    facts = [
        (
            name,
            f"{run_text.describe_sets(run.manifest)}; {count(run.n_games)} games, seed"
            f" {run.manifest['seed']}; pool SHA-256 {run.manifest['pool_hash']}",
        )
        for name, run in runs.items()
    ]
    one = comparison.base.manifest
    reduction = median_reduction(comparison)
    facts += [("Players", run_text.describe_policies(one)), *run_text.weights_of(one)]
    if comparison.paired:
        facts.append(("Same deals", f"{percent(comparison.same_deals)} of the games"))
        facts.append(
            (
                "Variance reduction",
                f"{times(reduction)}, the median over the cards dealt"
                if reduction == reduction
                else "nothing differs",
            )
        )
    facts.append(("Rules version", str(one["rules_version"])))
    return [*facts, ("Versions", run_text.versions_of(one))]


@draws(TABLES, "comparison")
def plot_changes(comparison: pd.DataFrame, *, ax: Axes | None = None) -> Axes:
    """The cards whose win rate dealt changed most, with intervals, the largest change on top.

    ``comparison`` is the table of `analysis.experiments.comparison.compare_runs`.
    """
    lines = comparison[(comparison["kind"] == "card") & (comparison["measure"] == "dealt")]
    check_one(lines, "policy")
    return plot_differences(
        lines,
        [display_name(name) for name in lines["name"]],
        label="change of games won when dealt it, percentage points",
        what="cards",
        directions=("stronger", "weaker"),
        ax=ax,
    )


def draw_changes(comparison: Comparison, figures: Path) -> dict[str, Path]:
    """Draw the chart of a comparison into a folder: its files, without suffix, by policy.

    Raises RunError when they cannot be written.
    """
    cards = comparison.table[comparison.table["kind"] == "card"]
    return _draw(comparison, cards, "changes", plot_changes, figures)


def draw_parts(comparison: Comparison, figures: Path) -> dict[str, Path]:
    """Draw what goes with the change of the changed cards, as `draw_changes` does; none for none.

    Raises RunError when the files cannot be written.
    """
    parts = comparison.more.get("change_parts")
    if parts is None:
        return {}
    return _draw(comparison, parts, "change_parts", plot_change_parts, figures)


def _draw(
    comparison: Comparison,
    table: pd.DataFrame,
    name: str,
    plot: Callable[[pd.DataFrame], Axes],
    figures: Path,
) -> dict[str, Path]:
    """Draw a chart for each policy of a table."""
    with writing(figures):
        figures.mkdir(parents=True, exist_ok=True)
    drawn = {}
    for place, (policy, of_policy) in enumerate(table.groupby("policy", sort=False)):
        path = figures / (name + f"_{place}" * (table["policy"].nunique() > 1))
        draw_chart(plot, of_policy, text.caption_of(comparison), path)
        drawn[policy] = path
    return drawn
