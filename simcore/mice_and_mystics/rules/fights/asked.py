"""What a decision is about, beyond its entries: read from the frames of those who ask.

Players look here, so that nobody but an activity itself knows the words of its frame.
"""

from simcore.jit import inline_kernel
from simcore.mice_and_mystics.rules.fights.cards import _OTHER
from simcore.mice_and_mystics.rules.fights.minion_attack import _HITS, _VICTIM
from simcore.mice_and_mystics.rules.fights.mouse_attack import (
    _CHANGE,
    _DICE,
    _FIGURE,
    _SWORDS,
    _TIMES,
    _hits_shown,
)
from simcore.mice_and_mystics.rules.fights.search import _CARD
from simcore.mice_and_mystics.rules.fights.spells import _DICE as _BOLT_DICE
from simcore.mice_and_mystics.rules.fights.spells import _KNIFE
from simcore.mice_and_mystics.rules.stack import STEP, _top
from simcore.mice_and_mystics.table.steps import TAKE_KNIFE
from simcore.mice_and_mystics.table.words import NO_CARD


@inline_kernel
def _partner(state):
    """With whom the decider shares (D5)."""
    return _top(state)[_OTHER]


@inline_kernel
def _found(state):
    """The card that the decider may keep (D4)."""
    return _top(state)[_CARD]


@inline_kernel
def _victim(state):
    """The mouse that a minion attacks (P7)."""
    return _top(state)[_VICTIM]


@inline_kernel
def _hits_rolled(state):
    """Hits of the attack roll that the decider may repeat (P6 step 3)."""
    return _hits_shown(_top(state))


@inline_kernel
def _striking_knife(state):
    """The knife whose target is asked for, NO_CARD if it is that of lightning (D11)."""
    frame = _top(state)
    return frame[_KNIFE] if frame[STEP] == TAKE_KNIFE else NO_CARD


@inline_kernel
def _lightning_dice(state):
    """Dice of each attack by the lightning whose target is asked for (D11)."""
    return _top(state)[_BOLT_DICE]


@inline_kernel
def _attack(state):
    """The attack of a mouse that the decider may help: target, dice, change of its defense, swords.

    Swords is 1 if swords hit, 0 if bows do (P6 step 1).
    """
    frame = _top(state)
    return frame[_FIGURE], frame[_DICE] * frame[_TIMES], frame[_CHANGE], frame[_SWORDS]


@inline_kernel
def _hits_coming(state):
    """Hits of a minion's attack, as far as they are rolled and not blocked (P7)."""
    return _top(state)[_HITS]
