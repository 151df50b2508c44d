"""The slow reference engine: the rules of Mindbug in plain Python, one step after another.

Written from the rules text alone (rule numbers R, decision points D and rulings C refer to it), to
be compared decision by decision with the fast engine. Nothing is remembered that can be worked out:
power, keywords, restrictions and options are computed anew whenever they are asked for (R84).

How it works. The whole game is one Python generator (:meth:`ReferenceGame._game`). Where a player
has to decide, the generator yields a :class:`Decision` and is sent the chosen option. A decision
with one option is never yielded (R120).

The engine has three floors, each a class that inherits from the one below: what lies on the table
and what can be read off it (``reference_state.py``), what effects can do and ask
(``reference_instructions.py``), and here the procedures: set-up, turns, playing a card, attacking.
The cards are in ``reference_cards.py``.
"""

from collections.abc import Mapping, Sequence
from typing import Any

from support.positions import Decision, Option, PlacedCard, Position
from support.reference_cards import (
    ALL_CARDS,
    FRENZY,
    HUNTER,
    POISONOUS,
    POWER_CARDS,
    CardFacts,
    PowerCard,
)
from support.reference_instructions import Asking, ReferenceInstructions
from support.reference_state import MOST_DICE, Creature, GameEnds, PickRandom, Player, Roll, Trigger

__all__ = [
    "START_LIFE",
    "START_MINDBUGS",
    "Creature",
    "Player",
    "ReferenceGame",
    "Trigger",
    "roll_lowest",
    "take_lowest",
]

HAND_SIZE = 5  # R27
START_LIFE = 3  # R9
START_MINDBUGS = 2  # R9
DEALT_CARDS = 10  # R8
AFTER_MINDBUG_MODES = ("turn", "action")

# The faces of a die: growth or energy with its number, or a strike (R113).
DIE_FACES = (
    ("growth", 1),
    ("growth", 2),
    ("growth", 3),
    ("energy", 1),
    ("energy", 2),
    ("strike", 1),
)


def take_lowest(candidates: list[int], n: int) -> list[int]:
    """Pick the lowest ``n``: a ``pick_random`` without chance, where it does not matter."""
    return candidates[:n]


def roll_lowest(n: int) -> int:
    """Roll 0: a ``roll`` without chance, where it does not matter."""
    return 0


