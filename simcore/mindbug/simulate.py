"""The public door of the Mindbug engine: many games at once, or one game step by step."""

import operator
from collections.abc import Mapping, Sequence
from dataclasses import dataclass
from typing import Any

import numpy as np
import numpy.typing as npt

from card_data.schema import Card
from card_data.vocabulary import Keyword, Trigger
from simcore.kernel_cache import cached_kernel, kernel
from simcore.mindbug.card_table import CardTable
from simcore.mindbug.constant_abilities import _in_play, _known, _refresh, _refresh_powers
from simcore.mindbug.deal import _new_game, _place_cards
from simcore.mindbug.masks import NONE, ONE, _copy_words, _lowest
from simcore.mindbug.play_out import _play_out
from simcore.mindbug.policies import _choose, policy_number
from simcore.mindbug.records import DEALT, GAME_RECORD, Ending
from simcore.mindbug.state import DEALING, GAME_STATE, MAX_SLOTS, Decision, Phase
from simcore.mindbug.triggers import _entry, _entry_kind, _entry_player, _entry_source
from simcore.mindbug.turn import _perform, _take
from simcore.mindbug.zones import MAX_LIFE, _refill

_START_TURN, _OVER, _PAUSE = int(Phase.START_TURN), int(Phase.OVER), int(Phase.PAUSE)


@kernel
def _write_record(record, state):
    """Fill one GAME_RECORD from a finished game.  Modifies record."""
    record.game = state.game
    record.first_player = state.first_player
    record.winner = state.winner
    record.ending = state.ending
    record.turns = state.turn
    record.decisions = state.decisions
    for player in range(2):
        record.life[player] = state.life[player]
        record.mindbugs[player] = state.mindbugs[player]
        record.played[player] = state.played[player]
        record.taken[player] = state.taken[player]
    record.attacks = state.attacks
    record.second_attacks = state.second_attacks
    record.hunts = state.hunts
    record.blocks = state.blocks
    record.defeats = state.defeats
    record.tough_saves = state.tough_saves
    record.drawn = state.drawn
    record.defeated = state.defeated
    for slot in range(DEALT):
        record.cards[slot] = state.card[slot]
    _copy_words(record.turn_played, state.turn_played)
    _copy_words(record.offers, state.offers)
    _copy_words(record.thefts, state.thefts)


@cached_kernel
def _play_games(tables, seed, first_game, policies, states, dealings, records):
    """Play games ``first_game`` … into ``records`` (modified in place), one after another."""
    state, table = states[0], tables[0]
    for i in range(len(records)):
        _new_game(state, table, seed, first_game + i, dealings[0])
        _play_out(state, table, policies)
        _write_record(records[i], state)


@cached_kernel
def _deal_game(tables, seed, game, states, dealings):
    """Deal one game; it stands before its first turn.  Modifies states[0] and dealings[0]."""
    _new_game(states[0], tables[0], seed, game, dealings[0])
    states[0].phase = _START_TURN


@cached_kernel
def _refill_hands(states):
    """Refill both hands, as R27 is a state check.  Modifies states[0]."""
    _refill(states[0], 0)
    _refill(states[0], 1)


@cached_kernel
def _step_phase(tables, states):
    """Perform one phase of a game that waits for no decision.  Modifies states[0]."""
    state, table = states[0], tables[0]
    phase = _perform(state, table, state.phase)
    if phase == _PAUSE and state.n_options == 1:
        phase = _take(state, table, 0)
    if phase != _PAUSE:
        state.phase = phase


@cached_kernel
def _step_option(tables, states, option):
    """Carry out one option of the present decision.  Modifies states[0]."""
    state, table = states[0], tables[0]
    state.decisions += 1
    state.phase = _take(state, table, option)


@cached_kernel
def _ask_policy(tables, states, policy):
    """Option that a policy chooses at the present decision."""
    return _choose(states[0], tables[0], policy)


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


