"""Experiments on a card of Mindbug in the studio, which are those of the commands."""

from collections.abc import Mapping, Sequence
from functools import partial
from pathlib import Path
from typing import TYPE_CHECKING, Any

from attrs import frozen

from analysis.mindbug.experiments.usual import (
    CANDIDATE_GAMES,
    COMPARED_GAMES,
    CONFIRM_GAMES,
    EVERY_CARD_GAMES,
    SEARCH_GAMES,
    VARIANT_GAMES,
)
from reports.kit.words import capital, display_name, percent, points
from reports.mindbug.studio import versions
from reports.mindbug.studio.modes import choices_of_changed
from reports.mindbug.studio.versions import PoolOf, changed_text, entries_text
from reports.rebalance.studio import search_choice, searches, show_search
from reports.sensitivity.studio import Panel
from reports.studio.bench import Chart, Choice, Chosen, Decided, Row, Show, Trial
from reports.studio.compare import Comparing, compare_trial, differences_chart
from reports.studio.rows import (
    LONGEST,
    by_size,
    doubted_row,
    estimate_row,
    front_chart,
    front_row,
    games_choice,
    points_chart,
)
from reports.verdict.studio import decided_games

if TYPE_CHECKING:
    import pandas as pd

    from analysis.experiments.comparison import Comparison
    from analysis.mindbug.experiments.rebalance import Question
    from analysis.mindbug.experiments.sensitivity import TriedCards
    from analysis.mindbug.experiments.trials import CardChange
    from card_data.mindbug.schema import Pool
    from reports.mindbug.cli.compare_sides import CompareOptions
    from reports.mindbug.cli.sensitivity import Asked as AskedChanges
    from reports.studio.work import Asked

# Cards besides one's own whose change is shown, the most changed.
_MOST_OTHERS = 5

#: The headings of the charts.
_BY_EXPERIMENT = "Why: its win rate with one thing changed, on the same deals"
_OBSERVED = "What became of it: observed, not caused"

#: What is tried: values of ``--changes`` and the words for them.
_CHANGES = {
    "": "everything of one card; of all cards what each is worth",
    "value": "what it is worth alone",
    "power,keywords,copies": "power, keywords and copies (of all cards: a map)",
    "power": "power alone (of all cards: a map)",
}

_SEARCHES = searches(
    (CANDIDATE_GAMES, CONFIRM_GAMES, SEARCH_GAMES),
    (2_000, 20_000, 200_000),
    (20_000, 400_000, 10_000_000),
)
_MAY_CHANGE = {
    "power,keywords": "power and keywords",
    "power": "power alone",
    "power,keywords,copies": "power, keywords, copies",
    "copies": "copies alone",
    "life,mindbugs,hand_size,who_starts": "rules alone: life, Mindbugs, hand, who starts",
    "power,keywords,life,mindbugs,hand_size,who_starts": "power, keywords and these rules",
}
_ALL, _OWN = "all", "own"
_FIRST = ("52", "51", "53", "55", "60")
_TURNS = ("15:30", "10:20", "15:20", "20:25", "20:30", "25:40")


def trials(pool_of: PoolOf) -> Mapping[str, Trial]:
    """The experiments by their names, in the order of the page."""
    return {
        "compare": compare_trial(_Comparing(pool_of), COMPARED_GAMES, 10_000, 40_000),
        "side_by_side": versions.trial(pool_of),
        "sensitivity": CardPanel(pool_of).trial(),
        "rebalance": _rebalance_trial(pool_of),
    }


@frozen
class _Comparing(Comparing):
    pool_of: PoolOf

    def options(self, asked: "Asked") -> "CompareOptions":
        from reports.mindbug.cli.compare_sides import CompareOptions

        options, _ = self.pool_of(Path(asked.file), asked.chosen)
        modes = {name: value for name, value in options.items() if name != "cards"}
        return CompareOptions(**modes, policy=asked.chosen["player"])

    def named(self, asked: "Asked", version: Path) -> str:
        """A version that is mixed into sets is named by a pool file, which lies beside it."""
        from card_data.toml_writer import quoted
        from simcore.sealed import write_file

        options, named = self.pool_of(Path(asked.file), asked.chosen)
        if "cards" not in options:
            return str(version)
        pool = version.with_name(f"{'+'.join(named)}+{version.name}")
        sets = ", ".join(map(quoted, named))
        text = f"sets = [{sets}]\ncards = [{quoted(version.name)}]\n".encode()
        if not pool.is_file() or pool.read_bytes() != text:
            write_file(pool, text)
        return str(pool)

    def chart(self, comparison: "Comparison", own: Sequence[str]) -> Chart | None:
        """By how much players dealt a card win more: own cards, and the most changed others."""
        from reports.compare.text import most_changed

        table = comparison.table
        cards = most_changed(table[(table["kind"] == "card") & (table["measure"] == "dealt")])
        mine = cards["id"].isin(own)
        lines = cards[mine], cards[~mine].head(_MOST_OTHERS)
        return differences_chart(("Card", "Won when dealt", "Verdict"), comparison, lines, own)


