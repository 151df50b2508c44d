"""Versions of a card side by side, and what a diary says of it.  Nothing is estimated here."""

import re
from collections.abc import Iterator, Sequence
from functools import partial
from pathlib import Path

import pandas as pd
from attrs import frozen

from card_data.mindbug.language.rules_text import rules_text
from card_data.mindbug.schema import Card
from reports.balance.sections import Grid
from reports.kit.cells import Cell, Column, Ground, cell_of, counted, number, verdict, word
from reports.kit.findings import ends
from reports.kit.page import write_rendered
from reports.kit.words import (
    ARROW,
    Finding,
    bare_percent,
    between,
    count,
    display_name,
    games,
    percent,
    plural,
)
from reports.mindbug.compare.text import MEASURE_TEXT
from reports.mindbug.run_text import called

VERSIONS_TABLE = ("version", "day", "won when dealt", "", "verdict", "measured", "games", "note")
_LONGEST = 300

DIARY_TABLE = ("day", "change", "before", "after", "verdict", "why")

_ENTRY = re.compile(r"^## (\d{4}-\d\d-\d\d): ", re.MULTILINE)
_WHY = re.compile(r"^\*\*Why\.\*\* (.*)$", re.MULTILINE)
# A bar between cells, not one that a name has.
_BAR = re.compile(r"(?<!\\)\|")
_ESCAPED = re.compile(r"\\(.)")
_DEALT = f", {MEASURE_TEXT['dealt']}"


@frozen
class Entry:
    """An entry on a change of a card, in the words of the diary; "" for what it does not say."""

    day: str
    change: str
    before: str
    after: str
    verdict: str
    why: str

    @property
    def row(self) -> tuple[str, ...]:
        """The cells of its row; the headings are `DIARY_TABLE`."""
        return (self.day, self.change, self.before, self.after, self.verdict, self.why)


def entries(diary: str, name: str) -> Iterator[Entry]:
    """The entries of a diary in which a card of that name was changed, in their order."""
    _, *parts = _ENTRY.split(diary)
    for day, text in zip(parts[::2], parts[1::2], strict=True):
        lines = text.splitlines()
        said = [_plain(line[2:]) for line in lines if line.startswith("- ")]
        starts = f"{name}, ", f"{name} is "
        changed = [one.removeprefix(starts[0]) for one in said if one.startswith(starts)]
        if not changed:
            continue
        before = after = verdict = ""
        for line in lines:
            cells = [_plain(cell) for cell in _BAR.split(line)[1:-1]]
            if len(cells) >= 6 and cells[0] == f"{name}{_DEALT}":
                before, after, verdict = cells[1], cells[2], cells[5]
        why = _WHY.search(text)
        yield Entry(day, "; ".join(changed), before, after, verdict, _plain(why[1]) if why else "")


def _plain(text: str) -> str:
    """Text without the marks that Markdown needs."""
    return _ESCAPED.sub(r"\1", text).replace("&amp;", "&").strip()


def face(card: Card) -> str:
    """What a version is: "power 5, HUNTER, 2 copies. Play: Gain 1 life."."""
    symbols = [keyword.name for keyword in sorted(card.keywords)]
    copies = f"{card.copies} {'copy' if card.copies == 1 else 'copies'}"
    facts = ", ".join([f"power {card.power}", *symbols, copies])
    return " ".join([f"{facts}.", *rules_text(card)])


def letter(measured: int) -> str:
    """The letter of circumstances, which count from 1: A, B and so on."""
    return chr(ord("A") + measured - 1) if measured <= 26 else str(measured)


def rows(table: pd.DataFrame) -> list[tuple[str, ...]]:
    """The rows of the console's table; the headings are `VERSIONS_TABLE`."""
    return [
        (
            str(row["version"]),
            row["day"],
            percent(row["win_rate"]),
            between(row["ci_low"], row["ci_high"]),
            row["verdict"],
            letter(row["measured"]),
            count(row["n_games"]),
            display_name(row["note"], 60),
        )
        for _, row in table.iterrows()
    ]


def faces(table: pd.DataFrame) -> list[tuple[str, str]]:
    """Each version and what it is."""
    each = table.drop_duplicates("version")
    return [
        (f"version {one.version}", display_name(one.text, _LONGEST)) for one in each.itertuples()
    ]


