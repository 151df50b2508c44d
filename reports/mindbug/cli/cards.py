"""The commands that look at cards: ``fairdeal cards``."""

from collections.abc import Iterable, Iterator, Sequence
from functools import partial
from itertools import chain
from pathlib import Path
from typing import TYPE_CHECKING, Annotated

from cyclopts import Parameter

from reports.cli.console import InputError, print_json, print_table, print_wrapped, say
from reports.cli.named_files import OnlyCheck, format_all, tell_faults, write_new
from reports.cli.options import Force, Json, SheetName, Spreadsheet, Threads, to_place
from reports.games import Commands
from reports.mindbug.cli.named_cards import find_card
from reports.mindbug.cli.options import NAMED
from simcore.commands import command, option_words

if TYPE_CHECKING:
    import pandas as pd

    from analysis.questions.price_list import Price
    from card_data.mindbug.schema import Card, CardSet, PowerCard

cards = Commands(name="cards", help="Show cards, check and format card files, print the language.")

Files = Annotated[
    Path, Parameter(name="FILE", required=True, help="A card file of your own, ending in .toml.")
]

Prices = Annotated[
    bool,
    Parameter(
        negative=(),
        help="Price each card by the list of the set that it is mixed into: the newest that"
        " 'fairdeal prices' made in this folder, or the one that comes with fairdeal.",
    ),
]


@cards.command(name="list")
def list_cards(
    *sets: Annotated[
        str,
        Parameter(
            name="SET",
            help=f"{NAMED} Default: all sets that come with fairdeal.",
        ),
    ],
    as_json: Json = False,
) -> None:
    """List the cards of sets with their text."""
    from reports.mindbug.cards.text import (
        CREATURES_TABLE,
        POWER_CARDS_TABLE,
        all_cards,
        card_facts,
        contents_text,
        creature_rows,
        power_card_rows,
    )

    loaded = _load(sets)
    if as_json:
        print_json([card_facts(one, card) for one in loaded for card in all_cards(one)])
        return
    for card_set in loaded:
        print(f"{card_set.set_id}: {card_set.name}, {contents_text(card_set)}")
        print_table(CREATURES_TABLE, creature_rows(card_set), right=(1, 2))
        if card_set.power_cards:
            print_table(POWER_CARDS_TABLE, power_card_rows(card_set), right=(1, 2))


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
            " with fairdeal.",
        ),
    ] = None,
    prices: Prices = False,
    as_json: Json = False,
) -> None:
    """Show cards in full: their facts, their text, and their lines in the card language."""
    from reports.mindbug.cards.text import card_facts, portrait
    from reports.prices.text import card_lines

    named = {name: _load([name]) for name in set_ or ()} or {one.set_id: [one] for one in _load(())}
    found = [find_card(name, [*chain(*named.values())], set_ or ()) for name in wanted]
    priced: dict[str, tuple[Price, str]] = {}
    for name, sets in named.items() if prices else ():
        mine = [card for card_set, card in found if card_set in sets]
        priced |= {price.card_id: (price, said) for price, said in _prices(name, mine)}
    if as_json:
        told = {name: {"price": price.as_json()} for name, (price, _) in priced.items()}
        print_json([card_facts(one, card) | told.get(card.card_id, {}) for one, card in found])
        return
    for number, (card_set, card) in enumerate(found):
        print("\n" * (number > 0) + "\n".join(portrait(card_set, card)))
        if card.card_id in priced:
            price, said = priced[card.card_id]
            print_wrapped(["", said])
            print_table(("", ""), [("  " + line, n) for line, n in card_lines(price)], right=(1,))


