"""What must hold in every state, asked in a million games: ``make invariants GAMES=1000000``.

``tests/simcore/mindbug/rules/test_invariants.py`` looks at hundreds of games through ``Game``; here
the same questions, and some about what ``Game`` does not show, are compiled and asked at every
decision and at the end of each game.  The games are those of ``play_games`` with the same seed and
policies, but phase by phase, the way ``Game`` goes.
"""

import sys
import time
from collections import Counter
from dataclasses import dataclass
from enum import IntEnum

import numpy as np
import numpy.typing as npt

from simcore.jit import cached_kernel, kernel
from simcore.mindbug import GAME_RECORD, CardTable, Ending, Game
from simcore.mindbug.play.engine import _write_record
from simcore.mindbug.players.play_out import _answer
from simcore.mindbug.players.seats import seat
from simcore.mindbug.rules.call_stack import BOUGHT
from simcore.mindbug.rules.groups import _known
from simcore.mindbug.rules.keywords import _recalculate, _refresh
from simcore.mindbug.rules.new_game import _look_up, _new_game
from simcore.mindbug.rules.powers import _in_play, _recalculate_powers, _refresh_powers, _sources
from simcore.mindbug.rules.turn import _perform, _take
from simcore.mindbug.table.masks import NONE, ONE, _bit, _lowest, _popcount
from simcore.mindbug.table.state import (
    CHANGES_POWER,
    DEALING,
    GAME_STATE,
    IN_DISCARD,
    N_KEYWORDS,
    STALE,
    STOPS_HANDS,
    Decision,
    Named,
    Phase,
)
from support.mass_lockstep import MODES, POOLS, WITH_DICE, pool_table


class Fault(IntEnum):
    """What may be wrong with a state; a set of faults is a number with these bits."""

    PLACES = 0  #: a card is in two zones or in none, or the zone beside another says otherwise
    MARKS = 1  #: a mark or a boost card clings to what is not in play (R5, R82, R104)
    HANDS = 2  #: a hand is not filled though it may be (R27, C44)
    LIFE = 3  #: life below 0, or a player at 0 in a running game (R14, R16)
    SUPPLIES = 4  #: fewer than no Mindbugs or energy cubes (R35, R108)
    POWERS = 5  #: a creature with a power below 1 (R86)
    STALE = 6  #: a power or keyword is not what it is when all is worked out anew (R84)
    OPTIONS = 7  #: nothing to choose, or options that are not there to be chosen (R120, R121)
    LIMBO = 8  #: a card in no zone while it cannot be (R34, C15)
    WAITING = 9  #: triggers wait, or effects in one another, where all must be worked off (R58)
    POWER_CARDS = 10  #: a power card is in two places or in none, or the display has a gap (R111)
    ENDING = 11  #: winner, ending and life do not fit together (R14, R18, R20)


_F = {fault.name: 1 << fault for fault in Fault}
_PLACES, _MARKS, _HANDS, _LIFE = _F["PLACES"], _F["MARKS"], _F["HANDS"], _F["LIFE"]
_SUPPLIES, _POWERS, _STALE = _F["SUPPLIES"], _F["POWERS"], _F["STALE"]
_OPTIONS, _LIMBO, _WAITING = _F["OPTIONS"], _F["LIMBO"], _F["WAITING"]
_POWER_CARDS, _ENDING = _F["POWER_CARDS"], _F["ENDING"]
_N_FAULTS = len(Fault)

_OVER, _PAUSE, _START_TURN = int(Phase.OVER), int(Phase.PAUSE), int(Phase.START_TURN)
_D_ACTION, _D_MINDBUG = int(Decision.ACTION), int(Decision.MINDBUG)
_D_HUNT, _D_BLOCK = int(Decision.HUNT), int(Decision.BLOCK)
_D_DISCARD, _D_ORDER, _D_BUY = int(Decision.DISCARD), int(Decision.ORDER), int(Decision.BUY)
_SLOT = int(Named.SLOT)
_PART = 100_000
_BY_LIFE, _NO_ACTION = int(Ending.LIFE), int(Ending.NO_ACTION)
_CAPPED, _LOOPED = int(Ending.CAPPED), int(Ending.LOOPED)


