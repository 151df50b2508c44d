"""The cards of First Contact and New Servants for the reference engine."""

from __future__ import annotations

from typing import TYPE_CHECKING

from support.reference_facts import FRENZY, HUNTER, POISONOUS, SNEAKY, CardFacts, Choices, card

if TYPE_CHECKING:
    from support.reference_game import ReferenceGame
    from support.reference_state import Trigger

# --------------------------------------------------------------------------------------------------
# Effects, First Contact
# --------------------------------------------------------------------------------------------------


def _axolotl_healer(game: ReferenceGame, me: Trigger) -> None:
    """Play: you gain 2 life."""
    game.gain_life(me.you, 2)


def _brain_fly(game: ReferenceGame, me: Trigger) -> Choices:
    """Play: take control of a creature with power 6 or more that you do not control (R45)."""
    strong = [c for c in game.creatures_of(me.opponent) if game.power(c) >= 6]
    target = yield from game.choose_target(me.you, strong)
    if target is not None:
        game.take_control([target], me.you)


def _opponent_loses_1_life(game: ReferenceGame, me: Trigger) -> None:
    """Chameleon Sniper (Attack), Killer Bee (Play): the opponent loses 1 life."""
    game.lose_life(me.opponent, 1)


def _compost_dragon(game: ReferenceGame, me: Trigger) -> Choices:
    """Play: play a card from your discard pile (C2)."""
    chosen = yield from game.choose_target(me.you, game.discard_pile(me.you))
    if chosen is not None:
        game.put_into_play([chosen], me.you)


def _grave_robber(game: ReferenceGame, me: Trigger) -> Choices:
    """Play: play a card from the opponent's discard pile (C2)."""
    chosen = yield from game.choose_target(me.you, game.discard_pile(me.opponent))
    if chosen is not None:
        game.put_into_play([chosen], me.you)


def _defeat_a_creature(game: ReferenceGame, me: Trigger) -> Choices:
    """Explosive Toad (Defeated): defeat a creature on either side (R45, R46, C11)."""
    target = yield from game.choose_target(me.you, game.creatures_in_play())
    if target is not None:
        yield from game.defeat([target])


def _ferret_bomber(game: ReferenceGame, me: Trigger) -> Choices:
    """Play: the opponent discards 2 cards (R30)."""
    yield from game.discard_from_hand(me.opponent, 2)


def _giraffodile(game: ReferenceGame, me: Trigger) -> None:
    """Play: put your whole discard pile into your hand (C17)."""
    game.put_into_hand(game.discard_pile(me.you), me.you)


def _harpy_mother(game: ReferenceGame, me: Trigger) -> Choices:
    """Defeated: take control of up to 2 creatures with power 5 or less (R45, R49, C13)."""
    weak = [c for c in game.creatures_of(me.opponent) if game.power(c) <= 5]
    targets = yield from game.choose_up_to(me.you, weak, 2)
    game.take_control(targets, me.you)


def _kangasaurus_rex(game: ReferenceGame, me: Trigger) -> Choices:
    """Play: defeat all enemy creatures with power 4 or less (R50)."""
    yield from game.defeat([c for c in game.creatures_of(me.opponent) if game.power(c) <= 4])


def _mysterious_mermaid(game: ReferenceGame, me: Trigger) -> None:
    """Play: set your life total to the opponent's life total (R17, C9)."""
    game.set_life(me.you, game.life(me.opponent))


def _shark_dog(game: ReferenceGame, me: Trigger) -> Choices:
    """Attack: defeat an enemy creature with power 6 or more."""
    strong = [c for c in game.creatures_of(me.opponent) if game.power(c) >= 6]
    target = yield from game.choose_target(me.you, strong)
    if target is not None:
        yield from game.defeat([target])


def _snail_hydra(game: ReferenceGame, me: Trigger) -> Choices:
    """Attack: if you control fewer creatures than the opponent, defeat a creature (C11, C12)."""
    if len(game.creatures_of(me.you)) < len(game.creatures_of(me.opponent)):
        yield from _defeat_a_creature(game, me)


def _strange_barrel(game: ReferenceGame, me: Trigger) -> None:
    """Defeated: steal 2 random cards from the opponent's hand (R30, R31, C14)."""
    game.steal_random_cards(me.you, me.opponent, 2)


def _tiger_squirrel(game: ReferenceGame, me: Trigger) -> Choices:
    """Play: defeat an enemy creature with power 7 or more."""
    strong = [c for c in game.creatures_of(me.opponent) if game.power(c) >= 7]
    target = yield from game.choose_target(me.you, strong)
    if target is not None:
        yield from game.defeat([target])


def _turbo_bug(game: ReferenceGame, me: Trigger) -> None:
    """Attack: the opponent loses all life except one (C8)."""
    game.lose_life(me.opponent, game.life(me.opponent) - 1)


def _tusked_extorter(game: ReferenceGame, me: Trigger) -> Choices:
    """Attack: the opponent discards a card."""
    yield from game.discard_from_hand(me.opponent, 1)