@cached_kernel
def _waiting(states, place):
    """Source slot, trigger and player of the waiting trigger at a place of the queue."""
    entry = _entry(states[0], place)
    return _entry_source(entry), _entry_kind(entry), _entry_player(entry)


@cached_kernel
def _finish_record(states, records):
    """Fill records[0] from a finished game.  Modifies records."""
    _write_record(records[0], states[0])


def _check_seed(seed: int) -> None:
    """Refuse a seed that the random streams cannot take."""
    if not 0 <= seed < 2**63:
        raise ValueError(f"seed is {seed}; it must be 0 to 2**63 - 1")


def play_games(
    table: CardTable,
    *,
    n_games: int,
    seed: int = 0,
    first_game: int = 0,
    policies: tuple[str, str] = ("random", "random"),
    out: npt.NDArray[np.void] | None = None,
) -> npt.NDArray[np.void]:
    """Play games ``first_game`` … ``first_game + n_games - 1`` of a seed in one thread.

    Releases the GIL, so that several threads can play different games of a run.

    Parameters
    ----------
    table
        The compiled cards.
    n_games, first_game, seed
        Which games: game i of a seed is the same game in any call.
    policies
        Policy of player 0 and of player 1; who starts is decided game by game (R11).
    out
        Array (n_games,) of GAME_RECORD to fill instead of a new one.

    Returns
    -------
    Array (n_games,) of GAME_RECORD.

    Raises
    ------
    ValueError
        For a negative number, a seed outside 0 … 2**63 - 1, an unknown policy or an ``out`` of
        another shape.
    """
    if n_games < 0 or first_game < 0:
        raise ValueError(f"n_games is {n_games}, first_game {first_game}; neither may be negative")
    _check_seed(seed)
    if out is None:
        out = np.zeros(n_games, GAME_RECORD)
    if out.shape != (n_games,) or out.dtype != GAME_RECORD:
        raise ValueError(f"out must be {n_games} rows of GAME_RECORD, not {out.shape} {out.dtype}")
    numbers = np.array([policy_number(name) for name in policies], np.int64)
    states = np.zeros(1, GAME_STATE)
    _play_games(
        table.rows, np.int64(seed), np.int64(first_game), numbers, states, np.zeros(1, DEALING), out
    )
    return out


_ZONES = {"play": "play_area", "hand": "hand", "draw": "draw_pile", "discard": "discard_pile"}


def _place(
    table: CardTable, zones: Sequence[Mapping[str, Sequence[str]]]
) -> list[tuple[int, int, str]]:
    """Card row, player and zone of each slot of a position, in the order of slots."""
    if len(zones) != 2:
        raise ValueError(f"zones are those of {len(zones)} players; there are two")
    index = {card.card_id: i for i, card in enumerate(table.cards)}
    placed = []
    for player in range(2):
        if unknown := sorted(set(zones[player]) - set(_ZONES)):
            raise ValueError(f"unknown zone {unknown[0]!r}; zones are {', '.join(_ZONES)}")
        for zone in _ZONES:
            for card_id in zones[player].get(zone, ()):
                if card_id not in index:
                    raise ValueError(f"{card_id!r} is not a card of this table")
                placed.append((index[card_id], player, zone))
    if len(placed) > MAX_SLOTS:
        raise ValueError(f"a position holds at most {MAX_SLOTS} cards, not {len(placed)}")
    return placed


def _check_position(
    placed: Sequence[tuple[int, int, str]],
    active: int,
    life: tuple[int, int],
    mindbugs: tuple[int, int],
    exhausted: Sequence[int],
) -> None:
    """Refuse what cannot be on a table."""
    if active not in (0, 1):
        raise ValueError(f"active is {active}; it must be 0 or 1")
    if len(life) != 2 or not all(1 <= n <= MAX_LIFE for n in life):
        raise ValueError(f"life is {life}; it must be two numbers of 1 or more")
    if len(mindbugs) != 2 or not all(0 <= n <= 100 for n in mindbugs):
        raise ValueError(f"mindbugs is {mindbugs}; it must be two numbers of 0 to 100")
    for slot in exhausted:
        if not 0 <= slot < len(placed) or placed[slot][2] != "play":
            raise ValueError(f"exhausted names slot {slot}, which holds no creature in play")


