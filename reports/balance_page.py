"""The balance report: one HTML page that holds all it needs and works without a network.

Everything that comes from a card or a manifest is escaped by Jinja, or drawn as outlines in a
chart; the page's content security policy lets no script run but its own.
"""

import base64
import hashlib
import math
import os
import re
from collections.abc import Callable, Mapping
from functools import partial
from pathlib import Path
from typing import Any, NamedTuple

import jinja2
import pandas as pd
from markupsafe import Markup, escape

from analysis.tables import csv_text
from analysis.views import (
    BEGINNERS,
    EXPERTS,
    MEASURES,
    OBSERVED,
    SCORE,
    SKILL_CHANGE,
    SKILL_VERDICTS,
    STATISTICS,
    STRONG,
    SYSTEM_STATISTICS,
    VERDICTS,
    VIEWS,
    WEAK,
)
from reports import wording
from reports.run_report import ChartFiles, RunReport, draw_charts, read_report
from reports.theme import COLOURS, between, count, percent, points
from reports.until import rule_facts, rule_in_words
from simcore.run_folder import write_file

_TEMPLATES = Path(__file__).parent / "templates"
#: What a report says where somebody played at random.
BASELINE = (
    "At least one player chose at random among all legal options. That says little about real play:"
    " it undervalues every card that has to be played well."
)
_STAGE_NUMBERS = ("–", "I", "II", "III")
_MARKS = {STRONG: "▲", WEAK: "▼"}


class _Cell(NamedTuple):
    """One cell: its text, the number that it sorts by, and what is said about it."""

    text: str
    value: float | None = None
    interval: str = ""
    title: str = ""
    kind: str = ""


class _Column(NamedTuple):
    """One column of the table of cards."""

    heading: str
    meaning: str
    cell: Callable[[Any], _Cell]
    kind: str = ""
    sorted: bool = False


def write_report(folder: str | os.PathLike[str]) -> Path:
    """Write the charts and the page of an analysed run; return the path of the page.

    Reads ``manifest.json`` and ``tables/`` in ``folder``; writes ``figures/`` and ``report.html``.
    There is a section on skill where players were compared.
    The same tables give the same bytes.  Raises RunError when the run or its tables are missing or
    damaged, or do not belong together, or the report cannot be written.
    """
    report = read_report(folder)
    return write_page(report, draw_charts(report))


def write_page(report: RunReport, files: ChartFiles) -> Path:
    """Write ``report.html`` with the charts in ``files``; its path.  Raises RunError."""
    charts = {
        name: [
            inline_svg(path.with_name(f"{path.name}.svg").read_text(), path.name)
            for path in paths.values()
        ]
        for name, paths in files.items()
    }
    from reports.before import before_section

    path = report.run.folder / "report.html"
    before = before_section(report.before)
    html = render_page(report.run.manifest, report.tables, charts, before=before)
    write_file(path, html.encode())
    return path


def render_page(
    manifest: Mapping[str, Any],
    tables: Mapping[str, pd.DataFrame],
    charts: Mapping[str, list[Markup]],
    *,
    before: Mapping[str, Any] | None = None,
) -> str:
    """The page as text.

    Parameters
    ----------
    manifest
        That of the run.
    tables
        Those of `analysis.analyze`, and of `analysis.skill_tables` where players were compared.
    charts
        For each of `charts.CHARTS`, and of `SKILL_CHARTS` if needed, its drawings as `inline_svg`
        gives them.
    before
        What differs from an earlier run, as `before.before_section` gives it.
    """
    script = (_TEMPLATES / "balance.js").read_text()
    digest = base64.b64encode(hashlib.sha256(script.encode()).digest()).decode()
    cards, keywords, columns = tables["cards"], tables["keywords"], _card_columns()
    skill = tables.get("skill_cards")
    return page_template("balance.html").render(
        title=f"{wording.describe_sets(manifest)}: balance report",
        played=wording.describe_run(manifest),
        baseline=BASELINE if "random" in manifest["policies"] else "",
        script=Markup(script),
        script_hash=f"sha256-{digest}",
        findings=wording.findings(tables),
        charts=charts,
        csv={name: base64_csv(table) for name, table in tables.items()},
        card_columns=columns,
        card_groups=[
            {
                "whose": f" ({policy})" if cards["policy"].nunique() > 1 else "",
                "outliers": wording.outliers(mine),
                "rows": [
                    [column.cell(card) for column in columns]
                    for _, card in mine.sort_values("dealt_win_rate", ascending=False).iterrows()
                ],
            }
            for policy, mine in cards.groupby("policy", sort=False)
        ],
        skill=None if skill is None else _skill_section(skill, tables["skill_summary"]),
        keyword_rows=[_keyword_row(row) for row in keywords[keywords["dealt_n"] > 0].itertuples()],
        set_rows=[_set_row(row) for _, row in tables["sets"].iterrows()],
        stage_rows=[_stage_row(row) for _, row in tables["stages"].iterrows()],
        power_rows=[_power_row(row) for _, row in tables["power_cards"].iterrows()],
        dice_rows=[_dice_row(row) for _, row in tables["dice"].iterrows()],
        dice_words=" ".join(
            finding.text for finding in wording.findings(tables) if finding.topic == "Dice"
        ),
        open_rows=[_open_row(row) for _, row in tables["open_points"].iterrows()],
        has_quantities=len(tables["per_game"]) > 0,
        observed=OBSERVED,
        summary_rows=[_summary_row(row) for row in tables["summary"].itertuples()],
        score=SCORE,
        views=VIEWS,
        measures=MEASURES,
        verdicts=VERDICTS,
        band=f"{100 * cards['band'].iloc[0]:g} percentage points",
        run_facts=run_facts(manifest, cards),
        rule=rule_in_words(manifest),
        before=before,
    )


