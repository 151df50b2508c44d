"""What a card is made of, as numbers: the features of a price list.

Each feature belongs to a block, whose effects have one variance, and to a part of the card: what a
reader sees of it.
"""

import re
from collections import defaultdict
from collections.abc import Iterable, Iterator, Mapping, Sequence
from itertools import combinations
from math import log
from typing import Any, NamedTuple

import numpy as np
import numpy.typing as npt
from attrs import fields, frozen

from analysis.mixed_model import FREE
from card_data.mindbug.invention import Line, lines_of
from card_data.mindbug.language.rules_text import format_line
from card_data.mindbug.schema import (
    MAX_NUMBER,
    Card,
    Cards,
    ConstantAbility,
    Creatures,
    Instruction,
    Pool,
    TriggeredAbility,
)
from card_data.mindbug.variants import dealt_cards
from card_data.mindbug.vocabulary import Choice, Effect, Timing

#: The part of a card that is its power, and the one that is how its other parts go together.
BODY, TOGETHER = "power", "together"
#: The block of the word of an effect: where it was never met, there is no price.
WORD = "effect"

_MIDDLE = 5.5  # powers are counted from here
_TEN = 4.5
_MOST_AMOUNT = 6
# The share of its effect that a line has under a condition, as a first guess.
_SELDOM = 0.6
# Filters of creatures that are neither whose they are nor about powers.
_ANY = Creatures()
_OTHER_FILTERS = [
    one.name
    for one in fields(Creatures)
    if one.name not in ("power_max", "power_min", "side", "other", "this")
]


class Feature(NamedTuple):
    """A feature of a card: its block, its name there, the part of the card, and how much."""

    block: str
    name: str
    part: str
    amount: float


@frozen(eq=False)
class Describer:
    """Says what cards are made of, in a pool: filters count by how many creatures they leave out.

    ``powers`` are those of the pool's cards, copies counted.
    """

    powers: npt.NDArray[np.int64]

    @classmethod
    def of(cls, pool: Pool) -> "Describer":
        """That of a pool."""
        cards = dealt_cards(pool)
        return cls(np.repeat([card.power for card in cards], [card.copies for card in cards]))

    def features(self, card: Card) -> Iterator[Feature]:
        """All features of a card."""
        power = (card.power - _MIDDLE) / _TEN
        yield Feature(FREE, "any card", BODY, 1.0)
        yield Feature("power", "power", BODY, power)
        yield Feature("power²", "power²", BODY, power**2)
        words = [word.name for word in sorted(card.keywords)]
        for word in words:
            yield Feature("keyword", word, word, 1.0)
            yield Feature("keyword × power", word, TOGETHER, power)
        for pair in combinations(words, 2):
            yield Feature("keyword × keyword", " ".join(pair), TOGETHER, 1.0)
        lines = lines_of(card)
        for line in lines:
            part, field = format_line(line), field_of(line)
            yield Feature("field", field, part, 1.0)
            yield Feature("field × power", field, TOGETHER, power)
            for word in words:
                yield Feature("field × keyword", f"{field} {word}", TOGETHER, 1.0)
            yield from (Feature(*one[:2], part, one[2]) for one in self._line(line, field))
        if len(lines) > 1:
            yield Feature("abilities", "two abilities", TOGETHER, len(lines) - 1.0)

    def _line(self, line: Line, field: str) -> Iterator[tuple[str, str, float]]:
        wording = re.sub(r"\d+", "#", format_line(line))
        yield "wording", wording, 1.0
        yield "wording × field", f"{field}: {wording}", 1.0
        if isinstance(line, ConstantAbility):
            yield from self._constant(line, field)
            return
        for number, step in enumerate(line.instructions):
            yield from self._instruction(step, field, 1.0 if number == 0 else 0.8)
            if number:
                yield "chain", "if done" if step.if_done else "then", 1.0

    def _constant(self, line: ConstantAbility, field: str) -> Iterator[tuple[str, str, float]]:
        word = line.rule.name
        yield from _named(word, _whose(line.creatures), field, 1.0)
        yield from self._filters(line.creatures, word)
        yield from self._filters(line.cards, word)
        yield from _amounts(word, line.power or line.amount or len(line.keywords) or 1)
        for given in line.keywords:
            yield "given", given.name, 1.0
        if line.timing != Timing.ALWAYS:
            yield from _modifier("timing", line.timing.name, word)
        if line.condition is not None:
            yield from _modifier("condition", "while", word)
        if line.per is not None:
            yield from _modifier("for each", "for each", word)
        for step in line.instructions:
            yield from self._instruction(step, field, 1.0)

    def _instruction(
        self, step: Instruction, field: str, share: float
    ) -> Iterator[tuple[str, str, float]]:
        if step.effect == Effect.CHOOSE_ONE:
            yield "choose", "choose one", 1.0
            for mode in step.modes:
                yield from self._instruction(mode, field, share / len(step.modes) ** 0.5)
            return
        word = word_of(step)
        creatures = step.creatures or (step.rule.creatures if step.rule else None)
        where = _whose(creatures, step.choice)
        if step.cards is not None:
            where += f" {step.cards.zone.name} {step.cards.player.name}"
            where += " silently" * step.without_play_effects
        if step.value is not None:
            where += f" {step.value.quantity.name} {step.value.player.name}"
        seldom = _SELDOM if step.condition is not None else 1.0
        yield from _named(word, where, field, share * seldom)
        yield from self._filters(step.creatures, word)
        yield from self._filters(step.cards, word)
        yield from _amounts(word, step.count if step.value is None else step.value.number)
        if step.rule is not None and step.rule.power:
            yield "amount", f"{word} power", step.rule.power / 3
        for given in step.rule.keywords if step.rule else step.keywords:
            yield "given", given.name, 1.0
        if step.condition is not None:
            yield from _modifier("condition", "if", word)
        if step.per is not None:
            yield from _modifier("for each", "for each", word)
        if step.may:
            yield from _modifier("may", "may", word)

    def _filters(
        self, asked: Creatures | Cards | None, word: str
    ) -> Iterator[tuple[str, str, float]]:
        """The share of the pool that filters leave out, caps and floors apart."""
        if asked is None:
            return
        if asked.power_max < MAX_NUMBER:
            share = float((self.powers > asked.power_max).mean())
            yield "cap", "cap", share
            yield "cap × effect", word, share
        if asked.power_min > 0:
            share = float((self.powers < asked.power_min).mean())
            yield "floor", "floor", share
            yield "floor × effect", word, share
        for name in _OTHER_FILTERS if isinstance(asked, Creatures) else ():
            if getattr(asked, name) != getattr(_ANY, name):
                yield "filter", name, 1.0
                yield "filter × effect", word, 1.0


