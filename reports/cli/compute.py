"""Who plays: threads of this process, processes beside it, or the workers of a scheduler."""

from collections.abc import Callable, Iterator
from contextlib import AbstractContextManager, contextmanager
from typing import Annotated, Any

from attrs import frozen
from cyclopts import Parameter

from reports.cli.console import Advance, InputError, progress, say
from reports.cli.options import MAX_THREADS, Threads, whole
from simcore.work.hands import Hands


@frozen
class Crew(Hands):
    """Who plays, and how that is shown."""

    def progress(
        self, doing: str | Callable[[], str], unit: str = ""
    ) -> AbstractContextManager[Advance]:
        """A bar as `reports.cli.console.progress` shows it, with the number of workers."""
        return progress(lambda: self._told(doing if isinstance(doing, str) else doing()), unit)

    def watch(self, doing: str, /, unit: str = "games") -> AbstractContextManager[Advance]:
        """The same for an experiment, which mostly plays games."""
        return self.progress(doing, unit)

    @property
    def watched(self) -> dict[str, Any]:
        """Who plays, and `watch`, as arguments of what plays an experiment."""
        return {"threads": self.threads, "executor": self.executor, "watch": self.watch}

    @contextmanager
    def playing(
        self, doing: str | Callable[[], str] = "playing", unit: str = "games"
    ) -> Iterator[dict[str, Any]]:
        """Who plays, and a bar that is shown meanwhile, as arguments of what plays."""
        with self.progress(doing, unit) as advance:
            yield {"threads": self.threads, "executor": self.executor, "on_progress": advance}

    def _told(self, doing: str) -> str:
        n = getattr(self.executor, "n_workers", None)
        return doing if n is None else f"{doing} on {n} worker{'' if n == 1 else 's'}"


@Parameter(name="*", help="Where the games are played.")
@frozen(kw_only=True)
class Compute:
    """The options that say who plays.  The results do not depend on them."""

    threads: Threads = None
    workers: Annotated[
        int | None,
        Parameter(
            converter=whole(1, MAX_THREADS),
            help="Use this many processes instead of threads (docs/cluster.md).",
        ),
    ] = None
    scheduler: Annotated[
        str | None,
        Parameter(
            help="Play on the workers of a Dask scheduler (docs/cluster.md). Give its address,"
            " such as tcp://127.0.0.1:8786.",
        ),
    ] = None

    @contextmanager
    def start(self) -> Iterator[Crew]:
        """Those who play while the block runs.  Raises InputError, and ClusterError."""
        said = {
            "--threads": self.threads,
            "--workers": self.workers,
            "--scheduler": self.scheduler,
        }
        named = [option for option, value in said.items() if value is not None]
        if len(named) > 1:
            raise InputError(f"{' and '.join(named)} contradict each other; choose one of them")
        if self.workers is not None:
            from simcore.work.processes import local_workers

            with local_workers(self.workers) as workers:
                yield Crew(executor=workers)
        elif self.scheduler is not None:
            from simcore.work.cluster import cluster_at

            with cluster_at(self.scheduler, lambda told: say(f"fairdeal: {told}")) as cluster:
                yield Crew(executor=cluster)
        else:
            yield Crew(self.threads)


#: Threads of this process, as many as there are processors.
HERE = Compute()
