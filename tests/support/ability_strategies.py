"""Hypothesis strategies for everything that a line of the card language can say."""

from hypothesis import strategies as st

from card_data.schema import (
    MAX_NUMBER,
    Condition,
    ConstantAbility,
    Creatures,
    Instruction,
    TriggeredAbility,
    Value,
)
from card_data.vocabulary import (
    Choice,
    Comparison,
    Effect,
    Extreme,
    Keyword,
    Player,
    Quantity,
    Rule,
    Side,
    Timing,
)
from support.random_cards import EFFECTS, QUANTITIES, RULES, TRIGGERS

numbers = st.integers(1, MAX_NUMBER)
players = st.sampled_from(Player)
this = st.just(Creatures(this=True))
some_keywords = st.frozensets(st.sampled_from(Keyword), min_size=1)
power_ranges = st.one_of(
    st.tuples(st.just(0), numbers),
    st.tuples(numbers, st.just(MAX_NUMBER)),
    st.tuples(numbers, numbers).map(lambda pair: (min(pair), max(pair))),
)


@st.composite
def groups(
    draw: st.DrawFn, *, sides: type[Side] | tuple[Side, ...] = Side, power: bool = True,
    keywords: bool = True,
) -> Creatures:  # fmt: skip
    """A described group; without ``power`` no filter on power or its extremes is drawn."""
    least, most = draw(power_ranges) if power and draw(st.booleans()) else (0, MAX_NUMBER)
    return Creatures(
        side=draw(st.sampled_from(sides)),
        other=draw(st.booleans()),
        power_min=least,
        power_max=most,
        keywords=draw(st.just(frozenset()) | some_keywords) if keywords else frozenset(),
        extreme=draw(st.sampled_from(Extreme)) if power else Extreme.NONE,
    )


def values(**group: bool) -> st.SearchStrategy[Value]:
    """A number read off the table."""
    named = [quantity for quantity in QUANTITIES if quantity not in (0, Quantity.CREATURES)]
    return st.one_of(
        st.builds(Value, st.just(Quantity.NUMBER), number=st.integers(0, MAX_NUMBER)),
        st.builds(Value, st.sampled_from(named), player=players),
        st.builds(Value, st.just(Quantity.CREATURES), creatures=groups(**group)),
    )


def conditions(**group: bool) -> st.SearchStrategy[Condition]:
    """A comparison of two numbers."""
    return st.builds(Condition, values(**group), st.sampled_from(Comparison), values(**group))


@st.composite
def instructions(draw: st.DrawFn) -> Instruction:
    """Any instruction, with or without a condition."""
    effect = draw(st.sampled_from(EFFECTS))
    fields: dict[str, object] = {"condition": draw(st.none() | conditions())}
    if effect in (Effect.DEFEAT, Effect.TAKE_CONTROL):
        sides = Side if effect is Effect.DEFEAT else (Side.ANY, Side.ENEMY)
        fields["creatures"] = creatures = draw(this | groups(sides=sides))
        choice = Choice.ALL if creatures.this else draw(st.sampled_from(Choice))
        fields |= {"choice": choice, "count": 0 if choice is Choice.ALL else draw(numbers)}
    elif effect is Effect.STEAL_RANDOM:
        fields["count"] = draw(numbers)
    else:
        fields["player"] = draw(players)
        if effect in (Effect.GAIN_LIFE, Effect.LOSE_LIFE, Effect.DISCARD):
            fields["count"] = draw(numbers)
        if effect is Effect.SET_LIFE:
            fields["value"] = draw(values())
    return Instruction(effect, **fields)  # type: ignore[arg-type]


triggered_abilities = st.builds(
    TriggeredAbility,
    st.sampled_from(TRIGGERS),
    st.lists(instructions(), min_size=1, max_size=3).map(tuple),
)


@st.composite
def constant_abilities(draw: st.DrawFn) -> ConstantAbility:
    """Any constant ability that the layers of R85 allow."""
    rule = draw(st.sampled_from(RULES))
    filters = {
        "power": rule is not Rule.POWER,
        "keywords": rule not in (Rule.POWER, Rule.KEYWORDS, Rule.COPY_KEYWORDS),
    }
    fields: dict[str, object] = {
        "timing": draw(st.sampled_from(Timing)),
        "condition": draw(st.none() | conditions(**filters)),
    }
    if rule is not Rule.NO_PLAY_EFFECTS:
        fields["creatures"] = draw(this if rule is Rule.COPY_KEYWORDS else this | groups(**filters))
    if rule is Rule.POWER:
        fields["power"] = draw(numbers) * draw(st.sampled_from((1, -1)))
        fields["keywords"] = draw(st.just(frozenset()) | some_keywords)
    elif rule in (Rule.KEYWORDS, Rule.COPY_KEYWORDS):
        fields["keywords"] = draw(some_keywords)
    return ConstantAbility(rule, **fields)  # type: ignore[arg-type]


abilities = triggered_abilities | constant_abilities()
