"""Instructions and choices of the reference engine: what an effect can do.

Each method of :class:`ReferenceInstructions` that changes the state performs one instruction of an
effect, which is one event (R59): it changes the state, puts all triggers it caused into the queue
as one batch (R57), and refills hands (R27). Combat and playing a card use the same methods.

Methods with a choice in them are generators and are called with ``yield from``. Defeating does its
work at once and *returns* a generator, because a creature that was exhausted may leave a choice to
its controller (C45); an effect that does not ask at that point is asked when it has finished.
"""

from collections.abc import Generator, Iterable
from typing import Any

from support.positions import Decision, Option
from support.reference_facts import KEYWORDS, TOUGH, Effect, Word
from support.reference_state import Creature, GameEnds, ReferenceState, Trigger

Asking = Generator[Decision, Option, Any]


class ReferenceInstructions(ReferenceState):
    """Everything that effects, and the procedures of a turn, do to the table."""

    # ----------------------------------------------------------------------------------------------
    # Moving cards: every change of zone goes through _take_from_zone, so a card is in one zone only
    # ----------------------------------------------------------------------------------------------

    def _take_from_zone(self, card: int) -> None:
        """Take a card out of the zone where it is; boost cards fall from under it (R104)."""
        self.moves[card] += 1
        creature = self.creatures.pop(card, None)
        if creature is not None:
            boosts, creature.boosts = creature.boosts, []
            for boost in boosts:
                self.moves[boost] += 1
                self._lay_into_pile(boost, creature.controller)
            creature.fallen_boosts = [(boost, self.moves[boost]) for boost in boosts]
            return
        zones = [self.limbo, self.set_aside]
        for player in self.players:
            zones += [player.hand, player.draw, player.discard]
        zones += [other.boosts for other in self.creatures.values()]
        for zone in zones:
            if card in zone:
                zone.remove(card)
                return
        raise AssertionError(f"card {card} is in no zone")

    def _lay_into_pile(self, card: int, player: int) -> None:
        """Lay a card that is in no zone into a discard pile, and note that it arrived (R107)."""
        self.players[player].discard.append(card)
        self.arrivals.append((card, player))

    def _move_to_pile(self, card: int, player: int) -> None:
        """Move a card from wherever it is into a discard pile."""
        self._take_from_zone(card)
        self._lay_into_pile(card, player)

    def _enter_play(self, card: int, player: int) -> Creature:
        """Move a card into play as a new object (R5)."""
        self._take_from_zone(card)
        self.creatures[card] = Creature(card, player, self.card_ids[card])
        return self.creatures[card]

    def _take_from_unused(self) -> int:
        """Take the top card of the unused pile: it gets the next instance number (R32)."""
        self.card_ids.append(self.unused.pop(0))
        self.moves.append(1)
        return len(self.card_ids) - 1

    def _refill(self) -> None:
        """Draw up to 5 cards, both players; a state check made after every change (R27, C44)."""
        for number, player in enumerate(self.players):
            while len(player.hand) < self.hand_size and player.draw and self.may_receive(number):
                card = player.draw[0]
                self._take_from_zone(card)
                player.hand.append(card)

    # ----------------------------------------------------------------------------------------------
    # Triggers (R52-R59)
    # ----------------------------------------------------------------------------------------------

    def _trigger(
        self,
        card: int,
        word: str,
        you: int,
        effect: Effect,
        creature: Creature | None,
        granted_by: int | None = None,
    ) -> Trigger:
        """Note down a triggered effect with everything it has to remember (R53-R55)."""
        moves = self.moves[card]
        return Trigger(self._game, card, word, you, effect, creature, moves, granted_by)

    def _event_is_over(self, batch: list[Trigger]) -> None:
        """End one event (R59): its triggers become one batch (R57); hands are refilled (R27).

        Cards that reached a discard pile in the event trigger in the same batch (R107, C28).
        """
        arrivals, self.arrivals = self.arrivals, []
        for card, player in arrivals:
            effect = self.facts(card).discarded
            if effect is not None:
                batch.append(self._trigger(card, "discarded", player, effect, None))
        if batch:
            self.queue.append(batch)
        self._refill()

    def _resolve_waiting(self) -> Asking:
        """Resolve all waiting triggers, oldest batch first (R57)."""
        while self.queue:
            yield from self._resolve_oldest_batch()

    def _resolve_oldest_batch(self) -> Asking:
        """Resolve one batch; the active player picks the next trigger each time anew (R57)."""
        batch = self.queue[0]
        while batch:
            options = [trigger.option for trigger in batch]
            answer = yield from self._ask("D11", self.active, options)
            trigger = batch.pop(options.index(answer))
            if not batch:
                self.queue.pop(0)
            yield from self._resolve(trigger)

    def _resolve(self, trigger: Trigger) -> Asking:
        """Resolve one effect to its end before anything else starts (R56); count it (R20)."""
        yield from self.perform_at_once(trigger.effect, trigger)

    def perform_at_once(self, effect: Effect, me: Trigger) -> Asking:
        """Perform an effect that counts by itself: a trigger, a copied effect (R20, C23)."""
        self.effects_this_turn += 1
        if self.effects_this_turn > self.effect_cap:
            raise GameEnds(-1, "looped")
        yield from self.perform(effect, me)
        yield from self._choose_profiles(None)

    def perform(self, effect: Effect, me: Trigger) -> Asking:
        """Perform an effect, or a part of one, for the trigger that is being resolved."""
        choices = effect(self._game, me)
        if choices is not None:
            yield from choices

    # ----------------------------------------------------------------------------------------------
    # Leaving and entering play
    # ----------------------------------------------------------------------------------------------

    def defeat(self, cards: Iterable[int]) -> Asking:
        """Defeat a group of creatures at the same moment (R50, R73, R92).

        It is done at once. What is returned asks for profiles (C45) and then gives the list of the
        creatures that were really defeated (R48).
        """
        group = list(cards)
        # Everything is decided while all of them are still in play (R96). The order of the
        # replacements: "cannot be defeated", "evolve instead", TOUGH (R97).
        keywords = self.all_keywords()
        group = [c for c in group if not self.cannot_be_defeated(c)]
        evolving = [c for c in group if self.evolves_instead(c)]
        group = [c for c in group if c not in evolving]
        saved = [c for c in group if TOUGH in keywords[c] and not self.creatures[c].exhausted]
        leaving = [self.creatures[c] for c in group if c not in saved]

        for card in evolving:
            self._evolve(card)  # C43
        for card in saved:
            self._exhaust(self.creatures[card])
        for creature in leaving:
            self._move_to_pile(creature.card, creature.controller)  # R92
        batch = []
        for creature in leaving:
            effect = self.cards[creature.face].defeated  # R54
            if effect is not None:
                you = creature.controller  # R53
                batch.append(self._trigger(creature.card, "defeated", you, effect, creature))
        self._event_is_over(batch)
        return self._choose_profiles([creature.card for creature in leaving])

    def _exhaust(self, creature: Creature) -> None:
        """Exhaust a creature (R81); one with profiles leaves a choice to its controller (C45)."""
        creature.exhausted = True
        facts = self.facts(creature.card)
        if facts.exhausted_forms or facts.exhausted is not None:
            self.profiles_due.append(creature)

    def _choose_profiles(self, result: Any) -> Asking:
        """D12: choose the profiles of creatures that have just become exhausted (C45).

        Of several at once the one with the lowest instance number comes first.
        """
        self.profiles_due.sort(key=lambda creature: creature.card)
        while self.profiles_due:
            creature = self.profiles_due.pop(0)
            facts, you = self.cards[creature.face], creature.controller
            if facts.exhausted is not None:
                me = self._trigger(creature.card, "exhausted", you, facts.exhausted, creature)
                yield from self.perform(facts.exhausted, me)
                continue
            forms = facts.exhausted_forms
            number = yield from self.choose_mode(you, list(range(len(forms))))
            creature.profile = forms[number]
        return result

    def put_into_play(
        self, cards: Iterable[int], player: int, *, play_effects: bool = True
    ) -> None:
        """Let a player play cards: they enter together, then their Play effects trigger (R41)."""
        entering = [self._enter_play(card, player) for card in cards]
        if play_effects and not self.play_effects_are_stopped(player):  # R90
            triggers = [self._play_trigger(creature, player) for creature in entering]
        else:
            triggers = []
        self._event_is_over([trigger for trigger in triggers if trigger is not None])

    def _play_trigger(self, creature: Creature, player: int) -> Trigger | None:
        """The Play effect of a creature, triggered for a player."""
        effect = self.facts(creature.card).play
        if effect is None:
            return None
        return self._trigger(creature.card, "play", player, effect, creature)

    def trigger_play_effect(self, card: int, player: int) -> None:
        """The Play effect of a creature triggers, unless it is stopped (C40, R90)."""
        stopped = self.play_effects_are_stopped(player)
        trigger = self._play_trigger(self.creatures[card], player)
        self._event_is_over([] if stopped or trigger is None else [trigger])

    def return_to_hand(self, cards: Iterable[int]) -> None:
        """Return creatures to the hands of those who control them (R94, C44)."""
        returning = [self.creatures[c] for c in cards if self.may_receive(self.controller(c))]
        for creature in returning:
            self._take_from_zone(creature.card)
            self.players[creature.controller].hand.append(creature.card)
        self._event_is_over([])

    def set_creatures_aside(self, me: Trigger, cards: Iterable[int]) -> None:
        """Set creatures aside, remembered by the object that does it, if it is one (C53)."""
        leaving = [self.creatures[c] for c in cards]
        for creature in leaving:
            self._take_from_zone(creature.card)
            self.set_aside.append(creature.card)
            if me.creature is not None:
                me.creature.set_aside.append((creature.card, creature.controller))
        self._event_is_over([])

    def return_creatures_set_aside(self, me: Trigger) -> None:
        """What this object has set aside comes back, without Play effects (C53)."""
        assert me.creature is not None
        for card, player in me.creature.set_aside:
            self._enter_play(card, player)
        me.creature.set_aside = []
        self._event_is_over([])

    # ----------------------------------------------------------------------------------------------
    # Changing creatures
    # ----------------------------------------------------------------------------------------------

    def take_control(self, cards: Iterable[int], player: int) -> None:
        """Move creatures to a player's play area in their present state (R95); not a play (R42)."""
        for card in cards:
            self.creatures[card].controller = player
            self.creatures[card].control_changes += 1
        self._event_is_over([])

    def evolve(self, card: int, stage: str) -> None:
        """Evolve a creature to its next stage, if it has not evolved meanwhile (R101)."""
        if self.facts(card).evolves_to == stage:
            self._evolve(card)
        self._event_is_over([])

    def _evolve(self, card: int) -> None:
        """Turn a creature to its next stage; it is the same object (R101)."""
        stage = self.facts(card).evolves_to
        assert stage is not None
        self.creatures[card].face = stage

    def give_keyword_this_turn(self, card: int, keyword: str) -> None:
        """Give one creature a keyword until the end of this turn (R25, R26)."""
        self.creatures[card].keywords_this_turn.add(keyword)
        self._event_is_over([])

    def give_power_this_turn(self, card: int, n: int) -> None:
        """Give one creature power until the end of this turn (R26, R116)."""
        self.creatures[card].power_this_turn += n
        self._event_is_over([])

    def give_keyword_to_allies_this_turn(self, player: int, keyword: str) -> None:
        """Give a keyword to whatever creatures a player has, this turn (R26)."""
        self.players[player].allied_keywords_this_turn.add(keyword)
        self._event_is_over([])

    def give_dice_to_allies_this_turn(self, player: int, n: int) -> None:
        """Give dice symbols to whatever creatures a player has, this turn (R26, C39)."""
        self.players[player].allied_dice_this_turn += n
        self._event_is_over([])

    def let_hold_this_turn(self, word: Word, you: int, source: Creature | None) -> None:
        """An ability holds for whoever fits until the end of this turn (R25, R26)."""
        self.standing_this_turn.append((word, you, source))
        self._event_is_over([])

    def forbid_blocking_this_turn(self, card: int) -> None:
        """Forbid one creature to block until the end of this turn (R25, R26)."""
        self.creatures[card].cannot_block_this_turn = True
        self._event_is_over([])

    def protect_this_turn(self, card: int) -> None:
        """One creature cannot be defeated until the end of this turn (R97, C24)."""
        self.creatures[card].cannot_be_defeated_this_turn = True
        self._event_is_over([])

    def order_attack(self, card: int) -> None:
        """A creature must attack when this effect is finished, if it can attack now (R76)."""
        if self.can_attack(card):
            self.ordered_attacks.append(self.creatures[card])
        self._event_is_over([])

    def boost(self, player: int, n: int, creature: int | None) -> Asking:
        """D14: put up to ``n`` cards of any piles under one creature, or under any (R103, R123)."""
        under = self.creatures_in_play() if creature is None else [creature]
        yield from self.boost_among(player, n, under)

    def boost_among(
        self, player: int, n: int, under: list[int], *, together: bool = False
    ) -> Asking:
        """D14: put up to ``n`` cards under some creatures, ``together`` all under the same one.

        Returns how many cards were put there.
        """
        left = sorted(self.discard_pile(0) + self.discard_pile(1))
        chosen: list[tuple[int, int]] = []
        while left and under and len(chosen) < n:
            options: list[Option] = [("stop",), *(("target", c) for c in left)]
            answer = yield from self._ask("D14", player, options)
            if answer == ("stop",):
                break
            left.remove(answer[1])
            target = yield from self._ask("D14", player, [("target", c) for c in under])
            chosen.append((answer[1], target[1]))
            if together:
                under = [target[1]]
        for card, target in chosen:
            self._take_from_zone(card)
            self.creatures[target].boosts.append(card)
        self._event_is_over([])
        return len(chosen)

    # ----------------------------------------------------------------------------------------------
    # Life, energy, winning
    # ----------------------------------------------------------------------------------------------

    def gain_life(self, player: int, amount: int) -> None:
        """Gain life; there is no maximum (R16)."""
        self.players[player].life += amount
        self._event_is_over([])

    def lose_life(self, player: int, amount: int) -> None:
        """Lose life; at 0 the game ends at once (R14, R16). Losing 0 is not losing life."""
        if amount <= 0 or not self.can_lose_life(player):
            return
        amount = min(amount + self.extra_life_loss(player), self.life(player))  # R91
        self.players[player].life -= amount
        if self.life(player) == 0:
            raise GameEnds(1 - player, "life")
        batch = []
        for card in self.discard_pile(player):
            effect = self.facts(card).in_discard_on_life_loss
            if effect is not None:
                batch.append(self._trigger(card, "life_lost", player, effect, None))  # C16
        self._event_is_over(batch)

    def set_life(self, player: int, total: int) -> None:
        """Set a life total: gaining or losing the difference (R17)."""
        difference = total - self.life(player)
        if difference > 0:
            self.gain_life(player, difference)
        else:
            self.lose_life(player, -difference)

    def gain_energy(self, player: int, amount: int) -> None:
        """Gain energy, where the game has energy (R108)."""
        if self.kot_parts:
            self.players[player].energy += amount
        self._event_is_over([])

    def win(self, player: int) -> None:
        """A player wins by an effect, at once (C52, C59)."""
        raise GameEnds(player, "effect")

    # ----------------------------------------------------------------------------------------------
    # Hands and piles
    # ----------------------------------------------------------------------------------------------

    def put_into_hand(self, cards: Iterable[int], player: int) -> None:
        """Put cards into a hand in one move; the hand may exceed 5 (R28). Skipped under C44."""
        if not self.may_receive(player):
            return
        for card in list(cards):
            self._take_from_zone(card)
            self.players[player].hand.append(card)
        self._event_is_over([])

    def draw_from_pile(self, player: int, whose: int, n: int) -> Asking:
        """Put ``n`` cards of choice, or all there are, from a pile into a hand (R32, C51)."""
        if self.may_receive(player):
            cards = yield from self.choose_as_many(player, self.discard_pile(whose), n)
            self.put_into_hand(cards, player)

    def draw_one_from_pile(self, player: int, whose: int) -> Asking:
        """Put one card of choice from a pile into a hand (R32, R126)."""
        if self.may_receive(player):
            card = yield from self.choose_target(player, self.discard_pile(whose))
            if card is not None:
                self.put_into_hand([card], player)

    def draw_from_unused(self, player: int) -> None:
        """Put the top card of the unused pile into a hand (R32, R117)."""
        self.draw_several_from_unused(player, 1)

    def draw_several_from_unused(self, player: int, n: int) -> None:
        """Put the top ``n`` cards of the unused pile, or all there are, into a hand (R32)."""
        for _ in range(min(n, len(self.unused)) if self.may_receive(player) else 0):
            self.players[player].hand.append(self._take_from_unused())
        self._event_is_over([])

    def put_unused_under_draw_pile(self, player: int, n: int) -> None:
        """Put the top ``n`` cards of the unused pile under a draw pile, in that order (C61)."""
        for _ in range(min(n, len(self.unused))):
            self.players[player].draw.append(self._take_from_unused())
        self._event_is_over([])

    def take_out_of_hand(self, cards: Iterable[int]) -> None:
        """Take cards out of a hand into no zone (R34, C15)."""
        for card in cards:
            self._take_from_zone(card)
            self.limbo.append(card)
        self._event_is_over([])

    def give_card(self, giver: int) -> Asking:
        """D10: a player gives a card of their choice; it is in no zone (C15). None without one."""
        given = yield from self.choose_cards_from_hand(giver, 1)
        self.take_out_of_hand(given)  # The giver refills.
        return given[0] if given else None

    def discard(self, player: int, cards: Iterable[int]) -> None:
        """Put cards of a player's hand or draw pile into their discard pile together (R29, R33)."""
        self.put_into_pile(cards, player)

    def put_into_pile(self, cards: Iterable[int], player: int) -> None:
        """Put cards into a discard pile together (R30, C27)."""
        for card in list(cards):
            self._move_to_pile(card, player)
        self._event_is_over([])

    def discard_from_hand(self, player: int, n: int) -> Asking:
        """A player discards ``n`` cards of their choice together, or all they hold (R29, R30)."""
        cards = yield from self.choose_cards_from_hand(player, n)
        self.discard(player, cards)

    def random_cards(self, player: int, n: int) -> list[int]:
        """Pick ``n`` random cards of a hand, or all there are (R31, R122)."""
        candidates = sorted(self.players[player].hand)
        n = min(n, len(candidates))
        if n == 0:
            return []
        cards = self.pick_random(candidates, n)
        assert len(set(cards)) == len(cards) == n, "pick_random gave a wrong number of cards"
        assert set(cards) <= set(candidates), "pick_random gave a card that is not a candidate"
        return cards

    def steal_random_cards(self, thief: int, victim: int, n: int) -> None:
        """Move ``n`` random cards, or all there are, from one hand to the other (R30, R31)."""
        if self.may_receive(thief):
            self.put_into_hand(self.random_cards(victim, n), thief)

    def exchange_hands(self) -> None:
        """Both hands change places at one moment; skipped as a whole under C44 (C54)."""
        hands = [list(player.hand) for player in self.players]
        if all(self.may_receive(player) or not hands[1 - player] for player in (0, 1)):
            for player in (0, 1):
                for card in hands[1 - player]:
                    self._take_from_zone(card)
            for player in (0, 1):
                self.players[player].hand += hands[1 - player]
        self._event_is_over([])

    # ----------------------------------------------------------------------------------------------
    # Dice and power cards (R108-R117)
    # ----------------------------------------------------------------------------------------------

    def roll_a_plain_die(self) -> int:
        """A chance event of 1 to 6 that is not a King of Tokyo die (C55)."""
        return self.roll(6) + 1

    def _fill_display(self) -> None:
        """Fill the gap in the display with the top card of the power deck (R110, R111)."""
        if self.power_deck:
            self.display.append(self.power_deck.pop(0))

    def _resolve_power_card(self, power: int, player: int) -> Asking:
        """Perform the effect of a bought power card; it waits in no queue (R112)."""
        effect = self.power_facts[power].effect
        yield from self._resolve(Trigger(self._game, -1, "bought", player, effect, None, 0))

    def buy_for_free(self, me: Trigger) -> Asking:
        """D6: buy one of the visible power cards for free, if there is one (R112)."""
        if not self.kot_parts or not self.display:
            return
        answer = yield from self._ask("D6", me.you, [("buy", p) for p in sorted(self.display)])
        self.display.remove(answer[1])
        self._fill_display()
        yield from self._resolve_power_card(answer[1], me.you)
        self.power_discard.append(answer[1])

    def buy_top_for_free(self, me: Trigger) -> Asking:
        """Buy the top card of the power deck for free, if there is one (R112)."""
        if self.power_deck:
            power = self.power_deck.pop(0)
            yield from self._resolve_power_card(power, me.you)
            self.power_discard.append(power)

    # ----------------------------------------------------------------------------------------------
    # Choices inside effects (R44-R51, D6-D14)
    # ----------------------------------------------------------------------------------------------

    def _ask(self, point: str, player: int, options: list[Option]) -> Asking:
        """Let a player decide; a single option is carried out silently (R120)."""
        assert options, f"{point} without options"
        assert len(set(options)) == len(options), f"{point} offers an option twice"
        if len(options) == 1:
            return options[0]
        answer = yield Decision(point, player, options)
        return answer

    def _pick(self, point: str, word: str, player: int, candidates: list[int], n: int) -> Asking:
        """Successive picks without replacement, until there are ``n`` or nothing is left."""
        picked: list[int] = []
        remaining = list(candidates)
        while remaining and len(picked) < n:
            answer = yield from self._ask(point, player, [(word, c) for c in remaining])
            picked.append(answer[1])
            remaining.remove(answer[1])
        return picked

    def choose_target(self, player: int, candidates: list[int]) -> Asking:
        """D6: choose one target; None if there is none (R43, R46)."""
        if not candidates:
            return None
        answer = yield from self._ask("D6", player, [("target", c) for c in candidates])
        return answer[1]

    def choose_pile(self, player: int) -> Asking:
        """D6: choose the discard pile of one of the players (C27)."""
        answer = yield from self._ask("D6", player, [("pile", 0), ("pile", 1)])
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
        picked = yield from self._pick("D7", "target", player, candidates, n)
        return picked

    def choose_as_many(self, player: int, candidates: list[int], n: int) -> Asking:
        """D7: choose as many different targets as possible, up to ``n`` (C51)."""
        picked = yield from self._pick("D7", "target", player, candidates, n)
        return picked

    def choose_pair(self, player: int, pairs: list[tuple[int, int]]) -> Asking:
        """D7: choose one of several pairs; nothing without a pair (C31)."""
        if not pairs:
            return []
        answer = yield from self._ask("D7", player, [("pair", *pair) for pair in pairs])
        return list(answer[1:])

    def choose_yes_no(self, player: int) -> Asking:
        """D9: answer a "you may" (R47)."""
        answer = yield from self._ask("D9", player, [("yes",), ("no",)])
        return answer == ("yes",)

    def choose_cards_from_hand(self, player: int, n: int) -> Asking:
        """D10: choose ``n`` cards of the own hand, or all there are, one pick after another (R30).

        The cards stay in the hand; the instruction that follows moves them together.
        """
        hand = sorted(self.players[player].hand)
        picked = yield from self._pick("D10", "discard", player, hand, n)
        return picked

    def choose_mode(self, player: int, modes: list[int]) -> Asking:
        """D12: choose one of the modes that can do something (R43)."""
        answer = yield from self._ask("D12", player, [("mode", k) for k in modes])
        return answer[1]

    def choose_to_keep(self, player: int) -> Asking:
        """D12: play a given card or keep it, which C44 may forbid (C15)."""
        options: list[Option] = [("play",)]
        if self.may_receive(player):
            options.append(("keep",))
        answer = yield from self._ask("D12", player, options)
        return answer == ("keep",)

    def choose_keyword(self, player: int) -> Asking:
        """D13: name one of the five keywords (C35)."""
        answer = yield from self._ask("D13", player, [("keyword", word) for word in KEYWORDS])
        return answer[1]
