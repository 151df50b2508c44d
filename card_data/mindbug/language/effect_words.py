"""The effect words: what a line calls them, what a card says of them, and what they make.

A row of ``EFFECT_WORDS`` is one alternative of the grammar.  From it come the grammar's line, what
the builder makes of it, the canonical line, the text for reading, the reference page and most
checks.  What is more than words and parts stands in ``grammar.lark`` itself, with a method in
``builder.py``, and entries in ``line_formatter.py`` and ``rules_text.py``.

A *part* is a name in braces: ``{targets}``.  In a line it is a rule of the grammar (``PARTS``); a
word in parentheses may be left out and never is canonical.  The text for reading may name other
parts of an instruction than its line does (``rules_text.TEXT_PARTS``).
"""

import re
from collections.abc import Callable, Iterable, Mapping
from string import Template
from typing import Any

from attrs import field, frozen

from card_data.mindbug.schema import MAX_NUMBER, Cards, Creatures, Instruction, Value
from card_data.mindbug.vocabulary import Choice, Effect, Player, Quantity, Zone

_Fields = Mapping[str, Any]
_TOKEN = re.compile(r"\{(\w+)\}|\((\w+)\)|([\w']+|,)")


@frozen
class Part:
    """A part of a line: the symbol of the grammar, and the fields that its value gives."""

    symbol: str
    fields: Callable[[Any], _Fields]


def _all_fields(fields: _Fields) -> _Fields:
    return fields


#: What can stand in the braces of a line.
PARTS = {
    "targets": Part("targets", _all_fields),
    "creature": Part("creature", _all_fields),
    "cards": Part("cards", _all_fields),
    "random_cards": Part("random_cards", lambda count: {"count": count}),
    "count": Part("NUMBER", lambda count: {"count": count}),
    "left": Part("NUMBER", lambda left: {"value": Value(Quantity.NUMBER, left)}),
    "whose": Part("whose", lambda player: {"player": player}),
    "value": Part("value", lambda value: {"value": value}),
    "repeat": Part("repeat", lambda per: {"per": per}),
}


@frozen
class EffectWord:
    """One way in which a line names an effect.

    ``name`` is that of its node in the parse tree; ``always`` are fields that its instruction has
    besides those of its parts.  ``needs_creature`` if it speaks of the source as of a creature;
    ``never`` names sides that its creatures cannot be on, and why.
    """

    name: str
    effect: Effect
    line: str
    text: str
    meaning: str
    example: str
    always: _Fields = field(factory=dict)
    needs_creature: bool = False
    never: tuple[frozenset[str], str] | None = None

    @property
    def parts(self) -> list[str]:
        """The parts of its line, in their order."""
        return [token[1] for token in _TOKEN.finditer(self.line) if token[1]]

    @property
    def canonical(self) -> str:
        """Its line without the words that may be left out."""
        return re.sub(r"\(\w+\) ", "", self.line)

    def instruction(self, values: Iterable[Any]) -> Instruction:
        """What a line means; ``values`` are those of its parts."""
        fields = dict(self.always)
        for part, value in zip(self.parts, values, strict=True):
            fields |= PARTS[part].fields(value)
        return Instruction(self.effect, **fields)

    def fits(self, instruction: Instruction) -> bool:
        """Whether the instruction can be said with this word."""
        return instruction.effect is self.effect and all(
            getattr(instruction, name) == value for name, value in self.always.items()
        )

    def alternative(self, head: str = "|") -> str:
        """Its line in the grammar, below its meaning and its example; ``head`` begins it."""
        symbols = []
        for part, optional, word in _TOKEN.findall(self.line):
            if part:
                symbols.append(PARTS[part].symbol)
            else:
                symbols.append(f'"{optional}"?' if optional else f'"{word}"')
        return f"//: {self.meaning}\n//> {self.example}\n{head} {' '.join(symbols)} -> {self.name}"


_YOURS = {"player": Player.YOU}
_THEIRS = {"player": Player.OPPONENT}
_THIS = {"creatures": Creatures(this=True), "choice": Choice.ALL, "count": 0}
_ALL_BOOSTS = {
    "cards": Cards(Zone.BOOSTS_OF_THIS),
    "choice": Choice.UP_TO,
    "count": MAX_NUMBER,
}
_CONTROLLED = "you control allied creatures already; they are no legal targets (R45)"
_NOT_YOURS = "the opponent controls enemy creatures already; they are no legal targets"
_TRIGGERED = "only the Play effect of 'an allied creature' can be triggered (C40)"

