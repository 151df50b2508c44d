"""Cards of the card language for the reference engine: a slow reading of ``docs/card_language.md``.

``facts_of`` turns a checked card into the record that the reference engine plays, so that cards
made up for a test can be played on both engines.  Nothing is compiled: every word is looked up in
the schema objects each time it is asked for.
"""

import operator
from collections.abc import Callable, Iterator
from dataclasses import dataclass, field
from inspect import isgenerator
from itertools import combinations
from typing import Any

from card_data.mindbug.schema import (
    MAX_NUMBER,
    Card,
    Cards,
    Condition,
    Conditions,
    ConstantAbility,
    Creatures,
    Instruction,
    Value,
)
from card_data.mindbug.schema import PowerCard as PrintedPowerCard
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
from support import reference_facts
from support.reference_facts import CardFacts, Choices, PowerCard, Word
from support.reference_game import ReferenceGame
from support.reference_game import Trigger as Waiting


@dataclass
class Now:
    """From where a text is looked at: whose it is, its source, and what its line has done so far.

    ``this`` is the source while it is still the same object in play, else None (R55).
    """

    game: ReferenceGame
    you: int
    source: int | None = None  # Of a constant ability.
    me: Waiting | None = None  # Of a triggered effect.
    named: str | None = None  # The keyword that was named (C35).
    discarded: int = field(default=0)  # By the instruction before (C30).

    @property
    def this(self) -> int | None:
        """The source creature."""
        return self.source if self.me is None else self.me.this

    def player(self, player: Player) -> int:
        """A player as seen from "you" (R53)."""
        return self.you if player == Player.YOU else 1 - self.you


# --------------------------------------------------------------------------------------------------
# Descriptions, numbers and conditions
# --------------------------------------------------------------------------------------------------


def _names(keywords: frozenset[Keyword]) -> set[str]:
    """Keywords as the reference engine writes them."""
    return {keyword.name for keyword in keywords}


def _on_side(now: Now, side: Side, creature: int) -> bool:
    """Whether a creature is on a side, as seen from "you" (R1)."""
    return side == Side.ANY or (now.game.controller(creature) == now.you) == (side == Side.ALLIED)


def _fits(now: Now, what: Creatures, creature: int) -> bool:
    """Whether a creature passes everything but the extreme of a description (R45, R87)."""
    if what.this:
        return creature == now.this
    if not _on_side(now, what.side, creature) or (what.other and creature == now.this):
        return False
    return _fits_state(now, what, creature) and _fits_power(now, what, creature)


def _has_named(now: Now, creature: int) -> bool:
    """Whether a creature has the keyword named last (C35); any, while none has been named."""
    keywords = now.game.keywords(creature)
    return bool(keywords) if now.named is None else now.named in keywords


def _fits_state(now: Now, what: Creatures, creature: int) -> bool:
    """The filters on keywords, boosts and blocks."""
    game = now.game
    if what.keywords and not game.keywords(creature) & _names(what.keywords):
        return False
    if what.no_keyword and game.keywords(creature):
        return False
    if what.named_keyword and not _has_named(now, creature):
        return False
    if what.boosted and not game.creatures[creature].boosts:
        return False
    return not what.has_blocked or game.creatures[creature].blocked_this_turn


def _fits_power(now: Now, what: Creatures, creature: int) -> bool:
    """The filters on power, but for the extremes."""
    game, this = now.game, now.this
    if what.power_min > 0 and game.power(creature) < what.power_min:
        return False
    if what.power_max < MAX_NUMBER and game.power(creature) > what.power_max:
        return False
    if what.weaker_than_this and (this is None or game.power(creature) >= game.power(this)):
        return False
    within = what.within_of_this
    if within is not None and (
        this is None or abs(game.power(creature) - game.power(this)) > within
    ):
        return False
    if what.twin_side is not None:
        others = [c for c in game.creatures_in_play() if c != creature]
        return any(
            game.power(c) == game.power(creature) and _on_side(now, what.twin_side, c)
            for c in others
        )
    return True


