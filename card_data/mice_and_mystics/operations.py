"""The operations of section 28 that effects are made of: each registered once, with its fields.

An operation has one or several forms.  A form says where it may stand, when it may be used, which
fields it has and what it does.  The reader, its messages and the reference page are made from this.
"""

from typing import Any

from attrs import frozen

from card_data.mice_and_mystics.facts import Effect
from card_data.mice_and_mystics.limits import NUMBER
from card_data.mice_and_mystics.words import OWN_TURN

#: Where an effect can stand, in words.
PLACES = {
    "innate": "the innate powers of a hero",
    "minion": "the abilities of a minion",
    "weapon": "a weapon",
    "gear": "armor or an accessory",
    "ability": "an ability card",
    "scroll": "a scroll or an item",
    "trick": "a trick",
    "event": "an event",
    "party": "a party item",
}
_WORN = ("weapon", "gear")


@frozen
class Number:
    """A field that holds a whole number, or one of ``words`` in its place."""

    name: str
    least: int
    most: int
    words: tuple[str, ...] = ()
    default: int | str | None = None

    @property
    def allowed(self) -> str:
        """What can stand there, in words."""
        number = f"a whole number from {self.least} to {self.most}"
        return " or ".join([*(f"'{word}'" for word in self.words), number])

    def accepts(self, value: Any) -> bool:
        """Whether a value can stand there."""
        if type(value) is int:
            return self.least <= value <= self.most
        return value in self.words


@frozen
class Choice:
    """A field that holds one of ``words``, which may be truth values."""

    name: str
    words: tuple[str | bool, ...]
    default: str | bool | None = None

    @property
    def allowed(self) -> str:
        """What can stand there, in words."""
        return " or ".join(str(word).lower() for word in self.words)

    def accepts(self, value: Any) -> bool:
        """Whether a value can stand there."""
        return any(value == word and type(value) is type(word) for word in self.words)


@frozen
class EntryId:
    """A field that holds the id of an entry, which ``of`` says the kind of."""

    name: str
    of: str
    default: None = None

    @property
    def allowed(self) -> str:
        """What can stand there, in words."""
        return f"the id of a {self.of}"

    def accepts(self, value: Any) -> bool:
        """Whether a value can stand there; whether there is such an entry is another question."""
        return isinstance(value, str)


OpField = Number | Choice | EntryId


def is_fixed(field: OpField) -> bool:
    """Whether a field can hold nothing but its default."""
    if isinstance(field, Number):
        return field.least == field.most == field.default
    return isinstance(field, Choice) and field.words == (field.default,)


@frozen
class Form:
    """One way to use an operation.

    ``timings`` are those of abilities and tricks with it, empty where nothing is timed.
    """

    places: tuple[str, ...]
    meaning: str
    fields: tuple[OpField, ...] = ()
    timings: tuple[str, ...] = ()

    @property
    def marks(self) -> tuple[Choice, ...]:
        """The fields that tell forms of one operation apart: those with a single word."""
        return tuple(
            field
            for field in self.fields
            if isinstance(field, Choice) and len(field.words) == 1 and field.default is None
        )


_DELTA = Number("delta", -NUMBER, NUMBER)
_BONUS = Number("delta", 1, NUMBER)
_AMOUNT = Number("amount", 1, NUMBER)
_HITS = Number("hits", 1, NUMBER)
_HERE = Choice("range", ("same_space",), "same_space")
_THIS = Choice("scope", ("this_attack",))
_ROUND = Choice("until", ("end_of_round",))
_NEXT = Choice("until", ("start_of_own_next_turn",))
_LORE = Choice("battle", ("lore",), "lore")
_FROM = ("wheel_then_supply", "supply")
_BEFORE = ("before_melee_attack", "before_ranged_attack")
_USED = ("ability", "scroll")


def _used(meaning: str, *fields: OpField, places: tuple[str, ...] = _USED) -> Form:
    """A form that is an entry in the menu of the own turn."""
    return Form(places, meaning, fields, OWN_TURN)