#: Effects on creatures.
ON_CREATURES = (
    EffectWord(
        "defeat",
        Effect.DEFEAT,
        line="defeat {targets}{repeat}",
        text="defeat {targets}{repeat}",
        meaning=(
            "The targets are defeated, all at the same moment (R50, R92).  With `for each` "
            "targets are chosen and defeated that many times, one time after another (R51)."
        ),
        example="play: defeat all enemy creatures with power <= 4",
    ),
    EffectWord(
        "take_control",
        Effect.TAKE_CONTROL,
        line="take control of {targets}",
        text="take control of {targets}",
        meaning=(
            "The targets move to your play area as they are (R95).  Creatures that you control "
            "already are never legal targets (R45)."
        ),
        example="defeated: take control of up to 2 enemy creatures with power <= 5",
        never=(frozenset({"allied"}), _CONTROLLED),
    ),
    EffectWord(
        "give_control",
        Effect.GIVE_CONTROL,
        line="the opponent takes control of {targets}",
        text="your opponent takes control of {targets}",
        meaning="The targets move to the opponent's play area as they are (R95, C18).",
        example="play: the opponent takes control of this",
        never=(frozenset({"enemy"}), _NOT_YOURS),
    ),
    EffectWord(
        "return_to_hand",
        Effect.RETURN_TO_HAND,
        line="return {targets} from play",
        text="return {targets} to {their_hand}",
        meaning="The targets go to the hand of the player who controls them (R94).",
        example="play: return all enemy creatures from play",
    ),
    EffectWord(
        "set_aside",
        Effect.SET_ASIDE,
        line="set aside {targets}",
        text="set aside {targets}",
        meaning=(
            "The targets leave play for a zone of their own, all at the same moment; nothing "
            "is defeated (C53)."
        ),
        example="play: set aside all other creatures",
    ),
    EffectWord(
        "return_set_aside",
        Effect.RETURN_SET_ASIDE,
        line="return the creatures set aside by this",
        text=(
            "the creatures that this set aside come back into play under their former "
            "controllers, without Play effects"
        ),
        meaning=(
            "The creatures that this very creature set aside come into play again, each under "
            "the player who controlled it, without Play effects (C53)."
        ),
        example="defeated: return the creatures set aside by this",
        needs_creature=True,
    ),
    EffectWord(
        "force_attack",
        Effect.FORCE_ATTACK,
        line="{creature} must attack now",
        text="choose {creature}, which must attack now if it can",
        meaning=(
            "The creature attacks as soon as this effect is finished, if it is able to: its "
            "controller hunts and the other player blocks.  It is a single attack (R76, C21)."
        ),
        example="action: an enemy creature must attack now",
    ),
    EffectWord(
        "evolve_this",
        Effect.EVOLVE,
        line="evolve this",
        text="evolve this",
        meaning="The source becomes its next stage, the card named by `evolves_to` (R101).",
        example="action: gain 1 life, then evolve this",
        always=_THIS,
        needs_creature=True,
    ),
    EffectWord(
        "take_boost",
        Effect.TAKE_BOOST,
        line="return a boost to your hand",
        text="take a boost from under any creature into your hand",
        meaning=(
            "You put a boost card of your choice, from under any creature, into your hand (C34)."
        ),
        example="attack: return a boost to your hand",
    ),
    EffectWord(
        "copy_play_effect",
        Effect.COPY_PLAY_EFFECT,
        line="copy the play effect of {creature}",
        text="copy the Play effect of {creature}",
        meaning=(
            "The Play effect of a creature that has one is resolved at once as that of the "
            "source (C23)."
        ),
        example="play: you may copy the play effect of another creature",
        needs_creature=True,
    ),
    EffectWord(
        "trigger_play_effect",
        Effect.TRIGGER_PLAY_EFFECT,
        line="trigger the play effect of {creature}",
        text="trigger the Play effect of {creature}",
        meaning="The Play effect of an allied creature that has one triggers for you (C40).",
        example="bought: trigger the play effect of an allied creature",
        never=(frozenset({"enemy", "both"}), _TRIGGERED),
    ),
    EffectWord(
        "name_keyword",
        Effect.NAME_KEYWORD,
        line="name a keyword",
        text="name a keyword",
        meaning=(
            "You name one of the five keywords; later instructions of the line may ask for "
            "`the named keyword` (C35)."
        ),
        example="defeated: name a keyword, then defeat all enemy creatures with the named keyword",
    ),
)

