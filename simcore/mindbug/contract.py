"""What the shared code of `simcore` is told of Mindbug."""

from simcore.games import Game
from simcore.mindbug.play.run import SETTINGS, count_games, played_again
from simcore.mindbug.table.records import GAME_RECORD, RULES_VERSION, SEATS
from simcore.mindbug.table.unknown_words import UnknownWordError

GAME = Game(
    name="mindbug",
    title="Mindbug",
    rules_version=RULES_VERSION,
    record=GAME_RECORD,
    seats=SEATS,
    settings=SETTINGS,
    count=count_games,
    again=played_again,
    errors=(UnknownWordError,),
)