def _described(now: Now, what: Creatures) -> list[int]:
    """The creatures that a description means; the extremes among those that fit the rest (R88)."""
    found = [c for c in now.game.creatures_in_play() if _fits(now, what, c)]
    if what.extreme != Extreme.NONE and found:
        powers = {creature: now.game.power(creature) for creature in found}
        wanted = (max if what.extreme == Extreme.HIGHEST else min)(powers.values())
        found = [creature for creature in found if powers[creature] == wanted]
    return found


def _means(now: Now, what: Creatures, creature: int) -> bool:
    """Whether a description means a creature."""
    if not _fits(now, what, creature):
        return False
    return what.extreme == Extreme.NONE or creature in _described(now, what)


def _number(now: Now, value: Value) -> int:
    """A number read off the table."""
    game, whose = now.game, now.game.players[now.player(value.player)]
    if value.quantity == Quantity.CREATURES:
        assert value.creatures is not None
        return len(_described(now, value.creatures)) + value.number
    if value.quantity == Quantity.DEFEATED_BY_THIS:  # C56
        defeated = now.this is not None and game.creatures[now.this].defeated_enemy_this_turn
        return int(defeated) + value.number
    read = {
        Quantity.NUMBER: 0,
        Quantity.LIFE: whose.life,
        Quantity.MINDBUGS: whose.mindbugs,
        Quantity.HAND: len(whose.hand),
        Quantity.DRAW_PILE: len(whose.draw),
        Quantity.DISCARD_PILE: len(whose.discard),
        Quantity.ENERGY: whose.energy,
        Quantity.DISCARDED: now.discarded,
        Quantity.MY_TURN: int(game.active == now.you),
    }
    return read[value.quantity] + value.number


_COMPARE: dict[Comparison, Callable[[int, int], bool]] = {
    Comparison.LESS: operator.lt,
    Comparison.AT_MOST: operator.le,
    Comparison.EQUAL: operator.eq,
    Comparison.AT_LEAST: operator.ge,
    Comparison.MORE: operator.gt,
}


def _holds(now: Now, condition: Condition | Conditions | None) -> bool:
    """Whether a condition holds at this moment (R59, R84); of several, all or at least one."""
    if condition is None:
        return True
    if isinstance(condition, Conditions):
        enough = any if condition.any_of else all
        return enough([_holds(now, part) for part in condition.parts])
    left, right = _number(now, condition.left), _number(now, condition.right)
    return _COMPARE[condition.comparison](left, right)


def _card_fits(game: ReferenceGame, what: Cards, card: int) -> bool:
    """Whether a card outside play passes the filters, by what is printed on it (R6, C42)."""
    facts = game.facts(card)
    if not what.power_min <= facts.power:
        return False
    if what.power_max < MAX_NUMBER and facts.power > what.power_max:
        return False
    printed = {
        None: True,
        Trigger.PLAY: facts.play,
        Trigger.ATTACK: facts.attack,
        Trigger.DEFEATED: facts.defeated,
        Trigger.ACTION: facts.action,
    }
    return bool(printed[what.ability])


def _cards(now: Now, what: Cards) -> list[int]:
    """The cards that a description means."""
    game = now.game
    if what.zone == Zone.HAND:  # C48
        player = now.player(what.player)
        hand = sorted(game.players[player].hand)
        found = [card for card in hand if game.may_play_from_hand(player, card)]
    elif what.zone == Zone.DISCARD_PILE:
        found = game.discard_pile(now.player(what.player))
    elif what.zone == Zone.EITHER_DISCARD_PILE:
        found = sorted(game.discard_pile(0) + game.discard_pile(1))
    else:
        assert what.zone == Zone.BOOSTS_OF_THIS
        found = _boosts_of_this(now)
    return [card for card in found if _card_fits(game, what, card)]


def _boosts_of_this(now: Now) -> list[int]:
    """The cards under the source, or last under it and lying where they fell (R54, C58)."""
    assert now.me is not None
    if now.this is not None:
        return sorted(now.game.creatures[now.this].boosts)
    return now.me.fallen_boosts


# --------------------------------------------------------------------------------------------------
# What can be done (R47, R99, D12)
# --------------------------------------------------------------------------------------------------


def _count(now: Now, do: Instruction) -> int:
    """The amount of an instruction, multiplied by what it is "for each" of (R51, C49)."""
    return do.count if do.per is None else do.count * _number(now, do.per)


