"""Cards made up to be played and priced: every word of the card language, likely shapes more often.

Most lines are printed ones with other numbers and in other fields, the rest are made up from the
grammar.  What only pools with dice and energy understand is left out elsewhere, and so are lines
that end the game: they are worth so much that they would change what all others are worth.
"""

import json
import random
import re
from collections import Counter
from collections.abc import Sequence
from enum import IntEnum
from functools import cache, partial
from typing import Any

from attrs import evolve, fields, has

from card_data.mindbug import schema
from card_data.mindbug.language.formatter import format_line
from card_data.mindbug.language.made_up import LineMaker, Symbol
from card_data.mindbug.language.parser import LanguageError, category_of, parse_field
from card_data.mindbug.loader import available_sets, load_sets, parse_set
from card_data.mindbug.vocabulary import Effect, Keyword, Quantity, Rule, Trigger

#: A line of a card, as it is read.
Line = schema.TriggeredAbility | schema.ConstantAbility
#: A word of a list, with the list: members of different lists are equal as numbers.
Word = tuple[type[IntEnum], IntEnum]

_KEYWORDS, _ABILITIES = (38, 42, 16, 4), (12, 70, 18)
_POWERS = range(1, 11)
# How often lines are in which field.
_FIELDS = {
    "play": 8,
    "attack": 4,
    "defeated": 3,
    "constant": 3,
    "action": 0.6,
    "end_of_turn": 0.3,
    "in_discard": 0.3,
    "discarded": 0.2,
}
# How often an alternative is drawn that has one of these words or categories; 1 for all others.
_SELDOM = {
    **dict.fromkeys(("if", "while", "may", "during", "for", "then", "next"), 0.06),
    **dict.fromkeys(("choose", "die", "blocking", "extreme", "defeated"), 0.02),
    **dict.fromkeys(("and", "or", "its"), 0.1),
    **dict.fromkeys(("quality", "several", "least", "within", "twin_side", "equal"), 0.15),
    "with": 0.5,
    "win": 0.0,
}
_SAID = Effect | Rule | Quantity


def _typed(*words: _SAID) -> set[Word]:
    return {(type(word), word) for word in words}


_ENDS = _typed(Effect.WIN, Effect.LOSE)
_DICE = _typed(
    *(Effect.GAIN_ENERGY, Effect.BUY_FREE, Effect.BUY_TOP),
    *(Rule.MORE_DICE, Rule.MORE_REROLLS, Quantity.ENERGY),
)
_NEVER = _typed(Effect.EVOLVE, Effect.NAME_KEYWORD, Rule.EVOLVE_INSTEAD)
_AMOUNTS, _BEFORE_THRESHOLDS = "1111222223", {"power", "<=", ">=", "<", ">", "="}
# The share of lines that are printed ones, those with words that the pool does not have and of
# which one in so many is taken, and those that are chosen by what was drawn least.
_PRINTED, _FOREIGN, _COVERING = 0.65, 0.3, 0.3
_CANDIDATES = 3


