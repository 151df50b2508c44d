"""Cards that nobody has made yet, priced by a list: with what is kept, and for a sheet."""

import json
from collections.abc import Iterator, Sequence
from itertools import combinations

import pandas as pd
from attrs import evolve, frozen

from analysis.mindbug.experiments.price_features import CardDescriber, field_of
from analysis.questions.price_list import ANY_NUMBER, Price, Pricer, amount_of, without_number
from card_data.faults import CardFileError
from card_data.mindbug.invention import lines_of
from card_data.mindbug.language.rules_text import format_line
from card_data.mindbug.loader import parse_set
from card_data.mindbug.schema import Card
from card_data.mindbug.vocabulary import Keyword

#: Amounts of a line that are tried.
AMOUNTS = range(1, 11)
_FIELDS = "play", "constant", "attack", "defeated"
_MOST_AMOUNT = 4
_ONE_STEP = 1, 10  # powers that lie one step of the sheet's formula below and above its middle


def card_of(power: int, keywords: Sequence[Keyword], field: str = "", text: str = "") -> Card:
    """A card with one line at most.  Raises CardFileError for a line that says nothing."""
    line = f"{field} = {json.dumps(text, ensure_ascii=False)}\n" if text else ""
    [card] = parse_set(f'name = "Own"\n[own]\nname = "Own"\npower = {power}\n{line}').cards
    return evolve(card, keywords=frozenset(keywords))


@frozen
class Kept:
    """What a design keeps: keywords, a power (None for any), and a line ("" for none)."""

    keywords: tuple[Keyword, ...]
    power: int | None
    field: str
    text: str

    @classmethod
    def of(cls, said: str) -> "Kept":
        """What a text means: "SNEAKY, power 3, gain 2 life".  Raises ValueError."""
        keywords, power, line = [], None, []
        for part in filter(None, map(str.strip, said.split(","))):
            name, _, number = part.partition(" ")
            if part.upper() in Keyword.__members__:
                keywords.append(Keyword[part.upper()])
            elif name.lower() == "power" and number.isdigit():
                power = int(number)
            else:
                line.append(part)
        text = ", ".join(line)
        field, text = _in_field(text) if text else ("", "")
        return cls(tuple(keywords), power, field, text)


def _in_field(text: str) -> tuple[str, str]:
    """The field and the words of a line, "attack: gain 1 life"; without a field, one that fits."""
    field, colon, words = text.partition(":")
    tried = [(field.strip(), words.strip())] if colon else [(one, text) for one in _FIELDS]
    for one, said in tried:
        try:
            [line] = lines_of(card_of(1, (), one, said))
        except (CardFileError, ValueError) as error:
            why = str(error)
            continue
        return field_of(line), format_line(line)
    raise ValueError(
        f"“{text}” is neither a keyword nor a power such as “power 3” nor a line of the card"
        " language; write a line as in a card file, with its field before it if it is not play:"
        f" “attack: gain 1 life” ({why})"
    )


@frozen
class Design:
    """A card that was not made yet, its line with the field unless it is "play", and its price."""

    card: Card
    text: str
    price: Price


def designs(pricer: Pricer, kept: Kept, target: float) -> list[Design]:
    """Cards with what is kept, those whose price is nearest to ``target`` points first.

    Powers, one more keyword and the amount in the line are free.
    """
    describer = pricer.describer
    assert isinstance(describer, CardDescriber)
    powers = sorted({card.power for card in describer.bodies})
    others = [word for word in Keyword if word not in kept.keywords]
    words = [kept.keywords, *((*kept.keywords, word) for word in others)]
    amounted = amount_of(kept.text) is not None
    texts = [kept.text]
    if amounted:
        wording = without_number(kept.text)
        texts = [wording.replace(ANY_NUMBER, str(n)) for n in range(1, _MOST_AMOUNT + 1)]
    found, field = [], f"{kept.field}: " * (kept.field not in ("", _FIELDS[0]))
    for text in texts:
        plain = card_of(1, (), kept.field, text)
        for power in powers if kept.power is None else [kept.power]:
            for keywords in words:
                card = evolve(plain, power=power, keywords=frozenset(keywords))
                price = pricer.price(card)
                if price.price is not None:
                    found.append(Design(card, f"{field}{text}", price))
    return sorted(found, key=lambda one: abs((one.price.price or 0.0) - target))


@frozen
class Formula:
    """What the price of a card with one line at most is a sum of, in points.

    ``power`` are the constant, and what a step of power and its square count, from the middle;
    ``keywords`` by their word: by itself, and for a step of power; ``pairs`` by two words.
    """

    power: tuple[float, float, float]
    keywords: dict[str, tuple[float, float]]
    pairs: dict[tuple[str, str], float]


def formula_of(pricer: Pricer) -> Formula:
    """The formula of a list."""
    known = pricer.points
    words = [word.name for word in Keyword]
    return Formula(
        (known.get(("free", "any card"), 0), known["power", "power"], known["power²", "power²"]),
        {
            word: (known.get(("keyword", word), 0.0), known.get(("keyword × power", word), 0.0))
            for word in words
        },
        {
            (one, other): known.get(("keyword × keyword", f"{one} {other}"), 0.0)
            for one, other in combinations(sorted(words), 2)
        },
    )


def priced_lines(pricer: Pricer, prices: pd.DataFrame) -> Iterator[tuple[str, list[float]]]:
    """Each line that has a price in each amount, "play: gain 2 life", and what it counts.

    That is by itself, for a step of power, and with each keyword, in points.
    """

    def adds(power: int, *keywords: Keyword) -> float:
        without, said = card_of(power, keywords), card_of(power, keywords, field, text)
        return pricer.mean(said) - pricer.mean(without)

    lines = prices[prices["kind"] == "line"]
    wordings = dict.fromkeys(
        (field, without_number(text) if amount_of(text) is not None else text)
        for field, text in zip(lines["field"], lines["thing"], strict=True)
    )
    for field, wording in wordings:
        is_open = wording not in set(lines["thing"])
        for n in AMOUNTS if is_open else (1,):
            text = wording.replace(ANY_NUMBER, str(n)) if is_open else wording
            try:
                card = card_of(5, (), field, text)
            except CardFileError:
                continue
            if pricer.price(card).price is None or format_line(lines_of(card)[0]) != text:
                continue
            weak, strong = map(adds, _ONE_STEP)
            with_words = [adds(_ONE_STEP[0], word) - weak for word in Keyword]
            yield f"{field}: {text}", [(weak + strong) / 2, (strong - weak) / 2, *with_words]