#: Effects on cards.
ON_CARDS = (
    EffectWord(
        "play_boosts",
        Effect.PLAY_CARD,
        line="play any number of boosts of this",
        text="play any number of this creature's boosts",
        meaning=(
            "You play any number of the boost cards under the source, or last under it; their "
            "Play effects trigger (R54, R103)."
        ),
        example="attack: play any number of boosts of this",
        always={**_ALL_BOOSTS, "without_play_effects": False},
        needs_creature=True,
    ),
    EffectWord(
        "play_boosts_silently",
        Effect.PLAY_CARD,
        line="play any number of boosts of this without play effects",
        text="play any number of this creature's boosts without their Play effects",
        meaning="The same, but the Play effects of these cards do not trigger (C58).",
        example="defeated: play any number of boosts of this without play effects",
        always={**_ALL_BOOSTS, "without_play_effects": True},
        needs_creature=True,
    ),
    EffectWord(
        "play_this",
        Effect.PLAY_THIS,
        line="play this",
        text="play this card",
        meaning="You play this very card from your discard pile, if it still lies there (C16).",
        example="in_discard: when you lose life, you may play this",
    ),
    EffectWord(
        "play_given_card",
        Effect.TAKE_GIVEN_CARD,
        line="the opponent gives you a card, which you play",
        text="your opponent gives you a card from their hand, and you play it",
        meaning=(
            "The opponent picks a card of their hand, and you play it; nobody can use a "
            "Mindbug on it (C15)."
        ),
        example="play: the opponent gives you a card, which you play",
        always={"or_keep": False},
    ),
    EffectWord(
        "take_given_card",
        Effect.TAKE_GIVEN_CARD,
        line="the opponent gives you a card, which you play or keep",
        text="your opponent gives you a card from their hand, and you play it or keep it",
        meaning=(
            "The opponent picks a card of their hand, and you play it or put it into your hand "
            "(C15)."
        ),
        example="play: the opponent gives you a card, which you play or keep",
        always={"or_keep": True},
    ),
    EffectWord(
        "draw_all",
        Effect.DRAW_ALL,
        line="draw all cards from {whose} discard pile",
        text="put {whose} whole discard pile into your hand",
        meaning=(
            "The whole discard pile goes to your hand in one move; there is no maximum hand "
            "size (R28, R32)."
        ),
        example="play: draw all cards from your discard pile",
    ),
    EffectWord(
        "you_discard",
        Effect.DISCARD,
        line="(you) discard {cards}{repeat}",
        text="discard {cards}{repeat}",
        meaning="You discard cards of your choice, as many as you can (R29, R30).",
        example="play: discard 2 cards",
        always=_YOURS,
    ),
    EffectWord(
        "opponent_discards",
        Effect.DISCARD,
        line="the opponent discards {cards}{repeat}",
        text="your opponent discards {cards}{repeat}",
        meaning="The opponent discards cards of their choice, as many as they can (R29, R30).",
        example="attack: the opponent discards a card",
        always=_THEIRS,
    ),
    EffectWord(
        "you_discard_random",
        Effect.DISCARD_RANDOM,
        line="(you) discard {random_cards}{repeat}",
        text="discard {random_cards}{repeat}",
        meaning="You discard cards picked at random from your hand (R29, R30).",
        example="play: discard a random card",
        always=_YOURS,
    ),
    EffectWord(
        "opponent_discards_random",
        Effect.DISCARD_RANDOM,
        line="the opponent discards {random_cards}{repeat}",
        text="your opponent discards {random_cards}{repeat}",
        meaning="The opponent discards cards picked at random from their hand (R29, R30).",
        example="play: the opponent discards 2 random cards",
        always=_THEIRS,
    ),
    EffectWord(
        "steal",
        Effect.STEAL_RANDOM,
        line="steal {random_cards}",
        text="take {random_cards} from your opponent's hand into yours",
        meaning=(
            "Cards picked at random from the opponent's hand move to yours at the same moment "
            "(R30, R31)."
        ),
        example="defeated: steal 2 random cards",
    ),
    EffectWord(
        "put_random_card",
        Effect.PUT_RANDOM_CARD,
        line="put a random card of the opponent's hand into either discard pile",
        text="reveal a random card of your opponent's hand and put it into either discard pile",
        meaning=(
            "A card picked at random from the opponent's hand is shown, and you put it into "
            "either player's discard pile (C27)."
        ),
        example="attack: put a random card of the opponent's hand into either discard pile",
    ),
    EffectWord(
        "put_under_draw_pile",
        Effect.PUT_UNDER_DRAW_PILE,
        line="put {cards} of the unused pile under your draw pile",
        text="put {top_cards} under your draw pile",
        meaning="The top cards of the unused pile go under your draw pile, unseen (C61).",
        example="play: put 2 cards of the unused pile under your draw pile",
    ),
    EffectWord(
        "exchange_hands",
        Effect.EXCHANGE_HANDS,
        line="exchange hands",
        text="exchange hands with your opponent",
        meaning="The two hands change places at one moment (C54).",
        example="attack: exchange hands",
    ),
)

