"""The commands that look at cards: ``balancelab cards``."""

import shlex
from collections.abc import Iterable, Iterator, Sequence
from pathlib import Path
from typing import TYPE_CHECKING, Annotated, Any

from cyclopts import App, Parameter

from reports.cli.console import InputError, print_json, print_table, say
from reports.cli.named_files import check_writable, write_named
from reports.mindbug.cli.options import NAMED, Json

if TYPE_CHECKING:
    from card_data.mindbug.schema import Card, CardSet, PowerCard

#: Cards that are named where none has the name that was said.
_MOST_GUESSES = 4

cards = App(name="cards", help="Look at cards, check and format card files, print the language.")

Files = Annotated[
    Path, Parameter(name="FILE", required=True, help="A card file of your own, ending in .toml.")
]

Force = Annotated[bool, Parameter(negative=(), help="Replace the file if there is one already.")]


@cards.command(name="list")
def list_cards(
    *sets: Annotated[
        str,
        Parameter(
            name="SET",
            help=f"{NAMED} Default: all sets that come with balancelab.",
        ),
    ],
    as_json: Json = False,
) -> None:
    """List the cards of sets, with what they say."""
    loaded = _load(sets)
    if as_json:
        print_json([_facts(card_set, card) for card_set in loaded for card in _cards(card_set)])
        return
    for card_set in loaded:
        print(f"{card_set.set_id}: {card_set.name}, {_contents(card_set)}")
        rows = [
            (card.card_id, card.power, card.copies, _symbols(card), " ".join(_text(card)))
            for card in card_set.cards
        ]
        print_table(("card", "power", "copies", "keywords", "text"), rows, right=(1, 2))
        if card_set.power_cards:
            bought = [
                (card.card_id, card.cost, card.copies, " ".join(_text(card)))
                for card in card_set.power_cards
            ]
            print_table(("power card", "cost", "copies", "text"), bought, right=(1, 2))


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
            help=f"Where to look; may be given several times. {NAMED} Default: all sets that come"
            " with balancelab.",
        ),
    ] = None,
    as_json: Json = False,
) -> None:
    """Show cards in full: their facts, what they say, and their lines in the card language."""
    loaded = _load(set_ or ())
    found = [_find(name, loaded, set_ or ()) for name in wanted]
    if as_json:
        print_json([_facts(card_set, card) for card_set, card in found])
    else:
        print("\n\n".join("\n".join(_portrait(card_set, card)) for card_set, card in found))


@cards.command
def check(
    *names: Annotated[str, Parameter(name="SET", required=True, help=NAMED)], as_json: Json = False
) -> int:
    """Check cards: every fault at once, with its place and the nearest right word.

    A pool file is checked with all that it names. The exit status is 2 when there is a fault.
    """
    from attrs import asdict

    from card_data.faults import told
    from card_data.mindbug.pool import check_cards

    faults = {name: told(check_cards(name)) for name in names}
    if as_json:
        print_json([asdict(fault) for found in faults.values() for fault in found])
    else:
        for name, found in faults.items():
            for fault in found:
                say(str(fault))
            if not found:
                print(f"{name}: no fault found")
    return 2 if any(faults.values()) else 0


@cards.command(name="format")
def format_cards(
    *files: Files,
    check: Annotated[
        bool, Parameter(negative=(), help="Change nothing; exit with 2 if a file would change.")
    ] = False,
) -> int:
    """Rewrite card files in the one canonical form; what the cards do stays the same.

    Cards are put in the order of their ids, power cards last, fields in a fixed order, and
    keywords, numbers and abilities are spelled as 'cards language' spells them. A blank line stands
    before each card, and 'copies = 1' where no number was said. Every comment is kept, above or
    beside the card or field that it stood at; those inside a list of lines go above it.
    """
    from card_data.mindbug import CardFileError, check_file

    if faults := [fault for file in files for fault in check_file(file)]:
        raise CardFileError(faults)
    changes = [_format(file, write=not check) for file in files]
    return 2 if check and any(changes) else 0


