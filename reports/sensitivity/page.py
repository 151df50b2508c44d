"""The page of a sensitivity analysis, ``sensitivity.html``: all it needs, without a network."""

from collections.abc import Callable, Mapping
from functools import partial
from pathlib import Path

import pandas as pd
from markupsafe import Markup, escape

from analysis.questions.worth import SHAPLEY
from reports.balance.page import Page, render_page
from reports.balance.sections import Block, Downloads, Figures, Grid, Section, Terms, Text
from reports.kit.cells import Cell, Column, cell_of, counted, number, word
from reports.kit.drawing import Chart
from reports.kit.figures import write_figures
from reports.kit.inline_svg import Shared, drawings
from reports.kit.verdicts import Q_TEXT, kind_of, settled
from reports.kit.words import UNKNOWN, bare_percent, chance, level, percent, points, signed, times
from reports.sensitivity import text
from reports.sensitivity.text import Shown
from simcore.sealed import write_file

PAGE = "sensitivity.html"
#: Charts of the first screen: the first of them that there is.
_FIRST = ("steps", "variants", "worth", "heat_map", "parts")
# Rows of the table where changes are in the order of their size: where more are settled, these.
_LEAST_ROWS = 40


def write_page(shown: Shown, charts: Mapping[str, Chart], folder: Path, command: str) -> Path:
    """Write charts and page of an analysis into ``folder``; the path of the page.

    ``command`` is what was typed.  The same tables give the same bytes.  Raises RunError when
    something cannot be written.
    """
    tables = dict(shown.tables) | {"sensitivity": shown.lines}
    if "values" in tables and shown.several and shown.worth.empty:
        tables["values"] = tables["values"].iloc[:0]
    drawn = write_figures(tables, folder / "figures", caption=shown.caption, charts=charts)
    shared = Shared()
    pictures = {name: one for name, one in drawings(drawn, shared).items() if one}
    typed = Markup(f"<code>{escape(command)}</code>")
    lead = next((name for name in _FIRST if name in pictures), "")
    sections = [
        Section("values", "Worth", _values(shown, lead)),
        Section("means", "On average over the cards", _means(shown)),
        Section("changes", "Changes", _changes(shown, lead)),
        Section("parts", "Parts", _parts(shown, lead)),
        Section("method", "Method", _method(shown)),
        Section("run", "What was played", [Terms([*shown.facts, ("Command", typed)])]),
    ]
    page = Page(
        title=f"{shown.subject}: what changes do",
        headline=text.headline(shown) or f"{shown.subject}: what changes do",
        played=shown.played,
        findings=text.findings(shown),
        lead=Figures.of(lead) if lead else None,
        sections=sections,
        saved=shown.tables,
    )
    path = folder / PAGE
    write_file(path, render_page(page, pictures, shared).encode())
    return path


def _points(row: pd.Series, column: str = "difference", *, tested: bool = True) -> Cell:
    """An estimate and its interval in points; where it was ``tested``, a clear one has a colour."""
    cell = number(row[column], *_ends(row, column), partial(points, digits=2))
    return cell._replace(kind=kind_of(row, column)) if tested else cell


def _mean(row: pd.Series) -> Cell:
    return number(row["difference"], *_ends(row, "difference"), partial(signed, digits=2))


def _ends(row: pd.Series, column: str) -> tuple[float, float]:
    return row[f"{column}_ci_low"], row[f"{column}_ci_high"]


def _q(row: pd.Series) -> Cell:
    return Cell(chance(row["q_value"]) or UNKNOWN, row["q_value"])


def _share(row: pd.Series, column: str) -> Cell:
    return Cell(percent(row[column]), row[column])


def _column(heading: str, cell: Callable[[pd.Series], Cell], meaning: str = "") -> Column:
    return Column(heading, meaning, cell)


def _words(heading: str, column: str) -> Column:
    return Column(heading, "", lambda row: word(str(row[column]) or UNKNOWN), "word")


