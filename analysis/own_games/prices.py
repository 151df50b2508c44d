"""The price list of a game: entries with values drawn from their ranges, played in batches.

In each batch about half of the entries have other values, all at once, and the rest are as they
are; what each entry is worth is measured as for any question (`analysis.own_games.effects`).  The
entries that stay as they are tell by how much a batch is judged higher or lower.
"""

import random
from collections.abc import Callable, Iterator, Sequence
from concurrent.futures import Executor
from functools import cached_property
from itertools import combinations
from pathlib import Path
from typing import Any, NamedTuple

import numpy as np
import numpy.typing as npt
from attrs import evolve, frozen

from analysis.experiments.watch import Watch, unwatched
from analysis.mixed_model import FREE
from analysis.own_games.effects import EntryEffect, EntryEffects
from analysis.own_games.rebalance import judged_in
from analysis.own_games.sensitivity import is_sound
from analysis.own_games.trials import OwnTrials
from analysis.questions.price_list import TOGETHER, Contrast, Describer, Feature, Worths
from card_data.schema import Entry
from card_data.schema.changes import changed_entry, parameters
from card_data.schema.fields import Entries, Parameter, plain_words
from card_data.schema.kinds import Kind
from card_data.schema.loader import linked
from simcore.contract.play import Table
from simcore.own_games.setup import OwnSetup

_FLOAT = npt.NDArray[np.float64]

#: The fewest entries, those of all batches counted, for a list.
FEWEST = 30
# A combination of values with which the game cannot be played to its end is drawn anew.
_TRIES = 20


class Played(NamedTuple):
    """An entry as it was played: its kind, and itself."""

    kind: Kind
    entry: Entry


