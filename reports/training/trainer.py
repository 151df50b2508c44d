"""How ``fairdeal train`` trains a player of any game, in a folder that it takes up again."""

from abc import ABC, abstractmethod
from collections.abc import Callable, Mapping, Sequence
from pathlib import Path
from typing import Any, ClassVar

from reports.cli.compute import Compute
from reports.cli.console import as_input_error, print_json, resumable
from reports.cli.dry_run import tell_cost
from reports.training.folder import (
    WEIGHTS,
    begin_training,
    keep_scores,
    read_scores,
    write_learning,
)
from reports.training.options import check_name
from reports.training.page import Trained, write_train_page
from simcore.sealed import Shape
from simcore.work.about import Question, working_on
from simcore.work.cost import Plan
from simcore.work.folder import FolderKind


class Trainer(ABC):
    """What a game has to say of a training: what is asked, how it is learned and tested.

    ``learned`` is what is learned, kept in the ``file`` of a folder of the ``kind``; ``scores`` is
    the name of how well it does for programs, ``shape`` that of these values of JSON.  ``shown`` is
    what the learning curve shows, with a line at 50% where opponents can be ``even``; progress is
    counted in ``units``.
    """

    kind: ClassVar[FolderKind]
    shape: ClassVar[Shape]
    learned: ClassVar[str] = "weights"
    file: ClassVar[str] = WEIGHTS
    scores: ClassVar[str] = "scores"
    units: ClassVar[str] = "generations"
    even: ClassVar[bool] = False

    @property
    @abstractmethod
    def shown(self) -> str:
        """What the learning curve shows, in percent."""

    @property
    @abstractmethod
    def generations(self) -> int:
        """How many generations are played."""

    @property
    @abstractmethod
    def asked(self) -> Mapping[str, Any]:
        """All that the outcome depends on, as values of JSON."""

    @property
    @abstractmethod
    def how(self) -> str:
        """How much is played, by whom, and the seed, in words."""

    @property
    @abstractmethod
    def plans(self) -> Sequence[Plan]:
        """All games that are going to be played."""

    @abstractmethod
    def compile(self) -> None:
        """Compile what plays and learns, where that has not been done."""

    @abstractmethod
    def learn(self, folder: Path, identity: str, **how: Any) -> Any:
        """Train to the end, and give what is learned.

        ``identity`` is that of `begin_training`; ``how`` is as in `simcore.training.train`.
        """

    @abstractmethod
    def write(self, learned: Any, path: Path) -> None:
        """Write what is learned to a file.  Raises RunError."""

    @abstractmethod
    def test(self, learned: Any) -> Any:
        """How well it does in games that training did not see, as values of JSON."""


def train(
    trainer: Trainer,
    describe: Callable[[Any, Any, Path], Trained],
    question: Question,
    compute: Compute,
    out: Path | None,
    *,
    dry_run: bool,
    as_json: bool,
) -> None:
    """Answer the command: train, write what is learned, its chart and page, and print the scores.

    ``describe`` gives what the page says of a trainer, from its scores and the file.  A training
    that is done is not played again.  Raises InputError and RunError.
    """
    check_name(out)
    if dry_run:
        tell_cost(trainer.plans, compute, as_json=as_json)
        return
    with compute.start() as crew, working_on(question, out) as work:
        folder, file = work.folder, work.folder / trainer.file
        with as_input_error():
            identity = begin_training(trainer.kind, folder, trainer.asked)
        kept = identity, trainer.file
        scores = read_scores(folder, *kept, trainer.generations, trainer.shape)
        if scores is None:
            trainer.compile()
            with (
                resumable("finished generations stay", folder),
                crew.playing("learning", trainer.units) as how,
            ):
                learned = trainer.learn(folder, identity, **how)
                trainer.write(learned, file)
                scores = trainer.test(learned)
                keep_scores(folder, *kept, scores)
        chart = write_learning(
            folder, identity, how=trainer.how, what=trainer.shown, even=trainer.even
        )
        trained = describe(trainer, scores, file)
        page = write_train_page(folder, identity, trained)
        work.finish(trained.headline, page.name)
    if as_json:
        written = {"folder": folder, "page": page, "weights": file, "curve": chart}
        print_json({name: str(path) for name, path in written.items()} | {trainer.scores: scores})
    else:
        print("\n".join(trained.lines))
        print(f"{trainer.learned}: {file}\ncurve: {chart}\nreport: {page}")