def _n(heading: str, column: str = "n", meaning: str = "") -> Column:
    return _column(heading, cell_of(column, counted), meaning)


def _difference(heading: str, column: str, *, tested: bool = True) -> Column:
    return _column(heading, lambda row: _points(row, column, tested=tested))


def _values(shown: Shown, lead: str) -> list[Block]:
    values = shown.table("values")
    if values.empty or (shown.several and shown.worth.empty):
        return []
    ranked = values.sort_values(["value", "name"], ascending=[False, True])

    def worth(row: pd.Series) -> Cell:
        if row["card_id"] == row["reference"]:
            return Cell("0, the reference", 0.0)
        return _points(row, "value")

    columns = [
        _column("Card", lambda row: Cell(row["name"])),
        _column("Worth, points", worth),
        _column("q", _q),
        _column("Won when dealt", lambda row: _share(row, "dealt_win_rate")),
        _difference("Minus one half, points", "advantage", tested=False),
        _n("n", meaning="players dealt the card, over all games"),
        _n("Copies", "copies", "all copies of a card change together"),
    ]
    return [
        Text(
            "Worth is the win rate of players dealt the card, minus their win rate on the same"
            " deals with the reference in its place. Beside it is what is observed without an"
            " experiment: the win rate when dealt, minus one half.",
            how=True,
        ),
        Figures(tuple({"worth"} - {lead})),
        Grid.of(columns, ranked, "Table of worth", "sortable"),
        Downloads.of("values"),
    ]


def _means(shown: Shown) -> list[Block]:
    means = shown.table("by_change")
    if means.empty:
        return []
    words = partial(bare_percent, digits=2)
    columns = [
        _column("Change", lambda row: Cell(text.kind_of_change(row["change"]))),
        _n("Cards", "n_cards"),
        _difference("Mean, points", "effect"),
        _column("q", _q),
        _column("Spread, points", lambda row: number(row["spread"], *_ends(row, "spread"), words)),
        _n("Raises", "cards_up", "on how many cards it is shown to do so"),
        _n("Lowers", "cards_down", "on how many cards it is shown to do so"),
        _n("n"),
    ]
    return [
        Text(
            "What each change does to the win rate of players dealt the changed card: the mean over"
            " the cards that can have it, each counted once, and the standard deviation between"
            " cards, with the part due to luck removed. The cards are those of this pool; the"
            " intervals cover the luck of the games.",
            how=True,
        ),
        Grid.of(columns, means, "Table of changes on average", "sortable"),
        Downloads.of("by_change"),
    ]


def _changes(shown: Shown, lead: str) -> list[Block]:
    rows, table = shown.lines, shown.table("sensitivity")
    if rows.empty:
        return []
    key = [one for one in ("card_id", "change", "entry", "number", "changed_to") if one in table]
    others = {name: rows.set_index(key) for name, rows in table.groupby("measure")}
    most = len(rows)
    if "difference_shrunk" in rows:
        most = max(_LEAST_ROWS, len(settled(rows, "difference")))
    columns, result = [*_change_columns(shown)], shown.nouns.result
    columns += [
        _column("Before", lambda row: _share(row, "base"), f"{result} without the change"),
        _column("After", lambda row: _share(row, "variant"), f"{result} with the change"),
        _difference("Difference, points", "difference"),
        _column("q", _q),
    ]
    for measure, (_, unit, heading) in shown.nouns.measures.items():
        columns.append(_other(heading, others[measure], key, _mean if unit else _points))
    columns += [
        _n("n"),
        _n("Games that differ", "differing"),
        _column(
            "Games saved",
            lambda row: _saved(row["variance_reduction"]),
            "how many times as many games separate runs would need for the same certainty",
        ),
    ]
    more = f" {len(rows) - most} smaller changes are in the table to be saved."
    return [
        Text(
            "One change at a time, on the same deals. Differences are with the change minus"
            f" without it, in percentage points with {level()} intervals; a coloured one has an"
            " interval without zero.",
            how=True,
        ),
        Figures(tuple(name for name in ("steps", "variants", "heat_map") if name != lead)),
        Grid.of(columns, rows.iloc[:most], "Table of changes", "sortable"),
        *(
            [Text(f"Largest first, allowing for chance.{more}", hint=True)]
            if len(rows) > most
            else []
        ),
        Downloads.of("sensitivity"),
    ]


