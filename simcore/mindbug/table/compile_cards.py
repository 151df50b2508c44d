"""Cards as integers: ``compile_cards`` turns checked cards into one record for the kernels.

The record is an *argument* of the compiled engine: a new card or a changed number never recompiles
anything.  Descriptions, values and conditions are rows of their own small columns, so that
instructions and constant abilities share one reading of "enemy creatures with power <= 4".
"""

from collections.abc import Mapping, Sequence
from enum import IntEnum
from typing import Any

import numpy as np
from attrs import evolve

from card_data.mindbug.modes import MODES, Modes
from card_data.mindbug.schema import (
    MAX_NUMBER,
    Card,
    Cards,
    CardSet,
    Condition,
    Conditions,
    ConstantAbility,
    Creatures,
    Instruction,
    Pool,
    PowerCard,
    TriggeredAbility,
    Value,
    parts_of,
)
from card_data.mindbug.vocabulary import (
    Choice,
    Comparison,
    Effect,
    Keyword,
    Quantity,
    Rule,
    Ruling,
    Side,
    Timing,
    Trigger,
    WhoStarts,
    Zone,
)
from simcore.mindbug.table.card_table import (
    CARD_TABLE,
    GROUP,
    MAX_CARDS,
    MAX_FACES,
    MAX_ROWS,
    CardTable,
)
from simcore.mindbug.table.state import (
    ADDS_DICE,
    ADDS_LOSS,
    ADDS_REROLLS,
    CANNOT_BE_DEFEATED,
    CHANGES_POWER,
    CHOOSES_BLOCKERS,
    COPIES_KEYWORDS,
    ENDS_OWN_TURN,
    EVOLVES_INSTEAD,
    FIRST_LATER_TRAIT,
    GIVES,
    GIVES_TO_OTHERS,
    GRANTS_ATTACK,
    GRANTS_KEYWORDS,
    HAS_DICE,
    IN_DISCARD,
    KEEPS_LIFE,
    LIMITS_HUNTS,
    MAX_POOL,
    MAX_POWER_CARDS,
    MUST_BE_HUNTED,
    REVERSES_FIGHTS,
    STOPS_ATTACKS,
    STOPS_BLOCKS,
    STOPS_BLOCKS_OF_THIS,
    STOPS_HANDS,
    STOPS_MINDBUGS,
    STOPS_PLAY_EFFECTS,
    STOPS_PLAYS,
    TIMED,
    TRIGGER_TRAIT,
    VOLATILE,
)
from simcore.mindbug.table.unknown_words import UnknownWordError

#: Stands for an open upper bound: current power has no maximum.
NO_LIMIT = 32_767

_TRAIT_OF_RULE = {
    Rule.POWER: CHANGES_POWER,
    Rule.KEYWORDS: GRANTS_KEYWORDS,
    Rule.COPY_KEYWORDS: COPIES_KEYWORDS,
    Rule.CANNOT_ATTACK: STOPS_ATTACKS,
    Rule.CANNOT_BLOCK: STOPS_BLOCKS,
    Rule.CANNOT_BLOCK_THIS: STOPS_BLOCKS_OF_THIS,
    Rule.NO_PLAY_EFFECTS: STOPS_PLAY_EFFECTS,
    Rule.CANNOT_BE_DEFEATED: CANNOT_BE_DEFEATED,
    Rule.EVOLVE_INSTEAD: EVOLVES_INSTEAD,
    Rule.ONLY_BLOCK_THIS: CHOOSES_BLOCKERS,
    Rule.CANNOT_HUNT: LIMITS_HUNTS,
    Rule.MUST_HUNT_THIS: MUST_BE_HUNTED,
    Rule.REVERSE_FIGHT: REVERSES_FIGHTS,
    Rule.HAVE_ATTACK: GRANTS_ATTACK,
    Rule.MORE_LIFE_LOSS: ADDS_LOSS,
    Rule.NO_LIFE_LOSS: KEEPS_LIFE,
    Rule.NO_CARDS_TO_HAND: STOPS_HANDS,
    Rule.CANNOT_PLAY: STOPS_PLAYS,
    Rule.NO_MINDBUGS: STOPS_MINDBUGS,
    Rule.MORE_DICE: ADDS_DICE,
    Rule.MORE_REROLLS: ADDS_REROLLS,
}
_NAMES_ALLIED = {Side.ANY: True, Side.ALLIED: True, Side.ENEMY: False}
_NAMES_ENEMY = {Side.ANY: True, Side.ALLIED: False, Side.ENEMY: True}
_TURNS = {Timing.YOUR_TURN: 1, Timing.OPPONENTS_TURN: 2, Timing.ALWAYS: 3}
_MODIFIERS = frozenset({Rule.POWER, Rule.KEYWORDS, Rule.COPY_KEYWORDS})