# --------------------------------------------------------------------------------------------------
# Constant abilities, First Contact
# --------------------------------------------------------------------------------------------------


def _bee_bear(game: ReferenceGame, source: int, attacker: int, blocker: int) -> bool:
    """Enemy creatures with power 6 or less cannot block this."""
    return source == attacker and game.are_enemies(source, blocker) and game.power(blocker) <= 6


def _deathweaver(game: ReferenceGame, source: int) -> bool:
    """Play effects of the opponent do not trigger (R90, C1)."""
    return True


def _elephantopus(game: ReferenceGame, source: int, attacker: int, blocker: int) -> bool:
    """The opponent cannot block with creatures with power 4 or less (C5)."""
    return game.are_enemies(source, blocker) and game.power(blocker) <= 4


def _goblin_werewolf(game: ReferenceGame, source: int, creature: int) -> int:
    """During your turn this has +6 power (R21, C7)."""
    return 6 if source == creature and game.is_turn_of_controller(source) else 0


def _is_alone(game: ReferenceGame, source: int) -> bool:
    """Lone Yeti's condition: you control no other creature (C6)."""
    return game.creatures_of(game.controller(source)) == [source]


def _lone_yeti_power(game: ReferenceGame, source: int, creature: int) -> int:
    """While you control no other creature this has +5 power."""
    return 5 if source == creature and _is_alone(game, source) else 0


def _lone_yeti_keywords(game: ReferenceGame, source: int, creature: int) -> set[str]:
    """While you control no other creature this has FRENZY."""
    return {FRENZY} if source == creature and _is_alone(game, source) else set()


def _sharky_crab_dog_mummypus(game: ReferenceGame, source: int) -> set[str]:
    """This has each of these keywords while an enemy creature has it (R89, C3)."""
    return {HUNTER, SNEAKY, FRENZY, POISONOUS}


def _shield_bugs(game: ReferenceGame, source: int, creature: int) -> int:
    """Your other creatures have +1 power."""
    return 1 if game.are_other_allies(source, creature) else 0


def _snail_thrower(game: ReferenceGame, source: int, creature: int) -> set[str]:
    """Your other creatures with (current) power 4 or less have HUNTER and POISONOUS (C4)."""
    if game.are_other_allies(source, creature) and game.power(creature) <= 4:
        return {HUNTER, POISONOUS}
    return set()


def _urchin_hurler(game: ReferenceGame, source: int, creature: int) -> int:
    """During your turn your other creatures have +2 power (R21, C7)."""
    if game.is_turn_of_controller(source) and game.are_other_allies(source, creature):
        return 2
    return 0


# --------------------------------------------------------------------------------------------------
# Effects and constant abilities, New Servants
# --------------------------------------------------------------------------------------------------


def _bugserker(game: ReferenceGame, source: int, creature: int) -> int:
    """While your life is exactly 1 this has +8 power."""
    return 8 if source == creature and game.life(game.controller(source)) == 1 else 0


def _count_draculeech(game: ReferenceGame, me: Trigger) -> Choices:
    """Attack: you lose 1 life, then defeat a creature (C10, C11): two instructions."""
    game.lose_life(me.you, 1)
    yield from _defeat_a_creature(game, me)


def _ferret_pacifier(game: ReferenceGame, source: int, attacker: int, blocker: int) -> bool:
    """The enemy creatures with the highest power cannot block (R88)."""
    if not game.are_enemies(source, blocker):
        return False
    enemies = game.creatures_of(game.controller(blocker))
    return game.power(blocker) == max(game.power(c) for c in enemies)


def _froblin_instigator(game: ReferenceGame, source: int, creature: int) -> int:
    """This has +2 power for each other creature you control."""
    if source != creature:
        return 0
    return 2 * (len(game.creatures_of(game.controller(source))) - 1)


def _goreagle_alpha(game: ReferenceGame, me: Trigger) -> None:
    """Play: you lose 1 life (C10)."""
    game.lose_life(me.you, 1)


def _hamster_lion(game: ReferenceGame, source: int, creature: int) -> bool:
    """The enemy creatures with the lowest power cannot attack (R88)."""
    if not game.are_enemies(source, creature):
        return False
    enemies = game.creatures_of(game.controller(creature))
    return game.power(creature) == min(game.power(c) for c in enemies)


def _hungry_hungry_hamster(game: ReferenceGame, me: Trigger) -> Choices:
    """Play: the opponent gives you a card of their choice; play it or keep it (C15)."""
    given = yield from game.give_card(me.opponent)
    if given is None:
        return
    keep = yield from game.choose_to_keep(me.you)
    if keep:
        game.put_into_hand([given], me.you)
    else:
        game.put_into_play([given], me.you)


def _hyenix(game: ReferenceGame, me: Trigger) -> Choices:
    """In Discard Pile, whenever you lose life: you may play this from there (C16)."""
    if not me.card_has_stayed:  # It has left that pile meanwhile: no D9 (C16).
        return
    yes = yield from game.choose_yes_no(me.you)
    if yes:
        game.put_into_play([me.card], me.you)


