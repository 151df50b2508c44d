"""A verdict on an entry of a chapter in words.

Nothing is estimated here; sentences quote the tables.
"""

from collections.abc import Iterator

import pandas as pd

from analysis.mice_and_mystics.experiments.verdict_effects import (
    ABILITIES,
    DRAWN,
    ENCOUNTERS,
    HEROES,
)
from reports.kit.verdicts import settled
from reports.kit.words import count, interval_of, listed, percent, plural, points
from reports.verdict.words import Scale, Words, came_out, unsigned

#: What the tables call the average of the other entries of a kind.
_NUMBERS = "average numbers"


#: What a verdict on an entry is on.
SCALE = Scale("effect", 0, "difference in win rate, percentage points")


class EntryWords(Words):
    """The words of a verdict on a hero, a card, a minion or an encounter."""

    scale, average, alike = SCALE, "average", "ones"
    number = "its effect"
    who = "played by {}"
    stronger = "who is stronger"
    agree = "A stronger player ({}) agrees"
    steps = "single steps on its numbers"
    then = "in {n} fresh games its effect is then {size}, and the chapter is won"

    def overall(self, row: pd.Series) -> str:
        """By how much a change moves the win rate of the chapter."""
        moved = 100 * row["chapter"]
        return f" {abs(moved):.1f} points {'more' if moved > 0 else 'less'} often"

    @property
    def stands(self) -> str:
        """What its effect is the difference of."""
        row = self.row
        by = unsigned(row, "effect")
        more = "more" if row["effect"] >= 0 else "less"
        if row["method"] != DRAWN:
            return f"the party wins {by} {more} often than with {_average(row)} in its place"
        if row["kind"] == HEROES:
            return f"parties with {row['name']} win {by} {more} often than parties without"
        there = {
            ABILITIES: "a mouse begins with it",
            ENCOUNTERS: "it is the first encounter",
        }.get(row["kind"], "it is among the top 8 cards of the search deck")
        return f"games in which {there} are won {by} {more} often than others"

    @property
    def instead(self) -> str:
        """An average one."""
        return _average(self.row)

    @property
    def topics(self) -> list[tuple[str, list[str]]]:
        """What is worth knowing, most of it first."""
        tables = self.tables
        return [
            ("Smallest change", self.change),
            ("Why", [*self._why()]),
            ("With whom", [partners_text(tables["verdict_partners"])]),
            ("Over players", [*map(self._over, self.others)]),
            ("Games", [*self.turned, *self.told(game_text)]),
        ]

    def _why(self) -> Iterator[str]:
        """What an average one in its place would do, and each number of it."""
        row = self.row
        if row["method"] == DRAWN and pd.notna(row["swap"]):
            more = "less" if row["swap"] > 0 else "more"
            yield (
                f"With {_average(row)} in its place, and the same luck, the games that have it are"
                f" won {unsigned(row, 'swap')} {more} often."
            )
        if steps := self.single_steps:
            yield steps
        elif pd.isna(row["swap"]):
            yield "It has no numbers that could be changed."

    def _over(self, other: pd.Series) -> str:
        """By how much its effect moves for another player."""
        first = self.row
        return (
            f"From {first['policy']}, who wins {percent(first['win_rate'])} of all games, to"
            f" {other['policy']}, who wins {percent(other['win_rate'])}, {self.moves(other)}"
        )


def partners_text(partners: pd.DataFrame) -> str:
    """With which heroes it does more or less."""
    if partners.empty:
        return "The parties that play do not differ in who is beside it."
    sure = settled(partners, "beyond")
    if sure.empty:
        return f"Whether its effect depends on any of {len(partners)} heroes is not settled."
    said = listed(f"{one['other_name']} ({_beyond(one)})" for _, one in sure.iterrows())
    return f"By how much its effect differs in parties with a hero, in points: {said}."


def game_text(row: pd.Series) -> str:
    """One game that came out otherwise with an average one."""
    by = "for" if row["average"] == _NUMBERS else "in the place of"
    return came_out(
        row,
        listed(row["party"].split(", ")),
        f"in {row['rounds']} {plural('round', row['rounds'])}",
        f"{row['average']} {by} {row['name']}",
        "they",
    )


def _beyond(row: pd.Series) -> str:
    ends = interval_of(row, "beyond", points)
    return f"{points(row['beyond'])}, {ends}, {count(row['n'])} games"


def _average(row: pd.Series) -> str:
    """What takes its place."""
    if row["average"] != _NUMBERS:
        return str(row["average"])
    return f"a {'hero' if row['kind'] == HEROES else 'minion'} of {_NUMBERS}"
