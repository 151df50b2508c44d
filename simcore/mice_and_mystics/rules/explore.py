"""Exploring (M67-M72), and rooms with encounters (P5)."""

from simcore.jit import kernel


@kernel
def _offer_explores(state, table, mouse):
    """Offer EXPLORE x for each link that a mouse can use (D1, 3)."""


@kernel
def _begin_explore(state, table, record, mouse, link):
    """Start exploring; a new encounter ends the turn by itself (S1)."""