def _other(
    heading: str, lines: pd.DataFrame, key: list[str], cell: Callable[[pd.Series], Cell]
) -> Column:
    """What changes do to another measure; ``lines`` are by the columns of the ``key``."""
    return _column(heading, lambda row: cell(lines.loc[tuple(row[key])]))


def _change_columns(shown: Shown) -> list[Column]:
    if "changed_to" not in shown.lines:
        label = _words("Change", "label")
        named = _column("Card", lambda row: Cell(row["name"]))
        return [named, label] if shown.several else [label]
    columns = [
        _column("What", lambda row: Cell(text.what(row))),
        Column("Change", "", lambda row: word(text.step(row)), "word"),
    ]
    return columns + [_words("Known", "confidence")] * ("confidence" in shown.lines)


def _saved(factor: float) -> Cell:
    return Cell(UNKNOWN if pd.isna(factor) else times(factor), factor)


def _parts(shown: Shown, lead: str) -> list[Block]:
    parts = shown.table("parts")
    if parts.empty:
        return []

    def share(row: pd.Series) -> Cell:
        """The whole itself has no interval."""
        if row["kind"] == "total":
            return Cell(UNKNOWN if pd.isna(row["share"]) else text.percent_of(row["share"]))
        return number(row["share"], *_ends(row, "share"), text.percent_of)

    from_all = {SHAPLEY: "all combinations"}
    columns = [_column("Card", lambda row: Cell(row["name"]))] * shown.several + [
        _words("Part", "label"),
        _difference("Adds, points", "worth"),
        _difference("Alone", "alone", tested=False),
        _difference("Last", "last", tested=False),
        _column("Share", share),
        _column("q", _q),
        Column("From", "", lambda row: word(from_all.get(row["method"], "one at a time")), "word"),
    ]
    return [
        Text(
            "The whole is the card against a plain creature with the reference's power. With up to"
            " four parts every combination was played, and each part is credited with what it adds"
            " on average over all orders of adding the parts (the Shapley value, 1953), so that the"
            " parts add up to the whole. Beside that is what the part adds alone, to the plain"
            " creature, and last, to all the other parts; where parts work against each other these"
            " differ, and no shares are given. With more than four parts only the last is known,"
            " and the parts need not add up.",
            how=True,
        ),
        Figures(tuple({"parts"} - {lead})),
        Grid.of(columns, parts, "Table of parts", "sortable"),
        Downloads.of("parts"),
    ]


def _method(shown: Shown) -> list[Block]:
    nouns = shown.nouns
    sized = (
        " Of many changes some look large by chance alone, so they are ordered after each was drawn"
        " towards zero by what all of them together say that chance has added to it."
    )
    middle = (
        " The reference is the average card, whose win rate when dealt is nearest to one half,"
        " unless another was named."
    )
    return [
        Text(
            f"Game i has the same {nouns.same} with every change for as long as the two games stay"
            " alike; a game that reads nothing of what is changed stays the same game. The change"
            " is the only difference between the two, so the difference of their results is its"
            f" effect: {nouns.where}, among these players. Stronger players may make more of the"
            f" same change.{nouns.more}"
        ),
        Text(
            f"The intervals are corrected for their number: of those that leave zero out, {level()}"
            " hold (Benjamini and Yekutieli 2005)."
            f"{sized if 'difference_shrunk' in shown.lines else ''}"
            f"{middle if len(shown.table('values')) else ''} {Q_TEXT}"
            f" {text.around_zero(shown.lines)} The full account with"
            " sources is in docs/methods.md."
        ),
    ]
