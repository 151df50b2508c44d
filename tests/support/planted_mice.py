"""Games of Mice & Mystics that nobody played: records drawn with truths that are known.

A game is won with a chance that adds up from its party, its starting abilities, the top of its
search deck and its first encounter; all else is drawn apart from that.
"""

from __future__ import annotations

from collections.abc import Mapping
from functools import cache

import numpy as np
from attrs import frozen

from analysis.mice_and_mystics.counts import RunCounts
from analysis.mice_and_mystics.run_facts import RunFacts
from card_data.mice_and_mystics import load_facts
from card_data.mice_and_mystics.settings import read_settings
from simcore.mice_and_mystics.table.records import GAME_RECORD, ROLLED, Outcome

facts = cache(load_facts)
# Rooms of the route in these games.
_ROOMS = 4


@frozen
class Planted:
    """The truths: by how much each thing changes the chance to win, a share."""

    base: float = 0.4
    heroes: Mapping[str, float] = {}
    pairs: Mapping[tuple[str, str], float] = {}
    dealt: Mapping[str, float] = {}
    top8: Mapping[str, float] = {}
    first: Mapping[str, float] = {}

    def of_party(self, party: tuple[str, ...]) -> float:
        """The chance to win that a party brings along."""
        both = sum(worth for pair, worth in self.pairs.items() if set(pair) <= set(party))
        return self.base + sum(self.heroes.get(hero, 0) for hero in party) + both


def run_facts(*party: str, chapter: str = "standin_four_rooms", **words: str) -> RunFacts:
    """The facts of a run of a party, or of all."""
    said = [f"{name}={value}" for name, value in words.items()]
    return RunFacts(facts(), read_settings(facts(), chapter, party, said), "heuristic")


def play(of: RunFacts, planted: Planted, n_games: int, seed: int) -> np.ndarray:
    """So many records, shape (n_games,) of `GAME_RECORD`; ledgers balance and sums agree."""
    rng = np.random.default_rng(seed)
    games = np.zeros(n_games, GAME_RECORD)
    games["game"] = np.arange(n_games)
    party_of = rng.integers(0, len(of.parties), n_games)
    heroes = of.ids["heroes"]
    games["party"] = np.array([[heroes.index(one) for one in party] for party in of.parties])[
        party_of
    ]
    chance = np.array([planted.of_party(party) for party in of.parties])[party_of]
    for bit in range(len(of.ids["abilities"])):
        dealt = rng.random(n_games) < 4 / len(of.ids["abilities"])
        games["dealt"] |= dealt.astype(np.int64) << bit
        chance += dealt * planted.dealt.get(of.ids["abilities"][bit], 0)
    games["owned"] = games["dealt"]
    for place, card in enumerate(of.ids["cards"]):
        games["top8"][:, place] = rng.poisson(0.2, n_games)
        chance += (games["top8"][:, place] > 0) * planted.top8.get(card, 0)
    games["first_e"] = rng.integers(0, len(of.ids["encounters"]), n_games)
    worth = np.array([planted.first.get(one, 0) for one in of.ids["encounters"]])
    chance += worth[games["first_e"]]
    won = rng.random(n_games) < chance
    _fill_ends(of, games, won, rng)
    _fill_ledgers(games, rng)
    return games


def _fill_ends(of: RunFacts, games: np.ndarray, won: np.ndarray, rng: np.random.Generator) -> None:
    """How the games end, and where they were on which page."""
    n_games, end = len(games), of.page_end
    how = rng.choice([Outcome.LOSS_PAGE, Outcome.LOSS_CAPTURED, Outcome.TIMEOUT], n_games)
    games["outcome"] = np.where(won, Outcome.WIN, how)
    games["route_depth"] = np.where(won, _ROOMS, rng.integers(1, _ROOMS + 1, n_games))
    games["rooms_explored"] = games["route_depth"]
    games["tile_final"] = games["route_depth"] - 1
    games["page_final"] = rng.integers(2, end, n_games)
    games["page_final"][games["outcome"] == Outcome.LOSS_PAGE] = end
    games["pages_left"] = np.maximum(end - games["page_final"], 0)
    games["page_at_entry"], games["round_at_entry"] = -1, -1
    games["page_at_entry_kitchen"], games["first_level_up_round"] = -1, -1
    for room in range(_ROOMS):
        entered = games["route_depth"] > room
        games["page_at_entry"][entered, room] = (
            1 + (room * (games["page_final"] - 1) // _ROOMS)[entered]
        )
        games["round_at_entry"][entered, room] = 1 + 5 * room
    lost = games["page_final"] - of.chapter.page_start
    games["captures"] = rng.integers(0, lost + 1)
    games["surges"] = lost - games["captures"]
    games["rounds"] = 10 + rng.poisson(20, n_games)


def _fill_ledgers(games: np.ndarray, rng: np.random.Generator) -> None:
    """Cheese that comes in, goes out and is left; and dice."""
    n_games = len(games)
    games["wheel_in_attack"] = rng.poisson(9, n_games)
    games["wheel_in_idle"] = rng.poisson(4, n_games)
    games["wheel_left"] = (games["wheel_in_attack"] + games["wheel_in_idle"]) % 6
    games["wheel_out_surge"] = (
        games["wheel_in_attack"] + games["wheel_in_idle"] - games["wheel_left"]
    )
    games["cheese_in_attack"] = rng.poisson(12, n_games)
    games["cheese_out_ability"] = rng.binomial(games["cheese_in_attack"], 0.5)
    games["cheese_left"] = games["cheese_in_attack"] - games["cheese_out_ability"]
    for dice, hits in zip(ROLLED[::2], ROLLED[1::2], strict=True):
        rolled = rng.poisson(30, n_games)
        games["rolled"][:, ROLLED.index(dice)] = rolled
        games["rolled"][:, ROLLED.index(hits)] = rng.binomial(rolled, chance_of(dice))


def chance_of(dice: str) -> float:
    """The chance of a success of one die (M118)."""
    if "search" in dice or "melee" in dice:
        return 1 / 2
    return 1 / 3


def count(of: RunFacts, games: np.ndarray) -> RunCounts:
    """The counts of some games."""
    return RunCounts.of_no_games(of).count(games)
