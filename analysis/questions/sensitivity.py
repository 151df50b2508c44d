"""What single changes of a game do, from games with the same deals and luck.

A change alters one thing and leaves the rest, so game i is dealt the same and has the same luck as
without it (common random numbers), as long as the two games stay alike.  They are compared game by
game (`analysis.experiments.comparison`): each measure is a ratio of sums over games, and with the
sums of either side the products across them are kept.  Where the sides have other observations,
such as other players who are dealt a card, the same sums give the error of two runs.

A game says which changes there are and what is counted of its games (`Change`), and which columns
its table has (`Tried`).
"""

from abc import ABC, abstractmethod
from collections.abc import Callable, Iterable, Iterator, Mapping, Sequence
from typing import Any, ClassVar, NamedTuple, Self

import numpy as np
import numpy.typing as npt
import pandas as pd
from attrs import evolve, frozen

from analysis.confidence import normal_z
from analysis.estimates import adjust_p, corrected_z, two_sided_p
from analysis.experiments.comparison import MIN_DIFFERING, estimate_lines, most_differing
from analysis.experiments.paired_sums import Lines, sum_pairs
from analysis.registry import Table, q_value, with_interval
from analysis.shrinkage import shrink
from analysis.verdicts import MIN_GAMES
from simcore.arrays import Records

#: Games, one for each number: records of whatever a game keeps of them, (n_games,).
Games = Records
#: The kind of changes that are played for the shares of parts alone, and tested by themselves.
PARTS = "parts"
_SHRUNK = "difference_shrunk"


class Observed(NamedTuple):
    """One number of some games: n observations in each, with the total s; whole numbers."""

    n: npt.NDArray[np.integer]
    s: npt.NDArray[np.integer]

    @property
    def line(self) -> tuple[np.ndarray, np.ndarray]:
        """Both as `paired_sums.sum_pairs` has them."""
        return self.n.astype(np.int64)[None], self.s.astype(np.int64)[None]


class Pair(NamedTuple):
    """The same number without and with a change; ``unit`` is what 1 is worth in s."""

    before: Observed
    after: Observed
    unit: float

    @classmethod
    def of(cls, sides: Iterable[Observed], unit: float = 1.0) -> "Pair":
        """The number on both sides."""
        before, after = sides
        return cls(before, after, unit)


class Change(ABC):
    """A change of what is played."""

    @property
    @abstractmethod
    def about(self) -> Mapping[str, Any]:
        """The columns that say what is changed; one of them is ``kind``."""

    @abstractmethod
    def pairs(self, games: Games) -> Mapping[str, Pair]:
        """Each measure of games with the change, the most important one first."""

    def is_unread(self, games: Games) -> bool:  # noqa: ARG002 - by default nobody knows
        """Whether nothing reads what is changed, so that no game can differ."""
        return False


@frozen
class Tried(ABC):
    """Changes, and the games with those of them that are played so far, the first ones."""

    #: The table of the changes, as the game declares its columns.  With a column
    #: ``difference_shrunk`` its rows are in the order of their size.
    table: ClassVar[Table]
    #: Whether the interval of a change with which few games differ holds by itself.
    few_alone: ClassVar[bool] = False

    changes: Sequence[Change]
    games: tuple[Games, ...] = ()

    def lines(self, first: int = 0) -> pd.DataFrame:
        """What the changes do that are played, those from ``first`` on: rows of ``table``.

        Tests are corrected for the number of changes, in each measure.
        """
        return _lines_of(self._effects(first), self.table)

    def main_lines(self, first: int = 0) -> dict[int, "pd.Series[Any]"]:
        """The lines about the most important measure, by the places of their changes."""
        found = self._effects(first)
        main = found[found["measure"] == found["measure"].iloc[0]] if len(found) else found
        return {first + int(row["place"]): row for _, row in main.iterrows()}

    def _effects(self, first: int) -> pd.DataFrame:
        played = zip(self.changes[first : len(self.games)], self.games[first:], strict=True)
        return _effects(played, self.table, few_alone=self.few_alone)

    def tables(self) -> dict[str, pd.DataFrame]:
        """All tables of the question."""
        return {self.table.name: self.lines()}

    def each(self, coming: Iterable[Games]) -> Iterator[Self]:
        """These, and again after the games of each further change."""
        tried = self
        yield tried
        for games in coming:
            tried = evolve(tried, games=(*tried.games, games))
            yield tried


def effects_table(
    played: Iterable[tuple[Change, Games]], table: Table, *, few_alone: bool = False
) -> pd.DataFrame:
    """The rows of ``table`` for changes and their games: one for each measure of each change."""
    return _lines_of(_effects(played, table, few_alone=few_alone), table)


def _lines_of(found: pd.DataFrame, table: Table) -> pd.DataFrame:
    return found[[*table.columns]].astype({"differing": "Int64"})