@cards.command
def export(
    which: Annotated[
        str,
        Parameter(
            name="SET",
            help="What is written, which has to be one set. " + NAMED,
        ),
    ],
    table: Annotated[
        Path,
        Parameter(name="TABLE", help="The spreadsheet to write: its name ends in .csv or .xlsx."),
    ],
    /,
    *,
    force: Force = False,
) -> None:
    """Write a set as a spreadsheet: a card a row, abilities as columns in the card language.

    Comments of the card file are not written.
    """
    from card_data.mindbug.spreadsheet import SUFFIXES, encode_table

    if table.suffix.lower() not in SUFFIXES:
        raise InputError(f"{table} is no spreadsheet that can be written; end it in .csv or .xlsx")
    sets = _load([which])
    if len(sets) > 1:
        names = ", ".join(card_set.set_id for card_set in sets)
        raise InputError(f"{which} holds the sets {names}; a spreadsheet holds one, so name one")
    [card_set] = sets
    _write(table, encode_table(card_set, table.suffix), force=force)
    print(f"{table}: {_size(card_set)}")


@cards.command(name="import")
def import_table(
    table: Annotated[
        Path, Parameter(name="TABLE", help="A spreadsheet: a file that ends in .csv or .xlsx.")
    ],
    file: Annotated[
        Path, Parameter(name="FILE", help="The card file to write: its name ends in .toml.")
    ],
    /,
    *,
    sheet: Annotated[
        str | None, Parameter(help="The sheet of an xlsx file. Default: the first.")
    ] = None,
    force: Force = False,
) -> None:
    """Write a card file from a spreadsheet, as 'cards export' makes them.

    Every fault is told at once, with its row and column; then nothing is written.
    """
    from card_data.mindbug.language.formatter import format_cards
    from card_data.mindbug.spreadsheet import read_table

    if file.suffix != ".toml":
        raise InputError(f"{file} is no card file; end it in .toml")
    card_set = read_table(table, set_id=file.stem, sheet=sheet)
    _write(file, format_cards(card_set).encode(), force=force)
    print(f"{file}: {_size(card_set)}")


@cards.command
def language() -> None:
    """Print the reference of the card language: every word, with an example."""
    from card_data.mindbug.language.reference import language_reference

    print(language_reference(), end="")


def _load(names: Sequence[str]) -> "list[CardSet]":
    """The sets of what is named, or all that come with balancelab."""
    from card_data.mindbug import available_sets
    from card_data.mindbug.pool import load_cards

    return load_cards(names or available_sets())


def _cards(card_set: "CardSet") -> "tuple[Card | PowerCard, ...]":
    """Creatures and power cards of a set."""
    return (*card_set.cards, *card_set.power_cards)


def _find(
    name: str, sets: "Sequence[CardSet]", where: Sequence[str]
) -> "tuple[CardSet, Card | PowerCard]":
    """The card with an id or name.  Raises InputError, naming those that may be meant.

    ``where`` is what was said of where to look.
    """
    pairs = {card.card_id: (card_set, card) for card_set in sets for card in _cards(card_set)}
    pairs |= {card.name.casefold(): (card_set, card) for card_set, card in pairs.values()}
    if name.casefold() in pairs:
        return pairs[name.casefold()]
    guesses = " or ".join(f"'{guess}'" for guess in _guesses(name.casefold(), pairs))
    listed = shlex.join(["balancelab", "cards", "list", *where])
    advice = f"did you mean {guesses}?" if guesses else f"'{listed}' lists all."
    place = f" in {' and '.join(where)}" if where else ""
    if not where:
        again = shlex.join(["balancelab", "cards", "show", name, "--set"])
        advice += f" A card of your own is shown with its file: {again} FILE.toml"
    raise InputError(f"there is no card '{name}'{place}; {advice}")


def _guesses(said: str, names: Iterable[str]) -> list[str]:
    """Ids and names that may be meant: those with the word, or the nearest, or with its nearest."""
    from card_data.faults import nearest

    spaced: dict[str, str] = {}
    for name in names:  # an id mostly is the name in other letters, and comes first
        spaced.setdefault(name.replace("_", " "), name)
    said = said.replace("_", " ")
    by_word: dict[str, list[str]] = {}
    for name in spaced:
        for word in name.split():
            by_word.setdefault(word, []).append(name)
    found = [name for name in spaced if said in name]
    if not found:
        guess = nearest(said, spaced)
        found = [guess] if guess else by_word.get(nearest(said, by_word), [])
    return [spaced[name] for name in found[:_MOST_GUESSES]]