class CardPanel(Panel):
    """The experiment on cards; ``pool_of`` says which pool a file is played in."""

    title = "What does each part of a card do?"
    hint = (
        "Changes one thing at a time (its power, a keyword, a line of text) and plays that on the"
        " same deals with the same luck. A press takes a change into the editor."
    )
    headings, after = ("Change", "Difference", "Effect"), "After"
    entry = "Card"
    how = (
        "How many percentage points more often players dealt the card win with its power changed,"
        " a keyword added or (in brackets) taken away; bold where the interval leaves 0 out."
        " Press a number to take the change into the editor."
    )
    choices = (
        Choice("changes", "Changes", _CHANGES),
        games_choice(
            {"": f"usual: {VARIANT_GAMES:,} each, {EVERY_CARD_GAMES:,} of all cards"}, 2_000, 60_000
        ),
    )

    def __init__(self, pool_of: PoolOf) -> None:
        self._pool_of = pool_of

    def ask(self, asked: "Asked") -> "AskedChanges":
        """What the command asks, of a card or of all cards."""
        from reports.mindbug.cli.named_cards import ALL
        from reports.mindbug.cli.options import PoolOptions
        from reports.mindbug.cli.sensitivity import ask

        options, named = self._pool_of(Path(asked.file), asked.chosen)
        return ask(
            asked.entry or ALL,
            *named,
            pool=PoolOptions(**options),
            changes=asked.more["changes"] or None,
            games=int(asked.more["games"]) if asked.more["games"] else None,
            policy=asked.chosen["player"],
        )

    def column(self, change: "CardChange") -> str:
        """Power, keywords and copies are in the map."""
        from reports.mindbug.sensitivity import MAPPED, mapped_column

        variant = change.variant
        return mapped_column(variant.change) if variant.kind in MAPPED else ""

    def columns(self, headings: Sequence[str]) -> Sequence[str]:
        """Powers, keywords, then copies."""
        from reports.mindbug.sensitivity import in_order

        return in_order(headings)

    def taken(
        self,
        asked: "Asked",  # noqa: ARG002 - a card stands in any file as it is
        change: "CardChange",
    ) -> tuple[str, Chosen]:
        """The changed card; nothing where another card lies in its place."""
        variant = change.variant
        return "" if variant.kind == "value" else entries_text([variant.card]), {}

    def reference(self, tried: "TriedCards") -> Mapping[str, Any]:
        """The average card, or the one that was named."""
        return {"card_id": tried.reference.card_id, "name": tried.reference.name}


def _rebalance_trial(pool_of: PoolOf) -> Trial:
    """Rebalancing as it can be asked for."""
    return Trial(
        "Which small changes balance the pool?",
        "Searches for changes that bring every card into the band, and confirms them with fresh"
        " games. Choose how much to change: each choice can be taken into the editor. A step of"
        " power or a copy counts 1, a keyword 2. Players and rules are chosen above.",
        "Search",
        partial(_rebalance, pool_of),
        [
            search_choice(_SEARCHES),
            Choice("changes", "Change", _MAY_CHANGE),
            Choice("cards", "Of", {_ALL: "any card", _OWN: "cards of this file alone"}),
            Choice("band", "Band", {one: f"±{one} points" for one in ("2", "1", "3", "5")}),
            Choice(
                "first_player",
                "Who starts wins",
                {"": "as often as it comes"} | {one: f"{one}% at most" for one in _FIRST},
            ),
            Choice(
                "turns",
                "Turns in a game",
                {"": "as many as it comes"} | {one: one.replace(":", " to ") for one in _TURNS},
            ),
        ],
        of_pool=True,
    )


