"""Movement of mice (M28-M46, P2)."""

from simcore.jit import kernel


@kernel
def _offer_moves(state, table, mouse, allowance):
    """Offer MOVE s, or LEAVE_WATER s and SWIM s, whichever holds (D1, 2)."""


@kernel
def _begin_extra_move(state, mouse):
    """Start a scurry or extra move: roll, then D3."""
