"""Invariants of Mice & Mystics in many games: ``make mice_invariants GAMES=100000``.

``invariants.py`` asks I1 to I8 of any engine through its façade; here the same questions, and some
about what no façade shows, are compiled and asked of the fast engine's state at every decision and
at the end of each game: both chapters, all parties and players, and any switches and knobs.
"""

import sys
import time
from collections import Counter
from enum import IntEnum

import numpy as np
import numpy.typing as npt

from simcore.jit import cached_kernel, kernel
from simcore.mice_and_mystics.face.game import Game
from simcore.mice_and_mystics.players.policies import _choose
from simcore.mice_and_mystics.players.seats import seat
from simcore.mice_and_mystics.rules.machine import _advance, _finish, _take
from simcore.mice_and_mystics.rules.new_game import _new_game
from simcore.mice_and_mystics.table.limits import FIGURES, MICE, SLOTS
from simcore.mice_and_mystics.table.masks import _bit, _count, _has
from simcore.mice_and_mystics.table.records import GAME_RECORD, Outcome
from simcore.mice_and_mystics.table.state import GAME_STATE
from simcore.mice_and_mystics.table.words import D1, D6, D9, EXPLORE, RUNNING
from support.mice_and_mystics.fast_table import PLAYERS, compiled, settings_of
from support.mice_and_mystics.lockstep import settings
from support.mice_and_mystics.sides import Setting

GAMES_OF_ONE = 100  # games that are played of each setting


class Fault(IntEnum):
    """What may be wrong with a state; a set of faults is a number with these bits."""

    WHEEL = 0  #: below 0, or full though no surge is being settled (I1)
    PAGE = 1  #: it has gone back, or has advanced for another reason (I1, I2)
    CAPACITY = 2  #: more in a space than it holds, or something beside a large figure (I3)
    PLACES = 3  #: what a space says of who is there differs from where figures say they are
    FIGURES = 4  #: more figures of a type or a pool than there are (I4)
    TRACK = 5  #: not one card for each mouse and for each type of minion that is there (I5)
    SPLIT = 6  #: EXPLORE beside minions, or a mouse elsewhere or nowhere (I6)
    CHEESE = 7  #: cheese of the mice or of the wheel out of nothing, or less than none (I7)
    ENDLESS = 8  #: too many rounds, idle ones without a page, or neither decision nor end (I8)
    WOUNDS = 9  #: a mouse on the tile with as many wounds as it has life (M60)
    CARDS = 10  #: a search card is lost or there are more than there were (M135)


_N_FAULTS = len(Fault)
_WHEEL, _PAGE, _CAPACITY, _PLACES, _FIGURES, _TRACK = (1 << fault for fault in list(Fault)[:6])
_SPLIT, _CHEESE, _ENDLESS, _WOUNDS, _CARDS = (1 << fault for fault in list(Fault)[6:])

#: What is known of a game from one decision to the next.
SEEN = np.dtype(
    [("page", np.int64), ("rooms", np.int64), ("idle_since", np.int64), ("cards", np.int64)]
)


@kernel
def _wrong_clock(state, table, record, seen):
    """Wheel, pages and rounds (I1, I2, I8).  Modifies seen."""
    faults = 0
    settled = state.outcome == RUNNING and state.point != D9
    if state.wheel < 0 or (settled and state.wheel >= table.wheel_size):
        faults |= _WHEEL
    advances = record.surges + record.captures
    if state.page < seen.page or state.page != table.page_start + advances:
        faults |= _PAGE
    if state.figures != 0 or state.page != seen.page or record.rooms_explored != seen.rooms:
        seen.idle_since = state.round
    seen.page, seen.rooms = state.page, record.rooms_explored
    if state.round > table.last_round or state.round - seen.idle_since > table.wheel_size:
        faults |= _ENDLESS
    if (state.outcome == RUNNING) != (state.n_options > 1):
        faults |= _ENDLESS
    return faults


