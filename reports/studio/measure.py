"""What is watched while games are played: a number, its unit, and how it is told."""

from collections.abc import Callable, Mapping, Sequence
from functools import partial
from pathlib import Path
from typing import TYPE_CHECKING, Any, NamedTuple, Protocol

import pandas as pd
from attrs import frozen

from reports.kit.words import bare_percent, between, interval, percent, points

if TYPE_CHECKING:
    import numpy as np

    from analysis.stopping import Known, Watched


@frozen
class Unit:
    """How numbers of a kind are written: alone, as an interval, in a table, and at a tick.

    ``sign`` is the unit, for the head of a table.
    """

    sign: str
    number: Callable[[float], str]
    between: Callable[[float, float], str]
    bare: Callable[[float], str]
    tick: Callable[[float], str]


#: Shares of games: "53.1%".
SHARE = Unit("%", percent, between, bare_percent, partial(percent, digits=0))
#: Differences of shares: "+3.1 points".
POINTS = Unit(
    "points",
    lambda value: f"{points(value)} points",
    lambda low, high: interval(low, high, points, " points"),
    points,
    partial(points, digits=0),
)


@frozen(kw_only=True)
class Measure:
    """A number that is watched while games are played.

    Attributes
    ----------
    column, more
        Its name in the table ``verdict``, and other columns that its words need.
    words, hint
        The answer, of the rows of all that is watched, and what it does not say.
    title, caption
        What it is called, and what stands below the chart of one.
    noun
        The head of the names of those whose numbers they are.
    least, most
        What it can be.
    middle, band
        It is fair up to ``band`` on either side of ``middle``; without a band nothing is judged.
    of_foe
        Whether those whose number it is are strong where it is small (`analysis.verdicts`).
    ground
        The ends of the chart of several, where no number is farther off.
    known
        What is watched and what is known of it, by a rule and its sums, where that is not what the
        rule waits for.
    facts
        What else is told of the games, by the same, each with its topic before a colon.
    """

    column: str
    unit: Unit
    words: Callable[[pd.DataFrame], str]
    title: str
    caption: str
    noun: str
    least: float = 0.0
    most: float = 1.0
    middle: float = 0.5
    band: float | None = None
    of_foe: bool = False
    ground: tuple[float, float] = (0.0, 1.0)
    hint: str = ""
    more: Mapping[str, Any] = {}
    known: "Callable[[Any, np.ndarray], tuple[Sequence[Watched], Known]] | None" = None
    facts: "Callable[[Any, np.ndarray], Sequence[str]] | None" = None


class Seen(NamedTuple):
    """What one look showed: a row for each entry that is watched, after so many games.

    ``more_games`` are expected until all is known as well as was asked, None if that is unknown;
    ``facts`` are those of the measure.
    """

    games: int
    rows: pd.DataFrame
    reached: bool
    more_games: int | None
    facts: Sequence[str] = ()


#: Called at each look.
See = Callable[[Seen], None]


class Eye(Protocol):
    """Who watches the games of a stage."""

    def begin(self, folder: Path) -> None:
        """They are played in this folder."""

    def see(self, seen: Seen) -> None:
        """What a look shows."""

    @property
    def headline(self) -> str:
        """What was found in the end, in a sentence."""
