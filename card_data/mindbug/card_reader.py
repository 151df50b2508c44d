"""The data of one card file to checked objects: fields, types, limits and ability lines."""

from collections.abc import Iterable, Mapping, Sequence
from functools import partial
from typing import Any

from attrs import evolve

from card_data.faults import shown
from card_data.mindbug import card_fields, schema
from card_data.mindbug.evolution import Evolution, evolves
from card_data.mindbug.language.foreign_wordings import nearest_field
from card_data.mindbug.vocabulary import Trigger
from card_data.names import MAX_NAME, free_id, is_id, is_name, plain_key
from card_data.schema.fields import Whole
from card_data.schema.value_reader import At, ValueReader
from card_data.toml_files import holds_tables
from card_data.toml_places import KeyPath, TomlPlaces


class CardReader(ValueReader):
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

    def card_set(self, set_id: str, data: dict[str, Any]) -> schema.CardSet:
        """The set that a whole file describes."""
        if not is_name(set_id):
            self.note((), 0, f"the file name has to be 1 to {MAX_NAME} printable characters")
        facts = dict(data)
        name = self.held(("name",), facts) if "name" in facts else self.no_name()
        facts.pop("name", None)
        tables = {key: value for key, value in facts.items() if isinstance(value, dict)}
        lists = {key for key, value in facts.items() if holds_tables(value)}
        for key in sorted(facts.keys() - tables.keys()):
            if key in lists:
                an_id = free_id(str(facts[key][0].get("name", key)), (), "card")
                problem = f"a card begins with its id in one pair of brackets: [{an_id}]"
                self.note((key,), self.places.key((key,)), problem, found=key)
            else:
                self.unknown((key,), () if name else ("name",))
        if not tables and not lists:
            self.note((), 0, "there are no cards; a card begins with its id in brackets")
        if len(tables) > schema.MAX_CARDS:
            problem = (
                f"there are {len(tables):,} cards; {schema.MAX_CARDS:,} are the most of a file"
            )
            self.note((), 0, problem)
            return schema.CardSet(set_id, name, ())
        cards: list[schema.Card] = []
        power_cards: list[schema.PowerCard] = []
        for card_id, table in tables.items():
            self.check_id(card_id)
            entry = self.entry(card_id, table)
            if isinstance(entry, schema.Card):
                cards.append(entry)
            else:
                power_cards.append(entry)
        self.check_names([*cards, *power_cards])
        return schema.CardSet(
            set_id,
            name,
            tuple(sorted(self.stages(cards, tables), key=lambda card: card.card_id)),
            tuple(sorted(power_cards, key=lambda card: card.card_id)),
        )

    def no_name(self) -> str:
        """Notes that the set has none, which is easily taken for that of a card."""
        problem = 'the file has no name; write one above its cards: name = "My cards"'
        self.note(("name",), 0, problem)
        return ""

    def entry(self, card_id: str, table: dict[str, Any]) -> schema.Card | schema.PowerCard:
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
            f" {', '.join(card_fields.POWER_CARD_FIELDS)} and no others; leave it out of a creature"
        )
        self.note(path, self.places.key(path), problem, found=path[-1])

    def card(self, card_id: str, table: dict[str, Any]) -> schema.Card:
        """The creature card that a table describes, without its stage."""
        self.check_fields(card_id, table, card_fields.CREATURE_FIELDS, "a card")
        boxed = self.box((card_id, "text"), table)
        triggered = self.triggered(card_id, table, boxed)
        while_lying, life_lost = self.in_discard((card_id, "in_discard"), table, boxed)
        keywords = self.held((card_id, "keywords"), table)
        return schema.Card(
            card_id=card_id,
            name=self.held((card_id, "name"), table),
            power=self.held((card_id, "power"), table),
            keywords=keywords.union(boxed.get("keywords", [])),
            copies=self.copies((card_id, "copies"), table, 0),
            triggered=triggered + life_lost,
            constant=self.constant((card_id, "constant"), table, boxed) + while_lying,
            dice=self.held((card_id, "dice"), table),
            evolves_to=self.held((card_id, "evolves_to"), table),
        )

    def power_card(self, card_id: str, table: dict[str, Any]) -> schema.PowerCard:
        """The power card that a table describes."""
        self.check_fields(card_id, table, card_fields.POWER_CARD_FIELDS, "a power card")
        return schema.PowerCard(
            card_id=card_id,
            name=self.held((card_id, "name"), table),
            cost=self.held((card_id, "cost"), table),
            bought=self.held(
                (card_id, "text" if "text" in table and "bought" not in table else "bought"), table
            ),
            copies=self.copies((card_id, "copies"), table, 1),
        )

    def held(self, path: KeyPath, table: Mapping[str, Any]) -> Any:
        """What a field holds; where it is missing, the least that it could."""
        field = card_fields.CARD_FIELDS[path[-1]]
        if path[-1] in table:
            return field.read(self, At(path), table[path[-1]])
        if not field.required:
            return field.default
        self.missing(path)
        if isinstance(field, Whole):
            return field.low
        return "" if isinstance(field, card_fields.Name) else ()

    def copies(self, path: KeyPath, table: dict[str, Any], least: int) -> int:
        """How many copies of a card are in the pool; 1 where there is no proper number."""
        copies = Whole(least, schema.MAX_COPIES).read(self, At(path), table.get("copies", 1))
        return copies or int(type(table.get("copies")) is not int or table["copies"] != 0)

    def stages(
        self, cards: list[schema.Card], tables: Mapping[str, dict[str, Any]]
    ) -> list[schema.Card]:
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

    def check_names(self, cards: list[schema.Card | schema.PowerCard]) -> None:
        """Notes every card that bears the name of an earlier one, such as a second copy."""
        first: dict[str, schema.Card | schema.PowerCard] = {}
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

    def triggered(
        self, card_id: str, table: dict[str, Any], boxed: Mapping[str, list[Any]]
    ) -> tuple[schema.TriggeredAbility, ...]:
        """The triggered abilities of a card in play, in the order of their triggers."""
        abilities: dict[Trigger, schema.TriggeredAbility] = {}
        for key in [key for key in card_fields.TRIGGER_FIELDS if key in table or key in boxed]:
            path = (card_id, key if key in table else "text")
            instructions = self.held(path, table) if key in table else boxed[key][0]
            for trigger in card_fields.TRIGGER_FIELDS[key]:
                if trigger in abilities:
                    problem = f"the card has a {trigger.name.capitalize()} ability already"
                    self.note(path, self.places.key(path), problem)
                abilities[trigger] = schema.TriggeredAbility(trigger, instructions)
            self.check_evolving(path, instructions, table)
        return tuple(abilities[trigger] for trigger in sorted(abilities))

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
            twice = piece.field in card_fields.TRIGGER_FIELDS and piece.field in {*found, *table}
            if twice:
                at = self.places.in_string(path, 0, text, piece.start)
                self.note(path, at, f"the card has a '{piece.field}' ability already")
            read = card_fields.read_line(self, path, 0, text, partial(parse_piece, piece))
            if read and not twice:
                found.setdefault(piece.field, []).extend(read)
        return found

    def abilities(
        self, path: KeyPath, table: dict[str, Any], boxed: Mapping[str, list[Any]]
    ) -> tuple[Any, ...]:
        """The abilities in the lines of a field, and those that the rules box has for it."""
        return (*self.held(path, table), *boxed.get(path[-1], []))

    def constant(
        self, path: KeyPath, table: dict[str, Any], boxed: Mapping[str, list[Any]]
    ) -> tuple[schema.ConstantAbility, ...]:
        """The constant abilities of a card in play, in the order written."""
        abilities = self.abilities(path, table, boxed)
        self.check_evolving(path, abilities, table)
        return abilities

    def in_discard(
        self, path: KeyPath, table: dict[str, Any], boxed: Mapping[str, list[Any]]
    ) -> tuple[tuple[schema.ConstantAbility, ...], tuple[schema.TriggeredAbility, ...]]:
        """The constant abilities of a card in a discard pile, and the triggered one."""
        read = self.abilities(path, table, boxed)
        triggered = tuple(
            ability for ability in read if isinstance(ability, schema.TriggeredAbility)
        )
        if len(triggered) > 1:
            problem = "the card has a line for 'when you lose life' already"
            self.note(path, self.places.value(path), problem)
        constant = tuple(ability for ability in read if isinstance(ability, schema.ConstantAbility))
        return constant, triggered[:1]

    def check_evolving(
        self,
        path: KeyPath,
        abilities: tuple[schema.Instruction, ...] | tuple[schema.ConstantAbility, ...],
        table: dict[str, Any],
    ) -> None:
        """Notes a line that makes the card evolve although it has no next stage."""
        if "evolves_to" not in table and any(map(evolves, abilities)):
            problem = "the card evolves, but has no field 'evolves_to'"
            self.note(path, self.places.value(path), problem)
