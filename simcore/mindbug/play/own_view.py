"""What a compiled function of a person's own is shown: a record of plain numbers.

It says what `simcore.mindbug.View` says, but for what is printed on cards, and like it nothing
that a player may not know (R4).  The function is compiled apart and called where its code lies, so
that a new one compiles nothing of the engine.
"""

import hashlib
from collections.abc import Callable
from enum import IntEnum
from typing import Any

import numpy as np
import numpy.typing as npt
from numba import from_dtype, njit, types

from simcore.jit import _call_at, address_of, apart_kernel, cached_kernel, kernel
from simcore.mindbug.rules.general_choices import _pair
from simcore.mindbug.rules.groups import _known
from simcore.mindbug.rules.keywords import _refresh
from simcore.mindbug.rules.powers import _refresh_powers
from simcore.mindbug.rules.triggers import _entry, _entry_granter, _entry_source
from simcore.mindbug.table.card_table import CARD_TABLE, MAX_CARDS, CardTable
from simcore.mindbug.table.masks import (
    NONE,
    ONE,
    _copy_record,
    _holds,
    _lowest,
    _popcount,
)
from simcore.mindbug.table.option_words import FIXED, NUMBER_WORD, PLAY_OR_KEEP, SLOT_WORD, Word
from simcore.mindbug.table.state import (
    MAX_OPTIONS,
    MAX_POWER_CARDS,
    MAX_SLOTS,
    N_KEYWORDS,
    Decision,
    Named,
)
from simcore.random_streams import CHOICE, _mix, _random_below


class Place(IntEnum):
    """Where a card lies that a compiled function sees."""

    HAND = 0  # of your own
    YOUR_CREATURES = 1
    THEIR_CREATURES = 2
    YOUR_DISCARD_PILE = 3
    THEIR_DISCARD_PILE = 4
    BOOST = 5  # under a creature
    SHOWN = 6  # on the table and nowhere yet, such as the card that is being played


SEEN_CARD = np.dtype(
    [
        ("card", np.int64),  # `card_number` of its id
        ("power", np.int16),
        ("place", np.int8),  # a Place
        ("keywords", np.uint8),  # bit k for Keyword k
        ("exhausted", np.uint8),  # 1 or 0
        ("boosts", np.uint8),  # cards under it
    ],
    align=True,
)
SEEN_OPTION = np.dtype(
    [
        ("number", np.int64),  # mode, pile (0 = yours), die, keyword, or `card_number`; -1 = none
        ("word", np.int8),  # a Word
        ("card", np.int8),  # which of the cards it names, -1 = none that is seen
        ("other", np.int8),  # the second creature of a pair, -1 = none
    ],
    align=True,
)
#: What a compiled function takes.  Fields of shape (2,) are yours, then the opponent's.
SEEN = np.dtype(
    [
        ("decision", np.int64),  # a Decision
        ("turn", np.int64),
        ("your_turn", np.int64),  # 1 or 0
        ("life", np.int64, (2,)),
        ("mindbugs", np.int64, (2,)),
        ("energy", np.int64, (2,)),
        ("hand_size", np.int64, (2,)),
        ("draw_pile", np.int64, (2,)),
        ("attacker", np.int64),  # which of the cards attacks, -1 = none
        ("luck", np.uint64),  # counter of `random_below`
        ("n_cards", np.int64),
        ("n_options", np.int64),
        ("cards", SEEN_CARD, (MAX_SLOTS,)),  # by place, then in an order that says nothing
        ("options", SEEN_OPTION, (MAX_OPTIONS,)),
    ],
    align=True,
)
#: Work space of `_show`.
SIGHT = np.dtype(
    [
        ("blank", SEEN),  # zeros, so that nothing is left of what somebody else has seen
        ("seen", SEEN),
        ("key", np.uint64, (MAX_SLOTS,)),  # by which cards are sorted; the slot in the low bits
        ("at", np.int8, (MAX_SLOTS,)),  # (slot) which of the cards it is, -1 = not seen
    ],
    align=True,
)
_BYTES = np.int64(SEEN.itemsize)
_LUCK = np.int64(1 << 32)
_STEP, _HALF = np.uint64(0x9E3779B97F4A7C15), np.uint64(32)
_NO_CARD = np.int8(-1)
_POWERS = np.int64(1 << 15)  # added to powers, which may be negative, so that they sort
_SLOT_BITS, _BYTE = np.uint64(0xFF), np.uint64(0xFF)
_WORD = np.full((len(Decision), 4), -1, np.int8)
_DIE = np.full((len(Decision), 4), -1, np.int64)
for _decision, _fixed in FIXED.items():
    for _number, (_word, _die) in enumerate(_fixed):
        _WORD[_decision, _number], _DIE[_decision, _number] = _word, _die
_OF_SLOT = np.array([SLOT_WORD.get(one, Word.TARGET) for one in Decision], np.int8)
_OF_NUMBER = np.array([NUMBER_WORD.get(one, Word.TARGET) for one in Named], np.int8)
_PLAY_OR_KEEP = np.array(PLAY_OR_KEEP, np.int8)


