"""The story of a game of Mice & Mystics agrees with its record, and reads as promised."""

import re
from collections.abc import Iterator

import numpy as np
import pytest

from simcore.mice_and_mystics.face.game import Game
from simcore.mice_and_mystics.face.moments import Moment
from simcore.mice_and_mystics.face.replay import Board, replay_game
from simcore.mice_and_mystics.face.replay_text import Book, grouped
from simcore.mice_and_mystics.play.simulate import play_games
from simcore.mice_and_mystics.table import words
from simcore.mice_and_mystics.table.limits import MICE
from simcore.mice_and_mystics.table.records import ROLLED, Outcome
from simcore.narration import Replay
from support.mice_and_mystics.fast_table import table_of

SEED = 11
AT_ONCE = ("surge_timing=at_once", "after_encounter=continue_round", "parties=any")
RICH = ("cheese_at_start=6", "parties=any")
GAMES = [
    ("ch1_flight_to_barksburg", (), "heuristic"),
    ("ch1_flight_to_barksburg", RICH, "category"),
    ("ch1_flight_to_barksburg", AT_ONCE, "uniform"),
    ("standin_four_rooms", (), "learned"),
    ("standin_four_rooms", AT_ONCE, "heuristic@0.2"),
    ("standin_four_rooms", RICH, "uniform"),
    ("ch1_flight_to_barksburg", (), "search:4"),
]
ENDINGS = {
    "The chapter is won on page": Outcome.WIN,
    "The hourglass has reached page": Outcome.LOSS_PAGE,
    "No mouse is left on the tile": Outcome.LOSS_CAPTURED,
    "The game is stopped": Outcome.TIMEOUT,
}
ODD = re.compile(
    r"None|np\.|\(\)|: *$|: \.|\.\.|\S  |\b1 (hits|dice|wounds|minions|pages|surges|spaces)\b"
    r"|\b(Rat Warrior|Roach) 0|\b(?!1 )\d+ (hit|die|wound|minion|page|surge|space)\b"
)


def lines_of(told: Replay) -> list[str]:
    """The story without its maps."""
    return [line for line in told.lines if isinstance(line, str)]


def total(lines: list[str], pattern: str) -> int:
    """The sum of the numbers that a pattern with one group finds."""
    return sum(int(found) for line in lines for found in re.findall(pattern, line))


def check_counts(lines: list[str], record: np.void) -> None:
    """What the story adds up to is what the record has counted."""
    rolled = dict(zip(ROLLED, record["rolled"], strict=True))
    story = "\n".join(lines)
    assert story.count("SURGE!") == record["surges"]
    assert story.count(" is captured") == record["captures"]
    assert len(re.findall(r"^Round \d", story, re.MULTILINE)) == record["rounds"]
    hurt = [line for line in lines if not re.match(r" +(Spider|Cave|Captain)", line)]
    assert total(hurt, r"takes (\d+) (?:poison )?wounds? and") == record["wounds_total"]
    on_wheel = ("attack", "defense", "event", "idle", "counter")
    assert total(lines, r"(\d+) cheese goe?s? on the wheel") == sum(
        record[f"wheel_in_{why}"] for why in on_wheel
    )
    gained = record["cheese_income"].sum() - record["cheese_in_start"]
    assert total(lines, r"gains (\d+) cheese") == gained
    mice = [line for line in lines if re.search(r"rolls \d+ dic?e (again )?with", line)]
    hits = rolled["mouse_melee_hits"] + rolled["mouse_ranged_hits"]
    assert total(mice, r": (\d+) hit") == hits
    assert total(mice, r"rolls (\d+)") == rolled["mouse_melee_dice"] + rolled["mouse_ranged_dice"]
    if not any(" again with " in line for line in mice):
        assert sum(line.count("cheese") for line in mice) == record["cheese_in_attack"]
    minions = [line for line in lines if re.search(r"rolls \d+ dic?e: .*\d hits?\.$", line)]
    hits = rolled["minion_melee_hits"] + rolled["minion_ranged_hits"]
    assert total(minions, r": (\d+) hit") == hits
    assert sum(line.count("cheese") for line in minions) == record["wheel_in_attack"]
    blocked = record["mouse_hits_blocked"] + record["minion_hits_blocked"]
    assert total(lines, r"blocks (\d+)") == blocked


