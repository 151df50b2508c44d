"""``expert``: sees nothing hidden, plays the same everywhere, finds what is proved, and wins."""

import gc
import pickle
import random
from collections.abc import Callable
from concurrent.futures import ProcessPoolExecutor
from copy import deepcopy
from multiprocessing import get_context
from pathlib import Path
from typing import Any

import numpy as np
import pytest

from analysis.mindbug import open_run
from card_data.mindbug import available_sets, load_pool
from simcore.mindbug import RUNGS, CardTable, Decision, Game, compile_cards, play_games
from simcore.mindbug.face.game import _current
from simcore.mindbug.play.engine import CHOOSE, run_task
from simcore.mindbug.play.run import new_run
from simcore.mindbug.players.look_ahead import N_STATES, WIN
from simcore.mindbug.players.search import SEARCH
from simcore.mindbug.players.seats import seat
from simcore.mindbug.table.state import GAME_STATE, MAX_SLOTS, N_KEYWORDS, STALE
from simcore.work.runs import run_games
from support.fast_game import SETS, FastGame, card_table
from support.lockstep import random_position
from support.positions import Position
from support.puzzles import Puzzle, fast, outcomes, puzzles, words_of

POOLS = {
    "first_contact": ["first_contact"],
    "king_of_tokyo": ["king_of_tokyo"],
    "all sets": list(available_sets()),
}


def table_of(pool: str) -> CardTable:
    """The compiled cards of one of the POOLS."""
    chosen = load_pool(POOLS[pool])
    return compile_cards(chosen.sets, chosen.modes)


