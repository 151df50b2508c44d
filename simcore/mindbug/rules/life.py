"""Life: gaining, losing, setting it, and the end of the game at 0 (R14-R17, R91, C52)."""

from card_data.mindbug.vocabulary import Rule, Ruling
from simcore.jit import inline_kernel, kernel
from simcore.mindbug.rules.constant_abilities import _ruled, _total
from simcore.mindbug.rules.groups import _value
from simcore.mindbug.rules.keywords import _refresh
from simcore.mindbug.rules.powers import _sources
from simcore.mindbug.rules.triggers import LIFE_LOST, _add_triggers
from simcore.mindbug.table.expansion_features import _any_has
from simcore.mindbug.table.masks import NONE
from simcore.mindbug.table.records import Ending
from simcore.mindbug.table.state import ADDS_LOSS, HAS_LIFE_LOST, KEEPS_LIFE

MAX_LIFE = 2_000_000_000  # life has no maximum (R16) but that of its column in the record

_WATCHED = 1 << ADDS_LOSS | 1 << HAS_LIFE_LOST | 1 << KEEPS_LIFE
_SETTING_IS_NO_LOSS = 1 << Ruling.SETTING_LIFE_IS_NO_LOSS


@inline_kernel
def _end_game(state, winner, ending):
    """The game is over at once, in the middle of whatever happens (R14, R18).  Modifies state."""
    state.winner = winner
    state.ending = ending


@inline_kernel
def _set_total(state, player, life):
    """Write a life total; at 0 the other player wins at once (R14, R16).  Modifies state."""
    state.life[player & 1] = min(max(life, 0), MAX_LIFE)
    if life <= 0:
        _end_game(state, 1 - player, Ending.LIFE)


@inline_kernel
def _gain_life(state, player, n):
    """Gain life (R16).  Modifies state."""
    side = player & 1
    state.life[side] = min(state.life[side] + n, MAX_LIFE)


@inline_kernel
def _lose_life(state, table, player, n):
    """Lose life, as one loss (R14, R91).  Modifies state."""
    if _any_has(table, _WATCHED):
        _lose_watched_life(state, table, player, n)
    else:
        _set_total(state, player, state.life[player & 1] - n)


@kernel
def _keeps_life(state, table, player):
    """Whether a player's life cannot be reduced now (C52)."""
    sources = _sources(state, KEEPS_LIFE)
    return sources != NONE and _ruled(state, table, Rule.NO_LIFE_LOSS, sources, player)


@kernel
def _lose_watched_life(state, table, player, n):
    """A loss of life that cards prevent (C52), add to (R91) or react to (C16).  Modifies state."""
    if n <= 0 or _keeps_life(state, table, player):
        return
    sources = _sources(state, ADDS_LOSS)
    if sources != NONE:
        _refresh(state, table)
        more = _total(state, table, Rule.MORE_LIFE_LOSS, sources, 1 - player, -1)
        if more > 0:
            state.open_points |= 1 << 15
        n += more
    _set_total(state, player, state.life[player] - n)
    if state.ending < 0:
        waiting = state.trait[HAS_LIFE_LOST] & state.discard_pile[player]
        if waiting != NONE:
            _add_triggers(state, table, waiting, LIFE_LOST, player)


@inline_kernel
def _life_to_set(state, table, instruction, player, source):
    """The life total that SET_LIFE of "you" = ``player`` names; as a loss it is no higher (C8)."""
    life = _value(state, table, instruction.value, player, source)
    if instruction.as_loss:
        life = min(life, state.life[(player ^ instruction.player) & 1])
    return life


@inline_kernel
def _set_life(state, table, player, life, as_loss):
    """Set a life total: the difference is gained or lost (R17).  Modifies state.

    ``as_loss``: it is written as a loss, and so is one whatever a ruling says of setting (C8, O2).
    """
    if life > state.life[player]:
        _gain_life(state, player, life - state.life[player])
    elif table.rulings & _SETTING_IS_NO_LOSS and not as_loss:
        if not _keeps_life(state, table, player):  # C52
            _set_total(state, player, life)
    elif life < state.life[player]:
        _lose_life(state, table, player, state.life[player] - life)
