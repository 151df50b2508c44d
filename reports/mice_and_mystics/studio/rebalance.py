"""Rebalancing a chapter in the studio: a front of proposals to choose from."""

from collections.abc import Collection
from functools import partial
from pathlib import Path
from typing import TYPE_CHECKING, Any

from analysis.mice_and_mystics.experiments.usual import (
    CANDIDATE_GAMES,
    CONFIRM_GAMES,
    LEVERS,
    SEARCH_GAMES,
    USUAL_LEVERS,
)
from reports.kit.words import display_name, percent
from reports.mice_and_mystics.balance.names import party_name
from reports.mice_and_mystics.studio.choices import choices_of_changed, read
from reports.mice_and_mystics.studio.entry_texts import changed_text
from reports.rebalance.studio import search_choice, searches, show_search
from reports.studio.bench import Chart, Choice, Row, Show, Trial
from reports.studio.rows import LONGEST, front_chart, front_row

if TYPE_CHECKING:
    import pandas as pd

    from analysis.mice_and_mystics.experiments.rebalance import Question
    from card_data.schema.kinds import Key
    from reports.studio.work import Asked

_SEARCHES = searches(
    (CANDIDATE_GAMES, CONFIRM_GAMES, SEARCH_GAMES),
    (1_500, 10_000, 100_000),
    (12_000, 200_000, 4_000_000),
)
_CHANGES = {
    ",".join(USUAL_LEVERS): "all but abilities and search cards",
    "heroes": "heroes alone",
    "minions": "minions alone",
    "encounters": "encounters alone",
    "chapters,rules": "the chapter and its numbers alone",
    ",".join(LEVERS): "everything",
}
_ALL, _OWN = "all", "own"
_BANDS = ("45,55", "40,60", "30,70", "20,40", "30,50", "50,70", "60,80")
_STEPS = ("1", "2", "3")
_MOST = ("1", "2", "3", "5")


def trial() -> Trial:
    """The experiment as it can be asked for."""
    return Trial(
        "Which small changes balance the chapter?",
        "Searches for changes that bring every party that is played into a band of win rates, and"
        " confirms them with fresh games. Choose how much to change: each step of a number counts"
        " 1. Entries are taken into the editor, and numbers of the game chosen above.",
        "Search",
        _rebalance,
        [
            search_choice(_SEARCHES),
            Choice("changes", "Change", _CHANGES),
            Choice("entries", "Of", {_ALL: "any entry", _OWN: "entries of this file alone"}),
            Choice("band", "Each party wins", {one: _percents(one) for one in _BANDS}),
            Choice("step", "Each number by", {one: f"{one} at most" for one in _STEPS}),
            Choice(
                "most",
                "Numbers",
                {"": "as many as needed"} | {one: f"{one} at most" for one in _MOST},
            ),
        ],
        of_pool=True,
    )


def _percents(band: str) -> str:
    """A band in words: "45 to 55 %"."""
    return f"{band.replace(',', ' to ')}\N{NO-BREAK SPACE}%"


def _rebalance(asked: "Asked", show: Show) -> None:
    """Do what ``fairdeal rebalance`` does, of the chapter that the file is played in."""
    from card_data.mice_and_mystics.loader import own_keys
    from reports.mice_and_mystics.cli.rebalance import ChapterGoals, ask

    file, more = Path(asked.file), asked.more
    played, own = read(file, asked.entry, asked.chosen), own_keys(file)
    games, confirm, budget = _SEARCHES[more["search"]]
    wished = ChapterGoals(
        band=more["band"],
        changes=more["changes"],
        step=int(more["step"]),
        only=_ids(own) if more["entries"] == _OWN else None,
        most_changes=int(more["most"]) if more["most"] else None,
        games=games,
        confirm=confirm,
        budget=budget,
    )
    said = ask(
        played.played.said,
        party=played.party,
        switches=[*played.switches],
        policy=asked.chosen["player"],
        options=wished,
    )
    show_search(show, said, partial(_front, said.balanced, own))


def _ids(own: "Collection[Key]") -> str:
    """The entries of the file that have numbers, as ``--only`` names them."""
    from card_data.mice_and_mystics.changes import OF_ENTRIES
    from card_data.mice_and_mystics.entries import KINDS

    return ",".join(
        entry_id for word, entry_id in own if word in KINDS and KINDS[word].plural in OF_ENTRIES
    )


def _front(question: "Question", own: "Collection[Key]", front: "pd.DataFrame") -> Chart:
    """Plans by how much they change: how far parties stay outside the band, all together."""
    rows = [_row(question, own, plan) for plan in front.itertuples()]
    return front_chart(rows, "Parties", "party")


def _row(question: "Question", own: "Collection[Key]", plan: Any) -> Row:
    """A plan, with the entries and the numbers of the game that it changes."""
    changed = question.made(question.plan_of(plan.changes)).setup
    party = display_name(party_name(plan.worst), LONGEST)
    return front_row(
        plan,
        f"{party} {percent(plan.worst_estimate)}",
        plan.outside,
        text=changed_text(question.facts, changed.facts, own),
        chosen=choices_of_changed(question.settings, changed.settings),
    )
