"""What lies on the table of the reference engine, and what can be read off it.

Nothing is remembered that can be worked out: power, keywords, restrictions and permissions are
computed anew whenever they are asked for (R84, R85). Nothing here changes the game.
"""

from __future__ import annotations

from collections.abc import Callable, Iterator, Mapping
from dataclasses import dataclass, field
from typing import TYPE_CHECKING

from support.positions import Option
from support.reference_facts import SNEAKY, CardFacts, Effect, PowerCard, Word

if TYPE_CHECKING:
    from support.reference_game import ReferenceGame

PickRandom = Callable[[list[int], int], list[int]]
Roll = Callable[[int], int]

DISPLAY = 3  # Visible power cards (R10).
MOST_DICE = 2  # R113


@dataclass(eq=False)
class Creature:
    """A card in play. Entering play makes a new ``Creature``, that is, a new object (R5)."""

    card: int
    controller: int
    face: str  # The card id of its stage (R101).
    exhausted: bool = False
    # C45: power and keywords that stand in place of the printed ones.
    profile: tuple[int, frozenset[str]] | None = None
    boosts: list[int] = field(default_factory=list)
    control_changes: int = 0
    # Creatures that this object has set aside, with their controllers then (C53).
    set_aside: list[tuple[int, int]] = field(default_factory=list)
    # When it has left play: its boost cards and how often each had moved then (R54, C58).
    fallen_boosts: list[tuple[int, int]] = field(default_factory=list)

    # What lasts or counts this turn (R22, R25).
    attacks_this_turn: int = 0
    power_this_turn: int = 0
    keywords_this_turn: set[str] = field(default_factory=set)
    dice_this_turn: int = 0
    cannot_attack_this_turn: bool = False
    cannot_block_this_turn: bool = False
    cannot_be_defeated_this_turn: bool = False
    blocked_this_turn: bool = False
    defeated_enemy_this_turn: bool = False

    def turn_is_over(self) -> None:
        """End what lasts this turn and reset what is counted in it (R22)."""
        self.attacks_this_turn = 0
        self.power_this_turn = 0
        self.keywords_this_turn = set()
        self.dice_this_turn = 0
        self.cannot_attack_this_turn = False
        self.cannot_block_this_turn = False
        self.cannot_be_defeated_this_turn = False
        self.blocked_this_turn = False
        self.defeated_enemy_this_turn = False


@dataclass
class Player:
    """What one player has, except creatures, which are kept in ``ReferenceGame.creatures`` (R2)."""

    life: int
    mindbugs: int
    energy: int = 0
    hand: list[int] = field(default_factory=list)
    draw: list[int] = field(default_factory=list)
    discard: list[int] = field(default_factory=list)
    # What all creatures of this player have this turn, whoever they are at the moment (R26).
    allied_keywords_this_turn: set[str] = field(default_factory=set)
    allied_dice_this_turn: int = 0


@dataclass(eq=False)
class Trigger:
    """A triggered effect that waits or is being resolved; also the effect of a power card."""

    game: ReferenceGame
    card: int  # The source; -1 for a power card.
    word: str  # The trigger word of D11, such as "play"; "bought" for a power card.
    you: int  # R53
    effect: Effect
    creature: Creature | None  # The source as an object in play, where it was one.
    moves: int  # How often the card had changed its zone when the effect triggered.
    granted_by: int | None = None  # The card that grants an Attack effect to the source (C60).

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

    @property
    def fallen_boosts(self) -> list[int]:
        """The boost cards that fell from under the source and still lie there (R54, C58)."""
        assert self.creature is not None
        fallen = self.creature.fallen_boosts
        return sorted(card for card, moves in fallen if self.game.moves[card] == moves)

    @property
    def option(self) -> Option:
        """The option of D11 that resolves this trigger."""
        words = ("resolve", self.card, self.word)
        return words if self.granted_by is None else (*words, self.granted_by)


class GameEnds(Exception):
    """Raised wherever the game ends; nothing after it happens (R14)."""

    def __init__(self, winner: int, ending: str) -> None:
        super().__init__(ending)
        self.winner = winner
        self.ending = ending


