"""Variants of a card: the same pool with one face changed in place, and the parts of a card.

A variant keeps the id and the place of the card, so the same seed deals the same cards with it and
without it, unless its copies are what is changed.  A card's *parts* are what tells it from a plain
creature of a reference power: its power where that is another one, each keyword, its dice symbols
and each line of text.
"""

from collections.abc import Iterable, Iterator, Sequence
from itertools import combinations

from attrs import evolve, frozen

from card_data.mindbug import schema
from card_data.mindbug.language.rules_text import rules_text
from card_data.mindbug.vocabulary import Keyword

#: Changes of the printed power that are tried.
POWER_STEPS = (-2, -1, 1, 2)

#: What can be changed, by the words of the command line.
VALUE, POWER, KEYWORDS, COPIES, LINES, PARTS = CHANGES = (
    *("value", "power", "keywords", "copies", "lines", "parts"),
)

#: With up to so many parts every combination of them is played.
MOST_PARTS = 4


@frozen
class Part:
    """One thing that makes a card what it is: "power 7", a keyword, dice, or a line of text.

    ``kind`` is power, keyword, dice or line; ``triggered`` and ``constant`` are those of a line.
    """

    kind: str
    label: str
    keyword: Keyword | None = None
    triggered: tuple[schema.TriggeredAbility, ...] = ()
    constant: tuple[schema.ConstantAbility, ...] = ()


@frozen
class Variant:
    """A changed card: ``change`` names the change, ``label`` says it to a reader.

    ``kind`` is value (another card in its place), power, add_keyword, remove_keyword, copies (in
    the pool, which then deals otherwise), remove_line, remove_all or parts (a combination of parts,
    for their shares).
    """

    change: str
    kind: str
    label: str
    card: schema.Card


def dealt_cards(pool: schema.Pool) -> list[schema.Card]:
    """The cards of a pool that are dealt, in the order of the card table."""
    return [card for card_set in pool.sets for card in card_set.cards if card.copies]


def with_card(pool: schema.Pool, card: schema.Card) -> schema.Pool:
    """The pool with a card in the place of the one that has its id."""
    sets = [
        evolve(
            card_set,
            cards=tuple(card if old.card_id == card.card_id else old for old in card_set.cards),
        )
        for card_set in pool.sets
    ]
    return evolve(pool, sets=tuple(sets))


def dealt_alike(pool: schema.Pool, other: schema.Pool) -> bool:
    """Whether the same seed deals the same cards in two pools: the same places and copies."""
    return [(card.card_id, card.copies) for card in dealt_cards(pool)] == [
        (card.card_id, card.copies) for card in dealt_cards(other)
    ]


def in_place_of(card: schema.Card, other: schema.Card) -> schema.Card:
    """The face of ``other`` at the place of ``card``: its id, its copies, first in its line."""
    return evolve(other, card_id=card.card_id, copies=card.copies, stage=1)


def parts_of(card: schema.Card, power: int) -> list[Part]:
    """What tells a card from a plain creature of some power."""
    parts = [] if card.power == power else [Part("power", f"power {card.power}")]
    parts += [Part("keyword", word.name, keyword=word) for word in sorted(card.keywords)]
    if card.dice:
        parts.append(Part("dice", "dice symbols"))
    return parts + _lines_of(card)


def with_parts(card: schema.Card, power: int, parts: Iterable[Part]) -> schema.Card:
    """The plain creature of some power with some of the parts of ``card``."""
    parts = list(parts)
    kinds = {part.kind for part in parts}
    triggered = [ability for part in parts for ability in part.triggered]
    constant = [ability for part in parts for ability in part.constant]
    return evolve(
        card,
        power=card.power if "power" in kinds else power,
        keywords=frozenset(part.keyword for part in parts if part.keyword is not None),
        dice=card.dice if "dice" in kinds else 0,
        triggered=tuple(ability for ability in card.triggered if ability in triggered),
        constant=tuple(ability for ability in card.constant if ability in constant),
    )


