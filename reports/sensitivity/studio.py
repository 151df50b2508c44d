"""A sensitivity analysis in the studio: rows and a map that fill while changes are played."""

from abc import ABC, abstractmethod
from collections.abc import Mapping, Sequence
from functools import partial
from typing import TYPE_CHECKING, Any

from attrs import Factory, define

from reports.kit.words import count, display_name, interval, percent, signed
from reports.studio import changes
from reports.studio.bench import Cell, Chart, Choice, Chosen, Map, Row, Show, Trial, Tried
from reports.studio.rows import LONGEST, UNKNOWN, points_chart, points_row

if TYPE_CHECKING:
    import pandas as pd

    from analysis.questions import sensitivity
    from card_data.schema.changes import Variable
    from reports.sensitivity.command import Asked
    from reports.studio.work import Asked as AskedInStudio

# What is said of an entry that is worth more than another, and less.
_OF_WORTH = ("worth more", "worth less")
# Rows that are shown at most, those that move most; the page has all.
_MOST_ROWS = 60


class Panel(ABC):
    """The experiment as it can be asked for, of one game.

    Attributes
    ----------
    title, hint, choices
        What it is called, what it does, and what can be chosen.
    headings
        Those of the names of changes, of their numbers and of the words; ``after`` that of what is
        won with a change; of entries by their worth those of ``worth``.
    words
        What is said of more and of less.
    entry, how
        The heading of the entries of the map, and how to read it.
    """

    title: str
    hint: str
    choices: Sequence[Choice]
    headings: tuple[str, str, str]
    after: str
    worth: tuple[str, str, str] = ("Card", "Worth", "Against the reference")
    words: tuple[str, str] = changes.OF_CHANGE
    entry: str
    how: str

    @abstractmethod
    def ask(self, asked: "AskedInStudio") -> "Asked":
        """What the command asks."""

    @abstractmethod
    def column(self, change: Any) -> str:
        """The heading of a change in the map; "" for one that is in none."""

    def columns(self, headings: Sequence[str]) -> Sequence[str]:
        """The headings of the map in their order."""
        return headings

    @abstractmethod
    def taken(self, asked: "AskedInStudio", change: Any) -> tuple[str, Chosen]:
        """What a press puts into the file, "" for nothing, and what it chooses."""

    def reference(self, tried: Any) -> Mapping[str, Any] | None:  # noqa: ARG002 - there is none
        """What is said about the entry against which others are worth something."""
        return None

    def trial(self) -> Trial:
        """The experiment for the page."""
        return Trial(self.title, self.hint, "Try changes", self._try, self.choices)

    def _try(self, asked: "AskedInStudio", show: Show) -> None:
        """Do what ``fairdeal sensitivity`` does."""
        from reports.cli.compute import HERE
        from reports.sensitivity.command import find_out

        seen, said = _Seen(self, asked), self.ask(asked)
        with HERE.start() as crew:
            answer = find_out(said, crew, see=changes.seldom(partial(seen.see, show)))
        seen.lines = answer.tried.main_lines()
        show(
            Tried(
                f"{answer.headline}.",
                answer.shown.played,
                [f"{one.topic}: {one.text}" for one in answer.findings],
                seen.chart(answer.tried),
                (answer.page.parent.name, answer.page.name),
                seen.map(answer.tried),
            )
        )


class StepPanel(Panel):
    """One step on each number of a game whose changes are `card_data.schema.changes.Change`."""

    title = "What does each number do?"
    entry = "Entry"

    @abstractmethod
    def is_mapped(self, variable: "Variable") -> bool:
        """Whether several entries have such a number, so that a map shows it."""

    def column(self, change: Any) -> str:
        """The step on a whole number that several entries have: "life +1"."""
        one, to = change.change.variable, change.change.changed_to
        if type(one.value) is not int or "." in one.number or not self.is_mapped(one):
            return ""
        return f"{one.label} {signed(to - one.value, 0)}"


