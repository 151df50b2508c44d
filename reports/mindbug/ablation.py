"""Restricted play in words, a chart and the page ``restrict.html``.  Nothing is estimated here."""

import os
from collections.abc import Iterable, Iterator, Mapping, Sequence
from pathlib import Path
from typing import Any

import pandas as pd
from matplotlib.axes import Axes

from analysis.experiments.pair_games import read_contest
from analysis.mindbug.experiments.ablation import (
    BAND,
    COSTS,
    GAINS,
    NEVER,
    NOTHING,
    VERDICTS,
    RestrictedPlay,
    analyze_restricted,
    restrict,
)
from analysis.mindbug.registry import TABLES
from analysis.verdicts import NEEDS_GAMES
from reports.kit.cells import Cell, counted, word
from reports.kit.drawing import Charts, check_one, draw_judged, points_tick, set_titles
from reports.kit.figures import write_figures
from reports.kit.findings import effects
from reports.kit.inline_svg import drawings
from reports.kit.page import csv_address, write_rendered
from reports.kit.theme import BLUE, GREY, MUTED, ORANGE
from reports.kit.verdicts import Q_TEXT
from reports.kit.words import (
    DOT,
    Finding,
    chance,
    count,
    display_name,
    interval,
    interval_of,
    listed,
    percent,
    points,
    points_text,
)
from reports.mindbug import run_text
from reports.mindbug.run_text import describe_sets
from simcore.mindbug.players.restrictions import RESTRICTIONS
from simcore.places import located

_NAMED = 3
#: The headings of the console's table.
COSTS_TABLE = ("never", "what it costs", "q", "games", "came up in")
#: A restriction waived at more than this share of its decisions was not much of one.
_OFTEN = 0.1

#: Colour, marker and words of each verdict.
_MARKS = {
    COSTS: (BLUE, "o", "costs something"),
    GAINS: (ORANGE, "v", "better without"),
    NOTHING: (MUTED, "s", "costs nothing"),
    NEEDS_GAMES: (GREY, "d", "needs more games"),
    NEVER: (GREY, "x", "never came up"),
}

#: The charts of this module by the names of their files.
RESTRICT_CHARTS = Charts(TABLES)

PAGE = "restrict.html"


def describe(manifest: Mapping[str, Any], *, most_sets: int | None = None) -> str:
    """One line that says what was played; a few sets by name, more only counted, for captions."""
    parts = [
        describe_sets(manifest, most_sets=most_sets),
        f"{manifest['policy']} on both sides",
        f"{count(manifest['games'][0])} games for each restriction",
        f"seed {manifest['seed']}",
    ]
    return DOT.join(parts)


def cost(share: float) -> str:
    """A cost in percentage points: 0.123 -> "12.3", -0.004 -> "−0.4"."""
    return points(share).removeprefix("+")


def verdict(row: Mapping[str, Any]) -> str:
    """What is known of the cost of a restriction."""
    amount = f"{cost(row['cost'])} points ({interval_of(row, 'cost', cost)})"
    if row["verdict"] == NEVER:
        return f"never came up in {count(row['games'])} games"
    if row["verdict"] == COSTS:
        return f"costs {amount}"
    if row["verdict"] == GAINS:
        known = interval(-row["cost_ci_high"], -row["cost_ci_low"], cost)
        return f"gains {cost(-row['cost'])} points ({known})"
    if row["verdict"] == NOTHING:
        return f"costs no more than {points_text(row['band'])}: {amount}"
    return f"{NEEDS_GAMES}: {amount}"


def q_value(row: Mapping[str, Any]) -> str:
    """The q-value of a cost; empty where it was not tested."""
    return chance(row["q_value"])


def headline(table: pd.DataFrame) -> str:
    """Which restriction costs most."""
    who, first = table["policy"].iloc[0], table.sort_values("cost", ascending=False).iloc[0]
    if first["verdict"] != COSTS:
        return f"Of no restriction is it settled that it costs {who} anything"
    return f"Never to {first['never']} costs {who} most: {cost(first['cost'])} points"


