"""The page of a ladder, ``ladder.html``, and its charts: who is best, by how much, what is open.

It holds all it needs, works without a network.
"""

import os
from collections.abc import Mapping, Sequence
from pathlib import Path
from typing import Any

import pandas as pd
from attrs import frozen
from matplotlib.axes import Axes

from analysis.experiments.ladder import LADDER_TABLES, analyze_ladder
from analysis.experiments.pair_games import ContestKind, read_contest
from reports.kit.cells import Cell, counted, word
from reports.kit.drawing import (
    Charts,
    draw_points,
    matrix_cell,
    name_rows,
    new_axes,
    set_titles,
    width_of,
    write_beside,
    write_in,
)
from reports.kit.figures import write_figures
from reports.kit.findings import ends
from reports.kit.inline_svg import drawings
from reports.kit.page import csv_address, write_rendered
from reports.kit.theme import BAND, BLUE, INK, MUTED, ORANGE, PAPER
from reports.kit.words import bare_percent, count, display_name, elo, interval, percent
from reports.ladder import text
from simcore.places import located

# Players of a matrix beyond which there is room for whole per cent alone.
_MOST_INTERVALS = 7

#: The charts of this module by the names of their files.
LADDER_CHARTS = Charts(LADDER_TABLES)


@frozen
class LadderWords:
    """What a game says of a ladder.

    ``what`` is played, in words; ``seats`` a sentence on how players exchange seats; ``caption``
    stands under its charts; ``facts`` are what else is needed to play it again.
    """

    what: str
    seats: str
    caption: str
    facts: Sequence[tuple[str, str]]


def write_ladder(
    kind: ContestKind, folder: str | os.PathLike[str], words: LadderWords
) -> tuple[Path, dict[str, pd.DataFrame]]:
    """Write tables, charts and page of a ladder that was played; the page's path, and the tables.

    Reads ``ladder.json`` and ``pairs/`` in ``folder``; writes ``tables/``, ``figures/`` and
    ``ladder.html``.  The same games give the same bytes, but for how fast they were played.
    Raises RunError when the ladder is unfinished or damaged or the page cannot be written.
    """
    folder = located(folder)
    tables, manifest = analyze_ladder(kind, folder), read_contest(kind, folder)
    files = write_figures(tables, folder / "figures", caption=words.caption, charts=LADDER_CHARTS)
    page = write_rendered(
        *(folder / "ladder.html", "ladder.html"),
        title=f"{words.what}: ladder of players",
        headline=text.headline(tables),
        played=text.describe(manifest, words.what),
        seats=words.seats,
        findings=text.findings(tables),
        charts=drawings(files),
        csv={name: csv_address(tables[name]) for name in LADDER_TABLES},
        rating_rows=[_rating_row(row) for row in tables["ratings"].itertuples()],
        pair_rows=[
            _pair_row(row, per_second)
            for row, per_second in zip(
                tables["pairs"].itertuples(), tables["speed"]["games_per_second"], strict=True
            )
        ],
        facts=_facts(manifest, words),
    )
    return page, tables


def _rating_row(row: Any) -> list[Cell]:
    return [
        Cell(row.player),
        Cell(elo(row.elo), interval=interval(row.elo_ci_low, row.elo_ci_high, elo)),
        *_outcomes(row),
        Cell(bare_percent(row.score)),
    ]


def _pair_row(row: Any, per_second: float) -> list[Cell]:
    score = interval(row.ci_low, row.ci_high, bare_percent)
    ahead = interval(row.elo_difference_ci_low, row.elo_difference_ci_high, elo)
    return [
        Cell(row.player),
        word(row.opponent),
        *_outcomes(row),
        Cell(bare_percent(row.score), interval=score),
        Cell(bare_percent(row.expected)),
        Cell(elo(row.elo_difference), interval=ahead),
        Cell(text.speed(per_second)),
    ]


def _outcomes(row: Any) -> list[Cell]:
    return [counted(getattr(row, name)) for name in ("games", "wins", "draws", "losses")]


