"""Cards of the card language for the reference engine: a slow reading of ``docs/card_language.md``.

``facts_of`` turns a checked card into the record that the reference engine plays, so that cards
made up for a test can be played on both engines.  Nothing is compiled: every word is looked up in
the schema objects each time it is asked for.
"""

from __future__ import annotations

import operator
from collections.abc import Callable
from typing import Any

from card_data.schema import (
    MAX_NUMBER,
    Card,
    Condition,
    ConstantAbility,
    Creatures,
    Instruction,
    Value,
)
from card_data.vocabulary import (
    Choice,
    Comparison,
    Effect,
    Extreme,
    Keyword,
    Player,
    Quantity,
    Rule,
    Side,
    Timing,
    Trigger,
)
from support import reference_cards
from support.reference_cards import CardFacts, Choices
from support.reference_game import ReferenceGame
from support.reference_game import Trigger as Waiting

# --------------------------------------------------------------------------------------------------
# Descriptions, numbers and conditions
# --------------------------------------------------------------------------------------------------


def _names(keywords: frozenset[Keyword]) -> set[str]:
    """Keywords as the reference engine writes them."""
    return {keyword.name for keyword in keywords}


def _fits(game: ReferenceGame, what: Creatures, you: int, this: int | None, creature: int) -> bool:
    """Whether a creature passes everything but the extreme of a description."""
    if what.this:
        return creature == this
    if what.side == Side.ALLIED and game.controller(creature) != you:
        return False
    if what.side == Side.ENEMY and game.controller(creature) == you:
        return False
    if what.other and creature == this:
        return False
    if what.power_min > 0 and game.power(creature) < what.power_min:
        return False
    if what.power_max < MAX_NUMBER and game.power(creature) > what.power_max:
        return False
    return not what.keywords or bool(game.keywords(creature) & _names(what.keywords))


def _described(game: ReferenceGame, what: Creatures, you: int, this: int | None) -> list[int]:
    """The creatures that a description means; ``this`` is the source if it is in play (R55)."""
    found = [c for c in game.creatures_in_play() if _fits(game, what, you, this, c)]
    if what.extreme != Extreme.NONE and found:  # R88
        powers = {creature: game.power(creature) for creature in found}
        wanted = (max if what.extreme == Extreme.HIGHEST else min)(powers.values())
        found = [creature for creature in found if powers[creature] == wanted]
    return found


def _number(game: ReferenceGame, value: Value, you: int, this: int | None) -> int:
    """A number read off the table."""
    if value.quantity == Quantity.NUMBER:
        return value.number
    if value.quantity == Quantity.CREATURES:
        assert value.creatures is not None
        return len(_described(game, value.creatures, you, this))
    whose = game.players[you if value.player == Player.YOU else 1 - you]
    return {
        Quantity.LIFE: whose.life,
        Quantity.MINDBUGS: whose.mindbugs,
        Quantity.HAND: len(whose.hand),
        Quantity.DRAW_PILE: len(whose.draw),
        Quantity.DISCARD_PILE: len(whose.discard),
    }[value.quantity]


_COMPARE: dict[Comparison, Callable[[int, int], bool]] = {
    Comparison.LESS: operator.lt,
    Comparison.AT_MOST: operator.le,
    Comparison.EQUAL: operator.eq,
    Comparison.AT_LEAST: operator.ge,
    Comparison.MORE: operator.gt,
}


def _holds(game: ReferenceGame, condition: Condition | None, you: int, this: int | None) -> bool:
    """Whether a condition holds at this moment (R59, R84)."""
    if condition is None:
        return True
    left = _number(game, condition.left, you, this)
    right = _number(game, condition.right, you, this)
    return _COMPARE[condition.comparison](left, right)


# --------------------------------------------------------------------------------------------------
# Triggered abilities
# --------------------------------------------------------------------------------------------------


def _perform_all(instructions: tuple[Instruction, ...]) -> reference_cards.Effect:
    """The instructions of one ability, one after another; each looks at its own condition (R43)."""

    def effect(game: ReferenceGame, me: Waiting) -> Choices:
        for instruction in instructions:
            if _holds(game, instruction.condition, me.you, me.this):
                yield from _perform(game, me, instruction)

    return effect


def _perform(game: ReferenceGame, me: Waiting, instruction: Instruction) -> Choices:
    """One instruction of an effect."""
    whose = me.you if instruction.player == Player.YOU else me.opponent
    count = instruction.count
    if instruction.effect == Effect.DEFEAT:
        targets = yield from _targets(game, me, instruction)
        game.defeat(targets)
    elif instruction.effect == Effect.TAKE_CONTROL:
        targets = yield from _targets(game, me, instruction)
        game.take_control(targets, me.you)
    elif instruction.effect == Effect.PLAY_CARD:
        card = yield from game.choose_target(me.you, game.discard_pile(whose))
        if card is not None:
            game.put_into_play([card], me.you)
    elif instruction.effect == Effect.DRAW_ALL:
        game.put_into_hand(game.discard_pile(whose), me.you)
    elif instruction.effect == Effect.GAIN_LIFE:
        game.gain_life(whose, count)
    elif instruction.effect == Effect.LOSE_LIFE:
        game.lose_life(whose, count)
    elif instruction.effect == Effect.SET_LIFE:
        assert instruction.value is not None
        game.set_life(whose, _number(game, instruction.value, me.you, me.this))
    elif instruction.effect == Effect.DISCARD:
        yield from game.discard_from_hand(whose, count)
    else:
        assert instruction.effect == Effect.STEAL_RANDOM
        game.steal_random_cards(me.you, me.opponent, count)


