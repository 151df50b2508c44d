"""Entries of D1 that belong to fights and cards: what is offered, and what a taken one begins."""

from simcore.jit import kernel


@kernel
def _offer_battles(state, table, mouse):
    """Offer BATTLE for each equipped type of weapon and each legal target (D1, 3)."""


@kernel
def _offer_abilities(state, table, mouse):
    """Offer ABILITY …, HEAL and PAY_ACTION (D1, 4)."""


@kernel
def _offer_cards(state, table, mouse):
    """Offer USE … and GRAPE (D1, 5)."""


@kernel
def _offer_free_actions(state, table, mouse):
    """Offer SHARE, EQUIP and LEVEL_UP (D1, 6)."""


@kernel
def _take_entry(state, table, record, option):
    """Begin what an entry of the acting mouse says: BATTLE, SEARCH, RECOVER, ABILITY and all below.

    The step that follows, MENU, is set already.
    """
