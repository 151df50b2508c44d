"""Steps of the machine: what an activity does next (rules/machine.py performs them)."""

from simcore.mice_and_mystics.table.masks import numbers

# Of a game, its rounds and turns; these lie in the lowest frame.
(
    CHOOSE_ABILITY,  # D10, mouse by mouse
    TAKE_ABILITY,
    PLACE_AT_START,  # D6, mouse by mouse
    TAKE_START,
    NEW_ROUND,
    NEXT_CARD,
    MENU,  # D1
    TAKE_MENU,
    TAKE_RESCUE,  # D6
    END_MOUSE_TURN,
    END_TURN,
    NEXT_FIGURE,
    FIGURE_ATTACKS,
    FIGURE_ATTACKED,
) = numbers(14)
# Activities with frames of their own.
(
    EXTRA_MOVE,  # D3
    TAKE_EXTRA_MOVE,
    PLACE_MICE,  # D6, mouse by mouse
    TAKE_PLACE,
    TAKE_DISGUISES,
    PLACE_ENCOUNTER,
    AFTER_ENCOUNTER,
    SURGE,
    AFTER_SURGE,
    RETURN_MOUSE,  # D6
    TAKE_RETURN,
) = numbers(14, 25)
#: The steps from here on belong to fights and cards (rules/fights/steps.py).
(
    PREEMPTIVE,  # window after placing, see rules/fights/preemptive.py
    TAKE_PREEMPTIVE,
    # rules/fights/mouse_attack.py
    MOUSE_ATTACK,
    TAKE_ATTACK_REACTION,
    ATTACK_ROLL,
    TAKE_REROLL,
    ATTACK_DEFENSE,
    ATTACK_WOUNDS,
    ATTACK_HURT,
    ATTACK_END,
    TAKE_BACKSLASH,
    # rules/fights/minion_attack.py
    MINION_ATTACK,
    TAKE_MINION_REACTION,
    MINION_HITS,
    TAKE_DEFENSE,
    TAKE_TOOTHPICK,
    MINION_THEFT,
    MINION_RESOLVE,
    TAKE_RESOLVE,
    MINION_SETTLE,
    MINION_END,
    # rules/fights/boss.py
    BOSS_WOUND,
    TAKE_BOSS_WOUND,
    SWEEP,
    SWEEP_WOUNDS,
    SWEEP_END,
    # rules/fights/spells.py
    KNIVES,
    TAKE_KNIFE,
    CHAIN,
    TAKE_CHAIN,
    CURE,
    TAKE_CURE,
    # rules/fights/search.py
    SEARCH_WINDOW,
    TAKE_SEARCH_REACTION,
    FIND_WINDOW,
    TAKE_FIND,
    PICK_CARD,
    TAKE_PICK,
    TAKE_FOUND,
    TAKE_DROP,
    # rules/fights/cards.py
    EQUIP_MENU,
    TAKE_EQUIP,
    SHARE_MENU,
    TAKE_SHARE,
    # What a kernel of these answers that has asked somebody.
    WAITS,
) = numbers(25, 70)
FIRST_OF_FIGHT = PREEMPTIVE
