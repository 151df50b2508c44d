"""Counts of games for a pool's expansion features, added up part by part like `tallies.Tally`.

Nothing here is compiled: games are counted with masks, a block at a time, and what a pool does not
have costs nothing: `ExpansionFeatures` says that, by what cards say and never by their names.
"""

from collections.abc import Iterator
from dataclasses import dataclass, fields
from functools import cached_property

import numpy as np

from analysis.mindbug.tallies import N_HELD, N_OUTCOMES, N_SELECTIONS, longer
from card_data.mindbug.schema import Card, ConstantAbility, Instruction, Pool, PowerCard
from card_data.mindbug.vocabulary import Effect, Rule, Trigger
from simcore.mindbug.rules.dice import FACES
from simcore.mindbug.table.records import DEALT, DEALT_EACH, all_cards, ended

#: Stages of a card of an evolution line: 0 = never in play, then I to III (R101).
N_STAGES = 4
#: The player whose win rate is given for a stage: the one who was dealt the card, or the one who
#: played it or took it with a Mindbug.
STAGE_SELECTIONS = ("dealt", "entered")
#: Numbers of a game whose distribution is kept.
COUNTED = (
    *("actions", "boosted", "dice", "energy", "energy_0", "energy_1"),
    *("power_bought", "power_bought_0", "power_bought_1"),
)
N_POINTS = 32
_SLOTS = np.uint64(1) << np.arange(DEALT, dtype=np.uint64)
_HANDS = np.array([_SLOTS[:DEALT_EACH].sum(), _SLOTS[DEALT_EACH:].sum()])
# Games at a time, so that what is worked on stays in the cache of the processor; fewer where counts
# are few as well.
_BLOCK, _FEWER = 16384, 4096


@dataclass(frozen=True)
class ExpansionFeatures:
    """The expansion features of a pool, and how its cards are numbered in the records."""

    pool: Pool

    @cached_property
    def cards(self) -> list[tuple[str, Card]]:
        """Set id and card of each row of the card table."""
        return [(card_set.set_id, card) for card_set in self.pool.sets for card in card_set.cards]

    @cached_property
    def set_of_card(self) -> np.ndarray:
        """Number of the set of each card, shape (n_cards,)."""
        numbers = {card_set.set_id: number for number, card_set in enumerate(self.pool.sets)}
        return np.array([numbers[set_id] for set_id, _ in self.cards], np.int64)

    @cached_property
    def lines(self) -> list[int]:
        """The rows of the cards with which an evolution line begins (R101)."""
        return [
            row
            for row, (_, card) in enumerate(self.cards)
            if card.evolves_to is not None and card.stage == 1
        ]

    def stages(self, line: int) -> list[str]:
        """The names of the stages of a line, in order; ``line`` is one of `lines`."""
        set_id, card = self.cards[line]
        by_id = {other.card_id: other for of_set, other in self.cards if of_set == set_id}
        names = [card.name]
        while card.evolves_to is not None:
            card = by_id[card.evolves_to]
            names.append(card.name)
        return names

    @cached_property
    def power_cards(self) -> list[tuple[str, PowerCard]]:
        """Set id and card of each different power card; none in a pool without them."""
        if not self.pool.modes.kot_parts:
            return []
        return [(s.set_id, card) for s in self.pool.sets for card in s.power_cards]

    @cached_property
    def power_card_copies(self) -> list[int]:
        """The row of `power_cards` of each copy, by its bit in ``power_bought``."""
        return [row for row, (_, card) in enumerate(self.power_cards) for _ in range(card.copies)]

    @cached_property
    def quantities(self) -> tuple[str, ...]:
        """Those of `selections.PER_GAME` that the pool has."""
        parts = self.pool.modes.kot_parts
        effects = {
            instruction.effect for _, card in self.cards for instruction in _instructions(card)
        }
        effects |= {i.effect for _, card in self.power_cards for i in _nested(card.bought)}
        has = {
            "actions": any(a.trigger is Trigger.ACTION for _, c in self.cards for a in c.triggered),
            "boosted": Effect.BOOST in effects,
            "dice": parts and any(card.dice > 0 or _adds_dice(card) for _, card in self.cards),
            "energy": parts,
            "power_bought": bool(self.power_cards),
        }
        return tuple(name for name, present in has.items() if present)


def _instructions(card: Card) -> Iterator[Instruction]:
    """Every instruction of a card, those inside others included."""
    for ability in card.triggered:
        yield from _nested(ability.instructions)
    for constant in card.constant:
        yield from _nested(constant.instructions)


def _nested(instructions: tuple[Instruction, ...]) -> Iterator[Instruction]:
    """Instructions and those inside them."""
    for instruction in instructions:
        yield instruction
        yield from _nested(instruction.modes)
        if isinstance(instruction.rule, ConstantAbility):
            yield from _nested(instruction.rule.instructions)


def _adds_dice(card: Card) -> bool:
    return any(ability.rule is Rule.MORE_DICE for ability in card.constant)


