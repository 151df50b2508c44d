"""A verdict in words: the answer in a sentence, whether stronger players agree, what to change.

Nothing is estimated here; sentences quote the tables ``verdict`` and ``verdict_changes``.
"""

from abc import ABC, abstractmethod
from collections.abc import Callable, Iterator, Mapping

import pandas as pd
from attrs import frozen

from analysis.verdicts import FAIR, NEEDS_GAMES, TOO_STRONG, TOO_WEAK
from reports.kit.verdicts import doubt, predicate, settled
from reports.kit.words import (
    DOT,
    Finding,
    bare_percent,
    between,
    capital,
    count,
    games,
    interval,
    interval_of,
    listed,
    percent,
    plural,
    points,
    points_text,
)

#: Smaller changes and single steps that a sentence names, and topics of the first screen.
_NAMED, _MOST_STEPS, _MOST_TOPICS = 2, 4, 5


@frozen
class Scale:
    """The number that a verdict is on: its column, its value of a fair thing, and its axis.

    Where a fair thing has some of it, it is a share; else a difference of shares.
    """

    column: str
    fair: float
    label: str

    @property
    def is_share(self) -> bool:
        """Whether it is a share."""
        return self.fair > 0

    def number(self, value: float) -> str:
        """The number: "53.9%", or "+3.9"."""
        return percent(value) if self.is_share else points(value)

    def size(self, row: pd.Series) -> tuple[str, str]:
        """The number in a row and its interval: "53.9%" and "53.5 to 54.3%"."""
        value, low, high = (row[f"{self.column}{end}"] for end in ("", "_ci_low", "_ci_high"))
        if self.is_share:
            return percent(value), between(low, high)
        return f"{points(value)} points", interval(low, high, points)

    def band(self, band: float) -> tuple[str, str]:
        """What is fair: as the subject of a sentence, and behind "whether that is"."""
        if self.is_share:
            digits = 1 if round(1000 * band) % 10 else 0
            ends = between(self.fair - band, self.fair + band, digits)
            return ends, f"inside {ends}"
        ends = f"up to {points_text(band)} either way"
        return ends, ends


