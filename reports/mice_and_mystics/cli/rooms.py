"""The commands that look at rooms, and at files with entries: ``fairdeal rooms``."""

from functools import partial
from pathlib import Path
from typing import TYPE_CHECKING, Annotated

from cyclopts import Parameter

from card_data.faults import unknown_word
from reports.cli import named_files
from reports.cli.console import InputError, print_json, print_table, say
from reports.cli.options import Force, Json, SheetName, Spreadsheet
from reports.games import Commands
from simcore.commands import command

if TYPE_CHECKING:
    from card_data.mice_and_mystics import Facts
    from card_data.mice_and_mystics.facts import Tile
    from card_data.schema import Kind as EntryKind

rooms = Commands(
    name="rooms",
    help="Show the rooms of Mice & Mystics; check and format files of heroes, cards and rooms.",
)

Files = Annotated[
    Path, Parameter(name="FILE", required=True, help="A file of your own, ending in .toml.")
]
Kind = Annotated[
    str,
    Parameter(
        name="KIND",
        help="hero, minion, ability, search_card, encounter, tile or chapter.",
    ),
]
Changes = Annotated[
    list[Path] | None,
    Parameter(
        name="--changes",
        negative=(),
        help="A file of your own, whose entries take the places of those of the game; may be given"
        " several times.",
    ),
]


@rooms.command(name="list")
def list_rooms(*, changes: Changes = None, as_json: Json = False) -> None:
    """List the rooms, with the chapters that have them."""
    facts = _load(changes)
    rows = [
        (
            tile.id,
            tile.name,
            len(tile.spaces),
            tile.confidence,
            ", ".join(chapter.id for chapter in facts.chapters if tile.id in chapter.tiles),
        )
        for tile in facts.tiles
    ]
    headings = ("id", "name", "spaces", "confidence", "chapters")
    if as_json:
        print_json([dict(zip(headings, row, strict=True)) for row in rows])
    else:
        print_table(headings, rows, right=(2,))


@rooms.command
def show(
    room: Annotated[str, Parameter(name="ROOM", help="The id or the name of a room, such as 5.")],
    /,
    *,
    picture: Annotated[
        Path | None,
        Parameter(help="Draw the room into this file: its name ends in .png, .svg or .pdf."),
    ] = None,
    changes: Changes = None,
    as_json: Json = False,
) -> None:
    """Show a room: a map, where its exits lead, what is next to what, and what sees what.

    In a picture grey lines join neighbours. The meaning of all other signs stands below it.
    """
    from reports.mice_and_mystics.rooms.room_text import room_facts, room_lines

    if picture is not None:
        _check_picture(picture)
    facts = _load(changes)
    tile = _find(facts, room)
    if as_json:
        print_json(room_facts(facts, tile))
    else:
        print("\n".join(room_lines(facts, tile)))
    if picture is not None:
        from reports.mice_and_mystics.rooms.room_picture import picture_of

        named_files.write_named(picture, picture_of(facts, tile, picture.suffix.lower()))
        say(f"picture: {picture}")


@rooms.command
def check(*files: Files, as_json: Json = False) -> int:
    """Check files of your own: lists all faults, each with its place and the nearest valid word.

    Each file is checked together with the entries of the game that it changes. The exit status is 2
    if there is a fault.
    """
    from card_data.mice_and_mystics.loader import check_file

    return named_files.tell_faults(files, check_file, as_json=as_json)


@rooms.command(name="format")
def format_files(
    *files: Files,
    check: named_files.OnlyCheck = False,
) -> int:
    """Rewrite files of your own in the standard form; what they say stays the same.

    Entries stay in their order, fields get a fixed one, and what is usual is left out, but for
    'confidence'. Every comment stays above or beside its entry or field; those inside a list move
    above it.
    """
    from card_data.mice_and_mystics.formatter import format_file
    from card_data.mice_and_mystics.loader import check_file

    again = partial(command, "rooms", "format")
    return named_files.format_all(files, check_file, format_file, again=again, write=not check)


