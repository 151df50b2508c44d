"""Puzzles: positions with one right answer, to judge players by.

There are two sets: ``puzzles.toml``, and ``puzzles_ahead.toml``, in which the right answer shows
only a few choices later. They are for measuring players: nothing is ever trained on them or on
positions made from them. ``make puzzles PLAYERS="learned search:400"`` tells which ones players
solve.

A puzzle is a table of its file, named by what it is about. ``kind`` groups puzzles, ``why`` proves
the answer. ``alice`` and ``bob`` say what each has, in the words of ``positions.Side``, ``active``
whose turn it is (alice), ``sets`` the pool (First Contact), ``power_deck`` the power cards (King of
Tokyo) and ``seed`` the luck. ``before`` lists the choices that lead to the decision, in the words
of ``positions.Table``; then ``asked`` is the decision point, and ``right`` are the options that are
right, all others being wrong. What the decider cannot see does not matter.

``proof`` is the number of turns, from the position on, within which playing out every choice of
both players shows that a right answer leads to more (a win, or at least no loss) than a wrong one.
A puzzle without it is about luck or about what lies farther ahead; its ``why`` has to do.
``solved_from`` is the weakest player that has to solve it: ``learned`` or a search.
"""

import copy
import sys
import tomllib
from dataclasses import dataclass, field
from functools import cache
from typing import Any

import numpy as np

from simcore.mindbug import Game
from support.fast_game import DATA, FastGame, card_table
from support.positions import NAMES, Position, Side, Table

SETS = ("puzzles", "puzzles_ahead")


@dataclass(frozen=True)
class Puzzle:
    """One position, what is asked in it and which answers are right."""

    name: str
    kind: str
    why: str
    alice: dict[str, Any]
    bob: dict[str, Any]
    asked: str
    right: list[str]
    active: str = "alice"
    before: list[str] = field(default_factory=list)
    sets: list[str] = field(default_factory=lambda: ["first_contact"])
    power_deck: list[str] = field(default_factory=list)
    seed: int = 0
    proof: int = 0
    solved_from: str = "learned"

    def table(self, *, turn_cap: int = 500) -> Table:
        """The game at the decision that is asked, in words."""
        tokyo = "king_of_tokyo" in self.sets
        position = Position(
            alice=Side(**self.alice),
            bob=Side(**self.bob),
            active=NAMES.index(self.active),
            after_mindbug="action" if tokyo else "turn",
            power_deck=self.power_deck,
            kot_parts=tokyo,
        )
        cards = card_table(
            position.after_mindbug, turn_cap, sets=tuple(self.sets), kot_parts=position.kot_parts
        )
        table = Table(FastGame.from_position(position, table=cards, seed=self.seed), position)
        for words in self.before:
            table.choose(words)
        return table

    def answer(self, player: str) -> str:
        """The option in words that a player chooses."""
        table = self.table()
        return words_of(table)[fast(table).choose(player)]


def fast(table: Table) -> Game:
    """The engine's game under a table."""
    assert isinstance(table.game, FastGame)
    return table.game.game


def words_of(table: Table) -> list[str]:
    """The offered options in words, in the order of their numbers."""
    decision = table.game.decision
    assert decision is not None
    by_words = table._options_by_words()
    of_option = {option: words for words, options in by_words.items() for option in options}
    return [of_option[option] for option in decision.options]


@cache
def puzzles(name: str = "puzzles") -> tuple[Puzzle, ...]:
    """All puzzles of one of the SETS, in the order of the file."""
    entries = tomllib.loads((DATA / f"{name}.toml").read_text("utf-8"))
    return tuple(Puzzle(name=name, **entry) for name, entry in entries.items())


def outcomes(puzzle: Puzzle, *, luck: int | None = None) -> dict[str, int]:
    """What each option leads to within ``puzzle.proof`` turns if both play perfectly.

    1 is a win of the player who is asked, -1 a loss, 0 neither. Both know all cards and what chance
    will bring: that of the puzzle's own seed, or another one numbered ``luck``.
    """
    table = puzzle.table(turn_cap=puzzle.proof)
    game = fast(table)
    if luck is not None:
        streams = game._states[0]["streams"]
        streams[:] = np.random.default_rng(luck).integers(
            2**64, size=streams.shape, dtype=np.uint64
        )
    player = game.decider
    return {
        words: _outcome(_after(game, number), player, -1, 1)
        for number, words in enumerate(words_of(table))
    }


def _after(game: Game, option: int) -> Game:
    """The game after an option; the given one stays as it is."""
    other = copy.copy(game)
    other._states = game._states.copy()
    other.step(option)
    return other


def _outcome(game: Game, player: int, low: int, high: int) -> int:
    """Alpha-beta search for 1 (``player`` wins), 0 or -1, as far as it lies between the bounds."""
    if game.over:
        return 0 if game.winner < 0 else 1 if game.winner == player else -1
    mine = game.decider == player
    for option in range(int(game._states[0]["n_options"])):
        value = _outcome(_after(game, option), player, low, high)
        if mine:
            low = max(low, value)
        else:
            high = min(high, value)
        if low >= high:
            break
    return low if mine else high


def main(players: list[str]) -> None:
    """Print how many puzzles of each set the players solve, and which they do not."""
    for name in SETS:
        chosen = puzzles(name)
        for player in players:
            missed = [puzzle.name for puzzle in chosen if puzzle.answer(player) not in puzzle.right]
            solved = f"{name}: {player} solves {len(chosen) - len(missed)} of {len(chosen)}"
            print(", not ".join([solved, *missed]))


if __name__ == "__main__":
    main(sys.argv[1:])
