"""Decision points: how the machine offers options and waits for an option number.

The options of a decision are numbered: first ``fixed_options`` that name no card (refuse, do not
block, stop, …), then the slots of ``options`` in ascending order, then, for a turn action, the
slots of ``attack_options``.
"""

from simcore.kernel_cache import inline_kernel
from simcore.mindbug.masks import _popcount
from simcore.mindbug.state import Phase

_PAUSE = int(Phase.PAUSE)


@inline_kernel
def _ask(state, decision, decider, fixed, options, after):
    """Offer a decision; ``after`` is the phase that follows it.  Modifies state."""
    state.decision = decision
    state.decider = decider
    state.fixed_options = fixed
    state.options = options
    state.n_options = fixed + _popcount(options)
    state.phase = after
    return _PAUSE
