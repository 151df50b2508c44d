"""Experiments on a game that somebody brings in the studio, which are those of the commands."""

from collections.abc import Mapping, Sequence
from functools import partial
from pathlib import Path
from typing import TYPE_CHECKING, Any

from attrs import frozen

from reports.cli.console import progress
from reports.games import reports_of
from reports.kit.verdicts import KINDS
from reports.kit.words import (
    DOT,
    bare_percent,
    capital,
    display_name,
    interval_of,
    percent,
    points,
)
from reports.own_games.sensitivity import ALL, GAMES
from reports.own_games.studio.opened import PLAYER, Opened
from reports.rebalance.studio import show_search
from reports.sensitivity.studio import StepPanel
from reports.studio.bench import Bench, Cell, Chart, Choice, Chosen, Map, Row, Show, Trial, Tried
from reports.studio.compare import compare_trial, differences_chart
from reports.studio.rows import LONGEST, front_chart, front_row, games_choice
from reports.studio.side_by_side import ComparingVersions, Words, side_by_side_trial
from simcore.contract.play import SETTINGS
from simcore.own_games.run import NAME

if TYPE_CHECKING:
    import pandas as pd

    from analysis.experiments.comparison import Comparison
    from analysis.own_games.rebalance import Question
    from analysis.own_games.sensitivity import OwnChange
    from card_data.schema.changes import Variable
    from card_data.schema.kinds import Kind
    from card_data.toml_places import KeyPath
    from reports.own_games.options import OwnOptions
    from reports.own_games.sensitivity import Asked as AskedChanges
    from reports.studio.work import Asked

# Entries of other files whose change is shown, the most changed.
_MOST_OTHERS = 5
_WORTH = "worth"
#: Games with each candidate, and fresh ones that confirm, by what the page calls that.
_SEARCHES = {
    "a first look: 500 of each change": (500, 5_000),
    "usual: 4,000 of each change": (4_000, 40_000),
}
_ALL, _OWN = "all", "own"
_BANDS = ("2", "1", "3", "5", "10")
_MATCHUPS = (
    "Each number is the share of games, in per cent, in which the row beats the column, a draw as"
    " half; bold where it is clear that this is not half."
)


def trials(bench: Bench, opened: Opened) -> Mapping[str, Trial]:
    """The experiments by their names, in the order of the page."""
    games = reports_of(NAME).compared_games
    game, comparing = opened.shown, _Comparing(opened)
    square = next((one for one in game.kinds if one.each_seat and 2 in game.seats), None)
    of_entries = {
        "compare": compare_trial(comparing, games, 500, 10_000),
        "side_by_side": side_by_side_trial(bench, comparing, games, 500, 10_000),
    }
    return {
        "order": _order(opened, has_entries=bench.has_entries),
        **({"matchups": _matchups_trial(opened, square)} if square else {}),
        **(of_entries if bench.has_entries else {}),
        **({"sensitivity": OwnPanel(opened).trial()} if bench.has_entries or game.settings else {}),
        **({"rebalance": _rebalance_trial(opened)} if bench.has_entries else {}),
    }


def _order(opened: Opened, *, has_entries: bool) -> Trial:
    """The check as it can be asked for."""
    more = ", and in the entries of this file" if has_entries else ""
    return Trial(
        "Is the game in order?",
        "Plays games with every number of players and looks at many positions for mistakes in the"
        f" rules{more}. Takes up to 30 seconds.",
        "Check",
        partial(_check, opened),
        of_pool=True,
    )


def _check(opened: Opened, asked: "Asked", show: Show) -> None:
    """Do what ``fairdeal check`` does, of the game with the file."""
    from reports.own_games.check import lines, sentence
    from reports.own_games.options import load_table
    from simcore.own_games.check import check

    opened.game()
    table = load_table([opened.said(Path(asked.file))], None, ())
    with progress("checking") as advance:
        report = check(table, on_progress=advance)
    show(Tried(sentence(table.game.title, report), lines=[*lines(report)]))


