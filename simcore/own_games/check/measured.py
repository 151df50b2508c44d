"""What a check tells besides: how fast games are in both forms, and whether search plays well."""

import time
from collections.abc import Iterator, Sequence

from simcore.contract.faults import GameError
from simcore.contract.game import GREEDY, RANDOM, SEARCH
from simcore.contract.loops import LoopWatch
from simcore.contract.play import Play, Table
from simcore.own_games.check.findings import FAULT, WARNING, Budget, Finding
from simcore.own_games.check.games import Seen

#: The player that is measured against all others.
SEARCHING = f"{SEARCH}:16"
#: The forms of rules.
AS_THEY_ARE, COMPILED = "as they are", "compiled"
#: Seconds that must be left where rules are compiled, which nothing can interrupt.
COMPILING = 12.0
# Seconds for games that are timed, and for those of search; the most games of either.
_TIMED, _CONTESTED = 0.5, 5.0
_MOST_TIMED, _MOST_CONTESTED, _COMPARED = 5_000, 20, 30
# Games at a time in the compiled form, and how often.
_BATCH, _BATCHES = 512, 100


def speed(table: Table, budget: Budget, seen: Seen) -> Iterator[Finding]:
    """Time games of random players by the rules as they are."""
    began, decisions, games = time.perf_counter(), 0, 0
    for number in budget.numbers(_MOST_TIMED, _TIMED):
        play = Play(table, 0, number)
        play.play([RANDOM] * table.seats)
        decisions, games = decisions + play.decisions, number + 1
    _note_speed(seen, AS_THEY_ARE, games, decisions, began)
    yield from ()


def _note_speed(seen: Seen, form: str, games: int, decisions: int, began: float) -> None:
    seconds = time.perf_counter() - began
    if games:
        seen.speeds[form] = games / seconds, decisions / seconds


#: What follows where they do.
COMPILED_DIFFERS = "many games are played by the rules as they are, which is slower"


def forms(table: Table, budget: Budget, seen: Seen) -> Iterator[Finding]:
    """Games that go otherwise when compiled; without any the compiled form is timed.

    What compiles is no call of the rules, and may last.  Raises NotCompiled.
    """
    from simcore.contract.compiled.form import Form, Stopped, differences

    names = table.game.player_names
    players = [GREEDY if GREEDY in names and seat % 2 else RANDOM for seat in range(table.seats)]
    form = Form(table, players)
    for number in budget.numbers(_COMPARED):
        with LoopWatch():
            different = next(differences(form, 0, [number]), "")
        if different:
            yield Finding(WARNING, f"{different}: {COMPILED_DIFFERS}")
            return
    form = form.playing([RANDOM] * table.seats)
    began, decisions, games = time.perf_counter(), 0, 0
    try:
        for batch in budget.numbers(_BATCHES, _TIMED):
            played = form.play(0, batch * _BATCH, _BATCH)
            decisions, games = decisions + int(played.numbers[:, 0].sum()), games + _BATCH
    except Stopped:  # a game in which the rules raise: a run tells it
        return
    _note_speed(seen, COMPILED, games, decisions, began)


def contests(table: Table, budget: Budget, seen: Seen) -> Iterator[Finding]:
    """Let search play some games against each other player, in each seat or team in turn."""
    teams = table.game.teams_of(table.seats)
    for number in budget.numbers(_MOST_CONTESTED, _CONTESTED):
        for other in table.game.player_names:
            try:
                ahead = _ahead(table, number, teams[number % len(teams)], other)
            except GameError as error:
                yield Finding(FAULT, f"{error}; {SEARCHING} plays")
                return
            better, worse, n = seen.contests.get(other, (0, 0, 0))
            seen.contests[other] = better + (ahead > 0), worse + (ahead < 0), n + 1


def _ahead(table: Table, number: int, mine: Sequence[int], other: str) -> float:
    """By how much the seats of search did better than the others, or than others in their place."""
    players = [SEARCHING if seat in mine else other for seat in range(table.seats)]
    outcomes = _outcomes(table, number, players)
    theirs = [one for seat, one in enumerate(outcomes) if seat not in mine]
    if not theirs:
        theirs = _outcomes(table, number, [other] * table.seats)
    return sum(outcomes[seat] for seat in mine) / len(mine) - sum(theirs) / len(theirs)


def _outcomes(table: Table, number: int, players: list[str]) -> list[int]:
    play = Play(table, 0, number)
    play.play(players)
    return play.outcomes
