"""What a player sees and may do, as numbers in fixed places: for programs that learn to play.

Cards differ by what they are, not by the order they were dealt in: every copy of a card in
the pool has a place of its own, for each place where a card can lie.  So the same number says the
same thing in every game of a pool, and no number says more than a player may know (R4).
"""

from bisect import bisect_right
from collections import Counter
from collections.abc import Collection, Iterable, Mapping
from typing import Any

import numpy as np
import numpy.typing as npt
from attrs import frozen

from card_data.mindbug.vocabulary import Effect, Keyword, Rule, Trigger
from simcore.mindbug.face.game import Game
from simcore.mindbug.face.options import Option
from simcore.mindbug.rules.dice import FACES
from simcore.mindbug.table.card_table import CardTable
from simcore.mindbug.table.state import MAX_SLOTS, Decision

#: Life, power and everything that is counted in places of its own is divided by this.
SCALE = 10.0
#: What is known of each creature.
CREATURE = (
    "in play",
    "power",
    *(keyword.name for keyword in Keyword),
    "exhausted",
    "boosts",
    "stage II",
    "stage III",
    "attacks",
    "picked",
    "cannot attack",
    "cannot block",
    "cannot be defeated",
    "has to attack",
)
#: Options that name no card.
WORDS = (
    *("refuse", "use", "no_hunt", "no_block", "stop", "attack_again", "no", "yes"),
    *("keep", "reroll 1", "reroll 2", "reroll_both", "first 1", "first 2", "play"),
    *("your pile", "opponent's pile"),
    *(keyword.name for keyword in Keyword),
    *(f"mode {number}" for number in range(1, 9)),
)
#: Decisions in the middle of an attack.
ATTACK_GOES_ON = frozenset(
    (
        *(Decision.HUNT, Decision.BLOCK, Decision.SECOND_ATTACK),
        *(Decision.REROLL, Decision.DICE_ORDER),
    )
)
_PICKED_ONE_BY_ONE = frozenset((Decision.TARGETS, Decision.UP_TO, Decision.DISCARD))
_MARKS = ("cannot_attack", "cannot_block", "cannot_be_defeated", "forced")
_GRANTED = "granted Attack"


@frozen
class Block:
    """Entries that stand next to each other: what they are together, and each one's name."""

    name: str
    about: str
    names: tuple[str, ...]


@frozen
class _Ability:
    """An ability that can be resolved: number of its card, -1 for a power card, and what it is."""

    kind: int
    header: str


