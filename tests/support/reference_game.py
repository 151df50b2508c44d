"""The slow reference engine: the rules of Mindbug in plain Python, one step after another.

Written from the rules text alone (rule numbers R, decision points D and rulings C refer to it), to
be compared decision by decision with the fast engine. Nothing is remembered that can be worked out:
power, keywords, restrictions and options are computed anew whenever they are asked for (R84).

How it works. The whole game is one Python generator (:meth:`ReferenceGame._game`). Where a player
has to decide, the generator yields a :class:`Decision` and is sent the chosen option. A decision
with one option is never yielded (R120).

**Instructions and events.** Each method of the section "Instructions" performs one instruction of
an effect, which is one event (R59): it changes the state, puts all triggers it caused into the
queue as one batch (R57), and refills hands (R27). Combat and playing a card use the same methods.

Sets so far: First Contact and New Servants (``support/reference_cards.py``). Places where later
sets join in are marked "Later sets".
"""

from __future__ import annotations

from collections.abc import Callable, Generator, Iterable, Mapping
from dataclasses import dataclass, field
from typing import Any

from support.positions import Decision, Option, Position
from support.reference_cards import (
    CARDS,
    FRENZY,
    HUNTER,
    POISONOUS,
    SNEAKY,
    TOUGH,
    CardFacts,
    Effect,
)

Asking = Generator["Decision", Option, Any]
PickRandom = Callable[[list[int], int], list[int]]

HAND_SIZE = 5  # R27
START_LIFE = 3  # R9
START_MINDBUGS = 2  # R9
DEALT_CARDS = 10  # R8
AFTER_MINDBUG_MODES = ("turn", "action")


@dataclass(eq=False)
class Creature:
    """A card in play. Entering play makes a new ``Creature``, that is, a new object (R5)."""

    card: int
    controller: int
    exhausted: bool = False
    attacks_this_turn: int = 0
    control_changes: int = 0
    keywords_this_turn: set[str] = field(default_factory=set)
    cannot_block_this_turn: bool = False


@dataclass
class Player:
    """What one player has, except creatures, which are kept in ``ReferenceGame.creatures`` (R2)."""

    life: int
    mindbugs: int
    hand: list[int] = field(default_factory=list)
    draw: list[int] = field(default_factory=list)
    discard: list[int] = field(default_factory=list)


@dataclass(eq=False)
class Trigger:
    """A triggered effect that waits or is being resolved."""

    game: ReferenceGame
    card: int  # The source.
    word: str  # "play", "attack", "defeated" or "in_discard".
    you: int  # R53
    effect: Effect
    creature: Creature | None  # The source as an object in play, where it was one.
    moves: int  # How often the card had changed its zone when the effect triggered.

    @property
    def opponent(self) -> int:
        """The opponent of "you"."""
        return 1 - self.you

    @property
    def this(self) -> int | None:
        """The source creature if it is still the same object in play, else None (R55)."""
        if self.creature is not None and self.game.creatures.get(self.card) is self.creature:
            return self.card
        return None

    @property
    def card_has_stayed(self) -> bool:
        """Whether the source card has not changed its zone since the effect triggered (C16)."""
        return self.game.moves[self.card] == self.moves


class _GameEnds(Exception):
    """Raised wherever the game ends; nothing after it happens (R14)."""

    def __init__(self, winner: int, ending: str) -> None:
        super().__init__(ending)
        self.winner = winner
        self.ending = ending


def take_lowest(candidates: list[int], n: int) -> list[int]:
    """Pick the lowest ``n``: a ``pick_random`` without chance, where it does not matter."""
    return candidates[:n]