class Inventor:
    """Makes up cards for a pool, whose words come more often; none is left out for long."""

    def __init__(self, pool: schema.Pool, seed: int) -> None:
        self._rng, self._dice = random.Random(seed), bool(pool.modes.kot_parts)
        lines = (line for one in pool.sets for card in one.cards for line in lines_of(card))
        self._likely = set().union(*map(words_of, lines))
        self._taken = Counter[str]()

    def card_set(self, set_id: str, n: int) -> schema.CardSet:
        """A set of ``n`` cards, one copy of each."""
        lines = [f"name = {json.dumps(set_id)}"]
        for number in range(1, n + 1):
            name = f"{set_id}_{number:03}"
            lines += ["", f"[{name}]", f"name = {json.dumps(name)}"]
            lines += [f"{key} = {json.dumps(value)}" for key, value in self._card().items()]
        return evolve(parse_set("\n".join(lines), f"{set_id}.toml"), set_id=set_id)

    def _card(self) -> dict[str, object]:
        """The fields of a card, but for its name."""
        rng = self._rng
        n_keywords, n_lines = (
            rng.choices(range(len(share)), share)[0] for share in (_KEYWORDS, _ABILITIES)
        )
        card: dict[str, object] = {
            "power": rng.choice(_POWERS),
            "keywords": [one.name for one in rng.sample([*Keyword], n_keywords)],
        }
        for _ in range(n_lines):
            field = rng.choices([*_FIELDS], [*_FIELDS.values()])[0]
            if field not in card:
                card[field] = self._line(field)
        return card

    def _line(self, field: str) -> str:
        """A line of a field: now and then that of several whose words were drawn least."""
        several = _CANDIDATES if self._rng.random() < _COVERING else 1
        found: list[tuple[int, str]] = []
        while len(found) < several:
            text = self._drawn(category_of(field))
            try:
                meant = _parse(field, text)
            except LanguageError:
                continue
            if self._suits(meant):
                least = min(self._taken[f"{field} {word!r}"] for word in words_of(meant))
                found.append((least, format_line(meant)))
        _, written = min(found)
        said = words_of(_parse(field, written))
        self._taken.update(f"{field} {word!r}" for word in said)
        return written

    def _drawn(self, category: str) -> str:
        """A printed line with other numbers, or one that the grammar allows."""
        if self._rng.random() < _PRINTED:
            printed = self._rng.choice(_printed(category))
            return re.sub(r"\d+", partial(_other_number, self._rng), printed)
        return _maker().line(self._rng, category)

    def _suits(self, meant: Line) -> bool:
        """Whether a line does something in the pool, and no other is wanted."""
        said = words_of(meant)
        if said & (_ENDS | _NEVER):
            return False
        steps: Sequence[schema.Instruction] = meant.instructions
        if not self._dice and (said & _DICE or any(one.die_from for one in steps)):
            return False
        return said <= self._likely or self._rng.random() < _FOREIGN


def _parse(field: str, text: str) -> Line:
    """What a line of a field says.  Raises LanguageError."""
    first = parse_field(field, text)[0]
    if isinstance(first, Line):
        return first
    return schema.TriggeredAbility(Trigger[field.upper()], first)


def words_of(meant: object) -> set[Word]:
    """The effects, rules and quantities of a line, or of any part of one."""
    if isinstance(meant, _SAID):
        return _typed(meant)
    if isinstance(meant, tuple):
        return set().union(*map(words_of, meant))
    kind: Any = type(meant)
    if not has(kind):
        return set()
    parts = [getattr(meant, one.name) for one in fields(kind)]
    numbers = _typed(Quantity.NUMBER) if isinstance(meant, schema.Value) else set()
    return set().union(*map(words_of, parts)) - numbers


def _number(rng: random.Random, before: Sequence[str]) -> str:
    """A threshold after such a word, else an amount."""
    if before and before[-1] in _BEFORE_THRESHOLDS:
        return str(rng.choice(_POWERS))
    return rng.choice(_AMOUNTS)


def _other_number(rng: random.Random, found: "re.Match[str]") -> str:
    """The same number, or in half of the cases another."""
    if rng.random() < 0.5:
        return found[0]
    return _number(rng, found.string[: found.start()].split())


@cache
def _maker() -> LineMaker:
    return LineMaker(_weight, _number)


def _weight(_: str, symbols: tuple[str, ...]) -> float:
    weight = 1.0
    for symbol in symbols:
        weight *= _SELDOM.get(symbol, 1.0)
    return weight / max(sum(isinstance(one, Symbol) for one in symbols) - 2, 1) ** 2


@cache
def _printed(category: str) -> list[str]:
    """The lines of the cards that come with fairdeal, as the language writes them."""
    cards = [card for one in load_sets(available_sets()) for card in one.cards]
    lines = (line for card in cards for line in lines_of(card) if _category(line) == category)
    return list(dict.fromkeys(map(format_line, lines)))


def _category(line: Line) -> str:
    if isinstance(line, schema.TriggeredAbility):
        return "triggered"
    return "in_discard" if line.in_discard else "constant"


def lines_of(card: schema.Card) -> list[Line]:
    """The abilities of a card."""
    return [*card.triggered, *card.constant]
