"""Cards as commands name them: by id or name, 'all' for each that is dealt, 'mine' for own ones."""

from collections.abc import Iterable, Sequence
from typing import TYPE_CHECKING

from reports.cli.console import InputError
from simcore.commands import command

if TYPE_CHECKING:
    from card_data.mindbug.schema import Card, CardSet, Pool, PowerCard

#: Cards that are suggested where none has the name that was given.
_MOST_GUESSES = 4

#: The words that stand for every card, and for those of a designer's own.
ALL, MINE = "all", "mine"


def read_cards(pool: "Pool", wanted: str) -> "list[Card]":
    """The card of that id or name, all that are dealt, or one's own.  Raises InputError."""
    from card_data.mindbug.pool import own_cards
    from card_data.mindbug.variants import dealt_cards

    if wanted == ALL:
        return dealt_cards(pool)
    if wanted == MINE and (own := own_cards(pool)):
        return [card for card in dealt_cards(pool) if card.card_id in own]
    return [read_card(pool, wanted, more=f", and '{ALL}' stands for every card")]


def read_card(pool: "Pool", wanted: str, *, more: str = "") -> "Card":
    """The card of that id or name.  Raises InputError, which says what ``more`` may be named."""
    from card_data.faults import nearest
    from card_data.mindbug.variants import dealt_cards

    cards = dealt_cards(pool)
    by_name = {card.name.casefold(): card for card in cards}
    by_name |= {card.card_id: card for card in cards}
    found = by_name.get(wanted) or by_name.get(wanted.casefold())
    if found is not None:
        return found
    _check_dealt(pool, wanted)
    guess = nearest(wanted, by_name)
    meant = f"; did you mean '{by_name[guess].card_id}'?" if guess else "."
    raise InputError(
        f"there is no card '{wanted}' in this pool{meant} 'fairdeal cards list' lists them"
        f" all{more}. To play a card of your own, add its file: --cards FILE.toml"
    )


def read_card_list(pool: "Pool", option: str, text: str | None) -> "list[Card]":
    """The cards of a list of ids or names with commas between.  Raises InputError."""
    found: list[Card] = []
    for word in [] if text is None else text.split(","):
        try:
            found += read_cards(pool, word.strip())
        except InputError as error:
            raise InputError(f"{option}: {error}") from None
    return found


def _check_dealt(pool: "Pool", wanted: str) -> None:
    """Raise InputError for a card of the pool that nobody is dealt."""
    for card_set in pool.sets:
        for kind, what in (
            (card_set.cards, "is reached by evolving"),
            (card_set.power_cards, "is a power card"),
        ):
            if wanted in {card.card_id for card in kind}:
                raise InputError(
                    f"{wanted} {what}, so nobody is dealt it; name a card that is dealt"
                )


def find_card(
    name: str, sets: "Sequence[CardSet]", where: Sequence[str]
) -> "tuple[CardSet, Card | PowerCard]":
    """The card with an id or name.  Raises InputError, with those that may be meant.

    ``where`` are the sets that the command was told to look in.
    """
    from reports.mindbug.cards.text import all_cards

    pairs = {card.card_id: (card_set, card) for card_set in sets for card in all_cards(card_set)}
    pairs |= {card.name.casefold(): (card_set, card) for card_set, card in pairs.values()}
    if name.casefold() in pairs:
        return pairs[name.casefold()]
    likely = " or ".join(f"'{guess}'" for guess in guesses(name.casefold(), pairs))
    listing = command("cards", "list", *where)
    advice = f"did you mean {likely}?" if likely else f"'{listing}' lists all."
    place = f" in {' and '.join(where)}" if where else ""
    if not where:
        again = command("cards", "show", name, set="FILE.toml")
        advice += f" To show a card of your own, name its file: {again}"
    raise InputError(f"there is no card '{name}'{place}; {advice}")


def guesses(typed: str, names: Iterable[str]) -> list[str]:
    """Ids and names that may be meant: those that contain it, else the nearest."""
    from card_data.faults import nearest

    spaced: dict[str, str] = {}
    for name in names:  # an id is mostly the name in other letters, and comes first
        spaced.setdefault(name.replace("_", " "), name)
    typed = typed.replace("_", " ")
    by_word: dict[str, list[str]] = {}
    for name in spaced:
        for word in name.split():
            by_word.setdefault(word, []).append(name)
    found = [name for name in spaced if typed in name]
    if not found:
        guess = nearest(typed, spaced)
        found = [guess] if guess else by_word.get(nearest(typed, by_word), [])
    return [spaced[name] for name in found[:_MOST_GUESSES]]
