"""The public door of the Mindbug engine: many games at once, or one game step by step."""

import operator
from collections.abc import Mapping, Sequence
from typing import Any

import numpy as np
import numpy.typing as npt
from attrs import frozen

from card_data.schema import Card
from card_data.vocabulary import Effect, Keyword, Trigger
from simcore.kernel_cache import (
    apart_kernel,
    cached_kernel,
    inline_kernel,
    kernel,
    plain_kernel,
)
from simcore.mindbug.card_table import CARD_TABLE, CardTable
from simcore.mindbug.constant_abilities import _in_play, _known, _refresh, _refresh_powers
from simcore.mindbug.deal import _new_game, _place_cards
from simcore.mindbug.dice import FACES
from simcore.mindbug.evolution import _show
from simcore.mindbug.frames import BOUGHT
from simcore.mindbug.hands import _refill
from simcore.mindbug.life import MAX_LIFE
from simcore.mindbug.long_choices import _pair
from simcore.mindbug.masks import NONE, ONE, _copy_words, _lowest
from simcore.mindbug.play_out import _play_out
from simcore.mindbug.players import parse_player, seat
from simcore.mindbug.policies import POLICIES, _choose, _choose_carelessly, _errs
from simcore.mindbug.power_cards import _show_cards
from simcore.mindbug.records import DEAL_RECORD, DEALT, GAME_RECORD, Ending
from simcore.mindbug.restrictions import _leave_out
from simcore.mindbug.search import N_STATES, SEARCH, _search
from simcore.mindbug.state import (
    DEALING,
    GAME_STATE,
    MAX_SLOTS,
    MUST_BE_HUNTED,
    Decision,
    Named,
    Phase,
)
from simcore.mindbug.triggers import (
    _entry,
    _entry_granter,
    _entry_kind,
    _entry_player,
    _entry_source,
)
from simcore.mindbug.turn import _perform, _take

MAX_MINDBUGS = 99

_DEALT_CARDS = np.uint64((1 << DEALT) - 1)
_NO_GAMES = np.zeros(0, np.int64)
_START_TURN, _OVER, _PAUSE = int(Phase.START_TURN), int(Phase.OVER), int(Phase.PAUSE)


@apart_kernel
def _write_record(record, state, table):
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
        record.energy[player] = state.energy_gained[player]
        record.power_bought[player] = state.power_bought[player]
    record.attacks = state.attacks
    record.second_attacks = state.second_attacks
    record.hunts = state.hunts
    record.blocks = state.blocks
    record.defeats = state.defeats
    record.tough_saves = state.tough_saves
    record.drawn = state.drawn
    record.defeated = state.defeated
    record.actions = state.actions
    record.boosted = state.boosted
    record.open_points = state.open_points
    for face in range(len(record.dice)):
        record.dice[face] = state.rolled[face]
    for slot in range(DEALT):
        record.cards[slot] = state.card[slot]
    left = state.evolved & _DEALT_CARDS
    while left != NONE:
        slot = _lowest(left)
        left &= left - ONE
        record.cards[slot] = table.cards[state.card[slot]].first_face
    _copy_words(record.best_stage, state.best_stage)
    _copy_words(record.turn_played, state.turn_played)
    _copy_words(record.offers, state.offers)
    _copy_words(record.thefts, state.thefts)


@inline_kernel
def _play_each(tables, seed, games, states, dealings, records):
    """Play the games with these numbers into ``records`` (modified in place), one after another."""
    state, table = states[0], tables[0]
    for i in range(len(records)):
        _new_game(state, table, seed, games[i], dealings[0])
        _play_out(state, table, _START_TURN)
        _write_record(records[i], state, table)


@cached_kernel
def _play_games(tables, seed, games, states, dealings, records):
    """Play games of any pool.  Modifies states[0], dealings[0] and records."""
    _play_each(tables, seed, games, states, dealings, records)


