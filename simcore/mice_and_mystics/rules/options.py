"""Entries of a decision as numbers of eight bits each: what kind, and what it is aimed at.

What the numbers behind the kind are, ``table/words.py`` says.  An activity that asks writes its
entries with `_offer`, in the order of section 24, and then calls `_ask` with the step that follows;
there ``state.picked`` is the entry that was taken.  A single entry is taken without asking.
"""

from simcore.jit import inline_kernel
from simcore.mice_and_mystics.rules.stack import STEP
from simcore.mice_and_mystics.table.limits import OPTIONS
from simcore.mice_and_mystics.table.masks import numbers
from simcore.mice_and_mystics.table.unknown_words import ENTRIES, _unknown

_BYTE, _S1, _S2, _S3, _S4, _S5, _S6 = numbers(255, 256)[0], *numbers(8, 56, 8)
_ZERO = numbers(1)[0]


@inline_kernel
def _write(state, option):
    """Add an entry to those that are offered.  Modifies state."""
    if state.n_options < OPTIONS:
        state.options[state.n_options] = option
        state.n_options += 1
    else:
        _unknown(state, ENTRIES, _ZERO)


@inline_kernel
def _offer(state, kind):
    """Offer an entry that is aimed at nothing.  Modifies state."""
    _write(state, kind)


@inline_kernel
def _offer_one(state, kind, a):
    """Offer an entry with one number behind its kind.  Modifies state."""
    _write(state, kind | a << _S1)


@inline_kernel
def _offer_two(state, kind, a, b):
    """Offer an entry with two numbers behind its kind.  Modifies state."""
    _write(state, kind | a << _S1 | b << _S2)


@inline_kernel
def _offer_three(state, kind, a, b, c):
    """Offer an entry with three numbers behind its kind.  Modifies state."""
    _write(state, kind | a << _S1 | b << _S2 | c << _S3)


@inline_kernel
def _offer_four(state, kind, a, b, c, d):
    """Offer an entry with four numbers behind its kind.  Modifies state."""
    _write(state, kind | a << _S1 | b << _S2 | c << _S3 | d << _S4)


@inline_kernel
def _offer_order(state, kind, a, b, c, order):
    """Offer an entry with three numbers and another whole entry, of at most three, behind it."""
    _write(state, kind | a << _S1 | b << _S2 | c << _S3 | order << _S4)


@inline_kernel
def _ask(state, point, mouse, step):
    """Let a mouse decide at a point among what is offered; then go on at a step.

    Modifies state.
    """
    state.point = point
    state.decider = mouse
    state.frame[state.depth, STEP] = step


@inline_kernel
def _kind(option):
    """The kind of an entry."""
    return option & _BYTE


@inline_kernel
def _first(option):
    """The first number behind the kind."""
    return option >> _S1 & _BYTE


@inline_kernel
def _second(option):
    """The second number."""
    return option >> _S2 & _BYTE


@inline_kernel
def _third(option):
    """The third number."""
    return option >> _S3 & _BYTE


@inline_kernel
def _fourth(option):
    """The fourth number."""
    return option >> _S4 & _BYTE


@inline_kernel
def _order_of(option):
    """The entry inside an entry of `_offer_order`."""
    return option >> _S4