def _format(file: Path, *, write: bool) -> bool:
    """Format one file; whether it changes."""
    from card_data.mindbug.language.formatter import format_set

    data = file.read_bytes()
    formatted = format_set(data.decode("utf-8-sig"), str(file)).encode()
    if formatted == data:
        print(f"{file}: is formatted")
    elif write:
        write_named(file, formatted)
        print(f"{file}: formatted")
    else:
        say(f"{file}: is not formatted; 'balancelab cards format {file}' does it")
    return formatted != data


def _write(file: Path, content: bytes, *, force: bool) -> None:
    """Write a file whole or not at all; one with other contents only if that is asked for."""
    check_writable(file)
    if file.exists() and not force and file.read_bytes() != content:
        raise InputError(f"{file} is there already and differs; --force replaces it")
    write_named(file, content)


def _size(card_set: "CardSet") -> str:
    """How many cards a set has."""
    n_cards = len(_cards(card_set))
    return f"{card_set.name}, {n_cards} card{'s' if n_cards != 1 else ''}"


def _contents(card_set: "CardSet") -> str:
    """What is in a set; later stages have no copies."""
    first = [card for card in card_set.cards if card.stage == 1]
    parts = [_counted(first, "creature")]
    if n_later := len(card_set.cards) - len(first):
        parts.append(f"{n_later} later stage{'s' if n_later > 1 else ''}")
    if card_set.power_cards:
        parts.append(_counted(card_set.power_cards, "power card"))
    return ", ".join(parts)


def _counted(some: "Sequence[Card | PowerCard]", what: str) -> str:
    """How many different cards, and how many copies of them: "32 creatures (48 copies)"."""
    copies = sum(card.copies for card in some)
    return (
        f"{len(some)} {what}{'s' if len(some) != 1 else ''}"
        f" ({copies} cop{'ies' if copies != 1 else 'y'})"
    )


def _text(card: "Card | PowerCard") -> list[str]:
    from card_data.mindbug.language.rules_text import rules_text

    return rules_text(card)


def _lines(card: "Card | PowerCard") -> list[str]:
    """The abilities of a card in the card language, as ``field = line``."""
    import tomllib

    from card_data.mindbug.language.formatter import format_cards
    from card_data.mindbug.schema import Card, CardSet
    from card_data.mindbug.spreadsheet import FACTS

    cards, power_cards = ((card,), ()) if isinstance(card, Card) else ((), (card,))
    fields = tomllib.loads(format_cards(CardSet("", "", cards, power_cards)))[card.card_id]
    return [
        f"{field} = {line}"
        for field, lines in fields.items()
        if field not in FACTS
        for line in ([lines] if isinstance(lines, str) else lines)
    ]


def _keywords(card: "Card") -> list[str]:
    return [keyword.name for keyword in sorted(card.keywords)]


def _symbols(card: "Card") -> str:
    """Keywords, dice and the stage of evolution."""
    dice = ["", "1 die", f"{card.dice} dice"][min(card.dice, 2)]
    stage = f"stage {card.stage}" if card.evolves_to or card.stage > 1 else ""
    return ", ".join(filter(None, [" ".join(_keywords(card)), dice, stage]))


def _facts(card_set: "CardSet", card: "Card | PowerCard") -> dict[str, Any]:
    """All of a card as JSON values."""
    from card_data.mindbug.schema import PowerCard

    facts: dict[str, Any] = {"set": card_set.set_id, "card_id": card.card_id, "name": card.name}
    if isinstance(card, PowerCard):
        facts["cost"] = card.cost
    else:
        facts |= {"power": card.power, "keywords": _keywords(card), "dice": card.dice}
        facts |= {"stage": card.stage, "evolves_to": card.evolves_to}
    return facts | {"copies": card.copies, "text": _text(card), "abilities": _lines(card)}


def _portrait(card_set: "CardSet", card: "Card | PowerCard") -> Iterator[str]:
    """A card for reading."""
    from card_data.mindbug.schema import PowerCard

    copies = "1 copy" if card.copies == 1 else f"{card.copies} copies"
    if not card.copies:
        copies = "reached by evolving"
    yield f"{card.name} ({card.card_id}), {card_set.name}, {copies}"
    if isinstance(card, PowerCard):
        yield f"  power card, costs {card.cost} energy"
    else:
        yield f"  power {card.power} {_symbols(card)}".rstrip()
        if card.evolves_to:
            yield f"  evolves to {card.evolves_to}"
    yield from (f"  {sentence}" for sentence in _text(card))
    yield from (f"    {line}" for line in _lines(card))
