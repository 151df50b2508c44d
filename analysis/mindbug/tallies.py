"""What the analysis keeps of the games: counts of games that are alike, added up part by part.

A `Tally` is as large for a thousand games as for ten million and holds nothing but integers.  So a
run can be cut into any parts, and their tallies added in any order.

The fate of one card in one game is a *pattern* of bits: was it dealt to player 0, did they draw it,
… (``DEALT`` … ``USED``, shifted by ``N_BITS`` for player 1).  Counting games by card, outcome and
pattern keeps everything that the selections need, including the differences between them and the
dependence between the two players of a game.
"""

from collections.abc import Sequence
from dataclasses import dataclass, fields
from typing import NamedTuple

import numpy as np

from analysis.mindbug.selections import SELECTION_NAMES
from card_data.mindbug.schema import Card
from card_data.mindbug.vocabulary import Keyword
from simcore.jit import cached_kernel, inline_kernel, kernel
from simcore.mindbug.table.masks import NONE, ONE, _bit, _lowest, _popcount
from simcore.mindbug.table.records import DEALT as N_SLOTS
from simcore.mindbug.table.records import DEALT_EACH, STOPPED, UNUSED, Ending

# Bits of a pattern for player 0; those of player 1 follow.  USED: the player drew a copy and played
# it (kept, or lost to a Mindbug).
DEALT, DRAWN, PLAYED, TAKEN, USED = (1 << bit for bit in range(5))
N_BITS = 5
N_PATTERNS = 1 << (2 * N_BITS)
#: To whom a card was dealt: nobody, player 0, player 1, both; axes (player, to whom).
OWNED = np.array([[False, True, False, True], [False, False, True, True]])

#: Outcomes: player 0 won, draw, player 1 won; and the score of each player.
N_OUTCOMES = 3
SCORES = np.array([[1.0, 0.5, 0.0], [0.0, 0.5, 1.0]])  # (player, outcome)

N_KEYWORDS = len(Keyword)
N_SELECTIONS = len(SELECTION_NAMES)
#: A player can have 0 to 64 cards with a keyword in a selection, cards of the unused pile included.
N_HELD = N_SLOTS + UNUSED + 1

#: Numbers of a game whose mean the summary reports.
QUANTITIES = (
    "decisions",
    "attacks",
    "second_attacks",
    "blocks",
    "hunts",
    "defeats",
    "tough_saves",
    "mindbugs_used",
    "mindbugs_used_0",
    "mindbugs_used_1",
    "winner_life",
)

# Games at a time, so that what is worked on stays in the processor's cache; of the products of a
# regression, so many at a time.
_BLOCK, _ROWS = 2048, 128
_STOPPED = tuple(map(int, STOPPED))
# A word has a bit for each card dealt and each of three keywords; two words are enough.
_PACKED = np.uint64((1 << N_SLOTS) - 1)


class CardTraits(NamedTuple):
    """The printed power and keywords of cards, by row of the card table."""

    power: np.ndarray  # (n_cards,) int64
    keywords: np.ndarray  # (n_cards,) int64, bit k for keyword k

    @classmethod
    def of(cls, cards: Sequence[Card]) -> "CardTraits":
        """The traits of ``cards``."""
        keywords = [sum(1 << keyword for keyword in card.keywords) for card in cards]
        return cls(np.array([card.power for card in cards], np.int64), np.array(keywords, np.int64))


@dataclass(frozen=True)
class Tally:
    """Counts of games; ``a + b`` is the tally of the games of both.

    Attributes
    ----------
    games : ndarray(int64), shape (n_turns, 2, 3, n_endings)
        Games by turns, first player, outcome and ending.
    quantities : ndarray(int64), shape (n_quantities, 3)
        Number of games, sum and sum of squares of each of ``QUANTITIES``, for games that ended by
        the rules.
    patterns : ndarray(int64), shape (n_cards, 3, 1024)
        Games by card, outcome and pattern; pattern 0 is "neither dealt nor played nor taken".
    seats : ndarray(int64), shape (n_cards, 2, 3, 4)
        Games by card, first player, outcome, and to whom the card was dealt (see `OWNED`).
    mindbugs, turns_played : ndarray(int64), shape (n_groups, n_cards, 6)
        Sums of `estimates.RatioSums`: thefts per offer, and the turn of each card played.
    keywords : ndarray(int64), shape (5, 7, 3, 65, 65)
        Games by keyword, selection, outcome and the number of cards of player 0 and of player 1.
    moments : ndarray(int64), shape (n_pairs, n_pairs)
        Sums of products of pairs of columns of the regression (see `keywords`).
    """

    games: np.ndarray
    quantities: np.ndarray
    patterns: np.ndarray
    seats: np.ndarray
    mindbugs: np.ndarray
    turns_played: np.ndarray
    keywords: np.ndarray
    moments: np.ndarray

    def __add__(self, other: "Tally") -> "Tally":
        turns = max(len(self.games), len(other.games))
        sums = {
            field.name: getattr(self, field.name) + getattr(other, field.name)
            for field in fields(self)
            if field.name != "games"
        }
        return Tally(games=longer(self.games, turns) + longer(other.games, turns), **sums)

    @property
    def n_games(self) -> int:
        """Number of games counted."""
        return int(self.games.sum())


