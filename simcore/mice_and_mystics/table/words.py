"""The words of the game as numbers: what facts, options, causes and steps are called in kernels."""

from simcore.mice_and_mystics.table.masks import numbers

# Kinds of options, in the words of the rules text (section 24) and with what follows the kind.
OPTION_WORDS = (
    "END",
    "STAND",
    "LEAVE_WATER",  # space
    "SWIM",  # space
    "MOVE",  # space
    "BATTLE",  # card, figure
    "SEARCH",
    "SCURRY",
    "RECOVER",
    "EXPLORE",  # link: 0-3 = N, E, S, W, 4 = flip
    "ABILITY",  # ability, kind of target, target, and for Give Order more: see `option`
    "HEAL",  # mouse
    "PAY_ACTION",
    "USE",  # card, kind of target, target
    "GRAPE",  # space
    "SHARE",  # mouse
    "EQUIP",
    "LEVEL_UP",  # ability
    "STAY",
    "KEEP",
    "DISCARD",
    "DROP",  # card
    "PICK",  # card
    "STOP",
    "PUT",  # card, card replaced; NO_CARD = none, ALL_PAWS = all paw cards
    "TAKE_OFF",  # card
    "GIVE_CHEESE",
    "TAKE_CHEESE",
    "GIVE",  # card
    "TAKE",  # card
    "PLACE",  # space
    "START",  # ability
    "PASS",
    "REACT",  # ability, kind of target, target
    "TRICK",  # card
    "TARGET",  # kind of target, target, thing
    "DISGUISES",
    "WOUND",  # card of the track
)
(END, STAND, LEAVE_WATER, SWIM, MOVE, BATTLE, SEARCH, SCURRY, RECOVER, EXPLORE) = numbers(10)
(ABILITY, HEAL, PAY_ACTION, USE, GRAPE, SHARE, EQUIP, LEVEL_UP, STAY) = numbers(10, 19)
(KEEP, DISCARD, DROP, PICK, STOP, PUT, TAKE_OFF, GIVE_CHEESE, TAKE_CHEESE) = numbers(19, 28)
(GIVE, TAKE, PLACE, START, PASS, REACT, TRICK, TARGET, DISGUISES, WOUND) = numbers(28, 38)

# What an option is aimed at.
TARGET_WORDS = ("none", "mouse", "figure", "space", "track card", "mouse and thing", "order")
AT_NOTHING, AT_MOUSE, AT_FIGURE, AT_SPACE, AT_CARD, AT_THING, AT_ORDER = numbers(7)

#: Instead of a card that is replaced.
NO_CARD, ALL_PAWS = numbers(255, 253, -1)

# Things that Cure removes.
THING_WORDS = ("poison", "stunned", "webbed")
POISON, STUNNED, WEBBED = numbers(3)

# Categories of entries of D1 for the player C, in the order of section 24.
CATEGORY_WORDS = (
    *("END", "MOVE", "BATTLE", "SEARCH", "SCURRY", "RECOVER", "EXPLORE", "ABILITY", "USE"),
    *("SHARE", "EQUIP", "LEVEL_UP"),
)

# Decision points D1 … D11; 0 = none.
D1, D2, D3, D4, D5, D6, D7, D8, D9, D10, D11 = numbers(1, 12)

# Outcomes; 0 = the game goes on.
RUNNING, WIN, LOSS_PAGE, LOSS_CAPTURED, TIMEOUT, BROKEN = numbers(6)

# Why a mouse was captured.
IN_BATTLE, IN_TRAP, IN_DRIFT, IN_EVENT = numbers(4)

# By what a minion was defeated.
BY_ATTACK, BY_SET_TRAP, BY_GRAPE, BY_SPARK, BY_TOOTHPICK = numbers(5)

# Types of search cards.
CARD_WORDS = ("weapon", "armor", "accessory", "item", "scroll", "trick", "party", "event")
WEAPON, ARMOR, ACCESSORY, ITEM, SCROLL, A_TRICK, PARTY, EVENT = numbers(8)

# Slots of a mouse.  A card of two paws lies in PAW; OTHER_PAW is then TAKEN.
SLOT_WORDS = ("head", "body", "back", "trinket", "feet", "paw", "paw", "tail")
HEAD, BODY, BACK, TRINKET, FEET, PAW, OTHER_PAW, TAIL = numbers(8)
#: In a slot: nothing, and the second paw of the card in the first.
EMPTY, TAKEN = numbers(-1, -3, -1)

