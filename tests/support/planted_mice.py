"""Games of Mice & Mystics that nobody played: records drawn with truths that are known.

A game is won with a chance that adds up from its party, its starting abilities, the top of its
search deck, its first encounter and the card on top of its first track; all else is drawn apart
from that.
"""

from collections.abc import Mapping
from functools import cache

import numpy as np
from attrs import frozen

from analysis.mice_and_mystics.counts import RunCounts
from analysis.mice_and_mystics.run_facts import CAUSES_OF_CAPTURE, RunFacts
from card_data.mice_and_mystics import load_facts
from card_data.mice_and_mystics.settings import read_settings
from simcore.mice_and_mystics.table.limits import CAUSES, MICE
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
    on_top: Mapping[str, float] = {}
    #: Rounds fought more in the room of a first encounter, and by how much all dice are loaded.
    rounds: Mapping[str, float] = {}
    loaded: float = 0.0

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
    games["party"] = -1
    members = np.array([[heroes.index(one) for one in party] for party in of.parties])
    games["party"][:, : of.chapter.mice] = members[party_of]
    chance = np.array([planted.of_party(party) for party in of.parties], float)[party_of]
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
    chance += _fill_track(of, games, planted, rng)
    won = rng.random(n_games) < chance
    _fill_ends(of, games, won, rng)
    _fill_rooms(of, games, planted, rng)
    _fill_captures(of, games, rng)
    _fill_ledgers(games, planted, rng)
    return games


def _fill_track(
    of: RunFacts, games: np.ndarray, planted: Planted, rng: np.random.Generator
) -> np.ndarray:
    """The first track, of four mice and the rat warriors; what its top card adds to the chance."""
    rats, n_mice = MICE + of.ids["minions"].index("rat_warrior"), of.chapter.mice
    cards = rng.permuted(np.tile([*range(n_mice), rats], (len(games), 1)), axis=1)
    games["first_track"] = -1
    games["first_track"][:, : n_mice + 1] = cards
    games["mice_ahead"] = -1
    games["mice_ahead"][:, 0] = np.argmax(cards == rats, axis=1)
    added = np.where(cards[:, 0] == rats, planted.on_top.get("rat_warrior", 0), 0.0)
    for place, hero in enumerate(of.ids["heroes"]):
        first = np.take_along_axis(games["party"], np.minimum(cards[:, :1], n_mice - 1), axis=1)
        added += ((first[:, 0] == place) & (cards[:, 0] < MICE)) * planted.on_top.get(hero, 0)
    return added


def _fill_rooms(
    of: RunFacts, games: np.ndarray, planted: Planted, rng: np.random.Generator
) -> None:
    """What happened in which room: an encounter in each but the first and the last."""
    n_games, n_cards = len(games), len(of.ids["encounters"])
    games["encounter_in"] = -1
    longer = np.array([planted.rounds.get(one, 0) for one in of.ids["encounters"]])
    for room in range(_ROOMS):
        entered = games["route_depth"] > room
        fought = rng.poisson(2 + (longer[games["first_e"]] if room == 1 else 0), n_games)
        games["rounds_fought"][:, room] = fought * entered
        games["rounds_in"][:, room] = (fought + rng.poisson(1, n_games)) * entered
        if room:
            games["mice_ahead"][entered, room] = rng.integers(0, of.chapter.mice + 1, entered.sum())
        if 0 < room < _ROOMS - 1:
            card = games["first_e"] if room == 1 else rng.integers(0, n_cards, n_games)
            games["encounter_in"][entered, room] = card[entered]
    for name in ("captures", "surges"):
        entered = np.arange(_ROOMS) < games["route_depth"][:, None]
        games[f"{name}_in"][:, :_ROOMS] = rng.multinomial(
            games[name], entered / entered.sum(axis=1, keepdims=True)
        )


def _fill_captures(of: RunFacts, games: np.ndarray, rng: np.random.Generator) -> None:
    """Who was captured by what: heroes of the party, alike."""
    there = (games["party"][:, :, None] == np.arange(len(of.ids["heroes"]))).any(axis=1)
    by_hero = rng.multinomial(games["captures"], there / there.sum(axis=1, keepdims=True))
    for hero in range(len(of.ids["heroes"])):
        how = rng.multinomial(by_hero[:, hero], [0.7, 0.1, 0.15, 0.05])
        games["captures_of"][:, hero] = by_hero[:, hero]
        games["captures_how"][:, hero * CAUSES : (hero + 1) * CAUSES] = how
        for cause, word in enumerate(CAUSES_OF_CAPTURE):
            games[f"captures_{word}"] += how[:, cause].astype(np.int16)
    n_minions = len(of.ids["minions"])
    games["captures_by"][:, :n_minions] = rng.multinomial(
        games["captures_battle"], np.full(n_minions, 1 / n_minions)
    )


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


def _fill_ledgers(games: np.ndarray, planted: Planted, rng: np.random.Generator) -> None:
    """Cheese that comes in, goes out and is left; and dice."""
    n_games = len(games)
    for dice, hits in zip(ROLLED[::2], ROLLED[1::2], strict=True):
        rolled = rng.poisson(30, n_games)
        games["rolled"][:, ROLLED.index(dice)] = rolled
        chance = chance_of(dice) + planted.loaded
        games["rolled"][:, ROLLED.index(hits)] = rng.binomial(rolled, chance)
    of_minions = [ROLLED.index(f"minion_{how}_dice") for how in ("melee", "ranged")]
    attacks = games["rolled"][:, of_minions].sum(axis=1)
    games["wheel_in_attack"] = rng.binomial(attacks, 1 / 6 + planted.loaded)
    defense = games["rolled"][:, ROLLED.index("minion_defense_dice")]
    games["wheel_in_defense"] = rng.binomial(defense, 1 / 6 + planted.loaded)
    games["wheel_in_idle"] = rng.poisson(4, n_games)
    into = sum(games[f"wheel_in_{one}"] for one in ("attack", "defense", "idle"))
    games["wheel_left"] = into % 6
    games["wheel_out_surge"] = into - games["wheel_left"]
    games["cheese_in_attack"] = rng.poisson(12, n_games)
    games["cheese_out_ability"] = rng.binomial(games["cheese_in_attack"], 0.5)
    games["cheese_left"] = games["cheese_in_attack"] - games["cheese_out_ability"]


def chance_of(dice: str) -> float:
    """The chance of a success of one die (M118)."""
    if "search" in dice or "melee" in dice:
        return 1 / 2
    return 1 / 3


def count(of: RunFacts, games: np.ndarray) -> RunCounts:
    """The counts of some games."""
    return RunCounts.of_no_games(of).count(games)
