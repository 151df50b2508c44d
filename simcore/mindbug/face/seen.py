"""A game as the player in one seat sees it: told, and asked for decisions, in the second person.

Nothing that R4 hides from that player is named: neither what the opponent holds nor what lies in
draw piles, the unused pile or the power deck.  Copies of a card are numbered in the order in which
the player sees them, so that no number tells of a copy that is hidden.
"""

from collections import Counter
from collections.abc import Callable, Iterator, Mapping, Sequence
from typing import NamedTuple

from card_data.mindbug.language.rules_text import rules_text
from simcore.mindbug.face.game import Game
from simcore.mindbug.face.observation import shown_slots
from simcore.mindbug.face.options import Option
from simcore.mindbug.face.replay import _Moment, _Narrator
from simcore.mindbug.face.replay_text import addressed
from simcore.mindbug.table.state import Decision, Phase

#: Zones in which every card lies open.
_OPEN = ("play", "discard", "boost", "set_aside", "limbo")
#: Decisions in which the card that is chosen is laid open.
_OPENS = (Decision.ACTION, Decision.DISCARD)
#: What the opponent chose, where nothing that follows says it.
_DECLINED = {
    "refuse": "does not use a Mindbug",
    "no_hunt": "does not hunt",
    "no_block": "does not block",
    "stop": "stops",
    "no": "declines",
}
#: What the opponent chose, where what follows says it.
_FOLLOWS = ("use", "block", "hunt", "play", "attack", "activate", "attack_again", "buy", "yes")


class Offer(NamedTuple):
    """An option in words: ``card`` is what the card says that it names, if that helps.

    One that is ``hidden`` names a card that the player cannot see.
    """

    text: str
    card: str
    hidden: bool


