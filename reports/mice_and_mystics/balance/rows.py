"""The columns of the tables of the report; the registry says what a heading means."""

from collections.abc import Callable, Iterable, Mapping
from functools import partial
from math import nan
from typing import Any

import pandas as pd

from analysis.mice_and_mystics.registry import TABLES
from reports.kit import cells
from reports.kit.cells import Cell, Column, Ground, number, word
from reports.kit.words import bare_percent, percent, points, signed
from reports.mice_and_mystics.run_text import hero_name, party_name

_two_decimals = "{:.2f}".format


class Columns(cells.Columns):
    """Makes columns of one table."""

    def __init__(self, table: str) -> None:
        super().__init__(TABLES[table].columns)

    def word(
        self, heading: str, column: str, text: Callable[[Any], str] = str, filter_by: str = ""
    ) -> Column:
        """Words."""
        return self.of(
            heading, column, lambda row: word(text(row[column])), kind="word", filter=filter_by
        )

    def name(self, heading: str, column: str, own: Mapping[str, str]) -> Column:
        """The name of an entry; one of a designer's own is marked, ``own`` says how by its id."""
        return self.of(
            heading,
            "name",
            lambda row: word(row["name"])._replace(mark=own.get(row[column], "")),
            kind="word",
        )

    def rate(
        self, heading: str, column: str, n: str | None = None, *, middle: float | None = None
    ) -> Column:
        """A share in per cent, with its interval; tables are sorted by one with a ``middle``."""
        if middle is None:
            return self.estimate(heading, column, bare_percent, n)
        ground = Ground(partial(percent, digits=0), middle)
        return self.estimate(heading, column, bare_percent, n, sorted=True, ground=ground)

    def effect(self, heading: str, column: str, *, first: bool = False) -> Column:
        """A difference in percentage points, with its interval."""
        ground = Ground(partial(points, digits=0)) if first else None
        return self.estimate(heading, column, sorted=first, ground=ground)

    def mean(self, heading: str, column: str) -> Column:
        """A mean, with its interval."""
        return self.estimate(heading, column, _two_decimals)

    def more(self, heading: str, column: str) -> Column:
        """A difference of means, with its interval."""
        return self.estimate(heading, column, partial(signed, digits=2))

    def bare(self, heading: str, column: str, words: Callable[[float], str]) -> Column:
        """A number without an interval."""
        return self.of(heading, column, lambda row: number(row[column], nan, nan, words))


def party_columns() -> list[Column]:
    """Those of the table of parties."""
    of = Columns("parties")
    return [
        of.word("Party", "party", party_name),
        of.rate("Won, %", "win_rate", "n_games", middle=0.5),
        of.effect("Over average", "over_average"),
        of.verdict(),
        of.rate("Out of pages", "loss_page_rate"),
        of.rate("All captured", "loss_captured_rate"),
        of.mean("Rooms", "mean_route_depth"),
        of.mean("Rounds", "mean_rounds"),
        of.mean("Surges", "mean_surges"),
        of.mean("Captures", "mean_captures"),
        of.mean("Score", "score"),
        of.count("Games", "n_games"),
    ]


def hero_columns(own: Mapping[str, str]) -> list[Column]:
    """Those of the table of heroes."""
    of = Columns("heroes")
    return [
        of.name("Hero", "hero", own),
        of.effect("Worth", "worth", first=True),
        of.effect("Shapley", "shapley"),
        of.verdict(),
        of.rate("Won with", "win_rate_with", "n_games_with"),
        of.rate("Won without", "win_rate_without", "n_games_without"),
        of.mean("Captures", "mean_captures"),
        of.mean("Attacks", "mean_attacks"),
        of.mean("Hits", "mean_wounds_dealt"),
        of.mean("Cheese", "mean_cheese_income"),
        of.mean("Level-ups", "mean_level_ups"),
    ]


def pair_columns() -> list[Column]:
    """Those of the table of pairs of heroes."""
    of = Columns("hero_pairs")
    return [
        of.word("Hero", "hero", hero_name),
        of.word("With", "other", hero_name),
        of.effect("Beyond each", "synergy", first=True),
        of.rate("Won with both", "win_rate_with_both", "n_games_with_both"),
        of.count("Parties", "parties_with_both"),
    ]


def room_columns() -> list[Column]:
    """Those of the table of rooms and pages."""
    of = Columns("rooms")
    return [
        of.word("Room", "name", filter_by="Room"),
        of.count("Page", "page"),
        of.count("Games", "ended"),
        of.rate("Of all games", "share"),
        of.rate("Of losses", "lost_share", middle=nan),
        of.count("Won", "win"),
        of.count("Out of pages", "loss_page"),
        of.count("All captured", "loss_captured"),
    ]


