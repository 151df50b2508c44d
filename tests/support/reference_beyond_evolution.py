"""The cards of Beyond Evolution for the reference engine: 30 cards and 8 faces of later stages."""

from __future__ import annotations

from typing import TYPE_CHECKING

from support.reference_effects import (
    always,
    any_creature,
    defeat_all,
    defeat_one,
    enemies,
    evolve_to,
    gain_life,
    in_turn,
    opponent_discards,
    opponent_loses_life,
    others_have,
    others_have_power,
    pass_control,
    play_from_own_pile,
    power_while,
    take_control_of_one,
    with_power,
)
from support.reference_facts import FRENZY, SNEAKY, CardFacts, Choices, card

if TYPE_CHECKING:
    from support.reference_game import ReferenceGame
    from support.reference_state import Trigger

# --------------------------------------------------------------------------------------------------
# Effects
# --------------------------------------------------------------------------------------------------


def _blastfish(game: ReferenceGame, me: Trigger) -> None:
    """Attack: this cannot be defeated this turn (C24)."""
    if me.this is not None:  # R55
        game.protect_this_turn(me.this)


def _cake_trickster(game: ReferenceGame, me: Trigger) -> Choices:
    """Action: the opponent must attack with an enemy creature of your choice, if able (C21)."""
    target = yield from game.choose_target(me.you, enemies(game, me))
    if target is not None:
        game.order_attack(target)


def _cake_trickster_possible(game: ReferenceGame, you: int, this: int) -> bool:
    """Some enemy creature can attack (C21)."""
    return any(game.can_attack(c) for c in game.creatures_of(1 - you))


def _cheeky_chimpborg(game: ReferenceGame, me: Trigger) -> Choices:
    """Play: the opponent discards a card for each creature they control (C49)."""
    yield from game.discard_from_hand(me.opponent, len(game.creatures_of(me.opponent)))


def _chuckling_chimpborg(game: ReferenceGame, me: Trigger) -> None:
    """Play: the opponent loses 1 life for each of their unused Mindbugs (C49, C50)."""
    game.lose_life(me.opponent, game.players[me.opponent].mindbugs)


def _dr_orange_u_tan(game: ReferenceGame, me: Trigger) -> Choices:
    """Play: you may lose 1 life; if you do, all enemy creatures return to hand (R47, C10)."""
    if not game.can_lose_life(me.you):  # C52
        return
    yes = yield from game.choose_yes_no(me.you)
    if yes:
        game.lose_life(me.you, 1)
        game.return_to_hand(game.creatures_of(me.opponent))


def _fewer_creatures(game: ReferenceGame, you: int) -> bool:
    """You control fewer creatures than the opponent (C12)."""
    return len(game.creatures_of(you)) < len(game.creatures_of(1 - you))


def _dragon_inn(game: ReferenceGame, me: Trigger) -> None:
    """Action: if you control fewer creatures, the opponent loses 1 life (C12)."""
    if _fewer_creatures(game, me.you):
        game.lose_life(me.opponent, 1)


def _dragon_inn_possible(game: ReferenceGame, you: int, this: int) -> bool:
    """You control fewer creatures and the opponent can lose life (R99, C52)."""
    return _fewer_creatures(game, you) and game.can_lose_life(1 - you)


def _earwig_assassin(game: ReferenceGame, me: Trigger) -> Choices:
    """Play: you may discard a card; if you do, defeat a creature (C30)."""
    if not game.players[me.you].hand:  # R47
        return
    yes = yield from game.choose_yes_no(me.you)
    if yes:
        yield from game.discard_from_hand(me.you, 1)
        yield from game.perform(defeat_one(any_creature), me)


def _infernostrich_possible(game: ReferenceGame, you: int, this: int) -> bool:
    """There is an enemy creature with power 7 or more (R99)."""
    return any(game.power(c) >= 7 for c in game.creatures_of(1 - you))


def _octocopter(game: ReferenceGame, me: Trigger) -> Choices:
    """Action: this is defeated, then you take control of an enemy creature (C22)."""
    if me.this is not None:
        yield from game.defeat([me.this])
    yield from game.perform(take_control_of_one(enemies), me)