class ReferenceGame:
    """One game of Mindbug between player 0 and player 1.

    Make one with :meth:`from_deal` or :meth:`from_position`; look at :attr:`decision`; answer with
    :meth:`choose` until :attr:`over`.
    """

    def __init__(
        self,
        card_ids: list[str],
        players: tuple[Player, Player],
        active: int,
        *,
        pick_random: PickRandom,
        after_mindbug: str,
        turn_cap: int,
        effect_cap: int,
        cards: Mapping[str, CardFacts],
    ) -> None:
        """Take over a prepared state; use :meth:`from_deal` or :meth:`from_position` instead."""
        if after_mindbug not in AFTER_MINDBUG_MODES:
            raise ValueError(
                f"after_mindbug is {after_mindbug!r}; must be one of {AFTER_MINDBUG_MODES}"
            )
        if active not in (0, 1):
            raise ValueError(f"the first player is {active!r}; must be 0 or 1")
        unknown = sorted(set(card_ids) - set(cards))
        if unknown:
            raise ValueError(f"unknown cards: {', '.join(unknown)}")
        self.cards = cards
        self.card_ids = card_ids
        self.players = players
        self.creatures: dict[int, Creature] = {}
        self.limbo: list[int] = []  # Cards in no zone (R34, C15).
        self.moves = [0] * len(card_ids)  # How often each card has changed its zone.
        self.queue: list[list[Trigger]] = []  # Batches of waiting triggers, oldest first (R57).
        self.active = active
        self.turn = 1
        self.effects_this_turn = 0
        self.pick_random = pick_random
        self.after_mindbug = after_mindbug
        self.turn_cap = turn_cap
        self.effect_cap = effect_cap
        self.decision: Decision | None = None
        self.over = False
        self.winner = -1
        self.ending: str | None = None
        self._process = self._game()

    # ----------------------------------------------------------------------------------------------
    # The interface
    # ----------------------------------------------------------------------------------------------

    @classmethod
    def from_deal(
        cls,
        decks: tuple[list[str], list[str]],
        first_player: int,
        *,
        pick_random: PickRandom,
        after_mindbug: str = "turn",
        turn_cap: int = 500,
        effect_cap: int = 2000,
        cards: Mapping[str, CardFacts] = CARDS,
    ) -> ReferenceGame:
        """Start a game from each player's ten dealt cards in the order they are drawn (R8, R9).

        Player 0's cards are the instances 0 to 9, player 1's 10 to 19.
        """
        for deck in decks:
            if len(deck) != DEALT_CARDS:
                raise ValueError(f"a deck has {len(deck)} cards; must be {DEALT_CARDS} (R8)")
        players = (Player(START_LIFE, START_MINDBUGS), Player(START_LIFE, START_MINDBUGS))
        for number, player in enumerate(players):
            player.draw = [DEALT_CARDS * number + k for k in range(DEALT_CARDS)]
        game = cls(
            [*decks[0], *decks[1]],
            players,
            first_player,
            pick_random=pick_random,
            after_mindbug=after_mindbug,
            turn_cap=turn_cap,
            effect_cap=effect_cap,
            cards=cards,
        )
        game._start()
        return game

    @classmethod
    def from_position(
        cls,
        position: Position,
        *,
        pick_random: PickRandom = take_lowest,
        turn_cap: int = 500,
        effect_cap: int = 2000,
        cards: Mapping[str, CardFacts] = CARDS,
    ) -> ReferenceGame:
        """Start at the turn action (D1) of the position's active player, in turn 1.

        Hands are refilled first (R27), and a player without a legal action loses (R18).
        """
        placed = position.cards()
        sides = (position.alice, position.bob)
        players = (
            Player(sides[0].life, sides[0].mindbugs),
            Player(sides[1].life, sides[1].mindbugs),
        )
        game = cls(
            [card.card_id for card in placed],
            players,
            position.active,
            pick_random=pick_random,
            after_mindbug=position.after_mindbug,
            turn_cap=turn_cap,
            effect_cap=effect_cap,
            cards=cards,
        )
        for card in placed:
            player = players[card.player]
            if card.zone == "play":
                game.creatures[card.instance] = Creature(
                    card.instance, card.player, exhausted=card.exhausted
                )
            elif card.zone == "hand":
                player.hand.append(card.instance)
            elif card.zone == "draw":
                player.draw.append(card.instance)
            else:
                player.discard.append(card.instance)
        game._start()
        return game

    def choose(self, option: Option) -> None:
        """Carry out one of the options of :attr:`decision` and go on to the next decision."""
        if self.decision is None:
            raise ValueError(f"the game is over ({self.ending}); nothing can be chosen")
        if option not in self.decision.options:
            raise ValueError(
                f"{option!r} is not offered at {self.decision.point}; "
                f"the options are {self.decision.options}"
            )
        self._advance(option)

    def snapshot(self) -> dict[str, Any]:
        """Return the whole state as plain numbers, lists and dicts."""
        keywords = self.all_keywords()
        return {
            "turn": self.turn,
            "active": self.active,
            "players": [
                {
                    "hand": sorted(player.hand),
                    "draw": list(player.draw),
                    "discard": sorted(player.discard),
                    "play": self.creatures_of(number),
                    "life": player.life,
                    "mindbugs": player.mindbugs,
                }
                for number, player in enumerate(self.players)
            ],
            "creatures": {
                card: {
                    "power": self.power(card),
                    "keywords": sorted(keywords[card]),
                    "exhausted": self.creatures[card].exhausted,
                }
                for card in self.creatures_in_play()
            },
            "limbo": sorted(self.limbo),
            "waiting": sum(len(batch) for batch in self.queue),
        }

    # ----------------------------------------------------------------------------------------------
    # Running the game
    # ----------------------------------------------------------------------------------------------

    def _start(self) -> None:
        """Refill hands (the opening hands too, R9) and go to the first decision."""
        self._refill()
        self._advance(None)

    def _advance(self, answer: Option | None) -> None:
        """Let the game go on until somebody has to decide or it is over."""
        try:
            self.decision = self._process.send(answer)
        except StopIteration:
            self.decision = None
            self.over = True

    def _game(self) -> Asking:
        """Play turns until the game ends."""
        try:
            while True:
                next_player = yield from self._turn()
                self._turn_has_ended()
                self.active = next_player
                self.turn += 1
        except _GameEnds as end:
            self.winner = end.winner
            self.ending = end.ending

    def _turn_has_ended(self) -> None:
        """Stop a game that has completed ``turn_cap`` turns, as a draw (R20)."""
        if self.turn >= self.turn_cap:
            raise _GameEnds(-1, "capped")

    def _ask(self, point: str, player: int, options: list[Option]) -> Asking:
        """Let a player decide; a single option is carried out silently (R120)."""
        assert options, f"{point} without options"
        assert len(set(options)) == len(options), f"{point} offers an option twice"
        if len(options) == 1:
            return options[0]
        answer = yield Decision(point, player, options)
        return answer

    # ----------------------------------------------------------------------------------------------
    # Looking at the state
    # ----------------------------------------------------------------------------------------------

    def facts(self, card: int) -> CardFacts:
        """What is printed on a card."""
        return self.cards[self.card_ids[card]]

    def life(self, player: int) -> int:
        """A player's life total."""
        return self.players[player].life

    def discard_pile(self, player: int) -> list[int]:
        """The cards of a discard pile, lowest instance first."""
        return sorted(self.players[player].discard)

    def creatures_in_play(self) -> list[int]:
        """All creatures of both sides, lowest instance first."""
        return sorted(self.creatures)

    def creatures_of(self, player: int) -> list[int]:
        """The creatures a player controls, lowest instance first."""
        return [c for c in self.creatures_in_play() if self.creatures[c].controller == player]

    def controller(self, card: int) -> int:
        """Who controls a creature in play (R3)."""
        return self.creatures[card].controller

    def are_enemies(self, a: int, b: int) -> bool:
        """Whether two creatures are on different sides (R1)."""
        return self.controller(a) != self.controller(b)

    def are_other_allies(self, source: int, creature: int) -> bool:
        """Whether ``creature`` is an allied creature other than ``source`` (R1)."""
        return source != creature and not self.are_enemies(source, creature)

    def is_turn_of_controller(self, card: int) -> bool:
        """Whether it is the turn of the player who controls this creature (R21, R25)."""
        return self.active == self.controller(card)

    def power(self, card: int) -> int:
        """Current power of a creature in play: layer L2, never below 1 (R85, R86)."""
        total = self.facts(card).power
        for source in self.creatures_in_play():
            bonus = self.facts(source).power_bonus
            if bonus is not None:
                total += bonus(self, source, card)
        # Later sets: + 1 per boost card, "this turn" power, cards in discard piles.
        return max(1, total)

    def all_keywords(self) -> dict[int, set[str]]:
        """Current keywords of every creature in play: layers L3 and L4 (R85)."""
        keywords: dict[int, set[str]] = {}
        # L3: printed, given by effects, given by constant abilities.
        for card in self.creatures_in_play():
            keywords[card] = set(self.facts(card).keywords)
            keywords[card] |= self.creatures[card].keywords_this_turn
            for source in self.creatures_in_play():
                grants = self.facts(source).grants
                if grants is not None:
                    keywords[card] |= grants(self, source, card)
        # L4: add copied keywords until nothing changes (R89).
        changed = True
        while changed:
            changed = False
            for copier in self.creatures_in_play():
                copies = self.facts(copier).copies_keywords
                if copies is None:
                    continue
                for enemy in self.creatures_of(1 - self.controller(copier)):
                    copied = keywords[enemy] & copies(self, copier)
                    if not copied <= keywords[copier]:
                        keywords[copier] |= copied
                        changed = True
        return keywords

    def keywords(self, card: int) -> set[str]:
        """Current keywords of a creature in play."""
        return self.all_keywords()[card]

    def can_attack(self, card: int) -> bool:
        """Whether nothing prevents a creature from attacking (R60, layer L5)."""
        for source in self.creatures_in_play():
            forbids = self.facts(source).forbids_attack
            if forbids is not None and forbids(self, source, card):
                return False
        return True

    def can_block(self, blocker: int, attacker: int) -> bool:
        """Whether a creature is allowed to block an attacker that does not hunt (R68, layer L5)."""
        if SNEAKY in self.keywords(attacker) and SNEAKY not in self.keywords(blocker):
            return False  # R80
        if self.creatures[blocker].cannot_block_this_turn:
            return False
        for source in self.creatures_in_play():
            forbids = self.facts(source).forbids_block
            if forbids is not None and forbids(self, source, attacker, blocker):
                return False
        return True

    def play_effects_are_stopped(self, player: int) -> bool:
        """Whether the opponent's constant abilities stop a player's Play effects (R90, C1)."""
        for source in self.creatures_of(1 - player):
            stops = self.facts(source).stops_opponents_play_effects
            if stops is not None and stops(self, source):
                return True
        return False

    # ----------------------------------------------------------------------------------------------
    # Moving cards: every change of zone goes through _take_from_zone, so a card is in one zone only
    # ----------------------------------------------------------------------------------------------

    def _take_from_zone(self, card: int) -> None:
        """Take a card out of the zone where it is."""
        self.moves[card] += 1
        if card in self.creatures:
            del self.creatures[card]
            return
        zones = [self.limbo]
        for player in self.players:
            zones += [player.hand, player.draw, player.discard]
        for zone in zones:
            if card in zone:
                zone.remove(card)
                return
        raise AssertionError(f"card {card} is in no zone")

    def _refill(self) -> None:
        """Draw up to 5 cards, both players; a state check made after every change (R27)."""
        for player in self.players:
            while len(player.hand) < HAND_SIZE and player.draw:
                card = player.draw[0]
                self._take_from_zone(card)
                player.hand.append(card)

    # ----------------------------------------------------------------------------------------------
    # Triggers (R52-R59)
    # ----------------------------------------------------------------------------------------------

    def _trigger(
        self, card: int, word: str, you: int, effect: Effect, creature: Creature | None
    ) -> Trigger:
        """Note down a triggered effect with everything it has to remember (R53-R55)."""
        return Trigger(self, card, word, you, effect, creature, self.moves[card])

    def _event_is_over(self, batch: list[Trigger]) -> None:
        """End one event (R59): its triggers become one batch (R57); hands are refilled (R27)."""
        if batch:
            self.queue.append(batch)
        self._refill()

    def _work_off_queue(self) -> Asking:
        """Resolve all waiting triggers: oldest batch first, active player's order inside (R57)."""
        while self.queue:
            batch = self.queue[0]
            options: list[Option] = [("resolve", t.card, t.word) for t in batch]
            answer = yield from self._ask("D11", self.active, options)
            trigger = batch.pop(options.index(answer))
            if not batch:
                self.queue.pop(0)
            yield from self._resolve(trigger)

    def _resolve(self, trigger: Trigger) -> Asking:
        """Resolve one trigger to its end before anything else starts (R56); count it (R20)."""
        self.effects_this_turn += 1
        if self.effects_this_turn > self.effect_cap:
            raise _GameEnds(-1, "looped")
        choices = trigger.effect(self, trigger)
        if choices is not None:
            yield from choices

    # ----------------------------------------------------------------------------------------------
    # Instructions: each is one event (R59)
    # ----------------------------------------------------------------------------------------------

    def defeat(self, cards: Iterable[int]) -> None:
        """Defeat a group of creatures at the same moment (R50, R73, R92)."""
        group = list(cards)
        # Everything is decided while all of them are still in play (R96).
        keywords = self.all_keywords()
        # Later sets: "cannot be defeated", then "evolve instead", come before TOUGH (R97).
        saved = [c for c in group if TOUGH in keywords[c] and not self.creatures[c].exhausted]
        leaving = [self.creatures[c] for c in group if c not in saved]
        for card in saved:
            self.creatures[card].exhausted = True  # R81
        for creature in leaving:
            self._take_from_zone(creature.card)
            self.players[creature.controller].discard.append(creature.card)  # R92
        batch = []
        for creature in leaving:
            effect = self.facts(creature.card).defeated
            if effect is not None:
                you = creature.controller  # R53
                batch.append(self._trigger(creature.card, "defeated", you, effect, creature))
        self._event_is_over(batch)

    def gain_life(self, player: int, amount: int) -> None:
        """Gain life; there is no maximum (R16)."""
        self.players[player].life += amount
        self._event_is_over([])

    def lose_life(self, player: int, amount: int) -> None:
        """Lose life; at 0 the game ends at once (R14, R16). Losing 0 is not losing life."""
        amount = min(amount, self.life(player))
        if amount <= 0:
            return
        self.players[player].life -= amount
        if self.life(player) == 0:
            raise _GameEnds(1 - player, "life")
        batch = []
        for card in self.discard_pile(player):
            effect = self.facts(card).in_discard_on_life_loss
            if effect is not None:
                batch.append(self._trigger(card, "in_discard", player, effect, None))  # C16
        self._event_is_over(batch)

    def set_life(self, player: int, total: int) -> None:
        """Set a life total: gaining or losing the difference (R17)."""
        difference = total - self.life(player)
        if difference > 0:
            self.gain_life(player, difference)
        else:
            self.lose_life(player, -difference)

    def take_control(self, cards: Iterable[int], player: int) -> None:
        """Move creatures to a player's play area in their present state (R95); not a play (R42)."""
        for card in cards:
            self.creatures[card].controller = player
            self.creatures[card].control_changes += 1
        self._event_is_over([])

    def put_into_play(self, cards: Iterable[int], player: int) -> None:
        """Let a player play cards: they enter together, then their Play effects trigger (R41)."""
        entering = list(cards)
        for card in entering:
            self._take_from_zone(card)
            self.creatures[card] = Creature(card, player)  # R5
        batch = []
        for card in entering:
            effect = self.facts(card).play
            if effect is not None and not self.play_effects_are_stopped(player):  # R90
                batch.append(self._trigger(card, "play", player, effect, self.creatures[card]))
        self._event_is_over(batch)

    def put_into_hand(self, cards: Iterable[int], player: int) -> None:
        """Put cards into a hand in one move; the hand may exceed 5 (R28)."""
        for card in cards:
            self._take_from_zone(card)
            self.players[player].hand.append(card)
        self._event_is_over([])

    def take_out_of_hand(self, cards: Iterable[int]) -> None:
        """Take cards out of a hand into no zone (R34, C15)."""
        for card in cards:
            self._take_from_zone(card)
            self.limbo.append(card)
        self._event_is_over([])

    def discard_from_hand(self, player: int, n: int) -> Asking:
        """A player discards ``n`` cards of their choice together, or all they hold (R29, R30)."""
        cards = yield from self.choose_cards_from_hand(player, n)
        for card in cards:
            self._take_from_zone(card)
            self.players[player].discard.append(card)
        self._event_is_over([])

    def steal_random_cards(self, thief: int, victim: int, n: int) -> None:
        """Move ``n`` random cards, or all there are, from one hand to the other (R30, R31)."""
        candidates = sorted(self.players[victim].hand)
        n = min(n, len(candidates))
        if n == 0:
            return
        cards = self.pick_random(candidates, n)
        assert len(set(cards)) == len(cards) == n, "pick_random gave a wrong number of cards"
        assert set(cards) <= set(candidates), "pick_random gave a card that is no candidate"
        self.put_into_hand(cards, thief)

    def give_keyword_this_turn(self, card: int, keyword: str) -> None:
        """Give one creature a keyword until the end of this turn (R25, R26)."""
        self.creatures[card].keywords_this_turn.add(keyword)
        self._event_is_over([])

    def forbid_blocking_this_turn(self, card: int) -> None:
        """Forbid one creature to block until the end of this turn (R25, R26)."""
        self.creatures[card].cannot_block_this_turn = True
        self._event_is_over([])

    # ----------------------------------------------------------------------------------------------
    # Choices inside effects (R44-R51, D6-D12)
    # ----------------------------------------------------------------------------------------------

    def choose_target(self, player: int, candidates: list[int]) -> Asking:
        """D6: choose one target; None if there is none (R43, R46)."""
        if not candidates:
            return None
        answer = yield from self._ask("D6", player, [("target", c) for c in candidates])
        return answer[1]

    def choose_up_to(self, player: int, candidates: list[int], n: int) -> Asking:
        """D8: choose up to ``n`` different targets, one pick after another (R49, R50)."""
        picked: list[int] = []
        remaining = list(candidates)
        while remaining and len(picked) < n:
            options: list[Option] = [("stop",), *(("target", c) for c in remaining)]
            answer = yield from self._ask("D8", player, options)
            if answer == ("stop",):
                break
            picked.append(answer[1])
            remaining.remove(answer[1])
        return picked

    def choose_exactly(self, player: int, candidates: list[int], n: int) -> Asking:
        """D7: choose ``n`` different targets, pick after pick; none if there are fewer (R49)."""
        if len(candidates) < n:
            return []
        picked: list[int] = []
        remaining = list(candidates)
        while len(picked) < n:
            answer = yield from self._ask("D7", player, [("target", c) for c in remaining])
            picked.append(answer[1])
            remaining.remove(answer[1])
        return picked

    def choose_yes_no(self, player: int) -> Asking:
        """D9: answer a "you may" (R47)."""
        answer = yield from self._ask("D9", player, [("yes",), ("no",)])
        return answer == ("yes",)

    def choose_cards_from_hand(self, player: int, n: int) -> Asking:
        """D10: choose ``n`` cards of the own hand, or all there are, one pick after another (R30).

        The cards stay in the hand; the instruction that follows moves them together.
        """
        picked: list[int] = []
        remaining = sorted(self.players[player].hand)
        while remaining and len(picked) < n:
            answer = yield from self._ask("D10", player, [("discard", c) for c in remaining])
            picked.append(answer[1])
            remaining.remove(answer[1])
        return picked

    def choose_mode(self, player: int, modes: list[int]) -> Asking:
        """D12: choose one of the modes that can do something (R43)."""
        answer = yield from self._ask("D12", player, [("mode", k) for k in modes])
        return answer[1]

    # ----------------------------------------------------------------------------------------------
    # A turn (R21-R26, R37-R39)
    # ----------------------------------------------------------------------------------------------

    def _turn(self) -> Asking:
        """Play one turn of the active player (R22); return who has the next turn."""
        self.effects_this_turn = 0
        # (1) Later sets: start-of-turn purchases.
        # (2) and (3)
        mindbugged = yield from self._turn_action()
        # (4) One more turn action for each Mindbug used on a card played this turn (R38).
        while mindbugged and self.after_mindbug == "action":
            mindbugged = yield from self._turn_action()
        # (5)
        yield from self._end_of_turn()
        extra_turn = mindbugged and self.after_mindbug == "turn"  # R37
        return self.active if extra_turn else 1 - self.active

    def _end_of_turn(self) -> Asking:
        """Step 5 of a turn: what lasts "this turn" ends, attack counts are reset (R22, R25)."""
        # Later sets: end-of-turn abilities trigger here, as one event.
        yield from self._work_off_queue()
        for creature in self.creatures.values():
            creature.keywords_this_turn = set()
            creature.cannot_block_this_turn = False
            creature.attacks_this_turn = 0

    def _turn_actions(self) -> list[Option]:
        """All legal turn actions of the active player (R23, D1)."""
        plays: list[Option] = [("play", c) for c in sorted(self.players[self.active].hand)]
        able = [c for c in self.creatures_of(self.active) if self.can_attack(c)]
        attacks: list[Option] = [("attack", c) for c in able]
        # Later sets: Action abilities (R99), obligations (R24).
        return plays + attacks

    def _turn_action(self) -> Asking:
        """One turn action (D1); return whether it was a play that was mindbugged."""
        options = self._turn_actions()
        if not options:
            raise _GameEnds(1 - self.active, "no_action")  # R18
        kind, card = yield from self._ask("D1", self.active, options)
        if kind == "play":
            mindbugged = yield from self._play_from_hand(card)
            return mindbugged
        yield from self._attack_action(card)
        return False

    # ----------------------------------------------------------------------------------------------
    # Playing a card (R34-R36)
    # ----------------------------------------------------------------------------------------------

    def _play_from_hand(self, card: int) -> Asking:
        """Play a card as the turn action; return whether a Mindbug was used on it (R34)."""
        player, opponent = self.active, 1 - self.active
        self.take_out_of_hand([card])  # (1) and (2)
        # (3) The Mindbug window (R35). Later sets: abilities that forbid using a Mindbug.
        mindbugged = False
        if self.players[opponent].mindbugs > 0:
            answer = yield from self._ask("D2", opponent, [("use",), ("refuse",)])
            mindbugged = answer == ("use",)
        if mindbugged:
            self.players[opponent].mindbugs -= 1  # R36. Later sets: reactions to using it.
            player = opponent
        self.put_into_play([card], player)  # (4) and (5)
        yield from self._work_off_queue()  # (6), R58
        return mindbugged

    # ----------------------------------------------------------------------------------------------
    # Attacking (R60-R75)
    # ----------------------------------------------------------------------------------------------

    def _attack_action(self, card: int) -> Asking:
        """Attack as the turn action: one attack, and a second one with FRENZY (R61, R74)."""
        attacker = self.creatures[card]
        control_changes = attacker.control_changes
        yield from self._one_attack(attacker)
        # (H)
        if (
            attacker.attacks_this_turn == 1
            and self.creatures.get(card) is attacker  # R75
            and attacker.control_changes == control_changes  # R75: changed back does not count.
            and FRENZY in self.keywords(card)
            and self.can_attack(card)
        ):
            options: list[Option] = [("attack_again",), ("stop",)]
            answer = yield from self._ask("D5", attacker.controller, options)
            if answer == ("attack_again",):
                yield from self._one_attack(attacker)

    def _one_attack(self, attacker: Creature) -> Asking:
        """One attack by a creature, steps (A) to (G) (R61)."""
        card = attacker.card
        player = attacker.controller
        defender = 1 - player

        # (A) Declare. (B) Later sets: dice. (C) Attack triggers form one batch (R63).
        attacker.attacks_this_turn += 1
        batch = []
        effect = self.facts(card).attack
        if effect is not None:
            batch.append(self._trigger(card, "attack", player, effect, attacker))
        self._event_is_over(batch)
        yield from self._work_off_queue()
        if self.creatures.get(card) is not attacker or attacker.controller != player:
            return  # R64

        # (D) Hunt: chosen after the Attack triggers (R65); any enemy creature may be hunted (R67).
        opposing: int | None = None
        enemies = self.creatures_of(defender)
        if HUNTER in self.keywords(card) and enemies:
            options: list[Option] = [("no_hunt",), *(("hunt", c) for c in enemies)]
            answer = yield from self._ask("D3", player, options)
            if answer != ("no_hunt",):
                opposing = answer[1]

        # (E) Block, unless a creature is hunted (R66, R68).
        if opposing is None:
            blockers = [c for c in enemies if self.can_block(c, card)]
            options = [("no_block",), *(("block", c) for c in blockers)]
            answer = yield from self._ask("D4", defender, options)
            if answer != ("no_block",):
                opposing = answer[1]

        # (F) Life loss (R69) or combat (R70-R73). (G) Triggers (R58).
        if opposing is None:
            self.lose_life(defender, 1)
        else:
            self._fight(card, opposing)
        yield from self._work_off_queue()

    def _fight(self, a: int, b: int) -> None:
        """Combat between two creatures: one event, each is defeated at most once (R70-R73)."""
        powers = {a: self.power(a), b: self.power(b)}
        keywords = {a: self.keywords(a), b: self.keywords(b)}
        beaten = []
        for card, other in ((a, b), (b, a)):
            weaker_or_equal = powers[card] <= powers[other]  # R70
            poisoned = POISONOUS in keywords[other]  # R71
            if weaker_or_equal or poisoned:
                beaten.append(card)
        self.defeat(beaten)
