"""The words of the narrator: questions, options, moves, endings, and what abilities say.

Spoken to one of the players, "Player 0 draws" is "You draw"; told of them, it is "The first player
draws".
"""

import re
from collections.abc import Sequence
from dataclasses import dataclass
from math import exp

from attrs import evolve

from card_data.mindbug.language.rules_text import rules_text
from card_data.mindbug.schema import Card, Instruction, PowerCard, TriggeredAbility
from card_data.mindbug.vocabulary import Effect, Rule, Trigger
from simcore.mindbug.players.look_ahead import WIN
from simcore.mindbug.table.card_table import CardTable
from simcore.mindbug.table.records import Ending
from simcore.mindbug.table.state import Decision

#: Zones of which each player has one, as ``Game.snapshot`` calls them, and those in common.
ZONES = ("hand", "draw", "discard", "play")
_ENDS_GAME = 50_000.0  # points beyond which an option wins or loses the game
_ENDS_LOOK_AHEAD = WIN / 2  # log odds beyond which it does so in a look ahead
COMMON = ("boost", "set_aside", "unused")

QUESTIONS = {
    Decision.ACTION: "chooses an action",
    Decision.MINDBUG: "may use a Mindbug",
    Decision.HUNT: "may hunt",
    Decision.BLOCK: "may block",
    Decision.SECOND_ATTACK: "may attack once more",
    Decision.TARGET: "chooses a card",
    Decision.TARGETS: "chooses one of the cards",
    Decision.UP_TO: "may choose a card",
    Decision.MAY: "may do this",
    Decision.DISCARD: "chooses a card to discard",
    Decision.ORDER: "chooses which effect comes next",
    Decision.MODE: "chooses what to do",
    Decision.KEYWORD: "names a keyword",
    Decision.BOOST: "may take a card as a boost",
    Decision.BUY: "may buy a power card",
    Decision.REROLL: "may reroll",
    Decision.DICE_ORDER: "chooses which result comes first",
}
#: Questions that the first option tells better than the decision.
CHOICES = {
    "pair": "chooses two creatures",
    "pile": "chooses a pile for it",
    "buy": "chooses a power card",
}
OPTIONS = {
    "play": "play {card}",
    "attack": "attack with {card}",
    "activate": "use the Action of {card}",
    "refuse": "refuse",
    "use": "use a Mindbug",
    "no_hunt": "do not hunt",
    "hunt": "hunt {card}",
    "no_block": "do not block",
    "block": "block with {card}",
    "stop": "stop",
    "attack_again": "attack again",
    "discard": "{card}",
    "target": "{card}",
    "pair": "{card} and {other}",
    "pile": "the discard pile of player {number}",
    "resolve": "{card}: {trigger}",
    "yes": "yes",
    "no": "no",
    "mode": "{mode}",
    "keyword": "{keyword}",
    "keep": "keep",
    "buy": "buy {power_card}",
    "reroll": "reroll {die}",
    "reroll_both": "reroll both",
    "first": "{die}",
}
KEEP_CARD = "put {card} into the hand"
#: What a waiting ability is called where several can come next.
TRIGGERS = {
    Trigger.PLAY: "Play",
    Trigger.ATTACK: "Attack",
    Trigger.DEFEATED: "Defeated",
    Trigger.ACTION: "Action",
    Trigger.DISCARDED: "put into the discard pile",
    Trigger.END_OF_TURN: "end of turn",
    Trigger.MINDBUG_USED: "Mindbug used",
    Trigger.LIFE_LOST: "life lost",
    Trigger.EXHAUSTED: "exhausted",
}
ENDINGS = {
    Ending.LIFE: "player {loser} has no life left",
    Ending.NO_ACTION: "player {loser} has no legal action",
    Ending.CAPPED: "stopped after turn {turn}, the game is capped",
    Ending.LOOPED: "stopped in the middle of turn {turn}, the game is looped",
    Ending.EFFECT: "the effect of {source} decides the game",
}
#: Where the player with more life wins a game that was stopped (R20).
MORE_LIFE = "stopped after turn {turn} with more life, the game is capped"
#: What is said of cards that moved from a zone to another, of the same player or not; without a
#: player where one of the zones is in common.
MOVES = {
    ("draw", "hand", True): "Player {to} draws {cards}.",
    ("draw", "discard", True): "Player {of} discards {cards} from the draw pile.",
    ("limbo", "play", True): "{cards} come{s} into play for player {to}.",
    ("limbo", "play", False): "Player {to} takes {cards} with a Mindbug.",
    ("play", "discard", True): "Defeated: {cards} of player {of}.",
    ("play", "play", False): "Player {to} takes control of {cards}.",
    ("play", "hand", True): "Player {to} takes {cards} from play back to hand.",
    ("play", "set_aside"): "Set aside: {cards} of player {of}.",
    ("set_aside", "play"): "{cards} come{s} back into play for player {to}.",
    ("hand", "discard", True): "Player {of} discards {cards}.",
    ("hand", "hand", False): "Player {to} steals {cards} from the hand of player {of}.",
    ("hand", "play", True): "Player {to} plays {cards} from hand by the effect.",
    ("hand", "play", False): "Player {to} plays {cards}, which player {of} gives.",
    ("discard", "play", True): "Player {to} plays {cards} from the discard pile.",
    ("discard", "play", False): "Player {to} plays {cards} from the discard pile of player {of}.",
    ("discard", "hand", True): "Player {to} takes {cards} from the discard pile to hand.",
    ("discard", "hand", False): "Player {to} takes {cards} from the discard pile of player {of}.",
    ("discard", "boost"): "{cards} from the discard pile of player {of} go{es} under {to}.",
    ("boost", "discard"): "{cards} fall{s} from under {of} into the discard pile of player {to}.",
    ("boost", "hand"): "Player {to} takes {cards} from under {of} to hand.",
    ("boost", "play"): "Player {to} plays {cards} from under {of}.",
    ("unused", "hand"): "Player {to} takes {cards} from the unused pile to hand.",
    ("unused", "draw"): "Player {to} puts {cards} from the unused pile under the draw pile.",
    ("unused", "play"): "Player {to} plays {cards} from the unused pile.",
}
#: What is said of moves by certain effects.
SPECIAL_MOVES = {
    ("hand", "hand", Effect.EXCHANGE_HANDS): "The hands are exchanged: player {to} gets {cards}.",
    ("hand", "discard", Effect.PUT_RANDOM_CARD): (
        "{cards} go{es} from the hand of player {of} to the discard pile of player {to}."
    ),
}
#: What stands behind an option that a restriction forbids.
NEVER = " (never)"
#: What is said of a card that a player gives to the other, and of what becomes of it.
GIVES = "Player {of} gives {cards}."
GIVEN = {"play": "Player {to} plays {cards}.", "hand": "Player {to} takes {cards} to hand."}
#: Creatures that details of the game name.
MARKS = {
    "forced": "{has} to attack",
    "cannot_block": "cannot block this turn",
    "cannot_attack": "cannot attack this turn",
    "cannot_be_defeated": "cannot be defeated this turn",
}
#: Where a card lies.
PLACES = {
    "play": " of player {of}",
    "hand": " in the hand of player {of}",
    "draw": " in the draw pile of player {of}",
    "discard": " in the discard pile of player {of}",
    "limbo": "",
    "boost": " under {of}",
    "set_aside": " set aside",
    "unused": " in the unused pile",
}
_FROM = {
    "play": "play of player {}",
    "hand": "the hand of player {}",
    "draw": "the draw pile of player {}",
    "discard": "the discard pile of player {}",
    "limbo": "no zone",
    "boost": "under {}",
    "set_aside": "the set-aside creatures",
    "unused": "the unused pile",
}

