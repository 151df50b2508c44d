"""Experiments on a chapter in the studio, which are those of the commands."""

from collections.abc import Collection, Mapping, Sequence
from functools import partial
from pathlib import Path
from typing import TYPE_CHECKING, Any

from analysis.mice_and_mystics.experiments import usual
from reports.kit.words import display_name, percent
from reports.mice_and_mystics.cli.sensitivity import ALL
from reports.mice_and_mystics.run_text import party_name
from reports.mice_and_mystics.studio.choices import choices_of_changed, named, read
from reports.mice_and_mystics.studio.recipes import changed_text, own_entries
from reports.rebalance.studio import search_choice, searches, show_search
from reports.sensitivity.studio import StepPanel
from reports.studio.bench import Bench, Chart, Choice, Chosen, Row, Show, Trial
from reports.studio.compare import compare_trial, difference_row
from reports.studio.rows import (
    LONGEST,
    chart_of_steps,
    doubted_row,
    front_chart,
    front_row,
    games_choice,
    points_chart,
)
from reports.studio.side_by_side import ComparingVersions, Words, side_by_side_trial

if TYPE_CHECKING:
    import pandas as pd

    from analysis.experiments.comparison import Comparison
    from analysis.mice_and_mystics.experiments.rebalance import Question
    from analysis.mice_and_mystics.experiments.sensitivity import FactChange
    from card_data.schema.changes import Variable
    from card_data.schema.kinds import Key
    from card_data.toml_places import KeyPath
    from reports.mice_and_mystics.cli.compare_sides import CompareOptions
    from reports.mice_and_mystics.cli.sensitivity import Asked as AskedChanges
    from reports.studio.work import Asked

#: The heading of a chart.
_WITH_WHOM = "With whom: what it adds beyond the usual in parties with another hero"
#: What is changed where nobody asks about an entry, and kinds of entries whose numbers are a map.
_MAPPED = ("heroes", "minions")
#: What is changed: values of ``--of`` and the words for them.
_OF = {
    "": "what you ask about above",
    ",".join(_MAPPED): "heroes and minions: a map",
    "cards": "abilities, search cards, encounters",
    "chapter,rules": "the chapter and numbers of the game",
    "switches": "open points of the rules",
    ALL: "everything: some hundreds",
}

_SEARCHES = searches(
    (usual.CANDIDATE_GAMES, usual.CONFIRM_GAMES, usual.SEARCH_GAMES),
    (1_500, 10_000, 100_000),
    (12_000, 200_000, 4_000_000),
)
_CHANGES = {
    ",".join(usual.USUAL_LEVERS): "all but abilities and search cards",
    "heroes": "heroes alone",
    "minions": "minions alone",
    "encounters": "encounters alone",
    "chapters,rules": "the chapter and its numbers alone",
    ",".join(usual.LEVERS): "everything",
}
_ALL, _OWN = "all", "own"
_BANDS = ("45,55", "40,60", "30,70", "20,40", "30,50", "50,70", "60,80")
_STEPS = ("1", "2", "3")
_MOST = ("1", "2", "3", "5")


def trials(bench: Bench) -> Mapping[str, Trial]:
    """The experiments by their names, in the order of the page."""
    games = usual.COMPARED_GAMES, 20_000, 50_000
    return {
        "compare": compare_trial(_Comparing(), *games),
        "side_by_side": side_by_side_trial(bench, _Comparing(), *games),
        "sensitivity": ChapterPanel().trial(),
        "rebalance": _rebalance_trial(),
    }


