"""What is said of games of people beside games of the program.  Nothing is estimated here."""

from collections.abc import Iterator, Mapping, Sequence
from functools import partial
from math import isfinite
from typing import TYPE_CHECKING, Any

import pandas as pd
from attrs import frozen

from analysis.confidence import confidence
from analysis.playtest_players import among_equals, main_holder, strengths
from analysis.playtests import (
    ALL,
    BEGINS,
    LENGTH,
    OTHER,
    POINTS,
    RATES,
    SEAT,
    WITH,
    changes_table,
    figures_table,
    games_for,
    margin,
    minutes_of,
)
from analysis.verdicts import LESS, MORE, NOT_SETTLED
from card_data.playtest_log import PlaytestLog
from reports.kit.verdicts import predicate
from reports.kit.words import (
    Finding,
    bare_percent,
    capital,
    chance,
    count,
    decimals,
    games,
    interval,
    listed,
    percent,
    points,
    signed,
)

if TYPE_CHECKING:
    from analysis.playtests import Sums

# Letters of the picture in the terminal; of what is named before it; cards that are listed there.
_WIDE, _NAME, _MOST_CARDS, _MOST_LENGTHS = 24, 23, 5, 4
_NAMED = 3
# Of a difference this share is left among equals where who played is most of it.
_LEFT = 0.5
#: The differences that a plan tells of besides the one that is asked for.
_DIFFERENCES = (0.2, 0.1, 0.05, 0.02, 0.01)
# Ends of an interval this far apart leave no decimal in a rate.
_WIDE_RATE = 0.04


def name_of(row: Any, names: Mapping[str, str], alone: bool = False) -> str:
    """What a figure is called; ``alone`` where all seats win or lose together."""
    kind, of = row["kind"], row["of"]
    if kind == SEAT:
        return "games won" if alone else f"seat {int(of) + 1}"
    return {
        BEGINS: "whoever begins",
        WITH: f"with {names.get(of, of)}",
        POINTS: "points of a seat" if of == "points" else "lead of the winner",
        OTHER: names.get(of, of),
    }.get(kind, of)


def value(row: Any, column: str) -> str:
    """A rate or mean with as many digits as its interval supports."""
    at, low, high = (row[f"{column}{end}"] for end in ("", "_ci_low", "_ci_high"))
    if row["kind"] in RATES:
        return percent(at, int(high - low < _WIDE_RATE))
    return f"{at:,.{decimals(low, high)}f}"


def ends(row: Any, column: str) -> str:
    """The ends of its interval."""
    low, high = (row[f"{column}_ci_{end}"] for end in ("low", "high"))
    digits = int(high - low < _WIDE_RATE) if row["kind"] in RATES else decimals(low, high)
    as_rate = partial(bare_percent, digits=digits)
    return interval(
        low, high, as_rate if row["kind"] in RATES else lambda one: f"{one:,.{digits}f}"
    )


def apart(row: Any) -> str:
    """By how much people differ: "3.3 more (1.5 to 5.2)"."""
    at, low, high = (row[f"difference{end}"] for end in ("", "_ci_low", "_ci_high"))
    word = "more" if at > 0 else "fewer" if row["kind"] == LENGTH else "less"
    low, high = sorted((low, high)) if at > 0 else sorted((-low, -high))
    if row["kind"] in RATES:
        as_points = partial(bare_percent, digits=0 if high - low > _WIDE_RATE else 1)
        return f"{as_points(abs(at))} points {word} ({interval(low, high, as_points)})"
    digits = decimals(low, high)
    return f"{abs(at):.{digits}f} {word} ({interval(low, high, lambda one: f'{one:.{digits}f}')})"


