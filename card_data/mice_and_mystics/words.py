"""The closed lists of words in the files of Mice & Mystics (section 25 of the rules)."""

#: When an ability may be used, with its meaning (section 25, P5-P8).
TIMINGS = {
    "action": "as an action of the own turn",
    "replace_battle": "as an action, in place of a battle",
    "free_action": "in the own turn, without an action",
    "own_turn": "the same as `free_action`",
    "start_of_own_turn": "in the own turn, before anything else is done",
    "no_action_left": "in the own turn, once no action is left",
    "search": "before the dice of a search are rolled",
    "on_successful_search": "when a search has succeeded, in place of the draw",
    "before_melee_attack": "before the dice of an own melee attack are rolled",
    "before_ranged_attack": "before the dice of an own ranged attack are rolled",
    "before_any_mouse_attack": "before the dice of an attack of any mouse are rolled",
    "after_attack_roll": "when the dice of an own attack have been rolled",
    "after_melee_kill": "when an own melee attack has defeated its target",
    "when_minions_placed": "when minions have been placed on the tile",
    "when_mouse_in_same_space_attacked": "when a minion attacks another mouse in the same space",
    "when_attacked": "when a minion attacks this mouse",
    "when_defending": "before the own dice of defense are rolled",
    "when_wounded": "before wounds are placed",
}
#: Timings that are entries of the menu of the own turn (D1).
OWN_TURN = (
    *("action", "replace_battle", "free_action", "own_turn", "start_of_own_turn"),
    "no_action_left",
)

#: Types of search cards: gear is equipped, the others are used or followed (M62, M65).
GEAR_TYPES = ("weapon", "armor", "accessory")
CARD_TYPES = (*GEAR_TYPES, "item", "scroll", "trick", "party", "event")
#: Slots that a piece of armor or an accessory can be in (M64); weapons are held in paws.
SLOTS = ("head", "body", "back", "trinket", "feet", "paw")

#: The classes of the game; a hero may have others.
CLASSES = ("leader", "warrior", "tinkerer", "healer", "scamp", "archer", "mystic")

ATTACKS = ("melee", "ranged")
SIZES = ("small", "large", "token")
EDGES = ("N", "E", "S", "W")
OPPOSITE = {"N": "S", "S": "N", "E": "W", "W": "E"}
#: What a flip space can ask for (M70).
FLIP_NEEDS = ("fish_hook", "tinkerer_or_scamp")

#: Rules of a room, ways to win and to lose a chapter, and its encounter deck.
ROOM_RULES = ("counter_cheese", "minions_barred", "preset_minions", "surge_minions")
WINS = ("all_uncaptured_mice_on_space", "room_cleared")
LOSSES = ("page_end", "all_mice_captured")
DECKS = ("standard",)
