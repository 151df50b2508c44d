"""Words in the text of the rules that what they are compared with can never be."""

import ast
from collections.abc import Iterator, Sequence
from typing import Any

from card_data.faults import meant_word
from card_data.schema.fields import Words
from simcore.contract.faults import short
from simcore.contract.game import Game
from simcore.contract.play import Table
from simcore.contract.state import Choice
from simcore.own_games.check.findings import WARNING, Finding


def words(table: Table, *_: Any) -> Iterator[Finding]:
    """Comparisons that are never true: with a word that a field, a setting or a state has not."""
    known = _known(table.game)
    compared = (one for one in ast.walk(ast.parse(table.game.text)) if isinstance(one, ast.Compare))
    for node in compared:
        for thing, word in _words_in(node):
            if thing in known and (problem := _problem(node, thing, word, known[thing])):
                where = f"{short(str(table.game.file))}:{node.lineno}"
                yield Finding(WARNING, f"{where}: {problem}")


def _problem(node: ast.Compare, thing: str, word: str, fields: Sequence[Any]) -> str:
    allowed = [*dict.fromkeys(word for one in fields for word in one.words)]
    if word not in allowed:
        meant = meant_word(word, allowed, ".")
        return f"'{word}' is no word of {thing}{meant} Allowed here: {', '.join(allowed)}."
    is_equality = isinstance(node.ops[0], ast.Eq | ast.NotEq)
    if is_equality and all(isinstance(one, Words) for one in fields):
        return f"{thing} is a list, which never equals a word: write '{word}' in …"
    return ""


def _known(game: Game) -> dict[str, list[Any]]:
    """What has words of a list, by its name: fields, settings, declared words."""
    found: dict[str, list[Any]] = {}
    every = [pair for kind in game.kinds for pair in kind.fields.items()]
    every += [(one.name, one.field) for one in game.settings]
    every += [(name, one) for name, one in game.rules._declared.items() if isinstance(one, Choice)]
    for name, field in every:
        found.setdefault(name, []).append(field)
    return {
        name: fields
        for name, fields in found.items()
        if all(getattr(one, "words", ()) for one in fields)
    }


def _words_in(node: ast.Compare) -> Iterator[tuple[str, str]]:
    """The names of attributes, and the written words with which they are compared."""
    if len(node.ops) > 1:
        return
    left, right = node.left, node.comparators[0]
    pairs = [(right, left)]
    if isinstance(right, ast.Tuple | ast.List | ast.Set):
        pairs = [(left, one) for one in right.elts]
    elif isinstance(node.ops[0], ast.Eq | ast.NotEq):
        pairs.append((left, right))
    for thing, word in pairs:
        named = thing.value if isinstance(thing, ast.Subscript) else thing
        text = word.value if isinstance(word, ast.Constant) else None
        if isinstance(named, ast.Attribute) and isinstance(text, str):
            yield named.attr, text
