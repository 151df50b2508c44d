"""The public door of the Mindbug engine: one game, decision by decision."""

from collections.abc import Sequence
from typing import Any

import numpy as np
import numpy.typing as npt
from attrs import frozen

from card_data.mindbug.schema import Card
from card_data.mindbug.vocabulary import Effect, Keyword, Trigger
from card_data.shown import Shown
from simcore.checks import check_game, checked_option
from simcore.copies import copy_of
from simcore.jit import cached_kernel
from simcore.mindbug.face.options import Option, offers, options_of, slots_of, waiting_triggers
from simcore.mindbug.face.set_up import Side, set_up
from simcore.mindbug.play.engine import BEGIN, CHOOSE, FINISH, STEP, run_task
from simcore.mindbug.players.look_ahead import N_STATES
from simcore.mindbug.players.registry import POLICIES
from simcore.mindbug.players.search import SEARCH
from simcore.mindbug.players.seats import parse_player, seat
from simcore.mindbug.rules.call_stack import BOUGHT
from simcore.mindbug.rules.dice import FACES
from simcore.mindbug.rules.groups import _known
from simcore.mindbug.rules.keywords import _refresh
from simcore.mindbug.rules.powers import _in_play, _refresh_powers
from simcore.mindbug.table.card_table import CardTable
from simcore.mindbug.table.masks import NONE, ONE, _lowest
from simcore.mindbug.table.records import GAME_RECORD, SEATS, Ending
from simcore.mindbug.table.state import DEALING, GAME_STATE, MUST_BE_HUNTED, Decision, Phase
from simcore.mindbug.table.unknown_words import check_words
from simcore.own_seats import OwnRows
from simcore.random_streams import CHOICE, check_seed

_BY_NAME = sorted(Keyword, key=lambda keyword: keyword.name)
_OF_PLAYERS = "hand", "draw_pile", "discard_pile", "play_area", "life", "mindbugs", "energy"

#: Deals that are looked at.  A player begins with 5 cards of a pool of some hundred at most, so a
#: card with one copy is there in one deal of a few dozen.
_MOST = 20_000


@cached_kernel
def _current(tables, states, powers, keywords):
    """Current powers and keyword masks of creatures in play.

    Modifies powers, keywords and states[0], which it refreshes.
    """
    state, table = states[0], tables[0]
    _refresh(state, table)
    _refresh_powers(state, table)
    for k in range(len(keywords)):
        keywords[k] = _known(state, k)
    left = _in_play(state)
    while left != NONE:
        slot = _lowest(left)
        left &= left - ONE
        powers[slot] = state.power[slot]


@frozen
class Thoughts:
    """What a player thought of the options of a decision, in their order.

    Points by their weights; if they ``searched`` the share of simulations won, and if they
    ``looked_ahead`` the log odds of a victory.  nan for what their restrictions forbid.
    """

    values: tuple[float, ...]
    searched: bool
    looked_ahead: bool = False