@plain_kernel
def _play_plain_games(tables, seed, games, states, dealings, records):
    """Play games of a pool that has nothing of the later systems.  Modifies the same."""
    _play_each(tables, seed, games, states, dealings, records)


@cached_kernel
def _play_considered_games(tables, seed, games, states, dealings, works, limits, records):
    """`_play_games` with a player who searches or is restricted.

    For ``states`` and ``tables`` see search.py; ``limits`` are those of `play_games`.  Modifies all
    but tables and games.
    """
    state, table = states[0], tables[0]
    for i in range(len(records)):
        _new_game(state, table, seed, games[i], dealings[0])
        phase = _START_TURN
        while phase != _OVER:
            phase = _perform(state, table, phase)
            if phase == _PAUSE:
                option = 0
                if state.n_options > 1:
                    state.decisions += 1
                    limits[i, state.decider, _leave_out(state, table)] += 1
                    option = _consider(states, tables, works[0])
                phase = _take(state, table, option)
        _write_record(records[i], state, table)


@kernel
def _consider(states, tables, work):
    """Option that the decider, who may be one who searches, chooses of those left to him.

    Modifies states and work.
    """
    state, table = states[0], tables[0]
    if state.n_options == 1:
        return 0
    if table.simulations[state.decider] == 0:
        return _choose(state, table)
    if _errs(state, table):
        return _choose_carelessly(state)
    return _search(states, tables, work)


@cached_kernel
def _deal_game(tables, seed, game, states, dealings):
    """Deal one game; it stands before its first turn.  Modifies states[0] and dealings[0]."""
    _new_game(states[0], tables[0], seed, game, dealings[0])
    states[0].phase = _START_TURN


@cached_kernel
def _deal_games(tables, seed, games, states, dealings, records):
    """Deal the games with these numbers.  Modifies states[0], dealings[0] and records."""
    for i in range(len(records)):
        _new_game(states[0], tables[0], seed, games[i], dealings[0])
        records[i].first_player = states[0].first_player
        for slot in range(DEALT):
            records[i].cards[slot] = states[0].card[slot]


@cached_kernel
def _refill_hands(tables, states):
    """Refill both hands, as R27 is a state check.  Modifies states[0]."""
    _refill(states[0], tables[0], 0)
    _refill(states[0], tables[0], 1)


@cached_kernel
def _show_power_cards(states):
    """Show the first power cards of the deck (R10).  Modifies states[0]."""
    _show_cards(states[0])


@cached_kernel
def _turn_card(tables, states, slot, face):
    """Show another face of the card in a slot.  Modifies states[0]."""
    _show(states[0], tables[0], slot, face)


@cached_kernel
def _step(tables, states, option):
    """Carry out an option of the present decision or, for -1, the next phase.

    Modifies states[0].
    """
    state, table = states[0], tables[0]
    phase = _PAUSE
    if option >= 0:
        state.decisions += 1
    else:
        phase = _perform(state, table, state.phase)
        if phase == _PAUSE and state.n_options == 1:
            option = 0
    if option >= 0:
        phase = _take(state, table, option)
    if phase != _PAUSE:
        state.phase = phase


@cached_kernel
def _ask_player(tables, states):
    """Option that the decider, who is seated and does not search, chooses at the present decision.

    Modifies states[0], also what it offers where he is restricted: the number is that of an option
    that was left.
    """
    state, table = states[0], tables[0]
    _leave_out(state, table)
    return _choose(state, table) if state.n_options > 1 else 0


@cached_kernel
def _ask_searcher(tables, states, works):
    """`_ask_player` for one who searches.  Modifies states and works."""
    _leave_out(states[0], tables[0])
    return _consider(states, tables, works[0])


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
    """Source slot, trigger, player and granting slot of the waiting trigger at a place."""
    entry = _entry(states[0], place)
    return _entry_source(entry), _entry_kind(entry), _entry_player(entry), _entry_granter(entry)


