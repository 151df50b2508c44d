"""What a stronger player makes of a chapter: in words, and as a section of the report.

Nothing is estimated here; all of it quotes the table ``stronger``.
"""

from collections.abc import Mapping

import pandas as pd

from analysis.mice_and_mystics.run_facts import ALL
from reports.balance.sections import Block, Downloads, Grid, Section, Text
from reports.kit.verdicts import settled
from reports.kit.words import between, count, games, interval_of, percent, points
from reports.mice_and_mystics.balance.names import party_name
from reports.mice_and_mystics.balance.rows import Columns

_TABLE = "stronger"
_ABOUT = (
    "The same chapter played by a stronger player, on other deals. It says how far the win rates"
    " depend on who plays. Won in per cent, moves in percentage points, with 95\u00a0% intervals,"
    " corrected for their number."
)


def stronger_headline(tables: Mapping[str, pd.DataFrame]) -> str:
    """By how much a stronger player moves the win rate, behind it; "" where none played."""
    if _TABLE not in tables:
        return ""
    row = tables[_TABLE].iloc[0]
    return f"; {row['stronger']} moves that by {_move(row)}"


def stronger_text(tables: Mapping[str, pd.DataFrame]) -> str:
    """The same in full, with the parties; "" where no stronger player played."""
    if _TABLE not in tables:
        return ""
    row, parties = tables[_TABLE].iloc[0], tables[_TABLE].iloc[1:]
    known = between(row["stronger_win_rate_ci_low"], row["stronger_win_rate_ci_high"])
    said = (
        f"Played by {row['stronger']}, who is stronger, {percent(row['stronger_win_rate'])} of"
        f" {games(row['stronger_n_games'])} are won ({known}), a move of {_move(row)}."
    )
    if parties.empty:
        return said
    clear = settled(parties, "move")
    if clear.empty:
        return f"{said} No single party is shown to be moved."
    most = clear.loc[clear["move"].abs().idxmax()]
    are = "is" if len(clear) == 1 else "are"
    return (
        f"{said} {count(len(clear))} of {len(parties)} parties {are} shown to be moved, most"
        f" {party_name(most['party'])} ({points(most['move'])})."
    )


def stronger_sections(tables: Mapping[str, pd.DataFrame]) -> list[Section]:
    """The section on it; none where no stronger player played."""
    if _TABLE not in tables:
        return []
    table = tables[_TABLE]
    of, first = Columns(_TABLE), table.iloc[0]
    columns = [
        of.word("Party", "party", lambda party: "All games" if party == ALL else party_name(party)),
        of.rate(f"Won by {first['player']}", "win_rate", "n_games"),
        of.rate(f"Won by {first['stronger']}", "stronger_win_rate", "stronger_n_games"),
        of.effect("Move", "move", first=True),
    ]
    grid = Grid.of(columns, table, "Table of what a stronger player moves", "sortable")
    blocks: list[Block] = [
        Text(stronger_text(tables)),
        Text(_ABOUT, hint=True),
        grid,
        Downloads.of(_TABLE),
    ]
    return [Section("stronger", "A stronger player", blocks)]


def _move(row: pd.Series) -> str:
    return f"{points(row['move'])} points ({interval_of(row, 'move', points)})"
