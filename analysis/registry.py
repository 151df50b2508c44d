"""Tables, each registered once: what it is called, what its columns mean, how it is made.

A game has one `Registry` of its tables.  It drives what `analysis.tables.analyze` makes and writes,
the column dictionary ``docs/columns.md``, the messages of charts that get another table, the
workbook, and what ``--json`` tells.  The entry of a table stands in the module that makes it, and
the chart of a table is registered beside its plot function (`reports.kit.charts`).
"""

from collections.abc import Callable, Iterator, Mapping, Sequence
from typing import TYPE_CHECKING, Any

from attrs import field, frozen

if TYPE_CHECKING:
    import pandas as pd

#: What the columns with the ends of an interval say.
LOW, HIGH = "lower end of its interval", "upper end of its interval"

#: What every q-value says.
Q_VALUE = (
    "the share of false finds to expect, at most, if this row and every row with a smaller q count"
    " as real"
)


@frozen
class Table:
    """A table.

    Attributes
    ----------
    name
        What it is called, and its files.
    rows
        What a row is: "One row per card".
    columns
        The meaning of each column, in their order.
    make
        Makes the table from what was counted of a run (`analysis.tables.Counts`): a pure function.
        None for a table that something else than ``analyze`` makes.
    where
        The folder that it lies in.
    files
        What it is read from, if not from the files in ``tables/``; ``note`` says more about it.
    types
        The type of each column, where that does not go without saying.
    words
        The meaning of each word that its lines may begin with, such as a statistic.
    json_columns, json_rows
        What ``--json`` tells of a table with many columns or rows: which columns (None: all of
        them, none: nothing at all), and a function that picks rows.
    differences, numbers
        Columns to be shown with their sign, in percentage points, and as plain numbers; other
        numbers that are not whole are shares.
    """

    name: str
    rows: str
    columns: Mapping[str, str] = field(repr=False)
    make: "Callable[[Any], pd.DataFrame] | None" = field(default=None, repr=False, kw_only=True)
    where: str = field(default="in the folder of a run", repr=False, kw_only=True)
    files: str = field(repr=False, kw_only=True)
    note: str = field(default="", repr=False, kw_only=True)
    types: Mapping[str, str] = field(factory=dict, repr=False, kw_only=True)
    words: Mapping[str, str] = field(factory=dict, repr=False, kw_only=True)
    json_columns: Sequence[str] | None = field(default=None, repr=False, kw_only=True)
    json_rows: "Callable[[pd.DataFrame], pd.Series[bool]] | None" = field(
        default=None, repr=False, kw_only=True
    )
    differences: Sequence[str] = field(default=(), repr=False, kw_only=True)
    numbers: Sequence[str] = field(default=(), repr=False, kw_only=True)

    @files.default
    def _usual_files(self) -> str:
        return f"`tables/{self.name}.csv` and `tables/{self.name}.parquet`"

    def frame(self, rows: Sequence[Mapping[str, Any]]) -> "pd.DataFrame":
        """Rows as a table with all its columns, even where there are no rows."""
        import pandas as pd

        return pd.DataFrame(rows, columns=list(self.columns))


class Registry(Mapping[str, Table]):
    """Tables by name, in the order in which they are best read."""

    def __init__(self, *tables: Table) -> None:
        self._tables = {table.name: table for table in tables}
        if len(self._tables) < len(tables):
            names = [table.name for table in tables]
            twice = next(name for name in names if names.count(name) > 1)
            raise ValueError(f"the table {twice!r} is registered twice")

    def __getitem__(self, name: str) -> Table:
        return self._tables[name]

    def __iter__(self) -> Iterator[str]:
        return iter(self._tables)

    def __len__(self) -> int:
        return len(self._tables)


def with_interval(column: str, meaning: str, together: str = "") -> dict[str, str]:
    """The columns of an estimate and of the two ends of its interval.

    ``together`` says for what the intervals hold together, "" for each by itself.
    """
    more = f", which holds for {together} together" if together else ""
    return {
        column: meaning,
        f"{column}_ci_low": f"`{column}`: {LOW}{more}",
        f"{column}_ci_high": f"`{column}`: {HIGH}{more}",
    }


def with_ends(*columns: str) -> tuple[str, ...]:
    """The names of the columns of estimates and of the ends of their intervals."""
    return tuple(f"{column}{end}" for column in columns for end in ("", "_ci_low", "_ci_high"))


def q_value(family: str, p_value: str = "`p_value`") -> str:
    """The meaning of a p-value corrected for the number of ``family``."""
    return f"{Q_VALUE}: {p_value}, corrected for the number of {family} (Benjamini-Hochberg)"


_HEAD = """\
# {title}

Written by `python -m {module}`; do not edit.{rules}

Intervals are for 95%, unless the command that made the table was given another `--confidence`; the
metadata of its Parquet file then say which (`confidence`).

A table is written as CSV with nine digits of each number, and as Parquet with all of them.

In the Parquet files of a run a list such as `int16[20]` is a binary value of little-endian numbers,
which is several times faster to write; `Run.games()` and `Run.parts()` give lists and arrays. In
another Parquet reader: `numpy.frombuffer(b"".join(column), "<i2").reshape(-1, 20)`, with the type
of the numbers in the column's metadata (`dtype`).
"""


def columns_page(registry: Registry, *, title: str, module: str, letters: str = "") -> str:
    """The column dictionary of a game as Markdown: a section for each table.

    ``module`` writes it; ``letters`` are those of the rules that are cited, "" for none.
    """
    rules = f"  {letters} numbers are those of the\nrules text." if letters else ""
    lines = [_HEAD.format(title=title, module=module, rules=rules)]
    for table in registry.values():
        place = ", ".join(filter(None, [table.rows, table.where]))
        lines += [f"## {table.name}", "", f"{place}: {table.files}{table.note}", ""]
        lines += ["| column | type | meaning |" if table.types else "| column | meaning |"]
        lines += ["|---|---|---|" if table.types else "|---|---|"]
        for column, meaning in table.columns.items():
            kind = [table.types[column]] if table.types else []
            lines.append(f"| {' | '.join([f'`{column}`', *kind, meaning])} |")
        lines.append("")
        if table.words:
            lines += ["| statistic | meaning |", "|---|---|"]
            lines += [f"| `{name}` | {meaning} |" for name, meaning in table.words.items()]
            lines.append("")
    return "\n".join(lines)
