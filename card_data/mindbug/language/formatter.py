"""Canonical card text: the one way in which cards and their abilities are written."""

from collections.abc import Callable, Iterator

from card_data.mindbug.card_fields import CARD_FIELDS
from card_data.mindbug.language.rules_text import Ability, format_line, printed_line
from card_data.mindbug.loader import parse_set
from card_data.mindbug.schema import Card, CardSet, PowerCard, TriggeredAbility
from card_data.mindbug.vocabulary import Trigger
from card_data.toml_places import TomlPlaces
from card_data.toml_writer import TomlWriter, quoted

Line = Callable[[Ability], str]

__all__ = ["format_cards", "format_line", "format_set"]


def format_set(text: str, file: str = "cards.toml", *, as_printed: bool = False) -> str:
    """The text of a card file in canonical form; raises CardFileError if it has faults.

    Abilities are short lines, or with ``as_printed`` what stands on a card.  Cards are sorted by
    id, fields stand in the order of ``CARD_FIELDS``.  A comment stays above, or beside, the card or
    field that it was written at.
    """
    card_set = parse_set(text, file)
    places = TomlPlaces(text.replace("\r\n", "\n"))
    line = printed_line if as_printed else format_line
    return _format(card_set, TomlWriter(places.statements), places.tail, line)


def format_cards(card_set: CardSet) -> str:
    """The text of a card file with these cards, in canonical form; ``parse_set`` reads it back."""
    return _format(card_set, TomlWriter({}), [], format_line)


def _format(card_set: CardSet, writer: TomlWriter, tail: list[str], line: Line) -> str:
    """The text of a set; ``tail`` are the comments below everything."""
    writer.put(("name",), f"name = {quoted(card_set.name)}")
    for card in card_set.all_cards:
        fields = dict(_fields(card, line))
        writer.lines.append("")
        writer.put((card.card_id,), f"[{card.card_id}]")
        for name in CARD_FIELDS:
            said = f"{name} = {fields[name]}" if name in fields else None
            writer.put((card.card_id, name), said)
    return writer.text(tail)


def _fields(card: Card | PowerCard, line: Line) -> Iterator[tuple[str, str]]:
    """The fields of a card that are to be written, with their values as TOML."""
    yield "name", quoted(card.name)
    yield "copies", str(card.copies)
    if isinstance(card, PowerCard):
        yield "cost", str(card.cost)
        yield "bought", quoted(line(TriggeredAbility(Trigger.PLAY, card.bought)))
        return
    yield "power", str(card.power)
    if card.keywords:
        yield "keywords", f"[{', '.join(quoted(word.name) for word in sorted(card.keywords))}]"
    if card.dice:
        yield "dice", str(card.dice)
    if card.evolves_to is not None:
        yield "evolves_to", quoted(card.evolves_to)
    yield from _abilities(card, line)


def _abilities(card: Card, line: Line) -> Iterator[tuple[str, str]]:
    """The fields with abilities."""
    lines = {ability.trigger: line(ability) for ability in card.triggered}
    if Trigger.PLAY in lines and lines[Trigger.PLAY] == lines.get(Trigger.ATTACK):
        yield "play_attack", quoted(lines.pop(Trigger.PLAY))
        del lines[Trigger.ATTACK]
    life_lost = lines.pop(Trigger.LIFE_LOST, None)
    for trigger, said in lines.items():
        yield trigger.name.lower(), quoted(said)
    lying = [line(ability) for ability in card.constant if ability.in_discard]
    lying += [life_lost] if life_lost else []
    standing = [line(ability) for ability in card.constant if not ability.in_discard]
    for name, several in (("constant", standing), ("in_discard", lying)):
        if len(several) > 1:
            yield name, "[\n" + "".join(f"    {quoted(said)},\n" for said in several) + "]"
        elif several:
            yield name, quoted(several[0])
