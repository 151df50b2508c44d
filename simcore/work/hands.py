"""Who plays, as one thing that is handed on."""

import os
from concurrent.futures import Executor

from attrs import frozen


@frozen
class Hands:
    """Who plays: so many threads, or an executor, as `simcore.work.pieces.Workers` takes them."""

    threads: int | None = None
    executor: Executor | None = None

    @property
    def n_workers(self) -> int:
        """How many games are played at the same time."""
        own = self.threads or os.cpu_count() or 1
        return max(getattr(self.executor, "n_workers", own), 1)