def _utility_bug(game: ReferenceGame, me: Trigger) -> Choices:
    """Play: you may copy the Play effect of another creature in play (C23)."""
    others = [
        c for c in game.creatures_in_play() if c != me.this and game.facts(c).play is not None
    ]
    if not others:
        return
    yes = yield from game.choose_yes_no(me.you)
    if yes:
        copied = yield from game.choose_target(me.you, others)
        effect = game.facts(copied).play
        assert effect is not None
        yield from game.perform_at_once(effect, me)


def _turtle_toaster(game: ReferenceGame, me: Trigger) -> Choices:
    """Play: defeat up to 2 enemy creatures with power 4 to 6 (R49)."""
    targets = yield from game.choose_up_to(me.you, with_power(enemies, 4, 6)(game, me), 2)
    yield from game.defeat(targets)


def _frosty_fortress(game: ReferenceGame, me: Trigger) -> None:
    """Attack: the opponent discards their hand and their draw pile at once (R33, C32)."""
    player = game.players[me.opponent]
    game.discard(me.opponent, [*player.hand, *player.draw])


# --------------------------------------------------------------------------------------------------
# Constant abilities
# --------------------------------------------------------------------------------------------------


def _opponent_has_3_creatures(game: ReferenceGame, you: int) -> bool:
    """The opponent controls 3 or more creatures."""
    return len(game.creatures_of(1 - you)) >= 3


def _no_mindbug(game: ReferenceGame, you: int) -> bool:
    """You have no unused Mindbug (C50)."""
    return game.players[you].mindbugs == 0


def _is_the_single_other_ally(game: ReferenceGame, source: int, creature: int) -> bool:
    """Coach Panda: the only other creature of its controller (C63)."""
    team = game.creatures_of(game.controller(source))
    return source != creature and creature in team and len(team) == 2


def _coach_panda_power(game: ReferenceGame, source: int, creature: int) -> int:
    """While you control exactly 1 other creature, that one has +3 power."""
    return 3 if _is_the_single_other_ally(game, source, creature) else 0


def _coach_panda_keywords(game: ReferenceGame, source: int, creature: int) -> set[str]:
    """While you control exactly 1 other creature, that one has FRENZY."""
    return {FRENZY} if _is_the_single_other_ally(game, source, creature) else set()


def _mole_machine(game: ReferenceGame, source: int, attacker: int, blocker: int) -> bool:
    """The opponent cannot block with creatures with power 7 or more (C5)."""
    return game.are_enemies(source, blocker) and game.power(blocker) >= 7


def _enemy_is_sneaky(game: ReferenceGame, source: int, creature: int) -> bool:
    """Westside Monster: enemy creatures with SNEAKY."""
    return game.are_enemies(source, creature) and SNEAKY in game.keywords(creature)


def _westside_monster_block(game: ReferenceGame, source: int, attacker: int, blocker: int) -> bool:
    """Enemy creatures with SNEAKY cannot block (C5)."""
    return _enemy_is_sneaky(game, source, blocker)