def subsets(parts: Sequence[Part]) -> Iterator[tuple[int, ...]]:
    """The combinations of parts to play, by their places, besides all of them together.

    Every one for up to `MOST_PARTS` parts; beyond, all but one, and none.
    """
    n = len(parts)
    sizes: Iterable[int] = range(n) if n <= MOST_PARTS else (0, n - 1)
    for size in sizes:
        yield from combinations(range(n), size)


def subset_name(places: Iterable[int]) -> str:
    """The name of a combination of parts: "parts:0+2", or "parts:none"."""
    return f"parts:{'+'.join(map(str, places)) or 'none'}"


def variants_of(
    card: schema.Card, reference: schema.Card, wanted: Iterable[str] = CHANGES
) -> list[Variant]:
    """The variants of a card for some of `CHANGES`; none that would leave the card as it is."""
    wanted = set(wanted)
    found: list[Variant] = []
    if VALUE in wanted and card.card_id != reference.card_id:
        face = in_place_of(card, reference)
        found.append(Variant("value", "value", f"{reference.name} in its place", face))
    if POWER in wanted:
        for step in POWER_STEPS:
            if schema.MIN_POWER <= card.power + step <= schema.MAX_POWER:
                label = f"power {step:+} ({card.power + step})".replace("-", "\N{MINUS SIGN}")
                changed = evolve(card, power=card.power + step)
                found.append(Variant(f"power{step:+}", "power", label, changed))
    if KEYWORDS in wanted:
        for word in Keyword:
            taken = word in card.keywords
            kind = "remove_keyword" if taken else "add_keyword"
            label = f"{'without' if taken else 'with'} {word.name}"
            changed = evolve(card, keywords=card.keywords ^ {word})
            found.append(Variant(f"{'-' if taken else '+'}{word.name}", kind, label, changed))
    if COPIES in wanted:
        for copies in (card.copies - 1, card.copies + 1):
            if 1 <= copies <= schema.MAX_COPIES:
                label = f"{copies} {'copy' if copies == 1 else 'copies'} in the pool"
                changed = evolve(card, copies=copies)
                change = f"copies{copies - card.copies:+}"
                found.append(Variant(change, "copies", label, changed))
    if LINES in wanted:
        found += _without_lines(card)
    if PARTS in wanted:
        parts = parts_of(card, reference.power)
        for places in subsets(parts):
            label = ", ".join(parts[place].label for place in places) or "no part"
            plain = with_parts(card, reference.power, [parts[place] for place in places])
            found.append(Variant(subset_name(places), "parts", label, plain))
    return found


def _without_lines(card: schema.Card) -> Iterator[Variant]:
    lines = _lines_of(card)
    for place, line in enumerate(lines):
        rest = [part for part in parts_of(card, card.power) if part != line]
        changed = with_parts(card, card.power, rest)
        label = f"without \N{LEFT DOUBLE QUOTATION MARK}{line.label}\N{RIGHT DOUBLE QUOTATION MARK}"
        yield Variant(f"-line{place + 1}", "remove_line", label, changed)
    if card.keywords or lines or card.dice:
        bare = with_parts(card, card.power, ())
        yield Variant("-all", "remove_all", "without keywords and text", bare)


def _lines_of(card: schema.Card) -> list[Part]:
    """The lines of text of a card; triggers that do the same are one line."""
    together: dict[object, list[schema.TriggeredAbility]] = {}
    for ability in card.triggered:
        together.setdefault(ability.instructions, []).append(ability)
    lines = [Part("line", "", triggered=tuple(alike)) for alike in together.values()]
    lines += [Part("line", "", constant=(ability,)) for ability in dict.fromkeys(card.constant)]
    return [evolve(line, label=_label(card, line)) for line in lines]


def _label(card: schema.Card, line: Part) -> str:
    alone = evolve(card, triggered=line.triggered, constant=line.constant)
    return " ".join(rules_text(alone))