def groups(policies: Sequence[str]) -> list[tuple[str, tuple[int, ...]]]:
    """Which players are counted together: each policy, with the players who follow it.

    Two players with the same policy are one group; different policies are never mixed.
    """
    if policies[0] == policies[1]:
        return [(policies[0], (0, 1))]
    return [(policies[0], (0,)), (policies[1], (1,))]


def tally_games(
    games: np.ndarray, traits: CardTraits, *, same_policy: bool, mindbugs_each: int
) -> Tally:
    """Count games.

    Parameters
    ----------
    games : ndarray(GAME_RECORD), shape (n_games,)
    traits
        The cards that the records refer to.
    same_policy
        Whether both players follow the same policy and are counted together (see `groups`).
    mindbugs_each
        Mindbugs with which each player begins.
    """
    n_cards, n_groups = len(traits.power), 1 if same_policy else 2
    group_of_player = np.array([0, n_groups - 1])
    n_turns = int(games["turns"].max(initial=0)) + 1
    by_game = np.zeros((n_turns, 2, N_OUTCOMES, len(Ending)), np.int64)
    quantities = np.zeros((len(QUANTITIES), 3), np.int64)
    patterns = np.zeros((n_cards, N_OUTCOMES, N_PATTERNS), np.int64)
    seats = np.zeros((n_cards, 2, N_OUTCOMES, OWNED.shape[1]), np.int64)
    mindbugs, turns_played = np.zeros((2, n_groups, n_cards, 6), np.int64)
    keywords = np.zeros((N_KEYWORDS, N_SELECTIONS, N_OUTCOMES, N_HELD, N_HELD), np.int64)
    n_columns = 2 + (N_KEYWORDS + 1) * n_groups
    n_pairs = n_columns * (n_columns + 1) // 2
    moments = np.zeros((n_pairs, n_pairs), np.int64)
    for start in range(0, len(games), _BLOCK):
        block = games[start : start + _BLOCK]
        _tally_games(block, mindbugs_each, by_game, quantities)
        _tally_cards(block, group_of_player, patterns, seats, mindbugs, turns_played)
        design = np.empty((len(block), n_columns))
        _tally_keywords(block, *traits, keywords, design)
        _add_moments(design, moments)
    outcomes = by_game.sum(axis=(0, 3))
    patterns[:, :, 0] = outcomes.sum(axis=0) - patterns[:, :, 1:].sum(axis=2)
    seats[..., 0] = outcomes - seats[..., 1:].sum(axis=3)
    return Tally(by_game, quantities, patterns, seats, mindbugs, turns_played, keywords, moments)


@kernel
def _outcome(winner):
    """Outcome number of a winner (-1 = draw)."""
    return 1 if winner < 0 else 2 * winner


@cached_kernel
def _tally_games(games, mindbugs_each, by_game, quantities):
    """Add the games to ``by_game`` (``Tally.games``) and ``quantities``.  Modifies the last two."""
    values = np.zeros(len(quantities), np.int64)
    for i in range(len(games)):
        game = games[i]
        by_game[game.turns, game.first_player, _outcome(game.winner), game.ending] += 1
        if game.ending in _STOPPED:
            continue
        used_0, used_1 = mindbugs_each - game.mindbugs[0], mindbugs_each - game.mindbugs[1]
        values[0], values[1], values[2] = game.decisions, game.attacks, game.second_attacks
        values[3], values[4], values[5] = game.blocks, game.hunts, game.defeats
        values[6], values[7], values[8] = game.tough_saves, used_0 + used_1, used_0
        values[9], values[10] = used_1, game.life[max(game.winner, 0)]
        for number in range(len(quantities) - (game.winner < 0)):  # the last is the winner's
            value = values[number]
            quantities[number, 0] += 1
            quantities[number, 1] += value
            quantities[number, 2] += value * value


