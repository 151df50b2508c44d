"""One game as readable text: turns, choices with the options that were there, and what happened.

The narrator plays the game phase by phase through ``Game`` and tells the difference between the
positions before and after; it knows no rule of its own.
"""

from collections import Counter
from collections.abc import Iterator, Sequence
from dataclasses import dataclass
from typing import Any

import numpy as np
from attrs import evolve

from card_data.mindbug.rules_text import rules_text
from card_data.vocabulary import Trigger
from simcore.mindbug.card_table import CardTable
from simcore.mindbug.records import Ending
from simcore.mindbug.simulate import Game, Option
from simcore.mindbug.state import Decision, Phase

_QUESTION = {
    Decision.ACTION: "chooses an action",
    Decision.MINDBUG: "may use a Mindbug",
    Decision.HUNT: "may hunt",
    Decision.BLOCK: "may block",
    Decision.SECOND_ATTACK: "may attack once more",
    Decision.TARGET: "chooses a card",
    Decision.TARGETS: "chooses one of the cards",
    Decision.UP_TO: "may choose a card",
    Decision.DISCARD: "chooses a card to discard",
    Decision.ORDER: "chooses which effect comes next",
}
_WORDS = {
    "play": "play {}",
    "attack": "attack with {}",
    "refuse": "refuse",
    "use": "use a Mindbug",
    "no_hunt": "do not hunt",
    "hunt": "hunt {}",
    "no_block": "do not block",
    "block": "block with {}",
    "stop": "stop",
    "attack_again": "attack again",
    "discard": "{}",
    "target": "{}",
    "resolve": "{}: {}",
}
_ENDINGS = {
    Ending.LIFE: "player {loser} has no life left",
    Ending.NO_ACTION: "player {loser} has no legal action",
    Ending.CAPPED: "stopped after turn {turn}, the game is capped",
    Ending.LOOPED: "stopped in the middle of turn {turn}, the game is looped",
}
#: What is said of cards that moved from a zone to another, of the same player or not.
_MOVES = {
    ("draw", "hand", True): "Player {to} draws {cards}.",
    ("hand", "limbo", True): "",  # said when the card is played
    ("limbo", "play", True): "{cards} comes into play for player {to}.",
    ("limbo", "play", False): "Player {to} takes {cards} with a Mindbug.",
    ("play", "discard", True): "Defeated: {cards} of player {of}.",
    ("play", "play", False): "Player {to} takes control of {cards}.",
    ("hand", "discard", True): "Player {of} discards {cards}.",
    ("hand", "hand", False): "Player {to} steals {cards} from the hand of player {of}.",
    ("discard", "play", True): "Player {to} plays {cards} from the discard pile.",
    ("discard", "play", False): "Player {to} plays {cards} from the discard pile of player {of}.",
    ("discard", "hand", True): "Player {to} takes {cards} from the discard pile to hand.",
    ("discard", "hand", False): "Player {to} takes {cards} from the discard pile of player {of}.",
}
_ZONES = ("hand", "draw", "discard", "play")


@dataclass(frozen=True)
class Replay:
    """One game: its text, line by line, and its GAME_RECORD."""

    lines: tuple[str, ...]
    record: np.void


def replay_game(
    table: CardTable, *, seed: int, game: int, policies: Sequence[str] = ("random", "random")
) -> Replay:
    """Play game number ``game`` of a seed once more and tell it.

    Raises
    ------
    ValueError
        For a policy that does not exist.
    """
    narrator = _Narrator(Game(table, seed=seed, game=game, to_decision=False), policies)
    return Replay(tuple(narrator.tell()), narrator.game.record())