class ReferenceState:
    """The table: zones, players, creatures, waiting triggers, chance and the rule switches."""

    def __init__(
        self,
        card_ids: list[str],
        players: tuple[Player, Player],
        active: int,
        *,
        cards: Mapping[str, CardFacts],
        power_cards: Mapping[str, PowerCard],
        pick_random: PickRandom,
        roll: Roll,
        unused: list[str],
        power_deck: list[int],
        after_mindbug: str,
        kot_parts: bool,
        hand_size: int,
        turn_cap: int,
        effect_cap: int,
        at_turn_cap: str,
    ) -> None:
        """Take over a prepared state."""
        self.cards = cards
        self.rules_said = {word.rule for facts in cards.values() for word in facts.words}
        self.power_facts = list(power_cards.values())  # By instance number.
        self.card_ids = card_ids  # By instance number; cards from the unused pile are added.
        self.players = players
        self.creatures: dict[int, Creature] = {}
        self.limbo: list[int] = []  # Cards in no zone (R34, C15).
        self.set_aside: list[int] = []  # C53
        self.unused = list(unused)  # Card ids, top first.
        self.display = list(power_deck[:DISPLAY])  # R10
        self.power_deck = list(power_deck[DISPLAY:])
        self.power_discard: list[int] = []
        self.moves = [0] * len(card_ids)  # How often each card has changed its zone.
        self.arrivals: list[tuple[int, int]] = []  # Cards put into a pile in this event (R107).
        self.profiles_due: list[Creature] = []  # C45
        self.ordered_attacks: list[Creature] = []  # R76
        # What holds this turn for whoever fits: the ability, its player and source (R26).
        self.standing_this_turn: list[tuple[Word, int, Creature | None]] = []
        self.queue: list[list[Trigger]] = []  # Batches of waiting triggers, oldest first (R57).
        self.active = active
        self.turn = 1
        self.effects_this_turn = 0
        self.pick_random = pick_random
        self.roll = roll
        self.after_mindbug = after_mindbug
        self.kot_parts = kot_parts
        self.hand_size = hand_size
        self.turn_cap = turn_cap
        self.effect_cap = effect_cap
        self.at_turn_cap = at_turn_cap

    # ----------------------------------------------------------------------------------------------
    # Cards and creatures
    # ----------------------------------------------------------------------------------------------

    def facts(self, card: int) -> CardFacts:
        """What is printed on a card: on its stage in play, else on stage I (R6, R101)."""
        if card in self.creatures:
            return self.cards[self.creatures[card].face]
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

    def boost_cards(self) -> list[int]:
        """All boost cards under creatures of either side, lowest instance first (R103)."""
        return sorted(b for creature in self.creatures.values() for b in creature.boosts)

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

    def sources_in_play(self) -> Iterator[tuple[int, CardFacts]]:
        """Every card whose constant abilities work in play, with what is printed on it."""
        for source in self.creatures_in_play():
            yield source, self.facts(source)

    def sources_in_piles(self) -> Iterator[tuple[int, int, CardFacts]]:
        """Every card whose In Discard Pile abilities work, its pile's player and facts (R106)."""
        for you in (0, 1):
            for source in self.discard_pile(you):
                yield source, you, self.facts(source)

    def words(self, rule: str) -> Iterator[tuple[Word, int, int | None, int]]:
        """The abilities of a rule that work now: whose they are, and their sources (R84).

        The source comes twice: as a creature in play or None, and as a card (-1 for what an effect
        has made hold this turn).
        """
        if rule in self.rules_said:
            yield from self._printed_words(rule)
        for word, you, creature in self.standing_this_turn:
            if word.rule == rule:
                in_play = creature and self.creatures.get(creature.card) is creature
                yield word, you, creature.card if creature and in_play else None, -1

    def _printed_words(self, rule: str) -> Iterator[tuple[Word, int, int | None, int]]:
        """Those printed on cards in play and in discard piles."""
        for source, facts in self.sources_in_play():
            you = self.controller(source)
            for word in facts.words:
                if (
                    word.rule == rule
                    and not word.in_discard
                    and word.works(self._game, you, source)
                ):
                    yield word, you, source, source
        for source, you, facts in self.sources_in_piles():
            for word in facts.words:
                if word.rule == rule and word.in_discard and word.works(self._game, you, None):
                    yield word, you, None, source

    def words_about(self, rule: str, creature: int) -> Iterator[Word]:
        """The abilities of a rule that work now and mean a creature."""
        for word, you, this, _ in self.words(rule):
            if word.means(self._game, you, this, creature):
                yield word

    def words_of(self, rule: str, this: int) -> Iterator[Word]:
        """The abilities of a rule that work now and whose source is this creature in play."""
        return (word for word, _, source, _ in self.words(rule) if source == this)

    def words_for(self, rule: str, player: int) -> Iterator[Word]:
        """The abilities of a rule that work now and belong to a player."""
        return (word for word, you, _, _ in self.words(rule) if you == player)

    # ----------------------------------------------------------------------------------------------
    # L2 to L4: power and keywords (R85)
    # ----------------------------------------------------------------------------------------------

    def printed(self, card: int) -> tuple[int, frozenset[str]]:
        """Printed power and keywords of the present stage, or of the chosen profile (C45)."""
        facts = self.facts(card)
        return self.creatures[card].profile or (facts.power, facts.keywords)

    def power(self, card: int) -> int:
        """Current power of a creature in play: layer L2, never below 1 (R85, R86)."""
        creature = self.creatures[card]
        total = self.printed(card)[0] + len(creature.boosts) + creature.power_this_turn
        for source, facts in self.sources_in_play():
            if facts.power_bonus is not None:
                total += facts.power_bonus(self._game, source, card)
        for _, you, facts in self.sources_in_piles():
            if facts.pile_power_bonus is not None:
                total += facts.pile_power_bonus(self._game, you, card)
        for word, you, this, _ in self.words("POWER"):
            if word.means(self._game, you, this, card):
                total += word.power(self._game, you, this)
        return max(1, total)

    def all_keywords(self) -> dict[int, set[str]]:
        """Current keywords of every creature in play: layers L3 and L4 (R85)."""
        keywords = {card: self._keywords_without_copying(card) for card in self.creatures_in_play()}
        # L4: add copied keywords until nothing changes (R89).
        changed = True
        while changed:
            changed = False
            for copier, facts in self.sources_in_play():
                if facts.copies_keywords is None:
                    continue
                for enemy in self.creatures_of(1 - self.controller(copier)):
                    copied = keywords[enemy] & facts.copies_keywords(self._game, copier)
                    if not copied <= keywords[copier]:
                        keywords[copier] |= copied
                        changed = True
            for word, you, this, _ in self.words("COPY_KEYWORDS"):
                assert this is not None
                for enemy in self.creatures_of(1 - you):
                    copied = keywords[enemy] & word.keywords
                    if not copied <= keywords[this]:
                        keywords[this] |= copied
                        changed = True
        return keywords

    def _keywords_without_copying(self, card: int) -> set[str]:
        """Layer L3: printed keywords, those given by effects and by constant abilities."""
        creature = self.creatures[card]
        keywords = set(self.printed(card)[1])
        keywords |= creature.keywords_this_turn
        keywords |= self.players[creature.controller].allied_keywords_this_turn
        for source, facts in self.sources_in_play():
            if facts.grants is not None:
                keywords |= facts.grants(self._game, source, card)
        for rule in ("POWER", "KEYWORDS"):
            for word, you, this, _ in self.words(rule):
                if word.keywords and word.means(self._game, you, this, card):
                    keywords |= word.keywords
        return keywords

    def keywords(self, card: int) -> set[str]:
        """Current keywords of a creature in play."""
        return self.all_keywords()[card]

    # ----------------------------------------------------------------------------------------------
    # L5: restrictions and permissions (R85)
    # ----------------------------------------------------------------------------------------------

    def can_attack(self, card: int) -> bool:
        """Whether nothing prevents a creature from attacking (R60)."""
        for source, facts in self.sources_in_play():
            forbids = facts.forbids_attack
            if forbids is not None and forbids(self._game, source, card):
                return False
        for _, you, facts in self.sources_in_piles():
            forbids = facts.pile_forbids_attack
            if forbids is not None and forbids(self._game, you, card):
                return False
        forbidden = self.creatures[card].cannot_attack_this_turn
        return not forbidden and not any(self.words_about("CANNOT_ATTACK", card))

    def can_block(self, blocker: int, attacker: int) -> bool:
        """Whether a creature is allowed to block an attacker that does not hunt (R68)."""
        if SNEAKY in self.keywords(attacker) and SNEAKY not in self.keywords(blocker):
            return False  # R80
        if self.creatures[blocker].cannot_block_this_turn:
            return False
        for source, facts in self.sources_in_play():
            forbids = facts.forbids_block
            if forbids is not None and forbids(self._game, source, attacker, blocker):
                return False
        for _, you, facts in self.sources_in_piles():
            forbids = facts.pile_forbids_block
            if forbids is not None and forbids(self._game, you, attacker, blocker):
                return False
        if any(self.words_about("CANNOT_BLOCK", blocker)):
            return False
        for rule, allowed in (("CANNOT_BLOCK_THIS", False), ("ONLY_BLOCK_THIS", True)):
            for word, you, this, _ in self.words(rule):
                if this == attacker and word.means(self._game, you, this, blocker) != allowed:
                    return False
        return True

    def can_hunt(self, attacker: int, creature: int) -> bool:
        """Whether an attacker with HUNTER may hunt an enemy creature (R67, C37)."""
        for source, facts in self.sources_in_play():
            forbids = facts.forbids_hunt
            if forbids is not None and forbids(self._game, source, attacker, creature):
                return False
        return not any(
            this == attacker and word.means(self._game, you, this, creature)
            for word, you, this, _ in self.words("CANNOT_HUNT")
        )

    def huntable(self, attacker: int) -> list[int]:
        """The enemy creatures that an attacker with HUNTER may hunt (R67)."""
        enemies = self.creatures_of(1 - self.controller(attacker))
        return [c for c in enemies if self.can_hunt(attacker, c)]

    def must_hunt(self, attacker: int) -> list[int]:
        """Those of which an attacker has to hunt one (C20)."""
        in_own_turn = self.is_turn_of_controller(attacker)
        by_words = {
            this
            for word, you, this, _ in self.words("MUST_HUNT_THIS")
            if word.means(self._game, you, this, attacker)
        }
        huntable = self.huntable(attacker)
        return [
            c for c in huntable if (in_own_turn and self.facts(c).must_be_hunted) or c in by_words
        ]

    def play_effects_are_stopped(self, player: int) -> bool:
        """Whether the opponent's constant abilities stop a player's Play effects (R90, C1)."""
        for source in self.creatures_of(1 - player):
            stops = self.facts(source).stops_opponents_play_effects
            if stops is not None and stops(self._game, source):
                return True
        return any(self.words_for("NO_PLAY_EFFECTS", 1 - player))

    def mindbugs_are_stopped(self) -> bool:
        """Whether an ability forbids using Mindbugs (R35, C46)."""
        by_hand = any(facts.stops_mindbugs for _, facts in self.sources_in_play())
        return by_hand or any(self.words("NO_MINDBUGS"))

    def may_play_from_hand(self, player: int, card: int) -> bool:
        """Whether a player may play this card of their hand (C48)."""
        for source in self.creatures_of(1 - player):
            forbids = self.facts(source).forbids_play_from_hand
            if forbids is not None and forbids(self._game, source, card):
                return False
        words = self.words_for("CANNOT_PLAY", 1 - player)
        return not any(word.means_card(self._game, card) for word in words)

    def may_receive(self, player: int) -> bool:
        """Whether a player may put cards into their hand (C44)."""
        by_hand = any(self.facts(c).stops_opponents_hand for c in self.creatures_of(1 - player))
        return not by_hand and not any(self.words_for("NO_CARDS_TO_HAND", 1 - player))

    def can_lose_life(self, player: int) -> bool:
        """Whether a player's life can be reduced (C52)."""
        by_hand = any(self.facts(c).keeps_life for c in self.creatures_of(player))
        return not by_hand and not any(self.words_for("NO_LIFE_LOSS", player))

    def extra_life_loss(self, player: int) -> int:
        """What a loss of this player is increased by (R91, C29)."""
        piles = self.sources_in_piles()
        by_hand = sum(facts.pile_extra_life_loss for _, you, facts in piles if you != player)
        return by_hand + sum(w.amount for w in self.words_for("MORE_LIFE_LOSS", 1 - player))

    def higher_power_loses(self, fighters: tuple[int, int]) -> bool:
        """Whether the higher power is defeated in a fight between these creatures (C19)."""
        return any(
            self.facts(c).reverses_fights or any(self.words_of("REVERSE_FIGHT", c))
            for c in fighters
        )

    def cannot_be_defeated(self, card: int) -> bool:
        """Whether defeating a creature does nothing (R97)."""
        this_turn = self.creatures[card].cannot_be_defeated_this_turn
        return this_turn or any(self.words_about("CANNOT_BE_DEFEATED", card))

    def evolves_instead(self, card: int) -> bool:
        """Whether a creature evolves instead of being defeated (R97, C43)."""
        return self.facts(card).evolves_instead or any(self.words_of("EVOLVE_INSTEAD", card))

    # ----------------------------------------------------------------------------------------------
    # Dice (R113, R114)
    # ----------------------------------------------------------------------------------------------

    def dice_of(self, card: int) -> int:
        """How many dice an attacker rolls (R113, C39)."""
        if not self.kot_parts:
            return 0
        symbols = self.facts(card).dice
        symbols += self.players[self.controller(card)].allied_dice_this_turn
        symbols += self.creatures[card].dice_this_turn
        symbols += sum(word.amount for word in self.words_about("MORE_DICE", card))
        for source, facts in self.sources_in_play():
            if facts.dice_bonus is not None:
                symbols += facts.dice_bonus(self._game, source, card)
        return min(MOST_DICE, symbols)

    def rerolls_of(self, player: int) -> int:
        """How many rerolls a player has at a roll (R114, C38)."""
        by_hand = sum(self.facts(c).extra_rerolls for c in self.creatures_of(player))
        return 1 + by_hand + sum(word.amount for word in self.words_for("MORE_REROLLS", player))

    @property
    def _game(self) -> ReferenceGame:
        """This very object, as the card functions know it."""
        return self  # type: ignore[return-value]