# Looking at one state -----------------------------------------------------------------------------


@kernel
def _zones(state):
    """All cards that are somewhere, and how many they are if each is counted where it lies."""
    cards = state.limbo | state.unused | state.boosts | state.set_aside
    n = _popcount(state.limbo) + _popcount(state.unused)
    n += _popcount(state.boosts) + _popcount(state.set_aside)
    for player in range(2):
        cards |= state.hand[player] | state.draw_pile[player]
        cards |= state.discard_pile[player] | state.play_area[player]
        n += _popcount(state.hand[player]) + _popcount(state.draw_pile[player])
        n += _popcount(state.discard_pile[player]) + _popcount(state.play_area[player])
    return cards, n


@kernel
def _wrong_places(state, dealt):
    """Each card lies in one place, and what clings to creatures clings to creatures in play."""
    faults = 0
    cards, n = _zones(state)
    former = state.set_aside_from[0] | state.set_aside_from[1]
    piles = state.discard_pile[0] | state.discard_pile[1]
    if cards != dealt or n != _popcount(dealt) or former != state.set_aside:
        faults |= _PLACES
    marked = state.exhausted | state.attacked | state.evolved | state.blocked | state.victors
    marked |= state.undefeatable | state.no_block | state.no_attack | state.grown
    for k in range(N_KEYWORDS):
        marked |= state.turn_keyword[k]
    left = state.boosts
    while left != NONE:
        marked |= _bit(state.host[_lowest(left)])
        left &= left - ONE
    if state.attacker >= 0:
        marked |= _bit(state.attacker)
    working = state.trait[IN_DISCARD] & piles
    if marked & ~_in_play(state) != NONE or state.fallen & ~piles != NONE:
        faults |= _MARKS
    if working != state.at_work_in_piles:
        faults |= _PLACES
    return faults


@kernel
def _wrong_players(state, table):
    """Life, Mindbugs, energy and hands of both players."""
    faults = 0
    stops = _sources(state, STOPS_HANDS)
    for player in range(2):
        enemy = state.play_area[~player & 1] | state.discard_pile[~player & 1]
        full = _popcount(state.hand[player]) >= table.hand_size
        if not full and state.draw_pile[player] != NONE and stops & enemy == NONE:
            faults |= _HANDS * (state.ending < 0)
        if state.life[player] < 0 or (state.life[player] == 0 and state.ending < 0):
            faults |= _LIFE
        if state.mindbugs[player] < 0 or state.energy[player] < 0:
            faults |= _SUPPLIES
    return faults


@kernel
def _wrong_powers(state, table, looks):
    """Powers and keywords as the engine reads them, and worked out anew.

    Modifies looks, in which ``state`` is copied: looking must change nothing.
    """
    faults = 0
    lazy, anew = looks[0], looks[1]
    _refresh(lazy, table)
    _refresh_powers(lazy, table)
    anew.stale = STALE
    _recalculate_powers(anew, table, _sources(anew, CHANGES_POWER))
    _recalculate(anew, table)
    in_play = _in_play(state)
    for k in range(N_KEYWORDS):
        if (_known(lazy, k) ^ anew.keyword[k]) & in_play != NONE:
            faults |= _STALE
    while in_play != NONE:
        slot = _lowest(in_play)
        in_play &= in_play - ONE
        if lazy.power[slot] != anew.power[slot]:
            faults |= _STALE
        if lazy.power[slot] < 1 or anew.power[slot] < 1:
            faults |= _POWERS
    return faults


@kernel
def _wrong_power_cards(state, table):
    """Each power card is shown, in the deck, discarded or being resolved."""
    cards = state.display | state.power_discard | state.bought
    n = _popcount(state.display) + _popcount(state.power_discard) + _popcount(state.bought)
    for place in range(state.power_deck_next, state.power_deck_size):
        cards |= _bit(state.power_deck[place])
        n += 1
    for i in range(state.depth):
        if state.frame[i, BOUGHT] >= 0:
            cards |= _bit(state.frame[i, BOUGHT])
            n += 1
    shown = _popcount(state.display)
    gap = shown < 3 and state.power_deck_next < state.power_deck_size
    if cards != _bit(state.power_deck_size) - ONE or n != state.power_deck_size:
        return _POWER_CARDS
    return _POWER_CARDS if gap or shown > 3 or n > table.n_power_cards else 0


