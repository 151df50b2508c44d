"""Which abilities work in play: how often each instruction is begun and each constant works.

Games are played phase by phase beside the counting, so that the engine itself counts nothing.
"""

from dataclasses import dataclass

import numpy as np

from card_data.mindbug.schema import Card, ConstantAbility, PowerCard, TriggeredAbility
from simcore.jit import cached_kernel, kernel
from simcore.mindbug.players.play_out import _answer
from simcore.mindbug.players.seats import seat
from simcore.mindbug.rules.call_stack import FRESH
from simcore.mindbug.rules.keywords import _refresh, _works
from simcore.mindbug.rules.new_game import _new_game
from simcore.mindbug.rules.powers import _controller, _in_force, _place
from simcore.mindbug.rules.turn import _perform, _take
from simcore.mindbug.table.card_table import MAX_ROWS, CardTable
from simcore.mindbug.table.compile_cards import in_table_order
from simcore.mindbug.table.masks import NONE, ONE, _lowest
from simcore.mindbug.table.state import DEALING, GAME_STATE, Phase
from simcore.mindbug.table.unknown_words import check_words


@dataclass(frozen=True)
class AbilityCount:
    """One ability of a card, and how often it worked.

    ``ability`` is None for the effect of a power card.  ``n`` counts how often a triggered ability
    began, or at how many turn actions a constant one worked; ``n_last`` how often the last
    instruction of a triggered ability was reached.
    """

    card: Card | PowerCard
    ability: TriggeredAbility | ConstantAbility | None
    n: int
    n_last: int


@cached_kernel
def _count_games(tables, seed, n_games, states, dealings, begun, worked):
    """Play games 0 … of a seed and count.  Modifies states, dealings, begun and worked."""
    state, table = states[0], tables[0]
    for game in range(n_games):
        _new_game(state, table, seed, game, dealings[0])
        phase = Phase.START_TURN
        while phase != Phase.OVER:
            if phase == Phase.EFFECT and state.picks_left < 0 and state.stage == FRESH:
                begun[state.pc] += 1
            elif phase == Phase.ACTION:
                _count_constants(state, table, worked)
            phase = _perform(state, table, phase)
            if phase == Phase.PAUSE:
                phase = _take(state, table, _answer(state, table))


@kernel
def _count_constants(state, table, worked):
    """Count the constant abilities that work now (R84, R106).  Modifies worked."""
    _refresh(state, table)
    sources = _in_force(state)
    while sources != NONE:
        source = _lowest(sources)
        sources &= sources - ONE
        player, place = _controller(state, source), _place(state, source)
        this = source if place == 0 else -1
        card = table.cards[state.card[source]]
        for row in range(card.first_rule, card.end_rule):
            worked[row] += _works(state, table, table.rules[row], player, this, place)


def count_abilities(
    table: CardTable,
    *,
    n_games: int,
    seed: int = 0,
    policies: tuple[str, str] = ("random", "random"),
) -> list[AbilityCount]:
    """Play games 0 … ``n_games`` - 1 of a seed and count how often each ability worked.

    Abilities come in the order of the cards of the table, power cards last.

    Raises
    ------
    ValueError
        For an unknown policy.
    """
    begun, worked = np.zeros(MAX_ROWS, np.int64), np.zeros(MAX_ROWS, np.int64)
    states, dealings = np.zeros(1, GAME_STATE), np.zeros(1, DEALING)
    rows = seat(table, policies)
    _count_games(rows, np.int64(seed), np.int64(n_games), states, dealings, begun, worked)
    check_words(states)
    record = table.rows[0]
    counts = []
    for row, card in zip(record["cards"], table.cards, strict=False):
        for ability in card.triggered:
            first = int(row["program"][ability.trigger])
            last = first + len(ability.instructions) - 1
            counts.append(AbilityCount(card, ability, int(begun[first]), int(begun[last])))
        for number, constant in enumerate(in_table_order(card.constant)):
            n = int(worked[row["first_rule"] + number])
            counts.append(AbilityCount(card, constant, n, n))
    if table.modes.kot_parts:
        for row, power_card in zip(record["power_cards"], table.power_cards, strict=False):
            first = int(row["program"])
            last = first + len(power_card.bought) - 1
            counts.append(AbilityCount(power_card, None, int(begun[first]), int(begun[last])))
    return counts