def room_cost_columns() -> list[Column]:
    """Those of the table of what rooms cost."""
    of = Columns("room_costs")
    return [
        of.word("Room", "name"),
        of.rate("Entered", "entered_share", "entered_n"),
        of.rate("Won when entered", "entered_win_rate", "entered_n"),
        of.mean("Rounds", "rounds"),
        of.mean("With minions", "rounds_fought"),
        of.mean("Surges", "surges"),
        of.mean("Captures", "captures"),
        of.mean("Pages turned", "pages_lost"),
        of.bare("Of all pages", "pages_lost_share", bare_percent),
        of.rate("Lost here", "lost_here_share", "entered_n"),
    ]


def encounter_columns(own: Mapping[str, str]) -> list[Column]:
    """Those of the table of encounter cards."""
    of = Columns("encounters")
    return [
        of.name("Encounter", "encounter", own),
        of.effect("Win rate", "win_effect", first=True),
        of.effect("Of all known", "win_effect_shrunk"),
        of.verdict(),
        of.more("Pages lost", "pages_lost_effect"),
        of.more("Captures", "captures_effect"),
        of.rate("Won when first", "first_win_rate", "first_n"),
        of.rate("Won when drawn", "drawn_win_rate", "drawn_n"),
        of.mean("Rounds to clear", "drawn_rounds_to_clear"),
        of.mean("Pages there", "drawn_pages_lost_there"),
    ]


def ability_columns(own: Mapping[str, str]) -> list[Column]:
    """Those of the table of abilities."""
    of = Columns("abilities")
    return [
        of.name("Ability", "ability", own),
        of.effect("Worth", "win_effect", first=True),
        of.effect("Of all known", "win_effect_shrunk"),
        of.verdict(),
        of.rate("Won when dealt", "dealt_win_rate", "dealt_n"),
        of.rate("Won when owned", "owned_win_rate", "owned_n"),
        of.rate("Won when used", "used_win_rate", "used_n"),
        of.bare("Uses", "used_per_game", _two_decimals),
        of.bare("Cheese paid", "paid_per_game", _two_decimals),
    ]


def search_card_columns(own: Mapping[str, str]) -> list[Column]:
    """Those of the table of search cards."""
    of = Columns("search_cards")
    return [
        of.name("Card", "card", own),
        of.word("Type", "type", filter_by="Type"),
        of.effect("Worth", "win_effect", first=True),
        of.effect("Of all known", "win_effect_shrunk"),
        of.verdict(),
        of.rate("Won near the top", "top8_win_rate", "top8_n"),
        of.rate("Won when drawn", "drawn_win_rate", "drawn_n"),
        of.rate("Won when equipped", "equipped_win_rate", "equipped_n"),
        of.rate("Won when used", "used_win_rate", "used_n"),
    ]


def assumption_columns() -> list[Column]:
    """Those of the table of assumptions."""
    of = Columns("assumptions")
    return [
        of.word("Entry", "name", lambda name: name or "switch"),
        of.word("Number or switch", "label"),
        of.word("In the run", "value"),
        of.word("Changed to", "changed_to"),
        of.word("Confidence", "confidence", filter_by="Confidence"),
        Column("Win rate", "with the change minus without it, in percentage points", _changed),
        of.bare("Of all known", "win_effect_shrunk", partial(points, digits=2)),
    ]


def _changed(row: pd.Series) -> Cell:
    ends = row["win_effect_low"], row["win_effect_high"]
    return number(row["win_effect"], *ends, points)


def counter_columns() -> list[Column]:
    """Those of the table of counters."""
    of = Columns("counters")
    return [
        of.word("Counter", "counter"),
        Column("Mean", "in a game, on average", _counter),
        of.bare("Std. dev.", "std_dev", _two_decimals),
        of.count("Games", "n"),
    ]


def _counter(row: pd.Series) -> Cell:
    return number(row["mean"], row["ci_low"], row["ci_high"], "{:.3f}".format)


def own_first(table: pd.DataFrame, column: str, own: Mapping[str, str]) -> pd.DataFrame:
    """The rows with a designer's own entries before the others."""
    return table.iloc[(~table[column].isin(own)).argsort(kind="stable")]


def without_gaps(table: pd.DataFrame, column: str) -> pd.DataFrame:
    """The rows in which something is known, the greatest first."""
    known = table.dropna(subset=[column])
    return known.sort_values(column, ascending=False, kind="stable")


def chosen(columns: Iterable[Column], *headings: str) -> list[Column]:
    """Some of the columns, for Markdown."""
    return [column for column in columns if column.heading in headings]