@kernel
def _wrong_decision(state):
    """What is asked, with what options, while what waits."""
    faults = 0
    decision = state.decision
    n = state.fixed_options + _popcount(state.options)
    if decision == _D_ACTION:
        n += _popcount(state.attack_options) + _popcount(state.action_options)
    if decision == 0 or n < 1 or n != state.n_options or not 0 <= state.decider <= 1:
        faults |= _OPTIONS
    if _not_there(state):
        faults |= _OPTIONS
    settled = decision == _D_ACTION or decision == _D_BUY
    if state.limbo != NONE and (settled or decision == _D_HUNT or decision == _D_BLOCK):
        faults |= _LIMBO
    if decision == _D_MINDBUG and _popcount(state.limbo) != 1:
        faults |= _LIMBO
    if settled and (state.waiting != 0 or state.depth != 0 or state.attacks_open != 0):
        faults |= _WAITING
    if decision == _D_ORDER and state.waiting < state.n_options:
        faults |= _WAITING
    return faults


@kernel
def _not_there(state):
    """Whether an option names what the decider cannot choose, or another player has to choose."""
    me, other = state.decider & 1, ~state.decider & 1
    decision = state.decision
    if decision == _D_ACTION:
        creatures = state.attack_options | state.action_options
        away = state.options & ~state.hand[me] | creatures & ~state.play_area[me]
        return away != NONE or state.decider != state.active
    if decision == _D_MINDBUG:
        return state.mindbugs[me] < 1 or state.decider == state.active
    if decision == _D_HUNT:
        enemies = state.play_area[other]
        return state.options & ~enemies != NONE or state.decider != state.attacking
    if decision == _D_BLOCK:
        return state.options & ~state.play_area[me] != NONE or state.decider == state.attacking
    if decision == _D_BUY:
        return state.options & ~state.display != NONE or state.decider != state.active
    if decision == _D_DISCARD:
        return state.options & ~state.hand[0] != NONE and state.options & ~state.hand[1] != NONE
    return state.named == _SLOT and state.options & ~_zones(state)[0] != NONE


@kernel
def _wrong_ending(state, table):
    """How the game ended, and who won."""
    dead = (state.life[0] <= 0) + (state.life[1] <= 0)
    if state.ending < 0 or state.turn > table.turn_cap:
        return _ENDING
    if state.ending == _BY_LIFE:
        if dead != 1 or state.life[1 - state.winner] != 0:
            return _ENDING
    elif dead > 0:
        return _ENDING
    drawn = state.ending == _CAPPED or state.ending == _LOOPED
    return _ENDING if drawn != (state.winner == -1) else 0


@kernel
def _faults(states, table, dealt, looks):
    """All that is wrong with a state at a decision or at the end.  Modifies looks."""
    state = states[0]
    looks[0] = states[0]
    looks[1] = states[0]
    faults = _wrong_places(state, dealt) | _wrong_players(state, table)
    faults |= _wrong_powers(state, table, looks) | _wrong_power_cards(state, table)
    return faults | (_wrong_decision(state) if state.ending < 0 else _wrong_ending(state, table))


@cached_kernel
def _look(tables, states, dealt, looks):
    """The faults of states[0].  Modifies looks."""
    return _faults(states, tables[0], dealt, looks)


def faults_of(game: Game, dealt: int) -> set[Fault]:
    """What is wrong with the present state of a game; ``dealt`` is a mask of all its cards."""
    looks = np.zeros(2, GAME_STATE)
    faults = int(_look(game._table.rows, game._states, np.uint64(dealt), looks))
    return {fault for fault in Fault if faults >> fault & 1}


# Many games ---------------------------------------------------------------------------------------