def _rebalance(pool_of: PoolOf, asked: "Asked", show: Show) -> None:
    """Do what ``fairdeal rebalance`` does, of the pool that the file is played in."""
    from reports.mindbug.cli.options import PoolOptions
    from reports.mindbug.cli.rebalance import PoolGoals, ask

    options, named = pool_of(Path(asked.file), asked.chosen)
    pool, more = PoolOptions(**options), asked.more
    games, confirm, budget = _SEARCHES[more["search"]]
    wished = PoolGoals(
        band=float(more["band"]),
        first_player=float(more["first_player"]) if more["first_player"] else None,
        turns=more["turns"] or None,
        changes=more["changes"],
        only=_own(pool.load(named), asked) if more["cards"] == _OWN else None,
        games=games,
        confirm=confirm,
        budget=budget,
    )
    said = ask(*named, pool=pool, options=wished, policy=asked.chosen["player"])
    show_search(show, said, partial(_front, said.balanced))


def _own(pool: "Pool", asked: "Asked") -> str:
    """The cards of the file that are dealt, as ``--only`` names them."""
    from card_data.mindbug.variants import dealt_cards

    return ",".join(card.card_id for card in dealt_cards(pool) if card.card_id in asked.own)


def _front(question: "Question", front: "pd.DataFrame") -> Chart:
    """Plans by how much they change: how far cards stay outside the band, all together."""
    from analysis.mindbug.experiments.rebalance_goals import FIRST_PLAYER, TURNS

    headings = {FIRST_PLAYER: "Who starts wins", TURNS: "Turns"}
    goals = [goal for goal in headings if goal in question.goals.of_game()]
    rows = [_row(question, plan, goals) for plan in front.itertuples()]
    return front_chart(rows, "Cards", "card", [headings[goal] for goal in goals])


def _row(question: "Question", plan: Any, goals: Sequence[str]) -> Row:
    """A plan, with the cards and the rules that it changes."""
    from analysis.mindbug.experiments.rebalance_goals import TURNS

    pool = question.pool
    changed = question.made(question.plan_of(plan.changes))
    numbers = [(goal, getattr(plan, goal)) for goal in goals]
    return front_row(
        plan,
        f"{display_name(plan.worst_card, LONGEST)} {points(plan.worst_advantage)}",
        plan.cards_outside,
        [f"{number:.1f}" if goal == TURNS else percent(number) for goal, number in numbers],
        text=changed_text(pool, changed),
        chosen=choices_of_changed(pool.modes, changed.modes),
    )


def why(tables: "Mapping[str, pd.DataFrame]") -> Mapping[str, Chart]:
    """What the card and its parts are worth by experiment, and what was observed of it.

    By experiment: how much more or less players dealt it win with an average card in its place, and
    with one thing less of it; observed: the points that go with what became of it.
    """
    from reports.mindbug.explain.text import PART_TEXT

    table, parts = tables["sensitivity"], tables["card_parts"]
    dealt = table[table["measure"] == "dealt"]
    less = dealt["kind"].isin(["remove_keyword", "remove_line"]) | (dealt["change"] == "power-1")
    worth = [
        doubted_row(line, "difference", line["label"], is_own=line["kind"] == "value")
        for shown in (dealt[dealt["kind"] == "value"], by_size(dealt[less]))
        for _, line in shown.iterrows()
    ]
    fates = [
        estimate_row(part, "contribution", capital(PART_TEXT[part["part"]]))
        for _, part in parts[parts["view"] == "fate"].iterrows()
    ]
    band = 100 * float(tables["verdict"]["band"].iloc[0])
    found = {
        _BY_EXPERIMENT: points_chart(("Changed", "Points", ""), worth, band),
        _OBSERVED: points_chart(("Against the average card", "Points", ""), fates, band),
    }
    return {heading: chart for heading, chart in found.items() if chart is not None}


def decided(folder: Path) -> Sequence[Decided]:
    """The games of a verdict that came out otherwise.  Raises RunError."""
    from analysis.mindbug.experiments.verdict import FOLDER
    from analysis.mindbug.experiments.verdict_tables import VERDICT_GAMES
    from reports.mindbug.verdict.text import game_text

    return decided_games(
        FOLDER, VERDICT_GAMES, folder, game_text, turn=lambda row: int(row["turn_played"])
    )
