"""Weights: what the players ``heuristic`` and ``learned`` think that things are worth.

A weight has a name ``section.word`` and lives in a TOML file, in the table of that section; what
it counts is said here, in ``WEIGHTS``.  All are in points: a tenth of a point of power is 1.  Cards
are judged by their features alone, so a card that nobody has seen before is judged like any other.
"""

import hashlib
import tomllib
from functools import cache
from pathlib import Path

import numpy as np
import numpy.typing as npt
from rapidfuzz import process

from card_data.mindbug.schema import Card, ConstantAbility, Instruction, TriggeredAbility
from card_data.mindbug.vocabulary import Choice, Effect, Keyword, Player, Rule, Side, Trigger
from simcore.sealed import RunError, read_file, write_file

#: What each weight counts.  The order is that of a vector of weights.
WEIGHTS = {
    "creature.each": "for being there",
    "creature.power": "for each point of power",
    "creature.power_squared": "for the square of its power, a tenth of it",
    **{f"creature.{k.name.lower()}": f"for having {k.name}" for k in Keyword},
    "creature.hunter_power": "for each point of power of a creature with HUNTER",
    "creature.poisonous_power": "for each point of power of a creature with POISONOUS",
    "creature.sneaky_frenzy": "for having both SNEAKY and FRENZY",
    "creature.die": "for each dice symbol",
    "creature.ace": "for a creature that wins with its next attack, if the game goes on",
    "creature.next_stage": "share of what its next stage is worth more than it",
    **{
        f"ability.{t.name.lower()}": f"share of the points of a {t.name} ability, as printed"
        for t in Trigger
        if t != Trigger.PLAY  # judged on the table, when the card is played
    },
    "ability.conditional": "share that is left of an instruction with a condition",
    "threat.worst": "share of what the worst attack threatens more than the next, for its creature",
    "threat.unblocked_1": "for a played creature that none could stop, with 1 life",
    "threat.unblocked_2": "the same with 2 lives",
    "threat.unblocked_3": "the same with 3 or more",
    "life.second": "for taking a life from a player who has 2",
    "life.third": "the same with 3",
    "life.more": "the same with more",
    "life.gained": "for gaining a life",
    "attack.any": "for attacking at all",
    "attack.ahead": "for attacking with more creatures in play than the opponent",
    "attack.second": "for a second attack that may follow",
    "attack.effect": "share of the points of its Attack ability on this table",
    "attack.tough": "for each loss of TOUGH's protection",
    "attack.trade": "for a fight that defeats both",
    "attack.last_defender": "against attacking with a creature while no other is in play",
    "attack.spent": "for attacking while hand and draw pile are empty",
    "block.any": "for blocking at all",
    "block.frenzy": "for blocking an attacker that may attack again",
    "defeated.effect": "share of the points of a Defeated ability taken off a creature's loss",
    "play.any": "for playing a card at all",
    "play.worth": "share of what the card is worth",
    "play.worth_by_allies": "change of that share for each allied creature, in hundredths",
    "play.worth_by_enemies": "the same for each enemy creature",
    "play.effect": "share of the points of its Play ability on this table",
    "play.behind": "for playing a card with fewer creatures in play than the opponent",
    "play.defence": "share of what the card takes off the worst attack that threatens",
    "play.saves": "for a card that keeps the worst attack from winning the game",
    "play.taken": "share of a card's points above the opponent's reserve that is lost",
    "play.fatal": "for a card that could not be stopped with 1 life if the opponent took it",
    "play.taken_any": "for playing a card that the opponent would take",
    "play.bait": "share of points below the opponent's reserve while he has Mindbugs",
    "action.any": "for an Action ability at all",
    "action.effect": "share of the points of an Action ability on this table",
    "mindbug.reserve": "points that a card must swing before a Mindbug is spent on it",
    "mindbug.last": "more for the last Mindbug",
    "mindbug.to_come": "more for each card that the opponent may still play",
    "mindbug.behind": "more for each creature that the opponent has more",
    "mindbug.life_1": "more with 1 life",
    "mindbug.life_2": "more with 2 lives",
    "mindbug.their_life": "more for each life of the opponent",
    "mindbug.worth": "share of the card's worth that counts twice, as lost and won",
    "mindbug.theirs": "share of the points of the Play ability in the opponent's hands",
    "mindbug.mine": "share of the points of the Play ability in one's own hands",
    "mindbug.threat": "share of what the creature could threaten",
    "mindbug.fatal": "for a card that could not be stopped with 1 life if it is not taken",
    "mindbug.theirs_left": "more for each Mindbug that the opponent has",
    "card.in_hand": "for a card drawn, discarded, stolen or returned",
    "card.given": "for a creature given away",
    "card.energy": "for an energy",
    "card.buying": "for buying a power card, above its price",
    "position.creatures": "for each point of creatures more than the opponent's, in thousandths",
    "position.threat": "for a creature that none of the opponent's can stop, in thousandths",
    "position.life_1": "for having 1 life left, in thousandths",
    "position.life_2": "for having 2",
    "position.life_3": "for having 3",
    "position.life_more": "for having more",
    "position.mindbugs": "for each Mindbug",
    "position.hand": "for each card in hand",
    "position.draw_pile": "for each card in the draw pile",
    "position.energy": "for each energy",
    "position.turn": "for having the turn",
    "search.turns": "turns that a simulation plays on before it judges the position",
    **{f"die.face_{face}": f"for face {face} of a die" for face in range(6)},
    **{f"effect.{e.name.lower()}": f"for {e.name}, by what it affects" for e in Effect},
    **{f"rule.{r.name.lower()}": f"for the constant ability {r.name}" for r in Rule},
}
_NAMES = list(WEIGHTS)
_NAMES_TOLD = 5  # how many missing weights a message names
N_WEIGHTS = len(WEIGHTS)
#: The sections of weights, in their order.
SECTIONS = tuple(dict.fromkeys(name.split(".")[0] for name in WEIGHTS))
#: Weights of a position as a whole: log odds of winning, in thousandths.
POSITION = tuple(place for place, name in enumerate(WEIGHTS) if name.startswith("position."))
#: Weights that only a search asks for: how a player chooses by himself does not depend on them.
SEARCHING = tuple(place for place, name in enumerate(WEIGHTS) if name.startswith("search."))

