"""Restrictions: what a player never does, taken out of the options before they choose.

A player who never blocks, set against the same player who may, shows what blocking is worth
(restricted play [1]_).  A restriction forbids options, not rules: what cards and rules make happen
without a choice happens to a restricted player as well.  It never leaves them without an option:
where it forbids all of them it is waived.  Their policy chooses among the others as ever, and plans
without regard to what will be forbidden later.

References
----------
.. [1] A. Jaffe, A. Miller, E. Andersen, Y.-E. Liu, A. Karlin, Z. Popović, "Evaluating competitive
   game balance with restricted play", AIIDE 2012, 26-31.
"""

from collections.abc import Collection

import numpy as np
from attrs import frozen

from card_data.mindbug.vocabulary import Effect, Keyword
from simcore.jit import inline_kernel, kernel
from simcore.mindbug.rules.keywords import _having
from simcore.mindbug.table.card_table import CardTable
from simcore.mindbug.table.masks import NONE, _bit, _popcount
from simcore.mindbug.table.state import FRENZY, HAS_ACTION, HUNTER, N_KEYWORDS, SNEAKY, Decision


@frozen
class Restriction:
    """What a player never does, as in "never block"; ``rule`` says it in terms of the rules."""

    never: str
    rule: str


#: The restrictions by the word that spells them; the place of one is its bit.
RESTRICTIONS = {
    "mindbugs": Restriction("use a Mindbug", "refuses every time (D2)"),
    "blocks": Restriction(
        "block", "blocks nothing (D4); a hunted creature has to fight all the same (R66)"
    ),
    "attacks": Restriction(
        "attack", "attacks only if nothing else is possible (D1), and never twice (D5)"
    ),
    "repeats": Restriction("attack again with FRENZY", "stops after the first attack (D5)"),
    "hunts": Restriction("hunt with HUNTER", "attacks without hunting (D3)"),
    "sneaks": Restriction(
        "attack with SNEAKY",
        "attacks with no creature that has SNEAKY at the moment, printed or not (D1, D5)",
    ),
    "actions": Restriction(
        "use an Action ability", "activates an Action ability only if nothing else is possible (D1)"
    ),
    "boosts": Restriction("boost", "takes no boost card (D14)"),
    "purchases": Restriction(
        "buy a power card", "buys none at the start of a turn (D15); what an effect buys, it buys"
    ),
    "rerolls": Restriction("roll dice again", "keeps every first roll (D16)"),
    **{
        keyword.name.lower(): Restriction(
            f"play a card with {keyword.name}",
            f"plays a card that prints {keyword.name} from hand only if nothing else is possible"
            " (D1), and never with a Mindbug (D2); what an effect plays, it plays",
        )
        for keyword in Keyword
    },
}
(
    _MINDBUGS,
    _BLOCKS,
    _ATTACKS,
    _REPEATS,
    _HUNTS,
    _SNEAKS,
    _ACTIONS,
    _BOOSTS,
    _PURCHASES,
    _REROLLS,
    _FRENZY,
    *_,
) = (1 << place for place in range(len(RESTRICTIONS)))


#: What the restrictions of a player did at a decision: nothing, took options away, were waived.
FREE, BARRED, WAIVED = range(3)


def applicable(table: CardTable) -> list[str]:
    """The restrictions that can make a difference with a pool of cards, by their words."""
    record = table.rows[0]
    in_deck = record["cards"]["traits"][record["pool"][: table.pool_size]]
    printed, traits = int(np.bitwise_or.reduce(in_deck)), int(record["all_traits"])
    having = traits | int(np.bitwise_or.reduce(record["rules"]["keywords"]))
    means = {
        "mindbugs": record["mindbugs"] > 0,
        "repeats": having >> FRENZY & 1,
        "hunts": having >> HUNTER & 1,
        "sneaks": having >> SNEAKY & 1,
        "actions": traits >> HAS_ACTION & 1,
        "boosts": Effect.BOOST in record["instructions"]["effect"],
        "purchases": record["n_power_cards"] > 0,
        "rerolls": record["kot_parts"],
        **{keyword.name.lower(): printed >> keyword & 1 for keyword in Keyword},
    }
    return [word for word in RESTRICTIONS if means.get(word, True)]


def bits_of(words: Collection[str]) -> int:
    """The field ``forbidden`` of a card table for these restrictions."""
    return sum(1 << place for place, word in enumerate(RESTRICTIONS) if word in words)


@kernel
def _leave_out(state, table):
    """Take away the options that the decider's restrictions forbid, unless none would be left.

    FREE where they forbid none, BARRED where they take some away, WAIVED where they forbid all.
    The options that stay are numbered anew.  Modifies state.
    """
    forbidden = table.forbidden[state.decider]
    if forbidden == 0:
        return FREE
    fixed, options, attackers, actions = state.fixed_options, state.options, NONE, NONE
    if state.decision == Decision.ACTION:
        options &= ~_unwanted(state, forbidden)
        attackers = _attackers_left(state, table, forbidden)
        actions = NONE if forbidden & _ACTIONS != 0 else state.action_options
    elif forbidden & _of_cards(state.decision) != 0:
        options = NONE
    elif _declines(state, table, forbidden):
        fixed = 1
    n_options = fixed + _popcount(options) + _popcount(attackers) + _popcount(actions)
    if n_options == state.n_options:
        return FREE
    if n_options == 0:
        return WAIVED
    state.fixed_options = fixed
    state.options = options
    state.n_options = n_options
    if state.decision == Decision.ACTION:
        state.attack_options = attackers
        state.action_options = actions
    return BARRED


@inline_kernel
def _attackers_left(state, table, forbidden):
    """Creatures that may attack as the turn action (D1)."""
    if forbidden & _ATTACKS != 0:
        return NONE
    if forbidden & _SNEAKS != 0:
        return state.attack_options & ~_having(state, table, SNEAKY, state.attack_options)
    return state.attack_options


@inline_kernel
def _of_cards(decision):
    """The restriction that forbids every card or creature that a decision offers; 0 for none."""
    if decision == Decision.BLOCK:
        return _BLOCKS
    if decision == Decision.HUNT:
        return _HUNTS
    if decision == Decision.BOOST:
        return _BOOSTS
    if decision == Decision.BUY:
        return _PURCHASES
    return 0


@inline_kernel
def _declines(state, table, forbidden):
    """Whether only the first option is left: to refuse (D2), to stop (D5), to keep (D16)."""
    if state.decision == Decision.MINDBUG:
        return forbidden & _MINDBUGS != 0 or _unwanted(state, forbidden) & state.limbo != NONE
    if state.decision == Decision.SECOND_ATTACK:
        sneaking = forbidden & _SNEAKS != 0 and (
            _having(state, table, SNEAKY, _bit(state.attacker)) != NONE
        )
        return sneaking or forbidden & (_ATTACKS | _REPEATS) != 0
    return state.decision == Decision.REROLL and forbidden & _REROLLS != 0


@inline_kernel
def _unwanted(state, forbidden):
    """Cards that print a keyword whose cards the restrictions forbid to play."""
    mask = NONE
    for k in range(N_KEYWORDS):
        if forbidden & (_FRENZY << k) != 0:
            mask |= state.trait[k]
    return mask
