"""How a game ends (M105, M114, M115)."""

from simcore.jit import inline_kernel, kernel
from simcore.mice_and_mystics.table.unknown_words import A_WIN, _unknown
from simcore.mice_and_mystics.table.words import LOSS_PAGE, RUNNING, WIN, WIN_CLEARED, WIN_ON_SPACE


@inline_kernel
def _end(state, outcome):
    """The game is over, unless it is already.  Modifies state."""
    if state.outcome == RUNNING:
        state.outcome = outcome


@kernel
def _check_win(state, table):
    """Asked after every turn and after every figure that leaves (M114).  Modifies state."""
    if state.tile != table.win_tile or state.outcome != RUNNING:
        return
    if table.win == WIN_CLEARED:
        if state.figures == 0:
            _end(state, WIN)
    elif table.win == WIN_ON_SPACE:
        alone = state.figures == 0 or table.win_without_minions == 0
        mice = state.mice_at[table.win_space]
        if alone and state.active != 0 and mice == state.active:
            _end(state, WIN)
    else:
        _unknown(state, A_WIN, table.win)


@inline_kernel
def _turn_page(state, table):
    """The hourglass goes one page forward (M85, M104).  Modifies state."""
    state.page += 1
    if state.page >= table.page_end:
        _end(state, LOSS_PAGE)
