"""Decision points: how the machine offers options and waits for an option number.

The options of a decision are numbered: first ``fixed_options`` that name no card (refuse, do not
block, stop, …), then the slots of ``options`` in ascending order, then, for a turn action, the
slots of ``attack_options``.
"""

from simcore.jit import inline_kernel
from simcore.mindbug.table.masks import _popcount
from simcore.mindbug.table.state import Named, Phase


@inline_kernel
def _ask(state, decision, decider, fixed, options, after):
    """Offer a decision; ``after`` is the phase that follows it.  Modifies state."""
    _offer(state, Named.SLOT, decision, decider, fixed, options, after)
    return Phase.PAUSE


@inline_kernel
def _offer(state, named, decision, decider, fixed, options, after):
    """Write a decision down.  Modifies state."""
    state.phase = after
    state.decision = decision
    state.named = named
    state.fixed_options = fixed
    state.decider = decider
    state.n_options = fixed + _popcount(options)
    state.options = options


@inline_kernel
def _ask_for(state, named, decision, decider, fixed, options, after):
    """Offer a decision whose options are not slots but what ``named`` says.  Modifies state."""
    _offer(state, named, decision, decider, fixed, options, after)
    return Phase.PAUSE