def _targets(game: ReferenceGame, me: Waiting, instruction: Instruction) -> Any:
    """The creatures that an instruction affects, chosen before it is carried out (R50)."""
    assert instruction.creatures is not None
    fitting = _described(game, instruction.creatures, me.you, me.this)
    if instruction.effect == Effect.TAKE_CONTROL:  # R45
        fitting = [creature for creature in fitting if game.controller(creature) != me.you]
    if instruction.choice == Choice.ALL:
        return fitting
    if instruction.choice == Choice.UP_TO:
        picked = yield from game.choose_up_to(me.you, fitting, instruction.count)
        return picked
    if instruction.count == 1:
        target = yield from game.choose_target(me.you, fitting)
        return [] if target is None else [target]
    picked = yield from game.choose_exactly(me.you, fitting, instruction.count)
    return picked


# --------------------------------------------------------------------------------------------------
# Constant abilities
# --------------------------------------------------------------------------------------------------


def _works(game: ReferenceGame, source: int, ability: ConstantAbility) -> bool:
    """Whether a constant ability of a creature in play works now (R84, C7)."""
    you = game.controller(source)
    if ability.timing == Timing.YOUR_TURN and game.active != you:
        return False
    if ability.timing == Timing.OPPONENTS_TURN and game.active == you:
        return False
    return _holds(game, ability.condition, you, source)


def _concerns(game: ReferenceGame, source: int, ability: ConstantAbility, creature: int) -> bool:
    """Whether a constant ability works now and means this creature."""
    what, you = ability.creatures, game.controller(source)
    assert what is not None
    if not _works(game, source, ability) or not _fits(game, what, you, source, creature):
        return False
    return what.extreme == Extreme.NONE or creature in _described(game, what, you, source)


def facts_of(card: Card) -> CardFacts:
    """The record that the reference engine plays for a card of the card language."""
    effects = {t.trigger: _perform_all(t.instructions) for t in card.triggered}
    by_rule = {rule: [a for a in card.constant if a.rule == rule] for rule in Rule}

    def of(*rules: Rule) -> list[ConstantAbility]:
        return [ability for rule in rules for ability in by_rule[rule]]

    def power_bonus(game: ReferenceGame, source: int, creature: int) -> int:
        return sum(a.power for a in of(Rule.POWER) if _concerns(game, source, a, creature))

    def grants(game: ReferenceGame, source: int, creature: int) -> set[str]:
        abilities = of(Rule.POWER, Rule.KEYWORDS)
        given = [a for a in abilities if a.keywords and _concerns(game, source, a, creature)]
        return {name for ability in given for name in _names(ability.keywords)}

    def copies_keywords(game: ReferenceGame, source: int) -> set[str]:
        copied = [a for a in of(Rule.COPY_KEYWORDS) if _works(game, source, a)]
        return {name for ability in copied for name in _names(ability.keywords)}

    def forbids_attack(game: ReferenceGame, source: int, creature: int) -> bool:
        return any(_concerns(game, source, a, creature) for a in of(Rule.CANNOT_ATTACK))

    def forbids_block(game: ReferenceGame, source: int, attacker: int, blocker: int) -> bool:
        rules = (Rule.CANNOT_BLOCK, Rule.CANNOT_BLOCK_THIS)[: 2 if source == attacker else 1]
        return any(_concerns(game, source, a, blocker) for a in of(*rules))

    def stops_play_effects(game: ReferenceGame, source: int) -> bool:
        return any(_works(game, source, a) for a in of(Rule.NO_PLAY_EFFECTS))

    return CardFacts(
        id=card.card_id,
        power=card.power,
        keywords=frozenset(_names(card.keywords)),
        copies=card.copies,
        play=effects.get(Trigger.PLAY),
        attack=effects.get(Trigger.ATTACK),
        defeated=effects.get(Trigger.DEFEATED),
        power_bonus=power_bonus if of(Rule.POWER) else None,
        grants=grants if of(Rule.POWER, Rule.KEYWORDS) else None,
        copies_keywords=copies_keywords if of(Rule.COPY_KEYWORDS) else None,
        forbids_attack=forbids_attack if of(Rule.CANNOT_ATTACK) else None,
        forbids_block=forbids_block if of(Rule.CANNOT_BLOCK, Rule.CANNOT_BLOCK_THIS) else None,
        stops_opponents_play_effects=stops_play_effects if of(Rule.NO_PLAY_EFFECTS) else None,
    )