def _facts(manifest: Mapping[str, Any], words: LadderWords) -> list[tuple[str, str]]:
    """What was played, with everything needed to play it again."""
    versions = (f"{name} {version}" for name, version in manifest["versions"].items())
    return [
        ("Command", manifest["command"]),
        *words.facts,
        ("Games", f"{count(sum(manifest['games']))} by {len(manifest['games'])} pairs"),
        ("Seed", str(manifest["seed"])),
        ("Rules version", str(manifest["rules_version"])),
        ("Versions", ", ".join(versions)),
    ]


@LADDER_CHARTS.draws("ratings", "ratings")
def plot_ratings(ratings: pd.DataFrame, *, ax: Axes | None = None) -> Axes:
    """The players of a ladder by their rating, with intervals, the best on top."""
    rows = ratings.iloc[::-1].reset_index(drop=True)
    names = [display_name(name) for name in rows["player"]]
    ax = ax or new_axes(0.42 * len(rows), left=width_of(names), right=0.75, legend=False)
    ax.axvline(0, color=MUTED, linewidth=1)
    draw_points(ax, rows, "elo", "elo", markersize=7)
    for row, rating in rows["elo"].items():
        write_beside(ax, row, elo(rating))
    quantity = "rating in Elo; the mean of these players is 0"
    name_rows(ax, names, lambda value, _: elo(value), quantity)
    words = "100 Elo ahead scores 64%, 400 Elo ahead 91%"
    says = "{0} is rated {1} Elo, {2} {3}"
    none = "No player is shown to be stronger than another"
    set_titles(ax, ends(names, rows, "elo", says, none=none, interval="elo", number=elo), words)
    return ax


@LADDER_CHARTS.draws("win_matrix", "pairs")
def plot_win_matrix(pairs: pd.DataFrame, *, ax: Axes | None = None) -> Axes:
    """Score of each player of a ladder against each other, the best on top and to the left."""
    back = {"player": "opponent", "opponent": "player", "ci_low": "ci_high", "ci_high": "ci_low"}
    other = pairs.rename(columns=back)
    turned = {end: 1 - other[end] for end in ("score", "ci_low", "ci_high")}
    other = other.assign(**turned, elo_difference=-pairs["elo_difference"])
    both = pd.concat([pairs, other], ignore_index=True)
    lead = both.groupby("player", sort=False)["elo_difference"].mean()
    players = list(lead.sort_values(ascending=False, kind="stable").index)
    names = [f"{display_name(name)}  {place}" for place, name in enumerate(players, 1)]
    height = 0.4 if len(players) > _MOST_INTERVALS else 0.58
    ax = ax or new_axes(height * len(players), left=width_of(names), legend=False)
    for place in range(len(players)):
        ax.add_patch(matrix_cell(place, place, BAND))
    for row in both.itertuples():
        x, y = players.index(row.opponent), players.index(row.player)
        strength = 2 * abs(row.score - 0.5)
        ax.add_patch(matrix_cell(x, y, BLUE if row.score >= 0.5 else ORANGE, strength))
        ink = PAPER if strength > 0.8 else INK
        if len(players) > _MOST_INTERVALS:
            write_in(ax, y, x, f"{100 * row.score:.0f}", ink)
        else:
            write_in(ax, y - 0.12, x, f"{100 * row.score:.1f}", ink)
            known = interval(row.ci_low, row.ci_high, bare_percent)
            ax.text(x, y + 0.26, known, color=ink, ha="center", va="center")
    ax.set_xticks(range(len(players)), [str(place) for place in range(1, len(players) + 1)])
    ax.set_yticks(range(len(players)), names, parse_math=False)
    ax.set_xlim(-0.5, len(players) - 0.5)
    ax.set_ylim(len(players) - 0.5, -0.5)
    ax.grid(visible=False)
    ax.set_xlabel("opponent")
    words = "per cent of games won by the player of the row, a draw counts half"
    sure = both[both["ci_low"] > 0.5].nlargest(1, "score")
    told = [
        f"{display_name(one.player)} wins {percent(one.score)} of games against"
        f" {display_name(one.opponent)}"
        for one in sure.itertuples()
    ]
    set_titles(ax, next(iter(told), "No player is shown to beat another"), words)
    return ax
