"""The cards of Mindbug x King of Tokyo for the reference engine, power cards included."""

from __future__ import annotations

from collections.abc import Callable
from typing import TYPE_CHECKING

from support.reference_effects import (
    allies,
    any_creature,
    defeat_all,
    defeat_one,
    enemies,
    gain_energy,
    gain_life,
    opponent_discards,
    opponent_loses_life,
    others_have_power,
    take_control_of_one,
    with_power,
)
from support.reference_facts import (
    FRENZY,
    HUNTER,
    SNEAKY,
    CardFacts,
    Choices,
    Effect,
    PowerCard,
    card,
)

if TYPE_CHECKING:
    from support.reference_game import ReferenceGame
    from support.reference_state import Trigger

# --------------------------------------------------------------------------------------------------
# Effects of creatures
# --------------------------------------------------------------------------------------------------


def _alienoid(game: ReferenceGame, me: Trigger) -> Choices:
    """Play: buy a visible power card for free (R112, C41)."""
    yield from game.buy_for_free(me)


def _play_a_card(candidates: Callable[[ReferenceGame, Trigger], list[int]]) -> Effect:
    """Play a card of your choice among some, if there is one (C2)."""

    def effect(game: ReferenceGame, me: Trigger) -> Choices:
        chosen = yield from game.choose_target(me.you, candidates(game, me))
        if chosen is not None:
            game.put_into_play([chosen], me.you)

    return effect


def _with_defeated_effect(game: ReferenceGame, me: Trigger) -> list[int]:
    """Boogie Woogie: cards of either discard pile with a printed Defeated effect (C42)."""
    piles = game.discard_pile(0) + game.discard_pile(1)
    return sorted(c for c in piles if game.facts(c).defeated is not None)


def _strong_cards_in_hand(game: ReferenceGame, me: Trigger) -> list[int]:
    """Bookwyrm: cards of your hand with printed power 7 or more (C15, R6)."""
    hand = [c for c in sorted(game.players[me.you].hand) if game.facts(c).power >= 7]
    return [c for c in hand if game.may_play_from_hand(me.you, c)]


def _with_play_effect(game: ReferenceGame, me: Trigger) -> list[int]:
    """Pumpkin Jack: cards of your discard pile with a printed Play effect (C42)."""
    return [c for c in game.discard_pile(me.you) if game.facts(c).play is not None]


def _iron_back(game: ReferenceGame, me: Trigger) -> None:
    """Defeated: you gain 1 energy for each enemy creature (C12, C49)."""
    game.gain_energy(me.you, len(enemies(game, me)))


def _the_globe_smasher(game: ReferenceGame, me: Trigger) -> Choices:
    """Play: the opponent gives you a card of their choice; you must play it (C15)."""
    given = yield from game.give_card(me.opponent)
    if given is not None:
        game.put_into_play([given], me.you)


# --------------------------------------------------------------------------------------------------
# Constant abilities
# --------------------------------------------------------------------------------------------------


def _kraken(game: ReferenceGame, source: int, creature: int) -> set[str]:
    """Your creatures with power 8 or more have SNEAKY, this included."""
    strong = not game.are_enemies(source, creature) and game.power(creature) >= 8
    return {SNEAKY} if strong else set()


def _mechamster(game: ReferenceGame, source: int, creature: int) -> int:
    """Your other creatures have one more dice symbol (C39)."""
    return 1 if game.are_other_allies(source, creature) else 0


def _purple_reign(game: ReferenceGame, source: int, attacker: int, blocker: int) -> bool:
    """Creatures with power 6 or more cannot block this (C5)."""
    return source == attacker and game.power(blocker) >= 6


def _sheriff(game: ReferenceGame, source: int, attacker: int, creature: int) -> bool:
    """This cannot hunt creatures with power 3 or less (C37)."""
    return source == attacker and game.power(creature) <= 3


def _the_king(game: ReferenceGame, source: int, creature: int) -> bool:
    """Your other creatures cannot attack (C36)."""
    return game.are_other_allies(source, creature)