def findings(table: pd.DataFrame, left_out: Sequence[str]) -> Iterator[Finding]:
    """What is worth knowing first: what carries the game, what is of no use, what needs more games.

    ``left_out`` are restrictions that mean nothing in the pool.
    """
    ranked = table.sort_values("cost", ascending=False).to_dict("records")
    of = {word: [row for row in ranked if row["verdict"] == word] for word in VERDICTS}
    who, band = table["policy"].iloc[0], points_text(table["band"].iloc[0])
    if of[COSTS]:
        yield Finding(
            "Carries the game",
            f"{who} loses most, in percentage points of games won, when it may never"
            f" {_costs(of[COSTS][:_NAMED])}.",
        )
    if rest := of[COSTS][_NAMED:]:
        more = f"It also costs something never to {_costs(rest)}."
        brief = f"{len(rest)} more cost something, most of all never to {_costs(rest[:1])}."
        yield Finding("Matters", more, brief if len(rest) > _NAMED else "")
    if of[GAINS]:
        yield Finding(
            "Better without",
            f"{who} wins more games when it may never {_costs(of[GAINS][::-1], sign=-1)}: it uses"
            " them badly.",
        )
    if of[NOTHING]:
        yield Finding(
            "No use",
            f"It costs no more than {band} never to {_costs(of[NOTHING])}. Either these games do"
            f" not need it, or {who} does not know how to use it; stronger players would show"
            " which.",
            f"It costs no more than {band} never to {_costs(of[NOTHING])}.",
        )
    if of[NEEDS_GAMES]:
        yield Finding(
            "More games needed",
            f"It is open whether it costs more than {band} never to {_costs(of[NEEDS_GAMES])}.",
        )
    waived = [row for row in ranked if row["waived"] and _share_waived(row) > _OFTEN]
    if waived:
        shares = (f"{row['never']} ({percent(_share_waived(row), 0)})" for row in waived)
        yield Finding(
            "Waived",
            "A restriction did not apply where nothing else was left. Share of its decisions:"
            f" {(told := listed(shares))}.",
            f"Share of decisions in which nothing else was left: {told}.",
        )
    if of[NEVER]:
        what = _either(row["never"] for row in of[NEVER])
        yield Finding("Never came up", f"Nobody had a chance to {what} in any game.")
    if left_out:
        what = _either(RESTRICTIONS[word].never for word in left_out)
        yield Finding("Left out", f"In this pool nobody can ever {what}.")
    yield Finding(
        "Who played",
        f"{who} on both sides. The restricted side plans as if it were free and meets the"
        " restriction only when it chooses; a player who plans for it may lose less.",
        f"{who} plays on both sides, and the restricted side plans as if it were free.",
    )


def costs_rows(table: pd.DataFrame) -> list[tuple[str, ...]]:
    """The rows of the console's table, a restriction each; the headings are `COSTS_TABLE`."""
    return [
        (
            row["never"],
            verdict(row),
            q_value(row),
            count(row["games"]),
            percent(row["games_barred"]),
        )
        for row in table.to_dict("records")
    ]


def _share_waived(row: Mapping[str, Any]) -> float:
    return row["waived"] / (row["barred"] + row["waived"])


def _costs(rows: Iterable[Mapping[str, Any]], sign: int = 1) -> str:
    """Restrictions with their costs: "block (33.9), attack (20.0) or use a Mindbug (12.1)"."""
    return _either(f"{row['never']} ({cost(sign * row['cost'])})" for row in rows)


def _either(parts: Iterable[str]) -> str:
    """Parts as a list in a sentence: "a, b or c"."""
    return listed(parts, last="or")


