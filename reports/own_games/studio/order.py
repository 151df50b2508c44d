"""Whether the rules of a game can be trusted, asked in the studio."""

from functools import partial
from pathlib import Path
from typing import TYPE_CHECKING

from reports.cli.console import progress
from reports.own_games.studio.opened import Opened
from reports.studio.bench import Show, Trial, Tried

if TYPE_CHECKING:
    from reports.studio.work import Asked


def trial(opened: Opened, *, has_entries: bool) -> Trial:
    """The check as it can be asked for."""
    more = ", and in the entries of this file" if has_entries else ""
    return Trial(
        "Is the game in order?",
        "Plays games with every number of players and looks at many positions for mistakes in the"
        f" rules{more}. Takes up to 30 seconds.",
        "Check",
        partial(_check, opened),
        of_pool=True,
    )


def _check(opened: Opened, asked: "Asked", show: Show) -> None:
    """Do what ``fairdeal check`` does, of the game with the file."""
    from reports.own_games.check import lines, sentence
    from reports.own_games.options import load_table
    from simcore.own_games.check import check

    opened.game()
    table = load_table([opened.said(Path(asked.file))], None, ())
    with progress("checking") as advance:
        report = check(table, on_progress=advance)
    show(Tried(sentence(table.game.title, report), lines=[*lines(report)]))
