"""The state of one game: a small flat record that a search can copy in tens of nanoseconds.

Zones are masks over slots (``masks.py``): a card sits in exactly one of hand, draw pile, discard
pile, play area or ``limbo``.  A draw pile is drawn in ascending slot order, because slots are dealt
in draw order.  ``(2,)`` fields are indexed by player.
"""

from enum import IntEnum

import numpy as np

from simcore.mindbug.table.records import DEALT, UNUSED
from simcore.random_streams import CHOICE

MAX_SLOTS = DEALT + UNUSED
MAX_POOL = 2048  # cards, copies counted
MAX_WAITING = MAX_SLOTS  # every creature can wait with one trigger
MAX_POWER_CARDS = 64
MAX_TURN_RULES = 32  # groups that have something "this turn"
MAX_OPTIONS = 3 * MAX_SLOTS  # a turn action names cards, attackers and Action abilities
MAX_NESTED = 8  # effects inside effects, attacks inside attacks

# Traits of a card, one mask over slots each.  The five keywords come first, in Keyword order; a
# pool without cards of a later byte of eight traits does not deal it.
FRENZY, HUNTER, POISONOUS, SNEAKY, TOUGH = range(5)
N_KEYWORDS = 5
HAS_PLAY, HAS_ATTACK, HAS_DEFEATED = range(5, 8)
CHANGES_POWER = 8  # layer L2 of R85
GRANTS_KEYWORDS = 9  # L3
COPIES_KEYWORDS = 10  # L4
GIVES = 11  # GIVES + Keyword: may grant or copy that keyword
STOPS_ATTACKS = 16  # "cannot attack" (L5)
STOPS_BLOCKS = 17  # "cannot block" (L5)
STOPS_BLOCKS_OF_THIS = 18  # "cannot block this" (L5)
STOPS_PLAY_EFFECTS = 19  # R90
TIMED = 20  # changes power or keywords during one player's turns
VOLATILE = 21  # changes power or keywords on a condition on life or on cards outside play
GIVES_TO_OTHERS = 22  # grants or copies keywords to other creatures than itself
FIRST_LATER_TRAIT = 24  # from here on the plain engine knows none, see expansion_features.py
HAS_ACTION, HAS_DISCARDED, HAS_END_OF_TURN, HAS_MINDBUG_USED = range(24, 28)
HAS_LIFE_LOST, HAS_EXHAUSTED = range(28, 30)
IN_DISCARD = 30  # has constant abilities that work in a discard pile (R106)
HAS_DICE = 31
CANNOT_BE_DEFEATED = 32  # R97
EVOLVES_INSTEAD = 33  # C43
CHOOSES_BLOCKERS = 34  # "only ... can block this"
LIMITS_HUNTS = 35  # C37
MUST_BE_HUNTED = 36  # C20
REVERSES_FIGHTS = 37  # C19
GRANTS_ATTACK = 38  # C60
ADDS_LOSS = 39  # R91
KEEPS_LIFE = 40  # C52
STOPS_HANDS = 41  # C44
STOPS_PLAYS = 42  # C48
STOPS_MINDBUGS = 43  # C46
ADDS_DICE = 44  # C39
ADDS_REROLLS = 45  # C38
ENDS_OWN_TURN = 46  # has an end-of-turn ability of its controller's own turn (C57)
N_TRAITS = 48
#: Trait "has an ability with this trigger", in Trigger order.
TRIGGER_TRAIT = (
    HAS_PLAY,
    HAS_ATTACK,
    HAS_DEFEATED,
    HAS_ACTION,
    HAS_DISCARDED,
    HAS_END_OF_TURN,
    HAS_MINDBUG_USED,
    HAS_LIFE_LOST,
    HAS_EXHAUSTED,
)

# Bits of ``stale``.
STALE_POWERS, STALE_KEYWORDS = 1, 2
STALE = STALE_POWERS | STALE_KEYWORDS


class Phase(IntEnum):
    """Where the machine stands; ``turn._run`` performs the phases one after another."""

    PAUSE = -1
    OVER = 0
    ACTION = 1
    PLAY = 2
    ENTER = 3
    DECLARE = 4
    HUNT = 5
    BLOCK = 6
    COMBAT = 7
    FRENZY = 8
    ACTION_DONE = 9
    QUEUE = 10
    EFFECT = 11
    START_TURN = 12
    BUY = 13
    BUY_DONE = 14
    ROLL = 15
    REROLL = 16
    DIE = 17
    STRIKE = 18
    ATTACK_TRIGGERS = 19
    REACT = 20
    END_TURN = 21
    NEXT_TURN = 22
    FORCED_DONE = 23


