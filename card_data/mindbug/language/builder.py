"""Parse trees of the card language to schema objects."""

from typing import Any

from attrs import evolve
from lark import Token, Transformer, Tree, v_args

from card_data.mindbug.language.effect_words import EFFECT_WORDS
from card_data.mindbug.schema import (
    MAX_NUMBER,
    Cards,
    Condition,
    Conditions,
    ConstantAbility,
    Creatures,
    Instruction,
    TriggeredAbility,
    Value,
)
from card_data.mindbug.vocabulary import (
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
    Zone,
)

#: Alternatives of the grammar that mean one word of the vocabulary.
_MEANING: dict[str, object] = {
    "your": Player.YOU,
    "opponents": Player.OPPONENT,
    "any": False,
    "other": True,
    "both": Side.ANY,
    "allied": Side.ALLIED,
    "enemy": Side.ENEMY,
    "play_effect": Trigger.PLAY,
    "attack_effect": Trigger.ATTACK,
    "defeated_effect": Trigger.DEFEATED,
    "action_effect": Trigger.ACTION,
    "whole_hand": Zone.HAND,
    "whole_draw_pile": Zone.DRAW_PILE,
    "hand_and_draw_pile": None,
    "less": Comparison.LESS,
    "at_most": Comparison.AT_MOST,
    "equal": Comparison.EQUAL,
    "at_least": Comparison.AT_LEAST,
    "more": Comparison.MORE,
    "always_on": Timing.ALWAYS,
    "your_turn": Timing.YOUR_TURN,
    "opponents_turn": Timing.OPPONENTS_TURN,
    "no_condition": None,
    "once": None,
    "plus": 1,
    "minus": -1,
    "one_random_card": 1,
}

_EFFECT_WORDS = {word.name: word for word in EFFECT_WORDS}
_Fields = dict[str, Any]
_Keywords = frozenset[Keyword]
_THIS = Creatures(this=True)


def build(tree: "Tree[Token]") -> Any:
    """The schema objects that a parse tree of a line stands for."""
    return _Builder().transform(tree)


