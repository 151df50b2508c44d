"""The names of weights: what the player ``learned`` gives points for.

One point is about what an attack that surely defeats its target is worth.  The table has room for
the weights of each mouse's player, so their number is known here.  Abilities and cards are known by
what they do first, an operation of section 28, so that new ones have weights as well.

The weights of positions are what ``search`` goes by: a network of one hidden layer, from what a
position has to the chance that the party wins.
"""

from simcore.contract.network import HIDDEN
from simcore.mice_and_mystics.table import words

# Operations of abilities and cards that are used at D1, learned at a level, and used as reactions.
_USES = {
    "lead": "Battle Leader's effect",
    "fortify": "Fortify's",
    "scroll": "dice until the end of the round",
    "draw_keep": "drawing several cards",
    "extra_move": "one more move",
    "extra_action": "one more action",
    "inspire": "letting the party pay for actions",
    "order": "letting another mouse act",
    "knock_down": "knocking minions down",
    "trap": "setting a trap",
    "invisible": "invisibility",
    "cross": "crossing red lines",
    "slow": "letting minions lose a turn",
    "spell": "an attack by magic, or with all knives",
    "spark": "hits without a roll",
    "teleport": "going to another space at once",
}
_USE = {"order": 0.0, "spell": 0.0, "teleport": -1.0}  # where learning starts, if not from 1
_QUIET = ("draw_keep", "extra_move", "extra_action", "inspire", "order")
_LEARNED = (
    *("battle", "battle_multiply", "defense", "target_defense", "heal", "cure_poison_or_status"),
    *("attack_once_per_equipped", "melee_attack", "ranged_attack", "magic_ranged_attack"),
    *("magic_attack_all", "magic_attack_each", "draw_keep", "search_dice", "extra_move"),
    *("party_may_pay_for_action", "other_mouse_acts", "prevent_wounds", "redirect_attack_to_self"),
    *("knock_down", "place_trap_on_space", "untargetable"),
)
_REACTIONS = (
    *("battle", "battle_multiply", "defense", "target_defense", "melee_attack", "ranged_attack"),
    *("draw_keep", "search_dice", "prevent_wounds", "redirect_attack_to_self", "cancel_attack"),
    "reroll_own_attack",
)
_KEPT = (
    *("battle", "defense", "heal", "draw_keep", "extra_action", "cancel_attack"),
    *("reroll_own_attack", "cross_red_lines", "magic_hits", "move_to_any_space_on_tile"),
    "minion_type_skips_turn",
)

# What the chance of winning is judged by, in the order of players/position_points.py.
_POSITIONS = {
    "any": "for any position",
    "rooms": "for each room still to come",
    "rooms_squared": "for their square",
    "time": "for each page left, less what lies on the wheel",
    "time_squared": "for its square",
    "time_by_rooms": "for their product",
    "time_each": "for the pages left for each room, this one included",
    "captured": "for each captured mouse",
    "captured_last": "more for each in the last room",
    "missing": "for each missing mouse",
    "wounds": "for each wound of mice, as a share of their life",
    "danger": "for each mouse in danger",
    "stunned": "for each stunned mouse",
    "cheese": "for each cheese of mice",
    "abilities": "for each ability",
    "attack": "for each attack die of the mice's best weapons",
    "defense": "for each defense die of mice",
    "move": "for each point of move of gear",
    "lore": "for each point of lore of gear",
    "pack": "for each card in a pack",
    "tokens": "for each party token",
    "exit": "for each step of mice to the exit",
    "exit_nearest": "for each step of the nearest mouse, in peace",
    "unsearched": "for each mouse that has found nothing here",
    "fight": "for minions at all",
    "minions": "for each minion",
    "minion_attack": "for each attack die of minions",
    "minion_life": "for each wound that minions can take",
    "minion_last": "more for each in the last room",
    "shooters": "for each minion that shoots",
    "boss_life": "for each wound that a boss can take",
}

