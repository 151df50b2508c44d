"""The commands that look at cards: ``balancelab cards``."""

from collections.abc import Iterator, Sequence
from pathlib import Path
from typing import TYPE_CHECKING, Annotated, Any

from cyclopts import App, Parameter

from reports.console import InputError, Json, print_json, print_table, say

if TYPE_CHECKING:
    from card_data.schema import Card, CardSet

cards = App(name="cards", help="Look at cards, check and format card files, print the language.")

Files = Annotated[
    Path, Parameter(name="FILE", required=True, help="A card file of your own, ending in .toml.")
]


@cards.command(name="list")
def list_cards(
    *sets: Annotated[
        str,
        Parameter(
            name="SET",
            help="A set that comes with balancelab, or the path of a card file of your own that"
            " ends in .toml. Default: all sets that there are.",
        ),
    ],
    as_json: Json = False,
) -> None:
    """List the cards of sets, with what they say."""
    loaded = _load(sets)
    if as_json:
        print_json([_facts(card_set, card) for card_set in loaded for card in card_set.cards])
        return
    for card_set in loaded:
        copies = sum(card.copies for card in card_set.cards)
        print(
            f"{card_set.set_id}: {card_set.name}, {len(card_set.cards)} creatures, {copies} cards"
        )
        rows = [
            (card.card_id, card.power, card.copies, _keywords(card), " ".join(_text(card)))
            for card in card_set.cards
        ]
        print_table(("card", "power", "copies", "keywords", "text"), rows, right=(1, 2))


@cards.command
def show(
    *wanted: Annotated[
        str, Parameter(name="CARD", required=True, help="The id or name of a card.")
    ],
    set_: Annotated[
        list[str] | None,
        Parameter(
            name="--set",
            negative=(),
            help="Where to look: a set, or the path of a card file; may be given several times."
            " Default: all sets that there are.",
        ),
    ] = None,
    as_json: Json = False,
) -> None:
    """Show cards in full: their facts, what they say, and their lines in the card language."""
    loaded = _load(set_ or ())
    found = [_find(name, loaded) for name in wanted]
    if as_json:
        print_json([_facts(card_set, card) for card_set, card in found])
    else:
        print("\n\n".join("\n".join(_portrait(card_set, card)) for card_set, card in found))


@cards.command
def check(*files: Files, as_json: Json = False) -> int:
    """Check card files: every fault at once, with its place and the nearest right word.

    The exit status is 2 when there is a fault.
    """
    from attrs import asdict

    from card_data import check_file

    faults = {str(file): check_file(file) for file in files}
    if as_json:
        print_json([asdict(fault) for found in faults.values() for fault in found])
    else:
        for file, found in faults.items():
            for fault in found:
                say(str(fault))
            if not found:
                print(f"{file}: no fault found")
    return 2 if any(faults.values()) else 0


@cards.command(name="format")
def format_cards(
    *files: Files,
    check: Annotated[
        bool, Parameter(negative=(), help="Change nothing; exit with 2 if a file would change.")
    ] = False,
) -> int:
    """Rewrite card files in the one canonical form; comments stay with what they are about."""
    from card_data import CardFileError, check_file

    if faults := [fault for file in files for fault in check_file(file)]:
        raise CardFileError(faults)
    changes = [_format(file, write=not check) for file in files]
    return 2 if check and any(changes) else 0


@cards.command
def language() -> None:
    """Print the reference of the card language: every word, with an example."""
    from card_data.mindbug.language_reference import language_reference

    print(language_reference(), end="")


def _load(names: Sequence[str]) -> "list[CardSet]":
    """The sets that are named, or all that come with balancelab."""
    from card_data import available_sets, load_sets

    return load_sets(names or available_sets())


def _find(name: str, sets: "Sequence[CardSet]") -> "tuple[CardSet, Card]":
    """The card with an id or name.  Raises InputError, naming the nearest."""
    from card_data.faults import nearest

    pairs = {card.card_id: (card_set, card) for card_set in sets for card in card_set.cards}
    pairs |= {card.name.casefold(): (card_set, card) for card_set, card in pairs.values()}
    if name.casefold() in pairs:
        return pairs[name.casefold()]
    guess = nearest(name, pairs)
    advice = f"did you mean '{guess}'?" if guess else "'balancelab cards list' lists all."
    raise InputError(f"there is no card '{name}'; {advice}")


def _format(file: Path, *, write: bool) -> bool:
    """Format one file; whether it changes."""
    from card_data.mindbug.formatter import format_set

    data = file.read_bytes()
    formatted = format_set(data.decode("utf-8-sig"), str(file)).encode()
    if formatted == data:
        print(f"{file}: is formatted")
    elif write:
        from simcore.run_folder import write_file

        write_file(file.resolve(), formatted)
        print(f"{file}: formatted")
    else:
        say(f"{file}: is not formatted; 'balancelab cards format {file}' does it")
    return formatted != data


def _text(card: "Card") -> list[str]:
    from card_data.mindbug.rules_text import rules_text

    return rules_text(card)


def _lines(card: "Card") -> list[str]:
    """The abilities of a card in the card language, as ``field = line``."""
    from card_data.mindbug.formatter import format_line

    lines = [f"{a.trigger.name.lower()} = {format_line(a)}" for a in card.triggered]
    return lines + [f"constant = {format_line(ability)}" for ability in card.constant]


def _keywords(card: "Card") -> str:
    return " ".join(keyword.name for keyword in sorted(card.keywords))


def _facts(card_set: "CardSet", card: "Card") -> dict[str, Any]:
    """All of a card as JSON values."""
    return {
        "set": card_set.set_id,
        "card_id": card.card_id,
        "name": card.name,
        "power": card.power,
        "keywords": _keywords(card).split(),
        "copies": card.copies,
        "text": _text(card),
        "abilities": _lines(card),
    }


def _portrait(card_set: "CardSet", card: "Card") -> Iterator[str]:
    """A card for reading."""
    copies = "1 copy" if card.copies == 1 else f"{card.copies} copies"
    yield f"{card.name} ({card.card_id}), {card_set.name}, {copies}"
    yield f"  power {card.power} {_keywords(card)}".rstrip()
    yield from (f"  {sentence}" for sentence in _text(card))
    yield from (f"    {line}" for line in _lines(card))
