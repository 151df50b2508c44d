"""The counters of section 29 by their names, and the record of a finished game."""

from typing import Any

from support.mice_and_mystics.state import Box, State

NEVER = -1  # of a page or round that did not come

_ONCE = """
rounds mouse_turns minion_card_turns decisions
surges surges_with_minions captures captures_battle captures_trap captures_drift captures_event
rescues turns_skipped_captured
wheel_in_attack wheel_in_defense wheel_in_idle wheel_in_theft wheel_in_event wheel_in_counter
wheel_out_surge wheel_out_pilfer wheel_left
cheese_in_attack cheese_in_defense cheese_in_bow cheese_in_trap cheese_in_discard cheese_in_event
cheese_in_pilfer cheese_in_start cheese_out_ability cheese_out_level cheese_out_pay
cheese_out_capture cheese_out_theft cheese_left
wounds_total wounds_trap wounds_event wounds_poison wounds_prevented wounds_healed stuns
minion_hits minion_hits_blocked minion_attacks_cancelled
mouse_attacks_melee mouse_attacks_ranged mouse_hits mouse_hits_blocked
kills_attack kills_set_trap kills_grape kills_spark kills_toothpick minions_not_placed fights_left
search_tries search_success cards_drawn cards_overflow equips shares share_transfers level_ups
scurries recovers stands explores returns_to_explored battles traps_entered traps_sprung
swims leave_tries leave_success drifts encounters ambushes
""".split()
#: What is counted when a game is over.
AT_THE_END = ("rounds", "wheel_left", "cheese_left", "fights_left", "owned")
_OF_HERO = "captures cheese_income attacks attack_dice wounds_dealt level_ups".split()
_OF_MINION = "wounds_by attacks_by dice_by placed placed_by_surge".split()
_OF_CARD = "drawn equipped used top8".split()
_OF_ABILITY = "dealt owned used_ability cheese_ability".split()
_OF_ENCOUNTER = "first drawn".split()


def counter_names(box: Box) -> list[str]:
    """All counters of a game with these facts; single ones first."""
    bosses_in_scope = [m for m in box.minion_order if m in _minions_used(box)]
    groups: list[tuple[list[str], list[str]]] = [
        (_OF_HERO, list(box.heroes)),
        (_OF_MINION, bosses_in_scope),
        (_OF_CARD, list(box.cards)),
        (_OF_ABILITY, list(box.abilities)),
        (_OF_ENCOUNTER, list(box.encounters)),
    ]
    names = list(_ONCE)
    for words, ids in groups:
        names += [f"{word}_{name}" for word in words for name in ids]
    names += [f"kills_{hero}_{kind}" for hero in box.heroes for kind in bosses_in_scope]
    return names


def _minions_used(box: Box) -> set[str]:
    """Minions that encounters and chapters can bring."""
    groups = [g for e in box.encounters.values() for band in e.bands for g in band.minions]
    groups += [g for e in box.encounters.values() for g in e.surge]
    for chapter in box.chapters.values():
        groups += chapter.start.minions
        groups += [g for rule in chapter.room_rules for g in rule.minions]
    return {group.type for group in groups} | {"greedy_roach"}


def finish(game: State) -> None:
    """Count what is left when a game is over."""
    game.counts["rounds"] = game.rounds
    game.counts["wheel_left"] = game.wheel
    game.counts["cheese_left"] = sum(mouse.cheese for mouse in game.mice)
    game.counts["fights_left"] = len(game.figures)
    for mouse in game.mice:
        for ability in mouse.abilities:
            game.counts[f"owned_{ability}"] = 1


def record(game: State) -> dict[str, Any]:
    """Outcome, graded outcome and every counter of a finished game (section 29)."""
    route = game.chapter.route
    graded: dict[str, Any] = {
        "outcome": game.outcome,
        "route_depth": sum(tile in game.explored for tile in route),
        "rooms_explored": len(game.explored),
        "page_final": game.page,
        "pages_left": max(0, game.page_end - game.page),
    }
    for k in range(1, len(route) + 1):
        for what in ("page", "round"):
            name = f"{what}_at_entry_room{k}"
            graded[name] = game.marks.get(name, NEVER)
    for name in ("page_at_entry_kitchen", "first_level_up_round"):
        graded[name] = game.marks.get(name, NEVER)
    return graded | {name: game.counts[name] for name in counter_names(game.box)}
