"""The words for a rebalancing of any game."""

from abc import abstractmethod
from collections.abc import Callable, Iterator, Mapping
from pathlib import Path
from typing import TYPE_CHECKING, Any, NamedTuple

import pandas as pd

from analysis.experiments.goals import (
    MET,
    MISSED,
    NEEDLESS,
    NOT_SHOWN,
    NOTHING_HELPS,
    PROPOSED,
)
from reports.kit.cells import Cell, number
from reports.kit.words import (
    ARROW,
    Finding,
    Played,
    bare_percent,
    capital,
    count,
    interval,
    interval_of,
    listed,
    percent,
    points,
)

if TYPE_CHECKING:
    from reports.kit.drawing import Charts

# Changes that a headline spells out, and things changed that it names where there are more.
_SPELLED, _NAMED = 2, 3
# Entries that a sentence names.
_MOST = 4
_STANDING = {MET: "within the band", MISSED: "outside it", NOT_SHOWN: "which needs more games"}


def plain(number: float) -> str:
    """A number with at most one decimal: 2.0 -> "2"."""
    return f"{number:.1f}".removesuffix(".0")


def changes_text(changes: pd.DataFrame) -> list[str]:
    """A line for each thing that is changed: "Brain Fly: power 4 → 6", "life: 3 → 4"."""
    lines = []
    for name, what, *values in changes[["name", "what", "before", "after"]].itertuples(index=False):
        before, after = ("none" if text == "" else text for text in values)
        lines.append(f"{f'{name}: {what}' if name else f'{what}:'} {before} {ARROW} {after}")
    return lines


def headline(manifest: Mapping[str, Any], changes: pd.DataFrame) -> str:
    """What is proposed, which is only the nearest where it misses the goal, or that nothing is."""
    if manifest["outcome"] == NEEDLESS:
        return "Nothing needs to change"
    if manifest["outcome"] != PROPOSED:
        return "No change that was tried is shown to help"
    what = "Nearest to the goal" if manifest["verdict"] == MISSED else "Proposed"
    if len(changes) <= _SPELLED:
        return f"{what}: {listed(changes_text(changes))}"
    changed = dict.fromkeys(changes["name"].where(changes["name"] != "", changes["what"]))
    return f"{what}: {count(len(changes))} changes of {listed(changed, _NAMED)}"


class Unit(NamedTuple):
    """How numbers of a goal are written: the number, the ends of its interval, and what follows."""

    words: Callable[[float], str]
    ends: Callable[[float], str]
    after: str = ""
    last: str = ""

    def told(self, row: pd.Series, column: str) -> str:
        """A number with its interval: "+1.2 points (+0.5 to +1.9)", "42.0% (40.1 to 44.0%)"."""
        ends = interval_of(row, column, self.ends, self.last)
        return f"{self.words(row[column])}{self.after} ({ends})"


POINTS = Unit(points, points, " points")
PERCENT = Unit(percent, bare_percent, "", "%")


class Gain(NamedTuple):
    """By how much less goals of a kind are missed: with nothing changed, and with a plan.

    ``kind`` heads a row, ``subject`` and ``off`` are around the numbers in a sentence; ``words``
    write them.
    """

    kind: str
    subject: str
    off: str
    before: float
    after: float
    gain: tuple[float, float, float]
    words: Callable[[float], str]

    @property
    def text(self) -> str:
        """The gain in a sentence."""
        before, after, gain, *ends = map(self.words, (self.before, self.after, *self.gain))
        change = f"{before} {ARROW} {after} {self.off}"
        return f"{self.subject} {change}, a gain of {gain} ({' to '.join(ends)})."

    @property
    def cells(self) -> list[Cell]:
        """The gain as a row."""
        value, low, high = self.gain
        both = [Cell(self.kind), Cell(self.words(self.before)), Cell(self.words(self.after))]
        return [*both, Cell(self.words(value), interval=interval(low, high, self.words))]


def amount_text(value: float) -> str:
    """A number of points without a sign, but for a minus: "3.4", "−0.2"."""
    text = bare_percent(value)
    return text if set(text) & set("123456789") else "0.0"


