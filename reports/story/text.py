"""A story in words: the sentence, the first screen of the terminal, and findings."""

import re
from collections.abc import Iterable, Iterator, Mapping, Sequence
from functools import partial
from itertools import pairwise
from math import isfinite
from typing import Any

import pandas as pd
from attrs import frozen

from analysis.questions.story import (
    AS_JUDGED,
    BACK,
    CHANGES,
    CORRECTED,
    DECIDED,
    EMPTY,
    KING,
    LEADER,
    LOSS,
    NOTHING,
    RATES,
    TAIL,
    TURNS,
    Words,
)
from reports.kit.words import (
    ARROW,
    Finding,
    bare_percent,
    between,
    capital,
    games,
    interval,
    listed,
    percent,
    plural,
    points,
    signed,
)

_MOMENT = {"0.333": "after a third", "0.5": "at half time", "0.667": "after two thirds"}
_WIDE, _ROWS, _KINDS, _LABEL = 31, 6, 4, 28
#: From this rate on whoever leads at half time has run away, and below the other it means little.
_RUNAWAY, _LITTLE = 0.85, 0.6


@frozen
class Answer:
    """A story with who played it: tables by name, and what its numbers mean."""

    tables: Mapping[str, pd.DataFrame]
    words: Words
    title: str
    who: str
    n_games: int
    n_left_out: int
    seed: int
    #: The command that tells a game, without its number.
    replay: str
    #: What is told beside it.
    beside: str = ""

    def figure(self, kind: str, of: str = "") -> dict[str, Any] | None:
        """A figure; None where it is not known."""
        table = self.tables["story"]
        rows = table[(table["kind"] == kind) & (table["of"] == of)].to_dict("records")
        return rows[0] if rows else None

    def value(self, kind: str, of: str = "") -> float:
        """The value of a figure, which must be there."""
        row = self.figure(kind, of)
        assert row is not None
        return float(row["value"])

    @property
    def headline(self) -> str:
        """The answer in a sentence."""
        tail, turn = self.value(TAIL), self.words.turn
        if tail < 0.5:
            return f"A game stays open until its last {turn}."
        return f"A game is decided {tail:.1f} {plural(turn, 2)} before it ends."

    @property
    def played(self) -> str:
        """What was played, and what a chance is."""
        left = f", {games(self.n_left_out)} without a winner left out" if self.n_left_out else ""
        return (
            f"{games(self.n_games)} of {self.title}, {self.who}, seed {self.seed}{left}; a chance"
            " is the mean of what all seats see"
        )

    @property
    def lead(self) -> str:
        """The second sentence."""
        turns, tail, changes = (self.value(one) for one in (TURNS, TAIL, CHANGES))
        turn = plural(self.words.turn, 2)
        return (
            f"Games last {turns:.1f} {turn}, {tail:.1f} once decided."
            f" The lead changes {changes:.1f} times."
        )

    @property
    def findings(self) -> list[Finding]:
        """What is worth knowing, the answer first."""
        return [
            *self._versions(),
            *self._length(),
            *self._leaders(),
            *self._choices(),
            *self._cards(),
            *self._judge(),
        ]

    @property
    def versions(self) -> list[tuple[str, str, str, str]]:
        """Both versions side by side: the figure, that of each, and the difference."""
        table = self.tables.get("story_compared")
        return [] if table is None else [*map(_versions_row, table.to_dict("records"))]

    def _versions(self) -> Iterator[Finding]:
        if self.versions:
            table = self.tables["story_compared"]
            shown = (table["difference_ci_low"] > 0) | (table["difference_ci_high"] < 0)
            rows = [row for row, is_shown in zip(self.versions, shown, strict=True) if is_shown]
            told = listed(f"{name} {before} {ARROW} {after}" for name, before, after, _ in rows[:4])
            yield Finding(
                f"Beside {self.beside}",
                f"{capital(told)}." if rows else "No figure is shown to differ.",
            )

    def _length(self) -> Iterator[Finding]:
        row = self.figure(TAIL)
        assert row is not None
        yield Finding(
            "When it is decided",
            f"{self.lead} Decided: the later winner stands at {DECIDED:.0%} or more until the end;"
            f" the part after it takes {_mean(row)}.",
            self.lead,
        )

    def _leaders(self) -> Iterator[Finding]:
        half = self.value(LEADER, "0.5")
        word = "Runaway leader" if half >= _RUNAWAY else "No runaway leader"
        word = "Leads mean little" if half < _LITTLE else word
        told = listed(f"{percent(self.value(LEADER, of))} {when}" for of, when in _MOMENT.items())
        yield Finding(
            word,
            f"Whoever leads wins {told}.",
            f"Whoever leads at half time wins {percent(half, 0)}.",
        )
        row = self.figure(BACK, "0.25")
        assert row is not None
        yield Finding(
            "Comebacks",
            f"{_rate(row)} of the winners once stood below 25%, and"
            f" {percent(self.value(BACK, '0.1'))} below 10%.",
            f"{percent(row['value'])} of the winners once stood below 25%.",
        )

    def _choices(self) -> Iterator[Finding]:
        table = self.kinds
        if len(table):
            told = listed(f"{row['kind']} {100 * row['loss']:.1f}" for row in self.most(table))
            yield Finding(
                "Choices",
                f"What a random option costs against the best, in points: {told}.",
            )
        if (row := self.figure(EMPTY)) is not None:
            yield Finding(
                "Empty choices",
                f"In {_rate(row)} of the decisions, less than one point hangs on the choice.",
            )
        if (row := self.figure(KING)) is not None:
            yield Finding(
                "Kingmaking",
                f"In {_rate(row)} of the decisions a seat that is below 5% moves another by more"
                " than 10 points.",
            )

    def _cards(self) -> Iterator[Finding]:
        cards = self.tables["story_cards"]
        if len(cards) > 1:
            most, least = cards.iloc[0], cards.iloc[-1]
            yield Finding(
                "Cards",
                f"{most['name']} swings games most: between its worst and best tenth lie"
                f" {100 * most['spread']:.0f} points. {least['name']} swings them least, by"
                f" {100 * least['spread']:.0f}. That is observed.",
                f"{most['name']} swings games most, {least['name']} least.",
            )

    def _judge(self) -> Iterator[Finding]:
        table = self.tables["story_calibration"]
        gaps = (table["came"] - table["said"]).abs().groupby(table["when"]).max()
        rows = used(table)
        off = (rows["came_ci_low"] > rows["said"]) | (rows["came_ci_high"] < rows["said"])
        n = int(off.sum())
        n_off = f"{n}" if n else "none"
        yield Finding(
            "Whether 70% is 70%",
            f"{capital(n_off)} of {len(rows)} groups of chances {'is' if n <= 1 else 'are'} off by"
            f" more than the interval; the largest gap is"
            f" {100 * gaps[CORRECTED]:.1f} points. Before each half of the games was corrected by"
            f" the other it was {100 * gaps[AS_JUDGED]:.1f}.",
        )

    @property
    def kinds(self) -> pd.DataFrame:
        """Kinds of decisions in the whole game, the dearest first."""
        table = self.tables["story_choices"]
        table = table[(table["third"] == 0) & (table["share"] >= NOTHING)]
        return table.sort_values("loss", ascending=False, ignore_index=True)

    def most(self, table: pd.DataFrame) -> list[dict[str, Any]]:
        """The dearest kinds."""
        return table.head(_KINDS).to_dict("records")

    def chosen(self) -> list[tuple[str, int, int]]:
        """The games to look at: what each is, its number and how many turns it has."""
        table = self.tables["story_games"]
        return [
            (which, int(rows["game"].iloc[0]), int(rows["turn"].max()))
            for which, rows in table.groupby("which", sort=False)
        ]

    # ------------------------------------------------------------ the terminal

    @property
    def lines(self) -> list[str]:
        """The first screen of the terminal."""
        told = [self.headline, self.lead, "", *self._fan(), "", "Who leads then wins"]
        told += [self._line(when, self.figure(LEADER, of)) for of, when in _MOMENT.items()]
        told += ["Winners who came back"]
        told += [self._line(f"from below {float(one):.0%}", self.figure(BACK, one))
                 for one in ("0.25", "0.1")]  # fmt: skip
        if rows := self.most(self.kinds):
            told += ["What a random option costs, in points"]
            told += [f"  {row['kind']:<{_LABEL}} {100 * row['loss']:5.1f}" for row in rows]
        told += ["", "Three games to look at"]
        told += [f"  {which:<22} {self.replay} {number}" for which, number, _ in self.chosen()]
        if self.versions:
            told += ["", f"Beside {self.beside}"]
            told += [f"  {name:<30}{before:>6} {ARROW} {after:<7} {difference}"
                     for name, before, after, difference in self.versions]  # fmt: skip
        return [*told, ""]

    def _line(self, name: str, row: Any) -> str:
        return f"  {name:<{_LABEL}} {percent(row['value']):>6}  ({_ends(row)})"

    def _fan(self) -> Iterator[str]:
        """The chance of the later winner by turn: the middle half and the median, in characters."""
        table = self.tables["story_turns"]
        last = int((table["quarter"] < 0.99).sum())
        step = -(-last // _ROWS)
        step = -(-step // 5) * 5 if step > 2 else step
        turns = [1, *range(max(step, 2), last + 1, step)]
        yield f"{'Chance of the later winner':<{_LABEL}}  {'0%':<15}{'50%':<12}100%"
        for turn in turns:
            row = table.iloc[turn - 1]
            low, at, high = (round(row[one] * (_WIDE - 1)) for one in _DRAWN)
            line = "".join(
                "●" if n == at else "░" if low <= n <= high else "│" if 2 * n == _WIDE - 1 else " "
                for n in range(_WIDE)
            )
            label = f"  {self.words.turn} {turn}"
            yield f"{label:<24}{row['median']:>4.0%}  {line}".rstrip()


_DRAWN = "quarter", "median", "three_quarters"


def _versions_row(row: Mapping[Any, Any]) -> tuple[str, str, str, str]:
    """A figure of both versions, in words."""
    of = row["of"]
    names = {
        TAIL: "played out after the decision",
        LEADER: f"leader wins, {_MOMENT.get(of, '')}",
        BACK: f"once below {float(of or 0):.0%}",
        LOSS: "a random option costs",
        EMPTY: "nothing hangs on it",
    }
    is_share = row["kind"] in (*RATES, LOSS)
    words = bare_percent if is_share else "{:.1f}".format
    before, after = words(row["value_before"]), words(row["value_after"])
    sign = points if is_share else partial(signed, digits=1)
    ends = interval(row["difference_ci_low"], row["difference_ci_high"], sign)
    return names.get(row["kind"], row["kind"]), before, after, f"{sign(row['difference'])} ({ends})"


def used(calibration: pd.DataFrame) -> pd.DataFrame:
    """The rows of the chances that the figures are about."""
    return calibration[calibration["when"] == calibration["when"].iloc[-1]]


def _ends(row: Any) -> str:
    return between(row["value_ci_low"], row["value_ci_high"])


def _rate(row: Any) -> str:
    return f"{percent(row['value'])} ({_ends(row)})"


def _mean(row: Any) -> str:
    low, high = row["value_ci_low"], row["value_ci_high"]
    ends = f" ({low:.1f} to {high:.1f})" if isfinite(low) else ""
    return f"{row['value']:.1f}{ends}"


def moments(chances: Sequence[float], most: int = 3) -> list[int]:
    """The turns, from 2, in which the chances at the ends of turns change most, in their order."""
    changes = sorted(
        range(1, len(chances)), key=lambda at: abs(chances[at] - chances[at - 1]), reverse=True
    )
    return [at + 1 for at in sorted(changes[:most])]


def done_in(lines: Iterable[str], turn: int) -> str:
    """What followed from the first two decisions in a turn of a game that is told."""
    told = [line.strip() for line in section(lines, turn)]
    pairs = pairwise(told)
    done = [line for before, line in pairs if before[:1] == "?" and line[:1] not in ("?", "")]
    return " ".join(one if one.endswith(".") else f"{one}." for one in done[:2])


def section(lines: Iterable[str], turn: int, *, only: bool = True) -> list[str]:
    """The lines of a turn of a game that is told, or all from there on; [] where it has none."""
    found, heads = list[str](), re.compile(r"\W*(?:Turn|Round|Decision) (\d+)\b")
    for line in lines:
        if head := heads.match(line):
            at = int(head[1])
            if at > turn and only and found:
                break
            if at >= turn and not found:
                found.append(line)
                continue
        if found:
            found.append(line)
    return found