def check_words(lines: list[str]) -> None:
    """No id, no empty place, singular and plural where they belong."""
    ids = "|".join(one for one in words.OPTION_WORDS if len(one) > 3)
    for line in lines:
        assert not ODD.search(line), line
        assert not re.search(rf"\b({ids}|\w+_\w+)\b", line), line


@pytest.mark.parametrize(("chapter", "switches", "player"), GAMES)
def test_story_agrees_with_the_record(chapter: str, switches: tuple[str, ...], player: str) -> None:
    """The record is that of the run, byte for byte, and the story adds up to its counters."""
    table = table_of(chapter, *switches)
    records = play_games(table, n_games=2, seed=SEED, players=(player,))
    for record in records:
        told = replay_game(table, seed=SEED, game=int(record["game"]), players=(player,))
        assert told.record.tobytes() == record.tobytes()
        lines = lines_of(told)
        check_words(lines)
        check_counts(lines, record)
        (ending,) = {way for text, way in ENDINGS.items() for line in lines if text in line}
        assert ending == record["outcome"]


@pytest.mark.parametrize("kind", range(len(words.OPTION_WORDS)))
def test_every_kind_of_option_has_words(kind: int) -> None:
    """Whatever an entry is aimed at, it reads as words, without an id."""
    table = table_of("ch1_flight_to_barksburg")
    game = Game(table, seed=SEED)
    book = Book(table)
    now = Moment(game)
    targets = dict.fromkeys(range(len(words.TARGET_WORDS)), 1) | {int(words.AT_CARD): MICE}
    options = [kind | 1 << 8 | aim << 16 | target << 24 for aim, target in targets.items()]
    if kind == words.TARGET:
        options = [kind | int(aim) << 8 | 1 << 16 for aim in (words.AT_FIGURE, words.AT_THING)]
    if kind == words.REACT:
        options.append(kind | int(words.NO_CARD) << 8)
    for option in options:
        check_words([grouped([book.phrase(now, option, "figure {}".format), ("pass", "")], 0)])


def ambushes(lines: list[str]) -> Iterator[tuple[list[str], list[tuple[str, int]], list[str]]]:
    """The track before each ambush, the moves up, and the track of the round that follows."""
    for number, line in enumerate(lines):
        if found := re.search(r"Ambush! The track was (.*); (.*)\.", line):
            moves = [
                (name.strip().removeprefix("and "), int(n))
                for name, n in re.findall(
                    r"([^,\d]+?) moves? up (\d)", found[2].replace(" and ", "")
                )
            ]
            after = next(one for one in lines[number:] if "nitiative: " in one)
            track = after.split("nitiative: ")[1].removesuffix(".").split(", ")
            yield found[1].split(", "), moves, track


def test_an_ambush_is_told_as_it_was_rolled() -> None:
    """M81: the cards of minions move up from where the shuffle has left them."""
    table = table_of("ch1_flight_to_barksburg")
    records = play_games(table, n_games=60, seed=SEED, players=("heuristic",))
    found = 0
    for record in records[records["ambushes"] > 0][:6]:
        told = replay_game(table, seed=SEED, game=int(record["game"]), players=("heuristic",))
        for track, moves, after in ambushes(lines_of(told)):
            for name, n in moves:
                place = track.index(name)
                track.insert(max(0, place - n), track.pop(place))
            assert track == after
            found += 1
    assert found > 3


def test_maps_show_who_stands_where() -> None:
    """Every figure of the list at the head of a round is on the map below it."""
    table = table_of("ch1_flight_to_barksburg")
    told = replay_game(table, seed=SEED, game=1, players=("heuristic",))
    boards = [one for one in told.lines if isinstance(one, Board)]
    assert len(boards) > 3
    for board in boards:
        mice = "".join(tag for tags in board.standing.values() for tag in tags if tag.isupper())
        assert 1 <= len(mice) <= 4
        assert len(set(mice)) == len(mice)
