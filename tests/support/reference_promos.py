"""The promo cards for the reference engine: 28 cards and 4 faces of later stages."""

from __future__ import annotations

from typing import TYPE_CHECKING

from support.reference_effects import (
    always,
    any_creature,
    boost_creatures,
    boost_this,
    can_boost_a_creature,
    choose_one,
    defeat_all,
    defeat_one,
    enemies,
    evolve_to,
    gain_life,
    in_turn,
    lose_life,
    opponent_loses_life,
    others_have,
    pass_control,
    take_control_of_one,
    with_power,
)
from support.reference_facts import FRENZY, HUNTER, CardFacts, Choices, Effect, card

if TYPE_CHECKING:
    from support.reference_game import ReferenceGame
    from support.reference_state import Trigger

# --------------------------------------------------------------------------------------------------
# Effects
# --------------------------------------------------------------------------------------------------


def _slugapult(game: ReferenceGame, me: Trigger) -> Choices:
    """Attack: you may defeat another allied creature; if you do, defeat an enemy (R48, R126)."""
    others = [c for c in game.creatures_of(me.you) if c != me.this]
    if not others:
        return
    yes = yield from game.choose_yes_no(me.you)
    if yes:
        target = yield from game.choose_target(me.you, others)
        defeated = yield from game.defeat([target])
        if defeated:
            yield from game.perform(defeat_one(enemies), me)


def _ratomancer(game: ReferenceGame, me: Trigger) -> Choices:
    """Play: play any number of cards with power 4 or less from your discard pile (C58, R6)."""
    weak = [c for c in game.discard_pile(me.you) if game.facts(c).power <= 4]
    cards = yield from game.choose_up_to(me.you, weak, len(weak))
    game.put_into_play(cards, me.you, play_effects=False)


def _chuck(game: ReferenceGame, me: Trigger) -> Choices:
    """Play: as often as a die shows 4 or more, defeat an enemy creature (C55)."""
    while game.roll_a_plain_die() >= 4:
        yield from game.perform(defeat_one(enemies), me)


def _jazz_dog(game: ReferenceGame, me: Trigger) -> None:
    """End of your turn: take control of all enemy creatures that blocked this turn (C47, C57)."""
    blockers = [c for c in enemies(game, me) if game.creatures[c].blocked_this_turn]
    game.take_control(blockers, me.you)


def _macaw_dagon(game: ReferenceGame, me: Trigger) -> None:
    """Attack: you and the opponent exchange hands (C54)."""
    game.exchange_hands()


def _unigon(game: ReferenceGame, me: Trigger) -> None:
    """Attack: if you hold no card you win the game (C59)."""
    if not game.players[me.you].hand:
        game.win(me.you)


def _future_eric(game: ReferenceGame, me: Trigger) -> None:
    """Play: the top 2 cards of the unused pile go under your draw pile (C61)."""
    game.put_unused_under_draw_pile(me.you, 2)


def _boosted(game: ReferenceGame, me: Trigger) -> list[int]:
    """Boosted creatures on either side (R105)."""
    return [c for c in game.creatures_in_play() if game.creatures[c].boosts]


def _boosted_enemy(game: ReferenceGame, me: Trigger) -> bool:
    """There is a boosted creature that you do not control (R45, C13)."""
    return any(game.controller(c) != me.you for c in _boosted(game, me))


_solar_bear = choose_one(
    (can_boost_a_creature, boost_creatures(1)),
    (_boosted_enemy, take_control_of_one(_boosted)),
)


def _may_evolve_to_big_box_mimic(game: ReferenceGame, me: Trigger) -> Choices:
    """You may evolve this to Big Box Mimic; offered only if it is still in play (R47)."""
    if me.this is None:
        return
    yes = yield from game.choose_yes_no(me.you)
    if yes:
        game.evolve(me.this, "big_box_mimic")


def _big_box_mimic(game: ReferenceGame, me: Trigger) -> Choices:
    """Defeated: play any number of the boost cards that were under this (C58, R54)."""
    cards = yield from game.choose_up_to(me.you, me.fallen_boosts, len(me.fallen_boosts))
    game.put_into_play(cards, me.you, play_effects=False)


def _one_eye_felix(game: ReferenceGame, me: Trigger) -> None:
    """End of turn: if this defeated an enemy creature this turn, evolve it (C56)."""
    if me.this is not None and game.creatures[me.this].defeated_enemy_this_turn:
        game.evolve(me.this, "silver_whiskers")


def _battle_beetle(game: ReferenceGame, me: Trigger) -> None:
    """Attack: if both players have as many unused Mindbugs the opponent loses 2 life (C50)."""
    if game.players[0].mindbugs == game.players[1].mindbugs:
        game.lose_life(me.opponent, 2)


def _knightmare(game: ReferenceGame, me: Trigger) -> None:
    """Defeated: you lose the game (C52)."""
    game.win(me.opponent)


def _alpacoodle_play(game: ReferenceGame, me: Trigger) -> None:
    """Play: set all other creatures aside (C53)."""
    game.set_creatures_aside(me, [c for c in game.creatures_in_play() if c != me.this])


def _alpacoodle_defeated(game: ReferenceGame, me: Trigger) -> None:
    """Defeated: the creatures that this has set aside come back (C53)."""
    game.return_creatures_set_aside(me)


def _steamforger(game: ReferenceGame, me: Trigger) -> None:
    """Attack: if you control at least 3 creatures more than the opponent you win (C59)."""
    if len(game.creatures_of(me.you)) >= len(game.creatures_of(me.opponent)) + 3:
        game.win(me.you)


