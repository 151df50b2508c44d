"""Matchups on the page of a run: which faction or deck beats which, and what people settle on."""

from collections.abc import Iterator, Mapping

import pandas as pd
from matplotlib.axes import Axes

from analysis.own_games.contract import ANALYSIS
from analysis.verdicts import MORE, SETTLED
from reports.balance.sections import Block, Downloads, Figures, Grid, Section, Tab, Text
from reports.kit.cells import Column, cell_of, counted, estimate_of, verdict
from reports.kit.drawing import IN_CELLS, Charts, matrix_cell, new_axes, set_titles, width_of
from reports.kit.theme import COOL, INK, PAPER, WARM
from reports.kit.words import Finding, bare_percent, between, capital, display_name, listed, percent

CHARTS = Charts(ANALYSIS.all_tables)
_NAMED, _ROW = 4, 0.42
# Columns up to which there is room for names below them.
_WIDE_NAMES = 5
# A share of the metagame that is told.
_TOLD = 0.005


@CHARTS.draws("matchups", "matchups", optional=True, intervals=False)
def plot_matchups(matchups: pd.DataFrame, *, ax: Axes | None = None) -> Axes:
    """The outcome of each row against each column, of the first kind that the table has."""
    rows = matchups[matchups["kind"] == matchups["kind"].iloc[0]]
    place = {one: at for at, one in enumerate(dict.fromkeys(rows["id"]))}
    known = dict(zip(rows["id"], rows["name"], strict=True))
    names = [display_name(known[one]) for one in place]
    short = names
    if len(names) > _WIDE_NAMES:
        short = [str(number) for number, _ in enumerate(names, 1)]
        names = [f"{name}  {number}" for name, number in zip(names, short, strict=True)]
    most = (rows["outcome"] - 0.5).abs().max() or 1.0
    ax = ax or new_axes(_ROW * len(place), left=width_of(names), legend=False)
    for row in rows.itertuples():
        x, y, ahead = place[row.against_id], place[row.id], row.outcome - 0.5
        strength = abs(ahead) / most
        ax.add_patch(matrix_cell(x, y, WARM if ahead > 0 else COOL, strength))
        ax.text(
            x, y, bare_percent(row.outcome), ha="center", va="center", fontsize=IN_CELLS,
            color=PAPER if strength > 0.6 else INK,
            fontweight="bold" if row.verdict in SETTLED else "normal",
        )  # fmt: skip
    ax.set_xticks(range(len(place)), short, parse_math=False)
    ax.set_yticks(range(len(place)), names, parse_math=False)
    ax.set_xlim(-0.5, len(place) - 0.5)
    ax.set_ylim(len(place) - 0.5, -0.5)
    ax.grid(visible=False)
    ax.set_xlabel("the other seat has")
    sure = rows[rows["verdict"].isin(SETTLED)].nlargest(1, "outcome")
    told = [
        f"{display_name(one.name)} gets {percent(one.outcome)} against"
        f" {display_name(known[one.against_id])}"
        for one in sure.itertuples(index=False)
    ]
    words = "outcome of the row in per cent; bold: settled"
    set_titles(ax, next(iter(told), "No matchup is shown to be uneven"), words)
    return ax


def matchup_findings(tables: Mapping[str, pd.DataFrame]) -> Iterator[Finding]:
    """Who is shown to beat whom, and what all would choose who know the matchups."""
    matchups, metagame = (tables.get(name, pd.DataFrame()) for name in ("matchups", "metagame"))
    if not len(matchups):
        return
    for kind, rows in matchups.groupby("kind"):
        won = rows[rows["verdict"] == MORE].sort_values("outcome", ascending=False)
        beats = [
            f"{row['name']} beats {row['against']}: {percent(row['outcome'])}"
            f" ({between(row['outcome_ci_low'], row['outcome_ci_high'])})"
            for _, row in won.iterrows()
        ]
        text = f"{'; '.join(beats)}." if beats else f"No {kind} is shown to beat another."
        chosen = metagame[(metagame["kind"] == kind) & (metagame["share"] >= _TOLD)]
        if len(chosen):
            best = chosen.sort_values("share", ascending=False)
            shares = listed([_share(row) for _, row in best.iterrows()], _NAMED)
            text += f" Those who choose freely and know all matchups settle on {shares}."
        yield Finding(f"{capital(str(kind))} against {kind}", text)


def _share(row: "pd.Series[float]") -> str:
    """An entry of the metagame: "Mages", or "60% Pack (42 to 77%)"."""
    if row["share_ci_low"] == 1:
        return str(row["name"])
    ends = between(row["share_ci_low"], row["share_ci_high"], 0)
    return f"{percent(row['share'], 0)} {row['name']} ({ends})"


def matchup_tabs(tables: Mapping[str, pd.DataFrame]) -> list[Tab]:
    """The tab of the page, where there are matchups."""
    matchups, metagame = (tables.get(name, pd.DataFrame()) for name in ("matchups", "metagame"))
    if not len(matchups):
        return []
    of_pairs = (
        Column("Entry", "", cell_of("name"), "word"),
        Column("Against", "", cell_of("against"), "word"),
        Column("Seats", "how many seats", cell_of("n", counted)),
        Column("Outcome, %", "mean outcome", estimate_of("outcome", bare_percent, "n")),
        Column("Than half", "for all pairs together", cell_of("verdict", verdict)),
    )
    of_all = (
        Column("Entry", "", cell_of("name"), "word"),
        Column(
            "Metagame, %",
            "by how many who choose freely and know the matchups",
            estimate_of("share", bare_percent),
        ),
    )
    blocks: list[Block] = [
        Text(
            "Which entry a seat has comes by lot, so a matchup is what the two do to each other in"
            " the hands of these players. Those who choose freely and know all matchups settle on"
            " the mixed equilibrium below: nothing does better than half against it."
        ),
        Figures.of("matchups"),
        Grid.of(of_all, metagame, "What people settle on", "sortable"),
        Grid.of(of_pairs, matchups, "Table of matchups", "sortable"),
        Downloads.of("matchups", "metagame"),
    ]
    return [Tab("Matchups", [Section("matchups", "Matchups", blocks)])]