def page_template(name: str) -> jinja2.Template:
    """A template that escapes what it is given and knows the ``style`` of all pages."""
    environment = jinja2.Environment(
        loader=jinja2.FileSystemLoader(_TEMPLATES),
        autoescape=True,
        undefined=jinja2.StrictUndefined,
        trim_blocks=True,
    )
    environment.filters["with_code"] = _with_code
    environment.globals["style"] = Markup((_TEMPLATES / "balance.css").read_text())
    return environment.get_template(name)


def base64_csv(table: pd.DataFrame) -> str:
    """A table as it stands in a page to be saved from it."""
    return base64.b64encode(csv_text(table).encode()).decode()


def inline_svg(svg: str, label: str) -> Markup:
    """A chart as an element of a page.

    Takes the colours of the page, and no names from outside: ids get a prefix, comments and
    metadata go.  ``label`` is read out by screen readers.
    """
    drawing = svg[svg.index("<svg") :]
    for unwanted in (r"<!--.*?-->", r"<metadata>.*?</metadata>", r"<style.*?</style>"):
        drawing = re.sub(unwanted, "", drawing, flags=re.DOTALL)
    prefix = re.sub(r"\W", "-", label)
    drawing = re.sub(r'\bid="', f'id="{prefix}-', drawing)
    drawing = re.sub(r'xlink:href="#', f'href="#{prefix}-', drawing)
    drawing = drawing.replace("url(#", f"url(#{prefix}-")
    for name, colour in COLOURS.items():
        drawing = drawing.replace(colour, f"var(--{name})")
    view_box = re.search(r'viewBox="[^"]*"', drawing)
    assert view_box is not None
    words = escape(label.replace("_", " "))
    head = f'<svg {view_box[0]} role="img" aria-label="Chart: {words}">'
    return Markup(head + re.sub(r"\n\s*", "\n", drawing[drawing.index(">") + 1 :]).strip())


def _with_code(text: str) -> Markup:
    """Text of ours, with the names in `backquotes` set as code."""
    return Markup(re.sub(r"`(.+?)`", r"<code>\1</code>", str(escape(text))))


def _card_columns() -> list[_Column]:
    """The columns of the table of cards: what a designer looks for first comes first."""
    dealt, *others = (
        _Column(
            view.name.replace("_", " ").capitalize(),
            f"Win rate of the player-games in which {view.definition}.",
            partial(_rate, view=view.name),
            sorted=view.name == "dealt",
        )
        for view in VIEWS
    )
    verdicts = "; ".join(f"{word}: {meaning}" for word, meaning in VERDICTS.items())
    return [
        _Column("Card", "printed name", lambda card: _Cell(card["name"]), "word"),
        _Column("Power", "printed power", lambda card: _whole(card["power"])),
        dealt,
        _Column(
            "Advantage",
            f"In percentage points. {MEASURES['advantage']}",
            partial(_estimate, column="advantage", words=points),
        ),
        _Column("Verdict", verdicts, _verdict, "word"),
        _Column("Keywords", "printed keywords", _keywords, "word"),
        _Column("Copies", "copies in the pool", lambda card: _whole(card["copies"])),
        *others,
        _Column(
            "Mindbug rate",
            MEASURES["mindbug_rate"],
            partial(_estimate, column="mindbug_rate", words=_bare_percent, n="mindbug_n"),
        ),
        _Column(
            "Dead",
            MEASURES["dead_rate"],
            partial(_estimate, column="dead_rate", words=_bare_percent, n="drawn_n"),
        ),
        _Column(
            "Turn played",
            MEASURES["mean_turn_played"],
            partial(_estimate, column="mean_turn_played", words="{:.1f}".format),
        ),
    ]