class _Compiler:
    """Fills one CARD_TABLE record; equal descriptions, values and conditions share a row."""

    def __init__(self, record: np.void) -> None:
        self.record = record
        self._row_of: dict[object, int] = {}
        self._used = dict.fromkeys(("instructions", "rules", "values", "conditions"), 0)
        self._becoming: list[tuple[int, Instruction]] = []

    def _add(self, rows: str, **fields: int | tuple[int, ...]) -> int:
        """Fill the next free row of ``rows``; its number."""
        row = self._used[rows]
        if row >= MAX_ROWS:
            raise ValueError(f"the cards need more than {MAX_ROWS} {rows}; use fewer cards")
        self._used[rows] += 1
        for name, value in fields.items():
            self.record[rows][name][row] = value
        return row

    def _value(self, value: Value | None) -> int:
        if value is None:
            return -1
        if value not in self._row_of:
            self._row_of[value] = self._add(
                "values",
                quantity=value.quantity,
                player=value.player,
                number=value.number,
                group=_group(value.creatures),
            )
        return self._row_of[value]

    def _condition(self, condition: Condition | Conditions | None) -> int:
        """Row of the first of several conditions that are joined; each names the next one."""
        row = -1
        any_of = isinstance(condition, Conditions) and condition.any_of
        for part in reversed(parts_of(condition)):
            joined = (part, row, any_of and row >= 0)
            if joined not in self._row_of:
                is_number = part.right.quantity == Quantity.NUMBER
                self._row_of[joined] = self._add(
                    "conditions",
                    comparison=part.comparison,
                    any_of=any_of,
                    next=row,
                    left=self._value(part.left),
                    right=-1 if is_number else self._value(part.right),
                    number=part.right.number if is_number else 0,
                )
            row = self._row_of[joined]
        return row

    def program(self, instructions: Sequence[Instruction]) -> int:
        """Rows of one ability; the number of the first instruction."""
        lines = list(instructions)
        special = any(_is_special(instruction) for instruction in lines)
        modes = [mode for instruction in lines for mode in instruction.modes]
        first = self._used["instructions"]
        place_of_modes = first + len(lines)
        for number, instruction in enumerate(lines, start=1):
            following = first + number if number < len(lines) else -1
            self._instruction(instruction, special, following, place_of_modes)
            place_of_modes += len(instruction.modes)
        for number, instruction in enumerate(lines, start=1):
            following = first + number if number < len(lines) else -1
            for mode in instruction.modes:
                self._instruction(mode, True, following, -1)
        if len(modes) != place_of_modes - first - len(lines):
            raise AssertionError("modes of modes have no rows")
        return first

    def _instruction(
        self, instruction: Instruction, special: bool, following: int, first_mode: int
    ) -> None:
        """Row of one instruction; ``following`` is the row that is performed next."""
        cards = instruction.cards
        rule = instruction.rule
        row = self._add(
            "instructions",
            effect=instruction.effect,
            player=instruction.player,
            choice=instruction.choice,
            special=special,
            may=instruction.may,
            if_done=instruction.if_done,
            die_from=instruction.die_from,
            without_play=instruction.without_play_effects,
            or_keep=instruction.or_keep,
            as_loss=instruction.as_loss,
            **_cards(cards),
            keywords=_keyword_bits(instruction.keywords),
            count=len(instruction.modes) or instruction.count,
            group=_group(self._creatures(instruction)),
            value=self._value(instruction.value),
            condition=self._condition(instruction.condition),
            per=self._value(instruction.per),
            rule=-1,
            first_mode=first_mode if instruction.modes else -1,
            face=-1,
            next=following,
        )
        if rule is not None:
            self.record["instructions"]["rule"][row] = self._used["rules"]
            self._rule(rule, program=-1)
        if instruction.effect == Effect.BECOME:
            self._becoming.append((row, instruction))

    def _creatures(self, instruction: Instruction) -> Creatures | None:
        """Whom an instruction is about; a ruling lets a player take control of their own (O6)."""
        creatures = instruction.creatures
        ruled = int(self.record["rulings"]) >> Ruling.OWN_CREATURES_CAN_BE_TAKEN & 1
        if creatures and ruled and instruction.effect == Effect.TAKE_CONTROL:
            return evolve(creatures, side=Side.ANY)
        return creatures

    def _rule(self, ability: ConstantAbility, program: int) -> int:
        """Row of one constant ability; the traits that it gives its card, as bits."""
        cards = _cards(ability.cards)
        self._add(
            "rules",
            rule=ability.rule,
            turns=_known(_TURNS, ability.timing),
            place=ability.in_discard,
            keywords=_keyword_bits(ability.keywords),
            power=ability.power,
            group=_group(ability.creatures),
            condition=self._condition(ability.condition),
            per=self._value(ability.per),
            amount=ability.amount,
            program=program,
            ability=cards["ability"],
            power_min=cards["power_min"],
            power_max=cards["power_max"],
        )
        traits = 1 << _known(_TRAIT_OF_RULE, ability.rule) | ability.in_discard << IN_DISCARD
        if ability.rule not in _MODIFIERS:
            return traits
        if ability.rule == Rule.POWER and ability.keywords:
            traits |= 1 << GRANTS_KEYWORDS
        if ability.timing != Timing.ALWAYS:
            traits |= 1 << TIMED
        if ability.keywords and not (ability.creatures and ability.creatures.this):
            traits |= 1 << GIVES_TO_OTHERS
        read = [ability.per] if ability.per else []
        read += [v for part in parts_of(ability.condition) for v in (part.left, part.right)]
        if any(value.quantity not in (Quantity.NUMBER, Quantity.CREATURES) for value in read):
            traits |= 1 << VOLATILE
        return traits | _keyword_bits(ability.keywords) << GIVES

    def card(self, index: int, card: Card, *, kot_parts: bool) -> None:
        """Compile one card into row ``index``."""
        row = self.record["cards"][index]
        traits = _keyword_bits(card.keywords)
        row["power"] = card.power
        row["dice"] = card.dice
        row["stage"] = card.stage
        row["next_face"] = -1
        row["first_face"] = index
        row["program"] = -1
        if card.dice and kot_parts:
            traits |= 1 << HAS_DICE
        for triggered in card.triggered:
            own_turn = triggered.trigger == Trigger.END_OF_TURN and _asks_for_own_turn(triggered)
            trait = _known(dict(enumerate(TRIGGER_TRAIT)), triggered.trigger)
            traits |= 1 << (ENDS_OWN_TURN if own_turn else trait)
            row["program"][triggered.trigger] = self.program(triggered.instructions)
        constants = in_table_order(card.constant)
        programs = [self.program(c.instructions) if c.instructions else -1 for c in constants]
        row["first_rule"] = row["end_power_rule"] = self._used["rules"]
        for constant, program in zip(constants, programs, strict=True):
            traits |= self._rule(constant, program)
            row["end_power_rule"] += constant.rule == Rule.POWER
        row["end_rule"] = self._used["rules"]
        row["traits"] = traits

    def faces(self, cards: Sequence[Card], *, kot_parts: bool) -> list[Card]:
        """Compile cards, and behind them all that they can become (C45); all of these faces."""
        faces = list(cards)
        index = 0
        while index < len(faces):
            card = faces[index]
            self.card(index, card, kot_parts=kot_parts)
            for row, instruction in self._becoming:
                face = _become(card, instruction)
                if face not in faces:
                    _check_faces(len(faces) - len(cards), card)
                    faces.append(face)
                self.record["instructions"]["face"][row] = faces.index(face)
            self._becoming.clear()
            index += 1
        return faces

    def evolution(self, faces: Sequence[Card], first: int, index: int) -> None:
        """Tie the stages of the card of row ``index`` together; its set begins at ``first``."""
        rows = self.record["cards"]
        row_of = {card.card_id: first + i for i, card in enumerate(faces)}
        next_id = faces[index - first].evolves_to
        if next_id is not None:
            rows["next_face"][index] = row_of[next_id]
        while next_id is not None and faces[index - first].stage == 1:
            rows["first_face"][row_of[next_id]] = index
            next_id = faces[row_of[next_id] - first].evolves_to

    @property
    def remembers_fights(self) -> bool:
        """Whether anything asks who blocked (C47) or won a fight (C56) this turn."""
        rows = {name: self.record[name][:used] for name, used in self._used.items()}
        blocks = any(
            rows[name]["group"]["has_blocked"].any() for name in rows if name != "conditions"
        )
        wins = (rows["values"]["quantity"] == Quantity.DEFEATED_BY_THIS).any()
        return bool(blocks or wins)

    @property
    def uses_unused_pile(self) -> bool:
        """Whether any instruction reaches into the unused pile."""
        rows = self.record["instructions"][: self._used["instructions"]]
        piles = (rows["zone"] == Zone.UNUSED_PILE) | (rows["effect"] == Effect.PUT_UNDER_DRAW_PILE)
        return bool(piles.any())

    @property
    def is_plain(self) -> bool:
        """Whether nothing is asked for that only expansions have; call it last."""
        record, used = self.record, self._used["instructions"]
        later = ("n_power_cards", "uses_unused_pile", "remembers_fights")
        return not (
            int(record["all_traits"]) >> FIRST_LATER_TRAIT
            or record["instructions"]["special"][:used].any()
            or any(record[name] for name in later)
        )