class Decision(IntEnum):
    """The decision points D1 … of the rules text; NONE while the machine can go on by itself."""

    NONE = 0
    ACTION = 1
    MINDBUG = 2
    HUNT = 3
    BLOCK = 4
    SECOND_ATTACK = 5
    TARGET = 6
    TARGETS = 7
    UP_TO = 8
    MAY = 9
    DISCARD = 10
    ORDER = 11
    MODE = 12
    KEYWORD = 13
    BOOST = 14
    BUY = 15
    REROLL = 16
    DICE_ORDER = 17


class Named(IntEnum):
    """What the bits of ``options`` stand for."""

    SLOT = 0
    PLACE = 1  # in the queue of triggers
    POWER_CARD = 2
    PLAYER = 3
    MODE = 4
    KEYWORD = 5
    PAIR = 6  # of creatures: numbers of the pairs of ``fitting``, see general_choices._pair
    PLAY_OR_KEEP = 7
    DIE = 8


GAME_STATE = np.dtype(
    [
        ("streams", np.uint64, (CHOICE + 2, 2)),  # see random_streams.py
        ("hand", np.uint64, (2,)),
        ("draw_pile", np.uint64, (2,)),
        ("discard_pile", np.uint64, (2,)),
        ("play_area", np.uint64, (2,)),
        ("at_work_in_piles", np.uint64),  # cards in discard piles whose abilities work there (R106)
        ("limbo", np.uint64),  # cards in no zone: one being played or given (R34, C15)
        ("unused", np.uint64),  # the unused pile, the lowest slot on top (R8)
        ("face_down", np.uint64),  # cards of it that have not been looked up, see unused_pile.py
        ("dealt_at", np.uint64),  # address of the state that knows these, 0 = this one
        ("boosts", np.uint64),  # boost cards, under the creatures ``host`` (R103)
        ("set_aside", np.uint64),  # C53
        ("set_aside_from", np.uint64, (2,)),  # (player) who controlled them
        ("fallen", np.uint64),  # cards in a discard pile that fell from under ``host`` (R104)
        ("exhausted", np.uint64),
        ("attacked", np.uint64),  # creatures that attacked this turn (R74)
        ("blocked", np.uint64),  # creatures that blocked this turn (C47)
        ("victors", np.uint64),  # creatures that defeated an enemy in a fight this turn (C56)
        ("undefeatable", np.uint64),  # creatures that cannot be defeated this turn (R97)
        ("no_block", np.uint64),  # creatures that cannot block this turn
        ("no_attack", np.uint64),  # creatures that cannot attack this turn
        ("grown", np.uint64),  # creatures with ``growth``
        ("evolved", np.uint64),  # creatures whose ``card`` is not the one in the deck (R102)
        ("turned", np.uint64),  # creatures just exhausted that do something about it (C45)
        ("turn_keyword", np.uint64, (N_KEYWORDS,)),  # creatures that have it this turn
        ("turn_gives", np.uint64, (N_KEYWORDS,)),  # not 0 if anything may have it this turn
        ("options", np.uint64),  # what the decision offers, see ``named``
        ("action_options", np.uint64),  # ACTION only: creatures with a legal Action (R99)
        ("attack_options", np.uint64),  # ACTION only: creatures that may attack
        ("fitting", np.uint64),  # slots that the running instruction may affect
        ("chosen", np.uint64),  # slots picked so far for the running instruction
        ("modified", np.int64),  # whether a ``power`` may not be the printed one
        ("keyword", np.uint64, (N_KEYWORDS,)),  # current keywords, see groups._known
        ("trait", np.uint64, (N_TRAITS,)),  # printed traits of all slots
        ("after_queue", np.int64),  # phase that follows when no trigger waits
        ("phase", np.int16),  # these four are mostly constants, written as one word
        ("decision", np.int16),
        ("named", np.int16),  # a Named: what ``options`` are
        ("fixed_options", np.int16),  # leading options that name no card: refuse, use, stop …
        ("decider", np.int64),
        ("n_options", np.int64),
        ("active", np.int64),
        ("attacking", np.int64),  # player who declared the attack: not the active one in R76
        ("this_turn", np.int64),  # whether anything given lasts this turn (R25)
        ("owed", np.int64),  # players, as bits, whom a card has kept from drawing (C44)
        ("fought", np.int64),  # whether ``blocked`` or ``victors`` are remembered this turn
        ("stale", np.int64),  # STALE_… : must be recalculated before they are read (R84)
        ("mindbugged", np.int64),  # the card in limbo was taken with a Mindbug
        ("extra", np.int64),  # extra turns or extra turn actions due (R37, R38)
        ("attacker", np.int64),  # slot, -1 = the attacker has left play (R64)
        ("blocker", np.int64),  # slot, -1 = not blocked
        ("may_repeat", np.int64),  # first attack of this turn, control never changed (R74, R75)
        ("waiting", np.int64),  # triggers in the queue
        ("queue_head", np.int64),
        ("batch", np.int64),  # number of the newest batch of triggers
        ("effects", np.int64),  # effects resolved this turn (R20)
        ("pc", np.int64),  # instruction being performed
        ("source", np.int64),  # slot of the source of the running effect
        ("source_object", np.int64),
        ("effect_player", np.int64),  # "you" of the running effect (R53)
        ("picks_left", np.int64),  # -1 = the running instruction has not been started
        ("picker", np.int64),  # player who picks for the running instruction
        ("pick_point", np.int64),  # Decision at which they do
        ("pick_named", np.int64),  # a Named
        ("stage", np.int64),  # how far an instruction with several decisions has come
        ("gathered", np.uint64),  # cards that an instruction has picked up so far
        ("to_boost", np.int64),  # cards that may still be picked for boosting
        ("boost_card", np.int64),  # the one picked last
        ("boost_host", np.int64),  # creature that all of them go under, -1 = chosen for each
        ("answer", np.int64),  # what was picked last
        ("repeats", np.int64),  # how often the instruction is still to be performed, -1 = unknown
        ("done", np.int64),  # 0 = the instruction before was not carried out (R48)
        ("discarded", np.int64),  # cards that the instruction before discarded (R51)
        ("keyword_named", np.int64),  # C35, -1 = none yet
        ("plain_dice", np.uint64),  # faces of plain dice (C55), 3 bits each, the last one lowest
        ("mindbug_user", np.int64),
        ("reactions", np.int64),  # batch of the reactions to a Mindbug (C62)
        ("after_effect", np.int64),  # phase that follows the running effect
        ("depth", np.int64),  # effects that wait for the running one
        ("n_forced", np.int64),  # creatures that have to attack, the first one next (R76)
        ("attacks_open", np.int64),  # attacks that wait for a forced one
        ("n_turn_rules", np.int64),  # groups that have something this turn (R26)
        ("more_dice", np.uint64, (2,)),  # creatures with at least one, two more dice this turn
        ("n_dice", np.int64),
        ("rerolls", np.int64),
        ("next_die", np.int64),  # dice applied so far
        ("dice", np.int64, (2,)),  # faces 0 to 5, see dice.FACES
        ("energy", np.int64, (2,)),
        ("display", np.uint64),  # power cards that can be bought
        ("power_discard", np.uint64),
        ("bought", np.uint64),  # power card whose effect and queue are being worked off (R110)
        ("power_deck_next", np.int64),  # place of the top card
        ("power_deck_size", np.int64),
        ("power_deck_known", np.int64),  # places of the deck, from the top, that are shuffled
        ("power_deck_address", np.uint64),  # of the random numbers of its places
        ("power_deck", np.uint8, (MAX_POWER_CARDS,)),
        ("life", np.int64, (2,)),
        ("mindbugs", np.int64, (2,)),
        ("winner", np.int64),  # -1 = none or draw
        ("ending", np.int64),  # records.Ending, -1 while the game runs
        ("turn", np.int64),
        ("last_turn", np.int64),  # after it the game is stopped (R20), in a search earlier
        ("first_player", np.int64),
        ("game", np.int64),
        ("decisions", np.int64),  # for the record from here on, see records.py
        ("attacks", np.int64),
        ("second_attacks", np.int64),
        ("hunts", np.int64),
        ("blocks", np.int64),
        ("defeats", np.int64),
        ("tough_saves", np.int64),
        ("actions", np.int64),
        ("boosted", np.int64),
        ("energy_gained", np.int64, (2,)),
        ("rolled", np.int64, (6,)),
        ("power_bought", np.uint64, (2,)),
        ("open_points", np.int64),
        ("unknown", np.int64),  # a word that no kernel performs, see unknown_words.py; 0 = none
        ("drawn", np.uint64),
        ("played", np.uint64, (2,)),
        ("taken", np.uint64, (2,)),
        ("defeated", np.uint64),
        ("power", np.int16, (MAX_SLOTS,)),  # current power of creatures in play
        ("printed", np.int16, (MAX_SLOTS,)),  # printed power
        ("object", np.uint8, (MAX_SLOTS,)),  # counts entries into play: a new object each (R5)
        ("growth", np.int16, (MAX_SLOTS,)),  # more power this turn
        ("host", np.uint8, (MAX_SLOTS,)),  # creature that a boost card lies under, or C53
        ("host_object", np.uint8, (MAX_SLOTS,)),
        ("card", np.uint16, (MAX_SLOTS,)),  # row of the card table: the face that is up
        ("best_stage", np.uint8, (DEALT,)),
        ("turn_played", np.int16, (DEALT,)),
        ("offers", np.uint8, (DEALT,)),
        ("thefts", np.uint8, (DEALT,)),
        # From here on what is empty most of the time: a search copies it where it is not.
        ("frame", np.int64, (MAX_NESTED, 11)),  # see call_stack._push
        ("forced", np.int64, (MAX_NESTED,)),  # their slots
        ("forced_object", np.int64, (MAX_NESTED,)),
        ("attack_frame", np.int64, (MAX_NESTED, 6)),  # see forced_attack.py
        ("turn_rule", np.int64, (MAX_TURN_RULES,)),  # row of the rule
        ("turn_rule_player", np.int64, (MAX_TURN_RULES,)),  # its "you"
        ("turn_rule_source", np.int64, (MAX_TURN_RULES,)),  # slot, for "other", -1 = none
        ("turn_rule_object", np.int64, (MAX_TURN_RULES,)),
        ("queue", np.uint64, (MAX_WAITING,)),  # ring of waiting triggers, packed by triggers.py
        # From here on what players note while they think (evaluation.py); a search does not copy
        # it.
        ("has", np.uint64, (N_KEYWORDS,)),  # current keywords
        ("gifted", np.uint64),  # creatures with keywords not printed
        ("free", np.uint64),  # creatures that nothing prevents from blocking altogether
        ("lost", np.int64, (2,)),  # (player) life that an unblocked attack takes
        ("life_points", np.float64, (2,)),  # (player) what that is worth
        ("value", np.float64, (MAX_SLOTS,)),  # what creatures in play are worth
        ("loss", np.float64, (MAX_SLOTS,)),  # what is lost with them in a fight
        ("might", np.float64, (MAX_SLOTS,)),  # what powers they defeat: their own, or any
        ("ace", np.int64),  # slot of an ally that wins with its next attack, -1 = none
        ("worst", np.int64),  # slot of the worst threatening attacker, -1 = none
        ("worst_points", np.float64),
        ("next_worst", np.float64),
        ("points", np.float64, (MAX_OPTIONS,)),  # of each option; NaN first: not compared
        # What is needed to look up cards of the unused pile: that of the game, or one imagined.
        ("pile", np.uint64),  # the slots of the pile when it was laid down
        ("pile_known", np.int64),  # places of it, from the top, that are shuffled
        ("unused_address", np.uint64),  # of the random numbers of its places
        ("taken_before", np.int64),  # cards that had left the pool when the pile was laid down
        ("pool_size", np.int64),
        ("pool", np.uint16, (MAX_POOL,)),  # card rows, shuffled as far as cards have been taken
    ],
    align=True,
)

assert GAME_STATE.fields is not None
#: Where begins, in bytes, what is empty most of the time, and what players note.
MOSTLY_EMPTY = np.int64(GAME_STATE.fields["frame"][1])
NOTES = np.int64(GAME_STATE.fields["has"][1])

#: Work space of the dealer, see new_game._new_game.
DEALING = np.dtype(
    [
        ("number", np.uint64, (MAX_SLOTS,)),  # random numbers of the cards dealt
        ("traits", np.uint8, (N_TRAITS // 8, MAX_SLOTS)),  # of each slot, eight by eight
    ],
    align=True,
)
