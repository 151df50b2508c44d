"""The record of one finished game: how it ended and every counter of section 29.

What the rules text counts by hero, minion, card, ability or encounter card is a field with one
place for each, in the order of the table (that of the data files); `counter_names` says how the
rules text calls each place.  Numbers of places are those of ``limits.py``, whatever the data have.
"""

from collections.abc import Iterator, Mapping, Sequence
from enum import IntEnum

import numpy as np

from simcore.mice_and_mystics.table.limits import (
    ABILITIES,
    CARDS,
    CAUSES,
    ENCOUNTERS,
    FIRST_TRACK,
    HEROES,
    MICE,
    MINIONS,
    ROUTE,
    TILES,
)


class Outcome(IntEnum):
    """How a game ended (section 29)."""

    WIN = 1
    LOSS_PAGE = 2
    LOSS_CAPTURED = 3
    TIMEOUT = 4


_SET_UP = [
    ("game", np.int64),  # game number: game i of a seed is always the same game
    ("party", np.int8, (MICE,)),  # heroes, by party index; -1 = the party has fewer mice
    ("first_track", np.int8, (FIRST_TRACK,)),  # cards of the first track, as in state.py; -1 = none
    ("first_e", np.int8),  # top card of the first encounter deck, -1 = none
    ("dealt", np.int64),  # mask over abilities: starting ability of some mouse
]
_OUTCOME = [
    ("outcome", np.int8),  # Outcome
    ("route_depth", np.int8),
    ("rooms_explored", np.int8),
    ("page_final", np.int8),
    ("pages_left", np.int8),
    ("page_at_entry", np.int8, (ROUTE,)),  # by room of the route, -1 = not entered
    ("round_at_entry", np.int16, (ROUTE,)),  # the same
    ("page_at_entry_kitchen", np.int8),  # first room off the route that was entered, -1 = none
    ("tile_final", np.int8),  # room in which the game ended: tiles are those of the table
]
_TIME = [(name, np.int16) for name in ("rounds", "mouse_turns", "minion_card_turns")] + [
    ("decisions", np.int32)
]
_PAGES = [
    (name, np.int16)
    for name in (
        *("surges", "surges_with_minions", "captures", "captures_battle", "captures_trap"),
        *("captures_drift", "captures_event", "rescues", "turns_skipped_captured"),
    )
]
_CHEESE = [
    (name, np.int16)
    for name in (
        *("wheel_in_attack", "wheel_in_defense", "wheel_in_idle", "wheel_in_theft"),
        *("wheel_in_event", "wheel_in_counter", "wheel_out_surge", "wheel_out_pilfer"),
        *("wheel_left", "cheese_in_attack", "cheese_in_defense", "cheese_in_bow"),
        *("cheese_in_trap", "cheese_in_discard", "cheese_in_event", "cheese_in_pilfer"),
        *("cheese_in_start", "cheese_out_ability", "cheese_out_level", "cheese_out_pay"),
        *("cheese_out_capture", "cheese_out_theft", "cheese_left"),
    )
]
_FIGHTS = [
    (name, np.int16)
    for name in (
        *("wounds_total", "wounds_trap", "wounds_event", "wounds_poison", "wounds_prevented"),
        *("wounds_healed", "stuns", "minion_hits", "minion_hits_blocked"),
        *("minion_attacks_cancelled", "mouse_attacks_melee", "mouse_attacks_ranged"),
        *("mouse_hits", "mouse_hits_blocked", "kills_attack", "kills_set_trap", "kills_grape"),
        *("kills_spark", "kills_toothpick", "minions_not_placed", "fights_left"),
    )
]
_CARDS = [
    (name, np.int16)
    for name in (
        *("search_tries", "search_success", "cards_drawn", "cards_kept", "cards_discarded"),
        *("cards_events", "cards_party", "cards_unchosen", "cards_overflow"),
        *("equips", "shares", "share_transfers", "level_ups", "first_level_up_round"),
    )  # cards_drawn is the sum of the five that follow; first_level_up_round -1 = never
]
_MOVES = [
    (name, np.int16)
    for name in (
        *("scurries", "recovers", "stands", "explores", "returns_to_explored", "battles"),
        *("traps_entered", "traps_sprung", "swims", "leave_tries", "leave_success", "drifts"),
        *("encounters", "ambushes"),
    )
]
_BY_TILE = [
    ("encounter_in", np.int8, (TILES,)),  # card drawn on first entry, -1 = none
    ("rounds_in", np.int16, (TILES,)),  # rounds begun there
    ("rounds_fought", np.int16, (TILES,)),  # those of them that began with minions there
    ("surges_in", np.int8, (TILES,)),
    ("captures_in", np.int8, (TILES,)),
    # Cards of mice above the topmost one of minions when the track was built, -1 = it was not.
    ("mice_ahead", np.int8, (TILES,)),
]
#: What dice ``rolled`` counts, and what counts as a success of the dice before it.
ROLLED = (
    *("mouse_melee_dice", "mouse_melee_hits", "mouse_ranged_dice", "mouse_ranged_hits"),
    *("minion_melee_dice", "minion_melee_hits", "minion_ranged_dice", "minion_ranged_hits"),
    *("mouse_defense_dice", "mouse_shields", "minion_defense_dice", "minion_shields"),
    *("search_dice", "search_stars"),
)
_DICE = [("rolled", np.int16, (len(ROLLED),))]  # all attack, defense and search dice, void ones too
_BY_HERO = [
    ("captures_of", np.int8, (HEROES,)),
    ("captures_how", np.int8, (HEROES * CAUSES,)),  # at hero x CAUSES + words.IN_BATTLE …
    ("cheese_income", np.int16, (HEROES,)),
    ("attacks", np.int16, (HEROES,)),
    ("attack_dice", np.int16, (HEROES,)),  # rerolls add
    ("wounds_dealt", np.int16, (HEROES,)),  # unblocked hits, beyond a figure's life too
    ("level_ups_of", np.int8, (HEROES,)),
    ("kills", np.int16, (HEROES * MINIONS,)),  # at hero x MINIONS + type
]
_BY_MINION = [
    (name, np.int16, (MINIONS,))
    for name in (
        "captures_by",
        "wounds_by",
        "attacks_by",
        "dice_by",
        "placed",
        "placed_by_surge",
    )
]
_BY_CARD = [
    ("drawn", np.uint8, (CARDS,)),
    ("equipped", np.int16, (CARDS,)),  # PUTs
    ("used", np.uint8, (CARDS,)),
    ("top8", np.uint8, (CARDS,)),  # copies among the top 8 of the first search deck
]
_BY_ABILITY = [
    ("owned", np.int64),  # mask over abilities: owned by some mouse at the end
    ("used_ability", np.int16, (ABILITIES,)),
    ("cheese_ability", np.int16, (ABILITIES,)),
]
_BY_ENCOUNTER = [("drawn_e", np.uint8, (ENCOUNTERS,))]