def _known(table: Mapping[Any, int], word: IntEnum) -> int:
    """The entry of a word in a table; a word that it does not have is an error."""
    if word not in table:
        raise UnknownWordError(word)
    return table[word]


def in_table_order(abilities: Sequence[ConstantAbility]) -> list[ConstantAbility]:
    """The constant abilities of a card in the order of its rules: those that change power first."""
    return sorted(abilities, key=lambda ability: ability.rule != Rule.POWER)


#: Effects that fast_effects.py performs.
_FAST = frozenset(
    {
        Effect.DEFEAT,
        Effect.TAKE_CONTROL,
        Effect.PLAY_CARD,
        Effect.DRAW_ALL,
        Effect.GAIN_LIFE,
        Effect.LOSE_LIFE,
        Effect.SET_LIFE,
        Effect.DISCARD,
        Effect.STEAL_RANDOM,
    }
)


def _is_special(instruction: Instruction) -> bool:
    """Whether an instruction, and so its whole ability, needs general_effects.py."""
    cards, creatures = instruction.cards, instruction.creatures
    plain_cards = cards is None or (
        instruction.count == 1
        and cards.zone == Zone.DISCARD_PILE
        and cards == Cards(zone=cards.zone, player=cards.player)
        and instruction.choice == Choice.EXACTLY
        and not instruction.without_play_effects
    )
    return (
        instruction.effect not in _FAST
        or not plain_cards
        or instruction.may
        or instruction.if_done
        or instruction.per is not None
        or instruction.die_from > 0
        or (instruction.effect == Effect.DISCARD and instruction.choice == Choice.UP_TO)
        or (creatures is not None and creatures.equal_power)
    )


