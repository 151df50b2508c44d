"""What is counted of games to take the advantage of a card apart.

Games are counted in `GROUPS` groups, by their number, so that errors can be found by leaving out a
group (`analysis.mindbug.explain.parts`).
"""

from typing import NamedTuple

import numpy as np
import numpy.typing as npt

from simcore.jit import cached_kernel, kernel
from simcore.mindbug.table.masks import NONE, ONE, _bit, _popcount
from simcore.mindbug.table.records import DEALT_EACH, Ending


class Part(NamedTuple):
    """A part of an advantage: what its ``amount`` is, and how it is read."""

    name: str
    amount: str


class View(NamedTuple):
    """A way to take an advantage apart; its parts add up to it."""

    name: str
    about: str
    parts: tuple[Part, ...]


#: The fates of a card that a player was dealt, where two copies had two the last one.
FATES = ("not_drawn", "not_played", "late", "defeated", "stayed", "taken")
#: Numbers of a player-game that are counted; the last two are about how the game ended.
COURSE = ("kills", "losses", "mindbugs", "plays", "starts", "by_life", "by_no_action")

VIEWS = (
    View(
        "fate",
        "what became of the card; of several copies that were dealt, the last fate in this list",
        (
            Part("not_drawn", "share of the player-games in which it was dealt and not drawn"),
            Part("not_played", "share in which it was drawn and never played"),
            Part("late", "share in which it was played and kept on the last turn of the game or "
                 "the one before, as a rule without a turn to attack, and not defeated"),
            Part("defeated", "share in which it was played, kept and defeated later"),
            Part("stayed", "share in which it was played and kept earlier, and never defeated"),
            Part("taken", "share in which the opponent took it with a Mindbug"),
        ),
    ),
    View(
        "course",
        "what happened in the game, weighed by least squares over all games",
        (
            Part("kills", "cards dealt to the opponent that were defeated"),
            Part("losses", "cards dealt to the player that were defeated, this one included"),
            Part("mindbugs", "cards that the player took with a Mindbug, less those taken from "
                 "them"),
            Part("plays", "cards that the player played and kept, less those of the opponent"),
            Part("starts", "share of games in which the player starts, less that of the others"),
            Part("rest", "what these numbers leave over"),
        ),
    ),
    View(
        "ending",
        "how the game ended",
        (
            Part("by_life", "share won because the opponent's life was 0 (R14), less share lost "
                 "so"),
            Part("by_no_action", "the same with games that a player lost for want of a legal turn "
                 "action (R18)"),
            Part("by_other", "the same with all other games"),
        ),
    ),
)  # fmt: skip

#: All parts, with the name of their view.
PARTS = tuple((view.name, part) for view in VIEWS for part in view.parts)
#: Game i is counted in group i modulo this.
GROUPS = 32
N_FATES, N_COURSE = len(FATES), len(COURSE)
_NOT_DRAWN, _NOT_PLAYED, _LATE, _DEFEATED, _STAYED, _TAKEN = range(N_FATES)
# A card played fewer turns before the last has no turn of its player to attack in.
_TURNS_TO_ATTACK = 2
_KILLS, _LOSSES, _MINDBUGS, _PLAYS, _STARTS, _BY_LIFE, _BY_NO_ACTION = range(N_COURSE)

#: Where sums stand: player-games by fate, their half points, and the sums of what is in `COURSE`.
SEEN, SCORED, COUNTED = (
    slice(0, N_FATES),
    slice(N_FATES, 2 * N_FATES),
    slice(2 * N_FATES, 2 * N_FATES + N_COURSE),
)

N_SUMS = 2 * N_FATES + N_COURSE
#: Columns of the regression: 1, the numbers of player 0 less those of player 1, and 1, 0 or -1 for
#: a game that player 0 won, drew or lost.  Kills are net of losses.
N_COLUMNS = 6


class PartTally(NamedTuple):
    """Counts of games; ``a.plus(b)`` are those of the games of both.

    ``sums`` has shape (GROUPS, n_groups, n_units + 1, N_SUMS), int64: sums over the player-games in
    which a unit was dealt, once however many copies, by the players who are counted together
    (`tallies.groups`).  The last unit is the average card: every card dealt counts, each copy by
    itself.  ``moments`` are sums over games of products of two columns, (GROUPS, 6, 6), int64.
    """

    sums: npt.NDArray[np.int64]
    moments: npt.NDArray[np.int64]

    def plus(self, other: "PartTally") -> "PartTally":
        """The counts of the games of both."""
        return PartTally(self.sums + other.sums, self.moments + other.moments)