class Game(Shown):
    """One game, decision by decision; at a prompt it shows where it stands (``position.py``).

    A new game stands at its first decision.  ``options`` lists what may be chosen; ``step`` takes
    the number of one of them and goes on to the next decision.  Decision points with a single
    option are carried out silently (R120).

    Parameters
    ----------
    table
        The compiled cards.
    seed, game
        Which game: the same that ``play_games`` plays.
    to_decision
        False to stand before the first turn, for a narrator who calls ``step_phase``.
    """

    def __init__(
        self, table: CardTable, *, seed: int = 0, game: int = 0, to_decision: bool = True
    ) -> None:
        check_game(seed, game)
        self._sit_down(table)
        dealings, games = np.zeros(1, DEALING), np.array([game], np.int64)
        run_task(BEGIN, table.rows, self._states, dealings=dealings, seed=seed, games=games)
        check_words(self._states)
        if to_decision:
            self._run()

    def _sit_down(self, table: CardTable) -> None:
        """Make room for a game with the cards of a table."""
        self._table = table
        self._states = np.zeros(1, GAME_STATE)
        self._seated: dict[str, npt.NDArray[np.void]] = {}
        self._room: tuple[npt.NDArray[np.void], npt.NDArray[np.void]] | None = None
        self.thoughts: Thoughts | None = None
        self.barred: tuple[int, ...] = ()

    __repr__ = Shown.__str__

    def __getstate__(self) -> dict[str, Any]:
        """What a copy has: players sit down anew, since networks stay where these have them."""
        return {**self.__dict__, "_seated": {}, "_room": None}

    @classmethod
    def from_position(
        cls,
        table: CardTable,
        sides: Sequence[Side],
        *,
        active: int = 0,
        unused: Sequence[str] = (),
        power_deck: Sequence[int] = (),
        seed: int = 0,
        to_decision: bool = True,
    ) -> "Game":
        """A game that stands at the start of a turn of ``active`` in a given position.

        Slots are numbered in the order player 0 play, hand, draw, discard, then player 1, then the
        boost cards, then the ``unused`` pile (card ids, top first).  ``power_deck`` has numbers of
        power cards, top first, of which the first three are shown (R10).  At most 64 cards.
        ``to_decision`` is that of a new game.

        Raises
        ------
        ValueError
            For an unknown card, too many cards, or anything that cannot be on a table.
        """
        check_seed(seed)
        self = cls.__new__(cls)
        self._sit_down(table)
        set_up(
            self._states,
            table,
            sides,
            active=active,
            unused=unused,
            power_deck=power_deck,
            seed=seed,
        )
        if to_decision:
            self._run()
        return self

    @classmethod
    def looking_at(cls, table: CardTable, states: npt.NDArray[np.void]) -> "Game":
        """A game that stands where states[0], of GAME_STATE, does; it has a state of its own."""
        self = cls.__new__(cls)
        self._sit_down(table)
        self._states[0] = states[0]
        return self

    def _run(self) -> None:
        while not self.over and not self.waits:
            self._step(-1)

    @property
    def table(self) -> CardTable:
        """The cards this game is played with."""
        return self._table

    @property
    def over(self) -> bool:
        """Whether the game has ended."""
        return int(self._states[0]["phase"]) == Phase.OVER

    @property
    def waits(self) -> bool:
        """Whether the game waits for a decision."""
        return int(self._states[0]["decision"]) != Decision.NONE

    @property
    def decision(self) -> Decision:
        """The decision point at which the game stands; NONE when it is over."""
        return Decision(int(self._states[0]["decision"]))

    @property
    def decider(self) -> int:
        """The player who decides; -1 when the game is over."""
        return int(self._states[0]["decider"]) if self.waits else -1

    @property
    def winner(self) -> int:
        """The winner, -1 for a draw or an unfinished game."""
        return int(self._states[0]["winner"])

    @property
    def ending(self) -> Ending | None:
        """How the game ended; None while it runs."""
        ending = int(self._states[0]["ending"])
        return None if ending < 0 else Ending(ending)

    def card(self, slot: int) -> Card:
        """The card in a slot, as the face that is up."""
        return self._table.faces[int(self._states[0]["card"][slot])]

    def cards(self, n_slots: int) -> list[Card]:
        """The cards in the first slots."""
        return [self._table.faces[row] for row in self._states["card"][0, :n_slots].tolist()]

    def hand(self, player: int) -> list[Card]:
        """The cards in a player's hand."""
        return [self.card(slot) for slot in slots_of(int(self._states[0]["hand"][player]))]

    @property
    def options(self) -> list[Option]:
        """The options of the present decision, in the order of their numbers; [] when over."""
        return options_of(self._states)

    def step(self, option: int) -> None:
        """Choose an option by number and go on to the next decision or the end.

        Raises
        ------
        ValueError
            If the game is over or the number is not that of an option.
        TypeError
            If it is not a whole number.
        """
        self.step_option(option)
        self._run()

    def step_option(self, option: int) -> None:
        """Choose an option without going on; for narrators, who then call ``step_phase``."""
        option = checked_option(option, int(self._states[0]["n_options"]), over=self.over)
        self.thoughts, self.barred = None, ()
        self._step(option)

    def step_phase(self) -> None:
        """Perform one phase of a game that neither waits nor is over; harmless otherwise."""
        if not self.over and not self.waits:
            self._step(-1)

    def _step(self, option: int) -> None:
        """Go one step; ``plain_dice`` then has those of this step alone."""
        self._states[0]["plain_dice"] = 0
        run_task(STEP, self._table.rows, self._states, number=option)
        check_words(self._states)

    def choose(self, player: str, luck: Sequence[int] | None = None) -> int:
        """Option number that a player chooses here; draws that player's random numbers.

        ``player`` is spelled as `parse_player` reads it, which raises ValueError.  What they
        thought of the options is then in ``thoughts``, and in ``barred`` the numbers of those that
        their restrictions took away.  With ``luck``, numbers from 0 to 2**63 - 1, their random
        numbers follow from these alone and the game's own stay as they are: whoever is asked again
        answers the same.
        """
        if player not in self._seated:
            self._seated[player] = seat(self._table, (player, player))
        policy = POLICIES[parse_player(player).policy]
        # Room for thoughts is half a megabyte, which takes longer to find than to think in.
        self._room = self._room or (np.zeros(N_STATES, GAME_STATE), np.zeros(1, SEARCH))
        rows, (states, works) = self._seated[player], self._room
        states[0] = self._states[0]
        if luck is not None:
            fresh = np.random.SeedSequence(luck).generate_state(2 * SEATS, np.uint64)
            states[0]["streams"][CHOICE:] = fresh.reshape(SEATS, 2)
        if isinstance(rows, OwnRows):
            option = rows.ask(0, states)
        else:
            option = run_task(CHOOSE, rows, states, works=works)
        check_words(states)
        if luck is None:
            self._states[0]["streams"] = states[0]["streams"]
        offered, left = offers(self._states[0]), offers(states[0])
        self.barred = tuple(n for n, offer in enumerate(offered) if offer not in left)
        points = dict(zip(left, map(float, states[0]["points"]), strict=False))
        self.thoughts = None
        if policy.weights is not None and len(left) > 1 and not np.isnan(points[left[0]]):
            values = tuple(points.get(offer, np.nan) for offer in offered)
            self.thoughts = Thoughts(values, policy.searches, policy.levels > 0)
        return offered.index(left[option])

    def snapshot(self) -> dict[str, Any]:
        """The position as plain Python: who, where, how strong.

        ``players[p]`` has sorted slot lists ``hand``, ``draw`` (in draw order), ``discard``,
        ``play``, and ``life``, ``mindbugs`` and ``energy``; ``creatures[slot]`` has ``power``,
        ``keywords`` (sorted names), ``exhausted``, ``face`` (card id of its stage) and ``boosts``
        (slots); ``limbo`` holds cards in no zone, ``set_aside`` those of C53; ``display``,
        ``power_deck`` (top first) and ``power_discard`` hold numbers of power cards; ``waiting``
        counts waiting triggers.
        """
        state = self._states[0]
        powers, masks = np.zeros(64, np.int64), np.zeros(len(Keyword), np.uint64)
        states = copy_of(self._states)  # looking changes nothing
        _current(self._table.rows, states, powers, masks)
        check_words(states)
        boosts, exhausted = slots_of(int(state["boosts"])), int(state["exhausted"])
        carriers = [(keyword.name, int(masks[keyword])) for keyword in _BY_NAME]
        of_players, of_cards = self._lists(_OF_PLAYERS), self._lists(("card", "host"))
        deck = state["power_deck"][int(state["power_deck_next"]) : int(state["power_deck_size"])]
        return {
            "turn": int(state["turn"]),
            "active": int(state["active"]),
            "players": [
                {
                    "hand": slots_of(of_players["hand"][player]),
                    "draw": slots_of(of_players["draw_pile"][player]),
                    "discard": slots_of(of_players["discard_pile"][player]),
                    "play": slots_of(of_players["play_area"][player]),
                    "life": of_players["life"][player],
                    "mindbugs": of_players["mindbugs"][player],
                    "energy": of_players["energy"][player],
                }
                for player in range(2)
            ],
            "creatures": {
                slot: {
                    "power": int(powers[slot]),
                    "keywords": [name for name, mask in carriers if mask >> slot & 1],
                    "exhausted": bool(exhausted >> slot & 1),
                    "face": self._table.faces[of_cards["card"][slot]].card_id,
                    "boosts": [boost for boost in boosts if of_cards["host"][boost] == slot],
                }
                for slot in slots_of(of_players["play_area"][0] | of_players["play_area"][1])
            },
            "limbo": slots_of(int(state["limbo"])),
            "set_aside": slots_of(int(state["set_aside"])),
            "display": slots_of(int(state["display"])),
            "power_deck": deck.tolist(),
            "power_discard": slots_of(int(state["power_discard"])),
            "waiting": int(state["waiting"]),
        }

    def _lists(self, fields: Sequence[str]) -> dict[str, list[int]]:
        """The numbers of fields of the state that have several: quicker than one by one."""
        return {field: self._states[field][0].tolist() for field in fields}

    @property
    def phase(self) -> Phase:
        """The phase the machine stands in, for narrators."""
        return Phase(int(self._states[0]["phase"]))

    @property
    def fight(self) -> tuple[int, int]:
        """Slots of attacker and blocker, -1 where there is none (any more); for narrators."""
        return int(self._states[0]["attacker"]), int(self._states[0]["blocker"])

    @property
    def waiting(self) -> list[tuple[int, Trigger, int, int]]:
        """Source slot, trigger, "you" and granting slot (C60; -1 = none) of each waiting trigger.

        The next one comes first; for narrators.
        """
        return waiting_triggers(self._states)

    @property
    def obliged(self) -> bool:
        """Whether a card leaves only certain attacks as turn actions (R24); for narrators."""
        state = self._states[0]
        if self.decision != Decision.ACTION or state["options"] or state["action_options"]:
            return False
        if not state["trait"][MUST_BE_HUNTED] & state["play_area"][1 - int(state["active"])]:
            return False
        creatures = self.snapshot()["creatures"]
        attackers = slots_of(int(state["attack_options"]))
        return all(Keyword.HUNTER.name in creatures[slot]["keywords"] for slot in attackers)

    def details(self) -> dict[str, Any]:
        """What else a narrator wants to know, as plain Python; ``snapshot`` tells who lies where.

        ``program`` is the row of the running instruction, ``effect`` what it does (None = nothing
        runs), ``source`` its card (-1 = a power card) and ``you`` its player; ``effects`` counts
        those of this turn and ``depth`` those that wait for the running one.  ``gathered`` and
        ``chosen`` are slots it has picked up, ``bought`` numbers of power cards being resolved.
        ``attacking`` is the player who declared the attack, ``dice`` the faces shown, ``applied``
        how many of them have been; ``plain_dice`` are the numbers that other dice (C55) have shown
        in the last step, in their order.  ``forced`` are the creatures that have to attack (R76),
        ``cannot_block``, ``cannot_attack`` and ``cannot_be_defeated`` those marked this turn,
        ``turn_rules`` counts groups that have something this turn.  ``unused`` is the unused pile.
        """
        state = self._states[0]
        row = int(state["pc"])
        runs = row >= 0 and self.phase == Phase.EFFECT
        effect = int(self._table.rows[0]["instructions"]["effect"][row]) if runs else -1
        slots = {
            "gathered": "gathered",
            "chosen": "chosen",
            "cannot_block": "no_block",
            "cannot_attack": "no_attack",
            "cannot_be_defeated": "undefeatable",
            "unused": "unused",
        }
        free = [int(frame[BOUGHT]) for frame in state["frame"][: int(state["depth"])]]
        numbers = {"source": "source", "you": "effect_player", "attacking": "attacking"}
        numbers |= {name: name for name in ("effects", "depth")}
        numbers |= {"applied": "next_die", "turn_rules": "n_turn_rules"}
        return {
            "program": row,
            "effect": Effect(effect) if runs else None,
            "dice": [FACES[face] for face in state["dice"][: int(state["n_dice"])]],
            "plain_dice": [int(digit) for digit in f"{int(state['plain_dice']):o}" if digit != "0"],
            "bought": slots_of(int(state["bought"])) + [card for card in free if card >= 0],
            "forced": [int(slot) for slot in state["forced"][: int(state["n_forced"])]],
            **{name: slots_of(int(state[field])) for name, field in slots.items()},
            **{name: int(state[field]) for name, field in numbers.items()},
        }

    def record(self) -> np.void:
        """The GAME_RECORD of a finished game.

        Raises
        ------
        ValueError
            If the game is not over.
        """
        if not self.over:
            raise ValueError("the game is not over: it has no record yet")
        records = np.zeros(1, GAME_RECORD)
        run_task(FINISH, self._table.rows, self._states, records=records)
        return records[0]


def first_game_with(table: CardTable, card_id: str, *, seat: int, seed: int) -> int:
    """The number of the first game of a seed in which a player is dealt a card into their hand.

    Parameters
    ----------
    table
        The compiled cards.
    card_id
        A card that is dealt.
    seat
        The player, 0 or 1.
    seed
        The seed.

    Raises
    ------
    ValueError
        If it is not among the first 20,000.
    """
    for number in range(_MOST):
        game = Game(table, seed=seed, game=number, to_decision=False)
        if card_id in {card.card_id for card in game.hand(seat)}:
            return number
    raise ValueError(f"no player begins with {card_id!r} in {_MOST:,} deals of seed {seed}")