class Rebalancing(Played):
    """A rebalancing as it is told, in sentences that quote the tables, and on its page.

    Attributes
    ----------
    charts
        Those of the page.
    nouns
        What is judged: one of it, and several.
    unit, heading
        How their numbers are written, and what heads them.
    levers
        What may be changed, in words.
    step
        The option for larger steps.
    outside
        The column of ``front`` with how many are outside the band.
    file_heading, judged, hint, luck, first, counts, must
        Words of the page: above the file with the proposal; what the numbers are; what they count;
        what games of two plans share; what is tried first; how changes count; what a proposal must
        show besides.
    """

    charts: "Charts"
    nouns: tuple[str, str]
    unit = POINTS
    heading: str
    levers: Mapping[str, str]
    step = "--step"
    outside = "outside"
    file_heading = "The changed entries as a file of your own"
    judged: str
    hint: str
    luck = "with the same luck"
    first = ""
    counts = "Each step of a number counts 1."
    must = ""

    def __init__(self, tables: Mapping[str, pd.DataFrame], manifest: Mapping[str, Any]) -> None:
        self.tables, self.manifest = tables, manifest

    @property
    @abstractmethod
    def subject(self) -> str:
        """What is balanced."""

    @property
    @abstractmethod
    def goal(self) -> str:
        """What was asked for, in a sentence."""

    @abstractmethod
    def to_play(self, folder: Path) -> list[str]:
        """Commands that play the proposal, and compare it; none without one."""

    # ------------------------------------------------------------ what a game may say otherwise

    @property
    def file(self) -> str:
        """The name of the file that is proposed; "" without one."""
        return self.manifest["file"] or ""

    @property
    def proposal(self) -> str:
        """The name of what is proposed as a file; "" without one."""
        return self.file

    @property
    def allowed(self) -> int:
        """How many changes were allowed."""
        return len(self.manifest["changes"])

    @property
    def entries(self) -> pd.DataFrame:
        """The rows of ``goals`` about what the front counts."""
        return self.tables["goals"]

    @property
    def others(self) -> pd.DataFrame:
        """Its other rows."""
        return self.tables["goals"].iloc[:0]

    def name_of(self, row: pd.Series) -> str:
        """What a goal is about, without commas."""
        return str(row["name"])

    def other_clauses(self, side: str) -> Iterator[str]:  # noqa: ARG002 - a game may have such
        """How the other goals stand: "a game takes 15.1 turns, which meets the goal"."""
        yield from ()

    @property
    def gains(self) -> list[Gain]:
        """What is gained by the proposal, or else by the best plan that was found."""
        front = self.tables["front"]
        found = front[front["amount"] > 0]
        shown = found[found["proposed"]] if found["proposed"].any() else found.tail(1)
        return [self._gain_of(row) for _, row in shown.iterrows()]

    def _gain_of(self, row: pd.Series) -> Gain:
        noun = self.nouns[1]
        return Gain(
            f"{capital(noun)}: points outside the band, in total",
            *(f"All {noun} together are", "points outside the band"),
            *(row["excess"] + row["gain"], row["excess"]),
            (row["gain"], row["gain_ci_low"], row["gain_ci_high"]),
            amount_text,
        )

    @property
    def best_plan(self) -> str:
        """The best plan found, where it is not shown to help."""
        return str(self.tables["front"]["in_words"].iloc[-1])

    @property
    def not_reached(self) -> list[Finding]:
        """Goals that nothing that was tried reaches."""
        return []

    # ------------------------------------------------------------ findings

    @property
    def proposed(self) -> bool:
        """Whether there is a proposal."""
        return bool(self.manifest["outcome"] == PROPOSED)

    @property
    def headline(self) -> str:
        """What is proposed, or that nothing is."""
        return headline(self.manifest, self.tables["changes"])

    @property
    def findings(self) -> list[Finding]:
        """What is worth knowing first, in its order."""
        return [*self._told()]

    def _told(self) -> Iterator[Finding]:
        manifest = self.manifest
        yield Finding("Goal", self.goal)
        yield Finding("As it is", *self.verdict("before"))
        if self.proposed:
            lines = changes_text(self.tables["changes"])
            many = f"{len(lines)} changes" if len(lines) > 1 else "One change"
            yield Finding("Proposal", f"{many}, amount {manifest['amount']}: {'; '.join(lines)}.")
            gains = self._gain_texts
            yield Finding("Gain", " ".join(gains), gains[0] if gains else "")
            yield Finding("With it", *self.verdict("after"))
        else:
            brief = why_none_brief({**manifest, "allowed": self.allowed})
            yield Finding("No proposal", self._why_none, brief)
        yield from self.not_reached
        if self.proposed and manifest["verdict"] != MET:
            yield Finding("Short of the goal", self._short)
        yield _confirmed(manifest, manifest["verdict"], self.proposed)
        brief = (
            f"{count(manifest['tried'])} of the {count(self.allowed)} allowed changes were tried in"
            f" {count(manifest['games_of_search'])} games."
        )
        yield Finding("Search", self._search, brief)

    @property
    def _gain_texts(self) -> list[str]:
        return [one.text for one in self.gains if one.before or one.after]

    def verdict(self, side: str) -> tuple[str, str]:
        """Whether goals are met, ``side`` before or after the changes: at length, and counted."""
        clauses = [*self.clauses(self.entries, side), *self.other_clauses(side)]
        brief = counts_text(self.entries, side, self.nouns[1])
        return f"{capital('; '.join(clauses))}.", brief

    def clauses(self, rows: pd.DataFrame, side: str) -> Iterator[str]:
        """Which entries are within the band, those farthest off first, and how far off."""
        n, noun, found = len(rows), self.nouns[1], rows[f"{side}_verdict"]
        met = int((found == MET).sum())
        if n == 1:
            row = rows.iloc[0]
            standing = _STANDING[row[f"{side}_verdict"]]
            yield f"{self.name_of(row)} is at {self.unit.told(row, side)}, {standing}"
            return
        if met == n:
            ends = (self.unit.words(rows[side].agg(end)) for end in ("min", "max"))
            yield f"all {n} {noun} are within the band, from {' to '.join(ends)}{self.unit.after}"
            return
        yield f"{met} of {n} {noun} {'is' if met == 1 else 'are'} within the band"
        for verdict, standing in ((MISSED, "outside it"), (NOT_SHOWN, "need more games")):
            far = self._by_distance(rows[found == verdict], side)
            if len(far):
                words = standing if len(far) > 1 else standing.replace("need ", "needs ")
                names = (
                    f"{self.name_of(row)} {self.unit.told(row, side)}" for _, row in far.iterrows()
                )
                yield f"{len(far)} {words}: {listed(names, _MOST)}"

    def _by_distance(self, rows: pd.DataFrame, side: str) -> pd.DataFrame:
        """Those farthest from the middle of the band first."""
        middle = (rows["least"] + rows["most"]) / 2
        return rows.loc[(rows[side] - middle).abs().sort_values(ascending=False).index]

    @property
    def _short(self) -> str:
        """How near a proposal comes that misses the goal, and what may bring more."""
        row = self._by_distance(self.entries, "after").iloc[0]
        distance = max(row["least"] - row["after"], row["after"] - row["most"])
        where = f"{amount_text(distance)} points outside the band"
        if distance <= 0:
            where = "inside the band by estimate"
        off = f"{self.name_of(row)} is farthest off: {self.unit.told(row, 'after')}, {where}."
        if self.manifest["reached_in_search"]:
            found = "is the least change that the search found to be far enough inside the band"
            return f"{off} This {found}."
        return f"{off} {self._search_fell_short}"

    @property
    def _search_fell_short(self) -> str:
        """That the search found no plan that fresh games would confirm; what may bring more."""
        manifest = self.manifest
        may = listed(self.levers.get(lever, lever) for lever in manifest["levers"])
        limit = manifest["most_changes"]
        most = "" if limit is None else f" in at most {limit} places"
        ended = " before the budget of games ran out" * manifest["budget_spent"]
        longer = "A longer search (--budget) goes on from here. " * manifest["budget_spent"]
        return (
            f"Changing {may}{most}, the search found no plan{ended} that is far enough inside the"
            " band for fresh games to confirm it. This is the nearest. "
            f"{longer}You can also allow more to change (--changes, {self.step}, --most-changes),"
            " or play"
            " more games for each plan (--games), so that a plan may lie closer to the edge."
        )

    @property
    def _why_none(self) -> str:
        """Why nothing is proposed, and what would be needed."""
        manifest = self.manifest
        if manifest["outcome"] == NEEDLESS:
            return "Nothing needs to change: in the search every number met its goal."
        names = self.entries["name"]
        few = len(names) <= _MOST
        if not self.allowed:
            of = f" of {listed(names)}" * few
            more = f"allow more kinds or larger steps (--changes, {self.step})"
            return f"No change{of} is allowed; {more}."
        if manifest["outcome"] == NOTHING_HELPS:
            whom = listed(names, last="or") if few else self.nouns[1]
            what = f"None of the allowed changes that were tried brings {whom} nearer to the band."
            return f"{what if manifest['tried'] else 'No change was tried.'}{self._larger_budget}"
        gains = " ".join(self._gain_texts)
        return (
            f"The best plan found is not shown to help: {self.best_plan}. {gains}"
            f" {more_games_text(manifest)}{self._larger_budget}"
        ).replace("  ", " ")

    @property
    def _larger_budget(self) -> str:
        """How to try what was not tried, if the budget ended the search."""
        if not self.manifest["budget_spent"]:
            return ""
        left = self._in_search - self.manifest["tried"]
        if left <= 0:
            return " A longer search (--budget) may find more."
        what = "One allowed change was" if left == 1 else f"{count(left)} allowed changes were"
        return f" {what} not tried; a longer search (--budget) tries more."

    @property
    def _in_search(self) -> int:
        """How many changes the search could try: those left after a race, or all."""
        return int(self.manifest.get("left_after_race", self.allowed))

    @property
    def _search(self) -> str:
        manifest, raced = self.manifest, ""
        tried, of = manifest["tried"], self._in_search
        if manifest.get("games_of_race"):
            raced = (
                f"{count(self.allowed)} allowed changes raced in"
                f" {count(manifest['games_of_race'])} games; {of} were left. "
            )
        share = f"{100 * tried / max(of, 1):.0f}%"
        which = "of these" if raced else f"of the {of} allowed changes"
        spent = " Then the budget ran out." * manifest["budget_spent"]
        return (
            f"{raced}{count(manifest['played'] - 1)} sets of changes were played, each in"
            f" {count(manifest['games'])} games of seed {manifest['seed']} {self.luck}; {tried}"
            f" {which} ({share}) were in one of them. That took"
            f" {count(manifest['games_of_search'])} games in all.{spent}"
        )

    # ------------------------------------------------------------ the page

    def cell(self, row: pd.Series, column: str) -> Cell:
        """A number of a goal with its interval."""
        return self.number(row[column], row[f"{column}_ci_low"], row[f"{column}_ci_high"])

    def number(self, value: float, low: float, high: float) -> Cell:
        """A number of what the front counts."""
        words = bare_percent if self.unit is PERCENT else self.unit.words
        return number(value, low, high, words)

    def worst(self, row: pd.Series) -> list[Cell]:
        """What is farthest off with a plan: its name, and its number."""
        entry = self.entries.set_index("entry", drop=False).loc[row["worst"]]
        return [Cell(self.name_of(entry), kind="word"), self.cell(row, "worst_estimate")]

    @property
    def front_columns(self) -> list[tuple[str, Callable[[pd.Series], Cell]]]:
        """More columns of the table of plans, with what is in them."""
        return []

    @property
    def nearest_rows(self) -> list[list[Cell]]:
        """Goals that were not reached, and how near plans came."""
        return []