#: One finished game.
GAME_RECORD = np.dtype(
    [
        *(*_SET_UP, *_OUTCOME, *_TIME, *_PAGES, *_CHEESE, *_FIGHTS, *_CARDS, *_MOVES),
        *(*_BY_TILE, *_DICE, *_BY_HERO, *_BY_MINION, *_BY_CARD, *_BY_ABILITY, *_BY_ENCOUNTER),
    ],
    align=True,
)

#: Counters with one number per game, whose fields are called as in the rules text.
SCALAR_COUNTERS: tuple[str, ...] = tuple(
    name for group in (_TIME, _PAGES, _CHEESE, _FIGHTS, _CARDS, _MOVES) for name, *_ in group
)
# How the rules text calls the places of the other fields.
_NAMES = {
    "captures_of": ("captures_{}", "heroes"),
    "cheese_income": ("cheese_income_{}", "heroes"),
    "attacks": ("attacks_{}", "heroes"),
    "attack_dice": ("attack_dice_{}", "heroes"),
    "wounds_dealt": ("wounds_dealt_{}", "heroes"),
    "level_ups_of": ("level_ups_{}", "heroes"),
    "wounds_by": ("wounds_by_{}", "minions"),
    "attacks_by": ("attacks_by_{}", "minions"),
    "dice_by": ("dice_by_{}", "minions"),
    "placed": ("placed_{}", "minions"),
    "placed_by_surge": ("placed_by_surge_{}", "minions"),
    "drawn": ("drawn_{}", "cards"),
    "equipped": ("equipped_{}", "cards"),
    "used": ("used_{}", "cards"),
    "top8": ("top8_{}", "cards"),
    "used_ability": ("used_ability_{}", "abilities"),
    "cheese_ability": ("cheese_ability_{}", "abilities"),
    "drawn_e": ("drawn_{}", "encounters"),
}
_MASKS = {"dealt": "dealt_{}", "owned": "owned_{}"}


def counter_names(ids: Mapping[str, Sequence[str]]) -> Iterator[tuple[str, str, int]]:
    """Every counter by its name in the rules text, with the field and the place that hold it.

    ``ids`` has the ids of ``heroes``, ``minions``, ``cards``, ``abilities`` and ``encounters`` in
    the order of the table.  The place is -1 for a field with one number; in ``dealt`` and
    ``owned``, which are masks, it is the bit; in ``first_e`` the value that counts as 1.
    """
    for name in (*SCALAR_COUNTERS, "page_at_entry_kitchen"):
        yield name, name, -1
    for field in ("page_at_entry", "round_at_entry"):
        for place in range(ROUTE):
            yield f"{field}_room{place + 1}", field, place
    for field, (pattern, kind) in _NAMES.items():
        for place, one in enumerate(ids[kind]):
            yield pattern.format(one), field, place
    for h, hero in enumerate(ids["heroes"]):
        for m, minion in enumerate(ids["minions"]):
            yield f"kills_{hero}_{minion}", "kills", h * MINIONS + m
    for field, pattern in _MASKS.items():
        for place, one in enumerate(ids["abilities"]):
            yield pattern.format(one), field, place
    for place, one in enumerate(ids["encounters"]):
        yield f"first_{one}", "first_e", place