class Seen(_Narrator):
    """Tells a game to the player in a seat.

    ``choose`` gives the number of the option to take at each decision, of either player.  At a
    decision `question` and `offers` say what is asked; `table` shows what lies where.
    """

    def __init__(
        self, game: Game, seat: int, choose: Callable[[Game], int], *, brief: bool = False
    ) -> None:
        self._seat = seat
        self._seen: set[int] = set()  # slots that the player sees
        self._named: set[int] = set()  # and those that they saw a moment ago
        self._copies = Counter[str]()  # seen so far, by name
        self._numbers: dict[int, str] = {}  # what follows the name of each card seen so far
        super().__init__(game, choose, brief=brief)

    def tell(self) -> Iterator[str]:
        """The text, line by line."""
        return (addressed(line, self._seat) for line in super().tell())

    # ------------------------------------------------------------ what is asked

    @property
    def turn(self) -> int:
        """The number of the turn."""
        return int(self._now.position["turn"])

    def question(self) -> str:
        """Who decides what."""
        return addressed(self._asked_in_full(), self._seat)

    def offers(self, chosen: int = -1) -> list[Offer]:
        """The options of the present decision, in the order of their numbers.

        ``chosen`` is one that is going to be taken: if that lays its card open, it is named.
        """
        options = self.game.options
        opens = chosen >= 0 and self.game.decision in _OPENS
        opened = {options[chosen].slot} - {-1} if opens else set()
        seen, self._named = self._named, self._named | opened
        self._number(opened)
        offers = [self._offer(option) for option in options]
        self._named = seen
        return offers

    def _offer(self, option: Option) -> Offer:
        text = self._option(self.game.decision, option, self.game.options)
        hidden = any(slot >= 0 and slot not in self._named for slot in (option.slot, option.other))
        card = "" if hidden or option.slot < 0 else self._says(option.slot, option.word)
        return Offer(addressed(text, self._seat), card, hidden)

    def _says(self, slot: int, word: str = "") -> str:
        """What a card says: in play only what still matters there, elsewhere its power as well.

        ``word`` is that of an option that names it.
        """
        card = self.game.card(slot)
        lines = rules_text(card)
        if slot in self._now.creatures:
            past = ("Play:", "Attack:") if word == "block" else ("Play:",)
            return " ".join(line for line in lines if not line.startswith(past))
        facts = ", ".join([f"power {card.power}", *(word.name for word in sorted(card.keywords))])
        return " ".join([f"{facts}.", *lines])

    # ------------------------------------------------------------ what is seen

    def _look(self) -> _Moment:
        """The present moment; notes what is seen now."""
        now = super()._look()
        seen = {
            slot
            for slot, (zone, of) in now.places.items()
            if zone in _OPEN or (zone, of) == ("hand", self._seat)
        } | self._shown(now)
        self._number(seen)
        self._named, self._seen = seen | self._seen, seen
        return now

    def face_up(self) -> set[int]:
        """The cards that the player sees now."""
        return self._seen

    def _number(self, slots: set[int]) -> None:
        """Number copies that have not been seen before."""
        for slot in sorted(slots - self._numbers.keys()):
            name = self.game.card(slot).name
            self._copies[name] += 1
            self._numbers[slot] = f" #{self._copies[name]}" if self._copies[name] > 1 else ""

    def _shown(self, now: _Moment) -> set[int]:
        """Hidden cards that an effect shows: to both players, or to the one who chooses."""
        game = self.game
        if not game.waits:
            return set()
        options = game.options
        words = {option.word for option in options}
        shown = shown_slots(game, options, now.position, now.details)
        if game.decider == self._seat and not words & {"pile", "mode", "keyword", "buy"}:
            shown |= {slot for option in options for slot in (option.slot, option.other)}
        return shown - {-1}

    def _number_copies(self) -> Mapping[int, str]:
        """The numbers of those seen, to which more are added."""
        return self._numbers

    def _name(self, slot: int, moment: _Moment | None = None) -> str:
        return super()._name(slot, moment) if slot in self._named else "a card"

    def _list(self, slots: Sequence[int], before: _Moment | None = None) -> str:
        named = [slot for slot in slots if slot in self._named]
        others = len(slots) - len(named)
        texts = [super()._list(named, before)] if named or not others else []
        if others:
            texts.append("a card" if others == 1 else f"{others} cards")
        return ", ".join(texts)

    # ------------------------------------------------------------ what is told

    def _dealt(self) -> Iterator[str]:
        """The own hand."""
        hand = self._now.position["players"][self._seat]["hand"]
        yield f"Player {self._seat} was dealt {self._list(hand)}."

    def _decided(self, options: Sequence[Option], chosen: int) -> Iterator[str]:
        """What the opponent chose, unless what follows says it."""
        option, decider = options[chosen], self.game.decider
        hidden = option.slot >= 0 and option.slot not in self._named
        if decider == self._seat or option.word in _FOLLOWS or hidden:
            return
        if option.word in _DECLINED:
            yield f"  Player {decider} {_DECLINED[option.word]}."
            return
        text = self._option(self.game.decision, option, options)
        yield f"  Player {decider} {self._question(self.game.decision, options)}: {text}."

    def _announce(self, phase: Phase, attacker: int, blocker: int) -> Iterator[str]:
        """What is about to happen; what the opponent's card says when it is played."""
        yield from super()._announce(phase, attacker, blocker)
        if phase == Phase.PLAY and self._now.position["active"] != self._seat:
            yield from (f"    {self._says(slot)}" for slot in self._now.position["limbo"])

    def _standings(self) -> Iterator[str]:
        """What both players have, the opponent first, and what belongs to neither."""
        for number in (1 - self._seat, self._seat):
            yield from self._side(number)
        yield from self._common()

    def _side(self, number: int) -> Iterator[str]:
        """What a player has, but for the cards of their hand."""
        player = self._now.position["players"][number]
        counts = [f"life {player['life']}", f"Mindbugs {player['mindbugs']}"]
        counts += [f"energy {player['energy']}"] * self.game.table.modes.kot_parts
        counts += [f"hand {len(player['hand'])}", f"draw pile {len(player['draw'])}"]
        counts.append(f"discard pile {len(player['discard'])}")
        yield f"  {_WHO[number == self._seat]:10}{', '.join(counts)}"
        if player["play"]:
            creatures = (self._creature(slot, boosts=True) for slot in player["play"])
            yield f"  {'':10}{', '.join(creatures)}"

    def glance(self) -> Iterator[str]:
        """Whose turn it is, and what both players have."""
        now = self._now.position
        yield f"Turn {now['turn']}, {_TURN[now['active'] == self._seat]}"
        yield from self._standings()

    def table(self) -> Iterator[str]:
        """What lies where, with what the cards say that can still do something."""
        now = self._now.position
        yield f"Turn {now['turn']}, {_TURN[now['active'] == self._seat]}"
        for number in (1 - self._seat, self._seat):
            player = now["players"][number]
            yield from list(self._side(number))[:1]
            for slot in player["play"]:
                yield self._with_text("in play", self._creature(slot, boosts=True), slot)
            if number == self._seat:
                for slot in player["hand"]:
                    yield self._with_text("hand", self._name(slot), slot)
            if player["discard"]:
                yield f"    {'discard pile':14}{self._list(player['discard'])}"
        yield from self._common()

    def _with_text(self, where: str, name: str, slot: int) -> str:
        text = self._says(slot)
        return f"    {where:14}{name}" + (f" – {text}" if text else "")


_WHO = ("Opponent", "You")
_TURN = ("the opponent's", "yours")
