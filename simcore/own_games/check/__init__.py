"""Checks of a game that somebody brings: what in its rules would make its results wrong."""

import re
from collections.abc import Callable, Iterator
from typing import Any

from attrs import evolve, frozen

from simcore.contract.faults import GameError
from simcore.contract.game import GREEDY
from simcore.contract.loops import LoopWatch
from simcore.contract.play import Table
from simcore.contract.state import Cards
from simcore.own_games.check.entries import entries
from simcore.own_games.check.findings import FAULT, LEVELS, Budget, Finding
from simcore.own_games.check.games import Seen, players, same_again, whole_games
from simcore.own_games.check.positions import positions
from simcore.work.progress import Progress

_CHECKS = whole_games, same_again, players, positions, entries
_SECONDS = 30.0
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
    keeps the rules from being compiled, ``is_cut`` that the time ran out before all was checked.
    """

    findings: list[Finding]
    seen: dict[int, Seen]
    sight: dict[str, str]
    plain: list[str]
    is_cut: bool

    @property
    def is_sound(self) -> bool:
        """Whether there is no fault."""
        return all(one.level != FAULT for one in self.findings)


def check(
    table: Table,
    *,
    seconds: float = _SECONDS,
    on_progress: Progress | None = None,
) -> Report:
    """All that is found with every number of seats in so many seconds, one finding for a line.

    Numbers of entries are not tried in a game that has a fault as it is.
    """
    found = dict[str, Finding]()
    seen = {seats: Seen() for seats in table.game.seats}
    budget = Budget(seconds, on_progress)
    for one in _CHECKS:
        if one is entries and any(finding.level == FAULT for finding in found.values()):
            break
        for seats in table.game.seats:
            with LoopWatch():
                for finding in _found(one, evolve(table, seats=seats), budget, seen[seats]):
                    found.setdefault(_place(finding), finding)
    findings = sorted(found.values(), key=lambda one: LEVELS.index(one.level))
    return Report(findings, seen, _sight(table), _plain(table), budget.is_spent)


def _place(finding: Finding) -> str:
    """The author's line that a finding names, or what it tells before "(game 3 of seed 0 …"."""
    line = re.match(r"(.+?:\d+): ", finding.text)
    return line[1] if line else finding.text.partition(" (game ")[0]


def _found(
    one: Callable[[Table, Budget, Seen], Iterator[Finding]],
    table: Table,
    budget: Budget,
    seen: Seen,
) -> Iterator[Finding]:
    """What a check finds, and what stops it."""
    try:
        yield from one(table, budget, seen)
    except GameError as error:
        yield Finding(FAULT, str(error))


def _plain(table: Table) -> list[str]:
    """What keeps the rules from being compiled, with the author's lines."""
    from simcore.contract.compiled.form import NotCompiled, program_of

    try:
        program_of(table, greedy=GREEDY in table.game.player_names)
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