@define
class _Seen:
    """What is known of each change, by its place: its line of the table, about the main measure.

    The intervals of all are corrected together in the end.
    """

    panel: Panel
    asked: "AskedInStudio"
    lines: "dict[int, pd.Series]" = Factory(dict)
    _taken: dict[int, tuple[str, Chosen]] = Factory(dict)

    def see(self, show: Show, tried: "sensitivity.Tried") -> None:
        """Show what is known of the changes that are played."""
        self.lines |= tried.main_lines(len(self.lines))
        done, n = count(len(tried.games)), count(len(tried.changes))
        show(
            Tried(
                f"{done} of {n} changes are played.", chart=self.chart(tried), map=self.map(tried)
            )
        )

    def chart(self, tried: "sensitivity.Tried") -> Chart | None:
        """What entries are worth, or the changes that are in no map; of many the largest."""
        if self._is_of_several(tried):
            if any(one.about["kind"] == "value" for one in tried.changes):
                return self._worth(tried)
            mapped = self._mapped(tried)
        else:
            mapped = {}
        places = [
            place
            for place, one in enumerate(tried.changes)
            if place not in mapped and one.about["kind"] != "parts"
        ]
        if len(places) > _MOST_ROWS:
            places = sorted(places, key=self._size, reverse=True)[:_MOST_ROWS]
        rows = [self._row(tried, place) for place in places]
        return points_chart(
            self.panel.headings, rows, more=[changes.interval_heading(), self.panel.after]
        )

    def map(self, tried: "sensitivity.Tried") -> Map | None:
        """What several entries' changes do; None where a chart tells all."""
        mapped = self._mapped(tried) if self._is_of_several(tried) else {}
        if not mapped:
            return None
        most = max((abs(one["difference"]) for one in self.lines.values()), default=0)
        rows: dict[tuple[str, str], tuple[str, bool, dict[str, Cell | None]]] = {}
        for place, column in mapped.items():
            about = tried.changes[place].about
            row = about["name"], self._is_own(about), dict[str, Cell | None]()
            *_, cells = rows.setdefault(_entry(about), row)
            cells[column] = changes.effect_cell(
                _label({**about, "name": ""}),
                self.lines.get(place),
                most,
                self._put(tried, place)[0],
                in_brackets=about["kind"] == "remove_keyword",
            )
        columns = self.panel.columns(list(dict.fromkeys(mapped.values())))
        return changes.effect_map(self.panel.entry, columns, rows.values(), self.panel.how)

    def _is_of_several(self, tried: "sensitivity.Tried") -> bool:
        """Whether several entries are changed, in ways that a map or their worth tells."""
        told = (
            _entry(one.about)
            for one in tried.changes
            if one.about["kind"] == "value" or self.panel.column(one)
        )
        return len({*told}) > 1

    def _mapped(self, tried: "sensitivity.Tried") -> dict[int, str]:
        """The places of the changes that are in the map, and their columns."""
        columns = ((place, self.panel.column(one)) for place, one in enumerate(tried.changes))
        return {place: column for place, column in columns if column}

    def _worth(self, tried: "sensitivity.Tried") -> Chart | None:
        """Entries by their worth, the other way round than the change; the reference has none."""
        rows = [
            self._worth_row(one.about, self.lines.get(place))
            for place, one in enumerate(tried.changes)
            if one.about["kind"] == "value"
        ]
        if about := self.panel.reference(tried):
            name, word, is_own = about["name"], "the reference", self._is_own(about)
            rows.append(Row(name, "0", word, 0.0, 0.0, 0.0, word, is_own=is_own, more=["", ""]))
        rows.sort(key=lambda row: (row.at is None, -(row.at or 0)))
        return points_chart(self.panel.worth, rows, more=[changes.interval_heading(), "Dealt"])

    def _worth_row(self, about: Mapping[str, Any], line: "pd.Series | None") -> Row:
        name, is_own = about["name"], self._is_own(about)
        if line is None:
            return Row(display_name(name, LONGEST), word=UNKNOWN, is_own=is_own, more=["", ""])
        shares = [0.0 - share for share in reversed(changes.shares_of(line))]
        ends = interval(shares[0], shares[2], changes.fine_points)
        more = {**changes.effect(shares, _OF_WORTH), "more": [ends, percent(line["base"])]}
        return points_row(name, changes.fine_points(shares[1]), ends, shares, is_own=is_own, **more)

    def _is_own(self, about: Mapping[str, Any]) -> bool:
        return _entry(about)[0] in self.asked.own

    def _size(self, place: int) -> float:
        """How much a change moves; what is not known yet comes last."""
        return abs(self.lines[place]["difference"]) if place in self.lines else -1

    def _row(self, tried: "sensitivity.Tried", place: int) -> Row:
        """A change as a row."""
        text, chosen = self._put(tried, place)
        label, line = _label(tried.changes[place].about), self.lines.get(place)
        return changes.effect_row(label, line, self.panel.words, text=text, chosen=chosen)

    def _put(self, tried: "sensitivity.Tried", place: int) -> tuple[str, Chosen]:
        """What a press on a change does."""
        if place not in self._taken:
            self._taken[place] = self.panel.taken(self.asked, tried.changes[place])
        return self._taken[place]


def _entry(about: Mapping[str, Any]) -> tuple[str, str]:
    """What tells the entry of a change from others."""
    return about.get("card_id", about.get("entry", "")), about["name"]


def _label(about: Mapping[str, Any]) -> str:
    """A change in words, whole."""
    from reports.sensitivity.text import change_text

    return change_text(about) if "changed_to" in about else about["label"]
