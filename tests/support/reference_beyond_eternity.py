"""The cards of Beyond Eternity for the reference engine."""

from __future__ import annotations

from itertools import combinations
from typing import TYPE_CHECKING

from support.reference_effects import (
    any_creature,
    boost_creatures,
    boost_this,
    can_boost_a_creature,
    choose_one,
    defeat_one,
    enemies,
    equal_powers,
    gain_life,
    in_turn,
    opponent_discards,
    opponent_loses_life,
    others_have,
    play_from_opponents_pile,
    power_while,
    take_control_of_one,
    with_power,
)
from support.reference_facts import POISONOUS, CardFacts, Choices, card

if TYPE_CHECKING:
    from support.reference_game import ReferenceGame
    from support.reference_state import Trigger

# --------------------------------------------------------------------------------------------------
# Effects
# --------------------------------------------------------------------------------------------------


def _boosted(game: ReferenceGame, me: Trigger) -> list[int]:
    """Boosted creatures on either side (R105)."""
    return [c for c in game.creatures_in_play() if game.creatures[c].boosts]


def _catalisk(game: ReferenceGame, me: Trigger) -> None:
    """Attack: the opponent puts their draw pile into their discard pile."""
    game.discard(me.opponent, list(game.players[me.opponent].draw))


def _duckdra(game: ReferenceGame, me: Trigger) -> Choices:
    """Attack: you may defeat a creature with POISONOUS (R126)."""
    poisonous = [c for c in game.creatures_in_play() if POISONOUS in game.keywords(c)]
    if not poisonous:
        return
    yes = yield from game.choose_yes_no(me.you)
    if yes:
        target = yield from game.choose_target(me.you, poisonous)
        yield from game.defeat([target])


def _ghostly_underdog(game: ReferenceGame, me: Trigger) -> Choices:
    """Attack: defeat all enemy creatures with less power than this (R55)."""
    if me.this is not None:
        power = game.power(me.this)
        yield from game.defeat([c for c in enemies(game, me) if game.power(c) < power])


_goat_dragon = choose_one(
    (can_boost_a_creature, boost_creatures(1)),
    (lambda game, me: bool(_boosted(game, me)), defeat_one(_boosted)),
)


def _koibra(game: ReferenceGame, me: Trigger) -> Choices:
    """Play, Attack: a random card of the opponent's hand goes to a pile of your choice (C27)."""
    revealed = game.random_cards(me.opponent, 1)
    if revealed:
        pile = yield from game.choose_pile(me.you)
        game.put_into_pile(revealed, pile)


def _madam_mystique(game: ReferenceGame, me: Trigger) -> Choices:
    """Defeated: name a keyword; defeat all enemy creatures that have it (C35)."""
    keyword = yield from game.choose_keyword(me.you)
    yield from game.defeat([c for c in enemies(game, me) if keyword in game.keywords(c)])


def _defeat_a_pair(game: ReferenceGame, me: Trigger) -> Choices:
    """Defeat exactly 2 creatures with equal power: one pick among all pairs (C31)."""
    groups = equal_powers(game, game.creatures_in_play()).values()
    pairs = [pair for group in groups for pair in combinations(group, 2)]
    pair = yield from game.choose_pair(me.you, pairs)
    yield from game.defeat(pair)


def _return_a_boost_card(game: ReferenceGame, me: Trigger) -> Choices:
    """Put a boost card under any creature into your hand (C34)."""
    chosen = yield from game.choose_target(me.you, game.boost_cards())
    game.put_into_hand([chosen], me.you)


def _can_return_a_boost_card(game: ReferenceGame, me: Trigger) -> bool:
    """There is a boost card, and your hand may receive it (C34, C44)."""
    return bool(game.boost_cards()) and game.may_receive(me.you)


_soul_manipulator = choose_one(
    (can_boost_a_creature, boost_creatures(1)),
    (_can_return_a_boost_card, _return_a_boost_card),
)


def _tiger_wasp(game: ReferenceGame, me: Trigger) -> None:
    """Play: you discard a random card."""
    game.discard(me.you, game.random_cards(me.you, 1))


def _tornado_dragon(game: ReferenceGame, me: Trigger) -> Choices:
    """Play: discard up to 2 cards; for each of them defeat a creature (R51, C30)."""
    cards = yield from game.choose_up_to(me.you, sorted(game.players[me.you].hand), 2)
    game.discard(me.you, cards)
    for _ in cards:
        yield from game.perform(defeat_one(any_creature), me)


def _trash_diver(game: ReferenceGame, me: Trigger) -> Choices:
    """Attack: put 2 cards from the opponent's discard pile into your hand (C51)."""
    yield from game.draw_from_pile(me.you, me.opponent, 2)


# --------------------------------------------------------------------------------------------------
# Constant abilities
# --------------------------------------------------------------------------------------------------


def _agile_rooster(game: ReferenceGame, source: int, attacker: int, blocker: int) -> bool:
    """Only creatures whose power differs by at most 1 can block this (C5, C26)."""
    return source == attacker and abs(game.power(attacker) - game.power(blocker)) > 1


def _empty_pile(game: ReferenceGame, you: int) -> bool:
    """Your discard pile is empty."""
    return not game.players[you].discard