def share_won(pool: str, opponent: str, n_games: int) -> float:
    """Share of mirrored games that ``expert`` wins, draws counted half."""
    table, won = table_of(pool), []
    for place in range(2):
        players = ("expert", opponent) if place == 0 else (opponent, "expert")
        winner = play_games(table, n_games=n_games // 2, seed=6, policies=players)["winner"]
        won.append(np.where(winner < 0, 0.5, winner == place).mean())
    return float(np.mean(won))


# What is seen -------------------------------------------------------------------------------------


def hidden_from_the_other(rng: random.Random, position: Position, deck: list[str]) -> Position:
    """The same position for who is not active, with other cards where they see none (R4).

    The first card of the active player's hand stays: it is going to be played.
    """
    other = deepcopy(position)
    sides = (other.alice, other.bob)
    theirs, mine = sides[other.active], sides[1 - other.active]
    for pile in (theirs.draw, mine.draw, other.unused):
        pile[:] = rng.choices(deck, k=len(pile))
    theirs.hand[1:] = rng.choices(deck, k=len(theirs.hand) - 1)
    return other


def seen_by(game: Game) -> tuple[Any, ...]:
    """Where a game stands and everything on the table that the decider sees."""
    position, me = game.snapshot(), game.decider
    sides = position["players"]
    open_slots = [position["limbo"], sides[me]["hand"], *(side["discard"] for side in sides)]
    cards = [[game.card(slot).card_id for slot in slots] for slots in open_slots]
    counts = [[len(side[zone]) for zone in ("hand", "draw")] for side in sides]
    for side in sides:
        del side["hand"], side["draw"]
    return game.decision, me, game.options, game.fight, cards, counts, position


def test_answers_do_not_look_at_hidden_cards() -> None:
    """R4: who is asked for a Mindbug or a blocker decides alike whatever the other one hides.

    At the beginning of a turn test_policies.py tries it for every player.
    """
    assert "expert" in RUNGS[:-1]
    table = card_table()
    deck = [card.card_id for card in table.cards if card.stage == 1]
    compared = {Decision.MINDBUG: 0, Decision.BLOCK: 0}
    for number in range(200):
        rng = random.Random(number)
        position = random_position(rng, table)
        for side in (position.alice, position.bob):
            side.hand = (["gorillion", *side.hand] + ["luchataur"] * 5)[:5]
            side.mindbugs = 1
        both = (position, hidden_from_the_other(rng, position, deck))
        games = [FastGame.from_position(one, table=table, seed=number).game for one in both]
        word = ("play", "attack")[number % 2]
        for game in games:
            places = [i for i, option in enumerate(game.options) if option.word == word]
            if places:
                game.step(places[0])
        one, other = games
        asked = one.decision in compared and one.decider != position.active
        if asked and seen_by(one) == seen_by(other):
            assert one.choose("expert") == other.choose("expert")
            compared[one.decision] += 1
    assert compared[Decision.MINDBUG] > 60
    assert compared[Decision.BLOCK] > 15


# The same everywhere ------------------------------------------------------------------------------


@pytest.mark.parametrize("pool", POOLS)
def test_games_are_the_same_however_they_are_played(pool: str, tmp_path: Path) -> None:
    """In one call, in parts on one and two threads, and decision by decision."""
    chosen, players = load_pool(POOLS[pool]), ("expert", "expert@0.2")
    table = compile_cards(chosen.sets, chosen.modes)
    games = play_games(table, n_games=60, seed=8, policies=players)
    for threads in (1, 2):
        folder = tmp_path / str(threads)
        run_games(new_run(chosen, n_games=60, seed=8, policies=players), folder, threads=threads)
        np.testing.assert_array_equal(played(folder), games)
    for first in (0, 7, 59):
        some = play_games(table, n_games=1, first_game=first, seed=8, policies=players)
        np.testing.assert_array_equal(some, games[first : first + 1])
    for number in range(3):
        game = Game(table, seed=8, game=number)
        while not game.over:
            game.step(game.choose(players[game.decider]))
        assert game.record() == games[number]


def test_other_processes_play_the_same_games(tmp_path: Path) -> None:
    """A process of its own reads the same network and thinks the same."""
    chosen, players = load_pool(POOLS["first_contact"]), ("expert", "learned")
    run = new_run(chosen, n_games=200, seed=9, policies=players)
    with ProcessPoolExecutor(1, get_context("spawn")) as executor:
        run_games(run, tmp_path, executor=executor)
    table = compile_cards(chosen.sets, chosen.modes)
    games = play_games(table, n_games=200, seed=9, policies=players)
    np.testing.assert_array_equal(played(tmp_path), games)


@pytest.mark.parametrize("copied", [deepcopy, lambda game: pickle.loads(pickle.dumps(game))])
def test_copies_of_games_think_alike(copied: Callable[[Game], Game]) -> None:
    """A copy of a game does not read the network where that of the game was: it may be gone."""
    game, other = (Game(card_table(sets=SETS[:1]), seed=1) for _ in range(2))
    game.choose("expert")  # and so draws a random number
    other.choose("expert")
    copy = copied(game)
    del game
    gc.collect()
    filled = [np.full(2**18, 77, np.int16) for _ in range(20)]
    assert copy.choose("expert") == other.choose("expert")
    assert copy.thoughts == other.thoughts
    assert len(filled) == 20


def played(folder: Path) -> np.ndarray:
    """All games of a run."""
    return np.concatenate(list(open_run(folder).parts()))


# What is judged -----------------------------------------------------------------------------------


@pytest.mark.parametrize("player", ["expert", "search:8", "search=learned:8"])
def test_positions_are_judged_by_the_powers_of_their_turn(player: str) -> None:
    """R84, C7: where a turn has ended, "your turn" is the opponent's for every creature."""
    table, compared, turned = card_table(sets=SETS[:1]), 0, 0
    rows, works = seat(table, (player, player)), np.zeros(1, SEARCH)
    for number in range(60):
        position = random_position(random.Random(number), table)
        for side in (position.alice, position.bob):
            side.play = ["goblin_werewolf", *side.play[1:6]]  # no boosts: they lie on the first
            side.hand = (["gorillion", *side.hand])[:5]
        states = np.zeros(N_STATES, GAME_STATE)
        states[0] = FastGame.from_position(position, table=table, seed=number).game._states[0]
        if states[0]["n_options"] < 2:
            continue
        run_task(CHOOSE, rows, states, works=works)
        for reached in states[2:]:
            if reached["winner"] < 0 and reached["turn"] > 0:
                anew = reached.copy()
                anew["stale"] = STALE
                assert creature_powers(rows, reached) == creature_powers(rows, anew)
                compared += 1
                turned += reached["active"] != position.active
    assert compared > 40
    assert turned > 20


def creature_powers(rows: np.ndarray, state: np.void) -> list[int]:
    """The powers of all slots, 0 outside play, as they are read in a state."""
    states = np.array([state])
    powers, keywords = np.zeros(MAX_SLOTS, np.int64), np.zeros(N_KEYWORDS, np.uint64)
    _current(rows, states, powers, keywords)
    return powers.tolist()


# What can be proved -------------------------------------------------------------------------------


@pytest.mark.parametrize(("name", "least"), [("puzzles", 72), ("puzzles_ahead", 32)])
def test_expert_solves_puzzles(name: str, least: int) -> None:
    """All but a few of either set."""
    solved = [puzzle.answer("expert") in puzzle.right for puzzle in puzzles(name)]
    assert sum(solved) >= least


def late_position(number: int) -> Puzzle:
    """A random position of First Contact with nothing hidden, Alice to move, who holds a card."""
    rng = random.Random(number)
    deck = [card.card_id for card in card_table(sets=SETS[:1]).cards]
    cards = rng.sample(deck, rng.randint(2, 4))
    cut = rng.randint(1, len(cards) - 1)
    mine, theirs = cards[:cut], cards[cut:]
    hand = [mine.pop()] if len(mine) > 1 and rng.random() < 0.6 else []
    sides: list[dict[str, Any]] = [
        {"play": play, "life": rng.randint(1, 3), "mindbugs": rng.randint(0, 1)}
        for play in (mine, theirs)
    ]
    sides[0]["hand"] = hand
    return Puzzle("", "late", "", sides[0], sides[1], asked="D1", right=[], proof=4)


def test_late_choices_are_those_of_perfect_play() -> None:
    """Where four turns decide and nothing is hidden, `expert` chooses as a slow minimax does.

    What they think is won is won: every answer of the opponent leads to a victory.
    """
    decided = right = 0
    for number in range(300):
        puzzle = late_position(number)
        table = puzzle.table()
        if table.over or table.turn > 1 or table.decider != 0:
            continue
        game, values = fast(table), outcomes(puzzle)
        option = game.choose("expert")
        chosen = values[words_of(table)[option]]
        if game.thoughts is not None and game.thoughts.values[option] > WIN - 1.0:
            assert chosen == 1
        if len(set(values.values())) > 1:
            decided += 1
            right += chosen == max(values.values())
    assert decided > 30
    assert right >= 0.95 * decided


def test_thoughts_say_what_is_best() -> None:
    """No option has more points than the choice; what is won at once has the most there can be."""
    table, rng, won = card_table(sets=SETS[:1]), random.Random(4), 0
    for number in range(40):
        game = Game(table, seed=4, game=number)
        while not game.over:
            option, decider = game.choose("expert"), game.decider
            thoughts = game.thoughts
            assert (thoughts is None) == (len(game.options) == 1)
            points = np.array([0.0] if thoughts is None else thoughts.values)
            assert thoughts is None or not thoughts.searched
            assert len(points) == len(game.options)
            assert points[option] == points.max()
            assert abs(points).max() <= WIN
            likely = abs(points) < WIN - 1.0  # where the game goes on after all that was tried
            assert abs(points[likely]).max(initial=0.0) < 20.0
            game.step(option if rng.random() < 0.8 else rng.randrange(len(game.options)))
            won += points.max() == WIN and game.winner == decider
    assert won > 0


# Strength -----------------------------------------------------------------------------------------


@pytest.mark.parametrize("pool", POOLS)
def test_expert_beats_learned(pool: str) -> None:
    """More than seven mirrored games of ten."""
    assert share_won(pool, "learned", 800) > 0.7


@pytest.mark.parametrize("pool", POOLS)
def test_expert_hardly_ever_loses_to_random(pool: str) -> None:
    """At most three games of a hundred."""
    assert share_won(pool, "random", 400) >= 0.97