@dataclass(frozen=True)
class Option:
    """One option of a decision.

    ``word`` says what is done: play, attack, use, refuse, hunt, no_hunt, block, no_block,
    attack_again, stop, target, discard or resolve; ``slot`` is the card it names, -1 for none;
    ``trigger`` is the trigger that ``resolve`` names.
    """

    word: str
    slot: int = -1
    trigger: Trigger | None = None


_FIXED_WORDS: Mapping[Decision, tuple[str, ...]] = {
    Decision.MINDBUG: ("refuse", "use"),
    Decision.HUNT: ("no_hunt",),
    Decision.BLOCK: ("no_block",),
    Decision.SECOND_ATTACK: ("stop", "attack_again"),
    Decision.UP_TO: ("stop",),
}
_SLOT_WORD: Mapping[Decision, str] = {
    Decision.ACTION: "play",
    Decision.HUNT: "hunt",
    Decision.BLOCK: "block",
    Decision.DISCARD: "discard",
}


def _slots(mask: int) -> list[int]:
    """Slots of a mask, ascending."""
    return [slot for slot in range(64) if mask >> slot & 1]


class Game:
    """One game, decision by decision.

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
        False to stand before the first turn, for a narrator who calls ``step_phase`` himself.
    """

    def __init__(
        self, table: CardTable, *, seed: int = 0, game: int = 0, to_decision: bool = True
    ) -> None:
        _check_seed(seed)
        if not 0 <= game < 2**63:
            raise ValueError(f"game is {game}; it must be 0 to 2**63 - 1")
        self._table = table
        self._states = np.zeros(1, GAME_STATE)
        _deal_game(table.rows, np.int64(seed), np.int64(game), self._states, np.zeros(1, DEALING))
        if to_decision:
            self._run()

    @classmethod
    def from_position(
        cls,
        table: CardTable,
        zones: Sequence[Mapping[str, Sequence[str]]],
        *,
        active: int = 0,
        life: tuple[int, int] = (3, 3),
        mindbugs: tuple[int, int] = (0, 0),
        exhausted: Sequence[int] = (),
        seed: int = 0,
    ) -> "Game":
        """A game that stands at a turn action of ``active`` in a given position.

        ``zones[player]`` maps ``play``, ``hand``, ``draw`` and ``discard`` to card ids.  Slots are
        numbered in the order player 0 play, hand, draw, discard, then player 1; ``exhausted`` names
        slots.  At most 64 cards.

        Raises
        ------
        ValueError
            For an unknown card or zone, too many cards, or anything that cannot be on a table.
        """
        _check_seed(seed)
        placed = _place(table, zones)
        _check_position(placed, active, life, mindbugs, exhausted)
        self = cls.__new__(cls)
        self._table = table
        self._states = np.zeros(1, GAME_STATE)
        state = self._states[0]
        cards = np.array([card for card, _, _ in placed], np.uint16)
        _place_cards(table.rows, np.int64(seed), self._states, np.zeros(1, DEALING), cards)
        for slot, (_, player, zone) in enumerate(placed):
            state[_ZONES[zone]][player] |= np.uint64(1 << slot)
        state["exhausted"] = sum(1 << slot for slot in exhausted)
        state["life"] = life
        state["mindbugs"] = mindbugs
        state["active"] = state["first_player"] = active
        state["phase"] = _START_TURN
        _refill_hands(self._states)
        self._run()
        return self

    def _run(self) -> None:
        while not self.over and not self.waits:
            self.step_phase()

    @property
    def table(self) -> CardTable:
        """The cards this game is played with."""
        return self._table

    @property
    def over(self) -> bool:
        """Whether the game has ended."""
        return int(self._states[0]["phase"]) == _OVER

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
        """The card in a slot."""
        return self._table.cards[int(self._states[0]["card"][slot])]

    @property
    def options(self) -> list[Option]:
        """The options of the present decision, in the order of their numbers; [] when over."""
        state = self._states[0]
        decision = self.decision
        if decision == Decision.NONE:
            return []
        slots = _slots(int(state["options"]))
        if decision == Decision.ORDER:
            triggers = [_waiting(self._states, place) for place in slots]
            return [Option("resolve", slot, Trigger(kind)) for slot, kind, _ in triggers]
        fixed = [Option(word) for word in _FIXED_WORDS.get(decision, ())]
        named = [Option(_SLOT_WORD.get(decision, "target"), slot) for slot in slots]
        attackers = _slots(int(state["attack_options"])) if decision == Decision.ACTION else []
        return fixed + named + [Option("attack", slot) for slot in attackers]

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
        if self.over:
            raise ValueError("the game is over: there is nothing to choose")
        option = operator.index(option)
        n_options = int(self._states[0]["n_options"])
        if not 0 <= option < n_options:
            raise ValueError(f"option {option} is not offered; options are 0 to {n_options - 1}")
        _step_option(self._table.rows, self._states, np.int64(option))

    def step_phase(self) -> None:
        """Perform one phase of a game that neither waits nor is over; harmless otherwise."""
        if not self.over and not self.waits:
            _step_phase(self._table.rows, self._states)

    def choose(self, policy: str) -> int:
        """Option number that a policy chooses here; draws that policy's random numbers."""
        return int(_ask_policy(self._table.rows, self._states, np.int64(policy_number(policy))))

    def snapshot(self) -> dict[str, Any]:
        """The position as plain Python: who, where, how strong.

        ``players[p]`` has sorted slot lists ``hand``, ``draw`` (in draw order), ``discard``,
        ``play``, and ``life`` and ``mindbugs``; ``creatures[slot]`` has ``power``, ``keywords``
        (sorted names) and ``exhausted``; ``limbo`` is the card being played; ``waiting`` counts
        waiting triggers.
        """
        state = self._states[0]
        powers, masks = np.zeros(64, np.int64), np.zeros(len(Keyword), np.uint64)
        _current(self._table.rows, self._states.copy(), powers, masks)  # looking changes nothing
        in_play = _slots(int(state["play_area"][0] | state["play_area"][1]))
        return {
            "turn": int(state["turn"]),
            "active": int(state["active"]),
            "players": [
                {
                    "hand": _slots(int(state["hand"][player])),
                    "draw": _slots(int(state["draw_pile"][player])),
                    "discard": _slots(int(state["discard_pile"][player])),
                    "play": _slots(int(state["play_area"][player])),
                    "life": int(state["life"][player]),
                    "mindbugs": int(state["mindbugs"][player]),
                }
                for player in range(2)
            ],
            "creatures": {
                slot: {
                    "power": int(powers[slot]),
                    "keywords": sorted(k.name for k in Keyword if int(masks[k]) >> slot & 1),
                    "exhausted": bool(int(state["exhausted"]) >> slot & 1),
                }
                for slot in in_play
            },
            "limbo": _slots(int(state["limbo"])),
            "waiting": int(state["waiting"]),
        }

    @property
    def phase(self) -> Phase:
        """The phase the machine stands in, for narrators."""
        return Phase(int(self._states[0]["phase"]))

    @property
    def fight(self) -> tuple[int, int]:
        """Slots of attacker and blocker, -1 where there is none (any more); for narrators."""
        return int(self._states[0]["attacker"]), int(self._states[0]["blocker"])

    @property
    def waiting(self) -> list[tuple[int, Trigger, int]]:
        """Source slot, trigger and "you" of each waiting trigger, the next first; for narrators."""
        places = range(int(self._states[0]["waiting"]))
        entries = [_waiting(self._states, place) for place in places]
        return [(slot, Trigger(kind), player) for slot, kind, player in entries]

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
        _finish_record(self._states, records)
        return records[0]