def card_number(card_id: str) -> int:
    """The number of a card or power card in `SEEN`: the same in every pool, 1 to 2**63 - 1."""
    digest = hashlib.blake2b(card_id.encode(), digest_size=8).digest()
    return int.from_bytes(digest, "big") >> 1 | 1


#: The mixer of random streams for functions that are compiled without our settings.
_stir = njit(_mix.py_func)


@njit
def random_below(seen, n):
    """A number from 0 to ``n`` - 1, for compiled functions: the same when the game is played again.

    Modifies ``seen``, so that the next one is another.
    """
    seen.luck += _STEP
    return np.int64(((_stir(seen.luck) >> _HALF) * np.uint64(n)) >> _HALF)


def names_of(table: CardTable) -> npt.NDArray[np.int64]:
    """`card_number` of each face of a table and, from MAX_CARDS on, of each power card."""
    if b"names" not in table.judged:
        names = np.zeros(MAX_CARDS + MAX_POWER_CARDS, np.int64)
        names[: len(table.faces)] = [card_number(face.card_id) for face in table.faces]
        bought = [card_number(card.card_id) for card in table.power_cards]
        names[MAX_CARDS : MAX_CARDS + len(bought)] = bought
        table.judged[b"names"] = names
    found: npt.NDArray[np.int64] = table.judged[b"names"]
    return found


def compile_function(function: Any) -> int:
    """Where the code of a jitted function is that takes `SEEN`; compiles it.

    The code answers -1 where the function raises an exception.

    Raises
    ------
    numba.core.errors.NumbaError
        If it cannot be compiled.
    TypeError
        If it asks for a field that there is not, or does not return a whole number.
    """
    kind = (from_dtype(SEEN),)
    try:
        function.compile(kind)
    except KeyError as error:  # Numba's word for a field that a record does not have
        fields = ", ".join(SEEN.fields or ())
        raise TypeError(f"what it is shown has no {error}; it has {fields}") from None
    returned = function.overloads[kind].signature.return_type
    if not isinstance(returned, types.Integer | types.Boolean):
        raise TypeError(f"it returns {returned}; return the number of an option, a whole number")

    @njit
    def guarded(seen, table):  # noqa: ARG001 - called as players who think are
        answer = np.int64(-1)
        try:
            answer = np.int64(function(seen))
        except Exception:  # noqa: BLE001 - whoever asks again finds out which
            answer = np.int64(-1)
        return answer

    _compiled.append(guarded)
    return address_of(guarded, SEEN, CARD_TABLE)


_compiled: list[Callable[..., Any]] = []  # functions whose code is called, which lives with them


@kernel
def _ask_compiled(state, table, names, sight, address):
    """What the compiled function at an address chooses.  Modifies state and sight."""
    _show(state, table, names, sight)
    return _call_at(address, sight.seen, table)


@cached_kernel
def show(states, tables, names, sights):
    """Fill ``sights[0].seen`` with what the player who decides in states[0] may know.

    ``names`` are those of `names_of`.  Draws a private number of the player.  Modifies states and
    sights, arrays (1,) of GAME_STATE and SIGHT.
    """
    _show(states[0], tables[0], names, sights[0])


@apart_kernel
def _show(state, table, names, sight):
    """`show` for records."""
    me, seen = state.decider, sight.seen
    _refresh(state, table)
    _refresh_powers(state, table)
    _copy_record(seen, sight.blank, _BYTES)
    seen.decision = state.decision
    seen.turn = state.turn
    seen.your_turn = np.int64(state.active == me)
    for side in range(2):
        player = me if side == 0 else 1 - me
        seen.life[side] = state.life[player]
        seen.mindbugs[side] = state.mindbugs[player]
        seen.energy[side] = state.energy[player]
        seen.hand_size[side] = _popcount(state.hand[player])
        seen.draw_pile[side] = _popcount(state.draw_pile[player])
    seen.luck = _random_below(state.streams, CHOICE + me, _LUCK)
    _show_cards(state, names, sight)
    seen.attacker = _NO_CARD
    attacks = state.decision == Decision.HUNT or state.decision == Decision.BLOCK
    if (attacks or state.decision == Decision.SECOND_ATTACK) and state.attacker >= 0:
        seen.attacker = sight.at[state.attacker]
    _show_options(state, names, sight)


