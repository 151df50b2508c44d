"""What a grammar cannot say: lines that have the right form and still mean nothing."""

from collections.abc import Collection, Iterator
from enum import Enum
from itertools import pairwise

from attrs import frozen
from lark import Token, Tree

from card_data.mindbug.language.effect_words import EFFECT_WORDS
from card_data.mindbug.schema import MAX_NUMBER

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


_Node = Tree[Token]


def problems(tree: _Node, source: Source) -> Iterator[Problem]:
    """Everything that is meaningless in a line of ``source``."""
    yield from _source_problems(tree, source)
    yield from _misplaced(tree)
    for node in tree.iter_subtrees():
        yield from _layer_problems(node, tree)
        for check in _CHECKS:
            yield from check(node)


# ---------------------------------------------------------------- numbers, keywords, filters

#: The least and the greatest number that stands directly in an alternative, unless 1 and 99.
_RANGES = {"number": (0, MAX_NUMBER), "die_loop": (2, 6)}

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


def _number_problems(node: _Node) -> Iterator[Problem]:
    least, most = _RANGES.get(node.data, (1, MAX_NUMBER))
    numbers = [child for child in _tokens(node) if child.type == "NUMBER"]
    wrong = [token for token in numbers if len(token) > 2 or not least <= int(token) <= most]
    for token in wrong:
        shown = f"'{token}'"
        if len(token) > _MOST_DIGITS:
            shown = f"'{token[:9]}…' ({len(token):,} digits)"
        message = f"{shown} is not a number from {least} to {most}"
        yield Problem(start_of(token), str(token), message)
    if node.data == "power_between" and not wrong and int(numbers[0]) > int(numbers[1]):
        message = f"no power lies between {numbers[0]} and {numbers[1]}"
        yield Problem(start_of(numbers[0]), str(numbers[0]), message)


def _keyword_problems(node: _Node) -> Iterator[Problem]:
    seen = set()
    for token in _tokens(node):
        if token.type == "KEYWORD" and token.upper() in seen:
            yield Problem(start_of(token), str(token), f"'{token}' is named twice")
        seen.add(token.upper())


def _filter_problems(node: _Node) -> Iterator[Problem]:
    if node.data not in ("all_filters", "all_card_filters"):
        return
    seen = set()
    for part in _children(node):
        kind = _KINDS[part.data]
        if kind in seen:
            yield Problem(start_of(part), "", f"a second filter on {kind}; one is allowed")
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


def _layer_problems(node: _Node, tree: _Node) -> Iterator[Problem]:
    """A constant rule depends on all of its line, one of this turn on the group it stands for."""
    scopes: list[_Node] = []
    if node.data in _CONSTANT_LAYERS:
        filters, message = _LAYERS[_CONSTANT_LAYERS[node.data]]
        scopes = [tree]
    elif node.data in _TURN_LAYERS:
        filters, message = _LAYERS[_TURN_LAYERS[node.data]]
        scopes = list(node.find_data("standing"))
    for scope in scopes:
        for part in scope.iter_subtrees():
            if part.data in filters:
                yield Problem(start_of(part), "", message)


# ---------------------------------------------------------------- what needs a creature

#: Alternatives that speak of the source as of a creature.
_NEEDS_CREATURE = {
    "this", "this_only", "other", "another", "within", "less_than_this", "defeated_by_this",
    "become", "copy_keywords", "cannot_block_this", "only_block_this",
    "must_hunt_this", "reverse_fight", "evolve_instead",
    *(word.name for word in EFFECT_WORDS if word.needs_creature),
}  # fmt: skip

_NO_CREATURE = {
    Source.DISCARD_PILE: (
        "in a discard pile this card is no creature: leave out 'this', 'other' and 'another' (R106)"
    ),
    Source.POWER_CARD: "a power card is no creature: leave out 'this', 'other' and 'another'",
}

_DEEDS = {"must", "may", "choose_one", "die_loop"}
_AT_ONCE = "'exhausted' is performed in the middle of an event: only 'this becomes …' can be (C45)"


def _source_problems(tree: _Node, of_line: Source) -> Iterator[Problem]:
    for node, source in _with_sources(tree, of_line):
        if source in _NO_CREATURE and node.data in _NEEDS_CREATURE:
            yield Problem(start_of(node), "", _NO_CREATURE[source])
        if source is Source.EXHAUSTED and node.data in _DEEDS:
            for effect in _children(node):
                if effect.data != "become":
                    yield Problem(start_of(effect), "", _AT_ONCE)
        if node.data == "play_this" and source not in (Source.DISCARD_PILE, Source.DEFEATED):
            message = "this card is in no discard pile then; 'play this' is for 'in_discard', "
            yield Problem(start_of(node), "", message + "'discarded' and 'defeated'")


def _with_sources(tree: _Node, source: Source) -> Iterator[tuple[_Node, Source]]:
    """Each part of a line with its source; of an Attack effect given to others the attacker is."""
    yield tree, source
    for child in _children(tree):
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


def _order_problems(node: _Node) -> Iterator[Problem]:
    instructions = list(_children(node)) if node.data == "triggered" else []
    if len(instructions) > MAX_INSTRUCTIONS:
        message = f"an ability has at most {MAX_INSTRUCTIONS} instructions"
        yield Problem(start_of(instructions[MAX_INSTRUCTIONS]), "", message)
    for before, after in pairwise(instructions):
        for part in _parts(before, _LAST):
            message = f"{_LAST[part.data]} has to be the last instruction of the line"
            yield Problem(start_of(after), "", message)


