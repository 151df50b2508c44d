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
from simcore.jit import cached_kernel, kernel
from simcore.mindbug.table.masks import NONE, ONE, _bit, _lowest, _popcount
from simcore.mindbug.table.records import DEALT as N_SLOTS
from simcore.mindbug.table.records import DEALT_EACH, UNUSED, Ending, ended

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

# Columns of the regression's design: a constant, per player the number of dealt cards with each
# keyword and their total power, and twice the score of player 0 less one.
N_REGRESSORS = 1 + 2 * (N_KEYWORDS + 1)
_BLOCK = 16384  # games at a time, so that what is worked on stays in the processor's cache


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
    patterns = np.zeros((n_cards, N_OUTCOMES, N_PATTERNS), np.int64)
    seats = np.zeros((n_cards, 2, N_OUTCOMES, OWNED.shape[1]), np.int64)
    mindbugs, turns_played = np.zeros((2, n_groups, n_cards, 6), np.int64)
    keywords = np.zeros((N_KEYWORDS, N_SELECTIONS, N_OUTCOMES, N_HELD, N_HELD), np.int64)
    n_columns = 2 + (N_KEYWORDS + 1) * n_groups
    n_pairs = n_columns * (n_columns + 1) // 2
    moments = np.zeros((n_pairs, n_pairs), np.int64)
    for start in range(0, len(games), _BLOCK):
        block = games[start : start + _BLOCK]
        _tally_cards(block, group_of_player, patterns, seats, mindbugs, turns_played)
        design = np.empty((len(block), N_REGRESSORS + 1))
        _tally_keywords(block, *traits, keywords, design)
        _add_moments(design, same_policy, moments)
    by_game = _count_games(games)
    outcomes = by_game.sum(axis=(0, 3))
    patterns[:, :, 0] = outcomes.sum(axis=0) - patterns[:, :, 1:].sum(axis=2)
    seats[..., 0] = outcomes - seats[..., 1:].sum(axis=3)
    quantities = _sum_quantities(games[ended(games)], mindbugs_each)
    return Tally(by_game, quantities, patterns, seats, mindbugs, turns_played, keywords, moments)


@kernel
def _outcome(winner):
    """Outcome number of a winner (-1 = draw)."""
    return 1 if winner < 0 else 2 * winner


@cached_kernel
def _tally_cards(games, group_of_player, patterns, seats, mindbugs, turns_played):
    """Add the games to ``patterns``, ``seats``, ``mindbugs`` and ``turns_played`` (see `Tally`).

    Modifies the last four.
    """
    n_cards = patterns.shape[0]
    pattern = np.zeros(n_cards, np.int64)
    offers = np.zeros((2, n_cards, 2), np.int64)  # group, card, (offers, thefts)
    turns = np.zeros((2, n_cards, 2), np.int64)  # group, card, (cards played, sum of their turns)
    for i in range(len(games)):
        game = games[i]
        outcome = _outcome(game.winner)
        for slot in range(N_SLOTS):
            card, owner, here = game.cards[slot], slot // DEALT_EACH, _bit(slot)
            fate = DEALT << (N_BITS * owner)
            if game.drawn & here:
                fate |= DRAWN << (N_BITS * owner)
                if (game.played[owner] | game.taken[1 - owner]) & here:
                    fate |= USED << (N_BITS * owner)
            pattern[card] |= fate | _entries(game, slot)
            group = group_of_player[owner]
            offers[group, card, 0] += game.offers[slot]
            offers[group, card, 1] += game.thefts[slot]
            if game.turn_played[slot] > 0:
                turns[group, card, 0] += 1
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
            for group in range(mindbugs.shape[0]):
                _add_ratio(mindbugs[group, card], offers[group, card])
                _add_ratio(turns_played[group, card], turns[group, card])


@kernel
def _of_unused_pile(game):
    """Mask of the cards of the unused pile that were played or taken in a game."""
    touched = game.played[0] | game.played[1] | game.taken[0] | game.taken[1]
    return touched & ~(_bit(N_SLOTS) - ONE)


@kernel
def _entries(game, slot):
    """The bits PLAYED and TAKEN of both players for the card in a slot."""
    fate = 0
    for player in range(2):
        if game.played[player] & _bit(slot):
            fate |= PLAYED << (N_BITS * player)
        if game.taken[player] & _bit(slot):
            fate |= TAKEN << (N_BITS * player)
    return fate


@kernel
def _add_pattern(patterns, seats, card, first_player, outcome, pattern):
    """Add the pattern of a card, unless another copy has done so, and clear it.

    Modifies patterns, seats and pattern.
    """
    if pattern[card] != 0:
        patterns[card, outcome, pattern[card]] += 1
        to_whom = pattern[card] & DEALT | pattern[card] >> (N_BITS - 1) & DEALT << 1
        seats[card, first_player, outcome, to_whom] += 1
        pattern[card] = 0


@kernel
def _add_ratio(sums, pair):
    """Add one game's (n, s) to the six sums of a ratio and clear it.  Modifies both."""
    n, s = pair[0], pair[1]
    if n > 0:
        sums[0] += 1
        sums[1] += n
        sums[2] += s
        sums[3] += n * n
        sums[4] += n * s
        sums[5] += s * s
        pair[:] = 0