@rooms.command
def export(
    kind: Kind,
    table: Annotated[
        Path,
        Parameter(name="TABLE", help="The spreadsheet to write: its name ends in .csv or .xlsx."),
    ],
    /,
    *,
    changes: Changes = None,
    force: Force = False,
) -> None:
    """Write all entries of a kind as a spreadsheet: one row for each, its fields in columns.

    A cell says what a file says: words and numbers as they are, all else as in the file.
    """
    from card_data.cells import SUFFIXES
    from card_data.mice_and_mystics.entries import KINDS
    from card_data.schema.sheet import encode_entries

    of = _kind(kind)
    if table.suffix.lower() not in SUFFIXES:
        raise InputError(f"{table} cannot be written as a spreadsheet; end it in .csv or .xlsx")
    entries = getattr(_load(changes), KINDS[of].plural)
    named_files.write_new(table, encode_entries(KINDS[of], entries, table.suffix), force=force)
    print(f"{table}: {_number(len(entries), KINDS[of])}")


@rooms.command(name="import")
def import_table(
    kind: Kind,
    table: Spreadsheet,
    file: Annotated[
        Path, Parameter(name="FILE", help="The file of your own to write: it ends in .toml.")
    ],
    /,
    *,
    sheet: SheetName = None,
    force: Force = False,
) -> None:
    """Write a file of your own from a spreadsheet like those of 'rooms export'.

    If there are faults, all are listed with row and column, and nothing is written. The entries are
    checked together with those of the game; those that are as the game has them are left out.
    """
    from card_data.mice_and_mystics.entries import KINDS, SCHEMA
    from card_data.mice_and_mystics.formatter import changes_text
    from card_data.mice_and_mystics.loader import parse_changes
    from card_data.schema.formatter import entries_text
    from card_data.schema.sheet import read_entry_table

    of = _kind(kind)
    if file.suffix != ".toml":
        raise InputError(f"{file} is not a file of entries; end it in .toml")
    entries, notes = read_entry_table(table, of, SCHEMA, sheet)
    facts = parse_changes(entries_text(SCHEMA, {of: entries}), str(file))
    text = changes_text(facts, _load(None))
    if not text:
        raise InputError(f"{table}: every {of.replace('_', ' ')} is as the game has it")
    for note in notes:
        say(f"{table}: {note}")
    named_files.write_new(file, text.encode(), force=force)
    n_changed = text.count(f"\n[{of}.")
    print(f"{file}: {_number(n_changed, KINDS[of])}")


def _number(n: int, kind: "EntryKind") -> str:
    """So many entries: "2 search cards"."""
    return f"{n} {(kind.word if n == 1 else kind.plural).replace('_', ' ')}"


def _kind(said: str) -> str:
    """The word of a kind of entries.  Raises InputError."""
    from card_data.mice_and_mystics.entries import KINDS

    if said not in KINDS:
        raise InputError(unknown_word("kind of entry", said, [*KINDS]))
    return said


@rooms.command
def reference() -> None:
    """Print the reference of the files: every field, operation, timing and switch."""
    from card_data.mice_and_mystics.reference import data_reference

    print(data_reference(), end="")


def _load(changes: list[Path] | None) -> "Facts":
    """The facts of the game with a person's own files."""
    from card_data.mice_and_mystics import load_facts

    return load_facts(changes or ())


def _find(facts: "Facts", said: str) -> "Tile":
    """The room that has an id or a name."""
    for tile in facts.tiles:
        if said.casefold() in (tile.id.casefold(), tile.name.casefold()):
            return tile
    names = [name for tile in facts.tiles for name in (tile.id, tile.name)]
    raise InputError(unknown_word("room", said, names))


def _check_picture(file: Path) -> None:
    """Refuse a file that no picture can be written to, before anything is drawn."""
    from reports.mice_and_mystics.rooms.room_picture import SUFFIXES

    if file.suffix.lower() not in SUFFIXES:
        listed = ", ".join(SUFFIXES)
        raise InputError(f"{file} cannot be written as a picture; end it in one of {listed}")
    named_files.check_writable(file)
