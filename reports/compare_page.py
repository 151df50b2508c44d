"""The page of a comparison: what was changed, what differs, what is shown unchanged.

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

from analysis.comparison import Comparison, write_comparison
from analysis.tables import csv_text
from analysis.views import CHANGED, CHANGES, VIEWS
from reports import compare_words as words
from reports.balance_page import inline_svg
from reports.compare_charts import draw_changes
from reports.theme import count, percent
from reports.wording import describe_sets
from simcore.run_folder import write_file

_TEMPLATES = Path(__file__).parent / "templates"


class _Cell(NamedTuple):
    """One cell: its text, the number that it sorts by, and what is said about it."""

    text: str
    value: float | None = None
    interval: str = ""
    title: str = ""
    kind: str = ""


def write_compare_page(comparison: Comparison, folder: Path, command: str) -> Path:
    """Write tables, chart and page of a comparison into ``folder``; the path of the page.

    ``command`` is what was typed.  The same comparison gives the same bytes.  Raises RunError when
    something cannot be written.
    """
    write_comparison(comparison, folder)
    charts = [
        inline_svg(path.with_suffix(".svg").read_text(), f"changes {policy}")
        for policy, path in draw_changes(comparison, folder / "figures").items()
    ]
    page = folder / "compare.html"
    write_file(page, render_compare_page(comparison, charts, command).encode())
    return page


def card_headings() -> list[tuple[str, str, str]]:
    """Heading, class and meaning of each column of the table of cards."""
    return _headings("Card")


def card_groups(comparison: Comparison) -> list[dict[str, Any]]:
    """The rows of the table of cards of each policy, the most changed first."""
    cards = comparison.table[comparison.table["kind"] == "card"]
    return _groups(cards, cards["policy"].nunique() > 1)


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
