"""What stronger play changes in a game that somebody brings, in words, and its charts."""

from collections.abc import Callable, Mapping
from itertools import pairwise

import pandas as pd

from analysis.own_games.skill import SKILL_TABLES
from analysis.verdicts import LESS, MORE
from reports.kit.cells import Cell, estimate, word
from reports.kit.drawing import Charts
from reports.kit.verdicts import settled
from reports.kit.words import (
    ARROW,
    DOT,
    Finding,
    bare_percent,
    capital,
    count,
    interval_of,
    listed,
    percent,
    points,
)
from reports.own_games.page import game_text, made_with
from reports.skill.charts import luck_chart, players_chart
from reports.skill.text import Skill, with_ends

_NAMED = 3
_SOURCES = {
    "player": "who plays",
    "deal": "the deal",
    "chance": "luck behind it",
    "choices": "choices",
}
CHARTS = Charts(SKILL_TABLES)
plot_players = players_chart(
    *(CHARTS, "outcome", "gain", "gets", "mean outcome"),
    "on the same deals, against the player below; gained: points more than that one in its place",
)
plot_luck = luck_chart(
    *(CHARTS, "outcome", _SOURCES),
    "shares of the variance of the outcome, each player among its like",
)


class GameSkill(Skill):
    """Players of a game who are compared."""

    charts = CHARTS
    rate, gain, comes_off, heading = "outcome", "gain", "gets {}", "gets"
    of, decides, most = "the outcome", "the outcome", "gets most: {} of the best outcome"
    measures: Mapping[str, tuple[str, Callable[[float], str]]] = {
        "outcome": ("outcome", bare_percent)
    }
    sources = _SOURCES
    dealt: Mapping[str, str] = {"deal": "the deal decides"}
    lucky: Mapping[str, str] = {"deal": "a deal"}
    shares: Mapping[str, str] = {
        "deal": "the deal",
        "chance": "luck behind it at least",
        "choices": "choices",
    }
    chance = (
        "chance",
        "Later dice and draws decide at least {}, whatever the players do.",
    )
    rest = (
        "choices",
        "The remaining {} is what the players choose, and the luck that follows from it.",
    )
    nothing = "All games had the same outcome, so there is no luck in it."
    how_skill = (
        "Every player plays the same deals. A player gets: the mean outcome of its seats, where it"
        " has each side in turn and all others are the player before; of the first player, among"
        " its like. Where all play together it has all seats."
    )
    how_luck = (
        "<em>The deal</em> is what lies where before the first decision. <em>Luck behind it</em>"
        " are dice and draws that have the same effect whatever the players do; this is the least"
        " that they decide. <em>Choices</em> are the rest. So that they do not just repeat"
        " themselves,"
        " players who think take one option in 50 at random."
    )
    hint = "That one sits in the same seats of the same games."
    spread = "in percentage points of the outcome"
    method = "Of a game with several sides each part is the mean over the sides."

    @property
    def subject(self) -> str:
        """The game."""
        return str(self.manifest["set_names"][0])

    @property
    def headline(self) -> str:
        """Who gains most on the player before, or loses most."""
        players = self.players
        shown = players[(players["gain_ci_low"] > 0) | (players["gain_ci_high"] < 0)]
        if shown.empty:
            return "who plays is not shown to matter"
        most = shown.loc[shown["gain"].idxmax()]
        if most["gain"] < 0:
            most = shown.loc[shown["gain"].idxmin()]
        before = players["player"].iloc[int(most["rung"]) - 1]
        does, on = ("gains", "on") if most["gain"] > 0 else ("loses", "to")
        return f"{most['player']} {does} {bare_percent(abs(most['gain']))} points {on} {before}"

    @property
    def skill_text(self) -> str:
        """What each player gets against the one before, and what that gains."""
        told = []
        for (_, before), (_, row) in pairwise(self.players.iterrows()):
            who = before["player"]
            gets = f"{row['player']} gets {with_ends(row, 'outcome')} of the best outcome"
            told.append(f"{gets} against {who}: {self.ahead(row)} {who} in its place.")
        return " ".join(told)

    @property
    def skill_brief(self) -> str:
        """The same of the strongest, in short."""
        before, last = self.players.iloc[-2], self.players.iloc[-1]
        return (
            f"On the same deals {last['player']} gets {percent(last['outcome'])} against"
            f" {before['player']}, and is {self.ahead(last)} {before['player']} in its place."
        )

    @property
    def played(self) -> str:
        """One line that says what was played."""
        games = f"{count(self.manifest['games'])} games of each"
        return DOT.join([game_text(self.manifest), games, *self.who])

    @property
    def facts(self) -> list[tuple[str, str]]:
        """What was played."""
        manifest = self.manifest
        return [
            ("Players", ", ".join(manifest["players"])),
            ("Games", f"{count(manifest['games'])} of each player on each side"),
            ("Seats", str(manifest["seats"])),
            *made_with(manifest),
        ]

    @property
    def more(self) -> list[Finding]:
        """Which entries are worth more, and which less, among stronger players."""
        entries = self.tables["skill_entries"]
        last = entries[entries["rung"] == entries["rung"].max()]
        if last.empty:
            return []
        moved = settled(last, "change")
        weakest = self.players["player"].iloc[0]
        strongest = self.players["player"].iloc[-1]
        told = []
        for word_, more in ((MORE, "more"), (LESS, "less")):
            rows = moved[moved["skill_verdict"] == word_]
            rows = rows.loc[rows["change"].abs().sort_values(ascending=False).index]
            if len(rows):
                names = listed((self._moved(row) for _, row in rows.iterrows()), _NAMED)
                told.append(f"worth {more} to {strongest} than to {weakest}: {names}")
        if not told:
            text = f"None of {len(last)} entries is shown to be worth more or less to {strongest}"
            return [Finding("Entries", f"{text} than to {weakest}.")]
        text = f"{'; '.join(told)}."
        return [Finding("Entries", capital(text))]

    def _moved(self, row: pd.Series) -> str:
        entries = self.tables["skill_entries"]
        same = entries[(entries["kind"] == row["kind"]) & (entries["entry"] == row["entry"])]
        first = same[same["rung"] == 0].iloc[0]
        ends = interval_of(row, "change", points)
        return (
            f"{row['name']} {points(first['worth'])} {ARROW} {points(row['worth'])} points (by"
            f" {points(row['change'])}, {ends})"
        )

    @property
    def entry_headings(self) -> list[tuple[str, str]]:
        """A column for each player, and the change."""
        return [("Entry", ""), *((one, "") for one in self.players["player"]), *_CHANGE]

    @property
    def entry_rows(self) -> list[list[Cell]]:
        """What entries are worth to each player."""
        entries, rows = self.tables["skill_entries"], []
        for _, some in entries.groupby(["kind", "entry"], sort=False):
            worths = [estimate(row, "worth", points, "n") for _, row in some.iterrows()]
            one = some.iloc[-1]
            change = estimate(one, "change", points)
            rows.append([Cell(one["name"]), *worths, change, word(one["skill_verdict"])])
        return rows


_CHANGE = ("Change", ""), ("To stronger players", "word")