def _candidates(now: Now, do: Instruction) -> list[int]:
    """The legal targets among the creatures that an instruction describes (R45, C18, C23, C44)."""
    game = now.game
    assert do.creatures is not None
    found = _described(now, do.creatures)
    if do.effect == Effect.TAKE_CONTROL:
        return [c for c in found if game.controller(c) != now.you]
    if do.effect == Effect.GIVE_CONTROL:
        return [c for c in found if game.controller(c) == now.you]
    if do.effect == Effect.RETURN_TO_HAND:
        return [c for c in found if game.may_receive(game.controller(c))]
    if do.effect in (Effect.COPY_PLAY_EFFECT, Effect.TRIGGER_PLAY_EFFECT):
        return [c for c in found if game.facts(c).play is not None]
    return found


def _pairs(now: Now, candidates: list[int]) -> list[tuple[int, int]]:
    """All pairs of creatures with equal power (C31)."""
    power = now.game.power
    return [(a, b) for a, b in combinations(candidates, 2) if power(a) == power(b)]


def _has_targets(now: Now, do: Instruction) -> bool:
    """Whether there are creatures enough for an instruction (R49)."""
    assert do.creatures is not None
    found = _candidates(now, do)
    if do.creatures.equal_power:
        return bool(_pairs(now, found))
    return len(found) >= (do.count if do.choice == Choice.EXACTLY else 1)


def _can_do(now: Now, do: Instruction) -> bool:
    """Whether an instruction can be done at least in part, if its turn had come now (R47, R99)."""
    if not _holds(now, do.condition):
        return False
    return bool(_POSSIBLE[do.effect](now, do))


def _can_set_life(now: Now, do: Instruction) -> bool:
    """Whether a life total would change (R17, C8, C52)."""
    assert do.value is not None
    whose = now.player(do.player)
    difference = _number(now, do.value) - now.game.life(whose)
    return (difference > 0 and not do.as_loss) or (difference < 0 and now.game.can_lose_life(whose))


def _can_hold(now: Now, do: Instruction) -> bool:
    """Whether something can hold this turn: for a group always, as creatures may still come."""
    return do.creatures is None or _has_targets(now, do)


def _can_boost(now: Now, do: Instruction) -> bool:
    """Whether there is a card in a pile and a creature to boost (R123)."""
    return bool(_candidates(now, do)) and any(now.game.discard_pile(p) for p in (0, 1))


def _can_draw(now: Now, do: Instruction) -> bool:
    """Whether there is a card to draw, and your hand may receive it (R32, C44)."""
    assert do.cards is not None
    unused = do.cards.zone == Zone.UNUSED_PILE
    found = now.game.unused if unused else _cards(now, do.cards)
    return bool(found) and now.game.may_receive(now.you)


def _whole(now: Now, do: Instruction) -> list[int]:
    """The cards of DISCARD_WHOLE: hand, draw pile or both (R33)."""
    player = now.game.players[now.player(do.player)]
    zone = None if do.cards is None else do.cards.zone
    hand = player.hand if zone != Zone.DRAW_PILE else []
    return [*hand, *(player.draw if zone != Zone.HAND else [])]


def _can_exchange(now: Now, _: Instruction) -> bool:
    """Whether a card would change hands (C54)."""
    hands = [player.hand for player in now.game.players]
    allowed = all(now.game.may_receive(p) or not hands[1 - p] for p in (0, 1))
    return allowed and any(hands)


def _can_evolve(now: Now, _: Instruction) -> bool:
    """Whether the source is in play and has a next stage (R101)."""
    return now.this is not None and now.game.facts(now.this).evolves_to is not None


def _hand(now: Now, player: Player) -> list[int]:
    return now.game.players[now.player(player)].hand


