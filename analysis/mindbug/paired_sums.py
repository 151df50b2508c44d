"""What two runs of Mindbug are compared in, and the kernel that counts it.

A line (`analysis.experiments.paired_sums`) is a card, keyword or set in one selection or measure
(`CARD_MEASURES`), or a number of the whole game (`GAME_MEASURES`).  Scores are counted in half
points, so that draws are whole numbers.
"""

from collections.abc import Sequence
from typing import NamedTuple

import numpy as np
import pandas as pd

from analysis.experiments import paired_sums
from analysis.experiments.paired_sums import N_SUMS, Lines, PairSums, sum_pairs
from analysis.mindbug import tallies
from analysis.mindbug.explain.parts import change_parts_table
from analysis.mindbug.explain.tally import PartTally, tally_parts
from analysis.mindbug.selections import GAME_MEASURES, POLICY, SELECTION_NAMES
from analysis.mindbug.summary import policy_label
from card_data.mindbug.schema import Card, Pool
from card_data.mindbug.vocabulary import Keyword
from simcore.jit import cached_kernel, kernel
from simcore.mindbug.table.masks import NONE, ONE, _bit, _lowest, _popcount
from simcore.mindbug.table.records import DEALT as N_SLOTS
from simcore.mindbug.table.records import DEALT_EACH, Ending, ended

#: The measures of a card; keywords and sets have the selections alone.
CARD_MEASURES = (*SELECTION_NAMES, "mindbug_rate", "dead_rate", "mean_turn_played")
N_MEASURES = len(CARD_MEASURES)
_MINDBUG, _DEAD, _TURN = range(tallies.N_SELECTIONS, N_MEASURES)
_DRAWN, _NOT_DRAWN = SELECTION_NAMES.index("drawn"), SELECTION_NAMES.index("not_drawn")
_ONE_PLAYER = "player_0_win_rate"  # says something only where two policies meet


COMPARISON = paired_sums.comparison_entry(
    {
        "kind": "what the row is about: card, keyword, set (in mixtures) or game",
        "id": "the card, keyword or set; empty for the whole game",
        "name": "its printed name, in the base",
        "policy": f"{POLICY}; for the whole game, who played",
        "measure": "for cards, keywords and sets a selection, which stands for its win rate "
        "(keywords and sets: once for each card), and for cards mindbug_rate, dead_rate and "
        "mean_turn_played; for the whole game one of the words below",
    },
    observations="player-games, cards, plays or games",
    words=GAME_MEASURES,
    json_rows=lambda table: (table["measure"] == "dealt") | (table["kind"] == "game"),
)


class Units(NamedTuple):
    """What both pools have, so that it can be compared; lines about it stand in this order.

    A card or set that only one pool has is no unit.  A pool of one set has no sets to compare.
    """

    cards: tuple[str, ...]  # ids of the cards that are dealt in both pools
    sets: tuple[str, ...]  # ids of the sets of both pools

    @classmethod
    def of(cls, base: Pool, variant: Pool) -> "Units":
        """The units of two pools, in the order of the base."""
        cards = [_dealt_cards(pool) for pool in (base, variant)]
        sets = [[card_set.set_id for card_set in pool.sets] for pool in (base, variant)]
        several = min(map(len, sets)) > 1
        return cls(
            tuple(card for card in cards[0] if card in cards[1]),
            tuple(name for name in sets[0] if several and name in sets[1]),
        )

    @property
    def number(self) -> int:
        """How many units there are: cards, keywords, sets."""
        return len(self.cards) + tallies.N_KEYWORDS + len(self.sets)