def _cards(cards: Cards | None) -> dict[str, int]:
    """Fields of a description of cards outside play."""
    if cards is None:
        return {"zone": -1, "ability": -1, "power_min": 0, "power_max": NO_LIMIT}
    return {
        "zone": cards.zone,
        "ability": -1 if cards.ability is None else cards.ability,
        "power_min": cards.power_min,
        "power_max": NO_LIMIT if cards.power_max == MAX_NUMBER else cards.power_max,
    }


def _asks_for_own_turn(ability: TriggeredAbility) -> bool:
    """Whether an end-of-turn ability triggers on its controller's own turn only (C57)."""
    own_turn = Condition(Value(Quantity.MY_TURN), Comparison.EQUAL, Value(Quantity.NUMBER, 1))

    def asks(instruction: Instruction) -> bool:
        asked = instruction.condition
        either = isinstance(asked, Conditions) and asked.any_of
        return own_turn in parts_of(asked) and not either

    first, *others = ability.instructions
    return asks(first) and all(asks(other) or other.if_done for other in others)


def _group(creatures: Creatures | None) -> tuple[int, ...]:
    """A description as a GROUP row; all 0 for none."""
    if creatures is None:
        return (0,) * len(GROUP.names or ())
    filters = evolve(creatures, side=Side.ANY, other=False, this=False)
    return (
        _known(_NAMES_ALLIED, creatures.side) and not creatures.this,
        _known(_NAMES_ENEMY, creatures.side) and not creatures.this,
        creatures.other,
        creatures.this,
        filters != Creatures(),
        creatures.power_min,
        NO_LIMIT if creatures.power_max == Creatures().power_max else creatures.power_max,
        _keyword_bits(creatures.keywords),
        creatures.extreme,
        _special_filters(creatures),
        creatures.no_keyword,
        creatures.boosted,
        creatures.named_keyword,
        creatures.has_blocked,
        creatures.weaker_than_this,
        -1 if creatures.within_of_this is None else creatures.within_of_this,
        -1 if creatures.twin_side is None else creatures.twin_side,
        creatures.equal_power,
    )


