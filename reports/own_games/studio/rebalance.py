"""Rebalancing a game that somebody brings in the studio: a front of proposals to choose from."""

from functools import partial
from pathlib import Path
from typing import TYPE_CHECKING, Any

from reports.kit.words import display_name, points
from reports.own_games.studio.opened import PLAYER, Opened
from reports.rebalance.studio import show_search
from reports.studio.bench import Chart, Choice, Row, Show, Trial
from reports.studio.rows import LONGEST, front_chart, front_row
from simcore.contract.play import SETTINGS

if TYPE_CHECKING:
    import pandas as pd

    from analysis.own_games.rebalance import Question
    from reports.studio.work import Asked

#: Games with each candidate, and fresh ones that confirm, by what the page calls that.
_SEARCHES = {
    "a first look: 500 of each change": (500, 5_000),
    "usual: 4,000 of each change": (4_000, 40_000),
}
_ALL, _OWN = "all", "own"
_BANDS = ("2", "1", "3", "5", "10")


def trial(opened: Opened) -> Trial:
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
    rows = [_row(question, opened, plan) for plan in front.itertuples()]
    return front_chart(rows, "Entries", "entry")


def _row(question: "Question", opened: Opened, plan: Any) -> Row:
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
