"""Reading one line of the card language: text to schema objects, or the problems in it.

Both registers are read by the same phrase table: the short lines of card files and the sentences
of cards.  A line is read to a tree, ``checks`` looks for what a table cannot say, and the objects
are made.
"""

from collections.abc import Callable, Iterator, Sequence
from functools import cached_property
from typing import Any, NamedTuple

from attrs import evolve

from card_data.faults import nearest, shown
from card_data.mindbug import schema
from card_data.mindbug.language.checks import MAX_CONDITIONS, Problem, Source, problems
from card_data.mindbug.language.phrases import made, table
from card_data.mindbug.language.rules_box import Piece, headed
from card_data.mindbug.language.rules_text import format_ability
from card_data.mindbug.vocabulary import Comparison, Quantity, Rule
from card_data.phrases import CANONICAL, Expectation, Token, tokens_of

#: Words that turn a meaning round; a slip of the pen is never taken for one of them.
_TURNING = ("cannot", "not", "no", "fewer", "more", "less", "lose", "loses", "without")
_JOINING = {"and": "or", "or": "and"}


class LanguageError(Exception):
    """A line that says nothing in the card language; its problems are looked for when asked for."""

    def __init__(self, explain: Callable[[], list[Problem]]) -> None:
        super().__init__()
        self._explain = explain

    @cached_property
    def problems(self) -> tuple[Problem, ...]:
        """What is wrong with the line."""
        return tuple(self._explain())

    def __str__(self) -> str:
        """The messages of all problems."""
        return "; ".join(problem.message for problem in self.problems)


#: What the source of a line is, in fields where it is not a creature in play.
_SOURCES = {
    "defeated": Source.DEFEATED,
    "discarded": Source.DISCARD_PILE,
    "exhausted": Source.EXHAUSTED,
    "bought": Source.POWER_CARD,
    "in_discard": Source.DISCARD_PILE,
}


def parse_field(field: str, line: str) -> list[Any]:
    """The abilities, or the instructions, of a line of a field of a card; raises LanguageError.

    The line may begin with the trigger word of its field.
    """
    piece = headed(line)
    if piece.field in ("", field):
        return parse_piece(piece._replace(field=field))
    names = f"'{line[: piece.start].strip()}' is the trigger word of the field '{piece.field}'"
    problem = Problem(0, "", f"{names}; write the line there, or the whole text in 'text'")
    raise LanguageError(lambda: [problem])


def parse_piece(piece: Piece, _text: str = "") -> list[Any]:
    """The abilities, or the instructions, of a line without its trigger word."""
    line = " " * piece.start + piece.line  # so that every problem has its place
    source = _SOURCES.get(piece.field, Source.CREATURE)
    abilities = parse_line(line, category_of(piece.field), source)
    if piece.your_turn is None:
        return abilities
    first, *rest = abilities[0]
    turn = schema.Condition(
        schema.Value(Quantity.MY_TURN),
        Comparison.EQUAL,
        schema.Value(Quantity.NUMBER, int(piece.your_turn)),
    )
    parts = (turn, *schema.parts_of(first.condition))
    if rest or len(parts) > MAX_CONDITIONS or getattr(first.condition, "any_of", False):
        message = "the end of one player's turn goes with one instruction; begin with 'if it is …'"
        raise LanguageError(lambda: [Problem(piece.start, "", message)])
    both = schema.Conditions(parts) if len(parts) > 1 else turn
    return [(evolve(first, condition=both),)]


def category_of(field: str) -> str:
    """The category of the phrase table that lines of a field are read as."""
    return field if field in ("constant", "in_discard") else "triggered"


def parse_line(line: str, category: str, source: Source) -> list[Any]:
    """The abilities, or the instructions, of a line of a category; raises LanguageError.

    They are two where creatures "cannot attack or block".
    """
    tokens = tokens_of(line)
    while tokens and tokens[-1].text in (".", "!"):
        tokens.pop()
    readings = table().read(tokens, category)
    if not readings:
        raise LanguageError(lambda: [_unexpected(line, tokens, category, source)])
    found = [sorted(problems(one.node, source), key=lambda one: one.offset) for one in readings]
    meanings: list[list[Any]] = []
    for reading, wrong in zip(readings, found, strict=True):
        abilities = [] if wrong else _abilities(reading.fields)
        wrong.extend(_unsaid(abilities, category, source))
        if not wrong and abilities not in meanings:
            meanings.append(abilities)
    if not meanings:
        raise LanguageError(lambda: min(found, key=lambda wrong: (len(wrong), _NONSENSE in wrong)))
    if len(meanings) > 1:
        raise LanguageError(lambda: [_ambiguous(meanings)])
    return meanings[0]


def _abilities(values: Any) -> list[Any]:
    """What the fields of a line describe."""
    given = dict(values)
    if given.pop("also_block", False):
        return [*_abilities(given), *_abilities({**given, "rule": Rule.CANNOT_BLOCK})]
    if "trigger" in given:
        return [made(schema.TriggeredAbility, given)]
    if "rule" in given:
        return [made(schema.ConstantAbility, given)]
    return [tuple(made(schema.Instruction, one) for one in given["instructions"])]


# ---------------------------------------------------------------- what is wrong


