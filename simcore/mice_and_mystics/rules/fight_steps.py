"""The steps of fights and cards, from steps.FIRST_OF_FIGHT on."""

from simcore.jit import kernel


@kernel
def _fight_step(state, table, record, step):
    """Perform a step of the top frame.  Modifies state and record."""