class PairCounter(paired_sums.PairCounter):
    """Counts games of two pools side by side."""

    def __init__(self, base: Pool, variant: Pool, policies: Sequence[str]) -> None:
        self.units = Units.of(base, variant)
        self.alike = base == variant
        self._group_of_player = np.array([0, int(policies[0] != policies[1])])
        self._traits = [_traits(pool, self.units) for pool in (base, variant)]
        ids = [_card_ids(pool) for pool in (base, variant)]
        number = {card: place for place, card in enumerate(dict.fromkeys(ids[0] + ids[1]))}
        self._numbers = [np.array([number[card] for card in mine]) for mine in ids]
        about = _about(self.units, base)
        self._policies = policies
        self._changed = _changed_cards(self.units, base, variant)
        self._explained = [_rows_of(self._changed, mine) for mine in ids]
        # A card has more measures than a keyword or a set, (n_units, n_measures).
        self._of_units = np.array([kind == "card" for kind, *_ in about])[:, None] | (
            np.arange(N_MEASURES) < tallies.N_SELECTIONS
        )
        self._of_games = np.array(
            [name != _ONE_PLAYER or policies[0] != policies[1] for name in GAME_MEASURES]
        )
        self.lines = self._find_lines(about, policies)

    def count(self, base: np.ndarray, variant: np.ndarray) -> PairSums:
        """The sums of some games, records of dtype GAME_RECORD."""
        of_units = self.count_units(base, variant)[:, self._of_units].reshape(-1, N_SUMS)
        of_games = sum_pairs(_game_values(base), _game_values(variant))[self._of_games]
        same = 0
        if len(base) and len(variant):
            one, other = self._numbers
            same = int((one[base["cards"]] == other[variant["cards"]]).all(axis=1).sum())
        games = np.array([len(base), len(variant)])
        lines = np.concatenate([of_units, of_games])
        return PairSums(lines, games, same, self._count_parts(base, variant))

    def tables(self, sums: PairSums) -> dict[str, pd.DataFrame]:
        """What goes with the change of the cards that were changed, if any were."""
        if not self._changed:
            return {}
        base, variant = PartTally(*sums.more[:2]), PartTally(*sums.more[2:])
        table = change_parts_table(base, variant, self._changed, self._policies)
        return {"change_parts": table}

    def count_units(self, base: np.ndarray, variant: np.ndarray) -> np.ndarray:
        """The sums of all units, shape (n_groups, n_units, n_measures, 18) of int64."""
        n_groups = int(self._group_of_player[1]) + 1
        sums = np.zeros((n_groups, self.units.number, N_MEASURES, N_SUMS), np.int64)
        n_cards, first_set = len(self.units.cards), len(self.units.cards) + tallies.N_KEYWORDS
        _add_pairs(
            base, variant, *self._traits, self._group_of_player, n_cards, first_set, sums
        )  # fmt: skip
        return sums

    def _count_parts(self, *games: np.ndarray) -> tuple[np.ndarray, ...]:
        """Sums and moments of the changed cards, of the base and then of the variant."""
        if not self._changed:
            return ()
        same = self._group_of_player[1] == 0
        return tuple(
            counts
            for mine, units in zip(games, self._explained, strict=True)
            for counts in tally_parts(mine, units, same_policy=same)
        )

    def _find_lines(self, about: list[tuple[str, str, str]], policies: Sequence[str]) -> Lines:
        """A line for each card, keyword and set by policy and measure, then those of the game."""
        rows = [
            (*about[unit], policy, CARD_MEASURES[measure])
            for policy, _ in tallies.groups(policies)
            for unit, measure in np.argwhere(self._of_units)
        ]
        rows += [
            ("game", "", "", policy_label(policies), name)
            for name, there in zip(GAME_MEASURES, self._of_games, strict=True)
            if there
        ]
        facts = pd.DataFrame(rows, columns=["kind", "id", "name", "policy", "measure"])
        measures = facts["measure"]
        halves = measures.isin(SELECTION_NAMES) | measures.str.endswith("win_rate")
        return Lines(facts, np.where(halves, 0.5, 1.0))


def _about(units: Units, base: Pool) -> list[tuple[str, str, str]]:
    """Kind, id and name of each unit, with the names that these have in ``base``."""
    card_names = {card.card_id: card.name for s in base.sets for card in s.cards}
    set_names = {card_set.set_id: card_set.name for card_set in base.sets}
    return [
        *(("card", card, card_names[card]) for card in units.cards),
        *(("keyword", keyword.name, keyword.name) for keyword in Keyword),
        *(("set", name, set_names[name]) for name in units.sets),
    ]


def _card_ids(pool: Pool) -> list[str]:
    """The id of each row of the card table."""
    return [card.card_id for card_set in pool.sets for card in card_set.cards]


