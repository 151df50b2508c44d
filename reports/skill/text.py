"""Luck and skill in words.  Nothing is estimated here; sentences quote the tables."""

from abc import abstractmethod
from collections.abc import Callable, Mapping
from typing import TYPE_CHECKING, Any

import pandas as pd

from analysis.questions.skill import ALL_PLAYERS, REPLAYS
from reports.kit.cells import Cell
from reports.kit.words import (
    Finding,
    Played,
    bare_percent,
    between,
    count,
    interval,
    listed,
    percent,
    points,
)

if TYPE_CHECKING:
    from reports.kit.drawing import Charts

#: Players in one line before "and n more".
_NAMED = 6
# Width of an interval from which on a share is hardly known.
_WIDE = 0.2


class Skill(Played):
    """Players who are compared, as they are told, in sentences that quote the tables.

    Attributes
    ----------
    charts
        Those of the page.
    rate, gain
        The columns of how a player comes off, and of what that is more than the one before.
    comes_off
        What a rate is in a sentence: "wins {}".
    of, decides
        What varies, as in "winning", and what decides it, as in "who wins".
    heading
        The heading of rates.
    measures
        What varies, in words, and how its spread is written.
    sources
        What the parts of the variance are called.
    dealt, lucky, shares
        Sources that a sentence joins: what decides, what one lucky one is, and in short.
    chance, rest
        The other two sources, each with its sentence.
    most
        Who comes off best: "wins most: {} of the games".
    nothing
        What is said where nothing varies.
    how_skill, how_luck, hint, spread, method
        Words of the page: above the players and above what luck decides; below the players; what a
        spread is; what else there is of the method.
    """

    charts: "Charts"
    rate: str
    gain: str
    comes_off: str
    of: str
    decides: str
    heading: str
    measures: Mapping[str, tuple[str, Callable[[float], str]]]
    sources: Mapping[str, str]
    dealt: Mapping[str, str]
    lucky: Mapping[str, str]
    shares: Mapping[str, str]
    chance: tuple[str, str]
    rest: tuple[str, str]
    most: str
    nothing: str
    how_skill: str
    how_luck: str
    hint: str
    spread: str
    method: str

    def __init__(self, tables: Mapping[str, pd.DataFrame], manifest: Mapping[str, Any]) -> None:
        self.tables, self.manifest = tables, manifest
        self.players, self.skill = tables["skill_players"], tables["skill"]

    @property
    @abstractmethod
    def subject(self) -> str:
        """What was played."""

    @property
    def more(self) -> list[Finding]:
        """What else is worth knowing."""
        return []

    @property
    def entry_headings(self) -> list[tuple[str, str]]:
        """The headings of `entry_rows`."""
        return []

    @property
    def entry_rows(self) -> list[list[Cell]]:
        """What entries are worth to each player; none where that is not told."""
        return []

    @property
    def who(self) -> list[str]:
        """The parts of `played` about players and games."""
        manifest = self.manifest
        deals = count(int(self.players["n_deals"].iloc[0]))
        return [
            listed(manifest["players"], _NAMED),
            f"{deals} deals, each played {REPLAYS} times",
            f"seed {manifest['seed']}",
        ]

    @property
    def headline(self) -> str:
        """Who comes off best."""
        best = self.players.loc[self.players[self.rate].idxmax()]
        return f"{best['player']} {self.most.format(percent(best[self.rate]))}"

    @property
    def findings(self) -> list[Finding]:
        """What is worth knowing first: what skill is worth, what luck is, and how they compare."""
        skill, players = self.skill, self.players
        found = [Finding("Skill", self.skill_text, self.skill_brief)]
        main = skill[(skill["measure"] == self.rate) & skill["share"].notna()]
        winners = [player for player in players["player"] if player in set(main["player"])]
        if not winners:
            return [*found, Finding("Luck", self.nothing), *self.more]
        best = winners[-1]
        parts = main[main["player"] == best].set_index("source")
        found.append(Finding("Luck", self._luck_text(best, parts), self._luck_brief(best, parts)))
        if len(players) > 1:
            found.append(Finding("Compared", *self._compared_text(best, parts)))
            of_all = main[main["player"] == ALL_PLAYERS].set_index("source")
            if len(of_all):
                found.append(Finding("All players", *self._all_text(of_all)))
        return [*found, *self.more]

    @property
    def table(self) -> tuple[list[str], list[list[str]]]:
        """The console's table, a player each: its headings and rows."""
        shares = self.skill[self.skill["measure"] == self.rate].pivot(
            index="player", columns="source", values="share"
        )
        names = {one: word for one, word in self.sources.items() if one != "player"}
        rows = []
        for _, row in self.players.iterrows():
            parts = [shares.loc[row["player"]].get(one, float("nan")) for one in names]
            ends = [row[self.rate], row[f"{self.rate}_ci_low"], row[f"{self.rate}_ci_high"]]
            rows.append(
                [
                    row["player"],
                    *(f"{100 * one:.1f}" for one in ends),
                    points(row[self.gain]) if row["rung"] else "",
                    *("–" if pd.isna(part) else f"{100 * part:.0f}%" for part in parts),
                ]
            )
        return ["player", self.heading, "from", "to", "gained", *names.values()], rows

    @property
    def skill_text(self) -> str:
        """How each player comes off, and what that gains."""
        players = self.players
        rates = [
            f"{row['player']} {self.comes_off.format(with_ends(row, self.rate))}"
            for _, row in players.iterrows()
        ]
        gains = [
            f"{row['player']} is {self.ahead(row)} {before}"
            for before, (_, row) in zip(
                players["player"], list(players.iterrows())[1:], strict=False
            )
            if row[f"{self.gain}_ci_high"] > row[f"{self.gain}_ci_low"]
        ]
        text = f"{listed(rates)}."
        return f"{text} On the same deals {listed(gains)}." if gains else text

    @property
    def skill_brief(self) -> str:
        """Who comes off best and who worst, in one sentence."""
        players = self.players
        best, worst = (
            players.loc[place]
            for place in (players[self.rate].idxmax(), players[self.rate].idxmin())
        )
        told = self.comes_off.format(percent(best[self.rate]))
        if len(players) == 1:
            return f"{best['player']} {told} of the games."
        return (
            f"On the same deals {best['player']} {told} of the games, and {worst['player']}"
            f" {percent(worst[self.rate])}."
        )

    def _luck_brief(self, player: str, parts: pd.DataFrame) -> str:
        """What decides a game of one player, in one sentence."""
        told = [
            f"{words} {percent(parts.loc[part, 'share'], 0)}"
            for part, words in self.shares.items()
            if part in parts.index
        ]
        return f"Shares of what decides {self.decides} with {player}: {listed(told)}."

    def ahead(self, row: pd.Series) -> str:
        """By how much a player is better, or worse: "32.6 points (31.9 to 33.2) ahead of"."""
        side = 1 if row[self.gain] >= 0 else -1
        low, high = sorted(side * row[f"{self.gain}_ci_{end}"] for end in ("low", "high"))
        by = f"{100 * side * row[self.gain]:.1f} points ({interval(low, high, _plain)})"
        return f"{by} {'ahead of' if side > 0 else 'behind'}"

    def _luck_text(self, player: str, parts: pd.DataFrame) -> str:
        """What decides a game of one player."""
        texts = [
            f"{words} {with_ends(parts.loc[part], 'share')}"
            for part, words in self.dealt.items()
            if part in parts.index
        ]
        told = [f"Of the variance of {self.of} with {player}, {listed(texts)}."]
        told += [
            words.format(with_ends(parts.loc[part], "share"))
            for part, words in (self.chance, self.rest)
        ]
        widest = (parts["share_ci_high"] - parts["share_ci_low"]).max()
        told += ["These shares need more --games."] * bool(widest > _WIDE)
        return " ".join(told)

    def _compared_text(self, best: str, parts: pd.DataFrame) -> tuple[str, str]:
        """What a better player is worth beside a better deal, at length and in one sentence."""
        lucky = [
            f"{words} one standard deviation above the mean adds"
            f" {100 * parts.loc[part, 'spread']:.1f} points"
            for part, words in self.lucky.items()
            if part in parts.index
        ]
        text, players = f"When {best} plays, {listed(lucky)}.", self.players
        place = players.index[players["player"] == best][0]
        if place == 0:
            return text, ""
        before, gain = players.loc[place - 1, "player"], players.loc[place, self.gain]
        adds = f"laying as {best} instead of {before} adds {100 * gain:.1f}"
        good = bare_percent(parts.loc["deal", "spread"])
        dealt = f"and a deal one standard deviation above the mean {good}"
        return f"{text} P{adds}.", f"P{adds} points, {dealt}."

    def _all_text(self, parts: pd.DataFrame) -> tuple[str, str]:
        """What it decides who plays, at length and in one sentence."""
        brief = (
            f"If each game were played by one of these {len(self.players)} at random, the choice"
            f" of player would decide {with_ends(parts.loc['player'], 'share')} of the variance of"
            f" {self.of}."
        )
        about = "That share is about these players: weaker or stronger ones make it larger."
        return f"{brief} {about}", brief


def _plain(share: float) -> str:
    return points(share).removeprefix("+")


def with_ends(row: pd.Series, column: str) -> str:
    """A share with its interval: "32.6% (31.9 to 33.2%)"."""
    ends = between(row[f"{column}_ci_low"], row[f"{column}_ci_high"])
    return f"{percent(row[column])} ({ends})"
