"""Rebalancing in the studio: a front of proposals to choose from, each a text for the file."""

from functools import partial
from math import ceil
from pathlib import Path
from typing import TYPE_CHECKING, Any

from analysis.mindbug.experiments.usual import (
    CANDIDATE_GAMES,
    CANDIDATE_PLAYER,
    CONFIRM_GAMES,
    SEARCH_GAMES,
)
from reports.kit.words import count, display_name, points
from reports.mindbug.studio.card_texts import PoolOf, changed_text
from reports.studio.bench import Chart, Choice, Row, Show, Trial, Tried
from reports.studio.rows import LONGEST

if TYPE_CHECKING:
    import pandas as pd

    from analysis.mindbug.experiments.rebalance import Question
    from card_data.mindbug.schema import Pool
    from reports.studio.work import Asked

#: Games of each candidate, of the confirmation and of the whole search, by how thorough it is.
_SEARCHES = {
    "usual": (CANDIDATE_GAMES, CONFIRM_GAMES, SEARCH_GAMES),
    "quick": (2_000, 20_000, 200_000),
    "thorough": (20_000, 400_000, 10_000_000),
}
_THOROUGH = {
    "usual": f"as the command: {count(SEARCH_GAMES)} games at most",
    "quick": f"a first look: {count(_SEARCHES['quick'][2])}",
    "thorough": f"thorough: {count(_SEARCHES['thorough'][2])}",
}
_CHANGES = {
    "power,keywords": "power and keywords",
    "power": "power alone",
    "power,keywords,copies": "power, keywords, copies",
    "copies": "copies alone",
}
_ALL, _OWN = "all", "own"
_MORE = ("Gain", "Cards outside", "Farthest card", "Changes")


def trial(pool_of: PoolOf) -> Trial:
    """The experiment as it can be asked for."""
    return Trial(
        "Which small changes balance the pool?",
        "Searches for changes that bring every card into the band, and confirms them with fresh"
        " games. Choose how much to change: each choice can be taken into the editor.",
        "Search",
        partial(_rebalance, pool_of),
        [
            Choice("search", "Games", _THOROUGH),
            Choice("changes", "Change", _CHANGES),
            Choice("cards", "Of", {_ALL: "any card", _OWN: "cards of this file alone"}),
            Choice("band", "Band", {one: f"±{one} points" for one in ("2", "1", "3", "5")}),
            Choice(
                "by",
                "Players",
                {CANDIDATE_PLAYER: f"{CANDIDATE_PLAYER}, as the command", "": "those chosen above"},
            ),
        ],
        of_pool=True,
    )


def _rebalance(pool_of: PoolOf, asked: "Asked", show: Show) -> None:
    """Do what ``balancelab rebalance`` does, of the pool that the file is played in."""
    from reports.cli.compute import HERE
    from reports.mindbug.cli.options import PoolOptions
    from reports.mindbug.cli.rebalance import ask, find_out
    from reports.mindbug.cli.rebalance_options import RebalanceOptions
    from reports.mindbug.rebalance.text import describe
    from reports.rebalance.text import headline

    options, named = pool_of(Path(asked.file), asked.chosen)
    pool, more = PoolOptions(**options), asked.more
    games, confirm, budget = _SEARCHES[more["search"]]
    wished = RebalanceOptions(
        band=float(more["band"]),
        changes=more["changes"],
        only=_own(pool.load(named), asked) if more["cards"] == _OWN else None,
        games=games,
        confirm=confirm,
        budget=budget,
    )
    said = ask(named, pool, wished, policy=more["by"] or asked.chosen["player"])
    with HERE.start() as crew:
        answer = find_out(said, crew)
    found = answer.found
    show(
        Tried(
            f"{display_name(headline(found.manifest, found.tables['changes']), 300)}.",
            describe(found.manifest),
            [f"{one.topic}: {one.text}" for one in answer.findings],
            _front(said.balanced, found.tables["front"]),
            (answer.page.parent.name, answer.page.name),
        )
    )


def _own(pool: "Pool", asked: "Asked") -> str:
    """The cards of the file that are dealt, as ``--only`` names them."""
    from card_data.mindbug.variants import dealt_cards

    return ",".join(card.card_id for card in dealt_cards(pool) if card.card_id in asked.own)


def _front(question: "Question", front: "pd.DataFrame") -> Chart:
    """Plans by how much they change: how far cards stay outside the band, all together."""
    rows = [_row(question, plan) for plan in front.itertuples()]
    reach = max(1, ceil(max(row.high or 0 for row in rows)))
    return Chart(
        ("Cost", "Points outside", "Choice"),
        rows,
        *(0, reach, 0, 0),
        ("0", f"{reach} points"),
        _MORE,
    )


def _row(question: "Question", plan: Any) -> Row:
    """A plan, with the cards that it changes."""
    from analysis.mindbug.experiments.rebalance_goals import CARD
    from card_data.mindbug.adjustments import adjusted
    from reports.kit.words import interval
    from reports.mindbug.rebalance.text import amount_text

    words = partial(amount_text, CARD)
    by_name = {one.name: one for one in question.adjustments}
    changed = adjusted(question.pool, [by_name[name] for name in plan.changes.split()])
    gain = f"{words(plan.gain)} ({interval(plan.gain_ci_low, plan.gain_ci_high, words)})"
    return Row(
        str(plan.amount) if plan.amount else "0, as it is",
        words(plan.excess),
        interval(plan.excess_ci_low, plan.excess_ci_high, words),
        *(100 * plan.excess_ci_low, 100 * plan.excess, 100 * plan.excess_ci_high),
        word="proposed" if plan.proposed else "",
        kind="strong" if plan.proposed else "",
        text=changed_text(question.pool, changed) if plan.amount else "",
        is_own=plan.proposed,
        more=[
            gain if plan.amount else "",
            str(plan.cards_outside),
            f"{display_name(plan.worst_card, LONGEST)} {points(plan.worst_advantage)}",
            display_name(plan.in_words, 600) or "nothing",
        ],
    )
