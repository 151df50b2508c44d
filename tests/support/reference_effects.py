"""Effects and conditions that several cards of the reference engine share.

A function that makes an effect takes the numbers of the text; ``which`` are descriptions of
creatures, functions of ``(game, me)`` that are asked when the effect resolves (R45, R50).
"""

from __future__ import annotations

from collections.abc import Callable
from typing import TYPE_CHECKING

from support.reference_facts import Choices, Effect

if TYPE_CHECKING:
    from support.reference_game import ReferenceGame
    from support.reference_state import Trigger

Description = Callable[["ReferenceGame", "Trigger"], list[int]]

# --------------------------------------------------------------------------------------------------
# Descriptions of creatures
# --------------------------------------------------------------------------------------------------


def any_creature(game: ReferenceGame, me: Trigger) -> list[int]:
    """Creatures on either side, the source included (R1)."""
    return game.creatures_in_play()


def allies(game: ReferenceGame, me: Trigger) -> list[int]:
    """Creatures that "you" control."""
    return game.creatures_of(me.you)


def enemies(game: ReferenceGame, me: Trigger) -> list[int]:
    """Creatures that the opponent controls."""
    return game.creatures_of(me.opponent)


def with_power(which: Description, least: int = 1, most: int | None = None) -> Description:
    """Those of ``which`` whose current power is in a range (R87)."""

    def described(game: ReferenceGame, me: Trigger) -> list[int]:
        return [
            c
            for c in which(game, me)
            if least <= game.power(c) and (most is None or game.power(c) <= most)
        ]

    return described


# --------------------------------------------------------------------------------------------------
# Effects
# --------------------------------------------------------------------------------------------------


def in_turn(*effects: Effect) -> Effect:
    """Several instructions, one after another (R43)."""

    def effect(game: ReferenceGame, me: Trigger) -> Choices:
        for part in effects:
            yield from game.perform(part, me)

    return effect


def gain_life(n: int) -> Effect:
    """You gain life."""

    def effect(game: ReferenceGame, me: Trigger) -> None:
        game.gain_life(me.you, n)

    return effect


def lose_life(n: int) -> Effect:
    """You lose life (C10)."""

    def effect(game: ReferenceGame, me: Trigger) -> None:
        game.lose_life(me.you, n)

    return effect


def opponent_loses_life(n: int) -> Effect:
    """The opponent loses life."""

    def effect(game: ReferenceGame, me: Trigger) -> None:
        game.lose_life(me.opponent, n)

    return effect


def opponent_discards(n: int) -> Effect:
    """The opponent discards cards of their choice (R30)."""

    def effect(game: ReferenceGame, me: Trigger) -> Choices:
        yield from game.discard_from_hand(me.opponent, n)

    return effect


def gain_energy(n: int) -> Effect:
    """You gain energy (R108)."""

    def effect(game: ReferenceGame, me: Trigger) -> None:
        game.gain_energy(me.you, n)

    return effect


def defeat_one(which: Description) -> Effect:
    """Defeat one creature of your choice, if there is one (R46)."""

    def effect(game: ReferenceGame, me: Trigger) -> Choices:
        target = yield from game.choose_target(me.you, which(game, me))
        if target is not None:
            yield from game.defeat([target])

    return effect


def defeat_all(which: Description) -> Effect:
    """Defeat all creatures of a described group (R50)."""

    def effect(game: ReferenceGame, me: Trigger) -> Choices:
        yield from game.defeat(which(game, me))

    return effect


def take_control_of_one(which: Description) -> Effect:
    """Take control of one creature of your choice that you do not control yet (R45, C13)."""

    def effect(game: ReferenceGame, me: Trigger) -> Choices:
        candidates = [c for c in which(game, me) if game.controller(c) != me.you]
        target = yield from game.choose_target(me.you, candidates)
        if target is not None:
            game.take_control([target], me.you)

    return effect


