"""Whole games: that they end, go the same way again and anywhere, and what happens in them."""

import sys
from collections import Counter
from collections.abc import Iterator
from typing import Any

from attrs import Factory, define

from simcore.contract.faults import GameError, LuckWatch
from simcore.contract.game import RANDOM
from simcore.contract.play import Play, Table
from simcore.contract.state import Number
from simcore.own_games.check.findings import FAULT, LOOK, WARNING, Budget, Finding
from simcore.own_games.check.places import from_the_end
from simcore.own_games.setup import OwnSetup
from simcore.work.processes import LocalWorkers

#: Games between random players.
GAMES = 40
_AGAIN = 6
_KEPT = "something is kept on the class or in the module"
_ELSEWHERE = "something follows the order of a set, or what the machine says"
# Purposes of luck by which the rules draw nothing themselves.
_NOT_DRAWN = {"shuffle", "lot", "swap", "players"}


@define
class Seen:
    """What was seen of whole games between random players, with one number of seats."""

    games: int = 0
    decisions: list[int] = Factory(list)
    forced: int = 0
    words: Counter[str] = Factory(Counter)
    outcomes: list[tuple[float, ...]] = Factory(list)
    #: Entries that were in a game, and those that lay somewhere or were chosen.
    came_up: set[Any] = Factory(set)
    #: Games and decisions a second, by the form of the rules.
    speeds: dict[str, tuple[float, float]] = Factory(dict)
    #: Games in which search did better and worse, and all, by its opponent.
    contests: dict[str, tuple[int, int, int]] = Factory(dict)


def whole_games(table: Table, budget: Budget, seen: Seen) -> Iterator[Finding]:
    """Games that end, with scores; not every one a draw; every entry comes up."""
    open_hands, looks, from_end = set[str](), dict[str, set[Any]](), dict[int, str]()
    for number in budget.numbers(GAMES):
        with LuckWatch(), from_the_end(table.game) as places:
            play = _played(table, number, seen, looks)
        from_end |= places
        seen.games += 1
        seen.decisions.append(play.decisions)
        seen.outcomes.append(tuple(one / table.game.unit for one in play.outcomes))
        open_hands |= _dealt_openly(play)
    if len({*seen.outcomes}) == 1 and len({*seen.outcomes[0]}) == 1 and table.seats > 1:
        yield Finding(WARNING, f"all {seen.games} games of {table.seats} players end in a draw")
    for name in sorted(open_hands):
        yield Finding(
            LOOK,
            f"{name} gets cards that nobody has seen, and then everybody sees them: if that is"
            f' meant, write seen_by="all"; if not, seen_by="owner"',
        )
    for what, values in looks.items():
        if len(values) > 1:
            yield Finding(LOOK, what)
    yield from (Finding(LOOK, what) for what in from_end.values())


def _played(table: Table, number: int, seen: Seen, looks: dict[str, set[Any]]) -> Play:
    play = Play(table, 0, number, told=True)
    _look_at(play, seen)
    for what, value in _open_luck(play):
        looks.setdefault(what, set()).add(value)
    while not play.over:
        seen.forced += len(play.options) == 1
        choice = play.think(RANDOM)
        option = play.options[choice]
        seen.words[option if isinstance(option, str) else option[0]] += 1
        play.choose(choice)
    _look_at(play, seen)
    return play


def _look_at(play: Play, seen: Seen) -> None:
    for zone in play.rules.zones():
        seen.came_up.update(zone)
    seen.came_up.update(entry for _, _, entry, _ in play.counts())


def _open_luck(play: Play) -> Iterator[tuple[str, Any]]:
    """A look for each thing that may have come by lot before the first decision, and its value.

    Of zones, and numbers of seats, of which the author has not said who sees them.
    """
    drawn = {key for key in play.rules.rng._counters if isinstance(key, tuple)}
    for zone in play.rules.zones():
        if zone.declared.said_seen_by is None and ("shuffle", zone.name, zone.seat) in drawn:
            what = f"{zone.name} is shuffled, and everybody sees in which order its cards lie: if"
            what += ' that is meant, write seen_by="all"; if not, seen_by="nobody"'
            yield what, tuple(card.id for card in zone)
    if {key[0] for key in drawn} <= _NOT_DRAWN:
        return
    for name, one in play.rules._declared.items():
        if isinstance(one, Number) and one.per_seat and one.said_seen_by is None:
            what = f"{name} of each seat comes by lot, and everybody sees it: if that is meant,"
            what += ' write seen_by="all"; if not, seen_by="owner"'
            yield what, repr(play.rules.__dict__[name])


def _dealt_openly(play: Play) -> set[str]:
    """Zones of a seat, of which the author has not said who sees them, with cards from a deck."""
    found = set()
    for what, *rest in play.log():
        if what == "move":
            _, before, after = rest
            hidden = before is not None and before.declared.seen_by == "nobody"
            if hidden and after.seat is not None and after.declared.said_seen_by is None:
                found.add(after.name)
    return found


def same_again(table: Table, budget: Budget, _: Seen) -> Iterator[Finding]:
    """The same games again, here and in processes in which words lie in other orders in a set."""
    numbers = [*budget.numbers(_AGAIN)]
    kept = _kept(table)
    first = told(OwnSetup(table), len(numbers))
    number = _first_difference(first, told(OwnSetup(table), len(numbers)))
    if number is not None:
        yield Finding(
            FAULT,
            f"game {number} of seed 0 goes otherwise when it is played again:"
            f" {_changed(table, kept) or _KEPT}",
        )
        return
    with LocalWorkers(1) as elsewhere:
        asked = elsewhere.submit(told, OwnSetup(table), len(numbers))
        number = _first_difference(first, asked.result())
    if number is not None:
        yield Finding(
            FAULT,
            f"game {number} of seed 0 goes otherwise in another process:"
            f" {_changed(table, kept) or _ELSEWHERE}",
        )


def _kept(table: Table) -> dict[str, str]:
    """Lists on the class or in the module of the rules, as text."""
    rules = table.game.rules
    places = vars(sys.modules[rules.__module__]), *map(vars, rules.__mro__[:-2])
    return {
        name: repr(value)
        for place in places
        for name, value in place.items()
        if isinstance(value, list | dict | set) and not name.startswith("__")
    }


def _changed(table: Table, before: dict[str, str]) -> str:
    """Which of them games have changed, and what to do; "" where none has."""
    now = _kept(table)
    names = [name for name, text in before.items() if now.get(name, text) != text]
    if not names:
        return ""
    return (
        f"games change {' and '.join(names)}, which stands on the class or in the module, so each"
        " goes on with what the last one left: make it in start, as self.…"
    )


def told(setup: OwnSetup, n: int) -> list[Any]:
    """All that happens in the first games between random players, as it can be compared."""
    found = []
    for number in range(n):
        play = Play(setup.table, 0, number, told=True)
        play.play([RANDOM] * setup.seats)
        log = [tuple(str(one) for one in line) for line in play.log()]
        found.append((play.deal, play.decisions, log, play.points))
    return found


def _first_difference(first: list[Any], again: list[Any]) -> int | None:
    pairs = enumerate(zip(first, again, strict=True))
    return next((number for number, (one, other) in pairs if one != other), None)


def players(table: Table, budget: Budget, _: Seen) -> Iterator[Finding]:
    """All players but random ones, who choose only what is offered, and with whom games end."""
    for player in table.game.player_names[1:]:
        try:
            for number in budget.numbers(2):
                Play(table, 0, number).play([player] * table.seats)
        except GameError as error:
            yield Finding(FAULT, f"{error}; {player} plays")
