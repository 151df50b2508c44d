"""Who plays, as one thing that is handed on."""

import os
from concurrent.futures import Executor
from typing import TypedDict

from attrs import frozen


class Who(TypedDict, total=False):
    """Who plays, as keywords that are handed on to `simcore.work.pieces.Workers`."""

    threads: int | None
    executor: Executor | None


@frozen
class Hands:
    """Who plays: so many threads, or an executor, as `simcore.work.pieces.Workers` takes them."""

    threads: int | None = None
    executor: Executor | None = None

    @property
    def who(self) -> Who:
        """The same as keywords."""
        return {"threads": self.threads, "executor": self.executor}

    @property
    def n_workers(self) -> int:
        """How many games are played at the same time."""
        own = self.threads or os.cpu_count() or 1
        return max(getattr(self.executor, "n_workers", own), 1)
