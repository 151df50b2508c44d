"""What a grammar cannot say: lines that have the right form and still mean nothing."""

from collections.abc import Collection, Iterator
from enum import Enum
from itertools import pairwise

from attrs import frozen

from card_data.mindbug.schema import MAX_NUMBER
from card_data.mindbug.vocabulary import Keyword
from card_data.phrases import CARDINAL, NUMBERS, Node

#: Instructions that one triggered ability may have, modes of one choice, conditions joined.
MAX_INSTRUCTIONS = 8
MAX_MODES = 4
MAX_CONDITIONS = 4


@frozen
class Problem:
    """Something wrong in a line; ``offset`` is the index of the offending character."""

    offset: int
    found: str
    message: str
    allowed: tuple[str, ...] = ()
    nearest: str = ""


class Source(Enum):
    """What the source of an ability is when the ability works."""

    CREATURE = "a creature in play"
    DEFEATED = "a creature that has just been defeated"
    EXHAUSTED = "a creature that is just becoming exhausted"
    DISCARD_PILE = "a card in a discard pile"
    POWER_CARD = "a power card"


def problems(tree: Node, source: Source) -> Iterator[Problem]:
    """Everything that is meaningless in a line of ``source``."""
    yield from _source_problems(tree, source)
    yield from _misplaced(tree)
    for node in tree.walk():
        yield from _layer_problems(node, tree)
        for check in _CHECKS:
            yield from check(node)


# ---------------------------------------------------------------- numbers, keywords, filters

#: The least and the greatest number, and those of a number that stands in a phrase.
_RANGES = {
    **dict.fromkeys(NUMBERS, (1, MAX_NUMBER)),
    CARDINAL: (0, MAX_NUMBER),
    "die_loop": (2, 6),
    "die_more": (2, 6),
}

#: Longer numbers are not shown whole.
_MOST_DIGITS = 60

#: The kind of a filter; of each kind there may be one.
_KINDS = {
    "power_filter": "power",
    "highest": "highest or lowest power",
    "lowest": "highest or lowest power",
    "within": "the power of the source",
    "less_than_this": "the power of the source",
    "same_power": "the same power",
    "equal_power": "equal power",
    "has_keyword": "keywords",
    "no_keyword": "keywords",
    "named": "keywords",
    "boosted": "boosts",
    "blocked": "blocks",
    "card_power": "power",
    "card_effect": "effects",
}
_KEYWORD_FILTERS = {"has_keyword", "no_keyword", "named"}
_POWER_FILTERS = {
    "power_filter", "highest", "lowest", "within", "less_than_this", "same_power", "equal_power",
}  # fmt: skip


def _number_problems(node: Node) -> Iterator[Problem]:
    numbers = [child for child in node.children if child.category in NUMBERS]
    wrong = False
    for number in numbers:
        least, most = _RANGES.get(node.data, _RANGES[number.data])
        if len(number.text) > 2 or not least <= int(number.text) <= most:
            wrong, shown = True, f"'{number.text}'"
            if len(number.text) > _MOST_DIGITS:
                shown = f"'{number.text[:9]}…' ({len(number.text):,} digits)"
            message = f"{shown} is not a number from {least} to {most}"
            yield Problem(number.start, number.text, message)
    if node.data == "power_between" and not wrong:
        least, most = (int(number.text) for number in numbers)
        if least > most:
            message = f"no power lies between {least} and {most}"
            yield Problem(numbers[0].start, numbers[0].text, message)


def _keyword_problems(node: Node) -> Iterator[Problem]:
    seen: set[str] = set()
    for child in node.children:
        if child.data in seen & set(Keyword.__members__):
            yield Problem(child.start, child.text, f"'{child.text}' is named twice")
        seen.add(child.data)


def _filter_problems(node: Node) -> Iterator[Problem]:
    if node.data not in ("all_filters", "all_card_filters"):
        return
    seen = set()
    for part in node.children:
        kind = _KINDS[part.data]
        if kind in seen:
            yield Problem(part.start, "", f"a second filter on {kind}; one is allowed")
        seen.add(kind)


# ---------------------------------------------------------------- what depends on what

#: Filters by which a rule would depend on its own outcome (R85): which, and why.
_LAYERS = {
    "power": (
        _POWER_FILTERS | _KEYWORD_FILTERS,
        "a power change cannot depend on power or keywords, which are worked out from it (R85, L2)",
    ),
    "given": (
        _KEYWORD_FILTERS,
        "given keywords cannot depend on keywords, which are worked out from them (R85, L3)",
    ),
    "copied": (
        _KEYWORD_FILTERS,
        "copied keywords cannot depend on keywords, which are worked out from them (R85, L4)",
    ),
}
_CONSTANT_LAYERS = {"change_power": "power", "give_keywords": "given", "copy_keywords": "copied"}
_TURN_LAYERS = {"power_this_turn": "power", "keywords_this_turn": "given"}