@frozen
class Answer:
    """All that is known of a log: figures, players, and who played the simulated games."""

    log: PlaytestLog
    table: pd.DataFrame
    players: pd.DataFrame
    who: Sequence[str]
    n_simulated: int

    @classmethod
    def of(
        cls,
        log: PlaytestLog,
        people: "Mapping[str, Sums]",
        simulated: "Mapping[str, Sums]",
        who: Sequence[str],
        n_simulated: int = 0,
        *,
        with_names: bool,
    ) -> "Answer":
        """The answer to figures of people and of the program, by version."""
        log = log if with_names else log.without_names()
        table = among_equals(log, figures_table(people, simulated))
        return cls(log, table, strengths(log), who, n_simulated)

    @property
    def all(self) -> pd.DataFrame:
        """The figures of all versions together."""
        return self.table[self.table["version"] == ALL]

    @property
    def alone(self) -> bool:
        """Whether all seats win or lose together."""
        return all(len(game.scores) == 1 for game in self.log.games)

    def name(self, row: Any) -> str:
        """What a figure is called."""
        return name_of(row, self.log.names, self.alone)

    def subject(self, row: Any) -> str:
        """The same in a sentence."""
        return f"{'games ' * (row['kind'] == WITH)}{self.name(row)}"

    @property
    def tested(self) -> pd.DataFrame:
        """The figures that were tested."""
        return self.all[self.all["p_value"].notna()]

    @property
    def differing(self) -> pd.DataFrame:
        """Those that differ, the surest first."""
        return self.tested[self.tested["finding"].isin([MORE, LESS])].sort_values("p_value")

    @property
    def headline(self) -> str:
        """The answer in a sentence."""
        n = games(len(self.log.games))
        if self.tested.empty:
            if self.who:
                return "Your log is too short to be compared with the simulation."
            return next((f"{one.text}" for one in self._rates()), f"{n} of yours.")
        if self.differing.empty:
            return f"Your {n} and {count(self.n_simulated)} simulated ones do not disagree."
        names = listed((self.subject(row) for _, row in self.differing.iterrows()), _NAMED)
        return f"Your games and the simulation disagree on {names}."

    @property
    def played(self) -> str:
        """What was set beside what."""
        versions = [one for one in self.log.versions if one]
        of = f" of version {versions[0]}" if len(versions) == 1 else ""
        of = f" of versions {listed(versions)}" if len(versions) > 1 else of
        if not self.who:
            return f"{games(len(self.log.games))}{of}, without a simulation"
        each = " of each version" if len(versions) > 1 else ""
        return (
            f"{games(len(self.log.games))}{of}, beside {count(self.n_simulated)} simulated"
            f"{each}, played by {listed(self.who)}"
        )

    @property
    def findings(self) -> list[Finding]:
        """What is worth knowing, the answer first."""
        return [
            *self._differences(),
            *self._rates(),
            *self._lengths(),
            *self._together(),
            *self._unsettled(),
            *self._players(),
            *self._versions(),
        ]

    def _differences(self) -> Iterator[Finding]:
        for _, row in self.differing.head(_NAMED).iterrows():
            q = chance(row["q_value"])
            tests = (
                f"corrected for {len(self.tested)} figures"
                if len(self.tested) > 1
                else "one figure"
            )
            yield Finding(
                capital(self.subject(row)),
                f"{value(row, 'people')} among people, {value(row, 'simulated')} simulated:"
                f" {apart(row)}. Chance alone would do that rarely (p {q}, {tests})."
                f"{self._main_player(row)}{_among_equals(row)}",
            )
        if len(self.differing):
            yield Finding(
                "What it may mean",
                "People may play it differently from the program, or your table may play a rule"
                " differently. Compare what the rules say with what you do; these games cannot tell"
                " which it is.",
            )

    def _main_player(self, row: Any) -> str:
        """That one player has most of the games of a card or side, and is stronger or weaker."""
        if row["kind"] != WITH or self.players.empty:
            return ""
        player, share = main_holder(self.log, row["of"])
        who = self.log.players.get(player, "")
        of = self.players[self.players["player"] == who]
        if of.empty or share < 0.5 or not _is_off(of.iloc[0]):
            return ""
        word = "more" if of.iloc[0]["strength"] > 0.5 else "less"
        had = f"{who} had it in {percent(share, 0)} of them"
        return f" {had}, and wins {word} with whatever they have."

    def _rates(self) -> Iterator[Finding]:
        rates = self.all[self.all["kind"].isin([BEGINS, SEAT])]
        for _, row in rates.head(1).iterrows():
            subject = "You won" if self.alone else f"{capital(self.name(row))} won"
            n = games(int(row["n_games"]))
            text = f"{subject} {value(row, 'people')} of {n} ({ends(row, 'people')})"
            beside = f"; simulated, {value(row, 'simulated')}" if isfinite(row["simulated"]) else ""
            yield Finding("Who wins", f"{text}{beside}.{_among_equals(row)}")

    def _lengths(self) -> Iterator[Finding]:
        rows = {row["of"]: row for _, row in self.all[self.all["kind"] == LENGTH].iterrows()}
        said = [
            f"{value(row, 'people')} {name} ({ends(row, 'people')})"
            + (f", simulated {value(row, 'simulated')}" if isfinite(row["simulated"]) else "")
            for name, row in rows.items()
        ]
        if said:
            yield Finding("Length", f"A game takes {'; '.join(said)}.{self._next_length()}")

    def _next_length(self) -> str:
        """How long a game of the last version takes at the pace of the log, by both together."""
        version = [ALL, *self.log.versions][-1] if len(self.log.versions) > 1 else ALL
        found = minutes_of(self.table, version)
        if found is None:
            return ""
        at, low, high = (f"{one:.0f}" for one in found)
        of = f"Version {version}" if version != ALL else "A game"
        return f" {of} takes about {at} minutes at that pace ({low} to {high}; an estimate)."

    def _together(self) -> Iterator[Finding]:
        known = self.all[self.all["together"].notna() & self.all["kind"].isin(RATES)]
        for _, row in known.head(1).iterrows():
            share, name = row["from_people"], self.name(row)
            who = "People win" if self.alone else f"{capital(name)} wins"
            who = f"People {name} win" if row["kind"] == WITH else who
            yield Finding(
                "Both together (estimate)",
                f"{who} {value(row, 'together')} ({ends(row, 'together')});"
                f" {percent(share, 0)} of that comes from your games, {percent(1 - share, 0)} from"
                " the simulation.",
            )

    def _unsettled(self) -> Iterator[Finding]:
        open_ones = self.tested[self.tested["finding"] == NOT_SETTLED]
        if len(open_ones):
            n, unsettled = len(self.log.games), predicate(NOT_SETTLED, len(open_ones))
            yield Finding(
                "Too few games",
                f"{len(open_ones)} of {len(self.tested)} figures {unsettled}: {games(n)} fix a"
                f" rate to within {bare_percent(margin(n), 0)} points either way.",
            )

    def _players(self) -> Iterator[Finding]:
        off = self.players[self.players.apply(_is_off, axis=1).astype(bool)]
        for _, row in off.sort_values("strength", ascending=False).head(1).iterrows():
            both = interval(
                row["strength_ci_low"], row["strength_ci_high"], partial(bare_percent, digits=0)
            )
            yield Finding(
                "Players",
                f"{row['player']} wins {percent(row['strength'], 0)} against an average player of"
                f" the log ({both}).",
            )

    @property
    def changes(self) -> tuple[str, str, pd.DataFrame] | None:
        """The last two versions that are named, and what changed between them."""
        versions = [one for one in self.log.versions if one][-2:]
        if len(versions) < 2:
            return None
        return *versions, changes_table(self.table, *versions)

    def _versions(self) -> Iterator[Finding]:
        if self.changes is None:
            return
        before, after, table = self.changes
        said = [
            f"{self.subject(row)} {change(row, who)} {whose}"
            for who, whose in (("people", "among people"), ("simulated", "simulated"))
            for _, row in table.iterrows()
            if row["kind"] in (*RATES, LENGTH)
            and (row[f"{who}_ci_low"] > 0 or row[f"{who}_ci_high"] < 0)
        ]
        nothing = "your games show no change" + "; nor does the simulation" * bool(self.who)
        what = listed(said[:_NAMED]) or nothing
        yield Finding(f"From {before} to {after}", f"{capital(what)}.")

    # ------------------------------------------------------------ the terminal

    @property
    def lines(self) -> list[str]:
        """The answer for the terminal, in at most 150 words but for the names of cards."""
        told = [one for one in self.findings if one.topic not in ("Who wins", "Length")]
        topics = [f"{one.topic}: {one.text}" for one in told]
        return [self.headline, f"{self.played}.", "", *self.rows, "", *topics]

    @property
    def rows(self) -> list[str]:
        """Figures with people and simulation, and the picture of a rate: two on one line."""
        rates, others = (
            self.all[self.all["kind"].isin(kinds)] for kinds in (RATES, (LENGTH, POINTS, OTHER))
        )
        cards = rates[rates["kind"] == WITH].sort_values(["p_value", "n"], ascending=[True, False])
        rates = pd.concat([rates[rates["kind"] != WITH].head(4), cards.head(_MOST_CARDS)])
        said = []
        if len(rates):
            low, high = rates["people_ci_low"].min(), rates["people_ci_high"].max()
            axis = f"{percent(low, 0)}{percent(high, 0):>{_WIDE - len(percent(low, 0))}}"
            said.append(f"{'Who wins':<{_NAME}} {'people':>7} {'simulated':>10}  {axis}")
            said += [self._row(row, _picture(row, low, high)) for _, row in rates.iterrows()]
        if len(others):
            said.append(f"{'How long':<{_NAME}} {'people':>7} {'simulated':>10}")
            said += [
                self._row(row, ends(row, "people"))
                for _, row in others.head(_MOST_LENGTHS).iterrows()
            ]
        return said

    def _row(self, row: Any, more: str) -> str:
        name = self.name(row)
        simulated = value(row, "simulated") if isfinite(row["simulated"]) else "-"
        mark = " *" if row["finding"] in (MORE, LESS) else ""
        name = f"{name[: _NAME - 3]}…" if len(name) > _NAME - 2 else name
        return f"  {name:<{_NAME - 2}} {value(row, 'people'):>7} {simulated:>10}  {more}{mark}"


