"""What one step on each number of a chapter changes, in the studio: rows and a map that fill."""

from collections.abc import Collection
from functools import partial
from pathlib import Path
from typing import TYPE_CHECKING

from attrs import Factory, define

from analysis.mice_and_mystics.experiments.usual import CHANGE_GAMES
from reports.kit.words import count, signed
from reports.mice_and_mystics.cli.sensitivity import ALL
from reports.mice_and_mystics.studio.choices import choices_of_changed, read
from reports.mice_and_mystics.studio.entry_texts import changed_text
from reports.studio.bench import Cell, Chart, Choice, Chosen, Map, Row, Show, Trial, Tried
from reports.studio.changes import effect_cell, effect_map, effect_row, interval_heading, seldom
from reports.studio.rows import games_choice, points_chart

if TYPE_CHECKING:
    import pandas as pd

    from analysis.mice_and_mystics.experiments.effects import Effects, TriedChanges
    from card_data.schema.changes import Change
    from card_data.schema.kinds import Key
    from reports.mice_and_mystics.cli.sensitivity import Asked as AskedChanges
    from reports.studio.work import Asked

#: What is changed where nobody asks about an entry, and kinds of entries whose numbers are a map.
_MAPPED = ("heroes", "minions")
#: What is changed: values of ``--of`` and the words for them.
_OF = {
    "": "what you ask about above",
    ",".join(_MAPPED): "heroes and minions: a map",
    "cards": "abilities, search cards, encounters",
    "chapter,rules": "the chapter and numbers of the game",
    "switches": "open points of the rules",
    ALL: "everything: some hundreds",
}
_EFFECT = ("Change", "Difference", "Games won")
_OF_CHANGE = ("more", "fewer")
_HOW = (
    "By how many percentage points more games are won with a number one less or one more; bold"
    " where that is clear. Press a number to take the change into the editor."
)
# Rows that are shown at most, those that move most; the page has all.
_MOST_ROWS = 60


def trial() -> Trial:
    """The experiment as it can be asked for."""
    usual = f"{CHANGE_GAMES} with each, as usual"
    return Trial(
        "What does each number do?",
        "Makes one number after the other one less and one more, and plays each in games with the"
        " same party, decks and dice; of a chapter, its heroes and minions. A press takes a change"
        " into the editor.",
        "Try changes",
        _try,
        [Choice("of", "Change", _OF), games_choice({str(CHANGE_GAMES): usual}, 4_000, 20_000)],
    )


def _try(asked: "Asked", show: Show) -> None:
    """Do what ``fairdeal sensitivity`` does, of an entry or of a part of the chapter."""
    from card_data.mice_and_mystics.loader import own_keys
    from reports.cli.compute import HERE
    from reports.mice_and_mystics.cli.sensitivity import ask, find_out
    from reports.mice_and_mystics.sensitivity.text import describe, headline

    file = Path(asked.file)
    played = read(file, asked.entry, asked.chosen)
    said = ask(
        played.played.said,
        asked.more["of"] or asked.entry or ",".join(_MAPPED),
        played.party,
        played.switches,
        policy=asked.chosen["player"],
        games=int(asked.more["games"]),
    )
    seen = _Seen(said, own_keys(file))
    with HERE.start() as crew:
        answer = find_out(said, crew, see=seldom(partial(seen.see, show)))
    seen.take(answer.effects)
    show(
        Tried(
            f"{headline(answer.table)}.",
            describe(answer.manifest),
            [f"{one.topic}: {one.text}" for one in answer.findings],
            seen.chart(),
            (answer.page.parent.name, answer.page.name),
            seen.map(),
        )
    )