#: Points that instructions usually move, for abilities as printed; the unit of all others is one.
_USUAL = {
    Effect.DEFEAT: 60.0,
    Effect.TAKE_CONTROL: 120.0,
    Effect.PLAY_CARD: 60.0,
    Effect.DRAW_ALL: 3.0,
    Effect.LOSE_LIFE: 80.0,
    Effect.SET_LIFE: 80.0,
    Effect.GIVE_CONTROL: -1.0,
    Effect.RETURN_TO_HAND: 30.0,
    Effect.SET_ASIDE: 30.0,
    Effect.DISCARD_WHOLE: 4.0,
    Effect.WIN: 300.0,
    Effect.LOSE: -300.0,
}
#: Instructions that are bad for the player they name.
_LOSSES = frozenset(
    {Effect.LOSE_LIFE, Effect.DISCARD, Effect.DISCARD_RANDOM, Effect.DISCARD_WHOLE, Effect.LOSE}
)
_PREVENTING = frozenset({Rule.CANNOT_ATTACK, Rule.CANNOT_BLOCK})

# Begins the line of a file with the checksum of all that stands below.
_SEAL = "# sha256="

Weights = npt.NDArray[np.float32]


def place_of(name: str) -> int:
    """Place of a weight in a vector of weights."""
    return _NAMES.index(name)


def read_weights(path: Path) -> Weights:
    """The weights of a file, shape (N_WEIGHTS,).

    Raises
    ------
    ValueError
        For a file that cannot be read or is not TOML, that was changed since training wrote it, an
        unknown weight (naming the nearest one), one that the file does not name, and a value that
        is not a finite number; all of them at once.
    """
    try:
        text = read_file(path).decode("utf-8")
        sections = tomllib.loads(text)
    except (RunError, OSError, UnicodeDecodeError, tomllib.TOMLDecodeError) as error:
        raise ValueError(f"{path}: the weights cannot be read: {error}") from error
    _, sealed, below = text.partition(_SEAL)
    if sealed and not below.startswith(_digest(below.partition("\n")[2])):
        raise ValueError(
            f"{path}: the weights are not those that training wrote; if they were changed on"
            f" purpose, delete the line that begins with '{_SEAL.strip()}'"
        )
    weights = np.zeros(N_WEIGHTS, np.float32)
    faults, missing = [], dict.fromkeys(WEIGHTS)
    for section, words in sections.items():
        if not isinstance(words, dict):
            faults.append(f"{path}: {section!r} stands outside a section such as [creature]")
            continue
        for word, value in words.items():
            name = f"{section}.{word}"
            missing.pop(name, None)
            if name not in WEIGHTS:
                nearest = process.extractOne(name, _NAMES)[0]
                faults.append(f"{path}: unknown weight {name!r}; did you mean {nearest!r}?")
            elif isinstance(value, bool) or not isinstance(value, (int, float)):
                faults.append(f"{path}: {name} is {value!r}; it must be a number")
            elif not abs(value) <= 1e6:
                faults.append(f"{path}: {name} is {value!r}; it must lie within a million")
            else:
                weights[place_of(name)] = value
    if missing:
        names = [*missing][:_NAMES_TOLD]
        more = f" and {len(missing) - len(names)} more" if len(missing) > len(names) else ""
        faults.append(
            f"{path}: no value for {', '.join(names)}{more}; write 0 for what is to count nothing"
        )
    if faults:
        raise ValueError("\n".join(faults))
    return weights