_POSSIBLE: dict[Effect, Callable[[Now, Instruction], Any]] = {
    Effect.DEFEAT: lambda now, do: (
        _has_targets(now, do) and (do.per is None or _number(now, do.per))
    ),
    Effect.TAKE_CONTROL: _has_targets,
    Effect.PLAY_CARD: lambda now, do: _cards(now, do.cards),
    Effect.DRAW_ALL: lambda now, do: (
        now.game.discard_pile(now.player(do.player)) and now.game.may_receive(now.you)
    ),
    Effect.GAIN_LIFE: _count,
    Effect.LOSE_LIFE: lambda now, do: (
        _count(now, do) and now.game.can_lose_life(now.player(do.player))
    ),
    Effect.SET_LIFE: _can_set_life,
    Effect.DISCARD: lambda now, do: _count(now, do) and _hand(now, do.player),
    Effect.STEAL_RANDOM: lambda now, do: (
        _hand(now, Player.OPPONENT) and now.game.may_receive(now.you)
    ),
    Effect.GIVE_CONTROL: _has_targets,
    Effect.RETURN_TO_HAND: _has_targets,
    Effect.THIS_TURN: _can_hold,
    Effect.EVOLVE: _can_evolve,
    Effect.BECOME: lambda now, do: now.this is not None,
    Effect.BOOST: _can_boost,
    Effect.TAKE_BOOST: lambda now, do: now.game.boost_cards() and now.game.may_receive(now.you),
    Effect.DRAW_CARDS: _can_draw,
    Effect.DISCARD_RANDOM: lambda now, do: _count(now, do) and _hand(now, do.player),
    Effect.DISCARD_WHOLE: _whole,
    Effect.PLAY_THIS: lambda now, do: now.me.card_has_stayed,
    Effect.TAKE_GIVEN_CARD: lambda now, do: _hand(now, Player.OPPONENT),
    Effect.PUT_RANDOM_CARD: lambda now, do: _hand(now, Player.OPPONENT),
    Effect.PUT_UNDER_DRAW_PILE: lambda now, do: now.game.unused,
    Effect.COPY_PLAY_EFFECT: _has_targets,
    Effect.TRIGGER_PLAY_EFFECT: _has_targets,
    Effect.FORCE_ATTACK: lambda now, do: any(  # C21
        now.game.can_attack(c) for c in _candidates(now, do)
    ),
    Effect.NAME_KEYWORD: lambda now, do: False,
    Effect.EXCHANGE_HANDS: _can_exchange,
    Effect.SET_ASIDE: _has_targets,
    Effect.RETURN_SET_ASIDE: lambda now, do: now.me.creature.set_aside,
    Effect.WIN: lambda now, do: True,
    Effect.LOSE: lambda now, do: True,
    Effect.GAIN_ENERGY: lambda now, do: now.game.kot_parts and _count(now, do),
    Effect.BUY_FREE: lambda now, do: now.game.kot_parts and now.game.display,
    Effect.BUY_TOP: lambda now, do: now.game.kot_parts and now.game.power_deck,
    Effect.CHOOSE_ONE: lambda now, do: any(_can_do(now, mode) for mode in do.modes),
}

# --------------------------------------------------------------------------------------------------
# Doing it: every function returns whether it was really carried out (R48), those that discard how
# many cards they discarded (C30)
# --------------------------------------------------------------------------------------------------


def _perform_all(instructions: tuple[Instruction, ...]) -> reference_facts.Effect:
    """The instructions of one ability, one after another; each looks at its own condition (R43)."""

    def effect(game: ReferenceGame, me: Waiting) -> Choices:
        now = Now(game, me.you, me=me)
        done = False
        for do in instructions:
            result = 0
            if _holds(now, do.condition) and (done or not do.if_done):
                result = yield from _perform(now, do)
            done = bool(result)
            discards = do.effect in (Effect.DISCARD, Effect.DISCARD_RANDOM, Effect.DISCARD_WHOLE)
            now.discarded = result if discards else 0

    return effect


def _perform(now: Now, do: Instruction) -> Choices:
    """One instruction whose turn has come: ask where it says "may", repeat it for a die (C55)."""
    if do.may:
        yes = _can_do(now, do) and (yield from now.game.choose_yes_no(now.you))
        if not yes:
            return 0
    if do.die_from == 0:
        return (yield from _do(now, do))
    result = 0
    while now.game.roll_a_plain_die() >= do.die_from:
        result += yield from _do(now, do)
    return result


def _do(now: Now, do: Instruction) -> Choices:
    """Carry out one instruction."""
    result: Any = _DO[do.effect](now, do)
    if isgenerator(result):
        result = yield from result
    return int(result)