#: Effects on life, energy and the game.
ON_TOTALS = (
    EffectWord(
        "you_gain",
        Effect.GAIN_LIFE,
        line="(you) gain {count} life{repeat}",
        text="gain {count} life{repeat}",
        meaning="You gain life.",
        example="defeated: gain 2 life",
        always=_YOURS,
    ),
    EffectWord(
        "opponent_gains",
        Effect.GAIN_LIFE,
        line="the opponent gains {count} life{repeat}",
        text="your opponent gains {count} life{repeat}",
        meaning="The opponent gains life.",
        example="attack: the opponent gains 1 life",
        always=_THEIRS,
    ),
    EffectWord(
        "you_lose",
        Effect.LOSE_LIFE,
        line="(you) lose {count} life{repeat}",
        text="lose {count} life{repeat}",
        meaning="You lose life; your last life loses the game before anything else happens (R14).",
        example="play: lose 1 life",
        always=_YOURS,
    ),
    EffectWord(
        "opponent_loses",
        Effect.LOSE_LIFE,
        line="the opponent loses {count} life{repeat}",
        text="your opponent loses {count} life{repeat}",
        meaning="The opponent loses life (R14).",
        example="attack: the opponent loses 1 life",
        always=_THEIRS,
    ),
    EffectWord(
        "you_lose_all_but",
        Effect.SET_LIFE,
        line="(you) lose all but {left} life",
        text="lose all but {left} life",
        meaning=(
            "You lose as much life as leaves you that number; it is one loss, and with no more "
            "life than that you lose nothing (R14, C8)."
        ),
        example="defeated: lose all but 1 life",
        always={**_YOURS, "as_loss": True},
    ),
    EffectWord(
        "opponent_loses_all_but",
        Effect.SET_LIFE,
        line="the opponent loses all but {left} life",
        text="your opponent loses all but {left} life",
        meaning=(
            "The opponent loses as much life as leaves them that number; it is one loss, and "
            "with no more life than that they lose nothing (R14, C8)."
        ),
        example="attack: the opponent loses all but 1 life",
        always={**_THEIRS, "as_loss": True},
    ),
    EffectWord(
        "set_life",
        Effect.SET_LIFE,
        line="set {whose} life to {value}",
        text="{whose} life becomes {value}",
        meaning=(
            "A life total becomes the given number, up or down; the difference is gained or "
            "lost (R17)."
        ),
        example="play: set your life to the opponent's life",
        always={"as_loss": False},
    ),
    EffectWord(
        "win",
        Effect.WIN,
        line="win the game",
        text="you win the game",
        meaning="You win the game at once (C59).",
        example="attack: if your hand = 0, win the game",
    ),
    EffectWord(
        "lose_game",
        Effect.LOSE,
        line="lose the game",
        text="you lose the game",
        meaning="You lose the game at once (C52).",
        example="defeated: lose the game",
    ),
    EffectWord(
        "gain_energy",
        Effect.GAIN_ENERGY,
        line="(you) gain {count} energy{repeat}",
        text="gain {count} energy{repeat}",
        meaning="You gain energy cubes (R108).",
        example="defeated: gain 1 energy for each enemy creature",
    ),
    EffectWord(
        "buy_free",
        Effect.BUY_FREE,
        line="buy a power card for free",
        text="buy one of the visible power cards for free",
        meaning=(
            "You take a visible power card of your choice for nothing and resolve it at once "
            "(R112, C41)."
        ),
        example="play: buy a power card for free",
    ),
    EffectWord(
        "buy_top",
        Effect.BUY_TOP,
        line="buy the top power card for free",
        text="reveal the top card of the power deck and buy it for free",
        meaning=(
            "You take the top card of the power deck for nothing and resolve it at once (R112, "
            "C41)."
        ),
        example="bought: buy the top power card for free",
    ),
)

EFFECT_WORDS = (*ON_CREATURES, *ON_CARDS, *ON_TOTALS)


def with_effect_words(grammar: str) -> str:
    """The grammar with the alternatives of ``effect`` that its file only names."""
    first, *others = ON_CREATURES
    alternatives = {
        "creatures": [first.alternative("effect:"), *(word.alternative() for word in others)],
        "cards": [word.alternative() for word in ON_CARDS],
        "totals": [word.alternative() for word in ON_TOTALS],
    }
    return Template(grammar).substitute({k: "\n".join(v) for k, v in alternatives.items()})


def word_for(instruction: Instruction) -> EffectWord | None:
    """The word that says an instruction; None if it is no matter of words and parts alone."""
    return next((word for word in EFFECT_WORDS if word.fits(instruction)), None)


def say(
    template: str, instruction: Instruction, parts: Mapping[str, Callable[[Instruction], str]]
) -> str:
    """A template with each part in braces said of an instruction."""
    return re.sub(r"\{(\w+)\}", lambda found: parts[found[1]](instruction), template)
