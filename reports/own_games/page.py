"""The report of a run of a game that somebody brings, and its charts."""

from collections.abc import Iterator, Mapping
from functools import partial
from pathlib import Path
from types import MappingProxyType
from typing import TYPE_CHECKING, Any

import pandas as pd
from matplotlib.axes import Axes
from matplotlib.ticker import MaxNLocator

from analysis.own_games.contract import ANALYSIS
from analysis.runs import open_run
from analysis.tables import read_tables
from analysis.verdicts import BAND, FAIR, NEEDS_GAMES, TOO_STRONG, TOO_WEAK
from card_data.schema.fields import plain_words
from card_data.schema.kinds import ACCESS, SWAP
from reports.balance.report import Report
from reports.balance.sections import Block, Downloads, Figures, Grid, Section, Tab, Terms, Text
from reports.kit.cells import Column, Ground, cell_of, counted, estimate, estimate_of, verdict, word
from reports.kit.drawing import (
    Charts,
    by_verdict,
    draw_judged,
    draw_points,
    name_rows,
    new_axes,
    percent_tick,
    set_titles,
    width_of,
)
from reports.kit.findings import effects, ends
from reports.kit.stopping_text import rule_facts
from reports.kit.verdicts import predicate
from reports.kit.words import (
    DOT,
    Finding,
    bare_percent,
    between,
    capital,
    count,
    decimal,
    games,
    headline,
    interval_of,
    intervals,
    listed,
    percent,
    points,
    points_text,
    seed_text,
)
from reports.own_games.matchups import CHARTS as MATCHUP_CHARTS
from reports.own_games.matchups import matchup_findings, matchup_tabs
from simcore.own_games.run import title_in

if TYPE_CHECKING:
    from analysis.experiments.comparison import Comparison

CHARTS = Charts(ANALYSIS.all_tables)
_NAMED = 6
# The mean number of decisions, in words.
_ONE_PLACE = "{:.1f}".format
# Seats with an event, in words.
_SEATS = {"dealt": "Seats dealt", "chosen": "Seats that chose", "included": "Seats in games with"}


@CHARTS.draws("entries", "entries", optional=True)
def plot_entries(entries: pd.DataFrame, *, ax: Axes | None = None) -> Axes:
    """What each entry is worth, by its verdict; how seats come off with it where none is judged."""
    judged = _judged(entries)
    if judged.empty:
        rows = entries[entries["is_main"]].sort_values("outcome", ignore_index=True)
        says, none = (
            "A seat with {0} gets {1}, one with {2} {3}",
            "No entry is shown to do better than another",
        )
        return _plot(rows, rows["name"], _extremes(rows, rows["name"], says, none), ax)
    rows = judged.sort_values("share", kind="stable", ignore_index=True)
    names, groups = [*rows["name"]], by_verdict(rows["verdict"])
    quantity = "percentage points more than others"
    ax = draw_judged(ax, rows, names, "share", groups, quantity, band=BAND, row=0.36)
    shaded = f"shaded: within {points_text(BAND)}, which is fair"
    set_titles(ax, _worth(rows), shaded, legend=True)
    return ax


@CHARTS.draws("seats", "seats")
def plot_seats(seats: pd.DataFrame, *, ax: Axes | None = None) -> Axes:
    """How each seat comes off, the first on top, with its player where they differ."""
    rows = seats.iloc[::-1].reset_index(drop=True)
    who = rows["player"].where(rows["player"] == "", " (" + rows["player"] + ")")
    several = seats.loc[seats["player"] != "", "player"].nunique() > 1
    names = (rows["seat"] + who if several else rows["seat"]).map(capital)
    at_table = rows["player"] != ""
    says, none = "{0} gets {1}, {2} {3}", "No seat is shown to do better than another"
    outcomes = rows.loc[at_table, "outcome"]
    if outcomes.nunique() == 1:  # all win or lose together
        none = f"{'Every' if len(outcomes) > 1 else 'The'} seat gets {percent(outcomes.iloc[0])}"
    return _plot(rows, names, _extremes(rows[at_table], names[at_table], says, none), ax)