@define
class _Seen:
    """What is known of each change, by its place: its line of the table, about the win rate.

    The intervals of all are corrected together in the end.
    """

    asked: "AskedChanges"
    own: "Collection[Key]"
    lines: "dict[int, pd.Series]" = Factory(dict)
    _put: dict[int, tuple[str, Chosen]] = Factory(dict)

    def see(self, show: Show, tried: "TriedChanges") -> None:
        """Show what is known of the changes that are played."""
        known = len(self.lines)
        if len(tried.outcomes) > known:
            self.take(tried.effects(known), known)
        done, n = count(len(tried.outcomes)), count(len(tried.changes))
        show(Tried(f"{done} of {n} changes are played.", chart=self.chart(), map=self.map()))

    def take(self, effects: "Effects", first: int | None = None) -> None:
        """Note the lines of all changes, or of some from ``first`` on while more are coming."""
        from analysis.mice_and_mystics.experiments.sensitivity import sensitivity_table
        from reports.mice_and_mystics.sensitivity.text import wins_of

        table = wins_of(sensitivity_table(effects, self.asked.player))
        table = table if first is None else table.drop(columns="q_value")
        for place, (_, line) in zip(effects.by_size, table.iterrows(), strict=True):
            self.lines[(first or 0) + place] = line

    def chart(self) -> Chart | None:
        """The changes that are in no map: in their order, or of many those that move most."""
        places = [one for one in range(len(self.asked.changes)) if one not in self._mapped]
        if len(places) > _MOST_ROWS:
            places = sorted(places, key=self._size, reverse=True)[:_MOST_ROWS]
        return points_chart(
            _EFFECT, [*map(self._row, places)], more=[interval_heading(), "Won then"]
        )

    def map(self) -> Map | None:
        """The numbers that several heroes and minions have; None where a chart tells all."""
        if not self._mapped:
            return None
        most = max((abs(one["difference"]) for one in self.lines.values()), default=0)
        rows: dict[Key, tuple[str, bool, dict[str, Cell | None]]] = {}
        for place, column in self._mapped.items():
            change = self.asked.changes[place]
            one = change.variable
            text, _ = self._taken(place)
            cell = effect_cell(_label(change, name=""), self.lines.get(place), most, text)
            is_own = one.entry in {entry_id for _, entry_id in self.own}
            *_, cells = rows.setdefault((one.of, one.entry), (one.name, is_own, {}))
            cells[column] = cell
        columns = list(dict.fromkeys(self._mapped.values()))
        return effect_map("Entry", columns, rows.values(), _HOW)

    @property
    def _mapped(self) -> dict[int, str]:
        """The places of the changes that are in the map, and their columns."""
        changes = {
            place: change
            for place, change in enumerate(self.asked.changes)
            if change.variable.of in _MAPPED and "." not in change.variable.number
        }
        entries = {change.variable.key[:2] for change in changes.values()}
        return {place: _column(one) for place, one in changes.items()} if len(entries) > 1 else {}

    def _size(self, place: int) -> float:
        """How much a change moves; what is not known yet comes last."""
        return abs(self.lines[place]["difference"]) if place in self.lines else -1

    def _row(self, place: int) -> Row:
        """A change as a row."""
        text, chosen = self._taken(place)
        label = _label(self.asked.changes[place])
        return effect_row(label, self.lines.get(place), _OF_CHANGE, text=text, chosen=chosen)

    def _taken(self, place: int) -> tuple[str, Chosen]:
        """The changed entry for the file, or what to choose for another number of the game."""
        from card_data.mice_and_mystics.changes import changed

        if place not in self._put:
            before = self.asked.played.played()
            after = changed(*before, self.asked.changes[place])
            text = changed_text(before[0], after[0], self.own)
            self._put[place] = text, choices_of_changed(before[1], after[1])
        return self._put[place]


def _label(change: "Change", **other: str) -> str:
    """A change in words: "Filch: life 2 instead of 3"; ``name`` "" leaves the name out."""
    from analysis.mice_and_mystics.experiments.effects import about
    from reports.mice_and_mystics.sensitivity.text import change_text

    return change_text(about(change) | other)


def _column(change: "Change") -> str:
    """The heading of a change: "life +1"."""
    one = change.variable
    assert isinstance(one.value, int)
    assert isinstance(change.changed_to, int)
    return f"{one.label} {signed(change.changed_to - one.value, 0)}"
