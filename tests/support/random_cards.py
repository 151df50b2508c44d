"""Cards made up at random from every word of the card language, with numbers as in real cards.

Their lines are drawn from the phrase table that reads them, so a new word needs nothing here, and
the loader checks them as it checks any card file.
"""

import json
import random
import tomllib
from functools import cache, lru_cache
from typing import Any

from card_data.mindbug import parse_set
from card_data.mindbug.evolution import evolves
from card_data.mindbug.language.checks import Source
from card_data.mindbug.language.made_up import LineMaker
from card_data.mindbug.language.parser import LanguageError
from card_data.mindbug.loader import set_path
from card_data.mindbug.schema import CardSet, ConstantAbility
from card_data.mindbug.vocabulary import Keyword
from support.card_lines import parse_constant, parse_in_discard, parse_triggered
from support.reference_cards import SETS

#: Fields with a triggered ability, and what their source is.
TRIGGER_FIELDS = {
    "play": Source.CREATURE,
    "attack": Source.CREATURE,
    "play_attack": Source.CREATURE,
    "defeated": Source.DEFEATED,
    "action": Source.CREATURE,
    "discarded": Source.DISCARD_PILE,
    "end_of_turn": Source.CREATURE,
    "mindbug_used": Source.CREATURE,
    "exhausted": Source.EXHAUSTED,
}
#: The rule of the grammar that a line of a field begins with.
STARTS = {"constant": "constant", "in_discard": "in_discard"}
_NUMBERS = ["1"] * 8 + ["2"] * 6 + ["3", "4", "4", "5", "5", "6", "7", "8", "9"]

#: How often an alternative is drawn, by its first words; 1 for all others.
_WEIGHTS = {
    ("defeat",): 8.0,
    ("take", "control"): 3.0,
    ("boost",): 3.0,
    ("who",): 0.5,
    ("win",): 0.1,
    ("lose", "the"): 0.1,
    ("with",): 0.5,  # a filter
    ("for", "each"): 0.3,
}
#: The share of alternatives that a theme favours, and how much more often they are drawn.
_FAVOURITES, _FAVOUR = 0.06, 25.0


def random_set(rng: random.Random, n_lines: int = 16, *, themed: bool = False) -> CardSet:
    """A set of made-up cards, with evolution lines of up to three stages, and power cards.

    The cards of a ``themed`` set share a taste for a few words, so that rare words meet.
    """
    return parse_set(made_up(rng, n_lines, themed=themed), "random.toml")


def made_up(rng: random.Random, n_lines: int = 16, *, themed: bool = False) -> str:
    """The card file of a `random_set`."""
    theme = rng.random() if themed else None
    cards: dict[str, dict[str, Any]] = {}
    for number in range(n_lines):
        stages = rng.choice((1, 1, 1, 2, 3))
        ids = [f"card_{number:02}" + "bc"[stage - 1] * (stage > 0) for stage in range(stages)]
        for stage, card_id in enumerate(ids):
            fields = _random_card(rng, stage + 1 < stages, stages > 1, theme)
            fields["copies"] = 2 if stage == 0 else 0
            if stage + 1 < stages:
                fields["evolves_to"] = ids[stage + 1]
            cards[card_id] = {"name": card_id, **fields}
    for number in range(6):
        bought = _line(rng, "bought", Source.POWER_CARD, False, theme)
        card_id = f"power_{number}"
        cards[card_id] = {"name": card_id, "cost": rng.randint(0, 3), "bought": bought}
    return card_file(cards)


def card_file(cards: dict[str, dict[str, Any]]) -> str:
    """The text of a card file."""
    lines = ['name = "Random"']
    for card_id, fields in cards.items():
        lines += ["", f"[{card_id}]"]
        lines += [f"{key} = {json.dumps(value)}" for key, value in fields.items()]
    return "\n".join(lines)


