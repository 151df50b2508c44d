"""A whole game of Mice & Mystics, slowly and plainly, from set-up to its outcome.

Written from the text of the rules alone; it shares nothing with the fast engine.
"""

from collections.abc import Mapping, Sequence
from functools import cache
from itertools import combinations

from card_data.mice_and_mystics.facts import Chapter
from support.mice_and_mystics import clock, minions, moves, placement, turns
from support.mice_and_mystics.chance import Chance
from support.mice_and_mystics.counters import finish
from support.mice_and_mystics.decisions import Asking, Decision, Entry, ask
from support.mice_and_mystics.state import ROUND_LIMIT, Box, GameOver, Mouse, State
from support.mice_and_mystics.table import base_facts

TOP_CARDS = 8  # of the search deck, counted as top8 (section 29)


@cache
def base_box() -> Box:
    """The facts of the base game."""
    return Box(base_facts())


def legal_parties(box: Box, chapter: Chapter, switch: str = "chapter") -> list[tuple[str, ...]]:
    """Parties in lexicographic order of hero indices (S12, D10)."""
    sets = combinations(box.heroes, chapter.mice)
    if switch == "any":
        return list(sets)
    must = set(chapter.must_include)
    return [party for party in sets if must <= set(party) <= set(chapter.allowed)]


class SlowGame(State):
    """A game that runs to the next decision; ``choose`` takes an index of its entries."""

    def __init__(
        self,
        chapter: str,
        heroes: Sequence[str] | None,
        chance: Chance,
        *,
        switches: Mapping[str, str] | None = None,
        knobs: Mapping[str, int] | None = None,
        abilities: Mapping[str, str] | None = None,
        box: Box | None = None,
    ) -> None:
        box = box or base_box()
        if heroes is None:
            parties = legal_parties(
                box, box.chapters[chapter], (switches or {}).get("S12", "chapter")
            )
            heroes = parties[chance.below(len(parties))]
        super().__init__(box, chapter, tuple(heroes), chance, switches, knobs)
        self.fixed_abilities = dict(abilities or {})
        self.decision: Decision | None = None
        self._running: Asking | None = None

    # ---------------------------------------------------------------------------------------------
    # Running
    # ---------------------------------------------------------------------------------------------

    def start(self) -> "SlowGame":
        """Set up and run to the first decision."""
        return self.run(self._whole_game())

    def run(self, flow: Asking) -> "SlowGame":
        """Run a flow of the game to its first decision."""
        self._running = flow
        self._advance(None)
        return self

    def choose(self, index: int) -> None:
        """Take an entry of the decision and run to the next one."""
        self._advance(index)

    def _advance(self, index: int | None) -> None:
        self.decision = None
        try:
            self.decision = self._running.send(index)
        except StopIteration:
            self._running = None
        except GameOver as over:
            self._running = None
            self.outcome = over.outcome
            finish(self)

    def _whole_game(self) -> Asking:
        yield from self._set_up()
        self.begin_round()
        yield from self.go_on()

    # ---------------------------------------------------------------------------------------------
    # Set-up
    # ---------------------------------------------------------------------------------------------

    def _set_up(self) -> Asking:
        """M7-M13 in the order that both engines keep."""
        self._shuffle_decks()
        for mouse in self.mice:
            mouse.equipped = list(mouse.hero.starting_gear)
            clock.gain(self, mouse, self.start_cheese, "start")
        for mouse in self.mice:
            yield from self._deal_ability(mouse)
        start = self.chapter.start
        spaces = [self.board.index[space] for space in start.mice_spaces]
        for mouse in self.mice:
            yield from moves.put(self, mouse, moves.free_of(self, spaces))
        turns.enter_first_time(self)
        placement.place(self, {group.type: group.count for group in start.minions})
        placement.new_track(self)

    def _shuffle_decks(self) -> None:
        gear = [card for mouse in self.mice for card in mouse.hero.starting_gear]
        if self.switch["S13"] == "removed":
            gear = [card for hero in self.box.heroes.values() for card in hero.starting_gear]
        for card in self.box.cards.values():
            self.search_deck += [card.id] * (card.count - gear.count(card.id))
        self.chance.shuffle(self.search_deck)
        for card_id in self.search_deck[:TOP_CARDS]:
            self.counts[f"top8_{card_id}"] += 1
        with_difficult = self.switch["S14"] == "all"
        encounters = self.box.encounters.values()
        self.encounter_deck = [e.id for e in encounters if with_difficult or not e.difficult]
        self.chance.shuffle(self.encounter_deck)
        self.counts[f"first_{self.encounter_deck[0]}"] = 1

    def _deal_ability(self, mouse: Mouse) -> Asking:
        """D10: one unowned fitting ability, unless it is given."""
        ability = self.fixed_abilities.get(mouse.id)
        if ability is None:
            fixed = set(self.fixed_abilities.values())
            free = [name for name in self.free_abilities(mouse) if name not in fixed]
            entries: list[Entry] = [("START", name) for name in free]
            ability = (yield from ask(self, "D10", mouse, entries))[1]
        mouse.abilities.append(ability)
        self.counts[f"dealt_{ability}"] = 1

    # ---------------------------------------------------------------------------------------------
    # Rounds
    # ---------------------------------------------------------------------------------------------

    def begin_round(self) -> None:
        """M19, M116, M132."""
        if self.rounds == ROUND_LIMIT:
            raise GameOver("timeout")
        self.rounds += 1
        self.round_over = False
        self.acted = set()
        self.lasting = [last for last in self.lasting if last.until != "end_of_round"]
        self.inspire = None
        for figure in self.figures:
            figure.meeps = 0
        for mouse in self.mice:
            mouse.paid_for_action = 0

    def go_on(self) -> Asking:
        """Turn after turn, round after round."""
        while True:
            card = self.next_card()
            if card is None:
                self.begin_round()
            else:
                yield from self.take_turn_of(card)
                if self.round_over:
                    self.begin_round()

    def next_card(self) -> str | None:
        """The topmost card that has not acted in this round."""
        return next((card for card in self.track if card not in self.acted), None)

    def take_turn_of(self, card: str) -> Asking:
        """The turn of one card of the track."""
        self.acted.add(card)
        self.acting = card
        for mouse in self.mice:
            mouse.ability_used = False  # M26
        if card in self.mouse:
            yield from turns.mouse_turn(self, self.mouse[card])
        else:
            yield from minions.minion_turn(self, card)
        clock.check_win(self)