@cached_kernel
def _tally_keywords(games, power, keyword_bits, counts, design):
    """Add the games to ``counts`` (``Tally.keywords``) and fill the rows of ``design``.

    Modifies the last two.
    """
    with_keyword = np.zeros(N_KEYWORDS, np.uint64)  # mask of the cards with each keyword
    selections = np.zeros((2, N_SELECTIONS), np.uint64)  # mask of each player's cards in each
    for i in range(len(games)):
        game, row = games[i], design[i]
        outcome = _outcome(game.winner)
        row[0] = 1
        row[1 : N_REGRESSORS + 1] = 0
        row[N_REGRESSORS] = 1 - outcome
        with_keyword[:] = 0
        for slot in range(N_SLOTS):
            card = game.cards[slot]
            for keyword in range(N_KEYWORDS):
                if keyword_bits[card] >> keyword & 1:
                    with_keyword[keyword] |= _bit(slot)
            row[(slot // DEALT_EACH + 1) * (N_KEYWORDS + 1)] += power[card]
        unused = _of_unused_pile(game)
        while unused != NONE:
            slot = _lowest(unused)
            unused &= unused - ONE
            for keyword in range(N_KEYWORDS):
                if keyword_bits[game.unused_cards[slot - N_SLOTS]] >> keyword & 1:
                    with_keyword[keyword] |= _bit(slot)
        for player in range(2):
            _fill_selections(selections[player], game, player)
        for keyword in range(N_KEYWORDS):
            mask = with_keyword[keyword]
            for selection in range(N_SELECTIONS):
                n0 = _popcount(mask & selections[0, selection])
                n1 = _popcount(mask & selections[1, selection])
                counts[keyword, selection, outcome, n0, n1] += 1
                if selection == 0:
                    row[1 + keyword] = n0
                    row[2 + N_KEYWORDS + keyword] = n1


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


def _add_moments(design: np.ndarray, same_policy: bool, moments: np.ndarray) -> None:
    """Add the games of one block to ``moments`` (see `Tally`).  Modifies moments.

    With one policy the columns are the constant, the differences between the players and the
    outcome; with two policies each player has columns in place of the differences.  The columns
    are whole numbers and the sums of one block stay below 2**53, so the result is exact.
    """
    if same_policy:
        half = N_KEYWORDS + 1
        difference = design[:, 1 : 1 + half] - design[:, 1 + half : 1 + 2 * half]
        design = np.column_stack([design[:, :1], difference, design[:, -1:]])
    sums = np.zeros(moments.shape)
    _sum_pair_products(design, sums)
    moments += (sums + np.tril(sums.T, -1)).astype(np.int64)


@cached_kernel
def _sum_pair_products(design, sums):
    """Add the products of pairs of columns with pairs of columns to the upper triangle of sums.

    Modifies sums.  Four rows at a time, because moving the sums costs more than the products; not
    as a matrix product, because BLAS threads and ours got into each other's way (13 times slower).
    """
    n_rows, n_columns, n_pairs = len(design), design.shape[1], len(sums)
    pairs = np.zeros((4, n_pairs))
    for start in range(0, n_rows, 4):
        pairs[:] = 0
        for row in range(min(4, n_rows - start)):
            n = 0
            for left in range(n_columns):
                for right in range(left, n_columns):
                    pairs[row, n] = design[start + row, left] * design[start + row, right]
                    n += 1
        for one in range(n_pairs):
            a, b, c, d = pairs[0, one], pairs[1, one], pairs[2, one], pairs[3, one]
            for two in range(one, n_pairs):
                sums[one, two] += (
                    a * pairs[0, two] + b * pairs[1, two] + c * pairs[2, two] + d * pairs[3, two]
                )


def _count_games(games: np.ndarray) -> np.ndarray:
    """Games by turns, first player, outcome and ending (see `Tally.games`)."""
    winner = games["winner"].astype(np.int64)
    outcome = np.where(winner < 0, 1, 2 * winner)
    shape = (2, N_OUTCOMES, len(Ending))
    code = np.ravel_multi_index((games["first_player"], outcome, games["ending"]), shape)
    per_turn = int(np.prod(shape))
    code += games["turns"].astype(np.int64) * per_turn
    n_turns = int(games["turns"].max(initial=0)) + 1
    return np.bincount(code, minlength=n_turns * per_turn).reshape(n_turns, *shape)


def _sum_quantities(games: np.ndarray, mindbugs_each: int) -> np.ndarray:
    """Number of games, sum and sum of squares of each quantity (see `Tally.quantities`)."""
    sums = np.empty((len(QUANTITIES), 3), np.int64)
    used = mindbugs_each - games["mindbugs"].astype(np.int64)
    won = games["winner"] >= 0
    derived = {
        "mindbugs_used": used.sum(axis=1),
        "mindbugs_used_0": used[:, 0],
        "mindbugs_used_1": used[:, 1],
        "winner_life": games["life"][won, games["winner"][won]],
    }
    for row, name in zip(sums, QUANTITIES, strict=True):
        values = derived[name] if name in derived else games[name]
        values = values.astype(np.int64)
        row[:] = len(values), values.sum(), values @ values
    return sums


def longer(array: np.ndarray, length: int) -> np.ndarray:
    """``array`` with zeros after its first axis, up to ``length``."""
    padding = [(0, length - len(array))] + [(0, 0)] * (array.ndim - 1)
    return np.pad(array, padding)