def _majestic_manticore(game: ReferenceGame, me: Trigger) -> Choices:
    """Attack: defeat the creatures with the lowest power, this included (R88, C11)."""
    powers = {c: game.power(c) for c in game.creatures_in_play()}
    yield from game.defeat([c for c in powers if powers[c] == min(powers.values())])


def _the_lurker(game: ReferenceGame, me: Trigger) -> None:
    """Attack: if you control more creatures than the opponent, this has SNEAKY this turn (C12)."""
    more = len(game.creatures_of(me.you)) > len(game.creatures_of(me.opponent))
    if more and me.this is not None:  # R55
        game.give_keyword_this_turn(me.this, SNEAKY)


def _turf_the_surfer(game: ReferenceGame, me: Trigger) -> Choices:
    """Attack: choose a creature on either side; it cannot block this turn (R26)."""
    target = yield from game.choose_target(me.you, game.creatures_in_play())
    if target is not None:
        game.forbid_blocking_this_turn(target)


# --------------------------------------------------------------------------------------------------
# The cards
# --------------------------------------------------------------------------------------------------

FIRST_CONTACT: tuple[CardFacts, ...] = (
    card("axolotl_healer", 4, "POISONOUS", copies=2, play=_axolotl_healer),
    card("bee_bear", 8, forbids_block=_bee_bear),
    card("brain_fly", 4, play=_brain_fly),
    card("chameleon_sniper", 1, "SNEAKY", attack=_opponent_loses_1_life),
    card("compost_dragon", 3, "HUNTER", copies=2, play=_compost_dragon),
    card("deathweaver", 2, "POISONOUS", stops_opponents_play_effects=_deathweaver),
    card("elephantopus", 7, "TOUGH", forbids_block=_elephantopus),
    card("explosive_toad", 5, "FRENZY", copies=2, defeated=_defeat_a_creature),
    card("ferret_bomber", 2, "SNEAKY", copies=2, play=_ferret_bomber),
    card("giraffodile", 7, play=_giraffodile),
    card("goblin_werewolf", 2, "HUNTER", copies=2, power_bonus=_goblin_werewolf),
    card("gorillion", 10),
    card("grave_robber", 7, "TOUGH", copies=2, play=_grave_robber),
    card("harpy_mother", 5, defeated=_harpy_mother),
    card("kangasaurus_rex", 7, copies=2, play=_kangasaurus_rex),
    card("killer_bee", 5, "HUNTER", copies=2, play=_opponent_loses_1_life),
    card(
        "lone_yeti",
        5,
        "TOUGH",
        power_bonus=_lone_yeti_power,
        grants=_lone_yeti_keywords,
    ),
    card("luchataur", 9, "FRENZY", copies=2),
    card("mysterious_mermaid", 7, play=_mysterious_mermaid),
    card("plated_scorpion", 2, "POISONOUS TOUGH", copies=2),
    card("rhino_turtle", 8, "FRENZY TOUGH", copies=2),
    card("shark_dog", 4, "HUNTER", attack=_shark_dog),
    card(
        "sharky_crab_dog_mummypus",
        5,
        copies_keywords=_sharky_crab_dog_mummypus,
    ),
    card("shield_bugs", 4, "TOUGH", copies=2, power_bonus=_shield_bugs),
    card("snail_hydra", 9, copies=2, attack=_snail_hydra),
    card("snail_thrower", 1, "POISONOUS", grants=_snail_thrower),
    card("spider_owl", 3, "POISONOUS SNEAKY", copies=2),
    card("strange_barrel", 6, defeated=_strange_barrel),
    card("tiger_squirrel", 3, "SNEAKY", copies=2, play=_tiger_squirrel),
    card("turbo_bug", 4, attack=_turbo_bug),
    card("tusked_extorter", 8, copies=2, attack=_tusked_extorter),
    card("urchin_hurler", 5, "HUNTER", power_bonus=_urchin_hurler),
)

NEW_SERVANTS: tuple[CardFacts, ...] = (
    card("bugserker", 3, "TOUGH", copies=2, power_bonus=_bugserker),
    card("count_draculeech", 7, copies=2, attack=_count_draculeech),
    card("creep_from_the_deep", 4, "HUNTER POISONOUS", copies=2),
    card("ferret_pacifier", 4, copies=2, forbids_block=_ferret_pacifier),
    card("froblin_instigator", 1, "HUNTER", copies=2, power_bonus=_froblin_instigator),
    card("goreagle_alpha", 6, "FRENZY HUNTER TOUGH", copies=2, play=_goreagle_alpha),
    card("hamster_lion", 8, "FRENZY", copies=2, forbids_attack=_hamster_lion),
    card("hungry_hungry_hamster", 2, "SNEAKY", copies=2, play=_hungry_hungry_hamster),
    card("hyenix", 7, "FRENZY", copies=2, in_discard_on_life_loss=_hyenix),
    card("majestic_manticore", 6, "POISONOUS", copies=2, attack=_majestic_manticore),
    card("the_lurker", 4, "TOUGH", copies=2, attack=_the_lurker),
    card("turf_the_surfer", 8, copies=2, attack=_turf_the_surfer),
)
