"""Games of a run judged decision by decision, by processes, and kept in files beside it."""

from collections.abc import Callable, Iterator, Mapping, Sequence
from concurrent.futures import Executor, Future
from io import BytesIO
from pathlib import Path
from typing import NamedTuple, Protocol

import numpy as np
import numpy.typing as npt

from analysis.questions.story import Views, Words
from simcore.places import StoreError
from simcore.sealed import RunError, read_file, write_file, writing
from simcore.work.hands import Hands
from simcore.work.jobs import check_code, code_here
from simcore.work.processes import local_workers
from simcore.work.progress import Progress
from simcore.work.runs import RunSpec
from simcore.work.tasks import Task

_FLOAT = npt.NDArray[np.float64]
# Games in one file, and jobs that each process has.
_BLOCK, _AHEAD = 100, 2


class Seen(NamedTuple):
    """A decision as a judge sees it, as `Views` has it; ``view`` is of shape (n_sides,)."""

    turn: int
    seat: int
    kind: str
    view: _FLOAT
    card: int = -1
    loss: float = np.nan
    spread: float = np.nan
    moved: float = np.nan

    @classmethod
    def of_options(
        cls, turn: int, seat: int, kind: str, chances: _FLOAT, taken: int, card: int = -1
    ) -> "Seen":
        """The decision of one of two sides with the chance of each option, nan for one barred."""
        own, there = chances[taken], chances[~np.isnan(chances)]
        view = np.array([own, 1 - own])
        loss, spread = there.max() - there.mean(), there.max() - there.min()
        return cls(turn, seat, kind, view if seat == 0 else view[::-1], card, loss, spread)


class Judge(Protocol):
    """Plays games of a run again and says before each decision how likely each side is to win."""

    @property
    def words(self) -> Words:
        """What the numbers mean."""

    def watch(self, number: int) -> tuple[list[Seen], Sequence[float], int]:
        """The decisions of a game, what each side got in the end, and how many turns it took."""


#: Makes the judge of a task.
Judges = Callable[[Task, np.dtype], Judge]


def views_of(judge: Judge, numbers: Sequence[int]) -> Views:
    """Some games, judged."""
    watched = [judge.watch(number) for number in numbers]
    games = np.repeat(range(len(watched)), [len(seen) for seen, _, _ in watched])
    rows = [one for seen, _, _ in watched for one in seen]
    turn, seat, kind, view, card, loss, spread, moved = zip(*rows, strict=True)
    whole, real = (lambda values: np.array(values, int)), (lambda values: np.array(values, float))
    return Views._make(
        [
            *(whole(one) for one in (games, turn, seat)),
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
    found = {numbers: _kept(folder, numbers) for numbers in blocks}
    missing = [numbers for numbers, views in found.items() if views is None]
    done = spec.n_games - sum(map(len, missing))
    with writing(folder):
        folder.mkdir(parents=True, exist_ok=True)
    for numbers, views in _judged(spec, judges, missing, hands):
        _keep(folder, numbers, views)
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


def _file(folder: Path, numbers: range) -> Path:
    return folder / f"{numbers.start:07}.npz"


def _kept(folder: Path, numbers: range) -> Views | None:
    """The views in a file; None if it is missing or damaged."""
    try:
        with np.load(BytesIO(read_file(_file(folder, numbers)))) as columns:
            found = Views(**columns)
    except StoreError:
        raise
    except (OSError, ValueError, TypeError, KeyError, RunError, EOFError):
        return None
    except Exception:  # noqa: BLE001 - a damaged zip has errors of its own
        return None
    return found if [*found.number] == [*numbers] else None


def _keep(folder: Path, numbers: range, views: Views) -> None:
    data = BytesIO()
    np.savez_compressed(data, **views._asdict())
    write_file(_file(folder, numbers), data.getvalue())