BEYOND_EVOLUTION: tuple[CardFacts, ...] = (
    card("blastfish", 1, "POISONOUS", attack=_blastfish),
    card("bullet_train", 9, copies=2, attack=defeat_one(with_power(enemies, most=3))),
    card(
        "cake_trickster",
        6,
        "POISONOUS",
        copies=2,
        action=_cake_trickster,
        action_possible=_cake_trickster_possible,
    ),
    card("captain_hippo", 7, "FRENZY", must_be_hunted=True),
    card("cheeky_chimpborg", 5, "HUNTER", play=_cheeky_chimpborg),
    card("cheery_chimpborg", 5, "HUNTER", power_bonus=power_while(5, _opponent_has_3_creatures)),
    card("chuckling_chimpborg", 5, "HUNTER", play=_chuckling_chimpborg),
    card(
        "cloud_lady",
        4,
        evolves_to="typhoon_princess",
        action=in_turn(
            defeat_one(with_power(enemies, most=4)),
            evolve_to("typhoon_princess"),
        ),
        action_possible=always,
    ),
    card(
        "coach_panda",
        6,
        copies=2,
        power_bonus=_coach_panda_power,
        grants=_coach_panda_keywords,
    ),
    card(
        "curious_tadpole",
        1,
        "POISONOUS",
        evolves_to="frog_prophet",
        action=in_turn(gain_life(1), evolve_to("frog_prophet")),
        action_possible=always,
    ),
    card("dr_orange_u_tan", 6, play=_dr_orange_u_tan),
    card(
        "dragon_inn",
        3,
        "TOUGH",
        copies=2,
        action=_dragon_inn,
        action_possible=_dragon_inn_possible,
    ),
    card("earwig_assassin", 1, "SNEAKY", copies=2, play=_earwig_assassin),
    card(
        "infernostrich",
        6,
        action=defeat_one(with_power(enemies, 7)),
        action_possible=_infernostrich_possible,
    ),
    card("kitsunsei", 4, grants=others_have(SNEAKY)),
    card("mole_machine", 5, "TOUGH", copies=2, forbids_block=_mole_machine),
    card("octocopter", 5, action=_octocopter, action_possible=always),
    card("puffermech", 2, "POISONOUS", copies=2, defeated=defeat_all(with_power(enemies, 8))),
    card(
        "radioactive_rabbit",
        3,
        "FRENZY",
        play=pass_control,
        defeated=defeat_all(lambda game, me: game.creatures_of(me.you)),  # R55: it has left.
    ),
    card("robopup", 1, "SNEAKY TOUGH", copies=2),
    card("sawn", 5, "TOUGH", copies=2, reverses_fights=True),
    card("spiky_shinobi", 3, "SNEAKY", copies=2, power_bonus=power_while(5, _no_mindbug)),
    card("steelhorn", 7, defeated=opponent_discards(3)),
    card("sweet_fighter", 9, copies=2, defeated=gain_life(2)),
    card("utility_bug", 4, "HUNTER TOUGH", copies=2, play=_utility_bug),
    card(
        "the_experiment", 6, "POISONOUS", play=in_turn(pass_control, take_control_of_one(enemies))
    ),
    card("turtle_toaster", 4, "TOUGH", copies=2, play=_turtle_toaster),
    card(
        "waddling_recruit",
        3,
        evolves_to="veteran_penguin",
        action=in_turn(opponent_discards(1), evolve_to("veteran_penguin")),
        action_possible=always,
    ),
    card(
        "westside_monster",
        8,
        "FRENZY",
        copies=2,
        forbids_attack=_enemy_is_sneaky,
        forbids_block=_westside_monster_block,
    ),
    card(
        "wildsprout",
        1,
        evolves_to="bigroot",
        action=in_turn(play_from_own_pile, evolve_to("bigroot")),
        action_possible=always,
    ),
    # Stages II and III (R101).
    card(
        "bigroot",
        4,
        copies=0,
        evolves_to="oakenmaster",
        action=in_turn(play_from_own_pile, evolve_to("oakenmaster")),
        action_possible=always,
    ),
    card(
        "frog_prophet",
        3,
        "POISONOUS TOUGH",
        copies=0,
        evolves_to="world_eater",
        action=in_turn(gain_life(1), evolve_to("world_eater")),
        action_possible=always,
    ),
    card("frosty_fortress", 10, "TOUGH", copies=0, attack=_frosty_fortress),
    card("oakenmaster", 7, copies=0, power_bonus=others_have_power(5)),
    card("thunder_queen", 9, copies=0, attack=defeat_one(enemies)),
    card(
        "typhoon_princess",
        6,
        copies=0,
        evolves_to="thunder_queen",
        action=in_turn(defeat_one(with_power(enemies, most=6)), evolve_to("thunder_queen")),
        action_possible=always,
    ),
    card(
        "veteran_penguin",
        5,
        "TOUGH",
        copies=0,
        evolves_to="frosty_fortress",
        action=in_turn(opponent_discards(1), evolve_to("frosty_fortress")),
        action_possible=always,
    ),
    card("world_eater", 8, "POISONOUS TOUGH", copies=0, attack=opponent_loses_life(1)),
)