def write_weights(weights: Weights, path: Path, *, heading: str) -> None:
    """Write weights as a file that `read_weights` reads; ``heading`` becomes comments on top.

    Below it stands a checksum, so that a weight that was damaged is not played with.  The file
    appears whole or not at all.  Raises RunError when the disk will not take it.
    """
    lines = []
    section = ""
    for name, value in zip(_NAMES, weights, strict=True):
        head, word = name.split(".")
        if head != section:
            lines += ["", f"[{head}]"]
            section = head
        lines.append(f"{word} = {np.round(value, 4)!s}  # {WEIGHTS[name]}")
    text = "\n".join(lines) + "\n"
    head = "".join(f"# {line}".rstrip() + "\n" for line in heading.splitlines())
    write_file(path, f"{head}{_SEAL}{_digest(text)}\n{text}".encode())


def _digest(text: str) -> str:
    return hashlib.sha256(text.encode()).hexdigest()


@cache
def own_weights(name: str) -> Weights:
    """The weights of a policy as they come with balancelab, shape (N_WEIGHTS,); do not change."""
    return read_weights(Path(__file__).parent / f"{name}.toml")


def worths(cards: list[Card] | tuple[Card, ...], weights: Weights) -> npt.NDArray[np.float32]:
    """What cards are worth in play by their printed faces, shape (len(cards),), in points.

    Play abilities count nothing here: they are judged on the table when the card is played.
    """
    judge = _Judge(weights)
    by_id = {card.card_id: card for card in cards}
    values = [judge.card(card) for card in cards]
    for i, card in enumerate(cards):
        if card.evolves_to in by_id:
            more = judge.card(by_id[card.evolves_to]) - judge.card(card)
            values[i] += judge.weight("creature.next_stage") * more
    return np.array(values, np.float32)


class _Judge:
    """Points of printed things under one vector of weights."""

    def __init__(self, weights: Weights) -> None:
        self._weights = dict(zip(_NAMES, map(float, weights), strict=True))

    def weight(self, name: str) -> float:
        """One weight by its name."""
        return self._weights[name]

    def card(self, card: Card) -> float:
        """Points of a card in play, by its own face."""
        weight = self.weight
        points = weight("creature.each") + weight("creature.power") * card.power
        points += weight("creature.power_squared") * card.power**2 / 10
        points += sum(weight(f"creature.{keyword.name.lower()}") for keyword in card.keywords)
        if Keyword.HUNTER in card.keywords:
            points += weight("creature.hunter_power") * card.power
        if Keyword.POISONOUS in card.keywords:
            points += weight("creature.poisonous_power") * card.power
        if {Keyword.SNEAKY, Keyword.FRENZY} <= card.keywords:
            points += weight("creature.sneaky_frenzy")
        points += weight("creature.die") * card.dice
        points += sum(self._ability(ability) for ability in card.triggered)
        return points + sum(self._constant(ability) for ability in card.constant)

    def _ability(self, ability: TriggeredAbility) -> float:
        if ability.trigger == Trigger.PLAY:
            return 0.0
        share = self.weight(f"ability.{ability.trigger.name.lower()}")
        return share * sum(self._instruction(part) for part in ability.instructions)

    def _instruction(self, instruction: Instruction) -> float:
        if instruction.modes:
            return max(self._instruction(mode) for mode in instruction.modes)
        effect = instruction.effect
        points = self.weight(f"effect.{effect.name.lower()}") * _USUAL.get(effect, 1.0)
        if effect not in (Effect.SET_LIFE, Effect.DRAW_ALL):
            points *= min(max(instruction.count, 1), 3)
        mine = instruction.player == Player.YOU
        if effect in _LOSSES and mine and effect != Effect.LOSE:
            points = -points
        if instruction.creatures is not None and effect in (Effect.DEFEAT, Effect.RETURN_TO_HAND):
            side = instruction.creatures.side
            if side == Side.ALLIED:
                points = -points
            elif side == Side.ANY and instruction.choice == Choice.ALL:
                points = points / 4
        if instruction.condition is not None:
            points *= self.weight("ability.conditional")
        return points

    def _constant(self, ability: ConstantAbility) -> float:
        points = self.weight(f"rule.{ability.rule.name.lower()}")
        side = ability.creatures.side if ability.creatures is not None else Side.ALLIED
        if ability.rule == Rule.POWER:
            points *= ability.power * (-1 if side == Side.ENEMY else 1)
        if ability.rule in _PREVENTING and side != Side.ENEMY:
            points = -points
        points += sum(
            self.weight(f"creature.{keyword.name.lower()}")
            * self.weight("ability.conditional")
            * (-1 if side == Side.ENEMY and ability.rule == Rule.KEYWORDS else 1)
            for keyword in ability.keywords
        )
        if ability.condition is not None:
            points *= self.weight("ability.conditional")
        return points