@dataclass(frozen=True)
class ExpansionTally:
    """Counts of games; ``a + b`` is the tally of the games of both.

    Attributes
    ----------
    games : ndarray(int64), shape ()
        Number of games.
    per_game : ndarray(int64), shape (n_counted, n_values)
        Games that ended by the rules, by how much of each of ``COUNTED`` there was in them.
    sets : ndarray(int64), shape (n_sets, 7, 3, 65, 65)
        Games by set, selection, outcome and the number of cards of player 0 and of player 1; no
        rows for a pool of one set.
    stages : ndarray(int64), shape (n_lines + 1, 2, 4, 3, 65, 65)
        Games by evolution line (the last row is all lines), selection of ``STAGE_SELECTIONS``,
        highest stage in play, outcome and the number of such cards, of those dealt, of player 0 and
        of player 1.
    stage_shares : ndarray(int64), shape (n_groups, n_lines + 1, 4, 6)
        Sums of `estimates.RatioSums`: cards dealt whose highest stage it was, per card dealt.
    power_cards : ndarray(int64), shape (n_power_cards, 3, 2, 2)
        Games by power card, outcome, and whether player 0 and player 1 bought a copy.
    dice : ndarray(int64), shape (6, 6)
        Sums of `estimates.RatioSums`: results with each face, per die.
    open_points : ndarray(int64), shape (32,)
        Games in which each open point of the rules text came up.
    """

    games: np.ndarray
    per_game: np.ndarray
    sets: np.ndarray
    stages: np.ndarray
    stage_shares: np.ndarray
    power_cards: np.ndarray
    dice: np.ndarray
    open_points: np.ndarray

    def __add__(self, other: "ExpansionTally") -> "ExpansionTally":
        sums = {
            field.name: getattr(self, field.name) + getattr(other, field.name)
            for field in fields(self)
            if field.name != "per_game"
        }
        return ExpansionTally(per_game=_longer_sum(self.per_game, other.per_game), **sums)


def _longer_sum(one: np.ndarray, other: np.ndarray) -> np.ndarray:
    """The sum of two arrays of ``ExpansionTally.per_game``, as wide as the wider one."""
    if one.shape == other.shape:
        return one + other
    values = max(one.shape[1], other.shape[1])
    return (longer(one.T, values) + longer(other.T, values)).T


def tally_expansions(
    games: np.ndarray, features: ExpansionFeatures, *, same_policy: bool
) -> ExpansionTally:
    """Count games.

    Parameters
    ----------
    games : ndarray(GAME_RECORD), shape (n_games,)
    features
        Those of the pool that the records refer to.
    same_policy
        Whether both players follow the same policy and are counted together (see `tallies.groups`).
    """
    n_sets = len(features.pool.sets)
    n_lines = len(features.lines) + 1 if features.lines else 0
    by_outcome = (N_OUTCOMES, N_HELD, N_HELD)
    sets = np.zeros((n_sets if n_sets > 1 else 0, N_SELECTIONS, *by_outcome), np.int64)
    stages = np.zeros((n_lines, len(STAGE_SELECTIONS), N_STAGES, *by_outcome), np.int64)
    shares = np.zeros((1 if same_policy else 2, n_lines, N_STAGES, 6), np.int64)
    power_cards = np.zeros((len(features.power_cards), N_OUTCOMES, 2, 2), np.int64)
    dice = np.zeros((len(FACES), 6), np.int64)
    points = np.zeros(N_POINTS, np.int64)
    per_game, over = _count_per_game(games[:0]), ended(games)
    for start in range(0, len(games), _BLOCK):
        block = games[start : start + _BLOCK]
        _count_sets(block, features.set_of_card, sets)
        _count_stages(block, features.lines, stages, shares)
    for start in range(0, len(games), _FEWER):
        block = games[start : start + _FEWER]
        _count_power_cards(block, features, power_cards)
        _sum_faces(block["dice"], dice)
        _count_points(block["open_points"], points)
        here = over[start : start + _FEWER]
        here = block if here.all() else block[here]
        per_game = _longer_sum(per_game, _count_per_game(here))
    return ExpansionTally(
        np.array(len(games)), per_game, sets, stages, shares, power_cards, dice, points
    )


def _outcomes(games: np.ndarray) -> np.ndarray:
    """Outcome number of each game: player 0 won, draw, player 1 won."""
    winner = games["winner"].astype(np.int64)
    return np.where(winner < 0, 1, 2 * winner)


def _mask_of(slots: np.ndarray) -> np.ndarray:
    """Masks of booleans by slot, shape (n_games, up to 64 slots) -> (n_games,)."""
    packed = np.packbits(slots, axis=1, bitorder="little").astype(np.uint64)
    shifts = 8 * np.arange(packed.shape[1], dtype=np.uint64)
    return np.bitwise_or.reduce(packed << shifts, axis=1)


def _selections(games: np.ndarray) -> list[list[np.ndarray]]:
    """The masks of each player's cards in each selection, in the order of `SELECTIONS`."""
    masks = []
    for player in (0, 1):
        hand, drawn = _HANDS[player], games["drawn"]
        played, taken = games["played"][:, player], games["taken"][:, player]
        lost = games["taken"][:, 1 - player]
        masks.append([hand, hand & drawn, hand & ~drawn, played, taken, lost, played | taken])
    return masks