class Layout:
    """What the entries of the observation and the actions of a pool mean.

    ``observation`` and ``actions`` are their blocks in order, ``observation_names`` and
    ``action_names`` the name of every single entry.  ``copies`` are the cards of the pool with
    their copies, ``kinds`` the cards without.
    """

    def __init__(self, table: CardTable) -> None:
        record = table.rows[0]
        rows, counts = np.unique(record["pool"][: table.pool_size], return_counts=True)
        self.table = table
        self.kinds = tuple(table.cards[row].card_id for row in rows)
        self.n_copies = tuple(int(count) for count in counts)
        self.copies = _numbered(self.kinds, self.n_copies)
        self.first_copy = tuple(int(n) for n in np.cumsum([0, *counts])[:-1])
        kinds = {int(row): kind for kind, row in enumerate(rows)}
        first_face = record["cards"]["first_face"]
        #: Number of the card of any of its stages.
        self.kind_of = {
            card.card_id: kinds[int(first_face[row])]
            for row, card in enumerate(table.cards)
            if int(first_face[row]) in kinds
        }
        n_power_cards = int(record["n_power_cards"])
        self.power_cards = _numbered_again(
            card.card_id for card in table.power_cards[:n_power_cards]
        )
        self._list_abilities(n_power_cards)
        self.observation = self._observation()
        self.actions = self._actions()
        self.observation_names = _names(self.observation)
        self.action_names = _names(self.actions)
        #: Where each block begins.
        self.place = _places(self.observation)
        self.action_place = _places(self.actions)

    def _list_abilities(self, n_power_cards: int) -> None:
        """Number the abilities, and find them by the rows of their instructions."""
        record, starts = self.table.rows[0], dict[int, _Ability]()
        for face, card in enumerate(self.table.faces):
            if card.card_id not in self.kind_of:
                continue
            row, kind = record["cards"][face], self.kind_of[card.card_id]
            for ability in card.triggered:
                start = int(row["program"][ability.trigger])
                starts[start] = _Ability(kind, ability.trigger.name.capitalize())
            for rule in range(int(row["first_rule"]), int(row["end_rule"])):
                if record["rules"]["rule"][rule] == Rule.HAVE_ATTACK:
                    starts[int(record["rules"]["program"][rule])] = _Ability(kind, _GRANTED)
        of_cards = sorted(set(starts.values()), key=lambda ability: (ability.kind, ability.header))
        self.ability_numbers = {ability: number for number, ability in enumerate(of_cards)}
        self._starts = {start: self.ability_numbers[ability] for start, ability in starts.items()}
        for number in range(n_power_cards):
            start = int(record["power_cards"]["program"][number])
            self._starts[start] = len(of_cards) + number
        self._sorted_starts = sorted(self._starts)
        self.abilities = tuple(f"{self.kinds[one.kind]} {one.header}" for one in of_cards)
        copies = [self.n_copies[one.kind] for one in of_cards]
        self.triggers = _numbered(self.abilities, copies)
        self.first_trigger = tuple(int(n) for n in np.cumsum([0, *copies])[:-1])

    def ability_of(self, program: int) -> int:
        """Number of the ability that an instruction belongs to."""
        return self._starts[self._sorted_starts[bisect_right(self._sorted_starts, program) - 1]]

    def trigger_place(self, kind: int, header: str, copy: int) -> int:
        """Place of one of several equal waiting triggers, -1 if there is none."""
        ability = self.ability_numbers.get(_Ability(kind, header), -1)
        if ability < 0 or copy >= self.n_copies[kind]:
            return -1
        return self.first_trigger[ability] + copy

    def _observation(self) -> tuple[Block, ...]:
        copies, kinds, deck = self.copies, self.kinds, self.power_cards
        creature = tuple(f"{copy}, {what}" for copy in copies for what in CREATURE)
        counts = ("life", "Mindbugs", "energy", "hand", "draw pile")
        players = tuple(f"{who} {what}" for who in ("your", "opponent's") for what in counts)
        piles = ("unused pile", "power deck", "waiting triggers", "groups with something this turn")
        moment = ("turn, of the turns allowed", "your turn", "you decide", "the effect is yours")
        return (
            Block("moment", "the turn, and whose it is", moment),
            Block("players", "what both players have, divided by 10", players),
            Block("piles", "what else can be counted, divided by 10", piles),
            Block("decision", "the decision point", tuple(d.name for d in Decision if d)),
            Block("effect", "what the running effect does now", tuple(e.name for e in Effect)),
            Block("ability", "the ability being resolved", (*self.abilities, *deck)),
            Block("your hand", "1 for each copy held", copies),
            Block("your creatures", "each copy; power and boosts divided by 10", creature),
            Block("opponent's creatures", "likewise", creature),
            Block("your discard pile", "1 for each copy", copies),
            Block("opponent's discard pile", "1 for each copy", copies),
            Block("your boost cards", "copies under your creatures", kinds),
            Block("opponent's boost cards", "copies under the opponent's creatures", kinds),
            Block("shown", "copies on the table: being played, given or put elsewhere", kinds),
            Block("picked", "copies outside play picked so far for the running effect", kinds),
            Block("set aside", "copies set aside for a while", kinds),
            Block("power cards", "1 for each that can be bought", deck),
            Block("bought power cards", "1 for each being resolved", deck),
            Block("discarded power cards", "1 for each", deck),
            Block("dice", "what they show", tuple(f"{n} {face}" for n in (1, 2) for face in FACES)),
        )

    def _actions(self) -> tuple[Block, ...]:
        copies, triggers = self.copies, self.triggers
        spare = tuple(str(number) for number in range(MAX_SLOTS))
        return (
            Block("words", "options that name no card", WORDS),
            Block("your hand", "play, discard or give this card", copies),
            Block("your creatures", "attack or block with it, or choose it", copies),
            Block("activate", "use the Action ability of your creature", copies),
            Block("opponent's creatures", "hunt it or choose it", copies),
            Block("your discard pile", "choose this card", copies),
            Block("opponent's discard pile", "choose this card", copies),
            Block("boost cards", "choose this card under a creature, yours first", copies),
            Block("your triggers", "resolve it next", triggers),
            Block("opponent's triggers", "resolve it next", triggers),
            Block("power cards", "buy it", self.power_cards),
            Block("others", "options that nothing above describes, in their order", spare),
        )


