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
#: The steps from here on belong to fights and cards (rules/fight_steps.py).
(
    PREEMPTIVE,  # window after placing, see rules/preemptive.py
    MOUSE_ATTACK,
    MINION_ATTACK,
) = numbers(25, 28)
FIRST_OF_FIGHT = PREEMPTIVE
