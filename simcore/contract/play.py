"""One game of a declared game, from the deal to its outcomes, decision by decision."""

import copy
from collections.abc import Callable, Iterator, Mapping, Sequence
from contextlib import contextmanager
from functools import partial
from math import isfinite
from typing import Any, NamedTuple

import numpy as np
from attrs import evolve, field, frozen

from card_data.schema import Entry, EntryTable, changes
from card_data.schema.changes import Change, Variable
from card_data.schema.loader import linked
from simcore.contract.faults import GameError, RuleError, line_of_answer, place_of, problem_of
from simcore.contract.features import rows_of, seen_by
from simcore.contract.game import GREEDY, LEARNED, RANDOM, Game, simulations_of
from simcore.contract.luck import Luck, address_of, mixed, number_of
from simcore.contract.network import IMAGINED, Network, is_learned, network_of
from simcore.contract.rules import (
    CHOSEN,
    DEALT,
    INCLUDED,
    MOST_DECISIONS,
    MOST_OBSERVED,
    Option,
    Rules,
    Setup,
    carry_out,
    endless,
    options_of,
    shown,
)
from simcore.contract.search import Search

#: The word for the settings of a game, beside the kinds of its entries.
SETTINGS = "settings"
_MOST_NUMBER, _MOST_THINGS = 4_095, 4
#: Of so many decisions of a replay players who think take one at random.
SLIPS = 50


class Replay(NamedTuple):
    """A game once more: with other ``choices``, and perhaps with other ``chance`` after the deal.

    Both are numbers that name a stream; chance 0 is the luck of the game itself.  Players who think
    take one option in `SLIPS` at random, since they would only repeat themselves.
    """

    choices: int
    chance: int = 0


