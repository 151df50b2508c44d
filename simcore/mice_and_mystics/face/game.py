"""The public door of the engine: one game, decision by decision."""

from collections.abc import Iterator, Sequence
from contextlib import contextmanager

import numpy as np
import numpy.typing as npt
from attrs import frozen

from simcore.checks import check_game, checked_option
from simcore.jit import cached_kernel
from simcore.mice_and_mystics.face.labels import labels
from simcore.mice_and_mystics.play.engine import BEGIN, CHOOSE, GO_ON, JUDGE, STEP, _run
from simcore.mice_and_mystics.players.position_points import _judge_position
from simcore.mice_and_mystics.players.search import N_STATES, SEARCH
from simcore.mice_and_mystics.players.seats import seat
from simcore.mice_and_mystics.table.records import GAME_RECORD, Outcome
from simcore.mice_and_mystics.table.state import CHOICES, GAME_STATE
from simcore.mice_and_mystics.table.table import Table
from simcore.mice_and_mystics.table.unknown_words import check_words
from simcore.own_seats import OwnRows

#: Deals that are looked at; the search deck has some 70 cards.
_MOST = 20_000
# Whose weights judge a position.
_JUDGE = "learned"


@cached_kernel
def _chance(states, tables, works):
    """The chance that the party wins, by what the first player's weights make of the position."""
    table = tables[0]
    return _judge_position(states[0], table, table.players[0].weights, works[0].features)


@frozen
class Thoughts:
    """What a player thought of the entries of a decision, in their order.

    Points; if they ``searched`` by how much an entry made a victory likelier than the one that they
    thought of first, nan for those that they did not try.
    """

    values: tuple[float, ...]
    searched: bool


