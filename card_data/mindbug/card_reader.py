"""The data of one card file to checked objects: fields, types, limits and ability lines."""

from collections.abc import Callable, Iterable, Mapping, Sequence
from functools import partial
from typing import Any, TypeVar

from attrs import evolve

from card_data.faults import shown
from card_data.mindbug.evolution import Evolution, evolves
from card_data.mindbug.language.foreign_wordings import foreign_keyword, nearest_field
from card_data.mindbug.language.rules_box import keyword_named
from card_data.mindbug.schema import (
    MAX_CARDS,
    MAX_COPIES,
    MAX_COST,
    MAX_DICE,
    MAX_POWER,
    MIN_POWER,
    Card,
    CardSet,
    ConstantAbility,
    Instruction,
    PowerCard,
    TriggeredAbility,
)
from card_data.mindbug.vocabulary import Keyword, Trigger
from card_data.table_reader import MAX_NAME, TableReader, is_id, is_name, plain_key
from card_data.toml_files import MAX_LINE
from card_data.toml_places import KeyPath, TomlPlaces

#: The fields of a card in the order in which they are written, with their meaning.
CARD_FIELDS = {
    "name": "The printed name: 1 to 60 printable characters, different for every card of the file.",
    "power": "The printed power: 1 to 99.",
    "keywords": "The printed keywords, a list; may be left out.",
    "copies": "How many copies are in the pool (R7): 1 to 20, 0 for a later stage; 1 if left out.",
    "dice": "How many dice symbols the card has (R113): 0 to 2; 0 if left out.",
    "evolves_to": "The id of the next stage, a card of this file with `copies = 0` (R101).",
    "text": "The rules box as printed, trigger words and all, in place of the fields below.",
    "cost": "The price of a power card in energy (R109): 0 to 99, in place of `power`.",
    "play": "Triggers when the creature comes into play (R52).",
    "attack": "Triggers when the creature attacks (R52).",
    "play_attack": "The combined header, in place of `play` and `attack`: both triggers (R52).",
    "defeated": "Triggers when the creature is defeated (R52).",
    "action": "Can be activated as a turn action, if it would do something (R98, R99).",
    "discarded": "Triggers when the card is put into your discard pile from anywhere (R107).",
    "end_of_turn": "Triggers at the end of every turn; `if it is your turn,` narrows it (R22).",
    "mindbug_used": "Triggers when the opponent uses a Mindbug, before it takes effect (R36).",
    "exhausted": "Performed as soon as the creature becomes exhausted, before any trigger (C45).",
    "constant": "Works all the time that the creature is in play (R84); a line or a list.",
    "in_discard": "Works while the card lies in a discard pile (R106); a line or a list.",
    "bought": "The effect of a power card (R110).",
}

#: The fields of a power card; all others belong to creatures.
POWER_CARD_FIELDS = ("name", "copies", "cost", "bought", "text")
CREATURE_FIELDS = tuple(name for name in CARD_FIELDS if name not in ("cost", "bought"))

#: Fields that hold a triggered ability, with its triggers; a combined header gives both (R52).
TRIGGER_FIELDS = {
    "play": (Trigger.PLAY,),
    "attack": (Trigger.ATTACK,),
    "play_attack": (Trigger.PLAY, Trigger.ATTACK),
    "defeated": (Trigger.DEFEATED,),
    "action": (Trigger.ACTION,),
    "discarded": (Trigger.DISCARDED,),
    "end_of_turn": (Trigger.END_OF_TURN,),
    "mindbug_used": (Trigger.MINDBUG_USED,),
    "exhausted": (Trigger.EXHAUSTED,),
}

MAX_CONSTANTS = 8

_Parsed = TypeVar("_Parsed")


