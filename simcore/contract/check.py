"""Checks of a game that somebody brings: what in its rules would make its results wrong."""

from collections.abc import Callable, Iterator
from typing import Any

from attrs import evolve, frozen

from simcore.contract.faults import GameError, LuckWatch
from simcore.contract.game import RANDOM
from simcore.contract.luck import Luck, address_of
from simcore.contract.play import Play, Table
from simcore.contract.rules import Rules
from simcore.contract.state import Zone

FAULT, WARNING = "fault", "warning"
_GAMES, _POSITION_GAMES, _WORLDS, _MANY_OPTIONS = 20, 6, 4, 200


@frozen
class Finding:
    """Something found: "fault" or "warning", and a sentence."""

    level: str
    text: str


def check(table: Table) -> list[Finding]:
    """All that is found with every number of seats, each finding once; faults first."""
    found = dict[str, Finding]()  # by what is told before "(game 3 of seed 0 …"
    for seats in table.game.seats:
        there = evolve(table, seats=seats)
        for one in (whole_games, same_again, players, positions):
            for finding in _found(one, there):
                found.setdefault(finding.text.partition(" (game ")[0], finding)
    return sorted(found.values(), key=lambda one: one.level != FAULT)


def _found(one: Callable[[Table], Iterator[Finding]], table: Table) -> Iterator[Finding]:
    """What a check finds, and what stops it."""
    try:
        yield from one(table)
    except GameError as error:
        yield Finding(FAULT, str(error))


def whole_games(table: Table) -> Iterator[Finding]:
    """Games that end, with scores; not every one a draw."""
    with LuckWatch():
        outcomes = [tuple(_played(table, number).outcomes) for number in range(_GAMES)]
    if table.seats > 1 and len({*outcomes}) == 1 and len({*outcomes[0]}) == 1:
        yield Finding(WARNING, f"all {_GAMES} games of {table.seats} players end in a draw")


def same_again(table: Table) -> Iterator[Finding]:
    """The same game, played twice."""
    for number in range(_POSITION_GAMES):
        first, again = (_told(_played(table, number, told=True)) for _ in range(2))
        if first != again:
            yield Finding(
                FAULT,
                f"game {number} of seed 0 goes otherwise when it is played again: something is kept"
                " on the class or in the module, or follows the order of a set",
            )
            return


def players(table: Table) -> Iterator[Finding]:
    """All players but random ones, who choose only what is offered, and with whom games end."""
    for player in table.game.player_names[1:]:
        try:
            for number in range(2):
                Play(table, 0, number).play([player] * table.seats)
        except GameError as error:
            yield Finding(FAULT, f"{error}; {player} plays")


def positions(table: Table) -> Iterator[Finding]:
    """What is asked of a position changes nothing, and imagined games look the same."""
    for number in range(_POSITION_GAMES):
        play = Play(table, 0, number)
        while not play.over:
            if play.decisions % 3 == 0:
                with play.telling():
                    yield from _at(play)
            play.choose(play.think(RANDOM))


def _at(play: Play) -> Iterator[Finding]:
    rules, seat = play.rules, play.seat
    asked: list[tuple[str, Callable[[], Any]]] = [("options", lambda: [*rules.options(seat)])]
    if hasattr(rules, "standing"):
        asked.append(("standing", lambda: rules.standing(seat)))
    for name, method in asked:
        before = _state(rules)
        first, after = method(), _state(rules)
        if after != before:
            yield Finding(FAULT, f"{name} changes the game or draws luck: it may only look")
        elif first != method():
            yield Finding(FAULT, f"{name} gives another answer when it is asked again")
    offered = [*rules.options(seat)]
    if len(offered) > _MANY_OPTIONS:
        yield Finding(
            WARNING, f"a seat has over {_MANY_OPTIONS} options: let it choose in smaller steps"
        )
    luck = Luck(address_of(play.seed, play.number)).fork("check", play.decisions)
    for _ in range(_WORLDS):
        imagined = rules.imagined(seat, luck)
        if {*imagined.options(seat)} != {*offered}:
            yield Finding(
                FAULT,
                "options of a seat depend on what it does not see: say in seen_by who sees the"
                " zone, or offer by what the seat knows",
            )
    possible = getattr(rules, "possible", None)
    if possible is not None and not possible(seat):
        yield Finding(FAULT, "possible refuses the game as it is: it may refuse others only")


def _played(table: Table, number: int, *, told: bool = False) -> Play:
    play = Play(table, 0, number, told=told)
    play.play([RANDOM] * table.seats)
    return play


def _told(play: Play) -> tuple[Any, ...]:
    log = [tuple(str(one) for one in line) for line in play.log()]
    return play.deal, play.decisions, log, play.points


def _state(rules: Rules) -> str:
    """All that a game holds, and how much luck was drawn, as text that can be compared."""
    held = rules.__dict__.items()
    state = {name: value for name, value in held if name not in ("setup", "rng", "_log")}
    for zone in rules.zones():
        state[str(zone)] = (zone._cards, zone._known, zone._marks)
    luck = sorted(map(repr, rules.rng._counters.items()))
    return repr(
        [
            (name, value)
            for name, value in state.items()
            if not isinstance(value, Zone)
            and not (isinstance(value, tuple) and value and isinstance(value[0], Zone))
        ]
        + [luck]
    )