def _confirmed(manifest: Mapping[str, Any], verdict: str, proposed: bool) -> Finding:
    """Whether fresh games show that the goal is met."""
    games, seed = count(manifest["confirm"]), manifest["fresh_seed"]
    how = "" if proposed else " with nothing changed"
    said = {
        MET: f"The goal is met{how}",
        MISSED: f"The goal is missed{how}",
        NOT_SHOWN: f"Whether the goal is met{how} needs more games (--confirm)",
    }[verdict]
    fresh = f"{games} fresh games of seed {seed}"
    return Finding(
        "Not confirmed" if verdict == NOT_SHOWN else "Confirmed",
        f"{said}. This and every number above come from {fresh}, which the search never saw.",
        f"{said}, in {fresh}.",
    )


def why_none_brief(manifest: Mapping[str, Any]) -> str:
    """Why nothing is proposed, in one sentence."""
    if manifest["outcome"] == NEEDLESS:
        return "In the search every number met its goal."
    tried = manifest["tried"]
    if not tried:
        return f"None of the {count(manifest['allowed'])} allowed changes seems to help."
    if tried == 1:
        return "The one change that was tried is not shown to help."
    return f"None of {count(tried)} changes, nor any set of them that was played, is shown to help."


def counts_text(goals: pd.DataFrame, side: str, noun: str) -> str:
    """How many are within the band, outside it and open, in one sentence: "3 of 4 parties …"."""
    found = goals[f"{side}_verdict"]
    met, missed, unclear = (int((found == verdict).sum()) for verdict in (MET, MISSED, NOT_SHOWN))
    said = [f"{met} of {len(goals)} {noun} {'is' if met == 1 else 'are'} within the band"]
    said += [f"{missed} {'is' if missed == 1 else 'are'} outside"] * bool(missed)
    said += [f"{unclear} {'needs' if unclear == 1 else 'need'} more games"] * bool(unclear)
    return f"{listed(said)}."


def more_games_text(manifest: Mapping[str, Any]) -> str:
    """What may help where no gain is shown."""
    needed = manifest["games_to_show"]
    if needed is None:
        return (
            "More games for each plan (--games) and a longer search (--budget) may find something"
            " better."
        )
    return (
        f"In {count(needed)} fresh games (--confirm) a gain of this size shows nine times in ten."
    )