@v_args(inline=True)
class _Builder(Transformer[Token, Any]):
    """Makes schema objects.

    Every name in the grammar has a method, a row of ``EFFECT_WORDS`` or an entry of ``_MEANING``.
    """

    def __default__(self, data: str, children: list[Any], meta: object) -> Any:
        """An effect word or a name of ``_MEANING``; what else has no method wraps its child."""
        if data in _EFFECT_WORDS:
            return _EFFECT_WORDS[data].instruction(children)
        return _MEANING[data] if data in _MEANING else children[0]

    def __default_token__(self, token: Token) -> int | Keyword:
        return int(token) if token.type == "NUMBER" else Keyword[token.upper()]

    def keywords(self, *keywords: Keyword) -> _Keywords:
        return frozenset(keywords)

    # triggered abilities

    def triggered(self, *instructions: Instruction) -> tuple[Instruction, ...]:
        return instructions

    def if_you_do(self, instruction: Instruction) -> Instruction:
        return evolve(instruction, if_done=True)

    def if_condition(
        self, condition: Condition | Conditions, instruction: Instruction
    ) -> Instruction:
        return evolve(instruction, condition=condition)

    def may(self, instruction: Instruction) -> Instruction:
        return evolve(instruction, may=True)

    def choose_one(self, *modes: Instruction) -> Instruction:
        return Instruction(Effect.CHOOSE_ONE, modes=modes)

    def die_loop(self, number: int, instruction: Instruction) -> Instruction:
        return evolve(instruction, die_from=number)

    # effects on creatures

    def keywords_this_turn(self, who: _Fields, keywords: _Keywords) -> Instruction:
        return self._this_turn(who, Rule.KEYWORDS, keywords=keywords)

    def power_this_turn(
        self, who: _Fields, sign: int, power: int, keywords: _Keywords = frozenset()
    ) -> Instruction:
        return self._this_turn(who, Rule.POWER, power=sign * power, keywords=keywords)

    def dice_this_turn(self, who: _Fields, amount: int) -> Instruction:
        return self._this_turn(who, Rule.MORE_DICE, amount=amount)

    def cannot_attack_this_turn(self, who: _Fields) -> Instruction:
        return self._this_turn(who, Rule.CANNOT_ATTACK)

    def cannot_block_this_turn(self, who: _Fields) -> Instruction:
        return self._this_turn(who, Rule.CANNOT_BLOCK)

    def cannot_be_defeated_this_turn(self, who: _Fields) -> Instruction:
        return self._this_turn(who, Rule.CANNOT_BE_DEFEATED)

    def _this_turn(self, who: _Fields, rule: Rule, **fields: Any) -> Instruction:
        """Chosen creatures stand in the instruction, a group in the rule (R26)."""
        targets = {name: value for name, value in who.items() if name != "group"}
        ability = ConstantAbility(rule, who.get("group"), **fields)
        return Instruction(Effect.THIS_TURN, rule=ability, **targets)

    def become(self, power: int, *keywords: Keyword) -> Instruction:
        fields = {**self.this_only(), "count": power}
        return Instruction(Effect.BECOME, keywords=frozenset(keywords), **fields)

    def boost(self, count: int, creatures: _Fields) -> Instruction:
        return Instruction(Effect.BOOST, **{**creatures, "count": count})

    # effects on cards

    def play_cards(self, amount: _Fields, filters: _Fields, place: Cards) -> Instruction:
        cards = evolve(place, **filters)
        return Instruction(Effect.PLAY_CARD, place.player, cards=cards, **amount)

    def play_cards_silently(self, amount: _Fields, filters: _Fields, place: Cards) -> Instruction:
        return evolve(self.play_cards(amount, filters, place), without_play_effects=True)

    def draw_cards(self, amount: _Fields, filters: _Fields, place: Cards) -> Instruction:
        cards = evolve(place, **filters)
        return Instruction(Effect.DRAW_CARDS, place.player, cards=cards, **amount)

    def you_discard_whole(self, zone: Zone | None) -> Instruction:
        return Instruction(Effect.DISCARD_WHOLE, cards=None if zone is None else Cards(zone))

    def opponent_discards_whole(self, zone: Zone | None) -> Instruction:
        cards = None if zone is None else Cards(zone, Player.OPPONENT)
        return Instruction(Effect.DISCARD_WHOLE, Player.OPPONENT, cards=cards)

    # effects on life and energy

    # amounts and cards

    def each_creature(self, other: bool, side: Side, filters: _Fields) -> Value:
        return Value(Quantity.CREATURES, creatures=Creatures(side, other, **filters))

    def each_mindbug(self, player: Player) -> Value:
        return Value(Quantity.MINDBUGS, player=player)

    def each_discarded(self) -> Value:
        return Value(Quantity.DISCARDED)

    def one_card(self) -> _Fields:
        return {"count": 1}

    def some_cards(self, count: int) -> _Fields:
        return {"count": count}

    def up_to_cards(self, count: int) -> _Fields:
        return {"count": count, "choice": Choice.UP_TO}

    def any_cards(self) -> _Fields:
        return self.up_to_cards(MAX_NUMBER)

    def no_card_filter(self) -> _Fields:
        return {}

    def all_card_filters(self, *filters: _Fields) -> _Fields:
        return self.all_filters(*filters)

    def card_effect(self, trigger: Trigger) -> _Fields:
        return {"ability": trigger}

    def play_from_hand(self) -> Cards:
        return Cards(Zone.HAND)

    def draw_from_unused(self) -> Cards:
        return Cards(Zone.UNUSED_PILE)

    def one_pile(self, player: Player) -> Cards:
        return Cards(Zone.DISCARD_PILE, player)

    def either_pile(self) -> Cards:
        return Cards(Zone.EITHER_DISCARD_PILE)

    # targets and groups

    def one(self, side: Side, filters: _Fields) -> _Fields:
        return {"creatures": Creatures(side, **filters)}

    def another(self, side: Side, filters: _Fields) -> _Fields:
        return {"creatures": Creatures(side, other=True, **filters)}

    def exactly(self, count: int, other: bool, side: Side, filters: _Fields) -> _Fields:
        return {"creatures": Creatures(side, other, **filters), "count": count}

    def up_to(self, count: int, other: bool, side: Side, filters: _Fields) -> _Fields:
        return {**self.exactly(count, other, side, filters), "choice": Choice.UP_TO}

    def all(self, creatures: Creatures) -> _Fields:
        return {"creatures": creatures, "choice": Choice.ALL, "count": 0}

    def this_only(self) -> _Fields:
        return self.all(_THIS)

    def standing(self, creatures: Creatures) -> _Fields:
        return self.this_only() if creatures.this else {"group": creatures}

    def boosted_group(self, creatures: Creatures) -> _Fields:
        return self.all(creatures)

    def this(self) -> Creatures:
        return _THIS

    def group(self, other: bool, side: Side, filters: _Fields) -> Creatures:
        return Creatures(side, other, **filters)

    def no_filter(self) -> _Fields:
        return {}

    def all_filters(self, *filters: _Fields) -> _Fields:
        return {name: value for fields in filters for name, value in fields.items()}

    def highest(self) -> _Fields:
        return {"extreme": Extreme.HIGHEST}

    def lowest(self) -> _Fields:
        return {"extreme": Extreme.LOWEST}

    def within(self, difference: int) -> _Fields:
        return {"within_of_this": difference}

    def less_than_this(self) -> _Fields:
        return {"weaker_than_this": True}

    def same_power(self, side: Side) -> _Fields:
        return {"twin_side": side}

    def equal_power(self) -> _Fields:
        return {"equal_power": True}

    def has_keyword(self, *keywords: Keyword) -> _Fields:
        return {"keywords": frozenset(keywords)}

    def no_keyword(self) -> _Fields:
        return {"no_keyword": True}

    def named(self) -> _Fields:
        return {"named_keyword": True}

    def boosted(self) -> _Fields:
        return {"boosted": True}

    def blocked(self) -> _Fields:
        return {"has_blocked": True}

    def power_at_most(self, power: int) -> _Fields:
        return {"power_max": power}

    def power_at_least(self, power: int) -> _Fields:
        return {"power_min": power}

    def power_between(self, least: int, most: int) -> _Fields:
        return {"power_min": least, "power_max": most}

    def power_exactly(self, power: int) -> _Fields:
        return {"power_min": power, "power_max": power}

    # conditions

    def all_conditions(self, *parts: Condition) -> Conditions:
        return Conditions(parts)

    def any_condition(self, *parts: Condition) -> Conditions:
        return Conditions(parts, any_of=True)

    def condition(self, left: Value, comparison: Comparison, right: Value) -> Condition:
        return Condition(left, comparison, right)

    def it_is_turn(self, player: Player) -> Condition:
        mine = self.number(1 if player is Player.YOU else 0)
        return Condition(Value(Quantity.MY_TURN), Comparison.EQUAL, mine)

    def defeated_by_this(self) -> Condition:
        defeated = Value(Quantity.DEFEATED_BY_THIS)
        return Condition(defeated, Comparison.AT_LEAST, self.number(1))

    def number(self, number: int) -> Value:
        return Value(Quantity.NUMBER, number)

    def raised_amount(self, amount: Value, number: int) -> Value:
        return evolve(amount, number=number)

    def life(self, player: Player) -> Value:
        return Value(Quantity.LIFE, player=player)

    def mindbugs(self, player: Player) -> Value:
        return Value(Quantity.MINDBUGS, player=player)

    def hand(self, player: Player) -> Value:
        return Value(Quantity.HAND, player=player)

    def draw_pile(self, player: Player) -> Value:
        return Value(Quantity.DRAW_PILE, player=player)

    def discard_pile(self, player: Player) -> Value:
        return Value(Quantity.DISCARD_PILE, player=player)

    def energy(self, player: Player) -> Value:
        return Value(Quantity.ENERGY, player=player)

    def count(self, creatures: Creatures) -> Value:
        return Value(Quantity.CREATURES, creatures=creatures)

    # constant abilities

    def constant(
        self, timing: Timing, condition: Condition | Conditions | None, ability: ConstantAbility
    ) -> ConstantAbility:
        return evolve(ability, timing=timing, condition=condition)

    def change_power(
        self, creatures: Creatures, sign: int, power: int, *rest: Any
    ) -> ConstantAbility:
        *given, per = rest
        keywords: _Keywords = given[0] if given else frozenset()
        return ConstantAbility(Rule.POWER, creatures, sign * power, keywords, per=per)

    def give_keywords(self, creatures: Creatures, keywords: _Keywords) -> ConstantAbility:
        return ConstantAbility(Rule.KEYWORDS, creatures, keywords=keywords)

    def copy_keywords(self, keywords: _Keywords) -> ConstantAbility:
        return ConstantAbility(Rule.COPY_KEYWORDS, _THIS, keywords=keywords)

    def cannot_attack(self, creatures: Creatures) -> ConstantAbility:
        return ConstantAbility(Rule.CANNOT_ATTACK, creatures)

    def cannot_block(self, creatures: Creatures) -> ConstantAbility:
        return ConstantAbility(Rule.CANNOT_BLOCK, creatures)

    def cannot_block_this(self, creatures: Creatures) -> ConstantAbility:
        return ConstantAbility(Rule.CANNOT_BLOCK_THIS, creatures)

    def only_block_this(self, creatures: Creatures) -> ConstantAbility:
        return ConstantAbility(Rule.ONLY_BLOCK_THIS, creatures)

    def cannot_be_defeated(self, creatures: Creatures) -> ConstantAbility:
        return ConstantAbility(Rule.CANNOT_BE_DEFEATED, creatures)

    def cannot_hunt(self, this: Creatures, creatures: Creatures) -> ConstantAbility:
        assert this.this
        return ConstantAbility(Rule.CANNOT_HUNT, creatures)

    def must_hunt_this(self, creatures: Creatures) -> ConstantAbility:
        return ConstantAbility(Rule.MUST_HUNT_THIS, creatures)

    def reverse_fight(self) -> ConstantAbility:
        return ConstantAbility(Rule.REVERSE_FIGHT, _THIS)

    def evolve_instead(self) -> ConstantAbility:
        return ConstantAbility(Rule.EVOLVE_INSTEAD, _THIS)

    def have_attack(
        self, creatures: Creatures, instructions: tuple[Instruction, ...]
    ) -> ConstantAbility:
        return ConstantAbility(Rule.HAVE_ATTACK, creatures, instructions=instructions)

    def more_dice(self, creatures: Creatures, amount: int) -> ConstantAbility:
        return ConstantAbility(Rule.MORE_DICE, creatures, amount=amount)

    def more_rerolls(self, amount: int) -> ConstantAbility:
        return ConstantAbility(Rule.MORE_REROLLS, amount=amount)

    def more_life_loss(self, amount: int) -> ConstantAbility:
        return ConstantAbility(Rule.MORE_LIFE_LOSS, amount=amount)

    def no_life_loss(self) -> ConstantAbility:
        return ConstantAbility(Rule.NO_LIFE_LOSS)

    def no_cards_to_hand(self) -> ConstantAbility:
        return ConstantAbility(Rule.NO_CARDS_TO_HAND)

    def cannot_play(self, filters: _Fields) -> ConstantAbility:
        cards = Cards(Zone.HAND, Player.OPPONENT, **filters)
        return ConstantAbility(Rule.CANNOT_PLAY, cards=cards)

    def no_mindbugs(self) -> ConstantAbility:
        return ConstantAbility(Rule.NO_MINDBUGS)

    def no_play_effects(self) -> ConstantAbility:
        return ConstantAbility(Rule.NO_PLAY_EFFECTS)

    # in the discard pile

    def works_there(self, ability: ConstantAbility) -> ConstantAbility:
        return evolve(ability, in_discard=True)

    def when_you_lose_life(self, instructions: tuple[Instruction, ...]) -> TriggeredAbility:
        return TriggeredAbility(Trigger.LIFE_LOST, instructions)
