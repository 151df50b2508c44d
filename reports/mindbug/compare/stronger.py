"""What stronger players make of a change to a pool, in words."""

import pandas as pd

from analysis.experiments.comparison import Comparison
from reports.compare.stronger import moved_text, moves_of, stronger_finding
from reports.kit.words import Finding
from reports.mindbug.compare.changes import changes_of
from reports.mindbug.compare.measures import GAME_TEXT
from reports.mindbug.run_text import called


def moved_of_card(comparison: Comparison, card: str) -> str:
    """By how much a stronger player moves the change of a card, behind what became of it."""
    moves = moves_of(comparison)
    mine = moves[moves["id"] == card]
    if mine.empty:
        return ""
    line = mine.iloc[0]
    return f"; {called(line['stronger'])} moves that by {moved_text(line)}"


def subject_of(line: pd.Series) -> str:
    """What a line is about: a card, or a number of the whole game."""
    return str(line["name"] or GAME_TEXT[line["measure"]])


def stronger_players(comparison: Comparison) -> Finding | None:
    """What stronger players make of the change; None where none played."""
    moves = moves_of(comparison)
    if moves.empty:
        return None
    shown = moves[moves["id"].isin({change.card_id for change in changes_of(comparison)} - {""})]
    if shown.empty:
        shown = moves[moves["measure"] == "first_player_win_rate"]
    return stronger_finding(
        moves,
        shown,
        f"Among {called(moves['stronger'].iloc[0])} players, who are stronger,",
        subject_of,
        lambda line: (
            f"the win rate of those dealt {line['name']}"
            if line["name"]
            else f"the share of {subject_of(line)}"
        ),
    )
