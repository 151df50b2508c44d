"""What a card is made of, as numbers: the features of a price list.

Each feature belongs to a block, whose effects have one variance, and to a part of the card: what a
reader sees of it.
"""

from collections import Counter, defaultdict
from collections.abc import Callable, Iterator, Sequence
from itertools import combinations
from math import log
from typing import Any

import numpy as np
from attrs import evolve, fields, frozen

from analysis.mixed_model import FREE
from analysis.questions.price_list import (
    TOGETHER,
    WORD,
    Contrast,
    Describer,
    Feature,
    Worths,
    amount_of,
    without_number,
)
from card_data.mindbug.invention import Line, lines_of
from card_data.mindbug.language.rules_text import format_line
from card_data.mindbug.schema import (
    MAX_NUMBER,
    MAX_POWER,
    Card,
    Cards,
    ConstantAbility,
    Creatures,
    Instruction,
    Pool,
    TriggeredAbility,
)
from card_data.mindbug.variants import dealt_cards
from card_data.mindbug.vocabulary import Choice, Effect, Keyword, Timing
from simcore.arrays import Floats, Integers

#: The part of a card that is its power.
BODY = "power"
_POWER_STEP, _FEWEST_CARDS = 3, 4
#: Variances from which the fit begins: about those that seven batches of First Contact gave.
_START = {
    "keyword": 7.4,
    "keyword × keyword": 4.9,
    "keyword × power": 1.1,
    "power": 7.0,
    "power²": 2.9,
    "field": 5.1,
    "field × keyword": 1.0,
    "field × power": 0.9,
    "effect": 2.1,
    "effect × field": 1.7,
    "effect × keyword": 0.4,
    "effect × power": 0.3,
    "effect × whose": 7.7,
    "effect × whose × field": 0.1,
    "wording": 0.5,
    "wording × field": 2.1,
    "amount": 1.3,
    "log amount": 1.1,
    "cap": 10.0,
    "cap × effect": 3.9,
    "floor": 9.2,
    "filter × effect": 5.1,
    "for each × effect": 13.2,
    "abilities": 0.2,
    "own": 3.5,
    **dict.fromkeys(("chain", "choose", "condition", "condition × effect", "filter"), 0.05),
    **dict.fromkeys(("floor × effect", "for each", "given", "may", "may × effect"), 0.05),
    **dict.fromkeys(("timing", "timing × effect"), 0.05),
    **dict.fromkeys(("amount × field", "log amount × field"), 0.15),
    **dict.fromkeys(("cap × effect × field", "floor × effect × field"), 1.0),
}

# What counts for more or less in one field than in another.
_BY_FIELD = "amount", "log amount", "cap × effect", "floor × effect"

_Row = Callable[[Card], Floats]
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