def _layer_problems(node: Node, tree: Node) -> Iterator[Problem]:
    """A constant rule depends on all of its line, one of this turn on the group it stands for."""
    scopes: list[Node] = []
    if node.data in _CONSTANT_LAYERS:
        filters, message = _LAYERS[_CONSTANT_LAYERS[node.data]]
        scopes = [tree]
    elif node.data in _TURN_LAYERS:
        filters, message = _LAYERS[_TURN_LAYERS[node.data]]
        scopes = list(node.find("standing"))
    for scope in scopes:
        for part in scope.walk():
            if part.data in filters:
                yield Problem(part.start, "", message)


# ---------------------------------------------------------------- what needs a creature

#: Alternatives that speak of the source as of a creature.
_NEEDS_CREATURE = {
    "this", "this_only", "this_standing", "boosted_this", "other", "another", "within",
    "less_than_this", "defeated_by_this",
    "become", "copy_keywords", "cannot_block_this", "only_block_this",
    "cannot_hunt", "must_hunt_this", "reverse_fight", "evolve_instead",
    "return_set_aside", "evolve_this", "return_this", "copy_play_effect", "play_boosts",
    "play_boosts_silently",
}  # fmt: skip

_NO_CREATURE = {
    Source.DISCARD_PILE: (
        "in a discard pile this card is not a creature: leave out 'this', 'other' and 'another'"
        " (R106)"
    ),
    Source.POWER_CARD: "a power card is not a creature: leave out 'this', 'other' and 'another'",
}

_GONE = (
    "this has left play by then, so nothing would happen (R55); 'play this' brings it back from"
    " the discard pile"
)

_AT_ONCE = "'exhausted' is performed in the middle of an event: only 'this becomes …' can be (C45)"


def _source_problems(tree: Node, of_line: Source) -> Iterator[Problem]:
    for node, source in _with_sources(tree, of_line):
        if source is Source.DEFEATED and node.data == "return_this":
            yield Problem(node.start, "", _GONE)
        if source in _NO_CREATURE and node.data in _NEEDS_CREATURE:
            yield Problem(node.start, "", _NO_CREATURE[source])
        if source is Source.EXHAUSTED and node.category == "effect" and node.data != "become":
            yield Problem(node.start, "", _AT_ONCE)
        if node.data == "play_this" and source not in (Source.DISCARD_PILE, Source.DEFEATED):
            message = "this card is in no discard pile then; 'play this' is for 'in_discard', "
            yield Problem(node.start, "", message + "'discarded' and 'defeated'")


def _with_sources(tree: Node, source: Source) -> Iterator[tuple[Node, Source]]:
    """Each part of a line with its source; of an Attack effect given to others the attacker is."""
    yield tree, source
    for child in tree.children:
        given = tree.data == "have_attack" and child.data == "triggered"
        yield from _with_sources(child, Source.CREATURE if given else source)


# ---------------------------------------------------------------- order and place

_DISCARDS = {
    "you_discard", "opponent_discards", "you_discard_random", "opponent_discards_random",
    "you_discard_whole", "opponent_discards_whole",
}  # fmt: skip
_LAST = {"choose_one": "'choose one'", "die_loop": "'as often as'"}

#: Words that mean something in some places only.
_PLACED = {
    "named": "no instruction before names a keyword; begin with 'name a keyword, then …' (C35)",
    "each_discarded": "the instruction before discards no cards",
    "equal_power": "this is for two chosen creatures: '2 creatures with equal power' (C31)",
}


def _order_problems(node: Node) -> Iterator[Problem]:
    instructions = node.children if node.data == "triggered" else []
    if len(instructions) > MAX_INSTRUCTIONS:
        message = f"an ability has at most {MAX_INSTRUCTIONS} instructions"
        yield Problem(instructions[MAX_INSTRUCTIONS].start, "", message)
    for before, after in pairwise(instructions):
        for part in _parts(before, _LAST):
            message = f"{_LAST[part.data]} has to be the last instruction of the line"
            yield Problem(after.start, "", message)


#: What a line names that "it" could be, besides the source.
_NAMES = ("creature", "several", "card_count", "random_cards")
_NAMING = ("play_given_card", "take_given_card", "take_boost")


def _it_problems(node: Node) -> Iterator[Problem]:
    """The word "it" where a creature or card that was named before could be meant."""
    named = False
    for instruction in node.children if node.data == "triggered" else []:
        for part in instruction.find("it") if named else ():
            message = "only the card itself can be meant, not what was named before: write 'this'"
            yield Problem(part.start, part.text, message)
        parts = instruction.walk()
        named |= any(part.category in _NAMES or part.data in _NAMING for part in parts)


def _and_problems(node: Node) -> Iterator[Problem]:
    """The word "and" where it leaves open whether an if or a may holds for what follows."""
    instructions = node.children if node.data == "triggered" else []
    for before, after in pairwise(instructions):
        if after.data != "and":
            continue
        for name, message in _OPEN.items():
            is_half = any(before.find(name)) and not any(after.find(name))
            if is_half or (name == "if_condition" and any(after.find("late_condition"))):
                yield Problem(after.start, "and", message)


