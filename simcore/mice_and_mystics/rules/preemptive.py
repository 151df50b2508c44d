"""The Preemptive Shot window after figures were placed (P5)."""

from simcore.jit import kernel


@kernel
def _begin_preemptive(state):
    """Start the window for the figures in ``state.just_placed``."""