def pass_control(game: ReferenceGame, me: Trigger) -> None:
    """The opponent takes control of this, if you have it (C18)."""
    if me.this is not None and game.controller(me.this) == me.you:
        game.take_control([me.this], me.opponent)


def play_from_own_pile(game: ReferenceGame, me: Trigger) -> Choices:
    """Play a card of your choice from your discard pile (C2)."""
    chosen = yield from game.choose_target(me.you, game.discard_pile(me.you))
    if chosen is not None:
        game.put_into_play([chosen], me.you)


def play_from_opponents_pile(game: ReferenceGame, me: Trigger) -> Choices:
    """Play a card of your choice from the opponent's discard pile (C2)."""
    chosen = yield from game.choose_target(me.you, game.discard_pile(me.opponent))
    if chosen is not None:
        game.put_into_play([chosen], me.you)


def boost_this(n: int) -> Effect:
    """Boost up to ``n`` cards to this (R103)."""

    def effect(game: ReferenceGame, me: Trigger) -> Choices:
        if me.this is not None:  # R123
            yield from game.boost(me.you, n, me.this)

    return effect


def boost_creatures(n: int) -> Effect:
    """Boost up to ``n`` cards, each to any creature on either side (R103)."""

    def effect(game: ReferenceGame, me: Trigger) -> Choices:
        yield from game.boost(me.you, n, None)

    return effect


def evolve_to(stage: str) -> Effect:
    """Evolve this to its next stage (R101)."""

    def effect(game: ReferenceGame, me: Trigger) -> None:
        if me.this is not None:
            game.evolve(me.this, stage)

    return effect


def choose_one(*modes: tuple[Callable[[ReferenceGame, Trigger], bool], Effect]) -> Effect:
    """One of several modes, of those that can do something (D12, R43, C34)."""

    def effect(game: ReferenceGame, me: Trigger) -> Choices:
        possible = [k for k, (can_do, _) in enumerate(modes) if can_do(game, me)]
        if possible:
            mode = yield from game.choose_mode(me.you, possible)
            yield from game.perform(modes[mode][1], me)

    return effect


def can_boost_a_creature(game: ReferenceGame, me: Trigger) -> bool:
    """Whether there is a card in a discard pile and a creature to boost (R123)."""
    return bool(game.creatures_in_play()) and any(game.discard_pile(p) for p in (0, 1))


def always(game: ReferenceGame, you: int, this: int) -> bool:
    """An Action that can always do something, such as evolving or gaining life (R99)."""
    return True


# --------------------------------------------------------------------------------------------------
# Constant abilities
# --------------------------------------------------------------------------------------------------


def others_have_power(n: int) -> Callable[[ReferenceGame, int, int], int]:
    """Your other creatures have +N power."""

    def bonus(game: ReferenceGame, source: int, creature: int) -> int:
        return n if game.are_other_allies(source, creature) else 0

    return bonus


def others_have(keyword: str) -> Callable[[ReferenceGame, int, int], set[str]]:
    """Your other creatures have a keyword."""

    def granted(game: ReferenceGame, source: int, creature: int) -> set[str]:
        return {keyword} if game.are_other_allies(source, creature) else set()

    return granted


def power_while(
    n: int, condition: Callable[[ReferenceGame, int], bool]
) -> Callable[[ReferenceGame, int, int], int]:
    """This has +N power while a condition holds for its controller (C6)."""

    def bonus(game: ReferenceGame, source: int, creature: int) -> int:
        holds = source == creature and condition(game, game.controller(source))
        return n if holds else 0

    return bonus


def equal_powers(game: ReferenceGame, creatures: list[int]) -> dict[int, list[int]]:
    """Groups of two or more creatures of equal current power, by power."""
    groups: dict[int, list[int]] = {}
    for creature in creatures:
        groups.setdefault(game.power(creature), []).append(creature)
    return {power: group for power, group in groups.items() if len(group) > 1}
