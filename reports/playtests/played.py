"""Games that a person plays against the program, kept in the log of playtests."""

from collections import deque
from collections.abc import Iterator, Sequence
from datetime import date
from math import isfinite
from pathlib import Path

import numpy as np

from analysis.games import analysis_of
from analysis.playtests import Facts
from card_data.playtest_log import LENGTHS, LogTerms, log_columns, with_game
from reports.cli.named_files import write_named
from reports.games import reports_of
from reports.kit.words import listed
from reports.play.course import Course
from reports.play.log import GameLog
from reports.play.match import Match
from simcore.work.lock import holding_file

#: What the person is called.
ME = "me"


def add_played(match: Match, log: GameLog, file: Path, minutes: float | None) -> list[str]:
    """Add the finished game of a match, whose log this is, to a file; what has no column there.

    ``minutes`` is how long it took, None where nobody knows.  The remark says what the person's
    choices cost, and what others' would have, where somebody judges the game.  The file is written
    whole or not at all, and nobody else writes to it meanwhile.  Raises CardFileError, InputError
    and RunError.
    """
    facts = analysis_of(match.log.game).facts(match.manifest, np.array([match.record]))
    seats = facts.scores.shape[1]
    values = dict(_values(match, facts, seats))
    course = match.course(log.decisions)
    if course is not None and (remark := _remark(course, log)):
        values["remark"] = remark
    if minutes is not None:
        values["minutes"] = f"{minutes:.0f}"
    terms = LogTerms(seats=seats, cards=dict.fromkeys(facts.held, ""), together=seats == 1)
    columns = [*log_columns(terms), *["held"] * (seats == 1 and bool(facts.held))]
    with holding_file(file):
        content, lacking = with_game(file, values, columns)
        write_named(file, content)
    return [one for one in lacking if values[one]]


def _remark(course: Course, log: GameLog) -> str:
    """What the person's choices cost, and those of others would have; "" if there were none."""
    match = reports_of(log.game).match(log)
    costs = costs_of_choices(course, match, log.decisions)
    if not costs:
        return ""
    mine, *others = (f"{who} {100 * cost:.1f}".lstrip() for who, cost in costs.items())
    said = f"my choices cost {mine} points each, judged by {course.judge}"
    return f"{said}; in my place it would have cost {listed(others)}"


def costs_of_choices(
    course: Course, match: Match, decisions: Sequence[tuple[int, int]]
) -> dict[str, float]:
    """What choices cost on average at the decisions of the person: theirs, then those of others.

    The others are the ``rungs`` of the match, which stands at its beginning, and "chance", who
    takes any option.  The person is "".  Empty where they had nothing to choose.
    """
    seen = {one.at: one for one in course.mine if one.best >= 0}
    costs: dict[str, list[float]] = {"": [], **{player: [] for player in match.rungs}, "chance": []}
    left = iter(enumerate(decisions))

    def choose() -> int:
        at, (_, taken) = next(left)
        if (one := seen.get(at)) is not None:
            costs[""].append(one.cost)
            costs["chance"].append(one.loss)
            for player in match.rungs:
                # Beside the person's own cost, so that the luck of a best option counts once.
                chosen = match.opinion(player, at).chosen
                costs[player].append(one.cost + one.options[taken] - one.options[chosen])
        return taken

    deque(match.tell(choose, brief=True), maxlen=0)
    return {player: sum(some) / len(some) for player, some in costs.items() if some}


def _values(match: Match, facts: Facts, seats: int) -> Iterator[tuple[str, str]]:
    """What the log says of the game, by its headings."""
    yield "date", date.today().isoformat()
    for seat in range(seats):
        end = f"_{seat + 1}" if seats > 1 else ""
        mine = seats == 1 or seat in match.log.person
        yield f"player{end}", ME if mine else match.player(seat)
        yield f"held{end}", ", ".join(one for one, held in facts.held.items() if held[0, seat])
        if isfinite(facts.points[0, seat]):
            yield f"score{end}", f"{facts.points[0, seat]:g}"
    scores = facts.scores[0]
    if seats == 1:
        yield "result", "won" if scores[0] == 1 else "lost"
    else:
        alone = np.flatnonzero(scores == scores.max())
        yield "winner", f"{alone[0] + 1}" if len(alone) == 1 else "tie"
        yield "began", f"{facts.first[0] + 1}" if facts.first[0] >= 0 else ""
    for name in LENGTHS:
        if name in facts.numbers:
            yield name, f"{facts.numbers[name][0]:g}"