class Game:
    """One game, decision by decision.

    A new game stands at its first decision.  ``labels`` lists what may be chosen; ``step`` takes
    the number of one of them and goes on to the next decision.  Decisions with a single entry are
    taken silently.

    ``states`` and ``records`` are what the engine works on, the first row of each: a position that
    is set up by hand is written there, and then `go_on` leads to its first decision.

    Parameters
    ----------
    table
        The compiled facts.
    seed, game
        Which game: the same that ``play_games`` plays.
    players
        Who decides where `choose` is asked.
    to_decision
        False for a game that stops after every step of the machine, so that one can see what each
        has changed: `step` and `go_on` then perform one step only, and `waits` says whether the
        game stands at a decision.
    """

    def __init__(
        self,
        table: Table,
        *,
        seed: int = 0,
        game: int = 0,
        players: tuple[str, ...] = ("uniform",),
        to_decision: bool = True,
    ) -> None:
        check_game(seed, game)
        self._sit_down(table, players)
        self.states["pauses"][0] = not to_decision  # never in the continuations of a search
        self._do(BEGIN, game, seed)

    def _sit_down(self, table: Table, players: tuple[str, ...]) -> None:
        """Make room for a game."""
        self.table = table
        self._labels: list[str] | None = None
        self.rows = seat(table, players)
        self.states = np.zeros(N_STATES, GAME_STATE)
        self.records = np.zeros(1, GAME_RECORD)
        self.works = np.zeros(1, SEARCH)
        self._advisers: dict[str, npt.NDArray[np.void]] = {}
        self.thoughts: Thoughts | None = None

    def _do(
        self,
        task: np.int64,
        number: int,
        seed: int = 0,
        tables: npt.NDArray[np.void] | None = None,
    ) -> int:
        """Let the engine do a task."""
        self._labels = None
        tables = (self.rows if tables is None else tables).view(np.ndarray)
        rows = self.states, tables, self.records, self.works
        answer = _run(task, *rows, np.int64(seed), np.int64(number))
        check_words(self.states)
        return int(answer)

    @property
    def state(self) -> np.void:
        """The record of the state (`GAME_STATE`), to be looked at."""
        state: np.void = self.states[0]
        return state

    @property
    def record(self) -> np.void:
        """The counters so far; complete when the game is over."""
        record: np.void = self.records[0]
        return record

    @property
    def outcome(self) -> Outcome | None:
        """How the game ended; None while it goes on."""
        outcome = int(self.state["outcome"])
        return Outcome(outcome) if outcome else None

    @property
    def over(self) -> bool:
        """Whether the game has ended."""
        return self.outcome is not None

    @property
    def waits(self) -> bool:
        """Whether the game stands at a decision."""
        return not self.over and int(self.state["n_options"]) > 0

    @property
    def decider(self) -> str | None:
        """The hero who decides; None when the game is over."""
        if self.over:
            return None
        return self.table.ids["heroes"][int(self.state["hero"][self.state["decider"]])]

    @property
    def point(self) -> int:
        """The decision point at which the game stands, 1 … 11 for D1 … D11; 0 when it is over."""
        return 0 if self.over else int(self.state["point"])

    @property
    def options(self) -> npt.NDArray[np.int64]:
        """The entries of the present decision as numbers, in order."""
        options: npt.NDArray[np.int64] = self.state["options"][: int(self.state["n_options"])]
        return options.copy()

    @property
    def labels(self) -> list[str]:
        """The labels of the entries of the present decision, in order; [] when over."""
        if self._labels is None:
            self._labels = labels(self.table, self.state)
        return list(self._labels)

    def step(self, option: int) -> None:
        """Take an entry by number and go on to the next decision or the end.

        Raises
        ------
        ValueError
            If the game is over or the number is not that of an entry.
        TypeError
            If it is not a whole number.
        """
        self._do(STEP, checked_option(option, int(self.state["n_options"]), over=self.over))

    def go_on(self) -> None:
        """Go on to a decision, from a position that was set up by hand or after a step."""
        self._do(GO_ON, 0)

    def choose(self, player: str | None = None, luck: Sequence[int] | None = None) -> int:
        """The entry that the player of this game chooses here; draws their random numbers.

        Another ``player`` can be asked, spelled as for a run; a wrong spelling is a ValueError.
        What they thought of the entries is then in ``thoughts``.  With ``luck``, numbers from 0 to
        2**63 - 1, their random numbers follow from these alone and the game's own stay as they are:
        whoever is asked again answers the same.
        """
        state = self.states[0]
        rows = self.rows if player is None else self._adviser(player)
        state["points"] = np.nan
        self.works["deals"] = 0
        mouse = int(state["decider"])
        with self._with_luck(luck):
            if isinstance(rows, OwnRows) and rows.asks(mouse):
                option = rows.ask(mouse, self.states)
            else:
                option = self._do(CHOOSE, 0, tables=rows)
        self.thoughts = self._thoughts()
        return option

    def chances(self, continuations: int, luck: Sequence[int]) -> npt.NDArray[np.float64]:
        """The chance that the party wins after each entry, as players who search try it.

        All entries share their deals and dice, which follow from the numbers ``luck`` alone.
        """
        with self._with_luck(luck):
            self._do(JUDGE, continuations, tables=self._adviser(_JUDGE))
        found: npt.NDArray[np.float64] = self.state["points"][: int(self.state["n_options"])]
        return found.copy()

    def _adviser(self, player: str) -> npt.NDArray[np.void]:
        """The table with a player at every seat."""
        if player not in self._advisers:
            self._advisers[player] = seat(self.table, (player,))
        return self._advisers[player]

    @contextmanager
    def _with_luck(self, luck: Sequence[int] | None) -> Iterator[None]:
        """Let random numbers of choices follow from some, unless they are those of the game."""
        streams = self.states[0]["streams"]
        own = streams[CHOICES].copy()
        if luck is not None:
            streams[CHOICES] = np.random.SeedSequence(luck).generate_state(len(own), np.uint64)
        yield
        if luck is not None:
            streams[CHOICES] = own

    def chance(self) -> float:
        """The chance that the party wins from here, as players who search judge a position."""
        rows = self._adviser(_JUDGE).view(np.ndarray)
        return float(_chance(self.states, rows, self.works))

    def _thoughts(self) -> Thoughts | None:
        """What whoever has just chosen thought of the entries; None if nothing set them apart."""
        work, n_options = self.works[0], int(self.state["n_options"])
        tried = [place for place, deals in enumerate(work["deals"]) if deals]
        if tried:
            values = np.full(n_options, np.nan)
            values[work["entry"][0]] = 0.0
            for place in tried:
                values[work["entry"][place]] = work["gain"][place] / work["deals"][place]
            return Thoughts(tuple(map(float, values)), searched=True)
        values = self.state["points"][:n_options]
        if np.isnan(values).any() or np.ptp(values) == 0.0:
            return None
        return Thoughts(tuple(map(float, values)), searched=False)


def first_game_with(table: Table, entry_id: str, *, seed: int) -> int:
    """The number of the first game of a seed in which a card lies on top of its deck.

    Parameters
    ----------
    table
        The compiled facts.
    entry_id
        A search card; an encounter card; or a minion, for an encounter that brings it at once.
    seed
        The seed.

    Raises
    ------
    ValueError
        If no copy of it is in a deck, or it comes first in none of 20,000 games.
    """
    cards = {number for number, card in enumerate(table.ids["cards"]) if card == entry_id}
    encounters = {
        number
        for number, card in enumerate(table.facts.encounters)
        if entry_id == card.id
        or any(group.type == entry_id for group in card.bands[0].minions if card.bands)
    }
    for number in range(_MOST):
        state = Game(table, seed=seed, game=number).state
        deck = state["deck"][int(state["deck_first"]) : int(state["deck_end"])]
        events = state["events"][int(state["events_first"]) : int(state["events_end"])]
        if {*map(int, deck[:1])} & cards or {*map(int, events[:1])} & encounters:
            return number
        if not {*map(int, deck)} & cards and not {*map(int, events)} & encounters:
            break  # the same cards are shuffled in every game
    raise ValueError(f"{entry_id!r} is on top of no deck; it has no copy there with this party")