@frozen(eq=False)
class Table:
    """What is played, game after game: a game with its entries, settings and number of seats.

    ``without`` is a seat, and an entry that it may not choose.  In each game an entry that is
    ``swapped`` has the values of another that is drawn for this game, a ``peer``; the same one may
    be what a seat goes without.  Games are those of a ``replay`` where there is one.
    """

    game: Game
    entries: EntryTable
    settings: Mapping[str, Any]
    seats: int
    without: tuple[int, Entry] | None = None
    swapped: Entry | None = None
    peer: Entry | None = None
    replay: Replay | None = None
    #: The entries of all kinds in their order, and the place of each.
    cards: tuple[Entry, ...] = field(init=False)
    places: Mapping[Entry, int] = field(init=False)
    #: What the player ``learned`` goes by while it learns; else it names its file.
    network: Network | None = field(default=None, repr=False, kw_only=True)
    #: The tables with the values of each peer.
    swaps: "tuple[Table, ...]" = field(init=False, repr=False)
    #: What entries are for `seen_by`, shape (entries, numbers).
    rows: np.ndarray = field(init=False, repr=False)

    @cards.default
    def _cards(self) -> tuple[Entry, ...]:
        return tuple(one for kind in self.game.kinds for one in self.entries[kind.word])

    @places.default
    def _places(self) -> dict[Entry, int]:
        return {entry: place for place, entry in enumerate(self.cards)}

    @swaps.default
    def _swaps(self) -> "tuple[Table, ...]":
        if self.swapped is None or self.peer is not None:
            return ()
        schema, entry, found = self.game.schema, self.swapped, []
        kind = schema.kind_of(entry)
        entries = self.entries[kind.word]
        for peer in kind.peers(entry, entries):
            made = kind.with_values_of(entry, peer)
            those = tuple(made if one == entry else one for one in entries)
            changed = linked(schema, {**self.entries, kind.word: those})
            without = self.without
            if without is not None and without[1] == entry:
                # Where nothing of it can be another's, another one is gone without.
                without = without[0], made if kind.can_swap else peer
            found.append(evolve(self, entries=changed, peer=peer, without=without))
        return tuple(found)

    @rows.default
    def _rows(self) -> np.ndarray:
        return rows_of(self.game.kinds, self.cards)

    def of_game(self, luck: Luck) -> "Table":
        """What is played in one game: with the values of a peer, where an entry is swapped."""
        found: Table = luck.choice(self.swaps, "swap") if self.swaps else self
        return found

    def deal(self, luck: Luck) -> Setup:
        """What is in one game: all entries of a kind, or some by lot, and one for each seat."""
        entries: dict[str, Sequence[Entry]] = {}
        of: dict[str, Sequence[Entry]] = {}
        copies: dict[str, int | str] = {}
        for kind in self.game.kinds:
            there: Sequence[Entry] = self.entries[kind.word]
            if kind.each_seat:
                drawn = luck.shuffled(there, "lot", kind.word)
                of[kind.word] = [drawn[seat % len(drawn)] for seat in range(self.seats)]
            elif kind.by_lot:
                if kind.by_lot > len(there):
                    raise GameError(
                        f"{kind.by_lot} {kind.plural} are drawn for each game, and there are only"
                        f" {len(there)}"
                    )
                drawn = luck.shuffled(there, "lot", kind.word)[: kind.by_lot]
                there = [entry for entry in there if entry in drawn]
            entries[kind.word], copies[kind.word] = there, kind.copies
        return Setup(self.settings, entries, copies, of, self.without)

    def includes(self, entry: Entry, seed: int, number: int) -> bool:
        """Whether an entry is in a game; where its kind is drawn by lot, not all are."""
        kind = self.game.schema.kind_of(entry)
        if kind.each_seat or not kind.by_lot:
            return True
        return entry in self.deal(Luck(address_of(seed, number))).entries(kind.word)

    @property
    def otherwise(self) -> str:
        """What is not as in other games, for a message: "; seat 1 may not choose Wolf"."""
        told = ""
        if self.replay is not None:
            told = f"; replay {self.replay.choices} with luck {self.replay.chance}"
        if self.swapped is not None:
            peer = self.peer.name if self.peer else "another"
            told += f"; {self.swapped.name} has the values of {peer}"
        if self.without is not None:
            told += f"; seat {self.without[0] + 1} may not choose {self.without[1].name}"
        return told

    def variables(self) -> list[Variable]:
        """Everything that can be changed: of entries, in the order of their file, then settings."""
        found = changes.variables(self.game.schema, self.entries)
        for one in self.game.settings:
            found += changes.variables_of(SETTINGS, one.name, one.field, self.settings[one.name])
        return found

    def changed(self, change: Change) -> "Table":
        """What is played with a change."""
        one, to = change.variable, change.changed_to
        if one.of == SETTINGS:
            return evolve(self, settings={**self.settings, one.number: to})
        return evolve(self, entries=changes.changed(self.game.schema, self.entries, change))


