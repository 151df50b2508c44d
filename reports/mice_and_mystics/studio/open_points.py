"""Open points of the rules in words: what is asked, and what each answer says."""

from collections.abc import Mapping

#: The question of each switch, and the words of its answers by their values.
OPEN_POINTS: Mapping[str, tuple[str, Mapping[str, str]]] = {
    "after_encounter": (
        "After exploring reveals an encounter",
        {"new_round": "a new round begins", "continue_round": "the same round goes on"},
    ),
    "surge_timing": (
        "A full wheel surges",
        {"at_once": "at once", "after_attack": "after the attack"},
    ),
    "staff_adjacent": (
        "Maginos' staff, against spaces beside him",
        {"ranged": "is a ranged weapon", "melee": "is a melee weapon"},
    ),
    "minion_order": (
        "Of minions that are equally near, first to act is",
        {"random": "a random one", "index": "the one placed lower"},
    ),
    "ranged_movement": (
        "Ranged minions that see no mouse move",
        {"die": "as the die says", "unlimited": "until they see one"},
    ),
    "disguises_cover_elites": (
        "Disguises keep elite rat warriors away",
        {"no": "no", "yes": "yes"},
    ),
    "tinkerer_trap_dice": (
        "Of move and lore, a tinkerer rolls against a mousetrap",
        {"higher": "the higher one", "lore": "lore"},
    ),
    "all_captured": (
        "When all mice are captured at once",
        {"loses": "the chapter is lost", "goes_on": "the chapter goes on"},
    ),
    "search_once_per": (
        "A mouse that searched a tile with success may search again",
        {"side": "on its other side", "physical_tile": "on another tile only"},
    ),
    "unused_gear": (
        "Starting gear of heroes not in the party is",
        {"in_search_deck": "in the search deck", "removed": "out of the game"},
    ),
    "encounter_deck": (
        "A standard encounter deck has",
        {"without_difficult": "no difficult cards", "all": "all cards"},
    ),
    "gear_moves": (
        "Boots that are put on count for the move",
        {"from_next_turn": "from the next turn", "at_once": "at once"},
    ),
    "unseen_neighbour": (
        "A figure beside a ranged attacker who does not see it",
        {"shields": "shields all others", "ignored": "shields nobody"},
    ),
    "ranged_placement": (
        "Small ranged minions with equally far entry spaces",
        {"each": "each take any one", "together": "fill the first one's space"},
    ),
    "barred_goal": (
        "To a mouse on a space that is barred to them, minions go",
        {"open": "around full spaces", "closed": "as if none were full"},
    ),
    "alike_drawn": (
        "Of two equal cards that were drawn",
        {"each": "each is an option", "once": "one is an option"},
    ),
    "tail_cleared": (
        "Clearing all paws clears Filch's tail, too",
        {"yes": "yes", "no": "no"},
    ),
    "kept_gear": (
        "Of starting gear that it wears, a captured mouse keeps",
        {"of_party": "that of any hero", "own": "its own"},
    ),
    "abduction_found": (
        "While a mouse is missing, a successful search finds",
        {"instead": "the friend alone", "as_well": "the friend and a card"},
    ),
}