KING_OF_TOKYO: tuple[CardFacts, ...] = (
    card("alienoid", 6, "TOUGH", play=_alienoid),
    card("baby_gigazaur", 1, "SNEAKY", dice=1),
    card("boogie_woogie", 7, dice=1, play=_play_a_card(_with_defeated_effect)),
    card("bookwyrm", 1, "POISONOUS", play=_play_a_card(_strong_cards_in_hand)),
    card("captain_fish", 5, defeated=take_control_of_one(with_power(any_creature, 6))),
    card("cosmic_joe", 3, "HUNTER", defeated=defeat_one(any_creature)),
    card("cyber_bunny", 6, "FRENZY", play=defeat_one(with_power(enemies, 5))),
    card("cyber_kitty", 4, "HUNTER", play=defeat_one(with_power(enemies, most=5))),
    card("cybertooth", 6, "TOUGH", dice=1, extra_rerolls=1),
    card("drakonis", 7, dice=1, play=gain_energy(2)),
    card("gigazaur", 9, defeated=opponent_loses_life(1)),
    card("hades", 5, "TOUGH", dice=2),
    card("iron_back", 4, dice=1, defeated=_iron_back),
    card("kong", 9, dice=1),
    card("kraken", 5, dice=1, grants=_kraken),
    card("mantis", 4, "HUNTER", dice=1),
    card("mechamster", 2, dice_bonus=_mechamster),
    card("mega_shark", 5, "HUNTER", play=gain_energy(1)),
    card("megamoth", 3, "POISONOUS", defeated=gain_energy(2)),
    card("megaxolot", 6, "POISONOUS", dice=1, play=gain_life(1)),
    card("meka_dragon", 7, dice=1, play=opponent_loses_life(1)),
    card("pagurah", 4, "FRENZY", dice=1, defeated=defeat_all(with_power(enemies, most=5))),
    card("pandakai", 3, "SNEAKY", defeated=gain_energy(1)),
    card("pumpkin_jack", 6, dice=1, play=_play_a_card(_with_play_effect)),
    card("purple_reign", 4, dice=1, forbids_block=_purple_reign),
    card("quetzalcoatl", 4, "SNEAKY"),
    card("rex_florae", 6, "POISONOUS", power_bonus=others_have_power(1)),
    card("rob", 5, dice=1, defeated=opponent_discards(2)),
    card("sheriff", 7, "HUNTER", forbids_hunt=_sheriff),
    card("space_penguin", 3, "SNEAKY", play=gain_life(1)),
    card("the_globe_smasher", 6, dice=1, play=_the_globe_smasher),
    card("the_king", 10, "FRENZY", dice=1, forbids_attack=_the_king),
)

# --------------------------------------------------------------------------------------------------
# Power cards
# --------------------------------------------------------------------------------------------------


def _extra_head(game: ReferenceGame, me: Trigger) -> None:
    """This turn your creatures have one more dice symbol (R26, C39)."""
    game.give_dice_to_allies_this_turn(me.you, 1)


def _monster_buddies(game: ReferenceGame, me: Trigger) -> Choices:
    """The Play effect of a creature you control triggers for you (C40)."""
    candidates = [c for c in allies(game, me) if game.facts(c).play is not None]
    chosen = yield from game.choose_target(me.you, candidates)
    if chosen is not None:
        game.trigger_play_effect(chosen, me.you)


def _mysterious_ally(game: ReferenceGame, me: Trigger) -> None:
    """Draw the top card of the unused pile (R117)."""
    game.draw_from_unused(me.you)


def _portal_malfunction(game: ReferenceGame, me: Trigger) -> Choices:
    """Return a creature you control to your hand (R94)."""
    if not game.may_receive(me.you):  # C44
        return
    chosen = yield from game.choose_target(me.you, allies(game, me))
    if chosen is not None:
        game.return_to_hand([chosen])


def _allies_have(keyword: str) -> Effect:
    """This turn your creatures have a keyword (R26)."""

    def effect(game: ReferenceGame, me: Trigger) -> None:
        game.give_keyword_to_allies_this_turn(me.you, keyword)

    return effect


def _random_mutation(game: ReferenceGame, me: Trigger) -> Choices:
    """Buy the top card of the power deck for free (R112, C41)."""
    yield from game.buy_top_for_free(me)


def _reanimation(game: ReferenceGame, me: Trigger) -> Choices:
    """Draw a card of your choice from the opponent's discard pile (R32)."""
    yield from game.draw_one_from_pile(me.you, me.opponent)


def _resurrection(game: ReferenceGame, me: Trigger) -> Choices:
    """Draw a card of your choice from your discard pile (R32)."""
    yield from game.draw_one_from_pile(me.you, me.you)


#: The power cards, one of each; their order is that of the instance numbers.
POWER_CARDS: dict[str, PowerCard] = {
    power.id: power
    for power in (
        PowerCard("ambush", 2, defeat_one(enemies)),
        PowerCard("extra_head", 1, _extra_head),
        PowerCard("healing_bots", 1, gain_life(1)),
        PowerCard("monster_buddies", 2, _monster_buddies),
        PowerCard("mysterious_ally", 2, _mysterious_ally),
        PowerCard("portal_malfunction", 1, _portal_malfunction),
        PowerCard("pounce", 1, _allies_have(HUNTER)),
        PowerCard("rage", 1, _allies_have(FRENZY)),
        PowerCard("railgun", 2, opponent_loses_life(1)),
        PowerCard("random_mutation", 1, _random_mutation),
        PowerCard("reanimation", 3, _reanimation),
        PowerCard("resurrection", 3, _resurrection),
        PowerCard("revenge", 1, defeat_one(with_power(any_creature, 7))),
        PowerCard("stomp", 1, defeat_one(with_power(any_creature, most=3))),
        PowerCard("subterranean_strike", 2, opponent_discards(2)),
        PowerCard("suburban_camouflage", 3, _allies_have(SNEAKY)),
    )
}