@frozen
class _Comparing(ComparingVersions):
    opened: Opened

    words = Words("Outcome", "Outcome, %", "outcomes", "better", "worse", "as well")

    def options(self, asked: "Asked") -> "OwnOptions":
        self.opened.game()
        return self.opened.played_by(asked.chosen)

    def named(self, asked: "Asked", version: Path) -> str:  # noqa: ARG002 - it is named as it is
        return self.opened.said(version)

    def chart(self, comparison: "Comparison", own: Sequence[str]) -> Chart | None:
        """By how much seats and entries come off better: those of the file, the most changed."""
        from reports.compare.text import most_changed

        table = comparison.table
        lines = most_changed(table[table["measure"] == "outcome"])
        mine = lines["id"].isin(own)
        seats = lines["kind"] == "seat"
        shown = lines[mine], lines[seats], lines[~mine & ~seats].head(_MOST_OTHERS)
        headings = "Entry or seat", "Outcome, points", "Verdict"
        return differences_chart(headings, comparison, shown, own)

    def line(self, comparison: "Comparison", entry: str) -> "pd.Series":
        table = comparison.table[comparison.table["measure"] == "outcome"]
        seats = table["kind"] == "seat"
        return table[seats if not entry else ~seats & (table["id"] == entry)].iloc[0]

    def now(self, line: "pd.Series") -> str:
        who = (
            "seat 1 gets"
            if line["kind"] == "seat"
            else f"with {display_name(line['name'])} seats get"
        )
        return f"{capital(who)} {percent(line['variant'])} now"

    def entries(self, text: str, file: str) -> "Mapping[KeyPath, str]":
        from card_data.schema.formatter import entry_text
        from card_data.schema.loader import read_entry_text

        schema = self.opened.game().schema
        entries = read_entry_text(text, file, schema).entries.values()
        return {schema.key_of(one): entry_text(schema, one) for one in entries}


def _matchups_trial(opened: Opened, kind: "Kind") -> Trial:
    """The experiment on entries of which each of two seats has one."""
    return Trial(
        f"Which {kind.word} beats which?",
        f"Deals each seat a {kind.word} by lot, and says what those settle on who know all"
        " matchups.",
        "Play them",
        partial(_matchups, opened, kind.word),
        [games_choice({"20000": "20,000"}, 5_000, 100_000)],
        of_pool=True,
    )


def _matchups(opened: Opened, kind: str, asked: "Asked", show: Show) -> None:
    """Do what ``fairdeal balance`` does, of the game with the file."""
    from reports.cli.compute import HERE
    from reports.cli.run import asked_run
    from reports.cli.steps import analyze_run, finding_of, play_run, report_run
    from reports.own_games.matchups import matchup_findings
    from simcore.work.about import working_on

    opened.game()
    named, games = [opened.said(Path(asked.file))], int(asked.more["games"])
    options = opened.played_by(asked.chosen).ready(named, None, None, True)
    _, spec, doing, question = asked_run(NAME, options, named, games, 0, None, anytime=False)
    with HERE.start() as crew, working_on(question) as work:
        folder = play_run(spec, work.folder, crew, doing)
        tables = analyze_run(folder, crew.threads)
        page = report_run(folder)["html"]
        work.finish(finding_of(folder), page.name, games)
    table = tables["matchups"]
    table = table[table["kind"] == kind]
    [found] = matchup_findings({**tables, "matchups": table})
    who = DOT.join([f"{games:,} games", " against ".join(options.players())])
    show(Tried(found.text, who, map=_square(kind, table), page=(folder.name, page.name)))


def _square(kind: str, table: "pd.DataFrame") -> Map:
    """Each entry against each other; nothing against itself."""
    names = {one: display_name(name) for one, name in zip(table["id"], table["name"], strict=True)}
    most = (table["outcome"] - 0.5).abs().max() or 1.0
    cells = {
        (line["id"], line["against_id"]): Cell(
            bare_percent(line["outcome"]),
            f"against {display_name(line['against'])}: "
            + interval_of(line, "outcome", bare_percent),
            kind="strong" if line["outcome"] > 0.5 else "weak",
            share=abs(line["outcome"] - 0.5) / most,
            is_sure=line["verdict"] in KINDS,
        )
        for _, line in table.iterrows()
    }
    rows = [
        (name, False, [cells.get((one, other), "") for other in names])
        for one, name in names.items()
    ]
    return Map(capital(kind), [f"against {name}" for name in names.values()], rows, _MATCHUPS)