@RESTRICT_CHARTS.draws("costs", "restrictions")
def plot_costs(restrictions: pd.DataFrame, *, ax: Axes | None = None) -> Axes:
    """What each restriction costs, with intervals and the band, the costliest on top."""
    check_one(restrictions, "policy")
    rows = restrictions.sort_values("cost", ascending=False, kind="stable")
    rows = rows.iloc[::-1].reset_index(drop=True)
    names = [f"never {never}" for never in rows["never"]]
    groups = [
        (meaning, colour, marker, rows["verdict"] == verdict)
        for verdict, (colour, marker, meaning) in _MARKS.items()
    ]
    band = rows["band"].iloc[0]
    quantity = "cost in percentage points of games won; grey: treated as zero"
    ax = draw_judged(ax, rows, names, "cost", groups, quantity, number=cost, band=band, row=0.36)
    ax.xaxis.set_major_formatter(lambda share, at: points_tick(share, at).removeprefix("+"))
    who = display_name(rows["policy"].iloc[0])
    players = f"{who} with the restriction against {who} without, each deal from both sides"
    finding = effects(
        names, rows, "cost", shown=rows["verdict"].isin((COSTS, GAINS)),
        says="The rule “{0}” {2} {1}", then=", “{0}” {2} {1}", ways=("costs", "gains"),
        none="No restriction is shown to cost anything",
    )  # fmt: skip
    set_titles(ax, finding, players, legend=True)
    return ax


def write_restricted(
    folder: str | os.PathLike[str], *, band: float = BAND, command: str = ""
) -> tuple[Path, dict[str, pd.DataFrame]]:
    """Write table, chart and page of restricted play; the page's path, and the table by its name.

    Reads ``restrict.json`` and ``pairs/`` in ``folder``; writes ``tables/``, ``figures/`` and
    ``restrict.html``.  ``command`` is what was typed.  The same games give the same bytes.  Raises
    RunError when games are missing or damaged or something cannot be written.
    """
    folder = located(folder)
    tables = analyze_restricted(folder, band=band)
    manifest = read_contest(RestrictedPlay.kind, folder)
    table = tables["restrictions"]
    caption = run_text.caption(describe(manifest, most_sets=1), manifest)
    files = write_figures(tables, folder / "figures", caption=caption, charts=RESTRICT_CHARTS)
    page = write_rendered(
        *(folder / PAGE, PAGE),
        title=f"{run_text.describe_sets(manifest)}: restricted play",
        headline=headline(table),
        played=describe(manifest),
        findings=[*findings(table, manifest["left_out"])],
        charts=drawings(files),
        csv={"restrictions": csv_address(table)},
        policy=manifest["policy"],
        q_text=Q_TEXT,
        rows=[_row(row) for row in table.to_dict("records")],
        rules=[
            (RESTRICTIONS[word], restrict(manifest["policy"], word))
            for word in manifest["restrictions"]
        ],
        facts=_facts(manifest, command or manifest["command"]),
    )
    return page, tables


def _row(row: Mapping[Any, Any]) -> list[Cell]:
    kind = {COSTS: "strong", GAINS: "weak"}.get(row["verdict"], "")
    return [
        Cell(row["never"]),
        Cell(cost(row["cost"]), interval=interval_of(row, "cost", cost), kind=kind),
        word(row["verdict"]),
        Cell(q_value(row) or "\N{EN DASH}"),
        counted(row["games"]),
        Cell(percent(row["games_barred"])),
        Cell(percent(row["barred_rate"])),
        counted(row["waived"]),
    ]


def _facts(manifest: Mapping[str, Any], command: str) -> list[tuple[str, str]]:
    """What was played, with everything needed to play it again."""
    weights = [f"SHA-256 {digest}" for digest in manifest["weights"].values()]
    return [
        ("Command", command),
        ("Sets", run_text.describe_sets(manifest)),
        ("Card data", f"SHA-256 {manifest['pool_hash']}"),
        ("Player", manifest["policy"]),
        *(("Weights", digest) for digest in weights),
        ("Games", f"{count(sum(manifest['games']))} with {len(manifest['games'])} restrictions"),
        ("Seed", str(manifest["seed"])),
        ("Rules version", str(manifest["rules_version"])),
        ("Versions", run_text.versions_of(manifest)),
    ]