def _targets(now: Now, do: Instruction) -> Choices:
    """The creatures that an instruction affects, chosen before it is carried out (R50)."""
    game = now.game
    assert do.creatures is not None
    fitting = _candidates(now, do)
    if do.choice == Choice.ALL:
        return fitting
    if do.choice == Choice.UP_TO:
        return (yield from game.choose_up_to(now.you, fitting, do.count))
    if do.creatures.equal_power:
        return (yield from game.choose_pair(now.you, _pairs(now, fitting)))
    if do.count > 1:
        return (yield from game.choose_exactly(now.you, fitting, do.count))
    target = yield from game.choose_target(now.you, fitting)
    return [] if target is None else [target]


def _defeat(now: Now, do: Instruction) -> Choices:
    done = False
    for _ in range(1 if do.per is None else _number(now, do.per)):  # R51
        targets = yield from _targets(now, do)
        defeated = yield from now.game.defeat(targets)
        done = done or bool(defeated)
    return done


def _take_control(now: Now, do: Instruction) -> Choices:
    targets = yield from _targets(now, do)
    now.game.take_control(targets, now.you)
    return bool(targets)


def _give_control(now: Now, do: Instruction) -> Choices:
    targets = yield from _targets(now, do)
    now.game.take_control(targets, 1 - now.you)
    return bool(targets)


def _return_to_hand(now: Now, do: Instruction) -> Choices:
    targets = yield from _targets(now, do)
    now.game.return_to_hand(targets)
    return bool(targets)


def _set_aside(now: Now, do: Instruction) -> Choices:
    targets = yield from _targets(now, do)
    now.game.set_creatures_aside(now.me, targets)
    return bool(targets)


def _return_set_aside(now: Now, do: Instruction) -> bool:
    done = _can_do(now, do)
    now.game.return_creatures_set_aside(now.me)
    return done


def _play_card(now: Now, do: Instruction) -> Choices:
    assert do.cards is not None
    cards = yield from _choose_cards(now, do, _cards(now, do.cards))
    now.game.put_into_play(cards, now.you, play_effects=not do.without_play_effects)
    return bool(cards)


def _choose_cards(now: Now, do: Instruction, candidates: list[int]) -> Choices:
    """One card (D6), several (D7, C51) or up to some (D8)."""
    if do.choice == Choice.UP_TO:
        return (yield from now.game.choose_up_to(now.you, candidates, _up_to(do.count)))
    if do.count > 1:
        return (yield from now.game.choose_as_many(now.you, candidates, do.count))
    card = yield from now.game.choose_target(now.you, candidates)
    return [] if card is None else [card]


def _up_to(count: int) -> int:
    """MAX_NUMBER cards are any number of them."""
    return 10**6 if count == MAX_NUMBER else count


def _draw_all(now: Now, do: Instruction) -> bool:
    done = _can_do(now, do)
    now.game.put_into_hand(now.game.discard_pile(now.player(do.player)), now.you)
    return done


def _draw_cards(now: Now, do: Instruction) -> Choices:
    assert do.cards is not None
    if not _can_draw(now, do):
        return False
    if do.cards.zone == Zone.UNUSED_PILE:
        now.game.draw_several_from_unused(now.you, do.count)
        return True
    cards = yield from _choose_cards(now, do, _cards(now, do.cards))
    now.game.put_into_hand(cards, now.you)
    return bool(cards)


def _gain_life(now: Now, do: Instruction) -> bool:
    amount = _count(now, do)
    now.game.gain_life(now.player(do.player), amount)
    return amount > 0


def _lose_life(now: Now, do: Instruction) -> bool:
    whose = now.player(do.player)
    before = now.game.life(whose)
    now.game.lose_life(whose, _count(now, do))
    return now.game.life(whose) < before


def _set_life(now: Now, do: Instruction) -> bool:
    assert do.value is not None
    whose = now.player(do.player)
    before = now.game.life(whose)
    if do.as_loss:  # C8
        now.game.lose_life(whose, before - _number(now, do.value))
    else:
        now.game.set_life(whose, _number(now, do.value))
    return now.game.life(whose) != before