def _extremes(rows: pd.DataFrame, names: "pd.Series[str]", says: str, none: str) -> str:
    return ends([*names], rows, "outcome", says, none=none, interval="outcome")


def _judged(entries: pd.DataFrame) -> pd.DataFrame:
    """The entries that have a verdict."""
    return entries[entries["is_main"] & (entries["verdict"] != "")]


def _worth(judged: pd.DataFrame) -> str:
    """Which entries are shown to be worth most and least."""
    return effects(
        [*judged["name"]], judged, "share", says="Seats with {0} get {1} {2} than others",
        then=", those with {0} {1} {2}", ways=("more", "less"),
        none="No entry is shown to do better or worse than others",
    )  # fmt: skip


def _plot(rows: pd.DataFrame, names: "pd.Series[str]", finding: str, ax: Axes | None) -> Axes:
    ax = ax or new_axes(0.42 * max(len(rows), 1), left=width_of(names), legend=False)
    draw_points(ax, rows, "outcome", "outcome")
    name_rows(ax, names)
    ax.xaxis.set_major_locator(MaxNLocator(6, steps=[1, 2, 2.5, 5, 10]))
    ax.xaxis.set_major_formatter(percent_tick)
    ax.set_xlabel("mean share of the best outcome")
    set_titles(ax, finding, "")
    return ax


def describe(manifest: Mapping[str, Any], played: str = "") -> str:
    """One line that says what was ``played``, by whom, where that is not all in the manifest."""
    played = played or f"{games(manifest['games'])}{DOT}{' against '.join(manifest['policies'])}"
    return DOT.join([game_text(manifest), played, seed_text(manifest)])


def game_text(manifest: Mapping[str, Any]) -> str:
    """The game and its settings: "Harvest, rounds 4"."""
    settings = [f"{name} {value}" for name, value in manifest["settings"].items()]
    return ", ".join([title_in(manifest), *settings])


def made_with(manifest: Mapping[str, Any]) -> list[tuple[str, str]]:
    """The rules and the versions, as facts of a page."""
    versions = (f"{name} {one}" for name, one in manifest["versions"].items())
    return [
        ("Rules", f"{manifest['rules']['source']}, version {manifest['rules_version']}"),
        ("Versions", ", ".join(versions)),
    ]


def findings(tables: Mapping[str, pd.DataFrame]) -> list[Finding]:
    """The verdicts on what was dealt by lot, who came off best and worst, and the seats."""
    entries = tables["entries"]
    found = [*_verdicts(_judged(entries)), _of_seats(tables["seats"])]
    for kind, main in entries[entries["is_main"]].groupby("kind"):
        judged = bool((main["verdict"] != "").all())
        rows = main.sort_values("share" if judged else "outcome")
        size = _share_of if judged else rate_of
        ends = [f"{row['name']} {size(row)}" for _, row in rows.iloc[[-1, 0]].iterrows()]
        event = rows.iloc[0]["event"]
        who = f'Seats for which the rules noted "{event}"'
        if event in _SEATS:
            who = f"{_SEATS[event]} a {kind}"
        text = f"{who} did best with {ends[0]}"
        if len(rows) > 1:
            text += f", worst with {ends[1]}"
        unit = ": percentage points more than others" if judged else ""
        found.append(Finding(capital(str(kind)), f"{text}{unit}."))
    found.extend(matchup_findings(tables))
    found.extend(findings_of_games(tables["games"], tables["seats"]))
    observed = tables.get("observed", pd.DataFrame())
    told = [f"{plain_words(row['name'])} {_mean(row)}" for _, row in observed.iterrows()]
    if told:
        found.append(Finding("Observed", f"{capital('; '.join(told))}."))
    return found