def change(row: Any, who: str) -> str:
    """A change between versions with its interval."""
    at, low, high = (row[f"{who}{end}"] for end in ("", "_ci_low", "_ci_high"))
    if row["kind"] in RATES:
        return f"{points(at)} points ({interval(low, high, points)})"
    as_number = partial(signed, digits=decimals(low, high))
    return f"{as_number(at)} ({interval(low, high, as_number)})"


def _among_equals(row: Any) -> str:
    """What a rate would be among players of one strength, and whether that is the difference."""
    if not isfinite(row["equals"]):
        return ""
    text = f" Among equally strong players it would be {value(row, 'equals')}"
    text += f" ({ends(row, 'equals')})"
    if row["finding"] not in (MORE, LESS):
        return f"{text}."
    if not row["equals_ci_low"] <= row["simulated"] <= row["equals_ci_high"]:
        return f"{text}, which differs from the simulation as well."
    left = abs(row["equals"] - row["simulated"]) / abs(row["difference"])
    who = "most of the difference" if left < _LEFT else "some of the difference"
    return f"{text}: who played may be {who}."


def _is_off(row: Any) -> bool:
    """Whether a player is shown to be stronger or weaker than the average one."""
    return bool(row["strength_ci_low"] > 0.5 or row["strength_ci_high"] < 0.5)