_NONSENSE = Problem(0, "", "these words do not go together")


def _unsaid(abilities: Sequence[Any], category: str, source: Source) -> Iterator[Problem]:
    """What is wrong with the canonical line of what was read, whatever words said it."""
    for ability in abilities:
        try:
            said = format_ability(ability)
        except ValueError:
            yield _NONSENSE
            continue
        [reading] = table().read(tokens_of(said), category)
        for problem in problems(reading.node, source):
            yield Problem(0, "", f"{problem.message}; this was read as '{said}'")


def _ambiguous(meanings: Sequence[Sequence[Any]]) -> Problem:
    """The problem of a line that can mean several things."""
    lines = [f"'{format_ability(abilities[0])}'" for abilities in meanings]
    return Problem(0, "", f"the line can be read in two ways; write {' or '.join(lines)}")


def _unexpected(line: str, tokens: Sequence[Token], category: str, source: Source) -> Problem:
    """The problem behind a word that cannot stand where it stands."""
    from card_data.mindbug.language.foreign_wordings import foreign_wording

    lines = _Lines(category, source)
    if source not in (Source.POWER_CARD, Source.DISCARD_PILE) and (why := _misplaced(line, lines)):
        return Problem(tokens[0].start, "", why)
    at, expected = table().expected(tokens, category)
    offset = tokens[at].start if at < len(tokens) else len(line)
    allowed = _words([one for one in expected if one.register == CANONICAL] or expected)
    known = at == len(tokens) or not table().words.isdisjoint(tokens[at].keys)
    guess = "" if known else nearest(tokens[at].text, _words(expected))
    foreign = foreign_wording(line, offset, lines)
    if foreign and ("; write " in foreign[2] or foreign[0] == offset or not guess):
        return Problem(*foreign)
    if at == len(tokens):
        return Problem(offset, "", "the line ends too early", allowed)
    found = tokens[at].text
    other = _JOINING.get(found.casefold())
    if other and any(one.word == other and one.phrase.category == "conditions" for one in expected):
        message = (
            "'and' and 'or' cannot join conditions of one line; write 'and' between all of them, "
            "or 'or'"
        )
        return Problem(offset, found, message)
    message = "cannot stand here" if known else "is not a word of the card language here"
    guess = _meant(tokens, at, allowed, () if known else _words(expected), category)
    if not (known or guess) and not {"creature", "creatures"}.isdisjoint(allowed):
        message += "; creatures have no kinds, groups are made by side, power, keywords and boosts"
    return Problem(offset, found, f"{shown(found)} {message}", allowed, guess)


def _misplaced(line: str, lines: "_Lines") -> str:
    """Why a line is for another kind of field than it stands in; empty if it is for none."""
    if lines.category == "constant" and lines.canonical(line, "action"):
        why = "this happens at a moment, which the field or the trigger word before it tells"
        return f"{why}: play, attack, defeated and others"
    constant = lines.canonical(line, "constant") if lines.category == "triggered" else ""
    if not constant:
        return ""
    passing = lines.canonical(f"{line.rstrip(' .!')} this turn", "")
    advice = [f"'{passing}'"] * bool(passing) + [f'constant = "{constant}"']
    return f"this is so all the time, not from a moment on; write {' or '.join(advice)}"


def _words(expected: Sequence[Expectation]) -> tuple[str, ...]:
    names = {"#": ("a number",), "a(n)": ("a", "an")}
    return tuple(sorted({word for one in expected for word in names.get(one.word, (one.word,))}))


class _Lines(NamedTuple):
    """Lines of a field, as ``foreign_wordings`` asks for them."""

    category: str
    source: Source

    def canonical(self, line: str, field: str) -> str:
        """The canonical line for a line; empty where it cannot be read."""
        try:
            [ability] = parse_field(field, line) if field else parse_line(line, *self)
        except (LanguageError, ValueError):
            return ""
        return format_ability(ability)

    def stumbles(self, line: str, field: str) -> int:
        """The character at which a line stops to mean something."""
        tokens = tokens_of(line)
        at = table().reach(tokens, category_of(field) if field else self.category)
        return tokens[at].start if at < len(tokens) else len(line)


def _meant(
    tokens: Sequence[Token], at: int, allowed: Sequence[str], alike: Sequence[str], category: str
) -> str:
    """What was probably meant by a word: one like it, or itself behind a word that is missing.

    ``alike`` are the words that it may be a slip of.  The line can be read further with the guess.
    """
    found = tokens[at].text
    for words in (allowed, alike):
        guess = nearest(found, [word for word in words if word not in _TURNING])
        if guess and _reach(tokens, at, f"{guess}", 1, category) > at:
            return guess
    best = at, ""
    for missing in allowed:
        if missing not in (*_TURNING, "a number"):
            reached = _reach(tokens, at, missing, 0, category)
            both = f"{missing} {found}"
            best = max(best, (reached - 1, both), key=lambda one: one[0])
    return best[1]


def _reach(tokens: Sequence[Token], at: int, said: str, n_replaced: int, category: str) -> int:
    """How many tokens can be read with others in their place."""
    new = [*tokens[:at], *tokens_of(said), *tokens[at + n_replaced :]]
    return table().reach(new, category)