def _effects(
    played: Iterable[tuple[Change, Games]], table: Table, *, few_alone: bool
) -> pd.DataFrame:
    """The same with the place of each change."""
    facts, sums, units = list[dict[str, Any]](), [np.zeros((0, 18), np.int64)], list[float]()
    for place, (change, games) in enumerate(played):
        certain = change.is_unread(games)
        for measure, pair in change.pairs(games).items():
            facts.append({**change.about, "measure": measure, "place": place, "certain": certain})
            sums.append(sum_pairs(pair.before.line, pair.after.line))
            units.append(pair.unit)
    if not facts:
        return table.frame([])
    lines = Lines(pd.DataFrame(facts), np.array(units))
    estimates = estimate_lines(lines.numbers(np.concatenate(sums)), paired=True)
    found = pd.concat([lines.facts, estimates.rename(columns={"variant_n": "n"})], axis=1)
    found = _judged(found, few_alone)
    return _by_size(found) if _SHRUNK in table.columns else found


def _judged(found: pd.DataFrame, few_alone: bool) -> pd.DataFrame:
    """The lines with p-values, q-values and intervals, those of each measure corrected together."""
    known = (found["differing"] >= MIN_DIFFERING) & (found["games"] >= MIN_GAMES)
    std_err = found["std_err"].where(known)
    found["p_value"] = two_sided_p(found["difference"], std_err)
    tests = found["p_value"].groupby([found["measure"], found["kind"] == PARTS])
    found["q_value"] = tests.transform(lambda p: adjust_p(p.to_numpy()))
    z = tests.transform(lambda p: corrected_z(p.to_numpy()))
    # Few games differ: how many more may, and which way, is all that is known of a share.
    games = found["games"].where(found["games"] > 0)
    most = [
        most_differing(n, of, normal_z() if few_alone else one)
        for n, of, one in zip(found["differing"], games, z, strict=True)
    ]
    hidden = pd.Series(np.array(most, float), found.index)
    hidden = hidden.mask(found["measure"].str.startswith("mean_"))
    for end, side in (("low", -1), ("high", 1)):
        normal = found["difference"] + side * z * std_err
        ends = normal.where(found["p_value"].notna(), side * hidden)
        found[f"difference_ci_{end}"] = ends.mask(found["certain"], 0.0)
    return found


def _by_size(found: pd.DataFrame) -> pd.DataFrame:
    """The lines with their differences shrunk, those first whose change moves most."""
    for _, rows in found.groupby("measure"):
        # Of few games that differ the spread is not known: they would seem the surest.
        std_err = rows["std_err"].where(rows["p_value"].notna())
        shrunk = np.nan_to_num(shrink(rows["difference"], std_err).mean)
        found.loc[rows.index, _SHRUNK] = shrunk
    first = found[found["measure"] == found["measure"].iloc[0]].set_index("place")[_SHRUNK].abs()
    order = first.sort_values(ascending=False, kind="stable").index
    ranks = pd.Series(range(len(order)), order)
    found = found.sort_values("place", key=lambda places: places.map(ranks), kind="stable")
    return found.reset_index(drop=True)


_P_VALUE = (
    "probability of a difference at least this large if there were none; missing where fewer than"
    f" {MIN_DIFFERING} games differ"
)


def sensitivity_entry(
    about: Mapping[str, str],
    measures: str,
    observations: str,
    *,
    p_value: str = _P_VALUE,
    by_size: bool = True,
    paired: str = "standard error of `difference`, from pairs of games",
    json_rows: "Callable[[pd.DataFrame], pd.Series[bool]]",
) -> Table:
    """The entry of a game's table ``sensitivity``.

    ``about`` has the meanings of the columns of `Change.about`, ``measures`` says what is measured,
    ``observations`` of what there are n, ``p_value`` and ``paired`` what those columns are.  Where
    changes stand ``by_size``, their differences are shrunk as well.
    """
    shrunk = {
        _SHRUNK: "`difference` drawn towards zero by what all differences together say that chance"
        " has added to it; changes are in the order of its size for the first measure"
    }
    return Table(
        "sensitivity",
        "One row per change and measure",
        {
            **about,
            "measure": measures,
            "n": observations,
            "base": "the estimate without the change",
            "variant": "the estimate with it",
            **with_interval(
                "difference", "by experiment: `variant` minus `base`, in the same games"
            ),
            **(shrunk if by_size else {}),
            "std_err": paired,
            "std_err_independent": "the standard error that two independent runs would have had",
            "variance_reduction": "(`std_err_independent` / `std_err`)²: how many times as many"
            " games independent runs would have needed; missing where no game differs",
            "differing": "games in which the number differs",
            "p_value": p_value,
            "q_value": q_value("changes in the same measure, those of kind parts by themselves"),
        },
        where="in the folder of `fairdeal sensitivity`",
        differences=("difference", *([_SHRUNK] if by_size else [])),
        numbers=("variance_reduction",),
        json_rows=json_rows,
    )