#: What "and" leaves open behind an instruction that need not be performed.
_OPEN = {
    "may": "'and' leaves open whether 'may' is for both; write ', if you do, …', or ', then …' for"
    " what happens in any case",
    "if_condition": "'and' leaves open whether 'if' is for both; write it before each, or ', then"
    " …' for what happens in any case",
}


def _mode_problems(node: Node) -> Iterator[Problem]:
    if node.data == "choose_one" and len(node.children) > MAX_MODES:
        message = f"a choice has at most {MAX_MODES} modes"
        yield Problem(node.children[MAX_MODES].start, "", message)


def _condition_problems(node: Node) -> Iterator[Problem]:
    joined = node.data in ("all_conditions", "any_condition")
    if joined and len(node.children) > MAX_CONDITIONS:
        message = f"at most {MAX_CONDITIONS} conditions are joined"
        yield Problem(node.children[MAX_CONDITIONS].start, "", message)


def _turn_problems(node: Node) -> Iterator[Problem]:
    """Whose turn it is stands before a constant ability, but where it is one of several ways."""
    if node.data == "while_condition" and not any(node.find("any_condition")):
        for part in node.find("it_is_turn"):
            yield Problem(part.start, "", "begin the line with 'during …' instead")


def _misplaced(tree: Node) -> Iterator[Problem]:
    """Words of ``_PLACED`` that stand where they mean nothing."""
    placed = {id(part) for node in tree.walk() for part in _well_placed(node)}
    for node in tree.walk():
        if node.data in _PLACED and id(node) not in placed:
            yield Problem(node.start, "", _PLACED[node.data])


def _standing_problems(node: Node) -> Iterator[Problem]:
    if node.data == "standing":
        for part in node.find("named"):
            message = "what holds for a group cannot ask for a named keyword; choose creatures"
            yield Problem(part.start, "", message)


def _well_placed(node: Node) -> Iterator[Node]:
    """Words of ``_PLACED`` that mean something because they stand in this node."""
    if node.data == "exactly" and node.children[0].text.lstrip("0") == "2":
        yield from node.find("equal_power")
    elif node.data == "triggered":
        instructions = node.children
        for number, instruction in enumerate(instructions[1:], 1):
            if any(_parts(before, {"name_keyword"}) for before in instructions[:number]):
                yield from instruction.find("named")
            if any(_parts(instructions[number - 1], _DISCARDS)):
                yield from instruction.find("each_discarded")


# ---------------------------------------------------------------- sides and amounts

#: Whose creatures a word cannot be about, and why.
_SIDES: dict[str, tuple[Collection[str], str]] = {
    "take_control": (
        {"allied"},
        "you control allied creatures already; they are no legal targets (R45)",
    ),
    "give_control": (
        {"enemy"},
        "the opponent controls enemy creatures already; they are no legal targets",
    ),
    "trigger_play_effect": (
        {"enemy", "both"},
        "only the Play effect of 'an allied creature' can be triggered (C40)",
    ),
    "only_block_this": ({"allied"}, "allied creatures never block this"),
    "cannot_hunt": ({"allied"}, "allied creatures are never hunted by this"),
    "must_hunt_this": ({"allied"}, "allied creatures never hunt this"),
}


def _side_problems(node: Node) -> Iterator[Problem]:
    sides, message = _SIDES.get(node.data, (set(), ""))
    for part in _parts(node, sides):
        place = node if part.data == "both" else part
        yield Problem(place.start, "" if place is node else part.data, message)


def _hunt_problems(node: Node) -> Iterator[Problem]:
    if node.data == "cannot_hunt_others":
        message = "only the source can be kept from hunting: 'this cannot hunt …'"
        yield Problem(node.start, "", message)


def _amount_problems(node: Node) -> Iterator[Problem]:
    """Amounts that cannot be repeated, or of which nothing can be chosen."""
    if node.category != "effect":
        return
    if any(_parts(node, {"for_each"})):
        for part in _parts(node, {"all", "this_only", "any_cards", "up_to_cards"}):
            if part.data != "up_to_cards" or part.children[0].text == str(MAX_NUMBER):
                yield Problem(part.start, "", "'for each' needs a number of targets or cards")
    if node.data == "put_under_draw_pile" or any(_parts(node, {"draw_from_unused"})):
        for part in _parts(node, {"up_to_cards", "any_cards", "all_card_filters"}):
            message = "the top cards of the unused pile are taken: no filter, no 'up to' (R32)"
            yield Problem(part.start, "", message)


#: What is looked at in every part of a line.
_CHECKS = (
    _number_problems,
    _keyword_problems,
    _filter_problems,
    _order_problems,
    _it_problems,
    _and_problems,
    _mode_problems,
    _condition_problems,
    _turn_problems,
    _standing_problems,
    _side_problems,
    _hunt_problems,
    _amount_problems,
)

# ---------------------------------------------------------------- parts


def _parts(node: Node, names: Collection[str]) -> Iterator[Node]:
    """Parts of a node with one of the names, but none inside the filters of a group."""
    for child in node.children:
        if child.data in names:
            yield child
        if child.data != "all_filters":
            yield from _parts(child, names)