class _Comparing(ComparingVersions):
    words = Words("Games won", "Won, %", "shares of games won", "more", "fewer", "as many")

    def options(self, asked: "Asked") -> "CompareOptions":
        from reports.mice_and_mystics.cli.compare_sides import CompareOptions

        said = read(Path(asked.file), asked.entry, asked.chosen)
        return CompareOptions(
            party=said.party, switches=[*said.switches], policy=asked.chosen["player"]
        )

    def named(self, asked: "Asked", version: Path) -> str:
        said = read(Path(asked.file), asked.entry, asked.chosen)
        return named(said.chapter, version)

    def chart(self, comparison: "Comparison", own: Sequence[str]) -> Chart | None:  # noqa: ARG002
        """By how much more games are won: all, and those of each party."""
        from reports.mice_and_mystics.compare import name_of

        table = comparison.table
        won = table[table["measure"] == "win_rate"].sort_values("kind", kind="stable")
        rows = [
            difference_row("all parties" if is_all else name_of(line), line, is_own=is_all)
            for _, line in won.iterrows()
            for is_all in [line["kind"] == "game"]
        ]
        return points_chart(
            ("Party", "Won, points", "Verdict"), rows, 100 * float(table["band"].min())
        )

    def line(self, comparison: "Comparison", entry: str) -> "pd.Series":  # noqa: ARG002
        table = comparison.table
        return table[(table["kind"] == "game") & (table["measure"] == "win_rate")].iloc[0]

    def now(self, line: "pd.Series") -> str:
        return f"{percent(line['variant'])} of the games are won now"

    def entries(self, text: str, file: str) -> "Mapping[KeyPath, str]":
        return own_entries(text, file)


class ChapterPanel(StepPanel):
    """The experiment on the numbers of a chapter, or of an entry of a file."""

    hint = (
        "Makes each number in turn one less and one more, and plays that in games with the same"
        " party, decks and dice; for a chapter, the numbers of its heroes and minions. A press"
        " takes"
        " a change into the editor."
    )
    headings, after = ("Change", "Difference", "Games won"), "Won then"
    words = ("more", "fewer")
    how = (
        "How many percentage points more of the games are won with a number one less or one more;"
        " bold where that is clear. Press a number to take the change into the editor."
    )
    choices = (
        Choice("of", "Change", _OF),
        games_choice(
            {str(usual.CHANGE_GAMES): f"{usual.CHANGE_GAMES} with each, as usual"}, 4_000, 20_000
        ),
    )

    def ask(self, asked: "Asked") -> "AskedChanges":
        """What the command asks, of an entry or of a part of the chapter."""
        from reports.mice_and_mystics.cli.sensitivity import ask

        played = read(Path(asked.file), asked.entry, asked.chosen)
        return ask(
            played.played.said,
            of=asked.more["of"] or asked.entry or ",".join(_MAPPED),
            party=played.party,
            switches=[*played.switches],
            policy=asked.chosen["player"],
            games=int(asked.more["games"]),
        )

    def is_mapped(self, variable: "Variable") -> bool:
        """Those of heroes and minions."""
        return variable.of in _MAPPED

    def taken(self, asked: "Asked", change: "FactChange") -> tuple[str, Chosen]:
        """The changed entry for the file, or what to choose for another number of the game."""
        from card_data.mice_and_mystics.loader import own_keys

        (facts, settings), (changed, otherwise) = change.sides
        text = changed_text(facts, changed, own_keys(Path(asked.file)))
        return text, choices_of_changed(settings, otherwise)


def _rebalance_trial() -> Trial:
    """Rebalancing as it can be asked for."""
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
    """A band in words: "45 to 55%"."""
    return f"{band.replace(',', ' to ')}%"


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


def why(tables: "Mapping[str, pd.DataFrame]") -> Mapping[str, Chart]:
    """What each number of an entry does by experiment, and with which heroes it adds more."""
    partners = tables["verdict_partners"].sort_values("beyond", ascending=False)
    heroes = [doubted_row(line, "beyond", line["other_name"]) for _, line in partners.iterrows()]
    chart = points_chart(("In parties with", "Points", ""), heroes)
    return chart_of_steps(tables, "what it adds") | ({_WITH_WHOM: chart} if chart else {})
