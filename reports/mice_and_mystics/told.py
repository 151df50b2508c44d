"""A game of a run as lines of text, with the maps drawn in it."""

from collections.abc import Iterable, Iterator
from typing import NamedTuple

import numpy as np

from analysis.mice_and_mystics.contract import facts_of
from analysis.mice_and_mystics.replays import replay
from analysis.runs import Run
from card_data.mice_and_mystics.facts import Facts, by_id
from reports.mice_and_mystics.rooms.room_text import map_lines
from simcore.mice_and_mystics.face.replay import Board
from simcore.narration import Replay

# The size of a map, its frame included.
_COLUMNS, _LINES = 72, 20
_MARGIN = "    "


class ToldGame(NamedTuple):
    """One game: its record, and what happened, line by line."""

    record: np.void
    lines: list[str]


def tell(run: Run, game: int) -> ToldGame:
    """Game number ``game`` of a run.

    Raises RunError when the run is damaged or this version plays the game otherwise, ValueError
    when there is no such game.
    """
    told = replay(run, game)
    return ToldGame(told.record, list(lines(told, facts_of(run).data)))


def lines(told: Replay, facts: Facts) -> Iterator[str]:
    """The story of a game that was played with some facts."""
    return story_lines(told.lines, facts)


def story_lines(story: Iterable[str | Board], facts: Facts) -> Iterator[str]:
    """A story with its maps drawn, line by line as it goes."""
    rooms = by_id(facts.tiles)
    for one in story:
        if isinstance(one, Board):
            drawn = map_lines(rooms[one.tile], one.standing, columns=_COLUMNS, lines=_LINES)
            yield from (f"{_MARGIN}{line}" for line in drawn)
        else:
            yield one
