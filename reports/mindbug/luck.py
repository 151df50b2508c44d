"""Luck and skill in words, a chart and a section.  Nothing is estimated here."""

from collections.abc import Iterator

import pandas as pd
from matplotlib.axes import Axes

from analysis.mindbug.experiments.luck import REPLAYS, SLIPS
from analysis.mindbug.registry import TABLES
from reports.balance.report import Report
from reports.balance.sections import Downloads, Figures, Grid, Section, Text
from reports.kit.cells import Column, estimate_of, word
from reports.kit.drawing import (
    LINE,
    Charts,
    name_rows,
    new_axes,
    percent_tick,
    set_titles,
    whiskers,
    width_of,
    write_beside,
)
from reports.kit.findings import leader
from reports.kit.theme import BLUE, INK, ORANGE
from reports.kit.words import (
    ARROW,
    bare_percent,
    between,
    count,
    display_name,
    interval_of,
    listed,
    percent,
    points,
)

# What the sources are called on charts and in tables.
_SOURCE_NAMES = {
    "player": "who plays",
    "start": "who starts",
    "cards": "the cards dealt",
    "order": "the order of the cards",
    "chance": "chance in play",
    "choices": "what the players choose",
}
# The sources that are no luck, where somebody thinks.
_SKILL = ("player", "choices")
#: How the replays were played.
HOW = (
    "The first deals of the run were played eight times each. The games of a deal share the cards"
    " and who starts; some share the order in which the cards come as well, some also dice and"
    " random cards, and then differ only in what the players choose."
)
#: Why players slip, and what that means for the shares.
WHY_SLIPS = (
    f"So that they do not just repeat themselves, players who think slip in {SLIPS:.0%} of their"
    " decisions and take any option. The more they slip, the more their choices decide, at the cost"
    " of the order of the cards above all."
)
# Less than this share is told in one word, and an interval wider than this is hardly knowledge.
_LITTLE, _WIDE = 0.01, 0.2

#: The charts of this module by the names of their files.
CHARTS = Charts(TABLES)


def source_names(luck: pd.DataFrame) -> dict[str, str]:
    """What the sources of a table `luck` are called: random players do not choose, they draw."""
    names = dict(_SOURCE_NAMES)
    if _all_random(luck):
        names["choices"] = "choosing at random"
    return names


def skill_of(luck: pd.DataFrame) -> tuple[str, ...]:
    """The sources of a table `luck` that are no luck: none where everybody chooses at random."""
    return () if _all_random(luck) else _SKILL


def _all_random(luck: pd.DataFrame) -> bool:
    """Whether both players choose at random."""
    return all(one.startswith("random") for one in luck["policy"].iloc[0].split(":"))


def luck_text(luck: pd.DataFrame) -> str:
    """What decides a game, from the table `luck`."""
    parts, names = luck.set_index("source"), source_names(luck)
    if parts["share"].isna().all():
        return "No game of the first deals had a winner."
    large = [source for source in parts.index if parts.loc[source, "share"] >= _LITTLE]
    small = [names[source] for source in parts.index if source not in large]
    large.sort(key=lambda source: -parts.loc[source, "share"])
    first, *others = (names[source] for source in large)
    shares = [_share(parts.loc[source]) for source in large]
    named = [f"{first} decides {shares[0]} of who wins"]
    named += [f"{name} {share}" for name, share in zip(others, shares[1:], strict=True)]
    text = f"{listed(named)}."
    text = text[0].upper() + text[1:]
    if small:
        text += f" Less than 1%{' each' * (len(small) > 1)}: {listed(small)}."
    if "cards" in large:
        text += (
            " Ten cards one standard deviation better than average win"
            f" {percent(0.5 + parts.loc['cards', 'spread'], 0)} of the games."
        )
    if (parts["share_ci_high"] - parts["share_ci_low"]).max() > _WIDE:
        text += " These shares need more games."
    return text


def luck_changes_text(changes: pd.DataFrame) -> str:
    """How luck and skill differ between two runs, from the table `luck_changes`."""
    clear = (changes["change_ci_low"] > 0) | (changes["change_ci_high"] < 0)
    told = [
        f"{_SOURCE_NAMES[row['source']]} {percent(row['base'], 0)} {ARROW}"
        f" {percent(row['variant'], 0)} ({points(row['change'])} points,"
        f" {interval_of(row, 'change', points)})"
        for _, row in changes[clear].iterrows()
    ]
    if not told:
        return "No difference is shown in what decides who wins."
    return f"Shares of what decides who wins that differ: {listed(told)}."


def _share(row: pd.Series) -> str:
    return f"{percent(row['share'], 0)} ({between(row['share_ci_low'], row['share_ci_high'], 0)})"


@CHARTS.draws("luck", "luck", optional=True)
def plot_luck(luck: pd.DataFrame, *, ax: Axes | None = None) -> Axes:
    """How much of who wins each source of luck decides, and how much the players' choices."""
    rows = luck.iloc[::-1].reset_index(drop=True)
    called = source_names(luck)
    names = [called[source] for source in rows["source"]]
    ax = ax or new_axes(0.42 * len(rows), left=width_of(names), right=0.75)
    of_skill = rows["source"].isin(skill_of(luck))
    for mine, label, colour in ((~of_skill, "luck", BLUE), (of_skill, "the players", ORANGE)):
        bars = rows[mine]
        if len(bars):
            ax.barh(bars.index, bars["share"], height=0.6, color=colour, label=label)
    ax.errorbar(
        rows["share"],
        rows.index,
        xerr=whiskers(rows, "share", "share"),
        **{**LINE, "color": INK, "marker": "none"},
    )
    for row, share in rows["share"].items():
        write_beside(ax, row, percent(share, 0 if share >= 0.1 else 1))
    name_rows(ax, names, percent_tick, "share of what decides who wins")
    ax.set_xlim(left=0)
    who, deals = display_name(rows["policy"].iloc[0]), count(rows["n_deals"].max())
    finding = leader(
        names, rows, "share", "{1} of the variance in who wins goes with {0}",
        none="No source of luck or skill is shown to outweigh all others",
        number=lambda share: percent(share, 0),
    )  # fmt: skip
    set_titles(ax, finding, f"{who}; {deals} deals, {REPLAYS} games each", legend=True)
    return ax


def luck_sections(report: Report) -> Iterator[Section]:
    """The section; none where luck was not measured."""
    luck = report.tables.get("luck")
    if luck is None:
        return
    told, table = (
        Text(luck_text(luck)),
        Grid.of(_columns(source_names(luck)), luck, "Table of luck and skill"),
    )
    yield Section(
        "luck",
        "Luck and skill",
        [
            Text(HOW),
            told,
            Figures.of("luck"),
            Text(WHY_SLIPS, hint=True),
            table,
            Downloads.of("luck"),
        ],
        [told, Figures.of("luck"), table],
    )


def _columns(names: dict[str, str]) -> list[Column]:
    def source(row: pd.Series) -> str:
        return names[row["source"]]

    return [
        Column("Source", "what decides who wins", lambda row: word(source(row)), "word"),
        Column(
            "Share", "in per cent of the variance of the result", estimate_of("share", bare_percent)
        ),
        Column(
            "Spread",
            "by how many percentage points one standard deviation of it moves the chance of"
            " winning",
            estimate_of("spread", bare_percent),
        ),
    ]