def circumstances(table: pd.DataFrame) -> list[tuple[str, str]]:
    """How rows with each letter were measured."""
    each = table.drop_duplicates("measured").sort_values("measured")
    return [
        (
            letter(one.measured),
            called(one.policies)
            + (f", dealt to {called(one.policy)}" if " against " in one.policies else "")
            + f", {display_name(one.sets, _LONGEST)}"
            + (f", {one.rules}" if one.rules else ""),
        )
        for one in each.itertuples()
    ]


def comparable(table: pd.DataFrame) -> str:
    """Which rows may be compared."""
    if table["measured"].nunique() == 1:
        return "All were measured with the same players, other cards and rules."
    return (
        "Compare rows with the same letter: they have the same players, other cards and rules."
        " Between letters one of these differs, and so may the numbers, whatever the card is."
    )


def summary(table: pd.DataFrame, name: str) -> str:
    """How many versions there are, and of how many runs."""
    n, n_runs = table["version"].nunique(), table["folder"].nunique()
    return (
        f"{display_name(name)}: {n} {plural('version', n)} in {n_runs} {plural('run', n_runs)},"
        f" {games(int(table.drop_duplicates('folder')['n_games'].sum()))} in all"
    )


def headline(table: pd.DataFrame, name: str) -> str:
    """What became of the card from its first version to its last, measured in the same way."""
    known = table.dropna(subset=["win_rate"])
    groups = [rows for _, rows in known.groupby("measured") if rows["version"].nunique() > 1]
    if not groups:
        return f"Versions of {display_name(name)}"
    longest = max(groups, key=lambda rows: rows["version"].nunique())
    first, last = longest.iloc[0], longest.iloc[-1]
    return (
        f"{display_name(name)}: players dealt it win {percent(first['win_rate'])} {ARROW}"
        f" {percent(last['win_rate'])} from version {first['version']} to {last['version']}"
    )


def _lead(table: pd.DataFrame) -> Grid:
    """The chart of the versions: how often players win who are dealt each."""

    def won(row: pd.Series) -> Cell:
        return number(row["win_rate"], row["ci_low"], row["ci_high"], bare_percent)

    columns = [
        Column("Version", "", lambda row: word(f"{row['version']} ({letter(row['measured'])})")),
        Column("Won, %", "", won, ground=Ground(partial(percent, digits=0), 0.5)),
        Column("Verdict", "", cell_of("verdict", verdict), "word"),
    ]
    label = "Games won by players dealt each version, in per cent with 95% intervals"
    alike = table[table["measured"] == table["measured"].iloc[-1]]
    finding = ends(
        [f"Version {version}" for version in alike["version"]], alike, "win_rate",
        "{0} wins {1} of its games, {2} {3}",
        none="No version is shown to win more than another",
    )  # fmt: skip
    said = "; ".join(f"{which}: {what}" for which, what in circumstances(table))
    return Grid.of(columns, table, label, "chart", said, finding)


def write_versions_page(
    table: pd.DataFrame,
    name: str,
    card_id: str,
    project: Path,
    command: str,
    noted: Sequence[Entry] = (),
) -> Path:
    """Write ``card-ID.html`` to a project; its path.  Raises RunError.

    ``noted`` is what a diary says of the card.
    """
    return write_rendered(
        *(project / f"card-{card_id}.html", "versions.html"),
        title=f"Versions of {display_name(name)}",
        headline=headline(table, name),
        lead=_lead(table),
        played=summary(table, name),
        findings=[Finding(which, said) for which, said in faces(table)],
        headings=_HEADINGS,
        rows=[_cells(row) for _, row in table.iterrows()],
        comparable=comparable(table),
        circumstances=circumstances(table),
        command=command,
        diary_headings=[(heading.capitalize(), "word") for heading in DIARY_TABLE],
        diary=[[word(cell) for cell in entry.row] for entry in noted],
        csv={},
    )


_HEADINGS: Sequence[tuple[str, str]] = (
    ("Version", ""),
    ("Day", "word"),
    ("Won when dealt, %", ""),
    ("Verdict", "word"),
    ("Measured", "word"),
    ("Games", ""),
    ("Note", "word"),
)


def _cells(row: pd.Series) -> list[Cell]:
    return [
        Cell(str(row["version"]), title=display_name(row["text"], _LONGEST)),
        word(row["day"]),
        number(row["win_rate"], row["ci_low"], row["ci_high"], bare_percent),
        word(row["verdict"]),
        word(letter(row["measured"])),
        counted(row["n_games"]),
        word(display_name(row["note"], _LONGEST)),
    ]
