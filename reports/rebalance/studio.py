"""Rebalancing in the studio: a front of proposals to choose from, each a text for the file."""

from collections.abc import Callable, Mapping
from typing import TYPE_CHECKING

from reports.kit.words import count, display_name
from reports.studio.bench import Chart, Choice, Show, Tried
from reports.studio.changes import seldom
from reports.studio.rows import so_far

if TYPE_CHECKING:
    import pandas as pd

    from analysis.questions.rebalance import FrontSoFar
    from reports.rebalance.command import Asked

#: Games of each candidate, of the confirmation and of the whole search, by how thorough it is.
Searches = Mapping[str, tuple[int, int, int]]


def searches(usual: tuple[int, int, int], *others: tuple[int, int, int]) -> Searches:
    """The searches that can be asked for: the usual one, a quick one and a thorough one."""
    return dict(zip(("usual", "quick", "thorough"), (usual, *others), strict=True))


def search_choice(known: Searches) -> Choice:
    """The choice of how thorough a search is."""
    words = {"usual": "usual: {} games at most", "quick": "a first look: {}"}
    told = {one: words.get(one, "thorough: {}").format(count(known[one][2])) for one in known}
    return Choice("search", "Games", told)


def show_search(show: Show, asked: "Asked", chart: "Callable[[pd.DataFrame], Chart]") -> None:
    """Show the front while a search goes on, and then the answer."""
    from reports.cli.compute import HERE
    from reports.rebalance.command import find_out

    def look(front: "FrontSoFar") -> None:
        plans = front.table()
        show(Tried(so_far(plans), chart=chart(plans)))

    with HERE.start() as crew:
        answer = find_out(asked, crew, see=seldom(look))
    told = answer.told
    show(
        Tried(
            f"{display_name(told.headline, 300)}.",
            told.played,
            [f"{one.topic}: {one.text}" for one in told.findings],
            chart(told.tables["front"]),
            (answer.page.parent.name, answer.page.name),
        )
    )
