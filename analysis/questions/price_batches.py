"""The price list of a game whose entries have fields: their values are drawn, in batches.

In each batch about half of the entries have other values, all at once, and the rest are as they
are; what each entry is worth is measured as for any question of its game.  The entries that stay as
they are tell by how much a batch is judged higher or lower.
"""

import random
from abc import ABC, abstractmethod
from collections import Counter
from collections.abc import Callable, Iterator, Mapping, Sequence
from contextlib import suppress
from functools import cached_property
from itertools import combinations
from pathlib import Path
from typing import Any, Generic, NamedTuple, TypeVar

import numpy as np
from attrs import frozen

from analysis.confidence import confidence
from analysis.mixed_model import FREE
from analysis.questions.price_list import (
    PRICE_ELSEWHERE,
    PRICE_FEATURES,
    PRICE_FIT,
    PRICE_WORTHS,
    TOGETHER,
    Contrast,
    Describer,
    Feature,
    Pricer,
    Worths,
)
from analysis.tables import level_in, read_table
from card_data.schema.changes import changed_entry
from card_data.schema.fields import Parameter, plain_words
from card_data.schema.kinds import Kind
from simcore.arrays import Floats
from simcore.sealed import RunError
from simcore.work.folder import ABOUT, FolderKind
from simcore.work.runs import RunSpec

#: The fewest entries, those of all batches counted, for a list.
FEWEST = 30
#: The blocks of features: an entry itself, its values, numbers and their squares, and pairs.
ENTRY, VALUE, NUMBER, SQUARE, PAIR = "entry", "value", "number", "number\N{SUPERSCRIPT TWO}", "pair"
# Where its tables are.
_FOLDER = FolderKind("price list", ABOUT, 1, "", {})
# A combination of values with which the game cannot be played to its end is drawn anew.
_TRIES = 20

#: A game with all its entries.
GAME = TypeVar("GAME")


class Played(NamedTuple):
    """An entry as it was played: its kind, and itself."""

    kind: Kind
    entry: Any