def _picture(row: Any, low: float, high: float) -> str:
    """The interval of people, its dot, and the bar of the simulation, on one line."""

    def place(share: float) -> int:
        return round((min(max(share, low), high) - low) / max(high - low, 1e-9) * (_WIDE - 1))

    line = [" "] * _WIDE
    for at in range(place(row["people_ci_low"]), place(row["people_ci_high"]) + 1):
        line[at] = "─"
    if isfinite(row["simulated"]):
        line[place(row["simulated"])] = "│"
    line[place(row["people"])] = "●"
    return "".join(line).rstrip()


# ---------------------------------------------------------------- the plan


def plan_rows(difference: float, power: float) -> list[dict[str, Any]]:
    """How many games show each difference: of one rate, and of two versions in each."""
    return [
        {
            "points": round(100 * one, 6),
            "one_rate": games_for(one, power=power),
            "each_of_two": games_for(one, power=power, two=True),
        }
        for one in sorted({difference, *_DIFFERENCES}, reverse=True)
    ]


def plan_lines(
    rows: Sequence[Mapping[str, Any]],
    asked: float,
    power: float,
    minutes: float | None,
    log: PlaytestLog | None,
) -> Iterator[str]:
    """The plan for the terminal."""
    if log is not None and minutes is None:
        known = [one.numbers["minutes"] for one in log.games if "minutes" in one.numbers]
        minutes = sum(known) / len(known) if known else None
    [main] = [row for row in rows if row["points"] == round(100 * asked, 6)]
    yield (
        f"{games(main['one_rate'])} show a difference of {main['points']:g} points from 50%, in"
        f" {power * 10:.3g} of 10 tries."
    )
    yield f"Two versions need {games(main['each_of_two'])} each."
    yield ""
    at = f"   at {minutes:.0f} minutes" if minutes else ""
    yield f"Difference        one rate     two versions, each{at}"
    for row in rows:
        hours = f"{row['one_rate'] * minutes / 60:>12,.0f} hours" if minutes else ""
        points_of = "point " if row["points"] == 1 else "points"
        counts = f"{row['one_rate']:>14,}  {row['each_of_two']:>20,}"
        yield f"{row['points']:>4g} {points_of} {counts}{hours}"
    if log is not None:
        n = len(log.games)
        yield ""
        yield f"Your {games(n)} tell {100 * margin(n):.0f} points ({100 * confidence():g}%)."
    yield ""
    yield "Ask the simulation: who begins, cards, sides, turns; thousands of games in minutes."
    yield "Ask people: minutes, confusion, fun, what they misread; five games already say a lot."