_PILES = "hand|draw pile|discard pile"
_IRREGULAR = {"has": "have", "was": "were"}


def any_move(zone: str, new_zone: str) -> str:
    """What is said of a move that no card of the printed sets makes."""
    start, end = _FROM[zone].format("{of}"), _FROM[new_zone].format("{to}")
    return f"{{cards}} move{{s}}: from {start} to {end}."


def endings_of_verbs(n_cards: int) -> dict[str, str]:
    """How verbs end whose subject is one card or several."""
    return {"s": "s", "es": "es"} if n_cards == 1 else {"s": "", "es": ""}


def gain_or_loss(old: int, new: int) -> tuple[str, int]:
    """The verb, and how much."""
    return ("loses", old - new) if new < old else ("gains", new - old)


def shown(faces: Sequence[str]) -> str:
    """What dice show after they were rolled again."""
    if len(faces) == 1:
        return f"The die shows {faces[0]}."
    return f"The dice show {' and '.join(faces)}."


def die(faces: Sequence[str], number: int) -> str:
    """One of the dice by its face, with its place if both show the same."""
    if faces.count(faces[number]) == 1:
        return faces[number]
    return f"the {('first', 'second')[number]} {faces[number]}"


@dataclass(frozen=True)
class Ability:
    """One ability: the card whose it is, and what it says, taken apart after the header."""

    name: str
    trigger: Trigger | None
    header: str
    text: str

    @property
    def has_header(self) -> bool:
        """Whether a word such as Play begins the text."""
        return bool(self.header)


