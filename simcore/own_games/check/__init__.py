"""Checks of a game that somebody brings: what in its rules would make its results wrong."""

import re
from collections.abc import Callable, Iterable, Iterator
from contextlib import nullcontext
from typing import Any

from attrs import evolve, frozen

from simcore.contract.faults import GameError
from simcore.contract.loops import LoopWatch
from simcore.contract.play import Table
from simcore.contract.state import Cards
from simcore.own_games.check.entries import entries
from simcore.own_games.check.findings import FAULT, LEVELS, WARNING, Budget, Finding
from simcore.own_games.check.games import Seen, players, same_again, whole_games
from simcore.own_games.check.measured import (
    COMPILED_DIFFERS,
    COMPILING,
    SEARCHING,
    contests,
    forms,
    speed,
)
from simcore.own_games.check.positions import positions
from simcore.own_games.check.words import words
from simcore.work.progress import Progress

# What is checked, in this order, with every number of seats, and in words.
_CHECKS = {
    whole_games: "whole games",
    same_again: "games played again",
    players: "games of other players",
    positions: "single positions",
    words: "words in the rules",
    entries: "entries and settings",
}
# What is measured of games in which nothing is wrong, with the usual number of seats.
_MEASURED = {
    speed: "the speed of games",
    contests: "whether search plays well",
    forms: "whether compiled games are the same",
}
_SECONDS = 30.0
_Check = Callable[[Table, Budget, Seen], Iterator[Finding]]
_WHO = {
    "all": "everybody",
    "owner": "its seat",
    "nobody": "nobody",
    "others": "all but its seat",
}


@frozen
class Report:
    """What checks found, and what they saw.

    ``seen`` has the games between random players by the number of seats, ``sight`` who sees each
    zone, number and word that not everybody sees or that belongs to a seat; ``plain`` says what
    keeps the rules from being compiled, ``missed`` what there was no time for, or not enough.
    ``differs`` says that compiled games are others, so that none are played.
    """

    findings: list[Finding]
    seen: dict[int, Seen]
    sight: dict[str, str]
    plain: list[str]
    missed: list[str]
    differs: bool

    @property
    def is_sound(self) -> bool:
        """Whether there is no fault."""
        return all(one.level != FAULT for one in self.findings)


def check(
    table: Table, *, seconds: float = _SECONDS, on_progress: Progress | None = None
) -> Report:
    """All that is found with every number of seats in so many seconds, one finding for a line.

    Where not even one game can be played, nothing more is asked; numbers of entries are not tried
    in a game that has a fault as it is.
    """
    from simcore.contract.compiled.form import NotCompiled

    found, missed = dict[str, Finding](), list[str]()
    every = table.game.seats
    seen, plain = {seats: Seen() for seats in every}, _plain(table)
    budget = Budget(seconds, on_progress)

    def run(one: _Check, told: str, seats: int) -> None:
        with nullcontext() if one is forms else LoopWatch():
            for finding in _found(one, evolve(table, seats=seats), budget, seen[seats]):
                found.setdefault(_place(finding), finding)
        if budget.is_spent:
            missed.append(f"{told} of {seats} seats" if len(every) > 1 else told)

    for one, told in _CHECKS.items():
        if one is entries and _worst(found.values()) == FAULT:
            break
        for seats in every:
            if one is whole_games or seen[seats].games:
                run(one, told, seats)
    for one, told in _MEASURED.items():
        if _worst(found.values()) in (FAULT, WARNING) or (one is forms and plain):
            continue
        if one is forms and budget.left < COMPILING:
            missed.append(told)
            continue
        try:
            run(one, told, every[0])
        except NotCompiled as error:
            plain += map(str, error.problems)
    findings = sorted(found.values(), key=lambda one: LEVELS.index(one.level))
    differs = any(COMPILED_DIFFERS in one.text for one in findings)
    return Report(findings, seen, _sight(table), plain, missed, differs)


def _worst(findings: Iterable[Finding]) -> str:
    """The worst level of findings; "" for none."""
    return min((one.level for one in findings), key=LEVELS.index, default="")


def _place(finding: Finding) -> str:
    """The author's line that a finding names, or what it tells before "(game 3 of seed 0 …"."""
    line = re.match(r"(.+?:\d+): ", finding.text)
    return line[1] if line else finding.text.partition(" (game ")[0]


def _found(one: _Check, table: Table, budget: Budget, seen: Seen) -> Iterator[Finding]:
    """What a check finds, and what stops it."""
    try:
        yield from one(table, budget, seen)
    except GameError as error:
        yield Finding(FAULT, str(error))


def _plain(table: Table) -> list[str]:
    """What keeps the rules from being compiled, with the author's lines."""
    from simcore.contract.compiled.form import NotCompiled, program_of

    try:
        program_of(table, (*table.game.player_names, SEARCHING))
    except NotCompiled as error:
        return [str(one) for one in error.problems]
    return []


def _sight(table: Table) -> dict[str, str]:
    """Who sees each zone, and each number or word that is not open to all."""
    declared: dict[str, Any] = dict(table.game.rules._declared)
    return {
        name: _WHO[getattr(one, "seen_by", "all")]
        for name, one in declared.items()
        if isinstance(one, Cards) or getattr(one, "seen_by", "all") != "all"
    }