def _cave_lizard(game: ReferenceGame, source: int, creature: int) -> bool:
    """This cannot attack."""
    return source == creature


def _hypnotic_mouse(game: ReferenceGame, source: int, creature: int) -> bool:
    """Creatures with the same power as another creature cannot attack (C25)."""
    others = [c for c in game.creatures_in_play() if c != creature]
    return game.power(creature) in {game.power(c) for c in others}


def _squirtoise_scout(game: ReferenceGame, source: int, attacker: int, blocker: int) -> bool:
    """While two of your creatures have equal power the opponent cannot block (C5)."""
    team = game.creatures_of(game.controller(source))
    return game.are_enemies(source, blocker) and bool(equal_powers(game, team))


def _blessed_shield_bugs(game: ReferenceGame, you: int, creature: int) -> int:
    """In Discard Pile: your creatures have +1 power."""
    return 1 if game.controller(creature) == you else 0


def _cursed_gorillion(game: ReferenceGame, you: int, creature: int) -> int:
    """In Discard Pile: your creatures have -2 power (R86)."""
    return -2 if game.controller(creature) == you else 0


def _strong_enemy(game: ReferenceGame, you: int, creature: int) -> bool:
    """In Discard Pile: enemy creatures with power 7 or more cannot attack."""
    return game.controller(creature) != you and game.power(creature) >= 7


def _strong_enemy_blocks(game: ReferenceGame, you: int, attacker: int, blocker: int) -> bool:
    """In Discard Pile: enemy creatures with power 7 or more cannot block (C5)."""
    return _strong_enemy(game, you, blocker)


BEYOND_ETERNITY: tuple[CardFacts, ...] = (
    card("agile_rooster", 6, "FRENZY", forbids_block=_agile_rooster),
    card("ant_zombie_horde", 7, "TOUGH", copies=2, attack=boost_this(2)),
    card(
        "berserker_rabbit",
        6,
        "FRENZY TOUGH",
        copies=2,
        power_bonus=power_while(4, _empty_pile),
    ),
    card("blessed_killer_bee", 5, "HUNTER", pile_extra_life_loss=2),
    card("blessed_shield_bugs", 6, "TOUGH", pile_power_bonus=_blessed_shield_bugs),
    card(
        "blessed_tiger_squirrel",
        3,
        "SNEAKY",
        pile_forbids_attack=_strong_enemy,
        pile_forbids_block=_strong_enemy_blocks,
    ),
    card("catalisk", 2, "POISONOUS", attack=_catalisk),
    card("cave_lizard", 10, "SNEAKY TOUGH", forbids_attack=_cave_lizard),
    card("cursed_gorillion", 10, "FRENZY TOUGH", pile_power_bonus=_cursed_gorillion),
    card("duckdra", 5, "HUNTER", copies=2, attack=_duckdra),
    card(
        "fire_antler",
        8,
        copies=2,
        defeated=in_turn(opponent_loses_life(1), boost_creatures(1)),
    ),
    card("ghostly_underdog", 4, attack=_ghostly_underdog),
    card("goat_dragon", 7, copies=2, play=_goat_dragon, attack=_goat_dragon),
    card("hiss_holiness", 5, "FRENZY POISONOUS", copies=2, play=boost_creatures(4)),
    card("hypnotic_mouse", 1, "SNEAKY", forbids_attack=_hypnotic_mouse),
    card("koibra", 2, "POISONOUS", copies=2, play=_koibra, attack=_koibra),
    card("madam_mystique", 2, copies=2, defeated=_madam_mystique),
    card("peacasus", 3, "SNEAKY", copies=2, discarded=gain_life(1)),
    card("porcupine_teacher", 5, grants=others_have(POISONOUS)),
    card("pyro_salamancer", 6, copies=2, play=in_turn(boost_creatures(1), _defeat_a_pair)),
    card("radioactive_pest", 1, "POISONOUS", copies=2, attack=defeat_one(with_power(enemies, 7))),
    card("rockyphant", 8, "TOUGH", discarded=opponent_discards(1)),
    card("sea_rex", 5, "HUNTER", copies=2, attack=boost_this(1)),
    card(
        "soul_manipulator",
        5,
        "TOUGH",
        copies=2,
        play=_soul_manipulator,
        attack=_soul_manipulator,
    ),
    card(
        "spirit_cheetah",
        5,
        "HUNTER",
        defeated=take_control_of_one(with_power(any_creature, most=2)),
    ),
    card("spirit_maki", 3, "SNEAKY", defeated=take_control_of_one(with_power(any_creature, 9))),
    card("squirtoise_scout", 2, "TOUGH", copies=2, forbids_block=_squirtoise_scout),
    card("tiger_wasp", 3, "FRENZY SNEAKY", play=_tiger_wasp),
    card("tornado_dragon", 8, copies=2, play=_tornado_dragon),
    card("trash_diver", 2, "SNEAKY", attack=_trash_diver),
    card("trash_flier", 2, "SNEAKY", defeated=play_from_opponents_pile),
    card("water_antler", 8, copies=2, play=in_turn(gain_life(1), boost_creatures(1))),
)