def _dealt_cards(pool: Pool) -> dict[str, int]:
    """The cards of a pool that are dealt, with the row of each; later stages are not (R101)."""
    cards = [card for card_set in pool.sets for card in card_set.cards]
    return {card.card_id: row for row, card in enumerate(cards) if card.copies}


def _changed_cards(units: Units, base: Pool, variant: Pool) -> list[tuple[str, str]]:
    """Id and name of the cards of both pools that differ, in themselves or in a later stage."""
    lines = [_evolution_lines(pool) for pool in (base, variant)]
    changed = [card for card in units.cards if lines[0][card] != lines[1][card]]
    return [(card, lines[0][card][0].name) for card in changed]


def _evolution_lines(pool: Pool) -> dict[str, list[Card]]:
    """Each card that is dealt with the later stages of its line, if it has any."""
    cards = {card.card_id: card for card_set in pool.sets for card in card_set.cards}
    lines = {}
    for card_id in _dealt_cards(pool):
        line = [cards[card_id]]
        while following := cards.get(line[-1].evolves_to or ""):
            line.append(following)
        lines[card_id] = line
    return lines


def _rows_of(cards: Sequence[tuple[str, str]], ids: Sequence[str]) -> np.ndarray:
    """The place among ``cards`` of each row of the card table, -1 for others."""
    place = {card_id: number for number, (card_id, _) in enumerate(cards)}
    return np.array([place.get(card_id, -1) for card_id in ids], np.int64)


def _traits(pool: Pool, units: Units) -> np.ndarray:
    """Of each row of the card table: unit, bits of its keywords, number of the set; -1 is none.

    Shape (3, n_cards).
    """
    unit_of = {card: unit for unit, card in enumerate(units.cards)}
    set_of = {name: number for number, name in enumerate(units.sets)}
    return np.array(
        [
            (
                unit_of.get(card.card_id, -1),
                sum(1 << keyword for keyword in card.keywords),
                set_of.get(card_set.set_id, -1),
            )
            for card_set in pool.sets
            for card in card_set.cards
        ],
        np.int64,
    ).T.copy()


@cached_kernel
def _add_pairs(
    base, variant, base_traits, variant_traits, group_of_player, n_cards, first_set, sums
):
    """Add games to ``sums`` (`PairSums.units`).  Modifies sums."""
    n_groups, n_units, n_measures, _ = sums.shape
    values = np.zeros((2, n_groups, n_units, n_measures, 2), np.int64)  # run, …, (n, s)
    masks = np.zeros(n_units, np.uint64)
    selections = np.zeros((2, tallies.N_SELECTIONS), np.uint64)
    met = np.zeros((2, n_units), np.int64)  # the units of each run's game, in order of appearance
    for i in range(max(len(base), len(variant))):
        n_base, n_variant = 0, 0
        if i < len(base):
            n_base = _fill_values(
                base[i], base_traits, group_of_player, n_cards, first_set, values[0], masks,
                selections, met[0],
            )  # fmt: skip
        if i < len(variant):
            n_variant = _fill_values(
                variant[i], variant_traits, group_of_player, n_cards, first_set, values[1], masks,
                selections, met[1],
            )  # fmt: skip
        for place in range(n_base):
            _add_unit(values, met[0, place], sums)
        for place in range(n_variant):
            _add_unit(values, met[1, place], sums)