class Play:
    """A game as it stands: who chooses next, between which options, until it is over.

    ``number`` is that of the game among those of its seed.  ``told`` keeps a log of what happens.
    """

    def __init__(self, table: Table, seed: int, number: int, *, told: bool = False) -> None:
        self.table, self.seed, self.number = table, seed, number
        self.decisions, self.seat, self.first = 0, -1, -1
        self.dealt: dict[tuple[int, Entry], int] = {}
        self.chosen: dict[tuple[int, Entry], int] = {}
        self.outcomes: list[int] = []
        self.points: list[float] = []
        self.observed: dict[str, int] = {}
        self.options: list[Option] = []
        self._known: set[Any] = set()
        with self.telling():
            luck = Luck(address_of(seed, number))
            self.table = table = table.of_game(luck)
            setup = table.deal(luck)
            replay = table.replay
            self._choices = luck.fork("players", *([replay.choices] if replay else []))
            self.rules = table.game.rules(setup, table.seats, luck)
            if told:
                self.rules._log = []
            self.rules.start()
            if self._has_ended:
                where = table.game.rules.start
                raise RuleError("start says nobody who chooses first: set self.acting", where)
            self._count_dealt(setup)
            self.deal = self._digest()
            if replay is not None and replay.chance:
                luck.redraw(replay.chance)
            self._ask()
            if len(self._together) == 1:
                self.first = self.seat

    # ------------------------------------------------------------ decisions

    @property
    def over(self) -> bool:
        """Whether the game has ended."""
        return self.seat < 0

    @property
    def together(self) -> tuple[int, ...]:
        """The seats that choose now, at once where they are several."""
        return self._together

    @property
    def _has_ended(self) -> bool:
        """Whether the rules say that nobody acts; `over` once they have been asked for scores."""
        return self.rules.__dict__["acting"] is None

    def choose(self, number: int) -> None:
        """Take an option of the present seat, by its number.  Raises GameError."""
        with self.telling():
            self._take(number)

    def play(self, players: Sequence[str]) -> None:
        """Play to the end.  ``players`` has a name for each seat.  Raises GameError."""
        with self.telling():
            while self.seat >= 0:
                self._take(self._chosen_by(self._slipping(players[self.seat]), self._choices))

    def imagined(self) -> Rules:
        """A game that the present seat may take this one for; no luck is used up."""
        return self.rules.imagined(self.seat, copy.deepcopy(self._choices))

    def think(self, player: str, decision: int | None = None) -> int:
        """The option that a player would choose for the present seat.  Raises GameError.

        With the number of a ``decision`` they choose the same whenever they are asked.
        """
        luck = self._choices
        if decision is not None:
            luck = Luck(address_of(self.seed, self.number)).fork("think", decision)
        with self.telling():
            return self._chosen_by(player, luck)

    def log(self) -> list[tuple[Any, ...]]:
        """What has happened since this was asked the last time."""
        found: list[tuple[Any, ...]] = self.rules._log or []
        self.rules._log = []
        return found

    @contextmanager
    def telling(self) -> Iterator[None]:
        """Tell what goes wrong in the rules: in which game, at which decision, in which line."""
        try:
            yield
        except GameError:
            raise
        except (Exception, SystemExit) as error:
            scores = self.table.game.rules.scores
            if isinstance(error, RuleError) and error.where is scores and self._has_ended:
                error.line = line_of_answer(scores, self.rules.scores)
            where = place_of(error) or self.table.game.source
            one = f", decision {self.decisions + 1}" if self.seat >= 0 or self.decisions else ""
            seat = f", seat {self.seat + 1}" if self.seat >= 0 else ""
            game = f"game {self.number} of seed {self.seed}{one}{seat}{self.table.otherwise}"
            raise GameError(f"{where}: {problem_of(error)} ({game})") from error

    def _slipping(self, player: str) -> str:
        """Who chooses: in a replay now and then somebody at random."""
        slips = self.table.replay is not None and player != RANDOM
        return RANDOM if slips and not self._choices.below(SLIPS, "slip", self.seat) else player

    def _chosen_by(self, player: str, luck: Luck) -> int:
        options, seat = self.options, self.seat
        if player == RANDOM:
            return luck.below(len(options), "player", seat)
        if player == GREEDY:
            return self._best_behind(luck, IMAGINED, self._lead)
        if is_learned(player):
            network = self._network(player)
            if network.mistakes and luck.below(1_000, "player", seat) < network.mistakes:
                return luck.below(len(options), "player", seat)
            return self._best_behind(luck, network.imagined, partial(self._value, network))
        if number := simulations_of(player):
            luck = luck.fork("search", seat)
            search = Search(self.table.game, self.rules, self._stands, luck)
            times = IMAGINED if search.looks else 0
            looked = self._worth_behind(luck, times, partial(search.promise, seat))
            return search.best(seat, options, number, looked)
        function = self.table.game.players[player]
        with shown(self.rules, seat, luck) as rules:
            found = function(rules, seat, tuple(options), luck)
        if found not in options:
            told = ", ".join(map(self.said, options[:5])) + (" …" if options[5:] else "")
            with shown(self.rules, seat, luck) as rules:
                line = line_of_answer(
                    function,
                    lambda: function(rules, seat, tuple(options), luck),
                    lambda one: one not in options,
                )
            raise RuleError(
                f"the player {player} chose {found!r}, which is no option; there are: {told}",
                function,
                line,
            )
        return options.index(found)

    def _stands(self, rules: Any) -> Sequence[float]:
        """How well each seat stands, in the unit of scores.  Raises RuleError."""
        if rules.__dict__["acting"] is None:
            scores: Sequence[float] = rules.scores()
            self.table.game.outcomes(scores, rules.seats)  # checks them
            return scores
        found = [rules.standing(seat) for seat in range(rules.seats)]
        for seat, one in enumerate(found):
            if type(one) not in (int, float) or not isfinite(one):
                standing = type(rules).standing
                raise RuleError(
                    f"standing gave {one!r}: a finite number, in the unit of scores",
                    standing,
                    line_of_answer(standing, partial(rules.standing, seat)),
                )
        return found

    def _take(self, number: int) -> None:
        seat, option = self.seat, self.options[number]
        if self.decisions >= MOST_DECISIONS:
            raise endless(self.rules)
        if type(option) is tuple:
            for thing in option[1:]:
                if isinstance(thing, Entry):
                    key = seat, thing
                    self.chosen[key] = self.chosen.get(key, 0) + 1
        self._taken.append((seat, option))
        if self._waiting:
            self.decisions += 1
            self._offer(self._waiting.pop(0))
        else:
            self._carry_out()

    def _carry_out(self) -> None:
        carry_out(self.rules, self._choices_told())
        self.decisions += 1
        self._ask()

    def _choices_told(self) -> Iterator[tuple[int, Option]]:
        """What was chosen, each kept for the log as it is carried out."""
        for seat, option in self._taken:
            self.seat = seat
            if self.rules._log is not None:
                self.rules._log.append(("choice", seat, option))
            yield seat, option

    def _lead(self, rules: Any) -> float:
        """How far the seat is ahead."""
        return self.table.game.lead(self._stands(rules), self.seat)

    def _network(self, player: str) -> Network:
        """What a player goes by who has learned.  Raises GameError."""
        network = self.table.network or network_of([player])
        if network is None:
            raise GameError(f"{self.table.game.title}: the player {player} has not learned it yet")
        return network

    def _value(self, network: Network, rules: Any) -> float:
        """How well the seat is going to do by what was learned, or has done, from 0 to 1."""
        if rules.__dict__["acting"] is None:
            outcomes = self.table.game.outcomes(rules.scores(), rules.seats)
            return outcomes[self.seat] / self.table.game.unit
        seen = seen_by(rules, self.seat, self.table)
        if len(seen) != len(network.mean):
            raise GameError(
                f"{self.table.game.title}: what the player {LEARNED} goes by was learned of another"
                f" game; name {LEARNED} alone, and it learns this one"
            )
        return network.value(seen)

    def _best_behind(self, luck: Luck, imagined: int, judge: Callable[[Any], float]) -> int:
        """The option behind which the seat stands best."""
        worth = self._worth_behind(luck, imagined, judge)
        best = [place for place, one in enumerate(worth) if one == max(worth)]
        return best[luck.below(len(best), "player", self.seat)]

    def _worth_behind(
        self, luck: Luck, imagined: int, judge: Callable[[Any], float]
    ) -> list[float]:
        """What a seat has behind each option, summed over some games as it may imagine them.

        The same games for each option; seats that choose at the same time choose at random.
        """
        seat, worth = self.seat, [0.0] * len(self.options)
        for _ in range(imagined if len(worth) > 1 else 0):
            other, address = self.rules.imagined(seat, luck), luck.bits("greedy")
            for place, option in enumerate(self.options):
                rules = other._copied(Luck(address))
                choices = (
                    (one, option)
                    if one == seat
                    else (one, rules.rng.choice(options_of(rules, one), "greedy"))
                    for one in self._together
                )
                carry_out(rules, choices)
                worth[place] += judge(rules)
        return worth

    def _ask(self) -> None:
        """Ask who chooses now, and between what; without anybody the game is over."""
        acting = self.rules.__dict__["acting"]
        self._taken: list[tuple[int, Option]] = []
        self._together: tuple[int, ...] = (
            () if acting is None else (acting,) if type(acting) is int else acting
        )
        self._waiting = [*self._together[1:]]
        if self._together:
            self._offer(self._together[0])
            return
        self.seat, self.options = -1, []
        scores = self.rules.scores()
        self.outcomes = self.table.game.outcomes(scores, self.table.seats)
        self.points = list(scores)
        self.observed = dict(self._observed())

    def _observed(self) -> Iterator[tuple[str, int]]:
        """What the game is asked when it is over."""
        for name, function in self.table.game.observe.items():
            found = function(self.rules)
            if not isinstance(found, int) or not 0 <= found <= MOST_OBSERVED:
                raise RuleError(
                    f"{name} in observe gave {found!r}: it may give a whole number from 0 to"
                    f" {MOST_OBSERVED:,}, or True or False",
                    function,
                    line_of_answer(function, partial(function, self.rules)),
                )
            yield name, int(found)

    def _offer(self, seat: int) -> None:
        self.seat = seat
        self.options = options_of(self.rules, seat)
        for option in self.options:
            if option not in self._known:
                self._check(option)

    def _check(self, option: Any) -> None:
        """Refuse what is no option, and what no method can carry out."""
        word, *things = option if isinstance(option, tuple) and option else (option,)
        rules = self.rules
        method = getattr(rules, word, None) if isinstance(word, str) else None
        if not callable(method) or word in vars(Rules):
            raise self._wrong_option(
                option,
                f"{_shown(option)} is no option: it is a word for which the rules have a method, or"
                " such a word and what the method is given",
            )
        for thing in things:
            number = type(thing) is int and 0 <= thing <= _MOST_NUMBER
            if not (number or isinstance(thing, str | Entry)):
                raise self._wrong_option(
                    option,
                    f"option {word!r} gives {thing!r}: an entry, a word, or a whole number from 0"
                    f" to {_MOST_NUMBER:,}",
                )
        wanted = method.__code__.co_argcount - 2 if hasattr(method, "__code__") else len(things)
        if len(things) > _MOST_THINGS or len(things) != wanted:
            raise self._wrong_option(
                option,
                f"option {word!r} gives {len(things)} after the word, def {word} takes {wanted}"
                f" after the seat; {_MOST_THINGS} at most",
            )
        self._known.add(option)

    def _wrong_option(self, option: Any, problem: str) -> RuleError:
        """The fault of something that the rules offer, with the line that offers it."""

        def is_wrong(one: Any) -> bool:
            return bool(one == option or (isinstance(one, list | tuple | set) and option in one))

        options = type(self.rules).options
        line = line_of_answer(options, partial(self.rules.options, self.seat), is_wrong)
        return RuleError(problem, options, line)

    # ------------------------------------------------------------ words and counts

    def said(self, option: Option) -> str:
        """An option in words."""
        if hasattr(self.rules, "say"):
            return str(self.rules.say(self.seat, option))
        word, *things = (option,) if isinstance(option, str) else option
        return " ".join([word.replace("_", " "), *map(_thing, things)])

    def counts(self) -> Iterator[tuple[str, int, Entry, int]]:
        """What is counted of entries: what, seat, entry, how often."""
        for what, counted in ((DEALT, self.dealt), (CHOSEN, self.chosen)):
            for (seat, entry), n in counted.items():
                yield what, seat, entry, n
        for (what, seat, entry), n in self.rules._notes.items():
            yield what, seat, entry, n
        for word in self.table.game.contrasted:
            for entry in self.rules.setup.entries(word):
                yield from ((INCLUDED, seat, entry, 1) for seat in range(self.table.seats))

    def _digest(self) -> int:
        """A digest of where all cards lie."""
        found = 0
        for zone in self.rules.zones():
            found = mixed(found + number_of(str(zone)))
            for card in zone:
                found = mixed(found + number_of(card.id))
        return found

    def _count_dealt(self, setup: Setup) -> None:
        """Count what seats have before the first decision, and can know of."""
        for seat in range(self.table.seats):
            for has in setup._of.values():
                self.dealt[seat, has[seat]] = 1
        for zone in self.rules.zones():
            if zone.seat is not None and zone.declared.seen_by != "nobody":
                for entry in zone:
                    key = zone.seat, entry
                    self.dealt[key] = self.dealt.get(key, 0) + 1


def _shown(option: Any) -> str:
    """What is no option, for a message."""
    return repr(" ".join(map(_thing, option)) if isinstance(option, tuple) else option)


def _thing(thing: Any) -> str:
    return thing.name if isinstance(thing, Entry) else str(thing).replace("_", " ")