def _whole(number: int) -> _Cell:
    return _Cell(str(number), number)


def _keywords(card: pd.Series) -> _Cell:
    return _Cell(card["keywords"].replace(" ", ", ").capitalize(), kind="word")


def _verdict(card: pd.Series) -> _Cell:
    verdict = card["verdict"]
    return _Cell(f"{_MARKS.get(verdict, '')} {verdict}".strip(), kind=f"word {verdict}")


def _rate(card: pd.Series, view: str) -> _Cell:
    """The win rate of a view."""
    low, high = card[f"{view}_ci_low"], card[f"{view}_ci_high"]
    return _number(card[f"{view}_win_rate"], low, high, _bare_percent, card[f"{view}_n"])


def _estimate(
    card: pd.Series, column: str, words: Callable[[float], str], n: str | None = None
) -> _Cell:
    """Another estimate with its interval; ``n`` is the column with its number of observations."""
    low, high = card[f"{column}_ci_low"], card[f"{column}_ci_high"]
    return _number(card[column], low, high, words, None if n is None else card[n])


def _number(
    estimate: float, low: float, high: float, words: Callable[[float], str], n: int | None
) -> _Cell:
    if math.isnan(estimate):
        return _Cell("–", math.nan)
    known = not math.isnan(low)
    interval = f"{words(low)}\N{THIN SPACE}–\N{THIN SPACE}{words(high)}" if known else ""
    title = "" if n is None else f"n = {count(n)}"
    return _Cell(words(estimate), round(estimate, 6), interval, title)


def _bare_percent(share: float, digits: int = 1) -> str:
    return f"{100 * share:.{digits}f}"


def _skill_section(skill_cards: pd.DataFrame, skill_summary: pd.DataFrame) -> dict[str, Any]:
    """What the section on skill shows besides its charts."""
    summary = skill_summary.sort_values("rung")
    columns = _skill_columns(list(summary["policy"]))
    by_change = skill_cards.sort_values(["change", "rung"], ascending=[False, True], kind="stable")
    return {
        "words": wording.skill_in_words(skill_cards, skill_summary),
        "columns": columns,
        "rows": [
            [column.cell(rows.set_index("rung")) for column in columns]
            for _, rows in by_change.groupby("card_id", sort=False)
        ],
        "summary_rows": [_skill_summary_row(row) for _, row in summary.iterrows()],
        "verdicts": SKILL_VERDICTS,
        "change": SKILL_CHANGE,
    }


def _skill_columns(policies: list[str]) -> list[_Column]:
    """The columns of the table of cards by who plays; their cells take the rows of one card."""

    def of_policy(rows: pd.DataFrame, rung: int, **estimate: Any) -> _Cell:
        return _estimate(rows.loc[rung], **estimate)

    change = partial(of_policy, rung=0, column="change", words=points)
    verdicts = "; ".join(f"{word}: {meaning}" for word, meaning in SKILL_VERDICTS.items())
    return [
        _Column("Card", "printed name", lambda rows: _Cell(rows["name"].iloc[0]), "word"),
        _Column("Change", f"In percentage points. {SKILL_CHANGE}.", change, sorted=True),
        _Column("By skill", verdicts, _skill_verdict, "word"),
        *(
            _Column(
                f"Advantage, {policy}",
                f"In percentage points, both players {policy}. {MEASURES['advantage']}",
                partial(of_policy, rung=rung, column="advantage", words=points, n="n"),
            )
            for rung, policy in enumerate(policies)
        ),
        *(
            _Column(
                f"Mindbug rate, {policy}",
                f"In per cent, both players {policy}. {MEASURES['mindbug_rate']}",
                partial(
                    of_policy, rung=rung, column="mindbug_rate", words=_bare_percent, n="mindbug_n"
                ),
            )
            for rung, policy in enumerate(policies)
        ),
    ]


def _skill_verdict(rows: pd.DataFrame) -> _Cell:
    verdict = rows["skill_verdict"].iloc[0]
    kind = {EXPERTS: STRONG, BEGINNERS: WEAK}.get(verdict, "")  # of the same colours
    return _Cell(f"{_MARKS.get(kind, '')} {verdict}".strip(), kind=f"word {kind}".strip())


