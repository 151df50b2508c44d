"""Rebalancing in the studio: a front of proposals to choose from, each a text for the file."""

from collections.abc import Sequence
from functools import partial
from pathlib import Path
from typing import TYPE_CHECKING, Any

from analysis.mindbug.experiments.usual import (
    CANDIDATE_GAMES,
    CANDIDATE_PLAYER,
    CONFIRM_GAMES,
    SEARCH_GAMES,
)
from reports.kit.words import display_name, percent, points
from reports.mindbug.studio.card_texts import PoolOf, changed_text
from reports.mindbug.studio.modes import choices_of_changed
from reports.rebalance.studio import search_choice, searches, show_search
from reports.studio.bench import Chart, Choice, Row, Show, Trial
from reports.studio.rows import LONGEST, front_chart, front_row

if TYPE_CHECKING:
    import pandas as pd

    from analysis.mindbug.experiments.rebalance import Question
    from card_data.mindbug.schema import Pool
    from reports.studio.work import Asked

_SEARCHES = searches(
    (CANDIDATE_GAMES, CONFIRM_GAMES, SEARCH_GAMES),
    (2_000, 20_000, 200_000),
    (20_000, 400_000, 10_000_000),
)
_CHANGES = {
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


def trial(pool_of: PoolOf) -> Trial:
    """The experiment as it can be asked for."""
    return Trial(
        "Which small changes balance the pool?",
        "Searches for changes that bring every card into the band, and confirms them with fresh"
        " games. Choose how much to change: each choice can be taken into the editor. A step of"
        " power or a copy counts 1, a keyword 2. Rules are chosen above, where it says how the game"
        " is played.",
        "Search",
        partial(_rebalance, pool_of),
        [
            search_choice(_SEARCHES),
            Choice("changes", "Change", _CHANGES),
            Choice("cards", "Of", {_ALL: "any card", _OWN: "cards of this file alone"}),
            Choice("band", "Band", {one: f"±{one} points" for one in ("2", "1", "3", "5")}),
            Choice(
                "first_player",
                "Who starts wins",
                {"": "as often as it comes"} | {one: f"{one} % at most" for one in _FIRST},
            ),
            Choice(
                "turns",
                "Turns in a game",
                {"": "as many as it comes"} | {one: one.replace(":", " to ") for one in _TURNS},
            ),
            Choice(
                "by",
                "Players",
                {CANDIDATE_PLAYER: f"{CANDIDATE_PLAYER} (usual)", "": "those chosen above"},
            ),
        ],
        of_pool=True,
    )


def _rebalance(pool_of: PoolOf, asked: "Asked", show: Show) -> None:
    """Do what ``fairdeal rebalance`` does, of the pool that the file is played in."""
    from reports.mindbug.cli.options import PoolOptions
    from reports.mindbug.cli.rebalance import ask
    from reports.mindbug.cli.rebalance_options import PoolGoals

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
    player = more["by"] or asked.chosen["player"]
    said = ask(*named, pool=pool, options=wished, policy=player)
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