def findings_of_games(games: pd.DataFrame, seats: pd.DataFrame) -> Iterator[Finding]:
    """How long games are, and how often nobody wins alone, in words."""
    [row] = games.to_dict("records")
    mean, ends = _ONE_PLACE(row["decisions"]), interval_of(row, "decisions", _ONE_PLACE)
    is_fixed = row["decisions_ci_low"] == row["decisions_ci_high"]
    text = f"Every game has {row['decisions']:.0f}" if is_fixed else f"A game has {mean} ({ends})"
    yield Finding("Length", f"{text} decisions{'' if is_fixed else ' on average'}.")
    if row["draws"] == row["draws"]:
        ends = "end in a draw" if (seats["player"] != "").sum() == 2 else "have no single winner"
        yield Finding("Draws", f"{rate_of(row, 'draws')} of the games {ends}.")


def _of_seats(seats: pd.DataFrame) -> Finding:
    """How each seat fares, and first of all whether it helps to choose first."""
    first, table = (seats[(seats["player"] == "") == yes] for yes in (True, False))
    is_one = len(first) == 1 and first.iloc[0]["outcome"] in table["outcome"].to_numpy()
    rows = table if is_one else seats
    text = listed([f"{row['seat']} {rate_of(row)}" for _, row in rows.iterrows()], _NAMED)
    if len(first) and table["player"].nunique() == 1 and table["outcome"].nunique() > 1:
        even, one = table["outcome"].mean(), first.iloc[0]
        does = "is not shown to do better or worse"
        if one["outcome_ci_low"] > even or one["outcome_ci_high"] < even:
            does = f"does {'better' if one['outcome'] > even else 'worse'}"
        text = f"whoever chooses first {does} than the average seat ({percent(even)}): {text}"
    return Finding("Seats", f"{capital(text)}.")


def _verdicts(rows: pd.DataFrame) -> Iterator[Finding]:
    told: dict[str, str] = {}
    for said in (TOO_STRONG, TOO_WEAK, FAIR, NEEDS_GAMES):
        some = rows[rows["verdict"] == said]
        if len(some):
            by_size = some.loc[some["share"].abs().sort_values(ascending=False).index]
            names = [f"{row['name']} ({points(row['share'])})" for _, row in by_size.iterrows()]
            which = f"{len(some)} of {len(rows)} entries"
            if len(some) == len(rows) > 1:
                which = f"All {len(rows)} entries"
            elif said == TOO_WEAK and TOO_STRONG in told:
                which = str(len(some))
            told[said] = f"{which} {predicate(said, len(some))}: {listed(names, _NAMED)}"
    if {TOO_STRONG, TOO_WEAK} <= {*told}:
        told = {
            f"{TOO_STRONG} or {TOO_WEAK}": f"{told.pop(TOO_STRONG)}; {told.pop(TOO_WEAK)}"
        } | told
    for said, text in told.items():
        yield Finding(capital(said), f"{text}.")


def _mean(row: pd.Series) -> str:
    """The mean of what a game observes: a share of games, or a number."""
    if row["is_share"]:
        return rate_of(row, "mean")
    return f"{decimal(row['mean'])} ({interval_of(row, 'mean', decimal)})"


def rate_of(row: Any, of: str = "outcome") -> str:
    """A rate with its interval."""
    return f"{percent(row[of])} ({between(row[f'{of}_ci_low'], row[f'{of}_ci_high'])})"


def _share_of(row: Any) -> str:
    """What seats with an entry get beyond others, with the interval of its verdict."""
    return f"{points(row['share'])} ({interval_of(row, 'share', points)})"


def read_report(folder: Path, before: "Comparison | None") -> Report:
    """What the report of an analysed run shows.  Raises RunError."""
    return _OwnReport(open_run(folder), read_tables(folder), before)


