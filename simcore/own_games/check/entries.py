"""Entries and settings of a game: that each comes up, matters, and can be what it may be."""

from collections.abc import Callable, Iterator, Sequence
from functools import cache
from typing import Any

from attrs import evolve

from card_data.schema import Kind
from card_data.schema.changes import Change, Variable
from card_data.schema.loader import linked
from simcore.contract.faults import GameError
from simcore.contract.game import RANDOM
from simcore.contract.play import SETTINGS, Play, Table
from simcore.own_games.check.findings import FAULT, WARNING, Budget, Finding
from simcore.own_games.check.games import GAMES, Seen

_GAMES, _EXTREME_GAMES, _NAMELESS_GAMES = 200, 2, 10


def entries(table: Table, budget: Budget, seen: Seen) -> Iterator[Finding]:
    """Entries that never came up, numbers that change nothing, values with which no game is played.

    Numbers of entries become the least and the most that they may be: in all of them at a time, to
    see whether they matter, and one at a time.
    """
    for entry in table.cards:
        if seen.games == GAMES and entry not in seen.came_up:
            yield Finding(
                WARNING,
                f"{entry.kind} '{entry.id}' never came up in {GAMES} games: nobody chose it,"
                " and it lay in no zone at their beginning or end",
            )
    by_number: dict[tuple[str, str], list[Variable]] = {}
    for one in table.variables():
        by_number.setdefault((one.of, one.number), []).append(one)
    as_it_is = cache(lambda number: _result(table, number))
    for (of, number), variables in by_number.items():
        if not _matters(table, budget, variables, as_it_is):
            whose = f"the setting {number}" if of == SETTINGS else f"{number} of {of}"
            yield Finding(
                WARNING, f"{whose} changes nothing in {_GAMES} games: do the rules look at it?"
            )
    for kind in table.game.kinds:
        if not _is_nameless(table, budget, kind, as_it_is):
            yield Finding(
                WARNING,
                f"games go otherwise where {kind.plural} have other names: rules may not ask for a"
                f" name, give {kind.plural} a field for it",
            )
    # Lists of entries, as of a deck, say no range: what they may be is not asked.
    for one in table.variables():
        if "." not in one.number:
            yield from _extremes(table, budget, one)


def _matters(
    table: Table, budget: Budget, variables: Sequence[Variable], as_it_is: Callable[[int], Any]
) -> bool:
    ends = [table, table]
    for one in variables:
        ends = [ends[at].changed(Change(one, one.others[-at])) for at in (0, 1)]
    try:
        for number in budget.numbers(_GAMES):
            if any(_result(end, number) != as_it_is(number) for end in ends):
                return True
    except GameError:
        return True  # `_extremes` tells of it
    return budget.is_spent


def _is_nameless(table: Table, budget: Budget, kind: Kind, as_it_is: Callable[[int], Any]) -> bool:
    """Whether games stay the same where the entries of a kind have other names."""
    there = {**table.entries}
    there[kind.word] = tuple(evolve(one, name=f"{one.name}?") for one in there[kind.word])
    renamed = evolve(table, entries=linked(table.game.schema, there))
    try:
        numbers = budget.numbers(_NAMELESS_GAMES)
        return all(_result(renamed, number) == as_it_is(number) for number in numbers)
    except GameError:
        return False


def _extremes(table: Table, budget: Budget, one: Variable) -> Iterator[Finding]:
    for to in dict.fromkeys((one.others[0], one.others[-1])):
        change = Change(one, to)
        try:
            for number in budget.numbers(_EXTREME_GAMES):
                _result(table.changed(change), number)
        except GameError as error:
            yield Finding(FAULT, f"{error}, with {change.label}: may it be that?")


def _result(table: Table, number: int) -> Any:
    play = Play(table, 0, number)
    play.play([RANDOM] * table.seats)
    return play.deal, play.decisions, play.points