@cached_kernel
def _offered_pair(states, number):
    """Mask of the two creatures that an option names (C31)."""
    return _pair(states[0], states[0].fitting, number)


@cached_kernel
def _finish_record(tables, states, records):
    """Fill records[0] from a finished game.  Modifies records."""
    _write_record(records[0], states[0], tables[0])


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
    limits: npt.NDArray[np.int32] | None = None,
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
    limits
        Array (n_games, 2, 3) to which is added how many decisions of each player his restrictions
        left as they were (FREE), narrowed (BARRED) or did not apply to (WAIVED).

    Returns
    -------
    Array (n_games,) of GAME_RECORD.

    Raises
    ------
    ValueError
        For a negative number, a seed outside 0 … 2**63 - 1, an unknown policy, or an ``out`` or
        ``limits`` of another shape.
    """
    if n_games < 0 or first_game < 0:
        raise ValueError(f"n_games is {n_games}, first_game {first_game}; neither may be negative")
    _check_seed(seed)
    if out is None:
        out = np.zeros(n_games, GAME_RECORD)
    if out.shape != (n_games,) or out.dtype != GAME_RECORD:
        raise ValueError(f"out must be {n_games} rows of GAME_RECORD, not {out.shape} {out.dtype}")
    if limits is not None and (limits.shape != (n_games, 2, 3) or limits.dtype != np.int32):
        raise ValueError(f"limits must be int32 {(n_games, 2, 3)}, not {limits.shape}")
    numbers = np.arange(first_game, first_game + n_games)
    return play_rows(seat(table, policies), seed=seed, games=numbers, out=out, limits=limits)


def play_rows(
    rows: npt.NDArray[np.void],
    *,
    seed: int,
    games: npt.NDArray[np.int64],
    out: npt.NDArray[np.void] | None = None,
    limits: npt.NDArray[np.int32] | None = None,
) -> npt.NDArray[np.void]:
    """`play_games` for rows that `players.seat` has made and any games, without its checks.

    ``games`` are the numbers of the games, shape (n,).  Returns an array (n,) of GAME_RECORD.
    """
    if out is None:
        out = np.zeros(len(games), GAME_RECORD)
    states, dealings = np.zeros(1, GAME_STATE), np.zeros(1, DEALING)
    considered = rows[0]["simulations"].any() or rows[0]["forbidden"].any()
    if considered or limits is not None:
        states, works = np.zeros(N_STATES, GAME_STATE), np.zeros(1, SEARCH)
        if limits is None:
            limits = np.zeros((len(games), 2, 3), np.int32)
        _play_considered_games(rows, np.int64(seed), games, states, dealings, works, limits, out)
    else:
        play = _play_plain_games if rows[0]["plain"] else _play_games
        play(rows, np.int64(seed), games, states, dealings, out)
    return out


def deal_games(
    table: CardTable, *, seed: int, games: npt.NDArray[np.int64]
) -> npt.NDArray[np.void]:
    """Deal the games with these numbers, without playing them: an array (n,) of DEAL_RECORD."""
    deals = np.zeros(len(games), DEAL_RECORD)
    states, dealings = np.zeros(1, GAME_STATE), np.zeros(1, DEALING)
    _deal_games(table.rows, np.int64(seed), games, states, dealings, deals)
    return deals


def compile_engine() -> None:
    """Compile what `play_games` calls for any pool, where that has not been done.

    Both engines consist of the same inner kernels: the second takes a tenth of the time of the
    first, but only in one go.
    """
    for play in (_play_games, _play_plain_games):
        states, dealings = np.zeros(1, GAME_STATE), np.zeros(1, DEALING)
        play(np.zeros(1, CARD_TABLE), 0, _NO_GAMES, states, dealings, np.zeros(0, GAME_RECORD))


def compile_considered() -> None:
    """Compile what `play_games` calls for players who search or are restricted."""
    states, dealings = np.zeros(N_STATES, GAME_STATE), np.zeros(1, DEALING)
    tables, works = np.zeros(3, CARD_TABLE), np.zeros(1, SEARCH)
    limits, records = np.zeros((0, 2, 3), np.int32), np.zeros(0, GAME_RECORD)
    _play_considered_games(tables, 0, _NO_GAMES, states, dealings, works, limits, records)


_ZONES = {"play": "play_area", "hand": "hand", "draw": "draw_pile", "discard": "discard_pile"}


@frozen
class Creature:
    """A creature in play in a position that is set up by hand.

    ``card_id`` may be that of a later stage (R101); ``boosts`` are the cards under it (R103);
    ``profile`` is the number of the profile chosen when it was exhausted (C45).
    """

    card_id: str
    exhausted: bool = False
    boosts: tuple[str, ...] = ()
    profile: int | None = None


@frozen
class Side:
    """What one player has in a position that is set up by hand; cards are card ids."""

    play: Sequence[Creature] = ()
    hand: Sequence[str] = ()
    draw: Sequence[str] = ()
    discard: Sequence[str] = ()
    life: int = 3
    mindbugs: int = 0
    energy: int = 0


@frozen
class Thoughts:
    """What a player thought of the options of a decision, in their order.

    Points of his weights, or if he ``searched`` the share of simulations that he won; nan for what
    his restrictions forbid.
    """

    values: tuple[float, ...]
    searched: bool


@frozen
class Placed:
    """One card of a position: its row in the card table and where it lies.

    ``host`` is the slot of the creature over a boost card, -1 for every other card.
    """

    row: int
    player: int
    zone: str
    host: int = -1


def _place(table: CardTable, sides: Sequence[Side], unused: Sequence[str]) -> list[Placed]:
    """The cards of a position in the order of their slots."""
    if len(sides) != 2:
        raise ValueError(f"a position has {len(sides)} sides; there are two players")
    rows = {card.card_id: i for i, card in enumerate(table.cards)}

    def row(card_id: str) -> int:
        if card_id not in rows:
            raise ValueError(f"{card_id!r} is not a card of this table")
        return rows[card_id]

    placed: list[Placed] = []
    boosts: list[Placed] = []
    for player, side in enumerate(sides):
        for creature in side.play:
            boosts += [Placed(row(card), player, "boost", len(placed)) for card in creature.boosts]
            placed.append(Placed(row(creature.card_id), player, "play"))
        for zone in ("hand", "draw", "discard"):
            placed += [Placed(row(card), player, zone) for card in getattr(side, zone)]
    placed += boosts
    placed += [Placed(row(card), -1, "unused") for card in unused]
    if len(placed) > MAX_SLOTS:
        raise ValueError(f"a position holds at most {MAX_SLOTS} cards, not {len(placed)}")
    return placed


def _check_position(sides: Sequence[Side], active: int, n_shown: int, n_power_cards: int) -> None:
    """Refuse what cannot be on a table."""
    if active not in (0, 1):
        raise ValueError(f"active is {active}; it must be 0 or 1")
    for side in sides:
        if not 1 <= side.life <= MAX_LIFE:
            raise ValueError(f"life is {side.life}; it must be 1 or more")
        if not 0 <= side.mindbugs <= MAX_MINDBUGS:
            raise ValueError(f"mindbugs is {side.mindbugs}; it must be 0 to {MAX_MINDBUGS}")
        if side.energy < 0:
            raise ValueError(f"energy is {side.energy}; it must be 0 or more")
    if n_shown > n_power_cards:
        raise ValueError(f"there are {n_shown} power cards in the deck; the table has none such")


@frozen
class Option:
    """One option of a decision.

    ``word`` says what is done: play, attack, activate, use, refuse, hunt, no_hunt, block, no_block,
    attack_again, stop, target, pair, pile, discard, resolve, yes, no, mode, keyword, keep, buy,
    reroll, reroll_both or first.  ``slot`` is the card it names, -1 for none; ``other`` is the
    second creature of a pair, or the card that grants the ability to be resolved (C60), else -1.
    ``number`` is a mode (D12), power card, player (pile) or die, else -1.  ``trigger`` is the
    trigger that ``resolve`` names, ``keyword`` the keyword that is named (D13).
    """

    word: str
    slot: int = -1
    other: int = -1
    number: int = -1
    trigger: Trigger | None = None
    keyword: Keyword | None = None


#: Options that come first and name no card.
_FIXED_OPTIONS: Mapping[Decision, tuple[Option, ...]] = {
    Decision.MINDBUG: (Option("refuse"), Option("use")),
    Decision.HUNT: (Option("no_hunt"),),
    Decision.BLOCK: (Option("no_block"),),
    Decision.SECOND_ATTACK: (Option("stop"), Option("attack_again")),
    Decision.UP_TO: (Option("stop"),),
    Decision.MAY: (Option("no"), Option("yes")),
    Decision.BOOST: (Option("stop"),),
    Decision.BUY: (Option("stop"),),
    Decision.REROLL: (
        Option("keep"),
        Option("reroll", number=0),
        Option("reroll", number=1),
        Option("reroll_both"),
    ),
    Decision.DICE_ORDER: (Option("first", number=0), Option("first", number=1)),
}
_SLOT_WORD: Mapping[Decision, str] = {
    Decision.ACTION: "play",
    Decision.HUNT: "hunt",
    Decision.BLOCK: "block",
    Decision.DISCARD: "discard",
}


#: What a number means, where options are numbers of something.
_NUMBER_WORD: Mapping[Named, str] = {
    Named.POWER_CARD: "buy",
    Named.PLAYER: "pile",
    Named.MODE: "mode",
}


def _slots(mask: int) -> list[int]:
    """Slots of a mask, ascending."""
    slots = []
    while mask:
        slots.append((mask & -mask).bit_length() - 1)
        mask &= mask - 1
    return slots


def _offers(state: np.void) -> list[tuple[str, int]]:
    """What the options of a decision stand for, in the order of their numbers."""
    places = [("fixed", n) for n in range(int(state["fixed_options"]))]
    masks = ["options"]
    if int(state["decision"]) == Decision.ACTION:
        masks += ["attack_options", "action_options"]
    return places + [(mask, slot) for mask in masks for slot in _slots(int(state[mask]))]


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
        self._sit_down(table)
        _deal_game(table.rows, np.int64(seed), np.int64(game), self._states, np.zeros(1, DEALING))
        if to_decision:
            self._run()

    def _sit_down(self, table: CardTable) -> None:
        """Make room for a game with the cards of a table."""
        self._table = table
        self._states = np.zeros(1, GAME_STATE)
        self._seated: dict[str, npt.NDArray[np.void]] = {}
        self.thoughts: Thoughts | None = None
        self.barred: tuple[int, ...] = ()

    def __repr__(self) -> str:
        """Where the game stands, in a few lines; the options of the decision with their numbers."""
        from simcore.mindbug.position import game_text

        return game_text(self)

    def _repr_html_(self) -> str:
        """Where the game stands, as a notebook shows it."""
        from simcore.mindbug.position import game_html

        return game_html(self)

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
        _check_seed(seed)
        placed = _place(table, sides, unused)
        _check_position(sides, active, len(power_deck), len(table.power_cards))
        self = cls.__new__(cls)
        self._sit_down(table)
        rows = table.rows[0]["cards"]["first_face"][[card.row for card in placed]]
        _place_cards(
            table.rows, np.int64(seed), self._states, np.zeros(1, DEALING), rows.astype(np.uint16)
        )
        self._lay_out(placed, sides)
        state = self._states[0]
        state["power_deck_size"] = len(power_deck)
        state["power_deck"][: len(power_deck)] = power_deck
        state["active"] = state["first_player"] = active
        state["phase"] = _START_TURN
        _show_power_cards(self._states)
        _refill_hands(table.rows, self._states)
        if to_decision:
            self._run()
        return self

    def _lay_out(self, placed: Sequence[Placed], sides: Sequence[Side]) -> None:
        """Put the cards of a position where they lie, in the state they are in."""
        state = self._states[0]
        for slot, card in enumerate(placed):
            if card.zone == "boost":
                state["boosts"] |= np.uint64(1 << slot)
                state["host"][slot] = card.host
                state["modified"] = 1
            elif card.zone == "unused":
                state["unused"] |= np.uint64(1 << slot)
            else:
                state[_ZONES[card.zone]][card.player] |= np.uint64(1 << slot)
        for player, side in enumerate(sides):
            in_play = [
                s for s, card in enumerate(placed) if (card.player, card.zone) == (player, "play")
            ]
            for slot, creature in zip(in_play, side.play, strict=True):
                face = self._face(placed[slot].row, creature)
                if face != int(state["card"][slot]):
                    _turn_card(self._table.rows, self._states, np.int64(slot), np.int64(face))
                if creature.exhausted:
                    state["exhausted"] |= np.uint64(1 << slot)
            state["life"][player] = side.life
            state["mindbugs"][player] = side.mindbugs
            state["energy"][player] = side.energy

    def _face(self, row: int, creature: Creature) -> int:
        """Row of the face that a creature of a position shows."""
        if creature.profile is None:
            return row
        profiles = self._table.profiles(row)
        if not 0 <= creature.profile < len(profiles):
            raise ValueError(f"{creature.card_id!r} has no profile {creature.profile}")
        return profiles[creature.profile]

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
        """The card in a slot, as the face that is up."""
        return self._table.faces[int(self._states[0]["card"][slot])]

    @property
    def options(self) -> list[Option]:
        """The options of the present decision, in the order of their numbers; [] when over."""
        state = self._states[0]
        decision, n_fixed = self.decision, int(state["fixed_options"])
        if decision == Decision.NONE:
            return []
        if int(state["named"]) == Named.PAIR:
            pairs = [_slots(int(_offered_pair(self._states, np.int64(n)))) for n in range(n_fixed)]
            return [Option("pair", first, other=second) for first, second in pairs]
        options = list(_FIXED_OPTIONS.get(decision, ())[:n_fixed])
        options += [self._named(decision, bit) for bit in _slots(int(state["options"]))]
        if decision == Decision.ACTION:
            options += [Option("attack", slot) for slot in _slots(int(state["attack_options"]))]
            options += [Option("activate", slot) for slot in _slots(int(state["action_options"]))]
        return options

    def _named(self, decision: Decision, bit: int) -> Option:
        """The option that a bit of ``options`` stands for."""
        named = Named(int(self._states[0]["named"]))
        if named == Named.PLACE:
            slot, kind, _, granter = _waiting(self._states, bit)
            return Option("resolve", slot, other=granter, trigger=Trigger(kind))
        if named == Named.KEYWORD:
            return Option("keyword", keyword=Keyword(bit))
        if named == Named.PLAY_OR_KEEP:
            return Option(("play", "keep")[bit])
        if named in _NUMBER_WORD:
            return Option(_NUMBER_WORD[named], number=bit)
        return Option(_SLOT_WORD.get(decision, "target"), bit)

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
        self.thoughts, self.barred = None, ()
        _step(self._table.rows, self._states, np.int64(option))

    def step_phase(self) -> None:
        """Perform one phase of a game that neither waits nor is over; harmless otherwise."""
        if not self.over and not self.waits:
            _step(self._table.rows, self._states, np.int64(-1))

    def choose(self, player: str) -> int:
        """Option number that a player chooses here; draws that player's random numbers.

        ``player`` is spelled as `players.parse_player` reads it, which raises ValueError.  What he
        thought of the options is then in ``thoughts``, and in ``barred`` the numbers of those that
        his restrictions took away.
        """
        if player not in self._seated:
            self._seated[player] = seat(self._table, (player, player))
        policy = POLICIES[parse_player(player).policy]
        rows, states = self._seated[player], np.zeros(N_STATES, GAME_STATE)
        states[0] = self._states[0]
        if policy.searches:
            option = int(_ask_searcher(rows, states, np.zeros(1, SEARCH)))
        else:
            option = int(_ask_player(rows, states))
        self._states[0]["streams"] = states[0]["streams"]
        offered, left = _offers(self._states[0]), _offers(states[0])
        self.barred = tuple(n for n, offer in enumerate(offered) if offer not in left)
        points = dict(zip(left, map(float, states[0]["points"]), strict=False))
        self.thoughts = None
        if policy.weights is not None and len(left) > 1 and not np.isnan(points[left[0]]):
            values = tuple(points.get(offer, np.nan) for offer in offered)
            self.thoughts = Thoughts(values, policy.searches)
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
        _current(self._table.rows, self._states.copy(), powers, masks)  # looking changes nothing
        in_play = _slots(int(state["play_area"][0] | state["play_area"][1]))
        boosts = _slots(int(state["boosts"]))
        deck = state["power_deck"][int(state["power_deck_next"]) : int(state["power_deck_size"])]
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
                    "energy": int(state["energy"][player]),
                }
                for player in range(2)
            ],
            "creatures": {
                slot: {
                    "power": int(powers[slot]),
                    "keywords": sorted(k.name for k in Keyword if int(masks[k]) >> slot & 1),
                    "exhausted": bool(int(state["exhausted"]) >> slot & 1),
                    "face": self.card(slot).card_id,
                    "boosts": [boost for boost in boosts if int(state["host"][boost]) == slot],
                }
                for slot in in_play
            },
            "limbo": _slots(int(state["limbo"])),
            "set_aside": _slots(int(state["set_aside"])),
            "display": _slots(int(state["display"])),
            "power_deck": [int(number) for number in deck],
            "power_discard": _slots(int(state["power_discard"])),
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
    def waiting(self) -> list[tuple[int, Trigger, int, int]]:
        """Source slot, trigger, "you" and granting slot (C60; -1 = none) of each waiting trigger.

        The next one comes first; for narrators.
        """
        places = range(int(self._states[0]["waiting"]))
        entries = [_waiting(self._states, place) for place in places]
        return [(slot, Trigger(kind), player, granter) for slot, kind, player, granter in entries]

    @property
    def obliged(self) -> bool:
        """Whether a card leaves only certain attacks as turn actions (R24); for narrators."""
        state = self._states[0]
        if self.decision != Decision.ACTION or state["options"] or state["action_options"]:
            return False
        if not state["trait"][MUST_BE_HUNTED] & state["play_area"][1 - int(state["active"])]:
            return False
        creatures = self.snapshot()["creatures"]
        attackers = _slots(int(state["attack_options"]))
        return all(Keyword.HUNTER.name in creatures[slot]["keywords"] for slot in attackers)

    def details(self) -> dict[str, Any]:
        """What else a narrator wants to know, as plain Python; ``snapshot`` tells who lies where.

        ``program`` is the row of the running instruction, ``effect`` what it does (None = nothing
        runs), ``source`` its card (-1 = a power card) and ``you`` its player; ``effects`` counts
        those of this turn and ``depth`` those that wait for the running one.  ``gathered`` and
        ``chosen`` are slots it has picked up, ``bought`` numbers of power cards being resolved.
        ``attacking`` is the player who declared the attack, ``dice`` the faces shown, ``applied``
        how many of them have been.  ``forced`` are the creatures that have to attack (R76),
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
            "bought": _slots(int(state["bought"])) + [card for card in free if card >= 0],
            "forced": [int(slot) for slot in state["forced"][: int(state["n_forced"])]],
            **{name: _slots(int(state[field])) for name, field in slots.items()},
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
        _finish_record(self._table.rows, self._states, records)
        return records[0]