@frozen(slots=False)
class PriceBatches(ABC, Generic[GAME]):
    """What is played for the price list of a game: it as it is, and with values drawn.

    ``player`` plays all sides, and ``each`` games are played with each batch.
    """

    game: GAME
    batches: int
    seed: int
    player: str = ""
    each: int = 1

    @property
    @abstractmethod
    def title(self) -> str:
        """What is played, in words."""

    @property
    @abstractmethod
    def entries(self) -> Sequence[Played]:
        """The entries whose values can be drawn."""

    @abstractmethod
    def values(self, played: Played) -> Iterator[Parameter]:
        """What an entry has in its fields; ``others`` are the values that are drawn as well."""

    @abstractmethod
    def made(self, changed: Mapping[tuple[str, str], Any]) -> GAME | None:
        """The game with entries, by kind and id, in the place of others; None if it cannot be."""

    @abstractmethod
    def spec(self, game: GAME, games: int) -> RunSpec:
        """The run of a batch, or of so many games.  Raises ValueError for what cannot be played."""

    def unpriced(self, played: Played) -> str:  # noqa: ARG002 - most fields have ends themselves
        """What of an entry no list can price, since it is never drawn; "" for nothing."""
        return ""

    @property
    def all_games(self) -> int:
        """The games of all batches, and of the game as it is."""
        return self.each * (self.batches + 1)

    @abstractmethod
    def entry_of(self, game: GAME, played: Played) -> Any:
        """An entry as a batch has it."""

    @property
    def n_drawn(self) -> int:
        """How many entries have other values in a batch."""
        return max(len(self.entries) // 2, 1)

    @property
    def moves_others(self) -> bool:
        """Whether what the worth of an entry is compared with has other values in a batch."""
        return True

    def check(self) -> None:
        """Raise ValueError for a game that cannot have a price list."""
        n = len(self.entries)
        if not n:
            raise ValueError(
                f"no entry of {self.title} has a value that can be drawn; give its fields ranges or"
                " choices, such as Whole(1, 20), Choice([...]) or Flag()"
            )
        each = n if self.moves_others else self.n_drawn
        if each * self.batches < FEWEST:
            needed = -(-FEWEST // each)
            raise ValueError(
                f"{self.title} has {n} entries with ranges; {self.batches} batches of these are"
                f" {each * self.batches} entries, and a list needs {FEWEST}: write more entries, or"
                f" type --batches {needed}"
            )

    @cached_property
    def games(self) -> list[GAME]:
        """The game as it is, and with the values of each batch.  Raises ValueError."""
        rng = random.Random(self.seed)
        return [self.game, *(self._drawn(rng) for _ in range(self.batches))]

    def _drawn(self, rng: random.Random) -> GAME:
        """The game with other values for some entries."""
        for _ in range(_TRIES):
            places = rng.sample(range(len(self.entries)), self.n_drawn)
            some = [self.entries[at] for at in places]
            drawn = self.made(
                {(one.kind.word, one.entry.id): self._other(one, rng) for one in some}
            )
            if drawn is not None:
                return drawn
        raise ValueError(
            f"{self.title} cannot be played to its end with values drawn from the whole"
            " ranges of its fields; let the ranges allow only what can be played"
        )

    def _other(self, played: Played, rng: random.Random) -> Any:
        """An entry with all its values drawn."""
        kind, entry = played
        for path in [one.path for one in self.values(played)]:
            known = {one.path: one for one in self.values(Played(kind, entry))}
            if (one := known.get(path)) is not None:
                entry = changed_entry(kind, entry, path, rng.choice([one.value, *one.others]))
        return entry

    def together(self, worth: Floats, std_err: Floats) -> Worths:
        """Entries as they are, then those of each batch, against the average one as it is.

        ``worth`` and ``std_err`` are those of each entry in each of `games`, in points of win rate,
        (n_batches + 1, n_entries).
        """
        base = worth[0] - np.nanmean(worth[0])
        cards, found, errors = [*self.entries], [base], [std_err[0]]
        batch = [np.full(len(base), -1)]
        for number, game in enumerate(self.games[1:]):
            entries = [Played(one.kind, self.entry_of(game, one)) for one in self.entries]
            same = np.array(
                [a.entry == b.entry for a, b in zip(entries, self.entries, strict=True)]
            )
            # What the others changed moves all entries of the batch alike.
            shift = np.nanmean(worth[0])
            if self.moves_others:
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

    batches: PriceBatches[Any]

    def named(self, card: Played) -> tuple[str, str]:
        """The id and the name of an entry."""
        return card.entry.id, card.entry.name

    def features(self, card: Played) -> Iterator[Feature]:
        """All features of an entry: its kind, itself, each value, and pairs of values."""
        word = card.kind.word
        yield Feature(FREE, f"any {word}", word, 1.0)
        yield Feature(ENTRY, f"{word} {card.entry.id}", word, 1.0)
        coded = []
        for one in self.batches.values(card):
            name, at = f"{word}.{one.path}", 1.0
            if not is_number(one):
                name = f"{name} = {one.value}"
                yield Feature(VALUE, name, one.label, at)
            elif one.others:
                at = _place(one)
                yield Feature(NUMBER, name, one.label, at)
                yield Feature(SQUARE, name, one.label, at**2)
            else:
                continue
            coded.append((name, at))
        for (one_name, one_at), (other, other_at) in combinations(coded, 2):
            yield Feature(PAIR, f"{one_name} with {other}", TOGETHER, one_at * other_at)

    def contrasts(
        self,
        worths: Worths,
        row: Callable[[Any], Floats],
        described: Sequence[Sequence[Feature]],  # noqa: ARG002 - it is found in the entries
    ) -> Iterator[Contrast]:
        """What one more of each number adds, and each other value against the others."""
        steps: dict[tuple[str, str, str], list[Floats]] = {}
        having = Counter(
            (card.kind.word, one.path) for card in worths.cards for one in self.batches.values(card)
        )
        n_having: Counter[tuple[str, str, str]] = Counter()
        for played in self.batches.entries:
            for one in self.batches.values(played):
                if one.others:
                    for thing, step in _steps(played, one, row):
                        kind = "number" if is_number(one) else "value"
                        key = kind, played.kind.plural, thing
                        steps.setdefault(key, []).append(step)
                        n_having[key] = having[played.kind.word, one.path]
        for (kind, plural, thing), several in steps.items():
            yield Contrast(kind, plural, thing, several, n_having[kind, plural, thing])


def pricer_in(folder: Path, game: str, batches: PriceBatches[Any]) -> Pricer | None:
    """What prices entries by the list in a folder; None where it is not there or damaged.

    So is one of another confidence level.
    """
    if level_in(folder, PRICE_WORTHS.name) != confidence():
        return None
    needed = PRICE_WORTHS, PRICE_FEATURES, PRICE_FIT, PRICE_ELSEWHERE
    with suppress(RunError):
        read = {
            one.name: read_table(_FOLDER, folder, one, {"game": game}, "repeat the command")
            for one in needed
        }
        return Pricer.read(EntryDescriber(batches), read)
    return None


def is_number(one: Parameter) -> bool:
    """Whether a parameter is a number."""
    return isinstance(one.value, int | float) and not isinstance(one.value, bool)


def _place(one: Parameter) -> float:
    """Where a number lies in its range, from -1 to 1."""
    every = [one.value, *one.others]
    low, high = min(every), max(every)
    return float((2 * one.value - low - high) / (high - low))


def _steps(
    played: Played, one: Parameter, row: Callable[[Any], Floats]
) -> Iterator[tuple[str, Floats]]:
    """What changes in an entry with one more of a number, or with a value instead of the others."""
    label = one.label or plain_words(one.path)
    known = sorted({one.value, *one.others}, key=str)
    rows = {value: row(Played(played.kind, one.put(value))) for value in known}
    if is_number(one):
        low, high = min(known), max(known)
        yield f"one more {label}", (rows[high] - rows[low]) / (high - low)
    elif known == [False, True]:
        yield label, rows[True] - rows[False]
    else:
        mean = np.mean([*rows.values()], axis=0)
        for value in known:
            yield f"{label} {value}", rows[value] - mean