def field_of(line: Line) -> str:
    """The field of a card that has such a line."""
    if isinstance(line, TriggeredAbility):
        return line.trigger.name.lower()
    return "in_discard" if line.in_discard else "constant"


def word_of(step: Instruction) -> str:
    """The word of an instruction, with whom it is about."""
    rule = f" {step.rule.rule.name}" if step.rule else " LOSS" * step.as_loss
    return f"{step.effect.name}{rule} {step.player.name}"


def modifiers(card: Card) -> int:
    """How many conditions, timings and repetitions a card has, 2 at most."""
    found = 0
    for line in lines_of(card):
        steps: Sequence[Any] = line.instructions or (line,)
        for step in steps:
            found += (step.condition is not None) + (step.per is not None)
            found += getattr(step, "timing", Timing.ALWAYS) != Timing.ALWAYS
    return min(found, 2)


def _named(word: str, where: str, field: str, share: float) -> Iterator[tuple[str, str, float]]:
    yield WORD, word, share
    yield "effect × whose", f"{word} {where}", share
    yield "effect × field", f"{field} {word}", share
    yield "effect × whose × field", f"{field} {word} {where}", share


def _amounts(word: str, count: int) -> Iterator[tuple[str, str, float]]:
    """How much: linearly and by its logarithm."""
    much = min(abs(count), _MOST_AMOUNT)
    sign = -1.0 if count < 0 else 1.0
    if sign < 0:
        yield "amount", f"{word} less", 1.0
    if much > 1:
        yield "amount", word, sign * (much - 1)
        yield "log amount", word, sign * log(much)


def _modifier(block: str, name: str, word: str) -> Iterator[tuple[str, str, float]]:
    yield block, name, 1.0
    yield f"{block} × effect", word, 1.0


def _whose(creatures: Creatures | None, choice: Choice = Choice.ALL) -> str:
    if creatures is None:
        return ""
    if creatures.this:
        return "this"
    other = "other " * creatures.other
    return f"{other}{creatures.side.name} {choice.name}"


class Columns:
    """The columns of features, by their ``keys``: block and name of each."""

    def __init__(self, keys: Iterable[tuple[str, str]]) -> None:
        self.keys = sorted(keys)
        self.blocks = tuple(block for block, _ in self.keys)
        self._place = {key: place for place, key in enumerate(self.keys)}

    def matrix(self, described: Sequence[Sequence[Feature]]) -> npt.NDArray[np.float64]:
        """The features of some cards, (n_cards, n_columns); those never met are left out."""
        found = np.zeros((len(described), len(self.keys)))
        for row, card in enumerate(described):
            for one in card:
                if (place := self._place.get((one.block, one.name))) is not None:
                    found[row, place] += one.amount
        return found

    def unknown(self, described: Sequence[Feature]) -> list[str]:
        """The parts of a card whose words were never met."""
        parts = (
            one.part
            for one in described
            if one.block == WORD and (one.block, one.name) not in self._place
        )
        return [*dict.fromkeys(parts)]

    def by_part(self, described: Sequence[Feature]) -> Mapping[str, npt.NDArray[np.float64]]:
        """The features of each part of a card, (n_columns,), in the order of the parts."""
        parts: dict[str, list[Feature]] = defaultdict(list)
        for one in described:
            parts[one.part].append(one)
        return {part: self.matrix([several])[0] for part, several in parts.items()}