@kernel
def _wrong_space(state, tile, table, space):
    """Who is in a space, by the space and by the figures themselves (I3)."""
    mice, minions, load, large = 0, 0, 0, 0
    for mouse in range(MICE):
        if state.space[mouse] == space:
            mice |= 1 << mouse
            load += 1
    for figure in range(FIGURES):
        if _has(state.figures, figure) != 0 and state.figure_space[figure] == space:
            minions |= 1 << figure
            if table.minions[state.type[figure]].large == 0:
                load += 1
            else:
                large += 1
                load += 4 if _has(tile.special, space) != 0 else tile.capacity[space]
    faults = 0
    alone = _count(mice) + _count(minions) == 1 or _has(tile.special, space) != 0
    if load > tile.capacity[space] or (large > 0 and not alone):
        faults |= _CAPACITY
    if state.mice_at[space] != mice or state.minions_at[space] != minions:
        faults |= _PLACES
    if state.load[space] != load or _has(state.full, space) != (load >= tile.capacity[space]):
        faults |= _PLACES
    if _has(state.with_mice, space) != (mice != 0):
        faults |= _PLACES
    if _has(state.with_minions, space) != (minions != 0):
        faults |= _PLACES
    return faults


@kernel
def _wrong_mice(state, table, tile):
    """Where mice are, what they have taken, and that minions keep them from exploring (I6)."""
    faults = 0
    playing = state.round > 0 and state.point != D6  # as long as mice are being placed
    for mouse in range(table.n_mice):
        space = state.space[mouse]
        away = _has(state.captured | state.missing, mouse) != 0
        here = 0 <= space < tile.n_spaces
        if _has(state.active, mouse) != here or (playing and away == here):
            faults |= _SPLIT
        if (not here and space != -1) or _has(state.captured & state.missing, mouse) != 0:
            faults |= _SPLIT
        life = table.heroes[state.hero[mouse]].life
        # The capture that wounds bring comes before the next decision.
        if state.wounds[mouse] < 0 or state.wounds[mouse] + state.poison[mouse] >= life:
            faults |= _WOUNDS
    for i in range(state.n_options):
        if state.figures != 0 and state.point == D1 and state.options[i] & 255 == EXPLORE:
            faults |= _SPLIT
    return faults


@kernel
def _wrong_figures(state, table):
    """Supplies, and the cards of the track (I4, I5)."""
    faults, cards = 0, 0
    for kind in range(table.n_minions):
        one = table.minions[kind]
        of_type, in_pool = 0, 0
        for figure in range(FIGURES):
            if _has(state.figures, figure) != 0:
                of_type += state.type[figure] == kind
                in_pool += _has(one.pool, state.type[figure])
        if of_type > 0:
            cards |= 1 << (MICE + one.card)
            if of_type > one.limit or in_pool > one.pool_limit:
                faults |= _FIGURES
        if state.of_type[kind] != of_type:
            faults |= _PLACES
    on_track = 0
    for place in range(state.n_track):
        if _has(on_track, state.track[place]) != 0:
            faults |= _TRACK
        on_track |= _bit(state.track[place])
    made = state.round > 0 and state.outcome == RUNNING  # which may end between figures and cards
    if made and on_track != cards | (1 << table.n_mice) - 1:
        faults |= _TRACK
    return faults


@kernel
def _wrong_cheese(state, record):
    """All cheese comes from somewhere and goes somewhere (I7)."""
    held, fewest = 0, 0
    for mouse in range(MICE):
        held += state.cheese[mouse]
        fewest = min(fewest, state.cheese[mouse])
    into = record.cheese_in_attack + record.cheese_in_defense + record.cheese_in_bow
    into += record.cheese_in_trap + record.cheese_in_discard + record.cheese_in_event
    into += record.cheese_in_pilfer + record.cheese_in_start
    out = record.cheese_out_ability + record.cheese_out_level + record.cheese_out_pay
    out += record.cheese_out_capture + record.cheese_out_theft
    on_wheel = record.wheel_in_attack + record.wheel_in_defense + record.wheel_in_idle
    on_wheel += record.wheel_in_theft + record.wheel_in_event + record.wheel_in_counter
    off_wheel = record.wheel_out_surge + record.wheel_out_pilfer
    if fewest < 0 or into - out != held or on_wheel - off_wheel != state.wheel:
        return _CHEESE
    return 0


@kernel
def _n_cards(state):
    """All search cards, wherever they are."""
    n = state.deck_end - state.deck_first + state.n_discards
    for token in range(len(state.tokens)):
        n += state.tokens[token]
    for mouse in range(MICE):
        n += state.n_pack[mouse]
        for slot in range(SLOTS):
            n += state.slots[mouse, slot] >= 0
    return n