def _worn(meaning: str, *fields: OpField, places: tuple[str, ...] = ("weapon",)) -> Form:
    """A form that works while its card is equipped."""
    return Form(places, meaning, fields)


#: Every operation with its forms, in the order of section 28.
OPERATIONS: dict[str, tuple[Form, ...]] = {
    "battle": (
        _worn("`delta` more dice in attacks with this weapon", _DELTA),
        _worn("`delta` more dice in every weapon attack", _DELTA, places=("gear",)),
        Form(("ability",), "`delta` more dice in this attack", (_DELTA, _THIS), _BEFORE),
        _used(
            "`delta` more dice in weapon attacks of all other mice",
            *(_BONUS, Choice("scope", ("other_mice_on_tile",)), _ROUND),
            places=("ability",),
        ),
        _used("`delta` more dice in the user's weapon attacks", _BONUS, _ROUND, places=("scroll",)),
    ),
    "battle_multiply": (
        Form(
            ("ability",),
            "all dice of this attack, after additions, times `factor`",
            (Number("factor", 2, 4), _THIS),
            _BEFORE,
        ),
    ),
    "defense": (
        _worn("`delta` more dice of defense", _DELTA, places=_WORN),
        Form(
            ("ability", "trick"),
            "`delta` more dice in this roll of defense",
            (_BONUS, _THIS),
            ("when_defending",),
        ),
        _used(
            "`delta` more dice of defense for every mouse, the user included",
            *(_BONUS, Choice("scope", ("all_mice_on_tile",)), _NEXT),
            places=("ability",),
        ),
        _used("`delta` more dice of defense for the user", _BONUS, _ROUND, places=("scroll",)),
    ),
    "move": (_worn("`delta` more move", _DELTA, places=_WORN),),
    "lore": (_worn("`delta` more lore", _DELTA, places=_WORN),),
    "target_defense": (
        Form(
            ("ability",),
            "`delta` more dice of defense for the target of this attack; less than 0 takes them",
            (_DELTA, _THIS),
            _BEFORE,
        ),
        Form(
            ("ability",),
            "`delta` more dice of defense for the figure that is attacked, until the end of the"
            " round; less than 0 takes them",
            (_DELTA, Choice("scope", ("one_minion_until_end_of_round",))),
            ("before_any_mouse_attack",),
        ),
    ),
    "target_defense_if_lower_on_track": (
        _worn(
            "`delta` more dice of defense for the target, if its card is lower on the track; less"
            " than 0 takes them",
            _DELTA,
        ),
    ),
    "battle_if_target_other_space": (
        _worn("`delta` more dice if the target is in another space", _DELTA),
    ),
    "battle_vs_large": (_worn("`delta` more dice if the target is large", _DELTA),),
    "battle_per_other_wounded_mouse_same_space": (
        _worn("`delta` more dice for each other wounded mouse in the attacker's space", _DELTA),
    ),
    "melee_when_same_space": (_worn("counts swords, not bows, against a target in its space"),),
    "defender_cheese_to_attacker": (
        _worn("cheese that the target rolls in defense goes to the attacker"),
    ),
    "cheese_in_defense_may_wound_attacker": (
        _worn("cheese rolled in defense may wound an attacker nearby instead of being gained"),
    ),
    "heal": (
        _used(
            "`amount` normal wounds of a mouse in the user's space, or of each, are healed",
            *(Number("amount", 1, NUMBER, ("all",)), _HERE),
            Choice("targets", ("one", "each"), "one"),
        ),
        Form(
            ("innate",),
            "an action that heals `amount` normal wounds of a mouse in the hero's space",
            (
                *(Number("amount", 1, NUMBER, ("all",)), _HERE),
                *(Choice("timing", ("action",), "action"), Number("cost", 0, 0, (), 0)),
            ),
        ),
    ),
    "cure_poison_or_status": (
        _used(
            "for each cheese, one poison wound or status of a mouse in the user's space goes",
            *(Number("per_cheese", 1, 1, (), 1), _HERE),
            places=("ability",),
        ),
    ),
    "attack_once_per_equipped": (
        _used(
            "one attack with each equipped card that has the tag",
            Choice("item_tag", ("knife",)),
            places=("ability",),
        ),
    ),
    "melee_attack": (
        Form(
            ("ability",),
            "one more melee attack",
            (Choice("target", ("same_or_adjacent",), "same_or_adjacent"),),
            ("after_melee_kill",),
        ),
    ),
    "ranged_attack": (
        Form(
            ("ability",),
            "a ranged attack on a figure that has just been placed",
            (Choice("target", ("just_placed",), "just_placed"),),
            ("when_minions_placed",),
        ),
    ),
    "magic_ranged_attack": (
        _used(
            "a ranged attack with lore dice, on a figure that need not be seen",
            *(_LORE, Choice("ignore_los", (True, False), False)),
            places=("ability",),
        ),
    ),
    "magic_attack_all": (
        _used(
            "one roll of lore dice against every figure in a space",
            *(Choice("target", ("minions_in_one_space",), "minions_in_one_space"), _LORE),
            places=("ability",),
        ),
    ),
    "magic_attack_each": (
        _used(
            "an attack with `battle` dice on each of up to lore figures",
            *(Choice("max_targets", ("lore",), "lore"), Number("battle", 1, NUMBER)),
            places=("ability",),
        ),
    ),
    "magic_hits": (
        _used(
            "a figure that is seen defends against `hits` hits",
            *(_HITS, Choice("target", ("minion_on_tile",), "minion_on_tile")),
        ),
    ),
    "draw_keep": (
        Form(
            ("ability",),
            "draw `draw` cards instead of one and keep one",
            (Number("draw", 2, NUMBER), Number("keep", 1, 1, (), 1)),
            ("on_successful_search",),
        ),
        _used(
            "draw `draw` cards and keep one",
            *(Number("draw", 1, NUMBER), Number("keep", 1, 1, (), 1)),
            places=("scroll",),
        ),
    ),
    "search_dice": (
        Form(("ability",), "`delta` more dice in this search", (_BONUS,), ("search",)),
    ),
    "extra_move": (_used("roll and move at once"),),
    "extra_action": (
        Form(("ability", "trick"), "one more action this turn", (), ("no_action_left",)),
    ),
    "party_may_pay_for_action": (
        _used(
            "until the end of the round every mouse may pay `cheese` cheese for one more action",
            *(Number("cheese", 0, NUMBER), Number("times_per_mouse", 1, 1, (), 1)),
            Choice("until", ("end_of_round",), "end_of_round"),
            places=("ability",),
        ),
    ),
    "other_mouse_acts": (
        _used(
            "another mouse on the tile takes an action at once",
            Choice("action", ("any_one",), "any_one"),
            Choice("range", ("same_tile",), "same_tile"),
            places=("ability",),
        ),
    ),
    "prevent_wounds": (
        Form(("ability",), "`amount` wounds are not placed", (_AMOUNT,), ("when_wounded",)),
    ),
    "redirect_attack_to_self": (
        Form(
            ("ability",),
            "the user is attacked instead",
            (),
            ("when_mouse_in_same_space_attacked",),
        ),
    ),
    "cancel_attack": (Form(("trick",), "the attack is over", (), ("when_attacked",)),),
    "reroll_own_attack": (
        Form(("trick",), "all dice of the attack are rolled again", (), ("after_attack_roll",)),
    ),
    "knock_down": (
        _used(
            "all small figures in the user's space fall",
            Choice("target", ("small_minions_same_space",), "small_minions_same_space"),
            places=("ability",),
        ),
    ),
    "place_trap_on_space": (
        _used(
            "the next minion that steps into the user's space defends against `hits` hits",
            *(_HERE, _HITS),
            places=("ability",),
        ),
    ),
    "untargetable": (
        _used(
            "minions ignore the user",
            Choice("until", ("start_of_own_next_turn",), "start_of_own_next_turn"),
            places=("ability",),
        ),
    ),
    "cross_red_lines": (
        _used("the user may cross red lines", Choice("until", ("end_of_turn",), "end_of_turn")),
    ),
    "move_to_any_space_on_tile": (_used("the user is put on another space of the tile"),),
    "minion_type_skips_turn": (
        _used("the next turn of a minion card is lost", Number("times", 1, 1, (), 1)),
    ),
    "mouse_missing_until_search": (
        Form(("event",), "another mouse is missing until a search succeeds (M126)"),
    ),
    "party_token": (
        Form(
            ("party",),
            "section 28 of the rules says what the token does",
            (Choice("token", ("disguises", "fish_hook", "grape", "catnip")),),
        ),
    ),
    "cheese": (
        Form(
            ("event",),
            "`amount` cheese for the searcher, or on the wheel",
            (Choice("to", ("searcher", "wheel")), _AMOUNT),
        ),
    ),
    "wound": (
        Form(
            ("event",),
            "`amount` wounds that cannot be defended",
            (Choice("to", ("searcher",), "searcher"), _AMOUNT),
        ),
    ),
    "pilfer": (
        Form(
            ("innate",),
            "`cheese` cheese for each minion that the hero defeats (M134)",
            (
                Choice("on", ("defeat_minion",), "defeat_minion"),
                Number("cheese", 1, NUMBER),
                Choice("rat_takes_from", _FROM, "wheel_then_supply"),
                Choice("other_takes_from", _FROM, "supply"),
            ),
        ),
    ),
    "extra_paw_slot": (
        Form(
            ("innate",),
            "one copy of that card uses no paw (M64)",
            (EntryId("only", "search card"),),
        ),
    ),
    "immune_mousetrap": (Form(("innate",), "mousetraps are ignored (M44)"),),
    "may_search_for_party_item": (
        Form(("innate",), "a successful search may take a party item (M133)"),
    ),
    "steal_cheese": (
        Form(
            ("minion",),
            "each unblocked hit takes `per_wound` cheese if there is any, else it wounds",
            (
                Number("per_wound", 1, NUMBER),
                Choice("to", ("supply", "wheel")),
                Choice("fallback", ("wound",), "wound"),
            ),
        ),
    ),
    "poison_wounds": (Form(("minion",), "its wounds are poison (M110)"),),
    "on_wound_status": (
        Form(
            ("minion",),
            "a wound also gives this status (M108, M109)",
            (Choice("status", ("stunned", "webbed")),),
        ),
    ),
    "aggressive": (Form(("minion",), "its card climbs the track (M18)"),),
    "cheese_rolled_attacking_is_extra_attack": (
        Form(("minion",), "one more attack for each cheese it rolls attacking"),
    ),
    "pounce": (
        Form(
            ("minion",),
            "a token goes to the space with most figures and attacks all there (M97)",
        ),
    ),
    "chase": (
        Form(
            ("minion",),
            "a token runs to mouse after mouse and attacks all in its spaces (M98)",
        ),
    ),
    "summon": (
        Form(
            ("minion",),
            "as its card's turn begins, `count` minions of a type are placed (M74)",
            (EntryId("minion", "minion"), Number("count", 1, NUMBER)),
        ),
    ),
    "target_cannot_defend": (Form(("minion",), "its victim rolls no defense"),),
    "star_shields_block_two": (
        Form(("minion",), "in its defense a shield with a star blocks two hits"),
    ),
}


def form_of(effect: Effect, place: str) -> Form:
    """The form of its operation that an effect has, in one of `PLACES`."""
    return next(
        form
        for form in OPERATIONS[effect.op]
        if place in form.places and all(effect.get(mark.name) in mark.words for mark in form.marks)
    )