@cached_kernel
def _look_at_games(tables, seed, first_game, states, dealings, looks, counts, first, records):
    """Play games ``first_game`` … into ``records`` and look; how many states were looked at.

    ``counts`` are states with a fault, its last place is for games with any; ``first`` are the
    numbers of the first games with a fault.  Modifies all arrays but those of the table.
    """
    state, table = states[0], tables[0]
    n_states = 0
    for i in range(len(records)):
        game = first_game + i
        _new_game(state, table, seed, game, dealings[0])
        _look_up(state, table)
        dealt, _ = _zones(state)
        of_game = 0
        phase = _START_TURN
        while phase != _OVER:
            phase = _perform(state, table, phase)
            if phase == _PAUSE or phase == _OVER:
                faults = _faults(states, table, dealt, looks)
                n_states += 1
                of_game |= faults
                for fault in range(_N_FAULTS):
                    if (faults >> fault) & 1:
                        counts[fault] += 1
                        if first[fault] < 0:
                            first[fault] = game
                if phase == _PAUSE and state.n_options < 1:
                    break  # it cannot go on
                if phase == _PAUSE:
                    phase = _take(state, table, _answer(state, table))
        counts[_N_FAULTS] += of_game != 0
        _write_record(records[i], state, table)
    return n_states


@dataclass(frozen=True)
class Found:
    """What was found: how many states have each fault, and the number of the first such game."""

    games: npt.NDArray[np.void]  #: records of the games, as ``play_games`` gives them
    n_states: int
    n_faulty: int
    counts: dict[Fault, int]
    first: dict[Fault, int]


def look_at_games(
    table: CardTable,
    *,
    n_games: int,
    seed: int = 0,
    first_game: int = 0,
    policies: tuple[str, str] = ("random", "random"),
) -> Found:
    """Play games as ``play_games`` does and look at every decision and at the end."""
    counts, first = np.zeros(_N_FAULTS + 1, np.int64), np.full(_N_FAULTS, -1)
    games = np.zeros(n_games, GAME_RECORD)
    n_states = _look_at_games(
        seat(table, policies),
        np.int64(seed),
        np.int64(first_game),
        np.zeros(1, GAME_STATE),
        np.zeros(1, DEALING),
        np.zeros(2, GAME_STATE),
        counts,
        first,
        games,
    )
    return Found(
        games=games,
        n_states=int(n_states),
        n_faulty=int(counts[-1]),
        counts={fault: int(counts[fault]) for fault in Fault if counts[fault]},
        first={fault: int(first[fault]) for fault in Fault if counts[fault]},
    )


def look_at_pool(name: str, mode: str, n_games: int) -> int:
    """Look at games of a pool a part at a time and tell; how many have a fault."""
    table = pool_table(name, mode, kot_parts=name in WITH_DICE)
    started = time.monotonic()
    counts: Counter[str] = Counter()
    first: dict[str, int] = {}
    for number in range(0, n_games, _PART):
        part = min(_PART, n_games - number)
        found = look_at_games(table, n_games=part, seed=1, first_game=number)
        endings = [Ending(ending).name for ending in found.games["ending"].tolist()]
        counts.update(endings, states=found.n_states, faulty=found.n_faulty)
        counts.update({fault.name: n for fault, n in found.counts.items()})
        first = {fault.name: game for fault, game in found.first.items()} | first
    seconds = time.monotonic() - started
    endings = [f"{ending.name.lower()} {counts[ending.name]:,}" for ending in Ending]
    print(
        f"{name}, {mode}: {n_games:,} games, {counts['states']:,} states,"
        f" {counts['faulty']:,} games with faults, {seconds:.0f} s ({', '.join(endings)})",
        flush=True,
    )
    for fault, game in first.items():
        print(f"  {fault}: {counts[fault]:,} states, first in game {game}", flush=True)
    return counts["faulty"]


def main(n_games: int) -> int:
    """Look at ``n_games`` of every pool in both modes; how many have a fault."""
    return sum(look_at_pool(name, mode, n_games) for mode in MODES for name in POOLS)


if __name__ == "__main__":
    sys.exit(main(int(sys.argv[1])) > 0)