#: What each weight counts, and where learning starts.  The order is that of a vector of weights.
_ALL: dict[str, tuple[float, str]] = {
    "attack.any": (3.0, "for attacking at all"),
    "attack.score": (1.0, "for the score of an attack (section 24)"),
    "attack.ranged": (0.0, "for a target that shoots"),
    "attack.thief": (0.0, "for a target that takes cheese"),
    "attack.dice": (0.0, "for each attack die of the target"),
    "attack.hurt": (0.0, "for each wound the target has"),
    "attack.near": (0.0, "for each mouse that the target stands next to"),
    "attack.wheel": (0.0, "for each defense die of the target by the cheese on the wheel"),
    "place.attack": (1.0, "for the best attack from a space, with an action left"),
    "place.target": (2.0, "for any attack from a space, with an action left"),
    "place.threat": (0.0, "for each attack to be feared there, as a score, if nobody is nearer"),
    "place.shared": (0.0, "the same if another mouse is nearer to the minion"),
    "place.threat_weak": (0.0, "more for each, for each wound the mouse has"),
    "place.minions": (-0.05, "for each minion in a space"),
    "place.next": (-0.05, "for each minion next to it"),
    "place.mates": (0.0, "for each other mouse in a space, in a fight"),
    "place.mates_next": (0.0, "for each other mouse next to it"),
    "place.far": (-0.1, "for each step to the nearest minion, with an action left"),
    "place.far_spent": (0.0, "the same without"),
    "place.far_shooters": (0.0, "more for each step where all minions shoot"),
    "place.exit": (0.0, "for each step to the exit, in a fight"),
    "place.water": (-3.0, "for water"),
    "place.drift": (-3.0, "for a current that leads off the tile"),
    "walk.any": (-0.02, "for moving at all"),
    "walk.exit": (-0.1, "for each step to the exit, in peace"),
    "walk.exit_taken": (0.05, "more for each if another mouse is at the exit"),
    "walk.exit_last": (-0.05, "more for each in the last room"),
    "walk.at_exit": (0.0, "for being at the exit"),
    "walk.ready": (0.5, "for being at the exit with an action left, if nobody is captured"),
    "walk.mates": (0.0, "for each other mouse in a space, in peace"),
    "explore.any": (4.0, "for exploring along the route"),
    "explore.captured": (-6.0, "for each captured mouse"),
    "explore.captured_late": (0.0, "the same, by the cheese on the wheel"),
    "explore.wounds": (0.0, "for each wound of all mice"),
    "explore.unsearched": (0.0, "for each mouse that has found nothing here"),
    "explore.waiting": (0.0, "for each mouse that has not acted this round"),
    "explore.wheel": (0.0, "for each cheese on the wheel"),
    "explore.back": (-9.0, "for exploring off the route"),
    "search.peace": (3.0, "for searching in peace"),
    "search.fight": (0.5, "for searching in a fight"),
    "search.wheel": (0.0, "for each cheese on the wheel"),
    "search.room": (0.0, "for each room of the route passed"),
    "search.at_exit": (0.0, "for searching at the exit, if nobody is captured"),
    "search.missing": (1.0, "for searching while a mouse is missing"),
    "scurry.fight": (0.2, "for moving instead of acting in a fight"),
    "scurry.peace": (0.2, "the same in peace"),
    "recover.any": (6.0, "for recovering"),
    "water.leave": (5.0, "for leaving water"),
    "water.swim": (-1.0, "for swimming"),
    "water.mates": (0.5, "for each mouse where one leaves to"),
    "heal.fight": (0.3, "for healing by an action in a fight"),
    "heal.peace": (2.0, "the same in peace"),
    "heal.free": (-1.0, "for healing without an action"),
    "heal.wound": (0.3, "for each wound healed"),
    "heal.danger": (4.0, "for one that saves from danger"),
    "grape.each": (3.0, "for each minion that leaves for a grape"),
    **{
        f"use.{word}": (_USE.get(word, 1.0), f"for {text}, in a fight")
        for word, text in _USES.items()
    },
    "use.minions": (0.1, "for each minion that such an effect is about"),
    "use.danger": (1.0, "for fortifying or invisibility in danger"),
    **{f"quiet.{word}": (-2.0, f"for {_USES[word]}, in peace") for word in _QUIET},
    "order.search": (-1.0, "for an order to search"),
    "pay.fight": (2.0, "for paying for an action in a fight, if there is a target"),
    "pay.peace": (-1.0, "the same in peace"),
    "cheese.spent": (-0.1, "for each cheese spent"),
    "cheese.short": (0.0, "more for each that a level would need"),
    "level.any": (8.0, "for learning an ability"),
    **{f"level.{word}": (0.0, f"for learning {word}") for word in _LEARNED},
    "share.level": (7.0, "for cheese that makes up a level"),
    "gear.any": (5.0, "for changing gear, if it gains anything"),
    "gear.battle": (1.0, "for each attack die of gear"),
    "gear.defense": (1.0, "for each defense die"),
    "gear.move": (0.3, "for each point of move"),
    "gear.lore": (0.3, "for each point of lore"),
    "gear.weapon": (1.0, "for a weapon at all, if it is the only one"),
    "gear.ranged": (0.0, "for a weapon that shoots"),
    "gear.special": (0.3, "for what else a weapon may add"),
    "keep.gear": (1.0, "for keeping gear that gains anything, by how much"),
    "keep.later": (-0.5, "for keeping what the mouse cannot use"),
    **{f"keep.{word}": (2.0, f"for keeping a card with {word}") for word in _KEPT},
    "keep.party": (1.0, "for a party card"),
    "keep.level": (0.0, "for the cheese of a card that makes a level"),
    **{f"react.{word}": (0.5, f"for reacting with {word}") for word in _REACTIONS},
    "react.score": (0.0, "for the score of the attack that is helped"),
    "react.danger": (0.5, "for defending in danger"),
    "react.hits": (0.0, "for each hit that is defended against"),
    "react.stronger": (0.5, "for each life more than the mouse that is protected"),
    "react.trick": (0.0, "for reacting by a trick"),
}

#: Where learning starts.
START = [start for start, _ in _ALL.values()]
N_LEARNED = len(START)
#: How many numbers describe a position.
N_FEATURES = len(_POSITIONS)
_NETWORK = {
    **{f"position.{word}": (HIDDEN, f"{text}, to each unit") for word, text in _POSITIONS.items()},
    "position.chance": (HIDDEN + 1, "of each unit, to the odds; and the odds without them"),
}
#: What each weight counts; those of positions, which are fitted, come behind those learned.
WEIGHTS = {name: text for name, (_, text) in [*_ALL.items(), *_NETWORK.items()]}
#: The weights that are rows of numbers, and of how many.
WIDTHS = {name: width for name, (width, _) in _NETWORK.items()}
N_WEIGHTS = N_LEARNED + sum(WIDTHS.values())


def place_of(name: str) -> int:
    """The place of a weight in a vector of weights."""
    return list(WEIGHTS).index(name)


def places_by_operation(section: str) -> list[int]:
    """The place of the weight ``section.operation`` for each operation, -1 where there is none."""
    names = list(WEIGHTS)
    each = (f"{section}.{word}" for word in words.OP_WORDS)
    return [names.index(name) if name in names else -1 for name in each]