def _skill_summary_row(row: pd.Series) -> list[_Cell]:
    two_digits = "{:.2f}".format
    return [
        _Cell(row["policy"]),
        _Cell(count(row["n_games"]), row["n_games"]),
        _estimate(row, "first_player_advantage", points),
        _estimate(row, "mean_mindbugs_used", two_digits),
        _estimate(row, "mean_turns", "{:.1f}".format),
        _estimate(row, "draw_rate", partial(_bare_percent, digits=2)),
    ]


def _keyword_row(row: Any) -> dict[str, Any]:
    return {
        "keyword": row.keyword.capitalize(),
        "policy": row.policy,
        "n_cards": row.n_cards,
        "n": count(row.dealt_n),
        "text": percent(row.dealt_win_rate),
        "interval": between(row.dealt_ci_low, row.dealt_ci_high),
    }


def _set_row(row: pd.Series) -> list[_Cell]:
    return [
        _Cell(row["name"]),
        _Cell(row["policy"], kind="word"),
        _whole(row["n_cards"]),
        _whole(row["copies"]),
        _rate(row, "dealt"),
        _estimate(row, "effect", partial(points, digits=2)),
        _rate(row, "drawn"),
        _rate(row, "entered"),
        _rate(row, "taken"),
    ]


def _stage_row(row: pd.Series) -> list[_Cell]:
    return [
        _Cell(row["name"]),
        _Cell(row["policy"], kind="word"),
        _Cell(_STAGE_NUMBERS[row["stage"]], row["stage"]),
        _Cell(row["stage_name"] if row["card_id"] else "–", kind="word"),
        _estimate(row, "share", _bare_percent),
        _rate(row, "dealt"),
        _rate(row, "entered"),
    ]


def _power_row(row: pd.Series) -> list[_Cell]:
    return [
        _Cell(row["name"]),
        _Cell(row["policy"], kind="word"),
        _whole(row["cost"]),
        _whole(row["copies"]),
        _estimate(row, "bought_share", _bare_percent),
        _rate(row, "bought"),
    ]


def _dice_row(row: pd.Series) -> list[_Cell]:
    two_digits = partial(_bare_percent, digits=2)
    return [
        _Cell(row["face"].capitalize()),
        _Cell(count(row["results"]), row["results"]),
        _estimate(row, "share", two_digits),
        _Cell(two_digits(row["expected"])),
    ]


def _open_row(row: pd.Series) -> list[_Cell]:
    return [
        _Cell(row["open_point"]),
        _Cell(row["meaning"], kind="text"),
        _Cell(count(row["came_up"]), row["came_up"]),
        _estimate(row, "share", partial(_bare_percent, digits=2)),
    ]


def _summary_row(row: Any) -> dict[str, str]:
    words: Callable[[float], str]
    if row.statistic.endswith("_rate"):
        words = partial(percent, digits=3)
    elif row.statistic.endswith("_effect"):
        words = partial(points, digits=3)
    else:
        words = "{:.3f}".format
    known, bounded = not math.isnan(row.estimate), not math.isnan(row.ci_low)
    return {
        "meaning": (STATISTICS | SYSTEM_STATISTICS)[row.statistic],
        "policy": row.policy,
        "estimate": words(row.estimate) if known else "unknown",
        "interval": f"{words(row.ci_low)} to {words(row.ci_high)}" if bounded else "",
        "n": count(row.n_games),
    }


def run_facts(manifest: Mapping[str, Any], cards: pd.DataFrame) -> list[tuple[str, str]]:
    """What was played, with everything needed to play it again."""
    pool = cards.drop_duplicates("card_id")
    counts = manifest["counts"]
    versions = [f"{name} {version}" for name, version in manifest["versions"].items()]
    return [
        ("Sets", wording.describe_sets(manifest)),
        ("Cards", f"{len(pool)} different, {pool['copies'].sum()} in the pool"),
        ("Card data", f"SHA-256 {manifest['pool_hash']}"),
        ("Players", wording.describe_policies(manifest)),
        ("Games", count(manifest["games"])),
        *rule_facts(manifest),
        ("Seed", str(manifest["seed"])),
        ("Stopped games", f"{counts['capped']} capped, {counts['looped']} looped"),
        ("Rules version", str(manifest["rules_version"])),
        ("Versions", ", ".join(versions)),
    ]
