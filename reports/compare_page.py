"""The page and the chart of a comparison: what was changed, what differs, what is shown unchanged.

Everything that comes from a card or a manifest is escaped by Jinja, or drawn as outlines in the
chart; the page works offline and runs no script but its own.
"""

import base64
import hashlib
from pathlib import Path
from typing import Any, NamedTuple

import jinja2
import pandas as pd
from markupsafe import Markup
from matplotlib.axes import Axes

from analysis.comparison import Comparison, write_comparison
from analysis.tables import csv_text
from analysis.views import CHANGED, CHANGES, UNCHANGED, UNDECIDED, VIEWS
from reports import compare_words as words
from reports import theme
from reports.balance_page import inline_svg
from reports.charts import (
    _LINE,
    _ROW,
    _check_one,
    _new_axes,
    _players,
    _points_tick,
    _set_titles,
    _style_for,
    _whiskers,
    _width_of,
    _write_beside,
)
from reports.theme import BAND, BLUE, GREY, MUTED, ORANGE, count, percent
from reports.wording import describe_sets
from simcore.run_folder import write_file, writing

_TEMPLATES = Path(__file__).parent / "templates"
#: Cards in the chart; the others moved less.
_SHOWN = 24
_MARKS = {CHANGED: ("", ""), UNCHANGED: (MUTED, "o"), UNDECIDED: (GREY, "d")}


class _Cell(NamedTuple):
    """One cell: its text, the number that it sorts by, and what is said about it."""

    text: str
    value: float | None = None
    interval: str = ""
    title: str = ""
    kind: str = ""


def plot_changes(comparison: pd.DataFrame, *, ax: Axes | None = None) -> Axes:
    """The cards whose win rate dealt changed most, with intervals, the largest change on top.

    ``comparison`` is the table of `analysis.comparison.compare_runs`.
    """
    lines = comparison[(comparison["kind"] == "card") & (comparison["measure"] == "dealt")]
    _check_one(lines, "policy")
    shown = words.most_changed(lines).head(_SHOWN).iloc[::-1].reset_index(drop=True)
    names = [theme.display_name(name) for name in shown["name"]]
    with _style_for(ax):
        ax = ax or _new_axes(_ROW * max(len(shown), 1), left=_width_of(names), right=0.75)
        if len(shown):
            band = shown["band"].iloc[0]
            ax.axvspan(-band, band, color=BAND, linewidth=0, zorder=0)
        ax.axvline(0, color=MUTED, linewidth=1, zorder=1)
        for label, colour, marker, mine in _by_mark(shown):
            ax.errorbar(
                mine["difference"],
                mine.index,
                xerr=_whiskers(mine, "difference", "difference"),
                color=colour,
                marker=marker,
                markersize=7,
                label=f"{label} ({len(mine)})",
                **_LINE,
            )
        for row, difference in shown["difference"].items():
            _write_beside(ax, row, theme.points(difference))
        ax.set_yticks(range(len(shown)), names, parse_math=False)
        ax.set_ylim(-0.7, len(shown) - 0.3)
        ax.grid(axis="y", visible=False)
        ax.xaxis.set_major_formatter(_points_tick)
        ax.set_xlabel("change of games won when dealt it, percentage points")
        rest = len(lines) - len(shown)
        fewer = f"; {rest} more cards moved less" if rest > 0 else ""
        _set_titles(ax, "What the change did", f"{_players(shown)}{_band_note(shown)}{fewer}",
                    legend=True)  # fmt: skip
    return ax