def _special_filters(creatures: Creatures) -> bool:
    """Whether any of the rarer filters asks for something."""
    usual = evolve(
        Creatures(),
        side=creatures.side,
        other=creatures.other,
        this=creatures.this,
        power_min=creatures.power_min,
        power_max=creatures.power_max,
        keywords=creatures.keywords,
        extreme=creatures.extreme,
    )
    return creatures != usual


def _keyword_bits(keywords: frozenset[Keyword]) -> int:
    """Keyword set as bits, bit k for keyword k."""
    return sum(1 << keyword for keyword in keywords)


def compile_cards(
    cards: Pool | Sequence[CardSet], modes: Modes | None = None, **changes: Any
) -> CardTable:
    """Compile cards into the one table that the engine reads.

    Parameters
    ----------
    cards
        A pool, or its sets alone; each card with its number of copies (R7).
    modes
        How it is played; by default as the pool says, or the defaults of `Modes`.
    changes
        Single fields of `Modes` that are to be different.

    Raises
    ------
    ValueError
        If the pool has fewer than 20 cards (R7), more cards than the table holds, or a mode has an
        impossible value.
    TypeError
        If a change is not a field of `Modes`.
    """
    sets, usual = (cards.sets, cards.modes) if isinstance(cards, Pool) else (cards, Modes())
    modes = evolve(modes or usual, **changes)
    _check_modes(modes)
    pairs = [(card_set.set_id, card) for card_set in sets for card in card_set.cards]
    pool = [index for index, (_, card) in enumerate(pairs) for _ in range(card.copies)]
    power_cards = [
        card for card_set in sets for card in card_set.power_cards for _ in range(card.copies)
    ]
    _check_pool(", ".join(card_set.set_id for card_set in sets), pairs, pool, power_cards)
    rows = np.zeros(1, CARD_TABLE)
    record = rows[0]
    record["pool_size"] = len(pool)
    record["pool"][: len(pool)] = pool
    _fill_modes(record, modes)
    compiler = _Compiler(record)
    faces = compiler.faces([card for _, card in pairs], kot_parts=modes.kot_parts)
    first = 0
    for card_set in sets:
        for index in range(first, first + len(card_set.cards)):
            compiler.evolution(card_set.cards, first, index)
        first += len(card_set.cards)
    for made in range(len(pairs), len(faces)):
        base = next(i for i, (_, card) in enumerate(pairs) if card.card_id == faces[made].card_id)
        for name in ("next_face", "first_face"):
            record["cards"][name][made] = record["cards"][name][base]
    record["all_traits"] = np.bitwise_or.reduce(record["cards"]["traits"][: len(faces)])
    if modes.kot_parts:
        record["n_power_cards"] = len(power_cards)
        record["least_cost"] = min((card.cost for card in power_cards), default=0)
    for i, power_card in enumerate(power_cards):
        record["power_cards"][i] = (power_card.cost, compiler.program(power_card.bought))
    record["uses_unused_pile"] = compiler.uses_unused_pile
    record["remembers_fights"] = compiler.remembers_fights
    record["plain"] = compiler.is_plain
    return CardTable(
        rows,
        tuple(card for _, card in pairs),
        tuple(set_id for set_id, _ in pairs),
        tuple(faces),
        tuple(power_cards),
        modes,
    )