def _numbered(names: Iterable[str], counts: Iterable[int]) -> tuple[str, ...]:
    """Each name as often as it counts, with a number where that is more than once."""
    return tuple(
        name if count == 1 else f"{name} #{copy}"
        for name, count in zip(names, counts, strict=True)
        for copy in range(1, count + 1)
    )


def _numbered_again(names: Iterable[str]) -> tuple[str, ...]:
    """Names with a number where one comes more than once."""
    listed, seen = list(names), Counter[str]()
    counts, numbered = Counter(listed), []
    for name in listed:
        seen[name] += 1
        numbered.append(name if counts[name] == 1 else f"{name} #{seen[name]}")
    return tuple(numbered)


def _names(blocks: Iterable[Block]) -> tuple[str, ...]:
    """The name of every entry of several blocks."""
    return tuple(f"{block.name}: {name}" for block in blocks for name in block.names)


def _places(blocks: Iterable[Block]) -> dict[str, int]:
    """Where each block begins."""
    places, begin = {}, 0
    for block in blocks:
        places[block.name] = begin
        begin += len(block.names)
    return places


def shown_slots(
    game: Game, options: Iterable[Option], position: Mapping[str, Any], details: Mapping[str, Any]
) -> set[int]:
    """Slots of the cards that both players are looking at, and that lie nowhere yet.

    ``options``, ``position`` and ``details`` are those of the game at this moment.
    """
    shown = {*position["limbo"]}
    words = {option.word for option in options}
    if game.decision == Decision.BOOST or "pile" in words or {"play", "keep"} == words:
        shown |= {*details["gathered"]}
    return shown