# How a weapon or a minion attacks; 0 = not at all.
ATTACK_WORDS = ("", "melee", "ranged")
MELEE, RANGED = numbers(1, 3)

# Tokens of the party.
TOKEN_WORDS = ("disguises", "fish_hook", "grape", "catnip")
DISGUISE, FISH_HOOK, A_GRAPE, CATNIP = numbers(4)

# When an ability, trick, scroll or item may be used.
TIMING_WORDS = (
    *("action", "replace_battle", "free_action", "own_turn", "start_of_own_turn"),
    *("before_melee_attack", "before_ranged_attack", "before_any_mouse_attack"),
    *("after_melee_kill", "when_mouse_in_same_space_attacked", "when_attacked"),
    *("when_defending", "when_wounded", "search", "on_successful_search"),
    *("when_minions_placed", "after_attack_roll", "no_action_left"),
)
(T_ACTION, T_REPLACE_BATTLE, T_FREE_ACTION, T_OWN_TURN, T_START_OF_OWN_TURN) = numbers(5)
(T_BEFORE_MELEE, T_BEFORE_RANGED, T_BEFORE_ANY, T_AFTER_KILL, T_SAME_SPACE) = numbers(5, 10)
(T_ATTACKED, T_DEFENDING, T_WOUNDED, T_SEARCH, T_FOUND, T_PLACED) = numbers(10, 16)
(T_AFTER_ROLL, T_NO_ACTION) = numbers(16, 18)

# What an effect does: the operations of section 28 that are not summed up as numbers of a hero,
# minion or piece of gear when facts are compiled.
OP_WORDS = (
    *("battle", "battle_multiply", "defense", "target_defense", "heal", "cure_poison_or_status"),
    *("attack_once_per_equipped", "melee_attack", "ranged_attack", "magic_ranged_attack"),
    *("magic_attack_all", "magic_attack_each", "magic_hits", "draw_keep", "search_dice"),
    *("extra_move", "extra_action", "party_may_pay_for_action", "other_mouse_acts"),
    *("prevent_wounds", "redirect_attack_to_self", "cancel_attack", "reroll_own_attack"),
    *("knock_down", "place_trap_on_space", "untargetable", "cross_red_lines"),
    *("move_to_any_space_on_tile", "minion_type_skips_turn", "mouse_missing_until_search"),
    *("party_token", "cheese", "wound"),
)
(OP_BATTLE, OP_MULTIPLY, OP_DEFENSE, OP_TARGET_DEFENSE, OP_HEAL, OP_CURE) = numbers(6)
(OP_KNIVES, OP_MELEE, OP_RANGED, OP_BOLT, OP_BLAST, OP_CHAIN, OP_SPARK) = numbers(6, 13)
(OP_DRAW, OP_SEARCH_DICE, OP_EXTRA_MOVE, OP_EXTRA_ACTION, OP_INSPIRE) = numbers(13, 18)
(OP_ORDER, OP_PREVENT, OP_PROTECT, OP_CANCEL, OP_REROLL, OP_KNOCK_DOWN) = numbers(18, 24)
(OP_SET_TRAP, OP_INVISIBLE, OP_CROSS, OP_TELEPORT, OP_SLOW, OP_ABDUCT) = numbers(24, 30)
(OP_TOKEN, OP_CHEESE, OP_WOUND) = numbers(30, 33)

# How far or how long an effect reaches: ``scope`` and ``until`` of the facts.
REACH_WORDS = (
    *("", "this_attack", "one_minion_until_end_of_round", "other_mice_on_tile"),
    *("all_mice_on_tile", "end_of_round"),
)
NO_REACH, THIS_ATTACK, ONE_MINION, OTHER_MICE, ALL_MICE, END_OF_ROUND = numbers(6)
#: Instead of an amount: as much as there is.
(ALL,) = numbers(99, 100)
#: To whom an event gives cheese.
TO_SEARCHER, TO_WHEEL = numbers(2)

# Ways out of a tile.
LINK_WORDS = ("N", "E", "S", "W", "flip")
N, E, S, W, FLIP = numbers(5)

# How a chapter is won.
WIN_WORDS = ("all_uncaptured_mice_on_space", "room_cleared")
WIN_ON_SPACE, WIN_CLEARED = numbers(2)

# What a flip space needs.
FLIP_WORDS = ("", "fish_hook", "tinkerer_or_scamp")
FLIP_FREE, FLIP_HOOK, FLIP_CLASS = numbers(3)