def tally_parts(
    games: npt.NDArray[np.void], unit_of_card: npt.NDArray[np.int64], *, same_policy: bool
) -> PartTally:
    """Count games.

    Parameters
    ----------
    games : ndarray(GAME_RECORD), shape (n_games,)
    unit_of_card : ndarray(int64), shape (n_cards,)
        The unit of each row of the card table, counted from 0; -1 for a card that is not asked for.
    same_policy
        Whether both players follow the same policy and are counted together.
    """
    n_groups, n_units = 1 if same_policy else 2, int(unit_of_card.max(initial=-1)) + 1
    sums = np.zeros((GROUPS, n_groups, n_units + 1, N_SUMS), np.int64)
    moments = np.zeros((GROUPS, N_COLUMNS, N_COLUMNS), np.int64)
    _add_parts(games, unit_of_card, np.array([0, n_groups - 1]), sums, moments)
    return PartTally(sums, moments)


@cached_kernel
def _add_parts(games, unit_of_card, group_of_player, sums, moments):
    """Add games to ``sums`` and ``moments`` (see `PartTally`), which are modified."""
    average = sums.shape[2] - 1
    fates = np.full(average, -1, np.int64)  # of each unit in this game
    reached = np.zeros(N_FATES, np.uint64)
    course = np.zeros(N_COURSE, np.int64)
    for i in range(len(games)):
        game = games[i]
        place = game.game % GROUPS
        for player in range(2):
            won = 0 if game.winner < 0 else 1 - 2 * (game.winner ^ player)
            _fill_course(game, player, won, course)
            _fill_reached(game, player, reached)
            if player == 0:
                _add_products(moments[place], course, won)
            mine = sums[place, group_of_player[player]]
            first = DEALT_EACH * player
            for fate in range(N_FATES):
                n = _popcount(reached[fate])
                if fate + 1 < N_FATES:
                    n -= _popcount(reached[fate + 1])
                mine[average, fate] += n
                mine[average, N_FATES + fate] += n * (1 + won)
            for number in range(N_COURSE):
                mine[average, 2 * N_FATES + number] += DEALT_EACH * course[number]
            for slot in range(first, first + DEALT_EACH):
                unit = unit_of_card[game.cards[slot]]
                if unit >= 0:
                    shift = np.uint64(slot)
                    came_to = np.int64(0)
                    for further in range(1, N_FATES):
                        came_to += np.int64(reached[further] >> shift & ONE)
                    fates[unit] = max(fates[unit], came_to)
            for slot in range(first, first + DEALT_EACH):
                unit = unit_of_card[game.cards[slot]]
                if unit >= 0 and fates[unit] >= 0:
                    last = fates[unit]
                    fates[unit] = -1
                    mine[unit, last] += 1
                    mine[unit, N_FATES + last] += 1 + won
                    for number in range(N_COURSE):
                        mine[unit, 2 * N_FATES + number] += course[number]


@kernel
def _fill_reached(game, player, reached):
    """The cards dealt to a player that came to each fate or to a later one.  Modifies reached."""
    hand = (_bit(DEALT_EACH) - _bit(0)) << np.uint64(DEALT_EACH * player)
    taken, played = hand & game.taken[1 - player], hand & game.played[player]
    late = NONE
    for slot in range(DEALT_EACH * player, DEALT_EACH * (player + 1)):
        if game.turns - game.turn_played[slot] < _TURNS_TO_ATTACK:
            late |= _bit(slot)
    reached[_TAKEN] = taken
    reached[_STAYED] = taken | (played & ~game.defeated & ~late)
    reached[_DEFEATED] = taken | (played & (game.defeated | ~late))
    reached[_LATE] = taken | played
    reached[_NOT_PLAYED] = taken | played | (hand & game.drawn)
    reached[_NOT_DRAWN] = hand


@kernel
def _fill_course(game, player, won, course):
    """The numbers of `COURSE` of a player; ``won`` is 1, 0 or -1.  Modifies course."""
    other, hand = 1 - player, _bit(DEALT_EACH) - _bit(0)
    mine = hand << np.uint64(DEALT_EACH * player)
    theirs = hand << np.uint64(DEALT_EACH * other)
    course[_KILLS] = _popcount(game.defeated & theirs)
    course[_LOSSES] = _popcount(game.defeated & mine)
    course[_MINDBUGS] = _popcount(game.taken[player]) - _popcount(game.taken[other])
    course[_PLAYS] = _popcount(game.played[player]) - _popcount(game.played[other])
    course[_STARTS] = 1 if game.first_player == player else -1
    course[_BY_LIFE] = won * (game.ending == Ending.LIFE)
    course[_BY_NO_ACTION] = won * (game.ending == Ending.NO_ACTION)


@kernel
def _add_products(products, course, won):
    """Add the columns of a game, seen by player 0, to the sums of their products, modified."""
    net, mindbugs, plays, starts = course[0] - course[1], course[2], course[3], course[4]
    columns = (1, net, mindbugs, plays, starts, won)
    for one in range(N_COLUMNS):
        for two in range(one, N_COLUMNS):
            products[one, two] += columns[one] * columns[two]