@cards.command
def versions(
    card: Annotated[str, Parameter(name="CARD", help="The id or name of a card.")],
    project: Annotated[
        Path,
        Parameter(
            converter=to_place, name="PROJECT", help="The folder that holds the run folders."
        ),
    ] = Path("runs"),
    /,
    *,
    diary: Annotated[
        Path | None,
        Parameter(
            help="A diary that 'compare --record' has written: what it notes of the card is shown"
            " as well, also of runs that are gone."
        ),
    ] = None,
    threads: Threads = None,
    as_json: Json = False,
) -> None:
    """Show every version of a card that was played, side by side.

    Reads the runs and comparisons of a project folder: what the card was, how often players won who
    were dealt it, the verdict, the day, and what compare noted with --why. Says which rows were
    measured in the same way. Runs that have not been analysed are. Also writes
    PROJECT/card-CARD.html.
    """
    from attrs import asdict

    from reports.cli.console import as_input_error, print_wrapped
    from reports.mindbug.cards import versions as shown
    from reports.mindbug.cards.versions import DIARY_TABLE, entries

    with as_input_error():
        newest, table = played_versions(project, card, threads)
    again = command("cards", "versions", newest.card_id, project, diary=diary)
    noted = [] if diary is None else [*entries(_read_diary(diary), newest.name)]
    page = shown.write_versions_page(*(table, newest.name, newest.card_id, project, again, noted))
    if as_json:
        rows = table.astype(object).where(table.notna(), None).to_dict("records")
        answer = {"card": newest.card_id, "page": str(page), "versions": rows}
        print_json(answer | {"diary": [asdict(entry) for entry in noted]})
        return
    print(shown.summary(table, newest.name))
    print_wrapped(["", *(f"{name}: {said}" for name, said in shown.faces(table)), ""])
    print_table(shown.VERSIONS_TABLE, shown.rows(table), right=(2,))
    said = (f"{name}: {text}" for name, text in shown.circumstances(table))
    print_wrapped(["", shown.comparable(table), *said, ""])
    if noted:
        print_table(DIARY_TABLE, [entry.row for entry in noted])
        print()
    print(f"page: {page}")


def played_versions(
    project: Path, card: str, threads: int | None = None
) -> "tuple[Card, pd.DataFrame]":
    """A card as it was played last, and the table of all its versions that were played.

    Runs that have not been analysed are.  Raises RunError, and ValueError as `runs_of_card` does.
    """
    from analysis.mindbug.card_versions import runs_of_card, versions_table
    from reports.cli.steps import analyze_run
    from reports.mindbug.cards.versions import face
    from simcore.sealed import RunError

    found = runs_of_card(project, card)
    for one in found:
        try:
            one.table()
        except RunError:
            analyze_run(one.run.folder, threads)
    return found[-1].card, versions_table(found, [face(one.card) for one in found])


@cards.command
def check(
    *names: Annotated[str, Parameter(name="SET", required=True, help=NAMED)],
    prices: Prices = False,
    as_json: Json = False,
) -> int:
    """Check cards: lists all faults, each with its place and the nearest valid word.

    A pool file is checked with all that it names. The exit status is 2 if there is a fault.
    """
    from card_data.mindbug.pool import check_cards

    if prices and as_json:
        raise InputError("--prices is for people; 'fairdeal prices FILE --json' is for programs")
    status = tell_faults(names, check_cards, as_json=as_json)
    if prices and not status:
        for name in names:
            cards = [card for one in _load([name]) for card in one.cards]
            print_wrapped([said for _, said in _prices(name, cards)])
    return status


def _prices(name: str, cards: "Iterable[Card | PowerCard]") -> "Iterator[tuple[Price, str]]":
    """The price of each card that is dealt of a set or file, and how it is said.

    Raises InputError without a list.
    """
    from card_data.mindbug.schema import Card
    from reports.mindbug.cli.options import PoolOptions
    from reports.mindbug.cli.verdict_pool import homes, is_whole
    from reports.mindbug.price_list import pricer_at_hand
    from reports.prices.text import card_text

    dealt = [card for card in cards if isinstance(card, Card) and card.copies]
    if not dealt:
        return
    played = is_whole([name])
    named = [name] if played else homes([name])
    pool = PoolOptions().load(named)
    pricer = pricer_at_hand(pool)
    if pricer is None:
        sets = "+".join(one.set_id for one in pool.sets)
        raise InputError(
            f"there is no price list of {sets} in the folder 'runs' here; make one with"
            f" '{command('prices', *named)}', which takes some minutes"
        )
    for price in map(pricer.price, dealt):
        yield price, card_text(price, played=played)