class Words(ABC):
    """The words of a verdict; a game has its nouns, and what its verdicts are about.

    ``number`` is what is judged, ``who`` plays it, said of a player, ``stronger`` is said of a
    stronger one, and ``agree`` of one who comes to the same verdict.  ``steps`` are the changes
    that there are, ``otherwise`` is left to do where none does.  ``then`` says what fresh games say
    of a change, with ``n`` of them and the ``size`` of the number.  ``average`` is the column with
    what takes its place, ``alike`` such things.
    """

    scale: Scale
    average: str
    alike: str
    number: str
    who: str
    stronger: str
    agree: str
    steps: str
    then: str
    otherwise: str = ""

    def __init__(self, tables: Mapping[str, pd.DataFrame]) -> None:
        self.tables = tables
        self.row, *self.others = (row for _, row in tables["verdict"].iterrows())
        self.name = str(self.row["name"])

    # ------------------------------------------------------------ what a game says

    @property
    @abstractmethod
    def stands(self) -> str:
        """Where it stands: "players dealt it win 53.9% (53.5 to 54.3%) of their games"."""

    @property
    @abstractmethod
    def topics(self) -> list[tuple[str, list[str]]]:
        """What is worth knowing, most of it first, the answer itself left out: sentences by topic.

        The first sentence of each of the first topics stands on the first screen.
        """

    @property
    def instead(self) -> str:
        """What takes its place in the same games."""
        return str(self.row[self.average])

    @staticmethod
    def called(player: str) -> str:
        """A player where a person reads it."""
        return player

    def played_by(self, player: str) -> str:
        """Played by whom: "among search:16 players"."""
        return self.who.format(self.called(player))

    # ------------------------------------------------------------ the answer

    def size(self, row: pd.Series) -> str:
        """The number on which a row is judged, with its interval: "53.9% (53.5 to 54.3%)"."""
        number, ends = self.scale.size(row)
        return f"{number} ({ends})"

    @property
    def judged(self) -> pd.Series:
        """The row that the verdict is on: that of the first player."""
        return self.row

    @property
    def headline(self) -> str:
        """The verdict as a designer would repeat it, without numbers: "X is too strong"."""
        return f"{self.name} {predicate(self.judged['verdict'])}"

    @property
    def sentence(self) -> str:
        """The verdict with its interval, and whether stronger players agree."""
        said = f"{self.headline}: {self.stands}"
        fair, inside = self.scale.band(self.row["band"])
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
        if mine == theirs != NEEDS_GAMES:
            return f"{self.agree.format(self.called(other['policy']))}: {size}."
        if mine != theirs and NEEDS_GAMES not in (mine, theirs):
            return f"But {who} {said}: {size}. The verdict depends on who plays."
        return f"{capital(who)} {said}: {size}."

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
            said[name], net[name] = (percent(won), percent(lost)), points(lost - won)
        swap = f"a swap of two average {self.alike} ({row['second']} for {row[self.average]}) turns"
        alike = swap if row["second"] else "other dice alone, with nothing changed, turn"
        return [
            f"With {self.instead} in its place {said['swap'][0]} of its {games(row['swap_n'])} turn"
            f" from won to lost and {said['swap'][1]} from lost to won, net {net['swap']} points;"
            f" for comparison, {alike} {said['chance'][0]} and {said['chance'][1]} of"
            f" {count(row['chance_n'])}, net {net['chance']}."
        ]

    def moves(self, other: pd.Series) -> str:
        """By how much it is another number among stronger players: "its worth moves by …"."""
        ends = f"{interval_of(other, 'move', points)}){doubt(other, 'move')}"
        return f"{self.number} moves by {points(other['move'])} points ({ends}."

    # ------------------------------------------------------------ changes

    @property
    def single_steps(self) -> str:
        """By how much one step on each number moves it; "" where it has no numbers."""
        changes = self.tables["verdict_changes"]
        tried = changes[~changes["fresh"] & (changes["amount"] == 1)]
        if tried.empty:
            return ""
        tried = tried.loc[tried["difference"].abs().sort_values(ascending=False).index]
        clear = settled(tried, "difference").head(_MOST_STEPS)
        if clear.empty:
            return f"None of {len(tried)} {self.steps} is shown to move {self.number}."
        said = [
            f"{one['change']}: {points(one['difference'])}"
            f" ({interval_of(one, 'difference', points)})"
            for _, one in clear.iterrows()
        ]
        return f"One step on a number moves {self.number}, in points: {'; '.join(said)}."

    @property
    def change(self) -> list[str]:
        """The smallest change that brings it into the band, as it was tried."""
        changes = self.tables["verdict_changes"]
        fresh = changes[changes["fresh"]]
        mine = fresh[fresh["policy"] == self.row["policy"]]
        tried = changes[~changes["fresh"]]
        if mine.empty and self.row["verdict"] in (TOO_STRONG, TOO_WEAK):
            if tried.empty:
                return ["There is none: it has no numbers that could be changed."]
            return [f"None was found: {self._count_of(tried)} lead away from the band or past it."]
        if mine.empty:
            return [*self._steps(changes)]
        proposed = mine[mine["proposed"]]
        if proposed.empty:
            off = (mine[self.scale.column] - self.scale.fair).abs()
            near = mine.loc[off.idxmin()]
            if off.min() >= abs(self.row[self.scale.column] - self.scale.fair):
                few = (
                    f"None was found: none of the {self._count_of(tried)} is shown to come nearer."
                )
                return [f"{few}{self.otherwise}"]
            return [
                f"None was found: {near['change']} comes nearest, and {self._then(near)}.",
                f"{self._count_of(tried)} were tried.{self.otherwise}",
            ]
        best = proposed.iloc[0]
        said = [f"{capital(best['change'])}: {self._then(best)}: {best['verdict']}."]
        alike = mine[(mine["amount"] == best["amount"]) & (mine["verdict"] == FAIR)]
        others = alike[alike["change"] != best["change"]]
        if len(others) and best["verdict"] == FAIR:
            said[0] += f" Just as small, and also fair: {listed(self._named(others))}."
        for _, one in fresh[fresh["policy"] != self.row["policy"]].iterrows():
            but = "But " if one["verdict"] in (TOO_STRONG, TOO_WEAK) else ""
            who = self.played_by(one["policy"]) if but else capital(self.played_by(one["policy"]))
            said.append(f"{but}{who} {self.number} is then {self.size(one)}: {one['verdict']}.")
        return [*said, self._smaller(changes, best)]

    def _then(self, row: pd.Series) -> str:
        """What fresh games say of a change."""
        return self.then.format(n=count(row["n_games"]), size=self.size(row)) + self.overall(row)

    def overall(self, row: pd.Series) -> str:  # noqa: ARG002 - a game may know it
        """What a change does to the game as a whole, behind that."""
        return ""

    def _named(self, changes: pd.DataFrame, *, judged: bool = False) -> list[str]:
        """Changes, each with its number and interval, and ``judged`` with its verdict."""
        return [
            f"{one['change']} ({', '.join([*self.scale.size(one), *[one['verdict']] * judged])})"
            for _, one in changes.iterrows()
        ]

    def _count_of(self, tried: pd.DataFrame) -> str:
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
        may = may.loc[
            (may[self.scale.column] - self.scale.fair).abs().sort_values(kind="stable").index
        ]
        return (
            f"Of {count(len(smaller))} smaller {plural('change', len(smaller))} tried,"
            f" {listed(self._named(may, judged=True), _NAMED)} may do as well."
        )

    @property
    def as_it_is(self) -> str:
        """How it does without a change in the games of the changes, and in all; "" without such."""
        found = without_change(self.tables["verdict_changes"], self.scale)
        if found is None:
            return ""
        number, n = found
        return (
            f"{self.name} as it is: {number} in the {games(n)} of the changes,"
            f" {self.scale.size(self.row)[0]} in all {count(self.row['n_games'])}. The search adds"
            " what a change moves to the latter."
        )

    def left_out(self, shown: pd.DataFrame) -> str:
        """What a table of changes lacks; "" for nothing."""
        changes = self.tables["verdict_changes"]
        if len(shown) == len(changes):
            return ""
        few = games(changes["n_games"].min())
        return (
            f"{count(len(changes) - len(shown))} more changes, dropped after {few} each, are in the"
            " file."
        )

    def _steps(self, changes: pd.DataFrame) -> Iterator[str]:
        """Why nothing is proposed, and which single steps would take it out of the band."""
        out = changes[changes["verdict"].isin([TOO_STRONG, TOO_WEAK])]
        kept = changes[changes["verdict"] == FAIR]
        fair = self.row["verdict"] == FAIR
        yield (
            "None is needed."
            if fair
            else "No change is recommended yet: these games do not settle it."
        )
        if len(out):
            named = [f"{one['change']} ({one['verdict']})" for _, one in out.iterrows()]
            yield (
                f"Of {len(changes)} {self.steps} tried, these would take it out of the band:"
                f" {listed(named)}."
            )
        if len(kept):
            yield f"It stays fair with {listed(kept['change'])}."