def _discard(now: Now, do: Instruction) -> Choices:
    """How many cards were discarded; the player who discards chooses (R29, R44, R126)."""
    game, whose, count = now.game, now.player(do.player), _count(now, do)
    if do.choice == Choice.UP_TO:
        hand = sorted(game.players[whose].hand)
        cards = yield from game.choose_up_to(whose, hand, _up_to(count))
    else:
        cards = yield from game.choose_cards_from_hand(whose, count)
    game.discard(whose, cards)
    return len(cards)


def _discard_random(now: Now, do: Instruction) -> int:
    whose = now.player(do.player)
    cards = now.game.random_cards(whose, _count(now, do))
    now.game.discard(whose, cards)
    return len(cards)


def _discard_whole(now: Now, do: Instruction) -> int:
    cards = _whole(now, do)
    now.game.discard(now.player(do.player), cards)
    return len(cards)


def _steal_random(now: Now, do: Instruction) -> bool:
    done = _can_do(now, do)
    now.game.steal_random_cards(now.you, 1 - now.you, do.count)
    return done


def _put_random_card(now: Now, do: Instruction) -> Choices:
    cards = now.game.random_cards(1 - now.you, 1)
    if cards:
        pile = yield from now.game.choose_pile(now.you)
        now.game.put_into_pile(cards, pile)
    return bool(cards)


def _put_under_draw_pile(now: Now, do: Instruction) -> bool:
    done = bool(now.game.unused)
    now.game.put_unused_under_draw_pile(now.you, do.count)
    return done


def _exchange_hands(now: Now, do: Instruction) -> bool:
    done = _can_do(now, do)
    now.game.exchange_hands()
    return done


def _this_turn(now: Now, do: Instruction) -> Choices:
    """A rule holds until the end of the turn, for a group or for chosen creatures (R25, R26)."""
    assert do.rule is not None
    if do.creatures is None:
        now.game.let_hold_this_turn(_word(do.rule), now.you, now.me.creature)
        return True
    targets = yield from _targets(now, do)
    for card in targets:
        creature = now.game.creatures[card]
        creature.power_this_turn += do.rule.power
        creature.keywords_this_turn |= _names(do.rule.keywords)
        creature.dice_this_turn += do.rule.amount
        if do.rule.rule == Rule.CANNOT_ATTACK:
            creature.cannot_attack_this_turn = True
        elif do.rule.rule == Rule.CANNOT_BLOCK:
            creature.cannot_block_this_turn = True
        elif do.rule.rule == Rule.CANNOT_BE_DEFEATED:
            creature.cannot_be_defeated_this_turn = True
    return bool(targets)


def _evolve(now: Now, do: Instruction) -> bool:
    done = _can_do(now, do)
    if now.this is not None and done:
        now.game.evolve(now.this, now.game.facts(now.this).evolves_to)
    return done


def _become(now: Now, do: Instruction) -> bool:
    """Power and keywords in place of the printed ones, until it leaves play (C45)."""
    if now.this is not None:
        now.game.creatures[now.this].profile = (do.count, frozenset(_names(do.keywords)))
    return now.this is not None


def _boost(now: Now, do: Instruction) -> Choices:
    """Under the source, under one creature of choice, or each card under any of a group (D14)."""
    together = do.choice == Choice.EXACTLY
    under = _candidates(now, do)
    return (yield from now.game.boost_among(now.you, do.count, under, together=together))


def _take_boost(now: Now, do: Instruction) -> Choices:
    if not _can_do(now, do):
        return False
    card = yield from now.game.choose_target(now.you, now.game.boost_cards())
    now.game.put_into_hand([card], now.you)
    return True


def _play_this(now: Now, do: Instruction) -> bool:
    assert now.me is not None
    done = now.me.card_has_stayed
    now.game.put_into_play([now.me.card] if done else [], now.you)
    return done


def _take_given_card(now: Now, do: Instruction) -> Choices:
    given = yield from now.game.give_card(1 - now.you)
    if given is None:
        return False
    keep = do.or_keep and (yield from now.game.choose_to_keep(now.you))
    if keep:
        now.game.put_into_hand([given], now.you)
    else:
        now.game.put_into_play([given], now.you)
    return True