@frozen
class OwnPriceGames:
    """What is played for the price list of a game."""

    table: Table
    player: str
    batches: int
    games: int
    seed: int

    @cached_property
    def entries(self) -> list[Played]:
        """The entries whose values can be drawn."""
        kinds = {kind.word: kind for kind in self.table.game.kinds}
        judged = (Played(kinds[entry.kind], entry) for entry in judged_in(self.table))
        return [one for one in judged if any(value.others for value in _values(one))]

    def check(self) -> None:
        """Raise ValueError for a game that cannot have a price list."""
        title, n = self.table.game.title, len(self.entries)
        if not n:
            raise ValueError(
                f"no entry of {title} has a value that can be drawn; give its fields ranges or"
                " choices, such as Whole(1, 20), Choice([...]) or Flag()"
            )
        if n * self.batches < FEWEST:
            needed = -(-FEWEST // n)
            raise ValueError(
                f"{title} has {n} entries with ranges; {self.batches} batches of these are"
                f" {n * self.batches} entries, and a list needs {FEWEST}: write more entries, or"
                f" type --batches {needed}"
            )

    @cached_property
    def effects(self) -> EntryEffects:
        """How the worth of each entry is measured."""
        entries = [one.entry for one in self.entries]
        return EntryEffects(tuple(EntryEffect.of_each(self.table, entries)))

    def asked(self) -> dict[str, Any]:
        """What the list depends on, as values of JSON."""
        sizes = {"batches": self.batches, "games": self.games, "seed": self.seed}
        return {**OwnSetup(self.table).digests, "players": [self.player], **sizes}

    @property
    def all_games(self) -> int:
        """The games of all batches, and those that the measure of the worth takes beside them."""
        return self.games * (self.batches + 1) * len(self.effects.tables_of(self.table))

    @property
    def seated(self) -> tuple[str, ...]:
        """Who plays in each seat."""
        return (self.player,) * self.table.seats

    @cached_property
    def tables(self) -> list[Table]:
        """The game as it is, and with the values of each batch."""
        rng = random.Random(self.seed)
        return [self.table, *(self._drawn(rng) for _ in range(self.batches))]

    def _drawn(self, rng: random.Random) -> Table:
        """The game with other values for about half of the entries.  Raises ValueError."""
        for _ in range(_TRIES):
            half = rng.sample(range(len(self.entries)), max(len(self.entries) // 2, 1))
            changed = {id(self.entries[at].entry): _other(self.entries[at], rng) for at in half}
            entries = {
                word: tuple(changed.get(id(one), one) for one in several)
                for word, several in self.table.entries.items()
            }
            drawn = evolve(self.table, entries=linked(self.table.game.schema, entries))
            if is_sound(drawn, self.seated):
                return drawn
        raise ValueError(
            f"{self.table.game.title} cannot be played to its end with values drawn from the whole"
            " ranges of its fields; let the ranges allow only what can be played"
        )


def _other(played: Played, rng: random.Random) -> Entry:
    """An entry with all its values drawn."""
    entry = played.entry
    for path in [one.path for one in _values(played)]:
        known = {one.path: one for one in _values(Played(played.kind, entry))}
        if (one := known.get(path)) is not None:
            value = rng.choice([one.value, *one.others])
            entry = changed_entry(played.kind, entry, path, value)
    return entry


def play_prices(
    asked: OwnPriceGames,
    folder: Path,
    *,
    watch: Watch = unwatched,
    threads: int | None = None,
    executor: Executor | None = None,
) -> Worths:
    """Play what is missing of the games of a price list, and say what entries were worth."""
    rows, how = [], (asked.table, asked.seated, asked.seed, threads, executor, asked.all_games)
    trials = OwnTrials(folder, *how)
    for number, table in enumerate(asked.tables):
        of = f"batch {number} of {asked.batches}" if number else "the game as it is"
        with watch(of) as advance:
            beside = asked.effects.tables_of(table)
            played = trials.play(beside, asked.effects, asked.games, advance)
        rows.append(
            [
                effect.worth(one.table, one.games, one.own, one.average)
                for effect, one in zip(
                    asked.effects.each, asked.effects.sort(table, played), strict=True
                )
            ]
        )
    worth = 100 * np.array([[one.estimate for one in row] for row in rows])
    std_err = 100 * np.array([[one.std_err for one in row] for row in rows])
    return _together(asked, worth, std_err)


def _together(asked: OwnPriceGames, worth: _FLOAT, std_err: _FLOAT) -> Worths:
    """Entries as they are, then those of each batch, against the average one as it is."""
    base = worth[0] - np.nanmean(worth[0])
    cards, found, errors, batch = [*asked.entries], [base], [std_err[0]], [np.full(len(base), -1)]
    for number, table in enumerate(asked.tables[1:]):
        entries = [
            Played(one.kind, effect.entry_of(table))
            for one, effect in zip(asked.entries, asked.effects.each, strict=True)
        ]
        same = np.array([a.entry == b.entry for a, b in zip(entries, asked.entries, strict=True)])
        # What the others changed moves all entries of the batch alike.
        shift = np.nanmean((worth[number + 1] - base)[same]) if same.any() else np.nan
        shift = np.nanmean(worth[number + 1]) if np.isnan(shift) else shift
        cards += [one for one, alike in zip(entries, same, strict=True) if not alike]
        found.append((worth[number + 1] - shift)[~same])
        errors.append(std_err[number + 1][~same])
        batch.append(np.full(np.count_nonzero(~same), number))
    every, error = np.concatenate(found), np.concatenate(errors)
    known = np.isfinite(every) & np.isfinite(error) & (error > 0)
    kept = [card for card, good in zip(cards, known, strict=True) if good]
    return Worths(kept, every[known], error[known], np.concatenate(batch)[known])


@frozen
class EntryDescriber(Describer):
    """Says what entries of a game are made of: the parameters of their fields."""

    entries: Sequence[Played]

    def named(self, card: Played) -> tuple[str, str]:
        """The id and the name of an entry."""
        return card.entry.id, card.entry.name

    def features(self, card: Played) -> Iterator[Feature]:
        """All features of an entry: its kind, itself, each value, and pairs of values."""
        word = card.kind.word
        yield Feature(FREE, f"any {word}", word, 1.0)
        yield Feature("entry", f"{word} {card.entry.id}", word, 1.0)
        coded = []
        for one in _values(card):
            name, part = f"{word}.{one.path}", one.label
            if not _is_number(one):
                yield Feature("value", f"{name} = {one.value}", part, 1.0)
                coded.append((f"{name} = {one.value}", 1.0))
            elif one.others:
                at = _place(one)
                yield Feature("number", name, part, at)
                yield Feature("number²", name, part, at**2)
                coded.append((name, at))
        for (one_name, one_at), (other, other_at) in combinations(coded, 2):
            yield Feature("pair", f"{one_name} with {other}", TOGETHER, one_at * other_at)

    def contrasts(
        self,
        worths: Worths,
        row: Callable[[Any], _FLOAT],
        described: Sequence[Sequence[Feature]],  # noqa: ARG002 - it is found in the entries
    ) -> Iterator[Contrast]:
        """What one more of each number adds, and each other value against the others."""
        steps: dict[tuple[str, str, str], list[_FLOAT]] = {}
        for played in self.entries:
            for one in _values(played):
                if one.others:
                    for thing, step in _steps(played, one, row):
                        kind = "number" if _is_number(one) else "value"
                        steps.setdefault((kind, played.kind.plural, thing), []).append(step)
        for (kind, plural, thing), several in steps.items():
            n = sum(one.kind.plural == plural for one in worths.cards)
            yield Contrast(kind, plural, thing, several, n)


def _values(played: Played) -> Iterator[Parameter]:
    """What an entry has in its fields, without its copies and those of entries that it holds."""
    held = {name for name, field in played.kind.fields.items() if isinstance(field, Entries)}
    for one in parameters(played.kind, played.entry):
        if one.path != played.kind.copies and one.path.partition(".")[0] not in held:
            yield one


def _is_number(one: Parameter) -> bool:
    return isinstance(one.value, int | float) and not isinstance(one.value, bool)


def _place(one: Parameter) -> float:
    """Where a number lies in its range, from -1 to 1."""
    every = [one.value, *one.others]
    low, high = min(every), max(every)
    return float((2 * one.value - low - high) / (high - low))


def _steps(
    played: Played, one: Parameter, row: Callable[[Any], _FLOAT]
) -> Iterator[tuple[str, _FLOAT]]:
    """What changes in an entry with one more of a number, or with a value instead of the others."""
    label = one.label or plain_words(one.path)
    known = sorted({one.value, *one.others}, key=str)
    rows = {value: row(Played(played.kind, one.put(value))) for value in known}
    if _is_number(one):
        low, high = min(known), max(known)
        yield f"one more {label}", (rows[high] - rows[low]) / (high - low)
    elif known == [False, True]:
        yield label, rows[True] - rows[False]
    else:
        mean = np.mean([*rows.values()], axis=0)
        for value in known:
            yield f"{label} {value}", rows[value] - mean