def write_compare_page(comparison: Comparison, folder: Path, command: str) -> Path:
    """Write tables, chart and page of a comparison into ``folder``; the path of the page.

    ``command`` is what was typed.  The same comparison gives the same bytes.  Raises RunError when
    something cannot be written.
    """
    write_comparison(comparison, folder)
    figures = folder / "figures"
    with writing(figures):
        figures.mkdir(parents=True, exist_ok=True)
    charts = []
    cards = comparison.table[comparison.table["kind"] == "card"]
    for number, (policy, mine) in enumerate(cards.groupby("policy", sort=False)):
        path = figures / ("changes" + f"_{number}" * (cards["policy"].nunique() > 1))
        with theme.off_screen(), theme.style():
            axes = plot_changes(mine)
            theme.add_caption(axes, words.caption_of(comparison))
            theme.write_figure(theme.figure_of(axes), path)
        charts.append(inline_svg(path.with_suffix(".svg").read_text(), f"changes {policy}"))
    page = folder / "compare.html"
    write_file(page, render_compare_page(comparison, charts, command).encode())
    return page


def render_compare_page(comparison: Comparison, charts: list[Markup], command: str) -> str:
    """The page as text; ``charts`` are drawings as `inline_svg` gives them."""
    environment = jinja2.Environment(
        loader=jinja2.FileSystemLoader(_TEMPLATES),
        autoescape=True,
        undefined=jinja2.StrictUndefined,
        trim_blocks=True,
    )
    script = (_TEMPLATES / "balance.js").read_text()
    digest = base64.b64encode(hashlib.sha256(script.encode()).digest()).decode()
    table, changes = comparison.table, words.changes_of(comparison)
    several = table.loc[table["kind"] != "game", "policy"].nunique() > 1
    return environment.get_template("compare.html").render(
        title=words.title_of(changes),
        sets=describe_sets(comparison.base.manifest),
        played=words.describe_comparison(comparison),
        style=Markup((_TEMPLATES / "balance.css").read_text()),
        script=Markup(script),
        script_hash=f"sha256-{digest}",
        findings=words.findings(comparison),
        changes=changes,
        charts=charts,
        card_headings=_headings("Card"),
        other_headings=_headings("What"),
        card_groups=_groups(table[table["kind"] == "card"], several),
        other_groups=_groups(table[table["kind"].isin(["keyword", "set"])], several),
        game_rows=[_game_row(line) for _, line in table[table["kind"] == "game"].iterrows()],
        csv=base64.b64encode(csv_text(table).encode()).decode(),
        verdicts=CHANGES,
        views=VIEWS,
        band=f"{100 * table.loc[table['kind'] == 'game', 'band'].iloc[0]:g}",
        paired=comparison.paired,
        command=command,
        run_facts=_run_facts(comparison),
    )


def _by_mark(lines: pd.DataFrame) -> list[tuple[str, str, str, pd.DataFrame]]:
    """The lines of each verdict that occurs, with label, colour and marker; up and down apart."""
    changed, up = lines["verdict"] == CHANGED, lines["difference"] > 0
    groups = [
        ("stronger", BLUE, "^", lines[changed & up]),
        ("weaker", ORANGE, "v", lines[changed & ~up]),
        *(
            (verdict, *_MARKS[verdict], lines[lines["verdict"] == verdict])
            for verdict in (UNCHANGED, UNDECIDED)
        ),
    ]
    return [group for group in groups if len(group[-1])]


def _band_note(lines: pd.DataFrame) -> str:
    """What the shaded range means."""
    return f"; shaded: within ±{words.band_in_words(lines.iloc[0])}" if len(lines) else ""


def _headings(first: str) -> list[tuple[str, str, str]]:
    """Heading, class and meaning of each column of a table of cards, keywords or sets."""
    return [
        (first, "word", ""),
        ("Before", "", "games won by players dealt it, in the base"),
        ("After", "", "games won by players dealt it, in the variant"),
        ("Difference", "", "in percentage points, with its 95 % interval"),
        ("Verdict", "word", "on that difference"),
        *(
            (view.name.replace("_", " ").capitalize(), "", f"players of whom: {view.definition}")
            for view in VIEWS[1:]
        ),
        ("Mindbug rate", "", "plays taken with a Mindbug, of those while one was left"),
        ("Dead", "", "never played, of those drawn"),
        ("Turn played", "", "mean number of the turn on which it was first played"),
    ]