def _fill_modes(record: np.void, modes: Modes) -> None:
    """How the pool is played, as fields of the table.  Modifies record."""
    for name in ("turn_cap", "effect_cap", "life", "mindbugs", "hand_size", "kot_parts"):
        record[name] = getattr(modes, name)
    record["who_starts"] = WhoStarts[modes.who_starts.upper()]
    record["life_decides"] = modes.at_turn_cap == "higher_life"
    record["extra_action"] = modes.after_mindbug == "action"
    record["rulings"] = sum(1 << ruling for ruling in modes.rulings)


def _become(card: Card, instruction: Instruction) -> Card:
    """What a card is after BECOME: other power and keywords, without the ability that did it."""
    triggered = tuple(a for a in card.triggered if a.trigger != Trigger.EXHAUSTED)
    return evolve(card, power=instruction.count, keywords=instruction.keywords, triggered=triggered)


def _check_faces(made: int, card: Card) -> None:
    """Refuse one face more than the table holds."""
    if made == MAX_FACES:
        raise ValueError(
            f"{card.card_id}: creatures can become more than {MAX_FACES} other creatures; "
            "use fewer cards that say so"
        )


def _check_modes(modes: Modes) -> None:
    """Refuse impossible modes."""
    for name, field in MODES.items():
        value = getattr(modes, name)
        if name != "rulings" and not field.holds(value):
            raise ValueError(f"{name} is {value!r}; it must be {field.wanted}")


def _check_pool(
    names: str, pairs: Sequence[object], pool: Sequence[int], power_cards: Sequence[PowerCard]
) -> None:
    """Refuse a pool that is too small to be dealt or too large for the table."""
    if len(pool) < 20:
        raise ValueError(
            f"{names}: the pool has {len(pool)} cards, copies counted; a game deals 20 (R8). "
            "Add cards or copies."
        )
    if len(pool) > MAX_POOL or len(pairs) > MAX_CARDS - MAX_FACES:
        raise ValueError(
            f"{names}: the pool has {len(pairs)} different cards and {len(pool)} in all; "
            f"at most {MAX_CARDS - MAX_FACES} and {MAX_POOL} fit"
        )
    if len(power_cards) > MAX_POWER_CARDS:
        raise ValueError(
            f"{names}: there are {len(power_cards)} power cards; at most {MAX_POWER_CARDS} fit"
        )