def _copy_play_effect(now: Now, do: Instruction) -> Choices:
    """Resolve the Play effect of a creature at once as that of the source (C23)."""
    targets = yield from _targets(now, do)
    for card in targets:
        effect = now.game.facts(card).play
        yield from now.game.perform_at_once(effect, now.me)
    return bool(targets)


def _trigger_play_effect(now: Now, do: Instruction) -> Choices:
    targets = yield from _targets(now, do)
    for card in targets:
        now.game.trigger_play_effect(card, now.you)
    return bool(targets)


def _force_attack(now: Now, do: Instruction) -> Choices:
    targets = yield from _targets(now, do)
    able = [card for card in targets if now.game.can_attack(card)]
    for card in targets:
        now.game.order_attack(card)
    return bool(able)


def _name_keyword(now: Now, do: Instruction) -> Choices:
    now.named = yield from now.game.choose_keyword(now.you)
    return True


def _gain_energy(now: Now, do: Instruction) -> bool:
    done = _can_do(now, do)
    now.game.gain_energy(now.you, _count(now, do))
    return done


def _buy(now: Now, do: Instruction) -> Choices:
    """Buy a visible power card, or the top one, for free (R112)."""
    done = _can_do(now, do)
    if done:
        buy = now.game.buy_for_free if do.effect == Effect.BUY_FREE else now.game.buy_top_for_free
        yield from buy(now.me)
    return done


def _win(now: Now, do: Instruction) -> bool:
    """The game ends at once (C52, C59)."""
    now.game.win(now.you if do.effect == Effect.WIN else 1 - now.you)
    return True


def _choose_one(now: Now, do: Instruction) -> Choices:
    """One of the modes that can do something (D12, C34)."""
    possible = [number for number, mode in enumerate(do.modes) if _can_do(now, mode)]
    if not possible:
        return False
    number = yield from now.game.choose_mode(now.you, possible)
    return (yield from _do(now, do.modes[number]))


_DO: dict[Effect, Callable[[Now, Instruction], Any]] = {
    Effect.DEFEAT: _defeat,
    Effect.TAKE_CONTROL: _take_control,
    Effect.PLAY_CARD: _play_card,
    Effect.DRAW_ALL: _draw_all,
    Effect.GAIN_LIFE: _gain_life,
    Effect.LOSE_LIFE: _lose_life,
    Effect.SET_LIFE: _set_life,
    Effect.DISCARD: _discard,
    Effect.STEAL_RANDOM: _steal_random,
    Effect.GIVE_CONTROL: _give_control,
    Effect.RETURN_TO_HAND: _return_to_hand,
    Effect.THIS_TURN: _this_turn,
    Effect.EVOLVE: _evolve,
    Effect.BECOME: _become,
    Effect.BOOST: _boost,
    Effect.TAKE_BOOST: _take_boost,
    Effect.DRAW_CARDS: _draw_cards,
    Effect.DISCARD_RANDOM: _discard_random,
    Effect.DISCARD_WHOLE: _discard_whole,
    Effect.PLAY_THIS: _play_this,
    Effect.TAKE_GIVEN_CARD: _take_given_card,
    Effect.PUT_RANDOM_CARD: _put_random_card,
    Effect.PUT_UNDER_DRAW_PILE: _put_under_draw_pile,
    Effect.COPY_PLAY_EFFECT: _copy_play_effect,
    Effect.TRIGGER_PLAY_EFFECT: _trigger_play_effect,
    Effect.FORCE_ATTACK: _force_attack,
    Effect.NAME_KEYWORD: _name_keyword,
    Effect.EXCHANGE_HANDS: _exchange_hands,
    Effect.SET_ASIDE: _set_aside,
    Effect.RETURN_SET_ASIDE: _return_set_aside,
    Effect.WIN: _win,
    Effect.LOSE: _win,
    Effect.GAIN_ENERGY: _gain_energy,
    Effect.BUY_FREE: _buy,
    Effect.BUY_TOP: _buy,
    Effect.CHOOSE_ONE: _choose_one,
}

# --------------------------------------------------------------------------------------------------
# Constant abilities
# --------------------------------------------------------------------------------------------------


