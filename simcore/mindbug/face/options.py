"""The options of a decision, in words and by what they stand for."""

from collections.abc import Mapping

import numpy as np
import numpy.typing as npt
from attrs import frozen

from card_data.mindbug.vocabulary import Keyword, Trigger
from simcore.jit import cached_kernel
from simcore.mindbug.rules.general_choices import _pair
from simcore.mindbug.rules.triggers import (
    _entry,
    _entry_granter,
    _entry_kind,
    _entry_player,
    _entry_program,
    _entry_source,
)
from simcore.mindbug.table.option_words import FIXED, NUMBER_WORD, PLAY_OR_KEEP, SLOT_WORD, Word
from simcore.mindbug.table.state import Decision, Named


@cached_kernel
def _waiting(states, place):
    """Source slot, trigger, player, granting slot and program of the waiting trigger at a place."""
    entry = _entry(states[0], place)
    who = _entry_source(entry), _entry_kind(entry), _entry_player(entry), _entry_granter(entry)
    return *who, _entry_program(entry)


@cached_kernel
def _offered_pair(states, number):
    """Mask of the two creatures that an option names (C31)."""
    return _pair(states[0], states[0].fitting, number)


@frozen
class Option:
    """One option of a decision.

    ``word`` says what is done: play, attack, activate, use, refuse, hunt, no_hunt, block, no_block,
    attack_again, stop, target, pair, pile, discard, resolve, yes, no, mode, keyword, keep, buy,
    reroll, reroll_both or first.  ``slot`` is the card it names, -1 for none; ``other`` is the
    second creature of a pair, or the card that grants the ability to be resolved (C60), else -1.
    ``number`` is a mode (D12), power card, player (pile) or die, else -1.  ``trigger`` is the
    trigger that ``resolve`` names and ``program`` the row of its first instruction, which says of
    which stage of the card it is (R54); ``keyword`` is the keyword that is named (D13).
    """

    word: str
    slot: int = -1
    other: int = -1
    number: int = -1
    trigger: Trigger | None = None
    program: int = -1
    keyword: Keyword | None = None


_FIXED_OPTIONS: Mapping[Decision, tuple[Option, ...]] = {
    decision: tuple(Option(word.name.lower(), number=number) for word, number in fixed)
    for decision, fixed in FIXED.items()
}


def slots_of(mask: int) -> list[int]:
    """Slots of a mask, ascending."""
    slots = []
    while mask:
        slots.append((mask & -mask).bit_length() - 1)
        mask &= mask - 1
    return slots


def offers(state: np.void) -> list[tuple[str, int]]:
    """What the options of a decision stand for, in the order of their numbers."""
    places = [("fixed", n) for n in range(int(state["fixed_options"]))]
    masks = ["options"]
    if int(state["decision"]) == Decision.ACTION:
        masks += ["attack_options", "action_options"]
    return places + [(mask, slot) for mask in masks for slot in slots_of(int(state[mask]))]


def options_of(states: npt.NDArray[np.void]) -> list[Option]:
    """The options of the decision at which states[0] stands, in the order of their numbers."""
    state = states[0]
    decision, n_fixed = Decision(int(state["decision"])), int(state["fixed_options"])
    if decision == Decision.NONE:
        return []
    if int(state["named"]) == Named.PAIR:
        pairs = [slots_of(int(_offered_pair(states, np.int64(n)))) for n in range(n_fixed)]
        return [Option("pair", first, other=second) for first, second in pairs]
    options = list(_FIXED_OPTIONS.get(decision, ())[:n_fixed])
    options += [_named(states, decision, bit) for bit in slots_of(int(state["options"]))]
    if decision == Decision.ACTION:
        options += [Option("attack", slot) for slot in slots_of(int(state["attack_options"]))]
        options += [Option("activate", slot) for slot in slots_of(int(state["action_options"]))]
    return options


def _named(states: npt.NDArray[np.void], decision: Decision, bit: int) -> Option:
    """The option that a bit of ``options`` stands for."""
    named = Named(int(states[0]["named"]))
    if named == Named.PLACE:
        slot, kind, _, granter, program = _waiting(states, bit)
        return Option("resolve", slot, other=granter, trigger=Trigger(kind), program=program)
    if named == Named.KEYWORD:
        return Option("keyword", keyword=Keyword(bit))
    if named == Named.PLAY_OR_KEEP:
        return Option(PLAY_OR_KEEP[bit].name.lower())
    if named in NUMBER_WORD:
        return Option(NUMBER_WORD[named].name.lower(), number=bit)
    return Option(SLOT_WORD.get(decision, Word.TARGET).name.lower(), bit)


def waiting_triggers(states: npt.NDArray[np.void]) -> list[tuple[int, Trigger, int, int]]:
    """Source slot, trigger, "you" and granting slot (C60; -1 = none), the next one first."""
    entries = [_waiting(states, place) for place in range(int(states[0]["waiting"]))]
    return [(slot, Trigger(kind), player, granter) for slot, kind, player, granter, _ in entries]