@kernel
def _show_cards(state, names, sight):
    """The cards that the player who decides sees.  Modifies sight."""
    me, them = state.decider, 1 - state.decider
    seen, n = sight.seen, np.int64(0)
    for place in range(MAX_SLOTS):
        sight.at[place] = _NO_CARD
    n = _sort_in(state, sight, n, Place.HAND, state.hand[me])
    n = _sort_in(state, sight, n, Place.YOUR_CREATURES, state.play_area[me])
    n = _sort_in(state, sight, n, Place.THEIR_CREATURES, state.play_area[them])
    n = _sort_in(state, sight, n, Place.YOUR_DISCARD_PILE, state.discard_pile[me])
    n = _sort_in(state, sight, n, Place.THEIR_DISCARD_PILE, state.discard_pile[them])
    n = _sort_in(state, sight, n, Place.BOOST, state.boosts)
    shown = state.limbo | state.set_aside
    both_look = state.named == Named.PLAYER or state.named == Named.PLAY_OR_KEEP
    if both_look or state.decision == Decision.BOOST:
        shown |= state.gathered
    hidden = state.draw_pile[me] | state.draw_pile[them] | state.hand[them] | state.unused
    lying = state.hand[me] | state.discard_pile[me] | state.discard_pile[them] | state.boosts
    seen.n_cards = _sort_in(state, sight, n, Place.SHOWN, shown & ~(hidden | lying))
    for place in range(seen.n_cards):
        key = sight.key[place]
        slot = np.int64(key & _SLOT_BITS)
        card = seen.cards[place]
        card.card = names[state.card[slot]]
        card.boosts = key >> np.uint64(8) & _BYTE
        card.exhausted = key >> np.uint64(16) & ONE
        card.keywords = key >> np.uint64(17) & _BYTE
        card.power = np.int64(key >> np.uint64(25) & np.uint64(0xFFFF)) - _POWERS
        card.place = key >> np.uint64(53) & _BYTE
        sight.at[slot] = place


@kernel
def _sort_in(state, sight, n, place, slots):
    """Put cards of a place into the order of their looks; how many there are.  Modifies sight.

    The order says nothing of how cards were dealt, which their slots would.
    """
    in_play = state.play_area[0] | state.play_area[1]
    while slots != NONE:
        slot = _lowest(slots)
        slots &= slots - ONE
        creature = _holds(in_play, slot) == 1
        power = np.int64(state.power[slot]) if creature else np.int64(state.printed[slot])
        key = np.uint64(place) << np.uint64(12) | np.uint64(state.card[slot])
        key = key << np.uint64(16) | np.uint64(power + _POWERS)
        keywords = np.int64(0)
        for k in range(N_KEYWORDS):
            has = _known(state, k) if creature else state.trait[k]
            keywords |= _holds(has, slot) << k
        key = key << np.uint64(8) | np.uint64(keywords)
        key = key << ONE | np.uint64(_holds(state.exhausted, slot) if creature else np.int64(0))
        boosts, left = np.int64(0), state.boosts if creature else NONE
        while left != NONE:
            boosts += np.int64(state.host[_lowest(left)] == slot)
            left &= left - ONE
        key = key << np.uint64(8) | np.uint64(boosts)
        key = key << np.uint64(8) | np.uint64(slot)
        i = n
        while i > 0 and sight.key[i - 1] > key:
            sight.key[i] = sight.key[i - 1]
            i -= 1
        sight.key[i] = key
        n += 1
    return n


@kernel
def _show_options(state, names, sight):
    """The options of the player who decides.  Modifies sight."""
    seen, decision, fixed = sight.seen, state.decision, np.int64(state.fixed_options)
    seen.n_options = state.n_options
    for place in range(state.n_options):
        option = seen.options[place]
        option.card = option.other = _NO_CARD
        option.number = -1
    for place in range(fixed):
        option = seen.options[place]
        if state.named == Named.PAIR:
            pair = _pair(state, state.fitting, place)
            option.word = Word.PAIR
            option.card = sight.at[_lowest(pair)]
            option.other = sight.at[_lowest(pair & (pair - ONE))]
        else:
            option.word, option.number = _WORD[decision, place], _DIE[decision, place]
    n, left = fixed, state.options
    while left != NONE:
        _show_option(state, names, sight, seen.options[n], _lowest(left))
        left &= left - ONE
        n += 1
    if decision == Decision.ACTION:
        n = _list_slots(sight, n, Word.ATTACK, state.attack_options)
        n = _list_slots(sight, n, Word.ACTIVATE, state.action_options)


@kernel
def _list_slots(sight, n, word, slots):
    """Options from ``n`` on that do the same with several cards; their end.  Modifies sight."""
    while slots != NONE:
        option = sight.seen.options[n]
        option.word, option.card = word, sight.at[_lowest(slots)]
        slots &= slots - ONE
        n += 1
    return n


@kernel
def _show_option(state, names, sight, option, bit):
    """The option that a bit of ``options`` stands for.  Modifies option."""
    if state.named == Named.SLOT:
        option.word, option.card = _OF_SLOT[state.decision], sight.at[bit]
    elif state.named == Named.PLACE:
        entry = _entry(state, bit)
        granter = _entry_granter(entry)
        option.word, option.card = Word.RESOLVE, sight.at[_entry_source(entry)]
        option.other = sight.at[granter] if granter >= 0 else _NO_CARD
    elif state.named == Named.PLAY_OR_KEEP:
        option.word = _PLAY_OR_KEEP[bit]
    else:
        option.word, option.number = _OF_NUMBER[state.named], bit
        if state.named == Named.POWER_CARD:
            option.number = names[MAX_CARDS + bit]
        elif state.named == Named.PLAYER:
            option.number = np.int64(bit != state.decider)