def _random_card(
    rng: random.Random, may_evolve: bool, in_a_line: bool, theme: float | None
) -> dict[str, Any]:
    fields: dict[str, Any] = {
        "power": rng.randint(1, 9),
        "keywords": [keyword.name for keyword in Keyword if rng.random() < 0.2],
        "dice": rng.choice((0, 0, 1, 2)),
    }
    names = [name for name in TRIGGER_FIELDS if not (name == "exhausted" and in_a_line)]
    names = [name for name in names if rng.random() < (0.1 if name == "exhausted" else 0.2)]
    if "play_attack" in names:
        names = [name for name in names if name not in ("play", "attack")]
    for name in names:
        fields[name] = _line(rng, name, TRIGGER_FIELDS[name], may_evolve, theme)
    if rng.random() < 0.5:
        fields["constant"] = _constant_lines(rng, "constant", Source.CREATURE, may_evolve, theme)
    if rng.random() < 0.25:
        lines = _constant_lines(rng, "in_discard", Source.DISCARD_PILE, may_evolve, theme)
        fields["in_discard"] = lines
    return fields


def _constant_lines(
    rng: random.Random, field: str, source: Source, may_evolve: bool, theme: float | None
) -> list[str]:
    """One or two lines, of which one at most gives an Attack effect or is triggered."""
    lines = [_line(rng, field, source, may_evolve, theme)]
    second = _line(rng, field, source, may_evolve, theme)
    only_once = ("attack :", "attack:", "when you lose life")
    if rng.random() < 0.3 and not any(words in second for words in only_once):
        lines.append(second)
    return lines


def _line(
    rng: random.Random, field: str, source: Source, may_evolve: bool, theme: float | None
) -> str:
    """A line of a field that the loader accepts: made up, or that of a real card."""
    while True:
        real = rng.random() < 0.2 and _real_lines().get(field)
        line = rng.choice(real) if real else _made_up(rng, field, theme)
        try:
            abilities = _parse(field, source, line)
        except LanguageError:
            continue
        if (may_evolve or not any(map(evolves, abilities))) and not _excluded(field, line):
            return line


def _excluded(field: str, line: str) -> bool:
    """Whether a line says what both engines can, but only within limits of the fast one.

    Faces that creatures become have a limited number of rows, waiting triggers and ordered attacks
    a limited number of places.
    """
    if line.count("becomes power") > (3 if field == "exhausted" else 0):
        return True
    return "as often as" in line and ("trigger the play" in line or "attack now" in line)


def _parse(field: str, source: Source, line: str) -> list[Any]:
    """What could make the card evolve in a line; raises LanguageError if it says nothing."""
    if field == "constant":
        return [parse_constant(line)]
    if field == "in_discard":
        ability = parse_in_discard(line)
        return [ability] if isinstance(ability, ConstantAbility) else []
    return list(parse_triggered(line, source))


def _made_up(rng: random.Random, field: str, theme: float | None) -> str:
    """A line that the grammar allows, helped to mean something."""
    line = derived(rng, STARTS.get(field, "triggered"), theme)
    if "equal power" in line:
        for word in ("1", "3", "4", "5"):
            line = line.replace(f"defeat {word} ", "defeat 2 ")
    if field not in STARTS:
        if "the named keyword" in line and not line.startswith("name a keyword"):
            line = f"name a keyword , then {line}"
        if "for each card discarded" in line and rng.random() < 0.8:
            how = rng.choice(("discard up to 2 cards", "the opponent discards a random card"))
            line = f"{how} , then {line}"
    return line


def derived(rng: random.Random, start: str, theme: float | None = None) -> str:
    """A line that the grammar allows, beginning with the rule ``start``."""
    return _maker(theme).line(rng, start)


@lru_cache(maxsize=1_000)
def _maker(theme: float | None) -> LineMaker:
    """What makes up the lines of a theme."""
    return LineMaker(
        lambda _, symbols: _weight(symbols, theme), lambda rng, _: rng.choice(_NUMBERS)
    )


def _weight(symbols: tuple[str, ...], theme: float | None) -> float:
    """How often an alternative is drawn; a theme draws some of all much more often."""
    words = tuple(symbols)
    weight = _WEIGHTS.get(words[:2], _WEIGHTS.get(words[:1], 1.0))
    if theme is not None and random.Random(f"{theme} {words}").random() < _FAVOURITES:
        weight *= _FAVOUR
    return weight


@cache
def _real_lines() -> dict[str, list[str]]:
    """The lines of the shipped cards, by their fields."""
    lines: dict[str, list[str]] = {}
    for name in SETS:
        for card in tomllib.loads(set_path(name).read_text(encoding="utf-8")).values():
            for field, line in card.items() if isinstance(card, dict) else ():
                if field in (*TRIGGER_FIELDS, *STARTS, "bought"):
                    lines.setdefault(field, []).extend([line] if isinstance(line, str) else line)
    return lines