@cached_kernel
def _tally_cards(games, group_of_player, patterns, seats, mindbugs, turns_played):
    """Add the games to ``patterns``, ``seats``, ``mindbugs`` and ``turns_played`` (see `Tally`).

    Modifies the last four.  Nothing is asked that can as well be added: the processor foresees few
    of the answers.
    """
    n_cards = patterns.shape[0]
    pattern = np.zeros(n_cards, np.int64)
    offers = np.zeros((2, n_cards, 2), np.int64)  # group, card, (offers, thefts)
    turns = np.zeros((2, n_cards, 2), np.int64)  # group, card, (cards played, sum of their turns)
    for i in range(len(games)):
        game = games[i]
        outcome = _outcome(game.winner)
        for slot in range(N_SLOTS):
            card, owner = game.cards[slot], slot // DEALT_EACH
            drawn = _has(game.drawn, slot)
            used = drawn & _has(game.played[owner] | game.taken[1 - owner], slot)
            fate = DEALT | DRAWN * drawn | USED * used
            pattern[card] |= fate << (N_BITS * owner) | _entries(game, slot)
            group = group_of_player[owner]
            offers[group, card, 0] += game.offers[slot]
            offers[group, card, 1] += game.thefts[slot]
            turns[group, card, 0] += game.turn_played[slot] > 0
            turns[group, card, 1] += game.turn_played[slot]
        unused = _of_unused_pile(game)
        left = unused
        while left != NONE:
            slot = _lowest(left)
            left &= left - ONE
            pattern[game.unused_cards[slot - N_SLOTS]] |= _entries(game, slot)
        while unused != NONE:
            slot = _lowest(unused)
            unused &= unused - ONE
            card = game.unused_cards[slot - N_SLOTS]
            _add_pattern(patterns, seats, card, game.first_player, outcome, pattern)
        for slot in range(N_SLOTS):
            card = game.cards[slot]
            _add_pattern(patterns, seats, card, game.first_player, outcome, pattern)
            group = group_of_player[slot // DEALT_EACH]
            _add_ratio(mindbugs, offers, group, card)
            _add_ratio(turns_played, turns, group, card)


@inline_kernel
def _has(mask, slot):
    """Whether a mask has a slot, as 1 or 0."""
    return np.int64(mask >> np.uint64(slot) & ONE)


@kernel
def _of_unused_pile(game):
    """Mask of the cards of the unused pile that were played or taken in a game."""
    touched = game.played[0] | game.played[1] | game.taken[0] | game.taken[1]
    return touched & ~(_bit(N_SLOTS) - ONE)


@inline_kernel
def _entries(game, slot):
    """The bits PLAYED and TAKEN of both players for the card in a slot."""
    fate = 0
    for player in range(2):
        entry = PLAYED * _has(game.played[player], slot) | TAKEN * _has(game.taken[player], slot)
        fate |= entry << (N_BITS * player)
    return fate


@inline_kernel
def _add_pattern(patterns, seats, card, first_player, outcome, pattern):
    """Add the pattern of a card, unless another copy has done so, and clear it.

    Modifies patterns, seats and pattern.
    """
    found = pattern[card]
    there = found != 0
    patterns[card, outcome, found] += there
    to_whom = found & DEALT | found >> (N_BITS - 1) & DEALT << 1
    seats[card, first_player, outcome, to_whom] += there
    pattern[card] = 0


@inline_kernel
def _add_ratio(sums, pairs, group, card):
    """Add one game's (n, s) of a card to the six sums of a ratio and clear it.  Modifies both."""
    n, s = pairs[group, card, 0], pairs[group, card, 1]
    sums[group, card, 0] += n > 0
    sums[group, card, 1] += n
    sums[group, card, 2] += s
    sums[group, card, 3] += n * n
    sums[group, card, 4] += n * s
    sums[group, card, 5] += s * s
    pairs[group, card, 0] = 0
    pairs[group, card, 1] = 0


@cached_kernel
def _tally_keywords(games, power, keyword_bits, counts, design):
    """Add the games to ``counts`` (``Tally.keywords``) and fill the rows of ``design``.

    Modifies the last two.  The columns of a design are a constant, the number of dealt cards with
    each keyword and their total power, and twice the score of player 0 less one; of each player, or
    the differences between the players where there is room for no more.
    """
    n_regressors = N_KEYWORDS + 1
    differences = design.shape[1] == 2 + n_regressors
    packed = np.zeros((len(power), 2), np.uint64)
    for card in range(len(power)):
        for keyword in range(N_KEYWORDS):
            bit = np.uint64(keyword_bits[card] >> keyword & 1)
            packed[card, keyword // 3] |= bit << np.uint64(N_SLOTS * (keyword % 3))
    selections = np.zeros((2, N_SELECTIONS), np.uint64)  # mask of each player's cards in each
    for i in range(len(games)):
        game, row = games[i], design[i]
        outcome = _outcome(game.winner)
        low, high = NONE, NONE
        powers_0, powers_1 = 0, 0
        for slot in range(DEALT_EACH):
            card, other = game.cards[slot], game.cards[slot + DEALT_EACH]
            here, there = np.uint64(slot), np.uint64(slot + DEALT_EACH)
            low |= packed[card, 0] << here | packed[other, 0] << there
            high |= packed[card, 1] << here | packed[other, 1] << there
            powers_0 += power[card]
            powers_1 += power[other]
        for player in range(2):
            _fill_selections(selections[player], game, player)
        unused = _of_unused_pile(game)
        row[0] = 1
        row[design.shape[1] - 1] = 1 - outcome
        for keyword in range(N_KEYWORDS):
            word = low if keyword < 3 else high
            mask = word >> np.uint64(N_SLOTS * (keyword % 3)) & _PACKED
            left = unused
            while left != NONE:
                slot = _lowest(left)
                left &= left - ONE
                card = game.unused_cards[slot - N_SLOTS]
                mask |= np.uint64(keyword_bits[card] >> keyword & 1) << np.uint64(slot)
            for selection in range(N_SELECTIONS):
                n0 = _popcount(mask & selections[0, selection])
                n1 = _popcount(mask & selections[1, selection])
                counts[keyword, selection, outcome, n0, n1] += 1
                if selection == 0:
                    row[1 + keyword] = n0 - n1 if differences else n0
                    if not differences:
                        row[1 + n_regressors + keyword] = n1
        row[n_regressors] = powers_0 - powers_1 if differences else powers_0
        if not differences:
            row[2 * n_regressors] = powers_1


@kernel
def _fill_selections(selections, game, player):
    """The masks of one player's cards in each selection, in the order of `selections.SELECTIONS`.

    Modifies selections.
    """
    hand = (_bit(DEALT_EACH) - _bit(0)) << np.uint64(DEALT_EACH * player)
    selections[0] = hand
    selections[1] = hand & game.drawn
    selections[2] = hand & ~game.drawn
    selections[3] = game.played[player]
    selections[4] = game.taken[player]
    selections[5] = game.taken[1 - player]
    selections[6] = game.played[player] | game.taken[player]


def _add_moments(design: np.ndarray, moments: np.ndarray) -> None:
    """Add the games of one block to ``moments`` (see `Tally`).  Modifies moments.

    The columns are whole numbers and the sums of one block stay below 2**53, so the result is
    exact.
    """
    sums = np.zeros(moments.shape)
    _sum_pair_products(design, sums)
    moments += (sums + np.tril(sums.T, -1)).astype(np.int64)


@cached_kernel
def _sum_pair_products(design, sums):
    """Add the products of pairs of columns with pairs of columns to the upper triangle of sums.

    Modifies sums.  So many rows at a time that the products stay in the processor's cache; not as a
    matrix product, because BLAS threads and ours got into each other's way (13 times slower).
    """
    n_rows, n_columns, n_pairs = len(design), design.shape[1], len(sums)
    columns = np.zeros((n_columns, _ROWS))
    pairs = np.zeros((n_pairs, _ROWS))
    for start in range(0, n_rows, _ROWS):
        here = min(_ROWS, n_rows - start)
        for row in range(_ROWS):
            for column in range(n_columns):
                columns[column, row] = design[start + row, column] if row < here else 0.0
        n = 0
        for left in range(n_columns):
            for right in range(left, n_columns):
                for row in range(_ROWS):
                    pairs[n, row] = columns[left, row] * columns[right, row]
                n += 1
        for one in range(n_pairs):
            for two in range(one, n_pairs):
                sums[one, two] += _dot(pairs[one], pairs[two])


@kernel(fastmath={"reassoc", "contract"})
def _dot(one, two):
    """The sum of the products of two rows of `_ROWS` whole numbers, in whatever order."""
    total = 0.0
    for row in range(_ROWS):
        total += one[row] * two[row]
    return total


def longer(array: np.ndarray, length: int) -> np.ndarray:
    """``array`` with zeros after its first axis, up to ``length``."""
    padding = [(0, length - len(array))] + [(0, 0)] * (array.ndim - 1)
    return np.pad(array, padding)