class ReferenceGame(ReferenceInstructions):
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
        roll: Roll,
        after_mindbug: str,
        turn_cap: int,
        effect_cap: int,
        at_turn_cap: str,
        cards: Mapping[str, CardFacts],
        power_cards: Mapping[str, PowerCard],
        unused: Sequence[str],
        power_deck: Sequence[int],
        kot_parts: bool,
        hand_size: int,
    ) -> None:
        """Take over a prepared state; use :meth:`from_deal` or :meth:`from_position` instead."""
        if after_mindbug not in AFTER_MINDBUG_MODES:
            raise ValueError(
                f"after_mindbug is {after_mindbug!r}; must be one of {AFTER_MINDBUG_MODES}"
            )
        if active not in (0, 1):
            raise ValueError(f"the first player is {active!r}; must be 0 or 1")
        unknown = sorted({*card_ids, *unused} - set(cards))
        if unknown:
            raise ValueError(f"unknown cards: {', '.join(unknown)}")
        if len(set(power_deck)) < len(power_deck) or not set(power_deck) <= {
            *range(len(power_cards))
        }:
            raise ValueError(f"the power deck {list(power_deck)} has wrong or repeated instances")
        super().__init__(
            card_ids,
            players,
            active,
            cards=cards,
            power_cards=power_cards,
            pick_random=pick_random,
            roll=roll,
            unused=list(unused),
            power_deck=list(power_deck),
            after_mindbug=after_mindbug,
            kot_parts=kot_parts,
            hand_size=hand_size,
            turn_cap=turn_cap,
            effect_cap=effect_cap,
            at_turn_cap=at_turn_cap,
        )
        self.decision: Decision | None = None
        self.over = False
        self.winner = -1
        self.ending: str | None = None
        self._process = self._run_game()

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
        roll: Roll = roll_lowest,
        unused: Sequence[str] = (),
        power_deck: Sequence[int] = (),
        kot_parts: bool = False,
        life: int = START_LIFE,
        mindbugs: int = START_MINDBUGS,
        hand_size: int = HAND_SIZE,
        after_mindbug: str = "turn",
        turn_cap: int = 500,
        effect_cap: int = 2000,
        at_turn_cap: str = "draw",
        cards: Mapping[str, CardFacts] = ALL_CARDS,
        power_cards: Mapping[str, PowerCard] = POWER_CARDS,
    ) -> "ReferenceGame":
        """Start a game from each player's ten dealt cards in the order they are drawn (R8, R9).

        Player 0's cards are the instances 0 to 9, player 1's 10 to 19; cards that leave the unused
        pile (card ids, top first) get the next numbers in the order in which they leave it. The
        power deck has instance numbers, top first, of which the first three are the display (R10).
        """
        for deck in decks:
            if len(deck) != DEALT_CARDS:
                raise ValueError(f"a deck has {len(deck)} cards; must be {DEALT_CARDS} (R8)")
        players = (Player(life, mindbugs), Player(life, mindbugs))
        for number, player in enumerate(players):
            player.draw = [DEALT_CARDS * number + k for k in range(DEALT_CARDS)]
        game = cls(
            [*decks[0], *decks[1]],
            players,
            first_player,
            pick_random=pick_random,
            roll=roll,
            after_mindbug=after_mindbug,
            turn_cap=turn_cap,
            effect_cap=effect_cap,
            at_turn_cap=at_turn_cap,
            cards=cards,
            power_cards=power_cards,
            unused=unused,
            power_deck=power_deck,
            kot_parts=kot_parts,
            hand_size=hand_size,
        )
        game._start()
        return game

    @classmethod
    def from_position(
        cls,
        position: Position,
        *,
        pick_random: PickRandom = take_lowest,
        roll: Roll = roll_lowest,
        hand_size: int = HAND_SIZE,
        turn_cap: int = 500,
        effect_cap: int = 2000,
        at_turn_cap: str = "draw",
        cards: Mapping[str, CardFacts] = ALL_CARDS,
        power_cards: Mapping[str, PowerCard] = POWER_CARDS,
    ) -> "ReferenceGame":
        """Start with the turn of the position's active player, turn 1.

        Hands are refilled first (R27). Where the player can buy a power card the game starts with
        that (D15), else with the turn action (D1); without a legal one that player loses (R18).
        """
        placed = position.cards()
        unknown = sorted({c.card_id for c in placed} - set(cards)) + sorted(
            set(position.power_deck) - set(power_cards)
        )
        if unknown:
            raise ValueError(f"unknown cards: {', '.join(unknown)}")
        sides = (position.alice, position.bob)
        players = (
            Player(sides[0].life, sides[0].mindbugs, sides[0].energy),
            Player(sides[1].life, sides[1].mindbugs, sides[1].energy),
        )
        instances = list(power_cards)
        before = {facts.evolves_to: facts.id for facts in cards.values() if facts.evolves_to}

        def stage_one(card_id: str) -> str:
            return stage_one(before[card_id]) if card_id in before else card_id  # R102

        game = cls(
            [stage_one(card.card_id) for card in placed],
            players,
            position.active,
            pick_random=pick_random,
            roll=roll,
            after_mindbug=position.after_mindbug,
            turn_cap=turn_cap,
            effect_cap=effect_cap,
            at_turn_cap=at_turn_cap,
            cards=cards,
            power_cards=power_cards,
            unused=position.unused,
            power_deck=[instances.index(power) for power in position.power_deck],
            kot_parts=position.kot_parts,
            hand_size=hand_size,
        )
        for card in placed:
            game._place(card)
        game._start()
        return game

    def _place(self, card: PlacedCard) -> None:
        """Lay one card of a position where it belongs."""
        player = self.players[card.player]
        if card.zone == "play":
            forms = self.cards[card.card_id].exhausted_forms
            self.creatures[card.instance] = Creature(
                card.instance,
                card.player,
                card.card_id,
                exhausted=card.exhausted,
                profile=None if card.profile is None else forms[card.profile],
            )
        elif card.zone == "boost":
            assert card.under is not None
            self.creatures[card.under].boosts.append(card.instance)
        elif card.zone == "hand":
            player.hand.append(card.instance)
        elif card.zone == "draw":
            player.draw.append(card.instance)
        else:
            player.discard.append(card.instance)

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
                    "energy": player.energy,
                }
                for number, player in enumerate(self.players)
            ],
            "creatures": {
                card: {
                    "power": self.power(card),
                    "keywords": sorted(keywords[card]),
                    "exhausted": self.creatures[card].exhausted,
                    "face": self.creatures[card].face,
                    "boosts": sorted(self.creatures[card].boosts),
                }
                for card in self.creatures_in_play()
            },
            "limbo": sorted(self.limbo),
            "set_aside": sorted(self.set_aside),
            "display": sorted(self.display),
            "power_deck": list(self.power_deck),
            "power_discard": sorted(self.power_discard),
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

    def _run_game(self) -> Asking:
        """Play turns until the game ends."""
        try:
            while True:
                next_player = yield from self._turn()
                self._turn_has_ended()
                self.active = next_player
                self.turn += 1
        except GameEnds as end:
            self.winner = end.winner
            self.ending = end.ending

    def _turn_has_ended(self) -> None:
        """Stop a game that has completed ``turn_cap`` turns (R20)."""
        if self.turn >= self.turn_cap:
            lives = [player.life for player in self.players]
            level = self.at_turn_cap == "draw" or lives[0] == lives[1]
            raise GameEnds(-1 if level else lives.index(max(lives)), "capped")

    def _work_off_queue(self) -> Asking:
        """Resolve all that waits (R58); then the attacks that were ordered meanwhile (R76)."""
        yield from self._resolve_waiting()
        while self.ordered_attacks:
            attacker = self.ordered_attacks.pop(0)
            if self.creatures.get(attacker.card) is attacker:
                yield from self._one_attack(attacker)

    # ----------------------------------------------------------------------------------------------
    # A turn (R21-R26, R37-R39)
    # ----------------------------------------------------------------------------------------------

    def _turn(self) -> Asking:
        """Play one turn of the active player (R22); return who has the next turn."""
        self.effects_this_turn = 0
        self._refill()  # R27: what may be drawn can depend on whose turn it is (C44).
        # (1)
        yield from self._purchases()
        # (2) and (3)
        mindbugged = yield from self._turn_action()
        # (4) One more turn action for each Mindbug used on a card played this turn (R38).
        while mindbugged and self.after_mindbug == "action":
            mindbugged = yield from self._turn_action()
        # (5)
        yield from self._end_of_turn()
        extra_turn = mindbugged and self.after_mindbug == "turn"  # R37
        return self.active if extra_turn else 1 - self.active

    def _purchases(self) -> Asking:
        """D15: buy visible power cards, one after another, at the start of a turn (R109, R110)."""
        buyer = self.players[self.active]
        while self.kot_parts:
            costs = {power: self.power_facts[power].cost for power in sorted(self.display)}
            affordable = [power for power, cost in costs.items() if cost <= buyer.energy]
            if not affordable:
                return
            options: list[Option] = [("stop",), *(("buy", power) for power in affordable)]
            answer = yield from self._ask("D15", self.active, options)
            if answer == ("stop",):
                return
            bought = answer[1]
            buyer.energy -= costs[bought]
            self.display.remove(bought)
            self._fill_display()
            self._refill()  # R27: what may be drawn can depend on energy (C44).
            yield from self._resolve_power_card(bought, self.active)
            yield from self._work_off_queue()  # R58
            self.power_discard.append(bought)

    def _end_of_turn(self) -> Asking:
        """Step 5 of a turn: end-of-turn abilities, then what lasts "this turn" ends (R22, R25)."""
        batch = []
        for card, facts in self.sources_in_play():
            creature = self.creatures[card]
            effects = [facts.end_of_turn]
            if creature.controller == self.active:
                effects.append(facts.end_of_your_turn)
            batch += [
                self._trigger(card, "end_of_turn", creature.controller, effect, creature)
                for effect in effects
                if effect is not None
            ]
        self._event_is_over(batch)
        yield from self._work_off_queue()
        self.standing_this_turn = []
        for creature in self.creatures.values():
            creature.turn_is_over()
        for player in self.players:
            player.allied_keywords_this_turn = set()
            player.allied_dice_this_turn = 0

    def _turn_actions(self) -> list[Option]:
        """All legal turn actions of the active player (R23, R24, D1)."""
        team = self.creatures_of(self.active)
        able = [c for c in team if self.can_attack(c)]
        obliged = [c for c in able if HUNTER in self.keywords(c) and self.must_hunt(c)]
        if obliged:
            return [("attack", c) for c in obliged]  # C20
        hand = sorted(self.players[self.active].hand)
        plays = [c for c in hand if self.may_play_from_hand(self.active, c)]
        return [
            *(("play", c) for c in plays),
            *(("attack", c) for c in able),
            *(("activate", c) for c in team if self._can_activate(c)),
        ]

    def _can_activate(self, card: int) -> bool:
        """Whether an Action ability can do something (R99)."""
        facts = self.facts(card)
        if facts.action is None:
            return False
        assert facts.action_possible is not None, f"{facts.id} does not say when it is legal"
        return facts.action_possible(self, self.controller(card), card)

    def _turn_action(self) -> Asking:
        """One turn action (D1); return whether it was a play that was mindbugged."""
        options = self._turn_actions()
        if not options:
            raise GameEnds(1 - self.active, "no_action")  # R18
        kind, card = yield from self._ask("D1", self.active, options)
        if kind == "play":
            mindbugged = yield from self._play_from_hand(card)
            return mindbugged
        if kind == "attack":
            yield from self._attack_action(card)
        else:
            yield from self._activate(card)
        return False

    def _activate(self, card: int) -> Asking:
        """Activate the Action ability of a creature (R98)."""
        effect = self.facts(card).action
        assert effect is not None
        creature = self.creatures[card]
        trigger = self._trigger(card, "action", creature.controller, effect, creature)
        yield from self._resolve(trigger)
        yield from self._work_off_queue()  # R58

    # ----------------------------------------------------------------------------------------------
    # Playing a card (R34-R36)
    # ----------------------------------------------------------------------------------------------

    def _play_from_hand(self, card: int) -> Asking:
        """Play a card as the turn action; return whether a Mindbug was used on it (R34)."""
        player, opponent = self.active, 1 - self.active
        self.take_out_of_hand([card])  # (1) and (2)
        # (3) The Mindbug window (R35).
        mindbugged = False
        if self.players[opponent].mindbugs > 0 and not self.mindbugs_are_stopped():
            answer = yield from self._ask("D2", opponent, [("use",), ("refuse",)])
            mindbugged = answer == ("use",)
        if mindbugged:
            yield from self._use_mindbug(opponent)
            player = opponent
        self.put_into_play([card], player)  # (4) and (5)
        yield from self._work_off_queue()  # (6), R58
        return mindbugged

    def _use_mindbug(self, user: int) -> Asking:
        """Spend a Mindbug; reactions apply first, what they cause waits (R36, C62)."""
        self.players[user].mindbugs -= 1
        batch = []
        for card in self.creatures_of(1 - user):
            effect = self.facts(card).mindbug_used
            if effect is not None:
                creature = self.creatures[card]
                batch.append(self._trigger(card, "mindbug_used", 1 - user, effect, creature))
        self._event_is_over(batch)
        if batch:
            yield from self._resolve_oldest_batch()

    # ----------------------------------------------------------------------------------------------
    # Attacking (R60-R76)
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

        # (A) Declare.
        attacker.attacks_this_turn += 1
        # (B) Dice (R62).
        yield from self._dice(attacker)
        if not self._attack_goes_on(attacker, player):
            return
        # (C) Attack triggers form one batch (R63).
        self._event_is_over(self._attack_triggers(attacker))
        yield from self._work_off_queue()
        if not self._attack_goes_on(attacker, player):
            return
        # (D) Hunt, after dice and Attack triggers (R65). (E) Block, unless hunted (R66, R68).
        opposing = yield from self._hunt(card)
        if opposing is None:
            opposing = yield from self._block(card, defender)
        # (F) Life loss (R69) or combat (R70-R73). (G) Triggers (R58).
        if opposing is None:
            self.lose_life(defender, 1)
        else:
            self.creatures[opposing].blocked_this_turn = True  # C47
            yield from self._fight(card, opposing)
        yield from self._work_off_queue()

    def _attack_goes_on(self, attacker: Creature, player: int) -> bool:
        """Whether the attacker is still in play under the player who declared the attack (R64)."""
        return self.creatures.get(attacker.card) is attacker and attacker.controller == player

    def _attack_triggers(self, attacker: Creature) -> list[Trigger]:
        """All Attack effects of an attacker: printed, and granted by other cards (R63, C60)."""
        card, player = attacker.card, attacker.controller
        triggers = []
        effect = self.facts(card).attack
        if effect is not None:
            triggers.append(self._trigger(card, "attack", player, effect, attacker))
        granted = [
            (source, facts.grants_attack(self, source, card))
            for source, facts in self.sources_in_play()
            if facts.grants_attack is not None
        ]
        granted += [
            (source, facts.pile_grants_attack(self, you, card))
            for source, you, facts in self.sources_in_piles()
            if facts.pile_grants_attack is not None
        ]
        granted += [
            (source, word.effect)
            for word, you, this, source in self.words("HAVE_ATTACK")
            if word.means(self, you, this, card)
        ]
        for source, effect in granted:
            if effect is not None:
                triggers.append(self._trigger(card, "attack", player, effect, attacker, source))
        return triggers

    def _hunt(self, card: int) -> Asking:
        """D3: the attacking player may hunt one enemy creature (R65, R67); return which, or None.

        With a Captain Hippo that may be hunted that has to be done (C20).
        """
        targets = self.huntable(card)
        if HUNTER not in self.keywords(card) or not targets:
            return None
        options: list[Option] = [("hunt", c) for c in self.must_hunt(card)]
        if not options:
            options = [("no_hunt",), *(("hunt", c) for c in targets)]
        answer = yield from self._ask("D3", self.controller(card), options)
        return None if answer == ("no_hunt",) else answer[1]

    def _block(self, card: int, defender: int) -> Asking:
        """D4: the defending player may block (R68); return the blocker, or None."""
        blockers = [c for c in self.creatures_of(defender) if self.can_block(c, card)]
        options: list[Option] = [("no_block",), *(("block", c) for c in blockers)]
        answer = yield from self._ask("D4", defender, options)
        return None if answer == ("no_block",) else answer[1]

    def _fight(self, a: int, b: int) -> Asking:
        """Combat between two creatures: one event, each is defeated at most once (R70-R73)."""
        fighters = {a: self.creatures[a], b: self.creatures[b]}
        powers = {a: self.power(a), b: self.power(b)}
        keywords = {a: self.keywords(a), b: self.keywords(b)}
        higher_loses = self.higher_power_loses((a, b))  # C19
        beaten = []
        for card, other in ((a, b), (b, a)):
            weaker = powers[card] > powers[other] if higher_loses else powers[card] < powers[other]
            poisoned = POISONOUS in keywords[other]  # R71
            if weaker or powers[card] == powers[other] or poisoned:  # R70
                beaten.append(card)
        profiles = self.defeat(beaten)
        there = {card: self.creatures.get(card) is fighters[card] for card in (a, b)}
        for card, other in ((a, b), (b, a)):
            if there[card] and not there[other]:
                fighters[card].defeated_enemy_this_turn = True  # C56
        yield from profiles

    # ----------------------------------------------------------------------------------------------
    # Dice (R113-R116)
    # ----------------------------------------------------------------------------------------------

    def _dice(self, attacker: Creature) -> Asking:
        """Roll, reroll and apply the dice of an attack; then the queue is worked off (R62)."""
        player = attacker.controller
        n_dice = self.dice_of(attacker.card)
        if n_dice == 0:
            return
        rerolls = self.rerolls_of(player)
        dice = [self._roll_die() for _ in range(n_dice)]
        for _ in range(rerolls):
            answer = yield from self._ask("D16", player, self._reroll_options(n_dice))
            if answer == ("keep",):
                break
            again = range(n_dice) if answer == ("reroll_both",) else [answer[1]]
            for number in again:
                dice[number] = self._roll_die()
        order = list(range(n_dice))
        if n_dice == MOST_DICE and dice[0] != dice[1]:
            answer = yield from self._ask("D17", player, [("first", 0), ("first", 1)])
            order.sort(key=lambda number: number != answer[1])
        for number in order:
            yield from self._apply_die(attacker, *DIE_FACES[dice[number]])
        yield from self._work_off_queue()  # R58

    def _roll_die(self) -> int:
        """Roll one die: one of six equally likely faces (R113)."""
        return self.roll(len(DIE_FACES))

    def _reroll_options(self, n_dice: int) -> list[Option]:
        """The options of D16 (R114)."""
        options: list[Option] = [("keep",), *(("reroll", number) for number in range(n_dice))]
        return options if n_dice == 1 else [*options, ("reroll_both",)]

    def _apply_die(self, attacker: Creature, kind: str, n: int) -> Asking:
        """Apply the result of one die, which is one event (R115, R59)."""
        player = attacker.controller
        if kind == "growth":
            self.give_power_this_turn(attacker.card, n)
        elif kind == "energy":
            self.gain_energy(player, n)
        else:
            yield from self.discard_from_hand(1 - player, n)