class _OwnReport(Report):
    """What the report shows."""

    charts = MappingProxyType({**CHARTS, **MATCHUP_CHARTS})

    @property
    def title(self) -> str:
        return f"{self.run.game.title}: report"

    @property
    def headline(self) -> str:
        return headline(self.findings).rstrip(".") or self.title

    @property
    def lead(self) -> Block:
        entries = self.tables["entries"]
        judged = _judged(entries)
        if judged.empty:
            return Figures.of("entries" if entries["is_main"].any() else "seats")
        columns = [
            Column("Entry", "", cell_of("name"), "word"),
            Column(
                "Worth, points",
                "percentage points more than others",
                estimate_of("share", points, "n"),
                ground=Ground(partial(points, digits=0), 0, BAND),
            ),
            Column("Verdict", "", cell_of("verdict", verdict), "word"),
        ]
        label = "What seats with an entry get beyond others, in percentage points, with intervals"
        ranked = judged.sort_values("share", ascending=False, kind="stable")
        return Grid.of(columns, ranked, label, "chart", self.caption("entries"), _worth(judged))

    @property
    def played(self) -> str:
        return describe(self.run.manifest)

    @property
    def findings(self) -> list[Finding]:
        return findings(self.tables)

    @property
    def facts(self) -> list[tuple[str, str]]:
        rules = self.run.manifest["rules"]
        more = [("rules", rules["source"]), ("version", str(self.run.manifest["rules_version"]))]
        return [*self.run.facts()[:-1], *rule_facts(self.run.manifest), *more]

    def caption(self, _chart: str) -> str:
        return f"{self.played}{intervals()}"

    def tabs(self, _on_telling: object = None) -> list[Tab]:
        entries, seats = self.tables["entries"], self.tables["seats"]
        outcome = Column(
            "Outcome, %",
            "mean outcome of these seats",
            estimate_of("outcome", bare_percent, "n"),
            ground=Ground(bare_percent, middle=float("nan")),
        )
        n = Column("Seats", "how many seats, of all games", cell_of("n", counted))
        of_entries = (
            Column("Entry", "", cell_of("name"), "word"),
            Column("Kind", "", cell_of("kind"), "word", filter="kind"),
            Column("Event", "what happened", cell_of("event"), "word", filter="event"),
            n,
            outcome,
            Column(
                "Than others",
                "percentage points more than all seats of these games, than those with the same"
                " faction, deck or the like, or than in games without the entry, as the measure is",
                estimate_of("share", points, "n"),
            ),
            Column("Measure", "what tells its worth", cell_of("measure"), "word"),
            Column("Verdict", "where it was dealt or included by lot", cell_of("verdict", verdict)),
        )
        of_seats = (
            Column("Seat", "", cell_of("seat"), "word"),
            Column("Player", "", cell_of("player"), "word"),
            n,
            outcome,
        )
        n_games = count(self.tables["games"].iloc[0]["n_games"])
        text = (
            "How seats came off that were dealt an entry or chose it, whose game had it, or to whom"
            " something happened with it. Only what comes by lot may be said to cause it."
        )
        if entries["measure"].isin([ACCESS, SWAP]).any():
            text += (
                " What entries with the measure access or swap are worth takes games with a change:"
                " fairdeal sensitivity with --worth plays them."
            )
        blocks: list[Block] = [
            Text(text),
            Figures.of("entries"),
            Grid.of(of_entries, entries, "Table of entries", "sortable"),
            Downloads.of("entries"),
        ]
        by_seat: list[Block] = [
            Figures.of("seats"),
            Grid.of(of_seats, seats, f"Seats in {n_games} games", "sortable"),
            Downloads.of("seats", "games"),
        ]
        tabs = [
            Tab("Entries", [Section("entries", "Entries", blocks)]),
            *matchup_tabs(self.tables),
            Tab("Seats", [Section("seats", "Seats", by_seat)]),
        ]
        observed = self.tables.get("observed", pd.DataFrame())
        if len(observed):
            of_game = (
                Column("Observed", "", lambda row: word(plain_words(row["name"])), "word"),
                Column(
                    "Mean",
                    "over all games; the share of games of what is so or not so",
                    lambda row: estimate(row, "mean", percent if row["is_share"] else decimal),
                ),
            )
            seen: list[Block] = [
                Grid.of(of_game, observed, f"What {n_games} games had at their end", "sortable"),
                Downloads.of("observed"),
            ]
            tabs.append(Tab("Observed", [Section("observed", "Observed", seen)]))
        return [*tabs, Tab("The run", [Section("run", "The run", [Terms(self.facts)], ())])]