@kernel
def _faults(state, table, record, seen):
    """All that is wrong with a state at a decision or at the end.  Modifies seen."""
    tile = table.tiles[state.tile]
    faults = _wrong_clock(state, table, record, seen) | _wrong_mice(state, table, tile)
    faults |= _wrong_figures(state, table) | _wrong_cheese(state, record)
    for space in range(tile.n_spaces):
        faults |= _wrong_space(state, tile, table, space)
    if state.point == D1 and state.outcome == RUNNING:
        n = _n_cards(state)
        if seen.cards > 0 and n != seen.cards:
            faults |= _CARDS
        seen.cards = n
    return faults


@cached_kernel
def _look(states, tables, records, seen):
    """The faults of states[0].  Modifies seen."""
    return _faults(states[0], tables[0], records[0], seen[0])


@cached_kernel
def _look_at_games(states, tables, records, seed, first, seen, counts, games):
    """Play games ``first`` … into ``records`` and look; how many states were looked at.

    ``counts`` are states with a fault, ``games`` the numbers of the first games with it.  Modifies
    all arrays but the tables.
    """
    state, table = states[0], tables[0]
    n_states = 0
    for i in range(len(records)):
        record = records[i]
        _new_game(state, table, record, seed, first + i)
        seen[0].page, seen[0].rooms = 0, 0
        seen[0].idle_since, seen[0].cards = 0, 0
        while True:
            _advance(state, table, record)
            faults = _faults(state, table, record, seen[0])
            n_states += 1
            for fault in range(_N_FAULTS):
                if (faults >> fault) & 1:
                    counts[fault] += 1
                    if games[fault] < 0:
                        games[fault] = first + i
            if state.outcome != RUNNING or state.n_options < 1:
                break
            _take(state, _choose(state, table))
        _finish(state, table, record)
    return n_states


def faults_of(game: Game) -> set[Fault]:
    """What is wrong with the present state of a game."""
    faults = int(_look(game.states, game.rows, game.records, np.zeros(1, SEEN)))
    return {fault for fault in Fault if faults >> fault & 1}


def look_at(setting: Setting, n_games: int) -> tuple[npt.NDArray[np.void], Counter[str]]:
    """Play games of a setting and look; their records, and how many states, and faults of each."""
    table = compiled(
        None,
        settings_of(
            setting.chapter, setting.party or (), dict(setting.switches), dict(setting.knobs)
        ),
    )
    counts, first = np.zeros(_N_FAULTS, np.int64), np.full(_N_FAULTS, -1)
    records = np.zeros(n_games, GAME_RECORD)
    n_states = _look_at_games(
        np.zeros(1, GAME_STATE),
        seat(table, (f"{PLAYERS[setting.player[0]]}{setting.player[1:]}",)),
        records,
        np.int64(setting.seed),
        np.int64(setting.game * n_games),
        np.zeros(1, SEEN),
        counts,
        first,
    )
    found = Counter(states=int(n_states))
    for fault in Fault:
        if counts[fault]:
            found[f"{fault.name}, first in game {first[fault]} of {setting}"] = int(counts[fault])
    return records, found


def main(n_games: int, seed: int = 1) -> int:
    """Look at about so many games of all settings and tell; how many states have a fault."""
    started = time.monotonic()
    found: Counter[str] = Counter()
    ends: Counter[str] = Counter()
    for setting in settings(seed, max(1, n_games // GAMES_OF_ONE)):
        records, here = look_at(setting, min(n_games, GAMES_OF_ONE))
        found += here
        ends["games"] += len(records)
        for outcome in Outcome:
            ends[outcome.name.lower()] += int((records["outcome"] == outcome).sum())
    n_states = found.pop("states")
    print(
        f"{ends.pop('games'):,} games, {n_states:,} states, {found.total():,} faults,"
        f" {time.monotonic() - started:.0f} s"
        f" ({', '.join(f'{name} {n:,}' for name, n in ends.items())})"
    )
    for fault, n in found.most_common(20):
        print(f"  {n:,} states: {fault}")
    return found.total()


if __name__ == "__main__":
    sys.exit(main(*map(int, sys.argv[1:])) > 0)