def _mode_problems(node: _Node) -> Iterator[Problem]:
    if node.data == "choose_one" and len(node.children) > MAX_MODES:
        message = f"a choice has at most {MAX_MODES} modes"
        yield Problem(start_of(node.children[MAX_MODES]), "", message)


def _condition_problems(node: _Node) -> Iterator[Problem]:
    joined = node.data in ("all_conditions", "any_condition")
    if joined and len(node.children) > MAX_CONDITIONS:
        message = f"at most {MAX_CONDITIONS} conditions are joined"
        yield Problem(start_of(node.children[MAX_CONDITIONS]), "", message)


def _turn_problems(node: _Node) -> Iterator[Problem]:
    """Whose turn it is stands before a constant ability, but where it is one of several ways."""
    if node.data == "while_condition" and not any(node.find_data("any_condition")):
        for part in node.find_data("it_is_turn"):
            yield Problem(start_of(part), "", "begin the line with 'during …' instead")


def _misplaced(tree: _Node) -> Iterator[Problem]:
    """Words of ``_PLACED`` that stand where they mean nothing."""
    placed = {id(part) for node in tree.iter_subtrees() for part in _well_placed(node)}
    for node in tree.iter_subtrees():
        if node.data in _PLACED and id(node) not in placed:
            yield Problem(start_of(node), "", _PLACED[node.data])


def _standing_problems(node: _Node) -> Iterator[Problem]:
    if node.data == "standing":
        for part in node.find_data("named"):
            message = "what holds for a group cannot ask for a named keyword; choose creatures"
            yield Problem(start_of(part), "", message)


def _well_placed(node: _Node) -> Iterator[_Node]:
    """Words of ``_PLACED`` that mean something because they stand in this node."""
    if node.data == "exactly" and str(node.children[0]).lstrip("0") == "2":
        yield from node.find_data("equal_power")
    elif node.data == "triggered":
        instructions = list(_children(node))
        for number, instruction in enumerate(instructions[1:], 1):
            if any(_parts(before, {"name_keyword"}) for before in instructions[:number]):
                yield from instruction.find_data("named")
            if any(_parts(instructions[number - 1], _DISCARDS)):
                yield from instruction.find_data("each_discarded")


# ---------------------------------------------------------------- sides and amounts

#: Whose creatures a word cannot be about, and why.
_SIDES: dict[str, tuple[Collection[str], str]] = {
    **{word.name: word.never for word in EFFECT_WORDS if word.never is not None},
    "only_block_this": ({"allied"}, "allied creatures never block this"),
    "cannot_hunt": ({"allied"}, "allied creatures are never hunted by this"),
    "must_hunt_this": ({"allied"}, "allied creatures never hunt this"),
}


def _side_problems(node: _Node) -> Iterator[Problem]:
    sides, message = _SIDES.get(node.data, (set(), ""))
    for part in _parts(node, sides):
        place = node if part.data == "both" else part
        yield Problem(start_of(place), "" if place is node else part.data, message)


def _hunt_problems(node: _Node) -> Iterator[Problem]:
    if node.data == "cannot_hunt" and not any(_parts(node, {"this"})):
        message = "only the source can be kept from hunting: 'this cannot hunt …'"
        yield Problem(start_of(node), "", message)


_AMOUNTS = {
    "draw_cards", "put_under_draw_pile",
    *(word.name for word in EFFECT_WORDS if "repeat" in word.parts),
}  # fmt: skip


def _amount_problems(node: _Node) -> Iterator[Problem]:
    """Amounts that cannot be repeated, or of which nothing can be chosen."""
    if node.data not in _AMOUNTS:
        return
    if any(_parts(node, {"for_each"})):
        for part in _parts(node, {"all", "this_only", "any_cards", "up_to_cards"}):
            if part.data != "up_to_cards" or part.children[0] == str(MAX_NUMBER):
                yield Problem(start_of(part), "", "'for each' needs a number of targets or cards")
    if node.data == "put_under_draw_pile" or any(_parts(node, {"draw_from_unused"})):
        for part in _parts(node, {"up_to_cards", "any_cards", "all_card_filters"}):
            message = "the top cards of the unused pile are taken: no filter, no 'up to' (R32)"
            yield Problem(start_of(part), "", message)


#: What is looked at in every part of a line.
_CHECKS = (
    _number_problems,
    _keyword_problems,
    _filter_problems,
    _order_problems,
    _mode_problems,
    _condition_problems,
    _turn_problems,
    _standing_problems,
    _side_problems,
    _hunt_problems,
    _amount_problems,
)

# ---------------------------------------------------------------- trees


def _tokens(node: _Node) -> list[Token]:
    return [child for child in node.children if isinstance(child, Token)]


def _children(node: _Node) -> Iterator[_Node]:
    return (child for child in node.children if isinstance(child, Tree))


def _parts(node: _Node, names: Collection[str]) -> Iterator[_Node]:
    """Parts of a node with one of the names, but none inside the filters of a group."""
    for child in _children(node):
        if child.data in names:
            yield child
        if child.data != "all_filters":
            yield from _parts(child, names)


def start_of(node: "_Node | Token") -> int:
    """The index of the first character of a part of a line."""
    start = node.start_pos if isinstance(node, Token) else node.meta.start_pos
    assert start is not None
    return start
