"""Games of a run judged decision by decision, by processes, and kept in files beside it."""

from collections.abc import Callable, Iterator, Mapping, Sequence
from concurrent.futures import Executor, Future
from functools import cache
from io import BytesIO
from pathlib import Path
from typing import NamedTuple, Protocol

import numpy as np

from analysis.questions.story import Views, Words
from simcore.arrays import Floats
from simcore.places import StoreError
from simcore.sealed import UNREADABLE, RunError, read_file, write_file, writing
from simcore.work.hands import Hands
from simcore.work.jobs import check_code, code_here, digest_of_code
from simcore.work.processes import local_workers
from simcore.work.progress import Progress
from simcore.work.runs import RunSpec
from simcore.work.tasks import Task

# Games in one file, and jobs that each process has.
_BLOCK, _AHEAD = 100, 2


class Seen(NamedTuple):
    """A decision as a judge sees it, as `Views` has it; ``view`` is of shape (n_sides,).

    ``at`` is its place among the decisions of the game, ``side`` whose it is, and ``best`` the
    option with the best chance, which is better than the one that was taken by ``cost``, with an
    ``error`` if it was found by playouts.  ``options`` is the chance of each option, (n_options,).
    """

    at: int
    turn: int
    seat: int
    kind: str
    view: Floats
    side: int = 0
    card: int = -1
    loss: float = np.nan
    spread: float = np.nan
    moved: float = np.nan
    best: int = -1
    cost: float = np.nan
    error: float = 0.0
    options: Floats = np.zeros(0)

    def of_options(self, chances: Floats, taken: int) -> "Seen":
        """The same with the chance of each option for the side, nan for one that is barred."""
        there = chances[~np.isnan(chances)]
        best = int(np.nanargmax(chances))
        return self._replace(
            loss=there.max() - there.mean(),
            spread=there.max() - there.min(),
            best=best,
            cost=0.0 if np.isnan(chances[taken]) else chances[best] - chances[taken],
            options=chances,
        )

    def of_playouts(self, won: Floats, taken: int) -> "Seen":
        """The same with what options win for the side in each part of the playouts, (n, n_options).

        The best one of one half of the parts is judged by the other: it was lucky in the first.
        """
        best = int(won.mean(axis=0).argmax())
        halves = won[::2].mean(axis=0), won[1::2].mean(axis=0)
        pairs = [(two, one.argmax()) for one, two in (halves, halves[::-1])]
        return self._replace(
            loss=float(np.mean([two[place] - two.mean() for two, place in pairs])),
            best=best,
            cost=float(np.mean([two[place] - two[taken] for two, place in pairs])),
            error=float((won[:, best] - won[:, taken]).std(ddof=1) / len(won) ** 0.5),
            options=won.mean(axis=0),
        )


class Judge(Protocol):
    """Plays games of a run again and says before each decision how likely each side is to win."""

    @property
    def name(self) -> str:
        """Who judges, for people."""

    @property
    def words(self) -> Words:
        """What the numbers mean."""

    def watch(
        self, number: int, taken: Sequence[int] | None = None
    ) -> tuple[list[Seen], Sequence[float], int]:
        """The decisions of a game, what each side got in the end, and how many turns it took.

        The players of the run decide, or the options are ``taken`` that are given.
        """


#: Makes the judge of a task.
Judges = Callable[[Task, np.dtype], Judge]


def views_of(judge: Judge, numbers: Sequence[int]) -> Views:
    """Some games, judged."""
    watched = [judge.watch(number) for number in numbers]
    games = np.repeat(range(len(watched)), [len(seen) for seen, _, _ in watched])
    rows = [one for seen, _, _ in watched for one in seen]
    turn, seat, kind, view, side, card, loss, spread, moved = (*zip(*rows, strict=True),)[1:10]
    whole, real = (lambda values: np.array(values, int)), (lambda values: np.array(values, float))
    return Views._make(
        [
            *(whole(one) for one in (games, turn, seat, side)),
            np.array(kind, str),
            whole(card),
            *(real(one) for one in (view, loss, spread, moved, [got for _, got, _ in watched])),
            whole([turns for _, _, turns in watched]),
            whole(numbers),
        ]
    )


def judge_games(
    spec: RunSpec, judges: Judges, folder: Path, hands: Hands, on_progress: Progress
) -> Views:
    """All games of a run, judged; what the folder lacks is judged by processes.

    Raises RunError.
    """
    blocks = [range(at, min(at + _BLOCK, spec.n_games)) for at in range(0, spec.n_games, _BLOCK)]
    judge = _digest(judges.__module__)
    found = {numbers: _kept(folder, numbers, judge) for numbers in blocks}
    missing = [numbers for numbers, views in found.items() if views is None]
    done = spec.n_games - sum(map(len, missing))
    with writing(folder):
        folder.mkdir(parents=True, exist_ok=True)
    for numbers, views in _judged(spec, judges, missing, hands):
        _keep(folder, numbers, views, judge)
        found[numbers] = views
        done += len(numbers)
        on_progress(done, spec.n_games)
    return Views.joined([views for views in found.values() if views is not None])


def _judged(
    spec: RunSpec, judges: Judges, blocks: Sequence[range], hands: Hands
) -> Iterator[tuple[range, Views]]:
    """Each block with its views, as they get done."""
    if hands.executor is None and (len(blocks) < 2 or hands.n_workers == 1):
        judge = judges(spec.task, spec.record)
        yield from ((numbers, views_of(judge, numbers)) for numbers in blocks)
    elif hands.executor is None:
        with local_workers(min(hands.n_workers, len(blocks))) as workers:
            yield from _sent(workers, spec, judges, blocks, hands.n_workers)
    else:
        yield from _sent(hands.executor, spec, judges, blocks, hands.n_workers)


def _sent(
    executor: Executor, spec: RunSpec, judges: Judges, blocks: Sequence[range], n_workers: int
) -> Iterator[tuple[range, Views]]:
    asked, waiting, sent = code_here(), [*blocks], list[tuple[range, Future[Views]]]()
    while waiting or sent:
        while waiting and len(sent) < _AHEAD * n_workers:
            numbers = waiting.pop(0)
            job = executor.submit(_job, asked, judges, spec.task, spec.record, numbers)
            sent.append((numbers, job))
        numbers, job = sent.pop(0)
        yield numbers, job.result()


def _job(
    asked: Mapping[str, str], judges: Judges, task: Task, record: np.dtype, numbers: range
) -> Views:
    """What a process is sent."""
    check_code(asked)
    return views_of(judges(task, record), numbers)


@cache
def _digest(module: str) -> str:
    """A digest of all that the judge of a module goes by."""
    here = __name__, module
    return digest_of_code("card_data", "simcore", *(f"{one.replace('.', '/')}.py" for one in here))


def _file(folder: Path, numbers: range) -> Path:
    return folder / f"{numbers.start:07}.npz"


def _kept(folder: Path, numbers: range, judge: str) -> Views | None:
    """The views in a file; None if it is missing, damaged, or of another version of the judge."""
    try:
        with np.load(BytesIO(read_file(_file(folder, numbers)))) as columns:
            known = dict(columns)
            if known.pop("judge", "") != judge:
                return None
            found = Views(**known)
    except StoreError:
        raise
    except (*UNREADABLE, RunError):
        return None
    return found if [*found.number] == [*numbers] else None


def _keep(folder: Path, numbers: range, views: Views, judge: str) -> None:
    data = BytesIO()
    np.savez_compressed(data, judge=judge, **views._asdict())
    write_file(_file(folder, numbers), data.getvalue())
