"""What playing will cost, told before it begins: processor time and disk, from a short trial."""

import time
from collections.abc import Iterator, Sequence
from contextlib import contextmanager
from contextvars import ContextVar
from pathlib import Path
from tempfile import TemporaryDirectory

import numpy as np
from attrs import field, frozen

from simcore.records import encode_part
from simcore.work.runs import RunSpec

#: Seconds that the trial takes, in all.
TRIAL_SECONDS = 1.0


@frozen
class Plan:
    """Games that a command is going to play: those of ``spec``, or as costly ones.

    ``kept`` is how many bytes are written for a game, None for its whole record, in a run folder.
    Where what is found on the way decides how many games are played, ``bound`` is "at most" or
    "at least".  ``learning`` is how long one processor learns from a game, as a share of
    the time that playing it takes.
    """

    spec: RunSpec
    kept: int | None = None
    bound: str = ""
    learning: float = 0.0


@frozen
class Cost:
    """What a plan costs: games, processor time in seconds, and bytes on disk.

    ``bound`` says whether these are "at most" or "at least" so many games, or "about" where a rule
    that ends the run has foreseen it from the trial; it is "" for an exact number.
    """

    plan: Plan
    games: int
    bound: str
    seconds: float
    size: float

    def time_on(self, processors: int) -> float:
        """Seconds that it takes on some processors."""
        return self.seconds * (1 + self.plan.learning) / processors


@frozen
class Lessons:
    """Lessons that players need first, in a command that only says what it costs.

    ``plans`` are their games, by what is learned.  What must be learned even so lies in ``folder``
    until the command ends.
    """

    folder: Path
    plans: dict[object, Sequence[Plan]] = field(factory=dict)


_lessons: ContextVar[Lessons | None] = ContextVar("_lessons", default=None)
#: The lessons of this command; None where it really plays.
foreseen = _lessons.get


@contextmanager
def foreseeing() -> Iterator[None]:
    """Only foresee lessons within the block."""
    with TemporaryDirectory() as folder:
        token = _lessons.set(Lessons(Path(folder)))
        try:
            yield
        finally:
            _lessons.reset(token)


def measure_cost(plans: Sequence[Plan], *, seconds: float = TRIAL_SECONDS) -> list[Cost]:
    """The cost of each plan, measured with its first games for ``seconds`` in all.

    Nothing is written.  A first game of each is not counted, since it may compile.  Raises
    ValueError for what cannot be played.
    """
    return [_measure(plan, seconds / len(plans)) for plan in plans]


def _measure(plan: Plan, seconds: float) -> Cost:
    spec = plan.spec
    player = spec.task.player(spec.record)
    player.play(0, np.empty(1, spec.record))
    games = np.empty(0, spec.record)
    n_games, passed = min(spec.first_batch, spec.n_games), 0.0
    while True:
        games = np.empty(n_games, spec.record)
        began = time.thread_time()
        player.play(0, games)
        passed = time.thread_time() - began
        if passed > seconds / 4 or n_games == spec.n_games:
            break
        n_games = min(2 * n_games, spec.n_games)
    kept = plan.kept
    each = len(encode_part(games, {}, seats=spec.seats)) / n_games if kept is None else kept
    n, bound = _foreseen(plan, games)
    return Cost(plan, n, bound, passed * n / n_games, each * n)


def _foreseen(plan: Plan, games: np.ndarray) -> tuple[int, str]:
    """How many games are played, as far as some games tell, and the bound of that."""
    spec, rule = plan.spec, plan.spec.until
    if rule is None:
        return spec.n_games, plan.bound
    needed = rule.look(rule.count(games), len(games)).games_needed
    if needed is None or needed > spec.n_games:
        return spec.n_games, "at most"
    parts = -(-needed // rule.part_games)
    return min(parts * rule.part_games, spec.n_games), "about"