@frozen(eq=False)
class CardDescriber(Describer):
    """Says what cards are made of, in a pool: filters count by how many creatures they leave out.

    ``powers`` are those of the pool's cards, copies counted; ``bodies`` are its cards without text.
    """

    powers: Integers
    bodies: Sequence[Card]
    start = _START

    @classmethod
    def of(cls, pool: Pool) -> "CardDescriber":
        """That of a pool."""
        cards = dealt_cards(pool)
        powers = np.repeat([card.power for card in cards], [card.copies for card in cards])
        return cls(powers, [evolve(card, triggered=(), constant=()) for card in cards])

    def named(self, card: Card) -> tuple[str, str]:
        """The id and the name of a card."""
        return card.card_id, card.name

    def modifiers(self, card: Card) -> int:
        """How many conditions, timings and repetitions a card has, 2 at most."""
        found = 0
        for line in lines_of(card):
            steps: Sequence[Any] = line.instructions or (line,)
            for step in steps:
                found += (step.condition is not None) + (step.per is not None)
                found += getattr(step, "timing", Timing.ALWAYS) != Timing.ALWAYS
        return min(found, 2)

    def is_plain(self, card: Card) -> bool:
        """Whether a card has one line at most, which says one thing."""
        lines = lines_of(card)
        return len(lines) <= 1 and all(map(_is_plain, lines))

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
            for block, name, amount in self._line(line, field):
                yield Feature(block, name, part, amount)
                if block == WORD:
                    yield Feature("effect × power", name, TOGETHER, amount * power)
                    for word in words:
                        yield Feature("effect × keyword", f"{name} {word}", TOGETHER, amount)
                elif block in _BY_FIELD:
                    yield Feature(f"{block} × field", f"{field} {name}", part, amount)
        if len(lines) > 1:
            yield Feature("abilities", "two abilities", TOGETHER, len(lines) - 1.0)

    def contrasts(
        self, worths: Worths, row: _Row, described: Sequence[Sequence[Feature]]
    ) -> Iterator[Contrast]:
        """What power, keywords, pairs of these, and lines add to the bodies of the pool."""
        cards, bodies = worths.cards, self.bodies
        has = Counter(word for card in cards for word in card.keywords)
        pairs = Counter(one for card in cards for one in combinations(sorted(card.keywords), 2))
        stronger = [
            row(evolve(one, power=one.power + 1)) - row(one)
            for one in bodies
            if one.power < MAX_POWER
        ]
        yield Contrast("power", "", "one more power", stronger, len(cards))
        plain = [evolve(one, keywords=frozenset()) for one in bodies]
        for power in sorted({card.power for card in plain}):
            n = sum(card.power == power for card in cards)
            yield Contrast("body", "", f"power {power}", [row(evolve(plain[0], power=power))], n)
        for word in Keyword:
            without = [evolve(one, keywords=one.keywords - {word}) for one in bodies]
            steps = [row(_with(one, word)) - row(one) for one in without]
            yield Contrast("keyword", "", word.name, steps, has[word])
        for one, other in combinations(Keyword, 2):
            steps = [
                row(_with(_with(body, one), other))
                - row(_with(body, one))
                - row(_with(body, other))
                + row(body)
                for body in plain
            ]
            name = f"{one.name} with {other.name}"
            yield Contrast("together", "", name, steps, pairs[one, other])
        for word in Keyword:
            steps = [
                row(_with(_stronger(body), word))
                - row(_with(body, word))
                - row(_stronger(body))
                + row(body)
                for body in plain
            ]
            name = f"{word.name} on {_POWER_STEP} more power"
            yield Contrast("together", "", name, steps, has[word])
        yield from self._lines(cards, row, described)

    def _lines(
        self, cards: Sequence[Card], row: _Row, described: Sequence[Sequence[Feature]]
    ) -> Iterator[Contrast]:
        """Plain lines whose words were played often enough, and what a larger amount adds."""
        rests: Counter[tuple[str, str]] = Counter()
        plain: dict[tuple[str, str], Line] = {}
        for card, of_card in zip(cards, described, strict=True):
            said = {(one.part, one.name) for one in of_card if one.block == WORD}
            by_text = {format_line(line): line for line in lines_of(card)}
            for text, word in said:
                line = by_text[text]
                rests[field_of(line), word] += 1
                if _is_plain(line):
                    plain[field_of(line), text] = line
        grow: dict[tuple[str, str], dict[int, list[Floats]]] = defaultdict(dict)
        seen: Counter[tuple[str, str]] = Counter()
        for where, text in sorted(plain):
            line = plain[where, text]
            printed = [_saying(body, line) for body in self.bodies]
            words = [one.name for one in self.features(printed[0]) if one.block == WORD]
            n = min(rests[where, word] for word in words)
            if n < _FEWEST_CARDS:
                continue
            pairs = zip(printed, self.bodies, strict=True)
            steps = [row(card) - row(body) for card, body in pairs]
            yield Contrast("line", where, text, steps, n)
            if (amount := amount_of(text)) is not None:
                of = where, without_number(text)
                grow[of][amount], seen[of] = steps, n
        for (where, text), by_amount in grow.items():
            low, high = min(by_amount), max(by_amount)
            if low < high:
                both = zip(by_amount[high], by_amount[low], strict=True)
                steps = [(more - less) / (high - low) for more, less in both]
                yield Contrast("amount", where, text, steps, seen[where, text])

    def _line(self, line: Line, field: str) -> Iterator[tuple[str, str, float]]:
        wording = without_number(format_line(line))
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


def _with(card: Card, word: Keyword) -> Card:
    return evolve(card, keywords=card.keywords | {word})


def _stronger(card: Card) -> Card:
    return evolve(card, power=card.power + _POWER_STEP)


def _saying(card: Card, line: Line) -> Card:
    """A card without lines, with one."""
    if isinstance(line, ConstantAbility):
        return evolve(card, constant=(line,))
    return evolve(card, triggered=(line,))


def _is_plain(line: Line) -> bool:
    """Whether a line says one thing, without a condition, a choice or a repetition."""
    if isinstance(line, TriggeredAbility):
        [first, *others] = line.instructions
        asks = first.condition, first.per, first.modes
        return not others and not any(asks) and not first.may and not first.die_from
    return not (line.condition or line.per or line.timing or line.instructions)