class _Narrator:
    """Plays one game and keeps the position that was last told of."""

    def __init__(self, game: Game, policies: Sequence[str]) -> None:
        self.game = game
        self._policies = policies
        self._mover = -1  # whose turn was told last
        self._effective = False  # whether the running effect has changed anything
        self._now = game.snapshot()
        slots = range(sum(len(player[zone]) for player in self._now["players"] for zone in _ZONES))
        names = [game.card(slot).name for slot in slots]
        copies, seen = Counter(names), Counter[str]()
        self._names = []
        for name in names:
            seen[name] += 1
            self._names.append(f"{name} #{seen[name]}" if copies[name] > 1 else name)

    def tell(self) -> Iterator[str]:
        """The text, line by line."""
        yield f"Player {self._now['active']} starts."
        for number, player in enumerate(self._now["players"]):
            yield (
                f"Player {number} was dealt {self._list(player['hand'])}; in the draw pile lie"
                f" {self._list(player['draw'])}."
            )
        while not self.game.over:
            yield from self._choice() if self.game.waits else self._phase()
        yield from self._end()

    def _choice(self) -> Iterator[str]:
        """One decision: every option that there was, the chosen one in brackets."""
        game = self.game
        decision, decider, waiting = game.decision, game.decider, game.waiting
        chosen = game.choose(self._policies[decider])
        words = [self._option(option) for option in game.options]
        words[chosen] = f"[{words[chosen]}]"
        yield f"  ? Player {decider} {_QUESTION[decision]}: {' | '.join(words)}"
        game.step_option(chosen)
        self._now = game.snapshot()
        if decision == Decision.ORDER:
            yield self._effect(*waiting[chosen])

    def _option(self, option: Option) -> str:
        """One option in words."""
        trigger = option.trigger.name.capitalize() if option.trigger is not None else ""
        name = self._creature(option.slot) if option.slot >= 0 else ""
        return _WORDS[option.word].format(name, trigger)

    def _phase(self) -> Iterator[str]:
        """One phase of the machine and what it changed."""
        before, phase, waiting = self._now, self.game.phase, self.game.waiting
        yield from self._announce(phase, *self.game.fight)
        self.game.step_phase()
        self._now = self.game.snapshot()
        if phase == Phase.START_TURN:
            yield from self._turn(extra=before["active"] == self._mover)
            self._mover = self._now["active"]
        changes = list(self._changes(before, self._now))
        yield from changes
        self._effective |= bool(changes)
        if phase == Phase.QUEUE and self.game.phase == Phase.EFFECT:
            yield self._effect(*waiting[0])
        elif phase == Phase.EFFECT and self.game.phase == Phase.QUEUE and not self._effective:
            yield "  Nothing happens."

    def _announce(self, phase: Phase, attacker: int, blocker: int) -> Iterator[str]:
        """What is about to happen."""
        player = self._now["active"]
        if phase == Phase.PLAY:
            yield f"  Player {player} plays {self._list(self._now['limbo'])} from hand."
        elif phase == Phase.DECLARE:
            yield f"  Player {player} attacks with {self._creature(attacker)}."
        elif phase == Phase.HUNT and attacker < 0:
            yield "  The attack ends."
        elif phase == Phase.COMBAT and blocker < 0:
            yield f"  {self._names[attacker]} is not blocked."
        elif phase == Phase.COMBAT:
            yield f"  {self._creature(attacker)} fights {self._creature(blocker)}."

    def _turn(self, *, extra: bool) -> Iterator[str]:
        """The head of a turn: who is to move, and the position."""
        now = self._now
        yield ""
        yield f"Turn {now['turn']}: player {now['active']}{' (extra turn)' if extra else ''}"
        for number, player in enumerate(now["players"]):
            play = ", ".join(map(self._creature, player["play"])) or "no creature"
            yield (
                f"  Player {number}: life {player['life']}, Mindbugs {player['mindbugs']},"
                f" hand {len(player['hand'])}, draw pile {len(player['draw'])},"
                f" discard pile {len(player['discard'])}; in play: {play}"
            )

    def _effect(self, slot: int, trigger: Trigger, player: int) -> str:
        """The effect that begins."""
        self._effective = False
        card = self.game.card(slot)
        abilities = tuple(ability for ability in card.triggered if ability.trigger == trigger)
        (text,) = rules_text(evolve(card, triggered=abilities, constant=()))
        return f"  {self._names[slot]} (player {player}), {text}"

    def _changes(self, before: dict[str, Any], after: dict[str, Any]) -> Iterator[str]:
        """What is different: life, TOUGH, then the cards that moved, those drawn last."""
        for number in (0, 1):
            old, new = (position["players"][number]["life"] for position in (before, after))
            if old != new:
                verb = "loses" if new < old else "gains"
                yield f"  Player {number} {verb} {abs(new - old)} life: {old} -> {new}."
        for slot, creature in after["creatures"].items():
            if creature["exhausted"] and not before["creatures"][slot]["exhausted"]:
                yield f"  {self._names[slot]} is exhausted instead of defeated (TOUGH)."
        was, moves = _places(before), dict[tuple[Any, Any], list[int]]()
        for slot, place in sorted(_places(after).items()):
            if was[slot] != place:
                moves.setdefault((was[slot], place), []).append(slot)
        for (zone, of), (new_zone, to) in sorted(moves, key=lambda move: move[0][0] == "draw"):
            words = _MOVES[zone, new_zone, of == to]
            if words:
                cards = self._list(moves[(zone, of), (new_zone, to)])
                yield "  " + words.format(cards=cards, of=of, to=to)

    def _end(self) -> Iterator[str]:
        """How the game ended, in agreement with its record."""
        game, now = self.game, self._now
        assert game.ending is not None
        why = _ENDINGS[game.ending].format(loser=1 - game.winner, turn=now["turn"])
        yield ""
        yield f"{f'Player {game.winner} wins' if game.winner >= 0 else 'A draw'}: {why}."
        life, mindbugs = (
            [player[key] for player in now["players"]] for key in ("life", "mindbugs")
        )
        yield (
            f"Turns {now['turn']}, life {life[0]} : {life[1]},"
            f" unused Mindbugs {mindbugs[0]} : {mindbugs[1]} (player 0 : player 1)."
        )

    def _list(self, slots: Sequence[int]) -> str:
        """Cards by name."""
        return ", ".join(self._names[slot] for slot in slots) or "nothing"

    def _creature(self, slot: int) -> str:
        """A card by name; a creature in play with its current power and keywords."""
        creature = self._now["creatures"].get(slot)
        if creature is None:
            return self._names[slot]
        words = [str(creature["power"]), *creature["keywords"]]
        words += ["exhausted"] if creature["exhausted"] else []
        return f"{self._names[slot]} ({' '.join(words)})"


def _places(position: dict[str, Any]) -> dict[int, tuple[str, int]]:
    """Zone and player of every card."""
    places = {
        slot: (zone, number)
        for number, player in enumerate(position["players"])
        for zone in _ZONES
        for slot in player[zone]
    }
    return places | dict.fromkeys(position["limbo"], ("limbo", position["active"]))