def _count_pairs(
    outcome: np.ndarray, mask0: np.ndarray, mask1: np.ndarray, counts: np.ndarray
) -> None:
    """Count games by outcome and the number of cards in each player's mask.  Modifies counts."""
    n0, n1 = (np.bitwise_count(mask).astype(np.int64) for mask in (mask0, mask1))
    cell = (outcome * N_HELD + n0) * N_HELD + n1
    counts += np.bincount(cell, minlength=counts.size).reshape(counts.shape)


def _count_sets(games: np.ndarray, set_of_card: np.ndarray, counts: np.ndarray) -> None:
    """Add games to ``ExpansionTally.sets``.  Modifies counts."""
    if not len(counts):
        return
    outcome, (selected0, selected1) = _outcomes(games), _selections(games)
    set_of_slot = set_of_card[all_cards(games)]  # of none (-1) a selection has nothing
    for number in range(len(counts)):
        mask = _mask_of(set_of_slot == number)
        for selection in range(N_SELECTIONS):
            _count_pairs(
                outcome,
                mask & selected0[selection],
                mask & selected1[selection],
                counts[number, selection],
            )


def _count_stages(
    games: np.ndarray, lines: list[int], counts: np.ndarray, shares: np.ndarray
) -> None:
    """Add games to ``ExpansionTally.stages`` and ``stage_shares``.  Modifies the last two."""
    if not lines:
        return
    outcome, selections = _outcomes(games), _selections(games)
    reached = [_mask_of(games["best_stage"] == stage) for stage in range(N_STAGES)]
    of_line = [_mask_of(games["cards"] == line) for line in lines]
    for row, line in enumerate([*of_line, np.bitwise_or.reduce(of_line)]):
        for side, selection in enumerate((0, N_SELECTIONS - 1)):
            for stage in range(N_STAGES):
                mask = line & reached[stage]
                mask0, mask1 = mask & selections[0][selection], mask & selections[1][selection]
                _count_pairs(outcome, mask0, mask1, counts[row, side, stage])
        hands = [_HANDS.sum()] if len(shares) == 1 else list(_HANDS)
        for group, hand in enumerate(hands):
            n = np.bitwise_count(line & hand).astype(np.int64)
            for stage in range(N_STAGES):
                s = np.bitwise_count(line & hand & reached[stage]).astype(np.int64)
                shares[group, row, stage] += _sum_ratio(n, s)


def _sum_ratio(n: np.ndarray, s: np.ndarray) -> np.ndarray:
    """The six sums of a ratio (see `estimates.RatioSums`), shape (6,)."""
    return np.array([np.count_nonzero(n), n.sum(), s.sum(), n @ n, n @ s, s @ s], np.int64)


def _count_per_game(games: np.ndarray) -> np.ndarray:
    """Games by how much there was of each of ``COUNTED`` (see `ExpansionTally.per_game`)."""
    energy, bought = games["energy"].T, np.bitwise_count(games["power_bought"]).T
    dice = games["dice"]
    numbers = {
        "actions": games["actions"],
        "boosted": games["boosted"],
        "dice": dice.sum(axis=1) if dice.any() else np.zeros(len(games), np.int64),
        "energy": energy[0] + energy[1],
        "power_bought": bought[0] + bought[1],
        **{f"energy_{player}": energy[player] for player in (0, 1)},
        **{f"power_bought_{player}": bought[player] for player in (0, 1)},
    }
    n_values = 1 + max(int(values.max(initial=0)) for values in numbers.values())
    return np.stack([np.bincount(numbers[name], minlength=n_values) for name in COUNTED])


def _count_power_cards(games: np.ndarray, features: ExpansionFeatures, counts: np.ndarray) -> None:
    """Add games to ``ExpansionTally.power_cards``.  Modifies counts."""
    if not len(counts):
        return
    outcome = _outcomes(games)
    for row in range(len(counts)):
        copies = [bit for bit, of_row in enumerate(features.power_card_copies) if of_row == row]
        mask = np.uint64(sum(1 << bit for bit in copies))
        bought = (games["power_bought"] & mask != 0).astype(np.int64)
        cell = (outcome * 2 + bought[:, 0]) * 2 + bought[:, 1]
        counts[row] += np.bincount(cell, minlength=counts[row].size).reshape(counts[row].shape)


def _sum_faces(faces: np.ndarray, sums: np.ndarray) -> None:
    """Add results of dice, shape (n_games, 6), to ``ExpansionTally.dice``.  Modifies sums."""
    if not faces.any():
        return
    faces = faces.astype(np.int64)
    n = faces.sum(axis=1)
    for face in range(len(FACES)):
        sums[face] += _sum_ratio(n, faces[:, face])


def _count_points(came_up: np.ndarray, counts: np.ndarray) -> None:
    """Add games to ``ExpansionTally.open_points``.  Modifies counts."""
    seen = int(np.bitwise_or.reduce(came_up))
    for point in range(N_POINTS):
        if seen >> point & 1:
            counts[point] += np.count_nonzero(came_up >> point & 1)