def _short_neck_giraffodile(game: ReferenceGame, me: Trigger) -> Choices:
    """Attack: put 2 cards from your discard pile into your hand (C51)."""
    yield from game.draw_from_pile(me.you, me.you, 2)


def _discard_a_card(game: ReferenceGame, me: Trigger) -> Choices:
    """You discard a card of your choice: granted by Jean-Claw Pandamme (C60)."""
    yield from game.discard_from_hand(me.you, 1)


# --------------------------------------------------------------------------------------------------
# Constant abilities
# --------------------------------------------------------------------------------------------------


def _boar_zooka(game: ReferenceGame, source: int, attacker: int, blocker: int) -> bool:
    """This cannot block (C5)."""
    return source == blocker


def _watts_dog(game: ReferenceGame, source: int, attacker: int, blocker: int) -> bool:
    """Only creatures without keywords can block this (C5)."""
    return source == attacker and bool(game.keywords(blocker))


def _ghost_hand(game: ReferenceGame, source: int, attacker: int, blocker: int) -> bool:
    """Boosted creatures on either side cannot block (C5)."""
    return bool(game.creatures[blocker].boosts)


def _blessed_axolotl_healer(game: ReferenceGame, you: int, attacker: int) -> Effect | None:
    """In Discard Pile: your creatures have "Attack: gain 1 life" (C60)."""
    return gain_life(1) if game.controller(attacker) == you else None


def _cursed_goblin_werewolf(game: ReferenceGame, you: int, creature: int) -> bool:
    """In Discard Pile: your creatures with FRENZY or HUNTER cannot attack."""
    return game.controller(creature) == you and bool(game.keywords(creature) & {FRENZY, HUNTER})


def _jean_claw_pandamme(game: ReferenceGame, source: int, attacker: int) -> Effect | None:
    """Enemy creatures have "Attack: discard a card" (C60)."""
    return _discard_a_card if game.are_enemies(source, attacker) else None


def _wolfman_steve(game: ReferenceGame, source: int, played: int) -> bool:
    """The opponent cannot play cards with printed power 4 or less from hand (C48)."""
    return game.facts(played).power <= 4


PROMOS: tuple[CardFacts, ...] = (
    card("slugapult", 5, "FRENZY TOUGH", attack=_slugapult),
    card("mindbug_bug", 7, "TOUGH", mindbug_used=opponent_loses_life(1)),
    card("ratomancer", 2, play=_ratomancer),
    card("ram_hopper", 7, "FRENZY", grants=others_have(FRENZY)),
    card("boar_zooka", 6, forbids_block=_boar_zooka, defeated=defeat_all(enemies)),
    card(
        "sluggernaut",
        6,
        "TOUGH",
        exhausted_forms=((5, frozenset({HUNTER})), (8, frozenset({FRENZY}))),
    ),
    card("chuck", 3, "TOUGH", play=_chuck),
    card("jazz_dog", 5, end_of_your_turn=_jazz_dog),
    card("macaw_dagon", 8, attack=_macaw_dagon),
    card("unigon", 9, attack=_unigon),
    card("suspicious_gift", 1, play=pass_control, defeated=lose_life(2)),
    card("future_eric", 3, "SNEAKY", play=_future_eric),
    card("alien_brain", 3, "POISONOUS", stops_opponents_hand=True),
    card("watts_dog", 5, "FRENZY", forbids_block=_watts_dog),
    card("blessed_axolotl_healer", 6, "POISONOUS", pile_grants_attack=_blessed_axolotl_healer),
    card("bug_catcher", 9, "FRENZY TOUGH", stops_mindbugs=True),
    card(
        "cursed_goblin_werewolf",
        8,
        "FRENZY HUNTER",
        pile_forbids_attack=_cursed_goblin_werewolf,
    ),
    card("ghost_hand", 2, "SNEAKY", play=boost_creatures(1), forbids_block=_ghost_hand),
    card("jean_claw_pandamme", 5, grants_attack=_jean_claw_pandamme),
    card(
        "kitten_crewmate",
        2,
        "SNEAKY",
        evolves_to="one_eye_felix",
        evolves_instead=True,
    ),
    card("solar_bear", 5, "TOUGH", attack=_solar_bear),
    card(
        "tuckbox_mimic",
        2,
        evolves_to="deckbox_mimic",
        action=in_turn(boost_this(1), evolve_to("deckbox_mimic")),
        action_possible=always,
    ),
    card("battle_beetle", 8, attack=_battle_beetle),
    card("knightmare", 5, "TOUGH", keeps_life=True, defeated=_knightmare),
    card("alpacoodle", 2, "FRENZY", play=_alpacoodle_play, defeated=_alpacoodle_defeated),
    card("steamforger", 9, attack=_steamforger),
    card("wolfman_steve", 8, forbids_play_from_hand=_wolfman_steve),
    card("short_neck_giraffodile", 7, attack=_short_neck_giraffodile),
    # Stages II and III (R101).
    card("big_box_mimic", 6, "FRENZY", copies=0, defeated=_big_box_mimic),
    card(
        "deckbox_mimic",
        5,
        copies=0,
        evolves_to="big_box_mimic",
        action=in_turn(boost_this(1), _may_evolve_to_big_box_mimic),
        action_possible=always,
    ),
    card(
        "one_eye_felix",
        7,
        "HUNTER",
        copies=0,
        evolves_to="silver_whiskers",
        end_of_turn=_one_eye_felix,
    ),
    card(
        "silver_whiskers",
        6,
        "TOUGH",
        copies=0,
        attack=take_control_of_one(with_power(any_creature, most=5)),
    ),
)