class Book:
    """What the cards of a table say.

    ``abilities`` are found by the row of their first instruction, the texts of ``modes`` by the row
    of the instruction that lets choose.
    """

    def __init__(self, table: CardTable) -> None:
        self.abilities: dict[int, Ability] = {}
        self.modes: dict[int, list[str]] = {}
        self.power_cards = table.power_cards
        rows = table.rows[0]
        for face, card in enumerate(table.faces):
            row = rows["cards"][face]
            for ability in card.triggered:
                self._add(int(row["program"][ability.trigger]), card, ability)
            for rule in range(int(row["first_rule"]), int(row["end_rule"])):
                program = int(rows["rules"]["program"][rule])
                if rows["rules"]["rule"][rule] == Rule.HAVE_ATTACK:
                    self._add(program, card, _granted(card, rule - int(row["first_rule"])))
        for number, power_card in enumerate(table.power_cards):
            program = int(rows["power_cards"]["program"][number])
            (text,) = rules_text(power_card)
            self.abilities[program] = Ability(power_card.name, None, "", text)
            self._add_modes(program, power_card.bought)

    def _add(self, program: int, card: Card, ability: TriggeredAbility) -> None:
        (text,) = rules_text(evolve(card, triggered=(ability,), constant=()))
        header = ability.trigger.name.capitalize()
        if text.startswith(f"{header}: "):
            text = text.removeprefix(header)
        else:
            header = ""
        self.abilities[program] = Ability(card.name, ability.trigger, header, text)
        self._add_modes(program, ability.instructions)

    def _add_modes(self, program: int, instructions: Sequence[Instruction]) -> None:
        for row, instruction in enumerate(instructions, start=program):
            self.modes[row] = [_plain(mode) for mode in instruction.modes]


def _granted(card: Card, number: int) -> TriggeredAbility:
    """The Attack effect that a constant ability of a card grants (C60)."""
    constants = sorted(card.constant, key=lambda constant: constant.rule != Rule.POWER)
    return TriggeredAbility(Trigger.ATTACK, constants[number].instructions)


def _plain(instruction: Instruction) -> str:
    """An instruction in the middle of a sentence."""
    (text,) = rules_text(PowerCard(card_id="", name="", cost=0, bought=(instruction,)))
    return f"{text[0].lower()}{text[1:-1]}"


def thoughts_text(
    values: Sequence[float], *, searched: bool = False, looked_ahead: bool = False
) -> list[str]:
    """What a player thought of the options (`Game.thoughts`): points, or chances of a victory."""
    if searched:
        return [_share(value) for value in values]
    return [_chance(value) if looked_ahead else _points(value) for value in values]


def _points(value: float) -> str:
    """Points with their sign, none at zero; what ends the game, in words."""
    if abs(value) >= _ENDS_GAME:
        return _end(value)
    number = round(value)
    return f"{number:+}".replace("-", "\N{MINUS SIGN}") if number else "0"


def _chance(log_odds: float) -> str:
    """The chance of a victory by its log odds; what ends the game, in words."""
    if abs(log_odds) >= _ENDS_LOOK_AHEAD:
        return _end(log_odds)
    return _share(1 / (1 + exp(-log_odds)))


def _share(value: float) -> str:
    return f"{100 * value:.0f}%"


def _end(value: float) -> str:
    return "wins" if value > 0 else "loses"


def addressed(text: str, seat: int) -> str:
    """A line of a story as the player in a seat is told it; the other one is "the opponent"."""
    own = re.sub(rf"^(Turn \d+): player {seat}\b", r"\1, yours", text)
    own = re.sub(rf"^(Turn \d+): player {1 - seat}\b", r"\1, the opponent's", own)
    own = re.sub(rf"the ({_PILES}) of player {seat}\b", r"your \1", own)
    own = re.sub(rf"\bof player {seat}\b", "of yours", own)
    own = re.sub(rf"\b([Pp])layer {seat}\b(?: (\w+))?", _you, own)
    return _called(own, 1 - seat, "the opponent")


def named(text: str, names: Sequence[str]) -> str:
    """A line of a story with names for the players, by seat: "the first player"."""
    return _called(_called(text, 0, names[0]), 1, names[1])


def _called(text: str, seat: int, who: str) -> str:
    """A line with words for one player, which begin a sentence as the number did."""
    names = {"p": who, "P": f"{who[0].upper()}{who[1:]}"}
    return re.sub(rf"\b([Pp])layer {seat}\b", lambda found: names[found[1]], text)


def _you(found: re.Match[str]) -> str:
    """The player who is spoken to, and the verb that follows."""
    you = "You" if found[1] == "P" else "you"
    return you if found[2] is None else f"{you} {_verb(found[2])}"


def _verb(word: str) -> str:
    """A verb as it stands behind "you"; another word as it is."""
    plain = word.removesuffix("s") if len(word) > 2 and not word.endswith("ss") else word
    return _IRREGULAR.get(word, plain)