class CardReader(TableReader):
    """Turns the TOML of one file into objects and notes every fault on the way.

    What is faulty is left out or read as its default, so that the rest is checked as well.  A
    ``path`` is that of a key in the file: (key,) for the set, (card id, key) for a card.
    """

    def __init__(self, file: str, places: TomlPlaces, taken: Mapping[str, str]) -> None:
        """``taken`` are card ids that the file may not have, with the reason."""
        super().__init__(file, places)
        self.taken = taken

    def nearest_field(self, word: str, fields: Iterable[str]) -> str:
        """The field that was probably meant, also where it is called otherwise elsewhere."""
        return nearest_field(word, fields) if self.guesses else ""

    def card_set(self, set_id: str, data: dict[str, Any]) -> CardSet:
        """The set that a whole file describes."""
        if not is_name(set_id):
            self.note((), 0, f"the file name has to be 1 to {MAX_NAME} printable characters")
        facts = dict(data)
        name = self.name(("name",), {"name": facts.pop("name", None)})
        tables = {key: value for key, value in facts.items() if isinstance(value, dict)}
        for key in sorted(facts.keys() - tables.keys()):
            if isinstance(facts[key], list) and any(isinstance(one, dict) for one in facts[key]):
                problem = f"an id stands in one pair of brackets: [{plain_key(key)}]"
                self.note((key,), self.places.key((key,)), problem, found=key)
            else:
                self.unknown((key,), () if name else ("name",))
        if not tables:
            self.note((), 0, "there are no cards; a card begins with its id in brackets")
        if len(tables) > MAX_CARDS:
            problem = f"there are {len(tables):,} cards; {MAX_CARDS:,} are the most of a file"
            self.note((), 0, problem)
            return CardSet(set_id, name, ())
        cards: list[Card] = []
        power_cards: list[PowerCard] = []
        for card_id, table in tables.items():
            self.check_id(card_id)
            entry = self.entry(card_id, table)
            if isinstance(entry, Card):
                cards.append(entry)
            else:
                power_cards.append(entry)
        self.check_names([*cards, *power_cards])
        return CardSet(
            set_id,
            name,
            tuple(sorted(self.stages(cards, tables), key=lambda card: card.card_id)),
            tuple(sorted(power_cards, key=lambda card: card.card_id)),
        )

    def entry(self, card_id: str, table: dict[str, Any]) -> Card | PowerCard:
        """The card that a table describes, by its fields a creature or a power card."""
        marks = sorted(table.keys() & {"cost", "bought"})
        if len(marks) == 1 and "power" in table:  # a creature but for one field
            self.stray_mark((card_id, marks[0]))
            return self.card(card_id, {key: table[key] for key in table if key not in marks})
        return self.power_card(card_id, table) if marks else self.card(card_id, table)

    def check_id(self, card_id: str) -> None:
        """Notes a card id that cannot be one, or that another set has."""
        problem = ""
        if not is_id(card_id):
            problem = f"{shown(card_id)} is not a card id: a-z, 0-9 and _, a letter first"
            problem += f", at most {MAX_NAME}" if len(card_id) > MAX_NAME else ""
        elif card_id in self.taken:
            problem = self.taken[card_id]
        if problem:
            self.note((card_id, ""), self.places.key((card_id,)), problem, found=card_id)

    def check_fields(
        self, card_id: str, table: dict[str, Any], fields: Sequence[str], of: str
    ) -> None:
        """Notes every field that such a card does not have."""
        for key in sorted(table.keys() - set(fields)):
            self.unknown((card_id, key), tuple(key for key in fields if key not in table), of)

    def stray_mark(self, path: KeyPath) -> None:
        """Notes a field on a creature that makes a card a power card."""
        problem = (
            f"'{path[-1]}' makes this a power card, which has the fields"
            f" {', '.join(POWER_CARD_FIELDS)} and no others; leave it out of a creature"
        )
        self.note(path, self.places.key(path), problem, found=path[-1])

    def card(self, card_id: str, table: dict[str, Any]) -> Card:
        """The creature card that a table describes, without its stage."""
        self.check_fields(card_id, table, CREATURE_FIELDS, "a card")
        boxed = self.box((card_id, "text"), table)
        triggered = self.triggered(card_id, table, boxed)
        while_lying, life_lost = self.in_discard((card_id, "in_discard"), table, boxed)
        keywords = self.keywords((card_id, "keywords"), table.get("keywords", []))
        return Card(
            card_id=card_id,
            name=self.name((card_id, "name"), table),
            power=self.whole((card_id, "power"), table, MIN_POWER, MAX_POWER),
            keywords=keywords.union(boxed.get("keywords", [])),
            copies=self.copies((card_id, "copies"), table, 0),
            triggered=triggered + life_lost,
            constant=self.constant((card_id, "constant"), table, boxed) + while_lying,
            dice=self.whole((card_id, "dice"), {"dice": 0, **table}, 0, MAX_DICE),
            evolves_to=self.evolves_to((card_id, "evolves_to"), table),
        )

    def power_card(self, card_id: str, table: dict[str, Any]) -> PowerCard:
        """The power card that a table describes."""
        self.check_fields(card_id, table, POWER_CARD_FIELDS, "a power card")
        return PowerCard(
            card_id=card_id,
            name=self.name((card_id, "name"), table),
            cost=self.whole((card_id, "cost"), table, 0, MAX_COST),
            bought=self.instructions(
                (card_id, "text" if "text" in table and "bought" not in table else "bought"), table
            ),
            copies=self.copies((card_id, "copies"), table, 1),
        )

    def copies(self, path: KeyPath, table: dict[str, Any], least: int) -> int:
        """How many copies of a card are in the pool; 1 where there is no proper number."""
        return self.whole(path, {"copies": 1, **table}, least, MAX_COPIES) or int(
            type(table.get("copies")) is not int or table["copies"] != 0
        )

    def evolves_to(self, path: KeyPath, table: dict[str, Any]) -> str | None:
        """The id of the next stage."""
        target = table.get("evolves_to")
        if target is None or isinstance(target, str):
            return target
        self.wrong(path, target, "the id of a card")
        return None

    def stages(self, cards: list[Card], tables: Mapping[str, dict[str, Any]]) -> list[Card]:
        """The cards with their stages; notes every evolution that cannot be."""
        evolution = Evolution(cards)
        for card_id, key, problem in evolution.problems():
            path = (card_id, key)
            value = tables[card_id].get(key, "")
            found, guess = shown(value), ""
            if key == "evolves_to" and value not in tables:
                guess = self.nearest(value, (other for other in tables if other != card_id))
            self.note(path, self.places.value(path), problem, found=found, nearest=guess)
        return evolution.staged()

    def check_names(self, cards: list[Card | PowerCard]) -> None:
        """Notes every card that bears the name of an earlier one, such as a second copy."""
        first: dict[str, Card | PowerCard] = {}
        for card in cards:
            other = first.setdefault(card.name.casefold(), card)
            if card.name and other is not card:
                path, is_id = (card.card_id, "name"), plain_key(other.card_id)
                problem = f"'{card.name}' is the name of {is_id} already"
                alike: dict[str, Any] = {"card_id": other.card_id, "name": other.name}
                if evolve(card, **alike, copies=other.copies) == other:
                    many = card.copies + other.copies
                    problem += f"; for {many} copies of one card, {is_id} alone has copies = {many}"
                self.note(path, self.places.value(path), problem, found=card.name)

    def keywords(self, path: KeyPath, words: object) -> frozenset[Keyword]:
        """The printed keywords."""
        if not isinstance(words, list) or not all(isinstance(word, str) for word in words):
            self.wrong(path, words, 'a list of keywords such as ["FRENZY", "TOUGH"]')
            return frozenset()
        allowed = tuple(Keyword.__members__)
        found = set()
        for index, word in enumerate(words):
            at = self.places.in_string(path, index, word, 0)
            keyword = keyword_named(word)
            if keyword is None:
                problem, guess = f"{shown(word)} is not a keyword", self.nearest(word, allowed)
                if not guess:
                    foreign, guess = foreign_keyword(word)
                    problem += f" of this game; {foreign}" if foreign else ""
                self.note(path, at, problem, found=word, allowed=allowed, nearest=guess)
            elif keyword in found:
                self.note(path, at, f"'{word}' is named twice", found=word)
            else:
                found.add(keyword)
        return frozenset(found)

    def triggered(
        self, card_id: str, table: dict[str, Any], boxed: Mapping[str, list[Any]]
    ) -> tuple[TriggeredAbility, ...]:
        """The triggered abilities of a card in play, in the order of their triggers."""
        abilities: dict[Trigger, TriggeredAbility] = {}
        for key in [key for key in TRIGGER_FIELDS if key in table or key in boxed]:
            path = (card_id, key if key in table else "text")
            instructions = self.instructions(path, table) if key in table else boxed[key][0]
            for trigger in TRIGGER_FIELDS[key]:
                if trigger in abilities:
                    problem = f"the card has a {trigger.name.capitalize()} ability already"
                    self.note(path, self.places.key(path), problem)
                abilities[trigger] = TriggeredAbility(trigger, instructions)
            self.check_evolving(path, instructions, table)
        return tuple(abilities[trigger] for trigger in sorted(abilities))

    def instructions(self, path: KeyPath, table: dict[str, Any]) -> tuple[Instruction, ...]:
        """The instructions in the line of a field; none where there is no proper line."""
        from card_data.mindbug.language.parser import parse_field

        line = table.get(path[-1])
        if line is None:
            self.missing(path)
            return ()
        if not isinstance(line, str):
            self.wrong(path, line, "a line of the card language")
            return ()
        field = "bought" if path[-1] == "text" else path[-1]
        read = self.line(path, 0, line, partial(parse_field, field))
        return read[0] if read else ()

    def lines(self, path: KeyPath, table: dict[str, Any]) -> list[str]:
        """The lines of a field that may hold one or several."""
        if path[-1] not in table:
            return []
        value = table[path[-1]]
        lines = value if isinstance(value, list) else [value]
        if 1 <= len(lines) <= MAX_CONSTANTS and all(isinstance(line, str) for line in lines):
            return lines
        wanted = f"a line of the card language, or a list of 1 to {MAX_CONSTANTS} lines"
        self.wrong(path, value, wanted)
        return []

    def box(self, path: KeyPath, table: dict[str, Any]) -> dict[str, list[Any]]:
        """What the rules box of a card says, by the fields that its sentences are for."""
        from card_data.mindbug.language.parser import parse_piece
        from card_data.mindbug.language.rules_box import keywords_in, pieces

        text = table.get("text")
        if text is None:
            return {}
        found: dict[str, list[Any]] = {}
        if not isinstance(text, str) or not text.strip():
            self.wrong(path, text, "what stands in the rules box of the card")
            return found
        for piece in pieces(text):
            if piece.field == "keywords":
                found.setdefault("keywords", []).extend(keywords_in(piece.line))
                continue
            twice = piece.field in TRIGGER_FIELDS and piece.field in {*found, *table}
            if twice:
                at = self.places.in_string(path, 0, text, piece.start)
                self.note(path, at, f"the card has a '{piece.field}' ability already")
            read = self.line(path, 0, text, partial(parse_piece, piece))
            if read and not twice:
                found.setdefault(piece.field, []).extend(read)
        return found

    def abilities(
        self, path: KeyPath, table: dict[str, Any], boxed: Mapping[str, list[Any]]
    ) -> list[Any]:
        """The abilities in the lines of a field, and those that the rules box has for it."""
        from card_data.mindbug.language.parser import parse_field

        lines = enumerate(self.lines(path, table))
        parse = partial(parse_field, path[-1])
        read = [self.line(path, index, line, parse) or [] for index, line in lines]
        return [ability for several in [*read, boxed.get(path[-1], [])] for ability in several]

    def constant(
        self, path: KeyPath, table: dict[str, Any], boxed: Mapping[str, list[Any]]
    ) -> tuple[ConstantAbility, ...]:
        """The constant abilities of a card in play, in the order written."""
        abilities = tuple(self.abilities(path, table, boxed))
        self.check_evolving(path, abilities, table)
        return abilities

    def in_discard(
        self, path: KeyPath, table: dict[str, Any], boxed: Mapping[str, list[Any]]
    ) -> tuple[tuple[ConstantAbility, ...], tuple[TriggeredAbility, ...]]:
        """The constant abilities of a card in a discard pile, and the triggered one."""
        read = self.abilities(path, table, boxed)
        triggered = tuple(ability for ability in read if isinstance(ability, TriggeredAbility))
        if len(triggered) > 1:
            problem = "the card has a line for 'when you lose life' already"
            self.note(path, self.places.value(path), problem)
        constant = tuple(ability for ability in read if isinstance(ability, ConstantAbility))
        return constant, triggered[:1]

    def check_evolving(
        self,
        path: KeyPath,
        abilities: tuple[Instruction, ...] | tuple[ConstantAbility, ...],
        table: dict[str, Any],
    ) -> None:
        """Notes a line that makes the card evolve although it has no next stage."""
        if "evolves_to" not in table and any(map(evolves, abilities)):
            problem = "the card evolves, but has no field 'evolves_to'"
            self.note(path, self.places.value(path), problem)

    def line(
        self, path: KeyPath, index: int, line: str, parse: Callable[[str], _Parsed]
    ) -> _Parsed | None:
        """One line of the card language: the ``index``-th string of its field."""
        from card_data.mindbug.language.parser import LanguageError

        if len(line) > MAX_LINE:
            at = self.places.in_string(path, index, line, MAX_LINE)
            self.note(path, at, f"the line is longer than {MAX_LINE:,} characters")
            return None
        try:
            return parse(line)
        except LanguageError as error:
            if not self.guesses:
                at = self.places.in_string(path, index, line, 0)
                self.note(path, at, "this is no line of the card language")
                return None
            for problem in error.problems:
                self.note(
                    path,
                    self.places.in_string(path, index, line, problem.offset),
                    problem.message,
                    found=problem.found,
                    allowed=problem.allowed,
                    nearest=problem.nearest,
                )
            return None