class OwnPanel(StepPanel):
    """The experiment on the numbers of a game, or of an entry of a file."""

    hint = (
        "Makes each number in turn one less and one more, and plays that in games with the same"
        " deals and luck; for the whole game, the numbers of all its entries and settings. A press"
        " takes a change into the editor."
    )
    headings, after = ("Change", "Difference", "Outcome"), "Outcome then"
    how = (
        "How many percentage points better the seats that have the entry do with a number one less"
        " or one more; bold where that is clear. Press a number to take the change into"
        " the editor."
    )

    def __init__(self, opened: Opened) -> None:
        self._opened = opened
        self.choices = (
            Choice(
                "of",
                "Change",
                {
                    "": "what you ask about above",
                    ALL: "all entries and settings",
                    **({SETTINGS: "the settings"} if opened.shown.settings else {}),
                },
            ),
            Choice(
                "by", "How", {"": "one step on each number", _WORTH: "taken away or swapped: worth"}
            ),
            games_choice({str(GAMES): f"{GAMES:,} with each, as usual"}, 4_000, 20_000),
        )

    def ask(self, asked: "Asked") -> "AskedChanges":
        """What the command asks, of an entry, of the settings or of everything."""
        from reports.own_games.sensitivity import ask

        self._opened.game()
        return ask(
            self._opened.said(Path(asked.file)),
            asked.more["of"] or asked.entry or ALL,
            policy=asked.chosen[PLAYER] or None,
            worth=asked.more["by"] == _WORTH,
            games=int(asked.more["games"]),
            **self._opened.options(asked.chosen),
        )

    def is_mapped(self, variable: "Variable") -> bool:
        """Whether a number is one of several entries, which a map shows."""
        return variable.of != SETTINGS

    def taken(self, asked: "Asked", change: "OwnChange") -> tuple[str, Chosen]:
        """The changed entry for the file, or what to choose for another setting."""
        from card_data.schema.formatter import entry_text

        one = change.change.variable
        if one.of == SETTINGS:
            return "", self._opened.chosen_setting(one.number, change.change.changed_to)
        if asked.more["by"] == _WORTH:
            return "", {}
        table = self._opened.table(Path(asked.file), asked.chosen).changed(change.change)
        kind = next(kind for kind in table.game.kinds if kind.plural == one.of)
        entry = next(entry for entry in table.entries[kind.word] if entry.id == one.entry)
        return entry_text(table.game.schema, entry), {}


def _rebalance_trial(opened: Opened) -> Trial:
    """The experiment as it can be asked for."""
    settings = {SETTINGS: "the settings alone"} if opened.shown.settings else {}
    return Trial(
        "Which small changes balance the game?",
        "Searches for changes that bring the worth of every entry into the band, and confirms them"
        " with fresh games. Choose how much to change: each step of a number counts 1. Entries are"
        " taken into the editor, and settings chosen above.",
        "Search",
        partial(_rebalance, opened),
        [
            Choice("search", "Games", {one: one for one in _SEARCHES}),
            Choice("changes", "Change", {"": "numbers of entries", **settings}),
            Choice("entries", "Of", {_ALL: "any entry", _OWN: "entries of this file alone"}),
            Choice("band", "Band", {one: f"±{one} points" for one in _BANDS}),
            Choice("step", "Each number by", {one: f"{one} at most" for one in ("2", "1", "3")}),
        ],
        of_pool=True,
    )


def _rebalance(opened: Opened, asked: "Asked", show: Show) -> None:
    """Do what ``fairdeal rebalance`` does, of the game with the file."""
    from reports.own_games.rebalance import EntryGoals, ask

    opened.game()
    more = asked.more
    games, confirm = _SEARCHES[more["search"]]
    goals = EntryGoals(
        band=float(more["band"]),
        changes=more["changes"] or None,
        step=int(more["step"]),
        only=",".join(asked.own) if more["entries"] == _OWN else None,
        games=games,
        confirm=confirm,
    )
    said = ask(
        opened.said(Path(asked.file)),
        policy=asked.chosen[PLAYER] or None,
        options=goals,
        **opened.options(asked.chosen),
    )
    show_search(show, said, partial(_front, said.balanced, opened))


def _front(question: "Question", opened: Opened, front: "pd.DataFrame") -> Chart:
    """Plans by how much they change: how far the worth of entries stays outside the band."""
    rows = [_plan_row(question, opened, plan) for plan in front.itertuples()]
    return front_chart(rows, "Entries", "entry")


def _plan_row(question: "Question", opened: Opened, plan: Any) -> Row:
    """A plan, with the entries and the settings that it changes."""
    steps = question.plan_of(plan.changes)
    files = question.files(steps)
    chosen: dict[str, str] = {}
    for change in (question.changes[one] for one in steps):
        if change.variable.of == SETTINGS:
            chosen |= opened.chosen_setting(change.variable.number, change.changed_to)
    worst = next(one.name for one in question.judged if one.id == plan.worst)
    return front_row(
        plan,
        f"{display_name(worst, LONGEST)} {points(plan.worst_estimate)}",
        plan.outside,
        text=next(iter(files.values()), b"").decode(),
        chosen=chosen,
    )