def without_change(changes: pd.DataFrame, scale: Scale) -> tuple[str, int] | None:
    """The number without a change in the games in which changes were tried, and how many these are.

    None where none was tried.
    """
    tried = changes[~changes["fresh"]].sort_values("n_games")
    if tried.empty:
        return None
    row = tried.iloc[-1]
    number = scale.number(row[scale.column] - row["difference"])
    return number + " points" * (not scale.is_share), int(row["n_games"])


def games_played(numbers: Mapping[str, int]) -> str:
    """How many games of whom, weaker first: "3,000 games of heuristic, 387 of search:16"."""
    (first, n), *others = numbers.items()
    if not others:
        return f"{games(n)}{DOT}{first}"
    return ", ".join([f"{games(n)} of {first}", *(f"{count(n)} of {who}" for who, n in others)])


def unsigned(row: pd.Series, column: str) -> str:
    """A difference without its sign, with its interval: "3.5 points (1.4 to 5.7)"."""
    size, low, high = (row[f"{column}{end}"] for end in ("", "_ci_low", "_ci_high"))
    if size < 0:
        size, low, high = -size, -high, -low
    return f"{bare_percent(size)} points ({interval(low, high, bare_percent)})"


def came_out(row: pd.Series, who: str, when: str, instead: str, they: str) -> str:
    """One game that came out otherwise: ``who`` won it ``when``, and ``they`` lost with another."""
    end, otherwise = ("won", "lost") if row["won"] else ("lost", "won")
    return (
        f"Game {row['game']}: {who} {end} {when}; with {instead} and the same luck {they}"
        f" {otherwise}."
    )


def shown_changes(tables: Mapping[str, pd.DataFrame]) -> pd.DataFrame:
    """The changes that a page shows, fresh games first: those that played more than a few games."""
    changes = tables["verdict_changes"]
    first = changes[~changes["fresh"]]
    return pd.concat([changes[changes["fresh"]], first[first["n_games"] == first["n_games"].max()]])