def _word(ability: ConstantAbility) -> Word:
    """A constant ability as the engine asks for it."""

    def works(game: ReferenceGame, you: int, this: int | None) -> bool:
        if ability.timing == Timing.YOUR_TURN and game.active != you:  # C7
            return False
        if ability.timing == Timing.OPPONENTS_TURN and game.active == you:
            return False
        return _holds(Now(game, you, this), ability.condition)

    def means(game: ReferenceGame, you: int, this: int | None, creature: int) -> bool:
        assert ability.creatures is not None
        return _means(Now(game, you, this), ability.creatures, creature)

    def power(game: ReferenceGame, you: int, this: int | None) -> int:
        times = 1 if ability.per is None else _number(Now(game, you, this), ability.per)
        return ability.power * times

    def means_card(game: ReferenceGame, card: int) -> bool:
        assert ability.cards is not None
        return _card_fits(game, ability.cards, card)

    return Word(
        rule=ability.rule.name,
        in_discard=ability.in_discard,
        works=works,
        means=means,
        power=power,
        keywords=frozenset(_names(ability.keywords)),
        amount=ability.amount,
        effect=_perform_all(ability.instructions) if ability.instructions else None,
        means_card=means_card,
    )


# --------------------------------------------------------------------------------------------------
# Cards
# --------------------------------------------------------------------------------------------------


#: "It is your turn": as the condition of every instruction it narrows an end-of-turn ability (R22).
_YOUR_TURN = Condition(Value(Quantity.MY_TURN), Comparison.EQUAL, Value(Quantity.NUMBER, 1))


def _needs_your_turn(condition: Condition | Conditions | None) -> bool:
    """Whether a condition cannot hold on the opponent's turn, by its words."""
    if isinstance(condition, Conditions):
        return not condition.any_of and _YOUR_TURN in condition.parts
    return condition == _YOUR_TURN


def facts_of(card: Card) -> CardFacts:
    """The record that the reference engine plays for a card of the card language."""
    lines = {ability.trigger: ability.instructions for ability in card.triggered}
    effects = {trigger: _perform_all(instructions) for trigger, instructions in lines.items()}

    at_end = lines.get(Trigger.END_OF_TURN, ())
    narrowed = all(_needs_your_turn(do.condition) or do.if_done for do in at_end)  # C57

    def action_possible(game: ReferenceGame, you: int, this: int) -> bool:
        """At least one instruction can do something (R99)."""
        effect = effects[Trigger.ACTION]
        me = game._trigger(this, "action", you, effect, game.creatures[this])
        now = Now(game, you, me=me)
        return any(_can_do(now, do) for do in lines[Trigger.ACTION] if not do.if_done)

    return CardFacts(
        id=card.card_id,
        power=card.power,
        keywords=frozenset(_names(card.keywords)),
        copies=card.copies,
        dice=card.dice,
        evolves_to=card.evolves_to,
        exhausted_forms=tuple(_forms(lines.get(Trigger.EXHAUSTED, ()))),
        exhausted=effects.get(Trigger.EXHAUSTED),
        play=effects.get(Trigger.PLAY),
        attack=effects.get(Trigger.ATTACK),
        defeated=effects.get(Trigger.DEFEATED),
        action=effects.get(Trigger.ACTION),
        action_possible=action_possible if Trigger.ACTION in effects else None,
        discarded=effects.get(Trigger.DISCARDED),
        end_of_turn=None if narrowed else effects.get(Trigger.END_OF_TURN),
        end_of_your_turn=effects.get(Trigger.END_OF_TURN) if narrowed else None,
        mindbug_used=effects.get(Trigger.MINDBUG_USED),
        in_discard_on_life_loss=effects.get(Trigger.LIFE_LOST),
        words=tuple(_word(ability) for ability in card.constant),
    )


def _forms(instructions: tuple[Instruction, ...]) -> Iterator[tuple[int, frozenset[str]]]:
    """What a card can become, in the order written (C45)."""
    for do in instructions:
        if do.effect == Effect.BECOME:
            yield do.count, frozenset(_names(do.keywords))
        yield from _forms(do.modes)


def power_card_of(card: PrintedPowerCard) -> PowerCard:
    """The record that the reference engine plays for a power card of the card language."""
    return PowerCard(card.card_id, card.cost, _perform_all(card.bought))