@kernel
def _fill_values(game, traits, group_of_player, n_cards, first_set, values, masks, selections, met):
    """Fill (n, s) of every unit that is in a game; how many units these are.

    Modifies ``values``, ``met`` and the work space ``masks`` (left clear) and ``selections``.
    """
    n_met = 0
    for slot in range(N_SLOTS):
        card = game.cards[slot]
        n_met = _meet_all(traits[:, card], slot, n_cards, first_set, masks, met, n_met)
        if traits[0, card] >= 0:
            _fill_plays(game, slot, values[group_of_player[slot // DEALT_EACH], traits[0, card]])
    unused = tallies._of_unused_pile(game)
    while unused != NONE:
        slot = _lowest(unused)
        unused &= unused - ONE
        card = game.unused_cards[slot - N_SLOTS]
        n_met = _meet_all(traits[:, card], slot, n_cards, first_set, masks, met, n_met)
    for player in range(2):
        tallies._fill_selections(selections[player], game, player)
    for place in range(n_met):
        unit = met[place]
        mask = masks[unit]
        masks[unit] = 0
        for player in range(2):
            half_points = 1 if game.winner < 0 else 2 * (game.winner == player)
            line = values[group_of_player[player], unit]
            for selection in range(tallies.N_SELECTIONS):
                n = _popcount(mask & selections[player, selection])
                if unit < n_cards:  # a player counts once, however many copies
                    n = min(n, 1)
                    if selection == _NOT_DRAWN and mask & selections[player, _DRAWN]:
                        n = 0
                line[selection, 0] += n
                line[selection, 1] += n * half_points
            drawn = mask & selections[player, _DRAWN]
            if unit < n_cards and drawn:
                used = drawn & (game.played[player] | game.taken[1 - player])
                line[_DEAD, 0] += 1
                line[_DEAD, 1] += used == 0
    return n_met


@kernel
def _meet_all(traits, slot, n_cards, first_set, masks, met, n_met):
    """Note that the units with these traits have the card in a slot; how many units have been met.

    ``traits`` are those of one card, see `_traits`.  Modifies masks and met.
    """
    unit, bits, set_number = traits[0], traits[1], traits[2]
    if unit >= 0:
        n_met = _meet(unit, slot, masks, met, n_met)
    for keyword in range(tallies.N_KEYWORDS):
        if bits >> keyword & 1:
            n_met = _meet(n_cards + keyword, slot, masks, met, n_met)
    if set_number >= 0:
        n_met = _meet(first_set + set_number, slot, masks, met, n_met)
    return n_met


@kernel
def _meet(unit, slot, masks, met, n_met):
    """Note that a unit has the card in a slot; how many units have been met.

    Modifies masks and met.
    """
    if masks[unit] == 0:
        met[n_met] = unit
        n_met += 1
    masks[unit] |= _bit(slot)
    return n_met


@kernel
def _fill_plays(game, slot, line):
    """Thefts per offer and turn per card played of the card in a slot.  Modifies line."""
    line[_MINDBUG, 0] += game.offers[slot]
    line[_MINDBUG, 1] += game.thefts[slot]
    if game.turn_played[slot] > 0:
        line[_TURN, 0] += 1
        line[_TURN, 1] += game.turn_played[slot]


@kernel
def _add_unit(values, unit, sums):
    """Add the (n, s) of one unit in one pair of games to its sums and clear them.

    Modifies values and sums.  A unit that both games have is clear the second time.
    """
    for group in range(values.shape[1]):
        for measure in range(values.shape[3]):
            one, other = values[0, group, unit, measure], values[1, group, unit, measure]
            n, s, m, t = one[0], one[1], other[0], other[1]
            if n == 0 and m == 0:
                continue
            line = sums[group, unit, measure]
            line[0] += n > 0
            line[1] += n
            line[2] += s
            line[3] += n * n
            line[4] += n * s
            line[5] += s * s
            line[6] += m > 0
            line[7] += m
            line[8] += t
            line[9] += m * m
            line[10] += m * t
            line[11] += t * t
            line[12] += 1
            line[13] += n * m
            line[14] += n * t
            line[15] += s * m
            line[16] += s * t
            line[17] += n != m or s != t
            one[:], other[:] = 0, 0


def _game_values(games: np.ndarray) -> tuple[np.ndarray, np.ndarray]:
    """Whether each game counts for each of `GAME_MEASURES` (0 or 1), and its number there.

    Both have shape (n_game_measures, n_games); scores in half points.
    """
    drawn = games["winner"] < 0
    values = {
        "first_player_win_rate": np.where(drawn, 1, 2 * (games["winner"] == games["first_player"])),
        "player_0_win_rate": np.where(drawn, 1, 2 * (games["winner"] == 0)),
        "draw_rate": drawn,
        **{f"{ending.name.lower()}_rate": games["ending"] == ending for ending in Ending},
        "mean_turns": games["turns"],
        "mean_decisions": games["decisions"],
    }
    n = np.ones((len(GAME_MEASURES), len(games)), np.int64)
    n[[name.startswith("mean_") for name in GAME_MEASURES]] = ended(games)
    return n, n * np.stack([values[name].astype(np.int64) for name in GAME_MEASURES])
