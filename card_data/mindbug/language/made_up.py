"""Lines made up at random from the phrase table that reads them: a new word needs nothing here."""

import random
from collections.abc import Callable, Sequence
from functools import cache
from itertools import product

from card_data.mindbug.language.phrases import table
from card_data.phrases import CANONICAL, NUMBERS, SIGNED, Element, Maybe, Word

_DEPTH = 10


class Symbol(str):
    """The name of a category, or of a built-in number, among the words of an expansion."""

    __slots__ = ()


@cache
def expansions() -> dict[str, list[tuple[int, tuple[str, ...]]]]:
    """By category: how deep each way to fill a canonical template must go, and its symbols."""
    phrases = table()
    rules: dict[str, list[tuple[str, ...]]] = {}
    for category, several in phrases.categories.items():
        rules[category] = [
            words
            for phrase in several
            for template in phrase.templates.get(CANONICAL, [])
            for words in _ways(phrases.elements(template))
        ]
    rules = {name: several for name, several in rules.items() if several}
    depth = dict.fromkeys(rules, 99) | dict.fromkeys(NUMBERS, 0)

    def needed(symbols: tuple[str, ...]) -> int:
        return 1 + max((depth[s] for s in symbols if isinstance(s, Symbol)), default=0)

    for _ in rules:
        depth |= {name: min(map(needed, several)) for name, several in rules.items()}
    return {name: [(needed(one), one) for one in several] for name, several in rules.items()}


def _ways(elements: Sequence[Element]) -> list[tuple[str, ...]]:
    """The symbols that a template can stand for, with one or several items of a list."""
    ways: list[list[tuple[str, ...]]] = []
    for element in elements:
        if isinstance(element, Word):
            ways.append([(element.one.replace("a(n)", "a"),)])
        elif isinstance(element, Maybe):
            ways.append([(), *_ways(element.elements)])
        else:
            item, between = Symbol(element.category), element.joined
            by = "and" if between == "," else between
            several: list[tuple[str, ...]]
            several = [(item,), (item, by, item)] if between else [(), (item,), (item, item)]
            if between == ",":
                several.append((item, ",", item, by, item))
            ways.append(several if element.many else [(item,)])
    return [tuple(symbol for part in way for symbol in part) for way in product(*ways)]


class LineMaker:
    """Makes up lines that the grammar allows; not all of them mean something.

    ``weight`` says how often an alternative is drawn, by its category and symbols.  ``number``
    draws a number, by the words before it.
    """

    def __init__(
        self,
        weight: Callable[[str, tuple[str, ...]], float],
        number: Callable[[random.Random, Sequence[str]], str],
    ) -> None:
        self._weight, self._number = weight, number
        self._alternatives = cache(self._weighted)

    def line(self, rng: random.Random, start: str) -> str:
        """A line that begins with the category ``start``."""
        words: list[str] = []
        self._derive(rng, start, _DEPTH, words)
        return " ".join(words)

    def _derive(self, rng: random.Random, name: str, depth: int, words: list[str]) -> None:
        for symbol in rng.choices(*self._alternatives(name, depth))[0]:
            if symbol in NUMBERS:
                sign = rng.choice("+-") if symbol == SIGNED else ""
                words.append(sign + self._number(rng, words))
            elif isinstance(symbol, Symbol):
                self._derive(rng, symbol, depth - 1, words)
            else:
                words.append(symbol)

    def _weighted(self, name: str, depth: int) -> tuple[list[tuple[str, ...]], list[float]]:
        """What a category can stand for that ends within a depth, or as soon as it can."""
        several = expansions()[name]
        least = min(needed for needed, _ in several)
        allowed = [symbols for needed, symbols in several if needed <= max(depth, least)]
        return allowed, [self._weight(name, symbols) for symbols in allowed]
