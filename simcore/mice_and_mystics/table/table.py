"""Facts, chapter and settings as one record of numbers, which kernels take as an argument.

Everything is in the order of the facts; ``compile_facts.py`` fills it.  Tiles are those of the
chapter, rooms of the route first.  Masks are sets as bits (``masks.py``); *words* of a hero are
itself and its classes, as bits, and what requires none of them has the mask 0.
"""

from collections.abc import Mapping

import numpy as np
import numpy.typing as npt
from attrs import frozen

from card_data.mice_and_mystics.facts import Facts
from card_data.mice_and_mystics.settings import Settings
from simcore.mice_and_mystics.table.limits import (
    ABILITIES,
    ATTACK_DICE,
    CARDS,
    DEFENSE_DICE,
    EFFECTS,
    ENCOUNTERS,
    FACES,
    GEAR,
    HEROES,
    LIFE,
    LINKS,
    MICE,
    MINIONS,
    PAGES,
    PARTIES,
    ROWS,
    SPACES,
    TILES,
)
from simcore.mice_and_mystics.table.weight_names import N_WEIGHTS

_WORD = np.int64

#: Bits for each count of what a face of the die shows (rules/dice.py).
SHOWN = 10

HERO = np.dtype(
    [
        ("words", _WORD),
        ("battle", _WORD),
        ("defense", _WORD),
        ("lore", _WORD),
        ("move", _WORD),
        ("life", _WORD),
        ("heals", _WORD),  # wounds that its innate action heals, 0 = none, words.ALL
        ("pilfers", _WORD),  # cheese for each minion that its attacks defeat (M134)
        ("pilfers_rat_from_wheel", _WORD),  # 1 = one leaves the wheel too
        ("pilfers_other_from_wheel", _WORD),
        ("tail_card", _WORD),  # card that needs no paw, -1 = none
        ("ignores_traps", _WORD),
        ("finds_party_items", _WORD),
        ("tinkers", _WORD),  # rolls lore against mousetraps (M43, S9)
        ("flips", _WORD),  # may use flip spaces that need a tinkerer or a scamp
        ("n_gear", _WORD),
        ("gear", _WORD, (GEAR,)),
    ],
    align=True,
)
MINION = np.dtype(
    [
        ("battle", _WORD),
        ("defense", _WORD),
        ("life", _WORD),
        ("ranged", _WORD),
        ("large", _WORD),
        ("token", _WORD),  # fills no space (M35)
        ("boss", _WORD),
        ("pool", _WORD),  # mask of the types that share its figures
        ("pool_limit", _WORD),
        ("limit", _WORD),  # figures of this type
        ("card", _WORD),  # type whose card it uses, usually itself; of a boss's card the boss
        ("n_cards", _WORD),  # of a boss with several, in rows from ``first_card`` on
        ("first_card", _WORD),
        ("silent", _WORD),  # its dice add no cheese to the wheel (M96)
        ("pounces", _WORD),
        ("chases", _WORD),
        ("move_dice", _WORD),
        ("steals", _WORD),  # cheese for each unblocked hit, 0 = wounds
        ("steals_for_wheel", _WORD),
        ("poisons", _WORD),
        ("stuns", _WORD),
        ("webs", _WORD),
        ("cannot_be_blocked", _WORD),
        ("doubles_shields", _WORD),  # those with a star
        ("summons", _WORD),  # how many minions as its card's turn begins, 0 = none
        ("summoned", _WORD),  # of which type
        ("aggressive", _WORD),
        ("attacks_by_cheese", _WORD),  # one more attack for each cheese rolled
        ("rat", _WORD),  # tagged so (M134)
        ("disguised_from", _WORD),  # not placed when Disguises are used (M117, S6)
        ("roach", _WORD),  # leaves for a grape, and eats from the counter (M128)
    ],
    align=True,
)
ABILITY = np.dtype(
    [
        ("words", _WORD),  # -1 for any hero
        ("cost", _WORD, (HEROES,)),  # by user
        ("cost_most", _WORD),
        ("timing", _WORD),
        ("first_effect", _WORD),
        ("n_effects", _WORD),
    ],
    align=True,
)
CARD = np.dtype(
    [
        ("type", _WORD),  # words.WEAPON …
        ("count", _WORD),
        ("words", _WORD),  # 0 = anybody
        ("lore", _WORD),  # required
        ("slot", _WORD),  # words.HEAD …, -1 = cannot be equipped
        ("paws", _WORD),
        ("attack", _WORD),  # 0, words.MELEE or words.RANGED
        ("knife", _WORD),
        ("timing", _WORD),  # of tricks, scrolls and items; else -1
        ("token", _WORD),  # of party cards, else -1
        ("first_effect", _WORD),
        ("n_effects", _WORD),
        # Gear, all effects added up.
        ("battle", _WORD),  # of a weapon: dice of its own attacks
        ("defense", _WORD),
        ("move", _WORD),
        ("adds_lore", _WORD),
        ("battle_elsewhere", _WORD),  # target in another space
        ("battle_vs_large", _WORD),
        ("battle_per_wounded", _WORD),
        ("lower_defense", _WORD),  # of a target lower on the track; 0 or less
        ("melee_in_space", _WORD),  # 1: counts swords against the own space
        ("cheese_to_attacker", _WORD),
        ("cheese_wounds", _WORD),  # Toothpick
    ],
    align=True,
)
EFFECT = np.dtype(
    [
        ("op", _WORD),  # words.OP_BATTLE …
        ("amount", _WORD),  # what the operation counts by; words.ALL
        ("reach", _WORD),  # words.THIS_ATTACK …
        ("more", _WORD),  # see compile_facts.py
    ],
    align=True,
)
ENCOUNTER = np.dtype(
    [
        ("places", np.int64, (PAGES, MINIONS)),  # by page, from page 0
        ("surge", np.int64, (MINIONS,)),
        ("mousetraps", _WORD),
        ("ambush", _WORD),
    ],
    align=True,
)
LINK = np.dtype(
    [
        ("tile", _WORD),  # where it leads, -1 = there is no such link
        ("spaces", _WORD),  # mask: from where it is used
        ("arrival", _WORD),  # mask: where mice arrive
        ("near_arrival", _WORD),  # mask: neighbours of those
        ("requires", _WORD),  # words.FLIP_FREE …
        ("flip", _WORD),  # 1 = by turning the tile over
    ],
    align=True,
)
TILE = np.dtype(
    [
        ("n_spaces", _WORD),
        ("spaces", _WORD),  # masks of spaces
        ("water", _WORD),
        ("special", _WORD),  # special areas
        ("bordered", _WORD),  # special areas on a tile with red lines (M75)
        ("barred", _WORD),  # to minions (M129)
        ("traps", _WORD),  # where mousetraps go
        ("entries", _WORD),  # of minions
        ("near_entries", _WORD),  # their neighbours in the minion graph
        ("has_red_lines", _WORD),
        ("capacity", _WORD, (SPACES,)),
        ("near", _WORD, (SPACES,)),  # mask: listed edges, whatever they cost (M131)
        ("cheap", _WORD, (SPACES,)),  # mask: neighbours that a mouse enters at cost 1
        ("dear", _WORD, (SPACES,)),  # mask: at cost 3
        ("red", _WORD, (SPACES,)),  # mask: across a red line
        ("around", _WORD, (SPACES,)),  # mask: neighbours in the minion graph
        ("seen", _WORD, (SPACES,)),  # mask: spaces that see each other (M55)
        ("current", _WORD, (SPACES,)),  # where it leads, -1 = no current, SPACES = off the tile
        ("flows_from", _WORD, (SPACES,)),  # mask: spaces whose current leads here (M39)
        ("d0", np.int64, (SPACES, SPACES)),  # P1; SPACES = no way
        ("exit_distance", _WORD, (SPACES,)),  # of H (section 24), SPACES = no way
        ("searched_bit", _WORD),  # what a successful search marks (S11)
        ("route_place", _WORD),  # in the route, -1 = off it
        ("preset", _WORD),  # 1 = ``presets`` are placed instead of an encounter (M130)
        ("presets", _WORD, (MINIONS,)),
        ("own_surge", _WORD),  # 1 = ``surge`` comes in place of the face-up card's (M83)
        ("surge", _WORD, (MINIONS,)),
        ("counter_space", _WORD),  # where cheese lies (M128), -1 = nowhere
        ("counter_amount", _WORD),
        ("links", LINK, (LINKS,)),
        ("way_on", _WORD),  # link to the next room of the route (or back to it), -1 = none
    ],
    align=True,
)
#: Who plays a mouse; ``players/seats.py`` fills it.
PLAYER = np.dtype(
    [
        ("policy", _WORD),  # place in policies.POLICIES
        ("noise", _WORD),  # share of decisions taken as by `category`, of 2**32
        # Behind its colon: cheese on the wheel before which H does not explore, or play-outs.
        ("number", _WORD),
        ("weights", np.float64, (N_WEIGHTS,)),  # by weight_names.WEIGHTS
    ],
    align=True,
)
#: The record of all that is played with.
TABLE = np.dtype(
    [
        ("n_heroes", _WORD),
        ("n_minions", _WORD),
        ("n_rows", _WORD),  # of minions: their types, then the cards of bosses that have several
        ("n_abilities", _WORD),
        ("n_cards", _WORD),
        ("n_encounters", _WORD),  # in the deck
        ("n_tiles", _WORD),
        ("n_route", _WORD),
        ("n_mice", _WORD),
        ("n_parties", _WORD),
        ("parties", _WORD, (PARTIES, MICE)),  # from which one is drawn
        ("encounter_deck", _WORD, (ENCOUNTERS,)),
        ("page_start", _WORD),
        ("page_end", _WORD),
        ("wheel_size", _WORD),
        ("cheese_at_start", _WORD),
        ("last_round", _WORD),  # M116
        ("hand_limit", _WORD),  # M63
        ("level_cost", _WORD),  # M102
        ("start_tile", _WORD),
        ("start_spaces", _WORD),  # mask
        ("start_minions", _WORD, (MINIONS,)),
        ("start_explored", _WORD),
        ("win", _WORD),  # words.WIN_ON_SPACE …
        ("win_tile", _WORD),
        ("win_space", _WORD),
        ("win_without_minions", _WORD),
        # Switches: 0 is the rules' own way.
        ("continues_round", _WORD),  # S1
        ("surges_late", _WORD),  # S2
        ("staff_is_melee", _WORD),  # S3
        ("order_by_index", _WORD),  # S4
        ("unlimited_range", _WORD),  # S5
        ("trap_dice_lore", _WORD),  # S9
        ("goes_on_captured", _WORD),  # S10
        ("gear_removed", _WORD),  # S13
        ("gear_moves_at_once", _WORD),  # S15
        ("ignores_unseen", _WORD),  # S16
        ("places_together", _WORD),  # S17
        ("closes_goal", _WORD),  # S18
        ("picks_alike_once", _WORD),  # S19
        ("keeps_tail", _WORD),  # S20
        ("keeps_own_gear", _WORD),  # S21
        ("finds_friend_as_well", _WORD),  # S22
        ("faces", np.int64, (FACES,)),  # packed, see rules/dice.py
        ("token_cards", _WORD, (4,)),  # card that gives each token, -1 = none
        ("by_timing", _WORD, (32,)),  # mask of abilities by timing
        ("heroes", HERO, (HEROES,)),
        ("minions", MINION, (ROWS,)),
        ("abilities", ABILITY, (ABILITIES,)),
        ("cards", CARD, (CARDS,)),
        ("effects", EFFECT, (EFFECTS,)),
        ("encounters", ENCOUNTER, (ENCOUNTERS,)),
        ("tiles", TILE, (TILES,)),
        # For players: by how attacks hit (melee, ranged), attack dice, defense dice, life left; by
        # defense dice and hits; by mouse.
        ("attack_points", np.float64, (2, ATTACK_DICE, DEFENSE_DICE, LIFE)),
        ("blocks_at_most", np.float64, (DEFENSE_DICE, LIFE)),
        ("players", PLAYER, (MICE,)),
        # Games of one deal, one after another, and the first of them that has dice of its own.
        ("replays", _WORD),
        ("fresh_from", _WORD),
    ],
    align=True,
)


@frozen(eq=False)
class Table:
    """What is played: the record for kernels (``rows``, one of TABLE), and what it was made of.

    ``ids`` has the ids of ``heroes``, ``minions``, ``track`` (cards of minions), ``cards``,
    ``abilities``, ``encounters`` and ``tiles`` in the order of the record; ``spaces`` those of the
    spaces of each of these tiles.
    """

    rows: npt.NDArray[np.void]
    facts: Facts
    settings: Settings
    ids: Mapping[str, tuple[str, ...]]
    spaces: tuple[tuple[str, ...], ...]

    @property
    def n_mice(self) -> int:
        """How many mice the party has."""
        return int(self.rows[0]["n_mice"])
