"""The reference page of the files of a game, made from what the reader uses."""

from collections.abc import Mapping

from card_data.schema.fields import Field, ListOf, Record
from card_data.schema.kinds import Kind, Schema
from card_data.toml_files import MAX_FILE_BYTES, MAX_LINE

_PAGE = """\
# The files of {title}

Entries stand in TOML files. An entry begins with a header, its kind and its id: `{header}`. Ids are
made of a-z, 0-9 and `_`, a letter first. A file may begin with `game = "{game}"`.

To play changes of your own, write them into another file and join it to the game with `+`. An entry
whose kind and id are known takes the place of the old one, as a whole; one with a new id is added.

{kinds}## Limits

At most {size} bytes in a file, {characters} characters in a line.
"""


def reference(schema: Schema) -> str:
    """The reference page of a game, as Markdown."""
    return _PAGE.format(
        title=schema.title,
        game=schema.game,
        header=schema.layout.header,
        kinds="".join(kind_section(kind, kind.all_fields) for kind in schema.kinds.values()),
        size=f"{MAX_FILE_BYTES:,}",
        characters=f"{MAX_LINE:,}",
    )


def kind_section(kind: Kind, fields: Mapping[str, Field]) -> str:
    """The part of a page about a kind of entry, with some of its fields."""
    about = f"{kind.meaning}\n\n" if kind.meaning else ""
    parts = [f"## `{kind.header}`\n\n{about}{field_table(fields)}\n"]
    for name, field in fields.items():
        inner = field.one if isinstance(field, ListOf) else field
        if isinstance(inner, Record):
            each = "Each table" if isinstance(field, ListOf) else "The table"
            parts.append(f"\n{each} in `{name}`:\n\n{field_table(inner.fields)}\n")
    return "".join(parts) + "\n"


def field_table(fields: Mapping[str, Field]) -> str:
    """The fields of an entry or table."""
    rows = ["| field | meaning | holds | if left out |", "|---|---|---|---|"]
    for name, field in fields.items():
        default = "must be there" if field.required else _default(field)
        row = [f"`{name}`", field.meaning, field.allowed, field.left_out or default]
        rows.append(f"| {' | '.join(row)} |")
    return "\n".join(rows)


def _default(field: Field) -> str:
    """What a field is that is left out."""
    value = field.default
    if not value and value is not False and value != 0:
        return "none"
    return f"`{str(value).lower() if isinstance(value, str | bool) else field.write(value)}`"