def _groups(lines: pd.DataFrame, several: bool) -> list[dict[str, Any]]:
    """The rows of each policy's table, the most changed first."""
    groups = []
    for policy, mine in lines.groupby("policy", sort=False):
        by_unit = {
            key: unit.set_index("measure", drop=False)
            for key, unit in mine.groupby(["kind", "id"], sort=False)
        }
        dealt = words.most_changed(mine[mine["measure"] == "dealt"])
        rows = [_row(by_unit[line["kind"], line["id"]]) for _, line in dealt.iterrows()]
        groups.append({"whose": f" ({policy})" if several else "", "rows": rows})
    return groups


def _row(lines: pd.DataFrame) -> list[_Cell]:
    """One card, keyword or set: its win rate dealt, and the differences in everything else."""
    dealt = lines.loc["dealt"]
    others = [view.name for view in VIEWS[1:]] + ["mindbug_rate", "dead_rate", "mean_turn_played"]
    return [
        _Cell(dealt["name"]),
        *(
            _Cell(f"{100 * dealt[side]:.1f}", dealt[side], title=f"n = {count(dealt[n])}")
            for side, n in (("base", "base_n"), ("variant", "variant_n"))
        ),
        _difference(dealt),
        _verdict(dealt),
        *(_difference(lines.loc[name]) if name in lines.index else _Cell("–") for name in others),
    ]


def _difference(line: pd.Series) -> _Cell:
    """A difference with its interval; its p-values and verdict are shown on pointing."""
    title = (
        f"{words.verdict_in_words(line)}; n = {count(line['base_n'])}, {count(line['variant_n'])}"
    )
    if pd.notna(line["p_value"]):
        title += f"; p = {line['p_value']:.2g}, q = {line['q_value']:.2g}"
    interval = words.interval_in_words(line)
    kind = _colour(line)
    return _Cell(words.difference_in_words(line), line["difference"], interval, title, kind)


def _colour(line: pd.Series) -> str:
    """The class of a difference: those that changed stand out."""
    if line["verdict"] != CHANGED:
        return ""
    return "strong" if line["difference"] > 0 else "weak"


def _verdict(line: pd.Series) -> _Cell:
    mark = {"strong": "▲ ", "weak": "▼ "}.get(_colour(line), "")
    return _Cell(f"{mark}{words.verdict_in_words(line)}", kind=f"word {_colour(line)}".strip())


def _game_row(line: pd.Series) -> list[_Cell]:
    meaning = words.MEASURE_WORDS[line["measure"]]
    return [
        _Cell(f"{meaning[0].upper()}{meaning[1:]}"),
        *(_Cell(words.value_in_words(line, side, 2)) for side in ("base", "variant")),
        _difference(line),
        _verdict(line),
    ]


def _run_facts(comparison: Comparison) -> list[tuple[str, str]]:
    """What was played, with everything needed to play it again."""
    runs = {"Base": comparison.base, "Variant": comparison.variant}
    facts = [
        (
            name,
            f"{describe_sets(run.manifest)}; {count(run.n_games)} games, seed"
            f" {run.manifest['seed']}; pool SHA-256 {run.manifest['pool_hash']}",
        )
        for name, run in runs.items()
    ]
    one = comparison.base.manifest
    reduction = words.median_reduction(comparison.table)
    facts.append(("Players", " against ".join(one["policies"])))
    if comparison.paired:
        facts.append(("Same deals", f"{percent(comparison.same_deals)} of the games"))
        facts.append(
            (
                "Variance reduction",
                f"{reduction:.2f}, the median over the cards dealt"
                if reduction == reduction
                else "nothing differs",
            )
        )
    facts.append(("Rules version", str(one["rules_version"])))
    versions = ", ".join(f"{name} {version}" for name, version in one["versions"].items())
    return [*facts, ("Versions", versions)]
