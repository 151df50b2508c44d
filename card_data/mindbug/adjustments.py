"""Small changes to a pool: what may be changed, how much each change counts, the changed pool.

An *adjustment* sets one thing to another value: the printed power of a card, one of its keywords,
its copies, a number of the rules, or how it is found who starts.  A card is changed in its place
and keeps its id.  Dealing goes by place, so the same seed deals the same cards unless copies are
changed.

A revealed card (R11) is held by nobody and a coin knows no cards, so who starts has no bearing on
who was dealt what with either: higher card, lower card and coin give the player who starts the same
chances, and no adjustment puts one for another.  The hands dealt do have a bearing.
"""

from collections.abc import Iterable, Iterator, Mapping
from typing import Any

from attrs import evolve, frozen

from card_data.mindbug.modes import MODES, Modes
from card_data.mindbug.schema import MAX_COPIES, MAX_POWER, MIN_POWER, Card, Pool
from card_data.mindbug.variants import dealt_cards, with_card
from card_data.mindbug.vocabulary import Keyword

#: What may be changed, by the words of the command line.
POWER, KEYWORDS, COPIES, LIFE, MINDBUGS, HAND_SIZE, WHO_STARTS = LEVERS = (
    *("power", "keywords", "copies", "life", "mindbugs", "hand_size", "who_starts"),
)
#: The levers that are about a card; the others are rules, modes of the pool.
OF_CARDS = (POWER, KEYWORDS, COPIES)

#: How much a step counts: one of power or one copy 1, a keyword or one step of a rule 2, since it
#: changes what a card is, or the whole game.
WEIGHTS: Mapping[str, int] = {
    POWER: 1,
    KEYWORDS: 2,
    COPIES: 1,
    LIFE: 2,
    MINDBUGS: 2,
    HAND_SIZE: 2,
    WHO_STARTS: 2,
}
#: Steps of power that are tried either way.
POWER_STEP = 2

#: Ways to find who starts that have no bearing on who was dealt what, of which the first stands for
#: all, and those that do.
_BY_CHANCE = ("higher_card", "lower_card", "random")
_BY_HANDS = ("weaker_hand", "stronger_hand")


@frozen
class Adjustment:
    """One thing set to another value.

    ``value`` is the new power, the new number of copies or the new value of a rule, a text for who
    starts; of a keyword it is 1 if the card gets it and 0 if it loses it.  ``card_id`` is empty for
    a rule.  ``amount`` is how much the change counts.
    """

    lever: str
    value: int | str
    amount: int
    card_id: str = ""
    keyword: Keyword | None = None

    @property
    def thing(self) -> tuple[str, str, str]:
        """What is changed; two adjustments of one thing exclude each other."""
        return self.lever, self.card_id, "" if self.keyword is None else self.keyword.name

    @property
    def name(self) -> str:
        """Its name in tables: "killer_bee.power=4", "killer_bee.SNEAKY=1", "life=4"."""
        field = self.lever if self.keyword is None else self.keyword.name
        return f"{self.card_id}.{field}={self.value}" if self.card_id else f"{field}={self.value}"


def adjustments_of(
    pool: Pool,
    levers: Iterable[str],
    cards: Iterable[Card] | None = None,
    *,
    power_step: int = POWER_STEP,
    weights: Mapping[str, int] = WEIGHTS,
) -> list[Adjustment]:
    """Every adjustment that is allowed, those of one thing together.

    Parameters
    ----------
    levers
        Some of `LEVERS`.
    cards
        The cards that may be changed; default: all that are dealt.
    power_step
        By how much a power may be changed, either way.  Copies and numbers of rules move by one.
    weights
        How much one step of each lever counts, 1 or more.
    """
    levers = set(levers)
    found: list[Adjustment] = []
    for card in dealt_cards(pool) if cards is None else cards:
        found += _of_card(card, levers, power_step, weights)
    for rule in [lever for lever in LEVERS if lever in levers and lever not in OF_CARDS]:
        values = _other_values(pool.modes, rule)
        found += [Adjustment(rule, value, weights[rule]) for value in values]
    return found


def adjusted(pool: Pool, adjustments: Iterable[Adjustment]) -> Pool:
    """The pool with some adjustments, of which no two are of the same thing."""
    for change in adjustments:
        changed: dict[str, Any] = {change.lever: change.value}
        if not change.card_id:
            pool = evolve(pool, modes=evolve(pool.modes, **changed))
            continue
        (card,) = (card for card in dealt_cards(pool) if card.card_id == change.card_id)
        if change.keyword is not None:
            card = evolve(card, keywords=card.keywords ^ {change.keyword})
        else:
            card = evolve(card, **changed)
        pool = with_card(pool, card)
    return pool


def _other_values(modes: Modes, rule: str) -> list[Any]:
    """What else a rule may be: one more or less, or another way to find who starts."""
    now = getattr(modes, rule)
    if rule == WHO_STARTS:
        kept = _BY_CHANCE if now in _BY_CHANCE else (now,)
        return [way for way in (_BY_CHANCE[0], *_BY_HANDS) if way not in kept]
    return [value for value in (now - 1, now + 1) if MODES[rule].holds(value)]


def _of_card(
    card: Card, levers: set[str], power_step: int, weights: Mapping[str, int]
) -> Iterator[Adjustment]:
    """The adjustments of one card."""
    if POWER in levers:
        for step in range(-power_step, power_step + 1):
            if step and MIN_POWER <= card.power + step <= MAX_POWER:
                amount = abs(step) * weights[POWER]
                yield Adjustment(POWER, card.power + step, amount, card.card_id)
    if KEYWORDS in levers:
        for word in Keyword:
            value = int(word not in card.keywords)
            yield Adjustment(KEYWORDS, value, weights[KEYWORDS], card.card_id, word)
    if COPIES in levers:
        for copies in (card.copies - 1, card.copies + 1):
            if 1 <= copies <= MAX_COPIES:
                yield Adjustment(COPIES, copies, weights[COPIES], card.card_id)
