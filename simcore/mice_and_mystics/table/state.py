"""The state of one game: a flat record that a search can copy.

All numbers are int64, so that each kernel is compiled once; -1 stands for "none".  Masks are sets
as bits (``masks.py``): of mice by party index, of figures, of spaces, of cards of the track.

A *card of the track* is a number: 0 … MICE - 1 the mice by party index, MICE + m the card of
minions of type m, where greedy roaches share the card of roaches.  Behind the types come the cards
of bosses that have several.

The counters are in a record of their own (``records.py``), which a search does not copy.
"""

import numpy as np

from simcore.mice_and_mystics.table.limits import (
    COPIES,
    ENCOUNTERS,
    FIGURES,
    FRAME_WORDS,
    FRAMES,
    MICE,
    MINIONS,
    OPTIONS,
    PACK,
    ROWS,
    SCRIPTED,
    SLOTS,
    SPACES,
    TILES,
    TRACK,
)
from simcore.random_streams import CHANCE, CHOICE

#: The two streams of a game (purposes of `simcore.random_streams`): everything that happens, and
#: what players decide.
LUCK, CHOICES = np.int64(CHANCE), np.int64(CHOICE)

_WORD = np.int64

_GAME = [
    ("streams", np.uint64, (CHOICE + 1, 2)),
    ("outcome", _WORD),  # words.WIN …, 0 = the game goes on
    ("unknown", _WORD),  # what no kernel performs, see unknown_words.py; 0 = nothing
    ("page", _WORD),
    ("wheel", _WORD),
    ("round", _WORD),
    ("tile", _WORD),  # number in the table, as all tiles here
    ("explored", _WORD),  # mask of tiles
    ("entered", _WORD),  # mask of tiles: the same and the first room, explored or not
    ("route_depth", _WORD),
    ("face_up", _WORD),  # encounter card, -1 = none
    ("greedy", _WORD),  # type that figures of the card it shares have now turned into, -1 = none
    ("mousetraps", _WORD),  # mask of spaces (M42)
    ("set_traps", _WORD),  # mask of spaces with a trap of `place_trap_on_space`
    ("set_trap_owner", _WORD, (SPACES,)),  # mouse
    ("set_trap_hits", _WORD, (SPACES,)),
    ("counter", _WORD, (TILES,)),  # cheese that lies there (M128)
    ("tokens", _WORD, (4,)),  # words.DISGUISE …
]
_DECKS = [
    # Cards deck[first … end - 1], the top first; discards in order of discarding.
    ("deck_first", _WORD),
    ("deck_end", _WORD),
    ("n_discards", _WORD),
    ("events_first", _WORD),  # the encounter deck
    ("events_end", _WORD),
    ("n_events_discarded", _WORD),
]
_TRACK = [
    ("n_track", _WORD),
    ("track", _WORD, (TRACK,)),  # cards, from the top
    ("acted", _WORD),  # mask of cards that have acted this round
    ("acting", _WORD),  # the card whose turn it is, -1 between turns
    ("slowed", _WORD),  # mask of cards that lose their next turn
    ("boss_cards", _WORD),  # mask of the cards in play of bosses that have several
    ("card_damage", _WORD, (ROWS,)),  # wounds of those
]
_FIGURES = [
    ("figures", _WORD),  # mask: on the tile
    ("knocked", _WORD),  # mask: knocked down
    ("tokens_there", _WORD),  # mask: on the tile, but no figure for spaces and movement (M35)
    ("type", _WORD, (FIGURES,)),
    ("figure_space", _WORD, (FIGURES,)),
    ("damage", _WORD, (FIGURES,)),  # wounds
    ("weakened", _WORD, (FIGURES,)),  # change of its defense until end of round
    ("of_type", _WORD, (MINIONS,)),  # figures of each type on the tile
    ("just_placed", _WORD),  # mask: by the encounter or surge that is being settled
]
_SPACES = [
    # What stands where, kept up by rules/figures.py.
    ("load", _WORD, (SPACES,)),  # small figures that it counts as (M31)
    ("mice_at", _WORD, (SPACES,)),  # mask of mice
    ("minions_at", _WORD, (SPACES,)),  # mask of figures
    ("full", _WORD),  # mask of spaces: no small figure can enter
    ("with_mice", _WORD),  # mask of spaces
    ("with_minions", _WORD),
]
_MICE = [
    ("active", _WORD),  # mask: neither captured nor missing; these have a figure on the tile
    ("captured", _WORD),  # masks
    ("missing", _WORD),
    ("stunned", _WORD),
    ("webbed", _WORD),
    ("down", _WORD),
    ("hero", _WORD, (MICE,)),  # -1 = the party has fewer mice
    ("space", _WORD, (MICE,)),  # -1 = no figure
    ("wounds", _WORD, (MICE,)),
    ("poison", _WORD, (MICE,)),
    ("cheese", _WORD, (MICE,)),
    ("abilities", _WORD, (MICE,)),  # mask
    ("searched", _WORD, (MICE,)),  # mask of tiles, or of physical tiles by S11
    ("slots", _WORD, (MICE, SLOTS)),  # card, words.EMPTY or words.TAKEN
    # The pack: cards by rising index; ``n_pack`` of them, ``n_things`` of which are no tricks.
    ("n_pack", _WORD, (MICE,)),
    ("n_things", _WORD, (MICE,)),
    ("trick_timings", _WORD, (MICE,)),  # mask of timings of tricks in the pack
    # What equipped gear adds, weapons left out; kept up by rules/gear.py.
    ("gear_battle", _WORD, (MICE,)),
    ("gear_defense", _WORD, (MICE,)),
    ("gear_move", _WORD, (MICE,)),
    ("gear_lore", _WORD, (MICE,)),
]
_EFFECTS = [
    ("used_ability", _WORD),  # mask of mice, since a card began its turn (M26)
    # Until end of round.
    ("round_battle", _WORD, (MICE,)),  # dice of weapon attacks of this mouse (scroll)
    ("round_defense", _WORD, (MICE,)),
    ("leads", _WORD, (MICE,)),  # dice that this mouse gives to weapon attacks of the others
    ("pay_cost", _WORD),  # cheese for one more action (inspire), -1 = not offered
    ("pay_times", _WORD),  # how often each mouse may pay
    ("paid", _WORD, (MICE,)),  # how often it has paid
    # Until the start of the user's next turn.
    ("fortifies", _WORD, (MICE,)),  # dice that this mouse gives to the defense of all mice
    ("invisible", _WORD),  # mask
    # Until end of turn.
    ("crossing", _WORD),  # mask: may cross red lines
]
_TURN = [
    ("moved", _WORD),  # the mouse has moved
    ("actions", _WORD),  # left
    ("entries", _WORD),  # of D1 that have been taken this turn
    ("rolled", _WORD),  # number of its movement die
    ("allowance", _WORD),  # for the move of the turn
    ("free_used", _WORD),  # bits: 1 share, 2 equip, 4 level up
    ("turn_over", _WORD),  # nothing more is asked at D1
    ("attacked", _WORD),  # mask of mice that the figures of this card have attacked this turn
    ("to_act", _WORD),  # mask of figures of the card that have been there since its turn began
    ("n_order", _WORD),  # figures of the card, in order
    ("next_in_order", _WORD),
    ("order", _WORD, (FIGURES,)),
]
_STACK = [
    ("depth", _WORD),
    ("result", _WORD),  # what the activity that has just ended tells the one below
    ("frame", _WORD, (FRAMES, FRAME_WORDS)),  # see rules/stack.py
]
_DECISION = [
    ("n_options", _WORD),  # 0 = the machine goes on by itself
    ("point", _WORD),  # words.D1 …
    ("decider", _WORD),  # mouse
    ("picked", _WORD),  # the option that was taken last
    ("n_scripted", _WORD),  # dice fixed in advance that are left
    ("next_scripted", _WORD),
]
_CARDS = [
    ("deck", np.uint8, (COPIES,)),
    ("discards", np.uint8, (COPIES,)),
    ("events", np.uint8, (ENCOUNTERS,)),
    ("events_discarded", np.uint8, (ENCOUNTERS,)),
    ("pack", np.uint8, (MICE, PACK)),
]
# Not copied by a search.
_OPTIONS = [
    ("options", _WORD, (OPTIONS,)),  # see rules/options.py
    ("points", np.float64, (OPTIONS,)),  # what a player thinks of them
    ("scripted", _WORD, (SCRIPTED,)),  # faces
    ("pauses", _WORD),  # 1 = the machine stops after each step, for who tells a game
    # Work space.
    ("to_place", _WORD, (MINIONS,)),  # minions by type
    ("ring", _WORD, (SPACES + 1,)),  # masks of spaces by steps from a goal
    ("cost", _WORD, (SPACES,)),  # of a way to each space, -1 = none
    ("trapped", _WORD, (SPACES,)),  # traps on that way
    ("way", _WORD, (SPACES,)),  # the space before
]

GAME_STATE = np.dtype(
    [
        *(*_GAME, *_DECKS, *_TRACK, *_FIGURES, *_SPACES, *_MICE, *_EFFECTS, *_TURN, *_STACK),
        *(*_DECISION, *_CARDS, *_OPTIONS),
    ],
    align=True,
)
#: Bytes of it that make up a game; the rest is written before it is read.
GAME_BYTES = np.int64(GAME_STATE.fields["options"][1])  # type: ignore[index]