class Sight:
    """A game at one decision, or at its end, as both players see it.

    ``first`` is the creature of a pair that has been named already (C31): a pair is chosen one
    creature at a time.
    """

    def __init__(self, layout: Layout, game: Game, first: int = -1) -> None:
        self.layout = layout
        self.game = game
        self.first = first
        self.position = game.snapshot()
        self._details = game.details()
        self._options = game.options
        self._marks = self._mark_creatures()
        self._creatures = {slot: self._creature(slot) for slot in self.position["creatures"]}

    # ------------------------------------------------------------ creatures

    def _mark_creatures(self) -> Mapping[str, Collection[int]]:
        """Which creatures attack, have been picked, and cannot or must do something."""
        decision = self.game.decision
        marks: dict[str, Collection[int]] = {name: self._details[name] for name in _MARKS}
        marks["attacks"] = self.game.fight[:1] if decision in ATTACK_GOES_ON else ()
        marks["picked"] = self._details["chosen"] if decision in _PICKED_ONE_BY_ONE else ()
        if self.first >= 0:
            marks["picked"] = [self.first]
        return marks

    def _creature(self, slot: int) -> list[float]:
        """The entries of one creature, in the order of CREATURE."""
        creature, marks = self.position["creatures"][slot], self._marks
        stage = self.game.card(slot).stage
        return [
            1.0,
            creature["power"] / SCALE,
            *(float(keyword.name in creature["keywords"]) for keyword in Keyword),
            float(creature["exhausted"]),
            len(creature["boosts"]) / SCALE,
            float(stage == 2),
            float(stage == 3),
            float(slot in marks["attacks"]),
            float(slot in marks["picked"]),
            *(float(slot in marks[name]) for name in _MARKS),
        ]

    # ------------------------------------------------------------ places

    def _kinds(self, slots: Iterable[int]) -> list[int]:
        """Numbers of the cards in slots, those that the pool does not have left out."""
        kinds = (self.layout.kind_of.get(self.game.card(slot).card_id, -1) for slot in slots)
        return [kind for kind in kinds if kind >= 0]

    def _number(self, slots: Iterable[int]) -> dict[int, int]:
        """Slot -> place among the copies, for the cards of one zone in a given order."""
        seen, places = Counter[int](), {}
        for slot in slots:
            for kind in self._kinds([slot]):
                if seen[kind] < self.layout.n_copies[kind]:
                    places[slot] = self.layout.first_copy[kind] + seen[kind]
                    seen[kind] += 1
        return places

    def _places(self, player: int) -> dict[str, dict[int, int]]:
        """Zone -> slot -> place among the copies, for all cards that a player sees.

        Equal creatures are put in the order of what can be seen of them.
        """
        players = self.position["players"]
        you, opponent = players[player], players[1 - player]
        yours, theirs = (
            sorted(one["play"], key=lambda slot: (self._creatures[slot], slot))
            for one in (you, opponent)
        )
        hosts = [*yours, *theirs]
        boosts = [slot for host in hosts for slot in self.position["creatures"][host]["boosts"]]
        zones = {
            "your hand": you["hand"],
            "your creatures": yours,
            "opponent's creatures": theirs,
            "your discard pile": you["discard"],
            "opponent's discard pile": opponent["discard"],
            "boost cards": boosts,
        }
        return {zone: self._number(slots) for zone, slots in zones.items()}

    # ------------------------------------------------------------ actions

    def actions(self) -> dict[int, int]:
        """Action -> number of the option that it chooses, for the player who decides.

        While the first creature of a pair is to be named, numbers are slots.
        """
        if not self._options:
            return {}
        if self._options[0].word == "pair":
            return self._pairs()
        layout, places, offered, left = self.layout, self._places(self.game.decider), {}, []
        triggers = self._trigger_places()
        for number, option in enumerate(self._options):
            action = triggers.get(number, -1)
            if option.word != "resolve":
                action = self._action(option, places)
            if action < 0 or action in offered:
                left.append(number)
            else:
                offered[action] = number
        begin = layout.action_place["others"]
        return offered | {begin + place: number for place, number in enumerate(left)}

    def _pairs(self) -> dict[int, int]:
        """The creatures that may be named for a pair: slots, or options for the second one."""
        places, named = self._places(self.game.decider), dict[int, int]()
        for number, option in enumerate(self._options):
            pair = (option.slot, option.other)
            if self.first < 0:
                named |= {slot: slot for slot in pair}
            elif self.first in pair:
                named[sum(pair) - self.first] = number
        return {
            self._action(Option("target", slot), places): meant for slot, meant in named.items()
        }

    def _action(self, option: Option, places: dict[str, dict[int, int]]) -> int:
        """The action that an option has by its nature, -1 if none."""
        begin = self.layout.action_place
        if option.word == "buy":
            return begin["power cards"] + option.number
        if option.slot < 0:
            word = self._word(option)
            return begin["words"] + WORDS.index(word) if word in WORDS else -1
        if option.word == "activate":
            return begin["activate"] + places["your creatures"][option.slot]
        for zone, place in places.items():
            if option.slot in place:
                return begin[zone] + place[option.slot]
        return -1

    def _word(self, option: Option) -> str:
        """An option that names no card."""
        if option.keyword is not None:
            return option.keyword.name
        if option.word == "pile":
            return "your pile" if option.number == self.game.decider else "opponent's pile"
        return option.word if option.number < 0 else f"{option.word} {option.number + 1}"

    def _trigger_places(self) -> dict[int, int]:
        """Option number -> action, for triggers of which the next one is chosen."""
        layout, game = self.layout, self.game
        owners = {(slot, kind, by): player for slot, kind, player, by in game.waiting}
        seen, places = Counter[tuple[bool, int, str]](), {}
        for number, option in enumerate(self._options):
            if option.word != "resolve":
                continue
            assert isinstance(option.trigger, Trigger)
            granted = option.other >= 0
            source = game.card(option.other if granted else option.slot)
            kind = layout.kind_of.get(source.card_id, -1)
            header = _GRANTED if granted else option.trigger.name.capitalize()
            yours = owners[option.slot, option.trigger, option.other] == game.decider
            place = layout.trigger_place(kind, header, seen[yours, kind, header])
            seen[yours, kind, header] += 1
            if place >= 0:
                block = "your triggers" if yours else "opponent's triggers"
                places[number] = layout.action_place[block] + place
        return places

    # ------------------------------------------------------------ observation

    def observe(self, player: int) -> npt.NDArray[np.float32]:
        """What a player may know (R4), as `Layout.observation` says."""
        places = self._places(player)
        values = np.zeros(len(self.layout.observation_names), np.float32)
        for block, entries in self._entries(player).items():
            begin = self.layout.place[block]
            values[begin : begin + len(entries)] = entries
        for block, numbers in (self._numbers() | self._cards(player, places)).items():
            np.add.at(values, [self.layout.place[block] + number for number in numbers], 1.0)
        for block in ("your creatures", "opponent's creatures"):
            for slot, copy in places[block].items():
                begin = self.layout.place[block] + copy * len(CREATURE)
                values[begin : begin + len(CREATURE)] = self._creatures[slot]
        return values

    def _entries(self, player: int) -> dict[str, list[float]]:
        """The blocks that are a few numbers each."""
        position, details = self.position, self._details
        cap = self.layout.table.modes.turn_cap
        players = [position["players"][player], position["players"][1 - player]]
        moment = [
            position["turn"] / cap,
            position["active"] == player,
            self.game.decider == player,
            details["effect"] is not None and details["you"] == player,
        ]
        counts = [
            len(one[what]) if what in ("hand", "draw") else one[what]
            for one in players
            for what in ("life", "mindbugs", "energy", "hand", "draw")
        ]
        piles = [len(details["unused"]), len(position["power_deck"])]
        piles += [position["waiting"], details["turn_rules"]]
        return {
            "moment": [float(entry) for entry in moment],
            "players": [count / SCALE for count in counts],
            "piles": [count / SCALE for count in piles],
        }

    def _numbers(self) -> dict[str, list[int]]:
        """The blocks in which single entries are 1, the same for both players."""
        position, details, decision = self.position, self._details, self.game.decision
        effect = details["effect"]
        ability = [] if effect is None else [self.layout.ability_of(details["program"])]
        faces = [len(FACES) * die + FACES.index(face) for die, face in enumerate(details["dice"])]
        return {
            "decision": [decision - 1] if decision else [],
            "effect": [] if effect is None else [int(effect)],
            "ability": ability,
            "power cards": position["display"],
            "bought power cards": details["bought"],
            "discarded power cards": position["power_discard"],
            "dice": faces if decision in (Decision.REROLL, Decision.DICE_ORDER) else [],
        }

    def _cards(self, player: int, places: dict[str, dict[int, int]]) -> dict[str, list[int]]:
        """The blocks of cards out of play: copies for the zones, otherwise kinds."""
        creatures = self.position["creatures"]
        found = {
            zone: list(places[zone].values())
            for zone in ("your hand", "your discard pile", "opponent's discard pile")
        }
        for whose, owner in (("your", player), ("opponent's", 1 - player)):
            play = self.position["players"][owner]["play"]
            boosts = [boost for slot in play for boost in creatures[slot]["boosts"]]
            found[f"{whose} boost cards"] = self._kinds(boosts)
        visible = {slot for place in places.values() for slot in place} - creatures.keys()
        found["picked"] = self._kinds(visible.intersection(self._marks["picked"]))
        found["shown"] = self._kinds(
            shown_slots(self.game, self._options, self.position, self._details)
        )
        found["set aside"] = self._kinds(self.position["set_aside"])
        return found

    def tell(self) -> str:
        """What both players see, as text."""
        game, position = self.game, self.position
        head = f"Turn {position['turn']}, "
        if game.over:
            head += "the game is over: " + (
                f"player_{game.winner} wins" if game.winner >= 0 else "a draw"
            )
        else:
            head += f"player_{game.decider} decides: {game.decision.name}"
        lines = [head]
        for number, player in enumerate(position["players"]):
            play = ", ".join(self._creature_text(slot) for slot in player["play"])
            lines.append(
                f"player_{number}: life {player['life']}, Mindbugs {player['mindbugs']},"
                f" energy {player['energy']}, hand {len(player['hand'])},"
                f" draw pile {len(player['draw'])}; in play: {play or 'no creature'}"
            )
        return "\n".join(lines)

    def _creature_text(self, slot: int) -> str:
        """A creature in words."""
        creature: dict[str, Any] = self.position["creatures"][slot]
        state = [str(creature["power"]), *creature["keywords"]]
        state += ["exhausted"] if creature["exhausted"] else []
        return f"{self.game.card(slot).name} ({' '.join(state)})"
