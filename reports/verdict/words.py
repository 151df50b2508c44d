"""A verdict in words: the answer in a sentence, whether stronger players agree, what to change.

Nothing is estimated here; sentences quote the tables ``verdict`` and ``verdict_changes``.
"""

from abc import ABC, abstractmethod
from collections.abc import Callable, Iterator, Mapping

import pandas as pd

from analysis.verdicts import FAIR, NEEDS_GAMES, TOO_STRONG, TOO_WEAK
from reports.kit.verdicts import predicate
from reports.kit.words import Finding, capital, count, games, listed, percent, plural, points

#: Smaller changes that a sentence names, and topics of the first screen.
_NAMED, _MOST_TOPICS = 2, 5


class Words(ABC):
    """The words of a verdict; a game says what stands where, and what its verdicts are called."""

    #: What is judged, and what is said of a stronger player.
    number: str
    stronger: str
    #: What changes there are, and what is left to do where none does.
    steps: str
    otherwise: str = ""

    def __init__(self, tables: Mapping[str, pd.DataFrame]) -> None:
        self.tables = tables
        self.row, *self.others = (row for _, row in tables["verdict"].iterrows())
        self.name = str(self.row["name"])

    # ------------------------------------------------------------ what a game says

    @abstractmethod
    def at(self, row: pd.Series) -> float:
        """How far from the middle of the band it stands, in a row of either table."""

    @property
    @abstractmethod
    def stands(self) -> str:
        """Where it stands: "players dealt it win 53.9 % (53.5 to 54.3 %) of their games"."""

    @property
    @abstractmethod
    def band(self) -> tuple[str, str]:
        """What is fair: as the subject of a sentence, and behind "whether that is"."""

    @abstractmethod
    def number_of(self, row: pd.Series) -> tuple[str, str]:
        """The number on which a row is judged, and its interval."""

    @abstractmethod
    def played_by(self, player: str) -> str:
        """Played by whom: "among search:16 players"."""

    @abstractmethod
    def then(self, row: pd.Series) -> str:
        """What fresh games say of a change."""

    @property
    @abstractmethod
    def topics(self) -> list[tuple[str, list[str]]]:
        """What is worth knowing, most of it first, the answer itself left out: sentences by topic.

        The first sentence of each of the first topics stands on the first screen.
        """

    @property
    @abstractmethod
    def instead(self) -> str:
        """What takes its place in the same games."""

    @property
    @abstractmethod
    def alike(self) -> str:
        """A change with next to no effect: "a swap of two average cards turns"."""

    # ------------------------------------------------------------ the answer

    def size(self, row: pd.Series) -> str:
        """The number on which a row is judged, with its interval: "53.9 % (53.5 to 54.3 %)"."""
        number, ends = self.number_of(row)
        return f"{number} ({ends})"

    @property
    def headline(self) -> str:
        """The verdict as a designer would repeat it, without numbers: "X is too strong"."""
        return f"{self.name} {predicate(self.row['verdict'])}"

    @property
    def sentence(self) -> str:
        """The verdict with its interval, and whether stronger players agree."""
        said, (fair, inside) = f"{self.headline}: {self.stands}", self.band
        if self.row["verdict"] == NEEDS_GAMES:
            said += f", and {games(self.row['n_games'])} do not settle whether that is {inside}."
        else:
            where = "and" if self.row["verdict"] == FAIR else "where"
            said += f", {where} {fair} is fair."
        return " ".join([said, *self.in_set, *map(self._agreement, self.others)])

    @property
    def in_set(self) -> list[str]:
        """The verdict on the page of all, where intervals hold together and it is another."""
        word = self.row.get("verdict_in_set", self.row["verdict"])
        if word == self.row["verdict"]:
            return []
        return [f"On the page of all cards, whose intervals hold together, it {predicate(word)}."]

    def _agreement(self, other: pd.Series) -> str:
        """What a stronger player makes of it."""
        mine, theirs = self.row["verdict"], other["verdict"]
        who, size = f"{self.played_by(other['policy'])}, {self.stronger},", self.size(other)
        said = f"it {predicate(theirs)}"
        if mine != theirs and NEEDS_GAMES not in (mine, theirs):
            return f"But {who} {said}: {size}. The verdict depends on who plays."
        return f"{capital(who)} {said}{' as well' if mine == theirs else ''}: {size}."

    @property
    def findings(self) -> list[Finding]:
        """What is worth knowing, in full."""
        return [Finding(topic, " ".join(said)) for topic, said in self.topics if said]

    @property
    def overview(self) -> list[Finding]:
        """The same in a sentence each."""
        return [Finding(topic, said[0]) for topic, said in self.topics if said][:_MOST_TOPICS]

    def told(self, game_text: Callable[[pd.Series], str]) -> list[str]:
        """Some games that came out otherwise, a sentence each."""
        return [game_text(row) for _, row in self.tables["verdict_games"].iterrows()]

    @property
    def turned(self) -> list[str]:
        """How many games come out otherwise without it, beside a change without effect."""
        row = self.row
        if not (row["swap_n"] > 0 and row["chance_n"] > 0):
            return []
        said, net = {}, {}
        for name in ("swap", "chance"):
            won, lost = row[f"{name}_won"], row[f"{name}_lost"]
            said[name], net[name] = (percent(won), percent(lost)), points(won - lost)
        return [
            f"With {self.instead} in its place {said['swap'][0]} of its games turn from won to lost"
            f" and {said['swap'][1]} from lost to won, net {net['swap']} points; for comparison,"
            f" {self.alike} {said['chance'][0]} and {said['chance'][1]}, net {net['chance']}."
        ]

    # ------------------------------------------------------------ changes

    @property
    def change(self) -> list[str]:
        """The smallest change that brings it into the band, as it was tried."""
        changes = self.tables["verdict_changes"]
        fresh = changes[changes["fresh"]]
        mine = fresh[fresh["policy"] == self.row["policy"]]
        tried = changes[~changes["fresh"]]
        if mine.empty and self.row["verdict"] in (TOO_STRONG, TOO_WEAK):
            return [
                f"None was found: {self._number_of(tried)} lead away from the band or beyond it."
            ]
        if mine.empty:
            return [*self._steps(changes)]
        proposed = mine[mine["proposed"]]
        if proposed.empty:
            near = mine.loc[mine.apply(self.at, axis=1).abs().idxmin()]
            return [
                f"None was found: {near['change']} comes nearest, and {self.then(near)}.",
                f"{self._number_of(tried)} were tried.{self.otherwise}",
            ]
        best = proposed.iloc[0]
        settled = f": {best['verdict']}"
        said = [f"{capital(best['change'])}: {self.then(best)}{settled}."]
        for _, one in fresh[fresh["policy"] != self.row["policy"]].iterrows():
            judged = f": {one['verdict']}"
            but = "But " if one["verdict"] in (TOO_STRONG, TOO_WEAK) else ""
            who = self.played_by(one["policy"]) if but else capital(self.played_by(one["policy"]))
            said.append(f"{but}{who} {self.number} is then {self.size(one)}{judged}.")
        alike = mine[(mine["amount"] == best["amount"]) & (mine["verdict"] == FAIR)]
        others = alike[alike["change"] != best["change"]]
        if len(others) and best["verdict"] == FAIR:
            said.append(f"As small, and fair as well: {listed(self._named(others))}.")
        return [*said, self._smaller(changes, best)]

    def _named(self, changes: pd.DataFrame, *, judged: bool = False) -> list[str]:
        """Changes, each with its number and interval, and ``judged`` with its verdict."""
        return [
            f"{one['change']} ({', '.join([*self.number_of(one), *[one['verdict']] * judged])})"
            for _, one in changes.iterrows()
        ]

    def _number_of(self, tried: pd.DataFrame) -> str:
        return f"{count(len(tried))} changes of up to {tried['amount'].max()} steps"

    def _smaller(self, changes: pd.DataFrame, best: pd.Series) -> str:
        """What became of the smaller changes: whether one of them may do as well."""
        mine = changes[changes["policy"] == self.row["policy"]]
        smaller = mine[mine["amount"] < best["amount"]].drop_duplicates("change", keep="last")
        if smaller.empty:
            return "There is no smaller change."
        may = smaller[~smaller["verdict"].isin([TOO_STRONG, TOO_WEAK])]
        if may.empty:
            if len(smaller) == 1:
                return "The one smaller change leaves it outside the band."
            every = "Both" if len(smaller) == 2 else f"All {len(smaller)}"
            return f"{every} smaller changes tried leave it outside the band."
        may = may.loc[may.apply(self.at, axis=1).abs().sort_values(kind="stable").index]
        return (
            f"Of {count(len(smaller))} smaller {plural('change', len(smaller))} tried,"
            f" {listed(self._named(may, judged=True), _NAMED)} may do as well."
        )

    def left_out(self, shown: pd.DataFrame) -> str:
        """What a table of changes lacks; "" for nothing."""
        changes = self.tables["verdict_changes"]
        if len(shown) == len(changes):
            return ""
        few = games(changes["n_games"].min())
        return (
            f"{count(len(changes) - len(shown))} more changes, which were out after {few} each, are"
            " in the file."
        )

    def _steps(self, changes: pd.DataFrame) -> Iterator[str]:
        """Why nothing is proposed, and which single steps would take it out of the band."""
        out = changes[changes["verdict"].isin([TOO_STRONG, TOO_WEAK])]
        kept = changes[changes["verdict"] == FAIR]
        fair = self.row["verdict"] == FAIR
        yield "None is needed." if fair else "None is called for yet: it needs more games."
        if len(out):
            named = [f"{one['change']} ({one['verdict']})" for _, one in out.iterrows()]
            yield (
                f"Of {len(changes)} {self.steps} tried, these would take it out of the band:"
                f" {listed(named)}."
            )
        if len(kept):
            yield f"It stays fair with {listed(kept['change'])}."


def shown_changes(changes: pd.DataFrame) -> pd.DataFrame:
    """The changes that a page shows, fresh games first: those that played more than a few games."""
    first = changes[~changes["fresh"]]
    most = first["n_games"].max()
    return pd.concat([changes[changes["fresh"]], first[first["n_games"] == most]])
