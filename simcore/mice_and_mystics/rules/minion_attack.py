"""Attack of a minion on a mouse (P7)."""

from simcore.jit import kernel


@kernel
def _begin_minion_attack(state, figure, mouse):
    """Start an attack; ``state.result`` is then the number of cheese faces of its attack roll."""