@cards.command(name="format")
def format_cards(
    *files: Files,
    check: OnlyCheck = False,
    as_printed: Annotated[
        bool,
        Parameter(
            name="--as-printed",
            negative=(),
            help="Write abilities as cards say them: 'Gain 2 life.' in place of 'gain 2 life'.",
        ),
    ] = False,
) -> int:
    """Rewrite card files in the standard form; what the cards do stays the same.

    Cards are sorted by id, power cards last, and fields have a fixed order; keywords, numbers and
    abilities are spelled as 'cards language' spells them. A blank line comes before each card, and
    'copies = 1' is added where there is no number. Every comment stays above or beside its card or
    field; those inside a list of lines move above it.
    """
    from card_data.mindbug import check_file
    from card_data.mindbug.language.formatter import format_set

    write, words = partial(format_set, as_printed=as_printed), option_words(as_printed=as_printed)
    again = partial(command, "cards", "format", *words)
    return format_all(files, check_file, write, again=again, write=not check)


@cards.command
def export(
    which: Annotated[
        str,
        Parameter(
            name="SET",
            help=f"The set to write: exactly one. {NAMED}",
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
    """Write a set as a spreadsheet: one row for each card, abilities in the card language.

    Comments of the card file are left out.
    """
    from card_data.cells import SUFFIXES
    from card_data.mindbug.spreadsheet import encode_table
    from reports.mindbug.cards.text import size_text

    if table.suffix.lower() not in SUFFIXES:
        raise InputError(f"{table} cannot be written as a spreadsheet; end it in .csv or .xlsx")
    sets = _load([which])
    if len(sets) > 1:
        names = ", ".join(card_set.set_id for card_set in sets)
        raise InputError(f"{which} holds the sets {names}; name one, since a spreadsheet holds one")
    [card_set] = sets
    write_new(table, encode_table(card_set, table.suffix), force=force)
    print(f"{table}: {size_text(card_set)}")


@cards.command(name="import")
def import_table(
    table: Spreadsheet,
    file: Annotated[
        Path, Parameter(name="FILE", help="The card file to write: its name ends in .toml.")
    ],
    /,
    *,
    sheet: SheetName = None,
    force: Force = False,
) -> None:
    """Write a card file from a spreadsheet like those of 'cards export'.

    If there are faults, all are listed with row and column, and nothing is written. Messages say
    which formulas were read by their results, which rows were left out, and which ids were made.
    """
    from card_data.mindbug.language.formatter import format_cards
    from card_data.mindbug.spreadsheet import read_table
    from reports.mindbug.cards.text import size_text

    if file.suffix != ".toml":
        raise InputError(f"{file} is not a card file; end it in .toml")
    card_set = read_table(table, set_id=file.stem, sheet=sheet, tell=say)
    write_new(file, format_cards(card_set).encode(), force=force)
    print(f"{file}: {size_text(card_set)}")


@cards.command
def language() -> None:
    """Print the reference of the card language: every word, with an example."""
    from card_data.mindbug.language.reference import language_reference

    print(language_reference(), end="")


@cards.command
def schema() -> None:
    """Print a JSON Schema of card files, which editors use to complete and check them.

    Save it beside your cards, and name it in their first line: #:schema ./card_file.schema.json
    """
    from card_data.mindbug.file_schema import schema_text

    print(schema_text(), end="")


def _read_diary(file: Path) -> str:
    """The text of a diary.  Raises InputError."""
    try:
        return file.read_text(encoding="utf-8")
    except (OSError, ValueError) as error:
        why = error.strerror if isinstance(error, OSError) else "it is no text"
        raise InputError(f"--diary: cannot read {file}: {why}") from None


def _load(names: Sequence[str]) -> "list[CardSet]":
    """The sets of what is named, or all that come with fairdeal."""
    from card_data.mindbug import available_sets
    from card_data.mindbug.pool import load_cards

    return load_cards(names or available_sets())
