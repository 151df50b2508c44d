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
        {"after_attack": "after the attack", "at_once": "at once"},
    ),
    "staff_adjacent": (
        "Maginos' staff, against spaces beside him",
        {"ranged": "is a ranged weapon", "melee": "is a melee weapon"},
    ),
    "minion_order": (
        "Of minions that are equally near",
        {"random": "a random one acts first", "index": "the lowest number acts first"},
    ),
    "ranged_movement": (
        "Ranged minions that see no mouse",
        {"die": "move as far as the die says", "unlimited": "move until they see one"},
    ),
    "disguises_cover_elites": (
        "Disguises keep elite rat warriors away",
        {"no": "no", "yes": "yes"},
    ),
    "tinkerer_trap_dice": (
        "A tinkerer's dice against a mousetrap",
        {"higher": "move or lore, the higher one", "lore": "lore"},
    ),
    "all_captured": (
        "When all mice are captured at once",
        {"loses": "the chapter is lost", "goes_on": "the chapter goes on"},
    ),
    "search_once_per": (
        "A mouse that searched with success may search again",
        {"side": "on the tile's other side", "physical_tile": "on another tile only"},
    ),
    "unused_gear": (
        "Starting gear of heroes not in the party",
        {"in_search_deck": "is in the search deck", "removed": "is out of the game"},
    ),
    "encounter_deck": (
        "A standard encounter deck",
        {"without_difficult": "has no difficult cards", "all": "has all cards"},
    ),
    "gear_moves": (
        "Boots that are put on count for the move",
        {"from_next_turn": "from the next turn on", "at_once": "at once"},
    ),
    "unseen_neighbour": (
        "A figure beside a ranged attacker who does not see it",
        {"shields": "shields all others", "ignored": "shields nobody"},
    ),
    "ranged_placement": (
        "Small ranged minions with equally far entry spaces",
        {"each": "each take any of them", "together": "fill the first one's space"},
    ),
    "barred_goal": (
        "The way to a mouse on a space barred to minions",
        {"open": "leads around full spaces", "closed": "goes as if none were full"},
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
        "A captured mouse keeps the starting gear it wears",
        {"of_party": "of any hero of the party", "own": "if it is its own"},
    ),
}
