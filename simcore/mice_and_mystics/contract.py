"""What the shared code of `simcore` is told of Mice & Mystics."""

from simcore.games import Game
from simcore.mice_and_mystics import RULES_VERSION, TITLE
from simcore.mice_and_mystics.play.run import SETTINGS, count_games, played_again
from simcore.mice_and_mystics.play.setup import SEATS
from simcore.mice_and_mystics.table.compile_facts import TableError
from simcore.mice_and_mystics.table.limits import MICE
from simcore.mice_and_mystics.table.records import GAME_RECORD
from simcore.mice_and_mystics.table.unknown_words import EngineError

GAME = Game(
    name="mice_and_mystics",
    title=TITLE,
    rules_version=RULES_VERSION,
    record=GAME_RECORD,
    seats=SEATS,
    settings=SETTINGS,
    count=count_games,
    again=played_again,
    errors=(TableError, EngineError),
    player_numbers=tuple(range(1, MICE + 1)),
)
